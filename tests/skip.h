/* skip.h - a test that this machine can't run says so, in a line that run.sh counts. */
#ifndef LOCKSTEP_TESTS_SKIP_H
#define LOCKSTEP_TESTS_SKIP_H

#include <stdio.h>
#include <unistd.h>

/* To stand in the test itself. Past stdio, whose buffer belongs to Check, of which the test is a child. */
#define SKIP(why)                                                                                                        \
    do {                                                                                                                 \
        dprintf(STDOUT_FILENO, "skip %s: %s\n", __func__, (why));                                                        \
        return;                                                                                                          \
    } while (0)

#endif
