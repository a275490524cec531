/* memcpy_async.h - cooperative_groups::memcpy_async: the group copies bytes; wait lets them be read.
 * A plain copy, 16, 4 or 1 byte a thread at a time, whichever both addresses allow; done before wait.
 * Source: CUDA C++ Programming Guide, Cooperative Groups, memcpy_async. */
#ifndef LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

#ifdef LOCKSTEP_CLANG_H
#pragma clang system_header

#ifndef LOCKSTEP_ALIGNED_SIZE_
#define LOCKSTEP_ALIGNED_SIZE_
namespace cuda {
/* A number of bytes, with the promise that it and the addresses are multiples of N. */
template <size_t N> struct aligned_size_t {
    static constexpr size_t align = N;
    size_t value;
    LOCKSTEP_BOTH_ explicit aligned_size_t(size_t bytes) : value(bytes) {}
    LOCKSTEP_BOTH_ operator size_t() const { return value; }
};
}
#endif

namespace cooperative_groups {

namespace lockstep_ {
template <class Unit, class Group>
LOCKSTEP_FN_ void copy_units(const Group &g, void *to, const void *from, size_t bytes)
{
    for (size_t i = g.thread_rank(); i < bytes / sizeof(Unit); i += g.num_threads())
        ((Unit *)to)[i] = ((const Unit *)from)[i];
}
}

template <class Group, class T, class U, class Shape>
LOCKSTEP_MEMBER_ void memcpy_async(const Group &g, T *to, const U *from, const Shape &shape)
{
    size_t bytes = (size_t)shape, both = (size_t)to | (size_t)from | bytes;
    if (both % 16 == 0) lockstep_::copy_units<uint4>(g, to, from, bytes);
    else if (both % 4 == 0) lockstep_::copy_units<unsigned>(g, to, from, bytes);
    else lockstep_::copy_units<unsigned char>(g, to, from, bytes);
}

/* Room and source of different sizes, in elements: the smaller is copied. */
template <class Group, class T, class U, class Room, class Shape>
LOCKSTEP_MEMBER_ void memcpy_async(
    const Group &g, T *to, const Room &room, const U *from, const Shape &shape)
{
    size_t most = (size_t)room, count = (size_t)shape;
    memcpy_async(g, to, from, (count < most ? count : most) * sizeof(T));
}

template <class Group> LOCKSTEP_MEMBER_ void wait(const Group &g) { g.sync(); }
template <unsigned stages, class Group> LOCKSTEP_MEMBER_ void wait_prior(const Group &g) { g.sync(); }
}

#endif
#endif
