/* similar.h - private to similar*.c: which submissions share more than what all were given
 * explains.
 *
 *     text -- tokens (similar_text.c) --> grams: 12 tokens in a row, a number each
 *     a class's grams -- similar_score.c --> how unusual each pair is -- similar.c --> pairs, clusters
 *     a pair's grams -- similar_match.c --> ranges of lines -- similar_page.c --> pages
 */
#ifndef LOCKSTEP_SIMILAR_H
#define LOCKSTEP_SIMILAR_H

#include "grading/grading.h"

enum { GRAM = 12, EXERCISES_MOST = 64 };

/* A run of GRAM tokens. Two runs are equal if renaming makes them so: names are numbered within a
 * run. */
struct gram {
    uint64_t hash;
    int first, last; /* lines, from 1 */
};
struct grams {
    /* runs in the text's order, then whole statements, which may change their places */
    struct gram *list;
    size_t runs, count;
};
void grams_read(struct grams *g, const char *text);
void grams_free(struct grams *g);

/* A set of hashes of the grams in the given texts. */
struct known {
    uint64_t *list; /* sorted, once known_close was called */
    size_t count, cap;
};
void known_add(struct known *k, const char *text);
void known_close(struct known *k);
int known_has(const struct known *k, uint64_t hash);

/* ---- a class ---- */

/* What each student wrote for each exercise: text[student * exercises + exercise], NULL:
 * nothing. */
struct works {
    char **text;
    size_t students, exercises;
    const char *name[EXERCISES_MOST]; /* "NN-idea/NAME.cu" */
    size_t *same_as;                  /* the first student who handed in the same files */
    struct known known;
};

struct pair {
    size_t a, b; /* students, a < b */
    double unusual;
    double expected; /* how many pairs of such a class would be as unusual by chance */
};
struct scores {
    struct pair *pairs; /* those to look at, the most unusual first */
    size_t count;
    size_t compared; /* pairs of different submissions */
    double limit;    /* the least value of unusual for which a pair is reported */
    unsigned char *
        /* of all pairs, the share that are at least as alike: -16 ln of it, an exercise each */
        rare;
};
void scores_make(struct scores *s, const struct works *w);
void scores_free(struct scores *s);
/* -ln(share) in one exercise; 0: not compared. */
double scores_rare(
    const struct scores *s, const struct works *w, size_t a, size_t b, size_t exercise);

/* ---- a pair ---- */

struct range {
    int a_first, a_last, b_first, b_last; /* lines, from 1 */
};
/* The runs that both texts have and that were not given, the longest first taken. The caller frees
 * *out. */
size_t ranges_of(struct range **out, const char *a, const char *b, const struct known *known);

/* Write similar/pairs.json, similar.html and similar/A--B.html. */
int similar_pages(const struct class_options *o, const struct roster *r, const struct works *w,
    const struct scores *s, struct err *e);

#endif
