// matmul_wgmma_half: c = a b of halves; one thread asks for copies, two warpgroups multiply
//   Given:   a (m x k) and b (k x n), row-major halves, any m, k, n from 1 on; c is m x n floats. x of the
//            grid runs over the columns of c, y over its rows. A block has 384 threads, three warpgroups,
//            and computes 128 x 256 outputs: 0 and 1 multiply, 64 rows each; a thread of 2 copies.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 2048, k = 128: 8192 products by wgmma, counted once per warp; at most 1280 copies of
//            boxes, which bring 12582912 bytes; no loads from shared memory
//   Read:    README.md steps 14 to 16, slides/10-hopper.md
#include "lockstep_half.h"
#include "lockstep_wgmma.h"

#define TALL 128 // a block computes TALL rows of WIDE outputs
#define WIDE 256
#define DEPTH 64 // columns of a and rows of b in a slab
#define STAGES 4 // slabs on their way
#define BOXES (WIDE / 64) // of b: a row of a box has 128 bytes, as many as the swizzle
#define ROWS_AT_ONCE 8  // of tiles: blocks that run together share rows of a and columns of b in the L2

// TODO 1: predict, for m = n = 2048, k = 128: products by wgmma, counted once per warp; copies of boxes, and
//     the bytes that they bring.
PREDICT(products, UNKNOWN)
PREDICT(copies, UNKNOWN)
PREDICT(factors_bytes, UNKNOWN)

// Given: slabs as the copy engine puts them. The rows of all boxes have 128 bytes, swizzled.
struct Shared {
    __half a[STAGES][TALL][DEPTH];
    __half b[STAGES][BOXES][DEPTH][64];
    barrier_t full[STAGES], empty[STAGES]; // a slab has come; its readers are done
};
LAUNCH_SHARED(matmul_wgmma_half, BLOCK(384, 1), COVERS(WIDE, TALL), sizeof(Shared))
TENSOR_MAP(a, BOX(DEPTH, TALL), SWIZZLE_128)
TENSOR_MAP(b, BOX(64, DEPTH), SWIZZLE_128)

// One thread calls it. Zeros come from outside of the matrices.
static __device__ void copy(Shared &s, int top, int left, int k)
{
    // TODO 2: for slab i, in stage i % STAGES: wait until the stage is empty, announce the bytes of a and
    //     b, and ask for one box of a and BOXES of b.
}

static __device__ void multiply(Shared &s, float *c, int top, int left, int m, int k, int n)
{
    // TODO 3: for slab i: wait until it is full. wgmma_begin(), then 4 products of 16 k, wgmma_half(sum, a,
    //     b, add): a is wgmma_matrix() of these 64 rows, b is wgmma_rows() of the boxes. wgmma_commit().
    // TODO 4: leave these products on their way: wait for those of the slab before, and arrive once a warp at
    //     the barrier that says that its stage is empty.
    // TODO 5: behind the loop, wait for the last products, and store the sums that are inside c.
}

// Given: for rows that are no multiple of 16 bytes, of which there are no tensor maps.
static __device__ void plain(const __half *a, const __half *b, float *c, int top, int left, int m,
    int k, int n)
{
    for (int i = threadIdx.x; i < TALL * WIDE; i += blockDim.x) {
        int row = top + i / WIDE, col = left + i % WIDE;
        float sum = 0;
        if (row >= m || col >= n) continue;
        for (int j = 0; j < k; j++)
            sum += __half2float(a[(size_t)row * k + j]) * __half2float(b[(size_t)j * n + col]);
        c[(size_t)row * n + col] = sum;
    }
}

// Given.
__global__ void __launch_bounds__(384, 1)
matmul_wgmma_half(const __half *a, const __half *b, float *c, int m, int k, int n)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Shared &s = *(Shared *)memory;
    // Blocks go down ROWS_AT_ONCE tiles, then to the right.
    int id = blockIdx.y * gridDim.x + blockIdx.x, band = id / (ROWS_AT_ONCE * gridDim.x) * ROWS_AT_ONCE;
    int high = min(ROWS_AT_ONCE, (int)gridDim.y - band), in = id - band * gridDim.x;
    int top = (band + in % high) * TALL, left = in / high * WIDE;
    if (k % 8 || n % 8) {
        plain(a, b, c, top, left, m, k, n);
        return;
    }
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&s.full[i], 1);  // the thread that asks
            barrier_init(&s.empty[i], 8); // the warps that multiply
        }
        barrier_init_fence();
    }
    __syncthreads();
    // 24 and twice 240 registers are three times the 168 that each thread starts with.
    if (threadIdx.x >= 256) {
        registers_down<24>();
        if (threadIdx.x == 256) copy(s, top, left, k);
    } else {
        registers_up<240>();
        multiply(s, c, top, left, m, k, n);
    }
}
