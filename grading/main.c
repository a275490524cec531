/* main.c - the program lockstep-class: grade a folder of submissions into a folder of results. */
#define _GNU_SOURCE
#include "grading/grading.h"
#include "cli/cli.h"
#include "os/os.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The seed of the class. The seed is secret and stays the same, since it is kept in
 * results/.seed. */
static int seed_of(const char *results, const char *given, uint64_t *seed, struct err *e)
{
    char *path = xasprintf("%s/.seed", results), *text = NULL, line[32];
    int bad = 0;
    if (given)
        bad = options_number("--seed", given, INT64_MAX, seed, e);
    else if (!file_read(path, 64, &text, NULL, NULL))
        *seed = strtoull(text, NULL, 10);
    else
        *seed = rng_secret() >> 1;
    snprintf(line, sizeof line, "%llu\n", (unsigned long long)*seed);
    if (!bad && !(bad = file_write(path, line, strlen(line), e))) chmod(path, 0600);
    free(text);
    free(path);
    return bad;
}

/* The search for similar submissions only needs the submissions that students handed in themselves,
 * so it runs in a thread, while pages are written. */
struct similar_work {
    const struct class_options *options;
    const struct roster *roster;
    struct err err;
};

static void *write_similar(void *context)
{
    struct similar_work *w = context;
    struct roster own = {.list = xcalloc(w->roster->count, sizeof *own.list)};
    for (size_t i = 0; i < w->roster->count; i++)
        if (w->roster->list[i].path && !w->roster->list[i].from)
            own.list[own.count++] = w->roster->list[i];
    int bad = similar_write(w->options, &own, &w->err);
    free(own.list);
    return bad ? w : NULL;
}

static int write_all(
    const struct class_options *o, const struct roster *r, struct fill *f, struct err *e)
{
    struct similar_work work = {o, r, {0}};
    pthread_t beside;
    void *failed = NULL;
    int apart = !pthread_create(&beside, NULL, write_similar, &work);
    int bad = gradebook_write(o, r, e) || fill_write(f, o, r, e) || pages_write(o, r, e) ||
              (!o->anonymous && feedback_write(o, r, e)) ||
              (o->unguessable && feedback_publish(o, r, e));
    if (apart)
        pthread_join(beside, &failed);
    else
        failed = write_similar(&work);
    if (failed && !bad) *e = work.err;
    return bad || failed ? -1 : 0;
}

/* Print the remarks on each submission's files. Returns how many submissions could not be read
 * completely. */
static size_t say_remarks(const struct class_options *o, const struct roster *r)
{
    size_t unread = 0, i;
    for (size_t s = 0; s < r->count; s++) {
        char *path = xasprintf("%s/.next/%s.json", o->results, r->list[s].name);
        int now = !r->list[s].stopped && !r->list[s].skip;
        json_t *result = now ? result_load(path) : NULL, *remark;
        if (*result_text(result, "error")) {
            fprintf(stderr, "%s: %s\n", r->list[s].name, result_text(result, "error"));
            unread++;
        }
        json_array_foreach(json_object_get(result, "remarks"), i, remark)
            fprintf(stderr, "%s: %s\n", r->list[s].name, json_string_value(remark));
        json_decref(result);
        free(path);
    }
    return unread;
}

static void say_graded(
    const struct class_options *o, const struct roster *r, size_t failed, int published)
{
    size_t absent = 0, there = 0;
    for (size_t i = 0; i < r->count; i++)
        if (!r->list[i].skip) absent += !r->list[i].path, there += r->list[i].path != NULL;
    printf("%zu of %zu submissions graded", there > failed ? there - failed : 0, there);
    if (absent) printf(", %zu student%s handed in nothing", absent, plural_s((double)absent));
    printf(": %s%s\n", o->results, published ? "/gradebook.csv" : ", where nothing was changed");
}

static int grade(struct class_options *o, struct roster *r, struct err *e)
{
    struct fill *f = NULL;
    size_t failed = 0, unread = 0;
    int published = 0, bad = (o->lock = class_lock(o->results, e)) < 0 || fill_open(&f, o, r, e) ||
                             class_grade(o, r, &failed, e);
    if (!bad) unread = say_remarks(o, r);
    bad = bad || publish(o, r, &published, e) || (published && write_all(o, r, f, e));
    fill_close(f);
    if (o->lock >= 0) close(o->lock);
    if (!bad) say_graded(o, r, failed, published);
    if (!bad && failed)
        bad = err_set(e, ERR_ENV,
            "%zu submissions were stopped by the machine; the same command grades them", failed);
    else if (!bad && unread)
        bad = err_set(e, ERR_ENV,
            "%zu of %zu submissions could not be read as a whole: what could be read of them is graded",
            unread, r->count);
    return bad;
}

/* Write the key, which says whose each number is, to a file that only its owner can read. */
static int write_key(const struct class_options *o, const struct roster *r, struct err *e)
{
    char *text = xasprintf("number,name,id\r\n%s", r->key.data);
    int bad = file_write(o->anonymous, text, strlen(text), e);
    if (!bad) chmod(o->anonymous, 0600);
    free(text);
    return bad;
}

/* -1: the key would be in the folder of results, which graders get. */
static int key_apart(const struct class_options *o, struct err *e)
{
    char *copy = xstrdup(o->anonymous), *slash = strrchr(copy, '/');
    if (slash) slash[slash == copy] = 0;
    char *folder = realpath(slash ? copy : ".", NULL);
    size_t n = strlen(o->results);
    int within = folder && !strncmp(folder, o->results, n) && (!folder[n] || folder[n] == '/');
    free(copy), free(folder);
    return within
               ? err_set(e, ERR_USAGE, "%s: lies in the results; keep the key apart", o->anonymous)
               : 0;
}

static int run(struct class_options *o, struct course *c, const char *slice, const char *student,
    struct err *e)
{
    struct roster r;
    int bad = roster_read(&r, o->submissions, e);
    if (r.left_out.len && !slice) fprintf(stderr, "%s", r.left_out.data);
    r.numbers = o->anonymous ? o->seed + 1 : 0;
    bad = bad || roster_settle(&r, c, 0, e) || (o->anonymous && !slice && write_key(o, &r, e)) ||
          (student && roster_only(&r, student, e));
    if (!bad) bad = slice ? slurm_slice(o, &r, slice, e) : grade(o, &r, e);
    roster_free(&r);
    return bad;
}

static int engine_of(const char *name, int *slurm, struct err *e)
{
    if (name && strcmp(name, "local") && strcmp(name, "slurm"))
        return err_set(e, ERR_USAGE, "--engine %s: there are local and slurm", name);
    *slurm = name && !strcmp(name, "slurm");
    return 0;
}

/* Create the folder of results, which must not be inside of the submissions. *results, *from:
 * the absolute paths of both; the caller frees them. */
static int open_folders(
    const char *submissions, const char *out, char **from, char **results, struct err *e)
{
    int made = !mkdir(out, 0777);
    if (!made && errno != EEXIST)
        return err_set(e, ERR_ENV, "%s: cannot be made: %s", out, strerror(errno));
    *results = realpath(out, NULL), *from = realpath(submissions, NULL);
    size_t n = *from ? strlen(*from) : 0;
    int bad = 0;
    if (!*results || !*from)
        bad = err_set(e, ERR_USAGE, "%s: is not there", *results ? submissions : out);
    else if (!strncmp(*results, *from, n) && (!(*results)[n] || (*results)[n] == '/'))
        bad = err_set(
            e, ERR_USAGE, "%s: lies in the submissions' folder; name an --out beside it", out);
    if (bad && made) rmdir(out);
    return bad;
}

static int command_class(int argc, char **argv, struct err *e)
{
    struct class_options o = {0};
    const char *out = NULL, *jobs = NULL, *limit = NULL, *seed = NULL, *lab = NULL, *final = NULL,
               *engine = NULL, *slice = NULL, *yes = NULL, *preview = NULL, *course = NULL,
               *student = NULL, *unguessable = NULL;
    const struct option_spec specs[] = {{"--out", &out}, {"--jobs", &jobs}, {"--limit", &limit},
        {"--seed", &seed}, {"--lab", &lab}, {"--device", &o.device}, {"--front", &o.front},
        {"--sandbox", &o.sandbox}, {"--final", &final, 1}, {"--canvas", &o.canvas},
        {"--canvas-column", &o.canvas_column}, {"--moodle", &o.moodle},
        {"--moodle-column", &o.moodle_column}, {"--course", &course}, {"--engine", &engine},
        {"--slice", &slice}, {"--only", &student}, {"--anonymous", &o.anonymous},
        {"--unguessable", &unguessable, 1}, {"--yes", &yes, 1}, {"--preview", &preview, 1}, {0}};
    const struct lab *only = NULL;
    uint64_t workers = 0, seconds = EXERCISE_SECONDS;
    if (options_parse(argc, argv, specs, &o.submissions, 1, e) < 0 ||
        (lab && !(only = options_lab(lab, e))) || engine_of(engine, &o.slurm, e) ||
        (jobs && options_number("--jobs", jobs, 512, &workers, e)) ||
        (limit && options_number("--limit", limit, 100000, &seconds, e)) ||
        options_sandbox(o.sandbox, e))
        return -1;
    if (!o.submissions || !*o.submissions || !out)
        return err_set(e, ERR_USAGE, "name the submissions' folder, and --out results");
    if (o.anonymous && (o.canvas || o.moodle))
        return err_set(
            e, ERR_USAGE, "--anonymous: a platform's gradebook has names; leave one out");
    if (student && o.slurm)
        return err_set(e, ERR_USAGE, "--only grades one student here; leave out --engine slurm");
    char *results, *from, *file = course ? realpath(course, NULL) : NULL;
    if (course && !file) return err_set(e, ERR_USAGE, "%s: is not there", course);
    if (open_folders(o.submissions, out, &from, &results, e)) return -1;
    const char *shown = jail_shows(from) ? from : jail_shows(results) ? results : NULL;
    if (shown)
        return err_set(e, ERR_USAGE,
            "%s: lies in %s, which all compilers can read: move it elsewhere", shown,
            jail_shows(shown));
    o.final = final != NULL, o.yes = yes != NULL, o.preview = preview != NULL;
    o.results = results, o.submissions = from, o.course_file = file;
    o.lab = only ? only->name : NULL;
    o.jobs = (int)workers;
    o.limit = (double)seconds;
    struct course c = {0};
    o.anew = student != NULL, o.unguessable = unguessable != NULL;
    int bad = (o.anonymous && key_apart(&o, e)) || class_settle(&o, &c, &seed, e) ||
              seed_of(o.results, seed, &o.seed, e) || run(&o, &c, slice, student, e);
    course_free(&c);
    free(results), free(from), free(file);
    return bad ? -1 : 0;
}

/* The command "similar": only search for similar pairs, without grading. */
static int command_similar(int argc, char **argv, struct err *e)
{
    struct class_options o = {0};
    const char *lab = NULL;
    const struct option_spec specs[] = {{"--out", &o.results}, {"--lab", &lab}, {0}};
    const struct lab *only = NULL;
    struct roster r;
    if (options_parse(argc, argv, specs, &o.submissions, 1, e) < 0 ||
        (lab && !(only = options_lab(lab, e))))
        return -1;
    if (!o.submissions || !*o.submissions || !o.results)
        return err_set(e, ERR_USAGE, "name the submissions' folder, and --out results");
    char *from, *results;
    if (open_folders(o.submissions, o.results, &from, &results, e)) return -1;
    free(from), free(results);
    o.lab = only ? only->name : NULL;
    int bad = roster_read(&r, o.submissions, e) || similar_write(&o, &r, e);
    if (!bad) printf("%zu submissions compared: %s/similar.html\n", r.count, o.results);
    roster_free(&r);
    return bad ? -1 : 0;
}

int main(int argc, char **argv)
{
    static const struct program_command commands[] = {
        {"class", command_class,
            "SUBMISSIONS --out RESULTS [--jobs N] [--lab NN] [--device D] [--front clang|nvcc] [--seed S] "
            "[--limit SECONDS] [--sandbox LEVEL] [--final] [--canvas FILE.csv [--canvas-column TITLE]] "
            "[--moodle FILE.csv [--moodle-column TITLE]] [--course FILE] [--engine local|slurm] "
            "[--only STUDENT] [--anonymous KEY.csv] [--unguessable] [--yes] [--preview]",
            "grade folders and archives, one a student, into JSON files and a gradebook"},
        {"one", command_one,
            "SUBMISSION [--for text|json|github|gradescope|autolab|classroom50|prairielearn] [--out FILE] "
            "[--lab NN] [--device D] [--front clang|nvcc] [--seed S] [--limit SECONDS] [--sandbox LEVEL] "
            "[--final] [--course FILE [--student NAME]]",
            "grade one submission as its class does: a report, or what a platform's own autograder writes"},
        {"take", command_take, "SUBMISSION --into FOLDER [--lab NN] [--final]",
            "put the files of a submission that are graded into a folder laid out as labs/; grades nothing"},
        {"similar", command_similar, "SUBMISSIONS --out RESULTS [--lab NN]",
            "pairs of submissions that share more than all were given explains; grades nothing"},
        {0},
    };
    const struct program class = {"lockstep-class", DESCRIBED, commands};
    os_started_as(argv[0]);
    return program_run(&class, argc, argv);
}
