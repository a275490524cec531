/* sim.h - the simulator: executes a kernel's PTX warp by warp and counts exactly.
 *
 *     grid ── blocks ── batches of up to 8 warps ── warps of 32 lanes
 *
 * The warps of a batch execute an instruction together as long as they agree on where to go. So
 * fetching and dispatching it is paid once for 256 threads. Each warp has its own active lanes. If
 * they disagree on a branch, both ways run one after the other, and the lanes reconverge at its
 * immediate post-dominator, or before. A warp executes what it would execute alone, and so every
 * counter is the same.
 *
 * Blocks run on all cores. Each multiprocessor of the simulated GPU gets the blocks b, b + SMs, b +
 * 2 SMs, ... One host thread runs them, as many side by side as are resident together. So results
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
/* Allocate bytes > 0 of zero-filled memory, aligned to 16 MiB. Returns its device address, or 0 if
 * there is none left. name is copied; element is the size of one element, for
 * messages. All of it counts as written. */
uint64_t sim_alloc(
    struct sim_memory *m, size_t bytes, const char *name, size_t element, int readonly);
/* The same for memory that the host reads and writes at the device's address, between launches. All
 * of it counts as written. 0 also if the host uses the address for something else. */
uint64_t sim_alloc_shared(struct sim_memory *m, size_t bytes, const char *name, size_t element);
/* Free the allocation that begins at addr. Returns -1 if none does, else 0. */
int sim_release(struct sim_memory *m, uint64_t addr);
/* The start of the allocation that addr lies in, and its name; 0 and "" if there is none. */
uint64_t sim_buffer(const struct sim_memory *m, uint64_t addr, char *name, size_t size);
/* Mark bytes of one allocation as written (by a copy), or as unwritten. If a kernel then reads an
 * unwritten byte before it writes it, that is a fault. */
void sim_mark(struct sim_memory *m, uint64_t addr, size_t bytes, int written);
/* The host address of the bytes addr .. addr + bytes - 1, or NULL if
 * they do not lie within one allocation. */
void *sim_host(const struct sim_memory *m, uint64_t addr, size_t bytes);

/* ---- kernels ---- */

struct sim_kernel;
/* Prepare a kernel for launches; it takes over the program. variables: device addresses of the
 * module's variables, by index into module->vars; 0 for those of shared memory. They are not kept.
 * main_file: for messages; copied. */
struct sim_kernel *sim_kernel_new(
    struct ptx_program *p, const uint64_t *variables, const char *main_file);
void sim_kernel_free(struct sim_kernel *k);
const struct ptx_program *sim_program(const struct sim_kernel *k);

/* A launch: blocks of the grid and threads of a block in x, y and z;
 * bytes of dynamic shared memory a block. */
struct sim_shape {
    unsigned grid[3], block[3];
    size_t dynamic_shared;
    unsigned cluster[3]; /* blocks of a cluster; 0: as the kernel says, or 1 */
};

/* Counts of one step (a PTX instruction) over the whole grid. Which memory
 * counters it has depends on its space. */
struct sim_step_counts {
    uint64_t warps, lanes; /* executed: once a warp, once an active thread */
    uint64_t jumped;       /* warps that the machine takes through it without a lane */
    uint64_t requests;     /* memory: warps with at least one lane on */
    uint64_t accesses;     /* memory: lanes that took part */
    /* memory: different addresses; one that several lanes of a warp access counts once */
    uint64_t words;
    struct sim_elsewhere {
        uint64_t requests, accesses, words;
    } shared, local;        /* generic accesses: the part that went to this space */
    uint64_t sectors, tags; /* global, local */
    /* global, local: through the data banks of the first-level cache */
    uint64_t passes;
    /* global atomics: lanes at one address are serialised; the sectors of all rounds */
    uint64_t turns;
    /* Generic accesses of at most 4 bytes a lane: warps whose lanes went to global and to local
     * memory at once; sectors of the local part. */
    uint64_t mixed, mixed_sectors;
    uint64_t moved;                 /* global, local: bytes of its sectors or transactions */
    uint64_t wavefronts, conflicts; /* shared; constant: different addresses */
    uint64_t divergent;             /* branches on which a warp's lanes disagreed */
    /* Global loads: sectors in the sample of the caches; those of them that a warp had to wait for;
     * those of the late ones that several warps of the block waited for. */
    uint64_t followed, late;
    uint64_t together;
    /* Waits at a barrier in shared memory for the copy engine: those of warps that succeeded; the
     * copies' phases in flight then, including the awaited one, summed. */
    uint64_t waits, ahead;
};

/* One warp's access, as an example: the first one at this step in the lowest block that executed
 * it. */
struct sim_access {
    uint64_t block;       /* UINT64_MAX: never executed */
    enum ptx_space space; /* SPACE_GLOBAL or SPACE_SHARED */
    int write;            /* or atomic */
    unsigned bytes;       /* a lane; of a merged load: all of it */
    uint32_t mask;        /* lanes that took part */
    uint64_t addr[32];    /* device addresses; shared memory: from its start */
};

/* All that a launch yields. The caller frees it with sim_result_free. */
struct sim_result {
    struct sim_step_counts *steps; /* by step of the program */
    size_t step_count;
    /* by step, too; only those of global and shared memory are filled in */
    struct sim_access *accesses;
    struct metrics metrics;
    struct model_occupancy occupancy;
    struct model_time time;
    struct model_work work;   /* what time was computed from */
    double lane_instructions; /* for speed figures */
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

/* What a fault in shared memory has to do with another warp. CLASH_RACE: warp, lane and step
 * touched the byte before, with no barrier between. CLASH_EARLY: a read of a byte that another warp
 * writes later, before the next barrier; CLASH_UNWRITTEN: that nobody writes by then. With these
 * two the block continues to its end, so the read was reported when it was executed. */
struct sim_clash {
    enum { CLASH_NONE, CLASH_RACE, CLASH_EARLY, CLASH_UNWRITTEN } kind;
    uint64_t addr;
    int warp, lane, step; /* for CLASH_RACE */
};
/* One warp executes one step. It is reported after its execution; the masks are those before it.
 * A lane of the warp that is in none of active, waits and exited waits for lanes that took another
 * way. */
struct sim_event {
    /* index in the program; -1: the block starts, or starts again from nothing */
    int step;
    int warp; /* in its block */
    /* lanes that execute it: active, and its guard lets them through */
    uint32_t mask;
    uint32_t exist, active;
    uint32_t waits, exited; /* at a barrier or .sync instruction; returned */
    /* A load, store or atomic: the lanes of mask that address this space (that of the lowest lane,
     * if addresses are generic). Addresses as in struct sim_access; local: from the start of a
     * lane's own. */
    int access; /* 0: none, 1: reads, 2: writes, 3: atomic */
    enum ptx_space space;
    unsigned bytes; /* a lane */
    uint64_t addr[32];
    int counts; /* it is counted, a load that is part of a merged one as the whole */
    /* Sectors of a global access, or of all rounds of an atomic one, and those that its words would
     * fill side by side. Wavefronts of a shared access, and those without conflicts. */
    unsigned cost, needed;
    /* The registers that it wrote, or that a store stored, as 64 bits a lane; predicates 0 or 1. */
    int value_count;
    struct sim_value {
        int reg; /* index into the program's vregs */
        enum ptx_type type;
        uint64_t lane[32];
    } value[PTX_MAX_DST + 1];
    /* Memory after it: of the block; of lane l at local + l * local_bytes. */
    const unsigned char *shared, *local;
    size_t shared_bytes, local_bytes;
    int fault;              /* the lane at fault, and then it was not executed; -1: none */
    struct sim_clash clash; /* for a fault in shared memory */
};
/* The observer of a block. Warps in the set "warps", a bit each, are reported in full; of the
 * others only writes to shared memory, and faults. If see does not return 0, the block ends. */
struct sim_watch {
    uint64_t block;
    uint32_t warps;
    /* the code copies structures whole, so local memory may be read unwritten */
    int unoptimised;
    int (*see)(void *ctx, const struct sim_event *e);
    void *ctx;
};

/* All 0 means: run all blocks, with all checks, on all cores. */
struct sim_options {
    int threads; /* host threads; 0: one a core */
    int masked;  /* always use the handlers for partial masks; for tests */
    /* warps that write the same value to a word of global memory do not race */
    int same_value_ok;
    int unchecked; /* no racecheck and initcheck; to measure their cost */
    /* an access a little outside a buffer continues: a load reads 0, a store is lost */
    int lenient;
    int uncounted;      /* only printed is filled in of *r: faster */
    int unflown;        /* registers of wgmma products in flight may be copied */
    uint64_t *executed; /* grows by the work of the launch, in warp instructions; may be NULL */
    uint64_t budget;    /* the most warp instructions one warp may execute; 0: the default */
    /* by the clock: until then a warp over its budget continues; 0: it does not */
    double seconds;
    /* How many blocks of each multiprocessor run (the first); 0: all. Counters are scaled to all
     * blocks. Outputs of blocks that do not run stay unwritten. */
    uint64_t sample;
    /* How many multiprocessors, spread over the GPU, run blocks; 0: all. Each runs "sample"
     * blocks or, if that is 0, as many as it holds at a time. */
    int sample_sms;
    /* all run; how many of them, spread over the GPU, are counted and scaled up; 0: all */
    int count_sms;
    /* Run this block alone, or the blocks up to it if results depend on their order, and nothing is
     * counted: *r stays empty. NULL: nobody watches. */
    const struct sim_watch *watch;
    /* Called by the calling thread a few times a second, with the share that is done; may be
     * NULL. */
    void (*progress)(void *context, double share);
    /* Called with all that the kernel printed, also if it fails; NULL: sim_result has it,
     * shortened. */
    void (*print)(void *context, const char *text);
    void *context;
};

/* Run the kernel and wait for its end. params: its parameter block, of program->param_bytes.
 * options may be NULL, and r as well if no counts are wanted; else the caller frees *r, which holds
 * only what the kernel printed if the launch fails. Returns 0, or -1 with *e filled; if
 * that is ERR_LEARNER, the text starts with the learner's file and line. */
int sim_launch(struct sim_kernel *k, struct sim_memory *m, const struct model_profile *profile,
    const struct sim_shape *shape, const void *params, const struct sim_options *options,
    struct sim_result *r, struct err *e);

#endif
