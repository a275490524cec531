/* 05-padded: the banks of shared memory, and one word of padding per row that avoids bank
 * conflicts. */
#include "exercise/exercise.h"

enum { N = 262144 };

/* The patterns in their order. Each one copies, so that a wrong result shows. The learner pads the
 * last one. */
enum { STRIDE_1, STRIDE_2, STRIDE_3, STRIDE_4, STRIDE_12, BROADCAST, MULTICAST, DOUBLES, POINTS };

static const struct budget padded_budget[] = {
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 1,
        "where the words of a record have a factor in common with the 32 banks, threads of a warp "
        "share one: "
        "with 12 + PAD words none may"},
    {METRIC_SHARED_BLOCK, AT_LEAST, 13 * 256 * 4, 1, "a padded record has its 12 words and more"},
    {0},
};
static const struct step banks[] = {
    {.kernel = "stride_1", .problem = "copy_group", .dims = {N, 1}, .fixed = {0, 1}},
    {.kernel = "stride_2", .problem = "copy_group", .dims = {N, 1}, .fixed = {0, 1}},
    {.kernel = "stride_3", .problem = "copy_group", .dims = {N, 1}, .fixed = {0, 1}},
    {.kernel = "stride_4", .problem = "copy_group", .dims = {N, 1}, .fixed = {0, 1}},
    {.kernel = "stride_12", .problem = "copy_group", .dims = {N, 1}, .fixed = {0, 1}},
    {.kernel = "broadcast", .problem = "copy_group", .dims = {N, 32}, .fixed = {0, 32}},
    {.kernel = "multicast", .problem = "copy_group", .dims = {N, 4}, .fixed = {0, 4}},
    {.kernel = "doubles", .problem = "copy_doubles", .dims = {N}},
    {.kernel = "points", .problem = "copy_points", .dims = {N}},
    {.kernel = "padded",
        .problem = "copy_group",
        .dims = {N, 1},
        .fixed = {0, 1},
        .budgets = padded_budget,
        .own_words = 1},
    {.kernel = "doubles_2", .problem = "copy_doubles", .dims = {N}},
    {.kernel = "doubles_2_padded", .problem = "copy_doubles", .dims = {N}},
    {0},
};
static const struct prediction banks_predictions[] = {
    {"stride_1_passes", STRIDE_1, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load takes if thread x reads word x"},
    {"stride_2_passes", STRIDE_2, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load takes if thread x reads word 2 x"},
    {"stride_3_passes", STRIDE_3, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load takes if thread x reads word 3 x"},
    {"stride_4_passes", STRIDE_4, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load takes if thread x reads word 4 x"},
    {"stride_12_passes", STRIDE_12, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load takes if thread x reads word 12 x"},
    {"broadcast_passes", BROADCAST, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load takes if all threads of the warp read one word"},
    {"multicast_passes", MULTICAST, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load takes if every four threads read one word"},
    {"doubles_passes", DOUBLES, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load takes if thread x reads the 8-byte element x"},
    {"doubles_conflicts", DOUBLES, METRIC_SLD_CONFLICTS, 1,
        "how many wavefronts of the whole launch are bank conflicts"},
    {"points_passes", POINTS, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load takes if thread x reads one float of the 12-byte element x"},
    {0},
};

static const struct budget pad_1_budget[] = {
    {METRIC_GST_SECTORS_PER_REQUEST, AT_MOST, 4, 1,
        "x must run along the rows of out while the tile is stored"},
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 1,
        "rows of 33 words put the 32 words of a column into 32 banks"},
    {METRIC_SST_CONFLICTS, AT_MOST, 0, 1,
        "the words that a warp stores need different banks, as those that it loads"},
    {0},
};
static const struct budget pad_2_budget[] = {
    {METRIC_SLD_CONFLICTS, AT_MOST, 131072, 0,
        "rows of 34 words put the 32 words of a column into 16 banks: one wavefront more a load"},
    {METRIC_SHARED_BLOCK, AT_LEAST, 32 * 34 * 4, 0, "a row of the tile has 34 words here"},
    {0},
};
static const struct step transpose[] = {
    {.kernel = "transpose_pad_1",
        .problem = "transpose",
        .dims = {2048, 2048},
        .correct_points = 2,
        .speed_points = 2,
        .budgets = pad_1_budget,
        .rung = "padded by 1"},
    {.kernel = "transpose_pad_2",
        .problem = "transpose",
        .dims = {2048, 2048},
        .correct_points = 1,
        .budgets = pad_2_budget,
        .rung = "padded by 2",
        .no_gain =
            "a padding of 1 removes all conflicts of this tile already; 2 is needed where a warp "
            "reads two columns, lab 06"},
    {0},
};
static const struct prediction transpose_predictions[] = {
    {"pad_1_passes", 0, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load from the tile takes if its rows are padded by 1"},
    {"pad_2_passes", 1, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load from the tile takes if its rows are padded by 2"},
    {0},
};

static const struct budget aat_budget[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1, "load both factors along the rows of a"},
    {METRIC_SST_CONFLICTS, AT_MOST, 0, 2,
        "a warp stores down a column of the transposed tile: with rows of 33 words, a column uses "
        "32 banks"},
    {METRIC_SLD_CONFLICTS, AT_MOST, 0, 1,
        "the words that a warp loads need different banks, as those that it stores"},
    {0},
};
static const struct step aat[] = {
    {.kernel = "aat",
        .problem = "aat",
        .dims = {1024, 32},
        .correct_points = 4,
        .speed_points = 2,
        .budgets = aat_budget,
        .rung = "padded"},
    {0},
};

/* Given kernels at fault, on 4 blocks of 32 x 32. */
static const struct step detective_1[] = {
    {.kernel = "transpose", .problem = "transpose", .dims = {64, 64}, .suspect = 1},
    {0},
};
static const struct prediction detective_1_predictions[] = {
    {"slow_line", 0, METRIC_SLD_CONFLICTS, 1, "the line with the bank conflicts", PREDICTED_LINE},
    {"load_passes", 0, METRIC_SLD_PER_REQUEST, 1,
        "wavefronts that a load from shared memory takes"},
    {"load_conflicts", 0, METRIC_SLD_CONFLICTS, 1, "bank conflicts of all loads of the launch"},
    {0},
};
static const struct step detective_2[] = {
    {.kernel = "transpose", .problem = "transpose", .dims = {64, 64}, .suspect = 1},
    {0},
};
static const struct prediction detective_2_predictions[] = {
    {"fault_line", 0, 0, 1, "the line of the file that accesses memory out of bounds first",
        PREDICTED_LINE},
    {"fault_thread_x", 0, 0, 1, "threadIdx.x of the thread that does it first", PREDICTED_THREAD_X},
    {"fault_thread_y", 0, 0, 1, "threadIdx.y of the thread that does it first", PREDICTED_THREAD_Y},
    {"fault_index", 0, 0, 1, "the index of the word that it accesses", PREDICTED_INDEX},
    {0},
};

static const struct exercise exercises[] = {
    {.name = "banks",
        .title = "access patterns of shared memory: predict, then pad",
        .steps = banks,
        .predictions = banks_predictions},
    {.name = "transpose",
        .title = "the transpose through a tile padded by 1 and by 2",
        .steps = transpose,
        .predictions = transpose_predictions},
    {.name = "aat", .title = "C = A A^T through a padded tile", .steps = aat},
    {.name = "detective_1",
        .title = "a padded transpose with conflicts: which line, and how many?",
        .steps = detective_1,
        .predictions = detective_1_predictions},
    {.name = "detective_2",
        .title = "a transpose that pads by hand and faults: where, and by whom?",
        .steps = detective_2,
        .predictions = detective_2_predictions},
    {0},
};
const struct lab lab_05_padded = {"05-padded", "Bank conflicts and padding", exercises};
