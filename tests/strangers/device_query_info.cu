// run: whoami 2 64 buf:u32:128:none
// run: clocked 1 32 buf:f32:32:iota buf:i64:32:none
// Programs that ask the device first.
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#include <cstdio>
#include <string>

__global__ void whoami(unsigned *out)
{
    unsigned smid;
    asm("mov.u32 %0, %%smid;" : "=r"(smid));
    out[blockIdx.x * blockDim.x + threadIdx.x] = (threadIdx.x / warpSize) * 1000 + threadIdx.x % warpSize + smid * 0;
#if __CUDA_ARCH__ >= 600
    __nanosleep(100);
#endif
}

__global__ void clocked(float *x, long long *cycles)
{
    long long begin = clock64();
    float v = x[threadIdx.x];
#pragma unroll 4
    for (int i = 0; i < 64; i++)
        v = v * 1.0001f + 0.5f;
    x[threadIdx.x] = v;
    cycles[threadIdx.x] = clock64() - begin;
}

int main()
{
    int count = 0, value, driver, runtime;
    cudaGetDeviceCount(&count);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    for (int d = 0; d < count; d++) {
        cudaDeviceProp p;
        cudaGetDeviceProperties(&p, d);
        cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, d);
        std::string name = p.name;
        printf("%s: %d.%d, %d SMs, %zu bytes, bus %d, warp %d, L2 %d, ECC %d, unified %d\n", name.c_str(), p.major, p.minor, p.multiProcessorCount,
               p.totalGlobalMem, p.memoryBusWidth, p.warpSize, p.l2CacheSize, p.ECCEnabled, p.unifiedAddressing);
    }
    size_t free_bytes, total_bytes;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    cudaFuncSetAttribute(clocked, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncAttributes attr;
    cudaFuncGetAttributes(&attr, whoami);
    cudaProfilerStart();
    cudaStream_t streams[2];
    for (auto &s : streams)
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    void *arguments[] = {&count};
    cudaLaunchKernel((void *)whoami, dim3(2), dim3(64), arguments, 0, streams[0]);
    cudaProfilerStop();
}
