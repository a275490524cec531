// Cooperative groups within a block: tiles, coalesced groups, partitions, reductions, scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// What a block says of itself, as a type of its own and as any group.
//! run   block grid=2,2 block=8,4,2
//! arg   out i32[64] poison
//! want  out = i + 64000 + 1100 * 1000000
__global__ void block(int *out)
{
    cg::thread_block b = cg::this_thread_block();
    cg::thread_group g = b;
    bool same = g.size() == b.size() && g.thread_rank() == b.thread_rank() && b.num_threads() == b.dim_threads().x * 8;
    int where = b.group_index().x == blockIdx.x && b.group_dim().y == 4 && b.thread_index().z == threadIdx.z ? 1100 : 0;
    if (cg::this_grid().block_rank() == 3) out[b.thread_rank()] = b.thread_rank() + 1000 * b.size() + 1000000 * where * same;
}

// Halves of a group of any kind, through shared memory, as in many introductions.
__device__ int sum_of(cg::thread_group g, int *room, int v)
{
    int rank = g.thread_rank();
    for (int half = g.size() / 2; half > 0; half /= 2) {
        room[rank] = v;
        g.sync();
        if (rank < half) v += room[rank + half];
        g.sync();
    }
    return v;
}
//! run   by_any_group block=64
//! arg   out i32[6] poison
//! want  out = {2016, 496, 6, 28, 120, 64}
//! count lockstep__barrier_inst.sum 24
__global__ void by_any_group(int *out)
{
    __shared__ int room[64];
    auto b = cg::this_thread_block();
    int i = b.thread_rank(), sum = sum_of(b, room, i);
    if (i == 0) out[0] = sum;
    auto warp = cg::tiled_partition<32>(b);
    cg::thread_group four = cg::tiled_partition(b, 4), eight = cg::tiled_partition(cg::tiled_partition(b, 16), 8);
    sum = sum_of(warp, room + i / 32 * 32, i % 32);
    if (i == 32) out[1] = sum;
    sum = sum_of(four, room + i / 4 * 4, i % 4);
    if (i == 60) out[2] = sum;
    sum = sum_of(eight, room + i / 8 * 8, i % 8);
    if (i == 8) out[3] = sum;
    sum = sum_of(cg::tiled_partition<16>(warp), room + i / 16 * 16, i % 16);
    if (i == 16) out[4] = sum, out[5] = eight.size() * 8;
}

// Each function of a tile. A tile of 8 is a part of its warp; its masks start at bit 0.
//! run   tile block=64
//! arg   sums i32[64] poison
//! arg   votes u32[64] poison
//! arg   places i32[64] poison
//! want  sums = i // 8 * 8 * 4 + min(i % 8 + 1, 7) + max(i % 8 - 2, i % 8 < 2 ? i % 8 : 0) + (7 - i % 8) + 5
//! want  votes = 0x55 + 256 * (i % 2 ? 0xaa : 0x55) + 65536 * 0xff
//! want  places = i % 8 + 100 * (i // 8 % 4) + 10000 * (i // 8) + 1000000 * 8
__global__ void tile(int *sums, unsigned *votes, int *places)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto t = cg::tiled_partition<8>(warp);
    auto of_block = cg::tiled_partition<8>(cg::this_thread_block());
    int i = threadIdx.x, all, none;
    sums[i] = t.shfl_down(i, 1) + t.shfl_up(i, 2) + t.shfl_xor(i, 7) + t.shfl(i, 5);
    unsigned same = t.match_all(i / 8, all), not_same = t.match_all(i, none);
    if (!all || none || not_same || t.any(i % 32 == 9) != (i / 8 % 4 == 1) || t.all(i % 32 < 8) != (i % 32 < 8)) same = 0;
    votes[i] = t.ballot(i % 2 == 0) | t.match_any(i % 2) << 8 | same << 16;
    places[i] = t.thread_rank() + 100 * t.meta_group_rank() + 10000 * of_block.meta_group_rank()
        + 1000000 * of_block.meta_group_size();
}

// Values of any size through shuffles: three chars, a double, a structure of five words.
struct five { int v[5]; };
struct three { char v[3]; };
//! run   sizes block=32
//! arg   out f64[32] poison
//! want  out = (i + 1) % 32 * 1.5 + (i + 1) % 32 * 5 + 10 + (i + 1) % 32 + 1 + (i + 1) % 32 * 2 - (i + 1) % 32 % 2
__global__ void sizes(double *out)
{
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x, from = (i + 1) % 32;
    five f = t.shfl(five{{i, i + 1, i + 2, i + 3, i + 4}}, from);
    three c = t.shfl(three{{(char)i, 1, (char)(2 * i)}}, from);
    double sum = t.shfl(i * 1.5, from) + c.v[0] + c.v[1] + c.v[2];
    for (int k = 0; k < 5; k++) sum += f.v[k];
    unsigned long odd = t.shfl((unsigned long)i % 2, from);
    out[i] = sum - odd;
}

// Every operator and the types that reduce takes.
struct best { float value; int at; };
//! run   reduce block=32
//! arg   out i64[12] poison
//! want  out = {496, 0, 31, 0, 31, 0, 124, 12, 3, 31000, 3968, 24}
//! count lockstep__barrier_inst.sum 0
__global__ void reduce(long long *out)
{
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x;
    long long r[12] = {cg::reduce(w, i, cg::plus<int>()), cg::reduce(w, i, cg::less<int>()),
        cg::reduce(w, (unsigned)i, cg::greater<unsigned>()), cg::reduce(w, i, cg::bit_and<int>()),
        cg::reduce(w, i, cg::bit_or<int>()), cg::reduce(w, i, cg::bit_xor<int>()),
        (long long)cg::reduce(cg::tiled_partition<8>(w), 15.5, cg::plus<double>()),
        cg::reduce(cg::tiled_partition<4>(w), (short)3, cg::plus<short>()),
        (long long)cg::reduce(w, i % 4 / 1.f, cg::greater<float>()),
        cg::reduce(w, (long)i, [](long a, long b) { return a > b ? a : b; }) * 1000,
        (long long)cg::reduce(w, 124ull, cg::plus<unsigned long long>()), 0};
    best b = cg::reduce(w, best{(float)(i * 5 % 29), i}, [](const best &x, const best &y) {
        return x.value > y.value || (x.value == y.value && x.at < y.at) ? x : y;
    });
    r[11] = b.value == 28 ? b.at + 1 : -1;
    for (int k = 0; k < 12; k++)
        if (i == k) out[k] = r[k];
}

//! run   scan block=64
//! arg   in i32[64] = i * 7 % 5
//! arg   all i32[64] poison
//! arg   before i32[64] poison
//! arg   most i32[64] poison
//! want  all = (i % 4 > 2 ? in[i - 3] : 0) + (i % 4 > 1 ? in[i - 2] : 0) + (i % 4 > 0 ? in[i - 1] : 0) + in[i]
//! want  before = i % 32
//! want  most = i % 16
__global__ void scan(const int *in, int *all, int *before, int *most)
{
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x;
    all[i] = cg::inclusive_scan(cg::tiled_partition<4>(w), in[i]);
    before[i] = cg::exclusive_scan(w, 1);
    most[i] = cg::inclusive_scan(cg::tiled_partition<16>(w), i % 16, cg::greater<int>());
}

// The lanes of a branch as a group. Ranks count its lanes alone.
//! run   coalesced block=64
//! arg   out i32[64] poison
//! arg   masks u32[64] poison
//! want  out = i % 3 ? -1 : 11 + 100 * ((i % 32 + 3 - i // 32) // 3)
//! want  masks = i % 3 ? 0 : 0x7ff
__global__ void coalesced(int *out, unsigned *masks)
{
    int i = threadIdx.x;
    out[i] = -1, masks[i] = 0;
    if (i % 3 == 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        out[i] = cg::reduce(g, 1, cg::plus<int>()) + 100 * cg::inclusive_scan(g, 1);
        masks[i] = g.ballot(1) | g.match_any(7);
        unsigned rank = g.thread_rank(), last = g.size() - 1;
        if (g.shfl(rank, last) != last || g.shfl_down(rank, 2) != (rank + 2 <= last ? rank + 2 : rank)
            || g.shfl_up(rank, 3) != (rank >= 3 ? rank - 3 : rank) || !g.all(i >= 0) || g.any(i > 70))
            out[i] = -2;
        g.sync();
    }
}

// One atomic operation for all lanes that append, as in NVIDIA's text on warp-aggregated atomics.
__device__ int append(int *count)
{
    auto g = cg::coalesced_threads();
    int base; // of the others: not initialised, as in that text
    if (g.thread_rank() == 0) base = atomicAdd(count, g.size());
    return g.shfl(base, 0) + g.thread_rank();
}
//! run   filter block=256
//! arg   in i32[256] = i * 37 % 101
//! arg   kept i32[256] = 0
//! arg   count i32[1] = 0
//! arg   sum i32[1] = 0
//! want  kept[0] = 74
//! want  kept[1] = 84
//! want  count = {125}
//! want  sum = {9460}
//! simulated "the order of atomics"
//! count lockstep__global_atom_threads.sum 133
__global__ void filter(const int *in, int *kept, int *count, int *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 50) {
        kept[append(count)] = in[i];
        atomicAdd(sum, in[i]);
    }
}

// The same by intrinsics; and shuffles of all types that have one.
//! run   filter_by_intrinsics block=96
//! arg   kept i32[96] = 0
//! arg   count i32[1] = 0
//! want  kept = i < 32 ? i * 3 : 0
//! want  count = {32}
//! simulated "the order of atomics"
//! count lockstep__global_atom_threads.sum 3
__global__ void filter_by_intrinsics(int *kept, int *count)
{
    int i = threadIdx.x, base;
    if (i % 3 == 0) {
        unsigned mask = __activemask();
        int leader = __ffs(mask) - 1, rank = __popc(mask & ((1u << i % 32) - 1));
        if (rank == 0) base = atomicAdd(count, __popc(mask));
        base = __shfl_sync(mask, base, leader);
        kept[base + rank] = i;
    }
}
//! run   types block=32
//! arg   out f64[32] poison
//! want  out = (31 - i) * 7 + 0.5 + 4294967296 * 2
__global__ void types(double *out)
{
    __shared__ volatile int room[32];
    int i = threadIdx.x, to = 31 - i;
    room[i] = i;
    unsigned long ul = i;
    long l = i;
    size_t s = i + 4294967296ul;
    long long ll = i + 4294967296ll;
    out[i] = __shfl_sync(~0u, ul, to) + __shfl_xor_sync(~0u, l, 31) + (double)__shfl_sync(~0u, s, to)
        + (double)__shfl_xor_sync(~0u, ll, 31) + __shfl_sync(~0u, i + 0.25, to) + __shfl_xor_sync(~0u, i + 0.25f, 31)
        + __shfl_sync(~0u, room[i], to);
}

// Sums and the like of all lanes of a mask, by one intrinsic.
//! run   reduce_sync block=32
//! arg   out i32[32] poison
//! want  out = i < 10 ? 45 + 0 + 900 + 0 + 15000 : 451 + 10 + 3100 + 0 + 31000
__global__ void reduce_sync(int *out)
{
    int i = threadIdx.x;
    unsigned mask = i < 10 ? 0x3ff : 0xfffffc00, u = i;
    out[i] = __reduce_add_sync(mask, i) + __reduce_min_sync(mask, i) + 100 * __reduce_max_sync(mask, u)
        + __reduce_and_sync(mask, u) + 1000 * __reduce_or_sync(mask, u)
        + (__reduce_add_sync(~0u, i) != 496 || __reduce_xor_sync(~0u, u) || __reduce_max_sync(~0u, -i)) * 1000000;
}

// Parts by a predicate and by a label.
//! run   parts block=64
//! arg   two i32[64] poison
//! arg   many i32[64] poison
//! want  two = i % 32 < 10 ? 45 + 1000 * 10 + 100000 * 12 : 451 + 1000 * 22 + 100000 * 2
//! want  many = (i % 32 % 5 < 2 ? 7 : 6) + 100 * (i % 32 // 5) + 10000 * (i % 32 % 5) + 100000 * 5
__global__ void parts(int *two, int *many)
{
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x;
    auto b = cg::binary_partition(w, i % 32 < 10);
    two[i] = cg::reduce(b, i % 32, cg::plus<int>()) + 1000 * b.size() + 100000 * (b.meta_group_size() + 10 * b.meta_group_rank());
    auto l = cg::labeled_partition(w, i % 32 % 5);
    many[i] = l.size() + 100 * l.thread_rank() + 10000 * l.meta_group_rank() + 100000 * l.meta_group_size();
}

// A tile of a coalesced group; one thread for all.
//! run   tiles_of_coalesced block=32
//! arg   out i32[32] poison
//! arg   once i32[1] = 0
//! want  out = i % 2 ? 0 : (i // 2 // 4 < 4 ? 4 : 0) + 10 * (i // 2 % 4) + 100 * 42
//! want  once = {1}
__global__ void tiles_of_coalesced(int *out, int *once)
{
    int i = threadIdx.x;
    out[i] = 0;
    if (i % 2 == 0) {
        auto g = cg::coalesced_threads();
        auto t = cg::tiled_partition(g, 4);
        cg::invoke_one(g, [&] { atomicAdd(once, 1); });
        out[i] = t.size() + 10 * t.thread_rank() + 100 * cg::invoke_one_broadcast(g, [] { return 42; });
    }
}

// A race stays one: the sync of a tile is no barrier of the block.
//! run   races block=64
//! arg   out i32[64] poison
//! fault "a race"
__global__ void races(int *out)
{
    __shared__ int room[64];
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    room[threadIdx.x] = threadIdx.x;
    t.sync();
    out[threadIdx.x] = room[63 - threadIdx.x]; // fault races
}
