/* session.c - what all exercises of a run share: kit, compiler and device (struct workbench), the
 * seed, and cached answers. */
#include "judge/grade.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>

/* The number of answers that are cached: enough for the sizes of one lab. Each takes at most some
 * tens of megabytes. */
enum { ANSWERS = 4 };

/* A ring buffer of answers: a new answer replaces entry[next % ANSWERS]. Problem, sizes and seed
 * are an entry's key. */
struct answers {
    struct {
        const struct problem *problem;
        int dims[DIMS];
        uint64_t seed;
        struct expected expected;
    } entry[ANSWERS];
    int next;
};

static void answers_free(struct answers *a)
{
    for (int i = 0; a && i < ANSWERS; i++) expected_free(&a->entry[i].expected);
    free(a);
}

/* If no student's directory is given, the kit's own labs/ are graded; only then the kit is searched
 * for here; workbench_open does that in any case. */
int session_open(struct session *s, const char *device, const char *front, const char *student,
    const uint64_t *seed, struct err *e)
{
    *s = (struct session){.answers = xcalloc(1, sizeof(struct answers)),
        .seconds = EXERCISE_SECONDS,
        .speed = SCORE_SPEED,
        .sandbox = jail_text(),
        .processor_before = os_children_seconds()};
    /* shifted, since --seed accepts no larger numbers */
    s->seed = seed ? *seed : rng_secret() >> 1;
    struct kit kit = {0};
    char *labs = student ? xstrdup(student) : kit_find(&kit, e) ? NULL : kit_path(&kit, "labs");
    struct workbench_options o = {.device = device, .front = front, .directory = labs, .forks = 1};
    int bad = !labs || workbench_open(&s->workbench, &o, e);
    free(labs);
    if (kit.root) kit_free(&kit);
    if (bad) session_close(s);
    return bad ? -1 : 0;
}

void session_apart(struct session *s)
{
    static const size_t MEMORY = (size_t)4 << 30;
    enum { PROCESSES = 256 };
    s->apart = 1;
    if (workbench_simulated(&s->workbench)) cgroup_open(MEMORY, PROCESSES);
    s->sandbox = jail_text();
}

/* May also be called if session_open failed. */
void session_close(struct session *s)
{
    cgroup_close();
    if (s->reference.exercise) build_close(&s->reference);
    workbench_close(&s->workbench);
    answers_free(s->answers);
    *s = (struct session){0};
}

/* The seed is a hash of the purpose and the size, mixed with the run's seed. */
uint64_t session_seed(const struct session *s, const char *what, const int *dims, int round)
{
    uint64_t h = 0xcbf29ce484222325u; /* the hash function FNV-1a */
    struct rng rng;
    for (; *what; what++) h = (h ^ (unsigned char)*what) * 0x100000001b3u;
    for (int i = 0; i < DIMS; i++) h = (h ^ (uint64_t)(dims ? dims[i] : 0)) * 0x100000001b3u;
    rng_seed(&rng, s->seed ^ (h + (uint64_t)round * 0x9e3779b97f4a7c15u));
    return rng_u64(&rng);
}

/* ---- cached answers ---- */

/* If the answer is not cached, it is computed, and replaces the oldest cached answer. */
const struct expected *session_answer(struct session *s, const struct instance *in, uint64_t seed)
{
    struct answers *a = s->answers;
    for (int i = 0; i < ANSWERS; i++)
        if (a->entry[i].problem == in->problem && a->entry[i].seed == seed &&
            !memcmp(a->entry[i].dims, in->dims, sizeof in->dims))
            return &a->entry[i].expected;
    int i = a->next++ % ANSWERS;
    expected_free(&a->entry[i].expected);
    a->entry[i].problem = in->problem;
    a->entry[i].seed = seed;
    memcpy(a->entry[i].dims, in->dims, sizeof in->dims);
    expected_make(&a->entry[i].expected, in);
    return &a->entry[i].expected;
}
