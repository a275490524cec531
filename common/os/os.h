/* os.h - processes: other programs and the kit's own risky work, contained and limited.
 *
 *     spawn_run      runs a compiler: clean environment, limits, output captured and capped
 *     isolate_run    runs the kit's own work in a child; the kit survives whatever happens to it:
 *                    parent -- fork --> child: work -- notes, one reply --> pipe --> parent, with a watchdog
 *     sandbox_enter  filters the system calls of a learner's C
 */
#ifndef LOCKSTEP_OS_H
#define LOCKSTEP_OS_H

#include "base/base.h"

#include <sys/types.h>

/* ---- what a program can reach (jail.c) ---- */

/* From the weakest to the strongest. A level that this machine does not allow is never reported. */
enum jail_level { JAIL_NONE, JAIL_LIMITS, JAIL_LANDLOCK, JAIL_BUBBLEWRAP };
extern const char *const jail_names[]; /* "none", "limits", "landlock", "bubblewrap" */
/* The strongest level here, found once a process. The environment's LOCKSTEP_SANDBOX lowers it. */
enum jail_level jail_level(void);
/* What confines the kit's children, for reports: "bubblewrap", or "bubblewrap, cgroup". Static
 * storage. */
const char *jail_text(void);

/* The folder of the system, "/usr" for example, in which a path lies and which all programs can
 * read. NULL: it lies in none. */
const char *jail_shows(const char *path);

/* The system's programs and headers can be read by all; besides: */
struct jail {
    /* files and directories that can be read; ends at NULL; may be NULL */
    const char *const *read;
    const char *write; /* the directory that can be written; NULL: none */
};

/* ---- what all children may take together (cgroup.c) ---- */

/* From now on the children of spawn_run and isolate_run enter one cgroup, with limits on its
 * bytes of memory and on its processes and threads. A child that exceeds the memory is killed. 0:
 * this machine lends no cgroup, and each child has its own limits alone. Not for a process that has
 * threads. */
int cgroup_open(size_t memory_bytes, int processes);
int cgroup_is_open(void);
/* Remove the cgroup. Call this when all children have ended. Without one it does nothing. */
void cgroup_close(void);

/* ---- command lines (words.c) ---- */

/* A command line, which owns its words. Start it as zeros. word is NULL until there is a word, and
 * ends at NULL from then on. */
struct words {
    const char **word;
    size_t count, cap;
};
/* Append copies of words, or of a list that ends at NULL; list may be NULL. */
#define WORDS(w, ...) words_list(w, (const char *const[]){__VA_ARGS__, NULL})
void words_list(struct words *w, const char *const *list);
void words_take(struct words *w, char *word);  /* append a word that becomes the list's own */
void words_cut(struct words *w, size_t count); /* keep only the first count words */
void words_free(struct words *w);

/* ---- other programs (spawn.c) ---- */

/* What to run and its limits. All pointers stay the caller's. */
struct spawn {
    const char *const *argv; /* argv[0] is a path; ends at NULL */
    /* TMPDIR and HOME of the child; NULL: a path that does not exist */
    const char *directory;
    const char *path; /* PATH of the child; NULL: spawn_path */
    double seconds;   /* processor time */
    /* wall clock, for a program that waits; 0: SPAWN_PATIENCE times seconds */
    double patience;
    size_t memory_bytes;     /* address space; 0: no limit */
    size_t file_bytes;       /* the largest file it may write */
    const struct jail *jail; /* NULL: it reaches what the kit can */
};
enum { SPAWN_OUTPUT = 64 * 1024, SPAWN_PATIENCE = 20 };

/* Run a program to its end. out gets stdout and stderr together: at most SPAWN_OUTPUT bytes (a last
 * line says how many more there were), without escape sequences and control characters. *status:
 * the exit status, or 128 + signal; 127 if argv[0] cannot be executed. -1 with ERR_ENV: no process
 * could be made; -1 with ERR_LEARNER: it ran out of time and was killed. Safe to call from several
 * threads. */
int spawn_run(const struct spawn *s, struct buf *out, int *status, struct err *e);

/* Run a program as a shell would: with our files, environment and folder, and without limits.
 * Returns its exit status, or 128 + signal; -1 with an error. */
int spawn_plain(const char *const *argv, struct err *e);

/* Find a program in the directories of spawn_path. The caller frees the path; NULL: there is
 * none. */
char *spawn_find(const char *program);
extern const char spawn_path[]; /* the usual directories, as a PATH */

/* Remove a directory and all in it. Links are removed, not followed. */
void spawn_remove_directory(const char *path);

/* ---- compilers for kernels (clang.c) ---- */

/* What follows "clang" or "clang++" in the usual names, the best first; ends at NULL. */
extern const char *const clang_versions[];
/* NVIDIA's compiler in a folder of spawn_path or of CUDA_HOME. The caller frees the path; NULL:
 * there is none. */
char *nvcc_find(void);

/* Append clang's path, and what makes it read CUDA without NVIDIA's SDK. architecture: 80 and more:
 * for 8.0, otherwise for 7.0; clang 14 knows no newer one. */
void clang_words(struct words *w, const char *clang, int architecture);
/* Append the options that include the stubs of CUDA's own headers. cuda: the path of
 * common/cuda. */
void clang_stubs(struct words *w, const char *cuda);
/* PTX of the device's code alone. level: "-O3"; lines: "-gline-tables-only"; unrolls: loops are
 * unrolled as nvcc does, otherwise not at all. */
void clang_to_ptx(struct words *w, const char *level, const char *lines, int unrolls);

/* ---- how long a child is waited for (timeout.c) ---- */

struct timeout {
    pid_t pid;
    double clock, processor; /* seconds, when it began */
};
enum { PATIENCE_POLL_MS = 50 }; /* how often to ask */

/* Start the timeout now. */
struct timeout timeout_begin(pid_t pid);
/* Has the child reached its limit? The clock has passed it, and the child has used as much
 * processor time, or almost none: then it is waiting. A child slowed by a busy machine
 * continues. */
int timeout_is_over(const struct timeout *p, double limit);

/* Processor seconds of all children that have ended, and of their children. bubblewrap hides the
 * time of its children; for it the wall clock counts, which is more on a busy machine. */
double os_children_seconds(void);

/* ---- work in a child (isolate.c) ---- */

/* What the child does. It returns 0 with its reply, or -1 with an error that isolate_run returns to
 * the parent. */
typedef int isolated(void *context, struct buf *reply, struct err *e);

enum { ISOLATE_REPLY_MAX = 4 << 20 };

/* Run work in a child and take its reply. If the child sends neither a note nor its reply for
 * silence seconds (as timeout.c counts them), it is killed. A child that dies or falls
 * silent is ERR_LEARNER, and the text begins with its last note. If it had sent no note, nothing of
 * a learner's was started yet: that is ERR_ENV. */
int isolate_run(isolated *work, void *context, double silence, struct buf *reply, struct err *e);

/* Call this inside work: limits from now on. A child that exceeds one is ended, and the error names
 * the limit. Not for a child that opens a GPU, whose driver maps much more than it uses. */
void isolate_limit(double processor_seconds, size_t memory_bytes);

/* Call this inside work to say what begins now. The text is the subject of a sentence:
 * "matmul, m = 1024, k = 3, n = 7". Outside of work it does nothing. */
void isolate_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- system calls (sandbox.c) ---- */

#include <stddef.h>

/* Call this between fork and exec. It sets no_new_privs, limits on memory and files, and a seccomp
 * filter; all of them outlive the exec. The caller closes descriptors. -1: the machine does not
 * allow it. Async-signal-safe. */
int sandbox_enter(size_t memory_bytes);

#endif
