/* cli.h - the program lockstep: one file per command; main.c has their table.
 *
 *     main: table of commands --> program_run --> command_lab, command_grade, ... --> stdout, or an error
 *
 * A command gets the words after its name. It prints to stdout and returns 0; 1 if what it ran
 * has failed; or -1 with an error. The second program, lockstep-hardware in tests/hardware, has
 * a table of its own and uses the same program_run and options. */
#ifndef LOCKSTEP_CLI_H
#define LOCKSTEP_CLI_H

#include "step/step.h"
#include "view/view.h"

typedef int command(int argc, char **argv, struct err *e);
command command_lab, command_grade, command_profile, command_compare, command_figure,
    command_transfers, command_metrics, command_devices, command_explain, command_step,
    command_learn, command_labs, command_hint, command_slide, command_studio, command_ncu,
    command_run;

/* A program: its name and its commands. All strings are static. */
struct program {
    const char *name;
    /* the commit that the program was built from, by git describe; "": unknown */
    const char *described;
    const struct program_command {
        const char *name; /* name of the command; NULL after the last command */
        command *run;
        /* arguments: one line for each way to call the command, then lines that explain words in
         * capitals, like "ARGUMENT: i32:N f32:X"; does: what the command does */
        const char *arguments, *does;
    } * commands;
    /* printed before the list of commands when the user asks for help; NULL: nothing */
    const char *about;
};
/* Run the command that argv names, or print help. Returns the exit code: 0 success, 2 for
 * ERR_USAGE, 1 for other errors. */
int program_run(const struct program *p, int argc, char **argv);

/* If the program is called by the name of one of CUDA's tools, such as nsys: run that tool, and
 * return its exit status. -1: the program has another name (tool.c). */
int tool_main(int argc, char **argv);

/* ---- what two commands share (lab.c, predictions.c) ---- */

/* For lab and learn: if there is nothing at --student's path, make a folder there with the skeletons
 * of all labs; *made: how many. student NULL: nothing is made. -1 with ERR_ENV. */
int own_folder(const char *student, int *made, struct err *e);

/* An exercise's result as text. all: everything that is known; brief[i]: a text that fits a
 * terminal beside a few other lines, with as much of the cause as the value i of enum told means.
 * Of `how`, only the members next and more are used. */
struct answer {
    struct buf all, brief[TOLD_EDIT + 1];
};
void lab_answer(
    struct answer *out, const struct brief *how, const struct session *s, const struct result *r);
void answer_free(struct answer *a);
/* Append the predictions: to out a drawing for each wrong one, then what was counted; to brief only
 * the first drawing. Also records first guesses, points and times in the progress file of the
 * session's directory, unless that is in the kit's solutions/ or tests/. */
void predictions_show(
    struct buf *out, struct buf *brief, const struct session *s, const struct result *r);

/* The predictions as JSON: [{"name", "question", "said", "state": "open", "right" or "wrong",
 * "counted": in words, "drawing"}]. What would give an answer away is left out. */
json_t *predictions_json(const struct session *s, const struct result *r);

/* Append the figure that the words after `lockstep figure` describe; argv is modified
 * (figure.c). */
int figure_make(int argc, char **argv, struct buf *out, struct err *e);

/* ---- given kernels that are at fault (suspect.c) ---- */

/* May results of the exercise's kernels be shown? Returns 0 if so. -1 with ERR_USAGE: no, since one
 * of its kernels is a suspect (given, and at fault), and not every prediction in the session's
 * directory is right. */
int suspect_told(struct session *s, const struct lab *lab, const struct exercise *x, struct err *e);
/* suspect_told, with a session of its own. student, device, front: as for session_open. */
int suspect_told_in(const char *student, const char *device, const char *front,
    const struct lab *lab, const struct exercise *x, struct err *e);

/* ---- options (options.c) ---- */

/* An option, given as --name VALUE or --name=VALUE. A flag has no value: *value becomes "". */
struct option_spec {
    const char *name; /* the option's name, such as "--device"; NULL after the last option */
    const char **value;
    int is_flag;
};
/* Parse options: set their *value. Words that are no options are stored in rest, at most rest_max.
 * Returns how many words it stored. -1 with ERR_USAGE. */
int options_parse(int argc, char **argv, const struct option_spec *specs, const char **rest,
    int rest_max, struct err *e);
/* Remove -D NAME[=VALUE] and -DNAME[=VALUE] from argv and list them in defines, which ends with
 * NULL. Returns how many words remain. -1 with ERR_USAGE. */
int options_defines(int argc, char **argv, const char *defines[DEFINES_MAX + 1], struct err *e);
/* Find a lab by number or name: "2", "02", "02-coalesced". NULL with ERR_USAGE: there is none;
 * the message lists all. */
const struct lab *options_lab(const char *text, struct err *e);
/* Find an exercise of a lab by name. NULL with ERR_USAGE: there is none. */
const struct exercise *options_exercise(const struct lab *lab, const char *text, struct err *e);
/* 0 for "text" or NULL, 1 for "json", -1 with ERR_USAGE for anything else. */
int options_format(const char *text, struct err *e);
/* For --sandbox: can this system confine compilers at the wanted level, given by name or as
 * "require"? wanted NULL: any level will do. If there are only resource limits, stderr says what
 * they do not protect. -1 with ERR_USAGE (no such level) or ERR_ENV (the system cannot). */
int options_sandbox(const char *wanted, struct err *e);
/* Parse an unsigned integer in [0, max]. -1 with ERR_USAGE, which names the option. */
int options_number(const char *name, const char *text, uint64_t max, uint64_t *out, struct err *e);
/* Parse "X[,Y[,Z]]"; an extent that is left out is 1. */
int options_extents(const char *name, const char *text, unsigned out[3], struct err *e);
/* Parse "37,101", the size of a problem. */
int options_size(const char *text, const struct problem *p, int dims[DIMS], struct err *e);
/* Find a kernel of a module by its name in the source (profile.c). NULL with ERR_USAGE: there is
 * none, or the name is that of a template with several instances; the message lists the kernels. */
struct kernel *profile_kernel(struct module *m, const char *name, const char *file, struct err *e);

#endif
