/* machine.h - the state of the simulated machine, shared by the simulator's own files.
 *
 * A register of a batch holds 8 warps x 32 lanes, in one or both of two forms:
 *
 *     compact   lane l of warp w holds  base[w] + sx * x(l) + sy * y(l)
 *               x(l), y(l): the lane's place in a warp of rows as wide as the block (x = l, y = 0 from 32 wide on)
 *     lanes     256 values, one after the other
 *
 * Indices and addresses are nearly always compact, so arithmetic on them costs one operation a warp and an access's
 * coalescing follows from base and strides. Under a partial mask everything is done on lanes, blended by the mask.
 */
#ifndef LOCKSTEP_SIM_MACHINE_H
#define LOCKSTEP_SIM_MACHINE_H

#include "sim/sim.h"

#include <setjmp.h>
#include <stdatomic.h>

enum { BATCH_WARPS = 8, BATCH_LANES = BATCH_WARPS * 32, MAX_STACK = 256 };

enum form { FORM_LANES = 0, FORM_AFFINE = 1, FORM_UNIFORM = 2 /* affine with strides of 0 */ };

struct reg {
    uint64_t base[BATCH_WARPS];
    int64_t sx, sy;
    uint8_t form;
    uint8_t lanes_ok; /* lanes hold the value, too */
    uint8_t wide;     /* 64-bit */
    void *lanes;      /* uint32_t or uint64_t [BATCH_LANES] */
} __attribute__((aligned(64)));

struct batch;
struct uop;
typedef void handler(struct batch *v, const struct uop *u);

/* A step, decoded: which functions execute it, on which registers. */
struct uop {
    handler *run;       /* all lanes on */
    handler *masked;    /* some lanes off */
    int32_t d, a, b, c, e; /* register or predicate indices */
    int32_t guard;      /* predicate index or -1 */
    int32_t guard_negated;
    int32_t r[4];       /* results of a load, values of a store */
    int32_t step;       /* its index in the program */
    int32_t mem;        /* its index among memory accesses, for patterns */
    int32_t detail, pair;
    int64_t offset;
    enum ptx_type type;
    uint8_t bytes, vector, space;
    uint8_t counts;     /* an access of the program: not quiet, not part of a merged load that another step counts */
    uint8_t count_bytes;/* the width that is counted: of the merged load where there is one */
    uint8_t quiet;      /* our own step, no instruction of the program */
    int64_t count_offset;
};

/* ---- which buffers a kernel may write: found by following pointers from parameters to stores (targets.c) ---- */
enum { TARGETS_MAX = 62 };
struct targets {
    struct target {
        int is_param;
        uint64_t value;      /* the offset of an 8-byte parameter; else the address of a variable */
    } list[TARGETS_MAX];
    int count, any;          /* any: nothing is known, it may be every buffer */
};
/* variables: as for sim_kernel_new */
void targets_find(const struct ptx_program *p, const uint64_t *variables, struct targets *out);

struct code_block {       /* of the program, cut once more behind each .sync instruction; the parts follow the program's blocks */
    int first, count;   /* uops without the terminator */
    int last;           /* the terminator's uop, or -1 */
    enum ptx_end end;
    int next, target, ipdom, order;
    int home;           /* the block of the program that it is, or a part of */
    int diverged;       /* as in struct ptx_block; -1 where it is not the first part of its block */
    int polls;          /* ends a turn of a loop that looks at memory others may write: its lanes may wait for other lanes */
    int counted;        /* instructions that count, the terminator among them */
};

struct sim_kernel {
    struct ptx_program *program;
    char *main_file;
    struct uop *uops;
    struct code_block *blocks; size_t block_count;
    uint64_t *constant; /* values of the registers after the program's slots */
    uint8_t *constant_wide;
    int reg_count, vreg_regs, constant_count, pred_count, mem_count;
    uint8_t *reg_wide;
    int polls;          /* some block does */
    int serial;         /* global atomics whose order shows: blocks run one after the other */
    struct targets targets;
};

#define SIM_ALIGN ((uint64_t)1 << 24) /* of allocations */

/* Memory of the device: allocations far apart, so that no index error reaches from one into another unnoticed. */
struct region {
    uint64_t addr;
    size_t bytes;
    unsigned char *host;
    char *name;
    size_t element;
    int readonly;
    uint64_t *written;  /* initcheck: a bit a byte that something has written; NULL: all have been */
    uint64_t *fresh;    /* during a launch: by its blocks that have ended. NULL where written is */
    int target;         /* during a launch: its kernel may write here */
};
const struct region *sim_region(const struct sim_memory *m, uint64_t addr);         /* that addr lies in */
const struct region *sim_region_near(const struct sim_memory *m, uint64_t addr);    /* the one it probably meant */
uint64_t sim_memory_bytes(const struct sim_memory *m);                              /* allocated in all */

uint64_t sim_memory_inputs(const struct sim_memory *m);                             /* of these, what the launch only reads */

/* Around a launch: begin tells which buffers the kernel may write and starts a bitmap for what it does write; end adds
 * that to what has been written. in_order: its blocks run one after the other and see what those before them wrote. */
void sim_begin_writes(struct sim_memory *m, const struct sim_kernel *k, const unsigned char *params, int in_order);
void sim_end_writes(struct sim_memory *m);

/* Consecutive device bytes lo .. lo + bytes - 1, at host. */
struct span {
    unsigned char *host;
    uint64_t lo, bytes;
    const struct region *region; /* NULL: of shared memory or parameters */
};

/* What an access did at these strides before: the counts depend on the base's place in its line only. */
struct pattern {
    int64_t sx, sy;
    int valid;
    int64_t lo, hi;          /* of the lanes' offsets from base */
    uint32_t off[32];
    uint8_t contiguous;
    uint16_t words;          /* different addresses */
    struct { uint16_t count, extra, passes, moved; } cost[128]; /* by base % 128: as struct cost of mem.c; count 0: not known yet */
    struct span span;        /* where the last access fell */
    int readonly;
    int watched;             /* racecheck or initcheck of global memory has a look at it */
};

struct entry {               /* of the reconvergence stack */
    int pc, reconverge;
    int waits;               /* the step that its lanes wait at for others, before pc; -1: they do not */
    unsigned turn;           /* of its batch, when it was put here */
    uint32_t mask[BATCH_WARPS];
};

enum batch_state { BATCH_RUNS, BATCH_WAITS, BATCH_DONE };

struct batch {
    struct worker *worker;
    struct reg *regs;
    uint32_t (*pred)[BATCH_WARPS];
    unsigned char *storage;
    int index, warps;        /* its number in the block; its warps */
    enum batch_state state;
    int full;                /* active is exist: every handler may use its unmasked form */
    int dense;               /* every warp has 32 threads */
    int active_warps, active_lanes;
    uint32_t active[BATCH_WARPS], exist[BATCH_WARPS], exited[BATCH_WARPS];
    uint32_t lane_mask[BATCH_LANES]; /* active, ~0 or 0 a lane; kept while not full */
    struct entry stack[MAX_STACK];
    int depth, pc, reconverge; /* blocks of code; reconverge: where the lanes that are off wait, -1 nowhere */
    int barrier_step;        /* where it waits */
    uint64_t executed;       /* warp instructions of one warp, against the budget */
    int polling_lanes;       /* that began the last turn of a polling loop */
    unsigned turn;           /* counts those that lanes gave up for others */
    struct stream *stream;   /* what it asks of the caches */
    uint64_t clock;          /* counts its accesses to global memory, and what the seat's blocks before and barriers waited for */
};

/* A seat of a multiprocessor: holds one block at a time. The seats of one multiprocessor share their sums and one thread of
 * the host. */
struct worker {
    struct launch *launch;
    const struct sim_kernel *kernel;
    uint32_t lane_x[32], lane_y[32]; /* a lane's place in its warp */
    unsigned char *shared, *local;
    size_t shared_bytes, local_bytes; /* local: a thread */
    struct batch *batches;
    int batch_count;
    int busy;                /* a block has begun and not ended */
    uint32_t votes[2];       /* threads that brought a true predicate to the barrier before and to the next one, by turns */
    int turn;                /* the next one's */
    uint64_t clock, horizon; /* the furthest batch's; where batches stop for the other seats' to catch up */
    uint64_t block;
    unsigned ctaid[3];
    int sm;
    struct sim_step_counts *steps;
    struct sim_access *accesses; /* by step; NULL when nobody asks */
    uint64_t *block_warps, *block_lanes; /* by code block */
    struct pattern *patterns;
    struct trace *trace;
    struct partitions *partitions; /* NULL: DRAM has none that matter */
    struct rows *rows;       /* NULL: nothing is known of DRAM's */
    struct write_combine *combine; /* NULL: stores leave as they came */
    struct check *check;     /* of shared and local memory */
    struct shadow *shadow; /* of global memory */
    int check_off;           /* neither of them looks */
    struct printed *printed; /* by printf; NULL as long as nothing was */
    struct err err;
    jmp_buf fault;
};

struct launch {
    struct sim_kernel *kernel;
    struct sim_memory *memory;
    const struct model_profile *profile;
    struct sim_shape shape;
    const unsigned char *params;
    int block_threads, block_warps;
    uint64_t blocks, budget;
    int sms, picked;    /* multiprocessors that get blocks; those of them that run theirs */
    int resident;       /* blocks that one holds at a time */
    size_t shared_bytes;
    int record;         /* take the accesses, too */
    int masked, unchecked; /* as in struct sim_options */
    _Atomic uint64_t first_fault; /* the lowest block that failed; UINT64_MAX: none */
};

/* ---- registers (register.c) ---- */
void reg_expand(struct batch *v, struct reg *r);  /* fill lanes from the compact form */
static inline void *reg_lanes(struct batch *v, struct reg *r) /* to read */
{
    if (!r->lanes_ok)
        reg_expand(v, r);
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
    for (int w = 1; w < BATCH_WARPS; w++)
        differ |= r->base[w] ^ r->base[0];
    return r->form == FORM_UNIFORM && !differ;
}

/* ---- handlers ---- */
struct handlers {
    handler *run, *masked;
};
extern const struct handlers sim_alu[OP_COUNT]; /* alu.c: from the rows of ops.h */
handler *sim_affine(enum ptx_op op);            /* affine.c: a run that tries the compact form first; NULL: none */
handler mem_ld, mem_ld_masked, mem_st, mem_st_masked, mem_atom, mem_fence;   /* mem.c, atom.c */
handler print_formatted, print_assertion;                                    /* print.c */
handler lanes_sreg, lanes_activemask, lanes_barvote, lanes_together;                        /* lanes.c */
handler sim_nothing;

/* ---- shuffles, votes, matches (lanes.c): lanes bring what they have, meet, and take what becomes of it ---- */
struct meeting {
    uint32_t on[BATCH_WARPS];                       /* the lanes that came */
    uint64_t a[BATCH_LANES];                        /* a value to give or to match */
    uint32_t b[BATCH_LANES], c[BATCH_LANES];       /* where a shuffle reads */
    uint32_t vote[BATCH_WARPS];
    uint32_t result[BATCH_LANES], yes[BATCH_WARPS];
};
void lanes_bring(struct batch *v, const struct uop *u, const uint32_t mask[BATCH_WARPS], struct meeting *m); /* m->on starts as 0 */
void lanes_meet(const struct batch *v, const struct uop *u, struct meeting *m);
void lanes_take(struct batch *v, const struct uop *u, const uint32_t mask[BATCH_WARPS], const struct meeting *m);
/* The lanes that the masks of a .sync name, of those of warp w that execute it; *one: all masks are the same. */
uint32_t lanes_named(struct batch *v, const struct uop *u, int w, uint32_t mask, int *one);

/* ---- masks and faults (batch.c) ---- */
void batch_set_active(struct batch *v, const uint32_t mask[BATCH_WARPS]);
/* Run u's masked form for the lanes of mask only. */
void batch_under(struct batch *v, const uint32_t mask[BATCH_WARPS], const struct uop *u);
void batch_run(struct batch *v); /* until it waits or is done */
/* The lanes that a guard lets through; tells whether there are any. */
int batch_guarded(const struct batch *v, const struct uop *u, uint32_t mask[BATCH_WARPS]);
void batch_enter(struct batch *v, int block); /* count it, and execute it but for its terminator */
void start_block(struct worker *w, uint64_t block);
int go_on(struct worker *w);       /* with the block, up to the horizon: is there more to do? */

/* ---- independent thread scheduling (yield.c) ---- */
/* The lanes that run begin another turn of a loop that polls memory. Returns whether other lanes, or other batches, should run first. */
int batch_yields(struct batch *v);

/* ---- lanes that can meet before their post-dominator (merge.c) ---- */
/* The lanes of mask have their turn at block pc later, on their way to reconverge. */
void batch_later(struct batch *v, int step, int pc, int reconverge, const uint32_t mask[BATCH_WARPS]);
/* The lanes that run have come to v->pc from a block: they join those that wait there, or wait for some that lead there. */
void batch_arrive(struct batch *v, const struct code_block *from);
/* Those that are to run wait instead, below others that lead to where they are. */
int batch_gives_way(struct batch *v);

/* ---- lanes that wait for each other at different places (park.c) ---- */
void batch_push(struct batch *v, int step, int pc, int reconverge, int waits, const uint32_t mask[BATCH_WARPS]);
/* Lanes of mask execute a .sync whose mask names lanes that are not here; the others of the active ones go on. */
void batch_park(struct batch *v, const struct uop *u, int next, const uint32_t mask[BATCH_WARPS]);
void batch_next(struct batch *v); /* go on with the next way that can; when all wait at a barrier, the batch does; or it is done */
int sim_first_lane(const uint32_t mask[BATCH_WARPS]); /* -1: none */
/* The fault of a barrier that lane waits at and absent will not reach. */
void barrier_missed(struct batch *v, int step, int lane, int absent) __attribute__((noreturn));
/* Faults where the barriers that two lanes, perhaps of two batches, wait at are neither one nor copies of one. */
void barrier_compare(struct batch *v, int step, int lane, struct batch *o, int other_step, int other_lane);

/* "(3,0)": the thread that a lane of the batch is. */
void sim_thread_name(const struct batch *v, int lane, char *out, size_t size);
/* The learner's mistake: stops the launch with file, line, block and thread. lane: of the batch, -1 for none. */
void sim_fault(struct batch *v, const struct uop *u, int lane, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 4, 5)));
/* The same for an access outside of every allocation, or misaligned (fault.c). */
void sim_fault_access(struct batch *v, const struct uop *u, int lane, uint64_t addr, enum ptx_space space, int write)
    __attribute__((noreturn));

/* ---- what a kernel prints (print.c) ---- */
struct printed;
void printed_free(struct printed *p);
/* What all blocks printed, the first block's first, at most PRINTED_MAX bytes of it; NULL when nothing. workers: count of them. */
enum { PRINTED_MAX = 1 << 15 };
char *printed_join(const struct worker *workers, int count);

/* ---- when a multiprocessor asks the L2 for what (arrival.c) ---- */
/* Of a launch's mean block: instants of the trace, clocks that it takes; and clocks from one multiprocessor of a GPC to the next when
 * their blocks begin. */
struct pace {
    double instants, clocks, apart;
};
int arrival_gpc(const struct model_profile *p, int sm);
/* About when it comes to an instant, from 1: clocks, to be compared within a GPC. */
double arrival_clocks(const struct model_profile *p, const struct pace *q, int sm, uint32_t instant);

/* ---- caches behind a multiprocessor (trace.c) ---- */
struct trace;
struct stream;
struct trace *trace_new(const struct launch *l, struct sim_step_counts *steps);
void trace_free(struct trace *t);
struct stream *trace_stream(struct trace *t); /* another batch's, which the trace keeps */
void trace_start_sm(struct trace *t, int sm);
void trace_instant(struct trace *t, struct batch *v, int step); /* what follows, the batch's warps do at the same time */
uint64_t trace_slice(const struct trace *t);  /* accesses of a batch that can wait to be followed */
void trace_follow(struct trace *t, uint64_t horizon); /* what all batches did up to then; none will do more before it */
void trace_forget(struct trace *t);           /* nothing counts any more: the launch has failed */
/* A warp's access: addr[lane] for lanes in mask, or base plus off[]. */
void trace_access(struct trace *t, uint64_t base, const uint32_t off[32], uint32_t mask, unsigned bytes, int write);
/* Which of eight accesses, from base[w] + first to base[w] + last, at most 128 bytes each, fall on lines of the sample: a
 * bit each. The others need not be traced. */
uint32_t trace_picks(const struct trace *t, const uint64_t base[BATCH_WARPS], uint64_t first, uint64_t last);
void trace_range(struct trace *t, uint64_t lo, uint64_t hi, int write); /* bytes lo .. hi - 1 */
void trace_again(struct trace *t); /* the load before once more, by another warp: it hits */
/* Replay what left the first-level caches through the second-level one. traces: one a worker. */
struct trace_totals {
    double l1_hits, l1_accesses;
    double asked_sectors;   /* read of the second-level cache by the multiprocessors */
    double l2_read_sectors; /* as its own parts count them (l2.c) */
    double far_writes;      /* share of the stores that both of its sides count */
    double missed;          /* share of what was asked that came from DRAM */
    double dram_read_bytes, dram_write_bytes;
    double dirty_bytes;     /* written, and still in the second-level cache at the end */
    double stored, stored_partial; /* sectors that left in stores; of these: in part. NAN: as the stores came (write_combine.c) */
    double stored_lines;           /* that left with such sectors */
};
void trace_finish(struct trace **traces, int n, const struct launch *l, const struct pace *pace, struct trace_totals *out);
/* What trace_finish will say of asked_sectors, and the last instant of a multiprocessor, from 1. */
double trace_asked(struct trace **traces, int n, uint32_t *last);

/* ---- stores that leave a multiprocessor together (write_combine.c) ---- */
struct write_combine;
struct write_combine *write_combine_new(const struct launch *l); /* NULL: each leaves as it came, or it is not known */
void write_combine_free(struct write_combine *c);
/* An access at u by a warp of the batch, or by all of them: base plus off[] for lanes in mask, or p from the bases of a. */
void write_combine_access(struct batch *v, const struct uop *u, int warp, uint64_t base,
                          const uint32_t off[32], uint32_t mask, int write);
void write_combine_compact(struct batch *v, const struct uop *u, const struct pattern *p,
                           const struct reg *a, int write);
struct left {
    uint64_t sectors, partial, lines; /* partial: of the sectors, not written whole; lines: that left with such */
};
void write_combine_totals(struct write_combine *c, struct left *sum); /* let all leave, and add what did */

/* ---- the partitions of DRAM (partitions.c) ---- */
struct partitions;
struct partitions *partitions_new(const struct launch *l); /* NULL when the profile has none, or nobody asks */
void partitions_free(struct partitions *q);
/* The next access of a warp: base plus off[] for lanes in mask. */
void partitions_access(struct partitions *q, uint64_t block, int warp, uint64_t base, const uint32_t off[32], uint32_t mask,
                       unsigned bytes, int write);
/* How much longer DRAM takes than if its partitions were evenly busy; 1 when there are none. all: one a worker. */
double partitions_ratio(struct partitions **all, int n);

/* ---- the rows of DRAM (rows.c): as the partitions ---- */
struct rows;
struct rows *rows_new(const struct launch *l);
void rows_free(struct rows *r);
void rows_access(struct rows *r, uint64_t block, int warp, uint64_t base, const uint32_t off[32], uint32_t mask);
/* How much longer DRAM takes than if it moved data all the time. */
double rows_ratio(struct rows **all, int n);

/* ---- what a device can do at all (capability.c) ---- */

/* 0, or -1 when the kernel uses what GPUs of the profile's compute capability do not have. name: for the message. */
int capability_check(const struct ptx_program *p, const struct model_profile *profile, const char *name, struct err *e);

/* ---- what a launch amounts to (counters.c) ---- */

/* Instructions that a step takes: no GPU divides integers in one. Source: CUDA C Programming Guide 4.2, 5.4.1: tens of instructions
 * on 1.x, below 20 later. Counters have the one of the PTX, times what runs. */
static inline int instructions_of(const struct ptx_step *s)
{
    return s->op >= OP_div_u16 && s->op <= OP_rem_s64 ? 20 : 1;
}

/* A block of code's latency along one warp (critical_path.c): clocks, and the number of points at which global loads are waited for,
 * each as late as its steps' loads were; l2_miss: the share of what came to the second-level cache that it had to fetch. */
struct critical_path {
    double clocks, waits;
    double together; /* of the waits: those that several warps of a block have in common */
    double waiting;  /* of the clocks: those of waits, for L1 or what is behind it */
};
void critical_path_blocks(const struct sim_kernel *k, const struct model_profile *p, const struct sim_step_counts *steps, double l2_miss,
                  struct critical_path *out);
/* Of a launch whose multiprocessors asked the second-level cache for so many sectors, the last of them at that instant; fillings: how
 * often they have filled with blocks. */
struct pace counters_pace(const struct launch *l, const struct sim_step_counts *steps, const uint64_t *block_warps,
                          const uint64_t *block_lanes, double asked, uint32_t last, double fillings);
void counters_sum(const struct launch *l, const struct sim_step_counts *steps, const uint64_t *block_warps,
                  const uint64_t *block_lanes, const struct trace_totals *caches, double partition_ratio, double row_ratio,
                  struct sim_result *r);

#endif
