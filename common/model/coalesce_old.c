/* coalesce_old.c - global accesses before compute capability 5.0.
 *
 *      1.0, 1.1    a half-warp in order: one transaction     otherwise: one for each thread
 *      1.2, 1.3    a half-warp: as few aligned segments of 32, 64 or 128 bytes as possible
 *      2.x         a load: lines of 128 bytes                a store: segments of 32 bytes
 *      3.x         segments of 32 bytes
 *
 * Source: CUDA C Programming Guide 4.2, appendix F: F.3.2.1 (1.0 and 1.1), F.3.2.2 (1.2 and 1.3),
 * F.4.2 (2.x), F.5.2 (3.x). */
#include "model/generations.h"

enum {
    HALF = WARP_SIZE / 2,
    LINE = 128,
    LONE = 32 /* LINE: bytes of a line; LONE: bytes of a transaction for one thread */
};

/* Adds transactions of this many bytes each. 1.x has no cache, so sectors, tags and wavefronts all
 * count transactions. */
static void add(struct model_global *g, unsigned transactions, unsigned bytes)
{
    g->sectors += transactions;
    g->tags += transactions;
    g->wavefronts += transactions;
    g->bytes += transactions * bytes;
}

/* Does each active thread k access word k of one aligned piece of memory? The piece has 64 bytes
 * for 4-byte words, 128 for 8-byte words and 256 for 16-byte words, aligned to 64, 128 and 128
 * bytes. Smaller words never coalesce. */
static int in_order(const uint64_t *addr, uint32_t lanes, unsigned bytes)
{
    int first = __builtin_ctz(lanes);
    uint64_t start = addr[first] - (uint64_t)first * bytes, align = bytes == 4 ? 64 : 128;
    if (bytes < 4 || start % align) return 0;
    for (uint32_t left = lanes; left; left &= left - 1)
        if (addr[__builtin_ctz(left)] != start + (uint64_t)__builtin_ctz(left) * bytes) return 0;
    return 1;
}

/* Rule of 1.0 and 1.1: a half-warp in order takes one transaction (two for 16-byte words). Any
 * other half-warp takes one transaction for each thread.
 *
 *      thread    0  1  2  3 .. 15            0  1  2  3 .. 15           0  1  2  3 .. 15
 *                |  |  |  |     |            |   \/   |     |            \  \  \  \     \
 *      word      0  1  2  3 .. 15   one      0  1  2  3 .. 15   16       1  2  3  4 .. 16   16 */
struct model_global coalesce_1_0(const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    struct model_global g = {0};
    for (int half = 0; half < WARP_SIZE; half += HALF) {
        uint32_t lanes = mask >> half & 0xffff;
        if (lanes && in_order(addr + half, lanes, bytes))
            add(&g, bytes == 16 ? 2 : 1, bytes == 4 ? 64 : 128);
        else
            add(&g, __builtin_popcount(lanes), LONE);
    }
    return g;
}

/* The threads in "lanes" whose word begins within the size bytes from start on. */
static uint32_t inside(const uint64_t *addr, uint32_t lanes, uint64_t start, uint64_t size)
{
    uint32_t in = 0;
    for (uint32_t left = lanes; left; left &= left - 1)
        if (addr[__builtin_ctz(left)] - start < size) in |= left & -left;
    return in;
}

/* Rule of 1.2 and 1.3. Repeat until all threads are served:
 *
 *   1. Take the aligned segment that contains the lowest thread's word: 32 bytes for 1-byte words,
 *      64 for 2-byte words, else 128. It serves all threads whose words are in it.
 *   2. While these words are all in one half of the segment, transfer only that half, down to 32
 *      bytes. */
struct model_global coalesce_1_2(const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    struct model_global g = {0};
    for (int half = 0; half < WARP_SIZE; half += HALF) {
        const uint64_t *a = addr + half;
        for (uint32_t lanes = mask >> half & 0xffff, served; lanes; lanes &= ~served) {
            uint64_t size = bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
            uint64_t start = a[__builtin_ctz(lanes)] / size * size;
            served = inside(a, lanes, start, size);
            for (; size > 32; size /= 2) {
                uint32_t lower = inside(a, served, start, size / 2);
                if (lower == 0)
                    start += size / 2;
                else if (lower != served)
                    break;
            }
            add(&g, 1, size);
        }
    }
    return g;
}

/* The number of aligned pieces of this many bytes that the threads in `lanes` access. */
static unsigned pieces(const uint64_t *addr, uint32_t lanes, unsigned bytes)
{
    unsigned n = 0;
    for (; lanes; n++)
        lanes &= ~inside(addr, lanes, addr[__builtin_ctz(lanes)] / bytes * bytes, bytes);
    return n;
}

/* Rule of 2.x and 3.x: the pieces of memory that each request touches: 128-byte lines through the
 * L1, or 32-byte segments bypassing it. For 8-byte words each half-warp makes a request, for
 * 16-byte words each quarter-warp.
 *
 * A pass of 3.x serves the threads of a request whose words are in one line. A pass of 2.x has two
 * clocks, since there are 16 load/store units of 4 bytes each (Fermi whitepaper). Each clock serves
 * half of the threads, in one line.
 *
 *      threads of 2.x    0..15 16..31      0..15 16..31      0  1  2  3 ..
 *                            \ /              |   |          |  |  |  |
 *      lines                  0               0   1          0  1  2  3 ..
 *      passes                 1                 1             16 */
struct model_global coalesce_units(
    const uint64_t addr[32], uint32_t mask, unsigned bytes, unsigned unit, int in_halves)
{
    struct model_global g = {0};
    unsigned clocks = 0;
    int lanes = bytes <= 4 ? 32 : 128 / bytes, at_once = in_halves ? lanes / 2 : lanes;
    for (int first = 0; first < WARP_SIZE; first += lanes) {
        uint32_t here = mask >> first & ~0u >> (WARP_SIZE - lanes);
        g.sectors += pieces(addr + first, here, unit);
        g.tags += pieces(addr + first, here, LINE);
        for (int k = 0; k < lanes; k += at_once)
            clocks += pieces(addr + first + k, here >> k & ~0u >> (WARP_SIZE - at_once), LINE);
    }
    g.wavefronts = (clocks * at_once + lanes - 1) / lanes;
    g.bytes = g.sectors * unit;
    return g;
}
