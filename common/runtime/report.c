/* report.c - the report at a program's end, in the columns of nvprof: kernels and copies by
 * time, calls of the API, memory that was never freed. Times of a simulated GPU are modelled, as
 * the heading says. */
#include "runtime/runtime.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

struct row {
    const char *name;
    unsigned long calls;
    double ms, least, most, bytes;
};

static int slower_first(const void *a, const void *b)
{
    double x = ((const struct row *)a)->ms, y = ((const struct row *)b)->ms;
    return x < y ? 1 : x > y ? -1 : 0;
}

static struct row row_of(const struct function *f)
{
    struct row r = {.name = f->name, .least = INFINITY};
    for (const struct launch_record *l = f->records; l; l = l->next) {
        if (!l->calls) continue;
        r.calls += l->calls;
        r.ms += l->total_ms;
        r.least = fmin(r.least, l->ms);
        r.most = fmax(r.most, l->ms);
    }
    return r;
}

/* A time as nvprof writes it: "1.234 ms". */
static const char *time_text(double ms, char *out, size_t size)
{
    const char *unit = ms >= 1000 ? "s" : ms >= 1 ? "ms" : ms >= 1e-3 ? "us" : "ns";
    double v = ms >= 1000 ? ms / 1000 : ms >= 1 ? ms : ms >= 1e-3 ? ms * 1e3 : ms * 1e6;
    snprintf(out, size, "%.4g%s", v, unit);
    return out;
}

static void print_rows(struct row *rows, size_t count, double sum, struct buf *out)
{
    char t[4][24];
    qsort(rows, count, sizeof *rows, slower_first);
    for (size_t i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        buf_printf(out, "%6.2f%% %9s %7lu %9s %9s %9s  %s\n", sum > 0 ? 100 * r->ms / sum : 0,
            time_text(r->ms, t[0], sizeof t[0]), r->calls,
            time_text(r->ms / (double)r->calls, t[1], sizeof t[1]),
            time_text(r->least, t[2], sizeof t[2]), time_text(r->most, t[3], sizeof t[3]), r->name);
    }
    for (size_t i = 0; i < count; i++)
        if (rows[i].bytes > 0)
            buf_printf(out, "%s: %.4g MB, %.4g GB/s\n", rows[i].name, rows[i].bytes * 1e-6,
                rows[i].bytes * 1e-6 / rows[i].ms);
}

static int more_first(const void *a, const void *b)
{
    unsigned long x = (*(const struct api_call *const *)a)->calls,
                  y = (*(const struct api_call *const *)b)->calls;
    return x < y ? 1 : x > y ? -1 : 0;
}

static void print_calls(const struct api_call *calls, struct buf *out)
{
    const struct api_call **list = NULL;
    size_t count = 0, cap = 0;
    for (const struct api_call *c = calls; c; c = c->next) *VEC_PUSH(list, count, cap) = c;
    qsort(list, count, sizeof *list, more_first);
    size_t column = out->len;
    buf_printf(out, "API calls:");
    for (size_t i = 0; i < count; i++) {
        char *one =
            xasprintf(" %s %lu%s", list[i]->name, list[i]->calls, i + 1 < count ? "," : "\n");
        if (out->len - column + strlen(one) > COLUMNS + (i + 1 == count)) {
            buf_printf(out, "\n  ");
            column = out->len - 2;
        }
        buf_printf(out, "%s", one);
        free(one);
    }
    free(list);
}

/* The rows of the report: all kernels, then all kinds of copies. *sum: the time of all rows in
 * milliseconds. The caller frees the list. */
static struct row *all_rows(size_t *count, double *sum)
{
    struct row *rows = NULL;
    size_t cap = 0;
    *count = 0, *sum = 0;
    for (const struct function *f = registry_functions(); f; f = f->next)
        if (f->records && row_of(f).calls) *VEC_PUSH(rows, *count, cap) = row_of(f);
    for (int k = 0; k < COPY_KINDS; k++) {
        const struct copy_sum *c = &copies[k];
        if (c->calls)
            *VEC_PUSH(rows, *count, cap) =
                (struct row){copy_names[k], c->calls, c->ms, c->least, c->most, c->bytes};
    }
    for (size_t i = 0; i < *count; i++) *sum += rows[i].ms;
    return rows;
}

static int is_simulated(void) { return device_simulated(device_name(runtime.device)); }

void report_print(const struct api_call *calls)
{
    size_t count;
    double sum;
    struct buf out = {0}, leaks = {0};
    struct row *rows = all_rows(&count, &sum);
    buf_printf(&out,
        "lockstep: times are %s %s\n Time(%%)      Time   Calls       Avg       Min       Max  Name\n",
        is_simulated() ? "modelled for" : "measured on", device_title(runtime.device));
    print_rows(rows, count, sum, &out);
    print_calls(calls, &out);
    int lost = memory_leaks(&leaks);
    if (lost) buf_printf(&out, "never freed:\n%s", leaks.data);
    fflush(stdout);
    fputs(out.data, stderr);
    buf_free(&out);
    buf_free(&leaks);
    free(rows);
}

/* What the checks and faults found, for the JSON. */
static struct found {
    enum finding_kind kind;
    char *text;
} * found;
static size_t found_count, found_cap;

void report_finding(const struct err *e)
{
    *VEC_PUSH(found, found_count, found_cap) = (struct found){e->found.kind, xstrdup(e->text)};
}

static void json_findings(struct buf *out)
{
    buf_printf(out, ",\n  \"findings\": [");
    for (size_t i = 0; i < found_count; i++) {
        buf_printf(out, "%s\n    {\"kind\": \"%s\", \"text\": ", i ? "," : "",
            finding_names[found[i].kind]);
        trace_string(out, found[i].text);
        buf_printf(out, "}");
    }
    buf_printf(out, "]");
}

void report_json(const struct api_call *calls, const char *file)
{
    size_t count;
    double sum;
    struct err e = {0};
    struct buf out = {0}, leaks = {0};
    struct row *rows = all_rows(&count, &sum);
    qsort(rows, count, sizeof *rows, slower_first);
    buf_printf(&out, "{\n  \"device\": ");
    trace_string(&out, device_title(runtime.device));
    buf_printf(
        &out, ",\n  \"time_is\": \"%s\",\n  \"rows\": [", is_simulated() ? "modelled" : "measured");
    for (size_t i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        buf_printf(&out, "%s\n    {\"name\": ", i ? "," : "");
        trace_string(&out, r->name);
        buf_printf(&out, ", \"kind\": \"%s\", \"calls\": %lu", *r->name == '[' ? "copy" : "kernel",
            r->calls);
        buf_printf(
            &out, ", \"ms\": %.9g, \"min_ms\": %.9g, \"max_ms\": %.9g", r->ms, r->least, r->most);
        if (r->bytes > 0) buf_printf(&out, ", \"bytes\": %.0f", r->bytes);
        buf_printf(&out, "}");
    }
    buf_printf(&out, "\n  ],\n  \"api_calls\": {");
    for (const struct api_call *c = calls; c; c = c->next)
        buf_printf(&out, "%s\n    \"%s\": %lu", c == calls ? "" : ",", c->name, c->calls);
    buf_printf(&out, "\n  },\n  \"never_freed\": %d", memory_leaks(&leaks));
    json_findings(&out);
    buf_printf(&out, "\n}\n");
    if (file_write(file, out.data, out.len, &e)) runtime_say("LOCKSTEP_JSON: %s", e.text);
    buf_free(&out), buf_free(&leaks);
    free(rows);
}
