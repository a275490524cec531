#!/bin/sh
# program.sh - somebody has a CUDA project and no GPU: the kit is installed as its README says, the project is cloned and
# built by its own Makefile with NVCC=lockstep-nvcc, then run; a file of one's own by `lockstep run` and `lockstep profile`.

. tests/lib.sh

unset DEVICE FRONT MAKEFLAGS MAKELEVEL LOCKSTEP_REPORT
local=$scratch/usr/local
make BUILD="$BUILD" install PREFIX="$local" >"$scratch/said" 2>&1 || fail 'make install' "$(tail -n 5 "$scratch/said")"
PATH=$local/bin:$PATH

# A project as it lies on a forge: sources, a Makefile for nvcc, a repository.
project=$scratch/forge/saxpy
mkdir -p "$project"
cat >"$project/saxpy.cu" <<'END'
#include <cstdio>
#include "scale.h"
int main()
{
    const int n = 1000;
    float *x, *y, sum = 0;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, n * sizeof *y);
    for (int i = 0; i < n; i++) x[i] = 1, y[i] = i;
    saxpy<<<(n + 255) / 256, 256>>>(n, 2, x, y);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int i = 0; i < n; i++) sum += y[i];
    printf("sum %g\n", sum);
    cudaFree(x), cudaFree(y);
}
END
cat >"$project/scale.h" <<'END'
__global__ void saxpy(int n, float a, const float *x, float *y);
END
cat >"$project/scale.cu" <<'END'
#include "scale.h"
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
END
tab=$(printf '\t')
sed "s/^>/$tab/" >"$project/Makefile" <<'END'
NVCC ?= nvcc
NVCCFLAGS = -O3 -arch=sm_80 -std=c++14
saxpy: saxpy.o scale.o
>$(NVCC) $(NVCCFLAGS) $^ -o $@
%.o: %.cu scale.h
>$(NVCC) $(NVCCFLAGS) -dc $< -o $@
END
git -C "$project" init -q
git -C "$project" add -A
git -C "$project" -c user.name=Author -c user.email=author@example.org commit -qm 'A project'

mkdir "$scratch/Mein Ordner"
git clone -q "$project" "$scratch/Mein Ordner/saxpy"
cd "$scratch/Mein Ordner/saxpy" || exit 1
make NVCC=lockstep-nvcc >"$scratch/said" 2>&1 || fail 'make NVCC=lockstep-nvcc' "$(tail -n 5 "$scratch/said")"
expect_some 'the program runs' "$(./saxpy 2>&1)" '^sum 501500$'
expect_some 'and reports when asked' "$(LOCKSTEP_REPORT=1 ./saxpy 2>&1)" 'saxpy'
touch scale.h
expect_some 'make builds again what is older' "$(make NVCC=lockstep-nvcc 2>&1)" 'scale\.o'

cat saxpy.cu scale.cu >my.cu
out=$(lockstep run my.cu --device sim:t4 2>&1)
expect_some 'lockstep run: the output' "$out" '^sum 501500$'
expect_some 'lockstep run: the report' "$out" 'saxpy'
expect_some 'lockstep profile: a kernel' "$(lockstep profile scale.cu --kernel saxpy --grid 4 --block 256 i32:1024 f32:2 buf:f32:1024 buf:f32:1024:iota 2>&1)" 'y\[i\] \+= a \* x\[i\]'
cd "$OLDPWD" || exit 1
finish
