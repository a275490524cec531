/* program.c - a program's table of commands: help, dispatch and exit codes.
 *
 *     exit code   0  success
 *                 1  an error of the environment, or of a kernel
 *                 2  an error in the command line (ERR_USAGE)
 *
 * Only this file prints errors; a command returns them in a struct err. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* Print help for the whole program: one line per command. */
static void usage(const struct program *p, FILE *to)
{
    fprintf(to, "usage: %s COMMAND ...   (%s COMMAND --help says more)\n\n", p->name, p->name);
    for (const struct program_command *c = p->commands; c->name; c++)
        fprintf(to, "  %-13s %s\n", c->name, c->does);
}

/* Print words, with line breaks after at most 80 characters; the first line starts at `column`,
 * after text that is printed already. An option and its value in brackets are one word. */
static void wrapped(int column, const char *text, size_t length)
{
    const int indent = column;
    for (const char *end = text + length; text < end;) {
        const char *stop = text;
        for (int depth = 0; stop < end && (depth || *stop != ' '); stop++)
            depth += (*stop == '[') - (*stop == ']');
        int n = (int)(stop - text);
        if (column > indent && column + 1 + n > 80) printf("\n%*s", column = indent, "");
        column += printf(" %.*s", n, text);
        text = stop + (stop < end);
    }
    printf("\n");
}

/* Print help for one command: what it does, the ways to call it, what the words in capitals
 * stand for. */
static void usage_of(const struct program *p, const struct program_command *c)
{
    printf("%s\n\n", c->does);
    if (!*c->arguments) printf("  %s %s\n", p->name, c->name);
    for (const char *at = c->arguments; *at;) {
        size_t n = strcspn(at, "\n"), name = strcspn(at, ":");
        if (name > strcspn(at, " \n"))
            wrapped(printf("  %s %s", p->name, c->name), at, n);
        else
            wrapped(printf("  %.*s", (int)name + 1, at), at + name + 2, n - name - 2);
        at += n + (at[n] == '\n');
    }
}

/* Print the error, after stdout was flushed. Returns the exit code. */
static int fail(const struct program *p, const struct err *e)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", p->name, e->text);
    return e->kind == ERR_USAGE ? 2 : 1;
}

static int is_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
}

/* Print "lockstep 1.0.0 (v1.0.0-3-g1234567)". */
static int print_version(const struct program *p)
{
    printf("%s " LOCKSTEP_VERSION, p->name);
    if (*p->described) printf(" (%s)", p->described);
    printf("\n");
    return 0;
}

/* Run one command, or print its help if --help is among its words. A full disk may only show when
 * stdout is flushed, so flushing is checked, too. */
static int run(const struct program *p, const struct program_command *c, int argc, char **argv)
{
    struct err e = {0};
    for (int i = 0; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            usage_of(p, c);
            return 0;
        }
    int failed = c->run(argc, argv, &e);
    if (failed < 0) return fail(p, &e);
    if (fflush(stdout) || ferror(stdout)) {
        err_set(&e, ERR_ENV, "standard output cannot be written: is the disk full?");
        return fail(p, &e);
    }
    return failed;
}

/* Help that the user asked for goes to stdout, with exit code 0; after a mistake it goes to
 * stderr, with 2. */
int program_run(const struct program *p, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (name && is_help(name)) {
        if (p->about) printf("%s\n", p->about);
        usage(p, stdout);
        return 0;
    }
    if (name && !strcmp(name, "--version")) return print_version(p);
    for (const struct program_command *c = p->commands; name && c->name; c++)
        if (!strcmp(name, c->name)) return run(p, c, argc - 2, argv + 2);
    if (name) fprintf(stderr, "%s: there is no command %s\n", p->name, name);
    usage(p, stderr);
    return 2;
}
