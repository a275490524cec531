/* scan.h - cooperative_groups::inclusive_scan and exclusive_scan, by rank in a tile or a coalesced group.
 *
 *     rank     0   1   2   3        after step 1: each has its own and the one before
 *     value    a  ab  bc  cd        after step 2: and the two before those: a, ab, abc, abcd
 *
 * The exclusive scan of rank 0 is T(), which is 0 for sums.
 * Source: CUDA C++ Programming Guide, Cooperative Groups, inclusive_scan and exclusive_scan. */
#ifndef LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_SCAN_H
#define LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups.h>

#ifdef LOCKSTEP_CLANG_H
#pragma clang system_header

namespace cooperative_groups {

template <class Group, class T, class Op> LOCKSTEP_MEMBER_ T inclusive_scan(const Group &g, T v, Op &&op)
{
    unsigned rank = g.thread_rank(), size = g.size();
    for (unsigned by = 1; by < size; by *= 2) {
        T other = g.shfl_up(v, by);
        if (rank >= by) v = op(other, v);
    }
    return v;
}

template <class Group, class T, class Op> LOCKSTEP_MEMBER_ T exclusive_scan(const Group &g, T v, Op &&op)
{
    T all = inclusive_scan(g, v, op), before = g.shfl_up(all, 1);
    return g.thread_rank() ? before : T();
}

template <class Group, class T> LOCKSTEP_MEMBER_ T inclusive_scan(const Group &g, T v)
{
    return inclusive_scan(g, v, plus<T>());
}
template <class Group, class T> LOCKSTEP_MEMBER_ T exclusive_scan(const Group &g, T v)
{
    return exclusive_scan(g, v, plus<T>());
}
}

#endif
#endif
