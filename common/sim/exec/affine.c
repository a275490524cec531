/* affine.c - arithmetic on compact registers: registers held as bases and strides instead of a
 * value per lane.
 *
 * A compact register holds base[w] + sx * x + sy * y in lane (x, y) of warp w (machine.h). Some
 * results can be kept in that form:
 *
 *     a + b, a - b        add or subtract bases and strides
 *     a * m, a << m       m is one number: multiply base and strides by it
 *     a | m               m has only bits that are 0 in every lane of a: the same as a + m
 *     a & m, a ^ m, a >> m  lanes of a warp differ in low bits only, and m treats these bits alike
 *     widening            no lane wraps around: the strides stay
 *
 * Such a handler costs one operation per warp, not 32. Every other case falls back to the handler
 * of alu_*.c.
 *
 * 32-bit values are exact modulo 2^32, so their strides are kept as signed 32-bit integers. */
#include "sim/machine.h"

/* Converts the stride of a 64-bit register to that of a 32-bit one: modulo 2^32, then signed. */
static int64_t narrow(int64_t stride) { return (int32_t)(uint32_t)(uint64_t)stride; }

/* Are both registers held as base and strides? (The value of FORM_LANES is 0.) */
static int all_affine(const struct reg *a, const struct reg *b) { return a->form && b->form; }

/* Calls the unmasked handler of alu_*.c, which works by warp if its sources are uniform, else by
 * lane. */
#define FALL_BACK(op) sim_alu[OP_##op].run(v, u)

/* Handler of d = a. Like the macros below, it defines a function affine_ID of type handler. */
#define MOVE(id) \
    static void affine_##id(struct batch *v, const struct uop *u) \
    { \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a]; \
        if (!a->form) { \
            FALL_BACK(id); \
            return; \
        } \
        for (int w = 0; w < BATCH_WARPS; w++) d->base[w] = a->base[w]; \
        reg_compact(d, a->sx, a->sy); \
    }
MOVE(mov_b32)
MOVE(mov_b64)

/* Handler of d = a + b or a - b. T: the C type to which bases are truncated; fit: a function that
 * does the same with strides. */
#define SUM(id, T, sign, fit) \
    static void affine_##id(struct batch *v, const struct uop *u) \
    { \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a], *b = &v->regs[u->b]; \
        if (!all_affine(a, b)) { \
            FALL_BACK(id); \
            return; \
        } \
        for (int w = 0; w < BATCH_WARPS; w++) d->base[w] = (T)(a->base[w] sign b->base[w]); \
        reg_compact(d, fit(a->sx sign b->sx), fit(a->sy sign b->sy)); \
    }
#define SAME(x) (x)
SUM(add_b32, uint32_t, +, narrow)
SUM(sub_b32, uint32_t, -, narrow)
SUM(add_b64, uint64_t, +, SAME)
SUM(sub_b64, uint64_t, -, SAME)

/* d = a * m, or a * m + c, where m is the same number in the whole batch. d may be the same
 * register as a or c, since each element is read before it is written. Returns 0, with d unchanged,
 * if a or c is not held as base and strides. */
static int affine_multiply(
    struct reg *d, const struct reg *a, uint64_t m, const struct reg *c, int wide)
{
    if (!a->form || (c && !c->form)) return 0;
    int64_t sx = (int64_t)((uint64_t)a->sx * m + (c ? (uint64_t)c->sx : 0));
    int64_t sy = (int64_t)((uint64_t)a->sy * m + (c ? (uint64_t)c->sy : 0));
    for (int w = 0; w < BATCH_WARPS; w++) {
        uint64_t x = a->base[w] * m + (c ? c->base[w] : 0);
        d->base[w] = wide ? x : (uint32_t)x;
    }
    reg_compact(d, wide ? sx : narrow(sx), wide ? sy : narrow(sy));
    return 1;
}

/* d = a * b, or a * b + c, where a or b is the same number in the whole batch. Returns 0, with d
 * unchanged, if neither a nor b is such a number, or if the other one or c is not held as base and
 * strides. */
static int affine_product(
    struct reg *d, const struct reg *a, const struct reg *b, const struct reg *c, int wide)
{
    if (reg_scalar(b)) return affine_multiply(d, a, b->base[0], c, wide);
    return reg_scalar(a) && affine_multiply(d, b, a->base[0], c, wide);
}

/* The low half of a product is exact modulo 2^32 or 2^64 whatever the signs. */
static void affine_mul_lo_b32(struct batch *v, const struct uop *u)
{
    if (!affine_product(&v->regs[u->d], &v->regs[u->a], &v->regs[u->b], NULL, 0))
        FALL_BACK(mul_lo_b32);
}

static void affine_mul_lo_b64(struct batch *v, const struct uop *u)
{
    if (!affine_product(&v->regs[u->d], &v->regs[u->a], &v->regs[u->b], NULL, 1))
        FALL_BACK(mul_lo_b64);
}

static void affine_mad_lo_b32(struct batch *v, const struct uop *u)
{
    if (!affine_product(&v->regs[u->d], &v->regs[u->a], &v->regs[u->b], &v->regs[u->c], 0))
        FALL_BACK(mad_lo_b32);
}

static void affine_mad_lo_b64(struct batch *v, const struct uop *u)
{
    if (!affine_product(&v->regs[u->d], &v->regs[u->a], &v->regs[u->b], &v->regs[u->c], 1))
        FALL_BACK(mad_lo_b64);
}

/* A left shift multiplies by a power of two. Shifts by the width of the type or more are left to
 * the general handler. */
static void affine_shl_b32(struct batch *v, const struct uop *u)
{
    const struct reg *b = &v->regs[u->b];
    if (!reg_scalar(b) || b->base[0] > 31 ||
        !affine_multiply(&v->regs[u->d], &v->regs[u->a], (uint64_t)1 << b->base[0], NULL, 0))
        FALL_BACK(shl_b32);
}

static void affine_shl_b64(struct batch *v, const struct uop *u)
{
    const struct reg *b = &v->regs[u->b];
    if (!reg_scalar(b) || b->base[0] > 63 ||
        !affine_multiply(&v->regs[u->d], &v->regs[u->a], (uint64_t)1 << b->base[0], NULL, 1))
        FALL_BACK(shl_b64);
}

/* Is a | m the same as a + m? Yes if m is one number, with all its bits below the lowest bit that
 * is set in any base or stride of a: then every lane of a has zeros where m has bits. */
static int disjoint(const struct reg *a, const struct reg *m)
{
    uint64_t bits = (uint64_t)a->sx | (uint64_t)a->sy;
    for (int w = 0; w < BATCH_WARPS; w++) bits |= a->base[w];
    uint64_t low = bits ? (bits & (0 - bits)) - 1 : ~(uint64_t)0;
    return a->form && reg_scalar(m) && (m->base[0] & ~low) == 0;
}

/* Handler of d = a | b. Either source can be the one whose bits lie below those of the other. */
#define OR(id, T) \
    static void affine_##id(struct batch *v, const struct uop *u) \
    { \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a], *b = &v->regs[u->b]; \
        if (disjoint(b, a)) { \
            struct reg *t = a; \
            a = b; \
            b = t; \
        } else if (!disjoint(a, b)) { \
            FALL_BACK(id); \
            return; \
        } \
        for (int w = 0; w < BATCH_WARPS; w++) d->base[w] = (T)(a->base[w] + b->base[w]); \
        reg_compact(d, a->sx, a->sy); \
    }
OR(or_b32, uint32_t)
OR(or_b64, uint64_t)

/* Do the lanes of each warp differ only in their lowest "bits" bits? Then adding the strides never
 * carries into the higher bits:
 *
 *      lanes of a warp    1 0 1 1 . . .     . . .: base + sx * x + sy * y, 0 to 2^bits - 1 */
static int differ_below(const struct batch *v, const struct reg *a, int bits)
{
    int64_t dx = a->sx * v->worker->lane_x[31], dy = a->sy * v->worker->lane_y[31], bad = 0;
    int64_t down = (dx < 0 ? dx : 0) + (dy < 0 ? dy : 0),
            up = (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0);
    int64_t low = ((int64_t)1 << bits) - 1;
    for (int w = 0; w < BATCH_WARPS; w++) {
        int64_t x = (int64_t)a->base[w] & low;
        bad |= (x + down < 0) | (x + up > low);
    }
    return !bad;
}

/* Handler of d = a op m on 32 bits, where m is one number. It is used if lanes of a warp differ
 * only in the lowest `bits` bits. strides: nonzero if d has the strides of a, 0 if it has none. */
#define BITS(id, T, sign, bits, strides) \
    static void affine_##id(struct batch *v, const struct uop *u) \
    { \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a], *b = &v->regs[u->b]; \
        uint32_t m = (uint32_t)b->base[0]; \
        int64_t keep = strides ? -1 : 0; \
        if (!a->form || !reg_scalar(b) || m > MOST_##id || !differ_below(v, a, bits)) { \
            FALL_BACK(id); \
            return; \
        } \
        for (int w = 0; w < BATCH_WARPS; w++) \
            d->base[w] = (uint32_t)((T)(uint32_t)a->base[w] sign(T) m); \
        reg_compact(d, a->sx &keep, a->sy &keep); \
    }
enum { MOST_shr_u32 = 31, MOST_shr_s32 = 31 };
#define MOST_and_b32 UINT32_MAX
#define MOST_xor_b32 UINT32_MAX
/* The number of lowest bits of m that are all equal: ones if m is odd ("and" keeps these bits),
 * zeros if m is even ("and" clears them). */
#define EQUAL_BITS(m) __builtin_ctzll((m & 1 ? ~(uint64_t)m : m) | (uint64_t)1 << 32)
BITS(and_b32, uint32_t, &, EQUAL_BITS(m), m & 1)
BITS(xor_b32, uint32_t, ^, __builtin_ctzll(m | (uint64_t)1 << 32), 1)
BITS(shr_u32, uint32_t, >>, (int)m, 0)
BITS(shr_s32, int32_t, >>, (int)m, 0)

/* Does the 32-bit value, read as signed or unsigned, stay in range in all lanes of all warps? If
 * so, its 64-bit form has the same strides. The test is conservative: it assumes that a warp spans
 * 31 steps of each stride. */
static int stays_in_range(const struct reg *a, int is_signed)
{
    int64_t reach_lo = 31 * ((a->sx < 0 ? a->sx : 0) + (a->sy < 0 ? a->sy : 0));
    int64_t reach_hi = 31 * ((a->sx > 0 ? a->sx : 0) + (a->sy > 0 ? a->sy : 0));
    int64_t lo = is_signed ? INT32_MIN : 0, hi = is_signed ? INT32_MAX : UINT32_MAX, bad = 0;
    for (int w = 0; w < BATCH_WARPS; w++) {
        int64_t x =
            is_signed ? (int64_t)(int32_t)(uint32_t)a->base[w] : (int64_t)(uint32_t)a->base[w];
        bad |= (x + reach_lo < lo) | (x + reach_hi > hi);
    }
    return a->form && !bad;
}

/* Sign or zero extension of a 32-bit value. */
static uint64_t widened(uint64_t base, int is_signed)
{
    return is_signed ? (uint64_t)(int64_t)(int32_t)(uint32_t)base : (uint32_t)base;
}

/* d = a * b, or a * b + c, with 32-bit a and b, and 64-bit c and d. Returns 0, with d unchanged,
 * unless the result can certainly be held as base and strides. Compilers compute the address of an
 * array element with a 32-bit index by this operation. */
static int affine_wide(struct batch *v, const struct uop *u, const struct reg *c, int is_signed)
{
    struct reg *d = &v->regs[u->d], *a = &v->regs[u->a], *b = &v->regs[u->b];
    if (!reg_scalar(b)) {
        struct reg *t = a;
        a = b;
        b = t;
    }
    if (!reg_scalar(b) || !stays_in_range(a, is_signed) || (c && !c->form)) return 0;
    uint64_t m = widened(b->base[0], is_signed), sx = (uint64_t)a->sx * m, sy = (uint64_t)a->sy * m;
    for (int w = 0; w < BATCH_WARPS; w++)
        d->base[w] = widened(a->base[w], is_signed) * m + (c ? c->base[w] : 0);
    reg_compact(
        d, (int64_t)(sx + (c ? (uint64_t)c->sx : 0)), (int64_t)(sy + (c ? (uint64_t)c->sy : 0)));
    return 1;
}

/* Handlers of mul.wide and mad.wide. */
#define WIDE(id, with_c, is_signed) \
    static void affine_##id(struct batch *v, const struct uop *u) \
    { \
        if (!affine_wide(v, u, with_c ? &v->regs[u->c] : NULL, is_signed)) FALL_BACK(id); \
    }
WIDE(mul_wide_u32, 0, 0)
WIDE(mul_wide_s32, 0, 1)
WIDE(mad_wide_u32, 1, 0)
WIDE(mad_wide_s32, 1, 1)

/* Handlers of cvt from 32 to 64 bits. */
#define EXTEND(id, is_signed) \
    static void affine_##id(struct batch *v, const struct uop *u) \
    { \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a]; \
        if (!stays_in_range(a, is_signed)) { \
            FALL_BACK(id); \
            return; \
        } \
        int64_t sx = a->sx, sy = a->sy; \
        for (int w = 0; w < BATCH_WARPS; w++) d->base[w] = widened(a->base[w], is_signed); \
        reg_compact(d, sx, sy); \
    }
EXTEND(cvt_b64_u32, 0)
EXTEND(cvt_b64_s32, 1)

/* Handler of cvt to 32 bits, and of the low half of a 64-bit register: always exact modulo 2^32. */
#define TRUNCATE(id) \
    static void affine_##id(struct batch *v, const struct uop *u) \
    { \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a]; \
        if (!a->form) { \
            FALL_BACK(id); \
            return; \
        } \
        int64_t sx = narrow(a->sx), sy = narrow(a->sy); \
        for (int w = 0; w < BATCH_WARPS; w++) d->base[w] = (uint32_t)a->base[w]; \
        reg_compact(d, sx, sy); \
    }
TRUNCATE(low_b64)
TRUNCATE(cvt_b32_u64)
TRUNCATE(cvt_b32_u32)
TRUNCATE(cvt_b32_s32)

/* The handler that first tries to compute with base and strides (the compact form); NULL if the
 * operation has no such handler. decode.c installs it for the case that all lanes are active. Under
 * a partial mask, alu_*.c does the work. */
handler *sim_affine(enum ptx_op op)
{
    switch (op) {
    case OP_mov_b32: return affine_mov_b32;
    case OP_mov_b64: return affine_mov_b64;
    case OP_add_b32: return affine_add_b32;
    case OP_sub_b32: return affine_sub_b32;
    case OP_add_b64: return affine_add_b64;
    case OP_sub_b64: return affine_sub_b64;
    case OP_mul_lo_b32: return affine_mul_lo_b32;
    case OP_mul_lo_b64: return affine_mul_lo_b64;
    case OP_mad_lo_b32: return affine_mad_lo_b32;
    case OP_mad_lo_b64: return affine_mad_lo_b64;
    case OP_shl_b32: return affine_shl_b32;
    case OP_shl_b64: return affine_shl_b64;
    case OP_and_b32: return affine_and_b32;
    case OP_xor_b32: return affine_xor_b32;
    case OP_shr_u32: return affine_shr_u32;
    case OP_shr_s32: return affine_shr_s32;
    case OP_or_b32: return affine_or_b32;
    case OP_or_b64: return affine_or_b64;
    case OP_mul_wide_u32: return affine_mul_wide_u32;
    case OP_mul_wide_s32: return affine_mul_wide_s32;
    case OP_mad_wide_u32: return affine_mad_wide_u32;
    case OP_mad_wide_s32: return affine_mad_wide_s32;
    case OP_cvt_b64_u32: return affine_cvt_b64_u32;
    case OP_cvt_b64_s32: return affine_cvt_b64_s32;
    case OP_low_b64: return affine_low_b64;
    case OP_cvt_b32_u64: return affine_cvt_b32_u64;
    case OP_cvt_b32_u32: return affine_cvt_b32_u32;
    case OP_cvt_b32_s32: return affine_cvt_b32_s32;
    default: return NULL;
    }
}
