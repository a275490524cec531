/* 01-naive: a thread an output, and nothing else thought of. */
#include "lab/lab.h"

static const struct budget matmul_budget[] = {
    {METRIC_GST_REQUESTS, AT_MOST, 32768, 2, "each output is stored once, after the loop: keep the sum in a register"},
    {0},
};
static const struct step matmul[] = {
    {.kernel = "matmul", .problem = "matmul", .dims = {1024, 1024, 1024}, .x_owns_rows = 1,
     .correct_points = 6, .speed_points = 2, .budgets = matmul_budget, .rung = "naive"},
    {0},
};
static const struct exercise exercises[] = {
    {.name = "matmul", .title = "C = A B, a thread an output, x owns the row", .steps = matmul},
    {0},
};
const struct lab lab_01_naive = {"01-naive", "A thread an output", exercises};
