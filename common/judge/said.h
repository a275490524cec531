/* said.h - private to judge/: which finding does a sentence about a wrong output or a fault state?
 *
 *     compare.c, suspects*.c, sim/check --> the sentence --> a bit of each finding --> maker.c, repair*.c
 *
 * The sentence goes to the learner, and is all that a fault of a simulated device says. What it means for the
 * search is read here, and nowhere else. */
#ifndef LOCKSTEP_JUDGE_SAID_H
#define LOCKSTEP_JUDGE_SAID_H

enum said {
    SAID_NOT_WRITTEN = 1,     /* the first wrong element was not written */
    SAID_ALL = 2,             /* each element is wrong */
    SAID_BLOCK_PART = 4,      /* each block writes a part of what it covers */
    SAID_BARRIER = 8,         /* of barriers, races, or an element that is not written yet */
    SAID_BARRIER_MISSING = 16,
    SAID_NEVER_FILLED = 32,   /* shared memory is read that nobody fills before the block ends */
    SAID_MISALIGNED = 64,
    SAID_ZERO = 128,          /* a sum is set to 0 in the wrong place, or not at all */
    SAID_ZERO_IN_LOOP = 256,
    SAID_LOOP = 512,          /* a loop ends early or starts late */
    SAID_FLOAT4 = 1024,       /* of the elements of a float4 that is stored */
    SAID_PLACE = 2048,        /* right values in the wrong place */
    SAID_GRID_SWAPPED = 4096,
    SAID_NOT_ADDED = 8192,    /* a sum is set and not added to */
    SAID_PRECISION = 16384,
    SAID_UNKNOWN = 32768,     /* no finding fits the value */
};
/* The findings that a sentence states, as a sum of enum said. why: NULL gives 0. */
unsigned said(const char *why);

#endif
