// matmul_wgmma: sums are stored float by float
#include "lockstep_wgmma.h"

#define TILE 128 // a block computes TILE x TILE outputs
#define DEPTH 32 // columns of a and rows of b in a slab
#define STAGES 3 // slabs on their way
#define FOUR (DEPTH / 4)

//     per warp, and the operations of the tensor cores, where a multiply-add is two.
PREDICT(products, UNKNOWN)
PREDICT(copies, UNKNOWN)
PREDICT(flop, UNKNOWN)

// Given: a slab as it comes from global memory, and b's as the tensor cores read it: transposed, in two
// parts.
struct Shared {
    float4 big[STAGES][TILE][FOUR], small[STAGES][TILE][FOUR];
    float4 a[STAGES][TILE][FOUR];
    float4 b[STAGES][DEPTH][TILE / 4];
    barrier_t loaded[STAGES], freed[STAGES]; // the copies of a slab are there; its readers are done
    barrier_t ready[STAGES], done[STAGES];   // b is split; both warpgroups have multiplied with it
};
LAUNCH_SHARED(matmul_wgmma, BLOCK(512, 1), COVERS(TILE, TILE), sizeof(Shared))

// Given: which stage, and the parity of its phase.
struct Turn {
    int stage = 0;
    unsigned parity = 0;
    __device__ void next()
    {
        if (++stage == STAGES) stage = 0, parity ^= 1;
    }
};

// Given: where a chunk of 4 floats of a row is. Eight neighbouring lanes that read 4 chunks of two rows of a,
// or one chunk of the rows r + 0, 1, 2, 3, 16, 17, 18 and 19 of b, find them in different banks.
static __device__ int in_a(int row, int chunk) { return chunk ^ row % 2 * 4; }
static __device__ int in_b(int row, int chunk) { return chunk ^ (row / 16 * 4 + row % 4); }

static __device__ void split(float x, unsigned &big, unsigned &small)
{
    big = (__float_as_uint(x) + 0x1000u) & ~0x1fffu;
    small = __float_as_uint(x - __uint_as_float(big));
}

// Given: four neighbours of a row; zeros outside of the matrix. WHOLE: rows begin at a multiple of 16 bytes.
template <bool WHOLE>
static __device__ void copy4(float4 *to, const float *p, int row, int col, int rows, int cols)
{
    p += (size_t)row * cols + col;
    if (WHOLE)
        copy_async16(to, p, row < rows && col < cols ? 16 : 0);
    else
        for (int i = 0; i < 4; i++) copy_async4((float *)to + i, p + i, row < rows && col + i < cols ? 4 : 0);
}

static __device__ int slabs(int k) { return (k + DEPTH - 1) / DEPTH; }

template <bool WHOLE>
static __device__ void copy(Shared &s, const float *a, const float *b, int top, int left, int m, int k, int n)
{
    int t = threadIdx.x % 128;
    Turn turn;
    for (int i = 0; i < slabs(k); i++, turn.next()) {
        barrier_wait(&s.freed[turn.stage], turn.parity ^ 1);
        ROLLED for (int e = t; e < TILE * FOUR; e += 128) { // 16 rows of a, 4 of b at a time
            int row = e / FOUR, chunk = e % FOUR, down = e / 32, right = e % 32;
            copy4<WHOLE>(&s.b[turn.stage][down][in_b(down, right)], b, i * DEPTH + down, left + 4 * right, k, n);
            copy4<WHOLE>(&s.a[turn.stage][row][in_a(row, chunk)], a, top + row, i * DEPTH + 4 * chunk, m, k);
        }
        barrier_arrive_after_copies(&s.loaded[turn.stage]);
    }
}

// A square: four columns of chunk q, which are 4 x 4 floats of b
static __device__ void split_square(Shared &s, int stage, const float4 (&v)[4], int four, int q)
{
    const float *f = &v[0].x;
#pragma unroll
    for (int e = 0; e < 4; e++) {
        int col = 4 * four + e;
        unsigned big[4], small[4];
#pragma unroll
        for (int h = 0; h < 4; h++)
            split(f[4 * h + e], big[h], small[h]);
        *(uint4 *)&s.big[stage][col][q ^ col % 8] = make_uint4(big[0], big[1], big[2], big[3]);
        *(uint4 *)&s.small[stage][col][q ^ col % 8] = make_uint4(small[0], small[1], small[2], small[3]);
    }
}

static __device__ void split_b(Shared &s, int k)
{
    int t = threadIdx.x % 128, q = t % 8, row = q / 4 * 16 + q % 4;
    Turn turn;
    for (int i = 0; i < slabs(k); i++, turn.next()) {
        float4 v[2][4];
        barrier_wait(&s.loaded[turn.stage], turn.parity);
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                v[h][e] = s.b[turn.stage][row + 4 * e][in_b(row + 4 * e, t / 8 + 16 * h)];
        __syncwarp();
        if (t % 32 == 0)
            barrier_arrive(&s.freed[turn.stage]);
        barrier_wait(&s.done[turn.stage], turn.parity ^ 1);
#pragma unroll
        for (int h = 0; h < 2; h++)
            split_square(s, turn.stage, v[h], t / 8 + 16 * h, q);
        fence_async();
        barrier_arrive(&s.ready[turn.stage]);
    }
}

static __device__ void multiply(Shared &s, float *c, int top, int left, int m, int k, int n)
{
    int t = threadIdx.x - 128, lane = t % 32, own = t / 32 * 16 + lane / 4, at = lane % 4;
    float sum[64] = {}, part[64];
    Turn turn;
    for (int i = 0; i < slabs(k); i++, turn.next()) {
        unsigned big[16], small[16];
        barrier_wait(&s.loaded[turn.stage], turn.parity);
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                float4 v = s.a[turn.stage][own + 8 * e][in_a(own + 8 * e, at + 4 * h)];
                split(v.x, big[8 * h + e], small[8 * h + e]);
                split(v.y, big[8 * h + e + 2], small[8 * h + e + 2]);
                split(v.z, big[8 * h + e + 4], small[8 * h + e + 4]);
                split(v.w, big[8 * h + e + 6], small[8 * h + e + 6]);
            }
        __syncwarp();
        if (lane == 0)
            barrier_arrive(&s.freed[turn.stage]);
        unsigned long long b_big = wgmma_matrix(s.big[turn.stage]), b_small = wgmma_matrix(s.small[turn.stage]);
        barrier_wait(&s.ready[turn.stage], turn.parity);
        wgmma_begin(big, small);
#pragma unroll
        for (int j = 0; j < 4; j++)
            wgmma_tf32(part, big + 4 * j, b_small + 2 * j, j);
#pragma unroll
        for (int j = 0; j < 4; j++)
            wgmma_tf32(part, small + 4 * j, b_big + 2 * j, 1);
#pragma unroll
        for (int j = 0; j < 4; j++)
            wgmma_tf32(part, big + 4 * j, b_big + 2 * j, 1);
        wgmma_commit();
        wgmma_wait<0>();
        if (lane == 0)
            barrier_arrive(&s.done[turn.stage]);
#pragma unroll
        for (int j = 0; j < 64; j++)
            sum[j] += part[j];
    }
    int row = top + own, col = left + 2 * at;
#pragma unroll
    for (int j = 0; j < 64; j++) {
        int r = row + j / 2 % 2 * 8, q = col + j / 4 * 8 + j % 2;
        if (r < m && q < n)
            c[(size_t)r * n + q] = sum[j];
    }
}

// Given.
__global__ void __launch_bounds__(512, 1)
matmul_wgmma(const float *a, const float *b, float *c, int m, int k, int n)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Shared &s = *(Shared *)memory;
    int role = threadIdx.x / 128, top = blockIdx.y * TILE, left = blockIdx.x * TILE;
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
    // 40, 72 and twice 200 registers are the 512 x 128 of the block.
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
