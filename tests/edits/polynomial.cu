LAUNCH(k, BLOCK(128), COVERS(128));
#define AT(i) i * n + 1
#define TERM(i) sum = sum * x + c[i];
__constant__ float c[8];
__global__ void k(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    float x = in[AT(i)], sum;
    TERM(1) TERM(2) TERM(2) TERM(4)
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    out[o] = sum;
    out[o + 128] = x;
}
