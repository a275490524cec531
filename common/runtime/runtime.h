/* runtime.h - CUDA's runtime on top of device.h, for programs that lockstep-nvcc has built. Private
 * to runtime/.
 *
 *     program ── cudaMalloc, <<<...>>>, cudaMemcpy ──> runtime ──> device: sim:NAME or cuda
 *                                                         └── at exit: a report, if requested
 *
 * The program sees only the functions of cuda/stubs/cuda_runtime_api.h. One lock is held from
 * runtime_enter to runtime_leave. Work is done when it is requested, in the program's order;
 * streams and events have times of a modelled clock, which says when a GPU would have done the
 * work.
 *
 * The environment: LOCKSTEP_DEVICE=sim:t4; LOCKSTEP_REPORT=1 prints a report at exit;
 * LOCKSTEP_TRACE=FILE writes a timeline; LOCKSTEP_CHECK=stop ends a kernel at a race or a read of
 * unwritten memory, which otherwise are only reported; LOCKSTEP_CHECK=off does not check for these;
 * LOCKSTEP_ORDER=random:7 runs the blocks in another order, which follows from the number;
 * LOCKSTEP_COUNT=all counts every launch; LOCKSTEP_LIMIT=60 ends a launch after 60 seconds (without
 * it, after 600); LOCKSTEP_JSON=FILE, LOCKSTEP_PROFILE=kernel:n, LOCKSTEP_DUMP=name: see
 * README.md. */
#ifndef LOCKSTEP_RUNTIME_H
#define LOCKSTEP_RUNTIME_H

#include "cuda/stubs/cuda_runtime_api.h"
#include "device/device.h"

#define API __attribute__((visibility("default")))

/* ---- the start, the lock and errors (runtime.c) ---- */

/* A function of the API, and how often it was called. */
struct api_call {
    const char *name;
    unsigned long calls;
    struct api_call *next;
};
/* Begin a call of the API: take the lock, count the call, open the device if needed. Returns the
 * error with which the call must fail, or 0. After a kernel's fault every call fails with the
 * fault's error until cudaDeviceReset. */
cudaError_t runtime_enter(struct api_call *c);
/* End the call and release the lock. Returns `error`, which is also kept for cudaGetLastError. */
cudaError_t runtime_leave(cudaError_t error);
#define ENTER() ENTER_AS(__func__)
#define ENTER_AS(call) \
    static struct api_call this_call = {call}; \
    cudaError_t entered = runtime_enter(&this_call); \
    if (entered) return runtime_leave(entered)

/* Define an API call that may ignore its arguments and returns the result of another function:
 * CALL(cudaFree, (void *p), release(p, 0)). */
#define CALL(name, parameters, answer) \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") \
        API cudaError_t name parameters \
    { \
        ENTER(); \
        return runtime_leave(answer); \
    } \
    _Pragma("GCC diagnostic pop")

/* Print a line to stderr, with the prefix "lockstep: ". */
void runtime_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A mangled name as it is in the source, demangled by the program's own C++ library; a long name is
 * shortened to the one without template arguments. The caller frees it. */
char *runtime_name(const char *symbol);
/* The path of one of the kit's programs: beside this library, or after make install in ../bin. The
 * caller frees it; NULL: there is no such program. */
char *runtime_program(const char *name);
/* Run a program and wait for it. Its output goes to the file `log` or, if log is NULL, to stderr.
 * Returns its exit status; -1: it could not be started. */
int runtime_run(const char *const *argv, const char *log);
/* Take what the last launch printed. It is written to stdout when the host has waited until `end`,
 * the end of the launch on the modelled clock; at once if that is negative. */
void runtime_print(double end);
/* Print, once, why the current call fails. where: FILE:LINE; NULL: the call's name is printed
 * instead. */
void runtime_refuse(const char *where, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Let all later calls return this error. */
void runtime_stick(cudaError_t error);

struct runtime {
    struct device *device; /* the device; NULL: it is not open yet */
    const struct model_profile *profile;
    int count_all;
    int reports;  /* 1: counters or times of kernels are reported or traced */
    int puts_off; /* 1: launches of which nobody asks for the results may wait (later.c) */
    unsigned long findings; /* findings that were told so far, each once */
    double limit;           /* seconds after which a launch is ended */
};
extern struct runtime runtime;

/* ---- memory (memory.c) ---- */

/* From now on, an access by the host to device memory is explained (host_access.c). */
void host_access_watch(void);

enum block_kind { BLOCK_DEVICE, BLOCK_MANAGED, BLOCK_PINNED, BLOCK_HOST };
/* The kind of memory at an address. BLOCK_HOST: not allocated by the runtime. *bytes: from p to the
 * end of the allocation; SIZE_MAX if the end is unknown. */
enum block_kind memory_kind(const void *p, size_t *bytes);
/* Allocate device memory for the runtime itself; name: for the report. */
cudaError_t memory_make(void **p, size_t bytes, size_t element, const char *name);
size_t memory_used(void); /* The number of bytes of device memory that are allocated. */
int memory_shared(void);  /* Is there memory that both the host and kernels access? */
/* The address for kernels of an address in memory from cudaHostRegister; 0: it is in none. */
uint64_t memory_lent(uint64_t host);
int memory_has_lent(void); /* Is there such memory? */
/* Free all allocations, for cudaDeviceReset. */
void memory_free_all(void);
/* Allocate and free device memory, as cudaMalloc and cudaFree do. */
cudaError_t memory_allocate(void **p, size_t bytes);
cudaError_t memory_release(void *p);
/* From now on a call that frees this memory only sets *freed, and the contents count as unwritten:
 * memory of a graph, which its next launch allocates again. freed NULL: no longer. */
void memory_hold(void *p, int *freed);
/* The allocation that contains an address: its start, size and name. -1: there is none. */
int memory_block(const void *p, void **start, size_t *bytes, const char **name);
/* Append a line for each allocation that was never freed. Returns how many there are. */
int memory_leaks(struct buf *out);

/* ---- the modelled clock (stream.c): milliseconds ---- */

/* Add work of ms milliseconds to a stream. Returns the time when the work begins. wait: the host
 * waits until the work ends. */
double clock_work(cudaStream_t stream, double ms, int wait);
/* Advance the host's time by that of other work. */
void clock_host_work(double ms);
/* Let the stream's next work begin no earlier than `at`. */
void clock_after(cudaStream_t stream, double at);
/* The number of a stream's row: 0 for the default stream; others are numbered in the order of
 * creation. */
int clock_row(cudaStream_t stream);
void clock_wait_all(void);
double clock_waited(void); /* The time until which the host has waited for work. */
/* Does the default stream wait for this stream? */
int clock_blocking(cudaStream_t stream);
/* A stream for the work of a graph. It is shown in the timeline's row of the stream `like`, waits
 * for no other stream, and begins at the time that clock_restart sets. clock_ready: the time when a
 * stream's work so far ends. */
cudaStream_t clock_branch(cudaStream_t like);
void clock_restart(cudaStream_t branch, double at);
double clock_ready(cudaStream_t branch);
void clock_branch_end(cudaStream_t branch);

/* ---- a program's kernels and variables (registry.c) ---- */

struct function {
    const void *stub;   /* the host function by which the program launches the kernel */
    const char *symbol; /* the kernel's name in the PTX */
    struct image *image;
    struct kernel *kernel; /* the loaded kernel; NULL before the first launch */
    /* bytes of dynamic shared memory that cudaFuncSetAttribute allows; 0: the default */
    int dynamic_shared;
    char *name; /* the kernel's name in the source */
    struct launch_record *records;
    struct function *next;
};
/* The function with this stub, loaded on the device. NULL, with *error set: the stub is unknown or
 * the file cannot be loaded. */
struct function *registry_function(const void *stub, cudaError_t *error);
struct function *registry_functions(void);
/* The compute capability for which the function's PTX was compiled: 70 for sm_70. */
int registry_target(const struct function *f);
const char *registry_ptx(const struct function *f);
/* The path of the source file that contains the function; "": unknown. */
const char *registry_source(const struct function *f);
/* Load PTX as a module of the driver API. NULL: it cannot be loaded; *error is set, and the
 * reason was printed on stderr. */
struct image *registry_open(const char *ptx, cudaError_t *error);
void registry_close(struct image *i);
/* registry_named: a module's kernel, which is its own stub, by its name in the PTX.
 * registry_global: a module's variable. NULL or 0: there is none. */
struct function *registry_named(struct image *i, const char *name);
/* registry_beside: a kernel of f's module by the value that its address has in device code. */
struct function *registry_beside(const struct function *f, uint64_t address);
dev_ptr registry_global(struct image *i, const char *name, size_t *bytes);
/* The device address and size of the variable that the host knows by this address. 0: there is
 * none. */
dev_ptr registry_variable(const void *host, size_t *bytes);
void registry_unload(void);
/* Copy all managed variables from the device to the host, or in the other direction. */
void registry_managed(int to_host);
int registry_has_managed(void); /* Has the program managed variables? */
/* Replace addresses of managed variables and of registered memory among a launch's arguments by
 * device addresses. out: pointers to all arguments; room: storage for replaced values; both have
 * `most` elements. Returns 0 if none was replaced; then args can be used unchanged. */
int registry_managed_args(
    const struct function *f, void *const *args, void **out, uint64_t *room, int most);

/* ---- launches (launch.c) and copies (copy.c), also for the report ---- */

/* All launches of a kernel with one shape. */
enum { LAUNCHES_KNOWN = 8 };
struct launch_record {
    struct launch_shape shape;
    unsigned long calls;
    /* milliseconds of one launch, modelled or measured: those of the first launch, which stand for
     * all */
    double ms;
    double total_ms;
    /* hashes of the arguments of the last launches that may be put off, from 0 on in a ring, and how
     * many there were */
    uint64_t known[LAUNCHES_KNOWN];
    unsigned known_count;
    struct launch_record *next;
};

/* Is a launch with this shape within the limits? together: all blocks must be resident at once. */
cudaError_t launch_check(const struct function *f, const struct launch_shape *s, int together);
cudaError_t launch_run(
    struct function *f, const struct launch_shape *s, void **args, cudaStream_t stream);
/* copy_box: copy a box. copy_set: set the bytes of rows to a value. wait: the host waits until the
 * work has ended. */
cudaError_t copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t stream, int wait);
cudaError_t copy_set(const struct cudaMemsetParams *p, cudaStream_t stream);
/* Rewrite the description of a box copy so that both sides are addresses, not arrays, and its width
 * is in bytes (texture.c). */
void copy_sides(struct cudaMemcpy3DParms *p);

enum copy_kind { COPY_IN, COPY_OUT, COPY_DEVICE, COPY_SET, COPY_KINDS };
struct copy_sum {
    unsigned long calls;
    double bytes, ms, least, most;
};
extern struct copy_sum copies[COPY_KINDS];
extern const char *const copy_names[COPY_KINDS]; /* nvprof's names of the kinds of copies */

/* ---- findings of checks that do not end the launch (findings.c) ---- */

/* Report a finding that is new; count one that was reported before. */
void findings_add(const char *file, const struct err *e, unsigned long times);
void findings_list(void); /* Called at exit: list all findings. */

/* ---- the profile of one launch (profile.c), only with LOCKSTEP_PROFILE ---- */

/* Is the next launch of this kernel the one to be profiled? */
int profile_wants(const struct function *f);
void profile_take(const struct function *f, const struct launch_shape *s,
    const struct measurement *m, const char *source);
void profile_missed(void); /* Called at exit: report that there was no launch to be profiled. */

/* ---- the type of a buffer's elements (element.c) ---- */

struct element {
    const char *name; /* name of the type, such as "float" */
    size_t bytes;
    char kind; /* f: floating-point; i: signed; u: unsigned; x: printed in hexadecimal */
};
/* The element type of the pointer with this name in a source file. NULL: no such pointer is
 * declared, or its type is not a basic type of C. */
const struct element *element_declared(const char *file, const char *name);

/* ---- printing a buffer after a launch (dump.c), only with LOCKSTEP_DUMP ---- */

void dump_after(const struct function *f, const struct launch_shape *s, void **args);

/* ---- the report (report.c) ---- */

void report_print(const struct api_call *calls);
/* Keep what a check or a fault found in a launch, for the JSON. */
void report_finding(const struct err *e);
/* Write the report as JSON to a file. */
void report_json(const struct api_call *calls, const char *file);

/* ---- the timeline (trace.c), only with LOCKSTEP_TRACE ---- */

/* Give the row of a stream its name in the timeline, even if nothing will run in that stream. */
void trace_row(int row);
/* Add to the timeline work that began at a time of the modelled clock. fmt: further members of the
 * event's JSON object. */
void trace_add(const char *name, const char *category, int row, double begin_ms, double ms,
    const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* Append a launch's counters as members of that object, only with LOCKSTEP_COUNT=all. */
void trace_counters(struct buf *out, const struct function *f, const struct measurement *m);
void trace_write(void);
/* Append text as a JSON string. */
void trace_string(struct buf *out, const char *text);

#endif
