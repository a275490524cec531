/* test_ptx_hostile.c - truncated, garbled and random PTX: whatever comes, a module and programs, or an
 * error. */
#include "fronts.h"
#include "ptx_sample.h"
#include "ptxas/ptxas.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

static struct ptxas_target target = {9, 0, 32, 8}; /* compute capability 9.0 */

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
        if (m->funcs[i].is_entry && m->funcs[i].has_body && !ptx_flatten(m, &m->funcs[i], "k.cu", &p, &e)) {
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

/* Words of a real file changed for others of it: most of it parses, so this reaches what follows the
 * parser. */
START_TEST(garbled_text_does_no_harm)
{
    static const char *const words[] = {"%p1", "%r1", "%rd1", "%f1", "0", "-1", "_", ".b8", "add.s64",
        "setp.lt.s32", "ret", "[", "{", ";", "st.param.b32", "%tid.x", "selp.b32", "cvt.u16.u64",
        "shfl.sync.idx.b32", "99999999999999999999", "@%r1"};
    char *text = real_text(_i);
    struct rng r;
    rng_seed(&r, 5);
    int rounds = getenv("LOCKSTEP_SANITIZED") ? 40 : 300;
    size_t len = strlen(text);
    for (int round = 0; round < rounds; round++) {
        struct buf b = {0};
        size_t spots[8], at = 0;
        for (int k = 0; k < 8; k++)
            spots[k] = rng_below(&r, len);
        for (size_t n = 0; n < len; n++) {
            int hit = 0;
            for (int k = 0; k < 8; k++)
                hit |= spots[k] == n;
            if (!hit || n < at)
                continue;
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

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("ptx_hostile");
    TCase *c = tcase_create("ptx_hostile");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, truncated_text_is_refused, 0, front_count);
    tcase_add_loop_test(c, garbled_text_does_no_harm, 0, front_count);
    tcase_add_test(c, noise_is_refused);
    suite_add_tcase(suite, c);
    int failed = suite_run(suite);
    fronts_close();
    return failed;
}
