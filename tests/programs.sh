#!/bin/sh
# programs.sh - whole CUDA programs, built by lockstep-nvcc and run without a GPU. tests/programs/NAME.out is what NAME.cu prints on an
# H200, built by NVIDIA's nvcc: sh tests/programs/record.sh, there.

. tests/lib.sh
nvcc=$BUILD/lockstep-nvcc
export LOCKSTEP_DEVICE=sim:h200

for source in tests/programs/*.cu; do
    name=$(basename "$source" .cu)
    if ! "$nvcc" -O2 "$source" -o "$scratch/$name" >"$scratch/said" 2>&1; then
        fail "program $name builds" "$(head -n 5 "$scratch/said")"
    elif ! "$scratch/$name" >"$scratch/out" 2>"$scratch/said"; then
        fail "program $name ends well" "$(head -n 5 "$scratch/said")"
    else
        expect_none "program $name prints what an H200 printed" "$(diff "tests/programs/$name.out" "$scratch/out")"
    fi
done

# A project of several files, by its own Makefile.
mkdir "$scratch/project"
cat >"$scratch/project/kernel.cu" <<'END'
#include "kernel.h"
__global__ void twice(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= FACTOR; }
void run(int *p, int n) { twice<<<(n + 63) / 64, 64>>>(p, n); }
END
echo 'void run(int *p, int n);' >"$scratch/project/kernel.h"
cat >"$scratch/project/main.cpp" <<'END'
#include <cuda_runtime.h>
#include <cstdio>
#include "kernel.h"
int main() {
    int h[100], *d;
    for (int i = 0; i < 100; i++) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    run(d, 100);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h[99]);
}
END
printf 'NVCC = nvcc\nprogram: kernel.o main.o\n\t$(NVCC) -arch=sm_80 -o $@ $^ -lcudart\n%%.o: %%.cu\n\t$(NVCC) -gencode arch=compute_80,code=sm_80 -DFACTOR=2 -Xcompiler -Wall,-Wextra -c $< -o $@\n%%.o: %%.cpp\n\t$(NVCC) -std=c++17 -c $< -o $@\n' >"$scratch/project/Makefile"
make -C "$scratch/project" NVCC="$(cd "$BUILD" && pwd)/lockstep-nvcc" >"$scratch/said" 2>&1
expect_some 'a project of two files, by its Makefile' "$("$scratch/project/program" 2>&1; cat "$scratch/said")" '^198$'
expect_some 'the report: the kernel' "$(LOCKSTEP_REPORT=1 "$scratch/project/program" 2>&1)" '% .* twice$'
expect_some 'the report names what was never freed' "$(cd "$scratch/project" && LOCKSTEP_REPORT=1 ./program 2>&1)" '^  d: 400 bytes, from main.cpp:7'

# The same files by CMake.
printf 'cmake_minimum_required(VERSION 3.18)\nproject(demo LANGUAGES CXX CUDA)\nadd_library(kernels STATIC kernel.cu)\ntarget_compile_definitions(kernels PRIVATE FACTOR=2)\nadd_executable(demo main.cpp)\ntarget_link_libraries(demo kernels)\n' >"$scratch/project/CMakeLists.txt"
if command -v cmake >/dev/null; then
    (cmake -S "$scratch/project" -B "$scratch/project/out" -DCMAKE_TOOLCHAIN_FILE="$PWD/common/nvcc/lockstep.cmake" \
        -DCMAKE_CUDA_COMPILER="$(cd "$BUILD" && pwd)/lockstep-nvcc" && cmake --build "$scratch/project/out") >"$scratch/said" 2>&1
    expect_some 'a project of CMake' "$("$scratch/project/out/demo" 2>&1 || tail -n 5 "$scratch/said")" '^198$'
else
    skip 'a project of CMake' 'there is no cmake; sh common/setup.sh check installs it'
fi

# What is wrong is said in one line.
cat >"$scratch/wrong.cu" <<'END'
#include <cstdio>
__global__ void fill(int *p, int n) { p[threadIdx.x] = n; }
int main() {
    int *sums;
    cudaMalloc(&sums, 40);
    fill<<<1, 11>>>(sums, 1);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
"$nvcc" "$scratch/wrong.cu" -o "$scratch/wrong" && "$scratch/wrong" >"$scratch/out" 2>&1
expect_some 'a fault: file, line, thread, and the name of the memory' "$(cat "$scratch/out")" 'wrong.cu:2: .*thread \(10,0\) writes sums\[10\]; sums has 10 elements'
expect_some 'a fault: the error that a GPU returns' "$(cat "$scratch/out")" '^cudaErrorIllegalAddress$'
printf 'int main() {\n    cudaNoSuchCall(1);\n}\n' >"$scratch/unknown.cu"
expect_some 'a call that is not there: its line' "$("$nvcc" "$scratch/unknown.cu" -o "$scratch/unknown" 2>&1)" 'unknown.cu:2:.*cudaNoSuchCall'
expect_some 'an option that is not there' "$("$nvcc" --no-such "$scratch/unknown.cu" 2>&1)" '^lockstep-nvcc: --no-such: '
expect_some 'a file that is not there' "$("$nvcc" -c "$scratch/none.cu" 2>&1)" '^lockstep-nvcc: .*none.cu: there is no such file'
cat >"$scratch/included.cu" <<'END'
__global__ void stray(int *p) {
    p[threadIdx.x] = 1;
}
END
cat >"$scratch/including.cu" <<'END'
#include "included.cu"
int main() {
    int *p;
    cudaMalloc(&p, 4);
    stray<<<1, 2>>>(p);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
END
"$nvcc" "$scratch/including.cu" -o "$scratch/including" && "$scratch/including" >"$scratch/out" 2>&1
expect_some 'a fault in a file that is included' "$(cat "$scratch/out")" 'included.cu:2: .*writes p\[1\]; p has 1 element'
cat >"$scratch/endless.cu" <<'END'
#include <cstdio>
__global__ void wait(volatile int *p) { while (*p == 0) { } }
__global__ void say(int i) { printf("launch %d\n", i); }
int main() {
    int *flag;
    for (int i = 0; i < 3; i++) say<<<1, 1>>>(i);
    cudaMalloc(&flag, 4);
    cudaMemset(flag, 0, 4);
    wait<<<1, 1>>>(flag);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
"$nvcc" "$scratch/endless.cu" -o "$scratch/endless" && LOCKSTEP_LIMIT=1 "$scratch/endless" >"$scratch/out" 2>&1
expect_some 'a launch without an end: its line' "$(cat "$scratch/out")" 'endless.cu:2: .*has not ended'
expect_some 'a launch without an end: the error that a GPU returns' "$(cat "$scratch/out")" '^cudaErrorLaunchTimeout$'
expect_some 'what is printed by a launch that is not counted' "$(cat "$scratch/out")" '^launch 2$'
cat >"$scratch/race.cu" <<'END'
#include <cstdio>
__device__ int total;
__global__ void reverse(int *p) {
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = s[63 - threadIdx.x];
    if (threadIdx.x == 0) total += 1;
}
int main() {
    int h[64], *d, t;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    reverse<<<1, 64>>>(d);
    reverse<<<1, 64>>>(d);
    cudaMemcpyFromSymbol(&t, total, sizeof t);
    std::printf("%s, %d launches\n", cudaGetErrorName(cudaDeviceSynchronize()), t);
}
END
"$nvcc" "$scratch/race.cu" -o "$scratch/race" && LOCKSTEP_CHECK=warn "$scratch/race" >"$scratch/out" 2>&1
expect_some 'a race: told, and the program goes on as if each launch had run once' "$(cat "$scratch/out")" '^cudaSuccess, 2 launches$'
expect_some 'a race: told once a line' "$(grep -c 'warning: .*race.cu:6: ' "$scratch/out")" '^1$'
expect_some 'a race: stops the program without LOCKSTEP_CHECK' "$("$scratch/race" 2>&1)" '^cudaErrorLaunchFailure|^cudaErrorIllegalAddress'
# References of textures are no longer in CUDA 12, so no H200 could be asked.
cat >"$scratch/reference.cu" <<'END'
#include <cstdio>
texture<float, 2> image;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytes;
__global__ void read(float *out) {
    out[threadIdx.x] = tex2D(image, threadIdx.x - 0.25f, 0.5f);
    out[4 + threadIdx.x] = tex1Dfetch(bytes, threadIdx.x);
}
int main() {
    float h[8] = {0, 1, 4, 9}, *out;
    unsigned char b[4] = {0, 51, 255, 102}, *d;
    cudaMalloc(&out, 32);
    cudaMalloc(&d, 4);
    cudaMemcpy(d, b, 4, cudaMemcpyHostToDevice);
    cudaArray *array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &desc, 4, 1);
    cudaMemcpyToArray(array, 0, 0, h, 16, cudaMemcpyHostToDevice);
    image.filterMode = cudaFilterModeLinear;
    cudaBindTextureToArray(image, array);
    cudaBindTexture(0, bytes, d, 4);
    read<<<1, 4>>>(out);
    cudaMemcpy(h, out, 32, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) std::printf("%g ", h[i]);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
END
"$nvcc" "$scratch/reference.cu" -o "$scratch/reference" && "$scratch/reference" >"$scratch/out" 2>&1
expect_some 'references of textures' "$(cat "$scratch/out")" '^0 0.25 1.75 5.25 0 0.2 1 0.4 cudaSuccess$'

# From compute capability 7.0 on a barrier waits for no thread that has returned.
cat >"$scratch/leave.cu" <<'END'
#include <cstdio>
__global__ void leave(int *p, int n)
{
    __shared__ int s[256];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[n - 1 - threadIdx.x];
}
int main()
{
    int *d, h[200];
    cudaMalloc(&d, sizeof h);
    leave<<<1, 256>>>(d, 200);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", h[0], h[199]);
}
END
"$nvcc" "$scratch/leave.cu" -o "$scratch/leave" && LOCKSTEP_CHECK=warn "$scratch/leave" >"$scratch/out" 2>&1
expect_some 'threads that return before a barrier: told' "$(cat "$scratch/out")" 'warning: .*leave.cu:7: .*never reaches'
expect_some 'threads that return before a barrier: the others go on' "$(cat "$scratch/out")" '^199 0$'
finish
