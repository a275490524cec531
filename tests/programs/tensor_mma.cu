// mma.sync in every shape and type: operands from random numbers, some ordinary, some to break a sum, and a hash of the results.
// With a file's name as argument, operands and results go there as they are.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

enum type { F16, BF16, TF32, F64, S8, U8, F32, S32 };
enum { CASES = 200, MODES = 5 };
struct kind {
    const char *name;
    type a, b, c; // of A, B, and of C and D
    int na, nb, nc; // 32-bit registers of a thread
};

#define R4(x) "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3])
#define R2(x) "r"(x[0]), "r"(x[1])
#define R1(x) "r"(x[0])
#define D4 "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
#define D2 "=r"(d[0]), "=r"(d[1])
#define LONG(x, i) *(const double *)(x + 2 * (i))

__global__ void product(int which, const uint32_t *as, const uint32_t *bs, const uint32_t *cs, uint32_t *ds, int na, int nb, int nc)
{
    int t = blockIdx.x * 32 + threadIdx.x;
    __align__(8) uint32_t a[8], b[4], c[8], d[8];
    for (int i = 0; i < 8; i++) a[i] = i < na ? as[t * na + i] : 0;
    for (int i = 0; i < 4; i++) b[i] = i < nb ? bs[t * nb + i] : 0;
    for (int i = 0; i < 8; i++) c[i] = i < nc ? cs[t * nc + i] : 0, d[i] = 0;
#define F32_4(op) asm volatile(op " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};" : D4 : R4(a), R2(b), R4(c))
#define F32_2(op) asm volatile(op " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};" : D4 : R2(a), R1(b), R4(c))
    switch (which) {
    case 0: F32_4("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"); break;
    case 1: F32_2("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"); break;
    case 2: asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
        : D2 : R4(a), R2(b), R2(c)); break;
    case 3: asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
        : D2 : R2(a), R1(b), R2(c)); break;
    case 4: F32_4("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"); break;
    case 5: F32_2("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32"); break;
    case 6: F32_4("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"); break;
    case 7: F32_2("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"); break;
    case 8: asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : "=d"(*(double *)d), "=d"(*(double *)(d + 2)) : "d"(LONG(a, 0)), "d"(LONG(b, 0)), "d"(LONG(c, 0)), "d"(LONG(c, 1))); break;
    case 9: F32_4("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"); break;
    case 10: F32_4("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32"); break;
    case 11: F32_4("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32"); break;
    case 12: F32_2("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32"); break;
    case 13: asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
        : D2 : R1(a), R1(b), R2(c)); break;
    }
    for (int i = 0; i < 8; i++)
        if (i < nc) ds[t * nc + i] = d[i];
}

static const kind kinds[] = {{"m16n8k16 f32 += f16 f16", F16, F16, F32, 4, 2, 4}, {"m16n8k8 f32 += f16 f16", F16, F16, F32, 2, 1, 4},
    {"m16n8k16 f16 += f16 f16", F16, F16, F16, 4, 2, 2}, {"m16n8k8 f16 += f16 f16", F16, F16, F16, 2, 1, 2},
    {"m16n8k16 f32 += bf16 bf16", BF16, BF16, F32, 4, 2, 4}, {"m16n8k8 f32 += bf16 bf16", BF16, BF16, F32, 2, 1, 4},
    {"m16n8k8 f32 += tf32 tf32", TF32, TF32, F32, 4, 2, 4}, {"m16n8k4 f32 += tf32 tf32", TF32, TF32, F32, 2, 1, 4},
    {"m8n8k4 f64 += f64 f64", F64, F64, F64, 2, 2, 4}, {"m16n8k32 s32 += s8 s8", S8, S8, S32, 4, 2, 4},
    {"m16n8k32 s32 += u8 s8", U8, S8, S32, 4, 2, 4}, {"m16n8k32 s32 += s8 u8, clamped", S8, U8, S32, 4, 2, 4},
    {"m16n8k16 s32 += u8 u8", U8, U8, S32, 2, 1, 4}, {"m8n8k16 s32 += s8 s8", S8, S8, S32, 1, 1, 2}};

static uint64_t state = 0x9e3779b97f4a7c15u;
static uint32_t next()
{
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return (uint32_t)(state * 0x2545f4914f6cdd1du >> 32);
}

// A number of a format with e bits of exponent and m of mantissa. Modes: exponents near 1; a wide range; any bits; powers of two
// and zeros, whose sums cancel; of the last, C is far larger than the products.
static uint64_t number(int mode, int e, int m, bool is_c)
{
    int bias = (1 << (e - 1)) - 1, range = mode == 0 ? 2 : bias < 40 ? bias - 2 : 14, shift = mode == 4 && is_c ? (bias < 40 ? 6 : 20) : 0;
    uint64_t mantissa = ((uint64_t)next() << 32 | next()) & (((uint64_t)1 << m) - 1), sign = next() & 1;
    if (mode == 2) return (((uint64_t)next() << 32) | next()) & (((uint64_t)1 << m << e << 1) - 1);
    uint64_t exponent = bias + (int)(next() % (2 * range)) - range + shift;
    if (mode == 3 && next() % 4 == 0) return sign << (e + m);
    if (mode == 3) mantissa &= mantissa << (m / 2) & mantissa << 2;
    return sign << (e + m) | exponent << m | mantissa;
}

static uint32_t word(type t, int mode, bool is_c)
{
    switch (t) {
    case F16: { uint32_t low = number(mode, 5, 10, is_c); return low | (uint32_t)number(mode, 5, 10, is_c) << 16; }
    case BF16: { uint32_t low = number(mode, 8, 7, is_c); return low | (uint32_t)number(mode, 8, 7, is_c) << 16; }
    case TF32: return mode % 2 ? number(mode, 8, 10, is_c) << 13 : number(mode, 8, 23, is_c); // the low 13 bits are not read
    case F32: return number(mode, 8, 23, is_c);
    case S32: return mode == 3 ? 0x7fffffff - next() % 1000 : next();
    default: return mode == 3 ? 0x7f7f7f7f : next();
    }
}

static void fill(std::vector<uint32_t> &v, type t, bool is_c)
{
    for (size_t i = 0; i < v.size(); i++) {
        int mode = (int)(i * MODES / v.size());
        if (t != F64) { v[i] = word(t, mode, is_c); continue; }
        uint64_t x = number(mode, 11, 52, is_c);
        v[i++] = (uint32_t)x;
        v[i] = (uint32_t)(x >> 32);
    }
}

// A NaN's bits are its own affair; all other numbers count.
static uint64_t hash_of(const kind &k, const std::vector<uint32_t> &v, size_t from, size_t to)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = from; i < to; i++) {
        uint32_t x = v[i];
        if (k.c == F64 && i % 2 && (x & 0x7fffffff) > 0x7ff00000) x = 0x7fffffff;
        if (k.c == F64 && i % 2 == 0 && (v[i + 1] & 0x7fffffff) > 0x7ff00000) x = 0;
        h = (h ^ x) * 0x100000001b3u;
    }
    return h;
}

static uint32_t *device(const std::vector<uint32_t> &v)
{
    uint32_t *p;
    cudaMalloc(&p, v.size() * 4);
    cudaMemcpy(p, v.data(), v.size() * 4, cudaMemcpyHostToDevice);
    return p;
}

int main(int argc, char **argv)
{
    FILE *out = argc > 1 ? fopen(argv[1], "wb") : NULL;
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
        const kind &k = kinds[i];
        std::vector<uint32_t> a(CASES * 32 * k.na), b(CASES * 32 * k.nb), c(CASES * 32 * k.nc), d(CASES * 32 * k.nc);
        fill(a, k.a, false), fill(b, k.b, false), fill(c, k.c, true);
        uint32_t *da = device(a), *db = device(b), *dc = device(c), *dd = device(d);
        product<<<CASES, 32>>>(i, da, db, dc, dd, k.na, k.nb, k.nc);
        cudaError_t bad = cudaMemcpy(d.data(), dd, d.size() * 4, cudaMemcpyDeviceToHost);
        if (bad) printf("%s: %s\n", k.name, cudaGetErrorString(bad));
        printf("%-30s", k.name);
        for (int mode = 0; mode < MODES; mode++)
            printf(" %016llx", (unsigned long long)hash_of(k, d, d.size() * mode / MODES, d.size() * (mode + 1) / MODES));
        printf("\n");
        for (auto *v : {&a, &b, &c, &d})
            if (out) fwrite(v->data(), 4, v->size(), out);
        cudaFree(da), cudaFree(db), cudaFree(dc), cudaFree(dd);
    }
    if (out) fclose(out);
}
