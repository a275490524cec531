/* test_kernels.c - every kernel of tests/kernels and slides/code that says what must come of it
 * (kernel_spec.h), by every front end that is present, on two devices, by one host thread and by
 * several, with handlers for lanes that are off forced and not.
 *
 * build/tests/test_kernels cuda: on a GPU instead, only the outputs; kernels that would fault are
 * left out. KERNELS=warp: tests/kernels/warp.cu alone. */
#include "fronts.h"
#include "kernel_spec.h"
#include "sim/sim.h"

#include <glob.h>

static glob_t files;
static const char *other; /* the device of the command line; NULL: those of configs */

static const struct config {
    const char *device;
    struct device_settings settings;
} configs[] = {{"sim:h200", {1, 0}}, {"sim:h200", {3, 0}}, {"sim:h200", {1, 1}},
    {"sim:tiny", {1, 1}}, {"sim:tiny", {2, 0}}};
enum { CONFIGS = sizeof configs / sizeof *configs };

/* ---- checks ---- */

static int same_element(enum spec_type t, const unsigned char *a, const unsigned char *b)
{
    long double x = spec_get(t, a), y = spec_get(t, b);
    return (x != x && y != y) || !memcmp(a, b, spec_types[t].bytes);
}

static void check_range(const struct spec *s, const struct spec_run *r, const struct spec_check *c,
    const struct spec_arg *a, const unsigned char *got, size_t from, size_t to, const char *how)
{
    unsigned size = spec_types[a->type].bytes;
    ck_assert_msg(to < a->count, "%s:%d: %s has %zu elements", s->file, c->line, a->name, a->count);
    for (size_t i = from; i <= to; i++) {
        unsigned char want[8];
        spec_put(a->type, want, spec_element(s, r, c->right, *c->right == '{' ? i - from : i));
        ck_assert_msg(same_element(a->type, got + i * size, want),
            "%s:%d: %s: %s[%zu] is %.20Lg, not %.20Lg", s->file, c->line, how, a->name, i,
            spec_get(a->type, got + i * size), spec_get(a->type, want));
    }
}

static void check_outputs(
    const struct spec *s, const struct spec_run *r, unsigned char *const got[], const char *how)
{
    int wanted[SPEC_ARGS] = {0};
    for (int k = 0; k < r->want_count; k++) {
        const struct spec_check *c = &r->wants[k];
        size_t n = strcspn(c->left, "["), from = 0, to = 0;
        int which = -1, fields;
        for (int i = 0; i < r->arg_count; i++)
            if (strlen(r->args[i].name) == n && !strncmp(r->args[i].name, c->left, n)) which = i;
        ck_assert_msg(which >= 0, "%s:%d: no argument %s", s->file, c->line, c->left);
        fields = sscanf(c->left + n, "[%zu..%zu]", &from, &to);
        if (fields < 1)
            to = r->args[which].count - 1;
        else if (fields < 2)
            to = from;
        wanted[which] = 1;
        check_range(s, r, c, &r->args[which], got[which], from, to, how);
    }
    for (int i = 0; i < r->arg_count; i++)
        if (r->args[i].count && !wanted[i])
            ck_assert_msg(!memcmp(got[i], r->args[i].data, r->args[i].bytes),
                "%s:%d: %s: %s was changed", s->file, r->line, how, r->args[i].name);
}

static void check_counts(
    const struct spec *s, const struct spec_run *r, const struct metrics *m, const char *front)
{
    for (int k = 0; k < r->counter_count; k++) {
        const struct spec_check *c = &r->counts[k];
        const char *colon = strchr(c->left, ':'),
                   *name = colon && colon[1] != ':' ? colon + 1 : c->left;
        if (name != c->left && strncmp(c->left, front, (size_t)(colon - c->left))) continue;
        int id = model_metric_find(name);
        ck_assert_msg(id >= 0, "%s:%d: no counter %s", s->file, c->line, name);
        double want = (double)spec_eval(s, r, c->right, 0);
        ck_assert_msg(m->v[id] == want, "%s:%d: by %s: %s is %.17g, not %.17g", s->file, c->line,
            front, name, m->v[id], want);
    }
}

/* Check that two runs agree: on the same device in all metrics and the time, on another device in
 * the exact metrics. */
static void check_same(const struct spec *s, const struct spec_run *r, const struct measurement *a,
    const struct measurement *b, int same_device, const char *how)
{
    for (int i = 0; i < METRIC_COUNT; i++) {
        double x = a->metrics.v[i], y = b->metrics.v[i];
        if ((same_device || model_metrics[i].exact) && !(x != x && y != y))
            ck_assert_msg(x == y, "%s:%d: %s: %s is %.17g, was %.17g", s->file, r->line, how,
                model_metrics[i].ncu, y, x);
    }
    ck_assert_msg(!same_device || a->ms == b->ms, "%s:%d: %s: took %g ms, was %g", s->file, r->line,
        how, b->ms, a->ms);
}

static void check_message(
    const struct spec *s, const struct spec_run *r, const struct err *e, const char *how)
{
    const char *text = r->fault ? r->fault : r->launch_fault;
    char mark[96], place[512];
    snprintf(mark, sizeof mark, "// fault %s", r->kernel);
    if (r->fault)
        snprintf(place, sizeof place, "%s:%d: ", s->file, spec_mark(s, mark));
    else
        snprintf(place, sizeof place, "%s: kernel %s", s->file, r->kernel);
    ck_assert_int_eq(e->kind, ERR_LEARNER);
    ck_assert_msg(strstr(e->text, text) && !strncmp(e->text, place, strlen(place)),
        "%s:%d: %s: expected %s ... %s, but it says: %s", s->file, r->line, how, place, text,
        e->text);
}

/* ---- running ---- */

struct launched {
    dev_ptr at[SPEC_ARGS];
    unsigned char *got[SPEC_ARGS];
    struct measurement m;
};

static int launch(const struct spec *s, const struct spec_run *r, struct device *d,
    struct module *m, struct launched *l, struct err *e)
{
    const void *args[SPEC_ARGS];
    struct launch_shape shape = {.dynamic_shared = r->shared, .budget = r->budget};
    memcpy(shape.grid, r->grid, sizeof shape.grid);
    memcpy(shape.block, r->block, sizeof shape.block);
    memcpy(shape.cluster, r->cluster, sizeof shape.cluster);
    struct kernel *k = module_kernel(m, r->kernel);
    ck_assert_msg(k, "%s:%d: no kernel %s", s->file, r->line, r->kernel);
    for (int i = 0; i < r->arg_count; i++) {
        const struct spec_arg *a = &r->args[i];
        args[i] = a->data;
        if (!a->count) continue;
        ck_assert(!device_alloc(d, a->bytes, a->name, spec_types[a->type].bytes, &l->at[i], e));
        ck_assert(!device_copy_in(d, l->at[i], a->data, a->bytes, e));
        if (a->poison) device_forget(d, l->at[i], a->bytes);
        args[i] = &l->at[i];
    }
    const struct param *params;
    ck_assert_msg(kernel_params(k, &params) == r->arg_count, "%s:%d: %s has other parameters",
        s->file, r->line, r->kernel);
    for (int i = 0; i < r->arg_count; i++)
        ck_assert_msg(params[i].bytes == (r->args[i].count ? 8 : r->args[i].bytes),
            "%s:%d: %s has another size", s->file, r->line, r->args[i].name);
    int bad = device_launch(d, k, &shape, args, &l->m, e);
    for (int i = 0; !bad && i < r->arg_count; i++) {
        l->got[i] = xcalloc(r->args[i].bytes, 1);
        if (r->args[i].count)
            ck_assert(!device_copy_out(d, l->got[i], l->at[i], r->args[i].bytes, e));
    }
    return bad;
}

static void launched_free(struct launched *l)
{
    for (int i = 0; i < SPEC_ARGS; i++) free(l->got[i]);
    measurement_free(&l->m);
}

static void run_there(const struct spec *s, const struct compiled *c, const char *front)
{
    struct device *d;
    struct module *m = open_and_load(other, c, &d);
    for (int i = 0; i < s->run_count; i++) {
        const struct spec_run *r = &s->runs[i];
        struct err e = {0};
        char how[128];
        struct launched l = {0};
        if (r->fault || r->launch_fault || r->simulated) continue;
        snprintf(how, sizeof how, "by %s on %s", front, other);
        ck_assert_msg(!launch(s, r, d, m, &l, &e), "%s:%d: %s: %s", s->file, r->line, how, e.text);
        check_outputs(s, r, l.got, how);
        launched_free(&l);
    }
    device_unload(d, m);
    device_close(d);
}

static void run_all(
    const struct spec *s, const struct spec_run *r, const struct compiled *c, const char *front)
{
    struct launched first = {0};
    /* the sanitized build runs every second configuration */
    for (int i = 0; i < CONFIGS; i += getenv("LOCKSTEP_SANITIZED") ? 2 : 1) {
        struct device *d;
        struct err e = {0};
        char how[128];
        struct launched l = {0};
        const struct device_settings *how_run = &configs[i].settings;
        snprintf(how, sizeof how, "by %s on %s, %d threads%s", front, configs[i].device,
            how_run->threads, how_run->masked ? ", masked" : "");
        struct module *m = open_and_load(configs[i].device, c, &d);
        *device_settings(d) = *how_run;
        int bad = launch(s, r, d, m, &l, &e);
        if (r->fault || r->launch_fault) {
            ck_assert_msg(bad, "%s:%d: %s: nothing is found wrong", s->file, r->line, how);
            check_message(s, r, &e, how);
        } else {
            ck_assert_msg(!bad, "%s:%d: %s: %s", s->file, r->line, how, e.text);
            check_outputs(s, r, l.got, how);
            check_counts(s, r, &l.m.metrics, front);
            if (i)
                check_same(
                    s, r, &first.m, &l.m, !strcmp(configs[i].device, configs[0].device), how);
        }
        device_unload(d, m);
        device_close(d);
        if (i)
            launched_free(&l);
        else
            first = l;
    }
    launched_free(&first);
}

static void check_refused(const struct spec *s, const struct compiled *c, const char *front)
{
    struct device *d;
    struct module *m;
    struct err e = {0};
    char place[512];
    ck_assert(!device_open("sim:h200", &d, &e));
    ck_assert_msg(device_load(d, c->ptx, c->file, c->file, &m, &e), "%s: by %s: is not refused",
        s->file, front);
    snprintf(place, sizeof place, "%s:%d: ", s->file, spec_mark(s, "// refused"));
    ck_assert_int_eq(e.kind, ERR_LEARNER);
    ck_assert_msg(strstr(e.text, s->refuse) && !strncmp(e.text, place, strlen(place)),
        "%s: by %s: expected %s ... %s, but it says: %s", s->file, front, place, s->refuse, e.text);
    device_close(d);
}

START_TEST(kernel_file)
{
    const char *path = files.gl_pathv[_i / FRONTS];
    if (_i % FRONTS >= front_count) SKIP("one of clang and nvcc is not installed");
    struct compiled c = compile_file(_i % FRONTS, path);
    struct spec *s = spec_read(c.file, c.source);
    const char *front = fronts[_i % FRONTS].kind;
    int runs = s->only && strcmp(s->only, front) ? 0 : s->run_count;
    if (other && !s->refuse) run_there(s, &c, front);
    if (s->refuse && !other) check_refused(s, &c, front);
    for (int i = 0; i < runs && !other; i++) run_all(s, &s->runs[i], &c, front);
    spec_free(s);
    compiled_free(&c);
}
END_TEST

/* A device before 9.0 names the first line that it cannot execute. */
START_TEST(an_older_gpu_says_so)
{
    if (other) return;
    struct compiled c = compile_test_kernel(0, "wgmma_early.cu");
    struct device *d;
    struct module *m = open_and_load("sim:a100", &c, &d);
    const struct launch_shape shape = {{1, 1, 1}, {128, 1, 1}};
    dev_ptr out = 0;
    const void *args[] = {&out};
    struct err e = {0};
    ck_assert(device_launch(d, module_kernel(m, "early"), &shape, args, NULL, &e));
    const char *says = "wgmma_early.cu: kernel early: line 15 needs warpgroups (wgmma)";
    ck_assert_msg(strstr(e.text, says) != NULL, "%s", e.text);
    device_unload(d, m);
    device_close(d);
    compiled_free(&c);
}
END_TEST

/* only: the name of a file of tests/kernels; NULL: all. */
static void find_files(const char *only)
{
    char *kernels = kit_path(&kit, "tests/kernels/%s.cu", only ? only : "*"),
         *slides = kit_path(&kit, "slides/code/*.cu");
    if (glob(kernels, 0, NULL, &files)) BUG("%s: no kernels", kernels);
    if (!only && glob(slides, GLOB_APPEND, NULL, &files)) BUG("%s: no kernels", slides);
    free(kernels);
    free(slides);
}

int main(int argc, char **argv)
{
    other = argc > 1 ? argv[1] : NULL;
    fronts_open();
    find_files(getenv("KERNELS"));
    Suite *suite = suite_create("kernels");
    TCase *c = tcase_create("files");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, kernel_file, 0, (int)files.gl_pathc * FRONTS);
    tcase_add_test(c, an_older_gpu_says_so);
    suite_add_tcase(suite, c);
    int failed = suite_run(suite);
    globfree(&files);
    fronts_close();
    return failed;
}
