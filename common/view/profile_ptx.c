/* profile_ptx.c - the PTX instructions of a source line.
 *
 *     .visible .entry NAME( ... )
 *     .loc 1 15 9          from here on line 15 of file 1
 *     ld.global.f32 ...    belongs to line 15
 *     .loc 2 3 1           a header: its instructions belong to line 15, too, as their counters do
 *
 * For an inlined function, the line of the call counts, if the compiler names it. Source: PTX
 * ISA, .loc, .file. */
#include "view/profile.h"

#include <stdlib.h>
#include <string.h>

/* The kernel's body in the PTX, up to the } at the start of a line. NULL: there is none. */
static const char *body(const struct profile *p, const char **end)
{
    size_t length = p->symbol ? strlen(p->symbol) : 0;
    for (const char *at = p->ptx; at && length && (at = strstr(at, ".entry ")); at++) {
        const char *name = at + strlen(".entry ");
        if (strncmp(name, p->symbol, length) || !strchr("(\n ", name[length])) continue;
        const char *open = strstr(name, "\n{");
        *end = open ? strstr(open, "\n}") : NULL;
        return *end ? open + 2 : NULL;
    }
    return NULL;
}

/* The number by which .loc refers to the kernel's file. */
static int number_of_file(const struct profile *p)
{
    const char *slash = strrchr(p->file, '/'), *name = slash ? slash + 1 : p->file;
    size_t length = strlen(name);
    for (const char *at = p->ptx; at && (at = strstr(at, ".file")); at++) {
        char *rest;
        long number = strtol(at + strlen(".file"), &rest, 10);
        const char *quote = strchr(rest, '"'), *close = quote ? strchr(quote + 1, '"') : NULL;
        if (close && (size_t)(close - quote) > length && !strncmp(close - length, name, length) &&
            (close[-(long)length - 1] == '/' || close[-(long)length - 1] == '"'))
            return (int)number;
    }
    return 1;
}

/* The line that a .loc sets; if the .loc is of another file, `line`, the current one. */
static int line_of(const char *loc, const char *end, int file, int line)
{
    const char *call = NULL;
    for (const char *at = strstr(loc, "inlined_at"); at && at < end;
         at = strstr(at + 1, "inlined_at"))
        call = at + strlen("inlined_at");
    char *rest;
    long number = strtol(call ? call : loc, &rest, 10);
    return number == file ? (int)strtol(rest, NULL, 10) : line;
}

void profile_ptx(const struct profile *p, int line, struct buf *out)
{
    const char *end = NULL, *at = body(p, &end);
    int file = at ? number_of_file(p) : 0, here = 0;
    for (; at && at < end; at++) {
        const char *stop = at + strcspn(at, "\n");
        at += strspn(at, " \t");
        if (!strncmp(at, ".loc", 4))
            here = line_of(at + 4, stop, file, here);
        else if (here == line && at < stop && !strchr("./{}", *at) && stop[-1] != ':')
            for (; at <= stop; at++) buf_add(out, *at == '\t' ? " " : at, 1);
        at = stop;
    }
}
