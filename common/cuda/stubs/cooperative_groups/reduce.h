/* reduce.h - cooperative_groups::reduce: every thread of a tile or a coalesced group gets the result.
 * A tile exchanges halves (shfl.bfly); other groups fold the upper ranks onto the lower ones.
 * Source: CUDA C++ Programming Guide, Cooperative Groups, reduce. */
#ifndef LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_REDUCE_H
#define LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

#ifdef LOCKSTEP_CLANG_H
#pragma clang system_header

namespace cooperative_groups {

template <unsigned N, class Parent, class T, class Op>
LOCKSTEP_MEMBER_ T reduce(const thread_block_tile<N, Parent> &g, T v, Op &&op)
{
    if constexpr (N > 32) return g.reduced(v, op);
    else {
#pragma unroll
        for (unsigned half = N / 2; half; half /= 2) {
            T other = g.shfl_xor(v, half);
            v = op(v, other);
        }
        return v;
    }
}

template <class T, class Op> LOCKSTEP_MEMBER_ T reduce(const coalesced_group &g, T v, Op &&op)
{
    unsigned rank = g.thread_rank(), size = g.size();
    for (unsigned half = 16; half; half /= 2) {
        if (half >= size) continue;
        T other = g.shfl_down(v, half);
        if (rank + half < size) v = op(v, other);
    }
    return g.shfl(v, 0);
}
}

#endif
#endif
