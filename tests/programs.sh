#!/bin/sh
# programs.sh - whole CUDA programs, built by lockstep-nvcc and run without a GPU. tests/programs/NAME.out is what NAME.cu prints on an
# H200, built by NVIDIA's nvcc: sh tests/programs/record.sh, there. PROGRAMS="graphs driver": these alone.

. tests/lib.sh
nvcc=$(cd "$BUILD" && pwd)/lockstep-nvcc
lockstep=$(cd "$BUILD" && pwd)/lockstep
export LOCKSTEP_DEVICE=sim:h200

# compare NAME: run $scratch/NAME, whose messages of faults are not compared.
compare() {
    if ! (cd "$scratch" && "./$1") >"$scratch/out" 2>"$scratch/said"; then
        fail "program $1 ends well" "$(head -n 5 "$scratch/said")"
    else
        expect_none "program $1 prints what an H200 printed" "$(diff "tests/programs/$1.out" "$scratch/out" 2>&1)"
    fi
}
asked() { case " ${PROGRAMS:-$1} " in *" $1 "*) ;; *) false ;; esac; }
# "// build: WORDS" in a program: more words for the compiler.
for source in tests/programs/*.cu; do
    name=$(basename "$source" .cu)
    asked "$name" || continue
    words=$(sed -n 's|^// build: ||p' "$source")
    if grep -qE 'include <(thrust|cub)/' "$source" && ! [ -e /usr/include/thrust/version.h ]; then
        skip "program $name" 'there is no Thrust; sh common/setup.sh thrust installs it'
        continue
    fi
    # shellcheck disable=SC2086 # words
    if "$nvcc" -O2 "$source" $words -o "$scratch/$name" >"$scratch/said" 2>&1; then compare "$name"
    else fail "program $name builds" "$(head -n 5 "$scratch/said")"; fi
done
# Projects of several files, each by its own Makefile.
for makefile in tests/programs/*/Makefile; do
    name=$(basename "$(dirname "$makefile")")
    asked "$name" || continue
    cp -R "$(dirname "$makefile")" "$scratch/$name.d"
    if make -C "$scratch/$name.d" NVCC="$nvcc" >"$scratch/said" 2>&1; then cp "$scratch/$name.d/program" "$scratch/$name" && compare "$name"
    else fail "program $name builds" "$(head -n 5 "$scratch/said")"; fi
done
[ -z "$PROGRAMS" ] || finish
expect_some 'the report: a kernel' "$(LOCKSTEP_REPORT=1 "$scratch/several_files" 2>&1)" '% .* add_to$'

# A CCCL that -I names is told that the compiler is clang and CUDA is 12.0; the program is not.
mkdir -p "$scratch/cccl/cuda/std/__cccl"
printf '#ifdef __NVCC__\n#error by nvcc\n#endif\n#define _CCCL_CUDACC() (0, 0)\n#if defined CCCL_IGNORE_DEPRECATED_API && defined THRUST_IGNORE_DEPRECATED_API\n#define TOLD 1\n#endif\n' >"$scratch/cccl/cuda/std/__cccl/compiler.h"
printf '#if CUDART_VERSION != 12000\n#error another toolkit\n#endif\n#define _CCCL_CTK() (0, 0)\n' >"$scratch/cccl/cuda/std/__cccl/cuda_toolkit.h"
printf '#include <cuda/std/__cccl/compiler.h>\n#include <cuda/std/__cccl/cuda_toolkit.h>\n#define BOTH(a, b) a * 100 + b\n#define OF(x) BOTH x\n#ifndef __NVCC__\n#error not by nvcc\n#endif\nstatic_assert(OF(_CCCL_CUDACC()) == 1200 && OF(_CCCL_CTK()) == 1200 && TOLD && CUDART_VERSION >= 13000, "");\n' >"$scratch/told.cu"
expect_none "what a CCCL is told" "$("$nvcc" -std=c++17 -I"$scratch/cccl" -c "$scratch/told.cu" -o "$scratch/told.o" 2>&1)"

# The files of several_files, built by CMake.
cp -R tests/programs/several_files "$scratch/by_cmake.d"
printf 'cmake_minimum_required(VERSION 3.18)\nproject(demo LANGUAGES CXX CUDA)\nadd_library(kernels STATIC scale.cu sum.cu)\nadd_executable(program main.cpp)\ntarget_compile_definitions(program PRIVATE FACTOR=3)\ntarget_link_libraries(program kernels)\nfind_package(CUDAToolkit REQUIRED)\ntarget_compile_features(kernels PRIVATE cuda_std_17)\nadd_executable(alone alone.cu)\ntarget_link_libraries(alone CUDA::cuda_driver CUDA::nvrtc CUDA::cublas CUDA::cublasLt)\n' >"$scratch/by_cmake.d/CMakeLists.txt"
printf '#include <cublas_v2.h>\n#include <nvrtc.h>\nint main() {\n    int a;\n    cublasHandle_t b;\n    return nvrtcVersion(&a, &a) || cublasCreate(&b);\n}\n' >"$scratch/by_cmake.d/alone.cu"
if command -v cmake >/dev/null; then
    (cd "$scratch/by_cmake.d" && cmake -B out -DCMAKE_TOOLCHAIN_FILE="$OLDPWD/common/nvcc/lockstep.cmake" -DCMAKE_CUDA_COMPILER="$nvcc" &&
        cmake --build out) >"$scratch/said" 2>&1
    expect_none 'a project of CMake' "$("$scratch/by_cmake.d/out/program" 2>&1 | diff tests/programs/several_files.out - || tail -n 5 "$scratch/said")"
    expect_none "CMake's package of CUDA's libraries" "$("$scratch/by_cmake.d/out/alone" 2>&1 || tail -n 5 "$scratch/said")"
else
    skip 'a project of CMake' 'there is no cmake; sh common/setup.sh check installs it'
fi
finish
