// Every kernel of this folder, launched as the documents launch it, against a CPU: "NAME right" or "NAME wrong".
#include "access.cu"
#include "banks.cu"
#include "outer.cu"
#include "product.cu"
#include "transpose.cu"
#include <cstdio>
#include <cuda_runtime.h>

template <class T> static T *numbers(int n)
{
    T *a;
    cudaMallocManaged(&a, n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = (i * 7 + i / 5) % 11 - 5;
    return a;
}

// The values are small whole numbers, so every sum is exact.
template <class T, class F> static void verdict(const char *name, const T *got, int n, F want)
{
    cudaError_t error = cudaDeviceSynchronize();
    int wrong = error != cudaSuccess;
    for (int i = 0; i < n; i++)
        wrong += got[i] != want(i);
    printf("%s %s\n", name, error ? cudaGetErrorString(error) : wrong ? "wrong" : "right");
}
#define TRY(kernel, grid, block, got, n, want, ...) \
    (kernel<<<grid, block>>>(__VA_ARGS__), verdict(#kernel, got, n, want))

static void outer()
{
    const int M = 4 * TILE_DIM;
    float *a = numbers<float>(M * TILE_DIM), *c = numbers<float>(M * M);
    auto want = [=](int i) {
        float s = 0;
        for (int k = 0; k < TILE_DIM; k++)
            s += a[i / M * TILE_DIM + k] * a[i % M * TILE_DIM + k];
        return s;
    };
    dim3 grid(4, 4), block(TILE_DIM, TILE_DIM);
    TRY(rows_by_rows, grid, block, c, M * M, want, a, c, M);
    TRY(rows_by_tiles, grid, block, c, M * M, want, a, c, M);
    TRY(rows_by_padded_tiles, grid, block, c, M * M, want, a, c, M);
}

static void product()
{
    const int N = 64;
    float *a = numbers<float>(N * N), *b = numbers<float>(N * N), *c = numbers<float>(N * N);
    auto want = [=](int i) {
        float s = 0;
        for (int k = 0; k < N; k++)
            s += a[i / N * N + k] * b[k * N + i % N];
        return s;
    };
    dim3 block(TILE_WIDTH, TILE_WIDTH), grid(N / TILE_WIDTH, N / TILE_WIDTH);
    TRY(by_rows, grid, block, c, N * N, want, a, b, c, N);
    TRY(by_columns, grid, block, c, N * N, want, a, b, c, N);
    TRY(tile_by_rows, 1, block, c, N * N, want, a, b, c, N);
    TRY(tile_by_columns, 1, block, c, N * N, want, a, b, c, N);
    TRY(rolled, grid, block, c, N * N, want, a, b, c, N, N, N);
    TRY(written_out, grid, block, c, N * N, want, a, b, c, N, N, N);
}

static void transpose()
{
    const int nx = 128, ny = 64;
    float *in = numbers<float>(nx * ny), *out = numbers<float>(nx * ny);
    dim3 block(BDIMX, BDIMY), grid(nx / BDIMX, ny / BDIMY), half(nx / BDIMX / 2, ny / BDIMY);
    auto same = [=](int i) { return in[i]; };
    auto turned = [=](int i) { return in[i % ny * nx + i / ny]; };
    TRY(row_to_row, grid, block, out, nx * ny, same, in, out, nx, ny);
    TRY(row_to_column, grid, block, out, nx * ny, turned, in, out, nx, ny);
    TRY(one_tile, grid, block, out, nx * ny, turned, in, out, nx, ny);
    TRY(one_padded_tile, grid, block, out, nx * ny, turned, in, out, nx, ny);
    TRY(two_tiles, half, block, out, nx * ny, turned, in, out, nx, ny);
}

static void access()
{
    const int N = 1000, blocks = (N + 127) / 128;
    double *points = numbers<double>(3 * N), *was = numbers<double>(3 * N);
    auto doubled = [=](int i) { return 2 * was[i]; };
    auto doubled_twice = [=](int i) { return 4 * was[i]; };
    TRY(scale_points, blocks, 128, points, 3 * N, doubled, (double3 *)points, N);
    TRY(scale_flat, 3 * blocks, 128, points, 3 * N, doubled_twice, points, N);

    float *in = numbers<float>(3 * N), *out = numbers<float>(N);
    struct tight *t;
    cudaMallocManaged(&t, N * sizeof *t);
    for (int i = 0; i < N; i++)
        t[i].x = in[3 * i], t[i].y = in[3 * i + 1], t[i].z = in[3 * i + 2];
    auto length = [=](int i) { return t[i].x * t[i].x + t[i].y * t[i].y + t[i].z * t[i].z; };
    TRY(length_loose, blocks, 128, out, N, length, (struct loose *)in, out, N);
    TRY(length_tight, blocks, 128, out, N, length, t, out, N);
    TRY(length_shared, blocks, 128, out, N, length, (struct loose *)in, out, N);

    const float w[4] = {1, -2, 3, -4};
    cudaMemcpyToSymbol(weight, w, sizeof w);
    auto weighed = [=](int i) { return w[0] + in[i] * (w[1] + in[i] * (w[2] + in[i] * w[3])); };
    TRY(weighted, blocks, 128, out, N, weighed, in, out, N);

    int *index = numbers<int>(N);
    for (int i = 0; i < N; i++)
        index[i] = i * 37 % N;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = in;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = N * sizeof *in;
    cudaTextureDesc texture = {};
    cudaTextureObject_t table;
    cudaCreateTextureObject(&table, &resource, &texture, NULL);
    auto looked_up = [=](int i) { return in[index[i]]; };
    TRY(look_up, blocks, 128, out, N, looked_up, table, index, out, N);

    TRY(keeps_all, 1, 32, out, 32, ([=](int i) { return in[i]; }), in, out);
    TRY(size_12, 1, 32, out, 32, ([=](int i) { return in[3 * i + 1]; }), (struct loose *)in, out);
    TRY(with_gaps, 1, 32, out, 32, ([=](int i) { return in[2 * i]; }), in, out);
    TRY(out_of_order, 1, 32, out, 32, ([=](int i) { return in[i ^ 1]; }), in, out);
    TRY(misaligned, 1, 32, out, 32, ([=](int i) { return in[i + 1]; }), in, out);
}

static void banks()
{
    float *f = numbers<float>(64);
    double *d = numbers<double>(64);
    TRY(broadcast_0, 1, 32, f, 32, ([](int) { return 0; }), f);
    TRY(broadcast_12, 1, 32, f, 32, ([](int) { return 12; }), f);
    TRY(broadcast_block, 2, 32, f, 64, ([](int i) { return i / 32 * 3; }), f);
    TRY(multicast, 1, 32, f, 32, ([](int i) { return i < 5 ? 2 : i < 10 ? 30 : i; }), f);
    TRY(own_word, 1, 32, f, 32, ([](int i) { return i; }), f);
    TRY(every_second, 1, 32, f, 32, ([](int i) { return 2 * i; }), f);
    TRY(every_twelfth, 1, 32, f, 32, ([](int i) { return 12 * i; }), f);
    TRY(every_twelfth_padded, 1, 32, f, 32, ([](int i) { return 13 * i; }), f);
    TRY(own_point, 1, 32, f, 32, ([](int i) { return i; }), f);
    TRY(own_double, 1, 32, d, 32, ([](int i) { return i; }), d);
    TRY(every_second_double, 1, 32, d, 32, ([](int i) { return 2 * i; }), d);
    TRY(every_second_double_padded, 1, 32, d, 32, ([](int i) { return 2 * i + i / 8; }), d);
}

int main()
{
    outer();
    product();
    transpose();
    access();
    banks();
}
