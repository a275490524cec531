/* arrival.c - about when a multiprocessor asks the L2 for what, compared with the others of its GPC.
 *
 *      place 0   | read    read    read ..    A simulated warp has no clock: its accesses are numbered
 *      place 1   |  read    read     read     (instants), and spread evenly over the clocks that the time
 *      place 2   |   read     read      read  model gives a block. Each comes later than its neighbour, by
 *
 *      apart + sm_drift x the clocks since its block began
 *
 *      apart      start_apart clocks if blocks meet at barriers. If not, they are spread evenly over the time
 *                 from one wait for loads to the next, but are no closer than that (counters_pace).
 *      sm_drift   multiprocessors have different ways to the L2: each is as much slower than its neighbour.
 *
 * Source: an H200's %clock. In the product through shared memory the multiprocessors of a GPC are 44 to 92
 * clocks apart (a standard deviation); in the coalesced product 95 after 32 waits, 510 after 128. start_apart
 * and sm_drift are of this size, and chosen so that the reads of the labs' kernels are counted as on the H200
 * (lockstep crosscheck). */
#include "sim/machine.h"

#include <math.h>

int arrival_gpc(const struct model_profile *p, int sm)
{
    return sm * p->gpcs / p->sms;
}

double arrival_clocks(const struct model_profile *p, const struct pace *q, int sm, uint32_t instant)
{
    int gpc = arrival_gpc(p, sm), first = (gpc * p->sms + p->gpcs - 1) / p->gpcs;
    double blocks = (instant - 1) / q->instants, since = (blocks - floor(blocks)) * q->clocks;
    return blocks * q->clocks + (sm - first) * (q->apart + p->sm_drift * since);
}
