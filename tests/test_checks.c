/* test_checks.c - what the checks of a kernel let pass and what they stop, in a few lines of PTX
 * each, and what they report where a launch goes on: races, unwritten elements, lanes that wait for
 * each other; and values of instructions at their edges. */
#include "device/device.h"
#include "sim/check/names.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* %base: address of thread 0's 8 bytes of out; %out: of this thread's 8 bytes; %l: the lane.
 * Predicates: %first: is it thread 0; %low: is it in the first half of its warp; %zero: is it in
 * warp 0. Nothing has written s or out. */
static const char head[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 out)\n{\n"
    ".reg .pred %first, %low, %zero; .reg .b32 %l, %t, %r<8>; .reg .b64 %q<8>, %out, %base;\n"
    ".reg .f64 %d<8>;\n"
    ".shared .align 16 .b8 s[2048];\n"
    "ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %l, %laneid; mul.wide.u32 %q0, %t, 8;\n"
    "mov.u64 %base, %out; add.u64 %out, %out, %q0;\n"
    "setp.eq.u32 %first, %t, 0; setp.lt.u32 %low, %l, 16; setp.lt.u32 %zero, %t, 32;\n";

static void take_note(void *notes, const char *file, const struct err *e, unsigned long times)
{
    buf_printf(notes, "%s: %s, %lu times\n", file, e->text, times);
}

/* A block of threads. Of the pointers, each may be NULL. */
struct run {
    unsigned threads;
    uint64_t *result;  /* gets the 8 bytes that each left in [%out], poison where it left none */
    struct buf *notes; /* gets findings that hardware survives; the block goes on after them */
    const struct watch *watch;
};

/* Returns the text of the fault, which the caller frees, or NULL if there was none. */
static char *run(const char *body, const struct run *r)
{
    struct err e = {0};
    struct device *d;
    struct module *m;
    struct measurement measured = {0};
    dev_ptr out;
    const void *args[] = {&out};
    struct launch_shape s = {{1, 1, 1}, {r->threads, 1, 1}};
    char *ptx = xasprintf("%s%s\nret;\n}\n", head, body), *fault = NULL;
    ck_assert_msg(!device_open("sim:h200", &d, &e), "%s", e.text);
    device_settings(d)->watch = r->watch;
    if (r->notes) device_settings(d)->note = take_note, device_settings(d)->context = r->notes;
    ck_assert_msg(!device_load(d, ptx, "k.ptx", "k.ptx", &m, &e), "%s: %s", body, e.text);
    ck_assert_msg(!device_alloc(d, 8 * r->threads, "out", 8, &out, &e), "%s", e.text);
    if (device_launch(d, module_kernel(m, "k"), &s, args, &measured, &e))
        fault = xstrdup(e.text);
    else if (r->result)
        ck_assert(!device_copy_out(d, r->result, out, 8 * r->threads, &e));
    measurement_free(&measured);
    device_unload(d, m);
    device_close(d);
    free(ptx);
    return fault;
}

#define KEEP "st.global.u32 [%out], %r0;"
#define OWN ".local .align 16 .b8 own[32];\nmov.u32 %r1, 1; mov.u32 %r2, 2;\n"
/* %q1: address of the first or the second 8 bytes of own, in an irregular pattern over the lanes */
#define SOME \
    OWN "mul.lo.u32 %r3, %l, %l; shr.u32 %r3, %r3, 2; mad.lo.u32 %r3, %r3, %l, 8;\n" \
        "and.b32 %r3, %r3, 8; cvt.u64.u32 %q1, %r3; mov.u64 %q2, own; add.u64 %q1, %q1, %q2;\n"
/* %r3: address of the thread's word of s; %r4: of the word of the same lane of the other warp */
#define WORD \
    "mov.u32 %r5, s; shl.b32 %r3, %t, 2; xor.b32 %r4, %r3, 128;\n" \
    "add.u32 %r3, %r3, %r5; add.u32 %r4, %r4, %r5;\n"

#define CLEAR_FLAG "@%first st.global.u32 [%base+64], 0;\n"
#define WRITE "@%first st.global.u32 [%base], 7;\n"
#define SET_FLAG "@%first atom.global.add.u32 %r0, [%base+64], 1;\n"
#define READ "@%zero bra END;\nld.volatile.global.u32 %r0, [%base];\nEND:"

#define PART(bytes) \
    "st.global.u64 [%out], %out; bar.sync 0; .reg .pred %other; setp.ne.u32 %other, %t, 3;\n" \
    "@%other bra END; cp.async.cg.shared.global [s], [%base+256], 16, " bytes ";\nEND:"

static const struct check {
    const char *what, *body;
    unsigned threads;
    const char *says; /* a part of the fault's text; NULL: the kernel runs */
} checks[] = {
    /* Warp 0 writes a word and then a flag; warp 1 reads the word. */
    {"a flag behind a fence", CLEAR_FLAG "bar.sync 0;\n" WRITE "membar.cta;\n" SET_FLAG READ, 64,
        NULL},
    {"a flag without a fence", CLEAR_FLAG "bar.sync 0;\n" WRITE SET_FLAG READ, 64, "a race"},
    {"a flag whose fence stands before the barrier",
        CLEAR_FLAG "membar.cta;\nbar.sync 0;\n" WRITE SET_FLAG READ, 64, "a race"},
    /* An exchange reads the word only if something takes its old value. */
    {"an exchange whose old value nothing takes", "atom.global.exch.b32 %r0, [%out], 1;", 32, NULL},
    {"an exchange whose old value is taken", "atom.global.exch.b32 %r0, [%out], 1;\n" KEEP, 32,
        "nothing has written"},
    {"a sum whose old value nothing takes", "red.global.add.u32 [%out], 1;", 32, "written"},
    /* An integer of 8 bytes may be a structure with padding; a double is one value. */
    {"half of an integer",
        "st.global.u32 [%out], 1;\nld.volatile.global.u64 %q1, [%out];\nst.global.u64 [%out], %q1;",
        32, NULL},
    {"half of a double",
        "st.global.u32 [%out], 1;\nld.volatile.global.f64 %d1, [%out];\nst.global.f64 [%out], %d1;",
        32, "written"},
    /* Lanes that a mask names meet at one kind of instruction, wherever it stands. */
    {"one kind of shuffle at two places",
        "@%low bra LOW;\nshfl.sync.bfly.b32 %r0, %l, 16, 31, -1;\nbra END;\n"
        "LOW:\nshfl.sync.bfly.b32 %r0, %l, 16, 31, -1;\nEND:\n" KEEP,
        32, NULL},
    {"two kinds of shuffle",
        "@%low bra LOW;\nshfl.sync.idx.b32 %r0, %l, 0, 31, -1;\nbra END;\n"
        "LOW:\nshfl.sync.bfly.b32 %r0, %l, 16, 31, -1;\nEND:\n" KEEP,
        32, "took another way"},
    {"two masks",
        "@%low bra LOW;\nshfl.sync.bfly.b32 %r0, %l, 1, 31, 0xffffff00;\nbar.warp.sync -1;\nbra END;\n"
        "LOW:\nshfl.sync.bfly.b32 %r0, %l, 1, 31, -1;\nbar.warp.sync -1;\nEND:\n" KEEP,
        32, "took another way"},
    /* A store to local memory fills its own words and no other. */
    {"a word of its own", OWN "st.local.u32 [own+4], %r1; ld.local.u32 %r0, [own+4];" KEEP, 32,
        NULL},
    {"the word after it", OWN "st.local.u32 [own+4], %r1; ld.local.u32 %r0, [own+8];" KEEP, 32,
        "reads byte 8 of its local memory, which it has not written"},
    {"the word before it", OWN "st.local.u32 [own+4], %r1; ld.local.u32 %r0, [own];" KEEP, 32,
        "reads byte 0 of its local memory, which it has not written"},
    {"both words of a pair",
        OWN "st.local.v2.u32 [own+8], {%r1, %r2}; ld.local.u32 %r0, [own+12];" KEEP, 32, NULL},
    {"the word after a pair",
        OWN "st.local.v2.u32 [own+8], {%r1, %r2}; ld.local.u32 %r0, [own+16];" KEEP, 32,
        "which it has not written"},
    {"the second of a pair", OWN "st.local.u32 [own], %r1; ld.local.v2.u32 {%r1, %r0}, [own];" KEEP,
        32, "reads byte 4 of its local memory, which it has not written"},
    {"both halves of 8 bytes",
        OWN "mov.u64 %q1, 1; st.local.u64 [own+8], %q1; ld.local.u32 %r0, [own+12];" KEEP, 32,
        NULL},
    {"half of 8 bytes",
        OWN "st.local.u32 [own+8], %r1; ld.local.u64 %q1, [own+8]; st.global.u64 [%out], %q1;", 32,
        "which it has not written"},
    {"lanes in no order: their words",
        SOME "st.local.v2.u32 [%q1], {%r1, %r2}; ld.local.u32 %r0, [%q1+4];" KEEP, 32, NULL},
    {"lanes in no order: the words after them",
        SOME "st.local.u32 [%q1], %r1; ld.local.u32 %r0, [%q1+4];" KEEP, 32,
        "of its local memory, which it has not written"},
    {"lanes in no order: the second of a pair",
        SOME "st.local.u32 [%q1], %r1; ld.local.v2.u32 {%r1, %r0}, [%q1];" KEEP, 32,
        "of its local memory, which it has not written"},
    {"lanes in no order: half of 8 bytes",
        SOME "st.local.u32 [%q1+4], %r1; ld.local.u64 %q3, [%q1]; st.global.u64 [%out], %q3;", 32,
        "of its local memory, which it has not written"},
    {"lanes in no order: bytes of a word that is written",
        SOME "st.local.u32 [%q1], %r1; ld.local.u8 %r0, [%q1+3];" KEEP, 32, NULL},
    /* A name means the variable of that name that was declared last before its use. */
    {"a variable of an inner scope",
        OWN
        "st.local.u32 [own], %r1; { .local .align 16 .b8 own[16]; ld.local.u32 %r0, [own]; }" KEEP,
        32, "of its local memory, which it has not written"},
    {"a variable before one of an inner scope",
        OWN "st.local.u32 [own], %r1; ld.local.u32 %r0, [own];\n"
            "{ .local .align 16 .b8 own[16]; st.local.u32 [own], %r2; }" KEEP,
        32, NULL},
    /* An access lies in its array, from the first byte to the last, at a multiple of its size. */
    {"the last word of an array", "st.global.u32 [%base+252], 1;", 32, NULL},
    {"the word past its end", "st.global.u32 [%base+256], 1;", 32, "writes out[32]"},
    {"the word before it", "st.global.u32 [%base+-4], 1;", 32,
        "writes out[-1]; out has 32 elements"},
    {"a vector that begins within it", "st.global.v4.u32 [%base+256], {%l, %l, %l, %l};", 33,
        "writes out[32] to out[33]; out has 33 elements"},
    {"a vector up to its end", "st.global.v2.u32 [%base+256], {%t, %t};", 33, "a race"},
    /* Thread 3 copies the first bytes of 16, and zeros. */
    {"a copy of what is left of an array", PART("8"), 33, NULL},
    {"a copy past its end", PART("12"), 33, "thread (3,0) reads out[33]; out has 33 elements"},
    {"half a word further", "@%first st.global.u32 [%base+2], 1;", 32, "multiple of 4"},
    {"a pair at a word", "@%first st.global.v2.u32 [%base+4], {%l, %l};", 32, "multiple of 8"},
    {"the last word of shared memory", "st.shared.u32 [s+2044], 1;", 32, NULL},
    {"the word past it", "st.shared.u32 [s+2048], 1;", 32,
        "writes byte 2048 of shared memory; the block has 2048 bytes"},
    /* Shared memory: a written word may be read, by another warp only behind a barrier. */
    {"a word that was written", WORD "st.shared.u32 [%r3], %t; ld.shared.u32 %r0, [%r3];" KEEP, 64,
        NULL},
    {"the word after it", WORD "st.shared.u32 [%r3], %t; ld.shared.u32 %r0, [%r3+4];" KEEP, 32,
        "thread (31,0) reads byte 128 of shared memory, which no thread of the block ever fills"},
    {"another warp's word", WORD "st.shared.u32 [%r3], %t; ld.shared.u32 %r0, [%r4];" KEEP, 64,
        "barrier"},
    {"another warp's word behind a barrier",
        WORD "st.shared.u32 [%r3], %t; bar.sync 0; ld.shared.u32 %r0, [%r4];" KEEP, 64, NULL},
    {"a word that another warp has read",
        WORD "st.shared.u32 [%r3], %t; bar.sync 0; ld.shared.u32 %r0, [%r4];\n"
             "st.shared.u32 [%r3], %r0;" KEEP,
        64, "a race"},
    {"the same behind another barrier",
        WORD "st.shared.u32 [%r3], %t; bar.sync 0; ld.shared.u32 %r0, [%r4];\nbar.sync 0;\n"
             "st.shared.u32 [%r3], %r0;" KEEP,
        64, NULL},
    {"two values from two warps", "st.shared.u32 [s], %t;", 64, "a race"},
    {"one value from two warps", "st.shared.u32 [s], 7;", 64, "a race"},
    {"two values from lanes of a warp", "st.shared.u32 [s], %t;", 32, NULL},
};

START_TEST(checks_stop_what_they_should)
{
    const struct check *c = &checks[_i];
    char *fault = run(c->body, &(struct run){.threads = c->threads});
    if (c->says)
        ck_assert_msg(
            fault && strstr(fault, c->says), "%s: %s", c->what, fault ? fault : "it runs");
    else
        ck_assert_msg(!fault, "%s: %s", c->what, fault);
    free(fault);
}
END_TEST

/* %r3: address of the thread's word of s, in which its number is; %r4: of the word of the lane
 * beside it. */
#define LANES \
    "mov.u32 %r5, s; shl.b32 %r3, %t, 2; xor.b32 %r4, %r3, 4;\n" \
    "add.u32 %r3, %r3, %r5; add.u32 %r4, %r4, %r5; st.shared.u32 [%r3], %t;\n"
#define SYNC "bar.warp.sync -1;\n"

/* Races of lanes of a warp end no kernel: they are reported where a launch goes on after findings.
 * says: a part of the only report; NULL: there is none. */
static const struct check reports[] = {
    {"a word that a lane wrote", LANES "ld.shared.u32 %r0, [%r4];" KEEP, 32,
        "thread (0,0) reads byte 4 of shared memory, which thread (1,0) of its warp wrote"},
    {"the same behind a __syncwarp()", LANES SYNC "ld.shared.u32 %r0, [%r4];" KEEP, 32, NULL},
    {"a word that a lane has read",
        LANES SYNC "ld.shared.u32 %r0, [%r4]; st.shared.u32 [%r3], 99;" KEEP, 32,
        "thread (0,0) writes byte 0 of shared memory, which thread (1,0) of its warp read"},
    {"the same value again", LANES SYNC "ld.shared.u32 %r0, [%r4]; st.shared.u32 [%r3], %t;" KEEP,
        32, NULL},
    {"a word that the writer has read, too",
        LANES SYNC "ld.shared.u32 %r0, [s]; @%first st.shared.u32 [s], 99;" KEEP, 32,
        "thread (0,0) writes byte 0 of shared memory, which thread (1,0) of its warp read"},
    {"a sum that is read",
        LANES SYNC "atom.shared.add.u32 %r0, [%r3], 1; ld.shared.u32 %r0, [%r4];" KEEP, 32,
        "thread (0,0) reads byte 4 of shared memory, which thread (1,0) of its warp updated"},
    {"a maximum that is read",
        LANES SYNC "atom.shared.max.u32 %r0, [%r3], 1; ld.shared.u32 %r0, [%r4];" KEEP, 32, NULL},
    {"a word that is read after many others",
        ".reg .pred %second; setp.eq.u32 %second, %t, 1;\n"
        "@%first st.shared.u32 [s], 1; st.global.v2.u32 [%out], {%t, %t};\n"
        "@%second ld.shared.u32 %r0, [s];" KEEP,
        512, "thread (1,0) reads byte 0 of shared memory, which thread (0,0) of its warp wrote"},
};

START_TEST(checks_report_what_hardware_survives)
{
    const struct check *c = &reports[_i];
    struct buf notes = {0};
    char *fault = run(c->body, &(struct run){.threads = c->threads, .notes = &notes});
    ck_assert_msg(!fault, "%s: %s", c->what, fault);
    ck_assert_msg(c->says ? notes.len && strstr(notes.data, c->says) : !notes.len, "%s: %s",
        c->what, notes.len ? notes.data : "no report");
    buf_free(&notes);
}
END_TEST

static int take_fault(void *out, const struct watch_event *e)
{
    if (e->fault >= 0) *(struct watch_event *)out = *e;
    return 0;
}

/* Who watches a warp sees at a fault where each lane is: here, lane 31 has returned, the lower half
 * waits at a __syncwarp(), and the others store outside of their array. */
START_TEST(a_fault_shows_where_the_lanes_are)
{
    struct watch_event last = {.fault = -1};
    struct watch watch = {.warps = 1, .see = take_fault, .ctx = &last};
    struct run r = {.threads = 32, .watch = &watch};
    char *fault = run(".reg .pred %p; setp.eq.u32 %p, %l, 31; @%p ret; @%low bra LOW;\n"
                      "st.global.u32 [%base+-4], 1; bar.warp.sync 0x7fffffff; bra END;\n"
                      "LOW: bar.warp.sync 0x7fffffff;\nEND:",
        &r);
    ck_assert_msg(fault && strstr(fault, "thread (16,0) writes out[-1]"), "%s", fault);
    ck_assert_int_eq(last.fault, 16);
    ck_assert_uint_eq(last.mask, 0x7fff0000);
    ck_assert_uint_eq(last.active, 0x7fff0000);
    ck_assert_uint_eq(last.waits, 0x0000ffff);
    ck_assert_uint_eq(last.exited, 0x80000000);
    ck_assert_uint_eq(last.exist, 0xffffffff);
    free(fault);
}
END_TEST

/* A line of a source, and whether it stands in an if or an else. */
static const struct {
    const char *text;
    int line, stands;
} lines[] = {
    {" if (t < 3)\n    __syncthreads();", 2, 1}, {" if (t < 3) __syncthreads();", 1, 1},
    {" if (t < 3)\n    x = 1;\n__syncthreads();", 3, 0},
    {" if (t < 3) {\n    x = 1;\n    __syncthreads();\n}", 3, 1},
    {" if (t < 3) {\n    x = 1;\n}\n__syncthreads();", 4, 0},
    {" if (t < 3) {\n    x = 1;\n} else\n    __syncthreads();", 4, 1},
    {" if (t < 3) return;\n__syncthreads();", 2, 0},
    {" if (f(t)) {\n    for (;;) {\n        __syncthreads();\n    }\n}", 3, 1},
    {" while (f(t)) {\n    __syncthreads();\n}", 2, 0}, {" notif (t)\n    __syncthreads();", 2, 0},
    {" if (t < 3)\n    __syncthreads();", 3, 0}, /* no line of the source */
};

START_TEST(lines_stand_in_conditions)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_msg(in_condition(lines[i].text, lines[i].line) == lines[i].stands,
            "line %d of\n%s", lines[i].line, lines[i].text);
}
END_TEST

/* A field of bfe or bfi that reaches past the last bit is cut there; past it, it is empty: bfe
 * gives 0, bfi changes nothing (PTX ISA). */
START_TEST(fields_past_the_last_bit_are_empty)
{
    static const struct {
        const char *code;
        uint64_t value;
    } rows[] = {
        {"bfe.u64 %q1, %q2, 63, 9;", 1},
        {"bfe.u64 %q1, %q2, 64, 9;", 0},
        {"bfe.u64 %q1, %q2, 60, 2;", 3},
        {"bfe.u64 %q1, %q2, 0, 64;", ~(uint64_t)0},
        {"bfe.s64 %q1, %q2, 4, 1;", ~(uint64_t)0},
        {"bfi.b64 %q1, 0, %q2, 64, 9;", ~(uint64_t)0},
        {"bfi.b64 %q1, 0, %q2, 63, 9;", ~(uint64_t)0 >> 1},
        {"bfe.u32 %r1, %r2, 32, 9; cvt.u64.u32 %q1, %r1;", 0},
        {"bfe.u32 %r1, %r2, 31, 9; cvt.u64.u32 %q1, %r1;", 1},
        {"bfi.b32 %r1, 0, %r2, 32, 9; cvt.u64.u32 %q1, %r1;", 0xffffffff},
        {"bfi.b32 %r1, 0, %r2, 31, 9; cvt.u64.u32 %q1, %r1;", 0x7fffffff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t got[1] = {0};
        char *body = xasprintf("mov.u64 %%q2, -1; mov.u32 %%r2, -1;\n%s\n"
                               "st.global.u64 [%%out], %%q1;",
                 rows[i].code),
             *fault = run(body, &(struct run){.threads = 1, .result = got});
        ck_assert_msg(!fault, "%s: %s", rows[i].code, fault);
        ck_assert_msg(
            got[0] == rows[i].value, "%s: %#llx", rows[i].code, (unsigned long long)got[0]);
        free(body);
    }
}
END_TEST

START_TEST(values_at_the_edges)
{
    static const struct {
        const char *code;
        uint32_t old, value;
    } rows[] = {
        {"atom.shared.dec.u32 %r1, [s], 5;", 9, 5},
        {"atom.shared.dec.u32 %r1, [s], 5;", 5, 4},
        {"atom.shared.dec.u32 %r1, [s], 5;", 0, 5},
        {"atom.shared.inc.u32 %r1, [s], 5;", 5, 0},
        {"atom.shared.inc.u32 %r1, [s], 5;", 4, 5},
        {"atom.shared.inc.u32 %r1, [s], 5;", 9, 0},
        {"ld.shared.u32 %r1, [s]; bfe.s32 %r2, %r1, 4, 0; st.shared.u32 [s], %r2;", 0xffffffff, 0},
        {"ld.shared.u32 %r1, [s]; bfe.s32 %r2, %r1, 100, 0; st.shared.u32 [s], %r2;", 0xffffffff,
            0},
        {"ld.shared.u32 %r1, [s]; bfe.u32 %r2, %r1, 4, 0; st.shared.u32 [s], %r2;", 0xffffffff, 0},
        {"ld.shared.u32 %r1, [s]; bfe.s32 %r2, %r1, 4, 1; st.shared.u32 [s], %r2;", 0x10,
            0xffffffff},
        {"ld.shared.u32 %r1, [s]; bfe.s32 %r2, %r1, 28, 9; st.shared.u32 [s], %r2;", 0x80000000,
            0xfffffff8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t got[1] = {0};
        char *body = xasprintf("st.shared.u32 [s], %u;\n%s\nld.shared.u32 %%r0, [s];\n"
                               "cvt.u64.u32 %%q1, %%r0;\nst.global.u64 [%%out], %%q1;",
                 rows[i].old, rows[i].code),
             *fault = run(body, &(struct run){.threads = 1, .result = got});
        ck_assert_msg(!fault, "%s: %s", rows[i].code, fault);
        ck_assert_msg(got[0] == rows[i].value, "%s of %#x: %#llx", rows[i].code, rows[i].old,
            (unsigned long long)got[0]);
        free(body);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("checks");
    TCase *c = tcase_create("checks");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, checks_stop_what_they_should, 0, sizeof checks / sizeof *checks);
    tcase_add_loop_test(
        c, checks_report_what_hardware_survives, 0, sizeof reports / sizeof *reports);
    tcase_add_test(c, a_fault_shows_where_the_lanes_are);
    tcase_add_test(c, lines_stand_in_conditions);
    tcase_add_test(c, fields_past_the_last_bit_are_empty);
    tcase_add_test(c, values_at_the_edges);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
