// Compiles for hours: each level asks for the level below it twice.
#include "lockstep.h"
template <int n, int m> struct bomb {
    static const int value = bomb<n - 1, 2 * m>::value + bomb<n - 1, 2 * m + 1>::value;
};
template <int m> struct bomb<0, m> {
    static const int value = 1;
};
__device__ int value = bomb<28, 0>::value;
