/* memory.c - the device's memory: allocations at addresses far apart.
 *
 *     4 TiB | buffer a | gap >= a's size | buffer b | gap >= b's size | ...
 *
 * The address windows of shared and local memory are below 4 TiB (ptx/ptx.h). Because of the gaps,
 * an index that is wrong by a row or by a whole matrix does not reach another allocation, so the
 * bounds check finds the error. */
#define _GNU_SOURCE
#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEAST_GAP = 1 << 16 };
#define FIRST_ADDRESS ((uint64_t)4 << 40)

struct sim_memory *sim_memory_new(void)
{
    struct sim_memory *m = xcalloc(1, sizeof *m);
    m->next = FIRST_ADDRESS;
    return m;
}

static void drop(struct region *r)
{
    if (r->mapped)
        munmap(r->host, r->bytes);
    else if (!r->lent)
        free(r->host);
    free(r->name);
    free(r->written);
}

void sim_memory_free(struct sim_memory *m)
{
    if (!m) return;
    for (size_t i = 0; i < m->count; i++) drop(&m->regions[i]);
    free(m->regions);
    free(m);
}

/* The address of the next allocation after r: behind a gap of at least r's size and LEAST_GAP
 * bytes. */
static uint64_t behind(const struct region *r)
{
    uint64_t gap = r->bytes > LEAST_GAP ? r->bytes : LEAST_GAP;
    return r->addr + (r->bytes + gap + SIM_ALIGN - 1) / SIM_ALIGN * SIM_ALIGN;
}

static struct region *add(
    struct sim_memory *m, unsigned char *host, size_t bytes, const char *name, size_t element)
{
    struct region *r = VEC_PUSH(m->regions, m->count, m->cap);
    *r = (struct region){.addr = m->next,
        .bytes = bytes,
        .host = host,
        .name = xstrdup(name),
        .element = element ? element : 1};
    m->next = behind(r);
    return r;
}

/* New memory is filled with zeros. Returns its address, or 0 if bytes is 0 or the host has no
 * memory left. */
uint64_t sim_alloc(struct sim_memory *m, size_t bytes, const char *name, size_t element,
    enum sim_readonly readonly)
{
    unsigned char *host = bytes ? memory_huge(calloc(bytes, 1), bytes) : NULL;
    if (!host) return 0;
    struct region *r = add(m, host, bytes, name, element);
    r->readonly = readonly;
    return r->addr;
}

uint64_t sim_lend(struct sim_memory *m, void *host, size_t bytes, const char *name, size_t element,
    enum sim_readonly readonly)
{
    struct region *r = add(m, host, bytes, name, element);
    r->readonly = readonly;
    r->lent = 1;
    return r->addr;
}

/* Without MAP_FIXED_NOREPLACE the address is a wish, which is granted if nothing is there. */
#ifdef MAP_FIXED_NOREPLACE
enum { AT_ADDRESS = MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE };
#else
enum { AT_ADDRESS = MAP_ANONYMOUS };
#endif
/* Host pages are mapped at the device address itself; host programs do not normally use such
 * addresses. */
uint64_t sim_alloc_shared(struct sim_memory *m, size_t bytes, const char *name, size_t element)
{
    void *host = bytes ? mmap((void *)m->next, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | AT_ADDRESS, -1, 0)
                       : MAP_FAILED;
    if (host != MAP_FAILED && (uint64_t)host != m->next) munmap(host, bytes), host = MAP_FAILED;
    if (host == MAP_FAILED) return 0;
    struct region *r = add(m, host, bytes, name, element);
    r->mapped = 1;
    return r->addr;
}

/* The index of the last region that starts at or before addr; -1: none does. */
static long before(const struct sim_memory *m, uint64_t addr)
{
    size_t lo = 0, hi = m->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (m->regions[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return (long)lo - 1;
}

/* Free the allocation that starts at addr. Returns -1 if none starts there. */
int sim_release(struct sim_memory *m, uint64_t addr)
{
    long i = before(m, addr);
    if (i < 0 || m->regions[i].addr != addr) return -1;
    drop(&m->regions[i]);
    memmove(&m->regions[i], &m->regions[i + 1], sizeof *m->regions * (m->count - (size_t)i - 1));
    m->count--;
    /* Addresses are reused, so that a later launch with the same buffers uses the same cache
     * sets. */
    m->next = m->count ? behind(&m->regions[m->count - 1]) : FIRST_ADDRESS;
    return 0;
}

/* The allocation that contains addr; NULL: none does. */
const struct region *sim_region(const struct sim_memory *m, uint64_t addr)
{
    long i = before(m, addr);
    return i >= 0 && addr - m->regions[i].addr < m->regions[i].bytes ? &m->regions[i] : NULL;
}

/* The allocation that contains addr, or else the one whose first or last byte is nearest to it (for
 * messages). NULL: there are no allocations. */
const struct region *sim_region_near(const struct sim_memory *m, uint64_t addr)
{
    long i = before(m, addr);
    const struct region *below = i >= 0 ? &m->regions[i] : NULL;
    const struct region *above = i + 1 < (long)m->count ? &m->regions[i + 1] : NULL;
    if (!below || !above) return below ? below : above;
    /* addr is the start of a vector access that ends outside of the allocation */
    if (addr - below->addr < below->bytes) return below;
    return addr - (below->addr + below->bytes) <= above->addr - addr ? below : above;
}

/* The host address of the device bytes from addr on; NULL if they are not all in one allocation. */
void *sim_host(const struct sim_memory *m, uint64_t addr, size_t bytes)
{
    const struct region *r = sim_region(m, addr);
    return r && bytes <= r->bytes - (addr - r->addr) ? r->host + (addr - r->addr) : NULL;
}

int sim_host_memory(uint64_t addr)
{
    unsigned char present;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return !mincore((void *)(uintptr_t)(addr & ~(page - 1)), 1, &present);
}

/* The total bytes of all allocations or, if inputs is set, of those that the current launch cannot
 * write. */
static uint64_t sum(const struct sim_memory *m, int inputs)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < m->count; i++)
        bytes += inputs && m->regions[i].target ? 0 : m->regions[i].bytes;
    return bytes;
}

uint64_t sim_memory_bytes(const struct sim_memory *m) { return sum(m, 0); }

uint64_t sim_memory_inputs(const struct sim_memory *m) { return sum(m, 1); }

uint64_t sim_buffer(const struct sim_memory *m, uint64_t addr, char *name, size_t size)
{
    const struct region *r = sim_region(m, addr);
    snprintf(name, size, "%s", r ? r->name : "");
    return r ? r->addr : 0;
}

/* ---- initcheck: a bitmap of the bytes of a region that have been written; NULL if all have
 * ---- */

/* The bits of a bitmap cell (64 bytes) that correspond to bytes of the region. */
static uint64_t cell_of(const struct region *r, size_t cell)
{
    return cell + 1 < region_cells(r) || r->bytes % 64 == 0 ? ~(uint64_t)0
                                                            : ((uint64_t)1 << r->bytes % 64) - 1;
}

/* If all bytes have been written, free the bitmap. */
static void settle(struct region *r)
{
    for (size_t i = 0; r->written && i < region_cells(r); i++)
        if (cell_of(r, i) & ~r->written[i]) return;
    free(r->written);
    r->written = NULL;
}

/* A bitmap exists only while some byte is unwritten: the first bytes marked unwritten create it,
 * and marking the whole allocation as written frees it. */
void sim_mark(struct sim_memory *m, uint64_t addr, size_t bytes, int written)
{
    long i = before(m, addr);
    struct region *r = i < 0 ? NULL : &m->regions[i];
    if (!bytes || !r || addr - r->addr >= r->bytes || bytes > r->bytes - (addr - r->addr)) return;
    uint64_t lo = addr - r->addr, hi = lo + bytes;
    if (!r->written && written) return;
    if (bytes == r->bytes || !r->written) {
        free(r->written);
        r->written = NULL;
        if (written) return;
        r->written = xcalloc(region_cells(r), sizeof *r->written);
        if (bytes == r->bytes) return;
        memset(r->written, 0xff, region_cells(r) * sizeof *r->written);
    }
    for (size_t c = lo / 64; c <= (hi - 1) / 64; c++) {
        uint64_t from = lo > c * 64 ? ~(uint64_t)0 << lo % 64 : ~(uint64_t)0;
        uint64_t to = hi < c * 64 + 64 ? ((uint64_t)1 << hi % 64) - 1 : ~(uint64_t)0;
        r->written[c] = written ? r->written[c] | (from & to) : r->written[c] & ~(from & to);
    }
}

/* The allocation that an argument of a kernel points to: the one that contains the address, else
 * the nearest. NULL: the value is far below the first address, so it is no pointer. */
static struct region *pointed_at(struct sim_memory *m, uint64_t value)
{
    const struct region *r = sim_region(m, value);
    if (!r && value >= FIRST_ADDRESS / 2) r = sim_region_near(m, value);
    return r ? &m->regions[r - m->regions] : NULL;
}

/* Finds the regions that the kernel may write (targets) among the launch's arguments. If blocks run
 * in order, the bytes that they write are marked in the region's bitmap itself, so that later
 * blocks see them as written. Otherwise they are marked in a fresh bitmap, which sim_fresh
 * allocates at the first write. A launch without checks marks nothing. */
void sim_begin_writes(struct sim_memory *m, const struct sim_kernel *k, const unsigned char *params,
    int in_order, int checked)
{
    const struct targets *t = &k->targets;
    for (size_t i = 0; i < m->count; i++) {
        struct region *r = &m->regions[i];
        if (checked) settle(r);
        r->target = t->any;
        r->fresh = checked && in_order ? r->written : NULL;
    }
    for (int i = 0; i < t->count; i++) {
        uint64_t value = t->list[i].value;
        if (t->list[i].is_param && value + 8 <= k->program->param_bytes)
            memcpy(&value, params + value, 8);
        struct region *r = pointed_at(m, value);
        if (r) r->target = 1;
    }
}

/* The region's bitmap of bytes written in this launch. If several threads allocate that bitmap at
 * once, one of theirs is kept. */
uint64_t *sim_fresh(const struct region *of)
{
    /* removes const: regions belong to sim_memory and are not constant */
    struct region *r = (struct region *)(uintptr_t)of;
    uint64_t *fresh = __atomic_load_n(&r->fresh, __ATOMIC_ACQUIRE), *made;
    if (fresh || !r->written) return fresh;
    made = xcalloc(region_cells(r), sizeof *made);
    if (__atomic_compare_exchange_n(&r->fresh, &fresh, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return fresh;
}

struct across *sim_across(const struct region *of)
{
    struct region *r = (struct region *)(uintptr_t)of; /* removes const, as in sim_fresh */
    struct across *now = __atomic_load_n(&r->across, __ATOMIC_ACQUIRE), *made;
    if (now) return now;
    made = xcalloc(r->bytes / 128 + 1, sizeof *made);
    if (__atomic_compare_exchange_n(&r->across, &now, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return now;
}

unsigned char *sim_first(const struct region *of)
{
    struct region *r = (struct region *)(uintptr_t)of; /* removes const, as in sim_fresh */
    if (!r->first) r->first = xcalloc(r->bytes + 128, 1);
    return r->first;
}

static void end_across(struct region *r)
{
    free(r->across), free(r->first);
    r->across = NULL, r->first = NULL;
}

/* Merge the fresh bitmaps into the regions' own. */
void sim_share_writes(struct sim_memory *m)
{
    for (size_t i = 0; i < m->count; i++) {
        struct region *r = &m->regions[i];
        for (size_t c = 0; r->fresh && r->fresh != r->written && c < region_cells(r); c++)
            r->written[c] |= r->fresh[c];
    }
}

/* Merge the bitmaps of bytes written in this launch into the regions' own, and free them. */
void sim_end_writes(struct sim_memory *m)
{
    sim_share_writes(m);
    for (size_t i = 0; i < m->count; i++) {
        struct region *r = &m->regions[i];
        end_across(r);
        if (!r->fresh) continue;
        if (r->fresh != r->written) free(r->fresh);
        r->fresh = NULL;
        settle(r);
    }
}

/* Called after a launch that did not record its writes: all buffers that it may have written count
 * as written. */
void sim_trust_writes(struct sim_memory *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->regions[i].target) {
            free(m->regions[i].written);
            m->regions[i].written = NULL;
        }
}

/* ---- words owned by one multiprocessor ---- */

int sim_own_begin(struct sim_memory *m, const struct sim_kernel *k)
{
    enum { MOST = 64 << 20 };
    size_t bytes = 0;
    for (size_t i = 0; i < m->count; i++) bytes += m->regions[i].target ? m->regions[i].bytes : 0;
    if (k->targets.any || bytes > MOST) return -1;
    for (size_t i = 0; i < m->count; i++) {
        struct region *r = &m->regions[i];
        if (!r->target) continue;
        r->owner = xcalloc(r->bytes / 4 + 1, sizeof *r->owner);
        r->before = xcalloc(r->bytes, 1);
        memcpy(r->before, r->host, r->bytes);
    }
    return 0;
}

/* The array r->owner holds 1 + the multiprocessor's number for each word; 0: nobody owns the word
 * yet. */
int sim_own(const struct region *r, int sm, uint64_t line, uint32_t words)
{
    uint16_t me = (uint16_t)(sm + 1);
    for (uint32_t m = words; m; m &= m - 1) {
        uint16_t *at = &r->owner[(line * 128 - r->addr) / 4 + (unsigned)__builtin_ctz(m)];
        uint16_t owner = __atomic_load_n(at, __ATOMIC_RELAXED);
        if (owner == me) continue;
        if (owner ||
            !__atomic_compare_exchange_n(at, &owner, me, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return 0;
    }
    return 1;
}

/* If the launch's writes are undone, the bytes that it wrote do not count as written. */
void sim_own_end(struct sim_memory *m, int undo)
{
    for (size_t i = 0; i < m->count; i++) {
        struct region *r = &m->regions[i];
        if (!r->owner) continue;
        if (undo) memcpy(r->host, r->before, r->bytes);
        if (undo && r->fresh != r->written) free(r->fresh), r->fresh = NULL;
        if (undo) end_across(r);
        free(r->owner), free(r->before);
        r->owner = NULL, r->before = NULL;
    }
}
