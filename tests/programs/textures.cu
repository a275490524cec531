// textures.cu - arrays, texture objects of one to three dimensions, filters, address modes, and surfaces.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void row(cudaTextureObject_t t, float *out, float begin, float step)
{
    out[threadIdx.x] = tex2D<float>(t, begin + step * threadIdx.x, 0.5f);
}
__global__ void linear(cudaTextureObject_t t, int *out) { out[threadIdx.x] = tex1Dfetch<int>(t, threadIdx.x); }
__global__ void bytes(cudaTextureObject_t t, float4 *out) { out[threadIdx.x] = tex2D<float4>(t, threadIdx.x, 1); }
__global__ void box(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex3D<float>(t, 1.0f, 1.0f, 0.5f + threadIdx.x);
}
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(surf2Dread<float>(from, x * 4, y), to, y * 4, x);
}

static void show(const char *name, const float *d, int n)
{
    float h[16];
    cudaMemcpy(h, d, n * sizeof *h, cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (int i = 0; i < n; i++) printf(" %g", h[i]);
    printf("\n");
}

static cudaTextureObject_t object(cudaArray_t a, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
    bool normalized, cudaTextureReadMode read)
{
    cudaResourceDesc r;
    cudaTextureDesc d;
    cudaTextureObject_t t = 0;
    memset(&r, 0, sizeof r), memset(&d, 0, sizeof d);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    for (int i = 0; i < 3; i++) d.addressMode[i] = mode;
    d.filterMode = filter, d.readMode = read, d.normalizedCoords = normalized;
    printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &r, &d, nullptr)));
    return t;
}

int main()
{
    float h[16], *out;
    int *ints;
    for (int i = 0; i < 16; i++) h[i] = i * 10;
    cudaMalloc(&out, 16 * sizeof(float4));
    cudaMalloc(&ints, 16 * sizeof *ints);

    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t a, b, c, v;
    cudaMallocArray(&a, &f, 4, 4, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(a, 0, 0, h, 16, 16, 4, cudaMemcpyHostToDevice);
    cudaTextureObject_t t = object(a, cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeElementType);
    row<<<1, 8>>>(t, out, -1.5f, 1);
    show("point, clamp", out, 8);
    cudaDestroyTextureObject(t);
    t = object(a, cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeElementType);
    row<<<1, 8>>>(t, out, 0, 0.5f);
    show("linear, clamp", out, 8);
    t = object(a, cudaAddressModeWrap, cudaFilterModePoint, true, cudaReadModeElementType);
    row<<<1, 8>>>(t, out, -0.375f, 0.25f);
    show("point, wrap", out, 8);
    t = object(a, cudaAddressModeMirror, cudaFilterModePoint, true, cudaReadModeElementType);
    row<<<1, 8>>>(t, out, -0.375f, 0.25f);
    show("point, mirror", out, 8);
    t = object(a, cudaAddressModeBorder, cudaFilterModePoint, false, cudaReadModeElementType);
    row<<<1, 8>>>(t, out, -1.5f, 1);
    show("point, border", out, 8);

    cudaResourceDesc r;
    cudaTextureDesc d;
    memset(&r, 0, sizeof r), memset(&d, 0, sizeof d);
    int numbers[4] = {7, -8, 9, 2000000000};
    cudaMemcpy(ints, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = ints;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = sizeof numbers;
    cudaCreateTextureObject(&t, &r, &d, nullptr);
    linear<<<1, 4>>>(t, ints + 8);
    cudaMemcpy(numbers, ints + 8, sizeof numbers, cudaMemcpyDeviceToHost);
    printf("linear memory: %d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);

    uchar4 pixels[4] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {255, 51, 0, 102}, {0, 255, 204, 153}};
    cudaChannelFormatDesc g = cudaCreateChannelDesc<uchar4>();
    printf("channels: %d %d %d %d, %d\n", g.x, g.y, g.z, g.w, g.f);
    cudaMallocArray(&b, &g, 2, 2);
    cudaMemcpyToArray(b, 0, 0, pixels, sizeof pixels, cudaMemcpyHostToDevice);
    t = object(b, cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
    bytes<<<1, 2>>>(t, (float4 *)out);
    show("bytes as floats", out, 8);

    cudaMemcpy3DParms p = {};
    cudaMalloc3DArray(&v, &f, make_cudaExtent(2, 2, 4));
    p.srcPtr = make_cudaPitchedPtr(h, 8, 2, 2);
    p.dstArray = v;
    p.extent = make_cudaExtent(2, 2, 4);
    p.kind = cudaMemcpyHostToDevice;
    printf("%s\n", cudaGetErrorName(cudaMemcpy3D(&p)));
    t = object(v, cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeElementType);
    box<<<1, 4>>>(t, out);
    show("three dimensions", out, 4);

    cudaSurfaceObject_t from, to;
    cudaMallocArray(&c, &f, 4, 4, cudaArraySurfaceLoadStore);
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaCreateSurfaceObject(&from, &r);
    r.res.array.array = c;
    cudaCreateSurfaceObject(&to, &r);
    turn<<<1, dim3(4, 4)>>>(from, to);
    cudaMemcpy2DFromArray(h, 16, c, 0, 0, 16, 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++) printf("%g%c", h[i], i % 4 == 3 ? '\n' : ' ');
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
