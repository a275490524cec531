/* banks_old.c - shared-memory accesses before compute capability 5.0.
 *
 *      1.x    16 banks of 4 bytes    word w in bank w % 16    a request for each half-warp
 *      2.x    32 banks of 4 bytes    word w in bank w % 32    a request per warp, half or quarter
 *      3.x    32 banks of 8 bytes    word w in bank w % 32    a request for the warp
 *
 * The field wavefronts counts passes (1.x: what the guide calls steps); conflicts: the passes
 * beyond those of an access without conflicts.
 *
 * Source: CUDA C Programming Guide 4.2, appendix F: F.3.3 (1.x), F.4.3 (2.x), F.5.3 (3.x). */
#include "model/generations.h"

enum { HALF = WARP_SIZE / 2 };

/* The largest number of different keys in one of 32 banks. A key is in bank key % 32. */
static unsigned fullest(const uint32_t *key, unsigned n)
{
    unsigned in_bank[32] = {0}, most = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned k = 0;
        while (k < i && key[k] != key[i]) k++;
        if (k == i && ++in_bank[key[i] % 32] > most) most = in_bank[key[i] % 32];
    }
    return most;
}

/* Writes the indices of the 4-byte words that the lanes in mask access to w, which has room for 4
 * per lane. Returns how many were written; repeated words are kept. */
static unsigned words_of(const uint32_t addr[32], uint32_t mask, unsigned bytes, uint32_t *w)
{
    unsigned n = 0, each = bytes < 4 ? 1 : bytes / 4;
    for (uint32_t left = mask; left; left &= left - 1)
        for (unsigned k = 0; k < each; k++) w[n++] = addr[__builtin_ctz(left)] / 4 + k;
    return n;
}

/* The word that most of the threads in left access; among equals, that of the lowest thread. */
static uint32_t broadcast_word(const uint32_t *w, uint32_t left)
{
    uint32_t word = 0;
    int most = 0;
    for (uint32_t i = left; i; i &= i - 1) {
        int here = 0;
        for (uint32_t k = i; k; k &= k - 1) here += w[__builtin_ctz(k)] == w[__builtin_ctz(i)];
        if (here > most) {
            most = here;
            word = w[__builtin_ctz(i)];
        }
    }
    return word;
}

/* Are the n words in n different ones of 16 banks? */
static int all_apart(const uint32_t *w, unsigned n)
{
    uint32_t busy = 0, twice = 0;
    for (unsigned i = 0; i < n; i++) {
        twice |= busy & 1u << w[i] % 16;
        busy |= 1u << w[i] % 16;
    }
    return !twice;
}

/* The steps for the words of a half-warp on 16 banks. Each step broadcasts one word to all its
 * threads and serves one thread of each other bank. F.3.3.2 does not say which word is broadcast;
 * the middle example of figure F-3 takes only one step if it is the word of most threads, so that
 * rule is used here. */
static unsigned steps_16(const uint32_t *w, unsigned n)
{
    if (all_apart(w, n)) return n > 0;
    uint32_t left = ~0u >> (32 - n);
    unsigned steps = 0;
    for (; left; steps++) {
        uint32_t word = broadcast_word(w, left), busy = 1u << word % 16;
        for (unsigned i = 0; i < n; i++) {
            uint32_t bank = 1u << w[i] % 16;
            if (!(left >> i & 1) || (w[i] != word && busy & bank)) continue;
            busy |= bank;
            left &= ~(1u << i);
        }
    }
    return steps;
}

/* Rule of 1.x: 16 banks, one request for each half-warp. A wider word makes one request for each of
 * its 4-byte parts. */
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

/* Do all lanes of mask access the same address? */
static int one_address(const uint32_t addr[32], uint32_t mask)
{
    uint32_t differ = 0;
    for (uint32_t left = mask; left; left &= left - 1)
        differ |= addr[__builtin_ctz(left)] ^ addr[__builtin_ctz(mask)];
    return !differ;
}

/* Rule of 2.x: 32 banks of 4 bytes. 4-byte words are served for the whole warp, 8-byte words by
 * half-warps, 16-byte words by quarter-warps.
 *
 * In each quarter, a load of 16-byte words takes one pass more than the largest number of words in
 * a bank, which the guide counts as a conflict. The guide says that most loads take this pass, but
 * not which ones. Here the exceptions are:
 *   - A quarter that loads a single word.
 *   - Stores. Equal numbers of loads and stores take 6 passes per access on a GeForce GTX 480
 *     (gpumembench, 2.64 lanes per clock), which is the mean of 8 and 4.
 * If the whole warp loads one word, there are no separate quarters: 2 passes for the warp. */
struct model_shared banks_2(const uint32_t addr[32], uint32_t mask, unsigned bytes, int load)
{
    uint32_t w[WARP_SIZE * 4];
    struct model_shared s = {0};
    int lanes = bytes <= 4 ? WARP_SIZE : 128 / (int)bytes;
    if (load && bytes == 16 && mask == ~0u && one_address(addr, mask))
        return (struct model_shared){.wavefronts = 2};
    for (int first = 0; first < WARP_SIZE; first += lanes) {
        uint32_t here = mask & ~0u >> (WARP_SIZE - lanes) << first;
        if (!here) continue;
        unsigned passes = fullest(w, words_of(addr, here, bytes, w)) +
                          (load && bytes == 16 && !one_address(addr, here));
        s.wavefronts += passes;
        s.conflicts += passes - 1;
    }
    return s;
}

/* Rule of 3.x in its 4-byte mode: in one pass a bank serves 8 bytes, which are words i and i + 32
 * of an aligned piece of 64 words. So the two words of such a pair get the same key. */
struct model_shared banks_3(const uint32_t addr[32], uint32_t mask, unsigned bytes)
{
    uint32_t w[WARP_SIZE * 4] = {0};
    unsigned n = words_of(addr, mask, bytes, w);
    for (unsigned i = 0; i < n; i++) w[i] = w[i] / 64 * 32 + w[i] % 32;
    unsigned passes = fullest(w, n), least = bytes == 16 && __builtin_popcount(mask) > HALF ? 2 : 1;
    return (struct model_shared){
        .wavefronts = passes, .conflicts = passes > least ? passes - least : 0};
}
