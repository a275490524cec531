/* curand_mrg.h - the random number generator MRG32k3a (curand_mrg.c). */
#ifndef LOCKSTEP_RUNTIME_CURAND_MRG_H
#define LOCKSTEP_RUNTIME_CURAND_MRG_H

#include <stdint.h>

enum { MRG_WORDS = 6 }; /* words of a state: three of each recurrence, the oldest first */

/* Set states[s] of MRG32k3a to subsequence s of the seed, after `skip` numbers; if s < further,
 * after one number more. */
void mrg_start(
    uint32_t (*states)[MRG_WORDS], unsigned count, uint64_t seed, uint64_t skip, unsigned further);

/* The next number, 1 to MRG_MOST; mrg_word and mrg_uniform convert such a number to cuRAND's
 * forms. */
#define MRG_MOST 4294967087u
uint32_t mrg_next(uint32_t state[MRG_WORDS]);
static inline uint32_t mrg_word(uint32_t z) { return (uint32_t)(z * 1.000000048662); }
static inline double mrg_uniform(uint32_t z) { return z * (1.0 / MRG_MOST); }

#endif
