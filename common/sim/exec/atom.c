/* atom.c - atomic operations.
 *
 *     pass 1, without the lock     find every fault: bounds, alignment, races
 *     pass 2, under the lock       read, compute and write, one lane after the other
 *
 * The lock makes an operation atomic with respect to blocks that run on other host threads. If the
 * result can depend on the order of blocks (decode.c: serial), the blocks run one after the other.
 *
 * Source: PTX ISA, atom and red. */
#include "sim/check/async.h"
#include "sim/check/shadow.h"
#include "sim/exec/half.h"
#include "sim/exec/access.h"
#include "sim/exec/mem.h"

#include <pthread.h>
#include <string.h>

/* One lock for all launches and all addresses. */
static pthread_mutex_t global_lock = PTHREAD_MUTEX_INITIALIZER;

/* Defines a function that computes the value to store from the old value and the operands b and c
 * (c for cas only). inc and dec wrap around at b. With an unsigned T the function is right for
 * unsigned and bitwise operations and for signed sums. */
#define ATOM_UNSIGNED(name, T) \
    static T name(int op, T old, T b, T c) \
    { \
        switch (op) { \
        case ATOM_ADD: return old + b; \
        case ATOM_MIN: return old < b ? old : b; \
        case ATOM_MAX: return old > b ? old : b; \
        case ATOM_AND: return old & b; \
        case ATOM_OR: return old | b; \
        case ATOM_XOR: return old ^ b; \
        case ATOM_EXCH: return b; \
        case ATOM_CAS: return old == b ? c : old; \
        case ATOM_INC: return old >= b ? 0 : old + 1; \
        case ATOM_DEC: return old == 0 || old > b ? b : old - 1; \
        default: BUG("atomic operation %d", op); \
        } \
    }
ATOM_UNSIGNED(atom_u32, uint32_t)
ATOM_UNSIGNED(atom_u64, uint64_t)

/* The value that an atomic operation stores, for every type. Floating-point types support add only.
 * Signed min and max need signed comparisons. */
static uint64_t atom_value(int op, enum ptx_type t, uint64_t old, uint64_t b, uint64_t c)
{
    if (t == PTX_F32) {
        float x, y;
        uint32_t xb = (uint32_t)old, yb = (uint32_t)b;
        memcpy(&x, &xb, 4);
        memcpy(&y, &yb, 4);
        x = op_nan(x + y);
        memcpy(&xb, &x, 4);
        return xb;
    }
    if (t == PTX_F64) {
        double x, y;
        memcpy(&x, &old, 8);
        memcpy(&y, &b, 8);
        if (x != x || y != y) return y != y ? b : old; /* here a NaN keeps all its bits */
        x = op_add_f64(x, y);
        memcpy(&old, &x, 8);
        return old;
    }
    switch (t) {
    case PTX_F16: return op_add_f16((uint16_t)old, (uint16_t)b);
    case PTX_F16X2: return op_add_f16x2((uint32_t)old, (uint32_t)b);
    case PTX_BF16: return op_add_bf16((uint16_t)old, (uint16_t)b);
    case PTX_BF16X2: return op_add_bf16x2((uint32_t)old, (uint32_t)b);
    default: break;
    }
    if (t == PTX_S32 && (op == ATOM_MIN || op == ATOM_MAX))
        return ((int32_t)old < (int32_t)b) == (op == ATOM_MIN) ? (uint32_t)old : (uint32_t)b;
    if (t == PTX_S64 && (op == ATOM_MIN || op == ATOM_MAX))
        return ((int64_t)old < (int64_t)b) == (op == ATOM_MIN) ? old : b;
    return ptx_type_bytes(t) == 8 ? atom_u64(op, old, b, c)
                                  : atom_u32(op, (uint32_t)old, (uint32_t)b, (uint32_t)c);
}

/* ---- pass 1: checks ---- */

/* Check one lane of an access with generic addresses; a fault if there is an error. Returns the
 * host address. */
static unsigned char *check_generic(struct batch *v, const struct uop *u, int i, uint64_t addr)
{
    enum ptx_space s = access_space(&addr);
    struct span span = {NULL, 0, 0, NULL};
    if (s == SPACE_LOCAL)
        sim_fault(v, u, i, FAULT(.kind = FOUND_FAULT), "uses an atomic operation on local memory");
    return access_lane(v, u, s, &span, addr, i, TOUCH_UPDATE);
}

/* ---- pass 2: updates ---- */

/* The value of lane i of a register, zero-extended; the register must hold a value per lane. 0 if r
 * is NULL. */
static uint64_t lane_value(const struct reg *r, int i) { return r ? get_lane(r, r->lanes, i) : 0; }

/* Read, compute and write, one lane after the other. Old values are written to d, unless the result
 * is unused. */
static void update(struct batch *v, const struct uop *u, unsigned char *const at[BATCH_LANES])
{
    const struct reg *b = &v->regs[u->b], *c = u->c >= 0 ? &v->regs[u->c] : NULL;
    struct reg *d = u->d >= 0 ? &v->regs[u->d] : NULL;
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m);
            uint64_t old = 0, new;
            memcpy(&old, at[i], u->bytes);
            new = atom_value(u->detail, u->type, old, lane_value(b, i), lane_value(c, i));
            memcpy(at[i], &new, u->bytes);
            if (d) put_lane(d, d->lanes, i, old);
        }
}

/* Defines a faster function for the usual cases: adding 32-bit integers or floats when the old
 * values are unused. */
#define UPDATE_SUMS(name, T, sum) \
    static void name(struct batch *v, const uint32_t *b, unsigned char *const at[BATCH_LANES]) \
    { \
        for (int w = 0; w < v->warps; w++) \
            for (uint32_t m = v->active[w]; m; m &= m - 1) { \
                int i = w * 32 + __builtin_ctz(m); \
                T x, y; \
                memcpy(&x, at[i], 4); \
                memcpy(&y, &b[i], 4); \
                x = sum; \
                memcpy(at[i], &x, 4); \
            } \
    }
UPDATE_SUMS(update_sums, uint32_t, x + y)
UPDATE_SUMS(update_float_sums, float, op_nan(x + y))

/* Count one warp's request. If the compiler lets a warp combine its operands first, only one lane
 * makes the request. */
static void count_warp(struct access *x)
{
    struct worker *own = x->v->worker;
    if (x->space == SPACE_GLOBAL && own->kernel->program->steps[x->u->step].flags & FLAG_COMBINED) {
        own->steps[x->u->step].accesses += (uint64_t)__builtin_popcount(x->mask) - 1;
        x->mask &= -x->mask;
    }
    access_count(x);
}

/* Count a request with generic addresses. Lanes can access both spaces; each part counts as a
 * request of its own, the global one first. */
static void count_generic(struct batch *v, const struct uop *u, int w, uint64_t addr[32])
{
    uint32_t of[2] = {0};
    for (uint32_t m = v->active[w]; m; m &= m - 1)
        of[access_space(&addr[__builtin_ctz(m)]) == SPACE_SHARED] |= m & -m;
    for (int k = 0; k < 2; k++) {
        struct access x;
        if (!of[k]) continue;
        access_lanes(&x, v, u, k ? SPACE_SHARED : SPACE_GLOBAL, w, addr, of[k], TOUCH_UPDATE);
        count_warp(&x);
    }
}

void mem_atom(struct batch *v, const struct uop *u)
{
    uint64_t addr[BATCH_LANES];
    struct access access[BATCH_WARPS];
    unsigned char *at[BATCH_LANES];
    const uint64_t *from = reg_lanes(v, &v->regs[u->a]);
    /* copied, since d may be the address register; addresses in shared memory have 32 bits */
    uint64_t bits = u->space == SPACE_SHARED ? UINT32_MAX : UINT64_MAX;
    for (int i = 0; i < v->warps * 32; i++) addr[i] = (from[i] + (uint64_t)u->offset) & bits;
    const uint32_t *b = reg_lanes(v, &v->regs[u->b]);
    if (u->c >= 0) reg_lanes(v, &v->regs[u->c]);
    if (u->d >= 0) reg_blend(v, &v->regs[u->d]);
    /* A fault leaves by longjmp, so all checks come before the lock is taken. */
    for (int w = 0; w < v->warps; w++) {
        if (!v->active[w]) continue;
        shadow_atomic(v, w);
        if (u->space != SPACE_GENERIC) {
            access_lanes(&access[w], v, u, u->space, w, addr + w * 32, v->active[w], TOUCH_UPDATE);
            access_places(&access[w], at + w * 32);
            continue;
        }
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m);
            at[i] = check_generic(v, u, i, addr[i]);
        }
    }
    /* Shared memory needs no lock, since a block runs on one host thread. In blocks that run in
     * parallel, words that only one multiprocessor accesses need no lock either (memory/regions.h:
     * sim_own). */
    int locks = u->space != SPACE_SHARED && !v->worker->kernel->serial;
    if (locks) pthread_mutex_lock(&global_lock);
    int whole = u->type == PTX_U32 || u->type == PTX_S32 || u->type == PTX_B32;
    if (u->detail == ATOM_ADD && whole && u->d < 0)
        update_sums(v, b, at);
    else if (u->type == PTX_F32 && u->d < 0)
        update_float_sums(v, b, at);
    else
        update(v, u, at);
    if (locks) pthread_mutex_unlock(&global_lock);
    for (int w = 0; v->worker->counting && w < v->warps; w++) {
        if (!v->active[w]) continue;
        if (u->space == SPACE_GENERIC)
            count_generic(v, u, w, addr + w * 32);
        else
            count_warp(&access[w]);
    }
}

/* Handler of fences. Memory needs no action, since lanes run in order; only the race detection must
 * know of the fence. */
void mem_fence(struct batch *v, const struct uop *u)
{
    for (int w = 0; w < v->warps; w++) {
        if (!v->active[w]) continue;
        shadow_fence(v, w);
        if (u->detail == FENCE_ENGINE) bulk_fence(v->worker->check, v->index * BATCH_WARPS + w);
    }
}
