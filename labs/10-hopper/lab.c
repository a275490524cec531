/* 10-hopper: what compute capability 9.0 adds: a copy engine, whose bytes barriers in shared memory
 * count; products by four warps, and warps with roles. */
#include "exercise/exercise.h"

enum { SIDE = 2048, FLOATS = SIDE * SIDE };

static const struct budget copy_budget[] = {
    {METRIC_GLD_REQUESTS, AT_MOST, 0, 2, "the copy engine brings the tiles: no thread loads"},
    {METRIC_GST_REQUESTS, AT_MOST, 0, 2, "the copy engine takes the tiles away: no thread stores"},
    {METRIC_BULK_LD_BYTES, AT_LEAST, 4.0 * FLOATS, 2, "copy whole tiles by tma_load"},
    {METRIC_BULK_LD_BYTES, AT_MOST, 4.0 * FLOATS, 0, "copy each tile once"},
    {METRIC_BULK_LD_INST, AT_MOST, FLOATS / 2048, 1,
        "a tile is one copy: let one thread ask for it"},
    {METRIC_BULK_LD_AHEAD, AT_LEAST, 1.5, 1,
        "keep the next tiles on their way while a warp waits for one: a ring of three or more "
        "stages"},
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
    {METRIC_BULK_LD_INST, AT_MOST, FLOATS / 1024, 0,
        "a copy brings a whole box: 32 columns of 64 rows"},
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
    {METRIC_SHARED_BLOCK, AT_LEAST, 2 * (2 + 1 + 1) * 128 * 32 * 4, 0,
        "room for two slabs: one is on its way while another is multiplied"},
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
        .rung = "3 x TF32 by wgmma",
        .no_gain =
            "one block fits on a multiprocessor, so 132 of 256 run at once, where lab 09's kernel runs "
            "all; a larger k pays for that"},
    {0},
};
static const struct prediction matmul_wgmma_predictions[] = {
    {"products", 0, METRIC_GMMA, 1, "products by wgmma, counted once per warp, in all warps"},
    {"copies", 0, METRIC_LDGSTS_INST, 1,
        "asynchronous copies, counted once per warp, in all warps"},
    {"flop", 0, METRIC_TENSOR_FLOP, 1, "operations of the tensor cores; a multiply-add is two"},
    {0},
};

/* 2048 x 128 by 128 x 2048, in 128 blocks of 128 x 256 outputs, or 256 x 128; 8 warps multiply. A
 * product has 16 k of halves, 8 of TF32. */
enum {
    TOP_BLOCKS = 128,
    HALF_PRODUCTS = TOP_BLOCKS * 8 * 128 / 16,
    TF32_PRODUCTS = TOP_BLOCKS * 8 * 128 / 8,
    TOP_FACTORS = TOP_BLOCKS * (128 + 256) * 128,
};
static const struct budget wgmma_half_budget[] = {
    {METRIC_GMMA, AT_LEAST, HALF_PRODUCTS, 4, "multiply by wgmma_half"},
    {METRIC_GMMA, AT_MOST, HALF_PRODUCTS, 1, "256 columns and 16 k at once: wgmma_half"},
    {METRIC_BULK_LD_BYTES, AT_LEAST, 2.0 * TOP_FACTORS, 2, "the copy engine brings a and b"},
    {METRIC_BULK_LD_BYTES, AT_MOST, 2.0 * TOP_FACTORS, 1,
        "a block of 128 x 256 outputs brings each factor once"},
    {METRIC_BULK_LD_INST, AT_MOST, TOP_BLOCKS * 2 * 5, 1,
        "one thread asks for whole boxes: one of a and four of b for a slab"},
    {METRIC_BULK_LD_AHEAD, AT_LEAST, 1.25, 0,
        "ask for the next slab before the tensor cores multiply this one"},
    {METRIC_SLD_INST, AT_MOST, 0, 2,
        "the tensor cores read a and b where the copy engine puts them"},
    {0},
};
static const struct step matmul_wgmma_half[] = {
    {.kernel = "matmul_wgmma_half",
        .problem = "matmul_halves",
        .dims = {2048, 128, 2048},
        .correct_points = 3,
        .speed_points = 2,
        .budgets = wgmma_half_budget,
        .rung = "half by wgmma"},
    {0},
};
static const struct prediction wgmma_half_predictions[] = {
    {"products", 0, METRIC_GMMA, 1, "products by wgmma, counted once per warp, in all warps"},
    {"copies", 0, METRIC_BULK_LD_INST, 1,
        "copies of boxes from global to shared memory, in all blocks"},
    {"factors_bytes", 0, METRIC_BULK_LD_BYTES, 1, "bytes that these copies bring"},
    {0},
};

static const struct budget wgmma_tf32_budget[] = {
    {METRIC_GMMA, AT_LEAST, TF32_PRODUCTS, 4, "multiply by wgmma_tf32, once: factors of TF32"},
    {METRIC_GMMA, AT_MOST, TF32_PRODUCTS, 1, "256 rows of a at once"},
    {METRIC_BULK_LD_BYTES, AT_LEAST, 4.0 * TOP_FACTORS, 2, "the copy engine brings a and b"},
    {METRIC_BULK_LD_BYTES, AT_MOST, 4.0 * TOP_FACTORS, 1,
        "a block of 256 x 128 outputs brings each factor once"},
    {METRIC_BULK_LD_AHEAD, AT_LEAST, 1.25, 0,
        "ask for the next slab before the tensor cores multiply this one"},
    {METRIC_SST_INST, AT_MOST, 0, 1, "no matrix is turned: compute c^T = b^T a^T"},
    {METRIC_SLD_WAVEFRONTS, AT_MOST, 4.0 * TF32_PRODUCTS, 2,
        "two neighbouring columns of b a load, and lanes whose chunks the swizzle parts"},
    {0},
};
static const struct step matmul_wgmma_tf32[] = {
    {.kernel = "matmul_wgmma_tf32",
        .problem = "matmul_tf32",
        .dims = {2048, 128, 2048},
        .correct_points = 3,
        .speed_points = 2,
        .budgets = wgmma_tf32_budget,
        .rung = "TF32 by wgmma",
        .no_gain = "a float has twice the bytes of a half, and a product of TF32 half as many k"},
    {0},
};
static const struct prediction wgmma_tf32_predictions[] = {
    {"products", 0, METRIC_GMMA, 1, "products by wgmma, counted once per warp, in all warps"},
    {"fragment_loads", 0, METRIC_SLD_INST, 1,
        "loads from shared memory, counted once per warp, in all warps"},
    {"wavefronts", 0, METRIC_SLD_WAVEFRONTS, 1, "wavefronts of all these loads"},
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
    {.name = "matmul_wgmma_half",
        .needs = FEATURE_WARPGROUPS,
        .title = "C = A B by warpgroups, of halves",
        .steps = matmul_wgmma_half,
        .predictions = wgmma_half_predictions},
    {.name = "matmul_wgmma_tf32",
        .needs = FEATURE_WARPGROUPS,
        .title = "C = A B by warpgroups, factors rounded to TF32",
        .steps = matmul_wgmma_tf32,
        .predictions = wgmma_tf32_predictions},
    {0},
};
const struct lab lab_10_hopper = {"10-hopper", "The copy engine, roles for warps", exercises};
