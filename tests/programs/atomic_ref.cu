// cuda::atomic_ref and cuda::atomic in kernels, spans, and the same on the host.
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cuda/std/span>
#include <stdio.h>

struct counters {
    int sum, most, bits, tickets;
    float real;
    double large;
    unsigned long long all;
};

__global__ void count(counters *c, cuda::std::span<const int> in)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(c->sum), most(c->most), bits(c->bits);
    cuda::std::atomic_ref<float> real(c->real);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> all(c->all);
    __shared__ cuda::atomic<int, cuda::thread_scope_block> block;
    if (threadIdx.x == 0) block.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    sum.fetch_add(in[i], cuda::memory_order_relaxed);
    most.fetch_max(in[i]);
    bits |= 1 << in[i] % 8;
    real.fetch_add(0.5f);
    cuda::atomic_ref<double>(c->large).fetch_sub(1.0, cuda::memory_order_relaxed);
    all++;
    block++;
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<int> tickets(c->tickets);
        int seen = tickets.load();
        while (!tickets.compare_exchange_weak(seen, seen + block.load(), cuda::memory_order_acq_rel)) continue;
    }
}

int main()
{
    counters *c;
    int *in;
    cudaMallocManaged(&c, sizeof *c);
    cudaMallocManaged(&in, 128 * sizeof *in);
    *c = {};
    for (int i = 0; i < 128; i++) in[i] = i * 37 % 101;
    cuda::std::span<int> values(in, 128);
    count<<<2, 64>>>(c, values);
    int status = cudaDeviceSynchronize();
    printf("%d: %d %d %d %d %g %g %llu\n", status, c->sum, c->most, c->bits, c->tickets, c->real, c->large, c->all);
    cuda::atomic<int> here(5);
    here += 2;
    int expected = 8;
    bool swapped = here.compare_exchange_strong(expected, 1);
    int loaded = here.load();
    printf("%d %d %d %d\n", loaded, expected, swapped, here.exchange(3));
    printf("%zu %d %d %d\n", values.size_bytes(), values.front(), values.subspan(2, 3).back(), (int)values.last(1)[0]);
    return 0;
}
