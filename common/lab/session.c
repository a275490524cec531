/* session.c - what a whole run has in common: devices, front end, seed, answers that are needed again. */
#include "lab/session.h"
#include "lab/isolate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int session_simulated(const struct session *s)
{
    return !strncmp(s->name, "sim", 3);
}

int session_device(struct session *s, struct err *e)
{
    return s->device ? 0 : device_open(s->name, &s->device, e);
}

/* ---- looking at the device ---- */

/* What counts: a simulated device itself; for another, the simulator as the same GPU, or as the default. */
static void look(struct session *s, const struct device *d)
{
    const struct model_profile *p = device_profile(d);
    s->counter = session_simulated(s) ? xstrdup(s->name) : xasprintf("sim:%s", p ? p->name : "h200");
    s->title = xstrdup(device_title(d));
}

/* In a process of its own: "COUNTER\nTITLE". */
static int probe(void *context, struct buf *reply, struct err *e)
{
    struct session *s = context;
    if (session_device(s, e))
        return -1;
    look(s, s->device);
    buf_printf(reply, "%s\n%s", s->counter, s->title);
    return 0;
}

static int open_device(struct session *s, const char *device, struct err *e)
{
    static const double PROBE_SECONDS = 60; /* a GPU that slept takes its time */
    struct buf found = {0};
    s->name = xstrdup(device);
    if (!device_needs_process(device)) {
        if (session_device(s, e))
            return -1;
        look(s, s->device);
        return 0;
    }
    int bad = isolate_run(probe, s, PROBE_SECONDS, &found, e);
    char *line = bad ? NULL : memchr(found.data ? found.data : "", '\n', found.len);
    if (line) {
        s->counter = xstrndup(found.data, (size_t)(line - found.data));
        s->title = xstrdup(line + 1);
    } else if (!bad) {
        bad = err_set(e, ERR_ENV, "device '%s': what it is could not be found out", device);
    }
    buf_free(&found);
    return bad;
}

static int open_student(struct session *s, const char *student, struct err *e)
{
    struct stat st;
    s->student = student ? xstrdup(student) : kit_path(&s->kit, "labs");
    for (size_t n = strlen(s->student); n > 1 && s->student[n - 1] == '/'; n--)
        s->student[n - 1] = 0;
    if (stat(s->student, &st))
        return err_set(e, ERR_ENV, "%s: there is no such directory; it should be laid out as labs/", s->student);
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_ENV, "%s: is not a directory; it should be laid out as labs/", s->student);
    return 0;
}

int session_open(struct session *s, const char *device, const char *front, const char *student, const uint64_t *seed, struct err *e)
{
    *s = (struct session){.answers = answers_new()};
    s->seed = seed ? *seed : rng_secret() >> 1; /* a number that --seed takes again */
    if (kit_find(&s->kit, e) || open_device(s, device ? device : device_default(), e) || front_find(&s->front, front, e) ||
        open_student(s, student, e)) {
        session_close(s);
        return -1;
    }
    return 0;
}

void session_close(struct session *s)
{
    if (s->device)
        device_close(s->device);
    front_free(&s->front);
    kit_free(&s->kit);
    answers_free(s->answers);
    free(s->student);
    free(s->counter);
    free(s->name);
    free(s->title);
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

/* ---- answers ---- */

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

const struct expected *answers_get(struct answers *a, const struct instance *in, uint64_t seed)
{
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
