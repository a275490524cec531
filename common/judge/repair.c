/* repair.c - which small edit of a wrong kernel makes every result right?
 *
 *     edits, likeliest first --> each alone --> the best with each other
 *                                   │                  │
 *                                   └------------------┴-> the first that mends every shape; if others
 *                                            about as likely do too, one that keeps to the budgets
 *
 * The work is bounded: so many edits, and so many seconds of processor time. */
#include "judge/repair.h"
#include "judge/maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most edits that are compiled together; of pairs: the best edits, partners of each, pairs in all. */
enum { EDITS_MAX = 1600, BATCHES = 6, BEST = 16, PARTNERS = 320, TRIED = 2000 };
/* Where a kernel is so long that it has many edits, few are compiled: each makes it slower. */
enum { MANY = 4000, FEW = 700, FEW_FAST = 1200 };
/* Processor seconds for running edits alone, and in pairs; so many are left where another batch begins. */
static const double ALONE = 5, PAIRS = 1.5, ANOTHER = 2, FOR_BUDGET = 4, FOR_OTHERS = 1.2;
/* Of edits that mend, so many are held against the budgets; and so much less likely than the first. */
enum { CANDIDATES = 8 };
static const double LESS_LIKELY = 0.9;

/* Edits that are compiled together, and what became of each alone. */
struct search {
    const struct repair_case *of;
    struct code code;
    struct edits all;   /* those that no batch has had yet, likeliest first */
    struct edits edits; /* of the batch */
    struct slots slots;
    struct bench *bench;
    struct outcome *out;
    int best[BEST], best_count;
};

static void batch_close(struct search *s)
{
    if (s->bench) bench_close(s->bench);
    slots_free(&s->slots);
    edits_free(&s->edits);
    free(s->out);
    s->bench = NULL, s->out = NULL;
}

/* Take the likeliest edits, `most` at most, and compile them. Returns 1 if the compiler takes too long; -1:
 * there are no more, or that failed. */
static int batch_open(struct search *s, size_t most)
{
    int apart = 0, late = 0; /* apart: that lie in no slot */
    size_t *taken = xcalloc(most, sizeof *taken);
    batch_close(s);
    s->edits = (struct edits){.code = &s->code, .of = s->of};
    slots_find(&s->slots, &s->code);
    for (size_t i = 0; i < s->all.count && s->edits.count < most; i++) {
        struct edit *e = &s->all.list[i];
        if (e->count < 0) continue;
        slots_place(&s->slots, e);
        if (e->place_count < 0 && apart++ >= VARIANTS) continue;
        taken[s->edits.count] = i;
        *VEC_PUSH(s->edits.list, s->edits.count, s->edits.cap) = *e;
    }
    s->out = xcalloc(s->edits.count + 1, sizeof *s->out);
    if (s->edits.count) s->bench = bench_open(s->of, &s->code, &s->slots, &s->edits, &late);
    for (size_t i = 0; i < s->edits.count; i++)
        (s->bench ? &s->all : &s->edits)->list[s->bench ? taken[i] : i].count = -1; /* one of them owns it */
    free(taken);
    return s->bench ? 0 : late ? 1 : -1;
}

/* The same with fewer edits where the compiler takes too long. *size: how many were taken */
static int batch_next(struct search *s, size_t *size)
{
    enum { FEWER = 5, LEAST = 50 };
    int bad = batch_open(s, *size);
    for (; bad > 0 && *size > LEAST; *size /= FEWER) bad = batch_open(s, *size / FEWER);
    return bad;
}

/* How many edits a batch has. */
static size_t batch_size(struct search *s)
{
    size_t many = 0;
    for (size_t i = 0; i < s->all.count; i++) many += s->all.list[i].count >= 0;
    int sums = !strcmp(problem_find(s->of->step->problem)->unit, "GFLOPS");
    size_t few = sums ? FEW : FEW_FAST;
    return many <= MANY ? EDITS_MAX : s->of->now ? few / 2 : few;
}

/* Try each edit alone, from one of them on. Returns the first that mends; -1: none. */
static int first_of(struct search *s, int from, double until)
{
    const struct edit **which = xcalloc(s->edits.count + 1, sizeof *which);
    int tried, found = -1, count = (int)s->edits.count;
    for (int i = 0; i < count; i++) which[i] = &s->edits.list[i];
    bench_try(s->bench, which + from, count - from, s->out + from, until, &tried);
    tried += from;
    for (int i = from; i < tried && found < 0; i++)
        if (s->out[i].mends) found = i;
    free(which);
    return found;
}

/* Try each edit of the batch alone, until a processor time. Returns the first that mends and keeps to the
 * budgets. If none that is about as likely as the first does, the first; but where a budget is the goal, -1,
 * as when none mends. */
static int alone(struct search *s, double until)
{
    int best = -1, found = -1;
    for (int n = 0; n < CANDIDATES && (found = first_of(s, found + 1, until)) >= 0; n++) {
        const struct edit *e = &s->edits.list[found];
        if (best >= 0 && !s->of->now && e->cost > s->edits.list[best].cost + LESS_LIKELY) break;
        int meets = s->of->reference ? goal_meets(s->of, &s->code, e) : 1;
        if (meets > 0) return found;
        if (meets < 0) continue;
        if (best < 0) until = fmin(until, clock_processor_seconds() + FOR_OTHERS);
        if (best < 0 && (e->token < 0 || !code_constant(&s->code, e->token))) best = found;
    }
    return s->of->now ? -1 : best;
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

struct pair {
    int a, b;
};

/* Try pairs of edits, of which one is one of the best. Returns 1 if one mends, with *found. */
static int in_pairs(struct search *s, struct pair *found)
{
    int count = 0, most = (int)s->edits.count < PARTNERS ? (int)s->edits.count : PARTNERS, tried, done = 0;
    size_t cap = (size_t)BEST * PARTNERS;
    struct edit *both = xcalloc(cap, sizeof *both);
    struct pair *pairs = xcalloc(cap, sizeof *pairs);
    const struct edit **which = xcalloc(cap, sizeof *which), *e = s->edits.list;
    struct outcome *out = xcalloc(cap, sizeof *out);
    for (int k = 0; k < most; k++)
        for (int i = 0; i < s->best_count && count < (int)cap; i++)
            if (s->best[i] != k && together(&e[s->best[i]], &e[k], &both[count]))
                pairs[count++] = (struct pair){s->best[i], k};
    for (int i = 0; i < count; i++) which[i] = &both[i];
    if (count > TRIED) count = TRIED;
    bench_try(s->bench, which, count, out, clock_processor_seconds() + PAIRS, &tried);
    for (int i = 0; i < tried && !done; i++)
        if (out[i].mends) *found = pairs[i], done = 1;
    free(both), free(pairs), free(which), free(out);
    return done;
}

static void say_pair(const struct search *s, const struct edit *a, const struct edit *b, struct buf *cause)
{
    const struct edit *t = a;
    if (a->token > b->token) a = b, b = t;
    buf_printf(cause, "two edits together make every result right: ");
    repair_say(s->of, &s->code, a, "; and ", cause);
    repair_say(s->of, &s->code, b, "", cause);
}

/* -1: no shape fails, or it does not compile. */
static int find(struct search *s, struct buf *cause)
{
    double until = clock_processor_seconds() + (s->of->now ? FOR_BUDGET : ALONE);
    size_t size = batch_size(s);
    struct pair p;
    edits_sort(&s->all, BATCHES * size);
    int bad = batch_next(s, &size);
    if (bad) return -1;
    for (int first = 1; !bad; first = 0) {
        int found = alone(s, until);
        if (found >= 0) {
            const char *then = s->of->now ? " it is right and within the budgets" : " every result is right";
            repair_say(s->of, &s->code, &s->edits.list[found], then, cause);
            return 1;
        }
        if (first && !s->of->now) find_best(s);
        if (first && !s->of->now && in_pairs(s, &p)) {
            say_pair(s, &s->edits.list[p.a], &s->edits.list[p.b], cause);
            return 1;
        }
        bad = clock_processor_seconds() > until - ANOTHER || batch_next(s, &size);
    }
    return 0;
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

/* Where a block covers more than small shapes have, a shape of a few blocks takes the place of the last; if
 * that is right, the second time, one of three blocks along each axis, and one whole block. */
static void enlarge(struct repair_case *c, int times)
{
    const unsigned *covers = c->bound->covers;
    const struct problem *p = problem_find(c->step->problem);
    unsigned most = covers[0] > covers[1] ? covers[0] : covers[1];
    int product = !strcmp(p->unit, "GFLOPS");
    if (product && most > 32 && !c->step->fixed[1] && !c->step->most[1])
        c->shapes[0][1] = most > 64 ? 8 : 16; /* few steps: most edits end with this shape */
    if (!p->two_dimensional && most > 4096 && !c->step->fixed[0]) /* a thread has many elements */
        c->shapes[c->count - 1][0] = (int)most / 4 + 23;
    for (int d = 0; p->two_dimensional && most > 64 && d < problem_dims(p); d++)
        for (int one = 0; one < times && !c->step->fixed[d] && !c->step->most[d]; one++) {
            int depth = d == 1 && problem_dims(p) == 3, longer = times == 1 || one == (d > 0);
            if (times > 1) c->shapes[0][d] = depth ? 32 : (int)most; /* a whole block */
            c->shapes[c->count - 1 - one][d] = depth ? 20 / times : longer ? times * (int)most + 23 : 23;
        }
}

/* Does a statement store through a pointer? Else nobody has written the kernel yet. */
static int is_written(const struct code *c)
{
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        int symbol = s->kind == STATEMENT_EXPRESSION ? code_symbol(c, s->first) : -1,
            cast = code_is(c, s->first, "(") || code_is(c, s->first, "*");
        int macro = s->kind == STATEMENT_EXPRESSION && code_named(c, ITEM_MACRO, s->first) >= 0;
        if (cast || macro || (symbol >= 0 && c->symbols[symbol].kind == SYMBOL_POINTER)) return 1;
    }
    return 0;
}

/* The text of the skeleton that the file began as; NULL: there is none. The caller frees it. */
static char *skeleton_of(const struct repair_case *c)
{
    const char *file = c->compiled->file, *from = file + strlen(file);
    for (int slashes = 0; from > file; from--)
        if (from[-1] == '/' && ++slashes == 2) break;
    struct err e;
    size_t len;
    char *text = NULL, *path = kit_path(&c->workbench->kit, "labs/%s", from);
    if (file_read(path, 1 << 20, &text, &len, &e)) text = NULL;
    free(path);
    return text;
}

/* Does an item stand in the skeleton as it is here? todo: also one that has something to do. */
static int is_given(const struct code *c, const struct item *x, const char *skeleton, int todo)
{
    size_t from = c->tokens[x->first].at, len = c->tokens[x->last].at + c->tokens[x->last].len - from;
    char *own = xstrndup(c->text + from, len);
    int given = strstr(skeleton, own) && (todo || !strstr(own, "TODO"));
    free(own);
    return given;
}

/* Drop the edits of functions that were given: they are right. Returns 1 if all of the file was. */
static int keep_own(struct edits *l)
{
    char *skeleton = skeleton_of(l->of);
    const struct code *c = l->code;
    int all = skeleton != NULL;
    for (int k = 0; skeleton && k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        all &= x->kind == ITEM_PREDICT || is_given(c, x, skeleton, 1);
        if (x->kind != ITEM_FUNCTION || !x->used || !is_given(c, x, skeleton, 0)) continue;
        for (size_t i = 0; i < l->count; i++)
            if (l->list[i].token >= x->first && l->list[i].token <= x->last) edit_drop(&l->list[i]);
    }
    free(skeleton);
    return all;
}

/* Mark the tokens of the statement that holds a token and of the if or for around it; of a variable also
 * those of its first value. */
static void mark_near(const struct code *c, int token, char *near)
{
    int symbol = code_symbol(c, token);
    for (int p = code_statement(c, token); p >= 0; p = c->statements[p].parent) {
        const struct statement *s = &c->statements[p];
        if (s->kind == STATEMENT_BLOCK) break;
        memset(near + s->first, 1, (size_t)(s->last - s->first + 1));
    }
    const int *init = symbol < 0 ? NULL : c->symbols[symbol].init;
    const struct symbol *array = symbol >= 0 ? &c->symbols[symbol] : NULL;
    if (array && array->kind == SYMBOL_ARRAY)
        memset(near + array->name, 1, (size_t)(array->from - array->name));
    if (init && init[0] >= 0) memset(near + init[0], 1, (size_t)(init[1] - init[0] + 1));
}

/* Does a token lie in the condition of an if that chooses one of two functions to call? A kernel without the
 * fast one is right, and that is seldom what was meant. */
static int in_choice(const struct code *c, int token)
{
    int s = code_statement(c, token);
    const struct statement *x = s < 0 ? NULL : &c->statements[s];
    if (!x || x->kind != STATEMENT_IF || x->other < 0 || token > x->cond[1]) return 0;
    int one = c->statements[x->body].first, other = c->statements[x->other].first;
    return code_call(c, one) >= 0 && code_call(c, other) >= 0;
}

/* Edits near the line that is said to fault come sooner; of an output that is not written, those near the
 * stores to it. */
static void near_first(struct edits *l)
{
    const struct code *c = l->code;
    const struct problem *p = problem_find(l->of->step->problem);
    const char *file = l->of->compiled->file, *why = l->of->why ? l->of->why : "", *at = strstr(why, file);
    int line = at ? atoi(at + strlen(file) + 1) : 0;
    int unwritten = l->of->said & (SAID_NOT_WRITTEN | SAID_BLOCK_PART);
    char *near = xcalloc((size_t)c->count + 1, 1);
    for (int i = 0; i < c->count; i++) {
        int s = code_statement(c, i), first = s < 0 ? 0 : c->statements[s].first;
        int symbol = s < 0 ? -1 : code_symbol(c, first);
        int call = code_call(c, first) >= 0 && !strncmp("store", c->text + c->tokens[first].at, 5);
        int store = call || (symbol >= 0 && code_is(c, c->symbols[symbol].name, p->buffers[p->output].name));
        if (s >= 0 && (c->tokens[i].line == line || (unwritten && store))) mark_near(c, i, near);
    }
    int sync = l->of->said & SAID_BARRIER_MISSING; /* one is missing, or stands elsewhere */
    for (size_t i = 0; i < l->count && sync; i++)
        if (l->list[i].kind == EDIT_BARRIER_MISSING || l->list[i].kind == EDIT_BARRIER_MOVED)
            l->list[i].cost -= 0.4;
    for (size_t i = 0; i < l->count; i++) /* a barrier's place is told by what it parts */
        if (near[l->list[i].token] && l->list[i].kind != EDIT_BARRIER_MISSING) l->list[i].cost -= 0.4;
    for (size_t i = 0; i < l->count; i++)
        if (in_choice(c, l->list[i].token)) l->list[i].cost += 0.7;
    free(near);
}

/* Of host C: the lines of the learner's file, and no edits of what was put behind it. */
static void own_text(struct search *s)
{
    const struct host_kernel *h = s->of->host;
    s->code.before = h->lines;
    for (int i = 0; i < s->code.count; i++) s->code.tokens[i].line -= h->lines;
    for (size_t i = 0; i < s->all.count; i++)
        if (s->all.list[i].token < 0 || start_of(&s->code, s->all.list[i].token) >= h->own_end)
            edit_drop(&s->all.list[i]);
}

/* Returns 1 if a cause is proven, and appends it; -1 as find does. */
static int cause_of(const struct repair_case *c, struct buf *cause)
{
    struct search s = {.of = c};
    const char *source = c->compiled->source;
    int found = 0;
    s.all = (struct edits){.code = &s.code, .of = c};
    if (source && !code_read(&s.code, source, c->step->kernel) && is_written(&s.code)) {
        repair_words(&s.all);
        repair_index(&s.all);
        repair_pointers(&s.all);
        repair_alike(&s.all);
        repair_swaps(&s.all);
        repair_moves(&s.all);
        repair_tests(&s.all);
        repair_launch(&s.all);
        if (c->host) own_text(&s);
        int untouched = keep_own(&s.all);
        edits_repeat(&s.all);
        near_first(&s.all);
        if (!untouched || !c->now) found = find(&s, cause);
    }
    batch_close(&s);
    edits_free(&s.all);
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

/* Does a learner wait for the answer, on a simulated device? */
static int is_asked(const struct session *s)
{
    return s->brief && !s->final && workbench_simulated(&s->workbench);
}

/* What the reference counts and takes, if that is known. Budgets are held against it. */
static void set_reference(struct repair_case *c, struct session *s, const struct lab *lab,
    const struct build *b, int step, struct metrics *to)
{
    struct measurement m = {0};
    struct err e;
    if (!reference_measure(s, lab, b->exercise, step, c->step->dims, &m, &e))
        *to = m.metrics, c->reference = to, c->reference_ms = m.ms;
    measurement_free(&m);
}

/* The same for host C. */
static int cause_of_host(struct session *s, const struct build *b, int step, uint64_t seed, const char *why,
    struct buf *cause)
{
    struct host_kernel host;
    struct compiled compiled = b->compiled;
    struct repair_case c = case_of(&s->workbench, b, step, seed);
    int found = host_text(b->compiled.source, c.step, &host);
    compiled.source = host.text;
    c.compiled = &compiled, c.step = &host.step, c.host = &host;
    c.why = why, c.said = said(why);
    if (!found) found = cause_of(&c, cause);
    free(host.text);
    return found;
}

void repair_explain(struct session *s, const struct lab *lab, const struct build *b, int step, uint64_t seed,
    struct buf *why)
{
    struct metrics reference;
    struct bound bound = b->bound[step];
    struct buf cause = {0};
    int found = 0;
    bound.step = &b->exercise->steps[step]; /* host C is bound to none */
    if (is_asked(s) && b->exercise->kind == EXERCISE_HOST) {
        if (maker_slip(&bound, b->compiled.file, b->compiled.source, why)) return;
        found = cause_of_host(s, b, step, seed, why->data, &cause);
    } else if (is_asked(s)) {
        struct repair_case c = case_of(&s->workbench, b, step, seed);
        c.why = why->data, c.said = said(why->data);
        set_reference(&c, s, lab, b, step, &reference);
        struct stage at = {.exercise = b->exercise, .step = c.step, .at = PROGRESS_WRONG, .text = why->data};
        struct told told = {s, at, 0};
        if (s->watch) c.tell = tell, c.context = &told, tell(&told, 0);
        found = -1;
        for (int times = 1; found < 0 && times < 3; times++) {
            if (c.tell) tell(&told, 0);
            enlarge(&c, times);
            found = cause_of(&c, &cause);
        }
    }
    if (found <= 0) maker_tell(&bound, b->compiled.file, b->compiled.source, why);
    else repair_answer(why, cause.data);
    buf_free(&cause);
}

void repair_budget(struct session *s, const struct lab *lab, const struct build *b, int step, uint64_t seed,
    const struct measurement *m, struct buf *cause)
{
    struct metrics reference;
    struct repair_case c = case_of(&s->workbench, b, step, seed);
    if (!is_asked(s) || b->exercise->kind == EXERCISE_HOST || cause->len || !c.step->budgets) return;
    set_reference(&c, s, lab, b, step, &reference);
    int missed = 0, blame = -1;
    for (const struct budget *x = c.step->budgets; x->why; x++)
        if (!score_budget(x, score_value(x->metric, &m->metrics, c.reference)))
            missed = 1, blame = blame < 0 ? score_blame(x, m) : blame;
    struct buf why = {0};
    if (blame >= 0) buf_printf(&why, "%s:%d", b->compiled.file, m->lines[blame].line);
    c.why = why.data;
    c.now = &m->metrics;
    struct stage at = {
        .exercise = b->exercise, .step = c.step, .at = PROGRESS_WRONG, .text = "a budget is missed"};
    struct told told = {s, at, 0};
    if (s->watch && missed) c.tell = tell, c.context = &told, tell(&told, 0);
    buf_printf(cause, "the budget: ");
    if (!missed || cause_of(&c, cause) <= 0) buf_free(cause);
    buf_free(&why);
}
