// run: move_aos 4 128 buf:f32:3584:rand f32:0.1 i32:512
// run: move_soa 4 128 struct:{buf:f32:512,buf:f32:512,buf:f32:512,buf:f32:512,buf:f32:512,buf:f32:512} f32:0.1 i32:512
// run: move_vectors 4 128 bytes:0000803f00000000000000000000000000000000000000009a99193e00000000 buf:f64:1536:rand i32:512
// Particles as an array of structures and as a structure of arrays.
#include <cstddef>
#include <cstdio>
struct Particle {
    float3 position, velocity;
    float mass;
};
struct Particles {
    float *x, *y, *z, *vx, *vy, *vz;
};
struct __align__(16) Push {
    float4 direction;
    double reserved;
    float strength;
};

__global__ void move_aos(Particle *p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].position.x += p[i].velocity.x * dt;
        p[i].position.y += p[i].velocity.y * dt;
        p[i].position.z += p[i].velocity.z * dt;
    }
}

__global__ void move_soa(Particles p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p.x[i] += p.vx[i] * dt;
        p.y[i] += p.vy[i] * dt;
        p.z[i] += p.vz[i] * dt;
    }
}

__global__ void move_vectors(const Push push, double3 *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double3 v = p[i];
        v.x += push.direction.x * push.strength;
        v.y += push.direction.y * push.strength;
        p[i] = v;
    }
}

int main()
{
    Particles p;
    for (float **a : {&p.x, &p.y, &p.z, &p.vx, &p.vy, &p.vz})
        cudaMalloc(a, 512 * sizeof(float));
    move_soa<<<4, 128>>>(p, 0.1f, 512);
    printf("%zu %zu\n", sizeof(Particle), offsetof(Push, strength));
}
