/* shadow_told.c - the messages about races and reads of unwritten bytes in global memory, and the
 * rule for races that are accepted.
 *
 *     shadow.c finds -> shadow_same_value: both write 1? -> shadow_tell_race: line, thread, fix */
#include "sim/check/shadow.h"
#include "sim/exec/mem.h"

#include <string.h>

void shadow_tell_race(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind, int thread, int by, int wrote)
{
    static const char *const does[] = {"reads", "updates", "writes"};
    const struct ptx_step *step = &v->worker->kernel->program->steps[by];
    char name[48];
    if (sim_known(v, u, FOUND_RACE)) return;
    sim_thread_name(
        &v->worker->batches[thread / BATCH_LANES], thread % BATCH_LANES, name, sizeof name);
    uint64_t index = (addr - r->addr) / r->element;
    struct finding found = sim_element(FOUND_RACE, r->name, (long long)index, 0);
    found.other_line = step->loc.line;
    found.hints = kind == TOUCH_WRITE && wrote ? 0 : HINT_BARRIER;
    int one_line = step->loc.line == v->worker->kernel->program->steps[u->step].loc.line;
    sim_warn(v, u, lane, found,
        "%s %s[%llu], which thread %s %s in line %d, with no barrier between the two: a race%s",
        does[kind], r->name, (unsigned long long)index, name,
        wrote                 ? "wrote"
        : step->op == OP_ATOM ? "updated"
                              : "read",
        step->loc.line,
        kind == TOUCH_WRITE && wrote
            ? "; let one thread write it, or use an atomic operation, if both are "
              "meant to have this index"
        : one_line ? "\1; if each thread adds to it, an atomicAdd() does that in one step; else a "
                     "__syncthreads() belongs between what the line reads and what it writes"
                   : "\1; a __syncthreads() belongs between these lines");
}

void shadow_tell_unwritten(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind)
{
    sim_warn(v, u, lane, FAULT(.kind = FOUND_UNFILLED),
        "%s %s[%llu], which nothing has written, neither the host before the launch nor this block: it holds "
        "whatever was there",
        kind == TOUCH_READ ? "reads" : "updates", r->name,
        (unsigned long long)((addr - r->addr) / r->element));
}

/* Writing the same value is accepted, since the order of the two writes then changes nothing. */
int shadow_same_value(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, uint64_t access)
{
    uint64_t value;
    int e = (int)((addr - access) / u->bytes);
    const struct reg *from = &v->regs[u->r[e]];
    if (!v->worker->launch->same_value_ok) return 0;
    value = get_lane(from, from->lanes, lane);
    return !memcmp(r->host + (addr - r->addr), (char *)&value + (addr - access) % u->bytes, 4);
}
