/* 04-shared: a block fetches once what its threads share, and reorders in shared memory what global
 * memory needs in another order. */
#include "exercise/exercise.h"

/* 1024 x 1024 outputs are 32768 warps. With 32 x 32 tiles a warp loads once from a and once from b
 * for each of 4 tiles of k: 2 x 4 x 32768 requests, a 32nd of those of lab 02. */
static const struct budget matmul_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, 262144, 2,
        "fetch a 32 x 32 tile of a and of b, one float per thread: in shared memory each float "
        "serves 32 "
        "threads",
        .degree = 1},
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1,
        "while a tile is fetched, x must run along the rows of a and of b"},
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 1, "x must run along the rows of c"},
    {0},
};
static const struct step matmul[] = {
    {.kernel = "matmul",
        .problem = "matmul",
        .dims = {1024, 128, 1024},
        .correct_points = 4,
        .speed_points = 2,
        .budgets = matmul_budget,
        .rung = "shared tiles"},
    {0},
};

/* A warp loads its row of a once, 32768 requests, and a row of b in each of 32 steps, 32 x
 * 32768. */
static const struct budget tile_a_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, 1081344, 3,
        "in the loop, only b may come from global memory: fetch the row of a before the loop, one "
        "float per "
        "thread"},
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 1, "x must run along the rows of c"},
    {0},
};
static const struct step tile_a[] = {
    {.kernel = "tile_a",
        .problem = "matmul",
        .dims = {1024, 32, 1024},
        .most = {0, 32, 0},
        .correct_points = 4,
        .speed_points = 2,
        .budgets = tile_a_budget},
    {0},
};

static const struct budget transpose_budget[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 2,
        "x must run along the rows of in while the tile is loaded"},
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 2,
        "x must run along the rows of out while the tile is stored"},
    {0},
};
static const struct step transpose[] = {
    {.kernel = "transpose",
        .problem = "transpose",
        .dims = {2048, 2048},
        .correct_points = 4,
        .speed_points = 2,
        .budgets = transpose_budget,
        .rung = "shared"},
    {0},
};

/* Two tiles per block, each with one request per warp. */
static const struct budget aat_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, 65536, 2,
        "fetch both tiles before the loop over them, one float of each per thread", .degree = 1},
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 2,
        "load the second factor along the rows of a too, and transpose it while it is "
        "stored to shared memory"},
    {0},
};
static const struct step aat[] = {
    {.kernel = "aat",
        .problem = "aat",
        .dims = {1024, 32},
        .correct_points = 4,
        .speed_points = 2,
        .budgets = aat_budget,
        .rung = "shared, conflicts"},
    {0},
};

/* Given kernels at fault. Three rounds over k; then two, in 4 blocks of 32 x 32. */
static const struct step detective_1[] = {
    {.kernel = "matmul", .problem = "matmul", .dims = {64, 96, 64}, .suspect = 1},
    {0},
};
static const struct prediction detective_1_predictions[] = {
    {"write_line", 0, 0, 1, "the line that writes what another thread still reads", PREDICTED_LINE},
    {"read_line", 0, 0, 1, "the line that reads it", PREDICTED_OTHER_LINE},
    {0},
};
static const struct step detective_2[] = {
    {.kernel = "matmul", .problem = "matmul", .dims = {64, 64, 64}, .suspect = 1},
    {0},
};
static const struct prediction detective_2_predictions[] = {
    {"slow_line", 0, METRIC_GLD_SECTORS, 1,
        "the line whose loads touch most sectors of global memory", PREDICTED_LINE},
    {"load_sectors", 0, METRIC_GLD_SECTORS, 1, "sectors that all loads of the launch touch"},
    {"sectors_per_request", 0, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches, in the mean"},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "matmul", .title = "C = A B through shared tiles of A and B", .steps = matmul},
    {.name = "tile_a",
        .title = "C = A B with a narrow A: a shared tile of A alone",
        .steps = tile_a},
    {.name = "transpose", .title = "the transpose through a shared tile", .steps = transpose},
    {.name = "aat", .title = "C = A A^T, coalesced through shared memory", .steps = aat},
    {.name = "detective_1",
        .title = "a C = A B that races: which two lines meet?",
        .steps = detective_1,
        .predictions = detective_1_predictions},
    {.name = "detective_2",
        .title = "a C = A B that is right and slow: which line, and how much?",
        .steps = detective_2,
        .predictions = detective_2_predictions},
    {0},
};
const struct lab lab_04_shared = {"04-shared", "Shared memory: fetch once, use often", exercises};
