/* test_grading.c - what a class is graded by, without grading: days late, weights, names, tables of
 * platforms, JUnit's counts, the gradebook's cells, what a student's page lists, and the parts of a
 * result (tests/parts.json). */
#include "grading/csv.h"
#include "grading/grading.h"
#include "grading/page.h"
#include "cli/cli.h"
#include "golden.h"

#include <math.h>
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

/* A submission late_days_at_most days late still earns points; one day later it does not. */
START_TEST(the_last_day_still_counts)
{
    const struct course c = {.late_percent_per_day = 10, .late_days_at_most = 3};
    ck_assert_double_eq(course_share(&c, 0), 1);
    ck_assert_double_eq_tol(course_share(&c, 3), 0.7, 1e-12);
    ck_assert_double_eq(course_share(&c, 4), 0);
    const struct course steep = {.late_percent_per_day = 60, .late_days_at_most = 3};
    ck_assert_double_eq(course_share(&steep, 2), 0); /* never less than 0 */
}
END_TEST

/* What a course makes of a submission with 8 of 10 points. The caller frees it. */
static json_t *by_course(struct course *c, const struct submission *s)
{
    const struct class_options o = {.course = c};
    json_t *result = json_object(),
           *exercises = json_loads("[{\"lab\": \"05-padded\", \"exercise\": \"aat\", \"score\": 8,"
                                   " \"max_score\": 10, \"weight\": 1}]",
               0, NULL);
    ck_assert_ptr_nonnull(exercises);
    standing_put(&o, s, s, result, exercises);
    json_object_set_new(result, "exercises", exercises);
    return result;
}

static double number_of(struct course *c, const struct submission *s, const char *key)
{
    json_t *result = by_course(c, s);
    double v = result_number(result, key);
    json_decref(result);
    return v;
}

START_TEST(days_begin_after_the_grace)
{
    struct course c = {.due = 10000,
        .due_text = "then",
        .grace_minutes = 10,
        .late_percent_per_day = 10,
        .late_days_at_most = 9};
    struct submission s = {.name = "ada", .path = "ada", .late = 1, .at_text = "now"};
    static const struct {
        time_t at;
        double days;
    } rows[] = {{10000, 0}, {10600, 0}, {10601, 1}, {10600 + 86400, 1}, {10601 + 86400, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        s.at = rows[i].at;
        ck_assert_double_eq(number_of(&c, &s, "days_late"), rows[i].days);
    }
    s.at = 0; /* without a time, the platform's late mark counts */
    ck_assert_double_eq(number_of(&c, &s, "days_late"), 1);
    ck_assert_double_eq(number_of(&c, &s, "score"), 7.2);
    s.late = 0;
    ck_assert_double_eq(number_of(&c, &s, "days_late"), 0);
    /* a student who hands in nothing is not late */
    s.late = 1, s.path = NULL;
    ck_assert_double_eq(number_of(&c, &s, "days_late"), 0);
}
END_TEST

/* Free days are used before points are lost, but not if no points would be left anyway. */
START_TEST(free_days_come_first)
{
    struct submission s = {.name = "ada", .path = "ada", .at_text = "now"};
    struct course_line used = {.about = ABOUT_USED, .number = 1, .who = &s};
    struct course c = {.due = 86400,
        .due_text = "then",
        .late_percent_per_day = 10,
        .late_days_at_most = 2,
        .late_days_free = 3,
        .lines = &used};
    static const struct {
        int days;
        size_t lines;
        double used, score;
    } rows[] = {{0, 0, 0, 8}, {1, 0, 1, 8}, {3, 0, 3, 8}, {4, 0, 3, 7.2}, {5, 0, 3, 6.4},
        {6, 0, 0, 0}, {3, 1, 2, 7.2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        s.at = 86400 * (1 + rows[i].days), c.line_count = rows[i].lines;
        ck_assert_double_eq(number_of(&c, &s, "late_days_used"), rows[i].used);
        ck_assert_double_eq_tol(number_of(&c, &s, "score"), rows[i].score, 1e-9);
    }
}
END_TEST

/* An adjustment of an exercise is weighted and reduced for lateness like its points; one of the
 * whole score is not. An excused exercise counts neither in the score nor in the maximum. */
START_TEST(adjustments_and_excuses)
{
    struct err e = {0};
    struct submission s = {.name = "ada", .path = "ada", .late = 1}, other = s;
    const struct lab *lab = options_lab("05", &e);
    const struct exercise *aat = options_exercise(lab, "aat", &e);
    static const struct {
        enum course_about about;
        int lab, exercise, theirs;
        double number, score, most;
    } rows[] = {{ABOUT_ADJUSTMENT, 1, 1, 0, 1, 8.1, 10}, {ABOUT_ADJUSTMENT, 1, 1, 0, -9, 0, 10},
        {ABOUT_ADJUSTMENT, 0, 0, 0, 1, 8.2, 10}, {ABOUT_ADJUSTMENT, 0, 0, 0, -9, 0, 10},
        {ABOUT_EXCUSE, 1, 1, 0, 0, 0, 0}, {ABOUT_EXCUSE, 1, 0, 0, 0, 0, 0},
        {ABOUT_ADJUSTMENT, 1, 1, 1, 1, 7.2, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct course_line l = {.about = rows[i].about,
            .who = rows[i].theirs ? &other : &s,
            .lab = rows[i].lab ? lab : NULL,
            .exercise = rows[i].exercise ? aat : NULL,
            .number = rows[i].number,
            .text = "why"};
        struct course c = {
            .late_percent_per_day = 10, .late_days_at_most = 9, .lines = &l, .line_count = 1};
        ck_assert_double_eq_tol(number_of(&c, &s, "score"), rows[i].score, 1e-9);
        ck_assert_double_eq(number_of(&c, &s, "max_score"), rows[i].most);
        json_t *result = by_course(&c, &s);
        char *notes = result_notes(result, "\n");
        ck_assert_int_eq(strstr(notes, ": why") != NULL, !rows[i].theirs);
        free(notes);
        json_decref(result);
    }
}
END_TEST

/* On each platform the points of all tests add up to the score, with any days late and weights; to
 * the rounded score where a platform takes only whole points. */
START_TEST(points_on_platforms_add_up)
{
    for (int days = 0; days < 4; days++)
        for (int weight = 1; weight < 8; weight++) {
            struct submission s = {
                .name = "ada", .path = "ada", .at = 1 + 86400 * days, .at_text = ""};
            struct course c = {
                .due = 1, .due_text = "", .late_percent_per_day = 17, .late_days_at_most = 9};
            const struct class_options o = {.course = &c};
            char *text = xasprintf(
                "[{\"lab\": \"05-padded\", \"exercise\": \"aat\", \"score\": 7.3, \"max_score\": 10,"
                " \"weight\": 0.%d}, {\"lab\": \"05-padded\", \"exercise\": \"copy\", \"score\": 5,"
                " \"max_score\": 5, \"weight\": 1.5, \"status\": \"passed\"}]",
                weight);
            json_t *result = json_object(), *exercises = json_loads(text, 0, NULL), *x;
            standing_put(&o, &s, &s, result, exercises);
            json_object_set_new(result, "exercises", exercises);
            for (const struct platform *p = platforms; p->name; p++) {
                char *made = platform_text(p, result);
                json_t *json = json_loads(made, 0, NULL);
                const char *key;
                double sum = 0, score = result_number(result, "score");
                size_t i;
                json_array_foreach(json_object_get(json, "tests"), i, x) sum +=
                    result_number(x, "score") + result_number(x, "points");
                json_object_foreach(json_object_get(json, "scores"), key, x) sum +=
                    json_number_value(x);
                ck_assert_double_eq_tol(
                    sum, strcmp(p->name, "classroom50") ? score : round(score), 1e-9);
                json_decref(json);
                free(made);
            }
            json_decref(result);
            free(text);
        }
}
END_TEST

/* An exercise's weight takes precedence over its lab's, whichever comes first in the file. */
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
    ck_assert_double_eq(course_weight(&c, lab, y), 4); /* the later of two weights of a lab */
    ck_assert_double_eq(course_weight(&a, other, &other->exercises[0]), 1);
}
END_TEST

/* ---- the roster ---- */

/* A student's results are in a file of that name: no two submissions may share one. */
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

/* What the file names of platforms say: whose submission it is, the ID, the file, the time (TZ is
 * UTC), the attempt. */
START_TEST(names_of_platforms)
{
    static const struct {
        const char *entry, *name, *id, *file, *at;
        int late, attempt, loose;
    } rows[] = {
        {"lovelaceada_LATE_123_4567_lab02.zip", "lovelaceada", "123", NULL, NULL, 1, 0, 0},
        {"lovelaceada_123_4567_matmul.cu", "lovelaceada", "123", "matmul.cu", NULL, 0, 0, 0},
        {"lovelaceada_123_4567_report.pdf", "lovelaceada", "123", "report.pdf", NULL, 0, 0, 0},
        {"Ada L_123_assignsubmission_file.zip", "Ada L", "123", NULL, NULL, 0, 0, 0},
        {"lab05_jdoe_attempt_2026-11-20-23-59-00_labs.zip", "jdoe", NULL, NULL,
            "2026-11-20 23:59:00", 0, 1, 0},
        {"Lab 5: a_b_jdoe_attempt_2026-11-20-23-59-00.rar", "jdoe", NULL, NULL,
            "2026-11-20 23:59:00", 0, 1, 0},
        {"lab05_jdoe_attempt_2026-11-20-23-59-00_aat.cu", "jdoe", NULL, "aat.cu",
            "2026-11-20 23:59:00", 0, 1, 0},
        {"12-345 - Ada Lovelace- Nov 30, 2026 1159 PM - labs.zip", "Ada Lovelace", "12", NULL,
            "2026-11-30 23:59:00", 0, 1, 0},
        {"12-345 - Ada M. - Lovelace - Jan 3, 2027 1205 AM.zip", "Ada M. - Lovelace", "12", NULL,
            "2027-01-03 00:05:00", 0, 1, 0},
        {"12-345 - Ada - Jan 3, 2027 905 AM - aat.cu", "Ada", "12", "aat.cu", "2027-01-03 09:05:00",
            0, 1, 0},
        {"12-345 - Ada - Jan 33, 2027", "12-345 - Ada - Jan 33, 2027", NULL,
            "12-345 - Ada - Jan 33, 2027", NULL, 0, 0, 1},
        {"ada.docx", "ada", NULL, "ada.docx", NULL, 0, 0, 1},
        {"ada.tar.xz", "ada", NULL, NULL, NULL, 0, 0, 0},
    };
    setenv("TZ", "UTC", 1), tzset();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *folder = new_folder();
        struct roster r;
        struct err e = {0};
        put(folder, rows[i].entry, "");
        ck_assert_msg(!roster_read(&r, folder, &e), "%s", e.text);
        const struct submission *s = r.list;
        ck_assert_str_eq(s->name, rows[i].name);
        ck_assert_pstr_eq(s->id, rows[i].id);
        ck_assert_pstr_eq(s->file, rows[i].file);
        ck_assert_pstr_eq(s->at_text, rows[i].at);
        ck_assert_int_eq(s->late, rows[i].late);
        ck_assert_int_eq(s->attempt, rows[i].attempt);
        ck_assert_int_eq(s->loose, rows[i].loose);
        roster_free(&r);
        free_folder(folder);
    }
}
END_TEST

/* Gradescope's list gives names, times and groups; other submissions keep their own. */
START_TEST(gradescope_lists_names)
{
    static const char list[] =
        "---\nsubmission_1:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '12'\n"
        "    :email: a@b\n  - :name: \"Eve \\\"E\\\"\"\n    :sid: ''\n"
        "  :created_at: 2026-11-20 23:59:01.123456789 Z\n  :score: 1.0\n"
        "submission_2:\n  :submitters:\n  - :name: Bob\n  :created_at: 2026-11-20 20:00:00.5 -08:00\n"
        "submission_9:\n  :submitters:\n  - :name: Nobody\n";
    char *folder = new_folder(), *path;
    struct roster r;
    struct err e = {0};
    for (int i = 1; i < 4; i++) {
        path = xasprintf("%s/submission_%d", folder, i);
        mkdir(path, 0700);
        free(path);
    }
    put(folder, "submission_metadata.yml", list);
    ck_assert_msg(!roster_read(&r, folder, &e), "%s", e.text);
    ck_assert_uint_eq(r.count, 4);
    static const struct {
        const char *name, *id, *from;
        time_t at;
    } rows[] = {{"Ada Lovelace", "12", NULL, 1795219141}, {"Bob", NULL, NULL, 1795233600},
        {"Eve \\\"E\\\"", NULL, "Ada Lovelace", 1795219141}, {"submission_3", NULL, NULL, 0}};
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(r.list[i].name, rows[i].name);
        ck_assert_pstr_eq(r.list[i].id, rows[i].id);
        ck_assert_pstr_eq(r.list[i].from, rows[i].from);
        ck_assert_int_eq(r.list[i].at, rows[i].at);
    }
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

/* The separator is what the header has most of outside quotes: comma, semicolon or tab. */
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

/* In JUnit's terms a file that does not compile is an error, one that loses points a failure: in
 * the counts and in the cases. */
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
        char
            *wanted = xasprintf(
                "student,score,max_score,late,days_late,score_before_lateness,notes,id,login,email,"
                "section,group,01-naive a\r\n(maximum),,1,,,,,,,,,,1\r\n(weight),,,,,,,,,,,,1\r\n"
                "%s,1.5,2,no,0,1.5,,,,,,,0\r\n",
                rows[i].cell),
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

/* ---- the class's page ---- */

/* Of twelve hand-ins, the more points one has in exercise a, the fewer in b, and all have c. A
 * student who handed in nothing counts in no correlation. */
START_TEST(exercises_tell_hand_ins_apart)
{
    json_t *results[13];
    struct graded g = {results, 13};
    struct buf out = {0};
    for (int i = 0; i < 13; i++) {
        char *text =
            xasprintf("{\"handed_in\": %s, \"exercises\": ["
                      "{\"lab\": \"l\", \"exercise\": \"a\", \"score\": %d, \"parts\": ["
                      "{\"part\": \"correct\", \"points\": %d, \"of\": 4}]},"
                      "{\"lab\": \"l\", \"exercise\": \"b\", \"score\": %g, \"parts\": []},"
                      "{\"lab\": \"l\", \"exercise\": \"c\", \"score\": 5}]}",
                i == 12 ? "false" : "true", i, i < 6 ? 4 : 0, 12 - i / 2.0);
        results[i] = json_loads(text, 0, NULL);
        ck_assert_ptr_nonnull(results[i]);
        free(text);
    }
    overview_parts(&out, &g);
    const char *rows[] = {
        "<tr><td>l a</td><td style=\"--heat:46%\" class=\"heat\">46%</td>", /* 24 of 52 points */
        "<td>-1.00</td></tr>\n<tr><td>l b</td>", "<td>-1.00</td></tr>\n<tr><td>l c</td>",
        "<td>-</td></tr>\n</table>"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(strstr(out.data, rows[i]), "%s: not in %s", rows[i], out.data);
    /* fewer than ten students: no correlation */
    g.count = 9, out.len = 0;
    overview_parts(&out, &g);
    ck_assert_msg(!strstr(out.data, "1.00"), "%s", out.data);
    for (int i = 0; i < 13; i++) json_decref(results[i]);
    buf_free(&out);
}
END_TEST

/* ---- a student's page ---- */

/* Every remark and every file that was not read is an item of a list, escaped as text. */
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

/* A kernel that misses two budgets. Its PTX is in tests/told; the reference has the recorded PTX
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

/* A blamed line is shown with two lines before and after it, as far as the file has them. */
START_TEST(a_blamed_line_stands_among_its_neighbours)
{
    static const struct budget budgets[] = {
        {.metric = METRIC_GLD_SECTORS, .rule = AT_MOST, .why = "why"}, {0}};
    static const struct step step = {.kernel = "copy", .problem = "copy", .budgets = budgets};
    static const struct {
        int line, first;
        const char *source;
    } rows[] = {{1, 1, "a b c "}, {2, 1, "a b c d "}, {3, 1, "a b c d e "}, {4, 2, "b c d e "},
        {5, 3, "c d e "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct result r = {.lab = lab_table[0],
            .exercise = lab_table[0]->exercises,
            .source = (char *)"a\nb\nc\r\nd\ne",
            .step_count = 1,
            .ledger_count = 1};
        r.steps[0] = (struct step_result){.step = &step, .problem = problem_find("copy")};
        r.steps[0].budgets[r.steps[0].budget_count++] =
            (struct budget_result){.budget = budgets, .line = rows[i].line};
        r.ledger[0] = (struct ledger_entry){.what = LEDGER_BUDGET, .of = 1};
        json_t *all = parts_result(&r), *part = json_array_get(json_object_get(all, "parts"), 0),
               *blame = json_object_get(part, "blame"), *line;
        struct buf source = {0};
        size_t k;
        json_array_foreach(json_object_get(blame, "source"), k, line)
            buf_printf(&source, "%s ", json_string_value(line));
        ck_assert_str_eq(source.data, rows[i].source);
        ck_assert_int_eq(json_integer_value(json_object_get(blame, "first")), rows[i].first);
        json_decref(all);
        buf_free(&source);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grading");
    TCase *c = tcase_create("grading");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, the_last_day_still_counts);
    tcase_add_test(c, days_begin_after_the_grace);
    tcase_add_test(c, free_days_come_first);
    tcase_add_test(c, adjustments_and_excuses);
    tcase_add_test(c, points_on_platforms_add_up);
    tcase_add_test(c, an_exercise_weighs_more_than_its_lab);
    tcase_add_test(c, names_are_unique);
    tcase_add_test(c, names_of_platforms);
    tcase_add_test(c, gradescope_lists_names);
    tcase_add_test(c, quotes_hide_separators);
    tcase_add_test(c, rows_know_their_lines);
    tcase_add_test(c, junit_tells_errors_from_failures);
    tcase_add_test(c, a_name_is_one_cell);
    tcase_add_test(c, exercises_tell_hand_ins_apart);
    tcase_add_test(c, what_is_listed_is_text);
    tcase_add_test(c, a_result_has_its_parts);
    tcase_add_test(c, a_blamed_line_stands_among_its_neighbours);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
