/* ops_directed.h - the rows of ops.h for float and double in rounding modes other than nearest.
 *
 *     rm  towards minus infinity     rp  towards plus infinity     rz  towards zero */

#define DIRECTED(r, MODE)                                                                              \
    OP2(add_##r##_f32, "add." #r ".f32", F32, F32, F32, FP32, op_fma_directed(a, 1, b, MODE))        \
    OP2(sub_##r##_f32, "sub." #r ".f32", F32, F32, F32, FP32, op_fma_directed(a, 1, -b, MODE))       \
    OP2(mul_##r##_f32, "mul." #r ".f32", F32, F32, F32, FP32, op_mul_directed(a, b, MODE))           \
    OP3(fma_##r##_f32, "{fma,mad}." #r ".f32", F32, F32, F32, F32, FP32, op_fma_directed(a, b, c, MODE)) \
    OP2(div_##r##_f32, "div." #r ".f32", F32, F32, F32, SFU, op_div_directed(a, b, MODE))            \
    OP1(rcp_##r##_f32, "rcp." #r ".f32", F32, F32, SFU, op_div_directed(1, a, MODE))                 \
    OP1(sqrt_##r##_f32, "sqrt." #r ".f32", F32, F32, SFU, op_sqrt_directed(a, MODE))               \
    OP2(add_##r##_f64, "add." #r ".f64", F64, F64, F64, FP64, op_f64_directed(F64_FMA, a, 1, b, MODE)) \
    OP2(sub_##r##_f64, "sub." #r ".f64", F64, F64, F64, FP64,                                        \
        op_f64_directed(F64_FMA, a, 1, op_neg_f64(b), MODE))                                         \
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
/* conversions to float; a 64-bit integer is first converted to double, rounded to odd */
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
