/* notes.c - findings that hardware survives, in launches that go on after them.
 *
 *     a race, a read of unwritten memory -- sim_warn --> no notes: a fault, which ends the launch
 *                                               +------> notes: one per line and kind, with a count
 *
 * Blocks may run on several host threads. Of one line's findings, the one in the block with the
 * lowest number is kept. */
#include "sim/machine.h"

#include <pthread.h>
#include <stdlib.h>

struct note {
    enum finding_kind kind;
    int line;
    uint64_t block;
    unsigned long times;
    struct err err;
};
struct notes {
    pthread_mutex_t lock;
    struct note *list;
    size_t count, cap;
};

struct notes *notes_new(void)
{
    struct notes *n = xcalloc(1, sizeof *n);
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

void notes_forget(struct notes *n)
{
    if (n) n->count = 0;
}

void notes_free(struct notes *n)
{
    if (!n) return;
    pthread_mutex_destroy(&n->lock);
    free(n->list);
    free(n);
}

static int by_line(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    return x->line != y->line ? x->line - y->line : (int)x->kind - (int)y->kind;
}

void notes_tell(struct notes *n, const char *file, const struct sim_options *o)
{
    if (!n || !n->count) return;
    qsort(n->list, n->count, sizeof *n->list, by_line);
    for (size_t i = 0; i < n->count; i++)
        o->note(o->context, file, &n->list[i].err, n->list[i].times);
}

static struct note *find(const struct notes *n, int line, enum finding_kind kind)
{
    for (size_t i = 0; i < n->count; i++)
        if (n->list[i].line == line && n->list[i].kind == kind) return &n->list[i];
    return NULL;
}

int sim_known(const struct batch *v, const struct uop *u, enum finding_kind kind)
{
    struct notes *n = v->worker->launch->notes;
    if (!n) return 0;
    pthread_mutex_lock(&n->lock);
    struct note *x = find(n, v->worker->kernel->program->steps[u->step].loc.line, kind);
    int known = x && x->block <= v->worker->block;
    if (known) x->times++;
    pthread_mutex_unlock(&n->lock);
    return known;
}

void sim_warn(
    struct batch *v, const struct uop *u, int lane, struct finding found, const char *fmt, ...)
{
    struct worker *w = v->worker;
    struct notes *n = w->launch->notes;
    va_list ap;
    if (sim_known(v, u, found.kind)) return;
    va_start(ap, fmt);
    sim_describe(v, u, lane, found, fmt, ap);
    va_end(ap);
    if (!n) sim_throw(v, u, lane);
    pthread_mutex_lock(&n->lock);
    struct note *x = find(n, w->err.found.line, found.kind);
    if (!x) x = VEC_PUSH(n->list, n->count, n->cap);
    *x = (struct note){found.kind, w->err.found.line, w->block, x->times + 1, w->err};
    pthread_mutex_unlock(&n->lock);
}
