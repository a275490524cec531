/* lexer.h - private to the parser: divides PTX text into tokens.
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

/* A token. text and len are a range of the source, for a string without the quotes and with the
 * escapes. punct is set for TOKEN_PUNCT; number and is_float for TOKEN_NUMBER. */
struct token {
    enum token_kind kind;
    const char *text; /* pointer into the source */
    size_t len;
    int line;
    char punct;
    /* bytes of a float: 4 for 0f..., 8 for 0d... or with a decimal point; 0: the number is an
     * integer */
    int is_float;
    uint64_t number; /* the value of an integer, or the bits of a float */
};

/* A position in the NUL-terminated text. The parser saves a copy of the struct where it may have to
 * go back. */
struct lexer {
    const char *at;
    int line;
};

/* Reads the next token. At the end of the text every call gives TOKEN_END. A character that begins
 * no token, or an unterminated string, is TOKEN_BAD. */
void lexer_next(struct lexer *l, struct token *t);

#endif
