/* tokens.c - a text in C as tokens.
 *
 *     #define ADD(a) s += \         # define ADD   in a directive
 *         a; // a sum               ( a ) s += a ;
 *
 * Comments, white space and line splices are left out, also within a token. A digraph is the token
 * that it stands for.
 */
#include "grading/tokens.h"
#include "base/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The text without line splices and digraphs; (*lines)[i] is the line of its character i. */
static char *plain(const char *p, int **lines)
{
    static const char digraphs[][4] = {"<%{", "%>}", "<:[", ":>]", "%:#"};
    char *out = xcalloc(strlen(p) + 1, 1);
    size_t n = 0;
    *lines = xcalloc(strlen(p) + 1, sizeof **lines);
    for (int line = 1; *p; line += *p++ == '\n') {
        const char *end = p + 1 + strspn(p + 1, " \t\r");
        if (*p == '\\' && *end == '\n') {
            p = end;
            continue;
        }
        (*lines)[n] = line, out[n++] = *p;
        for (size_t d = 0; n > 1 && d < sizeof digraphs / sizeof *digraphs; d++)
            if (!memcmp(out + n - 2, digraphs[d], 2)) out[--n] = 0, out[n - 1] = digraphs[d][2];
    }
    return out;
}

/* The length of white space or a comment; 0: it is neither. */
static size_t blank_length(const char *p)
{
    if (!strncmp(p, "//", 2)) return strcspn(p, "\n");
    if (strncmp(p, "/*", 2)) return isspace((unsigned char)*p) ? 1 : 0;
    const char *end = strstr(p + 2, "*/");
    return end ? (size_t)(end + 2 - p) : strlen(p);
}

/* The number of characters at p that are letters, digits, not ASCII, or in more. */
static size_t word_length(const char *p, const char *more)
{
    size_t n = 0;
    while (p[n] && (isalnum((unsigned char)p[n]) || p[n] & 0x80 || strchr(more, p[n]))) n++;
    return n;
}

static size_t literal_length(const char *p)
{
    size_t n = 1;
    while (p[n] && p[n] != *p && p[n] != '\n') n += p[n] == '\\' && p[n + 1] ? 2 : 1;
    return n + (p[n] == *p);
}

static struct token token_at(const char *p)
{
    struct token t = {TOKEN_OPERATOR, p, word_length(p, "_$"), 0xcbf29ce484222325u, 0, 0};
    if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1])))
        t.kind = TOKEN_NUMBER, t.length = 1 + word_length(p + 1, "_.'");
    else if (t.length)
        t.kind = TOKEN_WORD;
    else if (*p == '"' || *p == '\'')
        t.kind = TOKEN_LITERAL, t.length = literal_length(p);
    else
        t.length = p[1] == '=' || (p[1] == *p && strchr("+-<>&|", *p)) ? 2 : 1;
    for (size_t i = 0; i < t.length; i++) t.hash = (t.hash ^ (unsigned char)p[i]) * 0x100000001b3u;
    t.hash ^= t.hash >> 29;
    return t;
}

int token_is(const struct token *t, const char *text)
{
    return t->length == strlen(text) && !memcmp(t->at, text, t->length);
}

void tokens_read(struct tokens *t, const char *text)
{
    int *lines, line_begins = 1, in_directive = 0;
    if (!strncmp(text, "\xef\xbb\xbf", 3)) text += 3; /* UTF-8's byte order mark */
    *t = (struct tokens){.text = plain(text, &lines)};
    for (const char *p = t->text; *p;) {
        size_t blank = blank_length(p);
        if (*p == '\n') line_begins = 1, in_directive = 0;
        p += blank;
        if (blank) continue;
        struct token *n = VEC_PUSH(t->list, t->count, t->cap);
        *n = token_at(p);
        n->line = lines[p - t->text];
        n->in_directive = in_directive |= line_begins && *p == '#';
        /* after `# define NAME` follows the macro's body, which counts as code */
        if (in_directive && t->count > 2 && token_is(n - 1, "define") && token_is(n - 2, "#"))
            in_directive = 0;
        line_begins = 0;
        p += n->length;
    }
    free(lines);
}

void tokens_free(struct tokens *t)
{
    free(t->list), free(t->text);
    *t = (struct tokens){0};
}
