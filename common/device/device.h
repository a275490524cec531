/* device.h - the waist: one interface, two back ends.
 *
 *     lab ── open, load, alloc, copy, launch ──> device ──┬── sim:NAME   the simulator as the GPU NAME
 *                                                         └── cuda[:N]   the CUDA driver
 *
 * Ownership: what a device gives out (modules, kernels, addresses) is freed with it, at the latest.
 * Errors: 0 or -1 with a struct err. ERR_LEARNER means the kernel was at fault: the text names its file and line.
 */
#ifndef LOCKSTEP_DEVICE_H
#define LOCKSTEP_DEVICE_H

#include "base/base.h"
#include "model/model.h"

struct device;
struct module; /* a loaded kernel file */
struct kernel; /* one __global__ function of it */

typedef uint64_t dev_ptr; /* an address in device memory; 0 is never valid */

struct launch_shape {
    unsigned grid[3], block[3];
    size_t dynamic_shared; /* bytes */
    uint64_t budget;       /* the most instructions a warp may execute before it counts as endless; 0: the device's own
                              limit; a device that does not count while it runs has none */
    unsigned sample;       /* only so many blocks a multiprocessor run, and the rest is taken to be like them: for times of launches
                              that are too large to simulate. Outputs are incomplete. 0: all; a GPU runs all */
    unsigned sample_sms;   /* the same of multiprocessors: so many run the blocks that they hold at once. 0: all; a GPU runs all */
    double seconds;        /* the same for a device that has a clock instead: how long the launch may take; 0: its own */
};

enum param_type { PARAM_POINTER, PARAM_I32, PARAM_U32, PARAM_I64, PARAM_U64, PARAM_F32, PARAM_F64, PARAM_BYTES };
struct param {
    enum param_type type; /* as PTX tells it: a pointer and a u64 both read PARAM_U64, i32 and u32 both PARAM_U32 */
    unsigned bytes;
    unsigned align;       /* where a structure may start: at multiples of it */
};

enum time_kind { TIME_NONE, TIME_MODELLED, TIME_MEASURED };

/* One source line's share of a launch. */
struct line_counts {
    int line;         /* of the main source */
    struct metrics metrics;
};

/* What one warp addressed in one instruction of a line: the first warp that executed it, in the first block that did. */
struct line_access {
    int line;
    int shared, write;
    int atomic;            /* write is set, too */
    unsigned bytes;        /* a lane */
    uint32_t mask;         /* lanes that took part */
    uint64_t addr[WARP_SIZE]; /* bytes from the start of the buffer, or of shared memory */
    char buffer[32];       /* the name that device_alloc was given, or the variable's; "" for shared memory */
};

struct measurement {
    enum time_kind time_is;
    double ms;             /* of the kernel alone */
    double launch_ms;      /* what an empty launch, timed the same way, takes of it; 0: not known */
    double host_ms;        /* what the CPU spends on the launch and waits for it; 0: not taken. Whoever also copies adds what */
    double in_ms, out_ms;  /* that takes: memory and copies to the device, and back from it */
    enum model_part bottleneck; /* PART_NONE: not known */
    double part_ms[MODEL_PARTS]; /* of the modelled time: each part alone; else zeros */
    struct model_occupancy occupancy;
    struct metrics metrics; /* NAN where not counted */
    struct line_counts *lines;
    size_t line_count;
    struct line_access *accesses; /* by line; where the device keeps them */
    size_t access_count;
    char *printed;         /* what the kernel printed, where the device takes it down; NULL: nothing */
};
void measurement_free(struct measurement *m);

/* Open "sim:NAME", "cuda" or "cuda:N". */
int device_open(const char *spec, struct device **out, struct err *e);
void device_close(struct device *d);
const char *device_name(const struct device *d);                    /* the spec it was opened by */
const struct model_profile *device_profile(const struct device *d); /* NULL when the GPU is none the kit knows */
const char *device_title(const struct device *d); /* "NVIDIA H200": the GPU's own name */
/* Did a kernel take the device with it? Then nothing runs on it any more, whatever is asked of it returns an error or does
 * nothing, and only another process can open it again. Never on a simulated device. */
int device_lost(const struct device *d);
/* Does opening it forbid this process to fork, and a kernel's fault spoil it? Then each exercise needs a process of its
 * own. spec as for device_open. */
int device_needs_process(const char *spec);
/* Does spec name a simulated device? */
int device_simulated(const char *spec);
/* The spec to use where the user named none: "cuda" where a GPU answers, else "sim:h200". */
const char *device_default(void);
/* Print the devices that can be named, one a line, for messages. */
void device_list(struct buf *out);

/* Device memory. name (of the kernel's parameter) is for messages: "a[4096]; a has 4096 elements"; element is the
 * bytes of one element. readonly: a store to it is an error. */
int device_alloc(struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e);
int device_free(struct device *d, dev_ptr p, struct err *e);
int device_copy_in(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e);
int device_copy_out(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e);
/* Nobody has written these bytes, whatever was copied to them: as after device_alloc, a kernel is at fault that reads one of
 * them before it has written it. A simulated device tells; on others nothing happens. */
void device_forget(struct device *d, dev_ptr p, size_t bytes);

/* Make sure that the next launch finds none of its data in the caches. Nothing to do on a simulated device, where every
 * launch starts so. May return before it is done; the launch waits for it. */
int device_flush(struct device *d, struct err *e);

/* Load PTX text (NUL-terminated); name is for messages; main_source is the learner's file as the compiler was given
 * it: lines of other files (headers) are charged to the line of main_source before them. A kernel that a simulated device
 * can't execute is refused when it is launched, and a file of no others at once. */
int device_load(struct device *d, const char *ptx, const char *name, const char *main_source, struct module **out, struct err *e);
void device_unload(struct device *d, struct module *m);
/* The module's variables hold their initial content again. A simulated device's; on others nothing happens. */
int module_fresh(struct module *m, struct err *e);
/* A __global__ function by its name in the source. params stays owned by the kernel. NULL when there is none. */
struct kernel *module_kernel(struct module *m, const char *name);
int kernel_params(const struct kernel *k, const struct param **params);
int kernel_line(const struct kernel *k); /* of its definition */
const char *kernel_symbol(const struct kernel *k); /* its name in the PTX, mangled */
/* Names of all kernels in the module, comma-separated, for messages. */
void module_kernels(const struct module *m, struct buf *out);
/* The initial content of a __device__ or __constant__ variable: returns its size, or -1 when there is none;
 * at most max bytes are copied to out. */
long module_initial(const struct module *m, const char *variable, void *out, size_t max);
/* The address of a __device__ or __constant__ variable, for device_copy_in; 0 when there is none. */
dev_ptr module_variable(struct module *m, const char *variable, size_t *bytes);

/* Run the kernel to its end. args: one pointer a parameter, to its value in host memory. out may be NULL, then nothing
 * is counted. */
int device_launch(struct device *d, struct kernel *k, const struct launch_shape *shape, const void *const *args,
                  struct measurement *out, struct err *e);

/* How long it takes to bring data to the device, to run a kernel over it and to bring the result back: measured by the CPU's
 * clock, the middle of some runs, or modelled. */
int device_transfer(struct device *d, const struct model_transfer *t, double *ms, enum time_kind *is, struct err *e);

/* How a device runs, to be changed before a launch or, for unoptimised, before a load. All zeros: as it does for a user. None of them may
 * change a result or a counter. */
struct device_settings {
    int threads;     /* of the host that simulate; 0: as many as there are cores */
    int masked;      /* simulate as if some lanes were always off */
    int unchecked;   /* simulate without racecheck and initcheck */
    int unoptimised; /* a GPU's driver does not optimise what is loaded */
};
struct device_settings *device_settings(struct device *d);

/* ---- for back ends only ---- */

struct device_ops {
    const char *scheme; /* "sim" */
    int needs_process;  /* see device_needs_process */
    int (*open)(const char *rest, struct device *d, struct err *e); /* rest: what follows "scheme:"; may be "" */
    void (*close)(struct device *d);
    int (*alloc)(struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e);
    int (*free)(struct device *d, dev_ptr p, struct err *e);
    int (*copy_in)(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e);
    int (*copy_out)(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e);
    void (*forget)(struct device *d, dev_ptr p, size_t bytes); /* NULL: nothing to do */
    int (*flush)(struct device *d, struct err *e);
    int (*load)(struct device *d, const char *ptx, const char *name, const char *main_source, struct module *m, struct err *e);
    void (*unload)(struct device *d, struct module *m);
    int (*fresh)(struct module *m, struct err *e); /* NULL: nothing to do */
    struct kernel *(*kernel)(struct module *m, const char *name);
    const char *(*symbol)(const struct kernel *k);
    int (*params)(const struct kernel *k, const struct param **params);
    int (*line)(const struct kernel *k);
    void (*kernels)(const struct module *m, struct buf *out);
    long (*initial)(const struct module *m, const char *variable, void *out, size_t max);
    dev_ptr (*variable)(struct module *m, const char *variable, size_t *bytes);
    int (*launch)(struct device *d, struct kernel *k, const struct launch_shape *shape, const void *const *args,
                  struct measurement *out, struct err *e);
    int (*transfer)(struct device *d, const struct model_transfer *t, double *ms, enum time_kind *is, struct err *e);
    void (*list)(struct buf *out);
    int (*present)(void); /* does such a device answer on this machine? */
};

struct device {
    const struct device_ops *ops;
    const struct model_profile *profile;
    char *name;
    const char *title; /* owned by the back end */
    int lost;
    struct device_settings settings;
    void *state; /* the back end's */
};
struct module {
    struct device *device;
    void *state;
};
struct kernel {
    struct module *module;
    void *state;
};

extern const struct device_ops device_sim;
extern const struct device_ops device_cuda; /* resolves the driver by dlopen; present() is 0 without it */

#endif
