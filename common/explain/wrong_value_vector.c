/* wrong_value_vector.c - the usual mistakes of the problems on vectors, and of copies, tried on a
 * wrong output.
 *
 *     norm         a square root; x, y or z left out
 *     polynomial   only some coefficients, in reverse order, x from another place of the table
 *     parity       the steps meant for elements of the other parity
 *     unequal      another number of steps
 *     copies       out[r][c] is in[r * R + c * C + plus]: the index that was read */
#include "explain/wrong_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- norm ---- */

static double root(const struct suspicion *s, const void *rule, size_t i)
{
    (void)rule;
    return (float)sqrt(s->want->value[i]) == (float)compare_element(s->in, s->data, i)
               ? compare_element(s->in, s->data, i)
               : NAN;
}

/* The sum of two of the squares x*x, y*y, z*z; rule: which square is left out, 0 to 2. */
static double two_squares(const struct suspicion *s, const void *rule, size_t i)
{
    int soa = s->in->problem->output == 3, without = *(const int *)rule;
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double v = soa ? ((const double *)s->in->data[k])[i]
                       : ((const double *)s->in->data[0])[3 * i + (size_t)k];
        if (k != without) sum += v * v;
    }
    return sum;
}

static int norms(const struct suspicion *s, struct buf *why)
{
    if (strncmp(s->in->problem->name, "norm_", 5)) return 0;
    if (wrong_value_fit(s, root, NULL)) {
        buf_printf(why, "it is the square root of the answer, which is x^2 + y^2 + z^2 itself");
        return 1;
    }
    for (int without = 0; without < 3; without++)
        if (wrong_value_fit(s, two_squares, &without)) {
            buf_printf(why, "%c is left out", "xyz"[without]);
            return 1;
        }
    return 0;
}

/* ---- polynomial ---- */

/* A polynomial with mistakes. Only coefficients low .. high are used; down: exponent 0 belongs
 * to coef[low]; back: coefficients are in reverse order; straight: x is table[i] instead of
 * table[index[i]]. */
struct terms {
    int low, high, down, back, straight;
};

static double terms_value(const struct suspicion *s, const void *rule, size_t i)
{
    const struct terms *t = rule;
    int at = t->straight ? (int)i : ((const int *)s->in->data[1])[i];
    double sum = 0, power = 1, x;
    if (at >= s->in->dims[1]) return NAN;
    x = ((const float *)s->in->data[0])[at];
    for (int j = 0; j < COEFS; j++) {
        if (j >= t->low && j <= t->high) sum += s->in->coef[t->back ? COEFS - 1 - j : j] * power;
        if (j >= t->low || !t->down) power *= x;
    }
    return sum;
}

static int polynomials(const struct suspicion *s, struct buf *why)
{
    for (int low = 0; low < COEFS; low++)
        for (int high = low; high < COEFS; high++)
            for (int kind = 0; kind < 8; kind++) {
                struct terms t = {low, high, kind & 1, kind >> 1 & 1, kind >> 2};
                int all = !low && high == COEFS - 1;
                if (!wrong_value_fit(s, terms_value, &t) || (all && !t.back && !t.straight))
                    continue;
                s->found->kind = all ? FOUND_INDICES : FOUND_PART;
                s->found->hints |= all ? 0 : HINT_LOOP;
                if (t.back || t.straight)
                    snprintf(s->found->name, sizeof s->found->name, t.back ? "coef" : "table");
                buf_printf(why, "it is the polynomial");
                if (all)
                    buf_printf(why, " with");
                else
                    buf_printf(why,
                        " of coef[%d] to coef[%d] alone, of %d\1: where does the loop over them "
                        "start and end?\2%s",
                        t.back ? COEFS - 1 - high : low, t.back ? COEFS - 1 - low : high, COEFS,
                        t.back || t.straight ? " And with" : "");
                if (t.back)
                    buf_printf(why, " the coefficients in the other order, where coef is read");
                if (t.straight)
                    buf_printf(why, "%s table[i] for table[index[i]], where table is read",
                        t.back ? " and" : "");
                return 1;
            }
    return 0;
}

/* ---- parity and unequal: a number of steps per element ---- */

/* Element i of the input after `steps` steps of the problem's iteration: x = 0.25 - 0.5 x if
 * odd, else x = 0.5 x + 1. */
static double stepped(const struct suspicion *s, size_t i, int steps, int odd)
{
    double x = ((const float *)s->in->data[0])[i];
    while (steps-- > 0) x = odd ? 0.25 - 0.5 * x : 0.5 * x + 1;
    return x;
}

static double other_parity(const struct suspicion *s, const void *rule, size_t i)
{
    (void)rule;
    return stepped(s, i, 16, i % 2 == 0);
}

/* The value of element i after a wrong number of steps. rule: how many steps more than right;
 * negative: fewer. */
static double other_steps(const struct suspicion *s, const void *rule, size_t i)
{
    int more = *(const int *)rule;
    return stepped(s, i, 1 + (int)(i % 32) + more, 0);
}

static int steps(const struct suspicion *s, struct buf *why)
{
    if (!strcmp(s->in->problem->name, "parity")) {
        if (!wrong_value_fit(s, other_parity, NULL)) return 0;
        buf_printf(why,
            "it is what the steps of %s elements make of this one; where the branch goes "
            "by warp, the index of the element must follow its warp, too",
            s->wrong[0] % 2 ? "even" : "odd");
        return 1;
    }
    for (int more = -31; more <= 31; more++) {
        if (!more || !wrong_value_fit(s, other_steps, &more)) continue;
        buf_printf(why, "it has had %d step%s too %s", abs(more), abs(more) == 1 ? "" : "s",
            more > 0 ? "many" : "few");
        return 1;
    }
    size_t i = s->wrong[0];
    double slack = 4 * (double)s->want->slack[i], got = compare_element(s->in, s->data, i);
    for (int many = 0; many <= 32; many++)
        if (fabs(stepped(s, i, many, 0) - got) <= slack) {
            buf_printf(why, "it has had %d step%s, and element %zu needs 1 + %zu %% 32 = %zu", many,
                many == 1 ? "" : "s", i, i, 1 + i % 32);
            return 1;
        }
    return 0;
}

/* ---- copies: which element was read ---- */

struct read_at {
    long row, column, plus;
};

static double read_value(const struct suspicion *s, const void *rule, size_t i)
{
    const struct read_at *x = rule;
    long at = (long)(i / s->columns) * x->row + (long)(i % s->columns) * x->column + x->plus;
    return at >= 0 && (size_t)at < s->in->count[0] ? ((const float *)s->in->data[0])[at] : NAN;
}

/* The first index at which the input has the value v; -1: none. */
static long place_of(const struct suspicion *s, double v)
{
    const float *in = s->in->data[0];
    for (size_t i = 0; i < s->in->count[0]; i++)
        if (in[i] == v) return (long)i;
    return -1;
}

/* Append "row * cols": a name times a step, where the step is written as the dimension with that
 * value. " + " is put before any term but the first. */
static void write_step(struct buf *why, const struct suspicion *s, long step, const char *name)
{
    const char *length = NULL, *plus = why->data[why->len - 1] == '[' ? "" : " + ";
    for (int d = 0; s->in->problem->dim_names[d]; d++)
        if (step == s->in->dims[d]) length = s->in->problem->dim_names[d];
    if (step == 1)
        buf_printf(why, "%s%s", plus, name);
    else if (step && length)
        buf_printf(why, "%s%s * %s", plus, name, length);
    else if (step)
        buf_printf(why, "%s%s * %ld", plus, name, step);
}

/* Append "every wrong element of out is in[row * cols + column - 32] of its own row and column". */
static void write_read(struct buf *why, const struct suspicion *s, const struct read_at *x)
{
    const struct problem *p = s->in->problem;
    s->found->kind = FOUND_INDICES;
    snprintf(s->found->name, sizeof s->found->name, "%s", p->buffers[0].name);
    buf_printf(
        why, "every wrong element of %s is %s[", p->buffers[p->output].name, p->buffers[0].name);
    write_step(why, s, x->row, "row");
    write_step(why, s, x->column, s->rows > 1 ? "column" : "i");
    if (!x->row && !x->column)
        buf_printf(why, "%ld", x->plus);
    else if (x->plus)
        buf_printf(why, " %c %ld", x->plus < 0 ? '-' : '+', labs(x->plus));
    buf_printf(why, "]%s: look where %s is read", s->rows > 1 ? " of its own row and column" : "",
        p->buffers[0].name);
}

static int copies(const struct suspicion *s, struct buf *why)
{
    const struct problem *p = s->in->problem;
    long steps[] = {0, 1, 2, 3, 4, 8, 16, 32, s->in->dims[0], s->in->dims[1]};
    enum { STEPS = sizeof steps / sizeof *steps };
    long first = place_of(s, compare_element(s->in, s->data, s->wrong[0]));
    size_t r = s->wrong[0] / s->columns, c = s->wrong[0] % s->columns;
    if (s->want->slack || p->buffers[0].element != ELEMENT_F32) return 0;
    if (first < 0 && compare_element(s->in, s->data, s->wrong[0]) == 0) return 0;
    if (first < 0) {
        buf_printf(why, "it is no element of %s\1: is something computed with what is read?\2",
            p->buffers[0].name);
        return 1;
    }
    for (int i = 0; i < (s->rows > 1 ? STEPS : 1); i++)
        for (int k = 0; k < STEPS; k++) {
            struct read_at x = {
                steps[i], steps[k], first - (long)r * steps[i] - (long)c * steps[k]};
            if (!wrong_value_fit(s, read_value, &x)) continue;
            write_read(why, s, &x);
            return 1;
        }
    return 0;
}

/* ---- sums of two elements ---- */

/* Is the value a[i] plus some element of b, or b[i] plus some element of a? Or is the value a[i]
 * alone, b[i] alone, their difference or the like? */
static int sums(const struct suspicion *s, struct buf *why)
{
    const float *in[2] = {s->in->data[0], s->in->data[1]};
    size_t i = s->wrong[0];
    float got = (float)compare_element(s->in, s->data, i);
    for (int other = 1; other >= 0; other--)
        for (size_t j = 0; j < s->in->count[other]; j++) {
            if (in[!other][i] + in[other][j] != got) continue;
            buf_printf(why, "it is %s[%zu] + %s[%zu]", s->in->problem->buffers[!other].name, i,
                s->in->problem->buffers[other].name, j);
            return 1;
        }
    const float a = in[0][i], b = in[1][i], made[] = {a, b, a + a, b + b, a - b, b - a, a * b};
    static const char *const says[] = {"a[%zu] alone", "b[%zu] alone", "a[%zu] twice",
        "b[%zu] twice", "a[%zu] - b[%zu]", "b[%zu] - a[%zu]", "a[%zu] * b[%zu]"};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++)
        if (made[k] == got) {
            buf_printf(why, "it is ");
            buf_printf(why, says[k], i, i);
            return 1;
        }
    return 0;
}

int wrong_value_vector(const struct suspicion *s, struct buf *why)
{
    const char *name = s->in->problem->name;
    if (s->count < 3) return 0;
    if (!strncmp(name, "norm_", 5)) return norms(s, why);
    if (!strcmp(name, "add")) return sums(s, why);
    if (!strcmp(name, "polynomial")) return polynomials(s, why);
    if (!strcmp(name, "parity") || !strcmp(name, "unequal")) return steps(s, why);
    return s->want->slack ? 0 : copies(s, why);
}
