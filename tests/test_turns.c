/* test_turns.c - in which order diverged lanes of a warp run where they yield. What is expected is what an H200 did with the same control
 * flow, assembled by ptxas 13.0 -O0: lanes noted each block with the clock and who ran with them. */
#include "ptx/cfg.h"
#include "ptx/flatten.h"
#include "sim/sim.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a: how many notes there are, then each note: the block's number and the lane, in the order in which lanes come. A group's lanes come in
 * their order. A block that begins with membar yields. */
#define NOTE(n) "atom.global.add.u32 %o, [%a], 1; mul.wide.u32 %d, %o, 4; add.u64 %d, %d, %a; add.u32 %o, %l, " #n "00; st.global.u32 [%d+4], %o;\n"
#define YIELD(label) "bra.uni " label "; " label ": membar.cta;\n"
#define LANES_FROM(n, label) "setp.ge.u32 %p, %l, " #n "; @!%p bra " label ";\n"
#define LANES_BELOW(n, label) "setp.lt.u32 %p, %l, " #n "; @!%p bra " label ";\n"
#define LANES_IN(mask) "shr.u32 %o, " #mask ", %l; and.b32 %o, %o, 1; setp.ne.u32 %p, %o, 0;\n"
#define KERNEL(code) \
    ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"t.cu\"\n.entry k(.param .u64 a) {\n" \
    ".reg .b32 %o, %l, %n, %m; .reg .b64 %a, %d; .reg .pred %p;\n.loc 1 1 1\n" \
    "ld.param.u64 %a, [a]; cvta.to.global.u64 %a, %a; mov.u32 %l, %tid.x;\n" code "ret; }\n"

static const struct {
    const char *ptx, *order;
} orders[] = {
    /* Those that leave the loop wait for the others, until these yield; then it is a region no more, and nobody waits. */
    {KERNEL("shr.u32 %n, %l, 3;\n L: " NOTE(1) YIELD("Y") NOTE(2) "setp.ne.u32 %p, %n, 0; sub.u32 %n, %n, 1; @%p bra L;\n" NOTE(3) NOTE(4)),
     "1:ffffffff 2:ffffffff 1:ffffff00 3:ff 4:ff 2:ffffff00 3:ff00 4:ff00 1:ffff0000 2:ffff0000 3:ff0000 4:ff0000 1:ff000000 2:ff000000 "
     "3:ff000000 4:ff000000"},
    /* by turns */
    {KERNEL(NOTE(1) LANES_FROM(16, "E") NOTE(2) NOTE(3) YIELD("A") NOTE(4) YIELD("B") NOTE(5) "bra J;\n E: " NOTE(6) NOTE(7) YIELD("C") NOTE(8)
            YIELD("D") NOTE(9) "J: " NOTE(10) NOTE(11)),
     "1:ffffffff 2:ffff0000 3:ffff0000 6:ffff 7:ffff 4:ffff0000 8:ffff 5:ffff0000 10:ffff0000 11:ffff0000 9:ffff 10:ffff 11:ffff"},
    /* One yield: the last option's lanes wait, the next one's wait for nobody. */
    {KERNEL(NOTE(1) LANES_FROM(16, "J") NOTE(2) NOTE(3) LANES_FROM(24, "I") NOTE(4) NOTE(5) YIELD("Y") NOTE(6) NOTE(7) "I: " NOTE(8) NOTE(9)
            NOTE(10) "J: " NOTE(11) NOTE(12)),
     "1:ffffffff 2:ffff0000 3:ffff0000 4:ff000000 5:ff000000 11:ffff 12:ffff 6:ff000000 7:ff000000 8:ffff0000 9:ffff0000 10:ffff0000 "
     "11:ffff0000 12:ffff0000"},
    {KERNEL(NOTE(1) LANES_BELOW(16, "E") NOTE(2) NOTE(3) LANES_BELOW(8, "I") NOTE(4) NOTE(5) YIELD("Y") NOTE(6) NOTE(7) "I: " NOTE(8) NOTE(9)
            NOTE(10) "bra J;\n E: " NOTE(11) NOTE(12) NOTE(13) "J: " NOTE(14) NOTE(15)),
     "1:ffffffff 2:ffff 3:ffff 4:ff 5:ff 11:ffff0000 12:ffff0000 13:ffff0000 14:ffff0000 15:ffff0000 6:ff 7:ff 8:ffff 9:ffff 10:ffff 14:ffff "
     "15:ffff"},
    /* Lane 27 waits at the end of an inner region, whose mask a loop of others has, too; for the outer one it has come. */
    {KERNEL(NOTE(1) NOTE(2) LANES_IN(0xaaaaaaaa) "@!%p bra E;\n" NOTE(3) "mov.u32 %m, 0x08800880;\n W: " NOTE(4) LANES_IN(%m) "@%p bra X;\n" NOTE(5)
            YIELD("Y1") "mov.u32 %n, %l;\n L: " NOTE(6) YIELD("Y2") NOTE(7) YIELD("Y3") NOTE(8)
            "and.b32 %n, %n, 2; setp.ne.u32 %p, %n, 0; mov.u32 %n, 0; @%p bra L;\n" NOTE(9) YIELD("Y4") NOTE(10) "mov.u32 %m, 0xffffffff; bra W;\n X: " NOTE(11)
            NOTE(12) LANES_IN(0x0a000000) "@!%p bra S;\n" NOTE(13) NOTE(14) LANES_IN(0x1716e40e) "@!%p bra I;\n" NOTE(15) "bra T;\n I: " NOTE(16)
            "T: " NOTE(17) NOTE(18) "S: " NOTE(19) "bra J;\n E: " NOTE(20) "J: " NOTE(21) NOTE(22)),
     "1:ffffffff 2:ffffffff 3:aaaaaaaa 4:aaaaaaaa 5:a22aa22a 20:55555555 21:55555555 22:55555555 6:a22aa22a 11:8800880 12:8800880 13:8000000 "
     "14:8000000 16:8000000 19:800880 21:800880 22:800880 7:a22aa22a 17:8000000 18:8000000 19:8000000 21:8000000 22:8000000 8:a22aa22a"},
};

enum { NOTES = 2048 };

static void expect_order(const uint32_t *notes, const char *order)
{
    char *text = NULL;
    size_t size = 0;
    int groups = 0;
    FILE *f = open_memstream(&text, &size);
    for (uint32_t i = 1, mask = 0; i <= notes[0]; i++) {
        mask |= 1u << notes[i] % 100;
        if (i < notes[0] && notes[i] / 100 == notes[i + 1] / 100)
            continue;
        fprintf(f, "%s%u:%x", groups++ ? " " : "", notes[i] / 100, mask);
        mask = 0;
    }
    fclose(f);
    ck_assert_uint_ge(strlen(text), strlen(order));
    text[strlen(order)] = 0;
    ck_assert_str_eq(text, order);
    free(text);
}

START_TEST(lanes_take_turns_as_on_the_gpu)
{
    struct err e = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *p = NULL;
    struct sim_result r = {0};
    uint64_t variables[1] = {0};
    ck_assert_msg(!ptx_parse(orders[_i].ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &p, &e), "%s", e.text);
    for (size_t b = 0; b < p->block_count; b++)
        p->yields |= p->blocks[b].yields = p->blocks[b].count && !strncmp(p->steps[p->blocks[b].first].text, "membar", 6);
    ck_assert_int_eq(p->yields, 1);
    cfg_number_masks(p);
    struct sim_kernel *k = sim_kernel_new(p, variables, "t.cu");
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, NOTES * sizeof(uint32_t), "a", 4, 0);
    struct sim_shape shape = {{1, 1, 1}, {32, 1, 1}, 0};
    sim_testing.yields = 1;
    ck_assert_msg(!sim_launch(k, memory, model_profile_find("h200"), &shape, &a, NULL, &r, &e), "%s", e.text);
    sim_testing.yields = 0;
    expect_order(sim_host(memory, a, NOTES * sizeof(uint32_t)), orders[_i].order);
    sim_result_free(&r);
    sim_kernel_free(k);
    sim_memory_free(memory);
    ptx_module_free(m);
}
END_TEST

/* What is expected is what ptxas 13.0 -O0 has: B1 within B0 in both arms, then B0 each time. */
START_TEST(regions_beside_each_other_share_masks)
{
    static const char *const ptx =
        KERNEL(NOTE(1) LANES_FROM(16, "E") NOTE(2) LANES_FROM(24, "I") NOTE(3) "I: " NOTE(4) "bra J;\n E: " NOTE(5) LANES_FROM(8, "K") NOTE(6) "K: " NOTE(7)
               "J: " NOTE(8) LANES_BELOW(4, "M") NOTE(9) "M: " NOTE(10) "L: " NOTE(11)
               "ld.volatile.global.u32 %m, [%a]; setp.ne.u32 %p, %m, %l; @%p bra L;\n" NOTE(12));
    struct err e = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *p = NULL;
    char masks[64] = "";
    ck_assert_msg(!ptx_parse(ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &p, &e), "%s", e.text);
    ck_assert_int_eq(p->yields, 1);
    for (size_t b = 0; b < p->block_count; b++)
        if (p->blocks[b].opens >= 0)
            snprintf(masks + strlen(masks), 8, "%d", p->blocks[b].mask);
    ck_assert_str_eq(masks, "11000");
    ptx_program_free(p);
    ptx_module_free(m);
}
END_TEST

/* A loop at L within a branch to J: where ptxas 13.0 -O0 gives it a region of its own, B1 within B0. */
static const struct {
    const char *ptx;
    int left_at;
} within[] = {
    {KERNEL(NOTE(1) LANES_FROM(8, "J") NOTE(2) "L: " NOTE(3) "ld.volatile.global.u32 %m, [%a]; setp.ne.u32 %p, %m, %l; @%p bra J;\n" NOTE(4)
            "bra L;\n J: " NOTE(5)), 4},
    {KERNEL(NOTE(1) LANES_FROM(8, "J") NOTE(2) "L: " NOTE(3) "ld.volatile.global.u32 %m, [%a]; setp.ne.u32 %p, %m, %l; @%p bra L;\n J: "
            NOTE(5)), -1},
};

START_TEST(loops_left_by_jumps_have_regions_of_their_own)
{
    struct err e = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *p = NULL;
    ck_assert_msg(!ptx_parse(within[_i].ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &p, &e), "%s", e.text);
    ck_assert_int_eq(p->yields, 1);
    ck_assert_int_eq(p->blocks[2].left_at, within[_i].left_at);
    if (within[_i].left_at >= 0) {
        ck_assert_int_eq(p->blocks[2].left_mask, 1);
        ck_assert_int_eq(p->blocks[within[_i].left_at].mask, 0);
    }
    ptx_program_free(p);
    ptx_module_free(m);
}
END_TEST

/* A loop at L, then a loop within it at M where there is one: which of them ptxas gives a YIELD. */
static const struct {
    const char *ptx;
    int outer, inner;
} loops[] = {
    {KERNEL("mov.u32 %n, 0;\n L: ld.volatile.global.u32 %l, [%a]; add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 10; @%p bra L;\n"), 0, -1},
    {KERNEL("mov.u32 %n, 0;\n L: ld.volatile.global.u32 %l, [%a]; add.u32 %n, %n, %l; setp.lt.u32 %p, %n, 10; @%p bra L;\n"), 1, -1},
    {KERNEL("mov.u32 %n, 0;\n L: ld.global.u32 %l, [%a]; add.u32 %n, %n, %l; setp.lt.u32 %p, %n, 10; @%p bra L;\n"), 0, -1},
    {KERNEL(".reg .f32 %f; mov.u32 %n, 0;\n L: ld.volatile.global.f32 %f, [%a]; add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 10; @%p bra L;\n"
            "div.rn.f32 %f, %f, %f; st.global.f32 [%a], %f;\n"), 1, -1},
    {KERNEL(".reg .f32 %f; ld.global.f32 %f, [%a]; div.rn.f32 %f, %f, %f; st.global.f32 [%a], %f; mov.u32 %n, 0;\n"
            "L: red.global.add.u32 [%a], 1; add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 10; @%p bra L;\n"), 0, -1},
    {KERNEL("L: atom.global.add.u32 %n, [%a], 1; mov.u32 %o, 0;\n M: add.u32 %o, %o, 1; st.global.u32 [%a+4], %o; setp.lt.u32 %p, %o, %n; @%p bra M;\n"
            "setp.eq.u32 %p, %n, 7; @%p bra L;\n"), 1, 0},
};

START_TEST(loops_yield_as_by_ptxas)
{
    struct err e = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *p = NULL;
    ck_assert_msg(!ptx_parse(loops[_i].ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &p, &e), "%s", e.text);
    ck_assert_int_eq(p->blocks[1].loop, 1);
    ck_assert_int_eq(p->blocks[1].yields, loops[_i].outer);
    ck_assert_int_eq(p->yields, loops[_i].outer || loops[_i].inner > 0);
    if (loops[_i].inner >= 0) {
        ck_assert_int_eq(p->blocks[2].around, 1);
        ck_assert_int_eq(p->blocks[2].yields, loops[_i].inner);
    }
    ptx_program_free(p);
    ptx_module_free(m);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("turns");
    TCase *c = tcase_create("turns");
    tcase_add_loop_test(c, lanes_take_turns_as_on_the_gpu, 0, (int)(sizeof orders / sizeof *orders));
    tcase_add_loop_test(c, loops_left_by_jumps_have_regions_of_their_own, 0, (int)(sizeof within / sizeof *within));
    tcase_add_test(c, regions_beside_each_other_share_masks);
    tcase_add_loop_test(c, loops_yield_as_by_ptxas, 0, (int)(sizeof loops / sizeof *loops));
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
