/* options.c - parse the words of a command line, for lockstep and lockstep-hardware.
 *
 *     lab 02 matmul --device sim:h200 --student=DIR
 *         ^^^^^^^^^                                    rest: words that do not start with '-'
 *                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^    options; they may also come before these words
 *
 * Values are not copied: they point into argv. */
#include "cli/cli.h"
#include "os/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The option whose name is the first n characters of arg; NULL: none. */
static const struct option_spec *find(const struct option_spec *specs, const char *arg, size_t n)
{
    for (; specs->name; specs++)
        if (strlen(specs->name) == n && !strncmp(specs->name, arg, n)) return specs;
    return NULL;
}

/* An empty value is an error. A negative number is no word, since it starts with '-'. */
int options_parse(int argc, char **argv, const struct option_spec *specs, const char **rest,
    int rest_max, struct err *e)
{
    int count = 0;
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i], *equals = strchr(arg, '=');
        if (arg[0] != '-') {
            if (count == rest_max) return err_set(e, ERR_USAGE, "%s: unexpected argument", arg);
            rest[count++] = arg;
            continue;
        }
        size_t n = equals ? (size_t)(equals - arg) : strlen(arg);
        const struct option_spec *o = find(specs, arg, n);
        if (!o) return err_set(e, ERR_USAGE, "%.*s: this command has no such option", (int)n, arg);
        if (o->is_flag && equals) return err_set(e, ERR_USAGE, "%s takes no value", o->name);
        if (!o->is_flag && !equals && i + 1 == argc)
            return err_set(e, ERR_USAGE, "%s needs a value", o->name);
        *o->value = o->is_flag ? "" : equals ? equals + 1 : argv[++i];
        if (!o->is_flag && !**o->value) return err_set(e, ERR_USAGE, "%s needs a value", o->name);
        if (!strcmp(o->name, "--device")) *o->value = device_meant(*o->value);
    }
    return count;
}

/* A macro's name must be an identifier, so that no other option can be passed to the compiler. */
int options_defines(int argc, char **argv, const char *defines[DEFINES_MAX + 1], struct err *e)
{
    int left = 0, count = 0;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "-D", 2)) {
            argv[left++] = argv[i];
            continue;
        }
        const char *macro = argv[i][2] ? argv[i] + 2 : i + 1 < argc ? argv[++i] : "";
        if (!*macro || strchr("-=0123456789", *macro))
            return err_set(e, ERR_USAGE, "-D %s: a macro is needed, such as -D IPAD=2", macro);
        if (count == DEFINES_MAX)
            return err_set(e, ERR_USAGE, "-D %s: at most %d macros", macro, DEFINES_MAX);
        defines[count++] = macro;
    }
    defines[count] = NULL;
    return left;
}

/* Is text the lab's full name, or its number, with or without leading zeros? */
static int names_lab(const char *text, const struct lab *l)
{
    size_t digits = strspn(l->name, "0123456789"), n = strlen(text);
    int number = n && n <= digits && strspn(text, "0123456789") == n;
    return !strcmp(text, l->name) || (number && atoi(text) == atoi(l->name));
}

/* The error message lists all labs. */
const struct lab *options_lab(const char *text, struct err *e)
{
    struct buf names = {0};
    for (const struct lab *const *l = lab_table; *l; l++)
        if (names_lab(text, *l)) return *l;
    for (const struct lab *const *l = lab_table; *l; l++)
        buf_printf(&names, "%s%s", names.len ? ", " : "", (*l)->name);
    err_set(e, ERR_USAGE, "there is no lab %s; the labs are %s", text, names.data);
    buf_free(&names);
    return NULL;
}

const struct exercise *options_exercise(const struct lab *lab, const char *text, struct err *e)
{
    struct buf names = {0};
    for (const struct exercise *x = lab->exercises; x->name; x++)
        if (!strcmp(text, x->name)) return x;
    for (const struct exercise *x = lab->exercises; x->name; x++)
        buf_printf(&names, "%s%s", names.len ? ", " : "", x->name);
    if (*text)
        err_set(e, ERR_USAGE, "%s has no exercise %s; it has %s", lab->name, text, names.data);
    else
        err_set(e, ERR_USAGE, "which exercise of %s? It has %s", lab->name, names.data);
    buf_free(&names);
    return NULL;
}

int options_format(const char *text, struct err *e)
{
    if (!text || !strcmp(text, "text")) return 0;
    if (!strcmp(text, "json")) return 1;
    return err_set(e, ERR_USAGE, "--format %s: the formats are text and json", text);
}

/* The first character is checked, since strtoull accepts signs and blanks. */
int options_number(const char *name, const char *text, uint64_t max, uint64_t *out, struct err *e)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (*end || errno || text[0] < '0' || text[0] > '9' || v > max)
        return err_set(e, ERR_USAGE, "%s %s: a whole number up to %llu is needed", name, text,
            (unsigned long long)max);
    *out = v;
    return 0;
}

/* "require" means the weakest level that hides the file system. */
int options_sandbox(const char *wanted, struct err *e)
{
    enum jail_level level = JAIL_BUBBLEWRAP;
    if (jail_level() == JAIL_LIMITS && (!wanted || strcmp(wanted, "require")))
        fprintf(stderr,
            "sandbox: limits alone hold compilers here. What a submission includes is checked, but the "
            "machine's files and network are not closed; apt-get install bubblewrap, or allow user "
            "namespaces\n");
    if (!wanted) return 0;
    const char *name = strcmp(wanted, "require") ? wanted : jail_names[JAIL_LANDLOCK];
    while (level > JAIL_NONE && strcmp(name, jail_names[level])) level--;
    if (level == JAIL_NONE)
        return err_set(
            e, ERR_USAGE, "--sandbox %s: it is bubblewrap, landlock, limits or require", wanted);
    if (jail_level() >= level) return 0;
    return err_set(e, ERR_ENV,
        "--sandbox %s: this machine gives only %s; apt-get install bubblewrap, or allow user namespaces",
        wanted, jail_names[jail_level()]);
}

int options_extents(const char *name, const char *text, unsigned out[3], struct err *e)
{
    const char *at = text;
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; at && i < 3; i++) {
        char *end;
        unsigned long n = strtoul(at, &end, 10);
        if (at[0] < '0' || at[0] > '9' || (*end && *end != ',') || (*end && i == 2) ||
            n > 0x7fffffff)
            at = NULL;
        else if (out[i] = (unsigned)n, !*end)
            return 0;
        else
            at = end + 1;
    }
    return err_set(
        e, ERR_USAGE, "%s %s: one to three whole numbers are needed, such as 64,64", name, text);
}

int options_size(const char *text, const struct problem *p, int dims[DIMS], struct err *e)
{
    int n = 0, want = problem_dims(p);
    for (const char *at = text; n < DIMS; n++) {
        char *end;
        long v = strtol(at, &end, 10);
        if (end == at || v < 1 || v > 1 << 20 || (*end && *end != ',')) break;
        dims[n] = (int)v;
        if (!*end && ++n == want) return 0;
        if (!*end) break;
        at = end + 1;
    }
    return err_set(e, ERR_USAGE,
        "--size %s: %d whole numbers from 1 on are needed, with commas between them", text, want);
}
