/* cluster.c - thread block clusters: which blocks form one, how resident blocks are interleaved,
 * and which block's shared memory an address lies in. If a kernel polls global memory, its blocks
 * are interleaved too, since they may wait for each other.
 *
 *     multiprocessor 0   | block 0 of cluster 0 | ...
 *     multiprocessor 1   | block 1 of cluster 0 | ...     each runs until it ends, waits for its cluster, or
 *     multiprocessor 2   | block 0 of cluster 1 | ...     polls; then the next one runs
 *
 * Blocks start in the order of their numbers. So the lowest cluster that has not ended has all of
 * its blocks on the GPU, and one of them can always continue. A barrier of the cluster is passed
 * once all of its blocks wait there or have ended.
 *
 * Races between the blocks of a cluster are not detected.
 *
 * Source: as in cluster.h. */
#include "sim/cluster.h"
#include "sim/exec/mem.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 16, PORTABLE_BLOCKS = 8 };

/* ---- the size of clusters, and the blocks in each ---- */

int cluster_shape(struct launch *l, const char *name, struct err *e)
{
    const unsigned *asked = l->kernel->program->kernel->cluster;
    static const char axes[] = "xyz";
    l->cluster = 1;
    for (int i = 0; i < 3; i++) {
        unsigned *n = &l->shape.cluster[i];
        if (!*n) *n = asked[i] ? asked[i] : 1;
        if (asked[i] && *n != asked[i])
            return err_set(e, ERR_LEARNER,
                "%s: is launched in clusters of %u blocks in %c; the kernel says %u", name, *n,
                axes[i], asked[i]);
        if (l->shape.grid[i] % *n)
            return err_set(e, ERR_LEARNER,
                "%s: the grid has %u blocks in %c, which are no whole clusters of %u", name,
                l->shape.grid[i], axes[i], *n);
        if (*n > MOST_BLOCKS || (l->cluster *= *n) > MOST_BLOCKS)
            return err_set(e, ERR_LEARNER,
                "%s: has more than %d blocks in a cluster; %d are possible on each GPU that has clusters",
                name, MOST_BLOCKS, PORTABLE_BLOCKS);
    }
    if (l->cluster > PORTABLE_BLOCKS && model_has(l->profile, FEATURE_CLUSTERS) &&
        !model_has(l->profile, FEATURE_LARGE_CLUSTERS))
        return err_set(e, ERR_LEARNER,
            "%s: has clusters of %u blocks; on %s a cluster has at most %d: GPUs have more %s",
            name, l->cluster, l->profile->title, PORTABLE_BLOCKS,
            model_features[FEATURE_LARGE_CLUSTERS].where);
    if (l->cluster > 1 && !model_has(l->profile, FEATURE_CLUSTERS))
        return err_set(e, ERR_LEARNER,
            "%s: has clusters of %u blocks; %s has none: GPUs have them %s", name, l->cluster,
            l->profile->title, model_features[FEATURE_CLUSTERS].where);
    if (l->cluster > 1 && l->kernel->grid_sync)
        return err_set(e, ERR_LEARNER,
            "%s: has clusters and a barrier of all blocks, which are not simulated together", name);
    return 0;
}

static uint64_t common_factor(uint64_t a, uint64_t b) { return b ? common_factor(b, a % b) : a; }

void cluster_order(struct launch *l, uint64_t seed)
{
    uint64_t clusters = l->blocks / l->cluster;
    struct rng rng;
    l->stride = 1, l->first = 0;
    if (!seed) return;
    rng_seed(&rng, seed);
    do l->stride = 1 + rng_below(&rng, clusters);
    while (common_factor(l->stride, clusters) > 1);
    l->first = rng_below(&rng, clusters);
}

void cluster_place(const struct launch *l, uint64_t block, unsigned ctaid[3])
{
    uint64_t rank = block % l->cluster,
             cluster = (block / l->cluster * l->stride + l->first) % (l->blocks / l->cluster);
    for (int i = 0; i < 3; i++) {
        unsigned n = l->cluster > 1 ? l->shape.cluster[i] : 1, clusters = l->shape.grid[i] / n;
        ctaid[i] = (unsigned)(cluster % clusters * n + rank % n);
        cluster /= clusters;
        rank /= n;
    }
}

uint64_t cluster_sreg(const struct worker *w, int which)
{
    const struct launch *l = w->launch;
    int axis = (which - SREG_CLUSTERID_X) % 3;
    unsigned n = l->cluster > 1 ? l->shape.cluster[axis] : 1;
    switch (which) {
    case SREG_CLUSTERID_X:
    case SREG_CLUSTERID_Y:
    case SREG_CLUSTERID_Z: return w->ctaid[axis] / n;
    case SREG_NCLUSTERID_X:
    case SREG_NCLUSTERID_Y:
    case SREG_NCLUSTERID_Z: return l->shape.grid[axis] / n;
    case SREG_CLUSTER_CTAID_X:
    case SREG_CLUSTER_CTAID_Y:
    case SREG_CLUSTER_CTAID_Z: return w->ctaid[axis] % n;
    case SREG_CLUSTER_NCTAID_X:
    case SREG_CLUSTER_NCTAID_Y:
    case SREG_CLUSTER_NCTAID_Z: return n;
    case SREG_CLUSTER_CTARANK: return w->block % l->cluster;
    case SREG_CLUSTER_NCTARANK: return l->cluster;
    default: return l->cluster > 1; /* the only other register of this kind: %is_explicit_cluster */
    }
}

/* ---- the block whose shared memory an address lies in ---- */

static struct worker *seat_of(const struct launch *l, uint64_t block)
{
    struct worker *seats = &l->workers[block % (uint64_t)l->sms * (uint64_t)l->seats];
    for (int i = 0; i < l->seats; i++)
        if (seats[i].busy && seats[i].block == block) return &seats[i];
    return NULL;
}

struct worker *cluster_owner(struct worker *w, uint64_t *addr)
{
    const struct launch *l = w->launch;
    uint64_t rank = (*addr & UINT32_MAX) >> PEER_SHIFT;
    if (!rank) return w;
    *addr &= ((uint64_t)1 << PEER_SHIFT) - 1;
    if (rank - 1 == w->block % l->cluster) return w;
    return rank > l->cluster ? NULL : seat_of(l, w->block - w->block % l->cluster + rank - 1);
}

struct worker *cluster_reach(
    struct batch *v, const struct uop *u, uint64_t *addr, int lane, uint64_t bytes)
{
    unsigned rank = (unsigned)((*addr & UINT32_MAX) >> PEER_SHIFT) - 1,
             cluster = v->worker->launch->cluster;
    struct worker *w = cluster_owner(v->worker, addr);
    if (!w && rank >= cluster)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_BARRIER),
            "reaches for shared memory of block %u of a cluster of %u", rank, cluster);
    if (!w)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_BARRIER),
            "reaches for shared memory of block %u of its cluster, which has not begun or has ended; a "
            "barrier of the cluster belongs before the first such access, and before a block ends",
            rank);
    if (*addr > w->shared_bytes || bytes > w->shared_bytes - *addr)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_BARRIER),
            "reaches for %llu bytes at byte %llu of shared memory of block %u of its cluster; it has %zu",
            (unsigned long long)bytes, (unsigned long long)*addr, rank, w->shared_bytes);
    return w;
}

/* ---- interleaving resident blocks ---- */

/* State of the interleaved execution. ended, waiting: for each cluster, how many of its blocks have
 * ended, and how many wait at the cluster's barrier. */
struct turns {
    struct crew *crew;
    uint64_t *next; /* for each multiprocessor: the number of the block that starts there next */
    uint16_t *ended, *waiting;
};

/* If blocks are left for multiprocessor sm, start the next one in the free block slot w. */
static void seat_block(struct turns *t, struct worker *w, int sm)
{
    struct crew *c = t->crew;
    if (t->next[sm] >= c->end) return;
    w->busy = 1;
    start_block(w, t->next[sm]);
    t->next[sm] += (uint64_t)c->launch->sms;
}

/* Run once the block in each slot, if it can continue. Returns whether any could; *busy: whether
 * any slot holds a block. */
static int take_turns(struct turns *t, uint64_t horizon, int *busy)
{
    struct crew *c = t->crew;
    int ran = 0;
    *busy = 0;
    for (int i = 0; i < c->launch->sms * c->seats; i++) {
        struct worker *w = &c->workers[i];
        if (!w->busy) seat_block(t, w, i / c->seats);
        *busy |= w->busy;
        if (!w->busy || w->at_grid || w->clock >= horizon) continue;
        w->horizon = horizon;
        crew_run_seat(c, w);
        if (atomic_load(&c->launch->first_fault) != UINT64_MAX) return 0;
        t->ended[w->block / c->launch->cluster] += !w->busy;
        ran = 1;
    }
    return ran;
}

/* Find the clusters whose blocks all wait at the cluster's barrier or have ended, and let their
 * blocks continue. Returns whether there was such a cluster. */
static int pass_clusters(struct turns *t)
{
    struct crew *c = t->crew;
    const struct launch *l = c->launch;
    int passed = 0, seats = l->sms * c->seats;
    memset(t->waiting, 0, l->blocks / l->cluster * sizeof *t->waiting);
    for (int i = 0; i < seats; i++)
        if (c->workers[i].busy && c->workers[i].at_grid)
            t->waiting[c->workers[i].block / l->cluster]++;
    for (int i = 0; i < seats; i++) {
        struct worker *w = &c->workers[i];
        uint64_t of = w->block / l->cluster;
        if (!w->busy || !w->at_grid || t->waiting[of] + t->ended[of] < l->cluster) continue;
        pass_grid(w, w->clock);
        passed = 1;
    }
    return passed;
}

void cluster_run(struct crew *c)
{
    const struct launch *l = c->launch;
    struct turns t = {c, xcalloc((size_t)l->sms, sizeof *t.next),
        xcalloc(l->blocks / l->cluster, sizeof *t.ended),
        xcalloc(l->blocks / l->cluster, sizeof *t.waiting)};
    uint64_t slice = trace_slice(c->workers[0].trace), horizon = slice;
    for (int sm = 0; sm < l->sms; sm++) {
        t.next[sm] = (uint64_t)sm;
        trace_start_sm(c->workers[sm * c->seats].trace, sm);
        if (l->watch) trace_forget(c->workers[sm * c->seats].trace);
        for (int i = 0; i < c->seats; i++) c->workers[sm * c->seats + i].sm = sm;
    }
    for (int busy = 1; busy;) {
        int ran = take_turns(&t, horizon, &busy);
        if (atomic_load(&l->first_fault) != UINT64_MAX) break;
        if (pass_clusters(&t) || ran) continue;
        for (int sm = 0; sm < l->sms; sm++)
            trace_follow(c->workers[sm * c->seats].trace, busy ? horizon : UINT64_MAX);
        horizon += slice;
    }
    free(t.next);
    free(t.ended);
    free(t.waiting);
}
