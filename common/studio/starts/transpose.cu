// transpose: out = the transpose of in; one of the two is read or written across its rows
// Exchange what x and y mean: then the loads are the ones that are far apart.
// launch: --kernel transpose --grid 8,32 --block 32,8 i32:256 i32:256 buf:f32:65536:zero buf:f32:65536:iota

__global__ void transpose(int rows, int columns, float *out, const float *in)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}
