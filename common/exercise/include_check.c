/* include_check.c - compile on a system where the sandbox cannot hide the machine's files from the
 * compiler (os/jail.c).
 *
 *     list the includes (-M) -- all allowed? --> compile -- failed? --> keep the lines about the file itself
 *
 * A compiler's errors quote a file that it cannot parse, and its types can reveal the content.
 * An assembler reads files, too, and does not list them: its messages about them are dropped. */
#include "exercise/compile.h"

#include <stdlib.h>
#include <string.h>

/* Keep only the messages about the learner's own file; other messages may quote another file. */
static void keep_own_lines(struct compiled *c)
{
    struct buf kept = {0};
    size_t n = strlen(c->file);
    for (const char *p = c->output.data; p && *p;) {
        size_t line = strcspn(p, "\n");
        if (!strncmp(p, c->file, n) && p[n] == ':') buf_printf(&kept, "%.*s\n", (int)line, p);
        p += line + (p[line] == '\n');
    }
    buf_free(&c->output);
    c->output = kept;
    if (!kept.len)
        buf_printf(&c->output, "%s: the compiler says nothing about this file itself\n", c->file);
}

void compile_cover(struct compiled *c)
{
    if (jail_level() < JAIL_LANDLOCK && c->status == COMPILE_BAD) keep_own_lines(c);
}

/* Runs the compiler's command with -M instead of -MD: the compiler then lists the included files
 * and compiles nothing. */
int compile_exposed(
    const struct kit *k, const struct spawn *s, const struct compiler *r, struct compiled *c)
{
    struct words w = {0};
    struct spawn lists = *s;
    struct err e = {0};
    int status = 0;
    if (jail_level() >= JAIL_LANDLOCK) return 0;
    for (const char *const *a = s->argv; *a; a++) WORDS(&w, strcmp(*a, "-MD") ? *a : "-M");
    lists.argv = w.word;
    int late = spawn_run(&lists, &c->output, &status, &e);
    words_free(&w);
    /* this is an error of the environment, which the compilation will report */
    if (late && e.kind == ERR_ENV) return 0;
    char *foreign =
        late || status ? NULL : compile_foreign_include(k, r->deps, c->file, r->directory);
    if (late || status || foreign) c->status = COMPILE_BAD;
    if (status && !late)
        compile_cover(c), compile_explain_include(c, r->rule);
    else
        buf_free(&c->output);
    if (foreign)
        buf_printf(&c->output, "%s: includes %s; %s", c->file, foreign, r->rule);
    else if (late)
        buf_printf(&c->output, "%s: the compiler %s", c->file, e.text);
    free(foreign);
    return c->status != COMPILE_OK;
}

void compile_explain_include(struct compiled *c, const char *rule)
{
    static const char *const unseen[] = {"file not found", "No such file", "Permission denied"};
    int is_unseen = 0;
    for (int i = 0; i < 3 && c->output.len; i++)
        is_unseen |= strstr(c->output.data, unseen[i]) != NULL;
    if (is_unseen && strstr(c->output.data, "fatal error"))
        buf_printf(&c->output, "%s: %s\n", c->file, rule);
}
