// Types narrower than a register: sign and zero extension, wrap-around, arithmetic in 16 bits.
#include "lockstep.h"

//! run   bytes block=64
//! arg   s i8[64] = i * 9 - 128 - (i > 28 ? 256 : 0) - (i > 56 ? 256 : 0)
//! arg   u u8[64] = i * 4
//! arg   out i32[64] poison
//! arg   back i8[64] poison
//! want  out = s[i] * 2 + u[i]
//! want  back = s[i] < 0 ? -(s[i] + 1) : s[i]
__global__ void bytes(const signed char *s, const unsigned char *u, int *out, signed char *back)
{
    int i = threadIdx.x;
    out[i] = s[i] * 2 + u[i];
    back[i] = s[i] < 0 ? ~s[i] : s[i];
}

//! run   shorts block=40
//! arg   s i16[40] = i * 1700 - 32768
//! arg   u u16[40] = 65535 - i
//! arg   out i32[40] poison
//! arg   back i16[40] poison
//! arg   sum u16[40] poison
//! want  out = s[i] * 2 + u[i]
//! want  back = min(s[i], 100)
//! want  sum = (u[i] + i * 2) & 65535
__global__ void shorts(const short *s, const unsigned short *u, int *out, short *back, unsigned short *sum)
{
    int i = threadIdx.x;
    out[i] = s[i] * 2 + u[i];
    back[i] = s[i] < 100 ? s[i] : 100;
    sum[i] = u[i] + i * 2;
}

//! run   sixteen block=8
//! arg   a i16[8] = {1, -1, 32767, -32768, 300, -300, 12345, 7}
//! arg   b i16[8] = {2, -1, 1, -1, 300, 300, 4, -2}
//! arg   out i16[80] poison
//! want  out[0..7] = {3, -2, -32768, 32767, 600, 0, 12349, 5}
//! want  out[8..15] = {2, 1, 32767, -32768, 24464, -24464, -16156, -14}
//! want  out[16..23] = {0, 0, 0, 0, 1, -2, 0, -1}
//! want  out[24..31] = {0, 1, 32767, -32768, 1, -1, 3086, -3}
//! want  out[32..39] = {1, 0, 0, 0, 0, 0, 1, 1}
//! want  out[40..47] = {1, -1, 1, -32768, 300, -300, 4, -2}
//! want  out[48..55] = {2, -1, 32767, -1, 300, 300, 12345, 7}
//! want  out[56..63] = {4, -4, -4, 0, 1200, -1200, -16156, 28}
//! want  out[64..71] = {0, -1, 8191, -8192, 75, -75, 3086, 1}
//! want  out[72..79] = {-1, 1, -32767, -32768, -300, 300, -12345, -7}
__global__ void sixteen(const short *a, const short *b, short *out)
{
    int i = threadIdx.x;
    short x = a[i], y = b[i];
    unsigned two = 2;
    asm("add.s16 %0, %1, %2;" : "=h"(out[i]) : "h"(x), "h"(y));
    asm("mul.lo.s16 %0, %1, %2;" : "=h"(out[8 + i]) : "h"(x), "h"(y));
    asm("mul.hi.s16 %0, %1, %2;" : "=h"(out[16 + i]) : "h"(x), "h"(y));
    asm("div.s16 %0, %1, %2;" : "=h"(out[24 + i]) : "h"(x), "h"(y));
    asm("rem.s16 %0, %1, %2;" : "=h"(out[32 + i]) : "h"(x), "h"(y));
    asm("min.s16 %0, %1, %2;" : "=h"(out[40 + i]) : "h"(x), "h"(y));
    asm("max.s16 %0, %1, %2;" : "=h"(out[48 + i]) : "h"(x), "h"(y));
    asm("shl.b16 %0, %1, %2;" : "=h"(out[56 + i]) : "h"(x), "r"(two));
    asm("shr.s16 %0, %1, %2;" : "=h"(out[64 + i]) : "h"(x), "r"(two));
    asm("neg.s16 %0, %1;" : "=h"(out[72 + i]) : "h"(x));
}

//! run   wrapped block=4
//! arg   n i32[4] = {255, 256, 127, -129}
//! arg   out i32[12] poison
//! want  out = {0, 1, 128, 128, -1, 0, 127, 127, 0, 1, -128, -128}
__global__ void wrapped(const int *n, int *out)
{
    int i = threadIdx.x;
    unsigned char u = n[i];
    signed char s = n[i];
    u++;
    out[i] = u;
    out[4 + i] = s;
    s++;
    out[8 + i] = s;
}

//! run   packed block=4
//! arg   a u32[4] = {0x00010002, 0xffff0001, 0x80007fff, 0x12345678}
//! arg   out u32[12] poison
//! want  out[0..3] = {0x00020001, 0x0001ffff, 0x7fff8000, 0x56781234}
//! want  out[4..7] = {3, 65536, 65535, 0x68ac}
//! want  out[8..11] = {0x00010003, 0xffff0002, 0x80008000, 0x12345679}
__global__ void packed(const unsigned *a, unsigned *out)
{
    int i = threadIdx.x;
    unsigned short low, high;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(a[i]));
    asm("mov.b32 %0, {%1, %2};" : "=r"(out[i]) : "h"(high), "h"(low));
    out[4 + i] = (unsigned)low + high;
    unsigned short next = low + 1;
    asm("mov.b32 %0, {%1, %2};" : "=r"(out[8 + i]) : "h"(next), "h"(high));
}
