/* parse_inst.c - parses instructions: labels, guards, opcodes, operands; and their source lines
 * (.loc).
 *
 *      LABEL:  @!%p1  ld.global.v2.f32  {%f1, %f2}, [%rd4+8];
 *              guard  opcode            operand     operand
 *
 * Operands are distinguished by their form alone, since the parser does not know what an opcode
 * expects. Source: PTX ISA, instruction statements, operands, .loc. */
#include "ptx/parser.h"

#include <string.h>

/* Sets p->loc, the source position of the instructions that follow. */
void parser_loc(struct parser *p)
{
    p->loc.file = (int)parser_number(p, "a file's number");
    p->loc.line = (int)parser_number(p, "a line");
    p->loc.col = (int)parser_number(p, "a column");
    /* If the code was inlined, use the line of the call, which is in the learner's file. */
    while (parser_accept(p, ',')) {
        if (parser_accept_word(p, "inlined_at")) {
            p->loc.file = (int)parser_number(p, "a file's number");
            p->loc.line = (int)parser_number(p, "a line");
            p->loc.col = (int)parser_number(p, "a column");
        } else {
            while (p->tok.kind == TOKEN_WORD || parser_at(p, '+') || p->tok.kind == TOKEN_NUMBER) {
                if (parser_at_word(p, "inlined_at")) break;
                int was_number = p->tok.kind == TOKEN_NUMBER;
                parser_advance(p);
                if (was_number) break;
            }
        }
    }
}

static void parse_operand(struct parser *p, struct ptx_operand *o);

enum { MAX_ELEMENTS = 128 }; /* most operands in a list: D of wgmma has as many */

/* Parses a list of operands up to the character "close" into o->elements. Lists can be nested, up
 * to MAX_NEST levels. */
static void parse_elements(struct parser *p, struct ptx_operand *o, char close)
{
    if (++p->nest > MAX_NEST) parser_fail(p, "operands nested too deeply");
    while (!parser_at(p, close)) {
        if (o->element_count >= MAX_ELEMENTS) parser_fail(p, "more than %d operands", MAX_ELEMENTS);
        o->elements = xrealloc(o->elements, sizeof *o->elements * (size_t)(o->element_count + 1));
        o->elements[o->element_count] = (struct ptx_operand){.reg = -1, .pair = -1};
        parse_operand(p, &o->elements[o->element_count++]);
        if (!parser_accept(p, ',')) break;
    }
    p->nest--;
    parser_expect(p, close);
}

/* Parses an integer after any number of signs. */
static int64_t parse_signed(struct parser *p)
{
    int negative = 0;
    while (parser_at(p, '-') || parser_at(p, '+')) {
        negative ^= p->tok.punct == '-';
        parser_advance(p);
    }
    uint64_t n = parser_number(p, "a number");
    return (int64_t)(negative ? 0 - n : n);
}

/* Parses a name: a register of the function, _, a special register, or a symbol. These are tried in
 * this order, since PTX allows names to be reused. */
static void parse_name(struct parser *p, struct ptx_operand *o)
{
    o->reg = parser_find_reg(p, p->tok.text, p->tok.len);
    if (o->reg >= 0) {
        o->kind = OPERAND_REG;
    } else if (parser_at_word(p, "_")) {
        o->kind = OPERAND_SINK;
    } else {
        o->kind = p->tok.text[0] == '%' ? OPERAND_SREG : OPERAND_SYMBOL;
        o->symbol = parser_keep(p, xstrndup(p->tok.text, p->tok.len));
    }
    parser_advance(p);
}

/* Parses an address, from after its [ up to and including its ]: reg + imm, symbol + imm, imm or,
 * for a tensor map, reg, {x, y}. */
static void parse_mem(struct parser *p, struct ptx_operand *o)
{
    if (p->tok.kind == TOKEN_WORD) parse_name(p, o);
    if (o->kind == OPERAND_SREG) parser_fail(p, "%s is not a register of this function", o->symbol);
    if (parser_at(p, '+') || parser_at(p, '-') || p->tok.kind == TOKEN_NUMBER)
        o->imm = parse_signed(p);
    o->kind = OPERAND_MEM;
    if (parser_accept(p, ',')) {
        parser_expect(p, '{');
        parse_elements(p, o, '}');
    }
    parser_expect(p, ']');
}

static void parse_operand(struct parser *p, struct ptx_operand *o)
{
    if (parser_accept(p, '[')) {
        parse_mem(p, o);
    } else if (parser_accept(p, '{')) {
        o->kind = OPERAND_VECTOR;
        parse_elements(p, o, '}');
    } else if (parser_accept(p, '(')) {
        o->kind = OPERAND_LIST;
        parse_elements(p, o, ')');
    } else if (parser_accept(p, '!')) {
        parse_name(p, o);
        o->negated = 1;
    } else if (p->tok.kind == TOKEN_WORD) {
        parse_name(p, o);
        if ((o->kind == OPERAND_REG || o->kind == OPERAND_SINK) && parser_accept(p, '|')) {
            struct ptx_operand q = {.reg = -1};
            parse_name(p, &q);
            o->pair = q.kind == OPERAND_REG ? q.reg : -1;
        } else if (o->kind == OPERAND_SYMBOL && (parser_at(p, '+') || parser_at(p, '-'))) {
            o->imm = parse_signed(p);
        }
    } else if (p->tok.kind == TOKEN_NUMBER && p->tok.is_float) {
        o->kind = OPERAND_IMM;
        o->imm = (int64_t)p->tok.number;
        o->is_float = p->tok.is_float;
        parser_advance(p);
    } else {
        o->kind = OPERAND_IMM;
        o->imm = parse_signed(p);
    }
}

/* Parses an instruction up to its semicolon. The instruction is marked as labelled if the last
 * label directly precedes it. */
static void parse_inst(struct parser *p)
{
    struct ptx_inst *in = VEC_PUSH(p->f->insts, p->f->inst_count, p->f->inst_cap);
    in->guard = -1;
    in->loc = p->loc;
    in->loc.ptx_line = p->tok.line;
    in->labelled =
        p->f->label_count && p->f->labels[p->f->label_count - 1].inst == (int)p->f->inst_count - 1;
    if (parser_accept(p, '@')) {
        in->guard_negated = parser_accept(p, '!');
        in->guard = p->tok.kind == TOKEN_WORD ? parser_find_reg(p, p->tok.text, p->tok.len) : -1;
        if (in->guard < 0) parser_fail(p, "expected a predicate register after @");
        parser_advance(p);
    }
    in->opcode = parser_word(p, "an instruction");
    while (!parser_at(p, ';')) {
        if (in->operand_count == PTX_MAX_OPERANDS)
            parser_fail(p, "%s has more than %d operands", in->opcode, PTX_MAX_OPERANDS);
        struct ptx_operand *o = &in->operand[in->operand_count++];
        *o = (struct ptx_operand){.reg = -1, .pair = -1};
        parse_operand(p, o);
        if (!parser_accept(p, ',')) break;
    }
    parser_expect(p, ';');
}

/* Only the colon distinguishes a label from an opcode: one more token is read, and if it is no
 * colon, the parser goes back. */
void parser_label_or_inst(struct parser *p)
{
    struct lexer here = p->lexer;
    struct token word = p->tok;
    if (word.kind == TOKEN_WORD) {
        parser_advance(p);
        if (parser_accept(p, ':')) {
            struct ptx_label *l = VEC_PUSH(p->f->labels, p->f->label_count, p->f->label_cap);
            *l = (struct ptx_label){
                parser_keep(p, xstrndup(word.text, word.len)), (int)p->f->inst_count};
            return;
        }
        p->lexer = here;
        p->tok = word;
    }
    parse_inst(p);
}
