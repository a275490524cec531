%skeleton // matmul: ... LAUNCH(matmul, BLOCK

{{PREDICT(rolled_loads, {{8388608~~2 * 128 * 32768~~2 * 4 * 32 * 32768~~128 * 32768}})
PREDICT(unrolled_loads, {{5242880~~128 * 32768 + 32 * 32768~~160 * 32768~~2 * 32 * 32768}})~~PREDICT(unrolled_loads, {{5242880~~128 * 32768 + 32 * 32768~~160 * 32768}})
PREDICT(rolled_loads, {{8388608~~2 * 128 * 32768~~32768 * 256}})}}

%skeleton __global__ void matmul_rolled ... c[row * n + col] = sum;
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{&tilematmul~~{{#pragma unroll~~#pragma unroll~~#pragma unroll 32~~#pragma unroll TILE}}}}
}
