/* counters.c - comparing random kernels' counters. */
#include "lab/counters.h"

#include <math.h>
#include <string.h>

#define THREADS(opcode) "sass__thread_inst_executed_true_per_opcode:" opcode

const char *const counters_codes[CODES] = {"unoptimised", "without YIELD", "optimised"};

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

static double value(const json_t *launch, const char *side, int i)
{
    const json_t *v = json_array_get(json_object_get(launch, side), (size_t)i);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

/* Relative to what was measured; NAN where either is not known. */
static double error_of(const json_t *launch, int i)
{
    double simulated = value(launch, "simulated", i), measured = value(launch, "measured", i);
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
static int is_within(const json_t *launch, const json_t *simulated, int i)
{
    double more = value(launch, "measured", i) - value(simulated, "simulated", i);
    if (counters[i].simulated == METRIC_GLD_REQUESTS)
        return more <= 0 && -more <= record_number(launch, "mixed");
    return counters[i].simulated == METRIC_GLD_SECTORS && more >= 0 && more <= record_number(launch, "mixed_sectors");
}

static int is_wrong(const json_t *launch, const json_t *simulated, int i)
{
    if (is_code(launch, CODE_OPTIMISED) || value(simulated, "simulated", i) == value(launch, "measured", i) ||
        (has(launch, "yields") && !counters[i].threads))
        return 0;
    return !has(launch, "mixed") || !is_within(launch, simulated, i);
}

json_t *counters_exception(const json_t *record, const json_t *launch)
{
    size_t i;
    json_t *known;
    json_array_foreach(json_object_get(record, "exceptions"), i, known)
        if (record_number(known, "seed") == record_number(launch, "seed") && !strcmp(record_text(known, "code"), record_text(launch, "code")))
            return known;
    return NULL;
}

/* Is a counter wrong, by a row's simulated half? Says the first that is. */
static int any_wrong(const json_t *record, const json_t *launch, const json_t *simulated, const char *how, struct buf *why)
{
    for (int i = 0; i < COUNTERS; i++) {
        if (!is_wrong(launch, simulated, i))
            continue;
        const char *name = json_string_value(json_array_get(json_object_get(record, "metrics"), (size_t)i));
        buf_printf(why, "%s is %.10g%s, and %.10g on the GPU", name, value(simulated, "simulated", i), how, value(launch, "measured", i));
        return 1;
    }
    return 0;
}

int counters_wrong(const json_t *record, const json_t *launch, struct buf *why)
{
    const json_t *known = counters_exception(record, launch);
    if (any_wrong(record, launch, launch, "", why) && !known)
        return 1;
    if (known && !why->len) {
        buf_printf(why, "nothing is wrong with this exception any more: %s", record_text(known, "cause"));
        return 1;
    }
    return known && any_wrong(record, launch, known, " with ptxas's regions", why);
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
};

static int is_of(const json_t *launch, const struct kind *k)
{
    return is_code(launch, k->code) && has(launch, "yields") == k->yields && has(launch, "mixed") == k->mixed;
}

struct summary {
    int launches, equal[COUNTERS], all;
    double worst;
    const json_t *launch;
    int counter;
};

static void add(struct summary *s, const json_t *launch)
{
    int all = 1;
    s->launches++;
    for (int i = 0; i < COUNTERS; i++) {
        double error = error_of(launch, i);
        s->equal[i] += error == 0;
        all &= error == 0;
        if (error > s->worst) {
            s->worst = error;
            s->launch = launch;
            s->counter = i;
        }
    }
    s->all += all;
}

static void print_summary(const struct summary *s, const char *name, struct buf *out)
{
    buf_printf(out, "| %s | %d | %d |", name, s->launches, s->all);
    for (int i = 0; i < COUNTERS; i++)
        buf_printf(out, " %d |", s->equal[i]);
    if (s->launch)
        buf_printf(out, " %.3g%%: %.10g for %.10g, seed %.0f |\n", 100 * s->worst, value(s->launch, "simulated", s->counter),
                   value(s->launch, "measured", s->counter), record_number(s->launch, "seed"));
    else
        buf_printf(out, " 0 |\n");
}

void counters_table(const json_t *record, struct buf *out)
{
    size_t i;
    json_t *launch;
    buf_printf(out, "| machine code | kernels | equal in all | load requests | load sectors | store requests | store sectors | "
                    "atomic requests | atomic sectors | threads that load | that store | with atomics | worst |\n"
                    "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct summary s = {0};
        json_array_foreach(json_object_get(record, "launches"), i, launch)
            if (is_of(launch, &kinds[k]))
                add(&s, launch);
        if (s.launches)
            print_summary(&s, kinds[k].name, out);
    }
}

void counters_exceptions(const json_t *record, struct buf *out)
{
    size_t i;
    json_t *known;
    json_array_foreach(json_object_get(record, "exceptions"), i, known)
        buf_printf(out, "%s- seed %.0f: %s\n", i ? "" : "\nEqual only with the regions that ptxas made, read from its machine code:\n\n", record_number(known, "seed"), record_text(known, "cause"));
}
