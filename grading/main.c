/* main.c - the program lockstep-class: grade a folder of submissions into a folder of results. */
#define _GNU_SOURCE
#include "grading/grading.h"
#include "cli/cli.h"
#include "os/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The class's seed is secret and stays: results/.seed. */
static int seed_of(const char *results, const char *given, uint64_t *seed, struct err *e)
{
    char *path = xasprintf("%s/.seed", results), *text = NULL, line[32];
    int bad = 0;
    if (given) bad = options_number("--seed", given, INT64_MAX, seed, e);
    else if (!file_read(path, 64, &text, NULL, NULL)) *seed = strtoull(text, NULL, 10);
    else *seed = rng_secret() >> 1;
    snprintf(line, sizeof line, "%llu\n", (unsigned long long)*seed);
    if (!bad && !(bad = file_write(path, line, strlen(line), e))) chmod(path, 0600);
    free(text);
    free(path);
    return bad;
}

static int grade(struct class_options *o, struct err *e)
{
    struct roster r;
    struct fill *f = NULL;
    size_t failed = 0;
    int bad = roster_read(&r, o->submissions, e);
    if (r.left_out.len) fprintf(stderr, "%s", r.left_out.data);
    bad = bad || fill_open(&f, o, &r, e) || class_grade(o, &r, &failed, e) || gradebook_write(o, &r, e) ||
        fill_write(f, o, &r, e) || pages_write(o, &r, e);
    fill_close(f);
    if (!bad)
        printf("%zu of %zu submissions graded: %s/gradebook.csv\n", r.count - failed, r.count, o->results);
    if (!bad && failed)
        bad = err_set(
            e, ERR_ENV, "%zu submissions were stopped by the machine; the same command grades them", failed);
    roster_free(&r);
    return bad;
}

static int command_class(int argc, char **argv, struct err *e)
{
    struct class_options o = {.device = "sim:h200"};
    const char *out = NULL, *jobs = NULL, *limit = NULL, *seed = NULL, *lab = NULL, *final = NULL;
    const struct option_spec specs[] = {{"--out", &out}, {"--jobs", &jobs}, {"--limit", &limit},
        {"--seed", &seed}, {"--lab", &lab}, {"--device", &o.device}, {"--front", &o.front},
        {"--sandbox", &o.sandbox}, {"--final", &final, 1}, {"--canvas", &o.canvas},
        {"--canvas-column", &o.canvas_column}, {"--moodle", &o.moodle},
        {"--moodle-column", &o.moodle_column}, {0}};
    const struct lab *only = NULL;
    uint64_t workers = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), seconds = EXERCISE_SECONDS;
    if (options_parse(argc, argv, specs, &o.submissions, 1, e) < 0 ||
        (lab && !(only = options_lab(lab, e))) ||
        (jobs && options_number("--jobs", jobs, 512, &workers, e)) ||
        (limit && options_number("--limit", limit, 100000, &seconds, e)) || options_sandbox(o.sandbox, e))
        return -1;
    if (!o.submissions || !*o.submissions || !out)
        return err_set(e, ERR_USAGE, "name the submissions' folder, and --out results");
    if (mkdir(out, 0777) && errno != EEXIST)
        return err_set(e, ERR_ENV, "%s: cannot be made: %s", out, strerror(errno));
    char *results = realpath(out, NULL), *from = realpath(o.submissions, NULL);
    if (!results || !from)
        return err_set(e, ERR_USAGE, "%s: there is no such folder", results ? o.submissions : out);
    o.final = final != NULL;
    o.results = results;
    o.submissions = from;
    o.lab = only ? only->name : NULL;
    o.jobs = workers ? (int)workers : 1;
    o.limit = (double)seconds;
    int bad = seed_of(results, seed, &o.seed, e) || grade(&o, e);
    free(results);
    free(from);
    return bad ? -1 : 0;
}

int main(int argc, char **argv)
{
    static const struct program_command commands[] = {
        {"class", command_class,
         "SUBMISSIONS --out RESULTS [--jobs N] [--lab NN] [--device D] [--front clang|nvcc] [--seed S] "
         "[--limit SECONDS] [--sandbox LEVEL] [--final] [--canvas FILE.csv [--canvas-column TITLE]] "
         "[--moodle FILE.csv [--moodle-column TITLE]]",
         "grade folders and archives, one a student, into JSON files and a gradebook"},
        {0},
    };
    const struct program class = {"lockstep-class", commands};
    return program_run(&class, argc, argv);
}
