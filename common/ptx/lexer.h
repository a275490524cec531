/* lexer.h - PTX text to tokens. Only the parser includes this.
 *
 * A word keeps its dots: "ld.global.f32", "%tid.x", ".visible". Comments and white space vanish. */
#ifndef LOCKSTEP_PTX_LEXER_H
#define LOCKSTEP_PTX_LEXER_H

#include <stddef.h>
#include <stdint.h>

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCT, TOKEN_BAD };

struct token {
    enum token_kind kind;
    const char *text; /* into the source */
    size_t len;
    int line;
    char punct;
    int is_float;     /* 4 for 0f..., 8 for 0d... or a decimal point; 0 for integers */
    uint64_t number;  /* an integer, or the bits of a float */
};

struct lexer {
    const char *at;
    int line;
};

void lexer_next(struct lexer *l, struct token *t);

#endif
