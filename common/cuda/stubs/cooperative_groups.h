/* cooperative_groups.h - groups of threads as objects: stands in for CUDA's own, for clang without the SDK.
 *
 *     grid_group           this_grid()            sync: all blocks (lockstep_grid_sync, below)
 *      └ cluster_group     this_cluster()         sync: barrier.cluster (cooperative_cluster.h)
 *      └ thread_block      this_thread_block()    sync: bar.sync
 *         └ thread_block_tile<N>   tiled_partition<N>(block): N neighbours, N known to the compiler
 *            │                                (of several warps: cooperative_groups/tile_of_warps.h)
 *            └ coalesced_group     coalesced_threads(), partitions: any lanes of a warp, by their mask
 *
 * Each group but the grid can be passed as a thread_group: a kind and a mask, which are evaluated at run
 * time. Groups within a warp use shuffles, votes and bar.warp.sync under the mask of their lanes.
 * Source: CUDA C++ Programming Guide, Cooperative Groups. Not here: several GPUs. */
#ifndef LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_H
#define LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#ifdef LOCKSTEP_CLANG_H
#pragma clang system_header

/* The barrier of all blocks, as a GPU executes it; the simulator executes a call of it as one instruction.
 * The last block to arrive releases the others. All blocks must be resident at the same time. */
static __device__ unsigned lockstep_grid_arrived, lockstep_grid_turn;
static __device__ __attribute__((noinline, unused)) void lockstep_grid_sync() __asm__("lockstep_grid_sync");
static __device__ void lockstep_grid_sync()
{
    __syncthreads();
    if (!(threadIdx.x | threadIdx.y | threadIdx.z)) {
        volatile unsigned *turn = &lockstep_grid_turn;
        unsigned before = *turn;
        __threadfence();
        if (atomicAdd(&lockstep_grid_arrived, 1u) == gridDim.x * gridDim.y * gridDim.z - 1) {
            lockstep_grid_arrived = 0;
            __threadfence();
            *turn = before + 1;
        } else {
            while (*turn == before) continue;
        }
        __threadfence();
    }
    __syncthreads();
}

namespace cooperative_groups {

/* ---- details: ranks, masks, values of any size through a shuffle ---- */

namespace lockstep_ {

enum kind { BLOCK, LANES };

LOCKSTEP_FN_ unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
LOCKSTEP_FN_ unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
LOCKSTEP_FN_ unsigned block_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
/* The rank of this lane among the lanes of the mask. */
LOCKSTEP_FN_ unsigned rank_in(unsigned mask) { return __popc(mask & __nvvm_read_ptx_sreg_lanemask_lt()); }

/* The lane that has the given rank in the mask, by bisection: does the lower half have enough bits? */
LOCKSTEP_FN_ unsigned lane_of(unsigned mask, unsigned rank)
{
    unsigned lane = 0;
    if (mask == 0xffffffff) return rank & 31;
#pragma unroll
    for (unsigned half = 16; half; half /= 2) {
        unsigned below = __popc(mask >> lane & ((1u << half) - 1));
        lane += rank >= below ? half : 0;
        rank -= rank >= below ? below : 0;
    }
    return lane;
}

/* Move the bit of each lane in the mask to the position of the lane's rank. */
LOCKSTEP_FN_ unsigned packed(unsigned mask, unsigned bits)
{
    unsigned out = 0, rank = 0;
    if (mask == 0xffffffff) return bits;
    for (unsigned rest = mask; rest; rest &= rest - 1, rank++)
        out |= (bits & rest & (0u - rest)) != 0 ? 1u << rank : 0;
    return out;
}

enum mode { FROM, UP, DOWN, XOR };
template <mode m> LOCKSTEP_FN_ int shuffle_word(unsigned mask, const int &v, unsigned by, int width)
{
    if constexpr (m == FROM) return __shfl_sync(mask, v, (int)by, width);
    else if constexpr (m == UP) return __shfl_up_sync(mask, v, by, width);
    else if constexpr (m == DOWN) return __shfl_down_sync(mask, v, by, width);
    else return __shfl_xor_sync(mask, v, (int)by, width);
}

/* Shuffle a value of any type that may be copied as bytes, word by word. By reference, as for __shfl_sync. */
template <mode m, class T> LOCKSTEP_FN_ T shuffled(unsigned mask, const T &v, unsigned by, int width)
{
    int words[(sizeof(T) + 3) / 4] = {};
    T out = v;
    static_assert(__is_trivially_copyable(T) || (__is_standard_layout(T) && __has_trivial_destructor(T)),
        "a shuffle moves values that may be copied as bytes");
    __builtin_memcpy(words, &v, sizeof v);
#pragma unroll
    for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++)
        words[i] = shuffle_word<m>(mask, words[i], by, width);
    __builtin_memcpy(&out, words, sizeof out);
    return out;
}

template <class T> LOCKSTEP_FN_ unsigned same_value(unsigned mask, T v)
{
    static_assert(sizeof(T) <= 8, "match takes values of at most 8 bytes");
    if constexpr (sizeof(T) == 8) return __match_any_sync(mask, __builtin_bit_cast(long long, v));
    else if constexpr (sizeof(T) == 4) return __match_any_sync(mask, __builtin_bit_cast(int, v));
    else return __match_any_sync(mask, (int)v);
}
}

/* ---- thread_group: any group but the grid ---- */

class thread_group {
protected:
    unsigned kind_, mask_, meta_rank_, meta_size_;
    LOCKSTEP_MEMBER_ thread_group(unsigned kind, unsigned mask, unsigned meta_rank, unsigned meta_size)
        : kind_(kind), mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size)
    {
    }
    friend LOCKSTEP_MEMBER_ thread_group tiled_partition(const thread_group &, unsigned);

public:
    LOCKSTEP_MEMBER_ unsigned long long size() const { return num_threads(); }
    LOCKSTEP_MEMBER_ unsigned long long num_threads() const
    {
        return kind_ == lockstep_::BLOCK ? lockstep_::block_threads() : (unsigned)__popc(mask_);
    }
    LOCKSTEP_MEMBER_ unsigned long long thread_rank() const
    {
        return kind_ == lockstep_::BLOCK ? lockstep_::block_rank() : lockstep_::rank_in(mask_);
    }
    LOCKSTEP_MEMBER_ void sync() const
    {
        if (kind_ == lockstep_::BLOCK) __syncthreads();
        else __syncwarp(mask_);
    }
    LOCKSTEP_MEMBER_ bool is_valid() const { return true; }
};

/* ---- a block ---- */

/* Shared memory by which tiles of more than a warp exchange values, for blocks of at most max_threads
 * threads. */
template <unsigned max_threads = 1024> struct block_tile_memory {
    unsigned words[max_threads < 64 ? 32 : max_threads / 64 * 32];
};

class thread_block : public thread_group {
    unsigned *memory_; /* words of a block_tile_memory, or 0 */
    LOCKSTEP_MEMBER_ thread_block(unsigned *memory)
        : thread_group(lockstep_::BLOCK, 0, 0, 1), memory_(memory)
    {
    }
    friend LOCKSTEP_MEMBER_ thread_block this_thread_block();
    template <unsigned n> friend LOCKSTEP_MEMBER_ thread_block this_thread_block(block_tile_memory<n> &);

public:
    struct arrival_token {};
    LOCKSTEP_MEMBER_ unsigned *memory() const { return memory_; } /* only for this header */
    LOCKSTEP_MEMBER_ static void sync() { __syncthreads(); }
    LOCKSTEP_MEMBER_ static unsigned size() { return lockstep_::block_threads(); }
    LOCKSTEP_MEMBER_ static unsigned num_threads() { return lockstep_::block_threads(); }
    LOCKSTEP_MEMBER_ static unsigned thread_rank() { return lockstep_::block_rank(); }
    LOCKSTEP_MEMBER_ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    LOCKSTEP_MEMBER_ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    LOCKSTEP_MEMBER_ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    LOCKSTEP_MEMBER_ static dim3 dim_threads() { return group_dim(); }
    /* Threads wait only in barrier_wait: after it, what others did before they arrived is visible. */
    LOCKSTEP_MEMBER_ static arrival_token barrier_arrive() { return {}; }
    LOCKSTEP_MEMBER_ static void barrier_wait(arrival_token &&) { __syncthreads(); }
};

LOCKSTEP_MEMBER_ inline thread_block this_thread_block() { return thread_block(0); }
template <unsigned n> LOCKSTEP_MEMBER_ thread_block this_thread_block(block_tile_memory<n> &memory)
{
    return thread_block(memory.words);
}

/* ---- lanes of a warp, by their mask ---- */

class coalesced_group : public thread_group {
public: /* the first constructor is only for this header */
    LOCKSTEP_MEMBER_ coalesced_group(unsigned mask, unsigned meta_rank, unsigned meta_size)
        : thread_group(lockstep_::LANES, mask, meta_rank, meta_size)
    {
    }
    LOCKSTEP_MEMBER_ unsigned mask() const { return mask_; }

    LOCKSTEP_MEMBER_ void sync() const { __syncwarp(mask_); }
    LOCKSTEP_MEMBER_ unsigned size() const { return (unsigned)__popc(mask_); }
    LOCKSTEP_MEMBER_ unsigned num_threads() const { return size(); }
    LOCKSTEP_MEMBER_ unsigned thread_rank() const { return lockstep_::rank_in(mask_); }
    LOCKSTEP_MEMBER_ unsigned meta_group_rank() const { return meta_rank_; }
    LOCKSTEP_MEMBER_ unsigned meta_group_size() const { return meta_size_; }

    template <class T> LOCKSTEP_MEMBER_ T shfl(const T &v, unsigned rank) const
    {
        return lockstep_::shuffled<lockstep_::FROM>(mask_, v, lockstep_::lane_of(mask_, rank), 32);
    }
    template <class T> LOCKSTEP_MEMBER_ T shfl_down(const T &v, unsigned by) const
    {
        unsigned rank = thread_rank();
        if (mask_ == 0xffffffff) return lockstep_::shuffled<lockstep_::DOWN>(mask_, v, by, 32);
        return shfl(v, rank + by < size() ? rank + by : rank);
    }
    template <class T> LOCKSTEP_MEMBER_ T shfl_up(const T &v, unsigned by) const
    {
        unsigned rank = thread_rank();
        if (mask_ == 0xffffffff) return lockstep_::shuffled<lockstep_::UP>(mask_, v, by, 32);
        return shfl(v, rank >= by ? rank - by : rank);
    }
    LOCKSTEP_MEMBER_ int any(int p) const { return __any_sync(mask_, p); }
    LOCKSTEP_MEMBER_ int all(int p) const { return __all_sync(mask_, p); }
    LOCKSTEP_MEMBER_ unsigned ballot(int p) const
    {
        return lockstep_::packed(mask_, __ballot_sync(mask_, p));
    }
    template <class T> LOCKSTEP_MEMBER_ unsigned match_any(T v) const
    {
        return lockstep_::packed(mask_, lockstep_::same_value(mask_, v));
    }
    template <class T> LOCKSTEP_MEMBER_ unsigned match_all(T v, int &all) const
    {
        all = lockstep_::same_value(mask_, v) == mask_;
        all = __all_sync(mask_, all);
        return all ? lockstep_::packed(mask_, mask_) : 0;
    }
};

LOCKSTEP_MEMBER_ inline coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask(), 0, 1);
}

/* ---- tiles: N neighbours of a block, N a power of two ---- */

namespace lockstep_ {
template <unsigned N, bool warps> class tile;

template <unsigned N> class tile<N, false> : public thread_group {
    static_assert(N > 0 && (N & (N - 1)) == 0, "the number of a tile's threads is a power of two");

protected:
    LOCKSTEP_MEMBER_ tile(unsigned meta_rank, unsigned meta_size, unsigned * = 0)
        : thread_group(LANES, mask_of(), meta_rank, meta_size)
    {
    }
    LOCKSTEP_MEMBER_ static unsigned first() { return lockstep_::lane() & ~(N - 1); }
    LOCKSTEP_MEMBER_ static unsigned mask_of()
    {
        return N == 32 ? 0xffffffff : ((1u << N % 32) - 1) << first();
    }
    LOCKSTEP_MEMBER_ static unsigned ranked(unsigned bits)
    {
        return N == 32 ? bits : bits >> first() & ((1u << N % 32) - 1);
    }

public:
    LOCKSTEP_MEMBER_ static unsigned mask() { return mask_of(); } /* only for this header */
    LOCKSTEP_MEMBER_ void sync() const { __syncwarp(mask_of()); }
    LOCKSTEP_MEMBER_ static constexpr unsigned size() { return N; }
    LOCKSTEP_MEMBER_ static constexpr unsigned num_threads() { return N; }
    LOCKSTEP_MEMBER_ static unsigned thread_rank() { return lockstep_::lane() & (N - 1); }
    LOCKSTEP_MEMBER_ unsigned meta_group_rank() const { return meta_rank_; }
    LOCKSTEP_MEMBER_ unsigned meta_group_size() const { return meta_size_; }

    template <class T> LOCKSTEP_MEMBER_ T shfl(const T &v, unsigned rank) const
    {
        return lockstep_::shuffled<lockstep_::FROM>(mask_of(), v, rank, N);
    }
    template <class T> LOCKSTEP_MEMBER_ T shfl_down(const T &v, unsigned by) const
    {
        return lockstep_::shuffled<lockstep_::DOWN>(mask_of(), v, by, N);
    }
    template <class T> LOCKSTEP_MEMBER_ T shfl_up(const T &v, unsigned by) const
    {
        return lockstep_::shuffled<lockstep_::UP>(mask_of(), v, by, N);
    }
    template <class T> LOCKSTEP_MEMBER_ T shfl_xor(const T &v, unsigned by) const
    {
        return lockstep_::shuffled<lockstep_::XOR>(mask_of(), v, by, N);
    }
    LOCKSTEP_MEMBER_ int any(int p) const { return __any_sync(mask_of(), p); }
    LOCKSTEP_MEMBER_ int all(int p) const { return __all_sync(mask_of(), p); }
    LOCKSTEP_MEMBER_ unsigned ballot(int p) const { return ranked(__ballot_sync(mask_of(), p)); }
    template <class T> LOCKSTEP_MEMBER_ unsigned match_any(T v) const
    {
        return ranked(lockstep_::same_value(mask_of(), v));
    }
    template <class T> LOCKSTEP_MEMBER_ unsigned match_all(T v, int &all) const
    {
        unsigned same = lockstep_::same_value(mask_of(), v);
        all = __all_sync(mask_of(), same == mask_of());
        return all ? ranked(same) : 0;
    }
};
}
}

#include <cooperative_groups/tile_of_warps.h>

namespace cooperative_groups {

template <unsigned N, class Parent = void> class thread_block_tile;

template <unsigned N> class thread_block_tile<N, void> : public lockstep_::tile<N, (N > 32)> {
protected:
    using lockstep_::tile<N, (N > 32)>::tile;
};

template <unsigned N, class Parent> class thread_block_tile : public thread_block_tile<N, void> {
public:
    LOCKSTEP_MEMBER_ thread_block_tile(unsigned meta_rank, unsigned meta_size, unsigned *memory = 0)
        : thread_block_tile<N, void>(meta_rank, meta_size, memory)
    {
    }
};

template <unsigned N>
LOCKSTEP_MEMBER_ thread_block_tile<N, thread_block> tiled_partition(const thread_block &block)
{
    return {lockstep_::block_rank() / N, (lockstep_::block_threads() + N - 1) / N, block.memory()};
}

template <unsigned N, unsigned M, class Parent>
LOCKSTEP_MEMBER_ thread_block_tile<N, thread_block_tile<M, Parent>> tiled_partition(
    const thread_block_tile<M, Parent> &tile)
{
    static_assert(N <= M, "a tile is at most as large as the group that it is a part of");
    static_assert(N <= 32, "a tile of more than a warp is a part of the block alone");
    return {tile.thread_rank() / N, M / N};
}

/* A part of a group of any lanes: n lanes of consecutive ranks. */
LOCKSTEP_MEMBER_ inline coalesced_group tiled_partition(const coalesced_group &g, unsigned n)
{
    unsigned first = g.thread_rank() / n * n, mask = 0;
    for (unsigned i = first; i < first + n && i < g.size(); i++)
        mask |= 1u << lockstep_::lane_of(g.mask(), i);
    return coalesced_group(mask, g.thread_rank() / n, (g.size() + n - 1) / n);
}

LOCKSTEP_MEMBER_ inline thread_group tiled_partition(const thread_group &g, unsigned n)
{
    if (g.kind_ == lockstep_::LANES) return tiled_partition(coalesced_group(g.mask_, 0, 1), n);
    unsigned first = lockstep_::lane() / n * n, mask = n >= 32 ? 0xffffffff : ((1u << n) - 1) << first;
    if (n > 32) __trap(); /* a tile of more than a warp is not supported here */
    return coalesced_group(mask, lockstep_::block_rank() / n, (lockstep_::block_threads() + n - 1) / n);
}

/* ---- partitions by a value ---- */

namespace lockstep_ {
/* The lanes of mask that are in this lane's part. Parts are numbered in the order of their first lanes. */
LOCKSTEP_FN_ coalesced_group part_of(unsigned mask, unsigned mine)
{
    unsigned firsts = __ballot_sync(mask, rank_in(mine) == 0), first = (unsigned)__ffs((int)mine) - 1;
    return coalesced_group(mine, (unsigned)__popc(firsts & ((1u << first) - 1)), (unsigned)__popc(firsts));
}
}

template <class Group, class Label>
LOCKSTEP_MEMBER_ coalesced_group labeled_partition(const Group &g, Label label)
{
    return lockstep_::part_of(g.mask(), lockstep_::same_value(g.mask(), label));
}

template <class Group> LOCKSTEP_MEMBER_ coalesced_group binary_partition(const Group &g, bool p)
{
    unsigned yes = __ballot_sync(g.mask(), p), no = g.mask() & ~yes;
    return coalesced_group(p ? yes : no, yes && no && p, yes && no ? 2 : 1);
}

/* ---- the grid: all blocks, in a launch by cudaLaunchCooperativeKernel ---- */

class grid_group {
    LOCKSTEP_MEMBER_ grid_group() {}
    friend LOCKSTEP_MEMBER_ grid_group this_grid();

public:
    struct arrival_token {};
    LOCKSTEP_MEMBER_ bool is_valid() const { return true; }
    LOCKSTEP_MEMBER_ void sync() const { LOCKSTEP_KEPT_(lockstep_grid_sync()); }
    LOCKSTEP_MEMBER_ arrival_token barrier_arrive() const { return {}; }
    LOCKSTEP_MEMBER_ void barrier_wait(arrival_token &&) const { sync(); }
    LOCKSTEP_MEMBER_ static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    LOCKSTEP_MEMBER_ static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    LOCKSTEP_MEMBER_ static unsigned long long num_threads()
    {
        return num_blocks() * lockstep_::block_threads();
    }
    LOCKSTEP_MEMBER_ static unsigned long long size() { return num_threads(); }
    LOCKSTEP_MEMBER_ static unsigned long long thread_rank()
    {
        return block_rank() * lockstep_::block_threads() + lockstep_::block_rank();
    }
    LOCKSTEP_MEMBER_ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    LOCKSTEP_MEMBER_ static dim3 group_dim() { return dim_blocks(); }
    LOCKSTEP_MEMBER_ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};

LOCKSTEP_MEMBER_ inline grid_group this_grid() { return grid_group(); }

}
#include "cooperative_cluster.h"
namespace cooperative_groups {

/* ---- functions of any group ---- */

template <class Group> LOCKSTEP_MEMBER_ void sync(const Group &g) { g.sync(); }
template <class Group> LOCKSTEP_MEMBER_ unsigned thread_rank(const Group &g) { return g.thread_rank(); }
template <class Group> LOCKSTEP_MEMBER_ unsigned group_size(const Group &g) { return g.num_threads(); }

template <class Group, class F, class... Args>
LOCKSTEP_MEMBER_ void invoke_one(const Group &g, F &&f, Args &&...args)
{
    if (g.thread_rank() == 0) f(static_cast<Args &&>(args)...);
}
template <class Group, class F, class... Args>
LOCKSTEP_MEMBER_ auto invoke_one_broadcast(const Group &g, F &&f, Args &&...args)
    -> decltype(f(static_cast<Args &&>(args)...))
{
    decltype(f(static_cast<Args &&>(args)...)) result{};
    if (g.thread_rank() == 0) result = f(static_cast<Args &&>(args)...);
    return g.shfl(result, 0);
}

/* ---- operators of reduce and scan ---- */

#define LOCKSTEP_OPERATOR_(name, expression)                                                       \
    template <class T> struct name {                                                               \
        LOCKSTEP_MEMBER_ T operator()(T a, T b) const { return expression; }                       \
    };
LOCKSTEP_OPERATOR_(plus, a + b)
LOCKSTEP_OPERATOR_(less, b < a ? b : a)
LOCKSTEP_OPERATOR_(greater, a < b ? b : a)
LOCKSTEP_OPERATOR_(bit_and, a & b)
LOCKSTEP_OPERATOR_(bit_or, a | b)
LOCKSTEP_OPERATOR_(bit_xor, a ^ b)
#undef LOCKSTEP_OPERATOR_
}

#endif
#endif
