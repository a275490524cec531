// Bodies that attract each other, by tiles in shared memory; a few steps, printed with few digits.
#include <cmath>
#include <cstdio>

const int N = 256, BLOCK = 64;

__device__ float3 pull(float4 a, float4 b, float3 force)
{
    float3 r = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
    float square = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f, inverse = rsqrtf(square);
    float s = b.w * inverse * inverse * inverse;
    return make_float3(force.x + r.x * s, force.y + r.y * s, force.z + r.z * s);
}

__global__ void forces(const float4 *bodies, float3 *out)
{
    __shared__ float4 tile[BLOCK];
    float4 own = bodies[blockIdx.x * BLOCK + threadIdx.x];
    float3 f = make_float3(0, 0, 0);
    for (int t = 0; t < N; t += BLOCK) {
        tile[threadIdx.x] = bodies[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < BLOCK; k++) f = pull(own, tile[k], f);
        __syncthreads();
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = f;
}

__global__ void move(float4 *bodies, float3 *speed, const float3 *force, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 b = bodies[i];
    float3 v = speed[i], f = force[i];
    v.x += f.x * dt, v.y += f.y * dt, v.z += f.z * dt;
    b.x += v.x * dt, b.y += v.y * dt, b.z += v.z * dt;
    bodies[i] = b, speed[i] = v;
}

int main()
{
    static float4 h[N];
    float4 *bodies;
    float3 *speed, *force;
    unsigned seed = 1;
    for (float4 &b : h) {
        float *p = &b.x;
        for (int k = 0; k < 4; k++) seed = seed * 1664525u + 1013904223u, p[k] = (seed >> 8) / 16777216.f;
    }
    cudaMalloc(&bodies, sizeof h);
    cudaMalloc(&speed, N * sizeof(float3));
    cudaMalloc(&force, N * sizeof(float3));
    cudaMemcpy(bodies, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(speed, 0, N * sizeof(float3));
    for (int step = 0; step < 4; step++) {
        forces<<<N / BLOCK, BLOCK>>>(bodies, force);
        move<<<N / BLOCK, BLOCK>>>(bodies, speed, force, 0.005f);
    }
    cudaMemcpy(h, bodies, sizeof h, cudaMemcpyDeviceToHost);
    double x = 0, y = 0, z = 0, m = 0;
    for (const float4 &b : h) x += b.x * b.w, y += b.y * b.w, z += b.z * b.w, m += b.w;
    printf("centre %.3f %.3f %.3f\n", x / m, y / m, z / m);
    printf("body 0 %.3f %.3f %.3f\n", h[0].x, h[0].y, h[0].z);
    cudaFree(bodies), cudaFree(speed), cudaFree(force);
}
