/* test_apart.c - sums of floats by atomics: two host threads leave what one leaves, bit for bit,
 * and count the same, whether the multiprocessors keep to words of their own or meet. */
#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "sim/machine.h"
#include "suite.h"

#include <string.h>

enum { BLOCKS = 300, THREADS = 64, WORDS = BLOCKS * THREADS };

/* Thread t of block b: %d1 is the address of a[t + 64 b], %d2 of a[t]; %f1 is 1 / (1 + b), so that
 * a sum depends on the order. */
#define HEAD \
    ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"t.cu\"\n.entry k(.param .u64 a) {\n" \
    ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>; .reg .pred %p<4>;\n.loc 1 1 1\n" \
    "ld.param.u64 %d8, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;\n" \
    "mul.wide.u32 %d1, %r3, 4; add.s64 %d1, %d1, %d8; mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d2, %d8;\n" \
    "add.u32 %r4, %r2, 1; cvt.rn.f32.u32 %f1, %r4; rcp.rn.f32 %f1, %f1;\n"
#define ADD(at) "red.global.add.f32 [" at "], %f1;\n"

struct run {
    float a[WORDS];
    struct model_work work;
    struct err e;
    int failed;
};

/* Run a kernel by `threads` host threads. a holds 1, 2, 3, ... before. */
static void launch(const char *ptx, int threads, struct run *out)
{
    static const struct ptxas_target h200 = {FEATURES_9_0, 32, 8};
    struct ptx_module *m = NULL;
    struct ptx_program *program = NULL;
    struct sim_result r = {0};
    struct err e = {0};
    uint64_t variables[2] = {0};
    ck_assert_msg(
        !ptx_parse(ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &program, &e),
        "%s", e.text);
    ptxas_assemble(program, &h200);
    struct sim_kernel *k = sim_kernel_new(program, variables, "t.cu");
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, sizeof out->a, "a", 4, 0);
    float *host = sim_host(memory, a, sizeof out->a);
    for (int i = 0; i < WORDS; i++) host[i] = (float)(i + 1);
    struct sim_shape shape = {{BLOCKS, 1, 1}, {THREADS, 1, 1}, 0};
    struct sim_options options = {.threads = threads};
    *out = (struct run){{0}, {0}, {0}, 0};
    out->failed =
        sim_launch(k, memory, model_profile_find("h200"), &shape, &a, &options, &r, &out->e);
    memcpy(out->a, host, sizeof out->a);
    out->work = r.work;
    sim_result_free(&r);
    sim_kernel_free(k);
    sim_memory_free(memory);
    ptx_module_free(m);
}

static const struct {
    const char *name, *ptx;
} rows[] = {
    {"each block has words of its own", HEAD ADD("%d1") ADD("%d1") "ret; }\n"},
    {"all blocks add to the same words", HEAD ADD("%d2") "ret; }\n"},
    {"the last block meets the first",
        HEAD ADD("%d1") "setp.lt.u32 %p1, %r2, 299; @%p1 bra A;\n" ADD("%d2") "A: ret; }\n"},
    {"what a neighbour has left is read",
        HEAD "red.global.add.f32 [%d1], %f1; setp.eq.u32 %p1, %r2, 0; @%p1 bra A;\n"
             "ld.global.f32 %f1, [%d1+-256];\n" ADD("%d1") "A: ret; }\n"},
    {"a store meets a sum",
        HEAD ADD(
            "%d1") "setp.lt.u32 %p1, %r2, 299; @%p1 bra A;\nst.global.f32 [%d2], %f1;\nA: ret; }\n"},
    /* block 264, the last of multiprocessor 0, after a long loop; block 1, the first of
     * multiprocessor 1 */
    {"bytes meet",
        HEAD ADD(
            "%d1") "setp.eq.u32 %p1, %r2, 264; setp.eq.u32 %p2, %r2, 1; or.pred %p1, %p1, %p2;\n"
                   "@!%p1 bra A;\nmul.lo.u32 %r5, %r2, 500; L: sub.u32 %r5, %r5, 1;\n"
                   "setp.ne.u32 %p3, %r5, 0; @%p3 bra L; st.global.u8 [%d2+2560], %r2;\nA: ret; }\n"},
    {"a block fails",
        HEAD ADD(
            "%d1") "setp.ne.u32 %p1, %r2, 200; @%p1 bra A;\nst.global.f32 [%d1+4000000], %f1;\n"
                   "A: ret; }\n"},
};
enum { ROWS = sizeof rows / sizeof *rows };

START_TEST(two_host_threads_leave_what_one_leaves)
{
    static struct run one, two;
    launch(rows[_i].ptx, 1, &one);
    for (int again = 0; again < 4; again++) {
        launch(rows[_i].ptx, 2, &two);
        ck_assert_int_eq(two.failed, one.failed);
        ck_assert_str_eq(two.e.text, one.e.text);
        int sums = one.failed || !memcmp(one.a, two.a, sizeof one.a);
        ck_assert_msg(sums, "%s: the sums differ", rows[_i].name);
        int counts = !memcmp(&one.work, &two.work, sizeof one.work);
        ck_assert_msg(counts, "%s: the counts differ", rows[_i].name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("apart");
    TCase *c = tcase_create("apart");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, two_host_threads_leave_what_one_leaves, 0, ROWS);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
