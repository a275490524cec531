/* banks_old.c - shared-memory accesses before compute capability 5.0.
 *
 * Source: CUDA C Programming Guide 4.2, appendix F: F.3.3 (1.x), F.4.3 (2.x), F.5.3 (3.x).
 */
#include "model/generations.h"

enum { HALF = WARP_SIZE / 2 };

/* Different keys in the fullest of 32 banks (key % 32 is the bank). */
static unsigned fullest(const uint32_t *key, unsigned n)
{
    unsigned in_bank[32] = {0}, most = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned k = 0;
        while (k < i && key[k] != key[i])
            k++;
        if (k == i && ++in_bank[key[i] % 32] > most)
            most = in_bank[key[i] % 32];
    }
    return most;
}

/* 4-byte words of the lanes in mask; returns how many. */
static unsigned words_of(const uint32_t addr[32], uint32_t mask, unsigned bytes, uint32_t *w)
{
    unsigned n = 0, each = bytes < 4 ? 1 : bytes / 4;
    for (uint32_t left = mask; left; left &= left - 1)
        for (unsigned k = 0; k < each; k++)
            w[n++] = addr[__builtin_ctz(left)] / 4 + k;
    return n;
}

/* Of the words that threads in left want, the one that the most of them want; the lowest thread's when there are several. */
static uint32_t broadcast_word(const uint32_t *w, uint32_t left)
{
    uint32_t word = 0;
    int most = 0;
    for (uint32_t i = left; i; i &= i - 1) {
        int here = 0;
        for (uint32_t k = i; k; k &= k - 1)
            here += w[__builtin_ctz(k)] == w[__builtin_ctz(i)];
        if (here > most) {
            most = here;
            word = w[__builtin_ctz(i)];
        }
    }
    return word;
}

/* Has each of n words a bank of its own? */
static int all_apart(const uint32_t *w, unsigned n)
{
    uint32_t busy = 0, twice = 0;
    for (unsigned i = 0; i < n; i++) {
        twice |= busy & 1u << w[i] % 16;
        busy |= 1u << w[i] % 16;
    }
    return !twice;
}

/* Steps for a half-warp's words on 16 banks: each step serves all threads of one word, and one thread of each other bank.
 * F.3.3.2 leaves open which word that is; figure F-3, whose example in the middle takes one step, wants a good choice. */
static unsigned steps_16(const uint32_t *w, unsigned n)
{
    if (all_apart(w, n))
        return n > 0;
    uint32_t left = ~0u >> (32 - n);
    unsigned steps = 0;
    for (; left; steps++) {
        uint32_t word = broadcast_word(w, left), busy = 1u << word % 16;
        for (unsigned i = 0; i < n; i++) {
            uint32_t bank = 1u << w[i] % 16;
            if (!(left >> i & 1) || (w[i] != word && busy & bank))
                continue;
            busy |= bank;
            left &= ~(1u << i);
        }
    }
    return steps;
}

/* 1.x: 16 banks, by half-warps; wider words as one request for each 4 bytes. */
struct model_shared banks_1(const uint32_t addr[32], uint32_t mask, unsigned bytes)
{
    struct model_shared s = {0};
    for (unsigned word = 0; word < (bytes < 4 ? 1 : bytes / 4); word++)
        for (int half = 0; half < WARP_SIZE; half += HALF) {
            uint32_t at[HALF];
            unsigned n = 0;
            for (uint32_t left = mask >> half & 0xffff; left; left &= left - 1)
                at[n++] = addr[half + __builtin_ctz(left)] / 4 + word;
            unsigned steps = steps_16(at, n);
            s.wavefronts += steps;
            s.conflicts += steps ? steps - 1 : 0;
        }
    return s;
}

/* Do all lanes of mask want one address? */
static int one_address(const uint32_t addr[32], uint32_t mask)
{
    uint32_t differ = 0;
    for (uint32_t left = mask; left; left &= left - 1)
        differ |= addr[__builtin_ctz(left)] ^ addr[__builtin_ctz(mask)];
    return !differ;
}

/* 2.x: 32 banks of 4 bytes for the warp. 8-byte words: a half-warp after the other. 16-byte words: quarter-warps. Most loads
 * take each quarter one pass more than the most words of a bank, and the guide calls that a conflict; which do not, it
 * leaves open: here those of one word for the whole quarter, and stores, since gpumembench, which loads as often as it
 * stores, takes a GeForce GTX 480 6 passes for an access (2.64 lanes a clock): 8 and 4. Where the whole warp loads one word there
 * are no quarters with words of their own, and the guide's sum, one more than the one thread that asks a bank, is for the warp. */
struct model_shared banks_2(const uint32_t addr[32], uint32_t mask, unsigned bytes, int load)
{
    uint32_t w[WARP_SIZE * 4];
    struct model_shared s = {0};
    int lanes = bytes <= 4 ? WARP_SIZE : 128 / (int)bytes;
    if (load && bytes == 16 && mask == ~0u && one_address(addr, mask))
        return (struct model_shared){.wavefronts = 2};
    for (int first = 0; first < WARP_SIZE; first += lanes) {
        uint32_t here = mask & ~0u >> (WARP_SIZE - lanes) << first;
        if (!here)
            continue;
        unsigned passes = fullest(w, words_of(addr, here, bytes, w)) + (load && bytes == 16 && !one_address(addr, here));
        s.wavefronts += passes;
        s.conflicts += passes - 1;
    }
    return s;
}

/* 3.x in its 4-byte mode: a bank gives 8 bytes a pass, words i and i + 32 of an aligned piece of 64 words. */
struct model_shared banks_3(const uint32_t addr[32], uint32_t mask, unsigned bytes)
{
    uint32_t w[WARP_SIZE * 4] = {0};
    unsigned n = words_of(addr, mask, bytes, w);
    for (unsigned i = 0; i < n; i++)
        w[i] = w[i] / 64 * 32 + w[i] % 32;
    unsigned passes = fullest(w, n), least = bytes == 16 && __builtin_popcount(mask) > HALF ? 2 : 1;
    return (struct model_shared){.wavefronts = passes, .conflicts = passes > least ? passes - least : 0};
}
