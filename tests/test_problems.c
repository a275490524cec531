/* test_problems.c - what a kernel is run on: inputs and answers of every problem at a small size,
 * with their tolerances, and the shapes on which each step of the labs is checked. The output is
 * compared with tests/problems.txt, so a change shows as a difference in that file. */
#include "exercise/exercise.h"
#include "golden.h"

static void put_problem(const struct problem *p, struct buf *out)
{
    const int dims[DIMS] = {37, 21, 13};
    struct instance in;
    struct expected x;
    size_t rows, columns;
    long wide, high;
    char *size = problem_size(p, dims);
    instance_make(&in, p, dims, 9);
    expected_make(&x, &in);
    p->result(dims, &rows, &columns);
    p->extents(dims, &wide, &high);
    buf_printf(out, "%s(%s), %s: %zu x %zu, grid over %ld x %ld, %g %s in 1 ms\n", p->name,
        p->signature, size, rows, columns, wide, high, problem_rate(p, dims, 1), p->unit);
    for (int b = 0; b < problem_buffers(p); b++) {
        size_t matrix_rows = 0, matrix_columns = 0;
        if (p->two_dimensional) problem_matrix(p, dims, b, &matrix_rows, &matrix_columns);
        buf_printf(out, "    %s: %zu elements, %zu bytes, %zu x %zu", p->buffers[b].name,
            in.count[b], instance_bytes(&in, b), matrix_rows, matrix_columns);
        for (size_t i = 0; i < in.count[b] && i < 3 && b != p->output; i++) {
            if (p->buffers[b].element == ELEMENT_F64)
                buf_printf(out, " %.9g", ((const double *)in.data[b])[i]);
            else if (p->buffers[b].element == ELEMENT_I32)
                buf_printf(out, " %d", ((const int *)in.data[b])[i]);
            else
                buf_printf(out, " %.9g", ((const float *)in.data[b])[i]);
        }
        buf_printf(out, "\n");
    }
    buf_printf(out, "    answer, +- tolerance:");
    for (size_t i = 0; i < x.count; i += 1 + x.count / 6)
        buf_printf(out, " %.9g +- %.5g,", x.value[i], x.slack ? x.slack[i] : 0.0);
    buf_printf(out, "\n");
    expected_free(&x);
    instance_free(&in);
    free(size);
}

static void put_shapes(const struct lab *lab, const struct exercise *x, struct buf *out)
{
    for (const struct step *s = x->steps; s->kernel; s++)
        for (uint64_t seed = 1; seed <= 2; seed++) {
            const struct problem *p = problem_find(s->problem);
            int shapes[SHAPES][DIMS];
            struct rng rng;
            rng_seed(&rng, seed);
            int count = problem_shapes(p, s, &rng, shapes, NULL);
            buf_printf(out, "%s/%s %s, seed %d:", lab->name, x->name, s->kernel, (int)seed);
            for (int i = 0; i < count; i++) {
                char *size = problem_size(p, shapes[i]);
                buf_printf(out, "%s %s", i ? ";" : "", size);
                free(size);
            }
            buf_printf(out, "\n");
        }
}

START_TEST(inputs_answers_and_shapes_are_what_they_were)
{
    struct buf out = {0};
    for (int i = 0; problem_at(i); i++) put_problem(problem_at(i), &out);
    for (int i = 0; lab_table[i]; i++)
        for (const struct exercise *x = lab_table[i]->exercises; x->name; x++)
            put_shapes(lab_table[i], x, &out);
    golden_check("tests/problems.txt", out.data);
    buf_free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("problems");
    TCase *c = tcase_create("problems");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, inputs_answers_and_shapes_are_what_they_were);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
