/* code.h - private to explain/: the learner's kernel file as tokens, statements and names (code.c,
 * code_parse.c).
 *
 *     text ── code_read ──> tokens ── items: functions, LAUNCH lines, variables
 *                                     statements: a tree in the order of the text
 *                                     symbols: each name with its kind and the tokens where it can be used
 *
 * Nothing is compiled and no macro is expanded: what is not understood becomes an item or a
 * statement of kind OTHER. Tokens, statements and symbols are named by their index; -1 is none. */
#ifndef LOCKSTEP_EXPLAIN_CODE_H
#define LOCKSTEP_EXPLAIN_CODE_H

#include "base/base.h"

enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_MARK, TOKEN_STRING, TOKEN_DIRECTIVE };
struct token {
    /* a directive is one token; but a #define is "#define" and its words */
    enum token_kind kind;
    size_t at, len; /* bytes of the text */
    int line;
    int pair;   /* for a bracket: the matching one */
    int define; /* for a word of a #define: the #define's token; else -1 */
};

/* The kinds of top-level items. */
enum item_kind {
    ITEM_FUNCTION,
    ITEM_LAUNCH,
    ITEM_PREDICT,
    ITEM_VARIABLE,
    ITEM_DEFINE,
    ITEM_MACRO,
    ITEM_OTHER
};
struct item {
    enum item_kind kind;
    int first, last;
    int name; /* a function's, a #define's, or that of a LAUNCH line's kernel */
    /* for a function: ( and {; for a macro with parameters: ( and its first word */
    int open, body;
    int used; /* the kernel, or a function or macro that it calls */
};

enum statement_kind {
    STATEMENT_BLOCK,
    STATEMENT_IF,
    STATEMENT_FOR,
    STATEMENT_WHILE,
    STATEMENT_DECLARATION,
    STATEMENT_EXPRESSION,
    STATEMENT_RETURN,
    STATEMENT_OTHER
};
struct statement {
    enum statement_kind kind;
    int lead; /* its first token with #pragma unroll or ROLLED before it */
    int first, last;
    int parent;   /* the statement that holds it; of a function's body -1 */
    int function; /* the item */
    int open;     /* ( of an if, for or while */
    /* statements: the body of an if, for or while, and its else. For the declaration of a lambda,
     * body is its block; then open is the token before it */
    int body, other;
    int cond[2], step[2]; /* tokens, first to last; -1: none */
};

enum symbol_kind { SYMBOL_INT, SYMBOL_FLOAT, SYMBOL_POINTER, SYMBOL_ARRAY, SYMBOL_OTHER };
struct symbol {
    enum symbol_kind kind;
    int name;     /* its token */
    int from, to; /* tokens where it can be used */
    int type;     /* the first token of its declaration */
    int dims;     /* subscripts of an array */
    int whole;    /* what it points to, or its elements, are integers */
    int parameter, constant;
    int constant_target; /* a pointer to const */
    int init[2];         /* tokens of its initializer; -1: none */
    /* its declaration; -1: a constant of the file, or a name in a macro */
    int statement;
};

struct code {
    const char *text; /* the caller's */
    struct token *tokens;
    struct item *items;
    struct statement *statements;
    struct symbol *symbols;
    int count, item_count, statement_count, symbol_count;
    int before; /* number of lines before the learner's file in the text */
};

/* Read a file; kernel names the function that is run. -1: parentheses do not match, the kernel is
 * missing, or #if selects parts. The text must outlive c. Free c in either case. */
int code_read(struct code *c, const char *text, const char *kernel);
void code_free(struct code *c);

/* 0 for -1 and past the end */
int code_is(const struct code *c, int token, const char *text);
/* do two tokens have the same text? */
int code_same(const struct code *c, int a, int b);
char *code_word(const struct code *c, int token); /* the caller frees it */
/* tokens first to last, as one line */
char *code_text(const struct code *c, int first, int last);
static inline size_t start_of(const struct code *c, int i) { return c->tokens[i].at; }
static inline size_t end_of(const struct code *c, int i)
{
    return c->tokens[i].at + c->tokens[i].len;
}
/* For %.*s: a token; tokens first to last, as written. */
#define WORD(c, i) (int)(c)->tokens[i].len, (c)->text + (c)->tokens[i].at
#define SPAN(c, first, last) \
    (int)(end_of(c, last) - start_of(c, first)), (c)->text + start_of(c, first)
/* The symbol that a name stands for at its place. -1: none, or a member after . or ->. */
int code_symbol(const struct code *c, int token);
/* the innermost statement that holds the token */
int code_statement(const struct code *c, int token);
/* the line in the learner's file of text[at] */
int code_line(const struct code *c, size_t at);
/* If the token is the name in a call of one of the file's functions: the call's (. Else -1. */
int code_call(const struct code *c, int token);
/* The item of this kind that the token names; -1: none. */
int code_named(const struct code *c, enum item_kind kind, int token);
int code_item(const struct code *c, int token);     /* at the top level; -1: none */
int code_function(const struct code *c, int token); /* the item; -1: none */
/* Is it the < or > in a call of a template of the file: turn<32>(...)? */
int code_is_angle(const struct code *c, int token);
int code_ends_operand(const struct code *c, int token); /* a name, a number, ) or ] */
/* Is the symbol an integer parameter of the function around a token? */
int code_dim(const struct code *c, int symbol, int token);
int code_loop_variable(const struct code *c, int token); /* of a for */
/* is it in the value of a constant? */
int code_constant(const struct code *c, int token);
/* is it the whole value? */
int code_constant_number(const struct code *c, int token);
/* Does an earlier declaration have the same initializer as the one that begins at a token? Then
 * this one is the copy. */
int code_copied(const struct code *c, int token);
/* The end of the expression that begins at a token: the last token before a , ; ) ] or : at its own
 * level. */
int code_expression_end(const struct code *c, int token, int last);

size_t code_length(const char *text); /* the length of text's first token */

/* For code_parse.c */
void code_statements(struct code *c, int item);
void code_names(struct code *c); /* in constants and in macros that are used */

#endif
