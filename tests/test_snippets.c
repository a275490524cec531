/* test_snippets.c - a few lines of PTX each: the fault that they end in, or what they store and
 * count. tests/snippets.txt holds the lines and, behind "=", what comes of them:
 *
 *     ## what they show; sim:h200 grid 1 block 32 shared 0 cluster 1      what is left out is this
 *     st.global.u32 [%out], %t;
 *     = 0 1 1f ..c3a1 INST 10        the 8 bytes of out, in hex, of threads 0, 1 and the last; a sum
 *                                    of all; counts that are not 0
 *
 * Each thread has 8 bytes of out at [%out] (of thread 0 at [%base]), which nothing has written, and in
 * at [%in] holds the words 0 to 1023. %t: its number in the block; %l: its lane; %first, %low, %zero:
 * is it thread 0, in the first half of its warp, in warp 0. Lines that begin with .const or .extern
 * stand outside of the kernel. GOLDEN=write writes the lines behind "=" anew. */
#include "device/device.h"
#include "golden.h"

#include <math.h>

enum { WORDS = 1024, MOST_THREADS = 512 };

static const char head[] =
    ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
    ".reg .b64 %q<8>, %out, %base, %in; .reg .b32 %l, %t, %r<16>; .reg .b16 %h<8>;\n"
    ".reg .pred %first, %low, %zero, %p<4>; .reg .f32 %f<16>; .reg .f64 %d<8>;\n"
    ".shared .align 16 .b8 s[2048];\n"
    "ld.param.u64 %base, [out]; ld.param.u64 %in, [in]; mov.u32 %t, %tid.x; mov.u32 %l, %laneid;\n"
    "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mad.lo.u32 %r0, %r0, %r1, %t;\n"
    "mul.wide.u32 %q0, %r0, 8; add.u64 %out, %base, %q0;\n"
    "setp.eq.u32 %first, %t, 0; setp.lt.u32 %low, %l, 16; setp.lt.u32 %zero, %t, 32;\n";

struct snippet {
    char device[32];
    struct launch_shape shape;
};

static struct snippet launch_of(const char *title)
{
    struct snippet s = {"sim:h200", {{1, 1, 1}, {32, 1, 1}, .budget = 100000}};
    const char *at = strchr(title, ';');
    char word[32];
    unsigned n;
    if (at && strstr(at, "sim:")) sscanf(strstr(at, "sim:"), "%31s", s.device);
    for (at = at ? at + 1 : ""; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (sscanf(at, "%31s %u", word, &n) < 2) continue;
        if (!strcmp(word, "grid")) s.shape.grid[0] = n;
        if (!strcmp(word, "block")) s.shape.block[0] = n;
        if (!strcmp(word, "shared")) s.shape.dynamic_shared = n;
        if (!strcmp(word, "cluster")) s.shape.cluster[0] = n;
    }
    return s;
}

static void put_results(const uint64_t *out, size_t n, const struct metrics *m, struct buf *to)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum = sum * 31 + out[i];
    buf_printf(to, "= %llx %llx %llx ..%04llx", (unsigned long long)out[0],
        (unsigned long long)out[n > 1], (unsigned long long)out[n - 1],
        (unsigned long long)sum % 0xfff1);
    for (int i = 0; i < METRIC_COUNT; i++)
        if (model_metrics[i].exact && !isnan(m->v[i]) && m->v[i] != 0)
            buf_printf(to, " %s %.6g", model_metrics[i].id, m->v[i]);
    buf_printf(to, "\n");
}

static void put_run(const char *title, const char *outside, const char *body, struct buf *to)
{
    struct snippet s = launch_of(title);
    struct err e = {0};
    struct device *d;
    struct module *m = NULL;
    struct measurement measured = {0};
    static uint32_t words[WORDS];
    static uint64_t result[MOST_THREADS];
    size_t threads = s.shape.grid[0] * s.shape.block[0];
    dev_ptr out, in;
    const void *args[] = {&out, &in};
    char *ptx = xasprintf(
        ".version 8.0\n.target sm_90a\n.address_size 64\n%s\n%s%s\nret;\n}\n", outside, head, body);
    for (uint32_t i = 0; i < WORDS; i++) words[i] = i;
    ck_assert(threads && threads <= MOST_THREADS);
    ck_assert_msg(!device_open(s.device, &d, &e), "%s: %s", title, e.text);
    ck_assert(!device_alloc(d, 8 * threads, "out", 8, &out, &e) &&
              !device_alloc(d, sizeof words, "in", 4, &in, &e) &&
              !device_copy_in(d, in, words, sizeof words, &e));
    device_forget(d, out, 8 * threads);
    if (device_load(d, ptx, "k.ptx", "k.cu", &m, &e) ||
        device_launch(d, module_kernel(m, "k"), &s.shape, args, &measured, &e)) {
        buf_printf(to, "= %s\n", e.text);
    } else {
        ck_assert(!device_copy_out(d, result, out, 8 * threads, &e));
        put_results(result, threads, &measured.metrics, to);
    }
    measurement_free(&measured);
    if (m) device_unload(d, m);
    device_close(d);
    free(ptx);
}

START_TEST(snippets_do_what_they_did)
{
    static const char path[] = "tests/snippets.txt";
    struct err e;
    struct buf out = {0}, outside = {0}, body = {0};
    char *kept, title[200] = "", *end;
    size_t len;
    ck_assert_msg(!file_read(path, 1 << 22, &kept, &len, &e), "%s", e.text);
    for (char *line = kept; *line; line = end) {
        end = line + strcspn(line, "\n"), end += *end == '\n';
        if (*line != '=') buf_printf(&out, "%.*s", (int)(end - line), line);
        if (!strncmp(line, "## ", 3)) {
            snprintf(title, sizeof title, "%.*s", (int)(end - line - 1), line);
            buf_printf(&outside, " ");
        } else if (*line == '\n' || *line == '=') {
            if (body.len) put_run(title, outside.data, body.data, &out);
            buf_free(&outside), buf_free(&body);
        } else {
            int variable = !strncmp(line, ".const", 6) || !strncmp(line, ".extern", 7);
            buf_printf(variable ? &outside : &body, "%.*s", (int)(end - line), line);
        }
    }
    if (body.len) put_run(title, outside.data, body.data, &out);
    golden_check(path, out.data);
    free(kept);
    buf_free(&outside), buf_free(&body), buf_free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snippets");
    TCase *c = tcase_create("snippets");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, snippets_do_what_they_did);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
