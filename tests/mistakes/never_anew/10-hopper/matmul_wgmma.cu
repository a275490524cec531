// matmul_wgmma: c = a b, warps copy, split or multiply
#include "lockstep_wgmma.h"

#define TILE 128 // a block computes TILE x TILE outputs
#define DEPTH 32 // columns of a and rows of b in a slab
#define STAGES 3 // slabs on their way
#define FOUR (DEPTH / 4)

// 64 blocks, 4 slabs
PREDICT(products, 64 * 4 * 8 * 12)         // 8 warps, 3 times 4
PREDICT(copies, 64 * 4 * 4 * 16)           // 4 warps
PREDICT(flop, 3 * 2 * 1024 * 1024 * 128)

// Given: a slab as it comes from global memory, and b's as the tensor cores read it: turned, in two parts.
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
    big = __float_as_uint(x) + (1 << 12); // half of the last digit
    big &= ~0x1fffu;
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

template <bool WHOLE>
static __device__ void copy(Shared &s, const float *a, const float *b, int top, int left, int m, int k, int n)
{
    int t = threadIdx.x & 127;
    int arow = t >> 3, achunk = t & 7, brow = t >> 5, bchunk = t & 31;
    Turn turn;
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        int st = turn.stage;
        barrier_wait(&s.freed[st], turn.parity ^ 1);
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = arow + 16 * j;
            copy4<WHOLE>(&s.a[st][r][in_a(r, achunk)], a, top + r, k_tile + 4 * achunk, m, k);
        }
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = brow + 4 * j;
            copy4<WHOLE>(&s.b[st][r][in_b(r, bchunk)], b, k_tile + r, left + 4 * bchunk, k, n);
        }
        barrier_arrive_after_copies(&s.loaded[st]);
        turn.next();
    }
    copies_wait();
}

// one column: its four rows are a chunk of k
static __device__ void split4(uint4 &big, uint4 &small, float p, float q, float r, float s)
{
    split(p, big.x, small.x);
    split(q, big.y, small.y);
    split(r, big.z, small.z);
    split(s, big.w, small.w);
}

static __device__ void split_b(Shared &s, int k)
{
    int t = threadIdx.x & 127, lane = t & 31;
    int q = lane & 7;                          // chunk of k
    int col = (t >> 5) * 16 + (lane >> 3) * 4; // four columns from here, and four that are 64 further
    int row = (q >> 2) * 16 + (q & 3);
    Turn turn;
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        int st = turn.stage;
        float4 v[2][4];
        barrier_wait(&s.loaded[st], turn.parity);
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                v[h][i] = s.b[st][row + 4 * i][in_b(row, h * 16 + (col >> 2))];
        barrier_wait(&s.done[st], turn.parity ^ 1);
#pragma unroll
        for (int h = 0; h < 2; h++) {
            uint4 big[4], small[4];
            split4(big[0], small[0], v[h][0].x, v[h][1].x, v[h][2].x, v[h][3].x);
            split4(big[1], small[1], v[h][0].y, v[h][1].y, v[h][2].y, v[h][3].y);
            split4(big[2], small[2], v[h][0].z, v[h][1].z, v[h][2].z, v[h][3].z);
            split4(big[3], small[3], v[h][0].w, v[h][1].w, v[h][2].w, v[h][3].w);
#pragma unroll
            for (int j = 0; j < 4; j++) {
                int x = h * 64 + col + j;
                *(uint4 *)&s.big[st][x][q ^ (x & 7)] = big[j];
                *(uint4 *)&s.small[st][x][q ^ (x & 7)] = small[j];
            }
        }
        __syncwarp();
        if (lane == 0)
            barrier_arrive(&s.freed[st]);
        fence_async();
        barrier_arrive(&s.ready[st]);
        turn.next();
    }
}

static __device__ void multiply(Shared &s, float *c, int top, int left, int m, int k, int n)
{
    int t = threadIdx.x - 128, lane = t & 31, q = lane & 3;
    int row = (t >> 5) * 16 + (lane >> 2); // and the one 8 below
    float sum[64], part[64];
#pragma unroll
    for (int i = 0; i < 64; i++)
        sum[i] = part[i] = 0;
    Turn turn;
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        int st = turn.stage;
        unsigned big[16], small[16];
        barrier_wait(&s.loaded[st], turn.parity);
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int d = 0; d < 2; d++) {
                float4 f = s.a[st][row + 8 * d][in_a(row, 4 * h + q)];
                int to = 8 * h + d;
                split(f.x, big[to], small[to]);
                split(f.y, big[to + 2], small[to + 2]);
                split(f.z, big[to + 4], small[to + 4]);
                split(f.w, big[to + 6], small[to + 6]);
            }
        __syncwarp();
        if (lane == 0)
            barrier_arrive(&s.freed[st]);

        barrier_wait(&s.ready[st], turn.parity);
        unsigned long long bb = wgmma_matrix(s.big[st]), bs = wgmma_matrix(s.small[st]);
        wgmma_begin(big, small);
#pragma unroll
        for (int i = 0; i < 4; i++)
            wgmma_tf32(part, small + 4 * i, bb + 2 * i, 1); // part began as zeros
#pragma unroll
        for (int i = 0; i < 4; i++)
            wgmma_tf32(part, big + 4 * i, bs + 2 * i, 1);
#pragma unroll
        for (int i = 0; i < 4; i++)
            wgmma_tf32(part, big + 4 * i, bb + 2 * i, 1);
        wgmma_commit();
        wgmma_wait<0>();
        if (lane == 0)
            barrier_arrive(&s.done[st]);
#pragma unroll
        for (int i = 0; i < 64; i++)
            sum[i] += part[i];
        turn.next();
    }

#pragma unroll
    for (int j = 0; j < 16; j++)
#pragma unroll
        for (int d = 0; d < 2; d++) {
            int r = top + row + 8 * d, x = left + 8 * j + 2 * q;
            float *to = c + (size_t)r * n + x;
            float u = sum[4 * j + 2 * d], v = sum[4 * j + 2 * d + 1];
            if (r >= m || x >= n)
                continue;
            if (n % 2 == 0) {
                *(float2 *)to = make_float2(u, v);
            } else {
                *to = u;
                if (x + 1 < n)
                    to[1] = v;
            }
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
