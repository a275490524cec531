/* os.h - processes: other programs and the kit's own risky work, isolated and limited.
 *
 *     spawn_run      runs a compiler: clean environment, limits, output captured and capped
 *     isolate_run    runs the kit's own work in a child; the kit survives whatever happens to it:
 *                    parent -- fork --> child: work -- notes, one reply --> pipe --> parent, with a watchdog
 *     child_start    the same, but the parent reads the output as it comes, and may end the child
 *     sandbox_enter  filters the system calls of a learner's C
 *     os_...         what operating systems have different ways for */
#ifndef LOCKSTEP_OS_H
#define LOCKSTEP_OS_H

#include "base/base.h"

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec /* of struct stat */
#endif

/* ---- what a started program can access (jail.c) ---- */

/* Levels of protection, from the weakest to the strongest. A level that this machine does not
 * support is never reported. */
enum jail_level { JAIL_NONE, JAIL_LIMITS, JAIL_LANDLOCK, JAIL_BUBBLEWRAP };
/* names of enum jail_level: "none", "limits", "landlock", "bubblewrap" */
extern const char *const jail_names[];
/* The strongest level that works here; determined once per process. The environment variable
 * LOCKSTEP_SANDBOX can lower it. */
enum jail_level jail_level(void);
/* The protection of the kit's children, for reports: such as "bubblewrap" or "bubblewrap, cgroup".
 * Static storage. */
const char *jail_text(void);

/* The system directory, such as "/usr", that contains a path and that all programs can read. NULL:
 * there is none. */
const char *jail_shows(const char *path);
int jail_shows_kit(void); /* Is this program in such a directory? */

/* What a program can access in addition to the system's programs and headers: */
struct jail {
    /* files and directories that the program can read, terminated by NULL; may be NULL */
    const char *const *read;
    const char *write; /* directory that the program can write; NULL: none */
};

/* ---- common limits of all children (cgroup.c) ---- */

/* From now on the children of spawn_run and isolate_run enter one cgroup, with limits on its bytes
 * of memory and on its number of processes and threads. A child that exceeds the memory is killed.
 * Returns 0 if this machine allows no cgroup, so that each child only has its own limits. Must not
 * be called in a process that has threads. */
int cgroup_open(size_t memory_bytes, int processes);
int cgroup_is_open(void);
/* Remove the cgroup of cgroup_open. Call this when all children have ended. Does nothing if there
 * is no cgroup. */
void cgroup_close(void);

/* ---- command lines (words.c) ---- */

/* A command line, which owns its words; initialize it with zeros. word is NULL until there is a
 * word, and terminated by NULL from then on. */
struct words {
    const char **word;
    size_t count, cap;
};
/* Append copies of words. WORDS: its arguments; words_list: a list terminated by NULL, which may be
 * NULL itself. */
#define WORDS(w, ...) words_list(w, (const char *const[]){__VA_ARGS__, NULL})
void words_list(struct words *w, const char *const *list);
void words_take(struct words *w, char *word);  /* Append a word and take ownership of it. */
void words_cut(struct words *w, size_t count); /* Keep only the first `count` words. */
void words_free(struct words *w);

/* ---- running other programs (spawn.c) ---- */

/* A program to run and its limits. The caller keeps ownership of all pointers. */
struct spawn {
    const char *const *argv; /* argv[0] is a path; terminated by NULL */
    /* TMPDIR and HOME of the child; NULL: a path that does not exist */
    const char *directory;
    const char *path; /* PATH of the child; NULL: spawn_path */
    double seconds;   /* limit of processor time, in seconds */
    /* limit of wall-clock time, in seconds, for a program that waits; 0: SPAWN_PATIENCE *
     * seconds */
    double patience;
    size_t memory_bytes;     /* limit of address space, in bytes; 0: none */
    size_t file_bytes;       /* size of the largest file that the program may write, in bytes */
    const struct jail *jail; /* what the program can access; NULL: all that the kit can */
    /* file that the program reads as its standard input; NULL: it has none */
    const char *input;
    /* 1: the program cannot open files for reading, whatever the jail allows (sandbox_seal) */
    int sealed;
};
enum { SPAWN_OUTPUT = 64 * 1024, SPAWN_PATIENCE = 20 };

/* Run a program and wait for its end. out receives stdout and stderr together: at most SPAWN_OUTPUT
 * bytes (a last line states how many were left out), without escape sequences and control
 * characters. *status: the exit status, or 128 + signal; 127 if argv[0] cannot be executed. -1 with
 * ERR_ENV: no process could be created; -1 with ERR_LEARNER: the program exceeded its time and was
 * killed. Safe to call from several threads. */
int spawn_run(const struct spawn *s, struct buf *out, int *status, struct err *e);

/* Run a program as a shell would: with this process's files, environment and directory, and without
 * limits. Returns its exit status, or 128 + signal; -1 with an error. */
int spawn_plain(const char *const *argv, struct err *e);

/* Find a program in the directories of spawn_path. The caller frees the path; NULL: there is
 * none. */
char *spawn_find(const char *program);
/* the directories in which programs are usually found, in the format of PATH */
extern const char spawn_path[];

/* Remove a directory and its contents. Links are removed, not followed. */
void spawn_remove_directory(const char *path);

/* ---- compilers for kernels (clang.c) ---- */

/* Suffixes of the names "clang" and "clang++", in order of preference; terminated by NULL. */
extern const char *const clang_versions[];
/* The path of NVIDIA's compiler, in a directory of spawn_path or of CUDA_HOME. The caller frees it;
 * NULL: there is none. */
char *nvcc_find(void);

/* Append clang's path, and options that let it read CUDA without NVIDIA's SDK. architecture: 80 or
 * more selects 8.0, otherwise 7.0; clang 14 supports no architecture newer than 8.0. */
void clang_words(struct words *w, const char *clang, int architecture);
/* Append the options that include the kit's stubs of CUDA's own headers. cuda: the path of
 * common/cuda. */
void clang_stubs(struct words *w, const char *cuda);
/* Append the options that produce PTX of device code only. level: such as "-O3"; lines: such as
 * "-gline-tables-only"; unrolls: 1 unrolls loops as nvcc does, 0 not at all. */
void clang_to_ptx(struct words *w, const char *level, const char *lines, int unrolls);

/* ---- time limits of children (timeout.c) ---- */

struct timeout {
    pid_t pid;
    /* values at the start, in seconds: wall clock, processor time of the child */
    double clock, processor;
};
enum { PATIENCE_POLL_MS = 50 }; /* milliseconds between two checks */

/* Start a time limit for a child process; its time counts from now. */
struct timeout timeout_begin(pid_t pid);
/* Has the child exceeded the limit, in seconds? Yes if that much time has passed and the child has
 * used as much processor time, or almost none (then it is waiting). A child slowed down by a busy
 * machine may continue. */
int timeout_is_over(const struct timeout *p, double limit);

/* Processor seconds of all children that have ended, and of their children. bubblewrap hides the
 * time of its children; for them the wall-clock time is added, which is more on a busy machine. */
double os_children_seconds(void);

/* ---- running work in a child (isolate.c) ---- */

/* A function that is run in a child. It returns 0 with its reply, or -1 with an error, which
 * isolate_run returns in the parent. */
typedef int isolated(void *context, struct buf *reply, struct err *e);

enum { ISOLATE_REPLY_MAX = 4 << 20 };

/* Run work in a child and return its reply. If the child sends neither a note nor its reply for
 * "silence" seconds (as timeout.c counts them), it is killed. If it dies or is killed, that is
 * ERR_LEARNER, and the text begins with its last note; if it had sent no note, no code of a learner
 * had started, so that is ERR_ENV. */
int isolate_run(isolated *work, void *context, double silence, struct buf *reply, struct err *e);

/* Call within the work of isolate_run: sets limits from now on. A child that exceeds a limit is
 * ended, and the error states the limit. Not for a child that opens a GPU, whose driver maps much
 * more memory than it uses. */
void isolate_limit(double processor_seconds, size_t memory_bytes);

/* Call within the work of isolate_run to tell what begins now. The text is the subject of a
 * sentence: "matmul, m = 1024, k = 3, n = 7". Does nothing outside of such work. */
void isolate_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Call repeatedly while work of isolate_run waits for another process: sends the last note again,
 * so that the wait does not count as silence. */
void isolate_wait(void);

/* ---- work whose output is read as it comes (child.c) ---- */

struct child {
    pid_t pid; /* process id of the child; 0: none is running */
    int out;   /* descriptor of a pipe from the child's stdout and stderr */
    double began;
};
typedef int child_work(void *context, struct err *e);
enum { CHILD_FAILED = 100 }; /* exit status of a child whose work returned -1 */
/* Kill *c if it is running, then start a new child, which calls prepare and then work. Must not be
 * called in a process that has threads. */
int child_start(
    struct child *c, void (*prepare)(void), child_work *work, void *context, struct err *e);
/* Read what the child has printed. Returns 1 if more may come, and 0 if the child has ended; then
 * *result is what its work returned, or -1 if it did not return. */
int child_take(struct child *c, struct buf *text, int *result);
void child_end(struct child *c); /* Kill the child. */

/* ---- filtering system calls (sandbox.c) ---- */

/* Call between fork and exec, for a learner's host code. Sets no_new_privs, limits on memory and
 * files, and a seccomp filter; all of them remain in force after the exec. The caller must close
 * descriptors itself. -1: the machine does not allow it. Async-signal-safe. */
int sandbox_enter(size_t memory_bytes);

/* Call between fork and exec, for an assembler, whose input can name files to include: from now on
 * no file can be opened only for reading, except with O_CLOEXEC, as the dynamic loader opens
 * libraries. -1: the machine does not allow it. Async-signal-safe. */
int sandbox_seal(void);

/* ---- what operating systems have different ways for (linux.c; for others plain.c) ---- */

/* Call first in main, with argv[0]. */
void os_started_as(const char *argv0);
/* The path of the file of this program; path: PATH_MAX bytes. -1: it is not known, and path is "". */
int os_program(char *path);
/* Bytes of this process's data and stack; 0: not known. */
size_t os_data_bytes(void);

/* pipe and socketpair (AF_UNIX, SOCK_STREAM), whose descriptors an exec closes. -1 with errno. */
int os_pipe(int ends[2]);
int os_sockets(int ends[2]);
void os_close_from(int first); /* Close this descriptor and all after it. Async-signal-safe. */
/* A new file that has no name and is empty, for mmap. Returns its descriptor; -1 with errno. */
int os_memory_file(void);

/* Call in a child, after fork: it gets this signal when its parent ends. plain.c: it does not. */
void os_end_with_parent(int signal);
/* Processor time of all threads of a process, in seconds; 0: it has ended, or that is not known. */
double os_processor_seconds(pid_t pid);

/* Watching folders for files that are saved. os_watch_open returns a descriptor for poll; -1: there is
 * none, and the other functions do nothing. os_watch_read reads all events, without waiting: is one of
 * them about a file of this name? */
int os_watch_open(void);
int os_watch_add(int watch, const char *folder); /* an id for os_watch_remove; -1: not watched */
void os_watch_remove(int watch, int id);
int os_watch_read(int watch, const char *name);

/* Rename a file from one folder (a descriptor) into another. os_rename_new: -1 with EEXIST if there is
 * a file new_name. os_exchange: the two files exchange their names; in one step, but for plain.c. */
int os_rename_new(int from, const char *name, int to, const char *new_name);
int os_exchange(int from, const char *name, int to, const char *other);

#endif
