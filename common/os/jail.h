/* jail.h - private to os/: how spawn_run restricts what a program can access. */
#ifndef LOCKSTEP_OS_JAIL_H
#define LOCKSTEP_OS_JAIL_H

#include "os/os.h"

/* Append the command line that runs argv under bubblewrap. */
void jail_wrap(struct words *w, const char *bwrap, const struct jail *j, const char *const *argv);
const char *jail_bwrap(void); /* path of bwrap if bubblewrap is the level used here; else NULL */

/* Call in the child, before exec: makes the network, and all paths that the jail does not list,
 * inaccessible. -1: not possible here. Async-signal-safe. */
int jail_landlock(const struct jail *j);
int jail_landlock_works(void);
/* The system's paths that compilers need, terminated by NULL. */
extern const char *const jail_system_paths[];

/* Call in a child: enters the cgroup of cgroup_open, if there is one. Async-signal-safe. */
void cgroup_join(void);

/* Add seconds to the result of os_children_seconds (timeout.c). */
void os_count_hidden(double seconds);

#endif
