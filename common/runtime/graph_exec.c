/* graph_exec.c - executable graphs.
 *
 *     cudaGraphInstantiate: copies the graph, with its nodes in topological order
 *     cudaGraphLaunch:      stream |--A--|--B--|          in modelled time, a node begins when
 *                                        |--C-----|--D--|  all that it waits for have ended */
#include "runtime/graph.h"

#include <stdlib.h>

struct CUgraphExec_st {
    cudaGraph_t graph;
};

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph)
{
    cudaGraph_t copy = exec && graph ? graph_copy(graph) : NULL;
    if (!copy) return cudaErrorInvalidValue;
    *exec = xcalloc(1, sizeof **exec);
    (*exec)->graph = copy;
    return cudaSuccess;
}

CALL(cudaGraphInstantiate, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
    instantiate(exec, graph))

API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    ENTER();
    if (!exec) return runtime_leave(cudaErrorInvalidValue);
    graph_free(exec->graph);
    free(exec);
    return runtime_leave(cudaSuccess);
}

CALL(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream),
    exec ? cudaSuccess : cudaErrorInvalidValue)

cudaError_t graph_run(cudaGraph_t g, cudaStream_t stream)
{
    cudaStream_t branch = clock_branch(stream);
    double begin = clock_work(stream, 0, 0), end = begin;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < g->count && !error; i++) {
        cudaGraphNode_t node = g->nodes[i];
        double from = begin;
        for (size_t k = 0; k < node->before_count; k++)
            if (node->before[k]->end > from) from = node->before[k]->end;
        clock_restart(branch, from);
        error = work_run(&node->work, branch, 0);
        node->end = clock_ready(branch);
        if (node->end > end) end = node->end;
    }
    clock_after(stream, end);
    clock_branch_end(branch);
    return error;
}

API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t error;
    ENTER();
    if (!exec) return runtime_leave(cudaErrorInvalidValue);
    const struct work w = {.kind = cudaGraphNodeTypeGraph, .graph = exec->graph};
    if (capture_takes(stream, 0, &w, &error)) return runtime_leave(error);
    return runtime_leave(graph_run(exec->graph, stream));
}

/* ---- cudaGraphExecUpdate: a graph with the same nodes and edges, but other parameters ---- */

static int same_edges(const struct CUgraphNode_st *a, const struct CUgraphNode_st *b)
{
    if (a->before_count != b->before_count) return 0;
    for (size_t i = 0; i < a->before_count; i++) {
        size_t x = 0, y = 0;
        while (a->graph->nodes[x] != a->before[i]) x++;
        while (b->graph->nodes[y] != b->before[i]) y++;
        if (x != y) return 0;
    }
    return 1;
}

API cudaError_t cudaGraphExecUpdate(
    cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    ENTER();
    if (!exec || !graph || !info) return runtime_leave(cudaErrorInvalidValue);
    *info = (cudaGraphExecUpdateResultInfo){cudaGraphExecUpdateErrorTopologyChanged, NULL, NULL};
    cudaGraph_t new = graph_copy(graph), old = exec->graph;
    if (!new) return runtime_leave(cudaErrorInvalidValue);
    int same = new->count == old->count;
    for (size_t i = 0; i < new->count &&same; i++) {
        if (new->nodes[i]->work.kind != old->nodes[i]->work.kind)
            info->result = cudaGraphExecUpdateErrorNodeTypeChanged;
        else if (same_edges(old->nodes[i], new->nodes[i]))
            continue;
        same = 0;
        info->errorNode = new->nodes[i]->origin;
    }
    if (!same) {
        graph_free(new);
        return runtime_leave(cudaErrorGraphExecUpdateFailure);
    }
    /* programs set parameters by the nodes of the graph that was instantiated first, so those nodes
     * remain the origins */
    for (size_t i = 0; i < new->count; i++) new->nodes[i]->origin = old->nodes[i]->origin;
    exec->graph = new;
    graph_free(old);
    info->result = cudaGraphExecUpdateSuccess;
    return runtime_leave(cudaSuccess);
}

static cudaError_t set(cudaGraphExec_t exec, cudaGraphNode_t node, const struct work *w)
{
    return exec ? graph_set(graph_find(exec->graph, node), w) : cudaErrorInvalidValue;
}

API cudaError_t cudaGraphExecKernelNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *params)
{
    struct work w;
    ENTER();
    cudaError_t error = params ? work_kernel(&w, params) : cudaErrorInvalidValue;
    return runtime_leave(error ? error : set(exec, node, &w));
}
