/* metrics.c - the rows of metrics.h as a table, and the ratios that follow from the sums. */
#include "model/model.h"

#include <math.h>
#include <string.h>

const struct metric_info model_metrics[METRIC_COUNT] = {
#define METRIC(id, ncu, nvprof, unit, exact, meaning) {#id, ncu, nvprof, unit, meaning, exact},
#include "model/metrics.h"
};

/* All metrics are set to NAN, which means that nothing was counted, so that a 0 is always a
 * count. */
void model_metrics_clear(struct metrics *m)
{
    for (int i = 0; i < METRIC_COUNT; i++) m->v[i] = NAN;
}

/* part / whole; NAN, which is printed as "-", if one of them was not counted or the divisor is
 * 0. */
static double ratio(double part, double whole) { return whole > 0 ? part / whole : NAN; }

/* The sum of two values, where NAN counts as 0; NAN only if both are NAN. */
static double sum(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a + b; }

double model_flops(const struct metrics *m)
{
    const double *v = m->v;
    double once = sum(sum(v[METRIC_FADD], v[METRIC_FMUL]), sum(v[METRIC_DADD], v[METRIC_DMUL]));
    once = sum(sum(once, v[METRIC_TENSOR_FLOP]), v[METRIC_HALF_FLOP]);
    return sum(once, 2 * sum(v[METRIC_FFMA], v[METRIC_DFMA]));
}

/* Computes the ratios from the sums. OCCUPANCY and DRAM_PARTITION_RATIO are set elsewhere, since no
 * counter determines them. */
void model_metrics_derive(struct metrics *m)
{
    double *v = m->v;
    v[METRIC_GLD_SECTORS_PER_REQUEST] = ratio(v[METRIC_GLD_SECTORS], v[METRIC_GLD_REQUESTS]);
    v[METRIC_GST_SECTORS_PER_REQUEST] = ratio(v[METRIC_GST_SECTORS], v[METRIC_GST_REQUESTS]);
    /* Efficiency cannot exceed 100%, since bytes that several lanes request count once. */
    v[METRIC_GLD_EFFICIENCY] = 100 * ratio(v[METRIC_GLD_BYTES], v[METRIC_GLD_MOVED]);
    v[METRIC_GST_EFFICIENCY] = 100 * ratio(v[METRIC_GST_BYTES], v[METRIC_GST_MOVED]);
    v[METRIC_SLD_PER_REQUEST] =
        ratio(v[METRIC_SLD_WAVEFRONTS], sum(v[METRIC_SLD_INST], v[METRIC_LDSM_INST]));
    v[METRIC_SST_PER_REQUEST] = ratio(v[METRIC_SST_WAVEFRONTS], v[METRIC_SST_INST]);
    v[METRIC_SHARED_EFFICIENCY] =
        100 * ratio(sum(v[METRIC_SLD_BYTES], v[METRIC_SST_BYTES]), v[METRIC_SHARED_MOVED]);
    v[METRIC_LDGSTS_LEAD] = ratio(v[METRIC_LDGSTS_LEAD_INST], v[METRIC_LDGSTS_LED]);
    v[METRIC_LDGSTS_HIDDEN] = ratio(v[METRIC_LDGSTS_HIDDEN_INST], v[METRIC_LDGSTS_LED]);
    v[METRIC_INTENSITY] =
        ratio(model_flops(m), sum(v[METRIC_DRAM_READ_BYTES], v[METRIC_DRAM_WRITE_BYTES]));
    v[METRIC_WARP_EFFICIENCY] = ratio(v[METRIC_THREAD_INST], v[METRIC_INST]);
    v[METRIC_BRANCH_EFFICIENCY] =
        100 * ratio(v[METRIC_BRANCH] - v[METRIC_BRANCH_DIVERGENT], v[METRIC_BRANCH]);
    v[METRIC_FFMA_SHARE] = 100 * ratio(sum(v[METRIC_FFMA], v[METRIC_HFMA]), v[METRIC_THREAD_INST]);
}

int model_metric_find(const char *name)
{
    if (strcmp(name, "-") == 0) /* "-" stands for a metric that nvprof lacks, so it is not a name */
        return -1;
    for (int i = 0; i < METRIC_COUNT; i++) {
        const struct metric_info *m = &model_metrics[i];
        if (strcmp(name, m->id) == 0 || strcmp(name, m->ncu) == 0 || strcmp(name, m->nvprof) == 0)
            return i;
    }
    return -1;
}
