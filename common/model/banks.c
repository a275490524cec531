/* banks.c - the number of wavefronts (passes) of one warp's shared-memory access. Older GPUs:
 * banks_old.c.
 *
 * Compute capability 5.0 and later: 32 banks, each 4 bytes wide; word w is in bank w % 32.
 *
 *      word    0   1   2  ...  31
 *              32  33  34 ...  63      In one pass a bank serves one word, to every lane that accesses it.
 *              64  65  66 ...  95      Different words of one bank need further passes: a conflict.
 *              |   |   |       |
 *      bank    0   1   2  ...  31      passes = the largest number of different words in any bank
 *
 * A wider word fills several banks, so each group of lanes that fills all 32 banks once is served
 * separately:
 *
 *      up to 4 bytes    the warp         lanes 0 .. 31
 *      8 bytes          half-warps       lanes 0 .. 15, 16 .. 31
 *      16 bytes         quarter-warps    lanes 0 .. 7, 8 .. 15, 16 .. 23, 24 .. 31
 *
 * A load serves two groups at once if all active lanes i and i ^ 1, or all active lanes i and i ^
 * 2, read the same word. A group without an active lane takes no pass. Conflicts are the passes
 * beyond one per group.
 *
 * Sources: CUDA C++ Programming Guide, compute capability 5.x and later, shared memory, for 4-byte
 * words. Wider words: an H200's counters (ncu), the rows of tests/banks_h200.h. */
#include "model/generations.h"
#include "model/lines.h"

enum { BANK_BYTES = 4, ALL_BANKS_BYTES = 128 };

/* The passes for n words whose addresses are `step` words apart. If `power` is the largest power of
 * two that divides step, the words use every power-th bank, equally often. With step 0 all are one
 * word. */
static unsigned even_passes(uint32_t step, unsigned n, unsigned banks)
{
    uint32_t power = step & -step;
    return power >= banks ? n : power ? (n * power + banks - 1) / banks : 1;
}

/* Kinds of accesses whose passes follow from a formula, which is faster than counting and gives the
 * same result: most accesses have a single stride. ONE_RUN: one stride in the whole warp; TWO_RUNS:
 * one stride in each half of the warp (in blocks 16 threads wide); REPEATED: as TWO_RUNS, and both
 * halves access the same words. UNEVEN: there is no formula. */
enum run { UNEVEN, TWO_RUNS, REPEATED, ONE_RUN };

/* The kind of an access with these 32 addresses. step: the difference of the first two, in
 * bytes. */
static enum run runs(const uint32_t addr[WARP_SIZE], uint32_t step)
{
    const uint32_t *half = addr + WARP_SIZE / 2;
    uint32_t uneven = 0;
    /* The loop has no early exit, so the compiler can vectorize it. */
    for (uint32_t i = 0; i < WARP_SIZE / 2; i++)
        uneven |= ((addr[0] + i * step) ^ addr[i]) | ((half[0] + i * step) ^ half[i]);
    if (uneven) return UNEVEN;
    uint32_t gap = half[0] - addr[0];
    return gap == 0 ? REPEATED : gap == step * (WARP_SIZE / 2) ? ONE_RUN : TWO_RUNS;
}

/* The passes of a group of "lanes" lanes. step: the stride; gap: distance from the first half of
 * the warp to the second; both in words. Returns 0 if there is no formula and the caller must
 * count. */
static unsigned run_passes(
    enum run run, uint32_t step, uint32_t gap, unsigned lanes, unsigned banks)
{
    enum { HALF = WARP_SIZE / 2 };
    if (lanes <= HALF || run == ONE_RUN) return even_passes(step, lanes, banks);
    if (run == REPEATED) return even_passes(step, HALF, banks);
    if (step == 0) /* each half of the warp reads one word */
        return gap % banks == 0 ? 2 : 1;
    /* Two halves of 16 consecutive words take one pass if they overlap or use different halves of
     * the banks. */
    if (step == 1 && banks == 2 * HALF)
        return gap + HALF <= 2 * HALF || gap % banks == HALF ? 1 : 2;
    return 0;
}

/* Do lanes i and i ^ other access the same word, for each such pair of active lanes? */
static int pairs_agree(const uint32_t w[WARP_SIZE], uint32_t mask, int other)
{
    uint32_t differ = 0;
    for (int i = 0; i < WARP_SIZE; i++)
        differ |= (w[i] ^ w[i ^ other]) & -(mask >> i & mask >> (i ^ other) & 1);
    return !differ;
}

/* Rule of 5.x to 9.x. Words and banks are numbered in units of the word's width, so 8-byte words
 * have 16 banks. The formula is tried first; if there is none, each group of lanes is counted. */
static struct model_shared banks_32(
    const uint32_t addr[WARP_SIZE], uint32_t mask, unsigned bytes, int load)
{
    unsigned width = bytes < BANK_BYTES ? BANK_BYTES : bytes, banks = ALL_BANKS_BYTES / width,
             lanes = banks;
    uint32_t step = addr[1] - addr[0], gap = addr[WARP_SIZE / 2] - addr[0];
    enum run run = mask == ~0u && (step | gap) % width == 0 ? runs(addr, step) : UNEVEN;
    if (run != UNEVEN) {
        unsigned together = load && step == 0 && lanes < WARP_SIZE ? 2 * lanes : lanes;
        unsigned taken =
            run_passes(run, (int32_t)step / (int)width, (int32_t)gap / (int)width, together, banks);
        unsigned groups = WARP_SIZE / together;
        if (taken)
            return (struct model_shared){
                .wavefronts = groups * taken, .conflicts = groups * (taken - 1)};
    }
    uint32_t w[WARP_SIZE];
    uint64_t word[WARP_SIZE];
    for (int i = 0; i < WARP_SIZE; i++) w[i] = addr[i] >> __builtin_ctz(width);
    if (load && lanes < WARP_SIZE && (pairs_agree(w, mask, 1) || pairs_agree(w, mask, 2)))
        lanes *= 2;
    struct model_shared sum = {0};
    for (int i = 0; i < WARP_SIZE; i++) word[i] = w[i];
    for (unsigned first = 0; first < WARP_SIZE; first += lanes) {
        struct lines l;
        lines_start(&l);
        lines_add(
            &l, word, mask & ~0u >> (WARP_SIZE - lanes) << first, (unsigned)__builtin_ctz(banks));
        unsigned taken = lines_passes(&l);
        sum.wavefronts += taken;
        sum.conflicts += taken ? taken - 1 : 0;
        sum.words += lines_words(&l);
    }
    if (bytes < BANK_BYTES || lanes < WARP_SIZE) sum.words = 0;
    return sum;
}

/* Selects the rule for the GPU's generation. */
static struct model_shared access_shared(
    const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes, int load)
{
    if (model_has(p, FEATURE_HALF_WARPS)) return banks_1(addr, mask, bytes);
    if (model_has(p, FEATURE_HALF_WORDS)) return banks_2(addr, mask, bytes, load);
    return p->bank_bytes == 8 ? banks_3(addr, mask, bytes) : banks_32(addr, mask, bytes, load);
}

struct model_shared model_banks(
    const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes)
{
    return access_shared(p, addr, mask, bytes, 1);
}

struct model_shared model_banks_store(
    const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes)
{
    return access_shared(p, addr, mask, bytes, 0);
}
