/* counters_cmd.c - lockstep counters: ncu around random kernels, launched once each, and the simulator beside it.
 *
 * On a GPU each kernel is assembled with the driver's optimiser off, so that its accesses are the program's; those whose accesses are
 * volatile also with the optimiser on. Those that execute a YIELD then also with a NOP in its place. Without a GPU, the hardware's half is
 * what was recorded. */
#include "lab/commands.h"
#include "lab/counters_run.h"
#include "lab/spawn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_MAX = 1000000 };

/* ---- launching ---- */

struct random_kernel sample_kernel(const struct sample *s, int i)
{
    struct random_kernel k;
    struct buf text = {0};
    random_kernel(s->set.seed + (uint64_t)i, &k, &text);
    buf_free(&text);
    return k;
}

int sample_visit_file(struct sample *s, int file, struct way *w, sample_visit *each, struct err *e)
{
    char *path = random_ptx(&s->set, file, 0), *source = random_source(&s->set, file), *ptx = NULL;
    int bad = file_read(path, (size_t)64 << 20, &ptx, NULL, e) || device_load(w->device, ptx, path, source, &w->module, e);
    for (int i = 0; i < random_kernels_in(&s->set, file) && !bad; i++) {
        struct random_kernel k = sample_kernel(s, file * RANDOM_PER_FILE + i);
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

int sample_visit_all(struct sample *s, const char *device, sample_visit *each, struct err *e)
{
    struct way w = {.spec = device};
    int bad = 0;
    if (device_open(device, &w.device, e))
        return -1;
    for (int file = 0; file < s->set.files && !bad; file++)
        bad = sample_visit_file(s, file, &w, each, e);
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

int sample_choose(struct sample *s, const char *seeds, struct err *e)
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
        err_set(e, ERR_USAGE, "%s %s: there are %s, %s, %s and %s", option, code, counters_codes[0], counters_codes[1], counters_codes[2],
                counters_codes[3]);
    return which;
}

static int launch_all(struct sample *s, const char *code, struct err *e)
{
    int which = code_named("--launch", code, e);
    if (which == CODES)
        return -1;
    device_optimise(which == CODE_OPTIMISED || which == CODE_OPTIMISED_WITHOUT_YIELD);
    device_yields(which == CODE_UNOPTIMISED || which == CODE_OPTIMISED);
    return sample_visit_all(s, s->device, launch_one, e);
}

json_t *sample_number(double v)
{
    return isnan(v) ? json_null() : json_integer((json_int_t)v);
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
    int again = !strcmp(s->device, COUNTERS_DEVICE);
    if (!again && !strncmp(s->device, "sim", 3))
        return err_set(e, ERR_USAGE, "--device %s: a GPU is measured; what was recorded stands beside %s", s->device, COUNTERS_DEVICE);
    if ((again && counters_from_record(s, e)) || random_write(&s->set, e) || (!again && counters_from_hardware(s, e)) ||
        sample_choose(s, NULL, e) || counters_simulate(s, e) || (out && record_write(out, s->record, e)))
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
                                        {"--seeds", &seeds}, {"--only", &only}, {"--record", &s.name}, {"--ptxas", &s.ptxas}, {0}};
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
    int bad = !s.set.directory || (launch ? sample_choose(&s, seeds, e) || launch_all(&s, launch, e) : compare(&s, out, e));
    json_decref(s.record);
    if (s.set.directory)
        spawn_remove_directory(s.set.directory);
    free(s.set.directory);
    front_free(&s.set.fronts[0]);
    kit_free(&s.kit);
    free(s.on);
    return bad ? -1 : 0;
}
