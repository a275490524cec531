/* test_mistakes.c - every mistake of tests/mistakes is explained: the answer of `lockstep
 * lab` has the sentences of tests/mistakes/table.h, fits 80 columns, and takes little of the
 * processor's time. */
#include "cli/cli.h"
#include "explain/explain.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static const struct mistake {
    const char *directory; /* under tests/mistakes/ */
    const char *lab, *exercise;
    const char *mistake; /* in words */
    const char *says[6], *never[2];
} mistakes[] = {
#include "mistakes/table.h"
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes, SANITIZED = 10 };

/* LOCKSTEP_MISTAKES=N: only every Nth row of the table, as all take minutes. */
static int stride(void)
{
    const char *n = getenv("LOCKSTEP_MISTAKES");
    return n && atoi(n) > 0 ? atoi(n) : 1;
}

/* ---- the answer ---- */

static const struct screen NARROW = {.width = 80};

/* The full answer, and the brief ones for a terminal of 24 lines, 6 of which are taken, by how much
 * of the cause they tell. */
struct answers {
    struct buf all, brief[TOLD_EDIT + 1];
    int cause; /* a cause is proven */
};

static void free_answers(struct answers *a)
{
    buf_free(&a->all);
    for (int i = TOLD_WHERE; i <= TOLD_EDIT; i++) buf_free(&a->brief[i]);
}

/* Text with one space for each run of white space. The caller frees it. */
static char *flattened(const char *text)
{
    char *flat = xstrdup(text), *to = flat;
    for (const char *at = text; *at; at++)
        if (!strchr(" \n", *at))
            *to++ = *at;
        else if (to > flat && to[-1] != ' ')
            *to++ = ' ';
    *to = 0;
    return flat;
}

/* Checks that a part of the cause is shown from step `from` on, and not before. */
static void check_part(const struct answers *a, const char *part, enum told from)
{
    char *said = flattened(part);
    for (int i = TOLD_WHERE; i <= TOLD_EDIT; i++) {
        char *flat = flattened(a->brief[i].data);
        ck_assert_msg(!strstr(flat, said) == (i < (int)from), "\"%s\" in step %d:\n%s", said, i + 1,
            a->brief[i].data);
        free(flat);
    }
    free(said);
}

static void answer(void *context, const struct result *r)
{
    struct answers *a = context;
    lab_text(&NARROW, r, model_profile_find("h200"), "", &a->all);
    for (int i = TOLD_WHERE; i <= TOLD_EDIT; i++) {
        const struct brief how = {18, (enum told)i, {"WHY=1", "WHY=2"}, "MORE=1"};
        lab_brief(&NARROW, &how, r, model_profile_find("h200"), "", &a->brief[i]);
    }
    a->cause = r->cause.count > 0;
    for (int i = 0; i < r->cause.count; i++) {
        const struct cause_place *p = &r->cause.places[i];
        char *line = source_line(r->source, p->line);
        ck_assert_msg(p->width > 0 && (size_t)p->width <= strlen(line) && p->column > 0,
            "%s:%d: columns %d, %d", r->file, p->line, p->column, p->width);
        free(line);
        check_part(a, p->what, TOLD_WHAT);
        check_part(a, p->edit, TOLD_EDIT);
    }
}

/* What lockstep lab says about a mistake. The caller frees it with free_answers. */
static struct answers answer_to(const struct mistake *m)
{
    struct session s;
    struct err e = {0};
    struct answers out = {0};
    uint64_t seed = 20261122;
    char *student = xasprintf("tests/mistakes/%s", m->directory);
    ck_assert_msg(!session_open(&s, "sim:h200", "clang", student, &seed, &e), "%s", e.text);
    s.rungs = 1;
    s.explains = &explainer;
    s.brief = m->says[0] && strstr(m->says[0], "ended early") ? 0.5 : BRIEF_SECONDS;
    const struct lab *lab = options_lab(m->lab, &e);
    ck_assert_msg(
        lab && !grade_labs(&s, lab, options_exercise(lab, m->exercise, &e), answer, &out, &e), "%s",
        e.text);
    session_close(&s);
    free(student);
    return out;
}

static void check_sentences(const struct mistake *m, const struct answers *a)
{
    char *flat = flattened(a->all.data), *brief = flattened(a->brief[TOLD_EDIT].data);
    for (int i = 0; i < 6 && m->says[i]; i++) {
        ck_assert_msg(strstr(flat, m->says[i]) != NULL, "%s: expected \"%s\" in:\n%s", m->mistake,
            m->says[i], a->all.data);
        /* the edit that mends a line fits the screen */
        if (strstr(m->says[i], ": `"))
            ck_assert_msg(strstr(brief, m->says[i]) != NULL, "%s: expected \"%s\" in:\n%s",
                m->mistake, m->says[i], a->brief[TOLD_EDIT].data);
    }
    for (int i = 0; i < 2 && m->never[i]; i++)
        ck_assert_msg(!strstr(flat, m->never[i]), "%s: not \"%s\" in:\n%s", m->mistake, m->never[i],
            a->all.data);
    free(flat), free(brief);
}

static void check_height(const struct mistake *m, const struct buf *brief)
{
    int lines = 0;
    for (size_t i = 0; i < brief->len; i++) lines += brief->data[i] == '\n';
    ck_assert_msg(lines <= 19, "%s: %d lines:\n%s", m->directory, lines, brief->data);
}

/* Is the line quoted from the source or a compiler? Those keep their length. */
static int is_quoted(const char *line)
{
    return strstr(line, ".cu:") || strstr(line, " | ") || strpbrk(line, ";^");
}

/* Lines that are not quoted fit 80 columns and are indented by 0, 2, ... 12. Cuts the text into
 * lines (strtok). */
static void check_layout(const struct mistake *m, struct buf *out)
{
    int marked = 0;
    for (char *line = strtok(out->data, "\n"); line; line = strtok(NULL, "\n")) {
        size_t indent = strspn(line, " ");
        int suggested = marked; /* the edit that a compiler suggests, below its caret */
        marked = strchr(line, '^') != NULL;
        if (suggested || is_quoted(line)) continue;
        ck_assert_msg(strlen(line) <= 80, "%s: too long: %s", m->directory, line);
        ck_assert_msg(
            indent <= 12 && indent % 2 == 0, "%s: not in a column: %s", m->directory, line);
    }
}

START_TEST(a_mistake_is_told_what_it_is_soon_and_in_80_columns)
{
    /* under the sanitizers a few, of all labs; there a search ends before it finds the cause */
    int sanitized = getenv("LOCKSTEP_SANITIZED") != NULL;
    const struct mistake *m = &mistakes[sanitized ? _i * MISTAKES / SANITIZED : _i * stride()];
    struct answers out = answer_to(m);
    if (!sanitized) check_sentences(m, &out);
    for (int i = TOLD_WHERE; i <= TOLD_EDIT; i++) check_height(m, &out.brief[i]);
    check_layout(m, &out.all);
    for (int i = TOLD_WHERE; i <= TOLD_EDIT; i++) check_layout(m, &out.brief[i]);
    free_answers(&out);
}
END_TEST

START_TEST(no_mistake_is_forgotten)
{
    char line[512];
    FILE *p = popen("cd tests/mistakes && find . -name '*.cu' -o -name '*.c'", "r");
    int files = 0;
    while (fgets(line, sizeof line, p)) {
        char directory[128], lab[128], name[128];
        int known = 0;
        ck_assert_int_eq(sscanf(line, "./%127[^/]/%127[^/]/%127[^.]", directory, lab, name), 3);
        for (size_t i = 0; i < MISTAKES; i++)
            known |= !strcmp(mistakes[i].directory, directory) && !strcmp(mistakes[i].lab, lab) &&
                     !strcmp(mistakes[i].exercise, name);
        ck_assert_msg(known, "tests/mistakes/%s is in no row of the table", line + 2);
        files++;
    }
    pclose(p);
    ck_assert_int_eq(files, MISTAKES);
}
END_TEST

/* ---- words ---- */

START_TEST(every_limit_is_explained)
{
    for (int i = PART_NONE + 1; i < MODEL_PARTS; i++)
        ck_assert_msg(
            terms_find(model_part_names[i]) != NULL, "%s is not explained", model_part_names[i]);
    ck_assert_str_eq(terms_find("Bank-Conflict")->name, "bank conflict");
    ck_assert_str_eq(terms_find("sectors")->name, "sector");
    ck_assert_ptr_null(terms_find("nonsense"));
    ck_assert_ptr_null(terms_find(""));
}
END_TEST

START_TEST(the_words_of_the_labs_are_explained_each_in_one_place)
{
    static const char *const words[] = {"swizzle", "fence", "phase", "parity", "async copy",
        "stage", "wgmma", "mbarrier", "arrivals", "read only", "constant", "technique", "split-k",
        "roles", "tensor map", "TMA", "descriptor", "__pipeline_commit", "float4", "Little's law",
        "half", "padding", "slab", "setmaxnreg", "multicast", "roofline", "hmma", "gmma", "ldgsts",
        "wait_group", "launch bounds", "unroll", "multiply-add", "prediction", "limited by",
        "COVERS", "ROLLED", "PREDICT", "LAUNCH_SHARED"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(terms_find(words[i]) != NULL, "%s is not explained", words[i]);
    for (size_t i = 0; terms_at(i); i++) {
        const struct term *t = terms_at(i);
        ck_assert_msg(terms_find(t->name) == t, "%s is explained twice", t->name);
        for (const char *at = t->others; *at; at += strcspn(at, ","), at += *at == ',') {
            char word[64];
            at += strspn(at, " ");
            snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
            ck_assert_msg(terms_find(word) == t, "%s of %s is explained twice", word, t->name);
        }
    }
}
END_TEST

START_TEST(colour_is_for_terminals)
{
    struct screen grey = {80, 0}, red = {80, 1};
    struct buf out = {0};
    screen_ink(&grey, &out, INK_BAD);
    ck_assert_int_eq(out.len, 0);
    screen_ink(&red, &out, INK_BAD);
    ck_assert_str_eq(out.data, "\033[1;31m");
    buf_free(&out);
    setenv("COLUMNS", "100", 1);
    ck_assert_int_eq(screen_of(-1).width, 100);
    ck_assert_int_eq(screen_of(-1).colour, 0);
    setenv("COLUMNS", "5", 1);
    ck_assert_int_eq(screen_of(-1).width, 40);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mistakes");
    TCase *c = tcase_create("mistakes");
    tcase_set_timeout(c, 0);
    /* In bubblewrap only wall-clock time is known of a compiler, which other tests prolong. */
    setenv("LOCKSTEP_SANDBOX", "landlock", 1);
    tcase_add_loop_test(c, a_mistake_is_told_what_it_is_soon_and_in_80_columns, 0,
        getenv("LOCKSTEP_SANITIZED") ? SANITIZED : (MISTAKES + stride() - 1) / stride());
    tcase_add_test(c, no_mistake_is_forgotten);
    tcase_add_test(c, every_limit_is_explained);
    tcase_add_test(c, the_words_of_the_labs_are_explained_each_in_one_place);
    tcase_add_test(c, colour_is_for_terminals);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
