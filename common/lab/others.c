/* others.c - the sizes at which the kernels of solutions/measured/others.cu are run. Each takes a matrix and fills another. */
#include "lab/bare.h"

#define STEP(name, rows, cols) {.kernel = name, .problem = "copy", .dims = {rows, cols}}
static const struct step steps[] = {
    STEP("filter", 512, 2048),
    STEP("stencil", 2048, 2048),
    STEP("all_pairs", 8, 2048),
    STEP("register_tile", 4096, 256),
    STEP("row_sums", 4096, 1024),
    STEP("gather", 512, 2048),
    STEP("scatter", 512, 2048),
    STEP("fields", 256, 4096),
    STEP("moments", 1024, 4096),
    STEP("distances", 512, 512),
    STEP("zip", 512, 2048),
    STEP("turned", 1024, 1024),
    STEP("interleave", 512, 2048),
    STEP("scan", 128, 8192),
    STEP("enlarge", 1024, 2048),
    STEP("density", 64, 2048),
    {0},
};
static const struct exercise exercises[] = {{.name = "others", .kind = EXERCISE_CUDA, .steps = steps}, {0}};
const struct lab others_lab = {.name = "measured", .exercises = exercises};
