/* test_code.c - what a kernel file is read as, when a cause is looked for: its top-level items, its
 * statements with their conditions and bodies, its names with their kinds and scopes. */
#include "explain/code.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static const char *const item_kinds[] = {
    "function", "launch", "predict", "variable", "define", "macro", "other"};
static const char *const statement_kinds[] = {
    "block", "if", "for", "while", "declaration", "expression", "return", "other"};
static const char *const symbol_kinds[] = {"int", "float", "pointer", "array", "other"};

/* Append " NAME=text" of a range of tokens, if there is one. */
static void put_range(struct buf *out, const struct code *c, const char *name, const int range[2])
{
    if (range[0] < 0) return;
    char *text = code_text(c, range[0], range[1]);
    buf_printf(out, " %s=%s", name, text);
    free(text);
}

static void put_flag(struct buf *out, const char *name, int value)
{
    if (value) buf_printf(out, " %s", name);
}

/* A line each: items, then statements, then symbols. Lines of the text are numbered from 1. */
static char *described(const char *text)
{
    struct code c;
    struct buf out = {0};
    ck_assert_int_eq(code_read(&c, text, "k"), 0);
    for (int i = 0; i < c.item_count; i++) {
        const struct item *x = &c.items[i];
        buf_printf(&out, "%s %.*s %d-%d", item_kinds[x->kind],
            WORD(&c, x->name < 0 ? x->first : x->name), c.tokens[x->first].line,
            c.tokens[x->last].line);
        put_flag(&out, "used", x->used);
        buf_printf(&out, "\n");
    }
    for (int i = 0; i < c.statement_count; i++) {
        const struct statement *s = &c.statements[i];
        buf_printf(&out, "%d %s %d-%d in %d of %.*s", i, statement_kinds[s->kind],
            c.tokens[s->lead].line, c.tokens[s->last].line, s->parent,
            WORD(&c, c.items[s->function].name));
        put_range(&out, &c, "cond", s->cond);
        put_range(&out, &c, "step", s->step);
        if (s->body >= 0) buf_printf(&out, " body %d", s->body);
        if (s->other >= 0) buf_printf(&out, " else %d", s->other);
        buf_printf(&out, "\n");
    }
    for (int i = 0; i < c.symbol_count; i++) {
        const struct symbol *s = &c.symbols[i];
        buf_printf(&out, "%.*s %s %d-%d", WORD(&c, s->name), symbol_kinds[s->kind],
            c.tokens[s->from].line, c.tokens[s->to].line);
        if (s->dims) buf_printf(&out, " dims %d", s->dims);
        put_flag(&out, "whole", s->whole);
        put_flag(&out, "parameter", s->parameter);
        put_flag(&out, "constant", s->constant);
        put_flag(&out, "to-const", s->constant_target);
        put_range(&out, &c, "init", s->init);
        buf_printf(&out, "\n");
    }
    code_free(&c);
    return out.data;
}

static const struct reading {
    const char *text, *says;
} readings[] = {
    {"#include \"lockstep.h\"\n"
     "#define TILE 32\n"
     "#define AT(i, j) ((i) * n + (j))\n"
     "enum { ROWS = 8, COLS = TILE / 2 };\n"
     "constexpr int PAD = 1, MORE = 2;\n"
     "LAUNCH(k, BLOCK(TILE, ROWS), COVERS(TILE, TILE));\n"
     "PREDICT(sectors, 4);\n"
     "static __device__ float scale(float x, unsigned n) { return x * n; }\n"
     "__device__ int unused() { return 0; }\n"
     "__global__ void k(const float *a, float *out, int n) { out[AT(0, PAD)] = scale(a[0], ROWS); }\n",
        "other #include \"lockstep.h\" 1-1\n"
        "define TILE 2-2\n"
        "macro AT 3-3 used\n"
        "other enum 4-4\n"
        "other constexpr 5-5\n"
        "launch k 6-6\n"
        "predict sectors 7-7\n"
        "function scale 8-8 used\n"
        "function unused 9-9\n"
        "function k 10-10 used\n"
        "0 block 8-8 in -1 of scale\n"
        "1 return 8-8 in 0 of scale\n"
        "2 block 10-10 in -1 of k\n"
        "3 expression 10-10 in 2 of k\n"
        "x float 8-8 parameter\n"
        "n int 8-8 whole parameter\n"
        "a pointer 10-10 parameter to-const\n"
        "out pointer 10-10 parameter\n"
        "n int 10-10 whole parameter\n"
        "i int 3-3\n"
        "j int 3-3\n"
        "a pointer 3-3 parameter to-const\n"
        "out pointer 3-3 parameter\n"
        "n int 3-3 whole parameter\n"
        "ROWS int 4-10 whole constant init=8\n"
        "COLS int 4-10 whole constant init=TILE / 2\n"
        "PAD int 5-10 whole constant init=1\n"
        "MORE int 5-10 whole constant init=2\n"},
    {"template <int N, typename T> __device__ T sum(const T (&v)[N])\n{\n"
     "    T s = 0;\n"
     "#pragma unroll\n"
     "    for (int i = 0, last = N - 1; i <= last; i++) s += v[i];\n"
     "    return s;\n}\n"
     "__global__ void k(const float4 *a, int *out, size_t n)\n{\n"
     "    __shared__ float tile[4][8 + 1];\n"
     "    const int *p = out, x = threadIdx.x;\n"
     "    double d, e = 2.0;\n"
     "    float4 f = a[x];\n"
     "    auto add = [&](int i) { out[i] += 1; };\n"
     "    if (x < n && p) {\n"
     "        int x = 3; /* another x */\n"
     "        tile[x][0] = f.x;\n"
     "    } else if (x > 9)\n"
     "        return;\n"
     "    else\n"
     "        d = sum(tile[0]);\n"
     "    while (x != 0) { break; }\n"
     "    do { add(1); } while (n > 1);\n"
     "    for (;;) continue;\n"
     "    ROLLED for (unsigned i = n; i-- > 0;) { // \"text\"\n"
     "        __syncthreads();\n"
     "    }\n}\n",
        "function sum 1-7 used\n"
        "function k 8-28 used\n"
        "0 block 2-7 in -1 of sum\n"
        "1 declaration 3-3 in 0 of sum\n"
        "2 for 4-5 in 0 of sum cond=i <= last step=i++ body 3\n"
        "3 expression 5-5 in 2 of sum\n"
        "4 return 6-6 in 0 of sum\n"
        "5 block 9-28 in -1 of k\n"
        "6 declaration 10-10 in 5 of k\n"
        "7 declaration 11-11 in 5 of k\n"
        "8 declaration 12-12 in 5 of k\n"
        "9 declaration 13-13 in 5 of k\n"
        "10 declaration 14-14 in 5 of k body 11\n"
        "11 block 14-14 in 10 of k\n"
        "12 expression 14-14 in 11 of k\n"
        "13 if 15-21 in 5 of k cond=x < n && p body 14 else 17\n"
        "14 block 15-18 in 13 of k\n"
        "15 declaration 16-16 in 14 of k\n"
        "16 expression 17-17 in 14 of k\n"
        "17 if 18-21 in 13 of k cond=x > 9 body 18 else 19\n"
        "18 return 19-19 in 17 of k\n"
        "19 expression 21-21 in 17 of k\n"
        "20 while 22-22 in 5 of k cond=x != 0 body 21\n"
        "21 block 22-22 in 20 of k\n"
        "22 other 22-22 in 21 of k\n"
        "23 other 23-23 in 5 of k\n"
        "24 for 24-24 in 5 of k body 25\n"
        "25 other 24-24 in 24 of k\n"
        "26 for 25-27 in 5 of k cond=i-- > 0 body 27\n"
        "27 block 25-27 in 26 of k\n"
        "28 expression 26-26 in 27 of k\n"
        "N int 1-7 whole parameter constant\n"
        "s other 3-7 init=0\n"
        "i int 5-5 whole init=0\n"
        "last int 5-5 whole init=N - 1\n"
        "a pointer 8-28 parameter to-const\n"
        "out pointer 8-28 whole parameter\n"
        "n int 8-28 whole parameter\n"
        "tile array 10-28 dims 2\n"
        "p pointer 11-28 whole to-const init=out\n"
        "x int 11-28 whole constant init=threadIdx.x\n"
        "d float 12-28\n"
        "e float 12-28 init=2.0\n"
        "f other 13-28 init=a[x]\n"
        "add other 14-28 init=[&](int i) { out[i] += 1; }\n"
        "i int 14-14 whole parameter\n"
        "x int 16-18 whole init=3\n"
        "i int 25-27 whole init=n\n"},
};

START_TEST(a_file_is_read_as_it_is_meant)
{
    char *is = described(readings[_i].text);
    ck_assert_str_eq(is, readings[_i].says);
    free(is);
}
END_TEST

START_TEST(what_cannot_be_read_is_refused)
{
    static const char *const texts[] = {"__global__ void k(int n) { if (n) { }\n",
        "__global__ void k(int n) { a[n); }\n", "__global__ void other(int n) { }\n",
        "#if 0\nint m;\n#endif\n__global__ void k(int n) { }\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct code c;
        ck_assert_msg(code_read(&c, texts[i], "k") == -1, "%s", texts[i]);
        code_free(&c);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("code");
    TCase *c = tcase_create("code");
    tcase_add_loop_test(c, a_file_is_read_as_it_is_meant, 0, sizeof readings / sizeof *readings);
    tcase_add_test(c, what_cannot_be_read_is_refused);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
