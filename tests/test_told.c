/* test_told.c - what a learner is told of an exercise: the whole answer, its first screen, the line of
 * a grading and its JSON, of the solutions' recorded PTX on three GPUs. Kept in tests/told, a file a
 * lab. A solution is its own reference here, so that all that is told is of counts, times and
 * budgets, and the same with every compiler. */
#include "cli/cli.h"
#include "golden.h"
#include "judge/judge.h"

static const struct shown {
    const char *lab, *device;
} tables[] = {{"01", "sim:gtx280"}, {"04", "sim:h200"}, {"05", "sim:k40"}};

static void tell(void *context, const struct result *r)
{
    static const struct screen narrow = {.width = 80}, colours = {.width = 100, .colour = 1};
    struct buf *out = context;
    const struct model_profile *gpu = model_profile_find(tables[out->data[0] - '0'].device + 4);
    buf_printf(out, "\n==== %s\n", r->exercise->name);
    lab_text(&narrow, r, gpu, "", out);
    buf_printf(out, "---- brief\n");
    const struct brief how = {12, TOLD_WHERE, {"WHY=1", "WHY=2"}, "MORE=1"};
    lab_brief(&colours, &how, r, gpu, "", out);
    report_result(out, r);
    if (out->data[0] != '1' || r->exercise != r->lab->exercises) return;
    json_t *json = json_result(r);
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    buf_printf(out, "---- json\n%s\n", text);
    json_decref(json), free(text);
}

START_TEST(an_exercise_is_told_as_it_was)
{
    char *self = realpath("/proc/self/exe", NULL), *slash = strrchr(self, '/');
    char *ptx = xasprintf("%.*s/../ptx/clang", (int)(slash - self), self),
         *path = xasprintf("tests/told/%s.txt", tables[_i].lab);
    struct session s;
    struct err e;
    struct buf out = {0};
    uint64_t seed = 20261122;
    ck_assert_msg(!session_open(&s, tables[_i].device, NULL, "solutions", &seed, &e), "%s", e.text);
    s.workbench.ptx = ptx;
    s.rungs = 1;
    buf_printf(&out, "%d: lab %s on %s\n", _i, tables[_i].lab, tables[_i].device);
    ck_assert_msg(
        !grade_labs(&s, options_lab(tables[_i].lab, &e), NULL, tell, &out, &e), "%s", e.text);
    session_close(&s);
    golden_check(path, out.data);
    buf_free(&out);
    free(path), free(ptx), free(self);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("told");
    TCase *c = tcase_create("told");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, an_exercise_is_told_as_it_was, 0,
        getenv("LOCKSTEP_SANITIZED") ? 1 : sizeof tables / sizeof *tables);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
