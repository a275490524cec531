/* wire.c - results as bytes, for a pipe or the cache.
 *
 *     struct result ── result(), writing ──> bytes ── result(), reading ──> struct result
 *
 * One walk over the fields serves both directions, so that they cannot differ. When reading, every count,
 * index and enumeration is checked against its range. Pointers are never sent: the reader sets them from its
 * own tables. Numbers have this machine's byte order; only the same build of the kit reads them.
 */
#include "judge/grade.h"

#include <stddef.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

/* The direction of the walk, and how far it is. */
struct wire {
    struct buf *out;         /* where to write; NULL when reading */
    const struct buf *in;    /* what to read */
    /* How many bytes of in are read. */
    size_t at;
    int bad;                 /* when reading: the bytes are no result */
};

/* n bytes as they are. Past the end of the input, the value becomes zeros and bad is set. */
static void raw(struct wire *w, void *p, size_t n)
{
    if (w->out) {
        buf_add(w->out, p, n);
    } else if (w->bad || w->in->len - w->at < n) {
        w->bad = 1;
        memset(p, 0, n);
    } else {
        memcpy(p, w->in->data + w->at, n);
        w->at += n;
    }
}

/* A double; any value is allowed, NAN too. */
static void number(struct wire *w, double *v) { raw(w, v, sizeof *v); }

#define AT(member) offsetof(struct measurement, member)
const struct number_field measurement_numbers[] = {
    {AT(ms), "time_ms", NUMBER_SHOWN},
    {AT(host_ms), "host_ms", NUMBER_OF_GPU},
    {AT(launch_ms), "empty_launch_ms", NUMBER_OF_GPU},
    {AT(in_ms), "copy_in_ms", NUMBER_OF_GPU},
    {AT(out_ms), "copy_out_ms", NUMBER_OF_GPU},
    {AT(occupancy.share), "occupancy", NUMBER_KEPT},
    {0},
};
#undef AT
#define AT(member) offsetof(struct step_result, member)
const struct number_field step_numbers[] = {
    {AT(ratio.low), "time_ratio_low", NUMBER_OF_INTERVAL},
    {AT(ratio.high), "time_ratio_high", NUMBER_OF_INTERVAL},
    {AT(ratio.median), "time_ratio", NUMBER_KEPT},
    {AT(reference_ms), "reference_ms", NUMBER_KEPT},
    {AT(least_ms), "least_ms", NUMBER_KEPT},
    {0},
};
#undef AT

static void numbers(struct wire *w, void *of, const struct number_field *f)
{
    for (; f->json; f++) number(w, (double *)(void *)((char *)of + f->offset));
}

/* A whole number in [least, most]. One outside is read as least, and sets bad. */
static void whole(struct wire *w, int *v, int least, int most)
{
    raw(w, v, sizeof *v);
    if (!w->out && (*v < least || *v > most)) {
        w->bad = 1;
        *v = least;
    }
}

/* Text that may be NULL, as a length (-1 for NULL) and bytes. The reader owns what it gets. */
static void text(struct wire *w, char **s)
{
    int length = w->out && *s ? (int)strlen(*s) : -1;
    whole(w, &length, -1, 1 << 20);
    if (w->out) {
        if (length > 0) buf_add(w->out, *s, (size_t)length);
    } else {
        int there = !w->bad && length >= 0;
        *s = there ? xcalloc((size_t)length + 1, 1) : NULL;
        if (there) raw(w, *s, (size_t)length);
    }
}

/* A struct buf with text. An empty one is sent like NULL. */
static void buffer(struct wire *w, struct buf *b)
{
    char *s = w->out ? b->data : NULL;
    text(w, &s);
    if (!w->out) {
        if (s) buf_add(b, s, strlen(s));
        free(s);
    }
}

/* The fields that a report needs: no lines, no accesses, no parts of the time. */
static void measurement(struct wire *w, struct measurement *m)
{
    int kind = m->time_is, limiter = m->occupancy.limiter, bottleneck = m->bottleneck;
    whole(w, &kind, TIME_NONE, TIME_MEASURED);
    m->time_is = (enum time_kind)kind;
    numbers(w, m, measurement_numbers);
    whole(w, &m->occupancy.blocks, 0, 1 << 20);
    whole(w, &m->occupancy.warps, 0, 1 << 20);
    whole(w, &limiter, LIMIT_NONE, LIMITERS - 1);
    whole(w, &bottleneck, PART_NONE, PART_LAUNCH);
    m->occupancy.limiter = (enum model_limiter)limiter;
    m->bottleneck = (enum model_part)bottleneck;
    for (int i = 0; i < METRIC_COUNT; i++) number(w, &m->metrics.v[i]);
}

/* One step's result. of: the step in the lab's table, which gives the pointers. */
static void step(struct wire *w, struct step_result *s, const struct step *of)
{
    int judged = s->timing;
    if (!w->out) {
        s->step = of;
        s->problem = problem_find(of->problem);
        s->before_ms = NAN; /* the reader measures the rung before */
    }
    measurement(w, &s->m);
    numbers(w, s, step_numbers);
    whole(w, &judged, TIMING_JUDGED, TIMING_IMPOSSIBLE);
    s->timing = (enum timing_verdict)judged;
    int there = 0;
    for (const struct budget *b = of->budgets; b && b->why && there < BUDGETS_MAX; b++) there++;
    whole(w, &s->budget_count, 0, there);
    for (int i = 0; i < s->budget_count; i++) {
        struct budget_result *b = &s->budgets[i];
        if (!w->out) b->budget = &of->budgets[i]; /* results stand in the order of the table */
        number(w, &b->limit);
        number(w, &b->value);
        whole(w, &b->met, 0, 1);
        whole(w, &b->line, 0, 1 << 24);
        for (int k = 0; k < METRIC_COUNT; k++) number(w, &b->blamed.v[k]);
    }
}

/* What people and programs are told of a finding; the search for its cause has ended before. */
static void finding(struct wire *w, struct finding *f)
{
    int kind = f->kind, hints = (int)f->hints;
    whole(w, &kind, FOUND_NOTHING, FOUND_KINDS - 1);
    whole(w, &hints, 0, (1 << 16) - 1);
    f->kind = (enum finding_kind)kind, f->hints = (unsigned)hints;
    whole(w, &f->line, 0, 1 << 24);
    whole(w, &f->other_line, 0, 1 << 24);
}

static void ledger(struct wire *w, struct ledger_entry *x, const struct result *r)
{
    int what = x->what, predicted = 0;
    whole(w, &what, LEDGER_CORRECT, LEDGER_PREDICTION);
    x->what = what;
    predicted = what == LEDGER_PREDICTION;
    whole(w, &x->step, 0, predicted ? STEPS_MAX : r->step_count - 1);
    whole(w, &x->item, 0, predicted ? r->prediction_count - 1 : BUDGETS_MAX - 1);
    number(w, &x->points);
    whole(w, &x->of, 0, 1 << 20);
}

/* The whole result, in the order of its fields. */
static void result(struct wire *w, struct result *r)
{
    int status = r->status, kind = r->time_is, steps = 0, predictions = 0;
    text(w, &r->file);
    text(w, &r->source);
    whole(w, &status, STATUS_PASSED, STATUS_ERROR);
    r->status = (enum status)status;
    number(w, &r->score);
    whole(w, &r->max_score, 0, 1 << 20);
    number(w, &r->ms);
    number(w, &r->reference_ms);
    whole(w, &kind, TIME_NONE, TIME_MEASURED);
    r->time_is = (enum time_kind)kind;
    for (int i = 0; i < METRIC_COUNT; i++) number(w, &r->metrics.v[i]);
    while (r->exercise->steps[steps].kernel && steps < STEPS_MAX) steps++;
    whole(w, &r->step_count, 0, steps);
    for (int i = 0; i < r->step_count; i++) step(w, &r->steps[i], &r->exercise->steps[i]);
    for (const struct prediction *p = r->exercise->predictions; p && p->name && predictions < PREDICTIONS_MAX;
         p++)
        predictions++;
    whole(w, &r->prediction_count, 0, predictions);
    for (int i = 0; i < r->prediction_count; i++) {
        if (!w->out) r->predictions[i].prediction = &r->exercise->predictions[i];
        raw(w, &r->predictions[i].said, sizeof r->predictions[i].said);
        number(w, &r->predictions[i].counted);
        raw(w, &r->predictions[i].key, sizeof r->predictions[i].key);
    }
    whole(w, &r->ledger_count, 0, LEDGER_MAX);
    for (int i = 0; i < r->ledger_count; i++) ledger(w, &r->ledger[i], r);
    buffer(w, &r->warnings);
    buffer(w, &r->message);
    finding(w, &r->found);
    buffer(w, &r->cause);
}

/* The input must have been valid and must have been read to its last byte. */
static int finish(const struct wire *w, struct err *e)
{
    return w->bad || w->at != w->in->len
        ? err_set(e, ERR_ENV, "an exercise's process sent something that is no result")
        : 0;
}

void wire_put_result(struct buf *out, const struct result *r)
{
    struct wire w = {.out = out};
    /* The cast drops const; writing only reads r. */
    result(&w, (struct result *)(uintptr_t)r);
}

int wire_get_result(const struct buf *in, struct result *r, struct err *e)
{
    struct wire w = {.in = in};
    result(&w, r);
    return finish(&w, e);
}

void wire_put_measurement(struct buf *out, const struct measurement *m)
{
    struct wire w = {.out = out};
    measurement(&w, (struct measurement *)(uintptr_t)m);
}

int wire_get_measurement(const struct buf *in, struct measurement *m, struct err *e)
{
    struct wire w = {.in = in};
    *m = (struct measurement){0};
    measurement(&w, m);
    return finish(&w, e);
}
