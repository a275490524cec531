/* banks.c - how many passes one warp's shared-memory access takes.
 *
 * Compute capability 5.0 and later: 32 banks, each 4 bytes wide; word w lies in bank w % 32.
 *
 *      word    0   1   2  ...  31
 *              32  33  34 ...  63      In one pass each bank serves one word, to every lane that wants it. Lanes that
 *              64  65  66 ...  95      want different words of one bank wait for each other: a conflict.
 *              |   |   |       |
 *      bank    0   1   2  ...  31      passes = the most different words that any bank has to serve
 *
 * An 8-byte word lies in two banks and a 16-byte word in four, so 32 different ones need 2 and 4 passes at best, which
 * is not a conflict. 16-byte accesses go by half-warps, 8-byte ones too unless the whole warp fits in one pass.
 *
 * Sources: CUDA C++ Programming Guide, compute capability 5.x and later, shared memory (4-byte words). Wider words:
 * measured on an H200 with ncu: a 16-byte load of one address by all lanes takes 2 passes, of 32 consecutive words 4,
 * and neither counts as a conflict.
 */
#include "model/model.h"

enum {
    BANKS = 32,
    BANK_SHIFT = 2, /* 4 bytes */
    SLOTS = 256,    /* of the hash table: twice the most keys, 32 lanes with 4 words each */
};

/* Drop repeated words: what several lanes want of a bank is served once. Returns how many are left in w. */
static unsigned distinct(uint32_t *w, unsigned n)
{
    uint32_t key[SLOTS];
    uint8_t used[SLOTS] = {0};
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++) {
        uint32_t word = w[i];
        unsigned slot = word * 0x9E3779B1u >> 24; /* multiplicative hash: its top 8 bits */
        while (used[slot] && key[slot] != word)
            slot = (slot + 1) % SLOTS;
        if (!used[slot]) {
            used[slot] = 1;
            key[slot] = word;
            w[kept++] = word;
        }
    }
    return kept;
}

/* distinct for words that never step down. */
static unsigned distinct_ascending(uint32_t *w, unsigned n)
{
    unsigned kept = 1;
    for (unsigned i = 1; i < n; i++)
        if (w[i] != w[kept - 1])
            w[kept++] = w[i];
    return kept;
}

/* The passes for these n words, if all lanes that want them are served together. Reorders w. */
static struct model_shared serve(uint32_t *w, unsigned n)
{
    int down = 0;
    uint32_t gaps = 0;
    for (unsigned i = 1; i < n; i++) {
        down |= w[i] < w[i - 1];
        gaps |= w[i] - w[i - 1] - 1;
    }
    if (!gaps && n <= BANKS) /* each word one above the last: different banks */
        return (struct model_shared){.wavefronts = n > 0};
    n = down ? distinct(w, n) : distinct_ascending(w, n);

    unsigned served[BANKS] = {0}, most = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned words = ++served[w[i] % BANKS];
        most = words > most ? words : most;
    }
    return (struct model_shared){.wavefronts = most, .conflicts = most - (n + BANKS - 1) / BANKS};
}

/* The 4-byte words that the lanes in mask want, in lanes' order. Returns how many were put into w. */
static unsigned words_of(const uint32_t addr[WARP_SIZE], uint32_t mask, unsigned bytes, uint32_t *w)
{
    unsigned n = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t a = addr[__builtin_ctz(left)];
        uint32_t last = (a + bytes - 1) >> BANK_SHIFT;
        for (uint32_t word = a >> BANK_SHIFT; word <= last; word++)
            w[n++] = word;
    }
    return n;
}

static struct model_shared serve_halves(const uint32_t addr[WARP_SIZE], uint32_t mask, unsigned bytes)
{
    struct model_shared sum = {0};
    uint32_t w[WARP_SIZE * 5];
    for (int half = 0; half < 2; half++) {
        struct model_shared s = serve(w, words_of(addr, mask & 0xffffu << 16 * half, bytes, w));
        sum.wavefronts += s.wavefronts;
        sum.conflicts += s.conflicts;
    }
    return sum;
}

/* 5.x to 9.x: 32 banks of 4 bytes. */
static struct model_shared banks_32(const uint32_t addr[WARP_SIZE], uint32_t mask, unsigned bytes)
{
    uint32_t w[WARP_SIZE * 5]; /* a misaligned 16-byte word would touch five */
    if (bytes > 8)
        return serve_halves(addr, mask, bytes);
    if (mask == ~0u && bytes == 4) { /* the common case, in vector code */
        for (int i = 0; i < WARP_SIZE; i++)
            w[i] = addr[i] >> BANK_SHIFT;
        return serve(w, WARP_SIZE);
    }
    struct model_shared s = serve(w, words_of(addr, mask, bytes, w));
    return bytes == 8 && s.wavefronts > 1 ? serve_halves(addr, mask, bytes) : s;
}

struct model_shared model_banks(const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes)
{
    (void)p; /* every profile so far is 5.0 or later */
    return banks_32(addr, mask, bytes);
}
