/* weights.c - how many instructions ptxas counts for one of PTX where it weighs tails against each other (regions.c).
 *
 * Measured on ptxas 13.0 -O0 for sm_90 with some 650 kinds of instruction, by opcode and kinds of operands: of two tails that are
 * alike but for such an instruction here and n exclusive ors there, the one with more gets the region; the n from which on the other
 * does is the weight. Those of div.full, div.approx, div.rn.f64, sqrt.approx, rsqrt, rcp.approx, lg2 and ex2 are the lines of machine
 * code instead. What it counts are its own instructions before registers are assigned: of 64 bits mostly two; a constant costs
 * nothing; an address in a 64-bit register, an offset, an element of a vector, a value that becomes wider have their own. Lanes that
 * must be together at one (shfl, vote) outweigh all else. An atomic operation that is a loop of compare and swap on shared memory weighs
 * 6 and 16 turns: 246 for an addition of 64 bits, 278 for a minimum, 118 for one of float, 166 of double. */
#include "ptx/cfg.h"

#include <string.h>

static unsigned bytes_of(const struct ptx_program *p, int slot)
{
    return slot < 0 ? 0 : ptx_type_bytes(p->slots[slot].type);
}

static int has(const struct ptx_step *s, const char *part)
{
    return strstr(s->text, part) != NULL;
}

static int starts(const struct ptx_step *s, const char *head)
{
    return !strncmp(s->text, head, strlen(head));
}

/* Of an access its address: a 64-bit register is made one of 32 bits for shared memory, a variable's address is put together. */
static unsigned address(const struct ptx_program *p, const struct ptx_step *s)
{
    const struct ptx_step *before = s > p->steps ? s - 1 : s; /* widens an address of 32 bits here */
    int narrow = (before->flags & FLAG_QUIET) && before->op == OP_cvt_b64_u32 && before->dst[0] == s->src[0].reg;
    int wide = s->src[0].kind == SRC_REG && !narrow;
    switch (s->space) {
    case SPACE_SHARED: return s->src[0].kind == SRC_ADDRESS ? 6 : wide ? 3 : 2;
    case SPACE_CONST: return s->src[0].kind == SRC_ADDRESS ? 3 : 4;
    case SPACE_PARAM: return 3;
    case SPACE_LOCAL: return s->offset && wide ? 5 : 3;
    default: return s->offset && wide ? 7 : 5;
    }
}

static unsigned load(const struct ptx_program *p, const struct ptx_step *s)
{
    unsigned size = ptx_type_bytes(s->type), to = bytes_of(p, s->dst[0]), sum = address(p, s);
    int sign = s->type == PTX_S8 || s->type == PTX_S16 || s->type == PTX_S32;
    if (s->vector > 1)
        return sum + (s->type == PTX_F64 ? 2 : (unsigned)s->vector * (size == 1 ? 4 : size == 2 ? 2 : size == 8 ? 2 : 1));
    if (s->type == PTX_F64 || (size == 4 && to <= 4) || (size == 2 && to <= 2))
        return sum;
    if (size == 8)
        return sum + (s->space == SPACE_PARAM ? 3 : 2);
    return sum + (to == 8 ? (sign ? (size == 4 ? 4 : 5) : size == 4 ? 3 : 4) : 2);
}

static unsigned store(const struct ptx_program *p, const struct ptx_step *s)
{
    unsigned size = ptx_type_bytes(s->type), from = bytes_of(p, s->dst[0]);
    int narrows = size == 1 || (size == 2 && from > 2);
    return address(p, s) + (s->vector == 1 && (narrows || (size == 8 && s->type != PTX_F64)));
}

static unsigned move(const struct ptx_program *p, const struct ptx_step *s)
{
    if (s->src[0].kind == SRC_ADDRESS)
        return p->objects[s->src[0].reg].space == SPACE_SHARED ? 10 : p->objects[s->src[0].reg].space == SPACE_LOCAL ? 7 : 6;
    if (s->op == OP_SREG)
        return 2;
    if (bytes_of(p, s->dst[0]) < 8)
        return starts(s, "mov.u16") ? 2 : 1;
    if (starts(s, "mov.f64"))
        return 1;
    return starts(s, "mov.b64") ? (s->src[0].kind == SRC_REG && p->slots[s->src[0].reg].type == PTX_F64 ? 4 : 3) : 2;
}

/* By opcode, the first that fits. */
static const struct row {
    const char *opcode;
    unsigned weight;
} rows[] = {
    {"atom.cas.b32", 4}, {"atom.exch.b64", 14}, {"atom.cas.b64", 20}, {"atom", 5}, {"red", 5},
    {"div.rn.f64", 80}, {"div.full", 20}, {"div.approx", 20}, {"div.rn.f32", 34}, {"div.s64", 8}, {"div.u64", 8}, {"div.u32", 40}, {"div", 58},
    {"rem.s64", 8}, {"rem.u64", 8}, {"rem.u32", 38}, {"rem", 55},
    {"sqrt.approx", 19}, {"sqrt.rn.f64", 72}, {"sqrt", 34}, {"rsqrt", 19}, {"rcp.approx", 16}, {"rcp.rn.f64", 45}, {"rcp", 31}, {"lg2", 19},
    {"ex2", 16},
    {"mul.wide.s16", 6}, {"mul.wide.u16", 6}, {"mul.wide", 3}, {"mad.wide", 6}, {"mul24.lo.s", 5}, {"mul24", 3}, {"mul.lo.s64", 23},
    {"mul.lo.u64", 23}, {"mul.hi.s64", 35}, {"mul.hi.u64", 23}, {"mad.lo.s64", 23}, {"mad.lo.u64", 23}, {"mul.hi.s16", 7}, {"mul.lo.s16", 5},
    {"mul.lo.u16", 5}, {"mad.hi", 2},
    {"bfe.u64", 35}, {"bfe.s64", 52}, {"bfe", 6}, {"bfind.u64", 37}, {"bfind.s64", 37}, {"bfind", 1}, {"bfi.b64", 53}, {"bfi", 7}, {"brev.b64", 38}, {"brev", 3},
    {"popc.b64", 11}, {"popc", 3}, {"clz.b64", 10}, {"clz", 2}, {"cnot", 5}, {"copysign", 3}, {"abs.s64", 9}, {"abs.s", 3}, {"abs", 2},
    {"neg.s64", 4}, {"neg.s", 3}, {"neg", 2}, {"sub.s16", 3}, {"subc", 2},
    {"min.f64", 9}, {"max.f64", 9}, {"min.u64", 4}, {"max.u64", 4}, {"min.s64", 4}, {"max.s64", 4}, {"slct.u64", 3}, {"slct", 2},
    {"set.", 2}, {"shl.b16", 4}, {"shr.u16", 6},
    {"cvt.u64.u32", 3}, {"cvt.u64.u16", 4}, {"cvt.u64.u8", 5}, {"cvt.s64.s32", 7}, {"cvt.s64.s16", 8}, {"cvt.u32.u64", 1}, {"cvt.u16.u64", 2},
    {"cvt.u16.u32", 1}, {"cvt.u32.u8", 3}, {"cvt.u16.u8", 3}, {"cvt.s32.s8", 4}, {"cvt.s16.s8", 4}, {"cvt.rn.f32.s64", 2}, {"cvt.rn.f32.u64", 2},
    {"cvt.rn.f32.u8", 2}, {"cvt.rn.f64.s64", 2}, {"cvt.rn.f64.u64", 2}, {"cvta.to.global", 2}, {"cvta.global", 2}, {"cvta", 6},
};

/* Conversions between 16 and 32 bits cost more from a register that is wider; those to 64 or fewer than 32 bits more. */
static unsigned convert(const struct ptx_program *p, const struct ptx_step *s)
{
    unsigned wider = s->src[0].kind == SRC_REG && bytes_of(p, s->src[0].reg) > 2;
    if (starts(s, "cvt.u32.u16"))
        return 2 + wider;
    if (starts(s, "cvt.s32.s16"))
        return 3 + wider;
    if (starts(s, "cvt.rn.f32.s16"))
        return 1 + wider;
    return has(s, "64.f") || has(s, "16.f") || has(s, "8.f") ? (has(s, "f16.f") || has(s, "f64.f") ? 1 : 3) : 1;
}

static unsigned compare(const struct ptx_step *s)
{
    if (!has(s, "16"))
        return has(s, "64") && !has(s, "f64") ? 2 : 1;
    return s->src[1].kind == SRC_IMM && !s->src[1].imm ? 3 : 6;
}

static unsigned by_opcode(const struct ptx_program *p, const struct ptx_step *s)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (starts(s, rows[i].opcode))
            return rows[i].weight + (starts(s, "bfe.u32") && s->src[1].kind == SRC_IMM && s->src[2].kind == SRC_IMM ? 2 : 0);
    if (starts(s, "mov"))
        return move(p, s);
    if (starts(s, "cvt"))
        return convert(p, s);
    if (starts(s, "setp"))
        return compare(s);
    if (starts(s, "shr.") || starts(s, "shl."))
        return has(s, "64") ? (s->src[1].kind == SRC_IMM ? 2 : 5) : 1;
    return has(s, "64") && !has(s, "f64") ? 2 : 1;
}

static unsigned weight_of(const struct ptx_program *p, const struct ptx_step *s)
{
    static const char *const together[] = {"shfl", "vote", "match", "activemask", "bar.warp"};
    enum { TOGETHER = 1000 };
    if ((s->flags & (FLAG_QUIET | FLAG_UNUSED)) || !s->text)
        return 0;
    for (size_t i = 0; i < sizeof together / sizeof *together; i++)
        if (starts(s, together[i]))
            return TOGETHER;
    if (starts(s, "ld"))
        return load(p, s);
    if (starts(s, "st."))
        return store(p, s);
    return starts(s, "bar") || (starts(s, "bra") && s->guard < 0) ? 0 : by_opcode(p, s) + (s->op == OP_ATOM ? (s->offset ? 2 : 0) + (s->space == SPACE_SHARED || ptx_type_bytes(s->type) == 8) : 0);
}

/* Shared memory has atomic operations on 32 bits, and compare and swap: others are loops of that. What a turn weighs; 0: it is none. */
static unsigned turn_of(const struct ptx_step *s)
{
    if (s->op != OP_ATOM || s->detail == ATOM_EXCH || s->detail == ATOM_CAS || (s->space != SPACE_SHARED && s->space != SPACE_GENERIC))
        return 0;
    if (s->type == PTX_F32 || s->type == PTX_F64)
        return s->type == PTX_F32 ? 7 : 10;
    return ptx_type_bytes(s->type) < 8 ? 0 : s->detail == ATOM_MIN || s->detail == ATOM_MAX ? 17 : 15;
}

/* Such a loop is taken to have 16 turns. Where each lane's address tells whether it is one, ptxas makes new blocks of what stands before it
 * in its block, and does not count them; to ptxas any label begins a block. */
unsigned cfg_weight(const struct ptx_program *p, int block, const char *differs)
{
    enum { TURNS = 16, CHOICE = 20 };
    const struct ptx_block *x = &p->blocks[block];
    int to[2];
    unsigned sum = 0, before = 0; /* before the last label */
    if (x->count == 1 && x->end == END_BRANCH && cfg_successors(p, block, to) == 1)
        return 0;
    for (int i = 0; i < x->count; i++) {
        const struct ptx_step *s = &p->steps[x->first + i];
        unsigned turn = turn_of(s);
        if (s->flags & FLAG_LABELLED)
            before = sum;
        if (turn && s->space == SPACE_GENERIC && s->src[0].kind == SRC_REG && differs[s->src[0].reg])
            sum = before;
        else
            sum += weight_of(p, s) + TURNS * turn + (turn && s->space == SPACE_GENERIC ? CHOICE : 0);
    }
    return sum;
}

/* The weight for the question whether there is enough to do for lanes to meet before it, in additions: measured, how many of them beside
 * one make ptxas make a region. Any access of memory does. */
static unsigned work_of(const struct ptx_program *p, const struct ptx_step *s)
{
    enum { MUCH = 1000 };
    static const struct row light[] = {
        {"mov", 0}, {"cvta.to", 0}, {"cvt.u64.u32", 0}, {"cvt.u32.u64", 0}, {"ld.const", 2}, {"ld.param", 3}, {"mul.wide", 5}, {"popc.b64", 7},
        {"clz.b64", 6}, {"cvt.s64.s32", 4}, {"mad.wide", 4},
    };
    if (ptx_ops[s->op].class == CLASS_MEM && s->space != SPACE_PARAM && s->space != SPACE_CONST)
        return MUCH;
    for (size_t i = 0; i < sizeof light / sizeof *light && s->text; i++)
        if (!strncmp(s->text, light[i].opcode, strlen(light[i].opcode)))
            return s->flags & (FLAG_QUIET | FLAG_UNUSED) ? 0 : light[i].weight;
    return weight_of(p, s);
}

unsigned cfg_work(const struct ptx_program *p, int block)
{
    unsigned work = 0;
    for (int i = 0; i < p->blocks[block].count; i++)
        work += work_of(p, &p->steps[p->blocks[block].first + i]);
    return work;
}

int cfg_meets_at_barrier(const struct ptx_program *p, int join)
{
    return join < (int)p->block_count && p->blocks[join].end == END_BARRIER && cfg_work(p, join) < CFG_MUCH_WORK;
}
