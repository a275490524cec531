/* state.c - memory, registers and counters at any instant of a recording.
 *
 *     checkpoints   0 ............ 4096 ............ 8192 ............
 *                                   └── copy, then replay the instants up to the wanted one
 *
 * A checkpoint is made when an instant after it is wanted for the first time. A step back then
 * costs the replay of fewer than EVERY instants, however long the recording is. */
#include "step/recorder.h"

#include <stdlib.h>
#include <string.h>

enum { EVERY = 4096 };

/* Allocate all arrays of the state as one block, so that a checkpoint is one copy. */
static void lay_out(struct recording *r)
{
    struct step_state *s = &r->state;
    size_t regs = sizeof *s->reg * (size_t)r->reg_count, local = r->local_bytes * WARP_SIZE, at = 0;
    r->state_size = regs + 2 * (size_t)r->reg_count + 2 * local + 2 * r->shared_bytes;
    r->state_bytes = xcalloc(r->state_size + 1, 1);
    s->reg = (void *)r->state_bytes;
    at += regs;
    s->reg_known = r->state_bytes + at, at += (size_t)r->reg_count;
    s->reg_type = r->state_bytes + at, at += (size_t)r->reg_count;
    s->local = r->state_bytes + at, at += local;
    s->local_known = r->state_bytes + at, at += local;
    s->shared = r->state_bytes + at, at += r->shared_bytes;
    s->shared_known = r->state_bytes + at;
    s->local_bytes = r->local_bytes;
    s->shared_bytes = r->shared_bytes;
    s->reg_count = r->reg_count;
}

static void keep(struct recording *r)
{
    struct checkpoint *c = VEC_PUSH(r->checkpoints, r->checkpoint_count, r->checkpoint_cap);
    *c = (struct checkpoint){
        r->state.instant, r->state_write, r->state.so_far, xcalloc(r->state_size + 1, 1)};
    memcpy(c->bytes, r->state_bytes, r->state_size);
}

static void go_back(struct recording *r, const struct checkpoint *c)
{
    memcpy(r->state_bytes, c->bytes, r->state_size);
    r->state.instant = c->instant;
    r->state.so_far = c->so_far;
    r->state_write = c->write;
}

/* For each lane l of mask: copy `bytes` bytes of the store, from `data` on, to base + address + l *
 * apart, and set the bytes of `known` there. size: bytes of that memory; what lies outside of it is
 * skipped. */
static void write_lanes(const struct recording *r, size_t data, uint32_t mask, unsigned bytes,
    unsigned char *base, unsigned char *known, size_t apart, size_t size)
{
    uint64_t addr[WARP_SIZE], lane[WARP_SIZE];
    data = fetch_lanes(r, data, addr);
    for (unsigned k = 0; k < bytes; k += 8) {
        unsigned n = bytes - k < 8 ? bytes - k : 8;
        data = fetch_lanes(r, data, lane);
        for (uint32_t m = mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            if (addr[l] + k + n > size) continue;
            size_t at = (size_t)l * apart + addr[l] + k;
            memcpy(base + at, &lane[l], n);
            memset(known + at, 1, n);
        }
    }
}

static void count_instant(struct step_counters *c, const struct instant *i)
{
    if (i->kind == WATCH_BARRIER && i->mask) c->barriers++;
    if (!i->quiet) {
        c->instructions++;
        c->lanes += (uint64_t)__builtin_popcount(i->mask);
    }
    if (!i->access || !i->counts || !i->mask || i->fault >= 0) return;
    if (i->space == WATCH_GLOBAL) {
        c->global++;
        c->sectors += i->cost;
        c->needed += (uint64_t)(i->cost - i->extra);
    } else if (i->space == WATCH_SHARED) {
        c->shared++;
        c->wavefronts += i->cost;
        c->conflicts += i->extra;
    }
}

static void take_values(struct recording *r, const struct instant *i)
{
    struct step_state *s = &r->state;
    size_t at = i->values ? skip_to_values(r, i) : 0;
    uint64_t lane[WARP_SIZE];
    for (int k = 0; k < i->values; k++) {
        int reg;
        memcpy(&reg, r->store + at, 4);
        unsigned char type = r->store[at + 4], bytes = r->store[at + 5];
        at = fetch_lanes(r, at + 6, lane);
        for (uint32_t m = i->mask; m; m &= m - 1)
            s->reg[reg][__builtin_ctz(m)] = lane[__builtin_ctz(m)];
        s->reg_known[reg] = bytes ? bytes : 1;
        s->reg_type[reg] = type;
    }
}

/* Apply the instruction at the current instant to the state. */
static void replay(struct recording *r)
{
    struct step_state *s = &r->state;
    const struct instant *i = &r->instants[s->instant++];
    count_instant(&s->so_far, i);
    if (i->fault < 0) {
        take_values(r, i);
        if (i->access == WATCH_WRITE && i->space == WATCH_LOCAL)
            write_lanes(r, i->data, i->mask, i->bytes, s->local, s->local_known, s->local_bytes,
                s->local_bytes);
    }
}

static void replay_shared(struct recording *r)
{
    struct step_state *s = &r->state;
    for (; r->state_write < r->write_count && r->writes[r->state_write].at <= s->instant;
         r->state_write++) {
        const struct shared_write *w = &r->writes[r->state_write];
        write_lanes(r, w->data, w->mask, w->bytes, s->shared, s->shared_known, 0, s->shared_bytes);
    }
}

const struct step_state *recording_state(struct recording *r, size_t instant)
{
    if (instant > r->count) instant = r->count;
    if (!r->state_bytes) {
        lay_out(r);
        keep(r);
    }
    size_t near = instant / EVERY < r->checkpoint_count ? instant / EVERY : r->checkpoint_count - 1;
    if (instant < r->state.instant || r->checkpoints[near].instant > r->state.instant)
        go_back(r, &r->checkpoints[near]);
    replay_shared(r);
    while (r->state.instant < instant) {
        replay(r);
        replay_shared(r);
        if (r->state.instant == r->checkpoint_count * EVERY) keep(r);
    }
    return &r->state;
}

void state_free(struct recording *r)
{
    for (size_t k = 0; k < r->checkpoint_count; k++) free(r->checkpoints[k].bytes);
    free(r->checkpoints);
    free(r->state_bytes);
}
