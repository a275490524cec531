/* one.c - grade one submission for a platform that grades each one separately: Gradescope, Autolab,
 * PrairieLearn.
 *
 *     SUBMISSION ──> worker ── after each exercise ──> FILE, in the platform's format
 *
 * The file is complete at any time: if the platform's time limit ends the grading, the student
 * has the points so far. Exercises not graded yet have no points, and are marked. */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "grading/grading.h"
#include "os/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct one {
    const struct platform *platform;
    const char *out; /* path of the file to write; NULL: write to stdout, once, at the end */
    json_t *last;
    struct err why; /* why the file cannot be written */
};

/* Print the feedback for the student. Autolab shows what is printed before the last line. */
static void print_messages(const json_t *result)
{
    const json_t *x;
    size_t i;
    if (*result_text(result, "error")) printf("%s\n", result_text(result, "error"));
    json_array_foreach(json_object_get(result, "remarks"), i, x)
        printf("%s\n", json_string_value(x));
    json_array_foreach(json_object_get(result, "exercises"), i, x)
        printf("%s %s: %g of %g\n%s%s", result_text(x, "lab"), result_text(x, "exercise"),
            result_number(x, "score"), result_number(x, "max_score"), result_text(x, "message"),
            *result_text(x, "message") ? "\n" : "");
}

static int write_now(const struct one *one, const char *to, struct err *e)
{
    char *text = platform_text(one->platform, one->last);
    int bad = to ? file_write(to, text, strlen(text), e) : fputs(text, stdout) < 0;
    free(text);
    return bad;
}

static void take(void *context, json_t *result)
{
    struct one *one = context;
    json_decref(one->last);
    one->last = json_deep_copy(result);
    if (one->out && !one->why.kind) write_now(one, one->out, &one->why);
}

static const struct platform *platform_named(const char *name, struct err *e)
{
    struct buf names = {0};
    const struct platform *p = platforms;
    for (; p->name && (!name || strcmp(p->name, name)); p++)
        buf_printf(&names, "%s%s", names.len ? ", " : "", p->name);
    if (!p->name) err_set(e, ERR_USAGE, "--for %s: is none of %s", name ? name : "", names.data);
    buf_free(&names);
    return p->name ? p : NULL;
}

/* Grade in a temporary folder of results, which is removed at the end: only the file stays. */
static int run(struct class_options *o, struct one *one, const char *path, struct err *e)
{
    struct stat st;
    char *from = realpath(path, NULL),
         *results = xasprintf("%s/lockstep-one-XXXXXX", getenv("TMPDIR") ?: "/tmp");
    struct submission s = {.name = (char[]){"submission"}, .path = from};
    struct worker *w = NULL;
    int bad = 0;
    if (!from || stat(from, &st))
        bad = err_set(e, ERR_USAGE, "%s: there is no such submission", path);
    else if (!mkdtemp(results))
        bad = err_set(e, ERR_ENV, "%s: cannot be made: %s", results, strerror(errno));
    if (!bad) {
        s.is_archive = S_ISREG(st.st_mode);
        o->results = results;
        o->each = take, o->each_context = one;
        bad = worker_open(&w, o, e) || worker_grade(w, &s, e);
        worker_close(w);
        spawn_remove_directory(results);
    }
    if (!bad && one->why.kind) *e = one->why, bad = -1;
    if (!bad && !one->out) {
        if (!strcmp(one->platform->name, "autolab")) print_messages(one->last);
        bad = write_now(one, NULL, e);
    }
    free(from), free(results);
    return bad;
}

int command_one(int argc, char **argv, struct err *e)
{
    struct class_options o = {.device = "sim:h200", .jobs = 1};
    struct one one = {0};
    const char *path = NULL, *to = NULL, *name = NULL, *limit = NULL, *seed = NULL, *lab = NULL,
               *final = NULL;
    const struct option_spec specs[] = {{"--out", &to}, {"--for", &name}, {"--limit", &limit},
        {"--seed", &seed}, {"--lab", &lab}, {"--device", &o.device}, {"--front", &o.front},
        {"--sandbox", &o.sandbox}, {"--final", &final, 1}, {"--course", &o.course_file}, {0}};
    struct course course = {0};
    const struct lab *only = NULL;
    uint64_t seconds = EXERCISE_SECONDS;
    o.seed = rng_secret() >> 1;
    if (options_parse(argc, argv, specs, &path, 1, e) < 0 ||
        (lab && !(only = options_lab(lab, e))) ||
        (limit && options_number("--limit", limit, 100000, &seconds, e)) ||
        (seed && options_number("--seed", seed, INT64_MAX, &o.seed, e)) ||
        options_sandbox(o.sandbox, e))
        return -1;
    if (!path || !*path)
        return err_set(e, ERR_USAGE, "name the submission: a folder or an archive");
    if (!(one.platform = platform_named(name, e))) return -1;
    o.final = final != NULL;
    o.lab = only ? only->name : NULL;
    o.limit = (double)seconds;
    /* make the path absolute, since worker_open changes the working directory */
    char *here = to && *to != '/' ? getcwd(NULL, 0) : NULL;
    char *out = here ? xasprintf("%s/%s", here, to) : to ? xstrdup(to) : NULL;
    one.out = out;
    o.course = &course;
    int bad = course_read(&course, o.course_file, e) || run(&o, &one, path, e);
    course_free(&course);
    json_decref(one.last);
    free(here), free(out);
    return bad ? -1 : 0;
}
