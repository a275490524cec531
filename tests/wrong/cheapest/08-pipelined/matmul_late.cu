// matmul: two stages, but the copies begin when their tiles are needed
#include "lockstep.h"
#include "lockstep_async.h"

#define SIDE 128 // a block computes SIDE x SIDE outputs
#define DEPTH 16 // columns of a in a step along k
#define OWN 8    // a thread computes OWN x OWN of them
#define BAND 8   // rows of blocks that run together
LAUNCH(matmul, BLOCK(256, 1), COVERS(SIDE, SIDE))

PREDICT(copies, UNKNOWN)
PREDICT(barriers, UNKNOWN)   // one before the first step and one in each

// Column i of the tile of a is row i here.
struct tiles {
    float a[DEPTH][SIDE + 4], b[DEPTH][SIDE];
};

// The floats that a thread needs for one k
struct factors {
    float x[OWN], y[OWN];
};

static __device__ void get(factors &f, const tiles &s, int i, int r, int q)
{
#pragma unroll
    for (int h = 0; h < 2; h++)
        *(float4 *)&f.y[4 * h] = *(const float4 *)&s.b[i][q + 32 * h];
#pragma unroll
    for (int h = 0; h < 2; h++)
        *(float4 *)&f.x[4 * h] = *(const float4 *)&s.a[i][r + 16 * h];
}

// In two rows alternately: successive multiply-adds share a factor, which is read from its register once.
static __device__ void add_products(float (&sum)[OWN][OWN], const factors &f)
{
#pragma unroll
    for (int j = 0; j < OWN; j += 2)
#pragma unroll
        for (int l = 0; l < OWN; l++) {
            int first = j + l % 2, second = j + 1 - l % 2;
            sum[first][l] += f.x[first] * f.y[l];
            sum[second][l] += f.x[second] * f.y[l];
        }
}

// The fast path: nothing is outside, all rows begin at a multiple of 16 bytes, and the number of steps is
// even.
static __device__ void interior(
    tiles *stage, const float *a, const float *b, float *c, int m, int k, int n, int top, int left)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    // As in lab 07: a warp computes 32 x 64 outputs by 4 x 8 lanes. A thread has rows r to r + 3 and r + 16
    // to r + 19, and columns q to q + 3 and q + 32 to q + 35.
    int r = warp % 4 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;
    float sum[OWN][OWN] = {};
    float4 u[2];
    const float *next_a = &a[(top + t / 4) * k + t % 4 * 4], *next_b = &b[t / 32 * n + left + lane * 4];
    // Fetch the next tiles. The tile of a is transposed on its way, which an asynchronous copy cannot do:
    // it goes through registers, and is loaded first, since it is needed first.
    auto fetch = [&](tiles &s) {
#pragma unroll
        for (int h = 0; h < 2; h++)
            u[h] = *(const float4 *)&next_a[(size_t)64 * h * k];
#pragma unroll
        for (int h = 0; h < 2; h++)
            __pipeline_memcpy_async(&s.b[t / 32 + 8 * h][lane * 4], &next_b[(size_t)8 * h * n], 16);
        next_a += DEPTH, next_b += (size_t)DEPTH * n;
        __pipeline_commit();
    };
    // Store the tile of a, and wait until both tiles are there for all threads.
    auto arrive = [&](tiles &s, bool more) {
        if (more)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                float (*four)[SIDE + 4] = &s.a[t % 4 * 4];
                int row = t / 4 + 64 * h;
                four[0][row] = u[h].x, four[1][row] = u[h].y;
                four[2][row] = u[h].z, four[3][row] = u[h].w;
            }
        __pipeline_wait_prior(0);
        __syncthreads();
    };
    factors f[2];
    fetch(stage[0]);
    arrive(stage[0], true);
    get(f[0], stage[0], 0, r, q);
    // The tiles of this step are in `now`; those of the next step, if there is one, go to `next`. After the
    // barrier no thread reads `now` any more: one barrier a step is enough. The last step waits, too, and
    // loads floats that nobody needs: a branch around that would cost more in all the others.
    auto step = [&](int k_tile, tiles &now, tiles &next) {
        bool more = k_tile + DEPTH < k;
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            // The floats of the next k are loaded while the products of this one are added.
            if (i + 1 < DEPTH) {
                get(f[(i + 1) % 2], now, i + 1, r, q);
            } else {
                if (more)
                    fetch(next);
                for (int idle = 0; idle < k; idle++) // instructions between the copies and the wait
                    asm volatile("" : "+r"(idle));
                arrive(next, more);
                get(f[0], next, 0, r, q);
            }
            add_products(sum, f[i % 2]);
        }
    };
    for (int k_tile = 0; k_tile < k; k_tile += 2 * DEPTH) { // two steps: a stage's address is a constant
        step(k_tile, stage[0], stage[1]);
        step(k_tile + DEPTH, stage[1], stage[0]);
    }
    // A 16-byte store needs four consecutive registers. Products with one go there, so that the sums
    // themselves may lie anywhere: the compiler does not know that one is 1.
    float one = k > 0 ? 1 : 2;
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int l = 0; l < OWN; l += 4) {
            float4 four = {sum[j][l] * one, sum[j][l + 1] * one, sum[j][l + 2] * one, sum[j][l + 3] * one};
            *(float4 *)&c[(top + r + j / 4 * 16 + j % 4) * n + left + q + l / 4 * 32] = four;
        }
}

// Any other block, by single floats. The loops stay loops, and cost the fast path no registers.
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

// Two blocks a multiprocessor, so at most 128 registers.
__global__ void __launch_bounds__(256, 2)
matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ __align__(16) tiles stage[2];
    // Blocks start along x of the grid. Number them down the columns of a band of BAND rows instead: those
    // that run together then need few rows of a and few columns of b, and share them in the L2.
    int number = blockIdx.y * gridDim.x + blockIdx.x, band = number / (BAND * gridDim.x) * BAND;
    int high = min(BAND, gridDim.y - band), in = number - band * gridDim.x;
    int top = (band + in % high) * SIDE, left = in / high * SIDE;
    if (k % (2 * DEPTH) == 0 && n % 4 == 0 && top + SIDE <= m && left + SIDE <= n)
        interior(stage, a, b, c, m, k, n, top, left);
    else
        boundary(stage, a, b, c, m, k, n, top, left);
}
