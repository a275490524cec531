/* repair.c - which small edit of a wrong kernel makes every result right?
 *
 *     edits, likeliest first --> each alone --> the best with each other --> two in one expression
 *                                   │                  │                                        │
 *                                   └------------------┴-> the first that mends every shape is said
 *
 * The work is bounded: so many edits, and so many seconds of processor time. */
#include "judge/repair.h"
#include "judge/maker.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The most edits that are compiled together; of pairs: the best edits, how many each is tried with, and how
 * many are tried. */
enum { EDITS_MAX = 1600, BEST = 16, PARTNERS = 320, TRIED = 2000, TOGETHER = 500 };
/* Where a kernel is so long that it has many edits, few are compiled: each makes it slower. */
enum { MANY = 4000, FEW = 500 };
/* Processor seconds for running edits alone, and in pairs: on a usual machine the numbers above end first. */
static const double ALONE = 4, PAIRS = 3;

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One search: what is compiled, and what became of each edit alone. */
struct search {
    const struct repair_case *of;
    struct code code;
    struct edits edits;
    struct slots slots;
    struct bench *bench;
    struct outcome *out;
    int best[BEST], best_count;
};

static void search_close(struct search *s)
{
    if (s->bench) bench_close(s->bench);
    slots_free(&s->slots);
    edits_free(&s->edits);
    free(s->out);
}

/* Compile the edits of s. -1: that failed. */
static int search_open(struct search *s, size_t most)
{
    edits_sort(&s->edits, s->edits.count > MANY && most > FEW ? FEW : most);
    slots_find(&s->slots, &s->code);
    for (size_t i = 0; i < s->edits.count; i++) slots_place(&s->slots, &s->edits.list[i]);
    s->out = xcalloc(s->edits.count + 1, sizeof *s->out);
    s->bench = bench_open(s->of, &s->code, &s->slots, &s->edits);
    return s->bench ? 0 : -1;
}

/* Try each edit alone. Returns the first that mends; -1: none. */
static int alone(struct search *s, double seconds)
{
    const struct edit **which = xcalloc(s->edits.count + 1, sizeof *which);
    int tried, found = -1;
    for (size_t i = 0; i < s->edits.count; i++) which[i] = &s->edits.list[i];
    bench_try(s->bench, which, (int)s->edits.count, s->out, processor_seconds() + seconds, &tried);
    for (int i = 0; i < tried && found < 0; i++)
        if (s->out[i].mends) found = i;
    free(which);
    return found;
}

/* The edits after which most elements are right, more than without them. */
static void find_best(struct search *s)
{
    double base = bench_share(s->bench);
    for (s->best_count = 0; s->best_count < BEST; s->best_count++) {
        int best = -1;
        for (size_t i = 0; i < s->edits.count; i++) {
            int known = !s->out[i].ran || s->out[i].share <= base;
            for (int k = 0; k < s->best_count; k++) known |= s->best[k] == (int)i;
            if (!known && (best < 0 || s->out[i].share > s->out[best].share)) best = (int)i;
        }
        for (int i = 0; best < 0 && i < (int)s->edits.count; i++) { /* all fault: the likeliest */
            int known = 0;
            for (int k = 0; k < s->best_count; k++) known |= s->best[k] == i;
            if (!known) best = i;
        }
        if (best < 0) return;
        s->best[s->best_count] = best;
    }
}

/* Do two edits lie in different slots, so that both can be chosen at once? Then *both is that. */
static int together(const struct edit *a, const struct edit *b, struct edit *both)
{
    if (a->launch[0] || a->launch[2] || b->launch[0] || b->launch[2]) return 0; /* 1 thread mends much */
    if (a->place_count < 0 || b->place_count < 0 || a->place_count + b->place_count > SPLICES) return 0;
    for (int i = 0; i < a->place_count; i++)
        for (int k = 0; k < b->place_count; k++)
            if (a->places[i].slot == b->places[k].slot) return 0;
    *both = *a;
    for (int k = 0; k < b->place_count; k++) both->places[both->place_count++] = b->places[k];
    return 1;
}

/* Is it the same change of the same words elsewhere? */
static int is_alike(const struct code *c, const struct edit *a, const struct edit *b)
{
    const struct splice *x = &a->splices[0], *y = &b->splices[0];
    return a->count == b->count && a->kind == b->kind && a->kind != EDIT_NUMBER && x->len == y->len &&
           !strcmp(x->text, y->text) && !memcmp(c->text + x->at, c->text + y->at, x->len);
}

struct pair {
    int a, b;
};

/* Try pairs of edits. Returns 1 if one mends, with *found; the two are alike or one of them is one of the
 * best. */
static int in_pairs(struct search *s, struct pair *found)
{
    int count = 0, most = (int)s->edits.count < PARTNERS ? (int)s->edits.count : PARTNERS, tried, done = 0;
    size_t cap = (size_t)(BEST + 4) * PARTNERS;
    struct edit *both = xcalloc(cap, sizeof *both);
    struct pair *pairs = xcalloc(cap, sizeof *pairs);
    const struct edit **which = xcalloc(cap, sizeof *which), *e = s->edits.list;
    struct outcome *out = xcalloc(cap, sizeof *out);
    for (int i = 0; i < most; i++)
        for (int k = i + 1; k < most && count < 2 * PARTNERS; k++)
            if (is_alike(&s->code, &e[i], &e[k]) && together(&e[i], &e[k], &both[count]))
                pairs[count++] = (struct pair){i, k};
    for (int k = 0; k < most; k++)
        for (int i = 0; i < s->best_count && count < (int)cap; i++)
            if (s->best[i] != k && together(&e[s->best[i]], &e[k], &both[count]))
                pairs[count++] = (struct pair){s->best[i], k};
    for (int i = 0; i < count; i++) which[i] = &both[i];
    if (count > TRIED) count = TRIED;
    bench_try(s->bench, which, count, out, processor_seconds() + PAIRS, &tried);
    for (int i = 0; i < tried && !done; i++)
        if (out[i].mends) *found = pairs[i], done = 1;
    free(both);
    free(pairs);
    free(which);
    free(out);
    return done;
}

static void say_pair(const struct search *s, const struct edit *a, const struct edit *b, struct buf *cause)
{
    if (a->token > b->token) {
        const struct edit *t = a;
        a = b, b = t;
    }
    buf_printf(cause, "two edits together make every result right: ");
    repair_say(s->of, &s->code, a, "; and ", cause);
    repair_say(s->of, &s->code, b, "", cause);
}

/* Two edits in one expression: they are compiled once more. */
static int in_one_place(struct search *s, struct buf *cause)
{
    struct search t = {.of = s->of, .code = s->code};
    struct pair *pairs = xcalloc(TOGETHER, sizeof *pairs);
    int found = -1, count = 0, most = (int)s->edits.count < PARTNERS ? (int)s->edits.count : PARTNERS;
    t.edits = (struct edits){.code = &s->code, .of = s->of};
    for (int k = 0; k < most; k++)
        for (int i = 0; i < s->best_count && i < 4 && count < TOGETHER; i++) {
            const struct edit *a = &s->edits.list[s->best[i]], *b = &s->edits.list[k];
            struct edit both, *e;
            if (a == b || together(a, b, &both) || a->place_count < 0 || b->place_count < 0) continue;
            if (edit_join(a, b, &both)) continue;
            e = edits_begin(&t.edits, EDIT_PAIR, both.cost, both.token);
            *e = both;
            e->token = count; /* which pair, kept by the sort */
            pairs[count++] = (struct pair){s->best[i], k};
        }
    if (count && !search_open(&t, TOGETHER)) found = alone(&t, PAIRS);
    if (found >= 0) {
        const struct pair *p = &pairs[t.edits.list[found].token];
        say_pair(s, &s->edits.list[p->a], &s->edits.list[p->b], cause);
    }
    search_close(&t);
    free(pairs);
    return found >= 0;
}

static int find(struct search *s, struct buf *cause)
{
    struct pair p;
    int found;
    if (search_open(s, EDITS_MAX)) return 0;
    if ((found = alone(s, ALONE)) >= 0) {
        repair_say(s->of, &s->code, &s->edits.list[found], " every result is right", cause);
        return 1;
    }
    find_best(s);
    if (in_pairs(s, &p)) {
        say_pair(s, &s->edits.list[p.a], &s->edits.list[p.b], cause);
        return 1;
    }
    return in_one_place(s, cause);
}

/* The shapes of a step, and the seeds of their inputs. */
static struct repair_case case_of(struct workbench *w, const struct build *b, int step, uint64_t seed)
{
    const struct step *s = &b->exercise->steps[step];
    struct repair_case c = {.workbench = w, .compiled = &b->compiled, .bound = &b->bound[step], .step = s};
    struct rng rng;
    rng_seed(&rng, seed);
    c.count = problem_shapes(problem_find(s->problem), s, &rng, c.shapes);
    for (int i = 0; i < c.count; i++) c.seeds[i] = rng_u64(&rng);
    return c;
}

/* Where a block covers more than small shapes have, a shape of a few blocks takes the place of the last. */
static void enlarge(struct repair_case *c)
{
    const unsigned *covers = c->bound->covers;
    const struct problem *p = problem_find(c->step->problem);
    unsigned most = covers[0] > covers[1] ? covers[0] : covers[1];
    for (int d = 0; p->two_dimensional && most > 64 && d < problem_dims(p); d++)
        if (!c->step->fixed[d] && !c->step->most[d])
            c->shapes[c->count - 1][d] = d == 1 && problem_dims(p) == 3 ? 20 : (int)most + 23;
}

/* Does a statement store through a pointer? Else nobody has written the kernel yet. */
static int is_written(const struct code *c)
{
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        int symbol = s->kind == STATEMENT_EXPRESSION ? code_symbol(c, s->first) : -1,
            cast = code_is(c, s->first, "(") || code_is(c, s->first, "*");
        if (cast || (symbol >= 0 && c->symbols[symbol].kind == SYMBOL_POINTER)) return 1;
    }
    return 0;
}

/* Returns 1 if a cause is proven, and appends it. */
static int cause_of(const struct repair_case *c, struct buf *cause)
{
    struct search s = {.of = c};
    int found = 0;
    s.edits = (struct edits){.code = &s.code, .of = c};
    const char *source = c->compiled->source;
    if (source && !code_read(&s.code, source, c->step->kernel) && is_written(&s.code)) {
        repair_words(&s.edits);
        repair_index(&s.edits);
        repair_swaps(&s.edits);
        repair_moves(&s.edits);
        repair_launch(&s.edits);
        edits_repeat(&s.edits);
        found = find(&s, cause);
    }
    search_close(&s);
    code_free(&s.code);
    return found;
}

/* A search that goes on says so, a few times a second at most. */
struct told {
    const struct session *session;
    struct stage stage;
    double last;
};

static void tell(void *context, double share)
{
    struct told *t = context;
    if (clock_seconds() - t->last < 0.3) return;
    t->stage.share = t->last > 0 && share < 0.01 ? 0.01 : share; /* 0 is its begin */
    t->last = clock_seconds();
    t->session->watch(t->session->context, &t->stage);
}

void repair_explain(struct session *s, const struct build *b, int step, uint64_t seed, struct buf *why)
{
    struct bound bound = b->bound[step];
    struct buf cause = {0};
    int found = 0;
    if (s->brief && !s->final && b->exercise->kind == EXERCISE_CUDA && workbench_simulated(&s->workbench)) {
        struct repair_case c = case_of(&s->workbench, b, step, seed);
        struct stage at = {.exercise = b->exercise, .step = c.step, .at = PROGRESS_WRONG, .text = why->data};
        struct told told = {s, at, 0};
        if (s->watch) c.tell = tell, c.context = &told, tell(&told, 0);
        enlarge(&c);
        found = cause_of(&c, &cause);
    }
    bound.step = &b->exercise->steps[step]; /* host C is bound to none */
    if (!found) maker_tell(&bound, b->compiled.file, b->compiled.source, why);
    else repair_answer(why, cause.data);
    buf_free(&cause);
}
