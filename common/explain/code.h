/* code.h - private to explain/: the learner's kernel file as tokens, statements and names (code.c,
 * code_parse.c).
 *
 *     text ── code_read ──> tokens ── items: functions, LAUNCH lines, variables
 *                                     statements: a tree in the order of the text
 *                                     symbols: each name with its kind and its scope
 *
 * Nothing is compiled and no macro is expanded: text that is not understood becomes an item or a
 * statement of kind OTHER. Tokens, statements and symbols are referred to by index; -1 is none. */
#ifndef LOCKSTEP_EXPLAIN_CODE_H
#define LOCKSTEP_EXPLAIN_CODE_H

#include "base/base.h"

enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_MARK, TOKEN_STRING, TOKEN_DIRECTIVE };
struct token {
    /* a directive is one token, except that #define and each token of its replacement are tokens */
    enum token_kind kind;
    size_t at, len; /* offset and length in the text, in bytes */
    int line;
    int pair;   /* for a bracket: index of the matching bracket */
    int define; /* for a token of a #define: the index of the "#define" token; else -1 */
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
    /* the token that names the function or #define, or the kernel that a LAUNCH line launches */
    int name;
    /* function: open is the token (, body the token {; macro with parameters: open is (, body the
     * first token of its replacement */
    int open, body;
    int used; /* 1 for the kernel, and for a function or macro that the kernel uses */
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
    int lead; /* the first token of the statement, including a #pragma unroll or ROLLED before it */
    int first, last;
    int parent;   /* the statement that contains this one; -1 for a function's body */
    int function; /* index of the item of the function that contains the statement */
    int open;     /* the token ( of an if, for or while */
    /* the statements that are the body of an if, for or while, and its else. If a declaration
     * defines a lambda, body is the lambda's block, and open is the token before that block */
    int body, other;
    /* first and last token of the condition, and of the step of a for; -1: none */
    int cond[2], step[2];
};

enum symbol_kind { SYMBOL_INT, SYMBOL_FLOAT, SYMBOL_POINTER, SYMBOL_ARRAY, SYMBOL_OTHER };
struct symbol {
    enum symbol_kind kind;
    int name;     /* the token with the symbol's name, in its declaration */
    int from, to; /* first and last token between which the name can be used */
    int type;     /* the first token of the symbol's declaration */
    int dims;     /* how many subscripts an array has */
    /* 1 if the symbol is an integer, or points to integers, or has integers as elements */
    int whole;
    int parameter, constant;
    int constant_target; /* 1 if the symbol is a pointer to const */
    int init[2];         /* first and last token of the symbol's initializer; -1: none */
    /* the statement that declares the symbol; -1: a constant of the file, or a parameter of a
     * macro */
    int statement;
};

struct code {
    const char *text; /* text of the file, owned by the caller */
    struct token *tokens;
    struct item *items;
    struct statement *statements;
    struct symbol *symbols;
    int count, item_count, statement_count, symbol_count;
    int before; /* how many lines of the text precede the learner's own */
};

/* Parse a file. kernel: the function that is launched. Returns -1 if brackets do not match, the
 * kernel is missing, or #if selects among the top-level items. The text must outlive c. Free c in
 * either case. */
int code_read(struct code *c, const char *text, const char *kernel);
void code_free(struct code *c);

/* Is the token's text equal to text? 0 for token -1 and past the last token. */
int code_is(const struct code *c, int token, const char *text);
/* Do two tokens have the same text? */
int code_same(const struct code *c, int a, int b);
char *code_word(const struct code *c, int token); /* the text of a token; the caller frees it */
/* The text of tokens first to last on one line. The caller frees it. */
char *code_text(const struct code *c, int first, int last);
static inline size_t start_of(const struct code *c, int i) { return c->tokens[i].at; }
static inline size_t end_of(const struct code *c, int i)
{
    return c->tokens[i].at + c->tokens[i].len;
}
/* Arguments of printf's "%.*s". WORD: one token; SPAN: the text from one token to another, as it is
 * in the file. */
#define WORD(c, i) (int)(c)->tokens[i].len, (c)->text + (c)->tokens[i].at
#define SPAN(c, first, last) \
    (int)(end_of(c, last) - start_of(c, first)), (c)->text + start_of(c, first)
/* The symbol that the name at a token refers to. -1: none, or the token is a member after . or
 * ->. */
int code_symbol(const struct code *c, int token);
/* The innermost statement that contains the token; -1: none. */
int code_statement(const struct code *c, int token);
/* The line of the learner's file that contains text[at]. */
int code_line(const struct code *c, size_t at);
/* If the token is the name in a call of a function that the file defines: the token ( of the
 * call. Else -1. */
int code_call(const struct code *c, int token);
/* The item of this kind whose name is the token's text; -1: none. */
int code_named(const struct code *c, enum item_kind kind, int token);
/* the top-level item that contains the token; -1: none */
int code_item(const struct code *c, int token);
/* the item of the function that contains the token; -1: none */
int code_function(const struct code *c, int token);
/* Is the token the < or > around template arguments in a call of a function of the file, as in
 * turn<32>(...)? */
int code_is_angle(const struct code *c, int token);
int code_ends_operand(const struct code *c, int token); /* is the token a name, a number, ) or ]? */
/* is the token a name declared in the head of a for? */
int code_loop_variable(const struct code *c, int token);
/* Is the token in the value of a constant of the file? */
int code_constant(const struct code *c, int token);
/* The last token of the expression that begins at a token: what follows is , ; ) ] or : at the
 * same nesting level, or lies after `last`. */
int code_expression_end(const struct code *c, int token, int last);

/* The brackets and ? that are open at the end of a text of len bytes, counted by kind in one
 * number; a closing bracket without an opening one counts -1. 0: all are closed. */
long code_open(const char *text, size_t len);
size_t code_length(const char *text); /* the length in bytes of the first token of text */

/* Defined in code_parse.c and called by code_read: parse the body of a function. */
void code_statements(struct code *c, int item);
/* declare the names of constants, and the names in macros that the kernel uses */
void code_names(struct code *c);

#endif
