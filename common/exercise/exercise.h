/* exercise.h - the labs as data, and the one way from a learner's file to a launch.
 *
 *     labs/NN-idea/lab.c ──> struct lab ── exercises ── steps ── budgets, predictions
 *                                                        │
 *     problem: inputs from a seed, the CPU's answer  <───┘
 *
 *     workbench: kit + front end + device + directory
 *         │
 *     build:  file ── compile ──> PTX ── load ──> module ── bind ──> steps, ready to run
 *
 * A file is compiled once and its PTX parsed once, however many shapes and counters are asked of it. Everything that is opened here is
 * closed by the caller; strings that a function returns are the caller's, to be freed. Errors: 0 or -1 with a struct err.
 */
#ifndef LOCKSTEP_EXERCISE_H
#define LOCKSTEP_EXERCISE_H

#include "base/base.h"
#include "device/device.h"
#include "model/model.h"

/* ---- labs as data ---- */

/* labs/NN-idea/lab.c defines one struct lab; table.c lists them in order. An exercise is one file of the learner; its steps are the
 * kernels in it that are run, its predictions the numbers the learner wrote down beforehand. */

/* Problems (problem.c): what a kernel computes.
 *
 * name          parameters                                             result (row-major, floats unless said)
 * copy          const float *in, float *out, int rows, int cols        out = in
 * transpose     const float *in, float *out, int rows, int cols        out[c * rows + r] = in[r * cols + c]
 * matmul        const float *a, const float *b, float *c, int m, int k, int n      c = a b: (m x k)(k x n)
 * aat           const float *a, float *c, int m, int w                 c = a a^T: a is m x w, c is m x m
 * norm_aos      const double *points, double *out, int n               out[i] = x^2 + y^2 + z^2 of points[3i..3i+2]
 * norm_soa      const double *x, const double *y, const double *z, double *out, int n        the same of x, y, z [i]
 * copy_offset   const float *in, float *out, int n, int offset         out[i] = in[i + offset]
 * copy_stride   const float *in, float *out, int n, int stride         out[i] = in[i * stride]
 * copy_group    const float *in, float *out, int n, int group          out[i] = in[i / group * group]
 * copy_doubles  const double *in, double *out, int n                   out = in
 * copy_points   const float *in, float *out, int n                     out = in, 3 n floats: n points of x, y, z
 * polynomial    const float *table, const int *index, float *out, int n, int length
 *                   out[i] = sum over j of coef[j] x^j, x = table[index[i]], 0 <= index[i] < length;
 *                   __constant__ float coef[8] is filled in by the kit
 * parity        const float *in, float *out, int n                     16 times x = 0.5 x + 1 where i is even,
 *                                                                      16 times x = 0.25 - 0.5 x where i is odd
 * unequal       const float *in, float *out, int n                     1 + i % 32 times x = 0.5 x + 1
 *
 * dims are the int parameters in their order. Extents of the grid: two-dimensional problems have x over columns and y
 * over rows (of in for transpose and copy, of the result for the products), unless the step says x_owns_rows;
 * one-dimensional ones have x over n. The grid is what covers the extents: blocks = ceil(extent / COVERS).
 */
enum { DIMS = 3 };

/* Budgets: what the counters must show, at the step's size. */

enum budget_rule { AT_MOST, AT_LEAST };
struct budget {
    enum metric metric;
    enum budget_rule rule;
    double limit;
    int points;
    const char *why; /* one sentence for a learner who misses it */
};

struct prediction {
    const char *name;   /* as in PREDICT(name, value) */
    int step;           /* the index of the step that is counted */
    enum metric metric; /* what it must equal, as a whole number */
    int points;
    const char *asks;   /* the question, in one sentence */
};

struct step {
    const char *kernel;          /* the __global__ function, or the C function of a host exercise */
    const char *problem;         /* a name of the table above */
    int dims[DIMS];              /* the size at which counters and time are taken */
    int most[DIMS];              /* the largest value of each dimension in random shapes; 0: no limit of its own */
    int fixed[DIMS];             /* dimensions that are a parameter of the pattern: never varied when not 0 */
    int x_owns_rows;             /* x of the grid runs over rows */
    int correct_points;          /* for being right, on every shape */
    int speed_points;            /* for the time against the reference's */
    const struct budget *budgets;/* ends at points and why both 0/NULL; NULL: none */
    const char *rung;            /* the row's name in the ladder ("naive", "coalesced"); NULL: not in the ladder */
};

enum exercise_kind { EXERCISE_CUDA, EXERCISE_HOST /* NAME.c, run in a child process */ };
struct exercise {
    const char *name;                      /* the file is NAME.cu or NAME.c */
    enum exercise_kind kind;
    const char *title;                     /* one line */
    const struct step *steps;              /* ends at kernel NULL */
    const struct prediction *predictions;  /* ends at name NULL; NULL: none */
};

struct lab {
    const char *name;                      /* "01-naive": the folder under labs/ and solutions/ */
    const char *title;
    const struct exercise *exercises;      /* ends at name NULL */
};
extern const struct lab *const lab_table[];/* ends at NULL; table.c */

/* An exercise's full marks: correct, speed, budgets and predictions together. Any kernel that is wrong or faults in a
 * step makes the exercise 0. */
int exercise_max_points(const struct exercise *x);

/* ---- the rungs of a problem ---- */

/* The reference's kernels, slowest idea first, in the order of the labs. */
struct rung {
    const struct lab *lab;
    const struct exercise *exercise;
    int step;
};
/* Kernels and host C are ladders of their own. Calls visit for each rung of the problem in table order, until it
 * returns non-zero, which is returned. */
typedef int rung_visit(void *context, const struct rung *r);
int ladder_walk(const char *problem, enum exercise_kind kind, rung_visit *visit, void *context);

/* The rung before this step on its ladder. 0, or -1 when it is the first, or is no rung. */
int ladder_before(const struct lab *lab, const struct exercise *x, int step, struct rung *out);


/* ---- problems: what a kernel computes, its inputs from a seed, the CPU's answer ---- */

enum element { ELEMENT_F32, ELEMENT_F64, ELEMENT_I32 };
size_t element_bytes(enum element e);

enum { BUFFERS = 4, COEFS = 8 };

struct instance;
struct expected;

struct problem_buffer {
    const char *name; /* of the parameter; NULL after the last */
    enum element element;
};

struct problem {
    const char *name;
    const char *signature;                /* the parameter list, as a learner would write it */
    struct problem_buffer buffers[BUFFERS + 1];
    int output;                           /* the index of the one buffer that the kernel writes */
    const char *dim_names[DIMS + 1];      /* ends at NULL */
    int parameter_dim;                    /* this dimension shapes the pattern (an offset, a stride), it is no size; 0: none */
    int two_dimensional;
    const char *unit;                     /* of its rate: "GB/s" or "GFLOPS" */

    /* elements of each buffer */
    void (*counts)(const int *dims, size_t *count);
    /* the output as rows x columns, row-major; one-dimensional results are 1 x n */
    void (*result)(const int *dims, size_t *rows, size_t *columns);
    /* the grid's extents, x and y */
    void (*extents)(const int *dims, long *x, long *y);
    /* useful bytes (GB/s) or floating-point operations (GFLOPS) */
    double (*useful)(const int *dims);
    void (*answer)(const struct instance *in, struct expected *out);
};

const struct problem *problem_find(const char *name); /* NULL when there is none */
const struct problem *problem_at(int i);              /* 0, 1, ...; NULL after the last */
int problem_buffers(const struct problem *p);
int problem_dims(const struct problem *p);
/* "37 x 101" or "n = 1000, offset = 3". The caller frees it. */
char *problem_size(const struct problem *p, const int *dims);
/* GB/s or GFLOPS (p->unit) of a run that took ms. */
double problem_rate(const struct problem *p, const int *dims, double ms);

/* One problem at one size. Inputs are drawn from a seed; data[output] is left to whoever runs it (zeros). */
struct instance {
    const struct problem *problem;
    int dims[DIMS];
    size_t count[BUFFERS]; /* elements */
    void *data[BUFFERS];
    float coef[COEFS];     /* for polynomial: what __constant__ coef holds */
};
void instance_make(struct instance *in, const struct problem *p, const int *dims, uint64_t seed);
void instance_free(struct instance *in);
size_t instance_bytes(const struct instance *in, int buffer);

/* The answer: value in double and the largest error that is accepted at each element.
 *
 * A product's element is a sum over K terms. Summed in float in any order, its error stays, for signed random terms,
 * within a few units of u |a_row| |b_column| (u = 2^-24, Euclidean norms, so K is inside: the norms grow with it);
 * the slack is 12 of them. Terms rounded to half precision are off by some 2^13 / sqrt(K) of them, zeros by 2^24 / sqrt(K). */
struct expected {
    size_t count;
    double *value;
    float *slack; /* NULL: the answer must be equal */
};
void expected_make(struct expected *x, const struct instance *in);
void expected_free(struct expected *x);

/* Sizes on which a step is checked: simple ones first, then non-square, odd and size 1, each within the step's limits.
 * Returns how many of shapes[] were filled. */
enum { SHAPES = 8 };
int problem_shapes(const struct problem *p, const struct step *step, struct rng *rng, int shapes[SHAPES][DIMS]);

/* What outputs and guard bands hold before a launch, by elements of 4 or 8 bytes: signalling NaNs with a payload of their
 * own. None passes for an answer; arithmetic makes a quiet NaN of them; so what is still the same was never written. */
void poison_fill(void *data, size_t bytes, size_t element);
int poison_whole(const void *data, size_t bytes, size_t element); /* is all of it still poison? whole elements */

/* ---- where the kit's own files are, and its cache of what took time to make ---- */

/* The directory that holds common/, labs/ and solutions/: found from where the program lies, else the current one.
 * ERR_ENV when neither is it. */
struct kit {
    char *root;  /* relative to the current directory where it is inside or the same ("."), else absolute */
    char *cache; /* build/cache under it; NULL: cannot be written, nothing is kept */
};
int kit_find(struct kit *k, struct err *e);
void kit_free(struct kit *k);
/* ROOT/relative, without a leading "./". The caller frees it. */
char *kit_path(const struct kit *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A fresh private directory for temporary files; spawn_remove_directory removes it. NULL and *e when there is none. */
char *kit_temporary(const struct kit *k, struct err *e);

/* The cache. An entry is stored with the whole of its key, and found only where key and entry agree byte for byte, so
 * that no two keys are ever taken for each other. Safe from several threads and programs: entries are renamed in. */
int cache_get(const struct kit *k, const struct buf *key, struct buf *value); /* 0 when found, -1 when not */
void cache_put(const struct kit *k, const struct buf *key, const struct buf *value);

/* ---- from a file to PTX, by clang or nvcc ---- */

/* The front end: one for student and reference alike. */
struct front {
    const char *kind; /* "clang" or "nvcc" */
    char *path;
    char *name;       /* "clang 14.0.6" */
};
/* kind: "clang", "nvcc" or NULL for the one that is there, clang first. */
int front_find(struct front *f, const char *kind, struct err *e);
void front_free(struct front *f);

enum compile_status {
    COMPILE_OK,
    COMPILE_MISSING, /* there is no such file */
    COMPILE_BAD,     /* the file's fault: output says why */
    COMPILE_BROKEN,  /* the machine's fault: err says what */
};
struct compiled {
    char *file;         /* the path, as the compiler was given it */
    char *source;       /* its text; NULL when it could not be read */
    char *ptx;          /* NULL unless COMPILE_OK */
    struct buf output;  /* what the compiler said, or the one line why it was not asked */
    struct err err;
    enum compile_status status;
};
/* file is copied. */
void compile_kernel(const struct kit *k, const struct front *f, const char *file, struct compiled *out);
void compiled_free(struct compiled *c);
/* The same for a file that nobody grades: it may include what it likes, and need not include lockstep.h. CUDA's own headers
 * have stubs (common/cuda/stubs) where the compiler is clang. Nothing is kept. */
void compile_any(const struct kit *k, const struct front *f, const char *file, struct compiled *out);

/* Many at once, on all cores. */
void compile_kernels(const struct kit *k, const struct front *f, char *const *files, struct compiled *out, int count);

/* Line number line of text, without its newline or indentation; the caller frees it. */
char *source_line(const char *text, int line);

/* ---- kernels that fit their step ---- */

/* A kernel that fits its step: found, its parameters those of the problem, its launch shape one that the device takes. */
struct bound {
    struct device *device;
    struct kernel *kernel;
    const struct problem *problem;
    const struct step *step;
    dev_ptr coef; /* polynomial's constant coefficients; 0 elsewhere */
    unsigned block[2], covers[2];
    size_t shared;
};
/* file: for messages. -1 with ERR_LEARNER: the text says what to write. */
int run_bind(struct bound *b, struct device *d, struct module *m, const struct step *step, const char *file, struct err *e);

/* The grid and block that it is launched with at a size. -1 with ERR_LEARNER: more blocks than the device takes. */
int run_shape(const struct bound *b, const int *dims, struct launch_shape *shape, struct err *e);

/* Launch on in->data's inputs; the output comes back in in->data[output]. m may be NULL: nothing is counted then.
 * -1 with ERR_LEARNER: the kernel faulted, changed an input, or wrote beside its buffers. */
int run_kernel(const struct bound *b, struct instance *in, struct measurement *m, struct err *e);

/* The learner's number in PREDICT(name, number); -1 (UNKNOWN) where there is none. */
int run_prediction(struct module *m, const char *name);

/* ---- the workbench, and builds on it ---- */

struct workbench {
    struct kit kit;
    struct front front;     /* of PTX that was brought along: its name alone */
    char *directory;        /* of the files, laid out as labs/ */
    const char *ptx;        /* directory of PTX that was brought along: PTX/LAB/EX.ptx and PTX/front; NULL: compiled here */
    char *name;             /* the device where kernels run and are timed, as device_open takes it */
    char *title;            /* "NVIDIA H200" */
    char *counter;          /* the simulated device that counts: the same, or another where the device counts nothing */
    struct device *device;  /* that device; NULL where each exercise opens it in a process of its own */
};
struct workbench_options {
    const char *device, *front; /* NULL: the default */
    const char *directory;      /* NULL: the kit's solutions */
    const char *ptx;            /* as in struct workbench */
    int forks;                  /* work is done in processes of their own where the device asks for it (device_needs_process) */
};
/* The strings of o stay the caller's; ptx must outlive w. Close it in every case. */
int workbench_open(struct workbench *w, const struct workbench_options *o, struct err *e);
void workbench_close(struct workbench *w);
int workbench_simulated(const struct workbench *w);
/* Open w->device where it is not open yet: in a process of an exercise, which from then on starts no other. */
int workbench_device(struct workbench *w, struct err *e);
/* The path of an exercise's file under a directory laid out as labs/. The caller frees it. */
char *workbench_file(const char *directory, const struct lab *lab, const struct exercise *x);

enum { STEPS_MAX = 16 };
struct host_program;
struct host_process;
struct build {
    struct workbench *workbench;
    const struct exercise *exercise; /* NULL: a file of nobody's exercise */
    struct compiled compiled;
    struct device *device;           /* the workbench's, or, where that is simulated, one of its own, so that no file finds
                                        another's memory; set before build_bind: that one */
    struct module *module;
    struct bound bound[STEPS_MAX];
    struct device *counter;          /* beside a GPU, which counts nothing: opened when it is first asked */
    struct module *counted;
    struct bound counted_bound[STEPS_MAX];
    struct host_program *program;    /* of EXERCISE_HOST */
    struct host_process *process;
};
/* Compile an exercise of a directory laid out as labs/; compiled.status says how the compiler fared. Then load and bind its steps, if
 * it compiled: on a GPU, no compiler may be started any more after that. -1 with ERR_LEARNER: it compiles, but does not fit;
 * ERR_ENV: the machine. Close it in every case. */
void build_compile(struct build *b, struct workbench *w, const char *directory, const struct lab *lab, const struct exercise *x);
int build_bind(struct build *b, struct err *e);
/* Both, of the workbench's directory; what does not compile is ERR_LEARNER here, too, with what the compiler said. */
int build_open(struct build *b, struct workbench *w, const struct lab *lab, const struct exercise *x, struct err *e);
/* Any file of kernels, to be launched by hand. As build_open, without steps. */
int build_open_file(struct build *b, struct workbench *w, const char *file, struct err *e);
void build_close(struct build *b);

/* Run a step.
 *   RUN_PLAIN    for its result alone; m is not touched and may be NULL
 *   RUN_TIMED    and its time on the workbench's device
 *   RUN_COUNTED  and its counters, where the exercise has kernels: in memory that nobody has used, so that they depend on nothing
 *                that ran before
 * The caller frees m. */
enum run_kind { RUN_PLAIN, RUN_TIMED, RUN_COUNTED };
int build_run(struct build *b, int step, struct instance *in, enum run_kind how, struct measurement *m, struct err *e);

/* Run a step on the simulated device beside a GPU, whose checks a GPU has not: what lies out of bounds is an error there even
 * where it did no harm here. Nothing to do on a simulated device. in's output is written again. */
int build_check(struct build *b, int step, struct instance *in, struct err *e);

int exercise_steps(const struct exercise *x);

/* ---- arguments of a kernel by hand ---- */

/*
 *     i32:1024  u32:7  i64:-1  u64:5  f32:1.5  f64:0  buf:f32:COUNT[:rand|iota|zero|fill=V|none]
 *     struct:{i32:64,buf:f32:64,{f32:1,f32:2}}  bytes:0000803f
 *
 * A structure's members are numbers of any type, buffers and structures, placed as C places them; align:16 among them stands for what
 * a type such as float4 asks: the next member starts at a multiple of 16 bytes, and so does the structure. bytes: are those of the
 * parameter in hexadecimal digits, from the lowest address on.
 *
 * A buffer's elements are f32, f64, i32, u32, i64, u64, i16, u16, i8 or u8. rand, the default, is in [0, 1) for f32 and f64, and
 * in [0, 100) for the others, from a fixed seed; iota counts 0, 1, 2; what none leaves is an error to read before it is written. */
enum { ARGS_MAX = 32 };
struct arguments {
    int count;
    unsigned char *value[ARGS_MAX];   /* the bytes of each, from the lowest on */
};
/* Check the words against the kernel's parameters, and place buffers on the device. file: for messages. ERR_USAGE. Free a in every case. */
int arguments_place(struct arguments *a, struct device *d, const struct kernel *k, const char *name, const char *file,
                    const char *const *words, int count, struct err *e);
void arguments_free(struct arguments *a);


#endif
