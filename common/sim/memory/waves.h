/* waves.h - the waves of blocks that partitions.c and rows.c examine.
 *
 * A wave is the set of blocks that are resident on the GPU at one time. WAVES such waves are
 * examined, evenly spaced over the launch. */
#ifndef LOCKSTEP_SIM_WAVES_H
#define LOCKSTEP_SIM_WAVES_H

#include "sim/machine.h"

enum { WAVES = 8 };

struct waves {
    /* at_once: number of blocks in a wave; stride: one of every `stride` waves is examined */
    uint64_t at_once, stride;
};

/* The waves if all multiprocessors of the GPU hold as many blocks as their occupancy allows. */
static inline struct waves waves_of(const struct launch *l)
{
    const struct model_profile *p = l->profile;
    int resident =
        model_occupancy(p, l->block_threads, l->kernel->program->registers, l->shared_bytes).blocks;
    uint64_t at_once = (uint64_t)(resident > 0 ? resident : 1) * (uint64_t)p->sms;
    return (struct waves){at_once, (l->blocks + at_once * WAVES - 1) / (at_once * WAVES)};
}

/* The index of the wave to which the block belongs, 0 to WAVES - 1; -1: that wave is not
 * examined. */
static inline int waves_index(const struct waves *w, uint64_t block)
{
    uint64_t wave = block / w->at_once;
    return wave % w->stride ? -1 : (int)(wave / w->stride);
}

#endif
