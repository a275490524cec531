/* runtime.h - CUDA's runtime over device.h, for programs that lockstep-nvcc has built.
 *
 *     program ── cudaMalloc, <<<...>>>, cudaMemcpy ──> runtime ──> device: sim:NAME or cuda
 *                                                         └── at exit: a report, if it was asked for
 *
 * The program sees the functions of cuda/stubs/cuda_runtime_api.h and nothing of this header, which
 * is private to the room. One lock is held from runtime_enter to runtime_leave. Work is done when
 * it is asked for, in the program's order; streams and events live on a modelled clock that says
 * when a GPU would have done it.
 *
 * The environment: LOCKSTEP_DEVICE=sim:t4; LOCKSTEP_REPORT=1 prints a report at exit;
 * LOCKSTEP_TRACE=FILE writes a timeline; LOCKSTEP_CHECK=warn continues after a race or a read of
 * unwritten memory, off runs kernels without the checks of races and of unwritten memory;
 * LOCKSTEP_COUNT=all counts every launch; LOCKSTEP_JSON=FILE, LOCKSTEP_PROFILE=kernel:n,
 * LOCKSTEP_DUMP=name: README.md. LOCKSTEP_LIMIT=60 ends a launch that takes longer, in seconds (600
 * without it).
 */
#ifndef LOCKSTEP_RUNTIME_H
#define LOCKSTEP_RUNTIME_H

#include "cuda/stubs/cuda_runtime_api.h"
#include "device/device.h"

#define API __attribute__((visibility("default")))

/* ---- the start, the lock and errors (runtime.c) ---- */

/* Calls of one function of the API. */
struct api_call {
    const char *name;
    unsigned long calls;
    struct api_call *next;
};
/* Begin a call of the API: lock, count, and open the device if need be. Returns 0, or the error
 * that the call returns: a kernel's fault sticks until cudaDeviceReset. */
cudaError_t runtime_enter(struct api_call *c);
/* End it. An error is kept for cudaGetLastError. Returns it. */
cudaError_t runtime_leave(cudaError_t error);
#define ENTER() ENTER_AS(__func__)
#define ENTER_AS(call) \
    static struct api_call this_call = {call}; \
    cudaError_t entered = runtime_enter(&this_call); \
    if (entered) return runtime_leave(entered)

/* An API call that converts its arguments, which it need not use, and calls another function:
 * CALL(cudaFree, (void *p), release(p, 0)). */
#define CALL(name, parameters, answer) \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") \
        API cudaError_t name parameters \
    { \
        ENTER(); \
        return runtime_leave(answer); \
    } \
    _Pragma("GCC diagnostic pop")

/* Print one line to the user, on stderr. */
void runtime_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A mangled name as in the source, by the program's own C++ library; long ones without their
 * template arguments. The caller frees it. */
char *runtime_name(const char *symbol);
/* A program of the kit's, beside this library or in ../bin as make install leaves it. The caller
 * frees the path; NULL: it is not there. */
char *runtime_program(const char *name);
/* Run a program to its end, with what it prints in the file log; NULL: on stderr. Returns its exit
 * status; -1: it could not be started. */
int runtime_run(const char *const *argv, const char *log);
/* Print the last launch's output to stdout, once. */
void runtime_print(void);
/* From now on all calls return this error. */
void runtime_stick(cudaError_t error);

struct runtime {
    struct device *device; /* NULL: not open */
    const struct model_profile *profile;
    int count_all, warn;
    int reports;  /* somebody will see counters or times of kernels */
    double limit; /* seconds of a launch */
};
extern struct runtime runtime;

/* ---- memory (memory.c) ---- */

enum block_kind { BLOCK_DEVICE, BLOCK_MANAGED, BLOCK_PINNED, BLOCK_HOST };
/* The kind of memory at an address. BLOCK_HOST: not the runtime's. *bytes: from p to the end, if
 * known. */
enum block_kind memory_kind(const void *p, size_t *bytes);
/* Device memory of the runtime's own, under a name for the report. */
cudaError_t memory_make(void **p, size_t bytes, size_t element, const char *name);
size_t memory_used(void); /* bytes of the device */
/* Free all, as cudaDeviceReset does. */
void memory_free_all(void);
/* As cudaMalloc and cudaFree. */
cudaError_t memory_allocate(void **p, size_t bytes);
cudaError_t memory_release(void *p);
/* Each allocation of the device, and each variable of a loaded file. */
typedef void memory_seen(void *context, dev_ptr at, size_t bytes);
void memory_each(memory_seen *see, void *context);
void registry_each(memory_seen *see, void *context);
/* The allocation that an address lies in: where it starts, its bytes and its name. -1: none. */
int memory_block(const void *p, void **start, size_t *bytes, const char **name);
/* Append what was allocated and never freed. Returns how many. */
int memory_leaks(struct buf *out);

/* ---- the modelled clock (stream.c): milliseconds ---- */

/* Work of ms milliseconds in a stream: returns when it begins. wait: the host waits for its
 * end. */
double clock_work(cudaStream_t stream, double ms, int wait);
/* Work of this stream begins no earlier. */
void clock_after(cudaStream_t stream, double at);
/* A number for a stream: 0 is the default one, the others count in the order in which they were
 * made. */
int clock_row(cudaStream_t stream);
void clock_wait_all(void);
/* Does the default stream wait for this stream? */
int clock_blocking(cudaStream_t stream);
/* A stream for the work of a graph: it is shown in another stream's row, waits for no stream, and
 * begins at the time set by clock_restart. clock_ready: when its work so far has ended. */
cudaStream_t clock_branch(cudaStream_t like);
void clock_restart(cudaStream_t branch, double at);
double clock_ready(cudaStream_t branch);
void clock_branch_end(cudaStream_t branch);

/* ---- programs' kernels and variables (registry.c) ---- */

struct function {
    const void *stub;   /* what the program calls it by */
    const char *symbol; /* its name in the PTX */
    struct image *image;
    struct kernel *kernel; /* NULL before the first launch */
    int dynamic_shared;    /* the most that cudaFuncSetAttribute has allowed; 0: the usual */
    char *name;            /* as in the source */
    struct launch_record *records;
    struct function *next;
};
/* The function of a stub, loaded. NULL with *error set. */
struct function *registry_function(const void *stub, cudaError_t *error);
struct function *registry_functions(void);
/* What its PTX was compiled for: 70 for sm_70. */
int registry_target(const struct function *f);
const char *registry_ptx(const struct function *f);
const char *registry_source(const struct function *f); /* the file; "": not known */
/* PTX that a program loads itself, as a module of the driver's API. NULL with *error set: reported
 * on stderr. */
struct image *registry_open(const char *ptx, cudaError_t *error);
void registry_close(struct image *i);
/* A module's kernel, which is its own stub, and variable, by their names in the PTX. NULL, 0: not
 * found. */
struct function *registry_named(struct image *i, const char *name);
dev_ptr registry_global(struct image *i, const char *name, size_t *bytes);
/* The device address of a variable by its host's. 0: there is none. */
dev_ptr registry_variable(const void *host, size_t *bytes);
void registry_unload(void);
/* Make both copies of the managed variables equal: the host's like the device's, or the other
 * way. */
void registry_managed(int to_host);
/* Addresses of managed variables among a launch's arguments become the device's: out gets the
 * arguments, with values in room; both have room for most. Returns 0 if there are none: then args
 * hold. */
int registry_managed_args(
    const struct function *f, void *const *args, void **out, uint64_t *room, int most);

/* ---- launches (launch.c) and copies, for the report ---- */

/* Launches of one shape. */
struct launch_record {
    struct launch_shape shape;
    unsigned long calls;
    double ms; /* time of one launch; modelled or measured; the first one's stands for all */
    double total_ms;
    struct launch_record *next;
};

/* Can it be launched? together: all blocks must be on the GPU at once. */
cudaError_t launch_check(const struct function *f, const struct launch_shape *s, int together);
cudaError_t launch_run(
    struct function *f, const struct launch_shape *s, void **args, cudaStream_t stream);
/* Copy a box; fill rows. wait: the host waits for the end. */
cudaError_t copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t stream, int wait);
cudaError_t copy_set(const struct cudaMemsetParams *p, cudaStream_t stream);
/* Both sides of a box as addresses; the width becomes bytes (texture.c). */
void copy_sides(struct cudaMemcpy3DParms *p);

enum copy_kind { COPY_IN, COPY_OUT, COPY_DEVICE, COPY_SET, COPY_KINDS };
struct copy_sum {
    unsigned long calls;
    double bytes, ms, least, most;
};
extern struct copy_sum copies[COPY_KINDS];
extern const char *const copy_names[COPY_KINDS]; /* nvprof's */

/* ---- checks that warn (check_warn.c) ---- */

/* A copy of all memory of the device, which the caller frees with again_free. */
struct kept;
int again_keep(struct kept **list); /* -1, with nothing kept: there is too much memory */
void again_put_back(const struct kept *list);
void again_free(struct kept *list);
/* Say what a check found. */
/* once for each line of a kernel */
void again_warn(const struct function *f, const struct err *e);

/* ---- the profile of one launch (profile.c). Nothing happens without LOCKSTEP_PROFILE ---- */

/* Is the next launch of this kernel the one to profile? */
int profile_wants(const struct function *f);
void profile_take(const struct function *f, const struct launch_shape *s,
    const struct measurement *m, const char *source);
void profile_missed(void); /* at the end: say so if there was no such launch */

/* ---- elements of a buffer (element.c) ---- */

struct element {
    const char *name; /* "float" */
    size_t bytes;
    char kind; /* f: floating; i: signed; u: unsigned; x: shown as hexadecimal */
};
/* The element type of the pointer that a source file declares by this name. NULL: not declared, or
 * not a basic C type. */
const struct element *element_declared(const char *file, const char *name);

/* ---- a buffer after a launch (dump.c). Nothing happens without LOCKSTEP_DUMP ---- */

void dump_after(const struct function *f, const struct launch_shape *s, void **args);

/* ---- the report (report.c) ---- */

void report_print(const struct api_call *calls);
/* The same as JSON into a file. */
void report_json(const struct api_call *calls, const char *file);

/* ---- the timeline (trace.c). Nothing happens without LOCKSTEP_TRACE ---- */

/* A row is named, whether something runs in it or not. */
void trace_row(int row);
/* Work that began at a time of the clock. fmt: members of a JSON object that say more. */
void trace_add(const char *name, const char *category, int row, double begin_ms, double ms,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void trace_write(void);
/* Append a string of JSON. */
void trace_string(struct buf *out, const char *text);

#endif
