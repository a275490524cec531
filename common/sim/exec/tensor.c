/* tensor.c - matrices held by the lanes of a warp: loads, stores and products.
 *
 *      ldmatrix     lane 8 i + r has the address of row r of matrix i: 16 bytes, 8 elements
 *                   lane l gets elements 2 (l % 4) and the next one of row l / 4 of each matrix
 *      mma          registers -> A, B^T, C as arrays -> D -> registers
 *
 * All 32 lanes take part. model.h says which elements each lane holds. Sums of floats follow
 * model/tensor.c, integer sums are exact, and sums of doubles are chains of multiply-adds.
 *
 * Source: PTX ISA, warp-level matrix instructions. */
#include "sim/check/check.h"
#include "sim/exec/cost.h"
#include "sim/exec/meaning.h"
#include "sim/exec/mem.h"

#include <string.h>

static const struct ptx_step *step_of(const struct batch *v, const struct uop *u)
{
    return &v->worker->kernel->program->steps[u->step];
}

/* Is the warp active? A fault if only some of its lanes are. */
static int whole_warp(struct batch *v, const struct uop *u, int w)
{
    if (!v->active[w] || v->active[w] == ~0u) return v->active[w] != 0;
    sim_fault(v, u, w * 32 + __builtin_ctz(v->active[w]), FAULT(.kind = FOUND_LANES),
        "executes %s without lane %d of its warp; all 32 must execute it together",
        step_of(v, u)->text, __builtin_ctz(~v->active[w]));
}

/* ---- 8 x 8 matrices of 16-bit elements in shared memory ---- */

/* Count a load or store of matrices; the wavefronts of each matrix are counted separately. */
static void count_rows(
    struct batch *v, const struct uop *u, const uint64_t addr[32], uint32_t mask, int write)
{
    struct sim_step_counts *s = &v->worker->steps[u->step];
    if (!u->counts || !v->worker->counting) return;
    cost_record(v, u, SPACE_SHARED, addr, mask, 16, write);
    s->requests++;
    s->accesses += (uint64_t)__builtin_popcount(mask);
    s->words += (uint64_t)__builtin_popcount(mask);
    for (uint32_t one = 0xff; one & mask; one <<= 8) {
        struct cost c = cost_of(v->worker->launch->profile, SPACE_SHARED, addr, one, 16,
            write ? TOUCH_WRITE : TOUCH_READ);
        s->wavefronts += c.count;
        s->conflicts += c.extra;
    }
}

/* Check the addresses of the rows of up to 4 matrices. at[l]: host address of the row that lane l
 * points to. */
static void rows(struct batch *v, const struct uop *u, int w, int write, unsigned char *at[32])
{
    const uint64_t *base = (const uint64_t *)reg_lanes(v, &v->regs[u->a]) + w * 32;
    int count = step_of(v, u)->detail;
    uint32_t mask = count == 4 ? ~0u : (1u << 8 * count) - 1;
    uint64_t addr[32];
    struct uop x = *u;
    x.counts = 0;
    x.space = SPACE_SHARED;
    x.offset = 0;
    for (int l = 0; l < 32; l++) {
        /* the low 32 bits are right for a generic address in shared memory, too */
        addr[l] = mask >> l & 1 ? (uint64_t)(int64_t)(int32_t)(base[l] + (uint64_t)u->offset) : 0;
    }
    struct access a;
    access_lanes(&a, v, &x, SPACE_SHARED, w, addr, mask, write ? TOUCH_WRITE : TOUCH_READ);
    access_places(&a, at);
    count_rows(v, u, addr, mask, write);
}

/* Move elements between rows in memory and the registers of warp w. trans: the matrix is
 * transposed. */
static void move_rows(
    unsigned char *const at[32], int count, int trans, int write, uint32_t *const reg[4])
{
    for (int i = 0; i < count; i++)
        for (int l = 0; l < 32; l++)
            for (int h = 0; h < 2; h++) {
                int row = trans ? l % 4 * 2 + h : l / 4, column = trans ? l / 4 : l % 4 * 2 + h;
                unsigned char *p = at[8 * i + row] + 2 * column;
                uint16_t x = (uint16_t)(reg[i][l] >> 16 * h);
                if (write)
                    memcpy(p, &x, 2);
                else
                    memcpy(&x, p, 2);
                reg[i][l] = (reg[i][l] & ~(0xffffu << 16 * h)) | (uint32_t)x << 16 * h;
            }
}

void tensor_ldmatrix(struct batch *v, const struct uop *u)
{
    const struct ptx_step *s = step_of(v, u);
    for (int w = 0; w < v->warps; w++) {
        unsigned char *at[32];
        uint32_t got[4][32] = {{0}}, *reg[4] = {got[0], got[1], got[2], got[3]};
        if (!whole_warp(v, u, w)) continue;
        rows(v, u, w, 0, at);
        move_rows(at, s->detail, s->detail2, 0, reg);
        for (int i = 0; i < s->detail; i++)
            if (u->r[i] >= 0)
                memcpy((uint32_t *)reg_blend(v, &v->regs[u->r[i]]) + w * 32, got[i], sizeof got[i]);
    }
}

void tensor_stmatrix(struct batch *v, const struct uop *u)
{
    const struct ptx_step *s = step_of(v, u);
    const int32_t *more = v->worker->kernel->more + u->more;
    for (int w = 0; w < v->warps; w++) {
        unsigned char *at[32];
        uint32_t *reg[4];
        if (!whole_warp(v, u, w)) continue;
        for (int i = 0; i < s->detail; i++)
            reg[i] = (uint32_t *)reg_lanes(v, &v->regs[more[i]]) + w * 32;
        rows(v, u, w, 1, at);
        move_rows(at, s->detail, s->detail2, 1, reg);
    }
}

void tensor_movmatrix(struct batch *v, const struct uop *u)
{
    const uint32_t *a = reg_lanes(v, &v->regs[u->a]);
    for (int w = 0; w < v->warps; w++) {
        uint32_t got[32] = {0};
        if (!whole_warp(v, u, w)) continue;
        /* element l of the transposed matrix is in row l / 8, column l % 8 */
        for (int l = 0; l < 64; l++) {
            int from = w * 32 + l % 8 * 4 + l / 16;
            got[l / 2] |= (a[from] >> (l / 8 & 1) * 16 & 0xffff) << (l & 1) * 16;
        }
        if (u->d >= 0) memcpy((uint32_t *)reg_blend(v, &v->regs[u->d]) + w * 32, got, sizeof got);
    }
}

/* ---- products ---- */

enum { MOST_M = 16, MOST_K = 32, COLUMNS = 8 };

/* The 32 lanes of warp w in register r of an operand. */
static const void *lanes_of(struct batch *v, const int32_t *regs, int r, int w, int wide)
{
    const char *p = reg_lanes(v, &v->regs[regs[r]]);
    return p + (size_t)w * 32 * (wide ? 8 : 4);
}

/* The bits of a number format: exponent, mantissa, and unused low bits of an element that are
 * dropped (TF32). */
struct format {
    int exponent, mantissa, unused;
};

static struct format format_of(enum ptx_number n)
{
    if (n == NUMBER_F16) return (struct format){5, 10, 0};
    return n == NUMBER_BF16 ? (struct format){8, 7, 0} : (struct format){8, 10, 13};
}

/* The operands of a product. a, b, c: registers of A, B and C; w: the warp; d: the result, in
 * 32-bit registers; wide: the result of a product of doubles. */
struct operands {
    const struct ptx_mma *m;
    const int32_t *a, *b, *c;
    int w;
    uint32_t d[4][32]; /* result by register and lane, as 32 bits; the next array is for doubles */
    double wide[4][32];
};

/* Add products of floats to the registers of C; the results go to o->d. sum_floats: results are
 * floats; sum_halves: results are halves, two in a register. */
static void sum_floats(struct batch *v, struct operands *o, struct model_tensor rule,
    struct format f, uint32_t (*a)[MOST_K], uint32_t (*b)[MOST_K])
{
    uint32_t d[MOST_M * COLUMNS];
    for (int r = 0; r < 4; r++) {
        const uint32_t *c = lanes_of(v, o->c, r, o->w, 0);
        for (int l = 0; l < 32; l++) d[model_c_place(l, r)] = c[l];
    }
    model_tensor_tiles(
        rule, f.exponent, f.mantissa, a[0], b[0], MOST_K, o->m->k, 1, (uint32_t(*)[COLUMNS])d);
    for (int r = 0; r < 4; r++)
        for (int l = 0; l < 32; l++) o->d[r][l] = d[model_c_place(l, r)];
}

static void sum_halves(struct batch *v, struct operands *o, struct model_tensor rule,
    struct format f, uint32_t (*a)[MOST_K], uint32_t (*b)[MOST_K])
{
    struct model_number row[MOST_M][MOST_K], column[COLUMNS][MOST_K];
    int k = o->m->k;
    for (int i = 0; i < MOST_M * k; i++)
        model_number(&row[i / k][i % k], f.exponent, f.mantissa, a[i / k][i % k]);
    for (int i = 0; i < COLUMNS * k; i++)
        model_number(&column[i / k][i % k], f.exponent, f.mantissa, b[i / k][i % k]);
    for (int r = 0; r < 2; r++) {
        const uint32_t *c = lanes_of(v, o->c, r, o->w, 0);
        for (int l = 0; l < 32; l++) {
            int i = model_c_row(l, 2 * r), j = model_c_column(l, 2 * r);
            o->d[r][l] = model_tensor_sum(rule, row[i], column[j], k, c[l] & 0xffff, 1) |
                         model_tensor_sum(rule, row[i], column[j + 1], k, c[l] >> 16, 1) << 16;
        }
    }
}

/* Write the elements of a register of A or B, `per` to a lane, to rows of MOST_K; to: the place of lane
 * 0's first. Each four lanes have a row. */
static void spread(const uint32_t *x, int per, int unused, uint32_t *to)
{
    for (int l = 0; l < 32; l++) {
        uint32_t *at = to + l / 4 * MOST_K + l % 4 * per;
        if (per == 1) {
            at[0] = x[l] >> unused;
        } else {
            at[0] = (x[l] & 0xffff) >> unused;
            at[1] = x[l] >> 16 >> unused;
        }
    }
}

/* Executes products of 16-bit or TF32 factors. */
static void multiply_floats(struct batch *v, struct operands *o)
{
    uint32_t a[MOST_M][MOST_K], b[COLUMNS][MOST_K];
    const struct ptx_mma *m = o->m;
    const struct model_profile *p = v->worker->launch->profile;
    struct model_tensor rule = m->ab == NUMBER_TF32 ? p->tensor_tf32 : p->tensor;
    struct format f = format_of(m->ab);
    int per = m->ab == NUMBER_TF32 ? 1 : 2;
    for (int r = 0; r < m->a; r++)
        spread(lanes_of(v, o->a, r, o->w, 0), per, f.unused,
            &a[model_a_row(m->m, 0, r)][model_a_column(m->m, 0, r, 0, per)]);
    for (int r = 0; r < m->b; r++)
        spread(lanes_of(v, o->b, r, o->w, 0), per, f.unused, &b[0][model_b_row(0, r, 0, per)]);
    if (m->cd == NUMBER_F16)
        sum_halves(v, o, rule, f, a, b);
    else
        sum_floats(v, o, rule, f, a, b);
}

static void multiply_doubles(struct batch *v, struct operands *o)
{
    const struct ptx_mma *m = o->m;
    double a[MOST_M][MOST_K], b[COLUMNS][MOST_K];
    for (int l = 0; l < 32; l++) {
        for (int r = 0; r < m->a; r++)
            a[model_a_row(m->m, l, r)][model_a_column(m->m, l, r, 0, 1)] =
                ((const double *)lanes_of(v, o->a, r, o->w, 1))[l];
        for (int r = 0; r < m->b; r++)
            b[model_b_column(l)][model_b_row(l, r, 0, 1)] =
                ((const double *)lanes_of(v, o->b, r, o->w, 1))[l];
    }
    for (int r = 0; r < m->c; r++)
        for (int l = 0; l < 32; l++) {
            double d = ((const double *)lanes_of(v, o->c, r, o->w, 1))[l];
            for (int k = 0; k < m->k; k++)
                d = op_fma_f64(a[model_c_row(l, r)][k], b[model_c_column(l, r)][k], d);
            o->wide[r][l] = d;
        }
}

/* Executes products of 8-bit factors. Without .satfinite the sums wrap around. */
static void multiply_integers(struct batch *v, struct operands *o, int flags)
{
    const struct ptx_mma *m = o->m;
    int32_t a[MOST_M][MOST_K], b[COLUMNS][MOST_K];
    for (int l = 0; l < 32; l++)
        for (int e = 0; e < 4; e++) {
            for (int r = 0; r < m->a; r++) {
                uint32_t x = ((const uint32_t *)lanes_of(v, o->a, r, o->w, 0))[l] >> 8 * e & 0xff;
                a[model_a_row(m->m, l, r)][model_a_column(m->m, l, r, e, 4)] =
                    flags & MMA_A_UNSIGNED ? (int)x : (int8_t)x;
            }
            for (int r = 0; r < m->b; r++) {
                uint32_t x = ((const uint32_t *)lanes_of(v, o->b, r, o->w, 0))[l] >> 8 * e & 0xff;
                b[model_b_column(l)][model_b_row(l, r, e, 4)] =
                    flags & MMA_B_UNSIGNED ? (int)x : (int8_t)x;
            }
        }
    for (int r = 0; r < m->c; r++)
        for (int l = 0; l < 32; l++) {
            int64_t d = ((const int32_t *)lanes_of(v, o->c, r, o->w, 0))[l];
            for (int k = 0; k < m->k; k++)
                d += a[model_c_row(l, r)][k] * b[model_c_column(l, r)][k];
            if (flags & MMA_CLAMP) d = d > INT32_MAX ? INT32_MAX : d < INT32_MIN ? INT32_MIN : d;
            o->d[r][l] = (uint32_t)d;
        }
}

void tensor_mma(struct batch *v, const struct uop *u)
{
    const struct ptx_step *s = step_of(v, u);
    const int32_t *more = v->worker->kernel->more + u->more;
    struct operands o = {.m = &ptx_mma[s->detail]};
    o.a = more;
    o.b = o.a + o.m->a;
    o.c = o.b + o.m->b;
    for (o.w = 0; o.w < v->warps; o.w++) {
        if (!whole_warp(v, u, o.w)) continue;
        if (o.m->ab == NUMBER_F64)
            multiply_doubles(v, &o);
        else if (o.m->ab == NUMBER_INT8)
            multiply_integers(v, &o, s->detail2);
        else
            multiply_floats(v, &o);
        for (int r = 0; r < o.m->c; r++) {
            if (u->r[r] < 0) continue;
            char *d = reg_blend(v, &v->regs[u->r[r]]);
            if (o.m->cd == NUMBER_F64)
                memcpy(d + (size_t)o.w * 256, o.wide[r], 256);
            else
                memcpy(d + (size_t)o.w * 128, o.d[r], 128);
        }
    }
}
