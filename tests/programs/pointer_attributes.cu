// What a pointer points to: device, pinned, managed, or memory that CUDA does not know; copies that find out.
#include <cstdio>
#include <cstring>

__device__ int variable = 9;

static void tell(const char *name, const void *p)
{
    static const char *const types[] = {"unregistered", "host", "device", "managed"};
    cudaPointerAttributes a;
    cudaError_t e = cudaPointerGetAttributes(&a, p);
    printf("%s: %s, %s, device pointer %d, host pointer %d\n", name, cudaGetErrorName(e), types[a.type],
        a.devicePointer != nullptr, a.hostPointer != nullptr);
}

int main()
{
    int plain[4] = {1, 2, 3, 4}, back[4] = {}, *device, *pinned, *managed;
    void *symbol;
    cudaMalloc(&device, sizeof plain);
    cudaMallocHost(&pinned, sizeof plain);
    cudaMallocManaged(&managed, sizeof plain);
    cudaGetSymbolAddress(&symbol, variable);
    tell("device", device);
    tell("inside", device + 2);
    tell("pinned", pinned);
    tell("managed", managed);
    tell("symbol", symbol);
    tell("plain", plain);
    cudaMemcpy(device, plain, sizeof plain, cudaMemcpyDefault);
    cudaMemcpy(pinned, device, sizeof plain, cudaMemcpyDefault);
    cudaMemcpy(managed, pinned, sizeof plain, cudaMemcpyDefault);
    cudaMemcpy(back, managed, sizeof plain, cudaMemcpyDefault);
    printf("four copies: %d\n", !memcmp(plain, back, sizeof plain));
    cudaFree(device), cudaFree(managed), cudaFreeHost(pinned);
}
