/* cli.h - the program lockstep: a file a command, main.c is their table. The second program, in tests/hardware, has a table of its own.
 *
 * A command gets what follows its name. It prints to stdout and returns 0, or -1 with an error whose kind is the exit code.
 */
#ifndef LOCKSTEP_CLI_H
#define LOCKSTEP_CLI_H

#include "view/view.h"

typedef int command(int argc, char **argv, struct err *e);
command command_lab, command_grade, command_profile, command_compare, command_figure, command_transfers, command_metrics, command_devices,
    command_bench;

struct program {
    const char *name;
    const struct program_command {
        const char *name; /* NULL after the last */
        command *run;
        const char *arguments, *does; /* arguments: a line each way to call it */
    } *commands;
};
/* What main returns: the exit code. */
int program_run(const struct program *p, int argc, char **argv);

/* ---- options (options.c) ---- */

/* --name VALUE or --name=VALUE. A flag (has no value) sets *value to "". */
struct option_spec {
    const char *name;   /* "--device"; NULL after the last */
    const char **value;
    int is_flag;
};
/* Sets the values; what is no option goes to rest, at most rest_max of it. Returns how many, or -1 with ERR_USAGE. */
int options_parse(int argc, char **argv, const struct option_spec *specs, const char **rest, int rest_max, struct err *e);
/* A lab by number or name: "2", "02", "02-coalesced". NULL with ERR_USAGE, naming those there are. */
const struct lab *options_lab(const char *text, struct err *e);
/* An exercise of a lab by name. */
const struct exercise *options_exercise(const struct lab *lab, const char *text, struct err *e);
/* "text" or "json": is it json? -1 with ERR_USAGE for anything else. NULL is text. */
int options_format(const char *text, struct err *e);
/* A whole number without sign in [0, max]. */
int options_number(const char *name, const char *text, uint64_t max, uint64_t *out, struct err *e);

#endif
