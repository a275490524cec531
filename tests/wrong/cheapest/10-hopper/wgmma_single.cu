// matmul_wgmma: one stage, so no copy goes on beside a product
#include "lockstep_wgmma.h"

#define TILE 128 // a block computes TILE x TILE outputs
#define DEPTH 32 // columns of a and rows of b in a slab
#define STAGES 1
#define FOUR (DEPTH / 4)
#define ROWS_AT_ONCE 8  // rows of tiles: blocks that run together share rows of a and columns of b in the L2

PREDICT(products, UNKNOWN)
PREDICT(copies, UNKNOWN)
PREDICT(flop, UNKNOWN)

// a, b: slabs as they are loaded; big, small: the two parts of b's, transposed for the tensor cores.
struct Shared {
    float4 big[STAGES][TILE][FOUR], small[STAGES][TILE][FOUR];
    float4 a[STAGES][TILE][FOUR];
    float4 b[STAGES][DEPTH][TILE / 4];
    barrier_t loaded[STAGES], freed[STAGES]; // the copies of a slab are there; its readers are done
    barrier_t ready[STAGES], done[STAGES];   // b is split; both warpgroups have multiplied with it
};
LAUNCH_SHARED(matmul_wgmma, BLOCK(512, 1), COVERS(TILE, TILE), sizeof(Shared))

// The stage of the current slab, and the parity of its barriers' phase.
struct Turn {
    int stage = 0;
    unsigned parity = 0;
    __device__ void next()
    {
        if (++stage == STAGES) stage = 0, parity ^= 1;
    }
};

// Where a chunk of 4 floats of a row is. Eight neighbouring lanes that read 4 chunks of two rows of a, or one
// chunk of the rows r + 0, 1, 2, 3, 16, 17, 18 and 19 of b, find them in different banks.
static __device__ int in_a(int row, int chunk) { return chunk ^ row % 2 * 4; }
static __device__ int in_b(int row, int chunk) { return chunk ^ (row / 16 * 4 + row % 4); }

// x = big + small. Tensor cores read 11 digits of each, so what is lost is below 2^-22 x.
static __device__ void split(float x, unsigned &big, unsigned &small)
{
    big = (__float_as_uint(x) + 0x1000) & 0xffffe000;
    small = __float_as_uint(x - __uint_as_float(big));
}

// Copy four neighbours of a row; zeros outside the matrix. WHOLE: rows begin at a multiple of 16 bytes.
template <bool WHOLE>
static __device__ void copy4(float4 *to, const float *p, int row, int col, int rows, int cols)
{
    p += (size_t)row * cols + col;
    if (WHOLE)
        copy_async16(to, p, row < rows && col < cols ? 16 : 0);
    else
        for (int i = 0; i < 4; i++) copy_async4((float *)to + i, p + i, row < rows && col + i < cols ? 4 : 0);
}

template <bool WHOLE>
static __device__ void copy(Shared &s, const float *a, const float *b, int top, int left, int m, int k, int n)
{
    int t = threadIdx.x % 128;
    Turn at;
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH, at.next()) {
        barrier_wait(&s.freed[at.stage], at.parity ^ 1); // free from the start
#pragma unroll
        for (int i = 0; i < TILE; i += 16) {
            int row = i + t / FOUR, chunk = t % FOUR;
            copy4<WHOLE>(&s.a[at.stage][row][in_a(row, chunk)], a, top + row, k_tile + chunk * 4, m, k);
        }
#pragma unroll
        for (int i = 0; i < DEPTH; i += 4) {
            int row = i + t / 32, chunk = t % 32;
            copy4<WHOLE>(&s.b[at.stage][row][in_b(row, chunk)], b, k_tile + row, left + chunk * 4, k, n);
        }
        barrier_arrive_after_copies(&s.loaded[at.stage]); // when the copies are done; this thread goes on
    }
    copies_wait();
}

// A thread transposes 4 x 4 floats of b, twice: four rows that are 4 apart, and 4 neighbouring columns.
static __device__ void split_b(Shared &s, int k)
{
    int t = threadIdx.x % 128, lane = t % 32, q = lane % 8, col = t / 32 * 16 + lane / 8 * 4;
    // The order of k in a slab is free, if it is the same for a: here it is such that four neighbours of a
    // row of a are what a thread needs for two products.
    int row = q / 4 * 16 + q % 4;
    Turn at;
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH, at.next()) {
        float4 v[2][4];
        barrier_wait(&s.loaded[at.stage], at.parity);
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                v[h][i] = s.b[at.stage][row + 4 * i][in_b(row, h * 16 + col / 4)];
        barrier_wait(&s.done[at.stage], at.parity ^ 1);
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int j = 0; j < 4; j++) {
                uint4 big, small;
                split((&v[h][0].x)[j], big.x, small.x);
                split((&v[h][1].x)[j], big.y, small.y);
                split((&v[h][2].x)[j], big.z, small.z);
                split((&v[h][3].x)[j], big.w, small.w);
                int to = h * 64 + col + j;
                *(uint4 *)&s.big[at.stage][to][q ^ to % 8] = big;
                *(uint4 *)&s.small[at.stage][to][q ^ to % 8] = small;
            }
        __syncwarp();
        if (lane == 0) barrier_arrive(&s.freed[at.stage]);
        fence_async(); // before the arrival that lets the tensor cores read
        barrier_arrive(&s.ready[at.stage]);
    }
}

static __device__ void multiply(Shared &s, float *c, int top, int left, int m, int k, int n)
{
    int t = threadIdx.x - 128, lane = t % 32, row = t / 32 * 16 + lane / 4, q = lane % 4;
    float sum[64] = {}, part[64];
    Turn at;
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH, at.next()) {
        unsigned big[16], small[16];
        barrier_wait(&s.loaded[at.stage], at.parity);
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int down = 0; down < 2; down++) {
                float4 v = s.a[at.stage][row + down * 8][in_a(row, h * 4 + q)];
                float x[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    int to = (h * 2 + e / 2) * 4 + e % 2 * 2 + down;
                    split(x[e], big[to], small[to]);
                }
            }
        __syncwarp();
        if (lane == 0) barrier_arrive(&s.freed[at.stage]);
        barrier_wait(&s.ready[at.stage], at.parity);
        unsigned long long b = wgmma_matrix(s.big[at.stage]), rest = wgmma_matrix(s.small[at.stage]);
        wgmma_begin(big, small);
#pragma unroll
        for (int i = 0; i < 4; i++) { // the small products first, while the sum is small
            wgmma_tf32(part, small + 4 * i, b + 2 * i, i > 0);
            wgmma_tf32(part, big + 4 * i, rest + 2 * i, 1);
        }
#pragma unroll
        for (int i = 0; i < 4; i++) wgmma_tf32(part, big + 4 * i, b + 2 * i, 1);
        wgmma_commit();
        wgmma_wait<0>();
        if (lane == 0) barrier_arrive(&s.done[at.stage]);
        // Tensor cores cut sums off, so they add one slab only. This addition rounds to nearest.
#pragma unroll
        for (int i = 0; i < 64; i++) sum[i] += part[i];
    }
#pragma unroll
    for (int i = 0; i < 64; i += 2) {
        int r = top + row + i / 2 % 2 * 8, col = left + i / 4 * 8 + q * 2;
        float *to = c + (size_t)r * n + col;
        if (r >= m || col >= n) continue;
        if (n % 2 == 0) {
            *(float2 *)to = make_float2(sum[i], sum[i + 1]);
        } else {
            to[0] = sum[i];
            if (col + 1 < n) to[1] = sum[i + 1];
        }
    }
}

__global__ void __launch_bounds__(512, 1)
matmul_wgmma(const float *a, const float *b, float *c, int m, int k, int n)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Shared &s = *(Shared *)memory;
    int role = threadIdx.x / 128;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&s.loaded[i], 128); // each thread that copies
            barrier_init(&s.freed[i], 12);   // 4 warps that split and 8 that multiply
            barrier_init(&s.ready[i], 128);
            barrier_init(&s.done[i], 8);
        }
        barrier_init_fence();
    }
    __syncthreads();
    // Blocks go down ROWS_AT_ONCE tiles, then to the right.
    int id = blockIdx.y * gridDim.x + blockIdx.x, band = id / (ROWS_AT_ONCE * gridDim.x) * ROWS_AT_ONCE;
    int high = min(ROWS_AT_ONCE, (int)gridDim.y - band), in = id - band * gridDim.x;
    int top = (band + in % high) * TILE, left = in / high * TILE;
    // 128 threads each with 40 and 72 registers and 256 with 200: together the 512 x 128 of the block.
    if (role == 3) {
        registers_down<40>();
        if (k % 4 == 0 && n % 4 == 0)
            copy<true>(s, a, b, top, left, m, k, n);
        else
            copy<false>(s, a, b, top, left, m, k, n);
    } else if (role == 0) {
        registers_down<72>();
        split_b(s, k);
    } else {
        registers_up<200>();
        multiply(s, c, top, left, m, k, n);
    }
}
