/* affine.c - arithmetic on compact registers: base + sx x + sy y stays such under sums, differences, products with one
 * number, and widening where no lane wraps around. What does not fit goes the general way of alu.c.
 *
 * In 32 bits everything holds modulo 2^32, so strides are kept as the 32-bit integers they are. */
#include "sim/machine.h"

static int64_t narrow(int64_t stride)
{
    return (int32_t)(uint32_t)(uint64_t)stride;
}

static int all_affine(const struct reg *a, const struct reg *b)
{
    return a->form && b->form;
}

#define FALL_BACK(op) sim_alu[OP_##op].run(v, u)

#define MOVE(id)                                                                          \
    static void affine_##id(struct batch *v, const struct uop *u)                        \
    {                                                                                     \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a];                              \
        if (!a->form) {                                                                   \
            FALL_BACK(id);                                                                \
            return;                                                                       \
        }                                                                                 \
        for (int w = 0; w < BATCH_WARPS; w++)                                            \
            d->base[w] = a->base[w];                                                      \
        reg_compact(d, a->sx, a->sy);                                                     \
    }
MOVE(mov_b32)
MOVE(mov_b64)

#define SUM(id, T, sign, fit)                                                             \
    static void affine_##id(struct batch *v, const struct uop *u)                        \
    {                                                                                     \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a], *b = &v->regs[u->b];         \
        if (!all_affine(a, b)) {                                                          \
            FALL_BACK(id);                                                                \
            return;                                                                       \
        }                                                                                 \
        for (int w = 0; w < BATCH_WARPS; w++)                                            \
            d->base[w] = (T)(a->base[w] sign b->base[w]);                                 \
        reg_compact(d, fit(a->sx sign b->sx), fit(a->sy sign b->sy));                     \
    }
#define SAME(x) (x)
SUM(add_b32, uint32_t, +, narrow)
SUM(sub_b32, uint32_t, -, narrow)
SUM(add_b64, uint64_t, +, SAME)
SUM(sub_b64, uint64_t, -, SAME)

/* a affine, m one number for the whole batch: d = a * m (+ c) */
static int affine_multiply(struct reg *d, const struct reg *a, uint64_t m, const struct reg *c, int wide)
{
    if (!a->form || (c && !c->form))
        return 0;
    int64_t sx = (int64_t)((uint64_t)a->sx * m + (c ? (uint64_t)c->sx : 0));
    int64_t sy = (int64_t)((uint64_t)a->sy * m + (c ? (uint64_t)c->sy : 0));
    for (int w = 0; w < BATCH_WARPS; w++) {
        uint64_t x = a->base[w] * m + (c ? c->base[w] : 0);
        d->base[w] = wide ? x : (uint32_t)x;
    }
    reg_compact(d, wide ? sx : narrow(sx), wide ? sy : narrow(sy));
    return 1;
}

static int affine_product(struct reg *d, const struct reg *a, const struct reg *b, const struct reg *c, int wide)
{
    if (reg_scalar(b))
        return affine_multiply(d, a, b->base[0], c, wide);
    return reg_scalar(a) && affine_multiply(d, b, a->base[0], c, wide);
}

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

/* a | m is a + m where no bit of m can be set in a: all of a's terms are multiples of a power of two above m. */
static int disjoint(const struct reg *a, const struct reg *m)
{
    uint64_t bits = (uint64_t)a->sx | (uint64_t)a->sy;
    for (int w = 0; w < BATCH_WARPS; w++)
        bits |= a->base[w];
    uint64_t low = bits ? (bits & (0 - bits)) - 1 : ~(uint64_t)0;
    return a->form && reg_scalar(m) && (m->base[0] & ~low) == 0;
}

#define OR(id, T)                                                                         \
    static void affine_##id(struct batch *v, const struct uop *u)                        \
    {                                                                                     \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a], *b = &v->regs[u->b];         \
        if (disjoint(b, a)) {                                                             \
            struct reg *t = a;                                                            \
            a = b;                                                                        \
            b = t;                                                                        \
        } else if (!disjoint(a, b)) {                                                     \
            FALL_BACK(id);                                                                \
            return;                                                                       \
        }                                                                                 \
        for (int w = 0; w < BATCH_WARPS; w++)                                            \
            d->base[w] = (T)(a->base[w] + b->base[w]);                                    \
        reg_compact(d, a->sx, a->sy);                                                     \
    }
OR(or_b32, uint32_t)
OR(or_b64, uint64_t)

/* Does the 32-bit value, read as signed or unsigned, stay in range over all lanes of all warps? Then its 64-bit form
 * has the same strides. A warp spans at most 31 steps of each stride. */
static int stays_in_range(const struct reg *a, int is_signed)
{
    int64_t reach_lo = 31 * ((a->sx < 0 ? a->sx : 0) + (a->sy < 0 ? a->sy : 0));
    int64_t reach_hi = 31 * ((a->sx > 0 ? a->sx : 0) + (a->sy > 0 ? a->sy : 0));
    int64_t lo = is_signed ? INT32_MIN : 0, hi = is_signed ? INT32_MAX : UINT32_MAX, bad = 0;
    for (int w = 0; w < BATCH_WARPS; w++) {
        int64_t x = is_signed ? (int64_t)(int32_t)(uint32_t)a->base[w] : (int64_t)(uint32_t)a->base[w];
        bad |= (x + reach_lo < lo) | (x + reach_hi > hi);
    }
    return a->form && !bad;
}

static uint64_t widened(uint64_t base, int is_signed)
{
    return is_signed ? (uint64_t)(int64_t)(int32_t)(uint32_t)base : (uint32_t)base;
}

static int affine_wide(struct batch *v, const struct uop *u, const struct reg *c, int is_signed)
{
    struct reg *d = &v->regs[u->d], *a = &v->regs[u->a], *b = &v->regs[u->b];
    if (!reg_scalar(b)) {
        struct reg *t = a;
        a = b;
        b = t;
    }
    if (!reg_scalar(b) || !stays_in_range(a, is_signed) || (c && !c->form))
        return 0;
    uint64_t m = widened(b->base[0], is_signed), sx = (uint64_t)a->sx * m, sy = (uint64_t)a->sy * m;
    for (int w = 0; w < BATCH_WARPS; w++)
        d->base[w] = widened(a->base[w], is_signed) * m + (c ? c->base[w] : 0);
    reg_compact(d, (int64_t)(sx + (c ? (uint64_t)c->sx : 0)), (int64_t)(sy + (c ? (uint64_t)c->sy : 0)));
    return 1;
}

#define WIDE(id, with_c, is_signed)                                                       \
    static void affine_##id(struct batch *v, const struct uop *u)                        \
    {                                                                                     \
        if (!affine_wide(v, u, with_c ? &v->regs[u->c] : NULL, is_signed))                \
            FALL_BACK(id);                                                                \
    }
WIDE(mul_wide_u32, 0, 0)
WIDE(mul_wide_s32, 0, 1)
WIDE(mad_wide_u32, 1, 0)
WIDE(mad_wide_s32, 1, 1)

#define EXTEND(id, is_signed)                                                             \
    static void affine_##id(struct batch *v, const struct uop *u)                        \
    {                                                                                     \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a];                              \
        if (!stays_in_range(a, is_signed)) {                                              \
            FALL_BACK(id);                                                                \
            return;                                                                       \
        }                                                                                 \
        int64_t sx = a->sx, sy = a->sy;                                                   \
        for (int w = 0; w < BATCH_WARPS; w++)                                            \
            d->base[w] = widened(a->base[w], is_signed);                                  \
        reg_compact(d, sx, sy);                                                           \
    }
EXTEND(cvt_b64_u32, 0)
EXTEND(cvt_b64_s32, 1)

#define TRUNCATE(id)                                                                      \
    static void affine_##id(struct batch *v, const struct uop *u)                        \
    {                                                                                     \
        struct reg *d = &v->regs[u->d], *a = &v->regs[u->a];                              \
        if (!a->form) {                                                                   \
            FALL_BACK(id);                                                                \
            return;                                                                       \
        }                                                                                 \
        int64_t sx = narrow(a->sx), sy = narrow(a->sy);                                   \
        for (int w = 0; w < BATCH_WARPS; w++)                                            \
            d->base[w] = (uint32_t)a->base[w];                                            \
        reg_compact(d, sx, sy);                                                           \
    }
TRUNCATE(low_b64)
TRUNCATE(cvt_b32_u64)
TRUNCATE(cvt_b32_u32)
TRUNCATE(cvt_b32_s32)

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
