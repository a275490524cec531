/* Worked example of deck 03: the transpose on a CPU, in tiles. tests/slides_code.sh runs it. */
enum { T = 16 };

static int smaller(int a, int b) { return a < b ? a : b; }

void transpose_cpu(const float *in, float *out, int rows, int cols)
{
    for (int top = 0; top < rows; top += T)
        for (int left = 0; left < cols; left += T)
            for (int r = top; r < smaller(top + T, rows); r++)
                for (int c = left; c < smaller(left + T, cols); c++)
                    out[c * rows + r] = in[r * cols + c];
}
