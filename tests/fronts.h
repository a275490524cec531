/* fronts.h - what the suites that run kernels share: every front end that is present, and files
 * compiled by it. */
#ifndef LOCKSTEP_TESTS_FRONTS_H
#define LOCKSTEP_TESTS_FRONTS_H

#include "device/device.h"
#include "exercise/exercise.h"
#include "suite.h"

#include <stdlib.h>

enum { FRONTS = 2 };
static struct kit kit;
static struct front fronts[FRONTS];
static int front_count;

static void fronts_open(void)
{
    static const char *const kinds[FRONTS] = {"clang", "nvcc"};
    struct err e;
    if (kit_find(&kit, &e)) BUG("%s", e.text);
    for (int i = 0; i < FRONTS; i++)
        front_count += !front_find(&fronts[front_count], kinds[i], NULL, NULL);
    if (!front_count) BUG("neither clang nor nvcc is installed");
}

static void fronts_close(void)
{
    while (front_count) front_free(&fronts[--front_count]);
    kit_free(&kit);
}

/* Compiles a file. The caller frees the result with compiled_free. */
static inline struct compiled compile_file(int front, const char *file)
{
    struct compiled c;
    /* files that include headers of CUDA, which no submission may */
    int any = strstr(file, "/groups") || strstr(file, "/pipelines");
    (any ? compile_any : compile_kernel)(&kit, &fronts[front], file, &c);
    ck_assert_msg(c.status == COMPILE_OK, "%s by %s: %.1500s %s", file, fronts[front].name,
        c.output.data, c.err.text);
    return c;
}

/* The same for tests/kernels/NAME. */
static inline struct compiled compile_test_kernel(int front, const char *name)
{
    char *file = kit_path(&kit, "tests/kernels/%s", name);
    struct compiled c = compile_file(front, file);
    free(file);
    return c;
}

/* Open a device and load what was compiled. */
static inline struct module *open_and_load(
    const char *spec, const struct compiled *c, struct device **d)
{
    struct module *m = NULL;
    struct err e;
    ck_assert_msg(!device_open(spec, d, &e), "%s", e.text);
    ck_assert_msg(!device_load(*d, c->ptx, c->file, c->file, &m, &e), "%s", e.text);
    if (c->source) module_source(m, c->source);
    return m;
}

#endif
