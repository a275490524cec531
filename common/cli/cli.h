/* cli.h - the program lockstep: one file per command; main.c holds their table.
 *
 *     main: table of commands --> program_run --> command_lab, command_grade, ... --> stdout, or an error
 *
 * A command gets the words that follow its name. It prints to stdout and returns 0, or 1 if what it
 * was asked to run failed, or -1 with an error. The second program, lockstep-hardware in
 * tests/hardware, has its own table and uses the same program_run and options.
 */
#ifndef LOCKSTEP_CLI_H
#define LOCKSTEP_CLI_H

#include "step/step.h"
#include "view/view.h"

typedef int command(int argc, char **argv, struct err *e);
command command_lab, command_grade, command_profile, command_compare, command_figure,
    command_transfers, command_metrics, command_devices, command_explain, command_step,
    command_learn, command_run;

/* A program: its name and its commands. The strings are static. */
struct program {
    const char *name;
    const char *described; /* the commit it was built from, as git describe names it; "": unknown */
    const struct program_command {
        const char *name; /* NULL after the last */
        command *run;
        /* arguments: a line for each way to call it, after them lines like "ARGUMENT: i32:N
         * f32:X" */
        const char *arguments, *does;
    } * commands;
    /* lines before the list of commands, where help was asked for; NULL: none */
    const char *about;
};
/* Run the command that argv names, or print help. Returns the exit code: 0 done, 2 for ERR_USAGE, 1
 * for other errors. */
int program_run(const struct program *p, int argc, char **argv);

/* ---- what two commands print (lab.c, predictions.c) ---- */

/* Print an exercise as lockstep lab does. */
void lab_show(const struct session *s, const struct result *r);
/* Append the predictions: a drawing for a wrong one, then what was counted. First guesses, points
 * and times go into the progress file of the session's directory, unless that is in the kit's
 * solutions/ or tests/. */
void predictions_show(struct buf *out, const struct session *s, const struct result *r);

/* ---- options (options.c) ---- */

/* --name VALUE or --name=VALUE. A flag takes no value; it sets *value to "". */
struct option_spec {
    const char *name; /* "--device"; NULL after the last */
    const char **value;
    int is_flag;
};
/* Set the values of the options. The other words go to rest, at most rest_max of them; returns how
 * many there are. -1 with ERR_USAGE. */
int options_parse(int argc, char **argv, const struct option_spec *specs, const char **rest,
    int rest_max, struct err *e);
/* Take -D NAME[=VALUE] and -DNAME[=VALUE] out of argv, and list them in defines, which ends at
 * NULL. Returns how many words remain. -1 with ERR_USAGE. */
int options_defines(int argc, char **argv, const char *defines[DEFINES_MAX + 1], struct err *e);
/* A lab by number or name: "2", "02", "02-coalesced". NULL with ERR_USAGE, which names the labs
 * there are. */
const struct lab *options_lab(const char *text, struct err *e);
/* An exercise of a lab by name. NULL with ERR_USAGE. */
const struct exercise *options_exercise(const struct lab *lab, const char *text, struct err *e);
/* 0 for "text" or NULL, 1 for "json", -1 with ERR_USAGE for anything else. */
int options_format(const char *text, struct err *e);
/* --sandbox: is the sandbox here at least of the level that is asked for, by name or as "require"?
 * NULL: any will do. -1 with ERR_USAGE or ERR_ENV. */
int options_sandbox(const char *wanted, struct err *e);
/* A whole number without sign in [0, max]. */
int options_number(const char *name, const char *text, uint64_t max, uint64_t *out, struct err *e);
/* "X[,Y[,Z]]" into out. An extent that is not given is 1. */
int options_extents(const char *name, const char *text, unsigned out[3], struct err *e);
/* Read "37,101" into the dimensions of a problem. */
int options_size(const char *text, const struct problem *p, int dims[DIMS], struct err *e);
/* A kernel of a file by its name in the source (profile.c). NULL with ERR_USAGE, which lists those
 * there are: there is none, or the name is a template's with several instances. */
struct kernel *profile_kernel(struct module *m, const char *name, const char *file, struct err *e);

#endif
