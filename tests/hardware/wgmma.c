/* wgmma.c - lockstep-hardware wgmma: random products by a warpgroup, on the simulator and on
 * another device, compared bit for bit.
 *
 *     seed -- draw --> types, n, where A is, layout of A and B, signs, operands -- write --> PTX
 *     image of shared memory, registers of A and D -- launch on both -- registers of D -> compared
 *
 * A kernel makes one to three products with one D. Descriptors lead to any 16 bytes of shared
 * memory, also to the same twice. NaNs count as equal, whatever their bits.
 */
#include "hardware/hardware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 128, IMAGE = 65536, MOST_D = 128, A_REGISTERS = 4, MOST_PRODUCTS = 3 };

enum type { TF32, F16, F16_SHORT, BF16, TYPES };
static const struct {
    const char *d, *ab;
    int k, bytes, exponent, mantissa; /* k of a product; bytes and bits of a number of A or B */
} types[TYPES] = {[TF32] = {"f32", "tf32", 8, 4, 8, 10},
    [F16] = {"f32", "f16", 16, 2, 5, 10},
    [F16_SHORT] = {"f16", "f16", 16, 2, 5, 10},
    [BF16] = {"f32", "bf16", 16, 2, 8, 7}};

/* A matrix in shared memory, as its descriptor describes it. */
struct place {
    unsigned start, lead, stride, base, swizzle;
    int turned, negative;
};

struct drawn {
    uint64_t seed;
    enum type type;
    int n, shared, registers, products, mode;
    struct place a[MOST_PRODUCTS], b[MOST_PRODUCTS];
    int add[MOST_PRODUCTS];
};

/* ---- drawing ---- */

static unsigned below(struct rng *r, unsigned n) { return (unsigned)rng_below(r, n); }

static struct place draw_place(struct rng *r, const struct drawn *x)
{
    struct place p = {16 * below(r, 1024), 16 * below(r, 65), 16 * below(r, 65), 0, below(r, 4)};
    if (p.swizzle && !below(r, 4)) p.base = below(r, 8);
    p.turned = types[x->type].bytes == 2 && below(r, 2);
    p.negative = !below(r, 3);
    return p;
}

static struct drawn draw(uint64_t seed)
{
    struct drawn x = {.seed = seed};
    struct rng r;
    rng_seed(&r, seed);
    x.type = (enum type)below(&r, TYPES);
    x.n = 8 * (1 + (int)below(&r, 32));
    x.registers = x.n / (x.type == F16_SHORT ? 4 : 2);
    x.shared = (int)below(&r, 2);
    x.products = 1 + (int)below(&r, MOST_PRODUCTS);
    x.mode = (int)below(&r, 4);
    for (int i = 0; i < x.products; i++) {
        x.a[i] = draw_place(&r, &x);
        x.b[i] = draw_place(&r, &x);
        x.add[i] = below(&r, 4) != 0;
    }
    return x;
}

/* A number of a format. Modes: exponents near 1; a wide range; any bits; powers of two and zeros,
 * whose sums cancel. */
static uint32_t number(struct rng *r, int mode, int e, int m)
{
    int bias = (1 << (e - 1)) - 1, range = mode == 0 ? 2 : e == 5 ? bias - 2 : 14;
    uint32_t mantissa = (uint32_t)rng_u64(r) & ((1u << m) - 1), sign = below(r, 2);
    if (mode == 2) return (uint32_t)rng_u64(r) & (uint32_t)(((uint64_t)2 << (e + m)) - 1);
    if (mode == 3 && !below(r, 4)) return sign << (e + m);
    if (mode == 3) mantissa &= mantissa << m / 2 & mantissa << 2;
    uint32_t exponent = (uint32_t)(bias - range) + below(r, 2 * (unsigned)range);
    return sign << (e + m) | exponent << m | mantissa;
}

/* A word of A or B: a TF32 with bits below its last digit, or two numbers of 16 bits. */
static uint32_t word(struct rng *r, const struct drawn *x)
{
    if (x->type == TF32) return number(r, x->mode, 8, 23);
    int e = types[x->type].exponent, m = types[x->type].mantissa;
    uint32_t low = number(r, x->mode, e, m);
    return number(r, x->mode, e, m) << 16 | low;
}

/* The inputs: the image of shared memory, then A's registers, then D's, by register and thread. The
 * caller frees them. */
static uint32_t *inputs(const struct drawn *x)
{
    struct rng r;
    size_t words = IMAGE / 4 + A_REGISTERS * THREADS, at = 0;
    uint32_t *in = xcalloc(words + MOST_D * THREADS, 4);
    rng_seed(&r, x->seed + 1000003);
    for (; at < words; at++) in[at] = word(&r, x);
    for (int i = 0; i < x->registers * THREADS; i++)
        in[at++] = x->type == F16_SHORT ? word(&r, x) : number(&r, x->mode, 8, 23);
    return in;
}

/* ---- PTX ---- */

static void registers(struct buf *t, const char *name, int count)
{
    for (int i = 0; i < count; i++) buf_printf(t, "%s%%%s%d", i ? ", " : "{", name, i);
    buf_printf(t, "}");
}

/* Append PTX that puts the descriptor of a place into a 64-bit register. */
static void descriptor(struct buf *t, const char *name, const struct place *p)
{
    static const unsigned codes[] = {0, 3, 2, 1};
    uint64_t rest = (uint64_t)(p->lead >> 4) << 16 | (uint64_t)(p->stride >> 4) << 32 |
                    (uint64_t)p->base << 49 | (uint64_t)codes[p->swizzle] << 62;
    buf_printf(t,
        "add.u32 %%r0, %%base, %u; shr.u32 %%r0, %%r0, 4; cvt.u64.u32 %%%s, %%r0; or.b64 %%%s, %%%s, "
        "0x%llx;\n",
        p->start, name, name, name, (unsigned long long)rest);
}

static void product(struct buf *t, const struct drawn *x, int i)
{
    const struct place *a = &x->a[i], *b = &x->b[i];
    buf_printf(t, "wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s ", x->n, types[x->type].k,
        types[x->type].d, types[x->type].ab, types[x->type].ab);
    registers(t, "d", x->registers);
    buf_printf(t, ", ");
    if (x->shared)
        buf_printf(t, "%%da%d", i);
    else
        registers(t, "a", A_REGISTERS);
    buf_printf(t, ", %%db%d, %%add%d, %d, %d", i, i, a->negative ? -1 : 1, b->negative ? -1 : 1);
    if (x->type != TF32 && x->shared) buf_printf(t, ", %d", a->turned);
    if (x->type != TF32) buf_printf(t, ", %d", b->turned);
    buf_printf(t, ";\n");
}

/* Append PTX by which every thread copies its share of the image to shared memory. */
static void fill_shared(struct buf *t)
{
    buf_printf(t,
        "mov.u32 %%t, %%tid.x; mov.u32 %%base, memory;\n"
        "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
        "cvta.to.global.u64 %%in, %%in; cvta.to.global.u64 %%out, %%out;\n"
        "mul.wide.u32 %%at, %%t, 4; add.u64 %%in, %%in, %%at; add.u64 %%out, %%out, %%at;\n"
        "mul.lo.u32 %%r1, %%t, 4; add.u32 %%r1, %%base, %%r1; mov.u32 %%r2, 0;\n"
        "fill: ld.global.u32 %%r0, [%%in]; st.shared.u32 [%%r1], %%r0; add.u64 %%in, %%in, %d;\n"
        "add.u32 %%r1, %%r1, %d; add.u32 %%r2, %%r2, 1; setp.lt.u32 %%p, %%r2, %d; @%%p bra fill;\n"
        "fence.proxy.async.shared::cta; bar.sync 0;\n",
        4 * THREADS, 4 * THREADS, IMAGE / 4 / THREADS);
}

static char *write_ptx_of(const struct drawn *x)
{
    struct buf t = {0};
    char name[16];
    buf_printf(&t,
        ".version 8.0\n.target sm_90a\n.address_size 64\n"
        ".extern .shared .align 1024 .b8 memory[];\n"
        ".visible .entry product(.param .u64 in, .param .u64 out)\n.maxntid %d, 1, 1\n{\n"
        ".reg .b32 %%d<%d>, %%a<4>, %%r<3>, %%t, %%base;\n.reg .b64 %%in, %%out, %%at, %%da<%d>, %%db<%d>;\n"
        ".reg .pred %%p, %%add<%d>;\n",
        THREADS, x->registers, MOST_PRODUCTS, MOST_PRODUCTS, MOST_PRODUCTS);
    fill_shared(&t);
    for (int i = 0; i < A_REGISTERS; i++)
        buf_printf(&t, "ld.global.u32 %%a%d, [%%in + %d];\n", i, i * 4 * THREADS);
    for (int i = 0; i < x->registers; i++)
        buf_printf(&t, "ld.global.u32 %%d%d, [%%in + %d];\n", i, (A_REGISTERS + i) * 4 * THREADS);
    for (int i = 0; i < x->products; i++) {
        snprintf(name, sizeof name, "da%d", i);
        descriptor(&t, name, &x->a[i]);
        snprintf(name, sizeof name, "db%d", i);
        descriptor(&t, name, &x->b[i]);
        buf_printf(&t, "setp.%s.u32 %%add%d, %%base, %%base;\n", x->add[i] ? "eq" : "ne", i);
    }
    buf_printf(&t, "wgmma.fence.sync.aligned;\n");
    for (int i = 0; i < x->products; i++) product(&t, x, i);
    buf_printf(&t, "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
    for (int i = 0; i < x->registers; i++)
        buf_printf(&t, "st.global.u32 [%%out + %d], %%d%d;\n", i * 4 * THREADS, i);
    buf_printf(&t, "ret;\n}\n");
    return t.data;
}

/* ---- running ---- */

static int run(struct device *d, const char *ptx, const uint32_t *in, uint32_t *out, struct err *e)
{
    const struct launch_shape shape = {{1, 1, 1}, {THREADS, 1, 1}, IMAGE};
    size_t in_bytes = IMAGE + (A_REGISTERS + MOST_D) * THREADS * 4,
           out_bytes = MOST_D * THREADS * 4;
    struct module *m = NULL;
    dev_ptr from = 0, to = 0;
    const void *args[] = {&from, &to};
    int bad = device_load(d, ptx, "product.ptx", "product.cu", &m, e) ||
              device_alloc(d, in_bytes, "in", 4, &from, e) ||
              device_alloc(d, out_bytes, "out", 4, &to, e) ||
              device_copy_in(d, from, in, in_bytes, e) ||
              device_copy_in(d, to, out, out_bytes, e) ||
              device_launch(d, module_kernel(m, "product"), &shape, args, NULL, e) ||
              device_copy_out(d, out, to, out_bytes, e);
    if (from) device_free(d, from, NULL);
    if (to) device_free(d, to, NULL);
    if (m) device_unload(d, m);
    return bad ? -1 : 0;
}

static int is_nan(uint32_t bits, int half)
{
    return half ? (bits & 0x7fff) > 0x7c00 : (bits & 0x7fffffff) > 0x7f800000;
}

static int same(const struct drawn *x, uint32_t a, uint32_t b)
{
    if (x->type != F16_SHORT) return a == b || (is_nan(a, 0) && is_nan(b, 0));
    return ((a ^ b) << 16 == 0 || (is_nan(a, 1) && is_nan(b, 1))) &&
           ((a ^ b) >> 16 == 0 || (is_nan(a >> 16, 1) && is_nan(b >> 16, 1)));
}

static void tell_place(struct buf *t, const char *name, const struct place *p)
{
    buf_printf(t, " %s: start %u, leading %u, stride %u, base %u, swizzle %d%s%s;", name, p->start,
        p->lead, p->stride, p->base, p->swizzle ? 16 << p->swizzle : 0, p->turned ? ", turned" : "",
        p->negative ? ", negative" : "");
}

/* Returns how many elements differ, and prints the first. */
static int compare(const struct drawn *x, const uint32_t *want, const uint32_t *got)
{
    int differ = 0;
    for (int i = 0; i < x->registers * THREADS; i++) {
        struct buf t = {0};
        if (same(x, want[i], got[i]) || differ++) continue;
        for (int p = 0; p < x->products; p++) {
            if (x->shared) tell_place(&t, "A", &x->a[p]);
            tell_place(&t, "B", &x->b[p]);
            buf_printf(&t, x->add[p] ? " added;" : " first;");
        }
        printf(
            "seed %llu: m64n%dk%d %s += %s, mode %d:%s thread %d has 0x%08x in register %d, the simulator "
            "0x%08x\n",
            (unsigned long long)x->seed, x->n, types[x->type].k, types[x->type].d,
            types[x->type].ab, x->mode, t.data, i % THREADS, got[i], i / THREADS, want[i]);
        buf_free(&t);
    }
    return differ;
}

/* One kernel on both devices. Returns whether they differ; -1: one of them failed. */
static int try_seed(struct device *const d[2], uint64_t seed, struct err *e)
{
    struct drawn x = draw(seed);
    uint32_t *in = inputs(&x), *out[2];
    char *ptx = write_ptx_of(&x);
    int bad = 0;
    for (int i = 0; i < 2; i++) {
        out[i] = xcalloc(MOST_D * THREADS, 4);
        bad = bad || run(d[i], ptx, in, out[i], e);
    }
    int differ = bad ? 0 : compare(&x, out[0], out[1]);
    if (bad) printf("seed %llu: %s\n%s", (unsigned long long)seed, e->text, ptx);
    free(in);
    free(out[0]);
    free(out[1]);
    free(ptx);
    return bad ? -1 : differ > 0;
}

int command_wgmma(int argc, char **argv, struct err *e)
{
    const char *seed = "1", *count = "200", *device = "cuda";
    const struct option_spec specs[] = {
        {"--seed", &seed}, {"--count", &count}, {"--device", &device}, {0}};
    struct device *d[2] = {0};
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0) return -1;
    int bad = device_open("sim:h200", &d[0], e) || device_open(device, &d[1], e), differ = 0;
    uint64_t from = strtoull(seed, NULL, 10), n = strtoull(count, NULL, 10);
    for (uint64_t i = 0; i < n && !bad; i++) {
        int now = try_seed(d, from + i, e);
        bad = now < 0;
        differ += now > 0;
    }
    if (!bad)
        printf("%llu kernels of wgmma on %s: %d differ\n", (unsigned long long)n, device, differ);
    for (int i = 0; i < 2; i++)
        if (d[i]) device_close(d[i]);
    if (!bad && differ)
        return err_set(e, ERR_ENV, "%d of %llu kernels differ", differ, (unsigned long long)n);
    return bad ? -1 : 0;
}
