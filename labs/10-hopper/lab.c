/* 10-hopper: what compute capability 9.0 adds: a copy engine, whose bytes barriers in shared memory
 * count; products by four warps, and warps with roles. */
#include "exercise/exercise.h"

enum { SIDE = 2048, FLOATS = SIDE * SIDE };

static const struct budget copy_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, 0, 2, "the copy engine brings the tiles: no thread loads"},
    {METRIC_GST_REQUESTS, AT_MOST, 0, 2, "the copy engine takes the tiles away: no thread stores"},
    {METRIC_BULK_LD_BYTES, AT_LEAST, 4.0 * FLOATS, 2, "copy whole tiles by tma_load"},
    {METRIC_BULK_LD_INST, AT_MOST, FLOATS / 2048, 1,
        "a tile is one copy: let one thread ask for it"},
    {METRIC_BULK_LD_AHEAD, AT_LEAST, 2, 1,
        "keep the next tiles on their way while a warp waits for one: a ring of four stages"},
    {0},
};
static const struct step copy_tma[] = {
    {.kernel = "copy_tma",
        .problem = "copy",
        .dims = {SIDE, SIDE},
        .correct_points = 2,
        .speed_points = 2,
        .budgets = copy_budget},
    {0},
};
static const struct prediction copy_predictions[] = {
    {"copies", 0, METRIC_BULK_LD_INST, 1, "copies from global to shared memory, in all blocks"},
    {"loads", 0, METRIC_GLD_REQUESTS, 1,
        "load instructions from global memory, counted once per warp"},
    {0},
};

static const struct budget transpose_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, 0, 2, "the copy engine brings the boxes: no thread loads"},
    {METRIC_GST_REQUESTS, AT_MOST, 0, 2, "the copy engine takes the boxes away: no thread stores"},
    {METRIC_BULK_LD_BYTES, AT_LEAST, 4.0 * FLOATS, 2, "copy whole boxes by tma_load_2d"},
    {METRIC_SLD_INST, AT_MOST, FLOATS / 128, 1,
        "load float4: a warp's load then brings 128 floats"},
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 2, "lanes that are served together need different pieces"},
    {METRIC_SST_CONFLICTS, AT_MOST, 0, 2, "lanes on a diagonal differ in what they load and store"},
    {0},
};
static const struct step transpose_tma[] = {
    {.kernel = "transpose_tma",
        .problem = "transpose",
        .dims = {SIDE, SIDE},
        .correct_points = 2,
        .speed_points = 2,
        .budgets = transpose_budget,
        .rung = "by the copy engine, swizzled",
        .no_gain =
            "memory is the limit, and the same bytes are moved; the engine saves instructions and "
            "registers"},
    {0},
};
static const struct prediction transpose_predictions[] = {
    {"copies", 0, METRIC_BULK_LD_INST, 1,
        "copies of boxes from global to shared memory, in all blocks"},
    {"tile_loads", 0, METRIC_SLD_INST, 1,
        "loads from shared memory, counted once per warp, in all warps"},
    {"tile_wavefronts", 0, METRIC_SLD_PER_REQUEST, 1, "wavefronts that one of them takes"},
    {0},
};

/* 8 x 8 blocks, 4 slabs of 32 along k; in each, 3 products of 4 steps of 8 along k, by 8 warps. */
enum { SLABS = 64 * 4, PRODUCTS = SLABS * 3 * 4 * 8 };
static const struct budget wgmma_budget[] = {
    {METRIC_GMMA, AT_LEAST, PRODUCTS / 2, 4,
        "multiply by wgmma: three products of TF32 for each product of floats"},
    {METRIC_GMMA, AT_MOST, PRODUCTS, 1, "multiply by the big part of b while it is there"},
    {METRIC_LDGSTS_INST, AT_LEAST, SLABS * 4 * 16, 1,
        "four warps copy, 16 bytes at a time, and do not wait"},
    {METRIC_LDGSTS_LEAD, AT_LEAST, 80, 1,
        "ask for a slab while those before it are split and multiplied"},
    {METRIC_SLD_WAVEFRONTS, AT_MOST, SLABS *(128 + 128) * 9 / 8, 2,
        "the tensor cores read b: a thread loads a slab of a once, and b once to split it"},
    {METRIC_SST_CONFLICTS, AT_MOST, 0, 1,
        "store the parts of b where the swizzle of 128 bytes has them"},
    {0},
};
static const struct step matmul_wgmma[] = {
    {.kernel = "matmul_wgmma",
        .problem = "matmul",
        .dims = {1024, 128, 1024},
        .correct_points = 4,
        .speed_points = 2,
        .budgets = wgmma_budget,
        .rung = "3 x TF32 by wgmma"},
    {0},
};
static const struct prediction matmul_wgmma_predictions[] = {
    {"products", 0, METRIC_GMMA, 1, "products by wgmma, counted once per warp, in all warps"},
    {"copies", 0, METRIC_LDGSTS_INST, 1,
        "asynchronous copies, counted once per warp, in all warps"},
    {"flop", 0, METRIC_TENSOR_FLOP, 1, "operations of the tensor cores; a multiply-add is two"},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "copy_tma",
        .needs = FEATURE_BULK_COPIES,
        .title = "a copy by the copy engine, in a ring of stages",
        .steps = copy_tma,
        .predictions = copy_predictions},
    {.name = "transpose_tma",
        .needs = FEATURE_BULK_COPIES,
        .title = "the transpose, by the copy engine on both sides",
        .steps = transpose_tma,
        .predictions = transpose_predictions},
    {.name = "matmul_wgmma",
        .needs = FEATURE_WARPGROUPS,
        .title = "C = A B by warpgroups, three products of TF32",
        .steps = matmul_wgmma,
        .predictions = matmul_wgmma_predictions},
    {0},
};
const struct lab lab_10_hopper = {"10-hopper", "The copy engine, roles for warps", exercises};
