/* test_blamed_lines.c - which line of a file is named where no cause is proven: the one that makes a
 * wrong output, the declaration that is too narrow, a launch or main, which no exercise has, the
 * origins of an index. tests/blamed_lines.txt keeps the numbered source, and what is said of each
 * finding. */
#include "explain/explain.h"
#include "explain/index_trace.h"
#include "explain/output_line.h"
#include "golden.h"

static const char *const source =
    "LAUNCH(other, BLOCK(32, 8));\n"
    "__device__ float add(float x, float *c, int at)\n"
    "{\n"
    "    return c[at] += x;\n"
    "}\n"
    "__device__ float4 load(const float *a, int i) { return ((const float4 *)a)[i]; }\n"
    "__global__ void other(float *c)\n"
    "{\n"
    "    c[3] = 4 * c[1]; /* not this kernel */\n"
    "}\n"
    "__global__ void k(const float *a, const float *b, float *c, int m, int k, int n)\n"
    "{\n"
    "    // float in a comment: c[0] = 0;\n"
    "    short row = blockIdx.y * 16 + threadIdx.y, wide = 2 * row;\n"
    "    unsigned char small = threadIdx.x; int col = blockIdx.x * 16 + small;\n"
    "    int at = row * n + col, first = 0;\n"
    "    float half_way = 1;\n"
    "    float4 v;\n"
    "    double sum;\n"
    "    sum = 0;\n"
    "    for (int i = 0; i < k; i++) {\n"
    "        float x = a[row * k + i];\n"
    "        sum += x * b[i * n + col];\n"
    "        first = a[i] * b[i];\n"
    "    }\n"
    "    v.x = load(a, at).y;\n"
    "    out4[at] = v;\n"
    "    if (row < m) c[at] = sum;\n"
    "    store(c, at + wide, first);\n"
    "}\n";

/* ---- the line of an output ---- */

static const struct finding findings[] = {{.kind = FOUND_VALUE}, {.kind = FOUND_UNKNOWN},
    {.kind = FOUND_NOT_WRITTEN}, {.kind = FOUND_NOT_WRITTEN, .all = 1},
    {.kind = FOUND_NOT_WRITTEN, .hints = HINT_GRID}, {.kind = FOUND_PLACE},
    {.kind = FOUND_PLACE, .hints = HINT_FLOAT4}, {.kind = FOUND_PART, .hints = HINT_LOOP},
    {.kind = FOUND_PART, .hints = HINT_NOT_ADDED}, {.kind = FOUND_PART, .hints = HINT_ZERO},
    {.kind = FOUND_PRECISION}, {.kind = FOUND_INDICES, .name = "a"},
    {.kind = FOUND_INDICES, .name = "b"}, {.kind = FOUND_INDICES, .name = "coef"},
    {.kind = FOUND_VALUE, .line = 9}, {.kind = 0}};

static void put_findings(const char *kernel, const char *text, struct buf *out)
{
    const struct step step = {.kernel = kernel, .problem = "matmul"};
    const struct bound_kernel b = {.step = &step};
    for (size_t i = 0; i < sizeof findings / sizeof *findings; i++) {
        struct run_outcome t = {.found = findings[i]};
        output_line_tell(&b, "x.cu", text, &t);
        buf_printf(out, "%s, kind %d, hints %#x, %s%s: %s, names %d\n", kernel, t.found.kind,
            t.found.hints, t.found.name, t.found.all ? ", all" : "",
            t.see.data ? t.see.data : "nothing", t.named[0]);
        run_outcome_free(&t);
    }
}

/* ---- types that are too narrow ---- */

static void put_narrow(struct buf *out)
{
    static const struct {
        int line;
        long long extent;
    } accesses[] = {{28, 70000}, {28, 32767}, {29, 40000}, {16, 32768}, {16, 32767}, {15, 256},
        {15, 255}, {15, 257}, {22, 1 << 20}};
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        struct run_outcome t = {
            .found = {
                .kind = FOUND_OUTSIDE, .line = accesses[i].line, .extent = accesses[i].extent}};
        narrow_tell("k", "x.cu", source, &t);
        buf_printf(out, "line %d, %lld elements%s\n", accesses[i].line, accesses[i].extent,
            t.why.data ? t.why.data : ": nothing");
        run_outcome_free(&t);
    }
}

/* ---- files written as whole programs: main, launches, assert, host functions; predictions ---- */

static void put_misfits(struct buf *out)
{
    static const char *const texts[] = {"__global__ void k(int *x) { *x = 1; }\n",
        "__global__ void k(int *x) { *x = 1; }\nint main()\n{\n    k<<<1, 2>>>(x);\n}\n",
        "int more(int x) { return x + 1; }\n\n__global__ void k(int *x) { *x = more(2); }\n",
        "int more(int x) { return x + 1; }\n__device__ int less(int x) { return more(x); }\n",
        "int unused(int x) { return x + 1; }\n__global__ void k(int *x) { *x = 2; }\n",
        "__global__ void k(int *x)\n{\n    assert(x);\n}\n",
        "__global__ void k(int *x) { *x = 1; }\nvoid go(int *x) { k<<<4, 256>>>(x); }\n",
        "__global__ void k(int *x) { int assert = 1 << 2; }\n",
        "PREDICT(right, 8)\nPREDICT(products, 2 * 4 * SIZE)\nPREDICT(later, UNKNOWN)\n",
        "PREDICT(right, 8)\nPREDICT(sectors, 8.0)\n", "PREDICT(stores, 99999999999)\n",
        "PREDICT(loads, ?)\n", "PREDICT(loads, )\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct compiled c = {.file = "x.cu", .source = (char *)texts[i]};
        struct buf says = {0};
        misfit_tell(&c, &says);
        buf_printf(out, "%s    %s\n", texts[i], says.data ? says.data : "nothing");
        buf_free(&says);
    }
}

/* ---- where an index comes from ---- */

static void put_origins(struct buf *out)
{
    for (int line = 20; line < 30; line++)
        for (int shared = 0; shared < 2; shared++) {
            int lines[ORIGIN_LINES], count = explain_index_lines(source, "k", line, shared, lines);
            for (int i = 0; i < count; i++)
                buf_printf(out, "%s%d", i ? ", " : "from lines ", lines[i]);
            if (count) buf_printf(out, " comes the index in line %d\n", line);
        }
}

START_TEST(lines_are_named_as_they_were)
{
    struct buf out = {0};
    int number = 1;
    for (const char *at = source; *at; at = strchr(at, '\n') + 1)
        buf_printf(&out, "%3d  %.*s\n", number++, (int)strcspn(at, "\n"), at);
    put_findings("k", source, &out);
    put_findings("other", source, &out);
    put_findings("nowhere", source, &out);
    put_narrow(&out);
    put_misfits(&out);
    put_origins(&out);
    golden_check("tests/blamed_lines.txt", out.data);
    buf_free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("blamed lines");
    TCase *c = tcase_create("blamed lines");
    tcase_add_test(c, lines_are_named_as_they_were);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
