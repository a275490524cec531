/* profile_time.c - how the modelled time is spent, and how busy each part of the GPU is.
 *
 *     time  =  start  +  the longest part  +  delays
 *              |         |                    parts that wait for one another; latency that nothing hides
 *              |         the other parts work meanwhile, so they add nothing
 *              launch, first blocks, first data: overlaps with nothing
 *
 *     percent of peak = a part's own time / the modelled time: at 100% the part is never idle */
#include "judge/judge.h"
#include "view/profile.h"

#include <stdio.h>

/* The entries are the three terms of the sum, then the parts that take any time, in the model's
 * order. */
int profile_times(const struct profile *p, struct profile_time out[PROFILE_TIMES])
{
    double longest = 0, start = fmin(p->m.start_ms, p->m.ms);
    int count = TIME_PARTS;
    for (int i = PART_NONE + 1; i < MODEL_PARTS; i++) {
        double ms = p->m.part_ms[i];
        longest = fmax(longest, ms);
        if (ms > 0 && p->m.ms > 0)
            out[count++] = (struct profile_time){.name = part_name((enum model_part)i),
                .ms = ms,
                .percent = 100 * ms / p->m.ms,
                .limit = (int)p->m.bottleneck == i,
                .unit = i != PART_LATENCY && i != PART_DISPATCH};
    }
    out[TIME_START] = (struct profile_time){.name = "start",
        .ms = start,
        .note =
            "the launch, the first blocks and the wait for the first data; nothing overlaps with it"};
    out[TIME_LONGEST] = (struct profile_time){.name = "longest part",
        .ms = longest,
        .note = "the other parts work meanwhile and add nothing"};
    out[TIME_DELAYS] = (struct profile_time){.name = "delays",
        .ms = fmax(0, p->m.ms - start - longest),
        .note =
            "parts that are nearly as busy queue for one another, and too few warps hide latency"};
    for (int i = 0; i < TIME_PARTS; i++)
        out[i].percent = p->m.ms > 0 ? 100 * out[i].ms / p->m.ms : 0;
    return count;
}

double profile_tail(const struct profile *p)
{
    double blocks = (double)profile_blocks(p), most = ceil(blocks / p->gpu->sms);
    return blocks > 0 ? most * p->gpu->sms / blocks - 1 : 0;
}

/* Lanes request bytes from L1, which delivers sectors or transactions; below L1 the simulator
 * counts sectors. */
int profile_flows(const struct profile *p, struct profile_flow out[PROFILE_FLOWS])
{
    enum { SECTOR = 32 };
    const struct metrics *m = &p->m.metrics;
    const double *ms = p->m.part_ms, all = p->m.ms > 0 ? p->m.ms : 1;
    int count = 0;
    if (counted(m, METRIC_SLD_INST) + counted(m, METRIC_SST_INST) > 0)
        out[count++] = (struct profile_flow){"lanes", "shared memory", counted(m, METRIC_SLD_BYTES),
            counted(m, METRIC_SST_BYTES), NAN, NAN, 100 * ms[PART_L1] / all};
    out[count++] = (struct profile_flow){"lanes", "L1", counted(m, METRIC_GLD_MOVED),
        counted(m, METRIC_GST_MOVED), counted(m, METRIC_GLD_BYTES), counted(m, METRIC_GST_BYTES),
        100 * ms[PART_L1] / all};
    if (p->gpu->l2_bytes)
        out[count++] =
            (struct profile_flow){"L1", "L2", SECTOR * counted(m, METRIC_L2_READ_SECTORS),
                SECTOR * counted(m, METRIC_L2_WRITE_SECTORS), NAN, NAN, 100 * ms[PART_L2] / all};
    out[count++] = (struct profile_flow){p->gpu->l2_bytes ? "L2" : "L1", "DRAM",
        counted(m, METRIC_DRAM_READ_BYTES), counted(m, METRIC_DRAM_WRITE_BYTES), NAN, NAN,
        100 * ms[PART_DRAM] / all};
    return count;
}

void profile_flow_notes(const struct profile *p, struct buf *out)
{
    int shared =
        counted(&p->m.metrics, METRIC_SLD_INST) + counted(&p->m.metrics, METRIC_SST_INST) > 0;
    if (shared && !p->gpu->l1_units)
        buf_printf(out, "Shared memory and L1 are one unit, with one peak. ");
    if (p->gpu->l2_sides > 1)
        buf_printf(
            out, "The L2 has two sides: bytes that cross from one to the other count again. ");
    if (out->len) out->data[--out->len] = 0;
}
