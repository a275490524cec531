// run: bfs_level 1 64 buf:i32:65:iota buf:i32:64:iota buf:i32:64:fill=-1 buf:i32:1:zero i32:64 i32:0
// run: collatz 2 64 buf:u64:128:iota
// Graphs and integers: loops whose length differs by thread.
#include <climits>
#include <queue>

__global__ void bfs_level(const int *offsets, const int *edges, int *distance, int *changed, int vertices, int level)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vertices && (distance[v] == level || (v == 0 && level == 0))) {
        if (v == 0 && level == 0) distance[0] = 0;
        for (int e = offsets[v]; e < offsets[v + 1]; ++e) {
            int to = edges[e];
            if (atomicCAS(&distance[to], -1, level + 1) == -1)
                *changed = 1;
        }
    }
}

__global__ void collatz(unsigned long long *steps)
{
    unsigned long long n = steps[blockIdx.x * blockDim.x + threadIdx.x] + 1, count = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
    }
    steps[blockIdx.x * blockDim.x + threadIdx.x] = count;
}
