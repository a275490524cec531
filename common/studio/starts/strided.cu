// strided: out[i] = in[i * STRIDE], so that the lanes of a warp load STRIDE elements apart
// Try another stride: how many sectors does a load need with 1, 2, 4, 8, 16?
// launch: --kernel strided -DSTRIDE=8 --grid 64 --block 256 i32:16384 buf:f32:16384:zero buf:f32:131072:iota

__global__ void strided(int n, float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * STRIDE];
}
