/* condition.c - does a line of the source stand in an if or an else?
 *
 *     if (i < n) {             if (i >= n) return;
 *         s[i] = x[i];         s[i] = x[i];
 *         __syncthreads();     __syncthreads();
 *     }
 *
 * Both become the same machine code, in which threads exit that never reach the barrier. The one at
 * the right is allowed from compute capability 7.0 on, the one at the left is not. The text is read
 * backwards from the line: each { that nothing has closed belongs to what stands before it. */
#include "sim/check/names.h"

#include <ctype.h>
#include <string.h>

/* The last character before p that is no blank; text - 1: there is none. */
static const char *back(const char *text, const char *p)
{
    while (--p >= text && isspace((unsigned char)*p))
        ;
    return p;
}

/* Does the word end at p, and does it stand alone? */
static int ends_word(const char *text, const char *p, const char *word)
{
    long n = (long)strlen(word);
    return p - text >= n && !strncmp(p - n + 1, word, (size_t)n) &&
           !isalnum((unsigned char)p[-n]) && p[-n] != '_';
}

/* Does an if (...) or an else end right before p? */
static int after_condition(const char *text, const char *p)
{
    int depth = 0;
    p = back(text, p);
    if (p < text || *p != ')') return p >= text && ends_word(text, p, "else");
    for (; p >= text; p--) {
        depth += (*p == ')') - (*p == '(');
        if (!depth) break;
    }
    p = p < text ? p : back(text, p);
    return p >= text && ends_word(text, p, "if");
}

int in_condition(const char *text, int line)
{
    const char *p = text;
    int depth = 0;
    for (int i = 1; p && i < line; i++) p = (p = strchr(p, '\n')) ? p + 1 : NULL;
    if (!p) return 0;
    const char *barrier = strstr(p, "__sync"), *end = p + strcspn(p, "\n");
    p = barrier && barrier < end ? barrier : p + strspn(p, " \t");
    if (after_condition(text, p)) return 1;
    while (--p >= text) {
        if (*p == '}') depth++;
        if (*p == '{' && depth-- == 0) {
            depth = 0;
            if (after_condition(text, p)) return 1;
        }
    }
    return 0;
}
