/* cuda_transfer.c - measures the time of copies to a GPU and back by the CPU's clock, as a program
 * experiences it.
 *
 *     host from ── copy in ──> source ── kernel ──> result ── copy out ──> host to
 *
 * The data is divided into pieces. Piece i goes to stream i % streams, so that copies and kernels
 * of different streams can overlap (CUDA C++ Programming Guide, "Asynchronous Concurrent
 * Execution"). */
#include "device/cuda_driver.h"

#include <stdlib.h>
#include <string.h>

enum { STREAMS_MAX = 16 };

/* Buffers and streams of one transfer. put_away frees them, even if only some were allocated. */
struct way {
    const struct model_transfer *plan;
    char *from, *to;       /* buffers in host memory */
    cu_ptr source, result; /* buffers in device memory */
    cu_handle streams[STREAMS_MAX];
    int stream_count;
};

/* Allocates host memory: page-locked from the driver, or pageable by malloc. */
static cu_result host_memory(int pinned, size_t bytes, char **out)
{
    if (pinned) return cu.cuMemAllocHost_v2((void **)out, bytes);
    *out = xcalloc(bytes, 1);
    return 0;
}

/* pinned must have the value passed to host_memory. */
static void host_free(int pinned, char *p)
{
    if (p && pinned)
        cu.cuMemFreeHost(p);
    else
        free(p);
}

/* Allocate all buffers and streams, and access every page, so that no page fault falls into the
 * measured time. Both device buffers start with the data, so the result is right even if there is
 * no copy in or no kernel. */
static cu_result prepare(struct way *w)
{
    const struct model_transfer *t = w->plan;
    int streams = t->streams < STREAMS_MAX ? t->streams : STREAMS_MAX;
    cu_result r = host_memory(t->pinned, t->bytes, &w->from);
    r = r ? r : host_memory(t->pinned, t->bytes, &w->to);
    r = r ? r : cu.cuMemAlloc_v2(&w->source, t->bytes);
    r = r ? r : cu.cuMemAlloc_v2(&w->result, t->bytes);
    for (; !r && w->stream_count < streams; w->stream_count += !r)
        r = cu.cuStreamCreate(&w->streams[w->stream_count], STREAM_NON_BLOCKING);
    /* Write each byte of both buffers. */
    for (size_t i = 0; !r && i < t->bytes; i++)
        w->from[i] = (char)(i * 2654435761u >> 13), w->to[i] = 0;
    r = r ? r : cu.cuMemcpyHtoD_v2(w->source, w->from, t->bytes);
    return r ? r : cu.cuMemcpyHtoD_v2(w->result, w->from, t->bytes);
}

static void put_away(struct way *w)
{
    for (int i = 0; i < w->stream_count; i++) cu.cuStreamDestroy_v2(w->streams[i]);
    if (w->source) cu.cuMemFree_v2(w->source);
    if (w->result) cu.cuMemFree_v2(w->result);
    host_free(w->plan->pinned, w->from);
    host_free(w->plan->pinned, w->to);
}

/* Queue the copies and the kernel of piece i. Pieces begin at multiples of 16 bytes, for the copy
 * kernel; bytes after the last multiple are not copied. */
static cu_result start_piece(struct device *d, struct way *w, int i)
{
    const struct model_transfer *t = w->plan;
    size_t first = t->bytes / 16 * (size_t)i / (size_t)t->pieces * 16,
           next = t->bytes / 16 * (size_t)(i + 1) / (size_t)t->pieces * 16;
    cu_handle s = w->streams[i % w->stream_count];
    cu_result r = 0;
    if (t->in) r = cu.cuMemcpyHtoDAsync_v2(w->source + first, w->from + first, next - first, s);
    if (!r && t->kernel)
        r = cuda_copy_kernel(d, w->result + first, w->source + first, next - first, s);
    if (!r && t->out)
        r = cu.cuMemcpyDtoHAsync_v2(w->to + first, w->result + first, next - first, s);
    return r;
}

/* Queue all pieces and wait for all streams. *ms: the time that this takes, by the CPU's clock. */
static cu_result run_once(struct device *d, struct way *w, double *ms)
{
    double start = clock_seconds();
    cu_result r = 0;
    for (int i = 0; !r && i < w->plan->pieces; i++) r = start_piece(d, w, i);
    for (int i = 0; !r && i < w->stream_count; i++) r = cu.cuStreamSynchronize(w->streams[i]);
    *ms = 1e3 * (clock_seconds() - start);
    return r;
}

/* Sets *ms to the median of several runs. Afterwards the result must equal the input. */
int cuda_transfer(struct device *d, const struct model_transfer *t, double *ms, struct err *e)
{
    enum { RUNS = 9 };
    double times[RUNS];
    struct way w = {.plan = t};
    cu_result r = prepare(&w);
    /* Run -1 is a warm-up; its time is overwritten. */
    for (int i = -1; !r && i < RUNS; i++) r = run_once(d, &w, &times[i < 0 ? 0 : i]);
    int wrong = !r && t->out && memcmp(w.from, w.to, t->bytes / 16 * 16);
    put_away(&w);
    if (r) return cuda_env_error(d->name, r, "copying to the GPU and back", e);
    if (wrong)
        return err_set(e, ERR_ENV,
            "device '%s': what was copied to the GPU and back is not the same any more", d->name);
    qsort(times, RUNS, sizeof *times, compare_doubles);
    *ms = times[RUNS / 2];
    return 0;
}
