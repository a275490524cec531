// run: assign 4 128 buf:f32:1024:rand buf:i32:512:none buf:f32:16:rand i32:512 i32:8
// run: accumulate 4 128 buf:f32:1024:rand buf:i32:512:zero buf:f32:16:zero buf:i32:8:zero i32:512 i32:8
#include <cfloat>
#include <climits>
#include <limits>
#include <random>

struct Point2D { float x, y; };

__device__ float distance_squared(const Point2D &a, const Point2D &b)
{
    return pow(a.x - b.x, 2) + (a.y - b.y) * (a.y - b.y);
}

__global__ void assign(const Point2D *points, int *labels, const Point2D *centroids, int n, int k)
{
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n) return;
    float best = std::numeric_limits<float>::max();
    int label = INT_MAX;
    for (int c = 0; c < k; ++c) {
        float d = distance_squared(points[idx], centroids[c]);
        if (d < best) {
            best = d;
            label = c;
        }
    }
    labels[idx] = label;
}

__global__ void accumulate(const Point2D *points, const int *labels, Point2D *sums, int *counts, int n, int k)
{
    extern __shared__ int unused[];
    __shared__ Point2D s[32];
    __shared__ int count[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < k) {
        s[threadIdx.x].x = s[threadIdx.x].y = 0;
        count[threadIdx.x] = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(&s[labels[i]].x, points[i].x);
        atomicAdd(&s[labels[i]].y, points[i].y);
        atomicAdd(&count[labels[i]], 1);
    }
    __syncthreads();
    if (threadIdx.x < k) {
        atomicAdd(&sums[threadIdx.x].x, s[threadIdx.x].x);
        atomicAdd(&sums[threadIdx.x].y, s[threadIdx.x].y);
        atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
    }
}

int main()
{
    std::mt19937 gen(7);
    std::uniform_real_distribution<float> dist(0, 1);
    Point2D *p;
    cudaMallocManaged(&p, 512 * sizeof *p);
    for (int i = 0; i < 512; i++)
        p[i] = {dist(gen), dist(gen)};
    assign<<<4, 128>>>(p, nullptr, p, 512, 8);
}
