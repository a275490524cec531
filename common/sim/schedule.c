/* schedule.c - how blocks of unequal work spread over the multiprocessors.
 *
 *     multiprocessor 0   |== 0 ==|=== 4 ===|        The blocks that a multiprocessor holds share it evenly.
 *                        |======== 2 ========|      If one ends, the next block of the grid starts in its
 *     multiprocessor 1   |= 1 =|= 3 =|=== 5 ===|    place. A block's work is its warp instructions.
 *
 * Source: CUDA C++ Programming Guide, "Hardware Implementation"; an H200, on which every eighth
 * block had 16 times the work of the others. */
#include "sim/machine.h"

#include <math.h>
#include <stdlib.h>

void schedule_end_block(struct worker *w)
{
    uint64_t all = 0;
    uint32_t longest = 0;
    for (int i = 0; w->counting && i < w->batch_count; i++)
        for (int k = 0; k < BATCH_WARPS; k++) {
            uint32_t ran = w->batches[i].ran[k];
            all += ran;
            longest = ran > longest ? ran : longest;
        }
    w->schedule.all += all;
    w->schedule.longest += (uint64_t)longest * (uint64_t)w->launch->block_warps;
    if (w->launch->work) w->launch->work[w->block] = all;
}

/* State of a multiprocessor. now: clock of its last event; done: work that a block resident from
 * the start would have done by then; end: clock at which its next block ends; next: the slot of
 * that block. until: for each slot, the value of `done` at which its block ends; INFINITY: the slot
 * is free. */
struct machine {
    double now, done, end, *until;
    int next;
};

/* Find the block that ends next among those in `places` slots: sets next and end. */
static void look_ahead(struct machine *m, int places)
{
    int held = 0;
    m->next = 0;
    for (int k = 0; k < places; k++) {
        held += m->until[k] < INFINITY;
        if (m->until[k] < m->until[m->next]) m->next = k;
    }
    m->end = held ? m->now + (m->until[m->next] - m->done) * held : INFINITY;
}

static struct machine *first_to_end(struct machine *m, int sms)
{
    struct machine *first = m;
    for (int s = 1; s < sms; s++)
        if (m[s].end < first->end) first = &m[s];
    return first;
}

double schedule_busiest(const struct launch *l)
{
    struct machine *m = xcalloc((size_t)l->sms, sizeof *m);
    double all = 0, last = 0;
    uint64_t next = 0, places = (uint64_t)l->resident, first = places * (uint64_t)l->sms;
    double *until = xcalloc(first, sizeof *until);
    for (uint64_t b = 0; b < l->blocks; b++) all += l->work[b];
    for (; next < first; next++)
        until[next % (uint64_t)l->sms * places + next / (uint64_t)l->sms] =
            next < l->blocks ? l->work[next] : INFINITY;
    for (int s = 0; s < l->sms; s++) {
        m[s].until = &until[(uint64_t)s * places];
        look_ahead(&m[s], l->resident);
    }
    for (struct machine *x; (x = first_to_end(m, l->sms))->end < INFINITY;) {
        x->now = last = x->end;
        x->done = x->until[x->next];
        x->until[x->next] = next < l->blocks ? x->done + l->work[next] : INFINITY;
        next++;
        look_ahead(x, l->resident);
    }
    free(until);
    free(m);
    return all > 0 ? last / all : 0;
}
