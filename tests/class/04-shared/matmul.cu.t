%skeleton // matmul: ... LAUNCH(matmul

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{&tilematmul~~#pragma unroll 4}}
}
