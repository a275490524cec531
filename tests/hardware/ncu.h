/* ncu.h - run NVIDIA's profiler (Nsight Compute) around a command of this program.
 *
 * ncu reads counters in several passes over each launch and empties the caches before each pass.
 * The clocks stay as they are.
 */
#ifndef LOCKSTEP_HARDWARE_NCU_H
#define LOCKSTEP_HARDWARE_NCU_H

#include "base/base.h"

struct ncu {
    const char *program; /* "ncu" or its path; owned by the caller */
    char *self;          /* path of this program */
    char log[32];        /* path of the file that ncu wrote last */
};

/* Set up n. program is "ncu" or a path. Close it after use. */
int ncu_open(struct ncu *n, const char *program, struct err *e);
/* Free what n owns. keep_log: leave the log in place, since an error names it. */
void ncu_close(struct ncu *n, int keep_log);
/* Run ncu with these metrics (names separated by commas) around `lockstep-hardware COMMAND`;
 * command ends at NULL. ncu writes its table, a line per launch, to n->log. With details, a
 * metric that has a value per opcode is a cell such as "5 (LDG: 3; STG: 2)". Returns ncu's exit
 * status, or -1 if it could not be started. */
int ncu_run(const struct ncu *n, const char *metrics, int details, const char *const *command,
    struct err *e);

#endif
