/* memcpy_async.h - cooperative_groups::memcpy_async: the group copies bytes; wait lets them be read.
 * From global to shared memory by cp.async, in units of 16, 8 or 4 bytes that both addresses allow; else
 * a plain copy. Each call is a group of copies of its own, which wait_prior<N> counts.
 * Source: CUDA C++ Programming Guide, Cooperative Groups, memcpy_async. */
#ifndef LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#ifdef LOCKSTEP_CLANG_H
#pragma clang system_header

namespace cooperative_groups {

template <class Group, class T, class U, class Shape>
LOCKSTEP_MEMBER_ void memcpy_async(const Group &g, T *to, const U *from, const Shape &shape)
{
    lockstep_async_::copy(g.thread_rank(), g.num_threads(), to, from, (size_t)shape);
    __pipeline_commit();
}

/* If the sizes of destination and source differ, as many elements as the smaller one has are copied. */
template <class Group, class T, class U, class Room, class Shape>
LOCKSTEP_MEMBER_ void memcpy_async(
    const Group &g, T *to, const Room &room, const U *from, const Shape &shape)
{
    size_t most = (size_t)room, count = (size_t)shape;
    memcpy_async(g, to, from, (count < most ? count : most) * sizeof(T));
}

template <unsigned stages, class Group> LOCKSTEP_MEMBER_ void wait_prior(const Group &g)
{
    __pipeline_wait_prior(stages);
    g.sync();
}
template <class Group> LOCKSTEP_MEMBER_ void wait(const Group &g) { wait_prior<0>(g); }
}

#endif
#endif
