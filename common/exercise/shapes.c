/* shapes.c - the sizes on which a step is checked.
 *
 * They are small: a wrong index shows at 37 x 101 as well as at 4096 x 4096. Together they have
 * what can differ between sizes: full blocks, partly filled blocks, sides below the 32 lanes of
 * a warp, a single element, whole blocks along all dimensions but one, and one long side. */
#include "exercise/exercise.h"

#include <string.h>

/* Kinds of sizes, from simple to odd: a learner is shown the simplest one that fails. */
enum shape { SQUARE, BLOCKS, ODD, BELOW, ONE, ROW, COLUMN, WIDE, SHAPE_KINDS };

/* A random number in [low, high]. */
static int between(struct rng *rng, int low, int high)
{
    return low + (int)rng_below(rng, (uint64_t)(high - low + 1));
}

/* A random odd number in [low, high]; if high is even, it may be high + 1. */
static int odd(struct rng *rng, int low, int high) { return between(rng, low, high) | 1; }

/* The side of a matrix in dimension d. Dimensions differ in most shapes, so that mixed-up rows
 * and columns give wrong results. */
static int side(enum shape kind, int d, struct rng *rng)
{
    switch (kind) {
    case SQUARE: return 64;
    case BLOCKS: return 32 * (d == 0 ? 3 : d == 1 ? 1 : 2);
    case ODD: return odd(rng, 33 + 34 * d, 60 + 34 * d);
    case BELOW: return between(rng, 2, 31);
    case ONE: return 1;
    case ROW: return d == 0 ? 1 : odd(rng, 65, 129);
    case COLUMN: return d == 0 ? odd(rng, 65, 129) : d == 1 ? between(rng, 33, 63) : 1;
    default: return d == 1 ? between(rng, 97, 149) : odd(rng, 33, 99);
    }
}

/* The length of a vector, for a one-dimensional problem. */
static int length(enum shape kind, struct rng *rng)
{
    switch (kind) {
    case SQUARE: return 1024;
    case BLOCKS: return 32 * between(rng, 2, 40);
    case ODD: return odd(rng, 1025, 3000);
    case BELOW: return between(rng, 2, 31);
    case ONE: return 1;
    case ROW: return 33;
    case COLUMN: return odd(rng, 129, 255);
    default: return between(rng, 3000, 5000);
    }
}

/* Dimension d of a shape, within the step's limits. An offset or a stride (parameter_dim) is 1
 * to 40. */
static int dimension(
    const struct problem *p, const struct step *step, enum shape kind, int d, struct rng *rng)
{
    int n;
    if (step->fixed[d]) return step->dims[d];
    if (p->parameter_dim && d == p->parameter_dim)
        n = kind == ONE ? 1 : between(rng, 1, 40);
    else
        n = p->two_dimensional ? side(kind, d, rng) : length(kind, rng);
    return step->most[d] && n > step->most[d] ? step->most[d] : n;
}

/* The border shapes of a matrix problem, as rows, depth (k), columns. In the first four, all
 * dimensions but one are whole blocks of up to 128 x 128, and of 32 along the depth. A kernel that
 * has a special path for whole blocks fails on one of them if its condition leaves out a dimension.
 * The columns are once an odd number and once a multiple of 4, as loads of four floats at a time
 * require. The last shape is small, but LONG along the depth or, where there is none, along the
 * columns: the stages of a pipeline are filled several times, and a loop that ends too early leaves
 * something out. How long differs in each check. */
enum { LONG, LONG_LEAST = 640, LONG_MOST = 2500 };
static const int BORDERS[][3] = {
    {128, 32, 131}, {128, 32, 192}, {130, 32, 128}, {128, 44, 128}, {4, LONG, 4}};

/* Dimension d of a border shape, within the step's limits. */
static int border(const struct problem *p, const struct step *step, int i, int d, struct rng *rng)
{
    int product = !strcmp(p->unit, "GFLOPS");
    int n = BORDERS[i][!product && d == 1 ? 2 : d];
    int last = i == sizeof BORDERS / sizeof *BORDERS - 1;
    if (last && d == 1) n = 4 * between(rng, LONG_LEAST / 4, LONG_MOST / 4);
    if (step->fixed[d]) return step->dims[d];
    return step->most[d] && n > step->most[d] ? step->most[d] : n;
}

void problem_other_size(
    const struct problem *p, const struct step *step, struct rng *rng, int dims[DIMS])
{
    enum { LARGE = 512 };
    for (int d = 0; d < problem_dims(p); d++) {
        int parameter = p->parameter_dim && d == p->parameter_dim, own = step->dims[d];
        int n = parameter     ? own * between(rng, 2, 5)
                : own < LARGE ? own * between(rng, 3, 4)
                              : own * between(rng, 2, 3) / 8;
        dims[d] = step->fixed[d] ? own : step->most[d] && n > step->most[d] ? step->most[d] : n;
    }
}

/* Add a shape to the list, unless it is there: the limits can make two shapes equal. */
static int shape_add(int shapes[SHAPES][DIMS], int count, const int dims[DIMS])
{
    for (int i = 0; i < count; i++)
        if (!memcmp(shapes[i], dims, sizeof *shapes)) return count;
    memcpy(shapes[count], dims, sizeof *shapes);
    return count + 1;
}

int problem_shapes(const struct problem *p, const struct step *step, struct rng *rng,
    int shapes[SHAPES][DIMS], int *borders)
{
    int count = 0, dims[DIMS] = {0};
    for (int kind = 0; kind < SHAPE_KINDS; kind++) {
        for (int d = 0; d < problem_dims(p); d++) dims[d] = dimension(p, step, kind, d, rng);
        count = shape_add(shapes, count, dims);
    }
    int others = count;
    struct rng apart = *rng; /* so that the caller's next numbers do not depend on these */
    for (size_t i = 0; p->two_dimensional && i < sizeof BORDERS / sizeof *BORDERS; i++) {
        for (int d = 0; d < problem_dims(p); d++) dims[d] = border(p, step, (int)i, d, &apart);
        count = shape_add(shapes, count, dims);
    }
    if (borders) *borders = count - others;
    return count;
}
