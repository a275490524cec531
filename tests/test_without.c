/* test_without.c - a launch without the effect of some instructions shows what its outputs depend
 * on; and how long before their waits asynchronous copies begin. */
#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "sim/machine.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* Thread x of 64 has the address of word x of a in %d1 and of s in %r2; a holds 1, 2, 3, ... */
#define HEAD \
    ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"t.cu\"\n.shared .align 16 .b8 s[512];\n" \
    ".const .align 4 .f32 k = 0f40000000;\n" \
    ".entry f(.param .u64 a) {\n.reg .b32 %r<12>; .reg .b64 %d<8>; .reg .f32 %f<9>; .reg .pred %p<4>;\n" \
    ".loc 1 1 1\nld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4;" \
    "add.s64 %d1, %d1, %d2; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r2, %r2, %r3;\n" \
    "ld.global.f32 %f1, [%d1];\n"
#define TAIL "st.global.f32 [%d1+1024], %f1; ret; }\n"

enum { THREADS = 64, OUT = 256, WORDS = 1024 };

static struct metrics metrics;
static struct exchange *exchange, kept;
static float factor = 1; /* the words of a are multiplied by it */

/* Run the body without the effect of `what`; out gets what the threads wrote. */
static void run(const char *body, enum without what, float out[THREADS])
{
    static const struct ptxas_target h200 = {FEATURES_9_0, 32, 8};
    struct err e = {0};
    struct sim_result r = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *program = NULL;
    char *ptx = xasprintf("%s%s%s", HEAD, body, TAIL);
    ck_assert_msg(
        !ptx_parse(ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &program, &e),
        "%s", e.text);
    ptxas_assemble(program, &h200);
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, 4 * WORDS, "a", 4, 0), k2 = sim_alloc(memory, 4, "k", 4, 1);
    uint64_t variables[] = {0, k2};
    float *words = sim_host(memory, a, 4 * WORDS), two = 2;
    for (int i = 0; i < WORDS; i++) words[i] = factor * ((float)i + 1);
    memcpy(sim_host(memory, k2, 4), &two, 4);
    struct sim_kernel *k = sim_kernel_new(program, variables, "t.cu");
    struct sim_shape shape = {{1, 1, 1}, {THREADS, 1, 1}, 0};
    struct sim_options options = {.threads = 1, .without = what, .exchange = exchange};
    ck_assert_msg(!sim_launch(k, memory, model_profile_find("h200"), &shape, &a, &options, &r, &e),
        "%s", e.text);
    memcpy(out, words + OUT, THREADS * sizeof *out);
    metrics = r.metrics;
    sim_result_free(&r);
    sim_kernel_free(k);
    sim_memory_free(memory);
    ptx_module_free(m);
    free(ptx);
}

#define MATRICES(factor) \
    "mov.b32 %r4, " factor "; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;" \
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, {%r4,%r4,%r4,%r4}, " \
    "{%r4,%r4}, {%f1,%f2,%f3,%f4};"
#define COPY \
    "cp.async.ca.shared.global [%r2], [%d1], 4; cp.async.commit_group; cp.async.wait_group 0;"

static const struct dependence {
    const char *of;
    enum without what;
    int depends;
    const char *body;
} dependences[] = {
    {"a word that a neighbour stored", WITHOUT_SHARED, 1,
        "st.shared.f32 [%r2], %f1; bar.sync 0; xor.b32 %r2, %r2, 4; ld.shared.f32 %f1, [%r2];"},
    {"a word of the thread's own", WITHOUT_SHARED, 0,
        "st.shared.f32 [%r2], %f1; bar.sync 0; ld.shared.f32 %f1, [%r2];"},
    {"its own by a generic address", WITHOUT_SHARED, 0,
        "cvt.u64.u32 %d3, %r2; cvta.shared.u64 %d3, %d3; st.f32 [%d3], %f1; ld.f32 %f1, [%d3];"},
    {"its own by an asynchronous copy", WITHOUT_SHARED, 0, COPY "ld.shared.f32 %f1, [%r2];"},
    {"its own, which an atomic changed", WITHOUT_SHARED, 1,
        "st.shared.f32 [%r2], %f1; bar.sync 0; xor.b32 %r4, %r2, 4; red.shared.add.f32 [%r4], %f1;"
        "bar.sync 0; ld.shared.f32 %f1, [%r2];"},
    {"half of four words", WITHOUT_SHARED, 1,
        "st.shared.f32 [%r2], %f1; bar.sync 0; and.b32 %r2, %r2, -16;"
        "ld.shared.v4.f32 {%f1,%f2,%f3,%f4}, [%r2];"},
    {"an asynchronous copy", WITHOUT_COPIES, 1, COPY "ld.shared.f32 %f1, [%r2];"},
    {"no copy that nobody reads", WITHOUT_COPIES, 0, COPY},
    {"a constant", WITHOUT_CONSTANTS, 1, "ld.const.f32 %f2, [k]; mul.f32 %f1, %f1, %f2;"},
    {"no constant", WITHOUT_CONSTANTS, 0, "ld.const.f32 %f2, [k]; mul.f32 %f3, %f1, %f2;"},
    {"what was stored before", WITHOUT_STORES, 1, ""},
    {"the larger summand only", WITHOUT_SUMS, 0, "add.f32 %f1, %f1, 0f00000000;"},
    {"both summands", WITHOUT_SUMS, 1, "add.f32 %f1, %f1, 0f3f000000;"},
    {"a product of matrices", WITHOUT_PRODUCTS, 1, MATRICES("0x3f800000")},
    {"a product of zeros", WITHOUT_PRODUCTS, 0, MATRICES("0")},
    {"an atomic", WITHOUT_ATOMICS, 1,
        "st.shared.f32 [%r2], %f1; red.shared.add.f32 [%r2], %f1; ld.shared.f32 %f1, [%r2];"},
    {"no atomic on another word", WITHOUT_ATOMICS, 0,
        "st.shared.f32 [%r2], %f1; st.shared.f32 [%r2+256], %f1; red.shared.add.f32 [%r2+256], %f1;"
        "ld.shared.f32 %f1, [%r2];"},
};

START_TEST(outputs_change_without_what_they_depend_on)
{
    const struct dependence *d = &dependences[_i];
    float with[THREADS], without[THREADS];
    int changed = 0;
    run(d->body, WITHOUT_NOTHING, with);
    run(d->body, d->what, without);
    for (int i = 0; i < THREADS; i++) changed += memcmp(&with[i], &without[i], 4) != 0;
    /* a load of four words, of which one is the thread's own, is left out as a whole */
    ck_assert_msg(changed == (d->depends ? THREADS : 0), "%s: %d outputs change", d->of, changed);
}
END_TEST

/* A second launch, with other values in a, gets the exchanged words of the first. In the first case
 * a word comes from a neighbour, so the second launch computes from the old one. In the second case
 * a neighbour says only where a word lies; the word is the thread's own, and new. */
START_TEST(what_threads_exchange_can_be_that_of_an_earlier_launch)
{
    static const char *const body[] = {
        "st.shared.f32 [%r2], %f1; bar.sync 0; xor.b32 %r2, %r2, 4; ld.shared.f32 %f1, [%r2];",
        "st.shared.f32 [%r2+256], %f1; xor.b32 %r4, %r2, 4; st.shared.u32 [%r2], %r4; bar.sync 0;"
        "ld.shared.u32 %r4, [%r4]; ld.shared.f32 %f1, [%r4+256];",
    };
    float first[THREADS], again[THREADS];
    exchange = &kept;
    factor = 1;
    run(body[_i], WITHOUT_SHARED, first);
    ck_assert_uint_eq(kept.count, THREADS);
    kept.again = 1, kept.at = 0;
    factor = 2;
    run(body[_i], WITHOUT_SHARED, again);
    ck_assert_uint_eq(kept.at, kept.count);
    for (int i = 0; i < THREADS; i++) ck_assert_float_eq(again[i], first[i] * (_i ? 2 : 1));
    free(kept.value);
    kept = (struct exchange){0}, exchange = NULL, factor = 1;
}
END_TEST

#define FROM_NEIGHBOUR \
    "st.shared.f32 [%r2], %f1; bar.sync 0; xor.b32 %r5, %r2, 4; ld.shared.f32 %f1, [%r5];"
#define MULTIPLY_ADD "fma.rn.f32 %f1, %f1, 0f00000000, %f1; "

/* With a limit, only what is loaded, or added, before the warp has multiplied so often is left
 * out. */
START_TEST(what_comes_late_is_not_left_out)
{
    static const struct {
        enum without what;
        uint64_t until;
        int changes;
        const char *body;
    } rows[] = {
        {WITHOUT_EARLY, 2, 1, FROM_NEIGHBOUR MULTIPLY_ADD MULTIPLY_ADD},
        {WITHOUT_EARLY, 2, 1, MULTIPLY_ADD FROM_NEIGHBOUR MULTIPLY_ADD},
        {WITHOUT_EARLY, 2, 0, MULTIPLY_ADD MULTIPLY_ADD FROM_NEIGHBOUR},
        {WITHOUT_SUMS, 1, 1, "add.f32 %f1, %f1, 0f3f000000;" MULTIPLY_ADD},
        {WITHOUT_SUMS, 1, 0, MULTIPLY_ADD "add.f32 %f1, %f1, 0f3f000000;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct exchange limit = {.until = rows[i].until};
        float with[THREADS], without[THREADS];
        run(rows[i].body, WITHOUT_NOTHING, with);
        exchange = &limit;
        run(rows[i].body, rows[i].what, without);
        exchange = NULL;
        ck_assert_msg(!memcmp(with, without, sizeof with) == !rows[i].changes, "row %zu", i);
    }
}
END_TEST

/* About an eighth of the threads lose what one multiply-add adds; of 32 in a row, nearly all. */
START_TEST(an_eighth_of_the_multiply_adds_are_left_out)
{
#define ADD_2 "fma.rn.f32 %f1, %f1, 0f3f000000, %f1; "
#define ADD_8 ADD_2 ADD_2 ADD_2 ADD_2 ADD_2 ADD_2 ADD_2 ADD_2
    static const char *const bodies[] = {ADD_2, ADD_8 ADD_8 ADD_8 ADD_8, ""};
    static const int least[] = {1, 50, 0}, most[] = {24, THREADS, 0};
    for (int i = 0; i < 3; i++) {
        float with[THREADS], without[THREADS];
        int changed = 0;
        run(bodies[i], WITHOUT_NOTHING, with);
        run(bodies[i], WITHOUT_MULTIPLY_ADDS, without);
        for (int t = 0; t < THREADS; t++) changed += with[t] != without[t];
        ck_assert_msg(changed >= least[i] && changed <= most[i], "body %d: %d change", i, changed);
    }
}
END_TEST

/* A launch that records tells words from one partner from those of several threads. */
START_TEST(the_sources_of_words_are_counted)
{
    static const struct {
        uint64_t first, others;
        const char *body;
    } rows[] = {
        {THREADS, 0, FROM_NEIGHBOUR},
        {2 * THREADS, 0, FROM_NEIGHBOUR "bar.sync 0;" FROM_NEIGHBOUR},
        /* then from the thread two further */
        {THREADS, THREADS, FROM_NEIGHBOUR "xor.b32 %r5, %r2, 8; ld.shared.f32 %f1, [%r5];"},
        {0, 0, "st.shared.f32 [%r2], %f1; ld.shared.f32 %f1, [%r2];"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct exchange told = {0};
        float out[THREADS];
        exchange = &told;
        run(rows[i].body, WITHOUT_SHARED, out);
        exchange = NULL;
        ck_assert_msg(told.from_first == rows[i].first && told.from_others == rows[i].others,
            "row %zu: %llu, %llu", i, (unsigned long long)told.from_first,
            (unsigned long long)told.from_others);
        free(told.value);
    }
}
END_TEST

/* LDGSTS_LEAD: instructions that a warp executes from its copy to the wait, with the commit.
 * LDGSTS_HIDDEN: the multiply-adds among them. */
START_TEST(a_copy_leads_its_wait)
{
#define ADD "add.f32 %f1, %f1, %f1; "
    float out[THREADS];
    run("cp.async.ca.shared.global [%r2], [%d1], 4; cp.async.commit_group;" ADD ADD ADD
        "cp.async.wait_group 0;",
        WITHOUT_NOTHING, out);
    ck_assert_double_eq(metrics.v[METRIC_LDGSTS_LED], 2);
    ck_assert_double_eq(metrics.v[METRIC_LDGSTS_LEAD], 5);
    /* a wait for the first of two groups, then for both */
    run("cp.async.ca.shared.global [%r2], [%d1], 4; cp.async.commit_group;"
        "cp.async.ca.shared.global [%r2+256], [%d1], 4; cp.async.commit_group; cp.async.wait_group 1;" ADD
            ADD "cp.async.wait_all;",
        WITHOUT_NOTHING, out);
    ck_assert_double_eq(metrics.v[METRIC_LDGSTS_LED], 4);
    ck_assert_double_eq(metrics.v[METRIC_LDGSTS_LEAD], (4 + 5) / 2.0);
    ck_assert_double_eq(metrics.v[METRIC_LDGSTS_HIDDEN], 0);
    run(MULTIPLY_ADD
        "cp.async.ca.shared.global [%r2], [%d1], 4; cp.async.commit_group;" MULTIPLY_ADD ADD
            MULTIPLY_ADD "cp.async.wait_all;" MULTIPLY_ADD,
        WITHOUT_NOTHING, out);
    ck_assert_double_eq(metrics.v[METRIC_LDGSTS_LEAD], 5);
    ck_assert_double_eq(metrics.v[METRIC_LDGSTS_HIDDEN], 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("without");
    TCase *c = tcase_create("without");
    tcase_add_loop_test(
        c, outputs_change_without_what_they_depend_on, 0, sizeof dependences / sizeof *dependences);
    tcase_add_loop_test(c, what_threads_exchange_can_be_that_of_an_earlier_launch, 0, 2);
    tcase_add_test(c, what_comes_late_is_not_left_out);
    tcase_add_test(c, an_eighth_of_the_multiply_adds_are_left_out);
    tcase_add_test(c, the_sources_of_words_are_counted);
    tcase_add_test(c, a_copy_leads_its_wait);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
