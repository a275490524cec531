/* ops_half.h - the rows of ops.h for the 16-bit formats: f16, bf16, and their pairs f16x2, bf16x2.
 *
 *     add.rn.f16     16 bits + 16 bits          one number in the low half of a register
 *     add.rn.f16x2   two sums, one instruction  two numbers in a register
 *
 * Operands are the bits of the numbers, so their types are U16 and U32. .ftz, .sat and .relu are
 * separate steps (resolve_half.c). Source: PTX ISA, Half Precision Floating-Point Instructions,
 * Half Precision Comparison, cvt, tanh, ex2. Functions op_... are in sim/exec/half.h. */

#define HALF_ROWS(T, B)                                                                    \
    OP2(add_##T, "add." #T, B, B, B, HALF, op_add_##T(a, b))                               \
    OP2(sub_##T, "sub." #T, B, B, B, HALF, op_sub_##T(a, b))                               \
    OP2(mul_##T, "mul." #T, B, B, B, HALF, op_mul_##T(a, b))                               \
    OP3(fma_##T, "fma." #T, B, B, B, B, HALF, op_fma_##T(a, b, c))                         \
    OP1(neg_##T, "neg." #T, B, B, HALF, op_neg_##T(a))                                     \
    OP1(abs_##T, "abs." #T, B, B, HALF, op_abs_##T(a))                                     \
    OP2(min_##T, "min." #T, B, B, B, HALF, op_min_##T(a, b))                               \
    OP2(max_##T, "max." #T, B, B, B, HALF, op_max_##T(a, b))                               \
    OP2(min_nan_##T, "min.NaN." #T, B, B, B, HALF, op_min_nan_##T(a, b))                   \
    OP2(max_nan_##T, "max.NaN." #T, B, B, B, HALF, op_max_nan_##T(a, b))                   \
    OP1(ex2_##T, "ex2." #T, B, B, SFU, op_ex2_##T(a))                                      \
    OP1(tanh_##T, "tanh." #T, B, B, SFU, op_tanh_##T(a))                                   \
    OP1(ftz_##T, "lockstep.ftz." #T, B, B, HALF, op_ftz_##T(a))                            \
    OP1(sat_##T, "lockstep.sat." #T, B, B, HALF, op_sat_##T(a))                            \
    OP1(relu_##T, "lockstep.relu." #T, B, B, HALF, op_relu_##T(a))
HALF_ROWS(f16, U16)
HALF_ROWS(f16x2, U32)
HALF_ROWS(bf16, U16)
HALF_ROWS(bf16x2, U32)
#undef HALF_ROWS

/* comparisons; a comparison of pairs results in 0xffff in each half for which it is true */
#define HALF_COMPARE(c, T)                                                                 \
    OP2(setp_##c##_##T, "setp." #c "." #T, PRED, U16, U16, INT,                            \
        op_compare(op_widen_##T(a), op_widen_##T(b), COMPARE_##c))                         \
    OP2(set_##c##_##T##x2, "set." #c "." #T "x2", U32, U32, U32, INT, op_set_##T##x2(a, b, COMPARE_##c))
#define HALF_COMPARES(T)                                                                   \
    HALF_COMPARE(eq, T) HALF_COMPARE(ne, T) HALF_COMPARE(lt, T) HALF_COMPARE(le, T)        \
    HALF_COMPARE(gt, T) HALF_COMPARE(ge, T) HALF_COMPARE(equ, T) HALF_COMPARE(neu, T)      \
    HALF_COMPARE(ltu, T) HALF_COMPARE(leu, T) HALF_COMPARE(gtu, T) HALF_COMPARE(geu, T)    \
    HALF_COMPARE(num, T) HALF_COMPARE(nan, T)
HALF_COMPARES(f16)
HALF_COMPARES(bf16)
#undef HALF_COMPARES
#undef HALF_COMPARE
