/* random_expr.c - random expressions whose value is defined to the last bit.
 *
 * Results are compared bit by bit, so nothing may depend on a compiler or a GPU:
 *     signed arithmetic is done in unsigned      overflow wraps around
 *     divisors are checked                       no division by zero, no INT_MIN / -1
 *     float to integer goes through PTX          cvt saturates
 *     a float product is one PTX instruction     it is never fused with a sum
 *     NaN becomes one fixed NaN                  wherever bits are read: its payload is not defined
 *
 * Optimisers replace some instructions by constants that differ from what the GPU computes at the
 * edges (tests/hardware/README.md lists them). A veil hides an operand or a result from the
 * optimiser:
 *
 *     x --> x + nought(), a zero that no compiler can prove to be one
 *
 * Then the GPU executes the instruction. Each lane computes its own zero; otherwise the hidden
 * value would be taken for one that is uniform across the warp. The veil is an addition because
 * ptxas merges several logical instructions into one, at times wrongly. Sources: PTX ISA,
 * "Instruction Set"; the C++ standard, operators.
 */
#include "hardware/random_expr.h"

#include <string.h>

int gen_below(struct gen *g, int n) { return (int)rng_below(&g->r, (uint64_t)n); }

int gen_chance(struct gen *g, int percent) { return gen_below(g, 100) < percent; }

/* ---- values ---- */

/* A random integer: an edge value of shifts, narrow types, conversions to float or signs; a small
 * number; any bits. */
uint32_t gen_u32(struct rng *r)
{
    static const uint32_t corners[] = {0, 1, 2, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7fff,
        0x8000, 0xffff, 0x10000, 0xffffff, 0x1000000, 0x1000001, 0x7ffffffe, 0x7fffffff,
        0x80000000u, 0x80000001u, 0xffffff80u, 0xffff8000u, 0xfffffffeu, 0xffffffffu};
    uint64_t any = rng_u64(r);
    switch (rng_below(r, 4)) {
    case 0: return corners[any % (sizeof corners / sizeof *corners)];
    case 1: return (uint32_t)any & 0xff;
    default: return (uint32_t)any;
    }
}

uint64_t gen_u64(struct rng *r)
{
    static const uint64_t corners[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
        0x1fffffffffffff, 0x20000000000001, 0x7fffffffffffffff, 0x8000000000000000u,
        0xffffffff80000000u, 0xffffffffffffffffu};
    uint64_t any = rng_u64(r);
    switch (rng_below(r, 4)) {
    case 0: return corners[any % (sizeof corners / sizeof *corners)];
    case 1: return gen_u32(r);
    default: return any;
    }
}

/* The bits of a random float. Edge values are zeros, infinities, NaNs, subnormals, the largest
 * values, and where conversions to integers and to half round or saturate. */
uint32_t gen_f32_bits(struct rng *r)
{
    static const uint32_t corners[] = {0, 0x80000000u, 0x3f800000, 0xbf800000u, 0x7f800000,
        0xff800000u, 0x7fc00000, 0x7f800001, 1, 0x80000001u, 0x7fffff, 0x800000, 0x7f7fffff,
        0xff7fffffu, 0x3f000000, 0x3effffff, 0x3f800001, 0x4b000000, 0x4b800000, 0x4effffff,
        0x4f000000, 0xcf000000u, 0x4f7fffff, 0x4f800000, 0x5f000000, 0x5f800000, 0x477fe000,
        0x33800000, 0x387fc000, 0x3fc00000, 0x40200000};
    uint64_t any = rng_u64(r);
    float value;
    uint32_t bits;
    switch (rng_below(r, 6)) {
    case 0: return corners[any % (sizeof corners / sizeof *corners)];
    case 1: return (uint32_t)any;
    case 2: value = (float)(int)(any % 513) - 256; break;
    default: value = (float)((rng_unit(r) - 0.5) * (double)(1 << (any % 12))); break;
    }
    memcpy(&bits, &value, 4);
    return bits;
}

uint64_t gen_f64_bits(struct rng *r)
{
    static const uint64_t corners[] = {0, 0x8000000000000000u, 0x3ff0000000000000,
        0xbff0000000000000u, 0x7ff0000000000000, 0xfff0000000000000u, 0x7ff8000000000000, 1,
        0xfffffffffffff, 0x10000000000000, 0x7fefffffffffffff, 0x3fe0000000000000,
        0x41dfffffffc00000, 0x41e0000000000000, 0x41efffffffe00000, 0x41f0000000000000,
        0x43e0000000000000, 0x43f0000000000000, 0x47efffffe0000000, 0x47effffff0000000,
        0x36a0000000000000, 0x3690000000000000};
    uint64_t any = rng_u64(r), bits;
    double value;
    switch (rng_below(r, 6)) {
    case 0: return corners[any % (sizeof corners / sizeof *corners)];
    case 1: return any;
    case 2: value = (double)(int)(any % 513) - 256; break;
    default: value = (rng_unit(r) - 0.5) * (double)(1 << (any % 20)); break;
    }
    memcpy(&bits, &value, 8);
    return bits;
}

/* ---- operations ----
 *
 * result and args are letters of types. text is one of:
 *     an expression with $1 .. $4, where the arguments go
 *     a PTX instruction, without '$'; what follows '|' is a further, immediate operand
 * veil lists what optimisers must not see through: the numbers of operands, and r for the
 * result. */

static const struct operation {
    char result;
    const char *args, *text, *veil;
} operations[] = {
    /* 32 bits: C++ operators, then PTX instructions. */
    {'u', "uu", "($1 + $2)"},
    {'u', "uu", "($1 - $2)"},
    {'u', "uu", "($1 * $2)"},
    {'u', "uuu", "($1 * $2 + $3)"},
    {'u', "uu", "($1 & $2)"},
    {'u', "uu", "($1 | $2)"},
    {'u', "uu", "($1 ^ $2)"},
    {'u', "u", "(~$1)"},
    {'u', "u", "(0u - $1)"},
    {'u', "uu", "($1 << ($2 & 31))"},
    {'u', "uu", "($1 >> ($2 & 31))"},
    {'u', "uu", "(unsigned)((int)$1 >> ($2 & 31))"},
    {'u', "puu", "($1 ? $2 : $3)"},
    {'u', "p", "(unsigned)($1)"},
    {'u', "uu", "udiv($1, $2)"},
    {'u', "uu", "urem($1, $2)"},
    {'u', "uu", "sdiv($1, $2)"},
    {'u', "uu", "srem($1, $2)"},
    {'u', "u", "($1 / 7u)"},
    {'u', "u", "(unsigned)((int)$1 % 10)"},
    {'u', "u", "(unsigned)(unsigned char)$1"},
    {'u', "u", "(unsigned)(signed char)$1"},
    {'u', "u", "(unsigned)(unsigned short)$1"},
    {'u', "u", "(unsigned)(short)veil($1)"},
    {'u', "uu", "(unsigned)(short)((short)$1 * (short)veil($2))"},
    {'u', "uu", "(unsigned)(unsigned char)($1 + $2)"},
    {'u', "w", "(unsigned)$1"},
    {'u', "w", "(unsigned)($1 >> 32)"},
    {'u', "f", "float_bits($1)"},
    {'u', "d", "(unsigned)(double_bits($1) >> 32)"},
    {'u', "ff", "float_bits($1 * $2)"},
    {'u', "fff", "float_bits(fused($1, $2, $3))"},
    {'u', "uu", "lesser($1, $2)"},
    {'u', "uu", "smax($1, $2)"},
    {'u', "uu", "rotate($1, $2)"},
    {'u', "uu", "mul.hi.u32"},
    {'u', "uu", "mul.hi.s32"},
    {'u', "uuu", "mad.hi.u32"},
    {'u', "uuu", "mad.hi.s32"},
    {'u', "uu", "mul24.lo.u32"},
    {'u', "uu", "mul24.lo.s32"},
    {'u', "uuu", "sad.u32"},
    {'u', "uuu", "sad.s32"},
    {'u', "uu", "min.s32"},
    {'u', "uu", "max.u32"},
    {'u', "u", "abs.s32", "r"},
    {'u', "u", "neg.s32", "r"},
    {'u', "u", "cnot.b32", "r"},
    {'u', "uu", "shl.b32"},
    {'u', "uu", "shr.u32"},
    {'u', "uu", "shr.s32"},
    {'u', "uuu", "shf.l.wrap.b32"},
    {'u', "uuu", "shf.l.clamp.b32"},
    {'u', "uuu", "shf.r.wrap.b32"},
    {'u', "uuu", "shf.r.clamp.b32"},
    {'u', "uuu", "prmt.b32"},
    {'u', "uuu", "lop3.b32|0x96", "r"},
    {'u', "uuu", "lop3.b32|0xe8", "r"},
    {'u', "uuu", "lop3.b32|0x1b", "r"},
    {'u', "uuu", "bfe.u32", "123"},
    {'u', "uuu", "bfe.s32", "123"},
    {'u', "uuuu", "bfi.b32", "1234"},
    {'u', "u", "brev.b32"},
    {'u', "u", "clz.b32"},
    {'u', "u", "popc.b32"},
    {'u', "u", "bfind.u32"},
    {'u', "u", "bfind.s32"},
    {'u', "u", "bfind.shiftamt.u32"},
    {'u', "w", "clz.b64"},
    {'u', "w", "popc.b64"},
    {'u', "w", "bfind.u64"},
    {'u', "uuu", "dp4a.u32.u32"},
    {'u', "uuu", "dp4a.s32.s32"},
    {'u', "uuu", "dp4a.u32.s32"},
    {'u', "uuu", "dp4a.s32.u32"},
    {'u', "uuu", "dp2a.lo.u32.u32"},
    {'u', "uuu", "dp2a.lo.s32.u32"},
    {'u', "uuu", "dp2a.hi.u32.s32"},
    {'u', "uuu", "dp2a.hi.s32.s32"},
    {'u', "uuu", "slct.u32.s32"},
    {'u', "uuf", "slct.u32.f32", "3"},
    {'u', "f", "cvt.rzi.u32.f32", "r"},
    {'u', "f", "cvt.rni.u32.f32", "r"},
    {'u', "f", "cvt.rmi.s32.f32", "r"},
    {'u', "f", "cvt.rpi.s32.f32", "r"},
    {'u', "f", "cvt.rzi.s32.f32", "r"},
    {'u', "f", "cvt.rni.s32.f32", "r"},
    {'u', "d", "cvt.rzi.u32.f64", "r"},
    {'u', "d", "cvt.rni.s32.f64", "r"},
    {'u', "f", "cvt.rzi.u16.f32", "r"},
    {'u', "f", "cvt.rzi.s16.f32", "r"},
    {'u', "f", "cvt.rzi.u8.f32", "r"},
    {'u', "f", "cvt.rzi.s8.f32", "r"},
    {'u', "f", "half_bits($1)"},
    {'u', "u", "cvt.s32.s8"},
    {'u', "u", "cvt.u32.u16"},
    {'u', "ff", "set.lt.u32.f32", "r"},
    {'u', "uu", "set.ge.u32.s32", "r"},

    /* 64 bits. */
    {'w', "ww", "($1 + $2)"},
    {'w', "ww", "($1 - $2)"},
    {'w', "ww", "($1 * $2)"},
    {'w', "ww", "($1 & $2)"},
    {'w', "ww", "($1 | $2)"},
    {'w', "ww", "($1 ^ $2)"},
    {'w', "w", "(~$1)"},
    {'w', "wu", "($1 << ($2 & 63))"},
    {'w', "wu", "($1 >> ($2 & 63))"},
    {'w', "wu", "(wide)((swide)$1 >> ($2 & 63))"},
    {'w', "pww", "($1 ? $2 : $3)"},
    {'w', "ww", "wdiv($1, $2)"},
    {'w', "ww", "wrem($1, $2)"},
    {'w', "ww", "swdiv($1, $2)"},
    {'w', "ww", "swrem($1, $2)"},
    {'w', "w", "($1 / 1000003u)"},
    {'w', "u", "(wide)$1"},
    {'w', "u", "(wide)(swide)(int)$1"},
    {'w', "uu", "((wide)$1 << 32 | $2)"},
    {'w', "uu", "((wide)$1 * $2)"},
    {'w', "uu", "(wide)((swide)(int)$1 * (int)$2)"},
    {'w', "d", "double_bits($1)"},
    {'w', "ddd", "double_bits(fused($1, $2, $3))"},
    {'w', "ww", "carried($1, $2)"},
    {'w', "ww", "borrowed($1, $2)"},
    {'w', "ww", "mul.hi.u64"},
    {'w', "ww", "mul.hi.s64"},
    {'w', "uuw", "mad.wide.u32"},
    {'w', "uuw", "mad.wide.s32"},
    {'w', "www", "mad.lo.u64"},
    {'w', "ww", "min.s64"},
    {'w', "ww", "max.u64"},
    {'w', "w", "abs.s64", "r"},
    {'w', "w", "neg.s64", "r"},
    {'w', "w", "brev.b64"},
    {'w', "wuu", "bfe.u64"},
    {'w', "wuu", "bfe.s64"},
    {'w', "wwuu", "bfi.b64"},
    {'w', "wu", "shl.b64", "2"},
    {'w', "wu", "shr.u64"},
    {'w', "wu", "shr.s64"},
    {'w', "wwu", "slct.u64.s32"},
    {'w', "f", "cvt.rzi.u64.f32", "r"},
    {'w', "f", "cvt.rni.s64.f32", "r"},
    {'w', "d", "cvt.rzi.s64.f64", "r"},
    {'w', "d", "cvt.rpi.u64.f64", "r"},
    {'w', "d", "cvt.rmi.s64.f64", "r"},

    /* float. */
    {'f', "ff", "($1 + $2)"},
    {'f', "ff", "($1 - $2)"},
    {'f', "f", "(-$1)"},
    {'f', "ff", "($1 / $2)"},
    {'f', "pff", "($1 ? $2 : $3)"},
    {'f', "u", "(float)$1"},
    {'f', "u", "(float)(int)$1"},
    {'f', "w", "(float)$1"},
    {'f', "w", "(float)(swide)$1"},
    {'f', "u", "(float)(unsigned char)$1"},
    {'f', "u", "(float)(short)veil($1)"},
    {'f', "d", "(float)$1"},
    {'f', "u", "half_value($1)"},
    {'f', "fu", "signed_as($1, $2)"},
    {'f', "ff", "mul.rn.f32"},
    {'f', "ff", "mul.rn.f32"},
    {'f', "fff", "fma.rn.f32"},
    {'f', "fff", "fma.rn.f32"},
    {'f', "ff", "add.rn.f32"},
    {'f', "ff", "sub.rn.f32"},
    {'f', "ff", "min.f32"},
    {'f', "ff", "max.f32"},
    {'f', "f", "abs.f32"},
    {'f', "ff", "div.rn.f32"},
    {'f', "f", "sqrt.rn.f32"},
    {'f', "f", "rcp.rn.f32"},
    {'f', "u", "mov.b32"},
    {'f', "ff", "add.rn.ftz.f32"},
    {'f', "ff", "mul.rn.ftz.f32"},
    {'f', "fff", "fma.rn.ftz.f32"},
    {'f', "ff", "add.rn.sat.f32"},
    {'f', "fff", "fma.rn.sat.f32"},
    {'f', "ff", "mul.rn.ftz.sat.f32"},
    {'f', "ff", "min.ftz.f32"},
    {'f', "f", "cvt.rzi.f32.f32"},
    {'f', "f", "cvt.rni.f32.f32"},
    {'f', "f", "cvt.rmi.f32.f32"},
    {'f', "f", "cvt.rpi.f32.f32"},
    {'f', "f", "cvt.sat.f32.f32"},
    {'f', "f", "cvt.ftz.f32.f32", "r"},
    {'f', "u", "cvt.rn.f32.u8"},
    {'f', "u", "cvt.rn.f32.s16"},

    /* double. */
    {'d', "dd", "($1 + $2)"},
    {'d', "dd", "($1 - $2)"},
    {'d', "d", "(-$1)"},
    {'d', "dd", "($1 / $2)"},
    {'d', "pdd", "($1 ? $2 : $3)"},
    {'d', "f", "(double)$1"},
    {'d', "u", "(double)$1"},
    {'d', "u", "(double)(int)$1"},
    {'d', "w", "(double)$1"},
    {'d', "w", "(double)(swide)$1"},
    {'d', "dd", "mul.rn.f64"},
    {'d', "dd", "mul.rn.f64"},
    {'d', "ddd", "fma.rn.f64"},
    {'d', "dd", "min.f64"},
    {'d', "dd", "max.f64"},
    {'d', "d", "abs.f64"},
    {'d', "d", "sqrt.rn.f64"},
    {'d', "d", "rcp.rn.f64"},
    {'d', "w", "mov.b64"},
    {'d', "d", "cvt.rmi.f64.f64"},
    {'d', "d", "cvt.rni.f64.f64"},

    /* Conditions. */
    {'p', "uu", "($1 < $2)"},
    {'p', "uu", "((int)$1 < (int)$2)"},
    {'p', "uu", "($1 == $2)"},
    {'p', "uu", "($1 != $2)"},
    {'p', "uu", "((int)$1 >= (int)$2)"},
    {'p', "u", "(($1 & 1) != 0)"},
    {'p', "u", "(($1 & 5) == 1)"},
    {'p', "u", "((int)$1 > 0)"},
    {'p', "ww", "($1 < $2)"},
    {'p', "ww", "((swide)$1 <= (swide)$2)"},
    {'p', "ww", "($1 == $2)"},
    {'p', "ff", "($1 < $2)"},
    {'p', "ff", "($1 >= $2)"},
    {'p', "ff", "($1 == $2)"},
    {'p', "ff", "($1 != $2)"},
    {'p', "ff", "(!($1 > $2))"},
    {'p', "dd", "($1 < $2)"},
    {'p', "dd", "(!($1 <= $2))"},
    {'p', "pp", "($1 && $2)"},
    {'p', "pp", "($1 || $2)"},
    {'p', "pp", "($1 != $2)"},
    {'p', "p", "(!$1)"},
    {'p', "uu", "((signed char)$1 < (signed char)$2)"},
    {'p', "uu", "((unsigned short)$1 > (unsigned short)$2)"},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const char *c_type(char t)
{
    return t == 'u'   ? "unsigned"
           : t == 'w' ? "wide"
           : t == 'f' ? "float"
           : t == 'd' ? "double"
                      : "bool";
}

/* The letter of an inline assembly constraint: r, l, f or d. */
static char constraint(char t) { return t == 'u' ? 'r' : t == 'w' ? 'l' : t; }

static int is_ptx(const struct operation *o) { return !strchr(o->text, '$'); }

/* The name of an instruction's wrapper function: ptx_fma_rn_f32 for fma.rn.f32. */
static void ptx_name(const struct operation *o, struct buf *out)
{
    buf_printf(out, "ptx_");
    for (const char *p = o->text; *p; p++) buf_printf(out, "%c", *p == '.' || *p == '|' ? '_' : *p);
}

/* Whether an earlier row has the same text. Some rows stand twice, to be chosen more often. */
static int seen_before(int at)
{
    for (int i = 0; i < at; i++)
        if (!strcmp(operations[i].text, operations[at].text)) return 1;
    return 0;
}

/* Whether an operand ('1' to '4') or the result ('r') is veiled. */
static int veiled(const struct operation *o, char what) { return o->veil && strchr(o->veil, what); }

/* A device function with one inline assembly instruction. */
static void ptx_wrapper(const struct operation *o, struct buf *out)
{
    int n = (int)strlen(o->args), name = (int)strcspn(o->text, "|");
    buf_printf(out, "static __device__ __forceinline__ %s ", c_type(o->result));
    ptx_name(o, out);
    for (int i = 0; i < n; i++)
        buf_printf(out, "%s%s %c", i ? ", " : "(", c_type(o->args[i]), 'a' + i);
    buf_printf(out, ")\n{\n    %s r;\n    asm(\"%.*s %%0", c_type(o->result), name, o->text);
    for (int i = 0; i < n; i++) buf_printf(out, ", %%%d", i + 1);
    if (o->text[name]) buf_printf(out, ", %s", o->text + name + 1);
    buf_printf(out, ";\" : \"=%c\"(r) : ", constraint(o->result));
    for (int i = 0; i < n; i++)
        buf_printf(out, veiled(o, (char)('1' + i)) ? "%s\"%c\"(veil(%c))" : "%s\"%c\"(%c)",
            i ? ", " : "", constraint(o->args[i]), 'a' + i);
    buf_printf(out, ");\n    return %s;\n}\n", veiled(o, 'r') ? "veil(r)" : "r");
}

/* The functions that the expressions call. Division by 0 has the result that udiv and the like
 * give it. */
static const char functions[] =
    "typedef unsigned long long wide;\ntypedef long long swide;\n"
    "#define FN static __device__ __forceinline__\n"
    "FN unsigned nought() // the lanes below this one that are above it\n{\n    unsigned lt, gt;\n"
    "    asm(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(lt));\n    asm(\"mov.u32 %0, %%lanemask_gt;\" : "
    "\"=r\"(gt));\n    return lt & gt;\n}\n"
    "FN unsigned veil(unsigned x) { unsigned r; asm(\"add.u32 %0, %1, %2;\" : \"=r\"(r) : \"r\"(x), "
    "\"r\"(nought())); return r; }\n"
    "FN wide veil(wide x) { wide r; asm(\"add.u64 %0, %1, %2;\" : \"=l\"(r) : \"l\"(x), "
    "\"l\"((wide)nought())); return r; }\n"
    "FN float veil(float x)\n{\n    float r;\n    asm(\"{\\n\\t.reg .b32 t;\\n\\tmov.b32 t, %1;\\n\\txor.b32 "
    "t, t, %2;\\n\\tmov.b32 %0, t;\\n\\t}\""
    " : \"=f\"(r) : \"f\"(x), \"r\"(nought()));\n    return r;\n}\n"
    "FN unsigned udiv(unsigned a, unsigned b) { return b ? a / b : ~a; }\n"
    "FN unsigned urem(unsigned a, unsigned b) { return b ? a % b : a; }\n"
    "FN int odd(unsigned b) { return b + 1 < 2 ? 3 : (int)b; }\n"
    "FN unsigned sdiv(unsigned a, unsigned b) { return (unsigned)((int)a / odd(b)); }\n"
    "FN unsigned srem(unsigned a, unsigned b) { return (unsigned)((int)a % odd(b)); }\n"
    "FN wide wdiv(wide a, wide b) { return b ? a / b : ~a; }\n"
    "FN wide wrem(wide a, wide b) { return b ? a % b : a; }\n"
    "FN swide wodd(wide b) { return b + 1 < 2 ? 3 : (swide)b; }\n"
    "FN wide swdiv(wide a, wide b) { return (wide)((swide)a / wodd(b)); }\n"
    "FN wide swrem(wide a, wide b) { return (wide)((swide)a % wodd(b)); }\n"
    "FN unsigned lesser(unsigned a, unsigned b) { return a < b ? a : b; }\n"
    "FN unsigned smax(unsigned a, unsigned b) { return (int)a > (int)b ? a : b; }\n"
    "FN unsigned rotate(unsigned a, unsigned n) { return a << (n & 31) | a >> (-n & 31); }\n"
    "FN unsigned float_bits(float x)\n{\n    unsigned u;\n    asm(\"mov.b32 %0, %1;\" : \"=r\"(u) : "
    "\"f\"(x));\n"
    "    return (u & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : u;\n}\n"
    "FN wide double_bits(double x)\n{\n    wide u;\n    asm(\"mov.b64 %0, %1;\" : \"=l\"(u) : \"d\"(x));\n"
    "    return (u & 0x7fffffffffffffffu) > 0x7ff0000000000000u ? 0x7fffffffffffffffu : u;\n}\n"
    "FN float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }\n"
    "FN double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }\n"
    "FN unsigned half_bits(float x)\n{\n    unsigned u;\n"
    "    asm(\"{\\n\\t.reg .b16 h;\\n\\tcvt.rn.f16.f32 h, %1;\\n\\tmov.b32 %0, {h, h};\\n\\t}\" : \"=r\"(u) "
    ": \"f\"(x));\n    return u;\n}\n"
    "FN float half_value(unsigned u)\n{\n    float x;\n"
    "    asm(\"{\\n\\t.reg .b16 h, g;\\n\\tmov.b32 {h, g}, %1;\\n\\tcvt.f32.f16 %0, h;\\n\\t}\" : \"=f\"(x) "
    ": \"r\"(veil(u)));\n    return x;\n}\n"
    "FN float signed_as(float x, unsigned u) { return __builtin_copysignf(x, (float)(int)u); }\n"
    "FN wide carried(wide a, wide b)\n{\n    unsigned lo, hi;\n"
    "    asm(\"add.cc.u32 %0, %2, %4;\\n\\taddc.u32 %1, %3, %5;\" : \"=&r\"(lo), \"=r\"(hi)\n"
    "        : \"r\"((unsigned)a), \"r\"((unsigned)(a >> 32)), \"r\"((unsigned)b), \"r\"((unsigned)(b >> "
    "32)));\n"
    "    return (wide)hi << 32 | lo;\n}\n"
    "FN wide borrowed(wide a, wide b)\n{\n    unsigned lo, hi;\n"
    "    asm(\"sub.cc.u32 %0, %2, %4;\\n\\tsubc.u32 %1, %3, %5;\" : \"=&r\"(lo), \"=r\"(hi)\n"
    "        : \"r\"((unsigned)a), \"r\"((unsigned)(a >> 32)), \"r\"((unsigned)b), \"r\"((unsigned)(b >> "
    "32)));\n"
    "    return (wide)hi << 32 | lo;\n}\n";

/* Tables in constant memory and, for narrow signed loads, in global memory. */
static const char tables[] =
    "__constant__ unsigned table_u[16] = {0, 1, 0x80000000u, 0xffffffffu, 7, 0x10000u, 0x7fffffffu, 255,\n"
    "                                     3, 5, 0xdeadbeefu, 0x01234567u, 31, 32, 33, 0xffff8000u};\n"
    "__constant__ float table_f[8] = {0.0f, -0.0f, 1.5f, -3.25f, 1e-40f, 3e38f, 0.1f, 16777216.0f};\n"
    "__device__ volatile short table_h[8] = {0, -1, 32767, -32768, 100, -100, 7, 1};\n";

/* Compiler warnings are switched off, since random code deserves them. */
void gen_prelude(struct buf *out)
{
    buf_printf(out,
        "#include \"lockstep.h\"\n\n#ifdef __clang__\n#pragma clang diagnostic ignored "
        "\"-Weverything\"\n#else\n"
        "#pragma nv_diag_suppress 68, 111, 128, 174, 177, 186, 550\n#endif\n%s",
        functions);
    for (int i = 0; i < OPERATIONS; i++)
        if (is_ptx(&operations[i]) && !seen_before(i)) ptx_wrapper(&operations[i], out);
    buf_printf(out, "%s", tables);
}

/* ---- leaves ---- */

/* An index below size, which must be a power of two. At the deepest level it is a simple one. */
static void index_below(struct gen *g, int depth, unsigned size)
{
    buf_printf(g->out, "(");
    gen_expr(g, 'u', depth > 0 ? 1 : 0);
    buf_printf(g->out, " & %uu)", size - 1);
}

/* An element of a buffer, in one of the ways in which programs address one: from the end, by a
 * byte offset, by the thread's own index, by a constant, by a computed index. size is in
 * elements, a power of two. */
static void element(
    struct gen *g, const char *buffer, const char *type, unsigned bytes, unsigned size, int depth)
{
    switch (gen_below(g, 6)) {
    case 0:
        buf_printf(g->out, "(%s + %u)[-(int)(1 + ", buffer, size);
        index_below(g, depth, size);
        buf_printf(g->out, ")]");
        break;
    case 1:
        buf_printf(g->out, "*(const %s%s *)((const %schar *)%s + %u * (wide)", g->watch, type,
            g->watch, buffer, bytes);
        index_below(g, depth, size);
        buf_printf(g->out, ")");
        break;
    case 2:
        buf_printf(g->out, "%s[(g & %u) ^ %d]", buffer, size / 2 - 1, gen_below(g, (int)size / 2));
        break;
    case 3: buf_printf(g->out, "%s[%d]", buffer, gen_below(g, (int)size)); break;
    default:
        buf_printf(g->out, "%s[", buffer);
        index_below(g, depth, size);
        buf_printf(g->out, "]");
        break;
    }
}

static void constant(struct gen *g, char type)
{
    if (type == 'u')
        buf_printf(g->out, "%uu", gen_u32(&g->r));
    else if (type == 'w')
        buf_printf(g->out, "%lluull", (unsigned long long)gen_u64(&g->r));
    else if (type == 'f')
        buf_printf(g->out, gen_chance(g, 60) ? "ptx_mov_b32(0x%xu)" : "(float)(int)0x%xu",
            gen_f32_bits(&g->r));
    else
        buf_printf(g->out, "ptx_mov_b64(0x%llxull)", (unsigned long long)gen_f64_bits(&g->r));
}

/* An element of one of the kernel's inputs. A 'u' may also be a converted byte or short. */
static int buffer_leaf(struct gen *g, char type, int depth)
{
    int which = gen_below(g, 4);
    if (type == 'u') buf_printf(g->out, "(unsigned)");
    if (type == 'u' && which == 0)
        element(g, "ib", "unsigned char", 1, 512, depth);
    else if (type == 'u' && which == 1)
        element(g, "ih", "short", 2, 256, depth);
    else if (type == 'u')
        element(g, "iu", "unsigned", 4, 256, depth);
    else if (type == 'w')
        element(g, "iw", "wide", 8, 128, depth);
    else if (type == 'f')
        element(g, "fi", "float", 4, 256, depth);
    else
        element(g, "di", "double", 8, 128, depth);
    return 1;
}

/* An element of a shared array. Returns 0, with nothing written, if the type has none. */
static int shared_leaf(struct gen *g, char type, int depth)
{
    static const char *const narrow[] = {"su", "sb", "sh", "sd"};
    if (type == 'd' || (type == 'w' && gen_chance(g, 50))) return 0;
    if (type == 'u') buf_printf(g->out, "(unsigned)");
    buf_printf(g->out, "%s[", type == 'w' ? "sw" : type == 'f' ? "sf" : narrow[gen_below(g, 4)]);
    index_below(g, depth, g->shared_size);
    buf_printf(g->out, "]");
    return 1;
}

/* Something that exists only in a kernel: shared memory, an index, a parameter, a table or a
 * buffer. Returns 0, with nothing written, if the choice does not fit the type. */
static int kernel_leaf(struct gen *g, char type, int depth)
{
    static const char *const ids[] = {"t", "g", "blockIdx.x", "threadIdx.x", "threadIdx.y", "lane",
        "s0", "(unsigned)s3", "(unsigned)s4", "gridDim.x", "blockDim.x", "(unsigned)s5.c"};
    switch (gen_below(g, 5)) {
    case 0: return g->shared && shared_leaf(g, type, depth);
    case 1:
        if (type == 'u')
            buf_printf(g->out, "%s", ids[gen_below(g, 12)]);
        else
            buf_printf(g->out, "%s",
                type == 'w'   ? "s1"
                : type == 'f' ? (gen_chance(g, 50) ? "s2" : "s5.x")
                              : "s5.y");
        return 1;
    case 2:
        if (type != 'u' && type != 'f') return 0;
        buf_printf(g->out, "%s[",
            type == 'f'         ? "table_f"
            : gen_chance(g, 70) ? "(unsigned)table_u"
                                : "(unsigned)table_h");
        index_below(g, depth, 8);
        buf_printf(g->out, "]");
        return 1;
    default: return buffer_leaf(g, type, depth);
    }
}

/* The end of an expression: a variable, a constant, or what is in scope. */
static void leaf(struct gen *g, char type, int depth)
{
    int count = type == 'u' ? g->u : type == 'w' ? g->w : type == 'f' ? g->f : g->d;
    if (type == 'p') {
        buf_printf(g->out, "((u0 & %du) != 0)", 1 << gen_below(g, 6));
        return;
    }
    if (g->local && type == 'u' && gen_chance(g, 10)) {
        buf_printf(g->out, "a[");
        index_below(g, depth, 8);
        buf_printf(g->out, "]");
        return;
    }
    if (g->loops && type == 'u' && gen_chance(g, 15)) {
        buf_printf(g->out, "i%d", gen_below(g, g->loops));
        return;
    }
    if (g->in_kernel && gen_chance(g, 30) && kernel_leaf(g, type, depth)) return;
    if (gen_chance(g, 25))
        constant(g, type);
    else
        buf_printf(g->out, "%c%d", type, gen_below(g, count));
}

/* Append a random expression of a type, with at most `depth` operations on top of each other. */
void gen_expr(struct gen *g, char type, int depth)
{
    const struct operation *o;
    if (depth <= 0 || gen_chance(g, 15)) {
        leaf(g, type, depth);
        return;
    }
    do o = &operations[gen_below(g, OPERATIONS)];
    while (o->result != type);
    if (is_ptx(o)) {
        ptx_name(o, g->out);
        for (const char *a = o->args; *a; a++) {
            buf_printf(g->out, a == o->args ? "(" : ", ");
            gen_expr(g, *a, depth - 1);
        }
        buf_printf(g->out, ")");
        return;
    }
    for (const char *p = o->text; *p; p++) {
        if (*p == '$')
            gen_expr(g, o->args[*++p - '1'], depth - 1);
        else
            buf_printf(g->out, "%c", *p);
    }
}
