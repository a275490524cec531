/* mem.h - reads and writes single elements of memory, and single lanes of registers. */
#ifndef LOCKSTEP_SIM_MEM_H
#define LOCKSTEP_SIM_MEM_H

#include "sim/machine.h"

#include <string.h>

/* The value of an element in host memory at p, sign- or zero-extended to 64 bits according to its
 * type. */
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

/* put_lane writes lane i of a register, and get_lane reads it. lanes: the register's array of
 * lanes, which must hold its value. */
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

#endif
