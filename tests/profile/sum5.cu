// Five buffers, for what a launch may have of them together: see test_profile.c.
__global__ void sum5(char *a, char *b, char *c, char *d, char *e) { *a = *b + *c + *d + *e; }
