// Cooperative groups, of which NVIDIA's headers make what is not supported: barriers of all blocks (a loop that polls a counter),
// tiles of more than a warp (the same), and asynchronous copies (cp.async).
//! only clang
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// Each block's sum, then the sum of them all; by one block, by some, by as many as a multiprocessor holds.
//! run   total grid=1 block=64
//! arg   in i32[1000] = i
//! arg   part i32[1] poison
//! arg   out i32[64] poison
//! arg   n i32 1000
//! want  part = {499500}
//! want  out = 499500
//! run   total grid=4,2 block=16,4
//! arg   in i32[1000] = 2
//! arg   part i32[8] poison
//! arg   out i32[512] poison
//! arg   n i32 1000
//! want  part = i < 7 ? 256 - (i + 1) // 8 : 208
//! want  out = 2000
__global__ void total(const int *in, int *part, int *out, int n)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ int sums[64];
    int sum = 0, all = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
    sums[block.thread_rank()] = sum;
    block.sync();
    for (int half = block.size() / 2; half; half /= 2) {
        if (block.thread_rank() < half) sums[block.thread_rank()] += sums[block.thread_rank() + half];
        block.sync();
    }
    if (block.thread_rank() == 0) part[grid.block_rank()] = sums[0];
    grid.sync();
    for (int b = 0; b < grid.num_blocks(); b++) all += part[b];
    out[grid.thread_rank()] = all;
}

// Many barriers: values move on by one block each time round, and shared memory and registers stay.
//! run   rounds grid=6 block=32
//! arg   a i32[192] = i
//! arg   b i32[192] poison
//! arg   n i32 20
//! want  a = (i + 20 * 33) % 192 + 20 + 1000
//! want  b = (i + 20 * 33) % 192 + 19
__global__ void rounds(int *a, int *b, int n)
{
    __shared__ int kept[32];
    auto grid = cg::this_grid();
    int i = grid.thread_rank();
    kept[threadIdx.x] = 1000;
    for (int k = 0; k < n; k++) {
        b[i] = a[(i + 33) % grid.size()];
        grid.sync();
        a[i] = b[i] + 1;
        grid.sync();
    }
    a[i] += kept[threadIdx.x];
}

// Numbers that atomic operations hand out, and a barrier: blocks are run in order from barrier to barrier.
//! run   tickets grid=5 block=32
//! arg   count i32[1] = 0
//! arg   out i32[5] poison
//! want  count = {10}
//! want  out = 5
__global__ void tickets(int *count, int *out)
{
    int first = 0;
    if (threadIdx.x == 0) first = atomicAdd(count, 1) < 5;
    cg::this_grid().sync();
    if (threadIdx.x == 0) out[blockIdx.x] = atomicAdd(count, 1) >= 5 && first ? 5 : 0;
}

//! run   leaves grid=4 block=64
//! arg   out i32[4] poison
//! fault "waits at a barrier of the grid that another block never reaches"
__global__ void leaves(int *out)
{
    if (blockIdx.x == 2) return;
    cg::this_grid().sync(); // fault leaves
    out[blockIdx.x] = 1;
}

//! run   half_a_block grid=2 block=64
//! arg   out i32[4] poison
//! fault "waits at a barrier that thread (32,0) never reaches"
__global__ void half_a_block(int *out)
{
    if (threadIdx.x >= 32) return;
    cg::this_grid().sync(); // fault half_a_block
    out[blockIdx.x] = 1;
}

// What another block wrote may be read behind the barrier, and not before it.
//! run   too_early grid=4 block=32
//! arg   room i32[128] poison
//! arg   out i32[128] poison
//! fault "reads room[127], which nothing has written"
__global__ void too_early(int *room, int *out)
{
    int i = cg::this_grid().thread_rank();
    room[i] = i;
    out[i] = room[127 - i]; // fault too_early
    cg::this_grid().sync();
}

//! run   too_many grid=3000 block=1024
//! arg   out i32[1] poison
//! launch_fault "grid.sync() needs all blocks on the GPU at once; the grid has 3000"
__global__ void too_many(int *out)
{
    cg::this_grid().sync();
    *out = 1;
}

// Copies into shared memory, of aligned and of odd numbers of bytes.
//! run   copies block=48
//! arg   in f32[200] = i * 3
//! arg   bytes u8[7] = {1, 2, 3, 4, 5, 6, 7}
//! arg   out f32[200] poison
//! arg   last u8[7] poison
//! want  out = i * 3
//! want  last = 7 - i
__global__ void copies(const float *in, const unsigned char *bytes, float *out, unsigned char *last)
{
    __shared__ __align__(16) float room[200];
    __shared__ unsigned char few[8];
    auto b = cg::this_thread_block();
    cg::memcpy_async(b, room, in, sizeof room);
    cg::memcpy_async(b, few + 1, bytes, 7);
    cg::wait(b);
    for (int i = b.thread_rank(); i < 200; i += b.size()) out[i] = room[i];
    if (b.thread_rank() < 7) last[b.thread_rank()] = few[7 - b.thread_rank()];
}

// Tiles of several warps: each sums and votes by itself, with the memory of the block or without.
struct wide {
    float x;
    int n;
};
struct wide_sum {
    __device__ wide operator()(wide a, wide b) const { return {a.x + b.x, a.n + b.n}; }
};

//! run   wide_tiles block=256
//! arg   sum i32[256] poison
//! arg   moved f64[256] poison
//! arg   vote i32[256] poison
//! arg   part i32[256] poison
//! want  sum = i < 128 ? 8128 : 24512
//! want  moved = i // 64 * 64 * 1.5 + (i * 7 + 40) % 64 * 1.5
//! want  vote = (i // 64 == 2) + 2 * (i // 64 != 2)
//! want  part = i % 128 // 32 + 10 * (i // 128) + 100 * (i % 128)
__global__ void wide_tiles(int *sum, double *moved, int *vote, int *part)
{
    __shared__ cg::block_tile_memory<256> memory;
    int i = threadIdx.x;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<128>(block);
    auto warp = cg::tiled_partition<32>(tile);
    sum[i] = cg::reduce(tile, i, cg::plus<int>());
    part[i] = warp.meta_group_rank() + 10 * tile.meta_group_rank() + 100 * tile.thread_rank();
    block.sync();
    auto small = cg::tiled_partition<64>(cg::this_thread_block());
    moved[i] = small.shfl(i * 1.5, (i * 7 + 40) % small.num_threads());
    vote[i] = small.any(i == 170) + 2 * small.all(i != 170);
}

//! run   wide_values block=192
//! arg   x f32[192] poison
//! arg   n i32[192] poison
//! want  x = i < 64 ? 1008 : i < 128 ? 3056 : 5104
//! want  n = 64 * (i // 64 + 1)
__global__ void wide_values(float *x, int *n)
{
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    wide mine = {threadIdx.x * 0.5f, (int)tile.meta_group_rank() + 1};
    wide all = cg::reduce(tile, mine, wide_sum());
    x[threadIdx.x] = all.x;
    n[threadIdx.x] = all.n;
}

// What a tile's barrier orders, and no other: one tile writes and reads many times.
//! run   wide_sync block=128
//! arg   out i32[128] poison
//! want  out = (i % 64 + 63) % 64 + i // 64 * 1000 + 1
__global__ void wide_sync(int *out)
{
    __shared__ int room[128];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    int r = tile.thread_rank(), base = tile.meta_group_rank() * 64, v = r + tile.meta_group_rank() * 1000;
    if (tile.meta_group_rank() == 1) tile.sync();
    room[base + r] = v;
    tile.sync();
    v = room[base + (r + 63) % 64];
    tile.sync();
    room[base + r] = v + 1;
    tile.sync();
    out[threadIdx.x] = room[base + r];
}
