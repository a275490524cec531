/* lockstep_nested.h - kernels that kernels launch, for clang without the SDK, which has no <<<...>>> in
 * device code. lockstep-nvcc rewrites a launch in a kernel (nvcc/launch_syntax.c), and includes this file:
 *
 *     child<<<grid, block>>>(x, n)     lockstep_nested_<child>(grid, block)(x, n)
 *
 * This call stores a record of the launch, which runtime/nested.c reads when the parent's grid has ended; so
 * the structures below are C. Source: CUDA C++ Programming Guide, CUDA Dynamic Parallelism. */
#ifndef LOCKSTEP_NESTED_H
#define LOCKSTEP_NESTED_H

enum { LOCKSTEP_MOST_CHILDREN = 2048 }; /* cudaLimitDevRuntimePendingLaunchCount */
struct lockstep_child {
    unsigned long long kernel; /* the kernel's address in device code */
    unsigned grid[3], block[3], shared;
    int tail; /* 1: launched into cudaStreamTailLaunch */
    unsigned char args[512];
};
struct lockstep_children {
    unsigned count; /* how many kernels were launched; only the first LOCKSTEP_MOST_CHILDREN have a record */
    struct lockstep_child child[LOCKSTEP_MOST_CHILDREN];
};
#define LOCKSTEP_CHILDREN "_Z18lockstep_children_ILi0EE" /* the mangled name of the variable below */

#ifdef LOCKSTEP_CLANG_H
template <int> __device__ lockstep_children lockstep_children_;
template <auto kernel> __device__ void *const lockstep_kernel_ = (void *)kernel;

template <class T> LOCKSTEP_MEMBER_ size_t lockstep_put_(lockstep_child &c, size_t at, const T &value)
{
    at = (at + alignof(T) - 1) / alignof(T) * alignof(T);
    if (at + sizeof(T) <= sizeof c.args) __builtin_memcpy(c.args + at, &value, sizeof(T));
    return at + sizeof(T);
}

template <class K> struct lockstep_launch_;
template <class... P> struct lockstep_launch_<void (*)(P...)> {
    void *kernel;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    LOCKSTEP_MEMBER_ void operator()(const P &...values) const
    {
        static_assert((sizeof(P) + ... + 0) <= sizeof lockstep_child::args,
            "a kernel that a kernel launches takes at most 512 bytes of arguments");
        unsigned i = atomicAdd(&lockstep_children_<0>.count, 1u);
        if (i >= LOCKSTEP_MOST_CHILDREN) return;
        lockstep_child &c = lockstep_children_<0>.child[i];
        c.kernel = (unsigned long long)kernel;
        c.grid[0] = grid.x, c.grid[1] = grid.y, c.grid[2] = grid.z;
        c.block[0] = block.x, c.block[1] = block.y, c.block[2] = block.z;
        c.shared = (unsigned)shared, c.tail = stream == cudaStreamTailLaunch;
        size_t at = 0;
        ((at = lockstep_put_(c, at, values)), ...);
    }
};
template <auto kernel>
LOCKSTEP_MEMBER_ lockstep_launch_<decltype(kernel)> lockstep_nested_(
    dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0)
{
    return {lockstep_kernel_<kernel>, grid, block, shared, stream};
}

/* Streams made in a kernel: all are the same, since its launches run one after the other. */
LOCKSTEP_FN_ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = 0;
    return cudaSuccess;
}
LOCKSTEP_FN_ cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
LOCKSTEP_FN_ cudaError_t cudaDeviceSynchronize() __attribute__((
    unavailable("a kernel cannot wait for kernels that it launches, as from CUDA 12 on: a kernel "
                "launched into cudaStreamTailLaunch runs after them")));
#endif
#endif
