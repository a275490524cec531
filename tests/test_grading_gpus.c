/* test_grading_gpus.c - a class on two GPUs, over the fake driver of fake_cuda.c: workers take both,
 * and on each of them one kernel at a time runs. */
#define _GNU_SOURCE
#include "grading/grading.h"
#include "os/os.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STUDENTS = 6, GPUS = 2 };

/* A class whose files differ, so that no result is reused for another student. */
static void write_class(const char *folder)
{
    char *text = NULL;
    size_t n = 0;
    struct err e = {0};
    ck_assert(!file_read("solutions/01-naive/copy.cu", 1 << 20, &text, &n, &e));
    for (int i = 0; i < STUDENTS; i++) {
        char *student = xasprintf("%s/s%d", folder, i), *lab = xasprintf("%s/01-naive", student),
             *file = xasprintf("%s/copy.cu", lab), *own = xasprintf("%s// %d\n", text, i);
        ck_assert(
            !mkdir(student, 0700) && !mkdir(lab, 0700) && !file_write(file, own, strlen(own), &e));
        free(student), free(lab), free(file), free(own);
    }
    free(text);
}

/* Reads the record of runs. count: runs that began on each GPU; mixed: set if one began on a GPU
 * before another process's run had ended there. */
static void read_runs(const char *path, int count[GPUS], int *mixed)
{
    FILE *f = fopen(path, "r");
    int gpu, process, running[GPUS] = {0};
    char what[16];
    ck_assert_ptr_nonnull(f);
    while (fscanf(f, "%d %d %15s", &gpu, &process, what) == 3) {
        int begins = !strcmp(what, "begins");
        count[gpu] += begins;
        if (begins) *mixed |= running[gpu] != 0;
        running[gpu] = begins ? process : 0;
    }
    fclose(f);
}

START_TEST(a_class_takes_all_gpus_and_each_in_turn)
{
    char home[] = "/tmp/lockstep-gpus.XXXXXX";
    struct front clang;
    struct err e = {0};
    struct roster r = {0};
    struct course course = {0};
    size_t failed = 1;
    if (front_find(&clang, "clang", NULL, NULL)) SKIP("clang is not installed");
    front_free(&clang);
    ck_assert_ptr_nonnull(mkdtemp(home));
    char *class = xasprintf("%s/class", home), *results = xasprintf("%s/results", home),
         *runs = xasprintf("%s/runs", home);
    ck_assert(!mkdir(class, 0700) && !mkdir(results, 0700));
    write_class(class);
    setenv("FAKE_CUDA", "two", 1);
    setenv("FAKE_CUDA_RUNS", runs, 1);
    struct class_options o = {.submissions = class,
        .results = results,
        .device = "cuda:0,cuda:1",
        .front = "clang",
        .lab = "01-naive",
        .course = &course,
        .seed = 7,
        .lock = -1,
        .limit = EXERCISE_SECONDS,
        .jobs = 2 * GPUS};
    ck_assert_msg(!roster_read(&r, class, &e) && !class_grade(&o, &r, &failed, &e), "%s", e.text);
    ck_assert_uint_eq(failed, 0);
    int count[GPUS] = {0}, mixed = 0;
    read_runs(runs, count, &mixed);
    ck_assert_msg(count[0] && count[1], "%d and %d runs", count[0], count[1]);
    ck_assert(!mixed);
    for (int i = 0; i < STUDENTS; i++) {
        char *path = xasprintf("%s/.next/s%d.json", results, i);
        json_t *j = result_load(path);
        ck_assert_ptr_nonnull(j);
        ck_assert_str_eq(result_text(j, "device"), o.device);
        ck_assert_double_ge(result_number(j, "score"), 10);
        json_decref(j), free(path);
    }
    roster_free(&r);
    spawn_remove_directory(home);
    free(class), free(results), free(runs);
}
END_TEST

int main(int argc, char **argv)
{
    (void)argc;
    if (!getenv("FAKE_CUDA")) {
        char *self = realpath("/proc/self/exe", NULL), *slash = strrchr(self, '/'),
             *path = xasprintf("%.*s/fake", (int)(slash - self), self);
        setenv("LD_LIBRARY_PATH", path, 1);
        setenv("FAKE_CUDA", "", 1);
        execv(self, argv);
    }
    Suite *suite = suite_create("grading gpus");
    TCase *c = tcase_create("gpus");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, a_class_takes_all_gpus_and_each_in_turn);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
