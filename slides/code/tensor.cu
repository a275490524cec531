// Worked examples of deck 09: problems that no lab asks for.
#include "lockstep.h"
#include "lockstep_tensor.h"

//! run   row_sums grid=1 block=32
//! arg   in f32[128] = i
//! arg   out f32[16] poison
//! want  out = 64 * i + 28
//! count sm__inst_executed_pipe_tensor_op_hmma.sum 1
//! count smsp__inst_executed_op_ldsm.sum 1
// The sums of 16 rows of 8 floats: a product with ones.
__global__ void row_sums(const float *in, float *out)
{
    __shared__ __align__(16) float tile[16][8 + 4];
    int lane = threadIdx.x;
    for (int i = lane; i < 128; i += 32)
        tile[i / 8][i % 8] = in[i];
    __syncwarp();
    float x[4], d[4] = {};
    ldmatrix(x, &tile[lane % 16][lane / 16 * 4]);
    unsigned a[4] = {to_tf32(x[0]), to_tf32(x[1]), to_tf32(x[2]), to_tf32(x[3])};
    unsigned ones[2] = {to_tf32(1), to_tf32(1)};
    mma_tf32(d, a, ones);
    if (lane % 4 == 0) // all columns are equal
        out[lane / 4] = d[0], out[lane / 4 + 8] = d[2];
}

//! run   two_sums grid=1 block=32
//! arg   little f32[1] = 3.0 / 33554432
//! arg   out f32[2] poison
//! want  out = 1 + i / 8388608.0
// 1 + 3/4 of a float's last digit: by a tensor core, and by an addition.
__global__ void two_sums(const float *little, float *out)
{
    float d[4] = {1, 1, 1, 1};
    unsigned a[4] = {}, b[2] = {};
    if (threadIdx.x % 4 == 0)
        a[0] = to_tf32(*little), b[0] = to_tf32(1);
    mma_tf32(d, a, b);
    if (threadIdx.x == 0) {
        out[0] = d[0]; // cut off: 1
        out[1] = 1 + *little; // rounded: 1 + 2^-23
    }
}
