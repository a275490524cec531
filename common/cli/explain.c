/* explain.c - lockstep explain TERM: explain a term or a counter of a report in a sentence or two.
 *
 *     words ──> view/terms.c, then model/metrics.h ──> text; nothing found: terms that contain it */
#define _GNU_SOURCE
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(const char *name, const char *text)
{
    struct screen s = screen_of(STDOUT_FILENO);
    struct buf out = {0};
    screen_ink(&s, &out, INK_STRONG);
    buf_printf(&out, "%s\n", name);
    screen_ink(&s, &out, INK_PLAIN);
    buf_printf(&out, "  ");
    screen_wrapped(&s, &out, 2, 2, text);
    fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
}

static void show_metric(int m)
{
    const struct metric_info *i = &model_metrics[m];
    char *text = xasprintf("%s, in %s\n%s%s", i->meaning, i->unit,
        strncmp(i->ncu, "lockstep__", 10) ? "ncu: " : "a counter of this kit: ", i->ncu);
    show(strcmp(i->nvprof, "-") ? i->nvprof : i->ncu, text);
    free(text);
}

static void list(void)
{
    struct screen s = screen_of(STDOUT_FILENO);
    struct buf names = {0}, out = {0};
    for (size_t i = 0; terms_at(i); i++)
        buf_printf(&names, "%s%s", i ? ", " : "", terms_at(i)->name);
    buf_printf(&names, "; and each counter that lockstep metrics lists");
    screen_wrapped(&s, &out, 0, 0, names.data);
    fwrite(out.data, 1, out.len, stdout);
    buf_free(&names);
    buf_free(&out);
}

/* Set the error for a word that is not a term; it lists the terms whose text contains the word. */
static int nothing(const char *word, struct err *e)
{
    struct buf near = {0};
    for (size_t i = 0; terms_at(i); i++)
        if (strcasestr(terms_at(i)->says, word) || strcasestr(terms_at(i)->others, word))
            buf_printf(&near, "%s%s", near.len ? ", " : "", terms_at(i)->name);
    err_set(e, ERR_USAGE, "%s is not explained%s%s; lockstep explain lists the words that are",
        word, near.len ? "; it occurs in " : "", near.len ? near.data : "");
    buf_free(&near);
    return -1;
}

/* All words of the command line together are one term, as in "bank conflict". */
int command_explain(int argc, char **argv, struct err *e)
{
    const struct option_spec specs[] = {{0}};
    const char *words[4];
    struct buf word = {0};
    int count = options_parse(argc, argv, specs, words, 4, e), bad = count < 0;
    for (int i = 0; i < count; i++) buf_printf(&word, "%s%s", i ? " " : "", words[i]);
    const struct term *t = count > 0 ? terms_find(word.data) : NULL;
    int metric = count > 0 ? model_metric_find(word.data) : -1;
    if (!count)
        list();
    else if (t)
        show(t->name, t->says);
    else if (metric >= 0)
        show_metric(metric);
    else if (!bad)
        bad = nothing(word.data, e);
    buf_free(&word);
    return bad ? -1 : 0;
}
