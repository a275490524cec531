/* generations.h - the rules of GPUs before compute capability 5.0. coalesce.c and banks.c select
 * among them.
 *
 *                  global memory                                shared memory
 *      1.0, 1.1    half-warps, in order or not at all           16 banks, half-warps
 *      1.2, 1.3    half-warps, the smallest segments            16 banks, half-warps
 *      2.x         128-byte lines to load, 32-byte segments     32 banks
 *                  to store
 *      3.x         32-byte segments                             32 banks, each 8 bytes wide
 *
 * The functions have the arguments and results of those in model.h, except that sectors counts
 * transactions of any size. On 1.x wavefronts and tags count transactions, too. On 2.x and 3.x tags
 * counts lines of 128 bytes.
 *
 * Source: CUDA C Programming Guide 4.2, appendix F. */
#ifndef LOCKSTEP_MODEL_GENERATIONS_H
#define LOCKSTEP_MODEL_GENERATIONS_H

#include "model/model.h"

/* Rules for global memory (coalesce_old.c). unit: bytes of a transaction. in_halves: each clock of
 * a pass serves half of the lanes (2.x). */
struct model_global coalesce_1_0(const uint64_t addr[32], uint32_t mask, unsigned bytes);
struct model_global coalesce_1_2(const uint64_t addr[32], uint32_t mask, unsigned bytes);
struct model_global coalesce_units(
    const uint64_t addr[32], uint32_t mask, unsigned bytes, unsigned unit, int in_halves);
/* Rules for shared memory (banks_old.c). */
struct model_shared banks_1(const uint32_t addr[32], uint32_t mask, unsigned bytes);
struct model_shared banks_2(const uint32_t addr[32], uint32_t mask, unsigned bytes, int load);
struct model_shared banks_3(const uint32_t addr[32], uint32_t mask, unsigned bytes);

#endif
