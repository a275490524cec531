/* hand_in.h - private to grading: from what was handed in to the files that are graded.
 *
 *     folder, archive ── hand_in.c ──> each file ── meaning.c ──> the exercise that it names
 *                                                │
 *                       candidates.c: the best of several, and remarks on the others ──> NN-idea/NAME.cu
 */
#ifndef LOCKSTEP_GRADING_HAND_IN_H
#define LOCKSTEP_GRADING_HAND_IN_H

#include "grading/grading.h"

/* ---- what a path means (meaning.c) ---- */

enum meant {
    MEANS_NOTHING,  /* no exercise's file */
    MEANS_SEVERAL,  /* more than one exercise may be meant: it is not taken */
    MEANS_LOOSELY,  /* one exercise alone can be meant: "Lab 4/matmul_final.cu" */
    MEANS_EXACTLY,  /* NN-idea/NAME.cu at its end */
    MEANS_PROGRESS, /* .progress, of common/learn */
};
struct meaning {
    enum meant how;
    /* the file's name is the exercise's, whatever its folder's is */
    int named;
    const struct lab *lab; /* of MEANS_LOOSELY and MEANS_EXACTLY */
    const struct exercise *exercise;
};
/* Of a path with slashes. Only labs that o grades can be meant loosely. */
struct meaning meaning_of(const char *path, const struct class_options *o);
/* How far a path is from an exercise without a file: 0 is nearest, INT_MAX too far for "did you
 * mean". */
int meaning_distance(const char *path, const struct lab *lab, const struct exercise *x);
/* The length of the first folder of the path that holds no work: the kit's own, or a hidden one. 0:
 * none. */
size_t meaning_not_work(const char *path);
/* Is it a file of the kit's beside the exercises: lab.c, README.md, hints.md? */
int meaning_is_kits(const char *path);
/* Does the file's name look like source code? */
int meaning_is_source(const char *path);
/* The length of ".zip", ".tar.gz", ... at the end of a name; 0: it is no archive. */
size_t meaning_archive(const char *name);

/* ---- archives that gzip packed (gunzip.c) ---- */

struct archive;
struct gunzip;
/* Of a file, or of data if path is NULL. NULL: gzip did not pack it. */
struct gunzip *gunzip_open(const char *path, const struct buf *data);
/* Open an archive on what it unpacks to: 0 or libarchive's error. */
int gunzip_feed(struct gunzip *g, struct archive *a);
/* why not all could be unpacked so far; NULL: it could */
const char *gunzip_damage(const struct gunzip *g);
void gunzip_close(struct gunzip *g);

/* ---- notebooks (notebook.c) ---- */

/* Call file for each file that the notebook's cells write, the last cell first. */
typedef void notebook_file(void *context, const char *path, const char *content);
void notebook_read(const char *data, size_t len, notebook_file *file, void *context);

/* ---- the best of several (candidates.c) ---- */

/* A file that may be an exercise's. */
struct candidate {
    struct meaning meaning;
    char *path, *data;
    size_t len;
    /* another file for the same exercise, with another content, that was not taken; or NULL */
    char *rival;
};
struct candidates {
    struct candidate *list; /* at most one an exercise: the best so far */
    size_t count, cap;
};
/* Offer a file. data is taken over. */
void candidates_offer(
    struct candidates *c, const char *path, const struct meaning *m, char *data, size_t len);
/* Write the best files into the folder, and add remarks on them. */
int candidates_write(struct candidates *c, const char *into, struct taken *t, struct err *e);
/* Say which of them are the kit's solutions. */
void candidates_compare(const struct candidates *c, const struct kit *k, struct taken *t);
int candidates_have(const struct candidates *c, const struct exercise *x);
void candidates_free(struct candidates *c);

/* ---- what is said (candidates.c) ---- */

void taken_remark(struct taken *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A file that is not read. */
void taken_leave_out(struct taken *t, const char *path, const char *why);

#endif
