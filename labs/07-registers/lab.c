/* 07-registers: several outputs a thread, 16 bytes an access, and each number fetched once. */
#include "exercise/exercise.h"

enum { COLUMN, TILE };
static const struct budget column_budget[] = {
    {METRIC_SLD_INST, AT_MOST, 3145728, 1,
        "a float of b serves 8 outputs of the thread: load it once; 8 neighbours of a are two "
        "16-byte loads"},
    {METRIC_GLD_REQUESTS, AT_MOST, 262144, 0, "a block fetches each tile once", .degree = 1},
    {0},
};
/* 256 blocks of 8 warps; 8 steps of 8 along k. A step fetches two tiles, 16 bytes a thread. */
static const struct budget matmul_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, 32768, 1, "fetch the tiles 16 bytes at a time"},
    {METRIC_SLD_INST, AT_MOST, 524288, 3,
        "64 outputs of a thread need 16 floats of each k: four 16-byte loads"},
    {METRIC_SLD_WAVEFRONTS, AT_MOST, 1048576, 2,
        "place the lanes as the given r and q do: lanes i and i ^ 1, or i and i ^ 2, read the same "
        "16 bytes"},
    {METRIC_FFMA_SHARE, AT_LEAST, 60, 2,
        "keep all 64 sums in registers: every index must be a constant"},
    {0},
};
static const struct step matmul[] = {
    {.kernel = "matmul_column",
        .problem = "matmul",
        .dims = {2048, 64, 2048},
        .correct_points = 2,
        .budgets = column_budget,
        .rung = "8 outputs a thread"},
    {.kernel = "matmul",
        .problem = "matmul",
        .dims = {2048, 64, 2048},
        .correct_points = 2,
        .speed_points = 2,
        .budgets = matmul_budget,
        .rung = "8 x 8 outputs a thread",
        .no_gain =
            "a block computes 128 x 128 outputs, so a small product has fewer blocks than the GPU "
            "has multiprocessors"},
    {0},
};
static const struct prediction matmul_predictions[] = {
    {"column_loads", COLUMN, METRIC_SLD_INST, 1,
        "loads from shared memory of matmul_column, counted once per warp, in all warps"},
    {"tile_loads", TILE, METRIC_SLD_INST, 1,
        "loads from shared memory of matmul, counted the same way"},
    {0},
};

static const struct budget transpose_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, 32768, 3, "load float4: a warp's load then brings 128 floats"},
    {METRIC_GST_REQUESTS, AT_MOST, 32768, 3, "store float4 too: turn 4 x 4 floats in registers"},
    {METRIC_SST_CONFLICTS, AT_MOST, 0, 1,
        "8 lanes store 16 bytes at once: pad so that they are in 32 banks"},
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 1, "load from the tile along its rows, 16 bytes a lane"},
    {METRIC_SST_INST, AT_MOST, 32768, 0,
        "turn 4 x 4 floats in registers: a store to the tile has 16 bytes, too"},
    {METRIC_SLD_INST, AT_MOST, 32768, 0, "load from the tile 16 bytes at a time"},
    {0},
};
static const struct step transpose[] = {
    {.kernel = "transpose",
        .problem = "transpose",
        .dims = {2048, 2048},
        .correct_points = 2,
        .speed_points = 2,
        .budgets = transpose_budget,
        .rung = "16 bytes an access",
        .no_gain =
            "memory is the limit, and the same bytes are moved; fewer instructions move them"},
    {0},
};
static const struct prediction transpose_predictions[] = {
    {"loads", 0, METRIC_GLD_REQUESTS, 1,
        "loads from global memory, counted once per warp, in all warps"},
    {"sectors", 0, METRIC_GLD_SECTORS_PER_REQUEST, 1, "sectors that one of them touches"},
    {"tile_wavefronts", 0, METRIC_SST_PER_REQUEST, 1,
        "wavefronts that a 16-byte store to the tile takes"},
    {0},
};

/* 16 x 17 / 2 of 16 x 16 tiles of 128 x 128 outputs, 32 multiply-adds each; smaller tiles need fewer. */
static const struct budget aat_budget[] = {
    {METRIC_FFMA, AT_MOST, 16 * 17 / 2 * 128 * 128 * 32, 4,
        "c is symmetric: compute the tiles on one side of the diagonal, and store each of them twice"},
    {METRIC_GST_REQUESTS, AT_MOST, 32768, 2,
        "store both tiles as float4: four sums of a row, and four sums of a column, are side by "
        "side in c"},
    {0},
};
static const struct step aat[] = {
    {.kernel = "aat",
        .problem = "aat",
        .dims = {2048, 32},
        .correct_points = 3,
        .speed_points = 2,
        .budgets = aat_budget,
        .rung = "half, mirrored"},
    {0},
};
static const struct prediction aat_predictions[] = {
    {"multiply_adds", 0, METRIC_FFMA, 1, "multiply-adds of all threads"},
    {0},
};

enum { N = 262144 };
enum { PASS, FUSED };
static const struct budget fused_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, N / 128, 3, "load four neighbours at once, and nothing else"},
    {METRIC_GST_REQUESTS, AT_MOST, N / 128, 2,
        "store four neighbours at once, after the last step"},
    {METRIC_FFMA, AT_MOST, 16 * N, 1,
        "the first of four neighbours is even: no element needs both rules"},
    {METRIC_WARP_BALANCE, AT_LEAST, 75, 0, "all warps do a part of the work"},
    {0},
};
static const struct step fuse[] = {
    {.kernel = "pass", .problem = "copy", .dims = {512, N / 512}},
    {.kernel = "fused",
        .problem = "parity",
        .dims = {N},
        .correct_points = 2,
        .speed_points = 1,
        .budgets = fused_budget},
    {0},
};
static const struct prediction fuse_predictions[] = {
    {"pass_loads", PASS, METRIC_GLD_REQUESTS, 1,
        "loads from global memory of pass, counted once per warp, in all warps"},
    {"fused_loads", FUSED, METRIC_GLD_REQUESTS, 1,
        "loads from global memory of fused, counted the same way"},
    {0},
};

/* 256 blocks of 8 warps, 64 k: five loads for 16 products, since four k of a row of a are one. */
enum { FULL, RESERVED, ONE_WARP, LARGE };
static const struct budget few_budget[] = {
    {METRIC_SLD_INST, AT_MOST, 256 * 8 * 64 * 8, 2,
        "let a float from shared memory serve several outputs of the thread"},
    {METRIC_GLD_REQUESTS, AT_MOST, 262144, 0, "a block fetches each tile of a and of b once"},
    {METRIC_OCCUPANCY, AT_MOST, 50, 2,
        "larger tiles and more sums leave room for fewer warps: spend it"},
    {0},
};
static const struct step occupancy[] = {
    {.kernel = "full", .problem = "matmul", .dims = {1024, 64, 1024}},
    {.kernel = "reserved", .problem = "matmul", .dims = {1024, 64, 1024}},
    {.kernel = "one_warp", .problem = "matmul", .dims = {1024, 64, 1024}},
    {.kernel = "large", .problem = "matmul", .dims = {1024, 64, 1024}},
    {.kernel = "few",
        .problem = "matmul",
        .dims = {1024, 64, 1024},
        .correct_points = 2,
        .speed_points = 2,
        .budgets = few_budget},
    {0},
};
static const struct prediction occupancy_predictions[] = {
    {"full_blocks", FULL, 0, 1, "blocks of full that fit on a multiprocessor", PREDICTED_BLOCKS},
    {"reserved_blocks", RESERVED, 0, 1, "blocks of reserved that fit", PREDICTED_BLOCKS},
    {"one_warp_blocks", ONE_WARP, 0, 1, "blocks of one_warp that fit", PREDICTED_BLOCKS},
    {"large_blocks", LARGE, 0, 1, "blocks of large that fit", PREDICTED_BLOCKS},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "matmul",
        .needs = FEATURE_SHARED_48K,
        .title = "C = A B, 8 and 8 x 8 outputs a thread",
        .steps = matmul,
        .predictions = matmul_predictions},
    {.name = "transpose",
        .needs = FEATURE_SHARED_48K,
        .title = "the transpose, 16 bytes an access on both sides",
        .steps = transpose,
        .predictions = transpose_predictions},
    {.name = "aat",
        .needs = FEATURE_SHARED_48K,
        .title = "C = A A^T, half of the tiles, each stored twice",
        .steps = aat,
        .predictions = aat_predictions},
    {.name = "fuse",
        .title = "16 steps in one pass over memory",
        .steps = fuse,
        .predictions = fuse_predictions},
    {.name = "occupancy",
        .needs = FEATURE_SHARED_48K,
        .title = "how many blocks fit, and a product that wants few of them",
        .steps = occupancy,
        .predictions = occupancy_predictions},
    {0},
};
const struct lab lab_07_registers = {"07-registers", "Work in registers", exercises};
