/* test_count.c - the rules that turn what a program does into work for the time model: which
 * branches ptxas turns into guards, which warps go on together, what atomics request from the L2;
 * and what the model makes of them on an H200. */
#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "sim/machine.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD \
    ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"t.cu\"\n.shared .align 8 .b8 s[256];\n" \
    ".entry k(.param .u64 a) {\n.reg .b32 %r<12>; .reg .b64 %d<8>; .reg .f32 %f<10>; .reg .pred %p<4>;\n" \
    ".loc 1 1 1\nld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4;" \
    "add.s64 %d1, %d1, %d2;\n"

enum { BYTES = 1 << 16 };

/* The result of blocks of two warps on an H200; the caller frees it. */
static struct sim_result result_of(const char *ptx, unsigned blocks)
{
    static const struct ptxas_target h200 = {FEATURES_9_0, 32, 8};
    struct err e = {0};
    struct sim_result r = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *program = NULL;
    uint64_t variables[2] = {0};
    ck_assert_msg(
        !ptx_parse(ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &program, &e),
        "%s", e.text);
    ptxas_assemble(program, &h200);
    struct sim_kernel *k = sim_kernel_new(program, variables, "t.cu");
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, BYTES, "a", 4, 0);
    struct sim_shape shape = {{blocks, 1, 1}, {64, 1, 1}, 0};
    struct sim_options options = {.threads = 1};
    ck_assert_msg(!sim_launch(k, memory, model_profile_find("h200"), &shape, &a, &options, &r, &e),
        "%s", e.text);
    sim_kernel_free(k);
    sim_memory_free(memory);
    ptx_module_free(m);
    return r;
}

/* The work of one such block. */
static struct model_work work_of(const char *ptx)
{
    struct sim_result r = result_of(ptx, 1);
    struct model_work w = r.work;
    sim_result_free(&r);
    return w;
}

/* ---- products and sums that become multiply-adds ---- */

/* What nvcc 13's ptxas makes for 9.0 of code between these loads and this store. */
#define WITH_LOADS(code) \
    HEAD "ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d1+256]; ld.global.f32 %f3, [%d1+512];" \
         "ld.global.f32 %f4, [%d1+768];" code "st.global.f32 [%d1+1024], %f9;\nret;\n}\n"

START_TEST(products_and_sums_are_contracted)
{
    static const struct {
        const char *ptx;
        int multiply_adds, products, sums;
    } rows[] = {
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; add.f32 %f9, %f8, %f3;"), 1, 0, 0},
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; add.f32 %f9, %f3, %f8;"), 1, 0, 0},
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; sub.f32 %f9, %f3, %f8;"), 1, 0, 0},
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; add.sat.f32 %f9, %f8, %f3;"), 1, 0, 0},
        {WITH_LOADS("mul.rn.f32 %f8, %f1, %f2; add.f32 %f9, %f8, %f3;"), 0, 1, 1},
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; add.rn.f32 %f9, %f8, %f3;"), 0, 1, 1},
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; add.f32 %f9, %f8, %f8;"), 0, 1, 1},
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; mul.f32 %f7, %f3, %f4; add.f32 %f9, %f8, %f7;"), 1, 1,
            0},
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; add.f32 %f9, %f8, %f3; add.f32 %f7, %f8, %f4;"
                    "st.global.f32 [%d1+1280], %f7;"),
            2, 0, 0},
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; add.f32 %f9, %f8, %f3; st.global.f32 [%d1+1280], %f8;"),
            0, 1, 1},
        {WITH_LOADS("mul.f32 %f8, %f1, %f2; setp.eq.s32 %p1, %r1, 0; mov.f32 %f9, %f4;"
                    "@%p1 bra L; add.f32 %f9, %f8, %f3; L: "),
            0, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_result r = result_of(rows[i].ptx, 1);
        const double *v = r.metrics.v, threads = 64;
        /* in the last row one thread does not add */
        double off = i + 1 == sizeof rows / sizeof *rows ? 1 : 0;
        ck_assert_double_eq(v[METRIC_FFMA], threads * rows[i].multiply_adds);
        ck_assert_double_eq(v[METRIC_FMUL], threads * rows[i].products);
        ck_assert_double_eq(v[METRIC_FADD], threads * rows[i].sums - off);
        sim_result_free(&r);
    }
}
END_TEST

/* ---- branches that become guards ---- */

#define FOUR_LOADS(guard) \
    HEAD \
        "ld.global.f32 %f1, [%d1]; setp.gt.u32 %p1, %r1, " guard ";\n" \
        "@%p1 bra A; ld.global.f32 %f2, [%d1+1024];\nA: @%p1 bra B; ld.global.f32 %f3, [%d1+2048];\n" \
        "B: @%p1 bra C; ld.global.f32 %f4, [%d1+3072];\nC: add.f32 %f1, %f1, %f2; add.f32 %f3, %f3, %f4;" \
        "add.f32 %f1, %f1, %f3; st.global.f32 [%d1+8192], %f1; ret; }\n"

START_TEST(loads_behind_short_branches_are_in_flight_together)
{
    struct model_work taken = work_of(FOUR_LOADS("64")), skipped = work_of(FOUR_LOADS("0"));
    ck_assert_double_eq_tol(taken.rounds, 1, 1e-9); /* four loads, one wait */
    ck_assert(taken.critical_path < 1000);          /* the latency of DRAM is 680 clocks */
    ck_assert_double_eq_tol(skipped.rounds, 1, .51);
}
END_TEST

START_TEST(a_long_branch_stays_a_branch)
{
#define ADDS "add.f32 %f2, %f2, %f2; add.f32 %f2, %f2, %f2; add.f32 %f2, %f2, %f2;"
    struct model_work w =
        work_of(HEAD "ld.global.f32 %f1, [%d1]; setp.gt.u32 %p1, %r1, 64; @%p1 bra A;\n"
                     "ld.global.f32 %f2, [%d1+1024]; " ADDS ADDS ADDS
                     "\nA: add.f32 %f1, %f1, %f2; st.global.f32 [%d1+8192], %f1; ret; }\n");
    ck_assert_double_eq_tol(w.rounds, 2, 1e-9);
}
END_TEST

/* One of two warps has no active lane for the guarded store, but executes it all the same. If the
 * branch stays, for 9 instructions more, that warp skips the store. */
START_TEST(a_guarded_access_takes_a_pass_without_lanes)
{
#define STORE(more, guard) \
    HEAD \
        "mov.u32 %r3, s; shl.b32 %r4, %r1, 2; add.u32 %r3, %r3, %r4; setp.gt.u32 %p1, %r1, " guard \
        "; " \
        "mov.f32 %f2, 0f3f800000;\n@%p1 bra A; " more "st.shared.f32 [%r3], %f2;\nA: ret; }\n"
    struct model_work both = work_of(STORE("", "64")), one = work_of(STORE("", "31"));
    ck_assert_double_eq_tol(both.shared_wavefronts, 2, 1e-9);
    ck_assert_double_eq_tol(one.shared_wavefronts, 2, 1e-9);
    ck_assert_double_eq_tol(one.lsu, both.lsu, 1e-9);
    ck_assert_double_eq_tol(one.inst, both.inst, 1e-9);
    ck_assert_double_eq_tol(work_of(STORE(ADDS ADDS ADDS, "31")).shared_wavefronts, 1, 1e-9);
}
END_TEST

/* Additions of doubles count like those of floats: a branch over three and an access becomes a
 * guard, one over nine does not. */
START_TEST(doubles_are_guarded_as_floats_are)
{
#define DOUBLES "add.f64 %g1, %g1, %g1; add.f64 %g1, %g1, %g1; add.f64 %g1, %g1, %g1;"
#define HALVES(more) \
    HEAD ".reg .f64 %g<2>; mov.u32 %r3, s; shl.b32 %r4, %r1, 3; and.b32 %r4, %r4, 255;" \
         "add.u32 %r3, %r3, %r4; setp.gt.u32 %p1, %r1, 31; mov.f64 %g1, 0d3ff0000000000000;\n" \
         "@%p1 bra A; " more "st.shared.f64 [%r3], %g1;\nA: ret; }\n"
    ck_assert_double_eq_tol(work_of(HALVES(DOUBLES)).lsu, 2, 1e-9); /* one store by each warp */
    ck_assert_double_eq_tol(work_of(HALVES(DOUBLES DOUBLES DOUBLES)).lsu, 1, 1e-9);
}
END_TEST

/* ---- merged loads ---- */

/* Two loads of 8 bytes are one of 16 if they are adjacent and aligned to 16 bytes: each of two
 * warps makes one request less. */
START_TEST(adjacent_shared_loads_of_doubles_are_one)
{
#define PAIR(a, b) \
    HEAD "add.s64 %d1, %d1, %d2; mov.u32 %r3, s; shl.b32 %r4, %r1, 2; add.u32 %r3, %r3, %r4;" \
         "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u64 %d4, [s+" a \
         "]; ld.shared.u64 %d5, [s+" b "];" \
         "add.u64 %d6, %d4, %d5; st.global.u64 [%d1], %d6; ret; }\n"
    double apart = work_of(PAIR("0", "16")).lsu;
    ck_assert_double_eq_tol(apart - work_of(PAIR("0", "8")).lsu, 2, 1e-9);
    ck_assert_double_eq_tol(apart - work_of(PAIR("24", "16")).lsu, 2, 1e-9);
    ck_assert_double_eq_tol(apart, work_of(PAIR("8", "16")).lsu, 1e-9);
}
END_TEST

/* ---- atomics, constants, barriers ---- */

/* Two warps add to one word in each of 64 lines, and to 64 words in 2 lines. */
START_TEST(atomics_ask_the_l2_for_lines_and_sectors)
{
    struct model_work lines = work_of(HEAD "mul.wide.u32 %d3, %r1, 124; add.s64 %d1, %d1, %d3;"
                                           "red.global.add.u32 [%d1], %r1; ret; }\n"),
                      words = work_of(HEAD "red.global.add.u32 [%d1], 1; ret; }\n");
    ck_assert_double_eq_tol(lines.atomic_lines, 64, 1e-9);
    ck_assert_double_eq_tol(lines.atomic_sectors, 64, 1e-9);
    ck_assert_double_eq_tol(words.atomic_lines, 2, 1e-9);
    ck_assert_double_eq_tol(words.atomic_sectors, 8, 1e-9);
}
END_TEST

/* If the address moves on by 1024 bytes an iteration, other slices of the L2 add each time; if it
 * stays, the same slices do all additions. */
START_TEST(atomics_that_move_on_ask_other_slices)
{
#define ADD_ALONG(times, by) \
    HEAD "mov.u32 %r3, 0;\nL: red.global.add.u32 [%d1], 1; add.s64 %d1, %d1, " by \
         "; add.u32 %r3, %r3, 1;\n" \
         "setp.lt.u32 %p1, %r3, " times "; @%p1 bra L; ret; }\n"
    double once = work_of(ADD_ALONG("1", "0")).atomic_clocks;
    /* two warps, each of whose lanes adds to its own word, reach 8 sectors */
    ck_assert_double_eq_tol(once, 8 * model_profile_find("h200")->atomic_clocks, 1e-9);
    ck_assert_double_eq_tol(work_of(ADD_ALONG("8", "1024")).atomic_clocks, once, 1e-9);
    ck_assert_double_eq_tol(work_of(ADD_ALONG("8", "0")).atomic_clocks, 8 * once, 1e-9);
}
END_TEST

/* A column takes a sector for each lane. Loads of other words of these sectors hit the L1, also if
 * loads of other sectors come in between; a word beyond the sector does not. */
START_TEST(a_column_is_found_in_the_l1_again)
{
#define COLUMN HEAD "mul.wide.u32 %d3, %r1, 124; add.s64 %d3, %d1, %d3;\n" /* 128 bytes apart */
#define WORD(at) "ld.global.f32 %f2, [%d3+" #at "]; add.f32 %f1, %f1, %f2;\n"
#define DONE "st.global.f32 [%d1+32768], %f1; ret; }\n"
    const struct {
        const char *ptx;
        double sectors; /* sectors that are read */
    } rows[] = {
        {COLUMN WORD(0) DONE, 64},
        {COLUMN WORD(0) WORD(4) WORD(8) WORD(28) WORD(0) DONE, 64},
        {COLUMN WORD(0) WORD(4) WORD(32) DONE, 128},
        {COLUMN WORD(0) WORD(4) WORD(32) WORD(8) WORD(36) DONE, 128},
        {COLUMN WORD(0) WORD(4) WORD(8) WORD(64) WORD(12) WORD(16) WORD(96) WORD(68) WORD(20) DONE,
            192},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) /* 8 more sectors are stored */
        ck_assert_double_eq_tol(work_of(rows[k].ptx).l2_sectors, rows[k].sectors + 8, 0.5);
}
END_TEST

/* Atomic additions of floats to one word wait for each other; those of integers do not. */
START_TEST(atomic_sums_of_floats_wait_for_the_one_before)
{
    const struct model_profile *p = model_profile_find("h200");
#define ADD_ALL(sum) HEAD "ld.param.u64 %d4, [a]; red.global.add." sum "; ret; }\n"
    struct model_work floats = work_of(ADD_ALL("f32 [%d4], 0f3F800000")),
                      integers = work_of(ADD_ALL("u32 [%d4], %r1"));
    ck_assert(floats.atomic_clocks > 0 && integers.atomic_clocks > 0);
    ck_assert_double_eq_tol((floats.atomic_clocks - floats.atomic_waits) / floats.atomic_clocks,
        p->atomic_clocks / p->atomic_float_clocks, 1e-9);
    ck_assert_double_eq_tol(integers.atomic_waits, 0, 1e-9);
    /* If the atomic unit is mostly kept busy by such waits, it is not the bottleneck. */
    floats.atomic_clocks = 1e6, floats.atomic_waits = 0;
    ck_assert_int_eq(model_time(p, &floats).bottleneck, PART_ATOMICS);
    floats.atomic_waits = 0.5e6;
    ck_assert_int_eq(model_time(p, &floats).bottleneck, PART_LATENCY);
}
END_TEST

START_TEST(the_old_value_of_an_atomic_comes_from_the_l2)
{
#define ADD(add, value) HEAD add " [%d1], 1; st.global.u32 [%d1+512], " value "; ret; }\n"
    double unused = work_of(ADD("red.global.add.u32", "%r1")).critical_path,
           used = work_of(ADD("atom.global.add.u32 %r2,", "%r2")).critical_path;
    ck_assert_double_eq_tol(used - unused, model_profile_find("h200")->latency_l2, 10);
}
END_TEST

START_TEST(parameters_and_barriers_are_the_divergence_units)
{
    struct model_work w =
        work_of(HEAD "bar.sync 0; bar.sync 0; st.global.u32 [%d1], %r1; ret; }\n");
    ck_assert_double_eq_tol(w.constants, 2, 1e-9); /* each of two warps reads one parameter */
    ck_assert_double_eq_tol(w.barriers, 4, 1e-9);
    ck_assert_double_eq_tol(w.lsu, 2, 1e-9);
}
END_TEST

/* Each iteration has two waits. Behind a barrier the warps begin the first one together. */
START_TEST(warps_begin_together_behind_a_barrier)
{
#define TURNS(first, second) \
    HEAD \
        "shl.b32 %r5, %r1, 2; mov.u32 %r4, s; add.u32 %r4, %r4, %r5; mov.u32 %r2, 0;" \
        "L: ld.global.f32 %f1, [%d1]; cvt.rzi.u32.f32 %r3, %f1; mul.wide.u32 %d2, %r3, 4;" \
        "add.s64 %d3, %d1, %d2; ld.global.f32 %f2, [%d3]; " first \
        "st.shared.f32 [%r4], %f2;" second \
        "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 10; @%p1 bra L; st.global.f32 [%d1], %f2; ret; }\n"
    struct model_work none = work_of(TURNS("", "")), one = work_of(TURNS("bar.sync 0;", "")),
                      two = work_of(TURNS("bar.sync 0;", "bar.sync 0;"));
    ck_assert_double_eq_tol(none.rounds_ready, 0, 1e-9);
    ck_assert_double_eq_tol(one.rounds_ready, 10, 1e-9);
    ck_assert_double_eq_tol(two.rounds_ready, 10, 1e-9); /* no wait lies between the barriers */
    ck_assert_double_eq_tol(two.rounds, 20, 1e-9);
    ck_assert(two.rounds_together >= 10);
}
END_TEST

/* A loop that waits for its previous iteration's copy, with a branch over the copy and without. */
START_TEST(a_copy_behind_a_branch_is_waited_for)
{
#define RING(from, to) \
    HEAD \
        "shl.b32 %r5, %r1, 2; mov.u32 %r4, s; add.u32 %r4, %r4, %r5; mov.u32 %r2, 0;" \
        "cp.async.ca.shared.global [%r4], [%d1], 4; cp.async.commit_group;" \
        "L: cp.async.wait_group 0; ld.shared.f32 %f1, [%r4]; st.global.f32 [%d1+8192], %f1;" \
        "setp.gt.u32 %p1, %r2, 9; " from "cp.async.ca.shared.global [%r4], [%d1], 4;" to \
        "cp.async.commit_group; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 10; @%p1 bra L; ret; }\n"
    double straight = work_of(RING("", "")).critical_path,
           branch = work_of(RING("@%p1 bra C; ", "C: ")).critical_path;
    ck_assert(straight > 10 * model_profile_find("h200")->latency_l1); /* each iteration waits */
    ck_assert_double_eq_tol(branch / straight, 1, 0.1);
}
END_TEST

START_TEST(a_barrier_takes_its_clocks)
{
#define ENDS(bar) HEAD "add.u32 %r2, %r1, 1; " bar " st.global.u32 [%d1], %r2; ret; }\n"
    double one = work_of(ENDS("bar.sync 0;")).critical_path,
           two = work_of(ENDS("bar.sync 0; bar.sync 0;")).critical_path;
    ck_assert_double_eq_tol(two - one, 12 + 1, 1e-9); /* 12 clocks, and 1 to issue the barrier */
}
END_TEST

/* ---- parts of other instructions ---- */

START_TEST(parts_of_instructions_take_no_time)
{
    static const struct {
        const char *ptx;
        double instructions; /* instructions of a warp, without the load and the store */
    } cases[] = {
        /* IADD3 */
        {"add.s32 %r3, %r2, %r1; add.s32 %r2, %r3, %r4;", 1},
        {"add.s32 %r3, %r2, %r1; add.s32 %r2, %r3, %r4; add.s32 %r2, %r2, %r1;", 2},
        /* LEA */
        {"shl.b32 %r3, %r2, 2; add.s32 %r2, %r3, %r1;", 1},
        /* %r3 is read twice: no LEA */
        {"shl.b32 %r3, %r2, 2; add.s32 %r2, %r3, %r3;", 2},
        /* LOP3 */
        {"and.b32 %r3, %r2, 7; xor.b32 %r2, %r3, %r1;", 1},
        {"and.b32 %r3, %r2, 7; add.s32 %r2, %r3, %r1;", 2},
        {"mov.u32 %r3, %r2; add.s32 %r2, %r3, %r1;", 1},
        {"rem.u32 %r2, %r2, %r1;", 17},
        /* IADD3, IADD3.X */
        {"cvt.u64.u32 %d3, %r2; sub.s64 %d3, %d3, %d1; cvt.u32.u64 %r2, %d3;", 2},
        /* IMAD.WIDE */
        {"mul.wide.u32 %d3, %r2, 4; add.s64 %d4, %d3, %d1; cvt.u32.u64 %r2, %d4;", 1},
    };
    double none = work_of(HEAD "ld.global.u32 %r2, [%d1]; st.global.u32 [%d1], %r2; ret; }\n").inst;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char ptx[1024];
        snprintf(ptx, sizeof ptx, "%s%s%s", HEAD "ld.global.u32 %r2, [%d1]; ", cases[i].ptx,
            "st.global.u32 [%d1], %r2; ret; }\n");
        ck_assert_msg(work_of(ptx).inst - none == 2 * cases[i].instructions, "%s takes %g",
            cases[i].ptx, (work_of(ptx).inst - none) / 2);
    }
}
END_TEST

/* ---- blocks of unequal work ---- */

/* Two multiprocessors that hold one block each: the first block lasts as long as the other
 * three. */
START_TEST(the_next_block_goes_where_one_has_ended)
{
    uint64_t work[4] = {30, 10, 10, 10};
    struct launch l = {.blocks = 4, .sms = 2, .resident = 1, .work = work};
    ck_assert_double_eq_tol(schedule_busiest(&l), 0.5, 1e-9);
    l.resident = 2; /* blocks 0 and 2 share a multiprocessor; 2 ends after 20, 0 after 40 */
    ck_assert_double_eq_tol(schedule_busiest(&l), 40 / 60.0, 1e-9);
}
END_TEST

/* ---- examples of addresses ---- */

/* An instruction that one block alone executes keeps that block's addresses, wherever the block
 * runs: block 132 is the second of its multiprocessor. */
START_TEST(every_block_can_be_the_example)
{
    for (unsigned block = 0; block < 133; block += 33) {
        char *ptx = xasprintf(
            "%sld.global.u32 %%r3, [%%d1]; mov.u32 %%r2, %%ctaid.x; setp.ne.u32 %%p1, %%r2, %u; @%%p1 bra E;\n"
            "bar.sync 0; st.global.u32 [%%d1], %%r1; E: ret; }\n",
            HEAD, block);
        struct sim_result r = result_of(ptx, 133);
        int found = 0;
        for (size_t i = 0; i < r.step_count; i++) {
            const struct sim_access *a = &r.accesses[i];
            if (a->block == UINT64_MAX || !a->write) continue;
            ck_assert(a->block == block && a->space == SPACE_GLOBAL && a->mask == ~0u);
            for (unsigned l = 0; l < 32; l++) ck_assert_uint_eq(a->addr[l], a->addr[0] + 4 * l);
            found++;
        }
        ck_assert_msg(found == 1, "block %u: %d examples", block, found);
        sim_result_free(&r);
        free(ptx);
    }
}
END_TEST

/* ---- rounding to TF32 ---- */

START_TEST(rounding_to_tf32_is_two_instructions)
{
    struct model_work w = work_of(HEAD "mov.b32 %f1, %r1; cvt.rna.tf32.f32 %r2, %f1;"
                                       "st.global.u32 [%d1], %r2; ret; }\n");
    struct model_work without =
        work_of(HEAD "mov.b32 %f1, %r1; st.global.f32 [%d1], %f1; ret; }\n");
    ck_assert_double_eq_tol(w.integer - without.integer, 2 * 2, 1e-9); /* 2 in each of two warps */
    ck_assert_double_eq_tol(w.inst - without.inst, 2 * 2, 1e-9);
}
END_TEST

/* ---- waits at an mbarrier ---- */

START_TEST(warps_go_on_together_behind_an_mbarrier)
{
    struct model_work w = work_of(HEAD
        "setp.ne.u32 %p1, %r1, 0; mov.u32 %r3, s;\n"
        "@!%p1 mbarrier.init.shared.b64 [%r3], 64; bar.sync 0; mov.u32 %r2, 0;\n"
        "L: mbarrier.arrive.shared.b64 _, [%r3]; and.b32 %r4, %r2, 1;\n"
        "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r3], %r4; @!%p2 bra W;\n"
        "add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 10; @%p3 bra L; st.global.u32 [%d1], %r2; ret; }\n");
    ck_assert(w.rounds >= 10);
    ck_assert_double_eq_tol(w.rounds_together, w.rounds, 1e-9);
}
END_TEST

/* ---- the model ---- */

/* An H200's multiprocessor has 4 schedulers with pipes of their own. With 4 warps, each scheduler
 * has one, which uses one pipe at a time: the two pipes' 250000 clocks each add up. 16 warps keep
 * both pipes busy at once. A part of each scheduler's 375000 clocks of issuing comes on top. */
START_TEST(pipes_belong_to_a_scheduler)
{
    const struct model_profile *p = model_profile_find("h200");
    for (int warps = 4; warps <= 16; warps *= 4) {
        struct model_work w = {.blocks = 132,
            .block_threads = 32 * warps,
            .registers = 32,
            .fp32 = 132e6,
            .integer = 66e6,
            .inst = 198e6};
        struct model_time t = model_time(p, &w);
        double clocks = t.ms * p->clock_ghz * 1e6, pipe = 1e6 * WARP_SIZE / p->fp32_lanes;
        if (warps == 4)
            ck_assert_double_eq_tol(clocks / pipe, 2.6, .25);
        else
            ck_assert_double_eq_tol(clocks / pipe, 1.75, .25);
    }
}
END_TEST

/* Each shuffle of two warps is a request and a wavefront. */
START_TEST(a_shuffle_passes_through_the_data_banks)
{
#define SHUFFLE "shfl.sync.bfly.b32 %r1|%p1, %r1, 1, 31, -1;"
    struct model_work one = work_of(HEAD SHUFFLE "st.global.u32 [%d1], %r1; ret; }\n"),
                      three = work_of(
                          HEAD SHUFFLE SHUFFLE SHUFFLE "st.global.u32 [%d1], %r1; ret; }\n");
    ck_assert_double_eq_tol(one.shared_wavefronts, 2, 1e-9);
    ck_assert_double_eq_tol(three.shared_wavefronts, 6, 1e-9);
    ck_assert_double_eq_tol(three.lsu - one.lsu, 4, 1e-9);
}
END_TEST

START_TEST(a_load_waits_with_the_store_before_it)
{
#define TWO(ld) \
    HEAD "ld.global.f32 %f1, [%d1]; st.global.f32 [%d1+256], %f1;" ld " %f2, [%d1+512];" \
         "st.global.f32 [%d1+768], %f2; ret; }\n"
    ck_assert_double_eq_tol(work_of(TWO("ld.global.f32")).rounds, 2, 1e-9);
    /* data that nothing writes need not wait for the store */
    ck_assert_double_eq_tol(work_of(TWO("ld.global.nc.f32")).rounds, 1, 1e-9);
    ck_assert_double_eq_tol(
        work_of(HEAD "mov.u64 %d4, s; add.s64 %d2, %d2, %d4;"
                     "ld.global.f32 %f1, [%d1]; st.shared.f32 [%d2], %f1;"
                     "ld.global.f32 %f2, [%d1+512]; st.global.f32 [%d1+768], %f2; ret; }\n")
            .rounds,
        1, 1e-9);
}
END_TEST

/* The differences below are sums over two warps. */
START_TEST(a_rounded_reciprocal_is_ten_instructions_and_a_branch)
{
#define RECIPROCAL(rcp) \
    HEAD "ld.global.f32 %f1, [%d1];" rcp " %f2, %f1; ld.global.f32 %f3, [%d1+512];" \
         "add.f32 %f3, %f3, %f2; st.global.f32 [%d1+256], %f3; ret; }\n"
    struct model_work fast = work_of(RECIPROCAL("rcp.approx.ftz.f32")),
                      rounded = work_of(RECIPROCAL("rcp.rn.f32"));
    ck_assert_double_eq_tol(rounded.inst - fast.inst, 18, 1e-9);
    ck_assert_double_eq_tol(rounded.fp32 - fast.fp32, 6, 1e-9);
    ck_assert_double_eq_tol(rounded.integer - fast.integer, 6, 1e-9);
    ck_assert_double_eq_tol(fast.rounds, 1, 1e-9);
    ck_assert_double_eq_tol(rounded.rounds, 2, 1e-9);
    ck_assert_double_eq_tol(work_of(RECIPROCAL("sqrt.rn.f32")).inst, rounded.inst, 1e-9);
    ck_assert_double_eq_tol(work_of(RECIPROCAL("ex2.approx.f32")).inst - fast.inst, 6, 1e-9);
}
END_TEST

/* The critical path of eight loads from shared memory, each added to a sum, while `values` other
 * values wait in registers to be added. */
static double path_beside(int values)
{
    struct buf b = {0};
    buf_printf(&b, "%s",
        ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"t.cu\"\n"
        ".shared .align 8 .b8 s[1024];\n.entry k(.param .u64 a) {\n.reg .b32 %r<2>; .reg .b64 %d<4>;"
        ".reg .f32 %f<99>;\n.loc 1 1 1\nld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x;"
        "mov.f32 %f98, 0f00000000; mul.wide.u32 %d2, %r1, 4;"
        "mov.u64 %d3, s; add.s64 %d3, %d3, %d2; st.shared.f32 [%d3], %f98;"
        "add.s64 %d1, %d1, %d2; bar.sync 0;\n");
    for (int i = 0; i < values; i++)
        buf_printf(&b, "cvt.rn.f32.u32 %%f%d, %%r1; add.u32 %%r1, %%r1, 3;\n", i);
    for (int i = 0; i < 8; i++)
        buf_printf(&b, "ld.shared.f32 %%f97, [s+%d]; add.f32 %%f98, %%f98, %%f97;\n", 32 * i);
    for (int i = 0; i < values; i++) buf_printf(&b, "add.f32 %%f98, %%f98, %%f%d;\n", i);
    buf_printf(&b, "st.global.f32 [%%d1], %%f98; ret; }\n");
    double path = work_of(b.data).critical_path;
    buf_free(&b);
    return path;
}

START_TEST(where_registers_are_scarce_reads_of_shared_memory_wait_in_turn)
{
    const struct model_profile *p = model_profile_find("h200");
    double few = path_beside(20), many = path_beside(60), more = 40 * p->latency_alu;
    ck_assert_msg(few < 28 * p->latency_alu + 4 * p->latency_shared + 100, "%g", few);
    ck_assert_msg(many - few > more + 5 * p->latency_shared, "%g, %g", few, many);
}
END_TEST

/* Dispatch takes longest, but a unit that is busy nearly as long, which can be improved, is
 * named. */
START_TEST(a_busy_unit_is_named_before_the_dispatch_of_blocks)
{
    const struct model_profile *p = model_profile_find("h200");
    struct model_work w = {
        .blocks = 132 * 200, .block_threads = 256, .registers = 16, .lsu = 132 * 16e3};
    w.shared_wavefronts = .7 * 132 * (double)w.blocks * p->dispatch_clocks;
    struct model_time busy = model_time(p, &w);
    ck_assert(busy.part_ms[PART_DISPATCH] > busy.part_ms[PART_L1]);
    ck_assert_int_eq(busy.bottleneck, PART_L1);
    w.shared_wavefronts /= 3;
    ck_assert_int_eq(model_time(p, &w).bottleneck, PART_DISPATCH);
}
END_TEST

/* A block may run for minutes: the sum of its work exceeds 32 bits. */
START_TEST(the_work_of_a_block_is_added_up_in_64_bits)
{
    struct batch batches[2] = {0};
    uint64_t work = 0;
    struct launch l = {.block_warps = 2 * BATCH_WARPS, .work = &work};
    struct worker w = {.launch = &l, .batches = batches, .batch_count = 2, .counting = 1};
    for (int i = 0; i < 2 * BATCH_WARPS; i++)
        batches[i / BATCH_WARPS].ran[i % BATCH_WARPS] = 3u << 30;
    schedule_end_block(&w);
    ck_assert_uint_eq(work, (uint64_t)3 << 34);
    ck_assert_uint_eq(w.schedule.all, (uint64_t)3 << 34);
    ck_assert_uint_eq(w.schedule.longest, (uint64_t)3 << 34);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("count");
    TCase *rules = tcase_create("rules");
    tcase_add_test(rules, products_and_sums_are_contracted);
    tcase_add_test(rules, loads_behind_short_branches_are_in_flight_together);
    tcase_add_test(rules, a_long_branch_stays_a_branch);
    tcase_add_test(rules, a_guarded_access_takes_a_pass_without_lanes);
    tcase_add_test(rules, doubles_are_guarded_as_floats_are);
    tcase_add_test(rules, adjacent_shared_loads_of_doubles_are_one);
    tcase_add_test(rules, atomics_ask_the_l2_for_lines_and_sectors);
    tcase_add_test(rules, atomic_sums_of_floats_wait_for_the_one_before);
    tcase_add_test(rules, a_column_is_found_in_the_l1_again);
    tcase_add_test(rules, atomics_that_move_on_ask_other_slices);
    tcase_add_test(rules, the_old_value_of_an_atomic_comes_from_the_l2);
    tcase_add_test(rules, parameters_and_barriers_are_the_divergence_units);
    tcase_add_test(rules, warps_begin_together_behind_a_barrier);
    tcase_add_test(rules, a_copy_behind_a_branch_is_waited_for);
    tcase_add_test(rules, a_barrier_takes_its_clocks);
    tcase_add_test(rules, parts_of_instructions_take_no_time);
    tcase_add_test(rules, the_next_block_goes_where_one_has_ended);
    tcase_add_test(rules, every_block_can_be_the_example);
    tcase_add_test(rules, the_work_of_a_block_is_added_up_in_64_bits);
    tcase_add_test(rules, a_shuffle_passes_through_the_data_banks);
    tcase_add_test(rules, a_load_waits_with_the_store_before_it);
    tcase_add_test(rules, a_rounded_reciprocal_is_ten_instructions_and_a_branch);
    tcase_add_test(rules, where_registers_are_scarce_reads_of_shared_memory_wait_in_turn);
    tcase_add_test(rules, a_busy_unit_is_named_before_the_dispatch_of_blocks);
    tcase_add_test(rules, rounding_to_tf32_is_two_instructions);
    tcase_add_test(rules, warps_go_on_together_behind_an_mbarrier);
    tcase_add_test(rules, pipes_belong_to_a_scheduler);
    suite_add_tcase(suite, rules);
    return suite_run(suite);
}
