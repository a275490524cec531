/* mem.h - what loads and stores (mem.c), atomics (atom.c), faults (fault.c) and printf (print.c)
 * share.
 *
 * A lane is given by its number in the batch, 0 to 255, where a parameter is called "lane"; masks
 * and arrays of 32 are those of one warp. Addresses are of the device; those of shared, local and
 * parameter memory count from the start of the space. */
#ifndef LOCKSTEP_SIM_MEM_H
#define LOCKSTEP_SIM_MEM_H

#include "sim/check/shadow.h"
#include "sim/machine.h"

#include <string.h>

/* The span that addr lies in; one of 0 bytes if there is none. */
struct span mem_span(struct batch *v, enum ptx_space space, uint64_t addr);
/* Where u's access by a lane lies in the host's memory; faults if it is not allowed. span: where
 * the lane before it was; start with a span of 0 bytes. */
unsigned char *mem_lane(struct batch *v, const struct uop *u, enum ptx_space space,
    struct span *span, uint64_t addr, int lane, int write);
/* An access of one warp to shared or global memory, checked as a whole. Returns 1, with at[] where
 * the lanes' bytes are and base the lowest address; or 0 if an error is possible or the space
 * another. */
int mem_whole(struct batch *v, const struct uop *u, enum ptx_space space, int w,
    const uint64_t addr[32], uint32_t mask, enum touch_kind kind, unsigned char *at[32],
    uint64_t *base);
/* Count one warp's access of "bytes" a lane. space is not SPACE_GENERIC. */
void mem_count_warp(struct batch *v, const struct uop *u, enum ptx_space space,
    const uint64_t addr[32], uint32_t mask, unsigned bytes, enum touch_kind kind);
/* An access of one warp whose lanes lie to each other as the instruction's last one (mem_known.c).
 * If it is certain to be correct it is checked and counted, at[] is where the lanes' bytes are,
 * base the lowest address, and the result is 1. */
int mem_known(struct batch *v, const struct uop *u, int w, const uint64_t addr[32], uint32_t mask,
    int write, unsigned char *at[32], uint64_t *base);
/* Check one warp's access, if need be lane by lane, and count it if u counts. at[]: where its bytes
 * are. Returns the lowest address. */
uint64_t mem_check(struct batch *v, const struct uop *u, enum ptx_space space, int w,
    const uint64_t addr[32], uint32_t mask, int write, unsigned char *at[32]);
/* Tell the models of caches and DRAM about one warp's access. lo: the lowest address. */
void mem_trace(struct batch *v, const struct uop *u, int w, uint64_t lo, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, int write);
/* The space that a generic address lies in. *addr becomes an address in that space. */
enum ptx_space mem_generic(uint64_t *addr);

/* ---- counting (mem_count.c) ---- */

/* What one warp's access costs. The meaning of count and extra depends on the space. */
struct cost {
    unsigned words; /* different addresses */
    /* sectors and tags; wavefronts and conflicts; different addresses and 0 */
    unsigned count, extra;
    /* global and local: through the data banks of the first-level cache */
    unsigned passes;
    unsigned moved; /* global and local: bytes */
    unsigned turns; /* atomic operations on global memory: sectors */
};

/* What the access of one warp costs. */
struct cost mem_cost(struct batch *v, enum ptx_space space, const uint64_t addr[32], uint32_t mask,
    unsigned bytes, enum touch_kind kind);
/* What an access of this pattern costs at a base: it depends on the place of the base in its line
 * of 128 bytes. count is 0 until it is known. The prices of elements of 4 bytes lie side by side,
 * so that they take few lines of the host's cache. */
static inline struct price *pattern_price(struct pattern *p, uint64_t base)
{
    return &p->cost[(base & 127) >> p->shift];
}

static inline struct price price_of(const struct cost *c)
{
    return (struct price){
        (uint16_t)c->count, (uint16_t)c->extra, (uint16_t)c->passes, (uint16_t)c->moved};
}

/* The alignment of the bases that u counts with; those that it accesses are aligned to its
 * elements. */
static inline uint8_t pattern_shift(const struct uop *u)
{
    return (uint8_t)__builtin_ctz(
        (unsigned)u->bytes | (unsigned)(u->offset - u->count_offset) | 128);
}

/* Add it to the counters of a step. */
void mem_charge(struct sim_step_counts *s, enum ptx_space space, uint64_t count, uint64_t extra,
    uint64_t passes, uint64_t moved);
/* Is this warp's access the one to keep for the step? The one from the lowest block is, so the
 * result does not depend on which host thread runs which blocks. */
static inline int mem_to_record(const struct batch *v, const struct uop *u)
{
    const struct worker *w = v->worker;
    return w->accesses && w->block < w->accesses[u->step].block;
}

/* Keep the addresses of this warp's access, for maps. */
void mem_record(struct batch *v, const struct uop *u, enum ptx_space space, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, int write);

/* Are the bytes addr .. addr + n - 1 in the span? The order of the two tests avoids overflow. */
static inline int inside(const struct span *s, uint64_t addr, uint64_t n)
{
    return addr - s->lo < s->bytes && n <= s->bytes - (addr - s->lo);
}

/* ---- single elements ---- */

/* An element from memory, extended to 64 bits as its type says. */
static inline uint64_t load_element(const unsigned char *p, enum ptx_type t)
{
    uint64_t v8;
    uint32_t v4;
    uint16_t v2;
    switch (t) {
    case PTX_B8:
    case PTX_U8: return *p;
    case PTX_S8: return (uint64_t)(int64_t)(int8_t)*p;
    case PTX_B16:
    case PTX_U16:
    case PTX_F16: memcpy(&v2, p, 2); return v2;
    case PTX_S16: memcpy(&v2, p, 2); return (uint64_t)(int64_t)(int16_t)v2;
    case PTX_B32:
    case PTX_U32:
    case PTX_F32: memcpy(&v4, p, 4); return v4;
    case PTX_S32: memcpy(&v4, p, 4); return (uint64_t)(int64_t)(int32_t)v4;
    default: memcpy(&v8, p, 8); return v8;
    }
}

/* Lane i of a register whose lanes are valid. */
static inline void put_lane(const struct reg *r, void *lanes, int i, uint64_t value)
{
    if (r->wide)
        ((uint64_t *)lanes)[i] = value;
    else
        ((uint32_t *)lanes)[i] = (uint32_t)value;
}

static inline uint64_t get_lane(const struct reg *r, const void *lanes, int i)
{
    return r->wide ? ((const uint64_t *)lanes)[i] : ((const uint32_t *)lanes)[i];
}

/* Count a generic access of at most 4 bytes a lane that goes to global and to local memory at once.
 * mask: the lanes that access local memory, at addr. */
static inline void sim_count_mixed(
    struct sim_step_counts *c, const uint64_t addr[32], uint32_t mask)
{
    c->mixed++;
    c->mixed_sectors += model_local_sectors(addr, mask);
}

#endif
