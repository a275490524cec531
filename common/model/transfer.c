/* transfer.c - the way to a GPU and back.
 *
 *     one stream:     in 0 | kernel 0 | out 0 | in 1 | kernel 1 | out 1
 *
 *     two streams:    in 0 | in 1     | in 2    |
 *                          | kernel 0 |         | kernel 1 | kernel 2
 *                                     | out 0   |          | out 1    | out 2
 */
#include "model/model.h"

#include <string.h>

/* Each row: PCI Express of its datasheet, 16 lanes; the specification's rate each way (2.0: 8 GB/s, 3.0: 15.75, 4.0: 31.5,
 * 5.0: 63; 1.0: 4), times 0.87: the share that pinned copies of 64 MiB reached on an H200 by `lockstep transfers`, 54.9 GB/s
 * each way. Pageable ones there reached 8.0 to the GPU and 14.5 back, which hangs on the host more than on the GPU: 10, or half
 * the pinned rate where that is less, is a round figure. A copy of 4 KiB took 7.2 us there, one of a thousand queued 64 KiB
 * pieces about 5. */
static const struct model_link links[] = {
    {"gtx8800", 3.5, 1.7, 6},  {"gtx280", 7, 3.5, 6}, {"m2090", 7, 3.5, 6},  {"k40", 13.7, 6.9, 6},
    {"gtx1050ti", 13.7, 6.9, 6}, {"gtx1080", 13.7, 6.9, 6}, {"p100", 13.7, 6.9, 6}, {"v100", 13.7, 6.9, 6}, {"t4", 13.7, 6.9, 6},
    {"a100", 27.4, 10, 6},     {"h200", 55, 10, 6},
    {"tiny", 1, 0.5, 1}, /* invented: a microsecond a kilobyte */
};

const struct model_link *model_link_find(const struct model_profile *p)
{
    for (size_t i = 0; p && i < sizeof links / sizeof *links; i++)
        if (!strcmp(links[i].name, p->name))
            return &links[i];
    return NULL;
}

enum { IN, KERNEL, OUT, ENGINES, STREAMS_MAX = 64 };

double model_transfer_ms(const struct model_profile *p, const struct model_transfer *t)
{
    const struct model_link *link = model_link_find(p);
    double engine[ENGINES] = {0}, stream[STREAMS_MAX] = {0}, end = 0;
    const int done[ENGINES] = {t->in, t->kernel, t->out};
    if (!link)
        return 0;
    double piece = (double)t->bytes / t->pieces, rate = t->pinned ? link->gbps : link->pageable_gbps;
    double copy = link->copy_us * 1e-3 + piece / (rate * 1e6);
    const double cost[ENGINES] = {copy, p->launch_us * 1e-3 + 2 * piece / (p->dram_gbps * 1e6), copy};
    /* the CPU waits for a copy of pageable memory, and starts nothing else meanwhile: as if all were one stream */
    int streams = !t->pinned ? 1 : t->streams < STREAMS_MAX ? t->streams : STREAMS_MAX;
    for (int i = 0; i < t->pieces; i++)
        for (int x = IN; x < ENGINES; x++)
            if (done[x]) {
                double *s = &stream[i % streams], begin = engine[x] > *s ? engine[x] : *s;
                engine[x] = *s = begin + cost[x];
                end = *s > end ? *s : end;
            }
    return end;
}
