/* device.h - the device interface, with two back ends.
 *
 *     caller -- open, alloc, copy, load, launch --> device --┬-- sim:NAME   the simulator as the GPU NAME
 *                                                            └-- cuda[:N]   the CUDA driver, GPU number N
 *
 * Ownership: device memory is freed with its device at the latest. A module is unloaded before its
 * device is closed; its kernels go with it.
 * Errors: 0, or -1 with a struct err. ERR_LEARNER: the kernel is at fault. A simulated device then
 * names the file and the line; a GPU names the kernel.
 */
#ifndef LOCKSTEP_DEVICE_H
#define LOCKSTEP_DEVICE_H

#include "base/base.h"
#include "model/model.h"

struct device;
struct module; /* a loaded kernel file */
struct kernel; /* one __global__ function of it */

typedef uint64_t dev_ptr; /* an address in device memory; 0 is none */

/* How one launch is shaped and limited. Fields of the other back end are ignored. */
struct launch_shape {
    unsigned grid[3], block[3];
    size_t dynamic_shared; /* bytes */
    unsigned cluster[3];   /* blocks of a cluster; 0: as the kernel says, or 1 */
    /* Simulated devices: */
    /* a warp that executes more instructions counts as endless; 0: the default */
    uint64_t budget;
    /* how many blocks of each multiprocessor run; the counts are scaled up: for launches
     * that are too large to simulate. Outputs are incomplete. 0: all */
    unsigned sample;
    /* how many multiprocessors run, each with the blocks it holds at once. 0: all */
    unsigned sample_sms;
    /* A launch that takes longer counts as endless; 0: on a GPU the default, else the budget
     * decides. */
    double seconds;
};

/* The type of a kernel's parameter, as far as PTX shows it. Signed and unsigned integers may look
 * alike: see struct param. */
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
    /* as PTX has it: a pointer is PARAM_U64 like a u64, an i32 is PARAM_U32 like a u32, and a
     * structure is PARAM_BYTES */
    enum param_type type;
    unsigned bytes;
    unsigned align; /* it starts at a multiple of this */
};

/* Where a time comes from: nowhere, from the model of a simulated device, or from a GPU's clock. */
enum time_kind { TIME_NONE, TIME_MODELLED, TIME_MEASURED };
extern const char *const time_kind_names[]; /* "modelled", "measured"; NULL for TIME_NONE */

/* One source line's share of a launch. */
struct line_counts {
    int line; /* of the main source */
    struct metrics metrics;
};

/* What one warp addressed in one instruction of a line: the first warp that executed it, in the
 * lowest block that did. */
struct line_access {
    int line;
    int shared, write;
    int atomic;               /* if set, write is set, too */
    unsigned bytes;           /* of each lane */
    uint32_t mask;            /* the lanes that took part */
    uint64_t addr[WARP_SIZE]; /* bytes from the start of the buffer, or of shared memory */
    /* the name given to device_alloc, or the variable's name; "" for shared memory */
    char buffer[32];
};

/* Everything known about one launch. device_launch fills it in; measurement_free releases lines,
 * accesses and printed. Fields that a back end does not know stay 0, or NAN in metrics. */
struct measurement {
    enum time_kind time_is;
    double ms;        /* of the kernel alone */
    double launch_ms; /* an empty launch, timed the same way; 0: not known */
    /* the CPU's time for the launch and for waiting; a caller that copies adds in_ms and
     * out_ms; 0: not taken */
    double host_ms;
    /* set by a caller that copies: memory and copies to the device; copies back */
    double in_ms, out_ms;
    enum model_part bottleneck;  /* PART_NONE: not known */
    double part_ms[MODEL_PARTS]; /* each part of a modelled time, alone; else zeros */
    double start_ms;             /* if modelled: the time before its parts run; else 0 */
    struct model_occupancy occupancy;
    struct model_work work; /* if modelled: what ms was computed from; else zeros */
    struct metrics metrics; /* NAN: not counted */
    struct line_counts *lines;
    size_t line_count;
    struct line_access *accesses; /* in the order of lines; simulated devices only */
    size_t access_count;
    char *printed; /* what the kernel printed, simulated devices only; NULL: nothing */
};
void measurement_free(struct measurement *m);
/* Tables of its members, for code that writes or reads one (measurement.c). lists: the members that
 * it owns. */
extern const struct member measurement_members[], measurement_lists[];
/* Which JSON objects have a key: a launch of a profile; the same, not read back; its "occupancy"; a
 * graded step; the same, if it ran on a GPU. */
enum {
    KEY_PROFILE = 1,
    KEY_PROFILE_WRITTEN = 2,
    KEY_OCCUPANCY = 4,
    KEY_GRADE = 8,
    KEY_GRADE_GPU = 16
};

/* One launch of a whole program, passed by its runtime to lockstep profile (launch_file.c). It owns
 * its strings. */
struct launch_file {
    char *device, *file; /* "sim:h200"; the source, which may no longer exist; "": not known */
    char *kernel, *symbol, *what, *ptx; /* symbol or ptx NULL: not known */
    unsigned grid[3], block[3];
    size_t shared; /* dynamic shared memory of a block, in bytes */
    struct measurement m;
};
int launch_file_write(const char *file, const struct launch_file *r, struct err *e);
/* -1 with ERR_USAGE: the file is of another build, or something else. The caller frees *out on
 * success. */
int launch_file_read(const char *file, struct launch_file *out, struct err *e);
void launch_file_free(struct launch_file *r);

/* ---- watching one block of a launch, instruction by instruction: simulated devices only ---- */

enum watch_space { WATCH_GLOBAL, WATCH_SHARED, WATCH_CONST, WATCH_LOCAL };
enum watch_access { WATCH_NONE, WATCH_READ, WATCH_WRITE, WATCH_ATOMIC };
enum watch_kind { WATCH_PLAIN, WATCH_BRANCH, WATCH_BARRIER, WATCH_EXIT };

/* A warp has executed an instruction. Each mask has a bit per lane and shows the state before it.
 * An existing lane in none of active, waits and exited is on another path of a branch. */
struct watch_event {
    /* index in the program as executed; -1: the block starts, perhaps once more */
    int step;
    int line, column; /* of the main source; 0: not known */
    int ptx_line;     /* of the PTX text */
    enum watch_kind kind;
    /* 0: counted; 1: no instruction of the PTX; 2: the assembler drops it */
    int quiet;
    int warp;      /* in the block */
    uint32_t mask; /* lanes that executed it */
    uint32_t exist, active;
    uint32_t waits, exited; /* at a barrier or .sync instruction; returned */
    enum watch_access access;
    enum watch_space space;
    unsigned bytes; /* a lane */
    /* For the lanes of mask: bytes from the start of the buffer, of shared memory or of the lane's
     * own; buffer is as in struct line_access. An access that leaves its buffer may have any
     * address. */
    uint64_t addr[WARP_SIZE];
    char buffer[32];
    int counts; /* it is counted, a load that is part of a merged one as the whole */
    /* For a global access: its sectors (of all turns, if atomic), and the fewest that could hold
     * its words. For a shared access: its wavefronts, and those without bank conflicts. */
    unsigned cost, needed;
    /* The registers that it wrote, or whose values it stored. */
    int value_count;
    struct watch_value {
        int reg;
        /* 'f' float, 'i' signed, 'u' unsigned or unknown, 'p' predicate */
        char type;
        unsigned bytes; /* of the type */
        uint64_t lane[WARP_SIZE];
    } value[5];
    /* Memory after it, valid during the call: the block's shared memory; lane l's own at l *
     * local_bytes. */
    const unsigned char *shared, *local;
    size_t shared_bytes, local_bytes;
    int fault; /* the lane at fault; -1: none */
    /* For a fault in shared memory: the byte, and with WATCH_RACE the earlier access (warp, lane,
     * step). With the other two the block continues to its end: the read was reported when it was
     * executed. */
    struct watch_clash {
        enum {
            WATCH_NO_CLASH,
            WATCH_RACE, /* no barrier stands between the two */
            /* a read; another warp writes the byte later, before the next barrier */
            WATCH_EARLY,
            WATCH_UNWRITTEN /* a read of a byte that nobody has written by then */
        } kind;
        uint64_t addr;
        int warp, lane, step;
    } clash;
};
/* block counts x first, then y, then z. warps: a bit for each warp of the block that is watched in
 * full; of the others only writes to shared memory and faults are reported. If see returns other
 * than 0, the launch ends. */
struct watch {
    uint64_t block;
    uint32_t warps;
    /* compiled without optimisation: it may copy unwritten parts of a structure */
    int unoptimised;
    int (*see)(void *ctx, const struct watch_event *e);
    void *ctx;
};

/* Open "sim:NAME", "cuda" or "cuda:N". The caller closes *out with device_close. */
int device_open(const char *spec, struct device **out, struct err *e);
void device_close(struct device *d);
/* the spec it was opened with */
const char *device_name(const struct device *d);
/* NULL: the kit does not know this GPU */
const struct model_profile *device_profile(const struct device *d);
/* "NVIDIA H200": the GPU's own name */
const char *device_title(const struct device *d);
/* Did a fault of a kernel make the device unusable? Then every call on it returns an error or does
 * nothing, and only another process can open it again. Never true of a simulated device. */
int device_lost(const struct device *d);
/* Does each exercise need a process of its own on this device? Yes if a process that has opened the
 * device must not fork and a kernel's fault makes the device unusable. spec: as for device_open. */
int device_needs_process(const char *spec);
/* Does spec name a simulated device? */
int device_simulated(const char *spec);
/* The device to use if the user names none: "cuda" if a GPU answers, else "sim:h200". */
const char *device_default(void);
/* Append the devices that can be named, one a line. */
void device_list(struct buf *out);

/* Device memory. For messages such as "a[4096]; a has 4096 elements": name is that of the kernel's
 * parameter, element the bytes of one element. On a simulated device a kernel that reads a byte
 * which nothing has written is at fault. */
int device_alloc(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e);
/* Memory that the host, too, reads and writes at *out, between launches. A kernel may read all of
 * it. */
int device_alloc_shared(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e);
int device_free(struct device *d, dev_ptr p, struct err *e);
/* The buffer or variable that an address lies in: its name, and where it starts. -1: none, or not
 * known. */
int device_where(const struct device *d, dev_ptr p, char *name, size_t size, dev_ptr *start);
int device_copy_in(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e);
int device_copy_out(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e);
/* Mark these bytes as unwritten, as after device_alloc, whatever was copied to them. Does nothing
 * on a GPU. */
void device_forget(struct device *d, dev_ptr p, size_t bytes);

/* Make the tensor map of an array of floats or halves: 128 bytes that a kernel passes to the copy
 * engine. ERR_LEARNER: the map is invalid, with the reason. */
int device_tensor_map(struct device *d, const struct model_tensor_map *map,
    unsigned char out[MODEL_TENSOR_MAP_BYTES], struct err *e);

/* Make the next launch find none of its data in the caches. Does nothing on a simulated device,
 * where every launch starts with empty caches. May return before it is done; the launch waits for
 * it. */
int device_flush(struct device *d, struct err *e);

/* Load PTX text (NUL-terminated). name: for messages. main_source: the learner's file, as the
 * compiler was given it; a line of another file (a header) is charged to the line of main_source
 * before it. A kernel that cannot be executed is refused when it is launched; if there is no other
 * kernel, it is refused here. */
int device_load(struct device *d, const char *ptx, const char *name, const char *main_source,
    struct module **out, struct err *e);
void device_unload(struct device *d, struct module *m);
/* Give the text of main_source, so that messages name arrays as it declares them: tile[3][0]. It is
 * copied. Does nothing on a GPU. */
void module_source(struct module *m, const char *text);
/* Give the module's variables their initial content again. Does nothing on a GPU. */
int module_fresh(struct module *m, struct err *e);
/* A __global__ function by its name in the source. NULL: there is none. */
struct kernel *module_kernel(struct module *m, const char *name);
/* how many; *params is k's */
int kernel_params(const struct kernel *k, const struct param **params);
int kernel_line(const struct kernel *k); /* the line of its first instruction; 0: not known */
const char *kernel_symbol(const struct kernel *k); /* its name in the PTX; NULL: not known */
/* Where the program of a kernel keeps a variable of shared or local memory that its PTX declares:
 * bytes from the start of the space. 0 if there is one, else -1. Simulated devices only. */
int kernel_object(const struct kernel *k, const char *symbol, uint64_t *offset);
/* What one thread and one block of a kernel need. -1: not known. */
struct kernel_needs {
    int registers;        /* a thread, 32 bits each */
    int max_threads;      /* __launch_bounds__; 0: none */
    size_t shared, local; /* bytes: static shared memory a block, local memory a thread */
    int grid_sync;        /* it has a barrier of all blocks */
};
int kernel_needs(const struct kernel *k, struct kernel_needs *out);
/* Append the kernel's name as in the source, with template arguments. Nothing where it is not
 * known. */
void kernel_name(const struct kernel *k, struct buf *out);
/* Append the names of the module's kernels, separated by commas. */
void module_kernels(const struct module *m, struct buf *out);
/* The initial content of a __device__ or __constant__ variable: at most max bytes are copied to
 * out. Returns the bytes of the variable, or -1 if there is none. */
long module_initial(const struct module *m, const char *variable, void *out, size_t max);
/* The address of a __device__ or __constant__ variable, for device_copy_in; 0: there is none. */
dev_ptr module_variable(struct module *m, const char *variable, size_t *bytes);

/* Run the kernel to its end. args: for each parameter a pointer to its value in host memory. If out
 * is NULL, nothing is counted or timed; else the caller frees it with measurement_free. */
int device_launch(struct device *d, struct kernel *k, const struct launch_shape *shape,
    const void *const *args, struct measurement *out, struct err *e);

/* How long it takes to copy data to the device, run a kernel over it and copy the result back. *is:
 * measured by the CPU's clock (the median of several runs), or modelled. */
int device_transfer(struct device *d, const struct model_transfer *t, double *ms,
    enum time_kind *is, struct err *e);

/* Settings of a device. All zeros is what users get; tests and benchmarks change a setting before a
 * launch, or unoptimised before a load. No setting changes a result or counter of a correct
 * kernel. */
struct device_settings {
    int threads;   /* host threads that simulate; 0: one for each core */
    int masked;    /* simulate every instruction by the code for warps with inactive lanes */
    int unchecked; /* simulate without racecheck and initcheck */
    /* warps that write the same value to a word do not race: for whole programs */
    int same_value_ok;
    /* let an access a little outside a buffer continue: a load reads 0, a store is lost */
    int lenient;
    /* simulate without counters and time: only printed is filled in */
    int uncounted;
    /* Load modules for uncounted launches only, which is faster; their text may move the registers
     * of unfinished tensor core products. */
    int load_uncounted;
    uint64_t executed; /* grows by the work of each simulated launch, in warp instructions */
    /* simulate all blocks, but count only those of this many multiprocessors, scaled; 0: all */
    int count_sms;
    int unoptimised; /* tell a GPU's driver not to optimise the PTX */
    /* The next launches run this block alone, on the simulator, and count nothing. NULL: all
     * blocks. */
    const struct watch *watch;
    /* Called by the launching thread while a launch is simulated, with the fraction done; may be
     * NULL. */
    void (*progress)(void *context, double share);
    /* Called with all that a simulated launch printed; NULL: its measurement has it, shortened. */
    void (*print)(void *context, const char *text);
    void *context;
};
struct device_settings *device_settings(struct device *d);

/* ---- for back ends only ---- */

/* One back end. Each function implements the call of the same name above, with the same errors. */
struct device_ops {
    const char *scheme; /* "sim" */
    int needs_process;  /* see device_needs_process */
    /* rest: after "scheme:"; may be "" */
    int (*open)(const char *rest, struct device *d, struct err *e);
    void (*close)(struct device *d);
    int (*alloc)(struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out,
        struct err *e);
    /* NULL: there is no such memory */
    int (*alloc_shared)(struct device *d, size_t bytes, const char *name, size_t element,
        dev_ptr *out, struct err *e);
    int (*free)(struct device *d, dev_ptr p, struct err *e);
    int (*copy_in)(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e);
    int (*copy_out)(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e);
    /* NULL: not known */
    int (*where)(const struct device *d, dev_ptr p, char *name, size_t size, dev_ptr *start);
    void (*forget)(struct device *d, dev_ptr p, size_t bytes); /* NULL: nothing to do */
    /* for a map that model_tensor_map_bad accepts; NULL: the bytes are those of the
     * model */
    int (*tensor_map)(struct device *d, const struct model_tensor_map *map,
        unsigned char out[MODEL_TENSOR_MAP_BYTES], struct err *e);
    int (*flush)(struct device *d, struct err *e);
    int (*load)(struct device *d, const char *ptx, const char *name, const char *main_source,
        struct module *m, struct err *e);
    void (*unload)(struct device *d, struct module *m);
    void (*source)(struct module *m, const char *text); /* NULL: nothing to do */
    int (*fresh)(struct module *m, struct err *e);      /* NULL: nothing to do */
    struct kernel *(*kernel)(struct module *m, const char *name);
    /* The kernel's name in the PTX, which C++ may have mangled. Simulated devices only. */
    const char *(*symbol)(const struct kernel *k);
    void (*name)(const struct kernel *k, struct buf *out);          /* NULL: not known */
    int (*needs)(const struct kernel *k, struct kernel_needs *out); /* NULL: not known */
    int (*params)(const struct kernel *k, const struct param **params);
    int (*line)(const struct kernel *k);
    /* NULL: not known */
    int (*object)(const struct kernel *k, const char *symbol, uint64_t *offset);
    void (*kernels)(const struct module *m, struct buf *out);
    long (*initial)(const struct module *m, const char *variable, void *out, size_t max);
    dev_ptr (*variable)(struct module *m, const char *variable, size_t *bytes);
    int (*launch)(struct device *d, struct kernel *k, const struct launch_shape *shape,
        const void *const *args, struct measurement *out, struct err *e);
    int (*transfer)(struct device *d, const struct model_transfer *t, double *ms,
        enum time_kind *is, struct err *e);
    void (*list)(struct buf *out);
    int (*present)(void); /* is there such a device on this machine? */
};

/* A device that is open. A back end fills in profile, title, lost and state; device.c fills in the
 * rest. */
struct device {
    const struct device_ops *ops;
    const struct model_profile *profile;
    char *name;
    const char *title; /* owned by the back end */
    int lost;
    struct device_settings settings;
    void *state; /* the back end's */
};
/* The handles that callers hold. Each points to what it belongs to; state is the back end's own
 * data. */
struct module {
    struct device *device;
    void *state;
};
struct kernel {
    struct module *module;
    void *state;
};

extern const struct device_ops device_sim;
/* finds the driver by dlopen; without it present() is 0 */
extern const struct device_ops device_cuda;

#endif
