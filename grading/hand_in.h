/* hand_in.h - private to grading/: from what was handed in to the files that are graded.
 *
 *     folder, archive ── hand_in.c ──> each file ── meaning.c ──> the exercise that it names
 *                                                │
 *                       candidates.c: the best of several, remarks on others ──> NN-idea/NAME.cu */
#ifndef LOCKSTEP_GRADING_HAND_IN_H
#define LOCKSTEP_GRADING_HAND_IN_H

#include "grading/grading.h"

/* ---- which exercise a path means (meaning.c) ---- */

enum meant {
    MEANS_NOTHING,  /* the path is not that of an exercise's file */
    MEANS_SEVERAL,  /* several exercises are possible, so the file is not taken */
    MEANS_LOOSELY,  /* only one exercise is possible, as for "Lab 4/matmul_final.cu" */
    MEANS_EXACTLY,  /* the path ends with NN-idea/NAME.cu */
    MEANS_PROGRESS, /* the path is that of a .progress file of lockstep learn */
};
struct meaning {
    enum meant how;
    /* 1: the file's name is that of the exercise, whatever its folder is called */
    int named;
    const struct lab *lab; /* the lab and exercise, for MEANS_LOOSELY and MEANS_EXACTLY */
    const struct exercise *exercise;
};
/* Which exercise a path with slashes means. MEANS_LOOSELY is possible only for labs that the class
 * grades (o). */
struct meaning meaning_of(const char *path, const struct class_options *o);
/* How far a path is from the name of an exercise without a file: 0 is closest, INT_MAX too far
 * for "did you mean". */
int meaning_distance(const char *path, const struct lab *lab, const struct exercise *x);
/* Levenshtein's distance of two words, ignoring case; INT_MAX if one is longer than 64 bytes. */
int meaning_edits(const char *a, size_t n, const char *b, size_t m);
/* The length of the path up to its first folder in which no work is expected: one of the kit's own,
 * or a hidden one. 0: it has no such folder. */
size_t meaning_not_work(const char *path);
/* Is the path that of one of the kit's files beside exercises: lab.c, README.md, hints.md? */
int meaning_is_kits(const char *path);
/* Does the file's name look like source code? */
int meaning_is_source(const char *path);
/* The length of ".zip", ".tar.gz", ... at the end of a name; 0: it is not an archive. */
size_t meaning_archive(const char *name);

/* ---- archives compressed by gzip (gunzip.c) ---- */

struct archive;
struct gunzip;
/* Open the file at path or, if path is NULL, data. NULL: it is not compressed by gzip. */
struct gunzip *gunzip_open(const char *path, const struct buf *data);
/* Let archive `a` read the decompressed bytes. Returns 0 or libarchive's error. */
int gunzip_feed(struct gunzip *g, struct archive *a);
/* What damage stopped the decompression; NULL: none so far. */
const char *gunzip_damage(const struct gunzip *g);
void gunzip_close(struct gunzip *g);

/* ---- notebooks (notebook.c) ---- */

/* Call the function file for each file that cells of the notebook write, beginning with the last
 * cell. */
typedef void notebook_file(void *context, const char *path, const char *content);
void notebook_read(const char *data, size_t len, notebook_file *file, void *context);

/* ---- the best of several files (candidates.c) ---- */

/* A file that may be the one for an exercise. */
struct candidate {
    struct meaning meaning;
    char *path, *data;
    size_t len;
    /* path of another file for that exercise, with other content, that was not taken; NULL: none */
    char *rival;
};
struct candidates {
    struct candidate *list; /* the best file so far for each exercise, at most one per exercise */
    size_t count, cap;
};
/* Consider a file as the one for an exercise. Takes ownership of data. */
void candidates_offer(
    struct candidates *c, const char *path, const struct meaning *m, char *data, size_t len);
/* Write the best files to a folder, and add remarks on them to t. */
int candidates_write(struct candidates *c, const char *into, struct taken *t, struct err *e);
/* Add remarks on files that are the kit's solutions. */
void candidates_compare(const struct candidates *c, const struct kit *k, struct taken *t);
int candidates_have(const struct candidates *c, const struct exercise *x);
void candidates_free(struct candidates *c);

/* ---- remarks (candidates.c) ---- */

void taken_remark(struct taken *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Record a file that is not read. */
void taken_leave_out(struct taken *t, const char *path, const char *why);

#endif
