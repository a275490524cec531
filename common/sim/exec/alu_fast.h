/* alu_fast.h - generates the handlers of cheap operations: three loops for each row of a table.
 *
 * run_ has two loops. If every source has one value per warp, it computes each warp's result once
 * and keeps d compact. Otherwise it computes 256 lanes in a loop that the compiler vectorizes.
 * masked_ always works on lanes.
 *
 * A file that includes this one must include a table of rows (ptx/ops_*.h) after it. */
#ifndef LOCKSTEP_SIM_ALU_FAST_H
#define LOCKSTEP_SIM_ALU_FAST_H

#include "sim/exec/alu.h"

/* Conversions between a float and its bits: base[] holds floats as their bits, in a uint64_t. */
static inline float bits_f32(uint64_t v)
{
    union {
        uint32_t u;
        float f;
    } x = {(uint32_t)v};
    return x.f;
}
static inline double bits_f64(uint64_t v)
{
    union {
        uint64_t u;
        double f;
    } x = {v};
    return x.f;
}
static inline uint64_t f32_bits(float f)
{
    union {
        float f;
        uint32_t u;
    } x = {f};
    return x.u;
}
static inline uint64_t f64_bits(double f)
{
    union {
        double f;
        uint64_t u;
    } x = {f};
    return x.u;
}
/* FROM_: converts a base (uint64_t) to the C type of an operand. TO_: the reverse. Signed narrow
 * types are kept sign-extended to 32 bits. */
#define FROM_U8(v) ((uint8_t)(v))
#define FROM_S8(v) ((int8_t)(v))
#define FROM_U16(v) ((uint16_t)(v))
#define FROM_S16(v) ((int16_t)(v))
#define FROM_U32(v) ((uint32_t)(v))
#define FROM_S32(v) ((int32_t)(uint32_t)(v))
#define FROM_F32(v) bits_f32(v)
#define FROM_U64(v) (v)
#define FROM_S64(v) ((int64_t)(v))
#define FROM_F64(v) bits_f64(v)
#define TO_U8(x) ((uint64_t)(uint8_t)(x))
#define TO_S8(x) ((uint64_t)(uint32_t)(int32_t)(x))
#define TO_U16(x) ((uint64_t)(uint16_t)(x))
#define TO_S16(x) ((uint64_t)(uint32_t)(int32_t)(x))
#define TO_U32(x) ((uint64_t)(uint32_t)(x))
#define TO_S32(x) ((uint64_t)(uint32_t)(x))
#define TO_F32(x) f32_bits(x)
#define TO_U64(x) ((uint64_t)(x))
#define TO_S64(x) ((uint64_t)(x))
#define TO_F64(x) f64_bits(x)

/* How a generated function accesses its source n, which is a, b, c or e:
 *
 *     DECLARE_T(n)   declares the register r_n, or the words q_n of a predicate
 *     UNIFORM_T(n)   is it one value per warp?
 *     WARP_T(n)      declares n: its value in warp w
 *     LANES_T(n)     declares p_n, a pointer to the lanes
 *     LANE_T(n)      declares n: its value in lane i, which is lane l of warp w
 *
 * The macros for each type T only choose between a register and a predicate. */
#define REG_DECLARE(n) struct reg *r_##n = &v->regs[u->n];
#define REG_UNIFORM(n) (r_##n->form == FORM_UNIFORM)
#define REG_LANES(T, n) const CELL_##T *p_##n = reg_lanes(v, r_##n);
#define REG_WARP(T, n) TYPE_##T n = FROM_##T(r_##n->base[w]);
#define REG_LANE(T, n) TYPE_##T n = (TYPE_##T)p_##n[i];

/* Is a predicate all 0 or all 1 within each warp? Lanes that do not exist are ignored. */
static inline int pred_uniform(const struct batch *v, const uint32_t *p)
{
    for (int w = 0; w < v->warps; w++)
        if ((p[w] & v->exist[w]) != 0 && (p[w] & v->exist[w]) != v->exist[w]) return 0;
    return 1;
}

#define DECLARE_U8(n) REG_DECLARE(n)
#define DECLARE_S8(n) REG_DECLARE(n)
#define DECLARE_U16(n) REG_DECLARE(n)
#define DECLARE_S16(n) REG_DECLARE(n)
#define DECLARE_U32(n) REG_DECLARE(n)
#define DECLARE_S32(n) REG_DECLARE(n)
#define DECLARE_F32(n) REG_DECLARE(n)
#define DECLARE_U64(n) REG_DECLARE(n)
#define DECLARE_S64(n) REG_DECLARE(n)
#define DECLARE_F64(n) REG_DECLARE(n)
#define DECLARE_PRED(n) const uint32_t *q_##n = v->pred[u->n];
#define UNIFORM_U8(n) REG_UNIFORM(n)
#define UNIFORM_S8(n) REG_UNIFORM(n)
#define UNIFORM_U16(n) REG_UNIFORM(n)
#define UNIFORM_S16(n) REG_UNIFORM(n)
#define UNIFORM_U32(n) REG_UNIFORM(n)
#define UNIFORM_S32(n) REG_UNIFORM(n)
#define UNIFORM_F32(n) REG_UNIFORM(n)
#define UNIFORM_U64(n) REG_UNIFORM(n)
#define UNIFORM_S64(n) REG_UNIFORM(n)
#define UNIFORM_F64(n) REG_UNIFORM(n)
#define UNIFORM_PRED(n) pred_uniform(v, q_##n)
#define LANES_U8(n) REG_LANES(U8, n)
#define LANES_S8(n) REG_LANES(S8, n)
#define LANES_U16(n) REG_LANES(U16, n)
#define LANES_S16(n) REG_LANES(S16, n)
#define LANES_U32(n) REG_LANES(U32, n)
#define LANES_S32(n) REG_LANES(S32, n)
#define LANES_F32(n) REG_LANES(F32, n)
#define LANES_U64(n) REG_LANES(U64, n)
#define LANES_S64(n) REG_LANES(S64, n)
#define LANES_F64(n) REG_LANES(F64, n)
#define LANES_PRED(n)
#define WARP_U8(n) REG_WARP(U8, n)
#define WARP_S8(n) REG_WARP(S8, n)
#define WARP_U16(n) REG_WARP(U16, n)
#define WARP_S16(n) REG_WARP(S16, n)
#define WARP_U32(n) REG_WARP(U32, n)
#define WARP_S32(n) REG_WARP(S32, n)
#define WARP_F32(n) REG_WARP(F32, n)
#define WARP_U64(n) REG_WARP(U64, n)
#define WARP_S64(n) REG_WARP(S64, n)
#define WARP_F64(n) REG_WARP(F64, n)
#define WARP_PRED(n) uint32_t n = (q_##n[w] & v->exist[w]) != 0;
#define LANE_U8(n) REG_LANE(U8, n)
#define LANE_S8(n) REG_LANE(S8, n)
#define LANE_U16(n) REG_LANE(U16, n)
#define LANE_S16(n) REG_LANE(S16, n)
#define LANE_U32(n) REG_LANE(U32, n)
#define LANE_S32(n) REG_LANE(S32, n)
#define LANE_F32(n) REG_LANE(F32, n)
#define LANE_U64(n) REG_LANE(U64, n)
#define LANE_S64(n) REG_LANE(S64, n)
#define LANE_F64(n) REG_LANE(F64, n)
#define LANE_PRED(n) uint32_t n = q_##n[w] >> l & 1;

/* The handlers of a row whose result is a register. D: its type; uniform: a condition that is true
 * if each source has one value per warp; the other parameters are the declarations above, for all
 * sources together. d may also be a source: a lane is read before it is written. */
#define REG_HANDLERS(id, D, expr, uniform, declare, warp_values, lane_pointers, lane_values) \
    void run_##id(struct batch *v, const struct uop *u) \
    { \
        struct reg *d = &v->regs[u->d]; \
        declare if (uniform) \
        { \
            for (int w = 0; w < BATCH_WARPS; w++) { \
                warp_values TYPE_##D x = (TYPE_##D)(expr); \
                d->base[w] = TO_##D(x); \
            } \
            reg_compact(d, 0, 0); \
            return; \
        } \
        lane_pointers CELL_##D *out = reg_write(d); \
        for (int w = 0; w < v->warps; w++) _Pragma("GCC ivdep") for (int l = 0; l < 32; l++) \
            { \
                int i = w * 32 + l; \
                (void)i; \
                lane_values out[i] = (CELL_##D)(TYPE_##D)(expr); \
            } \
    } \
    void masked_##id(struct batch *v, const struct uop *u) \
    { \
        struct reg *d = &v->regs[u->d]; \
        const uint32_t *mask = v->lane_mask; \
        declare lane_pointers CELL_##D *out = reg_blend(v, d); \
        for (int w = 0; w < v->warps; w++) { \
            if (!v->active[w]) continue; \
            _Pragma("GCC ivdep") for (int l = 0; l < 32; l++) \
            { \
                int i = w * 32 + l; \
                lane_values CELL_##D x = (CELL_##D)(TYPE_##D)(expr); \
                out[i] = mask[i] ? x : out[i]; \
            } \
        } \
    }

/* The handlers of a row whose result is a predicate: one word per warp, one bit per lane. The
 * function bits_... computes all lanes; masked_... stores the bits of the active lanes. */
#define PRED_HANDLERS(id, expr, uniform, declare, warp_values, lane_pointers, lane_values) \
    static inline void bits_##id(struct batch *v, const struct uop *u, uint32_t *bits) \
    { \
        declare if (uniform) \
        { \
            for (int w = 0; w < BATCH_WARPS; w++) { \
                warp_values bits[w] = (expr) ? ~0u : 0; \
            } \
            return; \
        } \
        lane_pointers for (int w = 0; w < v->warps; w++) \
        { \
            uint32_t word = 0; \
            for (int l = 0; l < 32; l++) { \
                int i = w * 32 + l; \
                (void)i; \
                lane_values word |= (uint32_t)((expr) ? 1 : 0) << l; \
            } \
            bits[w] = word; \
        } \
    } \
    void run_##id(struct batch *v, const struct uop *u) \
    { \
        uint32_t bits[BATCH_WARPS] = {0}; \
        bits_##id(v, u, bits); \
        for (int w = 0; w < BATCH_WARPS; w++) v->pred[u->d][w] = bits[w]; \
    } \
    void masked_##id(struct batch *v, const struct uop *u) \
    { \
        uint32_t bits[BATCH_WARPS] = {0}, *out = v->pred[u->d]; \
        bits_##id(v, u, bits); \
        for (int w = 0; w < BATCH_WARPS; w++) \
            out[w] = (out[w] & ~v->active[w]) | (bits[w] & v->active[w]); \
    }

/* The result type of a row selects one of the two kinds of handlers. */
#define MAKE_REG(id, D, expr, ...) REG_HANDLERS(id, D, expr, __VA_ARGS__)
#define MAKE_PRED(id, D, expr, ...) PRED_HANDLERS(id, expr, __VA_ARGS__)
#define MAKE_U8 MAKE_REG
#define MAKE_S8 MAKE_REG
#define MAKE_U16 MAKE_REG
#define MAKE_S16 MAKE_REG
#define MAKE_U32 MAKE_REG
#define MAKE_S32 MAKE_REG
#define MAKE_F32 MAKE_REG
#define MAKE_U64 MAKE_REG
#define MAKE_S64 MAKE_REG
#define MAKE_F64 MAKE_REG

/* One macro for each number of sources of a row. The parameters class and keys of a row are not
 * used here. */
#define OP1(id, keys, D, A, class, expr) \
    MAKE_##D(id, D, expr, UNIFORM_##A(a), DECLARE_##A(a), WARP_##A(a), LANES_##A(a), LANE_##A(a))
#define OP2(id, keys, D, A, B, class, expr) \
    MAKE_##D(id, D, expr, UNIFORM_##A(a) && UNIFORM_##B(b), DECLARE_##A(a) DECLARE_##B(b), \
        WARP_##A(a) WARP_##B(b), LANES_##A(a) LANES_##B(b), LANE_##A(a) LANE_##B(b))
#define OP3(id, keys, D, A, B, C, class, expr) \
    MAKE_##D(id, D, expr, UNIFORM_##A(a) && UNIFORM_##B(b) && UNIFORM_##C(c), \
        DECLARE_##A(a) DECLARE_##B(b) DECLARE_##C(c), WARP_##A(a) WARP_##B(b) WARP_##C(c), \
        LANES_##A(a) LANES_##B(b) LANES_##C(c), LANE_##A(a) LANE_##B(b) LANE_##C(c))
#define OP4(id, keys, D, A, B, C, E, class, expr) \
    MAKE_##D(id, D, expr, UNIFORM_##A(a) && UNIFORM_##B(b) && UNIFORM_##C(c) && UNIFORM_##E(e), \
        DECLARE_##A(a) DECLARE_##B(b) DECLARE_##C(c) DECLARE_##E(e), \
        WARP_##A(a) WARP_##B(b) WARP_##C(c) WARP_##E(e), \
        LANES_##A(a) LANES_##B(b) LANES_##C(c) LANES_##E(e), \
        LANE_##A(a) LANE_##B(b) LANE_##C(c) LANE_##E(e))
/* Operations on predicates: one operation on a word computes all 32 lanes of a warp. */
#define OPP(id, keys, arity, expr) \
    void run_##id(struct batch *v, const struct uop *u) \
    { \
        for (int w = 0; w < BATCH_WARPS; w++) { \
            uint32_t a = v->pred[u->a][w], b = v->pred[arity > 1 ? u->b : u->a][w]; \
            (void)b; \
            v->pred[u->d][w] = (expr); \
        } \
    } \
    void masked_##id(struct batch *v, const struct uop *u) \
    { \
        for (int w = 0; w < BATCH_WARPS; w++) { \
            uint32_t a = v->pred[u->a][w], b = v->pred[arity > 1 ? u->b : u->a][w], \
                     m = v->active[w]; \
            (void)b; \
            v->pred[u->d][w] = (v->pred[u->d][w] & ~m) | ((expr)&m); \
        } \
    }

#endif
