// C = A A^T as the guide has it: A is M x TILE_DIM, C is M x M, a block is TILE_DIM x TILE_DIM threads. The
// listings leave TILE_DIM to their text: 16 on compute capability 1.x, 32 from 2.0 on.

__global__ void rows_by_rows(float *a, float *c, int M)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float dot = 0.0f;
    for (int k = 0; k < TILE_DIM; k++)
        dot += a[y * TILE_DIM + k] * a[x * TILE_DIM + k];
    c[y * M + x] = dot;
}

// PAD_OF_TURNED: the listing has rows of TILE_DIM floats, the line that repairs it one more.
template <int PAD_OF_TURNED> static __device__ void by_tiles(float *a, float *c, int M)
{
    __shared__ float left[TILE_DIM][TILE_DIM], turned[TILE_DIM][TILE_DIM + PAD_OF_TURNED];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
    left[ty][tx] = a[y * TILE_DIM + tx];
    turned[tx][ty] = a[(blockIdx.x * blockDim.x + ty) * TILE_DIM + tx];
    __syncthreads();
    float dot = 0.0f;
    for (int k = 0; k < TILE_DIM; k++)
        dot += left[ty][k] * turned[k][tx];
    c[y * M + x] = dot;
}
__global__ void rows_by_tiles(float *a, float *c, int M) { by_tiles<0>(a, c, M); }
__global__ void rows_by_padded_tiles(float *a, float *c, int M) { by_tiles<1>(a, c, M); }
