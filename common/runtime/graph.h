/* graph.h - work of a stream as a value, and graphs of such work. Private to the room.
 *
 *     a call ── struct work ──┬── work_run: now
 *                             └── graph_add: a node, which cudaGraphLaunch runs
 */
#ifndef LOCKSTEP_RUNTIME_GRAPH_H
#define LOCKSTEP_RUNTIME_GRAPH_H

#include "runtime/runtime.h"

/* Memory that a graph allocates and frees. It is allocated with its node, so that its address is
 * known. */
struct graph_memory {
    void *p;
    int nodes; /* that hold it; the last one frees it if the graph does */
    int freed; /* the graph has a node that frees it */
};

struct work {
    enum cudaGraphNodeType kind;
    struct kernel_work {
        const void *stub;
        struct launch_shape shape;
        int together; /* all blocks at once, for grid.sync() */
        void **args;  /* a pointer to each parameter's value; kept work owns both */
    } kernel;
    struct cudaMemcpy3DParms copy;
    struct cudaMemsetParams set;
    struct cudaHostNodeParams host;
    cudaGraph_t graph; /* a child; kept work owns it */
    struct graph_memory *memory;
};
/* Do the work now, in the order of a stream. wait: the host waits for its end. */
cudaError_t work_run(const struct work *w, cudaStream_t stream, int wait);
/* A copy that owns what it points to. -1: the kernel is not known. */
int work_keep(struct work *out, const struct work *w);
void work_drop(struct work *w);
/* Rows as a box. */
struct work work_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height, enum cudaMemcpyKind kind);
struct work work_set(void *p, size_t pitch, int value, size_t width, size_t height);
/* Memory of a graph: allocated now. work_memory: the work that allocates it; graph_memory: what a
 * node of the graph has allocated, or NULL. */
cudaError_t work_memory(struct work *w, size_t bytes);
struct graph_memory *graph_memory(const struct CUgraph_st *g, const void *p);
/* Launch parameters of a node as work, checked. The arguments stay the caller's. */
cudaError_t work_kernel(struct work *w, const struct cudaKernelNodeParams *params);

struct CUgraphNode_st {
    struct work work;
    struct CUgraph_st *graph;
    cudaGraphNode_t *before; /* must have ended when this one begins */
    size_t before_count, before_cap;
    cudaGraphNode_t origin; /* for a copy: the node it was copied from, which may no longer exist */
    cudaGraphNode_t copy;   /* during graph_copy: the node's copy */
    double end;             /* when the last launch ends, on the modelled clock */
};
struct CUgraph_st {
    cudaGraphNode_t *nodes;
    size_t count, cap;
};

/* NULL: a node to wait for is in another graph, or the kernel is not known. */
cudaGraphNode_t graph_add(
    cudaGraph_t g, const struct work *w, const cudaGraphNode_t *before, size_t count);
void graph_depend(cudaGraphNode_t node, cudaGraphNode_t before);
/* Nodes are in topological order. NULL: the graph has a cycle. */
cudaGraph_t graph_copy(const struct CUgraph_st *g);
void graph_free(cudaGraph_t g);
/* The node of a copy that was copied from this one. */
cudaGraphNode_t graph_find(const struct CUgraph_st *g, cudaGraphNode_t origin);
/* Give a node other work of its kind. The work is copied. */
cudaError_t graph_set(cudaGraphNode_t node, const struct work *w);
/* Run the nodes of a graph that graph_copy made. */
cudaError_t graph_run(cudaGraph_t g, cudaStream_t stream);

/* ---- capture (capture.c) ---- */

/* Is this stream's work kept in a graph, or forbidden because of a capture? Then *error is what the
 * call returns. wait: the call waits for the work. */
int capture_takes(cudaStream_t stream, int wait, const struct work *w, cudaError_t *error);
/* Calls that are not allowed while any stream is captured: *error is what they return. */
int capture_forbids(cudaError_t *error);
/* The same for waiting on one stream; for an event that a captured stream has recorded. */
int capture_forbids_wait(cudaStream_t stream, cudaError_t *error);
int capture_forbids_event(cudaEvent_t event, cudaError_t *error);
/* cudaMallocAsync and cudaFreeAsync: does a capture take part? */
int capture_allocates(cudaStream_t stream, void **p, size_t bytes);
int capture_frees(cudaStream_t stream, void *p);
/* cudaEventRecord and cudaStreamWaitEvent: does a capture take part? */
int capture_record(cudaEvent_t event, cudaStream_t stream);
int capture_wait(cudaStream_t stream, cudaEvent_t event, int recorded, cudaError_t *error);
void capture_forget_event(cudaEvent_t event);

#endif
