/* time.c - the time of a launch. The parts of a GPU work at the same time, so the launch takes as
 * long as the slowest part.
 *
 *      |<- start-up ->|<----------- the slowest of these ----------->|
 *      | launch       | issue         ##########                     |
 *      | first blocks | float pipe    #####                          |
 *      | first data   | L1, shared    ############################## |  <- the bottleneck
 *      |              | L2            #########                      |
 *      |              | DRAM          ############                   |
 *      |              | latency       ####                           |
 *
 * The time of a part is a division: the work that the launch gives it, over its rate per clock.
 * There are two corrections. Latency is hidden only if there are enough warps and blocks to switch
 * between (overlap_clocks). Parts that are nearly equal delay each other, and a scheduler's pipes
 * serve only its own warps (together).
 *
 * Nothing here is fitted to a kernel: the rates are those of the profile.
 *
 * Sources: the profile's, for rates; mean value analysis of closed queues (Reiser and Lavenberg,
 * 1980), for delays; approximating a station of several servers by a faster one and a delay
 * (Seidmann, Schweitzer and Shalev-Oren, 1987). */
#include "base/base.h"
#include "model/model.h"

const char *const model_part_names[PART_LAUNCH + 1] = {
    [PART_NONE] = "-",
    [PART_ISSUE] = "issue",
    [PART_FLOAT] = "float pipe",
    [PART_INTEGER] = "integer pipe",
    [PART_DOUBLE] = "double pipe",
    [PART_SPECIAL] = "special functions",
    [PART_TENSOR] = "tensor cores",
    [PART_L1] = "L1 and shared memory",
    [PART_L2] = "L2",
    [PART_ATOMICS] = "atomics",
    [PART_DRAM] = "DRAM",
    [PART_DISPATCH] = "dispatch",
    [PART_LATENCY] = "latency",
    [PART_LAUNCH] = "launch",
};

enum { SECTOR_BYTES = 32 };

/* BUSY: a unit is reported as the bottleneck if it is busy for this share of the whole time (the
 * L1: of the time that blocks run; DRAM: if it moves this share of the datasheet's bytes); if none
 * is, latency or the dispatch of blocks is (Nsight Compute, Speed Of Light). A float atomic that
 * waits for the previous addition to its word keeps no unit busy: lts__d_atomic_input is active
 * 1.16 clocks for each atomic on one word, floats or not (an H200). */
static const double BUSY = 0.6;

static double larger(double a, double b) { return a > b ? a : b; }

/* The busiest multiprocessor's share of a sum over the grid. A block runs on one multiprocessor:
 * 133 blocks on 132 multiprocessors take twice as long as 132. */
static double busiest_share(const struct model_profile *p, const struct model_work *w)
{
    uint64_t most = (w->blocks + p->sms - 1) / p->sms;
    if (w->busiest > 0) return w->busiest;
    return w->blocks ? (double)most / w->blocks : 1.0 / p->sms;
}

/* The clocks of a multiprocessor's L1, which does three things at the same time: it accepts
 * lsu_lanes lanes per clock, it looks up tags_per_clock lines per clock, and its data banks, shared
 * by global and shared accesses, do one pass in pass_clocks. On 5.x and 6.x shared memory is a
 * separate unit; global requests take one clock each and are spread over l1_units. */
static double l1_clocks(const struct model_profile *p, const struct model_work *w)
{
    double constants = model_has(p, FEATURE_DIVERGENCE_UNIT) ? 0 : w->constants;
    double lanes = (w->lsu + constants) * WARP_SIZE / p->lsu_lanes;
    double tags = w->tags / p->tags_per_clock;
    if (p->l1_units)
        return larger(larger(lanes, w->shared_wavefronts * p->pass_clocks),
            w->global_wavefronts / p->l1_units);
    return larger(
        larger(lanes, tags), (w->global_wavefronts + w->shared_wavefronts) * p->pass_clocks);
}

/* How often the blocks of the launch fill the GPU. A block that does not fit counts as one resident
 * block, to avoid a division by 0; such a launch is refused before its time matters. */
static double fillings(const struct model_profile *p, const struct model_work *w)
{
    int resident = model_occupancy(p, w->block_threads, w->registers, w->shared_bytes).blocks;
    uint64_t at_once = (uint64_t)(resident > 0 ? resident : 1) * (uint64_t)p->sms;
    return w->blocks ? (double)((w->blocks + at_once - 1) / at_once) : 1;
}

/* The clocks of the L2. A write takes longer than a read. A sector that is written in part is
 * merged with its old contents, which takes longer still, and a line with such a sector takes at
 * least l2_line_cost. If l2_sm_bytes is known, the link of a multiprocessor to the L2 is a second
 * limit: one sector for each request, read or write. A slice looks up one line at a time, so a read
 * request takes at least l2_request_cost (ncu, on an H200: lts__t_tag_requests at 98%).
 *
 * On 9.0, writes are expensive because of the link between the two halves of the L2, which half of
 * all writes take. So a sector that is read through the link has the same additional cost (an H200
 * that streams from DRAM: ncu has the link, lts__ltcfabric2ltc, and DRAM at 94%). An atomic is a
 * write of part of a sector; its line is looked up where it arrives and, for half of them, again in
 * the other half (1.5 lts__t_tag_requests each). */
static double l2_clocks(const struct model_profile *p, const struct model_work *w)
{
    double whole = w->l2_writes - w->l2_partial;
    double reads = larger(w->l2_sectors - w->l2_writes, w->l2_requests * p->l2_request_cost);
    double partial =
        larger(w->l2_partial * p->l2_partial_cost, w->l2_partial_lines * p->l2_line_cost);
    double far = w->l2_far * 2 * (p->l2_write_cost - 1);
    double look_ups = w->atomic_lines * 1.5 * p->l2_request_cost;
    double atomics = larger(w->atomic_sectors * p->l2_partial_cost, look_ups);
    double sectors = reads + far + whole * p->l2_write_cost + partial + atomics;
    double clocks = sectors * SECTOR_BYTES / p->l2_bytes_per_clock;
    if (!p->l2_sm_bytes) return clocks;
    return larger(clocks, busiest_share(p, w) * w->l2_sectors * SECTOR_BYTES / p->l2_sm_bytes);
}

/* The number of resident warps on the busiest multiprocessor. */
static uint64_t resident_warps(const struct model_profile *p, const struct model_work *w)
{
    uint64_t fit =
        (uint64_t)model_occupancy(p, w->block_threads, w->registers, w->shared_bytes).blocks;
    uint64_t has = (w->blocks + (uint64_t)p->sms - 1) / (uint64_t)p->sms,
             warps = (uint64_t)(w->block_threads + WARP_SIZE - 1) / WARP_SIZE;
    return (has < fit ? has : fit ? fit : 1) * warps;
}

/* A closed queue: each customer thinks for some clocks, then queues for a server that takes
 * "service" clocks. Returns the clocks between two completions. With one customer that is think +
 * service, with many it is service. In between both matter, since at times all customers think and
 * at times all of them queue.
 *
 *      ┌── think ──> queue ──> server ──┐
 *      └────────────────────────────────┘
 *
 * Source: mean value analysis of a closed queue (Reiser and Lavenberg, 1980). */
static double circulate(uint64_t customers, double think, double service)
{
    double queue = 0, between = think + service;
    if (between <= 0) return 0;
    for (uint64_t i = 1; i <= customers; i++) {
        double wait = service * (1 + queue);
        between = (think + wait) / i;
        queue = wait / between;
    }
    return between;
}

/* The clocks between two completed blocks if the blocks of a multiprocessor wait together. From 9.0
 * on such blocks do not continue one by one, but in two groups (two or three blocks in one group).
 * Source: an H200, blocks of 128 to 1024 threads that load and then multiply. */
static double in_groups(
    const struct model_profile *p, uint64_t blocks, double think, double service)
{
    uint64_t groups = !model_has(p, FEATURE_BLOCK_GROUPS) ? blocks : blocks < 4 ? 1 : 2;
    return circulate(groups, think, service * blocks / groups) * groups / blocks;
}

/* The clocks between two completed blocks whose warps wait for the same data, without a barrier. Up
 * to 8.x the warp that goes on first requests the next data before the others work, so it waits
 * during their work. From 9.0 on they go on as if they had waited at a barrier. Sources: published
 * times of one block of 1024 threads on each multiprocessor of an RTX 4090, RTX A6000 and L4
 * (solutions/published/published.json); an H200, the kernel `large` of lab 07. */
static double led(
    const struct model_profile *p, uint64_t blocks, double think, double service, uint64_t warps)
{
    if (model_has(p, FEATURE_BLOCK_GROUPS)) return in_groups(p, blocks, think, service);
    return circulate(blocks, larger(think - service * (warps - 1) / warps, 0), service);
}

/* The latency of a block in each round if all its warps are ready at the same time. Such warps wait
 * for memory together, but hide each other's latency between instructions, like warps that queue
 * for a unit. service: clocks of their work. Source: an H100: chains of 32 sums in 16 warps, 128
 * clocks of work and 128 of latency, take 153. */
static double ready_think(const struct model_work *w, double rounds, double service)
{
    uint64_t warps = (w->block_threads + WARP_SIZE - 1) / WARP_SIZE;
    double between = larger(w->critical_path - w->waiting, 0) / rounds;
    double exposed = circulate(warps, between, service / warps) * warps - service;
    return w->waiting / rounds + larger(exposed, 0);
}

/* Parts that are nearly equal take longer together than the slowest alone, since warps queue for
 * one part and then for another. The analysis is that of circulate, with a server for each part and
 * no time to think. clocks: clocks of each part for all of the work; the result is at least the
 * largest of them.
 *
 * A scheduler's pipes serve only its own warps. The pipes of n schedulers count as one that is n
 * times as fast, and that a warp leaves later, by n - 1 of its service times. Issuing has no delay
 * of its own. For a single warp, the latency already includes that delay. */
static double together(
    const struct model_profile *p, uint64_t warps, const double clocks[MODEL_PARTS])
{
    double queue[MODEL_PARTS] = {0}, between = 0;
    int delay = warps > 1 ? p->schedulers - 1 : 0;
    for (uint64_t i = 1; i <= warps; i++) {
        double round = 0;
        for (int k = 0; k < MODEL_PARTS; k++)
            round += clocks[k] * (1 + queue[k] + (k > PART_ISSUE && k < PART_L1 ? delay : 0));
        between = round / i;
        for (int k = 0; k < MODEL_PARTS && between > 0; k++)
            queue[k] = clocks[k] * (1 + queue[k]) / between;
    }
    return between;
}

/* The clocks of the address divergence unit. From 9.0 on it executes loads of constants and
 * barriers, one in two clocks. A warp with parameters has two more loads, for its block index and
 * for the descriptor of global memory. Source: an H100 (ncu: pipe_adu). */
static double divergence_unit(const struct model_profile *p, const struct model_work *w)
{
    double warps = (double)w->blocks * ((w->block_threads + WARP_SIZE - 1) / WARP_SIZE);
    if (!model_has(p, FEATURE_DIVERGENCE_UNIT)) return 0;
    return 2 * (w->constants + w->barriers + (w->constants > 0 ? 2 * warps : 0));
}

/* The clocks of a multiprocessor whose blocks alternate between latency and work. slowest: clocks
 * of its slowest part for the work of all its blocks. A block runs for a number of rounds, each a
 * wait for memory and then the work on the data.
 *      first round      warps of a block start together: the customers of the queue are blocks
 *      later rounds     warps return at different times: the customers are warps
 *      common waits     warps that wait for the same data return together: blocks are the customers
 *      after a barrier  as with common waits, but all warps are ready at once, so they hide each
 *                       other's latency between instructions. On compute capability 1.0 to 3.x
 *                       this is so in each round, since that latency is 9 to 24 clocks there
 *                       (Programming Guide 4.2, 5.2.3)
 * Customers and queue: see circulate. in_step: 0: slowest is that of all parts; 1: slowest is that
 * of the units alone that a block needs for its first load. Since older warps keep these units busy,
 * blocks that start together also wait together (from 9.0 on), whenever blocks fill the GPU again;
 * the first filling is in start_clocks. Source: an H200, blocks that load and then multiply or read
 * shared memory: in each filling a load takes 300 to 900 clocks. */
static double overlap_clocks(
    const struct model_profile *p, const struct model_work *w, double slowest, int in_step)
{
    uint64_t blocks = (w->blocks + p->sms - 1) / p->sms,
             warps = (w->block_threads + WARP_SIZE - 1) / WARP_SIZE;
    uint64_t resident = model_occupancy(p, w->block_threads, w->registers, w->shared_bytes).blocks;
    double rounds = larger(w->rounds, 1);
    if (!blocks || !warps) return slowest;
    if (resident < 1) resident = 1;
    double turnaround = blocks > resident ? p->turnaround_clocks : 0;
    if (resident > blocks) resident = blocks;
    /* Each copy in flight is a customer of its own, whose time to think is the whole latency. */
    double ahead = larger(w->ahead, 1), think = ahead * w->critical_path / rounds,
           service = slowest / blocks / rounds, ready = ready_think(w, rounds, service),
           as_block = model_has(p, FEATURE_READY_WARPS) ? ready : w->critical_path / rounds;
    double first = circulate(resident, as_block + turnaround, service);
    double later = 1 - (double)resident / blocks, wait = w->waiting / rounds + turnaround;
    if (in_step && model_has(p, FEATURE_BLOCK_GROUPS))
        first = larger(first, service + later * (in_groups(p, resident, wait, service) - service));
    double apart = circulate((uint64_t)(resident * warps * ahead), think, service / warps) * warps;
    double common = w->rounds_together / rounds,
           as_one = led(p, resident, as_block, service, warps);
    double behind = w->rounds_ready / rounds, at_once = in_groups(p, resident, ready, service);
    return blocks * (first + (rounds - 1) * (behind * at_once + (common - behind) * as_one +
                                                (1 - common) * apart));
}

/* The clocks for issuing instructions. Up to 3.x an access with bank conflicts is issued again for
 * each further pass. On 2.x and 3.x a global access to several lines is issued again for each
 * further line. Each replay takes the issue slot of another instruction. Source: Profiler User's
 * Guide, inst_replay_overhead, shared_replay_overhead and global_replay_overhead, which exist for
 * 2.x and 3.x only. */
static double issue_clocks(const struct model_profile *p, const struct model_work *w)
{
    double conflicts =
        model_has(p, FEATURE_LANE_REPLAYS) ? w->shared_conflicts * p->pass_clocks : 0;
    double slots = w->inst + (model_has(p, FEATURE_LINE_REPLAYS) ? w->replays : 0);
    return slots / p->schedulers * p->issue_clocks + conflicts;
}

/* Integer instructions that the float units execute. From 8.0 on the float units execute integer
 * products, with int_lanes lanes, and half of the integer sums, for which ptxas uses IMAD.IADD. */
static double products(const struct model_profile *p, const struct model_work *w)
{
    return model_has(p, FEATURE_FLOAT_PRODUCTS) ? w->multiply + w->add / 2 : 0;
}

/* Instructions in the integer units. Conversions between integers and floats run there up to 2.x,
 * and in the special function unit from 3.x on. From 9.0 on the integer units convert 32-bit
 * integers to floats (I2FP). The special function unit also counts and reverses bits. Source: the
 * Programming Guide's table of throughputs; machine code of nvcc 13; an H200 (ncu: pipe_alu,
 * pipe_fmaheavy, pipe_xu). */
static double integers(const struct model_profile *p, const struct model_work *w)
{
    int convert = !model_has(p, FEATURE_SPECIAL_CONVERSIONS);
    return w->integer - products(p, w) + (convert ? w->convert + w->bits : 0) +
           (convert || model_has(p, FEATURE_INTEGER_TO_FLOAT) ? w->to_float : 0);
}

static double special_functions(const struct model_profile *p, const struct model_work *w)
{
    double slow = p->convert_lanes ? (double)p->sfu_lanes / p->convert_lanes : 1;
    return w->sfu + w->convert * slow + w->to_float + w->bits + w->integer - products(p, w) -
           integers(p, w);
}

static double floats(const struct model_profile *p, const struct model_work *w)
{
    double halves = p->fp16_lanes ? w->fp16 / p->fp16_lanes : 0;
    return larger((w->fp32 + products(p, w)) / p->fp32_lanes, products(p, w) / p->int_lanes) +
           halves;
}

/* The clocks of the tensor cores. A multiply-add of doubles takes 16 times as long as one of
 * halves. On GPUs whose tensor cores have no doubles, the FP64 units do them. */
static double tensor_clocks(const struct model_profile *p, const struct model_work *w)
{
    if (!(p->tensor_rate > 0)) return 0;
    double spared = p->half_sums > 0 ? w->tensor_halves * (1 - 1 / p->half_sums) : 0;
    double rate = model_has(p, FEATURE_DOUBLE_TENSORS) ? p->tensor_rate / 16 : p->fp64_lanes;
    return (w->tensor - spared) / p->tensor_rate + w->tensor_doubles / rate;
}

/* The clocks of the start, which overlap with nothing: the first blocks are dispatched, then they
 * wait for the first data. */
static double start_clocks(const struct model_profile *p, const struct model_work *w)
{
    int warps = (w->block_threads + WARP_SIZE - 1) / WARP_SIZE;
    int fit =
        warps > 0 && p->max_warps / warps < p->max_blocks ? p->max_warps / warps : p->max_blocks;
    uint64_t at_once = (uint64_t)p->sms * fit;
    uint64_t first = w->blocks < at_once ? w->blocks : at_once;
    double wait = w->dram_bytes > 0 ? p->latency_dram : w->l2_sectors > 0 ? p->latency_l2 : 0;
    return first * p->dispatch_clocks + wait;
}

static int slowest_of(const double clocks[MODEL_PARTS], int parts)
{
    int slowest = PART_ISSUE;
    for (int i = 0; i < parts; i++)
        if (clocks[i] > clocks[slowest]) slowest = i;
    return slowest;
}

/* Computes the clocks of each part, finds the slowest, applies the corrections, and adds the start.
 * Terms with the factor share are those of the busiest multiprocessor; the other terms are those of
 * the whole GPU. */
struct model_time model_time(const struct model_profile *p, const struct model_work *w)
{
    double share = busiest_share(p, w),
           clocks[MODEL_PARTS] = {
               [PART_ISSUE] = share * issue_clocks(p, w),
               [PART_FLOAT] = share * WARP_SIZE * floats(p, w),
               [PART_INTEGER] = share * integers(p, w) * WARP_SIZE / p->int_lanes,
               [PART_DOUBLE] = p->fp64_lanes ? share * w->fp64 * WARP_SIZE / p->fp64_lanes : 0,
               [PART_SPECIAL] = share * special_functions(p, w) * WARP_SIZE / p->sfu_lanes,
               [PART_TENSOR] = share * tensor_clocks(p, w),
               [PART_L1] = share * l1_clocks(p, w),
               [PART_L2] = l2_clocks(p, w),
               [PART_ATOMICS] = larger(w->atomics / p->atomics_per_clock, w->atomic_clocks),
               [PART_DRAM] = larger(w->dram_bytes, w->dram_busiest) / p->dram_gbps * p->clock_ghz,
               [PART_DISPATCH] = w->blocks * p->dispatch_clocks,
               /* once for each time that blocks fill the GPU, with the turnaround between two
                * fillings */
               [PART_LATENCY] = fillings(p, w) * (w->critical_path + p->turnaround_clocks) -
                                p->turnaround_clocks,
           };
    double clocks_a_ms = p->clock_ghz * 1e6, start = start_clocks(p, w);
    struct model_time t = {0};
    int slowest = slowest_of(clocks, MODEL_PARTS);
    /* clocks of those parts for which warps queue */
    double queued[MODEL_PARTS] = {0};
    /* clocks of the units that a new block needs for its first load */
    double passed[MODEL_PARTS] = {0};
    queued[PART_NONE] = passed[PART_NONE] = share * divergence_unit(p, w);
    for (int i = PART_ISSUE; i < MODEL_PARTS; i++) {
        t.part_ms[i] = clocks[i] / clocks_a_ms;
        if (i != PART_LATENCY && i != PART_DISPATCH) queued[i] = clocks[i];
        if (i <= PART_INTEGER || i == PART_L1) passed[i] = clocks[i];
    }
    uint64_t customers = (uint64_t)((double)resident_warps(p, w) * larger(w->ahead, 1));
    double apart = overlap_clocks(p, w, together(p, customers, queued), 0),
           in_step = overlap_clocks(p, w, together(p, customers, passed), 1),
           running = larger(clocks[slowest], larger(apart, in_step)) / clocks_a_ms;
    t.ms = p->launch_us / 1000 + start / clocks_a_ms + running;
    t.start_ms = t.ms - running;
    if (p->dram_peak_gbps > 0) clocks[PART_DRAM] *= p->dram_gbps / p->dram_peak_gbps;
    clocks[PART_ATOMICS] =
        larger(w->atomics / p->atomics_per_clock, w->atomic_clocks - w->atomic_waits);
    int unit = slowest_of(clocks, PART_DISPATCH);
    /* for a unit of each multiprocessor, clocks is that of the busiest: mean converts it to the
     * mean over multiprocessors */
    double mean = unit > PART_L1 ? 1 : 1 / (share * p->sms);
    if (clocks[unit] / clocks_a_ms * mean >= BUSY * (unit == PART_L1 ? running : t.ms))
        slowest = unit;
    else if (slowest != PART_DISPATCH || t.part_ms[slowest] < BUSY * t.ms)
        slowest = PART_LATENCY;
    t.bottleneck = t.start_ms > running ? PART_LAUNCH : (enum model_part)slowest;
    return t;
}
