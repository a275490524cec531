/* 08-pipelined: copies that go on while the thread computes, and work for every multiprocessor. */
#include "exercise/exercise.h"

enum { SIDE = 1024 };
enum { SWIZZLE, COLUMN, FOURS };
/* 1024 tiles, 8 warps each: one barrier, and one more where a block has several tiles. */
#define WHOLE_TILE \
    { \
        METRIC_BARRIER, AT_MOST, SIDE *SIDE / 1024 * 8 * 2, 0, \
            "turn a tile of 32 x 32 at once: one barrier between its stores and its loads" \
    }
static const struct budget swizzle_budget[] = {
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 1,
        "a column has to be in 32 banks: move each row's floats by its number"},
    {METRIC_SST_CONFLICTS, AT_MOST, 0, 1,
        "a row has to be in 32 banks too: exclusive or keeps them apart"},
    {METRIC_SHARED_BLOCK, AT_MOST, 32 * 32 * 4, 2, "no padding: 32 x 32 floats and no word more"},
    WHOLE_TILE,
    {0},
};
static const struct budget fours_budget[] = {
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 2,
        "8 lanes load at once, from 8 rows: `place` has to send them to 8 places"},
    {METRIC_LDGSTS_INST, AT_LEAST, SIDE *SIDE / 128, 1,
        "copy the tile asynchronously, 16 bytes a thread"},
    {METRIC_SHARED_BLOCK, AT_MOST, 32 * 32 * 4, 1, "no padding: 32 x 32 floats and no word more"},
    WHOLE_TILE,
    {0},
};
static const struct step swizzle[] = {
    {.kernel = "swizzle",
        .problem = "transpose",
        .dims = {SIDE, SIDE},
        .correct_points = 1,
        .budgets = swizzle_budget},
    {.kernel = "column_of_four", .problem = "transpose", .dims = {SIDE, SIDE}},
    {.kernel = "swizzle_four",
        .problem = "transpose",
        .dims = {SIDE, SIDE},
        .correct_points = 1,
        .budgets = fours_budget},
    {0},
};
static const struct prediction swizzle_predictions[] = {
    {"column_wavefronts", COLUMN, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a 16-byte load takes if its 32 lanes go down a column of the tile"},
    {"four_wavefronts", FOURS, METRIC_SLD_PER_REQUEST, 1, "the same once the tile is swizzled"},
    {0},
};

/* A block a multiprocessor of an H200, and 128 pieces of 16 bytes a thread. */
enum { BLOCKS = 132, THREADS = 128, EACH = 128, N = BLOCKS * THREADS * EACH * 4 };
enum { ONE, FOUR, STREAM };
static const struct budget stream_budget[] = {
    {METRIC_LDGSTS_INST, AT_LEAST, N / 128, 2, "copy asynchronously, 16 bytes a thread"},
    {METRIC_GLD_REQUESTS, AT_MOST, N / 128, 1, "copy each piece once"},
    {METRIC_SHARED_BLOCK, AT_LEAST, 8 * THREADS * 16, 1,
        "keep 8 pieces a thread on their way, each in its place"},
    {0},
};
static const struct step stream[] = {
    {.kernel = "one", .problem = "copy_all", .dims = {N}},
    {.kernel = "four", .problem = "copy_all", .dims = {N}},
    {.kernel = "stream",
        .problem = "copy_all",
        .dims = {N},
        .correct_points = 1,
        .speed_points = 3,
        .budgets = stream_budget},
    {0},
};
static const struct prediction stream_predictions[] = {
    {"copies", STREAM, METRIC_LDGSTS_INST, 1,
        "asynchronous copies of stream, counted once per warp, in all warps"},
    {"ring_bytes", STREAM, METRIC_SHARED_BLOCK, 1, "bytes that a block of stream has on their way"},
    {0},
};

/* 64 blocks of 8 warps; 16 steps of 16 along k. Loads from shared memory: for each k, and once more
 * behind the last step. */
static const struct budget matmul_budget[] = {
    {METRIC_LDGSTS_INST, AT_LEAST, 16384, 3,
        "copy the tiles of b asynchronously, 16 bytes a thread"},
    {METRIC_GLD_REQUESTS, AT_MOST, 32768, 1, "fetch the tiles 16 bytes at a time, each once"},
    {METRIC_BARRIER, AT_MOST, 10240, 1, "with two stages one barrier a step is enough"},
    {METRIC_LDGSTS_HIDDEN, AT_LEAST, 600, 1,
        "ask for the next tiles before the products of these, so that the copies have time"},
    {METRIC_FFMA, AT_MOST, 1024 * 256 * 1024, 0, "compute each product once"},
    {METRIC_SLD_INST, AT_MOST, 526336, 1,
        "64 outputs of a thread need 16 floats of each k: four 16-byte loads"},
    {METRIC_FFMA_SHARE, AT_LEAST, 65, 1,
        "keep all 64 sums in registers: every index must be a constant"},
    {0},
};
static const struct step matmul[] = {
    {.kernel = "matmul",
        .problem = "matmul",
        .dims = {1024, 256, 1024},
        .correct_points = 2,
        .speed_points = 2,
        .budgets = matmul_budget,
        .rung = "double buffered",
        .no_gain = "a short k has few steps whose copies could overlap with the products"},
    {0},
};
static const struct prediction matmul_predictions[] = {
    {"copies", 0, METRIC_LDGSTS_INST, 1,
        "asynchronous copies, counted once per warp, in all warps"},
    {"barriers", 0, METRIC_BARRIER, 1,
        "barriers, one before the first step and one in each, counted the same way"},
    {0},
};

/* 128 blocks of 8 warps; each half of a block has 8 steps of 16, and loads once more behind the
 * last. */
static const struct budget split_budget[] = {
    {METRIC_LDGSTS_INST, AT_LEAST, 49152, 2,
        "copy the tiles of a and of b asynchronously, 16 bytes a thread"},
    {METRIC_GLD_REQUESTS, AT_MOST, 49152, 1,
        "tiles of 64 x 128 outputs, each float fetched once for a block"},
    {METRIC_OCCUPANCY, AT_LEAST, 12.5, 1,
        "8 warps on each multiprocessor: two halves of a block share a tile"},
    {METRIC_LDGSTS_HIDDEN, AT_LEAST, 1000, 1,
        "with three stages a copy has the products of two steps as its time"},
    {METRIC_FFMA, AT_MOST, 1024 * 256 * 1024, 0, "compute each product once"},
    {METRIC_WARP_BALANCE, AT_LEAST, 75, 0,
        "each half of the block adds the products of its half of k"},
    {METRIC_SLD_INST, AT_MOST, 542720, 1,
        "8 x 8 outputs a thread; four k of a row of a come as one load"},
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 2, "swizzle the tile of a"},
    {0},
};
static const struct step split[] = {
    {.kernel = "matmul_split",
        .problem = "matmul",
        .dims = {1024, 256, 1024},
        .correct_points = 2,
        .speed_points = 2,
        .budgets = split_budget,
        .rung = "k split in a block",
        .no_gain =
            "where there are enough blocks without it, the two halves of k only move more bytes: a "
            "tile has 64 rows, not 128"},
    {0},
};
static const struct prediction split_predictions[] = {
    {"copies", 0, METRIC_LDGSTS_INST, 1,
        "asynchronous copies, counted once per warp, in all warps"},
    {"meetings", 0, METRIC_SST_INST, 1, "stores to shared memory, counted the same way"},
    {0},
};

/* Given kernels at fault: four rounds over k; 4 blocks of 32 x 32. */
static const struct step detective_1[] = {
    {.kernel = "matmul", .problem = "matmul", .dims = {64, 128, 64}, .suspect = 1},
    {0},
};
static const struct prediction detective_1_predictions[] = {
    {"read_line", 0, 0, 1, "the line that reads what is not there yet", PREDICTED_LINE},
    {"copy_line", 0, 0, 1, "the line that copies what is read too early", PREDICTED_OTHER_LINE},
    {0},
};
static const struct step detective_2[] = {
    {.kernel = "transpose", .problem = "transpose", .dims = {64, 64}, .suspect = 1},
    {0},
};
static const struct prediction detective_2_predictions[] = {
    {"slow_line", 0, METRIC_SLD_CONFLICTS, 1, "the line with the bank conflicts", PREDICTED_LINE},
    {"load_passes", 0, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load from shared memory takes"},
    {"load_conflicts", 0, METRIC_SLD_CONFLICTS, 1, "bank conflicts of all loads of the launch"},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "swizzle",
        .needs = FEATURE_ASYNC,
        .title = "exclusive or in place of padding",
        .steps = swizzle,
        .predictions = swizzle_predictions},
    {.name = "stream",
        .needs = FEATURE_ASYNC,
        .title = "loads on their way: Little's law",
        .steps = stream,
        .predictions = stream_predictions},
    {.name = "matmul",
        .needs = FEATURE_ASYNC,
        .title = "C = A B, double buffered",
        .steps = matmul,
        .predictions = matmul_predictions},
    {.name = "matmul_split",
        .needs = FEATURE_ASYNC,
        .title = "a small C = A B, k split in the block",
        .steps = split,
        .predictions = split_predictions},
    {.name = "detective_1",
        .needs = FEATURE_ASYNC,
        .title = "a C = A B that reads before its copy is there: which lines?",
        .steps = detective_1,
        .predictions = detective_1_predictions},
    {.name = "detective_2",
        .needs = FEATURE_ASYNC,
        .title = "a swizzled transpose with conflicts: which line, and how many?",
        .steps = detective_2,
        .predictions = detective_2_predictions},
    {0},
};
const struct lab lab_08_pipelined = {"08-pipelined", "Overlap copies and arithmetic", exercises};
