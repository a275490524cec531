/* alu_small.h - generates the handlers of operations that cost more than fetching their operands:
 * one loop for each row of a table.
 *
 *     OP2(add_f16, "add.f16", U16, U16, U16, HALF, op_add_f16(a, b))
 *       each_add_f16                   computes arrays of values, 16 at a time
 *       run_add_f16, masked_add_f16    leave the rest to alu_run and alu_masked (alu_small.c)
 *
 * For such a row, the three loops of alu_fast.h would be three times the code and hardly faster.
 *
 * A file that includes this one must include a table of rows (ptx/ops_*.h) after it. */
#ifndef LOCKSTEP_SIM_ALU_SMALL_H
#define LOCKSTEP_SIM_ALU_SMALL_H

#include "sim/exec/alu.h"

/* Arrays of operands, in the width of lanes in registers. source[0 .. 3] are a, b, c and e. A
 * predicate is an array of 0 and 1. Groups of 16 let the compiler use whole vectors, even for
 * 16-bit numbers. */
enum { ALU_GROUP = 16 };
struct alu_values {
    const void *source[4];
    void *d;
    int groups; /* number of groups of ALU_GROUP values */
};
/* A row of a table: its loop, and the size in bytes of one value of each source and of d. 0: the
 * row lacks this source, or d is a predicate. */
struct alu_row {
    void (*each)(const struct alu_values *x);
    uint8_t source[4], d;
};
void alu_run(struct batch *v, const struct uop *u, const struct alu_row *row);
void alu_masked(struct batch *v, const struct uop *u, const struct alu_row *row);

#define CELL_PRED uint32_t
#define BYTES_PRED 0
#define BYTES_U8 4
#define BYTES_S8 4
#define BYTES_U16 4
#define BYTES_S16 4
#define BYTES_U32 4
#define BYTES_S32 4
#define BYTES_F32 4
#define BYTES_U64 8
#define BYTES_S64 8
#define BYTES_F64 8

/* Declare a source n: the pointer to its array, and its i-th value. */
#define POINTER(T, n, number) const CELL_##T *p_##n = x->source[number];
#define VALUE(T, n) TYPE_##T n = (TYPE_##T)p_##n[i];

#define ROW(id, D, expr, pointers, values, ...) \
    static void each_##id(const struct alu_values *x) \
    { \
        pointers CELL_##D *out = x->d; \
        const int count = x->groups * ALU_GROUP; \
        _Pragma("GCC ivdep") _Pragma("GCC unroll 1") for (int i = 0; i < count; i++) \
        { \
            values out[i] = (CELL_##D)(TYPE_##D)(expr); \
        } \
    } \
    static const struct alu_row row_##id = {each_##id, {__VA_ARGS__}, BYTES_##D}; \
    void run_##id(struct batch *v, const struct uop *u) { alu_run(v, u, &row_##id); } \
    void masked_##id(struct batch *v, const struct uop *u) { alu_masked(v, u, &row_##id); }

#define OP1(id, keys, D, A, class, expr) ROW(id, D, expr, POINTER(A, a, 0), VALUE(A, a), BYTES_##A)
#define OP2(id, keys, D, A, B, class, expr) \
    ROW(id, D, expr, POINTER(A, a, 0) POINTER(B, b, 1), VALUE(A, a) VALUE(B, b), BYTES_##A, \
        BYTES_##B)
#define OP3(id, keys, D, A, B, C, class, expr) \
    ROW(id, D, expr, POINTER(A, a, 0) POINTER(B, b, 1) POINTER(C, c, 2), \
        VALUE(A, a) VALUE(B, b) VALUE(C, c), BYTES_##A, BYTES_##B, BYTES_##C)

#endif
