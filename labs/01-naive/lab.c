/* 01-naive: one thread per output, and no optimisation. */
#include "exercise/exercise.h"

static const struct budget add_budget[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1,
        "neighbouring threads must read neighbouring floats"},
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 1,
        "neighbouring threads must write neighbouring floats"},
    {METRIC_WARP_BALANCE, AT_LEAST, 75, 0, "each thread adds a pair of its own: no warp is idle"},
    {METRIC_GST_REQUESTS, AT_MOST, (1 << 20) / 32, 0,
        "each thread of a warp stores a sum of its own"},
    {0},
};
static const struct step add[] = {
    {.kernel = "add",
        .problem = "add",
        .dims = {1 << 20},
        .correct_points = 2,
        .budgets = add_budget},
    {0},
};

static const struct budget copy_budget[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 2,
        "threads with neighbouring x must read neighbouring floats"},
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 2,
        "threads with neighbouring x must write neighbouring floats"},
    {METRIC_WARP_BALANCE, AT_LEAST, 75, 0,
        "each thread copies a float of its own: no warp is idle"},
    {METRIC_GST_REQUESTS, AT_MOST, 2048 * 2048 / 32, 0,
        "each thread of a warp stores a float of its own"},
    {0},
};
static const struct step copy[] = {
    {.kernel = "copy",
        .problem = "copy",
        .dims = {2048, 2048},
        .correct_points = 4,
        .speed_points = 2,
        .budgets = copy_budget,
        .rung = "copy row (upper bound)"},
    {0},
};

/* A store for each warp of outputs: 1024 x 512 are 16384 warps, 1024 x 1024 are 32768. */
#define STORED_ONCE(warps, products) \
    { \
        {METRIC_GST_REQUESTS, AT_MOST, warps, 1, \
            "store each output once, after the loop, and keep the sum in a register"}, \
            {METRIC_WARP_EFFICIENCY, AT_LEAST, 16, 1, \
                "each thread computes an output of its own: no lane waits for another's"}, \
            {METRIC_FFMA, AT_MOST, products, 0, "compute each product once"}, \
            {METRIC_SHUFFLE_THREADS, AT_MOST, 0, 0, "no lane computes for another"}, {0}, \
    }
static const struct budget matmul_budget[] = STORED_ONCE(16384, 1024 * 128 * 512),
                           aat_budget[] = STORED_ONCE(32768, 1024 * 32 * 1024);
static const struct step matmul[] = {
    {.kernel = "matmul",
        .problem = "matmul",
        .dims = {1024, 128, 512},
        .x_owns_rows = 1,
        .correct_points = 6,
        .speed_points = 2,
        .budgets = matmul_budget,
        .rung = "naive"},
    {0},
};

static const struct budget transpose_budget[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 2, "read along the rows of in: x is the column"},
    {0},
};
static const struct step transpose[] = {
    {.kernel = "transpose",
        .problem = "transpose",
        .dims = {2048, 2048},
        .correct_points = 6,
        .speed_points = 2,
        .budgets = transpose_budget,
        .rung = "naive row"},
    {0},
};

static const struct step aat[] = {
    {.kernel = "aat",
        .problem = "aat",
        .dims = {1024, 32},
        .correct_points = 6,
        .speed_points = 2,
        .budgets = aat_budget,
        .rung = "naive"},
    {0},
};

/* Given kernels at fault. 40 rows end in the third row of blocks of 16; 100 rows need seven. */
static const struct step detective_1[] = {
    {.kernel = "transpose", .problem = "transpose", .dims = {40, 100}, .suspect = 1},
    {0},
};
static const struct prediction detective_1_predictions[] = {
    {"fault_line", 0, 0, 1, "the line of the file that accesses memory out of bounds first",
        PREDICTED_LINE},
    {"fault_block_y", 0, 0, 1, "blockIdx.y of the block that does it first", PREDICTED_BLOCK_Y},
    {"fault_thread_y", 0, 0, 1, "threadIdx.y of the thread that does it first", PREDICTED_THREAD_Y},
    {"fault_index", 0, 0, 1, "the index of the element that it accesses", PREDICTED_INDEX},
    {0},
};
static const struct step detective_2[] = {
    {.kernel = "aat", .problem = "aat", .dims = {100, 20}, .suspect = 1},
    {0},
};
static const struct prediction detective_2_predictions[] = {
    {"first_wrong_row", 0, 0, 1, "the first row of C that has a wrong element", PREDICTED_ROW},
    {"wrong_elements", 0, 0, 1, "how many elements of C are wrong", PREDICTED_WRONG},
    {"store_requests", 0, METRIC_GST_REQUESTS, 1, "how often a warp executes the store of C"},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "add", .title = "out = a + b: your first kernel, two lines", .steps = add},
    {.name = "copy", .title = "out = in by rows: the upper bound of a transpose", .steps = copy},
    {.name = "matmul", .title = "C = A B, one thread per output, x is the row", .steps = matmul},
    {.name = "transpose", .title = "out = in^T, loads along rows", .steps = transpose},
    {.name = "aat", .title = "C = A A^T, one thread per output", .steps = aat},
    {.name = "detective_1",
        .title = "a transpose that faults: where, and by whom?",
        .steps = detective_1,
        .predictions = detective_1_predictions},
    {.name = "detective_2",
        .title = "a C = A A^T that is wrong in silence: where, and how much?",
        .steps = detective_2,
        .predictions = detective_2_predictions},
    {0},
};
const struct lab lab_01_naive = {"01-naive", "One thread per output", exercises};
