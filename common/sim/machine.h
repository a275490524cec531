/* machine.h - the state of the simulated machine, shared by the files of the simulator.
 *
 *     launch -> crew of host threads -> worker: a seat that holds a block -> batch of 8 warps -> reg
 *
 * A register of a batch holds 8 warps x 32 lanes, in one or both of two forms:
 *
 *     compact   lane l of warp w holds  base[w] + sx * x(l) + sy * y(l)
 *               x(l), y(l): the lane's place in a warp whose rows are as wide as the block
 *               (x = l, y = 0 if 32 is not a multiple of the width of the block)
 *     lanes     256 values, one after the other
 *
 * Indices and addresses are nearly always compact. So arithmetic on them costs one operation a
 * warp, and the coalescing of an access follows from base and strides. Under a partial mask all
 * work is done on lanes, blended by the mask. */
#ifndef LOCKSTEP_SIM_MACHINE_H
#define LOCKSTEP_SIM_MACHINE_H

#include "sim/memory/parts.h"
#include "sim/memory/regions.h"
#include "sim/schedule.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdatomic.h>

enum { BATCH_WARPS = 8, BATCH_LANES = BATCH_WARPS * 32, MAX_STACK = 256 };

enum form { FORM_LANES = 0, FORM_AFFINE = 1, FORM_UNIFORM = 2 /* affine with strides of 0 */ };
/* At least one form is valid: the compact one if form is not FORM_LANES, the lanes if lanes_ok.
 * Bases of warps beyond batch.warps are kept, too. Functions for access are below: registers. */
struct reg {
    uint64_t base[BATCH_WARPS];
    int64_t sx, sy;
    uint8_t form;
    uint8_t lanes_ok; /* lanes hold the value */
    uint8_t wide;     /* 64-bit */
    void *lanes;      /* uint32_t or uint64_t [BATCH_LANES] */
} __attribute__((aligned(64)));

struct batch;
struct uop;
typedef void handler(struct batch *v, const struct uop *u);
/* A step, decoded: the functions that execute it, and its registers. It never changes after
 * decoding. */
struct uop {
    handler *run;          /* all lanes on */
    handler *masked;       /* some lanes off */
    int32_t d, a, b, c, e; /* register or predicate indices */
    int32_t guard;         /* predicate index or -1 */
    int32_t guard_negated;
    int32_t r[4]; /* results of a load, values of a store */
    int32_t step; /* its index in the program */
    int32_t mem;  /* its index among accesses to memory, for patterns */
    int32_t detail, pair;
    int32_t more; /* its further sources: where they begin in the kernel's list */
    int64_t offset;
    enum ptx_type type;
    uint8_t bytes, vector, space;
    uint8_t counts;      /* count this access: no FLAGS_UNCOUNTED, not to parameters */
    uint8_t count_bytes; /* the width to count: that of the merged load if there is one */
    uint8_t quiet;       /* our own step, no instruction of the program */
    uint8_t texel;       /* a texture's element: counted as the texture unit fetches it */
    int64_t count_offset;
};

/* ---- which buffers a kernel may write (targets.c): pointers are followed from parameters to
 * stores ---- */
enum { TARGETS_MAX = 62 };
struct targets {
    struct target {
        int is_param;
        /* the offset of an 8-byte parameter; else the address of a variable */
        uint64_t value;
    } list[TARGETS_MAX];
    int count, any; /* any: unknown, it may write every buffer */
};
/* variables: as for sim_kernel_new */
void targets_find(const struct ptx_program *p, const uint64_t *variables, struct targets *out);
/* A block of code: a basic block of the program, or a part of one, since blocks are cut behind each
 * .sync instruction. The first part has the block's number; other parts follow all blocks of the
 * program. */
struct code_block {
    int first, count; /* uops without the terminator */
    int last;         /* the terminator's uop, or -1 */
    enum ptx_end end;
    int next, target, ipdom, order;
    int home; /* the block of the program */
    /* as in struct ptx_block; -1 where it is not the first part of its block */
    int diverged;
    /* ends an iteration of a loop that polls memory: the lanes may yield here */
    int polls;
    int counted; /* instructions to count, with the terminator */
};
/* What may depend on the order of blocks, in global memory: sums of floats; other results of
 * atomics. */
enum order { ORDER_SUMS = 1, ORDER_VALUES = 2 };
/* A kernel ready to launch. Launches only read it. Registers 0 .. vreg_regs - 1 are those of the
 * program, the others its constants. */
struct sim_kernel {
    struct ptx_program *program;
    char *main_file;
    struct uop *uops;
    struct code_block *blocks;
    size_t block_count;
    uint64_t *constant; /* values of the registers from vreg_regs on */
    uint8_t *constant_wide;
    int reg_count, vreg_regs, constant_count, pred_count, mem_count;
    uint8_t *reg_wide;
    /* registers and predicates that some path reads before it writes them */
    int32_t *unset, *unset_preds;
    size_t unset_count, unset_pred_count;
    /* registers: further sources of steps with many */
    int32_t *more;
    size_t more_count, more_cap;
    /* some code block polls; one polls global memory, which other blocks may write */
    int polls, awaits;
    int async;     /* copies to shared memory asynchronously */
    int grid_sync; /* has a barrier of all blocks */
    /* of enum order; not 0: results depend on the order of blocks, so they run one after another */
    int serial;
    struct targets targets;
};

/* How a thread touches a word. */
enum touch_kind { TOUCH_READ, TOUCH_UPDATE /* atomic */, TOUCH_WRITE, TOUCH_KINDS };

/* Consecutive device bytes lo .. lo + bytes - 1, at host. */
struct span {
    unsigned char *host;
    uint64_t lo, bytes;
    const struct region *region; /* NULL: of shared memory or parameters */
};

/* An entry of the reconvergence stack: lanes that continue at pc and are on their way to
 * reconverge. */
struct entry {
    int pc, reconverge;
    /* the step before pc where its lanes wait for others; -1: they do not */
    int waits;
    unsigned turn; /* its batch's turn when it was pushed */
    uint32_t mask[BATCH_WARPS];
};

enum batch_state { BATCH_RUNS, BATCH_WAITS, BATCH_DONE };

/* Up to 8 warps that execute together. active, exist and exited have a word a warp and a bit a
 * lane; active lies within exist. Lanes that exist but neither run nor have exited are on the
 * stack. */
struct batch {
    struct worker *worker;
    struct reg *regs;
    uint32_t (*pred)[BATCH_WARPS];
    unsigned char *storage;
    int index, warps; /* its number in the block; its warps */
    enum batch_state state;
    int full;  /* active is exist: every handler may use its unmasked form */
    int dense; /* every warp has 32 threads */
    int active_warps, active_lanes;
    uint32_t active[BATCH_WARPS], exist[BATCH_WARPS], exited[BATCH_WARPS];
    uint32_t lane_mask[BATCH_LANES]; /* ~0 for active lanes, else 0; valid if not full */
    struct entry stack[MAX_STACK];
    /* blocks of code; reconverge: where the running lanes stop, or -1 */
    int depth, pc, reconverge;
    int barrier_step;          /* where it waits */
    uint64_t executed;         /* warp instructions of one warp */
    uint64_t allowed;          /* when executed exceeds this, the launch may be endless */
    uint32_t ran[BATCH_WARPS]; /* instructions of each warp of the present block (schedule.c) */
    int polling_lanes;         /* lanes that began the last iteration of a polling loop */
    unsigned turn;             /* how often polling lanes let others run (yield.c) */
    struct stream *stream;     /* its requests to the caches */
    /* The instant, in accesses to global memory. It continues from the seat's last block, and after
     * a barrier from the batch that arrived last. */
    uint64_t clock;
};

/* A barrier for a part of the block (named.c). phase_of: the phase in which a warp arrived. */
enum { NAMED_BARRIERS = 16 };
struct part_barrier {
    uint32_t arrived, expected, phase, phase_of[32];
};

/* A seat of a multiprocessor, which holds a block at a time. The seats of one multiprocessor share
 * their sums (steps to rows) and one host thread. A fault leaves by longjmp to "fault", with its
 * text in err. */
struct worker {
    struct launch *launch;
    const struct sim_kernel *kernel;
    uint32_t lane_x[32], lane_y[32]; /* a lane's place in its warp */
    unsigned char *shared, *local;
    size_t shared_bytes, local_bytes; /* local: a thread */
    struct batch *batches;
    int batch_count;
    int busy;    /* a block has begun and not ended */
    int at_grid; /* it waits at a barrier of all blocks, or of its cluster's */
    /* true predicates brought to the next barrier and to the last one */
    uint32_t votes[2];
    int turn; /* which of the two is the next one's */
    struct part_barrier named[NAMED_BARRIERS];
    /* the furthest batch's clock; where batches stop so that other seats catch up */
    uint64_t clock, horizon;
    uint64_t block;
    unsigned ctaid[3];
    int sm;
    /* the current block is counted and goes through the caches */
    int counting;
    struct sim_step_counts *steps;
    struct sim_access *accesses;         /* by step; NULL when nobody asks */
    uint64_t *block_warps, *block_lanes; /* by code block */
    struct patterns *patterns;           /* by uop.mem (exec/access.h) */
    struct slice slices[MODEL_SLICES];   /* of the L2 */
    /* by the place of the lowest lane in its line */
    struct atomic_known atomics[ATOMICS_KNOWN];
    struct schedule schedule;
    struct trace *trace;
    struct partitions *partitions; /* NULL: DRAM has none that matter */
    struct rows *rows;             /* NULL: rows of DRAM are not modelled */
    struct write_combine *combine; /* NULL: stores do not combine */
    struct check *check;           /* for shared and local memory */
    struct shadow *shadow;         /* for global memory */
    int check_off;                 /* no checks at all */
    unsigned char stray[64];       /* where lenient launches go outside of buffers */
    const struct sim_watch *watch; /* of this block; NULL: nobody watches it */
    struct sim_clash clash;        /* of the fault that is about to be reported */
    struct printed *printed;       /* output of printf; NULL: none so far */
    struct err err;
    jmp_buf fault;
};

/* One call of sim_launch: its arguments and what follows from them.
 * Workers only read it, but for first_fault. */
struct launch {
    struct sim_kernel *kernel;
    struct sim_memory *memory;
    const struct model_profile *profile;
    struct sim_shape shape;
    const unsigned char *params;
    int block_threads, block_warps;
    uint64_t blocks, budget;
    /* a launch that runs at this clock_seconds is endless; 0: the budget decides */
    double deadline;
    /* multiprocessors that have blocks; those of them that are counted (a sample) */
    int sms, picked;
    int all_run;      /* those that are not counted run, too (sample.c) */
    int resident;     /* blocks that a multiprocessor holds at a time */
    unsigned cluster; /* blocks of a cluster; 1: there are none */
    /* resident blocks are interleaved, since they may wait for each other */
    int turns;
    struct worker *workers; /* with clusters: seat s of multiprocessor i is i * seats + s */
    int seats;
    size_t shared_bytes;
    int record;                                                 /* the caller wants a result */
    int masked, unchecked, same_value_ok, lenient, print_whole; /* as in struct sim_options */
    const struct sim_watch *watch;                              /* NULL: nobody watches */
    _Atomic uint64_t first_fault; /* the lowest block that failed; UINT64_MAX: none */
    uint64_t *work;               /* warp instructions of each block; NULL: not kept */
    /* from schedule.c: shares of a multiprocessor and a warp; 0, 1: not known */
    double busiest, longest;
};

/* ---- registers (register.c) ---- */
/* fill lanes from the compact form */
void reg_expand(struct batch *v, struct reg *r);
static inline void *reg_lanes(struct batch *v, struct reg *r) /* to read */
{
    if (!r->lanes_ok) reg_expand(v, r);
    return r->lanes;
}
static inline void *reg_write(struct reg *r) /* every lane will be written */
{
    r->form = FORM_LANES;
    r->lanes_ok = 1;
    return r->lanes;
}
static inline void *reg_blend(struct batch *v, struct reg *r) /* some lanes will be written */
{
    reg_lanes(v, r);
    r->form = FORM_LANES;
    return r->lanes;
}
static inline void reg_compact(struct reg *r, int64_t sx, int64_t sy) /* base was written */
{
    r->sx = sx;
    r->sy = sy;
    r->form = sx | sy ? FORM_AFFINE : FORM_UNIFORM;
    r->lanes_ok = 0;
}
/* Is the register one value for the whole batch? */
static inline int reg_scalar(const struct reg *r)
{
    uint64_t differ = 0;
    for (int w = 1; w < BATCH_WARPS; w++) differ |= r->base[w] ^ r->base[0];
    return r->form == FORM_UNIFORM && !differ;
}

/* ---- handlers ---- */
struct handlers {
    handler *run, *masked;
};
extern const struct handlers sim_alu[OP_COUNT]; /* alu.c: of the rows of ops.h */
/* affine.c: tries the compact form first; NULL: none */
handler *sim_affine(enum ptx_op op);
handler mem_ld, mem_ld_masked, mem_st, mem_st_masked;                /* mem.c */
handler mem_atom, mem_fence;                                         /* atom.c */
handler print_formatted, print_assertion;                            /* print.c */
handler lanes_sreg, lanes_activemask, lanes_barvote, lanes_together; /* lanes.c */
handler async_copy, async_group, async_mbarrier, tensor_ldmatrix, tensor_stmatrix, tensor_movmatrix;
handler bulk_copy, bulk_group, tensor_mma, wgmma_product, named_barrier, sim_nothing;

/* ---- shuffles, votes, matches (lanes.c): lanes bring sources, meet, and take results ---- */
struct meeting {
    uint32_t on[BATCH_WARPS]; /* the lanes that came */
    uint64_t a[BATCH_LANES];  /* a value to give or to match */
    /* where a shuffle reads; the mask of a vote or match */
    uint32_t b[BATCH_LANES], c[BATCH_LANES];
    uint32_t vote[BATCH_WARPS];
    uint32_t result[BATCH_LANES], yes[BATCH_WARPS];
};
/* on and vote of a new meeting must be 0. */
void lanes_bring(
    struct batch *v, const struct uop *u, const uint32_t mask[BATCH_WARPS], struct meeting *m);
void lanes_meet(const struct batch *v, const struct uop *u, struct meeting *m);
void lanes_take(struct batch *v, const struct uop *u, const uint32_t mask[BATCH_WARPS],
    const struct meeting *m);
/* The lanes that are named by the masks of a .sync instruction, of the lanes "mask" of warp w.
 * *one: all masks are the same. */
uint32_t lanes_named(struct batch *v, const struct uop *u, int w, uint32_t mask, int *one);

/* ---- masks and faults (batch.c) ---- */
void batch_set_active(struct batch *v, const uint32_t mask[BATCH_WARPS]);
/* Run u's masked form for the lanes of mask only. */
void batch_under(struct batch *v, const uint32_t mask[BATCH_WARPS], const struct uop *u);
void batch_run(struct batch *v); /* until it waits or is done */
/* The lanes whose guard is true; returns whether there are any. */
int batch_guarded(const struct batch *v, const struct uop *u, uint32_t mask[BATCH_WARPS]);
/* count it, and execute it but for its terminator */
void batch_enter(struct batch *v, int block);
void start_block(struct worker *w, uint64_t block);
/* the block, from its start to its end, to see more of a fault */
void run_again(struct worker *w);
int go_on(struct worker *w); /* continue the block up to the horizon; is there more to do? */
/* all blocks wait: this one may continue, from that instant */
void pass_grid(struct worker *w, uint64_t clock);

/* ---- watching (watch.c), if the block is watched ---- */
struct watching { /* what an instruction is about to do */
    uint32_t mask[BATCH_WARPS], active[BATCH_WARPS], exited[BATCH_WARPS], waits[BATCH_WARPS];
    enum ptx_space space[BATCH_WARPS];
    uint64_t addr[BATCH_LANES];
    int any; /* lanes execute it */
};
void watch_before(struct batch *v, const struct uop *u, struct watching *x);
void watch_after(struct batch *v, const struct uop *u, const struct watching *x);
void watch_start(struct worker *w); /* the block starts */
/* u is about to fault at a lane of the batch, or at none (-1). */
void watch_fault(struct batch *v, const struct uop *u, int lane);

/* ---- independent thread scheduling (yield.c) ---- */
/* The running lanes begin another iteration of a loop that polls memory. Returns whether other
 * lanes, or other batches, run first. */
int batch_yields(struct batch *v);

/* ---- lanes that can meet before their post-dominator (merge.c) ---- */
/* The lanes of mask run later, from block pc on, on their way to reconverge. */
void batch_later(
    struct batch *v, int step, int pc, int reconverge, const uint32_t mask[BATCH_WARPS]);
/* The running lanes have come to v->pc from a block. They may join lanes that wait
 * there, or wait for lanes that lead there. */
void batch_arrive(struct batch *v, const struct code_block *from);
/* The same, whatever block they came from. Returns whether they wait now. */
int batch_gives_way(struct batch *v);

/* ---- lanes that wait for each other at different places (convergence_wait.c) ---- */
void batch_push(
    struct batch *v, int step, int pc, int reconverge, int waits, const uint32_t mask[BATCH_WARPS]);
/* The lanes of mask execute a .sync instruction whose mask names lanes that are not here: they
 * wait. Other active lanes continue. */
void batch_park(struct batch *v, const struct uop *u, int next, const uint32_t mask[BATCH_WARPS]);
/* Run the next entry of the stack that can run. If all wait at a barrier, so does the batch. If the
 * stack is empty, it is done. */
void batch_next(struct batch *v);
int sim_first_lane(const uint32_t mask[BATCH_WARPS]); /* -1: none */
/* Does a barrier not wait for threads that have returned? From 7.0 on a GPU's does not; since it is
 * seldom meant, the simulator takes it for a fault unless checks are off. */
int barrier_lets_go(const struct batch *v);
/* The fault of a barrier where "lane" waits and that "absent" will not reach. */
void barrier_missed(struct batch *v, int step, int lane, int absent) __attribute__((noreturn));
/* Faults unless the barriers that two lanes wait at, perhaps of two batches, are the same, or
 * copies. */
void barrier_compare(
    struct batch *v, int step, int lane, struct batch *o, int other_step, int other_lane);

/* "(3,0)": the thread that a lane of the batch is. */
void sim_thread_name(const struct batch *v, int lane, char *out, size_t size);
/* The learner's mistake: stops the launch with file, line, block and thread, which found need not
 * contain. lane: in the batch, or -1. A \1 in fmt begins a guess at the cause (struct err). */
void sim_fault(struct batch *v, const struct uop *u, int lane, struct finding found,
    const char *fmt, ...) __attribute__((noreturn, format(printf, 5, 6)));
#define FAULT(...) \
    (struct finding) { __VA_ARGS__ }
/* The element of name that a thread accessed. */
struct finding sim_element(
    enum finding_kind kind, const char *name, long long index, long long extent);
/* The same for an access out of bounds or misaligned (fault.c). */
void sim_fault_access(struct batch *v, const struct uop *u, int lane, uint64_t addr,
    enum ptx_space space, int write) __attribute__((noreturn));

/* ---- what a kernel prints (print.c) ---- */
struct printed;
void printed_free(struct printed *p);
/* What all blocks printed, in the order of blocks; unless it is wanted whole, cut to about
 * PRINTED_MAX bytes and ending with a line's end. NULL if nothing. The caller frees it. workers:
 * count of them. */
enum { PRINTED_MAX = 1 << 15 };
char *printed_join(const struct worker *workers, int count, int whole);

/* ---- when a multiprocessor's requests reach the L2 (arrival.c) ---- */
/* The mean block of a launch: its instants in the trace and its clocks. apart: clocks from a
 * block's start on one multiprocessor of a GPC to that on the next. */
struct pace {
    double instants, clocks, apart;
};
int arrival_gpc(const struct model_profile *p, int sm);
/* The clock at which multiprocessor sm comes to an instant, counted from 1. Compare only within a
 * GPC. */
double arrival_clocks(
    const struct model_profile *p, const struct pace *q, int sm, uint32_t instant);

/* ---- caches behind a multiprocessor (trace.c) ---- */
struct trace;
struct stream;
struct trace *trace_new(const struct launch *l, struct sim_step_counts *steps);
void trace_free(struct trace *t);
struct stream *trace_stream(struct trace *t); /* another batch's, which the trace keeps */
void trace_start_sm(struct trace *t, int sm);
/* The warps of the batch make the following accesses at the same time. */
void trace_instant(struct trace *t, struct batch *v, int step);
/* instants that a block may run ahead of the others */
uint64_t trace_slice(const struct trace *t);
/* Follow all accesses up to the horizon. No batch may make another one before it. */
void trace_follow(struct trace *t, uint64_t horizon);
void trace_forget(struct trace *t); /* nothing counts any more: the launch has failed */
/* what follows does not count, until it does again */
void trace_pause(struct trace *t, int pause);
/* A warp's access: addr[lane] for lanes in mask, or base plus off[]. */
void trace_access(struct trace *t, uint64_t base, const uint32_t off[32], uint32_t mask,
    unsigned bytes, int write);
/* Which of eight accesses fall on lines of the sample: a bit each. Each goes from lo[w] to lo[w] +
 * last, at most 128 bytes. The others need not be traced. */
uint32_t trace_picks(const struct trace *t, const uint64_t lo[BATCH_WARPS], uint64_t last);
void trace_range(struct trace *t, uint64_t lo, uint64_t hi, int write); /* bytes lo .. hi - 1 */
/* Bytes lo .. hi - 1 by the copy engine, which passes the L1 by. */
void trace_bulk(struct trace *t, uint64_t lo, uint64_t hi, int write);
void trace_again(struct trace *t); /* another warp repeats the last load: it hits */
/* Totals of a launch. They are estimates if only a sample of lines was followed. */
struct trace_totals {
    double l1_hits, l1_accesses;
    double asked_sectors;   /* read from the L2 by the multiprocessors */
    double asked_lines;     /* requests for them, each to one line */
    double dirty_bytes;     /* written, and still in the second-level cache at the end */
    double far_reads;       /* sectors that one L2 side read from the other */
    double l2_read_sectors; /* as its own parts count them (l2.c) */
    double far_writes;      /* share of the stores that both of its sides count */
    double missed;          /* share of asked_sectors that came from DRAM */
    double dram_read_bytes, dram_write_bytes;
    /* From write_combine.c: sectors that left in stores (NAN: as the stores came); those written in
     * part; lines with such sectors. */
    double stored, stored_partial, stored_lines;
    /* clocks of the busiest L2 slice; those in which sums of floats wait */
    double atomic_clocks, atomic_waits;
};
/* Replay what left the first-level caches through the second-level one. traces: one for each host
 * thread. */
void trace_finish(struct trace **traces, int n, const struct launch *l, const struct pace *pace,
    struct trace_totals *out);
/* asked_sectors as trace_finish will report it. *last: the last instant
 * of a multiprocessor, counted from 1. */
double trace_asked(struct trace **traces, int n, uint32_t *last);

/* ---- stores that leave a multiprocessor together (write_combine.c) ---- */
struct write_combine;
/* NULL: stores do not combine, or unknown */
struct write_combine *write_combine_new(const struct launch *l);
void write_combine_free(struct write_combine *c);
/* An access at u by one warp: base plus off[] for lanes in mask. */
void write_combine_access(struct batch *v, const struct uop *u, int warp, uint64_t base,
    const uint32_t off[32], uint32_t mask, int write);
struct left {
    /* partial: sectors not written whole; lines: those with such sectors */
    uint64_t sectors, partial, lines;
};
/* let all leave; adds to *sum */
void write_combine_totals(struct write_combine *c, struct left *sum);

/* ---- what a device can do at all (capability.c) ---- */

/* Does the GPU that runs the batch schedule lanes independently? If not, a warp has one program
 * counter. */
static inline int batch_independent(const struct batch *v)
{
    return model_has(v->worker->launch->profile, FEATURE_INDEPENDENT_LANES);
}

/* Returns 0, or -1 with *e filled if the kernel uses a feature that the profile lacks. name: for
 * the message. */
int capability_check(const struct ptx_program *p, const struct model_profile *profile,
    const char *name, struct err *e);

/* The same if it reads registers that a product by a warpgroup may not have written yet
 * (flight.c). */
int flight_check(const struct sim_kernel *k, const char *name, struct err *e);

/* ---- what a launch amounts to (counters.c) ---- */

#endif
