/* similar.h - private to similar*.c: who worked together, judged by rare statements that two
 * students share.
 *
 *     texts -- similar_text.c --> runs of statements -- similar.c --> pairs -- similar_page.c --> pages
 */
#ifndef LOCKSTEP_SIMILAR_H
#define LOCKSTEP_SIMILAR_H

#include "grading/page.h"

enum { EXERCISES_MOST = 64 };

/* A run of statements: one statement of a text, or two in a row. Renaming variables does not change
 * the hash. */
struct run {
    uint64_t hash;
    int first, last; /* lines, from 1 */
    size_t student;  /* whose text; the number of students: all were given it */
    double weight;   /* 0: it is in a file that all were given, or many students have it */
};
struct runs {
    struct run *list;
    size_t count, cap;
};
/* Append a text's runs of statements. Returns a hash that is the same for texts with the same
 * statements in any order; 0: the text has none. The caller frees r->list. */
uint64_t runs_read(struct runs *r, size_t student, const char *text);

/* What a student handed in for an exercise. */
struct work {
    char *text;     /* NULL: none */
    uint64_t whole; /* the hash of all statements, as runs_read returns it */
};
struct works {
    const struct class_options *options;
    const struct submission *student;
    size_t students, exercises;
    char *name[EXERCISES_MOST];        /* "/NN-idea/NAME.cu" */
    uint64_t solution[EXERCISES_MOST]; /* like work.whole; 0: too short to compare with */
    struct work *works;                /* see work_of */
    struct runs runs;                  /* of the class, sorted by hash */
    struct pair {
        size_t a, b; /* students, a < b */
        int same;    /* 1: equal hand-ins; of n students with equal ones there are n - 1 pairs */
        double shared;
    } * pairs;            /* first those with equal work, then by shared weight */
    size_t compared;      /* the number of pairs */
    size_t unusual;       /* how many of the first pairs are unusual */
    double median, limit; /* of the shared weights; above limit a pair is unusual */
    double rare;          /* the weight of a run of statements that two students have */
};
/* Exercise number w->exercises stands for all that a student handed in, and has no text. */
struct work *work_of(const struct works *w, size_t student, size_t exercise);
/* The run in sorted that has this hash; NULL: there is none. */
const struct run *find_run(const struct runs *sorted, uint64_t hash);
int compare_hashes(const void *a, const void *b); /* struct run, by hash */

int similar_pages(const struct works *w, struct err *e);

#endif
