/* suspects.c - the usual mistakes of each problem, tried on a wrong output: the one that fits is named.
 *
 *     wrong elements ── a sample of 12 ──> each suspect: does it give just these values? ──> its sentence
 *
 *     problem     suspects                                                  in
 *     products    other indices, a part of the sum                          suspects_product.c
 *     transpose   copied; tile not moved; tile not transposed inside        table `moves`
 *     norm        a square root, z forgotten                                table `values`
 *     any         a multiple of the answer, the answer plus a number        scaled
 *
 * For elements that nothing was written to, the rectangle that was written is named instead. */
#include "judge/suspects.h"

#include <math.h>
#include <string.h>

double suspects_element(const struct instance *in, const void *data, size_t i)
{
    if (in->problem->buffers[in->problem->output].element == ELEMENT_F64) return ((const double *)data)[i];
    return ((const float *)data)[i];
}

int suspects_poison(const struct instance *in, const void *data, size_t i)
{
    size_t bytes = element_bytes(in->problem->buffers[in->problem->output].element);
    return poison_whole((const char *)data + i * bytes, bytes, bytes);
}

/* Four times the slack: a kernel may add up in another order and more often than the answer does. */
int suspects_fit(const struct suspicion *s, suspect *value, const void *rule)
{
    for (int k = 0; k < s->count; k++) {
        size_t i = s->wrong[k];
        double slack = 4 * (s->want->slack ? s->want->slack[i] : 0);
        if (!(fabs(value(s, rule, i) - suspects_element(s->in, s->data, i)) <= slack)) return 0;
    }
    return s->count > 0;
}

/* ---- elements in the wrong place: copies and transposes ---- */

/* Where an output element at row r, column c comes from, for tiles of side t. */
struct move {
    const char *problem;
    int side;
    enum { SAME_PLACE, TILE_STAYS, INSIDE_STAYS } how;
    const char *says;
};
static const struct move moves[] = {
    {"transpose", 32, TILE_STAYS, "each tile of 32 x 32 is transposed, but stands where it stood in in: the "
     "block's row and column must change places when it stores"},
    {"transpose", 32, INSIDE_STAYS, "each tile of 32 x 32 is at its place, but not transposed inside: is "
     "tile[y][x] read where tile[x][y] is meant?"},
    {"transpose", 16, TILE_STAYS, "each tile of 16 x 16 is transposed, but stands where it stood in in: the "
     "block's row and column must change places when it stores"},
    {"transpose", 16, INSIDE_STAYS, "each tile of 16 x 16 is at its place, but not transposed inside: is "
     "tile[y][x] read where tile[x][y] is meant?"},
    {"transpose", 1, SAME_PLACE, "it is in, copied and not transposed"},
};

static double move_value(const struct suspicion *s, const void *rule, size_t i)
{
    const struct move *m = rule;
    size_t r = i / s->columns, c = i % s->columns, t = (size_t)m->side, cols = (size_t)s->in->dims[1];
    size_t from_row = m->how == TILE_STAYS ? r / t * t + c % t : c / t * t + r % t;
    size_t from_col = m->how == TILE_STAYS ? c / t * t + r % t : r / t * t + c % t;
    size_t at = m->how == SAME_PLACE ? i : from_row * cols + from_col;
    if (m->how != SAME_PLACE && (from_col >= cols || from_row >= (size_t)s->in->dims[0])) return NAN;
    return ((const float *)s->in->data[0])[at];
}

/* ---- values ---- */

static double root(const struct suspicion *s, const void *rule, size_t i)
{
    (void)rule;
    return (float)sqrt(s->want->value[i]) == (float)suspects_element(s->in, s->data, i)
        ? suspects_element(s->in, s->data, i) : NAN;
}

/* Two of the three squares; rule: the one that is left out. */
static double two_squares(const struct suspicion *s, const void *rule, size_t i)
{
    int soa = s->in->problem->output == 3, without = *(const int *)rule;
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double v =
            soa ? ((const double *)s->in->data[k])[i] : ((const double *)s->in->data[0])[3 * i + (size_t)k];
        if (k != without) sum += v * v;
    }
    return sum;
}

static int norms(const struct suspicion *s, struct buf *why)
{
    if (strncmp(s->in->problem->name, "norm_", 5)) return 0;
    if (suspects_fit(s, root, NULL)) {
        buf_printf(why, "it is the square root of the answer, which is x^2 + y^2 + z^2 itself");
        return 1;
    }
    for (int without = 0; without < 3; without++)
        if (suspects_fit(s, two_squares, &without)) {
            buf_printf(why, "%c is left out", "xyz"[without]);
            return 1;
        }
    return 0;
}

/* factor * answer + plus */
struct line {
    double factor, plus;
};

static double line_value(const struct suspicion *s, const void *rule, size_t i)
{
    const struct line *l = rule;
    double v = l->factor * s->want->value[i] + l->plus, got = suspects_element(s->in, s->data, i);
    return fabs(v - got) <= 1e-5 * (fabs(v) + 1e-3) ? got : NAN;
}

/* Multiples and differences, if they are whole or half numbers: then somebody wrote them. */
static int scaled(const struct suspicion *s, struct buf *why)
{
    double want = s->want->value[s->wrong[0]], got = suspects_element(s->in, s->data, s->wrong[0]);
    struct line times = {want != 0 ? round(2 * got / want) / 2 : 0, 0},
                plus = {1, round(2 * (got - want)) / 2};
    if (s->count < 3) return 0;
    if (times.factor != 0 && times.factor != 1 && fabs(times.factor) < 1e6 &&
        suspects_fit(s, line_value, &times)) {
        buf_printf(why, "every wrong element is %g times the answer", times.factor);
        return 1;
    }
    if (plus.plus != 0 && fabs(plus.plus) < 1e6 && suspects_fit(s, line_value, &plus)) {
        buf_printf(why, "every wrong element is the answer %s %g: what does the sum start with?",
            plus.plus > 0 ? "plus" : "minus", fabs(plus.plus));
        return 1;
    }
    return 0;
}

int suspects_name(const struct suspicion *s, struct buf *why)
{
    const char *problem = s->in->problem->name;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (!strcmp(problem, moves[i].problem) && s->count > 2 && suspects_fit(s, move_value, &moves[i])) {
            buf_printf(why, "%s", moves[i].says);
            return 1;
        }
    if ((!strcmp(problem, "matmul") || !strcmp(problem, "aat")) && suspects_product(s, why)) return 1;
    return norms(s, why) || scaled(s, why);
}

/* ---- what was written ---- */

/* The rows and columns that hold every written element, and how many are written. */
struct rectangle {
    size_t row[2], column[2], count;
};

static struct rectangle written(const struct instance *in, const void *data, size_t rows, size_t columns)
{
    struct rectangle w = {{rows, 0}, {columns, 0}, 0};
    for (size_t i = 0; i < rows * columns; i++) {
        size_t at[2] = {i / columns, i % columns}, *const box[2] = {w.row, w.column};
        if (suspects_poison(in, data, i)) continue;
        w.count++;
        for (int k = 0; k < 2; k++) {
            box[k][0] = at[k] < box[k][0] ? at[k] : box[k][0];
            box[k][1] = at[k] > box[k][1] ? at[k] : box[k][1];
        }
    }
    return w;
}

/* Does the written part end where the grid would if x and y had changed places? Blocks round up to at most
 * 32. */
static int swapped(size_t done, size_t needed, size_t other)
{
    return done < needed && done >= other && done < other + 32;
}

void suspects_written(
    const struct instance *in, const void *data, size_t rows, size_t columns, struct buf *why)
{
    struct rectangle w = written(in, data, rows, columns);
    if (!w.count || w.count == rows * columns) return;
    size_t high = w.row[1] + 1 - w.row[0], wide = w.column[1] + 1 - w.column[0];
    if (w.count != high * wide) {
        buf_printf(why, "; %zu of %zu elements were written", w.count, rows * columns);
        return;
    }
    if (rows > 1)
        buf_printf(why, "; written are rows %zu to %zu and columns %zu to %zu, of %zu x %zu", w.row[0],
            w.row[1], w.column[0], w.column[1], rows, columns);
    else buf_printf(why, "; written are elements %zu to %zu, of %zu", w.column[0], w.column[1], columns);
    int corner = !w.row[0] && !w.column[0];
    if (rows > 1 && corner && (swapped(high, rows, columns) || swapped(wide, columns, rows)))
        buf_printf(why, ": are x and y of the grid swapped?");
    else if (corner && high <= 32 && wide <= 32 && high * wide > 32 && (high < rows || rows == 1))
        buf_printf(why, ": is that one block, and blockIdx missing in an index?");
}
