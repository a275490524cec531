/* names.c - read the variables' names and places from the debug information (DWARF 2) in a PTX
 * file.
 *
 *     .section .debug_info {            bytes, with symbols at some places:
 *     .b8 10                            abbreviation 10: a parameter
 *     .b8 11 .b8 3 .b64 __local_depot0  at address __local_depot0 ...
 *     .b8 35 .b8 24                     ... + 24
 *     .b8 109 .b8 0                     "m"
 *     .b32 165                          its type is the entry at offset 165
 *
 * Without optimization each variable is at one address for its whole life: in the frame of its
 * function ("depot"), or in shared memory. Code addresses are labels of the PTX, so a scope becomes
 * a range of PTX lines.
 *
 * Source: DWARF Debugging Information Format 2.0, chapter 7; CUDA's address classes: PTX
 * Writer's Guide, Debug Information. */
#include "step/step.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_ENUM = 0x04,
    TAG_PARAMETER = 0x05,
    TAG_BLOCK = 0x0b,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_INLINED = 0x1d,
    TAG_RANGE = 0x21,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_FUNCTION = 0x2e,
    TAG_VARIABLE = 0x34,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
};
enum {
    AT_LOCATION = 0x02,
    AT_NAME = 0x03,
    AT_BYTES = 0x0b,
    AT_LOW = 0x11,
    AT_HIGH = 0x12,
    AT_BOUND = 0x2f,
    AT_ORIGIN = 0x31,
    AT_CLASS = 0x33,
    AT_COUNT = 0x37,
    AT_MEMBER_AT = 0x38,
    AT_LINE = 0x3b,
    AT_ENCODING = 0x3e,
    AT_TYPE = 0x49,
};
enum { CLASS_LOCAL = 6, CLASS_SHARED = 8, OP_ADDR = 0x03, OP_PLUS = 0x23 };

/* A section of the debug information: its bytes, and the offsets at which it refers to a symbol's
 * address. */
struct section {
    unsigned char *byte;
    size_t count, cap;
    struct fixup {
        size_t at;
        char *symbol;
    } * fixups;
    size_t fixup_count, fixup_cap;
};

/* The attributes of an entry of .debug_info that are used. Offsets are from the beginning of the
 * section; 0: the entry has no such attribute. */
struct entry {
    size_t at;
    int tag, parent;
    const char *name, *low, *high, *symbol;
    uint64_t bytes, count, encoding, line, member_at, type, origin, offset;
    int class;
};

struct reader {
    struct section info, abbrev;
    struct entry *entries;
    size_t entry_count, entry_cap;
    const char *ptx;
    const struct kernel *kernel;
    struct step_names *out;
    /* for each entry that is a type: its index in out->types, plus 1; 0: the type is not made
     * yet */
    int *type_of;
};

/* ---- reading the text of a section ---- */

static void put_bytes(struct section *s, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        *VEC_PUSH(s->byte, s->count, s->cap) = (unsigned char)(v >> 8 * i);
}

/* Read lines ".bN VALUE, VALUE" up to the closing brace. */
static void read_section(struct section *s, const char *at)
{
    while (*at && *at != '}') {
        at += strspn(at, " \t\r\n{,");
        if (!strncmp(at, ".b", 2) && isdigit((unsigned char)at[2])) {
            char *end;
            unsigned n = (unsigned)strtoul(at + 2, &end, 10) / 8;
            at = end;
            do {
                at += strspn(at, " \t,");
                if (isdigit((unsigned char)*at) || *at == '-') {
                    put_bytes(s, (uint64_t)strtoll(at, &end, 0), n);
                    at = end;
                } else {
                    size_t len = strcspn(at, " \t\r\n,}");
                    *VEC_PUSH(s->fixups, s->fixup_count, s->fixup_cap) =
                        (struct fixup){s->count, xstrndup(at, len)};
                    put_bytes(s, 0, n);
                    at += len;
                }
                at += strspn(at, " \t");
            } while (*at == ',');
        } else {
            at += strcspn(at, " \t\r\n}");
        }
    }
}

static void find_section(struct section *s, const char *ptx, const char *name)
{
    for (const char *at = ptx; (at = strstr(at, ".section")); at++) {
        const char *word = at + 8 + strspn(at + 8, " \t");
        size_t len = strlen(name);
        if (strncmp(word, name, len) ||
            (word[len] != ' ' && word[len] != '\t' && word[len] != '\n'))
            continue;
        const char *brace = strchr(word, '{');
        if (brace) read_section(s, brace);
        return;
    }
}

static const char *symbol_at(const struct section *s, size_t at)
{
    size_t lo = 0, hi = s->fixup_count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (s->fixups[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->fixup_count && s->fixups[lo].at == at ? s->fixups[lo].symbol : NULL;
}

static void section_free(struct section *s)
{
    for (size_t i = 0; i < s->fixup_count; i++) free(s->fixups[i].symbol);
    free(s->fixups);
    free(s->byte);
}

/* ---- entries of .debug_info ---- */

static uint64_t fixed(const struct section *s, size_t *at, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n && *at < s->count; i++) v |= (uint64_t)s->byte[(*at)++] << 8 * i;
    return v;
}

/* Read a LEB128 number: groups of 7 bits, the lowest first. */
static uint64_t leb(const struct section *s, size_t *at)
{
    uint64_t v = 0;
    for (unsigned shift = 0; *at < s->count; shift += 7) {
        unsigned char b = s->byte[(*at)++];
        if (shift < 64) v |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80)) break;
    }
    return v;
}

static const char *text_at(const struct section *s, size_t *at)
{
    const char *t = *at < s->count ? (const char *)s->byte + *at : "";
    while (*at < s->count && s->byte[*at]) (*at)++;
    if (*at < s->count) (*at)++;
    return t;
}

/* Read a location: DW_OP_addr SYMBOL, perhaps with DW_OP_plus_uconst N; the location of a member is
 * DW_OP_plus_uconst N alone. */
static void read_location(
    const struct section *s, size_t at, size_t end, struct entry *e, int is_member)
{
    if (at < end && s->byte[at] == OP_ADDR) {
        e->symbol = symbol_at(s, at + 1);
        at += 9;
    }
    if (at < end && s->byte[at] == OP_PLUS) {
        at++;
        *(is_member ? &e->member_at : &e->offset) = leb(s, &at);
    }
}

/* The value of an attribute: a number, a text or label, or the block of bytes that begins at the
 * read position. */
struct value {
    uint64_t number;
    const char *text;
    size_t block;
};

/* Read a value of this DWARF form. Returns 0 if the form is unknown: then the rest of the
 * section cannot be read. */
static int read_form(const struct section *s, size_t *at, unsigned form, struct value *v)
{
    *v = (struct value){0};
    switch (form) {
    case 0x01: v->text = symbol_at(s, *at), v->number = fixed(s, at, 8); break;
    case 0x03: v->block = fixed(s, at, 2); break;
    case 0x04: v->block = fixed(s, at, 4); break;
    case 0x09:
    case 0x18: v->block = leb(s, at); break;
    case 0x0a: v->block = fixed(s, at, 1); break;
    case 0x05:
    case 0x12: v->number = fixed(s, at, 2); break;
    case 0x06:
    case 0x13:
    case 0x0e:
    case 0x17: v->number = fixed(s, at, 4); break;
    case 0x07:
    case 0x14: v->number = fixed(s, at, 8); break;
    case 0x08: v->text = text_at(s, at); break;
    case 0x0b:
    case 0x0c:
    case 0x11: v->number = fixed(s, at, 1); break;
    case 0x0d:
    case 0x0f:
    case 0x15: v->number = leb(s, at); break;
    case 0x19: v->number = 1; break;
    default: return 0;
    }
    return 1;
}

/* Read an attribute, and store it in the entry if it is used. */
static int read_attribute(
    const struct section *s, size_t *at, unsigned name, unsigned form, struct entry *e)
{
    struct value v;
    if (!read_form(s, at, form, &v)) return 0;
    size_t end = v.block < s->count - *at ? *at + v.block : s->count;
    if (v.block && (name == AT_LOCATION || name == AT_MEMBER_AT))
        read_location(s, *at, end, e, name == AT_MEMBER_AT);
    *at = end;
    switch (name) {
    case AT_NAME: e->name = v.text; break;
    case AT_LOW: e->low = v.text; break;
    case AT_HIGH: e->high = v.text; break;
    case AT_BYTES: e->bytes = v.number; break;
    case AT_BOUND: e->count = v.number + 1; break;
    case AT_COUNT: e->count = v.number; break;
    case AT_ORIGIN: e->origin = v.number; break;
    case AT_CLASS: e->class = (int)v.number; break;
    case AT_LINE: e->line = v.number; break;
    case AT_ENCODING: e->encoding = v.number; break;
    case AT_TYPE: e->type = v.number; break;
    case AT_MEMBER_AT: e->member_at = v.block ? e->member_at : v.number; break;
    default: break;
    }
    return 1;
}

/* The position of the declaration of an abbreviation, after its number; SIZE_MAX: there is none. */
static size_t find_abbreviation(const struct section *s, uint64_t code)
{
    for (size_t at = 0; at < s->count;) {
        uint64_t c = leb(s, &at);
        if (!c) break;
        if (c == code) return at;
        leb(s, &at);
        at++;
        while (at < s->count) {
            uint64_t name = leb(s, &at), form = leb(s, &at);
            if (!name && !form) break;
        }
    }
    return SIZE_MAX;
}

/* Read all entries of the first compilation unit, in order, with their parents. */
static void read_entries(struct reader *r)
{
    const struct section *s = &r->info;
    size_t at = 11;
    int parent = -1;
    while (at < s->count) {
        struct entry e = {.at = at, .parent = parent};
        uint64_t code = leb(s, &at);
        if (!code) {
            if (parent < 0) return;
            parent = r->entries[parent].parent;
            continue;
        }
        size_t a = find_abbreviation(&r->abbrev, code);
        if (a == SIZE_MAX) return;
        e.tag = (int)leb(&r->abbrev, &a);
        int children = (int)fixed(&r->abbrev, &a, 1);
        for (;;) {
            unsigned name = (unsigned)leb(&r->abbrev, &a), form = (unsigned)leb(&r->abbrev, &a);
            if (!name && !form) break;
            if (a >= r->abbrev.count || !read_attribute(s, &at, name, form, &e)) return;
        }
        *VEC_PUSH(r->entries, r->entry_count, r->entry_cap) = e;
        if (children) parent = (int)r->entry_count - 1;
    }
}

static int entry_at(const struct reader *r, uint64_t at)
{
    size_t lo = 0, hi = r->entry_count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (r->entries[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return at && lo < r->entry_count && r->entries[lo].at == at ? (int)lo : -1;
}

/* ---- types ---- */

static int make_type(struct reader *r, int entry);

static int add_type(struct reader *r, int entry, struct step_type t)
{
    struct step_names *n = r->out;
    n->types = xrealloc(n->types, sizeof *n->types * (size_t)(n->type_count + 1));
    n->types[n->type_count] = t;
    r->type_of[entry] = ++n->type_count;
    return n->type_count - 1;
}

/* Make the type of an array such as float tile[16][17]: an array of 16 arrays of 17. dimension: the
 * entry of the outermost range that is not made yet. */
static int make_array(struct reader *r, int array, int dimension)
{
    while (dimension < (int)r->entry_count &&
           (r->entries[dimension].parent != array || r->entries[dimension].tag != TAG_RANGE)) {
        if (r->entries[dimension].parent < array)
            dimension = (int)r->entry_count;
        else
            dimension++;
    }
    if (dimension >= (int)r->entry_count) return make_type(r, entry_at(r, r->entries[array].type));
    int of = make_array(r, array, dimension + 1);
    unsigned count = (unsigned)r->entries[dimension].count;
    unsigned bytes = of >= 0 ? r->out->types[of].bytes : 0;
    return add_type(r, array,
        (struct step_type){.kind = KIND_ARRAY, .bytes = count * bytes, .of = of, .count = count});
}

static int make_structure(struct reader *r, int entry)
{
    int t = add_type(r, entry,
        (struct step_type){
            .kind = KIND_STRUCT, .bytes = (unsigned)r->entries[entry].bytes, .of = -1});
    for (int i = entry + 1; i < (int)r->entry_count && r->entries[i].parent >= entry; i++) {
        const struct entry *m = &r->entries[i];
        if (m->parent != entry || m->tag != TAG_MEMBER || !m->name) continue;
        int type = make_type(r, entry_at(r, m->type));
        struct step_type *to = &r->out->types[t];
        to->members = xrealloc(to->members, sizeof *to->members * (size_t)(to->member_count + 1));
        to->members[to->member_count++] =
            (struct step_member){xstrdup(m->name), (unsigned)m->member_at, type};
    }
    return t;
}

static enum step_kind base_kind(uint64_t encoding)
{
    switch (encoding) {
    case 2: return KIND_BOOL;
    case 4: return KIND_FLOAT;
    case 5:
    case 6: return KIND_SIGNED;
    case 7:
    case 8: return KIND_UNSIGNED;
    default: return KIND_OTHER;
    }
}

/* Make the type of an entry of the debug information, unless it was made before. Returns its
 * index in out->types; -1: the entry has no type. */
static int make_type(struct reader *r, int entry)
{
    if (entry < 0) return -1;
    const struct entry *e = &r->entries[entry];
    if (r->type_of[entry]) return r->type_of[entry] - 1;
    switch (e->tag) {
    case TAG_BASE:
        return add_type(r, entry,
            (struct step_type){base_kind(e->encoding), (unsigned)e->bytes, -1, 0, NULL, 0});
    case TAG_ENUM:
        return add_type(
            r, entry, (struct step_type){KIND_SIGNED, (unsigned)e->bytes, -1, 0, NULL, 0});
    case TAG_POINTER:
    case TAG_REFERENCE: {
        int t = add_type(r, entry, (struct step_type){KIND_POINTER, 8, -1, 0, NULL, 0});
        int of = make_type(r, entry_at(r, e->type));
        r->out->types[t].of = of;
        return t;
    }
    case TAG_ARRAY: return make_array(r, entry, entry + 1);
    case TAG_STRUCT:
    case TAG_CLASS: return make_structure(r, entry);
    case TAG_TYPEDEF:
    case TAG_CONST:
    case TAG_VOLATILE:
    case TAG_RESTRICT: return make_type(r, entry_at(r, e->type));
    default: return -1;
    }
}

/* ---- variables ---- */

/* The number of the PTX line with a label; 0: there is none. */
static int line_of(const char *ptx, const char *label)
{
    size_t len = strlen(label);
    int line = 1;
    for (const char *at = ptx; at; line++) {
        if (!strncmp(at, label, len) && at[len] == ':') return line;
        at = strchr(at, '\n');
        if (at) at++;
    }
    return 0;
}

/* Set *from and *to to the PTX lines of the innermost scope that contains a variable and has code.
 * Returns 0 if there is none. */
static int scope_of(const struct reader *r, int entry, int *from, int *to)
{
    for (int p = r->entries[entry].parent; p >= 0; p = r->entries[p].parent) {
        const struct entry *e = &r->entries[p];
        if (e->tag != TAG_FUNCTION && e->tag != TAG_BLOCK && e->tag != TAG_INLINED) return 0;
        if (!e->low || !e->high) continue;
        *from = line_of(r->ptx, e->low);
        *to = line_of(r->ptx, e->high);
        return *from && *to;
    }
    return 0;
}

static void add_variable(struct reader *r, int entry)
{
    const struct entry *e = &r->entries[entry], *named = e;
    struct step_names *n = r->out;
    struct step_variable v = {.parameter = e->tag == TAG_PARAMETER};
    uint64_t base;
    int origin = entry_at(r, e->origin);
    if (!e->name && origin >= 0) named = &r->entries[origin];
    if (!named->name || !e->symbol || kernel_object(r->kernel, e->symbol, &base)) return;
    if ((e->class != CLASS_LOCAL && e->class != CLASS_SHARED) ||
        !scope_of(r, entry, &v.from, &v.to))
        return;
    v.type = make_type(r, entry_at(r, named->type));
    v.shared = e->class == CLASS_SHARED;
    v.offset = base + e->offset;
    v.line = (int)named->line;
    if (v.type < 0) return;
    v.name = xstrdup(named->name);
    n->variables = xrealloc(n->variables, sizeof *n->variables * (size_t)(n->variable_count + 1));
    n->variables[n->variable_count++] = v;
}

void step_names_read(struct step_names *n, const char *ptx, const struct kernel *k)
{
    struct reader r = {.ptx = ptx, .kernel = k, .out = n};
    *n = (struct step_names){0};
    find_section(&r.info, ptx, ".debug_info");
    find_section(&r.abbrev, ptx, ".debug_abbrev");
    /* text_at returns text of the section, so a 0 must end the section */
    if (r.info.count) {
        put_bytes(&r.info, 0, 1);
        r.info.count--;
        read_entries(&r);
    }
    r.type_of = xcalloc(r.entry_count + 1, sizeof *r.type_of);
    for (size_t i = 0; i < r.entry_count; i++)
        if (r.entries[i].tag == TAG_VARIABLE || r.entries[i].tag == TAG_PARAMETER)
            add_variable(&r, (int)i);
    free(r.type_of);
    free(r.entries);
    section_free(&r.info);
    section_free(&r.abbrev);
}

void step_names_free(struct step_names *n)
{
    for (int i = 0; i < n->type_count; i++) {
        for (int k = 0; k < n->types[i].member_count; k++) free(n->types[i].members[k].name);
        free(n->types[i].members);
    }
    for (int i = 0; i < n->variable_count; i++) free(n->variables[i].name);
    free(n->types);
    free(n->variables);
    *n = (struct step_names){0};
}
