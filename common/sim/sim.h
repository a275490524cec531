/* sim.h - the simulator: executes a kernel's PTX warp by warp, and counts exactly.
 *
 *     grid ── blocks ── batches of up to 8 warps ── warps of 32 lanes
 *
 * The warps of a batch execute an instruction together as long as they take the same branches. So
 * the cost of fetching and dispatching it is paid once for 256 threads. Each warp has its own
 * active lanes. If lanes disagree on a branch, both paths run one after the other, and the lanes
 * reconverge at the branch's immediate post-dominator, or before. Each warp executes what it would
 * execute alone, so batches do not change any counter.
 *
 * Blocks run on all cores. Each multiprocessor of the simulated GPU gets the blocks b, b + SMs, b +
 * 2 SMs, ... One host thread runs them, interleaving as many as are resident together. So results
 * and counters do not depend on the number of threads. */
#ifndef LOCKSTEP_SIM_H
#define LOCKSTEP_SIM_H

#include "base/base.h"
#include "model/model.h"
#include "ptx/ptx.h"

/* ---- device memory ---- */

struct sim_memory;
struct sim_memory *sim_memory_new(void);
void sim_memory_free(struct sim_memory *m);
/* sim_alloc: allocates bytes > 0 of zero-filled memory, aligned to 16 MiB. Returns the device
 * address, or 0 if no memory is left. name is copied; element is the size of one element in bytes,
 * for messages. All bytes count as written. readonly: whether, and why, kernels may not write to
 * it. */
enum sim_readonly {
    SIM_WRITABLE,
    SIM_READONLY, /* read-only; the host fills it */
    SIM_COMPILED, /* read-only; its contents come from the compiled module */
    SIM_INPUT     /* the caller's, which kernels may only read */
};
uint64_t sim_alloc(struct sim_memory *m, size_t bytes, const char *name, size_t element,
    enum sim_readonly readonly);
/* Like sim_alloc, but the memory is the caller's: it is neither filled, copied nor freed, and must
 * outlive the allocation. */
uint64_t sim_lend(struct sim_memory *m, void *host, size_t bytes, const char *name, size_t element,
    enum sim_readonly readonly);
/* Allocate memory that the host can access directly, at the device's address, between launches;
 * otherwise like sim_alloc. All of it counts as written. Returns 0 also if the host uses that
 * address for something else. */
uint64_t sim_alloc_shared(struct sim_memory *m, size_t bytes, const char *name, size_t element);
/* Free the allocation that begins at addr. Returns 0, or -1 if no allocation begins there. */
int sim_release(struct sim_memory *m, uint64_t addr);
/* Returns the start address of the allocation that contains addr, and copies its name; 0 and "" if
 * there is none. */
uint64_t sim_buffer(const struct sim_memory *m, uint64_t addr, char *name, size_t size);
/* Mark bytes of one allocation as written (by a copy), or as unwritten. If a kernel then reads an
 * unwritten byte before it writes it, that is a fault. */
void sim_mark(struct sim_memory *m, uint64_t addr, size_t bytes, int written);
/* The host address of the bytes addr .. addr + bytes - 1; NULL if they do not lie within one
 * allocation. */
void *sim_host(const struct sim_memory *m, uint64_t addr, size_t bytes);

/* The bytes of all allocations. */
size_t sim_bytes(const struct sim_memory *m);
/* A hash of all memory: where allocations are, what they hold, which bytes count as written. */
uint64_t sim_hash(const struct sim_memory *m);
/* A copy of what memory holds, which the caller frees. sim_changes appends to out what has changed since
 * then; sim_change changes it in memory that is as it was when it was copied. Between copy and
 * changes nothing may be allocated or freed. */
struct sim_copy *sim_copy_new(const struct sim_memory *m);
void sim_copy_free(struct sim_copy *c);
void sim_changes(const struct sim_copy *c, const struct sim_memory *m, struct buf *out);
void sim_change(struct sim_memory *m, const struct buf *changes);

/* ---- kernels ---- */

struct sim_kernel;
/* Prepare a kernel for launches; the kernel takes ownership of the program. variables: device
 * addresses of the module's variables, by index into module->vars; 0 for those in shared memory.
 * The array is not kept. main_file: source file, for messages; copied. */
struct sim_kernel *sim_kernel_new(
    struct ptx_program *p, const uint64_t *variables, const char *main_file);
void sim_kernel_free(struct sim_kernel *k);
const struct ptx_program *sim_program(const struct sim_kernel *k);

/* A launch: blocks of the grid and threads of a block in x, y and z; bytes of dynamic shared memory
 * per block. */
struct sim_shape {
    unsigned grid[3], block[3];
    size_t dynamic_shared;
    unsigned cluster[3]; /* blocks in each cluster; 0: the kernel's attribute decides, else 1 */
};

/* Counts of one step (a PTX instruction) over the whole grid. Which of the memory counters are used
 * depends on the step's memory space. */
struct sim_step_counts {
    /* how often the step was executed. warps: counted per warp; lanes: counted per active thread */
    uint64_t warps, lanes;
    /* times that a warp went through the step with no lane active, as on hardware */
    uint64_t jumped;
    uint64_t requests; /* memory: number of warps that had at least one active lane */
    uint64_t accesses; /* memory: number of active lanes, summed over the warps */
    /* memory: number of different addresses per warp, summed; an address that several lanes of a
     * warp access counts once */
    uint64_t words;
    struct sim_elsewhere {
        uint64_t requests, accesses, words;
    } shared, local; /* the part of generic accesses to each of these spaces */
    /* accesses to global and local memory. sectors: number of 32-byte sectors; tags: number of
     * 128-byte lines */
    uint64_t sectors, tags;
    /* global, local: passes through the data banks of the first-level cache */
    uint64_t passes;
    /* turns: sectors of global atomics, summed over all rounds. (A round serves one lane per
     * address; lanes with the same address wait for the next round.) */
    uint64_t turns;
    /* Generic accesses of at most 4 bytes per lane. mixed: number of warps whose lanes accessed
     * global and local memory in one instruction; mixed_sectors: sectors of the local part. */
    uint64_t mixed, mixed_sectors;
    uint64_t moved; /* global, local: bytes of the sectors or transactions */
    /* accesses to shared memory. For constant memory, wavefronts is the number of different
     * addresses */
    uint64_t wavefronts, conflicts;
    uint64_t divergent; /* number of branches on which a warp's lanes disagreed */
    /* Global loads. followed: sectors in the sample of lines that the cache model follows; late:
     * those of them that a warp had to wait for. together: of these, those that several warps of
     * the block waited for. */
    uint64_t followed, late;
    uint64_t together;
    /* Waits for the copy engine at an mbarrier in shared memory. waits: number of successful waits,
     * counted per warp; ahead: number of copy phases in flight at those times, including the
     * awaited one, summed. */
    uint64_t waits, ahead;
    /* Waits for asynchronous copies by threads (cp.async). led: number of copies that these waits
     * ended, counted per warp; lead: warp instructions from each of these copies to its wait,
     * summed; hidden: those among these instructions that multiply (lead_multiplies), summed. */
    uint64_t led, lead, hidden;
};

/* An example of a step's accesses: the first one by any warp of the lowest block that executed
 * it. */
struct sim_access {
    uint64_t block;       /* number of the block; UINT64_MAX: the step was never executed */
    enum ptx_space space; /* SPACE_GLOBAL or SPACE_SHARED */
    int write;            /* 1: the step stores, or is atomic */
    unsigned bytes;       /* bytes per lane; for a merged load, of the whole load */
    uint32_t mask;        /* active lanes */
    uint64_t addr[32];    /* device addresses; in shared memory, offsets from its start */
};

/* The result of a launch. The caller frees its contents with sim_result_free. */
struct sim_result {
    struct sim_step_counts *steps; /* counts of each step, by its index in the program */
    size_t step_count;
    /* an example of each step's accesses, by the step's index; filled in only for steps that access
     * global or shared memory */
    struct sim_access *accesses;
    struct metrics metrics;
    struct model_occupancy occupancy;
    struct model_time time;
    struct model_work work; /* the work from which the time was computed */
    /* instructions executed by all lanes, for the simulator's own speed */
    double lane_instructions;
    struct sim_line {
        int line;
        struct metrics metrics;
    } * lines;
    size_t line_count;
    /* output of printf, block after block, perhaps cut; NULL: none */
    char *printed;
};
void sim_result_free(struct sim_result *r);

/* ---- watching a block, instruction by instruction (exec/watch.c) ---- */

/* For a fault in shared memory, its relation to another warp. CLASH_RACE: warp, lane and step are
 * those of an earlier access to the byte, with no barrier in between. CLASH_EARLY: the byte that
 * was read is written by another warp later, before the next barrier; CLASH_UNWRITTEN: nobody
 * writes it by then. For CLASH_EARLY and CLASH_UNWRITTEN the fault is found at the end of the
 * block, so the event of the read was already reported. */
struct sim_clash {
    enum { CLASH_NONE, CLASH_RACE, CLASH_EARLY, CLASH_UNWRITTEN } kind;
    uint64_t addr;
    int warp, lane, step; /* warp, lane and step of the earlier access; only for CLASH_RACE */
};
/* An event: one warp executes one step. The event is reported after the execution, with the masks
 * from before. Lanes of the warp that are in none of active, waits and exited took the other path
 * of a branch. */
struct sim_event {
    /* index of the step in the program; -1: the block starts, or starts again from its beginning */
    int step;
    int warp; /* index of the warp in its block */
    /* lanes that execute the step: active, and with a true guard */
    uint32_t mask;
    uint32_t exist, active;
    /* waits: lanes that wait at a barrier or .sync instruction; exited: lanes that have returned */
    uint32_t waits, exited;
    /* For a load, store or atomic: the lanes of mask whose address is in this space (with generic
     * addresses, the space of the lowest lane). Addresses are as in struct sim_access; in local
     * memory, they are offsets from the start of the lane's own. */
    int access; /* 0: the step accesses no memory; 1: it reads, 2: it writes, 3: it is atomic */
    enum ptx_space space;
    unsigned bytes; /* bytes that each lane accesses */
    uint64_t addr[32];
    /* 1: the access is counted; a load that was merged with others is counted with the whole merged
     * load */
    int counts;
    /* cost: sectors of a global access (of all rounds of an atomic), or wavefronts of a shared
     * access. needed: sectors if its words were contiguous, or wavefronts without bank
     * conflicts. */
    unsigned cost, needed;
    /* Registers that the step wrote or, if it is a store, the registers that it stored, as 64 bits
     * per lane; predicates are 0 or 1. */
    int value_count;
    struct sim_value {
        int reg; /* index into the program's vregs */
        enum ptx_type type;
        uint64_t lane[32];
    } value[PTX_MAX_DST + 1];
    /* Memory after the step. shared: the block's shared memory; local: local memory, where that of
     * lane l is at local + l * local_bytes. */
    const unsigned char *shared, *local;
    size_t shared_bytes, local_bytes;
    int fault;              /* the lane at fault (the step was then not executed); -1: none */
    struct sim_clash clash; /* the relation to another warp, if the fault is in shared memory */
};
/* The observer of a block. All events of the warps in the bit set `warps` are reported; of other
 * warps, only writes to shared memory, and faults. If see does not return 0, the block ends. */
struct sim_watch {
    uint64_t block;
    uint32_t warps;
    /* 1: the kernel is compiled without optimization, which copies structures whole, so reads of
     * unwritten local memory are no fault */
    int unoptimised;
    int (*see)(void *ctx, const struct sim_event *e);
    void *ctx;
};

/* Options of a launch. If all are 0, all blocks run, with all checks, on all cores. */
struct sim_options {
    int threads; /* host threads; 0: one for each core */
    int masked;  /* 1: always use the handlers for partial masks (for tests) */
    /* 1: no race if warps write the same value to a word of global memory */
    int same_value_ok;
    /* 1: no detection of races and unwritten reads, to measure the cost of the detection */
    int unchecked;
    /* 1: an access slightly outside a buffer is no fault: a load reads 0, a store is ignored */
    int lenient;
    int uncounted; /* 1: of the result only the member printed is filled in, which is faster */
    /* If not 0, run without the effect that this names (exec/without.c), lane by lane, and without
     * the detection of races and unwritten reads. */
    enum without without;
    struct exchange *exchange; /* as struct exchange says; may be NULL */
    /* If not 0, the blocks run one after the other in another order, which follows from this seed:
     * block k in the order in which blocks start is no longer block k of the grid. */
    uint64_t order;
    /* 1: no check for reads of registers that wgmma may not have written yet (check/flight.c) */
    int unflown;
    /* If set, a finding that hardware survives (a race, a read of unwritten memory) does not end the
     * launch. When the launch has ended, this is called for each line and kind of finding, with the
     * source file and how often it was found. */
    void (*note)(void *context, const char *file, const struct err *e, unsigned long times);
    /* the launch adds its work here, in warp instructions; may be NULL */
    uint64_t *executed;
    uint64_t budget; /* most warp instructions that one warp may execute; 0: the default */
    /* wall-clock seconds for which a warp over its budget may continue; 0: it may not */
    double seconds;
    /* If not 0, only this many blocks of each multiprocessor run, its first ones, and counters are
     * scaled to all blocks. Outputs of the other blocks stay unwritten. */
    uint64_t sample;
    /* If not 0, only this many multiprocessors, spread over the GPU, run blocks: `sample` blocks
     * each or, if that is 0, as many as one holds at a time. first_sm: the first of them, by
     * which all are shifted. */
    int sample_sms;
    unsigned first_sm;
    /* if not 0, only each apart-th block of those multiprocessors runs; first_sm shifts these, too */
    unsigned apart;
    /* if not 0, all multiprocessors run, but only this many, spread over the GPU, are counted and
     * scaled up */
    int count_sms;
    /* Run only this block (and those before it, if results depend on their order) and report its
     * events. Nothing is counted: the result stays empty. NULL: nobody watches. */
    const struct sim_watch *watch;
    /* Called by the calling thread a few times a second, with the share that is done (0 .. 1); may
     * be NULL. */
    void (*progress)(void *context, double share);
    /* Called with the whole output of the kernel's printf, also if the launch fails. If NULL, the
     * output is in sim_result, shortened. */
    void (*print)(void *context, const char *text);
    void *context;
};

/* Run the kernel and wait for its end. params: the kernel's parameter block, of
 * program->param_bytes. options may be NULL, and r as well if no counts are wanted. The caller
 * frees *r with sim_result_free; if the launch fails, it holds only the output of printf. Returns
 * 0, or -1 with *e filled; if the error is ERR_LEARNER, its text starts with the learner's file and
 * line. */
int sim_launch(struct sim_kernel *k, struct sim_memory *m, const struct model_profile *profile,
    const struct sim_shape *shape, const void *params, const struct sim_options *options,
    struct sim_result *r, struct err *e);

#endif
