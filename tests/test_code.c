/* test_code.c - what a kernel file is read as, when a cause is looked for: its tokens, its top-level
 * items, its statements with their conditions and bodies, its names with their kinds and scopes, what a
 * token refers to. */
#include "explain/code.h"
#include "exercise/exercise.h"
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

/* The items, then the statements, then the symbols of a text, a line each; its lines are numbered
 * from 1. The caller frees the description. */
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
    /* a macro that is followed by a block */
    {"__global__ void k(float *out, int n) { EDGE(n, n) { out[0] = 1; return; } out[1] = 2; }\n",
        "function k 1-1 used\n"
        "0 block 1-1 in -1 of k\n"
        "1 other 1-1 in 0 of k body 2\n"
        "2 block 1-1 in 1 of k\n"
        "3 expression 1-1 in 2 of k\n"
        "4 return 1-1 in 2 of k\n"
        "5 expression 1-1 in 0 of k\n"
        "out pointer 1-1 parameter\n"
        "n int 1-1 whole parameter\n"},
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
    {"__device__ float table[4] = {1, 2};\n"
     "__constant__ int limit;\n"
     "__device__ int later(int x);\n"
     "struct pair { float a; float get() { return a; } };\n"
     "namespace { enum { FAR = 3 }; };\n"
     "enum kinds { ONE, TWO = 2 };\n"
     "const float HALF = 0.5f;\n"
     "const int none;\n"
     "static const unsigned A = 1 ? 2 : 3, B(4);\n"
     "LAUNCH_SHARED(k, BLOCK(32), 4 * limit) PREDICT(sectors, 4)\n"
     "#define SQUARE(v) (v[0] * v[0])\n"
     "#define VALUE (1)\n"
     "#define EMPTY\n"
     "#define UNUSED(x) x\n"
     "template <typename T> __global__ void k(T *__restrict__ a, const unsigned *b, int n) { a[0] = SQUARE(b) + n; }\n",
        "variable __device__ 1-1\n"
        "variable __constant__ 2-2\n"
        "other __device__ 3-3\n"
        "other struct 4-4\n"
        "other namespace 5-5\n"
        "other enum 6-6\n"
        "other const 7-7\n"
        "other const 8-8\n"
        "other static 9-9\n"
        "launch k 10-10\n"
        "predict sectors 10-10\n"
        "macro SQUARE 11-11 used\n"
        "define VALUE 12-12\n"
        "define EMPTY 13-13\n"
        "macro UNUSED 14-14\n"
        "function k 15-15 used\n"
        "0 block 15-15 in -1 of k\n"
        "1 expression 15-15 in 0 of k\n"
        "a pointer 15-15 parameter\n"
        "b pointer 15-15 whole parameter to-const\n"
        "n int 15-15 whole parameter\n"
        "TWO int 6-15 whole constant init=2\n"
        "A int 9-15 whole constant init=1 ? 2 : 3\n"
        "v pointer 11-11\n"
        "a pointer 11-11 parameter\n"
        "b pointer 11-11 whole parameter to-const\n"
        "n int 11-11 whole parameter\n"},
    {"__global__ void k(float *out, int n)\n{\n"
     "    __shared__ __align__(16) float tile[8];\n"
     "    alignas(16) float4 v[2];\n"
     "    enum { EDGE = 4, LAST = EDGE - 1 };\n"
     "    enum sides { LEFT = 1 };\n"
     "    float (*row)[4] = (float (*)[4])out, &first = out[0];\n"
     "    pair &p = pairs[0]; pair *t = &p;\n"
     "    int a[2] = {1, 2}, b{3}, *const c = a;\n"
     "    auto get = [=](int i, float x) mutable { return x; };\n"
     "    auto none = 3;\n"
     "    struct local { int x; };\n"
     "    float(n);\n"
     "    switch (n) { case 1: n++; break; default: n--; };\n"
     "    if (n)\n"
     "        for (int i = 0; i < n; i++)\n"
     "            if (i) out[i] = 0; else { }\n"
     "    n * 2;\n"
     "    for (n = 0, b = 1; n < 4;) n += b;\n"
     "    asm volatile(\"bar.sync 0;\");\n"
     "    int q, r = (int)(n);\n"
     "    while (r) r--;\n"
     "    else_p = &n;\n"
     "}\n",
        "function k 1-24 used\n"
        "0 block 2-24 in -1 of k\n"
        "1 declaration 3-3 in 0 of k\n"
        "2 declaration 4-4 in 0 of k\n"
        "3 declaration 5-5 in 0 of k\n"
        "4 declaration 6-6 in 0 of k\n"
        "5 declaration 7-7 in 0 of k\n"
        "6 declaration 8-8 in 0 of k\n"
        "7 declaration 8-8 in 0 of k\n"
        "8 declaration 9-9 in 0 of k\n"
        "9 declaration 10-10 in 0 of k body 10\n"
        "10 block 10-10 in 9 of k\n"
        "11 return 10-10 in 10 of k\n"
        "12 declaration 11-11 in 0 of k\n"
        "13 other 12-12 in 0 of k\n"
        "14 expression 13-13 in 0 of k\n"
        "15 other 14-14 in 0 of k\n"
        "16 if 15-17 in 0 of k cond=n body 17\n"
        "17 for 16-17 in 16 of k cond=i < n step=i++ body 18\n"
        "18 if 17-17 in 17 of k cond=i body 19 else 20\n"
        "19 expression 17-17 in 18 of k\n"
        "20 block 17-17 in 18 of k\n"
        "21 expression 18-18 in 0 of k\n"
        "22 for 19-19 in 0 of k cond=n < 4 body 23\n"
        "23 expression 19-19 in 22 of k\n"
        "24 other 20-20 in 0 of k\n"
        "25 declaration 21-21 in 0 of k\n"
        "26 while 22-22 in 0 of k cond=r body 27\n"
        "27 expression 22-22 in 26 of k\n"
        "28 expression 23-23 in 0 of k\n"
        "out pointer 1-24 parameter\n"
        "n int 1-24 whole parameter\n"
        "tile array 3-24 dims 1\n"
        "v array 4-24 dims 1\n"
        "EDGE int 5-24 whole constant init=4\n"
        "LAST int 5-24 whole constant init=EDGE - 1\n"
        "LEFT int 6-24 whole constant init=1\n"
        "first float 7-24 init=out[0]\n"
        "p other 8-24 init=pairs[0]\n"
        "t pointer 8-24 init=&p\n"
        "a array 9-24 dims 1 whole init={1, 2}\n"
        "b int 9-24 whole\n"
        "c pointer 9-24 whole init=a\n"
        "get other 10-24 init=[=](int i, float x) mutable { return x; }\n"
        "i int 10-10 whole parameter\n"
        "x float 10-10 parameter\n"
        "none other 11-24 init=3\n"
        "i int 16-17 whole init=0\n"
        "q int 21-24 whole\n"
        "r int 21-24 whole init=(int)(n)\n"},
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

/* Tokens, separated by |. Those of a #define after its first one are marked by ~. */
START_TEST(text_is_cut_into_tokens)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"a<<=b>>=c...d<=e>=f==g!=h", "a|<<=|b|>>=|c|...|d|<=|e|>=|f|==|g|!=|h"},
        {"a&&b||c+=d-=e*=f/=g%=h&=i|=j^=k", "a|&&|b||||c|+=|d|-=|e|*=|f|/=|g|%=|h|&=|i||=|j|^=|k"},
        {"a++b--c->d::e<<f>>g-h", "a|++|b|--|c|->|d|::|e|<<|f|>>|g|-|h"},
        {"1.5e-3f .5 0x1e+2 1E+9 7.x 1e 12u", "1.5e-3f|.5|0x1e|+|2|1E+9|7.x|1e|12u"},
        {"a.b 5 . c", "a|.|b|5|.|c"},
        {"_a1 = \"x\\\"(\" '\\'' 'y", "_a1|=|\"x\\\"(\"|'\\''|'y"},
        {"a // b (\nc /* d\n ( */ e /", "a|c|e|/"},
        {"a /* b", "a"},
        {"a\\\nb \\ c", "a|b|\\|c"},
        {"#include <x>\n # pragma unroll 4\na # b", "#include <x>|# pragma unroll 4|a|#|b"},
        {"#define N 4 // words\nx", "#define|~N|~4|x"},
        {"#define N (4)\nx\n# define M\ty", "#define|~N|~(|~4|~)|x|# define|~M|~y"},
        {"#define F(a) (a)[\\\n0]\nx", "#define|~F|~(|~a|~)|~(|~a|~)|~[|~0|~]|x"},
        /* a #define is one token if its value is empty or cannot be read as plain tokens */
        {"#define F(a) a##b\nx", "#define F(a) a##b|x"},
        {"#define F(a) (a\nx", "#define F(a) (a|x"},
        {"#define F(a) a)(\nx", "#define F(a) a)(|x"},
        {"#define F(a)  \nx", "#define F(a)  |x"},
        {"#define\nx", "#define|x"},
        {"#defined N\nx", "#defined N|x"},
        {"#undef N\nx", "#undef N|x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct code c;
        struct buf is = {0};
        code_read(&c, rows[i].text, "k"); /* the text has no kernel k */
        for (int k = 0; k < c.count; k++)
            buf_printf(
                &is, "%s%s%.*s", k ? "|" : "", c.tokens[k].define >= 0 ? "~" : "", WORD(&c, k));
        ck_assert_str_eq(is.data, rows[i].says);
        if (*rows[i].text != '#') ck_assert_uint_eq(code_length(rows[i].text), c.tokens[0].len);
        buf_free(&is);
        code_free(&c);
    }
    ck_assert_uint_eq(code_length("12.5f + x"), 5);
    ck_assert_uint_eq(code_length("name_2[x]"), 6);
    ck_assert_uint_eq(code_length("<<=x"), 3);
}
END_TEST

/* ---- what a token refers to ---- */

static const char asked[] = "const int TILE = 32, SAME = 32, SUM = TILE + 1;\n" /* line 1 */
                            "#define WIDE 64\n"
                            "#define AT(i) (i * n)\n"
                            "template <int N> __device__ int turn(int x) { return x * N; }\n"
                            "__device__ int plain(int y) { return y; }\n" /* line 5 */
                            "__global__ void k(float *a, int n, float z)\n"
                            "{\n"
                            "    int x = n + 1, y = a[0], w = n + 1, v = n + 2, u = n;\n"
                            "    for (int i = 0; i < n; i++) {\n"
                            "        int n = turn<4>(x) + plain (y), m = x < n;\n" /* line 10 */
                            "        a[i].x = p->y + n > m ? n : plain;\n"
                            "    }\n"
                            "    a[n] = AT(x) + WIDE;\n"
                            "}\n";

/* The token on a line that is `word` and comes after `before` others of the same text. */
static int token_at(const struct code *c, int line, const char *word, int before)
{
    for (int i = 0; i < c->count; i++)
        if (c->tokens[i].line == line && code_is(c, i, word) && !before--) return i;
    ck_abort_msg("no %s on line %d", word, line);
    return -1;
}

static int line_of_symbol(const struct code *c, int i)
{
    int s = code_symbol(c, i);
    return s < 0 ? 0 : c->tokens[c->symbols[s].name].line;
}

static int line_of_call(const struct code *c, int i)
{
    int open = code_call(c, i);
    return open < 0 ? 0 : open - i;
}

static int line_of_statement(const struct code *c, int i)
{
    int s = code_statement(c, i);
    return s < 0 ? 0 : c->tokens[c->statements[s].first].line;
}

static int line_of_function(const struct code *c, int i)
{
    int f = code_function(c, i);
    return f < 0 ? 0 : c->tokens[c->items[f].first].line;
}

static int line_of_item(const struct code *c, int i)
{
    int f = code_item(c, i);
    return f < 0 ? 0 : c->tokens[c->items[f].first].line;
}

static int length_of_expression(const struct code *c, int i)
{
    return code_expression_end(c, i, c->count - 1) - i + 1;
}

static const struct question {
    const char *name;
    int (*ask)(const struct code *, int);
} symbol = {"the line of its declaration", line_of_symbol},
  call = {"the tokens from a call's name to its (", line_of_call},
  statement = {"the line of its statement", line_of_statement},
  function = {"the line of its function", line_of_function},
  item = {"the line of its item", line_of_item}, angle = {"an angle bracket", code_is_angle},
  loops = {"a loop's variable", code_loop_variable},
  constant = {"part of a constant", code_constant},
  operand = {"the end of an operand", code_ends_operand},
  expression = {"the length of an expression", length_of_expression};

static const struct answer {
    const struct question *question;
    int line;
    const char *word;
    int before, is;
} answers[] = {
    {&symbol, 8, "n", 0, 6},
    {&symbol, 9, "n", 0, 6},

    {&symbol, 10, "n", 1, 10},
    {&symbol, 11, "n", 0, 10},
    {&symbol, 13, "n", 0, 6},
    {&symbol, 3, "n", 0, 6},
    {&symbol, 3, "i", 1, 3},
    {&symbol, 11, "x", 0, 0},
    {&symbol, 11, "y", 0, 0},
    {&symbol, 10, "y", 0, 8},
    {&symbol, 5, "y", 1, 5},
    {&symbol, 4, "x", 1, 4},
    {&symbol, 11, "i", 0, 9},
    {&symbol, 13, "a", 0, 6},
    {&symbol, 1, "TILE", 1, 1},
    {&symbol, 11, "=", 0, 0},
    {&call, 10, "turn", 0, 4},
    {&call, 10, "plain", 0, 1},
    {&call, 11, "plain", 0, 0},
    {&call, 5, "plain", 0, 0},
    {&call, 13, "AT", 0, 0},
    {&call, 10, "x", 1, 0},
    {&statement, 8, "n", 0, 8},
    {&statement, 9, "n", 0, 9},
    {&statement, 10, "x", 0, 10},
    {&statement, 9, "{", 0, 9},
    {&statement, 12, "}", 0, 9},
    {&statement, 13, "x", 0, 13},
    {&statement, 7, "{", 0, 7},
    {&statement, 6, "n", 0, 0},
    {&statement, 4, "x", 1, 4},
    {&function, 4, "N", 0, 4},
    {&function, 5, "y", 0, 5},
    {&function, 6, "k", 0, 6},
    {&function, 14, "}", 0, 6},
    {&function, 1, "TILE", 0, 0},
    {&function, 3, "n", 0, 0},
    {&item, 1, "SUM", 0, 1},
    {&item, 2, "WIDE", 0, 2},
    {&item, 3, "n", 0, 3},
    {&item, 14, "}", 0, 6},
    {&angle, 10, "<", 0, 1},
    {&angle, 10, ">", 0, 1},
    {&angle, 10, "<", 1, 0},
    {&angle, 11, ">", 0, 0},
    {&angle, 9, "<", 0, 0},
    {&angle, 10, "4", 0, 0},
    {&loops, 9, "i", 1, 1},
    {&loops, 11, "i", 0, 1},
    {&loops, 8, "x", 0, 0},
    {&loops, 10, "n", 1, 0},
    {&loops, 8, "n", 0, 0},
    {&constant, 1, "32", 0, 1},
    {&constant, 1, "TILE", 1, 1},
    {&constant, 1, "1", 0, 1},
    {&constant, 1, "TILE", 0, 0},
    {&constant, 2, "64", 0, 1},
    {&constant, 3, "n", 0, 0},
    {&constant, 8, "1", 0, 0},
    {&operand, 8, "n", 0, 1},
    {&operand, 8, "1", 0, 1},
    {&operand, 8, "]", 0, 1},
    {&operand, 10, ")", 0, 1},
    {&operand, 8, "+", 0, 0},
    {&operand, 8, "[", 0, 0},
    {&expression, 8, "n", 0, 3},
    {&expression, 8, "a", 0, 4},
    {&expression, 10, "turn", 0, 12},
    {&expression, 10, "x", 0, 1},
    {&expression, 11, "n", 1, 1},
    {&expression, 11, "p", 0, 11},
    {&expression, 11, "i", 0, 1},
    {&expression, 9, "i", 2, 2},
};

START_TEST(tokens_know_what_they_refer_to)
{
    struct code c;
    ck_assert_int_eq(code_read(&c, asked, "k"), 0);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const struct answer *a = &answers[i];
        int is = a->question->ask(&c, token_at(&c, a->line, a->word, a->before));
        ck_assert_msg(is == a->is, "%s %d of line %d: %s: %d, not %d", a->word, a->before, a->line,
            a->question->name, is, a->is);
    }
    ck_assert_int_eq(code_item(&c, c.count), -1);
    ck_assert_int_eq(code_named(&c, ITEM_FUNCTION, -1), -1);
    ck_assert_int_eq(code_named(&c, ITEM_FUNCTION, c.count), -1);
    ck_assert(!code_is(&c, -1, "const") && !code_is(&c, c.count, "}") && !code_is(&c, 0, "con"));
    int x = token_at(&c, 10, "x", 0);
    ck_assert_int_eq(code_line(&c, start_of(&c, x)), 10);
    c.before = 4;
    ck_assert_int_eq(code_line(&c, start_of(&c, x)), 6);
    int angle_end = token_at(&c, 10, ">", 0);
    ck_assert_int_eq(code_expression_end(&c, token_at(&c, 10, "turn", 0), angle_end), angle_end);
    char *text = code_text(&c, 0, 5), *word = code_word(&c, x);
    ck_assert_str_eq(text, "const int TILE = 32,");
    ck_assert_str_eq(word, "x");
    free(text), free(word);
    text = code_text(&c, token_at(&c, 1, ";", 0), token_at(&c, 2, "WIDE", 0));
    ck_assert_str_eq(text, ";\n#define\nWIDE");
    free(text);
    code_free(&c);
}
END_TEST

START_TEST(brackets_are_balanced)
{
    static const struct {
        const char *a, *b; /* same: both leave the same brackets open */
        int same;
    } rows[] = {{"(a[b]{c} ? d : e)", "", 1}, {"(", "", 0}, {"x)", "", 0}, {"[", "(", 0},
        {"{", "[", 0}, {"a ? b", "(", 0}, {"a ? b", "? c", 1}, {"a ? b :: c", "?", 1},
        {"a ? b : c", "", 1}, {"((", "(", 0}, {"(a)(", "(", 1}, {"a::b", "", 1}, {"case 1:", "", 0},
        {"[(", "([", 1}, {"}", "{", 0}, {"][", "", 1}, {"}{", "", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        long a = code_open(rows[i].a, strlen(rows[i].a)),
             b = code_open(rows[i].b, strlen(rows[i].b));
        ck_assert_msg((a == b) == rows[i].same, "%s and %s", rows[i].a, rows[i].b);
    }
    ck_assert_int_eq(code_open("(a)", 2), code_open("(", 1));
    ck_assert_int_eq(code_open("a:", 2), -code_open("?", 1));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("code");
    TCase *c = tcase_create("code");
    tcase_add_loop_test(c, a_file_is_read_as_it_is_meant, 0, sizeof readings / sizeof *readings);
    tcase_add_test(c, what_cannot_be_read_is_refused);
    tcase_add_test(c, text_is_cut_into_tokens);
    tcase_add_test(c, tokens_know_what_they_refer_to);
    tcase_add_test(c, brackets_are_balanced);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
