/* isolate.c - runs work in a child process, so that a crash or an endless loop ends the child and
 * not the kit.
 *
 *     child -- {NOTE, bytes} text, ... then {REPLY, bytes} data or {FAILURE, kind, bytes} text --> parent
 *
 * The parent waits for each message with a deadline, which restarts with each message. The last
 * note tells what the child was doing when it died or stopped responding. */
#include "os/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Kinds of messages. Each value is four letters of ASCII, so that a header which the child's tell()
 * did not write is recognized. */
enum message { NOTE = 0x4e4f5445, LIMITS = 0x4c494d49, REPLY = 0x5245504c, FAILURE = 0x4641494c };
enum { NOTE_MAX = 512 };

/* The header of each message. */
struct header {
    uint32_t message; /* kind of the message: an enum message */
    uint32_t kind;    /* kind of the error for FAILURE: an enum err_kind */
    uint32_t bytes;   /* number of bytes that follow the header */
};

/* ---- the child ---- */

/* The write end of the pipe. -1 in the parent, where isolate_note does nothing. */
static int to_parent = -1;
static char last_note[NOTE_MAX];

/* Write all n bytes. If the parent is gone, the child ends. */
static void send_all(const void *data, size_t n)
{
    const char *p = data;
    while (n) {
        ssize_t sent = write(to_parent, p, n);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) _exit(1); /* the parent has closed the pipe */
        p += sent;
        n -= (size_t)sent;
    }
}

/* Send one message: its header, then n bytes of data. */
static void tell(enum message message, uint32_t kind, const void *data, size_t n)
{
    struct header h = {message, kind, (uint32_t)n};
    send_all(&h, sizeof h);
    send_all(data, n);
}

void isolate_note(const char *fmt, ...)
{
    va_list ap;
    if (to_parent < 0) return;
    va_start(ap, fmt);
    vsnprintf(last_note, sizeof last_note, fmt, ap);
    va_end(ap);
    tell(NOTE, 0, last_note, strlen(last_note));
}

void isolate_wait(void)
{
    if (to_parent >= 0) tell(NOTE, 0, last_note, strlen(last_note));
}

void isolate_limit(double processor_seconds, size_t memory_bytes)
{
    const struct rlimit time = {(rlim_t)processor_seconds, (rlim_t)processor_seconds + 1},
                        memory = {memory_bytes, memory_bytes}, none = {0, 0};
    if (to_parent < 0) return;
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_DATA, &memory);
    setrlimit(RLIMIT_CORE, &none);
    /* discard messages such as "out of memory": the parent reports them */
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0) dup2(null, 2), close(null);
    char text[NOTE_MAX];
    int n = snprintf(text, sizeof text, "%.3g seconds of processor time|%zu MiB", processor_seconds,
        memory_bytes >> 20);
    tell(LIMITS, 0, text, (size_t)n);
}

/* All that the child does. */
static void child(isolated *work, void *context, int fd)
{
    struct buf reply = {0};
    struct err e = {0};
    os_end_with_parent(SIGKILL);
    cgroup_join();
    to_parent = fd;
    last_note[0] = 0; /* after a fork by another child it holds that child's note */
    if (work(context, &reply, &e))
        tell(FAILURE, e.kind, e.text, strlen(e.text));
    else
        tell(REPLY, 0, reply.data, reply.len);
    /* Skip exit handlers: a GPU driver's handler might wait for a kernel that never ends. */
    _exit(0);
}

/* ---- the parent ---- */

/* What the parent knows about a child. */
struct watch {
    pid_t pid; /* process id of the child; 0 after the child was reaped */
    int fd;
    double silence; /* longest time without a message, in seconds */
    struct timeout patience;
    char note[NOTE_MAX + 1];   /* text of the last note; "": none so far */
    char limits[NOTE_MAX + 1]; /* limits of the child as "TIME|MEMORY", for messages */
};

/* The result of a read from the child: all bytes were received (HEARD, 0), the deadline passed, or
 * the pipe was closed. */
enum heard { HEARD, SILENT, CLOSED };

/* Read exactly n bytes before the deadline. */
static enum heard hear(struct watch *w, void *data, size_t n)
{
    char *p = data;
    while (n) {
        struct pollfd f = {w->fd, POLLIN, 0};
        int ready = poll(&f, 1, PATIENCE_POLL_MS);
        if (!ready && timeout_is_over(&w->patience, w->silence)) return SILENT;
        if (!ready || (ready < 0 && errno == EINTR)) continue;
        ssize_t got = read(w->fd, p, n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return CLOSED;
        p += got;
        n -= (size_t)got;
    }
    return HEARD;
}

/* Wait at most "seconds" for the child to end. Returns the child's wait status, or -1 if the child
 * still runs: a process stuck in the kernel is abandoned. */
static int reap(struct watch *w, double seconds)
{
    double until = clock_seconds() + seconds;
    int status;
    do {
        if (waitpid(w->pid, &status, WNOHANG) == w->pid) {
            w->pid = 0;
            return status;
        }
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    } while (clock_seconds() < until);
    return -1;
}

/* Called when the deadline has passed: kill the child and report that. A child that has sent no
 * note was still opening the device, which is no fault of the learner. */
static int fell_silent(struct watch *w, struct err *e)
{
    kill(w->pid, SIGKILL);
    reap(w, 5);
    if (!*w->note)
        return err_set(e, ERR_ENV,
            "the device's driver did not answer within %.3g seconds; is the GPU in order? sim:h200 works "
            "without one",
            w->silence);
    err_set(
        e, ERR_LEARNER, "%s: does not end; it was stopped after %.3g seconds", w->note, w->silence);
    e->found.kind = FOUND_ENDLESS;
    return -1;
}

/* If a limit of isolate_limit ended the child, returns 1 and an error that states the limit; else
 * 0. */
static int ended_by_limit(const struct watch *w, int status, struct err *e)
{
    int time = (int)strcspn(w->limits, "|");
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        err_set(e, ERR_LEARNER, "%s: was stopped after %.*s, the limit of an exercise", w->note,
            time, w->limits);
    else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_MEMORY)
        err_set(e, ERR_LEARNER, "%s: needs more than %s of memory, the limit of an exercise",
            w->note, w->limits + time + 1);
    else
        return 0;
    return 1;
}

/* Called when the pipe was closed before a reply was received: report how the child ended. */
static int died(struct watch *w, struct err *e)
{
    int status = reap(w, 5);
    if (*w->limits && status >= 0 && ended_by_limit(w, status, e)) return -1;
    const char *how = status >= 0 && WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                                         : "it ended without a result";
    if (!*w->note)
        return err_set(
            e, ERR_ENV, "the device's driver crashed: %s; sim:h200 works without one", how);
    return err_set(e, ERR_LEARNER, "%s: took its process along: %s", w->note, how);
}

/* Called when a header is not valid, or its length exceeds the limit of such a message: kill the
 * child and report that. */
static int spoke_nonsense(struct watch *w, struct err *e)
{
    kill(w->pid, SIGKILL);
    reap(w, 5);
    return err_set(e, *w->note ? ERR_LEARNER : ERR_ENV, "%s: what its process sent is no result",
        *w->note ? w->note : "the device");
}

/* Read messages until the reply, a failure or the end of the child. */
static int listen_to(struct watch *w, struct buf *reply, struct err *e)
{
    for (;;) {
        struct header h;
        char text[sizeof e->text] = "";
        w->patience = timeout_begin(w->pid);
        enum heard heard = hear(w, &h, sizeof h);
        size_t most = heard                                      ? 0
                      : h.message == NOTE || h.message == LIMITS ? NOTE_MAX
                      : h.message == FAILURE                     ? sizeof text - 1
                                                                 : ISOLATE_REPLY_MAX;
        int known =
            h.message == NOTE || h.message == LIMITS || h.message == REPLY || h.message == FAILURE;
        if (!heard && (h.bytes > most || !known)) return spoke_nonsense(w, e);
        char *whole = heard ? NULL : xcalloc(h.bytes + 1, 1);
        if (!heard) heard = hear(w, whole, h.bytes);
        if (!heard && h.message == NOTE)
            memcpy(w->note, whole, h.bytes + 1);
        else if (!heard && h.message == LIMITS)
            memcpy(w->limits, whole, h.bytes + 1);
        else if (!heard && h.message == REPLY)
            buf_add(reply, whole, h.bytes);
        else if (!heard)
            memcpy(text, whole, h.bytes + 1);
        free(whole);
        if (heard) return heard == SILENT ? fell_silent(w, e) : died(w, e);
        if (h.message == FAILURE)
            return err_set(e,
                h.kind >= ERR_ENV && h.kind <= ERR_LEARNER ? (enum err_kind)h.kind : ERR_ENV, "%s",
                text);
        if (h.message == REPLY) return 0;
    }
}

/* The child is forked and so inherits all memory: work may use any of the parent's data, but only
 * the reply is returned. */
int isolate_run(isolated *work, void *context, double silence, struct buf *reply, struct err *e)
{
    int ends[2];
    if (os_pipe(ends))
        return err_set(e, ERR_ENV, "no pipe for a child process: %s", strerror(errno));
    struct watch w = {.fd = ends[0], .silence = silence};
    w.pid = fork();
    if (w.pid == 0) {
        close(ends[0]);
        child(work, context, ends[1]);
    }
    close(ends[1]);
    int bad = w.pid < 0 ? err_set(e, ERR_ENV, "no process for an exercise: %s", strerror(errno))
                        : listen_to(&w, reply, e);
    close(ends[0]);
    if (w.pid > 0 && reap(&w, 5) < 0) {
        /* The reply is complete, so the child is no longer needed. */
        kill(w.pid, SIGKILL);
        reap(&w, 5);
    }
    return bad ? -1 : 0;
}
