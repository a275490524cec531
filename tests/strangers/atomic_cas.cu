// run: atomic_double 2 64 buf:f64:1:zero
// run: locked 4 32 buf:i32:1:zero
// run: ticket 4 64 buf:f32:256:iota buf:f32:4:none buf:f32:1:none
// Atomics of one's own, a device-wide counter, and the last block that finishes.
#include <cstdio>
__device__ unsigned int count = 0;
__device__ float device_array[4] = {1, 2, 3, 4};
__device__ volatile int flag;

__device__ double my_atomic_add(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ static float atomicMaxFloat(float *address, float val)
{
    int *address_as_i = (int *)address, old = *address_as_i, assumed;
    do {
        assumed = old;
        old = ::atomicCAS(address_as_i, assumed, __float_as_int(::fmaxf(val, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

__global__ void atomic_double(double *sum) { my_atomic_add(sum, (double)threadIdx.x); }

__global__ void locked(int *total)
{
    __shared__ int most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    atomicMax(&most, (int)(threadIdx.x * blockIdx.x));
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, most), atomicOr(total, 0), atomicExch((int *)&flag, 1);
}

__global__ void ticket(const float *in, float *parts, float *out)
{
    __shared__ float s[64];
    __shared__ bool is_last;
    s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x] * device_array[blockIdx.x & 3];
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = s[0];
        __threadfence();
        unsigned int ticket = atomicInc(&count, gridDim.x);
        is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += ((volatile float *)parts)[i];
        *out = -1;
        atomicMaxFloat(out, sum);
        count = 0;
    }
}
