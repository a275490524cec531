#!/bin/sh
# nvcc.sh - the options of lockstep-nvcc: those that nvcc takes do what they do there; for those that nvcc refuses there is a note.

. tests/lib.sh
tools=$(cd "$BUILD" && pwd)
nvcc=$tools/lockstep-nvcc
export LOCKSTEP_DEVICE=sim:h200
cd "$scratch" || exit 1

cat >add.cu <<'CODE'
#include <cstdio>
#include <cstdlib>
__global__ void add(int a, int b, int *c) { *c = a + b; }
int main(int argc, char **argv)
{
    int h = 0, *d;
    cudaMalloc(&d, sizeof h);
    add<<<1, 1>>>(argc > 2 ? atoi(argv[1]) : 4, argc > 2 ? atoi(argv[2]) : 5, d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    return argc > 3;
}
CODE
expect_some '-run' "$("$nvcc" add.cu -run 2>&1; ls)" '^9$'
expect_some '-run leaves the program' "$(ls)" '^a.out$'
expect_some '--run, and its arguments before it' "$("$nvcc" -run-args 2,3 --run -o two add.cu 2>&1)" '^5$'
expect_some '-run of a program that is built' "$("$nvcc" -run two -run-args=20,30 2>&1)" '^50$'
expect_some "-run: the program's exit status" "$("$nvcc" -run two -run-args "1 2 3"; echo "status $?")" '^status 1$'
for o in '-dc -dlto' --save-temps -Wdefault-stream-launch '-split-compile 2' '-compress-mode=size' -cudadevrt=none '-lineinfo -ptx -src-in-ptx' \
    '-c -err-no' '-c -time t.csv' '-c -diag-suppress=177' '-c -ftemplate-depth 900'; do
    # shellcheck disable=SC2086 # words
    expect_none "taken: $o" "$("$nvcc" $o -o one add.cu 2>&1 | grep -v 'has no effect')"
done
expect_some '--keep leaves the PTX' "$("$nvcc" --keep --keep-dir kept -o two add.cu 2>&1; cat kept/add.ptx)" '\.entry _Z3addiiPi'
expect_some '-ptx writes a text' "$("$nvcc" -ptx add.cu && grep -c . add.ptx)" '^[0-9]+$'
expect_some '--list-gpu-arch' "$("$nvcc" --list-gpu-arch)" '^compute_75$'
expect_some '-code-ls' "$("$nvcc" -code-ls)" '^sm_90$'
expect_some '--version after other options' "$("$nvcc" -ccbin g++ --version)" 'release 13\.0, V13\.0\.0'
for o in -h --help -V --version -arch-ls -code-ls; do
    expect_some "$o: success" "$("$nvcc" $o; echo "status $?")" '^status 0$'
done
expect_some '-lib' "$("$nvcc" -lib -o libadd.a add.cu && ar t libadd.a && "$nvcc" -o archived libadd.a && ./archived)" '^9$'

# Which options take a value, as nvcc --help says: none.cu is an input file, but for an option that takes it.
missing='^lockstep-nvcc: none\.cu: there is no such file'
wrong=
for o in cuda cubin fatbin ptx E M MM MD MMD MP c dc dw dlink link lib shared run g G lineinfo pg dlto expt-relaxed-constexpr expt-extended-lambda \
    extended-lambda m64 v dryrun keep save-temps objtemp noprof allow-unsupported-compiler nodlink use_fast_math extra-device-vectorization w \
    keep-device-functions src-in-ptx restrict Wreorder Wdefault-stream-launch Wmissing-launch-bounds Wext-lambda-captures-this \
    Wno-deprecated-declarations Wno-deprecated-gpu-targets res-usage ewp no-compress err-no no-err-no jobserver \
    forward-unknown-to-host-compiler forward-unknown-to-host-linker forward-unknown-opts forward-slash-prefix-opts; do
    "$nvcc" "-$o" none.cu 2>&1 | grep -q "$missing" || wrong="$wrong $o"
done
expect_none 'options without a value' "$wrong"
wrong=
for o in o include isystem I D U L l odir ccbin arbin ldir target-dir cudart cudadevrt MF MT Xcompiler Xlinker Xarchive Xptxas Xnvlink Xcudafe x std \
    ftemplate-depth ftemplate-backtrace-limit m t split-compile split-compile-extended keep-dir time run-args arch code gencode rdc e maxrregcount \
    ftz prec-div prec-sqrt fmad default-stream Werror opt-info Ofc dopt diag-error diag-suppress diag-warn compress-mode; do
    "$nvcc" "-$o" 1 none.cu 2>&1 | grep -q "$missing" || wrong="$wrong $o"
    "$nvcc" "-$o=1" none.cu 2>&1 | grep -q "$missing" || wrong="$wrong $o="
    [ "$("$nvcc" none.cu "-$o" 2>&1)" = "lockstep-nvcc: -$o: its value is missing" ] || wrong="$wrong $o alone"
done
expect_none 'options with a value' "$wrong"
expect_some 'a value that is missing is an error of usage' "$("$nvcc" add.cu -o 2>/dev/null; echo "status $?")" '^status 2$'

# Of several architectures the newest counts; clang has two that differ.
architecture() { "$nvcc" -dryrun -ptx "$@" add.cu 2>&1 | grep -o 'gpu-arch=[^ ]*'; }
for o in -arch=sm_90 '-gencode arch=compute_70,code=[sm_75,sm_80]' '-code sm_80,sm_70' -arch=native -arch=all-major; do
    # shellcheck disable=SC2086 # words
    expect_some "newer than 7.0: $o" "$(architecture $o)" '^gpu-arch=sm_80$'
done
expect_some 'not newer than 7.5' "$(architecture -arch=sm_75)" '^gpu-arch=sm_70$'

# Files for make: named by the object, of which .o goes, or as the options say.
expect_some '-MD' "$(cp add.cu a.cu && "$nvcc" -MD -c a.cu && cat a.d)" '^a\.o: a\.cu'
expect_some '-MD: an object that is named' "$("$nvcc" -MD -c a.cu -o a.obj && cat a.obj.d)" '^a\.obj: a\.cu'
expect_some '-MF and -MT' "$("$nvcc" -MF needs -MT goal -c a.cu && cat needs)" '^goal: a\.cu'

# What only nvcc reads: launches with blanks in their marks, and launches in kernels, whose literals and comments are no code.
cat >forms.cu <<'CODE'
#include <cstdio>
__global__ void k(int v) { printf("k %d\n", v); }
__global__ void outer()
{
    /* } */ printf("}\"} %c%c%c\n", '}', '\'', '"'); // }
    k<<<1, 1>>>(3);
}
int main()
{
    {k<< <1, 1> >>(1);}
    k < < <1, 1 > > > (2);k<< <1, 1>> >(4);
    outer<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
CODE
expect_some 'marks of launches with blanks, launches in kernels' "$("$nvcc" -rdc=true -run forms.cu 2>&1 | xargs -d '\n')" "^k 1 k 2 k 4 }\"} }'\" k 3$"

# Options of the host compiler.
printf '#ifndef __CUDA_ARCH__\n#if A != 1 || B != 2\n#error\n#endif\n#endif\nint main() { return 0; }\n' >macros.cu
expect_none '-Xcompiler: quotes are taken off' "$("$nvcc" -Xcompiler ',"-g"' -Xcompiler '"-DA=1","-DB=2"' -o macros macros.cu 2>&1)"
expect_none '-Xcompiler: no option for host code reaches kernels' "$("$nvcc" -Xcompiler -finstrument-functions -Xcompiler -DNO -ptx -o host.ptx add.cu && grep cyg_profile host.ptx)"
expect_some 'an option that nvcc refuses: taken, with a note' "$("$nvcc" -Wall -march=native -Ofast -run -o two add.cu 2>&1)" \
    '^lockstep-nvcc: note: nvcc would not take -march=native; write -Xcompiler -march=native$'
expect_none 'an option that is forwarded, as was asked for' "$("$nvcc" -Wall -fPIC --forward-unknown-to-host-compiler -o two add.cu 2>&1)"
expect_some 'a library that is not there' "$("$nvcc" add.cu -lcusparse -o two 2>&1)" '^lockstep-nvcc: -lcusparse: cuSPARSE is not there$'
printf '#error\n#include <cudnn.h>\n # include "nccl.h"\nint main() {}\n' >missing.cu
said=$("$nvcc" missing.cu 2>&1)
expect_some 'a header that is not there' "$said" '^lockstep-nvcc: missing\.cu:2: cudnn\.h: cuDNN is not there$'
expect_some 'another, with blanks' "$said" '^lockstep-nvcc: missing\.cu:3: nccl\.h: NCCL is not there: there is one device$'
printf '#include <cstdio>\nint main()\n{\n#ifdef __OPTIMIZE__\n    puts("optimised");\n#else\n    puts("as written");\n#endif\n}\n' >level.cu
cp level.cu level_host.cpp
expect_some 'without -O the host compiler gets none' "$("$nvcc" -run level.cu; "$nvcc" -run level_host.cpp)" '^as written$'
expect_none 'without -O the host compiler gets none, nowhere' "$({ "$nvcc" -run level.cu; "$nvcc" -run level_host.cpp; } | grep optimised)"
expect_some '-O reaches the host compiler' "$("$nvcc" -O2 -run level.cu)" '^optimised$'

# OpenMP: threads that launch at once.
cat >threads.cu <<'CODE'
#include <cstdio>
#include <omp.h>
__global__ void add(int *p, int v) { atomicAdd(p, v); }
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    *p = 0;
    omp_set_num_threads(4);
#pragma omp parallel
    for (int i = 0; i < 100; i++) {
        cudaStream_t s;
        int *mine;
        cudaStreamCreate(&s);
        cudaMalloc(&mine, 64);
        add<<<1, 1 + omp_get_thread_num(), 0, s>>>(p, 1);
        cudaFree(mine);
        cudaStreamSynchronize(s);
        cudaStreamDestroy(s);
    }
    cudaDeviceSynchronize();
    printf("%d, %s\n", *p, cudaGetErrorName(cudaGetLastError()));
}
CODE
if [ -e "$(dirname "$(dirname "$(realpath "$(command -v clang)")")")/lib/libomp.so" ]; then
    expect_some 'OpenMP: four threads launch at once' "$("$nvcc" -Xcompiler -fopenmp -run threads.cu 2>&1)" '^1000, cudaSuccess$'
    expect_some 'OpenMP: the library of GCC does not stand in its way' "$("$nvcc" -Xcompiler -fopenmp -run threads.cu -lgomp 2>&1)" '^1000, cudaSuccess$'
else
    skip 'OpenMP: four threads launch at once' 'there is no libomp; sh common/setup.sh thrust installs it'
fi

# How kernels compute with floats.
cat >maths.cu <<'CODE'
#include <cstdio>
#include <cmath>
__global__ void maths(float *o, float a, float b)
{
    o[0] = a * a - b;                 // 2^-24 by a fused multiply-add, else 0
    o[1] = 1.17549435e-38f * (a - 0.9f); // a denormal number
    o[2] = std::sin(a) + sqrtf(b) / a;
}
int main()
{
    float *o;
    cudaMallocManaged(&o, 12);
    maths<<<1, 1>>>(o, 1 + 1 / 4096.f, 1 + 2 / 4096.f);
    cudaDeviceSynchronize();
    printf("%d %d\n", o[0] != 0, o[1] != 0);
}
CODE
maths() { "$nvcc" "$@" -run maths.cu 2>&1; }
expect_some 'products are fused, denormals kept' "$(maths)" '^1 1$'
expect_some '-fmad=false' "$(maths -fmad=false)" '^0 1$'
expect_some '-ftz=true' "$(maths --ftz true)" '^1 0$'
expect_some '-use_fast_math' "$(maths -use_fast_math)" '^1 0$'
opcodes() { "$nvcc" "$@" -ptx -o maths.ptx maths.cu && grep -oE '(div|sqrt|sin)\.[a-z.]*f32' maths.ptx | sort | xargs; }
expect_some 'division and root as IEEE has them' "$(opcodes)" '^div\.rn\.f32 sqrt\.rn\.f32$'
expect_some '-prec-div=false' "$(opcodes -prec-div=false)" '^div\.full\.f32 sqrt\.rn\.f32$'
expect_some '-prec-sqrt=false' "$(opcodes -prec-sqrt=false)" '^div\.rn\.f32 sqrt\.approx\.f32$'
expect_some '-use_fast_math: approximations' "$(opcodes --use_fast_math)" '^div\.approx\.ftz\.f32 sin\.approx\.ftz\.f32 sqrt\.approx\.ftz\.f32$'

# What ptxas -v says.
cat >shared.cu <<'CODE'
__global__ void __launch_bounds__(256) large(int *p)
{
    __shared__ int s[SIZE];
    s[threadIdx.x] = threadIdx.x;
    p[threadIdx.x] = s[threadIdx.x];
}
int main() {}
CODE
expect_some 'more than 48 KiB of static shared memory' "$("$nvcc" -DSIZE=20000 shared.cu 2>&1; echo "status $?")" \
    "^ptxas error   : Entry function '_Z5largePi' uses too much shared data \(0x13880 bytes, 0xc000 max\)$"
expect_some 'more than 48 KiB of static shared memory: no program' "$("$nvcc" -DSIZE=12289 shared.cu -o none 2>&1; echo "status $?")" '^status 1$'
expect_none '48 KiB of static shared memory' "$("$nvcc" -DSIZE=12288 shared.cu 2>&1)"
expect_some '-Xptxas -v' "$("$nvcc" -Xptxas -v -DSIZE=64 shared.cu 2>&1)" '^ptxas info    : Used [0-9]+ registers, 256 bytes smem, 536 bytes cmem\[0\]$'
cat >registers.cu <<'CODE'
#include <cstdio>
__global__ void sums(float *p)
{
    float s[40];
    for (int i = 0; i < 40; i++) s[i] = p[threadIdx.x + 32 * i];
    __syncthreads();
    for (int i = 0; i < 40; i++) p[threadIdx.x + 32 * i] = s[39 - i];
}
int main()
{
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, sums);
    printf("%d registers\n", a.numRegs);
}
CODE
expect_some 'many registers' "$("$nvcc" -run registers.cu 2>&1)" '^(3[3-9]|[4-9][0-9]|1[0-9][0-9]) registers$'
expect_some '-maxrregcount' "$("$nvcc" -maxrregcount=32 -run registers.cu 2>&1)" '^32 registers$'

# A function without its return statement ends, and returns any value.
printf '#include <cstdio>\n__device__ unsigned todo(unsigned x) {}\nint check(int x) {}\n__global__ void k(unsigned *p) { p[threadIdx.x] = todo(threadIdx.x); }\nint main() {\n    unsigned *p;\n    cudaMalloc(&p, 128);\n    check(1);\n    k<<<1, 32>>>(p);\n    printf("%%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));\n}\n' >todo.cu
expect_some 'a function without a return statement' "$("$nvcc" -w -run todo.cu 2>&1)" '^cudaSuccess$'

# Work of the host between two events.
printf '#include <cstdio>\n#include <unistd.h>\nint main() {\n    cudaEvent_t a, b;\n    float ms;\n    cudaEventCreate(&a), cudaEventCreate(&b);\n    cudaEventRecord(a);\n    usleep(20000);\n    cudaEventRecord(b);\n    cudaEventSynchronize(b);\n    cudaEventElapsedTime(&ms, a, b);\n    std::printf("%%d\\n", ms >= 20 && ms < 10000);\n    cudaEventRecord(a);\n    cudaEventRecord(b);\n    cudaEventElapsedTime(&ms, a, b);\n    std::printf("%%g ms\\n", ms);\n}\n' >host.cu
expect_some 'events measure what the host does between them' "$("$nvcc" -run host.cu 2>&1)" '^1$'
finish
