/* test_made.c - regions that machine code has, beside those that are told: PTX's own lines, cubins drawn up here, and what is none. */
#include "ptx/cubin.h"
#include "ptx/ptx.h"

#include <check.h>
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbering ---- */

START_TEST(instructions_have_their_lines)
{
    static const char ptx[] = "// made by hand\n.version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"k.cu\"\n.entry k(\n\t.param .u64 a\n)\n{\n"
                              "\t.reg .b32 %r<2>; // b:\n\t.loc 1 7 3\n\tmov.u32 %r0, 1;\n$L_0:\n\t@%p bra $L_0;\n\tcall (%r1),\n\tf,\n\t(%r0);\n"
                              "\t// mov\n\tret;\n}\n\t.section .debug_str\n{\n.b8 0\n}\n";
    static const char want[] = "// made by hand\n.version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"ptx\"\n.entry k(\n\t.param .u64 a\n)\n{\n"
                               "\t.reg .b32 %r<2>; // b:\n.loc 1 12 0\n\tmov.u32 %r0, 1;\n$L_0:\n.loc 1 14 0\n\t@%p bra $L_0;\n.loc 1 15 0\n"
                               "\tcall (%r1),\n\tf,\n\t(%r0);\n\t// mov\n.loc 1 19 0\n\tret;\n}\n";
    char *got = ptx_numbered(ptx), *nothing = ptx_numbered("");
    ck_assert_str_eq(got, want);
    ck_assert_str_eq(nothing, "");
    free(got);
    free(nothing);
}
END_TEST

/* ---- a cubin ---- */

/* if (a || b) X: lines of the text below, whose lanes are told to meet at line 10. */
static const char text[] = ".version 7.5\n.target sm_70\n.address_size 64\n.entry k(.param .u64 a) {\n.reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p, %q;\n"
                           "mov.u32 %r1, %tid.x; ld.param.u64 %d1, [a]; setp.gt.u32 %p, %r1, 5; setp.gt.u32 %q, %r1, 9;\n" /* 6 */
                           "@%p bra X;\n"                                                                                  /* 7 */
                           "st.global.u32 [%d1], %r1;\n"                                                                   /* 8 */
                           "@%q bra Y;\n"                                                                                  /* 9 */
                           "X: st.global.u32 [%d1+4], %r1; st.global.u32 [%d1+8], %r1;\n"                                  /* 10 */
                           "Y: st.global.u32 [%d1+12], %r1;\n"                                                             /* 11 */
                           "ret; }\n";                                                                                     /* 12 */

/* Two jumps back, to line 7, that come together: line 8's lanes are told to meet before. */
static const char turning[] = ".version 7.5\n.target sm_70\n.address_size 64\n.entry k(.param .u64 a) {\n.reg .b32 %r<4>; .reg .pred %p, %q;\n"
                              "mov.u32 %r1, %tid.x;\n"                                                            /* 6 */
                              "H: add.u32 %r1, %r1, 1; setp.gt.u32 %p, %r1, 5; setp.gt.u32 %q, %r1, 9;\n"         /* 7 */
                              "@%p bra B;\n"                                                                      /* 8 */
                              "@%q bra H;\n"                                                                      /* 9 */
                              "bra.uni Y;\n"                                                                      /* 10 */
                              "B: @%q bra H;\n"                                                                   /* 11 */
                              "Y: ret; }\n";                                                                      /* 12 */

#define BSSY(far) 0x0000000000007945 | (uint64_t)(far) << 32, 0
#define BSYNC 0x0000000000007941, 0
#define BREAK 0x0000000000007942, 0
#define BRA_BY(predicate, words) \
    0x0000000000000947 | (predicate) << 12 | ((uint64_t)(words) & 0xff) << 16 | ((uint64_t)(words) >> 8) << 34, \
        7 << 23 | ((words) < 0 ? 0x3ffff : 0)
#define BRA(words) BRA_BY(7, words)
#define BRA_IF(words) BRA_BY(0, words)
#define OTHER 0x0000000000007918, 0

enum { INSTRUCTIONS = 8, NAMES = 96, TABLE = 128 };
struct cubin {
    Elf64_Ehdr head;
    uint64_t code[2 * INSTRUCTIONS];
    unsigned char table[TABLE];
    Elf64_Sym symbols[2];
    Elf64_Rela relocations[2];
    char names[NAMES];
    Elf64_Shdr sections[6];
};

static const char names[NAMES] = "\0.text.k\0.debug_line\0.rela.debug_line\0other\0k";
enum { TEXT_K = 1, DEBUG_LINE = 9, RELA = 21, OTHER_NAME = 38, K = 44 };

static void add_bytes(struct cubin *c, size_t *at, const void *bytes, size_t n)
{
    ck_assert_uint_le(*at + n, TABLE);
    memcpy(c->table + *at, bytes, n);
    *at += n;
}

/* A unit of two sequences: another kernel's, and ours with instruction i on lines[i], the first by a special operation. */
static void add_table(struct cubin *c, const int *lines)
{
    static const unsigned char header[] = {0, 0, 0, 0, 2, 0, 24, 0, 0, 0, 1, 1, (unsigned char)-5, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0,
                                           'p', 't', 'x', 0, 0};
    static const unsigned char start[] = {0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0}, end[] = {0, 1, 1}, file[] = {4, 1};
    static const unsigned char odd[] = {0, 2, 0x90, 7, 10 + 5 + 3}; /* an operation of NVIDIA's own; and one for a line */
    size_t at = 0;
    add_bytes(c, &at, header, 10);
    add_bytes(c, &at, header + 10, sizeof header - 10);
    c->table[6] = (unsigned char)(sizeof header - 10);
    c->relocations[0].r_offset = at + 3;
    add_bytes(c, &at, start, sizeof start);
    add_bytes(c, &at, odd, sizeof odd);
    add_bytes(c, &at, end, sizeof end);
    c->relocations[1].r_offset = at + 3;
    add_bytes(c, &at, start, sizeof start);
    add_bytes(c, &at, file, sizeof file);
    for (int i = 0, line = 1; i < INSTRUCTIONS; i++) {
        unsigned char by[] = {3, (unsigned char)((lines[i] - line) & 0x7f), 2, 16, 1}, special = (unsigned char)(10 + 5 + lines[i] - line);
        if (i)
            add_bytes(c, &at, by, sizeof by);
        else
            add_bytes(c, &at, &special, 1);
        line = lines[i];
    }
    add_bytes(c, &at, end, sizeof end);
    c->table[0] = (unsigned char)(at - 4);
    c->sections[2] = (Elf64_Shdr){.sh_name = DEBUG_LINE, .sh_type = SHT_PROGBITS, .sh_offset = offsetof(struct cubin, table),
                                  .sh_size = at};
}

static struct cubin cubin_of(const uint64_t *code, const int *lines)
{
    struct cubin c = {.head = {.e_ident = ELFMAG, .e_shoff = offsetof(struct cubin, sections), .e_shnum = 6, .e_shstrndx = 5,
                               .e_shentsize = sizeof(Elf64_Shdr)}};
    c.head.e_ident[EI_CLASS] = ELFCLASS64;
    memcpy(c.code, code, sizeof c.code);
    memcpy(c.names, names, sizeof names);
    c.symbols[0].st_name = OTHER_NAME;
    c.symbols[1].st_name = K;
    c.relocations[0].r_info = ELF64_R_INFO(0, 2);
    c.relocations[1].r_info = ELF64_R_INFO(1, 2);
    c.sections[1] = (Elf64_Shdr){.sh_name = TEXT_K, .sh_type = SHT_PROGBITS, .sh_offset = offsetof(struct cubin, code),
                                 .sh_size = sizeof c.code};
    c.sections[3] = (Elf64_Shdr){.sh_name = RELA, .sh_type = SHT_RELA, .sh_link = 4, .sh_offset = offsetof(struct cubin, relocations),
                                 .sh_size = sizeof c.relocations};
    c.sections[4] = (Elf64_Shdr){.sh_type = SHT_SYMTAB, .sh_link = 5, .sh_offset = offsetof(struct cubin, symbols),
                                 .sh_size = sizeof c.symbols};
    c.sections[5] = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct cubin, names), .sh_size = sizeof c.names};
    add_table(&c, lines);
    return c;
}

/* What its regions are: the outer one, of all lanes, and the inner one before X. */
static const uint64_t as_told[] = {BSSY(0x60), BSSY(0x30), OTHER, BRA_IF(4), BSYNC, OTHER, BSYNC, OTHER};
static const int lines_as_told[] = {7, 7, 7, 9, 10, 10, 11, 11};

START_TEST(a_cubin_is_read)
{
    struct cubin c = cubin_of(as_told, lines_as_told);
    struct cubin_code code;
    struct err e = {0};
    ck_assert_msg(!cubin_read((unsigned char *)&c, sizeof c, "k", &code, &e), "%s", e.text);
    ck_assert_uint_eq(code.line_count, INSTRUCTIONS); /* none of the other kernel's */
    for (size_t i = 0; i < INSTRUCTIONS; i++) {
        ck_assert_uint_eq(code.lines[i].address, 16 * i);
        ck_assert_int_eq(code.lines[i].line, lines_as_told[i]);
        ck_assert_int_eq(cubin_line_at(&code, 16 * i + 15), lines_as_told[i]);
    }
    ck_assert_uint_eq(code.region_count, 2);
    ck_assert_uint_eq(code.regions[0].from, 0);
    ck_assert_uint_eq(code.regions[0].at, 0x70);
    ck_assert_uint_eq(code.regions[1].from, 0x10);
    ck_assert_uint_eq(code.regions[1].at, 0x50);
    cubin_free(&code);
}
END_TEST

/* A BSYNC leads past others, BREAKs and jumps that all take, also back; round and round to somewhere. */
static const struct {
    uint64_t code[2 * INSTRUCTIONS], at;
} ways[] = {
    {{BSSY(0x10), BSYNC, BSYNC, BREAK, BRA(4), OTHER, OTHER, OTHER}, 0x60},
    {{BSSY(0x30), OTHER, OTHER, BSYNC, BRA(-12), OTHER, OTHER, OTHER}, 0x20},
    {{BSSY(0x10), BSYNC, BRA_IF(4), OTHER, OTHER, OTHER, OTHER, OTHER}, 0x20},
    {{BSSY(0x10), BSYNC, BRA(-8), OTHER, OTHER, OTHER, OTHER, OTHER}, 0x10},
    {{BSSY(0x10), BSYNC, BRA(1 << 20), OTHER, OTHER, OTHER, OTHER, OTHER}, 0x30 + (4 << 20)},
};

START_TEST(lanes_go_on_behind_jumps)
{
    struct cubin c = cubin_of(ways[_i].code, lines_as_told);
    struct cubin_code code;
    struct err e = {0};
    ck_assert_msg(!cubin_read((unsigned char *)&c, sizeof c, "k", &code, &e), "%s", e.text);
    ck_assert_uint_eq(code.region_count, 1);
    ck_assert_uint_eq(code.regions[0].at, ways[_i].at);
    cubin_free(&code);
}
END_TEST

/* ---- comparing ---- */

static const struct {
    const char *text;
    uint64_t code[2 * INSTRUCTIONS];
    int lines[INSTRUCTIONS], pairs[2][2], count;
} cases[] = {
    {text, {BSSY(0x60), BSSY(0x30), OTHER, BRA_IF(4), BSYNC, OTHER, BSYNC, OTHER}, {7, 7, 7, 9, 10, 10, 11, 11}, {{0}}, 0},
    /* no region of X's */
    {text, {BSSY(0x60), OTHER, OTHER, BRA_IF(4), OTHER, OTHER, BSYNC, OTHER}, {7, 7, 7, 9, 10, 10, 11, 11}, {{0, 10}}, 1},
    /* of 9's lanes, not of 7's: where 9's meet anyway; then before X */
    {text, {BSSY(0x60), OTHER, BSSY(0x40), BRA_IF(4), OTHER, OTHER, BSYNC, OTHER}, {7, 7, 9, 9, 10, 10, 11, 11}, {{0, 10}}, 1},
    {text, {BSSY(0x60), OTHER, BSSY(0x20), BRA_IF(4), BSYNC, OTHER, BSYNC, OTHER}, {7, 7, 9, 9, 10, 10, 11, 11}, {{0, 10}, {9, 10}}, 2},
    /* a line of another file's, say, tells nothing */
    {text, {BSSY(0x60), BSSY(0x30), OTHER, BRA_IF(4), BSYNC, OTHER, BSYNC, OTHER}, {7, 99, 99, 99, 99, 10, 11, 11}, {{0, 10}}, 1},
    /* before a loop's next turn; none; of 9's lanes, whose branch has no line of its own before it */
    {turning, {OTHER, OTHER, BSSY(0x30), BRA_IF(4), OTHER, BSYNC, BRA(-24), OTHER}, {6, 7, 7, 8, 9, 11, 11, 12}, {{0}}, 0},
    {turning, {OTHER, OTHER, OTHER, BRA_IF(4), OTHER, OTHER, BRA(-24), OTHER}, {6, 7, 7, 8, 9, 11, 11, 12}, {{0, -7}}, 1},
    {turning, {OTHER, OTHER, OTHER, BSSY(0x20), BRA_IF(4), BSYNC, BRA(-24), OTHER}, {6, 7, 7, 8, 9, 11, 11, 12}, {{0, -7}, {9, -7}}, 2},
};

START_TEST(what_is_elsewhere)
{
    struct cubin c = cubin_of(cases[_i].code, cases[_i].lines);
    struct err e = {0};
    struct ptx_module *m;
    struct ptx_program *p;
    int (*pairs)[2];
    size_t count;
    ck_assert_msg(!ptx_parse(cases[_i].text, "t.ptx", &m, &e) && !ptx_flatten(m, ptx_func_find(m, "k", 1), "t.cu", &p, &e), "%s", e.text);
    ck_assert_msg(!ptx_made_elsewhere(p, (unsigned char *)&c, sizeof c, &pairs, &count, &e), "%s", e.text);
    ck_assert_int_eq((int)count, cases[_i].count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            ck_assert_int_eq(pairs[i][k], cases[_i].pairs[i][k]);
    free(pairs);
    ptx_program_free(p);
    ptx_module_free(m);
}
END_TEST

/* ---- what is no cubin ---- */

static void expect_error(struct cubin *c, size_t size, const char *kernel, const char *says)
{
    struct cubin_code code;
    struct err e = {0};
    ck_assert(cubin_read((unsigned char *)c, size, kernel, &code, &e));
    ck_assert_msg(strstr(e.text, says), "%s", e.text);
    cubin_free(&code);
}

START_TEST(what_is_no_cubin_is_refused)
{
    struct cubin c = cubin_of(as_told, lines_as_told);
    expect_error(&c, sizeof c.head - 1, "k", "no cubin");
    expect_error(&c, sizeof c - 1, "k", "no cubin");
    expect_error(&c, sizeof c, "other", "no kernel other");
    c.sections[2].sh_size -= 3;
    expect_error(&c, sizeof c, "k", "no lines for kernel k");
    c.sections[2].sh_type = SHT_NOBITS;
    expect_error(&c, sizeof c, "k", "no lines for kernel k: assemble with ptxas -lineinfo");
    c.head.e_ident[0] = '.';
    expect_error(&c, sizeof c, "k", "no cubin");
}
END_TEST

/* Any byte may be anything: an error or not, nothing outside is read. The copy ends where its memory does. */
START_TEST(damaged_cubins_do_no_harm)
{
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    const struct cubin whole = cubin_of(as_told, lines_as_told);
    int read = 0;
    for (size_t at = 0; at < sizeof whole; at++)
        for (size_t v = 0; v < sizeof values; v++) {
            unsigned char *copy = xcalloc(sizeof whole, 1);
            struct cubin_code code;
            struct err e = {0};
            memcpy(copy, &whole, sizeof whole);
            copy[at] = values[v];
            read += !cubin_read(copy, sizeof whole, "k", &code, &e);
            cubin_free(&code);
            free(copy);
        }
    ck_assert_int_gt(read, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("made");
    TCase *c = tcase_create("made");
    tcase_add_test(c, instructions_have_their_lines);
    tcase_add_test(c, a_cubin_is_read);
    tcase_add_loop_test(c, lanes_go_on_behind_jumps, 0, sizeof ways / sizeof *ways);
    tcase_add_loop_test(c, what_is_elsewhere, 0, sizeof cases / sizeof *cases);
    tcase_add_test(c, what_is_no_cubin_is_refused);
    tcase_add_test(c, damaged_cubins_do_no_harm);
    suite_add_tcase(suite, c);
    SRunner *r = srunner_create(suite);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
