/* slurm.c - grade a class on a cluster: one job array, in which each task grades a slice of the
 * class.
 *
 *     sbatch --array=0-N --> task K: lockstep-class --slice K/N --> .next/NAME.json, then .slices/NAME
 *        ^                                                                    │
 *        └-- unfinished slices again, at most three times -- squeue: ended? --┘
 *
 * Slurm decides on queue and nodes. A task is a worker that takes every N-th submission; it notes
 * what it has finished in results/.slices, with the number of this run. Tasks may die or be started
 * again: result files are written as a whole, and the same submission gives the same bytes. */
#define _GNU_SOURCE
#include "grading/grading.h"
#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* SLICES_MOST: fewer than Slurm's default MaxArraySize, 1001. ATTEMPTS: how often slices are
 * submitted. PER_SLICE: least submissions of a slice */
enum { ATTEMPTS = 3, SLICES_MOST = 1000, PER_SLICE = 4 };

static volatile sig_atomic_t interrupted;
static void interrupt(int number) { interrupted = number; }

/* ---- notes of the slices ---- */

static char *note_path(const struct class_options *o, const struct submission *s)
{
    return xasprintf("%s/.slices/%s", o->results, s->name);
}

static void note(
    const struct class_options *o, const struct submission *s, const char *run, const char *what)
{
    char *path = note_path(o, s), *text = xasprintf("%s\n%s\n", run, what);
    file_write(path, text, strlen(text), NULL);
    free(path), free(text);
}

/* What a slice of this run has noted on a submission: "taken", "done" or an error. The caller frees
 * it; NULL: nothing. */
static char *noted(const struct class_options *o, const struct submission *s, const char *run)
{
    char *path = note_path(o, s), *text = NULL, *what = NULL;
    size_t n = strlen(run);
    if (!file_read(path, 4096, &text, NULL, NULL) && !strncmp(text, run, n) && text[n] == '\n') {
        what = xstrdup(text + n + 1);
        what[strcspn(what, "\n")] = 0;
    }
    free(path), free(text);
    return what;
}

static int is_done(const struct class_options *o, const struct submission *s, const char *run)
{
    char *what = noted(o, s, run);
    int done = what && strcmp(what, "taken");
    free(what);
    return done;
}

int slurm_slice(
    const struct class_options *o, const struct roster *r, const char *slice, struct err *e)
{
    size_t k, n;
    char run[32];
    struct worker *w;
    if (sscanf(slice, "%zu/%zu/%31s", &k, &n, run) != 3 || !n)
        return err_set(e, ERR_USAGE, "--slice %s: not K/N/RUN", slice);
    int bad = worker_open(&w, o, e);
    /* submissions that an earlier task began but did not finish come last: they may have crashed
     * it */
    for (int begun = 0; begun < 2 && !bad; begun++)
        for (size_t i = k; i < r->count; i += n) {
            const struct submission *s = &r->list[i];
            struct err why = {0};
            char *what = noted(o, s, run);
            int now = begun ? what && !strcmp(what, "taken") : !what;
            free(what);
            if (!now) continue;
            note(o, s, run, "taken");
            note(o, s, run, worker_grade(w, s, &why) ? why.text : "done");
        }
    worker_close(w);
    return bad;
}

/* ---- Slurm's programs ---- */

/* Run a program with this process's environment. out: what the program prints. Returns its exit
 * status; 127: it was not found. */
static int program(const char *const *argv, struct buf *out)
{
    int fds[2], status;
    if (os_pipe(fds)) return -1;
    pid_t pid = fork();
    if (!pid) {
        dup2(fds[1], STDOUT_FILENO);
        dup2(fds[1], STDERR_FILENO);
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    close(fds[1]);
    char piece[4096];
    for (ssize_t n;
         pid > 0 && ((n = read(fds[0], piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR));)
        if (n > 0) buf_add(out, piece, (size_t)n);
    close(fds[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Append text as one word for a shell: 'it'\''s'. */
static void word(struct buf *out, const char *text)
{
    buf_printf(out, " '");
    for (; *text; text++) buf_printf(out, *text == '\'' ? "'\\''" : "%c", *text);
    buf_printf(out, "'");
}

static void option(struct buf *out, const char *name, const char *value)
{
    if (!value) return;
    buf_printf(out, " %s", name);
    word(out, value);
}

/* Write the batch script. The seed is not in it, so that no list of jobs shows it: tasks read it
 * from results/. */
static int write_script(
    const struct class_options *o, const char *path, size_t slices, const char *run, struct err *e)
{
    struct buf s = {0};
    char self[PATH_MAX];
    os_program(self);
    buf_printf(&s, "#!/bin/sh\nexec");
    word(&s, self);
    buf_printf(&s, " class");
    word(&s, o->submissions);
    option(&s, "--out", o->results);
    option(&s, "--device", o->device);
    option(&s, "--front", o->front);
    option(&s, "--lab", o->lab);
    option(&s, "--course", o->course_file);
    option(&s, "--sandbox", o->sandbox);
    option(&s, "--anonymous", o->anonymous);
    if (o->final) buf_printf(&s, " --final");
    buf_printf(
        &s, " --limit %.0f --slice \"$SLURM_ARRAY_TASK_ID/%zu/%s\"\n", o->limit, slices, run);
    int bad = file_write(path, s.data, s.len, e);
    buf_free(&s);
    return bad;
}

/* Submit those slices that are not finished. *job: Slurm's number of the job array; "": all are
 * finished. */
static int submit(const struct class_options *o, const struct roster *r, size_t slices,
    const char *run, const char *script, char job[32], struct err *e)
{
    struct buf array = {0}, said = {0};
    *job = 0;
    for (size_t k = 0; k < slices; k++)
        for (size_t i = k; i < r->count; i += slices)
            if (!is_done(o, &r->list[i], run)) {
                buf_printf(&array, "%s%zu", array.len ? "," : "--array=", k);
                break;
            }
    if (!array.len) return 0;
    char *log = xasprintf("--output=%s/.slices/log-%%a", o->results);
    const char *argv[] = {"sbatch", "--parsable", "--job-name=lockstep", "--requeue", "--ntasks=1",
        "--cpus-per-task=1", "--chdir=/", log, array.data, script, NULL};
    int status = program(argv, &said), bad = 0;
    if (status == 127)
        bad = err_set(e, ERR_ENV, "sbatch is not here: --engine slurm needs Slurm's programs");
    else if (status || sscanf(said.data ? said.data : "", "%31[0-9]", job) != 1)
        bad = err_set(
            e, ERR_ENV, "sbatch refuses: %.300s", said.data ? said.data : "it said nothing");
    free(log);
    buf_free(&array);
    buf_free(&said);
    return bad;
}

static void cancel(const char *job)
{
    struct buf said = {0};
    const char *argv[] = {"scancel", job, NULL};
    if (*job) program(argv, &said);
    buf_free(&said);
}

/* Have all tasks of the array ended? squeue fails for a job that Slurm has forgotten, and while
 * slurmctld restarts; in these cases squeue is called again later. */
static int is_over(const char *job, int *failures)
{
    struct buf said = {0};
    const char *argv[] = {"squeue", "--noheader", "--format=%T", "--jobs", job, NULL};
    int status = program(argv, &said);
    int forgotten = status && said.data && strstr(said.data, "Invalid job id");
    *failures = status && !forgotten ? *failures + 1 : 0;
    int over = forgotten || (!status && !said.len);
    buf_free(&said);
    return over;
}

/* Wait until a job array has ended. -1: interrupted, or Slurm has not answered for two minutes. */
static int wait_for(const struct class_options *o, const struct roster *r, const char *run,
    const char *job, double started, struct err *e)
{
    enum { SECONDS_BETWEEN = 2, FAILURES_MOST = 60 };
    for (int failures = 0;;) {
        int over = is_over(job, &failures);
        size_t done = 0;
        for (size_t i = 0; i < r->count; i++) done += (size_t)is_done(o, &r->list[i], run);
        class_bar(done, 0, r->count, started, 0);
        if (over || done == r->count) return 0;
        if (interrupted) return err_set(e, ERR_ENV, "interrupted; the same command goes on");
        if (failures > FAILURES_MOST)
            return err_set(e, ERR_ENV, "squeue does not answer; job %s goes on", job);
        sleep(SECONDS_BETWEEN);
    }
}

static void take_failures(const struct class_options *o, struct roster *r, const char *run)
{
    for (size_t i = 0; i < r->count; i++) {
        char *what = noted(o, &r->list[i], run);
        if (!what || strcmp(what, "done"))
            r->list[i].stopped =
                xasprintf("%s", !what || !strcmp(what, "taken")
                                    ? "its job ended before it, three times; see .slices/log-*"
                                    : what);
        free(what);
    }
}

/* Cancel the job array of an earlier run that was killed: nobody would collect its results. */
static void cancel_former(const char *file)
{
    char *text = NULL, job[32];
    if (!file_read(file, 64, &text, NULL, NULL) && sscanf(text, "%31[0-9]", job) == 1) cancel(job);
    free(text);
}

int slurm_grade(const struct class_options *o, struct roster *r, struct err *e)
{
    char *folder = xasprintf("%s/.slices", o->results), *script = xasprintf("%s/job.sh", folder),
         *number = xasprintf("%s/job", folder), run[32], job[32] = "";
    size_t slices = o->jobs > 0 ? (size_t)o->jobs : (r->count + PER_SLICE - 1) / PER_SLICE;
    double started = clock_seconds();
    struct sigaction on = {.sa_handler = interrupt}, int_before, term_before;
    if (slices > SLICES_MOST) slices = SLICES_MOST;
    snprintf(run, sizeof run, "%016llx", (unsigned long long)rng_secret());
    int bad = mkdir(folder, 0700) && errno != EEXIST
                  ? err_set(e, ERR_ENV, "%s: cannot be made: %s", folder, strerror(errno))
                  : write_script(o, script, slices, run, e);
    sigaction(SIGINT, &on, &int_before), sigaction(SIGTERM, &on, &term_before);
    if (!bad) cancel_former(number);
    for (int attempt = 0; attempt < ATTEMPTS && !bad; attempt++) {
        bad = submit(o, r, slices, run, script, job, e);
        if (bad || !*job) break;
        bad = file_write(number, job, strlen(job), e) || wait_for(o, r, run, job, started, e);
    }
    if (bad || interrupted)
        cancel(job);
    else
        unlink(number);
    sigaction(SIGINT, &int_before, NULL), sigaction(SIGTERM, &term_before, NULL);
    if (!bad) take_failures(o, r, run);
    free(folder), free(script), free(number);
    return bad ? -1 : 0;
}
