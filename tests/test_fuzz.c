/* test_fuzz.c - a short deterministic run of the fuzzer: PTX that is nearly right must end in an
 * error or in a result, never in a crash. The long, coverage-guided run is `make fuzz`. */
#include "fuzz_ptx.h"
#include "ptxas/ptxas.h"
#include "suite.h"

enum { ROUNDS = 6000, MOST = 8192 };

/* A program that uses what the parser and the executor support: spaces, vectors, guards, loops,
 * calls, atomics. */
static const char seed_text[] =
    ".version 7.5\n.target sm_70\n.address_size 64\n"
    ".visible .const .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
    ".global .align 8 .u64 where[1] = {generic(table)+4};\n"
    ".func (.param .b32 result) twice(.param .b32 x)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [x];\n"
    "add.s32 %r2, %r1, %r1;\nst.param.b32 [result], %r2;\nret;\n}\n"
    ".visible .entry kernel(.param .u64 kernel_0, .param .u32 kernel_1)\n.maxntid 128, 1, 1\n{\n"
    ".reg .pred %p<4>;\n.reg .b16 %h<3>;\n.reg .b32 %r<12>;\n.reg .f32 %f<6>;\n.reg .b64 %rd<8>;\n"
    ".shared .align 4 .b8 tile[512];\n.local .align 4 .b8 stack[16];\n"
    "ld.param.u64 %rd1, [kernel_0];\nld.param.u32 %r1, [kernel_1];\ncvta.to.global.u64 %rd2, %rd1;\n"
    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %tid.y;\nmad.lo.s32 %r4, %r3, 40, %r2;\n"
    "mul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd2, %rd3;\nmov.u64 %rd5, tile;\nadd.s64 %rd6, %rd5, %rd3;\n"
    ".loc 1 7 3\nld.global.nc.f32 %f1, [%rd4];\nst.shared.f32 [%rd6], %f1;\nbar.sync 0;\n"
    "setp.lt.s32 %p1, %r2, 16;\n@%p1 bra L1;\nld.shared.f32 %f2, [%rd6+-64];\nfma.rn.ftz.f32 %f1, %f2, "
    "0f40000000, %f1;\n"
    "bra.uni L2;\nL1:\nmov.u32 %r5, 0;\nL3:\nadd.s32 %r5, %r5, 1;\nsetp.le.u32 %p2, %r5, %r2;\n@%p2 bra L3;\n"
    "cvt.rn.f32.s32 %f3, %r5;\nadd.f32 %f1, %f1, %f3;\nL2:\n"
    "{\n.param .b32 param0;\nst.param.b32 [param0+0], %r4;\n.param .b32 retval0;\n"
    "call.uni (retval0), twice, (param0);\nld.param.b32 %r6, [retval0+0];\n}\n"
    "st.local.u32 [stack+4], %r6;\nld.local.u32 %r7, [stack+4];\n"
    "@!%p1 atom.shared.add.u32 %r8, [tile], %r7;\nred.global.max.s32 [%rd2], %r7;\n"
    "shfl.sync.bfly.b32 %r9|%p3, %r7, 1, 31, -1;\nvote.sync.ballot.b32 %r10, %p3, -1;\n"
    "selp.b32 %r11, %r9, %r10, %p1;\ncvt.u16.u32 %h1, %r11;\nst.global.u16 [%rd4], %h1;\n"
    "ld.const.v4.u8 {%r5, %r6, %r7, %r8}, [table];\nst.global.f32 [%rd4], %f1;\nret;\n}\n"
    ".file 1 \"fuzz.cu\"\n";

static const char *const words[] = {
    ".v4",
    ".u64",
    ".shared",
    ".f64",
    "!%p1",
    "%r99999",
    "-2147483648",
    "0xffffffffffffffff",
    "0d7ff8000000000000",
    "[",
    "]",
    "{",
    "}",
    "@",
    ";",
    ".param",
    "_",
    "%tid.z",
    "%laneid",
    "bar.sync 1;",
    "ret;",
    "L3:",
    "trap;",
    "div.s32",
    ".cc",
    "addc.u32",
    "%rd7",
};
enum { WORDS = sizeof words / sizeof *words };

/* Change a text at random: another byte, a piece removed, a piece repeated, or a word written over
 * it. Returns the new length. */
static size_t mutate(struct rng *r, char *text, size_t len)
{
    size_t at = rng_below(r, len), n = 1 + rng_below(r, 24);
    n = at + n > len ? len - at : n;
    switch (rng_below(r, 4)) {
    case 0: text[at] = (char)rng_u64(r); return len;
    case 1: memmove(text + at, text + at + n, len - at - n); return len - n;
    case 2:
        if (len + n > MOST) return len;
        memmove(text + at + n, text + at, len - at);
        return len + n;
    default: {
        const char *w = words[rng_below(r, WORDS)];
        n = strlen(w);
        if (at + n > len) return len;
        memcpy(text + at, w, n);
        return len;
    }
    }
}

/* Counts the inputs that are parsed: a fuzzer whose inputs are all refused at once is noticed. */
START_TEST(nearly_right)
{
    struct rng r;
    char text[MOST + 1];
    struct ptx_module *m;
    struct err e;
    int parsed = 0;
    rng_seed(&r, 20261120);
    for (int i = 0; i < ROUNDS; i++) {
        size_t len = sizeof seed_text - 1;
        memcpy(text, seed_text, len);
        for (size_t k = 1 + rng_below(&r, 4); k > 0; k--) len = mutate(&r, text, len);
        fuzz_one(text, len);
        text[len] = 0;
        if (!ptx_parse(text, "fuzz.ptx", &m, &e)) {
            parsed++;
            ptx_module_free(m);
        } else {
            ck_assert_msg(e.kind == ERR_LEARNER && *e.text, "refused without a word");
        }
    }
    ck_assert_int_gt(parsed, ROUNDS / 20);
    ck_assert_int_lt(parsed, ROUNDS);
}
END_TEST

/* The seed text itself runs, so that its mutants get past the parser. */
START_TEST(right)
{
    struct ptx_module *m;
    struct ptx_program *p;
    struct err e;
    ck_assert_msg(!ptx_parse(seed_text, "seed.ptx", &m, &e), "%s", e.text);
    ck_assert_msg(!ptx_flatten(m, ptx_func_find(m, "kernel", 1), "fuzz.cu", &p, &e), "%s", e.text);
    ptx_program_free(p);
    ptx_module_free(m);
    fuzz_one(seed_text, sizeof seed_text - 1);
}
END_TEST

/* Inputs on which the long run failed. */
START_TEST(found)
{
    static const char *const inputs[] = {
        ".version 4e120\n",
        ".version 7.5\n.visible .entry k(.param .u64 \x01",
        ".version 7.5\n.entry k()\n{\n.reg .b32 %r<3>;\n.mov.u32 %r1, %r2;\nret;\n}\n",
        ".version 7.5\n.entry k()\n{\n.reg .b32 %r<3>;\nadd.s32 %r1, !%r2, 1;\nret;\n}\n",
        ".version 7.5\n.entry k()\n{\n.reg .pred %p<3>;\nand.pred %p1, %p2, %tid.x;\nret;\n}\n",
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        fuzz_one(inputs[i], strlen(inputs[i]));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fuzz");
    TCase *t = tcase_create("ptx");
    tcase_set_timeout(t, 0);
    tcase_add_test(t, right);
    tcase_add_test(t, found);
    tcase_add_test(t, nearly_right);
    suite_add_tcase(s, t);
    return suite_run(s);
}
