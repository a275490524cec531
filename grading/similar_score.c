/* similar_score.c - how unusual a pair is in its class.
 *
 *     in an exercise   a gram weighs ln(students / students who have it); given ones weigh nothing
 *                      alike(a, b) = shared weight / (mean weight of both + a little)
 *                      share(a, b) = of all pairs, those at least as alike        1 in 4000
 *     over exercises   E = sum of what -ln share exceeds 2 by: by chance 0 in 86% of the exercises
 *                      unusual = max over t of t E - m ln(1 + q t / (1 - t)), q = e^-2, m exercises: at most
 *                      one pair in e^unusual by chance (Chernoff's bound)
 *     in the class     habits go through all exercises of a student, so the tail of `unusual` is longer than
 *                      that. It is read off the class: from its 75% and 90% points on, exponential.
 *
 * A copy is alike where nobody else is, in a few exercises or in all. Students who handed in the
 * very same files count once, so many of them do not make the common unusual.
 */
#include "grading/similar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 2000 };
/* Pairs are reported if by chance fewer than 1 in 2500 would be as unusual, and fewer than 8 of the
 * class. The tail's least length is that of classes that were made from templates. */
static const double SHARE_MOST = 1 / 2500.0, EXPECTED_MOST = 8, LENGTH_LEAST = 0.85;

/* One text of an exercise, and those who handed it in. */
struct text {
    uint64_t *hash; /* sorted, each once, without those that were given */
    size_t count, students;
    uint64_t whole;
    double weight;
};
struct posting {
    uint64_t hash;
    size_t text;
};

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static int by_hash(const void *a, const void *b)
{
    const struct posting *x = a, *y = b;
    return x->hash != y->hash  ? (x->hash < y->hash ? -1 : 1)
           : x->text < y->text ? -1
                               : x->text > y->text;
}

static void read_text(struct text *t, const char *source, const struct known *known)
{
    struct grams g;
    grams_read(&g, source);
    *t = (struct text){xcalloc(g.count + 1, sizeof *t->hash), .students = 1};
    for (size_t i = 0; i < g.count; i++)
        if (!known_has(known, g.list[i].hash)) t->hash[t->count++] = g.list[i].hash;
    qsort(t->hash, t->count, sizeof *t->hash, by_value);
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++)
        if (!n || t->hash[n - 1] != t->hash[i]) t->hash[n++] = t->hash[i];
    t->count = n;
    t->whole = n;
    for (size_t i = 0; i < n; i++) t->whole = (t->whole ^ t->hash[i]) * 0x100000001b3u;
    grams_free(&g);
}

/* An exercise: its different texts, and how alike each two are. */
struct exercise_texts {
    struct text *list;
    size_t count, *of; /* index of a student's text; SIZE_MAX: none worth comparing */
    float *shared;
    /* a tenth of the median weight: texts with hardly any of their own are alike in nothing */
    double little;
    double share[BINS + 1];
};

static void read_texts(struct exercise_texts *x, const struct works *w, size_t exercise)
{
    x->list = xcalloc(w->students, sizeof *x->list);
    x->of = xcalloc(w->students, sizeof *x->of);
    for (size_t s = 0; s < w->students; s++) {
        const char *source = w->text[s * w->exercises + exercise];
        struct text *t = &x->list[x->count];
        size_t i = 0;
        x->of[s] = w->same_as[s] == s ? SIZE_MAX : x->of[w->same_as[s]];
        if (!source || w->same_as[s] != s) continue;
        read_text(t, source, &w->known);
        while (i < x->count && (x->list[i].whole != t->whole || x->list[i].count != t->count)) i++;
        if (i < x->count || !t->count) free(t->hash);
        if (!t->count) continue;
        x->of[s] = i;
        if (i < x->count)
            x->list[i].students++;
        else
            x->count++;
    }
}

/* The inverted index: for each gram the texts that have it. A gram in more than a third of them
 * says little and is left out. */
static void weigh(struct exercise_texts *x)
{
    size_t total = 0, students = 0, n = 0;
    for (size_t i = 0; i < x->count; i++)
        total += x->list[i].count, students += x->list[i].students;
    struct posting *all = xcalloc(total + 1, sizeof *all);
    for (size_t i = 0; i < x->count; i++)
        for (size_t j = 0; j < x->list[i].count; j++)
            all[n++] = (struct posting){x->list[i].hash[j], i};
    qsort(all, n, sizeof *all, by_hash);
    x->shared = xcalloc(x->count * x->count + 1, sizeof *x->shared);
    for (size_t from = 0, to; from < n; from = to) {
        size_t have = 0;
        for (to = from; to < n && all[to].hash == all[from].hash; to++)
            have += x->list[all[to].text].students;
        if (have > 2 && have * 3 > students) continue;
        double weight = log((double)students / (double)have);
        for (size_t i = from; i < to; i++) {
            x->list[all[i].text].weight += weight;
            for (size_t j = i + 1; j < to; j++)
                x->shared[all[i].text * x->count + all[j].text] += (float)weight;
        }
    }
    free(all);
}

static double alike(const struct exercise_texts *x, size_t i, size_t j)
{
    double both = sqrt(x->list[i].weight * x->list[j].weight),
           shared = i == j ? both : x->shared[i < j ? i * x->count + j : j * x->count + i];
    return both > 0 ? fmin(shared / (both + x->little), 1) : 0;
}

/* share[bin]: the share of all pairs that lie in this bin or above. */
static void rank(struct exercise_texts *x)
{
    double *weights = xcalloc(x->count + 1, sizeof *weights), pairs = 0, above = 0;
    for (size_t i = 0; i < x->count; i++) weights[i] = x->list[i].weight;
    qsort(weights, x->count, sizeof *weights, compare_doubles);
    x->little = weights[x->count / 2] / 10;
    free(weights);
    for (size_t i = 0; i < x->count; i++)
        for (size_t j = i; j < x->count; j++) {
            double a = (double)x->list[i].students, b = (double)x->list[j].students,
                   n = i == j ? a * (a - 1) / 2 : a * b;
            x->share[(int)(alike(x, i, j) * BINS)] += n;
            pairs += n;
        }
    for (int bin = BINS; bin >= 0; bin--) {
        above += x->share[bin];
        x->share[bin] = pairs > 0 ? fmax(above, 1) / pairs : 1;
    }
}

static size_t place(const struct works *w, size_t a, size_t b, size_t exercise)
{
    return (a * w->students + b) * w->exercises + exercise;
}

double scores_rare(
    const struct scores *s, const struct works *w, size_t a, size_t b, size_t exercise)
{
    return s->rare[a < b ? place(w, a, b, exercise) : place(w, b, a, exercise)] / 16.0;
}

/* 0: not compared; else -ln share in sixteenths, at least 1. */
static void score_exercise(struct scores *s, const struct works *w, size_t exercise)
{
    struct exercise_texts x = {0};
    read_texts(&x, w, exercise);
    weigh(&x);
    if (x.count) rank(&x);
    for (size_t a = 0; a < w->students; a++)
        for (size_t b = a + 1; b < w->students && x.of[a] != SIZE_MAX; b++) {
            if (x.of[b] == SIZE_MAX) continue;
            double share = x.share[(int)(alike(&x, x.of[a], x.of[b]) * BINS)];
            s->rare[place(w, a, b, exercise)] = (unsigned char)fmax(1, fmin(255, -log(share) * 16));
        }
    for (size_t i = 0; i < x.count; i++) free(x.list[i].hash);
    free(x.list), free(x.of), free(x.shared);
}

/* By chance -ln share is exponential, so what lies above `from` is 0 but in exp(-from) of m
 * exercises. */
static double unusual(const struct scores *s, const struct works *w, size_t a, size_t b)
{
    double sum = 0, m = 0, best = 0,
           from = fmin(2, log((double)w->students * (double)w->students / 2) / 3), q = exp(-from);
    for (size_t x = 0; x < w->exercises; x++) {
        double rare = scores_rare(s, w, a, b, x);
        sum += fmax(0, rare - from), m += rare > 0;
    }
    for (int i = 1; i < 20; i++) {
        double at = i / 20.0, bound = at * sum - m * log(1 - q + q / (1 - at));
        if (bound > best) best = bound;
    }
    return best;
}

static int by_unusual(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->unusual != y->unusual) return x->unusual < y->unusual ? 1 : -1;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b < y->b ? -1 : x->b > y->b;
}

/* Where chance ends, from the tail of the class's own values. */
static double tail(struct scores *s, double *values, size_t n, double *from)
{
    qsort(values, n, sizeof *values, compare_doubles);
    double low = values[n * 3 / 4], high = values[n * 9 / 10],
           length = fmax(LENGTH_LEAST, (high - low) / log(2.5));
    *from = low;
    s->limit = low + length * fmax(log(1 / SHARE_MOST / 4), log((double)n / 4 / EXPECTED_MOST));
    return length;
}

void scores_make(struct scores *s, const struct works *w)
{
    size_t n = w->students, cap = 0;
    *s = (struct scores){.rare = xcalloc(n * n * w->exercises + 1, 1)};
    for (size_t x = 0; x < w->exercises; x++) score_exercise(s, w, x);
    double *values = xcalloc(n * n / 2 + 1, sizeof *values), from = 0;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++)
            if (w->same_as[a] == a && w->same_as[b] == b)
                values[s->compared++] = unusual(s, w, a, b);
    double length = s->compared ? tail(s, values, s->compared, &from) : 1;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            double u = unusual(s, w, a, b);
            int counts = w->same_as[a] == a && (w->same_as[b] == b || w->same_as[b] == a);
            if (!counts || u <= s->limit || u <= 0) continue;
            *VEC_PUSH(s->pairs, s->count, cap) =
                (struct pair){a, b, u, (double)s->compared / 4 * exp((from - u) / length)};
        }
    if (s->count) qsort(s->pairs, s->count, sizeof *s->pairs, by_unusual);
    free(values);
}

void scores_free(struct scores *s)
{
    free(s->pairs), free(s->rare);
    *s = (struct scores){0};
}
