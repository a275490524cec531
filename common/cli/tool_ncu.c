/* tool_ncu.c - ncu: counters and times of each launch, as text or CSV.
 *
 *     --metrics NAME,NAME      these, by ncu's names; without .sum and the like, all that begin so
 *     no option                the sections below that are basic
 *     --set full               all sections
 *     --page raw               all counters
 *
 * Each figure of a section is a row: its section and name, its unit, and a function of the
 * launch. */
#include "cli/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A launch of the timeline. */
struct shown {
    const json_t *event, *args, *counters;
    const struct model_profile *gpu;
    const char *name;
    unsigned grid[3], block[3];
    double ns;
    int registers, threads;
    size_t shared, dynamic;
    uint64_t blocks;
    struct model_occupancy occupancy;
};

static void read_three(const json_t *args, const char *key, unsigned out[3])
{
    const char *text = json_string_value(json_object_get(args, key));
    if (!text || sscanf(text, "%u,%u,%u", &out[0], &out[1], &out[2]) != 3)
        out[0] = out[1] = out[2] = 1;
}

static struct shown read_launch(const json_t *event, const struct model_profile *gpu)
{
    const json_t *args = json_object_get(event, "args");
    struct shown s = {.event = event,
        .args = args,
        .counters = json_object_get(args, "counters"),
        .gpu = gpu,
        .name = json_string_value(json_object_get(event, "name")),
        .ns = 1e3 * json_number_value(json_object_get(event, "dur")),
        .registers = (int)json_integer_value(json_object_get(args, "registers")),
        .shared = (size_t)json_integer_value(json_object_get(args, "shared_static")),
        .dynamic = (size_t)json_integer_value(json_object_get(args, "shared"))};
    read_three(args, "grid", s.grid);
    read_three(args, "block", s.block);
    s.threads = (int)(s.block[0] * s.block[1] * s.block[2]);
    s.blocks = (uint64_t)s.grid[0] * s.grid[1] * s.grid[2];
    s.occupancy = model_occupancy(gpu, s.threads, s.registers, s.shared + s.dynamic);
    return s;
}

static double counter(const struct shown *s, enum metric m)
{
    const json_t *v = json_object_get(s->counters, model_metrics[m].ncu);
    return v ? json_number_value(v) : NAN;
}

/* ---- the figures of the sections ---- */

/* The time that a part of the machine would take alone, as a share of the launch's. */
static double share(const struct shown *s, enum model_part part)
{
    const json_t *parts = json_object_get(s->args, "parts_ms");
    return 1e8 * json_number_value(json_object_get(parts, model_part_names[part])) / s->ns;
}
static double largest(const struct shown *s, enum model_part from, enum model_part to)
{
    double most = 0;
    for (int part = from; part <= (int)to; part++)
        most = fmax(most, share(s, (enum model_part)part));
    return most;
}
static double compute(const struct shown *s) { return largest(s, PART_ISSUE, PART_TENSOR); }
static double l1(const struct shown *s) { return share(s, PART_L1); }
static double l2(const struct shown *s) { return fmax(share(s, PART_L2), share(s, PART_ATOMICS)); }
static double dram(const struct shown *s) { return share(s, PART_DRAM); }
static double memory(const struct shown *s) { return fmax(fmax(l1(s), l2(s)), dram(s)); }
static double duration(const struct shown *s) { return 1e-3 * s->ns; }
static double cycles(const struct shown *s) { return s->ns * s->gpu->clock_ghz; }
static double clock_rate(const struct shown *s) { return s->gpu->clock_ghz; }
static double block_size(const struct shown *s) { return s->threads; }
static double grid_size(const struct shown *s) { return (double)s->blocks; }
static double registers(const struct shown *s) { return s->registers; }
static double static_shared(const struct shown *s) { return (double)s->shared; }
static double dynamic_shared(const struct shown *s) { return (double)s->dynamic; }
static double sms(const struct shown *s) { return s->gpu->sms; }
static double threads(const struct shown *s) { return (double)s->blocks * s->threads; }
static double waves(const struct shown *s)
{
    return s->occupancy.blocks ? (double)s->blocks / s->occupancy.blocks / s->gpu->sms : NAN;
}
static double resident_blocks(const struct shown *s) { return s->occupancy.blocks; }
static double resident_warps(const struct shown *s) { return s->occupancy.warps; }
static double theoretical(const struct shown *s) { return 100 * s->occupancy.share; }
static double bandwidth(const struct shown *s)
{
    return (counter(s, METRIC_DRAM_READ_BYTES) + counter(s, METRIC_DRAM_WRITE_BYTES)) / s->ns;
}
static double conflicts(const struct shown *s)
{
    return counter(s, METRIC_SLD_CONFLICTS) + counter(s, METRIC_SST_CONFLICTS);
}

static const char speed[] = "GPU Speed Of Light Throughput", launch[] = "Launch Statistics",
                  fill[] = "Occupancy", traffic[] = "Memory Workload Analysis",
                  code[] = "Instruction Statistics", raw[] = "Command line profiler metrics";
static const struct figure {
    const char *section, *identifier, *name, *unit;
    int basic;                           /* 1: shown without --set full */
    double (*of)(const struct shown *s); /* NULL: the value is that of `metric` */
    enum metric metric;
} figures[] = {
    {speed, "SpeedOfLight", "SM Frequency", "Ghz", 1, clock_rate},
    {speed, "SpeedOfLight", "Elapsed Cycles", "cycle", 1, cycles},
    {speed, "SpeedOfLight", "Memory Throughput", "%", 1, memory},
    {speed, "SpeedOfLight", "DRAM Throughput", "%", 1, dram},
    {speed, "SpeedOfLight", "Duration", "us", 1, duration},
    {speed, "SpeedOfLight", "L1/TEX Cache Throughput", "%", 1, l1},
    {speed, "SpeedOfLight", "L2 Cache Throughput", "%", 1, l2},
    {speed, "SpeedOfLight", "Compute (SM) Throughput", "%", 1, compute},
    {traffic, "MemoryWorkloadAnalysis", "Memory Throughput", "Gbyte/s", 0, bandwidth},
    {traffic, "MemoryWorkloadAnalysis", "Sectors Per Global Load", "sector", 0, NULL,
        METRIC_GLD_SECTORS_PER_REQUEST},
    {traffic, "MemoryWorkloadAnalysis", "Sectors Per Global Store", "sector", 0, NULL,
        METRIC_GST_SECTORS_PER_REQUEST},
    {traffic, "MemoryWorkloadAnalysis", "Shared Memory Bank Conflicts", "", 0, conflicts},
    {code, "InstructionStats", "Executed Instructions", "inst", 0, NULL, METRIC_INST},
    {code, "InstructionStats", "Avg. Active Threads Per Warp", "", 0, NULL, METRIC_WARP_EFFICIENCY},
    {code, "InstructionStats", "Uniform Branches", "%", 0, NULL, METRIC_BRANCH_EFFICIENCY},
    {launch, "LaunchStats", "Block Size", "", 1, block_size},
    {launch, "LaunchStats", "Grid Size", "", 1, grid_size},
    {launch, "LaunchStats", "Registers Per Thread", "register/thread", 1, registers},
    {launch, "LaunchStats", "Static Shared Memory Per Block", "byte/block", 1, static_shared},
    {launch, "LaunchStats", "Dynamic Shared Memory Per Block", "byte/block", 1, dynamic_shared},
    {launch, "LaunchStats", "# SMs", "SM", 1, sms},
    {launch, "LaunchStats", "Threads", "thread", 1, threads},
    {launch, "LaunchStats", "Waves Per SM", "", 1, waves},
    {fill, "Occupancy", "Block Limit", "block", 1, resident_blocks},
    {fill, "Occupancy", "Theoretical Active Warps per SM", "warp", 1, resident_warps},
    {fill, "Occupancy", "Theoretical Occupancy", "%", 1, theoretical},
    {fill, "Occupancy", "Achieved Occupancy", "%", 1, NULL, METRIC_OCCUPANCY},
};
enum { FIGURES = sizeof figures / sizeof *figures };

/* ---- output ---- */

struct request {
    const char *program; /* its name, without a folder */
    const char *csv, *metrics, *set, *section, *kernel, *skip, *most, *output, *page;
    struct table table; /* for CSV: unused; for text: the section that is open */
    const char *open;   /* title of the section that `table` holds; NULL: none is open */
};

static const char *value_text(double v)
{
    return isnan(v) ? "n/a" : v == floor(v) ? tool_number(v, 0) : tool_number(v, 2);
}

static void close_section(struct request *q)
{
    if (q->open) table_print(&q->table, "lrr", "    ", " ", 1);
    q->open = NULL;
}

static void put(struct request *q, const struct shown *s, int id, const char *section,
    const char *name, const char *unit, double v)
{
    if (q->csv) {
        printf(
            "\"%d\",\"%d\",\"%s\",\"127.0.0.1\",\"%s\",\"1\",\"%d\",\"(%u, %u, %u)\",\"(%u, %u, %u)\","
            "\"0\",\"%d.%d\",\"%s\",\"%s\",\"%s\",\"%s\"\n",
            id, getpid(), q->program, s->name,
            (int)json_integer_value(json_object_get(s->event, "tid")) + 7, s->block[0], s->block[1],
            s->block[2], s->grid[0], s->grid[1], s->grid[2], s->gpu->cc_major, s->gpu->cc_minor,
            section, name, unit, value_text(v));
        return;
    }
    if (q->open != section) {
        close_section(q);
        printf("    Section: %s\n", section);
        q->table = (struct table){.columns = 3};
        table_add(&q->table, "Metric Name");
        table_add(&q->table, "Metric Unit");
        table_add(&q->table, "Metric Value");
        q->open = section;
    }
    table_add(&q->table, "%s", name);
    table_add(&q->table, "%s", unit);
    table_add(&q->table, "%s", value_text(v));
}

/* The metrics that --metrics names. A metric that is not counted is shown as n/a, as ncu does. */
static void put_metrics(struct request *q, const struct shown *s, int id)
{
    char *list = xstrdup(q->metrics);
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        size_t n = strlen(name);
        int found = 0;
        if (!strncmp(name, "gpu__time_duration", 18))
            put(q, s, id, raw, "gpu__time_duration.sum", "us", duration(s)), found = 1;
        for (int i = 0; i < METRIC_COUNT; i++) {
            const struct metric_info *m = &model_metrics[i];
            if (strncmp(m->ncu, name, n) || (m->ncu[n] && m->ncu[n] != '.')) continue;
            put(q, s, id, raw, m->ncu, m->unit, counter(s, (enum metric)i));
            found = 1;
        }
        if (!found) put(q, s, id, raw, name, "", NAN);
    }
    free(list);
}

static void put_sections(struct request *q, const struct shown *s, int id)
{
    int full = q->set && !strcmp(q->set, "full");
    for (int i = 0; i < FIGURES; i++) {
        const struct figure *f = &figures[i];
        if (q->section ? strcmp(q->section, f->identifier) != 0 : !full && !f->basic) continue;
        put(q, s, id, f->section, f->name, f->unit, f->of ? f->of(s) : counter(s, f->metric));
    }
}

static void put_counters(struct request *q, const struct shown *s, int id)
{
    for (int i = 0; i < METRIC_COUNT; i++)
        if (!isnan(counter(s, (enum metric)i)))
            put(q, s, id, raw, model_metrics[i].ncu, model_metrics[i].unit,
                counter(s, (enum metric)i));
}

static int wanted(const struct request *q, const char *name)
{
    const char *kernel = q->kernel;
    size_t n = strcspn(name, "<");
    if (!kernel) return 1;
    if (!strncmp(kernel, "regex:", 6)) return strstr(name, kernel + 6) != NULL;
    return !strcmp(name, kernel) || (strlen(kernel) == n && !strncmp(name, kernel, n));
}

static void put_launches(struct request *q, const struct tool_run *r)
{
    long skip = q->skip ? atol(q->skip) : 0, most = q->most ? atol(q->most) : -1;
    int id = 0;
    size_t i;
    const json_t *event;
    if (q->csv)
        printf("\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","
               "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\","
               "\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n");
    json_array_foreach(r->events, i, event)
    {
        if (!tool_event_is(event, "kernel")) continue;
        struct shown s = read_launch(event, r->gpu);
        if (!wanted(q, s.name) || skip-- > 0 || most == 0) continue;
        most--;
        if (!q->csv)
            printf("\n  %s (%u, %u, %u)x(%u, %u, %u), Context 1, Stream %d, Device 0, CC %d.%d\n",
                s.name, s.grid[0], s.grid[1], s.grid[2], s.block[0], s.block[1], s.block[2],
                (int)json_integer_value(json_object_get(event, "tid")) + 7, r->gpu->cc_major,
                r->gpu->cc_minor);
        if (q->metrics)
            put_metrics(q, &s, id);
        else if (q->page && !strcmp(q->page, "raw"))
            put_counters(q, &s, id);
        else
            put_sections(q, &s, id);
        close_section(q);
        id++;
    }
    if (!id) printf("==WARNING== No kernels were profiled.\n");
}

int tool_ncu(int argc, char **argv, struct err *e)
{
    struct request q = {0};
    const struct tool_option options[] = {{"--csv", NULL, 0, &q.csv},
        {"--metrics", NULL, 1, &q.metrics}, {"--set", NULL, 1, &q.set},
        {"--section", NULL, 1, &q.section}, {"--kernel-name", "-k", 1, &q.kernel},
        {"--launch-skip", "-s", 1, &q.skip}, {"--launch-count", "-c", 1, &q.most},
        {"--export", "-o", 1, &q.output}, {"--page", NULL, 1, &q.page},
        {"--target-processes", NULL, 1, NULL}, {"--clock-control", NULL, 1, NULL},
        {"--cache-control", NULL, 1, NULL}, {"--replay-mode", NULL, 1, NULL},
        {"--import-source", NULL, 1, NULL}, {"--kernel-name-base", NULL, 1, NULL},
        {"--print-summary", NULL, 1, NULL}, {"--print-units", NULL, 1, NULL},
        {"--log-file", NULL, 1, NULL}, {"--nvtx-include", NULL, 1, NULL},
        {"--devices", NULL, 1, NULL}, {"--launch-skip-before-match", NULL, 1, NULL}, {0}};
    int at = tool_options(argc, argv, options, "ncu ./x", e);
    if (at < 0) return -1;
    if (q.page && !strcmp(q.page, "source"))
        return err_set(
            e, ERR_USAGE, "--page source is not there: lockstep run %s --profile KERNEL", argv[at]);
    const char *slash = strrchr(argv[at], '/');
    q.program = slash ? slash + 1 : argv[at];
    struct tool_run r;
    printf("==PROF== Connected to process %d (%s)\n", getpid(), argv[at]);
    int status = tool_run(argv + at, 1, &r, e);
    if (!status) {
        printf("==PROF== Disconnected from process %d\n", getpid());
        if (q.output)
            printf("==WARNING== No report file is written; what it would hold follows.\n");
        put_launches(&q, &r);
        status = r.status;
    }
    tool_run_free(&r);
    return status;
}
