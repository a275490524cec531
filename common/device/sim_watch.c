/* sim_watch.c - translates the simulator's events of an observed block to those of device.h.
 *
 *     struct sim_event -- step of the program: source line, PTX line --> struct watch_event --> see()
 *                      -- address --> buffer and offset */
#include "device/sim_watch.h"

#include <string.h>

static char type_letter(enum ptx_type t)
{
    switch (t) {
    case PTX_PRED: return 'p';
    case PTX_F16:
    case PTX_F32:
    case PTX_F64: return 'f';
    case PTX_S8:
    case PTX_S16:
    case PTX_S32:
    case PTX_S64: return 'i';
    default: return 'u';
    }
}

static enum watch_kind kind_of(enum ptx_op op)
{
    switch (op) {
    case OP_BRA: return WATCH_BRANCH;
    case OP_BAR: return WATCH_BARRIER;
    case OP_EXIT:
    case OP_RET: return WATCH_EXIT;
    default: return WATCH_PLAIN;
    }
}

/* Translate the access: its target is the buffer that the lowest lane accesses. */
static void pass_access(
    const struct sim_memory *memory, const struct sim_event *from, struct watch_event *to)
{
    static const enum watch_space spaces[] = {[SPACE_GLOBAL] = WATCH_GLOBAL,
        [SPACE_SHARED] = WATCH_SHARED,
        [SPACE_CONST] = WATCH_CONST,
        [SPACE_LOCAL] = WATCH_LOCAL};
    uint64_t start = 0;
    to->access = (enum watch_access)from->access;
    to->space = spaces[from->space];
    to->bytes = from->bytes;
    to->counts = from->counts;
    to->cost = from->cost;
    to->needed = from->needed;
    if (from->mask && (to->space == WATCH_GLOBAL || to->space == WATCH_CONST))
        start = sim_buffer(
            memory, from->addr[__builtin_ctz(from->mask)], to->buffer, sizeof to->buffer);
    for (int l = 0; l < WARP_SIZE; l++)
        to->addr[l] = from->mask >> l & 1 ? from->addr[l] - start : 0;
}

/* Translate an event of the simulator and pass it to the observer. */
int watch_pass(void *ctx, const struct sim_event *from)
{
    const struct watcher *w = ctx;
    struct watch_event to = {.step = from->step, .fault = from->fault};
    if (from->step < 0) return w->to->see(w->to->ctx, &to);
    const struct ptx_step *s = &w->program->steps[from->step];
    to.line = s->loc.line;
    to.column = s->loc.col;
    to.ptx_line = s->loc.ptx_line;
    to.kind = kind_of(s->op);
    to.quiet = s->flags & FLAG_QUIET ? 1 : s->flags & FLAGS_UNCOUNTED ? 2 : 0;
    to.warp = from->warp;
    to.mask = from->mask;
    to.exist = from->exist;
    to.active = from->active;
    to.waits = from->waits;
    to.exited = from->exited;
    if (from->access) pass_access(w->memory, from, &to);
    to.value_count = from->value_count;
    for (int i = 0; i < from->value_count; i++) {
        to.value[i] = (struct watch_value){.reg = from->value[i].reg,
            .type = type_letter(from->value[i].type),
            .bytes = ptx_type_bytes(from->value[i].type)};
        memcpy(to.value[i].lane, from->value[i].lane, sizeof to.value[i].lane);
    }
    to.shared = from->shared;
    to.local = from->local;
    to.shared_bytes = from->shared_bytes;
    to.local_bytes = from->local_bytes;
    to.clash.kind = from->clash.kind == CLASH_RACE    ? WATCH_RACE
                    : from->clash.kind == CLASH_EARLY ? WATCH_EARLY
                    : from->clash.kind                ? WATCH_UNWRITTEN
                                                      : WATCH_NO_CLASH;
    to.clash.addr = from->clash.addr;
    to.clash.warp = from->clash.warp;
    to.clash.lane = from->clash.lane;
    to.clash.step = from->clash.step;
    return w->to->see(w->to->ctx, &to);
}
