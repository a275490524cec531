/* fault.c - the message about an access that is out of bounds or misaligned, in the learner's
 * terms.
 *
 *     reads a[4096]; a has 4096 elements
 *     reads a[4094] to a[4097]; a has 4095 elements: where not all 4 are inside, take them one by one
 *     writes tile[32][0]; tile has 32 x 32 elements
 *     writes byte 64 of shared memory; the block has 64 bytes
 *
 * These functions are called after a check has failed, and find out why. Each ends in sim_fault,
 * which adds line, block and thread and does not return; sim_stray alone returns if the launch goes
 * on after findings. */
#include "sim/check/names.h"

#include <stdio.h>
#include <string.h>

/* Reports a misaligned access. The address must be a multiple of the access's size, which for a
 * vector is that of the whole vector. Source: PTX ISA, ld and st. */
static void fault_misaligned(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, const char *verb)
{
    unsigned n = (unsigned)u->bytes * u->vector;
    const struct region *r = sim_region(v->worker->launch->memory, addr);
    if (r)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_MISALIGNED),
            "%s %u bytes of %s at byte %llu, which is not a multiple of %u", verb, n, r->name,
            (unsigned long long)(addr - r->addr), n);
    sim_fault(v, u, lane, FAULT(.kind = FOUND_MISALIGNED),
        "%s %u bytes at address %llu, which is not a multiple of %u", verb, n,
        (unsigned long long)addr, n);
}

/* Reports an access to shared memory. If the address lies in shared memory, the fault can only be
 * misalignment. If the block has no shared memory at all, the launch probably did not request
 * any. */
static void fault_shared(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, const char *verb)
{
    uint64_t bytes = (uint64_t)u->bytes * u->vector;
    if (addr % bytes && addr < v->worker->shared_bytes && bytes <= v->worker->shared_bytes - addr)
        fault_misaligned(v, u, lane, addr, verb);
    struct named n;
    char word[96], shape[64];
    if (names_array(v->worker, u->step, addr, &n)) {
        names_element(&n, addr, word, sizeof word);
        names_shape(&n, shape, sizeof shape);
        sim_fault(v, u, lane, names_finding(FOUND_OUTSIDE, &n, addr), "%s %s; %s has %s element%s",
            verb, word, n.name, shape, strcmp(shape, "1") ? "s" : "");
    }
    sim_fault(v, u, lane, FAULT(.kind = FOUND_OUTSIDE),
        "%s byte %lld of shared memory; the block has %zu byte%s%s", verb, (long long)(int64_t)addr,
        v->worker->shared_bytes, plural_s(v->worker->shared_bytes),
        v->worker->shared_bytes
            ? ""
            : "\1: was dynamic shared memory asked for, by LAUNCH_SHARED, --shared or the third "
              "argument of <<< >>>?");
}

/* The bytes of an element: those of the access where the region has bytes, as PTX says of all
 * arrays. */
static size_t element_of(const struct region *r, const struct uop *u)
{
    return r->element == 1 && u->bytes && r->bytes % u->bytes == 0 ? u->bytes : r->element;
}

/* Reports an access of several elements that begins within an allocation and ends beyond it.
 * Returns without a report if the access has only one element. */
static void fault_end(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, const char *verb)
{
    size_t element = element_of(r, u);
    uint64_t bytes = (uint64_t)u->bytes * u->vector, count = r->bytes / element;
    uint64_t first = (addr - r->addr) / element, last = (addr - r->addr + bytes - 1) / element;
    if (bytes <= element) return;
    sim_fault(v, u, lane, sim_element(FOUND_OUTSIDE, r->name, (long long)first, (long long)count),
        "%s %s[%llu] to %s[%llu]; %s has %llu element%s: where not all %llu are inside, "
        "take them one by one",
        verb, r->name, (unsigned long long)first, r->name, (unsigned long long)last, r->name,
        (unsigned long long)count, plural_s(count), (unsigned long long)(last - first + 1));
}

void sim_fault_readonly(
    struct batch *v, const struct uop *u, int lane, const struct region *r, uint64_t addr)
{
    size_t element = element_of(r, u);
    long long index = (long long)((addr - r->addr) / element);
    struct finding found =
        sim_element(FOUND_READ_ONLY, r->name, index, (long long)(r->bytes / element));
    if (r->readonly == SIM_INPUT)
        sim_fault(v, u, lane, found, "writes %s[%lld]; %s is an input, which may only be read",
            r->name, index, r->name);
    sim_fault(v, u, lane, found, "writes %s, which is only to be read", r->name);
}

/* Describes an address outside of all allocations as an index of the nearest one. */
static struct finding beyond(const struct region *r, const struct uop *u, uint64_t addr,
    const char *verb, char *out, size_t size)
{
    int64_t offset = (int64_t)(addr - r->addr), element = (int64_t)element_of(r, u);
    /* rounded down, so that the byte before the start has index -1 */
    int64_t index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
    uint64_t count = r->bytes / (uint64_t)element;
    snprintf(out, size, "%s %s[%lld]; %s has %llu element%s", verb, r->name, (long long)index,
        r->name, (unsigned long long)count, plural_s(count));
    return sim_element(FOUND_OUTSIDE, r->name, index, (long long)count);
}

/* Has the launch a thread for each of so many elements, and others in its last block alone? */
static int ends_in_last_block(const struct launch *l, uint64_t count)
{
    uint64_t threads = l->blocks * (uint64_t)l->block_threads;
    return threads >= count && threads - count < (uint64_t)l->block_threads;
}

/* Reports an access to global memory: an address within an allocation is reported as misaligned, a
 * small one as a null pointer, and any other as an index of the nearest allocation. */
void sim_fault_access(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, enum ptx_space space, int write)
{
    const char *verb = write ? "writes" : "reads";
    char text[200];
    if (space == SPACE_SHARED) fault_shared(v, u, lane, addr, verb);
    if (space == SPACE_LOCAL)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_OUTSIDE),
            "%s byte %lld of its local memory, which has %zu byte%s", verb,
            (long long)(int64_t)addr, v->worker->local_bytes, plural_s(v->worker->local_bytes));
    if (space == SPACE_PARAM)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_OUTSIDE),
            "%s byte %lld of the kernel's parameters, which have %zu", verb,
            (long long)(int64_t)addr, v->worker->kernel->program->param_bytes);
    const struct region *r = sim_region(v->worker->launch->memory, addr);
    if (r && addr - r->addr + (uint64_t)u->bytes * u->vector <= r->bytes)
        fault_misaligned(v, u, lane, addr, verb);
    if (r) fault_end(v, u, lane, r, addr, verb);
    if (addr < 1 << 20)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_OUTSIDE), "%s address 0x%llx: a null pointer",
            verb, (unsigned long long)addr);
    r = sim_region_near(v->worker->launch->memory, addr);
    int beside = r && addr + SIM_ALIGN > r->addr && addr < r->addr + r->bytes + SIM_ALIGN;
    if (!beside && sim_host_memory(addr))
        sim_fault(v, u, lane, FAULT(.kind = FOUND_OUTSIDE),
            "%s address 0x%llx, which is the host's memory (malloc, new or a variable): a kernel gets "
            "to what cudaMalloc or cudaMallocManaged gave, filled by cudaMemcpy",
            verb, (unsigned long long)addr);
    if (!r)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_OUTSIDE),
            "%s address 0x%llx; nothing is allocated there", verb, (unsigned long long)addr);
    struct finding found = beyond(r, u, addr, verb, text, sizeof text);
    struct launch *l = v->worker->launch;
    /* would the index fit, had the allocation as many elements as it has bytes? */
    int bytes = l->notes && r->element > 1 && found.index >= found.extent &&
                (uint64_t)found.index < r->bytes && ends_in_last_block(l, r->bytes);
    if (bytes)
        sim_fault(v, u, lane, found,
            "%s\1; it was allocated with %zu bytes, and an element has %zu: is a "
            "sizeof missing?",
            text, r->bytes, r->element);
    if (l->notes && found.index >= found.extent && ends_in_last_block(l, (uint64_t)found.extent))
        sim_fault(v, u, lane, found,
            "%s\1; the last block has threads beyond that: is a test such as `if (i < n)` missing?",
            text);
    sim_fault(v, u, lane, found, "%s", text);
}

void sim_stray(struct batch *v, const struct uop *u, int lane, uint64_t addr, int write)
{
    char text[200];
    const struct region *r = sim_region_near(v->worker->launch->memory, addr);
    if (sim_known(v, u, FOUND_OUTSIDE)) return;
    struct finding found = beyond(r, u, addr, write ? "writes" : "reads", text, sizeof text);
    sim_warn(v, u, lane, found, "%s", text);
}
