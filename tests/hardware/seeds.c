/* seeds.c - lockstep-hardware seeds: does the tolerance of products tell right kernels from wrong
 * ones, whatever the seed of a grading?
 *
 *     seed ── as a grading ──> shapes, inputs ──> the answer and its slack
 *                              └── each method ──> the product ──> its largest error, in slacks
 *
 * A method is a row of the table below: an order of additions or a precision, as a kernel might have
 * it. It is computed on the CPU, since thousands of seeds are wanted. A right method must stay within
 * the slack everywhere. A wrong one must exceed it somewhere: it is looked for in the last shape,
 * which is among the largest, and in the others only if it did not exceed the slack there.
 *
 * The products of tensor cores keep the sum of 8 products with all digits, and then cut it off to a
 * float; hardware keeps a few digits less. */
#include "hardware/hardware.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The factors as floats, k x m and k x n, and the product, m x n, that one of the
 * methods computes. */
struct factors {
    int m, k, n;
    const float *a, *b; /* columns of the left factor, rows of the right one */
    float *c;
};

/* ---- numbers of less precision ---- */

/* x with `bits` instead of 24 bits, rounded to nearest (Veltkamp); the range of exponents is that
 * of floats. */
static inline float rounded(float x, int bits)
{
    float t = x * (float)((1 << (24 - bits)) + 1);
    return t - (t - x);
}
static inline float cut_to_tf32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    bits &= ~0x1fffu;
    memcpy(&x, &bits, 4);
    return x;
}
/* x rounded towards zero to the 24 bits of a float. */
static inline double cut_to_float(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, 8);
    bits &= ~(uint64_t)0x1fffffff;
    memcpy(&x, &bits, 8);
    return x;
}

/* ---- methods ---- */

/* c += column i of a times row i of b, by fused multiply-adds. */
static void add_products(const struct factors *f, int i, float *c)
{
    const float *a = f->a + (size_t)i * f->m, *b = f->b + (size_t)i * f->n;
    for (int r = 0; r < f->m; r++)
        for (int j = 0; j < f->n; j++)
            c[(size_t)r * f->n + j] = fmaf(a[r], b[j], c[(size_t)r * f->n + j]);
}
static void in_order(const struct factors *f)
{
    for (int i = 0; i < f->k; i++) add_products(f, i, f->c);
}
static void backwards(const struct factors *f)
{
    for (int i = f->k; i-- > 0;) add_products(f, i, f->c);
}
static void without_first(const struct factors *f)
{
    for (int i = 1; i < f->k; i++) add_products(f, i, f->c);
}
static void without_last(const struct factors *f)
{
    for (int i = 0; i + 1 < f->k; i++) add_products(f, i, f->c);
}
static void last_twice(const struct factors *f)
{
    in_order(f);
    add_products(f, f->k - 1, f->c);
}
/* Products are rounded before they are added. */
static void two_roundings(const struct factors *f)
{
    for (int i = 0; i < f->k; i++)
        for (int r = 0; r < f->m; r++) {
            const float a = f->a[(size_t)i * f->m + r], *b = f->b + (size_t)i * f->n;
            float *c = f->c + (size_t)r * f->n;
            for (int j = 0; j < f->n; j++) {
                float product = a * b[j];
                c[j] += product;
            }
        }
}
/* Each of four threads adds every fourth product; then their sums are added. */
static void split_in_four(const struct factors *f)
{
    size_t count = (size_t)f->m * f->n;
    float *part = xcalloc(count, sizeof *part);
    for (int p = 0; p < 4; p++) {
        memset(part, 0, count * sizeof *part);
        for (int i = p; i < f->k; i += 4) add_products(f, i, part);
        for (size_t i = 0; i < count; i++) f->c[i] += part[i];
    }
    free(part);
}
/* big: the TF32 nearest to each number; small: the TF32 nearest to what big leaves out. The caller
 * frees both. */
static void split_numbers(const float *x, size_t count, float **big, float **small)
{
    *big = xcalloc(count, sizeof **big);
    *small = xcalloc(count, sizeof **small);
    for (size_t i = 0; i < count; i++) {
        (*big)[i] = rounded(x[i], 11);
        (*small)[i] = rounded(x[i] - (*big)[i], 11);
    }
}
/* d += row r of the product of 8 columns of a, from i0 on, and 8 rows of b: summed in double, then
 * cut off to a float. */
enum { COLUMNS_MAX = 256 };
static void tensor_row(
    const struct factors *f, const float *a, const float *b, int r, int i0, double *d)
{
    double sum[COLUMNS_MAX] = {0};
    for (int i = i0; i < f->k && i < i0 + 8; i++)
        for (int j = 0; j < f->n; j++)
            sum[j] += (double)a[(size_t)i * f->m + r] * b[(size_t)i * f->n + j];
    for (int j = 0; j < f->n; j++) d[j] = cut_to_float(d[j] + sum[j]);
}
/* small x big + big x small + big x big: for every 8 of k the sum of these is added to c. */
static void three_products(const struct factors *f)
{
    if (f->n > COLUMNS_MAX) BUG("a shape of %d columns", f->n);
    float *a_big, *a_small, *b_big, *b_small;
    split_numbers(f->a, (size_t)f->k * f->m, &a_big, &a_small);
    split_numbers(f->b, (size_t)f->k * f->n, &b_big, &b_small);
    for (int r = 0; r < f->m; r++)
        for (int i = 0; i < f->k; i += 8) {
            double d[COLUMNS_MAX] = {0};
            tensor_row(f, a_small, b_big, r, i, d);
            tensor_row(f, a_big, b_small, r, i, d);
            tensor_row(f, a_big, b_big, r, i, d);
            for (int j = 0; j < f->n; j++) f->c[(size_t)r * f->n + j] += (float)d[j];
        }
    free(a_big);
    free(a_small);
    free(b_big);
    free(b_small);
}
/* Factors rounded to `bits` bits (0: cut off to TF32); sums in float. */
static void short_factors(const struct factors *f, int bits)
{
    size_t left = (size_t)f->k * f->m, right = (size_t)f->k * f->n;
    float *a = xcalloc(left, sizeof *a), *b = xcalloc(right, sizeof *b);
    for (size_t i = 0; i < left; i++) a[i] = bits ? rounded(f->a[i], bits) : cut_to_tf32(f->a[i]);
    for (size_t i = 0; i < right; i++) b[i] = bits ? rounded(f->b[i], bits) : cut_to_tf32(f->b[i]);
    in_order(&(struct factors){f->m, f->k, f->n, a, b, f->c});
    free(a);
    free(b);
}
static void tf32_factors(const struct factors *f) { short_factors(f, 11); }
static void tf32_cut_factors(const struct factors *f) { short_factors(f, 0); }
static void bfloat_factors(const struct factors *f) { short_factors(f, 8); }
/* Sums in half precision, products in float. */
static void half_sums(const struct factors *f)
{
    for (int i = 0; i < f->k; i++)
        for (int r = 0; r < f->m; r++) {
            const float a = f->a[(size_t)i * f->m + r], *b = f->b + (size_t)i * f->n;
            float *c = f->c + (size_t)r * f->n;
            for (int j = 0; j < f->n; j++) c[j] = rounded(fmaf(a, b[j], c[j]), 11);
        }
}

/* RIGHT with both tolerances, that of floats and that of TF32; RIGHT_TF32: right only with that of
 * TF32; WRONG with both; OPEN_TF32: wrong with that of floats, undecided with that of TF32. */
enum verdict { RIGHT, RIGHT_TF32, WRONG, OPEN_TF32 };
static const struct way {
    const char *name;
    void (*product)(const struct factors *f);
    enum verdict verdict;
} ways[] = {
    {"fused multiply-adds in order", in_order, RIGHT},
    {"the same backwards", backwards, RIGHT},
    {"products rounded, then added in order", two_roundings, RIGHT},
    {"k split over four threads", split_in_four, RIGHT},
    {"three products of TF32 by tensor cores", three_products, RIGHT},
    {"factors in TF32", tf32_factors, RIGHT_TF32},
    {"factors cut off to TF32", tf32_cut_factors, OPEN_TF32},
    {"factors in bfloat16", bfloat_factors, WRONG},
    {"sums in half precision", half_sums, WRONG},
    {"the first product left out", without_first, WRONG},
    {"the last product left out", without_last, WRONG},
    {"the last product added twice", last_twice, WRONG},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* 1: the method is right for this problem, 0: wrong, -1: neither. */
static int is_right(const struct way *w, const struct problem *p)
{
    int tf32 = !strcmp(p->name, "matmul_tf32");
    if (w->verdict == OPEN_TF32) return tf32 ? -1 : 0;
    return w->verdict == RIGHT || (w->verdict == RIGHT_TF32 && tf32);
}

/* ---- one step under one seed ---- */

/* Of the largest errors of a method under each seed, in slacks: right: the greatest, if the method
 * is right; wrong: the least, if it is wrong. */
struct margin {
    double right, wrong;
    uint64_t right_seed, wrong_seed;
    long right_count, wrong_count; /* steps that were tried */
};

/* The transpose of rows x columns floats. The caller frees it. */
static float *turned(const float *p, int rows, int columns)
{
    float *t = xcalloc((size_t)rows * columns, sizeof *t);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) t[(size_t)c * rows + r] = p[(size_t)r * columns + c];
    return t;
}

/* A shape with its input and answer, and the factors in the layout that the methods take. */
struct shape {
    struct instance in;
    struct expected want;
    struct factors f;
    float *a;
};
static void shape_make(struct shape *s, const struct problem *p, const int *dims, uint64_t seed)
{
    instance_make(&s->in, p, dims, seed);
    expected_make(&s->want, &s->in);
    int is_aat = !strcmp(p->name, "aat");
    s->a = turned(s->in.data[0], dims[0], dims[1]);
    s->f = (struct factors){dims[0], dims[1], is_aat ? dims[0] : dims[2], s->a,
        is_aat ? s->a : s->in.data[1], s->in.data[p->output]};
}
static void shape_free(struct shape *s)
{
    free(s->a);
    expected_free(&s->want);
    instance_free(&s->in);
}

/* The largest error of a method, in slacks. An error where there is no slack is infinite. */
static double error_of(struct shape *s, const struct way *w)
{
    double most = 0;
    memset(s->f.c, 0, s->want.count * sizeof *s->f.c);
    w->product(&s->f);
    for (size_t i = 0; i < s->want.count; i++) {
        double error = fabs(s->f.c[i] - s->want.value[i]), slack = s->want.slack[i];
        most = fmax(most, error == 0 ? 0 : error / slack);
    }
    return most;
}

static void try_way(
    struct shape *shapes, int count, const struct way *w, uint64_t seed, struct margin *m)
{
    int right = is_right(w, shapes->in.problem);
    double most = 0;
    if (right < 0) return;
    for (int i = count; i-- > 0 && (right || most <= 1);)
        most = fmax(most, error_of(&shapes[i], w));
    if (right) {
        m->right_count++;
        if (most <= m->right) return;
        m->right = most;
        m->right_seed = seed;
    } else {
        m->wrong_count++;
        if (most >= m->wrong) return;
        m->wrong = most;
        m->wrong_seed = seed;
    }
}

/* The problems that have a tolerance of their own. */
static const char *const problem_names[] = {"aat", "matmul", "matmul_tf32"};
enum { PROBLEMS = 3 };
static int problem_number(const char *name)
{
    int i = 0;
    while (i < PROBLEMS && strcmp(problem_names[i], name)) i++;
    return i < PROBLEMS ? i : -1;
}

/* Try all methods on the shapes and inputs that a grading draws from this seed. */
static void try_step(
    const struct exercise *x, int step, uint64_t seed, struct margin m[PROBLEMS][WAYS])
{
    const struct step *s = &x->steps[step];
    const struct problem *p = problem_find(s->problem);
    struct session session = {.seed = seed};
    struct shape shapes[SHAPES];
    int dims[SHAPES][DIMS];
    struct rng rng;
    rng_seed(&rng, session_seed(&session, x->name, NULL, step));
    int count = problem_shapes(p, s, &rng, dims, NULL);
    for (int i = 0; i < count; i++) shape_make(&shapes[i], p, dims[i], rng_u64(&rng));
    for (int w = 0; w < WAYS; w++)
        try_way(shapes, count, &ways[w], seed, &m[problem_number(p->name)][w]);
    for (int i = 0; i < count; i++) shape_free(&shapes[i]);
}

/* ---- all seeds ---- */

/* A step to try. Steps with the same shapes and inputs as an earlier one are left out: exercises of
 * one name draw the same. */
struct task {
    const struct exercise *exercise;
    int step;
};
enum { TASKS = 64 };

static int tasks_of(const char *only, struct task tasks[TASKS])
{
    int count = 0;
    for (int l = 0; lab_table[l]; l++)
        for (const struct exercise *x = lab_table[l]->exercises; x->name; x++)
            for (int i = 0; i < exercise_steps(x); i++) {
                int known = x->steps[i].suspect || problem_number(x->steps[i].problem) < 0 ||
                            (only && strcmp(only, x->name));
                for (int t = 0; t < count; t++)
                    known |= !strcmp(tasks[t].exercise->name, x->name) && tasks[t].step == i &&
                             !memcmp(tasks[t].exercise->steps[i].most, x->steps[i].most,
                                 sizeof x->steps[i].most);
                if (!known && count < TASKS) tasks[count++] = (struct task){x, i};
            }
    return count;
}

struct search {
    struct task tasks[TASKS];
    int task_count;
    uint64_t seed, count;
    _Atomic uint64_t next;
    pthread_mutex_t lock;
    struct margin margins[PROBLEMS][WAYS];
};

static void begin(struct margin m[PROBLEMS][WAYS])
{
    for (int i = 0; i < PROBLEMS * WAYS; i++)
        m[i / WAYS][i % WAYS] = (struct margin){.right = -1, .wrong = INFINITY};
}

static void add_up(struct margin *all, const struct margin *m)
{
    all->right_count += m->right_count;
    all->wrong_count += m->wrong_count;
    if (m->right > all->right) all->right = m->right, all->right_seed = m->right_seed;
    if (m->wrong < all->wrong) all->wrong = m->wrong, all->wrong_seed = m->wrong_seed;
}

static void *work(void *context)
{
    struct search *s = context;
    struct margin m[PROBLEMS][WAYS];
    begin(m);
    for (uint64_t i; (i = atomic_fetch_add(&s->next, 1)) < s->count;)
        for (int t = 0; t < s->task_count; t++)
            try_step(s->tasks[t].exercise, s->tasks[t].step, s->seed + i, m);
    pthread_mutex_lock(&s->lock);
    for (int i = 0; i < PROBLEMS * WAYS; i++)
        add_up(&s->margins[i / WAYS][i % WAYS], &m[i / WAYS][i % WAYS]);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* A line for each method of each problem; returns how many are on the wrong side of the slack. */
static int report(const struct search *s)
{
    int bad = 0;
    for (int i = 0; i < PROBLEMS * WAYS; i++) {
        const struct margin *m = &s->margins[i / WAYS][i % WAYS];
        const char *problem = problem_names[i / WAYS], *way = ways[i % WAYS].name;
        if (m->right_count)
            printf("right  %-11s  %-38s at most  %8.4f  seed %llu\n", problem, way, m->right,
                (unsigned long long)m->right_seed);
        if (m->wrong_count)
            printf("wrong  %-11s  %-38s at least %8.5g  seed %llu\n", problem, way, m->wrong,
                (unsigned long long)m->wrong_seed);
        bad += (m->right_count && m->right > 1) + (m->wrong_count && m->wrong <= 1);
    }
    return bad;
}

int command_seeds(int argc, char **argv, struct err *e)
{
    const char *seed = "1", *count = "100", *only = NULL, *jobs = NULL;
    const struct option_spec specs[] = {
        {"--seed", &seed}, {"--count", &count}, {"--exercise", &only}, {"--jobs", &jobs}, {0}};
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0) return -1;
    struct search s = {.seed = strtoull(seed, NULL, 10),
        .count = strtoull(count, NULL, 10),
        .lock = PTHREAD_MUTEX_INITIALIZER};
    long threads = jobs ? strtol(jobs, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t thread[64];
    s.task_count = tasks_of(only, s.tasks);
    if (!s.task_count)
        return err_set(e, ERR_USAGE, "%s: no exercise of this name computes a product", only);
    if (threads < 1 || threads > 64) threads = 1;
    begin(s.margins);
    for (long i = 0; i < threads; i++) pthread_create(&thread[i], NULL, work, &s);
    for (long i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    int bad = report(&s);
    printf(
        "%llu seeds, %d steps each: %d ways on the wrong side. Errors are in slacks of their element\n",
        (unsigned long long)s.count, s.task_count, bad);
    return bad ? err_set(e, ERR_ENV, "%d ways are on the wrong side of the slack", bad) : 0;
}
