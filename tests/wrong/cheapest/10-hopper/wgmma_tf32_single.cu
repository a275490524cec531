// matmul_wgmma_tf32: one stage, so no copy goes on beside a product
#include "lockstep_wgmma.h"

#define TALL 256 // a block computes TALL rows of WIDE outputs
#define WIDE 128
#define DEPTH 32 // columns of a and rows of b in a slab
#define STAGES 1
#define BOXES (WIDE / 32) // boxes of b: a row of a box has 128 bytes, as many as the swizzle
#define ROWS_AT_ONCE 8  // rows of tiles: blocks that run together share rows of a and columns of b in the L2

PREDICT(products, UNKNOWN)
PREDICT(fragment_loads, UNKNOWN)
PREDICT(wavefronts, UNKNOWN)

struct Shared {
    float a[STAGES][TALL][DEPTH];
    float b[STAGES][BOXES][DEPTH][32];
    barrier_t full[STAGES], empty[STAGES]; // a slab has come; its readers are done
};
LAUNCH_SHARED(matmul_wgmma_tf32, BLOCK(384, 1), COVERS(WIDE, TALL), sizeof(Shared))
TENSOR_MAP(a, BOX(DEPTH, TALL), SWIZZLE_128, AS_TF32) // the engine rounds
TENSOR_MAP(b, BOX(32, DEPTH), SWIZZLE_128, AS_TF32)

// The number of slabs, rounded up to an even one. Outside of the matrices the engine reads zeros.
static __device__ int slabs(int k) { return (k + 2 * DEPTH - 1) / (2 * DEPTH) * 2; }

// One thread asks for the copies of all slabs.
static __device__ void copy(Shared &s, int top, int left, int k)
{
    for (int i = 0; i < slabs(k); i++) {
        int at = i % STAGES;
        barrier_wait(&s.empty[at], i / STAGES + 1); // empty from the start
        barrier_expect(&s.full[at], sizeof s.a[at] + sizeof s.b[at]);
        tma_load_2d(s.a[at], &a_map, i * DEPTH, top, &s.full[at]);
        for (int box = 0; box < BOXES; box++)
            tma_load_2d(s.b[at][box], &b_map, left + box * 32, i * DEPTH, &s.full[at]);
    }
}

// The 64 rows of a warpgroup's product are columns of b, from registers; its 256 columns are rows of a, which
// lie k next to k in memory, as wgmma wants them.
static __device__ void multiply(Shared &s, float *c, int top, int left, int m, int k, int n)
{
    int t = threadIdx.x, warp = t / 32, lane = t % 32, g = lane / 4, q = lane % 4;
    // Any columns of b may be rows g and g + 8 of a lane: here neighbours, which one 8-byte load brings. A
    // wavefront serves 16 lanes, 4 values of g with 4 of q. Their g are the halves of two chunks that are 4
    // apart, and the swizzle puts the chunks of the rows q into eight different places.
    int chunk = g / 2 % 2 * 4 + warp % 2 * 2 + g / 4, half = g % 2 * 2, box = warp / 2;
    int upper = q * 32 + (chunk ^ q) * 4 + half, lower = (q + 4) * 32 + (chunk ^ (q + 4)) * 4 + half;
    float sum[128];
    unsigned x[2][16]; // fragments of two slabs: one is loaded while the other is multiplied
    for (int pair = 0; pair < slabs(k); pair += 2)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int i = pair + h, at = i % STAGES;
            barrier_wait(&s.full[at], i / STAGES);
            const float *b = &s.b[at][box][0][0];
#pragma unroll
            for (int j = 0; j < DEPTH / 8; j++) {
                uint2 up = *(const uint2 *)(b + j * 256 + upper), low = *(const uint2 *)(b + j * 256 + lower);
                x[h][4 * j] = up.x, x[h][4 * j + 1] = up.y;
                x[h][4 * j + 2] = low.x, x[h][4 * j + 3] = low.y;
            }
            unsigned long long a = wgmma_matrix(s.a[at]);
            wgmma_begin(x[h]);
#pragma unroll
            for (int j = 0; j < DEPTH / 8; j++) wgmma_tf32(sum, x[h] + 4 * j, a + 2 * j, i + j > 0);
            wgmma_commit();
            wgmma_wait<0>();
            if (lane == 0) barrier_arrive(&s.empty[0]);
        }
    wgmma_wait<0>();
    int col = left + box * 32 + chunk * 4 + half;
#pragma unroll
    for (int i = 0; i < 64; i++) {
        int row = top + i / 2 * 8 + 2 * q + i % 2, of = i / 2 * 4 + i % 2;
        if (row < m && col < n) *(float2 *)(c + (size_t)row * n + col) = make_float2(sum[of], sum[of + 2]);
    }
}

// For rows that are no multiple of 16 bytes, for which there are no tensor maps.
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
