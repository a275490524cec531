// boxes.cu - boxes copied to and from pitched memory, filled, and memory of a pool.
#include <cstdio>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <driver_functions.h>

__global__ void twice(cudaPitchedPtr p, cudaExtent e)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int *row = (int *)((char *)p.ptr + (z * e.height + y) * p.pitch);
    row[x] *= 2;
}

int main()
{
    int from[24], to[24] = {};
    for (int i = 0; i < 24; i++) from[i] = i;
    cudaExtent bytes = make_cudaExtent(4 * sizeof(int), 3, 2);
    cudaPitchedPtr p;
    cudaMalloc3D(&p, bytes);
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(from, 16, 4, 3);
    c.dstPtr = p;
    c.extent = bytes;
    c.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&c);
    twice<<<1, dim3(4, 3, 2)>>>(p, bytes);
    c.srcPtr = p;
    c.srcPos = make_cudaPos(4, 1, 1);
    c.dstPtr = make_cudaPitchedPtr(to, 16, 4, 3);
    c.extent = make_cudaExtent(12, 2, 1);
    c.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&c);
    for (int i = 0; i < 8; i++) printf("%d ", to[i]);
    cudaMemset3D(p, 1, bytes);
    cudaMemcpy2D(to, 16, p.ptr, p.pitch, 16, 6, cudaMemcpyDeviceToHost);
    printf("%x\n", to[23]);

    cudaMemPool_t pool;
    unsigned long long keep = 1 << 20, kept = 0;
    int *d, h[4] = {1, 2, 3, 4};
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
    cudaMallocFromPoolAsync(&d, sizeof h, pool, 0);
    cudaMemcpyAsync(d, h, sizeof h, cudaMemcpyHostToDevice, 0);
    cudaFreeAsync(d, 0);
    cudaStreamSynchronize(0);
    printf("%llu\n%s\n", kept, cudaGetErrorName(cudaGetLastError()));
}
