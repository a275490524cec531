/* profiling.h - for the suites on profiles: one launch of a kernel of tests/profile/, measured. */
#ifndef LOCKSTEP_TESTS_PROFILING_H
#define LOCKSTEP_TESTS_PROFILING_H

#include "fronts.h"
#include "view/view.h"

#include <string.h>

enum { WORDS = 8 };

static int host_threads; /* host threads of the next launches; 0: as many as there are cores */

struct launched {
    struct compiled compiled;
    struct device *device;
    struct module *module;
    struct profile p;
    struct err e;
    int bad;
};

/* Launches a compiled kernel; the result owns what *c holds. words: the arguments as on the command
 * line, ended by NULL. */
static inline struct launched launch_compiled(struct compiled *c, const char *device,
    const char *kernel, unsigned grid, unsigned block, const char *const *words)
{
    struct launched r = {.compiled = *c};
    struct arguments a;
    const void *args[ARGS_MAX];
    int count = 0;
    const char *path = c->file;
    r.module = open_and_load(device, &r.compiled, &r.device);
    device_settings(r.device)->threads = host_threads;
    struct kernel *k = module_kernel(r.module, kernel);
    ck_assert_msg(k != NULL, "%s has no kernel %s", path, kernel);
    while (words[count]) count++;
    r.p = (struct profile){.device = device_name(r.device),
        .gpu = device_profile(r.device),
        .front = fronts[0].name,
        .file = r.compiled.file,
        .source = r.compiled.source,
        .kernel = xstrdup(kernel),
        .what = xstrdup("test"),
        .grid = {grid, 1, 1},
        .block = {block, 1, 1}};
    r.bad = arguments_place(&a, r.device, k, kernel, r.compiled.file, words, count, &r.e);
    for (int i = 0; i < ARGS_MAX; i++) args[i] = a.value[i];
    struct launch_shape shape = {{grid, 1, 1}, {block, 1, 1}};
    if (!r.bad) r.bad = device_launch(r.device, k, &shape, args, &r.p.m, &r.e);
    arguments_free(&a);
    return r;
}

/* The same for a file of tests/profile, which is compiled first. */
static inline struct launched launch_on(const char *device, const char *file, const char *kernel,
    unsigned grid, unsigned block, const char *const *words)
{
    struct compiled c;
    char *path = kit_path(&kit, "tests/profile/%s", file);
    compile_any(&kit, &fronts[0], path, &c);
    ck_assert_msg(c.status == COMPILE_OK, "%s: %s %s", path, c.output.data, c.err.text);
    free(path);
    return launch_compiled(&c, device, kernel, grid, block, words);
}

static inline void launched_free(struct launched *r)
{
    measurement_free(&r->p.m);
    free(r->p.kernel);
    free(r->p.what);
    device_unload(r->device, r->module);
    device_close(r->device);
    compiled_free(&r->compiled);
}

static inline struct launched on_h200(
    const char *file, const char *kernel, unsigned grid, unsigned block, const char *const *words)
{
    struct launched r = launch_on("sim:h200", file, kernel, grid, block, words);
    ck_assert_msg(!r.bad, "%s", r.e.text);
    return r;
}

#define HAS(text, what) ck_assert_msg(strstr(text, what) != NULL, "no '%s' in:\n%s", what, text)

#define WITH(...) ((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

#endif
