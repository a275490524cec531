/* test_write_combine.c - stores that leave a multiprocessor together: cases counted by hand, and
 * what an H200 counted for them (by ncu's l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st and
 * lts__t_sectors_srcunit_tex_op_write, the same kernels 64 times over). */
#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "sim/sim.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ST(offset) "st.global.u32 [%d1+" offset "], 0;"
#define ADD "mad.lo.u32 %r2, %r2, %r2, %r2;"
#define LD "ld.volatile.global.u32 %r9, [%d1];"

/* Lane l of warp w begins at (l % lines) * 128 + l / lines * step + w * apart. code: the stores,
 * each of a 4-byte word. sectors: those that leave the multiprocessor. */
static const struct stores {
    const char *what;
    unsigned warps, lines, step, apart;
    const char *code;
    double sectors;
    unsigned blocks; /* 0: one block */
} cases[] = {
    {"half of a sector and its other half", 1, 4, 8, 0, ST("0") ST("4"), 8},
    {"the same word again", 1, 4, 8, 0, ST("0") ST("0"), 8},
    {"a whole line again", 1, 1, 4, 0, ST("0") ST("0"), 4},
    {"another sector of the line: nothing to join", 1, 4, 8, 0, ST("0") ST("64"), 16},
    {"16 lines twice", 1, 16, 4, 0, ST("0") ST("8"), 16},
    {"16 lines four times", 1, 16, 4, 0, ST("0") ST("8") ST("16") ST("24"), 16},
    {"28 lines twice", 1, 28, 4, 0, ST("0") ST("8"), 28},
    {"32 lines twice", 1, 32, 4, 0, ST("0") ST("4"), 64},
    {"32 lines four times", 1, 32, 4, 0, ST("0") ST("4") ST("8") ST("12"), 128},
    {"another line in between", 1, 4, 8, 0, ST("0") ST("2048") ST("4"), 16},
    {"8 lines, 8 others, the 8 again, the 8 others again", 1, 8, 8, 0,
        ST("0") ST("1024") ST("4") ST("1028"), 16},
    {"16 lines, 16 others, the 16 again, the 16 others again", 1, 16, 4, 0,
        ST("0") ST("2048") ST("8") ST("2056"), 64},
    {"instructions in between", 1, 16, 4, 0, ST("0") ADD ADD ADD ADD ADD ADD ADD ADD ST("8"), 16},
    {"waiting for a load", 1, 4, 8, 0,
        ST("0") "ld.global.u32 %r9, [%d1]; st.global.u32 [%d1+4], %r9;", 16},
    {"a fence of the block", 1, 4, 8, 0, ST("0") "membar.cta;" ST("4"), 8},
    {"a barrier", 1, 4, 8, 0, ST("0") "bar.sync 0;" ST("4"), 16},
    {"a branch", 1, 4, 8, 0, ST("0") "setp.eq.u32 %p1, %r2, 77; @%p1 bra A;" ADD "A:" ST("4"), 16},
    {"two warps, 13 lines, fewer than half of 28", 2, 13, 4, 12, ST("0"), 26},
    {"two warps, 14 lines", 2, 14, 4, 12, ST("0"), 14},
    {"two warps, 14 lines, behind a load", 2, 14, 4, 12, LD ST("0"), 14},
    {"four warps, 16 lines", 4, 16, 4, 8, ST("0"), 16},
    {"eight warps, 16 lines of 2 sectors: w0 to w4 join, and w5 to w7", 8, 16, 4, 8, ST("0"), 48},
    {"eight warps, 32 lines", 8, 32, 4, 4, ST("0"), 256},
    /* there is room for 28 lines of up to 4 warps, for 56 of 8 */
    {"four warps, 4 lines each, twice", 4, 4, 8, 512, ST("0") ST("4"), 32},
    {"four warps, 8 lines each, twice", 4, 8, 8, 1024, ST("0") ST("4"), 64},
    {"eight warps, 4 lines each, twice", 8, 4, 8, 512, ST("0") ST("4"), 64},
    {"eight warps, 8 lines each, twice", 8, 8, 8, 1024, ST("0") ST("4"), 128},
    {"100 blocks, one after the other", 1, 4, 8, 0, ST("0"), 800, 100},
    {"three floats a thread", 1, 1, 12, 0, ST("0") ST("4") ST("8"), 12},
};

/* The last line depends on %r2, or else ptxas would leave out the instructions that change it. The
 * trap is never reached. */
static const char head[] =
    ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.entry k(.param .u64 a) {\n"
    ".reg .b32 %%r<12>; .reg .b64 %%d<8>; .reg .pred %%p1;\n.loc 1 1 1\n"
    "ld.param.u64 %%d1, [a]; mov.u64 %%d3, %%d1; mov.u32 %%r1, %%tid.x; and.b32 %%r2, %%r1, 31; shr.u32 "
    "%%r3, %%r1, 5;\n"
    "rem.u32 %%r4, %%r2, %u; div.u32 %%r5, %%r2, %u; mul.lo.u32 %%r4, %%r4, 128; mul.lo.u32 %%r5, %%r5, %u; "
    "mul.lo.u32 %%r6, %%r3, %u;\n"
    "add.u32 %%r4, %%r4, %%r5; add.u32 %%r4, %%r4, %%r6; cvt.u64.u32 %%d2, %%r4; add.s64 %%d1, %%d1, "
    "%%d2;\n%s\n"
    "setp.eq.u32 %%p1, %%r2, 2147483647; @%%p1 trap; ret; }\n";

/* Runs the stores on a GPU. The caller frees the result. */
static struct sim_result run(const struct stores *s, const struct model_profile *p)
{
    char ptx[8192];
    struct err e = {0};
    struct sim_result r = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *program = NULL;
    snprintf(ptx, sizeof ptx, head, s->lines, s->lines, s->step, s->apart, s->code);
    ck_assert_msg(
        !ptx_parse(ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &program, &e),
        "%s", e.text);
    const struct ptxas_target h200 = {FEATURES_9_0, 32, 8};
    ptxas_assemble(program, &h200);
    uint64_t variables[1] = {0};
    struct sim_kernel *k = sim_kernel_new(program, variables, "t.cu");
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, 1 << 18, "a", 4, 0);
    struct sim_shape shape = {{s->blocks ? s->blocks : 1, 1, 1}, {32 * s->warps, 1, 1}, 0};
    const struct sim_options one = {.threads = 1}; /* blocks one after the other */
    ck_assert_msg(!sim_launch(k, memory, p, &shape, &a, &one, &r, &e), "%s", e.text);
    sim_kernel_free(k);
    sim_memory_free(memory);
    ptx_module_free(m);
    return r;
}

/* An H200 with one multiprocessor and one L2 side, which counts each sector once. join: may stores
 * leave together? */
static struct model_profile one_sided(int join)
{
    struct model_profile p = *model_profile_find("h200");
    p.l2_sides = 1;
    p.sms = 1;
    if (!join) p.join_lines = 0;
    return p;
}

START_TEST(stores_to_a_line_leave_together)
{
    const struct stores *s = &cases[_i];
    const struct model_profile p = one_sided(1), none = one_sided(0);
    struct sim_result r = run(s, &p), apart = run(s, &none);
    ck_assert_msg(r.metrics.v[METRIC_L2_WRITE_SECTORS] == s->sectors,
        "%s: %g sectors leave, not %g", s->what, r.metrics.v[METRIC_L2_WRITE_SECTORS], s->sectors);
    ck_assert_double_eq(
        /* the sectors that stores request stay the same */
        r.metrics.v[METRIC_GST_SECTORS], apart.metrics.v[METRIC_GST_SECTORS]);
    ck_assert_double_eq(
        apart.metrics.v[METRIC_L2_WRITE_SECTORS], apart.metrics.v[METRIC_GST_SECTORS]);
    sim_result_free(&r);
    sim_result_free(&apart);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("write_combine");
    TCase *t = tcase_create("by hand");
    tcase_add_loop_test(t, stores_to_a_line_leave_together, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(s, t);
    return suite_run(s);
}
