/* unused.c - do the outputs of a kernel depend on the work that its budgets count? A kernel could
 * raise or lower a counter by work that changes nothing: a word of shared memory that its own
 * thread loads again, a product of zeros, an addition of 0, a store that nobody reads.
 *
 *     for each budget that is met:
 *     run a few blocks without the counted work ──> most outputs stay the same: it is unused
 *                                               ──> products or atomics: most outputs keep half of
 *                                                   their value, which other work makes: it is unused
 *
 * A kernel may exchange values other than the input data through shared memory, such as an index.
 * Three more runs detect that:
 *
 *     run 1   the inputs                      record what threads load from each other
 *     run 2   the inputs times 2              load what run 1 recorded
 *     run 3   the inputs times 2
 *
 *     outputs of run 2 are run 1's ──> the data go by shared memory
 *                      are run 3's ──> none of them do: it is unused
 *
 * Where each output is one input, as in a transpose, an output of run 2 is that of run 1, if it came
 * by shared memory, or that of run 3. If most are neither, what is exchanged is no data.
 *
 * There a tile gives each thread, or each warp, words of several others. If nearly all come from one,
 * threads only hand on what they have.
 *
 * Where a kernel multiplies, shared memory must serve its products. So what a warp loads after half
 * of them is not left out: the sums may take any way.
 *
 * The blocks that are run are eight of one multiprocessor; the seed chooses it and them.
 *
 * wgmma reads shared memory itself, not by loads of threads, so for a kernel with wgmma the three
 * runs are left out. */
#include "judge/grade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* TIMES: a warp may execute this many times the instructions of a warp of the whole run; a warp with
 * more is in a loop that depends on the work that is left out. */
enum { TIMES = 8 };

/* USED: if at least this share of the outputs changes, they depend on the work that was left out.
 * SEVERAL: where data only move, at least this share of what threads get by shared memory comes from
 * another thread or warp than the first word; in a tile of 32 x 32 floats, 31 of 32. */
static const double USED = 0.5, SEVERAL = 0.25;

static const struct need {
    enum metric metric;
    enum without what;
    int at_least; /* 1: only for budgets with the rule AT_LEAST */
} needs[] = {
    {METRIC_SLD_INST, WITHOUT_SHARED, 0},
    {METRIC_SLD_WAVEFRONTS, WITHOUT_SHARED, 0},
    {METRIC_SLD_CONFLICTS, WITHOUT_SHARED, 0},
    {METRIC_SST_CONFLICTS, WITHOUT_SHARED, 0},
    {METRIC_LDGSTS_INST, WITHOUT_COPIES, 1},
    {METRIC_CONST_REQUESTS, WITHOUT_CONSTANTS, 1},
    {METRIC_GST_REQUESTS, WITHOUT_STORES, 1},
    {METRIC_SATOM_INST, WITHOUT_ATOMICS, 1},
    {METRIC_FADD, WITHOUT_SUMS, 1},
    {METRIC_FFMA, WITHOUT_MULTIPLY_ADDS, 0},
    {METRIC_HMMA, WITHOUT_PRODUCTS, 1},
    {METRIC_GMMA, WITHOUT_PRODUCTS, 1},
};

static const char *const said[WITHOUT_COUNT] = {
    [WITHOUT_SHARED] = "the result does not depend on what threads exchange by shared memory",
    [WITHOUT_COPIES] = "the result does not depend on the asynchronous copies",
    [WITHOUT_CONSTANTS] = "the result does not depend on constant memory",
    [WITHOUT_STORES] = "the result does not depend on what was stored before",
    [WITHOUT_ATOMICS] = "the result does not depend on the atomics in shared memory",
    [WITHOUT_SUMS] = "the result does not depend on additions before the last products are done",
    [WITHOUT_PRODUCTS] = "the result does not depend on the products of matrices",
    [WITHOUT_MULTIPLY_ADDS] = "the result does not depend on most of the multiply-adds",
    [WITHOUT_EARLY] =
        "the result does not depend on what threads exchange by shared memory before half of the "
        "multiply-adds are done",
    [WITHOUT_SEVERAL] =
        "a thread gets words by shared memory from one other thread only, so there is no tile",
};

const char *unused_said(enum without what) { return said[what]; }

enum without unused_need(
    const struct step *s, const struct budget *b, const struct metrics *reference)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        const struct need *n = &needs[i];
        if (n->metric != b->metric || (n->at_least && b->rule != AT_LEAST)) continue;
        if (n->what == WITHOUT_SHARED && (s->own_words || !(reference->v[METRIC_SLD_INST] > 0)))
            continue;
        if (n->what == WITHOUT_MULTIPLY_ADDS && !(reference->v[METRIC_FFMA] > 0)) continue;
        return n->what;
    }
    return WITHOUT_NOTHING;
}

/* The next element, at `at` or after it, that a launch wrote; `bytes`: there is none. Most elements of a
 * launch that leaves out most blocks are poison. */
static size_t next_written(const char *got, size_t at, size_t bytes, size_t element)
{
    enum { PIECE = 512 };
    while (at < bytes) {
        int skips =
            at % PIECE == 0 && at + PIECE <= bytes && poison_whole(got + at, PIECE, element);
        if (!skips && !poison_whole(got + at, element, element)) return at;
        at += skips ? PIECE : element;
    }
    return bytes;
}

/* The share of the elements written by a launch that differ from those of the whole run; 1 if the
 * launch wrote none. */
static double changed(const struct instance *in, const char *whole)
{
    int output = in->problem->output;
    size_t element = element_bytes(in->problem->buffers[output].element), written = 0, other = 0,
           bytes = instance_bytes(in, output);
    const char *got = in->data[output];
    for (size_t at = 0; (at = next_written(got, at, bytes, element)) < bytes; at += element) {
        written++;
        other += memcmp(got + at, whole + at, element) != 0;
    }
    return written ? (double)other / (double)written : 1;
}

/* The share of the floats written by a launch that keep at least half of what they are in the whole
 * run; 0 for other elements. */
static double kept(const struct instance *in, const char *whole)
{
    int output = in->problem->output;
    size_t written = 0, kept = 0, bytes = instance_bytes(in, output), element = sizeof(float);
    const char *got = in->data[output];
    if (in->problem->buffers[output].element != ELEMENT_F32) return 0;
    for (size_t at = 0; (at = next_written(got, at, bytes, element)) < bytes; at += element) {
        float x, all;
        memcpy(&x, got + at, sizeof x);
        memcpy(&all, whole + at, sizeof all);
        written++;
        kept += fabsf(x) >= fabsf(all) / 2;
    }
    return written ? (double)kept / (double)written : 0;
}

/* Multiply all input floats by a power of 2, which rounds nothing. Returns 0 if there are none. */
static int scale(const struct instance *in, double by)
{
    int any = 0;
    for (int i = 0; i < problem_buffers(in->problem); i++) {
        enum element type = in->problem->buffers[i].element;
        if (i == in->problem->output || type == ELEMENT_I32) continue;
        for (size_t k = 0; k < in->count[i]; k++)
            if (type == ELEMENT_F64)
                ((double *)in->data[i])[k] *= by;
            else
                ((float *)in->data[i])[k] *= (float)by;
        any = 1;
    }
    return any;
}

/* The kernel whose outputs are examined, and how it is run. */
struct examined {
    struct build *build;
    int step;
    struct instance *in;
    void *spare;   /* room for another output */
    unsigned sm;   /* the multiprocessor whose blocks are run */
    uint64_t most; /* the most instructions that a warp may execute */
};

static int run(const struct examined *x, enum without what, struct exchange *exchange)
{
    struct err e;
    if (exchange) exchange->at = 0;
    return build_without(x->build, x->step, x->in, what, exchange, x->sm, x->most, &e);
}

/* Is shared memory no tile of the input data? Returns the reason, WITHOUT_NOTHING if it is one. The
 * output in `in` is overwritten. */
static enum without passed_by(const struct examined *x)
{
    struct instance *in = x->in;
    int output = in->problem->output, unused = 0;
    struct exchange kept = {0};
    enum without reason = WITHOUT_NOTHING;
    if (!run(x, WITHOUT_SHARED, &kept) && scale(in, 2)) {
        double others = 0;
        void *last = in->data[output];
        in->data[output] = x->spare;
        kept.again = 1;
        if (!run(x, WITHOUT_SHARED, &kept)) others = changed(in, last);
        in->data[output] = last;
        struct exchange fresh = {.value = kept.value};
        if (others >= USED && !run(x, WITHOUT_SHARED, &fresh)) {
            double own = changed(in, x->spare);
            unused = own < USED || (in->problem->moves && own + others > 1 + USED);
        }
        scale(in, 0.5);
    }
    free(kept.value);
    double words = (double)(kept.from_first + kept.from_others);
    if (unused)
        reason = WITHOUT_SHARED;
    else if (in->problem->moves && (double)kept.from_others < SEVERAL * words)
        reason = WITHOUT_SEVERAL;
    return reason;
}

/* Do threads that multiply exchange only what they have computed? Then nothing changes without what
 * a warp loads from shared memory until it has done half of its products. */
static int exchanged_late(const struct examined *x, uint64_t half, const char *whole)
{
    struct exchange early = {.until = half};
    return half && !run(x, WITHOUT_EARLY, &early) && changed(x->in, whole) < USED;
}

/* The warps of the launch; 0: it cannot be launched. */
static double warps_of(const struct bound_kernel *b)
{
    struct launch_shape s;
    struct err e;
    if (run_shape(b, b->step->dims, &s, &e)) return 0;
    return ceil(s.block[0] * s.block[1] / 32.0) * s.grid[0] * s.grid[1];
}

unsigned unused_find(struct build *b, int step, struct instance *in, uint64_t seed,
    const struct metrics *own, const struct metrics *reference)
{
    const struct step *s = &b->exercise->steps[step];
    int output = in->problem->output;
    size_t bytes = instance_bytes(in, output);
    unsigned tried = 0, unused = 0;
    char *whole = NULL;
    double warps = warps_of(&b->bound[step]);
    /* half of the multiply-adds of a warp, and of its products of matrices */
    double multiplied = own->v[METRIC_FFMA] / 32 + own->v[METRIC_HMMA];
    uint64_t half = warps > 0 && multiplied > 0 ? (uint64_t)(multiplied / warps / 2) : 0;
    /* a kernel that adds twice, part by part of its outputs, adds up to the end */
    struct exchange sums = {.until = half * 2 * 15 / 16};
    uint64_t most = warps > 0 ? (uint64_t)(TIMES * (own->v[METRIC_INST] / warps + 1000)) : 0;
    struct examined examined = {b, step, in, NULL, (unsigned)seed, most};
    for (const struct budget *x = s->budgets; x && x->why; x++) {
        enum without what = unused_need(s, x, reference);
        struct budget here = score_here(s, x, reference);
        if (!what || tried >> what & 1 || !score_budget(&here, score_held(s, x, own, reference)))
            continue;
        tried |= 1u << what;
        if (!whole) {
            whole = in->data[output];
            in->data[output] = xcalloc(bytes + 1, 1);
            examined.spare = xcalloc(bytes + 1, 1);
        }
        /* a run that fails depends on the work that is left out */
        int ends = !run(&examined, what, what == WITHOUT_SUMS ? &sums : NULL);
        int adds_all = what == WITHOUT_PRODUCTS || what == WITHOUT_ATOMICS;
        if (ends && (changed(in, whole) < USED || (adds_all && kept(in, whole) >= USED)))
            unused |= 1u << what;
        else if (what == WITHOUT_SHARED && !(own->v[METRIC_GMMA] > 0)) {
            if (!s->sums_only && exchanged_late(&examined, half, whole))
                unused |= 1u << WITHOUT_EARLY;
            unused |= 1u << passed_by(&examined);
        }
    }
    if (whole) {
        free(in->data[output]);
        free(examined.spare);
        in->data[output] = whole;
    }
    return unused & ~(1u << WITHOUT_NOTHING);
}

enum without unused_reason(enum without needs, unsigned unused)
{
    static const enum without shared[] = {WITHOUT_EARLY, WITHOUT_SEVERAL};
    if (unused >> needs & 1) return needs;
    for (int i = 0; needs == WITHOUT_SHARED && i < 2; i++)
        if (unused >> shared[i] & 1) return shared[i];
    return WITHOUT_NOTHING;
}
