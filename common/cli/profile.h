/* profile.h - private to cli/: shared by the files of lockstep profile.
 *
 *     --before TEXT -- before_open --> a file, a lab, an earlier run
 *                   -- before_step, before_file --> struct profile */
#ifndef LOCKSTEP_CLI_PROFILE_H
#define LOCKSTEP_CLI_PROFILE_H

#include "cli/cli.h"

/* The command line; an option that was not given is NULL. */
struct profile_request {
    const char *kernel, *grid, *block, *shared, *device, *front, *json, *map, *svg, *html, *student,
        *ptx, *pictures;
    const char *lab, *exercise, *before, *recorded;
    const char *words[ARGS_MAX + 1]; /* the file, then the kernel's arguments */
    int count;
};

/* A profile in which only the members that depend on the build are set. They point into the build,
 * which must outlive the profile. */
struct profile profile_of(const struct build *b);
/* Launch a step of an exercise at a size, or the kernel of the command line, and complete p,
 * which profile_of has made. The caller frees p with profile_close in any case. */
int profile_step(struct build *b, int step, const int dims[DIMS], struct profile *p, struct err *e);
int profile_file(const struct profile_request *q, const struct build *b, const char *kernel,
    struct profile *p, struct err *e);
void profile_close(struct profile *p);
/* Print the report that the command line requests, and write its files. */
int profile_report(
    const struct profile_request *q, const struct profile *p, int count, struct err *e);
/* Report on a launch recorded by a program's runtime (profile_recorded.c). */
int profile_recorded(const struct profile_request *q, struct err *e);

/* The profiles that a report compares with. This struct owns all of them. */
struct before {
    const char *text; /* the value of --before; NULL: there is nothing to compare with */
    char *file;       /* if --before names a file of kernels, its path; else NULL */
    /* the lab that --before names, whose solutions (in a handout, the learner's files) are compared
     * with; NULL: it names none */
    const struct lab *lab;
    json_t *root; /* if --before names an earlier run: the JSON of that run */
    struct profile *earlier;
    int earlier_count;
    struct build builds[STEPS_MAX]; /* builds of the kernels to compare with */
    struct profile made[STEPS_MAX];
    int count;
};
/* Read what --before names. text may be NULL. rungs: --before may name a lab. -1 with ERR_USAGE.
 * The caller closes b in any case. */
int before_open(
    struct before *b, const struct workbench *w, const char *text, int rungs, struct err *e);
void before_close(struct before *b);
/* The profile to compare a step with, launched at that step's size: the kernel of the same name,
 * else one for the same problem. *out is NULL if there is none. */
int before_step(struct before *b, struct workbench *w, const struct exercise *x, int step,
    const struct profile **out, struct err *e);
/* The profile to compare the kernel of the command line with. */
int before_file(struct before *b, struct workbench *w, const struct profile_request *q,
    const struct profile **out, struct err *e);
/* Set the error for an exercise of which no step has a profile to compare with. Returns -1. */
int before_nothing(const struct before *b, const struct exercise *x, struct err *e);

#endif
