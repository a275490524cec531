/* device.h - the device interface, with two back ends.
 *
 *     caller -- open, alloc, copy, load, launch --> device --┬-- sim:NAME   simulator of GPU NAME
 *                                                            └-- cuda[:N]   CUDA driver, GPU N
 *
 * Ownership: closing a device frees its memory. A module must be unloaded before its device is
 * closed; that also frees its kernels. Errors: 0, or -1 with a struct err. ERR_LEARNER: the kernel
 * is at fault. A simulated device then states the file and the line; a GPU states the kernel. */
#ifndef LOCKSTEP_DEVICE_H
#define LOCKSTEP_DEVICE_H

#include "base/base.h"
#include "model/model.h"

struct device;
struct module; /* a loaded kernel file */
struct kernel; /* one __global__ function of a module */

typedef uint64_t dev_ptr; /* an address in device memory; 0: none */

/* The shape and limits of one launch. A back end ignores the fields that only the other one
 * uses. */
struct launch_shape {
    unsigned grid[3], block[3];
    size_t dynamic_shared; /* bytes of each block */
    unsigned cluster[3];   /* blocks in each cluster; 0: the kernel's attribute decides, else 1 */
    /* For simulated devices only: */
    /* the most instructions that a warp may execute before it counts as endless; 0: the default */
    uint64_t budget;
    /* if not 0, only this many blocks of each multiprocessor run, and the counts are scaled up; for
     * launches that are too large to simulate. Outputs are incomplete */
    unsigned sample;
    /* if not 0, only this many multiprocessors run, each with the blocks that it holds at once */
    unsigned sample_sms;
    /* by how many multiprocessors the sample is shifted: any number, taken modulo theirs */
    unsigned first_sm;
    /* if not 0, only each apart-th block of those multiprocessors runs */
    unsigned apart;
    /* what the simulator leaves out; anything but WITHOUT_NOTHING: no counts */
    enum without without;
    struct exchange *exchange; /* as struct exchange says; may be NULL */
    /* A launch that takes longer counts as endless; 0: on a GPU the default, on a simulated device
     * the budget alone decides. */
    double seconds;
};

/* The type of a kernel's parameter as far as PTX shows it. Signed and unsigned integers may be
 * indistinguishable: see struct param. */
enum param_type {
    PARAM_POINTER,
    PARAM_I32,
    PARAM_U32,
    PARAM_I64,
    PARAM_U64,
    PARAM_F32,
    PARAM_F64,
    PARAM_BYTES
};
struct param {
    /* the type in the PTX: a pointer is PARAM_U64 like a u64, an i32 can be PARAM_U32 like a u32,
     * and a structure is PARAM_BYTES */
    enum param_type type;
    unsigned bytes;
    unsigned align; /* alignment in bytes */
};

/* The origin of a time: none, the model of a simulated device, or a measurement on a GPU. */
enum time_kind { TIME_NONE, TIME_MODELLED, TIME_MEASURED };
/* the texts "modelled" and "measured" by enum time_kind; NULL for TIME_NONE */
extern const char *const time_kind_names[];

/* The part of a launch's counts that one source line causes. */
struct line_counts {
    int line; /* number of the line in the main source */
    struct metrics metrics;
};

/* An example of the addresses that one instruction accesses: those of the first warp that executed
 * it, in the lowest block that did. */
struct line_access {
    int line;
    int shared, write;
    int atomic;               /* the instruction is atomic; then write is set as well */
    unsigned bytes;           /* bytes that each lane accesses */
    uint32_t mask;            /* active lanes */
    uint64_t addr[WARP_SIZE]; /* bytes from the start of the buffer or of shared memory */
    /* the name given to device_alloc, or the variable's name; "" for shared memory */
    char buffer[32];
};

/* The result of one launch. device_launch fills it in; measurement_free frees lines, accesses and
 * printed. Fields that a back end does not know stay 0, or NAN in metrics. */
struct measurement {
    enum time_kind time_is;
    double ms;        /* time of the kernel alone */
    double launch_ms; /* time of an empty launch, measured in the same way; 0: not known */
    /* the CPU's time for launching and waiting, to which callers that copy data add in_ms and
     * out_ms; 0: not measured */
    double host_ms;
    /* set by callers that copy data. in_ms: time of allocating and copying to the device; out_ms:
     * time of copying back */
    double in_ms, out_ms;
    enum model_part bottleneck; /* PART_NONE: not known */
    /* modelled time that each part alone would take; zeros if not modelled */
    double part_ms[MODEL_PARTS];
    double start_ms; /* modelled start-up time before the parts work; 0 if not modelled */
    struct model_occupancy occupancy;
    struct model_work work; /* the work from which ms was modelled; zeros if not modelled */
    struct metrics metrics; /* NAN: not counted */
    struct line_counts *lines;
    size_t line_count;
    struct line_access *accesses; /* sorted by line; simulated devices only */
    size_t access_count;
    char *printed; /* output of printf, on simulated devices only; NULL: none */
};
void measurement_free(struct measurement *m);
/* Tables of a measurement's members, for code that writes or reads one (measurement.c).
 * measurement_lists: the members that own allocated memory. */
extern const struct member measurement_members[], measurement_lists[];
/* Bits for the JSON objects that contain a member's key. KEY_PROFILE: the profile of a launch,
 * written and read; KEY_PROFILE_WRITTEN: the same, only when writing; KEY_OCCUPANCY: the object
 * "occupancy"; KEY_GRADE: a graded step; KEY_GRADE_GPU: a graded step that ran on a GPU. */
enum {
    KEY_PROFILE = 1,
    KEY_PROFILE_WRITTEN = 2,
    KEY_OCCUPANCY = 4,
    KEY_GRADE = 8,
    KEY_GRADE_GPU = 16
};

/* One launch of a whole program, passed from its runtime to `lockstep profile` (launch_file.c).
 * This struct owns its strings. */
struct launch_file {
    /* device: such as "sim:h200"; file: the source file, which may no longer exist; "": not
     * known */
    char *device, *file;
    /* symbol: name in the PTX; either symbol or ptx may be NULL: not known */
    char *kernel, *symbol, *what, *ptx;
    unsigned grid[3], block[3];
    size_t shared; /* dynamic shared memory of each block, in bytes */
    struct measurement m;
};
int launch_file_write(const char *file, const struct launch_file *r, struct err *e);
/* Returns -1 with ERR_USAGE if the file is from another build, or no such file. On success the
 * caller frees *out with launch_file_free. */
int launch_file_read(const char *file, struct launch_file *out, struct err *e);
void launch_file_free(struct launch_file *r);

/* ---- observing a block of a launch, instruction by instruction: simulated devices only ---- */

enum watch_space { WATCH_GLOBAL, WATCH_SHARED, WATCH_CONST, WATCH_LOCAL };
enum watch_access { WATCH_NONE, WATCH_READ, WATCH_WRITE, WATCH_ATOMIC };
enum watch_kind { WATCH_PLAIN, WATCH_BRANCH, WATCH_BARRIER, WATCH_EXIT };

/* A warp has executed an instruction. Each mask has a bit for each lane and shows the state before
 * it. Existing lanes in none of active, waits and exited are on another path of a branch. */
struct watch_event {
    /* index of the step in the program; -1: the block starts, perhaps for the second time */
    int step;
    int line, column; /* place in the main source; 0: not known */
    int ptx_line;     /* line of the PTX text */
    enum watch_kind kind;
    /* 0: the step is counted; 1: the step is no instruction of the PTX; 2: the assembler removes
     * it */
    int quiet;
    int warp;      /* index of the warp in its block */
    uint32_t mask; /* lanes that execute the instruction: active, and with a true guard */
    uint32_t exist, active;
    /* waits: lanes that wait at a barrier or .sync instruction; exited: lanes that have returned */
    uint32_t waits, exited;
    enum watch_access access;
    enum watch_space space;
    unsigned bytes; /* bytes that each lane accesses */
    /* Addresses of the lanes in mask: bytes from the start of the buffer, of shared memory or of
     * the lane's own local memory; buffer: as in struct line_access. If an access is outside of its
     * buffer, any address is possible. */
    uint64_t addr[WARP_SIZE];
    char buffer[32];
    /* 1: the access is counted, and its cost is below. If loads were merged into a wider one, only
     * one of them is counted, with the cost of the whole */
    int counts;
    /* Global access: cost is the number of sectors (for an atomic, of all its rounds), needed the
     * fewest sectors that could hold the words. Shared access: cost is the number of wavefronts,
     * needed the number without bank conflicts. */
    unsigned cost, needed;
    /* Registers that the instruction wrote or, if it is a store, the registers that it stored. */
    int value_count;
    struct watch_value {
        int reg;
        /* 'f' float, 'i' signed, 'u' unsigned or unknown, 'p' predicate */
        char type;
        unsigned bytes; /* width of the type */
        uint64_t lane[WARP_SIZE];
    } value[5];
    /* Memory after the step, valid during the call. shared: the block's shared memory; local: local
     * memory, where that of lane l begins at l * local_bytes. */
    const unsigned char *shared, *local;
    size_t shared_bytes, local_bytes;
    int fault; /* the lane at fault; -1: none */
    /* For a fault in shared memory: the byte and, for WATCH_RACE, the earlier access (warp, lane,
     * step). The other two kinds are found at the end of the block; the read was already reported
     * when it was executed. */
    struct watch_clash {
        enum {
            WATCH_NO_CLASH,
            WATCH_RACE, /* no barrier between the two accesses */
            /* a read of a byte that another warp writes later, before the next barrier */
            WATCH_EARLY,
            WATCH_UNWRITTEN /* a read of a byte that nobody has written by then */
        } kind;
        uint64_t addr;
        int warp, lane, step;
    } clash;
};
/* The observer of a block. block: its number, counting x first, then y, then z. warps: a bit for
 * each warp of which all events are reported; of the other warps, only writes to shared memory and
 * faults are reported. If see does not return 0, the launch ends. */
struct watch {
    uint64_t block;
    uint32_t warps;
    /* the code is not optimized, so it may copy unwritten parts of a structure */
    int unoptimised;
    int (*see)(void *ctx, const struct watch_event *e);
    void *ctx;
};

/* Open "sim:NAME", "cuda" or "cuda:N". The caller closes *out with device_close. */
int device_open(const char *spec, struct device **out, struct err *e);
void device_close(struct device *d);
/* the name with which the device was opened */
const char *device_name(const struct device *d);
/* The profile of the device's GPU; NULL: the kit does not know this GPU. */
const struct model_profile *device_profile(const struct device *d);
/* the GPU's full name, such as "NVIDIA H200" */
const char *device_title(const struct device *d);
/* Did a kernel's fault make the device unusable? Then every call on it returns an error or does
 * nothing, and only another process can open it again. Never true for a simulated device. */
int device_lost(const struct device *d);
/* Must each exercise run in a process of its own on this device? Yes for GPUs, since a process
 * that has opened one must not fork, and a kernel's fault makes it unusable. spec: as for
 * device_open. */
int device_needs_process(const char *spec);
/* Does spec name a simulated device? */
int device_simulated(const char *spec);
/* The device to use if the user states none: "cuda" if there is a working GPU, else "sim:h200". */
const char *device_default(void);
/* The device that a person means (name.c): "auto", a GPU's name or a part of it such as "RTX 4060"
 * or "rtx4060", or the name of a device. Prints on stderr which device "auto" stands for. Returns
 * the name of a device for device_open or, if there is no such device, text itself, which
 * device_open then refuses. */
const char *device_meant(const char *text);
/* Sets the error for a device that does not exist. The message names the most similar device or, if
 * none is similar, all devices. Returns -1. */
int device_unknown(const char *text, struct err *e);
/* Append the possible names of devices, one per line. */
void device_list(struct buf *out);

/* Allocates device memory. name: the kernel's parameter, element: bytes of one element, for
 * messages such as "a[4096]; a has 4096 elements". On a simulated device, reading a byte that
 * nothing has written is a fault. */
int device_alloc(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e);
/* Allocates memory that the host can also access, at the address *out, between launches. All of it
 * counts as written. */
int device_alloc_shared(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e);
/* Makes the caller's memory an allocation, without a copy: kernels read and write it itself. All of
 * it counts as written. input: a kernel that writes to it faults. The memory must outlive the
 * allocation. For simulated devices only. */
int device_lend(struct device *d, void *memory, size_t bytes, const char *name, size_t element,
    int input, dev_ptr *out, struct err *e);
int device_free(struct device *d, dev_ptr p, struct err *e);
/* The buffer or variable that contains an address: its name and its start. -1: there is none, or it
 * is not known. */
int device_where(const struct device *d, dev_ptr p, char *name, size_t size, dev_ptr *start);
int device_copy_in(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e);
int device_copy_out(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e);
/* Mark these bytes as unwritten, as after device_alloc. Does nothing on a GPU. */
void device_forget(struct device *d, dev_ptr p, size_t bytes);

/* Makes a tensor map of an array of floats or halves: 128 bytes that a kernel passes to the copy
 * engine. ERR_LEARNER: the map is not valid; the text says why. */
int device_tensor_map(struct device *d, const struct model_tensor_map *map,
    unsigned char out[MODEL_TENSOR_MAP_BYTES], struct err *e);

/* Empty the caches, so that the next launch finds none of its data in them. Does nothing on a
 * simulated device, where every launch starts with empty caches. May return before that is done;
 * the launch waits for it. */
int device_flush(struct device *d, struct err *e);

/* Load PTX text (NUL-terminated). name: for messages. main_source: the learner's file, as it was
 * passed to the compiler; a line of another file (a header) is attributed to the preceding line of
 * main_source. If a kernel cannot be executed, launching it fails; if none can, loading fails. */
int device_load(struct device *d, const char *ptx, const char *name, const char *main_source,
    struct module **out, struct err *e);
void device_unload(struct device *d, struct module *m);
/* Provide the text of main_source, so that messages name array elements as in the source:
 * tile[3][0]. It is copied. Does nothing on a GPU. */
void module_source(struct module *m, const char *text);
/* Reset the module's variables to their initial values. Does nothing on a GPU. */
int module_fresh(struct module *m, struct err *e);
/* The __global__ function with this name in the source. NULL: there is none. */
struct kernel *module_kernel(struct module *m, const char *name);
/* The name in the PTX of the kernel whose address has this value in device code. NULL: there is
 * none, or the device does not know. */
const char *module_kernel_at(struct module *m, uint64_t address);
/* Returns the number of parameters; the array *params belongs to k. */
int kernel_params(const struct kernel *k, const struct param **params);
/* The source line of the kernel's first instruction; 0: not known. */
int kernel_line(const struct kernel *k);
/* The kernel's name in the PTX; NULL: not known. */
const char *kernel_symbol(const struct kernel *k);
/* The offset of a variable in shared or local memory that the kernel's PTX declares, in bytes from
 * the start of the space. Returns 0, or -1 if there is none. Simulated devices only. */
int kernel_object(const struct kernel *k, const char *symbol, uint64_t *offset);
/* The resources of a kernel. -1: not known. */
struct kernel_needs {
    int registers;   /* 32-bit registers of each thread */
    int max_threads; /* most threads of a block, from __launch_bounds__; 0: not stated */
    /* shared: bytes of static shared memory for each block; local: bytes of local memory for each
     * thread */
    size_t shared, local;
    int grid_sync; /* the kernel has a grid-wide barrier */
    int speaks;    /* the kernel has a printf, an assertion or a trap */
};
int kernel_needs(const struct kernel *k, struct kernel_needs *out);
/* Append the kernel's name as in the source, with template arguments; nothing if it is not
 * known. */
void kernel_name(const struct kernel *k, struct buf *out);
/* Append the names of the module's kernels, separated by commas. */
void module_kernels(const struct module *m, struct buf *out);
/* Copies the initial value of a __device__ or __constant__ variable, at most max bytes. Returns the
 * size of the variable in bytes, or -1 if there is none. */
long module_initial(const struct module *m, const char *variable, void *out, size_t max);
/* The address of a __device__ or __constant__ variable, for device_copy_in; *bytes: its size. 0:
 * there is none. */
dev_ptr module_variable(struct module *m, const char *variable, size_t *bytes);

/* Run the kernel and wait for its end. args: for each parameter, a pointer to its value in host
 * memory. If out is NULL, nothing is counted or timed; else the caller frees it with
 * measurement_free. */
int device_launch(struct device *d, struct kernel *k, const struct launch_shape *shape,
    const void *const *args, struct measurement *out, struct err *e);

/* Locks the device until device_release, so that no other process can hold it; waits as long as
 * another process does. Without the lock, processes share a GPU, and a measured time includes
 * kernels of other processes. The lock works between all users of a machine. A simulated device is
 * never shared. -1 with ERR_ENV. A lost device stays locked until its process ends, since a kernel
 * may still run on it. */
int device_hold(struct device *d, struct err *e);
void device_release(struct device *d);

/* The time to copy data to the device, run a kernel on it and copy the result back. *is: how the
 * time was found: TIME_MEASURED by the CPU's clock (median of several runs), or TIME_MODELLED. */
int device_transfer(struct device *d, const struct model_transfer *t, double *ms,
    enum time_kind *is, struct err *e);

/* Settings of a device. The default is all zeros; tests and benchmarks change a setting before a
 * launch (unoptimised: before a load). No setting changes a result or counter of a correct
 * kernel. */
struct device_settings {
    int threads; /* host threads that the simulator uses; 0: one for each core */
    /* always use the simulator's code for warps with inactive lanes, even if all lanes are
     * active */
    int masked;
    int unchecked; /* simulate without racecheck and initcheck */
    /* no race if warps write the same value to a word: for whole programs */
    int same_value_ok;
    /* an access slightly outside a buffer is no fault: a load reads 0, a store is ignored */
    int lenient;
    /* blocks run in an order that follows from this seed; 0: in the order of the grid */
    uint64_t order;
    /* simulate without counters and time: of the measurement, only "printed" is filled in */
    int uncounted;
    /* A simulated launch without counters is not run if the same launch has found the same memory
     * before: it changes what it changed then. For programs that launch a kernel often to time it. */
    int repeats;
    /* Load modules for uncounted launches only, which is faster; also, registers of unfinished
     * tensor core products may be copied. */
    int load_uncounted;
    uint64_t executed; /* each simulated launch adds its work here, in warp instructions */
    /* if not 0, simulate all blocks, but count only those of this many multiprocessors, and scale
     * up */
    int count_sms;
    int unoptimised; /* tell the driver of a GPU not to optimize the PTX */
    /* Launches simulate this block alone, report its events, and count nothing. NULL: all blocks
     * run. */
    const struct watch *watch;
    /* Called by the launching thread during a simulation with the share that is done, 0 .. 1; may
     * be NULL. */
    void (*progress)(void *context, double share);
    /* If set, a finding that hardware would survive (a race, a read of unwritten memory) does not
     * end a simulated launch. Called at the end of the launch for each line and kind of finding,
     * with the source file and how often it was found. */
    void (*note)(void *context, const char *file, const struct err *e, unsigned long times);
    void (*waits)(void); /* called repeatedly while device_hold waits; may be NULL */
    /* Called with the whole output of a simulated launch's printf. NULL: the output is stored in
     * the measurement, shortened. */
    void (*print)(void *context, const char *text);
    void *context;
};
struct device_settings *device_settings(struct device *d);

/* ---- for back ends only ---- */

/* A back end. Each function implements the call above of the same name, with the same errors. */
struct device_ops {
    const char *scheme; /* the part of a device's name before the colon, such as "sim" */
    int needs_process;  /* the value that device_needs_process returns */
    /* rest: the part of the device's name after "scheme:"; may be "" */
    int (*open)(const char *rest, struct device *d, struct err *e);
    void (*close)(struct device *d);
    int (*alloc)(struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out,
        struct err *e);
    /* as device_alloc_shared; NULL: the back end has no such memory */
    int (*alloc_shared)(struct device *d, size_t bytes, const char *name, size_t element,
        dev_ptr *out, struct err *e);
    /* as device_lend; NULL: the back end has memory of its own only */
    int (*lend)(struct device *d, void *memory, size_t bytes, const char *name, size_t element,
        int input, dev_ptr *out, struct err *e);
    int (*free)(struct device *d, dev_ptr p, struct err *e);
    int (*copy_in)(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e);
    int (*copy_out)(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e);
    /* NULL: the back end does not know allocations by address */
    int (*where)(const struct device *d, dev_ptr p, char *name, size_t size, dev_ptr *start);
    /* NULL: the back end does not record which bytes were written */
    void (*forget)(struct device *d, dev_ptr p, size_t bytes);
    /* as device_tensor_map, for a valid map (model_tensor_map_bad); NULL: the bytes are those of
     * model_tensor_map_write */
    int (*tensor_map)(struct device *d, const struct model_tensor_map *map,
        unsigned char out[MODEL_TENSOR_MAP_BYTES], struct err *e);
    int (*flush)(struct device *d, struct err *e);
    int (*load)(struct device *d, const char *ptx, const char *name, const char *main_source,
        struct module *m, struct err *e);
    void (*unload)(struct device *d, struct module *m);
    /* NULL: the back end does not use the source text */
    void (*source)(struct module *m, const char *text);
    int (*fresh)(struct module *m, struct err *e); /* NULL: the back end does not reset variables */
    struct kernel *(*kernel)(struct module *m, const char *name);
    /* NULL: the back end does not know the addresses of kernels */
    const char *(*kernel_at)(struct module *m, uint64_t address);
    /* The kernel's name in the PTX, which may be mangled. Simulated devices only. */
    const char *(*symbol)(const struct kernel *k);
    /* NULL: the back end does not know a kernel's name in the source */
    void (*name)(const struct kernel *k, struct buf *out);
    /* NULL: the back end does not know a kernel's resources */
    int (*needs)(const struct kernel *k, struct kernel_needs *out);
    int (*params)(const struct kernel *k, const struct param **params);
    int (*line)(const struct kernel *k);
    /* NULL: the back end does not know where variables are */
    int (*object)(const struct kernel *k, const char *symbol, uint64_t *offset);
    void (*kernels)(const struct module *m, struct buf *out);
    long (*initial)(const struct module *m, const char *variable, void *out, size_t max);
    dev_ptr (*variable)(struct module *m, const char *variable, size_t *bytes);
    int (*launch)(struct device *d, struct kernel *k, const struct launch_shape *shape,
        const void *const *args, struct measurement *out, struct err *e);
    int (*hold)(struct device *d, struct err *e); /* NULL: the device is never shared */
    void (*release)(struct device *d);
    int (*transfer)(struct device *d, const struct model_transfer *t, double *ms,
        enum time_kind *is, struct err *e);
    void (*list)(struct buf *out);
    int (*present)(void); /* is there such a device on this machine? */
};

/* An open device. The back end fills in profile, title, lost and state, device.c the other
 * fields. */
struct device {
    const struct device_ops *ops;
    const struct model_profile *profile;
    char *name;
    const char *title; /* owned by the back end */
    int lost;
    struct device_settings settings;
    void *state; /* private data of the back end */
};
/* The handles that callers hold. Each points to the device or module that it belongs to; state:
 * private data of the back end. */
struct module {
    struct device *device;
    void *state;
};
struct kernel {
    struct module *module;
    void *state;
};

extern const struct device_ops device_sim;
/* finds the driver by dlopen; without a driver, present() returns 0 */
extern const struct device_ops device_cuda;

#endif
