/* tokens.h - private to grading: a text in C, split into tokens. */
#ifndef LOCKSTEP_GRADING_TOKENS_H
#define LOCKSTEP_GRADING_TOKENS_H

#include <stddef.h>
#include <stdint.h>

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_LITERAL, TOKEN_OPERATOR };

struct token {
    enum token_kind kind;
    const char *at;
    size_t length;
    uint64_t hash;    /* of the token's text */
    int line;         /* from 1 */
    int in_directive; /* 1: in a preprocessor directive, but not in a macro's body */
};
struct tokens {
    struct token *list;
    size_t count, cap;
    char *text; /* the tokens point into it */
};
void tokens_read(struct tokens *t, const char *text);
void tokens_free(struct tokens *t);
int token_is(const struct token *t, const char *text);

#endif
