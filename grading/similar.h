/* similar.h - private to similar*.c: which submissions share more than what all were given explains.
 *
 * Design
 *   1. A text becomes tokens in one form (similar_text.c). Its fingerprints: each run of 8 tokens, and each
 *      whole statement, which weighs as half its tokens: neither another order nor junk between hides a copy.
 *   2. A fingerprint of a skeleton, a solution or a slide does not count. Another weighs ln(students /
 *      students who have it), and nothing if more than a third have it (similar_score.c).
 *   3. In an exercise a pair is as alike as the part of the lighter text, by weight, that the other one has
 *      too: junk that one of them adds changes nothing. What 19 of 20 pairs stay below is typical.
 *   4. unusual = sum over the exercises of what exceeds the typical / (0.25 sqrt(exercises compared)). Pairs
 *      from 1 on are listed, the most unusual first, with their common passages (similar_page.c).
 */
#ifndef LOCKSTEP_SIMILAR_H
#define LOCKSTEP_SIMILAR_H

#include "grading/grading.h"

enum { EXERCISES_MOST = 64 };

/* ---- a text ---- */

struct gram {
    uint64_t hash;
    int first, last; /* lines, from 1 */
    int weight; /* in runs */
};
struct grams {
    struct gram *list;
    size_t count, cap;
};
/* The fingerprints of a text: its runs in their order, then its statements. The caller frees list. */
struct grams grams_read(const char *text);

/* ---- a class ---- */

/* Where a fingerprint occurs: with a student, or at a place of a text. Sorted by hash. */
struct posting {
    uint64_t hash;
    size_t place;
    int weight;
};
struct postings {
    struct posting *list;
    size_t count, cap;
};
void postings_add(struct postings *p, const struct gram *g, size_t place);
void postings_sort(struct postings *p); /* each is kept once */

struct works {
    char **text; /* [exercise * students + student]; NULL: nothing */
    size_t students, exercises;
    char *name[EXERCISES_MOST]; /* "NN-idea/NAME.cu" */
    size_t *same_as;            /* the first student who handed in the same files */
    struct postings given;
};

struct pair {
    size_t a, b; /* students, a < b */
    double unusual;
};
struct scores {
    struct pair *pairs; /* those to look at, the most unusual first */
    size_t count, compared;
    unsigned char *alike; /* in percent, 0: not compared; see alike_at() */
    int typical[EXERCISES_MOST];
};
void scores_make(struct scores *s, const struct works *w);
unsigned char *alike_at(const struct scores *s, const struct works *w, size_t exercise, size_t a, size_t b);

/* A common passage: its lines in both texts. The caller frees *out. */
struct range {
    int a_first, a_last, b_first, b_last;
};
size_t ranges_of(struct range **out, const char *a, const char *b, const struct postings *given);

/* Write similar/pairs.json, similar.html and similar/A--B.html. */
int similar_pages(const struct class_options *o, const struct roster *r, const struct works *w,
    const struct scores *s, struct err *e);

#endif
