/* lab.c - lockstep lab: run one lab or exercise of the learner and explain the result.
 *
 *     grade_labs ──> watch  "right on 8 small shapes; counting ... 40%", or "... looking for the cause"
 *                ──> show   an exercise's result (view/lab_text.c)
 *
 * The exit status is 1 if a kernel is wrong, is missing or does not compile, but not if only
 * points are missing. */
#include "cli/cli.h"
#include "explain/explain.h"
#include "learn/learn.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* State of the output. */
struct showing {
    const struct session *session;
    int terminal, wrong, line; /* line: a line of progress is on the terminal */
    int more, json;            /* more: show everything that is known; json: print JSON */
    uint64_t told;             /* how much of the cause is shown: enum told */
};

/* Show progress on stderr, in one line that is overwritten, so that stdout has only the result. */
static void watch(void *context, const struct stage *p)
{
    struct showing *s = context;
    if (!s->terminal) return;
    fprintf(stderr, "\r\033[K%s: ", p->exercise->name);
    if (p->at == PROGRESS_SHAPES)
        fprintf(stderr, "%s on the small shapes ... %.0f%%", p->step->kernel, 100 * p->share);
    else if (p->at == PROGRESS_WRONG) {
        char said[160]; /* the message and the text after it, on one line */
        int width = screen_of(STDERR_FILENO).width - (int)strlen(p->exercise->name) - 39;
        snprintf(said, sizeof said, "%.*s", width < 0 ? 0 : width, p->text ? p->text : "");
        said[strcspn(said, "\n")] = 0;
        fprintf(stderr, "%s ... looking for the cause %.0f s", said, p->share);
    } else
        fprintf(stderr, "right on the small shapes");
    if (p->at == PROGRESS_COUNTS)
        fprintf(stderr, "; counting %s ... %.0f%%", p->step->kernel, 100 * p->share);
    fflush(stderr);
    s->line = 1;
}

/* Lines of the terminal that an answer leaves free; make learn prints the most around it. */
enum { BESIDE = 6 };

void lab_answer(struct answer *out, const struct brief *how, const struct session *session,
    const struct result *r)
{
    const struct workbench *w = &session->workbench;
    const struct screen screen = screen_of(STDOUT_FILENO);
    const struct model_profile *gpu =
        workbench_simulated(w) ? model_profile_find(w->name + strlen("sim:")) : NULL;
    struct buf predicted = {0}, predicted_brief = {0};
    struct brief brief = *how;
    predictions_show(&predicted, &predicted_brief, session, r);
    lab_text(&screen, r, gpu, predicted.data ? predicted.data : "", &out->all);
    brief.lines = screen.height - BESIDE;
    for (int told = TOLD_WHERE; told <= TOLD_EDIT; told++) {
        brief.told = (enum told)told;
        lab_brief(&screen, &brief, r, gpu, predicted_brief.data ? predicted_brief.data : "",
            &out->brief[told]);
    }
    buf_free(&predicted), buf_free(&predicted_brief);
}

void answer_free(struct answer *a)
{
    buf_free(&a->all);
    for (int told = TOLD_WHERE; told <= TOLD_EDIT; told++) buf_free(&a->brief[told]);
}

/* Print an object in a line of its own, at once; o is freed. */
static void put_line(json_t *o)
{
    char *line = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(12));
    printf("%s\n", line);
    fflush(stdout);
    free(line);
    json_decref(o);
}

/* With --format json: print what is wrong while the search for its cause still runs. */
static void watch_json(void *context, const struct stage *p)
{
    (void)context;
    if (p->at == PROGRESS_WRONG && p->share <= 0)
        put_line(json_pack("{s:s,s:s,s:o}", "exercise", p->exercise->name, "kernel",
            p->step->kernel, "wrong", json_text(p->text ? p->text : "wrong")));
}

static void show_json(struct showing *s, const struct result *r)
{
    struct answer a = {0};
    const struct brief how = {.next = {"WHY=1", "WHY=2"}, .more = "MORE=1"};
    json_t *o = lab_json(r);
    lab_answer(&a, &how, s->session, r); /* records progress, too */
    json_object_set_new(o, "device", json_string(s->session->workbench.name));
    json_object_set_new(o, "predictions", predictions_json(s->session, r));
    json_object_set_new(o, "text", json_text(a.all.data));
    put_line(o);
    answer_free(&a);
}

/* Called by grade_labs after each exercise; prints its result at once. */
static void show(void *context, const struct result *r)
{
    struct showing *s = context;
    if (s->line) fprintf(stderr, "\r\033[K");
    s->line = 0;
    s->wrong |= !r->step_count;
    if (s->json) {
        show_json(s, r);
        return;
    }
    struct answer a = {0};
    const struct brief how = {.next = {"WHY=1", "WHY=2"}, .more = "MORE=1"};
    lab_answer(&a, &how, s->session, r);
    const struct buf *out = s->more ? &a.all : &a.brief[s->told];
    fwrite(out->data, 1, out->len, stdout);
    fflush(stdout);
    answer_free(&a);
}

int own_folder(const char *student, int *made, struct err *e)
{
    struct kit kit;
    *made = 0;
    if (!student) return 0;
    if (kit_find(&kit, e)) return -1;
    int bad = files_make(&kit, student, made, e);
    kit_free(&kit);
    return bad;
}

/* The seed of a run without --seed: a file that is not changed gets the same inputs again, so that
 * WHY=1 tells of what the run before it showed. x NULL: all exercises of the lab. */
static uint64_t seed_of(const struct workbench *w, const struct lab *lab, const struct exercise *x)
{
    enum { MOST = 1 << 20, SEEDS = 1000000 };
    uint64_t seed = 0;
    for (const struct exercise *each = lab->exercises; each->name; each++) {
        char *text, *file = workbench_file(w->directory, lab, each);
        size_t length;
        if ((!x || x == each) && !file_read(file, MOST, &text, &length, NULL)) {
            seed = seed * 31 + hash_bytes(text, length) % SEEDS;
            free(text);
        }
        free(file);
    }
    return seed % SEEDS;
}

int command_lab(int argc, char **argv, struct err *e)
{
    const char *student = NULL, *device = NULL, *front = NULL, *number = NULL, *more = NULL,
               *why = NULL, *format = NULL, *words[2] = {NULL, NULL};
    const struct option_spec specs[] = {{"--student", &student}, {"--device", &device},
        {"--front", &front}, {"--seed", &number}, {"--more", &more, 1}, {"--why", &why},
        {"--format", &format}, {0}};
    const struct lab *lab;
    const struct exercise *x = NULL;
    struct session session;
    int made;
    uint64_t seed = 0, told = TOLD_WHERE;
    int count = options_parse(argc, argv, specs, words, 2, e);
    int json = options_format(format, e);
    if (count < 0 || json < 0) return -1;
    if (count == 0)
        return err_set(e, ERR_USAGE, "which lab? For example: lockstep lab 01, or make lab LAB=01");
    if (!(lab = options_lab(words[0], e)) ||
        (words[1] && !(x = options_exercise(lab, words[1], e))) ||
        (number && options_number("--seed", number, INT64_MAX, &seed, e)) ||
        (why && options_number("--why", why, TOLD_EDIT, &told, e)) ||
        own_folder(student, &made, e) || session_open(&session, device, front, student, &seed, e))
        return -1;
    const struct workbench *w = &session.workbench;
    if (!number) session.seed = seed_of(w, lab, x);
    struct showing s = {.session = &session,
        .terminal = isatty(STDERR_FILENO),
        .more = more != NULL,
        .told = told,
        .json = json};
    /* also measure the reference of the previous lab, to compare each step with it */
    session.rungs = 1;
    session.explains = &explainer;
    session.brief = BRIEF_SECONDS;
    session.watch = json ? watch_json : watch;
    session.context = &s;
    if (made)
        fprintf(stderr, "%s is new: your own folder, with the skeletons of %d exercises\n\n",
            student, made);
    if (json)
        ; /* each line of the output is an object */
    else if (workbench_simulated(w))
        printf("on %s, by %s", w->name, w->front.name);
    else
        printf("on %s (%s), counters by %s, kernels by %s", w->name, w->title, w->counter,
            w->front.name);
    if (!json) printf("; SEED=%llu repeats it\n\n", (unsigned long long)session.seed);
    int bad = grade_labs(&session, lab, x, show, &s, e);
    session_close(&session);
    return bad ? -1 : s.wrong;
}
