/* one.c - grade one submission: for an appeal, or for a platform that grades each one separately:
 * Gradescope, Autolab, PrairieLearn, GitHub.
 *
 *     SUBMISSION ──> worker ── after each exercise ──> FILE, as text, JSON or for a platform
 *
 * The points are those that the class gives with the same seed and course file. The file is complete
 * at any time: if the platform's time limit ends the grading, the student has the points so far.
 * Exercises not graded yet have no points, and are marked. */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "grading/grading.h"
#include "os/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct one {
    const struct platform *platform;
    const char *out; /* path of the file to write; NULL: write to stdout, once, at the end */
    int tells_seed; /* 1: the seed was drawn for this submission alone, so the student may know it */
    json_t *last;
    struct err why; /* why the file cannot be written */
};

static void lines(struct buf *out, const json_t *list)
{
    const json_t *line;
    size_t i;
    json_array_foreach(list, i, line) buf_printf(out, "%s\n", json_string_value(line));
}

/* Append a result as text; Autolab shows it to the student before the last line. */
static void report(struct buf *out, const json_t *result)
{
    const json_t *x;
    size_t i;
    if (*result_text(result, "error")) buf_printf(out, "%s\n", result_text(result, "error"));
    lines(out, json_object_get(result, "remarks"));
    json_array_foreach(json_object_get(result, "exercises"), i, x)
    {
        buf_printf(out, "%s %s: %g of %g", result_text(x, "lab"), result_text(x, "exercise"),
            result_got(x), result_number(x, "max_score"));
        if (result_number(x, "points") != result_got(x))
            buf_printf(out, ", which count %g of %g", result_number(x, "points"),
                result_number(x, "max_points"));
        buf_printf(
            out, "\n%s%s", result_text(x, "message"), *result_text(x, "message") ? "\n" : "");
    }
    lines(out, json_object_get(result, "notes"));
}

static void text(struct buf *out, const json_t *result)
{
    report(out, result);
    buf_printf(out, "%s: %g of %g points, on %s, by %s, seed %lld\n",
        result_text(result, "student"), result_number(result, "score"),
        result_number(result, "max_score"), result_text(result, "device"),
        result_text(result, "front_end"),
        (long long)json_integer_value(json_object_get(result, "seed")));
}

/* Output formats that belong to no platform. */
static const struct platform as_text = {.name = "text"}, as_json = {.name = "json"},
                             as_github = {.name = "github"};

static int write_now(const struct one *one, const char *to, struct err *e)
{
    struct buf out = {0};
    char *made = NULL;
    int bad = 0;
    if (one->platform == &as_text)
        text(&out, one->last);
    else if (one->platform == &as_github)
        bad = github_put(&out, one->last, e);
    else {
        if (!to && !strcmp(one->platform->name, "autolab")) report(&out, one->last);
        made = one->platform == &as_json
                   ? json_dumps(one->last, JSON_INDENT(2) | JSON_REAL_PRECISION(12))
                   : platform_text(one->platform, one->last);
        buf_printf(&out, "%s%s", made, one->platform == &as_json ? "\n" : "");
    }
    bad = bad || (to ? file_write(to, out.data, out.len, e) : fputs(out.data, stdout) < 0);
    free(made);
    buf_free(&out);
    return bad;
}

static void take(void *context, json_t *result)
{
    struct one *one = context;
    json_decref(one->last);
    one->last = json_deep_copy(result);
    if (one->tells_seed) {
        long long seed = json_integer_value(json_object_get(result, "seed"));
        char *line = xasprintf("Graded with the seed %lld.", seed);
        json_array_append_new(json_object_get(one->last, "remarks"), json_string(line));
        free(line);
    }
    if (one->out && !one->why.kind) write_now(one, one->out, &one->why);
}

static const struct platform *platform_named(const char *name, struct err *e)
{
    struct buf names = {0};
    if (!name || !strcmp(name, "text")) return &as_text;
    if (!strcmp(name, "json")) return &as_json;
    if (!strcmp(name, "github")) return &as_github;
    const struct platform *p = platforms;
    for (; p->name && strcmp(p->name, name); p++)
        buf_printf(&names, "%s%s", names.len ? ", " : "", p->name);
    if (!p->name)
        err_set(e, ERR_USAGE, "--for %s: is neither text, json nor github, and is none of %s", name,
            names.data);
    buf_free(&names);
    return p->name ? p : NULL;
}

/* Grade in a temporary folder of results, which is removed at the end: only the file stays. */
static int run(struct class_options *o, struct one *one, const struct submission *s, struct err *e)
{
    char *results = xasprintf("%s/lockstep-one-XXXXXX", getenv("TMPDIR") ?: "/tmp");
    struct worker *w = NULL;
    int bad = 0;
    if (!mkdtemp(results))
        bad = err_set(e, ERR_ENV, "%s: cannot be made: %s", results, strerror(errno));
    if (!bad) {
        o->results = results;
        o->each = take, o->each_context = one;
        bad = worker_open(&w, o, e) || worker_grade(w, s, e);
        worker_close(w);
        spawn_remove_directory(results);
    }
    if (!bad && one->why.kind) *e = one->why, bad = -1;
    if (!bad && !one->out) bad = write_now(one, NULL, e);
    free(results);
    return bad;
}

/* Read the submission at path as its class would read it. name: the student's name; NULL: it is
 * taken from the file's name. */
static int find(
    struct roster *r, struct course *c, const char *path, const char *name, struct err *e)
{
    if (roster_read_one(r, path, e)) return -1;
    if (name) {
        free(r->list->base), free(r->list->name);
        r->list->base = xstrdup(name), r->list->name = roster_safe_name(name);
    }
    return roster_settle(r, c, 1, e);
}

int command_one(int argc, char **argv, struct err *e)
{
    struct class_options o = {.jobs = 1};
    struct one one = {0};
    struct course course = {0};
    struct roster r = {0};
    const char *path = NULL, *to = NULL, *name = NULL, *limit = NULL, *seed = NULL, *lab = NULL,
               *final = NULL, *student = NULL;
    const struct option_spec specs[] = {{"--out", &to}, {"--for", &name}, {"--limit", &limit},
        {"--seed", &seed}, {"--lab", &lab}, {"--device", &o.device}, {"--front", &o.front},
        {"--sandbox", &o.sandbox}, {"--final", &final, 1}, {"--course", &o.course_file},
        {"--student", &student}, {0}};
    const struct lab *only = NULL;
    uint64_t seconds = EXERCISE_SECONDS;
    o.seed = rng_secret() >> 1;
    if (options_parse(argc, argv, specs, &path, 1, e) < 0 ||
        (lab && !(only = options_lab(lab, e))) ||
        (limit && options_number("--limit", limit, 100000, &seconds, e)) ||
        options_sandbox(o.sandbox, e))
        return -1;
    if (!path || !*path)
        return err_set(e, ERR_USAGE, "name the submission: a folder or an archive");
    if (!(one.platform = platform_named(name, e))) return -1;
    if (one.platform == &as_github && to)
        return err_set(e, ERR_USAGE, "--out %s: --for github writes to stdout, for the runner", to);
    o.final = final != NULL;
    o.lab = only ? only->name : NULL;
    o.limit = (double)seconds;
    /* make the path absolute, since worker_open changes the working directory */
    char *here = to && *to != '/' ? getcwd(NULL, 0) : NULL;
    char *out = here ? xasprintf("%s/%s", here, to) : to ? xstrdup(to) : NULL;
    one.out = out;
    int bad = class_settle(&o, &course, &seed, e) ||
              (seed && options_number("--seed", seed, INT64_MAX, &o.seed, e));
    one.tells_seed = !seed && one.platform != &as_text && one.platform != &as_json;
    bad = bad || find(&r, &course, path, student, e) || run(&o, &one, r.list, e);
    roster_free(&r);
    course_free(&course);
    json_decref(one.last);
    free(here), free(out);
    return bad ? -1 : 0;
}
