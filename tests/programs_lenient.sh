#!/bin/sh
# programs_lenient.sh - faults of old programs that nvcc and a GPU tolerate, and the kit, too.

. tests/lib.sh
nvcc=$(cd "$BUILD" && pwd)/lockstep-nvcc
export LOCKSTEP_DEVICE=sim:h200

# Text and macro need no space between them.
printf '#include <cstdio>\n#define ID "%%d"\nint main() { std::printf("<"ID">\\n", 7); }\n' >"$scratch/main.cu"
"$nvcc" "$scratch/main.cu" -o "$scratch/plain" 2>"$scratch/said"
expect_some 'text beside a macro' "$("$scratch/plain")$(cat "$scratch/said")" '^<7>$'
# A register in inline PTX with one % or two, in an asm with operands or without.
cat >"$scratch/percent.cu" <<'END'
#include <cstdio>
__global__ void percent() {
    unsigned a, b; // asm volatile("%tid"
    asm volatile("mov.u32 %0, %tid.x;\n\t"
                 "add.u32 %0, %0, 40;" : "=r"(a));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(b) :);
    asm volatile("{ .reg .u32 t; mov.u32 t, %laneid; }");
    if (threadIdx.x == 2) printf("%d %d %s\n", a, b, "%tid");
}
int main() { percent<<<1, 8>>>(); return cudaDeviceSynchronize(); }
END
expect_some 'one % before a register' "$("$nvcc" "$scratch/percent.cu" -o "$scratch/percent" && "$scratch/percent" 2>&1)" '^42 8 %tid$'
# memcpy and memset in a kernel, of a length that the compiler knows, and of one that it does not.
cat >"$scratch/bytes.cu" <<'END'
#include <cstdio>
#include <cstring>
__global__ void bytes(char *to, const char *from, int n) {
    double x[4], y[4] = {1, 2, 3, 4};
    memset(to, '.', n);
    memcpy(to + 2, from, n - 5);
    memcpy(x, y, sizeof x);
    to[n - 1] = '0' + (char)x[from[0] - 'a'];
}
int main() {
    char h[17] = "abcdefghijklmnop", *d, *e;
    cudaMalloc(&d, 16), cudaMalloc(&e, 16);
    cudaMemcpy(e, h, 16, cudaMemcpyHostToDevice);
    bytes<<<1, 1>>>(d, e, 16);
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    std::printf("%s\n", h);
}
END
expect_some 'memcpy and memset in a kernel' "$("$nvcc" "$scratch/bytes.cu" -o "$scratch/bytes" && "$scratch/bytes" 2>&1)" '^\.\.abcdefghijk\.\.1$'
# A little outside of a buffer a GPU seldom notices an access; far outside it does. A symbol by its name is CUDA's before 5.
cat >"$scratch/outside.cu" <<'END'
#include <cstdio>
__constant__ int scale[1];
__global__ void left(int *p, long by) { p[threadIdx.x] = (threadIdx.x ? p[threadIdx.x - 1] : p[by]) * scale[0]; }
int main(int argc, char **) {
    int h[32], *d, three = 3;
    for (int i = 0; i < 32; i++) h[i] = i + 1;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    std::printf("%s ", cudaGetErrorName(cudaMemcpyToSymbol((const void *)"scale", &three, 4)));
    left<<<1, 32>>>(d, argc > 1 ? 100000000 : -1);
    std::printf("%s ", cudaGetErrorName(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)));
    std::printf("%d %d %d\n", h[0], h[1], h[31]);
}
END
"$nvcc" "$scratch/outside.cu" -o "$scratch/outside"
for how in lenient off; do
    said=$(LOCKSTEP_CHECK=$how "$scratch/outside" 2>"$scratch/said")
    expect_some "outside of a buffer, $how: goes on" "$said" '^cudaSuccess cudaSuccess 0 3 93$'
done
expect_some 'outside of a buffer: told' "$(LOCKSTEP_CHECK=lenient "$scratch/outside" 2>&1)" 'outside.cu:3: .* reads d\[-1\]; d has 32 elements'
expect_some 'a symbol by its name: told' "$(cat "$scratch/said")" 'warning: "scale" is taken for the variable'
expect_some 'far outside of a buffer' "$(LOCKSTEP_CHECK=lenient "$scratch/outside" far 2>&1)" 'cudaErrorIllegalAddress'
expect_some 'outside of a buffer without LOCKSTEP_CHECK' "$("$scratch/outside" 2>&1)" 'cudaErrorIllegalAddress'

# coverage.sh makes a run smaller by dividing its numbers from 1024 on; if that is not enough, also those from 32 on.
mkdir -p "$scratch/suite/shrinks"
cat >"$scratch/suite/shrinks/main.cu" <<'END'
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
    const bool large = atoi(argv[4]) >= atoi(argv[1]) * 1000;
    printf("%s: %s %s %s %s %s\n", large ? "out of memory" : "PASS", argv[1], argv[2], argv[3], argv[4], argv[5]);
    return large;
}
END
cp -r "$scratch/suite/shrinks" "$scratch/suite/shrinks_twice"
printf 'run:\n\t./main 70 200 -n=2048 1000000 10\n' >"$scratch/suite/shrinks/makefile"
printf 'run:\n\t./main 7 200 -n=2048 1000000 10\n' >"$scratch/suite/shrinks_twice/makefile"
sh tests/programs/coverage.sh -o "$scratch/smaller" "$scratch/suite/*" >"$scratch/said" 2>&1
expect_some 'coverage: numbers that are made smaller' "$(cat "$scratch/smaller/shrinks.out" "$scratch/said")" '^PASS: 70 200 -n=128 62500 1$'
expect_some 'coverage: all numbers that are made smaller' "$(cat "$scratch/smaller/shrinks_twice.out")" '^PASS: 7 12 -n=8 3906 1$'
expect_some 'coverage: its table' "$(cat "$scratch/said")" '\| 2 \| 2 \| 2 \| 2 \|$'
expect_some 'coverage: how they ran' "$(cat "$scratch/said")" '^Run as they are: 0; smaller by 16: 1; by 256: 1$'
finish
