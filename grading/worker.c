/* worker.c - grade one submission: choose its files, judge each exercise once, write
 * results/.next/NAME.json.
 *
 *     source + exercise + seed + device + front end + this program ──> results/.judged ──> JSON
 *
 * Results are cached with their whole key, so that no file can get another's result. A file that
 * 700 students handed in unchanged is judged once. So messages call files NN-idea/NAME.cu for
 * everybody. */
#define _GNU_SOURCE
#include "grading/hand_in.h"
#include "explain/explain.h"
#include "learn/learn.h"
#include "os/os.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct worker {
    const struct class_options *options;
    struct session session;
    struct kit judged; /* a kit whose cache is results/.judged */
    char *taken;       /* the folder for the files of one submission */
    /* the first guesses of the submission, in a final grading */
    struct first_guess first[FIRST_MAX];
    struct taken files; /* what was found out about the files of the submission */
    /* identifies this build of the program, since another build may give other results */
    struct buf program;
};

/* Append size and time of the program's own file. */
static void identify(struct buf *out)
{
    struct stat st;
    char program[PATH_MAX];
    if (!os_program(program) && !stat(program, &st))
        buf_printf(out, "%lld bytes, of %lld.%09ld", (long long)st.st_size,
            (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* -1: the kit lacks a solution. Without it points would be missing, and only the total would show
 * it. */
static int lacks_solution(const struct kit *k, struct err *e)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++)
            if (!kit_has_solution(k, *l, x))
                return err_set(e, ERR_ENV,
                    "%s/solutions/%s: %s is not there; a class is graded beside the solutions, in a "
                    "whole kit",
                    k->root, (*l)->name, x->name);
    return 0;
}

/* The working directory becomes /, so that the kit's paths are absolute and a submission's can be
 * relative. */
int worker_open(struct worker **out, const struct class_options *o, struct err *e)
{
    struct worker *w = xcalloc(1, sizeof *w);
    *out = w;
    w->options = o;
    w->judged =
        (struct kit){.root = xstrdup(o->results), .cache = xasprintf("%s/.judged", o->results)};
    identify(&w->program);
    char *next = xasprintf("%s/.next", o->results);
    int bad = (mkdir(w->judged.cache, 0700) && errno != EEXIST) ||
              (mkdir(next, 0700) && errno != EEXIST) || chdir("/");
    free(next);
    if (bad)
        return err_set(
            e, ERR_ENV, "%s: no folder can be made in it: %s", o->results, strerror(errno));
    if (session_open(&w->session, o->gpu ? o->gpu : o->device, o->front, ".", &o->seed, e))
        return -1;
    if (lacks_solution(&w->session.workbench.kit, e)) return -1;
    w->taken = kit_temporary(&w->session.workbench.kit, e);
    session_apart(&w->session);
    w->session.explains = &explainer;
    w->session.final = o->final;
    w->session.seconds = o->limit;
    if (o->course->speed) w->session.speed = o->course->speed;
    w->session.workbench.threads = 1;
    return w->taken ? 0 : -1;
}

void worker_close(struct worker *w)
{
    if (!w) return;
    if (w->session.answers) session_close(&w->session);
    if (w->taken) spawn_remove_directory(w->taken);
    free(w->taken);
    kit_free(&w->judged);
    buf_free(&w->program);
    free(w);
}

/* The name of the device in results. With a list of GPUs it is the list, since which of them a
 * worker took is chance. */
static const char *device_of(const struct worker *w)
{
    return w->options->gpu ? w->options->device : w->session.workbench.name;
}

static void take_json(void *context, const struct result *r)
{
    *(json_t **)context = parts_result(r);
}

/* Add to the JSON whether the exercise's file was handed in, or else which file may have been
 * meant. */
static void note_file(const struct worker *w, json_t *j, const struct exercise *x, int there)
{
    json_object_set_new(j, "handed_in", json_boolean(!there));
    for (size_t i = 0; i < w->files.near_count; i++)
        if (w->files.near[i].exercise == x)
            json_object_set_new(j, "near", json_text(w->files.near[i].path));
}

/* Judge an exercise, or take its result from the cache, as JSON, which the caller owns. NULL
 * with e set: an error of the environment. */
static json_t *judge(
    struct worker *w, const struct lab *lab, const struct exercise *x, struct err *e)
{
    struct buf key = {0}, kept = {0};
    char *source = NULL, *name = workbench_file(".", lab, x);
    struct err why = {0};
    const struct class_options *o = w->options;
    int there = file_read_within(w->taken, name, 1 << 20, &source, NULL, &why);
    buf_printf(&key, "judged by %s, on %s, by %s, seed %llu, limit %g, speed %g%s\n",
        w->program.data, device_of(w), w->session.workbench.front.name, (unsigned long long)o->seed,
        o->limit, w->session.speed, o->final ? ", final" : "");
    for (int i = 0; i < w->session.first_count; i++)
        for (const struct prediction *p = x->predictions; p && p->name; p++)
            if (p == w->first[i].prediction)
                buf_printf(&key, "first %s %d\n", p->name, w->first[i].said);
    buf_printf(&key, "%s\n%d\n%s", name, there, source ? source : "");
    json_t *j = NULL;
    if (!o->anew && !cache_get(&w->judged, &key, &kept) && kept.data)
        j = json_loads(kept.data, 0, NULL);
    if (!j && !grade_labs(&w->session, lab, x, take_json, &j, e) && j) {
        char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(12));
        buf_free(&kept);
        buf_printf(&kept, "%s", text);
        cache_put(&w->judged, &key, &kept);
        free(text);
    }
    if (j) note_file(w, j, x, there);
    buf_free(&key);
    buf_free(&kept);
    free(source);
    free(name);
    return j;
}

/* A JSON array of the lines of a text. */
static json_t *lines_of(const struct buf *b)
{
    json_t *list = json_array();
    for (const char *p = b->data; p && *p;) {
        size_t n = strcspn(p, "\n");
        char *line = xstrndup(p, n);
        json_array_append_new(list, json_text(line));
        free(line);
        p += n + (p[n] == '\n');
    }
    return list;
}

/* The result of a submission. to_grade: how many exercises are not graded yet. The caller owns the
 * result. */
static json_t *result_of(struct worker *w, const struct submission *s,
    const struct submission *attempt, json_t *exercises, size_t to_grade)
{
    json_t *o = json_object();
    json_object_set_new(o, "schema", json_integer(1));
    json_object_set_new(o, "version", json_string(LOCKSTEP_VERSION));
    json_object_set_new(o, "student", json_text(s->name));
    json_object_set_new(o, "final", json_boolean(w->options->final));
    json_object_set_new(o, "seed", json_integer((json_int_t)w->options->seed));
    standing_put(w->options, s, attempt, o, exercises);
    json_object_set_new(o, "device", json_string(device_of(w)));
    json_object_set_new(o, "front_end", json_string(w->session.workbench.front.name));
    json_object_set_new(o, "sandbox", json_string(w->session.sandbox));
    json_object_set_new(o, "remarks", lines_of(&w->files.remarks));
    json_object_set_new(o, "left_out", lines_of(&w->files.left_out));
    json_object_set_new(o, "not_read", json_integer((json_int_t)w->files.left_count));
    if (w->files.damage) json_object_set_new(o, "error", json_text(w->files.damage));
    if (to_grade) json_object_set_new(o, "to_grade", json_integer((json_int_t)to_grade));
    json_object_set(o, "exercises", exercises);
    return o;
}

static int write_result(
    struct worker *w, const struct submission *s, const json_t *result, struct err *e)
{
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(12)),
         *line = xasprintf("%s\n", text),
         *path = xasprintf("%s/.next/%s.json", w->options->results, s->name);
    int bad = file_write(path, line, strlen(line), e);
    free(text), free(line), free(path);
    return bad;
}

int class_grades(const struct class_options *o, const struct lab *l)
{
    if (o->lab) return !strcmp(o->lab, l->name);
    return !o->course || course_has(o->course, l);
}

static json_t *weight_of(const struct worker *w, const struct lab *lab, const struct exercise *x)
{
    double weight = course_weight(w->options->course, lab, x);
    return weight == floor(weight) ? json_integer((json_int_t)weight) : json_real(weight);
}

/* Call o->each with the result so far; exercises not graded yet have no points. */
static void tell(struct worker *w, const struct submission *s, const struct submission *attempt,
    const json_t *exercises)
{
    if (!w->options->each) return;
    json_t *all = json_array();
    size_t done = json_array_size(exercises), i = 0;
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name && class_grades(w->options, *l);
             x++, i++)
            if (i < done)
                json_array_append(all, json_array_get(exercises, i));
            else {
                json_t *waits = parts_waiting(*l, x);
                json_object_set_new(waits, "weight", weight_of(w, *l, x));
                json_array_append_new(all, waits);
            }
    json_t *o = result_of(w, s, attempt, all, i - done);
    w->options->each(w->options->each_context, o);
    json_decref(o);
    json_decref(all);
}

/* Empty the folder for a submission's files. */
static int clear(struct worker *w, struct err *e)
{
    spawn_remove_directory(w->taken);
    return mkdir(w->taken, 0700)
               ? err_set(e, ERR_ENV, "%s: cannot be made: %s", w->taken, strerror(errno))
               : 0;
}

/* For each prediction without a first guess, add a guess that says that none was made. */
static void guess_nothing(struct worker *w)
{
    int known = w->session.first_count;
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++)
            for (const struct prediction *p = x->predictions; p && p->name; p++) {
                int found = 0;
                for (int i = 0; i < known; i++) found |= w->first[i].prediction == p;
                if (!found && w->session.first_count < FIRST_MAX)
                    w->first[w->session.first_count++] = (struct first_guess){p, -1};
            }
}

/* Read the first guesses of a submission, for a final grading. If its progress file has a wrong
 * line, only what precedes that line counts, and other predictions earn no points, so that
 * damaging the file gains nothing. */
static void take_first(struct worker *w)
{
    struct progress p;
    struct err why = {0};
    w->session.first = w->first;
    w->session.first_count = 0;
    if (!w->options->final) return;
    int bad = progress_read(&p, ".", &why);
    w->session.first_count = progress_first(&p, w->first, FIRST_MAX);
    if (bad || w->files.progress_lost) {
        guess_nothing(w);
        taken_remark(&w->files, "%s; of the predictions only first guesses before that count",
            bad ? why.text : ".progress cannot be read");
    }
    progress_free(&p);
}

static int grade_exercises(struct worker *w, const struct submission *s,
    const struct submission *attempt, json_t *exercises, struct err *e)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            if (!class_grades(w->options, *l)) continue;
            tell(w, s, attempt, exercises);
            json_t *j = judge(w, *l, x, e);
            if (!j) return -1;
            json_object_set_new(j, "weight", weight_of(w, *l, x));
            json_array_append_new(exercises, j);
        }
    tell(w, s, attempt, exercises);
    return 0;
}

/* The result of one attempt of a student, which the caller owns. NULL: an error of the
 * environment. */
static json_t *grade_attempt(
    struct worker *w, const struct submission *s, const struct submission *attempt, struct err *e)
{
    json_t *exercises = json_array(), *result = NULL;
    const struct kit *kit = &w->session.workbench.kit;
    int bad = clear(w, e) ||
              (attempt->path && submission_take(attempt, w->options, kit, w->taken, &w->files, e));
    if (!bad && chdir(w->taken)) bad = err_set(e, ERR_ENV, "%s: %s", w->taken, strerror(errno));
    if (!bad) take_first(w);
    /* the limit of processor time applies to each submission */
    w->session.processor_before = os_children_seconds();
    if (!bad && !grade_exercises(w, s, attempt, exercises, e))
        result = result_of(w, s, attempt, exercises, 0);
    json_decref(exercises);
    taken_free(&w->files);
    return result;
}

/* Of several attempts, the one with most points counts, and of those with the same points the
 * first. */
int worker_grade(struct worker *w, const struct submission *s, struct err *e)
{
    json_t *best = NULL;
    int bad = 0;
    for (const struct submission *attempt = s; attempt && !bad; attempt = attempt->other) {
        json_t *result = grade_attempt(w, s, attempt, e);
        bad = !result;
        if (best && result_number(result, "score") <= result_number(best, "score")) {
            json_decref(result);
            continue;
        }
        json_decref(best);
        best = result;
    }
    if (!bad) bad = write_result(w, s, best, e);
    json_decref(best);
    return bad ? -1 : 0;
}
