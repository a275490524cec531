/* isolate.h - work in a process of its own, so that whatever happens to it there, the kit goes on.
 *
 *     parent ── fork ──> child: work ── notes, one reply ──> a private pipe ──> parent, with a watchdog
 */
#ifndef LOCKSTEP_LAB_ISOLATE_H
#define LOCKSTEP_LAB_ISOLATE_H

#include "base/base.h"

/* What the child does: 0 with its reply, or -1 with an error, which becomes the parent's. */
typedef int isolated(void *context, struct buf *reply, struct err *e);

enum { ISOLATE_REPLY_MAX = 4 << 20 };

/* Run work in a child and take its reply. silence: the most seconds between two notes, or a note and the reply; then the
 * child is killed. A child that dies or falls silent is ERR_LEARNER, named by its last note, and ERR_ENV where it had sent
 * none: nothing of a learner's had been started by then. */
int isolate_run(isolated *work, void *context, double silence, struct buf *reply, struct err *e);

/* In work: what begins now, as the subject of a sentence ("matmul, m = 1024, k = 3, n = 7"). Does nothing elsewhere. */
void isolate_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
