/* lexer.c - divides PTX text into tokens, as lexer.h describes. Source: PTX ISA, "Syntax". */
#include "ptx/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Skip white space and both kinds of comments, counting lines. */
static void skip_space(struct lexer *l)
{
    for (;;) {
        if (*l->at == '\n') {
            l->line++;
            l->at++;
        } else if (isspace((unsigned char)*l->at)) {
            l->at++;
        } else if (l->at[0] == '/' && l->at[1] == '/') {
            while (*l->at && *l->at != '\n') l->at++;
        } else if (l->at[0] == '/' && l->at[1] == '*') {
            for (l->at += 2; *l->at && !(l->at[0] == '*' && l->at[1] == '/'); l->at++)
                l->line += *l->at == '\n';
            if (*l->at) l->at += 2;
        } else {
            return;
        }
    }
}

static int is_word_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* Does the character at p belong to a word? A colon does only as part of "::", as in "shared::cta";
 * a single colon ends a label. */
static int is_word(const char *p)
{
    return isalnum((unsigned char)*p) || *p == '_' || *p == '$' || *p == '.' || *p == '%' ||
           (p[0] == ':' && p[1] == ':') || (p[0] == ':' && p[-1] == ':');
}

/* Reads 0fXXXXXXXX or 0dXXXXXXXXXXXXXXXX, the bits of a float or a double. Returns 0, and consumes
 * nothing, if the text is something else. */
static int bits_of_float(struct lexer *l, struct token *t)
{
    const char *p = l->at;
    size_t digits;
    if (p[0] != '0') return 0;
    if (p[1] == 'f' || p[1] == 'F')
        digits = 8;
    else if (p[1] == 'd' || p[1] == 'D')
        digits = 16;
    else
        return 0;
    uint64_t v = 0;
    for (size_t i = 0; i < digits; i++) {
        char c = p[2 + i];
        if (!isxdigit((unsigned char)c)) return 0;
        v = v << 4 | (uint64_t)(isdigit((unsigned char)c) ? c - '0' : (tolower(c) - 'a') + 10);
    }
    t->number = v;
    t->is_float = (int)digits / 2;
    l->at += 2 + digits;
    return 1;
}

/* Reads a number without a sign: binary, octal, decimal or hexadecimal; a number with a decimal
 * point is a double. An integer may end in U. */
static void number(struct lexer *l, struct token *t)
{
    char *end;
    t->kind = TOKEN_NUMBER;
    if (bits_of_float(l, t)) return;
    const char *p = l->at;
    if (p[0] == '0' && (p[1] == 'b' || p[1] == 'B')) {
        t->number = strtoull(p + 2, &end, 2);
    } else {
        t->number = strtoull(p, &end, 0);
        if (*end == '.' && isdigit((unsigned char)end[1])) {
            double d = strtod(p, &end);
            memcpy(&t->number, &d, 8);
            t->is_float = 8;
        }
    }
    if (*end == 'U') end++;
    l->at = end > p ? end : p + 1;
}

void lexer_next(struct lexer *l, struct token *t)
{
    skip_space(l);
    *t = (struct token){.text = l->at, .line = l->line};
    char c = *l->at;
    if (!c) {
        t->kind = TOKEN_END;
    } else if (is_word_start(c)) {
        t->kind = TOKEN_WORD;
        l->at++;
        while (is_word(l->at)) l->at++;
    } else if (isdigit((unsigned char)c)) {
        number(l, t);
    } else if (c == '"') {
        t->kind = TOKEN_STRING;
        t->text = ++l->at;
        while (*l->at && *l->at != '"' && *l->at != '\n')
            l->at += *l->at == '\\' && l->at[1] && l->at[1] != '\n' ? 2 : 1;
        t->len = (size_t)(l->at - t->text);
        if (*l->at == '"')
            l->at++;
        else
            t->kind = TOKEN_BAD;
        return;
    } else if (strchr("{}()[]<>,;:@!+-|=~&*", c)) {
        t->kind = TOKEN_PUNCT;
        t->punct = c;
        l->at++;
    } else {
        t->kind = TOKEN_BAD;
        l->at++;
    }
    t->len = (size_t)(l->at - t->text);
}
