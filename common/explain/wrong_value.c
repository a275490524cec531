/* wrong_value.c - the usual mistakes of each problem, tried on a wrong output: the one that fits is
 * reported.
 *
 *     wrong elements -- a sample of 12 --> each suspect: does it give just these values? --> its sentence
 *
 *     problem     suspects                                                  in
 *     products    other indices, a part of the sum                          wrong_value_product.c
 *     transpose   copied; tile not moved; tile not transposed inside        table `moves`
 *     vectors     a part of the sum, another element, other steps           wrong_value_vector.c
 *     any         a multiple of the answer, the answer plus a number        scaled
 *                 0 everywhere, whole numbers                               whole
 *
 * If elements were not written at all, the rectangle of those that were is reported instead. */
#include "explain/wrong_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int wrong_value_poison(const struct instance *in, const void *data, size_t i)
{
    size_t bytes = element_bytes(in->problem->buffers[in->problem->output].element);
    return poison_whole((const char *)data + i * bytes, bytes, bytes);
}

/* The tolerance is four times that of the check: a kernel with the mistake may add in another
 * order, and so round differently. */
int wrong_value_fit(const struct suspicion *s, suspect *value, const void *rule)
{
    for (int k = 0; k < s->count; k++) {
        size_t i = s->wrong[k];
        double slack = 4 * (s->want->slack ? s->want->slack[i] : 0);
        if (!(fabs(value(s, rule, i) - compare_element(s->in, s->data, i)) <= slack)) return 0;
    }
    return s->count > 0;
}

/* ---- elements in the wrong place: copies and transposes ---- */

/* A wrong transpose in tiles of `side` x `side` elements: SAME_PLACE is a copy; in TILE_STAYS each
 * tile is transposed, but stored where it was read; in INSIDE_STAYS each tile is stored at the
 * right place, but not transposed inside. */
struct move {
    int side;
    enum { SAME_PLACE, TILE_STAYS, INSIDE_STAYS } how;
};
static const struct move moves[] = {{1, SAME_PLACE}, {64, TILE_STAYS}, {64, INSIDE_STAYS},
    {32, TILE_STAYS}, {32, INSIDE_STAYS}, {16, TILE_STAYS}, {16, INSIDE_STAYS}, {4, TILE_STAYS},
    {4, INSIDE_STAYS}};

static void move_say(const struct move *m, struct finding *found, struct buf *why)
{
    found->kind = FOUND_PLACE;
    if (m->side == 4 && m->how == INSIDE_STAYS) found->hints |= HINT_FLOAT4;
    if (m->how == SAME_PLACE)
        buf_printf(why, "it is in, copied and not transposed");
    else if (m->how == TILE_STAYS)
        buf_printf(why,
            "each tile of %d x %d is transposed, but stands where it stood in in: the block's "
            "row and column must change places when it stores",
            m->side, m->side);
    else if (m->side == 4)
        buf_printf(why,
            "each 4 x 4 floats are at their place, but not transposed inside\1: does each float4 "
            "that is stored hold four floats of a column of in?\2");
    else
        buf_printf(why,
            "each tile of %d x %d is at its place, but not transposed inside\1: is tile[y][x] "
            "read where tile[x][y] is meant?\2",
            m->side, m->side);
}

static double move_value(const struct suspicion *s, const void *rule, size_t i)
{
    const struct move *m = rule;
    size_t r = i / s->columns, c = i % s->columns, t = (size_t)m->side,
           cols = (size_t)s->in->dims[1];
    size_t from_row = m->how == TILE_STAYS ? r / t * t + c % t : c / t * t + r % t;
    size_t from_col = m->how == TILE_STAYS ? c / t * t + r % t : r / t * t + c % t;
    size_t at = m->how == SAME_PLACE ? i : from_row * cols + from_col;
    if (m->how != SAME_PLACE && (from_col >= cols || from_row >= (size_t)s->in->dims[0]))
        return NAN;
    return ((const float *)s->in->data[0])[at];
}

/* ---- values: multiples, differences, whole numbers ---- */

/* The suspected wrong value: factor * answer + plus. */
struct line {
    double factor, plus;
};

static double line_value(const struct suspicion *s, const void *rule, size_t i)
{
    const struct line *l = rule;
    double v = l->factor * s->want->value[i] + l->plus, got = compare_element(s->in, s->data, i);
    return fabs(v - got) <= 1e-5 * (fabs(v) + 1e-3) ? got : NAN;
}

/* Do the wrong values differ from factor * answer by at most 1% in their root mean square? That is
 * so if factors were rounded to 10 bits or fewer; single values may be off by more. */
int wrong_value_near(const struct suspicion *s, double factor)
{
    double off = 0, all = 0;
    for (int k = 0; k < s->count; k++) {
        double v = factor * s->want->value[s->wrong[k]];
        off += pow(compare_element(s->in, s->data, s->wrong[k]) - v, 2), all += v * v;
    }
    return s->count > 2 && off <= 1e-4 * all;
}

/* Append "every wrong element is WHAT FACTOR times the answer". */
static void say_times(const struct suspicion *s, const char *what, double factor, struct buf *why)
{
    const char *problem = problem_kind(s->in->problem);
    buf_printf(why, "every wrong element is %s%g times the answer", what, factor);
    if (factor == 2 && (!strcmp(problem, "matmul") || !strcmp(problem, "aat")))
        buf_printf(why, "\1: is a product added twice?\2");
}

/* Is each wrong value the answer times, or plus, the same whole or half number? Such numbers come
 * from the source. If factors were rounded, the values are only near a small multiple of the
 * answer. */
static int scaled(const struct suspicion *s, struct buf *why)
{
    double want = s->want->value[s->wrong[0]], got = compare_element(s->in, s->data, s->wrong[0]);
    struct line times = {want != 0 ? round(2 * got / want) / 2 : 0, 0},
                plus = {1, round(2 * (got - want)) / 2};
    if (s->count < 3) return 0;
    if (times.factor != 0 && times.factor != 1 && fabs(times.factor) < 1e6 &&
        wrong_value_fit(s, line_value, &times)) {
        say_times(s, "", times.factor, why);
        return 1;
    }
    if (plus.plus != 0 && fabs(plus.plus) < 1e6 && wrong_value_fit(s, line_value, &plus)) {
        buf_printf(why,
            "every wrong element is the answer %s %g\1: what does the sum start with?\2",
            plus.plus > 0 ? "plus" : "minus", fabs(plus.plus));
        return 1;
    }
    for (int factor = 2; factor <= 4; factor++)
        if (wrong_value_near(s, factor)) {
            say_times(s, "nearly ", factor, why);
            return 1;
        }
    return 0;
}

/* Are the values 0, or whole numbers, although the answer has fractions? */
static int whole(const struct suspicion *s, struct buf *why)
{
    int zeros = 0, wholes = 0, others = 0;
    for (int i = 0; i < s->count; i++) {
        double got = compare_element(s->in, s->data, s->wrong[i]),
               want = s->want->value[s->wrong[i]];
        zeros += got == 0;
        wholes += got == floor(got);
        others += want != floor(want);
    }
    if (s->count < 3 || others < s->count || wholes < s->count) return 0;
    const char *kind = problem_kind(s->in->problem);
    int product = !strcmp(kind, "matmul") || !strcmp(kind, "aat");
    if (zeros == s->count && !product) return 0;
    if (zeros == s->count) s->found->hints = HINT_LOOP;
    if (zeros == s->count)
        buf_printf(why,
            "it is zero, as is every wrong element\1: does the loop run, is its sum the one that "
            "is stored, and is it no int?\2");
    else
        buf_printf(why,
            "it is a whole number, as is every wrong element\1: is a sum or a factor kept in an int?\2");
    return 1;
}

int wrong_value_name(const struct suspicion *s, struct buf *why)
{
    const char *problem = problem_kind(s->in->problem);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (!strcmp(problem, "transpose") && s->count > 2 &&
            wrong_value_fit(s, move_value, &moves[i])) {
            move_say(&moves[i], s->found, why);
            return 1;
        }
    if ((!strcmp(problem, "matmul") || !strcmp(problem, "aat")) && wrong_value_product(s, why))
        return 1;
    if (!strcmp(problem, "matmul") && wrong_value_fragments(s, why)) {
        s->found->kind = FOUND_INDICES;
        return 1;
    }
    if (!wrong_value_vector(s, why) && !scaled(s, why) && !whole(s, why)) return 0;
    if (!s->found->kind) s->found->kind = FOUND_VALUE;
    return 1;
}

/* ---- which part was written ---- */

/* Rows or columns with equal distances: the first, the last, how many, and their distance
 * (step). */
struct span {
    size_t first, last, count, step;
};

/* Describe the rows or columns i with marked[i] set. Returns 0 if there are none, or they are
 * not evenly spaced. */
static int span_of(const char *marked, size_t n, struct span *out)
{
    *out = (struct span){.first = n};
    for (size_t i = 0; i < n; i++)
        if (marked[i]) {
            if (out->count == 1) out->step = i - out->last;
            if (out->count > 1 && i - out->last != out->step) return 0;
            if (!out->count++) out->first = i;
            out->last = i;
        }
    if (out->count == 1) out->step = 1;
    return out->count > 0;
}

/* Do the written elements (if written is 0: the others) lie exactly where some evenly spaced rows
 * and columns cross? out[0]: those rows; out[1]: those columns. */
static int rectangle(const struct instance *in, const void *data, size_t rows, size_t columns,
    int written, struct span out[2])
{
    char *row = xcalloc(rows, 1), *column = xcalloc(columns, 1);
    size_t count = 0;
    for (size_t i = 0; i < rows * columns; i++)
        if (wrong_value_poison(in, data, i) != written)
            row[i / columns] = column[i % columns] = 1, count++;
    int found = span_of(row, rows, &out[0]) && span_of(column, columns, &out[1]) &&
                count == out[0].count * out[1].count && count < rows * columns;
    free(row);
    free(column);
    return found;
}

static void write_span(const struct span *s, const char *what, struct buf *why)
{
    if (s->step == 1)
        buf_printf(why, "%ss %zu to %zu", what, s->first, s->last);
    else
        buf_printf(why, "every %zu%s %s from %zu to %zu", s->step,
            s->step == 2   ? "nd"
            : s->step == 3 ? "rd"
                           : "th",
            what, s->first, s->last);
}

/* Was the size of the grid computed from the other dimension? The written part, `done` of `needed`
 * rows or columns, then ends less than 32 rows or columns behind that dimension, since a grid
 * consists of whole blocks of at most 32. */
static int swapped(size_t done, size_t needed, size_t other)
{
    return done < needed && done >= other && done < other + 32;
}

/* Append a guess at why only this rectangle was written. w[0]: its rows; w[1]: its columns. */
static void guess(
    const struct span w[2], size_t rows, size_t columns, struct finding *found, struct buf *why)
{
    size_t high = w[0].count, wide = w[1].count, rest = columns - wide;
    int corner = !w[0].first && !w[1].first;
    if (w[0].step > 1 || w[1].step > 1)
        buf_printf(why, "\1: do neighbouring threads start as far apart as each of them steps?\2");
    else if (rows == 1 && corner && rest < 4 && rest == columns % 4) {
        found->left = (long)rest;
        buf_printf(
            why, ": a thread has four, and nobody the last %zu: they are fewer than four", rest);
    } else if (rows > 1 && corner &&
               (swapped(high, rows, columns) || swapped(wide, columns, rows))) {
        found->hints |= HINT_GRID;
        buf_printf(why, "\1: are x and y of the grid swapped?\2");
    } else if (corner && high <= 32 && wide <= 32 && high * wide > 32 && (high < rows || rows == 1))
        buf_printf(why, "\1: is that one block, and blockIdx missing in an index?\2");
}

void wrong_value_written(const struct instance *in, const void *data, size_t rows, size_t columns,
    struct finding *found, struct buf *why)
{
    struct span w[2];
    size_t count = 0;
    for (size_t i = 0; i < rows * columns; i++) count += !wrong_value_poison(in, data, i);
    if (!count || count == rows * columns) return;
    int done = rectangle(in, data, rows, columns, 1, w);
    int open = !done && rectangle(in, data, rows, columns, 0, w);
    if (!done && !open) {
        buf_printf(why, "; %zu of %zu elements were written", count, rows * columns);
        return;
    }
    buf_printf(why, done ? "; written are " : "; not written are ");
    if (rows > 1) write_span(&w[0], "row", why), buf_printf(why, " and ");
    write_span(&w[1], rows > 1 ? "column" : "element", why);
    if (rows > 1)
        buf_printf(why, ", of %zu x %zu", rows, columns);
    else
        buf_printf(why, ", of %zu", columns);
    if (done) guess(w, rows, columns, found, why);
}

/* ---- what each block writes ---- */

/* Is the same number of rows or columns marked at the start of each group of `covers`, and none
 * elsewhere? Returns that number; 0: no, or all are marked. */
static size_t written_of(const char *marked, size_t n, size_t covers)
{
    size_t first = 0;
    while (first < n && marked[first]) first++;
    for (size_t i = 0; i < n; i++)
        if (!marked[i] != (i % covers >= first)) return 0;
    return first < covers && first < n ? first : 0;
}

void wrong_value_blocks(const struct bound_kernel *b, const struct instance *in, const void *data,
    struct finding *found, struct buf *why)
{
    size_t size[2];
    int turned = b->step->x_owns_rows || !strcmp(in->problem->name, "transpose");
    struct span part[2];
    in->problem->result(in->dims, &size[0], &size[1]);
    if (!rectangle(in, data, size[0], size[1], 1, part)) return;
    for (int axis = 0; axis < 2; axis++) { /* axis 0: rows, 1: columns */
        size_t covers = b->covers[axis == turned];
        char *marked = xcalloc(size[axis], 1);
        for (size_t i = 0; i < size[0] * size[1]; i++)
            if (!wrong_value_poison(in, data, i)) marked[axis ? i % size[1] : i / size[1]] = 1;
        size_t first = covers ? written_of(marked, size[axis], covers) : 0;
        free(marked);
        if (!first) continue;
        found->hints |= HINT_BLOCK | HINT_LOOP;
        buf_printf(why,
            "; each block writes %zu of the %zu %s that it covers (COVERS)\1: where do its loops "
            "end?\2",
            first, covers, axis ? "columns" : "rows");
        return;
    }
}
