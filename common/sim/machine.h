/* machine.h - the state of the simulated machine, shared by the files of the simulator.
 *
 *     launch -> crew of host threads -> worker: slot of a resident block -> batch of 8 warps -> reg
 *
 * A register of a batch holds 8 warps x 32 lanes, in one or both of two forms:
 *
 *     compact   lane l of warp w holds  base[w] + sx * x(l) + sy * y(l)
 *               x(l), y(l): the lane's position in a warp whose rows are as wide as the block
 *               (x = l, y = 0 if 32 is not a multiple of the width of the block)
 *     lanes     256 values, one after the other
 *
 * Indices and addresses are nearly always compact. So arithmetic on them costs one operation per
 * warp, and the coalescing of an access follows from base and strides. Under a partial mask all
 * work is done on lanes: new values are blended with the old ones by the mask. */
#ifndef LOCKSTEP_SIM_MACHINE_H
#define LOCKSTEP_SIM_MACHINE_H

#include "sim/memory/parts.h"
#include "sim/memory/regions.h"
#include "sim/schedule.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdatomic.h>

enum { BATCH_WARPS = 8, BATCH_LANES = BATCH_WARPS * 32, MAX_STACK = 256 };

enum form {
    FORM_LANES = 0,
    FORM_AFFINE = 1,
    FORM_UNIFORM = 2 /* FORM_UNIFORM: affine with strides of 0 */
};
/* A virtual register of a batch. At least one form is valid: base and strides (the compact form)
 * unless form is FORM_LANES; the array lanes if lanes_ok. base[w] is maintained also for warps that
 * the batch lacks (w >= batch.warps). It must be accessed only by the functions in the section
 * "registers" below. */
struct reg {
    uint64_t base[BATCH_WARPS];
    int64_t sx, sy;
    uint8_t form;
    uint8_t lanes_ok; /* the array lanes[] holds the value */
    uint8_t wide;     /* 1: 64 bits per lane; 0: 32 bits */
    void *lanes;      /* uint32_t or uint64_t [BATCH_LANES] */
} __attribute__((aligned(64)));

struct batch;
struct uop;
typedef void handler(struct batch *v, const struct uop *u);
/* A decoded step of the program: the functions that execute it, and its operands. Constant after
 * decoding. */
struct uop {
    handler *run;          /* the handler that executes it when all lanes of the batch are active */
    handler *masked;       /* the handler that executes it when some lanes are inactive */
    int32_t d, a, b, c, e; /* indices of destination and sources: registers or predicates */
    int32_t guard;         /* index of the guard predicate; -1: no guard */
    int32_t guard_negated;
    int32_t r[4]; /* registers that a load writes or a store stores */
    int32_t step; /* index of the step in the program */
    int32_t mem;  /* index of the step among the program's memory accesses, for worker.patterns */
    int32_t detail, pair;
    int32_t more; /* sources beyond a, b, c, e: start of their list in sim_kernel.more */
    int64_t offset;
    enum ptx_type type;
    uint8_t bytes, vector, space;
    /* 1: this memory access is counted. 0: the step is one of FLAGS_UNCOUNTED, or accesses
     * parameters */
    uint8_t counts;
    /* bytes to count per lane; for a part of a merged load, those of the whole load */
    uint8_t count_bytes;
    /* the step was added by the simulator and is no instruction of the program: not counted */
    uint8_t quiet;
    uint8_t texel; /* the load reads a texture element: counted as a texture fetch */
    int64_t count_offset;
};

/* ---- which buffers a kernel may write (targets.c), found by following pointers from parameters to
 * stores ---- */
enum { TARGETS_MAX = 62 };
struct targets {
    struct target {
        int is_param;
        /* if is_param is set: the offset of an 8-byte kernel parameter; else the address of a
         * variable */
        uint64_t value;
    } list[TARGETS_MAX];
    int count, any; /* any: a pointer's origin is unknown, so the kernel may write every buffer */
};
/* Fills *out. variables: device addresses of the module's variables, as for sim_kernel_new. */
void targets_find(const struct ptx_program *p, const uint64_t *variables, struct targets *out);
/* A basic block of the program, or a part of one: basic blocks are cut behind each .sync
 * instruction. The first part keeps the index of the program's block; the other parts have indices
 * after those of all program blocks. */
struct code_block {
    int first, count; /* uops first .. first + count - 1, without the terminator */
    int last;         /* index of the terminator's uop; -1: there is no terminator */
    enum ptx_end end;
    int next, target, ipdom, order;
    int home; /* index of the program's block that this code block is, or of which it is a part */
    /* diverged of struct ptx_block, in the first part of a block; -1 in the other parts */
    int diverged;
    /* 1: the block ends an iteration of a loop that polls memory, so other lanes may run before the
     * next iteration */
    int polls;
    int counted;       /* number of instructions to count, including the terminator */
    int multiply_adds; /* how many of them multiply (lead_multiplies) */
};
/* What can depend on the order of blocks, one bit each. ORDER_SUMS: sums of floats in global
 * memory; ORDER_VALUES: other results of atomics in global memory. */
enum order { ORDER_SUMS = 1, ORDER_VALUES = 2 };
/* A kernel that is ready to launch. Launches only read it. Registers 0 .. vreg_regs - 1 are those
 * of the program; the registers after them hold its constants. */
struct sim_kernel {
    struct ptx_program *program;
    char *main_file;
    /* result of flight_check, which runs at the first launch that asks for it: 0 not run yet, 1 no
     * error, -1 the error in flight */
    atomic_int flown;
    struct err flight;
    struct uop *uops;
    /* for each step: counted instructions before it in its code block, and how many of them multiply */
    struct before {
        uint32_t counted, multiply_adds;
    } * before;
    struct code_block *blocks;
    size_t block_count;
    uint64_t *constant; /* constant[i]: the value of register vreg_regs + i */
    uint8_t *constant_wide;
    int reg_count, vreg_regs, constant_count, pred_count, mem_count;
    uint8_t *reg_wide;
    /* registers and predicates that some path reads before it writes them */
    int32_t *unset, *unset_preds;
    size_t unset_count, unset_pred_count;
    /* registers of the further sources, for steps that have many (uop.more) */
    int32_t *more;
    size_t more_count, more_cap;
    /* polls: some code block polls memory; awaits: some code block polls global memory, which other
     * blocks may write */
    int polls, awaits;
    /* the kernel has asynchronous copies, or mbarriers (barriers in shared memory) */
    int async;
    int grid_sync; /* the kernel has a grid-wide barrier */
    /* bits of enum order; if not 0, results depend on the order of blocks, so blocks run one after
     * the other */
    int serial;
    struct targets targets;
    int fences; /* the kernel has fences, by which blocks may order their accesses */
    /* for words.c. looked: accesses to words that were checked so far; suspect: check.c has found a
     * race, so more blocks are checked */
    _Atomic uint64_t looked;
    atomic_int suspect;
};

/* How a thread accesses a word. */
enum touch_kind { TOUCH_READ, TOUCH_UPDATE /* by an atomic operation */, TOUCH_WRITE, TOUCH_KINDS };

/* Consecutive bytes of device memory, at addresses lo .. lo + bytes - 1, and where they are on the
 * host. */
struct span {
    unsigned char *host;
    uint64_t lo, bytes;
    /* the region of global memory that contains the bytes; NULL: they are in shared memory or
     * parameters */
    const struct region *region;
};

/* An entry of the reconvergence stack: lanes that wait to continue at code block pc, and then run
 * until they reconverge with others at the block "reconverge". */
struct entry {
    int pc, reconverge;
    /* the step of a .sync instruction before pc at which the lanes wait for others; -1: they do not
     * wait */
    int waits;
    unsigned turn; /* value of batch.turn when the entry was pushed */
    uint32_t mask[BATCH_WARPS];
};

enum batch_state { BATCH_RUNS, BATCH_WAITS, BATCH_DONE };

/* Up to 8 warps of a block that execute together. active, exist and exited hold one word per warp,
 * with one bit per lane; active is a subset of exist. Lanes that exist but are neither active nor
 * exited are on the stack. */
struct batch {
    struct worker *worker;
    struct reg *regs;
    uint32_t (*pred)[BATCH_WARPS];
    unsigned char *storage;
    /* index: number of the batch in its block; warps: how many warps the batch has */
    int index, warps;
    enum batch_state state;
    int full;  /* 1: active equals exist, so every handler may use its unmasked form */
    int dense; /* 1: every warp of the batch has 32 threads */
    int active_warps, active_lanes;
    uint32_t active[BATCH_WARPS], exist[BATCH_WARPS], exited[BATCH_WARPS];
    uint32_t lane_mask[BATCH_LANES]; /* 1 for an active lane, else 0; valid if full is 0 */
    struct entry stack[MAX_STACK];
    /* depth: number of entries on the stack; pc: index of the code block that runs; reconverge:
     * index of the one where the active lanes stop, or -1 */
    int depth, pc, reconverge;
    int barrier_step; /* step of the barrier at which the batch waits */
    /* instructions that the batch has executed; they count for each of its warps, active or not */
    uint64_t executed;
    uint64_t allowed; /* when executed exceeds this, the launch may be endless and is checked */
    /* instructions executed by each warp in the current block (schedule.c), and those among them
     * that multiply (lead.c) */
    uint32_t ran[BATCH_WARPS], multiplied[BATCH_WARPS];
    int asked;             /* 1: the batch last tested an mbarrier whose phase has not ended */
    int polling_lanes;     /* how many lanes began the last iteration of a loop that polls */
    unsigned turn;         /* counts how often polling lanes let others run first (yield.c) */
    struct stream *stream; /* the batch's log of requests to the caches */
    /* Simulated time, in accesses to global memory. The clock starts where that of the slot's
     * previous block ended; after a barrier it is that of the batch that arrived last. */
    uint64_t clock;
};

/* A named barrier, which is a barrier for a part of the block (named.c). arrived: number of threads
 * so far; expected: number of threads that complete it; phase_of: for each warp, the phase in which
 * it arrived. */
enum { NAMED_BARRIERS = 16 };
struct part_barrier {
    uint32_t arrived, expected, phase, phase_of[32];
};

/* The slot of a resident block on a multiprocessor, with the state of that block. The slots of one
 * multiprocessor share their counts (the fields from steps to rows) and run on one host thread. On
 * a fault, the message is put into err and control leaves by longjmp to the member fault. */
struct worker {
    struct launch *launch;
    const struct sim_kernel *kernel;
    uint32_t lane_x[32], lane_y[32]; /* for each lane, its column and row in its warp */
    unsigned char *shared, *local;
    /* for each 4 bytes of shared memory, 1 + the thread that stored them last, or 0; NULL: not
     * tracked (without.c) */
    uint32_t *stored_by;
    /* with it: the threads, by number, and behind them the warps, from which each thread and each
     * warp got the first word that it loaded in this block; 0: none yet */
    uint32_t *first_from;
    struct lead *leads; /* for each warp, its asynchronous copies in flight; NULL: none so far */
    /* shared_bytes: bytes of the block's shared memory; local_bytes: bytes of one thread's local
     * memory */
    size_t shared_bytes, local_bytes;
    struct batch *batches;
    int batch_count;
    int busy;    /* the slot holds a block that has begun and not ended */
    int at_grid; /* the block waits at a grid-wide barrier, or at a barrier of its cluster */
    /* moved: since the last round over the batches, some batch has done more than test mbarriers
     * whose phase has not ended; idle: number of rounds in a row in which none has */
    int moved, idle;
    /* for barriers that count votes: how many threads voted true, at the next barrier and at the
     * last one */
    uint32_t votes[2];
    int turn; /* which element of votes belongs to the next barrier */
    struct part_barrier named[NAMED_BARRIERS];
    /* clock: that of the batch that is furthest ahead; horizon: where batches stop so that other
     * slots catch up */
    uint64_t clock, horizon;
    uint64_t block;
    unsigned ctaid[3];
    int sm;
    /* the current block is counted, and its accesses go through the caches */
    int counting;
    struct sim_step_counts *steps;
    struct sim_access *accesses; /* an example access for each step; NULL: not wanted */
    /* for each code block: executions by warps, and executions by active lanes */
    uint64_t *block_warps, *block_lanes;
    /* for each uop.mem: what is known of recent accesses (exec/access.h) */
    struct patterns *patterns;
    struct slice slices[MODEL_SLICES]; /* how much atomics load each slice of the L2 */
    /* costs of recent atomics, found by the position of the lowest lane's address in its line */
    struct atomic_known atomics[ATOMICS_KNOWN];
    struct schedule schedule;
    struct trace *trace;
    /* traffic by DRAM partition; NULL: the GPU has no partitions that matter */
    struct partitions *partitions;
    struct rows *rows;             /* open rows of DRAM; NULL: not modelled */
    struct write_combine *combine; /* write-combining buffers; NULL: stores do not combine */
    struct check *check;           /* shadow memory of the block's shared and local memory */
    struct shadow *shadow;         /* shadow memory of global memory */
    struct words *words;           /* accesses to each word (words.c); NULL: not kept */
    int check_off;                 /* 1: all checks are off */
    unsigned char stray[64]; /* dummy target of accesses outside of buffers, in lenient launches */
    /* the observer, if this block is watched; NULL: nobody watches it */
    const struct sim_watch *watch;
    /* the other access in a race, for the fault that is about to be reported */
    struct sim_clash clash;
    struct printed *printed; /* output of printf so far; NULL: none */
    struct err err;
    jmp_buf fault;
};

/* One call of sim_launch: its arguments, and values computed from them. Workers change first_fault
 * only. */
struct launch {
    struct sim_kernel *kernel;
    /* without: the effect that is left out (without.c); exchange: from the options; whole: the
     * kernel with all effects, NULL if nothing is left out */
    enum without without;
    struct exchange *exchange;
    const struct sim_kernel *whole;
    struct sim_memory *memory;
    const struct model_profile *profile;
    struct sim_shape shape;
    const unsigned char *params;
    int block_threads, block_warps;
    uint64_t blocks, budget;
    /* as how many instructions of the caller's budget a wgmma product counts: simulating it takes as
     * long as thousands, so a loop of products without an end must be found sooner. 0: the budget is
     * the default */
    uint64_t product_cost;
    /* when the launch counts as endless, in clock_seconds; 0: the budget alone decides */
    double deadline;
    /* sms: number of multiprocessors that get blocks; picked: how many of them are counted (fewer
     * in a sample) */
    int sms, picked;
    unsigned first_sm; /* from the options */
    /* of a multiprocessor's blocks, numbered from 0, those run that are first_nth plus a multiple of
     * nth */
    uint64_t nth, first_nth;
    int all_run;      /* 1: the multiprocessors that are not counted run as well (sample.c) */
    int resident;     /* most blocks that a multiprocessor holds at a time */
    unsigned cluster; /* blocks in each cluster; 1: no clusters */
    /* the order in which clusters start: number k in this order is cluster k * stride + first of
     * the grid, modulo the number of clusters; stride has no common factor with that number */
    uint64_t stride, first;
    /* 1: resident blocks are interleaved (cluster.c), since they may wait for each other */
    int turns;
    /* if resident blocks are interleaved: slot s of multiprocessor i is at index i * seats + s */
    struct worker *workers;
    int seats;
    size_t shared_bytes;
    int record; /* 1: the caller wants counts (a sim_result) */
    /* these options are explained in struct sim_options */
    int masked, unchecked, same_value_ok, lenient, print_whole;
    const struct sim_watch *watch; /* the observer of a block; NULL: nobody watches */
    _Atomic uint64_t first_fault;  /* number of the lowest block that failed; UINT64_MAX: none */
    uint64_t *work;                /* warp instructions of each block; NULL: not kept */
    struct notes *notes;           /* findings that hardware survives; NULL: they end the launch */
    /* 1: accesses of different blocks are compared; only if the launch goes on after findings */
    int across;
    /* for each step and element of a load: what sim_used knows; only if the launch goes on after
     * findings */
    uint8_t (*used)[4];
    /* from schedule.c. busiest: the busiest multiprocessor's share of all work, 0: not known;
     * longest: instructions of a block's longest warp, relative to the mean warp, 1: not known */
    double busiest, longest;
};

/* ---- the lead of asynchronous copies: instructions between a copy and its wait (exec/lead.c). w:
 * the warp, by its index in the batch ---- */

/* Is the step a multiply-add of floats or a product of matrices (mma)? */
int lead_multiplies(const struct ptx_step *s);
/* What a warp has executed in this block of threads before a uop: instructions, and those among them
 * that multiply (lead_multiplies). */
struct moment {
    uint64_t ran, multiplied;
};
struct moment lead_moment(const struct batch *v, const struct uop *u, int w);
void lead_start_block(struct worker *w);
void lead_copy(const struct batch *v, const struct uop *u, int w);
/* Call when u commits a group of copies, or waits until at most `left` groups are in flight. */
void lead_group(const struct batch *v, const struct uop *u, int w, uint32_t left);
/* Call when the warp has passed an mbarrier. */
void lead_passed(const struct batch *v, const struct uop *u, int w);

/* ---- leaving out what instructions do (exec/without.c) ---- */

/* A copy of the kernel in which some instructions have no effect, to be freed by without_free. It
 * refers to *k, which must outlive it. */
void without_start_block(struct worker *w);
struct sim_kernel *without_new(const struct sim_kernel *k, enum without what);
void without_free(struct sim_kernel *copy);

/* ---- registers (register.c) ---- */
/* Compute the value of each lane from base and strides. */
void reg_expand(struct batch *v, struct reg *r);
static inline void *reg_lanes(struct batch *v, struct reg *r) /* a register's lanes, to be read */
{
    if (!r->lanes_ok) reg_expand(v, r);
    return r->lanes;
}
static inline void *reg_write(struct reg *r) /* a register's lanes, to be written */
{
    r->form = FORM_LANES;
    r->lanes_ok = 1;
    return r->lanes;
}
/* the lanes of a register, some of which the caller will write; the others keep their values. */
static inline void *reg_blend(struct batch *v, struct reg *r)
{
    reg_lanes(v, r);
    r->form = FORM_LANES;
    return r->lanes;
}
/* To be called after base was written: the register is now held as base and strides. */
static inline void reg_compact(struct reg *r, int64_t sx, int64_t sy)
{
    r->sx = sx;
    r->sy = sy;
    r->form = sx | sy ? FORM_AFFINE : FORM_UNIFORM;
    r->lanes_ok = 0;
}
/* Has the register the same value in all lanes of the batch? */
static inline int reg_scalar(const struct reg *r)
{
    uint64_t differ = 0;
    for (int w = 1; w < BATCH_WARPS; w++) differ |= r->base[w] ^ r->base[0];
    return r->form == FORM_UNIFORM && !differ;
}

/* ---- handlers: functions that execute a step ---- */
struct handlers {
    handler *run, *masked;
};
/* the handlers of each operation; filled by alu.c for the rows of ops.h */
extern const struct handlers sim_alu[OP_COUNT];
/* The handler in affine.c that tries to compute with base and strides before it computes the lanes;
 * NULL: the operation has none. */
handler *sim_affine(enum ptx_op op);
handler mem_ld, mem_ld_masked, mem_st, mem_st_masked;                /* defined in mem.c */
handler mem_atom, mem_fence;                                         /* defined in atom.c */
handler print_formatted, print_assertion;                            /* defined in print.c */
handler lanes_sreg, lanes_activemask, lanes_barvote, lanes_together; /* defined in lanes.c */
handler async_copy, async_group, async_mbarrier, tensor_ldmatrix, tensor_stmatrix, tensor_movmatrix;
handler bulk_copy, bulk_group, tensor_mma, wgmma_product, named_barrier, sim_nothing;
/* If u is the step at which a batch waits at a named barrier, reports the fault that too few
 * threads reach the barrier. */
void named_stuck(struct batch *v, const struct uop *u);

/* ---- shuffles, votes and matches (lanes.c) in three steps: save the lanes' operands, compute,
 * hand out the results ---- */
struct meeting {
    /* by warp: lanes that have arrived at the .sync instruction, and whose operands were saved */
    uint32_t on[BATCH_WARPS];
    uint64_t a[BATCH_LANES]; /* the value of each lane that is exchanged or matched */
    /* b: the source lane of a shuffle, or the mask of a vote or match; c: clamp and segment of a
     * shuffle */
    uint32_t b[BATCH_LANES], c[BATCH_LANES];
    uint32_t vote[BATCH_WARPS];
    uint32_t result[BATCH_LANES], yes[BATCH_WARPS];
};
/* Save the operands of the lanes in mask. Before the first call for an instruction, m->on and
 * m->vote must be 0. */
void lanes_bring(
    struct batch *v, const struct uop *u, const uint32_t mask[BATCH_WARPS], struct meeting *m);
void lanes_meet(struct batch *v, const struct uop *u, struct meeting *m);
void lanes_take(struct batch *v, const struct uop *u, const uint32_t mask[BATCH_WARPS],
    const struct meeting *m);
/* The lanes that the membermasks of this .sync instruction name, taken from the lanes `mask` of
 * warp w. *one: all these membermasks are equal. */
uint32_t lanes_named(struct batch *v, const struct uop *u, int w, uint32_t mask, int *one);

/* ---- active lanes and faults (batch.c) ---- */
void batch_set_active(struct batch *v, const uint32_t mask[BATCH_WARPS]);
/* Sets mask to the active lanes whose guard predicate is true; returns whether there are any. */
int batch_guarded(const struct batch *v, const struct uop *u, uint32_t mask[BATCH_WARPS]);
void start_block(struct worker *w, uint64_t block);
/* Run the current block once more from its start, to find the cause of a fault. */
void run_again(struct worker *w);
/* Run the block up to the horizon, the end of the time slice. Returns whether it has more to do. */
int go_on(struct worker *w);
/* Called when all blocks wait at the grid-wide barrier: lets this block continue, at this clock. */
void pass_grid(struct worker *w, uint64_t clock);

/* ---- reporting each instruction of a watched block (watch.c) ---- */
struct watching { /* the state before an instruction that is about to execute */
    uint32_t mask[BATCH_WARPS], active[BATCH_WARPS], exited[BATCH_WARPS], waits[BATCH_WARPS];
    enum ptx_space space[BATCH_WARPS];
    uint64_t addr[BATCH_LANES];
    int any; /* some lane executes the instruction */
};
void watch_before(struct batch *v, const struct uop *u, struct watching *x);
void watch_after(struct batch *v, const struct uop *u, const struct watching *x);
void watch_start(struct worker *w); /* Reports that the block starts. */
/* Reports that u is about to fault, at this lane of the batch (-1: at no lane in particular). */
void watch_fault(struct batch *v, const struct uop *u, int lane);

/* ---- independent thread scheduling (yield.c) ---- */
/* Call when the active lanes begin another iteration of a loop that polls memory. Returns whether
 * other lanes, or other batches, run first. */
int batch_yields(struct batch *v);

/* ---- lanes that reconverge before their post-dominator (merge.c) ---- */
/* Push the lanes of mask: they run later, from code block pc on, until they come to the block
 * `reconverge`. */
void batch_later(
    struct batch *v, int step, int pc, int reconverge, const uint32_t mask[BATCH_WARPS]);
/* Call when the active lanes have come to code block v->pc from another one. They may join lanes
 * that wait there, or wait for lanes that will come there. */
void batch_arrive(struct batch *v, const struct code_block *from);
/* Call when the active lanes are about to run code block v->pc: they may join lanes that wait
 * there, or wait for lanes that will come there. Returns whether they now wait. */
int batch_gives_way(struct batch *v);

/* ---- lanes that wait for each other at .sync instructions (convergence_wait.c) ---- */
void batch_push(
    struct batch *v, int step, int pc, int reconverge, int waits, const uint32_t mask[BATCH_WARPS]);
/* Call when the lanes of mask execute a .sync instruction whose membermask names lanes that are
 * elsewhere: they wait, and other active lanes continue. */
void batch_park(struct batch *v, const struct uop *u, int next, const uint32_t mask[BATCH_WARPS]);
/* Run the next entry of the stack that can run. If all wait at a barrier, so does the batch. If the
 * stack is empty, the batch is done. */
void batch_next(struct batch *v);
/* The first lane of the batch in mask; -1: there is none. */
int sim_first_lane(const uint32_t mask[BATCH_WARPS]);
/* May a barrier be passed, or a shuffle executed, without threads that have returned? From compute
 * capability 7.0 on GPUs do that. Since it is seldom intended, the simulator reports it as a fault,
 * unless checks are off or the launch goes on after findings that hardware survives. */
int barrier_lets_go(const struct batch *v);
/* Reports the fault that lane "lane" waits at a barrier which lane "absent" will never reach. */
void barrier_missed(struct batch *v, int step, int lane, int absent) __attribute__((noreturn));
/* Lane "lane" waits at a barrier, and lane "absent" of batch o, which has exited, does not count
 * (barrier_lets_go). Reported if the barrier is in a condition. */
void barrier_left(struct batch *v, int step, int lane, const struct batch *o, int absent);
/* Two lanes, perhaps of two batches, wait at barriers: a fault unless it is the same barrier in the
 * source, or compiler-made copies of one. */
void barrier_compare(
    struct batch *v, int step, int lane, struct batch *o, int other_step, int other_lane);

/* Writes the index of a lane's thread in its block, such as "(3,0)". */
void sim_thread_name(const struct batch *v, int lane, char *out, size_t size);
/* Reports a mistake in the learner's kernel and stops the launch. The message states file, line,
 * block and thread, so `found` need not contain them. lane: number in the batch, or -1. A \1 in fmt
 * begins a guess at the cause (struct err). */
void sim_fault(struct batch *v, const struct uop *u, int lane, struct finding found,
    const char *fmt, ...) __attribute__((noreturn, format(printf, 5, 6)));
/* The two parts of sim_fault. sim_describe: writes the mistake to the err of the worker; sim_throw:
 * leaves by longjmp. */
void sim_describe(struct batch *v, const struct uop *u, int lane, struct finding found,
    const char *fmt, va_list ap);
void sim_throw(struct batch *v, const struct uop *u, int lane) __attribute__((noreturn));
#define FAULT(...) \
    (struct finding) { __VA_ARGS__ }
/* A finding about element `index` of the array with this name, which has `extent` elements. */
struct finding sim_element(
    enum finding_kind kind, const char *name, long long index, long long extent);
/* Reports an access out of bounds or misaligned (fault.c). */
void sim_fault_access(struct batch *v, const struct uop *u, int lane, uint64_t addr,
    enum ptx_space space, int write) __attribute__((noreturn));
/* Reports a write to read-only memory: constant memory, or an input of an exercise. */
void sim_fault_readonly(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr) __attribute__((noreturn));
/* Notes an access outside of all buffers after which the launch goes on (struct sim_options:
 * lenient). */
void sim_stray(struct batch *v, const struct uop *u, int lane, uint64_t addr, int write);

/* ---- findings that hardware survives (check/notes.c) ---- */
struct notes;
struct notes *notes_new(void);
void notes_free(struct notes *n);
void notes_forget(struct notes *n); /* Drop all findings, since all blocks run again. */
/* Pass all findings to o->note, in the order of lines. file: the source file. */
void notes_tell(struct notes *n, const char *file, const struct sim_options *o);
/* Reports a mistake that hardware survives. If the launch goes on after findings, this one is
 * noted, once for each line and kind, and the function returns; else it is a fault. */
void sim_warn(struct batch *v, const struct uop *u, int lane, struct finding found, const char *fmt,
    ...) __attribute__((format(printf, 5, 6)));
/* Is a finding of this kind already noted for the line of u, so that sim_warn would only count it?
 * If so, it is counted. */
int sim_known(const struct batch *v, const struct uop *u, enum finding_kind kind);
/* Does the program compute with this element of a load, or only store it elsewhere or select it by
 * a condition (check/used.c)? Returns 1 if it computes. For launches that go on after findings. */
int sim_used(const struct batch *v, const struct uop *u, int element);

/* ---- output of printf in kernels (print.c) ---- */
struct printed;
void printed_free(struct printed *p);
/* The output of all blocks, in the order of blocks. Unless whole is set, it is cut to about
 * PRINTED_MAX bytes at the end of a line. NULL: nothing was printed. The caller frees the text.
 * workers: an array of `count` workers. */
enum { PRINTED_MAX = 1 << 15 };
char *printed_join(const struct worker *workers, int count, int whole);

/* ---- when a multiprocessor's requests reach the L2 (arrival.c) ---- */
/* The mean block of a launch: its length in instants (accesses to global memory by a batch of
 * warps) and in clocks. apart: clocks between the start of a block on one multiprocessor of a GPC
 * and the start on the next. */
struct pace {
    double instants, clocks, apart;
};
int arrival_gpc(const struct model_profile *p, int sm);
/* The clock at which multiprocessor sm makes the access of its trace with the ordinal `instant`
 * (from 1). Only clocks of one GPC can be compared. */
double arrival_clocks(
    const struct model_profile *p, const struct pace *q, int sm, uint32_t instant);

/* ---- caches behind a multiprocessor (trace.c) ---- */
struct trace;
struct stream;
struct trace *trace_new(const struct launch *l, struct sim_step_counts *steps);
void trace_free(struct trace *t);
/* Creates a stream, the log of one batch; owned by the trace. */
struct stream *trace_stream(struct trace *t);
void trace_start_sm(struct trace *t, int sm);
/* The accesses traced from here on, by the warps of this batch, happen at the same time. */
void trace_instant(struct trace *t, struct batch *v, int step);
/* How many instants (accesses to global memory by a batch) a block may run ahead of others. */
uint64_t trace_slice(const struct trace *t);
/* Replay through the caches all accesses whose instant (their ordinal in their batch) is at most
 * the horizon. Afterwards no batch may add an access of such an instant. */
void trace_follow(struct trace *t, uint64_t horizon);
/* Trace nothing from now on: the launch has failed or is watched, so its accesses are not
 * counted. */
void trace_forget(struct trace *t);
/* pause = 1: do not count the accesses that follow; 0: count them again. */
void trace_pause(struct trace *t, int pause);
/* Record a warp's access at addr[lane] (the address is base + off[lane]) for the lanes in mask. */
void trace_access(struct trace *t, uint64_t base, const uint32_t off[32], uint32_t mask,
    unsigned bytes, int write);
/* For eight warps' accesses, at lo[w] .. lo[w] + last each (at most 128 bytes): one bit for each
 * access that falls on a line of the sample. The others need not be traced. */
uint32_t trace_picks(const struct trace *t, const uint64_t lo[BATCH_WARPS], uint64_t last);
/* Record an access to bytes lo .. hi - 1. */
void trace_range(struct trace *t, uint64_t lo, uint64_t hi, int write);
/* Record an access to bytes lo .. hi - 1 by the copy engine, which bypasses the L1. */
void trace_bulk(struct trace *t, uint64_t lo, uint64_t hi, int write);
/* Record that another warp repeats the last load: it hits the L1. */
void trace_again(struct trace *t);
/* Totals of a launch. They are estimates if only a sample of cache lines was followed. */
struct trace_totals {
    double l1_hits, l1_accesses;
    double asked_sectors;   /* number of sectors that multiprocessors read from the L2 */
    double asked_lines;     /* number of requests for these sectors, each to one line */
    double dirty_bytes;     /* bytes written that are still in the second-level cache at the end */
    double far_reads;       /* number of sectors that one side of the L2 read from the other */
    double l2_read_sectors; /* number of sectors read, as the L2's own counters count them (l2.c) */
    double far_writes;      /* share of stored sectors that both sides of the L2 count */
    double missed;          /* share of asked_sectors that missed the L2 and came from DRAM */
    double dram_read_bytes, dram_write_bytes;
    /* From write_combine.c. stored: sectors sent by stores (NAN: stores do not combine, so they are
     * counted as issued); stored_partial: those sent only partly written; stored_lines: lines with
     * such sectors. */
    double stored, stored_partial, stored_lines;
    /* atomic_clocks: clocks of the busiest L2 slice for atomics; atomic_waits: those of them spent
     * waiting for earlier sums of floats */
    double atomic_clocks, atomic_waits;
};
/* Replay the accesses that left the first-level caches through the second-level cache. traces: n
 * traces, one for each host thread. */
void trace_finish(struct trace **traces, int n, const struct launch *l, const struct pace *pace,
    struct trace_totals *out);
/* Returns the asked_sectors that trace_finish will report. *last: the last instant of any
 * multiprocessor; instants count from 1. */
double trace_asked(struct trace **traces, int n, uint32_t *last);

/* ---- stores that leave a multiprocessor in one transfer (write_combine.c) ---- */
struct write_combine;
/* NULL if stores do not combine on this GPU, or if nothing is known about it. */
struct write_combine *write_combine_new(const struct launch *l);
void write_combine_free(struct write_combine *c);
/* Record a warp's access at uop u: base + off[lane] for the lanes in mask. */
void write_combine_access(struct batch *v, const struct uop *u, int warp, uint64_t base,
    const uint32_t off[32], uint32_t mask, int write);
struct left {
    /* sectors: how many were sent; partial: how many of them were not written whole; lines: how
     * many lines have such sectors */
    uint64_t sectors, partial, lines;
};
/* Send the lines that are still held back, and add the totals to *sum. */
void write_combine_totals(struct write_combine *c, struct left *sum);

/* ---- what GPUs of this generation can do (capability.c) ---- */

/* Does the simulated GPU schedule lanes independently (compute capability 7.0 on)? If not, a warp
 * has a single program counter. */
static inline int batch_independent(const struct batch *v)
{
    return model_has(v->worker->launch->profile, FEATURE_INDEPENDENT_LANES);
}

/* Returns 0, or -1 with *e filled if the kernel uses a feature that the profile lacks. name: the
 * kernel's name, for the message. */
int capability_check(const struct ptx_program *p, const struct model_profile *profile,
    const char *name, struct err *e);

/* Returns 0, or -1 with *e filled if the kernel reads registers that a product by a warpgroup
 * (wgmma) may not have written yet (flight.c). name: the kernel's name, for the message. */
int flight_check(struct sim_kernel *k, const char *name, struct err *e);

#endif
