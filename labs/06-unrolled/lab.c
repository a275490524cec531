/* 06-unrolled: fewer instructions for the same work, and the shape of a block. */
#include "exercise/exercise.h"

enum { ROLLED, UNROLLED };
static const struct budget matmul_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, 262144, 1, "keep the 32 x 32 tiles of lab 04", .degree = 1},
    {METRIC_FFMA_SHARE, AT_LEAST, 23, 2,
        "let little stand between the multiply-adds: no loop's counter, comparison and branch, no "
        "index arithmetic, no barrier"},
    {0},
};
static const struct step matmul[] = {
    {.kernel = "matmul_rolled", .problem = "matmul", .dims = {1024, 128, 1024}},
    {.kernel = "matmul",
        .problem = "matmul",
        .dims = {1024, 128, 1024},
        .correct_points = 3,
        .speed_points = 2,
        .budgets = matmul_budget,
        .rung = "shared tiles, unrolled",
        .no_gain =
            "shared memory is the limit, not the instructions: a multiply-add still takes two "
            "floats from it, until a thread keeps several outputs, lab 07"},
    {0},
};
static const struct prediction matmul_predictions[] = {
    {"rolled_loads", ROLLED, METRIC_SLD_INST, 1,
        "loads from shared memory of the rolled product, counted once per warp, in all warps"},
    {"unrolled_loads", UNROLLED, METRIC_SLD_INST, 1,
        "loads from shared memory of the unrolled product, where a 16-byte load fetches four "
        "neighbours"},
    {0},
};

enum { ROLLED_16, UNROLLED_16, WRITTEN_16 };
static const struct step sixteen[] = {
    {.kernel = "rolled_16", .problem = "matmul", .dims = {1024, 128, 1024}},
    {.kernel = "unrolled_16", .problem = "matmul", .dims = {1024, 128, 1024}},
    {.kernel = "written_16", .problem = "matmul", .dims = {1024, 128, 1024}},
    {0},
};
static const struct prediction sixteen_predictions[] = {
    {"rolled_16_loads", ROLLED_16, METRIC_SLD_INST, 1,
        "loads from shared memory of the rolled loop, counted once per warp, in all warps"},
    {"written_16_loads", WRITTEN_16, METRIC_SLD_INST, 1,
        "the same of sixteen products written out"},
    {"unrolled_16_multiply_adds", UNROLLED_16, METRIC_FFMA, 1,
        "multiply-adds of the unrolled loop, counted once per thread, of all threads"},
    {"written_16_multiply_adds", WRITTEN_16, METRIC_FFMA, 1,
        "the same of sixteen products written out as one expression"},
    {0},
};

/* One barrier per warp: 2048 x 2048 floats are 2048 pairs of tiles, with 8 warps each. */
static const struct budget transpose_budget[] = {
    {METRIC_BARRIER, AT_MOST, 16384, 2,
        "a block moves two tiles of 32 x 32 and needs one barrier for both"},
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 1, "a row of the double tile has an odd number of words"},
    {METRIC_SST_CONFLICTS, AT_MOST, 0, 0, "store each row of the tile as a row"},
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 1,
        "x must run along the rows of out for both tiles"},
    {0},
};
static const struct step transpose[] = {
    {.kernel = "transpose",
        .problem = "transpose",
        .dims = {2048, 2048},
        .correct_points = 4,
        .speed_points = 2,
        .budgets = transpose_budget,
        .rung = "two tiles a block, padded",
        .no_gain =
            "the padded transpose is nearly as fast as a copy; half as many blocks save a little "
            "of the start"},
    {0},
};

enum { PAD_1_32x16, PAD_2_32x16, PAD_2_16x16, PAD_4_8x8, CHOSEN, PAD_0_32x16 };
static const struct budget chosen_budget[] = {
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 1,
        "a warp's load reads 32 / Y words from each of Y rows: are they in different banks?"},
    {METRIC_SST_CONFLICTS, AT_MOST, 0, 1,
        "a warp's store fills 32 / X rows: to which banks does the padding move the second row?"},
    {0},
};
static const struct step shape[] = {
    {.kernel = "block_32x16_pad_1", .problem = "transpose", .dims = {512, 1024}},
    {.kernel = "block_32x16_pad_2", .problem = "transpose", .dims = {512, 1024}},
    {.kernel = "block_16x16_pad_2", .problem = "transpose", .dims = {512, 1024}},
    {.kernel = "block_8x8_pad_4", .problem = "transpose", .dims = {512, 1024}},
    {.kernel = "chosen", .problem = "transpose", .dims = {512, 1024}, .budgets = chosen_budget},
    {.kernel = "block_32x16", .problem = "transpose", .dims = {512, 1024}},
    {0},
};
static const struct prediction shape_predictions[] = {
    {"loads_32x16", PAD_0_32x16, METRIC_SLD_PER_REQUEST, 1,
        "block 32x16, without padding: wavefronts that a load from the tile takes"},
    {"loads_32x16_pad_1", PAD_1_32x16, METRIC_SLD_PER_REQUEST, 1,
        "block 32x16, padded by 1: wavefronts that a load from the tile takes"},
    {"loads_32x16_pad_2", PAD_2_32x16, METRIC_SLD_PER_REQUEST, 1,
        "block 32x16, padded by 2: wavefronts that a load from the tile takes"},
    {"loads_16x16_pad_2", PAD_2_16x16, METRIC_SLD_PER_REQUEST, 1,
        "block 16x16, padded by 2: wavefronts that a load from the tile takes"},
    {"stores_16x16_pad_2", PAD_2_16x16, METRIC_SST_PER_REQUEST, 1,
        "block 16x16, padded by 2: wavefronts that a store to the tile takes"},
    {"loads_8x8_pad_4", PAD_4_8x8, METRIC_SLD_PER_REQUEST, 1,
        "block 8x8, padded by 4: wavefronts that a load from the tile takes"},
    {"stores_8x8_pad_4", PAD_4_8x8, METRIC_SST_PER_REQUEST, 1,
        "block 8x8, padded by 4: wavefronts that a store to the tile takes"},
    {"sectors_8x8", PAD_4_8x8, METRIC_GST_SECTORS_PER_REQUEST, 1,
        "block 8x8: sectors that a store to global memory touches"},
    {0},
};

/* A block has 8 warps and one of 8192 rows of 256: one element a thread. The tree loads two words in
 * each of 4, 2 and 6 times one warps, and its sum. */
enum { TREE, BY_SHUFFLES, BY_ATOMICS, ROWS = 8192 };
static const struct budget tree_budget[] = {
    {METRIC_SLD_INST, AT_MOST, 25 * ROWS, 1,
        "let neighbours add, half as many each time, so that whole warps fall idle"},
    {METRIC_BARRIER, AT_MOST, 9 * 8 * ROWS, 1, "one barrier after the fill and after each halving"},
    {METRIC_BARRIER, AT_LEAST, 8 * ROWS, 0,
        "the warps of a block meet before they add each other's sums"},
    {METRIC_WARP_BALANCE, AT_LEAST, 45, 0, "all warps add as long as there are words for them"},
    {METRIC_GST_REQUESTS, AT_MOST, ROWS, 0,
        "a row's words meet in shared memory; its sum alone is stored"},
    {0},
};
static const struct budget shuffles_budget[] = {
    {METRIC_SHUFFLE_THREADS, AT_LEAST, 31 * ROWS, 1,
        "the lanes of a warp hand their sums over by shuffles: they need no barrier"},
    {METRIC_SHUFFLE_THREADS, AT_MOST, 5 * 32 * ROWS, 1,
        "five halvings add 32 sums: half as many lanes have one after each"},
    {METRIC_SHUFFLE_INST, AT_MOST, 5 * ROWS, 0, "each of five shuffles serves the whole warp"},
    {METRIC_SST_BYTES, AT_MOST, 4 * ROWS, 0,
        "sums go from lane to lane, not through shared memory"},
    {METRIC_SATOM_INST, AT_MOST, 0, 0, "sums go from lane to lane, not by atomics"},
    {METRIC_TENSOR_FLOP, AT_MOST, 0, 0, "the lanes add by themselves"},
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1,
        "the lanes of a warp read neighbours: lane, lane + 32, ..."},
    {0},
};
static const struct budget atomics_budget[] = {
    {METRIC_SATOM_INST, AT_LEAST, 4 * ROWS, 1, "each warp adds its sum by atomicAdd"},
    {METRIC_WARP_BALANCE, AT_LEAST, 50, 0, "all warps of the block add a part of the row"},
    {METRIC_SHUFFLE_THREADS, AT_LEAST, 31 * 8 * ROWS, 0,
        "the lanes of a warp add up by shuffles first, so that one atomic a warp is left"},
    {METRIC_BARRIER, AT_MOST, 2 * 8 * ROWS, 1,
        "two barriers are enough: after the word is 0, and before it is read"},
    {0},
};
static const struct step dot[] = {
    {.kernel = "by_tree",
        .sums_only = 1,
        .problem = "diagonal",
        .dims = {ROWS, 256},
        .correct_points = 1,
        .budgets = tree_budget},
    {.kernel = "by_shuffles",
        .problem = "diagonal",
        .dims = {ROWS, 256},
        .correct_points = 1,
        .speed_points = 1,
        .budgets = shuffles_budget},
    {.kernel = "by_atomics",
        .problem = "diagonal",
        .dims = {ROWS, 256},
        .correct_points = 1,
        .speed_points = 1,
        .budgets = atomics_budget},
    {0},
};
static const struct prediction dot_predictions[] = {
    {"tree_barriers", TREE, METRIC_BARRIER, 1, "barriers of by_tree, counted once per warp"},
    {"tree_divergent", TREE, METRIC_BRANCH_DIVERGENT, 1,
        "branches of by_tree about which the lanes of a warp disagree"},
    {"atomics", BY_ATOMICS, METRIC_SATOM_INST, 1,
        "atomics of by_atomics on shared memory, counted once per warp"},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "matmul",
        .title = "C = A B through shared tiles, the inner product unrolled",
        .steps = matmul,
        .predictions = matmul_predictions},
    {.name = "sixteen",
        .title = "blocks of 16 x 16: sixteen products in a loop, unrolled, written out",
        .steps = sixteen,
        .predictions = sixteen_predictions},
    {.name = "transpose",
        .title = "the transpose, two tiles per block, unrolled and padded",
        .steps = transpose},
    {.name = "shape",
        .title = "blocks of 32x16, 16x16 and 8x8: which, and why?",
        .steps = shape,
        .predictions = shape_predictions},
    {.name = "dot",
        .needs = FEATURE_SHUFFLES,
        .title = "the diagonal of A A^T: by tree, by shuffles, by atomics",
        .steps = dot,
        .predictions = dot_predictions},
    {0},
};
const struct lab lab_06_unrolled = {
    "06-unrolled", "Instruction mix, unrolling and block shapes", exercises};
