/* test_clocks.c - which block a multiprocessor gets, and which reads of several multiprocessors reach the L2 as one. What an H200
 * counted (lts__t_sectors_srcunit_tex_op_read) of a line of 4 sectors that all of a cluster read at once, with nothing in its L1s: 1 read
 * for 2 multiprocessors, 4.2 for 16; 1 for 2 that are up to 45 clocks apart, 1.4 at 60, 1.5 at 100; from DRAM 1 up to 250. */
#include "ptxas/ptxas.h"
#include "sim/sim.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define HEAD \
    ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.entry k(.param .u64 a) {\n" \
    ".reg .b32 %r<10>; .reg .b64 %d<6>; .reg .pred %p;\n.loc 1 1 1\n" \
    "ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %smid;\n"
#define LANES "mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;\n"
#define READ HEAD LANES "ld.global.u32 %r4, [%d1]; mul.wide.u32 %d3, %r2, 128; add.s64 %d3, %d1, %d3; st.global.u32 [%d3+128], %r4; ret; }\n"
/* 256 lines one after the other, each waited for: the next one's address hangs on it */
#define LINES(meet) \
    HEAD LANES "mov.u32 %r5, 0;\nL: ld.global.u32 %r4, [%d1]; cvt.u64.u32 %d3, %r4;\n" \
    "add.s64 %d1, %d1, %d3; add.s64 %d1, %d1, 128; add.u32 %r5, %r5, 1;\n" meet \
    "setp.lt.u32 %p, %r5, 256; @%p bra L; ret; }\n"
#define WHERE HEAD "setp.ne.u32 %p, %r1, 0; @%p ret; mul.wide.u32 %d2, %r2, 4; add.s64 %d1, %d1, %d2; st.global.u32 [%d1], %r3; ret; }\n"

enum { BYTES = 1 << 16 };

/* host: what the kernel left in its buffer. NULL: nobody asks. */
static struct sim_result run(const char *ptx, const struct model_profile *p, unsigned blocks, unsigned threads, int workers, uint32_t *host)
{
    struct err e = {0};
    struct sim_result r = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *program = NULL;
    ck_assert_msg(!ptx_parse(ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &program, &e), "%s", e.text);
    const struct ptxas_target h200 = {9, 0, 32, 8};
    ptxas_assemble(program, &h200);
    uint64_t variables[1] = {0};
    struct sim_kernel *k = sim_kernel_new(program, variables, "t.cu");
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, BYTES, "a", 4, 0);
    struct sim_shape shape = {{blocks, 1, 1}, {threads, 1, 1}, 0};
    struct sim_options options = {.threads = workers};
    ck_assert_msg(!sim_launch(k, memory, p, &shape, &a, &options, &r, &e), "%s", e.text);
    if (host)
        memcpy(host, sim_host(memory, a, BYTES), BYTES);
    sim_kernel_free(k);
    sim_memory_free(memory);
    ptx_module_free(m);
    return r;
}

/* One side, which counts what it gets once. */
static struct model_profile one_sided(const char *name)
{
    struct model_profile p = *model_profile_find(name);
    p.l2_sides = 1;
    return p;
}

static double reads(const char *ptx, const struct model_profile *p, unsigned blocks, int workers)
{
    struct sim_result r = run(ptx, p, blocks, 32, workers, NULL);
    double sectors = r.metrics.v[METRIC_L2_READ_SECTORS];
    sim_result_free(&r);
    return sectors;
}

/* Blocks go GPC after GPC, and so many read a line from DRAM within 250 clocks. */
static const struct line {
    unsigned blocks;
    double lines;
} lines[] = {{1, 1}, {2, 1}, {4, 1}, {5, 2}, {16, 4}, {17, 5}, {18, 6}, {33, 9}, {132, 36}};

START_TEST(reads_of_a_gpc_become_one)
{
    const struct model_profile p = one_sided("h200"), alone = one_sided("a100");
    unsigned blocks = lines[_i].blocks;
    double got = reads(READ, &p, blocks, 1);
    ck_assert_msg(got == 4 * lines[_i].lines, "%u blocks: %g sectors, not %g", blocks, got, 4 * lines[_i].lines);
    if (blocks <= 108)
        ck_assert_double_eq(reads(READ, &alone, blocks, 1), 4 * blocks);
}
END_TEST

/* 16 that meet are as near to each other at the last line as at the first, and so are those that find each line on its way from DRAM: an
 * H200's come to within 10 clocks, for 256 lines. Others wander apart. */
START_TEST(who_meets_reads_together)
{
    const struct model_profile far = one_sided("h200");
    struct model_profile p = far;
    p.under_way_far = p.under_way_near; /* as if the L2 had them */
    double asked = 16 * 256 * 4, apart = reads(LINES(""), &p, 16, 1), together = reads(LINES("bar.sync 0;"), &far, 16, 1);
    double found = reads(LINES(""), &far, 16, 1);
    ck_assert_msg(together < 0.5 * asked && together >= asked / 4, "with barriers %g of %g", together, asked);
    ck_assert_msg(found < 0.3 * asked && found >= asked / 4, "from DRAM %g of %g", found, asked);
    ck_assert_msg(apart > 0.6 * asked && apart < asked, "without %g of %g", apart, asked);
    ck_assert_double_eq(reads(LINES(""), &p, 16, 2), apart);
    ck_assert_double_eq(reads(LINES("bar.sync 0;"), &far, 16, 2), together);
    ck_assert_double_eq(reads(LINES(""), &far, 16, 2), found);
}
END_TEST

/* Blocks of 1024 threads, two at a time: the first 264 in order, then each 132 to all, in an order that is no order. */
START_TEST(each_block_runs_once_and_later_ones_anywhere)
{
    enum { SMS = 132, ROUNDS = 5, BLOCKS = SMS * ROUNDS + 7 };
    static uint32_t sm[BYTES / 4];
    int runs[SMS] = {0}, in_order = 0;
    memset(sm, 0xff, sizeof sm);
    struct sim_result r = run(WHERE, model_profile_find("h200"), BLOCKS, 1024, 2, sm);
    sim_result_free(&r);
    for (int b = 0; b < BLOCKS; b++) {
        ck_assert_msg(sm[b] < SMS, "block %d ran nowhere", b);
        ck_assert_msg(runs[sm[b]]++ == b / SMS, "block %d: multiprocessor %u runs two of its round", b, sm[b]);
        in_order += sm[b] == (uint32_t)(b % SMS);
        ck_assert(b >= 2 * SMS || in_order == b + 1);
    }
    ck_assert_int_lt(in_order, 2 * SMS + 40);
    r = run(WHERE, model_profile_find("v100"), BLOCKS, 1024, 2, sm);
    sim_result_free(&r);
    for (int b = 0; b < BLOCKS; b++)
        ck_assert_uint_eq(sm[b], (unsigned)b % 80);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("clocks");
    TCase *t = tcase_create("a GPC");
    tcase_add_loop_test(t, reads_of_a_gpc_become_one, 0, sizeof lines / sizeof *lines);
    tcase_add_test(t, who_meets_reads_together);
    tcase_add_test(t, each_block_runs_once_and_later_ones_anywhere);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
