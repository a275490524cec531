// saxpy: y = a x + y, an element a thread: neighbours in a warp touch neighbours in memory
// launch: --kernel saxpy --grid 256 --block 256 i32:65536 f32:2 buf:f32:65536:rand buf:f32:65536:iota
// The words after launch: the kernel, its grid and block, then its arguments in order.
// i32:N u64:N f32:X f64:X buf:f32:COUNT[:rand|iota|zero|fill=V]

__global__ void saxpy(int n, float a, float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
