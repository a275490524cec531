// matmul: c = a b, the next tiles on their way while the products of these are added
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs
//            over the columns of c, y over its rows. A block of 256 threads computes 128 x 128 outputs, 8 x 8
//            a thread, in steps of 16 along k. `boundary` is complete: it computes the blocks that are partly
//            outside, and all blocks if k is no multiple of 16 or n no multiple of 4.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 1024, k = 256, counted once per warp: at least 16384 asynchronous copies, at most
//            32768 global loads (copies are among them), 10240 barriers and 526336 loads from shared memory;
//            at least 65% of the instructions multiply-adds, 256 of a warp between a copy and its wait
//   Read:    README.md steps 5 to 7, slides/08-pipelined.md
#include "lockstep.h"
#include "lockstep_async.h"

#define SIDE 128 // a block computes SIDE x SIDE outputs
#define DEPTH 16 // of a step along k
#define OWN 8    // a thread computes OWN x OWN of them
LAUNCH(matmul, BLOCK(256, 1), COVERS(SIDE, SIDE))

// TODO 1: predict, at m = n = 1024, k = 256: the asynchronous copies of all warps, if b goes by copies of 16
//     bytes and a does not; the barriers of all warps, with one before the first step and one in each.
PREDICT(copies, UNKNOWN)
PREDICT(barriers, UNKNOWN)

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

// The fast path: nothing is outside, and all rows begin at a multiple of 16 bytes.
static __device__ void interior(
    tiles *stage, const float *a, const float *b, float *c, int m, int k, int n, int top, int left)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    // Given: as in lab 07. This thread has rows r to r + 3 and r + 16 to r + 19, and columns q to q + 3 and
    // q + 32 to q + 35.
    int r = warp % 4 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;

    // TODO 2: ask for the tiles of the first step: load two float4 of a into registers, copy two float4 of b
    //     by __pipeline_memcpy_async(to, from, 16) into stage[0].b, and end the group: __pipeline_commit().
    // TODO 3: let them arrive: store the float4 of a, transposed, to stage[0].a; __pipeline_wait_prior(0);
    //     then __syncthreads(), since each thread has waited for its own copies only.
    // TODO 4: in each step ask for the tiles of the next one, into the other stage; add the products of this
    //     one; let the next ones arrive. Why is one barrier a step enough?
    // TODO 5: load the factors of the next k before the products of this one.
    // TODO 6: store the sums, as float4.
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
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    // TODO 7: call interior if nothing of this block is outside c and all its accesses are of whole, aligned
    //     float4; otherwise boundary. Which four conditions are these? (With boundary alone, results are
    //     right, and slow.)
    // TODO 8: blocks start along x of the grid. Number them in another order, so that those that run together
    //     need few rows of a and few columns of b.
}
