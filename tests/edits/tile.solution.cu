#define TILE 32
__device__ int place(int row, int length, int col) { return length * row + col; }
__global__ void k(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int r = blockIdx.y * TILE, c = blockIdx.x * TILE;
    if (r + y < rows && c + x < cols) tile[y][x] = in[(r + y) * cols + c + x];
    __syncthreads();
    if (c + y < cols && r + x < rows) out[place(c + y, rows, r + x)] = tile[x][y];
}
