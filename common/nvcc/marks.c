/* marks.c - what nvcc takes and clang does not: launches whose marks have spaces in them,
 * "k << <grid, block >> >(n)", and an alignment behind __shared__.
 *
 *     k << <g, b >> >(n)     the marks are joined in a copy of the file, and spaces keep the columns:
 *     k <<< g, b >>> (n)     #line names the file itself
 */
#include "nvcc/nvcc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mark of three characters c at p, with a space after the first or the second. Its length, or 0. */
static size_t parted(const char *p, char c)
{
    size_t n = 0;
    int found = 0, gaps = 0;
    while (found < 3) {
        if (p[n] == c) found++;
        else if (found && (p[n] == ' ' || p[n] == '\t')) gaps++;
        else return 0;
        n++;
    }
    return gaps ? n : 0;
}

static int after_operator(const char *text, const char *p)
{
    static const char word[] = "operator";
    while (p > text && (p[-1] == ' ' || p[-1] == '<')) p--;
    return (size_t)(p - text) >= sizeof word - 1 && !memcmp(p - (sizeof word - 1), word, sizeof word - 1);
}

static void join(char *p, size_t n, char c)
{
    memset(p, ' ', n);
    memset(p, c, 3);
}

/* Join the marks of all launches in text. Returns how many there were. */
static int join_marks(char *text)
{
    int changed = 0;
    for (char *p = text; (p = strchr(p, '<')); p++) {
        size_t n = parted(p, '<');
        int whole = !n && !strncmp(p, "<<<", 3);
        if ((!n && !whole) || after_operator(text, p)) continue;
        if (n) join(p, n, '<'), changed++;
        for (char *q = p + 3; *q && *q != ';' && *q != '{'; q++) {
            size_t end = parted(q, '>');
            if (!end || q[end + strspn(q + end, " \t\r\n\\")] != '(') continue;
            join(q, end, '>'), changed++;
            break;
        }
        p += 2;
    }
    return changed;
}

/* "__shared__ alignas(16)", which clang does not take, becomes "alignas(16) __shared__". Returns how many. */
static int swap_alignments(char *text)
{
    static const char shared[] = "__shared__", align[] = "alignas";
    int changed = 0;
    for (char *p = text; (p = strstr(p, shared)); p++) {
        char *a = p + strlen(shared), *end;
        a += strspn(a, " \t");
        if (strncmp(a, align, strlen(align))) continue;
        int depth = 0;
        for (end = a + strlen(align); *end && (*end != ')' || depth > 1); end++)
            depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
        if (!*end++) continue;
        size_t n = (size_t)(end - a);
        memmove(p, a, n);
        memset(p + n, ' ', (size_t)(end - p) - n);
        memcpy(end - strlen(shared), shared, strlen(shared));
        p = end;
        changed++;
    }
    return changed;
}

int marks_joined(const char *file, const char *directory, int number, char **copy, struct err *e)
{
    char *text = NULL, real[PATH_MAX];
    int bad = 0;
    *copy = NULL;
    if (file_read(file, (size_t)64 << 20, &text, NULL, e)) return -1;
    if (!realpath(file, real)) snprintf(real, sizeof real, "%s", file);
    if (join_marks(text) + swap_alignments(text)) {
        struct buf b = {0};
        buf_printf(&b, "#line 1 \"%s\"\n", real);
        buf_add(&b, text, strlen(text));
        *copy = xasprintf("%s/%d.cu", directory, number);
        bad = file_write_scratch(*copy, b.data, b.len, e);
        buf_free(&b);
    }
    free(text);
    return bad;
}
