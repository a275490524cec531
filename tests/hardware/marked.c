/* marked.c - copy a document, with each table of a kind made anew. */
#include "hardware/marked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name is followed by ".\n", so that "clang 14" is not taken for "clang 14.0.6". */
int marked_by_another(const char *front, const char *table)
{
    static const char by[] = "kernels by ";
    const char *at = strstr(table, by);
    size_t n = strlen(front);
    return at && (strncmp(at + strlen(by), front, n) || strncmp(at + strlen(by) + n, ".\n", 2));
}

static int rewrite(const char *file, const char *kind, const char *text, marked_table *make,
    void *context, struct buf *out, struct err *e)
{
    char open[64], close[64];
    int found = 0, bad = 0;
    snprintf(open, sizeof open, "<!-- %s ", kind);
    snprintf(close, sizeof close, "<!-- end %s -->", kind);
    for (const char *at; !bad && (at = strstr(text, open)); found++) {
        const char *start = at + strlen(open), *line = strchr(start, '\n'),
                   *end = strstr(at, close);
        if (!line || !end || end < line)
            return err_set(e, ERR_ENV, "%s: after '%s' there is no '%s'", file, open, close);
        size_t length = strcspn(start, " \n");
        char *name = xstrndup(start, strncmp(start, "-->", 3) ? length : 0);
        char *old = xstrndup(line + 1, (size_t)(end - line - 1));
        buf_add(out, text, (size_t)(line + 1 - text));
        bad = make(context, name, old, out, e);
        buf_add(out, close, strlen(close));
        text = end + strlen(close);
        free(name);
        free(old);
    }
    buf_add(out, text, strlen(text));
    return bad || found ? bad : err_set(e, ERR_ENV, "%s: has no table '%s-->'", file, open);
}

int marked_update(const char *file, const char *kind, marked_table *make, void *context, int check,
    int *stale, struct err *e)
{
    struct buf out = {0};
    char *text = NULL;
    int bad = file_read(file, 1 << 20, &text, NULL, e) ||
              rewrite(file, kind, text, make, context, &out, e);
    if (!bad && strcmp(text, out.data)) {
        (*stale)++;
        if (!check) bad = file_write(file, out.data, out.len, e);
        if (!bad)
            printf("%s: %s\n", file, check ? "its tables are not what is measured now" : "written");
    }
    buf_free(&out);
    free(text);
    return bad ? -1 : 0;
}
