// Blocks that run together: their shared memory, their barrier, copies to several of them. Needs no check of
// what is not simulated: races between the blocks of a cluster are not looked for.
#include "lockstep_tma.h"

static __device__ unsigned rank() { unsigned r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
static __device__ unsigned ranks() { unsigned r; asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(r)); return r; }

static __device__ void meet()
{
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}

// The address of shared memory, in the block of a rank.
static __device__ unsigned place(const void *p, unsigned r)
{
    unsigned long long at;
    unsigned there;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((unsigned)at), "r"(r));
    return there;
}

// Each block reads what the next one of its cluster has.
//! run   next grid=8 block=32 cluster=4
//! arg   out i32[256] poison
//! want  out = i // 128 * 128 + (i + 32) % 128
__global__ void next(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x, v;
    s[t] = blockIdx.x * 32 + t;
    meet();
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(place(&s[t], (rank() + 1) % ranks())));
    out[blockIdx.x * 32 + t] = v;
    meet(); // nobody leaves while another one reads
}

// Stores and sums go the other way; the places of two dimensions.
//! run   sums grid=4,4 block=32 cluster=2,2
//! arg   out i32[16] poison
//! want  out = {192, 7, 192, 7, 7, 7, 7, 7, 192, 7, 192, 7, 7, 7, 7, 7}
__global__ void sums(int *out)
{
    __shared__ int sum;
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) sum = rank() ? 7 : 0;
    meet();
    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(place(&sum, 0)), "r"(rank()) : "memory");
    meet();
    if (threadIdx.x == 0) out[block] = sum;
}

// Where a block is: %clusterid, %cluster_ctaid, %cluster_ctarank.
//! run   places grid=4,2 block=1 cluster=2,2
//! arg   out i32[8] poison
//! want  out = i % 4 // 2 * 1000 + i % 2 * 100 + i // 4 * 10 + i % 2 + i // 4 * 2
__global__ void places(int *out)
{
    unsigned id, x, y;
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
    meet();
    out[blockIdx.y * 4 + blockIdx.x] = id * 1000 + x * 100 + y * 10 + rank();
}

// One block asks, all get it: the L2 sends the bytes once.
//! run   cast grid=4 block=64 cluster=4
//! arg   in i32[64] = i * 3
//! arg   out i32[256] poison
//! want  out = i % 64 * 3
//! count lockstep__bulk_ld_copies.sum 1
//! count lockstep__bulk_ld_bytes.sum 256
__global__ void cast(const int *in, int *out)
{
    __shared__ __align__(128) int s[64];
    __shared__ barrier_t full;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
        barrier_init_fence();
        barrier_expect(&full, sizeof s);
    }
    meet();
    if (rank() == 0 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1], %2, [%3], %4;" ::"r"(shared_address(s)), "l"(in), "r"((int)sizeof s),
                     "r"(shared_address(&full)), "h"((unsigned short)15) : "memory");
    barrier_wait(&full, 0);
    out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

// From one block's shared memory to the next one's; its barrier counts the bytes.
//! run   pass_on grid=2 block=32 cluster=2
//! arg   out i32[64] poison
//! want  out = (i + 32) % 64
__global__ void pass_on(int *out)
{
    __shared__ __align__(16) int from[32], to[32];
    __shared__ barrier_t full;
    int t = threadIdx.x;
    from[t] = blockIdx.x * 32 + t;
    if (t == 0) {
        barrier_init(&full, 1);
        barrier_init_fence();
        barrier_expect(&full, sizeof to);
    }
    meet();
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(place(to, rank() ^ 1)), "r"(shared_address(from)),
                     "r"((int)sizeof to), "r"(place(&full, rank() ^ 1)) : "memory");
    barrier_wait(&full, 0);
    out[blockIdx.x * 32 + t] = to[t];
    meet();
}

// A block waits at its own barrier for the other one's arrivals.
//! run   remote grid=2 block=32 cluster=2
//! arg   out i32[2] poison
//! want  out = 1 - i
__global__ void remote(int *out)
{
    __shared__ barrier_t full;
    __shared__ int word;
    if (threadIdx.x == 0) {
        barrier_init(&full, 32);
        barrier_init_fence();
    }
    meet();
    if (threadIdx.x == 0)
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(place(&word, rank() ^ 1)), "r"(rank())
                     : "memory");
    __syncwarp();
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"
                 ::"r"(place(&full, rank() ^ 1)) : "memory");
    barrier_wait(&full, 0);
    if (threadIdx.x == 0) out[blockIdx.x] = word;
    meet();
}

// Blocks that end count as having arrived.
//! run   leave grid=4 block=32 cluster=2
//! arg   out i32[4] = 0
//! want  out = i % 2
__global__ void leave(int *out)
{
    if (rank() == 0) return;
    meet();
    if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

//! run   too_far grid=2 block=32 cluster=2
//! arg   out i32[64] poison
//! fault "block 2 of a cluster of 2"
__global__ void too_far(int *out)
{
    __shared__ int s[32];
    int v;
    s[threadIdx.x] = 1;
    meet();
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(place(&s[threadIdx.x], 2))); // fault too_far
    out[blockIdx.x * 32 + threadIdx.x] = v;
}

//! run   gone grid=2 block=32 cluster=2
//! arg   out i32[64] poison
//! fault "which has not begun or has ended"
__global__ void gone(int *out)
{
    __shared__ int s[32];
    int v;
    s[threadIdx.x] = 1;
    meet();
    if (rank() == 0) return;
    for (int i = 0; i < 1000; i++) __syncthreads();
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(place(&s[threadIdx.x], 0))); // fault gone
    out[blockIdx.x * 32 + threadIdx.x] = v;
}

//! run   too_many grid=65536,32768 block=32 cluster=65536,32768
//! arg   out i32[1] = 0
//! launch_fault "has more than 16 blocks in a cluster; 8 are possible"
__global__ void too_many(int *out) { *out = 1; }

//! run   no_whole grid=6 block=32 cluster=4
//! arg   out i32[1] = 0
//! launch_fault "the grid has 6 blocks in x, which are no whole clusters of 4"
__global__ void no_whole(int *out) { *out = 1; }
