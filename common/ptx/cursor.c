/* cursor.c - how the parser reads tokens, and how it reports an error.
 *
 * The parser looks one token ahead: p->tok is the next token, not yet consumed. parser_at only
 * compares it, parser_accept consumes it if it matches, parser_expect fails if it does not. A
 * failure leaves by longjmp to parse_all in parser.c. */
#include "ptx/parser.h"

#include <stdio.h>
#include <string.h>

/* Fails with an error at the line of the next token. */
void parser_fail(struct parser *p, const char *fmt, ...)
{
    va_list ap;
    char what[512];
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    err_set(p->e, ERR_LEARNER, "%s:%d: this is not PTX that can be read: %s", p->m->name,
        p->tok.line, what);
    longjmp(p->fail, 1);
}

void parser_advance(struct parser *p)
{
    lexer_next(&p->lexer, &p->tok);
    if (p->tok.kind == TOKEN_BAD)
        parser_fail(p, "unexpected character (byte %d)", (unsigned char)*p->tok.text);
}

int parser_at(const struct parser *p, char c)
{
    return p->tok.kind == TOKEN_PUNCT && p->tok.punct == c;
}

int parser_at_word(const struct parser *p, const char *w)
{
    return p->tok.kind == TOKEN_WORD && p->tok.len == strlen(w) &&
           !memcmp(p->tok.text, w, p->tok.len);
}

int parser_accept(struct parser *p, char c)
{
    if (!parser_at(p, c)) return 0;
    parser_advance(p);
    return 1;
}

int parser_accept_word(struct parser *p, const char *w)
{
    if (!parser_at_word(p, w)) return 0;
    parser_advance(p);
    return 1;
}

void parser_expect(struct parser *p, char c)
{
    if (!parser_accept(p, c))
        parser_fail(p, "expected '%c' before '%.*s'", c, (int)(p->tok.len < 40 ? p->tok.len : 40),
            p->tok.text);
}

/* The module takes ownership of s at once, so s is freed even after a longjmp. */
char *parser_keep(struct parser *p, char *s)
{
    return *VEC_PUSH(p->m->strings, p->m->string_count, p->m->string_cap) = s;
}

char *parser_word(struct parser *p, const char *what)
{
    if (p->tok.kind != TOKEN_WORD) parser_fail(p, "expected %s", what);
    char *s = parser_keep(p, xstrndup(p->tok.text, p->tok.len));
    parser_advance(p);
    return s;
}

/* Consumes an integer; a float is an error. */
uint64_t parser_number(struct parser *p, const char *what)
{
    if (p->tok.kind != TOKEN_NUMBER || p->tok.is_float) parser_fail(p, "expected %s", what);
    uint64_t v = p->tok.number;
    parser_advance(p);
    return v;
}
