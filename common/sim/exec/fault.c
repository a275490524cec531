/* fault.c - a memory access that cannot be: said in the learner's terms. */
#include "sim/machine.h"

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void fault_misaligned(struct batch *v, const struct uop *u, int lane, uint64_t addr, const char *verb)
{
    unsigned n = (unsigned)u->bytes * u->vector;
    const struct region *r = sim_region(v->worker->launch->memory, addr);
    if (r)
        sim_fault(v, u, lane, "%s %u bytes of %s at byte %llu, which is not a multiple of %u", verb, n, r->name,
                  (unsigned long long)(addr - r->addr), n);
    sim_fault(v, u, lane, "%s %u bytes at address %llu, which is not a multiple of %u", verb, n, (unsigned long long)addr, n);
}

static void fault_shared(struct batch *v, const struct uop *u, int lane, uint64_t addr, const char *verb)
{
    if (addr < v->worker->shared_bytes)
        fault_misaligned(v, u, lane, addr, verb);
    sim_fault(v, u, lane, "%s byte %lld of shared memory; the block has %zu byte%s%s", verb, (long long)(int64_t)addr,
              v->worker->shared_bytes, plural(v->worker->shared_bytes),
              v->worker->shared_bytes ? "" : ": was dynamic shared memory asked for, by LAUNCH_SHARED or --shared?");
}

void sim_fault_access(struct batch *v, const struct uop *u, int lane, uint64_t addr, enum ptx_space space, int write)
{
    const char *verb = write ? "writes" : "reads";
    if (space == SPACE_SHARED)
        fault_shared(v, u, lane, addr, verb);
    if (space == SPACE_LOCAL)
        sim_fault(v, u, lane, "%s byte %lld of its local memory, which has %zu byte%s", verb, (long long)(int64_t)addr,
                  v->worker->local_bytes, plural(v->worker->local_bytes));
    if (space == SPACE_PARAM)
        sim_fault(v, u, lane, "%s byte %lld of the kernel's parameters, which have %zu", verb, (long long)(int64_t)addr,
                  v->worker->kernel->program->param_bytes);
    const struct region *r = sim_region(v->worker->launch->memory, addr);
    if (r && addr - r->addr + (uint64_t)u->bytes * u->vector <= r->bytes)
        fault_misaligned(v, u, lane, addr, verb);
    if (addr < 1 << 20)
        sim_fault(v, u, lane, "%s address 0x%llx: a null pointer", verb, (unsigned long long)addr);
    r = sim_region_near(v->worker->launch->memory, addr);
    if (!r)
        sim_fault(v, u, lane, "%s address 0x%llx; nothing is allocated there", verb, (unsigned long long)addr);
    int64_t offset = (int64_t)(addr - r->addr), element = (int64_t)r->element;
    int64_t index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
    uint64_t count = r->bytes / r->element;
    sim_fault(v, u, lane, "%s %s[%lld]; %s has %llu element%s", verb, r->name, (long long)index, r->name,
              (unsigned long long)count, plural(count));
}
