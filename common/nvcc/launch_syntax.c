/* launch_syntax.c - rewrite syntax that only nvcc accepts: launches with blanks inside <<< and >>>,
 * an alignment after __shared__, registers such as %clock in inline PTX, and launches in kernels.
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

static int part_of_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

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

/* The end of the comment, string or character that begins at p; p itself: none begins there. */
static const char *past_literal(const char *p)
{
    if (p[0] == '/' && (p[1] == '/' || p[1] == '*')) {
        const char *end = strstr(p + 2, p[1] == '/' ? "\n" : "*/");
        return end ? end + (p[1] == '*') * 2 : p + strlen(p);
    }
    if (*p != '"' && *p != '\'') return p;
    const char *q = p + 1;
    while (*q && *q != *p && *q != '\n') q += q[0] == '\\' && q[1] ? 2 : 1;
    return *q ? q + 1 : q;
}

static int contains(const char *from, const char *to, const char *word)
{
    const char *at = strstr(from, word);
    return at && at < to;
}

/* The start of the kernel's name, with its template arguments, that ends at end. */
static const char *kernel_before(const char *text, const char *end)
{
    const char *p = end;
    int depth = 0;
    while (p > text && isspace((unsigned char)p[-1])) p--;
    while (p > text && (depth || p[-1] == '>' || p[-1] == ':' || part_of_word(p[-1]))) {
        p--;
        depth += *p == '>' ? 1 : *p == '<' ? -1 : 0;
    }
    return p;
}

/* In bodies of __global__ and __device__ functions, change "k<<<g, b>>>(n)" to
 * "lockstep_nested_<k>(g, b)(n)". Returns the new text; NULL: nothing changed. */
static char *nest_launches(const char *text)
{
    enum { DEEP = 64 };
    char device[DEEP] = {0}; /* for each open brace: 1 if it is in such a body */
    int depth = 0;
    struct buf out = {0};
    /* header: start of the declaration before the next brace */
    const char *done = text, *header = text;
    for (const char *p = text; *p;) {
        const char *q = past_literal(p);
        if (q > p) {
            p = q;
            continue;
        }
        if (*p == '{' && depth + 1 < DEEP) {
            depth++;
            device[depth] = device[depth - 1] || contains(header, p, "__global__") ||
                            contains(header, p, "__device__");
        } else if (*p == '}' && depth)
            depth--;
        if (*p == '{' || *p == '}' || *p == ';') header = p + 1;
        const char *end = device[depth] && !strncmp(p, "<<<", 3) ? strstr(p, ">>>") : NULL;
        if (end && !after_operator(text, p)) {
            const char *name = kernel_before(text, p);
            buf_add(&out, done, (size_t)(name - done));
            buf_printf(&out, "lockstep_nested_<%.*s>(%.*s)", (int)(p - name), name,
                (int)(end - p - 3), p + 3);
            done = p = end + 3;
            continue;
        }
        p++;
    }
    if (done == text) return NULL;
    buf_add(&out, done, strlen(done));
    buf_add(&out, "", 1);
    return out.data;
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
        i = 2; /* only volatile may stand between asm and the parenthesis */
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
    char *nested = nest_launches(text);
    if (nested) {
        free(text);
        text = nested;
        changed++;
    }
    if (changed) {
        struct buf b = {0};
        if (nested) buf_printf(&b, "#include <lockstep_nested.h>\n");
        buf_printf(&b, "#line 1 \"%s\"\n", real);
        buf_add(&b, text, strlen(text));
        *copy = xasprintf("%s/%d.cu", directory, number);
        bad = file_write_scratch(*copy, b.data, b.len, e);
        buf_free(&b);
    }
    free(text);
    return bad;
}
