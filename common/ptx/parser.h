/* parser.h - private to ptx/: the state of the parser, and functions that read tokens.
 *
 *      cursor.c         reads tokens, reports errors
 *      parser.c         declarations and functions
 *      parse_inst.c     instructions and their operands */
#ifndef LOCKSTEP_PTX_PARSER_H
#define LOCKSTEP_PTX_PARSER_H

#include "ptx/lexer.h"
#include "ptx/ptx.h"

#include <setjmp.h>

/* Limits far above any real kernel: most registers of a function, elements of an array, levels of
 * nesting. They bound the memory and the stack that a hostile file can use. */
enum { MAX_REGS = 1 << 20, MAX_ARRAY = 1 << 28, MAX_NEST = 64 };

/* Maps the names of the current function's registers to their indices: a hash table with open
 * addressing, since a kernel can have thousands. cap is a power of two; at most half of the slots
 * are used. */
struct name_map {
    size_t cap, count;
    int *vreg; /* index of the register in the function's regs, plus 1; 0: the slot is free */
    /* Registers of outer scopes that are hidden because an inner scope declared the same name.
     * depth: nesting depth of that inner scope. */
    struct hidden {
        int reg, depth;
    } * hidden;
    size_t hidden_count, hidden_cap;
    int depth;
};

/* The state of one call of ptx_parse. Everything that is allocated belongs to m, except the table
 * of names, so after an error only these two must be freed. */
struct parser {
    struct lexer lexer;
    struct token tok; /* the next token, not yet consumed */
    struct ptx_module *m;
    /* the current function, from its directives to the end of its body; NULL outside of
     * functions */
    struct ptx_func *f;
    struct ptx_loc loc; /* position in the source that the last .loc gave */
    struct name_map names;
    int nest; /* current depth of nested operands or initializers */
    struct err *e;
    jmp_buf fail;
};

/* Reports an error at the line of the next token. Does not return. */
void parser_fail(struct parser *p, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
/* Read the next token. A character that begins no token is an error. */
void parser_advance(struct parser *p);
/* parser_at: is the next token this punctuation character? parser_at_word: is it this word? */
int parser_at(const struct parser *p, char c);
int parser_at_word(const struct parser *p, const char *w);
/* parser_accept: consumes the next token if it is this punctuation character; parser_accept_word:
 * if it is this word. Both return whether it was. */
int parser_accept(struct parser *p, char c);
int parser_accept_word(struct parser *p, const char *w);
/* Consume this punctuation character; another token is an error. */
void parser_expect(struct parser *p, char c);
/* Transfer the string s to the module, which frees it even if parsing fails before anything points
 * to it. Returns s. */
char *parser_keep(struct parser *p, char *s);
/* parser_word: consume a word, which the module owns; parser_number: consume an integer. what: what
 * was expected, for the message if something else follows. */
char *parser_word(struct parser *p, const char *what);
uint64_t parser_number(struct parser *p, const char *what);

/* The index of the register with this name in the current function; -1: there is none. */
int parser_find_reg(struct parser *p, const char *s, size_t len);
/* Parses the rest of .loc: file line column {, function_name ..., inlined_at file line column} */
void parser_loc(struct parser *p);
/* Parses a label, or an instruction with its guard and operands (parse_inst.c). */
void parser_label_or_inst(struct parser *p);

#endif
