/* lexer.h - PTX text to tokens. Only the parser includes this.
 *
 *      @%p1 ld.global.f32 %f1, [%rd4+8];     @ | %p1 | ld.global.f32 | %f1 | , | [ | %rd4 | + | 8 | ] | ;
 *
 * A word keeps its dots: "ld.global.f32", "%tid.x", ".visible". Comments and white space are
 * skipped. Source: PTX ISA, "Syntax". */
#ifndef LOCKSTEP_PTX_LEXER_H
#define LOCKSTEP_PTX_LEXER_H

#include <stddef.h>
#include <stdint.h>

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCT, TOKEN_BAD };

/* text and len are a piece of the source; a string's excludes the quotes and keeps the escapes.
 * punct is set for TOKEN_PUNCT; number and is_float for TOKEN_NUMBER. */
struct token {
    enum token_kind kind;
    const char *text; /* into the source */
    size_t len;
    int line;
    char punct;
    /* width of a float: 4 for 0f..., 8 for 0d... or a decimal point; 0: an integer */
    int is_float;
    uint64_t number; /* an integer, or the bits of a float */
};

/* The position in the text, which is NUL-terminated. A copy of it is a bookmark to which the parser
 * can return. */
struct lexer {
    const char *at;
    int line;
};

/* Read the next token. At the end of the text it is TOKEN_END, each time. A character that begins
 * no token, or a string without an end, is TOKEN_BAD. */
void lexer_next(struct lexer *l, struct token *t);

#endif
