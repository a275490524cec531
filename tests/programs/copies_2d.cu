// Rectangles: pitched memory, copies of rows into the middle of another, a pitch that is too small.
#include <cstdio>

__global__ void add_row(int *p, size_t pitch, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) {
        int *row = (int *)((char *)p + y * pitch);
        row[x] += 100 * y;
    }
}

int main()
{
    const int width = 5, height = 4;
    int in[height][width], out[height][8] = {};
    int *d;
    size_t pitch;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) in[y][x] = x;
    cudaMallocPitch(&d, &pitch, width * sizeof(int), height);
    printf("the pitch: at least the width %d, modulo 4 %d\n", pitch >= sizeof in[0], (int)(pitch % sizeof(int)));
    cudaMemcpy2D(d, pitch, in, sizeof in[0], sizeof in[0], height, cudaMemcpyHostToDevice);
    add_row<<<height, 32>>>(d, pitch, width, height);
    cudaMemcpy2D(&out[0][2], sizeof out[0], d, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost);
    for (auto &row : out) {
        for (int v : row) printf("%4d", v);
        printf("\n");
    }
    // two columns of one rectangle into another on the device
    int *e, two[height][2];
    cudaMalloc(&e, sizeof two);
    cudaMemcpy2D(e, sizeof two[0], d + 3, pitch, sizeof two[0], height, cudaMemcpyDeviceToDevice);
    cudaMemcpy(two, e, sizeof two, cudaMemcpyDeviceToHost);
    for (auto &row : two) printf("%d,%d ", row[0], row[1]);
    printf("\n%s\n", cudaGetErrorName(cudaMemcpy2D(e, 4, d, pitch, 8, height, cudaMemcpyDeviceToDevice)));
    cudaFree(d);
    cudaFree(e);
}
