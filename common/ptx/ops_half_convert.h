/* ops_half_convert.h - the rows of ops.h for conversions to and from the 16-bit formats (ops_half.h). */

/* conversions to a 16-bit format; r: the rounding suffix of the key; "": to nearest */
#define TO_HALF_ROUNDED(T, id, r, MODE)                                                    \
    OP1(cvt##id##_##T##_f32, "cvt" r "." #T ".f32", U16, F32, INT, op_narrow_##T(a, MODE)) \
    OP1(cvt##id##_##T##_f64, "cvt" r "." #T ".f64", U16, F64, FP64, op_round_##T(a, MODE)) \
    OP2(cvt##id##_##T##x2_f32, "cvt" r "." #T "x2.f32", U32, F32, F32, INT, op_pair_##T##x2(a, b, MODE)) \
    OP1(cvt##id##_##T##_u8, "cvt" r "." #T ".u8", U16, U8, INT, op_round_##T(a, MODE))     \
    OP1(cvt##id##_##T##_s8, "cvt" r "." #T ".s8", U16, S8, INT, op_round_##T(a, MODE))     \
    OP1(cvt##id##_##T##_u16, "cvt" r "." #T ".u16", U16, U16, INT, op_round_##T(a, MODE))  \
    OP1(cvt##id##_##T##_s16, "cvt" r "." #T ".s16", U16, S16, INT, op_round_##T(a, MODE))  \
    OP1(cvt##id##_##T##_u32, "cvt" r "." #T ".u32", U16, U32, INT, op_round_##T(a, MODE))  \
    OP1(cvt##id##_##T##_s32, "cvt" r "." #T ".s32", U16, S32, INT, op_round_##T(a, MODE))  \
    OP1(cvt##id##_##T##_u64, "cvt" r "." #T ".u64", U16, U64, INT, op_round_##T(op_odd_u64(a), MODE)) \
    OP1(cvt##id##_##T##_s64, "cvt" r "." #T ".s64", U16, S64, INT, op_round_##T(op_odd_s64(a), MODE))
#define TO_HALF(T)                                                                         \
    TO_HALF_ROUNDED(T, , "", ROUND_NEAREST)                                                \
    TO_HALF_ROUNDED(T, _rz, ".rz", ROUND_ZERO)                                             \
    TO_HALF_ROUNDED(T, _rm, ".rm", ROUND_DOWN)                                             \
    TO_HALF_ROUNDED(T, _rp, ".rp", ROUND_UP)
TO_HALF(f16)
TO_HALF(bf16)
OP1(cvt_f16_bf16, "cvt.f16.bf16", U16, U16, INT, op_round_f16(op_widen_bf16(a), ROUND_NEAREST))
OP1(cvt_bf16_f16, "cvt.bf16.f16", U16, U16, INT, op_round_bf16(op_widen_f16(a), ROUND_NEAREST))
#undef TO_HALF
#undef TO_HALF_ROUNDED

/* conversions to integers, by way of float: a NaN becomes 0, or 1 << 63 in 64 bits */
#define HALF_TO_INT(T, r, ROUND)                                                           \
    OP1(cvt_##r##_u32_##T, "cvt." #r ".u32." #T, U32, U16, INT, op_to_u32(ROUND(op_widen_##T(a)), 0)) \
    OP1(cvt_##r##_s32_##T, "cvt." #r ".s32." #T, S32, U16, INT, op_to_s32(ROUND(op_widen_##T(a)), 0)) \
    OP1(cvt_##r##_u64_##T, "cvt." #r ".u64." #T, U64, U16, INT, op_to_u64(ROUND(op_widen_##T(a))))    \
    OP1(cvt_##r##_s64_##T, "cvt." #r ".s64." #T, S64, U16, INT, op_to_s64(ROUND(op_widen_##T(a))))    \
    OP1(cvt_##r##_u16_##T, "cvt." #r ".u16." #T, U16, U16, INT,                            \
        (uint16_t)op_clamp(ROUND(op_widen_##T(a)), 0, 65535, 0))                           \
    OP1(cvt_##r##_s16_##T, "cvt." #r ".s16." #T, S16, U16, INT,                            \
        (int16_t)op_clamp(ROUND(op_widen_##T(a)), -32768, 32767, 0))                       \
    OP1(cvt_##r##_u8_##T, "cvt." #r ".u8." #T, U16, U16, INT,                              \
        (uint16_t)op_clamp(ROUND(op_widen_##T(a)), 0, 255, 0))                             \
    OP1(cvt_##r##_s8_##T, "cvt." #r ".s8." #T, S16, U16, INT,                              \
        (int16_t)op_clamp(ROUND(op_widen_##T(a)), -128, 127, 0))                           \
    OP1(cvt_##r##_##T, "cvt." #r "." #T "." #T, U16, U16, INT,                             \
        op_round_##T(ROUND(op_widen_##T(a)), ROUND_NEAREST))
#define FROM_HALF(T)                                                                       \
    HALF_TO_INT(T, rzi, __builtin_truncf)                                                  \
    HALF_TO_INT(T, rni, __builtin_rintf)                                                   \
    HALF_TO_INT(T, rmi, __builtin_floorf)                                                  \
    HALF_TO_INT(T, rpi, __builtin_ceilf)                                                   \
    OP1(cvt_f32_##T, "cvt.f32." #T, F32, U16, INT, op_nan(op_widen_##T(a)))                \
    OP1(cvt_f64_##T, "cvt.f64." #T, F64, U16, FP64, (double)op_widen_##T(a))
FROM_HALF(f16)
FROM_HALF(bf16)
#undef FROM_HALF
#undef HALF_TO_INT
