// histogram: how often each byte occurs; a block counts in shared memory, then adds its counts to all
// Lanes that have the same byte add to one counter, one after the other.
// launch: --kernel histogram --grid 16 --block 256 i32:65536 buf:u32:256:zero buf:u8:65536:rand

__global__ void histogram(int n, unsigned *count, const unsigned char *text)
{
    __shared__ unsigned mine[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[text[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&count[i], mine[i]);
}
