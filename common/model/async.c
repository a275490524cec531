/* async.c - the cost of one warp's asynchronous copy from global to shared memory (cp.async,
 * LDGSTS).
 *
 *      global   | 32 bytes | 32 bytes |      sectors of .ca: those of global memory that are read
 *                  |    \       |            sectors of .cg: a global sector counts once for every
 *      shared   | 32 bytes | 32 bytes |      32 bytes of shared memory that it fills, even in part
 *
 * Wavefronts: the largest number of words that lanes read from one bank, or write to one bank,
 * whichever is larger. No two lanes share a word, even if they read the same one.
 *
 * Lanes that read nothing (zero fill) touch no sector. Conflicts are wavefronts beyond the number
 * that the width needs; .cg counts none. Source: an H200's counters (ncu) of 19 patterns. In
 * two of them the H200 takes more wavefronts than this rule: with inactive lanes, and with rows of
 * which some begin in the middle of 32 bytes of shared memory. */
#include "model/model.h"

/* The number of different source sectors that the lanes in `reads` read; if bypass is set (.cg),
 * the number of different pairs of source and destination sectors. */
static unsigned sector_pairs(
    const uint64_t from[32], const uint32_t to[32], uint32_t reads, int bypass)
{
    unsigned n = 0;
    for (uint32_t m = reads; m; m &= m - 1) {
        int l = __builtin_ctz(m), seen = 0;
        for (uint32_t o = reads & ((1u << l) - 1); o && !seen; o &= o - 1) {
            int k = __builtin_ctz(o);
            seen = from[k] / 32 == from[l] / 32 && (!bypass || to[k] / 32 == to[l] / 32);
        }
        n += !seen;
    }
    return n;
}

struct model_async model_async(const uint64_t from[32], const uint32_t to[32], uint32_t mask,
    uint32_t reads, unsigned bytes, int bypass)
{
    unsigned read[32] = {0}, wrote[32] = {0}, most = 0, words = bytes / 4;
    for (int l = 0; l < 32; l++)
        for (unsigned i = 0; i < words && mask >> l & 1; i++) {
            if (reads >> l & 1) read[(from[l] / 4 + i) % 32]++;
            wrote[(to[l] / 4 + i) % 32]++;
        }
    for (int b = 0; b < 32; b++) {
        most = read[b] > most ? read[b] : most;
        most = wrote[b] > most ? wrote[b] : most;
    }
    return (struct model_async){
        sector_pairs(from, to, reads, bypass), most, bypass || most <= words ? 0 : most - words};
}
