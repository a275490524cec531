/* tuning.c - the kernels of tests/hardware/tuning, by which rules of the modelled time were chosen.
 *
 * They are written in the manner of courses. Unlike the kernels of courses.c, none is set aside. */
#include "hardware/hardware.h"

/* Each kernel has one input and one output of rows x cols floats, so it is described as a copy. */
#define STEP(name, rows, cols) \
    { \
        .kernel = name, .problem = "copy", .dims = { rows, cols } \
    }
static const struct step sums[] = {STEP("x_halves", 2048, 2048), STEP("x_modulo", 2048, 2048),
    STEP("x_warps", 4096, 4096), STEP("x_farthest", 2048, 2048), STEP("x_prefix", 1024, 2048),
    STEP("x_online", 4096, 1024), STEP("x_layer", 4096, 1024), STEP("x_rowsum", 16384, 512),
    STEP("x_dot_double", 2048, 2048), {0}};
static const struct step counts[] = {STEP("x_count", 1024, 1024), STEP("x_total", 2048, 2048),
    STEP("x_keep_shared", 2048, 2048), STEP("x_keep_ballot", 1024, 2048),
    STEP("x_keep_scan", 2048, 2048), STEP("x_bins_warp", 2048, 2048), STEP("x_edges", 1024, 1024),
    {0}};
static const struct step grids[] = {STEP("x_sobel", 2048, 2048), STEP("x_volume27", 8192, 256),
    STEP("x_volume7", 8192, 256), STEP("x_march", 8192, 256), STEP("x_march_shared", 4096, 512),
    STEP("x_column", 2048, 2048), STEP("x_fir", 1024, 2048), STEP("x_box", 1024, 2048),
    STEP("x_max9", 2048, 2048), STEP("x_median5", 1024, 2048), STEP("x_enlarge", 2048, 2048), {0}};
static const struct step products[] = {STEP("x_tile16", 512, 512), STEP("x_tile32", 1024, 1024),
    STEP("x_tile_4x4", 1024, 1024), STEP("x_tile_8x4", 1024, 1024),
    STEP("x_tile_double4", 512, 512), STEP("x_col_sums", 4096, 2048),
    STEP("x_vec_block", 4096, 2048), STEP("x_vec_row4", 8192, 1024), STEP("x_bodies", 16, 2048),
    STEP("x_pairs", 8, 2048), STEP("x_minplus", 512, 512), STEP("x_ell", 2048, 2048), {0}};
static const struct step mixed[] = {STEP("x_odd_even", 1024, 1024), STEP("x_ranks", 256, 1024),
    STEP("x_bitonic_warp", 1024, 2048), STEP("x_distance_bits", 256, 1024),
    STEP("x_life", 1024, 2048), STEP("x_random", 512, 1024), STEP("x_options", 1024, 2048),
    STEP("x_table", 1024, 2048), STEP("x_both_ways", 2048, 2048), STEP("x_complex", 1024, 2048),
    STEP("x_neighbours", 1024, 2048), {0}};
static const struct exercise exercises[] = {{.name = "sums", .kind = EXERCISE_CUDA, .steps = sums},
    {.name = "counts", .kind = EXERCISE_CUDA, .steps = counts},
    {.name = "grids", .kind = EXERCISE_CUDA, .steps = grids},
    {.name = "products", .kind = EXERCISE_CUDA, .steps = products},
    {.name = "mixed", .kind = EXERCISE_CUDA, .steps = mixed}, {0}};
const struct lab tuning_lab = {.name = "tuning", .exercises = exercises};
