/* jail.h - private to os/: how spawn_run confines a program. */
#ifndef LOCKSTEP_OS_JAIL_H
#define LOCKSTEP_OS_JAIL_H

#include "os/os.h"

/* Append argv with bubblewrap's command line before it. */
void jail_wrap(struct words *w, const char *bwrap, const struct jail *j, const char *const *argv);
const char *jail_bwrap(void); /* the path of bwrap, if that is the level here; else NULL */

/* In the child, before exec: close all other paths and the network. -1: not to be had.
 * Async-signal-safe. */
int jail_landlock(const struct jail *j);

/* In a child: enter the cgroup of cgroup_open; nothing if there is none. Async-signal-safe. */
void cgroup_join(void);

/* Add to the result of os_children_seconds (timeout.c). */
void os_count_hidden(double seconds);

#endif
