/* class.c - grade all submissions, with one worker process per core.
 *
 *     parent -- fork --> worker: takes the next submission -- worker_grade --> state: done
 *        └-- a bar, four times a second; if a worker dies, its submission has failed, and it is replaced
 *
 * With several GPUs each worker uses one of them. Workers on the same GPU run their kernels in turn
 * (device_hold); everything else runs in parallel.
 *
 * States and the index of the next submission are in shared memory. Result files are written as
 * a whole, so a class that was stopped in any way continues where it was: finished results are
 * read from results/.judged. */
#define _GNU_SOURCE
#include "grading/grading.h"
#include "os/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum state { WAITING, TAKEN, DONE, FAILED };
struct shared {
    atomic_size_t next;
    struct {
        _Atomic pid_t worker;
        atomic_int state;
        char why[200]; /* if the state is FAILED: the error of the environment */
    } of[];
};

/* The GPU of a worker: workers take the names of the list in turn, again from the first after the
 * last. NULL: the device is not a list. The caller frees it. */
static char *gpu_of(const char *list, long worker)
{
    long names = 1;
    if (!list || !strchr(list, ',')) return NULL;
    for (const char *p = list; *p; p++) names += *p == ',';
    for (long skip = worker % names; skip; skip--) list = strchr(list, ',') + 1;
    list += strspn(list, " ");
    return xstrndup(list, strcspn(list, ", "));
}

static void work(const struct class_options *all_options, long number, const struct roster *r,
    struct shared *all, pid_t parent)
{
    struct class_options own = *all_options, *o = &own;
    struct worker *w;
    struct err e = {0};
    os_end_with_parent(SIGKILL);
    if (getppid() != parent) _exit(0); /* the parent died before that */
    close(o->lock);                    /* the lock belongs to the parent, and must end with it */
    char *gpu = gpu_of(o->device, number);
    o->gpu = gpu;
    int bad = worker_open(&w, o, &e);
    for (size_t i; (i = atomic_fetch_add(&all->next, 1)) < r->count;) {
        all->of[i].worker = getpid();
        all->of[i].state = TAKEN;
        int failed = !r->list[i].skip && (bad || worker_grade(w, &r->list[i], &e));
        if (failed) snprintf(all->of[i].why, sizeof all->of[i].why, "%.190s", e.text);
        all->of[i].state = failed ? FAILED : DONE;
    }
    worker_close(w);
    free(gpu);
    _exit(0);
}

static pid_t start(
    const struct class_options *o, long number, const struct roster *r, struct shared *all)
{
    pid_t parent = getpid(), pid = fork();
    if (!pid) work(o, number, r, all, parent);
    return pid;
}

static size_t count(const struct shared *all, size_t n, enum state s)
{
    size_t c = 0;
    for (size_t i = 0; i < n; i++) c += all->of[i].state == (int)s;
    return c;
}

void class_bar(size_t done, size_t failed, size_t all, double started, int last)
{
    enum { WIDTH = 24 };
    if (!isatty(STDERR_FILENO)) return;
    double passed = clock_seconds() - started, rate = passed > 0 ? (double)done / passed : 0;
    char hashes[WIDTH + 1] = "";
    memset(hashes, '.', WIDTH);
    memset(hashes, '#', done * WIDTH / all);
    fprintf(stderr, "\r[%s] %zu of %zu", hashes, done, all);
    if (done && done < all) {
        long left = (long)((double)(all - done) / rate);
        fprintf(stderr, ", %.2g a second, %ld:%02ld left", rate, left / 60, left % 60);
    }
    if (failed) fprintf(stderr, ", %zu failed", failed);
    fprintf(stderr, "\033[K%s", last ? "\n" : "");
}

static void bar(const struct shared *all, size_t n, double started, int last)
{
    size_t failed = count(all, n, FAILED);
    class_bar(count(all, n, DONE) + failed, failed, n, started, last);
}

/* A worker has ended: mark its current submission as failed; the others continue. */
static void bury(struct shared *all, size_t n, pid_t pid, int status)
{
    for (size_t i = 0; i < n; i++)
        if (all->of[i].worker == pid && all->of[i].state == TAKEN) {
            snprintf(all->of[i].why, sizeof all->of[i].why, "its worker ended: %s",
                WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "without a word");
            all->of[i].state = FAILED;
        }
}

static void run(const struct class_options *o, const struct roster *r, struct shared *all)
{
    double started = clock_seconds();
    int workers = 0;
    long number = 0; /* workers started so far */
    long jobs = o->jobs ? o->jobs : sysconf(_SC_NPROCESSORS_ONLN);
    for (long i = 0; i < jobs && (size_t)i < r->count; i++)
        workers += start(o, number++, r, all) > 0;
    while (workers) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid > 0) {
            workers--;
            bury(all, r->count, pid, status);
            if (all->next < r->count && (!WIFEXITED(status) || WEXITSTATUS(status)))
                workers += start(o, number++, r, all) > 0;
        } else {
            bar(all, r->count, started, 0);
            usleep(250000);
        }
    }
    bar(all, r->count, started, 1);
}

int class_settle(struct class_options *o, struct course *c, const char **seed, struct err *e)
{
    if (course_read(c, o->course_file, e)) return -1;
    o->course = c;
    if (!o->device) o->device = c->device ? c->device : "sim:h200";
    if (!o->front) o->front = c->front;
    if (!*seed) *seed = c->seed;
    struct front known;
    if (o->front) {
        if (front_find(&known, o->front, NULL, e)) return -1;
        front_free(&known);
    }
    return 0;
}

int class_lock(const char *results, struct err *e)
{
    char *path = xasprintf("%s/.lock", results);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), bad = 0;
    if (fd < 0)
        bad = err_set(e, ERR_ENV, "%s: cannot be written: %s", path, strerror(errno));
    else if (flock(fd, LOCK_EX | LOCK_NB))
        bad = err_set(e, ERR_ENV,
            "%s: another grading writes there now; wait for it, or name another --out", results);
    free(path);
    if (bad && fd >= 0) close(fd);
    return bad ? -1 : fd;
}

/* Grade with worker processes on this computer. */
static int local_grade(const struct class_options *o, struct roster *r, struct err *e)
{
    size_t bytes = sizeof(struct shared) + r->count * sizeof(((struct shared *)0)->of[0]);
    struct shared *all =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return err_set(e, ERR_ENV, "no memory for %zu submissions", r->count);
    run(o, r, all);
    for (size_t i = 0; i < r->count; i++)
        if (all->of[i].state != DONE) r->list[i].stopped = xstrdup(all->of[i].why);
    munmap(all, bytes);
    return 0;
}

/* Remove files NAME.tmpPID, which a writer leaves if it is killed. */
static void sweep(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        const char *mark = strstr(entry->d_name, ".tmp");
        if (mark && mark[4] && strspn(mark + 4, "0123456789") == strlen(mark + 4))
            unlinkat(dirfd(d), entry->d_name, 0);
    }
    if (d) closedir(d);
}

int class_grade(const struct class_options *o, struct roster *r, size_t *failed, struct err *e)
{
    static const char *const folders[] = {"", "/.next", "/.judged", "/.slices", NULL};
    int bad = 0;
    for (const char *const *f = folders; *f; f++) {
        char *path = xasprintf("%s%s", o->results, *f);
        sweep(path);
        free(path);
    }
    *failed = 0;
    if (!bad) bad = o->slurm ? slurm_grade(o, r, e) : local_grade(o, r, e);
    for (size_t i = 0; i < r->count && !bad; i++)
        if (r->list[i].stopped) {
            ++*failed;
            fprintf(stderr, "%s: not graded, by no fault of the student: %s\n", r->list[i].name,
                r->list[i].stopped);
        }
    return bad;
}
