/* test_arguments.c - the words of a command line as a kernel's arguments. tests/arguments.txt has a
 * line each, parameters as PTX declares them and words, and below it what they become: a number's
 * bytes, the first bytes of a buffer, or why not.
 *
 *     .u64, .f32 | buf:i32:3:iota f32:1.5
 *     = 000000000100000002000000 0000c03f */
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
        put_line(line, &out);
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
