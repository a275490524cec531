/* watch.c - reports to an observer what each instruction of a block did.
 *
 *     watch_before    masks, and addresses, since a load may overwrite its address register
 *     the instruction
 *     watch_after     its results; one event for each warp that executed it
 *
 *     see(event) = 0: continue        see(event) = 1: leave the block, as if a lower one had failed
 *
 * The instruction is executed by the same handlers as in any launch, so what is observed is what is
 * counted. A batch runs several warps together; each still gets an event of its own. */
#include "sim/cluster.h"
#include "sim/exec/cost.h"
#include "sim/exec/mem.h"

#include <string.h>

static void tell(struct batch *v, const struct sim_event *e)
{
    struct worker *w = v->worker;
    if (w->watch->see(w->watch->ctx, e)) longjmp(w->fault, 2);
}

static int is_watched(const struct batch *v, int w)
{
    return (int)(v->worker->watch->warps >> (v->index * BATCH_WARPS + w) & 1);
}

static const struct ptx_step *step_of(const struct batch *v, const struct uop *u)
{
    return &v->worker->kernel->program->steps[u->step];
}

/* The kind of a step's access to memory, as in sim_event.access; 0: none. Accesses to parameters
 * are not reported. */
static int access_of(const struct ptx_step *s)
{
    if (s->space == SPACE_PARAM) return 0;
    return s->op == OP_LD ? 1 : s->op == OP_ST ? 2 : s->op == OP_ATOM ? 3 : 0;
}

/* Can the step write shared memory? Then the events of warps that are not observed are reported as
 * well. */
static int may_share(const struct ptx_step *s)
{
    return access_of(s) > 1 && (s->space == SPACE_SHARED || s->space == SPACE_GENERIC);
}

/* Find the lanes that wait, which are those in stack entries that are marked as waiting. */
static void note_waits(const struct batch *v, struct watching *x)
{
    memset(x->waits, 0, sizeof x->waits);
    for (int i = 0; i < v->depth; i++)
        for (int w = 0; w < v->warps && v->stack[i].waits >= 0; w++)
            x->waits[w] |= v->stack[i].mask[w];
}

/* The space of a lane's address; *addr becomes an address in that space. SPACE_GENERIC: the address
 * is in shared memory of another block of the cluster, which is not reported. */
static enum ptx_space space_of(const struct batch *v, const struct uop *u, uint64_t *addr)
{
    struct worker *w = v->worker;
    enum ptx_space s = u->space == SPACE_GENERIC ? access_space(addr) : (enum ptx_space)u->space;
    if (s != SPACE_SHARED) return s;
    *addr = (uint64_t)(int64_t)(int32_t)*addr; /* addresses in shared memory have 32 bits */
    int peers = w->kernel->program->peers || w->launch->cluster > 1;
    return peers && cluster_owner(w, addr) != w ? SPACE_GENERIC : s;
}

/* Records the addresses of the lanes that access the same space as the lowest lane; lanes of
 * another space are removed from the mask. */
static void note_addresses(struct batch *v, const struct uop *u, struct watching *x)
{
    const uint64_t *base = reg_lanes(v, &v->regs[u->a]);
    for (int w = 0; w < v->warps; w++) {
        int first = 1;
        x->space[w] = (enum ptx_space)u->space;
        for (uint32_t m = x->mask[w]; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint64_t addr = base[w * 32 + l] + (uint64_t)u->offset;
            enum ptx_space s = space_of(v, u, &addr);
            if (first) x->space[w] = s;
            if (s != x->space[w]) x->mask[w] &= ~(1u << l);
            x->addr[w * 32 + l] = addr;
            first = 0;
        }
    }
}

void watch_before(struct batch *v, const struct uop *u, struct watching *x)
{
    int wanted = may_share(step_of(v, u));
    for (int w = 0; w < v->warps; w++) wanted |= is_watched(v, w);
    x->any = 0;
    if (!wanted) return;
    x->any = batch_guarded(v, u, x->mask);
    memcpy(x->active, v->active, sizeof x->active);
    memcpy(x->exited, v->exited, sizeof x->exited);
    note_waits(v, x);
    if (access_of(step_of(v, u))) note_addresses(v, u, x);
}

/* Reads a register or predicate of warp w as 64 bits per lane. */
static void read_value(struct batch *v, int w, int place, int vreg, struct sim_value *out)
{
    out->reg = vreg;
    out->type = v->worker->kernel->program->vregs[vreg].type;
    if (out->type == PTX_PRED) {
        for (int l = 0; l < 32; l++) out->lane[l] = v->pred[place][w] >> l & 1;
        return;
    }
    struct reg *r = &v->regs[place];
    const void *lanes = reg_lanes(v, r);
    for (int l = 0; l < 32; l++) out->lane[l] = get_lane(r, lanes, w * 32 + l);
}

/* Sets the cost of the access, as access_count counts it, and the least possible cost of an access
 * to as many words. */
static void price(struct batch *v, const struct uop *u, struct sim_event *e)
{
    static const enum touch_kind kinds[] = {[2] = TOUCH_WRITE, [3] = TOUCH_UPDATE};
    unsigned bytes = e->counts ? u->count_bytes : e->bytes;
    uint64_t addr[32], further = e->counts ? (uint64_t)(u->count_offset - u->offset) : 0;
    struct cost c;
    e->cost = e->needed = 0;
    if (!e->mask || (e->space != SPACE_GLOBAL && e->space != SPACE_SHARED)) return;
    for (int l = 0; l < 32; l++) addr[l] = e->addr[l] + further;
    if (e->space == SPACE_GLOBAL && e->access == 3)
        c = cost_atomic(v, addr, e->mask, bytes);
    else
        c = cost_of(v->worker->launch->profile, e->space, addr, e->mask, bytes, kinds[e->access]);
    e->cost = e->space == SPACE_GLOBAL && e->access == 3 ? c.turns : c.count;
    e->needed = e->space == SPACE_SHARED ? c.count - c.extra : (c.words * bytes + 31) / 32;
}

/* Fills in the event of one warp, except for the values of registers. */
static void describe(
    struct batch *v, const struct uop *u, const struct watching *x, int w, struct sim_event *e)
{
    const struct worker *wk = v->worker;
    const struct ptx_step *s = step_of(v, u);
    e->step = u->step;
    e->warp = v->index * BATCH_WARPS + w;
    e->mask = x->mask[w];
    e->exist = v->exist[w];
    e->active = x->active[w];
    e->waits = x->waits[w];
    e->exited = x->exited[w];
    e->access = access_of(s);
    if (e->access && x->space[w] == SPACE_GENERIC) e->access = 0;
    e->value_count = 0;
    e->fault = -1;
    e->clash = (struct sim_clash){0};
    e->shared = wk->shared;
    e->shared_bytes = wk->shared_bytes;
    e->local_bytes = wk->local_bytes;
    e->local = wk->local + (size_t)(v->index * BATCH_LANES + w * 32) * wk->local_bytes;
    if (!e->access) return;
    e->space = x->space[w];
    e->bytes = (unsigned)u->bytes * u->vector;
    e->counts = u->counts;
    memcpy(e->addr, &x->addr[w * 32], sizeof e->addr);
    price(v, u, e);
}

void watch_after(struct batch *v, const struct uop *u, const struct watching *x)
{
    const struct ptx_step *s = step_of(v, u);
    struct sim_event e;
    for (int w = 0; x->any && w < v->warps; w++) {
        int full = is_watched(v, w);
        if (!x->mask[w] && !(full && x->active[w])) continue;
        describe(v, u, x, w, &e);
        if (!full && !(e.access && e.space == SPACE_SHARED)) continue;
        for (int k = 0; full && k < s->dst_count && k < PTX_MAX_DST; k++)
            if (s->dst[k] >= 0) read_value(v, w, u->r[k], s->dst[k], &e.value[e.value_count++]);
        if (full && s->dst_pair >= 0)
            read_value(v, w, u->pair, s->dst_pair, &e.value[e.value_count++]);
        tell(v, &e);
    }
}

void watch_start(struct worker *w)
{
    const struct sim_event e = {.step = -1, .fault = -1};
    w->clash = (struct sim_clash){0};
    if (w->watch->see(w->watch->ctx, &e)) longjmp(w->fault, 2);
}

/* If two warps of a batch race in one instruction, the first warp's access is reported before the
 * fault. */
static void tell_other(struct batch *v, const struct uop *u, const struct watching *x)
{
    const struct sim_clash *c = &v->worker->clash;
    int w = c->warp - v->index * BATCH_WARPS;
    struct sim_event e;
    if (c->kind != CLASH_RACE || c->step != u->step || w < 0 || w >= v->warps || !x->mask[w])
        return;
    describe(v, u, x, w, &e);
    v->worker->watch->see(v->worker->watch->ctx, &e);
}

/* A fault is reported for every warp, even for one that is not observed. The result of see is
 * ignored: the block ends anyway. */
void watch_fault(struct batch *v, const struct uop *u, int lane)
{
    struct watching x;
    struct sim_event e;
    int w = lane < 0 ? 0 : lane / 32;
    int whole = u->run != NULL; /* otherwise u only names a step, and has no operands */
    memset(&x, 0, sizeof x);
    if (whole) batch_guarded(v, u, x.mask);
    if (!x.mask[w]) x.mask[w] = lane < 0 ? v->exist[w] : 1u << (lane & 31);
    memcpy(x.active, v->active, sizeof x.active);
    memcpy(x.exited, v->exited, sizeof x.exited);
    note_waits(v, &x);
    if (whole && access_of(step_of(v, u))) note_addresses(v, u, &x);
    if (whole) tell_other(v, u, &x);
    describe(v, u, &x, w, &e);
    e.clash = v->worker->clash;
    if (!whole) e.access = 0;
    e.fault = lane < 0 ? __builtin_ctz(x.mask[w]) : lane & 31;
    v->worker->watch->see(v->worker->watch->ctx, &e);
}
