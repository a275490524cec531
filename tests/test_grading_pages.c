/* test_grading_pages.c - what teachers and students get of a class: every file that is made of the
 * results in tests/class_shown, kept whole in tests/class_shown.txt, with who has worked together
 * and what is said of course files and tables that are wrong. */
#define _GNU_SOURCE
#include "grading/course.h"
#include "golden.h"
#include "grading/grading.h"

#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a folder of results ---- */

static char *new_folder(void)
{
    char *folder = xstrdup("/tmp/test_grading_pages.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    return folder;
}

static void free_folder(char *folder)
{
    char *command = xasprintf("rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    free(command), free(folder);
}

static void put(const char *folder, const char *name, const char *text)
{
    struct err e = {0};
    char *path = xasprintf("%s/%s", folder, name);
    ck_assert_msg(!file_write(path, text, strlen(text), &e), "%s", e.text);
    free(path);
}

static void put_kept(const char *folder, const char *name, const char *as)
{
    struct err e = {0};
    char *path = xasprintf("tests/class_shown/%s", name), *text;
    ck_assert_msg(!file_read(path, 1 << 20, &text, NULL, &e), "%s", e.text);
    put(folder, as, text);
    free(path), free(text);
}

/* Append text, with RESULTS in place of the folder's path. */
static void add(struct buf *out, const char *text, const char *folder)
{
    for (const char *at; (at = strstr(text, folder)); text = at + strlen(folder)) {
        buf_add(out, text, (size_t)(at - text));
        buf_printf(out, "RESULTS");
    }
    buf_printf(out, "%s", text);
}

static void add_file(struct buf *out, const char *path, const char *folder)
{
    struct err e = {0};
    char *text;
    ck_assert_msg(!file_read(path, 1 << 20, &text, NULL, &e), "%s", e.text);
    buf_printf(out, "==== %s\n", path + strlen(folder) + 1);
    for (char *at = text; (at = strchr(at, '\r'));) memmove(at, at + 1, strlen(at));
    add(out, text, folder);
    buf_printf(out, "\n");
    free(text);
}

/* Append every file below the folder, except the results that were put there before. */
static void add_files(struct buf *out, const char *folder)
{
    static const char *const patterns[] = {"*.csv", "*.html", "junit.xml", "*/*.json", "*/*.html"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        char *pattern = xasprintf("%s/%s", folder, patterns[i]);
        if (!glob(pattern, 0, NULL, &found))
            for (size_t k = 0; k < found.gl_pathc; k++) add_file(out, found.gl_pathv[k], folder);
        globfree(&found);
        free(pattern);
    }
}

/* Catches what is printed to a descriptor between catch_begin and catch_end. */
struct caught {
    int fd, kept;
    FILE *file;
};

static struct caught catch_begin(int fd)
{
    struct caught c = {fd, dup(fd), tmpfile()};
    fflush(NULL);
    dup2(fileno(c.file), fd);
    return c;
}

static void catch_end(struct caught *c, const char *folder, struct buf *out)
{
    char text[4096] = "";
    fflush(NULL);
    dup2(c->kept, c->fd);
    close(c->kept);
    rewind(c->file);
    text[fread(text, 1, sizeof text - 1, c->file)] = 0;
    fclose(c->file);
    add(out, text, folder);
}

static const char *const students[] = {"ada", "bob", "cy", "dee"};

static struct submission class_of[] = {{.name = "ada", .path = "ada", .id = "501"},
    {.name = "bob", .path = "bob.zip", .id = "502"}, {.name = "cy", .path = "cy"},
    {.name = "dee", .path = "dee"}};

START_TEST(a_class_gets_its_files)
{
    char *folder = new_folder(), *next = xasprintf("%s/.next", folder),
         *pages = xasprintf("%s/pages", folder);
    struct roster r = {.list = class_of, .count = 4};
    struct class_options o = {
        .results = folder, .moodle = "tests/class_shown/moodle.csv", .preview = 1};
    struct buf out = {0};
    struct err e = {0};
    struct fill *f;
    int published;
    mkdir(next, 0700), mkdir(pages, 0700);
    for (size_t i = 0; i < 4; i++) {
        char *name = xasprintf("%s.json", students[i]);
        put_kept(folder, name, name);
        free(name);
    }
    ck_assert_msg(!gradebook_write(&o, &r, &e), "%s", e.text);
    ck_assert_msg(!pages_write(&o, &r, &e), "%s", e.text);
    struct caught c = catch_begin(STDERR_FILENO);
    ck_assert_msg(!fill_open(&f, &o, &r, &e) && !fill_write(f, &o, &r, &e), "%s", e.text);
    fill_close(f);
    class_of[0].id = "11", class_of[1].id = "12";
    o.canvas = "tests/class_shown/canvas.csv", o.canvas_column = "Lab 4", o.moodle = NULL;
    ck_assert_msg(!fill_open(&f, &o, &r, &e) && !fill_write(f, &o, &r, &e), "%s", e.text);
    fill_close(f);
    catch_end(&c, folder, &out);
    add_files(&out, folder);
    /* new results: bob's is ada's old one, ada's is bob's, cy's stays the same, dee has none */
    put_kept(next, "ada.json", "bob.json"), put_kept(next, "bob.json", "ada.json");
    put_kept(next, "cy.json", "cy.json");
    c = catch_begin(STDOUT_FILENO);
    ck_assert(!publish(&o, &r, &published, &e) && !published);
    catch_end(&c, folder, &out);
    golden_check("tests/class_shown.txt", out.data);
    buf_free(&out);
    free(next), free(pages), free_folder(folder);
}
END_TEST

START_TEST(who_worked_together_is_shown)
{
    char *folder = new_folder();
    const struct class_options o = {
        .results = folder, .submissions = "tests/class_shown/work", .lab = "01-naive"};
    struct roster r;
    struct buf out = {0};
    struct err e = {0};
    ck_assert_msg(!roster_read(&r, o.submissions, &e), "%s", e.text);
    ck_assert_msg(!similar_write(&o, &r, &e), "%s", e.text);
    add_files(&out, folder);
    golden_check("tests/class_similar.txt", out.data);
    roster_free(&r);
    buf_free(&out);
    free_folder(folder);
}
END_TEST

/* Who hands in the kit's solution is named. Who hands in the skeleton is not, nor is a solution of a
 * few statements, which can hardly be written in two ways. */
START_TEST(who_equals_the_solution_is_named)
{
    static const struct {
        const char *student, *from, *exercise;
    } files[] = {{"solver", "solutions", "05-padded/transpose"},
        {"solver", "solutions", "06-unrolled/shape"}, {"skeleton", "labs", "05-padded/transpose"}};
    char *folder = new_folder(), *out = xasprintf("%s/out", folder), *text;
    struct err e = {0};
    ck_assert(!mkdir(out, 0700));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *from = xasprintf("%s/%s.cu", files[i].from, files[i].exercise),
             *to = xasprintf("work/%s/%s.cu", files[i].student, files[i].exercise),
             *command = xasprintf("mkdir -p $(dirname '%s/%s')", folder, to);
        ck_assert(!system(command) && !file_read(from, 1 << 20, &text, NULL, &e));
        put(folder, to, text);
        free(from), free(to), free(command), free(text);
    }
    char *work = xasprintf("%s/work", folder), *page = xasprintf("%s/similar.html", out);
    const struct class_options o = {.results = out, .submissions = work};
    struct roster r;
    ck_assert_msg(!roster_read(&r, work, &e) && !similar_write(&o, &r, &e), "%s", e.text);
    ck_assert_msg(!file_read(page, 1 << 20, &text, NULL, &e), "%s", e.text);
    const char *first = strstr(text, "<h2>Equals the solution</h2>\n<ul>\n");
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_nonnull(strstr(first, "<ul>\n\n<li>05-padded/transpose.cu, solver\n</ul>"));
    roster_free(&r);
    free(work), free(page), free(out), free(text), free_folder(folder);
}
END_TEST

/* ---- what is wrong with a file ---- */

static void add_course(const char *folder, const char *text, struct buf *out)
{
    struct course c;
    struct err e = {0};
    char *path = xasprintf("%s/course", folder);
    put(folder, "course", text);
    buf_printf(out, "%s", text);
    if (course_read(&c, path, &e)) {
        buf_printf(out, "    ");
        add(out, e.text, folder);
    } else {
        buf_printf(out,
            "    %zu weights, %zu lines, speed %g, grace %g, percent %g, days %g, due %ld, seed %s",
            c.weight_count, c.line_count, c.speed, c.grace_minutes, c.late_percent_per_day,
            c.late_days_at_most, (long)c.due, c.seed ? c.seed : "-");
        for (size_t i = 0; i < c.line_count; i++)
            buf_printf(out, "; %d %s %ld %g %s", (int)c.lines[i].about, c.lines[i].key,
                (long)c.lines[i].at, c.lines[i].number, c.lines[i].text);
        for (size_t i = 0; i < c.weight_count; i++)
            buf_printf(out, "; %s %s %g", c.weights[i].lab->name,
                c.weights[i].exercise ? c.weights[i].exercise->name : "all", c.weights[i].weight);
    }
    buf_printf(out, "\n");
    course_free(&c);
    free(path);
}

static void add_table(
    const char *folder, int canvas, const char *column, const char *text, struct buf *out)
{
    char *path = xasprintf("%s/table.csv", folder);
    struct submission list[] = {{.name = "ada", .path = "ada", .id = "11"},
        {.name = "bob", .path = "bob", .id = canvas ? NULL : "12"}};
    const struct roster r = {.list = list, .count = 2};
    const struct class_options o = {.results = folder,
        .canvas = canvas ? path : NULL,
        .moodle = canvas ? NULL : path,
        .canvas_column = column,
        .moodle_column = column};
    struct fill *f;
    struct err e = {0};
    put(folder, "table.csv", text);
    buf_printf(out, "%s%s", text, text[strlen(text) - 1] == '\n' ? "" : "\n");
    struct caught c = catch_begin(STDERR_FILENO);
    int bad = fill_open(&f, &o, &r, &e);
    catch_end(&c, folder, out);
    buf_printf(out, "    ");
    add(out, bad ? e.text : "fits", folder);
    buf_printf(out, "\n");
    fill_close(f);
    free(path);
}

START_TEST(what_is_wrong_is_told_with_its_line)
{
    static const char *const courses[] = {
        "[course]\nlabs = 01, 05-padded\ndevice = sim:h200\nfront = clang\nseed = 7\nspeed = 1.5\n"
        "due = 2026-11-30 23:59 +0100\ngrace_minutes = 10\nlate_percent_per_day = 20\n"
        "late_days_at_most = 3\ntimes = times\n[weights]\n05 = 0.5\n05/aat = 2\n",
        "[course]\ndue = 2026-11-30T08:00:30 -0230\n", "[course]\nlabs = \n",
        "[course]\nlabs = 77\n", "[course]\n\nfront = gcc\n", "[course]\nseed = -3\n",
        "[course]\nspeed = 0.5\n", "[course]\nspeed = 11\n", "[course]\nspeed = 2x\n",
        "[course]\nlate_percent_per_day = 101\n", "[course]\ndue = tomorrow\n",
        "[course]\ndue = 2026-11-30 25:00\n", "[course]\ncolour = red\n",
        "[weights]\n01/nothing = 1\n", "[weights]\n01 = 1001\n", "[other]\na = b\n",
        "[course]\nnonsense\nspeed = 0\n", "[course]\ntimes = nowhere\n",
        "[course]\ntimes = times2\n", "[course]\ntimes = times3\n", "[course]\ntimes = times4\n",
        "[course]\ntimes = times5\n",
        "[extensions]\nAda L = 2026-12-05 23:59 +0100 ; ill\n[late_days_used]\nbob = 2\n[adjust]\n"
        "ada 05/aat = +2 ; a long reason: x = 1; y\nbob = -1.5\n[excused]\nada 05 ; ill\nbob 05/aat\n"
        "cy 04 = was away\n[course]\nlate_days = days\nlate_days_free = 3\nattempts = best\n",
        "[extensions]\nada = never\n", "[late_days_used]\nada = -1\n",
        "[adjust]\nada 05/aat = much\n", "[adjust]\nada 05/aat\n",
        "[extensions]\nada = 2026-12-05 23:59\nada = 2026-12-06 23:59\n",
        "[course]\nattempts = first\n"};
    char *folder = new_folder();
    struct buf out = {0};
    put(folder, "times", "ada,2026-11-30 10:00 +0000\r\n\n\"b, c\", 2026-12-01T00:00:05 +0100\n");
    put(folder, "times2", "ada,2026-11-30 10:00 +0000\nbob\n");
    put(folder, "times3", "ada,2026-11-30 10:00 +0000\n\nbob,soon\n");
    put(folder, "times4", "ada,2026-11-30 10:00 +0000\nada,2026-11-30 11:00 +0000\n");
    put(folder, "times5", "ada,2026-11-30 10:00 +0000\n");
    put(folder, "days", "ada,1\r\n");
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++)
        add_course(folder, courses[i], &out);
#define CANVAS "Student,ID,SIS Login ID,Lab 4 (4711)"
    add_table(folder, 1, NULL, CANVAS "\nA,11,a,\nB,12,bob,\n", &out);
    add_table(folder, 1, NULL, CANVAS "\nA,11,a,\n", &out);
    add_table(folder, 1, NULL, CANVAS ",Quiz (1)\nA,11,a,,\n", &out);
    add_table(folder, 1, "Quiz", CANVAS ",Quiz (1)\nA,11,a,,\n", &out);
    add_table(folder, 1, "Lab 4 (4711)", CANVAS ",Quiz (1)\nA,11,a,,\n", &out);
    add_table(folder, 1, "Other", CANVAS ",Quiz (1)\nA,11,a,,\n", &out);
    add_table(folder, 1, NULL, "Student,ID,Lab (x)\nA,11,\n", &out);
    add_table(folder, 1, NULL, "Student,Lab (1)\nA,11,\n", &out);
    add_table(folder, 1, NULL, CANVAS "\nA,31,a,\n", &out);
    add_table(folder, 1, NULL, CANVAS "\nA,11,bob,\n", &out);
    add_table(folder, 1, NULL, CANVAS "\n\"A,11,a,\n", &out);
    add_table(folder, 1, NULL, CANVAS "\nA,11,a,\n\"B\" x,12,b,\n", &out);
    add_table(folder, 0, NULL, "Identifier;Grade\nParticipant 11;\nParticipant 12;\n", &out);
    add_table(folder, 0, NULL, "Identifier\tPoints\n11\t\n", &out);
    add_table(folder, 0, "Points", "Identifier\tPoints\n11\t\n", &out);
    golden_check("tests/class_wrong.txt", out.data);
    buf_free(&out);
    free_folder(folder);
}
END_TEST

int main(void)
{
    setenv("TZ", "UTC", 1);
    Suite *suite = suite_create("grading pages");
    TCase *c = tcase_create("grading pages");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, a_class_gets_its_files);
    tcase_add_test(c, who_worked_together_is_shown);
    tcase_add_test(c, who_equals_the_solution_is_named);
    tcase_add_test(c, what_is_wrong_is_told_with_its_line);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
