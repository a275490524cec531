/* 03-tiled: tiles make a CPU faster. With one thread per tile, they make a GPU slower. */
#include "exercise/exercise.h"

/* b has 512 x 1024 floats, which are 32768 lines of 64 bytes and 8 times the counted cache. Without
 * tiles each of the 64 rows of a brings all of b into the cache again. Tiles of 8 rows do so 8
 * times. */
static const struct budget cpu_budget[] = {
    {METRIC_HOST_LINES, AT_MOST, 10 * 32768, 2,
        "use a tile of b for several rows of a while it is in the cache, before the next one "
        "replaces it"},
    {0},
};
static const struct step matmul_cpu[] = {
    {.kernel = "matmul_cpu_naive",
        .problem = "matmul",
        .dims = {64, 512, 1024},
        .rung = "CPU, naive"},
    {.kernel = "matmul_cpu",
        .problem = "matmul",
        .dims = {64, 512, 1024},
        .correct_points = 5,
        .speed_points = 3,
        .budgets = cpu_budget,
        .rung = "CPU, tiled"},
    {0},
};

/* Each output is stored once to clear it and once per tile of k: with tiles of 16 at k = 128, 9 times
 * the stores of 512 x 512 / 32 = 8192 warps; with tiles of 8, 17 times; with two tiles, twice or
 * three times. A kernel without tiles of k stores it once. */
#define TILE_A_THREAD \
    { \
        METRIC_THREADS, AT_MOST, 512 * 512 / (8 * 8), 0, \
            "a thread computes a tile, of 8 x 8 outputs at least" \
    }
static const struct budget tile_budget[] = {
    {METRIC_GST_REQUESTS, AT_MOST, 17 * 8192, 2,
        "add up a tile of k in a register, and store c once per tile, not once per product"},
    {METRIC_GST_REQUESTS, AT_LEAST, 2 * 8192, 1,
        "cut k into tiles too: 16 x 16 sums do not fit into registers, so c keeps them from tile "
        "to tile"},
    TILE_A_THREAD,
    {0},
};
static const struct step matmul[] = {
    {.kernel = "matmul",
        .problem = "matmul",
        .dims = {512, 128, 512},
        .correct_points = 5,
        .speed_points = 2,
        .budgets = tile_budget,
        .rung = "tiled",
        .no_gain =
            "each thread computes 256 outputs, so too few threads are there to hide the latency; "
            "what helps a CPU's caches needs shared memory on a GPU, lab 04"},
    {0},
};

static const struct budget coalesced_budget[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 3, 2,
        "neighbouring threads must read neighbouring columns of b"},
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 1,
        "neighbouring threads must write neighbouring columns of c"},
    {METRIC_GST_REQUESTS, AT_MOST, 17 * 8192, 1, "store c once per tile of k"},
    {METRIC_GST_REQUESTS, AT_LEAST, 2 * 8192, 1,
        "keep the tiles: c holds the sums from tile of k to tile"},
    TILE_A_THREAD,
    {0},
};
static const struct step matmul_coalesced[] = {
    {.kernel = "matmul",
        .problem = "matmul",
        .dims = {512, 128, 512},
        .correct_points = 3,
        .speed_points = 2,
        .budgets = coalesced_budget,
        .rung = "tiled, coalesced"},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "matmul_cpu",
        .kind = EXERCISE_HOST,
        .title = "C = A B on the CPU, tile by tile",
        .steps = matmul_cpu},
    {.name = "matmul", .title = "C = A B, one thread per tile", .steps = matmul},
    {.name = "matmul_coalesced",
        .title = "C = A B, one thread per tile, interleaved columns",
        .steps = matmul_coalesced},
    {0},
};
const struct lab lab_03_tiled = {"03-tiled", "One thread per tile", exercises};
