/* learn.c - lockstep learn: the labs in a terminal, an answer to each save.
 *
 *     command_learn ──> learn_run (common/learn) ──> judge(): what lockstep lab prints
 *                                                ──> map():   what lockstep profile --map prints
 *                                                ──> step():  lockstep step, with the terminal
 */
#include "cli/cli.h"
#include "learn/learn.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>

struct judged {
    struct session *session;
    enum status status;
};

static void take(void *context, const struct result *r)
{
    struct judged *j = context;
    j->status = r->status;
    lab_show(j->session, r);
}

/* What is wrong, before the search for its cause ends. */
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

static int judge(struct session *s, const struct lab *lab, const struct exercise *x, struct err *e)
{
    struct judged j = {s, STATUS_ERROR};
    return grade_labs(s, lab, x, take, &j, e) ? -1 : (int)j.status;
}

/* Addresses are the simulator's; on a GPU they are drawn on the simulated device beside it. The line belongs
 * to one of the exercise's kernels. */
static int map(
    struct session *s, const struct lab *lab, const struct exercise *x, const char *line, struct err *e)
{
    int bad = -1;
    for (int i = 0; x->steps[i].kernel && bad; i++) {
        char *words[] = {"--lab", (char *)lab->name, "--exercise", (char *)x->name, "--map", (char *)line,
            "--student", s->workbench.directory, "--device", s->workbench.counter, "--kernel",
            (char *)x->steps[i].kernel};
        bad = command_profile(sizeof words / sizeof *words, words, e);
    }
    return bad;
}

/* As make step does it, on the learner's file. */
static int step(struct session *s, const struct lab *lab, const struct exercise *x, struct err *e)
{
    char *words[] = {"--lab", (char *)lab->name, "--exercise", (char *)x->name, "--student",
        s->workbench.directory, "--device", s->workbench.counter, "--front", (char *)s->workbench.front.kind};
    return command_step(sizeof words / sizeof *words, words, e);
}

int command_learn(int argc, char **argv, struct err *e)
{
    const char *student = NULL, *device = NULL, *front = NULL;
    const struct option_spec specs[] = {
        {"--student", &student}, {"--device", &device}, {"--front", &front}, {0}};
    struct session session;
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 ||
        session_open(&session, device, front, student, NULL, e))
        return -1;
    session.rungs = 1;
    session.brief = BRIEF_SECONDS;
    session.watch = watch;
    const struct learn learn = {&session, judge, map, step};
    int bad = progress_kept(&session.workbench.kit, session.workbench.directory)
        ? learn_run(&learn, e)
        : err_set(e, ERR_USAGE, "%s: lies in the kit's solutions or tests; learn in labs, or in a copy of it",
              session.workbench.directory);
    session_close(&session);
    return bad;
}
