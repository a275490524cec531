/* test_options.c - options of the command line, names of labs and exercises, and the table of
 * labs. */
#include "exercise/exercise.h"
#include "cli/cli.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

START_TEST(options_are_parsed_strictly)
{
    const char *device = NULL, *check = NULL, *rest[1] = {NULL};
    const struct option_spec specs[] = {{"--device", &device}, {"--check", &check, 1}, {0}};
    struct err e;
    ck_assert_int_eq(
        options_parse(3, (char *[]){"--device", "sim:h200", "02"}, specs, rest, 1, &e), 1);
    ck_assert_str_eq(device, "sim:h200");
    ck_assert_str_eq(rest[0], "02");
    ck_assert_int_eq(
        options_parse(2, (char *[]){"--device=sim:tiny", "--check"}, specs, rest, 1, &e), 0);
    ck_assert_str_eq(device, "sim:tiny");
    ck_assert_ptr_nonnull(check);
    ck_assert_int_eq(options_parse(1, (char *[]){"--device"}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(options_parse(1, (char *[]){"--device="}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(options_parse(1, (char *[]){"--what"}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(options_parse(1, (char *[]){"--check=1"}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(options_parse(2, (char *[]){"a", "b"}, specs, rest, 1, &e), -1);
    ck_assert_int_eq(e.kind, ERR_USAGE);
    uint64_t n;
    ck_assert_int_eq(options_number("--seed", "17", 100, &n, &e), 0);
    ck_assert_uint_eq(n, 17);
    ck_assert_int_eq(options_number("--seed", "-1", 100, &n, &e), -1);
    ck_assert_int_eq(options_number("--seed", "101", 100, &n, &e), -1);
    ck_assert_int_eq(options_number("--seed", "x", 100, &n, &e), -1);
    ck_assert_int_eq(options_format("json", &e), 1);
    ck_assert_int_eq(options_format("html", &e), -1);
}
END_TEST

START_TEST(labs_are_found_by_number_and_name)
{
    struct err e;
    ck_assert_str_eq(options_lab("02", &e)->name, "02-coalesced");
    ck_assert_str_eq(options_lab("2", &e)->name, "02-coalesced");
    ck_assert_str_eq(options_lab("02-coalesced", &e)->name, "02-coalesced");
    ck_assert_ptr_null(options_lab("99", &e));
    ck_assert_ptr_null(options_lab("", &e));
    ck_assert_int_eq(e.kind, ERR_USAGE);
    ck_assert_ptr_nonnull(options_exercise(options_lab("1", &e), "matmul", &e));
    ck_assert_ptr_null(options_exercise(options_lab("1", &e), "nothing", &e));
    ck_assert_ptr_nonnull(strstr(e.text, "matmul"));
}
END_TEST

START_TEST(ladders_run_in_the_order_of_the_labs)
{
    struct err e;
    struct rung before;
    const struct lab *naive = options_lab("1", &e), *coalesced = options_lab("2", &e);
    const struct exercise *first = options_exercise(naive, "matmul", &e),
                          *second = options_exercise(coalesced, "matmul", &e);
    ck_assert_int_eq(ladder_before(naive, first, 0, &before), -1);
    ck_assert_int_eq(ladder_before(coalesced, second, 0, &before), 0);
    ck_assert_ptr_eq(before.exercise, first);
}
END_TEST

START_TEST(the_table_of_labs_is_sane)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            int steps = exercise_steps(x), predictions = 0;
            ck_assert_int_ge(steps, 1);
            ck_assert_int_gt(exercise_max_points(x), 0);
            for (int i = 0; i < steps; i++) {
                const struct step *s = &x->steps[i];
                int budgets = 0;
                const struct problem *p = problem_find(s->problem);
                ck_assert_msg(p != NULL, "%s %s: problem %s", (*l)->name, x->name, s->problem);
                for (int d = 0; d < problem_dims(p); d++) ck_assert_int_ge(s->dims[d], 1);
                for (const struct budget *b = s->budgets; b && b->why; b++) budgets++;
                ck_assert_int_le(budgets, BUDGETS_MAX);
                if (s->rung)
                    ck_assert_msg(strlen(s->rung) <= RUNG_LONGEST, "%s is too long", s->rung);
            }
            for (const struct prediction *p = x->predictions; p && p->name; p++, predictions++)
                ck_assert_int_lt(p->step, steps);
            ck_assert_int_le(predictions, PREDICTIONS_MAX);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *c = tcase_create("options");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, options_are_parsed_strictly);
    tcase_add_test(c, labs_are_found_by_number_and_name);
    tcase_add_test(c, ladders_run_in_the_order_of_the_labs);
    tcase_add_test(c, the_table_of_labs_is_sane);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
