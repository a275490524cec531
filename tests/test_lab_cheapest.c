/* test_lab_cheapest.c - for every exercise the cheapest technique that is right and is not the one
 * that it teaches: it earns something, and at most half of the points. */
#include "cli/cli.h"
#include "explain/explain.h"
#include "exercise/compile.h"
#include "judge/judge.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct cheap {
    const char *lab, *exercise, *technique;
    const char *file; /* what is handed in */
    int guess; /* the number that replaces the word UNKNOWN in the file; 0: nothing is replaced */
    const char *says; /* a part of the message */
    /* what is changed in the file, which is a solution; its predictions then become UNKNOWN */
    struct edit {
        const char *from, *to;
    } edits[3];
} cheapest[] = {
#include "wrong/cheapest.h"
};
enum { ROWS = sizeof cheapest / sizeof *cheapest };

/* The file's text, with the guess in place of each UNKNOWN. */
static void guessed(const struct cheap *c, struct buf *out)
{
    char *text = NULL;
    struct err e;
    ck_assert_msg(!file_read(c->file, SOURCE_MAX, &text, NULL, &e), "%s", e.text);
    const char *from = text, *at;
    while (c->guess && (at = strstr(from, "UNKNOWN"))) {
        buf_add(out, from, (size_t)(at - from));
        buf_printf(out, "%d", c->guess);
        from = at + strlen("UNKNOWN");
    }
    buf_printf(out, "%s", from);
    free(text);
}

/* Replace text from at to end by another. */
static void replace(struct buf *text, size_t at, size_t end, const char *by)
{
    char *rest = xstrdup(text->data + end);
    text->len = at;
    buf_printf(text, "%s%s", by, rest);
    free(rest);
}

static void edited(const struct cheap *c, struct buf *text)
{
    size_t from = 0;
    const char *at;
    for (const struct edit *x = c->edits; x < c->edits + 3 && x->from; x++) {
        ck_assert_msg(
            (at = strstr(text->data, x->from)) != NULL, "%s: no \"%s\"", c->file, x->from);
        size_t place = (size_t)(at - text->data);
        replace(text, place, place + strlen(x->from), x->to);
    }
    while (c->edits[0].from && (at = strstr(text->data + from, "\nPREDICT("))) {
        from = (size_t)(strchr(at, ',') - text->data);
        replace(text, from, (size_t)(strchr(at + 1, '\n') - text->data), ", UNKNOWN)");
    }
}

/* Writes a submission that consists of that file. */
static void hand_in(const struct cheap *c, const char *root)
{
    struct buf text = {0};
    struct err e;
    char *lab = xasprintf("%s/%s", root, c->lab),
         *file = xasprintf("%s/%s%s", lab, c->exercise, strrchr(c->file, '.'));
    guessed(c, &text);
    edited(c, &text);
    ck_assert_int_eq(mkdir(lab, 0777), 0);
    ck_assert_msg(!file_write(file, text.data, text.len, &e), "%s", e.text);
    buf_free(&text);
    free(file), free(lab);
}

struct attempt {
    const struct cheap *of;
    int last, passed;
};

static void earns_at_most_half(void *context, const struct result *r)
{
    struct attempt *a = context;
    const struct cheap *c = a->of;
    const char *message = r->message.data ? r->message.data : "";
    a->passed = r->status == STATUS_FAILED && r->score > 0 && r->score <= r->max_score / 2.0;
    if (!a->passed && !a->last) return;
    ck_assert_msg(r->status == STATUS_FAILED && r->score > 0 && r->score <= r->max_score / 2.0,
        "%s %s, %s: %s, %g of %d: %s", c->lab, c->exercise, c->technique, status_names[r->status],
        r->score, r->max_score, message);
    ck_assert_msg(strstr(message, c->says) != NULL, "%s %s, %s: expected \"%s\" in: %s", c->lab,
        c->exercise, c->technique, c->says, message);
}

START_TEST(another_technique_earns_at_most_half)
{
    const struct cheap *c = &cheapest[_i];
    char root[] = "/tmp/test_lab_cheapest.XXXXXX";
    struct session s;
    struct err e = {0};
    const uint64_t seed = 20261128;
    ck_assert_ptr_nonnull(mkdtemp(root));
    hand_in(c, root);
    ck_assert_msg(!session_open(&s, "sim:h200", NULL, root, &seed, &e), "%s", e.text);
    s.explains = &explainer;
    const struct lab *lab = options_lab(c->lab, &e);
    const struct exercise *x = lab ? options_exercise(lab, c->exercise, &e) : NULL;
    ck_assert_msg(x != NULL, "%s", e.text);
    /* Host C is timed on this machine, where other work may disturb a pair of times. */
    struct attempt a = {.of = c};
    for (int left = x->kind == EXERCISE_HOST ? 5 : 1; left && !a.passed; left--) {
        a.last = left == 1;
        ck_assert_msg(!grade_labs(&s, lab, x, earns_at_most_half, &a, &e), "%s", e.text);
    }
    session_close(&s);
    char *command = xasprintf("rm -r '%s'", root);
    ck_assert_int_eq(system(command), 0);
    free(command);
}
END_TEST

START_TEST(every_exercise_has_a_row)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            int rows = 0;
            for (int i = 0; i < ROWS; i++)
                rows +=
                    !strcmp(cheapest[i].lab, (*l)->name) && !strcmp(cheapest[i].exercise, x->name);
            ck_assert_msg(
                rows > 0, "%s %s has no row in tests/wrong/cheapest.h", (*l)->name, x->name);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cheapest");
    TCase *c = tcase_create("cheapest");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, every_exercise_has_a_row);
    if (!getenv("LOCKSTEP_SANITIZED")) /* the same code runs in test_lab_grade.c */
        tcase_add_loop_test(c, another_technique_earns_at_most_half, 0, ROWS);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
