// matmul_wgmma: c = a b to FP32's accuracy on tensor cores; warps copy, split or multiply
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs
//            over the columns of c, y over its rows. A block has 512 threads, four warpgroups, and computes
//            128 x 128 outputs: warpgroup 3 copies, 0 splits b, 1 and 2 multiply, 64 rows each.
//            lockstep_wgmma.h holds the instructions as functions.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 1024, k = 128, counted once per warp: 12288 to 24576 products by wgmma, at least
//            16384 asynchronous copies, 80 instructions before a warp waits for them; at most 73728
//            wavefronts of loads from shared memory, and stores to it without bank conflicts
//   Read:    README.md steps 9 to 13, slides/10-hopper.md
#include "lockstep_wgmma.h"

#define TILE 128 // a block computes TILE x TILE outputs
#define DEPTH 32 // columns of a and rows of b in a slab
#define STAGES 3 // slabs on their way
#define FOUR (DEPTH / 4)

// TODO 1: predict, for m = n = 1024, k = 128: products by wgmma and asynchronous copies, both counted once
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
    // TODO 2: big = x rounded to TF32, which has 13 bits less than a float: add 0x1000 to the bits of x and
    //     clear the lowest 13. small = the bits of x - big.
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
    // TODO 3: for each slab: wait until the stage is free, copy 128 x 32 floats of a and 32 x 128 of b, and
    //     arrive at loaded when they are there. 128 threads: 8 copies of a and 8 of b each.
}

static __device__ void split_b(Shared &s, int k)
{
    // TODO 4: for each slab: wait until it is loaded, and take 32 floats of b into registers; wait until the
    //     parts of this stage are done with; store big and small, turned, where wgmma_matrix() has them.
    //     Arrive at freed once a warp; fence_async(), then arrive at ready, every thread.
    //     Chunk q of a column holds the four rows q / 4 * 16 + q % 4 + 0, 4, 8 and 12: then four neighbours
    //     of a row of a are what a thread needs for two products.
}

static __device__ void multiply(Shared &s, float *c, int top, int left, int m, int k, int n)
{
    // TODO 5: for each slab: wait until it is loaded, split 2 x 2 chunks of a into registers, and arrive at
    //     freed. Wait until b is ready. Then 12 products: small a by big b, big by small, big by big.
    //     Arrive at done, and add what they gave to the sums of the slabs before.
    // TODO 6: store the sums that are inside c.
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
