// Needs what is not there: see test_profile.c.
__global__ void x()
{
    asm volatile("wgmma.fence.sync.aligned;");
}
