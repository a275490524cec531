#!/bin/sh
# programs_checks.sh - what the checks say of whole programs: they report what is wrong and nothing else, and the program goes
# on as on a GPU.

. tests/lib.sh
nvcc=$(cd "$BUILD" && pwd)/lockstep-nvcc
lockstep=$(cd "$BUILD" && pwd)/lockstep
export LOCKSTEP_DEVICE=sim:h200

# run NAME: build and run NAME.cu, which stdin holds; leaves its stdout in $out, stderr in $said.
run() {
    { echo '#include <cstdio>'; cat; } >"$scratch/$1.cu"
    "$nvcc" "$scratch/$1.cu" -o "$scratch/$1" >"$scratch/build" 2>&1 || fail "$1 builds" "$(cat "$scratch/build")"
    out=$("$scratch/$1" 2>"$scratch/said")
    said=$(cat "$scratch/said")
}

# ---- unwritten memory ----

run used <<'END_CU'
struct padded { char c; double d; };
__global__ void fields(padded *p) { p[threadIdx.x].c = 1, p[threadIdx.x].d = 2; }
__global__ void copy(const padded *p, padded *q, const float *x, float *y)
{
    q[threadIdx.x] = p[threadIdx.x];
    y[threadIdx.x] = x[threadIdx.x];
}
__global__ void tail(const float4 *x, float *y, int n)
{
    float4 v = *x;
    *y = (n > 0 ? v.x : 0) + (n > 1 ? v.y : 0) + (n > 2 ? v.z : 0) + (n > 3 ? v.w : 0);
}
__global__ void twice(const float *x, float *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
int main()
{
    padded *p, *q;
    float *x, *y, h[2] = {1, 2};
    cudaMalloc(&p, 32 * sizeof *p), cudaMalloc(&q, 32 * sizeof *q);
    cudaMalloc(&x, 128), cudaMalloc(&y, 128);
    fields<<<1, 32>>>(p);
    copy<<<1, 32>>>(p, q, x, y);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    tail<<<1, 1>>>((float4 *)x, y, 2);
    twice<<<1, 32>>>(x, y);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%g %g %s\n", h[0], h[1], cudaGetErrorName(cudaGetLastError()));
}
END_CU
expect_some 'unwritten: a use is told, and the program goes on' "$out" '^2 4 cudaSuccess$'
expect_some 'unwritten: the use' "$said" 'warning: .*used.cu:14: .*thread \(2,0\) reads x\[2\], which nothing has written'
expect_some 'unwritten: padding, copies and tails are silent' "$(echo "$said" | grep -c 'warning:')" '^1$'
expect_some 'the list at the end: the line, how often, what' "$said" '^ +30 x  .*used.cu:14  reads memory that nothing fills$'
expect_some 'unwritten: stops if asked to' "$(LOCKSTEP_CHECK=stop "$scratch/used" 2>&1)" ' cudaErrorLaunchFailure$'

run shared_unwritten <<'END_CU'
__global__ void late(int *o) {
    __shared__ int s[64];
    int x = s[63 - threadIdx.x] + 1;
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x] + x;
}
__global__ void never(int *o) {
    __shared__ int s[65];
    s[threadIdx.x] = 1;
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x + 1] + 1;
}
int main()
{
    int *o, h[64];
    cudaMalloc(&o, sizeof h);
    late<<<2, 64>>>(o);
    never<<<1, 64>>>(o);
    std::printf("%s\n", cudaGetErrorName(cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost)));
}
END_CU
expect_some 'shared memory: goes on' "$out" '^cudaSuccess$'
expect_some 'shared memory: filled too late' "$said" 'shared_unwritten.cu:4: .*reads s\[63\], which is filled only behind a later'
expect_some 'shared memory: never filled' "$said" 'shared_unwritten.cu:14: .*reads s\[64\], which no thread of the block ever fills'

# ---- races ----

run lanes <<'END_CU'
template <class T> __global__ void last_warp(const float *x, float *out)
{
    __shared__ float s[64];
    T *p = s;
    int t = threadIdx.x;
    p[t] = x[t];
    __syncthreads();
    if (t < 32)
        for (int d = 32; d; d /= 2) p[t] += p[t + d];
    if (t == 0) *out = p[0];
}
__global__ void well(const float *x, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x, same;
    s[t] = x[t];
    __syncthreads();
    for (int d = 32; d; d /= 2) {
        float v = t < d ? s[t + d] : 0;
        __syncwarp();
        if (t < d) s[t] += v;
        __syncwarp();
    }
    same = __ballot_sync(~0u, t) != 0;
    s[63] = same;
    if (t < 32) s[t] = t, s[t] = __shfl_xor_sync(~0u, s[t ^ 1], 1);
    *out = s[0];
}
int main()
{
    float h[64] = {1}, *x, *o;
    cudaMalloc(&x, sizeof h), cudaMalloc(&o, 4);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    last_warp<volatile float><<<1, 64>>>(x, o);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END_CU
expect_some 'lanes of one warp: told, volatile or not' "$said" 'lanes.cu:10: .* reads s\[16\], which thread \(16,0\) of its warp wrote in line 10, with no __syncwarp\(\) between the two: a race'
expect_none 'lanes of one warp before 7.0 run together' "$(LOCKSTEP_DEVICE=sim:p100 "$scratch/lanes" 2>&1 | grep race)"

run atomics <<'END_CU'
__global__ void adds(int *bins) { bins[threadIdx.x % 2] += 1; }
template <bool SYNC> __global__ void mixed(int *out)
{
    __shared__ int n, most;
    if (threadIdx.x == 0) n = most = 0;
    __syncthreads();
    if (threadIdx.x > most) atomicMax(&most, threadIdx.x);
    atomicAdd(&n, 1);
    if (SYNC) __syncthreads();
    out[threadIdx.x] = n;
}
__global__ void locked(int *n)
{
    int old = *n, seen;
    do seen = old, old = atomicCAS(n, seen, seen + 1);
    while (old != seen);
}
__global__ void same(int *changed)
{
    __shared__ int any;
    any = 1;
    *changed = any;
}
int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    adds<<<1, 8>>>(p);
    mixed<false><<<1, 64>>>(p);
    mixed<true><<<1, 64>>>(p);
    cudaMemset(p, 0, 4096);
    locked<<<2, 64>>>(p);
    same<<<3, 64>>>(p);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END_CU
expect_some 'bins[i] += 1 by lanes of one warp: an atomicAdd is named' "$said" 'atomics.cu:2: .* writes p\[0\].* read in line 2.*an atomicAdd\(\) does that in one step'
expect_some 'a plain read against an atomic sum' "$said" 'atomics.cu:(9|11): .* n, which thread .* in line (9|11), '
expect_some 'silent: barriers, atomics after a look, equal values' "$(echo "$said" | grep -c 'warning:')" '^[23]$'
expect_none 'silent: no other line' "$(echo "$said" | grep 'warning:' | grep -v 'atomics.cu:\(2\|9\|11\):')"

# ---- races of blocks ----

run blocks <<'END_CU'
__global__ void adds(int *sum) { if (threadIdx.x == 0) *sum += 1; }
__global__ void zero(int *sum) { if (blockIdx.x == 0 && threadIdx.x == 0) *sum = 0; atomicAdd(sum, 1); }
__global__ void shift(int *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = p[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}
__global__ void silent(int *p, int *more, int *table, int *most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = i;
    if (i % 2) *more = 1;
    table[threadIdx.x] = threadIdx.x * threadIdx.x;
    __syncthreads();
    p[i] += table[threadIdx.x ^ 1];
    if (p[i] > *most) atomicMax(most, p[i]);
}
int main()
{
    int *p, h[2];
    cudaMalloc(&p, 1 << 16);
    cudaMemset(p, 0, 1 << 16);
    silent<<<8, 32>>>(p, p + 1000, p + 2000, p + 3000);
    cudaMemset(p, 0, 1 << 16);
    adds<<<1000, 32>>>(p);
    zero<<<64, 1>>>(p + 1);
    cudaMemcpy(h, p, 8, cudaMemcpyDeviceToHost);
    shift<<<64, 32>>>(p);
    std::printf("%d %s\n", h[0], cudaGetErrorName(cudaDeviceSynchronize()));
}
END_CU
expect_some 'blocks: of += 1 hardly a change is left, as on a GPU' "$out" '^[0-9]?[0-9] cudaSuccess$'
expect_some 'blocks: += 1' "$said" 'blocks.cu:2: block .* reads and writes, as other blocks do, p\[0\], .* an atomicAdd\(\) does that in one step$'
expect_some 'blocks: set to zero while others add' "$said" 'blocks.cu:3: block .* p\[1\], and blocks run in any order: a race'
expect_some 'blocks: a neighbour reads what another block writes' "$said" 'blocks.cu:7: block .* p\[[0-9]+\], and blocks run in any order: a race'
expect_some 'blocks: silent for one value, for what a block wrote itself, for looks before an atomic' "$(echo "$said" | grep -c 'warning:')" '^3$'

# ---- barriers ----

run barriers <<'END_CU'
__global__ void leave(int *p, int n)
{
    __shared__ int s[64];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[n - 1 - threadIdx.x];
    int v = 1;
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0) p[1] = v;
}
__global__ void two(int *p)
{
    __shared__ int s[64];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = 1;
        __syncthreads();
        p[2] = s[40];
    } else {
        s[threadIdx.x] = p[0] + 1;
        __syncthreads();
        p[3] = s[4] + 1;
    }
}
__global__ void hangs(int *p)
{
    if (threadIdx.x < 32) __syncthreads();
    else while (((volatile int *)p)[4] == 0) ;
}
int main(int argc, char **)
{
    int *p;
    cudaMallocManaged(&p, 256);
    leave<<<1, 64>>>(p, 40);
    two<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    std::printf("%d %d %d %d %s\n", p[0], p[1], p[2], p[3], cudaGetErrorName(cudaGetLastError()));
}
END_CU
expect_some 'barriers: as on a GPU' "$out" '^39 32 40 2 cudaSuccess$'
expect_some 'two barriers in two branches: told' "$said" 'barriers.cu:18: .*waits at another one, in line 22: GPUs let both go on'
expect_some 'a shuffle that reads lanes that have returned: told' "$said" 'barriers.cu:10: .*reads the value of lane 16 .* it has exited'
expect_some 'threads that return before a barrier: silent' "$(echo "$said" | grep -c 'warning:')" '^2$'

run condition <<'END_CU'
template <int N> __global__ void reverse(int *x, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t >= n) return;
    for (int k = 0; k < N; k++) {
        s[t] = x[t];
        __syncthreads();
        x[t] = s[n - 1 - t];
        __syncthreads();
    }
}
__global__ void guarded(int *x, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t < n) {
        s[t] = x[t];
        __syncthreads();
        x[t] = s[n - 1 - t];
    }
}
int main()
{
    int h[100], *d;
    for (int i = 0; i < 100; i++) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    guarded<<<1, 128>>>(d, 100);
    reverse<2><<<1, 128>>>(d, 100);
    guarded<<<1, 128>>>(d, 64);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d %s\n", h[0], cudaGetErrorName(cudaGetLastError()));
}
END_CU
expect_some 'a barrier in a condition: goes on' "$out" '^36 cudaSuccess$'
expect_some 'a barrier in a condition: told, with a thread that leaves it out' "$said" 'condition.cu:20: .*thread \(0,0\) waits at a barrier in a condition, and thread \(100,0\) ends without reaching it'
expect_some 'barriers behind a return: silent' "$(echo "$said" | grep -c 'warning:')" '^1$'

# ---- lanes that take no part in a shuffle ----

run shuffles <<'END_CU'
__global__ void outside(int *p)
{
    int v = threadIdx.x;
    if (threadIdx.x < 4) {
        for (int d = 2; d; d /= 2) v += __shfl_down_sync(15, v, d, 4);
        p[threadIdx.x] = v + __shfl_down_sync(15, v, 8);
    }
}
int main()
{
    int *p;
    cudaMalloc(&p, 256);
    outside<<<1, 32>>>(p);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END_CU
expect_some 'a shuffle that reads a lane outside of its mask' "$said" 'shuffles.cu:7: .*thread \(0,0\) reads the value of lane 8 .* the mask does not name it'
expect_some 'silent: lanes of the mask' "$(echo "$said" | grep -c 'warning:')" '^1$'

# ---- what kernels print ----

run prints <<'END_CU'
__global__ void hello(const char *s) { printf("%s %d\n", s, threadIdx.x); }
int main(int argc, char **)
{
    hello<<<1, 2>>>(nullptr);
    std::printf("launched\n");
    if (argc > 1) cudaDeviceSynchronize();
    std::printf("end\n");
}
END_CU
expect_some 'printf without synchronisation: not shown' "$(echo "$out" | xargs)" '^launched end$'
expect_some 'printf without synchronisation: a word' "$said" '^lockstep: 2 lines that kernels printed: not shown, as on a GPU'
expect_some 'printf is shown when the host waits; a null string' "$("$scratch/prints" wait 2>&1 | xargs)" '^launched \(null\) 0 \(null\) 1 end$'

# ---- calls that fail ----

run calls <<'END_CU'
#include <cstdlib>
__global__ void square(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void single(int *x) { *x = 1; }
template <int N> __global__ void wide(int *x) { x[threadIdx.x] = N; } __constant__ float table[16]; __global__ void look(int *x, int i) { *x = table[i]; }
int main(int argc, char **argv)
{
    int *d, *h = (int *)malloc(4096), n = 100;
    cudaMalloc(&d, n);
    switch (argc > 1 ? argv[1][0] : ' ') {
    case 't': single<<<1, 2048>>>(d); break;
    case 's': wide<3><<<1, 32, 1 << 20>>>(d); break;
    case 'd': cudaMemcpy(h, d, 64, cudaMemcpyHostToDevice); break;
    case 'b': cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice); break;
    case 'f': cudaFree(h); break;
    case 'h': square<<<1, 32>>>(h), cudaDeviceSynchronize(); break;
    case 'e': square<<<1, 100>>>(d), cudaDeviceSynchronize(); break;
    case 'g': square<<<1, 32>>>(d), cudaDeviceSynchronize(); break;
    case 'r': return d[1];
    case 'c': look<<<1, 1>>>(d, 16), cudaDeviceSynchronize(); break;
    case 'l': square<<<1, 2048>>>(d), std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    }
}
END_CU
calls() { "$scratch/calls" "$1" 2>&1; }
expect_some 'a launch that is refused: its line and the limit' "$(calls t)" '^lockstep: .*calls.cu:11: kernel single is not launched: 2048 threads in x; a block has 1 to 1024'
expect_some 'a launch that is refused: shared memory' "$(calls s)" 'calls.cu:12: kernel wide<3> is not launched: 1048576 bytes of shared memory; a block has at most 49152'
expect_some 'a copy the wrong way round' "$(calls d)" '^lockstep: cudaMemcpy: the destination is host memory and the source is device memory d, which is not cudaMemcpyHostToDevice$'
expect_some 'a copy that does not fit' "$(calls b)" '^lockstep: cudaMemcpy: 400 bytes are more than the destination d has: 100$'
expect_some 'an error that nobody looks at' "$(calls f)" '^lockstep: cudaFree returned cudaErrorInvalidValue .*, and the program did not look at it$'
expect_some 'one that is explained is told once' "$(calls l | grep -c .)" '^2$'
expect_some 'a pointer of the host in a kernel' "$(calls h)" "calls.cu:3: .* writes address 0x[0-9a-f]*, which is the host's memory"
expect_some 'bytes for elements' "$(calls e)" 'calls.cu:3: .* writes d\[25\]; d has 25 elements; it was allocated with 100 bytes, and an element has 4: is a sizeof missing\?'
expect_some 'threads beyond the data' "$(calls g)" 'calls.cu:3: .* writes d\[25\]; d has 25 elements; the last block has threads beyond that: is a test such as `if \(i < n\)` missing\?'
expect_some 'an array of constants is counted in its elements' "$(calls c)" 'calls.cu:5: .* reads table\[16\]; table has 16 elements'
expect_some 'a pointer of the device on the host' "$(calls r)" '^lockstep: the host accesses byte 4 of d, which is device memory'

# A pair of halves is one access of 4 bytes, whatever is taken of it.
run pairs <<'END_CU'
#include <cuda_fp16.h>
__global__ void sums(const half *a, float *out, int pitch)
{
    half2 v = *(const half2 *)(a + threadIdx.x * pitch);
    float2 f = __half22float2(v);
    out[threadIdx.x] = __low2float(v) + __high2float(v) + f.x + f.y + __half2float(__low2half(v));
}
int main()
{
    half *a;
    float *out;
    cudaMalloc(&a, 128), cudaMalloc(&out, 16);
    cudaMemset(a, 0, 128);
    sums<<<1, 4>>>(a, out, 8);
    cudaError_t even = cudaDeviceSynchronize();
    sums<<<1, 4>>>(a, out, 7);
    std::printf("%s %s\n", cudaGetErrorName(even), cudaGetErrorName(cudaDeviceSynchronize()));
}
END_CU
expect_some 'half2 at an odd element is misaligned' "$out" '^cudaSuccess cudaErrorMisalignedAddress$'
finish
