/* repair.c - find the small edit of a wrong kernel that makes every result right.
 *
 *     source ──> edits of all kinds ┐
 *     solution ──> edits toward it ─┴──> repair_search ──> struct cause
 *
 * Edits of text that is as in the solution are dropped; edits near a fault are tried first. */
#include "explain/repair.h"
#include "explain/output_line.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The shapes on which the check runs a step, and the seeds of their inputs, both drawn from
 * `seed`. */
static struct repair_case case_of(
    struct session *s, const struct build *b, int step, uint64_t seed, struct effort *effort)
{
    struct repair_case c = {.workbench = &s->workbench,
        .compiled = &b->compiled,
        .bound = &b->bound[step],
        .step = &b->exercise->steps[step],
        .effort = effort,
        .seed = seed};
    struct rng rng;
    effort_begin(effort, 0);
    rng_seed(&rng, seed);
    c.count = problem_shapes(problem_find(c.step->problem), c.step, &rng, c.shapes, &c.borders);
    for (int i = 0; i < c.count; i++) c.seeds[i] = rng_u64(&rng);
    c.count -= c.borders;
    return c;
}

/* If a block covers more elements than the small shapes have, replace shapes by larger ones. times
 * 1: the last shape becomes one of a few blocks. times 2, for a kernel that is right on the shapes
 * made with 1: the first shape becomes exactly one block, the last two shapes become three blocks
 * along one axis each, and the border shapes are added. */
static void enlarge(struct repair_case *c, int times)
{
    const unsigned *covers = c->bound->covers;
    const struct problem *p = problem_find(c->step->problem);
    unsigned most = covers[0] > covers[1] ? covers[0] : covers[1];
    int product = !strcmp(p->unit, "GFLOPS");
    if (product && most > 32 && !c->step->fixed[1] && !c->step->most[1])
        /* a small k, since most edits are tried on this shape alone */
        c->shapes[0][1] = most > 64 ? 8 : 16;
    /* each thread computes many elements, so a block covers more than the small shapes have */
    if (!p->two_dimensional && most > 4096 && !c->step->fixed[0])
        c->shapes[c->count - 1][0] = (int)most / 4 + 23;
    for (int d = 0; p->two_dimensional && most > 64 && d < problem_dims(p); d++)
        for (int one = 0; one < times && !c->step->fixed[d] && !c->step->most[d]; one++) {
            int depth = d == 1 && problem_dims(p) == 3, longer = times == 1 || one == (d > 0);
            /* this shape is exactly one block */
            if (times > 1) c->shapes[0][d] = depth ? 32 : (int)most;
            c->shapes[c->count - 1 - one][d] = depth    ? 20 / times
                                               : longer ? times * (int)most + 23
                                                        : 23;
        }
    if (times == 2) c->count += c->borders;
}

/* Does any statement store through a pointer? If not, the kernel is an unfinished skeleton. */
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

/* The text of the exercise's solution file; NULL: there is none. The caller frees it. */
static char *solution_of(const struct repair_case *c)
{
    const char *file = c->compiled->file, *from = file + strlen(file);
    for (int slashes = 0; from > file; from--)
        if (from[-1] == '/' && ++slashes == 2) break;
    struct err e;
    size_t len;
    char *text = NULL, *path = kit_path(&c->workbench->kit, "solutions/%s", from);
    if (file_read(path, 1 << 20, &text, &len, &e)) text = NULL;
    free(path);
    return text;
}

/* Do two top-level items have the same tokens? Comments and blanks do not matter. */
static int same_words(
    const struct code *a, const struct item *x, const struct code *b, const struct item *y)
{
    if (x->kind != y->kind || x->last - x->first != y->last - y->first) return 0;
    for (int i = x->first, k = y->first; i <= x->last; i++, k++)
        if (a->tokens[i].len != b->tokens[k].len ||
            memcmp(a->text + start_of(a, i), b->text + start_of(b, k), a->tokens[i].len))
            return 0;
    return 1;
}

/* Drop edits of functions, #defines and LAUNCH lines that are token for token as in the
 * solution: there is nothing to correct in them. */
static void keep_wrong(struct edits *l, const struct code *solution)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        int right = 0;
        for (int i = 0; i < solution->item_count && !right; i++)
            right = same_words(c, x, solution, &solution->items[i]);
        for (size_t i = 0; i < l->count && right; i++)
            if (l->list[i].token >= x->first && l->list[i].token <= x->last) edit_drop(&l->list[i]);
    }
}

/* Fill lists[SOLVED] with edits that make the file more like the solution, and adapt the costs of
 * the edits in lists[OTHERS] to the solution. */
static void add_solved(struct edits lists[LISTS], const struct code *solution)
{
    const struct repair_case *of = lists[SOLVED].of;
    struct align a;
    align_read(&a, lists[SOLVED].code, solution, of->host ? of->host->kernel : of->step->kernel);
    repair_reference(&lists[SOLVED], &a);
    repair_prefer(&lists[OTHERS], &a);
    align_free(&a);
}

/* Set near[] to 1 for the tokens of the statement that contains a token, and of the ifs and loops
 * directly around it; if the token is a variable, also for the tokens of its initializer or array
 * sizes. */
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

/* Lower the cost of edits that replace another variable by one that is declared and never used: the
 * unused variable is probably the one that was meant. */
static void unused_first(struct edits *l)
{
    static const double MEANT = 2;
    const struct code *c = l->code;
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *s = &c->symbols[k];
        int used = s->statement < 0;
        for (int i = s->name + 1; i <= s->to && !used; i++)
            used = code_same(c, i, s->name) && code_symbol(c, i) == k;
        for (size_t i = 0; i < l->count && !used; i++)
            if (l->list[i].count == 1 && code_is(c, s->name, l->list[i].splices[0].text))
                l->list[i].cost -= MEANT;
    }
}

/* Lower the cost of edits near the faulting line; if an output was not written, of edits near the
 * stores to that output; if a barrier may be missing, of edits that insert one. */
static void near_first(struct edits *l)
{
    static const double NEAR = 0.4;
    const struct code *c = l->code;
    const struct problem *p = problem_find(l->of->step->problem);
    const struct finding *f = &l->of->found;
    int line = f->line, endless = f->kind == FOUND_ENDLESS;
    int unwritten = f->kind == FOUND_NOT_WRITTEN || f->hints & HINT_BLOCK;
    char *near = xcalloc((size_t)c->count + 1, 1);
    for (int i = 0; i < c->count; i++) {
        int s = code_statement(c, i), first = s < 0 ? 0 : c->statements[s].first;
        int symbol = s < 0 ? -1 : code_symbol(c, first);
        int call = code_call(c, first) >= 0 && !strncmp("store", c->text + c->tokens[first].at, 5);
        int store = call || (symbol >= 0 &&
                                code_is(c, c->symbols[symbol].name, p->buffers[p->output].name));
        /* a barrier_wait that never ends waits for arrivals that are missing elsewhere, so its own
         * statement is not suspect */
        if (endless && code_is(c, first, "barrier_wait")) continue;
        if (s >= 0 && (c->tokens[i].line == line || (unwritten && store))) mark_near(c, i, near);
    }
    for (size_t i = 0; i < l->count; i++) {
        struct edit *e = &l->list[i];
        /* where a barrier is missing follows from the accesses that it separates, not from a
         * line */
        int barrier = edit_is_barrier(e);
        if (barrier ? (f->hints & HINT_BARRIER) != 0 : near[e->token] != 0) e->cost -= NEAR;
    }
    free(near);
}

/* Host C is compiled with lines before and after it: convert line numbers to the learner's file,
 * and drop edits of the text added after it. */
static void own_text(struct code *c, struct edits *l)
{
    const struct host_kernel *h = l->of->host;
    for (int i = 0; i < c->count && c->before != h->lines; i++) c->tokens[i].line -= h->lines;
    c->before = h->lines;
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].token < 0 || start_of(c, l->list[i].token) >= h->own_end)
            edit_drop(&l->list[i]);
}

int repair_edits(const struct repair_case *c, const char *source, const char *solved,
    struct code *code, struct code *solution, struct edits lists[LISTS])
{
    const char *kernel = c->host ? c->host->kernel : c->step->kernel;
    int known = solved && !code_read(solution, solved, kernel);
    for (int i = 0; i < LISTS; i++) lists[i] = (struct edits){.code = code, .of = c};
    if (code_read(code, source, c->step->kernel) || !is_written(code)) return -1;
    mutate_all(&lists[OTHERS]);
    if (known) add_solved(lists, solution);
    for (int i = 0; i < LISTS; i++) {
        if (c->host) own_text(code, &lists[i]);
        if (known) keep_wrong(&lists[i], solution);
    }
    unused_first(&lists[OTHERS]);
    edits_repeat(&lists[SOLVED], 1);
    edits_repeat(&lists[OTHERS], 0);
    near_first(&lists[OTHERS]);
    return 0;
}

/* Set the proven cause of a wrong kernel. Returns 1 if a cause was found, else 0 or -1 as
 * repair_search does. */
static int cause_of(const struct repair_case *c, struct cause *cause)
{
    struct code code = {0}, solution = {0};
    struct edits lists[LISTS];
    const char *source = c->compiled->source;
    char *solved = solution_of(c);
    int found = 0;
    if (!repair_edits(c, source ? source : "", solved, &code, &solution, lists))
        found = repair_search(c, lists, cause);
    for (int i = 0; i < LISTS; i++) edits_free(&lists[i]);
    code_free(&code);
    code_free(&solution);
    free(solved);
    return found;
}

/* A thread that calls the session's watch a few times a second during a search, so that a
 * display can show that the step is wrong and for how long the search has run. */
struct teller {
    const struct session *session;
    struct stage stage;
    double began;
    pthread_t thread;
    atomic_int over;
};

static void *tell(void *context)
{
    struct teller *t = context;
    for (int ticks = 1; !atomic_load(&t->over); ticks++) {
        nanosleep(&(struct timespec){0, 50000000}, NULL);
        t->stage.share = clock_seconds() - t->began;
        if (ticks % 6 == 0) t->session->watch(t->session->context, &t->stage);
    }
    return NULL;
}

/* Report that a step is wrong, with this text, and start a thread that repeats it until
 * teller_stop. Returns NULL if nobody watches. */
static struct teller *teller_start(
    const struct session *s, const struct build *b, int step, const char *text)
{
    if (!s->watch) return NULL;
    struct teller *t = xcalloc(1, sizeof *t);
    *t = (struct teller){.session = s,
        .began = clock_seconds(),
        .stage = {.exercise = b->exercise,
            .step = &b->exercise->steps[step],
            .at = PROGRESS_WRONG,
            .text = text}};
    s->watch(s->context, &t->stage);
    if (!pthread_create(&t->thread, NULL, tell, t)) return t;
    free(t);
    return NULL;
}

static void teller_stop(struct teller *t)
{
    if (!t) return;
    atomic_store(&t->over, 1);
    pthread_join(t->thread, NULL);
    free(t);
}

/* Is a search worth its time? Only if a learner waits for an answer and the device is simulated. */
static int is_asked(const struct session *s)
{
    return s->brief && !s->final && workbench_simulated(&s->workbench);
}

/* Set c->goal to the counts and time of the reference at the step's size, if they can be
 * measured. */
static void set_goal(struct repair_case *c, struct session *s, const struct lab *lab,
    const struct build *b, int step, struct goal *to)
{
    struct measurement m = {0};
    struct err e;
    if (!reference_measure(s, lab, b->exercise, step, c->step->dims, &m, &e))
        *to = (struct goal){.known = 1, .metrics = m.metrics, .ms = m.ms}, c->goal = to;
    measurement_free(&m);
}

/* Search the cause of a wrong host exercise by trying edits of it as a kernel of one thread. t: the
 * failed run. Returns 1 if a cause was found, else 0 or -1 as repair_search does. */
static int cause_of_host(
    struct session *s, const struct build *b, int step, uint64_t seed, struct run_outcome *t)
{
    struct host_kernel host;
    struct compiled compiled = b->compiled;
    struct effort effort;
    struct repair_case c = case_of(s, b, step, seed, &effort);
    /* a small matrix product whose k spans several tiles */
    static const int deep[] = {3, 149, 5};
    if (problem_dims(problem_find(c.step->problem)) == 3) memcpy(c.shapes[0], deep, sizeof deep);
    int found = host_text(b->compiled.source, c.step, &host);
    compiled.source = host.text;
    c.compiled = &compiled, c.step = &host.step, c.host = &host;
    c.found = t->found;
    if (!found) found = cause_of(&c, &t->cause);
    free(host.text);
    return found;
}

void repair_explain(
    struct session *s, const struct build *b, int step, uint64_t seed, struct run_outcome *t)
{
    struct bound_kernel bound = b->bound[step];
    const char *file = b->compiled.file, *source = b->compiled.source;
    struct effort effort;
    int found = 0;
    /* no kernel is bound for a host exercise, so bound.step is set here */
    bound.step = &b->exercise->steps[step];
    int known = (t->found.hints & HINT_TOLD) != 0;
    if (!known && is_asked(s) && b->exercise->kind == EXERCISE_HOST) {
        struct teller *told = teller_start(s, b, step, t->why.data);
        found = cause_of_host(s, b, step, seed, t);
        teller_stop(told);
    } else if (!known && is_asked(s)) {
        struct repair_case c = case_of(s, b, step, seed, &effort);
        c.found = t->found, c.whole = t->whole;
        struct teller *told = teller_start(s, b, step, t->why.data);
        struct goal goal = {.solution = solution_of(&c)};
        c.goal = &goal;
        found = -1;
        for (int times = 1; found < 0 && times < 3; times++) {
            enlarge(&c, times);
            if (bench_fails(&c)) found = cause_of(&c, &t->cause);
        }
        free(goal.solution);
        teller_stop(told);
    }
    if (found <= 0)
        output_line_tell(&bound, file, source, t);
    else
        guesses_drop(&t->why);
}

void repair_budget(struct session *s, const struct lab *lab, const struct build *b, int step,
    uint64_t seed, const struct measurement *m, struct cause *cause)
{
    struct goal goal;
    struct effort effort;
    struct repair_case c = case_of(s, b, step, seed, &effort);
    if (!is_asked(s) || b->exercise->kind == EXERCISE_HOST || cause->count || !c.step->budgets)
        return;
    set_goal(&c, s, lab, b, step, &goal);
    if (!c.goal) return;
    effort_begin(&effort, 1);
    int missed = 0, earns = c.step->correct_points > 0, blame = -1;
    for (const struct budget *x = c.step->budgets; x->why; x++)
        if (score_budget(x, score_held(c.step, x, &m->metrics, &goal.metrics)))
            earns = 1;
        else
            missed = 1, blame = blame < 0 ? score_blame(x, m, &goal.metrics) : blame;
    /* a step that earns nothing, such as the skeleton as given, gets no explanation of missed
     * budgets */
    missed &= earns;
    c.found.line = blame >= 0 ? m->lines[blame].line : 0;
    c.now = &m->metrics;
    struct teller *told = missed ? teller_start(s, b, step, "a budget is missed") : NULL;
    if (missed) (void)cause_of(&c, cause);
    teller_stop(told);
}
