/* occupancy.c - how many blocks of a launch a multiprocessor holds at once, and which resource
 * limits their number.
 *
 *      multiprocessor   [ threads | warps | block slots | registers | shared memory ]
 *      a block takes      threads   warps   1             warps x     its bytes, rounded up,
 *                                                         registers   + what the system takes
 *
 * Each resource allows as many blocks as its amount divided by a block's share. The smallest of
 * these is the number of resident blocks.
 *
 * Source: CUDA C++ Programming Guide, "Hardware Multithreading" and the table of technical
 * specifications by compute capability; allocation units as in the occupancy calculator of Nsight
 * Compute. */
#include "model/model.h"

/* n rounded up to a multiple of unit; if unit is 0, n itself. */
static int64_t round_up(int64_t n, int64_t unit)
{
    return unit > 0 ? (n + unit - 1) / unit * unit : n;
}

/* The number of blocks that fit by their registers. Each scheduler has its own part of the
 * registers, for its own warps, so the warps that fit are counted for each scheduler separately. On
 * 1.x registers are allocated to a block as a whole, with its warps rounded up to an even number.
 * Registers beyond thread_registers are spilled and take no space. */
static int64_t blocks_by_registers(const struct model_profile *p, int registers, int64_t warps)
{
    if (p->thread_registers && registers > p->thread_registers) registers = p->thread_registers;
    if (p->registers_by_block) {
        int64_t a_block = round_up(round_up(warps, 2) * registers * WARP_SIZE, p->register_unit);
        return a_block ? p->registers / a_block : INT32_MAX;
    }
    int64_t a_warp = round_up((int64_t)registers * WARP_SIZE, p->register_unit);
    if (!a_warp) return INT32_MAX;
    /* A block that does not fit on the 4 schedulers of 6.1 does not run on 6.0 either
     * (cuda_occupancy.h). */
    if (model_has(p, FEATURE_FOUR_SCHEDULERS) && p->registers / 4 / a_warp * 4 < warps) return 0;
    return p->registers / p->schedulers / a_warp * p->schedulers / warps;
}

/* Blocks that fit by their shared memory; 0 if a block uses more than is allowed for one. */
static int64_t blocks_by_shared(const struct model_profile *p, size_t shared_bytes)
{
    if (shared_bytes > (size_t)p->shared_block_bytes) return 0;
    int64_t a_block = round_up((int64_t)shared_bytes + p->shared_reserved, p->shared_unit);
    return a_block ? p->shared_bytes / a_block : INT32_MAX;
}

const char *const model_limiter_names[LIMITERS] = {
    [LIMIT_NONE] = "-",
    [LIMIT_WARPS] = "warps",
    [LIMIT_BLOCKS] = "blocks",
    [LIMIT_REGISTERS] = "registers",
    [LIMIT_SHARED] = "shared memory",
    [LIMIT_THREADS] = "threads a block",
};

struct model_occupancy model_occupancy(
    const struct model_profile *p, int block_threads, int registers, size_t shared_bytes)
{
    if (block_threads < 1 || block_threads > p->max_block_threads)
        return (struct model_occupancy){.limiter = LIMIT_THREADS};
    int64_t warps = (block_threads + WARP_SIZE - 1) / WARP_SIZE;
    /* If several limits are equal, the first one in this table is reported. Limits that depend only
     * on the launch shape come first. */
    const struct {
        int64_t blocks;
        enum model_limiter by;
    } limits[] = {
        {p->max_warps / warps, LIMIT_WARPS},
        {p->max_threads / (warps * WARP_SIZE), LIMIT_WARPS},
        {p->max_blocks, LIMIT_BLOCKS},
        {blocks_by_registers(p, registers, warps), LIMIT_REGISTERS},
        {blocks_by_shared(p, shared_bytes), LIMIT_SHARED},
    };
    int least = 0;
    for (int i = 1; i < (int)(sizeof limits / sizeof *limits); i++)
        if (limits[i].blocks < limits[least].blocks) least = i;
    int blocks = limits[least].blocks;
    return (struct model_occupancy){
        .blocks = blocks,
        .warps = blocks * warps,
        .share = (double)(blocks * warps) / p->max_warps,
        .limiter = limits[least].by,
    };
}

/* Returns o->share or, if the grid is too small for that, the share that its blocks reach when they
 * are spread evenly over the multiprocessors, one on each before a second on any. */
double model_occupancy_reached(
    const struct model_profile *p, const struct model_occupancy *o, uint64_t blocks)
{
    uint64_t used = blocks < (uint64_t)p->sms ? blocks : (uint64_t)p->sms;
    double each = used ? (double)blocks / (double)used : 0;
    return o->blocks > 0 && each < o->blocks ? o->share * each / o->blocks : o->share;
}

struct model_resident model_resident(
    const struct model_profile *p, const struct model_occupancy *o, uint64_t blocks)
{
    return (struct model_resident){
        .warps = p->max_warps * model_occupancy_reached(p, o, blocks),
        .fills = blocks >= (uint64_t)o->blocks * (uint64_t)p->sms,
        .idle = blocks < (uint64_t)p->sms ? p->sms - (int)blocks : 0,
    };
}
