/* counters_cmd.c - lockstep counters: ncu around random kernels, launched once each, and the simulator beside it.
 *
 * On a GPU each kernel is assembled with the driver's optimiser off, so that its accesses are the program's; those that execute a
 * YIELD then also with a NOP in its place; those whose accesses are volatile also with the optimiser on. Without a GPU, the
 * hardware's half is what was recorded. */
#include "lab/commands.h"
#include "lab/counters.h"
#include "lab/crosscheck.h"
#include "lab/ncu.h"
#include "lab/outcome.h"
#include "lab/random_files.h"
#include "lab/spawn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char simulated[] = "sim:h200";
enum { NAMES_MAX = COUNTERS * COUNTERS_SUMMED + 1, KERNELS_MAX = 1000000 };

struct sample {
    struct kit kit;
    struct random_files set;
    const char *device, *ncu, *name; /* name: of the record */
    int only;            /* the one code to measure, of all kernels; CODES: each, of the kernels that need it */
    char *on;            /* of each kernel, from the first seed: is it one of those to launch? */
    json_t *record;
};

/* ---- launching ---- */

static struct random_kernel kernel_at(const struct sample *s, int i)
{
    struct random_kernel k;
    struct buf text = {0};
    random_kernel(s->set.seed + (uint64_t)i, &k, &text);
    buf_free(&text);
    return k;
}

typedef int visit(struct sample *s, const struct random_kernel *k, struct way *w, struct err *e);

static int visit_file(struct sample *s, int file, struct way *w, visit *each, struct err *e)
{
    char *path = random_ptx(&s->set, file, 0), *source = random_source(&s->set, file), *ptx = NULL;
    int bad = file_read(path, (size_t)64 << 20, &ptx, NULL, e) || device_load(w->device, ptx, path, source, &w->module, e);
    for (int i = 0; i < random_kernels_in(&s->set, file) && !bad; i++) {
        struct random_kernel k = kernel_at(s, file * RANDOM_PER_FILE + i);
        bad = s->on[k.seed - s->set.seed] && each(s, &k, w, e);
    }
    if (w->module)
        device_unload(w->device, w->module);
    w->module = NULL;
    free(ptx);
    free(source);
    free(path);
    return bad;
}

/* Every kernel that is on, in the order of seeds, on a device. */
static int visit_all(struct sample *s, const char *device, visit *each, struct err *e)
{
    struct way w = {.spec = device};
    int bad = 0;
    if (device_open(device, &w.device, e))
        return -1;
    for (int file = 0; file < s->set.files && !bad; file++)
        bad = visit_file(s, file, &w, each, e);
    device_close(w.device);
    return bad ? -1 : 0;
}

static int launch_one(struct sample *s, const struct random_kernel *k, struct way *w, struct err *e)
{
    struct outcome o = {{0}};
    int bad = outcome_take(k, w, &o, e);
    (void)s;
    outcome_free(&o);
    return bad;
}

/* seeds: "1,2,5", NULL: all. */
static int choose(struct sample *s, const char *seeds, struct err *e)
{
    memset(s->on, !seeds, (size_t)s->set.count);
    while (seeds && *seeds) {
        char *end;
        uint64_t at = strtoull(seeds, &end, 10) - s->set.seed;
        if (end == seeds || (*end && *end != ',') || at >= (uint64_t)s->set.count)
            return err_set(e, ERR_USAGE, "--seeds: '%s' does not begin with one of the seeds", seeds);
        s->on[at] = 1;
        seeds = end + (*end == ',');
    }
    return 0;
}

/* Which code an option names; CODES: it is none. */
static int code_named(const char *option, const char *code, struct err *e)
{
    int which = 0;
    while (which < CODES && strcmp(code, counters_codes[which]))
        which++;
    if (which == CODES)
        err_set(e, ERR_USAGE, "%s %s: there are %s, %s and %s", option, code, counters_codes[0], counters_codes[1], counters_codes[2]);
    return which;
}

static int launch_all(struct sample *s, const char *code, struct err *e)
{
    int which = code_named("--launch", code, e);
    if (which == CODES)
        return -1;
    device_optimise(which == CODE_OPTIMISED);
    device_yields(which != CODE_WITHOUT_YIELD);
    return visit_all(s, s->device, launch_one, e);
}

/* ---- the hardware's half ---- */

/* All names that are read of ncu's table, those of YIELD first. */
static int all_names(const char *names[NAMES_MAX])
{
    int n = 0;
    names[n++] = COUNTERS_YIELDS;
    for (int i = 0; i < COUNTERS; i++)
        for (int k = 0; k < COUNTERS_SUMMED && counters[i].measured[k]; k++)
            names[n++] = counters[i].measured[k];
    return n;
}

/* What ncu is asked for: each metric once, without the opcodes. */
static void all_metrics(const char *const *names, int count, struct buf *out)
{
    for (int i = 0; i < count; i++) {
        size_t n = strcspn(names[i], ":");
        int seen = 0;
        for (int k = 0; k < i; k++)
            seen |= strcspn(names[k], ":") == n && !strncmp(names[k], names[i], n);
        if (!seen)
            buf_printf(out, "%s%.*s", i ? "," : "", (int)n, names[i]);
    }
}

static json_t *number(double v)
{
    return isnan(v) ? json_null() : json_integer((json_int_t)v);
}

static json_t *measured_row(uint64_t seed, int code, const double *values)
{
    json_t *measured = json_array();
    int at = 1;
    for (int i = 0; i < COUNTERS; i++) {
        double sum = 0;
        for (int j = 0; j < COUNTERS_SUMMED && counters[i].measured[j]; j++)
            sum += values[at++];
        json_array_append_new(measured, number(sum));
    }
    return json_pack("{s:I, s:s, s:o, s:o}", "seed", (json_int_t)seed, "code", counters_codes[code], "yields", number(values[0]),
                     "measured", measured);
}

static int add_rows(struct sample *s, int code, const double *values, int names, int launches, struct err *e)
{
    json_t *rows = json_object_get(s->record, "launches");
    int next = 0;
    for (int i = 0; i < s->set.count; i++) {
        if (!s->on[i])
            continue;
        if (next < launches)
            json_array_append_new(rows, measured_row(s->set.seed + (uint64_t)i, code, values + (size_t)next * (size_t)names));
        next++;
    }
    return next == launches ? 0 : err_set(e, ERR_ENV, "ncu saw %d launches of %d kernels", launches, next);
}

/* Which kernels are launched in this code; returns how many. Their seeds are appended to out. */
static int take_part(struct sample *s, int code, struct buf *out)
{
    size_t at;
    json_t *launch;
    int n = 0;
    for (int i = 0; i < s->set.count; i++) {
        struct random_kernel k = kernel_at(s, i);
        s->on[i] = code == CODE_UNOPTIMISED || (code == CODE_OPTIMISED && k.watched) || code == s->only;
    }
    json_array_foreach(json_object_get(s->record, "launches"), at, launch)
        if (code == CODE_WITHOUT_YIELD && record_number(launch, "yields") > 0)
            s->on[(uint64_t)record_number(launch, "seed") - s->set.seed] = 1;
    for (int i = 0; i < s->set.count; i++)
        if (s->on[i])
            buf_printf(out, "%s%llu", n++ ? "," : "", (unsigned long long)s->set.seed + (unsigned long long)i);
    return n;
}

static int run_ncu(struct sample *s, const struct ncu *ncu, int code, const char *seeds, struct err *e)
{
    const char *names[NAMES_MAX];
    struct buf metrics = {0};
    double *values = NULL;
    char *csv = NULL, *seed = xasprintf("%llu", (unsigned long long)s->set.seed), *count = xasprintf("%d", s->set.count);
    const char *words[] = {"counters", "--launch", counters_codes[code], "--seeds", seeds, "--device", s->device, "--seed", seed, "--count",
                           count, "--front", s->set.fronts[0].kind, "--from", s->set.from ? s->set.from : s->set.directory, NULL};
    int n = all_names(names), launches = -1;
    all_metrics(names, n, &metrics);
    int status = ncu_run(ncu, metrics.data, 1, words, e);
    if (status > 0)
        err_set(e, ERR_ENV, "ncu ended with status %d; see %s", status, ncu->log);
    if (!status && !file_read(ncu->log, (size_t)256 << 20, &csv, NULL, e))
        launches = crosscheck_parse(csv, names, n, &values, e);
    int bad = launches < 0 || add_rows(s, code, values, n, launches, e);
    buf_free(&metrics);
    free(values);
    free(csv);
    free(seed);
    free(count);
    return bad;
}

static json_t *new_record(const struct sample *s)
{
    char *only = s->only == CODES ? xstrdup("") : xasprintf(" --only '%s'", counters_codes[s->only]);
    char *command = xasprintf("lockstep counters --seed %llu --count %d --front %s%s --device %s%s", (unsigned long long)s->set.seed,
                              s->set.count, s->set.fronts[0].kind, only, s->device, s->set.from ? " --from DIR" : "");
    free(only);
    json_t *record = record_new(command, s->set.fronts[0].name), *names = json_array();
    free(command);
    for (int i = 0; i < COUNTERS; i++)
        json_array_append_new(names, json_string(model_metrics[counters[i].simulated].ncu));
    json_object_set_new(record, "seed", json_integer((json_int_t)s->set.seed));
    json_object_set_new(record, "kernels", json_integer(s->set.count));
    json_object_set_new(record, "metrics", names);
    json_object_set_new(record, "launches", json_array());
    return record;
}

static int from_hardware(struct sample *s, struct err *e)
{
    struct ncu ncu;
    if (ncu_open(&ncu, s->ncu, e))
        return -1;
    s->record = new_record(s);
    int bad = 0;
    for (int code = 0; code < CODES && !bad; code++) {
        if (s->only != CODES && code != s->only)
            continue;
        struct buf seeds = {0};
        bad = take_part(s, code, &seeds) && run_ncu(s, &ncu, code, seeds.data, e);
        buf_free(&seeds);
    }
    ncu_close(&ncu, bad);
    return bad;
}

/* The record's kernels, by the front end that it was made with. */
static int from_record(struct sample *s, struct err *e)
{
    char *file = record_file(&s->kit, s->name);
    int bad = record_read(file, &s->record, e);
    free(file);
    if (bad)
        return -1;
    const char *front = record_text(s->record, "front_end");
    s->set.seed = (uint64_t)record_number(s->record, "seed");
    s->set.count = (int)record_number(s->record, "kernels");
    s->set.files = (s->set.count + RANDOM_PER_FILE - 1) / RANDOM_PER_FILE;
    if (strcmp(front, s->set.fronts[0].name))
        return err_set(e, ERR_ENV, "the record's kernels are by %s, and these by %s: nothing to compare", front, s->set.fronts[0].name);
    return 0;
}

/* ---- the simulator's half ---- */

/* Into rows of unoptimised code with its YIELDs, or into the others; returns how many there are of them. */
static int set_simulated(struct sample *s, uint64_t seed, int turns, const struct metrics *m)
{
    size_t at;
    json_t *launch;
    int rows = 0;
    json_array_foreach(json_object_get(s->record, "launches"), at, launch) {
        int yields = !strcmp(record_text(launch, "code"), counters_codes[CODE_UNOPTIMISED]);
        if ((uint64_t)record_number(launch, "seed") != seed || yields != turns)
            continue;
        rows++;
        if (!m)
            continue;
        json_t *row = json_array();
        for (int i = 0; i < COUNTERS; i++)
            json_array_append_new(row, number(m->v[counters[i].simulated]));
        json_object_set_new(launch, "simulated", row);
        json_object_set_new(launch, "mixed", number(m->v[METRIC_MIXED_REQUESTS]));
        json_object_set_new(launch, "mixed_sectors", number(m->v[METRIC_MIXED_SECTORS]));
    }
    return rows;
}

/* Lanes that take turns leave the same data behind. */
static int simulate_one(struct sample *s, const struct random_kernel *k, struct way *w, struct err *e)
{
    struct outcome o = {{0}}, turns = {{0}};
    struct buf why = {0};
    int bad = outcome_take(k, w, &o, e);
    if (!bad)
        set_simulated(s, k->seed, 0, &o.metrics);
    if (!bad && set_simulated(s, k->seed, 1, NULL)) {
        device_take_turns(1);
        bad = outcome_take(k, w, &turns, e);
        device_take_turns(0);
        if (!bad && outcome_data_differ(k, &o, &turns, &why))
            bad = err_set(e, ERR_ENV, "seed %llu where lanes take turns: %s", (unsigned long long)k->seed, why.data);
        if (!bad)
            set_simulated(s, k->seed, 1, &turns.metrics);
    }
    buf_free(&why);
    outcome_free(&o);
    outcome_free(&turns);
    return bad;
}

/* ---- exceptions: with ptxas's own regions ---- */

static int simulate_exception(struct sample *s, const struct random_kernel *k, struct way *w, struct err *e)
{
    size_t i;
    json_t *known, *row = json_array();
    struct outcome o = {{0}};
    int bad = outcome_take(k, w, &o, e);
    for (int c = 0; c < COUNTERS && !bad; c++)
        json_array_append_new(row, number(o.metrics.v[counters[c].simulated]));
    json_array_foreach(json_object_get(s->record, "exceptions"), i, known)
        if ((uint64_t)record_number(known, "seed") == k->seed)
            json_object_set(known, "simulated", row);
    json_decref(row);
    outcome_free(&o);
    return bad;
}

static int simulate_exceptions(struct sample *s, struct err *e)
{
    enum { PAIRS_MAX = 64 };
    size_t i, r;
    json_t *known, *pair;
    int bad = 0;
    json_array_foreach(json_object_get(s->record, "exceptions"), i, known) {
        int pairs[PAIRS_MAX][2];
        size_t count = 0;
        uint64_t at = (uint64_t)record_number(known, "seed") - s->set.seed;
        if (at >= (uint64_t)s->set.count)
            return err_set(e, ERR_ENV, "exceptions: seed %.0f is none of the record's", record_number(known, "seed"));
        json_array_foreach(json_object_get(known, "regions"), r, pair)
            for (int k = 0; k < 2 && r < PAIRS_MAX; k++, count = r + 1)
                pairs[r][k] = (int)json_integer_value(json_array_get(pair, (size_t)k));
        memset(s->on, 0, (size_t)s->set.count);
        s->on[at] = 1;
        device_regions((const int (*)[2])pairs, count);
        bad |= visit_all(s, simulated, simulate_exception, e);
        device_regions(NULL, 0);
    }
    return bad;
}

/* Print what has to be equal and is not; returns how many launches that are. */
static int report(const json_t *record)
{
    struct buf out = {0};
    size_t i;
    json_t *launch;
    int wrong = 0;
    json_array_foreach(json_object_get(record, "launches"), i, launch) {
        struct buf why = {0};
        wrong += counters_wrong(record, launch, &why);
        if (why.len)
            printf("random_%.0f, %s: %s\n", record_number(launch, "seed"), record_text(launch, "code"), why.data);
        buf_free(&why);
    }
    counters_table(record, &out);
    printf("%s", out.data);
    buf_free(&out);
    return wrong;
}

/* ---- the command ---- */

static int numbers(struct sample *s, const char *seed, const char *count, struct err *e)
{
    uint64_t n = 170;
    s->set.seed = 1;
    if ((seed && options_number("--seed", seed, UINT64_MAX / 2, &s->set.seed, e)) ||
        (count && options_number("--count", count, KERNELS_MAX, &n, e)))
        return -1;
    s->set.count = (int)n;
    s->set.files = (s->set.count + RANDOM_PER_FILE - 1) / RANDOM_PER_FILE;
    s->on = xcalloc(KERNELS_MAX, 1);
    return 0;
}

static int compare(struct sample *s, const char *out, struct err *e)
{
    int again = !strcmp(s->device, simulated);
    if (!again && !strncmp(s->device, "sim", 3))
        return err_set(e, ERR_USAGE, "--device %s: a GPU is measured; what was recorded stands beside %s", s->device, simulated);
    if ((again && from_record(s, e)) || random_write(&s->set, e) || (!again && from_hardware(s, e)) || choose(s, NULL, e) ||
        visit_all(s, simulated, simulate_one, e) || simulate_exceptions(s, e) || (out && record_write(out, s->record, e)))
        return -1;
    int wrong = report(s->record);
    return wrong ? err_set(e, ERR_ENV, "%d launches with counters that have to be equal and are not", wrong) : 0;
}

/* With --launch only that: what ncu is put around. */
int command_counters(int argc, char **argv, struct err *e)
{
    const char *seed = NULL, *count = NULL, *front = NULL, *out = NULL, *launch = NULL, *seeds = NULL, *only = NULL;
    struct sample s = {.ncu = "ncu", .name = "counters", .only = CODES};
    const struct option_spec specs[] = {{"--seed", &seed}, {"--count", &count}, {"--device", &s.device}, {"--front", &front},
                                        {"--out", &out}, {"--from", &s.set.from}, {"--ncu", &s.ncu}, {"--launch", &launch},
                                        {"--seeds", &seeds}, {"--only", &only}, {"--record", &s.name}, {0}};
    s.set.kit = &s.kit;
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 || (only && (s.only = code_named("--only", only, e)) == CODES) ||
        numbers(&s, seed, count, e) || random_fronts(&s.set, front, e) || kit_find(&s.kit, e))
        return -1;
    s.device = s.device ? s.device : device_default();
    s.set.directory = kit_temporary(&s.kit, e);
    free(s.kit.cache); /* random files are never met again */
    s.kit.cache = NULL;
    while (s.set.front_count > 1) /* one is enough */
        front_free(&s.set.fronts[--s.set.front_count]);
    int bad = !s.set.directory || (launch ? choose(&s, seeds, e) || launch_all(&s, launch, e) : compare(&s, out, e));
    json_decref(s.record);
    if (s.set.directory)
        spawn_remove_directory(s.set.directory);
    free(s.set.directory);
    front_free(&s.set.fronts[0]);
    kit_free(&s.kit);
    free(s.on);
    return bad ? -1 : 0;
}
