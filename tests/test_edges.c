/* test_edges.c - what an H200 gave for instructions at their edges, and the bytes that it counted
 * for simple patterns of addresses, reproduced. Each row was run there, with its operands loaded
 * from memory and the optimiser on and off. */
#include "device/device.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<8>; .reg .b64 %q<8>; .reg .f32 %f<8>; .reg .f64 %d<8>; .reg .b16 %h<8>; .reg .b64 %in, "
    "%out, %a; .reg .b32 %l, %o;\n"
    ".shared .align 16 .b8 s[2048]; .local .align 16 .b8 own[64];\n"
    "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %l, %laneid;\n";

/* Run blocks of head + body; in and out are 4096 bytes each, result gets the first 8 of out. */
static struct metrics run_blocks(
    const char *body, const uint64_t in[4], uint64_t *result, unsigned threads, unsigned blocks)
{
    struct err e = {0};
    struct device *d;
    struct module *m;
    struct measurement measured = {0};
    dev_ptr at[2];
    uint64_t zero[512] = {0};
    const void *args[] = {&at[0], &at[1]};
    struct launch_shape s = {{blocks, 1, 1}, {threads, 1, 1}};
    char *ptx = xasprintf("%s%s\nret;\n}\n", head, body);
    ck_assert_msg(!device_open("sim:h200", &d, &e), "%s", e.text);
    ck_assert_msg(!device_load(d, ptx, "edges.ptx", "edges.ptx", &m, &e), "%s", e.text);
    for (int i = 0; i < 2; i++) {
        ck_assert_msg(!device_alloc(d, sizeof zero, i ? "out" : "in", 8, &at[i], &e), "%s", e.text);
        ck_assert(!device_copy_in(d, at[i], zero, sizeof zero, &e));
    }
    if (in) ck_assert(!device_copy_in(d, at[0], in, 4 * sizeof *in, &e));
    ck_assert_msg(
        !device_launch(d, module_kernel(m, "k"), &s, args, &measured, &e), "%s: %s", body, e.text);
    if (result) ck_assert(!device_copy_out(d, result, at[1], sizeof *result, &e));
    struct metrics counted = measured.metrics;
    measurement_free(&measured);
    device_unload(d, m);
    device_close(d);
    free(ptx);
    return counted;
}

static struct metrics run(
    const char *body, const uint64_t in[4], uint64_t *result, unsigned threads)
{
    return run_blocks(body, in, result, threads, 1);
}

static const struct edge {
    /* types of the result and the operands: u, w integer (32, 64 bits); f float; d double; h
     * half */
    const char *op, *types;
    uint64_t in[4], out;
} edges[] = {
    /* the remainder of a division by zero */
    {"rem.u32", "uuu", {0x59d3d385, 0}, 0xffffffff},
    {"rem.s32", "uuu", {8, 0}, 0xffffffff},
    {"rem.u64", "www", {0x3c78e98aada6151d, 0}, 0xffffffffffffffff},
    {"rem.s64", "www", {0x97519aff236f1077, 0}, 0xffffffffffffffff},
    /* the NaN of a float result is always the same, whatever the operands' bits */
    {"mul.rn.f32", "fff", {0x7f800001, 0xff812345}, 0x7fffffff},
    {"add.rn.f32", "fff", {0xff812345, 0x3f800000}, 0x7fffffff},
    {"add.rn.f32", "fff", {0x7f800000, 0xff800000}, 0x7fffffff},
    {"fma.rn.f32", "ffff", {0x3f800000, 0x3f800000, 0xffc00001}, 0x7fffffff},
    {"min.f32", "fff", {0x7f800001, 0xffc00001}, 0x7fffffff},
    {"neg.f32", "ff", {0x7fc00000}, 0x7fffffff},
    {"abs.f32", "ff", {0xff812345}, 0x7fffffff},
    {"cvt.rni.f32.f32", "ff", {0x7fc00000}, 0x7fffffff},
    {"cvt.ftz.f32.f32", "ff", {0x7f800001}, 0x7fffffff},
    {"cvt.f32.f16", "fh", {0x7c01}, 0x7fffffff},
    {"cvt.rn.f16.f32", "hf", {0xff812345}, 0x7fff},
    /* the NaN of a double result keeps an operand's bits and sign, made quiet: the later operand's
     * if both are NaN, but the first's in a quotient (these rows with the optimiser on only) */
    {"cvt.f64.f16", "dh", {0xfe01}, 0xfff8040000000000},
    {"add.f64", "ddd", {0x7ff8123456789abc, 0x3ff0000000000000}, 0x7ff8123456789abc},
    {"add.rn.f64", "ddd", {0x7ff8123456789abc, 0xfff4000000000123}, 0xfffc000000000123},
    {"sub.rn.f64", "ddd", {0x7ff8123456789abc, 0xfffc000000000001}, 0xfffc000000000001},
    {"sub.rm.f64", "ddd", {0x3ff0000000000000, 0x7ff0000000000001}, 0x7ff8000000000001},
    {"mul.rp.f64", "ddd", {0xfffc000000000001, 0x7ff0000000000001}, 0x7ff8000000000001},
    {"div.rn.f64", "ddd", {0xfffc000000000001, 0x7ff8123456789abc}, 0xfffc000000000001},
    {"div.rz.f64", "ddd", {0xfff4000000000123, 0x7ff8123456789abc}, 0xfffc000000000123},
    {"fma.rn.f64", "dddd", {0x7ff8123456789abc, 0x3ff0000000000000, 0xfffc000000000001},
        0xfffc000000000001},
    {"fma.rn.f64", "dddd", {0x3ff0000000000000, 0x7ff8123456789abc, 0xfffc000000000001},
        0x7ff8123456789abc},
    {"fma.rz.f64", "dddd", {0x7ff8123456789abc, 0x7ff0000000000001, 0xfffc000000000001},
        0x7ff8000000000001},
    {"min.f64", "ddd", {0x7ff8123456789abc, 0xfff4000000000123}, 0xfffc000000000123},
    {"neg.f64", "dd", {0x7ff0000000000001}, 0x7ff8000000000001},
    {"abs.f64", "dd", {0xfffc000000000001}, 0xfffc000000000001},
    {"cvt.rn.f32.f64", "fd", {0xfff4000000000123}, 0xffe00000},
    /* if no operand is a NaN, a NaN as result is negative */
    {"add.rn.f64", "ddd", {0x7ff0000000000000, 0xfff0000000000000}, 0xfff8000000000000},
    {"mul.rn.f64", "ddd", {0x7ff0000000000000, 0}, 0xfff8000000000000},
    {"div.rz.f64", "ddd", {0, 0}, 0xfff8000000000000},
    {"fma.rn.f64", "dddd", {0x7ff0000000000000, 0, 0x3ff0000000000000}, 0xfff8000000000000},
    {"sqrt.rn.f64", "dd", {0xbff0000000000000}, 0xfff8000000000000},
    {"rsqrt.approx.f64", "dd", {0xbff0000000000000}, 0xfff8000000000000},
    /* with .ftz a subnormal product is 0, even if it would be rounded to the smallest normal
     * number */
    {"mul.rn.ftz.f32", "fff", {0x3effffff, 0x01000000}, 0},
    {"mul.rn.f32", "fff", {0x3effffff, 0x01000000}, 0x00800000},
};

static void reg(struct buf *out, char type, int i)
{
    buf_printf(out, "%%%c%d", type == 'u' ? 'r' : type == 'w' ? 'q' : type, i);
}

static const char *memory_type(char type)
{
    return type == 'u'   ? "u32"
           : type == 'w' ? "u64"
           : type == 'f' ? "f32"
           : type == 'd' ? "f64"
                         : "u16";
}

START_TEST(edges_are_the_hardware_s)
{
    const struct edge *x = &edges[_i];
    struct buf text = {0};
    uint64_t got = 0;
    int n = (int)strlen(x->types) - 1;
    for (int i = 0; i < n; i++) {
        buf_printf(&text, "ld.global.%s ", memory_type(x->types[1 + i]));
        reg(&text, x->types[1 + i], i);
        buf_printf(&text, ", [%%in+%d];\n", 8 * i);
    }
    buf_printf(&text, "%s ", x->op);
    reg(&text, x->types[0], 7);
    for (int i = 0; i < n; i++) {
        buf_printf(&text, ", ");
        reg(&text, x->types[1 + i], i);
    }
    buf_printf(&text, ";\nst.global.%s [%%out], ", memory_type(x->types[0]));
    reg(&text, x->types[0], 7);
    buf_printf(&text, ";");
    run(text.data, x->in, &got, 1);
    ck_assert_msg(got == x->out, "%s: %llx, not %llx", x->op, (unsigned long long)got,
        (unsigned long long)x->out);
    buf_free(&text);
}
END_TEST

/* What an atomic addition of NaNs and infinities leaves in memory: for floats, the NaN that all
 * instructions give; for doubles, an operand's NaN with all its bits. */
static const struct sum {
    const char *type;
    uint64_t in[4], out;
} sums[] = {
    {"f32", {0x7fc12345, 0x3f800000}, 0x7fffffff},
    {"f32", {0x7f800000, 0xff800000}, 0x7fffffff},
    {"f64", {0x7ff8123456789abc, 0xfff4000000000123}, 0xfff4000000000123},
    {"f64", {0x7ff0000000000001, 0x3ff0000000000000}, 0x7ff0000000000001},
    {"f64", {0x7ff0000000000000, 0xfff0000000000000}, 0xfff8000000000000},
};

/* Add in memory by atom.global, then by red.global. */
START_TEST(sums_in_memory_are_the_hardware_s)
{
    const struct sum *s = &sums[_i];
    const char *t = s->type;
    for (int unused = 0; unused < 2; unused++) {
        uint64_t got = 0;
        char *body = xasprintf("ld.global.u64 %%q0, [%%in]; ld.global.%s %%%c1, [%%in+8];\n"
                               "st.global.u64 [%%out], %%q0; %s.add.%s %s[%%out], %%%c1;",
            t, t[1] == '3' ? 'f' : 'd', unused ? "red.global" : "atom.global", t,
            unused        ? ""
            : t[1] == '3' ? "%f2, "
                          : "%d2, ",
            t[1] == '3' ? 'f' : 'd');
        run(body, s->in, &got, 1);
        ck_assert_msg(got == s->out, "%s: %llx", body, (unsigned long long)got);
        free(body);
    }
}
END_TEST

/* A byte that several lanes access counts once. offset: PTX that computes %o, the offset of lane
 * %l. Loads are volatile: ptxas would leave out those whose values are not used. */
static const struct pattern {
    const char *offset, *access;
    enum metric metric;
    double bytes;
} patterns[] = {
    {"mov.u32 %o, 0;", "ld.volatile.global.u32 %r0, [%a];", METRIC_GLD_BYTES, 4},
    {"shr.u32 %o, %l, 1; shl.b32 %o, %o, 2;", "ld.volatile.global.u32 %r0, [%a];", METRIC_GLD_BYTES,
        64},
    {"and.b32 %o, %l, 15; shl.b32 %o, %o, 2;", "ld.volatile.global.u32 %r0, [%a];",
        METRIC_GLD_BYTES, 64},
    {"shl.b32 %o, %l, 2;", "ld.volatile.global.u32 %r0, [%a];", METRIC_GLD_BYTES, 128},
    {"shr.u32 %o, %l, 3; shl.b32 %o, %o, 4;",
        "ld.volatile.global.v4.u32 {%r0, %r1, %r2, %r3}, [%a];", METRIC_GLD_BYTES, 64},
    {"shr.u32 %o, %l, 2;", "ld.volatile.global.u8 %r0, [%a];", METRIC_GLD_BYTES, 8},
    {"mov.u32 %o, 0;", "st.global.u32 [%a], %l;", METRIC_GST_BYTES, 4},
    {"and.b32 %o, %l, 7; shl.b32 %o, %o, 3;", "cvt.u64.u32 %q0, %l; st.global.u64 [%a], %q0;",
        METRIC_GST_BYTES, 64},
    {"and.b32 %o, %l, 3; shl.b32 %o, %o, 4;", "st.global.v4.u32 [%a], {%l, %l, %l, %l};",
        METRIC_GST_BYTES, 64},
};

START_TEST(bytes_wanted_are_the_hardware_s)
{
    const struct pattern *p = &patterns[_i];
    char *body =
        xasprintf("%s cvt.u64.u32 %%a, %%o; add.u64 %%a, %%a, %%in; %s", p->offset, p->access);
    struct metrics m = run(body, NULL, NULL, 32);
    ck_assert_double_eq(m.v[p->metric], p->bytes);
    free(body);
}
END_TEST

/* The same for shared memory, after each lane has written a word of its own. */
static const struct pattern shared_patterns[] = {
    {"mov.u32 %o, 0;", "ld.volatile.shared.u32 %r0, [%o];", METRIC_SLD_BYTES, 4},
    {"and.b32 %o, %l, 15; shl.b32 %o, %o, 2;", "ld.volatile.shared.u32 %r0, [%o];",
        METRIC_SLD_BYTES, 64},
    {"and.b32 %o, %l, 3; shl.b32 %o, %o, 4;",
        "ld.volatile.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%o];", METRIC_SLD_BYTES, 64},
};

START_TEST(shared_bytes_wanted_are_the_hardware_s)
{
    const struct pattern *p = &shared_patterns[_i];
    char *body =
        xasprintf("mov.u32 %%r5, s; shl.b32 %%r6, %%l, 2; add.u32 %%r6, %%r6, %%r5; st.shared.u32 "
                  "[%%r6], %%l; bar.sync 0;\n"
                  "%s add.u32 %%o, %%o, %%r5; %s",
            p->offset, p->access);
    struct metrics m = run(body, NULL, NULL, 32);
    ck_assert_double_eq(m.v[p->metric], p->bytes);
    free(body);
}
END_TEST

/* A generic access is counted by where each lane's address leads: here, that of even lanes to local
 * memory, that of odd ones to global memory. */
START_TEST(generic_accesses_count_where_they_lead)
{
    static const char body[] =
        ".reg .pred %p; mov.u64 %q0, own; cvta.local.u64 %q0, %q0; st.local.u32 [own], %l;\n"
        "and.b32 %r0, %l, 1; setp.eq.u32 %p, %r0, 0; selp.b64 %a, %q0, %in, %p; ld.u32 %r1, [%a]; st.u32 "
        "[%a], %r1;";
    struct metrics m = run(body, NULL, NULL, 32);
    ck_assert_double_eq(m.v[METRIC_GLD_REQUESTS], 1);
    ck_assert_double_eq(m.v[METRIC_GLD_SECTORS], 1);
    ck_assert_double_eq(m.v[METRIC_GLD_BYTES], 4);
    ck_assert_double_eq(m.v[METRIC_GST_REQUESTS], 1);
    ck_assert_double_eq(m.v[METRIC_LOCAL_LD], 1);
    ck_assert_double_eq(m.v[METRIC_LOCAL_ST], 2);
    ck_assert_double_eq(m.v[METRIC_MIXED_REQUESTS], 2);
    ck_assert_double_eq(m.v[METRIC_MIXED_SECTORS], 8);
}
END_TEST

/* An H200 counts generic accesses of 8 bytes and more for each state space: none is mixed. */
START_TEST(wide_generic_accesses_are_counted_apart)
{
    static const char body[] =
        ".reg .pred %p; mov.u64 %q0, own; cvta.local.u64 %q0, %q0; st.local.v2.u32 [own], {%l, %l};\n"
        "and.b32 %r0, %l, 1; setp.eq.u32 %p, %r0, 0; selp.b64 %a, %q0, %in, %p; ld.v2.u32 {%r1, %r2}, [%a]; "
        "st.global.u32 [%out], %r1;";
    struct metrics m = run(body, NULL, NULL, 32);
    ck_assert_double_eq(m.v[METRIC_GLD_REQUESTS], 1);
    ck_assert_double_eq(m.v[METRIC_LOCAL_LD], 1);
    ck_assert_double_eq(m.v[METRIC_MIXED_REQUESTS], 0);
}
END_TEST

/* A generic atomic, too: half of the lanes add to shared memory, the others to global memory, or
 * all of them to one of the two. */
START_TEST(generic_atomics_count_where_they_lead)
{
    static const struct {
        unsigned below; /* the lanes that add to shared memory */
        double shared, requests;
    } cases[] = {{16, 1, 1}, {32, 1, 0}, {0, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *body = xasprintf(
            ".reg .pred %%p; mov.u64 %%q0, s; cvta.shared.u64 %%q0, %%q0; st.shared.u32 [s], 0;\n"
            "bar.warp.sync 0xffffffff;\n"
            "setp.lt.u32 %%p, %%l, %u; selp.b64 %%a, %%q0, %%in, %%p; atom.max.u32 %%r1, [%%a], %%l;\n"
            "st.global.u32 [%%out], %%r1;",
            cases[i].below);
        struct metrics m = run(body, NULL, NULL, 32);
        ck_assert_double_eq(m.v[METRIC_SATOM_INST], cases[i].shared);
        ck_assert_double_eq(m.v[METRIC_GATOM_REQUESTS], cases[i].requests);
        ck_assert_double_eq(m.v[METRIC_GATOM_THREADS], 32);
        free(body);
    }
}
END_TEST

/* A register that is read before it is written is a NaN in every block, whatever an earlier block
 * left in it. */
START_TEST(unset_registers_are_poison)
{
    static const char body[] =
        ".reg .pred %p, %n; .reg .f32 %sum; .reg .u32 %c; mov.u32 %c, %ctaid.x; setp.eq.u32 "
        "%p, %c, 99999;\n"
        "@%p mov.f32 %sum, 0f00000000;\n" /* never executed */
        "mov.b32 %r1, %sum; setp.ne.u32 %n, %r1, 0xffffffff; @%n st.global.u32 [%out], 1;\n"
        "cvt.rn.f32.u32 %sum, %c; st.global.f32 [%out+8], %sum;";
    uint64_t wrong;
    run_blocks(body, NULL, &wrong, 1, 10000);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("edges");
    TCase *c = tcase_create("edges");
    tcase_add_loop_test(c, edges_are_the_hardware_s, 0, sizeof edges / sizeof *edges);
    tcase_add_loop_test(c, sums_in_memory_are_the_hardware_s, 0, sizeof sums / sizeof *sums);
    tcase_add_loop_test(c, bytes_wanted_are_the_hardware_s, 0, sizeof patterns / sizeof *patterns);
    tcase_add_loop_test(c, shared_bytes_wanted_are_the_hardware_s, 0,
        sizeof shared_patterns / sizeof *shared_patterns);
    tcase_add_test(c, generic_accesses_count_where_they_lead);
    tcase_add_test(c, wide_generic_accesses_are_counted_apart);
    tcase_add_test(c, generic_atomics_count_where_they_lead);
    tcase_add_test(c, unset_registers_are_poison);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
