// Errors that a call returns: their names, what clears them and what does not.
#include <cstdio>

__global__ void nothing() {}

// CUDA 12 calls a launch of a wrong shape an invalid configuration, CUDA 13 an invalid value.
static const char *name(cudaError_t e)
{
    return e == cudaErrorInvalidConfiguration || e == cudaErrorInvalidValue ? "invalid" : cudaGetErrorName(e);
}

static void state(const char *after)
{
    cudaError_t peek = cudaPeekAtLastError(), last = cudaGetLastError(), again = cudaGetLastError();
    printf("%s: peek %s, last %s, again %s\n", after, name(peek), name(last), name(again));
}

int main()
{
    int *d, h[4] = {1, 2, 3, 4};
    state("at the start");
    nothing<<<1, 2048>>>();
    state("2048 threads");
    nothing<<<0, 32>>>();
    state("no blocks");
    nothing<<<1, dim3(1, 1, 128)>>>();
    state("128 in z");
    nothing<<<dim3(1, 70000), 1>>>();
    state("70000 blocks in y");
    cudaMalloc(&d, sizeof h);
    printf("bytes for nothing: %s\n", cudaGetErrorString(cudaMemcpy(nullptr, h, 16, cudaMemcpyHostToDevice)));
    state("a null pointer");
    printf("direction: %s\n", cudaGetErrorString(cudaMemcpy(d, h, 16, (enum cudaMemcpyKind)9)));
    state("a direction");
    void *huge = h;
    printf("1 PiB: %s\n", cudaGetErrorString(cudaMalloc(&huge, (size_t)1 << 50)));
    state("too much");
    printf("a pointer of the host: %s\n", cudaGetErrorString(cudaFree(h)));
    state("a wrong free");
    printf("null: %s\n", cudaGetErrorString(cudaFree(nullptr)));
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    nothing<<<1, 2048>>>();
    nothing<<<1, 32>>>();
    printf("a launch that works leaves the error: %s\n", name(cudaPeekAtLastError()));
    printf("and waiting is fine: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    state("both");
    printf("%s: %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345));
    cudaFree(d);
}
