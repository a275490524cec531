/* join.c - stores on their way out of a multiprocessor: those to one line that come soon after each other leave as one.
 *
 *     st x ──> line 7  ##..##..##..##..          what leaves counts once a sector,
 *     st y ──> line 7  ####.###.###.##.   ──>    whole or in part
 *              line 9  ##..............
 *              (the lines written last)
 *
 * The way out holds the lines of the last stores. A store to a line that is still there adds its bytes; what does not fit any
 * more leaves in the order in which it came, so that stores to more lines than fit join nothing; and lines leave, one after the
 * other, as soon as nothing else comes. Other multiprocessors' stores never join.
 *
 * Measured on an H200 by ncu's l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st and lts__t_requests_srcunit_tex_op_write, one warp
 * storing two halves of each line: at once, they join up to 28 lines and not at 32; with n multiply-adds in between that wait for
 * each other, 16 lines join while n <= 5 and half of them at 8; of 8 lines most at 2; of 4, 2 or 1 none at 1. Whole lines join as
 * well; fences within the block, barriers, shared stores and loads that nobody waits for do no harm; waiting for a load does.
 *
 * A simulated warp has no clock; its instructions stand for time. A convoy's eight warps store together. What they store in
 * instructions soon after each other is kept, then let out as the schedulers would issue it: each stays with one of its warps
 * while that one stores, and they take turns.
 *
 *     scheduler 0:  w0 x  w0 y  w4 x  w4 y
 *     scheduler 1:  w1 x  w1 y  w5 x  w5 y       out: w0 x, w1 x, .. w0 y, w1 y, .. w4 x, w5 x, ..
 *
 * Warps that waited for loads come one after the other, as the L1 has served them: a warp's loads since its last branch take their
 * passes there, and the schedulers take turns, so the next warp comes after passes / schedulers. A line has left when it has held
 * for as long as the store's lines take. Warps that meet at a barrier come together. Warps that have gone different ways through the
 * code since do not: the ways take different times.
 *
 * A warp that waited for a line of its own, which the L1 did not have and no other warp of the block waits for, comes when that has come:
 * alone_apart clocks from the others, a standard deviation, so that hardly anything of theirs joins. Only the end of the launch tells
 * how often that was (chain.c), so what leaves is found for both: warps side by side, and each alone.
 *
 * Where other warps keep the L1 busy, lines stay for longer: stores wait for their turn, and are joined while they do.
 *
 *     L1:  | load .. 16 passes | load .. 16 | load .. 16 | load .. 16 | load .. 16 |  st x     st y joins: st x is still there
 *
 * Measured as above, by the clock, beside warps of the block that load four times, wait and load again: how long the first halves of
 * 16 lines wait for their others, on average.
 *
 *     loads          none   of one line   of 16, in one bank   of 32      a product's (16 lines, then one)
 *     warps             0    1   12   28     1    4   12     1    4   12     4   12   28
 *     clocks           46   46   40   22    61   90  110    97  186  254    52   72  126
 *
 * Alone all of 16 lines join at 32 clocks, 38% at 48, none at 64; of 8 lines 75% at 20. Where the L1 is never idle that makes no
 * difference: 4 or 8 lines wait for 69 and 81 clocks beside 4 warps with loads of 16, 191 and 192 with loads of 32, 118 and 126 beside
 * 28 with a product's. So a store stays for join_behind loads where others ask for so much at a time, or for as long as its lines take,
 * whichever is longer; of long and short loads it meets the long ones, in proportion to their passes. `make probe` measures it
 * beside 8, 16 and 28 warps with loads of 8, 16 and 32 passes. Beside 8 warps with 16 and 32 it is 5.1 and 5.6 loads, twice the same within
 * 0.1; with 8 passes no longer than alone. From 16 warps on the L1's queue is full and the second store is itself held up for
 * 200 clocks and more, so that these settings tell nothing; polling the clock in between, which is coarser, gave 6.2 and 6.8 beside 16.
 * From 4.5 to 6 the labs' kernels and the others of solutions/measured store the same within 2%; the warps of one of these, and with 8
 * those of the naive product, come evenly here, so that all of them would then join at once.
 *
 * Not modelled: loads of one line that come fast let lines leave sooner. Loads that miss in L1 leave by the same way and push stores
 * out: beside 28 warps with loads of 16 such lines 12% join at once. Loads from shared memory with conflicts hold lines, too. And
 * warps come less evenly: in the naive product with its loop not unrolled half of a block's are 2 to 41 clocks behind the one before,
 * but some a turn of the loop or more. Of its stores 34, 31, 26 and 25% leave with 8, 4, 2 and 1 blocks to a multiprocessor, here 25%
 * with each. */
#include "sim/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SHIFT = 7, SECTORS = 4, LINES_MAX = 32, KEPT_INSTRUCTIONS = 16 };

/* What leaves is found for both, as only the end tells which it was: side by side, or one after the other at any time. */
enum { TOGETHER, APART, WAYS_OUT };

struct line {
    uint64_t number, way;
    double until;            /* clocks since the convoy's first warp stored: by then it has left */
    uint32_t bytes[SECTORS]; /* written: a bit each, a word a sector */
};

struct way_out {
    struct line line[LINES_MAX]; /* a ring: count of them, the oldest at first */
    int first, count;
    uint64_t sectors, partial, lines; /* that left; of these: not all of their bytes written; lines that left with such */
};

struct join {
    struct way_out out[WAYS_OUT];
    int lines;                   /* how many fit */
    int schedulers;
    struct kept {                /* not let out yet, in the order of instructions, then warps */
        struct line line;
        int warp;
    } *kept;                 /* until: how long after it came */
    size_t kept_count, kept_cap;
    int instructions;            /* that they are of */
    int line_clocks, alu_clocks; /* while a line leaves; from an instruction to one that waits for it */
    struct {                     /* the last code that loaded, as its convoy's executed tells it */
        const struct convoy *convoy;
        uint64_t block, executed, passes; /* passes: that its warps' loads took of the L1 */
        double squares;                   /* of each load's passes, a warp's */
    } loaded;
    double apart;                /* clocks from one warp's stores to the next warp's */
    int waited;                  /* they have for loads since they met */
    double behind;               /* clocks that stores wait for other blocks' loads */
    double alone_apart;          /* as in the profile */
    double behind_loads, others, latency; /* as join_behind; warps of other blocks on the multiprocessor; while they do not use the L1 */
    uint64_t way[CONVOY_WARPS], way_block; /* each warp's way since it waited: those with the same number have gone the same */
    const struct convoy *way_of;
    uint32_t *before;            /* by step of the program: such instructions that stand before it */
    const struct convoy *convoy; /* whose stores they are, in which block, and at which instruction the last one was */
    uint64_t block, at;
    int last;                    /* lines of the last store */
};

/* Loads are not among them: ptxas issues them as early as it can. */
static uint32_t *instructions_before(const struct ptx_program *p)
{
    uint32_t *before = xcalloc(p->step_count + 1, sizeof *before);
    for (size_t i = 0; i < p->step_count; i++)
        before[i + 1] = before[i] + (!(p->steps[i].flags & (FLAG_QUIET | FLAG_UNUSED)) && p->steps[i].op != OP_LD);
    return before;
}

struct join *join_new(const struct launch *l)
{
    const struct model_profile *p = l->profile;
    if (!p->join_lines)
        return NULL;
    struct join *j = xcalloc(1, sizeof *j);
    uint64_t others = (l->blocks - 1) / (uint64_t)l->sms; /* blocks that there are for a multiprocessor, less one */
    j->lines = p->join_lines < LINES_MAX ? p->join_lines : LINES_MAX;
    j->schedulers = p->schedulers;
    j->line_clocks = p->join_line_clocks;
    j->alu_clocks = p->latency_alu;
    j->alone_apart = p->alone_apart;
    j->behind_loads = p->join_behind;
    j->others = (double)l->block_warps * (others < (uint64_t)l->resident ? (double)others : l->resident - 1.0);
    j->latency = p->latency_l2;
    j->before = instructions_before(l->kernel->program);
    return j;
}

void join_free(struct join *j)
{
    if (!j)
        return;
    free(j->before);
    free(j->kept);
    free(j);
}

static void leave(struct way_out *o, const struct line *l)
{
    int partial = 0;
    for (int s = 0; s < SECTORS; s++) {
        o->sectors += l->bytes[s] != 0;
        partial += l->bytes[s] != 0 && l->bytes[s] != ~0u;
    }
    o->partial += (uint64_t)partial;
    o->lines += partial != 0;
}

static void leave_all(struct join *j)
{
    for (int s = 0; s < WAYS_OUT; s++)
        for (struct way_out *o = &j->out[s]; o->count; o->count--, o->first = (o->first + 1) % j->lines)
            leave(o, &o->line[o->first]);
}

static void merge(struct line *to, const struct line *l)
{
    for (int s = 0; s < SECTORS; s++)
        to->bytes[s] |= l->bytes[s];
}

/* at: as struct line's until */
static void enter(const struct join *j, struct way_out *o, const struct line *l, double at)
{
    for (int i = 0; i < o->count; i++) {
        struct line *there = &o->line[(o->first + i) % j->lines];
        if (there->number == l->number && there->way == l->way && there->until >= at) {
            merge(there, l);
            return;
        }
    }
    if (o->count == j->lines) {
        leave(o, &o->line[o->first]);
        o->first = (o->first + 1) % j->lines;
        o->count--;
    }
    struct line *to = &o->line[(o->first + o->count++) % j->lines];
    *to = *l;
    to->until += at;
}

/* The lines of one warp's store, in the order of its lanes; returns how many. */
static int lines_of(struct line out[WARP_SIZE], uint64_t base, const uint32_t off[32], uint32_t mask, unsigned bytes)
{
    int count = 0, at = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t addr = base + off[__builtin_ctz(m)], number = addr >> LINE_SHIFT;
        if (!count || out[at].number != number)
            for (at = 0; at < count && out[at].number != number; at++)
                ;
        if (at == count)
            out[count++] = (struct line){.number = number};
        out[at].bytes[addr >> 5 & 3] |= (uint32_t)((UINT64_C(1) << bytes) - 1) << (addr & 31);
    }
    return count;
}

/* Side by side, as the schedulers take turns. */
static void let_out_in_turns(struct join *j, struct way_out *o)
{
    for (int first = 0; first < CONVOY_WARPS; first += j->schedulers)
        for (size_t i = 0; i < j->kept_count; i++)
            if (j->kept[i].warp >= first && j->kept[i].warp < first + j->schedulers)
                enter(j, o, &j->kept[i].line, j->kept[i].warp * j->apart);
}

/* One warp after the other, whoever comes first. */
static void let_out_apart(struct join *j, struct way_out *o)
{
    double at[CONVOY_WARPS], first = INFINITY;
    int order[CONVOY_WARPS];
    for (int w = 0; w < CONVOY_WARPS; w++) {
        int k = w;
        at[w] = w * j->apart + j->alone_apart * clocks_deviation(j->block * 4096 + j->at, (uint64_t)w);
        first = at[w] < first ? at[w] : first;
        for (; k > 0 && at[order[k - 1]] > at[w]; k--)
            order[k] = order[k - 1];
        order[k] = w;
    }
    for (int k = 0; k < CONVOY_WARPS; k++)
        for (size_t i = 0; i < j->kept_count; i++)
            if (j->kept[i].warp == order[k])
                enter(j, o, &j->kept[i].line, at[order[k]] - first);
}

static void let_out(struct join *j)
{
    let_out_in_turns(j, &j->out[TOGETHER]);
    if (j->waited)
        let_out_apart(j, &j->out[APART]);
    else
        let_out_in_turns(j, &j->out[APART]);
    j->kept_count = 0;
    j->instructions = 0;
}

/* Instructions of the convoy before u. executed counts a block of code when that begins. */
static uint64_t position(const struct join *j, const struct convoy *v, const struct uop *u)
{
    const struct sim_kernel *k = v->worker->kernel;
    const struct code_block *b = &k->blocks[v->pc];
    return v->executed - (uint64_t)b->counted + (j->before[u->step] - j->before[k->uops[b->first].step]);
}

/* Clocks that a store's lines stay: their own way out, or as long as they wait for others' loads before it. */
static double hold(const struct join *j, int lines)
{
    return fmax(lines * j->line_clocks, j->behind);
}

/* Is the store soon enough behind the last one? */
static int soon(const struct join *j, const struct convoy *v, uint64_t at)
{
    uint64_t between = at - j->at - (at != j->at);
    return v == j->convoy && v->worker->block == j->block &&
           (double)(between * (uint64_t)j->alu_clocks) <= hold(j, j->last);
}

static int has_loaded(const struct join *j, const struct convoy *v)
{
    return j->loaded.convoy == v && j->loaded.block == v->worker->block && j->loaded.passes;
}

/* Clocks from one warp to the next. */
static double apart(const struct join *j, const struct convoy *v)
{
    return has_loaded(j, v) ? (double)j->loaded.passes / v->warps / j->schedulers : 0;
}

/* Clocks that its stores wait for loads. Other blocks' warps are where this one's have been: what they ask of the L1 at a time, and
 * it does not get done while they wait, stands before it, and a store behind the first few. */
static double behind(const struct join *j, const struct convoy *v)
{
    if (!has_loaded(j, v))
        return 0;
    double passes = (double)j->loaded.passes, left = j->others * passes / v->warps - j->latency;
    return fmax(fmin(left, j->behind_loads * j->loaded.squares / passes), 0);
}

/* More lines than fit push each other out. */
static void pass_through(struct join *j, const struct line *line)
{
    let_out(j);
    leave_all(j);
    for (int s = 0; s < WAYS_OUT; s++)
        for (int i = 0; i < j->last; i++)
            leave(&j->out[s], &line[i]);
    j->convoy = NULL;
}

static void store(struct join *j, const struct convoy *v, const struct uop *u, int warp, uint64_t base, const uint32_t off[32],
                  uint32_t mask)
{
    struct line line[WARP_SIZE];
    uint64_t at = position(j, v, u);
    int follows = soon(j, v, at);
    if (!follows || (at != j->at && ++j->instructions == KEPT_INSTRUCTIONS))
        let_out(j);
    if (!follows) {
        leave_all(j);
        j->apart = apart(j, v);
        j->behind = behind(j, v);
        j->waited = has_loaded(j, v);
    }
    j->convoy = v;
    j->block = v->worker->block;
    j->at = at;
    j->last = lines_of(line, base, off, mask, (unsigned)u->bytes * u->vector);
    if (j->last > j->lines) {
        pass_through(j, line);
        return;
    }
    for (int i = 0; i < j->last; i++) {
        line[i].until = hold(j, j->last);
        line[i].way = j->way_of == v && j->way_block == v->worker->block ? j->way[warp] : 0;
        *VEC_PUSH(j->kept, j->kept_count, j->kept_cap) = (struct kept){line[i], warp};
    }
}

static void wait(struct join *j, const struct convoy *v, uint64_t passes, int warps)
{
    if (j->loaded.convoy != v || j->loaded.block != v->worker->block || j->loaded.executed != v->executed)
        j->loaded.squares = (double)(j->loaded.passes = 0);
    j->loaded.convoy = v;
    j->loaded.block = v->worker->block;
    j->loaded.executed = v->executed;
    j->loaded.passes += passes;
    j->loaded.squares += (double)passes * (double)passes / warps;
    j->convoy = NULL;
    j->way_of = NULL;
}

void join_access(struct convoy *v, const struct uop *u, int warp, uint64_t base, const uint32_t off[32], uint32_t mask,
                 uint64_t passes, int write)
{
    if (write)
        store(v->worker->join, v, u, warp, base, off, mask);
    else
        wait(v->worker->join, v, passes, 1);
}

void join_compact(struct convoy *v, const struct uop *u, const struct pattern *p, const struct reg *a, uint64_t passes, int write)
{
    if (!write)
        wait(v->worker->join, v, passes, v->warps);
    for (int w = 0; write && w < v->warps; w++)
        store(v->worker->join, v, u, w, a->base[w] + (uint64_t)u->offset + (uint64_t)p->lo, p->off, ~0u);
}

void join_part(struct join *j, const struct convoy *v, const uint32_t taken[CONVOY_WARPS], const uint32_t not_taken[CONVOY_WARPS])
{
    if (j->way_of != v || j->way_block != v->worker->block)
        memset(j->way, 0, sizeof j->way);
    j->way_of = v;
    j->way_block = v->worker->block;
    for (int w = 0; w < v->warps; w++)
        j->way[w] = (4 * j->way[w] + 2 * (taken[w] != 0) + (not_taken[w] != 0)) * 0x9e3779b97f4a7c15u; /* odd: loses nothing */
}

void join_meet(struct join *j)
{
    j->loaded.convoy = NULL;
    j->way_of = NULL;
}

static void add(struct left *sum, const struct way_out *o)
{
    sum->sectors += o->sectors;
    sum->partial += o->partial;
    sum->lines += o->lines;
}

void join_totals(struct join *j, struct left *together, struct left *apart)
{
    let_out(j);
    leave_all(j);
    add(together, &j->out[TOGETHER]);
    add(apart, &j->out[APART]);
}
