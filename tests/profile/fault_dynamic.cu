// Wants dynamic shared memory that the launch did not give: see test_profile.c.
extern __shared__ int list[];
__global__ void x() { list[threadIdx.x] = 1; }
