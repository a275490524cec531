/* counters_sim.c - the simulator's half of lockstep counters: with regions as told from the PTX, and where ptxas has some elsewhere, with
 * its own, too; by turns for code with its YIELDs. */
#include "lab/counters_run.h"
#include "lab/elsewhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char told[] = "simulated", made[] = "made"; /* halves of a row: counters.h */

/* Into rows of code with its YIELDs, or into the others; returns how many there are of them. */
static int set_half(struct sample *s, uint64_t seed, int turns, const char *half, const struct metrics *m)
{
    size_t at;
    json_t *launch;
    int rows = 0;
    json_array_foreach(json_object_get(s->record, "launches"), at, launch) {
        const char *code = record_text(launch, "code");
        int yields = !strcmp(code, counters_codes[CODE_UNOPTIMISED]) || !strcmp(code, counters_codes[CODE_OPTIMISED]);
        if ((uint64_t)record_number(launch, "seed") != seed || yields != turns)
            continue;
        rows++;
        if (!m)
            continue;
        json_t *row = json_array();
        for (int i = 0; i < COUNTERS; i++)
            json_array_append_new(row, sample_number(m->v[counters[i].simulated]));
        json_object_set_new(launch, half, row);
        json_object_set_new(launch, "mixed", sample_number(m->v[METRIC_MIXED_REQUESTS]));
        json_object_set_new(launch, "mixed_sectors", sample_number(m->v[METRIC_MIXED_SECTORS]));
    }
    return rows;
}

/* Lanes that take turns leave the same data behind. */
static int simulate(struct sample *s, const struct random_kernel *k, struct way *w, const char *half, struct err *e)
{
    struct outcome o = {{0}}, turns = {{0}};
    struct buf why = {0};
    device_take_turns(0);
    int bad = outcome_take(k, w, &o, e);
    device_take_turns(1);
    if (!bad)
        set_half(s, k->seed, 0, half, &o.metrics);
    if (!bad && set_half(s, k->seed, 1, half, NULL)) {
        bad = outcome_take(k, w, &turns, e);
        if (!bad && outcome_data_differ(k, &o, &turns, &why))
            bad = err_set(e, ERR_ENV, "seed %llu where lanes take turns: %s", (unsigned long long)k->seed, why.data);
        if (!bad)
            set_half(s, k->seed, 1, half, &turns.metrics);
    }
    buf_free(&why);
    outcome_free(&o);
    outcome_free(&turns);
    return bad;
}

static int simulate_told(struct sample *s, const struct random_kernel *k, struct way *w, struct err *e)
{
    return simulate(s, k, w, told, e);
}

static int simulate_made(struct sample *s, const struct random_kernel *k, struct way *w, struct err *e)
{
    return simulate(s, k, w, made, e);
}

/* ---- with ptxas's regions ---- */

static int note(void *data, uint64_t seed, const int (*pairs)[2], size_t count, struct err *e)
{
    struct sample *s = data;
    json_t *regions = json_array();
    (void)e;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(regions, json_pack("[i, i]", pairs[i][0], pairs[i][1]));
    if (count)
        json_array_append_new(json_object_get(s->record, "elsewhere"),
                              json_pack("{s:I, s:O}", "seed", (json_int_t)seed, "regions", regions));
    json_decref(regions);
    return 0;
}

/* Anew. On a machine with a GPU and no ptxas there are none. */
static int find_elsewhere(struct sample *s, struct err *e)
{
    struct err why = {0};
    char *ptxas = elsewhere_ptxas(s->ptxas, s->ptxas ? e : &why);
    int bad = !ptxas && s->ptxas ? -1 : 0;
    if (!ptxas && !bad)
        printf("Regions are as told, whatever ptxas makes: %s\n", why.text);
    json_object_set_new(s->record, "elsewhere", json_array());
    for (int file = 0; file < s->set.files && ptxas && !bad; file++)
        bad = elsewhere_visit_file(&s->set, file, ptxas, note, s, e);
    free(ptxas);
    return bad;
}

/* Of the kernels of a file that ptxas has regions elsewhere in all pairs, whose lines are no other's; turns those kernels on. */
static size_t gather(struct sample *s, int file, int (**pairs)[2])
{
    size_t i, r, count = 0, cap = 0;
    json_t *kernel, *pair;
    *pairs = NULL;
    memset(s->on, 0, (size_t)s->set.count);
    json_array_foreach(json_object_get(s->record, "elsewhere"), i, kernel) {
        uint64_t at = (uint64_t)record_number(kernel, "seed") - s->set.seed;
        if (at >= (uint64_t)s->set.count || at / RANDOM_PER_FILE != (uint64_t)file)
            continue;
        s->on[at] = 1;
        json_array_foreach(json_object_get(kernel, "regions"), r, pair) {
            int *to = *VEC_PUSH(*pairs, count, cap);
            for (size_t k = 0; k < 2; k++)
                to[k] = (int)json_integer_value(json_array_get(pair, k));
        }
    }
    return count;
}

static int simulate_elsewhere(struct sample *s, struct err *e)
{
    struct way w = {.spec = COUNTERS_DEVICE};
    int bad = device_open(w.spec, &w.device, e);
    for (int file = 0; file < s->set.files && !bad; file++) {
        int (*pairs)[2];
        size_t count = gather(s, file, &pairs);
        device_regions((const int (*)[2])pairs, count);
        if (count)
            bad = sample_visit_file(s, file, &w, simulate_made, e);
        device_regions(NULL, 0);
        free(pairs);
    }
    if (w.device)
        device_close(w.device);
    return bad ? -1 : 0;
}

static void forget_halves(struct sample *s)
{
    size_t at;
    json_t *launch;
    json_array_foreach(json_object_get(s->record, "launches"), at, launch)
        json_object_del(launch, made);
}

int counters_simulate(struct sample *s, struct err *e)
{
    forget_halves(s);
    return sample_visit_all(s, COUNTERS_DEVICE, simulate_told, e) ||
                   ((s->ptxas || strcmp(s->device, COUNTERS_DEVICE)) && find_elsewhere(s, e)) || simulate_elsewhere(s, e)
               ? -1
               : 0;
}
