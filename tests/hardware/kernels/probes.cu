// probes: kernels that each keep one part of a GPU busy, or wait for it, n times over. `lockstep-hardware probe` times them at two values
// of n: what n adds is that part's own figure, free of the launch, of cold caches and of whatever else happens once.
//
// Accesses are inline PTX, so that a compiler neither moves nor drops them. So that ptxas doesn't, either, an iteration that reads what the
// previous one read adds blockIdx.y to the address, which is 0 in every launch.
// Every kernel has the same parameters: data, a buffer; n; step, in the kernel's own unit.
#include "lockstep.h"

LAUNCH(clear, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(ring, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(chase, BLOCK(1, 1), COVERS(1, 1))
LAUNCH(chase_shared, BLOCK(32, 1), COVERS(32, 1))
LAUNCH(multiply_add_8, BLOCK(32, 1), COVERS(32, 1))
LAUNCH(multiply_add_64, BLOCK(32, 1), COVERS(32, 1))
LAUNCH(meet_2, BLOCK(64, 1), COVERS(64, 1))
LAUNCH(meet_32, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(ticks, BLOCK(32, 1), COVERS(32, 1))
LAUNCH(convert, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(lines, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(passes, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(read_16, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(read_lines, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(write_16, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(write_4, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(write_lines, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(add_words, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(add_word, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(stream, BLOCK(1024, 1), COVERS(1024, 1))
LAUNCH(empty_256, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(empty_1024, BLOCK(1024, 1), COVERS(1024, 1))

// ptxas does not unroll a loop whose body begins with once().
static __device__ void once()
{
    asm volatile(".pragma \"nounroll\";");
}

static __device__ char *load_pointer(const char *p)
{
    char *next;
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(p) : "memory");
    return next;
}

static __device__ unsigned load_word(const char *p)
{
    unsigned word;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(p) : "memory");
    return word;
}

static __device__ unsigned load_shared(unsigned at)
{
    unsigned word;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
    return word;
}

static __device__ unsigned shared_offset(const void *p)
{
    unsigned at;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(at) : "l"(p));
    return at;
}

// Zeros, 16 bytes a thread: the other kernels read only what something has written.
__global__ void clear(char *data, int n, int step)
{
    char *p = data + ((size_t)blockIdx.x * 1024 + threadIdx.x) * 16;
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" : : "l"(p), "r"(0) : "memory");
}

// ---- latency: one warp, each instruction needs the result of the one before ----

// n cells, step bytes apart, each holding the next one's address.
__global__ void ring(char *data, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        *(char **)(data + (size_t)i * step) = data + (size_t)(i + 1 < n ? i + 1 : 0) * step;
}

// n times 16 loads along the ring, by one thread.
__global__ void chase(char *data, int n, int step)
{
    char *p = data;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 16; k++)
            p = load_pointer(p);
    }
    if (!p)
        *data = 1;
}

// n times 16 loads of shared memory. Each lane's word holds its own offset; lanes are step words apart, in 32 / step banks.
__global__ void chase_shared(char *data, int n, int step)
{
    __shared__ unsigned words[32 * 32];
    unsigned first = shared_offset(words), at = first + threadIdx.x * step * 4;
    for (int i = threadIdx.x; i < 32 * 32; i += 32)
        words[i] = first + i * 4;
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 16; k++)
            at = load_shared(at);
    }
    if (at == 1)
        *data = 1;
}

template <int COUNT>
static __device__ void multiply_add(char *data, int n)
{
    float x = threadIdx.x;
    int i = 0;
#pragma unroll 1
    do {
        once();
#pragma unroll
        for (int k = 0; k < COUNT; k++)
            asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
    } while (++i < n);
    if (x == 1)
        *data = 1;
}
__global__ void multiply_add_8(char *data, int n, int step) { multiply_add<8>(data, n); }
__global__ void multiply_add_64(char *data, int n, int step) { multiply_add<64>(data, n); }

// n times 16 barriers, by blocks of 2 and of 32 warps.
static __device__ void meet(char *data, int n)
{
    int i = 0;
#pragma unroll 1
    do {
        once();
#pragma unroll
        for (int k = 0; k < 16; k++)
            asm volatile("bar.sync 0;" : : : "memory");
    } while (++i < n);
    if (n < 0)
        *data = 1;
}
__global__ void meet_2(char *data, int n, int step) { meet(data, n); }
__global__ void meet_32(char *data, int n, int step) { meet(data, n); }

// n times 64 multiply-adds, timed by the multiprocessor's clock (to data[0]) and by a timer in nanoseconds (to data[1]). The number of
// multiprocessors goes to data[2].
__global__ void ticks(char *data, int n, int step)
{
    unsigned long long clock0, clock1, time0, time1;
    asm volatile("mov.u64 %0, %%globaltimer;\n\tmov.u64 %1, %%clock64;" : "=l"(time0), "=l"(clock0) : : "memory");
    multiply_add<64>(data, n);
    asm volatile("mov.u64 %0, %%globaltimer;\n\tmov.u64 %1, %%clock64;" : "=l"(time1), "=l"(clock1) : : "memory");
    ((unsigned long long *)data)[0] = clock1 - clock0;
    ((unsigned long long *)data)[1] = time1 - time0;
    unsigned count;
    asm("mov.u32 %0, %%nsmid;" : "=r"(count));
    ((unsigned long long *)data)[2] = count;
}

// ---- throughput: a block of 32 warps on every multiprocessor ----

// n times 8 conversions, from bytes and back.
__global__ void convert(char *data, int n, int step)
{
    unsigned v[4] = {threadIdx.x, 1, 2, 3};
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            asm volatile("{ .reg .f32 f; .reg .b32 b; and.b32 b, %0, 255; cvt.rn.f32.u32 f, b; cvt.rzi.u32.f32 %0, f; }" : "+r"(v[k]));
    }
    if (v[0] + v[1] + v[2] + v[3] == 1)
        *data = 1;
}

// n times 4 loads, each of 32 lines that L1 holds, from 32 banks.
__global__ void lines(char *data, int n, int step)
{
    const char *p = data + threadIdx.x % 32 * (128 + 4);
    unsigned sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            sum ^= load_word(p + k * 4096);
        p += blockIdx.y;
    }
    if (sum == 1)
        *data = 1;
}

// n times 4 loads of shared memory, the lanes step words apart.
__global__ void passes(char *data, int n, int step)
{
    __shared__ unsigned words[32 * 32 + 4];
    unsigned at = shared_offset(words) + threadIdx.x % 32 * step * 4, sum = 0;
    words[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 4)
        words[1024 + threadIdx.x] = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            sum ^= load_shared(at + 4 * k);
        at += blockIdx.y;
    }
    if (sum == 1)
        *data = 1;
}

// The slice of data, step bytes long, that a block works on in its iteration i: one that no block
// of this multiprocessor had just before, and that no block nearby has at the same time, since their reads would be merged.
static __device__ char *slice(char *data, int i, int step)
{
    return data + (size_t)((blockIdx.x + i * 29u) % gridDim.x) * step;
}

// n times: read a slice past the L1, 16 bytes a thread at a time.
__global__ void read_16(char *data, int n, int step)
{
    unsigned sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        const char *p = slice(data, i, step);
#pragma unroll 1
        for (int at = threadIdx.x * 16; at < step; at += 1024 * 16) {
            unsigned x, y, z, w;
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(p + at) : "memory");
            sum ^= x ^ y ^ z ^ w;
        }
    }
    if (sum == 1)
        *data = 1;
}

// n times: read one word of each line of a slice, past the L1.
__global__ void read_lines(char *data, int n, int step)
{
    unsigned sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        const char *p = slice(data, i, step);
#pragma unroll 1
        for (int at = threadIdx.x * 128; at < step; at += 1024 * 128) {
            unsigned x;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(p + at) : "memory");
            sum ^= x;
        }
    }
    if (sum == 1)
        *data = 1;
}

// n times: write a slice, whole sectors at a time.
__global__ void write_16(char *data, int n, int step)
{
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        char *p = slice(data, i, step);
#pragma unroll 1
        for (int at = threadIdx.x * 16; at < step; at += 1024 * 16)
            asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" : : "l"(p + at), "r"(i) : "memory");
    }
}

// n times: write 4 bytes of every sector of a slice.
__global__ void write_4(char *data, int n, int step)
{
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        char *p = slice(data, i, step);
#pragma unroll 1
        for (int at = threadIdx.x * 32; at < step; at += 1024 * 32)
            asm volatile("st.global.u32 [%0], %1;" : : "l"(p + at), "r"(i) : "memory");
    }
}

// n times: store one word to each line of a slice.
__global__ void write_lines(char *data, int n, int step)
{
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        char *p = slice(data, i, step);
#pragma unroll 1
        for (int at = threadIdx.x * 128; at < step; at += 1024 * 128)
            asm volatile("st.global.u32 [%0], %1;" : : "l"(p + at), "r"(i) : "memory");
    }
}

// n times: add to every word of a slice.
__global__ void add_words(char *data, int n, int step)
{
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        char *p = slice(data, i, step);
#pragma unroll 1
        for (int at = threadIdx.x * 4; at < step; at += 1024 * 4)
            asm volatile("red.global.add.u32 [%0], %1;" : : "l"(p + at), "r"(i) : "memory");
    }
}

// n times: every lane adds to the first word; step is 0, which ptxas does not know.
__global__ void add_word(char *data, int n, int step)
{
#pragma unroll 1
    for (int i = 0; i < n; i++)
        asm volatile("red.global.add.u32 [%0], %1;" : : "l"(data + ((int)threadIdx.x & step) * 4), "r"(i) : "memory");
}

// Copy the first n bytes of data to the place step bytes further on: 64 KiB a block, 16 bytes a thread at a time.
__global__ void stream(char *data, int n, int step)
{
    char *p = data + ((size_t)blockIdx.x * 4 * 1024 + threadIdx.x) * 16;
    unsigned x[4][4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[k][0]), "=r"(x[k][1]), "=r"(x[k][2]), "=r"(x[k][3]) : "l"(p + k * 1024 * 16) : "memory");
#pragma unroll
    for (int k = 0; k < 4; k++)
        asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                     : : "l"(p + step + k * 1024 * 16), "r"(x[k][0]), "r"(x[k][1]), "r"(x[k][2]), "r"(x[k][3]) : "memory");
}

// ---- blocks ----

__global__ void empty_256(char *data, int n, int step) {}
__global__ void empty_1024(char *data, int n, int step) {}
