/* capture.c - record the work of streams as a graph.
 *
 *     cudaStreamBeginCapture(s1)            s1: A ──> B ──────────┐
 *     an event recorded in s1, and          │   └── event ──┐     ├──> D
 *     waited for in s2: s2 takes part       s2:             └> C ─┘
 *
 * Each stream that takes part has a frontier: the nodes that its next node waits for.
 * cudaStreamEndCapture requires that the other streams' work was joined to the first stream's.
 * Source: CUDA C++ Programming Guide, creating a graph using stream capture. */
#include "runtime/graph.h"

#include <stdlib.h>

struct capture {
    cudaGraph_t graph;
    cudaStream_t first;
    enum cudaStreamCaptureMode mode;
    unsigned long long id;
    int invalid;
};
/* A stream that takes part in a capture, or an event recorded in such a stream. of: the handle of
 * that stream or event. */
struct part {
    const void *of;
    struct capture *capture;
    cudaGraphNode_t *frontier;
    size_t count, cap;
    struct part *next;
};
static struct part *streams, *events;

static struct part *part_of(struct part *list, const void *of)
{
    while (list && list->of != of) list = list->next;
    return list;
}

static struct part *join(struct part **list, const void *of, struct capture *c)
{
    struct part *p = part_of(*list, of);
    if (!p) {
        p = xcalloc(1, sizeof *p);
        p->next = *list;
        *list = p;
    }
    p->of = of, p->capture = c, p->count = 0;
    return p;
}

static void add_frontier(struct part *to, const struct part *from)
{
    for (size_t i = 0; i < from->count; i++)
        *VEC_PUSH(to->frontier, to->count, to->cap) = from->frontier[i];
}

static void leave(struct part **list, const struct capture *c, const void *of)
{
    for (struct part **at = list; *at;) {
        struct part *p = *at;
        if (p->capture != c && p->of != of) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        free(p->frontier);
        free(p);
    }
}

/* Is this work forbidden while other streams are captured? Work of the legacy stream is forbidden,
 * since it would wait for all blocking streams; in global mode, so is a call that waits. If the
 * work is forbidden, *error is set and the capture becomes invalid. */
static int forbidden(cudaStream_t stream, int wait, cudaError_t *error)
{
    for (struct part *p = streams; p; p = p->next) {
        int implicit = !clock_row(stream) && clock_blocking((cudaStream_t)p->of);
        if (!implicit && (!wait || p->capture->mode != cudaStreamCaptureModeGlobal)) continue;
        p->capture->invalid = 1;
        *error = implicit ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureUnsupported;
        return 1;
    }
    return 0;
}

int capture_takes(cudaStream_t stream, int wait, const struct work *w, cudaError_t *error)
{
    struct part *p = part_of(streams, stream);
    if (!p) return streams ? forbidden(stream, wait, error) : 0;
    *error = cudaErrorStreamCaptureInvalidated;
    if (p->capture->invalid) return 1;
    cudaGraphNode_t node = graph_add(p->capture->graph, w, p->frontier, p->count);
    *error = node ? cudaSuccess : cudaErrorInvalidValue;
    if (!node) return 1;
    p->count = 0;
    *VEC_PUSH(p->frontier, p->count, p->cap) = node;
    return 1;
}

int capture_allocates(cudaStream_t stream, void **p, size_t bytes)
{
    struct work w;
    cudaError_t error;
    struct part *part = part_of(streams, stream);
    if (!part || !bytes) return 0;
    enum cudaStreamCaptureMode mode = part->capture->mode;
    /* relaxed, so that allocating memory now is not forbidden: the memory belongs to the graph */
    part->capture->mode = cudaStreamCaptureModeRelaxed;
    error = work_memory(&w, bytes);
    part->capture->mode = mode;
    if (error || !capture_takes(stream, 0, &w, &error) || error) return 0;
    *p = w.memory->p;
    return 1;
}

int capture_frees(cudaStream_t stream, void *p)
{
    cudaError_t error;
    const struct part *part = part_of(streams, stream);
    struct work w = {.kind = cudaGraphNodeTypeMemFree,
        .memory = part ? graph_memory(part->capture->graph, p) : NULL};
    return w.memory && capture_takes(stream, 0, &w, &error) && !error;
}

int capture_forbids(cudaError_t *error)
{
    for (struct part *p = streams; p; p = p->next) {
        if (p->capture->mode == cudaStreamCaptureModeRelaxed) continue;
        p->capture->invalid = 1;
        *error = cudaErrorStreamCaptureUnsupported;
        return 1;
    }
    return 0;
}

int capture_forbids_wait(cudaStream_t stream, cudaError_t *error)
{
    struct part *p = part_of(streams, stream);
    if (!p) return streams ? forbidden(stream, 0, error) : 0;
    p->capture->invalid = 1;
    *error = cudaErrorStreamCaptureUnsupported;
    return 1;
}

int capture_forbids_event(cudaEvent_t event, cudaError_t *error)
{
    if (!part_of(events, event)) return 0;
    *error = cudaErrorCapturedEvent;
    return 1;
}

int capture_record(cudaEvent_t event, cudaStream_t stream)
{
    struct part *p = part_of(streams, stream);
    if (events) capture_forget_event(event);
    if (!p) return 0;
    add_frontier(join(&events, event, p->capture), p);
    return 1;
}

int capture_wait(cudaStream_t stream, cudaEvent_t event, int recorded, cudaError_t *error)
{
    struct part *p = part_of(streams, stream), *e = part_of(events, event);
    *error = p && e && p->capture != e->capture ? cudaErrorStreamCaptureMerge
             : p && !e && recorded              ? cudaErrorStreamCaptureIsolation
                                                : cudaSuccess;
    if (!e || *error) return p != NULL;
    if (!p) p = join(&streams, stream, e->capture);
    add_frontier(p, e);
    return 1;
}

void capture_forget_event(cudaEvent_t event) { leave(&events, NULL, event); }

API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    static unsigned long long begun;
    ENTER();
    if (!clock_row(stream)) return runtime_leave(cudaErrorStreamCaptureUnsupported);
    if (part_of(streams, stream)) return runtime_leave(cudaErrorIllegalState);
    struct capture *c = xcalloc(1, sizeof *c);
    *c = (struct capture){xcalloc(1, sizeof *c->graph), stream, mode, ++begun, 0};
    join(&streams, stream, c);
    return runtime_leave(cudaSuccess);
}

/* Is every node of the graph that no other node waits for in the first stream's frontier? If not,
 * the work of another stream was not joined. */
static int joined(const struct capture *c)
{
    const struct part *first = part_of(streams, c->first);
    for (size_t i = 0; i < c->graph->count; i++) {
        const cudaGraphNode_t node = c->graph->nodes[i];
        int last = 1, known = 0;
        for (size_t k = i + 1; k < c->graph->count && last; k++)
            for (size_t b = 0; b < c->graph->nodes[k]->before_count; b++)
                if (c->graph->nodes[k]->before[b] == node) last = 0;
        for (size_t k = 0; k < first->count; k++) known |= first->frontier[k] == node;
        if (last && !known) return 0;
    }
    return 1;
}

API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    ENTER();
    struct part *p = part_of(streams, stream);
    if (!graph || !p) return runtime_leave(graph ? cudaErrorIllegalState : cudaErrorInvalidValue);
    struct capture *c = p->capture;
    if (c->first != stream) return runtime_leave(cudaErrorStreamCaptureUnmatched);
    cudaError_t error = c->invalid   ? cudaErrorStreamCaptureInvalidated
                        : !joined(c) ? cudaErrorStreamCaptureUnjoined
                                     : cudaSuccess;
    *graph = error ? NULL : c->graph;
    if (error) graph_free(c->graph);
    leave(&streams, c, NULL);
    leave(&events, c, NULL);
    free(c);
    return runtime_leave(error);
}

API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    ENTER();
    const struct part *p = part_of(streams, stream);
    *status = !p                    ? cudaStreamCaptureStatusNone
              : p->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
    unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **before, size_t *count)
{
    cudaError_t error = cudaStreamIsCapturing(stream, status);
    const struct part *p = part_of(streams, stream);
    if (error || !p) return error;
    if (id) *id = p->capture->id;
    if (graph) *graph = p->capture->graph;
    if (before) *before = p->frontier;
    if (count) *count = p->count;
    return cudaSuccess;
}
