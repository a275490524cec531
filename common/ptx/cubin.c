/* cubin.c - reading a kernel's regions and its line table out of a cubin.
 *
 * The line table is DWARF's, version 2: a program that lists (address, line), a sequence for each kernel, whose first address a relocation
 * names by symbol. From compute capability 7.0 on instructions have 128 bits; fields are given by their place in the low or high word.
 * Source: the DWARF standard, section 6.2; cuobjdump -sass -hex of what ptxas 13.0 makes for sm_90. */
#include "ptx/cubin.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct cubin {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr head;
};
struct part { /* of the file */
    const unsigned char *data;
    size_t size;
};

/* ---- ELF ---- */

static int open_cubin(struct cubin *c)
{
    if (c->size < sizeof c->head)
        return -1;
    memcpy(&c->head, c->bytes, sizeof c->head);
    return memcmp(c->head.e_ident, ELFMAG, SELFMAG) || c->head.e_ident[EI_CLASS] != ELFCLASS64 ||
                   c->head.e_shentsize != sizeof(Elf64_Shdr) || c->head.e_shoff > c->size ||
                   (c->size - c->head.e_shoff) / sizeof(Elf64_Shdr) < c->head.e_shnum
               ? -1
               : 0;
}

static Elf64_Shdr section(const struct cubin *c, unsigned i)
{
    Elf64_Shdr s = {0};
    if (i < c->head.e_shnum)
        memcpy(&s, c->bytes + c->head.e_shoff + i * sizeof s, sizeof s);
    if (s.sh_type == SHT_NOBITS || s.sh_offset > c->size || s.sh_size > c->size - s.sh_offset)
        s.sh_size = s.sh_offset = 0;
    return s;
}

static struct part contents(const struct cubin *c, const Elf64_Shdr *s)
{
    return (struct part){c->bytes + s->sh_offset, s->sh_size};
}

/* A string of a table of strings; "" where there is none. */
static const char *string_at(const struct cubin *c, unsigned table, uint32_t at)
{
    Elf64_Shdr s = section(c, table);
    struct part p = contents(c, &s);
    return at < p.size && memchr(p.data + at, 0, p.size - at) ? (const char *)p.data + at : "";
}

/* A section by its name; its index, 0 where there is none. */
static unsigned find_section(const struct cubin *c, const char *name)
{
    for (unsigned i = 1; i < c->head.e_shnum; i++)
        if (!strcmp(string_at(c, c->head.e_shstrndx, section(c, i).sh_name), name))
            return i;
    return 0;
}

/* Does a relocation put a kernel's address at an offset of the line table? */
static int is_address_of(const struct cubin *c, const char *kernel, uint64_t offset)
{
    Elf64_Shdr r = section(c, find_section(c, ".rela.debug_line")), symbols = section(c, r.sh_link);
    struct part relocations = contents(c, &r), table = contents(c, &symbols);
    for (size_t at = 0; at + sizeof(Elf64_Rela) <= relocations.size; at += sizeof(Elf64_Rela)) {
        Elf64_Rela rela;
        Elf64_Sym symbol;
        memcpy(&rela, relocations.data + at, sizeof rela);
        size_t of = ELF64_R_SYM(rela.r_info) * sizeof symbol;
        if (rela.r_offset != offset || of + sizeof symbol > table.size)
            continue;
        memcpy(&symbol, table.data + of, sizeof symbol);
        return !strcmp(string_at(c, symbols.sh_link, symbol.st_name), kernel);
    }
    return 0;
}

/* ---- the line table ---- */

struct reader {
    const struct cubin *c;
    const char *kernel;
    const unsigned char *start, *at, *end;
    int bad;
};

static uint64_t fixed(struct reader *r, size_t bytes)
{
    uint64_t v = 0;
    if ((size_t)(r->end - r->at) < bytes) {
        r->bad = 1;
        r->at = r->end;
        return 0;
    }
    memcpy(&v, r->at, bytes);
    r->at += bytes;
    return v;
}

static uint64_t leb(struct reader *r, int is_signed)
{
    uint64_t v = 0;
    unsigned shift = 0, byte = 0x80;
    while (byte & 0x80 && !r->bad) {
        byte = (unsigned)fixed(r, 1);
        if (shift < 64)
            v |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    }
    return is_signed && byte & 0x40 && shift < 64 ? v | ~(uint64_t)0 << shift : v;
}

struct row {
    uint64_t address, line;
    int wanted; /* the sequence is the kernel's */
};

static void add_row(const struct row *row, struct cubin_code *out)
{
    if (row->wanted)
        *VEC_PUSH(out->lines, out->line_count, out->line_cap) = (struct cubin_line){row->address, (int)row->line};
}

enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, FIXED_ADVANCE_PC = 9, END_SEQUENCE = 1, SET_ADDRESS };

/* What begins with a 0: a length, an operation and its operands. */
static void extended(struct reader *r, struct row *row)
{
    uint64_t length = leb(r, 0);
    if (!length || (uint64_t)(r->end - r->at) < length) {
        r->bad = 1;
        return;
    }
    const unsigned char *next = r->at + length;
    uint64_t op = fixed(r, 1);
    if (op == END_SEQUENCE)
        *row = (struct row){.line = 1};
    if (op == SET_ADDRESS && length == 9) {
        row->wanted = is_address_of(r->c, r->kernel, (uint64_t)(r->at - r->start));
        row->address = fixed(r, 8);
    }
    r->at = next;
}

/* One unit; the program begins where the header says. */
static void read_unit(struct reader *r, struct cubin_code *out)
{
    uint64_t bytes = fixed(r, 4);
    if (bytes > (uint64_t)(r->end - r->at)) {
        r->bad = 1;
        return;
    }
    const unsigned char *unit_end = r->at + bytes, *end = r->end;
    r->end = unit_end;
    fixed(r, 2); /* the version */
    uint64_t header = fixed(r, 4);
    const unsigned char *program = header <= (uint64_t)(r->end - r->at) ? r->at + header : r->end;
    uint64_t shortest = fixed(r, 1);
    fixed(r, 1);
    int base = (int8_t)fixed(r, 1);
    uint64_t range = fixed(r, 1), opcodes = fixed(r, 1);
    const unsigned char *operands = r->at;
    r->bad |= !range || !opcodes || (uint64_t)(r->end - r->at) < opcodes - 1;
    r->at = program;
    struct row row = {.line = 1};
    while (r->at < r->end && !r->bad) {
        uint64_t op = fixed(r, 1);
        if (op >= opcodes) {
            row.address += (op - opcodes) / range * shortest;
            row.line += (uint64_t)(int64_t)(base + (int)((op - opcodes) % range));
            add_row(&row, out);
        } else if (op == 0) {
            extended(r, &row);
        } else if (op == COPY) {
            add_row(&row, out);
        } else if (op == ADVANCE_PC) {
            row.address += leb(r, 0) * shortest;
        } else if (op == ADVANCE_LINE) {
            row.line += leb(r, 1);
        } else if (op == FIXED_ADVANCE_PC) {
            row.address += fixed(r, 2);
        } else if (op == 8) {
            row.address += (255 - opcodes) / range * shortest;
        } else {
            for (int i = operands[op - 1]; i > 0; i--)
                leb(r, 0);
        }
    }
    r->at = unit_end;
    r->end = end;
}

static int read_lines(const struct cubin *c, const char *kernel, struct cubin_code *out)
{
    Elf64_Shdr s = section(c, find_section(c, ".debug_line"));
    struct part p = contents(c, &s);
    struct reader r = {.c = c, .kernel = kernel, .start = p.data, .at = p.data, .end = p.data + p.size};
    while (r.at < r.end && !r.bad)
        read_unit(&r, out);
    for (size_t i = 1; i < out->line_count; i++)
        r.bad |= out->lines[i].address < out->lines[i - 1].address;
    return r.bad || !out->line_count ? -1 : 0;
}

int cubin_line_at(const struct cubin_code *c, uint64_t address)
{
    size_t low = 0, high = c->line_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->lines[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? c->lines[low - 1].line : 0;
}

/* ---- instructions ---- */

enum { OPERATION = 0xfff, BSYNC = 0x941, BREAK = 0x942, BSSY = 0x945, BRA = 0x947, ALWAYS = 7 };

struct instruction {
    uint64_t low, high;
};

static struct instruction instruction(const struct part *code, uint64_t at)
{
    struct instruction x;
    memcpy(&x.low, code->data + at, 8);
    memcpy(&x.high, code->data + at + 8, 8);
    return x;
}

/* Is it a jump that all lanes take? Its predicate (guard) and the one that it combines with (high bits 23 to 26) are PT. */
static int always_jumps(struct instruction x)
{
    return (x.low & OPERATION) == BRA && (x.low >> 12 & 15) == ALWAYS && (x.high >> 23 & 15) == ALWAYS;
}

/* Where it leads: 48 bits in words of 4, 8 of them at bit 16 and the rest from bit 34 on, from the next instruction. */
static uint64_t jumps_to(struct instruction x, uint64_t at)
{
    uint64_t words = (x.low >> 34 | (x.high & 0x3ffff) << 30) << 8 | (x.low >> 16 & 0xff);
    int64_t far = (int64_t)(words << 8) >> 8;
    return at + CUBIN_INSTRUCTION_BYTES + (uint64_t)(far * 4);
}

/* From the BSYNC that a BSSY names to where its lanes have something to do. */
static uint64_t leads_to(const struct part *code, uint64_t at)
{
    for (size_t jumps = 0; jumps < 64 && at + CUBIN_INSTRUCTION_BYTES <= code->size;) {
        struct instruction x = instruction(code, at);
        if (always_jumps(x)) {
            at = jumps_to(x, at);
            jumps++;
        } else if ((x.low & OPERATION) == BSYNC || (x.low & OPERATION) == BREAK) {
            at += CUBIN_INSTRUCTION_BYTES;
        } else {
            break;
        }
    }
    return at;
}

static int read_regions(const struct cubin *c, const char *kernel, struct cubin_code *out)
{
    char *name = xasprintf(".text.%s", kernel);
    unsigned index = find_section(c, name);
    free(name);
    Elf64_Shdr s = section(c, index);
    struct part code = contents(c, &s);
    for (uint64_t at = 0; at + CUBIN_INSTRUCTION_BYTES <= code.size; at += CUBIN_INSTRUCTION_BYTES) {
        struct instruction x = instruction(&code, at);
        if ((x.low & OPERATION) != BSSY)
            continue;
        uint64_t end = at + (uint64_t)(int64_t)(int32_t)(x.low >> 32);
        *VEC_PUSH(out->regions, out->region_count, out->region_cap) = (struct cubin_region){at, leads_to(&code, end)};
    }
    return index ? 0 : -1;
}

int cubin_read(const unsigned char *bytes, size_t size, const char *kernel, struct cubin_code *out, struct err *e)
{
    struct cubin c = {.bytes = bytes, .size = size};
    *out = (struct cubin_code){0};
    if (open_cubin(&c))
        return err_set(e, ERR_ENV, "the machine code is no cubin of 64 bits");
    if (read_regions(&c, kernel, out))
        return err_set(e, ERR_ENV, "the cubin has no kernel %s", kernel);
    if (read_lines(&c, kernel, out))
        return err_set(e, ERR_ENV, "the cubin has no lines for kernel %s: assemble with ptxas -lineinfo", kernel);
    return 0;
}

void cubin_free(struct cubin_code *c)
{
    free(c->lines);
    free(c->regions);
    *c = (struct cubin_code){0};
}
