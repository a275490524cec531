// matmul_wgmma_half: one stage, so no copy goes on beside a product
#include "lockstep_half.h"
#include "lockstep_wgmma.h"

#define TALL 128 // a block computes TALL rows of WIDE outputs
#define WIDE 256
#define DEPTH 64 // columns of a and rows of b in a slab
#define STAGES 1
#define BOXES (WIDE / 64) // boxes of b: a row of a box has 128 bytes, as many as the swizzle
#define ROWS_AT_ONCE 8  // rows of tiles: blocks that run together share rows of a and columns of b in the L2

PREDICT(products, UNKNOWN)
PREDICT(copies, UNKNOWN)
PREDICT(factors_bytes, UNKNOWN)

struct Shared {
    __half a[STAGES][TALL][DEPTH];
    __half b[STAGES][BOXES][DEPTH][64];
    barrier_t full[STAGES], empty[STAGES]; // a slab has come; its readers are done
};
LAUNCH_SHARED(matmul_wgmma_half, BLOCK(384, 1), COVERS(WIDE, TALL), sizeof(Shared))
TENSOR_MAP(a, BOX(DEPTH, TALL), SWIZZLE_128)
TENSOR_MAP(b, BOX(64, DEPTH), SWIZZLE_128)

// One thread asks for the copies of all slabs. Outside of the matrices the engine reads zeros.
static __device__ void copy(Shared &s, int top, int left, int k)
{
    for (int i = 0; i * DEPTH < k; i++) {
        int at = i % STAGES;
        barrier_wait(&s.empty[at], i / STAGES + 1); // empty from the start
        barrier_expect(&s.full[at], sizeof s.a[at] + sizeof s.b[at]);
        tma_load_2d(s.a[at], &a_map, i * DEPTH, top, &s.full[at]);
        for (int box = 0; box < BOXES; box++)
            tma_load_2d(s.b[at][box], &b_map, left + box * 64, i * DEPTH, &s.full[at]);
    }
}

static __device__ void multiply(Shared &s, float *c, int top, int left, int m, int k, int n)
{
    int t = threadIdx.x, lane = t % 32, row = top + t / 32 * 16 + lane / 4, col = left + lane % 4 * 2;
    float sum[128];
    for (int i = 0; i * DEPTH < k; i++) {
        int at = i % STAGES;
        barrier_wait(&s.full[at], i / STAGES);
        unsigned long long a = wgmma_matrix(s.a[at][t / 128 * 64]);
        unsigned long long b = wgmma_rows(s.b[at], sizeof s.b[at][0]);
        wgmma_begin();
#pragma unroll
        for (int j = 0; j < DEPTH / 16; j++) wgmma_half(sum, a + 2 * j, b + 128 * j, i + j > 0);
        wgmma_commit();
        wgmma_wait<0>();
        if (lane == 0) barrier_arrive(&s.empty[0]);
    }
    wgmma_wait<0>();
#pragma unroll
    for (int i = 0; i < 128; i += 2) {
        int r = row + i / 2 % 2 * 8, x = col + i / 4 * 8;
        if (r < m && x < n) *(float2 *)(c + (size_t)r * n + x) = make_float2(sum[i], sum[i + 1]);
    }
}

// For rows that are no multiple of 16 bytes, for which there are no tensor maps.
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
