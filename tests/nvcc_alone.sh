#!/bin/sh
# nvcc_alone.sh - where NVIDIA's nvcc is the only compiler, lockstep-nvcc and `lockstep run` build whole programs by it.
#
# With LOCKSTEP_FRONT=nvcc clang is not used. Without nvcc a script stands for it, which hands its words to lockstep-nvcc and clang.

. tests/lib.sh

tools=$(cd "$BUILD" && pwd)
cat >"$scratch/add.cu" <<'END'
#include <cstdio>
#include <cuda_runtime.h>
__constant__ float more[2];
__global__ void add(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += more[i % 2];
}
int main()
{
    float *d, h[64] = {}, two[2] = {1, 2};
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    cudaMemcpyToSymbol(more, two, sizeof two);
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    add<<<2, 32>>>(d, 64);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g %g on %s, %d.%d, %d multiprocessors\n", h[0], h[63], p.name, p.major, p.minor, p.multiProcessorCount);
    return cudaFree(d);
}
END
# The script in nvcc's place notes its words, one line a call, and makes the object by clang.
mkdir -p "$scratch/cuda/bin"
cat >"$scratch/cuda/bin/nvcc" <<END
#!/bin/sh
echo "\$*" >>'$scratch/calls'
for word; do
    shift
    case "\$word" in -no-compress | -gencode=* | -include | */lockstep_abi.h) ;; *) set -- "\$@" "\$word" ;; esac
done
exec env -u LOCKSTEP_FRONT '$tools/lockstep-nvcc' "\$@"
END
chmod +x "$scratch/cuda/bin/nvcc"
CUDA_HOME=$scratch/cuda LOCKSTEP_FRONT=nvcc LOCKSTEP_DEVICE=sim:h200
export CUDA_HOME LOCKSTEP_FRONT LOCKSTEP_DEVICE

"$tools/lockstep-nvcc" -O2 -std=c++17 -Wall "$scratch/add.cu" -o "$scratch/add" >"$scratch/out" 2>&1 && "$scratch/add" >>"$scratch/out" 2>&1
expect_some 'a program by nvcc alone' "$(cat "$scratch/out")" '^1 2 on NVIDIA H200, 9\.0, 132 multiprocessors$'
expect_some 'lockstep run' "$("$tools/lockstep" run "$scratch/add.cu" --device sim:t4 2>&1)" '^1 2 on Tesla T4, 7\.5, 40 multiprocessors$'
expect_some 'its PTX' "$("$tools/lockstep-nvcc" -ptx "$scratch/add.cu" -o "$scratch/add.ptx" && cat "$scratch/add.ptx")" '^// source: .*/add\.cu$'
expect_some 'who compiles' "$("$tools/lockstep-nvcc" --version)" 'by nvcc'
expect_some 'device code of several files needs clang' "$("$tools/lockstep-nvcc" -rdc=true "$scratch/add.cu" -o "$scratch/rdc" 2>&1)" '^lockstep-nvcc: -rdc=true needs clang'
[ ! -e "$scratch/calls" ] ||
    expect_some 'what nvcc is asked for' "$(head -n 1 "$scratch/calls")" '^-gencode=arch=compute_75,code=compute_75 -lineinfo -include [^ ]*/lockstep_abi\.h .*-no-compress -Xcompiler -fPIC -O2 -c '
# Its options, from those of lockstep-nvcc.
asked() { "$tools/lockstep-nvcc" -dryrun -c "$@" "$scratch/add.cu" 2>&1 | grep -e -gencode=; }
expect_some 'nvcc is asked for the newest architecture, and for the words of the host compiler' "$(asked -gencode arch=compute_80,code=[sm_80,sm_90] -G -Xcompiler -Wall,-Wextra)" \
    'nvcc -gencode=arch=compute_90,code=compute_90 -G .* -Xcompiler -Wall -Xcompiler -Wextra '
expect_some 'nvcc is asked how to compute' "$(asked -prec-sqrt=false -prec-div=false -ftz=true -fmad=false)" \
    ' -fmad=false -ftz=true -prec-div=false -prec-sqrt=false '
expect_some 'nvcc is asked for fast maths' "$(asked -use_fast_math)" ' -use_fast_math '
expect_none 'nvcc is not asked for what is usual' "$(asked | grep -E 'fmad|ftz|prec-|fast')"
# The kit's own link to lockstep-nvcc is no nvcc.
mkdir -p "$scratch/ours/bin" && ln -s "$tools/lockstep-nvcc" "$scratch/ours/bin/nvcc"
if [ -e "$scratch/calls" ]; then
    expect_some 'lockstep-nvcc is not its own nvcc' "$(CUDA_HOME=$scratch/ours "$tools/lockstep-nvcc" -c "$scratch/add.cu" -o "$scratch/add.o" 2>&1)" 'nvcc is not found'
fi

# What nvcc's objects hold: a container with other entries before the PTX, and a launch by a handle.
cat >"$scratch/container.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { unsigned x, y, z; } dim3;
struct fat { int magic, version; const char *data; void *unused; };
void **__cudaRegisterFatBinary(const struct fat *);
int __cudaRegisterFunction(void **, const void *, char *, const char *, int, void *, void *, void *, void *, int *);
void __cudaRegisterFatBinaryEnd(void **);
int __cudaGetKernel(void **, const void *);
int __cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);
int lockstepProperty(int, const char *, void *, size_t);
int cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaMemset(void *, int, size_t);
static char data[1 << 20];
static int stub;
static size_t entry(size_t at, unsigned short kind, const char *body, unsigned long long bytes)
{
    unsigned short head[2] = {kind, 0x101};
    unsigned header = 72;
    memcpy(data + at, head, 4), memcpy(data + at + 4, &header, 4), memcpy(data + at + 8, &bytes, 8);
    memcpy(data + at + header, body, bytes);
    return at + header + bytes;
}
int main(int argc, char **argv)
{
    static char ptx[1 << 19];
    FILE *f = fopen(argv[argc - 1], "r");
    size_t n = fread(ptx, 1, sizeof ptx - 1, f), end = entry(entry(16, 2, "machine code", 16), 1, ptx, n + 1);
    unsigned magic = 0xBA55ED50;
    unsigned short head[2] = {1, 16};
    unsigned long long bytes = end - 16;
    memcpy(data, &magic, 4), memcpy(data + 4, head, 4), memcpy(data + 8, &bytes, 8);
    struct fat fat = {0x466243b1, 1, data, NULL};
    void **handle = __cudaRegisterFatBinary(&fat), *kernel = NULL;
    __cudaRegisterFunction(handle, &stub, "", "_Z3addPfi", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    float *d, h[64] = {7};
    int count = 64;
    void *args[] = {&d, &count};
    cudaMalloc((void **)&d, sizeof h), cudaMemset(d, 0, sizeof h);
    int got = __cudaGetKernel(&kernel, &stub);
    int ran = __cudaLaunchKernel(kernel, (dim3){2, 1, 1}, (dim3){32, 1, 1}, args, 0, NULL);
    cudaMemcpy(h, d, sizeof h, 2);
    int warp = 0, none = lockstepProperty(0, "none", &warp, sizeof warp);
    int member = lockstepProperty(0, "warpSize", &warp, sizeof warp);
    return printf("%d %d %g, %d %d %d\n", got, ran, h[0], none, member, warp), 0;
}
END
gcc "$scratch/container.c" -L"$tools" -llockstep-cudart -Wl,-rpath,"$tools" -o "$scratch/container" >"$scratch/out" 2>&1 &&
    "$scratch/container" "$scratch/add.ptx" >>"$scratch/out" 2>&1
expect_some 'PTX in a container, a launch by a handle, properties by name' "$(cat "$scratch/out")" '^0 0 0, -1 0 32$'
finish
