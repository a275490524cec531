/* graph.c - CUDA graphs: nodes of work, and which nodes each of them waits for.
 *
 *     A --> B --┐        node D: before = {B, C}
 *     └---> C --┴--> D   a copy of a graph has its nodes in topological order: A B C D */
#include "runtime/graph.h"

#include <stdlib.h>

static int holds(const cudaGraphNode_t *list, size_t count, cudaGraphNode_t node)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == node) return 1;
    return 0;
}

void graph_depend(cudaGraphNode_t node, cudaGraphNode_t before)
{
    if (!holds(node->before, node->before_count, before))
        *VEC_PUSH(node->before, node->before_count, node->before_cap) = before;
}

cudaGraphNode_t graph_add(
    cudaGraph_t g, const struct work *w, const cudaGraphNode_t *before, size_t count)
{
    struct work kept;
    for (size_t i = 0; i < count; i++)
        if (!before[i] || before[i]->graph != g) return NULL;
    if (work_keep(&kept, w)) return NULL;
    cudaGraphNode_t node = xcalloc(1, sizeof *node);
    *node = (struct CUgraphNode_st){.work = kept, .graph = g};
    for (size_t i = 0; i < count; i++) graph_depend(node, before[i]);
    *VEC_PUSH(g->nodes, g->count, g->cap) = node;
    return node;
}

static void free_node(cudaGraphNode_t node)
{
    work_drop(&node->work);
    free(node->before);
    free(node);
}

void graph_free(cudaGraph_t g)
{
    for (size_t i = 0; i < g->count; i++) free_node(g->nodes[i]);
    free(g->nodes);
    free(g);
}

/* Copy a node to the graph `copy` if all nodes that it waits for have been copied. Returns whether
 * it was copied. */
static int place(cudaGraph_t copy, cudaGraphNode_t node)
{
    for (size_t i = 0; i < node->before_count; i++)
        if (!node->before[i]->copy) return 0;
    if (!(node->copy = graph_add(copy, &node->work, NULL, 0))) return 0;
    node->copy->origin = node;
    for (size_t i = 0; i < node->before_count; i++) graph_depend(node->copy, node->before[i]->copy);
    return 1;
}

cudaGraph_t graph_copy(const struct CUgraph_st *g)
{
    cudaGraph_t copy = xcalloc(1, sizeof *copy);
    for (size_t i = 0; i < g->count; i++) g->nodes[i]->copy = NULL;
    for (int placed = 1; placed;) {
        placed = 0;
        for (size_t i = 0; i < g->count; i++)
            if (!g->nodes[i]->copy) placed += place(copy, g->nodes[i]);
    }
    if (copy->count == g->count) return copy;
    graph_free(copy);
    return NULL;
}

cudaGraphNode_t graph_find(const struct CUgraph_st *g, cudaGraphNode_t origin)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->nodes[i]->origin == origin) return g->nodes[i];
    return NULL;
}

API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    ENTER();
    if (!graph || flags) return runtime_leave(cudaErrorInvalidValue);
    *graph = xcalloc(1, sizeof **graph);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    ENTER();
    if (graph) graph_free(graph);
    return runtime_leave(graph ? cudaSuccess : cudaErrorInvalidValue);
}

API cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph)
{
    ENTER();
    *copy = graph ? graph_copy(graph) : NULL;
    return runtime_leave(*copy ? cudaSuccess : cudaErrorInvalidValue);
}

API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    ENTER();
    if (!node) return runtime_leave(cudaErrorInvalidValue);
    cudaGraph_t g = node->graph;
    for (size_t i = 0; i < g->count; i++) {
        cudaGraphNode_t other = g->nodes[i];
        for (size_t k = 0; k < other->before_count; k++)
            if (other->before[k] == node) other->before[k--] = other->before[--other->before_count];
    }
    size_t at = 0;
    while (g->nodes[at] != node) at++;
    for (g->count--; at < g->count; at++) g->nodes[at] = g->nodes[at + 1];
    free_node(node);
    return runtime_leave(cudaSuccess);
}

/* ---- nodes ---- */

static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
    size_t count, struct work w)
{
    if (!node || !graph || (count && !before)) return cudaErrorInvalidValue;
    *node = graph_add(graph, &w, before, count);
    return *node ? cudaSuccess : cudaErrorInvalidValue;
}

/* The first parameters of each call that adds a node. */
#define NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count

API cudaError_t cudaGraphAddKernelNode(NODE, const struct cudaKernelNodeParams *params)
{
    struct work w;
    ENTER();
    cudaError_t error = params ? work_kernel(&w, params) : cudaErrorInvalidValue;
    return runtime_leave(error ? error : add(node, graph, before, count, w));
}

CALL(cudaGraphAddMemcpyNode, (NODE, const struct cudaMemcpy3DParms *params),
    params ? add(node, graph, before, count,
                 (struct work){.kind = cudaGraphNodeTypeMemcpy, .copy = *params})
           : cudaErrorInvalidValue)

CALL(cudaGraphAddMemcpyNode1D,
    (NODE, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
    add(node, graph, before, count, work_rows(to, bytes, from, bytes, bytes, 1, kind)))

CALL(cudaGraphAddMemsetNode, (NODE, const struct cudaMemsetParams *params),
    params ? add(node, graph, before, count,
                 (struct work){.kind = cudaGraphNodeTypeMemset, .set = *params})
           : cudaErrorInvalidValue)

CALL(cudaGraphAddHostNode, (NODE, const struct cudaHostNodeParams *params),
    params && params->fn ? add(node, graph, before, count,
                               (struct work){.kind = cudaGraphNodeTypeHost, .host = *params})
                         : cudaErrorInvalidValue)

CALL(cudaGraphAddChildGraphNode, (NODE, cudaGraph_t child),
    child &&child != graph ? add(node, graph, before, count,
                                 (struct work){.kind = cudaGraphNodeTypeGraph, .graph = child})
                           : cudaErrorInvalidValue)

CALL(cudaGraphAddEmptyNode, (NODE),
    add(node, graph, before, count, (struct work){.kind = cudaGraphNodeTypeEmpty}))

API cudaError_t cudaGraphAddMemAllocNode(NODE, struct cudaMemAllocNodeParams *params)
{
    ENTER();
    if (!params) return runtime_leave(cudaErrorInvalidValue);
    struct work w = {.kind = cudaGraphNodeTypeMemAlloc};
    cudaError_t error = work_memory(&w, params->bytesize);
    if (error) return runtime_leave(error);
    params->dptr = w.memory->p;
    return runtime_leave(add(node, graph, before, count, w));
}

API cudaError_t cudaGraphAddMemFreeNode(NODE, void *p)
{
    ENTER();
    const struct work w = {
        .kind = cudaGraphNodeTypeMemFree, .memory = graph ? graph_memory(graph, p) : NULL};
    return runtime_leave(w.memory ? add(node, graph, before, count, w) : cudaErrorInvalidValue);
}

API cudaError_t cudaGraphAddDependencies(
    cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count)
{
    ENTER();
    for (size_t i = 0; i < count; i++) {
        if (!from[i] || !to[i] || from[i]->graph != graph || to[i]->graph != graph ||
            from[i] == to[i] || holds(to[i]->before, to[i]->before_count, from[i]))
            return runtime_leave(cudaErrorInvalidValue);
        graph_depend(to[i], from[i]);
    }
    return runtime_leave(cudaSuccess);
}

/* ---- nodes and edges of a graph ---- */

/* Return a list of nodes as CUDA's calls do: if out is NULL, *count becomes the number of nodes;
 * else at most *count nodes are written to out. */
static cudaError_t give(const cudaGraphNode_t *list, size_t n, cudaGraphNode_t *out, size_t *count)
{
    if (!count) return cudaErrorInvalidValue;
    for (size_t i = 0; out && i < *count; i++) out[i] = i < n ? list[i] : NULL;
    if (!out || n < *count) *count = n;
    return cudaSuccess;
}

CALL(cudaGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
    graph ? give(graph->nodes, graph->count, nodes, count) : cudaErrorInvalidValue)

API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    cudaGraphNode_t *list = NULL;
    size_t n = 0, cap = 0;
    ENTER();
    if (!graph) return runtime_leave(cudaErrorInvalidValue);
    for (size_t i = 0; i < graph->count; i++)
        if (!graph->nodes[i]->before_count) *VEC_PUSH(list, n, cap) = graph->nodes[i];
    cudaError_t error = give(list, n, nodes, count);
    free(list);
    return runtime_leave(error);
}

API cudaError_t cudaGraphGetEdges(
    cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count)
{
    cudaGraphNode_t *firsts = NULL, *seconds = NULL;
    size_t n = 0, m = 0, n_cap = 0, m_cap = 0;
    ENTER();
    if (!graph || !count || !from != !to) return runtime_leave(cudaErrorInvalidValue);
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->before_count; k++) {
            *VEC_PUSH(firsts, n, n_cap) = graph->nodes[i]->before[k];
            *VEC_PUSH(seconds, m, m_cap) = graph->nodes[i];
        }
    size_t room = *count;
    give(firsts, n, from, &room);
    give(seconds, m, to, count);
    free(firsts), free(seconds);
    return runtime_leave(cudaSuccess);
}

CALL(cudaGraphNodeGetDependencies, (cudaGraphNode_t node, cudaGraphNode_t *before, size_t *count),
    node ? give(node->before, node->before_count, before, count) : cudaErrorInvalidValue)

API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    ENTER();
    if (!node || !type) return runtime_leave(cudaErrorInvalidValue);
    *type = node->work.kind;
    return runtime_leave(cudaSuccess);
}

/* ---- parameters of a node ---- */

static int is(cudaGraphNode_t node, enum cudaGraphNodeType kind)
{
    return node && node->work.kind == kind;
}

cudaError_t graph_set(cudaGraphNode_t node, const struct work *w)
{
    struct work kept;
    if (!is(node, w->kind) || work_keep(&kept, w)) return cudaErrorInvalidValue;
    work_drop(&node->work);
    node->work = kept;
    return cudaSuccess;
}

API cudaError_t cudaGraphKernelNodeGetParams(
    cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
    ENTER();
    if (!is(node, cudaGraphNodeTypeKernel)) return runtime_leave(cudaErrorInvalidValue);
    const struct kernel_work *k = &node->work.kernel;
    const unsigned *g = k->shape.grid, *b = k->shape.block;
    *params = (struct cudaKernelNodeParams){.func = (void *)k->stub,
        .gridDim = {g[0], g[1], g[2]},
        .blockDim = {b[0], b[1], b[2]},
        .sharedMemBytes = (unsigned)k->shape.dynamic_shared,
        .kernelParams = k->args};
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaGraphKernelNodeSetParams(
    cudaGraphNode_t node, const struct cudaKernelNodeParams *params)
{
    struct work w;
    ENTER();
    cudaError_t error = params ? work_kernel(&w, params) : cudaErrorInvalidValue;
    return runtime_leave(error ? error : graph_set(node, &w));
}
