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
/* n: a number from 0 to 7 of each lane, eight lanes a word. */
#define NUMBERS(n, w0, w1, w2, w3) \
    "mov.u32 " n ", " #w3 "; setp.lt.u32 %p, %l, 24; selp.b32 " n ", " #w2 ", " n ", %p; setp.lt.u32 %p, %l, 16; selp.b32 " n ", " #w1 ", " n ", %p; " \
    "setp.lt.u32 %p, %l, 8; selp.b32 " n ", " #w0 ", " n ", %p; and.b32 %o, %l, 7; shl.b32 %o, %o, 2; shr.u32 " n ", " n ", %o; and.b32 " n ", " n ", 7;\n"
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
    /* Lanes that wait at a .sync, or a barrier, are passed over; the turn is behind those that run instead. */
    {KERNEL(NOTE(1) NUMBERS("%m", 18939921, 304292402, 323097121, 607138612) "L: " NOTE(2) YIELD("A") YIELD("B")
            NUMBERS("%n", 838930691, 587214849, 571482387, 540160801) "M: " NOTE(3) YIELD("C") YIELD("D") NOTE(4)
            "setp.ne.u32 %p, %n, 0; sub.u32 %n, %n, 1; @%p bra M;\n" NOTE(5) YIELD("E") NOTE(6)
            "setp.ne.u32 %p, %m, 0; sub.u32 %m, %m, 1; @%p bra L;\n" NOTE(7) NOTE(8) "bar.warp.sync -1;\n" NOTE(9) NOTE(10)),
     "1:ffffffff 2:ffffffff 3:ffffffff 4:ffffffff 3:bfefc9dd 5:40103622 6:40103622 2:40103622 4:bfefc9dd 5:126011c 3:fed9fee3 "
     "4:bec9c8c1 5:92c88040 3:2c014881 6:93ee815c 2:83ee8150 4:6c117ea3 5:6c117ea3 7:1000000c 8:1000000c 6:6c117ea3 7:82 8:82 "
     "2:6c117e21 3:efffff71 4:83ee8150 3:83ee8150 4:efffff71 3:aec9c841 5:41363730 6:41363730 7:102430 8:102430 2:41261300 4:aec9c841 "
     "5:82c88040 3:2c014801 6:82c88040 2:82400000 7:888040 8:888040 4:2c014801 3:6d275b01 4:6d275b01 3:1260100 5:2c014801 3:82400000 "
     "6:2c014801 7:10001 8:10001 2:2c004800 5:40001200 4:83660100 3:82400000 5:1260100 6:41261300 2:41200000 7:61300 8:61300 "
     "3:2c004800"},
    {KERNEL(NOTE(1) NUMBERS("%m", 53621313, 1077093441, 289489475, 1094926659) "L: " NOTE(2)
            NUMBERS("%n", 318845203, 269680944, 823333121, 19927809) "M: " NOTE(3) NOTE(4) LANES_IN(10622164) "@!%p bra E;\n" NOTE(5) YIELD("A")
            "bra J;\n E: " NOTE(6) "J: " NOTE(7) YIELD("B") NOTE(8) "setp.ne.u32 %p, %n, 0; sub.u32 %n, %n, 1; @%p bra M;\n" NOTE(9) YIELD("C") NOTE(10)
            "setp.ne.u32 %p, %m, 0; sub.u32 %m, %m, 1; @%p bra L;\n" NOTE(11) "bar.sync 0;\n" NOTE(12) NOTE(13)),
     "1:ffffffff 2:ffffffff 3:ffffffff 4:ffffffff 5:a214d4 6:ff5deb2b 7:ffffffff 8:ffffffff 3:6dfdb6df 4:6dfdb6df 5:a014d4 6:6d5da20b "
     "7:6d5da20b 9:92024920 7:a014d4 10:92024920 2:92020920 3:92020920 4:92020920 5:20000 6:92000920 7:92000920 8:fffdbfff 3:24901249 "
     "4:24901249 5:801040 6:24100209 9:496da496 11:4000 10:496da496 11:80 2:496da416 3:496da416 4:496da416 5:200414 6:494da002 "
     "7:6dffb65f 9:92000920 8:6dffb65f 9:20000 3:6dfdb65f 4:6dfdb65f 5:a01454 6:6d5da20b 7:6d5da20b 10:92020920 11:100 2:92020820 "
     "3:92020820 4:92020820 5:20000 6:92000820 8:6d5da20b 9:6d5da20b 7:92000820 10:6d5da20b 11:40400000 2:2d1da20b 3:2d1da20b "
     "4:2d1da20b"},
    /* 0xffdf0000 leave the region that 0x203780 wait in: these are fewer and run at once. */
    {KERNEL(NOTE(1) NOTE(2) LANES_IN(2111360) "@%p bra L;\n" NOTE(3) LANES_IN(65535) "@%p bra M;\n" NOTE(4) LANES_IN(65535) "@%p bra L;\n M: " NOTE(5)
            "bra J;\n L: " NOTE(6) NOTE(7) LANES_IN(2863311530) "@!%p bra E;\n" NOTE(8) NOTE(9) LANES_IN(65535) "@!%p bra F;\n" NOTE(10) "bra G;\n F: " NOTE(11)
            NUMBERS("%n", 574759714, 607273764, 589443651, 1126441538) "W: " NOTE(12) "setp.eq.u32 %p, %n, 0; sub.u32 %n, %n, 1; @%p bra X;\n" NOTE(13)
            NOTE(14) "bra W;\n X: " NOTE(15) "G: " NOTE(16) "bra H;\n E: " NOTE(17) "H: " NOTE(18) "J: " NOTE(19) "bar.sync 0;\n" NOTE(20) NOTE(21)),
     "1:ffffffff 2:ffffffff 3:ffdfc87f 5:c87f 4:ffdf0000 6:203780 7:203780 17:1500 8:202280 9:202280 11:200000 12:200000 13:200000 "
     "14:200000 12:200000 13:200000 14:200000 12:200000 15:200000 10:2280 16:202280 18:203780 5:ffdf0000 19:ffffffff 20:ffffffff "
     "21:ffffffff"},
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
        p->blocks[b].yields = p->blocks[b].count && !strncmp(p->steps[p->blocks[b].first].text, "membar", 6);
    p->yields = 1; /* by turns, whether or not one yields */
    cfg_number_masks(p);
    struct sim_kernel *k = sim_kernel_new(p, variables, "t.cu");
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, NOTES * sizeof(uint32_t), "a", 4, 0);
    struct sim_shape shape = {{1, 1, 1}, {32, 1, 1}, 0};
    ck_assert_msg(!sim_launch(k, memory, model_profile_find("h200"), &shape, &a, NULL, &r, &e), "%s", e.text);
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
    /* Its end hangs on a load before the loop: */
    {KERNEL("mov.u32 %m, 0; ld.volatile.global.u32 %n, [%a];\n L: ld.volatile.global.u32 %o, [%a+4]; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\n"), 1, -1},
    {KERNEL("mov.u32 %m, 0; ld.volatile.global.u32 %n, [%a];\n L: red.or.b32 [%a+4], %l; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\n"), 1, -1},
    {KERNEL("mov.u32 %m, 0; ld.volatile.global.u32 %n, [%a];\n L: red.global.or.b32 [%a+4], %l; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\n"), 0, -1},
    {KERNEL("mov.u32 %m, 0; ld.volatile.global.u32 %n, [%a];\n L:  add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\n"), 0, -1},
    {KERNEL("mov.u32 %m, 0; ld.global.u32 %n, [%a];\n L: ld.volatile.global.u32 %o, [%a+4]; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\n"), 0, -1},
    {KERNEL("mov.u32 %m, 0; ld.relaxed.gpu.global.u32 %n, [%a];\n L: ld.acquire.gpu.global.u32 %o, [%a+4]; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\n"), 1, -1},
    /* what is written over it does not; what another way has written does, and what lies where it leads */
    {KERNEL("mov.u32 %m, 0; ld.volatile.global.u32 %n, [%a]; mov.u32 %n, %l;\n L: ld.volatile.global.u32 %o, [%a+4]; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\n"), 0, -1},
    {KERNEL("mov.u32 %m, 0; ld.volatile.global.u32 %n, [%a]; setp.eq.u32 %p, %n, %l; mov.u32 %n, 7; @%p bra K; mov.u32 %n, 9; st.global.u32 [%a+44], %n; K:\n L: ld.volatile.global.u32 %o, [%a+4]; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\n"), 1, -1},
    {KERNEL("mov.u32 %m, 0; ld.volatile.global.u32 %n, [%a]; mul.wide.u32 %d, %n, 4; add.u64 %d, %d, %a; ld.global.u32 %n, [%d];\n L: ld.volatile.global.u32 %o, [%a+4]; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\n"), 1, -1},
    {KERNEL("mov.u32 %m, 0; mov.u32 %n, 10; .reg .f32 %f; ld.global.f32 %f, [%a];\n L: red.or.b32 [%a+4], %l; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\ndiv.rn.f32 %f, %f, %f; st.global.f32 [%a], %f;\n"), 1, -1},
    {KERNEL("mov.u32 %m, 0; mov.u32 %n, 10; .reg .f32 %f; ld.global.f32 %f, [%a];\n L: red.global.or.b32 [%a+4], %l; add.u32 %m, %m, 1; setp.lt.u32 %p, %m, %n; @%p bra L;\ndiv.rn.f32 %f, %f, %f; st.global.f32 [%a], %f;\n"), 0, -1},
};

START_TEST(loops_yield_as_by_ptxas)
{
    struct err e = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *p = NULL;
    ck_assert_msg(!ptx_parse(loops[_i].ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &p, &e), "%s", e.text);
    int l = 0;
    while (l < (int)p->block_count && p->blocks[l].loop != l)
        l++;
    ck_assert_int_lt(l, (int)p->block_count);
    ck_assert_int_eq(p->blocks[l].yields, loops[_i].outer);
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
