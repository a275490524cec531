// The product as the article on instruction mix and the lecture have it. The article's A is m x n, its B n x k, and
// a tile is TILE_WIDTH wide; the lecture's matrices are N x N.

// Neighbouring threads on neighbouring columns of B: merged.
__global__ void by_columns(float *A, float *B, float *C, int N)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= N || j >= N)
        return;
    float value = 0;
    for (int k = 0; k < N; k++)
        value += A[i * N + k] * B[k * N + j];
    C[i * N + j] = value;
}

// Neighbouring threads on neighbouring rows of A: nothing merges.
__global__ void by_rows(float *A, float *B, float *C, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= N || j >= N)
        return;
    float value = 0;
    for (int k = 0; k < N; k++)
        value += A[i * N + k] * B[k * N + j];
    C[i * N + j] = value;
}

// The tiled product of a CPU given to a GPU: a thread computes a whole tile of C, and comes back for it with each
// tile of A and B. x_is_column: the version that the lecture tries next.
template <bool x_is_column> static __device__ void a_tile_a_thread(float *A, float *B, float *C, int N)
{
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * TILE_WIDTH;
    int y = (blockIdx.y * blockDim.y + threadIdx.y) * TILE_WIDTH;
    int i = x_is_column ? y : x, j = x_is_column ? x : y;
    if (i >= N || j >= N)
        return;
    for (int r = 0; r < TILE_WIDTH; r++)
        for (int q = 0; q < TILE_WIDTH; q++)
            C[(i + r) * N + j + q] = 0;
    for (int k = 0; k < N; k += TILE_WIDTH)
        for (int r = 0; r < TILE_WIDTH; r++)
            for (int q = 0; q < TILE_WIDTH; q++) {
                float value = C[(i + r) * N + j + q];
                for (int p = 0; p < TILE_WIDTH; p++)
                    value += A[(i + r) * N + k + p] * B[(k + p) * N + j + q];
                C[(i + r) * N + j + q] = value;
            }
}
__global__ void tile_by_rows(float *A, float *B, float *C, int N) { a_tile_a_thread<false>(A, B, C, N); }
__global__ void tile_by_columns(float *A, float *B, float *C, int N) { a_tile_a_thread<true>(A, B, C, N); }

// One thread an output, tiles in shared memory: the loads merge.
__global__ void rolled(float *A, float *B, float *C, int m, int n, int k)
{
    __shared__ float left[TILE_WIDTH][TILE_WIDTH], right[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    float value = 0;
    for (int t = 0; t < n / TILE_WIDTH; t++) {
        left[ty][tx] = A[row * n + t * TILE_WIDTH + tx];
        right[ty][tx] = B[(t * TILE_WIDTH + ty) * k + col];
        __syncthreads();
#pragma unroll 1
        for (int i = 0; i < TILE_WIDTH; i++)
            value += left[ty][i] * right[i][tx];
        __syncthreads();
    }
    C[row * k + col] = value;
}

// The loop over a tile of 16 written out.
__global__ void written_out(float *A, float *B, float *C, int m, int n, int k)
{
    __shared__ float left[TILE_WIDTH][TILE_WIDTH], right[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    float value = 0;
    for (int t = 0; t < n / TILE_WIDTH; t++) {
        left[ty][tx] = A[row * n + t * TILE_WIDTH + tx];
        right[ty][tx] = B[(t * TILE_WIDTH + ty) * k + col];
        __syncthreads();
        value += left[ty][0] * right[0][tx] + left[ty][1] * right[1][tx] + left[ty][2] * right[2][tx] +
                 left[ty][3] * right[3][tx] + left[ty][4] * right[4][tx] + left[ty][5] * right[5][tx] +
                 left[ty][6] * right[6][tx] + left[ty][7] * right[7][tx] + left[ty][8] * right[8][tx] +
                 left[ty][9] * right[9][tx] + left[ty][10] * right[10][tx] + left[ty][11] * right[11][tx] +
                 left[ty][12] * right[12][tx] + left[ty][13] * right[13][tx] + left[ty][14] * right[14][tx] +
                 left[ty][15] * right[15][tx];
        __syncthreads();
    }
    C[row * k + col] = value;
}
