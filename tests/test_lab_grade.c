/* test_lab_grade.c - grading on the simulator: every skeleton earns nothing for the intended
 * reason, every solution everything, and every wrong submission under tests/wrong/ loses exactly
 * what it should, for the reason it should. */
#include "exercise/compile.h"
#include "explain/explain.h"
#include "cli/cli.h"
#include "view/view.h"
#include "judge/judge.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Opens a session that explains what is wrong, on the simulator. student: the submission's
 * folder. */
static void open_session(struct session *s, const char *student, uint64_t seed)
{
    struct err e = {0};
    ck_assert_msg(!session_open(s, "sim:h200", NULL, student, &seed, &e), "%s", e.text);
    s->explains = &explainer;
}

static void grade(
    const char *student, const char *lab, const char *exercise, graded *done, void *context)
{
    struct session s;
    struct err e = {0};
    open_session(&s, student, 20261120);
    const struct lab *l = lab ? options_lab(lab, &e) : NULL;
    const struct exercise *x = exercise ? options_exercise(l, exercise, &e) : NULL;
    ck_assert_msg(e.kind == ERR_NONE, "%s", e.text);
    ck_assert_msg(!grade_labs(&s, l, x, done, context, &e), "%s", e.text);
    session_close(&s);
}

/* ---- the labs themselves ---- */

static void has_skeleton_and_hints(const struct lab *lab, const struct exercise *x)
{
    char *skeleton = workbench_file("labs", lab, x),
         *hints = xasprintf("labs/%s/hints.md", lab->name);
    char *heading = xasprintf("\n## %s\n", x->name), *text = NULL;
    struct err e;
    ck_assert_msg(!file_read(skeleton, SOURCE_MAX, &text, NULL, &e), "%s", e.text);
    ck_assert_msg(strstr(text, "TODO") != NULL, "%s: no TODO", skeleton);
    free(text);
    ck_assert_msg(!file_read(hints, 1 << 20, &text, NULL, &e), "%s", e.text);
    ck_assert_msg(strstr(text, heading) != NULL, "%s: nothing about %s", hints, x->name);
    free(text);
    free(heading);
    free(hints);
    free(skeleton);
}

START_TEST(exercises_have_a_todo_and_hints)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++)
            has_skeleton_and_hints(*l, x);
}
END_TEST

/* A skeleton earns nothing: it counts as not attempted, or it is right but slow, as given, and
 * every line of its message is a loss. */
static void earns_nothing(void *context, const struct result *r)
{
    int *count = context;
    const char *message = r->message.data ? r->message.data : "";
    (*count)++;
    ck_assert_msg(r->score == 0, "%s %s: the skeleton earns %g: %s", r->lab->name,
        r->exercise->name, r->score, message);
    ck_assert_msg(*message, "%s %s: no reason", r->lab->name, r->exercise->name);
    if (r->status == STATUS_NOT_ATTEMPTED) return;
    ck_assert_msg(r->status == STATUS_FAILED, "%s %s: %s: %s", r->lab->name, r->exercise->name,
        status_names[r->status], message);
    for (const char *line = message; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        ck_assert_msg(*line == '-', "%s %s: %s", r->lab->name, r->exercise->name, message);
    }
}

START_TEST(skeletons_earn_nothing)
{
    int count = 0, exercises = 0;
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) exercises++;
    grade(NULL, NULL, NULL, earns_nothing, &count);
    ck_assert_int_eq(count, exercises);
}
END_TEST

static void earns_everything(void *context, const struct result *r)
{
    (void)context;
    ck_assert_msg(r->status == STATUS_PASSED && r->score == r->max_score, "%s %s: %s, %g of %d: %s",
        r->lab->name, r->exercise->name, status_names[r->status], r->score, r->max_score,
        r->message.data ? r->message.data : "");
    ck_assert_msg(!r->message.len, "%s", r->message.data);
}

/* The solution passes; from compute capability 5.0 on, limits are those of the lab's table. */
static void by_the_labs_limits(void *context, const struct result *r)
{
    earns_everything(context, r);
    for (int i = 0; i < r->step_count; i++)
        for (int b = 0; b < r->steps[i].budget_count; b++) {
            const struct budget_result *budget = &r->steps[i].budgets[b];
            ck_assert_msg(budget->limit == budget->budget->limit, "%s %s: %g", r->lab->name,
                r->exercise->name, budget->limit);
        }
    for (int i = 0; i < r->prediction_count; i++) ck_assert_int_eq(r->predictions[i].key, -1);
}

START_TEST(solutions_earn_everything)
{
    struct err e;
    const struct lab *lab = lab_table[_i];
    grade("solutions", options_lab(lab->name, &e)->name, NULL, by_the_labs_limits, NULL);
}
END_TEST

/* The submission is right and within all budgets, by the technique that is taught. It may make no
 * predictions, and may lose points for its time, since other ways may take longer. */
static void is_the_technique(void *context, const struct result *r)
{
    (void)context;
    ck_assert_msg(r->status == STATUS_PASSED, "%s %s: %s: %s", r->lab->name, r->exercise->name,
        status_names[r->status], r->message.data ? r->message.data : "");
    for (int i = 0; i < r->step_count; i++)
        for (int b = 0; b < r->steps[i].budget_count; b++)
            ck_assert_msg(r->steps[i].budgets[b].met, "%s %s: %s", r->lab->name, r->exercise->name,
                r->message.data);
    for (int i = 0; i < r->ledger_count; i++) ck_assert_int_ne(r->ledger[i].what, LEDGER_TECHNIQUE);
}

/* tests/right: other ways to do what is taught, each under NAME/LAB/EXERCISE. */
START_TEST(other_ways_are_the_technique)
{
    char line[512];
    FILE *p = popen("cd tests/right && find . -name '*.cu' -o -name '*.c'", "r");
    int files = 0;
    for (; fgets(line, sizeof line, p); files++) {
        char name[128], lab[128], exercise[128], student[160];
        ck_assert_int_eq(sscanf(line, "./%127[^/]/%127[^/]/%127[^.]", name, lab, exercise), 3);
        snprintf(student, sizeof student, "tests/right/%s", name);
        grade(student, lab, exercise, is_the_technique, NULL);
    }
    pclose(p);
    ck_assert_int_gt(files, 1);
}
END_TEST

/* A tile of 16 x 16 misses one budget: only this is reported, and only this costs points. */
static void costs_once(void *context, const struct result *r)
{
    struct screen plain = {80, 0};
    struct buf out = {0};
    (void)context;
    ck_assert_msg(r->score == 8 && r->max_score == 10, "%g", r->score);
    lab_text(&plain, r, NULL, "", &out);
    const char *once = strstr(out.data, "MISSED");
    ck_assert_msg(once && !strstr(once + 1, "MISSED"), "%s", out.data);
    ck_assert_ptr_nonnull(strstr(out.data, "gld_requests 524288 (at most 262144)"));
    ck_assert_ptr_nonnull(strstr(out.data, "met     gld_transactions_per_request 4 (at most 4)"));
    buf_free(&out);
}

START_TEST(one_cause_costs_once) { grade("tests/wrong/tile_16", "04", "matmul", costs_once, NULL); }
END_TEST

/* If a budget is compared with another number than the counter, both are printed. */
static void shows_the_counter(void *context, const struct result *r)
{
    struct screen plain = {80, 0};
    struct buf out = {0};
    (void)context;
    lab_text(&plain, r, NULL, "", &out);
    ck_assert_msg(strstr(out.data,
                      "gld_transactions_per_request 3.5\n"
                      "            all sectors over the reference's requests: 10.5 (at most 2.5)"),
        "%s", out.data);
    buf_free(&out);
}

START_TEST(a_counter_is_the_learners_own)
{
    grade("tests/wrong/diluted", "02", "matmul", shows_the_counter, NULL);
}
END_TEST

START_TEST(the_other_front_end_agrees)
{
    struct session s;
    struct err e = {0};
    if (session_open(&s, "sim:h200", "nvcc", "solutions", NULL, &e)) SKIP("nvcc is not installed");
    ck_assert_msg(
        !grade_labs(&s, options_lab("05", &e), NULL, earns_everything, NULL, &e), "%s", e.text);
    session_close(&s);
}
END_TEST

START_TEST(the_other_front_end_has_fragments)
{
    struct session s;
    struct err e = {0};
    if (session_open(&s, "sim:h200", "nvcc", "tests/right/fragment_wmma", NULL, &e))
        SKIP("nvcc is not installed");
    const struct lab *lab = options_lab("09", &e);
    const struct exercise *x = options_exercise(lab, "fragment", &e);
    ck_assert_msg(!grade_labs(&s, lab, x, is_the_technique, NULL, &e), "%s", e.text);
    session_close(&s);
}
END_TEST

/* ---- wrong submissions ---- */

static const struct wrong {
    const char *directory; /* under tests/wrong/ */
    const char *lab, *exercise;
    enum status status;
    double lost;         /* points, besides those of lost_besides; ALL: every one */
    const char *says[3]; /* parts of the message */
} wrongs[] = {
#define ALL (-1)
#include "wrong/table.h"
};

/* Points lost by the modelled time, and by a missed budget beyond its own points. test_lab.c tests
 * these formulas. */
static double lost_besides(const struct result *r)
{
    double lost = 0;
    for (int i = 0; i < r->step_count; i++) {
        const struct step_result *s = &r->steps[i];
        int points = s->step->speed_points, missed = step_other_technique(s);
        double ratio = s->m.ms / s->reference_ms, speed = score_speed(points, ratio, SCORE_SPEED),
               earned = s->step->correct_points + speed;
        for (int b = 0; b < s->budget_count; b++) {
            earned += s->budgets[b].met ? s->budgets[b].budget->points : 0;
        }
        lost += points - speed + earned - score_kernel(earned, s->step, missed, ratio);
    }
    return lost;
}

static void expect_wrong(void *context, const struct result *r)
{
    const struct wrong *w = context;
    const char *message = r->message.data ? r->message.data : "";
    double lost = w->lost == ALL ? r->max_score : w->lost + lost_besides(r);
    ck_assert_msg(r->status == w->status, "%s %s: %s: %s", w->directory, w->exercise,
        status_names[r->status], message);
    ck_assert_msg(fabs(r->max_score - lost - r->score) < 1e-9, "%s %s: lost %g, not %g: %s",
        w->directory, w->exercise, r->max_score - r->score, lost, message);
    for (int i = 0; i < 3 && w->says[i]; i++)
        ck_assert_msg(strstr(message, w->says[i]) != NULL, "%s %s: expected \"%s\" in: %s",
            w->directory, w->exercise, w->says[i], message);
}

START_TEST(wrong_submissions_lose_what_they_should)
{
    const struct wrong *w = &wrongs[_i];
    /* counting a whole product takes the sanitized build long, and is the same code as counting a
     * copy; so does a kernel that runs until its budget of instructions is spent */
    int long_there =
        (w->lost != ALL && !strcmp(w->exercise, "matmul")) || !strcmp(w->directory, "endless");
    if (getenv("LOCKSTEP_SANITIZED") && long_there) return;
    char *student = xasprintf("tests/wrong/%s", w->directory);
    clock_t start = clock(); /* processor time, of all threads */
    grade(student, w->lab, w->exercise, expect_wrong, (void *)w);
    double took = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(took < (getenv("LOCKSTEP_SANITIZED") ? 400 : 60), "%s took %g s", student, took);
    free(student);
}
END_TEST

/* Every file under tests/wrong is in a row of the table. */
START_TEST(no_wrong_submission_is_forgotten)
{
    char line[512];
    FILE *p = popen("cd tests/wrong && find . -name '*.cu' -o -name '*.c'", "r");
    int files = 0;
    while (fgets(line, sizeof line, p)) {
        char directory[128], lab[128], name[128];
        int known = 0;
        ck_assert_int_eq(sscanf(line, "./%127[^/]/%127[^/]/%127[^.]", directory, lab, name), 3);
        for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
            known |= !strcmp(wrongs[i].directory, directory) && !strcmp(wrongs[i].lab, lab) &&
                     !strcmp(wrongs[i].exercise, name);
        known |= !strcmp(directory, "cheapest"); /* test_lab_cheapest.c runs these */
        ck_assert_msg(known, "tests/wrong/%s is in no row of the table", line + 2);
        files++;
    }
    pclose(p);
    ck_assert_int_gt(files, 20);
}
END_TEST

/* ---- files that are no submission; the rest is graded all the same ---- */

struct bad_files {
    char *root;
    int seen;
};

static void put(const struct bad_files *b, const char *name, const void *data, size_t len)
{
    struct err e;
    char *path = xasprintf("%s/01-naive/%s", b->root, name);
    ck_assert_msg(!file_write(path, data, len, &e), "%s", e.text);
    free(path);
}

static void expect_bad_file(void *context, const struct result *r)
{
    static const struct {
        const char *exercise;
        enum status status;
        const char *says;
    } rows[] = {
        {"copy", STATUS_ERROR, "is empty"},
        {"matmul", STATUS_ERROR, "binary"},
        {"transpose", STATUS_ERROR, "at most"},
        {"aat", STATUS_PASSED, ""},
    };
    struct bad_files *b = context;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].exercise, r->exercise->name)) {
            ck_assert_int_eq(r->status, rows[i].status);
            ck_assert_ptr_nonnull(strstr(r->message.data ? r->message.data : "", rows[i].says));
            b->seen++;
        }
}

START_TEST(bad_files_stop_nobody_else)
{
    static const char elf[] = "\177ELF\2\1\1\0\0\0";
    char root[] = "/tmp/test_lab_grade.XXXXXX", *text = NULL, *huge = xcalloc(10 << 20, 1);
    struct bad_files b = {mkdtemp(root), 0};
    size_t len = 0;
    struct err e;
    char *lab = xasprintf("%s/01-naive", b.root), *command = xasprintf("rm -r '%s'", b.root);
    ck_assert_int_eq(mkdir(lab, 0777), 0);
    memset(huge, '/', 10 << 20);
    ck_assert_int_eq(file_read("solutions/01-naive/aat.cu", SOURCE_MAX, &text, &len, &e), 0);
    put(&b, "copy.cu", "", 0);
    put(&b, "matmul.cu", elf, sizeof elf);
    put(&b, "transpose.cu", huge, 10 << 20);
    put(&b, "aat.cu", text, len);
    grade(b.root, "01", NULL, expect_bad_file, &b);
    ck_assert_int_eq(b.seen, 4);
    ck_assert_int_eq(system(command), 0);
    free(command), free(lab), free(huge), free(text);
}
END_TEST

/* ---- the report ---- */

struct collected {
    json_t *list;
    char *first;
};

static void collect(void *context, const struct result *r)
{
    struct collected *c = context;
    json_array_append_new(c->list, json_result(r));
}

static char *graded_json(uint64_t seed)
{
    struct session s;
    struct err e = {0};
    struct collected c = {json_array(), NULL};
    open_session(&s, "tests/wrong/uncoalesced", seed);
    ck_assert_msg(!grade_labs(&s, options_lab("01", &e), NULL, collect, &c, &e), "%s", e.text);
    char *report = json_report(&s, 1, 2, c.list);
    session_close(&s);
    return report;
}

START_TEST(json_keeps_its_contract)
{
    static const char *const top[] = {
        "score", "max_score", "device", "front_end", "seed", "exercises"};
    static const char *const per[] = {
        "lab", "exercise", "status", "score", "max_score", "counters", "message"};
    char *text = graded_json(7);
    json_error_t error;
    json_t *o = json_loads(text, 0, &error), *exercises = json_object_get(o, "exercises"), *x;
    size_t i;
    ck_assert_ptr_nonnull(o);
    for (size_t k = 0; k < sizeof top / sizeof *top; k++)
        ck_assert_ptr_nonnull(json_object_get(o, top[k]));
    ck_assert_str_eq(json_string_value(json_object_get(o, "device")), "sim:h200");
    ck_assert_int_eq(json_integer_value(json_object_get(o, "seed")), 7);
    ck_assert_uint_eq(json_array_size(exercises), 7);
    json_array_foreach(exercises, i, x)
    {
        for (size_t k = 0; k < sizeof per / sizeof *per; k++)
            ck_assert_ptr_nonnull(json_object_get(x, per[k]));
        int ran = !strcmp(json_string_value(json_object_get(x, "exercise")), "copy");
        /* a time that was not measured is left out */
        ck_assert_int_eq(json_object_get(x, "time_ms") != NULL, ran);
        if (!ran) continue;
        ck_assert_str_eq(json_string_value(json_object_get(x, "time_is")), "modelled");
        ck_assert_double_gt(json_number_value(json_object_get(x, "speed_vs_reference")), 0);
        json_t *counters = json_object_get(x, "counters");
        ck_assert_int_eq(json_integer_value(json_object_get(
                             counters, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")),
            2048 * 2048 / 32);
    }
    json_decref(o);
    free(text);
}
END_TEST

START_TEST(a_seed_repeats_a_grading)
{
    char *one = graded_json(7), *two = graded_json(7);
    ck_assert_str_eq(one, two);
    free(one);
    free(two);
}
END_TEST

/* ---- sessions ---- */

START_TEST(sessions_say_what_is_missing)
{
    struct session s;
    struct err e = {0};
    ck_assert_int_eq(session_open(&s, "sim:nothing", NULL, NULL, NULL, &e), -1);
    ck_assert_int_eq(e.kind, ERR_USAGE);
    ck_assert_int_eq(session_open(&s, "sim:h200", "icc", NULL, NULL, &e), -1);
    ck_assert_int_eq(e.kind, ERR_USAGE);
    ck_assert_int_eq(session_open(&s, "sim:h200", NULL, "no/such/directory", NULL, &e), -1);
    ck_assert_int_eq(e.kind, ERR_ENV);
    ck_assert_int_eq(session_open(&s, "sim:h200", NULL, "Makefile", NULL, &e), -1);
    ck_assert_ptr_nonnull(strstr(e.text, "not a directory"));
    ck_assert_int_eq(session_open(&s, "sim:h200", NULL, NULL, NULL, &e), 0);
    uint64_t first = s.seed;
    session_close(&s);
    ck_assert_int_eq(session_open(&s, "sim:h200", NULL, NULL, NULL, &e), 0);
    ck_assert_uint_ne(first, s.seed);
    session_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grade");
    TCase *c = tcase_create("grade");
    int labs = 0;
    while (lab_table[labs]) labs++;
    tcase_set_timeout(c, 0);
    tcase_add_test(c, exercises_have_a_todo_and_hints);
    tcase_add_test(c, sessions_say_what_is_missing);
    /* under the sanitizers the other tests run the same code in a tenth of the time */
    if (!getenv("LOCKSTEP_SANITIZED")) {
        tcase_add_test(c, skeletons_earn_nothing);
        tcase_add_loop_test(c, solutions_earn_everything, 0, labs);
        tcase_add_test(c, other_ways_are_the_technique);
        tcase_add_test(c, one_cause_costs_once);
        tcase_add_test(c, a_counter_is_the_learners_own);
        tcase_add_test(c, the_other_front_end_agrees);
        tcase_add_test(c, the_other_front_end_has_fragments);
    }
    tcase_add_loop_test(
        c, wrong_submissions_lose_what_they_should, 0, (int)(sizeof wrongs / sizeof *wrongs));
    tcase_add_test(c, no_wrong_submission_is_forgotten);
    tcase_add_test(c, bad_files_stop_nobody_else);
    tcase_add_test(c, json_keeps_its_contract);
    tcase_add_test(c, a_seed_repeats_a_grading);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
