/* trace.c - LOCKSTEP_TRACE=file.json: a timeline of kernels and copies, for Perfetto and
 * chrome://tracing.
 *
 *     default stream  |copy in |kernel      |                  one row per stream; modelled times
 *     stream 1                      |kernel      |copy out|
 *
 * With LOCKSTEP_COUNT=all each kernel has its counters, by ncu's names, its registers and shared
 * memory, and the time of each part of the GPU.
 *
 * Source: Trace Event Format (Google); X is a complete event with ts and dur in microseconds, M
 * names a row. */
#define _GNU_SOURCE
#include "runtime/runtime.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EVENTS_MAX = 500000 };
static struct buf events;
static unsigned long count, dropped;
static int rows;

static const char *file(void)
{
    const char *name = getenv("LOCKSTEP_TRACE");
    return name && *name ? name : NULL;
}

void trace_string(struct buf *out, const char *text)
{
    buf_printf(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') buf_printf(out, "\\");
        if ((unsigned char)*text >= ' ') buf_printf(out, "%c", *text);
    }
    buf_printf(out, "\"");
}

/* Begin the JSON object of an event; the caller appends its members. */
static void begin_event(void) { buf_printf(&events, events.len ? ",\n{" : "{"); }

void trace_row(int row)
{
    if (!file() || row < rows) return;
    for (; rows <= row; rows++) {
        begin_event();
        buf_printf(&events,
            "\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":%d,\"args\":{\"name\":\"",
            rows);
        if (rows)
            buf_printf(&events, "stream %d\"}}", rows);
        else
            buf_printf(&events, "default stream\"}}");
    }
}

void trace_add(const char *name, const char *category, int row, double begin_ms, double ms,
    const char *fmt, ...)
{
    va_list ap;
    if (!file()) return;
    if (count == EVENTS_MAX) {
        dropped++;
        return;
    }
    count++;
    trace_row(row);
    va_start(ap, fmt);
    char *args = NULL;
    if (vasprintf(&args, fmt, ap) < 0) args = xstrdup("");
    va_end(ap);
    begin_event();
    buf_printf(&events, "\"ph\":\"X\",\"name\":");
    trace_string(&events, name);
    buf_printf(&events,
        ",\"cat\":\"%s\",\"pid\":0,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{%s}}", category,
        row, begin_ms * 1e3, ms * 1e3, args);
    free(args);
}

void trace_counters(struct buf *out, const struct function *f, const struct measurement *m)
{
    struct kernel_needs n = {0};
    if (!file() || !runtime.count_all || kernel_needs(f->kernel, &n)) return;
    buf_printf(
        out, ",\"registers\":%d,\"shared_static\":%zu,\"parts_ms\":{", n.registers, n.shared);
    for (int i = 1; i < MODEL_PARTS; i++)
        buf_printf(out, "%s\"%s\":%.9g", i > 1 ? "," : "", model_part_names[i], m->part_ms[i]);
    buf_printf(out, "},\"counters\":{");
    const char *between = "";
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (isnan(m->metrics.v[i])) continue;
        buf_printf(out, "%s\"%s\":%.17g", between, model_metrics[i].ncu, m->metrics.v[i]);
        between = ",";
    }
    buf_printf(out, "}");
}

void trace_write(void)
{
    struct err e = {0};
    struct buf all = {0};
    if (!file()) return;
    trace_row(0);
    begin_event();
    buf_printf(&events, "\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":");
    trace_string(&events, device_title(runtime.device));
    buf_printf(&events, "}}");
    buf_printf(&all, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n%s\n]}\n", events.data);
    if (file_write(file(), all.data, all.len, &e)) runtime_say("LOCKSTEP_TRACE: %s", e.text);
    if (dropped)
        runtime_say("LOCKSTEP_TRACE: the file holds the first %d events; %lu more are left out",
            EVENTS_MAX, dropped);
    buf_free(&all);
}
