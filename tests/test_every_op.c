/* test_every_op.c - every operation that computes a lane's result, on numbers at the edges and on
 * random ones: the bytes are the same on every machine, whatever its processor, compiler and libm.
 *
 *     row of ptx/ops.h -> PTX of one operation -> results of 2048 operands -> hash -> every_op.txt
 *
 * The operands differ by lane, then once more where every other lane is off, then are the same for
 * a block, so that each handler of the operation runs. Other suites check that results are right
 * (edges, half, math, differential). */
#include "device/device.h"
#include "golden.h"
#include "ptx/ptx.h"

enum { COUNT = 2048, EDGES = 32, BLOCK = 64, SOURCES = 4, WAYS = 3 };

static const uint32_t singles[EDGES] = {0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x800000,
    0x3e31b693, 0x3effffff, 0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3fc00000,
    0xc0200000, 0x42ffffff, 0x437f8000, 0x46fffe00, 0x477fe000, 0x477ff000, 0x47800000, 0x4b000001,
    0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f800000, 0x7f7fffff, 0x7f800000, 0xff800000,
    0x7f812345, 0xffc54321};
static const uint64_t doubles[EDGES] = {0, 1ull << 63, 1, 0x000fffffffffffff, 0x0010000000000000,
    0x36a0000000000000, 0x380fffffffffffff, 0x3fdfffffffffffff, 0x3fe0000000000000,
    0x3fefffffffffffff, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000010000000,
    0x3ff8000000000000, 0xc004000000000000, 0x406fe00000000000, 0x40effc0000000000,
    0x40effe0000000000, 0x41dfffffffc00000, 0x41dfffffffe00000, 0xc1e0000000200000,
    0x41efffffffffffff, 0x43dfffffffffffff, 0x43e0000000000000, 0x43f0000000000000,
    0x47efffffefffffff, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8123456789abc, 0xfffc000000000001, 0x7ff4000000000123};
/* Edge operands that are integers, halves and shift counts; a narrow type takes the low bits. */
static const uint64_t integers[EDGES] = {0, 1, 2, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256,
    0x3c00, 0x7bff, 0x7c01, 0x7fff, 0x8000, 0xfc00, 0xffff, 0x10000, 0x7f80ff80, 0x7fffffff,
    0x80000000, 0xffff8000, 0xffffffff, 0x123456789, 0x7fffffffffffffff, 0x8000000000000000,
    0xffffffff00000000, ~0ull};

/* Operand i of a source. The first half of the operands are every pair of edges, the second half
 * random: floats alternately with any exponent and near 1, doubles near 1. */
static uint64_t operand(enum ptx_type t, int source, int i, struct rng *r)
{
    int edge = source == 0 ? i % EDGES : source == 1 ? i / EDGES % EDGES : i * 7 / 3 % EDGES;
    uint64_t random = rng_u64(r);
    if (t == PTX_F32 && i >= COUNT / 2 && i % 2) return (uint32_t)random;
    if (t == PTX_F32) return i < COUNT / 2 ? singles[edge] : (random & 0x87ffffff) | 0x38000000;
    if (t == PTX_F64)
        return i < COUNT / 2 ? doubles[edge] : (random & 0x87ffffffffffffff) | 0x3800000000000000;
    return i < COUNT / 2 ? integers[edge] : random >> (random & 3) * 16;
}

/* The letter of a type's registers, and the type's name in loads and stores. */
static char letter(enum ptx_type t)
{
    int bytes = ptx_type_bytes(t);
    return t == PTX_PRED  ? 'p'
           : t == PTX_F32 ? 'f'
           : t == PTX_F64 ? 'd'
           : bytes == 8   ? 'q'
           : bytes == 4   ? 'r'
                          : 'h';
}
static const char *memory_type(enum ptx_type t)
{
    static const char *const names[] = {[PTX_U8] = "u8",
        [PTX_S8] = "s8",
        [PTX_U16] = "u16",
        [PTX_S16] = "s16",
        [PTX_U32] = "u32",
        [PTX_S32] = "u32",
        [PTX_U64] = "u64",
        [PTX_S64] = "u64",
        [PTX_F32] = "f32",
        [PTX_F64] = "f64",
        [PTX_PRED] = "u32"};
    return names[t];
}

/* The first opcode that a row's keys stand for: of {x,y} it has x. */
static void opcode(const char *keys, char *out)
{
    for (; *keys && *keys != ' '; keys++)
        if (*keys == '{' || *keys == '}')
            continue;
        else if (*keys == ',')
            keys = strchr(keys, '}');
        else
            *out++ = *keys;
    *out = '\0';
}

/* Load the sources of the operands with index %r8. */
static void put_loads(struct buf *t, const struct ptx_op_info *x)
{
    for (int i = 0; i < x->arity; i++) {
        char c = letter(x->src[i]);
        buf_printf(t, "mad.wide.u32 %%q8, %%r8, 8, %%q7; ld.global.%s %%%c%d, [%%q8+%d];\n",
            memory_type(x->src[i]), c == 'p' ? 'r' : c, i, i * COUNT * 8);
        if (c == 'p')
            buf_printf(t, "and.b32 %%r%d, %%r%d, 1; setp.ne.u32 %%p%d, %%r%d, 0;\n", i, i, i, i);
    }
}
/* The operation, with its result in register 9, and a store of the result. */
static void put_op(struct buf *t, const struct ptx_op_info *x, const char *op, const char *guard)
{
    char d = letter(x->d);
    buf_printf(t,
        d == 'p'   ? "setp.ne.u32 %%p9, 0, 0;\n"
        : d == 'f' ? "mov.f32 %%f9, 0f00000000;\n"
        : d == 'd' ? "mov.f64 %%d9, 0d0000000000000000;\n"
                   : "mov.b%d %%%c9, 0;\n",
        8 * ptx_type_bytes(x->d) < 16 ? 16 : 8 * ptx_type_bytes(x->d), d);
    buf_printf(t, "%s%s %%%c9", guard, op, d);
    for (int i = 0; i < x->arity; i++)
        if (i == 3 && !strncmp(op, "lop3", 4))
            buf_printf(t, ", 0x1b"); /* lop3's truth table is no register */
        else
            buf_printf(t, ", %%%c%d", letter(x->src[i]), i);
    if (d == 'p')
        buf_printf(t, ";\nselp.u32 %%r9, 1, 0, %%p9; st.global.u32 [%%q6], %%r9;\n");
    else
        buf_printf(t, ";\nst.global.%s [%%q6], %%%c9;\n", memory_type(x->d), d);
    buf_printf(t, "add.u64 %%q6, %%q6, %d;\n", COUNT * 8);
}

static char *kernel(const struct ptx_op_info *x, const char *op)
{
    struct buf t = {0};
    buf_printf(&t,
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .pred %%p<10>; .reg .b16 %%h<10>; .reg .b32 %%r<10>; .reg .b64 %%q<10>;\n"
        ".reg .f32 %%f<10>; .reg .f64 %%d<10>; .reg .pred %%odd;\n"
        "ld.param.u64 %%q7, [in]; ld.param.u64 %%q6, [out]; mov.u32 %%r6, %%ctaid.x;\n"
        "mov.u32 %%r7, %%tid.x; mad.lo.u32 %%r8, %%r6, %d, %%r7;\n"
        "mad.wide.u32 %%q6, %%r8, 8, %%q6; and.b32 %%r7, %%r7, 1;\n"
        "setp.ne.u32 %%odd, %%r7, 0;\n",
        BLOCK);
    put_loads(&t, x);
    put_op(&t, x, op, "");
    put_op(&t, x, op, "@%odd ");
    buf_printf(&t, "mul.lo.u32 %%r8, %%r6, %d;\n", BLOCK + 1);
    put_loads(&t, x);
    put_op(&t, x, op, "");
    buf_printf(&t, "ret;\n}\n");
    return t.data;
}

/* Run a row's opcode. Returns the hash of all results. */
static uint64_t run(struct device *d, const struct ptx_op_info *x, const char *op, dev_ptr at[2])
{
    static uint64_t out[WAYS * COUNT];
    struct err e = {0};
    struct module *m;
    const void *args[] = {&at[0], &at[1]};
    struct launch_shape shape = {{COUNT / BLOCK, 1, 1}, {BLOCK, 1, 1}};
    char *ptx = kernel(x, op);
    memset(out, 0, sizeof out);
    ck_assert_msg(!device_load(d, ptx, "op.ptx", "op.ptx", &m, &e), "%s: %s\n%s", op, e.text, ptx);
    ck_assert(!device_copy_in(d, at[1], out, sizeof out, &e));
    ck_assert_msg(
        !device_launch(d, module_kernel(m, "k"), &shape, args, NULL, &e), "%s: %s", op, e.text);
    ck_assert(!device_copy_out(d, out, at[1], sizeof out, &e));
    device_unload(d, m);
    free(ptx);
    return hash_bytes(out, sizeof out);
}

START_TEST(every_operation_gives_the_same_bytes_everywhere)
{
    static uint64_t in[SOURCES * COUNT];
    struct err e = {0};
    struct device *d;
    struct buf told = {0};
    dev_ptr at[2];
    ck_assert_msg(!device_open("sim:h200", &d, &e), "%s", e.text);
    ck_assert(!device_alloc(d, sizeof in, "in", 8, &at[0], &e));
    ck_assert(!device_alloc(d, WAYS * COUNT * 8, "out", 8, &at[1], &e));
    for (int op = 1; op < OP_COUNT; op++) {
        const struct ptx_op_info *x = &ptx_ops[op];
        struct rng r;
        char text[80];
        opcode(x->keys, text);
        /* Operations whose names begin with lockstep are parts of other instructions. */
        if (x->arity < 0 || !strncmp(text, "lockstep", 8)) continue;
        rng_seed(&r, 1);
        for (int i = 0; i < x->arity * COUNT; i++)
            in[i] = operand(x->src[i / COUNT], i / COUNT, i % COUNT, &r);
        ck_assert(!device_copy_in(d, at[0], in, sizeof in, &e));
        buf_printf(&told, "%s %016llx\n", text, (unsigned long long)run(d, x, text, at));
    }
    golden_check("tests/every_op.txt", told.data);
    device_close(d);
    buf_free(&told);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("every_op");
    TCase *c = tcase_create("every_op");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, every_operation_gives_the_same_bytes_everywhere);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
