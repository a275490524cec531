/* module.c - looks up types, files, functions by name and parameter offsets in a parsed module;
 * frees it.
 *
 *      _Z6matmulPKfS0_Pfiii     matmul            in a namespace:   _ZN2ns1fEi     f
 *      _Z3sumIfLi256EEvPT_      sum<float,256>
 *
 * Source: PTX ISA, fundamental types; Itanium C++ ABI, mangling. */
#include "ptx/ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Name and size in bytes of each enum ptx_type. A predicate has no size in memory. */
static const struct {
    const char *name;
    unsigned bytes;
} types[] = {
    [PTX_NONE] = {"", 0},
    [PTX_PRED] = {"pred", 0},
    [PTX_B8] = {"b8", 1},
    [PTX_U8] = {"u8", 1},
    [PTX_S8] = {"s8", 1},
    [PTX_B16] = {"b16", 2},
    [PTX_U16] = {"u16", 2},
    [PTX_S16] = {"s16", 2},
    [PTX_F16] = {"f16", 2},
    [PTX_BF16] = {"bf16", 2},
    [PTX_B32] = {"b32", 4},
    [PTX_U32] = {"u32", 4},
    [PTX_S32] = {"s32", 4},
    [PTX_F32] = {"f32", 4},
    [PTX_F16X2] = {"f16x2", 4},
    [PTX_BF16X2] = {"bf16x2", 4},
    [PTX_B64] = {"b64", 8},
    [PTX_U64] = {"u64", 8},
    [PTX_S64] = {"s64", 8},
    [PTX_F64] = {"f64", 8},
};

unsigned ptx_type_bytes(enum ptx_type t) { return types[t].bytes; }

enum ptx_type ptx_type_find(const char *name, size_t len)
{
    for (int t = PTX_PRED; t <= PTX_F64; t++)
        if (strlen(types[t].name) == len && !memcmp(types[t].name, name, len))
            return (enum ptx_type)t;
    return PTX_NONE;
}

/* The name in the source of a mangled symbol. The Itanium C++ ABI writes a function f as _Z1f and
 * then its parameters, in a namespace as _ZN2ns1fE; _ZL marks a static function. The result is the
 * last name before the parameters; if symbol is not mangled like this, symbol itself. */
const char *ptx_source_name(const char *symbol, size_t *len)
{
    const char *p = symbol;
    *len = strlen(symbol);
    if (strncmp(p, "_Z", 2)) return symbol;
    p += 2 + (p[2] == 'L');
    size_t n = 0;
    for (int nested = *p == 'N' ? (p++, 1) : 0;; p += n) {
        char *end;
        if (!isdigit((unsigned char)*p)) return symbol;
        n = strtoul(p, &end, 10);
        p = end;
        if (n > strlen(p)) return symbol;
        if (!nested || p[n] == 'E' || !isdigit((unsigned char)p[n])) break;
    }
    *len = n;
    return p;
}

/* ---- template arguments: the ABI writes <float,256,point> after the name as I f Lj256E 5point E
 * ---- */

/* The builtin type that the ABI encodes as letter c, or NULL. */
static const char *builtin_type(char c)
{
    static const char letters[] = "fdijlmxystcahbwv";
    static const char *const names[] = {"float", "double", "int", "unsigned", "long",
        "unsigned long", "long long", "unsigned long long", "short", "unsigned short", "char",
        "signed char", "unsigned char", "bool", "wchar_t", "void"};
    const char *at = c ? strchr(letters, c) : NULL;
    return at ? names[at - letters] : NULL;
}

/* Append a value of a builtin type to out. p points behind the L that begins it. Returns a pointer
 * behind the E that ends the value; NULL: it is not a value of a builtin type. */
static const char *template_value(const char *p, struct buf *out)
{
    int is_bool = *p == 'b', negative = p[0] && p[1] == 'n';
    size_t n = 0;
    if (!builtin_type(*p)) return NULL;
    p += 1 + negative;
    n = strspn(p, "0123456789");
    if (!n || p[n] != 'E') return NULL;
    if (is_bool)
        buf_printf(out, "%s", *p == '0' ? "false" : "true");
    else
        buf_printf(out, "%s%.*s", negative ? "-" : "", (int)n, p);
    return p + n + 1;
}

/* Append a template argument, which is a type or a value. Returns a pointer behind the argument;
 * NULL: it is of an unknown kind. At most DEEP pointers and consts are accepted, to bound the
 * recursion. */
static const char *template_argument(const char *p, struct buf *out)
{
    enum { DEEP = 8 };
    if (strspn(p, "PK") > DEEP) return NULL;
    if (*p == 'L') return template_value(p + 1, out);
    if (*p == 'P' || *p == 'K') {
        if (*p == 'K') buf_printf(out, "const ");
        const char *end = template_argument(p + 1, out);
        if (*p == 'P') buf_printf(out, "*");
        return end;
    }
    if (isdigit((unsigned char)*p)) {
        char *name;
        unsigned long n = strtoul(p, &name, 10);
        if (n > strlen(name)) return NULL;
        buf_printf(out, "%.*s", (int)n, name);
        return name + n;
    }
    const char *name = builtin_type(*p);
    if (name) buf_printf(out, "%s", name);
    return name ? p + 1 : NULL;
}

void ptx_full_name(const char *symbol, struct buf *out)
{
    size_t len;
    const char *name = ptx_source_name(symbol, &len), *p = name + len;
    struct buf arguments = {0};
    if (*p == 'I' && name != symbol) {
        for (p++; p && *p != 'E'; p = template_argument(p, &arguments))
            if (arguments.len) buf_printf(&arguments, ",");
        if (p)
            buf_printf(out, "%.*s<%s>", (int)len, name, arguments.data ? arguments.data : "");
        else
            buf_printf(out, "%s", symbol);
    } else {
        buf_printf(out, "%.*s", (int)len, name);
    }
    buf_free(&arguments);
}

/* Are the names equal, apart from spaces? */
static int same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b || !*a) return *a == *b;
    }
}

struct ptx_func *ptx_func_find(const struct ptx_module *m, const char *name, int entry)
{
    for (size_t i = 0; i < m->func_count; i++) {
        struct ptx_func *f = &m->funcs[i];
        size_t len;
        const char *source = ptx_source_name(f->name, &len);
        if (f->is_entry != entry || !f->has_body) continue;
        struct buf full = {0};
        ptx_full_name(f->name, &full);
        int found = !strcmp(f->name, name) || (len == strlen(name) && !memcmp(source, name, len)) ||
                    same_name(full.data, name);
        buf_free(&full);
        if (found) return f;
    }
    return NULL;
}

/* Parameters are laid out like the members of a C struct: each at the next multiple of its
 * alignment. */
size_t ptx_param_offset(const struct ptx_func *kernel, size_t index)
{
    size_t at = 0;
    for (size_t i = 0; i <= index && i < kernel->param_count; i++) {
        const struct ptx_var *v = &kernel->params[i];
        at = (at + v->align - 1) / v->align * v->align;
        if (i < index) at += v->bytes;
    }
    return at;
}

static void free_operand(struct ptx_operand *o)
{
    for (int i = 0; i < o->element_count; i++) free_operand(&o->elements[i]);
    free(o->elements);
}

/* Frees what the variables own. Their names are in the module's strings. */
static void free_vars(struct ptx_var *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(v[i].init);
        free(v[i].relocs);
    }
    free(v);
}

static void free_func(struct ptx_func *f)
{
    free_vars(f->params, f->param_count);
    free_vars(f->returns, f->return_count);
    free_vars(f->vars, f->var_count);
    free(f->regs);
    for (size_t i = 0; i < f->inst_count; i++) {
        for (int k = 0; k < f->insts[i].operand_count; k++) free_operand(&f->insts[i].operand[k]);
    }
    free(f->insts);
    free(f->labels);
}

void ptx_module_free(struct ptx_module *m)
{
    if (!m) return;
    for (size_t i = 0; i < m->func_count; i++) free_func(&m->funcs[i]);
    free(m->funcs);
    free_vars(m->vars, m->var_count);
    for (size_t i = 0; i < m->string_count; i++) free(m->strings[i]);
    free(m->strings);
    free(m->files);
    free(m->name);
    free(m->source);
    free(m);
}
