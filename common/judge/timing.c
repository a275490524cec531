/* timing.c - what measured times prove. All functions are pure: the same times give the same
 * result.
 *
 *     pairs (student, reference) -- log of each ratio --> median -- resample 2000 times --> 95% interval */
#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double timing_median(double *v, int count)
{
    qsort(v, (size_t)count, sizeof *v, compare_doubles);
    return count % 2 ? v[count / 2] : (v[count / 2 - 1] + v[count / 2]) / 2;
}

/* RESAMPLES: samples of a bootstrap. FEWEST: with fewer pairs, a bootstrap says no more than the
 * least and the greatest ratio. */
enum { RESAMPLES = 2000, FEWEST = 6 };

/* Percentile bootstrap (Efron 1979): the medians of many samples of the same size, drawn with
 * replacement, in ascending order. Their spread shows how far the median may be off by chance. */
static void bootstrap(const double *logs, int count, double *medians)
{
    struct rng rng;
    double *sample = xcalloc((size_t)count, sizeof *sample);
    rng_seed(&rng, 1);
    for (int i = 0; i < RESAMPLES; i++) {
        for (int j = 0; j < count; j++) sample[j] = logs[rng_below(&rng, (uint64_t)count)];
        medians[i] = timing_median(sample, count);
    }
    free(sample);
    qsort(medians, RESAMPLES, sizeof *medians, compare_doubles);
}

/* The interval leaves out 2.5% of the bootstrap's medians at each end. */
struct timing_ratio timing_compare(const double *student, const double *reference, int count)
{
    double *logs = xcalloc((size_t)count, sizeof *logs), medians[RESAMPLES];
    struct timing_ratio r;
    for (int i = 0; i < count; i++) logs[i] = log(student[i] / reference[i]);
    /* timing_median sorts the logarithms */
    r.median = exp(timing_median(logs, count));
    if (count < FEWEST) {
        r.low = exp(logs[0]);
        r.high = exp(logs[count - 1]);
    } else {
        bootstrap(logs, count, medians);
        r.low = exp(medians[RESAMPLES / 40]);
        r.high = exp(medians[RESAMPLES - 1 - RESAMPLES / 40]);
    }
    free(logs);
    return r;
}

int timing_too_short(double ms, double launch_ms)
{
    /* The resolution of events in milliseconds: about half a microsecond (CUDA Driver API,
     * cuEventElapsedTime). */
    static const double EVENTS_MS = 0.5e-3;
    double own = ms - launch_ms;
    return own < 4 * EVENTS_MS || own < launch_ms / 2;
}

/* The size of a buffer in bytes. count: elements of each buffer. */
static double bytes_of(const struct problem *problem, const size_t *count, int buffer)
{
    return (double)count[buffer] * element_bytes(problem->buffers[buffer].element);
}

/* How many input bytes every right kernel has to read. Some problems use only a part of their
 * inputs: every stride-th element, one element of a group, or some entries of a table. */
static double must_read(const struct problem *problem, const int *dims, const size_t *count)
{
    double bytes = 0;
    if (!strcmp(problem->name, "copy_stride")) return 4.0 * dims[0];
    if (!strcmp(problem->name, "copy_group")) return 4.0 * dims[0] / dims[1];
    for (int i = 0; i < problem_buffers(problem); i++)
        if (i != problem->output) bytes += bytes_of(problem, count, i);
    if (!strcmp(problem->name, "copy_offset")) bytes = 4.0 * dims[0];
    if (!strcmp(problem->name, "polynomial")) /* entries of the table need not be read */
        bytes -= bytes_of(problem, count, 0);
    return bytes;
}

/* The most multiply-adds per clock of a multiprocessor by which a product can be computed within its
 * tolerance: of floats, or of tensor cores. There wgmma takes 4 clocks where mma takes 6, and
 * TF32 has half the rate of halves. A product of floats takes three of TF32. */
static double multiply_adds(const struct model_profile *p, const struct problem *problem)
{
    static const double WGMMA = 1.5, FLOATS = 6;
    double tensor = p->tensor_rate * (model_has(p, FEATURE_WARPGROUPS) ? WGMMA : 1);
    return fmax(p->fp32_lanes, problem->like ? tensor : tensor / FLOATS);
}

/* The time for these bytes at the memory's bandwidth, or for a product the time for its
 * multiply-adds (two operations each). The GPU is assumed to be 20% faster than its datasheet
 * (SLACK), so that only impossible times are shorter. */
double timing_least_ms(
    const struct model_profile *p, const struct problem *problem, const int *dims)
{
    static const double SLACK = 1.2;
    size_t count[BUFFERS];
    if (!p) return 0;
    problem->counts(dims, count);
    double written = bytes_of(problem, count, problem->output) - (double)p->l2_bytes;
    double bytes = must_read(problem, dims, count) + (written > 0 ? written : 0);
    double memory = bytes / (p->dram_gbps * SLACK * 1e9);
    double rate = 2.0 * multiply_adds(p, problem) * p->sms * p->clock_ghz * 1e9 * SLACK;
    double maths = strcmp(problem->unit, "GFLOPS") ? 0 : problem->useful(dims) / rate;
    return 1e3 * (memory > maths ? memory : maths);
}
