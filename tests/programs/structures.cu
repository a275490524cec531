// Structures by value: nested, with arrays and pointers in them; arrays of structures; built-in vectors.
#include <cstdio>

struct Range {
    short first, count;
};
struct Job {
    char tag;
    double scale;
    Range ranges[3];
    const float *in;
    float3 shift;
};
struct Particle {
    float4 position;
    int id;
    unsigned char kind;
};

__global__ void work(Job job, Particle *out)
{
    int i = threadIdx.x;
    Range r = job.ranges[i % 3];
    float sum = 0;
    for (int k = r.first; k < r.first + r.count; k++) sum += job.in[k];
    Particle p;
    p.position = make_float4(sum + job.shift.x, (float)(sum * job.scale), job.shift.y * i, job.shift.z);
    p.id = 100 + i;
    p.kind = job.tag + i;
    out[i] = p;
}

int main()
{
    float h[10], *in;
    Particle *out, particles[6];
    for (int i = 0; i < 10; i++) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof particles);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    Job job = {'a', 0.5, {{0, 4}, {2, 3}, {9, 1}}, in, make_float3(0.25f, 2, -1)};
    work<<<1, 6>>>(job, out);
    cudaMemcpy(particles, out, sizeof particles, cudaMemcpyDeviceToHost);
    for (const Particle &p : particles)
        printf("%d %c (%g, %g, %g, %g)\n", p.id, p.kind, p.position.x, p.position.y, p.position.z, p.position.w);
    printf("%d %d\n", (int)sizeof(Job), (int)sizeof(Particle));
    cudaFree(in);
    cudaFree(out);
}
