// matmul: c = a b, the next tiles on their way while the products of these are added
#include "lockstep.h"
#include "lockstep_async.h"

#define SIDE 128 // a block computes SIDE x SIDE outputs
#define DEPTH 16 // of a step along k
#define OWN 8    // a thread computes OWN x OWN of them
LAUNCH(matmul, BLOCK(256, 1), COVERS(SIDE, SIDE))

PREDICT(copies, 16384)
PREDICT(barriers, 64 * 8 * (16 + 1))

// Given: the tiles of a step. Column i of the tile of a is row i here.
struct tiles {
    float a[DEPTH][SIDE + 4], b[DEPTH][SIDE];
};

// Given: the floats that a thread needs for one k, loaded from row i of the tiles.
struct factors {
    float x[OWN], y[OWN];
};

static __device__ void get(factors &f, const tiles &s, int i, int r, int q)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        *(float4 *)&f.x[4 * h] = *(const float4 *)&s.a[i][r + 16 * h];
        *(float4 *)&f.y[4 * h] = *(const float4 *)&s.b[i][q + 32 * h];
    }
}

static __device__ void add_products(float (&sum)[OWN][OWN], const factors &f)
{
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int l = 0; l < OWN; l++)
            sum[j][l] += f.x[j] * f.y[l];
}

// Ask for a pair of tiles: a into registers, b straight into the stage.
static __device__ void ask(tiles &s, float4 (&u)[2], const float *&pa, const float *&pb, int k, int n)
{
    int t = threadIdx.x;
    u[0] = *(const float4 *)pa;
    u[1] = *(const float4 *)(pa + 64 * k);
    __pipeline_memcpy_async(&s.b[t / 32][t % 32 * 4], pb, 16);
    __pipeline_memcpy_async(&s.b[t / 32 + 8][t % 32 * 4], pb + 8 * n, 16);
    __pipeline_commit();
    pa += DEPTH;
    pb += DEPTH;
}

// Store what came into registers, turned.
static __device__ void turn(tiles &s, const float4 (&u)[2])
{
    int t = threadIdx.x, i = t % 4 * 4;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        int row = t / 4 + 64 * h;
        s.a[i][row] = u[h].x;
        s.a[i + 1][row] = u[h].y;
        s.a[i + 2][row] = u[h].z;
        s.a[i + 3][row] = u[h].w;
    }
}

// The fast path: nothing is outside, and all rows begin at a multiple of 16 bytes.
static __device__ void interior(
    tiles *stage, const float *a, const float *b, float *c, int m, int k, int n, int top, int left)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int r = warp % 4 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;

    const float *pa = a + (top + t / 4) * k + t % 4 * 4;
    const float *pb = b + warp * n + left + lane * 4;
    float4 u[2];
    float sum[OWN][OWN] = {};
    factors f[2];

    ask(stage[0], u, pa, pb, k, n);
    turn(stage[0], u);
    __pipeline_wait_prior(0);
    __syncthreads();
    get(f[0], stage[0], 0, r, q);

    int steps = k / DEPTH;
    for (int step = 0; step < steps; step++) {
        tiles &now = stage[step % 2], &next = stage[(step + 1) % 2];
        bool more = step + 1 < steps;
        if (more)
            ask(next, u, pa, pb, k, n);
#pragma unroll
        for (int i = 0; i < DEPTH - 1; i++) {
            get(f[(i + 1) % 2], now, i + 1, r, q);
            add_products(sum, f[i % 2]);
        }
        if (more)
            turn(next, u);
        __pipeline_wait_prior(0);
        __syncthreads();
        if (more)
            get(f[0], next, 0, r, q);
        add_products(sum, f[1]);
    }

#pragma unroll
    for (int j = 0; j < OWN; j++) {
        float *to = c + (top + r + j / 4 * 16 + j % 4) * n + left + q;
        *(float4 *)to = make_float4(sum[j][0], sum[j][1], sum[j][2], sum[j][3]);
        *(float4 *)(to + 32) = make_float4(sum[j][4], sum[j][5], sum[j][6], sum[j][7]);
    }
}

// Given: any other block, by single floats. The loops stay loops, and cost the fast path no registers.
static __device__ void boundary(
    tiles *stage, const float *a, const float *b, float *c, int m, int k, int n, int top, int left)
{
    tiles &s = stage[0];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int r = warp % 4 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;
    float sum[OWN][OWN] = {};
    factors f;
    ROLLED for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        ROLLED for (int h = 0; h < SIDE; h += DEPTH) {
            int row = top + t / 16 + h, col = left + t % 16 + h, i = k_tile + t % 16, j = k_tile + t / 16;
            s.a[t % 16][t / 16 + h] = row < m && i < k ? a[row * k + i] : 0;
            s.b[t / 16][t % 16 + h] = j < k && col < n ? b[j * n + col] : 0;
        }
        __syncthreads();
        ROLLED for (int i = 0; i < DEPTH; i++) {
            get(f, s, i, r, q);
            add_products(sum, f);
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int l = 0; l < OWN; l++) {
            int row = top + r + j / 4 * 16 + j % 4, col = left + q + l / 4 * 32 + l % 4;
            if (row < m && col < n)
                c[row * n + col] = sum[j][l];
        }
}

// Given. At most 128 registers a thread, so that two blocks fit on a multiprocessor.
__global__ void __launch_bounds__(256, 2)
matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ __align__(16) tiles stage[2];
    // bands of 8 rows of blocks, down the band first
    int id = blockIdx.y * gridDim.x + blockIdx.x;
    int columns = gridDim.x, lines = gridDim.y;
    int band = id / (8 * columns) * 8, rest = id - band * columns;
    int high = min(8, lines - band);
    int top = (band + rest % high) * SIDE, left = rest / high * SIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && top + SIDE <= m && left + SIDE <= n)
        interior(stage, a, b, c, m, k, n, top, left);
    else
        boundary(stage, a, b, c, m, k, n, top, left);
}
