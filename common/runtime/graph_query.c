/* graph_query.c - what a graph holds: its nodes, their order, their parameters.
 *
 *     a list of nodes:  (NULL, &count) asks how many there are; (list, &count) fills in at most count of them
 */
#include "runtime/graph.h"

#include <stdlib.h>

/* Give the list of so many nodes, as CUDA's calls do. */
static cudaError_t give(cudaGraphNode_t *const *list, size_t n, cudaGraphNode_t *out, size_t *count)
{
    if (!count) return cudaErrorInvalidValue;
    for (size_t i = 0; out && i < *count; i++) out[i] = i < n ? (*list)[i] : NULL;
    if (!out || n < *count) *count = n;
    return cudaSuccess;
}

API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    ENTER();
    return runtime_leave(
        graph ? give(&graph->nodes, graph->count, nodes, count) : cudaErrorInvalidValue);
}

API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    cudaGraphNode_t *list = NULL;
    size_t n = 0, cap = 0;
    ENTER();
    if (!graph) return runtime_leave(cudaErrorInvalidValue);
    for (size_t i = 0; i < graph->count; i++)
        if (!graph->nodes[i]->before_count) *VEC_PUSH(list, n, cap) = graph->nodes[i];
    cudaError_t error = give(&list, n, nodes, count);
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
    give(&firsts, n, from, &room);
    give(&seconds, m, to, count);
    free(firsts), free(seconds);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaGraphNodeGetDependencies(
    cudaGraphNode_t node, cudaGraphNode_t *before, size_t *count)
{
    ENTER();
    return runtime_leave(
        node ? give(&node->before, node->before_count, before, count) : cudaErrorInvalidValue);
}

API cudaError_t cudaGraphNodeGetDependentNodes(
    cudaGraphNode_t node, cudaGraphNode_t *after, size_t *count)
{
    cudaGraphNode_t *list = NULL;
    size_t n = 0, cap = 0;
    ENTER();
    for (size_t i = 0; node && i < node->graph->count; i++) {
        cudaGraphNode_t other = node->graph->nodes[i];
        for (size_t k = 0; k < other->before_count; k++)
            if (other->before[k] == node) *VEC_PUSH(list, n, cap) = other;
    }
    cudaError_t error = node ? give(&list, n, after, count) : cudaErrorInvalidValue;
    free(list);
    return runtime_leave(error);
}

API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    ENTER();
    if (!node || !type) return runtime_leave(cudaErrorInvalidValue);
    *type = node->work.kind;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaGraphNodeFindInClone(
    cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone)
{
    ENTER();
    *found = clone ? graph_find(clone, node) : NULL;
    return runtime_leave(*found ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- parameters of a node: the same functions serve the nodes of an instantiated graph ---- */

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

/* The same two calls for each other kind of work. */
#define NODE_PARAMS(name, type, member) \
    API cudaError_t cudaGraph##name##NodeGetParams(cudaGraphNode_t node, struct type *params) \
    { \
        ENTER(); \
        if (!params || !is(node, cudaGraphNodeType##name)) \
            return runtime_leave(cudaErrorInvalidValue); \
        *params = node->work.member; \
        return runtime_leave(cudaSuccess); \
    } \
    API cudaError_t cudaGraph##name##NodeSetParams( \
        cudaGraphNode_t node, const struct type *params) \
    { \
        ENTER(); \
        if (!params) return runtime_leave(cudaErrorInvalidValue); \
        const struct work w = {.kind = cudaGraphNodeType##name, .member = *params}; \
        return runtime_leave(graph_set(node, &w)); \
    }
NODE_PARAMS(Memcpy, cudaMemcpy3DParms, copy)
NODE_PARAMS(Memset, cudaMemsetParams, set)
NODE_PARAMS(Host, cudaHostNodeParams, host)
