/* exercise.h - the labs as data, and all that leads from a learner's file to a launch.
 *
 *     labs/NN-idea/lab.c ──> struct lab ── exercises ── steps ── budgets, predictions
 *                                                        │
 *     problem: inputs from a seed, the CPU's answer  <───┘
 *
 *     workbench: kit + front end + device + directory
 *         │
 *     build:  file -- compile --> PTX -- load --> module -- bind --> steps, ready to run
 *
 * A file is compiled once, for any number of shapes and counters. The caller closes what it
 * opens, and frees each char * that a function returns. Errors: 0, or -1 with a struct err. */
#ifndef LOCKSTEP_EXERCISE_H
#define LOCKSTEP_EXERCISE_H

#include "base/base.h"
#include "device/device.h"
#include "model/model.h"

/* ---- labs as data ---- */

/* labs/NN-idea/lab.c defines one struct lab; table.c lists them in order. An exercise is one
 * file of the learner. Its steps are the kernels in it that are run; its predictions are numbers
 * that the learner writes down before the run. */

/* Problems (problem.c): what a kernel computes.
 *
 * name          parameters                                             result (row-major, floats unless said)
 * add           const float *a, const float *b, float *out, int n      out[i] = a[i] + b[i]
 * copy          const float *in, float *out, int rows, int cols        out = in
 * copy_all      const float *in, float *out, int n                     out = in: n floats
 * transpose     const float *in, float *out, int rows, int cols        out[c * rows + r] = in[r * cols + c]
 * matmul        const float *a, const float *b, float *c, int m, int k, int n      c = a b: (m x k)(k x n)
 * matmul_tf32   as matmul                                              the same, factors rounded to TF32
 * matmul_half   as matmul                                              the same, factors rounded to halves
 * matmul_halves const __half *a, const __half *b, float *c, int m, int k, int n    c = a b
 * aat           const float *a, float *c, int m, int w                 c = a a^T: a is m x w, c is m x m
 * diagonal      const float *a, float *d, int m, int w                 d[i] = element (i, i) of a a^T
 * norm_aos      const double *points, double *out, int n
 *                   out[i] = x^2 + y^2 + z^2 of points[3i..3i+2]
 * norm_soa      const double *x, const double *y, const double *z, double *out, int n
 *                   the same of x[i], y[i], z[i]
 * copy_offset   const float *in, float *out, int n, int offset         out[i] = in[i + offset]
 * copy_stride   const float *in, float *out, int n, int stride         out[i] = in[i * stride]
 * copy_group    const float *in, float *out, int n, int group          out[i] = in[i / group * group]
 * copy_doubles  const double *in, double *out, int n                   out = in
 * copy_points   const float *in, float *out, int n                     out = in: n points of x, y, z
 * polynomial    const float *table, const int *index, float *out, int n, int length
 *                   out[i] = sum over j of coef[j] x^j, x = table[index[i]], 0 <= index[i] < length;
 *                   __constant__ float coef[8] is filled in by the kit
 * parity        const float *in, float *out, int n                     16 times x = 0.5 x + 1 if i is even,
 *                                                                      16 times x = 0.25 - 0.5 x if i is odd
 * unequal       const float *in, float *out, int n                     1 + i % 32 times x = 0.5 x + 1
 *
 * dims are the int parameters, in their order. The grid covers the extents: blocks = ceil(extent /
 * COVERS). In a two-dimensional problem x goes over columns and y over rows (of in for transpose
 * and copy, of the result for the products), unless the step says x_owns_rows. For diagonal x goes
 * over the rows of a. In a one-dimensional problem x goes over n.
 */
enum { DIMS = 3 };

/* Budgets: limits on the counters of a step at its own size. */

/* A limit on one counter. Its points are earned if the counter keeps within the limit. */
enum budget_rule { AT_MOST, AT_LEAST };
struct budget {
    enum metric metric;
    enum budget_rule rule;
    double limit;
    int points;
    const char *why; /* one sentence for a learner who misses this budget */
    /* not 0: a value up to twice the limit (or down to half) still shows the technique, in a
     * smaller degree, as a 16 x 16 tile does instead of 32 x 32; it costs only the points of
     * this budget */
    int degree;
};

/* What a prediction asks for. All but the first two are about a suspect (struct step). */
enum predicted {
    PREDICTED_COUNT,  /* the metric of the whole launch, rounded to an integer */
    PREDICTED_BLOCKS, /* how many blocks fit on a multiprocessor */
    /* PREDICTED_LINE: the line of the learner's file that faults or, if the kernel does not fault,
     * the line that adds most to the metric. PREDICTED_OTHER_LINE: the second line of a race or a
     * copy. */
    PREDICTED_LINE,
    PREDICTED_OTHER_LINE,
    /* the first block and thread that fault, and the first subscript of their access */
    PREDICTED_BLOCK_Y,
    PREDICTED_THREAD_X,
    PREDICTED_THREAD_Y,
    PREDICTED_INDEX,
    /* how many elements of the output are wrong, and the first row that has one */
    PREDICTED_WRONG,
    PREDICTED_ROW,
};

/* A number that the learner writes down before the run. */
struct prediction {
    const char *name;   /* name of the prediction, as in PREDICT(name, value) */
    int step;           /* index of the step whose counter is predicted */
    enum metric metric; /* the counter that is the right answer; unused where there is none */
    int points;
    const char *asks; /* the question, in one sentence */
    enum predicted what;
};

/* The most bytes of a rung's name, so that a bar and a time fit beside it in 80 columns. */
enum { RUNG_LONGEST = 28 };
/* One kernel or function of an exercise that is run and graded. */
struct step {
    /* name of the __global__ function, or of the C function of a host exercise */
    const char *kernel;
    const char *problem; /* name of a problem in the table of problems above */
    int dims[DIMS];      /* the size at which counters and time are taken */
    /* the largest value of each dimension in random shapes; 0: no limit */
    int most[DIMS];
    int fixed[DIMS];    /* not 0: this dimension always has the value in dims */
    int x_owns_rows;    /* x of the grid goes over rows instead of columns */
    int correct_points; /* points for a right result on every shape */
    int speed_points;   /* points for the step's time relative to the reference's */
    /* ends at a budget whose why is NULL; NULL: the step has no budgets */
    const struct budget *budgets;
    /* not 0: in this step, a use of shared memory also counts if each thread loads only what it
     * stored itself; 0: budgets of shared memory require that threads exchange data */
    int own_words;
    /* not 0: what threads exchange by shared memory are sums, after their multiply-adds */
    int sums_only;
    /* name of the technique ("naive", "coalesced") in the problem's sequence of techniques, at most
     * RUNG_LONGEST bytes; NULL: the step is not in that sequence */
    const char *rung;
    /* why the step may be less than RUNG_GAIN times as fast as the technique before it; NULL: it is
     * always faster by that factor, at the sizes of the labs' tables */
    const char *no_gain;
    /* not 0: the step's kernel is a suspect: a given kernel that is wrong, faults or is slow. The
     * solution's copy of it is examined at the size above, and the learner's copy is not run unless
     * the kit has no solution. What is found is shown only once every prediction of the exercise is
     * right */
    int suspect;
};
#define RUNG_GAIN 1.2

/* EXERCISE_CUDA: kernels in NAME.cu. EXERCISE_HOST: C functions in NAME.c, which run in a child
 * process. */
enum exercise_kind { EXERCISE_CUDA, EXERCISE_HOST };
struct exercise {
    const char *name; /* the exercise's file is NAME.cu or NAME.c */
    /* the GPU feature that the kernels need; FEATURE_NONE: they run on any GPU */
    enum model_feature needs;
    enum exercise_kind kind;
    const char *title;        /* the title of the exercise, one line */
    const struct step *steps; /* ends at a step whose kernel is NULL */
    /* ends at a prediction whose name is NULL; NULL: the exercise has no predictions */
    const struct prediction *predictions;
};

struct lab {
    /* name of the lab and of its folder under labs/ and solutions/: "01-naive" */
    const char *name;
    const char *title;
    const struct exercise *exercises; /* ends at an exercise whose name is NULL */
};
extern const struct lab *const lab_table[]; /* all labs; ends at NULL (table.c) */

/* The question of a prediction and the size at which it is counted: "at m = 1024, w = 32:
 * multiply-adds of all threads". */
char *prediction_question(const struct exercise *x, const struct prediction *p);

/* The step whose kernel is given and at fault, as in the detective exercises; NULL: there is none. */
const struct step *exercise_suspect(const struct exercise *x);

/* The most points of a step: for a right result, speed and budgets. */
int step_max_points(const struct step *s);
/* The most points of an exercise: for its steps and predictions. If a step is wrong or faults,
 * the exercise gets 0. */
int exercise_max_points(const struct exercise *x);

/* ---- the sequence of techniques for a problem, from naive to best: its ladder ---- */

/* A rung is a step of a reference solution that shows a technique. The ladder of a problem is the
 * sequence of its rungs from all labs, in the order of the labs. */
struct problem;
struct rung {
    const struct lab *lab;
    const struct exercise *exercise;
    int step;
};
/* Call visit for each rung of a problem, in the order of lab_table, until it returns something
 * other than 0, which is returned. kind: only steps of this kind; kernels and host C have separate
 * sequences. */
typedef int rung_visit(void *context, const struct rung *r);
int ladder_walk(const char *problem, enum exercise_kind kind, rung_visit *visit, void *context);

/* The reference step before this one in the sequence of techniques for the same problem. -1: this
 * step is the first, or not in the sequence. */
int ladder_before(const struct lab *lab, const struct exercise *x, int step, struct rung *out);

/* The first reference step in the sequence of techniques for a problem that has one. */
void ladder_first(const struct problem *p, enum exercise_kind kind, struct rung *out);

/* ---- problems: what a kernel computes, inputs from a seed, the answer on the CPU ---- */

/* ELEMENT_F16: a half on the device; an instance holds its value as a float. */
enum element { ELEMENT_F32, ELEMENT_F64, ELEMENT_I32, ELEMENT_F16 };
size_t element_bytes(enum element e); /* bytes of an element on the device */

/* The most buffers of a problem, and the number of coefficients of polynomial. */
enum { BUFFERS = 4, COEFS = 8 };

struct instance;
struct expected;

/* A buffer of a problem, which is a pointer parameter of its kernels. */
struct problem_buffer {
    const char *name; /* name of the parameter; NULL after the last buffer */
    enum element element;
    /* 1: a matrix whose rows 7, 15, 23, ... have floats up to 2^20, which is beyond the range of
     * half precision; all other floats are up to 1 */
    int large;
};

/* A function that kernels compute. Their parameters are the buffers and then the dims, in this
 * order. */
struct problem {
    const char *name;
    const char *signature; /* the parameter list, as a learner would write it */
    struct problem_buffer buffers[BUFFERS + 1];
    /* index of the only buffer that the kernel writes */
    int output;
    const char *dim_names[DIMS + 1]; /* names of the int parameters; ends at NULL */
    /* index of the dimension that is an offset or a stride rather than a size; 0: none */
    int parameter_dim;
    int two_dimensional;
    const char *unit; /* unit of the kernel's rate: "GB/s" or "GFLOPS" */

    /* sets count[i] to the number of elements of buffer i */
    void (*counts)(const int *dims, size_t *count);
    /* the output's shape, row-major; one-dimensional results are 1 x n */
    void (*result)(const int *dims, size_t *rows, size_t *columns);
    /* how far the grid must reach in x and y */
    void (*extents)(const int *dims, long *x, long *y);
    /* bytes that have to be moved if the unit is GB/s, floating-point operations if it is GFLOPS */
    double (*useful)(const int *dims);
    void (*answer)(const struct instance *in, struct expected *out);
    /* name of the problem that differs only in its tolerance; NULL: none */
    const char *like;
    int moves; /* 1: each output is an input, perhaps from another place */
};

/* Find a problem by name, or by index; NULL if there is none. */
const struct problem *problem_find(const char *name); /* NULL: there is none */
const struct problem *problem_at(int i); /* i: 0, 1, ...; NULL after the last problem */
/* The name of p->like if there is one, else p's own: problems that differ only in tolerance have
 * the same kind, and share one sequence of techniques. */
const char *problem_kind(const struct problem *p);
/* How many buffers and dims the problem has. */
int problem_buffers(const struct problem *p);
int problem_dims(const struct problem *p);
/* Another size than the step's own, at which a kernel should work in the same way: large dimensions
 * are a fourth or three eighths of the step's, small ones three or four times as large, so that
 * tiles of up to 128 divide them where they divide the step's; fixed dimensions and step->most
 * hold. dims: filled. */
void problem_other_size(
    const struct problem *p, const struct step *step, struct rng *rng, int dims[DIMS]);
/* A size as text: "37 x 101" or "n = 1000, offset = 3". The caller frees it. */
char *problem_size(const struct problem *p, const int *dims);
/* The shape of a buffer of a two-dimensional problem, in elements. */
void problem_matrix(
    const struct problem *p, const int *dims, int buffer, size_t *rows, size_t *columns);
/* The rate of a run that took ms milliseconds, in p->unit. */
double problem_rate(const struct problem *p, const int *dims, double ms);

/* A problem at one size, with its data on the host. Inputs are drawn from a seed; data[output]
 * is 0 until a run fills it. */
struct instance {
    const struct problem *problem;
    int dims[DIMS];
    size_t count[BUFFERS]; /* number of elements of each buffer */
    void *data[BUFFERS];
    float coef[COEFS]; /* for the problem polynomial: the content of __constant__ coef */
};
/* Allocate the buffers and draw the inputs. The same problem, dims and seed give the same inputs
 * on every machine. The caller frees it with instance_free. */
void instance_make(struct instance *in, const struct problem *p, const int *dims, uint64_t seed);
void instance_free(struct instance *in);
/* The bytes of a buffer on the device. */
size_t instance_bytes(const struct instance *in, int buffer);
/* The bytes of a buffer of halves as the device has them; the caller frees them. NULL: the buffer's
 * elements are not halves, and data has their bytes. */
void *instance_halves(const struct instance *in, int buffer);
/* Round *x, which is at most 1 in size, to a multiple of 2^-10. Returns the bits of that half. */
uint16_t element_half(float *x);

/* The answer: for each element its value in double, and the largest error that is accepted.
 *
 * An element of a product is a sum S of K terms. Added one by one in float, the partial sum s_j
 * is rounded with a relative error d_j, |d_j| <= u = 2^-24, so the error of the sum is the sum of
 * all d_j s_j. The worst case is (K - 1) u times the sum of all |terms| (Higham, Accuracy and
 * Stability of Numerical Algorithms, 4.2): so wide that many a product in TF32 stays within it.
 * But roundings of random numbers have either sign. If the mean of each d_j is 0 whatever came
 * before it, the error exceeds L u sqrt(sum of s_j^2) with a probability of at most
 * 2 exp(-L^2 / 2): Azuma's inequality (Ipsen and Zhou, Probabilistic Error Analysis for Inner
 * Products, SIAM J. Matrix Anal. Appl. 41, 2020). In a random order s_j is on average j S / K, and
 * varies around it:
 *
 *     the mean       sum of (j S / K)^2 = K S^2 / 3    with L = 6 a slack of u sqrt(12 K) |S|
 *     the variation  does not depend on S              12 u |a_row| |b_column|
 *
 * where |x| is the Euclidean norm. The second is wide enough for the largest terms first. The
 * slack is the root of the sum of both squares. Terms of one sign, as on the diagonal of A A^T,
 * need the first part: |S| is then |a_row| |b_column|. Terms of either sign need the second,
 * since |S| is about |a_row| |b_column| / sqrt(K). A d_j has a standard deviation of about 0.4 u,
 * so the first part is 14 standard deviations of the error. If the factors or the sums are
 * rounded to half precision, an element of either sign is about 2^13 / sqrt(K) units of u |a_row|
 * |b_column| off; if the output is zeros, 2^24 / sqrt(K). `lockstep-hardware seeds` adds the
 * products of many seeds in many orders, right and wrong, and tells how far their errors are from
 * the slack.
 *
 * TF32 has 10 bits of mantissa. A factor rounded to it is off by up to 2^-11 of its size, with
 * either sign, so a term by up to 2^-10, and the sum by about 0.6 * 2^-11 times N, the root of the
 * sum of the squares of its terms. matmul_tf32 accepts 4 * 2^-11 N beside the rounding of floats:
 * the largest error up to K = 4, 7 standard deviations for any K. Factors of 7 bits (bfloat16) are
 * off by 8 times as much.
 *
 * A half has 10 bits, too, but an exponent of 5: below 2^-14 it is off by up to 2^-25, whatever its
 * size. matmul_half accepts what matmul_tf32 does and beside it 4 * 2^-25 times the root of the
 * sum of the squares of the factors. */
struct expected {
    size_t count;
    double *value;
    /* the largest difference from value that is accepted, per element; NULL: the result must be
     * equal */
    float *slack;
};
/* Compute the answer on the CPU. The caller frees x with expected_free. */
void expected_make(struct expected *x, const struct instance *in);
void expected_free(struct expected *x);

/* The shapes on which a step is checked, within the step's limits: first simple ones, then odd
 * sizes, sizes of 1 and non-square ones, and last, for matrices, sizes that are whole blocks along
 * all dimensions but one, and a deep one. Returns how many shapes there are; *borders, unless
 * NULL: how many of them are of the last kind. */
enum { SHAPES = 13 };
int problem_shapes(const struct problem *p, const struct step *step, struct rng *rng,
    int shapes[SHAPES][DIMS], int *borders);

/* Poison: the content of outputs and guard bands before a launch. Each element of 2, 4 or 8 bytes is a
 * signalling NaN with a certain payload. No right answer is such a number, and arithmetic turns it
 * into a quiet NaN, so an element that is still poison was never written. */
void poison_fill(void *data, size_t bytes, size_t element);
/* Is every element still poison? */
int poison_whole(const void *data, size_t bytes, size_t element);
/* Where a NaN comes from: 'o' an output that was not written, 'b' memory beside an array, 0
 * neither. The memory around the arrays of a host exercise has a poison of its own (host.c), and
 * arithmetic keeps a NaN's payload. */
int poison_kind(float v);

/* ---- the kit's own files and its cache ---- */

struct kit {
    /* the directory that contains common/, labs/ and, unless it is a handout, solutions/: a relative
     * path if it is the current directory (".") or inside it, else an absolute one */
    char *root;
    /* where the kit writes files: build under root, or for an installed kit the user's cache
     * folder; NULL: it cannot be written, and nothing is cached */
    char *work;
    char *cache; /* the folder cache in work; NULL if work is */
};
/* Find the root: a directory above the program's own file, or lib/lockstep in one of them (make
 * install), or else the current directory. ERR_ENV: none of these is the root. */
int kit_find(struct kit *k, struct err *e);
void kit_free(struct kit *k);
/* The path of a file under the root, without a leading "./". */
char *kit_path(const struct kit *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Is the exercise's solution there? A handout has none, or those that were given out so far. */
int kit_has_solution(const struct kit *k, const struct lab *lab, const struct exercise *x);
/* Is there a folder of solutions at all? */
int kit_has_solutions(const struct kit *k);
/* A new private directory for temporary files; spawn_remove_directory removes it. NULL with
 * ERR_ENV. */
char *kit_temporary(const struct kit *k, struct err *e);

/* The cache: a file per entry. An entry contains its whole key and is found only if that agrees
 * byte for byte, so keys with equal hashes are never confused. Several threads and programs may use
 * the cache at once. */
/* Look a key up. 0: found, *value is set and owned by the caller; -1: not found. */
int cache_get(const struct kit *k, const struct buf *key, struct buf *value);
void cache_put(const struct kit *k, const struct buf *key, const struct buf *value);

/* ---- from a file to PTX, by clang or nvcc ---- */

/* The front end (the CUDA compiler), the same for student and reference. */
struct front {
    const char *kind; /* kind of the compiler: "clang" or "nvcc" */
    char *path;
    char *name; /* name and version of the compiler, such as "clang 14.0.6" */
    /* compile as for a debugger: not optimized, with variables in memory and described by DWARF */
    int debug;
    /* value of the macro LOCKSTEP_TILE for the device, as model_tile computes it; 0: 32 */
    int tile;
    int quick; /* compile fast: hardly optimized, without line information and warnings */
    /* macros, NAME or NAME=VALUE; ends at NULL. NULL: none. Owned by the caller */
    const char *const *defines;
};
enum { DEFINES_MAX = 16 };
/* kind: "clang" or "nvcc". NULL: nvcc if it is installed and a GPU answers; otherwise clang, or
 * else nvcc. The versions of compilers are kept in the kit's cache; k may be NULL. */
int front_find(struct front *f, const char *kind, const struct kit *k, struct err *e);
void front_free(struct front *f);

enum compile_status {
    COMPILE_OK,
    COMPILE_MISSING, /* the file does not exist */
    COMPILE_BAD,     /* the file is wrong; output says why */
    COMPILE_BROKEN,  /* the environment is at fault; err says why */
};
struct compiled {
    char *file;        /* the path, as it was given to the compiler */
    char *source;      /* text of the file; NULL if it could not be read */
    char *ptx;         /* the PTX; NULL unless status is COMPILE_OK */
    struct buf output; /* the compiler's messages; if it was not run, a line that says why */
    struct err err;
    enum compile_status status;
};
/* Compile an exercise's file, or take its PTX from the cache. The file may include lockstep.h and
 * nothing else. Errors are reported only in out->status. The caller frees out with
 * compiled_free. */
void compile_kernel(
    const struct kit *k, const struct front *f, const char *file, struct compiled *out);
void compiled_free(struct compiled *c);
/* Compile a file that nobody grades: it may include any header, and need not include lockstep.h.
 * For clang there are stubs of CUDA's own headers (common/cuda/stubs). Nothing is cached.
 * Otherwise as compile_kernel. */
void compile_any(
    const struct kit *k, const struct front *f, const char *file, struct compiled *out);

/* Compile a text as if it were in a graded file of that name. Nothing is cached, and the compiler
 * reports errors without a limit on their number. */
void compile_text(const struct kit *k, const struct front *f, const char *file, const char *text,
    struct compiled *out);

/* compile_kernel for many files at once, on all cores. */
void compile_kernels(const struct kit *k, const struct front *f, char *const *files,
    struct compiled *out, int count);

/* A line of a text, counted from 1, without its indentation and newline. */
char *source_line(const char *text, int line);

/* ---- kernels bound to their step ---- */

/* A kernel that was found to fit its step: it exists, has the parameters of the problem, and a
 * launch shape that the device accepts. */
struct bound_kernel {
    struct device *device;
    struct kernel *kernel;
    const struct problem *problem;
    const struct step *step;
    struct bound_map {
        /* address of the variable NAME_map that TENSOR_MAP(NAME, ...) defines; 0: there is none
         * for this buffer */
        dev_ptr map;
        unsigned box[2]; /* size of a box, the part that one copy moves: columns and rows */
        int swizzle, tf32;
    } map[BUFFERS]; /* one tensor map per buffer */
    dev_ptr coef;   /* address of polynomial's constant coefficients; 0 for other problems */
    /* block: threads of a block in x and y; covers: output elements that a block computes in x and
     * y */
    unsigned block[2], covers[2];
    size_t shared; /* dynamic shared memory of a block, in bytes */
    /* the most instructions that a warp may execute; 0: a limit that depends on the size */
    uint64_t budget;
    /* run only the blocks of this many multiprocessors, and scale the counts to all; 0: run all */
    unsigned sample_sms;
    unsigned first_sm;    /* as in struct launch_shape */
    unsigned most_blocks; /* of each of them run only this many blocks, evenly spread; 0: run all */
    enum without without;      /* what a simulated launch leaves out */
    struct exchange *exchange; /* as struct exchange says; may be NULL */
};
/* Find the step's kernel in a module, and check that it fits. file: for messages. -1 with
 * ERR_LEARNER: the message says what to write. */
int run_bind(struct bound_kernel *b, struct device *d, struct module *m, const struct step *step,
    const char *file, struct err *e);

/* The grid and block of a launch at a size. -1 with ERR_LEARNER: the grid has more blocks than
 * the device allows. */
int run_shape(
    const struct bound_kernel *b, const int *dims, struct launch_shape *shape, struct err *e);
/* Write the tensor maps that the kernel's file declares (TENSOR_MAP), for the buffers at these
 * device addresses. */
int run_maps(
    const struct bound_kernel *b, const int *dims, const dev_ptr data[BUFFERS], struct err *e);

/* Launch on the inputs in in->data; the output is copied to in->data[output]. If m is NULL, nothing
 * is counted or timed. -1 with ERR_LEARNER: the kernel faulted, changed an input, or wrote outside
 * its buffers. */
int run_kernel(
    const struct bound_kernel *b, struct instance *in, struct measurement *m, struct err *e);

/* The number that the learner wrote in PREDICT(name, number); -1 (UNKNOWN) if there is none. */
int run_prediction(struct module *m, const char *name);

/* ---- the workbench (kit, compiler, device and directory), and builds that use it ---- */

/* What all builds of a run share: kit, compiler, device and directory. The struct owns its strings,
 * except ptx, and its device. */
struct workbench {
    struct kit kit;
    struct front front; /* the compiler; if ptx is set, only its name is known */
    char *directory;    /* where the exercises' files are, in the layout of labs/ */
    /* a directory of PTX that was compiled elsewhere: LAB/EX.ptx, and the name of its front end
     * in the file `front`; NULL: files are compiled here */
    const char *ptx;
    /* the device on which kernels run and are timed, in device_open's notation */
    char *name;
    char *title; /* the device's name for people: "NVIDIA H200" */
    /* the simulated device that counts: the device itself, or the one that stands in for a GPU */
    char *counter;
    /* the opened device; NULL: each exercise opens it in a process of its own */
    struct device *device;
    int threads; /* host threads of a simulated launch; 0: one per core */
    /* limit of processor seconds for a call of the learner's C, if less than the default; 0: the
     * default */
    double seconds;
};
/* How to open a struct workbench. Zeros are the defaults. */
struct workbench_options {
    const char *device, *front; /* name of the device; kind of compiler. NULL: the default */
    /* where the exercises' files are; NULL: the kit's solutions or, if it has none, its labs */
    const char *directory;
    /* directory of PTX that was compiled elsewhere, as in struct workbench; NULL: none */
    const char *ptx;
    /* the caller runs each exercise in a child process where device_needs_process is true */
    int forks;
};
/* Open the kit, the device, the compiler and the directory. The strings in o remain the caller's;
 * ptx must outlive w. The caller closes w even if this fails. */
int workbench_open(struct workbench *w, const struct workbench_options *o, struct err *e);
void workbench_close(struct workbench *w);
int workbench_simulated(const struct workbench *w); /* is the device a simulated one? */
/* Open w->device unless it is open. After that the process must not start others if the device
 * is a GPU. */
int workbench_device(struct workbench *w, struct err *e);
/* The path of an exercise's file in a directory with the layout of labs/. */
char *workbench_file(const char *directory, const struct lab *lab, const struct exercise *x);

enum { STEPS_MAX = 16 };
struct host_program;
struct host_process;
/* One file on its way to a launch. Fields are set up to the last stage that succeeded; build_close
 * frees them. */
struct build {
    struct workbench *workbench;
    /* the exercise of the file; NULL: the file belongs to no exercise */
    const struct exercise *exercise;
    struct compiled compiled;
    /* on a GPU, the device of struct workbench; otherwise a simulated device for this build alone,
     * so that no file sees another one's memory. May be set before build_bind */
    struct device *device;
    struct module *module;
    struct bound_kernel bound[STEPS_MAX];
    /* on a GPU: the simulated device that counts; NULL until it is needed */
    struct device *counter;
    struct module *counted;
    struct bound_kernel counted_bound[STEPS_MAX];
    struct host_program *program; /* the linked program of an exercise in host C */
    struct host_process *process;
};
/* build_compile compiles an exercise's file from a directory with the layout of labs/;
 * compiled.status says whether that succeeded. Then build_bind loads the PTX and binds the steps;
 * on a GPU, no compiler may be started after that. -1 with ERR_LEARNER: the file does not fit the
 * exercise; with ERR_ENV: an error of the environment. The caller closes b in any case. */
void build_compile(struct build *b, struct workbench *w, const char *directory,
    const struct lab *lab, const struct exercise *x);
int build_bind(struct build *b, struct err *e);
/* Start a new process for the functions of a host exercise. */
int build_restart(struct build *b, struct err *e);
/* Compile, load and bind an exercise's file from the directory of struct workbench. A file that
 * does not compile is ERR_LEARNER, too, with the compiler's output as the message. */
int build_open(struct build *b, struct workbench *w, const struct lab *lab,
    const struct exercise *x, struct err *e);
/* Compile, load and bind the file of an exercise at any path. */
int build_open_as(struct build *b, struct workbench *w, const char *file, const struct exercise *x,
    struct err *e);
/* Compile and load any file of kernels. The build then has no steps: the caller launches kernels
 * itself. */
int build_open_file(struct build *b, struct workbench *w, const char *file, struct err *e);
void build_close(struct build *b);

/* Run a step. The caller frees m.
 *
 *   RUN_PLAIN    only its result; m is not used and may be NULL
 *   RUN_TIMED    its result, and its time on the workbench's device
 *   RUN_COUNTED  its result, its time and, for a kernel, its counters, which do not depend on
 *                earlier runs */
enum run_kind { RUN_PLAIN, RUN_TIMED, RUN_COUNTED };
int build_run(struct build *b, int step, struct instance *in, enum run_kind how,
    struct measurement *m, struct err *e);

/* Run a step on the simulated device that stands in for a GPU, which checks every access: an access
 * out of bounds is an error there even if it did no harm on the GPU. The output in `in` is
 * overwritten. Does nothing if the device of struct workbench is simulated. */
int build_check(struct build *b, int step, struct instance *in, struct err *e);

/* Run some blocks of multiprocessor `sm`, modulo their number, on the simulated device that counts,
 * leaving out `what`, with at most `budget` instructions per warp. exchange: as in struct
 * bound_kernel; may be NULL. The output in `in` is overwritten: elements that no block wrote are
 * poison. */
int build_without(struct build *b, int step, struct instance *in, enum without what,
    struct exchange *exchange, unsigned sm, uint64_t budget, struct err *e);

/* Run a step of a kernel on a simulated device, to count it: on the device in use or, if that is a
 * GPU, on the one that stands in for it. The caller frees m. */
int build_count(
    struct build *b, int step, struct instance *in, struct measurement *m, struct err *e);

int exercise_steps(const struct exercise *x); /* how many steps the exercise has */

/* ---- arguments of a kernel from the command line ---- */

/*
 *     i32:1024  u32:7  i64:-1  u64:5  f32:1.5  f64:0  f16:1  bf16:1
 *     buf:f32:COUNT[:rand|iota|zero|fill=V|none]
 *     struct:{i32:64,buf:f32:64,{f32:1,f32:2}}  bytes:0000803f
 *
 * The members of a structure are numbers, buffers and structures, placed as C places them. align:16
 * among them makes the next member start at a multiple of 16 bytes, and the structure as well, as a
 * float4 does. After bytes: come the bytes of the parameter in hexadecimal digits, from the lowest
 * address on.
 *
 * The elements of a buffer are f32, f64, f16, bf16, i32, u32, i64, u64, i16, u16, i8 or u8. rand,
 * the default, is in [0, 1) for floating point and in [0, 100) for the others, from a fixed seed.
 * iota is 0, 1, 2, ... With none the buffer is written by nobody, and a kernel that reads an
 * element before it has written it is at fault. */
enum { ARGS_MAX = 32 };
struct arguments {
    int count;
    unsigned char *value[ARGS_MAX]; /* the bytes of each argument, lowest address first */
};
/* Check the words against the kernel's parameters, make the arguments, and allocate buffers on
 * the device. file: for messages. -1 with ERR_USAGE. The caller frees a in any case. */
int arguments_place(struct arguments *a, struct device *d, const struct kernel *k, const char *name,
    const char *file, const char *const *words, int count, struct err *e);
void arguments_free(struct arguments *a);

#endif
