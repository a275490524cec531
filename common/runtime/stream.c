/* stream.c - streams and events on a modelled clock.
 *
 *     host     |launch|launch|------------- waits ------------|
 *     stream 1        |kernel        |
 *     stream 2               |copy     |kernel  |
 *
 * Work of a stream begins when the host has requested it and the stream's previous work has
 * ended. The default stream waits for all other streams, and they wait for it, except those
 * created as non-blocking. Kernels of different streams are assumed to overlap fully; copies in
 * one direction follow each other (copy.c). Source: CUDA C++ Programming Guide, streams. */
#include "runtime/graph.h"

#include <stdlib.h>

struct CUstream_st {
    double ready; /* when the stream's work so far ends, in milliseconds */
    unsigned flags;
    int number; /* number of the stream; 0: the default stream */
    struct CUstream_st *next;
};
struct CUevent_st {
    double at;
    int recorded;
    unsigned flags;
};

static struct CUstream_st the_default;
static struct CUstream_st *streams;
static double host, waited; /* waited: the time until which the host has waited for work */

static double later(double a, double b) { return a > b ? a : b; }

static struct CUstream_st *stream_of(cudaStream_t s)
{
    return !s || s == cudaStreamLegacy || s == cudaStreamPerThread ? &the_default : s;
}

double clock_work(cudaStream_t stream, double ms, int wait)
{
    struct CUstream_st *s = stream_of(stream);
    double begin = later(host, s->ready);
    for (const struct CUstream_st *x = streams; x && s == &the_default; x = x->next)
        if (!(x->flags & cudaStreamNonBlocking)) begin = later(begin, x->ready);
    if (s != &the_default && !(s->flags & cudaStreamNonBlocking))
        begin = later(begin, the_default.ready);
    s->ready = begin + ms;
    if (wait) host = waited = s->ready;
    return begin;
}

void clock_host_work(double ms) { host += ms; }

void clock_after(cudaStream_t stream, double at)
{
    struct CUstream_st *s = stream_of(stream);
    s->ready = later(s->ready, at);
}

int clock_row(cudaStream_t stream) { return stream_of(stream)->number; }

void clock_wait_all(void)
{
    host = later(host, the_default.ready);
    for (const struct CUstream_st *x = streams; x; x = x->next) host = later(host, x->ready);
    waited = host;
}

double clock_waited(void) { return waited; }

int clock_blocking(cudaStream_t stream)
{
    return !(stream_of(stream)->flags & cudaStreamNonBlocking);
}

cudaStream_t clock_branch(cudaStream_t like)
{
    struct CUstream_st *s = xcalloc(1, sizeof *s);
    *s = (struct CUstream_st){.flags = cudaStreamNonBlocking, .number = clock_row(like)};
    return s;
}

void clock_restart(cudaStream_t branch, double at) { branch->ready = at; }
double clock_ready(cudaStream_t branch) { return branch->ready; }
void clock_branch_end(cudaStream_t branch) { free(branch); }

static cudaError_t make_stream(cudaStream_t *out, unsigned flags)
{
    static int made;
    if (!out) return cudaErrorInvalidValue;
    struct CUstream_st *s = xcalloc(1, sizeof *s);
    *s = (struct CUstream_st){.ready = host, .flags = flags, .number = ++made, .next = streams};
    trace_row(made);
    streams = s;
    *out = s;
    return cudaSuccess;
}

/* Is the handle that of a stream? A destroyed stream is not in the list of streams. */
static int is_stream(cudaStream_t stream)
{
    const struct CUstream_st *x = streams;
    while (x && x != stream) x = x->next;
    return x || stream_of(stream) == &the_default;
}

CALL(cudaStreamCreate, (cudaStream_t * stream), make_stream(stream, 0))

CALL(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), make_stream(stream, flags))

CALL(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority),
    make_stream(stream, flags))

API cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    ENTER();
    struct CUstream_st **at = &streams;
    while (*at && *at != stream) at = &(*at)->next;
    if (!*at) return runtime_leave(cudaErrorInvalidResourceHandle);
    the_default.ready = later(the_default.ready, stream->ready);
    *at = stream->next;
    free(stream);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t error;
    ENTER();
    if (!is_stream(stream)) return runtime_leave(cudaErrorInvalidResourceHandle);
    if (capture_forbids_wait(stream, &error)) return runtime_leave(error);
    waited = host = later(host, stream_of(stream)->ready);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    ENTER();
    if (!is_stream(stream)) return runtime_leave(cudaErrorInvalidResourceHandle);
    *flags = stream_of(stream)->flags;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    ENTER();
    *id = (unsigned long long)stream_of(stream)->number;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    cudaError_t error;
    (void)flags;
    ENTER();
    if (!is_stream(stream) || !event) return runtime_leave(cudaErrorInvalidResourceHandle);
    if (capture_wait(stream, event, event->recorded, &error)) return runtime_leave(error);
    if (event->recorded) clock_after(stream, event->at);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaStreamAddCallback(
    cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags)
{
    (void)flags;
    ENTER();
    if (!is_stream(stream)) return runtime_leave(cudaErrorInvalidResourceHandle);
    runtime_leave(cudaSuccess);
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}

API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    cudaError_t error;
    ENTER();
    if (!is_stream(stream)) return runtime_leave(cudaErrorInvalidResourceHandle);
    const struct work w = {.kind = cudaGraphNodeTypeHost, .host = {function, data}};
    if (capture_takes(stream, 0, &w, &error)) return runtime_leave(error);
    runtime_leave(cudaSuccess);
    function(data);
    return cudaSuccess;
}

CALL(cudaStreamAttachMemAsync, (cudaStream_t stream, void *p, size_t bytes, unsigned flags),
    is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle)

CALL(cudaStreamSetAttribute,
    (cudaStream_t stream, enum cudaStreamAttrID attribute, const union cudaStreamAttrValue *value),
    !is_stream(stream) ? cudaErrorInvalidResourceHandle
    : value            ? cudaSuccess
                       : cudaErrorInvalidValue)

/* ---- events ---- */

static void record(cudaEvent_t event, cudaStream_t stream)
{
    event->at = clock_work(stream, 0, 0);
    event->recorded = 1;
}

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    ENTER();
    if (!event) return runtime_leave(cudaErrorInvalidValue);
    *event = xcalloc(1, sizeof **event);
    (*event)->flags = flags;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    ENTER();
    capture_forget_event(event);
    free(event);
    return runtime_leave(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    ENTER();
    if (!event || !is_stream(stream)) return runtime_leave(cudaErrorInvalidResourceHandle);
    if (!capture_record(event, stream)) record(event, stream);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error;
    ENTER();
    if (!event) return runtime_leave(cudaErrorInvalidResourceHandle);
    if (capture_forbids_event(event, &error)) return runtime_leave(error);
    if (event->recorded) waited = host = later(host, event->at);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    ENTER();
    if (!ms || !from || !to) return runtime_leave(cudaErrorInvalidValue);
    if (!from->recorded || !to->recorded || (from->flags | to->flags) & cudaEventDisableTiming)
        return runtime_leave(cudaErrorInvalidResourceHandle);
    *ms = (float)(to->at - from->at);
    return runtime_leave(cudaSuccess);
}
