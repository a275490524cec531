/* sample.c - which multiprocessors run, and which of them are counted.
 *
 *     all           0 1 2 3 4 5 6 7 8 9 ...      run and counted
 *     sample_sms    0 . . . 4 . . . 8 . ...      run and counted: outputs of the others' blocks are missing
 *     count_sms     0 1 2 3 4 5 6 7 8 9 ...      all run
 *                   ^       ^       ^            counted, and scaled to all blocks
 *
 * Uncounted blocks go through no caches, and run one at a time. */
#include "sim/cluster.h"
#include "sim/crew.h"

#include <stdlib.h>

int picked_sm(const struct launch *l, int i)
{
    int share = l->profile->gpcs ? 2 : 1,
        sides = l->profile->l2_sides > 1 ? l->profile->l2_sides : 1;
    int groups = l->sms / share, group = i / share, picked = (l->picked + share - 1) / share;
    if (l->picked == l->sms) return i;
    int at = (int)((long)group * groups / picked);
    int sm = (at - at % sides + group % sides) * share + i % share;
    return (int)(((unsigned)sm + l->first_sm) % (unsigned)l->sms);
}

static int resident_blocks(const struct launch *l)
{
    int blocks = model_occupancy(
        l->profile, l->block_threads, l->kernel->program->registers, l->shared_bytes)
                     .blocks;
    return blocks > 0 ? blocks : 1; /* a block too big for the GPU's model still runs, alone */
}

/* The number of multiprocessors that are counted. Sets l->all_run if the others run as well. */
static int picked(struct launch *l, const struct sim_options *options)
{
    if (l->watch) return 1;
    if (!options || blocks_meet(l)) return l->sms;
    if (options->sample_sms) return options->sample_sms < l->sms ? options->sample_sms : l->sms;
    if (!options->count_sms || options->sample || options->count_sms >= l->sms) return l->sms;
    if (!l->record || !l->profile->l2_bytes) return l->sms;
    l->all_run = 1;
    return options->count_sms;
}

/* The number of blocks that a multiprocessor runs. */
static uint64_t blocks_of(const struct crew *c, int sm)
{
    const struct launch *l = c->launch;
    uint64_t sms = (uint64_t)l->sms, blocks = c->end / sms + ((uint64_t)sm < c->end % sms);
    return blocks > l->first_nth ? (blocks - l->first_nth + l->nth - 1) / l->nth : 0;
}

void set_sample(struct crew *c, const struct sim_options *options)
{
    struct launch *l = c->launch;
    l->sms = l->blocks < (uint64_t)l->profile->sms ? (int)l->blocks : l->profile->sms;
    l->resident = resident_blocks(l);
    l->picked = picked(l, options);
    l->first_sm = options ? options->first_sm : 0;
    uint64_t each = blocks_meet(l) || l->all_run ? 0
                    : options && options->sample ? options->sample
                    : l->picked < l->sms         ? (uint64_t)l->resident
                                                 : 0;
    c->end = each * (uint64_t)l->sms;
    if (!c->end || c->end > l->blocks) c->end = l->blocks;
    l->nth = options && options->apart && l->picked < l->sms ? options->apart : 1;
    l->first_nth = l->first_sm / (unsigned)l->sms % l->nth;
    c->counted = 0;
    for (int i = 0; i < l->picked; i++) c->counted += blocks_of(c, picked_sm(l, i));
}

/* How many slots for resident blocks a multiprocessor needs: with grid-wide barriers one for each
 * of its blocks, else as many as it holds at a time. But one is enough if its blocks do not take
 * turns, and either must run in order (serial) or go through no simulated L2. */
int seats_of(const struct crew *c)
{
    const struct launch *l = c->launch;
    uint64_t most = (c->end + (uint64_t)l->sms - 1) / (uint64_t)l->sms;
    if (l->kernel->grid_sync) return (int)most;
    if (l->turns) return most < (uint64_t)l->resident ? (int)most : l->resident;
    if (l->kernel->serial || !l->record || !l->profile->l2_bytes) return 1;
    return most < (uint64_t)l->resident ? (int)most : l->resident;
}

static int is_picked(const struct launch *l, int sm)
{
    for (int i = 0; i < l->picked; i++)
        if (picked_sm(l, i) == sm) return 1;
    return 0;
}

/* Switch these block slots to the counts of counted blocks, or to those of the others, which lie
 * behind them in each array (start_sums). */
static void count_seats(struct crew *c, struct worker *seats, int counting)
{
    const struct sim_kernel *k = c->launch->kernel;
    for (struct worker *w = seats; w < seats + c->seats; w++) {
        ptrdiff_t by = w->counting - counting;
        w->steps += by * (ptrdiff_t)k->program->step_count;
        w->block_warps += by * (ptrdiff_t)k->block_count;
        w->block_lanes += by * (ptrdiff_t)k->block_count;
        w->counting = counting;
    }
    trace_pause(seats[0].trace, !counting);
}

int sample_start_sm(struct crew *c, struct worker *seats, int sm)
{
    if (!c->launch->all_run) return c->seats;
    count_seats(c, seats, is_picked(c->launch, sm));
    return seats[0].counting ? c->seats : 1;
}

void sample_end(struct crew *c)
{
    for (int i = 0; c->launch->all_run && i < c->count; i++)
        count_seats(c, &c->workers[i * c->seats], 1);
}
