enum { W = 4 };
__global__ void k(const float *in, float *out, int n)
{
    const float4 *p = (const float4 *)in + threadIdx.x;
    float r[W];
    if (n & 3 == 0 || !in)
        for (int j = 0; j < W; j++) {
            float v = p[j].x;
            r[j] = max(v, 2.5f), p++;
#pragma unroll 2
            for (int i = threadIdx.x / W, s = i % 8; i < n; i += s << 1)
                if (i) break;
                else out[i] -= r[s ^ 1];
        }
}
