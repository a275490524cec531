__global__ void k(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int col = threadIdx.y; row < rows && col < cols; col++)
        out[row * cols + col] = in[row * cols + col];
}
