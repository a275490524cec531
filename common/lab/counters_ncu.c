/* counters_ncu.c - the hardware's half of lockstep counters: what ncu reads of each kernel, in each code, or what it read before. */
#include "lab/counters_run.h"
#include "lab/crosscheck.h"
#include "lab/ncu.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = COUNTERS * COUNTERS_SUMMED + 1 };

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

static json_t *measured_row(uint64_t seed, int code, const double *values)
{
    json_t *measured = json_array();
    int at = 1;
    for (int i = 0; i < COUNTERS; i++) {
        double sum = 0;
        for (int j = 0; j < COUNTERS_SUMMED && counters[i].measured[j]; j++)
            sum += values[at++];
        json_array_append_new(measured, sample_number(sum));
    }
    return json_pack("{s:I, s:s, s:o, s:o}", "seed", (json_int_t)seed, "code", counters_codes[code], "yields", sample_number(values[0]),
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

/* Turn on the kernels that executed a YIELD in a code. */
static void choose_yielding(struct sample *s, int code)
{
    size_t at;
    json_t *launch;
    json_array_foreach(json_object_get(s->record, "launches"), at, launch)
        if (!strcmp(record_text(launch, "code"), counters_codes[code]) && record_number(launch, "yields") > 0)
            s->on[(uint64_t)record_number(launch, "seed") - s->set.seed] = 1;
}

/* Which kernels are launched in this code; returns how many. Their seeds are appended to out. */
static int take_part(struct sample *s, int code, struct buf *out)
{
    int n = 0;
    for (int i = 0; i < s->set.count; i++) {
        struct random_kernel k = sample_kernel(s, i);
        s->on[i] = code == CODE_UNOPTIMISED || (code == CODE_OPTIMISED && k.watched) || code == s->only;
    }
    if (code == CODE_WITHOUT_YIELD)
        choose_yielding(s, CODE_UNOPTIMISED);
    if (code == CODE_OPTIMISED_WITHOUT_YIELD)
        choose_yielding(s, CODE_OPTIMISED);
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

int counters_from_hardware(struct sample *s, struct err *e)
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
int counters_from_record(struct sample *s, struct err *e)
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
