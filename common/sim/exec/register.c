/* register.c - computes the lanes of a register from its compact form, which is a base per warp and
 * two strides.
 *
 *     lane (x, y) of warp w    =    base[w] + sx * x + sy * y
 *
 * The terms sx * x + sy * y are the same in each warp, so they are computed once. The compact form
 * stays valid. */
#include "sim/machine.h"

/* Fills r->lanes with the value of each lane, computed from base and strides: the register must be
 * held in that form. 32-bit registers compute modulo 2^32. */
void reg_expand(struct batch *v, struct reg *r)
{
    const uint32_t *lx = v->worker->lane_x, *ly = v->worker->lane_y;
    if (r->wide) {
        uint64_t *out = r->lanes, step[32];
        for (int l = 0; l < 32; l++) step[l] = (uint64_t)r->sx * lx[l] + (uint64_t)r->sy * ly[l];
        for (int w = 0; w < v->warps; w++)
            for (int l = 0; l < 32; l++) out[w * 32 + l] = r->base[w] + step[l];
    } else {
        uint32_t *out = r->lanes, step[32];
        for (int l = 0; l < 32; l++) step[l] = (uint32_t)r->sx * lx[l] + (uint32_t)r->sy * ly[l];
        for (int w = 0; w < v->warps; w++)
            for (int l = 0; l < 32; l++) out[w * 32 + l] = (uint32_t)r->base[w] + step[l];
    }
    r->lanes_ok = 1;
}
