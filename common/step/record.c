/* record.c - record what one warp does, instruction by instruction, so that it can be read in any
 * order.
 *
 *     instants   | 0 | 1 | 2 | 3 | ...        40 bytes each: line, masks, kind of access, its cost
 *                      |       |
 *     store      ......[ addresses | values ] one number per lane, in the shortest of four forms:
 *
 *         LANES_SAME   one number              all lanes have it
 *         LANES_EVEN   number, step            lane l has number + l * step
 *         LANES_WORDS  32 x 4 bytes            LANES_WIDE  32 x 8 bytes
 *
 *     writes     what any warp of the block wrote to shared memory, and at which instant
 *
 * The cost of an access is the one that the simulator counts. */
#include "step/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the store ---- */

static unsigned char *store_room(struct recording *r, size_t bytes)
{
    if (r->store_count + bytes > r->store_cap) {
        r->store_cap = r->store_cap ? 2 * r->store_cap : 1 << 20;
        r->store = xrealloc(r->store, r->store_cap);
    }
    r->store_count += bytes;
    return r->store + r->store_count - bytes;
}

/* Append one number per lane to the store. The form need only be right for the lanes in mask. */
static void store_lanes(struct recording *r, const uint64_t lane[WARP_SIZE], uint32_t mask)
{
    int first = mask ? __builtin_ctz(mask) : 0, last = mask ? 31 - __builtin_clz(mask) : 0,
        wide = 0;
    uint64_t a = lane[first], step = 0, span = (uint64_t)(last - first);
    if (span && (lane[last] - a) % span == 0)
        step = (lane[last] - a) / span;
    else if (span && (a - lane[last]) % span == 0)
        step = 0 - (a - lane[last]) / span;
    a -= (uint64_t)first * step;
    int even = 1;
    for (int l = 0; l < WARP_SIZE; l++) {
        even &= !(mask >> l & 1) || lane[l] == a + (uint64_t)l * step;
        wide |= lane[l] >> 32 != 0;
    }
    unsigned char form = !even ? (wide ? LANES_WIDE : LANES_WORDS) : step ? LANES_EVEN : LANES_SAME;
    *store_room(r, 1) = form;
    if (form == LANES_SAME || form == LANES_EVEN) {
        memcpy(store_room(r, 8), &a, 8);
        if (form == LANES_EVEN) memcpy(store_room(r, 8), &step, 8);
    } else if (form == LANES_WIDE) {
        memcpy(store_room(r, 8 * WARP_SIZE), lane, 8 * WARP_SIZE);
    } else {
        uint32_t words[WARP_SIZE];
        for (int l = 0; l < WARP_SIZE; l++) words[l] = (uint32_t)lane[l];
        memcpy(store_room(r, sizeof words), words, sizeof words);
    }
}

/* Read one number per lane. Returns the offset of the next numbers in the store. */
size_t fetch_lanes(const struct recording *r, size_t at, uint64_t lane[WARP_SIZE])
{
    const unsigned char *p = r->store + at + 1;
    uint64_t a, step = 0;
    uint32_t words[WARP_SIZE];
    switch (r->store[at]) {
    case LANES_WIDE: memcpy(lane, p, 8 * WARP_SIZE); return at + 1 + 8 * WARP_SIZE;
    case LANES_WORDS:
        memcpy(words, p, sizeof words);
        for (int l = 0; l < WARP_SIZE; l++) lane[l] = words[l];
        return at + 1 + sizeof words;
    default:
        memcpy(&a, p, 8);
        if (r->store[at] == LANES_EVEN) memcpy(&step, p + 8, 8);
        for (int l = 0; l < WARP_SIZE; l++) lane[l] = a + (uint64_t)l * step;
        return at + 9 + (r->store[at] == LANES_EVEN ? 8 : 0);
    }
}

uint32_t record_touches(const struct recording *r, size_t k, uint64_t addr, uint32_t lanes)
{
    const struct instant *i = &r->instants[k];
    uint64_t at[WARP_SIZE];
    uint32_t found = 0;
    if (!i->access || i->space != WATCH_SHARED) return 0;
    fetch_lanes(r, i->data, at);
    for (uint32_t m = i->mask & lanes; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        found |= (uint32_t)(addr >= at[l] && addr < at[l] + i->bytes) << l;
    }
    return found;
}

/* ---- recording an event ---- */

/* The index of a buffer's name in r->names; the name is added if it is missing. */
static int name_of(struct recording *r, const char *name)
{
    if (!*name) return -1;
    for (size_t k = 0; k < r->name_count; k++)
        if (!strcmp(r->names[k], name)) return (int)k;
    *VEC_PUSH(r->names, r->name_count, r->name_cap) = xstrdup(name);
    return (int)r->name_count - 1;
}

/* Record to which buffer a pointer variable points, by name: buffers may be freed after the
 * launch. */
static void note_pointer(struct recording *r, const struct watch_event *e)
{
    char name[32];
    uint64_t start,
        addr = e->value_count == 1 && e->mask ? e->value[0].lane[__builtin_ctz(e->mask)] : 0;
    if (e->bytes != 8 || e->access != WATCH_WRITE || addr < 1 << 20) return;
    if (device_where(r->device, addr, name, sizeof name, &start)) return;
    for (size_t k = 0; k < r->region_count; k++)
        if (r->regions[k].start == start) return;
    *VEC_PUSH(r->regions, r->region_count, r->region_cap) =
        (struct named_region){start, name_of(r, name)};
}

/* After a write, store what is in memory at the lanes' addresses, eight bytes at a time. */
static void store_content(struct recording *r, const struct watch_event *e)
{
    for (unsigned k = 0; k < e->bytes; k += 8) {
        uint64_t lane[WARP_SIZE] = {0};
        unsigned n = e->bytes - k < 8 ? e->bytes - k : 8;
        for (uint32_t m = e->mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            const unsigned char *from = e->space == WATCH_SHARED
                                            ? e->shared + e->addr[l]
                                            : e->local + (size_t)l * e->local_bytes + e->addr[l];
            memcpy(&lane[l], from + k, n);
        }
        store_lanes(r, lane, e->mask);
    }
}

/* Writes to shared memory by all warps are recorded, since all warps share that memory. */
static void note_shared(struct recording *r, const struct watch_event *e)
{
    if (e->space != WATCH_SHARED || e->access < WATCH_WRITE || e->fault >= 0 || !e->mask) return;
    /* the watched warp's own write is visible from its next instant on */
    size_t at = r->count + (e->warp == r->warp);
    *VEC_PUSH(r->writes, r->write_count, r->write_cap) = (struct shared_write){
        at, e->mask, (uint16_t)e->bytes, (int16_t)e->warp, e->line, r->store_count};
    store_lanes(r, e->addr, e->mask);
    store_content(r, e);
}

static void add_instant(struct recording *r, const struct watch_event *e)
{
    struct instant *i = VEC_PUSH(r->instants, r->count, r->cap);
    *i = (struct instant){.line = e->line,
        .ptx_line = e->ptx_line,
        .step = e->step,
        .mask = e->mask,
        .active = e->active,
        .waits = e->waits,
        .exited = e->exited,
        .kind = (uint8_t)e->kind,
        .quiet = (uint8_t)e->quiet,
        .access = (uint8_t)e->access,
        .space = (uint8_t)e->space,
        .bytes = (uint8_t)e->bytes,
        .counts = (uint8_t)e->counts,
        .values = (uint8_t)e->value_count,
        .fault = (int8_t)e->fault,
        .buffer = (int16_t)name_of(r, e->buffer),
        .data = r->store_count};
    note_pointer(r, e);
    if (e->access) {
        if (e->mask && e->fault < 0) {
            i->cost = (uint16_t)e->cost;
            i->extra = (uint16_t)(e->cost > e->needed ? e->cost - e->needed : 0);
            i->wasteful = i->extra > 0 && e->counts;
        }
        store_lanes(r, e->addr, e->mask);
        if (e->space == WATCH_LOCAL && e->access == WATCH_WRITE && e->fault < 0)
            store_content(r, e);
    }
    for (int k = 0; k < e->value_count; k++) {
        const struct watch_value *v = &e->value[k];
        unsigned char *head = store_room(r, 6);
        memcpy(head, &v->reg, 4);
        head[4] = (unsigned char)v->type;
        head[5] = (unsigned char)v->bytes;
        store_lanes(r, v->lane, e->mask);
        if (v->reg >= r->reg_count) r->reg_count = v->reg + 1;
    }
}

/* Discard the recording: the block is run again, to search for a race. */
static void forget(struct recording *r)
{
    r->count = r->store_count = r->write_count = 0;
    r->exist = 0;
    r->fault_warp = -1;
}

/* If the fault is a read of an unwritten word, after which the block continued: set the end of the
 * recording back to that read. Returns 0 if that read was not recorded. */
static int go_back_to_read(struct recording *r, const struct watch_event *e)
{
    if (e->clash.kind != WATCH_EARLY && e->clash.kind != WATCH_UNWRITTEN) return 0;
    for (size_t k = 0; k < r->count; k++) {
        if (r->instants[k].step != e->step || !record_touches(r, k, e->clash.addr, 1u << e->fault))
            continue;
        r->instants[k].fault = (int8_t)e->fault;
        r->count = k + 1;
        return 1;
    }
    return 0;
}

static int see(void *ctx, const struct watch_event *e)
{
    struct recording *r = ctx;
    if (e->step < 0) {
        forget(r);
        return 0;
    }
    if (e->fault >= 0) {
        r->fault_warp = e->warp;
        r->clash = e->clash;
    }
    r->shared_bytes = e->shared_bytes;
    note_shared(r, e);
    if (e->warp != r->warp) return 0;
    r->exist = e->exist;
    r->local_bytes = e->local_bytes;
    if (e->fault >= 0 && go_back_to_read(r, e)) return 0;
    if (r->count >= r->limit) {
        r->cut = 1;
        return 1;
    }
    add_instant(r, e);
    return 0;
}

struct recording *recording_start(
    struct device *d, uint64_t block, int warp, size_t limit, int debug)
{
    struct recording *r = xcalloc(1, sizeof *r);
    r->device = d;
    r->warp = warp;
    r->limit = limit;
    r->fault_warp = -1;
    r->watch = (struct watch){block, 1u << warp, debug, see, r};
    device_settings(d)->watch = &r->watch;
    return r;
}

/* Set the line to 0 for instructions after ".loc 1 0 9", which up to the next .loc belong to no
 * line. */
static void drop_unknown_lines(struct recording *r, const char *ptx)
{
    unsigned char *unknown = NULL;
    size_t count = 0, cap = 0;
    int is = 0;
    for (const char *at = ptx; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        int file, line;
        const char *word = at + strspn(at, " \t");
        if (!strncmp(word, ".section", 8)) break;
        if (sscanf(word, ".loc %d %d", &file, &line) == 2) is = line == 0;
        *VEC_PUSH(unknown, count, cap) = (unsigned char)is;
    }
    for (size_t k = 0; k < r->count; k++) {
        size_t at = (size_t)r->instants[k].ptx_line - 1;
        if (at < count && unknown[at]) r->instants[k].line = 0;
    }
    free(unknown);
}

/* Is the instruction a branch that follows an instruction of the same line? Then it belongs to that
 * line's stop: in unoptimized code an `if` has two branches, one for each way. line_of: for each
 * step of the program, its line. */
static int is_rest(const struct instant *i, const int32_t *line_of)
{
    return i->kind == WATCH_BRANCH && i->step > 0 && line_of[i->step - 1] == i->line;
}

/* Find the instants at which stops begin: where the line changes, other lanes are active, or a
 * loop within one line begins a new iteration. Instructions without a line belong to the line
 * before them. */
static void find_stops(struct recording *r)
{
    int line = -1, step = -1, began = 0, most = 0;
    uint32_t active = 0;
    for (size_t k = 0; k < r->count; k++)
        most = r->instants[k].step > most ? r->instants[k].step : most;
    int32_t *line_of = xcalloc((size_t)most + 1, sizeof *line_of);
    for (size_t k = 0; k < r->count; k++) line_of[r->instants[k].step] = r->instants[k].line;
    for (size_t k = 0; k < r->count; k++) {
        const struct instant *i = &r->instants[k];
        int again = i->step <= step && i->step >= began;
        int differs = i->line > 0 && (i->line != line || again || i->active != active) &&
                      !is_rest(i, line_of);
        if (!r->stop_count || differs || i->fault >= 0) {
            *VEC_PUSH(r->stops, r->stop_count, r->stop_cap) = k;
            active = i->active;
            line = i->line;
            began = i->step;
        }
        step = i->step;
    }
    free(line_of);
}

/* The instructions before a function's first line, which store its parameters, are no stop. */
static void drop_prologue(struct recording *r)
{
    int idle = r->stop_count > 1;
    for (size_t k = 0; idle && k < r->stops[1]; k++)
        idle = r->instants[k].space == WATCH_LOCAL || !r->instants[k].access;
    if (idle) memmove(r->stops, r->stops + 1, --r->stop_count * sizeof *r->stops);
}

void recording_end(struct recording *r, const struct err *failed, const char *ptx)
{
    device_settings(r->device)->watch = NULL;
    if (failed) r->fault = xstrdup(failed->text);
    drop_unknown_lines(r, ptx);
    find_stops(r);
    drop_prologue(r);
}

void recording_free(struct recording *r)
{
    if (!r) return;
    for (size_t k = 0; k < r->name_count; k++) free(r->names[k]);
    state_free(r);
    free(r->names);
    free(r->instants);
    free(r->store);
    free(r->writes);
    free(r->stops);
    free(r->regions);
    free(r->fault);
    free(r);
}

/* ---- reading a recording ---- */

size_t recording_count(const struct recording *r) { return r->count; }
const struct instant *recording_at(const struct recording *r, size_t i) { return &r->instants[i]; }
int recording_warp(const struct recording *r) { return r->warp; }
int recording_cut(const struct recording *r) { return r->cut; }
uint32_t recording_exist(const struct recording *r) { return r->exist; }
const char *recording_fault(const struct recording *r) { return r->fault; }
int recording_fault_warp(const struct recording *r) { return r->fault_warp; }
size_t recording_stops(const struct recording *r) { return r->stop_count; }
size_t recording_stop(const struct recording *r, size_t stop) { return r->stops[stop]; }

/* Buffers are far apart, so an address belongs to the last buffer that begins before it. */
const char *recording_where(const struct recording *r, uint64_t addr, uint64_t *start)
{
    const struct named_region *best = NULL;
    for (size_t k = 0; k < r->region_count; k++)
        if (r->regions[k].start <= addr && (!best || r->regions[k].start > best->start))
            best = &r->regions[k];
    if (best) *start = best->start;
    return best ? r->names[best->name] : NULL;
}

const char *recording_buffer(const struct recording *r, const struct instant *i)
{
    return i->buffer < 0 ? "" : r->names[i->buffer];
}

/* The offset in the store of the values of an instant. The values follow the addresses of the
 * instant and the bytes that it wrote to local memory. */
size_t skip_to_values(const struct recording *r, const struct instant *i)
{
    uint64_t lane[WARP_SIZE];
    size_t at = i->data;
    if (!i->access) return at;
    at = fetch_lanes(r, at, lane);
    if (i->space == WATCH_LOCAL && i->access == WATCH_WRITE && i->fault < 0)
        for (unsigned k = 0; k < i->bytes; k += 8) at = fetch_lanes(r, at, lane);
    return at;
}

void record_addresses(const struct recording *r, const struct instant *i, uint64_t addr[WARP_SIZE])
{
    fetch_lanes(r, i->data, addr);
}

void record_value(
    const struct recording *r, const struct instant *i, int k, struct watch_value *out)
{
    size_t at = skip_to_values(r, i);
    for (;; k--) {
        const unsigned char *head = r->store + at;
        memcpy(&out->reg, head, 4);
        out->type = (char)head[4];
        out->bytes = head[5];
        at = fetch_lanes(r, at + 6, out->lane);
        if (k <= 0) return;
    }
}

/* ---- stops ---- */

size_t recording_stop_of(const struct recording *r, size_t instant)
{
    size_t lo = 0, hi = r->stop_count;
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (r->stops[mid] <= instant)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static int grants(const struct instant *i, enum step_wish wish)
{
    return wish == WISH_BARRIER ? i->kind == WATCH_BARRIER
           : wish == WISH_WASTE ? i->wasteful
                                : i->fault >= 0;
}

size_t recording_find(const struct recording *r, size_t stop, enum step_wish wish)
{
    size_t from = stop + 1 < r->stop_count ? r->stops[stop + 1] : r->count;
    for (size_t k = from; k < r->count; k++)
        if (grants(&r->instants[k], wish)) return recording_stop_of(r, k);
    return SIZE_MAX;
}
