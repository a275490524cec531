#!/bin/sh
# cuda_folder.sh - the folder that looks like CUDA's own, of a clone and of an installed kit: Makefiles that link by g++, and CMake's
# ways to CUDA: CUDACXX, find_package(CUDAToolkit), find_package(CUDA), the toolchain file.

. tests/lib.sh
tools=$(cd "$BUILD" && pwd)
here=$(pwd)
export LOCKSTEP_DEVICE=sim:h200
unset CUDACXX CUDA_PATH CUDA_HOME CUDAToolkit_ROOT

built="-o $BUILD/lockstep -o $BUILD/lockstep-nvcc -o $BUILD/liblockstep-cudart.so -o $BUILD/liblockstep-cublas.so -o $BUILD/liblockstep-cufft.so BUILD=$BUILD"
# shellcheck disable=SC2086 # words
make $built install PREFIX="$scratch/installed" >"$scratch/said" 2>&1 || fail 'make install' "$(cat "$scratch/said")"

mkdir "$scratch/project"
cat >"$scratch/project/kernel.cu" <<'END_OF_FILE'
#include <cuda_runtime.h>
__global__ void twice(int *p) { *p *= 2; }
int doubled(int x)
{
    int *d;
    cudaMalloc(&d, sizeof *d);
    cudaMemcpy(d, &x, sizeof x, cudaMemcpyHostToDevice);
    twice<<<1, 1>>>(d);
    cudaMemcpy(&x, d, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return x;
}
END_OF_FILE
cat >"$scratch/project/main.cpp" <<'END_OF_FILE'
#include <cstdio>
#include <cuda_runtime.h>
int doubled(int x);
int main()
{
    int devices = 0;
    cudaGetDeviceCount(&devices);
    std::printf("%d on %d\n", doubled(21), devices);
}
END_OF_FILE
cat >"$scratch/project/Makefile" <<'END_OF_FILE'
.RECIPEPREFIX = >
program: main.cpp kernel.cu
> $(CUDA_HOME)/bin/nvcc -O3 -m64 --gpu-architecture compute_61 -ccbin /usr/bin/gcc -c kernel.cu -o kernel.o
> g++ -O3 -I$(CUDA_HOME)/include/ -m64 -o $@ main.cpp kernel.o -L$(CUDA_HOME)/lib64/ -lcudart
> g++ -O3 -I$(CUDA_HOME)/include/ -m64 -o static main.cpp kernel.o -L$(CUDA_HOME)/lib64/ -lcudart_static -lrt -lpthread -ldl
END_OF_FILE
# project NAME CMAKE-LINE...: a project of its own with these lines
project() {
    name=$1
    shift
    mkdir "$scratch/$name" && cp "$scratch/project/"*.c* "$scratch/$name"
    { echo 'cmake_minimum_required(VERSION 3.18)' && printf '%s\n' "$@"; } >"$scratch/$name/CMakeLists.txt"
}
# by_cmake WHAT NAME WORD...: configured with these words, it builds and runs
by_cmake() {
    what=$1 name=$2
    shift 2
    rm -rf "$scratch/$name/out"
    expect_some "$what" "$(cd "$scratch/$name" && { cmake -B out "$@" && cmake --build out; } >log 2>&1 && out/program || tail -n 20 log)" '^42 on 1$'
}
# CMake projects: one with CUDA::* targets, one with the language CUDA alone, one with find_package(CUDA).
project language 'project(p LANGUAGES CXX CUDA)' 'find_package(CUDAToolkit REQUIRED)' 'add_executable(program main.cpp kernel.cu)' \
    'set_target_properties(program PROPERTIES CUDA_SEPARABLE_COMPILATION ON)' \
    'target_link_libraries(program PRIVATE CUDA::cudart CUDA::cublas CUDA::cufft CUDA::curand CUDA::nvrtc CUDA::cuda_driver)'
project alone 'project(p LANGUAGES CXX CUDA)' 'add_executable(program main.cpp kernel.cu)'
project classic 'project(p CXX)' 'find_package(CUDA REQUIRED)' 'set(CUDA_NVCC_FLAGS "${CUDA_NVCC_FLAGS};-O3;-arch=sm_70")' \
    'set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -g")' 'cuda_add_executable(program main.cpp kernel.cu)'

for kit in "$tools/cuda" "$scratch/installed/lib/lockstep/cuda"; do
    case "$kit" in "$tools"/*) of='of a clone' ;; *) of='installed' ;; esac
    rm -f "$scratch/project/program" "$scratch/project/static"
    expect_some "$of: a Makefile that links by g++" "$(cd "$scratch/project" && make -s CUDA_HOME="$kit" 2>&1 && env -u LD_LIBRARY_PATH ./program)" '^42 on 1$'
    expect_some "$of: and with the static runtime's name" "$("$scratch/project/static" 2>&1)" '^42 on 1$'
    if ! command -v cmake >/dev/null; then
        skip "$of: CMake" 'there is no cmake; sh common/setup.sh check installs it'
        continue
    fi
    by_cmake "$of: CMAKE_CUDA_COMPILER alone, find_package(CUDAToolkit)" language -DCMAKE_CUDA_ARCHITECTURES=75 -DCMAKE_CUDA_COMPILER="$kit/bin/nvcc"
    by_cmake "$of: find_package(CUDA)" classic -DCUDA_TOOLKIT_ROOT_DIR="$kit"
done
command -v cmake >/dev/null || finish
export CUDACXX="$tools/cuda/bin/nvcc"
by_cmake 'CUDACXX, and no architecture' language
unset CUDACXX
by_cmake 'the program lockstep-nvcc itself' language -DCMAKE_CUDA_COMPILER="$tools/lockstep-nvcc"
[ "$BUILD" != build ] || by_cmake 'the toolchain file of a clone' alone -DCMAKE_TOOLCHAIN_FILE="$here/common/nvcc/lockstep.cmake"
by_cmake 'the toolchain file, installed' alone -DCMAKE_TOOLCHAIN_FILE="$scratch/installed/lib/lockstep/common/nvcc/lockstep.cmake"
by_cmake 'the toolchain file, find_package(CUDA)' classic -DCMAKE_TOOLCHAIN_FILE="$scratch/installed/lib/lockstep/common/nvcc/lockstep.cmake"
finish
