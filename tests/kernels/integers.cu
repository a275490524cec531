// Integer arithmetic in every width, with the corners where a C compiler would be free to do anything said in PTX.
#include "lockstep.h"

//! run   arithmetic block=64
//! arg   a i32[64] = i % 8 == 0 ? -2147483648 : i % 8 == 1 ? 2147483647 : i % 8 == 2 ? -1 : i * 123456789
//! arg   b i32[64] = i // 8 == 0 ? 2147483647 : i // 8 == 1 ? -2147483648 : i // 8 == 2 ? 1 : i * 7 - 200
//! arg   out i32[768] poison
//! want  out[0..63] = a[i] + b[i]
//! want  out[64..127] = a[i - 64] - b[i - 64]
//! want  out[128..191] = a[i - 128] * b[i - 128]
//! want  out[192..255] = -a[i - 192]
//! want  out[256..319] = abs(a[i - 256])
//! want  out[320..383] = min(a[i - 320], b[i - 320])
//! want  out[384..447] = max(a[i - 384], b[i - 384])
//! want  out[448..511] = a[i - 448] & b[i - 448]
//! want  out[512..575] = a[i - 512] | b[i - 512]
//! want  out[576..639] = a[i - 576] ^ ~b[i - 576]
//! want  out[640..703] = (a[i - 640] * b[i - 640]) >> 32
//! want  out[704..767] = a[i - 704] * 12345 + b[i - 704]
__global__ void arithmetic(const int *a, const int *b, int *out)
{
    int i = threadIdx.x;
    unsigned x = a[i], y = b[i];
    out[i] = x + y;
    out[64 + i] = x - y;
    out[128 + i] = x * y;
    out[192 + i] = 0 - x;
    out[256 + i] = a[i] < 0 ? 0 - x : x;
    out[320 + i] = min(a[i], b[i]);
    out[384 + i] = max(a[i], b[i]);
    out[448 + i] = x & y;
    out[512 + i] = x | y;
    out[576 + i] = x ^ ~y;
    out[640 + i] = __mulhi(a[i], b[i]);
    out[704 + i] = x * 12345u + y;
}

//! run   divide block=32
//! arg   a i32[32] = i < 8 ? -2147483648 + i : i < 16 ? i * 100000007 - 1000000000 : i - 24
//! arg   b i32[32] = i % 4 == 0 ? 7 : i % 4 == 1 ? -3 : i % 4 == 2 ? 2147483647 : -2147483648
//! arg   out i32[128] poison
//! want  out[0..31] = a[i] // b[i]
//! want  out[32..63] = a[i - 32] % b[i - 32]
//! want  out[64..95] = (a[i - 64] & 4294967295) // (b[i - 64] & 4294967295)
//! want  out[96..127] = (a[i - 96] & 4294967295) % (b[i - 96] & 4294967295)
__global__ void divide(const int *a, const int *b, int *out)
{
    int i = threadIdx.x;
    out[i] = a[i] / b[i];
    out[32 + i] = a[i] % b[i];
    out[64 + i] = (unsigned)a[i] / (unsigned)b[i];
    out[96 + i] = (unsigned)a[i] % (unsigned)b[i];
}

//! run   divide_corners block=1
//! arg   most i32 -2147483648
//! arg   least i64 -9223372036854775808
//! arg   minus i32 -1
//! arg   out i32[2] poison
//! arg   wide i64[2] poison
//! want  out = {-2147483648, 0}
//! want  wide = {-9223372036854775808, 0}
__global__ void divide_corners(int most, long long least, int minus, int *out, long long *wide)
{
    long long m = minus;
    asm("div.s32 %0, %1, %2;" : "=r"(out[0]) : "r"(most), "r"(minus));
    asm("rem.s32 %0, %1, %2;" : "=r"(out[1]) : "r"(most), "r"(minus));
    asm("div.s64 %0, %1, %2;" : "=l"(wide[0]) : "l"(least), "l"(m));
    asm("rem.s64 %0, %1, %2;" : "=l"(wide[1]) : "l"(least), "l"(m));
}

//! run   shifts block=32
//! arg   n u32[32] = {0, 1, 5, 31, 32, 33, 63, 64, 65, 255, 256, 4294967295, 16, 15, 17, 8}
//! arg   a i32 -123456789
//! arg   out i32[96] poison
//! arg   wide i64[96] poison
//! want  out[0..31] = n[i] > 31 ? 0 : a << n[i]
//! want  out[32..63] = n[i - 32] > 31 ? -1 : a >> n[i - 32]
//! want  out[64..95] = n[i - 64] > 31 ? 0 : (a & 4294967295) >> n[i - 64]
//! want  wide[0..31] = n[i] > 63 ? 0 : a << n[i]
//! want  wide[32..63] = n[i - 32] > 63 ? -1 : a >> n[i - 32]
//! want  wide[64..95] = n[i - 64] > 63 ? 0 : n[i - 64] == 0 ? a : (a >> n[i - 64]) & (((1 << (63 - n[i - 64])) - 1) * 2 + 1)
__global__ void shifts(const unsigned *n, int a, int *out, long long *wide)
{
    int i = threadIdx.x;
    long long w = a;
    unsigned k = n[i];
    asm("shl.b32 %0, %1, %2;" : "=r"(out[i]) : "r"(a), "r"(k));
    asm("shr.s32 %0, %1, %2;" : "=r"(out[32 + i]) : "r"(a), "r"(k));
    asm("shr.u32 %0, %1, %2;" : "=r"(out[64 + i]) : "r"(a), "r"(k));
    asm("shl.b64 %0, %1, %2;" : "=l"(wide[i]) : "l"(w), "r"(k));
    asm("shr.s64 %0, %1, %2;" : "=l"(wide[32 + i]) : "l"(w), "r"(k));
    asm("shr.u64 %0, %1, %2;" : "=l"(wide[64 + i]) : "l"(w), "r"(k));
}

//! run   wide block=4
//! arg   a i64[4] = {9223372036854775807, -9223372036854775808, 1234567890123456789, -5}
//! arg   b i64[4] = {2, 3, -987654321987654321, 1000000007}
//! arg   out i64[36] poison
//! want  out[0..3] = {-9223372036854775807, -9223372036854775805, 246913568135802468, 1000000002}
//! want  out[4..7] = {-2, -9223372036854775808, -2456329625975503237, -5000000035}
//! want  out[8..11] = {4611686018427387903, -3074457345618258602, -1, 0}
//! want  out[12..15] = {1, -2, 246913568135802468, -5}
//! want  out[16..19] = {0, -2, -66099811847306178, -1}
//! want  out[20..23] = {4611686018427387903, 3074457345618258602, 0, 18446743944}
//! want  out[24..27] = {9223372036854775805, 9223372036854775805, 2222222212111111110, -1000000012}
//! want  out[28..31] = {2, -9223372036854775808, -987654321987654321, -5}
//! want  out[32..35] = {9223372036854775807, 3, 1234567890123456789, 1000000007}
__global__ void wide(const long long *a, const long long *b, long long *out)
{
    int i = threadIdx.x;
    unsigned long long x = a[i], y = b[i];
    out[i] = x + y;
    out[4 + i] = x * y;
    out[8 + i] = a[i] / b[i];
    out[12 + i] = a[i] % b[i];
    out[16 + i] = __mul64hi(a[i], b[i]);
    out[20 + i] = x / y;
    out[24 + i] = x - y;
    out[28 + i] = min(a[i], b[i]);
    out[32 + i] = max(a[i], b[i]);
}

//! run   bits block=8
//! arg   a u32[8] = {0, 1, 0x80000000, 0xffffffff, 0x12345678, 6, 0x00ff0000, 0x40000000}
//! arg   out i32[72] poison
//! want  out[0..7] = popc(a[i])
//! want  out[8..15] = {32, 31, 0, 0, 3, 29, 8, 1}
//! want  out[16..23] = {0, 1, 32, 1, 4, 2, 17, 31}
//! want  out[24..31] = {0, 0x80000000, 1, 0xffffffff, 0x1e6a2c48, 0x60000000, 0x0000ff00, 2}
//! want  out[32..39] = {0x78787878, 0x00787878, 0x78000080, 0x78ffffff, 0x78345678, 0x78000006, 0x7800ff00, 0x78000040}
//! want  out[40..47] = {64, 63, 32, 32, 35, 61, 40, 33}
//! want  out[48..55] = (a[i - 48] >> 4) & 255
//! want  out[56..63] = {0, 0, 0, -1, 7, 0, 0, 0}
//! want  out[64..71] = (a[i - 64] & 4294963215) | 2560
__global__ void bits(const unsigned *a, int *out)
{
    int i = threadIdx.x;
    unsigned x = a[i];
    out[i] = __popc(x);
    out[8 + i] = __clz(x);
    out[16 + i] = __ffs(x);
    out[24 + i] = __brev(x);
    unsigned select = i == 0 ? 0x4444 : i == 1 ? 0x3444 : i == 2 ? 0x4003 : i == 3 ? 0x4210 : i == 4 ? 0x4210 : i == 5 ? 0x4210
                    : i == 6 ? 0x4121 : 0x4103;
    out[32 + i] = __byte_perm(x, 0x78, select);
    out[40 + i] = __clzll(x);
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(out[48 + i]) : "r"(x));
    asm("bfe.s32 %0, %1, 4, 4;" : "=r"(out[56 + i]) : "r"(x));
    asm("bfi.b32 %0, 160, %1, 4, 8;" : "=r"(out[64 + i]) : "r"(x));
}

//! run   masks block=6
//! arg   at u32[6] = {0, 4, 31, 32, 33, 300}
//! arg   n u32[6] = {5, 8, 4, 1, 2, 40}
//! arg   out u32[12] poison
//! want  out[0..5] = {0x1f, 0xff0, 0x80000000, 0, 0, 0}
//! want  out[6..11] = {0x1f, 0xff0, 0x80000000, 1, 6, 0xff000}
__global__ void masks(const unsigned *at, const unsigned *n, unsigned *out)
{
    int i = threadIdx.x;
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(out[i]) : "r"(at[i]), "r"(n[i]));
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(out[6 + i]) : "r"(at[i]), "r"(n[i]));
}

//! run   carries block=4
//! arg   a u64[4] = {0xffffffffffffffff, 0xffffffff, 5, 0x100000000}
//! arg   b u64[4] = {1, 1, 7, 1}
//! arg   out u64[8] poison
//! want  out[0..3] = {0, 0x100000000, 12, 0x100000001}
//! want  out[4..7] = {0xfffffffffffffffe, 0xfffffffe, 0xfffffffffffffffe, 0xffffffff}
__global__ void carries(const unsigned long long *a, const unsigned long long *b, unsigned long long *out)
{
    int i = threadIdx.x;
    unsigned al = a[i], ah = a[i] >> 32, bl = b[i], bh = b[i] >> 32, l, h;
    asm("{ add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5; }" : "=&r"(l), "=r"(h) : "r"(al), "r"(ah), "r"(bl), "r"(bh));
    out[i] = (unsigned long long)h << 32 | l;
    asm("{ sub.cc.u32 %0, %2, %4; subc.u32 %1, %3, %5; }" : "=&r"(l), "=r"(h) : "r"(al), "r"(ah), "r"(bl), "r"(bh));
    out[4 + i] = (unsigned long long)h << 32 | l;
}

//! run   more block=4
//! arg   a i32[4] = {0x01020304, -1, 0x7fffffff, 0x80808080}
//! arg   b i32[4] = {0x10203040, 2, -2147483648, 0x7f7f7f7f}
//! arg   out i32[32] poison
//! want  out[0..3] = {0x01020304 & 0x10203040, 2, 0, 0}
//! want  out[4..7] = {480, -2, -16256, -65024}
//! want  out[8..11] = {480, 510, 16256, 65024}
//! want  out[12..15] = {0x03041020, 0xffff0000, 0xffff8000, 0x80807f7f}
//! want  out[16..19] = {0x02030400, 0x0000002f, 0x00000007, 0xf7f7f7f8}
//! want  out[20..23] = {0x0f1e2d3c, 3, -1, 0xfefefeff}
//! want  out[24..27] = {24, -1, 30, 30}
//! want  out[28..31] = {1, 2, 0, 3}
__global__ void more(const int *a, const int *b, int *out)
{
    int i = threadIdx.x, x = a[i], y = b[i];
    asm("lop3.b32 %0, %1, %2, %2, 0xc0;" : "=r"(out[i]) : "r"(x), "r"(y));
    asm("dp4a.s32.s32 %0, %1, %2, 0;" : "=r"(out[4 + i]) : "r"(x), "r"(y));
    asm("dp4a.u32.u32 %0, %1, %2, 0;" : "=r"(out[8 + i]) : "r"(x), "r"(y));
    out[12 + i] = __funnelshift_l(y, x, 16);
    out[16 + i] = __funnelshift_r(x, y, 28) & 0xffffffff;
    asm("sad.s32 %0, %1, %2, 0;" : "=r"(out[20 + i]) : "r"(x), "r"(y));
    asm("bfind.s32 %0, %1;" : "=r"(out[24 + i]) : "r"(x));
    int picked = i == 1 ? 2 : i == 2 ? 0 : i == 3 ? 3 : 1;
    asm("slct.s32.s32 %0, %1, 99, %2;" : "=r"(out[28 + i]) : "r"(picked), "r"(i));
}
