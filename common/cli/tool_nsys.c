/* tool_nsys.c - nsys profile --stats=true and nvprof: kernels, copies and calls by time, from the
 * timeline and the report of a run. The time of a call on the host is not modelled: it is "-". */
#include "cli/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The values of all events of one name: times in nanoseconds, or bytes. */
struct sum {
    const char *name;
    double *value, total;
    size_t count, cap;
};
struct sums {
    struct sum *of;
    size_t count, cap;
    double total;
};

static int larger_first(const void *a, const void *b)
{
    double x = ((const struct sum *)a)->total, y = ((const struct sum *)b)->total;
    return x < y ? 1 : x > y ? -1 : 0;
}

static double value_of(const json_t *event, int bytes)
{
    const json_t *args = json_object_get(event, "args");
    return bytes ? json_number_value(json_object_get(args, "bytes"))
                 : 1e3 * json_number_value(json_object_get(event, "dur"));
}

/* Sum the events of two categories by name; the second may be NULL. */
static struct sums sum_up(const json_t *events, const char *first, const char *second, int bytes)
{
    struct sums all = {0};
    size_t i, k;
    const json_t *event;
    json_array_foreach(events, i, event)
    {
        if (!tool_event_is(event, first) && !(second && tool_event_is(event, second))) continue;
        const char *name = json_string_value(json_object_get(event, "name"));
        double value = value_of(event, bytes);
        for (k = 0; k < all.count && strcmp(all.of[k].name, name); k++) {}
        if (k == all.count) *VEC_PUSH(all.of, all.count, all.cap) = (struct sum){.name = name};
        struct sum *s = &all.of[k];
        *VEC_PUSH(s->value, s->count, s->cap) = value;
        s->total += value;
        all.total += value;
    }
    for (k = 0; k < all.count; k++)
        qsort(all.of[k].value, all.of[k].count, sizeof(double), compare_doubles);
    if (all.of) qsort(all.of, all.count, sizeof *all.of, larger_first);
    return all;
}

static void sums_free(struct sums *s)
{
    for (size_t i = 0; i < s->count; i++) free(s->of[i].value);
    free(s->of);
}

static double median(const struct sum *s)
{
    return (s->value[(s->count - 1) / 2] + s->value[s->count / 2]) / 2;
}

static double deviation(const struct sum *s)
{
    double mean = s->total / (double)s->count, squares = 0;
    for (size_t i = 0; i < s->count; i++) squares += (s->value[i] - mean) * (s->value[i] - mean);
    return s->count > 1 ? sqrt(squares / (double)(s->count - 1)) : 0;
}

/* ---- nsys ---- */

static void add_head(struct table *t, const char *const *head)
{
    for (; *head; head++) table_add(t, "%s", *head);
}

static void print_title(const char *title) { printf("\n ** %s:\n\n", title); }

/* A table of times, in nanoseconds. */
static void print_times(const char *title, const char *const *head, const struct sums *all)
{
    struct table t = {.columns = 9};
    if (!all->count) return;
    print_title(title);
    add_head(&t, head);
    for (size_t i = 0; i < all->count; i++) {
        const struct sum *s = &all->of[i];
        table_add(&t, "%.1f", all->total > 0 ? 100 * s->total / all->total : 0);
        table_add(&t, "%s", tool_number(s->total, 0));
        table_add(&t, "%zu", s->count);
        table_add(&t, "%s", tool_number(s->total / (double)s->count, 1));
        table_add(&t, "%s", tool_number(median(s), 1));
        table_add(&t, "%s", tool_number(s->value[0], 0));
        table_add(&t, "%s", tool_number(s->value[s->count - 1], 0));
        table_add(&t, "%s", tool_number(deviation(s), 1));
        table_add(&t, "%s", s->name);
    }
    table_print(&t, "rrrrrrrrl", " ", "  ", 0);
}

static void print_sizes(const struct sums *all)
{
    static const char *const head[] = {"Total (MB)", "Count", "Avg (MB)", "Med (MB)", "Min (MB)",
        "Max (MB)", "StdDev (MB)", "Operation", NULL};
    struct table t = {.columns = 8};
    if (!all->count) return;
    print_title("CUDA GPU MemOps Summary (by Size) (cuda_gpu_mem_size_sum)");
    add_head(&t, head);
    for (size_t i = 0; i < all->count; i++) {
        const struct sum *s = &all->of[i];
        table_add(&t, "%s", tool_number(1e-6 * s->total, 3));
        table_add(&t, "%zu", s->count);
        table_add(&t, "%s", tool_number(1e-6 * s->total / (double)s->count, 3));
        table_add(&t, "%s", tool_number(1e-6 * median(s), 3));
        table_add(&t, "%s", tool_number(1e-6 * s->value[0], 3));
        table_add(&t, "%s", tool_number(1e-6 * s->value[s->count - 1], 3));
        table_add(&t, "%s", tool_number(1e-6 * deviation(s), 3));
        table_add(&t, "%s", s->name);
    }
    table_print(&t, "rrrrrrrl", " ", "  ", 0);
}

static void print_calls(json_t *calls)
{
    static const char *const head[] = {"Time (%)", "Total Time (ns)", "Num Calls", "Avg (ns)",
        "Med (ns)", "Min (ns)", "Max (ns)", "StdDev (ns)", "Name", NULL};
    struct table t = {.columns = 9};
    const char *name;
    json_t *count;
    print_title("CUDA API Summary (cuda_api_sum)");
    add_head(&t, head);
    json_object_foreach(calls, name, count)
    {
        for (int i = 0; i < 8; i++)
            if (i == 2)
                table_add(&t, "%d", (int)json_integer_value(count));
            else
                table_add(&t, "-");
        table_add(&t, "%s", name);
    }
    table_print(&t, "rrrrrrrrl", " ", "  ", 0);
}

static void print_stats(const struct tool_run *r)
{
    static const char *const kernels[] = {"Time (%)", "Total Time (ns)", "Instances", "Avg (ns)",
        "Med (ns)", "Min (ns)", "Max (ns)", "StdDev (ns)", "Name", NULL},
                             *const copies[] = {"Time (%)", "Total Time (ns)", "Count", "Avg (ns)",
                                 "Med (ns)", "Min (ns)", "Max (ns)", "StdDev (ns)", "Operation",
                                 NULL};
    struct sums kernel = sum_up(r->events, "kernel", NULL, 0),
                time = sum_up(r->events, "memcpy", "memset", 0),
                size = sum_up(r->events, "memcpy", "memset", 1);
    print_calls(json_object_get(r->report, "api_calls"));
    print_times("CUDA GPU Kernel Summary (cuda_gpu_kern_sum)", kernels, &kernel);
    print_times("CUDA GPU MemOps Summary (by Time) (cuda_gpu_mem_time_sum)", copies, &time);
    print_sizes(&size);
    sums_free(&kernel), sums_free(&time), sums_free(&size);
    printf("\nTimes are modelled for %s; the time of calls on the host is not.\n", r->gpu->title);
}

int tool_nsys(int argc, char **argv, struct err *e)
{
    static const char usage[] = "nsys profile --stats=true ./x";
    const char *stats = "false", *output = NULL;
    const struct tool_option options[] = {{"--stats", NULL, 1, &stats},
        {"--output", "-o", 1, &output}, {"--trace", "-t", 1, NULL},
        {"--force-overwrite", "-f", 1, NULL}, {"--sample", "-s", 1, NULL},
        {"--cpuctxsw", NULL, 1, NULL}, {"--cuda-memory-usage", NULL, 1, NULL},
        {"--capture-range", "-c", 1, NULL}, {"--delay", "-y", 1, NULL},
        {"--duration", "-d", 1, NULL}, {"--gpu-metrics-device", NULL, 1, NULL},
        {"--show-output", "-w", 1, NULL}, {0}};
    if (!argc || strcmp(argv[0], "profile"))
        return err_set(e, ERR_USAGE,
            "%s: only nsys profile is there; its --stats=true prints what nsys stats would, "
            "as in: %s",
            argc ? argv[0] : "a command is missing", usage);
    int at = tool_options(argc - 1, argv + 1, options, usage, e);
    if (at < 0) return -1;
    struct tool_run r;
    int status = tool_run(argv + 1 + at, 0, &r, e);
    if (!status && strcmp(stats, "false")) print_stats(&r);
    if (!status && output) {
        char *file = xasprintf("%s.json", output);
        json_t *timeline = json_pack("{s:s,s:O}", "displayTimeUnit", "ms", "traceEvents", r.events);
        if (json_dump_file(timeline, file, JSON_COMPACT))
            status = err_set(e, ERR_ENV, "%s: cannot be written", file);
        else
            printf("The timeline is in %s, which ui.perfetto.dev opens; nsys-ui does not.\n", file);
        json_decref(timeline);
        free(file);
    }
    if (!status) status = r.status;
    tool_run_free(&r);
    return status;
}

/* ---- nvprof ---- */

/* A time in nanoseconds as nvprof writes it. */
static const char *time_text(double ns, char *out, size_t size)
{
    if (ns >= 1e9)
        snprintf(out, size, "%.5gs", 1e-9 * ns);
    else if (ns >= 1e6)
        snprintf(out, size, "%.5gms", 1e-6 * ns);
    else if (ns >= 1e3)
        snprintf(out, size, "%.5gus", 1e-3 * ns);
    else
        snprintf(out, size, "%.5gns", ns);
    return out;
}

static void print_activities(const struct tool_run *r)
{
    struct sums all = sum_up(r->events, "kernel", "memcpy", 0),
                sets = sum_up(r->events, "memset", NULL, 0);
    for (size_t i = 0; i < sets.count; i++) {
        *VEC_PUSH(all.of, all.count, all.cap) = sets.of[i];
        all.total += sets.of[i].total;
    }
    if (all.of) qsort(all.of, all.count, sizeof *all.of, larger_first);
    printf("%16s  %7s  %8s  %8s  %8s  %8s  %8s  %s\n", "Type", "Time(%)", "Time", "Calls", "Avg",
        "Min", "Max", "Name");
    for (size_t i = 0; i < all.count; i++) {
        const struct sum *s = &all.of[i];
        char text[4][24];
        printf("%16s  %6.2f%%  %8s  %8zu  %8s  %8s  %8s  %s\n",
            i ? "" : "GPU activities:", all.total > 0 ? 100 * s->total / all.total : 0,
            time_text(s->total, text[0], sizeof text[0]), s->count,
            time_text(s->total / (double)s->count, text[1], sizeof text[1]),
            time_text(s->value[0], text[2], sizeof text[2]),
            time_text(s->value[s->count - 1], text[3], sizeof text[3]), s->name);
    }
    free(sets.of);
    sums_free(&all);
    const char *name, *title = "API calls:";
    json_t *count;
    json_object_foreach(json_object_get(r->report, "api_calls"), name, count)
    {
        printf("%16s  %7s  %8s  %8d  %8s  %8s  %8s  %s\n", title, "-", "-",
            (int)json_integer_value(count), "-", "-", "-", name);
        title = "";
    }
}

/* Print one metric of a kernel: its least, greatest and mean value over all of its launches. */
static void print_metric(const struct tool_run *r, const char *kernel, const struct metric_info *m)
{
    double least = INFINITY, most = -INFINITY, total = 0;
    size_t i, launches = 0;
    const json_t *event;
    json_array_foreach(r->events, i, event)
    {
        const char *name = json_string_value(json_object_get(event, "name"));
        const json_t *counters = json_object_get(json_object_get(event, "args"), "counters"),
                     *value = json_object_get(counters, m->ncu);
        if (!tool_event_is(event, "kernel") || strcmp(name, kernel) || !value) continue;
        double v = json_number_value(value);
        least = fmin(least, v), most = fmax(most, v), total += v;
        launches++;
    }
    const char *unit = !strcmp(m->unit, "%") ? "%" : "";
    if (launches)
        printf("%11zu  %40s  %s  %.6g%s  %.6g%s  %.6g%s\n", launches, m->nvprof, m->meaning, least,
            unit, most, unit, total / (double)launches, unit);
    else
        printf("%11s  %40s  %s  -  -  -\n", "-", m->nvprof, m->meaning);
}

static int print_metrics(const struct tool_run *r, const char *names, struct err *e)
{
    struct sums kernels = sum_up(r->events, "kernel", NULL, 0);
    int all = !strcmp(names, "all"), bad = 0;
    printf("%11s  %40s  Metric Description  Min  Max  Avg\nDevice \"%s (0)\"\n", "Invocations",
        "Metric Name", r->gpu->title);
    for (size_t k = 0; k < kernels.count && !bad; k++) {
        char *list = xstrdup(names);
        printf("    Kernel: %s\n", kernels.of[k].name);
        for (int i = 0; all && i < METRIC_COUNT; i++)
            if (*model_metrics[i].nvprof != '-')
                print_metric(r, kernels.of[k].name, &model_metrics[i]);
        for (char *name = all ? NULL : strtok(list, ","); name && !bad; name = strtok(NULL, ",")) {
            int i = model_metric_find(name);
            if (i >= 0)
                print_metric(r, kernels.of[k].name, &model_metrics[i]);
            else
                bad = err_set(
                    e, ERR_USAGE, "%s is not counted; lockstep metrics lists what is", name);
        }
        free(list);
    }
    sums_free(&kernels);
    return bad;
}

int tool_nvprof(int argc, char **argv, struct err *e)
{
    const char *metrics = NULL, *events = NULL, *trace = NULL;
    const struct tool_option options[] = {{"--metrics", "-m", 1, &metrics},
        {"--events", "-e", 1, &events}, {"--print-gpu-trace", NULL, 0, &trace},
        {"--print-api-trace", NULL, 0, &trace}, {"--log-file", NULL, 1, NULL},
        {"--kernels", NULL, 1, NULL}, {"-o", "--export-profile", 1, NULL},
        {"--unified-memory-profiling", NULL, 1, NULL}, {"--profile-from-start", NULL, 1, NULL},
        {"--timeout", "-t", 1, NULL}, {0}};
    int at = tool_options(argc, argv, options, "nvprof ./x", e);
    if (at < 0) return -1;
    if (trace || events)
        return err_set(e, ERR_USAGE, "%s is not there; nsys profile -o FILE keeps the timeline",
            events ? "--events" : "--print-gpu-trace");
    struct tool_run r;
    printf("==%d== NVPROF is profiling process %d, command: %s\n", getpid(), getpid(), argv[at]);
    int status = tool_run(argv + at, metrics != NULL, &r, e);
    if (!status) printf("==%d== Profiling result:\n", getpid());
    if (!status && metrics)
        status = print_metrics(&r, metrics, e);
    else if (!status)
        print_activities(&r);
    if (!status) status = r.status;
    tool_run_free(&r);
    return status;
}
