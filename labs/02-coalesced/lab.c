/* 02-coalesced: the 32 threads of a warp access memory together and branch together. */
#include "exercise/exercise.h"

/* The one-dimensional exercises are so large that starting the kernel is a small part of the time.
 * STRIDED is smaller, because its widest stride reads 32 times as much. */
enum { WARPS = 32768, N = 32 * WARPS, STRIDED = N / 4 };

static const struct budget matmul_budget[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 2.5, 2,
        "a warp needs 4 sectors of b and 1 of a: let neighbouring threads compute neighbouring "
        "columns of "
        "one row"},
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 2,
        "32 neighbouring floats of a row of c are 4 sectors"},
    {0},
};
static const struct step matmul[] = {
    {.kernel = "matmul",
        .problem = "matmul",
        .dims = {1024, 256, 1024},
        .correct_points = 4,
        .speed_points = 2,
        .budgets = matmul_budget,
        .rung = "coalesced"},
    {0},
};

static const struct budget soa_budget[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 8, 2,
        "32 neighbouring doubles are 8 sectors: thread i reads x[i], y[i], z[i]"},
    {METRIC_WARP_BALANCE, AT_LEAST, 75, 0, "each thread has a point of its own: no warp is idle"},
    {0},
};
static const struct step soa[] = {
    {.kernel = "norm_aos", .problem = "norm_aos", .dims = {N}},
    {.kernel = "norm_soa",
        .problem = "norm_soa",
        .dims = {N},
        .correct_points = 4,
        .speed_points = 1,
        .budgets = soa_budget},
    {0},
};
static const struct prediction soa_predictions[] = {
    {"aos_sectors", 0, METRIC_GLD_SECTORS_PER_REQUEST, 2,
        "how many 32-byte sectors does one load of norm_aos touch for a whole warp?"},
    {"soa_sectors", 1, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "how many 32-byte sectors does one load of norm_soa touch for a whole warp?"},
    {0},
};

/* Whole structures of 2, 3 and 4 numbers, so that the given kernels need no test for a part of
 * one. */
enum { STRUCTURED = 3 * N / 4 };
enum { POINTS, FLAT, PAIRS, PAIRS_ALIGNED, QUADS, QUADS_ALIGNED, TRIPLES, TRIPLES_SHARED };
static const struct step layout[] = {
    {.kernel = "points", .problem = "copy_doubles", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "flat", .problem = "copy_doubles", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "pairs", .problem = "copy_all", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "pairs_aligned", .problem = "copy_all", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "quads", .problem = "copy_all", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "quads_aligned", .problem = "copy_all", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "triples", .problem = "copy_all", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "triples_shared",
        .problem = "copy_all",
        .dims = {STRUCTURED},
        .fixed = {STRUCTURED}},
    {0},
};
static const struct prediction layout_predictions[] = {
    {"points_sectors", POINTS, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if a thread reads a double3"},
    {"flat_sectors", FLAT, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "the same if a thread reads one double of a flat array"},
    {"quads_efficiency", QUADS, METRIC_GLD_EFFICIENCY, 1,
        "bytes wanted by loads, in percent of those moved, if a thread reads a structure of four "
        "floats"},
    {"quads_aligned_efficiency", QUADS_ALIGNED, METRIC_GLD_EFFICIENCY, 1,
        "the same if the structure is aligned to 16 bytes"},
    {"triples_sectors", TRIPLES, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if a thread reads a structure of three floats"},
    {"triples_shared_sectors", TRIPLES_SHARED, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "the same if the block reads them as words"},
    {0},
};

static const struct budget four_budget[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 3,
        "in each iteration, the threads of a warp must read neighbouring floats"},
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 2,
        "in each iteration, the threads of a warp must write neighbouring floats"},
    {METRIC_GLD_REQUESTS, AT_LEAST, N / 128, 0, "each thread loads its four floats itself"},
    {METRIC_THREADS, AT_MOST, N / 4, 0, "each thread copies four floats"},
    {METRIC_WARP_BALANCE, AT_LEAST, 75, 0, "all warps copy their part"},
    {0},
};
static const struct step stride[] = {
    {.kernel = "copy_offset", .problem = "copy_offset", .dims = {STRIDED, 1}, .fixed = {0, 1}},
    {.kernel = "copy_offset", .problem = "copy_offset", .dims = {STRIDED, 8}, .fixed = {0, 8}},
    {.kernel = "copy_stride", .problem = "copy_stride", .dims = {STRIDED, 2}, .fixed = {0, 2}},
    {.kernel = "copy_stride", .problem = "copy_stride", .dims = {STRIDED, 8}, .fixed = {0, 8}},
    {.kernel = "copy_stride", .problem = "copy_stride", .dims = {STRIDED, 32}, .fixed = {0, 32}},
    {.kernel = "copy_four", .problem = "copy_offset", .dims = {N, 8}, .budgets = four_budget},
    {0},
};
static const struct prediction stride_predictions[] = {
    {"offset_1", 0, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if the warp starts 1 float after the start of a sector"},
    {"offset_8", 1, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if the warp starts 8 floats later"},
    {"stride_2", 2, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if every second float is read"},
    {"stride_8", 3, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if every eighth float is read"},
    {"stride_32", 4, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if every 32nd float is read"},
    {0},
};

static const struct step conditions[] = {
    {.kernel = "keeps_all", .problem = "copy_all", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "size", .problem = "copy_all", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "gaps", .problem = "copy_all", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "order", .problem = "copy_all", .dims = {STRUCTURED}, .fixed = {STRUCTURED}},
    {.kernel = "start",
        .problem = "copy_offset",
        .dims = {STRUCTURED, 1},
        .fixed = {STRUCTURED, 1}},
    {0},
};
static const struct prediction conditions_predictions[] = {
    {"keeps_all_sectors", 0, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if all conditions hold"},
    {"size_sectors", 1, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if an element has 12 bytes"},
    {"gaps_sectors", 2, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if every second element is read"},
    {"order_sectors", 3, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if neighbouring threads swap their elements"},
    {"start_sectors", 4, METRIC_GLD_SECTORS_PER_REQUEST, 1,
        "sectors that a load touches if the first element lies 4 bytes after the start of a sector"},
    {0},
};

/* A warp reads 4 sectors of index and about 31 of the table, 35 in all; where the L1 has lines of 128
 * bytes, as on a Tesla M2090, 29. If only every other block took the read-only path, it would be half. */
static const struct budget paths_budget[] = {
    {METRIC_CONST_REQUESTS, AT_LEAST, 2 * WARPS, 4,
        "declare coef __constant__: one read serves the whole warp"},
    {METRIC_GLD_REQUESTS, AT_MOST, 2 * WARPS, 2,
        "a warp needs two loads from global memory: index[i] and the table's entry"},
    {METRIC_GLD_READONLY_SECTORS, AT_LEAST, 28 * WARPS, 4,
        "tell the compiler that table is read-only and that nothing else points into it: const and "
        "__restrict__"},
    {METRIC_WARP_BALANCE, AT_LEAST, 75, 0, "each thread has an index of its own: no warp is idle"},
    {0},
};
static const struct step paths[] = {
    {.kernel = "polynomial", .problem = "polynomial", .dims = {N, 4096}, .budgets = paths_budget},
    {0},
};

static const struct budget parity_budget[] = {
    {METRIC_WARP_EFFICIENCY, AT_LEAST, 28, 1,
        "all 32 threads of a warp must take the same side of the branch"},
    {METRIC_BRANCH_DIVERGENT, AT_MOST, 0, 1,
        "let the side depend on the warp, not on the thread in the warp"},
    {METRIC_FFMA, AT_MOST, 16 * N, 1, "an element needs 16 multiply-adds, those of its own side"},
    {0},
};
/* A warp of 8 neighbouring columns diverges 7 times, one of 16 columns 15 times, one of a whole row
 * 31 times. Active threads alone cannot tell: with 8 columns and signed index arithmetic they are
 * 22.0, with 16 columns 23.4, with a whole row 19.2. They are what a loop of 32 steps for
 * everybody, without a branch, misses; written out, it misses the multiply-adds. */
static const struct budget unequal_budget[] = {
    {METRIC_BRANCH_DIVERGENT, AT_MOST, 8 * WARPS, 1,
        "a warp diverges once for each number of steps in it but the largest: give it elements "
        "that need "
        "about the same number"},
    {METRIC_WARP_EFFICIENCY, AT_LEAST, 21, 1,
        "let the threads of a warp do no step that they do not need"},
    {METRIC_FFMA, AT_MOST, 17 * N, 1, "an element needs 16.5 steps in the mean"},
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1,
        "the loads are scattered: a sector is 8 neighbouring floats, so let a warp use all 8"},
    {0},
};
static const struct step diverge[] = {
    {.kernel = "parity", .problem = "parity", .dims = {N}},
    {.kernel = "parity_by_warp",
        .problem = "parity",
        .dims = {N},
        .correct_points = 1,
        .budgets = parity_budget},
    {.kernel = "unequal", .problem = "unequal", .dims = {N}},
    {.kernel = "unequal_by_warp", .problem = "unequal", .dims = {N}, .budgets = unequal_budget},
    {0},
};
static const struct prediction diverge_predictions[] = {
    {"parity_divergent", 0, METRIC_BRANCH_DIVERGENT, 1,
        "divergent branches in all 32768 warps of parity"},
    {"unequal_divergent", 2, METRIC_BRANCH_DIVERGENT, 1,
        "divergent branches in all 32768 warps of unequal"},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "matmul", .title = "C = A B, x is the column", .steps = matmul},
    {.name = "soa",
        .needs = FEATURE_DOUBLES,
        .steps = soa,
        .predictions = soa_predictions,
        .title = "points of doubles: array of structures and structure of arrays"},
    {.name = "layout",
        .title = "structures as they come, aligned, and as words",
        .steps = layout,
        .predictions = layout_predictions},
    {.name = "stride",
        .title = "copies with an offset and a stride: predict, then reorder",
        .steps = stride,
        .predictions = stride_predictions},
    {.name = "conditions",
        .title = "the four conditions of coalescing on 1.x, each broken once",
        .steps = conditions,
        .predictions = conditions_predictions},
    {.name = "paths", .title = "constant memory, and the read-only path", .steps = paths},
    {.name = "diverge",
        .title = "a branch by parity, a branch by warp, and unequal work",
        .steps = diverge,
        .predictions = diverge_predictions},
    {0},
};
const struct lab lab_02_coalesced = {"02-coalesced", "A warp acts as one", exercises};
