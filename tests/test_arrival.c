/* test_arrival.c - when multiprocessors send requests to the L2, and which reads of several of them
 * reach it as one. An H200 (lts__t_sectors_srcunit_tex_op_read) counted, of a line of 4 sectors
 * that all multiprocessors of a cluster read at once, with cold L1s: 1 read for 2 multiprocessors,
 * 4.2 for 16. Two that read up to 45 clocks apart: 1 read; 60 apart: 1.4; 100 apart: 1.5. From
 * DRAM: 1 read up to 250 clocks apart. */
#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "sim/machine.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

#define HEAD \
    ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.entry k(.param .u64 a) {\n" \
    ".reg .b32 %r<10>; .reg .b64 %d<6>; .reg .pred %p;\n.loc 1 1 1\n" \
    "ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %smid;\n"
#define LANES "mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;\n"
#define READ \
    HEAD LANES \
        "bar.sync 0; ld.global.u32 %r4, [%d1]; mul.wide.u32 %d3, %r2, 128; add.s64 %d3, %d1, %d3; " \
        "st.global.u32 [%d3+128], %r4; ret; }\n"
/* 256 lines one after the other; the address of the next depends on the value just loaded */
#define LINES(meet) \
    HEAD LANES "mov.u32 %r5, 0;\nL: ld.global.u32 %r4, [%d1]; cvt.u64.u32 %d3, %r4;\n" \
               "add.s64 %d1, %d1, %d3; add.s64 %d1, %d1, 128; add.u32 %r5, %r5, 1;\n" meet \
               "setp.lt.u32 %p, %r5, 256; @%p bra L; ret; }\n"

enum { BYTES = 1 << 16 };

static struct sim_result run(
    const char *ptx, const struct model_profile *p, unsigned blocks, int workers)
{
    struct err e = {0};
    struct sim_result r = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *program = NULL;
    ck_assert_msg(
        !ptx_parse(ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &program, &e),
        "%s", e.text);
    const struct ptxas_target h200 = {FEATURES_9_0, 32, 8};
    ptxas_assemble(program, &h200);
    uint64_t variables[1] = {0};
    struct sim_kernel *k = sim_kernel_new(program, variables, "t.cu");
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, BYTES, "a", 4, 0);
    struct sim_shape shape = {{blocks, 1, 1}, {32, 1, 1}, 0};
    struct sim_options options = {.threads = workers};
    ck_assert_msg(!sim_launch(k, memory, p, &shape, &a, &options, &r, &e), "%s", e.text);
    sim_kernel_free(k);
    sim_memory_free(memory);
    ptx_module_free(m);
    return r;
}

/* A GPU whose L2 has one side, so that each read counts once. */
static struct model_profile one_sided(const char *name)
{
    struct model_profile p = *model_profile_find(name);
    p.l2_sides = 1;
    return p;
}

static double reads(const char *ptx, const struct model_profile *p, unsigned blocks, int workers)
{
    struct sim_result r = run(ptx, p, blocks, workers);
    double sectors = r.metrics.v[METRIC_L2_READ_SECTORS];
    sim_result_free(&r);
    return sectors;
}

/* Blocks start 24 clocks after each other, GPC after GPC; GPCs alternately have 17 and 16
 * multiprocessors. While a line comes from DRAM, up to 4 reads become one; then the L2 has it, and
 * the 3 reads within 56 clocks do. lines: reads that reach the L2, in lines. */
static const struct line {
    unsigned blocks;
    double lines;
} lines[] = {
    {1, 1}, {2, 1}, {4, 1}, {5, 2}, {7, 2}, {8, 3}, {16, 5}, {17, 6}, {18, 7}, {33, 12}, {132, 48}};

START_TEST(reads_of_a_gpc_become_one)
{
    const struct model_profile p = one_sided("h200"), alone = one_sided("a100");
    unsigned blocks = lines[_i].blocks;
    double got = reads(READ, &p, blocks, 1);
    ck_assert_msg(got == 4 * lines[_i].lines, "%u blocks: %g sectors, not %g", blocks, got,
        4 * lines[_i].lines);
    if (blocks <= 108) ck_assert_double_eq(reads(READ, &alone, blocks, 1), 4 * blocks);
}
END_TEST

/* Clocks at which the first, second and last multiprocessor of GPC 0 and the first of GPC 1 reach
 * an instant. A block takes 10 instants and 1000 clocks. */
static const struct arrival {
    int sm;
    unsigned instant;
    double clocks;
} arrivals[] = {
    /* each starts 24 clocks after the one before it in its GPC */
    {0, 1, 0},
    {1, 1, 24},
    {16, 1, 16 * 24},
    {17, 1, 0},
    /* halfway, each is also 0.001 slower than the one before it */
    {0, 6, 500},
    {1, 6, 500 + 24 + 0.5},
    {16, 6, 500 + 16 * 24.5},
    {17, 6, 500},
    /* the second block starts as the first did */
    {1, 11, 1000 + 24},
    {1, 16, 1500 + 24 + 0.5},
};

START_TEST(each_comes_later_than_the_one_before_it)
{
    const struct model_profile p = {.sms = 132, .gpcs = 8, .sm_drift = 0.001};
    const struct pace q = {.instants = 10, .clocks = 1000, .apart = 24};
    const struct arrival *t = &arrivals[_i];
    ck_assert_double_eq_tol(arrival_clocks(&p, &q, t->sm, t->instant), t->clocks, 1e-9);
}
END_TEST

/* 16 multiprocessors read 256 lines, one after the other; reads of a line within 56 clocks become
 * one, so those 0, 24 and 48 clocks apart do: 6 reads of 16. If the multiprocessors drift, this is
 * so for the first line only. With long waits and no barrier no reads join: they are spread over a
 * wait, more than 56 clocks apart. */
static const struct walk {
    const char *what, *ptx;
    double drift;
    int latency;
    double lines;
} walks[] = {
    {"with barriers", LINES("bar.sync 0;"), 0, 2000, 256 * 6},
    {"with barriers, drifting", LINES("bar.sync 0;"), 1, 2000, 6 + 255 * 16},
    {"without, short waits", LINES(""), 0, 280, 256 * 6},
    {"without, long waits", LINES(""), 0, 2000, 256 * 16},
};

START_TEST(who_keeps_together_reads_together)
{
    const struct walk *t = &walks[_i];
    struct model_profile p = one_sided("h200");
    p.under_way_far = p.under_way_near; /* as if the L2 had all lines */
    p.sm_drift = t->drift;
    p.latency_l2 = t->latency;
    for (int workers = 1; workers <= 2; workers++) {
        double got = reads(t->ptx, &p, 16, workers) / 4;
        ck_assert_msg(got == t->lines, "%s: %g lines, not %g", t->what, got, t->lines);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("arrival");
    TCase *t = tcase_create("a GPC");
    tcase_add_loop_test(t, reads_of_a_gpc_become_one, 0, sizeof lines / sizeof *lines);
    tcase_add_loop_test(
        t, each_comes_later_than_the_one_before_it, 0, sizeof arrivals / sizeof *arrivals);
    tcase_add_loop_test(t, who_keeps_together_reads_together, 0, sizeof walks / sizeof *walks);
    suite_add_tcase(s, t);
    return suite_run(s);
}
