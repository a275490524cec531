/* access.h - a memory access of warps, with one function for each part of it.
 *
 *     loads, stores    a compact address register:            access_affine ──┐
 *                      a base a warp, two strides                             ├──> struct access
 *     atomics, copies  32 addresses of one warp, a mask       access_lanes ───┘
 *
 *     access_check     bounds, alignment, racecheck and initcheck, of all lanes at once
 *     access_places    the same for one warp, lane by lane if an error is possible: finds the fault
 *     access_count     what it costs, added to the counters of its step (cost.c)
 *     access_trace     caches, write combining, partitions and rows of DRAM
 *
 * A lane is given by its number in the batch, 0 to 255, where a parameter is called "lane"; masks
 * and arrays of 32 are those of one warp. Addresses are of the device; those of shared, local and
 * parameter memory count from the start of the space. */
#ifndef LOCKSTEP_SIM_ACCESS_H
#define LOCKSTEP_SIM_ACCESS_H

#include "sim/machine.h"

/* The lanes' offsets from the lowest address, in an instruction's last access. They mostly repeat:
 * in loops along a row or column, in register tiles, in sorts. Then bounds are two numbers, and the
 * cost depends only on where the lowest lane lies in its 128-byte line. */
struct pattern {
    int valid;
    enum ptx_space space;
    uint32_t mask;    /* the lanes that access; 0 is the offset of others */
    uint32_t off[32]; /* below 4 GiB */
    uint32_t bits;    /* all offsets, or'ed */
    uint64_t reach;   /* the largest of them */
    /* strides in x and y, if any; the lowest lane's address from the warp's base */
    int64_t sx, sy, below;
    uint8_t contiguous;    /* the lanes lie side by side */
    uint8_t run;           /* length of contiguous runs of lanes: 16 or 32; else 0 */
    uint8_t equal;         /* lanes 0 to 15 have one address, and lanes 16 to 31 have one */
    struct span span;      /* where the last access lay */
    int readonly, watched; /* watched: racecheck or initcheck of global memory applies */
    uint64_t last;         /* the first warp's lowest address at the last load */
    /* cost.c: is price of these offsets? All lowest addresses are multiples of 1 << shift; different
     * addresses of a warp. */
    int priced;
    uint8_t shift;
    uint16_t words;
    struct price {
        uint16_t count, extra, passes, moved; /* as in struct cost; count 0: not known yet */
    } price[128];
};

/* The access of one instruction, in either form. */
struct patterns {
    struct pattern affine, lanes;
};

struct access {
    struct batch *v;
    const struct uop *u;
    enum ptx_space space; /* never SPACE_GENERIC */
    enum touch_kind kind;
    unsigned bytes;            /* a lane */
    int first, warps;          /* of the batch */
    uint32_t mask;             /* of each of them */
    uint64_t lo[BATCH_WARPS];  /* the lowest address of warp first + i */
    uint64_t least, most, all; /* of lo: the lowest, the highest, all or'ed */
    /* Lane l is at lo + off[l]. NULL: one warp, with lanes too far apart for 32-bit offsets. */
    struct pattern *pattern;
    const uint64_t *addr; /* one for each lane; NULL: compact */
    int fresh;            /* the pattern was another one at the instruction's last access */
    /* once checked: the offset from a device address to the host's; the step for each lane */
    uintptr_t host, apart;
};

/* The access by all lanes of the batch at the compact address register of u. Returns 0 if the
 * register has no compact form, or the lanes lie apart in local memory. */
int access_affine(struct access *x, struct batch *v, const struct uop *u, enum touch_kind kind);
/* The access by lanes of warp w of the batch. addr must stay valid as long as *x. */
void access_lanes(struct access *x, struct batch *v, const struct uop *u, enum ptx_space space,
    int w, const uint64_t addr[32], uint32_t mask, enum touch_kind kind);

/* Returns 0 if an error is possible; else x->host is valid, and the access noted in the shadows. */
int access_check(struct access *x);
/* Check one warp's access; faults if there is an error. at[]: where the lanes' bytes are. */
void access_places(struct access *x, unsigned char *at[32]);
/* Add it to its step's counters, if the instruction counts. */
void access_count(const struct access *x);
/* Report an access to global memory to the cache and DRAM models. */
void access_trace(const struct access *x);
/* The addresses of the i-th of its warps, each "further" bytes on. */
void access_addresses(const struct access *x, int i, uint64_t further, uint64_t addr[32]);

/* ---- one lane ---- */

/* The bytes around addr that the space or the allocation holds; a span of 0 bytes if there are
 * none. Local memory has no span: each thread has its own. */
struct span access_span(struct batch *v, enum ptx_space space, uint64_t addr);
/* Where u's access by a lane lies in the host's memory; faults if it is out of bounds, misaligned,
 * or written but read-only. span: where the lane before it was; start with a span of 0 bytes. */
unsigned char *access_place(struct batch *v, const struct uop *u, enum ptx_space space,
    struct span *span, uint64_t addr, int lane, int write);
/* The same with racecheck and initcheck. */
unsigned char *access_lane(struct batch *v, const struct uop *u, enum ptx_space space,
    struct span *span, uint64_t addr, int lane, enum touch_kind kind);
/* The space that a generic address lies in. *addr becomes an address in that space. */
enum ptx_space access_space(uint64_t *addr);

/* Are the bytes addr .. addr + n - 1 in the span? The order of the two tests avoids overflow. */
static inline int access_inside(const struct span *s, uint64_t addr, uint64_t n)
{
    return addr - s->lo < s->bytes && n <= s->bytes - (addr - s->lo);
}

#endif
