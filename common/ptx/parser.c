/* parser.c - tokens to struct ptx_module. It knows PTX's grammar, not its operations: any opcode parses. */
#include "ptx/lexer.h"
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits that no real kernel file comes near; they bound what a hostile one can make us allocate. */
enum { MAX_REGS = 1 << 20, MAX_ARRAY = 1 << 28, MAX_NEST = 64 };

/* Register names of the function being parsed: open addressing, since kernels have thousands. */
struct name_map {
    size_t cap, count;
    int *slot; /* index into regs, plus 1; 0 free */
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

static void fail(struct parser *p, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
static void fail(struct parser *p, const char *fmt, ...)
{
    va_list ap;
    char what[512];
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    err_set(p->e, ERR_LEARNER, "%s:%d: this is not PTX that can be read: %s", p->m->name, p->tok.line, what);
    longjmp(p->fail, 1);
}

static void advance(struct parser *p)
{
    lexer_next(&p->lexer, &p->tok);
    if (p->tok.kind == TOKEN_BAD)
        fail(p, "unexpected character (byte %d)", (unsigned char)*p->tok.text);
}

static int is_punct(const struct parser *p, char c)
{
    return p->tok.kind == TOKEN_PUNCT && p->tok.punct == c;
}

static int is_word(const struct parser *p, const char *w)
{
    return p->tok.kind == TOKEN_WORD && p->tok.len == strlen(w) && !memcmp(p->tok.text, w, p->tok.len);
}

static int accept(struct parser *p, char c)
{
    if (!is_punct(p, c))
        return 0;
    advance(p);
    return 1;
}

static int accept_word(struct parser *p, const char *w)
{
    if (!is_word(p, w))
        return 0;
    advance(p);
    return 1;
}

static void expect(struct parser *p, char c)
{
    if (!accept(p, c))
        fail(p, "expected '%c' before '%.*s'", c, (int)(p->tok.len < 40 ? p->tok.len : 40), p->tok.text);
}

/* A string that lives as long as the module, also when parsing fails before anything points to it. */
static char *keep(struct parser *p, char *s)
{
    return *VEC_PUSH(p->m->strings, p->m->string_count, p->m->string_cap) = s;
}

static char *take_word(struct parser *p, const char *what)
{
    if (p->tok.kind != TOKEN_WORD)
        fail(p, "expected %s", what);
    char *s = keep(p, xstrndup(p->tok.text, p->tok.len));
    advance(p);
    return s;
}

static uint64_t take_number(struct parser *p, const char *what)
{
    if (p->tok.kind != TOKEN_NUMBER || p->tok.is_float)
        fail(p, "expected %s", what);
    uint64_t v = p->tok.number;
    advance(p);
    return v;
}

/* ---- register names ---- */

static size_t name_hash(const char *s, size_t len)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 29);
}

static int *name_slot(struct parser *p, const char *s, size_t len)
{
    struct name_map *n = &p->names;
    for (size_t i = name_hash(s, len);; i++) {
        int *slot = &n->slot[i & (n->cap - 1)];
        if (!*slot)
            return slot;
        const char *have = p->f->regs[*slot - 1].name;
        if (!strncmp(have, s, len) && !have[len])
            return slot;
    }
}

static int find_reg(struct parser *p, const char *s, size_t len)
{
    return p->f && p->names.cap ? *name_slot(p, s, len) - 1 : -1;
}

static void add_reg(struct parser *p, char *name, enum ptx_type type)
{
    struct name_map *n = &p->names;
    if (p->f->reg_count >= MAX_REGS)
        fail(p, "more than %d registers", MAX_REGS);
    if (2 * (n->count + 1) > n->cap) {
        size_t cap = n->cap ? n->cap * 2 : 256;
        free(n->slot);
        n->slot = xcalloc(cap, sizeof *n->slot);
        n->cap = cap;
        for (size_t i = 0; i < p->f->reg_count; i++)
            *name_slot(p, p->f->regs[i].name, strlen(p->f->regs[i].name)) = (int)i + 1;
    }
    struct ptx_reg *r = VEC_PUSH(p->f->regs, p->f->reg_count, p->f->reg_cap);
    *r = (struct ptx_reg){name, type};
    *name_slot(p, name, strlen(name)) = (int)p->f->reg_count;
    n->count++;
}

/* ---- declarations ---- */

static enum ptx_type take_type(struct parser *p)
{
    if (p->tok.kind != TOKEN_WORD || p->tok.text[0] != '.')
        fail(p, "expected a type");
    enum ptx_type t = ptx_type_find(p->tok.text + 1, p->tok.len - 1);
    if (t == PTX_NONE)
        fail(p, "type %.*s is not supported", (int)p->tok.len, p->tok.text);
    advance(p);
    return t;
}

/* .reg .b32 %r<41>;   .reg .pred %p, %q; */
static void parse_reg(struct parser *p)
{
    if (accept_word(p, ".v2") || accept_word(p, ".v4"))
        fail(p, "vector registers are not supported");
    enum ptx_type type = take_type(p);
    do {
        char *name = take_word(p, "a register name");
        if (accept(p, '<')) {
            uint64_t n = take_number(p, "a count of registers");
            if (n > MAX_REGS)
                fail(p, "more than %d registers", MAX_REGS);
            for (uint64_t i = 0; i < n; i++)
                add_reg(p, keep(p, xasprintf("%s%d", name, (int)i)), type);
            expect(p, '>');
        } else {
            add_reg(p, name, type);
        }
    } while (accept(p, ','));
    expect(p, ';');
}

static void put_bytes(unsigned char *at, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        at[i] = (unsigned char)(v >> (8 * i));
}

/* generic(name)+4, name+4, or name: an address inside an initialiser. */
static void parse_reloc(struct parser *p, struct ptx_var *v, size_t offset, size_t bytes)
{
    int generic = accept_word(p, "generic");
    int paren = generic && accept(p, '(');
    char *symbol = take_word(p, "a variable's name");
    if (paren)
        expect(p, ')');
    int64_t addend = 0;
    if (accept(p, '+'))
        addend = (int64_t)take_number(p, "an offset");
    v->relocs = xrealloc(v->relocs, sizeof *v->relocs * (size_t)(v->reloc_count + 1));
    v->relocs[v->reloc_count++] = (struct ptx_reloc){offset, bytes, symbol, addend, generic};
}

static void parse_init_value(struct parser *p, struct ptx_var *v, size_t *offset, size_t size)
{
    if (accept(p, '{')) {
        if (++p->nest > MAX_NEST)
            fail(p, "initialisers nested too deeply");
        while (!is_punct(p, '}')) {
            parse_init_value(p, v, offset, size);
            if (!accept(p, ','))
                break;
        }
        p->nest--;
        expect(p, '}');
        return;
    }
    if (*offset + size > v->bytes)
        fail(p, "%s has more initial values than elements", v->name);
    int negative = accept(p, '-');
    if (p->tok.kind == TOKEN_WORD) {
        parse_reloc(p, v, *offset, size);
    } else {
        if (p->tok.kind != TOKEN_NUMBER)
            fail(p, "expected a value");
        uint64_t n = p->tok.number;
        if (p->tok.is_float == 8 && size == 4) {
            double d;
            memcpy(&d, &n, 8);
            float s = (float)d;
            n = 0;
            memcpy(&n, &s, 4);
        }
        put_bytes(v->init + *offset, negative ? 0 - n : n, size);
        advance(p);
    }
    *offset += size;
}

/* What follows the state space: [.align n] [.vN] type name[dims] [= init] */
static void parse_var(struct parser *p, struct ptx_var *v, enum ptx_space space)
{
    *v = (struct ptx_var){.space = space, .is_extern = v->is_extern};
    int vector = 1;
    for (;;) {
        if (accept_word(p, ".align"))
            v->align = take_number(p, "an alignment");
        else if (accept_word(p, ".ptr") || accept_word(p, ".global") || accept_word(p, ".shared") ||
                 accept_word(p, ".const") || accept_word(p, ".local"))
            ;
        else if (accept_word(p, ".v2"))
            vector = 2;
        else if (accept_word(p, ".v4"))
            vector = 4;
        else if (v->type == PTX_NONE)
            v->type = take_type(p);
        else
            break;
    }
    size_t size = ptx_type_bytes(v->type), count = (size_t)vector;
    if (!size)
        fail(p, "a variable cannot have this type");
    if (v->align & (v->align - 1) || v->align > 1 << 20)
        fail(p, "%zu is not an alignment", v->align);
    if (!v->align)
        v->align = size * (size_t)vector;
    v->name = take_word(p, "a name");
    while (accept(p, '[')) {
        v->is_array = 1;
        count = is_punct(p, ']') ? 0 : count * take_number(p, "an array's length");
        if (count > MAX_ARRAY)
            fail(p, "%s is larger than %d elements", v->name, MAX_ARRAY);
        expect(p, ']');
    }
    v->bytes = size * count;
    if (accept(p, '=')) {
        size_t offset = 0;
        v->init = xcalloc(v->bytes, 1);
        parse_init_value(p, v, &offset, size);
    }
}

static int space_of(const struct parser *p, enum ptx_space *s)
{
    static const struct { const char *word; enum ptx_space space; } spaces[] = {
        {".global", SPACE_GLOBAL}, {".shared", SPACE_SHARED}, {".const", SPACE_CONST},
        {".local", SPACE_LOCAL},   {".param", SPACE_PARAM},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (is_word(p, spaces[i].word)) {
            *s = spaces[i].space;
            return 1;
        }
    return 0;
}

static void parse_params(struct parser *p, struct ptx_var **list, size_t *count, size_t *cap)
{
    expect(p, '(');
    while (!is_punct(p, ')')) {
        if (!accept_word(p, ".param") && !accept_word(p, ".reg"))
            fail(p, "expected .param");
        parse_var(p, VEC_PUSH(*list, *count, *cap), SPACE_PARAM);
        if (!accept(p, ','))
            break;
    }
    expect(p, ')');
}

/* ---- instructions ---- */

static void parse_loc(struct parser *p)
{
    p->loc.file = (int)take_number(p, "a file's number");
    p->loc.line = (int)take_number(p, "a line");
    p->loc.col = (int)take_number(p, "a column");
    /* nvcc says where an inlined line was called from: that is the learner's line */
    while (accept(p, ',')) {
        if (accept_word(p, "inlined_at")) {
            p->loc.file = (int)take_number(p, "a file's number");
            p->loc.line = (int)take_number(p, "a line");
            p->loc.col = (int)take_number(p, "a column");
        } else {
            while (p->tok.kind == TOKEN_WORD || is_punct(p, '+') || p->tok.kind == TOKEN_NUMBER) {
                if (is_word(p, "inlined_at"))
                    break;
                int was_number = p->tok.kind == TOKEN_NUMBER;
                advance(p);
                if (was_number)
                    break;
            }
        }
    }
}

static void parse_operand(struct parser *p, struct ptx_operand *o);

static void parse_elements(struct parser *p, struct ptx_operand *o, char close)
{
    if (++p->nest > MAX_NEST)
        fail(p, "operands nested too deeply");
    while (!is_punct(p, close)) {
        if (o->element_count >= 64)
            fail(p, "more than 64 operands");
        o->elements = xrealloc(o->elements, sizeof *o->elements * (size_t)(o->element_count + 1));
        o->elements[o->element_count] = (struct ptx_operand){.reg = -1, .pair = -1};
        parse_operand(p, &o->elements[o->element_count++]);
        if (!accept(p, ','))
            break;
    }
    p->nest--;
    expect(p, close);
}

static int64_t parse_signed(struct parser *p)
{
    int negative = 0;
    while (is_punct(p, '-') || is_punct(p, '+')) {
        negative ^= p->tok.punct == '-';
        advance(p);
    }
    uint64_t n = take_number(p, "a number");
    return (int64_t)(negative ? 0 - n : n);
}

static void parse_name(struct parser *p, struct ptx_operand *o)
{
    o->reg = find_reg(p, p->tok.text, p->tok.len);
    if (o->reg >= 0) {
        o->kind = OPERAND_REG;
    } else if (is_word(p, "_")) {
        o->kind = OPERAND_SINK;
    } else {
        o->kind = p->tok.text[0] == '%' ? OPERAND_SREG : OPERAND_SYMBOL;
        o->symbol = keep(p, xstrndup(p->tok.text, p->tok.len));
    }
    advance(p);
}

static void parse_mem(struct parser *p, struct ptx_operand *o)
{
    if (p->tok.kind == TOKEN_WORD)
        parse_name(p, o);
    if (o->kind == OPERAND_SREG)
        fail(p, "%s is not a register of this function", o->symbol);
    if (is_punct(p, '+') || is_punct(p, '-') || p->tok.kind == TOKEN_NUMBER)
        o->imm = parse_signed(p);
    o->kind = OPERAND_MEM;
    expect(p, ']');
}

static void parse_operand(struct parser *p, struct ptx_operand *o)
{
    if (accept(p, '[')) {
        parse_mem(p, o);
    } else if (accept(p, '{')) {
        o->kind = OPERAND_VECTOR;
        parse_elements(p, o, '}');
    } else if (accept(p, '(')) {
        o->kind = OPERAND_LIST;
        parse_elements(p, o, ')');
    } else if (accept(p, '!')) {
        parse_name(p, o);
        o->negated = 1;
    } else if (p->tok.kind == TOKEN_WORD) {
        parse_name(p, o);
        if (o->kind == OPERAND_REG && accept(p, '|')) {
            struct ptx_operand q = {.reg = -1};
            parse_name(p, &q);
            o->pair = q.kind == OPERAND_REG ? q.reg : -1;
        } else if (o->kind == OPERAND_SYMBOL && (is_punct(p, '+') || is_punct(p, '-'))) {
            o->imm = parse_signed(p);
        }
    } else if (p->tok.kind == TOKEN_NUMBER && p->tok.is_float) {
        o->kind = OPERAND_IMM;
        o->imm = (int64_t)p->tok.number;
        o->is_float = p->tok.is_float;
        advance(p);
    } else {
        o->kind = OPERAND_IMM;
        o->imm = parse_signed(p);
    }
}

static void parse_inst(struct parser *p)
{
    struct ptx_inst *in = VEC_PUSH(p->f->insts, p->f->inst_count, p->f->inst_cap);
    in->guard = -1;
    in->loc = p->loc;
    in->loc.ptx_line = p->tok.line;
    if (accept(p, '@')) {
        in->guard_negated = accept(p, '!');
        in->guard = p->tok.kind == TOKEN_WORD ? find_reg(p, p->tok.text, p->tok.len) : -1;
        if (in->guard < 0)
            fail(p, "expected a predicate register after @");
        advance(p);
    }
    in->opcode = take_word(p, "an instruction");
    while (!is_punct(p, ';')) {
        if (in->operand_count == PTX_MAX_OPERANDS)
            fail(p, "%s has more than %d operands", in->opcode, PTX_MAX_OPERANDS);
        struct ptx_operand *o = &in->operand[in->operand_count++];
        *o = (struct ptx_operand){.reg = -1, .pair = -1};
        parse_operand(p, o);
        if (!accept(p, ','))
            break;
    }
    expect(p, ';');
}

static void parse_label_or_inst(struct parser *p)
{
    struct lexer here = p->lexer;
    struct token word = p->tok;
    if (word.kind == TOKEN_WORD) {
        advance(p);
        if (accept(p, ':')) {
            struct ptx_label *l = VEC_PUSH(p->f->labels, p->f->label_count, p->f->label_cap);
            *l = (struct ptx_label){keep(p, xstrndup(word.text, word.len)), (int)p->f->inst_count};
            return;
        }
        p->lexer = here;
        p->tok = word;
    }
    parse_inst(p);
}

static void skip_to_semicolon(struct parser *p)
{
    while (!is_punct(p, ';') && p->tok.kind != TOKEN_END)
        advance(p);
    accept(p, ';');
}

static void parse_body(struct parser *p)
{
    enum ptx_space space;
    int depth = 1;
    p->loc = p->f->loc;
    while (depth) {
        if (p->tok.kind == TOKEN_END)
            fail(p, "the text ends inside of %s", p->f->name);
        else if (accept(p, '{'))
            depth++;
        else if (accept(p, '}'))
            depth--;
        else if (accept_word(p, ".reg"))
            parse_reg(p);
        else if (accept_word(p, ".loc"))
            parse_loc(p);
        else if (accept_word(p, ".pragma"))
            skip_to_semicolon(p);
        else if (is_word(p, ".callprototype") || is_word(p, ".calltargets") || is_word(p, ".branchtargets"))
            skip_to_semicolon(p); /* whoever uses it is refused, by line */
        else if (space_of(p, &space)) {
            advance(p);
            struct ptx_var *v = VEC_PUSH(p->f->vars, p->f->var_count, p->f->var_cap);
            parse_var(p, v, space);
            v->declared_at = (int)p->f->inst_count;
            expect(p, ';');
        } else
            parse_label_or_inst(p);
    }
}

/* A header's performance directives: .maxntid 256, 1, 1  .minnctapersm 2 ... */
static void parse_directives(struct parser *p)
{
    while (p->tok.kind == TOKEN_WORD && p->tok.text[0] == '.') {
        int limit = is_word(p, ".maxntid") || is_word(p, ".reqntid");
        unsigned product = 1;
        if (is_word(p, ".loc"))
            return;
        advance(p);
        while (p->tok.kind == TOKEN_NUMBER || is_punct(p, ',') || p->tok.kind == TOKEN_STRING) {
            if (p->tok.kind == TOKEN_NUMBER)
                product *= (unsigned)p->tok.number;
            advance(p);
        }
        if (limit)
            p->f->max_threads = product;
    }
}

static void parse_func(struct parser *p, int entry)
{
    struct ptx_func *f = VEC_PUSH(p->m->funcs, p->m->func_count, p->m->func_cap);
    f->is_entry = entry;
    f->loc.ptx_line = p->tok.line;
    p->names = (struct name_map){0};
    if (is_punct(p, '('))
        parse_params(p, &f->returns, &f->return_count, &f->return_cap);
    f->name = take_word(p, "a function's name");
    if (is_punct(p, '('))
        parse_params(p, &f->params, &f->param_count, &f->param_cap);
    p->f = f;
    parse_directives(p);
    if (accept(p, '{')) {
        f->has_body = 1;
        parse_body(p);
    } else {
        expect(p, ';');
    }
    free(p->names.slot);
    p->names = (struct name_map){0};
    p->f = NULL;
}

static void parse_file(struct parser *p)
{
    struct ptx_file *f = VEC_PUSH(p->m->files, p->m->file_count, p->m->file_cap);
    f->index = (int)take_number(p, "a file's number");
    if (p->tok.kind != TOKEN_STRING)
        fail(p, "expected a file's name");
    f->name = keep(p, xstrndup(p->tok.text, p->tok.len));
    advance(p);
    while (accept(p, ','))
        take_number(p, "a number");
}

/* .section .debug_str { ... }: debug information that nothing here reads */
static void skip_section(struct parser *p)
{
    while (!is_punct(p, '{')) {
        if (p->tok.kind == TOKEN_END)
            fail(p, "a section has no content");
        advance(p);
    }
    for (int depth = 0;;) {
        depth += is_punct(p, '{') - is_punct(p, '}');
        if (p->tok.kind == TOKEN_END)
            fail(p, "the text ends inside of a section");
        advance(p);
        if (!depth)
            return;
    }
}

static void parse_version(struct parser *p)
{
    if (p->tok.kind != TOKEN_NUMBER)
        fail(p, "expected a version");
    double v = strtod(p->tok.text, NULL);
    if (!(v >= 1 && v < 100))
        fail(p, "%.*s is no version of PTX", (int)(p->tok.len < 40 ? p->tok.len : 40), p->tok.text);
    p->m->version = (int)(v * 10 + 0.5);
    advance(p);
}

static void parse_target(struct parser *p)
{
    do {
        char *w = take_word(p, "a target");
        if (!strncmp(w, "sm_", 3))
            p->m->target = atoi(w + 3);
    } while (accept(p, ','));
}

static void parse_top(struct parser *p)
{
    enum ptx_space space;
    int is_extern = 0;
    while (is_word(p, ".visible") || is_word(p, ".extern") || is_word(p, ".weak") || is_word(p, ".common")) {
        is_extern = is_word(p, ".extern");
        advance(p);
    }
    if (accept_word(p, ".version"))
        parse_version(p);
    else if (accept_word(p, ".target"))
        parse_target(p);
    else if (accept_word(p, ".address_size"))
        take_number(p, "an address size");
    else if (accept_word(p, ".file"))
        parse_file(p);
    else if (accept_word(p, ".section"))
        skip_section(p);
    else if (accept_word(p, ".loc"))
        parse_loc(p);
    else if (accept_word(p, ".pragma") || accept_word(p, ".alias"))
        skip_to_semicolon(p);
    else if (accept_word(p, ".entry"))
        parse_func(p, 1);
    else if (accept_word(p, ".func"))
        parse_func(p, 0);
    else if (space_of(p, &space)) {
        advance(p);
        struct ptx_var *v = VEC_PUSH(p->m->vars, p->m->var_count, p->m->var_cap);
        v->is_extern = is_extern;
        parse_var(p, v, space);
        expect(p, ';');
    } else if (p->tok.kind == TOKEN_WORD) {
        fail(p, "'%.*s' is not supported", (int)(p->tok.len < 40 ? p->tok.len : 40), p->tok.text);
    } else {
        fail(p, "expected a directive");
    }
}

static int parse_all(struct parser *p)
{
    if (setjmp(p->fail))
        return -1;
    advance(p);
    while (p->tok.kind != TOKEN_END)
        parse_top(p);
    if (!p->m->version)
        fail(p, "there is no .version");
    return 0;
}

int ptx_parse(const char *text, const char *name, struct ptx_module **out, struct err *e)
{
    struct parser *p = xcalloc(1, sizeof *p);
    p->lexer = (struct lexer){text, 1};
    p->e = e;
    p->m = xcalloc(1, sizeof *p->m);
    p->m->name = xstrdup(name);
    int status = parse_all(p);
    free(p->names.slot);
    if (status)
        ptx_module_free(p->m);
    else
        *out = p->m;
    free(p);
    return status;
}
