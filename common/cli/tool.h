/* tool.h - the tools of CUDA by their names: nvidia-smi, nsys, nvprof, ncu, compute-sanitizer.
 *
 *     a link `ncu` to the program lockstep -- tool_main --> tool_ncu: options, program -- tool_run --┐
 *     the program with LOCKSTEP_TRACE, LOCKSTEP_JSON --> timeline, report --> the tool's tables    <-┘
 *
 * Private to cli/. */
#ifndef LOCKSTEP_CLI_TOOL_H
#define LOCKSTEP_CLI_TOOL_H

#include "cli/cli.h"

command tool_smi, tool_nsys, tool_nvprof, tool_ncu;

/* An option of a tool. It has two names, of which the second may be NULL. value NULL: the option
 * has no effect here. */
struct tool_option {
    const char *name, *other;
    int has_value;
    const char **value; /* where its value is stored; for an option without a value, "" is stored */
};
/* Read the options before the program. Unknown ones are taken for flags without an effect. Returns
 * the index of the program in argv; -1 with ERR_USAGE: there is none. */
int tool_options(
    int argc, char **argv, const struct tool_option *options, const char *usage, struct err *e);

/* A program that has run. */
struct tool_run {
    int status;     /* its exit status */
    json_t *events; /* array of the timeline's events */
    json_t *report; /* the report, as LOCKSTEP_JSON writes it */
    const struct model_profile *gpu;
};
/* Run a program with its arguments, which end with NULL. counted: each launch has counters. -1 with
 * an error: it could not be started, or it made no call of the kit's runtime. */
int tool_run(char **argv, int counted, struct tool_run *out, struct err *e);
void tool_run_free(struct tool_run *r);
/* The simulated GPU on which programs run. NULL with an error: they run on a real GPU. */
const struct model_profile *tool_gpu(struct err *e);
/* Is the event of this category, such as "kernel", "memcpy" or "memset"? */
int tool_event_is(const json_t *event, const char *category);

/* A table of text; the first row is its head. Fill it cell by cell, row by row. */
struct table {
    int columns;
    char **cell;
    size_t count, cap;
};
void table_add(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Print the table, and free it. align: one letter per column, l or r; between: what separates
 * columns. framed: lines above the head and below the last row as well. */
void table_print(
    struct table *t, const char *align, const char *indent, const char *between, int framed);
/* A number with commas between thousands, as "1,234.5". The text stays valid for the next seven
 * calls. */
const char *tool_number(double v, int digits);

#endif
