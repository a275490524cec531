/* random_files.h - the files of a run of random kernels: their sources, and their PTX by each front
 * end. */
#ifndef LOCKSTEP_HARDWARE_RANDOM_FILES_H
#define LOCKSTEP_HARDWARE_RANDOM_FILES_H

#include "exercise/exercise.h"

enum { RANDOM_FRONTS = 2, RANDOM_PER_FILE = 10 };

struct random_files {
    const struct kit *kit;
    struct front fronts[RANDOM_FRONTS];
    int front_count;
    uint64_t seed;    /* of the first kernel */
    int count, files; /* how many kernels; in how many files */
    char *directory;  /* where the files are written; owned by the caller */
    /* a directory with PTX made elsewhere; NULL: the PTX is compiled here */
    const char *from;
};

/* Find the front ends: those of one kind, or all if kind is NULL. Without from, these are the
 * installed ones; with from, those whose PTX is there. The caller frees fronts[0 ..
 * front_count). */
int random_fronts(struct random_files *d, const char *kind, struct err *e);
/* Write the sources and, without from, compile them. */
int random_write(const struct random_files *d, struct err *e);
/* How many kernels a file has. */
int random_kernels_in(const struct random_files *d, int file);
/* Paths, which the caller frees. front is an index of fronts. */
char *random_source(const struct random_files *d, int file);
char *random_ptx(const struct random_files *d, int file, int front);

#endif
