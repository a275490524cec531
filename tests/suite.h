/* suite.h - included by every suite of tests: Check, SKIP for a test that this machine cannot run, and
 * suite_run, which ends main. */
#ifndef LOCKSTEP_TESTS_SUITE_H
#define LOCKSTEP_TESTS_SUITE_H

#include <check.h>
#include <stdio.h>
#include <unistd.h>

/* Leave the test that this stands in, with a line that run.sh counts. It goes past stdio, whose
 * buffer belongs to Check: the test is a child of Check's process. */
#define SKIP(why) \
    do { \
        dprintf(STDOUT_FILENO, "skip %s: %s\n", __func__, (why)); \
        return; \
    } while (0)

/* Runs a suite of tests and frees it. Returns main's exit status: 0 if all tests passed, 1 if
 * not. */
static inline int suite_run(Suite *suite)
{
    SRunner *r = srunner_create(suite);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}

#endif
