/* profile.h - private to common/cli: what profile.c and profile_before.c share.
 *
 *     --before TEXT -- before_open --> a file, a lab, an earlier run -- before_step, before_file --> profile
 */
#ifndef LOCKSTEP_CLI_PROFILE_H
#define LOCKSTEP_CLI_PROFILE_H

#include "cli/cli.h"

/* The command line. An option that was not given is NULL. */
struct profile_request {
    const char *kernel, *grid, *block, *shared, *device, *front, *json, *map, *svg, *html, *student,
        *ptx;
    const char *lab, *exercise, *before, *recorded;
    const char *words[ARGS_MAX + 1]; /* the file, then the kernel's arguments */
    int count;
};

/* The members that only depend on the build. They point into it, so the build must outlive the
 * profile. */
struct profile profile_of(const struct build *b);
/* Launch a step of an exercise at a size, or the kernel that the command line describes, and fill
 * in p, which profile_of made. The caller frees p's members with profile_close whether they succeed
 * or not. */
int profile_step(struct build *b, int step, const int dims[DIMS], struct profile *p, struct err *e);
int profile_file(const struct profile_request *q, const struct build *b, const char *kernel,
    struct profile *p, struct err *e);
void profile_close(struct profile *p);
/* Print what the command line asks for; write its files. */
int profile_report(
    const struct profile_request *q, const struct profile *p, int count, struct err *e);
/* Report on a launch that a whole program has recorded (profile_recorded.c). */
int profile_recorded(const struct profile_request *q, struct err *e);

/* The profiles to compare with, which it owns. */
struct before {
    const char *text;      /* as given; NULL: nothing to compare with */
    char *file;            /* the file of kernels; NULL: it is something else */
    const struct lab *lab; /* a rung */
    json_t *root;          /* an earlier run */
    struct profile *earlier;
    int earlier_count;
    struct build builds[STEPS_MAX]; /* and the launches of their kernels */
    struct profile made[STEPS_MAX];
    int count;
};
/* text may be NULL. rungs: may a lab be named? -1 with ERR_USAGE. The caller closes b in any
 * case. */
int before_open(
    struct before *b, const struct workbench *w, const char *text, int rungs, struct err *e);
void before_close(struct before *b);
/* The profile to compare a step with, at that step's size: the same kernel, else one for the same
 * problem. *out is NULL if there is none, or nothing to compare with. */
int before_step(struct before *b, struct workbench *w, const struct exercise *x, int step,
    const struct profile **out, struct err *e);
/* The same for the kernel of the command line. */
int before_file(struct before *b, struct workbench *w, const struct profile_request *q,
    const struct profile **out, struct err *e);
/* The error for an exercise of which no step has anything to compare with. Always -1. */
int before_nothing(const struct before *b, const struct exercise *x, struct err *e);

#endif
