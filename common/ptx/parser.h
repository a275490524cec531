/* parser.h - the parser's own state and how it moves along the tokens. Inside of ptx only.
 *
 * cursor.c moves, parser.c knows declarations and functions, parse_inst.c instructions and their operands. */
#ifndef LOCKSTEP_PTX_PARSER_H
#define LOCKSTEP_PTX_PARSER_H

#include "ptx/lexer.h"
#include "ptx/ptx.h"

#include <setjmp.h>

/* Limits that no real kernel file comes near; they bound what a hostile one can make us allocate. */
enum { MAX_REGS = 1 << 20, MAX_ARRAY = 1 << 28, MAX_NEST = 64 };

/* Register names of the function being parsed: open addressing, since kernels have thousands. */
struct name_map {
    size_t cap, count;
    int *vreg; /* index into regs, plus 1; 0 free */
};

struct parser {
    struct lexer lexer;
    struct token tok;      /* the one to look at next */
    struct ptx_module *m;
    struct ptx_func *f;    /* inside a body, else NULL */
    struct ptx_loc loc;    /* of the last .loc */
    struct name_map names;
    int nest;
    struct err *e;
    jmp_buf fail;
};

/* Refuse the text, with its line. Does not return. */
void parser_fail(struct parser *p, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
/* On to the next token. */
void parser_advance(struct parser *p);
/* Is the next token this punctuation, this word? */
int parser_at(const struct parser *p, char c);
int parser_at_word(const struct parser *p, const char *w);
/* The same, and go past it if so. */
int parser_accept(struct parser *p, char c);
int parser_accept_word(struct parser *p, const char *w);
/* Go past it, or fail. */
void parser_expect(struct parser *p, char c);
/* A string that lives as long as the module, also when parsing fails before anything points to it. */
char *parser_keep(struct parser *p, char *s);
/* Take a word, a whole number; what: for the message where there is none. */
char *parser_word(struct parser *p, const char *what);
uint64_t parser_number(struct parser *p, const char *what);

/* The register of that name in the function being parsed, or -1. */
int parser_find_reg(struct parser *p, const char *s, size_t len);
/* .loc file line column {, function_name ..., inlined_at file line column} */
void parser_loc(struct parser *p);
/* A label, or an instruction with its guard and operands (parse_inst.c). */
void parser_label_or_inst(struct parser *p);

#endif
