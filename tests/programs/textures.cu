// Texture objects: point and linear filters, address modes, normalized values; a surface.
#include <cstdio>

__global__ void filtered(cudaTextureObject_t t, float *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[y * 8 + x] = tex2D<float>(t, x - 1.25f, y + 0.75f);
}

__global__ void fetched(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(t, (int)threadIdx.x - 2);
}
__global__ void wrapped(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x / 8.f, 0.3f);
}
__global__ void surface(cudaSurfaceObject_t s)
{
    int x = threadIdx.x, y = threadIdx.y;
    float v;
    surf2Dread(&v, s, x * 4, y);
    surf2Dwrite(v + 100, s, x * 4, y);
}

static void show(const char *what, const float *device, int n)
{
    float h[64];
    cudaMemcpy(h, device, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s:", what);
    for (int i = 0; i < n; i++) printf(" %.4f", h[i]);
    printf("\n");
}

int main()
{
    float h[32], *out, *linear;
    unsigned char b[4] = {0, 51, 255, 128}, *db;
    for (int i = 0; i < 32; i++) h[i] = i * i;
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMalloc(&linear, sizeof h);
    cudaMalloc(&db, 4);
    cudaMemcpy(linear, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, 4, cudaMemcpyHostToDevice);

    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &desc, 8, 4, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(array, 0, 0, h, 8 * sizeof(float), 8 * sizeof(float), 4, cudaMemcpyHostToDevice);

    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t object;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = desc;
    resource.res.linear.sizeInBytes = sizeof h;
    cudaCreateTextureObject(&object, &resource, &how, NULL);
    fetched<<<1, 8>>>(object, out);
    show("fetched", out, 8);
    cudaDestroyTextureObject(object);
    resource.res.linear.devPtr = db;
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.linear.sizeInBytes = 4;
    how.readMode = cudaReadModeNormalizedFloat;
    cudaCreateTextureObject(&object, &resource, &how, NULL);
    fetched<<<1, 8>>>(object, out);
    show("normalized", out, 8);
    cudaDestroyTextureObject(object);

    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    how.readMode = cudaReadModeElementType;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    cudaCreateTextureObject(&object, &resource, &how, NULL);
    filtered<<<1, dim3(8, 4)>>>(object, out);
    show("filtered", out, 32);
    cudaDestroyTextureObject(object);
    how.filterMode = cudaFilterModePoint;

    cudaSurfaceObject_t s;
    cudaCreateSurfaceObject(&s, &resource);
    surface<<<1, dim3(8, 4)>>>(s);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
    how.normalizedCoords = 1;
    cudaCreateTextureObject(&object, &resource, &how, NULL);
    wrapped<<<1, 12>>>(object, out);
    show("wrapped", out, 12);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
