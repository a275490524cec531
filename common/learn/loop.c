/* loop.c - one exercise at a time: keys and saves come in, answers are shown.
 *
 *     wait --┬-- key ----------> next, hint, list, ... --┐
 *       ^    │     └-- while a question is open: its line│
 *       │    ├-- save ---------> a child judges          │
 *       │    └-- the child ----> its answer, a page      │
 *       └------------------------------------------------┘
 *
 * Saves are detected by a watch of the folder, since editors replace files; and by the file's
 * time twice a second, for folders in which a watch does not work. A child prints for the
 * learner; what the loop needs is passed as values, in memory that both share. */
#include "learn/learn_private.h"
#include "view/view.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ESCAPE = 27 };

struct loop {
    const struct learn *learn;
    struct workbench *w;
    struct progress progress;
    char *file;             /* path of the exercise's file */
    int notify, watch;      /* of os_watch_open and os_watch_add; -1: none */
    struct timespec *saved; /* per exercise: modification time of its file when last checked */
    /* index of another exercise whose file was saved while this one was shown; -1: none */
    int other;
    struct child child;
    struct shared {
        struct outcome outcome;
        struct access_lines accesses;
    } * told; /* shared memory, in which a child process writes its results */
    /* whether each prediction was right in the last answer; GUESS_OPEN after a change of
     * exercise */
    enum guess guess[PREDICTIONS_MAX];
    struct buf answer; /* what the child printed */
    /* the last answer in brief, with more and more of the cause; all that is known, for key c */
    struct buf brief[LEARN_BRIEFS], everything;
    int part;    /* the index of the brief answer that was shown last */
    int seconds; /* seconds that a long run has taken, as shown last */
    int done;
    /* The members up to the end belong to the open question. */
    /* called with the line that was typed, or NULL if the question was cancelled. reply NULL: no
     * question is open */
    void (*reply)(struct loop *l, const char *line);
    struct question question;
    char *prompt;
    char asks[PREDICTIONS_MAX]; /* per prediction: is it one that key g asks for? */
    /* asked: index of the prediction in the open question; wrote: was any prediction written to
     * the file? */
    int asked, wrote;
};

static struct exercise_progress *here(struct loop *l) { return &l->progress.past[l->progress.at]; }

/* ---- the exercise's file ---- */

/* Has the modification time of an exercise's file changed since it was last checked? */
static int changed(struct loop *l, int at)
{
    const struct exercise_progress *x = &l->progress.past[at];
    struct timespec *was = &l->saved[at];
    struct stat st;
    char *file = workbench_file(l->w->directory, x->lab, x->exercise);
    int bad = stat(file, &st);
    free(file);
    if (bad) return 0;
    int other = st.st_mtim.tv_sec != was->tv_sec || st.st_mtim.tv_nsec != was->tv_nsec;
    *was = st.st_mtim;
    return other;
}

static int saved(struct loop *l) { return changed(l, l->progress.at); }

/* Watch the folder of the exercise. */
static void watch(struct loop *l)
{
    char *folder = xstrdup(l->file);
    *strrchr(folder, '/') = 0;
    os_watch_remove(l->notify, l->watch);
    l->watch = os_watch_add(l->notify, folder);
    saved(l);
    free(folder);
}

/* Read all events. Is one of them about the exercise's file? */
static int noticed(struct loop *l) { return os_watch_read(l->notify, strrchr(l->file, '/') + 1); }

/* Ignore this program's own write to the file: it is no save by the learner. */
static void own_save(struct loop *l)
{
    saved(l);
    noticed(l);
}

/* ---- progress ---- */

/* The complaint about the progress file, without the file's name and the line number, since the
 * line number changes whenever the file is written. */
static const char *complaint_about(const struct progress *p)
{
    const char *at = p->complaint ? p->complaint + strlen(p->file) + 1 : "";
    return at + strspn(at, "0123456789");
}

/* Read the progress file again: a child's run or the learner may have changed it. If the file
 * cannot be read, an error is shown and the old state is kept; a line that cannot be read is
 * reported once. */
static int remember(struct loop *l)
{
    struct progress fresh;
    struct err e = {0};
    int at = l->progress.at, bad = progress_read_kindly(&fresh, l->w->directory, &e);
    if (bad) {
        terminal_say("%s", e.text);
        progress_free(&fresh);
        return -1;
    }
    if (fresh.complaint && strcmp(complaint_about(&l->progress), complaint_about(&fresh)))
        terminal_say("%s", fresh.complaint);
    progress_free(&l->progress);
    l->progress = fresh;
    l->progress.at = at;
    return 0;
}

/* Record in the progress file which exercise is shown. */
static void keep_place(struct loop *l)
{
    struct err e = {0};
    if (!remember(l) && progress_write(&l->progress, &e)) terminal_say("%s", e.text);
}

/* ---- screens ---- */

enum greeting { NONE, FIRST, AGAIN };

static void keys(struct loop *l)
{
    struct exercise_progress *x = here(l);
    int more = l->brief[0].len && l->told->outcome.cause && l->part + 1 < LEARN_BRIEFS;
    terminal_say("%s %s: %s%s   [?] keys%s", x->lab->name, x->exercise->name,
        more ? "[w] why   " : "",
        x->status != STATUS_PASSED                          ? "[h] hint   [s] slide   [n] next"
        : kit_has_solution(&l->w->kit, x->lab, x->exercise) ? "passed   [n] next   [o] solution"
                                                            : "passed   [n] next",
        x->exercise->predictions && x->status != STATUS_PASSED ? "   [g] predict" : "");
}

static void show(struct loop *l, struct buf *text)
{
    terminal_page(text);
    keys(l);
}

static void show_exercise(struct loop *l, enum greeting greeting)
{
    struct buf out = {0};
    if (greeting != NONE) screen_welcome(&out, &l->progress, greeting == AGAIN);
    if (greeting != NONE && l->progress.complaint && !remember(l)) {
        report_wrapped(&out, 0, l->progress.complaint);
        buf_printf(&out, "\n");
    }
    if (greeting != NONE && l->learn->made)
        buf_printf(&out, "%s is new: your own folder, with the skeletons of all exercises.\n\n",
            l->w->directory);
    screen_exercise(&out, l->learn, &l->progress);
    show(l, &out);
}

static void forget_answer(struct loop *l)
{
    buf_free(&l->answer);
    buf_free(&l->everything);
    for (int i = 0; i < LEARN_BRIEFS; i++) buf_free(&l->brief[i]);
    l->part = 0;
}

static void go_to(struct loop *l, int at, enum greeting greeting)
{
    child_end(&l->child);
    l->progress.at = at;
    keep_place(l);
    free(l->file);
    l->file = workbench_file(l->w->directory, here(l)->lab, here(l)->exercise);
    l->reply = NULL;
    if (l->other == at) l->other = -1;
    memset(l->guess, 0, sizeof l->guess);
    forget_answer(l);
    watch(l);
    show_exercise(l, greeting);
}

/* ---- answers ---- */

static int judge_there(void *context, struct err *e)
{
    struct loop *l = context;
    return l->learn->judge(
        l->learn->session, here(l)->lab, here(l)->exercise, &l->told->outcome, e);
}

static void begin(struct loop *l)
{
    struct err e = {0};
    l->reply = NULL;
    child_end(&l->child);
    l->told->outcome = (struct outcome){.status = STATUS_ERROR};
    terminal_clear();
    terminal_say("%s: running ...", l->file);
    forget_answer(l);
    l->seconds = 0;
    if (learn_start(&l->child, judge_there, l, &e)) terminal_say("%s", e.text);
}

/* Cut what the child printed at each LEARN_NEXT. A child that ended early printed one part. */
static void take_answer(struct loop *l)
{
    const char *at = l->answer.len ? l->answer.data : "";
    for (int i = 0; i <= LEARN_BRIEFS; i++) {
        size_t n = strcspn(at, (const char[]){LEARN_NEXT, 0});
        buf_add(i < LEARN_BRIEFS ? &l->brief[i] : &l->everything, at, n);
        at += n + (at[n] != 0);
    }
    buf_free(&l->answer);
}

/* Show the answer of the child, which has ended with this result. The first line of the answer is
 * the verdict. */
static void answered(struct loop *l, int result)
{
    static const char *const verdicts[] = {"PASSED, n is the next exercise: ", "Not passed yet: ",
        "Nothing to judge yet; write the TODOs and save:", "It cannot be run; the reason:"};
    const struct outcome *o = &l->told->outcome;
    struct buf out = {0};
    int before = screen_passed(&l->progress, NULL);
    remember(l);
    const struct screen screen = screen_of(STDOUT_FILENO);
    int passed = result >= 0 && o->status == STATUS_PASSED;
    /* no output was written, but the cause is known: that is a failed attempt */
    enum status status = o->status == STATUS_NOT_ATTEMPTED && o->cause ? STATUS_FAILED : o->status;
    screen_ink(&screen, &out, passed ? INK_GOOD : INK_STRONG);
    buf_printf(&out, "%s", result < 0 ? "The run ended early; the reason:" : verdicts[status]);
    if (result >= 0 && (passed || status == STATUS_FAILED)) points_text(&out, o->points);
    screen_ink(&screen, &out, INK_PLAIN);
    buf_printf(&out, "\n");
    screen_bar(&out, &l->progress);
    buf_printf(&out, "\n");
    if (result >= 0) memcpy(l->guess, o->guess, sizeof l->guess);
    take_answer(l);
    if (l->brief[0].len) buf_printf(&out, "%s", l->brief[0].data);
    if (!before && screen_passed(&l->progress, NULL)) {
        buf_free(&out);
        screen_end(&out, &l->progress);
    }
    show(l, &out);
}

/* Show the answer up to its last form feed, and remove that part. */
static void show_early(struct loop *l)
{
    char *end = l->answer.len ? strrchr(l->answer.data, '\f') : NULL;
    if (!end) return;
    printf("\r\033[K%.*s", (int)(end - l->answer.data), l->answer.data);
    fflush(stdout);
    struct buf rest = {0};
    buf_add(&rest, end + 1, l->answer.len - (size_t)(end + 1 - l->answer.data));
    buf_free(&l->answer);
    l->answer = rest;
}

/* Show how long the run has taken, once per second. */
static void tick(struct loop *l)
{
    int seconds = l->child.pid ? (int)(clock_seconds() - l->child.began) : 0;
    if (seconds <= l->seconds || l->reply) return;
    l->seconds = seconds;
    printf("\r%d s; a new save starts again ", seconds);
    fflush(stdout);
}

/* ---- keys ---- */

static void hint(struct loop *l)
{
    struct buf out = {0};
    struct err e = {0};
    remember(l);
    int *shown = &here(l)->hints, there = files_hints(&l->w->kit, here(l), *shown + 1, &out);
    if (!there)
        buf_printf(&out, "There is no hint for this exercise.\n");
    else if (*shown >= there)
        buf_printf(&out, "\nThat was the last hint.\n");
    else
        buf_printf(&out, "\nHint %d of %d.%s\n", *shown + 1, there,
            *shown + 1 < there ? " h shows one more." : "");
    if (*shown < there) {
        ++*shown;
        if (progress_write(&l->progress, &e)) terminal_say("%s", e.text);
    }
    show(l, &out);
}

/* ---- questions ---- */

/* Open a question; prompt is freed when the question is closed. The loop continues; a save closes
 * the question. */
static void ask(struct loop *l, char *prompt, void (*reply)(struct loop *l, const char *line))
{
    free(l->prompt);
    l->prompt = prompt;
    l->reply = reply;
    question_ask(&l->question, prompt);
}

static void on_question_key(struct loop *l, int key)
{
    enum pressed pressed = question_key(&l->question, key);
    void (*reply)(struct loop *, const char *) = l->reply;
    if (pressed == PRESSED_MORE) return;
    l->reply = NULL;
    char *line = pressed == PRESSED_LINE ? xstrdup(l->question.line) : NULL;
    reply(l, line ? line + strspn(line, " \t") : NULL);
    free(line);
}

/* Choose the predictions to ask for: those that are UNKNOWN or wrong; if there are none, all.
 * Returns how many predictions are left out. */
static int choose_predictions(struct loop *l)
{
    const struct prediction *q = here(l)->exercise->predictions;
    int all = 0, count = 0;
    for (; q[all].name && all < PREDICTIONS_MAX; all++) {
        char *value = files_predicted(l->file, q[all].name);
        l->asks[all] = l->guess[all] == GUESS_WRONG || (value && !strcmp(value, "UNKNOWN"));
        count += l->asks[all];
        free(value);
    }
    if (!count) memset(l->asks, 1, sizeof l->asks);
    return count ? all - count : 0;
}

static void reply_prediction(struct loop *l, const char *line);

/* Ask for the next chosen prediction; after the last one, run the exercise. */
static void ask_prediction(struct loop *l)
{
    const struct exercise_progress *x = here(l);
    const struct prediction *q = x->exercise->predictions;
    int i = l->asked;
    while (i < PREDICTIONS_MAX && q[i].name && !l->asks[i]) i++;
    l->asked = i;
    if (i == PREDICTIONS_MAX || !q[i].name) {
        own_save(l);
        begin(l);
        return;
    }
    char *value = files_predicted(l->file, q[i].name);
    struct buf asks = {0}, wrapped = {0};
    char *question = prediction_question(x->exercise, &q[i]);
    buf_printf(&asks, "%s, %s", q[i].name, question);
    free(question);
    report_wrapped(&wrapped, 0, asks.data);
    printf("%s", wrapped.data);
    if (x->first[i].said != -1) terminal_say("  (the first guess was %d)", x->first[i].said);
    ask(l, xasprintf("  %s > ", value ? value : ""), reply_prediction);
    buf_free(&wrapped);
    buf_free(&asks);
    free(value);
}

static void reply_prediction(struct loop *l, const char *line)
{
    struct err e = {0};
    if (!line && l->wrote)
        begin(l);
    else if (!line)
        keys(l);
    if (!line) return;
    if (*line && files_predict(l->file, here(l)->exercise->predictions[l->asked].name, line, &e)) {
        terminal_say("  %s", e.text);
    } else {
        l->wrote |= *line != 0;
        l->asked++;
    }
    own_save(l);
    ask_prediction(l);
}

/* Ask for the chosen predictions one after the other. An empty line keeps the number in the
 * file. */
static void predict(struct loop *l)
{
    if (!here(l)->exercise->predictions) {
        terminal_say("This exercise asks for no prediction.");
        return;
    }
    terminal_clear();
    int out = choose_predictions(l);
    terminal_say("Write a number, or Enter to leave it; Esc ends. Your first guess is kept.");
    if (out == 1)
        terminal_say("1 that has a number is not asked again.");
    else if (out)
        terminal_say("%d that have a number are not asked again.", out);
    terminal_say("%s", "");
    l->asked = l->wrote = 0;
    ask_prediction(l);
}

struct mapped {
    struct loop *loop;
    const char *line;
};

static int map_there(void *context, struct err *e)
{
    struct mapped *m = context;
    const struct learn *l = m->loop->learn;
    return l->map(l->session, here(m->loop)->lab, here(m->loop)->exercise, m->line, e);
}

static int accesses_there(void *context, struct err *e)
{
    struct loop *l = context;
    return l->learn->accesses(
        l->learn->session, here(l)->lab, here(l)->exercise, &l->told->accesses, e);
}

static void draw_map(struct loop *l, const char *line)
{
    struct buf out = {0};
    struct err e = {0};
    struct mapped m = {l, line};
    if (child_run(map_there, &m, &out, &e) < 0 && *e.text) terminal_say("%s", e.text);
    if (out.len)
        show(l, &out);
    else
        keys(l);
}

static void reply_map(struct loop *l, const char *line)
{
    const struct access_lines *a = &l->told->accesses;
    char number[16];
    if (!line || !*line) {
        keys(l);
        return;
    }
    for (int i = 0; i < a->count; i++) {
        snprintf(number, sizeof number, "%d", a->line[i]);
        if (!strcmp(number, line)) {
            draw_map(l, number);
            return;
        }
    }
    terminal_say("%s: not a number of this list; Esc ends", line);
    ask(l, xstrdup("map of which line? "), reply_map);
}

/* List the lines that access memory: as many as fit are shown with their text, the others by
 * number. */
static void list_accesses(struct loop *l)
{
    enum { WITH_TEXT = 17 };
    const struct access_lines *a = &l->told->accesses;
    char *text = NULL;
    struct buf more = {0}, wrapped = {0};
    if (file_read(l->file, 1 << 20, &text, NULL, NULL)) text = xstrdup("");
    terminal_clear();
    terminal_say("Lines of %s that access memory:", strrchr(l->file, '/') + 1);
    for (int i = 0; i < a->count; i++) {
        char *line = source_line(text, a->line[i]);
        if (i < WITH_TEXT)
            terminal_say("  %4d | %.70s", a->line[i], line);
        else
            buf_printf(&more, "%s%d", more.len ? ", " : "and ", a->line[i]);
        free(line);
    }
    if (more.len) report_wrapped(&wrapped, 2, more.data);
    if (more.len) printf("%s", wrapped.data);
    buf_free(&wrapped);
    buf_free(&more);
    free(text);
}

static void map(struct loop *l)
{
    struct buf out = {0};
    struct err e = {0};
    if (here(l)->exercise->kind == EXERCISE_HOST) {
        terminal_say("This exercise is C for the CPU: it has no lanes to draw.");
        return;
    }
    terminal_say("looking for the lines that access memory ...");
    l->told->accesses.count = 0;
    if (child_run(accesses_there, l, &out, &e) < 0 || !l->told->accesses.count) {
        if (!out.len) buf_printf(&out, "%s\n", *e.text ? e.text : "No line accesses memory yet.");
        show(l, &out);
        return;
    }
    buf_free(&out);
    list_accesses(l);
    ask(l, xstrdup("map of which line? "), reply_map);
}

/* ---- pages and files ---- */

static void open_page(const char *page)
{
    if (fork()) return;
    terminal_forked();
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
    if (fork()) _exit(0); /* forked twice, so that nobody has to wait for the browser's end */
    execlp("xdg-open", "xdg-open", page, (char *)NULL);
    _exit(1);
}

/* Show the exercise's slide: in a browser if there is a display, else as text. */
static void slide(struct loop *l)
{
    char *deck, title[80];
    struct buf out = {0}, figures = {0};
    files_slide(&l->w->kit, here(l), &deck, title, sizeof title);
    char *page = kit_path(&l->w->kit, "build/slides/%s.html", here(l)->lab->name);
    if (file_exists(page) && (getenv("DISPLAY") || getenv("WAYLAND_DISPLAY"))) {
        open_page(page);
        terminal_say(
            "slides: %s%s%s%s", page, *title ? ", the slide \"" : "", title, *title ? "\"" : "");
    } else {
        buf_printf(&out, "%s, as text; make slides makes a page with figures: %s\n\n", deck, page);
        files_deck(deck, title, &out, &figures);
        buf_free(&figures);
        show(l, &out);
    }
    free(page);
    free(deck);
}

static void reply_reset(struct loop *l, const char *line)
{
    struct err e = {0};
    char *backup = NULL;
    if (!line || tolower((unsigned char)*line) != 'y')
        terminal_say("Nothing is changed.");
    else if (files_reset(&l->w->kit, l->w->directory, here(l), &backup, &e))
        terminal_say("%s", e.text);
    else
        terminal_say("%s is the skeleton again; yours is %s", l->file, backup);
    if (backup) own_save(l);
    free(backup);
}

static void reset(struct loop *l)
{
    ask(l, xstrdup("start this file again? your version is kept [y/N] "), reply_reset);
}

/* Show a file that only those who have passed the exercise may see. until: show the file up to this
 * text. */
static void reveal(struct loop *l, int allowed, char *path, const char *until)
{
    char *text = NULL;
    struct err e = {0};
    struct buf out = {0};
    if (!file_exists(path)) {
        terminal_say("%s: not in this kit, which is a handout; your teacher has it", path);
    } else if (!allowed) {
        terminal_say("%s", until);
    } else if (file_read(path, 1 << 20, &text, NULL, &e)) {
        terminal_say("%s", e.text);
    } else {
        files_uncomment(text);
        buf_printf(&out, "%s\n\n%s", path, text);
        show(l, &out);
    }
    free(text);
    free(path);
}

static int step_there(void *context, struct err *e)
{
    struct loop *l = context;
    return l->learn->step(l->learn->session, here(l)->lab, here(l)->exercise, e);
}

/* While the learner steps through the kernel, `lockstep step` has the terminal. */
static void step(struct loop *l)
{
    struct err e = {0};
    if (here(l)->exercise->kind == EXERCISE_HOST) {
        terminal_say("This exercise is C for the CPU: it has no warps.");
        return;
    }
    terminal_say("stepping through warp 0 of block 0; q comes back ...");
    if (child_attend(step_there, l, &e) < 0 && *e.text) terminal_say("%s", e.text);
    keys(l);
}

static void next(struct loop *l)
{
    struct buf out = {0};
    if (l->progress.at + 1 < l->progress.count) {
        go_to(l, l->progress.at + 1, NONE);
        return;
    }
    screen_end(&out, &l->progress);
    show(l, &out);
}

static void previous(struct loop *l)
{
    if (l->progress.at)
        go_to(l, l->progress.at - 1, NONE);
    else
        terminal_say("This is the first exercise.");
}

/* If the file of another exercise was saved, tell the learner, once per save. */
static void look_elsewhere(struct loop *l)
{
    const struct exercise_progress *own = here(l);
    for (int i = 0; i < l->progress.count; i++) {
        const struct exercise_progress *x = &l->progress.past[i];
        if (i == l->progress.at || !changed(l, i)) continue;
        l->other = i;
        printf("\r\033[K");
        if (l->reply) printf("\n");
        terminal_say("%s%s%s%s was saved; press j to go there",
            x->lab == own->lab ? "" : x->lab->name, x->lab == own->lab ? "" : "/",
            x->exercise->name, x->exercise->kind == EXERCISE_CUDA ? ".cu" : ".c");
        if (l->reply) question_again(&l->question);
    }
}

/* Switch to the exercise whose file was saved, and answer that save. */
static void go_elsewhere(struct loop *l)
{
    if (l->other < 0) {
        terminal_say(
            "No other exercise was saved; l lists them, n and p go to the next and the previous.");
        return;
    }
    go_to(l, l->other, NONE);
    begin(l);
}

static void page_of(struct loop *l, int key)
{
    struct buf out = {0};
    if (key == 'l')
        screen_list(&out, &l->progress);
    else if (key == 'e')
        screen_end(&out, &l->progress);
    else
        screen_help(&out, here(l), kit_has_solutions(&l->w->kit));
    show(l, &out);
}

/* Show one more part of the cause. */
static void why(struct loop *l)
{
    struct buf out = {0};
    if (!l->brief[0].len || !l->told->outcome.cause) {
        terminal_say(l->brief[0].len ? "No cause is known; h gives a hint, c shows everything."
                                     : "There is no answer yet; save the file, or press Enter.");
        return;
    }
    if (l->part + 1 < LEARN_BRIEFS) l->part++;
    buf_add(&out, l->brief[l->part].data, l->brief[l->part].len);
    show(l, &out);
}

/* Show all that is known of the last answer. */
static void everything(struct loop *l)
{
    struct buf out = {0};
    if (!l->everything.len) {
        terminal_say("There is no answer yet; save the file, or press Enter.");
        return;
    }
    buf_add(&out, l->everything.data, l->everything.len);
    show(l, &out);
}

static void on_key(struct loop *l, int key)
{
    const struct exercise_progress *x = here(l);
    const struct kit *k = &l->w->kit;
    char *solutions = kit_path(k, "solutions");
    switch (key) {
    case '\n':
    case '\r': begin(l); break;
    case ' ':
        if (terminal_more()) keys(l);
        break;
    case 'n': next(l); break;
    case 'p': previous(l); break;
    case 'h': hint(l); break;
    case 'g': predict(l); break;
    case 'm': map(l); break;
    case 'c': everything(l); break;
    case 'w': why(l); break;
    case 's': slide(l); break;
    case 'r': reset(l); break;
    case 'j': go_elsewhere(l); break;
    case 't': step(l); break;
    case 'o':
        reveal(l, x->status == STATUS_PASSED, workbench_file(solutions, x->lab, x->exercise),
            "The solution is shown when the exercise is passed. h gives a hint.");
        break;
    case 'a':
        reveal(l, screen_passed(&l->progress, x->lab),
            xasprintf("%s/%s/README.md", solutions, x->lab->name),
            "The answers are shown when all exercises of the lab are passed (l lists them).");
        break;
    case 'q':
    case 4: l->done = 1; break;
    case 'l':
    case 'e':
    case '?': page_of(l, key); break;
    default:
        if (key >= ' ') terminal_say("%c is no key here; ? lists them", key);
    }
    free(solutions);
}

/* ---- the loop ---- */

/* Wait for one key, save or output of the child, and handle it. */
static void turn(struct loop *l)
{
    struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {l->notify, POLLIN, 0},
        {l->child.pid && !l->reply ? l->child.out : -1, POLLIN, 0}};
    int result = -1, n = poll(fds, 3, 500);
    if (terminal_changed() && !l->child.pid) {
        l->reply = NULL;
        show_exercise(l, NONE);
    }
    if (n > 0 && fds[2].revents) {
        int goes_on = child_take(&l->child, &l->answer, &result);
        show_early(l);
        if (!goes_on) answered(l, result);
    }
    if (n > 0 && fds[0].revents) {
        unsigned char key = 0;
        int got = read(STDIN_FILENO, &key, 1) == 1;
        /* arrow keys and the like have no function here */
        int arrow = got && key == ESCAPE && terminal_sequence();
        if (!got)
            l->done = errno != EINTR;
        else if (!arrow && l->reply)
            on_question_key(l, key);
        else if (!arrow)
            on_key(l, key);
    }
    int told = n > 0 && fds[1].revents && noticed(l);
    if (saved(l) || told) begin(l);
    look_elsewhere(l);
    tick(l);
}

/* The first exercise that was not passed, searched from where the learner was. */
static int first_open(const struct progress *p)
{
    int from = p->at >= 0 ? p->at : 0;
    for (int i = 0; i < p->count; i++) {
        int at = (from + i) % p->count;
        if (p->past[at].status != STATUS_PASSED) return at;
    }
    return from;
}

int learn_run(const struct learn *learn, struct err *e)
{
    struct loop l = {.learn = learn, .w = &learn->session->workbench, .watch = -1, .other = -1};
    l.told = mmap(NULL, sizeof *l.told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int bad = l.told == MAP_FAILED
                  ? err_set(e, ERR_ENV, "no memory to share with a process: %s", strerror(errno))
                  : progress_read_kindly(&l.progress, l.w->directory, e) ||
                        files_keep(&l.w->kit, l.w->directory, e) || terminal_open(e);
    if (!bad) {
        l.notify = os_watch_open();
        l.saved = xcalloc((size_t)l.progress.count, sizeof *l.saved);
        for (int i = 0; i < l.progress.count; i++) changed(&l, i);
        int first = first_open(&l.progress);
        go_to(&l, first, l.progress.at >= 0 ? AGAIN : FIRST);
        while (!l.done && !terminal_ended()) turn(&l);
        child_end(&l.child);
        char *labs = kit_path(&l.w->kit, "labs");
        int own = strcmp(labs, l.w->directory);
        free(labs);
        terminal_say("\nmake learn%s%s goes on where you are: %s %s", own ? " STUDENT=" : "",
            own ? l.w->directory : "", here(&l)->lab->name, here(&l)->exercise->name);
        terminal_close();
        if (l.notify >= 0) close(l.notify);
    }
    forget_answer(&l);
    progress_free(&l.progress);
    if (l.told != MAP_FAILED) munmap(l.told, sizeof *l.told);
    free(l.saved);
    free(l.prompt);
    free(l.file);
    return bad ? -1 : 0;
}
