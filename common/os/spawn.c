/* spawn.c - runs a program with limits, and keeps the first part of its output.
 *
 * The child gets its own process group, an environment of four variables, a file as input, and
 * one socket for stdout and stderr. The parent reads the socket to its end, so that the child never
 * blocks on a full socket. At most SPAWN_OUTPUT bytes are kept. A pipe would not do: a child could
 * open its other end through /proc/self/fd/1, and a read from the pipe would then block forever. */
#define _GNU_SOURCE
#include "os/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The first executable file of this name, in the order of spawn_path. */
char *spawn_find(const char *program)
{
    for (const char *p = spawn_path; *p;) {
        size_t n = strcspn(p, ":");
        char *candidate = xasprintf("%.*s/%s", (int)n, p, program);
        if (!access(candidate, X_OK)) return candidate;
        free(candidate);
        p += n + (p[n] == ':');
    }
    return NULL;
}

/* Set a resource limit, but no higher than the current hard limit, since raising that needs
 * privileges. */
static void limit(int what, rlim_t value)
{
    struct rlimit r = {value, value}, old;
    if (!getrlimit(what, &old) && old.rlim_max < r.rlim_max) r.rlim_max = r.rlim_cur = old.rlim_max;
    setrlimit(what, &r);
}

/* Runs in the child between fork and exec. The kit has threads, so only async-signal-safe calls are
 * allowed. */
static void child(const struct spawn *s, const char *const *argv, int output, char *const *env)
{
    setpgid(0, 0);
    cgroup_join();
    int input = open(s->input ? s->input : "/dev/null", O_RDONLY | O_CLOEXEC);
    if (s->input && input < 0) _exit(127);
    dup2(input, 0);
    dup2(output, 1);
    dup2(output, 2);
    os_close_from(3);
    limit(RLIMIT_CORE, 0);
    /* this limit applies to each process that the child starts */
    limit(RLIMIT_CPU, (rlim_t)s->seconds + 1);
    limit(RLIMIT_FSIZE, s->file_bytes);
    limit(RLIMIT_NOFILE, 256);
    if (s->memory_bytes) limit(RLIMIT_AS, s->memory_bytes);
    if (s->jail && jail_level() == JAIL_LANDLOCK && jail_landlock(s->jail)) _exit(127);
    /* not under bubblewrap, which opens files itself, and whose jail has nothing to read */
    if (s->sealed && argv == s->argv && sandbox_seal()) _exit(127);
    execve(argv[0], (char *const *)argv, env);
    _exit(127);
}

/* Read until the child and all processes that it started have closed the socket. *dropped counts
 * bytes beyond SPAWN_OUTPUT. Returns -1 at the deadline. */
static int drain(int fd, double deadline, struct buf *out, size_t *dropped)
{
    char chunk[16384];
    for (;;) {
        double left = deadline - clock_seconds();
        if (left <= 0) return -1;
        struct pollfd p = {fd, POLLIN, 0};
        if (poll(&p, 1, (int)(left * 1000) + 1) <= 0) continue;
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0) return 0;
        if (n < 0) continue;
        size_t room = SPAWN_OUTPUT - out->len, keep = (size_t)n < room ? (size_t)n : room;
        buf_add(out, chunk, keep);
        *dropped += (size_t)n - keep;
    }
}

/* Called when the child has closed its output: waits until the deadline for the child to end.
 * Returns whether it did; if not, the caller must kill and reap it. */
static int reap(pid_t pid, double deadline, int *status, struct rusage *usage)
{
    pid_t got;
    while ((got = wait4(pid, status, WNOHANG, usage)) == 0 && clock_seconds() < deadline)
        usleep(500);
    return got == pid;
}

/* Processor time of the child and of the processes that it started and waited for. */
static double processor_seconds(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

/* Creates a socket, forks, reads the output to its end or to the deadline, reaps the child, and
 * cleans the text. */
int spawn_run(const struct spawn *s, struct buf *out, int *status, struct err *e)
{
    int fd[2];
    size_t dropped = 0;
    if (os_sockets(fd))
        return err_set(e, ERR_ENV, "%s: no socket: %s", s->argv[0], strerror(errno));
    shutdown(fd[0], SHUT_WR);
    /* The environment is prepared before fork: the child must not allocate memory. */
    char *path = xasprintf("PATH=%s", s->path ? s->path : spawn_path);
    char *tmp = xasprintf("TMPDIR=%s", s->directory ? s->directory : "/nonexistent");
    char *home = xasprintf("HOME=%s", s->directory ? s->directory : "/nonexistent");
    char *env[] = {path, tmp, home, "LC_ALL=C", NULL};
    const char *bwrap = s->jail ? jail_bwrap() : NULL;
    struct words jailed = {0};
    if (bwrap) jail_wrap(&jailed, bwrap, s->jail, s->argv);
    pid_t pid = fork();
    if (pid == 0) child(s, bwrap ? jailed.word : s->argv, fd[1], env);
    close(fd[1]);
    free(path);
    free(tmp);
    free(home);
    words_free(&jailed);
    if (pid < 0) {
        close(fd[0]);
        return err_set(e, ERR_ENV, "%s: cannot be started: %s", s->argv[0], strerror(errno));
    }
    /* the child does the same; whichever is first, the process group exists before it is killed
     * below */
    setpgid(pid, pid);
    double start = clock_seconds(),
           patience = s->patience > 0 ? s->patience : s->seconds * SPAWN_PATIENCE,
           deadline = start + patience;
    struct rusage usage = {0};
    int wait_status = 0, late = drain(fd[0], deadline, out, &dropped),
        reaped = reap(pid, deadline, &wait_status, &usage);
    /* processes that the child left running, and the child itself if it has not ended */
    kill(-pid, SIGKILL);
    while (!reaped && wait4(pid, &wait_status, 0, &usage) < 0 && errno == EINTR)
        ;
    late |= !reaped;
    if (bwrap) os_count_hidden(clock_seconds() - start);
    close(fd[0]);
    text_clean(out);
    if (dropped) buf_printf(out, "\n(%zu more bytes of output left out)\n", dropped);
    *status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
    if (late)
        return err_set(e, ERR_LEARNER, "took longer than %g seconds and was stopped", patience);
    /* bubblewrap reports a killed program as a shell does, and may not include that program's
     * time. */
    int killed = *status == 128 + SIGKILL || *status == 128 + SIGXCPU;
    double used = killed && bwrap ? clock_seconds() - start : processor_seconds(&usage);
    if (*status && used > s->seconds)
        return err_set(e, ERR_LEARNER,
            "took longer than %g seconds of processor time and was stopped", s->seconds);
    if (killed) return err_set(e, ERR_LEARNER, "was stopped: it reached a limit of time or memory");
    return 0;
}

int spawn_plain(const char *const *argv, struct err *e)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    if (pid < 0) return err_set(e, ERR_ENV, "%s: cannot be started: %s", argv[0], strerror(errno));
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return err_set(e, ERR_ENV, "%s: was lost: %s", argv[0], strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    remove(path);
    return 0;
}

void spawn_remove_directory(const char *path)
{
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
