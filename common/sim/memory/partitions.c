/* partitions.c - partition camping: do the blocks that run at the same time use all partitions of
 * DRAM evenly?
 *
 * On 1.x, consecutive pieces of 256 bytes go to consecutive partitions of DRAM, with no hash:
 *
 *      byte       0      256    512          1792   2048      if rows have 2048 bytes, or a
 *      partition  | 0    | 1    | 2    | ... | 7    | 0  ...   multiple, one partition has a column
 *
 * The rule: resident blocks run in step, so the n-th accesses of all their warps are in flight
 * together. They take until the busiest partition has served its share. The ratio is the time with
 * these shares over the time with even shares: 1 if the partitions are evenly busy, at most their
 * number.
 *
 * A sample is enough: WAVES waves of blocks, evenly spaced over the launch. Accesses n and n +
 * TURNS of a warp are counted together.
 *
 * Source: Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009: six partitions on a
 * GeForce 8800 GTX, eight on a GTX 280, each 256 bytes wide. From 2.x on, addresses are hashed, so
 * profiles of those GPUs have no partitions. */
#include "sim/memory/waves.h"

#include <stdlib.h>

enum { TURNS = 512, MOST_PARTITIONS = 8 };

/* What one worker has recorded; partitions_ratio adds up all workers. The array turn describes one
 * block at a time. */
struct partitions {
    const struct model_profile *profile;
    struct waves waves;
    uint64_t block; /* number of the block to which turn belongs, plus 1; 0: none */
    int warps;
    uint32_t *turn; /* for each warp of the block: number of accesses that it has made */
    uint64_t bytes[WAVES][TURNS][MOST_PARTITIONS];
};

struct partitions *partitions_new(const struct launch *l)
{
    const struct model_profile *p = l->profile;
    if (!p->dram_partitions || !l->record) return NULL;
    if (p->dram_partitions > MOST_PARTITIONS)
        BUG("%s has more than %d partitions", p->name, MOST_PARTITIONS);
    struct partitions *q = xcalloc(1, sizeof *q);
    q->profile = p;
    q->waves = waves_of(l);
    q->warps = l->block_warps;
    q->turn = xcalloc((size_t)q->warps, sizeof *q->turn);
    return q;
}

void partitions_free(struct partitions *q)
{
    if (q) free(q->turn);
    free(q);
}

/* Each active lane adds an equal part of the warp's transaction bytes to the partition of its
 * address. */
void partitions_access(struct partitions *q, uint64_t block, int warp, uint64_t base,
    const uint32_t off[32], uint32_t mask, unsigned bytes, int write)
{
    int wave = waves_index(&q->waves, block);
    uint64_t addr[32];
    if (!mask || wave < 0) return;
    if (q->block != block + 1) {
        q->block = block + 1;
        for (int i = 0; i < q->warps; i++) q->turn[i] = 0;
    }
    uint64_t *in = q->bytes[wave][q->turn[warp]++ % TURNS];
    for (int i = 0; i < 32; i++) addr[i] = base + off[i];
    unsigned moved =
        (write ? model_coalesce_store : model_coalesce)(q->profile, addr, mask, bytes).bytes;
    unsigned share = moved / (unsigned)__builtin_popcount(mask);
    for (uint32_t m = mask; m; m &= m - 1)
        in[addr[__builtin_ctz(m)] / (uint64_t)q->profile->partition_bytes %
            (uint64_t)q->profile->dram_partitions] += share;
}

/* For each n, the bytes of the busiest partition in the n-th accesses are summed. The ratio is that
 * sum times the number of partitions, divided by all bytes. */
double partitions_ratio(struct partitions **all, int n)
{
    uint64_t moved = 0, busiest = 0;
    for (int i = 0; all[0] && i < WAVES * TURNS; i++) {
        uint64_t most = 0;
        for (int k = 0; k < all[0]->profile->dram_partitions; k++) {
            uint64_t here = 0;
            for (int w = 0; w < n; w++) here += all[w]->bytes[i / TURNS][i % TURNS][k];
            moved += here;
            most = here > most ? here : most;
        }
        busiest += most * (uint64_t)all[0]->profile->dram_partitions;
    }
    return moved ? (double)busiest / (double)moved : 1;
}
