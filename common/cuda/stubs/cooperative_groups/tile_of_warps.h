/* tile_of_warps.h - tiles of 64 threads and more: barriers of their own, and words in shared memory.
 *
 *     block of 256, tiles of 64:   warp 0 1 | 2 3 | 4 5 | 6 7      barrier 1 | 2 | 3 | 4
 *                                                                  words 0..31 | 32..63 | 64..95 | 96..127
 *
 * The words are those of the block_tile_memory given to this_thread_block, else an array that is in shared
 * memory only in kernels that need it. Barrier 0 is __syncthreads, so a block has at most 15 such tiles, of
 * one size at a time. Source: CUDA C++ Programming Guide, Cooperative Groups, thread block tile. */
#ifndef LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_TILE_OF_WARPS_H
#define LOCKSTEP_STANDIN_COOPERATIVE_GROUPS_TILE_OF_WARPS_H

namespace cooperative_groups {
namespace lockstep_ {

LOCKSTEP_FN_ unsigned *tile_words()
{
    static __shared__ unsigned words[16 * 32];
    return words;
}

template <unsigned N> class tile<N, true> {
    static_assert((N & (N - 1)) == 0 && N <= 1024, "the number of a tile's threads is a power of two");
    enum { WARPS = N / 32 };
    unsigned meta_rank_, meta_size_, *memory_;

    LOCKSTEP_MEMBER_ unsigned *words() const
    {
        return (memory_ ? memory_ : tile_words()) + meta_rank_ * 32;
    }
    /* Set all[k], in every thread of the tile, to the word that lane 0 of the tile's warp k passes. */
    LOCKSTEP_MEMBER_ void gather(unsigned (&all)[WARPS], unsigned word) const
    {
        if (lane() == 0) words()[thread_rank() / 32] = word;
        sync();
#pragma unroll
        for (unsigned k = 0; k < WARPS; k++) all[k] = words()[k];
        sync();
    }

protected:
    LOCKSTEP_MEMBER_ tile(unsigned meta_rank, unsigned meta_size, unsigned *memory)
        : meta_rank_(meta_rank), meta_size_(meta_size), memory_(memory)
    {
        if (meta_rank >= 15) __trap(); /* more tiles than barriers */
    }

public:
    LOCKSTEP_MEMBER_ void sync() const
    {
        asm volatile("bar.sync %0, %1;" ::"r"(meta_rank_ + 1), "r"(N) : "memory");
    }
    LOCKSTEP_MEMBER_ static constexpr unsigned size() { return N; }
    LOCKSTEP_MEMBER_ static constexpr unsigned num_threads() { return N; }
    LOCKSTEP_MEMBER_ static unsigned thread_rank() { return block_rank() & (N - 1); }
    LOCKSTEP_MEMBER_ unsigned meta_group_rank() const { return meta_rank_; }
    LOCKSTEP_MEMBER_ unsigned meta_group_size() const { return meta_size_; }
    LOCKSTEP_MEMBER_ bool is_valid() const { return true; }

    LOCKSTEP_MEMBER_ int any(int p) const
    {
        unsigned all[WARPS], found = 0;
        gather(all, (unsigned)__any_sync(0xffffffff, p));
#pragma unroll
        for (unsigned k = 0; k < WARPS; k++) found |= all[k];
        return found != 0;
    }
    LOCKSTEP_MEMBER_ int all(int p) const { return !any(!p); }

    /* One warp after the other writes its 32 words, and the threads that want one of these read it. */
    template <class T> LOCKSTEP_MEMBER_ T shfl(const T &v, unsigned rank) const
    {
        unsigned in[(sizeof(T) + 3) / 4] = {}, out[(sizeof(T) + 3) / 4] = {};
        T result = v;
        __builtin_memcpy(in, &v, sizeof v);
        for (unsigned k = 0; k < WARPS; k++)
#pragma unroll
            for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++) {
                if (thread_rank() / 32 == k) words()[lane()] = in[i];
                sync();
                if (rank % N / 32 == k) out[i] = words()[rank & 31];
                sync();
            }
        __builtin_memcpy(&result, out, sizeof result);
        return result;
    }

    /* For cooperative_groups::reduce: reduce within each warp by shuffles, then over the warps in their
     * order. */
    template <class T, class Op> LOCKSTEP_MEMBER_ T reduced(T v, Op &&op) const
    {
        unsigned in[(sizeof(T) + 3) / 4] = {}, out[(sizeof(T) + 3) / 4][WARPS];
#pragma unroll
        for (unsigned half = 16; half; half /= 2) {
            T other = shuffled<XOR>(0xffffffff, v, half, 32);
            v = op(v, other);
        }
        __builtin_memcpy(in, &v, sizeof v);
#pragma unroll
        for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++) gather(out[i], in[i]);
#pragma unroll
        for (unsigned k = 0; k < WARPS; k++) {
#pragma unroll
            for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++) in[i] = out[i][k];
            T other = v;
            __builtin_memcpy(&other, in, sizeof other);
            v = k ? op(v, other) : other;
        }
        return v;
    }
};
}
}

#endif
