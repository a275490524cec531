/* session.c - what a whole run has in common: workbench, seed, answers that are needed again. */
#include "judge/grade.h"

#include <stdlib.h>
#include <string.h>

int session_open(struct session *s, const char *device, const char *front, const char *student, const uint64_t *seed, struct err *e)
{
    *s = (struct session){.answers = answers_new()};
    s->seed = seed ? *seed : rng_secret() >> 1; /* a number that --seed takes again */
    struct kit kit = {0};
    char *labs = student ? xstrdup(student) : kit_find(&kit, e) ? NULL : kit_path(&kit, "labs");
    struct workbench_options o = {.device = device, .front = front, .directory = labs, .forks = 1};
    int bad = !labs || workbench_open(&s->workbench, &o, e);
    free(labs);
    if (kit.root)
        kit_free(&kit);
    if (bad)
        session_close(s);
    return bad ? -1 : 0;
}

void session_close(struct session *s)
{
    if (s->reference.exercise)
        build_close(&s->reference);
    workbench_close(&s->workbench);
    answers_free(s->answers);
    *s = (struct session){0};
}

uint64_t session_seed(const struct session *s, const char *what, const int *dims, int round)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    struct rng rng;
    for (; *what; what++)
        h = (h ^ (unsigned char)*what) * 0x100000001b3u;
    for (int i = 0; i < DIMS; i++)
        h = (h ^ (uint64_t)(dims ? dims[i] : 0)) * 0x100000001b3u;
    rng_seed(&rng, s->seed ^ (h + (uint64_t)round * 0x9e3779b97f4a7c15u));
    return rng_u64(&rng);
}

/* ---- answers, kept while there is room ---- */

enum { ANSWERS = 4 }; /* the ladders' sizes of a lab; each at most some tens of megabytes */

struct answers {
    struct {
        const struct problem *problem;
        int dims[DIMS];
        uint64_t seed;
        struct expected expected;
    } entry[ANSWERS];
    int next;
};

struct answers *answers_new(void)
{
    return xcalloc(1, sizeof(struct answers));
}

void answers_free(struct answers *a)
{
    for (int i = 0; a && i < ANSWERS; i++)
        expected_free(&a->entry[i].expected);
    free(a);
}

const struct expected *session_answer(struct session *s, const struct instance *in, uint64_t seed)
{
    struct answers *a = s->answers;
    for (int i = 0; i < ANSWERS; i++)
        if (a->entry[i].problem == in->problem && a->entry[i].seed == seed && !memcmp(a->entry[i].dims, in->dims, sizeof in->dims))
            return &a->entry[i].expected;
    int i = a->next++ % ANSWERS;
    expected_free(&a->entry[i].expected);
    a->entry[i].problem = in->problem;
    a->entry[i].seed = seed;
    memcpy(a->entry[i].dims, in->dims, sizeof in->dims);
    expected_make(&a->entry[i].expected, in);
    return &a->entry[i].expected;
}
