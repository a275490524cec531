/* 10-hopper: what compute capability 9.0 adds: products by four warps, and warps with roles. */
#include "exercise/exercise.h"

/* 2 x 4 blocks, 16 slabs of 32 along k; in each, 3 products of 4 steps of 8 along k, by 8 warps. */
enum { SLABS = 8 * 16, PRODUCTS = SLABS * 3 * 4 * 8 };
static const struct budget wgmma_budget[] = {
    {METRIC_GMMA, AT_LEAST, PRODUCTS / 2, 5,
     "multiply by wgmma: three products of TF32 for each product of floats"},
    {METRIC_GMMA, AT_MOST, PRODUCTS, 1, "multiply by the big part of b while it is there: 12 products a slab"},
    {METRIC_LDGSTS_INST, AT_LEAST, SLABS * 4 * 16, 1, "four warps copy, 16 bytes at a time, and do not wait"},
    {METRIC_SLD_WAVEFRONTS, AT_MOST, SLABS * (128 + 128) + 16384, 2,
     "the tensor cores read b: a thread loads a slab of a once, and b once to split it"},
    {METRIC_SST_CONFLICTS, AT_MOST, 0, 1, "store the parts of b where the swizzle of 128 bytes has them"},
    {0},
};
static const struct step matmul_wgmma[] = {
    {.kernel = "matmul_wgmma", .problem = "matmul", .dims = {256, 512, 512},
     .correct_points = 4, .speed_points = 2, .budgets = wgmma_budget, .rung = "3 x TF32 by wgmma"},
    {0},
};
static const struct prediction matmul_wgmma_predictions[] = {
    {"products", 0, METRIC_GMMA, 1, "products by wgmma, counted once per warp, in all warps"},
    {"copies", 0, METRIC_LDGSTS_INST, 1, "asynchronous copies, counted once per warp, in all warps"},
    {"flop", 0, METRIC_TENSOR_FLOP, 1, "operations of the tensor cores; a multiply-add is two"},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "matmul_wgmma", .title = "C = A B by warpgroups, three products of TF32", .steps = matmul_wgmma,
     .predictions = matmul_wgmma_predictions},
    {0},
};
const struct lab lab_10_hopper = {"10-hopper", "Roles for warps", exercises};
