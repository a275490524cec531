// The transposes of the article: in is ny x nx, a block is BDIMX x BDIMY threads, and IPAD floats follow each row of
// the tile. nx is a multiple of BDIMX, of 2 BDIMX for two_tiles, and ny of BDIMY: the barrier stands behind the test.

__global__ void row_to_row(float *in, float *out, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny)
        out[y * nx + x] = in[y * nx + x];
}

__global__ void row_to_column(float *in, float *out, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny)
        out[x * ny + y] = in[y * nx + x];
}

template <int PAD> static __device__ void through_tile(float *in, float *out, int nx, int ny)
{
    __shared__ float tile[BDIMY][BDIMX + PAD];
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    // The block's threads once more, numbered down the columns of the tile.
    unsigned number = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned down = number % blockDim.y, along = number / blockDim.y;
    unsigned to = (blockIdx.x * blockDim.x + along) * ny + blockIdx.y * blockDim.y + down;
    if (x < nx && y < ny) {
        tile[threadIdx.y][threadIdx.x] = in[y * nx + x];
        __syncthreads();
        out[to] = tile[down][along];
    }
}
__global__ void one_tile(float *in, float *out, int nx, int ny) { through_tile<0>(in, out, nx, ny); }
__global__ void one_padded_tile(float *in, float *out, int nx, int ny) { through_tile<IPAD>(in, out, nx, ny); }

// A block moves two tiles that lie side by side; the tile is an array of one dimension.
__global__ void two_tiles(float *in, float *out, int nx, int ny)
{
    __shared__ float tile[BDIMY * (2 * BDIMX + IPAD)];
    unsigned width = 2 * blockDim.x + IPAD;
    unsigned x = 2 * blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned number = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned down = number % blockDim.y, along = number / blockDim.y;
    unsigned to = (2 * blockIdx.x * blockDim.x + along) * ny + blockIdx.y * blockDim.y + down;
    if (x + blockDim.x < nx && y < ny) {
        tile[threadIdx.y * width + threadIdx.x] = in[y * nx + x];
        tile[threadIdx.y * width + threadIdx.x + BDIMX] = in[y * nx + x + BDIMX];
        __syncthreads();
        out[to] = tile[down * width + along];
        out[to + ny * BDIMX] = tile[down * width + along + BDIMX];
    }
}
