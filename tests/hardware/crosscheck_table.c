/* crosscheck_table.c - read ncu's CSV, compare it with the simulator, and print the tables.
 *
 *     "ID","Kernel Name",...,"l1tex__...sum",...     names of the columns
 *     "","",...,"",...                               units
 *     "0","matmul_naive",...,"1,048,576",...         a line per launch
 */
#include "hardware/crosscheck.h"
#include "exercise/exercise.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV: "a","b ""c""",... ---- */

/* Copy the field at *p into out without its quotes, and advance *p behind its comma. Returns 0
 * at the end of the line. A field that is longer than out is cut off. */
static int next_field(const char **p, char *out, size_t size)
{
    const char *s = *p;
    size_t n = 0;
    if (!*s || *s == '\n' || *s == '\r') return 0;
    if (*s == '"') {
        for (s++; *s && (*s != '"' || s[1] == '"'); s++) {
            s += *s == '"';
            if (n + 1 < size) out[n++] = *s;
        }
        s += *s == '"';
    } else {
        for (; *s && *s != ',' && *s != '\n' && *s != '\r'; s++)
            if (n + 1 < size) out[n++] = *s;
    }
    out[n] = 0;
    *p = s + (*s == ',');
    return 1;
}

static const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return *p ? p + 1 : p;
}

/* Read "1,048,576.5", without its commas. NAN for any other text, such as "n/a". */
static double number_of(const char *text)
{
    char plain[64], *end;
    size_t n = 0;
    for (; *text && n + 1 < sizeof plain; text++)
        if (*text != ',') plain[n++] = *text;
    plain[n] = 0;
    double v = strtod(plain, &end);
    return n && !*end ? v : NAN;
}

enum { FIELD = 16384 };

/* Whether the kernel is one of the kit's own, which clear the caches. Their launches are left
 * out. */
static int is_own(const char *kernel) { return !strncmp(kernel, "lockstep_", 9); }

/* Whether a column is that of a name. Only the part of the name before ':' is in the header. */
static int is_column_of(const char *name, const char *header)
{
    size_t n = strcspn(name, ":");
    return strlen(header) == n && !strncmp(header, name, n);
}

/* The value that a cell holds for a name. Without an opcode it is the number itself. With an
 * opcode it is that part of "3,072 (LDG: 2,048; STG: 1,024)", or 0 if the opcode is not listed. */
static double value_for(const char *cell, const char *name)
{
    char part[64] = "";
    const char *opcode = strchr(name, ':'), *at = strchr(cell, '(');
    if (!opcode) return number_of(cell);
    if (!at) return number_of(cell) == 0 ? 0 : NAN;
    for (size_t n = strlen(++opcode); at; at = strchr(at, ';')) {
        at += 1 + strspn(at + 1, " ");
        if (strncmp(at, opcode, n) || at[n] != ':') continue;
        at += n + 1 + strspn(at + n + 1, " ");
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, ";)"), at);
        return number_of(part);
    }
    return 0;
}

/* Find the columns of the kernel's name and of each metric in the first line; -1 if there is
 * none. Returns how many metrics were found. */
static int find_columns(
    const char *header, const char *const *names, int count, int *column_of, int *kernel_column)
{
    char *field = xcalloc(FIELD, 1);
    int found = 0;
    *kernel_column = -1;
    for (int i = 0; i < count; i++) column_of[i] = -1;
    for (int column = 0; next_field(&header, field, FIELD); column++) {
        if (!strcmp(field, "Kernel Name")) *kernel_column = column;
        for (int i = 0; i < count; i++)
            if (is_column_of(names[i], field)) {
                column_of[i] = column;
                found++;
            }
    }
    free(field);
    return found;
}

/* A launch of one of the kit's own kernels is read and then dropped: the next launch overwrites
 * its row. */
int crosscheck_parse(
    const char *csv, const char *const *names, int count, double **values, struct err *e)
{
    int *column_of = xcalloc((size_t)count + 1, sizeof *column_of), launches = 0, kernel_column;
    char *field = xcalloc(FIELD, 1);
    while (*csv &&
           strncmp(csv, "\"ID\",", 5)) /* skip the lines that ncu and the program printed before */
        csv = next_line(csv);
    int found = find_columns(csv, names, count, column_of, &kernel_column);
    *values = NULL;
    /* the second line holds units */
    for (csv = next_line(next_line(csv)); found && *csv == '"'; csv = next_line(csv)) {
        *values = xrealloc(*values, sizeof **values * (size_t)count * (size_t)(launches + 1));
        double *row = *values + (size_t)count * (size_t)launches++;
        const char *p = csv;
        for (int i = 0; i < count; i++) row[i] = NAN;
        for (int column = 0; next_field(&p, field, FIELD); column++) {
            for (int i = 0; i < count; i++)
                if (column_of[i] == column) row[i] = value_for(field, names[i]);
            launches -= column == kernel_column && is_own(field);
        }
    }
    free(field);
    free(column_of);
    return found ? launches : err_set(e, ERR_ENV, "ncu wrote no table with these metrics");
}

/* ---- comparing ---- */

/* One number of a row; side is "simulated" or "measured". NAN if it is null. */
static double value(const json_t *kernel, const char *side, int metric)
{
    const json_t *v = json_array_get(json_object_get(kernel, side), (size_t)metric);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

/* The index of a metric in the record, or -1. */
static int metric_named(const json_t *record, const char *name)
{
    size_t i;
    json_t *v;
    json_array_foreach(json_object_get(record, "metrics"), i,
        v) if (!strcmp(json_string_value(v), name)) return (int)i;
    return -1;
}

static const char *name_of(const json_t *record, int metric)
{
    return json_string_value(json_array_get(json_object_get(record, "metrics"), (size_t)metric));
}

/* The metric with the wavefronts of the same accesses as a bank conflict metric; -1 for any other
 * metric.
 *     l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum ->
 *     l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum */
static int passes_of(const json_t *record, const char *conflicts)
{
    const char *at = strstr(conflicts, "_mem_shared_op_");
    if (!at || !strstr(conflicts, "bank_conflicts")) return -1;
    char *name = xasprintf("l1tex__data_pipe_lsu_wavefronts%s", at);
    int i = metric_named(record, name);
    free(name);
    return i;
}

/* Does a GPU count more or fewer instructions of this kernel under the metric's name? Its shared
 * loads include asynchronous copies, in varying number; its wavefronts by instruction leave out
 * ldmatrix. */
static int counts_otherwise(const json_t *record, const json_t *kernel, int metric)
{
    static const struct {
        const char *metric, *where;
    } rows[] = {
        {"smsp__inst_executed_op_shared_ld.sum", "sm__sass_inst_executed_op_ldgsts.sum"},
        {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            "smsp__inst_executed_op_ldsm.sum"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int where = metric_named(record, rows[i].where);
        if (!strcmp(name_of(record, metric), rows[i].metric) && where >= 0 &&
            value(kernel, "simulated", where) > 0)
            return 1;
    }
    return 0;
}

/* If the value to compare with is 0, the error is relative to the larger of both values. */
double crosscheck_error(const json_t *record, const json_t *kernel, int metric)
{
    double simulated = value(kernel, "simulated", metric),
           measured = value(kernel, "measured", metric);
    int passes = passes_of(record, name_of(record, metric));
    double against = passes >= 0 ? value(kernel, "measured", passes) : measured;
    if (counts_otherwise(record, kernel, metric)) return NAN;
    if (isnan(simulated) || isnan(measured) || simulated == measured)
        return simulated == measured ? 0 : NAN;
    return fabs(simulated - measured) / (against > 0 ? against : fmax(simulated, measured));
}

/* One metric over all kernels: how many have both values, are equal, or are within a limit; and
 * the worst of them. */
struct summary {
    int metric, kernels, equal, within, near;
    double worst;
    const json_t *kernel;
};
/* errors that are allowed, for wavefronts and for L2 traffic */
enum { WITHIN_PERCENT = 2, NEAR_PERCENT = 15 };

/* The largest error first. Equal errors keep the order of the metrics. */
static int by_worst(const void *a, const void *b)
{
    const struct summary *x = a, *y = b;
    if (x->worst != y->worst) return x->worst < y->worst ? 1 : -1;
    return x->metric - y->metric;
}

/* The summary of a metric. Kernels without both values are not counted. */
static struct summary summarise(const json_t *record, int metric)
{
    struct summary s = {.metric = metric};
    size_t i;
    json_t *kernel;
    json_array_foreach(json_object_get(record, "kernels"), i, kernel)
    {
        double error = crosscheck_error(record, kernel, metric);
        if (isnan(error)) continue;
        s.kernels++;
        s.equal += error == 0;
        s.within += error <= WITHIN_PERCENT / 100.0;
        s.near += error <= NEAR_PERCENT / 100.0;
        if (!s.kernel || error > s.worst) {
            s.worst = error;
            s.kernel = kernel;
        }
    }
    return s;
}

static void print_kernel(struct buf *out, const json_t *k)
{
    const char *lab = record_text(k, "lab");
    if (*lab >= '0' && *lab <= '9') /* the folder of the other kernels has no number */
        buf_printf(out, "%.2s ", lab);
    buf_printf(out, "`%s` %s", record_text(k, "kernel"), record_text(k, "size"));
}

void crosscheck_table(const json_t *record, struct buf *out)
{
    int count = (int)json_array_size(json_object_get(record, "metrics")), n = 0;
    struct summary *all = xcalloc((size_t)count, sizeof *all);
    for (int i = 0; i < count; i++) {
        struct summary s = summarise(record, i);
        if (s.kernels) all[n++] = s;
    }
    qsort(all, (size_t)n, sizeof *all, by_worst);
    buf_printf(out,
        "| metric | kernels | equal | within %d%% | within %d%% | worst error | where | simulated | measured "
        "|\n"
        "|---|---|---|---|---|---|---|---|---|\n",
        WITHIN_PERCENT, NEAR_PERCENT);
    for (int i = 0; i < n; i++) {
        const struct summary *s = &all[i];
        buf_printf(out, "| `%s` | %d | %d | %d | %d | ", name_of(record, s->metric), s->kernels,
            s->equal, s->within, s->near);
        if (s->worst > 0) {
            buf_printf(out, "%.3g%% | ", 100 * s->worst);
            print_kernel(out, s->kernel);
            buf_printf(out, " | %.10g | %.10g |\n", value(s->kernel, "simulated", s->metric),
                value(s->kernel, "measured", s->metric));
        } else {
            buf_printf(out, "0 | | | |\n");
        }
    }
    free(all);
}

/* Three cells: simulated, measured, error. */
static void print_pair(struct buf *out, const json_t *k, int metric)
{
    double simulated = value(k, "simulated", metric), measured = value(k, "measured", metric);
    buf_printf(
        out, " | %.0f | %.0f | %+.1f%%", simulated, measured, 100 * (simulated / measured - 1));
}

void crosscheck_l2(const json_t *record, struct buf *out)
{
    int reads = metric_named(record, model_metrics[METRIC_L2_READ_SECTORS].ncu);
    int writes = metric_named(record, model_metrics[METRIC_L2_WRITE_SECTORS].ncu);
    size_t i;
    json_t *k;
    buf_printf(out,
        "| kernel | sectors read: simulated | measured | error | written: simulated | measured | error |\n"
        "|---|---|---|---|---|---|---|\n");
    json_array_foreach(json_object_get(record, "kernels"), i, k)
    {
        buf_printf(out, "| `%s` %s", record_text(k, "kernel"), record_text(k, "size"));
        print_pair(out, k, reads);
        print_pair(out, k, writes);
        buf_printf(out, " |\n");
    }
}

/* Times of one kernel in microseconds. */
struct timing {
    const json_t *kernel;
    double modelled, measured;
};

/* The largest ratio first, whichever of the two times is longer: half and double are equally far
 * from equal. */
static int by_ratio(const void *a, const void *b)
{
    const struct timing *x = a, *y = b;
    double ex = fabs(log(x->modelled / x->measured)), ey = fabs(log(y->modelled / y->measured));
    return (ex < ey) - (ex > ey);
}

void crosscheck_times(const json_t *record, struct buf *out)
{
    int metric = metric_named(record, CROSSCHECK_TIME), n = 0;
    const json_t *kernels = json_object_get(record, "kernels");
    struct timing *all = xcalloc(json_array_size(kernels) + 1, sizeof *all);
    size_t i;
    json_t *kernel;
    json_array_foreach(kernels, i, kernel)
    {
        struct timing t = {kernel, value(kernel, "simulated", metric) / 1000,
            value(kernel, "measured", metric) / 1000};
        if (t.modelled > 0 && t.measured > 0) all[n++] = t;
    }
    qsort(all, (size_t)n, sizeof *all, by_ratio);
    buf_printf(out,
        "| kernel | modelled us | measured us | error | bottleneck in the model |\n|---|---|---|---|---|\n");
    for (int k = 0; k < n; k++) {
        buf_printf(out, "| ");
        print_kernel(out, all[k].kernel);
        buf_printf(out, " | ");
        buf_rounded(out, all[k].modelled);
        buf_printf(out, " | ");
        buf_rounded(out, all[k].measured);
        buf_printf(out, " | %+.0f%% | %s |\n", 100 * (all[k].modelled / all[k].measured - 1),
            record_text(all[k].kernel, "bottleneck"));
    }
    free(all);
}
