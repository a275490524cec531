// Votes of a warp: ballots, any and all, equal values, masks of a part of the warp, compaction by ballot.
#include <cstdio>

__global__ void votes(unsigned *out)
{
    unsigned lane = threadIdx.x, full = 0xffffffff;
    unsigned thirds = __ballot_sync(full, lane % 3 == 0);
    int any = __any_sync(full, lane == 40), all = __all_sync(full, lane < 32);
    unsigned same = __match_any_sync(full, lane / 5);
    int pred;
    unsigned agreed = __match_all_sync(full, 7, &pred);
    if (lane == 12) out[0] = thirds, out[1] = any, out[2] = all != 0, out[3] = same, out[4] = agreed, out[5] = pred != 0;
    if (lane < 16) {
        unsigned half = __ballot_sync(0xffff, lane & 1);
        if (lane == 3) out[6] = half;
    }
}

__global__ void compact(const int *in, int *out, int *count)
{
    int v = in[threadIdx.x], keep = v % 3 == 1;
    unsigned mask = __ballot_sync(0xffffffff, keep);
    int place = __popc(mask & ((1u << threadIdx.x) - 1));
    if (keep) out[place] = v;
    if (threadIdx.x == 0) *count = __popc(mask);
}

int main()
{
    unsigned r[7], *d;
    int h[32], *in, *out, count;
    cudaMalloc(&d, sizeof r);
    votes<<<1, 32>>>(d);
    cudaMemcpy(r, d, sizeof r, cudaMemcpyDeviceToHost);
    for (unsigned v : r) printf("%x ", v);
    printf("\n");
    for (int i = 0; i < 32; i++) h[i] = i * i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h + sizeof count);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    compact<<<1, 32>>>(in, out, out + 32);
    cudaMemcpy(&count, out + 32, sizeof count, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, out, count * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d:", count);
    for (int i = 0; i < count; i++) printf(" %d", h[i]);
    printf("\n");
    cudaFree(d), cudaFree(in), cudaFree(out);
}
