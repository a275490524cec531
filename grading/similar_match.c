/* similar_match.c - where two texts are alike: ranges of lines.
 *
 *     a: . 1 1 1 . 2 2          grams that both have, in the same order, make a run; the longest run is taken
 *     b: 2 2 . . 1 1 1          first, then the longest of what is left, so pieces may change their places
 */
#include "grading/similar.h"

#include <stdlib.h>
#include <string.h>

enum { GRAMS_MOST = 3000, RUNS_MOST = 40, RUN_LEAST = 3 };

struct run {
    size_t a, b, length;
};

static struct run longest(const struct grams *a, const struct grams *b, const char *used_a,
    const char *used_b, size_t *row)
{
    struct run best = {0};
    memset(row, 0, (b->count + 1) * sizeof *row);
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = b->count;
             j-- > 0;) { /* row[j + 1]: the run that ends at i - 1 and j - 1, at row[j] */
            int same = a->list[i].hash == b->list[j].hash && !used_a[i] && !used_b[j];
            row[j + 1] = same ? row[j] + 1 : 0;
            if (row[j + 1] > best.length)
                best = (struct run){i + 1 - row[j + 1], j + 1 - row[j + 1], row[j + 1]};
        }
    return best;
}

static void span(const struct gram *g, size_t n, int *first, int *last)
{
    *first = g[0].first, *last = g[0].last;
    for (size_t i = 1; i < n; i++) {
        if (g[i].first < *first) *first = g[i].first;
        if (g[i].last > *last) *last = g[i].last;
    }
}

static int by_line(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->a_first - y->a_first;
}

static void read_capped(struct grams *g, const char *text, char **used, const struct known *known)
{
    grams_read(g, text);
    g->count = g->runs < GRAMS_MOST ? g->runs : GRAMS_MOST;
    *used = xcalloc(g->count + 1, 1);
    for (size_t i = 0; i < g->count; i++) (*used)[i] = (char)known_has(known, g->list[i].hash);
}

size_t ranges_of(
    struct range **out, const char *a_text, const char *b_text, const struct known *known)
{
    struct grams a, b;
    char *used_a, *used_b;
    size_t count = 0, cap = 0;
    *out = NULL;
    read_capped(&a, a_text, &used_a, known);
    read_capped(&b, b_text, &used_b, known);
    size_t *row = xcalloc(b.count + 1, sizeof *row);
    while (count < RUNS_MOST) {
        struct run r = longest(&a, &b, used_a, used_b, row);
        if (r.length < RUN_LEAST) break;
        struct range *n = VEC_PUSH(*out, count, cap);
        span(&a.list[r.a], r.length, &n->a_first, &n->a_last);
        span(&b.list[r.b], r.length, &n->b_first, &n->b_last);
        memset(used_a + r.a, 1, r.length);
        memset(used_b + r.b, 1, r.length);
    }
    if (count) qsort(*out, count, sizeof **out, by_line);
    free(row), free(used_a), free(used_b);
    grams_free(&a), grams_free(&b);
    return count;
}
