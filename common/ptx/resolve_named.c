/* resolve_named.c - named barriers, for part of the block: bar.sync and bar.arrive with a number of
 * threads.
 *
 *      bar.arrive 1, 256;     arrive                  counts this warp's lanes
 *      bar.sync   1, 256;     arrive                  the same, and then
 *                       loop: passed %p               tests until 256 have arrived
 *                             @!%p bra loop           uncounted: hardware waits by itself
 *
 * Source: PTX ISA, bar, barrier. */
#include "ptx/resolve.h"

/* Append an operation on the named barrier; operands 0 and 1 of the instruction are its number and
 * its count of threads. */
static struct ptx_step *operate(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, enum ptx_named what)
{
    struct ptx_step st = {.op = OP_NAMED, .dst_pair = -1, .detail = what};
    for (int i = 0; i < 2; i++) {
        const struct ptx_operand *o = operand_at(f, fr, in, i);
        if (o->kind == OPERAND_IMM && i == 0 && (o->imm < 0 || o->imm > 15))
            flatten_fail(f, fr, "names barrier %lld; a block has 0 to 15", (long long)o->imm);
        if (o->kind == OPERAND_IMM && i == 1 && (o->imm <= 0 || o->imm > 1024 || o->imm % 32))
            flatten_fail(
                f, fr, "waits for %lld threads; 32, 64, ... 1024 are possible", (long long)o->imm);
        st.src[i] = operand_source(f, fr, o, PTX_U32);
    }
    st.src_count = 2;
    resolve_finish(f, fr, &st);
    return &f->p->steps[f->p->step_count - 1];
}

void resolve_named(struct flatten *f, struct frame *fr, const struct ptx_inst *in, int waits)
{
    if (in->guard >= 0)
        flatten_fail(
            f, fr, "is not supported under a guard with a number of threads: branch around it");
    operate(f, fr, in, NAMED_ARRIVE);
    if (!waits) return;
    int loop = (int)f->p->step_count, passed = flatten_vreg(f, PTX_PRED);
    struct ptx_step *st = operate(f, fr, in, NAMED_PASSED);
    st->flags |= FLAG_QUIET;
    st->dst[0] = passed;
    st->dst_count = 1;
    struct ptx_step *again = flatten_step(f, fr, OP_BRA);
    again->flags |= FLAG_QUIET;
    again->target = loop;
    again->guard = passed;
    again->guard_negated = 1;
}
