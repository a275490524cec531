/* ops_to_integer.h - the rows of ops.h for conversions from float and double to integers. */

/* rzi rounds towards zero, rni to nearest, rmi down, rpi up. A value out of range saturates. NaN
 * becomes 0 if the source is a float and the result has at most 32 bits; else only the top bit is
 * set. The last four rows round to an integer that stays in a float format. */
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
