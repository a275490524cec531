// Calls that cannot be inlined as they stand: through pointers, by virtual functions, of a function by itself.
#include "lockstep.h"

__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int minus(int a, int b) { return a - b; }
__device__ __noinline__ int larger(int a, int b) { return a > b ? a : b; }
typedef int (*operation)(int, int);
__device__ operation operations[4] = {plus, minus, larger, plus};

// Each lane its own.
//! run   by_table block=64
//! arg   in i32[64] = i * 7 % 64
//! arg   out i32[64] poison
//! want  out = i % 4 == 1 ? in[i] - 5 : i % 4 == 2 ? max(in[i], 5) : in[i] + 5
__global__ void by_table(const int *in, int *out)
{
    out[threadIdx.x] = operations[threadIdx.x % 4](in[threadIdx.x], 5);
}

//! run   by_choice block=32
//! arg   out i32[32] poison
//! want  out = i < 16 ? i + 3 : i - 3
__global__ void by_choice(int *out)
{
    operation f = threadIdx.x < 16 ? plus : minus;
    out[threadIdx.x] = f(threadIdx.x, 3);
}

struct shape {
    float size;
    __device__ shape(float s) : size(s) {}
    __device__ virtual float area() const { return 0; }
};
struct square : shape {
    __device__ square(float s) : shape(s) {}
    __device__ float area() const { return size * size; }
};
struct cross : shape {
    __device__ cross(float s) : shape(s) {}
    __device__ float area() const { return 5 * size; }
};
//! run   by_class block=32
//! arg   out f32[32] poison
//! want  out = i % 3 == 0 ? i * i : i % 3 == 1 ? 5 * i : 0
__global__ void by_class(float *out)
{
    int t = threadIdx.x;
    square s(t);
    cross c(t);
    shape none(t);
    const shape *p = t % 3 == 0 ? (const shape *)&s : t % 3 == 1 ? (const shape *)&c : &none;
    out[t] = p->area();
}

// A class that is abstract: its own table of functions has no area.
struct solid {
    float height;
    __device__ solid(float h) : height(h) {}
    __device__ virtual float area() const = 0;
    __device__ float volume() const { return height * area(); }
};
struct prism : solid {
    float side;
    __device__ prism(float s, float h) : solid(h), side(s) {}
    __device__ float area() const { return side * side; }
};
struct plate : solid {
    __device__ plate() : solid(0.5f) {}
    __device__ float area() const { return 12; }
};
static __device__ __noinline__ float total_volume(const solid *a, const solid *b)
{
    return a->volume() + b->volume();
}
//! run   by_abstract_class block=32
//! arg   out f32[32] poison
//! want  out = i * i * 3 + 6
__global__ void by_abstract_class(float *out)
{
    prism p(threadIdx.x, 3);
    plate q;
    out[threadIdx.x] = total_volume(&p, &q);
}

static __device__ __noinline__ int fibonacci(int n)
{
    if (n < 2) return n;
    int a = fibonacci(n - 1);
    return a + fibonacci(n - 2);
}
// Every lane at a depth of its own.
//! run   recursion block=32
//! arg   out i32[12] poison
//! want  out = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89}
__global__ void recursion(int *out)
{
    if (threadIdx.x < 12) out[threadIdx.x] = fibonacci(threadIdx.x);
}

// Two functions that call each other. Each has an array of its own, which the one that it calls changes.
static __device__ __noinline__ int odd(int n, int *sum);
static __device__ __noinline__ int even(int n, int *sum)
{
    int own[2] = {n, 0};
    if (n == 0) return 1;
    int result = odd(n - 1, &own[1]);
    *sum += own[0] + own[1];
    return result;
}
static __device__ __noinline__ int odd(int n, int *sum)
{
    int own[2] = {0, n};
    if (n == 0) return 0;
    int result = even(n - 1, &own[0]);
    *sum += own[0] + own[1];
    return result;
}
//! run   each_other block=32
//! arg   out i32[64] poison
//! simulated "a GPU gives a thread 1 KiB of stack unless it is asked for more"
//! want  out[0..31] = i % 2 ? 0 : 1
//! want  out[32..63] = (i - 32) * (i - 31) / 2
__global__ void each_other(int *out)
{
    int sum = 0, t = threadIdx.x;
    out[t] = even(t, &sum);
    out[32 + t] = sum;
}

// Sorting with a stack of calls: what is live across a call is kept.
static __device__ __noinline__ void sort(int *a, int from, int to)
{
    if (to - from < 2) return;
    int pivot = a[(from + to) / 2], i = from, j = to - 1;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
            int x = a[i];
            a[i++] = a[j];
            a[j--] = x;
        }
    }
    sort(a, from, j + 1);
    sort(a, i, to);
}
//! run   sorts block=4
//! arg   a i32[64] = i // 16 * 16 + i * 7 % 16
//! want  a = i
__global__ void sorts(int *a)
{
    sort(a + 16 * threadIdx.x, 0, 16);
}

//! run   too_deep block=1
//! arg   out i32[1] poison
//! fault "of its local memory, which has"
static __device__ __noinline__ int down(int n) { return n == 0 ? 0 : 1 + down(n - 1) * 2; } // fault too_deep
__global__ void too_deep(int *out)
{
    out[0] = down(100000 + (int)threadIdx.x);
}
