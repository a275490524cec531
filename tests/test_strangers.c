/* test_strangers.c - kernels as people write them, host and all: tests/strangers by every front
 * end, some with outputs that are compared with the CPU's; and what kernels print. */
#define _GNU_SOURCE
#include "profiling.h"

#include <glob.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

/* ---- what kernels print ---- */

START_TEST(printf_prints_as_c_does)
{
    char want[1024];
    const double d = 3;
    struct launched r =
        on_h200("prints.cu", "conversions", 2, 64, WITH("buf:i8:5:fill=33", "f64:3"));
    int n = snprintf(want, sizeof want, "%d %5d|%-5d|%05d|%+d %i\n", -1, 42, 42, 42, 42, 7);
    n += snprintf(want + n, sizeof want - (size_t)n, "%u %x %X %o %#x 44 4464\n", 4000000000u, 255,
        255, 8, 255);
    n += snprintf(want + n, sizeof want - (size_t)n,
        "-5000000000 18000000000000000000 4 0x1234\n%f %.2f %8.3e %g %G\n", d, d, d, d, 1e-10);
    n += snprintf(want + n, sizeof want - (size_t)n, "[%s] [%8s] [%-8s] [%.2s] %c%c\n", "abc",
        "abc", "abc", "abc", 'x', 'y');
    n += snprintf(want + n, sizeof want - (size_t)n, "%*d|%-*d|%.*f\n100%% %%y %%\n%s\n", 6, 42, 6,
        42, 3, d, "!!!!!");
    ck_assert_ptr_nonnull(r.p.m.printed);
    ck_assert_str_eq(r.p.m.printed, want);
    struct buf text = {0}, page = {0};
    struct screen wide = {.width = 160};
    profile_text(&wide, &r.p, &text);
    HAS(text.data, "printed by the kernel:\n-1    42|42   |");
    profile_page(&r.p, 1, &page);
    HAS(page.data, "Printed by the kernel</h");
    json_t *o = profile_json(&r.p, 1), *kernel = json_array_get(json_object_get(o, "kernels"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(kernel, "printed")), want);
    json_decref(o);
    buf_free(&text);
    buf_free(&page);
    launched_free(&r);
    r = on_h200("prints.cu", "quiet", 2, 64, WITH());
    ck_assert_ptr_null(r.p.m.printed);
    launched_free(&r);
}
END_TEST

/* Output comes in the order of blocks and of a warp's lanes, whatever the number of host threads;
 * it is cut at a limit, with a line that says so. */
START_TEST(prints_have_an_order)
{
    char want[4096];
    size_t n = 0;
    for (int b = 0; b < 6; b++)
        for (int i = 0; i < 40; i++)
            n += (size_t)snprintf(want + n, sizeof want - n, "%d.%d ", b, i);
    snprintf(want + n, sizeof want - n, "\n");
    char *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        host_threads = threads;
        struct launched r = on_h200("prints.cu", "threads", 6, 40, WITH());
        ck_assert_msg(!strcmp(r.p.m.printed, want), "%.200s", r.p.m.printed);
        launched_free(&r);
        r = on_h200("prints.cu", "flood", 400, 64, WITH());
        ck_assert_uint_lt(strlen(r.p.m.printed), 40000);
        ck_assert_msg(
            !strncmp(r.p.m.printed, "block 00000 thread 0000 prints", 30), "%.80s", r.p.m.printed);
        HAS(r.p.m.printed, "\nblock 00008 thread 0063 prints");
        HAS(r.p.m.printed, "\n... and so on: printf was called 25600 times\n");
        if (first)
            ck_assert_msg(!strcmp(first, r.p.m.printed), "on %d threads another text", threads);
        free(first);
        first = xstrdup(r.p.m.printed);
        launched_free(&r);
    }
    free(first);
    host_threads = 0;
}
END_TEST

START_TEST(assertions_fail_where_they_stand)
{
    struct launched r = on_h200("prints.cu", "asserts", 4, 64, WITH("i32:65"));
    launched_free(&r);
    r = launch_on("sim:h200", "prints.cu", "asserts", 4, 64, WITH("i32:41"));
    ck_assert(r.bad);
    HAS(r.e.text,
        "tests/profile/prints.cu:31: block (1,0) thread (40,0) fails the assertion threadIdx.x + 1 < n && "
        "\"too many threads\"");
    launched_free(&r);
    r = launch_on("sim:h200", "prints.cu", "lost", 1, 1, WITH());
    ck_assert(r.bad);
    HAS(r.e.text, "prints a string at address 0x8; nothing is allocated there");
    launched_free(&r);
}
END_TEST

/* A kernel that cannot be executed is refused; the file's other kernels still run. */
START_TEST(one_refused_kernel_is_one)
{
    struct launched r = launch_on("sim:h200", "prints.cu", "takes", 1, 1, WITH("buf:u64:1"));
    ck_assert(r.bad);
    HAS(r.e.text, "tests/profile/prints.cu:34: instruction griddepcontrol.wait is not supported");
    launched_free(&r);
}
END_TEST

START_TEST(what_never_ends_and_stores_nothing_is_told)
{
    static const char *const kernels[] = {"waits", "doubles"};
    static const int lines[] = {6, 12};
    for (int i = 0; i < 2; i++) {
        struct launched r =
            launch_on("sim:h200", "endless.cu", kernels[i], 1, 32, WITH("buf:i32:1:zero"));
        ck_assert_msg(r.bad, "%s ended", kernels[i]);
        HAS(r.e.text, "has not ended after ");
        HAS(r.e.text, "is this a loop without an end?");
        char *file = strstr(r.e.text, "endless.cu:");
        ck_assert_msg(file && abs(atoi(file + strlen("endless.cu:")) - lines[i]) <= 1, "%s",
            r.e.text); /* the loop's head or body */
        launched_free(&r);
    }
}
END_TEST

/* 8 x 8 accumulators a thread, in loops without pragmas, become registers once everything is
 * inlined and unrolled. */
START_TEST(a_tile_of_registers_stays_in_registers)
{
    struct launched r =
        on_h200("../strangers/gemm_register.cu", "gemm_kernel<64, 64, 8, 8, 8>", 1, 64,
            WITH("i32:64", "i32:64", "i32:64", "f32:1", "buf:f32:4096:iota", "buf:f32:4096:fill=1",
                "f32:0", "buf:f32:4096:zero"));
    ck_assert_double_eq(r.p.m.metrics.v[METRIC_LOCAL_LD], 0);
    ck_assert_double_eq(r.p.m.metrics.v[METRIC_LOCAL_ST], 0);
    ck_assert_double_eq(
        /* the products, and alpha times the sum plus beta times c */
        r.p.m.metrics.v[METRIC_FFMA], 64 * 64 * 64 + 64 * 64);
    launched_free(&r);
}
END_TEST

/* ---- tests/strangers: every "// run: KERNEL GRID BLOCK [shared=BYTES] ARG..." of every file
 * ---- */

enum { FILES_MAX = 64, SEEN_MAX = 8 };

/* A launch's buffers before and after it, in the order of the arguments; a structure's buffers in
 * the order of its members. */
struct seen {
    void *before[SEEN_MAX], *after[SEEN_MAX];
};
#define IN(T, i) ((const T *)s->before[i])
#define OUT(T, i) ((const T *)s->after[i])

/* The error of a value relative to the right one, or to 1 if that is larger. */
static double off(double got, double right)
{
    double size = fabs(right) > 1 ? fabs(right) : 1;
    return isnan(got) ? INFINITY : fabs(got - right) / size;
}
#define WORST(n, got, right) \
    double worst = 0; \
    for (int i = 0; i < (n); i++) { \
        double error = off(got, right); \
        worst = error > worst ? error : worst; \
    } \
    return worst

static double sum_of(const float *x, int n, int stride)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i * stride];
    return sum;
}
static double added(const struct seen *s)
{
    WORST(1000, OUT(float, 2)[i], IN(float, 0)[i] + IN(float, 1)[i]);
}
static double scaled(const struct seen *s)
{
    WORST(1024, OUT(float, 1)[i], 2 * IN(float, 0)[i] + 1);
}
static double reduced(const struct seen *s)
{
    WORST(8, OUT(float, 1)[i], sum_of(IN(float, 0) + 512 * i, 512, 1));
}
static double summed(const struct seen *s)
{
    WORST(1, OUT(float, 1)[i], sum_of(IN(float, 0), 1024, 1));
}
static double scanned(const struct seen *s) { WORST(1024, OUT(int, 0)[i], i * (i - 1) / 2); }
static double counted(const struct seen *s)
{
    int bins[256] = {0};
    for (int i = 0; i < 4096; i++) bins[IN(unsigned char, 0)[i]]++;
    WORST(256, OUT(unsigned, 1)[i], bins[i]);
}
static double softmax_of(const float *row, int k)
{
    double sum = 0;
    for (int i = 0; i < 256; i++) sum += exp(row[i]);
    return exp(row[k]) / sum;
}
static double softmaxed(const struct seen *s)
{
    WORST(2048, 1000 * OUT(float, 1)[i], 1000 * softmax_of(IN(float, 0) + i / 256 * 256, i % 256));
}
static double priced(const struct seen *s)
{
    double d1 = (log(30 / 25.0) + (0.02 + 0.5 * 0.09) * 2) / (0.3 * sqrt(2)),
           d2 = d1 - 0.3 * sqrt(2);
    double call = 30 * 0.5 * erfc(-d1 * M_SQRT1_2) - 25 * exp(-0.04) * 0.5 * erfc(-d2 * M_SQRT1_2);
    WORST(512, OUT(float, 0)[i], call);
}
static double sorted(const struct seen *s)
{
    double in = 0, out = 0, worst = 0;
    for (int i = 0; i < 512; i++) {
        in += IN(int, 0)[i];
        out += OUT(int, 0)[i];
        worst = i && OUT(int, 0)[i] < OUT(int, 0)[i - 1] ? 1 : worst;
    }
    return in == out ? worst : 1;
}
static double gathered(const struct seen *s) { WORST(64, OUT(float, 4)[i], 2 * i); }
static double multiplied(const struct seen *s)
{
    WORST(1024, OUT(float, 2)[i], sum_of(IN(float, 0) + i / 32 * 32, 32, 1));
}
static double matvec(const struct seen *s)
{
    WORST(128, OUT(float, 2)[i], sum_of(IN(float, 0) + i * 128, 128, 1));
}
static double pulled_x(const float *p, int i)
{
    double sum = 0;
    for (int j = 0; j < 256; j++) {
        double d[3], square = 0.01f;
        for (int k = 0; k < 3; k++) {
            d[k] = (double)p[4 * j + k] - p[4 * i + k];
            square += d[k] * d[k];
        }
        sum += p[4 * j + 3] * d[0] / (square * sqrt(square));
    }
    return sum;
}
static double pulled(const struct seen *s)
{
    WORST(256, OUT(float, 1)[4 * i], pulled_x(IN(float, 0), i));
}
static double transformed_x(const float *x, int k)
{
    double sum = 0;
    for (int t = 0; t < 128; t++) sum += x[t] * cos(-2 * M_PI * k * t / 128);
    return sum;
}
static double transformed(const struct seen *s)
{
    WORST(128, OUT(float, 1)[2 * i], transformed_x(IN(float, 0), i));
}
static double gelu(const struct seen *s)
{
    WORST(1024, OUT(float, 1)[i], IN(float, 0)[i] * 0.5 * (1 + erf(IN(float, 0)[i] * M_SQRT1_2)));
}
static int neighbours(const unsigned char *grid, int x, int y)
{
    int n = 0;
    for (int k = 0; k < 9; k++)
        n += k == 4 ? 0 : grid[(y + k / 3 + 63) % 64 * 64 + (x + k % 3 + 63) % 64] & 1;
    return n;
}
static double lived(const struct seen *s)
{
    const unsigned char *grid = IN(unsigned char, 0);
    WORST(4096, OUT(unsigned char, 1)[i], (neighbours(grid, i % 64, i / 64) | (grid[i] & 1)) == 3);
}
static unsigned long long collatz(unsigned long long n)
{
    unsigned long long steps = 0;
    for (; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}
static double stepped(const struct seen *s)
{
    WORST(128, OUT(unsigned long long, 0)[i], collatz(i + 1));
}
static double loss_of(const float *row, int target)
{
    double sum = 0;
    for (int i = 0; i < 128; i++) sum += exp(row[i]);
    return log(sum) - row[target];
}
#include "strangers_half.h"
static double lost(const struct seen *s)
{
    WORST(4, OUT(float, 2)[i], loss_of(IN(float, 0) + 128 * i, i));
}

static const struct check {
    const char *file, *kernel;
    double (*worst)(const struct seen *s);
    double allowed; /* 0: exact */
} checks[] = {{"vector_add", "add", added, 0}, {"saxpy_template", "axpy<float>", scaled, 0},
    {"reduce_shared", "reduce", reduced, 0}, {"reduce_shared", "reduce_unrolled<256>", reduced, 0},
    {"scan_blelloch", "exclusive_scan", scanned, 0},
    {"cooperative_groups", "reduceTile<32>", summed, 1e-6},
    {"histogram", "histogram_global", counted, 0}, {"histogram", "histogram_shared", counted, 0},
    {"softmax", "softmax", softmaxed, 1e-5}, {"softmax", "softmax_online", softmaxed, 1e-4},
    {"black_scholes", "blackScholes", priced, 1e-5}, {"bitonic_sort", "bitonic_block", sorted, 0},
    {"spmv_csr", "spmv_struct", gathered, 0}, {"matrix_struct", "MatMulKernel", multiplied, 0},
    {"matvec", "gemv", matvec, 1e-6}, {"matvec", "gemv_vector", matvec, 1e-6},
    {"nbody", "forces", pulled, 1e-4}, {"dft", "dft", transformed, 2e-3},
    {"activations", "gelu_exact", gelu, 1e-6}, {"game_of_life", "life", lived, 0},
    {"odd_even_graph", "collatz", stepped, 0}, {"flash_attention", "cross_entropy", lost, 1e-6},
    STRANGERS_HALF};
enum { CHECKS = sizeof checks / sizeof *checks };
static int checked[CHECKS];

/* Copies of the buffers that the arguments name, as they are now. */
static void look(
    struct device *d, const struct kernel *k, const struct arguments *a, void *copies[SEEN_MAX])
{
    const struct param *params;
    int n = 0;
    kernel_params(k, &params);
    for (int i = 0; i < a->count; i++)
        for (unsigned at = 0; at + 8 <= params[i].bytes; at += 8) {
            dev_ptr p;
            unsigned char byte;
            struct err e;
            size_t bytes = 0;
            memcpy(&p, a->value[i] + at, sizeof p);
            if (n == SEEN_MAX || device_copy_out(d, &byte, p, 1, &e)) /* not a buffer's address */
                continue;
            for (size_t step = (size_t)1 << 20; step; step /= 2) /* bytes that can be copied */
                while (bytes + step <= (size_t)1 << 20) {
                    unsigned char *probe = xcalloc(1, bytes + step);
                    int bad = device_copy_out(d, probe, p, bytes + step, &e);
                    free(probe);
                    if (bad) break;
                    bytes += step;
                }
            copies[n] = xcalloc(1, bytes);
            ck_assert(!device_copy_out(d, copies[n++], p, bytes, &e));
        }
}

static const struct check *check_of(const char *file, const char *kernel)
{
    const struct check *found = NULL;
    for (int i = 0; i < CHECKS && !found; i++) {
        char *name = xasprintf("tests/strangers/%s.cu", checks[i].file);
        found = strstr(file, name) && !strcmp(kernel, checks[i].kernel) ? &checks[i] : NULL;
        free(name);
    }
    return found;
}

static void extents_of(const char *text, unsigned out[3])
{
    out[0] = out[1] = out[2] = 1;
    sscanf(text, "%u,%u,%u", &out[0], &out[1], &out[2]);
}

/* Launches a kernel and checks its output, if it has a check. words: kernel, grid, block,
 * arguments. */
static void run_once(struct device *d, struct module *m, const char *file, const char *front,
    char **words, int count)
{
    struct arguments a;
    struct launch_shape shape = {.budget = 0};
    struct err e = {0};
    struct seen s = {{0}, {0}};
    const void *args[ARGS_MAX];
    int first = 3;
    extents_of(words[1], shape.grid);
    extents_of(words[2], shape.block);
    if (count > 3 && !strncmp(words[3], "shared=", 7))
        shape.dynamic_shared = strtoul(words[first++] + 7, NULL, 10);
    struct kernel *k = module_kernel(m, words[0]);
    ck_assert_msg(k != NULL, "%s by %s: there is no kernel %s", file, front, words[0]);
    int bad = arguments_place(
        &a, d, k, words[0], file, (const char *const *)words + first, count - first, &e);
    ck_assert_msg(!bad, "by %s: %s", front, e.text);
    for (int i = 0; i < a.count; i++) args[i] = a.value[i];
    const struct check *c = check_of(file, words[0]);
    if (c) look(d, k, &a, s.before);
    ck_assert_msg(
        !device_launch(d, k, &shape, args, NULL, &e), "%s by %s: %s", words[0], front, e.text);
    if (c) {
        look(d, k, &a, s.after);
        double worst = c->worst(&s);
        ck_assert_msg(worst <= c->allowed, "%s, kernel %s by %s: off by %g of %g", file, words[0],
            front, worst, c->allowed);
        checked[c - checks]++;
    }
    for (int i = 0; i < SEEN_MAX; i++) {
        free(s.before[i]);
        free(s.after[i]);
    }
    arguments_free(&a);
}

/* Splits a run, also in further lines ("//      "), into words. Returns the text that follows. */
static char *words_of(char *line, char **words, int *count)
{
    *count = 0;
    for (char *next; line; line = next) {
        if ((next = strchr(line, '\n'))) *next++ = 0;
        for (char *word, *rest = line; (word = strsep(&rest, " "));)
            if (*word && *count < ARGS_MAX) words[(*count)++] = word;
        if (!next || strncmp(next, "//      ", 8)) return next;
        next += 8;
    }
    return NULL;
}

static struct device *opened(void)
{
    struct device *d;
    struct err e;
    ck_assert_msg(!device_open("sim:h200", &d, &e), "%s", e.text);
    return d;
}

static int run_file(const struct compiled *c, const char *front)
{
    static const char mark[] = "// run: ";
    int runs = 0, count;
    char *text = xstrdup(c->source), *words[ARGS_MAX];
    ck_assert_msg(c->status == COMPILE_OK, "%s by %s: %.1500s", c->file, front,
        c->output.data ? c->output.data : c->err.text);
    ck_assert_msg(!c->output.len, "%s by %s: a warning: %.1000s", c->file, front, c->output.data);
    for (char *at = text; at && !strncmp(at, mark, sizeof mark - 1); runs++) {
        struct device *d = opened();
        struct module *m;
        struct err e;
        ck_assert_msg(
            !device_load(d, c->ptx, c->file, c->file, &m, &e), "by %s: %s", front, e.text);
        at = words_of(at + sizeof mark - 1, words, &count);
        ck_assert_int_ge(count, 3);
        run_once(d, m, c->file, front, words, count);
        device_unload(d, m);
        device_close(d);
    }
    free(text);
    ck_assert_msg(runs > 0, "%s has no run", c->file);
    return runs;
}

/* ---- compiled on all cores, by every front end; under the sanitizers a quarter of the files, by
 * the first ---- */

static struct compiled all[FRONTS][FILES_MAX];
static glob_t found;
static atomic_int next_job;
static int jobs, file_count;

static void *compile_some(void *none)
{
    for (int i, n = file_count; (i = atomic_fetch_add(&next_job, 1)) < jobs;)
        compile_any(&kit, &fronts[i / n], found.gl_pathv[i % n], &all[i / n][i % n]);
    return none;
}

START_TEST(strangers_files_run)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int some = getenv("LOCKSTEP_SANITIZED") != NULL, used = some ? 1 : front_count, runs = 0;
    char *pattern = kit_path(&kit, "tests/strangers/*.cu");
    ck_assert(!glob(pattern, 0, NULL, &found) && found.gl_pathc <= FILES_MAX);
    for (size_t i = 0; some && 4 * i < found.gl_pathc; i++) {
        char *keep = found.gl_pathv[i];
        found.gl_pathv[i] = found.gl_pathv[4 * i];
        found.gl_pathv[4 * i] = keep;
    }
    size_t files = some ? (found.gl_pathc + 3) / 4 : found.gl_pathc;
    jobs = used * (int)files;
    file_count = (int)files;
    for (int i = 0; i < THREADS; i++)
        ck_assert(!pthread_create(&threads[i], NULL, compile_some, NULL));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int f = 0; f < used; f++)
        for (size_t i = 0; i < files; i++) {
            runs += run_file(&all[f][i], fronts[f].name);
            compiled_free(&all[f][i]);
        }
    for (int i = 0; i < CHECKS && !some; i++)
        ck_assert_msg(checked[i] == used, "%s of %s was checked %d times", checks[i].kernel,
            checks[i].file, checked[i]);
    printf("%d kernels of %zu files, by %d front end%s\n", runs, files, used, used > 1 ? "s" : "");
    globfree(&found);
    free(pattern);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("strangers");
    TCase *t = tcase_create("strangers");
    fronts_open();
    tcase_set_timeout(t, 0);
    tcase_add_test(t, printf_prints_as_c_does);
    tcase_add_test(t, prints_have_an_order);
    tcase_add_test(t, assertions_fail_where_they_stand);
    tcase_add_test(t, one_refused_kernel_is_one);
    tcase_add_test(t, what_never_ends_and_stores_nothing_is_told);
    tcase_add_test(t, a_tile_of_registers_stays_in_registers);
    tcase_add_test(t, strangers_files_run);
    suite_add_tcase(s, t);
    int failed = suite_run(s);
    fronts_close();
    return failed;
}
