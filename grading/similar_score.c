/* similar_score.c - how unusual a pair is in its class, and which passages it shares: similar.h, 2 to 4. */
#include "grading/similar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As many pairs may be listed, or one for ten students if that is more. */
enum { PAIRS_LEAST = 40, PASSAGES_MOST = 40, PASSAGE_LEAST = 3, PLACES_MOST = 50 };
/* LITTLE: texts with hardly any weight of their own are alike in nothing. */
static const double BEYOND_TYPICAL = 0.05, LIMIT = 0.25, LITTLE = 20;

static int by_hash(const void *a, const void *b)
{
    const struct posting *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

void postings_add(struct postings *p, const struct gram *g, size_t place)
{
    *VEC_PUSH(p->list, p->count, p->cap) = (struct posting){g->hash, place, g->weight};
}

/* Each posting once. */
void postings_sort(struct postings *p)
{
    size_t n = 0;
    if (p->count) qsort(p->list, p->count, sizeof *p->list, by_hash);
    for (size_t i = 0; i < p->count; i++)
        if (!n || by_hash(&p->list[n - 1], &p->list[i])) p->list[n++] = p->list[i];
    p->count = n;
}

/* The first of a hash, or of the next one. */
static size_t find(const struct postings *p, uint64_t hash)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->list[middle].hash < hash) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The fingerprints of a text; those that were given have the hash 0. */
static struct grams own_grams(const char *text, const struct postings *given)
{
    struct grams g = grams_read(text);
    for (struct gram *k = g.list; k < g.list + g.count; k++) {
        size_t at = find(given, k->hash);
        if (at < given->count && given->list[at].hash == k->hash) k->hash = 0;
    }
    return g;
}

/* ---- pairs ---- */

unsigned char *alike_at(const struct scores *s, const struct works *w, size_t exercise, size_t a, size_t b)
{
    return &s->alike[(exercise * w->students + a) * w->students + b];
}

/* own[a]: the weight of a text; shared[a * students + b]: that of what both have. */
static void weigh(const struct works *w, size_t exercise, double *own, float *shared)
{
    struct postings index = {0};
    size_t students = 0;
    for (size_t s = 0; s < w->students; s++) {
        const char *text = w->text[exercise * w->students + s];
        if (!text || w->same_as[s] != s) continue;
        struct grams g = own_grams(text, &w->given);
        size_t before = index.count;
        for (size_t i = 0; i < g.count; i++)
            if (g.list[i].hash) postings_add(&index, &g.list[i], s);
        students += index.count > before;
        free(g.list);
    }
    postings_sort(&index);
    for (size_t from = 0, to; from < index.count; from = to) {
        for (to = from; to < index.count && index.list[to].hash == index.list[from].hash;) to++;
        size_t have = to - from;
        double weight = have > 2 && have * 3 > students ? 0 : log((double)students / (double)have);
        weight *= index.list[from].weight;
        for (size_t i = from; i < to && weight > 0; i++) {
            own[index.list[i].place] += weight;
            for (size_t j = i + 1; j < to; j++)
                shared[index.list[i].place * w->students + index.list[j].place] += (float)weight;
        }
    }
    free(index.list);
}

static void compare(struct scores *s, const struct works *w, size_t exercise)
{
    size_t n = w->students, with[101] = {0}, pairs = 0, above = 0;
    double *own = xcalloc(n, sizeof *own);
    float *shared = xcalloc(n * n, sizeof *shared);
    weigh(w, exercise, own, shared);
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n && own[a] > 0; b++) {
            unsigned char *alike = alike_at(s, w, exercise, a, b);
            double lighter = own[a] < own[b] ? own[a] : own[b];
            if (w->same_as[b] == a) *alike = 100;
            if (!(lighter > 0)) continue;
            *alike = (unsigned char)(1 + 99 * shared[a * n + b] / (lighter + LITTLE));
            with[*alike]++, pairs++;
        }
    int typical = 100;
    while (typical && (double)(above += with[typical]) <= BEYOND_TYPICAL * (double)pairs) typical--;
    s->typical[exercise] = typical;
    free(own), free(shared);
}

static int by_unusual(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->unusual != y->unusual) return x->unusual < y->unusual ? 1 : -1;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

static double unusual(const struct scores *s, const struct works *w, size_t a, size_t b)
{
    int beyond = 0, compared = 0;
    for (size_t x = 0; x < w->exercises; x++) {
        int alike = *alike_at(s, w, x, a, b);
        if (alike > s->typical[x]) beyond += alike - s->typical[x];
        compared += alike > 0;
    }
    return compared ? beyond / 100.0 / sqrt(compared) / LIMIT : 0;
}

void scores_make(struct scores *s, const struct works *w)
{
    size_t n = w->students, cap = 0, kept = 0, most = n / 10 > PAIRS_LEAST ? n / 10 : PAIRS_LEAST;
    s->alike = xcalloc(w->exercises * n * n + 1, 1);
    for (size_t x = 0; x < w->exercises; x++) compare(s, w, x);
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n && w->same_as[a] == a; b++) {
            double u = unusual(s, w, a, b);
            s->compared += w->same_as[b] == b;
            if (u >= 1) *VEC_PUSH(s->pairs, s->count, cap) = (struct pair){a, b, u};
        }
    if (s->count) qsort(s->pairs, s->count, sizeof *s->pairs, by_unusual);
    for (size_t i = 0; i < s->count; i++) /* equal files are no reason to list fewer of the others */
        if (w->same_as[s->pairs[i].b] == s->pairs[i].a || most-- > 0) s->pairs[kept++] = s->pairs[i];
        else most = 0;
    s->count = kept;
}

/* ---- a pair ---- */

static size_t run_length(const struct grams *a, size_t i, const struct grams *b, size_t j)
{
    size_t n = 0;
    while (i + n < a->count && j + n < b->count && a->list[i + n].hash &&
           a->list[i + n].hash == b->list[j + n].hash)
        n++;
    return n;
}

static void widen(int *first, int *last, const struct gram *g)
{
    if (g->first < *first) *first = g->first;
    if (g->last > *last) *last = g->last;
}

static int shown(const struct range *list, size_t n, const struct range *r)
{
    for (; n--; list++)
        if (list->a_first <= r->a_first && r->a_last <= list->a_last && list->b_first <= r->b_first &&
            r->b_last <= list->b_last)
            return 1;
    return 0;
}

size_t ranges_of(struct range **out, const char *a_text, const char *b_text, const struct postings *given)
{
    struct grams a = own_grams(a_text, given), b = own_grams(b_text, given);
    struct postings index = {0};
    size_t count = 0, cap = 0;
    *out = NULL;
    for (size_t j = 0; j < b.count; j++) postings_add(&index, &b.list[j], j);
    postings_sort(&index);
    for (size_t i = 0, best; i < a.count && count < PASSAGES_MOST; i += best ? best : 1) {
        size_t at = 0, p = find(&index, a.list[i].hash), end = p + PLACES_MOST;
        best = 0;
        for (; p < end && p < index.count && index.list[p].hash == a.list[i].hash; p++) {
            size_t n = run_length(&a, i, &b, index.list[p].place);
            if (n > best) best = n, at = index.list[p].place;
        }
        if (best < PASSAGE_LEAST) continue;
        struct range r = {a.list[i].first, a.list[i].last, b.list[at].first, b.list[at].last};
        for (size_t k = 0; k < best; k++) {
            widen(&r.a_first, &r.a_last, &a.list[i + k]);
            widen(&r.b_first, &r.b_last, &b.list[at + k]);
        }
        if (!shown(*out, count, &r)) *VEC_PUSH(*out, count, cap) = r;
    }
    free(a.list), free(b.list), free(index.list);
    return count;
}
