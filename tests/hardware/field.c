/* field.c - inputs and outputs that are too large to fill and to check element by element.
 *
 *     block   |b0 b1 b2 ... b(PERIOD-1)|              random floats, or these as halves
 *     input   |b0 b1 ... b(PERIOD-1)|b0 b1 ...|...    the block again and again, from an offset per buffer
 *     output  |poison ...............|                SAMPLES elements are compared with the CPU's values
 *
 * So any element of an input is known without the whole input, and an element of the output is
 * computed when it is sampled.
 */
#include "hardware/hardware.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* PERIOD is prime: rows of a matrix all differ */
enum { SECONDS = 400, PERIOD = 4194301, SAMPLES = 200 };
/* warp instructions; enough for the largest size */
static const uint64_t BUDGET = (uint64_t)1 << 34;

/* The block from which buffer b repeats: element i is block[(i + b * 1000003) % PERIOD]. It is
 * stored twice in a row, so that a whole period can be copied from any offset. It is made once
 * and never freed. */
static float *block_of(int buffer)
{
    static float *block;
    if (!block) {
        struct rng r;
        block = xcalloc(2 * (size_t)PERIOD, sizeof *block);
        rng_seed(&r, 20);
        for (size_t i = 0; i < PERIOD; i++)
            block[i] = block[i + PERIOD] = (float)(2 * rng_unit(&r) - 1);
    }
    return block + (size_t)buffer * 1000003 % PERIOD;
}

/* The same block, rounded to halves. */
static const uint16_t *halves_of(int buffer)
{
    static uint16_t *block;
    if (!block) {
        block = xcalloc(2 * (size_t)PERIOD, sizeof *block);
        for (size_t i = 0; i < 2 * (size_t)PERIOD; i++) {
            float x = block_of(0)[i % PERIOD];
            block[i] = element_half(&x);
        }
    }
    return block + (block_of(buffer) - block_of(0));
}

static int of_halves(const struct field *f)
{
    return f->problem->buffers[0].element == ELEMENT_F16;
}

static double element(const struct field *f, int buffer, size_t i)
{
    float x = block_of(buffer)[i % PERIOD];
    if (of_halves(f)) element_half(&x);
    return x;
}

/* Fill count elements at p with repetitions of the block. */
static int fill(
    struct device *d, dev_ptr p, size_t count, const void *block, size_t bytes, struct err *e)
{
    for (size_t i = 0; i < count; i += PERIOD) {
        size_t n = count - i < PERIOD ? count - i : PERIOD;
        if (device_copy_in(d, p + i * bytes, block, n * bytes, e)) return -1;
    }
    return 0;
}

/* Fill the output with poison and tell the device to forget what it knows about the buffer, so
 * that an element that a kernel does not write is noticed. */
int field_poison(struct field *f, struct err *e)
{
    static float *poison;
    size_t counts[BUFFERS];
    if (!poison) {
        poison = xcalloc(PERIOD, sizeof *poison);
        poison_fill(poison, PERIOD * sizeof *poison, sizeof *poison);
    }
    f->problem->counts(f->dims, counts);
    if (fill(f->device, f->data[f->problem->output], counts[f->problem->output], poison,
            sizeof *poison, e))
        return -1;
    device_forget(
        f->device, f->data[f->problem->output], counts[f->problem->output] * sizeof *poison);
    return 0;
}

int field_place(
    struct field *f, struct device *d, const struct problem *p, const int *dims, struct err *e)
{
    size_t counts[BUFFERS];
    *f = (struct field){.device = d, .problem = p};
    memcpy(f->dims, dims, sizeof f->dims);
    p->counts(dims, counts);
    int bad = 0;
    for (int i = 0; i < problem_buffers(p) && !bad; i++) {
        size_t bytes = element_bytes(p->buffers[i].element);
        const void *block = of_halves(f) ? (const void *)halves_of(i) : block_of(i);
        bad = device_alloc(d, counts[i] * bytes, p->buffers[i].name, bytes, &f->data[i], e);
        if (!bad && i != p->output) bad = fill(d, f->data[i], counts[i], block, bytes, e);
    }
    if (bad || field_poison(f, e)) {
        field_free(f);
        return -1;
    }
    return 0;
}

void field_free(struct field *f)
{
    for (int i = 0; i < BUFFERS; i++)
        if (f->data[i]) device_free(f->device, f->data[i], NULL);
    *f = (struct field){0};
}

/* The arguments are the buffers, then the dims, as all kernels of these problems take them. */
int field_launch(const struct field *f, const struct bound_kernel *b, const struct sample *sample,
    struct measurement *m, struct err *e)
{
    const void *args[BUFFERS + DIMS];
    struct launch_shape shape;
    int buffers = problem_buffers(f->problem), dims = problem_dims(f->problem);
    for (int i = 0; i < buffers; i++) args[i] = &f->data[i];
    for (int i = 0; i < dims; i++) args[buffers + i] = &f->dims[i];
    if (run_shape(b, f->dims, &shape, e)) return -1;
    shape.seconds = SECONDS;
    if (sample) {
        shape.sample = sample->blocks;
        shape.sample_sms = sample->sms;
    }
    shape.budget = BUDGET;
    if (run_maps(b, f->dims, f->data, e)) return -1;
    return device_launch(b->device, b->kernel, &shape, args, m, e);
}

/* The expected element at (row, column). *slack is the largest error that rounding may cause: 0
 * for copies; for a product it grows with the norms of the row and the column, as exercise.h
 * explains at struct expected. */
static double answer(const struct field *f, size_t row, size_t col, double *slack)
{
    const char *name = f->problem->name;
    const int *d = f->dims;
    double sum = 0, left = 0, right = 0, squares = 0;
    *slack = 0;
    if (!strcmp(name, "copy")) return element(f, 0, row * d[1] + col);
    if (!strcmp(name, "transpose")) return element(f, 0, col * d[1] + row);
    if (!strcmp(name, "add")) {
        *slack = 0x1p-23; /* a unit in the last place of a sum below 2 */
        return element(f, 0, col) + element(f, 1, col);
    }
    int is_product = !strcmp(problem_kind(f->problem), "matmul");
    for (int i = 0; i < d[1]; i++) {
        double x = element(f, 0, row * d[1] + i), y = is_product
                                                          ? element(f, 1, (size_t)i * d[2] + col)
                                                          : element(f, 0, col * d[1] + i);
        sum += x * y;
        left += x * x;
        right += y * y;
        squares += x * x * y * y;
    }
    *slack = 12 * 0x1p-24 * sqrt(left * right);
    int half = !strcmp(name, "matmul_half");
    if (half || !strcmp(name, "matmul_tf32")) *slack += 4 * 0x1p-11 * sqrt(squares);
    if (half) *slack += 4 * 0x1p-25 * sqrt(left + right);
    return sum;
}

double field_error(const struct field *f, struct err *e)
{
    size_t rows, cols;
    double slack, off = 0, all = 0;
    struct rng r;
    rng_seed(&r, rng_secret());
    f->problem->result(f->dims, &rows, &cols);
    for (int i = 0; i < SAMPLES; i++) {
        size_t row = rng_below(&r, rows), col = rng_below(&r, cols);
        double want = answer(f, row, col, &slack);
        float got;
        if (device_copy_out(f->device, &got,
                f->data[f->problem->output] + (row * cols + col) * sizeof got, sizeof got, e))
            return -1;
        off += (got - want) * (got - want);
        all += want * want;
    }
    return sqrt(off / all);
}

/* The elements are drawn from a secret seed, so that a kernel cannot compute just those. */
int field_check(const struct field *f, const char *what, struct err *e)
{
    size_t rows, cols;
    struct rng r;
    rng_seed(&r, rng_secret());
    f->problem->result(f->dims, &rows, &cols);
    for (int i = 0; i < SAMPLES; i++) {
        size_t row = rng_below(&r, rows), col = rng_below(&r, cols);
        double slack, want = answer(f, row, col, &slack);
        float got;
        if (device_copy_out(f->device, &got,
                f->data[f->problem->output] + (row * cols + col) * sizeof got, sizeof got, e))
            return -1;
        if (!(fabs(got - want) <= slack))
            return err_set(e, ERR_ENV, "%s at %d x %d: element (%zu, %zu) is %g, not %g", what,
                f->dims[0], f->dims[1], row, col, got, want);
    }
    return 0;
}
