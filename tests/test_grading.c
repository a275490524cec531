/* test_grading.c - what a class is graded by, without grading: days late, weights, names, tables of
 * platforms, JUnit's counts, the gradebook's cells, what a student's page lists, and the parts of a
 * result (tests/parts.json). */
#include "grading/csv.h"
#include "grading/grading.h"
#include "grading/page.h"
#include "cli/cli.h"
#include "golden.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A folder for one test; free_folder removes it. */
static char *new_folder(void)
{
    char *folder = xstrdup("/tmp/test_grading.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    return folder;
}

static void free_folder(char *folder)
{
    char *command = xasprintf("rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    free(command);
    free(folder);
}

static void put(const char *folder, const char *name, const char *text)
{
    struct err e = {0};
    char *path = xasprintf("%s/%s", folder, name);
    ck_assert_msg(!file_write(path, text, strlen(text), &e), "%s", e.text);
    free(path);
}

/* ---- the course ---- */

/* A day at most late_days_at_most late still counts; the next one does not. */
START_TEST(the_last_day_still_counts)
{
    const struct course c = {.late_percent_per_day = 10, .late_days_at_most = 3};
    ck_assert_double_eq(course_share(&c, 0), 1);
    ck_assert_double_eq_tol(course_share(&c, 3), 0.7, 1e-12);
    ck_assert_double_eq(course_share(&c, 4), 0);
    const struct course steep = {.late_percent_per_day = 60, .late_days_at_most = 3};
    ck_assert_double_eq(course_share(&steep, 2), 0); /* and not less than nothing */
}
END_TEST

START_TEST(days_begin_after_the_grace)
{
    struct course_time times[] = {
        {"ada", 10000}, {"bob", 10601}, {"cy", 10600 + 86400}, {"dee", 10601 + 86400}};
    const struct course c = {.due = 10000, .grace_minutes = 10, .times = times, .time_count = 4};
    ck_assert_double_eq(course_days_late(&c, "ada", 0), 0);
    ck_assert_double_eq(course_days_late(&c, "bob", 0), 1);
    ck_assert_double_eq(course_days_late(&c, "cy", 0), 1);
    ck_assert_double_eq(course_days_late(&c, "dee", 0), 2);
    /* without a time, the platform's mark */
    ck_assert_double_eq(course_days_late(&c, "eve", 1), 1);
    ck_assert_double_eq(course_days_late(&c, "ada", 1), 0);
}
END_TEST

/* A weight of an exercise counts before one of its lab, whichever comes first in the file. */
START_TEST(an_exercise_weighs_more_than_its_lab)
{
    struct err e = {0};
    const struct lab *lab = options_lab("05", &e), *other = options_lab("04", &e);
    const struct exercise *x = &lab->exercises[0], *y = &lab->exercises[1];
    struct course_weight lab_last[] = {{lab, x, 2}, {lab, NULL, 0.5}},
                         lab_first[] = {{lab, NULL, 0.5}, {lab, x, 2}},
                         twice[] = {{lab, NULL, 3}, {lab, NULL, 4}};
    const struct course a = {.weights = lab_last, .weight_count = 2},
                        b = {.weights = lab_first, .weight_count = 2},
                        c = {.weights = twice, .weight_count = 2};
    ck_assert_double_eq(course_weight(&a, lab, x), 2);
    ck_assert_double_eq(course_weight(&b, lab, x), 2);
    ck_assert_double_eq(course_weight(&a, lab, y), 0.5);
    ck_assert_double_eq(course_weight(&c, lab, y), 4); /* of two, the later one */
    ck_assert_double_eq(course_weight(&a, other, &other->exercises[0]), 1);
}
END_TEST

/* ---- the roster ---- */

/* A student's results are a file of the name: no two submissions may share one. */
START_TEST(names_are_unique)
{
    char *folder = new_folder();
    struct roster r;
    struct err e = {0};
    put(folder, "x_1_2_lab.zip", "");
    put(folder, "x_3_4_lab.zip", "");
    put(folder, "x_5_6_lab.zip", "");
    put(folder, "x-2.zip", "");
    put(folder, "y.zip", "");
    ck_assert_msg(!roster_read(&r, folder, &e), "%s", e.text);
    ck_assert_uint_eq(r.count, 5);
    for (size_t i = 0; i < r.count; i++)
        for (size_t j = 0; j < i; j++) ck_assert_str_ne(r.list[i].name, r.list[j].name);
    roster_free(&r);
    free_folder(folder);
}
END_TEST

/* ---- tables ---- */

static void read_table(struct csv *c, char *folder, const char *text)
{
    struct err e = {0};
    char *path = xasprintf("%s/table.csv", folder);
    put(folder, "table.csv", text);
    ck_assert_msg(!csv_read(c, path, &e), "%s", e.text);
    free(path);
}

/* What parts cells is what the header has most of, outside quotes. */
START_TEST(quotes_hide_separators)
{
    static const struct {
        const char *header, *second;
        char comma;
    } cases[] = {
        {"\"a;b;c\",d\n", "d", ','},
        {"\"a,b,c\";d\n1,2,3\n", "d", ';'},
        {"a\tb,c\td\n", "b,c", '\t'},
        {"a;b\nc,d,e\n", "b", ';'},
    };
    char *folder = new_folder();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct csv c;
        read_table(&c, folder, cases[i].header);
        char *second = csv_cell(&c, 0, 1);
        ck_assert_int_eq(c.comma, cases[i].comma);
        ck_assert_str_eq(second, cases[i].second);
        free(second);
        csv_free(&c);
    }
    free_folder(folder);
}
END_TEST

/* A message names the line of the file, as an editor counts it. */
START_TEST(rows_know_their_lines)
{
    char *folder = new_folder();
    struct csv c;
    read_table(&c, folder, "a,b\r\n\"one\r\ntwo\nthree\",x\r\n\"four\",y\r\n");
    ck_assert_uint_eq(c.row_count, 3);
    ck_assert_uint_eq(c.rows[1].line, 2);
    ck_assert_uint_eq(c.rows[2].line, 5);
    csv_free(&c);
    free_folder(folder);
}
END_TEST

/* ---- JUnit ---- */

/* A file that does not compile is an error, one that loses points a failure: in counts and in
 * cases. */
START_TEST(junit_tells_errors_from_failures)
{
#define CASE(name, status) \
    "{\"lab\": \"01-naive\", \"exercise\": \"" name "\", \"status\": \"" status "\"," \
    " \"score\": 0, \"max_score\": 1}"
    static const char result[] =
        "{\"student\": \"ada\", \"score\": 0, \"max_score\": 4, \"late\": false, \"exercises\": [" CASE(
            "a", "passed") "," CASE("b", "error") "," CASE("c", "failed") "," CASE("d",
            "not_attempted") "]}";
    char *folder = new_folder(), *junit = xasprintf("%s/junit.xml", folder), *text = NULL;
    struct submission ada = {.name = "ada"};
    const struct roster r = {.list = &ada, .count = 1};
    const struct class_options o = {.results = folder};
    struct err e = {0};
    put(folder, "ada.json", result);
    ck_assert_msg(!gradebook_write(&o, &r, &e), "%s", e.text);
    ck_assert_msg(!file_read(junit, 1 << 20, &text, NULL, &e), "%s", e.text);
    ck_assert_msg(strstr(text, "tests=\"4\" failures=\"2\" errors=\"1\""), "%s", text);
    ck_assert_msg(strstr(text, "name=\"b\"><error "), "%s", text);
    ck_assert_msg(strstr(text, "name=\"c\"><failure "), "%s", text);
    free(text);
    free(junit);
    free_folder(folder);
}
END_TEST

/* ---- the gradebook ---- */

/* A name stays one cell, and no spreadsheet takes it for a formula. */
START_TEST(a_name_is_one_cell)
{
    static const struct {
        const char *name, *cell;
    } rows[] = {{"ada", "ada"}, {"b, c", "\"b, c\""}, {"d \\\"e\\\"", "\"d \"\"e\"\"\""},
        {"=1", "\"'=1\""}, {"-f", "\"'-f\""}, {"g-h", "g-h"}, {" i", "\" i\""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *folder = new_folder(), *path = xasprintf("%s/gradebook.csv", folder), *text = NULL;
        char *wanted = xasprintf(
                 "student,score,max_score,late,01-naive a\r\n%s,1.5,2,no,0\r\n", rows[i].cell),
             *result = xasprintf("{\"student\": \"%s\", \"score\": 1.5, \"max_score\": 2,"
                                 " \"late\": false, \"exercises\": [" CASE("a", "failed") "]}",
                 rows[i].name);
        struct submission ada = {.name = "ada"};
        const struct roster r = {.list = &ada, .count = 1};
        const struct class_options o = {.results = folder};
        struct err e = {0};
        put(folder, "ada.json", result);
        ck_assert_msg(!gradebook_write(&o, &r, &e), "%s", e.text);
        ck_assert_msg(!file_read(path, 1 << 20, &text, NULL, &e), "%s", e.text);
        ck_assert_str_eq(text, wanted);
        free(text), free(wanted), free(result), free(path);
        free_folder(folder);
    }
}
END_TEST

/* ---- a student's page ---- */

/* Every remark and every file that was not read is an entry of a list, as text. */
START_TEST(what_is_listed_is_text)
{
    static const char text[] =
        "{\"student\": \"a<b\", \"score\": 1, \"max_score\": 2, \"exercises\": ["
        "{\"lab\": \"01-naive\", \"exercise\": \"copy\", \"status\": \"not_attempted\","
        " \"score\": 0, \"max_score\": 1, \"near\": \"cpy.cu\"}],"
        "\"remarks\": [\"one & two\", \"three\"], \"left_out\": [\"<four>: five\"]}";
    struct buf out = {0};
    json_t *result = json_loads(text, 0, NULL);
    student_page(&out, result);
    ck_assert_ptr_nonnull(strstr(
        out.data, "<h2>Your files</h2>\n<ul>\n<li>one &amp; two</li>\n<li>three</li>\n</ul>\n"));
    ck_assert_ptr_nonnull(
        strstr(out.data, "<h2>Not read</h2>\n<ul>\n<li>&lt;four&gt;: five</li>\n</ul>\n"));
    ck_assert_ptr_nonnull(strstr(out.data, "<strong>1 of 2 points</strong>"));
    ck_assert_ptr_nonnull(strstr(out.data, "; did you mean cpy.cu?</td></tr>"));
    ck_assert_ptr_null(strstr(out.data, "a<b"));
    json_object_del(result, "remarks");
    json_array_clear(json_object_get(result, "left_out"));
    out.len = 0;
    student_page(&out, result);
    ck_assert_ptr_null(strstr(out.data, "<ul>"));
    json_decref(result);
    buf_free(&out);
}
END_TEST

/* ---- a result ---- */

static char *solved;
static void read_solved(void *context, const struct stage *p)
{
    struct session *s = context;
    if (p->at == PROGRESS_RIGHT) s->workbench.ptx = solved;
}

static void put_parts(void *context, const struct result *r)
{
    json_t *all = parts_result(r);
    char *text = json_dumps(json_object_get(all, "parts"), JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    buf_printf(context, "%s\n", text);
    json_decref(all), free(text);
}

/* A kernel that misses two budgets. Its PTX is that of tests/told, the reference's the recorded one
 * of the solution. */
START_TEST(a_result_has_its_parts)
{
    struct session s;
    struct err e;
    struct buf out = {0};
    uint64_t seed = 20261122;
    char *folder = new_folder(), *self = realpath("/proc/self/exe", NULL);
    char *unpack = xasprintf("tar -xzf tests/told/mistakes.tar.gz -C %s", folder);
    ck_assert_int_eq(system(unpack), 0);
    solved = xasprintf("%.*s/../ptx/clang", (int)(strrchr(self, '/') - self), self);
    ck_assert_msg(
        !session_open(&s, "sim:h200", NULL, "tests/mistakes/eight_rows_of_four", &seed, &e), "%s",
        e.text);
    char *ptx = xasprintf("%s/eight_rows_of_four", folder);
    const struct lab *lab = options_lab("02", &e);
    s.workbench.ptx = ptx;
    s.watch = read_solved, s.context = &s;
    ck_assert_msg(!grade_labs(&s, lab, options_exercise(lab, "matmul", &e), put_parts, &out, &e),
        "%s", e.text);
    session_close(&s);
    golden_check("tests/parts.json", out.data);
    buf_free(&out);
    free(ptx), free(unpack), free(self), free(solved);
    free_folder(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grading");
    TCase *c = tcase_create("grading");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, the_last_day_still_counts);
    tcase_add_test(c, days_begin_after_the_grace);
    tcase_add_test(c, an_exercise_weighs_more_than_its_lab);
    tcase_add_test(c, names_are_unique);
    tcase_add_test(c, quotes_hide_separators);
    tcase_add_test(c, rows_know_their_lines);
    tcase_add_test(c, junit_tells_errors_from_failures);
    tcase_add_test(c, a_name_is_one_cell);
    tcase_add_test(c, what_is_listed_is_text);
    tcase_add_test(c, a_result_has_its_parts);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
