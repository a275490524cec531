%skeleton // matmul: ... LAUNCH(matmul, BLOCK

{{PREDICT(rolled_loads, {{67108864~~2 * 1024 * 32768~~2 * 32 * 32 * 32768~~1024 * 32768}})
PREDICT(unrolled_loads, {{41943040~~1024 * 32768 + 256 * 32768~~1280 * 32768~~2 * 256 * 32768}})~~PREDICT(unrolled_loads, {{41943040~~1024 * 32768 + 256 * 32768~~1280 * 32768}})
PREDICT(rolled_loads, {{67108864~~2 * 1024 * 32768~~32768 * 2048}})}}

%skeleton __global__ void matmul_rolled ... c[row * n + col] = sum;
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{&tilematmul~~{{#pragma unroll~~#pragma unroll~~#pragma unroll 32~~#pragma unroll TILE}}}}
}
