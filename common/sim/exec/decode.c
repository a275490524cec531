/* decode.c - converts a flat PTX program to the form that the simulated machine executes.
 *
 *     step: add.s32 %r7, %r3, 5     uop: run, masked: the handlers of add_b32
 *                                   d, a: the registers of %r7 and %r3; b: that of the constant 5
 *
 *     registers    0 .. vreg_regs - 1      registers of the program
 *                  vreg_regs ..            constants and addresses, each different value once
 *     predicates   0 .. pred_count - 3     predicates of the program; the last two are false and true
 *
 * So every operand is a register or predicate, and a handler needs no case for constants. Registers
 * are numbered in the order of the program's virtual registers, leaving out predicates. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

/* State of the decoding of one kernel. The two capacities are those of the kernel's arrays constant
 * and constant_wide. */
struct decoder {
    struct sim_kernel *k;
    const uint64_t *variables;
    /* for each virtual register: index of its register or predicate in the machine; owned by the
     * decoder */
    int32_t *place;
    size_t constant_cap, wide_cap;
    size_t constant_count;
};

/* The register that holds a constant. Each value has one register of 32 bits and one of 64, as
 * needed. */
static int constant(struct decoder *d, uint64_t value, int wide)
{
    struct sim_kernel *k = d->k;
    for (size_t i = 0; i < d->constant_count; i++)
        if (k->constant[i] == value && k->constant_wide[i] == wide) return k->vreg_regs + (int)i;
    size_t n = d->constant_count;
    *VEC_PUSH(k->constant, d->constant_count, d->constant_cap) = value;
    k->constant_wide = vec_grow(k->constant_wide, n, &d->wide_cap, 1);
    k->constant_wide[n] = (uint8_t)wide;
    return k->vreg_regs + (int)n;
}

/* The value of an operand that is a variable's address plus an offset. In global and constant
 * memory: a device address. In shared and local memory: an offset from the start of the space. */
static uint64_t address_of(const struct decoder *d, const struct ptx_src *s)
{
    const struct ptx_program *p = d->k->program;
    const struct ptx_object *o = &p->objects[s->reg];
    if (o->space == SPACE_GLOBAL || o->space == SPACE_CONST)
        return d->variables[o->var - p->module->vars] + s->imm;
    return o->offset + s->imm;
}

/* The register or predicate of a source operand; -1 if there is none. */
static int32_t source(struct decoder *d, const struct ptx_src *s, enum ptx_type type)
{
    int wide = ptx_type_bytes(type) == 8;
    switch (s->kind) {
    case SRC_REG: return d->place[s->reg];
    case SRC_IMM:
        return type == PTX_PRED ? d->k->pred_count - 2 + (s->imm != 0) : constant(d, s->imm, wide);
    case SRC_ADDRESS:
        return constant(d, wide ? address_of(d, s) : (uint32_t)address_of(d, s), wide);
    default: return -1;
    }
}

/* The type of a step's i-th source. If the row of ops.h states no types (arity -1), the type
 * depends on the operation. */
static enum ptx_type source_type(const struct ptx_step *s, int i)
{
    if (ptx_ops[s->op].arity > 0) return ptx_ops[s->op].src[i];
    switch (s->op) {
    case OP_LD:
    case OP_ST:
    case OP_PRINT:
    case OP_ASSERT:
    case OP_LDMATRIX:
    case OP_STMATRIX: return PTX_U64;
    case OP_CPASYNC: return i < 2 ? PTX_U64 : PTX_U32;
    case OP_MBARRIER: return i == 0 || s->detail == MBARRIER_WAIT ? PTX_U64 : PTX_U32;
    case OP_BULK: return i != 2 ? PTX_U64 : PTX_U32;
    case OP_ATOM: return i == 0 ? PTX_U64 : s->type;
    case OP_VOTE: return i == 0 ? PTX_PRED : PTX_U32;
    case OP_WGMMA: return i < 2 ? PTX_U64 : PTX_PRED;
    default: return i == 0 && ptx_ops[s->op].traits & PTX_WARP ? s->type : PTX_U32;
    }
}

/* Selects the handlers of a step: memory and output, operations between lanes, then arithmetic.
 * Terminators have none, since batch.c executes them. */
static void set_handlers(struct uop *u, const struct ptx_step *s)
{
    u->run = u->masked = sim_nothing;
    switch (s->op) {
    case OP_LD:
        u->run = mem_ld;
        u->masked = mem_ld_masked;
        break;
    case OP_ST:
        u->run = mem_st;
        u->masked = mem_st_masked;
        break;
    case OP_ATOM: u->run = u->masked = mem_atom; break;
    case OP_FENCE: u->run = u->masked = mem_fence; break;
    case OP_CPASYNC: u->run = u->masked = async_copy; break;
    case OP_CPGROUP: u->run = u->masked = async_group; break;
    case OP_MBARRIER: u->run = u->masked = async_mbarrier; break;
    case OP_BULK: u->run = u->masked = bulk_copy; break;
    case OP_BULKGROUP: u->run = u->masked = bulk_group; break;
    case OP_LDMATRIX: u->run = u->masked = tensor_ldmatrix; break;
    case OP_STMATRIX: u->run = u->masked = tensor_stmatrix; break;
    case OP_MOVMATRIX: u->run = u->masked = tensor_movmatrix; break;
    case OP_MMA: u->run = u->masked = tensor_mma; break;
    case OP_NAMED: u->run = u->masked = named_barrier; break;
    case OP_WGMMA: u->run = u->masked = wgmma_product; break;
    case OP_PRINT: u->run = u->masked = print_formatted; break;
    case OP_ASSERT: u->run = u->masked = print_assertion; break;
    case OP_SREG: u->run = u->masked = lanes_sreg; break;
    case OP_BARVOTE: u->run = u->masked = lanes_barvote; break;
    case OP_ACTIVEMASK: u->run = u->masked = lanes_activemask; break;
    default:
        if (ptx_ops[s->op].traits & PTX_WARP && s->dst_count) u->run = u->masked = lanes_together;
        if (sim_alu[s->op].run) {
            handler *affine = sim_affine(s->op);
            u->run = affine ? affine : sim_alu[s->op].run;
            u->masked = sim_alu[s->op].masked;
        }
    }
}

/* Does the operation access memory with an address from each lane (exec/access.h)? */
static int accesses(enum ptx_op op)
{
    return op == OP_LD || op == OP_ST || op == OP_ATOM || op == OP_CPASYNC || op == OP_LDMATRIX ||
           op == OP_STMATRIX;
}

/* Converts step i of the program to uop i. */
static void decode_step(struct decoder *d, int i)
{
    const struct ptx_step *s = &d->k->program->steps[i];
    struct uop *u = &d->k->uops[i];
    int32_t *src[PTX_MAX_SRC] = {&u->a, &u->b, &u->c, &u->e};
    *u =
        (struct uop){.step = i, .d = -1, .a = -1, .b = -1, .c = -1, .e = -1, .pair = -1, .mem = -1};
    set_handlers(u, s);
    for (int k = 0; k < s->src_count; k++) *src[k] = source(d, &s->src[k], source_type(s, k));
    for (int k = 0; k < 4; k++)
        u->r[k] = k < s->dst_count && s->dst[k] >= 0 ? d->place[s->dst[k]] : -1;
    u->d = u->r[0];
    u->more = (int32_t)d->k->more_count;
    for (int k = 0; k < s->more_count; k++)
        *VEC_PUSH(d->k->more, d->k->more_count, d->k->more_cap) = d->place[s->more[k]];
    /* arithmetic whose result is unused has no effect, so its handler does nothing */
    if (u->d < 0 && s->dst_count && sim_alu[s->op].run) u->run = u->masked = sim_nothing;
    u->pair = s->dst_pair >= 0 ? d->place[s->dst_pair] : -1;
    u->guard = s->guard >= 0 ? d->place[s->guard] : -1;
    u->guard_negated = s->guard_negated;
    u->detail = s->detail;
    u->type = s->type;
    u->bytes = (uint8_t)ptx_type_bytes(s->type);
    u->vector = (uint8_t)s->vector;
    u->space = (uint8_t)s->space;
    u->offset = u->count_offset = s->offset;
    u->quiet = (s->flags & FLAG_QUIET) != 0;
    u->texel = (s->flags & FLAG_TEXEL) != 0;
    u->counts = !(s->flags & FLAGS_UNCOUNTED) && s->space != SPACE_PARAM;
    u->count_bytes = (uint8_t)(u->bytes * u->vector);
    if (s->merged_bytes) {
        u->count_bytes = (uint8_t)s->merged_bytes;
        u->count_offset = s->merged_offset;
    }
    d->k->async |= s->op == OP_CPASYNC || s->op == OP_BULK || s->op == OP_BULKGROUP ||
                   s->op == OP_WGMMA || s->op == OP_MBARRIER;
    d->k->fences |= s->op == OP_FENCE;
    d->k->grid_sync |= s->op == OP_BAR && s->detail == BAR_GRID;
    if (accesses(s->op)) u->mem = d->k->mem_count++;
    /* The order of blocks can affect sums of floats, exchanged values, and every old value that is
     * used. In the enum, exch, cas, inc and dec follow the operations that commute. */
    int global = s->space == SPACE_GLOBAL || s->space == SPACE_GENERIC;
    if (s->op == OP_ATOM && global && (u->d >= 0 || ptx_is_half(s->type) || s->detail >= ATOM_EXCH))
        d->k->serial |= ORDER_VALUES;
    else if (s->op == OP_ATOM && global && (s->type == PTX_F32 || s->type == PTX_F64))
        d->k->serial |= ORDER_SUMS;
}

/* Does the operation have a membermask, naming lanes that it waits for? */
static int names_lanes(enum ptx_op op) { return (ptx_ops[op].traits & PTX_WARP) != 0; }

/* Basic block b of the program becomes one code block or several: it is cut behind each .sync
 * instruction, so that lanes can wait there. The first part keeps the index b; the others get
 * indices after all blocks of the program.
 *
 *     ld  shfl  add  shfl  bra      ->      b: ld shfl      n: add shfl      n + 1: bra
 *
 * Each part ends with END_WARP, except the last part, which ends as the block does. */
static void decode_block(struct sim_kernel *k, size_t b)
{
    const struct ptx_block *x = &k->program->blocks[b];
    const struct ptx_step *steps = k->program->steps;
    struct code_block *c = &k->blocks[b];
    const struct code_block whole = {.last = -1,
        .end = x->end,
        .next = x->next,
        .target = x->target,
        .ipdom = x->ipdom,
        .order = x->order,
        .home = (int)b,
        .diverged = -1};
    int end = x->first + x->count;
    *c = whole;
    c->diverged = x->diverged;
    c->first = x->first;
    for (int i = x->first; i < end; i++) {
        c->count++;
        k->before[i] = (struct before){(uint32_t)c->counted, (uint32_t)c->multiply_adds};
        c->counted += !(steps[i].flags & FLAGS_UNCOUNTED);
        c->multiply_adds += lead_multiplies(&steps[i]);
        if (!names_lanes(steps[i].op)) continue;
        c->end = END_WARP;
        c->last = i;
        c->count--;
        if (i + 1 == end) return;
        c->next = (int)k->block_count;
        c = &k->blocks[k->block_count++];
        *c = whole;
        c->first = i + 1;
    }
    if (x->end != END_FALL) c->last = c->first + --c->count;
}

/* Is the step a load that bypasses the L1 (.cg), in a basic block with a fence? The look-back of
 * CUB's scans polls in this way. */
static int is_fresh(
    const struct ptx_program *p, const struct ptx_block *b, const struct ptx_step *s)
{
    int fences = 0;
    if (s->op != OP_LD || !strstr(s->text, ".cg")) return 0;
    for (int i = 0; i < b->count; i++) fences |= p->steps[b->first + i].op == OP_FENCE;
    return fences;
}

/* Can the step poll, that is, read repeatedly what another thread writes? Volatile loads, loads that
 * is_fresh accepts, atomics whose old value is used, and waits can. */
static int polls(const struct ptx_program *p, const struct ptx_block *b, const struct ptx_step *s)
{
    return is_fresh(p, b, s) || (s->op == OP_ATOM && s->dst_count && s->dst[0] >= 0) ||
           (s->op == OP_MBARRIER && s->detail >= MBARRIER_WAIT) ||
           (s->op == OP_NAMED && s->detail == NAMED_PASSED) ||
           (s->op == OP_LD && s->flags & FLAG_VOLATILE);
}

/* Called for a basic block that polls: mark the code blocks that end an iteration of a loop around
 * it. These are the blocks with a back edge to a block from which forward edges lead through
 * `polling` to them. Returns whether there are any. */
static int mark_polling(struct sim_kernel *k, int polling)
{
    const struct ptx_program *p = k->program;
    int marked = 0;
    for (size_t c = 0; c < k->block_count; c++) {
        struct code_block *b = &k->blocks[c];
        const int to[] = {b->end == END_BRANCH ? b->target : -1, b->next};
        for (int i = 0; i < 2; i++)
            if (to[i] >= 0 && to[i] < (int)p->block_count && p->blocks[to[i]].order <= b->order &&
                ptx_between(p, to[i], polling, b->home))
                k->polls = b->polls = marked = 1;
    }
    return marked;
}

/* The blocks are cut first, since mark_polling looks at all parts. */
static void decode_blocks(struct sim_kernel *k)
{
    const struct ptx_program *p = k->program;
    size_t most = p->block_count;
    for (size_t i = 0; i < p->step_count; i++) most += (size_t)names_lanes(p->steps[i].op);
    k->blocks = xcalloc(most, sizeof *k->blocks);
    k->block_count = p->block_count;
    for (size_t b = 0; b < p->block_count; b++) decode_block(k, b);
    for (size_t b = 0; b < p->block_count; b++)
        for (int i = 0; i < p->blocks[b].count; i++) {
            const struct ptx_step *s = &p->steps[p->blocks[b].first + i];
            if (!polls(p, &p->blocks[b], s) || !mark_polling(k, (int)b)) continue;
            k->awaits |= s->op == OP_LD && (s->space == SPACE_GLOBAL || s->space == SPACE_GENERIC);
        }
}

/* A register that is live at the kernel's entry may be read before it is written: list these
 * registers. */
static void find_unset(struct decoder *d)
{
    struct sim_kernel *k = d->k;
    const struct ptx_program *p = k->program;
    struct live live = live_new(p, 1);
    k->unset = xcalloc(p->vreg_count + 1, sizeof *k->unset);
    k->unset_preds = xcalloc(p->vreg_count + 1, sizeof *k->unset_preds);
    for (size_t i = 0; i < p->vreg_count && p->block_count; i++) {
        if (!live_has(live.in, (int)i)) continue;
        if (p->vregs[i].type == PTX_PRED)
            k->unset_preds[k->unset_pred_count++] = d->place[i];
        else
            k->unset[k->unset_count++] = d->place[i];
    }
    live_free(&live);
}

/* The kernel takes ownership of the program; `variables` is read during the call only. */
struct sim_kernel *sim_kernel_new(
    struct ptx_program *p, const uint64_t *variables, const char *main_file)
{
    struct sim_kernel *k = xcalloc(1, sizeof *k);
    struct decoder d = {.k = k, .variables = variables};
    k->program = p;
    k->main_file = xstrdup(main_file);
    k->uops = xcalloc(p->step_count, sizeof *k->uops);
    k->before = xcalloc(p->step_count, sizeof *k->before);
    k->reg_wide = xcalloc(p->vreg_count, 1);
    d.place = xcalloc(p->vreg_count, sizeof *d.place);
    for (size_t i = 0; i < p->vreg_count; i++) {
        if (p->vregs[i].type == PTX_PRED) {
            d.place[i] = k->pred_count++;
        } else {
            k->reg_wide[k->vreg_regs] = ptx_type_bytes(p->vregs[i].type) == 8;
            d.place[i] = k->vreg_regs++;
        }
    }
    k->pred_count += 2; /* the last two predicates are constant: false, true */
    for (size_t i = 0; i < p->step_count; i++) decode_step(&d, (int)i);
    k->constant_count = (int)d.constant_count;
    k->reg_count = k->vreg_regs + k->constant_count;
    find_unset(&d);
    free(d.place);
    decode_blocks(k);
    targets_find(p, variables, &k->targets);
    return k;
}

void sim_kernel_free(struct sim_kernel *k)
{
    if (!k) return;
    ptx_program_free(k->program);
    free(k->main_file);
    free(k->uops);
    free(k->before);
    free(k->blocks);
    free(k->constant);
    free(k->constant_wide);
    free(k->reg_wide);
    free(k->unset);
    free(k->unset_preds);
    free(k->more);
    free(k);
}

const struct ptx_program *sim_program(const struct sim_kernel *k) { return k->program; }
