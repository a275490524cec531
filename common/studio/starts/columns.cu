// columns: the sum of each column of a matrix, a thread a column
// Neighbours in a warp have neighbouring columns. What if each thread had a row instead?
// launch: --kernel columns --grid 8 --block 64 i32:64 i32:512 buf:f32:512:zero buf:f32:32768:rand

__global__ void columns(int rows, int columns, float *sum, const float *in)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    if (column >= columns) return;
    for (int row = 0; row < rows; row++) s += in[row * columns + column];
    sum[column] = s;
}
