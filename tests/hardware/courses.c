/* courses.c - the kernels of tests/hardware/courses: their sizes, the half set aside, how the model
 * fares.
 *
 *     courses/NAME.cu --> PTX by nvcc and by clang --┬-- H200 under ncu: time, busy units, registers
 *                                                    └-- sim:h200: modelled time, the part that limits it
 *     40 kernels -- a shuffle by COURSES_SEED --> the first 20: set aside       the others: open
 */
#include "hardware/courses.h"
#include "hardware/crosscheck.h"
#include "hardware/hardware.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the kernels ---- */

/* Each kernel has one input and one output of rows x cols floats, so it is described as a copy. */
#define STEP(name, rows, cols) \
    { \
        .kernel = name, .problem = "copy", .dims = { rows, cols } \
    }
static const struct step sums[] = {STEP("reduce_interleaved", 2048, 2048),
    STEP("reduce_shuffle", 2048, 2048), STEP("reduce_grid", 4096, 4096), STEP("argmax", 2048, 2048),
    STEP("scan_steps", 1024, 2048), STEP("scan_tree", 1024, 2048), STEP("scan_shuffle", 2048, 2048),
    STEP("softmax_block", 4096, 1024), STEP("softmax_warp", 16384, 256), {0}};
static const struct step counts[] = {STEP("hist_global", 1024, 1024),
    STEP("hist_shared", 2048, 2048), STEP("hot_word", 1024, 1024), STEP("hot_max", 512, 1024),
    STEP("scatter_add", 1024, 1024), STEP("compact_each", 512, 1024),
    STEP("compact_warp", 2048, 2048), STEP("compact_block", 2048, 2048), {0}};
static const struct step grids[] = {STEP("stencil_tile", 2048, 2048), STEP("heat_3d", 16384, 128),
    STEP("heat_march", 8192, 256), STEP("conv_row", 1024, 2048), STEP("conv_5x5", 1024, 2048),
    STEP("conv_7x7", 1024, 1024), STEP("median", 1024, 2048), {0}};
static const struct step products[] = {STEP("matvec_thread", 8192, 1024),
    STEP("matvec_warp", 8192, 1024), STEP("tile_2x2", 512, 512), STEP("tile_8x8", 1024, 1024),
    STEP("tile_double", 512, 512), STEP("csr_thread", 2048, 4096), STEP("csr_warp", 2048, 4096),
    STEP("bodies", 16, 2048), {0}};
static const struct step mixed[] = {STEP("sort_bitonic", 1024, 1024),
    STEP("sort_radix", 1024, 1024), STEP("gather_bits", 1024, 2048),
    STEP("transpose_swizzled", 2048, 2048), STEP("bytes_to_floats", 1024, 2048),
    STEP("horner_double", 1024, 1024), STEP("mandelbrot", 512, 1024), STEP("hamming", 256, 1024),
    {0}};
static const struct exercise exercises[] = {{.name = "sums", .kind = EXERCISE_CUDA, .steps = sums},
    {.name = "counts", .kind = EXERCISE_CUDA, .steps = counts},
    {.name = "grids", .kind = EXERCISE_CUDA, .steps = grids},
    {.name = "products", .kind = EXERCISE_CUDA, .steps = products},
    {.name = "mixed", .kind = EXERCISE_CUDA, .steps = mixed}, {0}};
const struct lab courses_lab = {.name = "courses", .exercises = exercises};

/* Whether this kernel is one of those set aside: the list of all kernels is shuffled (Fisher and
 * Yates), and the first COURSES_ASIDE are. An unknown name is not. */
static int courses_aside(const char *kernel)
{
    const char *name[COURSES];
    int n = 0;
    struct rng r;
    for (const struct exercise *x = exercises; x->name; x++)
        for (const struct step *s = x->steps; s->kernel; s++) {
            if (n == COURSES) BUG("more than %d kernels", COURSES);
            name[n++] = s->kernel;
        }
    rng_seed(&r, COURSES_SEED);
    for (int i = 0; i < COURSES_ASIDE; i++) {
        int k = i + (int)rng_below(&r, (uint64_t)(n - i));
        const char *drawn = name[k];
        name[k] = name[i], name[i] = drawn;
        if (!strcmp(drawn, kernel)) return 1;
    }
    return 0;
}

/* ---- the limit that ncu names ---- */

/* Shares of what each unit can do in the whole time of the launch. If all lanes add to one word,
 * only the busiest slice of the L2 is busy, hence .max. Source: the breakdowns of sm__throughput,
 * l1tex__throughput and lts__throughput in Nsight Compute. */
const struct courses_unit courses_units[COURSES_UNITS] = {
    {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", PART_ISSUE},
    {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", PART_FLOAT},
    {"sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_elapsed", PART_FLOAT},
    {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", PART_INTEGER},
    {"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed", PART_DOUBLE},
    {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_elapsed", PART_DOUBLE},
    {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", PART_SPECIAL},
    {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", PART_L1},
    {"l1tex__throughput.avg.pct_of_peak_sustained_active", PART_L1},
    {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", PART_L1},
    {"l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed", PART_L1},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", PART_L2},
    {"lts__t_sectors.avg.pct_of_peak_sustained_elapsed", PART_L2},
    {"lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed", PART_ATOMICS},
    {"lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", PART_ATOMICS},
    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", PART_DRAM},
};

/* If the share of every unit is below this, ncu calls a launch limited by latency (Nsight Compute,
 * Speed Of Light). */
static const double BUSY = 60;

/* The least registers that the driver gives a thread on compute capability 9.0. */
static const double LEAST_REGISTERS = 16;

/* One kernel of a record. Times in microseconds. */
struct fared {
    const char *kernel, *size, *modelled_limit;
    double modelled, measured, registers, measured_registers, busiest;
    enum model_part limit;
};

static double number(const json_t *record, const json_t *row, const char *side, const char *name)
{
    size_t i;
    json_t *v;
    json_array_foreach(
        json_object_get(record, "metrics"), i, v) if (!strcmp(json_string_value(v), name))
    {
        const json_t *n = json_array_get(json_object_get(row, side), i);
        return json_is_number(n) ? json_number_value(n) : NAN;
    }
    return NAN;
}

static struct fared fared_of(const json_t *record, const json_t *row)
{
    struct fared f = {.kernel = record_text(row, "kernel"),
        .size = record_text(row, "size"),
        .modelled_limit = record_text(row, "bottleneck"),
        .modelled = number(record, row, "simulated", CROSSCHECK_TIME) / 1000,
        .measured = number(record, row, "measured", CROSSCHECK_TIME) / 1000,
        .registers = fmax(number(record, row, "simulated", COURSES_REGISTERS), LEAST_REGISTERS),
        .measured_registers = number(record, row, "measured", COURSES_REGISTERS),
        .limit = PART_LATENCY};
    for (int i = 0; i < COURSES_UNITS; i++) {
        double share = number(record, row, "measured", courses_units[i].name);
        if (share > f.busiest) {
            f.busiest = share;
            f.limit = share < BUSY ? PART_LATENCY : courses_units[i].part;
        }
    }
    return f;
}

/* Whether the model names ncu's limit. ncu calls latency what the model calls launch or
 * dispatch. */
static int named_rightly(const struct fared *f)
{
    int waits = !strcmp(f->modelled_limit, model_part_names[PART_LAUNCH]) ||
                !strcmp(f->modelled_limit, model_part_names[PART_DISPATCH]);
    return !strcmp(f->modelled_limit, model_part_names[f->limit]) ||
           (waits && f->limit == PART_LATENCY);
}

/* ---- tables ---- */

static double error_of(double modelled, double measured) { return modelled / measured - 1; }

/* The largest ratio first: half and double are equally far from equal. */
static int by_ratio(const void *a, const void *b)
{
    const struct fared *x = a, *y = b;
    double ex = fabs(log(x->modelled / x->measured)), ey = fabs(log(y->modelled / y->measured));
    return (ex < ey) - (ex > ey);
}

/* The kernels that are set aside, or all others, if they have both times. The caller frees *all. */
static int take_half(const json_t *record, int aside, struct fared **all)
{
    const json_t *kernels = json_object_get(record, "kernels");
    size_t i;
    json_t *row;
    int n = 0;
    *all = xcalloc(json_array_size(kernels) + 1, sizeof **all);
    json_array_foreach(kernels, i, row)
    {
        struct fared f = fared_of(record, row);
        if (courses_aside(f.kernel) == aside && f.modelled > 0 && f.measured > 0) (*all)[n++] = f;
    }
    qsort(*all, (size_t)n, sizeof **all, by_ratio);
    return n;
}

void courses_table(const json_t *record, int aside, struct buf *out)
{
    struct fared *all;
    int n = take_half(record, aside, &all);
    buf_printf(out,
        "| kernel | modelled us | measured us | error | limit in the model | limit by ncu | busiest unit "
        "| registers | by ptxas |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < n; i++) {
        const struct fared *f = &all[i];
        buf_printf(out, "| `%s` %s | ", f->kernel, f->size);
        buf_rounded(out, f->modelled);
        buf_printf(out, " | ");
        buf_rounded(out, f->measured);
        buf_printf(out, " | %+.0f%% | %s | %s%s | %.0f%% | %.0f | %.0f |\n",
            100 * error_of(f->modelled, f->measured), f->modelled_limit, model_part_names[f->limit],
            named_rightly(f) ? "" : " (!)", f->busiest, f->registers, f->measured_registers);
    }
    free(all);
}

void courses_heading(struct buf *out)
{
    buf_printf(out,
        "| by | half | kernels | mean error | within 15%% | worst | limit named rightly "
        "| registers within 15%% of ptxas |\n|---|---|---|---|---|---|---|---|\n");
}

void courses_summary(const json_t *record, int aside, struct buf *out)
{
    struct fared *all;
    int n = take_half(record, aside, &all), near = 0, named = 0, registers = 0;
    double sum = 0, worst = 0;
    for (int i = 0; i < n; i++) {
        double error = error_of(all[i].modelled, all[i].measured);
        sum += fabs(error);
        worst = fabs(error) > fabs(worst) ? error : worst;
        near += fabs(error) <= 0.15;
        named += named_rightly(&all[i]);
        registers += fabs(error_of(all[i].registers, all[i].measured_registers)) <= 0.15;
    }
    free(all);
    buf_printf(out, "| %s | %s | %d | %.0f%% | %d | %+.0f%% | %d | %d |\n",
        record_text(record, "front_end"), aside ? "set aside" : "open", n, n ? 100 * sum / n : 0,
        near, 100 * worst, named, registers);
}
