/* parser.h - the state of the parser, and how it moves along the tokens. Inside of ptx only.
 *
 *      cursor.c         moves along the tokens, reports errors
 *      parser.c         declarations and functions
 *      parse_inst.c     instructions and their operands */
#ifndef LOCKSTEP_PTX_PARSER_H
#define LOCKSTEP_PTX_PARSER_H

#include "ptx/lexer.h"
#include "ptx/ptx.h"

#include <setjmp.h>

/* Limits far above any real kernel. They bound the memory and the stack that a hostile file can
 * use. */
enum { MAX_REGS = 1 << 20, MAX_ARRAY = 1 << 28, MAX_NEST = 64 };

/* The register names of the current function, as a hash table with open addressing: a kernel can
 * have thousands. cap is a power of two; at most half of the slots are used. */
struct name_map {
    size_t cap, count;
    int *vreg; /* index into the function's regs, plus 1; 0: a free slot */
    /* Registers of outer scopes whose names an inner scope has declared anew, with the depth of
     * that one. */
    struct hidden {
        int reg, depth;
    } * hidden;
    size_t hidden_count, hidden_cap;
    int depth;
};

/* One ptx_parse. Everything that is allocated belongs to m, except the table of names, so an error
 * only has to free these two. */
struct parser {
    struct lexer lexer;
    struct token tok; /* the next token, not yet consumed */
    struct ptx_module *m;
    struct ptx_func *f; /* the current function, from its directives on; else NULL */
    struct ptx_loc loc; /* the last .loc */
    struct name_map names;
    int nest; /* depth of nested operands or initialisers */
    struct err *e;
    jmp_buf fail;
};

/* Refuse the text, with the line of the next token. Does not return. */
void parser_fail(struct parser *p, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
/* Move to the next token. Fails at a character that begins none. */
void parser_advance(struct parser *p);
/* Is the next token this punctuation, this word? */
int parser_at(const struct parser *p, char c);
int parser_at_word(const struct parser *p, const char *w);
/* The same, and consume the token if so. */
int parser_accept(struct parser *p, char c);
int parser_accept_word(struct parser *p, const char *w);
/* Consume this punctuation, or fail. */
void parser_expect(struct parser *p, char c);
/* Give s to the module, which frees it in the end, even if parsing fails before anything points to
 * it. Returns s. */
char *parser_keep(struct parser *p, char *s);
/* Consume a word, an integer. what names it in the message if there is none. The module owns the
 * word. */
char *parser_word(struct parser *p, const char *what);
uint64_t parser_number(struct parser *p, const char *what);

/* The register of that name in the function being parsed, or -1. */
int parser_find_reg(struct parser *p, const char *s, size_t len);
/* What follows .loc: file line column {, function_name ..., inlined_at file line column} */
void parser_loc(struct parser *p);
/* A label, or an instruction with its guard and operands (parse_inst.c). */
void parser_label_or_inst(struct parser *p);

#endif
