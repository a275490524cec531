// matmul_wgmma_tf32: c = a b, factors rounded to TF32, by c^T = b^T a^T: so no matrix is turned
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs
//            over the columns of c, y over its rows. A block has 384 threads, three warpgroups, and computes
//            256 x 128 outputs: warpgroups 0 and 1 multiply, 64 columns each; a thread of 2 copies.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 2048, k = 128: 16384 products by wgmma, counted once per warp; copies of boxes bring
//            25165824 bytes; at most 65536 wavefronts of loads from shared memory, and no store to it
//   Read:    README.md steps 17 to 20, slides/10-hopper.md
#include "lockstep_wgmma.h"

#define TALL 256 // a block computes TALL rows of WIDE outputs
#define WIDE 128
#define DEPTH 32 // columns of a and rows of b in a slab
#define STAGES 4 // slabs on their way
#define BOXES (WIDE / 32) // of b: a row of a box has 128 bytes, as many as the swizzle
#define ROWS_AT_ONCE 8  // of tiles: blocks that run together share rows of a and columns of b in the L2

// TODO 1: predict, for m = n = 2048, k = 128: products by wgmma and loads from shared memory, both counted
//     once per warp, and the wavefronts of these loads.
PREDICT(products, UNKNOWN)
PREDICT(fragment_loads, UNKNOWN)
PREDICT(wavefronts, UNKNOWN)

// Given: slabs as the copy engine puts them. The rows of all boxes have 128 bytes, swizzled.
struct Shared {
    float a[STAGES][TALL][DEPTH];
    float b[STAGES][BOXES][DEPTH][32];
    barrier_t full[STAGES], empty[STAGES]; // a slab has come; its readers are done
};
LAUNCH_SHARED(matmul_wgmma_tf32, BLOCK(384, 1), COVERS(WIDE, TALL), sizeof(Shared))
TENSOR_MAP(a, BOX(DEPTH, TALL), SWIZZLE_128, AS_TF32) // the engine rounds
TENSOR_MAP(b, BOX(32, DEPTH), SWIZZLE_128, AS_TF32)

// Given: how many slabs: an even number. Zeros come from outside of the matrices.
static __device__ int slabs(int k) { return (k + 2 * DEPTH - 1) / (2 * DEPTH) * 2; }

// One thread calls it.
static __device__ void copy(Shared &s, int top, int left, int k)
{
    // TODO 2: as in matmul_wgmma_half, for all slabs.
}

// The 64 rows of a warpgroup's product are columns of b, from registers; its 256 columns are rows of a, which
// lie k next to k in memory, as wgmma wants them.
static __device__ void multiply(Shared &s, float *c, int top, int left, int m, int k, int n)
{
    // TODO 3: choose which column of b row g of a warp's 16 is, and which row g + 8: neighbours, so that a
    //     lane fetches both by one load of 8 bytes. 16 lanes, g and q from 0 to 3, need 16 different places.
    // TODO 4: for slab i: wait until it is full, and load 2 x 8 bytes for each of 4 products. Then
    //     wgmma_begin(x) and wgmma_tf32(sum, x, a, add), where a is wgmma_matrix() of the slab's rows of a.
    //     Leave them on their way while the next slab is loaded: into other registers.
    // TODO 5: store two neighbouring outputs at once, those that are inside c.
}

// Given: for rows that are no multiple of 16 bytes, of which there are no tensor maps.
static __device__ void plain(const float *a, const float *b, float *c, int top, int left, int m, int k, int n)
{
    for (int i = threadIdx.x; i < TALL * WIDE; i += blockDim.x) {
        int row = top + i / WIDE, col = left + i % WIDE;
        float sum = 0;
        if (row >= m || col >= n) continue;
        for (int j = 0; j < k; j++) sum += a[(size_t)row * k + j] * b[(size_t)j * n + col];
        c[(size_t)row * n + col] = sum;
    }
}

// Given.
__global__ void __launch_bounds__(384, 1)
matmul_wgmma_tf32(const float *a, const float *b, float *c, int m, int k, int n)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Shared &s = *(Shared *)memory;
    // Blocks go down ROWS_AT_ONCE tiles, then to the right.
    int id = blockIdx.y * gridDim.x + blockIdx.x, band = id / (ROWS_AT_ONCE * gridDim.x) * ROWS_AT_ONCE;
    int high = min(ROWS_AT_ONCE, (int)gridDim.y - band), in = id - band * gridDim.x;
    int top = (band + in % high) * TALL, left = in / high * WIDE;
    NO_TENSOR_MAP(k, n) {
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
