/* access.h - a memory access by warps of a batch, and the functions for its parts.
 *
 *     loads, stores    a compact address register:            access_affine ──┐
 *                      one base per warp, two strides                         ├──> struct access
 *     atomics, copies  32 addresses of one warp, a mask       access_lanes ───┘
 *
 *     access_check     bounds, alignment, racecheck and initcheck, of all lanes at once
 *     access_places    the same for one warp, lane by lane if an error is possible: finds the fault
 *     access_count     its cost, added to the counters of the step (cost.c)
 *     access_trace     caches, write combining, partitions and rows of DRAM
 *
 * A parameter called "lane" is a lane's number in the batch, 0 to 255; masks and arrays of 32 are
 * those of one warp. Addresses are those of the device; in shared, local and parameter memory they
 * count from the start of the space. */
#ifndef LOCKSTEP_SIM_ACCESS_H
#define LOCKSTEP_SIM_ACCESS_H

#include "sim/machine.h"

/* The lanes' offsets from the lowest address, as in the last access of an instruction. The offsets
 * mostly repeat: in loops along a row or column, in register tiles, in sorts. If they do, the
 * bounds check is two comparisons, and the cost depends only on the position of the lowest address
 * in its 128-byte line. */
struct pattern {
    int valid;
    enum ptx_space space;
    uint32_t mask;    /* lanes that access memory; the offsets of the others are 0 */
    uint32_t off[32]; /* offset of each lane from the lowest address, in bytes */
    uint32_t bits;    /* bitwise OR of all offsets, to check alignment */
    uint64_t reach;   /* the largest offset */
    /* For an address register that is held as base and strides. sx, sy: the strides in x and y;
     * below: the lowest address relative to the warp's base. */
    int64_t sx, sy, below;
    uint8_t contiguous; /* the lanes' bytes follow each other without gaps */
    uint8_t run;        /* length of contiguous runs of lanes: 16 or 32; else 0 */
    uint8_t equal;      /* lanes 0 to 15 have the same address, and so do lanes 16 to 31 */
    struct span span;   /* the memory that the last access was in */
    enum sim_readonly readonly; /* of the memory of the last access */
    int watched; /* 1: racecheck or initcheck of global memory applies to that memory */
    uint64_t last; /* the lowest address of the first warp in the last load */
    /* For cost.c. priced: price holds costs of these offsets; shift: all lowest addresses are
     * multiples of 1 << shift; words: number of different addresses in a warp; price: costs by the
     * position of the lowest address in its line. */
    int priced;
    uint8_t shift;
    uint16_t words;
    struct price {
        /* the members of struct cost with these names; count 0: not computed yet */
        uint16_t count, extra, passes, moved;
    } price[128];
};

/* The patterns of the last access by one instruction, for both forms of addresses. */
struct patterns {
    struct pattern affine, lanes;
};

struct access {
    struct batch *v;
    const struct uop *u;
    enum ptx_space space; /* memory space of the access, which is never SPACE_GENERIC */
    enum touch_kind kind;
    unsigned bytes;   /* bytes of each lane */
    int first, warps; /* warps of the access. first: the first one in the batch; warps: how many */
    uint32_t mask;    /* lanes that access memory, the same in each warp of the access */
    uint64_t lo[BATCH_WARPS]; /* the lowest address of warp first + i */
    /* of the addresses in lo[]: the lowest, the highest, and the bitwise OR of all */
    uint64_t least, most, all;
    /* Lane l accesses lo + off[l]. NULL: the access is of one warp, whose lanes are too far apart
     * for 32-bit offsets. */
    struct pattern *pattern;
    /* the address of each lane; NULL: the address register is held as base and strides */
    const uint64_t *addr;
    int fresh; /* the pattern differs from that of the last access by the instruction */
    /* Valid after access_check. host: what to add to a device address for the host address; apart:
     * what to add for each further lane (local memory). */
    uintptr_t host, apart;
};

/* Describes the access by all lanes of the batch at the address register u->a. Returns 0 if the
 * register is not held as base and strides, or if lanes have different addresses in their local
 * memory. */
int access_affine(struct access *x, struct batch *v, const struct uop *u, enum touch_kind kind);
/* Describes the access by the lanes in mask of warp w of the batch. The array addr must stay valid
 * as long as *x. */
void access_lanes(struct access *x, struct batch *v, const struct uop *u, enum ptx_space space,
    int w, const uint64_t addr[32], uint32_t mask, enum touch_kind kind);

/* Checks all lanes at once. Returns 0 if an error is possible. Else x->host is valid, and the
 * access is recorded in the shadow memories. */
int access_check(struct access *x);
/* Checks one warp's access; a fault if there is an error. at[l]: host address of the bytes of lane
 * l. */
void access_places(struct access *x, unsigned char *at[32]);
/* Add the access to the counters of its step, if the instruction is counted. */
void access_count(const struct access *x);
/* Report an access to global memory to the cache and DRAM models. */
void access_trace(const struct access *x);
/* The addresses of the lanes of the i-th warp of the access, plus `further` bytes. */
void access_addresses(const struct access *x, int i, uint64_t further, uint64_t addr[32]);

/* ---- accesses of one lane ---- */

/* The whole memory around addr: the space or the allocation that contains it. If there is none, a
 * span of 0 bytes. Not for local memory, of which each thread has its own. */
struct span access_span(struct batch *v, enum ptx_space space, uint64_t addr);
/* The host address of a lane's bytes at addr; a fault if they are out of bounds or misaligned, or
 * are written but read-only. span: cache of the memory that the previous lane accessed; initially a
 * span of 0 bytes. */
unsigned char *access_place(struct batch *v, const struct uop *u, enum ptx_space space,
    struct span *span, uint64_t addr, int lane, int write);
/* The host address of a lane's bytes, as by access_place, but races and reads of unwritten bytes
 * are checked, too. */
unsigned char *access_lane(struct batch *v, const struct uop *u, enum ptx_space space,
    struct span *span, uint64_t addr, int lane, enum touch_kind kind);
/* The space of a generic address. *addr is converted to an address in that space. */
enum ptx_space access_space(uint64_t *addr);

/* Are the bytes addr .. addr + n - 1 in the span? The order of the two tests avoids overflow. */
static inline int access_inside(const struct span *s, uint64_t addr, uint64_t n)
{
    return addr - s->lo < s->bytes && n <= s->bytes - (addr - s->lo);
}

#endif
