/* score.c - compute points from counters and times.
 *
 *     ratio = the student's time / the reference's
 *
 *     ratio    0 --------- full -------------------- 10 --------->      full: 1.2, or the course's own
 *     points      all       │  all * full / ratio     │  none */
#include "judge/judge.h"

#include <math.h>

const double SCORE_SPEED = 1.2;
/* Limits of ratios. NONE_PAST: a larger ratio of the student's time to the reference's earns no
 * points for speed. OTHER_TECHNIQUE_PAST: with a larger ratio of these times, or of a counter to
 * its limit, the kernel counts as another technique. FAR_PAST: the same for times in a step with
 * budgets, since no set of counters shows every way to be slow. LOADS_PART: a kernel with fewer
 * shared loads than the reference's / LOADS_PART has no tile; with loads of 16 bytes into 4 x 4
 * outputs per thread, a kernel has exactly that many. SCATTERED_PAST: a kernel that touches more
 * than this many times the reference's sectors does not use its tile to coalesce accesses.
 * PRODUCTS_PART: a kernel with fewer multiply-adds than this part of the reference's multiplies in a
 * way that is not counted. KEPT_MOST: the most elements of an array of its own that a thread
 * may keep in local memory. */
static const double NONE_PAST = 10, OTHER_TECHNIQUE_PAST = 2, FAR_PAST = 3, LOADS_PART = 16,
                    SCATTERED_PAST = 1.25, PRODUCTS_PART = 0.9, KEPT_MOST = 16;

double score_speed(int points, double ratio, double full)
{
    /* a ratio that is NaN or not positive earns nothing */
    if (!(ratio > 0) || ratio > NONE_PAST) return 0;
    if (ratio <= full) return points;
    return floor(points * full / ratio * 10 + 0.5) / 10;
}

/* Other ways to do the work that a metric counts. A budget of the metric counts them, too. worth:
 * how much of the metric one unit of the way is. counts: ALL of the way counts; only what is BEYOND
 * the reference's use of it; or all, unless the reference uses the way itself (UNTAUGHT: the
 * exercise does not teach it). */
enum way_counts { ALL, BEYOND, UNTAUGHT };
static const struct way {
    enum metric of, by;
    double worth;
    enum way_counts counts;
    const char *said;
} ways[] = {
    {METRIC_GLD_REQUESTS, METRIC_GATOM_REQUESTS, 1, ALL, "with atomics"},
    {METRIC_GLD_SECTORS, METRIC_GATOM_SECTORS, 1, ALL, "with atomics"},
    {METRIC_GST_REQUESTS, METRIC_GATOM_REQUESTS, 1, ALL, "with atomics"},
    {METRIC_GST_SECTORS, METRIC_GATOM_SECTORS, 1, ALL, "with atomics"},
    {METRIC_GST_REQUESTS, METRIC_SST_INST, 1, UNTAUGHT, "with stores to shared memory"},
    {METRIC_GST_REQUESTS, METRIC_SATOM_INST, 1, UNTAUGHT, "with atomics on shared memory"},
    {METRIC_GST_REQUESTS, METRIC_LOCAL_ST, 1, UNTAUGHT, "with stores to local memory"},
    {METRIC_GLD_REQUESTS, METRIC_BULK_LD_INST, 1, UNTAUGHT, "with bulk copies"},
    {METRIC_GLD_SECTORS, METRIC_BULK_LD_SECTORS, 1, UNTAUGHT, "with bulk copies"},
    {METRIC_GST_REQUESTS, METRIC_BULK_ST_INST, 1, UNTAUGHT, "with bulk copies"},
    {METRIC_GST_SECTORS, METRIC_BULK_ST_SECTORS, 1, UNTAUGHT, "with bulk copies"},
    {METRIC_FFMA, METRIC_FMUL, 1, BEYOND, "with multiplications"},
    {METRIC_FFMA, METRIC_FADD, 1, BEYOND, "with additions"},
    {METRIC_FFMA, METRIC_DFMA, 1, BEYOND, "with products of doubles"},
    {METRIC_FFMA, METRIC_DMUL, 1, BEYOND, "with products of doubles"},
    {METRIC_FFMA, METRIC_DMMA, 8 * 8 * 4, BEYOND, "with products of doubles"},
    {METRIC_FFMA, METRIC_IMUL, 1, BEYOND, "with products of integers"},
    {METRIC_FFMA, METRIC_HALF_FLOP, 0.5, BEYOND, "with products of halves"},
    {METRIC_FFMA, METRIC_TENSOR_FLOP, 0.5, UNTAUGHT, "with tensor products"},
    {METRIC_SLD_INST, METRIC_LDSM_INST, 1, BEYOND, "with ldmatrix"},
    {METRIC_SLD_INST, METRIC_SATOM_INST, 1, BEYOND, "with atomics"},
    {METRIC_SLD_INST, METRIC_SHUFFLE_THREADS, 1 / 32.0, UNTAUGHT, "with shuffles"},
    {METRIC_SLD_CONFLICTS, METRIC_SATOM_INST, 1, BEYOND, "with atomics"},
    {METRIC_SLD_CONFLICTS, METRIC_SLD_IDLE, 1 / 32.0, BEYOND,
        "with loads by few threads at a time"},
    {METRIC_SLD_CONFLICTS, METRIC_SHUFFLE_THREADS, 1 / 32.0, BEYOND, "with shuffles"},
    {METRIC_SST_CONFLICTS, METRIC_SATOM_INST, 1, BEYOND, "with atomics"},
    {METRIC_SST_CONFLICTS, METRIC_SST_IDLE, 1 / 32.0, BEYOND,
        "with stores by few threads at a time"},
    {METRIC_SST_CONFLICTS, METRIC_LDGSTS_CONFLICTS, 1, BEYOND, "with asynchronous copies"},
    {METRIC_SST_CONFLICTS, METRIC_SHUFFLE_THREADS, 1 / 32.0, BEYOND, "with shuffles"},
    {METRIC_BARRIER, METRIC_MBARRIER, 1, BEYOND, "with mbarriers"},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* A counter; 0 if it was not counted. */
static double counted(const struct metrics *m, enum metric id)
{
    return !m || isnan(m->v[id]) ? 0 : m->v[id];
}

/* The work that a kernel does in the way that `by` counts. Stores to shared memory that are loaded
 * less than 4 times each fill no tile: they replace stores to global memory, so only stores beyond
 * a fourth of the loads count. Of stores to local memory, only those beyond KEPT_MOST for each
 * store to global memory count. A multiplication and an addition are one multiply-add; of
 * additions, only a second one to the same product counts. */
static double done(const struct metrics *m, enum metric by)
{
    double kept = counted(m, by), products = counted(m, METRIC_FMUL);
    if (by == METRIC_SST_INST) kept -= counted(m, METRIC_SLD_INST) / 4;
    if (by == METRIC_LOCAL_ST) kept -= KEPT_MOST * counted(m, METRIC_GST_REQUESTS);
    if (by == METRIC_FADD) kept = fmin(kept - products, products);
    return kept > 0 ? kept : 0;
}

/* Products that are added to a sum, by instructions for floats, doubles or halves. */
static double products(const struct metrics *m)
{
    return counted(m, METRIC_FFMA) + counted(m, METRIC_DFMA) + counted(m, METRIC_HALF_FLOP) / 2 +
           counted(m, METRIC_TENSOR_FLOP) / 2 +
           fmin(counted(m, METRIC_FMUL), counted(m, METRIC_FADD)) +
           fmin(counted(m, METRIC_DMUL), counted(m, METRIC_DADD));
}

/* How much a way adds to the value of a budget. Indices are products of integers, too: those up to
 * half of the reference's products do not count, and none where the kit has no reference. */
static double way_adds(
    const struct way *w, const struct metrics *student, const struct metrics *reference)
{
    double own = done(student, w->by), its = counted(reference, w->by);
    if (w->by == METRIC_IMUL && !(counted(reference, METRIC_INST) > 0)) return 0;
    if (w->by == METRIC_IMUL) its += products(reference) / 2;
    if (w->counts == BEYOND) own -= its;
    if (w->counts == UNTAUGHT && its > 0) own = 0;
    return own > 0 ? w->worth * own : 0;
}

static double all_ways(
    enum metric m, const struct metrics *student, const struct metrics *reference)
{
    double sum = student->v[m];
    for (int i = 0; i < WAYS; i++)
        if (ways[i].of == m) sum += way_adds(&ways[i], student, reference);
    return sum;
}

/* The counter that a budget of m limits: the sectors if m is sectors per request, else m itself. */
static enum metric limited(enum metric m)
{
    return m == METRIC_GLD_SECTORS_PER_REQUEST   ? METRIC_GLD_SECTORS
           : m == METRIC_GST_SECTORS_PER_REQUEST ? METRIC_GST_SECTORS
                                                 : m;
}

enum metric score_way(enum metric m, const struct metrics *student, const struct metrics *reference)
{
    double most = 0;
    enum metric found = METRIC_COUNT;
    for (int i = 0; i < WAYS; i++)
        if (ways[i].of == limited(m) && way_adds(&ways[i], student, reference) > most)
            most = way_adds(&ways[i], student, reference), found = ways[i].by;
    return found;
}

const char *score_way_said(enum metric m, enum metric way)
{
    for (int i = 0; i < WAYS; i++)
        if (ways[i].of == limited(m) && ways[i].by == way) return ways[i].said;
    return NULL;
}

static double sectors_per_request(const struct metrics *student, const struct metrics *reference,
    enum metric sectors, enum metric requests)
{
    double own = all_ways(requests, student, reference);
    double needed = reference ? all_ways(requests, reference, reference) : NAN;
    return all_ways(sectors, student, reference) / (needed > 0 ? needed : own);
}

double score_scattered_sectors_per_request(const struct metrics *m)
{
    double sectors = counted(m, METRIC_GLD_SCATTERED_SECTORS);
    return sectors > counted(m, METRIC_GLD_SECTORS) / 2
               ? sectors / counted(m, METRIC_GLD_SCATTERED_REQUESTS)
               : 0;
}

/* The student's work per unit of `whole`. Work beyond the reference's is useless and not
 * counted. */
static double useful(const struct metrics *student, const struct metrics *reference,
    enum metric work, enum metric whole)
{
    double done = student->v[work], needed = reference ? reference->v[work] : NAN;
    /* if one argument is NAN, fmin returns the other */
    return fmin(done, needed) / student->v[whole];
}

/* Sectors of all accesses to global memory. */
static double touched(const struct metrics *m)
{
    return counted(m, METRIC_GLD_SECTORS) + counted(m, METRIC_GST_SECTORS) +
           counted(m, METRIC_GATOM_SECTORS) + counted(m, METRIC_BULK_LD_SECTORS) +
           counted(m, METRIC_BULK_ST_SECTORS);
}

enum no_tile score_no_tile(
    enum metric m, const struct metrics *student, const struct metrics *reference)
{
    /* ldmatrix loads up to 4 words a thread, as a 16-byte load does */
    double loads = counted(reference, METRIC_SLD_INST) + counted(reference, METRIC_LDSM_INST);
    double own = counted(student, METRIC_SLD_INST) + 4 * counted(student, METRIC_LDSM_INST);
    int moves = !(counted(reference, METRIC_FFMA) + counted(reference, METRIC_TENSOR_FLOP) > 0);
    int conflicts = m == METRIC_SLD_CONFLICTS || m == METRIC_SST_CONFLICTS;
    if (!conflicts && m != METRIC_SLD_INST && m != METRIC_SLD_WAVEFRONTS && m != METRIC_BARRIER)
        return TILE_USED;
    if (loads > 0 && !(own >= loads / LOADS_PART)) return TILE_UNLOADED;
    double needed = reference ? touched(reference) : 0;
    return conflicts && moves && needed > 0 && touched(student) > SCATTERED_PAST * needed
               ? TILE_SCATTERED
               : TILE_USED;
}

double score_value(enum metric m, const struct metrics *student, const struct metrics *reference)
{
    if (score_no_tile(m, student, reference)) return NAN;
    switch (m) {
    case METRIC_GLD_SECTORS_PER_REQUEST:
        return sectors_per_request(student, reference, METRIC_GLD_SECTORS, METRIC_GLD_REQUESTS);
    case METRIC_GST_SECTORS_PER_REQUEST:
        return sectors_per_request(student, reference, METRIC_GST_SECTORS, METRIC_GST_REQUESTS);
    case METRIC_FFMA_SHARE:
        return 100 * useful(student, reference, METRIC_FFMA, METRIC_THREAD_INST);
    case METRIC_WARP_EFFICIENCY: return useful(student, reference, METRIC_THREAD_INST, METRIC_INST);
    default: return all_ways(m, student, reference);
    }
}

/* Does a budget of the step limit these requests? */
static int limits(const struct step *s, enum metric requests)
{
    for (const struct budget *b = s->budgets; b && b->why; b++)
        if (b->metric == requests && b->rule == AT_MOST) return 1;
    return 0;
}

double score_held(const struct step *s, const struct budget *b, const struct metrics *student,
    const struct metrics *reference)
{
    double value = score_value(b->metric, student, reference);
    if (b->rule == AT_MOST && b->metric == METRIC_FFMA && reference &&
        products(student) < products(reference) * PRODUCTS_PART)
        return NAN;
    if (b->metric == METRIC_SHARED_BLOCK && reference)
        return value * fmax(1, student->v[METRIC_BLOCKS] / reference->v[METRIC_BLOCKS]);
    /* constant requests that read several words count less than broadcasts; read-only sectors are
     * reduced by the sectors that the kernel loads beyond those of the reference */
    if (b->rule == AT_LEAST && b->metric == METRIC_CONST_REQUESTS)
        return value * fmin(1, value / student->v[METRIC_CONST_WORDS]);
    if (b->rule == AT_LEAST && b->metric == METRIC_GLD_READONLY_SECTORS && reference)
        return fmax(0, value - fmax(0, counted(student, METRIC_GLD_SECTORS) -
                                           counted(reference, METRIC_GLD_SECTORS)));
    /* stores that are wanted are those of whole warps: neither other ways nor stores of single
     * threads count */
    if (b->rule == AT_LEAST && b->metric == METRIC_GST_REQUESTS)
        return student->v[METRIC_GST_THREADS] / 32;
    if ((b->metric == METRIC_GLD_SECTORS_PER_REQUEST && limits(s, METRIC_GLD_REQUESTS)) ||
        (b->metric == METRIC_GST_SECTORS_PER_REQUEST && limits(s, METRIC_GST_REQUESTS)))
        value = fmin(value, score_value(b->metric, student, NULL));
    if (b->metric == METRIC_GLD_SECTORS_PER_REQUEST && score_budget(b, value))
        return fmax(value, score_scattered_sectors_per_request(student));
    return value;
}

struct budget score_here(
    const struct step *s, const struct budget *b, const struct metrics *reference)
{
    struct budget here = *b;
    double its = reference ? score_held(s, b, reference, reference) : NAN;
    if (!isnan(its) && !score_budget(b, its)) here.limit = its;
    return here;
}

/* Values may exceed the limit by 1e-9 of it, for rounding. NAN meets no budget, since every
 * comparison with it is false. */
int score_budget(const struct budget *b, double value)
{
    double rounding = 1e-9 * fabs(b->limit);
    if (b->rule == AT_MOST) return value <= b->limit + rounding;
    return value >= b->limit - rounding;
}

int score_other_technique(const struct budget *b, double value)
{
    double past = b->degree ? OTHER_TECHNIQUE_PAST : 1;
    struct budget most = *b;
    most.limit = b->rule == AT_MOST ? b->limit * past : b->limit / past;
    return !score_budget(&most, value);
}

double score_slow(const struct step *s) { return s->budgets ? FAR_PAST : OTHER_TECHNIQUE_PAST; }

/* A ratio of NAN (time not measured) does not count as slow. */
double score_kernel(double earned, const struct step *s, int missed, double ratio)
{
    missed |= ratio > score_slow(s);
    return missed ? fmin(earned, step_max_points(s) / 2.0) : earned;
}

/* isfinite is tested first, since lround of NAN is undefined. */
int score_prediction(const struct prediction_result *p)
{
    return p->said != -1 && isfinite(p->counted) &&
           (p->said == lround(p->counted) || p->said == p->key);
}

/* The most points of a step. Declared in exercise.h, defined here beside the functions that give
 * them. */
int step_max_points(const struct step *s)
{
    int sum = s->correct_points + s->speed_points;
    for (const struct budget *b = s->budgets; b && b->why; b++) sum += b->points;
    return sum;
}

int exercise_max_points(const struct exercise *x)
{
    int sum = 0;
    for (const struct step *s = x->steps; s->kernel; s++) sum += step_max_points(s);
    for (const struct prediction *p = x->predictions; p && p->name; p++) sum += p->points;
    return sum;
}

int exercise_speed_points(const struct exercise *x)
{
    int sum = 0;
    for (const struct step *s = x->steps; s->kernel; s++) sum += s->speed_points;
    return sum;
}

/* ---- the line that costs most ---- */

/* How each ratio is computed: scale * over / under. For a budget "at most limit", the cost of a
 * line is what its counter `over` has beyond limit * under / scale. For a budget "at least limit",
 * the cost is what the counter lacks. */
static const struct {
    enum metric ratio, over, under;
    double scale;
} ratios[] = {
    {METRIC_GLD_SECTORS_PER_REQUEST, METRIC_GLD_SECTORS, METRIC_GLD_REQUESTS, 1},
    {METRIC_GST_SECTORS_PER_REQUEST, METRIC_GST_SECTORS, METRIC_GST_REQUESTS, 1},
    {METRIC_GLD_EFFICIENCY, METRIC_GLD_BYTES, METRIC_GLD_MOVED, 100},
    {METRIC_GST_EFFICIENCY, METRIC_GST_BYTES, METRIC_GST_MOVED, 100},
    {METRIC_SLD_PER_REQUEST, METRIC_SLD_WAVEFRONTS, METRIC_SLD_INST, 1},
    {METRIC_SST_PER_REQUEST, METRIC_SST_WAVEFRONTS, METRIC_SST_INST, 1},
    {METRIC_WARP_EFFICIENCY, METRIC_THREAD_INST, METRIC_INST, 1},
    {METRIC_FFMA_SHARE, METRIC_FFMA, METRIC_THREAD_INST, 100},
};

/* A line's counter, plus what the line does in the given way. */
static double accessed(const struct line_counts *line, enum metric m, enum metric way)
{
    double sum = counted(&line->metrics, m);
    for (int i = 0; i < WAYS; i++)
        if (ways[i].of == m && ways[i].by == way)
            sum += ways[i].worth * counted(&line->metrics, way);
    return sum;
}

/* How much a line contributes to missing the budget. Returns 0 for a counter that should be high
 * and is no ratio: no line is to blame if it is too low. */
static double cost(const struct budget *b, const struct line_counts *line, enum metric way)
{
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        if (ratios[i].ratio == b->metric) {
            double excess = ratios[i].scale * accessed(line, ratios[i].over, way) -
                            b->limit * accessed(line, ratios[i].under, METRIC_COUNT);
            return b->rule == AT_MOST ? excess : -excess;
        }
    if (b->metric == METRIC_BRANCH_EFFICIENCY)
        return counted(&line->metrics, METRIC_BRANCH_DIVERGENT);
    return b->rule == AT_MOST ? accessed(line, b->metric, way) : 0;
}

/* The counter that grows with each request: the numerator if m is a ratio, else m itself. */
static enum metric paid_in(enum metric m)
{
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        if (ratios[i].ratio == m) return ratios[i].over;
    return m;
}

/* If no line by itself exceeds a ratio's limit, there are too many requests: the line with the most
 * requests is returned. */
int score_blame(
    const struct budget *b, const struct measurement *m, const struct metrics *reference)
{
    enum metric way = score_way(b->metric, &m->metrics, reference);
    int worst = -1;
    for (int every = 0; every < 2 && worst < 0; every++) {
        double most = 0;
        for (size_t i = 0; i < m->line_count; i++) {
            double c = !every               ? cost(b, &m->lines[i], way)
                       : b->rule == AT_MOST ? accessed(&m->lines[i], paid_in(b->metric), way)
                                            : 0;
            if (c > most) most = c, worst = (int)i;
        }
    }
    return worst;
}

int score_excess(const struct measurement *m, const struct metrics *reference, struct excess *out)
{
    /* counts above this many times the reference's count are reported */
    static const double MORE = 2;
    static const enum metric what[EXCESS_MAX] = {METRIC_MIX_FP64, METRIC_BARRIER};
    int count = 0;
    for (int i = 0; i < EXCESS_MAX; i++) {
        double own = m->metrics.v[what[i]], its = reference->v[what[i]], most = 0;
        struct excess x = {what[i], own, its, 0};
        for (size_t k = 0; k < m->line_count && own > MORE * its; k++)
            if (m->lines[k].metrics.v[what[i]] > most)
                most = m->lines[k].metrics.v[what[i]], x.line = m->lines[k].line;
        if (x.line) out[count++] = x;
    }
    return count;
}

/* The counters that show how a kernel works. each: how much one warp instruction adds to the
 * counter. */
static const struct {
    enum metric metric;
    double each;
} workings[] = {
    {METRIC_INST, 1},
    {METRIC_MIX_FP32, 32},
    {METRIC_MIX_FP64, 32},
    {METRIC_MIX_FP16, 32},
    {METRIC_MIX_INTEGER, 32},
    {METRIC_MIX_SPECIAL, 32},
    {METRIC_MIX_MEMORY, 32},
    {METRIC_MIX_CONTROL, 32},
    {METRIC_TENSOR_FLOP, 4096},
    {METRIC_SHUFFLE_THREADS, 32},
    {METRIC_BARRIER, 1},
    {METRIC_GLD_SECTORS, 1},
    {METRIC_GST_SECTORS, 1},
    {METRIC_SLD_WAVEFRONTS, 1},
    {METRIC_SST_WAVEFRONTS, 1},
    {METRIC_LOCAL_LD, 1},
};

/* Keep a difference if it is the greatest so far, and more than ALIKE times. Values below `least`
 * count as `least`. */
static void differ(
    struct unlike *most, enum metric metric, double own, double reference, double least)
{
    static const double ALIKE = 2;
    double x = fmax(own, least), y = fmax(reference, least), times = fmax(x, y) / fmin(x, y);
    if (times > fmax(most->times, ALIKE)) *most = (struct unlike){times, metric, own, reference};
}

struct unlike score_unlike(const struct step_result *s, const struct metrics *reference)
{
    /* a counter matters only above the value that this share of all instructions would give */
    static const double PART = 1 / 16.0;
    struct unlike most = {0};
    double all = counted(reference, METRIC_INST);
    for (int i = 0; i < s->budget_count; i++)
        if (!s->budgets[i].met) return most;
    for (size_t i = 0; i < sizeof workings / sizeof *workings && all > 0; i++)
        differ(&most, workings[i].metric, counted(&s->m.metrics, workings[i].metric),
            counted(reference, workings[i].metric), all * PART * workings[i].each);
    if (s->m.ms > 0 && s->reference_ms > 0)
        differ(&most, METRIC_COUNT, s->m.ms, s->reference_ms, 0);
    return most;
}
