/* test_arguments.c - the words of a command line as a kernel's arguments. tests/arguments.txt has a
 * line each, parameters as PTX declares them and words, and below it what they become: a number's
 * bytes, the first bytes of a buffer, or why not.
 *
 *     .u64, .f32 | buf:i32:3:iota f32:1.5
 *     = 000000000100000002000000 0000c03f
 *     launch sim:k40 | 32, 8, 32, 8, 0          the numbers of LAUNCH, for the exercise copy of lab 01
 *     = block 32 x 8, covers 32 x 8, shared 0 */
#include "exercise/exercise.h"
#include "golden.h"

enum { SHOWN = 12, MOST_WORDS = 70 };

static void put_hex(const unsigned char *bytes, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++) buf_printf(out, "%02x", bytes[i]);
}

/* The bytes of an argument, or of the buffer at which it points. */
static void put_argument(struct device *d, const char *word, const unsigned char *value,
    const struct param *p, struct buf *out)
{
    unsigned char shown[SHOWN];
    dev_ptr at;
    struct err e;
    memcpy(&at, value, sizeof at);
    buf_printf(out, " ");
    if (strncmp(word, "buf:", 4))
        put_hex(value, p->bytes, out);
    else if (device_copy_out(d, shown, at, SHOWN, &e))
        buf_printf(out, "?");
    else
        put_hex(shown, SHOWN, out);
}

/* A kernel with these parameters, which it does not read. */
static char *kernel_of(const char *parameters)
{
    struct buf ptx = {0};
    char *own = xstrdup(parameters), *rest = own, *one;
    int n = 0;
    buf_printf(&ptx, ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(");
    while ((one = strsep(&rest, ","))) {
        char *array = strchr(one, '[');
        if (array) *array++ = 0;
        if (*one) buf_printf(&ptx, "%s.param %s p%d", n ? ", " : "", one, n);
        if (array) buf_printf(&ptx, "[%s", array);
        n++;
    }
    buf_printf(&ptx, ")\n{\nret;\n}\n");
    free(own);
    return ptx.data;
}

static void put_line(const char *line, struct buf *out)
{
    struct device *d;
    struct module *m;
    struct arguments a;
    struct err e;
    const struct param *params;
    const char *words[MOST_WORDS];
    char *own = xstrdup(line), *rest = strchr(own, '|'), *one;
    int n = 0;
    *rest++ = 0;
    while ((one = strsep(&rest, " ")) && n < MOST_WORDS)
        if (*one) words[n++] = one;
    char *ptx = kernel_of(own);
    ck_assert_msg(!device_open("sim:h200", &d, &e), "%s", e.text);
    ck_assert_msg(!device_load(d, ptx, "k", "k.cu", &m, &e), "%s: %s", line, e.text);
    struct kernel *k = module_kernel(m, "k");
    buf_printf(out, "=");
    if (arguments_place(&a, d, k, "k", "k.cu", words, n, &e)) {
        ck_assert_int_eq(e.kind, ERR_USAGE);
        buf_printf(out, " %s", e.text);
    } else {
        kernel_params(k, &params);
        for (int i = 0; i < n; i++) put_argument(d, words[i], a.value[i], &params[i], out);
    }
    buf_printf(out, "\n");
    arguments_free(&a);
    device_unload(d, m);
    device_close(d);
    free(ptx), free(own);
}

/* Print how the kernel of the exercise copy is bound with the numbers of a LAUNCH. */
static void put_launch(const char *line, struct buf *out)
{
    struct device *d;
    struct module *m;
    struct bound_kernel b;
    struct err e;
    char device[32];
    const char *numbers = strchr(line, '|') + 1;
    int count = 1;
    for (const char *at = numbers; *at; at++) count += *at == ',';
    ck_assert_int_eq(sscanf(line, "launch %31s", device), 1);
    char *shape = strpbrk(numbers, "0123456789")
                      ? xasprintf(".visible .const .align 4 .u32 lockstep_launch_copy[%d] = {%s};",
                            count, numbers)
                      : xstrdup("");
    char *ptx = xasprintf(
        ".version 7.8\n.target sm_30\n.address_size 64\n%s\n"
        ".visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 c, .param .u32 d)\n"
        "{\nret;\n}\n",
        shape);
    ck_assert_msg(!device_open(device, &d, &e), "%s", e.text);
    ck_assert_msg(!device_load(d, ptx, "copy", "copy.cu", &m, &e), "%s: %s", line, e.text);
    if (run_bind(&b, d, m, &lab_table[0]->exercises[1].steps[0], "copy.cu", &e))
        buf_printf(out, "= %s\n", e.text);
    else
        buf_printf(out, "= block %u x %u, covers %u x %u, shared %zu\n", b.block[0], b.block[1],
            b.covers[0], b.covers[1], b.shared);
    device_unload(d, m);
    device_close(d);
    free(ptx), free(shape);
}

START_TEST(words_become_arguments)
{
    static const char path[] = "tests/arguments.txt";
    struct err e;
    struct buf out = {0};
    char *kept, *rest, *line;
    ck_assert_msg(!file_read(path, 1 << 20, &kept, NULL, &e), "%s", e.text);
    for (rest = kept; (line = strsep(&rest, "\n"));) {
        if (!strchr(line, '|') || *line == '=') continue;
        buf_printf(&out, "%s\n", line);
        if (strncmp(line, "launch ", 7))
            put_line(line, &out);
        else
            put_launch(line, &out);
    }
    golden_check(path, out.data);
    free(kept);
    buf_free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arguments");
    TCase *c = tcase_create("arguments");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, words_become_arguments);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
