/* learn.c - lockstep learn: work through the labs in a terminal, with an answer to each save.
 *
 *     command_learn ──> learn_run (common/learn) ──> judge(): what lockstep lab prints
 *                                                ──> accesses(): the lines that access memory
 *                                                ──> map():   what lockstep profile --map prints
 *                                                ──> step():  lockstep step, with the terminal */
#include "cli/cli.h"
#include "explain/explain.h"
#include "learn/learn.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judged {
    struct session *session;
    struct outcome *outcome;
};

static enum guess guess_of(const struct result *r, const struct prediction_result *p)
{
    int suspect = r->exercise->steps[p->prediction->step].suspect;
    if (p->said == -1 || (isnan(p->counted) && !suspect)) return GUESS_OPEN;
    return score_prediction(p) ? GUESS_RIGHT : GUESS_WRONG;
}

static void take(void *context, const struct result *r)
{
    struct judged *j = context;
    *j->outcome = (struct outcome){r->status, result_points(r), {0}};
    for (int i = 0; i < r->prediction_count; i++)
        j->outcome->guess[i] = guess_of(r, &r->predictions[i]);
    /* the answer in brief, with more and more of the cause, then everything */
    struct answer a = {0};
    const struct brief how = {.next = {"w", "w"}, .more = "c"};
    lab_answer(&a, &how, j->session, r);
    for (int told = TOLD_WHERE; told <= TOLD_EDIT; told++)
        printf("%s%c", a.brief[told].data, LEARN_NEXT);
    printf("%s", a.all.data);
    j->outcome->cause = r->cause.count > 0;
    answer_free(&a);
}

/* Print what is wrong while the search for its cause is still running. */
static void watch(void *context, const struct stage *p)
{
    struct buf text = {0}, out = {0};
    (void)context;
    if (p->at != PROGRESS_WRONG || p->share > 0) return;
    buf_printf(&text, "%s: %s", p->step->kernel, p->text ? p->text : "wrong");
    report_wrapped(&out, 0, text.data);
    printf("%s\nLooking for the cause ...\n\f", out.data);
    fflush(stdout);
    buf_free(&text);
    buf_free(&out);
}

static int judge(struct session *s, const struct lab *lab, const struct exercise *x,
    struct outcome *out, struct err *e)
{
    struct judged j = {s, out};
    out->status = STATUS_ERROR;
    return grade_labs(s, lab, x, take, &j, e);
}

/* Insert a line number, in ascending order and without duplicates. */
static void add_line(struct access_lines *a, int line)
{
    int at = 0;
    while (at < a->count && a->line[at] < line) at++;
    if (line <= 0 || (at < a->count && a->line[at] == line) || a->count == ACCESS_LINES_MAX) return;
    memmove(&a->line[at + 1], &a->line[at], (size_t)(a->count++ - at) * sizeof *a->line);
    a->line[at] = line;
}

/* Find the lines that access memory, by running each kernel on one multiprocessor. */
static int accesses(struct session *s, const struct lab *lab, const struct exercise *x,
    struct access_lines *out, struct err *e)
{
    struct build b = {0};
    int bad = suspect_told(s, lab, x, e) || build_open(&b, &s->workbench, lab, x, e);
    for (int i = 0; !bad && x->steps[i].kernel; i++) {
        struct instance in;
        struct measurement m = {0};
        instance_make(&in, problem_find(x->steps[i].problem), x->steps[i].dims, 1);
        b.bound[i].sample_sms = 1;
        bad = build_count(&b, i, &in, &m, e);
        for (size_t k = 0; !bad && k < m.access_count; k++) add_line(out, m.accesses[k].line);
        measurement_free(&m);
        instance_free(&in);
    }
    if (b.workbench) build_close(&b);
    return bad ? -1 : 0;
}

/* Print the accesses of a line of one of the exercise's kernels. On a GPU they are found with
 * the simulated device that counts for it, so addresses are always those of the simulator. */
static int map(struct session *s, const struct lab *lab, const struct exercise *x, const char *line,
    struct err *e)
{
    int bad = -1;
    for (int i = 0; x->steps[i].kernel && bad; i++) {
        char *words[] = {"--lab", (char *)lab->name, "--exercise", (char *)x->name, "--map",
            (char *)line, "--student", s->workbench.directory, "--device", s->workbench.counter,
            "--kernel", (char *)x->steps[i].kernel};
        bad = command_profile(sizeof words / sizeof *words, words, e);
    }
    return bad;
}

/* Step through the learner's file, as `make step` does. */
static int step(struct session *s, const struct lab *lab, const struct exercise *x, struct err *e)
{
    char *words[] = {"--lab", (char *)lab->name, "--exercise", (char *)x->name, "--student",
        s->workbench.directory, "--device", s->workbench.counter, "--front",
        (char *)s->workbench.front.kind};
    return command_step(sizeof words / sizeof *words, words, e);
}

int command_learn(int argc, char **argv, struct err *e)
{
    const char *student = NULL, *device = NULL, *front = NULL;
    const struct option_spec specs[] = {
        {"--student", &student}, {"--device", &device}, {"--front", &front}, {0}};
    struct session session;
    int made;
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 || own_folder(student, &made, e) ||
        session_open(&session, device, front, student, NULL, e))
        return -1;
    session.rungs = 1;
    session.explains = &explainer;
    session.brief = BRIEF_SECONDS;
    session.watch = watch;
    const struct learn learn = {&session, made, judge, accesses, map, step};
    int bad =
        progress_kept(&session.workbench.kit, session.workbench.directory)
            ? learn_run(&learn, e)
            : err_set(e, ERR_USAGE,
                  "%s: lies in the kit's solutions or tests; learn in labs, or in a copy of it",
                  session.workbench.directory);
    session_close(&session);
    return bad;
}
