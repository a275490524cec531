/* shape.c - checks that the grid and block sizes of a launch are possible on its GPU.
 *
 * Source: CUDA C++ Programming Guide, Technical Specifications per Compute Capability. */
#include "sim/cluster.h"
#include "sim/crew.h"

int shape_check(struct launch *l, const char *name, struct err *e)
{
    const struct model_profile *p = l->profile;
    const struct sim_shape *s = &l->shape;
    static const char axes[] = "xyz";
    for (int i = 0; i < 3; i++) {
        if (s->block[i] < 1 || s->block[i] > p->max_block_dim[i])
            return err_set(e, ERR_LEARNER, "%s: a block has %u threads in %c; %s takes 1 to %u",
                name, s->block[i], axes[i], p->title, p->max_block_dim[i]);
        if (s->grid[i] < 1 || s->grid[i] > p->max_grid_dim[i])
            return err_set(e, ERR_LEARNER, "%s: the grid has %u blocks in %c; %s takes 1 to %u",
                name, s->grid[i], axes[i], p->title, p->max_grid_dim[i]);
    }
    uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
    if (threads > (uint64_t)p->max_block_threads)
        return err_set(e, ERR_LEARNER,
            "%s: a block of %u x %u x %u has %llu threads; %s takes up to %d", name, s->block[0],
            s->block[1], s->block[2], (unsigned long long)threads, p->title, p->max_block_threads);
    unsigned most = l->kernel->program->kernel->max_threads;
    if (most && threads > most)
        return err_set(e, ERR_LEARNER,
            "%s: a block has %llu threads, but __launch_bounds__ promises at most %u", name,
            (unsigned long long)threads, most);
    if (l->shared_bytes > (size_t)p->shared_block_bytes)
        return err_set(e, ERR_LEARNER,
            "%s: a block needs %zu bytes of shared memory; %s has %d a block", name,
            l->shared_bytes, p->title, p->shared_block_bytes);
    return cluster_shape(l, name, e);
}

int shape_check_grid(const struct launch *l, const char *name, struct err *e)
{
    uint64_t most = (uint64_t)l->resident * (uint64_t)l->profile->sms;
    if (!l->kernel->grid_sync || l->blocks <= most) return 0;
    return err_set(e, ERR_LEARNER,
        "%s: grid.sync() needs all blocks on the GPU at once; the grid has %llu, and %s holds %llu of this "
        "size: launch fewer, and let each loop",
        name, (unsigned long long)l->blocks, l->profile->title, (unsigned long long)most);
}
