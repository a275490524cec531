// run: exclusive_scan 1 512 shared=4352 buf:i32:1024:none buf:i32:1024:iota i32:1024
// A work-efficient scan of one block, indices padded against bank conflicts.
#include <assert.h>
#include <stdio.h>
#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)

__global__ void exclusive_scan(int *odata, const int *idata, int n)
{
    extern __shared__ int temp[];
    int thid = threadIdx.x, offset = 1;
    int ai = thid, bi = thid + n / 2;
    int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    assert(n == 2 * blockDim.x);
    temp[ai + bankOffsetA] = idata[ai];
    temp[bi + bankOffsetB] = idata[bi];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (thid == 0)
        temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            int t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    odata[ai] = temp[ai + bankOffsetA];
    odata[bi] = temp[bi + bankOffsetB];
}

int main()
{
    int *in, *out, n = 1024;
    cudaMalloc((void **)&in, n * sizeof(int));
    cudaMalloc((void **)&out, n * sizeof(int));
    exclusive_scan<<<1, n / 2, (n + n / NUM_BANKS) * sizeof(int)>>>(out, in, n);
    assert(cudaDeviceSynchronize() == cudaSuccess);
    return 0;
}
