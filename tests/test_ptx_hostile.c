/* test_ptx_hostile.c - truncated, garbled and random PTX: whatever comes, a module and programs, or
 * an error. */
#include "fronts.h"
#include "ptx_sample.h"
#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

static struct ptxas_target target = {FEATURES_9_0, 32, 8}; /* compute capability 9.0 */

/* ---- hostile text: whatever comes, a module and programs, or an error ---- */

static void survive(const char *text)
{
    struct ptx_module *m = NULL;
    struct err e = {0};
    if (ptx_parse(text, "t.ptx", &m, &e)) {
        ck_assert_msg(e.kind == ERR_LEARNER && *e.text, "no message");
        return;
    }
    for (size_t i = 0; i < m->func_count; i++) {
        struct ptx_program *p;
        if (m->funcs[i].is_entry && m->funcs[i].has_body &&
            !ptx_flatten(m, &m->funcs[i], "k.cu", &p, &e)) {
            uint64_t *variables = xcalloc(m->var_count + 1, sizeof *variables);
            ptxas_assemble(p, &target);
            struct sim_kernel *k = sim_kernel_new(p, variables, "k.cu");
            sim_kernel_free(k);
            free(variables);
        }
    }
    ptx_module_free(m);
}

static char *real_text(int front)
{
    struct compiled c = compile_test_kernel(front, "warp.cu");
    char *text = xstrdup(c.ptx);
    compiled_free(&c);
    return text;
}

START_TEST(truncated_text_is_refused)
{
    char *text = real_text(_i);
    size_t len = strlen(text), step = getenv("LOCKSTEP_SANITIZED") ? 997 : 101;
    survive(sample);
    for (size_t n = 0; n < len; n += step) {
        char *part = xstrndup(text, n);
        survive(part);
        free(part);
    }
    for (size_t n = 0; n < sizeof sample; n++) {
        char *part = xstrndup(sample, n);
        survive(part);
        free(part);
    }
    free(text);
}
END_TEST

/* Words of a real file are replaced by others of PTX: most of it is still parsed, so this reaches
 * what follows the parser. */
START_TEST(garbled_text_does_no_harm)
{
    static const char *const words[] = {"%p1", "%r1", "%rd1", "%f1", "0", "-1", "_", ".b8",
        "add.s64", "setp.lt.s32", "ret", "[", "{", ";", "st.param.b32", "%tid.x", "selp.b32",
        "cvt.u16.u64", "shfl.sync.idx.b32", "99999999999999999999", "@%r1"};
    char *text = real_text(_i);
    struct rng r;
    rng_seed(&r, 5);
    int rounds = getenv("LOCKSTEP_SANITIZED") ? 40 : 300;
    size_t len = strlen(text);
    for (int round = 0; round < rounds; round++) {
        struct buf b = {0};
        size_t spots[8], at = 0;
        for (int k = 0; k < 8; k++) spots[k] = rng_below(&r, len);
        for (size_t n = 0; n < len; n++) {
            int hit = 0;
            for (int k = 0; k < 8; k++) hit |= spots[k] == n;
            if (!hit || n < at) continue;
            size_t start = n + strcspn(text + n, " \t,;"), end;
            start += strspn(text + start, " \t,;");
            end = start + strcspn(text + start, " \t\n,;");
            buf_add(&b, text + at, start - at);
            buf_printf(&b, "%s", words[rng_below(&r, sizeof words / sizeof *words)]);
            at = end;
        }
        buf_add(&b, text + at, len - at);
        survive(b.data);
        buf_free(&b);
    }
    free(text);
}
END_TEST

START_TEST(noise_is_refused)
{
    struct rng r;
    rng_seed(&r, 9);
    for (int round = 0; round < 500; round++) {
        char noise[400];
        size_t n = rng_below(&r, sizeof noise - 1);
        for (size_t i = 0; i < n; i++)
            noise[i] = round % 2 ? (char)(1 + rng_below(&r, 255))
                                 : " .,;:{}()[]<>@!%x0f-+\"'\n/*="[rng_below(&r, 27)];
        noise[n] = 0;
        survive(noise);
        char *headed = xasprintf(HEAD ".entry k() { .reg .b32 %%x<9>; %s", noise);
        survive(headed);
        free(headed);
    }
}
END_TEST

/* ---- what nearly is an instruction of a warpgroup, or a barrier of a part of the block ---- */

static const struct {
    const char *text, *says;
} nearly[] = {{"bar.sync 16, 64", "names barrier 16; a block has 0 to 15"},
    {"bar.arrive 1, 33", "waits for 33 threads"}, {"bar.arrive 1", "too few operands"},
    {"@%p1 bar.sync 1, 64", "is not supported under a guard"},
    {"setmaxnreg.inc.sync.aligned.u32 260", "24, 32, ... 256 are possible"},
    {"setmaxnreg.sync.aligned.u32 40", ".inc and .dec are"},
    {"wgmma.wait_group.sync.aligned 8", "0 to 7 groups"},
    {"wgmma.fence.aligned", "needs .sync.aligned"},
    {"wgmma.mma_async.sync.aligned.m64n12k8.f32.tf32.tf32 {%r1}, {%r1}, %d1, %p1, 1, 1",
        "shapes m64nNk8"},
    {"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r1}, {%r1}, %d1, %p1, 1, 1",
        "tf32, f16 or bf16"},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r1}, %d1, %d1, %p1, 1, 1",
        "needs 4 registers"},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r1, %r1, %r1, %d1}, %d1, %d1, %p1, 1, 1",
        "registers of 32 bits"},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r1, %r2, %r3, %r4}, %d1, %d1, %p1, 1, 2",
        "needs 1 or -1 as its operand 6"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1, %r2, %r3, %r4}, %d1, %d1, %p1, 1, 1",
        "needs 8 operands"}};

START_TEST(what_nearly_is_an_instruction_is_refused)
{
    struct ptx_module *m;
    struct ptx_program *p;
    struct err e = {0};
    char *text = xasprintf(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.entry k() {\n.reg .pred %%p<2>; "
        ".reg .b32 %%r<5>; .reg .b64 %%d<2>;\n%s;\nret; }\n",
        nearly[_i].text);
    ck_assert_msg(!ptx_parse(text, "t.ptx", &m, &e), "%s: %s", text, e.text);
    ck_assert_msg(ptx_flatten(m, &m->funcs[0], "k.cu", &p, &e), "%s is taken", nearly[_i].text);
    ck_assert_msg(strstr(e.text, nearly[_i].says) != NULL, "%s: %s", nearly[_i].text, e.text);
    ptx_module_free(m);
    free(text);
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("ptx_hostile");
    TCase *c = tcase_create("ptx_hostile");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, truncated_text_is_refused, 0, front_count);
    tcase_add_loop_test(c, garbled_text_does_no_harm, 0, front_count);
    tcase_add_test(c, noise_is_refused);
    tcase_add_loop_test(
        c, what_nearly_is_an_instruction_is_refused, 0, (int)(sizeof nearly / sizeof *nearly));
    suite_add_tcase(suite, c);
    int failed = suite_run(suite);
    fronts_close();
    return failed;
}
