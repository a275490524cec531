/* measured.c - lockstep-hardware measured: write the tables of tests/hardware/README.md from the
 * records.
 *
 *     <!-- measured NAME -->
 *     ...                        replaced by the table NAME
 *     <!-- end measured -->
 *
 *     NAME                                   record
 *     matmul, transpose, aat, shape          h200-ladder.json, all sizes; matmul-2048: one size;
 *                                            matmul-2048-06: that size, kernels of labs 01 to 06 only, for a slide
 *     crosscheck, crosscheck-times           h200-crosscheck.json
 *     others, others-times                   h200-others.json
 *     courses                                summaries of h200-courses-nvcc.json and h200-courses-clang.json
 *                                            for kernels set aside and not set aside (courses.h)
 *     courses-nvcc, courses-clang            one of these records, the kernels not set aside
 *     tuning                                 h200-tuning-nvcc.json, h200-tuning-clang.json: their sums
 *     tuning-nvcc, tuning-clang              one of them
 *     unrolled                               ptxas-unrolled-nvcc.json, ptxas-unrolled-clang.json
 *     differential                           h200-differential.json
 *     probes                                 h200-probes.json
 *     chart                                  h200-ladder.json: an SVG of C = A B, for README.md; --dark
 *     transfers                              h200-transfers.json; it stands in labs/01-naive/README.md
 */
#include "hardware/hardware.h"
#include "hardware/marked.h"
#include "hardware/unrolled.h"
#include "hardware/courses.h"
#include "hardware/crosscheck.h"
#include "exercise/exercise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All records, open at the same time. */
struct records {
    struct kit kit;
    json_t *ladder, *crosscheck, *others, *courses[2], *tuning[2], *unrolled[2], *differential,
        *probes, *transfers;
};

/* The sentence above a table: on which GPU, when and by which command it was measured. */
static void print_source(const json_t *record, struct buf *out)
{
    const json_t *machine = json_object_get(record, "machine");
    buf_printf(out, "Measured on one %s on %s by `%s`; driver %s", record_text(machine, "gpu"),
        record_text(record, "date"), record_text(record, "command"),
        record_text(machine, "driver"));
    if (*record_text(machine, "cuda"))
        buf_printf(out, ", CUDA %s, cuBLAS %s", record_text(machine, "cuda"),
            record_text(machine, "cublas"));
    buf_printf(out, "; kernels by %s.\n\n", record_text(record, "front_end"));
}

/* ---- ladders: the kernels for a problem, from naive to best (exercise.h) ---- */

/* The table of a ladder while it is printed. before, first: times in ms of the row above and of the
 * first row; NAN if there are none. */
struct ladder {
    const json_t *record;
    const char *name;
    const struct problem *problem;
    int dims[DIMS];
    double before, first;
    /* the last lab that is shown, two digits; NULL: all labs, and the error of C */
    const char *last;
    int errors; /* 1: rows of this size have an error of C */
    struct buf *out;
};

/* Whether a row belongs to this ladder and size. */
static int at_size(const struct ladder *l, const json_t *row)
{
    int d[DIMS];
    record_dims(row, d);
    return !strcmp(record_text(row, "ladder"), l->name) && !memcmp(d, l->dims, sizeof d);
}

static void print_ratio(struct buf *out, double v)
{
    buf_printf(out, " | ");
    buf_rounded(out, v);
    buf_printf(out, isfinite(v) ? "x" : "");
}

static void print_time(const struct ladder *l, double ms)
{
    buf_rounded(l->out, ms);
    buf_printf(l->out, " | ");
    buf_rounded(l->out, problem_rate(l->problem, l->dims, ms));
}

/* Append the cell with the error of C, if the table has that column, and the end of the row. */
static void print_error(const struct ladder *l, const json_t *row)
{
    double error = record_number(row, "error");
    if (l->errors && isfinite(error))
        buf_printf(l->out, " %.1e |", error);
    else if (l->errors)
        buf_printf(l->out, " - |");
    buf_printf(l->out, "\n");
}

/* Whether one of these rows, at this size, has the error of C. */
static int have_errors(const struct ladder *l, const char *rows)
{
    size_t i;
    json_t *row;
    int found = 0;
    json_array_foreach(json_object_get(l->record, rows), i, row) found |=
        at_size(l, row) && isfinite(record_number(row, "error"));
    return found;
}

/* Append a rung's row. A copy is an upper bound for a transpose, not a rung, so it has no ratios.
 * In the ladder "shape", rungs do not follow each other either: they are only compared with the
 * first. */
static void print_rung(struct ladder *l, const json_t *row)
{
    double ms = record_number(row, "ms"), modelled = record_number(row, "modelled_ms");
    int bound = !strcmp(record_text(row, "exercise"), "copy"), is_shape = !strcmp(l->name, "shape");
    buf_printf(l->out, "| %s | %s | ", record_text(row, "rung"), record_text(row, "lab"));
    print_time(l, ms);
    print_ratio(l->out, bound || is_shape ? NAN : l->before / ms);
    print_ratio(l->out, bound ? NAN : l->first / ms);
    buf_printf(l->out, " | ");
    buf_rounded(l->out, modelled);
    if (isfinite(modelled))
        buf_printf(l->out, " | %+.0f%% |", 100 * (modelled / ms - 1));
    else
        buf_printf(l->out, " | - |");
    print_error(l, row);
    if (!bound) {
        l->before = ms;
        if (isnan(l->first)) l->first = ms;
    }
}

/* The table for one size: the rungs, then NVIDIA's routines. */
static void print_size(struct ladder *l)
{
    size_t i;
    json_t *row;
    char *size = problem_size(l->problem, l->dims);
    l->before = l->first = NAN;
    l->errors = !l->last && (have_errors(l, "rows") || have_errors(l, "ceilings"));
    buf_printf(l->out,
        "%s:\n\n| rung | lab | ms | %s | over the one before | over the first | ms (modelled) | error |%s\n"
        "|---|---|---|---|---|---|---|---|%s\n",
        size, l->problem->unit, l->errors ? " error of C |" : "", l->errors ? "---|" : "");
    free(size);
    json_array_foreach(json_object_get(l->record, "rows"), i,
        row) if (at_size(l, row) && (!l->last || strncmp(record_text(row, "lab"), l->last, 2) <= 0))
        print_rung(l, row);
    json_array_foreach(json_object_get(l->record, "ceilings"), i, row) if (at_size(l, row))
    {
        buf_printf(l->out, "| *%s* | ceiling | ", record_text(row, "name"));
        print_time(l, record_number(row, "ms"));
        buf_printf(l->out, " | - | - | - | - |");
        print_error(l, row);
    }
}

/* Print the tables of a ladder. name is LADDER, which means all sizes, LADDER-SIZE or
 * LADDER-SIZE-LAB. */
static int print_ladder(const struct records *r, const char *name, struct buf *out, struct err *e)
{
    char *ladder = xstrndup(name, strcspn(name, "-"));
    int wanted = name[strlen(ladder)] ? atoi(name + strlen(ladder) + 1) : 0, sizes = 0;
    const char *lab = wanted ? strchr(name + strlen(ladder) + 1, '-') : NULL;
    struct ladder l = {
        .record = r->ladder, .name = ladder, .out = out, .last = lab ? lab + 1 : NULL};
    size_t i;
    json_t *row;
    l.problem = problem_find(strcmp(ladder, "shape") ? ladder : "transpose");
    if (l.problem) print_source(r->ladder, out);
    json_array_foreach(json_object_get(r->ladder, "rows"), i, row)
    {
        int d[DIMS];
        record_dims(row, d);
        if (!l.problem || strcmp(record_text(row, "ladder"), ladder) ||
            !memcmp(d, l.dims, sizeof d) || (wanted && d[0] != wanted))
            continue;
        memcpy(l.dims, d, sizeof d);
        buf_printf(out, sizes++ ? "\n" : "");
        print_size(&l);
    }
    free(ladder);
    return sizes ? 0
                 : err_set(e, ERR_USAGE, "%s: nothing of that name and size was measured", name);
}

/* Add the rows of this ladder and size to a chart. Returns the new number of rungs. */
static int chart_rows(
    const struct ladder *l, const char *key, struct figure_rung *rungs, int count, int most)
{
    size_t i;
    json_t *row;
    int ceiling = !strcmp(key, "ceilings");
    json_array_foreach(json_object_get(l->record, key), i, row) if (at_size(l, row) && count < most)
        rungs[count++] = (struct figure_rung){record_text(row, ceiling ? "name" : "rung"),
            ceiling ? "" : record_text(row, "lab"), record_number(row, "ms"),
            ceiling ? NAN : record_number(row, "modelled_ms"), ceiling};
    return count;
}

/* The ladder of C = A B at 2048 as a chart. Labs are shown by their numbers. */
static int print_chart(const struct records *r, int dark, struct buf *out, struct err *e)
{
    enum { MOST = 32 };
    struct figure_rung rungs[MOST];
    char labs[MOST][3];
    struct ladder l = {.record = r->ladder,
        .name = "matmul",
        .problem = problem_find("matmul"),
        .dims = {2048, 2048, 2048}};
    int count = chart_rows(&l, "rows", rungs, 0, MOST);
    count = chart_rows(&l, "ceilings", rungs, count, MOST);
    if (!count) return err_set(e, ERR_ENV, "the record has no ladder of this size");
    for (int i = 0; i < count; i++) {
        snprintf(labs[i], sizeof labs[i], "%.2s", rungs[i].lab);
        rungs[i].lab = labs[i];
    }
    const json_t *machine = json_object_get(r->ladder, "machine");
    char *title = xasprintf("C = A B, m = k = n = %d: from the first kernel to cuBLAS", l.dims[0]),
         *source = xasprintf("On one %s, %s; CUDA %s, cuBLAS %s; kernels by %s.",
             record_text(machine, "gpu"), record_text(r->ladder, "date"),
             record_text(machine, "cuda"), record_text(machine, "cublas"),
             record_text(r->ladder, "front_end"));
    figure_ladder(rungs, count, title, source, out);
    if (dark) figure_dark(out);
    free(title), free(source);
    return 0;
}

/* Append what was run, and a line for each mismatch. */
static void print_differential(const json_t *record, struct buf *out)
{
    size_t i;
    json_t *row;
    print_source(record, out);
    buf_printf(out,
        "| kernels | from seed | comparisons | mismatches |\n|---|---|---|---|\n| %.0f | %.0f | %.0f | %.0f "
        "|\n",
        record_number(record, "kernels"), record_number(record, "seed"),
        record_number(record, "comparisons"), record_number(record, "mismatches"));
    json_array_foreach(json_object_get(record, "found"), i, row)
        buf_printf(out, "\nSeed %.0f, %s: %s.\n", record_number(row, "seed"),
            record_text(row, "way"), record_text(row, "what"));
}

/* ---- probes ---- */

static void print_cell(struct buf *out, const json_t *row, const char *key)
{
    buf_printf(out, " | ");
    buf_rounded(out, record_number(row, key));
}

/* A row per figure: the profile's value, what the simulator's probe finds, what the GPU's probe
 * found. */
static void print_probes(const json_t *record, struct buf *out)
{
    size_t i;
    json_t *row;
    buf_printf(out,
        "| figure | unit | profile | simulated | measured | what is timed |\n|---|---|---|---|---|---|\n");
    json_array_foreach(json_object_get(record, "figures"), i, row)
    {
        buf_printf(out, "| `%s` | %s", record_text(row, "figure"), record_text(row, "unit"));
        print_cell(out, row, "profile");
        print_cell(out, row, "simulated");
        print_cell(out, row, "measured");
        buf_printf(out, " | %s |\n", record_text(row, "how"));
    }
}

/* ---- courses ---- */

/* Append the table of a name: the kernels of courses by one compiler that are not set aside,
 * summaries of all of them by both compilers, or all kernels of tests/hardware/tuning. Returns 0 if
 * it is another name. */
static int print_courses(const struct records *r, const char *name, struct buf *out)
{
    int clang = !strcmp(name, "courses-clang");
    if (clang || !strcmp(name, "courses-nvcc")) {
        print_source(r->courses[clang], out);
        courses_table(r->courses[clang], 0, out);
        return 1;
    }
    if (!strcmp(name, "tuning-nvcc") || !strcmp(name, "tuning-clang")) {
        const json_t *record = r->tuning[!strcmp(name, "tuning-clang")];
        print_source(record, out);
        courses_table(record, 0, out);
        return 1;
    }
    int tuning = !strcmp(name, "tuning");
    if (strcmp(name, "courses") && !tuning) return 0;
    courses_heading(out);
    for (int i = 0; i < 2 && tuning; i++) courses_summary(r->tuning[i], 0, out);
    for (int aside = 0; aside < 2 && !tuning; aside++)
        for (int i = 0; i < 2; i++) courses_summary(r->courses[i], aside, out);
    return 1;
}

static void print_unrolled(const struct records *r, struct buf *out)
{
    unrolled_heading(out);
    for (int i = 0; i < 2; i++)
        for (int aside = 0; aside < 2; aside++) unrolled_summary(r->unrolled[i], aside, out);
}

/* Append the table of transfers, with few digits. */
static void print_transfers(const json_t *record, struct buf *out)
{
    const json_t *row, *machine = json_object_get(record, "machine");
    size_t i;
    buf_printf(out,
        "On one %s, `%s` (driver %s; median of %.0f runs):\n\n| %.0f MiB each way | ms | GB/s |\n"
        "|---|---|---|\n",
        record_text(machine, "gpu"), record_text(record, "command"), record_text(machine, "driver"),
        record_number(record, "runs"), record_number(record, "mib"));
    json_array_foreach(json_object_get(record, "rows"), i, row)
    {
        double gbps = record_number(row, "gbps");
        buf_printf(out, "| %s | %.3g | ", record_text(row, "title"), record_number(row, "ms"));
        buf_printf(out, isnan(gbps) ? "|\n" : gbps < 1 ? "%.2f |\n" : "%.1f |\n", gbps);
    }
}

/* Append the table `name`. A name that is not listed here is taken as that of a ladder
 * (print_ladder). */
static int print_named(const struct records *r, const char *name, struct buf *out, struct err *e)
{
    if (!strcmp(name, "differential")) {
        print_differential(r->differential, out);
        return 0;
    }
    if (!strcmp(name, "crosscheck") || !strcmp(name, "crosscheck-times")) {
        print_source(r->crosscheck, out);
        (strcmp(name, "crosscheck") ? crosscheck_times : crosscheck_table)(r->crosscheck, out);
        return 0;
    }
    if (!strcmp(name, "others") || !strcmp(name, "others-times")) {
        print_source(r->others, out);
        (strcmp(name, "others") ? crosscheck_times : crosscheck_l2)(r->others, out);
        return 0;
    }
    if (!strcmp(name, "unrolled")) {
        print_unrolled(r, out);
        return 0;
    }
    if (!strcmp(name, "transfers")) {
        print_transfers(r->transfers, out);
        return 0;
    }
    if (!strcmp(name, "probes")) {
        print_source(r->probes, out);
        print_probes(r->probes, out);
        return 0;
    }
    return print_courses(r, name, out) ? 0 : print_ladder(r, name, out, e);
}

/* ---- the document ---- */

static int make_marked(
    void *context, const char *name, const char *old, struct buf *out, struct err *e)
{
    (void)old;
    return print_named(context, name, out, e);
}

/* Write a document if its tables changed; with check, a change is an error. */
static int update_one(struct records *r, const char *document, int check, struct err *e)
{
    char *file = kit_path(&r->kit, "%s", document);
    int stale = 0, bad = marked_update(file, "measured", make_marked, r, check, &stale, e);
    if (!bad && check && stale)
        bad = err_set(e, ERR_ENV,
            "%s: its tables are not the recorded data: run lockstep-hardware measured", file);
    if (!bad && !stale) printf("%s: its measured tables are the recorded data\n", file);
    free(file);
    return bad;
}

static int update(struct records *r, int check, struct err *e)
{
    return update_one(r, "tests/hardware/README.md", check, e) ||
                   update_one(r, "labs/01-naive/README.md", check, e)
               ? -1
               : 0;
}

/* Read every record. All of them are closed by the caller, even after an error. */
static int open_records(struct records *r, struct err *e)
{
    if (kit_find(&r->kit, e)) return -1;
    const struct {
        const char *what;
        json_t **to;
    } all[] = {{"ladder", &r->ladder}, {"crosscheck", &r->crosscheck}, {"others", &r->others},
        {"courses-nvcc", &r->courses[0]}, {"courses-clang", &r->courses[1]},
        {"tuning-nvcc", &r->tuning[0]}, {"tuning-clang", &r->tuning[1]},
        {"differential", &r->differential}, {"probes", &r->probes}, {"transfers", &r->transfers}};
    int bad = 0;
    for (size_t i = 0; !bad && i < sizeof all / sizeof *all; i++) {
        char *file = record_file(&r->kit, NULL, all[i].what);
        bad = record_read(file, all[i].to, e);
        free(file);
    }
    for (int i = 0; !bad && i < 2; i++) {
        char *file = unrolled_record(&r->kit, i ? "clang" : "nvcc");
        bad = record_read(file, &r->unrolled[i], e);
        free(file);
    }
    return bad;
}

int command_measured(int argc, char **argv, struct err *e)
{
    const char *check = NULL, *name = NULL, *dark = NULL;
    const struct option_spec specs[] = {{"--check", &check, 1}, {"--dark", &dark, 1}, {0}};
    struct records r = {0};
    struct buf out = {0};
    if (options_parse(argc, argv, specs, &name, 1, e) < 0) return -1;
    int bad = open_records(&r, e);
    int chart = name && !strcmp(name, "chart");
    if (!bad && name &&
        !(bad = chart ? print_chart(&r, dark != NULL, &out, e) : print_named(&r, name, &out, e)))
        fwrite(out.data, 1, out.len, stdout);
    else if (!bad && !name)
        bad = update(&r, check != NULL, e);
    json_decref(r.ladder);
    json_decref(r.crosscheck);
    json_decref(r.others);
    json_decref(r.courses[0]);
    json_decref(r.courses[1]);
    json_decref(r.tuning[0]);
    json_decref(r.tuning[1]);
    json_decref(r.unrolled[0]);
    json_decref(r.unrolled[1]);
    json_decref(r.differential);
    json_decref(r.probes);
    json_decref(r.transfers);
    buf_free(&out);
    kit_free(&r.kit);
    return bad ? -1 : 0;
}
