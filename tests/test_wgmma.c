/* test_wgmma.c - products of a warpgroup: matrices laid out in shared memory as PTX ISA draws them,
 * in every layout that a descriptor can say.
 *
 *     a unit: 8 rows of W bytes, W = 16 without a swizzle, else 32, 64 or 128
 *     K-major      a row of the unit is a row of the matrix, its bytes go along k
 *     transposed   a row of the unit is a k, its bytes go along the rows of the matrix
 *     a swizzle    exchanges the chunks of 16 bytes of a row: by the row, by half or a quarter of it
 *
 * Units stand far apart, at offsets that nothing but the descriptor tells. */
#include "device/device.h"
#include "half.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, MOST_N = 256, MOST_K = 16, IMAGE = 49152, THREADS = 256 };

static const struct kind {
    const char *name; /* types of D, A and B */
    int k, bytes, halves;
    int exponent, mantissa; /* bits of exponent and mantissa of an element of A or B */
} kinds[] = {{"f32.tf32.tf32", 8, 4, 0, 8, 10}, {"f32.f16.f16", 16, 2, 0, 5, 10},
    {"f16.f16.f16", 16, 2, 1, 5, 10}, {"f32.bf16.bf16", 16, 2, 0, 8, 7}};
enum { TF32, F16, F16_SUM, BF16 };

static const struct product {
    int kind, n, in_registers;
    int swizzle, turn_a, turn_b; /* swizzle: bytes of a unit's row, 0: none */
    int negate_a, negate_b, add, base;
} products[] = {
    {TF32, 8, 1, 128, 0, 0, 0, 0, 1},
    {TF32, 256, 0, 128, 0, 0, 0, 1, 1, 3},
    {TF32, 24, 0, 64, 0, 0, 1, 0, 0, 1},
    {TF32, 16, 0, 32, 0, 0, 1, 1, 1},
    {TF32, 40, 0, 0, 0, 0, 0, 0, 0},
    {F16, 256, 0, 0, 0, 0, 0, 0, 1},
    {F16, 16, 0, 0, 1, 1, 1, 0, 1},
    {F16, 64, 0, 0, 0, 1, 0, 0, 0},
    {F16, 136, 0, 32, 1, 0, 0, 0, 1},
    {F16, 128, 0, 64, 0, 1, 0, 1, 0, 2},
    {F16, 192, 0, 128, 1, 1, 0, 0, 1, 7},
    {F16, 72, 1, 128, 0, 1, 1, 1, 1},
    {BF16, 8, 1, 0, 0, 0, 0, 0, 1},
    {BF16, 96, 0, 64, 1, 1, 0, 1, 0},
    {BF16, 160, 0, 32, 1, 1, 1, 0, 1},
    {F16_SUM, 8, 1, 32, 0, 0, 0, 0, 1},
    {F16_SUM, 256, 0, 128, 0, 0, 1, 0, 0},
    {F16_SUM, 48, 0, 0, 1, 0, 0, 1, 1},
};

static int value(int matrix, int i, int k) { return (7 * i + 5 * k + i * k / 3 + matrix) % 7 - 3; }

/* The bits of a whole number in the format of A and B. */
static unsigned bits_of(const struct kind *t, int v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return t->bytes == 4 ? bits : half_rounded(v, 'n', t->mantissa, (1 << (t->exponent - 1)) - 1);
}

/* Where a matrix's units lie. across: bytes from a unit to the next along the bytes of their rows;
 * down: to the next along their 8 rows. */
struct layout {
    size_t across, down;
};

static size_t place(const struct product *p, const struct layout *l, int turned, int i, int k)
{
    int wide = p->swizzle ? p->swizzle : 16, bytes = kinds[p->kind].bytes;
    int along = (turned ? i : k) * bytes, row = turned ? k : i;
    int chunk = along % wide / 16, by = p->swizzle == 128  ? row
                                        : p->swizzle == 64 ? row / 2
                                                           : row / 4;
    if (p->swizzle) chunk ^= by % (wide / 16);
    return (size_t)(along / wide) * l->across + (size_t)(row / 8) * l->down +
           (size_t)(row % 8 * wide + chunk * 16 + along % 16);
}

/* Puts a matrix into the image of shared memory. Returns its descriptor without the start. */
static uint64_t lay(
    const struct product *p, int matrix, int rows, int turned, size_t at, unsigned char *image)
{
    const struct kind *t = &kinds[p->kind];
    size_t unit = 8 * (p->swizzle ? (size_t)p->swizzle : 16);
    int tall = (turned ? t->k : rows) / 8;
    /* units stacked along their rows are adjacent; 1024 bytes are free behind each stack */
    struct layout l = {(size_t)tall * unit + 1024, unit};
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < t->k; k++) {
            unsigned bits = bits_of(t, value(matrix, i, k));
            size_t to = at + place(p, &l, turned, i, k);
            ck_assert_uint_le(to + 4, IMAGE);
            memcpy(image + to, &bits, (size_t)t->bytes);
        }
    /* without a swizzle, a transposed matrix has its two offsets swapped */
    int swapped = turned && !p->swizzle;
    uint64_t lead = swapped ? l.down : l.across, stride = swapped ? l.across : l.down;
    uint64_t mode = p->swizzle == 128 ? 1 : p->swizzle == 64 ? 2 : p->swizzle == 32 ? 3 : 0;
    return lead >> 4 << 16 | stride >> 4 << 32 | (uint64_t)p->base << 49 | mode << 62;
}

static void list(struct buf *out, const char *name, int count)
{
    buf_printf(out, "{");
    for (int i = 0; i < count; i++) buf_printf(out, "%s%s%d", i ? ", " : "", name, i);
    buf_printf(out, "}");
}

/* PTX in which thread t stores register i of D at out[t + 256 i]. D is 1 before, in both halves of
 * a register if it has halves. The caller frees it. */
static char *kernel(const struct product *p, int registers)
{
    const struct kind *t = &kinds[p->kind];
    struct buf out = {0};
    buf_printf(&out,
        ".version 8.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 out, .param .u64 image, .param .u64 registers, .param .u64 da, .param .u64 db)\n"
        "{\n.reg .pred %%p, %%q; .reg .b32 %%t, %%i, %%r, %%a<4>, %%d<128>; .reg .b64 %%o, %%m, %%x, %%da, %%db, %%s;\n"
        ".shared .align 1024 .b8 s[%d];\n"
        "ld.param.u64 %%o, [out]; ld.param.u64 %%m, [image]; mov.u32 %%t, %%tid.x; mov.u32 %%i, %%t;\n"
        "L: mul.wide.u32 %%x, %%i, 4; add.u64 %%x, %%m, %%x; ld.global.u32 %%r, [%%x];\n"
        "mov.u64 %%s, s; mul.wide.u32 %%x, %%i, 4; add.u64 %%x, %%s, %%x; st.shared.u32 [%%x], %%r;\n"
        "add.u32 %%i, %%i, %d; setp.lt.u32 %%p, %%i, %d; @%%p bra L;\n"
        "fence.proxy.async; bar.sync 0;\n"
        "shr.u64 %%s, %%s, 4; ld.param.u64 %%da, [da]; add.u64 %%da, %%da, %%s; ld.param.u64 %%db, [db]; add.u64 %%db, %%db, %%s;\n"
        "ld.param.u64 %%m, [registers]; and.b32 %%i, %%t, 127; mul.wide.u32 %%x, %%i, 16; add.u64 %%x, %%m, %%x;\n"
        "ld.global.v4.b32 {%%a0, %%a1, %%a2, %%a3}, [%%x];\n",
        IMAGE, THREADS, IMAGE / 4);
    for (int i = 0; i < registers; i++)
        buf_printf(&out, "mov.b32 %%d%d, 0x%x;\n", i, t->halves ? 0x3c003c00 : 0x3f800000);
    buf_printf(&out,
        "setp.eq.u32 %%q, 0, %d; wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n%dk%d.%s ",
        !p->add, p->n, t->k, t->name);
    list(&out, "%d", registers);
    buf_printf(&out, ", ");
    if (p->in_registers)
        list(&out, "%a", 4);
    else
        buf_printf(&out, "%%da");
    buf_printf(&out, ", %%db, %%q, %d, %d", p->negate_a ? -1 : 1, p->negate_b ? -1 : 1);
    if (t->bytes == 2 && !p->in_registers) buf_printf(&out, ", %d", p->turn_a);
    if (t->bytes == 2) buf_printf(&out, ", %d", p->turn_b);
    buf_printf(&out, ";\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
                     "mul.wide.u32 %%x, %%t, 4; add.u64 %%o, %%o, %%x;\n");
    for (int i = 0; i < registers; i++)
        buf_printf(&out, "st.global.b32 [%%o+%d], %%d%d;\n", i * THREADS * 4, i);
    buf_printf(&out, "ret;\n}\n");
    return out.data;
}

/* Puts A into the registers of a warpgroup's threads, in mma.sync's layout. */
static void put_registers(const struct product *p, uint32_t (*a)[4])
{
    const struct kind *t = &kinds[p->kind];
    int per = 4 / t->bytes;
    for (int thread = 0; thread < 128; thread++)
        for (int r = 0; r < 4; r++) {
            int row = thread / 32 * 16 + thread % 32 / 4 + (r % 2) * 8;
            for (int e = 0; e < per; e++) {
                int k = (thread % 4 + (r > 1) * 4) * per + e;
                a[thread][r] |= bits_of(t, value(0, row, k)) << 16 * e;
            }
        }
}

static double wanted(const struct product *p, int row, int column)
{
    int sum = 0;
    for (int k = 0; k < kinds[p->kind].k; k++) sum += value(0, row, k) * value(1, column, k);
    return (p->negate_a != p->negate_b ? -sum : sum) + p->add;
}

START_TEST(a_product_is_that_of_its_layout)
{
    static unsigned char image[IMAGE];
    static uint32_t registers[128][4], result[128][THREADS];
    const struct product *p = &products[_i];
    const struct kind *t = &kinds[p->kind];
    int count = p->n / (t->halves ? 4 : 2);
    size_t at_a = 1024 + (size_t)p->base * 128, at_b = 13 * 1024 + (size_t)p->base * 128;
    uint64_t da = 0, db = lay(p, 1, p->n, p->turn_b, at_b, image) | at_b >> 4;
    if (p->in_registers)
        put_registers(p, registers);
    else
        da = lay(p, 0, ROWS, p->turn_a, at_a, image) | at_a >> 4;
    struct err e = {0};
    struct device *d;
    struct module *m;
    dev_ptr out, in, in_registers;
    struct launch_shape shape = {{1, 1, 1}, {THREADS, 1, 1}, .budget = 100000};
    const void *args[] = {&out, &in, &in_registers, &da, &db};
    char *ptx = kernel(p, count);
    ck_assert(!device_open("sim:h200", &d, &e));
    ck_assert(!device_alloc(d, sizeof result, "out", 4, &out, &e) &&
              !device_alloc(d, IMAGE, "image", 4, &in, &e) &&
              !device_alloc(d, sizeof registers, "registers", 4, &in_registers, &e) &&
              !device_copy_in(d, in, image, IMAGE, &e) &&
              !device_copy_in(d, in_registers, registers, sizeof registers, &e));
    ck_assert_msg(!device_load(d, ptx, "k.ptx", "k.cu", &m, &e), "%s", e.text);
    ck_assert_msg(!device_launch(d, module_kernel(m, "k"), &shape, args, NULL, &e), "%s", e.text);
    ck_assert(!device_copy_out(d, result, out, sizeof result, &e));
    for (int thread = 0; thread < THREADS; thread++)
        for (int i = 0; i < p->n / 2; i++) { /* two columns of a row, then two of the row 8 below */
            int row = thread % 128 / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
            int column = i / 4 * 8 + thread % 4 * 2 + i % 2;
            uint32_t bits = result[t->halves ? i / 2 : i][thread];
            float f;
            memcpy(&f, &bits, 4);
            double got =
                t->halves ? (double)half_value((uint16_t)(bits >> 16 * (i % 2)), 10, 15) : f;
            ck_assert_msg(got == wanted(p, row, column), "case %d: D[%d][%d] is %g, not %g", _i,
                row, column, got, wanted(p, row, column));
        }
    device_unload(d, m);
    device_close(d);
    free(ptx);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wgmma");
    TCase *c = tcase_create("layouts");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, a_product_is_that_of_its_layout, 0, sizeof products / sizeof *products);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
