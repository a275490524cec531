/* lab.h - the labs as data: what an exercise asks, on which problem, and what it is worth.
 *
 * labs/NN-idea/lab.c defines one struct lab; lab/table.c lists them in order. An exercise is one file of the learner;
 * its steps are the kernels in it that are run, its predictions the numbers the learner wrote down beforehand.
 */
#ifndef LOCKSTEP_LAB_H
#define LOCKSTEP_LAB_H

#include "base/base.h"
#include "device/device.h"
#include "model/model.h"

/* ---- problems (problem.c): what a kernel computes ----
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

/* ---- budgets: what the counters must show, at the step's size ---- */

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

#endif
