// run: interpret 2 64 buf:u8:128 buf:i32:128:iota i32:128
// run: classify 2 64 buf:f64:128:rand buf:i32:128:none
// Switches, enumerations, unions, bit fields, goto, tables in constant memory.
#include <cstdint>
#include <cstdio>

enum Verdict { UNKNOWN, GOOD, BAD };
enum class Op : uint8_t { Add, Sub, Mul, Div, Neg, Abs, Shl, Shr, Nop };
struct Rule { int op, argument; };
__constant__ Rule rules[4] = {{0, 3}, {2, -2}, {5, 0}, {6, 1}};
static __device__ __constant__ const float limits[] = {0.1f, 0.25f, 0.5f, 0.75f};

union Bits {
    float f;
    uint32_t u;
    struct { uint32_t mantissa : 23, exponent : 8, sign : 1; } parts;
};

__device__ int apply(Op op, int x, int a)
{
    switch (op) {
    case Op::Add: return x + a;
    case Op::Sub: return x - a;
    case Op::Mul: return x * a;
    case Op::Div: return a ? x / a : 0;
    case Op::Neg: return -x;
    case Op::Abs: return abs(x);
    case Op::Shl: return x << (a & 31);
    case Op::Shr: return x >> (a & 31);
    default: return x;
    }
}

__global__ void interpret(const unsigned char *code, int *x, int n)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) goto end;
    for (int pc = 0; pc < 4; pc++) {
        const Rule r = rules[pc];
        x[i] = apply(static_cast<Op>((r.op + code[i]) % 9), x[i], r.argument);
        if (x[i] > 100000) break;
    }
end:
    __syncthreads();
}

__global__ void classify(const double *x, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    while (k < 4 && x[i] > limits[k]) k++;
    Bits b;
    b.f = (float)x[i] + 1.0f;
    const int LAUNCH = k > 0 ? GOOD : UNKNOWN;
    out[i] = LAUNCH + k * 1000 + b.parts.exponent + (b.u & 1);
}
