#!/bin/sh
# slides_code.sh - the C code that the slides show is right; the kernels beside it are tested by tests/test_kernels.c.

. tests/lib.sh
cat >"$scratch/main.c" <<'END'
#include <stdio.h>
void transpose_cpu(const float *in, float *out, int rows, int cols);
enum { MOST = 40 };
int main(void)
{
    static float in[MOST * MOST], out[MOST * MOST];
    for (int i = 0; i < MOST * MOST; i++) in[i] = (float)i + 1;
    for (int rows = 1; rows <= MOST; rows++)
        for (int cols = 1; cols <= MOST; cols++) {
            for (int i = 0; i < MOST * MOST; i++) out[i] = 0;
            transpose_cpu(in, out, rows, cols);
            for (int i = 0; i < MOST * MOST; i++)
                if (out[i] != (i < rows * cols ? in[i % rows * cols + i / rows] : 0))
                    return printf("%d x %d: element %d is %g\n", rows, cols, i, out[i]), 1;
        }
    return 0;
}
END
check() { gcc -std=c11 -Wall -Wextra -Werror "$scratch/main.c" "$1" -o "$scratch/tiles" 2>&1 && "$scratch/tiles"; }
expect_none 'slides/code/tiles.c: transposes of 1 x 1 to 40 x 40' "$(check slides/code/tiles.c)"
sed 's/c < smaller(left + T, cols)/c < left + T/' slides/code/tiles.c >"$scratch/wrong.c"
expect_some 'planted: a tile that is not cut at the edge' "$(check "$scratch/wrong.c")" 'element'
finish
