/* graph.h - work of a stream as a value, and graphs of such work. Private to runtime/.
 *
 *     a call ── struct work ──┬── work_run: now
 *                             └── graph_add: a node, which cudaGraphLaunch runs */
#ifndef LOCKSTEP_RUNTIME_GRAPH_H
#define LOCKSTEP_RUNTIME_GRAPH_H

#include "runtime/runtime.h"

/* Memory that a graph allocates and frees. The memory is allocated when its node is added to the
 * graph, since CUDA returns the address then. */
struct graph_memory {
    void *p;
    /* how many nodes refer to the memory; if `freed` is set, the memory is freed with the last of
     * them */
    int nodes;
    int freed; /* 1: the graph has a node that frees the memory, or the program has freed it */
};

struct work {
    enum cudaGraphNodeType kind;
    struct kernel_work {
        const void *stub;
        struct launch_shape shape;
        int together; /* cooperative launch: all blocks must be resident at once, for grid.sync() */
        /* for each parameter a pointer to its value; owned if the work was copied by work_keep */
        void **args;
    } kernel;
    struct cudaMemcpy3DParms copy;
    struct cudaMemsetParams set;
    struct cudaHostNodeParams host;
    /* the graph that a child graph node runs; owned if the work was copied by work_keep */
    cudaGraph_t graph;
    struct graph_memory *memory;
};
/* Do the work now, in this stream. wait: the host waits until the work has ended. */
cudaError_t work_run(const struct work *w, cudaStream_t stream, int wait);
/* Copy work, including all that *w points to. -1: the kernel is unknown. work_drop frees the
 * copy. */
int work_keep(struct work *out, const struct work *w);
void work_drop(struct work *w);
/* The work of copying `height` rows of `width` bytes. Pitches are in bytes. */
struct work work_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height, enum cudaMemcpyKind kind);
struct work work_set(void *p, size_t pitch, int value, size_t width, size_t height);
/* work_memory: allocate a graph's memory now, and set *w to the work of the node. graph_memory: the
 * memory that a node of the graph allocates at address p, or NULL. */
cudaError_t work_memory(struct work *w, size_t bytes);
struct graph_memory *graph_memory(const struct CUgraph_st *g, const void *p);
/* Convert and check the launch parameters of a node. The arguments stay owned by the caller. */
cudaError_t work_kernel(struct work *w, const struct cudaKernelNodeParams *params);

struct CUgraphNode_st {
    struct work work;
    struct CUgraph_st *graph;
    cudaGraphNode_t *before; /* the nodes that this node waits for */
    size_t before_count, before_cap;
    /* in a copied graph: the node that it was copied from, which may no longer exist */
    cudaGraphNode_t origin;
    cudaGraphNode_t copy; /* used during graph_copy: the copy of this node */
    double end; /* when the node's last run ended, in milliseconds of the modelled clock */
};
struct CUgraph_st {
    cudaGraphNode_t *nodes;
    size_t count, cap;
};

/* Add a node that waits for `count` nodes; w is copied. NULL: one of these nodes is in another
 * graph, or the kernel is unknown. */
cudaGraphNode_t graph_add(
    cudaGraph_t g, const struct work *w, const cudaGraphNode_t *before, size_t count);
void graph_depend(cudaGraphNode_t node, cudaGraphNode_t before);
/* Copy a graph; the copy has its nodes in topological order. NULL: the graph has a cycle. */
cudaGraph_t graph_copy(const struct CUgraph_st *g);
void graph_free(cudaGraph_t g);
/* The node of a copied graph that was copied from `origin`; NULL: none. */
cudaGraphNode_t graph_find(const struct CUgraph_st *g, cudaGraphNode_t origin);
/* Replace a node's work by other work of the same kind, which is copied. */
cudaError_t graph_set(cudaGraphNode_t node, const struct work *w);
/* Run the nodes of a graph made by graph_copy, in order. */
cudaError_t graph_run(cudaGraph_t g, cudaStream_t stream);

/* ---- work that is put off until something asks for its results (later.c) ---- */

/* later_know: this launch has run and found nothing new. later_launch: put off the launch
 * if one like it is known. later_set, later_free: put off a memset, or the freeing of device memory,
 * if a launch is put off. All three return whether they did; then the caller only counts the
 * work. */
void later_know(const struct function *f, struct launch_record *r, const struct kernel_work *k);
int later_launch(const struct function *f, const struct launch_record *r, const struct work *w);
int later_set(const struct work *w);
int later_free(dev_ptr p, size_t bytes);
/* Do all that was put off. later_ask: unless this call of the API can leave it put off. Both return
 * the error of the first launch that fails; those after it do not run. */
cudaError_t later_run(void);
cudaError_t later_ask(const char *call);
/* Only free memory of what was put off. */
void later_drop(void);
/* Run a launch that was counted when it was put off (launch.c). */
cudaError_t launch_again(const struct kernel_work *k);
/* The bytes of a memset that was counted when it was put off (copy.c). */
cudaError_t copy_fill(const struct cudaMemsetParams *p);

/* ---- capture (capture.c) ---- */

/* If the stream is captured, add the work to the graph and return 1. Also return 1 if the work is
 * forbidden because of another capture. Then *error is set to what the call must return. Otherwise
 * return 0. wait: the call waits for the work. */
int capture_takes(cudaStream_t stream, int wait, const struct work *w, cudaError_t *error);
/* Is a call forbidden because any stream is captured? If so, *error is what the call must
 * return. */
int capture_forbids(cudaError_t *error);
/* capture_forbids_wait: is waiting for this stream forbidden because any stream is captured?
 * capture_forbids_event: is using this event forbidden, since it was recorded in a captured stream?
 * If so, *error is what the call must return. */
int capture_forbids_wait(cudaStream_t stream, cudaError_t *error);
int capture_forbids_event(cudaEvent_t event, cudaError_t *error);
/* For cudaMallocAsync and cudaFreeAsync: if the stream is captured, add a node. Returns whether a
 * node was added. */
int capture_allocates(cudaStream_t stream, void **p, size_t bytes);
int capture_frees(cudaStream_t stream, void *p);
/* For cudaEventRecord and cudaStreamWaitEvent: record the event, or the waiting, in a capture.
 * Returns whether a capture has recorded it; then nothing else is to be done. */
int capture_record(cudaEvent_t event, cudaStream_t stream);
int capture_wait(cudaStream_t stream, cudaEvent_t event, int recorded, cudaError_t *error);
void capture_forget_event(cudaEvent_t event);

#endif
