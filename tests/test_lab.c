/* test_lab.c - the lab layer without a device: problems, answers, comparison, shapes, points, compiling, host C, words. */
#include "lab/attempt.h"
#include "lab/commands.h"
#include "lab/compare.h"
#include "lab/ladder.h"
#include "lab/score.h"
#include "lab/spawn.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- problems ---- */

static struct instance make(const char *problem, int d0, int d1, int d2, uint64_t seed)
{
    struct instance in;
    int dims[DIMS] = {d0, d1, d2};
    ck_assert_ptr_nonnull(problem_find(problem));
    instance_make(&in, problem_find(problem), dims, seed);
    return in;
}

static double answer_at(struct instance *in, size_t i)
{
    struct expected x;
    expected_make(&x, in);
    double v = x.value[i];
    expected_free(&x);
    return v;
}

START_TEST(every_problem_is_whole)
{
    for (int i = 0; problem_at(i); i++) {
        const struct problem *p = problem_at(i);
        struct instance in = make(p->name, 7, 5, 3, 1);
        size_t rows, columns;
        struct expected x;
        long gx, gy;
        ck_assert_ptr_eq(problem_find(p->name), p);
        expected_make(&x, &in);
        p->result(in.dims, &rows, &columns);
        ck_assert_uint_eq(rows * columns, x.count);
        p->extents(in.dims, &gx, &gy);
        ck_assert_int_ge(gx, 1);
        ck_assert_int_ge(gy, 1);
        ck_assert_double_gt(p->useful(in.dims), 0);
        ck_assert_int_lt(p->output, problem_buffers(p));
        for (int b = 0; b < problem_buffers(p); b++) {
            char *pointer = xasprintf("*%s", p->buffers[b].name);
            ck_assert_ptr_nonnull(strstr(p->signature, pointer));
            free(pointer);
        }
        for (int d = 0; d < problem_dims(p); d++) {
            char *word = xasprintf("int %s", p->dim_names[d]);
            ck_assert_ptr_nonnull(strstr(p->signature, word));
            free(word);
        }
        expected_free(&x);
        instance_free(&in);
    }
}
END_TEST

START_TEST(inputs_come_from_the_seed)
{
    struct instance a = make("matmul", 5, 6, 7, 1), b = make("matmul", 5, 6, 7, 1), c = make("matmul", 5, 6, 7, 2);
    ck_assert_mem_eq(a.data[0], b.data[0], instance_bytes(&a, 0));
    ck_assert_mem_ne(a.data[0], c.data[0], instance_bytes(&a, 0));
    instance_free(&a), instance_free(&b), instance_free(&c);
}
END_TEST

START_TEST(answers_by_hand)
{
    struct instance in = make("matmul", 2, 2, 2, 1);
    memcpy(in.data[0], (float[]){1, 2, 3, 4}, 16);
    memcpy(in.data[1], (float[]){5, 6, 7, 8}, 16);
    ck_assert_double_eq(answer_at(&in, 0), 19);
    ck_assert_double_eq(answer_at(&in, 1), 22);
    ck_assert_double_eq(answer_at(&in, 2), 43);
    ck_assert_double_eq(answer_at(&in, 3), 50);
    instance_free(&in);

    in = make("transpose", 2, 3, 0, 1);
    memcpy(in.data[0], (float[]){1, 2, 3, 4, 5, 6}, 24);
    ck_assert_double_eq(answer_at(&in, 1), 4);
    ck_assert_double_eq(answer_at(&in, 4), 3);
    instance_free(&in);

    in = make("aat", 2, 3, 0, 1);
    memcpy(in.data[0], (float[]){1, 2, 3, 4, 5, 6}, 24);
    ck_assert_double_eq(answer_at(&in, 0), 14);
    ck_assert_double_eq(answer_at(&in, 1), 32);
    ck_assert_double_eq(answer_at(&in, 3), 77);
    instance_free(&in);

    in = make("copy_offset", 3, 1, 0, 1);
    ck_assert_uint_eq(in.count[0], 4);
    ck_assert_double_eq(answer_at(&in, 2), ((float *)in.data[0])[3]);
    instance_free(&in);

    in = make("copy_stride", 3, 5, 0, 1);
    ck_assert_double_eq(answer_at(&in, 2), ((float *)in.data[0])[10]);
    instance_free(&in);

    in = make("copy_group", 9, 4, 0, 1);
    ck_assert_double_eq(answer_at(&in, 7), ((float *)in.data[0])[4]);
    instance_free(&in);

    in = make("norm_aos", 2, 0, 0, 1);
    memcpy(in.data[0], (double[]){1, 2, 3, 4, 5, 6}, 48);
    ck_assert_double_eq(answer_at(&in, 1), 77);
    instance_free(&in);

    in = make("norm_soa", 1, 0, 0, 1);
    *(double *)in.data[0] = 1, *(double *)in.data[1] = 2, *(double *)in.data[2] = 3;
    ck_assert_double_eq(answer_at(&in, 0), 14);
    instance_free(&in);

    in = make("polynomial", 1, 2, 0, 1);
    memset(in.coef, 0, sizeof in.coef);
    in.coef[0] = 1, in.coef[1] = 2;
    ((float *)in.data[0])[1] = 3;
    *(int *)in.data[1] = 1;
    ck_assert_double_eq(answer_at(&in, 0), 7);
    instance_free(&in);

    in = make("unequal", 2, 0, 0, 1);
    memcpy(in.data[0], (float[]){4, 4}, 8);
    ck_assert_double_eq(answer_at(&in, 0), 3);
    ck_assert_double_eq(answer_at(&in, 1), 2.5);
    instance_free(&in);

    in = make("parity", 2, 0, 0, 1);
    memcpy(in.data[0], (float[]){2, 0}, 8); /* 2 is 0.5 x + 1's fixed point; 1/6 is 0.25 - 0.5 x's */
    ck_assert_double_eq(answer_at(&in, 0), 2);
    ck_assert_double_eq_tol(answer_at(&in, 1), 1.0 / 6, 1e-4);
    instance_free(&in);
}
END_TEST

START_TEST(rates_are_those_of_the_documents)
{
    int n[DIMS] = {1024, 1024, 1024}, aat[DIMS] = {2048, 32}, square[DIMS] = {2048, 2048};
    ck_assert_double_eq_tol(problem_rate(problem_find("matmul"), n, 1.54), 1394, 2);   /* published: 1392.8 GFLOPS */
    ck_assert_double_eq_tol(problem_rate(problem_find("aat"), aat, 0.562), 30.8, 0.1); /* measured: 30.8 GB/s */
    ck_assert_double_eq_tol(problem_rate(problem_find("transpose"), square, 1), 33.554432, 1e-9);
}
END_TEST

/* ---- comparison ---- */

enum how { FORWARD, BACKWARD, BIG_TERMS_FIRST, HALF, ZEROS, NOT_A_NUMBER, INFINITE, TRANSPOSED_B, LAST_TERM_MISSING };

static int smaller(const void *a, const void *b)
{
    float x = fabsf(*(const float *)a), y = fabsf(*(const float *)b);
    return (x < y) - (x > y);
}

static float half(float x)
{
    int e;
    float f = frexpf(x, &e);
    return ldexpf(roundf(f * 2048) / 2048, e);
}

/* The product in float, as a kernel might compute it. */
static void product(struct instance *in, enum how how)
{
    int m = in->dims[0], k = in->dims[1], n = in->dims[2];
    float *a = in->data[0], *b = in->data[1], *c = in->data[2], *terms = xcalloc(k, sizeof *terms);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                terms[how == BACKWARD ? k - 1 - l : l] =
                    how == HALF ? half(a[i * k + l]) * half(b[l * n + j])
                                : a[i * k + l] * b[how == TRANSPOSED_B ? j * n + l : l * n + j];
            if (how == BIG_TERMS_FIRST)
                qsort(terms, (size_t)k, sizeof *terms, smaller);
            for (int l = 0; l < k - (how == LAST_TERM_MISSING); l++)
                sum += terms[l];
            c[i * n + j] = how == ZEROS ? 0 : how == NOT_A_NUMBER ? NAN : how == INFINITE ? INFINITY : sum;
        }
    free(terms);
}

static int accepted(int m, int k, int n, enum how how, struct buf *why)
{
    struct instance in = make("matmul", m, k, n, 42);
    struct expected x;
    product(&in, how);
    expected_make(&x, &in);
    int ok = !compare_output(&in, &x, in.data[2], why);
    expected_free(&x);
    instance_free(&in);
    return ok;
}

START_TEST(tolerance_follows_k)
{
    static const int depths[] = {1, 2, 7, 32, 33, 128, 500, 1024, 4096};
    struct buf why = {0};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        int k = depths[i];
        ck_assert_msg(accepted(17, k, 23, FORWARD, &why), "k = %d: %s", k, why.data);
        ck_assert_msg(accepted(17, k, 23, BACKWARD, &why), "k = %d: %s", k, why.data);
        ck_assert_msg(accepted(17, k, 23, BIG_TERMS_FIRST, &why), "k = %d: %s", k, why.data);
        ck_assert(!accepted(17, k, 23, HALF, &why));
        ck_assert(!accepted(17, k, 23, ZEROS, &why));
        ck_assert(!accepted(17, k, 23, NOT_A_NUMBER, &why));
        ck_assert(!accepted(17, k, 23, INFINITE, &why));
        ck_assert(!accepted(17, k, 23, LAST_TERM_MISSING, &why));
        if (k > 1 && k <= 128)
            ck_assert(!accepted(k, k, k, TRANSPOSED_B, &why));
    }
    buf_free(&why);
}
END_TEST

START_TEST(one_wrong_element_is_found_anywhere)
{
    struct instance in = make("matmul", 37, 65, 41, 3);
    struct expected x;
    float *c = in.data[2];
    product(&in, FORWARD);
    expected_make(&x, &in);
    for (size_t i = 0; i < x.count; i += 97) {
        float right = c[i];
        struct buf why = {0};
        c[i] = right + 1e-3f;
        ck_assert_int_eq(compare_output(&in, &x, c, &why), -1);
        char *where = xasprintf("row %zu, column %zu is", i / 41, i % 41);
        ck_assert_msg(strstr(why.data, where) != NULL, "%s", why.data);
        free(where);
        buf_free(&why);
        c[i] = right;
    }
    ck_assert_int_eq(compare_output(&in, &x, c, NULL), 0);
    expected_free(&x);
    instance_free(&in);
}
END_TEST

static void expect_remark(struct instance *in, const char *remark)
{
    struct expected x;
    struct buf why = {0};
    expected_make(&x, in);
    ck_assert_int_eq(compare_output(in, &x, in->data[in->problem->output], &why), -1);
    ck_assert_msg(strstr(why.data, remark) != NULL, "expected \"%s\" in: %s", remark, why.data);
    buf_free(&why);
    expected_free(&x);
}

START_TEST(mismatches_are_explained)
{
    struct instance in = make("transpose", 5, 9, 0, 4);
    poison_fill(in.data[1], instance_bytes(&in, 1));
    ck_assert(poison_whole(in.data[1], instance_bytes(&in, 1)));
    expect_remark(&in, "still the poison");
    memset(in.data[1], 0, instance_bytes(&in, 1));
    expect_remark(&in, "it is zero; all 45 elements are wrong");
    memcpy(in.data[1], in.data[0], instance_bytes(&in, 1));
    expect_remark(&in, "out at row 0, column 1 is");
    expect_remark(&in, "transposed element, row 1, column 0");
    instance_free(&in);

    in = make("copy", 4, 8, 0, 4);
    memcpy(in.data[1], (float *)in.data[0] + 1, 31 * sizeof(float));
    expect_remark(&in, "it is the value of row 0, column 1");
    instance_free(&in);

    in = make("matmul", 9, 33, 8, 4);
    product(&in, LAST_TERM_MISSING);
    expect_remark(&in, "the sum of the first 32 of 33 products");
    product(&in, HALF);
    expect_remark(&in, "less precision");
    product(&in, NOT_A_NUMBER);
    expect_remark(&in, "not a number");
    instance_free(&in);

    in = make("copy", 8, 70, 0, 4);
    memcpy(in.data[1], in.data[0], instance_bytes(&in, 1));
    for (int r = 0; r < 8; r++)
        for (int c = 64; c < 70; c++)
            ((float *)in.data[1])[r * 70 + c] = 0;
    expect_remark(&in, "48 of 560 elements are wrong, all in columns from 64 on");
    instance_free(&in);

    in = make("norm_soa", 40, 0, 0, 4);
    poison_fill(in.data[3], instance_bytes(&in, 3));
    ck_assert(isnan(*(double *)in.data[3]));
    expect_remark(&in, "out[0] is nan");
    instance_free(&in);
}
END_TEST

/* ---- shapes ---- */

START_TEST(shapes_hold_what_breaks_kernels)
{
    static const struct step step = {.kernel = "matmul", .problem = "matmul", .dims = {1024, 1024, 1024}};
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct rng rng;
        int shapes[SHAPES][DIMS], one = 0, odd = 0, oblong = 0;
        rng_seed(&rng, seed);
        int n = problem_shapes(problem_find("matmul"), &step, &rng, shapes);
        ck_assert_int_ge(n, 6);
        for (int i = 0; i < n; i++) {
            int *d = shapes[i];
            one |= d[0] == 1 && d[1] == 1 && d[2] == 1;
            odd |= d[0] % 2 && d[1] % 2 && d[2] % 2 && d[0] > 32 && d[1] > 32 && d[2] > 32;
            oblong |= d[0] != d[1] && d[1] != d[2] && d[0] != d[2];
            for (int j = 0; j < DIMS; j++) {
                ck_assert_int_ge(d[j], 1);
                ck_assert_int_le(d[j], 150);
            }
        }
        ck_assert(one && odd && oblong);
    }
}
END_TEST

START_TEST(shapes_respect_the_step)
{
    static const struct step narrow = {.kernel = "k", .problem = "matmul", .dims = {1024, 32, 1024}, .most = {0, 32, 0}};
    static const struct step stride = {.kernel = "k", .problem = "copy_stride", .dims = {65536, 8}, .fixed = {0, 8}};
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct rng rng;
        int shapes[SHAPES][DIMS];
        rng_seed(&rng, seed);
        for (int i = problem_shapes(problem_find("matmul"), &narrow, &rng, shapes); i-- > 0;)
            ck_assert_int_le(shapes[i][1], 32);
        for (int i = problem_shapes(problem_find("copy_stride"), &stride, &rng, shapes); i-- > 0;)
            ck_assert_int_eq(shapes[i][1], 8);
    }
}
END_TEST

/* ---- points ---- */

START_TEST(speed_is_paid_by_ratio)
{
    ck_assert_double_eq(score_speed(10, 1, 1), 10);
    ck_assert_double_eq(score_speed(10, 0.1, 1), 10);
    ck_assert_double_eq(score_speed(10, 1.2, 1), 10);
    ck_assert_double_eq(score_speed(10, 2.4, 1), 5);
    ck_assert_double_eq(score_speed(10, 10, 1), 1.2);
    ck_assert_double_eq(score_speed(10, 10.01, 1), 0);
    ck_assert_double_eq(score_speed(10, NAN, 1), 0);
    ck_assert_double_eq(score_speed(10, 1, NAN), 0);
    ck_assert_double_eq(score_speed(10, 0, 1), 0);
}
END_TEST

START_TEST(budgets_and_predictions)
{
    struct budget most = {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1, ""}, least = {METRIC_FFMA_SHARE, AT_LEAST, 30, 1, ""};
    ck_assert(score_budget(&most, 4));
    ck_assert(!score_budget(&most, 4.001));
    ck_assert(!score_budget(&most, NAN));
    ck_assert(score_budget(&least, 30));
    ck_assert(!score_budget(&least, 29.9));
    ck_assert(!score_budget(&least, NAN));
    ck_assert(score_prediction(5, 4.97));
    ck_assert(!score_prediction(4, 4.97));
    ck_assert(!score_prediction(-1, -1));
    ck_assert(!score_prediction(0, NAN));
}
END_TEST

START_TEST(the_costliest_line_is_blamed)
{
    struct line_counts lines[3] = {{"x.cu", 10, {{0}}}, {"x.cu", 11, {{0}}}, {"x.cu", 12, {{0}}}};
    struct measurement m = {.lines = lines, .line_count = 3};
    struct budget sectors = {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1, ""}, requests = {METRIC_GLD_REQUESTS, AT_MOST, 10, 1, ""},
                  readonly = {METRIC_GLD_READONLY, AT_LEAST, 10, 1, ""};
    for (int i = 0; i < 3; i++)
        model_metrics_clear(&lines[i].metrics);
    lines[0].metrics.v[METRIC_GLD_REQUESTS] = 1000, lines[0].metrics.v[METRIC_GLD_SECTORS] = 4000; /* many, but kept */
    lines[1].metrics.v[METRIC_GLD_REQUESTS] = 100, lines[1].metrics.v[METRIC_GLD_SECTORS] = 3200;
    ck_assert_int_eq(score_blame(&sectors, &m), 1);
    ck_assert_int_eq(score_blame(&requests, &m), 0);
    ck_assert_int_eq(score_blame(&readonly, &m), -1);
}
END_TEST

/* ---- other programs ---- */

static char *scratch;

static void make_scratch(void)
{
    char name[] = "/tmp/test_lab.XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(name));
    scratch = xstrdup(name);
}

static void drop_scratch(void)
{
    spawn_remove_directory(scratch);
    free(scratch);
}

static int shell(const char *script, double seconds, struct buf *out, int *status, struct err *e)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct spawn s = {.argv = argv, .directory = scratch, .seconds = seconds, .file_bytes = 1 << 20};
    return spawn_run(&s, out, status, e);
}

START_TEST(output_is_capped_and_clean)
{
    struct buf out = {0};
    struct err e = {0};
    int status = 0;
    ck_assert_int_eq(shell("printf '\\033[31mred\\033[0m \\007x\\n'; exit 3", 5, &out, &status, &e), 0);
    ck_assert_str_eq(out.data, "red x\n");
    ck_assert_int_eq(status, 3);
    buf_free(&out);
    ck_assert_int_eq(shell("yes | head -c 3000000", 20, &out, &status, &e), 0);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_lt(out.len, SPAWN_OUTPUT + 100);
    ck_assert_ptr_nonnull(strstr(out.data, "more bytes"));
    buf_free(&out);
}
END_TEST

START_TEST(what_hangs_is_stopped)
{
    struct buf out = {0};
    struct err e = {0};
    int status = 0;
    double start = clock_seconds();
    ck_assert_int_eq(shell("sleep 60 & sleep 60", 0.3, &out, &status, &e), -1);
    ck_assert_double_lt(clock_seconds() - start, 5);
    ck_assert_ptr_nonnull(strstr(e.text, "longer"));
    buf_free(&out);
}
END_TEST

START_TEST(the_environment_is_clean)
{
    struct buf out = {0};
    struct err e = {0};
    int status = 0;
    setenv("NVCC_APPEND_FLAGS", "--evil", 1);
    ck_assert_int_eq(shell("env", 5, &out, &status, &e), 0);
    ck_assert_ptr_null(strstr(out.data, "NVCC_APPEND_FLAGS"));
    ck_assert_ptr_nonnull(strstr(out.data, "LC_ALL=C"));
    unsetenv("NVCC_APPEND_FLAGS");
    buf_free(&out);
}
END_TEST

/* ---- the compile stage ---- */

static char *write_file(const char *name, const void *data, size_t len)
{
    struct err e;
    char *path = xasprintf("%s/%s", scratch, name);
    ck_assert_msg(!file_write(path, data, len, &e), "%s", e.text);
    return path;
}

static void expect_compile(const char *name, const void *data, size_t len, enum compile_status status, const char *says)
{
    struct kit kit;
    struct front front;
    struct err e;
    struct compiled c;
    char *path = data ? write_file(name, data, len) : xasprintf("%s/%s", scratch, name);
    ck_assert_msg(!kit_find(&kit, &e), "%s", e.text);
    ck_assert_msg(!front_find(&front, NULL, &e), "%s", e.text);
    compile_kernel(&kit, &front, path, &c);
    ck_assert_msg(c.status == status, "%s: %s%s", name, c.output.data ? c.output.data : "", c.err.text);
    if (says)
        ck_assert_msg(c.output.data && strstr(c.output.data, says), "%s: expected \"%s\" in: %s", name, says, c.output.data);
    if (status == COMPILE_OK)
        ck_assert_ptr_nonnull(strstr(c.ptx, ".entry"));
    compiled_free(&c);
    front_free(&front);
    kit_free(&kit);
    free(path);
}

#define KERNEL "#include \"lockstep.h\"\n__global__ void f(float *x) { x[threadIdx.x] = 1; }\n"

START_TEST(sources_are_checked)
{
    static const char binary[] = "\177ELF\0\0\0\1";
    char *huge = xcalloc(10 << 20, 1);
    memset(huge, 'x', 10 << 20);
    expect_compile("missing.cu", NULL, 0, COMPILE_MISSING, "no such file");
    expect_compile("empty.cu", "", 0, COMPILE_BAD, "is empty");
    expect_compile("blank.cu", " \n\n", 3, COMPILE_BAD, "is empty");
    expect_compile("binary.cu", binary, sizeof binary, COMPILE_BAD, "binary");
    expect_compile("huge.cu", huge, 10 << 20, COMPILE_BAD, "at most");
    expect_compile("prose.cu", "Dear teacher,\n", 14, COMPILE_BAD, "error:");
    expect_compile("good.cu", KERNEL, strlen(KERNEL), COMPILE_OK, NULL);
    char *directory = xasprintf("%s/directory.cu", scratch);
    ck_assert_int_eq(mkdir(directory, 0777), 0);
    expect_compile("directory.cu", NULL, 0, COMPILE_BAD, "not a regular file");
    rmdir(directory);
    free(directory);
    free(huge);
}
END_TEST

START_TEST(foreign_includes_are_refused)
{
    struct kit kit;
    struct err e;
    char real[4096];
    ck_assert_int_eq(kit_find(&kit, &e), 0);
    char *solution = kit_path(&kit, "solutions/01-naive/matmul.cu");
    ck_assert_ptr_nonnull(realpath(solution, real));
    char *source = xasprintf("#include \"%s\"\n", real);
    expect_compile("thief.cu", source, strlen(source), COMPILE_BAD, "a kernel file includes lockstep.h and nothing else");
    static const char device[] = "#include \"/dev/zero\"\n";
    expect_compile("zero.cu", device, strlen(device), COMPILE_BAD, NULL);
    free(source);
    free(solution);
    kit_free(&kit);
}
END_TEST

START_TEST(a_rebuild_is_instant)
{
    char *source = xasprintf("%s// %llu\n", KERNEL, (unsigned long long)rng_secret());
    double start = clock_seconds(), first, second;
    expect_compile("again.cu", source, strlen(source), COMPILE_OK, NULL);
    first = clock_seconds() - start;
    start = clock_seconds();
    expect_compile("again.cu", source, strlen(source), COMPILE_OK, NULL);
    second = clock_seconds() - start;
    ck_assert_double_lt(second, first);
    free(source);
}
END_TEST

START_TEST(the_cache_compares_whole_keys)
{
    struct kit kit = {.root = scratch, .cache = scratch};
    struct buf key = {0}, other = {0}, value = {0}, got = {0};
    buf_printf(&key, "key");
    buf_printf(&other, "kex");
    buf_printf(&value, "value\n with lines");
    ck_assert_int_eq(cache_get(&kit, &key, &got), -1);
    cache_put(&kit, &key, &value);
    ck_assert_int_eq(cache_get(&kit, &key, &got), 0);
    ck_assert_uint_eq(got.len, value.len);
    ck_assert_str_eq(got.data, value.data);
    ck_assert_int_eq(cache_get(&kit, &other, &got), -1);
    /* another key's entry under this key's name, as a collision would have it */
    char *from = xasprintf("ls %s | head -n 1", scratch);
    FILE *p = popen(from, "r");
    char name[64] = "";
    ck_assert_int_eq(fscanf(p, "%63s", name), 1);
    pclose(p);
    char *entry = write_file(name, "lockstep-cache 3\nkexvalue", 25);
    ck_assert_int_eq(cache_get(&kit, &key, &got), -1);
    free(entry);
    free(from);
    buf_free(&key), buf_free(&other), buf_free(&value), buf_free(&got);
}
END_TEST

/* ---- host C ---- */

static const struct step host_steps[] = {{.kernel = "matmul_cpu", .problem = "matmul", .dims = {64, 64, 64}}, {0}};
static const struct exercise host_exercise = {.name = "host", .kind = EXERCISE_HOST, .steps = host_steps};

/* Build and run source; what went wrong goes to why, empty when the product is right. */
static void run_host(const char *source, struct buf *why)
{
    struct kit kit;
    struct err e = {0};
    struct compiled c;
    struct host_program program;
    struct host_process *process = NULL;
    struct instance in = make("matmul", 33, 17, 21, 5);
    struct expected x;
    double seconds;
    char *path = write_file("host.c", source, strlen(source));
    ck_assert_int_eq(kit_find(&kit, &e), 0);
    host_build(&kit, &host_exercise, path, &c, &program);
    if (c.status != COMPILE_OK) {
        buf_printf(why, "%s%s", c.output.data ? c.output.data : "", c.err.text);
    } else {
        ck_assert_msg(!host_start(&program, &process, &e), "%s", e.text);
        expected_make(&x, &in);
        if (host_run(process, 0, &in, 1, &seconds, &e))
            buf_printf(why, "%s", e.text);
        else
            compare_output(&in, &x, in.data[2], why);
        expected_free(&x);
    }
    host_stop(process);
    host_program_free(&program);
    compiled_free(&c);
    instance_free(&in);
    kit_free(&kit);
    free(path);
}

#define SIGNATURE "void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)\n"
#define LOOPS                                                                                            \
    "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float s = 0;"                            \
    " for (int l = 0; l < k; l++) s += a[i * k + l] * b[l * n + j]; c[i * n + j] = s; }"

static void expect_host(const char *source, const char *says)
{
    struct buf why = {0};
    run_host(source, &why);
    if (says)
        ck_assert_msg(why.data && strstr(why.data, says), "expected \"%s\" in: %s", says, why.data ? why.data : "nothing");
    else
        ck_assert_msg(!why.len, "%s", why.data);
    buf_free(&why);
}

START_TEST(host_code_is_judged_by_its_arrays)
{
    expect_host(SIGNATURE "{" LOOPS "}", NULL);
    expect_host("#include <stdio.h>\n" SIGNATURE "{ printf(\"passed\\n\"); }", "still the poison");
    expect_host("#include <stdlib.h>\n" SIGNATURE "{ exit(0); }", "ended its process");
    expect_host("#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(0); }\n" SIGNATURE "{" LOOPS "}",
                "ended its process");
    expect_host(SIGNATURE "{ *(volatile int *)8 = 1; }", "crashed");
    expect_host(SIGNATURE "{ for (;;) __asm__ volatile(\"\"); }", "did not return");
    expect_host(SIGNATURE "{" LOOPS " ((float *)a)[0] = 1; }", "changed its input a");
    expect_host(SIGNATURE "{" LOOPS " c[m * n] = 1; }", "wrote beside its arrays");
    expect_host("int matmul_cpu(int m) { return m; }\n", "conflicting types");
    expect_host("void other(void) {}\n", "matmul_cpu");
    expect_host("syntax error\n", "error:");
}
END_TEST

START_TEST(host_code_can_do_nothing_but_compute)
{
    char *mark = xasprintf("%s/mark", scratch);
    char *opens = xasprintf("#include <fcntl.h>\n#include <unistd.h>\n#include <sys/wait.h>\n#include <stdio.h>\n#include <signal.h>\n"
                            SIGNATURE "{ int fd = open(\"%s\", O_WRONLY | O_CREAT, 0666);\n"
                            " if (fd >= 0 || fork() >= 0 || open(\"/etc/passwd\", O_RDONLY) >= 0 || rename(\"%s\", \"%s.2\") == 0 ||\n"
                            "     unlink(\"%s\") == 0 || kill(getppid(), 0) == 0) return;" LOOPS "}", mark, mark, mark, mark);
    expect_host(opens, NULL);
    ck_assert(!file_exists(mark));
    free(opens);
    free(mark);
}
END_TEST

START_TEST(host_code_includes_no_solution)
{
    struct kit kit;
    struct err e;
    char real[4096];
    ck_assert_int_eq(kit_find(&kit, &e), 0);
    char *solution = kit_path(&kit, "solutions/03-tiled/matmul_cpu.c");
    ck_assert_ptr_nonnull(realpath(solution, real));
    char *source = xasprintf("#include \"%s\"\n", real);
    expect_host(source, "includes");
    free(source);
    free(solution);
    kit_free(&kit);
}
END_TEST

/* ---- words ---- */

START_TEST(options_are_parsed_strictly)
{
    const char *device = NULL, *check = NULL, *rest[1] = {NULL};
    const struct option_spec specs[] = {{"--device", &device}, {"--check", &check, 1}, {0}};
    struct err e;
    ck_assert_int_eq(options_parse(3, (char *[]){"--device", "sim:h200", "02"}, specs, rest, 1, &e), 1);
    ck_assert_str_eq(device, "sim:h200");
    ck_assert_str_eq(rest[0], "02");
    ck_assert_int_eq(options_parse(2, (char *[]){"--device=sim:tiny", "--check"}, specs, rest, 1, &e), 0);
    ck_assert_str_eq(device, "sim:tiny");
    ck_assert_ptr_nonnull(check);
    ck_assert_int_eq(options_parse(1, (char *[]){"--device"}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(options_parse(1, (char *[]){"--device="}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(options_parse(1, (char *[]){"--what"}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(options_parse(1, (char *[]){"--check=1"}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(options_parse(2, (char *[]){"a", "b"}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(e.kind, ERR_USAGE);
    uint64_t n;
    ck_assert_int_eq(options_number("--seed", "17", 100, &n, &e), 0);
    ck_assert_uint_eq(n, 17);
    ck_assert_int_eq(options_number("--seed", "-1", 100, &n, &e), -1);
    ck_assert_int_eq(options_number("--seed", "101", 100, &n, &e), -1);
    ck_assert_int_eq(options_number("--seed", "x", 100, &n, &e), -1);
    ck_assert_int_eq(options_format("json", &e), 1);
    ck_assert_int_eq(options_format("html", &e), -1);
}
END_TEST

START_TEST(labs_are_found_by_number_and_name)
{
    struct err e;
    ck_assert_str_eq(options_lab("02", &e)->name, "02-coalesced");
    ck_assert_str_eq(options_lab("2", &e)->name, "02-coalesced");
    ck_assert_str_eq(options_lab("02-coalesced", &e)->name, "02-coalesced");
    ck_assert_ptr_null(options_lab("99", &e));
    ck_assert_ptr_null(options_lab("", &e));
    ck_assert_int_eq(e.kind, ERR_USAGE);
    ck_assert_ptr_nonnull(options_exercise(options_lab("1", &e), "matmul", &e));
    ck_assert_ptr_null(options_exercise(options_lab("1", &e), "nothing", &e));
    ck_assert_ptr_nonnull(strstr(e.text, "matmul"));
}
END_TEST

START_TEST(ladders_run_in_the_order_of_the_labs)
{
    struct err e;
    struct rung before;
    const struct lab *naive = options_lab("1", &e), *coalesced = options_lab("2", &e);
    const struct exercise *first = options_exercise(naive, "matmul", &e), *second = options_exercise(coalesced, "matmul", &e);
    ck_assert_int_eq(ladder_before(naive, first, 0, &before), -1);
    ck_assert_int_eq(ladder_before(coalesced, second, 0, &before), 0);
    ck_assert_ptr_eq(before.exercise, first);
}
END_TEST

START_TEST(the_table_of_labs_is_sane)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            int steps = exercise_steps(x), predictions = 0;
            ck_assert_int_ge(steps, 1);
            ck_assert_int_gt(exercise_max_points(x), 0);
            for (int i = 0; i < steps; i++) {
                const struct step *s = &x->steps[i];
                int budgets = 0;
                const struct problem *p = problem_find(s->problem);
                ck_assert_msg(p != NULL, "%s %s: problem %s", (*l)->name, x->name, s->problem);
                for (int d = 0; d < problem_dims(p); d++)
                    ck_assert_int_ge(s->dims[d], 1);
                for (const struct budget *b = s->budgets; b && b->why; b++)
                    budgets++;
                ck_assert_int_le(budgets, BUDGETS_MAX);
            }
            for (const struct prediction *p = x->predictions; p && p->name; p++, predictions++)
                ck_assert_int_lt(p->step, steps);
            ck_assert_int_le(predictions, PREDICTIONS_MAX);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab");
    TCase *c = tcase_create("pure");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, every_problem_is_whole);
    tcase_add_test(c, inputs_come_from_the_seed);
    tcase_add_test(c, answers_by_hand);
    tcase_add_test(c, rates_are_those_of_the_documents);
    tcase_add_test(c, tolerance_follows_k);
    tcase_add_test(c, one_wrong_element_is_found_anywhere);
    tcase_add_test(c, mismatches_are_explained);
    tcase_add_test(c, shapes_hold_what_breaks_kernels);
    tcase_add_test(c, shapes_respect_the_step);
    tcase_add_test(c, speed_is_paid_by_ratio);
    tcase_add_test(c, budgets_and_predictions);
    tcase_add_test(c, the_costliest_line_is_blamed);
    tcase_add_test(c, options_are_parsed_strictly);
    tcase_add_test(c, labs_are_found_by_number_and_name);
    tcase_add_test(c, ladders_run_in_the_order_of_the_labs);
    tcase_add_test(c, the_table_of_labs_is_sane);
    suite_add_tcase(suite, c);
    c = tcase_create("other programs");
    tcase_set_timeout(c, 120);
    tcase_add_checked_fixture(c, make_scratch, drop_scratch);
    tcase_add_test(c, output_is_capped_and_clean);
    tcase_add_test(c, what_hangs_is_stopped);
    tcase_add_test(c, the_environment_is_clean);
    tcase_add_test(c, sources_are_checked);
    tcase_add_test(c, foreign_includes_are_refused);
    tcase_add_test(c, a_rebuild_is_instant);
    tcase_add_test(c, the_cache_compares_whole_keys);
    tcase_add_test(c, host_code_is_judged_by_its_arrays);
    tcase_add_test(c, host_code_can_do_nothing_but_compute);
    tcase_add_test(c, host_code_includes_no_solution);
    suite_add_tcase(suite, c);
    SRunner *r = srunner_create(suite);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
