/* test_told.c - what a learner is told of an exercise: the whole answer, its first screen, the line
 * of a grading and its JSON, of the solutions' recorded PTX on three GPUs. Kept in tests/told, one
 * file per lab. A solution is its own reference here, so that all that is told is of counts, times
 * and budgets, and the same with every compiler. And what is told of kernels at fault. */
#include "cli/cli.h"
#include "explain/explain.h"
#include "golden.h"
#include "judge/grade.h"
#include "os/os.h"

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

/* ---- kernels at fault ---- */

/* Folders of tests/mistakes whose PTX is packed in tests/told. Edits are not looked for, as that
 * runs a compiler. */
static const struct fault {
    const char *folder, *lab, *exercise;
} faults[] = {
    {"rows_for_cols", "01", "copy"},
    {"product_row_not_checked", "01", "matmul"},
    {"x_and_y_swapped", "01", "matmul"},
    {"endless_sum", "01", "matmul"},
    {"a_times_a", "01", "aat"},
    {"float_for_double", "02", "soa"},
    {"element_twice", "02", "diverge"},
    {"wrong_tile", "04", "transpose"},
    {"no_shared", "04", "transpose"},
    {"no_second_barrier", "04", "matmul"},
    {"returns_early", "04", "tile_a"},
    {"waits_for_none", "08", "stream"},
    {"register_order", "09", "fragment"},
    {"eight_rows_of_four", "02", "matmul"},
    {"strips_of_four", "02", "diverge"},
};

static void no_cause(
    struct session *s, const struct build *b, int step, uint64_t seed, struct run_outcome *t)
{
    (void)s, (void)b, (void)step, (void)seed, (void)t;
}

static void no_edit(struct session *s, const struct lab *lab, const struct build *b, int step,
    uint64_t seed, const struct measurement *m, struct cause *cause)
{
    (void)s, (void)lab, (void)b, (void)step, (void)seed, (void)m, (void)cause;
}

/* The PTX of the solutions, which is also that of the reference. It takes effect when the kernel is
 * right, just before the reference is read. */
static char *solved;
static void read_solved(void *context, const struct stage *p)
{
    struct session *s = context;
    if (p->at == PROGRESS_RIGHT) s->workbench.ptx = solved;
}

static void tell_fault(void *context, const struct result *r)
{
    static const struct screen narrow = {.width = 80};
    struct buf *out = context;
    const struct model_profile *gpu = model_profile_find("h200");
    lab_text(&narrow, r, gpu, "", out);
    report_result(out, r);
    json_t *json = json_result(r), *found = json_object_get(json, "finding");
    char *text = found ? json_dumps(found, JSON_REAL_PRECISION(6)) : NULL;
    buf_printf(out, "finding %s, status %d\n", text ? text : "none", r->status);
    json_decref(json), free(text);
}

START_TEST(a_fault_is_told_as_it_was)
{
    struct buf out = {0};
    struct err e;
    char folder[] = "/tmp/lockstep-test-XXXXXX";
    ck_assert(mkdtemp(folder));
    char *self = realpath("/proc/self/exe", NULL), *slash = strrchr(self, '/');
    solved = xasprintf("%.*s/../ptx/clang", (int)(slash - self), self);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct fault *f = &faults[i];
        const struct explainer explains = {
            explainer.fault, explainer.output, no_cause, no_edit, explainer.refused};
        struct session s;
        uint64_t seed = 20261122;
        char *student = xasprintf("tests/mistakes/%s", f->folder);
        char *unpack = xasprintf("tar -xzf tests/told/mistakes.tar.gz "
                                 "-C %s --strip-components=2 ./%s",
            folder, f->folder);
        ck_assert_int_eq(system(unpack), 0);
        ck_assert_msg(!session_open(&s, "sim:h200", NULL, student, &seed, &e), "%s", e.text);
        s.workbench.ptx = folder;
        s.rungs = 1;
        s.explains = &explains;
        s.watch = read_solved, s.context = &s;
        const struct lab *lab = options_lab(f->lab, &e);
        buf_printf(&out, "\n==== %s\n", f->folder);
        ck_assert_msg(
            !grade_labs(&s, lab, options_exercise(lab, f->exercise, &e), tell_fault, &out, &e),
            "%s", e.text);
        session_close(&s);
        free(student), free(unpack);
    }
    spawn_remove_directory(folder);
    golden_check("tests/told/mistakes.txt", out.data);
    buf_free(&out);
    free(self), free(solved);
}
END_TEST

/* A budget of shared memory is not met by words that tell only where the data are, nor by words that
 * each thread loads again itself: by neither do the data go from thread to thread. */
START_TEST(what_threads_exchange_must_be_the_data)
{
    static const struct {
        const char *lab, *file;
    } files[] = {{"06-unrolled", "transpose_told"}, {"07-registers", "transpose_own"}};
    struct session s;
    struct result r;
    struct err e;
    char folder[] = "/tmp/lockstep-test-XXXXXX";
    ck_assert(mkdtemp(folder));
    char *copy = xasprintf("cd '%s' && mkdir %s && cp \"$OLDPWD\"/tests/wrong/cheapest/%s/%s.cu "
                           "%s/transpose.cu",
        folder, files[_i].lab, files[_i].lab, files[_i].file, files[_i].lab);
    ck_assert_int_eq(system(copy), 0);
    if (session_open(&s, "sim:h200", "clang", folder, NULL, &e)) SKIP("clang is not installed");
    const struct lab *lab = options_lab(files[_i].lab, &e);
    const struct exercise *x = options_exercise(lab, "transpose", &e);
    ck_assert_msg(!grade_exercise(&s, lab, x, &r, &e), "%s", e.text);
    ck_assert_msg(strstr(r.message.data, unused_said(WITHOUT_SHARED)), "%s", r.message.data);
    ck_assert_double_le(r.score, r.max_score / 2.0);
    result_free(&r);
    session_close(&s);
    spawn_remove_directory(folder);
    free(copy);
}
END_TEST

/* What is not the learner's fault ends the grading, with its reason: a compiled kernel is missing. */
START_TEST(what_is_no_learner_s_fault_ends_the_grading)
{
    struct session s;
    struct err e = {0};
    struct buf out = {0};
    ck_assert_msg(!session_open(&s, "sim:h200", NULL, "solutions", NULL, &e), "%s", e.text);
    s.workbench.ptx = "/nowhere";
    buf_printf(&out, "0");
    const struct lab *lab = options_lab("04", &e);
    ck_assert_int_eq(
        grade_labs(&s, lab, options_exercise(lab, "transpose", &e), tell, &out, &e), -1);
    ck_assert_int_eq(e.kind, ERR_ENV);
    ck_assert_ptr_nonnull(strstr(e.text, "/nowhere/04-shared/transpose.ptx"));
    session_close(&s);
    buf_free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("told");
    TCase *c = tcase_create("told");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, an_exercise_is_told_as_it_was, 0,
        getenv("LOCKSTEP_SANITIZED") ? 1 : sizeof tables / sizeof *tables);
    tcase_add_test(c, a_fault_is_told_as_it_was);
    tcase_add_loop_test(c, what_threads_exchange_must_be_the_data, 0, 2);
    tcase_add_test(c, what_is_no_learner_s_fault_ends_the_grading);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
