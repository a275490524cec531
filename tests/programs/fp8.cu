// Numbers of 8 bits: each pattern as a float and back, and what rounding, overflow, NaN and infinity become.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_fp8.h>

enum { COUNT = 65536 };
struct sums {
    unsigned patterns[2], floats[4], doubles[4], halves[2], pairs[2], integers[2];
};

__host__ __device__ unsigned mixed(unsigned sum, unsigned x) { return (sum ^ x) * 16777619u; }
__host__ __device__ unsigned bits_of(float x)
{
    unsigned b;
    memcpy(&b, &x, 4);
    return b;
}

__host__ __device__ double number_of(unsigned long long bits)
{
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

// All values of one format. Floats: the upper half of each pattern of 32 bits, with lower halves on, below and above ties.
template <class T, class T2> __host__ __device__ void walk(sums *s, int k, __nv_fp8_interpretation_t kind)
{
    for (unsigned i = 0; i < 256; i++) {
        T x;
        x.__x = (__nv_fp8_storage_t)i;
        float f = (float)x;
        s->patterns[k] = mixed(s->patterns[k], f != f ? 1 : bits_of(f));
        s->patterns[k] = mixed(s->patterns[k], T(f).__x);
        s->integers[k] = mixed(s->integers[k], (unsigned)(int)x + (unsigned)(signed char)x + (unsigned char)x);
        s->integers[k] = mixed(s->integers[k], T((int)i - 100).__x + (bool)x);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned low = 0; low < 3; low++) {
            unsigned b = i << 16 | (low == 0 ? 0 : low == 1 ? 1 : 0x8000);
            float f;
            memcpy(&f, &b, 4);
            s->floats[k] = mixed(s->floats[k], T(f).__x);
            s->floats[k + 2] = mixed(s->floats[k + 2], __nv_cvt_float_to_fp8(f, __NV_NOSAT, kind));
            double d = f == f ? f + f * 0x1p-40 : number_of((unsigned long long)b << 32);
            s->doubles[k] = mixed(s->doubles[k], T(d).__x);
            s->doubles[k + 2] = mixed(s->doubles[k + 2], __nv_cvt_double_to_fp8(d, __NV_NOSAT, kind));
        }
        __half_raw h;
        h.x = (unsigned short)i;
        s->halves[k] = mixed(s->halves[k], T(__half(h)).__x);
        T2 pair(make_float2((float)i / 64 - 500, (float)i * 3 - 70000));
        float2 two = (float2)pair;
        s->pairs[k] = mixed(s->pairs[k], pair.__x + bits_of(two.x) + bits_of(two.y));
    }
}
__host__ __device__ void both(sums *s)
{
    walk<__nv_fp8_e4m3, __nv_fp8x2_e4m3>(s, 0, __NV_E4M3);
    walk<__nv_fp8_e5m2, __nv_fp8x2_e5m2>(s, 1, __NV_E5M2);
}
__global__ void kernel(sums *s) { both(s); }

static void show(const char *where, const sums *s)
{
    printf("%s: patterns %08x %08x, floats %08x %08x %08x %08x\n", where, s->patterns[0], s->patterns[1], s->floats[0],
        s->floats[1], s->floats[2], s->floats[3]);
    printf("%s: doubles %08x %08x %08x %08x, halves %08x %08x, pairs %08x %08x, integers %08x %08x\n", where,
        s->doubles[0], s->doubles[1], s->doubles[2], s->doubles[3], s->halves[0], s->halves[1], s->pairs[0],
        s->pairs[1], s->integers[0], s->integers[1]);
}

int main()
{
    const float some[] = {1, -0.3f, 448, 464, 465, 57344, 61440, 1e9f, 0.001f, 1.0f / 0, -1.0f / 0, nanf("")};
    for (float x : some)
        printf("%g: %02x %02x, not saturated %02x %02x\n", x, __nv_fp8_e4m3(x).__x, __nv_fp8_e5m2(x).__x,
            __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3), __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2));
    __nv_fp8x4_e4m3 four(make_float4(1, 2, -3, 0.1f));
    float4 back = (float4)four;
    printf("four: %08x %g %g %g %g\n", four.__x, back.x, back.y, back.z, back.w);
    static sums host, result;
    sums *d;
    both(&host);
    show("host", &host);
    cudaMalloc(&d, sizeof *d);
    cudaMemset(d, 0, sizeof *d);
    kernel<<<1, 1>>>(d);
    cudaMemcpy(&result, d, sizeof result, cudaMemcpyDeviceToHost);
    show("kernel", &result);
    return cudaDeviceSynchronize();
}
