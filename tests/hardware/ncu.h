/* ncu.h - NVIDIA's profiler around a command of this program.
 *
 * ncu reads counters in several passes over each launch, with the caches emptied before each; the clocks stay as they are.
 */
#ifndef LOCKSTEP_LAB_NCU_H
#define LOCKSTEP_LAB_NCU_H

#include "base/base.h"

struct ncu {
    const char *program;  /* "ncu", or where it is; the caller's */
    char *self;           /* this program */
    char log[32];         /* what it wrote last */
};

int ncu_open(struct ncu *n, const char *program, struct err *e);
/* keep_log: it is worth a look, and an error has named it. */
void ncu_close(struct ncu *n, int keep_log);
/* Run it with these metrics (names with commas between them) around `lockstep COMMAND`; command ends at NULL. Its table, a line a launch,
 * goes to n->log; with details, a metric that has a value an opcode is a cell "5 (LDG: 3; STG: 2)". Returns ncu's exit status, or -1
 * when it could not be started. */
int ncu_run(const struct ncu *n, const char *metrics, int details, const char *const *command, struct err *e);

#endif
