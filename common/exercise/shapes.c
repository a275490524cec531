/* shapes.c - the sizes a step is checked on. Small: a wrong index shows as well at 37 x 101 as at 4096 x 4096, and what
 * differs between sizes (blocks that are only partly filled, a single element) is all here. */
#include "exercise/exercise.h"

#include <string.h>

enum shape { SQUARE, BLOCKS, ODD, BELOW, ONE, ROW, COLUMN, WIDE, SHAPE_KINDS };

static int between(struct rng *rng, int low, int high)
{
    return low + (int)rng_below(rng, (uint64_t)(high - low + 1));
}

static int odd(struct rng *rng, int low, int high)
{
    return between(rng, low, high) | 1;
}

/* A side of a matrix: dimension d of a shape. */
static int side(enum shape kind, int d, struct rng *rng)
{
    switch (kind) {
    case SQUARE: return 64;
    case BLOCKS: return 32 * (d == 0 ? 3 : d == 1 ? 1 : 2) ;
    case ODD: return odd(rng, 33 + 34 * d, 60 + 34 * d);
    case BELOW: return between(rng, 2, 31);
    case ONE: return 1;
    case ROW: return d == 0 ? 1 : odd(rng, 65, 129);
    case COLUMN: return d == 0 ? odd(rng, 65, 129) : d == 1 ? between(rng, 33, 63) : 1;
    default: return d == 1 ? between(rng, 97, 149) : odd(rng, 33, 99);
    }
}

/* A vector's length. */
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

static int dimension(const struct problem *p, const struct step *step, enum shape kind, int d, struct rng *rng)
{
    int n;
    if (step->fixed[d])
        return step->dims[d];
    if (p->parameter_dim && d == p->parameter_dim)
        n = kind == ONE ? 1 : between(rng, 1, 40);
    else
        n = p->two_dimensional ? side(kind, d, rng) : length(kind, rng);
    return step->most[d] && n > step->most[d] ? step->most[d] : n;
}

int problem_shapes(const struct problem *p, const struct step *step, struct rng *rng, int shapes[SHAPES][DIMS])
{
    int count = 0;
    for (int kind = 0; kind < SHAPE_KINDS; kind++) {
        int dims[DIMS] = {0}, known = 0;
        for (int d = 0; d < problem_dims(p); d++)
            dims[d] = dimension(p, step, kind, d, rng);
        for (int i = 0; i < count; i++)
            known |= !memcmp(shapes[i], dims, sizeof dims);
        if (!known)
            memcpy(shapes[count++], dims, sizeof dims);
    }
    return count;
}
