// The kernels of Optimizing Matrix Transpose in CUDA (Ruetsch and Micikevicius, 2009) for 2048 x 2048 floats: blocks of 32 x 8
// threads, each a tile of 32 x 32. The grid is one row of blocks, so that test_profiles.c needs no second axis.

#define N 2048
#define TILE 32
#define ROWS 8
#define SIDE (N / TILE) // tiles in a row

__global__ void copy(const float *in, float *out)
{
    unsigned x = blockIdx.x % SIDE * TILE + threadIdx.x % TILE, y = blockIdx.x / SIDE * TILE + threadIdx.x / TILE;
    for (int i = 0; i < TILE; i += ROWS)
        out[(y + i) * N + x] = in[(y + i) * N + x];
}

__global__ void naive(const float *in, float *out)
{
    unsigned x = blockIdx.x % SIDE * TILE + threadIdx.x % TILE, y = blockIdx.x / SIDE * TILE + threadIdx.x / TILE;
    for (int i = 0; i < TILE; i += ROWS)
        out[x * N + y + i] = in[(y + i) * N + x];
}

__device__ __forceinline__ static void through(float *tile, int pitch, unsigned bx, unsigned by, const float *in, float *out)
{
    unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (int i = 0; i < TILE; i += ROWS)
        tile[(y + i) * pitch + x] = in[(by * TILE + y + i) * N + bx * TILE + x];
    __syncthreads();
    for (int i = 0; i < TILE; i += ROWS)
        out[(bx * TILE + y + i) * N + by * TILE + x] = tile[x * pitch + y + i];
}

__global__ void coalesced(const float *in, float *out)
{
    __shared__ float tile[TILE * TILE];
    through(tile, TILE, blockIdx.x % SIDE, blockIdx.x / SIDE, in, out);
}

__global__ void padded(const float *in, float *out)
{
    __shared__ float tile[TILE * (TILE + 1)];
    through(tile, TILE + 1, blockIdx.x % SIDE, blockIdx.x / SIDE, in, out);
}

// Neighbouring blocks take tiles along a diagonal: their columns lie in different partitions, and so do their rows.
__global__ void diagonal(const float *in, float *out)
{
    __shared__ float tile[TILE * (TILE + 1)];
    unsigned x = blockIdx.x % SIDE, y = blockIdx.x / SIDE;
    through(tile, TILE + 1, (x + y) % SIDE, x, in, out);
}
