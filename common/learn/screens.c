/* screens.c - what is shown without a run: welcome, exercise, list, keys, the last screen.
 *
 *     welcome --> exercise --> (answers) --> ... --> the last screen: times of the learner's steps
 *
 * Each screen fits 24 rows of 80 columns. */
#include "learn/learn_private.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many exercises of a lab, or of all, were passed. *all: how many exercises there are. */
static int passed(const struct progress *p, const struct lab *lab, int *all)
{
    int count = 0;
    *all = 0;
    for (int i = 0; i < p->count; i++)
        if (!lab || p->past[i].lab == lab) {
            count += p->past[i].status == STATUS_PASSED;
            ++*all;
        }
    return count;
}

int screen_passed(const struct progress *p, const struct lab *lab)
{
    int all, count = passed(p, lab, &all);
    return count == all;
}

void screen_welcome(struct buf *out, const struct progress *p, int back)
{
    int all, count = passed(p, NULL, &all);
    if (back || count) {
        buf_printf(out, "Welcome back. %d of %d exercises are passed.%s\n\n", count, all,
            count == all ? " e shows your own ladder." : "");
        return;
    }
    buf_printf(out,
        "Welcome to Lockstep: %d exercises, from your first kernel to a tuned one.\n"
        "No GPU is needed. Each exercise is a file that you open in your own editor;\n"
        "each time you save it, the answer appears here. The way through one:\n\n"
        "  read the slide (s) - predict (g) - write and save - compare - next (n)\n\n",
        all);
}

/* How many predictions have no number in the file yet. */
static int unknown(const char *file, const struct exercise_progress *x)
{
    int count = 0;
    for (const struct prediction *q = x->exercise->predictions; q && q->name; q++) {
        char *value = files_predicted(file, q->name);
        count += value && !strcmp(value, "UNKNOWN");
        free(value);
    }
    return count;
}

void screen_bar(struct buf *out, const struct progress *p)
{
    const struct lab *lab = p->past[p->at].lab;
    const struct screen screen = screen_of(STDOUT_FILENO);
    int of_lab, all, in_lab = passed(p, lab, &of_lab), count = passed(p, NULL, &all);
    buf_printf(out, "%s [", lab->name);
    screen_ink(&screen, out, INK_GOOD);
    for (int i = 0; i < p->count; i++)
        if (p->past[i].lab == lab)
            buf_printf(out, "%c",
                p->past[i].status == STATUS_PASSED ? '#'
                : i == p->at                       ? '>'
                                                   : '-');
    screen_ink(&screen, out, INK_PLAIN);
    buf_printf(out, "] %d of %d passed; %d of %d in all\n", in_lab, of_lab, count, all);
}

void screen_exercise(struct buf *out, const struct learn *l, const struct progress *p)
{
    const struct workbench *w = &l->session->workbench;
    const struct exercise_progress *x = &p->past[p->at];
    char *file = workbench_file(w->directory, x->lab, x->exercise), *deck, title[80];
    int guesses = unknown(file, x);
    files_slide(&w->kit, x, &deck, title, sizeof title);
    buf_printf(out, "%s %s (%d of %d)%s\n  ", x->lab->name, x->exercise->name, p->at + 1, p->count,
        x->status == STATUS_PASSED ? ": passed" : "");
    buf_printf(out, "%s\n", x->exercise->title);
    screen_bar(out, p);
    buf_printf(out, "\n");
    buf_printf(
        out, "  read      %s%s%s%s\n", deck, *title ? ", \"" : "", title, *title ? "\"" : "");
    buf_printf(out, "            labs/%s/README.md\n", x->lab->name);
    if (guesses)
        buf_printf(out, "  predict   g asks %d question%s; the first guess is kept and counts\n",
            guesses, plural_s(guesses));
    buf_printf(out, "  write     %s\n  save      and the answer appears here\n\n", file);
    free(deck);
    free(file);
}

/* ---- the list ---- */

static const char *mark(const struct exercise_progress *x)
{
    return x->status == STATUS_PASSED ? "*" : x->status == STATUS_NOT_ATTEMPTED ? " " : "~";
}

/* The list has one line for each lab, or two if its exercises need them. */
void screen_list(struct buf *out, const struct progress *p)
{
    const struct lab *lab = NULL;
    int column = 0, all, count = passed(p, NULL, &all);
    buf_printf(
        out, "%d of %d exercises are passed (*); ~ is begun, > is where you are\n", count, all);
    for (int i = 0; i < p->count; i++) {
        const struct exercise_progress *x = &p->past[i];
        char text[64];
        int n = snprintf(
            text, sizeof text, " %s%s%s", i == p->at ? ">" : "", mark(x), x->exercise->name);
        if (x->status != STATUS_PASSED && x->score > 0)
            n += snprintf(text + n, sizeof text - (size_t)n, " %g/%d", x->score,
                exercise_max_points(x->exercise));
        if (lab != x->lab || column + n > 79) {
            buf_printf(out, "\n%-13s", lab != x->lab ? x->lab->name : "");
            column = 13;
        }
        lab = x->lab;
        buf_printf(out, "%s", text);
        column += n;
    }
    buf_printf(out, "\n\n");
}

/* ---- the keys ---- */

void screen_help(struct buf *out, const struct exercise_progress *x, int solutions)
{
    buf_printf(out,
        "Save %s in your editor, and the answer appears.\n\n"
        "  Enter  run again           l  list of exercises     q  quit\n"
        "  n      next exercise       p  previous exercise     ?  this page\n"
        "  s      open the slide      g  predict               h  a hint, then another\n"
        "  w      why it is wrong: what is wrong there, then an edit that corrects it\n"
        "  c      everything about the last answer: counters, limits, all drawings\n"
        "  m      which lane accesses what, drawn for a line of your file; Esc leaves\n"
        "  t      step through a warp, line by line\n"
        "  r      start again from the skeleton (yours is kept as a backup)\n"
        "  j      to the exercise whose file you have just saved\n"
        "%s"
        "  e      your own ladder: the times of what you have passed\n\n",
        x->exercise->kind == EXERCISE_CUDA ? "the .cu file" : "the .c file",
        solutions ? "  o      the solution, once the exercise is passed\n"
                    "  a      answers to the lab's questions, once all its exercises are\n"
                  : "");
    buf_printf(out,
        "The file .progress in your folder has what you passed, the hints you saw, and\n"
        "your first guess of each prediction with its time, which is what a final grading\n"
        "counts. Read it, and edit it if you like; it is there for your own honesty.\n\n");
}

/* ---- the times of the learner's own steps on one problem, in the order of the labs ---- */

/* The state while the times of the steps on one problem are printed (their sequence of
 * techniques). */
struct ladder {
    struct buf *out;
    const struct progress *p;
    double first, longest;
    int measure; /* 1: only find the longest time, and print nothing */
    const char *device;
    int rungs;
};

static int put_rung(void *context, const struct rung *r)
{
    struct ladder *l = context;
    const struct exercise_progress *x = &l->p->past[progress_find(l->p, r->lab, r->exercise)];
    const struct rung_time *t = &x->rung[r->step];
    if (!(t->ms > 0)) return 0;
    if (l->measure) {
        l->longest = fmax(l->longest, t->ms);
        return 0;
    }
    /* times that were measured on different devices are not compared */
    if (!l->rungs || strcmp(l->device, t->device)) l->first = t->ms;
    l->device = t->device;
    int bar = (int)lround(28 * t->ms / l->longest);
    buf_printf(l->out, "  %-26s ", r->exercise->steps[r->step].rung);
    struct buf ms = {0};
    buf_rounded(&ms, t->ms);
    buf_printf(l->out, "%6s ms %-28.*s %5.1fx\n", ms.data, bar, "############################",
        l->first / t->ms);
    buf_free(&ms);
    l->rungs++;
    return 0;
}

void screen_end(struct buf *out, const struct progress *p)
{
    static const char *const ladders[][2] = {
        {"matmul", "C = A B"}, {"transpose", "transpose"}, {"aat", "C = A A^T"}};
    int all, count = passed(p, NULL, &all);
    if (count == all)
        buf_printf(out, "All %d exercises are passed. This is your own ladder:\n", all);
    else
        buf_printf(
            out, "Your ladder so far, from your own kernels (%d of %d passed):\n", count, all);
    int rungs = 0;
    for (int i = 0; i < 3; i++) {
        struct buf rows = {0};
        struct ladder l = {.out = &rows, .p = p};
        const char *problem = ladders[i][0];
        l.measure = 1;
        ladder_walk(problem, EXERCISE_CUDA, put_rung, &l);
        l.measure = 0;
        ladder_walk(problem, EXERCISE_CUDA, put_rung, &l);
        rungs += l.rungs;
        /* also show the time of a copy, which a transpose should reach */
        if (!strcmp(problem, "transpose") && l.longest > 0)
            ladder_walk("copy", EXERCISE_CUDA, put_rung, &l);
        if (l.rungs)
            buf_printf(
                out, "%s%s%s\n%s", ladders[i][1], *l.device ? ", on " : "", l.device, rows.data);
        buf_free(&rows);
    }
    if (!rungs) buf_printf(out, "  nothing yet: pass 01-naive copy, and its first rung is there\n");
    if (count == all)
        buf_printf(out,
            "Next: other GPUs (make compare LAB=04 EX=matmul); 4 x 4 sums in a thread; or a\n"
            "kernel of your own: build/lockstep profile FILE.cu explains each of its lines.\n");
}
