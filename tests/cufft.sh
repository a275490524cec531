#!/bin/sh
# cufft.sh - cuFFT's transforms against sums of the host: each type, one to three dimensions, padded, strided and in place.

. tests/lib.sh
nvcc=$(cd "$BUILD" && pwd)/lockstep-nvcc
export LOCKSTEP_DEVICE=sim:h200
cat >"$scratch/fft.cu" <<'EOF'
#include <complex>
#include <cstdio>
#include <cufftXt.h>
#include <vector>
typedef std::complex<double> number;
typedef std::vector<number> numbers;

// The transform by its definition.
static numbers expected(const numbers &in, int nx, int ny, int nz, int batch, int sign)
{
    numbers out(in.size());
    for (int b = 0; b < batch; b++)
        for (int i = 0; i < nx * ny * nz; i++)
            for (int k = 0; k < nx * ny * nz; k++) {
                double turns = double(i / nz / ny) * (k / nz / ny) / nx + double(i / nz % ny) * (k / nz % ny) / ny + double(i % nz) * (k % nz) / nz;
                out[b * nx * ny * nz + i] += in[b * nx * ny * nz + k] * std::polar(1.0, sign * 2 * M_PI * turns);
            }
    return out;
}
static numbers signal(int n, int reals)
{
    numbers x(n);
    for (int i = 0; i < n; i++) x[i] = {i * 37 % 11 - 5.0, reals ? 0 : i * 53 % 13 - 6.0};
    return x;
}
template <class T> static T *device(const std::vector<T> &h)
{
    T *p;
    cudaMalloc(&p, h.size() * sizeof(T));
    cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}
template <class T> static std::vector<T> host(const T *p, size_t n)
{
    std::vector<T> h(n);
    cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return h;
}
static void say(const char *what, int status, double error, double scale)
{
    std::printf("%s: %s, status %d, %s\n", what, error < scale ? "right" : "wrong", status, cudaGetErrorName(cudaDeviceSynchronize()));
}
template <class C> static std::vector<C> pairs(const numbers &x)
{
    std::vector<C> h(x.size());
    for (size_t i = 0; i < x.size(); i++) h[i].x = x[i].real(), h[i].y = x[i].imag();
    return h;
}
static double apart(const numbers &x, const std::vector<cufftDoubleComplex> &y)
{
    double most = 0;
    for (size_t i = 0; i < x.size(); i++) most = std::fmax(most, std::abs(x[i] - number(y[i].x, y[i].y)));
    return most;
}
static void z2z(const char *what, int nx, int ny, int nz, int batch, int sign)
{
    cufftHandle plan;
    numbers x = signal(nx * ny * nz * batch, 0);
    auto *d = device(pairs<cufftDoubleComplex>(x));
    int status = nx > 1 ? cufftPlan3d(&plan, nx, ny, nz, CUFFT_Z2Z) : ny > 1 ? cufftPlan2d(&plan, ny, nz, CUFFT_Z2Z) : cufftPlan1d(&plan, nz, CUFFT_Z2Z, batch);
    status |= cufftExecZ2Z(plan, d, d, sign);
    say(what, status, apart(expected(x, nx, ny, nz, batch, sign), host(d, x.size())), 1e-9);
    cufftDestroy(plan), cudaFree(d);
}
// Reals to complex numbers and back, out of place and in place: n times the signal.
static void reals(const char *what, int rows, int n, int in_place)
{
    cufftHandle there, back;
    numbers x = signal(rows * n, 1), y = expected(x, 1, rows, n, 1, -1);
    int half = n / 2 + 1, pitch = in_place ? 2 * half : n;
    std::vector<float> h(rows * pitch);
    for (int i = 0; i < rows * n; i++) h[i / n * pitch + i % n] = x[i].real();
    float *d = device(h);
    cufftComplex *c = in_place ? (cufftComplex *)d : device(std::vector<cufftComplex>(rows * half));
    int status = cufftPlan2d(&there, rows, n, CUFFT_R2C) | cufftPlan2d(&back, rows, n, CUFFT_C2R) | cufftExecR2C(there, d, c);
    auto got = host(c, rows * half);
    double error = 0;
    for (int i = 0; i < rows * half; i++) error = std::fmax(error, std::abs(y[i / half * n + i % half] - number(got[i].x, got[i].y)));
    status |= cufftExecC2R(back, c, d);
    h = host(d, rows * pitch);
    for (int i = 0; i < rows * n; i++) error = std::fmax(error, std::abs(h[i / n * pitch + i % n] / (rows * n) - x[i].real()));
    say(what, status, error, 1e-3);
}
int main()
{
    z2z("a power of two", 1, 1, 64, 3, CUFFT_FORWARD);
    z2z("many factors, inverse", 1, 1, 2 * 3 * 4 * 5, 2, CUFFT_INVERSE);
    z2z("a prime", 1, 1, 37, 1, CUFFT_FORWARD);
    z2z("one number", 1, 1, 1, 4, CUFFT_FORWARD);
    z2z("two dimensions", 1, 8, 15, 1, CUFFT_FORWARD);
    z2z("three dimensions", 3, 4, 10, 1, CUFFT_INVERSE);
    reals("reals", 6, 20, 0);
    reals("reals, odd", 5, 9, 0);
    reals("reals in place", 6, 20, 1);
    // Columns of an array of 12 rows and 7 columns: stride 7, one apart.
    cufftHandle plan;
    numbers x = signal(84, 0), column(12);
    auto *d = device(pairs<cufftComplex>(x));
    int n[] = {12}, status = cufftPlanMany(&plan, 1, n, n, 7, 1, n, 7, 1, CUFFT_C2C, 7) | cufftExecC2C(plan, d, d, CUFFT_FORWARD);
    auto got = host(d, 84);
    double error = 0;
    for (int c = 0; c < 7; c++) {
        for (int i = 0; i < 12; i++) column[i] = x[i * 7 + c];
        numbers y = expected(column, 1, 1, 12, 1, -1);
        for (int i = 0; i < 12; i++) error = std::fmax(error, std::abs(y[i] - number(got[i * 7 + c].x, got[i * 7 + c].y)));
    }
    say("columns", status, error, 1e-3);
    // The plan of the columns by its steps: cufftCreate, then what it computes.
    cufftHandle made;
    long long sizes[] = {12};
    size_t bytes = 0, needed = 0, column_bytes = 0;
    cudaMemcpy(d, pairs<cufftComplex>(x).data(), 84 * sizeof *d, cudaMemcpyHostToDevice);
    int before = cufftCreate(&made) | cufftExecC2C(made, d, d, CUFFT_FORWARD);
    status = cufftXtMakePlanMany(made, 1, sizes, sizes, 7, 1, CUDA_C_32F, sizes, 7, 1, CUDA_C_32F, 7, &bytes, CUDA_C_32F) |
        cufftGetSize(made, &needed) | cufftXtExec(made, d, d, CUFFT_FORWARD) | cufftEstimate1d(12, CUFFT_C2C, 7, &column_bytes);
    auto again = host(d, 84);
    error = 0;
    for (int i = 0; i < 84; i++) error = std::fmax(error, std::abs(number(again[i].x, again[i].y) - number(got[i].x, got[i].y)));
    say("a plan in steps", status, error, 1e-6);
    std::printf("in steps: %d, %d, %d %d\n", before, cufftMakePlan1d(made, 12, CUFFT_C2C, 1, &bytes), bytes > 0 && bytes == needed,
        bytes == column_bytes);
    std::printf("refused: %d %d %d\n", cufftExecZ2Z(plan, nullptr, nullptr, CUFFT_FORWARD), cufftPlan1d(&plan, 0, CUFFT_C2C, 1), cufftDestroy(99));
}
EOF
"$nvcc" -O2 "$scratch/fft.cu" -lcufft -o "$scratch/fft" >"$scratch/said" 2>&1 && "$scratch/fft" >>"$scratch/said" 2>&1
expect_none 'transforms are right' "$(grep -E 'wrong|rror|status [^0]' "$scratch/said" | grep -v 'cudaErrorNone')"
expect_some 'how many transforms' "$(grep -c 'right, status 0, cudaSuccess' "$scratch/said")" '^11$'
expect_some 'a plan in steps' "$(cat "$scratch/said")" '^in steps: 1, 1, 1 1$'
expect_some 'wrong arguments: their errors' "$(cat "$scratch/said")" '^refused: 3 8 1$'
finish
