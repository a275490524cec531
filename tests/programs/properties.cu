// What every GPU since compute capability 7.0 says of itself, by properties and by attributes.
#include <cstdio>

int main()
{
    int count = 0, device = -1, v[6];
    cudaDeviceProp p;
    cudaGetDeviceCount(&count);
    cudaSetDevice(0);
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&p, device);
    printf("devices: %d, this one: %d, it has a name: %d\n", count >= 1, device, p.name[0] != 0);
    printf("warp %d, block %d threads, at most %d x %d x %d\n", p.warpSize, p.maxThreadsPerBlock, p.maxThreadsDim[0],
        p.maxThreadsDim[1], p.maxThreadsDim[2]);
    printf("grid %d x %d x %d\n", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
    printf("shared %d, constant %d, registers %d\n", (int)p.sharedMemPerBlock, (int)p.totalConstMem, p.regsPerBlock);
    printf("7.0 or later: %d, managed memory %d, unified addresses %d\n", p.major >= 7, p.managedMemory, p.unifiedAddressing);
    cudaDeviceGetAttribute(&v[0], cudaDevAttrWarpSize, 0);
    cudaDeviceGetAttribute(&v[1], cudaDevAttrMaxThreadsPerBlock, 0);
    cudaDeviceGetAttribute(&v[2], cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&v[3], cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&v[4], cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    cudaDeviceGetAttribute(&v[5], cudaDevAttrTotalConstantMemory, 0);
    printf("attributes say the same: %d\n", v[0] == p.warpSize && v[1] == p.maxThreadsPerBlock &&
               v[2] == p.multiProcessorCount && v[3] == p.major && v[4] == p.maxThreadsPerMultiProcessor &&
               v[5] == (int)p.totalConstMem);
    size_t free, total;
    cudaMemGetInfo(&free, &total);
    printf("memory: some is free %d, no more than all %d\n", free > 0, free <= total);
    printf("device 99: %s\n", cudaGetErrorName(cudaSetDevice(99)));
    printf("then: %s\n", cudaGetErrorName(cudaGetLastError()));
}
