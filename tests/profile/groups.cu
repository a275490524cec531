// Needs what is not there: see test_profile.c.
#include <cooperative_groups.h>

__global__ void x() { cooperative_groups::this_grid().sync(); }
