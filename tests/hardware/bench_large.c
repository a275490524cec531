/* bench_large.c - how fast the simulator is on kernels as people write them: tests/large.txt.
 *
 *     FILE KERNEL GRID BLOCK [shared=BYTES] ARGUMENT... --> build, place, launch --> the slowest first
 * All checks and all counters are on, as for a learner. */
#define _GNU_SOURCE
#include "exercise/exercise.h"
#include "hardware/hardware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 40 };

struct large {
    char name[96];
    double rate, instructions; /* thread instructions: per second; in all */
};

/* Launch the kernel of one line. words: FILE KERNEL GRID BLOCK ... */
static int launch(struct workbench *w, const char *file, char **words, int count, struct large *out,
    struct err *e)
{
    struct build b = {0};
    struct arguments a = {0};
    struct launch_shape shape = {{0}};
    struct measurement m = {0};
    const void *args[ARGS_MAX];
    int at = 4;
    uint64_t shared = 0;
    if (count > at && !strncmp(words[at], "shared=", 7))
        shared = strtoull(words[at++] + 7, NULL, 10);
    shape.dynamic_shared = shared;
    int bad = options_extents("GRID", words[2], shape.grid, e) ||
              options_extents("BLOCK", words[3], shape.block, e) || build_open_file(&b, w, file, e);
    struct kernel *k = bad ? NULL : profile_kernel(b.module, words[1], file, e);
    const char *const *rest = (const char *const *)words + at;
    bad = !k || arguments_place(&a, b.device, k, words[1], file, rest, count - at, e);
    for (int i = 0; i < a.count; i++) args[i] = a.value[i];
    double start = clock_seconds();
    bad = bad || device_launch(b.device, k, &shape, args, &m, e);
    out->instructions = m.metrics.v[METRIC_THREAD_INST];
    out->rate = out->instructions / (clock_seconds() - start);
    snprintf(out->name, sizeof out->name, "%s %s", words[0], words[1]);
    measurement_free(&m);
    arguments_free(&a);
    build_close(&b);
    return bad ? -1 : 0;
}

static int by_rate(const void *a, const void *b)
{
    const struct large *x = a, *y = b;
    return (x->rate > y->rate) - (x->rate < y->rate);
}

/* Split a line of the table into words. Returns how many; 0: the line is a comment. */
static int split(char *line, char **words)
{
    int n = 0;
    char *save = NULL;
    if (*line == '#') return 0;
    for (char *p = strtok_r(line, " ", &save); p && n < WORDS_MAX; p = strtok_r(NULL, " ", &save))
        words[n++] = p;
    return n;
}

int bench_large(struct workbench *w, bench_told *told, void *context, struct err *e)
{
    char *path = kit_path(&w->kit, "tests/large.txt"), *text = NULL, *save = NULL,
         *words[WORDS_MAX];
    struct large *list = NULL;
    size_t count = 0, cap = 0;
    int bad = file_read(path, 1 << 20, &text, NULL, e);
    char *line = bad ? NULL : strtok_r(text, "\n", &save);
    for (; line && !bad; line = strtok_r(NULL, "\n", &save)) {
        int n = split(line, words);
        if (!n) continue;
        char *file = kit_path(&w->kit, "tests/%s.cu", words[0]);
        bad = n < 4 ? err_set(
                          e, ERR_ENV, "%s: '%s' is not FILE KERNEL GRID BLOCK ...", path, words[0])
                    : launch(w, file, words, n, VEC_PUSH(list, count, cap), e);
        free(file);
    }
    if (count) qsort(list, count, sizeof *list, by_rate);
    for (size_t i = 0; i < count && i < BENCH_SLOWEST && !bad; i++)
        told(context, list[i].name, list[i].rate);
    free(list), free(text), free(path);
    return bad;
}
