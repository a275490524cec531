// What streams are asked for becomes a graph: two streams that part and join, memory of the graph's own, and
// what is not allowed meanwhile.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) \
    do { \
        cudaError_t error_ = (call); \
        if (error_) std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error_)); \
    } while (0)

const int N = 512;

__global__ void scale(float *out, const float *in, float by) { out[threadIdx.x] = in[threadIdx.x] * by; }
__global__ void sum(float *out, const float *a, const float *b)
{
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

int main()
{
    float h[N], result[N], *in, *a, *b;
    CHECK(cudaMalloc(&in, sizeof h));
    CHECK(cudaMalloc(&a, sizeof h));
    CHECK(cudaMalloc(&b, sizeof h));
    cudaStream_t one, two;
    cudaEvent_t parted, joined;
    CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&parted));
    CHECK(cudaEventCreate(&joined));

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    for (int i = 0; i < N; i++) h[i] = -1, result[i] = -1;
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(in, h, sizeof h, cudaMemcpyHostToDevice, one));
    CHECK(cudaEventRecord(parted, one));
    CHECK(cudaStreamWaitEvent(two, parted, 0));
    scale<<<1, N, 0, one>>>(a, in, 2);
    scale<<<1, N, 0, two>>>(b, in, 10);
    CHECK(cudaEventRecord(joined, two));
    CHECK(cudaStreamWaitEvent(one, joined, 0));
    CHECK(cudaStreamIsCapturing(two, &status));
    sum<<<1, N, 0, one>>>(a, a, b);
    float *own;
    CHECK(cudaMallocAsync(&own, sizeof h, one));
    scale<<<1, N, 0, one>>>(own, a, 0.5f);
    CHECK(cudaMemcpyAsync(result, own, sizeof h, cudaMemcpyDeviceToHost, one));
    CHECK(cudaFreeAsync(own, one));
    CHECK(cudaStreamEndCapture(one, &graph));
    std::printf("was capturing %d, nothing has run: %g\n", status == cudaStreamCaptureStatusActive, result[1]);
    CHECK(cudaStreamIsCapturing(one, &status));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    std::printf("is capturing %d, %zu nodes\n", status == cudaStreamCaptureStatusActive, nodes);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    for (int k = 1; k <= 2; k++) {
        for (int i = 0; i < N; i++) h[i] = i * k; // pageable memory is read when the graph runs
        CHECK(cudaGraphLaunch(exec, one));
        CHECK(cudaStreamSynchronize(one));
        std::printf("%g %g %g\n", result[0], result[1], result[N - 1]);
    }
    CHECK(cudaGraphExecDestroy(exec));

    // waiting for a stream that is captured
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    scale<<<1, N, 0, one>>>(a, in, 2);
    std::printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(one)));
    std::printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(one, &graph)));
    // the other stream's work is not joined
    CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
    CHECK(cudaEventRecord(parted, one));
    CHECK(cudaStreamWaitEvent(two, parted, 0));
    scale<<<1, N, 0, two>>>(b, in, 10);
    std::printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(one, &graph)));
    // the default stream cannot be captured
    std::printf("%s\n", cudaGetErrorName(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal)));
    // a blocking stream, and work of the default stream
    cudaStream_t blocking;
    CHECK(cudaStreamCreate(&blocking));
    CHECK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal));
    std::printf("%s\n", cudaGetErrorName(cudaMemcpy(h, in, sizeof h, cudaMemcpyDeviceToHost)));
    std::printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(blocking, &graph)));
    cudaGetLastError();
    CHECK(cudaFree(in));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
