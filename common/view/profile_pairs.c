/* profile_pairs.c - which line of one source corresponds to which line of another.
 *
 *     before                                  now
 *     12  __shared__ float tile[32][32];  --  14  __shared__ float tile[32][33];     most tokens agree
 *     17  __syncthreads();                --  19  __syncthreads();                   the same
 *                                             20  #pragma unroll                     new
 *
 * A sequence alignment (Needleman and Wunsch, 1970): pairs of lines, in order, that maximize the
 * sum of their similarities. The similarity of two lines is the share of tokens that they have
 * in common (Dice, 1945). */
#include "view/profile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64, CELLS_MAX = 1 << 20, ABOVE = 4 };

/* One line as a sorted list of hashes of its tokens: names, numbers and single punctuation
 * characters; at most WORDS_MAX. text: a hash of all tokens in order. */
struct text_line {
    int line, executed, count;
    uint32_t words[WORDS_MAX], text;
};
struct text {
    struct text_line *lines;
    int count;
};

static int rising(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static const uint32_t fnv_start = 2166136261u, fnv_prime = 16777619u;

/* Read the tokens of a line, without comments. The hash is FNV-1a; a collision can only pair two
 * lines wrongly. */
static void take_words(struct text_line *t, const char *at, const char *end)
{
    t->text = fnv_start;
    while (at < end && !(end - at > 1 && at[0] == '/' && at[1] == '/')) {
        const char *start = at;
        uint32_t hash = fnv_start;
        while (at < end && (isalnum((unsigned char)*at) || *at == '_')) at++;
        if (at == start) at++;
        if (isspace((unsigned char)*start)) continue;
        for (; start < at; start++) hash = (hash ^ (unsigned char)*start) * fnv_prime;
        t->text = (t->text ^ hash) * fnv_prime;
        if (t->count < WORDS_MAX) t->words[t->count++] = hash;
    }
    qsort(t->words, (size_t)t->count, sizeof *t->words, rising);
}

/* The lines from first to last that contain tokens; if executed_only is set, only those that were
 * executed. A function, which ends with a } at the start of a line, is left out if none of its
 * lines was executed. */
static struct text take(const struct profile *p, int first, int last, int executed_only)
{
    struct text t = {xcalloc((size_t)(last - first + 2), sizeof *t.lines), 0};
    int line = 1, function = 0, entered = 0;
    for (const char *at = p->source; at && *at && line <= last; line++) {
        size_t length = strcspn(at, "\n");
        int executed = profile_line(p, line) != NULL;
        entered |= executed;
        if (line >= first && (executed || !executed_only)) {
            struct text_line *l = &t.lines[t.count];
            *l = (struct text_line){.line = line, .executed = executed};
            take_words(l, at, at + length);
            t.count += l->count > 0;
        }
        if (*at == '}') {
            if (!entered) t.count = function;
            function = t.count;
            entered = 0;
        }
        at += length + (at[length] == '\n');
    }
    return t;
}

/* The first line that belongs to the kernel: the line with __global__, or the line after the
 * previous function; if neither is found within 40 lines, a few lines above the first executed
 * one. */
static int first_line(const struct profile *p)
{
    int first = p->m.line_count ? p->m.lines[0].line : 1;
    for (size_t i = 0; i < p->m.line_count; i++)
        if (p->m.lines[i].line < first) first = p->m.lines[i].line;
    for (int line = first; line > 0 && line > first - 40; line--) {
        char *text = source_line(p->source, line);
        int head = strstr(text, "__global__") || strstr(text, "__device__"), end = text[0] == '}';
        free(text);
        if (head || (end && line < first)) return head ? line : line + 1;
    }
    return first > ABOVE ? first - ABOVE : 1;
}

static int last_line(const struct profile *p)
{
    int last = 0;
    for (size_t i = 0; i < p->m.line_count; i++)
        if (p->m.lines[i].line > last) last = p->m.lines[i].line;
    return last;
}

/* The similarity of two lines, 0 to 1. For lines with few tokens it is reduced, so that "}" counts
 * less than a statement. */
static double likeness(const struct text_line *a, const struct text_line *b)
{
    int common = 0;
    for (int i = 0, k = 0; i < a->count && k < b->count;) {
        if (a->words[i] == b->words[k])
            common++, i++, k++;
        else if (a->words[i] < b->words[k])
            i++;
        else
            k++;
    }
    double share = 2.0 * common / (a->count + b->count),
           weight = fmin(1, (a->count + b->count) / 16.0);
    if (share == 1 && a->text == b->text) return weight;
    return share < 0.6 || a->executed != b->executed ? 0 : 0.9 * share * share * weight;
}

static void add(
    struct line_pair *pairs, int *count, const struct text_line *a, const struct text_line *b)
{
    int same = a && b && a->text == b->text;
    pairs[(*count)++] = (struct line_pair){a ? a->line : 0, b ? b->line : 0, same};
}

/* Aligns two texts. BEST(i, k) is the largest sum for the lines from i and k on, so that the path
 * can be followed forwards. */
static int align(const struct text *a, const struct text *b, struct line_pair *pairs)
{
    size_t wide = (size_t)b->count + 1;
    float *best = xcalloc(((size_t)a->count + 1) * wide, sizeof *best);
    int count = 0, i, k;
#define BEST(i, k) best[(size_t)(i)*wide + (size_t)(k)]
    for (i = a->count - 1; i >= 0; i--)
        for (k = b->count - 1; k >= 0; k--) {
            float alike = (float)likeness(&a->lines[i], &b->lines[k]);
            BEST(i, k) = fmaxf(BEST(i + 1, k), BEST(i, k + 1));
            if (alike > 0) BEST(i, k) = fmaxf(BEST(i, k), alike + BEST(i + 1, k + 1));
        }
    for (i = k = 0; i < a->count || k < b->count;)
        if (i < a->count && BEST(i, k) == BEST(i + 1, k))
            add(pairs, &count, &a->lines[i++], NULL);
        else if (k < b->count && BEST(i, k) == BEST(i, k + 1))
            add(pairs, &count, NULL, &b->lines[k++]);
        else
            add(pairs, &count, &a->lines[i++], &b->lines[k++]);
#undef BEST
    free(best);
    return count;
}

int profile_pairs(const struct profile *before, const struct profile *now, struct line_pair **out)
{
    int from[2] = {first_line(before), first_line(now)},
        to[2] = {last_line(before), last_line(now)};
    double cells = (double)(to[0] - from[0] + 2) * (to[1] - from[1] + 2);
    /* for a kernel of thousands of lines, only executed lines are compared */
    int executed_only = cells > CELLS_MAX;
    struct text a = take(before, from[0], to[0], executed_only),
                b = take(now, from[1], to[1], executed_only);
    *out = xcalloc((size_t)(a.count + b.count + 1), sizeof **out);
    int count = align(&a, &b, *out);
    free(a.lines);
    free(b.lines);
    return count;
}
