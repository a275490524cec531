// A loop that never ends and stores nothing: C++ lets a compiler take it out.
__global__ void waits(const int *flag)
{
    int turns = 0;
    while (flag[0] == 0)
        turns++;
}

__global__ void doubles(int *out)
{
    unsigned turns = 1;
    while (turns != 0)
        turns += 2;
    out[0] = 0;
}
