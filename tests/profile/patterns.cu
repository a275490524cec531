// Kernels whose counts a reader can find by hand, for test_profile.c and test_profiles.c: one file that needs no header.

__global__ void stride(const float *in, float *out, int n, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i * s];
}

__global__ void again(const volatile float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + in[i] + in[i] + in[i];
}

__global__ void column(float *out, int s)
{
    __shared__ float tile[32 * 33];
    int x = threadIdx.x;
    tile[x * s] = (float)x;
    __syncthreads();
    out[x] = tile[(31 - x) * s];
}

__global__ void parity(float *out)
{
    int i = threadIdx.x;
    float x = out[i];
    if (i % 2)
        for (int k = 0; k < 100; k++)
            x = x * 0.5f + 1.0f;
    out[i] = x;
}

__global__ void doubles(double *x) { x[threadIdx.x] = x[threadIdx.x] * 2.0 + 1.0; }
__global__ void sums(int *x) { atomicAdd(x, 1); }
__global__ void shuffled(int *x) { x[threadIdx.x] = __shfl_xor_sync(~0u, x[threadIdx.x], 1); }
__global__ void nothing() {}
struct pair { int a, b; };
__global__ void structure(pair p, int *x) { *x = p.a; }

// the second half of a warp reads what the first one does: 16 sectors
__global__ void halves(const float *in, float *out)
{
    int x = threadIdx.x;
    out[x] = in[x % 16 * 8];
}

__global__ void sums_of_two(unsigned *x, unsigned n) { x[blockIdx.x * blockDim.x + threadIdx.x] += n; }
__global__ void remainders(unsigned *x, unsigned n) { x[blockIdx.x * blockDim.x + threadIdx.x] %= n; }

__global__ void counted(int *out) { out[threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0); }

__global__ void mapped(unsigned *x)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(0), "r"(0));
    x[threadIdx.x] = there;
}
__global__ void reversed(const float *in, float *out) { out[threadIdx.x] = in[63 - threadIdx.x]; }

__global__ void product_of_8(float *x)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %0, %0, %0}, {%1, %1}, {%1}, {%0, %0, %0, %0};" : "+f"(x[threadIdx.x]) : "r"(0));
}
__global__ void product_of_16(float *x)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %0, %0, %0}, {%1, %1, %1, %1}, {%1, %1}, {%0, %0, %0, %0};" : "+f"(x[threadIdx.x]) : "r"(0));
}
__global__ void product_of_doubles(double *x)
{
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %0}, {%1}, {%1}, {%0, %0};" : "+d"(x[threadIdx.x]) : "d"(1.0));
}
__global__ void fewer_registers(int *x)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    x[threadIdx.x] = 1;
}
__global__ void product_in_halves(unsigned *x)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %0}, {%1, %1, %1, %1}, {%1, %1}, {%0, %0};" : "+r"(x[threadIdx.x]) : "r"(0));
}
