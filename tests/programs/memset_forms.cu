// Fills: bytes, rectangles, in a stream, with values that are cut to a byte.
#include <cstdio>

static void show(const char *what, const unsigned *d, int n)
{
    unsigned h[16];
    cudaMemcpy(h, d, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    printf("%s:", what);
    for (int i = 0; i < n; i++) printf(" %x", h[i]);
    printf("\n");
}

int main()
{
    unsigned *d;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&d, 16 * sizeof(unsigned));
    cudaMemset(d, 0xff, 16 * sizeof(unsigned));
    show("all ones", d, 4);
    cudaMemset(d, 1, 6);
    show("six bytes", d, 4);
    cudaMemset(d, 0x1234, 8);
    show("a value above a byte", d, 4);
    cudaMemsetAsync(d, 0, 16 * sizeof(unsigned), s);
    cudaStreamSynchronize(s);
    show("in a stream", d, 4);
    cudaMemset2D((char *)d + 4, 16, 0xab, 8, 3);
    show("a rectangle", d, 16);
    cudaMemset2D(d, 16, 0x11, 4, 4);
    show("another", d, 16);
    cudaStreamDestroy(s);
    cudaFree(d);
}
