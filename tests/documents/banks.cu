// The lecture's patterns of shared memory, each for a block of 32 threads. volatile: the loads stay as they are written.

#define PATTERN(name, type, words, index)                                   \
    __global__ void name(type *out)                                         \
    {                                                                       \
        __shared__ volatile type data[words];                               \
        for (int i = threadIdx.x; i < words; i += 32)                       \
            data[i] = i;                                                    \
        __syncthreads();                                                    \
        out[blockIdx.x * 32 + threadIdx.x] = data[index];                   \
    }
PATTERN(broadcast_0, float, 32, threadIdx.x * 0)
PATTERN(broadcast_12, float, 32, 12)
PATTERN(broadcast_block, float, 32, blockIdx.x * 3)
PATTERN(multicast, float, 32, threadIdx.x < 5 ? 2 : threadIdx.x < 10 ? 30 : threadIdx.x)
PATTERN(own_word, float, 32, threadIdx.x)
PATTERN(every_second, float, 64, threadIdx.x * 2)
PATTERN(every_twelfth, float, 384, threadIdx.x * 12)
PATTERN(every_twelfth_padded, float, 416, threadIdx.x * 13)
PATTERN(own_double, double, 32, threadIdx.x)
PATTERN(every_second_double, double, 64, threadIdx.x * 2)
// A double of padding after each 16: threads x and x + 8 no longer meet.
PATTERN(every_second_double_padded, double, 68, threadIdx.x * 2 + threadIdx.x / 8)

// Points of 12 bytes.
__global__ void own_point(float *out)
{
    __shared__ volatile struct { float x, y, z; } data[32];
    data[threadIdx.x].y = threadIdx.x;
    out[threadIdx.x] = data[threadIdx.x].y;
}
