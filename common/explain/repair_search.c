/* repair_search.c - in which order edits are tried, and how many of them.
 *
 *     1  one edit toward the solution                   The first that makes every shape right is
 *     2  one of all edits, likeliest first              reported. If others about as likely do so,
 *     3  all differences from the solution, less those  too, one that meets the budgets wins.
 *        that are not needed: at most three edits
 *     4  one of the next batch of all edits, and so on
 *
 * The work is bounded by a number of edits and by an effort (repair.h). */
#include "explain/repair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of edits. FIRST: edits in the first batch; each next batch has twice as many. EDITS_MAX:
 * edits in all. TOGETHER: the most edits that are reported as one cause. */
enum { FIRST = 150, EDITS_MAX = 2400, TOGETHER = 3 };
/* The most bytes of source in one batch for edits that fit in no slot: each of them is a copy of
 * the kernel. */
static const double COPIED = 60000;
/* Seconds of effort. ALONE: for running edits one by one; SEVERAL: for running several at once;
 * ANOTHER: must remain to begin another batch; FOR_BUDGET: for edits that meet a budget;
 * FOR_OTHERS: for finding an edit that also meets the budgets, once one is right. */
static const double ALONE = 4.5, SEVERAL = 1, ANOTHER = 0.5, FOR_BUDGET = 2.5, FOR_OTHERS = 0.8;
/* Seconds of effort. MOST: in all, including compiling; COUNTING: the same for a missed budget, as
 * each right edit is run with counters; LEAST: if less remains, no batch is begun. */
static const double MOST = 3, COUNTING = 4, LEAST = 0.4;
/* CANDIDATES: how many of the edits that make the kernel right are compared with the budgets.
 * LESS_LIKELY: by how much their cost may exceed that of the first. */
enum { CANDIDATES = 8 };
static const double LESS_LIKELY = 0.9;

/* Microseconds of effort. COMPILE: a compiler run; BYTE: each byte that it compiles; LAUNCH: a
 * launch; INSTRUCTION: a warp instruction without counters; COUNTED: the same with counters.
 * Measured on the mistakes in tests/mistakes. */
static const double COMPILE = 80e3, BYTE = 14, LAUNCH = 200, INSTRUCTION = 0.012, COUNTED = 0.04;

void effort_begin(struct effort *e, int budget)
{
    atomic_store(&e->done, 0);
    e->most = (unsigned long long)((budget ? COUNTING : MOST) * 1e6);
}

double effort_done(const struct repair_case *c)
{
    return (double)atomic_load(&c->effort->done) / 1e6;
}

double effort_left(const struct repair_case *c)
{
    return (double)c->effort->most / 1e6 - effort_done(c);
}

void effort_compiled(const struct repair_case *c, size_t bytes)
{
    atomic_fetch_add(&c->effort->done, (unsigned long long)(COMPILE + BYTE * (double)bytes));
}

void effort_ran(const struct repair_case *c, struct device *d, uint64_t before, int counted)
{
    double executed = (double)(device_settings(d)->executed - before);
    atomic_fetch_add(&c->effort->done,
        (unsigned long long)(LAUNCH + (counted ? COUNTED : INSTRUCTION) * executed));
}

/* The value of effort_done at which to stop if edits may run for `most` seconds, or for as long as
 * effort is left. */
static double until(const struct repair_case *c, double most)
{
    return effort_done(c) + fmin(most, effort_left(c));
}

/* A list of edits, and the batch of them that is compiled together. */
struct search {
    const struct repair_case *of;
    const struct code *code;
    struct edits all;   /* the edits that have not been in a batch, likeliest first */
    struct edits edits; /* the edits of the current batch */
    struct slots slots;
    struct bench *bench;
};

static void batch_close(struct search *s)
{
    if (s->bench) bench_close(s->bench);
    slots_free(&s->slots);
    edits_free(&s->edits);
    s->bench = NULL;
}

/* How many bytes of copies of the kernel a batch may have. */
static double copies(const struct search *s)
{
    return fmin(COPIED, VARIANTS * (double)strlen(s->code->text));
}

/* Move the likeliest edits, at most `most`, to a new batch and compile it. 0: done; -1: no
 * edits are left, or the compiler failed. */
static int batch_open(struct search *s, size_t most)
{
    /* apart: how many edits fit in no slot; each is compiled as a copy of the kernel */
    int apart = 0;
    int most_apart = (int)(copies(s) / ((double)strlen(s->code->text) + 1));
    size_t *taken = xcalloc(most, sizeof *taken);
    batch_close(s);
    s->edits = (struct edits){.code = s->code, .of = s->of};
    slots_find(&s->slots, s->code);
    for (size_t i = 0; i < s->all.count && s->edits.count < most; i++) {
        struct edit *e = &s->all.list[i];
        if (e->count < 0) continue;
        slots_place(&s->slots, e);
        if (e->place_count < 0 && apart++ >= most_apart) continue;
        taken[s->edits.count] = i;
        *VEC_PUSH(s->edits.list, s->edits.count, s->edits.cap) = *e;
    }
    if (s->edits.count) s->bench = bench_open(s->of, s->code, &s->slots, &s->edits);
    /* each text is owned by the batch alone: in the list of all edits the edit becomes invalid */
    for (size_t i = 0; i < s->edits.count; i++) s->all.list[taken[i]].count = -1;
    free(taken);
    return s->bench ? 0 : -1;
}

/* Run the edits of the batch from index `from` on, each alone. Returns the first that makes
 * every result right; -1: none does. */
static int first_of(struct search *s, int from, double until)
{
    const struct edit **which = xcalloc(s->edits.count + 1, sizeof *which);
    int count = (int)s->edits.count;
    for (int i = 0; i < count; i++) which[i] = &s->edits.list[i];
    int found = bench_try(s->bench, which + from, count - from, until);
    free(which);
    return found < 0 ? -1 : from + found;
}

/* Is there an if, in the same function, that tests the first variable of the condition that the
 * edit inserts (i of "i < n"), or a return before the edit? Then the existing test is wrong, rather
 * than one missing. */
static int is_asked_for(const struct code *c, const struct edit *e)
{
    const char *text = e->splices[0].text, *name = strncmp(text, "if (", 4) ? text : text + 4;
    size_t len = strcspn(name, " <>=!&|)+-*/[");
    int s = code_statement(c, e->token), asked = 0;
    for (int i = 0; i < c->statement_count && s >= 0; i++) {
        const struct statement *x = &c->statements[i];
        if (x->function != c->statements[s].function) continue;
        asked |= x->kind == STATEMENT_RETURN && x->last < e->token;
        for (int k = x->cond[0]; x->kind == STATEMENT_IF && k >= 0 && k <= x->cond[1]; k++)
            asked |= c->tokens[k].len == len && !memcmp(c->text + c->tokens[k].at, name, len);
    }
    return asked;
}

/* Does the edit change the head of a loop? Such an edit may add much work. */
static int is_loop_head(const struct code *c, const struct edit *e)
{
    int s = code_statement(c, e->token);
    enum statement_kind kind = s < 0 ? STATEMENT_OTHER : c->statements[s].kind;
    return kind == STATEMENT_FOR || kind == STATEMENT_WHILE;
}

/* Does an edit toward the solution change few characters, or make a typical change? Such an edit
 * shows the mistake, while another edit that gives right results may only work around it. */
static int is_certain(const struct code *c, const struct edit *e)
{
    enum { SHORT = 24 };
    static const double LIKELY = 1.6;
    size_t len = 0;
    if (edit_is_guard(e) && is_asked_for(c, e)) return 0;
    for (int i = 0; i < e->count; i++) len += strlen(e->splices[i].text) + e->splices[i].len;
    return e->cost < LIKELY && (e->is->pattern || len <= SHORT);
}

/* Run the edits of the batch, each alone, until effort_done reaches `until`. Returns the first edit
 * that makes every result right and meets the budgets. If no edit about as likely as the first
 * right one meets the budgets, *misses is 1: then returns the first right one or, if a budget is
 * the goal, -1. Returns -1, too, if no edit is right. An edit toward the solution that is certain
 * and the only right one is returned uncounted, since counting takes most of the time. */
static int alone(struct search *s, double until, int *misses)
{
    int best = -1, found = -1;
    *misses = 0;
    for (int n = 0; n < CANDIDATES && (found = first_of(s, found + 1, until)) >= 0; n++) {
        const struct edit *e = &s->edits.list[found];
        if (best >= 0 && !s->of->now && e->cost > s->edits.list[best].cost + LESS_LIKELY) break;
        int only = best < 0 && !s->of->now && e->solves && is_certain(s->code, e) &&
                   !is_loop_head(s->code, e) && first_of(s, found + 1, until) < 0;
        enum goal_is is = goal_meets(s->of, s->code, e, !only);
        /* an uncounted edit is no better than the right one that was found before */
        if (is == GOAL_UNCOUNTED && best >= 0) break;
        if (is == GOAL_MET || is == GOAL_UNCOUNTED) return found;
        if (is == GOAL_NOT) continue;
        if (best < 0) until = fmin(until, effort_done(s->of) + FOR_OTHERS);
        if (best < 0 && (e->token < 0 || !code_constant(s->code, e->token))) best = found;
    }
    *misses = 1;
    return s->of->now ? -1 : best;
}

/* Can both edits be chosen at once, because they lie in different slots? If so, returns 1, and
 * *both is the combined edit. */
static int together(const struct edit *a, const struct edit *b, struct edit *both)
{
    if (a->place_count < 0 || b->place_count < 0 || a->place_count + b->place_count > SPLICES)
        return 0;
    for (int i = 0; i < a->place_count; i++)
        for (int k = 0; k < b->place_count; k++)
            if (a->places[i].slot == b->places[k].slot) return 0;
    *both = *a;
    for (int k = 0; k < b->place_count; k++) both->places[both->place_count++] = b->places[k];
    return 1;
}

/* Compile the file with all these edits, without slots. Does goal_meets give it a better result
 * than `than`? skip: the index of an edit to leave out; -1: none. */
static int all_prove(
    const struct search *s, const struct edit *const *which, int count, int skip, enum goal_is than)
{
    struct edit all = {.solves = 1};
    for (int i = 0; i < count; i++) {
        if (i != skip) all.solves &= which[i]->solves;
        for (int k = 0; i != skip && k < which[i]->count; k++) {
            const struct splice *x = &which[i]->splices[k];
            edit_put(&all, x->at, x->len, xstrdup(x->text));
        }
    }
    int proven =
        all.count > 0 && goal_meets(s->of, s->code, &all, 1) > (s->of->now ? GOAL_RIGHT : than);
    edit_free(&all);
    return proven;
}

static void say_one(const struct search *s, int found, struct cause *cause)
{
    repair_say(s->code, &s->edits.list[found], cause);
}

/* Add a place for each of several edits that together make every result right, in the order of
 * the file. */
static void say_together(
    const struct search *s, const struct edit *const *which, int count, struct cause *cause)
{
    for (int i = 0, last = -1; i < count; i++) {
        int next = -1;
        for (int k = 0; k < count; k++)
            if (which[k]->token > last && (next < 0 || which[k]->token < which[next]->token))
                next = k;
        if (next < 0) break;
        last = which[next]->token;
        repair_say(s->code, which[next], cause);
    }
}

/* ---- all differences from the solution together ---- */

/* Was no choice of the edit refused by the compiler? */
static int is_taken(const struct search *s, const struct edit *e)
{
    for (int i = 0; i < e->place_count; i++) {
        int choice = e->places[i].choice;
        if (choice && s->slots.list[e->places[i].slot].choices[choice - 1].refused) return 0;
    }
    return e->place_count > 0;
}

/* Do these edits together make every result right and, if budgets are the goal, meet them? skip:
 * the index of an edit to leave out; -1: none. */
static int all_mend(struct search *s, const struct edit *const *which, int count, int skip)
{
    struct edit all = {0};
    const struct edit *one = &all;
    for (int i = 0; i < count; i++)
        if (i != skip) (void)together(&all, which[i], &all);
    return bench_try(s->bench, &one, 1, until(s->of, SEVERAL)) == 0 &&
           (!s->of->now || all_prove(s, which, count, skip, GOAL_NOT));
}

/* Which differences from the solution are applied together: changed tokens, missing statements
 * and tests, all. */
enum solved { SOLVED_WORDS, SOLVED_MISSING, SOLVED_ALL, SOLVED_KINDS };
static int is_of(const struct edit *e, enum solved kind)
{
    static const double WORDS = 0.9;
    int missing = edit_adds(e) || edit_is_guard(e);
    return e->solves && (kind == SOLVED_ALL || (kind == SOLVED_WORDS ? e->cost < WORDS : missing));
}

/* Apply all differences of a kind together. If every result is then right, or right without one of
 * them, drop each difference that is not needed. Returns how many are left in `which`; 0: the
 * results are not right. */
static int as_solved(struct search *s, enum solved kind, const struct edit *which[SPLICES])
{
    struct edit both = {0};
    int count = 0;
    for (size_t i = 0; i < s->edits.count && count < SPLICES; i++) {
        const struct edit *e = &s->edits.list[i];
        if (is_of(e, kind) && is_taken(s, e) && together(&both, e, &both)) which[count++] = e;
    }
    int mends = count > 1 && all_mend(s, which, count, -1);
    for (int i = 0; i < count && count > 1 && !mends; i++)
        if ((mends = all_mend(s, which, count, i)))
            memmove(&which[i], &which[i + 1], (size_t)(--count - i) * sizeof *which);
    if (!mends) return 0;
    for (int i = count - 1; i >= 0; i--) {
        if (count == 1 || !all_mend(s, which, count, i)) continue;
        memmove(&which[i], &which[i + 1], (size_t)(--count - i) * sizeof *which);
    }
    return count > TOGETHER || s->of->now || all_prove(s, which, count, -1, GOAL_NOT) ? count : 0;
}

/* ---- the search ---- */

/* Report up to TOGETHER differences from the solution that make the kernel right only together.
 * Returns whether any were reported. */
static int several_mend(struct search *near, struct cause *cause)
{
    const struct edit *solved[SPLICES];
    int count = 0;
    for (int kind = 0; kind < SOLVED_KINDS && near->bench && !count; kind++)
        count = as_solved(near, (enum solved)kind, solved);
    if (!count || count > TOGETHER) return 0;
    say_together(near, solved, count, cause);
    return 1;
}

/* Open the next batch of `size` edits, if effort is left. Returns 0 if no effort or no edit is left,
 * or if the batch does not compile. *took: the effort of the previous batch; set to that of this
 * one. */
static int begin(struct search *s, size_t size, double *took)
{
    double start = effort_done(s->of);
    int bad = effort_left(s->of) < fmax(LEAST, *took) || !s->all.count || batch_open(s, size);
    *took = effort_done(s->of) - start;
    return !bad;
}

int repair_search(const struct repair_case *c, struct edits lists[LISTS], struct cause *cause)
{
    struct search search[LISTS], *near = &search[SOLVED], *s = &search[OTHERS];
    double took = 0;
    int one = -1, misses = 0, found = 0, compiled = 0;
    for (int i = 0; i < LISTS; i++)
        search[i] = (struct search){.of = c, .code = lists[i].code, .all = lists[i]};
    edits_name(&near->all, &s->all);
    edits_sort(&near->all, EDITS_MAX);
    size_t size = FIRST;
    if (begin(near, EDITS_MAX, &took)) one = alone(near, until(c, ALONE), &misses), compiled = 1;
    int fits = one >= 0 && !misses;
    if (fits && is_certain(s->code, &near->edits.list[one])) say_one(near, one, cause), found = 1;
    if (!found) edits_sort(&s->all, EDITS_MAX);
    double batches = until(c, c->now ? FOR_BUDGET : ALONE);
    for (int first = 1; !found && (first || effort_done(c) < batches - ANOTHER); first = 0) {
        int begun = begin(s, size, &took);
        int other = begun ? alone(s, fmin(batches, until(c, ALONE)), &misses) : -1;
        if (other >= 0 && !(fits && misses))
            say_one(s, other, cause), found = 1;
        else if (one >= 0)
            say_one(near, one, cause), found = 1;
        else if (begun && first)
            found = several_mend(near, cause);
        if (!begun) break;
        compiled = 1;
        size *= 2;
    }
    for (int i = 0; i < LISTS; i++) batch_close(&search[i]), lists[i] = search[i].all;
    return found || compiled ? found : -1;
}
