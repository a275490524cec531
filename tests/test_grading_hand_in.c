/* test_grading_hand_in.c - what is taken from a hand-in: which exercise a path means, what holds no
 * work, the cells of a notebook that write files. */
#include "grading/hand_in.h"
#include "suite.h"

#include <limits.h>
#include <string.h>

static const struct class_options all = {0};

static const struct lab *lab_of(const char *name)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        if (!strcmp((*l)->name, name)) return *l;
    return NULL;
}

static const struct exercise *exercise_of(const char *lab, const char *name)
{
    const struct exercise *x = lab_of(lab)->exercises;
    while (x->name && strcmp(x->name, name)) x++;
    return x->name ? x : NULL;
}

/* ---- paths ---- */

static const struct {
    const char *path;
    enum meant how;
    int named;
    const char *lab, *exercise;
} paths[] = {
    /* exactly */
    {"labs/05-padded/transpose.cu", MEANS_EXACTLY, 1, "05-padded", "transpose"},
    {"a/b/03-tiled/matmul_cpu.c", MEANS_EXACTLY, 1, "03-tiled", "matmul_cpu"},
    {"a/.progress", MEANS_PROGRESS, 1, NULL, NULL},
    /* the innermost folder that names a lab says it: by number after "lab", by NN or by idea */
    {"Lab 4/matmul.cu", MEANS_LOOSELY, 1, "04-shared", "matmul"},
    {"lab/4/matmul.cu", MEANS_LOOSELY, 1, "04-shared", "matmul"},
    {"labs4/matmul.cu", MEANS_LOOSELY, 1, "04-shared", "matmul"},
    {"Labor-04/src/matmul.cu", MEANS_LOOSELY, 1, "04-shared", "matmul"},
    {"04 mine/matmul.cu", MEANS_LOOSELY, 1, "04-shared", "matmul"},
    {"my Coalesced/matmul.cu", MEANS_LOOSELY, 1, "02-coalesced", "matmul"},
    {"lab 4/lab 5/aat.cu", MEANS_LOOSELY, 1, "05-padded", "aat"},
    {"4/matmul.cu", MEANS_SEVERAL, 0, NULL, NULL},
    {"mine 04/matmul.cu", MEANS_SEVERAL, 0, NULL, NULL},
    {"lab 44/matmul.cu", MEANS_SEVERAL, 0, NULL, NULL},
    {"lab 5/matmul.cu", MEANS_NOTHING, 0, NULL, NULL},
    /* the name says the exercise, among other words, and perhaps the lab */
    {"05-Padded/transpose_final.cu", MEANS_LOOSELY, 0, "05-padded", "transpose"},
    {"Lab 4/matmul (1).cu", MEANS_LOOSELY, 0, "04-shared", "matmul"},
    {"lab04-matmul.cu", MEANS_LOOSELY, 0, "04-shared", "matmul"},
    {"matmul_lab_4.cu", MEANS_LOOSELY, 0, "04-shared", "matmul"},
    {"lab 8/lab04_swizzle.cu", MEANS_NOTHING, 0, NULL, NULL},
    {"swizzle.cu", MEANS_LOOSELY, 1, "08-pipelined", "swizzle"},
    {"my/Swizzle.CU.txt", MEANS_LOOSELY, 1, "08-pipelined", "swizzle"},
    {"08/matmul-split.cu", MEANS_LOOSELY, 1, "08-pipelined", "matmul_split"},
    {"08/split_matmul.cu", MEANS_LOOSELY, 0, "08-pipelined", "matmul"},
    {"matmulTF32.cu", MEANS_NOTHING, 0, NULL, NULL},
    {"matmul TF32.cu", MEANS_LOOSELY, 1, "09-tensor", "matmul_tf32"},
    {"matmul.cu", MEANS_SEVERAL, 0, NULL, NULL},
    {"04/transpose_matmul.cu", MEANS_SEVERAL, 0, NULL, NULL},
    {"notes.cu", MEANS_NOTHING, 0, NULL, NULL},
    /* a kernel is a .cu, a function of the host a .c */
    {"matmul_cpu.c", MEANS_LOOSELY, 1, "03-tiled", "matmul_cpu"},
    {"swizzle.c", MEANS_NOTHING, 0, NULL, NULL},
    {"swizzle.py", MEANS_NOTHING, 0, NULL, NULL},
    {"swizzle", MEANS_NOTHING, 0, NULL, NULL},
    /* as systems name copies */
    {"Copy of swizzle.cu", MEANS_LOOSELY, 1, "08-pipelined", "swizzle"},
    {"swizzle copy.cu", MEANS_LOOSELY, 1, "08-pipelined", "swizzle"},
    {"swizzle copy 2.cu", MEANS_LOOSELY, 1, "08-pipelined", "swizzle"},
    {"swizzle - Copy (3).cu", MEANS_LOOSELY, 1, "08-pipelined", "swizzle"},
    {"01/copy 2.cu", MEANS_LOOSELY, 0, "01-naive", "copy"},
};

START_TEST(a_path_says_its_exercise)
{
    struct meaning m = meaning_of(paths[_i].path, &all);
    const char *lab = m.lab ? m.lab->name : "none", *name = m.exercise ? m.exercise->name : "none";
    ck_assert_msg(m.how == paths[_i].how && m.named == paths[_i].named, "%s: %d %d, as %s/%s",
        paths[_i].path, m.how, m.named, lab, name);
    ck_assert_str_eq(lab, paths[_i].lab ? paths[_i].lab : "none");
    ck_assert_str_eq(name, paths[_i].exercise ? paths[_i].exercise : "none");
}
END_TEST

/* Of labs that are not graded, none is meant loosely. */
START_TEST(one_lab_alone_leaves_no_doubt)
{
    const struct class_options one = {.lab = "04-shared"};
    struct meaning m = meaning_of("matmul.cu", &one);
    ck_assert(m.how == MEANS_LOOSELY && m.exercise == exercise_of("04-shared", "matmul"));
    ck_assert_int_eq(meaning_of("swizzle.cu", &one).how, MEANS_NOTHING);
}
END_TEST

/* Each changed letter counts two, an unnamed lab one; a third of the name may differ. */
START_TEST(a_near_name_is_near)
{
    static const struct {
        const char *path;
        int far;
    } rows[] = {{"08-pipelined/swizzle.cu", 0}, {"8/swizzle.cu", 0}, {"swizzle.cu", 1},
        {"old swizzle 3.cu", 1}, {"08/swizle.cu", 2}, {"swizle.cu", 3}, {"08/swizzlee.cu", 2},
        {"08/wizzle.c", 2}, {"08/swizlze.cu", 4}, {"SWIZZEL.cu", 5}, {"08/swzl.cu", 6},
        {"08/swz.cu", INT_MAX}, {"08/", INT_MAX}, {"05/swizzle.cu", INT_MAX},
        {"swizzle.png", INT_MAX}};
    const struct lab *lab = lab_of("08-pipelined");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int far = meaning_distance(rows[i].path, lab, exercise_of("08-pipelined", "swizzle"));
        ck_assert_msg(far == rows[i].far, "%s: %d, not %d", rows[i].path, far, rows[i].far);
    }
}
END_TEST

/* Folders of the kit and hidden ones, at any depth. */
START_TEST(some_folders_hold_no_work)
{
    static const struct {
        const char *path;
        size_t length;
    } rows[] = {{"solutions/01-naive/copy.cu", 9}, {"a/solutions/copy.cu", 11}, {".git/x", 4},
        {"a/b/.git/x", 8}, {"..x/y", 3}, {"./a/b.cu", 0}, {"../a/b.cu", 0}, {"solutions", 0},
        {"my solutions/x.cu", 0}, {"testsx/x.cu", 0}, {"test/x.cu", 0}, {"a/build/b/tests/x", 7},
        {"__MACOSX/x", 8}, {"labs/01-naive/copy.cu", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(meaning_not_work(rows[i].path) == rows[i].length, "%s: %zu", rows[i].path,
            meaning_not_work(rows[i].path));
}
END_TEST

START_TEST(suffixes_say_what_a_file_is)
{
    ck_assert_uint_eq(meaning_archive("a.zip"), 4);
    ck_assert_uint_eq(meaning_archive("b/a.TAR.gz"), 7);
    ck_assert_uint_eq(meaning_archive("a.7z"), 3);
    ck_assert_uint_eq(meaning_archive("a.zip.txt"), 0);
    ck_assert_uint_eq(meaning_archive(".zip"), 0);
    ck_assert(meaning_is_source("a.cu") && meaning_is_source("a.Cpp"));
    ck_assert(meaning_is_source("a.pdf") && !meaning_is_source("a.png"));
    ck_assert(!meaning_is_source(".cu"));
    ck_assert(meaning_is_kits("labs/01-naive/lab.c"));
    ck_assert(meaning_is_kits("ada/labs/10-hopper/hints.md"));
    ck_assert(!meaning_is_kits("01-naive/README.md") && !meaning_is_kits("labs/01-naive/copy.cu"));
}
END_TEST

/* ---- notebooks ---- */

static void note(void *context, const char *path, const char *content)
{
    buf_printf(context, "[%s|%s]", path, content);
}

/* The last cell first; cells that write no file are none. */
START_TEST(cells_write_files)
{
    static const char notebook[] =
        "{\"cells\": ["
        "{\"cell_type\": \"code\", \"source\": [\"%%writefile a.cu\\n\", \"one\\n\", \"two\"]},"
        "{\"cell_type\": \"markdown\", \"source\": \"%%writefile no.cu\\n\"},"
        "{\"cell_type\": \"code\", \"source\": \"print(1)\"},"
        "{\"cell_type\": \"code\"},"
        "{\"source\": \"%%file no.cu\\n\"},"
        "{\"cell_type\": \"code\", \"source\": \"%%writefile -a no.cu\\nx\"},"
        "{\"cell_type\": \"code\", \"source\": \"%%writefile \\nx\"},"
        "{\"cell_type\": \"code\", \"source\": \"\\n %%file  'b c.cu' \\r\\n\\nthree\"},"
        "{\"cell_type\": \"code\", \"source\": \"%%writefile d.cu\"}]}";
    struct buf out = {0};
    notebook_read(notebook, strlen(notebook), note, &out);
    ck_assert_str_eq(out.data, "[d.cu|][b c.cu|\nthree][a.cu|one\ntwo]");
    buf_free(&out);
    notebook_read("no notebook", 11, note, &out);
    ck_assert_ptr_null(out.data);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grading_hand_in");
    TCase *c = tcase_create("grading_hand_in");
    tcase_add_loop_test(c, a_path_says_its_exercise, 0, sizeof paths / sizeof *paths);
    tcase_add_test(c, one_lab_alone_leaves_no_doubt);
    tcase_add_test(c, a_near_name_is_near);
    tcase_add_test(c, some_folders_hold_no_work);
    tcase_add_test(c, suffixes_say_what_a_file_is);
    tcase_add_test(c, cells_write_files);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
