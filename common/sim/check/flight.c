/* flight.c - checks the registers of wgmma products before a launch: reads of results that may not
 * have arrived, and factors without a fence.
 *
 *      wgmma.mma_async %f1 ...     %f1: age 0
 *      wgmma.commit_group          age 1, the next one makes it 2
 *      add %f2, %f1, ...           a read of %f1: the error
 *      wgmma.wait_group N          results of an age above N have arrived
 *
 * The ages are followed through the basic blocks, without running the kernel. Where two paths meet,
 * the younger age counts. A copy of a register in flight is in flight, too: compilers make copies,
 * which the assembler removes. Products that add to the same registers wait for each other.
 *
 *      mov %f3, ...                %f3: not ready
 *      wgmma.fence                 all registers are ready
 *      wgmma.mma_async .., {%f3    a factor that is not ready: the error
 *
 * A compiler may move the code that computes a factor after a fence that follows it in the source.
 * So a factor is an error only if there is no fence at all since the last wait, or since the kernel
 * began. A product with no fence since the kernel began is always an error.
 *
 * Source: PTX ISA, wgmma.wait_group, "accessing the registers ... before"; wgmma.fence. */
#include "sim/check/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ages of registers are stored plus 1, so that 0 means arrived: the state of most registers.
 * OLDEST: an older age is stored as this one. */
enum { ARRIVED = 0, ISSUED = 1, OLDEST = 10 };
enum { SINCE_WAIT = 1, AT_ALL = 2 }; /* bits of flights.open */

/* State of a register: its age + 1, and the step of the product that writes it. */
struct flight {
    int age, step;
};

struct flights {
    const struct ptx_program *p;
    struct flight *at; /* for each basic block and register: the state at the start of the block */
    struct flight *now;
    /* for each register: has it been written since the last fence? raw_at: at the start of each
     * basic block; raw: now */
    char *raw_at, *raw;
    /* SINCE_WAIT: there has been no fence since the last wait; AT_ALL: none since the kernel began.
     * open_at: at the start of each basic block; open: now */
    char *open_at, open;
    /* steps of the first error. read: the read; by: the product that writes the register; -1:
     * none */
    int read, by;
    int unfenced; /* step of the first product with a factor that is not ready; -1: none */
};

static int copies(const struct ptx_step *s)
{
    return s->op == OP_mov_b32 && s->src[0].kind == SRC_REG && s->dst[0] >= 0;
}

static void look(struct flights *f, int vreg, int step)
{
    if (f->now[vreg].age == ARRIVED || (f->read >= 0 && f->read <= step)) return;
    f->read = step;
    f->by = f->now[vreg].step;
}

static void synchronise(struct flights *f, const struct ptx_step *s)
{
    for (size_t i = 0; i < f->p->vreg_count; i++) {
        struct flight *x = &f->now[i];
        if (x->age && s->detail == WGSYNC_COMMIT && x->age < OLDEST) x->age++;
        if (s->detail == WGSYNC_WAIT && x->age > s->detail2 + ISSUED) x->age = ARRIVED;
    }
}

static void unfenced(struct flights *f, int step)
{
    if (f->unfenced < 0 || f->unfenced > step) f->unfenced = step;
}

/* Update the state by one step: what it reads, then what it writes. */
static void follow(struct flights *f, int step)
{
    const struct ptx_step *s = &f->p->steps[step];
    int updates = ptx_updates(s);
    struct flight result = {ARRIVED, 0};
    char raw = 1;
    if (s->op == OP_WGSYNC) synchronise(f, s);
    if (s->op == OP_WGSYNC && s->detail == WGSYNC_WAIT) f->open |= SINCE_WAIT;
    if (s->op == OP_WGSYNC && s->detail == WGSYNC_FENCE) {
        memset(f->raw, 0, f->p->vreg_count);
        f->open = 0;
    }
    if (copies(s)) result = f->now[s->src[0].reg], raw = f->raw[s->src[0].reg];
    for (int k = 0; !copies(s) && k < s->src_count; k++)
        if (s->src[k].kind == SRC_REG) look(f, s->src[k].reg, step);
    for (int k = updates; k < s->more_count; k++) look(f, s->more[k], step);
    for (int k = 0; k < s->dst_count; k++) {
        if (s->dst[k] < 0) continue;
        if (s->op == OP_ST)
            look(f, s->dst[k], step);
        else
            f->now[s->dst[k]] = result, f->raw[s->dst[k]] = raw;
    }
    for (int k = updates; k < s->more_count && s->op == OP_WGMMA; k++)
        if (f->open && f->raw[s->more[k]]) unfenced(f, step);
    if (s->op == OP_WGMMA && f->open & AT_ALL) unfenced(f, step);
    for (int k = 0; k < updates; k++) f->now[s->more[k]] = (struct flight){ISSUED, step};
}

/* Follow a basic block from the state at its start. Returns whether the state at the start of a
 * successor has changed. */
static int follow_block(struct flights *f, size_t b)
{
    const struct ptx_program *p = f->p;
    const struct ptx_block *x = &p->blocks[b];
    size_t n = p->vreg_count;
    int to[2], learnt = 0;
    memcpy(f->now, f->at + b * n, n * sizeof *f->now);
    memcpy(f->raw, f->raw_at + b * n, n);
    f->open = f->open_at[b];
    for (int i = 0; i < x->count; i++) follow(f, x->first + i);
    for (int k = ptx_successors(p, (int)b, to); k-- > 0;) {
        if (to[k] >= (int)p->block_count) continue;
        if (f->open & ~f->open_at[to[k]]) f->open_at[to[k]] |= f->open, learnt = 1;
        for (size_t i = 0; i < n; i++) {
            struct flight *there = &f->at[(size_t)to[k] * n + i];
            char *raw = &f->raw_at[(size_t)to[k] * n + i];
            if (f->raw[i] && !*raw) *raw = 1, learnt = 1;
            if (!f->now[i].age || (there->age && there->age <= f->now[i].age)) continue;
            *there = f->now[i];
            learnt = 1;
        }
    }
    return learnt;
}

static int check(const struct sim_kernel *k, const char *name, struct err *e)
{
    const struct ptx_program *p = k->program;
    struct flights f = {.p = p, .read = -1, .unfenced = -1};
    int any = 0;
    for (size_t i = 0; i < p->step_count; i++) any |= p->steps[i].op == OP_WGMMA;
    if (!any) return 0;
    f.at = xcalloc(p->block_count * p->vreg_count + 1, sizeof *f.at);
    f.now = xcalloc(p->vreg_count + 1, sizeof *f.now);
    f.raw_at = xcalloc(p->block_count * p->vreg_count + 1, 1);
    f.raw = xcalloc(p->vreg_count + 1, 1);
    f.open_at = xcalloc(p->block_count + 1, 1);
    memset(f.raw_at, 1, p->vreg_count);
    f.open_at[0] = SINCE_WAIT | AT_ALL;
    for (int learnt = 1; learnt;) {
        learnt = 0;
        for (size_t b = 0; b < p->block_count; b++) learnt |= follow_block(&f, b);
    }
    free(f.at), free(f.now), free(f.raw_at), free(f.raw), free(f.open_at);
    if (f.unfenced >= 0 && f.read < 0) {
        err_set(e, ERR_LEARNER,
            "%s: line %d multiplies (wgmma) registers that were written since the last wgmma.fence, "
            "or before any; it must stand before the products: wgmma_begin()",
            name, p->steps[f.unfenced].loc.line);
        e->found = (struct finding){
            .kind = FOUND_PRODUCT, .hints = HINT_TOLD, .line = p->steps[f.unfenced].loc.line};
        return -1;
    }
    if (f.read < 0) return 0;
    char sum[64], which[80] = "what";
    if (names_argument(p, f.by, sum, sizeof sum)) snprintf(which, sizeof which, "%s, which", sum);
    err_set(e, ERR_LEARNER,
        "%s: line %d reads %s the product of line %d (wgmma) may not have written yet; "
        "wgmma.commit_group and wgmma.wait_group belong between these lines",
        name, p->steps[f.read].loc.line, which, p->steps[f.by].loc.line);
    e->found = (struct finding){.kind = FOUND_PRODUCT,
        .hints = HINT_TOLD,
        .line = p->steps[f.read].loc.line,
        .other_line = p->steps[f.by].loc.line};
    return -1;
}

int flight_check(struct sim_kernel *k, const char *name, struct err *e)
{
    int known = atomic_load(&k->flown);
    if (!known) {
        struct err found = {0};
        known = check(k, name, &found) ? -1 : 1;
        k->flight = found;
        atomic_store(&k->flown, known);
    }
    if (known < 0) *e = k->flight;
    return known < 0 ? -1 : 0;
}
