/* warp.h - the lanes of a warp that take turns: what each does, and who runs next (warp.c). A lane's place is a number of the caller's. */
#ifndef LOCKSTEP_SIM_WARP_H
#define LOCKSTEP_SIM_WARP_H

#include "sim/machine.h"

/* A lane's state; waiting at the end of a region it is the mask of that. */
enum { READY = -1, YIELDED = -2, RETURNED = -3, AT_BARRIER = -4, AT_SYNC = -5 /* a .sync that names other lanes */ };
enum { OPTIONS = 5 };

struct lanes {
    int place[32], state[32];
    int step[32];            /* the barrier that it waits at */
    uint32_t region[MASKS];  /* the lanes that are waited for at the end of a region */
    int option[OPTIONS], options;
    int turn;
    uint32_t active;
    uint32_t other;          /* whom the last branch left, as long as no other turn came between */
    uint32_t again;          /* those that wait at a .sync and have looked once more who is there */
    uint64_t executed;
};

static inline int first_of(uint32_t mask)
{
    return __builtin_ctz(mask);
}

uint32_t in_state(const struct lanes *w, int state);
uint32_t at_place(const struct lanes *w, int place);
uint32_t busy(const struct lanes *w);    /* ready, or have yielded */
uint32_t may_run(const struct lanes *w); /* can be run: have not returned, nor wait at a barrier or .sync */
void set_state(struct lanes *w, uint32_t mask, int state);

/* Another turn than that of lanes that run. */
void pass_turn(struct lanes *w);

void add_option(struct lanes *w, uint32_t mask);

/* Of two groups the smaller one runs, of two alike the first; the other one has an option. */
void choose_smaller(struct lanes *w, uint32_t a, uint32_t b);

/* Who runs when nobody does; 0: no lane can. */
int choose(struct lanes *w);

#endif
