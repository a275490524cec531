/* spawn.h - run another program (a compiler) contained: clean environment, limits, output captured and capped. */
#ifndef LOCKSTEP_LAB_SPAWN_H
#define LOCKSTEP_LAB_SPAWN_H

#include "base/base.h"

struct spawn {
    const char *const *argv;  /* argv[0] is a path; ends at NULL */
    const char *directory;    /* for temporary files and HOME; NULL: none are set */
    const char *path;         /* PATH of the child */
    double seconds;           /* wall clock; CPU time is limited to the same */
    size_t memory_bytes;      /* address space; 0: no limit */
    size_t file_bytes;        /* the largest file it may write */
};
enum { SPAWN_OUTPUT = 64 * 1024 };

/* Run to its end. out gets stdout and stderr together, at most SPAWN_OUTPUT bytes (a line says when there was more),
 * without terminal escape sequences or other control characters. *status: the exit status, 128 + signal when killed.
 * -1 only when it could not be started or ran out of time. Safe to call from several threads. */
int spawn_run(const struct spawn *s, struct buf *out, int *status, struct err *e);

/* Find a program in the usual directories. The caller frees it; NULL when there is none. */
char *spawn_find(const char *program);
extern const char spawn_path[]; /* those directories, as a PATH */

/* Remove a directory that holds files only. */
void spawn_remove_directory(const char *path);
/* Drop control characters and escape sequences from text in place. */
void spawn_clean_text(struct buf *b);

#endif
