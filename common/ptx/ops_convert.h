/* ops_convert.h - the rows of ops.h for conversions: integer to integer, integer to float, float to
 * float. */

/* integer to integer; the result type decides whether the value is sign- or zero-extended in its
 * register */
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
OP1(cvt_rna_tf32_f32, "cvt.rna.tf32.f32", U32, F32, INT, op_tf32(a))
OP1(cvt_f32_f32, "cvt.f32.f32", F32, F32, INT, op_nan(a))
OP1(cvt_f64_f32, "cvt.f64.f32", F64, F32, FP64, (double)a)
