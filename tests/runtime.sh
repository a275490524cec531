#!/bin/sh
# runtime.sh - what users of whole programs see beside their output: the profile of a launch, buffers, checks, and what is refused.

. tests/lib.sh
nvcc=$(cd "$BUILD" && pwd)/lockstep-nvcc
lockstep=$(cd "$BUILD" && pwd)/lockstep
export LOCKSTEP_DEVICE=sim:h200
gcc -D_GNU_SOURCE -o "$scratch/json" tests/json.c -ljansson || exit 1
run() { (cd "$scratch" && "$lockstep" run "$@" 2>&1); }

cat >"$scratch/add.cu" <<'EOF'
__global__ void add(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * 2 % n] + i;
}
int main(int argc, char **argv) {
    float *in, *out;
    const int n = 1000;
    cudaMalloc((void **)&in, n * sizeof(float));
    cudaMalloc((void **)&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
    for (int k = 1; k < 4; k++) add<<<4 * k, 256>>>(out, in, n + (k == 3 && argc > 1));
    return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
(cd "$scratch" && "$nvcc" -O2 add.cu -o add)
run add --quiet --profile add:2 >"$scratch/said"
expect_some '--profile: the kernel and its shape' "$(cat "$scratch/said")" '^add.cu: kernel add<<<8, 256>>>$'
expect_some '--profile: the line that costs most' "$(cat "$scratch/said")" '^  add.cu:3 \('
expect_some '--profile: which launch' "$(cat "$scratch/said")" '^launch 2, on sim:h200'
run add --quiet --profile add --html page.html >"$scratch/said"
expect_some '--html: a page of it' "$(tail -n 1 "$scratch/page.html")" '</html>'
expect_some '--profile: no such launch' "$(run add --quiet --profile add:9)" '^lockstep: LOCKSTEP_PROFILE=add:9: there was no such launch.*: add \(3\)$'
expect_some '--recorded: a file of something else' "$(cd "$scratch" && "$lockstep" profile --recorded add.cu 2>&1)" 'add.cu: is no launch that a program of this build has recorded'
# A template's instances share their name: the first launch of that name is profiled, and no other.
cat >"$scratch/named.cu" <<'EOF'
__global__ void adding(int *p) { *p += 1; }
template <typename T> __global__ void add(T *p) { *p += 1; }
int main() {
    int *p;
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    adding<<<1, 1>>>(p), add<<<1, 2>>>(p), add<<<1, 3>>>((unsigned *)p), add<<<1, 4>>>(p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
expect_some '--profile: one launch, of the kernel of that name' "$(run named.cu --quiet --profile add | grep -o 'kernel .*<<<.*' | xargs -d '\n')" '^kernel add<int><<<1, 2>>>$'
run add --quiet --dump out:3 >"$scratch/said"
expect_some '--dump: the launch and the type' "$(cat "$scratch/said")" '^lockstep: out after add<<<\(12,1,1\), \(256,1,1\)>>>: 1000 of float$'
expect_some '--dump: its elements' "$(cat "$scratch/said")" '^ +8: 8 9 10 11 12 13 14 15$'
expect_some '--dump: its end' "$(cat "$scratch/said")" '^ +992: 992 993 994 995 996 997 998 999$'
expect_some '--dump: one launch alone' "$(grep -c ' after ' "$scratch/said")" '^1$'
# --dump shows each element by its declared type, without a launch's number after each launch.
cat >"$scratch/types.cu" <<'EOF'
struct pair { float a, b; };
__global__ void put(double *d, unsigned *u, short *s, pair *p, unsigned char *c, unsigned long long *l) {
    int i = threadIdx.x;
    d[i] = i - 1.123456789, u[i] = i - 1, s[i] = i - 2, p[i].a = 1, p[i].b = 2, c[i] = 254 + i, l[i] = i - 3;
}
int main() {
    double *d;
    unsigned *u;
    short *s;
    pair *p;
    unsigned char *c;
    unsigned long long *l;
    cudaMalloc(&d, 24); cudaMalloc(&u, 12); cudaMalloc(&s, 6); cudaMalloc(&p, 24); cudaMalloc(&c, 3); cudaMalloc(&l, 24);
    for (int k = 0; k < 2; k++) put<<<1, 3>>>(d, u, s, p, c, l);
    return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
(cd "$scratch" && "$nvcc" types.cu -o types)
dumped() { run types --quiet --dump "$1" | sed -n 's/^ *\([0-9.]*\)/\1/; /^[0-9]/p' | xargs; }
expect_some '--dump: doubles, after each launch' "$(dumped d)" '^0: -1.12345679 -0.123456789 0.876543211 0: -1.12345679 -0.123456789 0.876543211$'
expect_some '--dump: unsigned' "$(dumped u:1)" '^0: 4294967295 0 1$'
expect_some '--dump: short' "$(dumped s:1)" '^0: -2 -1 0$'
expect_some '--dump: bytes' "$(dumped c:1)" '^0: 254 255 0$'
expect_some '--dump: unsigned long long' "$(dumped l:2)" '^0: 18446744073709551613 18446744073709551614 18446744073709551615$'
expect_some '--dump: of no type that it knows' "$(dumped p:1)" '^0: 3f800000 40000000 3f800000 40000000 3f800000 40000000$'
expect_none '--dump: there was no third launch' "$(dumped d:3)"
expect_none '--dump: another name' "$(dumped dd)"
run add --quiet --json report.json >"$scratch/said"
expect_some '--json: the report' "$("$scratch/json" device time_is rows.# rows.0.name rows.0.calls api_calls.cudaMalloc never_freed <"$scratch/report.json" 2>&1 | xargs)" '^NVIDIA H200 modelled 2 add 3 2 2$'
expect_some '--check: a word that it does not know' "$(run add --check maybe)" '--check maybe: must be one of: warn stop lenient off$'
expect_some '--limit: no number' "$(run add --limit soon)" '--limit soon: a number of seconds, such as 60$'
expect_some 'an element of the declared type' "$(run add --quiet -- more)" 'add.cu:3: .*thread \(244,0\) reads in\[1000\]; in has 1000 elements'

# Warps that write the same value to a word, and warps that write different ones.
cat >"$scratch/flag.cu" <<'EOF'
#include <cstdio>
__global__ void flag(int *changed, int value) { *changed = value ? value : (int)threadIdx.x / 32; }
int main(int argc, char **argv) {
    int *changed, h = 0;
    cudaMalloc(&changed, 4);
    flag<<<20, 256>>>(changed, argc < 2);
    cudaMemcpy(&h, changed, 4, cudaMemcpyDeviceToHost);
    std::printf("%d %s\n", h, cudaGetErrorName(cudaDeviceSynchronize()));
}
EOF
(cd "$scratch" && "$nvcc" flag.cu -o flag)
expect_some 'the same value from many warps is no race' "$(run flag --quiet)" '^1 cudaSuccess$'
expect_some 'different values are one' "$(run flag --quiet -- different)" 'flag.cu:2: .*writes changed\[0\], which thread \((0|31),0\) wrote.*a race'
expect_some '--check warn' "$(run flag --quiet --check warn -- different)" '^lockstep: warning: flag.cu:2'
expect_none '--check off' "$(run flag --quiet --check off -- different | grep race)"

# The address of a managed variable as an argument.
cat >"$scratch/managed.cu" <<'EOF'
#include <cstdio>
__managed__ int total = 3, list[4] = {1, 2, 3, 4};
__global__ void add(int *to, const int *from, int n) { for (int i = 0; i < n; i++) *to += from[i]; }
int main() {
    add<<<1, 1>>>(&total, list + 1, 3);
    cudaDeviceSynchronize();
    std::printf("%d\n", total);
}
EOF
expect_some 'the address of a managed variable' "$(run managed.cu --quiet)" '^12$'

# Device code of several files: what is defined twice, or nowhere.
echo '__device__ int twice(int x) { return 2 * x; }' >"$scratch/one.cu"
cp "$scratch/one.cu" "$scratch/two.cu"
cat >"$scratch/uses.cu" <<'EOF'
#include <cstdio>
__device__ int twice(int x);
__global__ void k(int *p) { *p = twice(*p); }
int main() {
    int *p, h = 21;
    cudaMalloc(&p, 4);
    cudaMemcpy(p, &h, 4, cudaMemcpyHostToDevice);
    k<<<1, 1>>>(p);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h);
}
EOF
(cd "$scratch" && "$nvcc" -rdc=true -c one.cu && "$nvcc" -rdc true -c two.cu && "$nvcc" -dc uses.cu && "$nvcc" one.o uses.o -o good &&
    "$nvcc" one.o two.o uses.o -o twice && "$nvcc" uses.o -o none)
expect_some 'device code of two files' "$("$scratch/good")" '^42$'
expect_some 'a function that is defined twice' "$("$scratch/twice" 2>&1)" '^lockstep: .*twice.* is defined in two.cu and in one.cu$|is defined in one.cu and in two.cu$'
expect_some 'a function that is defined nowhere: its line' "$("$scratch/none" 2>&1)" 'uses.cu:3: .*twice'
expect_some 'a function that is defined nowhere: the error' "$("$scratch/none" 2>&1)" '^cudaError'

# What each file has for itself under one name: functions, variables, shared memory; a template that both have is one.
for n in 1 2; do
    cat >"$scratch/own$n.cu" <<EOF
/* static: file $n */ static __device__ int step = $n;
static __device__ __noinline__ int more(int x) { return x + 10 * step; }
template <class T> __device__ __noinline__ T half(T x) { return x / 2; }
extern __shared__ int room[];
__global__ void k$n(int *p) { room[0] = more(100); p[0] = half(room[0]); }
int run$n(int *p) { int h; k$n<<<1, 1, 16>>>(p); return cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost) ? -1 : h; }
void set$n(int v) { cudaMemcpyToSymbol(step, &v, 4); }
__global__ void bad$n(int *p) { p[threadIdx.x + 2] = $n; }
void fail$n(int *p) { bad$n<<<1, 1>>>(p), cudaDeviceSynchronize(); }
EOF
done
cat >"$scratch/owner.cu" <<'EOF'
#include <cstdio>
int run1(int *), run2(int *);
void set2(int), fail2(int *);
int main() {
    int *p;
    cudaMalloc(&p, 4);
    std::printf("%d %d", run1(p), run2(p)), set2(7), std::printf(" %d %d\n", run1(p), run2(p));
    fail2(p);
}
EOF
expect_some 'names that each file has for itself' "$(cd "$scratch" && "$nvcc" -rdc=true own1.cu own2.cu owner.cu -o own && ./own 2>&1)" '^55 60 55 85$'
expect_some 'the file of a kernel that is not in the last file' "$(cd "$scratch" && ./own 2>&1)" 'own2.cu:8: .*writes p.2.; p has 1 element'

# A kernel of a long type is named without it, where the program has the C++ library, which knows names.
cat >"$scratch/names.cu" <<'EOF'
#include <new>
template <class A, class B> struct pair { A a; B b; };
namespace { template <class T> __global__ void hidden(T *p) { p[1] = 2; } }
template <class T> __global__ void fill(T *p, int (*)(int)) { p[0] = T(); }
typedef pair<pair<double, unsigned long long>, pair<unsigned long long, pair<double, pair<unsigned long long, double>>>> lengthy;
int main() {
    char *p;
    std::set_new_handler(0);
    cudaMalloc(&p, 256);
    fill<<<1, 1>>>((float *)p, 0), fill<<<1, 1>>>((lengthy *)p, 0), fill<<<1, 1>>>((pair<int, float> *)p, 0), hidden<<<1, 1>>>((int *)p);
    return cudaDeviceSynchronize();
}
EOF
run names.cu 2>"$scratch/said" >&2
expect_some 'names of kernels' "$(awk '/[0-9.]+% / { sub(/.* [0-9.]+[mun]?s  /, ""); print }' "$scratch/said" | LC_ALL=C sort | tr '\n' ';')" \
    '^fill<\.\.>;fill<float>;fill<pair<int, float> ?>;hidden<int>;$'

# The driver's API: what is no PTX, and a call without a context.
printf '#include <cstdio>\n#include <cuda.h>\nint main() {\n    CUmodule m;\n    CUcontext c;\n    cuInit(0);\n    int none = cuModuleLoadData(&m, "cubin");\n    cuCtxCreate(&c, 0, 0);\n    std::printf("%%d %%d %%d\\n", none, cuModuleLoadData(&m, "cubin"), cuModuleLoad(&m, "none.cubin"));\n}\n' >"$scratch/load.cpp"
expect_some 'a module that is no PTX: the errors' "$(run load.cpp --quiet)" '^201 200 301$'
expect_some 'a module that is no PTX: told' "$(run load.cpp --quiet)" '^lockstep: cuModuleLoadData: the image: is no PTX; build it with lockstep-nvcc'
expect_some '-fatbin writes PTX' "$(cd "$scratch" && "$nvcc" -fatbin one.cu && grep -c version one.fatbin)" '^1$'

# NVRTC: source with a header, compiled while the program runs; a template's instance by its name; what the compiler says.
cat >"$scratch/compiles.cpp" <<'EOF'
#include <cstdio>
#include <cuda.h>
#include <nvrtc.h>
int main() {
    nvrtcProgram p, bad;
    const char *header = "#define STEP 3\n", *include = "parts/step.h", *name, *wrong[] = {"--no-such"};
    const char *options[] = {"--gpu-architecture=sm_90", "-DADD=40"};
    nvrtcCreateProgram(&p, "#include <parts/step.h>\ntemplate <class T> __global__ void fill(T *o) { o[0] = STEP * 1.5 + ADD; }\n",
                       "fill.cu", 1, &header, &include);
    nvrtcAddNameExpression(p, "fill<float>");
    std::printf("before %d\n", nvrtcGetLoweredName(p, "fill<float>", &name));
    std::printf("compiled %d\n", nvrtcCompileProgram(p, 2, options));
    std::printf("name %d", nvrtcGetLoweredName(p, "fill<float>", &name));
    std::printf(" %s\n", name);
    size_t bytes;
    nvrtcGetCUBINSize(p, &bytes);
    char *image = new char[bytes], log[4096];
    nvrtcGetCUBIN(p, image);
    nvrtcDestroyProgram(&p);
    CUcontext c;
    CUctxCreateParams none = {};
    CUmodule m;
    CUfunction f;
    CUdeviceptr at;
    float out = 0;
    int grid, block;
    cuInit(0);
    cuCtxCreate(&c, &none, 0, 0);
    cuModuleLoadData(&m, image);
    cuModuleGetFunction(&f, m, "_Z4fillIfEvPT_");
    cuMemAlloc(&at, 4);
    void *args[] = {&at};
    cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, 0);
    cuMemcpyDtoH(&out, at, 4);
    cuOccupancyMaxPotentialBlockSize(&grid, &block, f, 0, 0, 0);
    std::printf("out %g, blocks %d of %d\n", out, grid, block);
    nvrtcCreateProgram(&bad, "__global__ void k() {\n  none();\n}\n", "bad.cu", 0, 0, 0);
    std::printf("option %s\n", nvrtcGetErrorString(nvrtcCompileProgram(bad, 1, wrong)));
    std::printf("source %s\n", nvrtcGetErrorString(nvrtcCompileProgram(bad, 0, 0)));
    nvrtcGetProgramLogSize(bad, &bytes);
    if (bytes <= sizeof log) nvrtcGetProgramLog(bad, log);
    std::printf("%s\n", log);
}
EOF
(cd "$scratch" && "$nvcc" compiles.cpp -o compiles -lnvrtc -lcuda && ./compiles) >"$scratch/said" 2>&1
expect_some 'NVRTC: a name before it is compiled' "$(cat "$scratch/said")" '^before 9$'
expect_some 'NVRTC: source, header and options' "$(cat "$scratch/said")" '^compiled 0$'
expect_some 'NVRTC: the name of a template' "$(cat "$scratch/said")" '^name 0 _Z4fillIfEvPT_$'
expect_some 'NVRTC: what it makes runs; a block of most threads' "$(cat "$scratch/said")" '^out 44.5, blocks 264 of 1024$'
expect_some 'NVRTC: an option that is not there' "$(cat "$scratch/said")" '^option NVRTC_ERROR_INVALID_OPTION$'
expect_some 'NVRTC: an error in the source' "$(cat "$scratch/said")" '^source NVRTC_ERROR_COMPILATION$'
expect_some 'NVRTC: its line by the name of the program' "$(cat "$scratch/said")" '^bad.cu:2:.*none'

# Each thread has a current context of its own.
cat >"$scratch/contexts.cpp" <<'EOF'
#include <cstdio>
#include <cuda.h>
#include <thread>
static CUresult asked() { CUdevice d; return cuCtxGetDevice(&d); }
int main() {
    CUcontext c, popped;
    cuInit(0);
    cuCtxCreate(&c, 0, 0);
    std::thread([&] { int before = asked(); cuCtxPushCurrent(c); std::printf("thread %d %d", before, asked()); cuCtxPopCurrent(&popped); }).join();
    std::printf(" %d", popped == c);
    std::printf(", main %d", asked());
    cuCtxPushCurrent(c);
    cuCtxPopCurrent(&popped);
    std::printf(" %d", asked());
    cuCtxDestroy(c);
    std::printf(" %d\n", asked());
}
EOF
expect_some "a context is a thread's" "$(run contexts.cpp --quiet)" '^thread 201 0 1, main 0 0 201$'

# cuRAND: words that NVIDIA's library gives for seed 1234, and Philox's published answer for a key and a counter of 0.
cat >"$scratch/random.cu" <<'EOF'
#include <cstdio>
#include <curand_kernel.h>
__global__ void draw() {
    curandState s, far;
    curandStatePhilox4_32_10_t p;
    curand_init(1234, threadIdx.x, 0, &s);
    if (threadIdx.x < 3) printf("sequence %d %.6f\n", threadIdx.x, curand_uniform(&s));
    if (threadIdx.x != 3) return;
    curand_init(7, 1ull << 33 | 300, 1000, &s);
    curand_init(7, 300, 0, &far);
    skipahead_sequence(1ull << 33, &far);
    for (int i = 0; i < 1000; i++) curand(&far);
    printf("skip %d\n", curand(&s) == curand(&far));
    curand_init(0, 0, 0, &p);
    uint4 w = curand4(&p);
    printf("philox %08x %08x %08x %08x\n", w.x, w.y, w.z, w.w);
    unsigned next = curand(&p);
    curand_init(0, 0, 4, &p);
    printf("offset %d\n", next == curand(&p));
    double sum = 0, squares = 0;
    for (int i = 0; i < 4000; i++) {
        double x = i & 1 ? curand_normal(&p) : curand_normal_double(&s);
        sum += x, squares += x * x;
    }
    printf("normal %d\n", fabs(sum / 4000) < 0.05 && fabs(squares / 4000 - 1) < 0.1);
}
int main() {
    curandGenerator_t g;
    float *d, h[8], again[2];
    draw<<<1, 4>>>();
    cudaMalloc(&d, sizeof h);
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
    curandGenerateUniform(g, d, 8);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    curandSetGeneratorOffset(g, 4);
    curandGenerateUniform(g, d, 2);
    cudaMemcpy(again, d, sizeof again, cudaMemcpyDeviceToHost);
    for (float x : h) std::printf("%.6f ", x);
    std::printf("then %d\n", again[0] == h[4] && again[1] == h[5]);
    std::printf("refused %d\n", curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32) == CURAND_STATUS_TYPE_ERROR);
}
EOF
(cd "$scratch" && "$nvcc" random.cu -o random -lcurand && ./random) >"$scratch/said" 2>&1
expect_some 'cuRAND: XORWOW of three subsequences' "$(xargs <"$scratch/said")" 'sequence 0 0.145468 sequence 1 0.820181 sequence 2 0.550399 '
expect_some 'cuRAND: a subsequence and an offset are skips' "$(cat "$scratch/said")" '^skip 1$'
expect_some 'cuRAND: Philox' "$(cat "$scratch/said")" '^philox 6627e8d5 e169c58d bc57ac4c 9b00dbd8$'
expect_some "cuRAND: Philox's offset" "$(cat "$scratch/said")" '^offset 1$'
expect_some 'cuRAND: normal numbers' "$(cat "$scratch/said")" '^normal 1$'
expect_some 'cuRAND on the host: its order' "$(cat "$scratch/said")" '^0.145468 0.820181 0.550399 0.294830 0.914733 0.868979 0.321921 0.782857 then 1$'
expect_some 'cuRAND: a generator that is not there: its status' "$(cat "$scratch/said")" '^refused 1$'
expect_some 'cuRAND: a generator that is not there' "$(cat "$scratch/said")" '^lockstep: curandCreateGenerator: generator 141 is not there; CURAND_RNG_PSEUDO_XORWOW and CURAND_RNG_PSEUDO_MRG32K3A are$'
# MRG32K3A, against numbers of NVIDIA's library: its default ordering from offset 5, a seed with a second half, and its legacy ordering.
cat >"$scratch/mrg.cu" <<'EOF'
#include <cstdio>
#include <curand.h>
static curandGenerator_t made(unsigned long long seed, unsigned long long offset, curandOrdering_t ordering) {
    curandGenerator_t g;
    curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MRG32K3A);
    curandSetPseudoRandomGeneratorSeed(g, seed);
    curandSetGeneratorOffset(g, offset);
    curandSetGeneratorOrdering(g, ordering);
    return g;
}
int main() {
    static unsigned w[90000];
    double d[2];
    float f[4];
    curandGenerator_t g = made(1234, 5, CURAND_ORDERING_PSEUDO_DEFAULT);
    curandGenerate(g, w, 81924);
    std::printf("words %u %u %u %u\n", w[0], w[4095], w[81919], w[81920]);
    g = made(1234, 5, CURAND_ORDERING_PSEUDO_DEFAULT);
    curandGenerateUniform(g, f, 2);
    g = made(1234, 5, CURAND_ORDERING_PSEUDO_DEFAULT);
    curandGenerateNormal(g, f + 2, 2, 0, 1);
    std::printf("floats %.9g %.9g %.5f %.5f\n", f[0], f[1], f[2], f[3]);
    g = made(1234, 0, CURAND_ORDERING_PSEUDO_BEST);
    curandGenerate(g, w, 8);
    curandGenerateUniformDouble(g, d, 2);
    std::printf("doubles %.17g %.17g\n", d[0], d[1]);
    g = made(1234, 0, CURAND_ORDERING_PSEUDO_LEGACY);
    curandGenerate(g, w, 81924);
    std::printf("legacy %u %u %u\n", w[4094], w[4095], w[81920]);
    g = made(0, 0, CURAND_ORDERING_PSEUDO_DEFAULT);
    curandGenerate(g, w, 81924);
    std::printf("seed 0: %u %u %u\n", w[0], w[4096], w[81920]);
}
EOF
"$nvcc" "$scratch/mrg.cu" -o "$scratch/mrg" -lcurand && "$scratch/mrg" >"$scratch/said" 2>&1
expect_some 'cuRAND: MRG32k3a, words' "$(cat "$scratch/said")" '^words 1307787078 1306787734 4013870839 2849003678$'
expect_some 'cuRAND: MRG32k3a, floats' "$(cat "$scratch/said")" '^floats 0.304492921 0.926524997 -1.31911 -0.79886$'
expect_some 'cuRAND: MRG32k3a, doubles' "$(cat "$scratch/said")" '^doubles 0.3469857798237419 0.84058474881626033$'
expect_some 'cuRAND: MRG32k3a, the order of old' "$(cat "$scratch/said")" '^legacy 2181871210 2824556536 2069886509$'
expect_some 'cuRAND: MRG32k3a, seed 0' "$(cat "$scratch/said")" '^seed 0: 545508615 1945546755 1368065476$'

# What cuda::std has before C++20 does.
printf '#include <cstdio>\n#include <cuda/std/functional>\n__global__ void k(int v) { printf("%%d\\n", cuda::std::identity()(v) + cuda::std::plus<int>()(1, 2)); }\nint main() { k<<<1, 1>>>(4); cudaDeviceSynchronize(); }\n' >"$scratch/identity.cu"
expect_some 'cuda::std::identity' "$(run identity.cu --quiet)" '^7$'

# The driver reports features that it does not have here as not supported.
cat >"$scratch/attributes.cpp" <<'END'
#include <cstdio>
#include <cuda.h>
int main() {
    const CUdevice_attribute asked[] = {CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED,
        CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, CU_DEVICE_ATTRIBUTE_WARP_SIZE};
    cuInit(0);
    for (CUdevice_attribute a : asked) {
        int value = -1, error = cuDeviceGetAttribute(&value, a, 0);
        std::printf("%d:%d ", error, value);
    }
}
END
expect_some 'attributes of what is not there' "$("$nvcc" "$scratch/attributes.cpp" -o "$scratch/attributes" && "$scratch/attributes")" '^0:0 0:0 0:0 0:32 $'

# A library that is not there is named after the compiler's own words.
for library in cusolver cusparse; do
    printf '#include <%s.h>\nint main() { }\n' "$library" >"$scratch/library.cu"
    expect_some "$library.h: refused by name" "$(cd "$scratch" && "$nvcc" library.cu -o library 2>&1)" "^lockstep-nvcc: library.cu:1: $library.h: .* is not there$"
done

# Which pointers may be freed, and which memory is reported, by which name. In this code && stands before a call without a blank.
cat >"$scratch/memory.cu" <<'END'
#include <cstdio>
__global__ void get(int *out, const int *in) { *out = in[100]; }
static int both(int **a, int **b) { return !cudaMalloc(a, 4)&&cudaMalloc(b, 4) == cudaSuccess; }
int main(int argc, char **argv) {
    static int mine[64];
    int *in, *out, *pinned, *p, *q;
    int made = argc &&cudaMalloc(&in, 400) == cudaSuccess, more = !cudaMalloc(&out, 4);
    cudaMallocHost(&pinned, 4);
    both(&p, &q);
    cudaHostRegister(mine, sizeof mine, 0);
    std::printf("freed %d: inside %d, pinned %d, by the host %d, registered %d %d, NULL %d\n", made && more, cudaFree(in + 1),
        cudaFree(pinned), cudaFreeHost(in), cudaFree(mine), cudaFreeHost(mine), cudaFree(0));
    cudaFree(p), cudaFree(q), cudaFreeHost(pinned);
    get<<<1, 1>>>(out, in);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
END
(cd "$scratch" && "$nvcc" memory.cu -o memory)
run memory --json report.json >"$scratch/said"
expect_some 'cudaFree takes what cudaMalloc gave' "$(cat "$scratch/said")" '^freed 1: inside 1, pinned 1, by the host 1, registered 1 1, NULL 0$'
expect_some 'an allocation after && has its name' "$(cat "$scratch/said")" 'reads in\[100\]; in has 100 elements'
expect_some "the program's own memory is not reported" "$("$scratch/json" never_freed <"$scratch/report.json" | xargs)" '^2$'

# Who waits for whom, on the device's clock: one kernel's time is 1. The program's own work counts, too, so a machine that
# stands still for a moment changes what one run says: what two of three runs say is taken.
cat >"$scratch/waits.cu" <<'END'
#include <cstdio>
__global__ void work(float *p) { float x = *p; for (int i = 0; i < 200000; i++) x = x * 0.5f + 1; *p = x; }
static float *p[2];
static cudaEvent_t from, to;
static float one;
static void begin() { cudaDeviceSynchronize(); cudaEventRecord(from); }
static void work_on(int i, cudaStream_t s) { work<<<1, 1, 0, s>>>(p[i]); }
static float end(cudaStream_t s) { float ms; cudaEventRecord(to, s), cudaEventSynchronize(to); cudaEventElapsedTime(&ms, from, to); return ms; }
static void tell(const char *what, float ms) { std::printf("%s %.0f\n", what, ms / one); }
int main() {
    cudaStream_t blocking, apart, gone;
    float ms;
    for (float *&q : p) cudaMalloc(&q, 4), cudaMemset(q, 0, 4);
    cudaEventCreate(&from), cudaEventCreate(&to);
    cudaStreamCreate(&blocking);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    begin(), work_on(0, 0), one = end(0);
    begin(), work_on(0, blocking), work_on(1, 0), tell("default after a blocking stream:", end(0));
    begin(), work_on(0, 0), work_on(1, blocking), tell("a blocking stream after default:", end(blocking));
    begin(), work_on(0, apart), work_on(1, 0), tell("default beside a non-blocking stream:", end(0));
    begin(), work_on(0, 0), work_on(1, apart), tell("a non-blocking stream beside default:", end(apart));
    cudaStreamCreateWithFlags(&gone, cudaStreamNonBlocking);
    begin(), work_on(0, gone), cudaStreamDestroy(gone), cudaDeviceSynchronize(), tell("the work of a stream that is gone:", end(0));
    // what the host waits for, it begins nothing before
    cudaStream_t other, late;
    cudaEvent_t middle, never;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&middle), cudaEventCreate(&never);
    begin(), work_on(0, apart), work_on(1, other), tell("two streams:", end(other));
    begin(), work_on(0, apart), cudaStreamSynchronize(apart), work_on(1, other), tell("the host waits for a stream:", end(other));
    begin(), work_on(0, apart), cudaEventRecord(middle, apart), work_on(0, apart), cudaEventSynchronize(middle), work_on(1, other), tell("the host waits for an event:", end(other));
    begin(), work_on(0, apart), cudaEventRecord(middle, apart), cudaStreamWaitEvent(other, middle, 0), work_on(1, other), tell("a stream waits for an event:", end(other));
    begin(), cudaStreamWaitEvent(other, never, 0), work_on(1, other), tell("an event that is never recorded:", end(other));
    begin(), work_on(0, apart), cudaMemcpyAsync(p[1], p[0], 4, cudaMemcpyDeviceToDevice, apart), cudaMemset(p[1], 0, 4), tell("no wait:", end(other));
    begin(), work_on(0, apart), cudaDeviceSynchronize(), cudaStreamCreateWithFlags(&late, cudaStreamNonBlocking), work_on(0, late), tell("a stream that is made later:", end(late));
    begin(), work_on(0, blocking), cudaMemcpy(&ms, p[0], 4, cudaMemcpyDefault), work_on(1, other), tell("a copy that waits:", end(other));
    // a graph: one kernel, then two at a time, then one; its launches follow each other
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaStreamBeginCapture(apart, cudaStreamCaptureModeRelaxed);
    work_on(0, apart), cudaEventRecord(middle, apart), cudaStreamWaitEvent(other, middle, 0), work_on(0, apart), work_on(1, other);
    cudaEventRecord(middle, other), cudaStreamWaitEvent(apart, middle, 0), work_on(0, apart);
    cudaStreamEndCapture(apart, &g), cudaGraphInstantiate(&x, g, 0);
    begin(), cudaGraphLaunch(x, apart), tell("a graph of four kernels:", end(apart));
    begin(), work_on(0, apart), cudaGraphLaunch(x, apart), cudaGraphLaunch(x, apart), work_on(0, apart), tell("two of them among kernels:", end(apart));
    begin(), cudaGraphLaunch(x, apart), work_on(0, other), tell("beside a graph:", end(other));
}
END
for i in 1 2 3; do run waits.cu --quiet; done | sort | uniq -d >"$scratch/said"
expect_some 'streams: default waits for blocking ones' "$(cat "$scratch/said")" '^default after a blocking stream: 2$'
expect_some 'streams: blocking ones wait for default' "$(cat "$scratch/said")" '^a blocking stream after default: 2$'
expect_some 'streams: default waits for no other' "$(cat "$scratch/said")" '^default beside a non-blocking stream: 1$'
expect_some 'streams: others do not wait for default' "$(cat "$scratch/said")" '^a non-blocking stream beside default: 1$'
expect_some 'streams: work ends after its stream is gone' "$(cat "$scratch/said")" '^the work of a stream that is gone: 1$'
expect_some 'streams: two do not wait for each other' "$(cat "$scratch/said")" '^two streams: 1$'
expect_some 'streams: the host waits for a stream' "$(cat "$scratch/said")" '^the host waits for a stream: 2$'
expect_some 'streams: the host waits for an event, not for what follows it' "$(cat "$scratch/said")" '^the host waits for an event: 2$'
expect_some 'streams: a stream waits for an event' "$(cat "$scratch/said")" '^a stream waits for an event: 2$'
expect_some 'streams: an event that is never recorded' "$(cat "$scratch/said")" '^an event that is never recorded: 1$'
expect_some 'streams: what does not wait' "$(cat "$scratch/said")" '^no wait: 0$'
expect_some 'streams: one that is made later' "$(cat "$scratch/said")" '^a stream that is made later: 2$'
expect_some 'streams: a copy that the host waits for' "$(cat "$scratch/said")" '^a copy that waits: 2$'
expect_some "graphs: a graph's kernels, two of them at a time" "$(cat "$scratch/said")" '^a graph of four kernels: 3$'
expect_some 'graphs: in the order of their stream' "$(cat "$scratch/said")" '^two of them among kernels: 8$'
expect_some 'graphs: beside another stream' "$(cat "$scratch/said")" '^beside a graph: 1$'

# A node that is gone takes its edges along; a graph is no child of itself.
cat >"$scratch/edges.cu" <<'END'
#include <cstdio>
__global__ void outside(int *to) { to[8] = 1; }
int main() {
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t a, b, c, self, before[2] = {};
    size_t edges = 9, count = 2;
    cudaGraphCreate(&g, 0);
    cudaGraphAddEmptyNode(&a, g, 0, 0);
    cudaGraphAddEmptyNode(&b, g, &a, 1);
    before[0] = a, before[1] = b;
    cudaGraphAddEmptyNode(&c, g, before, 2);
    std::printf("self %d\n", cudaGraphAddChildGraphNode(&self, g, 0, 0, g));
    cudaGraphDestroyNode(a);
    cudaGraphGetEdges(g, 0, 0, &edges);
    cudaGraphNodeGetDependencies(c, before, &count);
    std::printf("edges %zu, before c %zu %d\n", edges, count, before[0] == b);
    int made = cudaGraphInstantiate(&x, g, 0), ran = cudaGraphLaunch(x, 0);
    std::printf("runs %d %d %d\n", made, ran, cudaDeviceSynchronize());
    int *d;
    cudaStream_t s;
    cudaMalloc(&d, 16), cudaStreamCreate(&s), cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed), outside<<<1, 1, 0, s>>>(d);
    cudaStreamEndCapture(s, &g), cudaGraphInstantiate(&x, g, 0);
    std::printf("fails %s\n", cudaGetErrorName(cudaGraphLaunch(x, s)));
}
END
run edges.cu --quiet >"$scratch/said"
expect_some 'graphs: no child of itself' "$(cat "$scratch/said")" '^self 1$'
expect_some 'graphs: a node that is gone takes its edges along' "$(cat "$scratch/said")" '^edges 1, before c 1 1$'
expect_some 'graphs: what is left runs' "$(cat "$scratch/said")" '^runs 0 0 0$'
expect_some 'graphs: a launch returns what its kernel does' "$(cat "$scratch/said")" '^fails cudaErrorIllegalAddress$'

# Launches like one that has run wait until something asks for their results: here the third would fault.
cat >"$scratch/waiting.cu" <<'END'
#include <cstdio>
__global__ void count(int *p) {
    p[0] += 1;
    if (p[0] > 2) p[8] = 1;
}
int main(int argc, char **) {
    int *p, h = 0;
    cudaMalloc(&p, 16);
    cudaMemset(p, 0, 16);
    for (int i = 0; i < 5; i++) count<<<1, 1>>>(p);
    std::printf("waits %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    if (argc > 1) std::printf("asks %s %d\n", cudaGetErrorName(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost)), h);
    return 0;
}
END
(cd "$scratch" && "$nvcc" waiting.cu -o waiting)
expect_none 'launches whose results nobody reads: not run' "$(cd "$scratch" && ./waiting 2>&1 | grep -v '^waits cudaSuccess$')"
expect_some 'launches whose results are read: run, and the fault is told' "$(cd "$scratch" && ./waiting 1 2>&1)" 'waiting.cu:4: .*writes p\[8\]; p has 4 elements'
expect_some 'launches whose results are read: the call returns the error' "$(cd "$scratch" && ./waiting 1 2>/dev/null)" '^asks cudaErrorIllegalAddress 0$'
expect_some 'launches that wait: each is in the report' "$(cd "$scratch" && LOCKSTEP_REPORT=1 ./waiting 2>&1)" '^ .* 5 .*count$'
cat >"$scratch/racing.cu" <<'END'
__global__ void last(int *to) { *to = threadIdx.x; }
int main() {
    int *to;
    cudaMalloc(&to, 4);
    for (int i = 0; i < 9; i++) last<<<1, 64>>>(to);
    return cudaDeviceSynchronize();
}
END
found() { run racing.cu --quiet "$@" | sed -n 's/^ *\([0-9]*\) x  racing.cu:1  a race.*/\1/p'; }
expect_some 'launches that wait: two of nine run, since the first found something new' "$(($(found) * 9)) $(($(found --count all) * 2))" '^([1-9][0-9]*) \1$'
expect_some '--count all: no launch waits' "$(cd "$scratch" && LOCKSTEP_COUNT=all ./waiting 2>&1)" '^waits cudaErrorIllegalAddress$'

expect_none 'without LOCKSTEP_DEVICE: a device is there all the same' "$(cd "$scratch" && env -u LOCKSTEP_DEVICE ./add 2>&1 >/dev/null || echo "it fails")"
# Programs whose output is compared with NAME.out. refused: which arguments the calls refuse, and with which error; answers: what calls
# return; moves: what copies, captured streams and graphs leave in memory.
for name in refused answers moves; do
    "$nvcc" "tests/runtime/$name.cu" -o "$scratch/$name" -lcurand -lnvrtc && "$scratch/$name" >"$scratch/said" 2>&1
    expect_none "calls: $name" "$(diff "tests/runtime/$name.out" "$scratch/said" 2>&1)"
done
finish
