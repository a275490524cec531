// A breadth-first search level by level over a graph in rows of edges, with a flag that says when to stop.
#include <cstdio>
#include <vector>

__global__ void visit(const int *first, const int *edges, int *level, int n, int depth, int *changed)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != depth) return;
    for (int e = first[v]; e < first[v + 1]; e++)
        if (atomicCAS(&level[edges[e]], -1, depth + 1) == -1) atomicExch(changed, 1);
}

int main()
{
    const int n = 2000;
    std::vector<int> first(n + 1), edges, level(n, -1);
    for (int v = 0; v < n; v++) {
        first[v] = (int)edges.size();
        for (int k = 0; k < 1 + v % 3; k++) edges.push_back((v * 5 + k * 611 + 1) % n);
    }
    first[n] = (int)edges.size();
    int *dfirst, *dedges, *dlevel, *dchanged, changed = 1, depth = 0;
    cudaMalloc(&dfirst, first.size() * sizeof(int));
    cudaMalloc(&dedges, edges.size() * sizeof(int));
    cudaMalloc(&dlevel, n * sizeof(int));
    cudaMalloc(&dchanged, sizeof(int));
    cudaMemcpy(dfirst, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dedges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice);
    level[0] = 0;
    cudaMemcpy(dlevel, level.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    for (; changed; depth++) {
        cudaMemset(dchanged, 0, sizeof(int));
        visit<<<(n + 127) / 128, 128>>>(dfirst, dedges, dlevel, n, depth, dchanged);
        cudaMemcpy(&changed, dchanged, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(level.data(), dlevel, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> count(depth + 1);
    int unreached = 0;
    for (int l : level)
        if (l < 0) unreached++;
        else count[l]++;
    printf("%d levels, %d not reached:", depth, unreached);
    for (int l = 0; l < depth; l++) printf(" %d", count[l]);
    printf("\n%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(dfirst), cudaFree(dedges), cudaFree(dlevel), cudaFree(dchanged);
}
