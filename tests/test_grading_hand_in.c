/* test_grading_hand_in.c - what is taken from a hand-in: which exercise a path means, what holds no
 * work, the cells of a notebook that write files; and what is taken of whole hand-ins
 * (tests/hand_ins.txt). */
#define _GNU_SOURCE
#include "golden.h"
#include "grading/hand_in.h"
#include "os/os.h"

#include <archive.h>
#include <archive_entry.h>
#include <fts.h>
#include <limits.h>
#include <sys/stat.h>

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
    /* the path names exactly one exercise */
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
    /* names that systems give to copies */
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

/* If only one lab is graded, a loose name can only mean one of its exercises. */
START_TEST(one_lab_alone_leaves_no_doubt)
{
    const struct class_options one = {.lab = "04-shared"};
    struct meaning m = meaning_of("matmul.cu", &one);
    ck_assert(m.how == MEANS_LOOSELY && m.exercise == exercise_of("04-shared", "matmul"));
    ck_assert_int_eq(meaning_of("swizzle.cu", &one).how, MEANS_NOTHING);
}
END_TEST

/* The distance of a path from an exercise: two for each changed letter, one if no lab is named;
 * INT_MAX if too much of the name differs. */
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

/* Folders of the kit and hidden folders hold no work, at any depth. length: of the path up to such
 * a folder, or 0. */
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
    ck_assert(meaning_is_kits("a/labs/lockstep.ipynb") && !meaning_is_kits("lockstep.ipynb"));
    ck_assert(meaning_is_kits("ada/labs/10-hopper/hints.md"));
    ck_assert(!meaning_is_kits("01-naive/README.md") && !meaning_is_kits("labs/01-naive/copy.cu"));
}
END_TEST

/* ---- notebooks ---- */

static void note(void *context, const char *path, const char *content)
{
    buf_printf(context, "[%s|%s]", path, content);
}

/* Files are reported from the last cell on; cells that write no whole file are left out. */
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
        "{\"cell_type\": \"code\", \"source\": \"%%lockstep 3 matmul_cpu WHY=1\\nfour\"},"
        "{\"cell_type\": \"code\", \"source\": \"%%lockstep 01-naive add\\r\\nfive\"},"
        "{\"cell_type\": \"code\", \"source\": \"%%lockstep 01 no\\nx\"},"
        "{\"cell_type\": \"code\", \"source\": \"%%lockstep 01\\nadd\"},"
        "{\"cell_type\": \"code\", \"source\": \"%%writefile d.cu\"}]}";
    struct buf out = {0};
    notebook_read(notebook, strlen(notebook), note, &out);
    ck_assert_str_eq(out.data,
        "[d.cu|][01-naive/add.cu|five][03-tiled/matmul_cpu.c|four][b c.cu|\nthree][a.cu|one\ntwo]");
    buf_free(&out);
    notebook_read("no notebook", 11, note, &out);
    ck_assert_ptr_null(out.data);
}
END_TEST

/* ---- whole hand-ins ----
 *
 *     ## what it shows; lab 04-shared itself        only this lab is graded; the last archive is handed in,
 *                                                   not the folder that holds it
 *     04-shared/matmul.cu int a;                    a file and its content
 *     a/notes.cu size 300000                        a file of that many bytes
 *     notes times 103                               a folder of as many files
 *     aat.cu link x; hard x; solution 05-padded/aat.cu digraphs; utf16 int a;
 *     > b/labs.zip                                  packs all files above; cut 100: only its first bytes
 *     = what is taken, what is said of the rest */

/* Make the folders above a file. */
static void make_way(const char *path)
{
    for (const char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        char *folder = xstrndup(path, (size_t)(slash - path));
        mkdir(folder, 0700);
        free(folder);
    }
}

static void put(const char *path, const char *text, size_t len)
{
    make_way(path);
    FILE *out = fopen(path, "w");
    ck_assert_msg(out && fwrite(text, 1, len, out) == len && !fclose(out), "%s", path);
}

static void put_file(const char *folder, const char *line)
{
    char *path = xasprintf("%s/%.*s", folder, (int)strcspn(line, " "), line), *other = NULL;
    const char *what = strchr(line, ' ') ? strchr(line, ' ') + 1 : "";
    struct buf text = {0};
    struct err e;
    make_way(path);
    if (!strncmp(what, "times ", 6)) {
        for (int i = 0; i < atoi(what + 6); i++) {
            char *one = xasprintf("%s/%d", path, i);
            put(one, "", 0);
            free(one);
        }
    } else if (!strncmp(what, "size ", 5)) {
        for (int i = 0; i < atoi(what + 5); i++) buf_add(&text, "x", 1);
    } else if (!strncmp(what, "utf16 ", 6)) {
        buf_add(&text, "\xff\xfe", 2);
        for (const char *at = what + 6; *at; at++) buf_add(&text, (char[]){*at, 0}, 2);
    } else if (!strncmp(what, "solution ", 9)) {
        char *from = xasprintf("solutions/%.*s", (int)strcspn(what + 9, " "), what + 9);
        ck_assert_msg(!file_read(from, 1 << 20, &other, NULL, &e), "%s", e.text);
        buf_printf(&text, "%s", strstr(what, " said") ? "// mine\n\n" : "");
        for (const char *at = other; *at; at++)
            if (strstr(what, " digraphs") && strchr("{}[]#", *at))
                buf_printf(&text, "%s",
                    *at == '{'   ? "<%"
                    : *at == '}' ? "%>"
                    : *at == '[' ? "<:"
                    : *at == ']' ? ":>"
                                 : "%:");
            else
                buf_add(&text, at, 1);
        free(from), free(other);
    } else {
        buf_printf(&text, "%s\n", what);
    }
    other = xasprintf("%s/%s", folder, strchr(what, ' ') ? strchr(what, ' ') + 1 : "");
    if (!strncmp(what, "times ", 6))
        ;
    else if (!strncmp(what, "link ", 5))
        ck_assert(!symlink(what + 5, path));
    else if (!strncmp(what, "hard ", 5))
        ck_assert(!link(other, path));
    else
        put(path, text.data, text.len);
    free(path), free(other);
    buf_free(&text);
}

/* A walk over the files below a folder, in the order of their names. */
static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static FTS *walk(const char *folder)
{
    FTS *w = fts_open((char *[]){(char *)folder, NULL}, FTS_PHYSICAL, by_name);
    ck_assert(w);
    return w;
}

/* The next file or symbolic link of a walk, or NULL at its end. */
static const FTSENT *next(FTS *w)
{
    FTSENT *f;
    while ((f = fts_read(w)) && f->fts_info != FTS_F && f->fts_info != FTS_SL)
        ;
    return f;
}

static void pack_one(struct archive *a, const FTSENT *f, const char *name)
{
    char *data = NULL, target[PATH_MAX] = "";
    size_t len = 0;
    struct err e;
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_mode(entry, f->fts_statp->st_mode);
    if (f->fts_info == FTS_SL && readlink(f->fts_path, target, sizeof target - 1) > 0)
        archive_entry_set_symlink(entry, target);
    else
        ck_assert_msg(!file_read(f->fts_path, 1 << 24, &data, &len, &e), "%s", e.text);
    archive_entry_set_size(entry, (int64_t)len);
    ck_assert(archive_write_header(a, entry) == ARCHIVE_OK &&
              archive_write_data(a, data, len) == (la_ssize_t)len);
    archive_entry_free(entry);
    free(data);
}

/* Pack the folder's files into an archive and leave only the archive in the folder. */
static void pack(const char *folder, const char *line)
{
    char *name = xstrndup(line, strcspn(line, " ")), *path = xasprintf("%s/%s", folder, name),
         *made = xasprintf("%s.packed", folder), *data;
    size_t len;
    struct err e;
    struct archive *a = archive_write_new();
    ck_assert_msg(
        !archive_write_set_format_filter_by_ext(a, name) && !archive_write_open_filename(a, made),
        "%s: %s", name, archive_error_string(a));
    FTS *w = walk(folder);
    for (const FTSENT *f; (f = next(w));) pack_one(a, f, f->fts_path + strlen(folder) + 1);
    fts_close(w);
    ck_assert(!archive_write_close(a));
    archive_write_free(a);
    ck_assert_msg(!file_read(made, 1 << 26, &data, &len, &e), "%s", e.text);
    spawn_remove_directory(folder);
    if (strstr(line, " cut ")) len = (size_t)atoi(strstr(line, " cut ") + 5);
    put(path, data, len);
    unlink(made);
    free(name), free(path), free(made), free(data);
}

/* Print each file that was taken, and how it begins. */
static void put_list(const char *folder, struct buf *out)
{
    FTS *w = walk(folder);
    struct err e;
    for (const FTSENT *f; (f = next(w));) {
        char *text;
        ck_assert_msg(!file_read(f->fts_path, 1 << 20, &text, NULL, &e), "%s", e.text);
        buf_printf(out, "= %s: %.*s\n", f->fts_path + strlen(folder) + 1,
            (int)strcspn(text, "\n") < 12 ? (int)strcspn(text, "\n") : 12, text);
        free(text);
    }
    fts_close(w);
}

static void put_lines(const char *text, const char *what, struct buf *out)
{
    for (const char *at = text; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
        buf_printf(out, "= %s%.*s\n", what, (int)strcspn(at, "\n"), at);
}

/* Print what is taken of a folder, or, if the title says "itself", of the archive in it. */
static void put_taken(const char *title, const char *folder, const char *archive, struct buf *out)
{
    char lab[64] = "", into[] = "/tmp/lockstep-test-XXXXXX";
    const char *alone = strstr(title, "; lab ");
    if (alone) sscanf(alone, "; lab %63s", lab);
    const struct class_options o = {.lab = alone ? lab : NULL};
    char *inside = xasprintf("%s/%.*s", folder, (int)strcspn(archive, " "), archive);
    int itself = strstr(title, " itself") != NULL;
    struct submission s = {.path = itself ? inside : (char *)folder, .is_archive = itself};
    struct taken t = {0};
    struct kit kit;
    struct err e;
    ck_assert(mkdtemp(into) && !kit_find(&kit, &e));
    ck_assert_msg(!submission_take(&s, &o, &kit, into, &t, &e), "%s", e.text);
    put_list(into, out);
    put_lines(t.remarks.data, "remark: ", out);
    /* without libarchive's own words, which change with its versions */
    const char *said = t.damage ? strstr(t.damage, "the archive ") : NULL;
    if (said && strrchr(said, ':')) *strrchr(said, ':') = 0;
    put_lines(t.damage, "damage: ", out);
    /* of a long list only the end */
    put_lines(
        t.left_count < 100 ? t.left_out.data : strrchr(t.left_out.data, ':'), "left out: ", out);
    for (size_t i = 0; i < t.near_count; i++)
        buf_printf(out, "= near: %s for %s\n", t.near[i].path, t.near[i].exercise->name);
    if (t.progress_lost) buf_printf(out, "= progress lost\n");
    taken_free(&t);
    kit_free(&kit);
    spawn_remove_directory(into);
    free(inside);
}

START_TEST(hand_ins_are_taken_as_they_were)
{
    static const char path[] = "tests/hand_ins.txt";
    struct err e;
    struct buf out = {0};
    char *kept, *title = NULL, *archive = xstrdup(""), folder[] = "/tmp/lockstep-test-XXXXXX";
    size_t len;
    ck_assert(mkdtemp(folder) && !file_read(path, 1 << 22, &kept, &len, &e));
    for (char *line = kept, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        char *text = xstrndup(line, (size_t)(end - line));
        end += *end == '\n';
        int ends = !*text || !*end;
        if (*text == '#') {
            free(title);
            title = xstrdup(text);
        } else if (*text == '>') {
            free(archive);
            archive = xstrdup(text + 2);
            pack(folder, archive);
        } else if (*text && *text != '=' && title) {
            put_file(folder, text);
        }
        if (*text && *text != '=') buf_printf(&out, "%s\n", text);
        if (ends && title) {
            put_taken(title, folder, archive, &out);
            spawn_remove_directory(folder);
            mkdir(folder, 0700);
        }
        if (!*text) buf_printf(&out, "\n");
        free(text);
    }
    spawn_remove_directory(folder);
    golden_check(path, out.data);
    free(kept), free(title), free(archive);
    buf_free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grading_hand_in");
    TCase *c = tcase_create("grading_hand_in");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, a_path_says_its_exercise, 0, sizeof paths / sizeof *paths);
    tcase_add_test(c, one_lab_alone_leaves_no_doubt);
    tcase_add_test(c, a_near_name_is_near);
    tcase_add_test(c, some_folders_hold_no_work);
    tcase_add_test(c, suffixes_say_what_a_file_is);
    tcase_add_test(c, cells_write_files);
    tcase_add_test(c, hand_ins_are_taken_as_they_were);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
