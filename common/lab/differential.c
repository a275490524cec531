/* differential.c - lockstep differential: random kernels on the simulator and on another device, compared bit for bit.
 *
 *     seeds ── random_kernel ──> files of kernels ── front ends ──> PTX ── workers ──> mismatches
 *
 * Each kernel is run in several ways, which must agree: on the simulator by each front end, on the device under test,
 * and, where that is a simulated one too, with every handler in its form for lanes that are off and with another number
 * of host threads, where the counters must not change either. A GPU's driver compiles PTX: as it does by itself, and with
 * its optimiser off, so that a mismatch tells whose it is.
 *
 * All is compiled before any device is opened, as a process that uses the CUDA driver must not fork. Workers are
 * processes: a kernel that faults or never ends costs its worker, and the next one goes on behind it. */
#define _GNU_SOURCE
#include "lab/commands.h"
#include "lab/compile.h"
#include "lab/outcome.h"
#include "lab/record.h"
#include "lab/spawn.h"

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

enum { FRONTS = 2, WAYS_MAX = 12, PER_FILE = 10, JOBS_MAX = 64, COMPILE_AT_ONCE = 32, KERNEL_SECONDS = 60, KEPT_MAX = 256 };
static const char reference[] = "sim:h200";

struct worker {
    int kernel;              /* being run, as an index from the first seed; the next worker starts behind it */
    int loading;             /* the file that starts there, for this way, from 1 */
    int skip_file;           /* whose modules ended workers before it */
    unsigned skip_ways;      /* for these ways, a bit each */
    int done;
    double since;            /* that kernel's start */
};

struct mismatch {
    uint64_t seed;
    char way[64], what[160]; /* cut off */
};

struct shared {
    atomic_int comparisons, mismatches;
    struct mismatch kept[KEPT_MAX]; /* the first of them, in the order of their finding */
    struct worker workers[JOBS_MAX];
};

struct differential {
    struct kit kit;
    struct front fronts[FRONTS];
    int front_count;
    uint64_t seed;
    int count, files, jobs;
    const char *device, *from, *counts;
    char *directory;
    struct way ways[WAYS_MAX];
    int way_count;
    struct shared *shared;
    pid_t pids[JOBS_MAX];    /* of the workers; 0: none */
};

static char *file_of(const struct differential *d, const char *directory, int file, const char *suffix)
{
    return xasprintf("%s/random_%llu.%s", directory, (unsigned long long)(d->seed + (uint64_t)file * PER_FILE), suffix);
}

static char *ptx_file(const struct differential *d, const char *directory, int file, int front)
{
    char *suffix = xasprintf("%s.ptx", d->fronts[front].kind), *path = file_of(d, directory, file, suffix);
    free(suffix);
    return path;
}

/* The file that says which compiler PTX that is kept is by. */
static char *front_file(const char *directory, const char *kind)
{
    return xasprintf("%s/%s.front", directory, kind);
}

static int kernels_in(const struct differential *d, int file)
{
    int left = d->count - file * PER_FILE;
    return left < PER_FILE ? left : PER_FILE;
}

/* ---- writing and compiling ---- */

static int write_source(const struct differential *d, int file, struct err *e)
{
    struct buf text = {0};
    struct random_kernel k;
    char *path = file_of(d, d->directory, file, "cu");
    random_prelude(&text);
    for (int i = 0; i < kernels_in(d, file); i++)
        random_kernel(d->seed + (uint64_t)(file * PER_FILE + i), &k, &text);
    int bad = file_write(path, text.data, text.len, e);
    buf_free(&text);
    free(path);
    return bad;
}

static int keep_ptx(const struct differential *d, int file, int front, const struct compiled *c, struct err *e)
{
    if (c->status != COMPILE_OK)
        return err_set(e, ERR_ENV, "%s, by %s: %s", c->file, d->fronts[front].name, c->output.len ? c->output.data : c->err.text);
    char *path = ptx_file(d, d->directory, file, front);
    int bad = file_write(path, c->ptx, strlen(c->ptx), e);
    free(path);
    return bad;
}

/* The PTX of files first .. first + n. */
static int compile_some(const struct differential *d, int front, int first, int n, struct err *e)
{
    char *paths[COMPILE_AT_ONCE];
    int bad = 0;
    struct compiled *done = xcalloc(COMPILE_AT_ONCE, sizeof *done);
    for (int i = 0; i < n; i++)
        paths[i] = file_of(d, d->directory, first + i, "cu");
    compile_kernels(&d->kit, &d->fronts[front], paths, done, n);
    for (int i = 0; i < n; i++) {
        bad = bad || keep_ptx(d, first + i, front, &done[i], e);
        compiled_free(&done[i]);
        free(paths[i]);
    }
    free(done);
    return bad ? -1 : 0;
}

static int compile_all(const struct differential *d, int front, struct err *e)
{
    char *path = front_file(d->directory, d->fronts[front].kind);
    int bad = file_write(path, d->fronts[front].name, strlen(d->fronts[front].name), e);
    free(path);
    for (int i = 0; i < d->files && !bad; i += COMPILE_AT_ONCE) {
        int left = d->files - i;
        bad = compile_some(d, front, i, left < COMPILE_AT_ONCE ? left : COMPILE_AT_ONCE, e);
    }
    return bad;
}

/* Sources, and PTX where none was brought along. */
static int write_all(const struct differential *d, struct err *e)
{
    for (int i = 0; i < d->files; i++)
        if (write_source(d, i, e))
            return -1;
    for (int f = 0; f < d->front_count && !d->from; f++)
        if (compile_all(d, f, e))
            return -1;
    return 0;
}

/* ---- the ways ---- */

static void way_add(struct differential *d, const char *spec, int front, int threads, int masked, int same_counts)
{
    if (d->way_count == WAYS_MAX)
        BUG("more than %d ways", WAYS_MAX);
    d->ways[d->way_count++] = (struct way){.spec = spec, .front = front, .threads = threads, .masked = masked, .same_counts = same_counts};
}

static void ways_list(struct differential *d)
{
    int simulated = !strncmp(d->device, "sim", 3);
    for (int f = 0; f < d->front_count; f++) {
        way_add(d, reference, f, 0, 0, 0);
        if (simulated) {
            way_add(d, reference, f, 3, 0, 1);
            way_add(d, reference, f, 1, 1, 1);
            way_add(d, reference, f, 0, 1, 1);
        }
        if (strcmp(d->device, reference))
            way_add(d, d->device, f, 0, 0, 0);
        if (!simulated) {
            way_add(d, d->device, f, 0, 0, 0);
            d->ways[d->way_count - 1].unoptimised = 1;
        }
    }
}

static int ways_open(struct differential *d, struct err *e)
{
    for (int i = 0; i < d->way_count; i++) {
        struct way *w = &d->ways[i];
        for (int k = 0; k < i && !w->device; k++)
            if (!strcmp(d->ways[k].spec, w->spec))
                w->device = d->ways[k].device, w->borrowed = 1;
        if (!w->device && device_open(w->spec, &w->device, e))
            return -1;
    }
    return 0;
}

static void way_name(const struct differential *d, const struct way *w, struct buf *out)
{
    buf_printf(out, "%s by %s%s", w->spec, d->fronts[w->front].kind, w->masked ? ", masked" : w->unoptimised ? ", unoptimised" : "");
    if (w->threads)
        buf_printf(out, ", %d thread%s", w->threads, w->threads > 1 ? "s" : "");
}

/* ---- reports ---- */

/* In one write, so that workers' lines do not mix. */
static void report(struct differential *d, uint64_t seed, const struct way *w, const char *what)
{
    struct buf text = {0};
    buf_printf(&text, "random_%llu: ", (unsigned long long)seed);
    way_name(d, w, &text);
    buf_printf(&text, ": %s\n    to see it again: lockstep differential --seed %llu --count 1 --device %s --front %s --emit DIR\n", what,
               (unsigned long long)seed, d->device, d->fronts[w->front].kind);
    if (write(STDOUT_FILENO, text.data, text.len) < 0)
        BUG("standard output cannot be written");
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

/* What the simulator counted, on one line: counts KERNEL NAME=VALUE ... */
static void print_counts(const struct random_kernel *k, const struct metrics *m)
{
    struct buf text = {0};
    buf_printf(&text, "counts %s", k->name);
    for (int i = 0; i < METRIC_COUNT; i++)
        if (model_metrics[i].exact && strncmp(model_metrics[i].ncu, "lockstep", 8) && m->v[i] == m->v[i])
            buf_printf(&text, " %s=%.17g", model_metrics[i].ncu, m->v[i]);
    buf_printf(&text, "\n");
    if (write(STDOUT_FILENO, text.data, text.len) < 0)
        BUG("standard output cannot be written");
    buf_free(&text);
}

/* ---- comparing ---- */

/* A way against the first one. */
static void compare_way(struct differential *d, const struct random_kernel *k, int i, const struct outcome *outcomes, const int *ran)
{
    const struct way *w = &d->ways[i];
    struct buf why = {0};
    if (!ran[0])
        return;
    atomic_fetch_add(&d->shared->comparisons, 1);
    int differs = outcome_data_differ(k, &outcomes[0], &outcomes[i], &why);
    if (!differs && w->same_counts && ran[i - 1])
        differs = outcome_counts_differ(&outcomes[i - 1], &outcomes[i], w->masked == w[-1].masked, &why);
    if (differs) {
        buf_printf(&why, " on ");
        way_name(d, &d->ways[0], &why);
        report(d, k->seed, w, why.data);
    }
    buf_free(&why);
}

/* 0, or -1 when a device other than a simulated one failed: its context is lost. */
static int run_kernel(struct differential *d, uint64_t seed)
{
    struct random_kernel k;
    struct outcome outcomes[WAYS_MAX] = {{{0}}};
    int ran[WAYS_MAX] = {0}, lost = 0;
    random_kernel(seed, &k, NULL);
    for (int i = 0; i < d->way_count && !lost; i++) {
        struct way *w = &d->ways[i];
        struct err e = {0};
        if (!w->module)
            continue;
        ran[i] = !outcome_take(&k, w, &outcomes[i], &e);
        if (i == 0 && ran[0] && d->counts)
            print_counts(&k, &outcomes[0].metrics);
        if (!ran[i]) {
            report(d, seed, w, e.text);
            lost = strncmp(w->spec, "sim", 3) != 0;
        } else if (i) {
            compare_way(d, &k, i, outcomes, ran);
        }
    }
    for (int i = 0; i < d->way_count; i++)
        outcome_free(&outcomes[i]);
    return lost ? -1 : 0;
}

/* ---- workers ---- */

static void load_way(struct differential *d, int file, struct way *w, const char *source)
{
    char *path = ptx_file(d, d->from ? d->from : d->directory, file, w->front), *ptx = NULL;
    struct err e = {0};
    device_optimise(!w->unoptimised);
    if (file_read(path, (size_t)64 << 20, &ptx, NULL, &e) || device_load(w->device, ptx, path, source, &w->module, &e))
        report(d, d->seed + (uint64_t)file * PER_FILE, w, e.text);
    free(ptx);
    free(path);
}

static void run_file(struct differential *d, struct worker *me, int file, int first)
{
    char *source = file_of(d, d->directory, file, "cu");
    me->kernel = file * PER_FILE + first;
    me->since = clock_seconds();
    for (int i = 0; i < d->way_count; i++) {
        struct way *w = &d->ways[i];
        int like = i - 1;
        while (like >= 0 && (d->ways[like].device != w->device || d->ways[like].front != w->front || w->unoptimised))
            like--;
        w->module = like < 0 ? NULL : d->ways[like].module;
        me->loading = i + 1;
        if (like < 0 && (me->skip_file != file || !(me->skip_ways >> i & 1)))
            load_way(d, file, w, source);
    }
    me->loading = 0;
    for (int i = first; i < kernels_in(d, file); i++) {
        me->kernel = file * PER_FILE + i;
        me->since = clock_seconds();
        if (run_kernel(d, d->seed + (uint64_t)me->kernel))
            _exit(1);
    }
    me->since = clock_seconds();
    for (int i = d->way_count; i--;) {
        struct way *w = &d->ways[i];
        int last = 1;
        for (int k = 0; k < i; k++)
            last = last && d->ways[k].module != w->module;
        if (last && w->module)
            device_unload(w->device, w->module);
    }
    free(source);
}

/* Every jobs-th file is this worker's; start is the first kernel it has not seen. */
static void work(struct differential *d, struct worker *me, int start)
{
    struct err e = {0};
    if (ways_open(d, &e)) {
        report(d, d->seed + (uint64_t)start, &d->ways[d->way_count - 1], e.text);
        me->done = 1;
        _exit(1);
    }
    for (int file = start / PER_FILE, first = start % PER_FILE; file < d->files; file += d->jobs, first = 0)
        run_file(d, me, file, first);
    me->done = 1;
    for (int i = 0; i < d->way_count; i++)
        if (!d->ways[i].borrowed)
            device_close(d->ways[i].device);
    _exit(0);
}

static int start_worker(struct differential *d, int w, int start, struct err *e)
{
    struct worker *me = &d->shared->workers[w];
    me->kernel = start;
    me->since = clock_seconds();
    me->done = start / PER_FILE >= d->files;
    if (me->done)
        return 0;
    fflush(stdout);
    pid_t child = d->pids[w] = fork();
    if (child < 0)
        return err_set(e, ERR_ENV, "a process cannot be started: %s", strerror(errno));
    if (!child)
        work(d, me, start);
    return 0;
}

/* Where the next worker begins: behind the kernel that ended one, in the same file or in this worker's next; with the
 * same kernel when it was a module, which is then skipped. */
static int begin_again(const struct differential *d, struct worker *me)
{
    int file = me->kernel / PER_FILE, next = me->kernel + 1;
    if (me->loading) {
        me->skip_ways = (me->skip_file == file ? me->skip_ways : 0) | 1u << (me->loading - 1);
        me->skip_file = file;
        return me->kernel;
    }
    return next / PER_FILE == file && next < d->count ? next : (file + d->jobs) * PER_FILE;
}

static void report_end(struct differential *d, const struct worker *me, int signal)
{
    const struct way *w = &d->ways[me->loading ? me->loading - 1 : d->way_count - 1];
    struct buf what = {0};
    if (me->loading)
        buf_printf(&what, "loading it and up to %d kernels behind it ", PER_FILE - 1);
    if (signal == SIGKILL)
        buf_printf(&what, "did not end in %d s", KERNEL_SECONDS);
    else
        buf_printf(&what, "ended the program with signal %d", signal);
    report(d, d->seed + (uint64_t)me->kernel, w, what.data);
    buf_free(&what);
}

static int watch(struct differential *d, int w, struct err *e)
{
    struct worker *me = &d->shared->workers[w];
    int status = 0;
    if (!d->pids[w])
        return 0;
    if (clock_seconds() - me->since > KERNEL_SECONDS)
        kill(d->pids[w], SIGKILL);
    if (waitpid(d->pids[w], &status, WNOHANG) != d->pids[w])
        return 1;
    d->pids[w] = 0;
    if (me->done)
        return 0;
    if (WIFSIGNALED(status))
        report_end(d, me, WTERMSIG(status));
    return start_worker(d, w, begin_again(d, me), e) ? -1 : 1;
}

static int run_all(struct differential *d, struct err *e)
{
    int alive = 1;
    for (int w = 0; w < d->jobs; w++)
        if (start_worker(d, w, w * PER_FILE, e))
            return -1;
    while (alive) {
        alive = 0;
        for (int w = 0; w < d->jobs; w++) {
            int state = watch(d, w, e);
            if (state < 0)
                return -1;
            alive |= state;
        }
        usleep(10000);
    }
    return 0;
}

/* ---- the command ---- */

/* Whose PTX lies in d->from. 0: none of this kind's. */
static int front_from(const struct differential *d, const char *kind, struct front *f)
{
    char *path = front_file(d->from, kind), *name = NULL;
    struct err e = {0};
    int there = !file_read(path, 256, &name, NULL, &e);
    if (there)
        *f = (struct front){.kind = kind, .path = xstrdup(kind), .name = name};
    free(path);
    return there;
}

static int find_fronts(struct differential *d, const char *kind, struct err *e)
{
    static const char *const kinds[FRONTS] = {"clang", "nvcc"};
    for (int i = 0; i < FRONTS; i++) {
        if (kind && strcmp(kind, kinds[i]))
            continue;
        struct front *f = &d->fronts[d->front_count];
        if (d->from ? front_from(d, kinds[i], f) : !front_find(f, kinds[i], NULL))
            d->front_count++;
    }
    if (d->front_count)
        return 0;
    if (d->from)
        return err_set(e, ERR_USAGE, "--from: %s: nothing that --emit DIR has written%s%s", d->from, kind ? " by " : "", kind ? kind : "");
    return front_find(&d->fronts[0], kind, e);
}

static int numbers(struct differential *d, const char *seed, const char *count, const char *jobs, struct err *e)
{
    uint64_t n = 200, j = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
    d->seed = 1;
    if ((seed && options_number("--seed", seed, UINT64_MAX / 2, &d->seed, e)) ||
        (count && options_number("--count", count, 1000000, &n, e)) || (jobs && options_number("--jobs", jobs, JOBS_MAX, &j, e)))
        return -1;
    d->count = (int)n;
    d->files = (d->count + PER_FILE - 1) / PER_FILE;
    d->jobs = j < 1 ? 1 : j > JOBS_MAX ? JOBS_MAX : (int)j;
    return 0;
}

/* What the run was and what it found, as solutions/measured/h200-differential.json has it. */
static int keep_record(const struct differential *d, json_t *record, const char *file, struct err *e)
{
    json_t *found = json_array();
    int n = d->shared->mismatches;
    json_object_set_new(record, "seed", json_integer((json_int_t)d->seed));
    json_object_set_new(record, "kernels", json_integer(d->count));
    json_object_set_new(record, "comparisons", json_integer(d->shared->comparisons));
    json_object_set_new(record, "mismatches", json_integer(n));
    for (int i = 0; i < n && i < KEPT_MAX; i++) {
        const struct mismatch *m = &d->shared->kept[i];
        json_array_append_new(found, json_pack("{s:I, s:s, s:s}", "seed", (json_int_t)m->seed, "way", m->way, "what", m->what));
    }
    json_object_set_new(record, "found", found);
    return record_write(file, record, e);
}

static int run(struct differential *d, json_t *record, const char *out, struct err *e)
{
    ways_list(d);
    d->shared = mmap(NULL, sizeof *d->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (d->shared == MAP_FAILED)
        return err_set(e, ERR_ENV, "no memory to share with workers: %s", strerror(errno));
    double start = clock_seconds();
    if (write_all(d, e))
        return -1;
    double compiled = clock_seconds();
    if (run_all(d, e))
        return -1;
    int bad = d->shared->mismatches;
    printf("%d kernels from seed %llu, %d comparisons, %d mismatches: %s against %s", d->count, (unsigned long long)d->seed,
           d->shared->comparisons, bad, reference, d->device);
    for (int i = 0; i < d->front_count; i++)
        printf("%s %s", i ? " and" : ", by", d->fronts[i].name);
    printf("; %.1f s to compile, %.1f s to run\n", compiled - start, clock_seconds() - compiled);
    if (out && keep_record(d, record, out, e))
        return -1;
    return bad ? err_set(e, ERR_ENV, "%d mismatches", bad) : 0;
}

static json_t *new_record(const struct differential *d)
{
    struct buf command = {0}, fronts = {0};
    buf_printf(&command, "lockstep differential --seed %llu --count %d --device %s", (unsigned long long)d->seed, d->count, d->device);
    if (d->front_count == 1)
        buf_printf(&command, " --front %s", d->fronts[0].kind);
    if (d->from)
        buf_printf(&command, " --from DIR"); /* where that is, is nobody's business */
    for (int i = 0; i < d->front_count; i++)
        buf_printf(&fronts, "%s%s", i ? ", " : "", d->fronts[i].name);
    json_t *record = record_new(command.data, fronts.data);
    buf_free(&command);
    buf_free(&fronts);
    return record;
}

int command_differential(int argc, char **argv, struct err *e)
{
    const char *seed = NULL, *count = NULL, *device = NULL, *front = NULL, *emit = NULL, *jobs = NULL, *out = NULL;
    struct differential d = {0};
    const struct option_spec specs[] = {{"--seed", &seed}, {"--count", &count}, {"--device", &device}, {"--front", &front}, {"--out", &out},
                                        {"--emit", &emit}, {"--from", &d.from}, {"--jobs", &jobs}, {"--counts", &d.counts, 1}, {0}};
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 || numbers(&d, seed, count, jobs, e) || find_fronts(&d, front, e) ||
        kit_find(&d.kit, e))
        return -1;
    d.device = device ? device : device_default();
    if (emit && mkdir(emit, 0777) && errno != EEXIST)
        return err_set(e, ERR_ENV, "%s: cannot be made: %s", emit, strerror(errno));
    d.directory = emit ? xstrdup(emit) : kit_temporary(&d.kit, e);
    if (!d.directory)
        return -1;
    free(d.kit.cache); /* random files are never met again */
    d.kit.cache = NULL;
    json_t *record = new_record(&d);
    int bad = run(&d, record, out, e);
    json_decref(record);
    if (!emit)
        spawn_remove_directory(d.directory);
    free(d.directory);
    while (d.front_count)
        front_free(&d.fronts[--d.front_count]);
    kit_free(&d.kit);
    return bad;
}
