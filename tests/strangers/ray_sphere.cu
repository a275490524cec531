// run: render 4,4 8,8 struct:{f32:0,f32:0,f32:-3,i32:32,i32:32,f32:1} struct:{f32:0,f32:0,f32:0,f32:1} buf:f32:3072:none
// Structures by value, with operators, as small ray tracers have them.
#include <cfloat>
#include <iostream>

struct Vec3 {
    float x, y, z;
    __host__ __device__ Vec3(float a = 0, float b = 0, float c = 0) : x(a), y(b), z(c) {}
    __host__ __device__ Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
    __host__ __device__ Vec3 operator-(const Vec3 &o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
    __host__ __device__ Vec3 operator*(float s) const { return Vec3(x * s, y * s, z * s); }
    __host__ __device__ float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
    __host__ __device__ Vec3 normalized() const { float n = 1.0f / sqrtf(dot(*this)); return *this * n; }
};

struct Camera { Vec3 origin; int width, height; float focal; };
struct Sphere { Vec3 centre; float radius; };
struct Ray { Vec3 o, d; };

__device__ bool hit(const Sphere &s, const Ray &r, float &t)
{
    Vec3 oc = r.o - s.centre;
    float b = oc.dot(r.d), c = oc.dot(oc) - s.radius * s.radius, disc = b * b - c;
    if (disc < 0) return false;
    t = -b - sqrtf(disc);
    return t > 1e-4f && t < FLT_MAX;
}

__global__ void render(Camera cam, Sphere sphere, Vec3 *pixels)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cam.width || y >= cam.height) return;
    Ray ray{cam.origin, Vec3((2.0f * x - cam.width) / cam.width, (2.0f * y - cam.height) / cam.height, cam.focal).normalized()};
    Vec3 colour(0.2f, 0.3f, 0.5f);
    float t;
    if (hit(sphere, ray, t)) {
        Vec3 normal = (ray.o + ray.d * t - sphere.centre).normalized();
        float light = fmaxf(0.0f, normal.dot(Vec3(0.577f, 0.577f, -0.577f)));
        colour = Vec3(1, 1, 1) * (0.1f + 0.9f * powf(light, 1.0f / 2.2f));
    }
    pixels[y * cam.width + x] = colour;
}

int main()
{
    Camera cam{Vec3(0, 0, -3), 640, 480, 1.0f};
    Sphere s{Vec3(), 1.0f};
    Vec3 *pixels;
    cudaMallocManaged(&pixels, cam.width * cam.height * sizeof(Vec3));
    render<<<dim3(80, 60), dim3(8, 8)>>>(cam, s, pixels);
    cudaDeviceSynchronize();
    std::cout << pixels[0].x << "\n";
    cudaFree(pixels);
}
