/* arrival.c - estimates when a multiprocessor requests a sector from the L2, relative to others of
 * its GPC.
 *
 *      place 0   | read    read    read ..    A simulated warp has no clock. Its accesses are numbered
 *      place 1   |  read    read     read     (instants) and spread evenly over the clocks that the time
 *      place 2   |   read     read      read  model predicts for a block. Each multiprocessor is later than
 *                                             its neighbour by
 *
 *      apart + sm_drift x the clocks since its block began
 *
 *      apart      start_apart clocks if the kernel has barriers. If it has none, blocks are spread
 *                 evenly over the time from one wait for loads to the next, at least start_apart
 *                 (counters_pace).
 *      sm_drift   multiprocessors have paths of different length to the L2: each is slower than its
 *                 neighbour by this share.
 *
 * Source: an H200's %clock and its counters (lockstep-hardware crosscheck). */
#include "sim/machine.h"

#include <math.h>

/* The GPC of a multiprocessor. Multiprocessors are numbered GPC after GPC. */
int arrival_gpc(const struct model_profile *p, int sm) { return sm * p->gpcs / p->sms; }

/* Returns the clock at which multiprocessor sm makes the access with the ordinal `instant`, counted
 * from 1 since the multiprocessor began. Each whole block before that access takes q->clocks; added
 * is a delay that grows with the multiprocessor's position in its GPC and with the clocks since the
 * current block began. */
double arrival_clocks(const struct model_profile *p, const struct pace *q, int sm, uint32_t instant)
{
    int gpc = arrival_gpc(p, sm), first = (gpc * p->sms + p->gpcs - 1) / p->gpcs;
    double blocks = (instant - 1) / q->instants, since = (blocks - floor(blocks)) * q->clocks;
    return blocks * q->clocks + (sm - first) * (q->apart + p->sm_drift * since);
}
