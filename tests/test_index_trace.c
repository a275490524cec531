/* test_index_trace.c - what is said of an index out of bounds: how the thread computed it, in its
 * own numbers, and which dimension it has passed. */
#include "exercise/exercise.h"
#include "explain/explain.h"
#include "explain/index_trace.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static const struct trace {
    const char *problem;
    int dims[3];
    unsigned block[2];         /* threads in x and y */
    const char *source;        /* the last line has the fault */
    unsigned at[2], thread[2]; /* blockIdx, threadIdx */
    const char *array;
    long long index;
    const char *says;
} traces[] = {
    /* the row is too large, and no line compares it with rows */
    {"copy", {60, 64}, {16, 16},
        "    int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "    int col = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (col < cols)\n"
        "        out[row * cols + col] = in[row * cols + col];\n",
        {0, 3}, {5, 13}, "in", 61 * 64 + 5,
        "; there row = 3 * 16 + 13 = 61, col = 0 * 16 + 5 = 5, and rows = 60: row is not below rows, and no line tests that"},
    /* the column is compared with cols, in reverse order */
    {"copy", {60, 64}, {16, 16},
        "    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;\n"
        "    if (cols >= col) out[row * cols + col] = in[(row + 1) * cols - 1 + col];\n",
        {3, 3}, {15, 11}, "in", 60 * 64 - 1 + 63,
        "; there row = 3 * 16 + 11 = 59, col = 3 * 16 + 15 = 63; rows = 60, cols = 64"},
    /* an index that is one too large, let through by <= and by > */
    {"copy_all", {100}, {32, 1},
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i <= n) out[i] = in[i];\n",
        {3, 0}, {4, 0}, "in", 100,
        "; there i = 3 * 32 + 4 = 100, and n = 100: i <= n goes one too far"},
    {"copy_all", {100}, {32, 1},
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i > n) return; out[i] = in[i];\n",
        {3, 0}, {4, 0}, "in", 100, "; there i = 3 * 32 + 4 = 100, and n = 100: i > n lets it pass"},
    /* a #define, a division, a remainder, parentheses; a loop's variable is solved for */
    {"copy_all", {100}, {32, 1},
        "#define STEP 4 /* floats */\n    unsigned t = (threadIdx.x / STEP - threadIdx.x % STEP) * 2;\n"
        "    for (int k = 0; k < 9; k++) out[t] += in[t + k * STEP * 10];\n",
        {0, 0}, {29, 0}, "in", 12 + 3 * 40,
        "; there STEP = 4, t = (29 / 4 - 29 % 4) * 2 = 12, k = 3; this index is t + k * STEP * 10, and n = 100"},
    /* nothing is said if the source gives another index, or if two names have no value */
    {"copy_all", {100}, {32, 1}, "    int i = threadIdx.x;\n    out[i] = in[i + 1];\n", {0, 0},
        {3, 0}, "in", 100, ""},
    {"copy_all", {100}, {32, 1}, "    out[p] = in[p + q];\n", {0, 0}, {3, 0}, "in", 100, ""},
    {"copy_all", {100}, {32, 1}, "    int i = threadIdx.x / 0;\n    out[i] = inner[i];\n", {0, 0},
        {3, 0}, "in", 100, ""},
    /* row and column have unknown values: they follow from the index */
    {"copy", {60, 64}, {16, 16},
        "    int r = f(threadIdx.y), c = g(threadIdx.x);\n    out[r * cols + c] = in[r * cols + c];\n",
        {0, 0}, {3, 1}, "in", 62 * 64 + 7,
        "; there r = 62 and c = 7, and rows = 60: r is not below rows, and no line tests that"},
    /* the length of a row on the left, in parentheses, behind the column */
    {"transpose", {60, 64}, {16, 16},
        "    int r = f(threadIdx.y), c = g(threadIdx.x);\n    out[rows * (c + 1) + r] = 0;\n",
        {0, 0}, {3, 1}, "out", 65 * 60 + 3,
        "; there c + 1 = 65 and r = 3, and cols = 64: c + 1 is not below cols, and no line tests that"},
    {"transpose", {60, 64}, {16, 16},
        "    int r = f(threadIdx.y), c = g(threadIdx.x);\n    if (c < cols) out[r + c * rows] = 0;\n",
        {0, 0}, {3, 1}, "out", 65 * 60 + 3,
        "; there c = 65 and r = 3, and cols = 64: c is not below cols"},
    /* nothing is said of a row that is within the matrix, another length, two products, or no sum */
    {"transpose", {60, 64}, {16, 16},
        "    int r = f(threadIdx.y), c = g(threadIdx.x);\n    out[c * rows + r] = 0;\n", {0, 0},
        {3, 1}, "out", 63 * 60 + 3, ""},
    {"transpose", {60, 64}, {16, 16},
        "    int r = f(threadIdx.y), c = g(threadIdx.x);\n    out[c * cols + r] = 0;\n", {0, 0},
        {3, 1}, "out", 65 * 60 + 3, ""},
    {"transpose", {60, 64}, {16, 16},
        "    int r = f(threadIdx.y), c = g(threadIdx.x);\n    out[c * rows + r * rows] = 0;\n",
        {0, 0}, {3, 1}, "out", 65 * 60 + 3, ""},
    {"transpose", {60, 64}, {16, 16}, "    int c = g(threadIdx.x);\n    out[c * rows] = 0;\n",
        {0, 0}, {3, 1}, "out", 65 * 60 + 3, ""},
};

START_TEST(an_index_is_told_in_the_threads_numbers)
{
    const struct trace *t = &traces[_i];
    struct finding found = {.kind = FOUND_OUTSIDE, .thread_known = 1, .index = t->index};
    struct buf why = {0};
    const char *body = *t->source == '#' ? strchr(t->source, '\n') + 1 : t->source;
    char *source = xasprintf(
        "%.*s__global__ void k(const float *in, float *out, int rows, int cols, int n)\n{\n%s}\n",
        (int)(body - t->source), t->source, body);
    for (const char *at = source; *at; at++) found.line += *at == '\n';
    found.line--;
    snprintf(found.name, sizeof found.name, "%s", t->array);
    memcpy(found.block, t->at, sizeof t->at);
    memcpy(found.thread, t->thread, sizeof t->thread);
    buf_printf(&why, "%s", "");
    index_trace_tell(problem_find(t->problem), t->dims, t->block, "k", source, &found, &why);
    ck_assert_str_eq(why.data, t->says);
    buf_free(&why);
    free(source);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("index trace");
    TCase *c = tcase_create("index trace");
    tcase_add_loop_test(
        c, an_index_is_told_in_the_threads_numbers, 0, sizeof traces / sizeof *traces);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
