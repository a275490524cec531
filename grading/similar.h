/* similar.h - private to similar*.c: who worked together, told by rare statements that two students
 * share.
 *
 *     texts -- similar_text.c --> runs of statements -- similar.c --> pairs -- similar_page.c --> pages
 */
#ifndef LOCKSTEP_SIMILAR_H
#define LOCKSTEP_SIMILAR_H

#include "grading/page.h"

enum { EXERCISES_MOST = 64 };

/* One statement, or two in a row, that somebody wrote. Renaming does not change the hash. */
struct run {
    uint64_t hash;
    int first, last; /* lines, from 1 */
    size_t student;  /* the number of students: all were given it */
    double weight;   /* 0: it was given, or many have it */
};
struct runs {
    struct run *list;
    size_t count, cap;
};
/* Append a text's runs. Returns a number that is the same for texts with the same statements, in
 * any order; 0: it has none. The caller frees r->list. */
uint64_t runs_read(struct runs *r, size_t student, const char *text);

/* What a student handed in for an exercise. */
struct work {
    char *text;     /* NULL: none */
    uint64_t whole; /* from runs_read */
};
struct works {
    const struct class_options *options;
    const struct submission *student;
    size_t students, exercises;
    char *name[EXERCISES_MOST];        /* "/NN-idea/NAME.cu" */
    uint64_t solution[EXERCISES_MOST]; /* as its whole; 0: too short to say anything */
    struct work *works;                /* see work_of */
    struct runs runs;                  /* by hash */
    struct pair {
        size_t a, b; /* students, a < b */
        int same;    /* their works are; of others with the same works there is no pair */
        double shared;
    } * pairs;            /* those with the same works, then those that share most */
    size_t compared;      /* pairs */
    size_t unusual;       /* of them, the first */
    double median, limit; /* of what pairs share; from where a pair is unusual */
    double rare;          /* the weight of a run that two students have */
};
/* Exercise number w->exercises stands for all of a student's works, and has no text. */
struct work *work_of(const struct works *w, size_t student, size_t exercise);
/* The class's run of the same hash; NULL: there is none. */
const struct run *find_run(const struct runs *sorted, uint64_t hash);
int compare_hashes(const void *a, const void *b); /* of runs */

int similar_pages(const struct works *w, struct err *e);

#endif
