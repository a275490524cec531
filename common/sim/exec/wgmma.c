/* wgmma.c - matrix products of a warpgroup: D += A B, with B, and perhaps A, in shared memory.
 *
 *      descriptor     | swizzle | base offset | stride | leading | start |
 *                      63..62    51..49        45..32   29..16    13..0
 *                     stride, leading and start are in units of 16 bytes
 *
 * A matrix consists of core matrices: 8 rows of 16 bytes each. With a swizzle, rows are 32, 64 or
 * 128 bytes apart, and that many bytes of a row are contiguous:
 *
 *      k contiguous (K-major)       rows 8 .. 15 follow at stride; without swizzle, the next 16
 *                                   bytes of a row at leading
 *      rows contiguous (.trans)     the next rows follow at leading, k 8 .. 15 at stride; without
 *                                   swizzle, it is the other way round
 *
 *      swizzle      bits 4.. of an address are exclusive-ored with bits 7.., 1 to 3 of them
 *
 * A warp's product is computed when the warp reaches the instruction, and its results are available
 * at once; check/flight.c finds code that reads them before the wait. Source: PTX ISA, asynchronous
 * warpgroup level matrix instructions: descriptor, strides, swizzling. */
#include "sim/check/async.h"
#include "sim/exec/mem.h"

#include <string.h>

enum { MOST_N = 256, MOST_K = 16, ROWS = 16, COLUMNS = 8, CHUNK = 16, SHARED_MASK = 0x3ffff };

/* A matrix in shared memory, from its descriptor. turned: transposed, so the elements of a column
 * are contiguous, not those of a row. */
struct matrix {
    uint32_t start, lead, stride, base;
    int swizzle, turned; /* swizzle: 0 for none, 1 to 3 for a width of 32, 64 or 128 bytes */
};

static struct matrix matrix_of(uint64_t d, int turned)
{
    static const int swizzles[] = {0, 3, 2, 1};
    return (struct matrix){(uint32_t)(d & 0x3fff) << 4, (uint32_t)(d >> 16 & 0x3fff) << 4,
        (uint32_t)(d >> 32 & 0x3fff) << 4, (uint32_t)(d >> 49 & 7), swizzles[d >> 62], turned};
}

/* The offset in shared memory of the aligned 16 bytes that contain element k of row i of A, or of
 * column i of B. bytes: bytes of an element. */
static uint32_t chunk_at(const struct matrix *m, int i, int k, int bytes)
{
    uint32_t wide = 16u << m->swizzle, along = (uint32_t)((m->turned ? i : k) * bytes);
    uint32_t down = (uint32_t)(m->turned ? k : i), at = m->start + down % 8 * wide;
    along -= along % CHUNK;
    if (!m->turned)
        at += down / 8 * m->stride + (m->swizzle ? along : along / CHUNK * m->lead);
    else if (m->swizzle)
        at += along % wide + along / wide * m->lead + down / 8 * m->stride;
    else
        at += along / CHUNK * m->stride + down / 8 * m->lead;
    at &= SHARED_MASK;
    return at ^ (((at >> 7) - m->base) & ((1u << m->swizzle) - 1)) << 4;
}

/* The part of a warpgroup's product that one warp computes. */
struct product {
    const struct ptx_wgmma *m;
    const struct uop *u;
    const int32_t *d, *a; /* registers of D; registers of A if A is in registers */
    int flags, n, bytes, w;
    int exponent, mantissa; /* number of bits of exponent and mantissa in the format of A and B */
};

static void set_format(struct product *p)
{
    enum ptx_number ab = p->m->ab;
    p->bytes = ab == NUMBER_TF32 ? 4 : 2;
    p->exponent = ab == NUMBER_F16 ? 5 : 8;
    p->mantissa = ab == NUMBER_BF16 ? 7 : 10;
}

/* The bits of an element in its format, with the sign flipped if negate is set. For TF32, the
 * unused low bits are dropped. */
static uint32_t factor(const struct product *p, uint32_t bits, int negate)
{
    int unused = p->bytes == 4 ? 13 : 0;
    return (bits >> unused) ^ (uint32_t)negate << (p->exponent + p->mantissa);
}

/* Check that the warp may read rows first .. first + count - 1 of a matrix in shared memory, and
 * record the read in shadow memory. name: the matrix's name in messages. */
static void check_matrix(struct batch *v, const struct product *p, const struct matrix *m,
    int first, int count, const char *name)
{
    const struct worker *wk = v->worker;
    int per = CHUNK / p->bytes;
    for (int i = first; i < first + count; i += m->turned ? per : 1)
        for (int k = 0; k < p->m->k; k += m->turned ? 1 : per) {
            uint32_t at = chunk_at(m, i, k, p->bytes);
            if (at + CHUNK > wk->shared_bytes)
                sim_fault(v, p->u, p->w * 32, FAULT(.kind = FOUND_PRODUCT),
                    "multiplies with byte %u of shared memory, where the descriptor of %s leads (start %u, "
                    "leading offset %u, stride offset %u); the block has %zu bytes",
                    at, name, m->start, m->lead, m->stride, wk->shared_bytes);
            bulk_check(v, p->u, p->w * 32, at, CHUNK, 1);
        }
}

/* Read rows first .. first + count - 1 of a matrix in shared memory into an array of elements. */
static void fetch(const struct batch *v, const struct product *p, const struct matrix *m, int first,
    int count, int negate, uint32_t (*to)[MOST_K])
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < p->m->k; k++) {
            uint32_t at = chunk_at(m, first + i, k, p->bytes), bits = 0;
            at += (uint32_t)((m->turned ? first + i : k) * p->bytes % CHUNK);
            memcpy(&bits, v->worker->shared + at, (size_t)p->bytes);
            to[i][k] = factor(p, bits, negate);
        }
}

static void *lanes_of(struct batch *v, int32_t reg, int w)
{
    return (uint32_t *)reg_lanes(v, &v->regs[reg]) + w * 32;
}

/* Unpack A into an array of elements, if A is in registers; their layout is that of mma.sync. */
static void fetch_registers(
    struct batch *v, const struct product *p, int negate, uint32_t (*to)[MOST_K])
{
    int per = 4 / p->bytes;
    for (int r = 0; r < 4; r++) {
        const uint32_t *x = lanes_of(v, p->a[r], p->w);
        for (int l = 0; l < 32; l++)
            for (int e = 0; e < per; e++) {
                uint32_t bits = per == 1 ? x[l] : x[l] >> 16 * e & 0xffff;
                int column = per * (l % 4) + 4 * per * (r / 2) + e;
                to[l / 4 + 8 * (r % 2)][column] = factor(p, bits, negate);
            }
    }
}

/* Compute D in float. Reads and writes D's registers: those of eight columns are a pair for rows 0 to
 * 7, and a pair for rows 8 to 15, in which lane l has two columns of row l / 4. If add is 0, D is
 * taken as 0. */
static void sum_floats(struct batch *v, const struct product *p, struct model_tensor rule,
    uint32_t (*a)[MOST_K], uint32_t (*b)[MOST_K], int add)
{
    static _Thread_local uint32_t sum[MOST_N / COLUMNS * ROWS][COLUMNS];
    for (int r = 0; r < p->n / 2; r++) {
        const uint32_t *d = lanes_of(v, p->d[r], p->w);
        uint32_t(*to)[COLUMNS] = sum + r / 2 * (ROWS / 2);
        for (int row = 0; row < 8; row++)
            for (int pair = 0; pair < 4; pair++)
                to[row][2 * pair + r % 2] = add ? d[row * 4 + pair] : 0;
    }
    model_tensor_tiles(
        rule, p->exponent, p->mantissa, a[0], b[0], MOST_K, p->m->k, p->n / COLUMNS, sum);
    for (int r = 0; r < p->n / 2; r++) {
        uint32_t *d = lanes_of(v, p->d[r], p->w);
        uint32_t(*from)[COLUMNS] = sum + r / 2 * (ROWS / 2);
        for (int row = 0; row < 8; row++)
            for (int pair = 0; pair < 4; pair++) d[row * 4 + pair] = from[row][2 * pair + r % 2];
    }
}

/* Compute eight columns of D, from `column` on, in half precision, with two numbers in a register.
 * If add is 0, D is taken as 0. */
static void sum_halves(struct batch *v, const struct product *p, struct model_tensor rule,
    int column, uint32_t (*a)[MOST_K], uint32_t (*b)[MOST_K], int add)
{
    struct model_number row[ROWS][MOST_K], right[COLUMNS][MOST_K];
    for (int i = 0; i < ROWS * MOST_K; i++)
        model_number(
            &row[i / MOST_K][i % MOST_K], p->exponent, p->mantissa, a[i / MOST_K][i % MOST_K]);
    for (int i = 0; i < COLUMNS * MOST_K; i++)
        model_number(&right[i / MOST_K][i % MOST_K], p->exponent, p->mantissa,
            b[column + i / MOST_K][i % MOST_K]);
    for (int r = 0; r < 2; r++) {
        uint32_t *d = lanes_of(v, p->d[column / 4 + r], p->w);
        for (int l = 0; l < 32; l++) {
            const struct model_number *x = row[l / 4 + 8 * r], (*y)[MOST_K] = right + l % 4 * 2;
            uint32_t c = add ? d[l] : 0;
            d[l] = model_tensor_sum(rule, x, y[0], MOST_K, c & 0xffff, 1) |
                   model_tensor_sum(rule, x, y[1], MOST_K, c >> 16, 1) << 16;
        }
    }
}

static void sum_up(
    struct batch *v, const struct product *p, uint32_t (*a)[MOST_K], uint32_t (*b)[MOST_K])
{
    const struct model_profile *g = v->worker->launch->profile;
    struct model_tensor rule = p->m->ab == NUMBER_TF32 ? g->tensor_tf32 : g->tensor;
    int half = p->m->cd == NUMBER_F16, add = v->pred[p->u->c][p->w] & 1;
    for (int r = 0; r < p->n / (half ? 4 : 2); r++) reg_blend(v, &v->regs[p->d[r]]);
    if (!half) sum_floats(v, p, rule, a, b, add);
    for (int column = 0; half && column < p->n; column += COLUMNS)
        sum_halves(v, p, rule, column, a, b, add);
}

/* The descriptor of a matrix, in a register; a fault unless all lanes of the warp have the same. */
static uint64_t descriptor(struct batch *v, const struct uop *u, int32_t reg, int w)
{
    const uint64_t *d = (const uint64_t *)reg_lanes(v, &v->regs[reg]) + w * 32;
    for (int l = 1; l < 32; l++)
        if (d[l] != d[0])
            sim_fault(v, u, w * 32 + l, FAULT(.kind = FOUND_PRODUCT),
                "has another descriptor than lane 0 of its warp: all must have the same");
    return d[0];
}

/* A fault unless all lanes of the warp are active, and the block has all four warps of its
 * warpgroup. */
static void check_group(struct batch *v, const struct uop *u, int w)
{
    int group = (v->index * BATCH_WARPS + w) / 4;
    if (v->active[w] != ~0u)
        sim_fault(v, u, w * 32 + __builtin_ctz(v->active[w]), FAULT(.kind = FOUND_PRODUCT),
            "multiplies by wgmma without lane %d of its warp; all 128 threads of a warpgroup must execute it",
            __builtin_ctz(~v->active[w]));
    if (group * 4 + 4 > v->worker->launch->block_warps)
        sim_fault(v, u, w * 32, FAULT(.kind = FOUND_PRODUCT),
            "multiplies by wgmma in a warpgroup of %d warps: four are needed, so a block must have a "
            "multiple of 128 threads",
            v->worker->launch->block_warps - group * 4);
}

void wgmma_product(struct batch *v, const struct uop *u)
{
    static _Thread_local uint32_t a[ROWS][MOST_K], b[MOST_N][MOST_K];
    const struct ptx_step *s = &v->worker->kernel->program->steps[u->step];
    const int32_t *more = v->worker->kernel->more + u->more;
    struct product p = {.m = &ptx_wgmma[s->detail], .u = u, .d = more, .flags = s->detail2};
    uint64_t cost = v->worker->launch->product_cost;
    uint64_t last = 0;
    int fetched = 0;
    v->allowed -= v->allowed < cost ? v->allowed : cost;
    p.n = p.flags & WGMMA_N;
    set_format(&p);
    p.a = more + (p.m->cd == NUMBER_F16 ? p.n / 4 : p.n / 2);
    for (p.w = 0; p.w < v->warps; p.w++) {
        if (!v->active[p.w]) continue;
        check_group(v, u, p.w);
        uint64_t d = descriptor(v, u, u->b, p.w);
        struct matrix right = matrix_of(d, (p.flags & WGMMA_TURN_B) != 0);
        check_matrix(v, &p, &right, 0, p.n, "B");
        if (!fetched || d != last) fetch(v, &p, &right, 0, p.n, (p.flags & WGMMA_NEGATE_B) != 0, b);
        fetched = 1;
        last = d;
        if (p.flags & WGMMA_A_SHARED) {
            struct matrix left =
                matrix_of(descriptor(v, u, u->a, p.w), (p.flags & WGMMA_TURN_A) != 0);
            int row = (v->index * BATCH_WARPS + p.w) % 4 * ROWS;
            check_matrix(v, &p, &left, row, ROWS, "A");
            fetch(v, &p, &left, row, ROWS, (p.flags & WGMMA_NEGATE_A) != 0, a);
        } else {
            fetch_registers(v, &p, (p.flags & WGMMA_NEGATE_A) != 0, a);
        }
        sum_up(v, &p, a, b);
    }
}
