/* tiles.c - the kernels of solutions/measured/tiles.cu, in the order of the file. Their sizes are those of the ladder command. */
#include "lab/bare.h"

#define STEP(name) {.kernel = name, .problem = "matmul", .rung = name}
static const struct step steps[] = {
    STEP("tiles_4_of_16x16"),     STEP("tiles_8_of_16x16"),     STEP("tiles_16_of_16x16"),     STEP("tiles_32_of_16x16"),
    STEP("tiles_16_of_8x8"),      STEP("tiles_16_of_32x8"),     STEP("tiles_8_of_32x8"),       STEP("tiles_4_of_64x8"),
    STEP("tiles_8_of_64x4"),      STEP("tiles_16_of_64x4"),     STEP("tiles_32_of_8x8"),       STEP("coalesced_8_of_16x16"),
    STEP("coalesced_16_of_32x8"), STEP("coalesced_32_of_16x16"), {0},
};
static const struct exercise exercises[] = {{.name = "tiles", .kind = EXERCISE_CUDA, .steps = steps}, {0}};
const struct lab tiles_lab = {.name = "measured", .exercises = exercises};
