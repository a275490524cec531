// The driver's API: a module of PTX, its kernel and its variable, memory, streams and events.
#include <cstdio>
#include <cuda.h>

static const char ptx[] =
#include "kernel.inc"
    ;

static void check(CUresult error, int line)
{
    const char *name = "?";
    cuGetErrorName(error, &name);
    if (error) std::printf("line %d: %s\n", line, name);
}
#define CHECK(call) check(call, __LINE__)

int main(int argc, char **argv)
{
    const int n = 1000;
    int count, h[n], major;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction axpy;
    CUdeviceptr x, y, calls;
    CUstream stream;
    CUevent begin, end;
    size_t bytes;
    const char *text;

    std::printf("%d\n", cuDeviceGet(&device, 0)); // before cuInit
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&count));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    std::printf("devices %d, warps of %d\n", count > 0, major);
    CHECK(argc > 1 ? cuModuleLoad(&module, argv[1]) : cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&axpy, module, "axpy"));
    CHECK(cuModuleGetGlobal(&calls, &bytes, module, "calls"));
    std::printf("calls has %zu bytes; no such kernel: %d\n", bytes, cuModuleGetFunction(&axpy, module, "none") == CUDA_ERROR_NOT_FOUND);
    CHECK(cuModuleGetFunction(&axpy, module, "axpy"));

    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    CHECK(cuMemAlloc(&x, n * sizeof(int)));
    CHECK(cuMemAlloc(&y, n * sizeof(int)));
    for (int i = 0; i < n; i++) h[i] = i;
    CHECK(cuMemcpyHtoD(x, h, sizeof h));
    CHECK(cuMemsetD32(y, 5, n));
    int a = 3, size = n;
    void *args[] = {&y, &x, &a, &size};
    CHECK(cuEventRecord(begin, stream));
    CHECK(cuLaunchKernel(axpy, 4, 1, 1, 256, 1, 1, 0, stream, args, nullptr));
    // the same, with the arguments in one buffer
    struct { CUdeviceptr y, x; int a, n; } buffer = {y, x, 10, n};
    size_t length = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &length, CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(axpy, 4, 1, 1, 256, 1, 1, 0, stream, nullptr, extra));
    // the same with attributes; the stream's context is that of the device
    CUcontext of_stream = nullptr;
    CUlaunchAttribute urgent = {CU_LAUNCH_ATTRIBUTE_PRIORITY};
    CUlaunchConfig config = {4, 1, 1, 256, 1, 1, 0, stream, &urgent, 1};
    CHECK(cuLaunchKernelEx(&config, axpy, nullptr, extra));
    CHECK(cuStreamGetCtx(stream, &of_stream));
    std::printf("context %d\n", of_stream == context);
    CHECK(cuEventRecord(end, stream));
    CHECK(cuEventSynchronize(end));
    float ms;
    CHECK(cuEventElapsedTime(&ms, begin, end));
    CHECK(cuMemcpyDtoH(h, y, sizeof h));
    CHECK(cuMemcpyDtoH(&count, calls, sizeof count));
    std::printf("%d %d %d, %d threads, took time %d\n", h[0], h[1], h[n - 1], count, ms > 0);
    std::printf("%d\n", cuLaunchKernel(axpy, 1, 1, 1, 4096, 1, 1, 0, stream, args, nullptr) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    std::printf("%s\n", text);
    CHECK(cuMemFree(x));
    CHECK(cuMemFree(y));
    CHECK(cuStreamDestroy(stream));
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
}
