/* live.c - the way from a page's script into common/model, which is compiled with it to
 * WebAssembly, unchanged.
 *
 *      script:  live_addr()[lane] = byte, ...     live_count(gpu, shared, store, mask, bytes)
 *                                                       |
 *      common/model:                        model_coalesce, model_banks, model_occupancy, ...
 *                                                       |
 *      script:  live_out()[0], [1], ...   <─────────────+
 *
 * There is no libc: the three functions of it that common/model calls are below.
 */
#include "model/model.h"

#define EXPORT __attribute__((visibility("default")))

enum { OUTS = 4 };
static uint32_t addr[WARP_SIZE], out[OUTS];

void *memset(void *to, int byte, size_t n)
{
    for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = (unsigned char)byte;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

/* Where the script writes 32 byte addresses, and where it reads results. */
EXPORT uint32_t *live_addr(void) { return addr; }
EXPORT uint32_t *live_out(void) { return out; }

/* The GPUs, by number from 0 on; NULL and 0 after the last. */
EXPORT const char *live_gpu(int gpu)
{
    return model_profile_at(gpu) ? model_profile_at(gpu)->name : NULL;
}
EXPORT const char *live_title(int gpu) { return model_profile_at(gpu)->title; }
EXPORT int live_banks(int gpu) { return model_profile_at(gpu)->banks; }
/* Does it access memory by sectors? Else by transactions of its generation. */
EXPORT int live_sectors(int gpu) { return model_has(model_profile_at(gpu), FEATURE_SECTORS); }

/* Counts an access. Shared: wavefronts, conflicts. Global: sectors (transactions before 5.0),
 * lines, bytes moved, wavefronts. */
EXPORT void live_count(int gpu, int shared, int store, uint32_t mask, unsigned bytes)
{
    const struct model_profile *p = model_profile_at(gpu);
    if (shared) {
        struct model_shared s = (store ? model_banks_store : model_banks)(p, addr, mask, bytes);
        out[0] = s.wavefronts, out[1] = s.conflicts;
        return;
    }
    uint64_t wide[WARP_SIZE];
    for (int i = 0; i < WARP_SIZE; i++) wide[i] = addr[i];
    struct model_global g = (store ? model_coalesce_store : model_coalesce)(p, wide, mask, bytes);
    out[0] = g.sectors, out[1] = g.tags, out[2] = g.bytes, out[3] = g.wavefronts;
}

/* The steps of a block: asked, there, begun, done of each at live_steps(). Returns how many clocks
 * the arithmetic is idle. steps: at most 16. */
enum { MOST_STEPS = 16 };
static struct model_step step[MOST_STEPS];
EXPORT struct model_step *live_steps(void) { return step; }
EXPORT long live_stages(int stages, long copy, long work, int steps)
{
    return model_stages(stages, copy, work, steps, step);
}

/* Where element e of register r of a lane is: 16 times its row, and its column. matrix: 0 for A, 1
 * for B, 2 for C of a product m16n8. per: elements in a register of A and B. */
EXPORT int live_held(int matrix, int per, int lane, int r, int e)
{
    if (matrix == 0) return 16 * model_a_row(16, lane, r) + model_a_column(16, lane, r, e, per);
    if (matrix == 1) return 16 * model_b_row(lane, r, e, per) + model_b_column(lane);
    return 16 * model_c_row(lane, r) + model_c_column(lane, r);
}

/* Resident blocks (0 if the block does not fit), their warps, the most warps. */
EXPORT void live_occupancy(int gpu, int threads, int registers, unsigned shared_bytes)
{
    const struct model_profile *p = model_profile_at(gpu);
    struct model_occupancy o = model_occupancy(p, threads, registers, shared_bytes);
    out[0] = (uint32_t)o.blocks, out[1] = (uint32_t)o.warps, out[2] = (uint32_t)p->max_warps;
}
