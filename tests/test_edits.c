/* test_edits.c - which mistakes are suspected in a wrong kernel, in which order they are tried, and
 * in which words each would be reported. Nothing is compiled or run: tests/edits/NAME.cu is read,
 * with NAME.solution.cu where that is known, and the lists of edits are kept in NAME.txt.
 *
 *     0.55 k.cu:6: `i <= n` goes one too far: with `i < n`        cost, then the sentence
 *
 * The lines of a list stand in the order in which a search tries them. */
#include "explain/repair.h"
#include "golden.h"

enum { TEXT_MAX = 1 << 16, MOST = 450, PLACED = 24 };

static const struct wrong {
    const char *name, *problem;
    struct finding found;
    unsigned block[2], covers[2];
    int solved; /* the search is given NAME.solution.cu */
    int missed; /* the kernel is right and misses a budget */
} wrongs[] = {
    {"copy", "copy", {.kind = FOUND_OUTSIDE, .line = 8}, {32, 8}, {32, 32}, 0, 0},
    {"tile", "transpose", {.kind = FOUND_RACE, .hints = HINT_BARRIER, .line = 9}, {32, 32},
        {32, 32}, 1, 0},
    {"polynomial", "copy_all", {.kind = FOUND_NOT_WRITTEN}, {128, 1}, {128, 1}, 1, 0},
    {"words", "copy_all", {0}, {64, 1}, {64, 1}, 0, 0},
    {"rest", "copy", {.kind = FOUND_NOT_WRITTEN, .hints = HINT_BLOCK}, {32, 8}, {32, 32}, 0, 0},
    {"budget", "copy", {.line = 5}, {32, 8}, {32, 32}, 0, 1},
};

/* The text of the file tests/edits/NAME followed by `end`. The caller frees it. */
static char *text_of(const char *name, const char *end)
{
    struct err e;
    size_t len;
    char *text = NULL, *path = xasprintf("tests/edits/%s%s", name, end);
    ck_assert_msg(!file_read(path, TEXT_MAX, &text, &len, &e), "%s", e.text);
    free(path);
    return text;
}

/* Print a list of edits; sentences that differ only in the replacement share a line. */
static void put_list(struct edits *l, const char *title, struct buf *to)
{
    edits_sort(l, MOST);
    if (l->count) buf_printf(to, "\n%s\n", title);
    size_t begin = to->len, same = 0;
    for (size_t i = 0; i < l->count; i++) {
        struct buf one = {0};
        buf_printf(&one, "%.2f ", l->list[i].cost);
        struct cause cause = {0};
        repair_say(l->code, &l->list[i], &cause);
        const struct cause_place *p = &cause.places[0];
        buf_printf(&one, "%d:%d-%d %s: %s%s", p->line, p->column, p->column + p->width - 1, p->what,
            p->edit, l->list[i].solves ? " (as solved)" : "");
        cause_free(&cause);
        const char *with = strstr(one.data, ": with `");
        size_t shared = with ? (size_t)(with - one.data) + strlen(": with") : 0;
        if (shared && shared == same && !memcmp(one.data, to->data + begin, shared)) {
            buf_printf(to, ",%s", one.data + shared);
        } else {
            if (i) buf_add(to, "\n", 1);
            begin = to->len, same = shared;
            buf_add(to, one.data, one.len);
        }
        buf_free(&one);
    }
    if (l->count) buf_add(to, "\n", 1);
}

/* Print the file with the likeliest edits in it, one of which is chosen when it runs. */
static void put_slots(struct edits *l, const char *kernel, struct buf *to)
{
    struct slots slots;
    int apart = 0;
    slots_find(&slots, l->code);
    for (size_t i = 0; i < l->count && i < PLACED; i++) {
        slots_place(&slots, &l->list[i]);
        apart += l->list[i].place_count < 0;
    }
    buf_printf(to, "\nthe first %d in one file, but for %d\n", PLACED, apart);
    slots_write(&slots, kernel, to);
    slots_free(&slots);
}

START_TEST(every_mistake_is_thought_of_in_its_order_and_words)
{
    const struct wrong *w = &wrongs[_i];
    struct effort effort;
    const struct metrics none = {0};
    const struct step step = {.kernel = "k", .problem = w->problem};
    const struct compiled compiled = {.file = "k.cu"};
    struct bound_kernel bound = {
        .step = &step, .block = {w->block[0], w->block[1]}, .covers = {w->covers[0], w->covers[1]}};
    struct repair_case c = {.compiled = &compiled,
        .bound = &bound,
        .step = &step,
        .found = w->found,
        .now = w->missed ? &none : NULL,
        .effort = &effort};
    struct code code = {0}, solution = {0};
    struct edits lists[LISTS];
    struct buf out = {0};
    char *source = text_of(w->name, ".cu"),
         *solved = w->solved ? text_of(w->name, ".solution.cu") : NULL;
    ck_assert_int_eq(repair_edits(&c, source, solved, &code, &solution, lists), 0);
    put_list(&lists[SOLVED], "toward the solution", &out);
    put_list(&lists[OTHERS], "all others", &out);
    put_slots(&lists[OTHERS], step.kernel, &out);
    char *path = xasprintf("tests/edits/%s.txt", w->name);
    golden_check(path, out.data);
    for (int i = 0; i < LISTS; i++) edits_free(&lists[i]);
    code_free(&code), code_free(&solution), buf_free(&out);
    free(path), free(source), free(solved);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("edits");
    TCase *c = tcase_create("edits");
    tcase_add_loop_test(
        c, every_mistake_is_thought_of_in_its_order_and_words, 0, sizeof wrongs / sizeof *wrongs);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
