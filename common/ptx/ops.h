/* ops.h - every operation that the kit knows, one row each, with its meaning.
 *
 *     OP1..OP4(id, "keys", result type, source types..., class, meaning)
 *         the result of a lane from its sources a, b, c, e. The meaning is a C expression.
 *     OPP(id, "keys", sources, meaning)
 *         on predicates: the meaning works on 32 lanes at once, a bit each.
 *     OPX(id, "keys", class, "meaning")
 *         needs more than the sources of its lane: memory, other lanes, control flow. sim has a handler.
 *
 * keys: the opcodes a row stands for, {x,y} for alternatives. Before looking up, .rn .approx .full .ftz .sat
 * are taken off: to nearest is how a row without a rounding in its key rounds, .ftz and .sat become steps of
 * their own, and an approximate instruction is computed exactly (hardware's error is allowed, not required).
 * Types: PTX's; B types read as U.
 * Source: PTX ISA, instruction set. Functions op_... are in sim/exec/meaning.h.
 */
/* Whoever includes this file defines the macros of the rows that it needs; the others vanish. */
#ifndef OP1
#define OP1(id, keys, d, a, class, expr)
#endif
#ifndef OP2
#define OP2(id, keys, d, a, b, class, expr)
#endif
#ifndef OP3
#define OP3(id, keys, d, a, b, c, class, expr)
#endif
#ifndef OP4
#define OP4(id, keys, d, a, b, c, e, class, expr)
#endif
#ifndef OPP
#define OPP(id, keys, arity, expr)
#endif
#ifndef OPX
#define OPX(id, keys, class, meaning)
#endif

/* moves and selections; pack, low and high are for mov between a register and {low, high} */
OP1(mov_b16, "mov.{b16,u16,s16}", U16, U16, MOVE, a)
OP1(mov_b32, "mov.{b32,u32,s32,f32}", U32, U32, MOVE, a)
OP1(mov_b64, "mov.{b64,u64,s64,f64}", U64, U64, MOVE, a)
OPP(mov_pred, "mov.pred", 1, a)
OP3(selp_b16, "selp.{b16,u16,s16}", U16, U16, U16, PRED, INT, c ? a : b)
OP3(selp_b32, "selp.{b32,u32,s32,f32}", U32, U32, U32, PRED, INT, c ? a : b)
OP3(selp_b64, "selp.{b64,u64,s64,f64}", U64, U64, U64, PRED, INT, c ? a : b)
OP3(slct_b32_s32, "slct.{b32,u32,s32,f32}.s32", U32, U32, U32, S32, INT, c >= 0 ? a : b)
OP3(slct_b32_f32, "slct.{b32,u32,s32,f32}.f32", U32, U32, U32, F32, INT, c >= 0 ? a : b)
OP3(slct_b64_s32, "slct.{b64,u64,s64,f64}.s32", U64, U64, U64, S32, INT, c >= 0 ? a : b)
OP2(pack_b64, "lockstep.pack.b64", U64, U32, U32, MOVE, (uint64_t)b << 32 | a)
OP1(low_b64, "lockstep.low.b64", U32, U64, MOVE, (uint32_t)a)
OP1(high_b64, "lockstep.high.b64", U32, U64, MOVE, (uint32_t)(a >> 32))
OP2(pack_b32, "lockstep.pack.b32", U32, U16, U16, MOVE, (uint32_t)b << 16 | a)
OP1(low_b32, "lockstep.low.b32", U16, U32, MOVE, (uint16_t)a)
OP1(high_b32, "lockstep.high.b32", U16, U32, MOVE, (uint16_t)(a >> 16))

/* integer arithmetic */
OP2(add_b16, "add.{u16,s16}", U16, U16, U16, INT, (uint16_t)(a + b))
OP2(add_b32, "add.{u32,s32}", U32, U32, U32, INT, a + b)
OP2(add_b64, "add.{u64,s64}", U64, U64, U64, INT, a + b)
OP2(sub_b16, "sub.{u16,s16}", U16, U16, U16, INT, (uint16_t)(a - b))
OP2(sub_b32, "sub.{u32,s32}", U32, U32, U32, INT, a - b)
OP2(sub_b64, "sub.{u64,s64}", U64, U64, U64, INT, a - b)
/* products: the low half, the high half, or all of it in a register of twice the width */
OP2(mul_lo_b16, "mul.lo.{u16,s16}", U16, U16, U16, INT, (uint16_t)((uint32_t)a *b))
OP2(mul_lo_b32, "mul.lo.{u32,s32}", U32, U32, U32, INT, a *b)
OP2(mul_lo_b64, "mul.lo.{u64,s64}", U64, U64, U64, INT, a *b)
OP2(mul_hi_u16, "mul.hi.u16", U16, U16, U16, INT, (uint16_t)((uint32_t)a *b >> 16))
OP2(mul_hi_s16, "mul.hi.s16", S16, S16, S16, INT, (int16_t)(a *b >> 16))
OP2(mul_hi_u32, "mul.hi.u32", U32, U32, U32, INT, (uint32_t)((uint64_t)a *b >> 32))
OP2(mul_hi_s32, "mul.hi.s32", S32, S32, S32, INT, (int32_t)((int64_t)a *b >> 32))
OP2(mul_hi_u64, "mul.hi.u64", U64, U64, U64, INT, (uint64_t)((unsigned __int128)a *b >> 64))
OP2(mul_hi_s64, "mul.hi.s64", S64, S64, S64, INT, (int64_t)((__int128)a *b >> 64))
OP2(mul_wide_u16, "mul.wide.u16", U32, U16, U16, INT, (uint32_t)a *b)
OP2(mul_wide_s16, "mul.wide.s16", S32, S16, S16, INT, (int32_t)a *b)
OP2(mul_wide_u32, "mul.wide.u32", U64, U32, U32, INT, (uint64_t)a *b)
OP2(mul_wide_s32, "mul.wide.s32", S64, S32, S32, INT, (int64_t)a *b)
OP2(mul24_lo_u32, "mul24.lo.u32", U32, U32, U32, INT, (a & 0xffffffu) * (b & 0xffffffu))
OP2(mul24_lo_s32, "mul24.lo.s32", S32, S32, S32, INT,
    (int32_t)((int64_t)((int32_t)((uint32_t)a << 8) >> 8) * ((int32_t)((uint32_t)b << 8) >> 8)))
/* multiply-add in the same three forms; sad adds the absolute difference */
OP3(mad_lo_b16, "mad.lo.{u16,s16}", U16, U16, U16, U16, INT, (uint16_t)((uint32_t)a *b + c))
OP3(mad_lo_b32, "mad.lo.{u32,s32}", U32, U32, U32, U32, INT, a *b + c)
OP3(mad_lo_b64, "mad.lo.{u64,s64}", U64, U64, U64, U64, INT, a *b + c)
OP3(mad_hi_u32, "mad.hi.u32", U32, U32, U32, U32, INT, (uint32_t)((uint64_t)a *b >> 32) + c)
OP3(mad_hi_s32, "mad.hi.s32", U32, S32, S32, U32, INT, (uint32_t)((int64_t)a *b >> 32) + c)
OP3(mad_wide_u16, "mad.wide.u16", U32, U16, U16, U32, INT, (uint32_t)a *b + c)
OP3(mad_wide_s16, "mad.wide.s16", U32, S16, S16, U32, INT, (uint32_t)((int32_t)a *b) + c)
OP3(mad_wide_u32, "mad.wide.u32", U64, U32, U32, U64, INT, (uint64_t)a *b + c)
OP3(mad_wide_s32, "mad.wide.s32", U64, S32, S32, U64, INT, (uint64_t)((int64_t)a *b) + c)
OP3(sad_u32, "sad.u32", U32, U32, U32, U32, INT, c + (a > b ? a - b : b - a))
OP3(sad_s32, "sad.s32", U32, S32, S32, U32, INT,
    c + (a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a))
/* division: for division by 0 PTX leaves the value open; here it is fixed, so that the simulator never
 * traps */
OP2(div_u16, "div.u16", U16, U16, U16, INT, b ? (uint16_t)(a / b) : 0xffff)
OP2(div_s16, "div.s16", S16, S16, S16, INT, b ? (int16_t)(a / b) : (int16_t)-1)
OP2(div_u32, "div.u32", U32, U32, U32, INT, b ? a / b : ~0u)
OP2(div_s32, "div.s32", S32, S32, S32, INT, op_div_s32(a, b))
OP2(div_u64, "div.u64", U64, U64, U64, INT, b ? a / b : ~(uint64_t)0)
OP2(div_s64, "div.s64", S64, S64, S64, INT, op_div_s64(a, b))
OP2(rem_u16, "rem.u16", U16, U16, U16, INT, b ? (uint16_t)(a % b) : (uint16_t)-1)
OP2(rem_s16, "rem.s16", S16, S16, S16, INT, b ? (int16_t)(a % b) : (int16_t)-1)
OP2(rem_u32, "rem.u32", U32, U32, U32, INT, b ? a % b : ~0u)
OP2(rem_s32, "rem.s32", S32, S32, S32, INT, op_rem_s32(a, b))
OP2(rem_u64, "rem.u64", U64, U64, U64, INT, b ? a % b : ~(uint64_t)0)
OP2(rem_s64, "rem.s64", S64, S64, S64, INT, op_rem_s64(a, b))
OP1(neg_s16, "neg.s16", U16, U16, INT, (uint16_t)-a)
OP1(neg_s32, "neg.s32", U32, U32, INT, 0u - a)
OP1(neg_s64, "neg.s64", U64, U64, INT, (uint64_t)0 - a)
OP1(abs_s16, "abs.s16", S16, S16, INT, (int16_t)(a < 0 ? -a : a))
OP1(abs_s32, "abs.s32", U32, S32, INT, a < 0 ? 0u - (uint32_t)a : (uint32_t)a)
OP1(abs_s64, "abs.s64", U64, S64, INT, a < 0 ? (uint64_t)0 - (uint64_t)a : (uint64_t)a)
OP2(min_u16, "min.u16", U16, U16, U16, INT, a < b ? a : b)
OP2(min_s16, "min.s16", S16, S16, S16, INT, a < b ? a : b)
OP2(min_u32, "min.u32", U32, U32, U32, INT, a < b ? a : b)
OP2(min_s32, "min.s32", S32, S32, S32, INT, a < b ? a : b)
OP2(min_u64, "min.u64", U64, U64, U64, INT, a < b ? a : b)
OP2(min_s64, "min.s64", S64, S64, S64, INT, a < b ? a : b)
OP2(max_u16, "max.u16", U16, U16, U16, INT, a > b ? a : b)
OP2(max_s16, "max.s16", S16, S16, S16, INT, a > b ? a : b)
OP2(max_u32, "max.u32", U32, U32, U32, INT, a > b ? a : b)
OP2(max_s32, "max.s32", S32, S32, S32, INT, a > b ? a : b)
OP2(max_u64, "max.u64", U64, U64, U64, INT, a > b ? a : b)
OP2(max_s64, "max.s64", S64, S64, S64, INT, a > b ? a : b)
/* dot products of 4 bytes, or of 2 halves and 2 bytes, added to c; the suffixes are the types of a and b */
OP3(dp4a_u32_u32, "dp4a.u32.u32", U32, U32, U32, U32, INT, op_dp4a(a, b, c, 0, 0))
OP3(dp4a_s32_s32, "dp4a.s32.s32", U32, U32, U32, U32, INT, op_dp4a(a, b, c, 1, 1))
OP3(dp4a_u32_s32, "dp4a.u32.s32", U32, U32, U32, U32, INT, op_dp4a(a, b, c, 0, 1))
OP3(dp4a_s32_u32, "dp4a.s32.u32", U32, U32, U32, U32, INT, op_dp4a(a, b, c, 1, 0))
OP3(dp2a_lo_u32_u32, "dp2a.lo.u32.u32", U32, U32, U32, U32, INT, op_dp2a(a, b, c, 0, 0, 0))
OP3(dp2a_lo_u32_s32, "dp2a.lo.u32.s32", U32, U32, U32, U32, INT, op_dp2a(a, b, c, 0, 0, 1))
OP3(dp2a_lo_s32_u32, "dp2a.lo.s32.u32", U32, U32, U32, U32, INT, op_dp2a(a, b, c, 0, 1, 0))
OP3(dp2a_lo_s32_s32, "dp2a.lo.s32.s32", U32, U32, U32, U32, INT, op_dp2a(a, b, c, 0, 1, 1))
OP3(dp2a_hi_u32_u32, "dp2a.hi.u32.u32", U32, U32, U32, U32, INT, op_dp2a(a, b, c, 1, 0, 0))
OP3(dp2a_hi_u32_s32, "dp2a.hi.u32.s32", U32, U32, U32, U32, INT, op_dp2a(a, b, c, 1, 0, 1))
OP3(dp2a_hi_s32_u32, "dp2a.hi.s32.u32", U32, U32, U32, U32, INT, op_dp2a(a, b, c, 1, 1, 0))
OP3(dp2a_hi_s32_s32, "dp2a.hi.s32.s32", U32, U32, U32, U32, INT, op_dp2a(a, b, c, 1, 1, 1))
/* two halves or four bytes of a and of b: their distances, or these added to c */
OP3(vabsdiff4_u32, "vabsdiff4.u32.u32.u32", U32, U32, U32, U32, INT, op_distances(a, b, c, 8, 0))
OP3(vabsdiff4_add_u32, "vabsdiff4.u32.u32.u32.add", U32, U32, U32, U32, INT, op_distances(a, b, c, 8, 1))
OP3(vabsdiff2_u32, "vabsdiff2.u32.u32.u32", U32, U32, U32, U32, INT, op_distances(a, b, c, 16, 0))
OP3(vabsdiff2_add_u32, "vabsdiff2.u32.u32.u32.add", U32, U32, U32, U32, INT, op_distances(a, b, c, 16, 1))

/* bits */
OP2(and_b16, "and.b16", U16, U16, U16, INT, a &b)
OP2(and_b32, "and.b32", U32, U32, U32, INT, a &b)
OP2(and_b64, "and.b64", U64, U64, U64, INT, a &b)
OPP(and_pred, "and.pred", 2, a &b)
OP2(or_b16, "or.b16", U16, U16, U16, INT, a | b)
OP2(or_b32, "or.b32", U32, U32, U32, INT, a | b)
OP2(or_b64, "or.b64", U64, U64, U64, INT, a | b)
OPP(or_pred, "or.pred", 2, a | b)
OP2(xor_b16, "xor.b16", U16, U16, U16, INT, a ^ b)
OP2(xor_b32, "xor.b32", U32, U32, U32, INT, a ^ b)
OP2(xor_b64, "xor.b64", U64, U64, U64, INT, a ^ b)
OPP(xor_pred, "xor.pred", 2, a ^ b)
OP1(not_b16, "not.b16", U16, U16, INT, (uint16_t)~a)
OP1(not_b32, "not.b32", U32, U32, INT, ~a)
OP1(not_b64, "not.b64", U64, U64, INT, ~a)
OPP(not_pred, "not.pred", 1, ~a)
OP1(cnot_b32, "cnot.b32", U32, U32, INT, a == 0)
/* shifts by the width or more give 0, or copies of the sign: in C they would be undefined */
OP2(shl_b16, "shl.b16", U16, U16, U32, INT, b < 16 ? (uint16_t)((uint32_t)a << b) : 0)
OP2(shl_b32, "shl.b32", U32, U32, U32, INT, b < 32 ? a << (b & 31) : 0)
OP2(shl_b64, "shl.b64", U64, U64, U32, INT, b < 64 ? a << (b & 63) : 0)
OP2(shr_u16, "shr.{u16,b16}", U16, U16, U32, INT, b < 16 ? (uint16_t)(a >> b) : 0)
OP2(shr_s16, "shr.s16", S16, S16, U32, INT, (int16_t)(a >> (b < 15 ? b : 15)))
OP2(shr_u32, "shr.{u32,b32}", U32, U32, U32, INT, b < 32 ? a >> (b & 31) : 0)
OP2(shr_s32, "shr.s32", S32, S32, U32, INT, a >> (b < 31 ? b : 31))
OP2(shr_u64, "shr.{u64,b64}", U64, U64, U32, INT, b < 64 ? a >> (b & 63) : 0)
OP2(shr_s64, "shr.s64", S64, S64, U32, INT, a >> (b < 63 ? b : 63))
/* funnel shifts of the pair b:a, byte permutation, any logic function of three inputs (e: its table), bit
 * fields */
OP3(shf_l_wrap, "shf.l.wrap.b32", U32, U32, U32, U32, INT, op_shf_l(a, b, c & 31))
OP3(shf_l_clamp, "shf.l.clamp.b32", U32, U32, U32, U32, INT, op_shf_l(a, b, c < 32 ? c : 32))
OP3(shf_r_wrap, "shf.r.wrap.b32", U32, U32, U32, U32, INT, op_shf_r(a, b, c & 31))
OP3(shf_r_clamp, "shf.r.clamp.b32", U32, U32, U32, U32, INT, op_shf_r(a, b, c < 32 ? c : 32))
OP3(prmt_b32, "prmt.b32", U32, U32, U32, U32, INT, op_prmt(a, b, c))
OP4(lop3_b32, "lop3.b32", U32, U32, U32, U32, U32, INT, op_lop3(a, b, c, e))
OP3(bfe_u32, "bfe.u32", U32, U32, U32, U32, INT, op_bfe_u32(a, b, c))
OP3(bfe_s32, "bfe.s32", S32, S32, U32, U32, INT, op_bfe_s32(a, b, c))
OP3(bfe_u64, "bfe.u64", U64, U64, U32, U32, INT, op_bfe_u64(a, b, c))
OP3(bfe_s64, "bfe.s64", S64, S64, U32, U32, INT, op_bfe_s64(a, b, c))
OP4(bfi_b32, "bfi.b32", U32, U32, U32, U32, U32, INT, op_bfi_b32(a, b, c, e))
OP4(bfi_b64, "bfi.b64", U64, U64, U64, U32, U32, INT, op_bfi_b64(a, b, c, e))
/* reversing and counting bits */
OP1(brev_b32, "brev.b32", U32, U32, INT, op_brev32(a))
OP1(brev_b64, "brev.b64", U64, U64, INT, op_brev64(a))
OP1(clz_b32, "clz.b32", U32, U32, INT, a ? (uint32_t)__builtin_clz(a) : 32)
OP1(clz_b64, "clz.b64", U32, U64, INT, a ? (uint32_t)__builtin_clzll(a) : 64)
OP1(popc_b32, "popc.b32", U32, U32, INT, (uint32_t)__builtin_popcount(a))
OP1(popc_b64, "popc.b64", U32, U64, INT, (uint32_t)__builtin_popcountll(a))
OP3(fns_b32, "fns.b32", U32, U32, U32, S32, INT, op_fns(a, b, c))
OP1(bfind_u32, "bfind.u32", U32, U32, INT, a ? 31u - (uint32_t)__builtin_clz(a) : ~0u)
OP1(bfind_s32, "bfind.s32", U32, S32, INT, op_bfind_u32(a < 0 ? ~(uint32_t)a : (uint32_t)a))
OP1(bfind_u64, "bfind.u64", U32, U64, INT, a ? 63u - (uint32_t)__builtin_clzll(a) : ~0u)
OP1(bfind_shift_u32, "bfind.shiftamt.u32", U32, U32, INT, a ? (uint32_t)__builtin_clz(a) : ~0u)

/* floating point: op_nan gives each NaN of a float the bits that an H200 gives it */
OP2(add_f32, "add.f32", F32, F32, F32, FP32, op_nan(a + b))
OP2(sub_f32, "sub.f32", F32, F32, F32, FP32, op_nan(a - b))
OP2(mul_f32, "mul.f32", F32, F32, F32, FP32, op_nan(a *b))
OP3(fma_f32, "{fma,mad}.f32", F32, F32, F32, F32, FP32, op_nan(__builtin_fmaf(a, b, c)))
OP2(div_f32, "div.f32", F32, F32, F32, SFU, op_nan(a / b))
OP1(rcp_f32, "rcp.f32", F32, F32, SFU, op_nan(1.0f / a))
OP1(sqrt_f32, "sqrt.f32", F32, F32, SFU, op_nan(__builtin_sqrtf(a)))
OP1(rsqrt_f32, "rsqrt.f32", F32, F32, SFU, op_nan((float)(1.0 / __builtin_sqrt((double)a))))
OP1(ex2_f32, "ex2.f32", F32, F32, SFU, op_nan(exp2f(a)))
OP1(lg2_f32, "lg2.f32", F32, F32, SFU, op_nan(log2f(a)))
OP1(sin_f32, "sin.f32", F32, F32, SFU, op_nan(sinf(a)))
OP1(cos_f32, "cos.f32", F32, F32, SFU, op_nan(cosf(a)))
OP1(tanh_f32, "tanh.f32", F32, F32, SFU, op_nan(tanhf(a)))
OP1(neg_f32, "neg.f32", F32, F32, FP32, op_nan(-a))
OP1(abs_f32, "abs.f32", F32, F32, FP32, op_nan(__builtin_fabsf(a)))
OP2(min_f32, "min.f32", F32, F32, F32, FP32, op_nan(op_min_f32(a, b)))
OP2(max_f32, "max.f32", F32, F32, F32, FP32, op_nan(op_max_f32(a, b)))
OP2(min_nan_f32, "min.NaN.f32", F32, F32, F32, FP32, op_nan(a != a || b != b ? a + b : op_min_f32(a, b)))
OP2(max_nan_f32, "max.NaN.f32", F32, F32, F32, FP32, op_nan(a != a || b != b ? a + b : op_max_f32(a, b)))
OP2(copysign_f32, "copysign.f32", F32, F32, F32, FP32, __builtin_copysignf(b, a))
/* the other rounding modes: rm towards minus infinity, rp towards plus infinity, rz towards zero */
#define DIRECTED(r, MODE)                                                                              \
    OP2(add_##r##_f32, "add." #r ".f32", F32, F32, F32, FP32, op_fma_directed(a, 1, b, MODE))        \
    OP2(sub_##r##_f32, "sub." #r ".f32", F32, F32, F32, FP32, op_fma_directed(a, 1, -b, MODE))       \
    OP2(mul_##r##_f32, "mul." #r ".f32", F32, F32, F32, FP32, op_mul_directed(a, b, MODE))           \
    OP3(fma_##r##_f32, "{fma,mad}." #r ".f32", F32, F32, F32, F32, FP32, op_fma_directed(a, b, c, MODE)) \
    OP2(div_##r##_f32, "div." #r ".f32", F32, F32, F32, SFU, op_div_directed(a, b, MODE))            \
    OP1(rcp_##r##_f32, "rcp." #r ".f32", F32, F32, SFU, op_div_directed(1, a, MODE))                 \
    OP1(sqrt_##r##_f32, "sqrt." #r ".f32", F32, F32, SFU, op_sqrt_directed(a, MODE))               \
    OP2(add_##r##_f64, "add." #r ".f64", F64, F64, F64, FP64, op_f64_directed(F64_FMA, a, 1, b, MODE)) \
    OP2(sub_##r##_f64, "sub." #r ".f64", F64, F64, F64, FP64, op_f64_directed(F64_FMA, a, 1, -b, MODE)) \
    OP2(mul_##r##_f64, "mul." #r ".f64", F64, F64, F64, FP64, op_f64_directed(F64_MUL, a, b, 0, MODE)) \
    OP3(fma_##r##_f64, "{fma,mad}." #r ".f64", F64, F64, F64, F64, FP64,                             \
        op_f64_directed(F64_FMA, a, b, c, MODE))                                                     \
    OP2(div_##r##_f64, "div." #r ".f64", F64, F64, F64, FP64, op_f64_directed(F64_DIV, a, b, 0, MODE)) \
    OP1(rcp_##r##_f64, "rcp." #r ".f64", F64, F64, FP64, op_f64_directed(F64_DIV, 1, a, 0, MODE))    \
    OP1(sqrt_##r##_f64, "sqrt." #r ".f64", F64, F64, FP64, op_f64_directed(F64_SQRT, a, 0, 0, MODE)) \
    OP1(cvt_##r##_f64_u64, "cvt." #r ".f64.u64", F64, U64, FP64, op_whole_directed(a >> 32, a, MODE)) \
    OP1(cvt_##r##_f64_s64, "cvt." #r ".f64.s64", F64, S64, FP64, op_whole_directed(a >> 32, a, MODE))
DIRECTED(rm, ROUND_DOWN)
DIRECTED(rp, ROUND_UP)
DIRECTED(rz, ROUND_ZERO)
#undef DIRECTED
OP2(add_f64, "add.f64", F64, F64, F64, FP64, a + b)
OP2(sub_f64, "sub.f64", F64, F64, F64, FP64, a - b)
OP2(mul_f64, "mul.f64", F64, F64, F64, FP64, a *b)
OP3(fma_f64, "{fma,mad}.f64", F64, F64, F64, F64, FP64, __builtin_fma(a, b, c))
OP2(div_f64, "div.f64", F64, F64, F64, FP64, a / b)
OP1(rcp_f64, "rcp.f64", F64, F64, FP64, 1.0 / a)
OP1(sqrt_f64, "sqrt.f64", F64, F64, FP64, __builtin_sqrt(a))
OP1(rsqrt_f64, "rsqrt.f64", F64, F64, FP64, 1.0 / __builtin_sqrt(a))
OP1(neg_f64, "neg.f64", F64, F64, FP64, -a)
OP1(abs_f64, "abs.f64", F64, F64, FP64, __builtin_fabs(a))
OP2(min_f64, "min.f64", F64, F64, F64, FP64, op_min_f64(a, b))
OP2(max_f64, "max.f64", F64, F64, F64, FP64, op_max_f64(a, b))
OP2(copysign_f64, "copysign.f64", F64, F64, F64, FP64, __builtin_copysign(b, a))
/* .ftz (denormals become 0) and .sat (clamped to 0 .. 1) as steps of their own */
OP1(ftz_f32, "lockstep.ftz.f32", F32, F32, FP32, op_ftz(a))
OP3(ftz_mul_f32, "lockstep.ftz.mul.f32", F32, F32, F32, F32, FP32, op_ftz_fma(a, b, c, 0))
OP4(ftz_fma_f32, "lockstep.ftz.fma.f32", F32, F32, F32, F32, F32, FP32, op_ftz_fma(a, b, c, e))
OP1(sat_f32, "lockstep.sat.f32", F32, F32, FP32, op_sat_f32(a))
OP1(sat_f64, "lockstep.sat.f64", F64, F64, FP64, op_sat_f64(a))

/* comparisons of integers; lo, ls, hi and hs are PTX's names for unsigned numbers */
#define COMPARES(T, t, B)                                                                  \
    OP2(setp_eq_##T, "setp.eq.{" t "}", PRED, B, B, INT, a == b)                           \
    OP2(setp_ne_##T, "setp.ne.{" t "}", PRED, B, B, INT, a != b)                           \
    OP2(setp_lt_##T, "setp.{lt,lo}.{" t "}", PRED, B, B, INT, a < b)                       \
    OP2(setp_le_##T, "setp.{le,ls}.{" t "}", PRED, B, B, INT, a <= b)                      \
    OP2(setp_gt_##T, "setp.{gt,hi}.{" t "}", PRED, B, B, INT, a > b)                       \
    OP2(setp_ge_##T, "setp.{ge,hs}.{" t "}", PRED, B, B, INT, a >= b)
COMPARES(u16, "u16,b16", U16)
COMPARES(s16, "s16", S16)
COMPARES(u32, "u32,b32", U32)
COMPARES(s32, "s32", S32)
COMPARES(u64, "u64,b64", U64)
COMPARES(s64, "s64", S64)
#undef COMPARES
/* of floats: plain names are false if an operand is NaN, those that end in u are true; num and nan test for
 * NaN */
#define FLOAT_COMPARES(T, t, B)                                                            \
    OP2(setp_eq_##T, "setp.eq." t, PRED, B, B, INT, a == b)                                \
    OP2(setp_ne_##T, "setp.ne." t, PRED, B, B, INT, a < b || a > b)                        \
    OP2(setp_lt_##T, "setp.lt." t, PRED, B, B, INT, a < b)                                 \
    OP2(setp_le_##T, "setp.le." t, PRED, B, B, INT, a <= b)                                \
    OP2(setp_gt_##T, "setp.gt." t, PRED, B, B, INT, a > b)                                 \
    OP2(setp_ge_##T, "setp.ge." t, PRED, B, B, INT, a >= b)                                \
    OP2(setp_equ_##T, "setp.equ." t, PRED, B, B, INT, !(a < b || a > b))                   \
    OP2(setp_neu_##T, "setp.neu." t, PRED, B, B, INT, a != b)                              \
    OP2(setp_ltu_##T, "setp.ltu." t, PRED, B, B, INT, !(a >= b))                           \
    OP2(setp_leu_##T, "setp.leu." t, PRED, B, B, INT, !(a > b))                            \
    OP2(setp_gtu_##T, "setp.gtu." t, PRED, B, B, INT, !(a <= b))                           \
    OP2(setp_geu_##T, "setp.geu." t, PRED, B, B, INT, !(a < b))                            \
    OP2(setp_num_##T, "setp.num." t, PRED, B, B, INT, a == a && b == b)                    \
    OP2(setp_nan_##T, "setp.nan." t, PRED, B, B, INT, a != a || b != b)
FLOAT_COMPARES(f32, "f32", F32)
FLOAT_COMPARES(f64, "f64", F64)
#undef FLOAT_COMPARES

/* conversions: integer to integer. The result type says how the value is widened to its register. */
#define NARROW(T, t, C, R)                                                                 \
    OP1(cvt_##T##_32, "cvt." t ".{u8,s8,b8,u16,s16,b16,u32,s32,b32}", R, U32, INT, (C)a)   \
    OP1(cvt_##T##_64, "cvt." t ".{u64,s64,b64}", R, U64, INT, (C)a)
NARROW(u8, "{u8,b8}", uint8_t, U32)
NARROW(s8, "s8", int8_t, S32)
#undef NARROW
#define WIDEN(S, s, B)                                                                     \
    OP1(cvt_b16_##S, "cvt.{u16,s16,b16}." s, U16, B, INT, (uint16_t)a)                     \
    OP1(cvt_b32_##S, "cvt.{u32,s32,b32}." s, U32, B, INT, (uint32_t)a)                     \
    OP1(cvt_b64_##S, "cvt.{u64,s64,b64}." s, U64, B, INT, (uint64_t)a)
WIDEN(u8, "{u8,b8}", U8)
WIDEN(s8, "s8", S8)
WIDEN(u16, "{u16,b16}", U16)
WIDEN(s16, "s16", S16)
WIDEN(u32, "{u32,b32}", U32)
WIDEN(s32, "s32", S32)
WIDEN(u64, "{u64,s64,b64}", U64)
#undef WIDEN
/* integer to float, float to float */
#define TO_FLOAT(S, s, B)                                                                  \
    OP1(cvt_f32_##S, "cvt.f32." s, F32, B, CONVERT, (float)a)                                  \
    OP1(cvt_f64_##S, "cvt.f64." s, F64, B, FP64, (double)a)
TO_FLOAT(u8, "u8", U8)
TO_FLOAT(s8, "s8", S8)
TO_FLOAT(u16, "u16", U16)
TO_FLOAT(s16, "s16", S16)
TO_FLOAT(u32, "u32", U32)
TO_FLOAT(s32, "s32", S32)
TO_FLOAT(u64, "u64", U64)
TO_FLOAT(s64, "s64", S64)
TO_FLOAT(f64, "f64", F64)
#undef TO_FLOAT
/* to float in the other rounding modes; a whole number of 64 bits as a double that is rounded to odd */
#define DIRECTED_FLOAT(r, MODE)                                                            \
    OP1(cvt_##r##_f32_u32, "cvt." #r ".f32.u32", F32, U32, CONVERT, op_directed(a, 0, MODE))   \
    OP1(cvt_##r##_f32_s32, "cvt." #r ".f32.s32", F32, S32, CONVERT, op_directed(a, 0, MODE))   \
    OP1(cvt_##r##_f32_u64, "cvt." #r ".f32.u64", F32, U64, CONVERT, op_directed(op_odd_u64(a), 0, MODE)) \
    OP1(cvt_##r##_f32_s64, "cvt." #r ".f32.s64", F32, S64, CONVERT, op_directed(op_odd_s64(a), 0, MODE)) \
    OP1(cvt_##r##_f32_f64, "cvt." #r ".f32.f64", F32, F64, FP64, op_directed(a, 0, MODE))
DIRECTED_FLOAT(rm, ROUND_DOWN)
DIRECTED_FLOAT(rp, ROUND_UP)
DIRECTED_FLOAT(rz, ROUND_ZERO)
#undef DIRECTED_FLOAT
OP1(cvt_rna_tf32_f32, "cvt.rna.tf32.f32", U32, F32, INT, op_tf32(a))
OP1(cvt_f32_f32, "cvt.f32.f32", F32, F32, INT, op_nan(a))
OP1(cvt_f64_f32, "cvt.f64.f32", F64, F32, FP64, (double)a)
/* float to integer: rzi rounds towards zero, rni to nearest, rmi down, rpi up. A value out of range
 * saturates. NaN becomes 0 if the source is a float and the result has at most 32 bits, else the top bit
 * alone. The last four rows round to an integer and stay a float. */
#define TO_INT(S, s, B, N, O)                                                                       \
    OP1(cvt_rzi_u32_##S, "cvt.rzi.u32." s, U32, B, CONVERT, op_to_u32(__builtin_trunc(a), N))          \
    OP1(cvt_rni_u32_##S, "cvt.rni.u32." s, U32, B, CONVERT, op_to_u32(__builtin_rint(a), N))           \
    OP1(cvt_rmi_u32_##S, "cvt.rmi.u32." s, U32, B, CONVERT, op_to_u32(__builtin_floor(a), N))          \
    OP1(cvt_rpi_u32_##S, "cvt.rpi.u32." s, U32, B, CONVERT, op_to_u32(__builtin_ceil(a), N))           \
    OP1(cvt_rzi_s32_##S, "cvt.rzi.s32." s, S32, B, CONVERT, op_to_s32(__builtin_trunc(a), N))          \
    OP1(cvt_rni_s32_##S, "cvt.rni.s32." s, S32, B, CONVERT, op_to_s32(__builtin_rint(a), N))           \
    OP1(cvt_rmi_s32_##S, "cvt.rmi.s32." s, S32, B, CONVERT, op_to_s32(__builtin_floor(a), N))          \
    OP1(cvt_rpi_s32_##S, "cvt.rpi.s32." s, S32, B, CONVERT, op_to_s32(__builtin_ceil(a), N))           \
    OP1(cvt_rzi_u64_##S, "cvt.rzi.u64." s, U64, B, CONVERT, op_to_u64(__builtin_trunc(a)))             \
    OP1(cvt_rni_u64_##S, "cvt.rni.u64." s, U64, B, CONVERT, op_to_u64(__builtin_rint(a)))              \
    OP1(cvt_rmi_u64_##S, "cvt.rmi.u64." s, U64, B, CONVERT, op_to_u64(__builtin_floor(a)))             \
    OP1(cvt_rpi_u64_##S, "cvt.rpi.u64." s, U64, B, CONVERT, op_to_u64(__builtin_ceil(a)))              \
    OP1(cvt_rzi_s64_##S, "cvt.rzi.s64." s, S64, B, CONVERT, op_to_s64(__builtin_trunc(a)))             \
    OP1(cvt_rni_s64_##S, "cvt.rni.s64." s, S64, B, CONVERT, op_to_s64(__builtin_rint(a)))              \
    OP1(cvt_rmi_s64_##S, "cvt.rmi.s64." s, S64, B, CONVERT, op_to_s64(__builtin_floor(a)))             \
    OP1(cvt_rpi_s64_##S, "cvt.rpi.s64." s, S64, B, CONVERT, op_to_s64(__builtin_ceil(a)))              \
    OP1(cvt_rzi_u16_##S, "cvt.rzi.u16." s, U16, B, CONVERT, (uint16_t)op_clamp(a, 0, 65535, N >> 16)) \
    OP1(cvt_rzi_s16_##S, "cvt.rzi.s16." s, S16, B, CONVERT,                                            \
        (int16_t)op_clamp(a, -32768, 32767, N ? -32768 : 0))                                           \
    OP1(cvt_rzi_u8_##S, "cvt.rzi.u8." s, U16, B, CONVERT, (uint16_t)op_clamp(a, 0, 255, N >> 24))      \
    OP1(cvt_rzi_s8_##S, "cvt.rzi.s8." s, S16, B, CONVERT, (int16_t)op_clamp(a, -128, 127, N ? -128 : 0)) \
    OP1(cvt_rzi_##S, "cvt.rzi." s "." s, B, B, CONVERT, O(__builtin_trunc(a)))                         \
    OP1(cvt_rni_##S, "cvt.rni." s "." s, B, B, CONVERT, O(__builtin_rint(a)))                          \
    OP1(cvt_rmi_##S, "cvt.rmi." s "." s, B, B, CONVERT, O(__builtin_floor(a)))                         \
    OP1(cvt_rpi_##S, "cvt.rpi." s "." s, B, B, CONVERT, O(__builtin_ceil(a)))
TO_INT(f32, "f32", F32, 0u, op_nan)
TO_INT(f64, "f64", F64, 0x80000000u, )
#undef TO_INT

#include "ptx/ops_half.h"

/* memory: d, a, b and c are as PTX writes them */
OPX(LD, "ld ldu", MEM, "d = memory[a]")
OPX(ST, "st", MEM, "memory[a] = b")
OPX(ATOM, "atom red", MEM, "d = memory[a]; memory[a] = operation(d, b, c), indivisibly")
OPX(CVTA, "cvta", INT, "an address of a space to a generic one, or back")
OPX(MAPA, "mapa", INT, "the address in another block of the cluster that an address has in this one")
OPX(ISSPACEP, "isspacep", INT, "does the generic address lie in the space?")
OPX(FENCE, "membar fence", MEM, "orders memory accesses; lanes run in order here, so nothing is left to do")
OPX(PREFETCH, "prefetch prefetchu", MEM, "a hint")

/* copies that go on while the thread does, and barriers in shared memory that count arrivals */
OPX(CPASYNC, "cp", MEM, "shared memory at a = global memory at b; bytes from c on are 0")
OPX(CPGROUP, "lockstep.cpgroup", CONTROL, "end a group of copies, or wait for all but a of them")
OPX(MBARRIER, "mbarrier", MEM, "begin, arrive at, or ask for a phase of the barrier at a")
OPX(BULK, "lockstep.bulk", MEM, "c bytes, or a box, between shared memory at a and global memory at b")
OPX(BULKGROUP, "lockstep.bulkgroup", CONTROL, "end a group of stores of those, or wait for all but a of them")

/* matrices held by the lanes of a warp: 8 x 8 elements of 16 bits, of which each lane has two neighbours */
OPX(LDMATRIX, "ldmatrix", MEM, "d = matrices whose rows are at the addresses a of 8 lanes each")
OPX(STMATRIX, "stmatrix", MEM, "the other way")
OPX(MOVMATRIX, "movmatrix", INT, "d = a, transposed")
OPX(MMA, "mma", TENSOR, "D = A B + C")
OPX(WGMMA, "wgmma", TENSOR, "D += A B, by four warps, with B in shared memory where descriptors say")
OPX(WGSYNC, "lockstep.wgsync", CONTROL, "registers are ready for wgmma; a group ends; a wait for groups")
OPX(SETMAXNREG, "setmaxnreg", CONTROL, "the registers that each thread of the warp has from here on")
OPX(ELECT, "elect", INT, "d = the lowest lane of a mask; is it this one?")

/* lanes of a warp together */
OPX(SREG, "lockstep.sreg", MOVE, "d = special register")
OPX(SHFL, "shfl.sync", INT, "d = a of another lane")
OPX(VOTE, "vote.sync", INT, "all, any, uniform or ballot of a predicate over the active lanes")
OPX(MATCH, "match", INT, "which lanes hold the same value")
OPX(REDUX, "redux", INT, "the sum, minimum, maximum, and, or, xor of the lanes' values")
OPX(ACTIVEMASK, "activemask.b32", INT, "d = the active lanes, a bit each")

/* control flow, barriers, and the functions that the simulator provides */
OPX(BRA, "bra", CONTROL, "go to the label")
OPX(EXIT, "exit", CONTROL, "the thread ends")
OPX(RET, "ret", CONTROL, "back to the caller; ends the thread in a kernel")
OPX(CALL, "call", CONTROL, "inlined before anything runs")
OPX(BAR, "bar barrier", CONTROL, "wait for all threads of the block")
OPX(NAMED, "lockstep.named", CONTROL, "arrive at barrier a of b threads; d = have so many arrived?")
OPX(BARWARP, "bar.warp.sync", CONTROL, "the lanes of a warp that its mask names wait for each other")
OPX(BARVOTE, "lockstep.barvote", CONTROL,
    "bring a to the block's next barrier; d = what all have brought to the last one")
OPX(TRAP, "trap brkpt", CONTROL, "the kernel ends with an error")
OPX(PRINT, "lockstep.print", CONTROL, "printf: the format at a, its arguments in memory from b on")
OPX(ASSERT, "lockstep.assert", CONTROL,
    "an assertion has failed, whose text is at a: the kernel ends with an error")
OPX(NOP, "lockstep.nop pragma nanosleep discard", CONTROL, "nothing")

#undef OP1
#undef OP2
#undef OP3
#undef OP4
#undef OPP
#undef OPX
