// A tensor map made by the driver's call, found by its name, and given to a kernel by value: boxes at the edges.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>

enum { ROWS = 20, COLS = 24, HIGH = 8, WIDE = 16 };

__device__ unsigned place_of(const void *p)
{
    unsigned long long at;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
    return (unsigned)at;
}

// out(y, x) = the box of in at (top, left), doubled, and then stored there again, unless it begins before the array: a store may not.
__global__ void doubled(const __grid_constant__ CUtensorMap map, float *out, int top, int left)
{
    __shared__ __align__(128) float box[HIGH][WIDE];
    __shared__ __align__(8) unsigned long long full;
    int x = threadIdx.x, y = threadIdx.y, first = x == 0 && y == 0;
    unsigned place = place_of(box), barrier = place_of(&full), done = 0;
    if (first) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"((int)sizeof box));
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                     " [%0], [%1, {%2, %3}], [%4];" ::"r"(place), "l"(&map), "r"(left), "r"(top), "r"(barrier)
                     : "memory");
    }
    __syncthreads();
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier) : "memory");
    box[y][x] *= 2;
    out[y * WIDE + x] = box[y][x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (!first || top < 0 || left < 0) return;
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                 "r"(left), "r"(top), "r"(place) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

typedef CUresult encode(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
    const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
    CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

int main()
{
    void *call = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaFree(0);
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &call, 12000, cudaEnableDefault, &found);
    printf("found: %d\n", call && found == cudaDriverEntryPointSuccess);
    float *in, *out, host[ROWS * COLS], box[HIGH * WIDE];
    for (int i = 0; i < ROWS * COLS; i++) host[i] = i + 1;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof box);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    CUtensorMap map;
    cuuint64_t size[] = {COLS, ROWS}, stride[] = {COLS * 4}, odd[] = {COLS * 4 + 4};
    cuuint32_t wide[] = {WIDE, HIGH}, one[] = {1, 1};
    auto make = [&](const cuuint64_t *strides) {
        return ((encode *)call)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in, size, strides, wide, one,
            CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    };
    printf("rows of %d bytes: %d\n", COLS * 4 + 4, make(odd));
    printf("rows of %d bytes: %d\n", COLS * 4, make(stride));
    int corners[][2] = {{0, 0}, {15, 12}, {-3, -4}, {4, 24}};
    for (auto &c : corners) {
        doubled<<<1, dim3(WIDE, HIGH)>>>(map, out, c[0], c[1]);
        printf("at %d, %d: %s;", c[0], c[1], cudaGetErrorString(cudaDeviceSynchronize()));
        cudaMemcpy(box, out, sizeof box, cudaMemcpyDeviceToHost);
        double sum = 0;
        for (float v : box) sum += v;
        printf(" sum %.0f, first %.0f, last %.0f\n", sum, box[0], box[HIGH * WIDE - 1]);
    }
    cudaMemcpy(host, in, sizeof host, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (float v : host) sum += v;
    printf("afterwards %.0f\n", sum);
}
