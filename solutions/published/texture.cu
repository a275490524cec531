// texture: irregular reads of a table, through the texture unit and by an ordinary load. The guide reads such
// tables by textures.
#include <cstdio>

__global__ void by_texture(cudaTextureObject_t table, const int *index, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float>(table, index[i]);
}

__global__ void by_load(const float *__restrict__ table, const int *index, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[index[i]];
}

// A texture object for an array in linear memory, without filtering.
static cudaTextureObject_t texture_of(float *memory, size_t bytes)
{
    cudaResourceDesc memory_of = {};
    memory_of.resType = cudaResourceTypeLinear;
    memory_of.res.linear.devPtr = memory;
    memory_of.res.linear.desc = cudaCreateChannelDesc<float>();
    memory_of.res.linear.sizeInBytes = bytes;
    cudaTextureDesc reads = {};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &memory_of, &reads, NULL);
    return texture;
}

int main()
{
    const int n = 32768, length = 4096;
    float *table, *out;
    int *index, wrong = 0;
    cudaMallocManaged(&table, length * sizeof *table);
    cudaMallocManaged(&index, n * sizeof *index);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int i = 0; i < length; i++)
        table[i] = .5f * i;
    for (unsigned i = 0, seed = 1; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        index[i] = seed >> 20;
    }
    cudaTextureObject_t texture = texture_of(table, length * sizeof *table);
    for (int way = 0; way < 2; way++) {
        cudaMemset(out, 0, n * sizeof *out);
        if (way == 0)
            by_texture<<<n / 256, 256>>>(texture, index, out, n);
        else
            by_load<<<n / 256, 256>>>(table, index, out, n);
        if (cudaDeviceSynchronize() != cudaSuccess)
            wrong++;
        for (int i = 0; i < n; i++)
            wrong += out[i] != table[index[i]];
    }
    puts(wrong ? "wrong" : "right");
    cudaDestroyTextureObject(texture);
    cudaFree(table);
    cudaFree(index);
    cudaFree(out);
    return wrong != 0;
}
