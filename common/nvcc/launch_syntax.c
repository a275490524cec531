/* launch_syntax.c - rewrite syntax that only nvcc accepts: launches with blanks inside <<< and >>>,
 * an alignment after __shared__, and registers such as %clock in inline PTX.
 *
 *     k << <g, b >> >(n)     in a copy of the file, the characters are joined, and blanks keep the columns:
 *     k <<< g, b >>> (n)     #line names the original file */
#include "nvcc/nvcc.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of three characters c at p, with blanks allowed after the first and the second; 0:
 * there are no such three. */
static size_t parted(const char *p, char c)
{
    size_t n = 0;
    int found = 0, gaps = 0;
    while (found < 3) {
        if (p[n] == c)
            found++;
        else if (found && (p[n] == ' ' || p[n] == '\t'))
            gaps++;
        else
            return 0;
        n++;
    }
    return gaps ? n : 0;
}

static int after_operator(const char *text, const char *p)
{
    static const char word[] = "operator";
    while (p > text && (p[-1] == ' ' || p[-1] == '<')) p--;
    return (size_t)(p - text) >= sizeof word - 1 &&
           !memcmp(p - (sizeof word - 1), word, sizeof word - 1);
}

static void join(char *p, size_t n, char c)
{
    memset(p, ' ', n);
    memset(p, c, 3);
}

/* Join << < and >> > of all launches in text. Returns how many were joined. */
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

/* Rewrite "__shared__ alignas(16)", which clang rejects, to "alignas(16) __shared__". Returns how
 * many were rewritten. */
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

static int part_of_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The '(' of the asm statement that begins at p; NULL: none begins there. */
static const char *asm_text(const char *text, const char *p)
{
    static const char *const words[] = {
        "__asm__", "__asm", "asm", "__volatile__", "volatile", NULL};
    if (p > text && part_of_word(p[-1])) return NULL;
    for (int i = 0; words[i]; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(p, words[i], n) || part_of_word(p[n])) continue;
        p += n, p += strspn(p, " \t\r\n");
        i = 2; /* between asm and (, only volatile may stand */
    }
    return *p == '(' ? p : NULL;
}

/* Skip the string literal that begins at p. If out is not NULL, append the literal to it, with each
 * % before a letter doubled. *count: how many were doubled. */
static const char *percents(const char *p, struct buf *out, int *count)
{
    const char *start = p++;
    while (*p && *p != '"' && *p != '\n') {
        size_t n = p[0] == '\\' || (p[0] == '%' && p[1] == '%') ? 2 : 1;
        if (n == 1 && *p == '%' && isalpha((unsigned char)p[1])) {
            if (out) buf_add(out, start, (size_t)(p - start)), buf_add(out, "%", 1);
            start = p;
            ++*count;
        }
        p += n == 2 && p[1] ? 2 : 1;
    }
    if (*p == '"') p++;
    if (out) buf_add(out, start, (size_t)(p - start));
    return p;
}

/* In an asm with operands, change "mov.u64 %0, %clock64;" to "mov.u64 %0, %%clock64;". Without
 * operands, % is an ordinary character. Returns the new text; NULL: nothing changed. */
static char *double_percents(const char *text)
{
    struct buf out = {0};
    const char *done = text;
    int changed = 0;
    for (const char *p = text; (p = strstr(p, "asm")); p++) {
        const char *at = p;
        while (at > text && at[-1] == '_') at--;
        const char *open = asm_text(text, at), *q = open;
        int count = 0;
        for (; q && *q && *q != ':' && *q != ')' && *q != ';';)
            q = *q == '"' ? percents(q, NULL, &count) : q + 1;
        if (!open || *q != ':' || !count) continue;
        buf_add(&out, done, (size_t)(open - done));
        for (const char *r = open; r < q;) {
            const char *next = r + 1;
            if (*r == '"')
                next = percents(r, &out, &count);
            else
                buf_add(&out, r, 1);
            r = next;
        }
        done = p = q;
        changed = 1;
    }
    if (!changed) return NULL;
    buf_add(&out, done, strlen(done));
    buf_add(&out, "", 1);
    return out.data;
}

int marks_joined(const char *file, const char *directory, int number, char **copy, struct err *e)
{
    char *text = NULL, real[PATH_MAX];
    int bad = 0;
    *copy = NULL;
    if (file_read(file, (size_t)64 << 20, &text, NULL, e)) return -1;
    if (!realpath(file, real)) snprintf(real, sizeof real, "%s", file);
    int changed = join_marks(text) + swap_alignments(text);
    char *doubled = double_percents(text);
    if (doubled) {
        free(text);
        text = doubled;
        changed++;
    }
    if (changed) {
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
