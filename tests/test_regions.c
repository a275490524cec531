/* test_regions.c - where lanes of a branch meet before all of them do: the regions that ptxas makes of small graphs, each read from its
 * machine code (ptxas 13.0 -O0, sm_90: BSSY and the block behind its BSYNC). Conditions differ by lane; and which of two tails gets its
 * region tells how many instructions ptxas counts for one. */
#include "lab/elsewhere.h"
#include "lab/spawn.h"
#include "ptx/ptx.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* blocks: of each where it goes to, "4,1" or "5"; "-" returns. loads: how many loads each has, where it is not 2. regions: "0-4" from a branch
 * to where its lanes meet sooner, in the order of the latter. A u: that condition is one value a warp. */
static const struct {
    const char *blocks, *loads, *regions;
} graphs[] = {
    /* if (a || b) X */
    {"2,1 2,3 3 -", "", "0-2"},
    /* if (a || b) X else Y; if (a && b) X else Y */
    {"3,1 3,2 4 4 -", "", "0-3"},
    {"3,1 3,2 4 4 -", "2:0 3:5", "0-3"},
    /* two conditions that both lead to X and to Y: the costlier one, or the last */
    {"2,1 4,3 4,3 5 5 -", "", "0-4"},
    {"2,1 4,3 4,3 5 5 -", "3:5 4:1", "0-3"},
    /* cases that fall into each other: the last, whatever the others cost */
    {"4,1 5,2 6,3 7 5 6 7 -", "", "0-6"},
    {"4,1 5,2 6,3 7 5 6 7 -", "5:20 6:1", "0-6"},
    /* what a single way leads to is part of what leads there */
    {"2,1 2,4 4,3 4 -", "", "0-2"},
    {"2,1 2,6 4,3 5 5 6 -", "", "0-2"},
    /* a tail within a tail */
    {"3,1 3,2 6 5,4 6,5 6 -", "", "0-3 3-5"},
    {"2,1 2,7 4,3 4,7 6,5 6,7 7 -", "", "0-2 2-4 4-6"},
    /* 11's region begins at 3; then 3 is a tail, though 4 leads out of it to 5, which is none any more */
    {"3,1 5,2 5,3 11,4 6,5 13 9,7 8 13,9 11,10 12,11 13 13 -", "", "0-3 6-9 3-11"},
    /* those that leave for 6 are not waited for: 2's lanes meet at 4, unless they can leave for 5 as well */
    {"1 5,2 4,3 6,4 6,5 6 -", "", "2-4 1-5"},
    {"1 5,2 4,3 5,4 6,5 6 -", "", "1-5"},
    {"8,1 3,2 5 6,4 7,5 13,6 12,7 8 9 11,10 13,11 13 13 -", "", "1-7 0-8 9-11"},
    /* what 2 dominates and does not lead to its tail is looked at, too; here 5 leads to it */
    {"1 2,9 6,3 4,6 7,5 7,8 9 9 9 -", "", "2-6 4-7"},
    {"1 2,9 6,3 4,6 7,5 7,8 9 9 9 -", "6:4", "2-6 4-7"},
    {"8,1 2,5 5,3 6,4 6,7 8 8 8 -", "", "1-5 3-6"},
    {"1 2,9 6,3 4,6 7,5 7,6 9 9 9 -", "6:5", "2-6"},
    /* 3-7 leaves to 5, which has its turn none the less: 1, that leads there, has a region only if that to 6 comes before */
    {"3,1 6,2 6,5 7,4 7,5 8 8 8 -", "7:5", "3-7"},
    {"3,1 6,2 6,5 7,4 7,5 8 8 8 -", "6:4 7:5", "1-6 3-7"},
    {"3,1 6,2 6,5 7,4 7,5 8 8 8 -", "5:3 6:4", "1-6"},
    {"3,1 6,2 6,5 7,4 7,5 8 8 8 -", "5:3 6:4 7:5", "1-6 3-7"},
    /* the same of a tail within the region's tail; what does not lead there, 9-11 and 13-15, can come later */
    {"2,1 3,2 8 5,4 7,6 7,6 8 8 -", "2:1 7:5", "3-7"},
    {"2,1 3,2 8 5,4 7,6 7,6 8 8 -", "2:4 7:5", "0-2 3-7"},
    {"9,1 4,2 7,3 7,6 8,5 8,6 13 13 13 11,10 11,12 13 13 -", "6:3 8:4", "4-8 9-11"},
    {"9,1 4,2 7,3 7,6 8,5 8,6 13 13 13 11,10 11,12 13 13 -", "6:3 7:5 8:4", "2-7 4-8 9-11"},
    {"13,1 4,2 5,3 4,12 17 7,6 17 9,8 11,10 11,10 17 17 17 15,14 15,16 17 17 -", "11:5 10:4", "7-11 13-15"},
    {"13,1 4,2 5,3 4,12 17 7,6 17 9,8 11,10 11,10 17 17 17 15,14 15,16 17 17 -", "11:6 10:4 4:5", "1-4 7-11 13-15"},
    /* a loop's turns: before its end, as ever; not where lanes leave it */
    {"3,1 3,2 4 4 0,5 -", "", "0-3"},
    {"3,1 3,2 4 5 0,5 -", "", ""},
    {"4,1 4,2 0,3 5 5 -", "", ""},
    /* what a loop costs does not count, what stands behind it does */
    {"2,1 3,5 3,5 4 4,6 6 -", "4:8", "0-3"},
    {"2,1 3,5 3,5 4 4,6 6 -", "3:3", "0-3"},
    /* what its last block alone leaves to, unless the first block's other way costs more; turns that go on without the rest */
    {"1 3,2 5 1,4 5 -", "2:1", "0-4"},
    {"1 3,2 5 1,4 5 -", "2:9", ""},
    {"1 4,2 1,3 5,4 5 -", "", "0-3"},
    {"1 3,2 4,3 1 5 -", "", "1-3"},
    {"1 2 4,3 6,4 1,5 7 7 -", "", "2-4 0-5"},
    /* around loops that lanes leave for elsewhere, or whose end others come to */
    {"4,1 2 5,3 2,4 5 -", "", ""},
    {"4,1 5,2 3 3,4 6 7,6 7 -", "", ""},
    /* 1's lanes do not even meet at 6, where 4's come as well; at 5, where all of 0's do, they do */
    {"4,1 3,2 5,3 6 7,5 6 8,7 8 -", "", "0-7"},
    {"4,1 3,2 5,3 5 6,5 6 -", "", "1-3 0-5"},
    /* 2 and what it leads to are closed; here 4 leads to 5 as well */
    {"5,1 5,2 4,3 6,4 6 6 -", "", "2-4 0-5"},
    {"5,1 3,2 4,3 6 6,5 6 -", "", "0-5"},
    /* conditions that are one value */
    {"3,1 3,2u 3,4 4 -", "", "0-3"},
    {"3,1 3,2u 3,4u 4 -", "", ""},
    {"3,1u 3,2 3,4 4 -", "", "0-3"},
    {"2,1u 4,3 4,3 5 5 -", "", ""},
    {"2,1 3 4,3u 4 -", "", ""},
    /* two that are alike: the last of the blocks, each behind all that lead to it */
    {"1 3,2 5,6 5,4 7,6 8 8 8 -", "", "1-5"},
    {"1 4,2 6,3 6,5 7,5 8 8 8 -", "", "1-5"},
    /* a tail with little to do has no region, alone; or lanes meet behind what little there is before some leave */
    {"3,1 3,2 5 4 5 -", "3:0 4:0", ""},
    {"3,1 3,2 5 4 5 -", "3:0", "0-4"},
    {"3,1 3,2 6 4 6,5 6 -", "3:0 4:0", "0-4"},
    {"3,1 3,2 5 5,4 5 -", "3:0", "0-4"},
    {"3,1 3,2 7 7,4 7,5 7,6 7 -", "3:0 4:0 5:0", "0-6"},
    {"3,1 3,2 7 7,4 7,5 7,6 7 -", "3:0 5:0", "0-4"},
    /* but within where its region would be they meet as if it were one */
    {"1 6,2 5,3 5,4 7 6 7 -", "6:0", "2-5"},
    /* 7, where 3's lanes meet, is no part of tail 3 until it is the costliest: 4's way is not an if of its own; here it is */
    {"3,1 5,2 5,3 7,4 6,7 8 7 8 -", "3:4 4:4 5:3 6:4", "1-5"},
    {"3,1 5,2 5,3 7,4 7 8 7 8 -", "5:3", "0-3"},
    /* a loop with one way out is taken to have 16 turns, unless it is what one of two ways takes */
    {"3,1 5,2 5,3 4 4,6 6 -", "5:20", "0-3"},
    {"3,1 5,2 5,3 4 4,6 6 -", "5:80", "1-5"},
    {"3,1 8,2 8,3 5,4 7 6 6,7 9 9 -", "8:3", "1-8"},
    {"3,1 8,2 8,3 6,4 5 5,7 7 9 9 -", "8:3", "0-3"},
    /* jumps back that come together, whatever that costs: "1-1", before 1's next turn */
    {"1 2,3 1,4 1,4 -", "", "1-1"},
    {"1 2,3 1,4 1,4 -", "1:0 2:0 3:0", "1-1"},
    {"1 2,4 1,3 1,4 -", "", "2-1"},
    {"1 2 4,3 5,2 2,5 1,6 -", "", "2-2"},
    /* one that makes a loop within the other's: what it is left for comes together, before that jump in the order of blocks */
    {"1 2,3 1 1,4 -", "", ""},
    {"1 2,3 4,1 4 1,5 -", "", ""},
    {"1 2,3 1,4 4 1,5 -", "", "1-1"},
    /* others that lead there have no region then: 4 has none; those that leave are not waited for: 2's others meet at 5 */
    {"1 2,4 1,3 5,4 1,5 6,1 -", "", "1-1"},
    {"1 2,4 3,5 6,5 1,6 1 -", "", "2-5 1-1"},
    /* all lanes turn: that is the group's */
    {"1 2,5 4,3 1,4 1 -", "", "2-4"},
    /* ways that end */
    {"2,1 2,3 - -", "", "0-2"},
};

static int loads_of(const char *loads, int block)
{
    char key[16];
    snprintf(key, sizeof key, "%d:", block);
    for (const char *at = loads; (at = strstr(at, key)); at++)
        if (at == loads || at[-1] == ' ')
            return atoi(at + strlen(key));
    return 2;
}

enum { FIRST = 9 }; /* of the registers that each block has one of */

/* One more block where the other way of a condition is not to the next one in the code. Returns how many. */
static int write_block(struct buf *out, int block, const char *way, int loads)
{
    int taken, next, n = sscanf(way, "%d,%d", &taken, &next);
    buf_printf(out, "L%d:\n", block);
    for (int i = 0; i < loads; i++)
        buf_printf(out, "ld.global.u32 %%r4, [%%d1+%d];\nadd.u32 %%r3, %%r3, %%r4;\n", 4096 * (block + 1) + 128 * i);
    if (n == 2)
        buf_printf(out, "bfe.u32 %%r%d, %%r%d, %d, 1;\nsetp.ne.u32 %%p%d, %%r%d, 0;\n@%%p%d bra L%d;\n", FIRST + block,
                   strchr(way, 'u') ? 7 : 2, block, block, FIRST + block, block, taken);
    if (n == 2 && next != block + 1)
        buf_printf(out, "bra.uni L%d;\n", next);
    else if (n == 1)
        buf_printf(out, "bra.uni L%d;\n", taken);
    else if (n < 1)
        buf_printf(out, "st.global.u32 [%%d1], %%r3;\nret;\n");
    return n == 2 && next != block + 1 ? 2 : 1;
}

enum { BLOCKS = 64 };

/* number: of each block of the program the graph's; -1: none */
static char *ptx_of(const char *blocks, const char *loads, int number[BLOCKS])
{
    struct buf out = {0};
    char *copy = xstrdup(blocks), *rest = copy, *way;
    int at = 1;
    memset(number, -1, BLOCKS * sizeof *number);
    buf_printf(&out, ".version 7.5\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b32 %%r<99>; .reg .b64 %%d<9>; "
                     ".reg .pred %%p<64>;\nld.param.u64 %%d1, [a];\nmov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%d3, %%r1, 4;\nadd.s64 %%d1, %%d1, %%d3;\n"
                     "ld.global.u32 %%r2, [%%d1];\nmov.u32 %%r3, 0;\nmov.u32 %%r7, %%ctaid.x;\nbra.uni L0;\n");
    for (int i = 0; (way = strtok_r(rest, " ", &rest)); i++) {
        number[at] = i;
        at += write_block(&out, i, way, loads_of(loads, i));
    }
    buf_printf(&out, "}\n");
    free(copy);
    return out.data;
}

START_TEST(regions_are_those_of_ptxas)
{
    int number[BLOCKS];
    struct err e = {0};
    struct buf got = {0};
    struct ptx_module *m;
    struct ptx_program *p;
    char *text = ptx_of(graphs[_i].blocks, graphs[_i].loads, number);
    ck_assert_msg(!ptx_parse(text, "t.ptx", &m, &e), "%s", e.text);
    ck_assert_msg(!ptx_flatten(m, ptx_func_find(m, "k", 1), "t.cu", &p, &e), "%s", e.text);
    buf_printf(&got, "%s", "");
    for (size_t b = 0; b < p->block_count; b++)
        if (p->blocks[b].parted >= 0)
            buf_printf(&got, "%s%d-%d", got.len ? " " : "", number[p->blocks[b].parted],
                       number[p->blocks[b].is_latch ? p->blocks[b].target : (int)b]);
    ck_assert_msg(!strcmp(got.data, graphs[_i].regions), "%s (%s): %s, and %s by ptxas", graphs[_i].blocks, graphs[_i].loads, got.data,
                  graphs[_i].regions);
    ptx_program_free(p);
    ptx_module_free(m);
    buf_free(&got);
    free(text);
}
END_TEST

/* The assembler, where it is of the version that the rows are of; NULL: it is another, or none. The caller frees it. */
static char *same_ptxas(void)
{
    struct err e = {0};
    struct buf version = {0};
    char *ptxas = elsewhere_ptxas(NULL, &e);
    const char *asks[] = {ptxas, "--version", NULL};
    struct spawn s = {.argv = asks, .seconds = 20, .file_bytes = 1};
    int status = 0;
    if (!ptxas || spawn_run(&s, &version, &status, &e) || status || !strstr(version.data, "release 13.0,")) {
        free(ptxas);
        ptxas = NULL;
    }
    buf_free(&version);
    return ptxas;
}

/* Where there is such a one it is asked: the rows are what it makes of this text. */
START_TEST(regions_are_those_of_the_ptxas_here)
{
    char directory[] = "/tmp/lockstep.XXXXXX", *ptxas = same_ptxas();
    ck_assert_ptr_nonnull(mkdtemp(directory));
    for (size_t i = 0; ptxas && i < sizeof graphs / sizeof *graphs; i++) {
        int number[BLOCKS], (*pairs)[2];
        struct err e = {0};
        struct ptx_module *m;
        struct ptx_program *p;
        size_t bytes, count;
        char *cubin, *text = ptx_of(graphs[i].blocks, graphs[i].loads, number);
        ck_assert_msg(!elsewhere_assemble(directory, ptxas, text, &cubin, &bytes, &e), "%s", e.text);
        ck_assert_msg(!ptx_parse(text, "t.ptx", &m, &e), "%s", e.text);
        ck_assert_msg(!ptx_flatten(m, ptx_func_find(m, "k", 1), "t.cu", &p, &e), "%s", e.text);
        ck_assert_msg(!ptx_made_elsewhere(p, (unsigned char *)cubin, bytes, &pairs, &count, &e), "%s", e.text);
        ck_assert_msg(!count, "%s (%s): ptxas has other regions, by lines %d-%d of\n%s", graphs[i].blocks, graphs[i].loads, pairs[0][0],
                      pairs[0][1], text);
        free(pairs);
        free(cubin);
        ptx_program_free(p);
        ptx_module_free(m);
        free(text);
    }
    spawn_remove_directory(directory);
    free(ptxas);
}
END_TEST

/* Of two tails, one with an instruction and one with n exclusive ors instead, the first gets the region while n is less than weight. The
 * weights are ptxas's for instructions where they were first looked at; in this text, by what is around them, some have others. */
static const struct {
    const char *instruction;
    int weight;
} weighed[] = {
    {"add.u32 %r4, %r2, %r2;", 1}, {"mov.u32 %r4, 7;", 1}, {"mov.u32 %r4, %tid.y;", 2}, {"add.s64 %d4, %d1, %d3;", 2}, {"mov.u64 %d4, 5;", 2},
    {"mul.wide.u32 %d4, %r2, 4;", 3}, {"cvt.u64.u32 %d4, %r2;", 3}, {"shl.b64 %d4, %d1, 3;", 2}, {"shl.b64 %d4, %d1, %r2;", 5},
    {"ld.global.u32 %r4, [%d1];", 5}, {"ld.global.u32 %r4, [%d1+4];", 7}, {"ld.global.u8 %r4, [%d1];", 7}, {"ld.global.u32 %d4, [%d1];", 8},
    {"ld.global.u64 %d4, [%d1];", 7}, {"ld.shared.u32 %r4, [%r2];", 2}, {"ld.shared.u32 %r4, [%d1];", 3}, {"ld.shared.u32 %r4, [s];", 6},
    {"ld.param.u64 %d4, [a];", 6}, {"st.global.u32 [%d1], %r2;", 5}, {"st.global.u64 [%d1+8], %d1;", 8}, {"st.shared.u64 [%d1], %d1;", 4},
    {"red.global.add.u32 [%d1], %r2;", 5}, {"div.u32 %r4, %r2, %r3;", 40}, {"div.s32 %r4, %r2, %r3;", 58}, {"rem.u32 %r4, %r2, %r3;", 38},
    {"mul.lo.s64 %d4, %d1, %d3;", 23}, {"bfe.u32 %r4, %r2, %r3, %r2;", 6}, {"bfe.u32 %r4, %r2, 3, 5;", 8}, {"popc.b64 %r4, %d1;", 11},
    {"red.shared.add.u32 [s], %r2;", 6}, {"red.shared.add.u64 [s], %d3;", 246},
};

enum { ENOUGH = 12 }; /* exclusive ors in both, so that neither is too light for a region */

/* By which block's first all that come there are together early: of the first tail or the second, 0 or 1; -1: none. */
static int winner(const char *instruction, int ors)
{
    struct err e = {0};
    struct buf text = {0};
    struct ptx_module *m;
    struct ptx_program *p;
    int won = -1, is_wide = strstr(instruction, "%d4") != NULL, stores = !strncmp(instruction, "st.", 3) || !strncmp(instruction, "red", 3);
    buf_printf(&text, ".version 7.5\n.target sm_70\n.address_size 64\n.entry k(.param .u64 a) {\n.reg .b32 %%r<9>; .reg .b64 %%d<9>; "
               ".reg .pred %%p<9>; .shared .align 4 .b8 s[64];\nld.param.u64 %%d1, [a]; mov.u32 %%r2, %%tid.x; mov.u32 %%r3, 0;\n"
               "mul.wide.u32 %%d3, %%r2, 4;\nmov.u64 %%d4, 0;\nmov.u32 %%r4, 0;\n"
               "setp.gt.u32 %%p1, %%r2, 5; setp.gt.u32 %%p2, %%r2, 9; setp.gt.u32 %%p3, %%r2, 7;\n"
               "@%%p1 bra L2;\n@%%p2 bra L4;\nbra.uni L3;\nL2: @%%p3 bra L4;\nL3: %s\n", instruction);
    for (int i = 0; i < ENOUGH; i++)
        buf_printf(&text, "xor.b32 %%r3, %%r3, %%r2;\n");
    buf_printf(&text, "bra.uni L5;\nL4:\n");
    for (int i = 0; i < ors + ENOUGH; i++)
        buf_printf(&text, "xor.b32 %%r3, %%r3, %%r2;\n");
    buf_printf(&text, "bra.uni L5;\nL5: %s\nst.global.u32 [%%d1], %%r3;\nret; }\n",
               stores ? "" : is_wide ? "st.global.u64 [%d1], %d4;" : "st.global.u32 [%d1+16], %r4;");
    ck_assert_msg(!ptx_parse(text.data, "t.ptx", &m, &e), "%s", e.text);
    ck_assert_msg(!ptx_flatten(m, ptx_func_find(m, "k", 1), "t.cu", &p, &e), "%s: %s", instruction, e.text);
    for (size_t b = 0; b < p->block_count; b++)
        if (p->blocks[b].parted == 0)
            won = b == 4 ? 0 : 1;
    ptx_program_free(p);
    ptx_module_free(m);
    buf_free(&text);
    return won;
}

START_TEST(tails_are_weighed_as_by_ptxas)
{
    ck_assert_msg(winner(weighed[_i].instruction, weighed[_i].weight - 1) == 0, "%s: less than %d", weighed[_i].instruction, weighed[_i].weight);
    ck_assert_msg(winner(weighed[_i].instruction, weighed[_i].weight) == 1, "%s: more than %d", weighed[_i].instruction, weighed[_i].weight);
}
END_TEST

/* Where 4 is entered by 7, too, there is no region around 1: its lanes meet at 5 only if that is a tail's; else where all do. */
START_TEST(lanes_meet_where_a_region_ends)
{
    static const struct {
        const char *loads;
        int meet;
    } cases[] = {{"", 5}, {"5:0", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int number[BLOCKS];
        struct err e = {0};
        struct ptx_module *m;
        struct ptx_program *p;
        char *text = ptx_of("7,1 3,2 5 4 5 6 - 4,6", cases[i].loads, number);
        ck_assert_msg(!ptx_parse(text, "t.ptx", &m, &e), "%s", e.text);
        ck_assert_msg(!ptx_flatten(m, ptx_func_find(m, "k", 1), "t.cu", &p, &e), "%s", e.text);
        for (size_t b = 0; b < p->block_count; b++)
            if (number[b] == 1) {
                ck_assert_int_eq(number[p->blocks[b].ipdom], 5);
                ck_assert_int_eq(number[p->blocks[b].meet], cases[i].meet);
            }
        ptx_program_free(p);
        ptx_module_free(m);
        free(text);
    }
}
END_TEST

/* Regions that are set: none at 2, and 1's lanes meet at 4. */
START_TEST(regions_can_be_set)
{
    int number[BLOCKS], pairs[2][2] = {{0, 0}, {0, 0}};
    char *text = ptx_of("2,1 2,5 3 5,4 5 -", "", number);
    for (int turn = 0; turn < 2; turn++) {
        struct err e = {0};
        struct ptx_module *m;
        struct ptx_program *p;
        ptx_set_regions((const int (*)[2])pairs, turn ? 2 : 0);
        ck_assert_msg(!ptx_parse(text, "t.ptx", &m, &e), "%s", e.text);
        ck_assert_msg(!ptx_flatten(m, ptx_func_find(m, "k", 1), "t.cu", &p, &e), "%s", e.text);
        for (size_t b = 0; b < p->block_count; b++) {
            const struct ptx_block *x = &p->blocks[b];
            int first = (int)p->steps[x->first].loc.ptx_line, last = (int)p->steps[x->first + x->count - 1].loc.ptx_line;
            if (number[b] == 2 || number[b] == 4)
                ck_assert_int_eq(x->parted < 0 ? -1 : number[x->parted], number[b] == 2 ? (turn ? -1 : 0) : (turn ? 1 : -1));
            pairs[0][1] = number[b] == 2 ? first : pairs[0][1];
            pairs[1][1] = number[b] == 4 ? first : pairs[1][1];
            pairs[1][0] = number[b] == 1 ? last : pairs[1][0];
        }
        ptx_program_free(p);
        ptx_module_free(m);
    }
    ptx_set_regions(NULL, 0);
    free(text);
}
END_TEST

/* Lanes that turn do not wait for each other: none do before the turn of the loop that begins with 1. */
START_TEST(regions_before_a_turn_can_be_set)
{
    int number[BLOCKS], pairs[1][2] = {{0, 0}};
    char *text = ptx_of("1 2,3 1,4 1,4 -", "", number);
    for (int turn = 0; turn < 2; turn++) {
        struct err e = {0};
        struct ptx_module *m;
        struct ptx_program *p;
        int latches = 0;
        ptx_set_regions((const int (*)[2])pairs, (size_t)turn);
        ck_assert_msg(!ptx_parse(text, "t.ptx", &m, &e), "%s", e.text);
        ck_assert_msg(!ptx_flatten(m, ptx_func_find(m, "k", 1), "t.cu", &p, &e), "%s", e.text);
        for (size_t b = 0; b < p->block_count; b++) {
            const struct ptx_block *x = &p->blocks[b];
            if (!x->is_latch)
                continue;
            latches++;
            ck_assert_int_eq(x->parted < 0 ? -1 : number[x->parted], turn ? -1 : 1);
            pairs[0][1] = -p->steps[p->blocks[x->target].first].loc.ptx_line;
        }
        ck_assert_int_eq(latches, 1);
        ptx_program_free(p);
        ptx_module_free(m);
    }
    ptx_set_regions(NULL, 0);
    free(text);
}
END_TEST

/* 1000 times if (..) x++ one after the other, or in loops around each other: they took 3 and 5 s, with the time the cube of how many.
 * And one loop with 2000 jumps back. */
static const struct {
    const char *first, *then; /* of the i-th; the 1000 - i-th */
} many[] = {
    {"setp.gt.u32 %%p, %%r1, 5; @%%p bra L%d; add.u32 %%r2, %%r2, 1; L%d:\n", ""},
    {"L%d: add.u32 %%r2, %%r2, 1; // %d\n", "setp.gt.u32 %%p, %%r1, 5; @%%p bra L%d;\n"},
    {"L%d: add.u32 %%r2, %%r2, 1; // %d\n", "setp.gt.u32 %%p, %%r1, %d; @%%p bra L0; add.u32 %%r2, %%r2, 1; @%%p bra L0;\n"},
};

START_TEST(long_programs_take_little_longer)
{
    enum { COUNT = 1000 };
    struct buf text = {0};
    struct err e = {0};
    struct ptx_module *m;
    struct ptx_program *p;
    buf_printf(&text, ".version 7.5\n.target sm_70\n.address_size 64\n.entry k(.param .u64 a) {\n.reg .b32 %%r<9>; .reg .pred %%p;\n"
               "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, 0;\n");
    for (int i = 0; i < COUNT; i++)
        buf_printf(&text, many[_i].first, i, i);
    for (int i = COUNT; i-- > 0;)
        buf_printf(&text, many[_i].then, i);
    buf_printf(&text, "ret; }\n");
    double start = clock_seconds();
    ck_assert_msg(!ptx_parse(text.data, "t.ptx", &m, &e), "%s", e.text);
    ck_assert_msg(!ptx_flatten(m, ptx_func_find(m, "k", 1), "t.cu", &p, &e), "%s", e.text);
    ck_assert_uint_gt(p->block_count, 2 * COUNT - 1);
    ck_assert_double_lt(clock_seconds() - start, 2); /* 0.1 here */
    ptx_program_free(p);
    ptx_module_free(m);
    buf_free(&text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("regions");
    TCase *c = tcase_create("regions");
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, regions_are_those_of_ptxas, 0, sizeof graphs / sizeof *graphs);
    tcase_add_test(c, regions_are_those_of_the_ptxas_here);
    tcase_add_test(c, lanes_meet_where_a_region_ends);
    tcase_add_test(c, regions_can_be_set);
    tcase_add_test(c, regions_before_a_turn_can_be_set);
    tcase_add_loop_test(c, tails_are_weighed_as_by_ptxas, 0, sizeof weighed / sizeof *weighed);
    tcase_add_loop_test(c, long_programs_take_little_longer, 0, sizeof many / sizeof *many);
    suite_add_tcase(suite, c);
    SRunner *r = srunner_create(suite);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
