/* counters.c - comparing random kernels' counters. */
#include "lab/counters.h"

#include <math.h>
#include <string.h>

#define THREADS(opcode) "sass__thread_inst_executed_true_per_opcode:" opcode

const char *const counters_codes[CODES] = {"unoptimised", "without YIELD", "optimised", "optimised, without YIELD"};

const struct counter counters[COUNTERS] = {
    {METRIC_GLD_REQUESTS, 0, {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}},
    {METRIC_GLD_SECTORS, 0, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
    {METRIC_GST_REQUESTS, 0, {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}},
    {METRIC_GST_SECTORS, 0, {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
    {METRIC_GATOM_REQUESTS, 0, {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"}},
    {METRIC_GATOM_SECTORS, 0, {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"}},
    {METRIC_GLD_THREADS, 1, {THREADS("LDG"), THREADS("LD")}},
    {METRIC_GST_THREADS, 1, {THREADS("STG"), THREADS("ST")}},
    {METRIC_GATOM_THREADS, 1, {THREADS("ATOM"), THREADS("ATOMG"), THREADS("RED")}},
};

/* Halves of a row: what was simulated with regions as told from the PTX, and with ptxas's own. */
static const char told[] = "simulated", made[] = "made";

static double value(const json_t *launch, const char *side, int i)
{
    const json_t *v = json_array_get(json_object_get(launch, side), (size_t)i);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

/* What ptxas's regions make of it; where all regions are as told that is the same. */
static const char *with_regions(const json_t *launch)
{
    return json_object_get(launch, made) ? made : told;
}

/* Relative to what was measured; NAN where either is not known. */
static double error_of(const json_t *launch, const char *half, int i)
{
    double simulated = value(launch, half, i), measured = value(launch, "measured", i);
    if (isnan(simulated) || isnan(measured))
        return NAN;
    return simulated == measured ? 0 : fabs(simulated - measured) / fmax(measured, 1);
}

static int is_code(const json_t *launch, int code)
{
    return !strcmp(record_text(launch, "code"), counters_codes[code]);
}

static int has(const json_t *launch, const char *what)
{
    return record_number(launch, what) > 0;
}

/* How far a counter may be from simulated: by what loads of lanes in global and in local memory are counted otherwise. */
static int is_within(const json_t *launch, const char *half, int i)
{
    double more = value(launch, "measured", i) - value(launch, half, i);
    if (counters[i].simulated == METRIC_GLD_REQUESTS)
        return more <= 0 && -more <= record_number(launch, "mixed");
    return counters[i].simulated == METRIC_GLD_SECTORS && more >= 0 && more <= record_number(launch, "mixed_sectors");
}

static int is_wrong(const json_t *launch, const char *half, int i)
{
    if (is_code(launch, CODE_OPTIMISED) || is_code(launch, CODE_OPTIMISED_WITHOUT_YIELD) ||
        value(launch, half, i) == value(launch, "measured", i) || (has(launch, "yields") && !counters[i].threads))
        return 0;
    return !has(launch, "mixed") || !is_within(launch, half, i);
}

static int first_wrong(const json_t *launch, const char *half)
{
    int i = 0;
    while (i < COUNTERS && !is_wrong(launch, half, i))
        i++;
    return i;
}

int counters_wrong(const json_t *record, const json_t *launch, struct buf *why)
{
    const char *half = with_regions(launch);
    int i = first_wrong(launch, half);
    if (i == COUNTERS)
        return 0;
    const char *name = json_string_value(json_array_get(json_object_get(record, "metrics"), (size_t)i));
    buf_printf(why, "%s is %.10g%s, and %.10g on the GPU", name, value(launch, half, i), half == made ? " with ptxas's regions" : "",
               value(launch, "measured", i));
    return 1;
}

/* ---- the table ---- */

static const struct kind {
    const char *name;
    int code, yields, mixed;
} kinds[] = {
    {"unoptimised, no `YIELD` executed", CODE_UNOPTIMISED, 0, 0},
    {"the same, lanes of an access in global and in local memory", CODE_UNOPTIMISED, 0, 1},
    {"unoptimised, some `YIELD` executed", CODE_UNOPTIMISED, 1, 0},
    {"the same, lanes of an access in global and in local memory", CODE_UNOPTIMISED, 1, 1},
    {"unoptimised, each `YIELD` made a `NOP`", CODE_WITHOUT_YIELD, 0, 0},
    {"the same, lanes of an access in global and in local memory", CODE_WITHOUT_YIELD, 0, 1},
    {"optimised, accesses volatile, no `YIELD` executed", CODE_OPTIMISED, 0, 0},
    {"optimised, accesses volatile, some `YIELD` executed", CODE_OPTIMISED, 1, 0},
    {"the same, each `YIELD` made a `NOP`", CODE_OPTIMISED_WITHOUT_YIELD, 0, 0},
};

static int is_of(const json_t *launch, const struct kind *k)
{
    return is_code(launch, k->code) && has(launch, "yields") == k->yields && has(launch, "mixed") == k->mixed;
}

struct summary {
    int launches, equal[COUNTERS], all, with_regions;
    double worst;
    const json_t *launch;
    int counter;
};

static int all_equal(const json_t *launch, const char *half)
{
    int i = 0;
    while (i < COUNTERS && error_of(launch, half, i) == 0)
        i++;
    return i == COUNTERS;
}

static void add(struct summary *s, const json_t *launch)
{
    s->launches++;
    for (int i = 0; i < COUNTERS; i++) {
        double error = error_of(launch, told, i);
        s->equal[i] += error == 0;
        if (error > s->worst) {
            s->worst = error;
            s->launch = launch;
            s->counter = i;
        }
    }
    s->all += all_equal(launch, told);
    s->with_regions += all_equal(launch, with_regions(launch));
}

static void print_summary(const struct summary *s, const char *name, struct buf *out)
{
    buf_printf(out, "| %s | %d | %d | %d |", name, s->launches, s->all, s->with_regions);
    for (int i = 0; i < COUNTERS; i++)
        buf_printf(out, " %d |", s->equal[i]);
    if (s->launch)
        buf_printf(out, " %.3g%%: %.10g for %.10g, seed %.0f |\n", 100 * s->worst, value(s->launch, told, s->counter),
                   value(s->launch, "measured", s->counter), record_number(s->launch, "seed"));
    else
        buf_printf(out, " 0 |\n");
}

void counters_table(const json_t *record, struct buf *out)
{
    size_t i;
    json_t *launch;
    buf_printf(out, "| machine code | kernels | equal in all | with ptxas's regions | load requests | load sectors | store requests | store sectors | "
                    "atomic requests | atomic sectors | threads that load | that store | with atomics | worst |\n"
                    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct summary s = {0};
        json_array_foreach(json_object_get(record, "launches"), i, launch)
            if (is_of(launch, &kinds[k]))
                add(&s, launch);
        if (s.launches)
            print_summary(&s, kinds[k].name, out);
    }
}

void counters_elsewhere(const json_t *record, struct buf *out)
{
    size_t i, kernels = json_array_size(json_object_get(record, "elsewhere"));
    json_t *launch;
    int unlike = 0;
    if (!kernels)
        return;
    buf_printf(out, "\nIn %zu of the %.0f kernels ptxas has some lanes meet elsewhere than told. ", kernels, record_number(record, "kernels"));
    json_array_foreach(json_object_get(record, "launches"), i, launch)
        if (first_wrong(launch, told) < COUNTERS)
            buf_printf(out, "%s %.0f (%s)", unlike++ ? "," : "Only with its regions are all counters equal that have to be of seed", record_number(launch, "seed"),
                       record_text(launch, "code"));
    buf_printf(out, "%s\n", unlike ? "." : "All counters that have to be equal are so as told and with its regions.");
}
