LAUNCH(k, BLOCK(128), COVERS(256));
#define TERM(i) sum = sum * x + c[i];
__constant__ float c[8];
__global__ void k(const float *in, float *out, int n)
{
    int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = i; j < n && j <= i + 128; j += 128) {
        float x = in[j], sum = c[0];
        TERM(1) TERM(2) TERM(3) TERM(4)
        out[j] = sum;
    }
}
