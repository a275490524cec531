/* test_grading_similar.c - when two texts count as the same: what a disguise does not change, where
 * they are alike, and which pairs of a class are unusual. */
#include "grading/similar.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* Have both texts the same grams, in the same order? */
static int alike(const char *a, const char *b)
{
    struct grams x, y;
    grams_read(&x, a), grams_read(&y, b);
    int same = x.count == y.count && x.runs == y.runs && x.count > 0;
    for (size_t i = 0; same && i < x.count; i++) same = x.list[i].hash == y.list[i].hash;
    grams_free(&x), grams_free(&y);
    return same;
}

/* Between text that is the same. */
#define WITHIN(x) "sum = b[row][k] * c + d; " x " out[row * n + col] = sum + b[row];"

static const struct {
    const char *a, *b;
    int same;
} forms[] = {
    {"x = y + z;", "p = q + r;", 1},
    {"x = y + y;", "p = q + r;", 0},
    {"x = y + z;", "x = y - z;", 0},
    {"x = a[3 * (4 + 1)] + 2.5f;", "x = a[7] + .5;", 1},
    {"x = 4 | 1; y = 8 / 2 - 1;", "x = 1 << 2; y = 9;", 1},
    {"x = f(3);", "x = 3;", 0},
    {"x = (3);", "x = 3;", 1},
    {"x = y; // z = 3;\n", "x = /* z\n */ y;", 1},
    {"\n#define A \\\n  z = 3;\nx = y;", "x = y;", 1},
    {"const float x = y;", "static float x = y;", 1},
    {"unsigned int x = y;", "size_t x = y;", 1},
    {"int x = y;", "float x = y;", 0},
    {"i++;", "++i;", 1},
    {"i++;", "i += 1;", 1},
    {"i++;", "i = i + 1;", 1},
    {"i++;", "i = j + 1;", 0},
    {"i++;", "i += j;", 0},
    {"i++;", "i--;", 0},
    {"if (x) { y = z; }", "if (x) y = z;", 1},
    {"if (x) y = z; else { y = 1; }", "if (x) { y = z; } else y = 1;", 1},
    {"for (int i = 0; i < n; i++) { y += x[i]; }", "int j = 0; while (j < n) { y += x[j]; j++; }",
        1},
    {"for (int i = 0; i < n; i++) y += x[i];", "int i = 0; while (i < n) { i++; y += x[i]; }", 0},
    {"x = threadIdx.x;", "x = threadIdx.y;", 0},
    {"x = a.x;", "x = a.w;", 0},
    {"x <<= 2; y >>= 1;", "x = x << 2; y = y >> 1;", 0},
    {"x = \"a;\\\"b\";", "x = \"a;\\\"b\" ;", 1},
    {"x = 'a';", "x = 'b';", 0},
    {"__syncthreads();", "__syncwarp();", 0},
    {"} x = y;", "x = y;", 1},
};

START_TEST(a_disguise_changes_nothing)
{
    char *a = xasprintf(WITHIN("%s"), forms[_i].a), *b = xasprintf(WITHIN("%s"), forms[_i].b);
    ck_assert_msg(alike(a, b) == forms[_i].same, "%s is %s %s", forms[_i].a,
        forms[_i].same ? "not" : "like", forms[_i].b);
    ck_assert(alike(a, a) && alike(b, b));
    free(a), free(b);
}
END_TEST

/* Twelve tokens in a row, with their lines; statements of 6 tokens and more, once more. */
START_TEST(grams_know_their_lines)
{
    struct grams g;
    grams_read(&g, "a = b +\n c;\n/* no\ntoken */ d = e * f - g;\nh = i;\n");
    /* 6 tokens, 8 tokens, 4 tokens */
    ck_assert_uint_eq(g.runs, 18 - GRAM + 1);
    ck_assert_uint_eq(g.count, g.runs + 1);
    ck_assert_int_eq(g.list[0].first, 1);
    ck_assert_int_eq(g.list[0].last, 4);
    ck_assert_int_eq(g.list[6].first, 4);
    ck_assert_int_eq(g.list[6].last, 5);
    ck_assert_int_eq(g.list[7].first, 4);
    ck_assert_int_eq(g.list[7].last, 4);
    grams_free(&g);
    grams_read(&g, "");
    ck_assert_uint_eq(g.count, 0);
    grams_free(&g);
}
END_TEST

/* ---- a pair ---- */

static const char first[] = "x[i * 2 + j] = y[i + k] * z;\nfor (;;) f(x, y);\n",
                  second[] = "float s = 0;\ns += fmaf(t[i][j], u, s) / v[j];\nint w = max(i, j);\n";

/* Pieces that changed their places are found, and lie where they are; given ones are not. */
START_TEST(common_pieces_are_found)
{
    struct known none = {0}, given = {0};
    struct range *r;
    char *a = xasprintf("%s%s", first, second), *b = xasprintf("\n%sq = 1;\n%s", second, first);
    ck_assert_uint_eq(ranges_of(&r, a, b, &none), 2);
    ck_assert_int_eq(r[0].a_first, 1);
    ck_assert_int_eq(r[0].b_first, 6);
    ck_assert(r[0].a_last >= 2 && r[0].a_last <= 3 && r[0].b_last == 7);
    ck_assert(r[1].a_first >= 2 && r[1].a_first <= 3 && r[1].a_last == 5);
    ck_assert_int_eq(r[1].b_first, 2);
    ck_assert(r[1].b_last >= 4 && r[1].b_last <= 5);
    free(r);
    known_add(&given, second), known_close(&given);
    ck_assert_uint_eq(ranges_of(&r, a, b, &given), 1);
    ck_assert_int_eq(r[0].b_first, 6);
    free(r);
    known_add(&given, first), known_close(&given);
    ck_assert_uint_eq(ranges_of(&r, a, b, &given), 0);
    ck_assert_ptr_null(r);
    free(given.list), free(a), free(b);
}
END_TEST

/* ---- a class ---- */

/* Thirty who write something of their own for each of four exercises; 3 and 20 share the last
 * three. */
enum { STUDENTS = 30, EXERCISES = 4 };

/* Statements with names and operators drawn by a seed. */
static char *own_work(uint64_t seed)
{
    struct buf out = {0};
    for (int i = 0; i < 12; i++) {
        int n[6];
        for (int k = 0; k < 6; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            n[k] = (int)(seed >> 40);
        }
        buf_printf(&out, "a%d[b%d] %c= c%d %c d%d;\n", n[0] % 5, n[1] % 5, "+-*/"[n[2] % 4],
            n[3] % 5, "+-*/%&|"[n[4] % 7], n[5] % 5);
    }
    return out.data;
}

START_TEST(who_shares_what_nobody_has_is_unusual)
{
    char *text[STUDENTS * EXERCISES];
    size_t same_as[STUDENTS];
    struct works w = {text, STUDENTS, EXERCISES, {"a", "b", "c", "d"}, same_as, {0}};
    struct scores s;
    for (size_t i = 0; i < STUDENTS; i++) same_as[i] = i;
    for (size_t i = 0; i < STUDENTS * EXERCISES; i++)
        text[i] = own_work(i / EXERCISES == 20 && i % EXERCISES ? i - 17 * EXERCISES : i);
    scores_make(&s, &w);
    ck_assert_uint_eq(s.compared, STUDENTS * (STUDENTS - 1) / 2);
    ck_assert_uint_ge(s.count, 1);
    ck_assert(s.pairs[0].a == 3 && s.pairs[0].b == 20 && s.pairs[0].unusual > s.limit);
    ck_assert(s.pairs[0].expected < 1);
    for (size_t i = 1; i < s.count; i++) {
        ck_assert(s.pairs[i].a < s.pairs[i].b && s.pairs[i].unusual <= s.pairs[i - 1].unusual);
        ck_assert(s.pairs[i].expected >= s.pairs[i - 1].expected);
    }
    /* alike in the exercises that they share, whoever is named first */
    for (size_t x = 0; x < EXERCISES; x++)
        ck_assert(scores_rare(&s, &w, 3, 20, x) == scores_rare(&s, &w, 20, 3, x));
    for (size_t x = 1; x < EXERCISES; x++) ck_assert(scores_rare(&s, &w, 3, 20, x) > 4);
    ck_assert(scores_rare(&s, &w, 3, 20, 0) > 0 && scores_rare(&s, &w, 3, 20, 0) < 4);
    scores_free(&s);
    /* what was given makes nobody alike; who handed in nothing is not compared */
    known_add(&w.known, text[3 * EXERCISES + 1]), known_close(&w.known);
    free(text[EXERCISES]), text[EXERCISES] = NULL;
    scores_make(&s, &w);
    ck_assert(scores_rare(&s, &w, 3, 20, 1) == 0 && scores_rare(&s, &w, 0, 1, 0) == 0);
    ck_assert(scores_rare(&s, &w, 0, 1, 1) > 0 && scores_rare(&s, &w, 3, 20, 2) > 4);
    scores_free(&s);
    free(w.known.list);
    for (size_t i = 0; i < STUDENTS * EXERCISES; i++) free(text[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grading_similar");
    TCase *c = tcase_create("grading_similar");
    tcase_add_loop_test(c, a_disguise_changes_nothing, 0, sizeof forms / sizeof *forms);
    tcase_add_test(c, grams_know_their_lines);
    tcase_add_test(c, common_pieces_are_found);
    tcase_add_test(c, who_shares_what_nobody_has_is_unusual);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
