/* os.h - processes: other programs and our own work, contained and limited.
 *
 *     spawn_run      a compiler: clean environment, limits, output captured and capped
 *     isolate_run    our own work in a child, so that whatever happens to it there, the kit goes on:
 *                    parent ── fork ──> child: work ── notes, one reply ──> a private pipe ──> parent, with a watchdog
 *     sandbox        a system-call filter for a learner's C
 */
#ifndef LOCKSTEP_OS_H
#define LOCKSTEP_OS_H

#include "base/base.h"

/* ---- other programs (spawn.c) ---- */

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

/* ---- work in a child (isolate.c) ---- */

/* What the child does: 0 with its reply, or -1 with an error, which becomes the parent's. */
typedef int isolated(void *context, struct buf *reply, struct err *e);

enum { ISOLATE_REPLY_MAX = 4 << 20 };

/* Run work in a child and take its reply. silence: the most seconds between two notes, or a note and the reply; then the
 * child is killed. A child that dies or falls silent is ERR_LEARNER, named by its last note, and ERR_ENV where it had sent
 * none: nothing of a learner's had been started by then. */
int isolate_run(isolated *work, void *context, double silence, struct buf *reply, struct err *e);

/* In work: what begins now, as the subject of a sentence ("matmul, m = 1024, k = 3, n = 7"). Does nothing elsewhere. */
void isolate_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- system calls (sandbox.c) ---- */

#include <stddef.h>

/* Between fork and exec: no new privileges, limits, and a seccomp filter that outlives the exec. Descriptors are the
 * caller's to close. 0, or -1 when the machine does not allow it. Async-signal-safe. */
int sandbox_enter(size_t memory_bytes);

#endif
