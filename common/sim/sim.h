/* sim.h - the simulator: a kernel's PTX executed a warp at a time, exactly counted.
 *
 *     grid ── blocks ── batches of up to 8 warps ── warps of 32 lanes
 *
 * A batch's warps run one instruction together for as long as they agree on where to go, so the cost of fetching and
 * dispatching is paid once for 256 threads. Within it every warp has its own active lanes; where lanes disagree, both
 * ways run one after the other and meet at the branch's immediate post-dominator. What a warp executes, and so every
 * counter, is what it would be if it ran alone.
 *
 * Blocks run on all cores. Each multiprocessor of the simulated GPU gets the blocks b, b + SMs, b + 2 SMs, ... and one
 * host thread works through them in order, as many side by side as are resident together, so results and counters do not
 * depend on the number of threads.
 */
#ifndef LOCKSTEP_SIM_H
#define LOCKSTEP_SIM_H

#include "base/base.h"
#include "model/model.h"
#include "ptx/ptx.h"

/* ---- device memory ---- */

struct sim_memory;
struct sim_memory *sim_memory_new(void);
void sim_memory_free(struct sim_memory *m);
/* Zero-filled memory of bytes > 0, aligned to 16 MiB; 0 when there is none left. name is copied; element is the size of
 * one element, for messages. It counts as written. */
uint64_t sim_alloc(struct sim_memory *m, size_t bytes, const char *name, size_t element, int readonly);
int sim_release(struct sim_memory *m, uint64_t addr);
/* The start of the allocation that addr lies in, and its name; 0 and "" when it lies in none. */
uint64_t sim_buffer(const struct sim_memory *m, uint64_t addr, char *name, size_t size);
/* From now on bytes of one allocation count as written (by a copy), or as written by nobody: then a kernel that reads one
 * of them before it has written it is at fault. */
void sim_mark(struct sim_memory *m, uint64_t addr, size_t bytes, int written);
/* Host pointer for addr .. addr + bytes, or NULL when that is not inside of one allocation. */
void *sim_host(const struct sim_memory *m, uint64_t addr, size_t bytes);

/* ---- kernels ---- */

struct sim_kernel;
/* variables: the device addresses of the module's variables, by index into module->vars (0 for those of shared
 * memory). The kernel takes the program over. */
struct sim_kernel *sim_kernel_new(struct ptx_program *p, const uint64_t *variables, const char *main_file);
void sim_kernel_free(struct sim_kernel *k);
const struct ptx_program *sim_program(const struct sim_kernel *k);

struct sim_shape {
    unsigned grid[3], block[3];
    size_t dynamic_shared;
};

/* What one step (a PTX instruction) did over the whole grid. */
struct sim_step_counts {
    uint64_t warps, lanes;       /* executed: once a warp, once an active thread */
    uint64_t requests;           /* memory: warps with at least one lane on */
    uint64_t accesses;           /* memory: lanes that took part */
    uint64_t words;              /* memory: different addresses that they named: a word that several lanes want counts once */
    struct sim_elsewhere {
        uint64_t requests, accesses, words;
    } shared, local;             /* of a generic access, those of them that turned out to be to these */
    uint64_t sectors, tags;      /* global, local */
    uint64_t passes;             /* global, local: through the data banks of the first-level cache */
    uint64_t turns;              /* global atomics: sectors of each turn that lanes take who name one address */
    uint64_t mixed, mixed_sectors; /* generic, at most 4 bytes a lane: warps whose lanes went to global and to local memory at once;
                                  * sectors of the latter */
    uint64_t moved;              /* global, local: bytes of its sectors or transactions */
    uint64_t wavefronts, conflicts; /* shared; constant: different addresses */
    uint64_t divergent;          /* branches on which a warp's lanes disagreed */
    uint64_t followed, late;     /* global loads: sectors that the caches' sample followed; that had to be waited for */
    uint64_t together;           /* of the late ones: for which several of the block's warps waited */
};

/* The addresses of one warp: the first that executed the step in the lowest block that did. */
struct sim_access {
    uint64_t block;              /* UINT64_MAX: never executed */
    enum ptx_space space;        /* SPACE_GLOBAL or SPACE_SHARED */
    int write;                   /* or atomic */
    unsigned bytes;              /* a lane, as counted */
    uint32_t mask;               /* lanes that took part */
    uint64_t addr[32];           /* of the device; from the start of shared memory */
};

struct sim_result {
    struct sim_step_counts *steps; /* by step of the program */
    size_t step_count;
    struct sim_access *accesses; /* by step, too; only those of global and shared memory are filled in */
    struct metrics metrics;
    struct model_occupancy occupancy;
    struct model_time time;
    double lane_instructions;    /* for speed figures */
    struct sim_line {
        int line;
        struct metrics metrics;
    } *lines;
    size_t line_count;
    char *printed;               /* by the kernel, block after block; cut where it is long. NULL: nothing */
};
void sim_result_free(struct sim_result *r);

struct sim_options {
    int threads;       /* of the host; 0: as many as there are cores */
    int masked;        /* every handler in its form for lanes that are off, also where none is */
    int unchecked;     /* without racecheck and initcheck: to time what they cost */
    uint64_t budget;   /* the most warp instructions one warp may execute; 0: the default */
    uint64_t sample;   /* only so many blocks a multiprocessor run, the first ones; every counter is as if the others had done the
                          same. Their outputs stay unwritten. 0: all run */
    int sample_sms;    /* only so many multiprocessors, spread over the GPU, run blocks: those that they hold at once, or sample.
                          0: all do */
};

/* Run the kernel. params: its parameter block of program->param_bytes. r may be NULL. On ERR_LEARNER the text starts
 * with the learner's file and line. */
int sim_launch(struct sim_kernel *k, struct sim_memory *m, const struct model_profile *profile, const struct sim_shape *shape,
               const void *params, const struct sim_options *options, struct sim_result *r, struct err *e);

#endif
