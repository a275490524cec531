/* differential.c - lockstep-hardware differential: random kernels on the simulator and on another
 * device, compared bit for bit.
 *
 *     seeds -- random_kernel --> files of kernels -- front ends --> PTX -- workers --> mismatches
 *
 * Each kernel is run in several ways that must agree:
 *     on the simulator, with the PTX of each front end
 *     on the device under test
 *     if that is a GPU, also with the driver's optimiser off, which shows whether the optimiser is at fault
 *     if it is simulated, also with masked handlers and other numbers of host threads; then the counters must
 *     agree as well
 *
 * Everything is compiled before any device is opened: a process that uses the CUDA driver must not
 * fork. Workers are processes: a kernel that faults or never ends only costs its worker, and a new
 * worker continues with the next kernel.
 */
#define _GNU_SOURCE
#include "hardware/hardware.h"
#include "hardware/outcome.h"
#include "hardware/random_files.h"
#include "hardware/record.h"
#include "os/os.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAYS_MAX = 12, JOBS_MAX = 64, KERNEL_SECONDS = 60, KEPT_MAX = 256 };
static const char reference[] = "sim:h200";

/* What a worker tells the parent process, in shared memory. The parent reads it to find the
 * kernel at fault when the worker ends, and to see whether the worker still makes progress. */
struct worker {
    int kernel;         /* the kernel being run, as an index from the first seed */
    int loading;        /* 1 + the way whose module is being loaded; 0: none */
    int skip_file;      /* a file whose modules ended earlier workers */
    unsigned skip_ways; /* the ways in which that file is not loaded again, a bit each */
    int done;
    struct timeout patience; /* since the start of `kernel` */
};

struct mismatch {
    uint64_t seed;
    char way[64], what[160]; /* longer text is cut off */
};

/* Memory that all workers share. kept holds the first KEPT_MAX mismatches in the order in which
 * they were found. */
struct shared {
    atomic_int comparisons, mismatches;
    struct mismatch kept[KEPT_MAX];
    struct worker workers[JOBS_MAX];
};

/* One run of the command. ways[0] is the way that all others are compared with. */
struct differential {
    struct kit kit;
    struct random_files set;
    int jobs;
    const char *device;
    struct way ways[WAYS_MAX];
    int way_count;
    struct shared *shared;
    pid_t pids[JOBS_MAX]; /* processes of the workers; 0: none */
};

/* ---- the ways ---- */

static void way_add(
    struct differential *d, const char *spec, int front, int threads, int masked, int same_counts)
{
    if (d->way_count == WAYS_MAX) BUG("more than %d ways", WAYS_MAX);
    d->ways[d->way_count++] = (struct way){.spec = spec,
        .front = front,
        .threads = threads,
        .masked = masked,
        .same_counts = same_counts};
}

/* The ways, grouped by front end. A way with same_counts must directly follow the way that it is
 * compared with. */
static void ways_list(struct differential *d)
{
    int simulated = device_simulated(d->device);
    for (int f = 0; f < d->set.front_count; f++) {
        way_add(d, reference, f, 0, 0, 0);
        if (simulated) {
            way_add(d, reference, f, 3, 0, 1);
            way_add(d, reference, f, 1, 1, 1);
            way_add(d, reference, f, 0, 1, 1);
        }
        if (strcmp(d->device, reference)) way_add(d, d->device, f, 0, 0, 0);
        if (!simulated) {
            way_add(d, d->device, f, 0, 0, 0);
            d->ways[d->way_count - 1].unoptimised = 1;
        }
    }
}

/* Open the device of each way. Ways with the same device name share one device. */
static int ways_open(struct differential *d, struct err *e)
{
    for (int i = 0; i < d->way_count; i++) {
        struct way *w = &d->ways[i];
        for (int k = 0; k < i && !w->device; k++)
            if (!strcmp(d->ways[k].spec, w->spec)) w->device = d->ways[k].device, w->borrowed = 1;
        if (!w->device && device_open(w->spec, &w->device, e)) return -1;
    }
    return 0;
}

static void way_name(const struct differential *d, const struct way *w, struct buf *out)
{
    buf_printf(out, "%s by %s%s", w->spec, d->set.fronts[w->front].kind,
        w->masked        ? ", masked"
        : w->unoptimised ? ", unoptimised"
                         : "");
    if (w->threads) buf_printf(out, ", %d thread%s", w->threads, w->threads > 1 ? "s" : "");
}

/* ---- reports ---- */

/* Print a mismatch and how to reproduce it, in one write, so that the lines of different workers
 * do not mix. Keep it for the record. */
static void report(struct differential *d, uint64_t seed, const struct way *w, const char *what)
{
    struct buf text = {0};
    buf_printf(&text, "random_%llu: ", (unsigned long long)seed);
    way_name(d, w, &text);
    buf_printf(&text,
        ": %s\n    to see it again: lockstep-hardware differential --seed %llu --count 1 --device %s --front "
        "%s --emit DIR\n",
        what, (unsigned long long)seed, d->device, d->set.fronts[w->front].kind);
    if (write(STDOUT_FILENO, text.data, text.len) < 0) BUG("standard output cannot be written");
    int place = atomic_fetch_add(&d->shared->mismatches, 1);
    if (place < KEPT_MAX) {
        struct mismatch *kept = &d->shared->kept[place];
        kept->seed = seed;
        text.len = 0;
        way_name(d, w, &text);
        snprintf(kept->way, sizeof kept->way, "%s", text.data);
        snprintf(kept->what, sizeof kept->what, "%s", what);
    }
    buf_free(&text);
}

/* ---- comparing ---- */

/* Compare the data of way i with that of the first way and, if required, its counters with those
 * of way i - 1. */
static void compare_way(struct differential *d, const struct random_kernel *k, int i,
    const struct outcome *outcomes, const int *ran)
{
    const struct way *w = &d->ways[i];
    struct buf why = {0};
    if (!ran[0]) return;
    atomic_fetch_add(&d->shared->comparisons, 1);
    int differs = outcome_data_differ(k, &outcomes[0], &outcomes[i], &why);
    if (!differs && w->same_counts && ran[i - 1])
        differs =
            outcome_counts_differ(&outcomes[i - 1], &outcomes[i], w->masked == w[-1].masked, &why);
    if (differs) {
        buf_printf(&why, " on ");
        way_name(d, &d->ways[0], &why);
        report(d, k->seed, w, why.data);
    }
    buf_free(&why);
}

/* Run one kernel in every way. Returns -1 if a GPU failed: its context is then lost, and the
 * worker must end. */
static int run_one(struct differential *d, uint64_t seed)
{
    struct random_kernel k;
    struct outcome outcomes[WAYS_MAX] = {{{0}}};
    int ran[WAYS_MAX] = {0}, lost = 0;
    random_kernel(seed, &k, NULL);
    for (int i = 0; i < d->way_count && !lost; i++) {
        struct way *w = &d->ways[i];
        struct err e = {0};
        if (!w->module) continue;
        ran[i] = !outcome_take(&k, w, &outcomes[i], &e);
        if (!ran[i]) {
            report(d, seed, w, e.text);
            lost = !device_simulated(w->spec);
        } else if (i) {
            compare_way(d, &k, i, outcomes, ran);
        }
    }
    for (int i = 0; i < d->way_count; i++) outcome_free(&outcomes[i]);
    return lost ? -1 : 0;
}

/* ---- workers ---- */

/* Load a file's PTX for one way. A module that does not load is a mismatch; its kernels are then
 * skipped. */
static void load_way(struct differential *d, int file, struct way *w, const char *source)
{
    char *path = random_ptx(&d->set, file, w->front), *ptx = NULL;
    struct err e = {0};
    device_settings(w->device)->unoptimised = w->unoptimised;
    if (file_read(path, (size_t)64 << 20, &ptx, NULL, &e) ||
        device_load(w->device, ptx, path, source, &w->module, &e))
        report(d, d->set.seed + (uint64_t)file * RANDOM_PER_FILE, w, e.text);
    free(ptx);
    free(path);
}

/* Load a file in every way, run its kernels from `first` on, and unload it. Ways that differ
 * only in settings of the launch share a module. */
static void run_file(struct differential *d, struct worker *me, int file, int first)
{
    char *source = random_source(&d->set, file);
    me->kernel = file * RANDOM_PER_FILE + first;
    me->patience = timeout_begin(getpid());
    for (int i = 0; i < d->way_count; i++) {
        struct way *w = &d->ways[i];
        /* An earlier way with the same device and front end has the module already. Unoptimised
         * code needs its own. */
        int like = i - 1;
        while (like >= 0 && (d->ways[like].device != w->device || d->ways[like].front != w->front ||
                                w->unoptimised))
            like--;
        w->module = like < 0 ? NULL : d->ways[like].module;
        me->loading = i + 1;
        if (like < 0 && (me->skip_file != file || !(me->skip_ways >> i & 1)))
            load_way(d, file, w, source);
    }
    /* From here on a fault belongs to a kernel. */
    me->loading = 0;
    for (int i = first; i < random_kernels_in(&d->set, file); i++) {
        me->kernel = file * RANDOM_PER_FILE + i;
        me->patience = timeout_begin(getpid());
        if (run_one(d, d->set.seed + (uint64_t)me->kernel)) _exit(1);
    }
    me->patience = timeout_begin(getpid());
    for (int i = d->way_count; i--;) {
        struct way *w = &d->ways[i];
        /* Unload a shared module only once, with the first way that has it. */
        int last = 1;
        for (int k = 0; k < i; k++) last = last && d->ways[k].module != w->module;
        if (last && w->module) device_unload(w->device, w->module);
    }
    free(source);
}

/* The main function of a worker. It takes every jobs-th file; start is the first kernel that is
 * not done yet. */
static void work(struct differential *d, struct worker *me, int start)
{
    struct err e = {0};
    if (ways_open(d, &e)) {
        report(d, d->set.seed + (uint64_t)start, &d->ways[d->way_count - 1], e.text);
        me->done = 1;
        _exit(1);
    }
    for (int file = start / RANDOM_PER_FILE, first = start % RANDOM_PER_FILE; file < d->set.files;
         file += d->jobs, first = 0)
        run_file(d, me, file, first);
    me->done = 1;
    for (int i = 0; i < d->way_count; i++)
        if (!d->ways[i].borrowed) device_close(d->ways[i].device);
    _exit(0);
}

/* Fork a worker that starts with kernel `start`, unless there is none left. */
static int start_worker(struct differential *d, int w, int start, struct err *e)
{
    struct worker *me = &d->shared->workers[w];
    me->kernel = start;
    me->done = start / RANDOM_PER_FILE >= d->set.files;
    if (me->done) return 0;
    fflush(stdout);
    pid_t child = d->pids[w] = fork();
    if (child < 0) return err_set(e, ERR_ENV, "a process cannot be started: %s", strerror(errno));
    if (!child) work(d, me, start);
    me->patience = timeout_begin(child);
    return 0;
}

/* Where a new worker starts after one has ended: behind the kernel that ended it, in the same
 * file or in this worker's next file. If loading a module ended it, the new one starts with the
 * same kernel and skips that module. */
static int begin_again(const struct differential *d, struct worker *me)
{
    int file = me->kernel / RANDOM_PER_FILE, next = me->kernel + 1;
    if (me->loading) {
        me->skip_ways = (me->skip_file == file ? me->skip_ways : 0) | 1u << (me->loading - 1);
        me->skip_file = file;
        return me->kernel;
    }
    return next / RANDOM_PER_FILE == file && next < d->set.count
               ? next
               : (file + d->jobs) * RANDOM_PER_FILE;
}

/* Report a worker that died or was killed, as a mismatch of the kernel or module it was busy
 * with. */
static void report_end(struct differential *d, const struct worker *me, int signal)
{
    const struct way *w = &d->ways[me->loading ? me->loading - 1 : d->way_count - 1];
    struct buf what = {0};
    if (me->loading)
        buf_printf(&what, "loading it and up to %d kernels behind it ", RANDOM_PER_FILE - 1);
    if (signal == SIGKILL)
        buf_printf(&what, "did not end in %d s", KERNEL_SECONDS);
    else
        buf_printf(&what, "ended the program with signal %d", signal);
    report(d, d->set.seed + (uint64_t)me->kernel, w, what.data);
    buf_free(&what);
}

/* Look after one worker: kill it if a kernel takes too long, replace it if it ended early.
 * Returns 1 while it lives, 0 once it is done, -1 on error. */
static int watch(struct differential *d, int w, struct err *e)
{
    struct worker *me = &d->shared->workers[w];
    int status = 0;
    if (!d->pids[w]) return 0;
    if (timeout_is_over(&me->patience, KERNEL_SECONDS)) kill(d->pids[w], SIGKILL);
    if (waitpid(d->pids[w], &status, WNOHANG) != d->pids[w]) return 1;
    d->pids[w] = 0;
    if (me->done) return 0;
    if (WIFSIGNALED(status)) report_end(d, me, WTERMSIG(status));
    return start_worker(d, w, begin_again(d, me), e) ? -1 : 1;
}

/* Start all workers and wait for them. The parent opens no device itself. */
static int run_all(struct differential *d, struct err *e)
{
    int alive = 1;
    for (int w = 0; w < d->jobs; w++)
        if (start_worker(d, w, w * RANDOM_PER_FILE, e)) return -1;
    while (alive) {
        alive = 0;
        for (int w = 0; w < d->jobs; w++) {
            int state = watch(d, w, e);
            if (state < 0) return -1;
            alive |= state;
        }
        usleep(10000);
    }
    return 0;
}

/* ---- the command ---- */

/* Read the numbers of the command line. Defaults: 200 kernels from seed 1, a worker per CPU
 * core. */
static int numbers(
    struct differential *d, const char *seed, const char *count, const char *jobs, struct err *e)
{
    uint64_t n = 200, j = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    d->set.seed = 1;
    if ((seed && options_number("--seed", seed, UINT64_MAX / 2, &d->set.seed, e)) ||
        (count && options_number("--count", count, 1000000, &n, e)) ||
        (jobs && options_number("--jobs", jobs, JOBS_MAX, &j, e)))
        return -1;
    d->set.count = (int)n;
    d->set.files = (d->set.count + RANDOM_PER_FILE - 1) / RANDOM_PER_FILE;
    d->jobs = j < 1 ? 1 : j > JOBS_MAX ? JOBS_MAX : (int)j;
    return 0;
}

/* Write what was run and what was found to a record such as
 * tests/hardware/records/h200-differential.json. */
static int keep_record(
    const struct differential *d, json_t *record, const char *file, struct err *e)
{
    json_t *found = json_array();
    int n = d->shared->mismatches;
    json_object_set_new(record, "seed", json_integer((json_int_t)d->set.seed));
    json_object_set_new(record, "kernels", json_integer(d->set.count));
    json_object_set_new(record, "comparisons", json_integer(d->shared->comparisons));
    json_object_set_new(record, "mismatches", json_integer(n));
    for (int i = 0; i < n && i < KEPT_MAX; i++) {
        const struct mismatch *m = &d->shared->kept[i];
        json_array_append_new(found, json_pack("{s:I, s:s, s:s}", "seed", (json_int_t)m->seed,
                                         "way", m->way, "what", m->what));
    }
    json_object_set_new(record, "found", found);
    return record_write(file, record, e);
}

/* Compile, run and report. Any mismatch makes the command fail. */
static int run(struct differential *d, json_t *record, const char *out, struct err *e)
{
    ways_list(d);
    d->shared =
        mmap(NULL, sizeof *d->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (d->shared == MAP_FAILED)
        return err_set(e, ERR_ENV, "no memory to share with workers: %s", strerror(errno));
    double start = clock_seconds();
    if (random_write(&d->set, e)) return -1;
    double compiled = clock_seconds();
    if (run_all(d, e)) return -1;
    int bad = d->shared->mismatches;
    printf("%d kernels from seed %llu, %d comparisons, %d mismatches: %s against %s", d->set.count,
        (unsigned long long)d->set.seed, d->shared->comparisons, bad, reference, d->device);
    for (int i = 0; i < d->set.front_count; i++)
        printf("%s %s", i ? " and" : ", by", d->set.fronts[i].name);
    printf("; %.1f s to compile, %.1f s to run\n", compiled - start, clock_seconds() - compiled);
    if (out && keep_record(d, record, out, e)) return -1;
    return bad ? err_set(e, ERR_ENV, "%d mismatches", bad) : 0;
}

/* The record's header with the command line that repeats the run. It runs nvidia-smi, so it
 * comes before any fork. */
static json_t *new_record(const struct differential *d)
{
    struct buf command = {0}, fronts = {0};
    buf_printf(&command, "lockstep-hardware differential --seed %llu --count %d --device %s",
        (unsigned long long)d->set.seed, d->set.count, d->device);
    if (d->set.front_count == 1) buf_printf(&command, " --front %s", d->set.fronts[0].kind);
    if (d->set.from)
        buf_printf(&command, " --from DIR"); /* the path is of no use on another machine */
    for (int i = 0; i < d->set.front_count; i++)
        buf_printf(&fronts, "%s%s", i ? ", " : "", d->set.fronts[i].name);
    json_t *record = record_new(command.data, fronts.data);
    buf_free(&command);
    buf_free(&fronts);
    return record;
}

int command_differential(int argc, char **argv, struct err *e)
{
    const char *seed = NULL, *count = NULL, *device = NULL, *front = NULL, *emit = NULL,
               *jobs = NULL, *out = NULL;
    struct differential d = {0};
    d.set.kit = &d.kit;
    const struct option_spec specs[] = {{"--seed", &seed}, {"--count", &count},
        {"--device", &device}, {"--front", &front}, {"--out", &out}, {"--emit", &emit},
        {"--from", &d.set.from}, {"--jobs", &jobs}, {0}};
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 || numbers(&d, seed, count, jobs, e) ||
        random_fronts(&d.set, front, e) || kit_find(&d.kit, e))
        return -1;
    d.device = device ? device : device_default();
    if (emit && mkdir(emit, 0777) && errno != EEXIST)
        return err_set(e, ERR_ENV, "%s: cannot be made: %s", emit, strerror(errno));
    d.set.directory = emit ? xstrdup(emit) : kit_temporary(&d.kit, e);
    if (!d.set.directory) return -1;
    free(d.kit.cache); /* no cache: random files are compiled only once */
    d.kit.cache = NULL;
    json_t *record = new_record(&d);
    int bad = run(&d, record, out, e);
    json_decref(record);
    if (!emit) spawn_remove_directory(d.set.directory);
    free(d.set.directory);
    while (d.set.front_count) front_free(&d.set.fronts[--d.set.front_count]);
    kit_free(&d.kit);
    return bad;
}
