// Graphs made by hand: nodes of each kind, launches, other parameters, a child, an update.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) \
    do { \
        cudaError_t error_ = (call); \
        if (error_) std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error_)); \
    } while (0)

const int N = 1000;

__global__ void add(int *p, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += by;
}

__global__ void times(int *p, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= by;
}

static long total(const int *p)
{
    long sum = 0;
    for (int i = 0; i < N; i++) sum += p[i];
    return sum;
}

static void say(void *text) { std::printf("host: %s\n", (const char *)text); }

int main()
{
    int *d, *h;
    CHECK(cudaMalloc(&d, N * sizeof *d));
    CHECK(cudaMallocHost(&h, N * sizeof *h));

    // set ──> add ──> times ──> copy ──> host
    cudaGraph_t graph;
    cudaGraphNode_t set, first, second, copy, host, none;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams fill = {};
    fill.dst = d, fill.value = 2, fill.elementSize = 4, fill.width = N, fill.height = 1;
    CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fill));
    int n = N, by = 3;
    void *args[] = {&d, &n, &by};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add, kernel.gridDim = dim3(4), kernel.blockDim = dim3(256), kernel.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&first, graph, &set, 1, &kernel));
    by = 10; // the node above keeps 3
    kernel.func = (void *)times;
    CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, h, d, N * sizeof *h, cudaMemcpyDeviceToHost));
    cudaHostNodeParams after = {};
    after.fn = say, after.userData = (void *)"copied";
    CHECK(cudaGraphAddHostNode(&host, graph, &copy, 1, &after));
    CHECK(cudaGraphAddEmptyNode(&none, graph, &host, 1));

    size_t count = 0, roots = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(copy, &type));
    std::printf("%zu nodes, %zu root, copy is %d\n", count, roots, (int)type);

    cudaStream_t stream;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        std::printf("sum %ld\n", total(h));
    }

    // other parameters in what is instantiated; the graph itself keeps its own
    by = 100;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, second, &kernel));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("sum %ld\n", total(h));
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, graph, &info));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("sum %ld, updated %d\n", total(h), info.result == cudaGraphExecUpdateSuccess);

    // a graph within a graph, and one that differs
    cudaGraph_t outer, clone;
    cudaGraphNode_t child, more;
    cudaGraphExec_t twice;
    CHECK(cudaGraphCreate(&outer, 0));
    CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
    by = 1, kernel.func = (void *)add;
    CHECK(cudaGraphAddKernelNode(&more, outer, &child, 1, &kernel));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, outer, &more, 1, h, d, N * sizeof *h, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphClone(&clone, outer));
    CHECK(cudaGraphInstantiate(&twice, clone, 0));
    CHECK(cudaGraphLaunch(twice, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("sum %ld\n", total(h));
    std::printf("%s\n", cudaGetErrorName(cudaGraphExecUpdate(twice, graph, &info)));
    cudaGetLastError();

    // the program frees the memory of a graph: the next launch allocates it again
    cudaGraph_t own;
    cudaGraphExec_t again;
    cudaGraphNode_t made, filled;
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = N * sizeof *h;
    CHECK(cudaGraphCreate(&own, 0));
    CHECK(cudaGraphAddMemAllocNode(&made, own, nullptr, 0, &memory));
    cudaMemsetParams sevens = {};
    sevens.dst = memory.dptr, sevens.value = 7, sevens.elementSize = 4, sevens.width = N, sevens.height = 1;
    CHECK(cudaGraphAddMemsetNode(&filled, own, &made, 1, &sevens));
    CHECK(cudaGraphInstantiate(&again, own, 0));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaGraphLaunch(again, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(h, memory.dptr, N * sizeof *h, cudaMemcpyDeviceToHost));
        CHECK(cudaFree(memory.dptr));
        std::printf("sum %ld\n", total(h));
    }

    CHECK(cudaGraphExecDestroy(again));
    CHECK(cudaGraphDestroy(own));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphExecDestroy(twice));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(outer));
    CHECK(cudaGraphDestroy(clone));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
