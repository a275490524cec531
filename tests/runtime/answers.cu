// What calls of the runtime and the driver answer on sim:h200, and what they leave in memory.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_profiler_api.h>
__global__ void fill(int *to, int value, int n)
{
    extern __shared__ int more[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = value + i;
}
#define TRY(...) printf("%s: %s\n", #__VA_ARGS__, cudaGetErrorName(__VA_ARGS__))
#define DRIVER(...) printf("%s: %d\n", #__VA_ARGS__, (int)(__VA_ARGS__))
#define ATTRIBUTE(name) (cudaDeviceGetAttribute(&n, name, 0), printf("%s %d\n", #name, n))
int n, m;
size_t size;
static void device()
{
    ATTRIBUTE(cudaDevAttrMaxThreadsPerBlock), ATTRIBUTE(cudaDevAttrMaxBlockDimX), ATTRIBUTE(cudaDevAttrMaxBlockDimY);
    ATTRIBUTE(cudaDevAttrMaxBlockDimZ), ATTRIBUTE(cudaDevAttrMaxGridDimX), ATTRIBUTE(cudaDevAttrMaxGridDimY);
    ATTRIBUTE(cudaDevAttrMaxGridDimZ), ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlock), ATTRIBUTE(cudaDevAttrMaxPitch);
    ATTRIBUTE(cudaDevAttrMaxRegistersPerBlock), ATTRIBUTE(cudaDevAttrTextureAlignment);
    ATTRIBUTE(cudaDevAttrL2CacheSize), ATTRIBUTE(cudaDevAttrWarpSize);
    ATTRIBUTE(cudaDevAttrComputeCapabilityMajor), ATTRIBUTE(cudaDevAttrComputeCapabilityMinor);
    ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerMultiprocessor), ATTRIBUTE(cudaDevAttrMaxRegistersPerMultiprocessor);
    ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlockOptin), ATTRIBUTE(cudaDevAttrMaxBlocksPerMultiprocessor);
    ATTRIBUTE(cudaDevAttrCooperativeLaunch), ATTRIBUTE(cudaDevAttrManagedMemory), ATTRIBUTE(cudaDevAttrMultiProcessorCount);
    ATTRIBUTE(cudaDevAttrHostNativeAtomicSupported), ATTRIBUTE(cudaDevAttrHostRegisterSupported), ATTRIBUTE(cudaDevAttrMaxTexture2DHeight);
    TRY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 16)), TRY(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
    printf("limit %zu\n", size);
    TRY(cudaDeviceGetStreamPriorityRange(&n, &m)), printf("priorities %d %d\n", n, m);
    TRY(cudaDeviceCanAccessPeer(&n, 0, 0)), printf("peer %d\n", n);
    TRY(cudaProfilerStart()), TRY(cudaProfilerStop()), TRY(cudaThreadSynchronize());
    int runtime = 0, driver = 0;
    TRY(cudaRuntimeGetVersion(&runtime)), TRY(cudaDriverGetVersion(&driver));
    printf("versions: %d\n", runtime >= 12000 && driver >= runtime);
}
static void driver()
{
    CUdevice d;
    CUcontext context, now;
    CUdeviceptr a, b, pitched;
    char name[64] = "", few[7] = "";
    int host[16] = {0};
    void *pinned;
    DRIVER(cuInit(0)), DRIVER(cuDeviceGet(&d, 0)), DRIVER(cuDeviceGet(&d, 5));
    DRIVER(cuCtxCreate(&context, 0, 0)), DRIVER(cuCtxGetCurrent(&now)), printf("current %d\n", now == context);
    DRIVER(cuDeviceGetName(name, sizeof name, 0)), DRIVER(cuDeviceGetName(few, sizeof few, 0)), printf("%s, %s\n", name, few);
    DRIVER(cuDeviceTotalMem(&size, 0)), printf("memory %d\n", size > 1000000);
    DRIVER(cuDeviceComputeCapability(&n, &m, 0)), printf("%d.%d\n", n, m);
    DRIVER(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0)), printf("warp %d\n", n);
    DRIVER(cuMemAlloc(&a, 64)), DRIVER(cuMemAlloc(&b, 64)), DRIVER(cuMemAllocHost(&pinned, 64));
    DRIVER(cuMemsetD8(a, 7, 64)), DRIVER(cuMemsetD16(a + 4, 0x1234, 2)), DRIVER(cuMemsetD32(a + 16, 99, 3));
    DRIVER(cuMemcpyDtoD(b, a, 64)), DRIVER(cuMemcpyDtoH(host, b, 64));
    for (int i : host) printf("%x ", i);
    printf("\n");
    DRIVER(cuMemsetD32Async(a, 5, 16, 0)), DRIVER(cuMemcpyDtoDAsync(b, a, 32, 0)), DRIVER(cuMemcpyDtoHAsync(host, b, 64, 0));
    DRIVER(cuCtxSynchronize());
    for (int i : host) printf("%x ", i);
    printf("\n");
    memset(pinned, 1, 64);
    DRIVER(cuMemcpyHtoDAsync(a, pinned, 64, 0)), DRIVER(cuMemcpy((CUdeviceptr)host, a, 8)), printf("%x %x\n", host[1], host[2]);
    DRIVER(cuMemAllocPitch(&pitched, &size, 100, 3, 4)), printf("pitch %d\n", size >= 100 && size % 32 == 0);
    DRIVER(cuMemFree(a)), DRIVER(cuMemFree(a)), DRIVER(cuMemFree(b)), DRIVER(cuMemFree(pitched)), DRIVER(cuMemFreeHost(pinned));
    DRIVER(cuMemcpyDtoH(host, b, 64)), DRIVER(cuMemsetD8(a, 7, 64));
}
static void modules()
{
    static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 g[3];\n"
                               ".visible .entry k(.param .u32 n, .param .u64 to)\n.maxntid 128, 1, 1\n{\n.reg .b32 %r<2>; .reg .b64 %q<2>;\n"
                               ".shared .align 4 .b8 s[64];\nst.shared.u32 [s], 1; ld.param.u32 %r1, [n]; ld.param.u64 %q1, [to]; st.global.u32 [%q1], %r1; ret;\n}\n";
    CUmodule module, other;
    CUfunction f;
    CUdeviceptr g, to;
    CUcontext before;
    int host = 0;
    DRIVER(cuModuleLoadData(&module, text)), DRIVER(cuModuleLoadData(nullptr, text)), DRIVER(cuModuleLoadData(&other, nullptr));
    DRIVER(cuModuleLoadData(&other, ".version 7.0\nnothing")), DRIVER(cuModuleLoad(&other, "/nowhere/k.ptx"));
    DRIVER(cuModuleGetFunction(&f, module, "k")), DRIVER(cuModuleGetFunction(nullptr, module, "k"));
    DRIVER(cuModuleGetFunction(&f, nullptr, "k")), DRIVER(cuModuleGetFunction(&f, module, nullptr));
    DRIVER(cuModuleGetFunction(&f, module, "none")), DRIVER(cuModuleGetFunction(&f, module, "k"));
    DRIVER(cuModuleGetGlobal(&g, &size, module, "g")), printf("%zu\n", size);
    DRIVER(cuModuleGetGlobal(nullptr, &size, module, "g")), DRIVER(cuModuleGetGlobal(&g, nullptr, module, "g"));
    DRIVER(cuModuleGetGlobal(&g, &size, nullptr, "g")), DRIVER(cuModuleGetGlobal(&g, &size, module, nullptr));
    DRIVER(cuModuleGetGlobal(&g, &size, module, "none"));
    for (int a : {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
             CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES})
        m = cuFuncGetAttribute(&n, (CUfunction_attribute)a, f), printf("%d: %d\n", m, n);
    DRIVER(cuMemAlloc(&to, 4)), n = 5;
    void *args[] = {&n, &to};
    DRIVER(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, nullptr)), DRIVER(cuMemcpyDtoH(&host, to, 4)), printf("%d\n", host);
    struct { int n; CUdeviceptr to; } packed = {6, to};
    size_t bytes = sizeof packed, few = 8;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    DRIVER(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, extra)), DRIVER(cuMemcpyDtoH(&host, to, 4)), printf("%d\n", host);
    extra[3] = &few, DRIVER(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, extra));
    DRIVER(cuLaunchKernel(f, 1, 1, 1, 129, 1, 1, 0, 0, args, nullptr));
    /* a launch like an earlier one, whose module is gone when its result is read */
    DRIVER(cuMemsetD32(to, 0, 1)), DRIVER(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, nullptr)), DRIVER(cuModuleUnload(module));
    DRIVER(cuMemcpyDtoH(&host, to, 4)), printf("%d\n", host), DRIVER(cuModuleUnload(nullptr)), DRIVER(cuCtxDestroy(nullptr));
    DRIVER(cuCtxPopCurrent(&before)), DRIVER(cuMemAlloc(&to, 4)), DRIVER(cuCtxPopCurrent(&before)), DRIVER(cuCtxPushCurrent(before));
    DRIVER(cuMemFree(to));
}
static void kernels()
{
    int *d, value = 3, many = 96, host[96];
    void *args[] = {&d, &value, &many};
    cudaFuncAttributes f;
    cudaMalloc(&d, sizeof host);
    TRY(cudaFuncGetAttributes(&f, fill)), printf("%d %zu %d\n", f.maxThreadsPerBlock, f.sharedSizeBytes, f.numRegs > 0);
    TRY(cudaLaunchKernel((void *)fill, 3, 32, args, 64, 0));
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), printf("%d %d\n", host[0], host[95]);
    cudaLaunchConfig_t c = {};
    c.gridDim = 2, c.blockDim = 48, value = 5;
    TRY(cudaLaunchKernelExC(&c, (void *)fill, args));
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), printf("%d %d\n", host[0], host[95]);
    cudaLaunchAttribute cluster[1] = {};
    cluster[0].id = cudaLaunchAttributeClusterDimension, cluster[0].val.clusterDim = {2, 1, 1};
    c.attrs = cluster, c.numAttrs = 1, value = 7;
    TRY(cudaLaunchKernelExC(&c, (void *)fill, args));
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), printf("%d %d\n", host[0], host[95]);
    value = 9, TRY(cudaLaunchCooperativeKernel((void *)fill, 2, 48, args, 0, 0));
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), printf("%d %d\n", host[0], host[95]);
    TRY(cudaLaunchCooperativeKernel((void *)fill, 100000, 1024, args, 0, 0)), TRY(cudaGetLastError());
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, fill, 256, 0), printf("blocks %d", n);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, fill, 256, 60000), printf(" %d", n);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, fill, 1024, 0), printf(" %d\n", n);
    cudaOccupancyMaxPotentialBlockSize(&n, &m, fill, 0, 0), printf("best %d x %d", n, m);
    cudaOccupancyMaxPotentialBlockSize(&n, &m, fill, 0, 200), printf(" %d x %d\n", n, m);
    cudaLaunchAttribute eight = {cudaLaunchAttributeClusterDimension};
    eight.val.clusterDim.x = 8, eight.val.clusterDim.y = eight.val.clusterDim.z = 1;
    cudaLaunchConfig_t clusters = {16, 1024, 100000, 0, &eight, 1};
    TRY(cudaOccupancyMaxActiveClusters(&n, fill, &clusters)), TRY(cudaOccupancyMaxPotentialClusterSize(&m, fill, &clusters));
    printf("clusters %d of %d\n", n, m), clusters.gridDim = 12, TRY(cudaOccupancyMaxActiveClusters(&n, fill, &clusters));
    cudaFunction_t by_driver;
    TRY(cudaGetFuncBySymbol(&by_driver, fill)), value = 20, cuLaunchKernel(by_driver, 3, 1, 1, 32, 1, 1, 0, 0, args, nullptr);
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), printf("%d %d\n", host[0], host[95]);
    cudaPointerAttributes where;
    TRY(cudaPointerGetAttributes(&where, host)), printf("%d %d\n", where.type, where.device);
    TRY(cudaPointerGetAttributes(&where, d + 5)), printf("%d %d %d\n", where.type, where.device, where.devicePointer == d + 5);
    cudaFree(d);
}
static void graphs()
{
    int *d, value = 1, many = 4, host[4];
    void *args[] = {&d, &value, &many}, *p;
    cudaMalloc(&d, sizeof host);
    cudaGraph_t g, copy;
    cudaGraphExec_t x;
    cudaGraphNode_t k, set, nodes[4], to[4];
    cudaKernelNodeParams params = {}, back = {};
    params.func = (void *)fill, params.gridDim = 1, params.blockDim = 32, params.kernelParams = args;
    cudaMemsetParams zero = {};
    zero.dst = d, zero.elementSize = 4, zero.width = 4, zero.height = 1, zero.value = 40;
    TRY(cudaGraphCreate(&g, 0)), TRY(cudaGraphAddKernelNode(&k, g, nullptr, 0, &params));
    TRY(cudaGraphAddMemsetNode(&set, g, &k, 1, &zero));
    cudaGraphNodeType kind;
    cudaGraphNodeGetType(k, &kind), printf("kinds %d", kind == cudaGraphNodeTypeKernel);
    cudaGraphNodeGetType(set, &kind), printf(" %d\n", kind == cudaGraphNodeTypeMemset);
    TRY(cudaGraphKernelNodeGetParams(k, &back)), printf("%u %u %d\n", back.gridDim.x, back.blockDim.x, back.func == params.func);
    TRY(cudaGraphKernelNodeGetParams(set, &back));
    size = 4, TRY(cudaGraphGetNodes(g, nodes, &size)), printf("nodes %zu", size);
    size = 4, cudaGraphGetRootNodes(g, nodes, &size), printf(", roots %zu %d", size, nodes[0] == k);
    size = 4, cudaGraphGetEdges(g, nodes, to, &size), printf(", edges %zu %d %d", size, nodes[0] == k, to[0] == set);
    size = 0, cudaGraphGetNodes(g, nullptr, &size), printf(", all %zu", size);
    size = 1, cudaGraphGetNodes(g, nodes, &size), printf(", some %zu\n", size);
    TRY(cudaGraphClone(&copy, g)), TRY(cudaGraphDestroyNode(set)), TRY(cudaGraphInstantiate(&x, g, 0));
    TRY(cudaGraphLaunch(x, 0)), cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), printf("%d %d\n", host[0], host[3]);
    value = 21, params.kernelParams = args, TRY(cudaGraphExecKernelNodeSetParams(x, k, &params));
    TRY(cudaGraphLaunch(x, 0)), cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), printf("%d %d\n", host[0], host[3]);
    cudaGraphExecDestroy(x), TRY(cudaGraphInstantiate(&x, copy, 0));
    TRY(cudaGraphLaunch(x, 0)), cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost), printf("%d %d\n", host[0], host[3]);
    cudaStream_t s;
    cudaStreamCaptureStatus status;
    cudaStreamCreate(&s), TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    fill<<<1, 32, 0, s>>>(d, 60, 4);
    TRY(cudaStreamIsCapturing(s, &status)), printf("captures %d\n", status == cudaStreamCaptureStatusActive);
    TRY(cudaMalloc(&p, 16)), TRY(cudaStreamSynchronize(s)), TRY(cudaStreamEndCapture(s, &g));
}
static void pools()
{
    cudaMemPool_t pool, mine;
    cudaMemPoolProps props = {};
    int no = 0, is = 9, *p;
    cuuint64_t least = 4096, held = 0;
    TRY(cudaDeviceGetDefaultMemPool(&pool, 0)), TRY(cudaMemPoolCreate(&mine, &props)), TRY(cudaDeviceSetMemPool(0, mine));
    TRY(cudaDeviceGetMemPool(&pool, 0)), printf("mine %d\n", pool == mine);
    TRY(cudaMemPoolSetAttribute(mine, cudaMemPoolReuseFollowEventDependencies, &no));
    TRY(cudaMemPoolGetAttribute(mine, cudaMemPoolReuseFollowEventDependencies, &is)), printf("reuse %d\n", is);
    TRY(cudaMemPoolGetAttribute(mine, cudaMemPoolReuseAllowOpportunistic, &is)), printf("reuse %d\n", is);
    TRY(cudaMemPoolSetAttribute(mine, cudaMemPoolAttrReleaseThreshold, &least));
    TRY(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrReleaseThreshold, &held)), printf("held %d\n", (int)held);
    TRY(cudaMallocAsync((void **)&p, 64, 0)), TRY(cudaFreeAsync(p, 0)), TRY(cudaMemPoolTrimTo(mine, 0));
    TRY(cudaDeviceSetMemPool(1, mine)), TRY(cudaDeviceSetMemPool(0, nullptr)), TRY(cudaMemPoolDestroy(mine));
    TRY(cudaDeviceGetMemPool(&pool, 0)), printf("mine %d\n", pool == mine);
}
// Arguments of a launch may launch. Returns n.
__global__ void store(int *to, int value) { *to = value; }
static int within(int *p, int n)
{
    store<<<1, 1>>>(p + n, n ? within(p, n - 1) + 1 : 0);
    return n;
}
static void nested()
{
    enum { DEEP = 16 };
    int *p, right = 0;
    cudaMallocManaged(&p, DEEP * sizeof *p), cudaMemset(p, -1, DEEP * sizeof *p);
    within(p, DEEP - 1), TRY(cudaDeviceSynchronize());
    for (int i = 0; i < DEEP; i++) right += p[i] == i;
    printf("launches within launches: %d\n", right), TRY(cudaFree(p));
}
// The driver's calls for pools, and the allocation that an address is in. Memory of a pool of the host has one address for both.
static void driver_pools()
{
    CUmemoryPool pool, first, host;
    CUmemPoolProps props = {};
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, there = {CU_MEM_LOCATION_TYPE_HOST, 0};
    CUmemAccess_flags flags;
    CUmemAccessDesc access = {here, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUdeviceptr p, q, start;
    cuuint64_t least = 8192, held = 0;
    DRIVER(cuDeviceGetDefaultMemPool(&first, 0)), DRIVER(cuMemGetDefaultMemPool(&pool, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    DRIVER(cuMemGetDefaultMemPool(&host, &there, CU_MEM_ALLOCATION_TYPE_PINNED)), printf("same %d %d\n", pool == first, host == first);
    DRIVER(cuMemPoolGetAccess(&flags, pool, &there)), printf("access %d\n", (int)flags);
    DRIVER(cuMemPoolGetAccess(&flags, host, &there)), printf("access %d\n", (int)flags);
    DRIVER(cuMemPoolCreate(&pool, &props)), DRIVER(cuMemPoolSetAccess(pool, &access, 1));
    DRIVER(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &least));
    DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &held)), printf("held %d\n", (int)held);
    DRIVER(cuMemAllocFromPoolAsync(&p, 64, pool, 0)), DRIVER(cuMemAllocFromPoolAsync(&q, 64, host, 0));
    store<<<1, 1>>>((int *)q, 20), cudaDeviceSynchronize(), printf("host reads %d\n", *(int *)q);
    DRIVER(cuMemGetAddressRange(&start, &size, p + 12)), printf("start %d of %zu\n", start == p, size);
    DRIVER(cuMemGetAddressRange(nullptr, nullptr, (CUdeviceptr)&size));
    DRIVER(cuMemFreeAsync(p, 0)), DRIVER(cuMemFreeAsync(q, 0)), DRIVER(cuMemPoolTrimTo(pool, 0)), DRIVER(cuMemPoolDestroy(pool));
    DRIVER(cuMemPoolDestroy(host));
}
int main()
{
    device(), driver(), modules(), kernels(), graphs(), pools(), nested(), driver_pools();
}
