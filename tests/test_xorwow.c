/* test_xorwow.c - cuRAND's XORWOW: each entry of its tables is the polynomial that the recurrence
 * makes.
 *
 *     16 steps one by one = x^16;   x^(16^i), 16 times = x^(16^(i + 1));   x^(16^15) is 2^60 steps,
 *     128 times = 2^67: the first of the subsequences' table
 */
#include "cuda/stubs/curand_xorwow.h"
#include "suite.h"

#include <string.h>

/* Any state but 0: the recurrence has the full period, so two jumps that agree on it agree on
 * all. */
static const unsigned START[5] = {123456789u, 362436069u, 521288629u, 88675123u, 5783321u};

enum { DIGITS = 16 };

/* The table's entry for digit k at place i jumps as far as k jumps by its entry for 1 there. */
static void check_digits(const unsigned *table, int place)
{
    unsigned slow[5];
    memcpy(slow, START, sizeof slow);
    for (unsigned k = 1; k < DIGITS; k++) {
        unsigned fast[5];
        memcpy(fast, START, sizeof fast);
        lockstep_xorwow_jump_(slow, table, 1ull << 4 * place);
        lockstep_xorwow_jump_(fast, table, (unsigned long long)k << 4 * place);
        ck_assert_msg(!memcmp(slow, fast, sizeof slow), "place %d, digit %u", place, k);
    }
}

/* The table's entry for 1 at place i jumps as far as `count` jumps of n steps by the table `by`. */
static void check_repeated(
    const unsigned *by, unsigned long long n, int count, const unsigned *table, int place)
{
    unsigned slow[5], fast[5];
    memcpy(slow, START, sizeof slow);
    memcpy(fast, START, sizeof fast);
    for (int i = 0; i < count; i++) lockstep_xorwow_jump_(slow, by, n);
    lockstep_xorwow_jump_(fast, table, 1ull << 4 * place);
    ck_assert_msg(!memcmp(slow, fast, sizeof slow), "place %d", place);
}

START_TEST(a_jump_is_as_many_steps)
{
    unsigned slow[5], fast[5];
    memcpy(slow, START, sizeof slow);
    for (unsigned n = 1; n <= 70000; n++) {
        lockstep_xorwow_step_(slow);
        if (n > 300 && n % 997) continue;
        memcpy(fast, START, sizeof fast);
        lockstep_xorwow_jump_(fast, lockstep_xorwow_by_one_, n);
        ck_assert_msg(!memcmp(slow, fast, sizeof slow), "%u steps", n);
    }
}
END_TEST

START_TEST(each_entry_follows_from_those_before)
{
    const unsigned *one = lockstep_xorwow_by_one_, *sequence = lockstep_xorwow_by_sequence_;
    for (int place = 0; place < DIGITS; place++)
        check_digits(one, place), check_digits(sequence, place);
    for (int place = 1; place < DIGITS; place++) {
        check_repeated(one, 1ull << 4 * (place - 1), 16, one, place);
        check_repeated(sequence, 1ull << 4 * (place - 1), 16, sequence, place);
    }
    check_repeated(one, 1ull << 60, 128, sequence, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("xorwow");
    TCase *c = tcase_create("tables");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, a_jump_is_as_many_steps);
    tcase_add_test(c, each_entry_follows_from_those_before);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
