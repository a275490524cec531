/* pipeline.c - when the steps of a block's loop begin if asynchronous copies bring their data.
 *
 *      for step i:  wait for copy i | barrier | start copy i + stages - 1 | multiply
 *
 *      2 stages     copy 0 | copy 1     | copy 2     |        copy 2 overwrites the stage
 *                          multiply 0   |    multiply 1       that step 0 has finished with
 *
 * With one stage, a copy cannot begin before the previous multiplication has ended. Source: the
 * loops of lab 08.
 *
 *      role         waits for                                          then
 *      copy         the stage to be freed                              issues the next copy
 *      split        the copy, and the product with the parts of B      splits B, frees the stage
 *                   that the new parts overwrite
 *      multiply     the copy, to load A; then the parts of B           multiplies, frees both
 *
 * Source: solutions/10-hopper/matmul_wgmma.cu. */
#include "model/model.h"

static long later(long a, long b) { return a > b ? a : b; }

long model_stages(int stages, long copy, long work, int steps, struct model_step *step)
{
    for (int i = 0; i < steps; i++) {
        struct model_step *s = &step[i];
        long before = i > 0 ? step[i - 1].done : 0;
        s->asked = stages == 1 ? before : i < stages - 1 ? 0 : step[i - stages + 1].begun;
        s->there = s->asked + copy;
        s->begun = later(s->there, before);
        s->done = s->begun + work;
    }
    return step[steps - 1].done - steps * work;
}

long model_roles(
    int stages, long copy, long split, long multiply, int steps, struct model_roles *step)
{
    const struct model_roles start = {0};
    for (int i = 0; i < steps; i++) {
        struct model_roles *s = &step[i];
        const struct model_roles *before = i > 0 ? &step[i - 1] : &start;
        const struct model_roles *held = i >= stages ? &step[i - stages] : &start;
        s->asked = later(before->asked, held->freed);
        s->there = s->asked + copy;
        s->split = later(later(before->ready, s->there), held->done);
        s->ready = s->split + split;
        long taken = later(before->done, s->there); /* A has been loaded into registers */
        s->begun = later(taken, s->ready);
        s->done = s->begun + multiply;
        s->freed = later(s->ready, taken);
    }
    return step[steps - 1].done - steps * multiply;
}
