/* test_shown.c - what people see of a launch and of a warp that is stepped, whole: profiles as text,
 * JSON, pages and maps; figures; every stop of a warp, as text, screen and page. Kept in
 * tests/shown, from PTX that is packed there too, so that every compiler shows the same. */
#include "golden.h"
#include "profiling.h"
#include "step/step.h"

static void read_text(char **text, const char *name)
{
    struct err e;
    char *path = xasprintf("tests/shown/%s", name);
    ck_assert_msg(!file_read(path, 1 << 22, text, NULL, &e), "%s", e.text);
    free(path);
}

/* The text of a packed file of tests/shown. */
static void read_packed(char **text, const char *name)
{
    char *command = xasprintf("gzip -dc tests/shown/%s.gz", name), part[4096];
    struct buf out = {0};
    FILE *p = popen(command, "r");
    ck_assert_ptr_nonnull(p);
    for (size_t n; (n = fread(part, 1, sizeof part, p)) > 0;) buf_add(&out, part, n);
    ck_assert_msg(!pclose(p) && out.len, "%s", command);
    *text = out.data;
    free(command);
}

static struct compiled kept(const char *name)
{
    struct compiled c = {.status = COMPILE_OK};
    char *ptx = xasprintf("%s.ptx", name), *file = xasprintf("%s.cu", name);
    read_packed(&c.ptx, ptx), read_text(&c.source, file);
    c.file = xasprintf("tests/shown/%s", file);
    free(ptx), free(file);
    return c;
}

static void check(const char *name, struct buf *out)
{
    char *path = xasprintf("tests/shown/%s", name);
    golden_check(path, out->data ? out->data : "");
    free(path);
    buf_free(out);
}

/* ---- profiles ---- */

static const struct shown {
    const char *kernel, *device;
    unsigned grid, block;
    const char *words[4];
    const char *before; /* the kernel that it is compared with */
} launches[] = {
    {"turn", "sim:h200", 4, 256, {"buf:f32:4096", "buf:f32:16384:none", "i32:128"}, NULL},
    {"turn_padded", "sim:h200", 4, 256, {"buf:f32:4096", "buf:f32:16384:none", "i32:128"}, "turn"},
    {"turn", "sim:gtx280", 4, 256, {"buf:f32:4096", "buf:f32:16384:none", "i32:128"}, NULL},
    {"bins", "sim:h200", 300, 128, {"buf:i32:115202:iota", "buf:i32:8", "buf:f32:307200:none"},
        NULL},
    {"bins", "sim:k40", 3, 128, {"buf:i32:1153:iota", "buf:i32:8", "buf:f32:3072:none"}, NULL},
    {"chain", "sim:h200", 1, 32, {"buf:f64:32", "buf:f32:160"}, NULL},
    {"chain", "sim:gtx1080", 1, 32, {"buf:f64:32", "buf:f32:160"}, NULL},
};

static struct launched launch_kept(const struct shown *s, const char *kernel)
{
    struct compiled c = kept("shown");
    struct launched r = launch_compiled(&c, s->device, kernel, s->grid, s->block, s->words);
    ck_assert_msg(!r.bad, "%s: %s", kernel, r.e.text);
    r.p.front = "clang 14.0.6";
    r.p.ptx = r.compiled.ptx;
    r.p.symbol = kernel_symbol(module_kernel(r.module, kernel));
    return r;
}

START_TEST(profiles_are_shown)
{
    static const struct screen narrow = {.width = 80}, colours = {.width = 120, .colour = 1};
    const struct shown *s = &launches[_i];
    struct launched before, r = launch_kept(s, s->kernel);
    struct buf text = {0}, page = {0};
    struct err e;
    char *name;
    if (s->before) before = launch_kept(s, s->before), r.p.before = &before.p;
    profile_text(&narrow, &r.p, &text);
    r.p.show_ptx = 1;
    if (_i == 1) profile_text(&colours, &r.p, &text);
    static const enum metric drawn[] = {METRIC_GLD_SECTORS_PER_REQUEST,
        METRIC_GST_SECTORS_PER_REQUEST, METRIC_SLD_PER_REQUEST, METRIC_SST_PER_REQUEST,
        METRIC_WARP_EFFICIENCY};
    buf_printf(&text, "\n---- lanes\n");
    for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++)
        lanes_text(&text, r.p.gpu, &r.p.m, drawn[k], r.p.source);
    buf_printf(&text, "\n---- map\n");
    profile_map_text(&r.p, 0, &text, &e);
    if (_i == 3) {
        json_t *json = profile_json(&r.p, 1);
        char *dump = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        buf_printf(&text, "\n---- json\n%s\n", dump);
        json_decref(json), free(dump);
    }
    check(name = xasprintf("profile_%d.txt", _i), &text), free(name);
    if (_i == 1) {
        profile_page(&r.p, 1, &page);
        check("profile_1.html", &page);
    }
    launched_free(&r);
    if (s->before) launched_free(&before);
}
END_TEST

/* ---- figures ---- */

START_TEST(figures_are_drawn)
{
    static const char *const options[] = {"global --stride 2 --words 0,9,3,17,250",
        "global --words 5,6,20,38 --bytes 8 --store --device gtx280",
        "shared --words 0,32,64,1,5,5 --device sim:k40", "shared --words 0,2,64,7 --bytes 8",
        "hide --warps 3 --work 24", "hide --warps 2 --unroll 4 --device gtx280",
        "barrier --clocks 10,300,25,170", "fills --block 192 --registers 40 --shared 9000",
        "fills --block 1024 --registers 16 --device gtx1080",
        "tail --blocks 300 --block 512 --registers 64", "tail --blocks 3 --device tiny"};
    struct buf out = {0};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char *copy = xstrdup(options[i]), *rest = copy, *argv[16];
        struct err e;
        int argc = 0;
        for (char *word; (word = strsep(&rest, " "));) argv[argc++] = word;
        ck_assert_msg(!figure_pattern(argc, argv, NULL, &out, &e), "%s: %s", options[i], e.text);
        buf_printf(&out, "\n");
        free(copy);
    }
    check("figures.svg.txt", &out);
}
END_TEST

/* ---- a warp that is stepped ---- */

static const struct walked {
    const char *kernel;
    unsigned block;
    int warp, races;
    const char *words[4];
} walks[] = {
    {"walk", 48, 0, 0,
        {"struct:{f32:1.5,f32:-0.25,i32:7,i32:8}", "buf:f32:48:iota", "buf:f32:336:none"}},
    {"walk", 48, 1, 0,
        {"struct:{f32:1.5,f32:-0.25,i32:7,i32:8}", "buf:f32:48:iota", "buf:f32:336:none"}},
    {"raced", 64, 0, 1, {"buf:f32:64:iota", "buf:f32:64:none"}},
    {"outside", 40, 1, 0, {"buf:f32:72"}},
};

static struct recording *record(
    const struct walked *w, struct device *d, struct kernel *k, const struct compiled *c, int warp)
{
    struct arguments a;
    struct err e = {0};
    const void *args[ARGS_MAX];
    const struct launch_shape shape = {{1, 1, 1}, {w->block, 1, 1}};
    int count = 0;
    while (w->words[count]) count++;
    ck_assert_msg(
        !arguments_place(&a, d, k, w->kernel, c->file, w->words, count, &e), "%s", e.text);
    for (int i = 0; i < a.count; i++) args[i] = a.value[i];
    struct recording *r = recording_start(d, 0, warp, 1 << 16, 1);
    int bad = device_launch(d, k, &shape, args, NULL, &e);
    recording_end(r, bad ? &e : NULL, c->ptx);
    arguments_free(&a);
    return r;
}

START_TEST(every_stop_of_a_warp_is_shown)
{
    const struct walked *w = &walks[_i];
    struct compiled c = kept("walked");
    struct device *d;
    struct module *m = open_and_load("sim:h200", &c, &d);
    struct kernel *k = module_kernel(m, w->kernel);
    struct step_session s = {.recording = record(w, d, k, &c, w->warp),
        .device = d,
        .file = c.file,
        .source = c.source,
        .ptx = c.ptx,
        .kernel = w->kernel,
        .front = "clang 14.0.6",
        .grid = {1, 1, 1},
        .block = {w->block, 1, 1},
        .at = {3, 1, 2},
        .warp = w->warp,
        .debug = 1};
    struct recording *pair[2] = {NULL, NULL};
    struct buf text = {0};
    step_names_read(&s.names, c.ptx, k);
    if (w->races) {
        int warps[2];
        ck_assert(recording_race(s.recording, warps));
        for (int i = 0; i < 2; i++) pair[i] = record(w, d, k, &c, warps[i]);
        ck_assert(!step_race_find(&s, pair));
        step_race_text(&s, &text);
        step_screen(&s, 1, STEP_RACE, 24, 80, 0, &text);
    }
    size_t stops = recording_stops(s.recording);
    for (size_t i = 0; i < stops; i++) step_text(&s, i, &text);
    for (size_t i = 0; i < stops; i++) {
        int tile = i % 4 != 0;
        step_screen(
            &s, i, tile ? STEP_TILE : STEP_PTX, tile ? 16 : 24, tile ? 80 : 132, i == 8, &text);
        buf_printf(&text, "\n");
    }
    step_page(&s, "@TITLE@\n@DATA@\n", 12, &text);
    char *name = xasprintf("walked_%d.txt", _i);
    check(name, &text);
    free(name);
    step_names_free(&s.names);
    recording_free(s.recording), recording_free(pair[0]), recording_free(pair[1]);
    device_unload(d, m);
    device_close(d);
    compiled_free(&c);
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("shown");
    TCase *c = tcase_create("shown");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, profiles_are_shown, 0, sizeof launches / sizeof *launches);
    tcase_add_test(c, figures_are_drawn);
    tcase_add_loop_test(c, every_stop_of_a_warp_is_shown, 0, sizeof walks / sizeof *walks);
    suite_add_tcase(suite, c);
    int failed = suite_run(suite);
    fronts_close();
    return failed;
}
