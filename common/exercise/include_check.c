/* include_check.c - compile on a system where the sandbox cannot hide the machine's files from the
 * compiler (os/jail.c).
 *
 *     preprocess, list the includes -- all allowed? --> compile the preprocessed text, which includes nothing
 *                                                        failed? --> keep the lines about the file itself
 *
 * The text that is compiled is the text whose includes were listed, since conditions such as
 * __has_include("deps") could give other includes in a second run. nvcc cannot compile its own
 * preprocessed text: it lists the includes a second time as it compiles, and they are checked
 * again. If the compilation fails, messages about other files are dropped, since a compiler quotes
 * lines of a file that it cannot parse. */
#include "exercise/compile.h"

#include <stdio.h>
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

/* May the preprocessed text contain a directive that includes a file? Its own directives are line
 * markers and pragmas. A macro can expand to another one, which gcc takes as plain text, but clang
 * executes. Returns 1 as well if the file cannot be read. */
static int includes_more(const char *path)
{
    char *text = NULL;
    int more = file_read(path, (size_t)64 << 20, &text, NULL, NULL) != 0;
    for (const char *p = text; p && *p && !more; p += strcspn(p, "\n"), p += *p == '\n') {
        p += strspn(p, " \t\f\v\r");
        size_t mark = *p == '#' ? 1 : !strncmp(p, "%:", 2) ? 2 : 0;
        const char *word = p + mark + strspn(p + mark, " \t");
        more = mark && strncmp(word, "pragma", 6) && (*word < '0' || *word > '9');
    }
    free(text);
    return more;
}

/* Split a compiler's command into two: `list` writes the preprocessed text to the file `whole`, and
 * its includes to r->deps; `rest` compiles that text. */
static void take_apart(
    const struct compiler *r, const char *whole, struct words *list, struct words *rest)
{
    for (const char *const *a = r->argv; *a; a++) {
        int mode = !strcmp(*a, "-S") || !strcmp(*a, "-c"),
            is_output = a > r->argv && !strcmp(a[-1], "-o"),
            skip = !strcmp(*a, "-include") || !strcmp(*a, "-MF") ? 2 : !strcmp(*a, "-MD");
        WORDS(list, mode ? "-E" : is_output ? whole : *a);
        if (!skip) WORDS(rest, !strcmp(*a, r->file) ? whole : *a);
        if (skip == 2) WORDS(list, *++a);
    }
}

/* Set `list` to the command by which nvcc only lists the includes, into r->deps. */
static void list_alone(const struct compiler *r, struct words *list)
{
    for (const char *const *a = r->argv; *a; a++) {
        int is_output = a > r->argv && !strcmp(a[-1], "-o");
        if (!strcmp(*a, "-MF"))
            a++;
        else
            WORDS(list, !strcmp(*a, "-MD") ? "-M" : is_output ? r->deps : *a);
    }
}

int compile_exposed(const struct kit *k, const struct spawn *s, const struct compiler *r,
    struct words *w, struct compiled *c)
{
    int is_nvcc = !strcmp(r->name, "nvcc"), is_clang = !strcmp(r->name, "clang"), status = 0;
    char *whole = xasprintf("%s/whole.%s", r->directory, is_clang ? "cu" : "i"), *foreign = NULL;
    struct words list = {0};
    struct spawn lists = *s;
    struct err e = {0};
    if (is_nvcc)
        list_alone(r, &list);
    else
        take_apart(r, whole, &list, w);
    lists.argv = list.word;
    int late = spawn_run(&lists, &c->output, &status, &e);
    if (!late && !status) foreign = compile_foreign_include(k, r->deps, c->file, r->directory);
    if (!late && !status && !foreign && is_clang && includes_more(whole))
        foreign = xstrdup("a file by a macro");
    if (late || status || foreign) c->status = COMPILE_BAD;
    if (status && !late)
        compile_cover(c), compile_explain_include(c, r->rule);
    else
        buf_free(&c->output);
    if (foreign)
        buf_printf(&c->output, "%s: includes %s; %s", c->file, foreign, r->rule);
    else if (late && e.kind == ERR_ENV)
        c->status = COMPILE_BROKEN, c->err = e;
    else if (late)
        buf_printf(&c->output, "%s: the compiler %s", c->file, e.text);
    if (is_nvcc) remove(r->deps); /* nvcc lists the includes again when it compiles */
    words_free(&list);
    free(foreign), free(whole);
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
