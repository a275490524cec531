#!/bin/sh
# programs_told.sh - what whole programs get beside their output: faults, errors of calls, the report, the timeline; lockstep run,
# make install, and what programs of other times and NVIDIA's samples need.

. tests/lib.sh
nvcc=$(cd "$BUILD" && pwd)/lockstep-nvcc
lockstep=$(cd "$BUILD" && pwd)/lockstep
export LOCKSTEP_DEVICE=sim:h200

# A kernel's text is not cut, however much it is.
printf '#include <cstdio>\n__global__ void k() { printf("%%150d\\n", threadIdx.x); }\nint main() { k<<<1, 512>>>(); cudaDeviceSynchronize(); }\n' >"$scratch/much.cu"
expect_some 'a kernel that prints 77 KB' "$("$lockstep" run "$scratch/much.cu" --quiet | wc -lc | xargs)" '^512 77312$'

# Faults, unknown calls and options, and missing files are reported in one line each.
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
expect_some 'the report names what was never freed' "$(cd "$scratch" && LOCKSTEP_REPORT=1 ./wrong 2>&1)" '^  sums: 40 bytes, from .*wrong.cu:5'
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
"$nvcc" "$scratch/race.cu" -o "$scratch/race" && "$scratch/race" >"$scratch/out" 2>&1
expect_some 'a race: told, and the program goes on as if each launch had run once' "$(cat "$scratch/out")" '^cudaSuccess, 2 launches$'
expect_some 'a race: told once a line' "$(grep -c 'warning: .*race.cu:6: ' "$scratch/out")" '^1$'
expect_some 'a race: stops the program if asked to' "$(LOCKSTEP_CHECK=stop "$scratch/race" 2>&1)" '^cudaErrorLaunchFailure'
# Options in the forms that Makefiles and CMake write.
mkdir "$scratch/forms" "$scratch/forms/objects"
printf '#include <cstdio>\nextern "C" int two(int *);\n#include "add.h"\n__global__ void k(int *p) { *p = ADD + B; }\nint main() {\n    int *p, h = 0;\n    cudaMalloc(&p, 4);\n    k << <1, 1>> >(p);\n    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);\n    std::printf("%%d\\n", h + two(&h));\n}\n' >"$scratch/forms/a.cu"
printf 'int two(int *new) { return *new ? 2 : 0; }\n' >"$scratch/forms/b.c"
mkdir "$scratch/forms/with blank" && echo '#define ADD 7' >"$scratch/forms/with blank/add.h"
printf -- '-I"with blank"\n-DB=1 -O 3\n' >"$scratch/forms/words.rsp"
forms() { (cd "$scratch/forms" && "$nvcc" --options-file words.rsp -std=c++14 -Xcompiler "-Wall -fPIC" "$@" 2>&1); }
expect_some 'options: a file of options, two words for the compiler, C beside CUDA' "$(forms a.cu b.c -o ab; "$scratch/forms/ab")" '^10$'
forms -odir objects -c a.cu && forms a.cu -ptx -odir objects && forms -cuda a.cu
expect_some 'options: what -odir, -ptx and -cuda leave' "$(cd "$scratch/forms" && echo objects/* ./*.ii)" '^objects/a.o objects/a.ptx ./a.cu.cpp.ii$'
expect_some 'options: -M names the target' "$(forms -M -MT out/a.o a.cu | head -n 1)" '^out/a.o:'
# Calls that are wrong return an error; what is right after them goes on.
cat >"$scratch/wrong calls.cu" <<'END'
#include <cstdio>
#include <cstring>
__global__ void refused(int **p) { *p = (int *)malloc(4); asm volatile("griddepcontrol.wait;"); }
__global__ void fine(int *p) { *p = 5; }
int main() {
    int *p, *second, five = 0, h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
    size_t before, after, all;
    cudaMemPool_t pool;
    cudaMemGetInfo(&before, &all);
    cudaMalloc(&p, 512), cudaMalloc(&second, 512);
    cudaMemGetInfo(&after, &all);
    std::printf("%d bytes used\n", (int)(before - after));
    refused<<<1, 1>>>(0);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    fine<<<1, 1>>>(p);
    cudaMemcpy(&five, p, 4, cudaMemcpyDeviceToHost);
    std::printf("%d %s\n", five, cudaGetErrorName(cudaGetLastError()));
    int *m;
    cudaMallocManaged(&m, 4096);
    static char large[1 << 20];
    cudaError_t row = cudaMemcpy2D(p, 16, NULL, 16, 16, 2, cudaMemcpyHostToDevice),
                past = cudaMemcpy(m, large, sizeof large, cudaMemcpyDefault);
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaError_t none = cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)0, h);
    std::printf("%s %s %s\n", cudaGetErrorName(row), cudaGetErrorName(past), cudaGetErrorName(none));
    cudaArray_t a;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<int>();
    cudaMallocArray(&a, &d, 4, 2);
    cudaMemcpyToArray(a, 0, 0, h, 24, cudaMemcpyHostToDevice);
    cudaMemcpyFromArray(back, a, 0, 0, 24, cudaMemcpyDeviceToHost);
    std::printf("%d..%d %d\n", back[0], back[5], back[6]);
}
END
"$nvcc" "$scratch/wrong calls.cu" -o "$scratch/wrong_calls" && LOCKSTEP_REPORT=1 "$scratch/wrong_calls" >"$scratch/out" 2>&1
expect_some 'memory that is used' "$(cat "$scratch/out")" '^1024 bytes used$'
expect_some 'a kernel that is refused stops no other' "$(cat "$scratch/out")" '^cudaErrorInvalidDeviceFunction$'
expect_some 'a kernel after one that is refused' "$(cat "$scratch/out")" '^5 cudaSuccess$'
expect_some 'copies that are wrong return an error' "$(cat "$scratch/out")" '^cudaErrorInvalidValue cudaErrorInvalidValue cudaErrorInvalidValue$'
expect_some 'bytes of an array that end within a row' "$(cat "$scratch/out")" '^1..6 0$'
expect_some 'two calls in one line: each has its name' "$(cat "$scratch/out")" '^  second: 512 bytes, from .*calls.cu:10$'
expect_some 'the report: a launch by its name' "$(cat "$scratch/out")" 'cudaLaunchKernel 2'
expect_some 'an array that was never freed' "$(cat "$scratch/out")" 'cudaArray: '
# CUDA 12 has no texture references any more, so there is no output of an H200 to compare with.
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

# lockstep run: builds and runs in one go; the program's words, its exit status, and the report.
cat >"$scratch/words.cu" <<'END'
#include <cstdio>
#include "three.h"
__global__ void fill(int *p) { p[threadIdx.x] = NUMBER; }
int main(int argc, char **argv)
{
    int *d, h = 0, sms;
    cudaMalloc(&d, 4);
    fill<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    std::printf("%d on %d, %s\n", h, sms, argc > 2 ? argv[2] : "nothing");
    return THREE;
}
END
mkdir "$scratch/include"
echo '#define THREE 3' >"$scratch/include/three.h"
"$lockstep" run "$scratch/words.cu" -I "$scratch/include" -DNUMBER=7 --device sim:t4 -- --one 'two words' >"$scratch/out" 2>"$scratch/said"
expect_some "lockstep run: the program's exit status" "$?" '^3$'
expect_some "lockstep run: -I, -D, --device, and the program's words" "$(cat "$scratch/out" "$scratch/said")" '^7 on 40, two words$'
expect_some 'lockstep run: the report' "$(cat "$scratch/said")" '^lockstep: times are modelled for Tesla T4'
(cd "$scratch" && "$nvcc" -Iinclude -DNUMBER=8 words.cu -o words && "$lockstep" run words --quiet) >"$scratch/out" 2>"$scratch/said"
expect_some 'lockstep run: a program that is built already' "$(cat "$scratch/out")" '^8 on 132, nothing$'
expect_none 'lockstep run: --quiet' "$(cat "$scratch/said")"
"$lockstep" run "$scratch/words.cu" -rdc true -t 2 --std c++17 --define-macro NUMBER=9 --include-path="$scratch/include" --quiet >"$scratch/out" 2>"$scratch/said"
expect_some "lockstep run: lockstep-nvcc's other options" "$(cat "$scratch/out" "$scratch/said")" '^9 on 132, nothing$'
expect_some 'lockstep run: a word without --' "$("$lockstep" run "$scratch/words.cu" -O3 1024 2>&1)" '1024: there is no such file; .* arguments follow --'
expect_some 'lockstep run: an option that makes no program' "$("$lockstep" run tests/programs/axpy.cu -ptx 2>&1)" '^lockstep: these options make no program'
gcc -D_GNU_SOURCE -o "$scratch/json" tests/json.c -ljansson || exit 1
"$lockstep" run tests/programs/streams.cu --trace "$scratch/trace.json" >"$scratch/out" 2>"$scratch/said"
expect_some 'the timeline: JSON with the five rows, sixteen pieces of work and the name of the GPU' \
    "$("$scratch/json" traceEvents.# traceEvents.0.args.name traceEvents.2.args.name traceEvents.21.args.name <"$scratch/trace.json" 2>&1 | xargs)" \
    '^22 default stream stream 2 NVIDIA H200$'
# overlaps PATTERN: pieces of work, of a row of the timeline or of copies in one direction, that begin before the previous one ends.
overlaps() {
    grep "$1" "$scratch/trace.json" | sed 's/.*"ts":\([0-9.]*\),"dur":\([0-9.]*\).*/\1 \2/' | sort -n |
        awk '$1 + 0.002 < end || $2 <= 0 { print "at " $1 " us" } { end = $1 + $2; n++ } END { if (n < 4) print n " pieces of work" }'
}
expect_none 'the timeline: copies to the device follow each other' "$(overlaps HtoD)"
expect_none 'the timeline: so do copies back' "$(overlaps DtoH)"
for row in 1 2 3 4; do expect_none "the timeline: stream $row is in order" "$(overlaps "\"X\".*\"tid\":$row,")"; done
expect_some 'the timeline: a file that cannot be written' "$(LOCKSTEP_TRACE="$scratch/none/t.json" "$scratch/words" 2>&1)" '^lockstep: LOCKSTEP_TRACE: .*none/t.json'
expect_none 'the report fits 80 columns' "$(awk 'length > 80' "$scratch/said")"
expect_some 'lockstep run: what does not compile' "$("$lockstep" run "$scratch/unknown.cu" 2>&1)" 'unknown.cu:2:.*cudaNoSuchCall'

# make install: nothing knows where it was built; the folder is moved, and all of it still works.
built="-o $BUILD/lockstep -o $BUILD/lockstep-nvcc -o $BUILD/liblockstep-cudart.so -o $BUILD/liblockstep-cublas.so -o $BUILD/liblockstep-cufft.so BUILD=$BUILD DESTDIR=$scratch/stage PREFIX=/usr"
# shellcheck disable=SC2086 # words
make $built install >"$scratch/said" 2>&1 || fail 'make install' "$(cat "$scratch/said")"
mkdir "$scratch/home" && mv "$scratch/stage/usr" "$scratch/moved"
expect_none 'installed: nothing names the folder it was built in' "$(grep -rlF "$(pwd)" "$scratch/moved")"
cp tests/programs/axpy.cu "$scratch/axpy.cu"
installed() { (cd "$scratch" && env -u XDG_CACHE_HOME HOME="$scratch/home" PATH="$scratch/moved/bin:$PATH" "$@" 2>&1); }
expect_some 'installed: lockstep-nvcc' "$(installed lockstep-nvcc axpy.cu -o axpy; installed ./axpy)" '^31 31, 10000 hits$'
expect_some 'installed: lockstep run' "$(installed lockstep run axpy.cu)" '% .* axpy<float>$'
axpy='axpy.cu --kernel axpy<float> --grid 4 --block 256 i32:1024 f32:2 buf:f32:1024 buf:f32:1024'
# shellcheck disable=SC2086 # words
expect_some 'installed: lockstep profile' "$(installed lockstep profile $axpy)" '^modelled time'
# shellcheck disable=SC2086 # words
expect_some 'installed: lockstep step' "$(installed lockstep step $axpy --html page.html; cat "$scratch/page.html")" '</html>'
expect_some 'installed: lockstep studio says what it needs' "$(installed lockstep studio --student my)" 'needs a clone of Lockstep: type make studio there$'
expect_none 'installed: lockstep studio makes no folder' "$(ls -d "$scratch/my" 2>/dev/null)"
expect_some 'installed: what is kept goes to the folder for that' "$(ls "$scratch/home/.cache/lockstep")" '^cache$'
cp -R "$scratch/moved" "$scratch/stage/usr" && touch "$scratch/stage/usr/lib/another"
# shellcheck disable=SC2086 # words
make $built uninstall >"$scratch/said" 2>&1
expect_some 'make uninstall removes what was installed, and no more' "$(find "$scratch/stage/usr" -type f | xargs)" "^$scratch/stage/usr/lib/another$"

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
"$nvcc" "$scratch/leave.cu" -o "$scratch/leave"
expect_some 'threads that return before a barrier: the others go on' "$("$scratch/leave" 2>&1)" '^199 0$'
expect_some 'threads that return before a barrier: told if asked for' "$(LOCKSTEP_CHECK=stop "$scratch/leave" 2>&1)" 'leave.cu:7: .*never reaches'

# The helpers of NVIDIA's samples, which CUDA itself does not bring.
cat >"$scratch/helpers.cu" <<'END'
#include <helper_cuda.h>
#include <helper_functions.h>
#include <nvToolsExt.h>
int main(int argc, char **argv) {
    const char *words[] = {argv[0], "-size=3", "--name=box", "-check"};
    char *name = nullptr;
    getCmdLineArgumentString(4, words, "name", &name);
    StopWatchInterface *timer = nullptr;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    nvtxRangePush("helpers");
    checkCudaErrors(cudaDeviceSynchronize());
    nvtxRangePop();
    sdkStopTimer(&timer);
    printf("%d %s %d %d %d\n", getCmdLineArgumentInt(4, words, "size"), name, checkCmdLineFlag(4, words, "check"),
        checkCmdLineFlag(argc, (const char **)argv, "none"), sdkGetTimerValue(&timer) > 0);
    sdkDeleteTimer(&timer);
    checkCudaErrors(cudaSetDevice(9));
}
END
"$nvcc" "$scratch/helpers.cu" -o "$scratch/helpers" && "$scratch/helpers" >"$scratch/out" 2>&1
expect_some "the samples' helpers" "$(cat "$scratch/out")" '^3 box 1 0 1$'
expect_some "the samples' helpers: a call that fails" "$(cat "$scratch/out")" 'helpers.cu:18 code=101\(cudaErrorInvalidDevice\)'
cat >"$scratch/vectors.cu" <<'END'
#include <helper_math.h>
#include <stdio.h>

// the program's own operator comes first
static inline __host__ __device__ int2 operator+(int2 a, int2 b) { return make_int2(a.x - b.x, a.y - b.y); }

static __host__ __device__ void all(float4 *out)
{
    float3 a = make_float3(1, 2, 3), b = make_float3(0.5f);
    float4 v = make_float4(a, 4), w = -v * 2 + 1;
    w += v, w /= 2.0f;
    int3 whole = clamp(make_int3(a * 2.6f), 3, 6);
    out[0] = w;
    out[1] = make_float4(cross(a, b), dot(a, b));
    out[2] = make_float4(normalize(make_float3(3, 0, 4)), length(make_float2(3, 4)));
    out[3] = make_float4(max(min(a, make_float3(2.5f)), b + b), fracf(2.75f));
    out[4] = lerp(v, 8 - v, 0.25f);
    out[5] = make_float4(make_float3(whole), (float)(make_int2(5) + make_int2(3)).x);
    out[6] = make_float4(reflect(a, make_float3(0, 1, 0)), 1 / dot(v, v) > 0);
    out[7] = make_float4(floorf(fabs(-a * 1.5f)), (float)(make_uint2(7u) * 6u).y);
}
__global__ void in_kernel(float4 *out) { all(out); }

int main()
{
    float4 host[8], device[8], *d;
    all(host);
    cudaMalloc(&d, sizeof device);
    in_kernel<<<1, 1>>>(d);
    cudaMemcpy(device, d, sizeof device, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) printf("%g %g %g %g %g,", device[i].x, device[i].y, device[i].z, device[i].w, length(device[i] - host[i]));
}
END
"$nvcc" -O2 "$scratch/vectors.cu" -o "$scratch/vectors" && "$scratch/vectors" >"$scratch/out" 2>&1
expect_some "the samples' helpers: vectors, in a kernel as on the host" "$(cat "$scratch/out")" \
    '^0 -0\.5 -1 -1\.5 0,-0\.5 1 -0\.5 3 0,0\.6 0 0\.8 5 0,1 2 2\.5 0\.75 0,2\.5 3 3\.5 4 0,3 5 6 2 0,1 -2 3 1 0,1 3 4 42 0,$'
# What a kernel, too, may call of the runtime: the names of errors, and its own last one.
cat >"$scratch/named.cu" <<'END'
#include <cstdio>
__global__ void named(cudaError_t e)
{
    printf("%s: %s; %s, %s\n", cudaGetErrorName(e), cudaGetErrorString(e), cudaGetErrorName(cudaGetLastError()), cudaGetErrorString((cudaError_t)4321));
}
int main()
{
    named<<<1, 1>>>(cudaErrorInvalidValue);
    return cudaDeviceSynchronize();
}
END
expect_some 'errors by name in a kernel' "$("$nvcc" "$scratch/named.cu" -o "$scratch/named" && "$scratch/named" 2>&1)" \
    '^cudaErrorInvalidValue: invalid argument; cudaSuccess, unrecognized error code$'
# Kernels that launch kernels: what is refused.
cat >"$scratch/nested.cu" <<'EOF'
#include <stdio.h>
__global__ void none() {}
__global__ void deep(int n) { if (n) deep<<<1, 1>>>(n - 1); }
__global__ void many() { for (int i = 0; i < 3000; i++) none<<<1, 1>>>(); }
__global__ void wide() { none<<<1, 2000>>>(); }
int main()
{
    deep<<<1, 1>>>(40);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    many<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    wide<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
EOF
"$nvcc" -rdc=true "$scratch/nested.cu" -o "$scratch/nested" 2>"$scratch/said" && "$scratch/nested" >"$scratch/out" 2>>"$scratch/said"
expect_some 'nested launches: errors' "$(tr '\n' ' ' <"$scratch/out")" '^cudaErrorLaunchMaxDepthExceeded cudaErrorLaunchPendingCountExceeded cudaErrorInvalidConfiguration $'
expect_some 'nested launches: too deep' "$(cat "$scratch/said")" '^lockstep: deep launches kernels deeper than 24 levels$'
expect_some 'nested launches: too many' "$(cat "$scratch/said")" '^lockstep: many launches 3000 kernels; 2048 are possible$'
expect_some 'nested launches: a shape' "$(cat "$scratch/said")" '^lockstep: none, which wide launches: invalid configuration argument$'
printf '__global__ void none() {}\n__global__ void waits() { none<<<1, 1>>>(); cudaDeviceSynchronize(); }\nint main() { return cudaDeviceSynchronize(); }\n' >"$scratch/waits.cu"
expect_some 'nested launches: no waiting in a kernel' "$("$nvcc" -rdc=true "$scratch/waits.cu" -o "$scratch/waits" 2>&1)" 'waits.cu:2:.* a kernel cannot wait for kernels that it launches'
# Blocks in another order: each runs once, and the same number gives the same order.
cat >"$scratch/order.cu" <<'EOF'
#include <stdio.h>
__global__ void say() { printf("%d ", blockIdx.x); }
__global__ void last(int *who) { *who = blockIdx.x; }
int main()
{
    int *who;
    say<<<20, 1>>>();
    cudaMallocManaged(&who, sizeof *who);
    last<<<20, 1>>>(who);
    cudaDeviceSynchronize();
    printf("\n%d\n", *who);
}
EOF
"$nvcc" "$scratch/order.cu" -o "$scratch/order" 2>"$scratch/said"
for order in '' random:7 random:7 random:8; do LOCKSTEP_ORDER=$order "$scratch/order" 2>/dev/null; done >"$scratch/out"
line() { sed -n "$1p" "$scratch/out"; }
expect_some 'blocks in the order of the grid' "$(line 1)" '^0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 $'
for run in 3 5 7; do
    expect_some "blocks in another order: line $run has all" "$(line $run | tr ' ' '\n' | sort -n | uniq -c | grep -c '^ *1 [0-9]')" '^20$'
done
# Without an order the blocks of a launch run on several threads, so any of them may be the last to write.
for run in 3 5 7; do
    expect_some "blocks in another order: line $run ends with the block that wrote last" "$(line $run)" " $(line $((run + 1))) \$"
done
if [ "$(line 3)" = "$(line 5)" ] && [ "$(line 3)" != "$(line 1)" ] && [ "$(line 3)" != "$(line 7)" ]; then
    pass 'another order by another number'
else
    fail 'another order by another number' "$(cat "$scratch/out")"
fi
expect_some 'an order that is none' "$(build/lockstep run "$scratch/order" --order shuffled 2>&1)" '^.*--order shuffled: random: and a number from 1 on, such as random:7$'
finish
