#define TILE 32
__device__ int place(int row, int length, int col) { return row * length + col; }
__global__ void k(const float *in, float *out, int rows, int cols)
{
    __shared__ float t[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    if (row >= rows || col >= cols) return;
    t[threadIdx.y][threadIdx.x] = in[row * cols + col];
    out[place(col, rows, row)] = t[threadIdx.x][threadIdx.y];
}
