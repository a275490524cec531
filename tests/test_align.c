/* test_align.c - which piece of a learner's kernel does what a piece of the solution does: names,
 * runs, and the solution's words in the learner's names. */
#include "explain/align.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static const char *const solution =
    "#define TILE 32\n"
    "__global__ void k(const float *a, float *c, int m, int n)\n{\n"
    "    __shared__ float tile[TILE][TILE];\n"
    "    int x = threadIdx.x, y = threadIdx.y;\n"
    "    int row = blockIdx.y * TILE + y, bytes = 4 * m;\n"
    "    for (int t = 0; t < n; t += TILE) {\n"
    "        tile[y][x] = row < m && t + x < n ? a[row * n + t + x] : 0;\n"
    "        __syncthreads();\n"
    "        copy(bytes);\n"
    "        __syncthreads();\n"
    "    }\n"
    "    c[0] = fabsf(sqrtf(a[m]));\n"
    "    if (row < m) c[row] = tile[x][y];\n}\n";

/* A learner's file, the solution, and how the two are aligned. */
struct aligned {
    struct code own, other;
    struct align a;
};

static void read_both(struct aligned *t, const char *own)
{
    ck_assert_int_eq(code_read(&t->own, own, "k"), 0);
    ck_assert_int_eq(code_read(&t->other, solution, "k"), 0);
    align_read(&t->a, &t->own, &t->other, "k");
}

static void done(struct aligned *t)
{
    align_free(&t->a);
    code_free(&t->own);
    code_free(&t->other);
}

/* All runs of tokens that differ, as "learner's => solution's; ". The caller frees the text. */
static char *runs_of(struct aligned *t)
{
    enum { MOST = 16 };
    struct buf out = {0};
    struct run runs[MOST];
    buf_add(&out, "", 0);
    for (size_t i = 0; i < t->a.own.piece_count; i++) {
        const struct piece *x = &t->a.own.pieces[i];
        int count =
            x->pair < 0 || x->kind == PIECE_SUBSCRIPT ? 0 : align_runs(&t->a, x, runs, MOST);
        for (int k = 0; k < count; k++) {
            char *own = code_text(&t->own, runs[k].first, runs[k].last),
                 *text = align_text(&t->a, runs[k].from, runs[k].to);
            buf_printf(&out, "%s => %s; ", own, text ? text : "?");
            free(own), free(text);
        }
    }
    return out.data;
}

static void check_runs(const char *own, const char *expected)
{
    struct aligned t;
    read_both(&t, own);
    char *is = runs_of(&t);
    ck_assert_str_eq(is, expected);
    free(is);
    done(&t);
}

/* A learner's kernel: other names, threadIdx.y without a name, a number for the constant,
 * declarations in another order. */
#define LEARNER(height, index, size) \
    "__global__ void k(const float *in, float *out, int rows, int cols)\n{\n" \
    "    int size = " size ";\n" \
    "    int r = blockIdx.y * " height " + threadIdx.y;\n" \
    "    int tx = threadIdx.x;\n" \
    "    __shared__ float s[32][32];\n" \
    "    for (int step = 0; step < cols; step += 32) {\n" \
    "        s[threadIdx.y][tx] = r < rows && step + tx < cols ? in[" index "] : 0;\n" \
    "        __syncthreads();\n" \
    "        copy(size);\n" \
    "        __syncthreads();\n" \
    "    }\n" \
    "    if (r < rows) out[r] = s[tx][threadIdx.y];\n}\n"

START_TEST(other_names_are_no_difference)
{
    check_runs(LEARNER("32", "r * cols + step + tx", "4 * rows"), "");
}
END_TEST

START_TEST(what_differs_is_said_in_the_learners_names)
{
    check_runs(LEARNER("32", "r * rows + step + tx", "4 * rows"), "rows => cols; ");
    check_runs(LEARNER("32", "r * cols + tx", "4 * rows"), " => step +; ");
    check_runs(LEARNER("16", "r * cols + step + tx", "4 * rows"), "16 => 32; ");
}
END_TEST

/* A wrong size is mended where it is computed; where the learner has no name for it, its use is
 * replaced by what the solution's name stands for. */
START_TEST(a_name_gives_way_to_what_it_stands_for)
{
    check_runs(LEARNER("32", "r * cols + step + tx", "rows"), " => 4 *; ");
    check_runs("__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
               "    int size = rows;\n"
               "    for (int step = 0; step < cols; step += 32)\n        copy(rows * 5);\n}\n",
        " => 4 *; rows * 5 => size; ");
}
END_TEST

/* Equal statements are paired by their neighbours: it is known which of two barriers is missing. */
START_TEST(equal_statements_are_told_apart_by_their_neighbours)
{
    struct aligned t;
    int missing = 0, last = 0;
    read_both(&t, "__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
                  "    int size = 4 * rows, r = blockIdx.y * 32 + threadIdx.y, tx = threadIdx.x;\n"
                  "    __shared__ float s[32][32];\n"
                  "    for (int step = 0; step < cols; step += 32) {\n"
                  "        s[threadIdx.y][tx] =\n"
                  "            r < rows && step + tx < cols ? in[r * cols + step + tx] : 0;\n"
                  "        copy(size);\n"
                  "        __syncthreads();\n"
                  "    }\n"
                  "    if (r < rows) out[r] = s[tx][threadIdx.y];\n}\n");
    for (size_t k = 0; k < t.a.other.piece_count; k++) {
        const struct piece *x = &t.a.other.pieces[k];
        if (!code_is(&t.other, x->first, "__syncthreads")) continue;
        if (x->pair < 0) missing = t.other.tokens[x->first].line;
        last = t.other.tokens[x->first].line;
    }
    ck_assert_int_eq(last, 11);
    ck_assert_int_eq(missing, 9);
    done(&t);
}
END_TEST

/* A condition before a return is not paired with one before a store: they test the opposite. */
START_TEST(tests_of_opposite_sense_are_no_pair)
{
    struct aligned t;
    read_both(&t, "__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
                  "    int r = blockIdx.y * 32 + threadIdx.y;\n"
                  "    if (r < rows) return;\n"
                  "    out[r] = 1;\n}\n");
    for (size_t k = 0; k < t.a.own.piece_count; k++)
        if (t.a.own.pieces[k].kind == PIECE_CONDITION) ck_assert_int_eq(t.a.own.pieces[k].pair, -1);
    done(&t);
}
END_TEST

/* The ? of an expression is punctuation, not a name that has no pair. */
START_TEST(a_question_mark_is_a_mark)
{
    check_runs("__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
               "    int r = blockIdx.y * 32 + threadIdx.y;\n"
               "    if (r < rows) out[r] = r ? rows : cols;\n}\n",
        "r ? rows : cols => ?; ");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("align");
    TCase *c = tcase_create("align");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, other_names_are_no_difference);
    tcase_add_test(c, what_differs_is_said_in_the_learners_names);
    tcase_add_test(c, a_name_gives_way_to_what_it_stands_for);
    tcase_add_test(c, equal_statements_are_told_apart_by_their_neighbours);
    tcase_add_test(c, tests_of_opposite_sense_are_no_pair);
    tcase_add_test(c, a_question_mark_is_a_mark);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
