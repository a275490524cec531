/* ops_compare.h - the rows of ops.h for comparisons: setp of integers, float and double. */

/* comparisons of integers; lo, ls, hi and hs are PTX's names for unsigned comparisons */
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
/* comparisons of floats: if an operand is NaN, plain operators are false and those that end in u
 * are true; num and nan test for NaN */
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
