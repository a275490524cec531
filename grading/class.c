/* class.c - all submissions, by one worker a core.
 *
 *     parent ── fork ──> worker: next = the first that nobody has taken ── worker_grade ──> state: done
 *        └── a bar, four times a second; a worker that dies costs its submission, and is replaced
 *
 * States and the number that was taken last lie in memory that all share. A result is written whole, so a
 * class that was stopped, however, goes on where it was: what was judged is read from results/.judged.
 */
#define _GNU_SOURCE
#include "grading/grading.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum state { WAITING, TAKEN, DONE, FAILED };
struct shared {
    atomic_size_t next;
    struct {
        _Atomic pid_t worker;
        atomic_int state;
        char why[200]; /* FAILED: the machine's reason */
    } of[];
};

/* The lock is the parent's: it goes when the parent does. */
static void work(const struct class_options *o, const struct roster *r, struct shared *all, int lock,
    pid_t parent)
{
    struct worker *w;
    struct err e = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0); /* it died before the line above */
    close(lock);
    int bad = worker_open(&w, o, &e);
    for (size_t i; (i = atomic_fetch_add(&all->next, 1)) < r->count;) {
        all->of[i].worker = getpid();
        all->of[i].state = TAKEN;
        int failed = bad || worker_grade(w, &r->list[i], &e);
        if (failed) snprintf(all->of[i].why, sizeof all->of[i].why, "%.190s", e.text);
        all->of[i].state = failed ? FAILED : DONE;
    }
    worker_close(w);
    _exit(0);
}

static pid_t start(const struct class_options *o, const struct roster *r, struct shared *all, int lock)
{
    pid_t parent = getpid(), pid = fork();
    if (!pid) work(o, r, all, lock, parent);
    return pid;
}

static size_t count(const struct shared *all, size_t n, enum state s)
{
    size_t c = 0;
    for (size_t i = 0; i < n; i++) c += all->of[i].state == (int)s;
    return c;
}

/* "[#####.....] 100 of 200, 3.1 a second, 0:32 left, 1 failed", on a terminal alone. */
static void bar(const struct shared *all, size_t n, double started, int last)
{
    enum { WIDTH = 24 };
    if (!isatty(STDERR_FILENO)) return;
    size_t failed = count(all, n, FAILED), done = count(all, n, DONE) + failed;
    double passed = clock_seconds() - started, rate = passed > 0 ? (double)done / passed : 0;
    char hashes[WIDTH + 1] = "";
    memset(hashes, '.', WIDTH);
    memset(hashes, '#', done * WIDTH / n);
    fprintf(stderr, "\r[%s] %zu of %zu", hashes, done, n);
    if (done && done < n) {
        long left = (long)((double)(n - done) / rate);
        fprintf(stderr, ", %.2g a second, %ld:%02ld left", rate, left / 60, left % 60);
    }
    if (failed) fprintf(stderr, ", %zu failed", failed);
    fprintf(stderr, "\033[K%s", last ? "\n" : "");
}

/* A worker has ended: what it was at has failed, and the others go on. */
static void bury(struct shared *all, size_t n, pid_t pid, int status)
{
    for (size_t i = 0; i < n; i++)
        if (all->of[i].worker == pid && all->of[i].state == TAKEN) {
            snprintf(all->of[i].why, sizeof all->of[i].why, "its worker ended: %s",
                WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "without a word");
            all->of[i].state = FAILED;
        }
}

static void run(const struct class_options *o, const struct roster *r, struct shared *all, int lock)
{
    double started = clock_seconds();
    int workers = 0;
    for (int i = 0; i < o->jobs && (size_t)i < r->count; i++) workers += start(o, r, all, lock) > 0;
    while (workers) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid > 0) {
            workers--;
            bury(all, r->count, pid, status);
            if (all->next < r->count && (!WIFEXITED(status) || WEXITSTATUS(status)))
                workers += start(o, r, all, lock) > 0;
        } else {
            bar(all, r->count, started, 0);
            usleep(250000);
        }
    }
    bar(all, r->count, started, 1);
}

/* One class in two terminals: the second is refused. The lock goes with the process. */
static int lock(const char *results, struct err *e)
{
    char *path = xasprintf("%s/.lock", results);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), bad = 0;
    if (fd < 0) bad = err_set(e, ERR_ENV, "%s: cannot be written: %s", path, strerror(errno));
    else if (flock(fd, LOCK_EX | LOCK_NB))
        bad = err_set(
            e, ERR_ENV, "%s: another grading writes there now; wait for it, or name another --out", results);
    free(path);
    return bad ? -1 : fd;
}

int class_grade(const struct class_options *o, const struct roster *r, size_t *failed, struct err *e)
{
    size_t bytes = sizeof(struct shared) + r->count * sizeof(((struct shared *)0)->of[0]);
    int fd = lock(o->results, e);
    if (fd < 0) return -1;
    struct shared *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return err_set(e, ERR_ENV, "no memory for %zu submissions", r->count);
    run(o, r, all, fd);
    for (size_t i = 0; i < r->count; i++)
        if (all->of[i].state != DONE) {
            r->list[i].stopped = xstrdup(all->of[i].why);
            fprintf(stderr, "%s: not graded, by no fault of the student: %s\n", r->list[i].name,
                all->of[i].why);
        }
    *failed = r->count - count(all, r->count, DONE);
    munmap(all, bytes);
    close(fd);
    return 0;
}
