/* transfer.c - the time to copy data to a GPU, process it there and copy it back.
 *
 * There is one engine for each direction of copies and one for kernels. A piece waits for its
 * engine and for the previous operation in its stream.
 *
 *     one stream:     in 0 | kernel 0 | out 0 | in 1 | kernel 1 | out 1
 *
 *     two streams:    in 0 | in 1     | in 2    |
 *                          | kernel 0 |         | kernel 1 | kernel 2
 *                                     | out 0   |          | out 1    | out 2
 *
 * Source: CUDA C++ Programming Guide, asynchronous concurrent execution; the rates: see links[]. */
#include "model/model.h"

#include <string.h>

/* Columns: name, pinned GB/s, pageable GB/s, microseconds of each copy.
 *
 * Pinned: the rate of the PCI Express version in the datasheet with 16 lanes, in each direction
 * (1.0: 4 GB/s, 2.0: 8, 3.0: 15.75, 4.0: 31.5, 5.0: 63), times 0.87, the share that pinned copies
 * of 64 MiB reach on an H200 (54.9 GB/s in each direction). Pageable: 10 GB/s, or half of the
 * pinned rate if that is less. On an H200 pageable copies reach 8.0 GB/s to the GPU and 14.5 back;
 * the rate depends more on the host than on the GPU. Fixed cost of a copy: on an H200 a copy of 4
 * KiB takes 7.2 us, each of a thousand queued pieces of 64 KiB about 5. Source of the H200's
 * figures: `lockstep transfers`. */
static const struct model_link links[] = {
    {"gtx8800", 3.5, 1.7, 6}, {"gtx280", 7, 3.5, 6}, {"m2090", 7, 3.5, 6}, {"k40", 13.7, 6.9, 6},
    {"gtx1050ti", 13.7, 6.9, 6}, {"gtx1080", 13.7, 6.9, 6}, {"p100", 13.7, 6.9, 6},
    {"v100", 13.7, 6.9, 6}, {"t4", 13.7, 6.9, 6}, {"a100", 27.4, 10, 6}, {"h200", 55, 10, 6},
    {"rtx2080", 13.7, 6.9, 6}, {"rtx3060", 27.4, 10, 6}, {"rtx3080", 27.4, 10, 6},
    {"a10", 27.4, 10, 6}, {"a6000", 27.4, 10, 6}, {"l4", 27.4, 10, 6}, {"rtx4090", 27.4, 10, 6},
    {"rtx4060", 13.7, 6.9, 6}, /* PCI Express 4.0 with 8 lanes */
    {"h100", 55, 10, 6}, {"b200", 55, 10, 6}, {"rtx5070", 55, 10, 6}, {"rtx5090", 55, 10, 6},
    {"orin", 41, 10, 6}, /* a copy within its one memory: half of dram_gbps */
    {"tiny", 1, 0.5, 1}, /* an invented link: 1 GB/s moves a kilobyte in a microsecond */
};

const struct model_link *model_link_find(const struct model_profile *p)
{
    for (size_t i = 0; p && i < sizeof links / sizeof *links; i++)
        if (!strcmp(links[i].name, p->name)) return &links[i];
    return NULL;
}

enum { IN, KERNEL, OUT, ENGINES, STREAMS_MAX = 64 };

/* Visits the pieces in order. engine[x] and stream[s]: the times at which this engine or stream is
 * free again; an operation begins at the later of the two. A kernel takes the time of a launch plus
 * the time of reading and writing each byte in DRAM. */
double model_transfer_ms(const struct model_profile *p, const struct model_transfer *t)
{
    const struct model_link *link = model_link_find(p);
    double engine[ENGINES] = {0}, stream[STREAMS_MAX] = {0}, end = 0;
    const int done[ENGINES] = {t->in, t->kernel, t->out};
    if (!link) return 0;
    double piece = (double)t->bytes / t->pieces,
           rate = t->pinned ? link->gbps : link->pageable_gbps;
    double copy = link->copy_us * 1e-3 + piece / (rate * 1e6);
    const double cost[ENGINES] = {
        copy, p->launch_us * 1e-3 + 2 * piece / (p->dram_gbps * 1e6), copy};
    /* The CPU waits for each copy of pageable memory, and starts nothing else in the meantime, so
     * there is effectively one stream. */
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
