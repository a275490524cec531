#include "shape.h"
__device__ int calls = 100;
__constant__ float weights[3] = {1, 0.5f, 0.25f};
static __device__ int helper(int x) { return x + 1; }
static __device__ int own = 7;
__device__ float area(float width, float height)
{
    atomicAdd(&calls, helper(0));
    return twice(width) * height / 2;
}
__device__ float Polynomial::at(float x) const { return (a[2] * x + a[1]) * x + a[0]; }
__global__ void clear(int to) { calls = to + own; }
void reset_calls() { clear<<<1, 1>>>(10); }
