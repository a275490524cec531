/* cooperative_cluster.h - the blocks of a cluster, which run at the same time and reach each other's
 * shared memory. Part of cooperative_groups.h. A kernel is launched in clusters by cudaLaunchKernelEx.
 *
 * Source: CUDA C++ Programming Guide, Cooperative Groups, cluster group; PTX ISA, barrier.cluster, mapa. */
#ifndef LOCKSTEP_STANDIN_CLUSTER_H
#define LOCKSTEP_STANDIN_CLUSTER_H

#define LOCKSTEP_CLUSTER_(name, reg)                                                               \
    LOCKSTEP_FN_ unsigned name()                                                                   \
    {                                                                                              \
        unsigned value;                                                                            \
        asm("mov.u32 %0, %" reg ";" : "=r"(value));                                                \
        return value;                                                                              \
    }

namespace cooperative_groups {
namespace lockstep_ {
LOCKSTEP_CLUSTER_(cluster_rank, "%cluster_ctarank")
LOCKSTEP_CLUSTER_(cluster_blocks, "%cluster_nctarank")
LOCKSTEP_CLUSTER_(cluster_x, "%cluster_ctaid.x")
LOCKSTEP_CLUSTER_(cluster_y, "%cluster_ctaid.y")
LOCKSTEP_CLUSTER_(cluster_z, "%cluster_ctaid.z")
LOCKSTEP_CLUSTER_(cluster_dim_x, "%cluster_nctaid.x")
LOCKSTEP_CLUSTER_(cluster_dim_y, "%cluster_nctaid.y")
LOCKSTEP_CLUSTER_(cluster_dim_z, "%cluster_nctaid.z")
}
#undef LOCKSTEP_CLUSTER_

class cluster_group {
    LOCKSTEP_MEMBER_ cluster_group() {}
    friend LOCKSTEP_MEMBER_ cluster_group this_cluster();

public:
    struct arrival_token {};
    LOCKSTEP_MEMBER_ static arrival_token barrier_arrive()
    {
        asm volatile("barrier.cluster.arrive;" ::: "memory");
        return {};
    }
    LOCKSTEP_MEMBER_ static void barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
    LOCKSTEP_MEMBER_ static void barrier_wait(arrival_token &&) { barrier_wait(); }
    LOCKSTEP_MEMBER_ static void sync()
    {
        barrier_arrive();
        barrier_wait();
    }
    /* The address in the shared memory of block `rank` that corresponds to p in this block. */
    template <class T> LOCKSTEP_MEMBER_ static T *map_shared_rank(T *p, int rank)
    {
        T *there;
        asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
        return there;
    }
    LOCKSTEP_MEMBER_ static unsigned num_blocks() { return lockstep_::cluster_blocks(); }
    LOCKSTEP_MEMBER_ static unsigned block_rank() { return lockstep_::cluster_rank(); }
    LOCKSTEP_MEMBER_ static unsigned num_threads() { return num_blocks() * lockstep_::block_threads(); }
    LOCKSTEP_MEMBER_ static unsigned size() { return num_threads(); }
    LOCKSTEP_MEMBER_ static unsigned thread_rank()
    {
        return block_rank() * lockstep_::block_threads() + lockstep_::block_rank();
    }
    LOCKSTEP_MEMBER_ static dim3 dim_blocks()
    {
        return dim3(lockstep_::cluster_dim_x(), lockstep_::cluster_dim_y(), lockstep_::cluster_dim_z());
    }
    LOCKSTEP_MEMBER_ static dim3 block_index()
    {
        return dim3(lockstep_::cluster_x(), lockstep_::cluster_y(), lockstep_::cluster_z());
    }
};

LOCKSTEP_MEMBER_ inline cluster_group this_cluster() { return cluster_group(); }
}

#endif
