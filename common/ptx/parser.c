/* parser.c - builds a struct ptx_module from tokens: declarations and functions. The parser knows
 * the grammar of PTX, not its operations: any opcode is accepted.
 *
 *      module        .version .target .file ...   variables   functions
 *      function      .visible .entry name (parameters) directives { body }
 *      body          .reg ...   variables   .loc ...   labels and instructions (parse_inst.c)
 *
 * Recursive descent: a function for each construct. An error leaves by longjmp to parse_all.
 * Source: PTX ISA, directives, state spaces, variables. */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

/* ---- register names ---- */

/* The FNV-1a hash of a name. */
static size_t name_hash(const char *s, size_t len)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)s[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 29);
}

/* The slot of a name in the table, or the free slot where it would be inserted. */
static int *name_vreg(struct parser *p, const char *s, size_t len)
{
    struct name_map *n = &p->names;
    for (size_t i = name_hash(s, len);; i++) {
        int *vreg = &n->vreg[i & (n->cap - 1)];
        if (!*vreg) return vreg;
        const char *have = p->f->regs[*vreg - 1].name;
        if (!strncmp(have, s, len) && !have[len]) return vreg;
    }
}

int parser_find_reg(struct parser *p, const char *s, size_t len)
{
    return p->f && p->names.cap ? *name_vreg(p, s, len) - 1 : -1;
}

static void names_free(struct name_map *n)
{
    free(n->vreg), free(n->hidden);
    *n = (struct name_map){0};
}

/* Make the name of a register refer to that register from here on. reg: the register's index plus
 * 1. */
static void show_reg(struct parser *p, int reg)
{
    const char *name = p->f->regs[reg - 1].name;
    *name_vreg(p, name, strlen(name)) = reg;
}

/* Add a register to the function. The table doubles when it is half full. */
static void add_reg(struct parser *p, char *name, enum ptx_type type)
{
    struct name_map *n = &p->names;
    if (p->f->reg_count >= MAX_REGS) parser_fail(p, "more than %d registers", MAX_REGS);
    if (2 * (n->count + 1) > n->cap) {
        size_t cap = n->cap;
        int *old = n->vreg;
        n->cap = cap ? cap * 2 : 256;
        n->vreg = xcalloc(n->cap, sizeof *n->vreg);
        for (size_t i = 0; i < cap; i++)
            if (old[i]) show_reg(p, old[i]);
        free(old);
    }
    struct ptx_reg *r = VEC_PUSH(p->f->regs, p->f->reg_count, p->f->reg_cap);
    *r = (struct ptx_reg){name, type};
    int *slot = name_vreg(p, name, strlen(name));
    if (*slot)
        *VEC_PUSH(n->hidden, n->hidden_count, n->hidden_cap) = (struct hidden){*slot, n->depth};
    *slot = (int)p->f->reg_count;
    n->count++;
}

/* At the end of a scope, the names that the scope has redeclared refer to the registers of the
 * outer scope again. */
static void leave_scope(struct parser *p)
{
    struct name_map *n = &p->names;
    while (n->hidden_count && n->hidden[n->hidden_count - 1].depth == n->depth)
        show_reg(p, n->hidden[--n->hidden_count].reg);
    n->depth--;
}

/* ---- declarations ---- */

/* Parses a type with its dot, such as ".f32". */
static enum ptx_type take_type(struct parser *p)
{
    if (p->tok.kind != TOKEN_WORD || p->tok.text[0] != '.') parser_fail(p, "expected a type");
    enum ptx_type t = ptx_type_find(p->tok.text + 1, p->tok.len - 1);
    if (t == PTX_NONE) parser_fail(p, "type %.*s is not supported", (int)p->tok.len, p->tok.text);
    parser_advance(p);
    return t;
}

/* Parses register declarations: .reg .b32 %r<41>;   .reg .pred %p, %q;   where %r<41> declares %r0
 * to %r40 */
static void parse_reg(struct parser *p)
{
    if (parser_accept_word(p, ".v2") || parser_accept_word(p, ".v4"))
        parser_fail(p, "vector registers are not supported");
    enum ptx_type type = take_type(p);
    do {
        char *name = parser_word(p, "a register name");
        if (parser_accept(p, '<')) {
            uint64_t n = parser_number(p, "a count of registers");
            if (n > MAX_REGS) parser_fail(p, "more than %d registers", MAX_REGS);
            for (uint64_t i = 0; i < n; i++)
                add_reg(p, parser_keep(p, xasprintf("%s%d", name, (int)i)), type);
            parser_expect(p, '>');
        } else {
            add_reg(p, name, type);
        }
    } while (parser_accept(p, ','));
    parser_expect(p, ';');
}

/* Store the low n bytes of v at `at`, little-endian as on the GPU. */
static void put_bytes(unsigned char *at, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++) at[i] = (unsigned char)(v >> (8 * i));
}

/* Parses an address in an initializer: generic(name)+4, name+4, or name. The address is not known
 * yet, so it is added to v->relocs. */
static void parse_reloc(struct parser *p, struct ptx_var *v, size_t offset, size_t bytes)
{
    int generic = parser_accept_word(p, "generic");
    int paren = generic && parser_accept(p, '(');
    char *symbol = parser_word(p, "a variable's name");
    if (paren) parser_expect(p, ')');
    int64_t addend = 0;
    if (parser_accept(p, '+')) addend = (int64_t)parser_number(p, "an offset");
    v->relocs = xrealloc(v->relocs, sizeof *v->relocs * (size_t)(v->reloc_count + 1));
    v->relocs[v->reloc_count++] = (struct ptx_reloc){offset, bytes, symbol, addend, generic};
}

/* Parses an initializer (a value, or values in braces) and stores it from *offset on. size: bytes
 * of one value. Braces only group: values are stored contiguously. Floats are converted to the
 * variable's width. */
static void parse_init_value(struct parser *p, struct ptx_var *v, size_t *offset, size_t size)
{
    if (parser_accept(p, '{')) {
        if (++p->nest > MAX_NEST) parser_fail(p, "initialisers nested too deeply");
        while (!parser_at(p, '}')) {
            parse_init_value(p, v, offset, size);
            if (!parser_accept(p, ',')) break;
        }
        p->nest--;
        parser_expect(p, '}');
        return;
    }
    if (*offset + size > v->bytes)
        parser_fail(p, "%s has more initial values than elements", v->name);
    int negative = parser_accept(p, '-');
    if (p->tok.kind == TOKEN_WORD) {
        parse_reloc(p, v, *offset, size);
    } else {
        if (p->tok.kind != TOKEN_NUMBER) parser_fail(p, "expected a value");
        uint64_t n = p->tok.number;
        if (negative) n = p->tok.is_float ? n ^ 1ull << (8 * p->tok.is_float - 1) : 0 - n;
        if (p->tok.is_float == 8 && size == 4) {
            double d;
            memcpy(&d, &n, 8);
            float s = (float)d;
            n = 0;
            memcpy(&n, &s, 4);
        }
        put_bytes(v->init + *offset, n, size);
        parser_advance(p);
    }
    *offset += size;
}

/* bytes of a texture reference, in which the runtime stores what is bound to it */
enum { REFERENCE_BYTES = 128 };

/* Parses a variable after its state space: [.align n] [.vN] type name[dims] [= init]
 * An array without a length has 0 bytes (extern shared memory). *v is overwritten, except
 * is_extern. */
static void parse_var(struct parser *p, struct ptx_var *v, enum ptx_space space)
{
    *v = (struct ptx_var){.space = space, .is_extern = v->is_extern};
    int vector = 1;
    for (;;) {
        if (parser_accept_word(p, ".align"))
            v->align = parser_number(p, "an alignment");
        else if (parser_accept_word(p, ".ptr") || parser_accept_word(p, ".global") ||
                 parser_accept_word(p, ".shared") || parser_accept_word(p, ".const") ||
                 parser_accept_word(p, ".local"))
            ;
        else if (parser_accept_word(p, ".v2"))
            vector = 2;
        else if (parser_accept_word(p, ".v4"))
            vector = 4;
        else if (parser_accept_word(p, ".texref") || parser_accept_word(p, ".surfref"))
            v->type = PTX_B8, vector = REFERENCE_BYTES;
        else if (v->type == PTX_NONE)
            v->type = take_type(p);
        else
            break;
    }
    size_t size = ptx_type_bytes(v->type), count = (size_t)vector;
    if (!size) parser_fail(p, "a variable cannot have this type");
    if (v->align & (v->align - 1) || v->align > 1 << 20)
        parser_fail(p, "%zu is not an alignment", v->align);
    if (!v->align) v->align = size * (size_t)vector;
    v->name = parser_word(p, "a name");
    while (parser_accept(p, '[')) {
        v->is_array = 1;
        count = parser_at(p, ']') ? 0 : count * parser_number(p, "an array's length");
        if (count > MAX_ARRAY) parser_fail(p, "%s is larger than %d elements", v->name, MAX_ARRAY);
        parser_expect(p, ']');
    }
    v->bytes = size * count;
    if (parser_accept(p, '=')) {
        size_t offset = 0;
        v->init = xcalloc(v->bytes, 1);
        parse_init_value(p, v, &offset, size);
    }
}

/* Is the next token a state space? If so, sets *s to it. The token is not consumed. */
static int space_of(const struct parser *p, enum ptx_space *s)
{
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {
        {".global", SPACE_GLOBAL},
        {".shared", SPACE_SHARED},
        {".const", SPACE_CONST},
        {".local", SPACE_LOCAL},
        {".param", SPACE_PARAM},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (parser_at_word(p, spaces[i].word)) {
            *s = spaces[i].space;
            return 1;
        }
    return 0;
}

/* Parses (.param .u64 a, .param .u32 b) and appends the variables to a list of parameters or
 * results. */
static void parse_params(struct parser *p, struct ptx_var **list, size_t *count, size_t *cap)
{
    parser_expect(p, '(');
    while (!parser_at(p, ')')) {
        if (!parser_accept_word(p, ".param") && !parser_accept_word(p, ".reg"))
            parser_fail(p, "expected .param");
        parse_var(p, VEC_PUSH(*list, *count, *cap), SPACE_PARAM);
        if (!parser_accept(p, ',')) break;
    }
    parser_expect(p, ')');
}

/* ---- functions ---- */

static void skip_to_semicolon(struct parser *p)
{
    while (!parser_at(p, ';') && p->tok.kind != TOKEN_END) parser_advance(p);
    parser_accept(p, ';');
}

/* Parses a function's body, after its {. Braces in the body are scopes: a register hides one of an
 * outer scope until its scope ends; variables are distinguished in flatten.c by declared_at. */
static void parse_body(struct parser *p)
{
    enum ptx_space space;
    p->names.depth = 1;
    p->loc = p->f->loc;
    while (p->names.depth) {
        if (p->tok.kind == TOKEN_END)
            parser_fail(p, "the text ends inside of %s", p->f->name);
        else if (parser_accept(p, '{'))
            p->names.depth++;
        else if (parser_accept(p, '}'))
            leave_scope(p);
        else if (parser_accept_word(p, ".reg"))
            parse_reg(p);
        else if (p->tok.kind == TOKEN_WORD && p->tok.len > 5 && !memcmp(p->tok.text, ".reg.", 5)) {
            p->tok.text += 4; /* .reg.b32 without a space is .reg .b32 */
            p->tok.len -= 4;
            parse_reg(p);
        } else if (parser_accept_word(p, ".loc")) {
            parser_loc(p);
            if (!p->f->loc.line) p->f->loc.file = p->loc.file, p->f->loc.line = p->loc.line;
        } else if (parser_accept_word(p, ".pragma"))
            skip_to_semicolon(p);
        else if (parser_at_word(p, ".callprototype") || parser_at_word(p, ".calltargets") ||
                 parser_at_word(p, ".branchtargets"))
            /* the directive is skipped; an instruction that uses its name is refused later, with
             * its line number */
            skip_to_semicolon(p);
        else if (space_of(p, &space)) {
            parser_advance(p);
            struct ptx_var *v = VEC_PUSH(p->f->vars, p->f->var_count, p->f->var_cap);
            parse_var(p, v, space);
            if (space == SPACE_GLOBAL || space == SPACE_CONST)
                parser_fail(p, "%s declares the variable %s, which belongs outside of functions",
                    p->f->name, v->name);
            v->declared_at = (int)p->f->inst_count;
            parser_expect(p, ';');
        } else
            parser_label_or_inst(p);
    }
}

/* Parses performance directives of a function: .maxntid 256, 1, 1 .minnctapersm 2 ... Only these
 * two, .reqntid, .maxnreg and .reqnctapercluster are used; others are ignored. */
static void parse_directives(struct parser *p)
{
    while (p->tok.kind == TOKEN_WORD && p->tok.text[0] == '.') {
        int limit = parser_at_word(p, ".maxntid") || parser_at_word(p, ".reqntid");
        int blocks = parser_at_word(p, ".minnctapersm"), registers = parser_at_word(p, ".maxnreg"),
            cluster = parser_at_word(p, ".reqnctapercluster");
        unsigned product = 1, read = 0;
        for (int i = 0; i < 3 && cluster; i++) p->f->cluster[i] = 1;
        if (parser_at_word(p, ".loc")) return;
        parser_advance(p);
        while (p->tok.kind == TOKEN_NUMBER || parser_at(p, ',') || p->tok.kind == TOKEN_STRING) {
            if (p->tok.kind == TOKEN_NUMBER) product *= (unsigned)p->tok.number;
            if (p->tok.kind == TOKEN_NUMBER && cluster && read < 3)
                p->f->cluster[read++] = (unsigned)p->tok.number;
            parser_advance(p);
        }
        if (limit) p->f->max_threads = product;
        if (blocks) p->f->min_blocks = product;
        if (registers) p->f->max_registers = product;
    }
}

/* Parses a function: [(results)] name [(parameters)] directives, then a body or a semicolon. The
 * table of register names is freed at the function's end. */
static void parse_func(struct parser *p, int entry)
{
    struct ptx_func *f = VEC_PUSH(p->m->funcs, p->m->func_count, p->m->func_cap);
    f->is_entry = entry;
    f->loc.ptx_line = p->tok.line;
    p->names = (struct name_map){0};
    if (parser_at(p, '(')) parse_params(p, &f->returns, &f->return_count, &f->return_cap);
    f->name = parser_word(p, "a function's name");
    if (parser_at(p, '(')) parse_params(p, &f->params, &f->param_count, &f->param_cap);
    p->f = f;
    parse_directives(p);
    if (parser_accept(p, '{')) {
        f->has_body = 1;
        parse_body(p);
    } else {
        parser_expect(p, ';');
    }
    names_free(&p->names);
    p->f = NULL;
}

/* The text of a string token without escapes: clang writes \" and \\, and a byte beyond ASCII as \
 * with three octal digits. */
static char *unescaped(const struct token *t)
{
    char *text = xcalloc(t->len + 1, 1), *to = text;
    for (const char *p = t->text, *end = p + t->len; p < end; p++) {
        int digits = 0, byte = 0;
        if (*p != '\\' || p + 1 == end) {
            *to++ = *p;
            continue;
        }
        for (; digits < 3 && p + 1 < end && p[1] >= '0' && p[1] <= '7'; digits++)
            byte = 8 * byte + *++p - '0';
        *to++ = (char)(digits ? byte : *++p);
    }
    return text;
}

/* Parses .file number "name" [, time, size]; .loc refers to the number. */
static void parse_file(struct parser *p)
{
    struct ptx_file *f = VEC_PUSH(p->m->files, p->m->file_count, p->m->file_cap);
    f->index = (int)parser_number(p, "a file's number");
    if (p->tok.kind != TOKEN_STRING) parser_fail(p, "expected a file's name");
    f->name = parser_keep(p, unescaped(&p->tok));
    parser_advance(p);
    while (parser_accept(p, ',')) parser_number(p, "a number");
}

/* Skips .section .debug_str { ... }: debug information. */
static void skip_section(struct parser *p)
{
    while (!parser_at(p, '{')) {
        if (p->tok.kind == TOKEN_END) parser_fail(p, "a section has no content");
        parser_advance(p);
    }
    for (int depth = 0;;) {
        depth += parser_at(p, '{') - parser_at(p, '}');
        if (p->tok.kind == TOKEN_END) parser_fail(p, "the text ends inside of a section");
        parser_advance(p);
        if (!depth) return;
    }
}

/* Parses .version 7.5, stored as 75. */
static void parse_version(struct parser *p)
{
    if (p->tok.kind != TOKEN_NUMBER) parser_fail(p, "expected a version");
    double v = strtod(p->tok.text, NULL);
    if (!(v >= 1 && v < 100))
        parser_fail(
            p, "%.*s is no version of PTX", (int)(p->tok.len < 40 ? p->tok.len : 40), p->tok.text);
    p->m->version = (int)(v * 10 + 0.5);
    parser_advance(p);
}

/* Parses .target sm_70, debug; only the number of sm_ is stored. */
static void parse_target(struct parser *p)
{
    do {
        char *w = parser_word(p, "a target");
        if (!strncmp(w, "sm_", 3)) p->m->target = atoi(w + 3);
    } while (parser_accept(p, ','));
}

/* Parses one directive of the module, with the linkage words before it. Of these words only .extern
 * matters. */
static void parse_top(struct parser *p)
{
    enum ptx_space space;
    int is_extern = 0;
    while (parser_at_word(p, ".visible") || parser_at_word(p, ".extern") ||
           parser_at_word(p, ".weak") || parser_at_word(p, ".common")) {
        is_extern = parser_at_word(p, ".extern");
        parser_advance(p);
    }
    if (parser_accept_word(p, ".version"))
        parse_version(p);
    else if (parser_accept_word(p, ".target"))
        parse_target(p);
    else if (parser_accept_word(p, ".address_size"))
        parser_number(p, "an address size");
    else if (parser_accept_word(p, ".file"))
        parse_file(p);
    else if (parser_accept_word(p, ".section"))
        skip_section(p);
    else if (parser_accept_word(p, ".loc"))
        parser_loc(p);
    else if (parser_accept_word(p, ".pragma") || parser_accept_word(p, ".alias"))
        skip_to_semicolon(p);
    else if (parser_accept_word(p, ".entry"))
        parse_func(p, 1);
    else if (parser_accept_word(p, ".func"))
        parse_func(p, 0);
    else if (space_of(p, &space)) {
        parser_advance(p);
        struct ptx_var *v = VEC_PUSH(p->m->vars, p->m->var_count, p->m->var_cap);
        v->is_extern = is_extern;
        parse_var(p, v, space);
        parser_expect(p, ';');
    } else if (p->tok.kind == TOKEN_WORD) {
        parser_fail(
            p, "'%.*s' is not supported", (int)(p->tok.len < 40 ? p->tok.len : 40), p->tok.text);
    } else {
        parser_fail(p, "expected a directive");
    }
}

/* Parses the whole text. Returns -1 after an error; parser_fail has filled p->e. */
static int parse_all(struct parser *p)
{
    if (setjmp(p->fail)) return -1;
    parser_advance(p);
    while (p->tok.kind != TOKEN_END) parse_top(p);
    if (!p->m->version) parser_fail(p, "there is no .version");
    return 0;
}

/* After an error, all that was parsed is freed and *out is not set. */
int ptx_parse(const char *text, const char *name, struct ptx_module **out, struct err *e)
{
    struct parser *p = xcalloc(1, sizeof *p);
    p->lexer = (struct lexer){text, 1};
    p->e = e;
    p->m = xcalloc(1, sizeof *p->m);
    p->m->name = xstrdup(name);
    int status = parse_all(p);
    names_free(&p->names);
    if (status)
        ptx_module_free(p->m);
    else
        *out = p->m;
    free(p);
    return status;
}
