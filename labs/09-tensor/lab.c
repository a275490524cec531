/* 09-tensor: products of matrices by one instruction, TF32, and the accuracy of floats by three of
 * them. */
#include "exercise/exercise.h"

/* 32 x 64 tiles of 16 x 8 outputs, 8 steps of 8 along k: a warp each. */
static const struct budget fragment_budget[] = {
    {METRIC_HMMA, AT_LEAST, 16384, 3,
        "multiply by mma_tf32: 16 x 8 outputs and 8 products of each at once"},
    {METRIC_FFMA, AT_MOST, 0, 1, "leave all products to the tensor cores"},
    {0},
};
static const struct step fragment[] = {
    {.kernel = "fragment",
        .problem = "matmul_tf32",
        .dims = {512, 64, 512},
        .correct_points = 4,
        .budgets = fragment_budget},
    {0},
};
static const struct prediction fragment_predictions[] = {
    {"products", 0, METRIC_HMMA, 1, "mma_tf32 that all warps execute, counted once per warp"},
    {"load_sectors", 0, METRIC_GLD_SECTORS, 1,
        "sectors that the loads from global memory of all warps touch"},
    {"store_sectors", 0, METRIC_GST_SECTORS_PER_REQUEST, 1, "sectors that a store to c touches"},
    {0},
};

/* 256 blocks of 4 warps, 8 steps of 8 along k. In a step a warp needs 64 x 8 floats of a, 4 times 4
 * matrices of 8 x 4, and 8 x 64 floats of b, 2 for each of 8 products of matrices. */
static const struct budget tf32_budget[] = {
    {METRIC_HMMA, AT_LEAST, 262144, 3,
        "multiply by mma_tf32: 16 x 8 outputs and 8 products of each at once"},
    {METRIC_TENSOR_FLOP, AT_MOST, 262144.0 * 2 * 16 * 8 * 8, 0, "as many products as mma_tf32 has"},
    {METRIC_FFMA, AT_MOST, 0, 1, "leave all products to the tensor cores"},
    {METRIC_SLD_INST, AT_MOST, 196608, 2,
        "load a's fragments by ldmatrix, and use each fragment for a whole row or column of products"},
    {METRIC_SLD_WAVEFRONTS, AT_MOST, 262144, 2,
        "a warp has 64 x 64 outputs; swizzle a's tile and pad b's rows, so that no load of a "
        "fragment conflicts"},
    {METRIC_GLD_REQUESTS, AT_MOST, 32768, 1,
        "fetch the tiles 16 bytes at a time, and each of them once"},
    {0},
};
static const struct step matmul_tf32[] = {
    {.kernel = "matmul_tf32",
        .problem = "matmul_tf32",
        .dims = {2048, 64, 2048},
        .correct_points = 2,
        .speed_points = 2,
        .budgets = tf32_budget,
        .rung = "TF32",
        .no_gain =
            "a small product has fewer blocks than the GPU has multiprocessors; the tensor cores "
            "pay off with size"},
    {0},
};
static const struct prediction tf32_predictions[] = {
    {"products", 0, METRIC_HMMA, 1, "mma_tf32 that all warps execute, counted once per warp"},
    {"matrix_loads", 0, METRIC_LDSM_INST, 1,
        "ldmatrix that all warps execute, counted once per warp"},
    {"wavefronts", 0, METRIC_SLD_WAVEFRONTS, 1,
        "wavefronts of all loads from shared memory, ldmatrix among them"},
    {0},
};

/* The same tiles, three products each. An addition outside for each sum of at most 32 products. */
static const struct budget three_budget[] = {
    {METRIC_HMMA, AT_LEAST, 786432, 3, "three products: big big, big small and small big"},
    {METRIC_HMMA, AT_MOST, 786432, 1,
        "small small is less than the rounding of a float: leave it out"},
    {METRIC_FFMA, AT_MOST, 0, 1, "leave all products to the tensor cores"},
    {METRIC_FADD, AT_LEAST, 16777216, 3,
        "a tensor core cuts its sums off: let it add the products of 8 to 32 k, then "
        "add that to your own sum"},
    {METRIC_SLD_WAVEFRONTS, AT_MOST, 262144, 1, "split in registers: load each fragment once",
        .degree = 1},
    {0},
};
static const struct step matmul_3xtf32[] = {
    {.kernel = "matmul_3xtf32",
        .problem = "matmul",
        .dims = {2048, 64, 2048},
        .correct_points = 3,
        .speed_points = 2,
        .budgets = three_budget,
        .rung = "3 x TF32",
        .no_gain = "three products take the place of one, for the accuracy of floats"},
    {0},
};
static const struct prediction three_predictions[] = {
    {"products", 0, METRIC_HMMA, 1, "mma_tf32 that all warps execute, counted once per warp"},
    {0},
};

/* As TF32's, but 4 steps of 16 along k: half of the products and of the loads. */
static const struct budget half_budget[] = {
    {METRIC_HMMA, AT_LEAST, 131072, 1,
        "multiply by mma_half: 16 x 8 outputs and 16 products of each"},
    {METRIC_HMMA, AT_MOST, 131072, 1, "16 k at once: half as many instructions as with TF32"},
    {METRIC_FFMA, AT_MOST, 0, 1, "leave all products to the tensor cores"},
    {METRIC_SHARED_BLOCK, AT_MOST, 20480, 1,
        "round before shared memory, two halves a word, and pad rows by no more words than remove "
        "the conflicts"},
    {METRIC_SLD_WAVEFRONTS, AT_MOST, 131072, 2,
        "fragments of two halves a word, ldmatrix for a's, and padding so that no load conflicts"},
    {0},
};
static const struct step matmul_half[] = {
    {.kernel = "matmul_half",
        .problem = "matmul_half",
        .dims = {2048, 64, 2048},
        .correct_points = 2,
        .speed_points = 1,
        .budgets = half_budget,
        .rung = "half",
        .no_gain =
            "at this size the L2 is the limit: a and b are as many floats in memory, and only the "
            "products take half as long"},
    {0},
};
static const struct prediction half_predictions[] = {
    {"products", 0, METRIC_HMMA, 1, "mma_half that all warps execute, counted once per warp"},
    {"matrix_loads", 0, METRIC_LDSM_INST, 1,
        "ldmatrix that all warps execute, counted once per warp"},
    {"tile_bytes", 0, METRIC_SHARED_BLOCK, 1, "bytes of both tiles of a block"},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "fragment",
        .needs = FEATURE_TENSORS,
        .title = "who holds what: a product of matrices by one warp",
        .steps = fragment,
        .predictions = fragment_predictions},
    {.name = "matmul_tf32",
        .needs = FEATURE_TENSORS,
        .title = "C = A B by tensor cores, factors rounded to TF32",
        .steps = matmul_tf32,
        .predictions = tf32_predictions},
    {.name = "matmul_half",
        .needs = FEATURE_TENSORS,
        .title = "C = A B by tensor cores, factors rounded to half precision",
        .steps = matmul_half,
        .predictions = half_predictions},
    {.name = "matmul_3xtf32",
        .needs = FEATURE_TENSORS,
        .title = "C = A B by tensor cores, as accurate as floats",
        .steps = matmul_3xtf32,
        .predictions = three_predictions},
    {0},
};
const struct lab lab_09_tensor = {"09-tensor", "Tensor cores", exercises};
