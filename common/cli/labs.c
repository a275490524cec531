/* labs.c - lockstep labs: the exercises and what was passed of them; lockstep hint and slide: what helps
 * with one.
 *
 *     lab_table ──┬──> text: the list of make learn
 *     .progress ──┘    JSON: {"at": [lab, exercise], "passed", "count", "labs": [{"lab", "exercises":
 *                        [{"exercise", "title", "file", "host", "status", "score", "max_score",
 *                          "hints_shown", "predictions": [{"name", "question"}]}]}],
 *                        "ladders": [{"problem", "rungs": [{"name", "lab", "exercise", "ms",
 *                                                           "device"}]}]} */
#include "cli/cli.h"
#include "learn/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a command reads of a learner's folder. */
struct folder {
    struct kit kit;
    char *directory;
    struct progress progress;
};

static int folder_open(struct folder *f, const char *student, struct err *e)
{
    *f = (struct folder){0};
    if (kit_find(&f->kit, e)) return -1;
    f->directory = student ? xstrdup(student) : kit_path(&f->kit, "labs");
    return progress_read_kindly(&f->progress, f->directory, e);
}

static void folder_close(struct folder *f)
{
    progress_free(&f->progress);
    kit_free(&f->kit);
    free(f->directory);
}

/* ---- labs ---- */

static json_t *predictions(const struct exercise *x)
{
    json_t *all = json_array();
    for (const struct prediction *p = x->predictions; p && p->name; p++) {
        char *question = prediction_question(x, p);
        json_array_append_new(all, json_pack("{s:s,s:s}", "name", p->name, "question", question));
        free(question);
    }
    return all;
}

static json_t *exercise_json(const struct exercise_progress *x)
{
    int host = x->exercise->kind == EXERCISE_HOST;
    char *file = xasprintf("%s/%s%s", x->lab->name, x->exercise->name, host ? ".c" : ".cu");
    json_t *o = json_pack("{s:s,s:s,s:s,s:b,s:s,s:f,s:i,s:i,s:o}", "exercise", x->exercise->name,
        "title", x->exercise->title, "file", file, "host", host, "status", status_names[x->status],
        "score", x->score, "max_score", exercise_max_points(x->exercise), "hints_shown", x->hints,
        "predictions", predictions(x->exercise));
    free(file);
    return o;
}

/* The context of add_rung, for one problem's sequence of techniques. */
struct ladder {
    const struct progress *progress;
    json_t *rungs;
};

static int add_rung(void *context, const struct rung *r)
{
    const struct ladder *l = context;
    const struct progress *p = l->progress;
    const struct rung_time *t = &p->past[progress_find(p, r->lab, r->exercise)].rung[r->step];
    if (t->ms > 0)
        json_array_append_new(l->rungs,
            json_pack("{s:s,s:s,s:s,s:f,s:s}", "name", r->exercise->steps[r->step].rung, "lab",
                r->lab->name, "exercise", r->exercise->name, "ms", t->ms, "device", t->device));
    return 0;
}

static json_t *ladders(const struct progress *p)
{
    static const char *const problems[][2] = {
        {"matmul", "C = A B"}, {"transpose", "transpose"}, {"aat", "C = A A^T"}};
    json_t *all = json_array();
    for (int i = 0; i < 3; i++) {
        struct ladder l = {p, json_array()};
        ladder_walk(problems[i][0], EXERCISE_CUDA, add_rung, &l);
        json_array_append_new(
            all, json_pack("{s:s,s:o}", "problem", problems[i][1], "rungs", l.rungs));
    }
    return all;
}

static json_t *labs_json(const struct progress *p)
{
    json_t *labs = json_array(), *exercises = NULL;
    const struct lab *lab = NULL;
    int passed = 0;
    for (int i = 0; i < p->count; i++) {
        const struct exercise_progress *x = &p->past[i];
        if (x->lab != lab)
            json_array_append_new(labs,
                json_pack("{s:s,s:o}", "lab", x->lab->name, "exercises", exercises = json_array()));
        lab = x->lab;
        passed += x->status == STATUS_PASSED;
        json_array_append_new(exercises, exercise_json(x));
    }
    json_t *o = json_pack("{s:i,s:i,s:o,s:o}", "passed", passed, "count", p->count, "labs", labs,
        "ladders", ladders(p));
    if (p->at >= 0)
        json_object_set_new(
            o, "at", json_pack("[s,s]", p->past[p->at].lab->name, p->past[p->at].exercise->name));
    return o;
}

int command_labs(int argc, char **argv, struct err *e)
{
    const char *student = NULL, *format = NULL;
    const struct option_spec specs[] = {{"--student", &student}, {"--format", &format}, {0}};
    struct folder f;
    int bad = options_parse(argc, argv, specs, NULL, 0, e) < 0, json = options_format(format, e);
    if (bad || json < 0) return -1;
    bad = folder_open(&f, student, e);
    struct buf text = {0};
    if (!bad && json) json_print(labs_json(&f.progress));
    if (!bad && !json) screen_list(&text, &f.progress), printf("%s", text.data);
    buf_free(&text);
    folder_close(&f);
    return bad ? -1 : 0;
}

/* ---- hint ---- */

/* If more hints are shown than before, that is recorded in .progress, as make learn does. */
static int show_hints(
    struct folder *f, struct exercise_progress *x, uint64_t count, int json, struct err *e)
{
    struct buf text = {0};
    int there = files_hints(&f->kit, x, (int)count, &text), shown = (int)count;
    if (shown > there) shown = there;
    int more = shown > x->hints, bad = 0;
    if (more) x->hints = shown;
    if (more && progress_kept(&f->kit, f->directory)) bad = progress_write(&f->progress, e);
    const char *said = there ? text.data : "  There is no hint for this exercise.\n";
    if (!bad && json)
        json_print(
            json_pack("{s:i,s:i,s:o}", "shown", shown, "there", there, "text", json_text(said)));
    else if (!bad && there)
        printf("%s\nHint %d of %d.\n", said, shown, there);
    else if (!bad)
        printf("%s", said);
    buf_free(&text);
    return bad ? -1 : 0;
}

int command_hint(int argc, char **argv, struct err *e)
{
    const char *student = NULL, *format = NULL, *words[3] = {NULL, NULL, NULL};
    const struct option_spec specs[] = {{"--student", &student}, {"--format", &format}, {0}};
    const struct lab *lab;
    const struct exercise *x;
    struct folder f;
    uint64_t count = 0;
    int given = options_parse(argc, argv, specs, words, 3, e), json = options_format(format, e);
    if (given < 0 || json < 0) return -1;
    if (given < 2)
        return err_set(e, ERR_USAGE, "which exercise? For example: lockstep hint 02 matmul");
    if (!(lab = options_lab(words[0], e)) || !(x = options_exercise(lab, words[1], e)) ||
        (words[2] && options_number("N", words[2], 1000, &count, e)))
        return -1;
    int bad = folder_open(&f, student, e);
    if (!bad) {
        struct exercise_progress *past = &f.progress.past[progress_find(&f.progress, lab, x)];
        bad = show_hints(&f, past, words[2] ? count : (uint64_t)past->hints + 1, json, e);
    }
    folder_close(&f);
    return bad ? -1 : 0;
}

/* ---- slide ---- */

/* Append the figure of a deck that these words describe: the file stored beside the deck, if there
 * is one, as in a handout, which cannot run the solutions; else a new drawing. -1: neither is
 * possible. */
static int draw_figure(const struct kit *k, const char *words, struct buf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    char *name = xstrdup(words), *rest = name, *text = NULL, *argv[32];
    int argc = 0;
    for (char *word; (word = strsep(&rest, " ")) && argc < 32;)
        if (*word) argv[argc++] = word;
    struct buf stored = {0};
    for (const char *at = words; *at; at += strspn(at, plain)) {
        size_t odd = strcspn(at, plain), n = strspn(at + odd, plain);
        buf_printf(&stored, "%s%.*s", odd ? "_" : "", (int)n, at + odd);
        at += odd;
    }
    char *path = kit_path(k, "slides/figures/%s", stored.data ? stored.data : "");
    int bad = 0;
    if (*words && !file_read(path, 1 << 20, &text, NULL, NULL))
        buf_printf(out, "%s", text);
    else
        bad = !*words || figure_make(argc, argv, out, NULL);
    free(path), free(text), free(name);
    buf_free(&stored);
    return bad ? -1 : 0;
}

/* In JSON, "page" is the deck's page, if it was made. With --figures, one line follows for each
 * figure of the text, in order: {"figure": SVG}, or null if it cannot be drawn. */
int command_slide(int argc, char **argv, struct err *e)
{
    const char *format = NULL, *drawn = NULL, *words[2] = {NULL, NULL};
    const struct option_spec specs[] = {{"--format", &format}, {"--figures", &drawn, 1}, {0}};
    struct exercise_progress x = {0};
    struct kit kit;
    struct buf text = {0}, figures = {0};
    char *deck, title[80];
    int given = options_parse(argc, argv, specs, words, 2, e), json = options_format(format, e);
    if (given < 0 || json < 0) return -1;
    if (given < 2)
        return err_set(e, ERR_USAGE, "which exercise? For example: lockstep slide 02 matmul");
    if (!(x.lab = options_lab(words[0], e)) ||
        !(x.exercise = options_exercise(x.lab, words[1], e)) || kit_find(&kit, e))
        return -1;
    files_slide(&kit, &x, &deck, title, sizeof title);
    files_deck(deck, title, &text, &figures);
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '\f') text.data[i] = '\n';
    const char *said = text.data ? text.data : "There are no slides.\n";
    char *page = kit_path(&kit, "build/slides/%s.html", x.lab->name);
    json_t *o = json_pack("{s:s,s:s,s:o}", "deck", deck, "title", title, "text", json_text(said));
    if (file_exists(page)) json_object_set_new(o, "page", json_string(strrchr(page, '/') + 1));
    if (json)
        json_print(json_incref(o));
    else
        printf("%s", said);
    json_decref(o);
    char *rest = json && drawn ? figures.data : NULL;
    if (rest) nice(10); /* a kernel that is judged at the same time has priority */
    for (char *words; rest && (words = strsep(&rest, "\n")) && rest;) {
        struct buf svg = {0};
        fflush(stdout);
        int bad = draw_figure(&kit, words, &svg);
        json_print(json_pack("{s:o}", "figure", bad ? json_null() : json_text(svg.data)));
        buf_free(&svg);
    }
    buf_free(&text), buf_free(&figures), free(page), free(deck), kit_free(&kit);
    return 0;
}
