/* test_registers.c - how many registers a thread is taken to have: by hand on small bodies, and
 * beside ptxas' count of whole kernels. */
#include "fronts.h"
#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

#define BODY(text) \
    ".version 7.5\n.target sm_70\n.address_size 64\n.global .b32 g;\n.entry k(.param .u64 a) {\n" \
    ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n" text "\nret; }\n"
#define TILE \
    ".shared .align 4 .b8 tile[4096]; mov.u32 %r1, %tid.x;" \
    "mul.wide.u32 %d2, %r1, 16; mov.u64 %d3, tile; add.u64 %d1, %d2, %d3;"

static struct ptx_program *assembled(
    const char *text, const char *kernel, struct ptxas_target t, struct ptx_module **m)
{
    struct ptx_program *p = NULL;
    struct err e = {0};
    ck_assert_msg(!ptx_parse(text, "t.ptx", m, &e), "%s", e.text);
    ck_assert_msg(!ptx_flatten(*m, ptx_func_find(*m, kernel, 1), "k.cu", &p, &e), "%s", e.text);
    ptxas_assemble(p, &t);
    return p;
}

static int registers_of(const char *text, struct ptxas_target t)
{
    struct ptx_module *m;
    struct ptx_program *p = assembled(text, "k", t, &m);
    int registers = p->registers;
    ptx_program_free(p);
    ptx_module_free(m);
    return registers;
}

static void done(struct ptx_module *m, struct ptx_program *p)
{
    ptx_program_free(p);
    ptx_module_free(m);
}

/* Registers that are live at once, by hand, on an architecture with uniform registers and on one
 * without; four are added to what is needed, six where loads go ahead outside loops. */
START_TEST(registers_are_what_lives_at_once)
{
#define FOUR(between) \
    "ld.global.f32 %f1, [g]; ld.global.f32 %f2, [g+4]; add.f32 %f5, %f1, %f2;" between \
    "ld.global.f32 %f3, [g+8]; add.f32 %f5, %f5, %f3;" \
    "ld.global.f32 %f4, [g+12]; add.f32 %f5, %f5, %f4; st.global.f32 [g], %f5;"
    static const struct {
        const char *text;
        int with, without, ahead;
    } cases[] = {
        {BODY(
             "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; add.s32 %r3, %r1, %r2; st.global.u32 [g], %r3;"),
            1, 2, 1},
        /* where lanes diverge, no uniform register can hold the value */
        {BODY(
             "mov.u32 %r2, %tid.x; setp.lt.s32 %p1, %r2, 3; @%p1 bra E; mov.u32 %r1, %ctaid.x; add.s32 %r3, "
             "%r1, %r2;st.global.u32 [g], %r3; E:"),
            2, 2, 2},
        /* a uniform value that is live from one basic block to another stays in a uniform register
         * if there are any */
        {BODY(
             "mov.u32 %r2, %ctaid.y; setp.lt.s32 %p1, %r2, 3; @%p1 bra E; mov.u32 %r1, %ctaid.x; add.s32 "
             "%r3, %r1, %r2;st.global.u32 [g], %r3; E:"),
            0, 2, 1},
        /* a loop that some lanes leave sooner; no parameter is loaded early in it */
        {BODY(
             "mov.u32 %r1, %tid.x; mov.u32 %r2, 0; L: add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r1; @%p1 "
             "bra L; st.global.u32 [g], %r2;"),
            2, 2, 1},
        /* a global address takes two registers and leaves one idle; with a shared address or a
         * parameter's none is idle */
        {BODY(
             "mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; ld.param.u64 %d4, [a]; cvta.to.global.u64 %d2, "
             "%d4; add.u64 %d3, %d2, %d1;ld.global.u32 %r2, [%d3]; ld.global.u32 %r3, [%d3+4]; add.s32 %r4, %r2, "
             "%r3; st.global.u32 [%d3], %r4;"),
            5, 5, 5},
        {BODY(TILE "ld.shared.f32 %f1, [%d1]; ld.shared.f32 %f2, [%d1+4]; add.f32 %f3, %f1, %f2; "
                   "st.shared.f32 [%d1], %f3;"),
            3, 3, 3},
        /* a division takes five registers of its own beside its operands; one of integers by a
         * constant takes one */
        {BODY(
             "ld.global.f32 %f1, [g]; ld.global.f32 %f2, [g+4]; div.rn.f32 %f3, %f1, %f2; st.global.f32 "
             "[g], %f3;"),
            7, 7, 7},
        {BODY("ld.global.u32 %r1, [g]; div.u32 %r2, %r1, 10; st.global.u32 [g], %r2;"), 2, 2, 2},
        {BODY(
             "ld.global.u32 %r1, [g]; ld.global.u32 %r3, [g+4]; div.u32 %r2, %r1, %r3; st.global.u32 [g], "
             "%r2;"),
            6, 6, 6},
        {BODY("ld.global.f32 %f1, [g]; div.rn.f32 %f3, %f1, 0f41200000; st.global.f32 [g], %f3;"),
            6, 6, 6},
        /* a value that is another one plus a constant is computed where it is used, unless
         * computing it ahead gains something */
        {BODY(
             "mov.u32 %r1, %tid.x; add.s32 %r2, %r1, 1; add.s32 %r3, %r2, 2; ld.global.u32 %r4, [g]; "
             "bar.sync 0; mul.lo.s32 %r5, %r4, %r2;mul.lo.s32 %r6, %r5, %r3; mul.lo.s32 %r7, %r6, %r1; "
             "st.global.u32 [g], %r7;"),
            2, 2, 4},
        /* four loads in source order, all in flight at once, and with a barrier or a store that two
         * of them stay behind */
        {BODY(FOUR("")), 2, 2, 4},
        {BODY(FOUR("bar.sync 0;")), 2, 2, 3},
        {BODY(FOUR("st.global.f32 [g+16], %f5;")), 2, 2, 3},
        {BODY(TILE FOUR("st.shared.f32 [%d1], %f5;")), 3, 3, 5},
        /* guarded loads that replace branches are in flight together, too */
        {BODY(
             "mov.u32 %r1, %tid.x; mov.f32 %f5, 0f00000000; setp.lt.s32 %p1, %r1, 3; setp.lt.s32 %p2, %r1, "
             "5; @%p1 bra A; ld.global.f32 %f1, [g]; add.f32 %f5, %f5, %f1; A: @%p2 bra B; ld.global.f32 %f2, "
             "[g+4]; add.f32 %f5, %f5, %f2; B: st.global.f32 [g], %f5;"),
            2, 2, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int with = registers_of(cases[i].text, (struct ptxas_target){FEATURES_9_0, 0, 1}) -
                   4; /* no room for loads ahead: the minimum */
        int without = registers_of(cases[i].text, (struct ptxas_target){FEATURES_7_0, 0, 1}) - 4;
        int ahead = registers_of(cases[i].text, (struct ptxas_target){FEATURES_9_0, 255, 1}) - 6;
        ck_assert_msg(
            with == cases[i].with && without == cases[i].without && ahead == cases[i].ahead,
            "case %zu: %d, %d, ahead %d", i, with, without, ahead);
    }
}
END_TEST

/* Loads go ahead as long as all warps stay resident; beyond that, a thread gets the registers that
 * it needs, in the hardware's units. */
START_TEST(registers_are_given_out_as_the_architecture_does)
{
    static const struct {
        uint64_t features;
        int full, unit, registers;
    } cases[] = {
        {FEATURES_9_0, 32, 8, 10},
        {FEATURES_9_0, 8, 8, 8},
        {FEATURES_9_0, 6, 8, 6},
        {FEATURES_9_0, 5, 8, 8},
        {FEATURES_2_0, 5, 2, 6},
        {FEATURES_1_0, 5, 1, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int registers = registers_of(
            BODY(FOUR("")), (struct ptxas_target){cases[i].features, cases[i].full, cases[i].unit});
        ck_assert_msg(registers == cases[i].registers, "case %zu: %d", i, registers);
    }
}
END_TEST

/* __launch_bounds__(256, blocks), of a multiprocessor that has 2048 registers: 8 a thread for one
 * block, which must fit even if no number of blocks is given. */
START_TEST(registers_keep_launch_bounds)
{
    static const struct {
        const char *bounds;
        int registers;
    } cases[] = {
        {"", 10}, {".maxntid 256, 1, 1", 8}, {".maxntid 256, 1, 1 .minnctapersm 1", 8},
        {".maxntid 64, 2, 2 .minnctapersm 2", 4}, {".maxntid 64, 1, 1 .minnctapersm 1", 10},
        {".maxntid 33, 1, 1 .minnctapersm 4", 8}, /* whole warps: 64 threads per block */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = xasprintf(".version 7.5\n.target sm_70\n.address_size 64\n.global .b32 g;\n"
                               ".entry k(.param .u64 a) %s {\n.reg .f32 %%f<9>;\n%s\nret; }\n",
            cases[i].bounds, FOUR(""));
        int registers = registers_of(text, (struct ptxas_target){FEATURES_9_0, 32, 4, 2048});
        ck_assert_msg(registers == cases[i].registers, "%s: %d", cases[i].bounds, registers);
        free(text);
    }
}
END_TEST

/* No thread has more registers than the GPU allows; the compiler spills the rest. */
START_TEST(registers_keep_the_limit_of_a_thread)
{
    for (int most = 0; most <= 9; most += 9) {
        int registers =
            registers_of(BODY(FOUR("")), (struct ptxas_target){FEATURES_9_0, 32, 4, 2048, most});
        ck_assert_int_eq(registers, most ? most : 10);
    }
}
END_TEST

/* A value at a fixed address of constant memory is an operand of the instruction: a loop that reads
 * four of them needs no register for each. */
START_TEST(constants_take_no_register)
{
#define LOADS(space) \
    ".version 7.5\n.target sm_70\n.address_size 64\n.global .b32 g;\n." space " .b32 t[4];\n" \
    ".entry k(.param .u64 a) {\n.reg .pred %p<4>; .reg .b32 %r<9>;\n" \
    "ld." space ".u32 %r1, [t]; ld." space ".u32 %r2, [t+4]; ld." space ".u32 %r3, [t+8];" \
    "ld." space ".u32 %r4, [t+12]; mov.u32 %r5, %tid.x;" \
    "L: add.s32 %r5, %r5, %r1; mul.lo.s32 %r5, %r5, %r2; add.s32 %r5, %r5, %r3;" \
    "mul.lo.s32 %r5, %r5, %r4; setp.lt.s32 %p1, %r5, 99; @%p1 bra L; st.global.u32 [g], %r5;\nret; }\n"
    const struct ptxas_target t = {FEATURES_7_0, 0, 1};
    ck_assert_int_eq(registers_of(LOADS("global"), t) - registers_of(LOADS("const"), t), 4);
}
END_TEST

/* A kernel of solutions/, and its registers for sm_90 as ptxas 13.0 counts them: compiled by clang,
 * by nvcc. */
static const struct {
    const char *exercise, *kernel;
    int by_clang, by_nvcc;
} wholes[] = {
    {"02-coalesced/matmul", "matmul", 27, 32},
    {"03-tiled/matmul", "matmul", 40, 32},
    {"04-shared/matmul", "matmul", 21, 25},
    {"04-shared/aat", "aat", 32, 31},
    {"01-naive/transpose", "transpose", 10, 10},
};

static void is_near(const char *ptx, const char *kernel, int want, const char *what)
{
    struct ptx_module *m;
    struct ptx_program *p = assembled(ptx, kernel, (struct ptxas_target){FEATURES_9_0, 32, 8}, &m);
    ck_assert_msg(
        abs(p->registers - want) <= 6, "%s: %d registers, ptxas has %d", what, p->registers, want);
    done(m, p);
}

/* The PTX of clang 14.0.6 that tests/hardware/ptx/record.sh packed; make unpacks it beside the
 * suites. */
static char *recorded_ptx(const char *exercise)
{
    char *self = realpath("/proc/self/exe", NULL), *slash = strrchr(self, '/'), *ptx = NULL;
    char *file = xasprintf("%.*s/../ptx/clang/%s.ptx", (int)(slash - self), self, exercise);
    struct err e = {0};
    ck_assert_msg(!file_read(file, 1 << 20, &ptx, NULL, &e), "%s", e.text);
    free(file);
    free(self);
    return ptx;
}

/* The mean deviation over many kernels is 3 registers. The count holds for one PTX, so clang's is
 * recorded. */
START_TEST(registers_of_real_kernels_are_those_of_ptxas)
{
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        char *ptx = recorded_ptx(wholes[i].exercise);
        is_near(ptx, wholes[i].kernel, wholes[i].by_clang, wholes[i].exercise);
        free(ptx);
    }
    for (int front = 0; front < front_count; front++)
        for (size_t i = 0;
             i < sizeof wholes / sizeof *wholes && !strcmp(fronts[front].kind, "nvcc"); i++) {
            char *file = kit_path(&kit, "solutions/%s.cu", wholes[i].exercise);
            struct compiled c = compile_file(front, file);
            is_near(c.ptx, wholes[i].kernel, wholes[i].by_nvcc, c.file);
            compiled_free(&c);
            free(file);
        }
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("registers");
    TCase *c = tcase_create("registers");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, registers_are_what_lives_at_once);
    tcase_add_test(c, registers_are_given_out_as_the_architecture_does);
    tcase_add_test(c, registers_keep_launch_bounds);
    tcase_add_test(c, registers_keep_the_limit_of_a_thread);
    tcase_add_test(c, constants_take_no_register);
    tcase_add_test(c, registers_of_real_kernels_are_those_of_ptxas);
    suite_add_tcase(suite, c);
    int failed = suite_run(suite);
    fronts_close();
    return failed;
}
