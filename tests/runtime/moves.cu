// What copies of every form leave in memory, and what captures, graphs with memory of their own and links between files do on sim:h200.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <curand.h>
#include <nvrtc.h>
__device__ int symbol[8];
__global__ void add(int *to, int value) { to[threadIdx.x] += value; }
#define TRY(...) printf("%s: %s\n", #__VA_ARGS__, cudaGetErrorName(__VA_ARGS__))
#define DRIVER(...) printf("%s: %d\n", #__VA_ARGS__, (int)(__VA_ARGS__))
static int host[64], back[64];
static void list(const char *what, const int *v, int count)
{
    printf("%s", what);
    for (int i = 0; i < count; i++) printf(" %d", v[i]);
    printf("\n");
}
// What device memory holds; the host's copy of it begins anew.
static void show(const char *what, const void *d, int count)
{
    memset(back, 0, sizeof back);
    cudaMemcpy(back, d, count * 4, cudaMemcpyDefault);
    list(what, back, count);
}
static void copies()
{
    int *d, *e, *managed;
    cudaStream_t s;
    for (int i = 0; i < 64; i++) host[i] = i;
    cudaStreamCreate(&s), cudaMalloc(&d, sizeof host), cudaMalloc(&e, sizeof host), cudaMallocManaged(&managed, 64);
    cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice), cudaMemset(e, 0, sizeof host);
    TRY(cudaMemcpyPeer(e, 0, d, 0, 8)), show("peer", e, 3);
    TRY(cudaMemcpyPeerAsync(e + 2, 0, d + 8, 0, 8, s)), show("peer", e, 5);
    TRY(cudaMemcpyPeer(e, 1, d, 0, 8)), TRY(cudaMemcpyPeer(e, 0, d, 1, 8)), TRY(cudaMemcpyPeerAsync(e, 0, d, 1, 8, s));
    TRY(cudaMemcpy2DAsync(e, 12, d, 20, 8, 3, cudaMemcpyDeviceToDevice, s)), show("rows of 2, from 5 apart to 3 apart", e, 9);
    TRY(cudaMemcpy2D(e, 8, host + 1, 12, 8, 2, cudaMemcpyHostToDevice)), show("rows together", e, 5);
    TRY(cudaMemset2DAsync(e, 16, 1, 8, 2, s)), show("set", e, 8);
    TRY(cudaMemcpyToSymbolAsync(symbol, host + 4, 16, 8, cudaMemcpyHostToDevice, s));
    TRY(cudaMemcpyFromSymbolAsync(back, symbol, 24, 0, cudaMemcpyDeviceToHost, s)), list("symbol", back, 7);
    TRY(cudaMemcpyToSymbolAsync(symbol, host, 16, 20, cudaMemcpyHostToDevice, s));
    cudaMemPool_t pool;
    cudaMemAccessDesc access[2] = {};
    cudaDeviceGetDefaultMemPool(&pool, 0), TRY(cudaMemPoolSetAccess(pool, access, 2)), access[1].location.id = 1, TRY(cudaMemPoolSetAccess(pool, access, 2));
    TRY(cudaMemPrefetchAsync(managed, 64, 0, s)), TRY(cudaMemPrefetchAsync(d, 64, 0, s));
    TRY(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 0)), TRY(cudaMemAdvise(host, 64, cudaMemAdviseSetReadMostly, 0));
    const cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    TRY(cudaMemPrefetchAsync_v2(managed, 64, here, 0, s)), TRY(cudaMemAdvise_v2(host, 64, cudaMemAdviseSetPreferredLocation, here));
    TRY(cudaMemcpy(d, host, 8, cudaMemcpyDeviceToHost)), TRY(cudaMemcpy(host, d, 8, cudaMemcpyHostToHost));
    TRY(cudaMemcpy(managed, host, 8, cudaMemcpyHostToHost)), TRY(cudaMemcpy(managed, d, 8, cudaMemcpyDeviceToDevice));
    TRY(cudaMemcpy(d, host, 8, (cudaMemcpyKind)9)), TRY(cudaMemcpy(host, host + 8, 8, cudaMemcpyHostToDevice));
    cudaFree(d), cudaFree(e), cudaFree(managed), cudaStreamDestroy(s);
}
// Boxes of 2 x 2 x 2 elements, from one place in a volume of 4 x 3 x 2 to another.
static void boxes()
{
    cudaArray_t array, flat;
    cudaExtent all = {4, 3, 2}, asked;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<int>(), is;
    cudaMemcpy3DParms p = {}, out = {};
    cudaPitchedPtr volume;
    unsigned flags = 9;
    for (int i = 0; i < 64; i++) host[i] = i;
    TRY(cudaMalloc3DArray(&array, &one, all, 0));
    TRY(cudaArrayGetInfo(&is, &asked, &flags, array)), printf("array %d %zu %zu %zu %u\n", is.x, asked.width, asked.height, asked.depth, flags);
    TRY(cudaGetChannelDesc(&is, array)), printf("channels %d %d %d\n", is.x, is.y, is.f);
    p.srcPtr = make_cudaPitchedPtr(host, 16, 16, 3), p.dstArray = array, p.extent = all, p.kind = cudaMemcpyHostToDevice;
    TRY(cudaMemcpy3DAsync(&p, 0));
    out.srcArray = array, out.srcPos = make_cudaPos(1, 1, 0), out.dstPtr = make_cudaPitchedPtr(back, 16, 16, 2);
    out.extent = make_cudaExtent(2, 2, 2), out.kind = cudaMemcpyDeviceToHost, memset(back, 0, sizeof back);
    TRY(cudaMemcpy3D(&out)), list("box of the array", back, 14);
    out.dstPos = make_cudaPos(4, 0, 1), memset(back, 0, sizeof back), TRY(cudaMemcpy3D(&out)), list("at a place", back, 24);
    out.srcPos = make_cudaPos(0, 0, 3), TRY(cudaMemcpy3D(&out)), out.extent.depth = 0, TRY(cudaMemcpy3D(&out));
    TRY(cudaMalloc3D(&volume, make_cudaExtent(16, 3, 2))), printf("pitch %zu, %zu x %zu\n", volume.pitch, volume.xsize, volume.ysize);
    TRY(cudaMemset3D(volume, 0, make_cudaExtent(16, 3, 2))), TRY(cudaMemset3D(volume, 1, make_cudaExtent(8, 2, 2)));
    cudaMemcpy3DParms rows = {};
    rows.srcPtr = volume, rows.dstPtr = make_cudaPitchedPtr(back, 16, 16, 3), rows.extent = make_cudaExtent(16, 3, 2);
    rows.kind = cudaMemcpyDeviceToHost, TRY(cudaMemcpy3D(&rows));
    for (int &v : back) v /= 0x1010101;
    list("volume", back, 24);
    TRY(cudaMallocArray(&flat, &one, 4, 3)), cudaMemcpyToArray(flat, 0, 0, host + 40, 48, cudaMemcpyHostToDevice), TRY(cudaMemcpy2DToArrayAsync(flat, 4, 1, host, 8, 8, 2, cudaMemcpyHostToDevice, 0));
    TRY(cudaMemcpyToArray(flat, 8, 0, host + 30, 12, cudaMemcpyHostToDevice)), memset(back, 0, sizeof back);
    TRY(cudaMemcpy2DFromArray(back, 8, flat, 8, 0, 8, 3, cudaMemcpyDeviceToHost)), list("array", back, 6);
    TRY(cudaMemcpyFromArray(back, flat, 12, 1, 8, cudaMemcpyDeviceToHost)), list("from its place", back, 2);
    TRY(cudaMemcpyFromArray(back, flat, 16, 1, 8, cudaMemcpyDeviceToHost)), TRY(cudaMemcpyFromArray(back, flat, 0, 2, 20, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy2DToArrayAsync(flat, 12, 0, host, 8, 8, 1, cudaMemcpyHostToDevice, 0));
    TRY(cudaFreeArray(array)), TRY(cudaFreeArray(flat)), cudaFree(volume.ptr);
}
static void captures()
{
    cudaStream_t s, t, apart;
    cudaEvent_t fork, join;
    cudaGraph_t g, inner;
    cudaGraphExec_t x;
    cudaStreamCaptureStatus status;
    unsigned long long id = 0, other = 0;
    const cudaGraphNode_t *before = nullptr;
    size_t count = 9;
    int *d, *p = nullptr;
    cudaMalloc(&d, 128), cudaMemset(d, 0, 128);
    cudaStreamCreate(&s), cudaStreamCreate(&t), cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking), cudaEventCreate(&fork), cudaEventCreate(&join);
    TRY(cudaStreamGetCaptureInfo(s, &status, &id, &inner, &before, &count)), printf("none %d %zu\n", status == cudaStreamCaptureStatusNone, count);
    // a fork and its join; an event that is recorded anew is that of now
    TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)), add<<<1, 4, 0, s>>>(d, 1);
    TRY(cudaEventRecord(fork, s)), TRY(cudaStreamWaitEvent(t, fork, 0)), add<<<1, 4, 0, t>>>(d + 4, 2), add<<<1, 4, 0, s>>>(d + 8, 4);
    TRY(cudaEventSynchronize(fork)), TRY(cudaEventRecord(join, t)), TRY(cudaStreamWaitEvent(s, join, 0)), add<<<1, 4, 0, s>>>(d, 8);
    TRY(cudaStreamGetCaptureInfo(s, &status, &id, &inner, &before, &count)), printf("active %d, %zu before, id %llu\n", status == cudaStreamCaptureStatusActive, count, id);
    TRY(cudaStreamEndCapture(t, &g)), TRY(cudaStreamEndCapture(s, nullptr)), TRY(cudaStreamEndCapture(s, &g)), printf("its graph %d\n", g == inner);
    count = 0, cudaGraphGetEdges(g, nullptr, nullptr, &count), printf("edges %zu\n", count);
    TRY(cudaGraphInstantiate(&x, g, 0)), TRY(cudaGraphLaunch(x, s)), TRY(cudaGraphLaunch(x, s)), show("twice", d, 12);
    // work that was not joined; an event of no capture, of another one; a wait of the default stream, and of one that does not wait for it
    TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed)), cudaEventRecord(fork, s), cudaStreamWaitEvent(t, fork, 0), add<<<1, 4, 0, t>>>(d, 1);
    TRY(cudaStreamEndCapture(s, &g)), printf("no graph %d\n", g == nullptr);
    TRY(cudaEventRecord(fork, apart)), TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed)), TRY(cudaStreamWaitEvent(s, fork, 0));
    TRY(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed)), add<<<1, 4, 0, t>>>(d, 1), cudaEventRecord(join, t), TRY(cudaStreamWaitEvent(s, join, 0));
    TRY(cudaStreamGetCaptureInfo(t, &status, &other, nullptr, nullptr, nullptr)), printf("later %d\n", other > id);
    TRY(cudaStreamEndCapture(t, &g)), TRY(cudaStreamEndCapture(s, &g)), count = 9, cudaGraphGetNodes(g, nullptr, &count), printf("nodes %zu\n", count);
    for (cudaStreamCaptureMode mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
        printf("mode %d\n", (int)mode), cudaStreamBeginCapture(apart, mode);
        TRY(cudaMalloc(&p, 16)), TRY(cudaMemcpyAsync(back, d, 4, cudaMemcpyDeviceToHost, 0)), TRY(cudaMemcpy(back, d, 4, cudaMemcpyDeviceToHost));
        TRY(cudaStreamIsCapturing(apart, &status)), printf("status %d\n", (int)status), TRY(cudaStreamEndCapture(apart, &g));
        cudaStreamBeginCapture(s, mode), TRY(cudaMemsetAsync(d, 0, 4, 0)), TRY(cudaMemsetAsync(d, 0, 4, apart)), TRY(cudaStreamEndCapture(s, &g));
    }
    // memory of a stream that is captured belongs to the graph
    cudaMemset(d, 0, 128), TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    TRY(cudaMallocAsync((void **)&p, 16, s)), cudaMemsetAsync(p, 0, 16, s), add<<<1, 4, 0, s>>>(p, 7);
    cudaMemcpyAsync(d, p, 16, cudaMemcpyDeviceToDevice, s), TRY(cudaFreeAsync(p, s)), TRY(cudaStreamEndCapture(s, &g));
    TRY(cudaGraphInstantiate(&x, g, 0)), TRY(cudaGraphLaunch(x, s)), show("by memory of the graph", d, 5);
    cudaGraphNode_t made, sets, frees;
    cudaMemAllocNodeParams params = {};
    cudaMemsetParams set = {};
    params.bytesize = (size_t)1 << 60, TRY(cudaGraphCreate(&g, 0)), TRY(cudaGraphAddMemAllocNode(&made, g, nullptr, 0, &params));
    params.bytesize = 16;
    TRY(cudaGraphCreate(&g, 0)), TRY(cudaGraphAddMemAllocNode(&made, g, nullptr, 0, &params)), TRY(cudaGraphAddMemAllocNode(&made, g, nullptr, 0, nullptr));
    set.dst = params.dptr, set.elementSize = 2, set.width = 8, set.height = 1, set.value = 0x1234;
    TRY(cudaGraphAddMemsetNode(&sets, g, &made, 1, &set)), TRY(cudaGraphAddMemFreeNode(&frees, g, &sets, 1, d)), TRY(cudaGraphAddMemFreeNode(&frees, g, &sets, 1, params.dptr));
    TRY(cudaGraphInstantiate(&x, g, 0)), TRY(cudaGraphUpload(x, 0)), TRY(cudaGraphLaunch(x, 0)), show("halves", params.dptr, 1);
    cudaFree(d);
}
// An update changes what nodes do, not which there are.
static void updates()
{
    int *d, value = 1;
    void *args[] = {&d, &value};
    cudaGraph_t g[5];
    cudaGraphExec_t x;
    cudaGraphNode_t a, b, c;
    cudaGraphExecUpdateResultInfo info;
    cudaKernelNodeParams k = {};
    k.func = (void *)add, k.gridDim = 1, k.blockDim = 4, k.kernelParams = args;
    cudaMalloc(&d, 64), cudaMemset(d, 0, 64);
    for (int i = 0; i < 5; i++) { // 0, 1: a, then b and c; 2: without c; 3: c after b; 4: c is empty
        cudaGraphCreate(&g[i], 0), value = i ? 10 : 1;
        cudaGraphAddKernelNode(&a, g[i], nullptr, 0, &k), cudaGraphAddKernelNode(&b, g[i], &a, 1, &k);
        if (i < 2) cudaGraphAddKernelNode(&c, g[i], &a, 1, &k);
        if (i == 3) cudaGraphAddKernelNode(&c, g[i], &b, 1, &k);
        if (i == 4) cudaGraphAddEmptyNode(&c, g[i], &a, 1);
        if (i == 0) cudaGraphInstantiate(&x, g[0], 0);
        TRY(cudaGraphExecUpdate(x, g[i], &info)), printf("%d: result %d, node %d\n", i, (int)info.result, info.errorNode == c);
    }
    TRY(cudaGraphExecUpdate(x, g[1], nullptr)), TRY(cudaGraphLaunch(x, 0)), show("three kernels", d, 5);
    value = 100, TRY(cudaGraphKernelNodeSetParams(c, &k)), TRY(cudaGraphKernelNodeSetParams(b, nullptr)), TRY(cudaGraphKernelNodeSetParams(b, &k));
    cudaGraphNode_t nodes[3], first;
    size_t count = 3;
    cudaGraphGetNodes(g[0], nodes, &count), first = nodes[0];
    TRY(cudaGraphExecKernelNodeSetParams(x, first, &k)), TRY(cudaGraphExecKernelNodeSetParams(x, b, &k)), TRY(cudaGraphLaunch(x, 0)), show("one of them anew", d, 5);
    cudaGraph_t loop; // an edge back: no graph that can run
    cudaGraphCreate(&loop, 0), cudaGraphAddEmptyNode(&a, loop, nullptr, 0), cudaGraphAddEmptyNode(&b, loop, &a, 1);
    TRY(cudaGraphAddDependencies(loop, &b, &a, 1)), TRY(cudaGraphInstantiate(&x, loop, 0)), TRY(cudaGraphClone(&g[0], loop));
    cudaFree(d);
}
static void drivers()
{
    CUcontext context;
    CUstream s;
    CUevent e;
    CUdeviceptr d, to;
    void *pinned;
    size_t free_bytes, all;
    int n = 0, driver = 0;
    cuInit(0), cuCtxCreate(&context, 0, 0), cuMemAlloc(&d, 64);
    DRIVER(cuDriverGetVersion(&driver)), cudaDriverGetVersion(&n), printf("version %d\n", n == driver), DRIVER(cuDeviceCanAccessPeer(&n, 0, 0));
    DRIVER(cuMemAllocManaged(&to, 64, 1)), DRIVER(cuMemHostAlloc(&pinned, 64, 0)), DRIVER(cuMemHostGetDevicePointer(&to, pinned, 0));
    DRIVER(cuMemGetInfo(&free_bytes, &all)), printf("memory %d\n", all > free_bytes && free_bytes);
    DRIVER(cuStreamCreateWithPriority(&s, 0, 0)), DRIVER(cuEventCreate(&e, 0));
    DRIVER(cuMemsetD8Async(d, 1, 8, s)), DRIVER(cuMemsetD16Async(d + 8, 2, 4, s)), DRIVER(cuMemcpyAsync(to, d, 16, s));
    list("sets", (int *)pinned, 4);
    n = 77, DRIVER(cuLaunchHostFunc(s, [](void *p) { printf("called with %d\n", *(int *)p); }, &n));
    TRY(cudaLaunchHostFunc(0, [](void *p) { printf("and with %d\n", *(int *)p); }, &n));
    TRY(cudaStreamAddCallback(0, [](cudaStream_t, cudaError_t e, void *p) { printf("and by %d with %d\n", e, *(int *)p); }, &n, 0));
    DRIVER(cuEventRecord(e, s)), DRIVER(cuEventQuery(e)), DRIVER(cuStreamWaitEvent(s, e, 0)), DRIVER(cuStreamQuery(s)), DRIVER(cuStreamSynchronize(s));
    DRIVER(cuEventDestroy(e)), DRIVER(cuStreamDestroy(s)), DRIVER(cuMemFreeHost(pinned)), DRIVER(cuMemFree(d));
}
// A module of a file; what a kernel needs; one that all blocks run at once.
static void modules()
{
    static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 to)\n{\n.reg .b32 %r<3>; .reg .b64 %q<2>;\n"
                               ".shared .align 4 .b8 s[24];\nld.param.u64 %q1, [to]; mov.u32 %r1, %nctaid.x; atom.global.add.u32 %r2, [%q1], %r1; ret;\n}\n";
    CUmodule m;
    CUfunction f;
    CUdeviceptr to;
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
    void *values[] = {(void *)1, (void *)2, (void *)3};
    int n = 0;
    FILE *file = fopen("moves.ptx", "w");
    if (file) fputs(text, file), fclose(file);
    DRIVER(cuModuleLoad(&m, "moves.ptx")), DRIVER(cuModuleUnload(m)), remove("moves.ptx");
    DRIVER(cuModuleLoadDataEx(&m, text, 3, options, values)), printf("logs %d %d %d\n", !values[0], !values[1], !values[2]);
    DRIVER(cuModuleGetFunction(&f, m, "k")), DRIVER(cuMemAlloc(&to, 4)), DRIVER(cuMemsetD32(to, 0, 1));
    void *args[] = {&to};
    DRIVER(cuLaunchCooperativeKernel(f, 3, 2, 1, 2, 2, 1, 0, 0, args)), DRIVER(cuMemcpyDtoH(&n, to, 4)), printf("3 of each of 24 threads: %d\n", n);
    DRIVER(cuLaunchCooperativeKernel(f, 100000, 1, 1, 1024, 1, 1, 0, 0, args));
    DRIVER(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_NUM_REGS, f)), printf("registers %d\n", n > 0 && n < 32);
    DRIVER(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_PTX_VERSION, f)), printf("%d\n", n), DRIVER(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_BINARY_VERSION, f)), printf("%d\n", n);
    DRIVER(cuFuncGetAttribute(&n, (CUfunction_attribute)99, f)), DRIVER(cuFuncSetCacheConfig(f, CU_FUNC_CACHE_PREFER_L1));
    DRIVER(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000)), DRIVER(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
    for (int a : {cudaDevAttrClockRate, cudaDevAttrMemoryClockRate, cudaDevAttrGlobalMemoryBusWidth, cudaDevAttrAsyncEngineCount})
        cudaDeviceGetAttribute(&n, (cudaDeviceAttr)a, 0), printf("attribute %d: %d\n", a, n);
}
static void random_numbers()
{
    enum { ORDER = 4096, COUNT = 3 * ORDER }; // a word of each of 4096 subsequences, then the next word of each
    static double u[COUNT], sum[2], squares[2];
    static unsigned words[COUNT];
    curandGenerator_t g, h;
    double *d;
    unsigned *w;
    float *f, m[2];
    int right = 1, major = 0, minor = 0;
    cudaMalloc(&d, sizeof u), cudaMalloc(&w, sizeof words), cudaMalloc(&f, 8);
    for (curandGenerator_t *one : {&g, &h}) curandCreateGenerator(one, CURAND_RNG_PSEUDO_DEFAULT), curandSetPseudoRandomGeneratorSeed(*one, 1234);
    printf("stream %d %d\n", curandSetStream(g, 0), curandSetStream(nullptr, 0));
    curandGenerateUniformDouble(g, d, ORDER), cudaMemcpy(u, d, sizeof u, cudaMemcpyDeviceToHost);
    curandGenerate(h, w, COUNT), cudaMemcpy(words, w, sizeof words, cudaMemcpyDeviceToHost);
    for (int i = 0; i < ORDER; i++) right &= u[i] == (words[i] ^ (unsigned long long)words[i + ORDER] << 21) * 0x1p-53 + 0x1p-54;
    printf("53 bits of two words %d, odd %d\n", right, curandGenerateNormalDouble(g, d, 3, 0, 1));
    curandGenerateNormalDouble(g, d, COUNT, 0, 1), cudaMemcpy(u, d, sizeof u, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) sum[i % 2] += u[i], squares[i % 2] += u[i] * u[i];
    for (int i = 0; i < 2; i++) printf("mean 0 %d, deviation 1 %d\n", sum[i] * sum[i] < COUNT * 4, squares[i] > COUNT * .45 && squares[i] < COUNT * .55);
    printf("normal %d", curandGenerateNormalDouble(g, d, 2, 5, 0)), cudaMemcpy(u, d, 16, cudaMemcpyDeviceToHost), printf(" %g %g", u[0], u[1]);
    printf(" %d", curandGenerateNormal(g, f, 2, 3, 0)), cudaMemcpy(m, f, 8, cudaMemcpyDeviceToHost), printf(" %g %g\n", m[0], m[1]);
    printf("ordering %d %d", curandSetGeneratorOrdering(g, (curandOrdering_t)7), curandSetGeneratorOrdering(nullptr, CURAND_ORDERING_PSEUDO_BEST));
    printf(", destroyed %d %d\n", curandDestroyGenerator(g), curandDestroyGenerator(nullptr));
    printf("nvrtc %d", nvrtcVersion(&major, nullptr)), printf(" %d %d\n", nvrtcVersion(&major, &minor), major >= 12);
}
int main()
{
    copies(), boxes(), captures(), updates(), drivers(), modules(), random_numbers();
}
