/* loop.c - one exercise at a time: keys and saves come in, answers go out.
 *
 *     wait --┬-- key ----------> next, hint, list, ... --┐
 *       ^    ├-- save ---------> a child judges          │
 *       │    └-- the child ----> its answer, a page      │
 *       └------------------------------------------------┘
 *
 * Saves are seen by inotify on the folder, since editors replace files; and by the file's time twice a
 * second, for folders on which inotify says nothing.
 */
#include "learn/parts.h"
#include "view/view.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

struct loop {
    const struct learn *learn;
    struct workbench *w;
    struct progress progress;
    char *file;            /* of the exercise */
    int notify, watch;     /* inotify; -1: none */
    struct timespec saved; /* the file's time when it was last looked at */
    struct child child;
    struct buf answer;
    int hints;             /* how many were shown of this exercise */
    int seconds;           /* of a long run, as last shown */
    int done;
};

static struct past *here(struct loop *l) { return &l->progress.past[l->progress.at]; }

/* ---- the file ---- */

/* Has the file another time than when it was last looked at? */
static int saved(struct loop *l)
{
    struct stat st;
    if (stat(l->file, &st)) return 0;
    int changed = st.st_mtim.tv_sec != l->saved.tv_sec || st.st_mtim.tv_nsec != l->saved.tv_nsec;
    l->saved = st.st_mtim;
    return changed;
}

/* Watch the folder of the exercise. */
static void watch(struct loop *l)
{
    char *folder = xstrdup(l->file);
    *strrchr(folder, '/') = 0;
    if (l->watch >= 0) inotify_rm_watch(l->notify, l->watch);
    l->watch = l->notify < 0 ? -1 : inotify_add_watch(l->notify, folder, IN_CLOSE_WRITE | IN_MOVED_TO);
    saved(l);
    free(folder);
}

/* Take all events. Is one of them about the exercise's file? */
static int noticed(struct loop *l)
{
    _Alignas(struct inotify_event) char events[4096];
    const char *name = strrchr(l->file, '/') + 1;
    int mine = 0;
    ssize_t n;
    while ((n = read(l->notify, events, sizeof events)) > 0)
        for (char *at = events; at < events + n;) {
            const struct inotify_event *v = (struct inotify_event *)at;
            mine |= v->len && !strcmp(v->name, name);
            at += sizeof *v + v->len;
        }
    return mine;
}

/* ---- what is remembered ---- */

/* Read it again: the run of a child has written to it, or the learner. A file that cannot be read any more is
 * told, and the old state stays. */
static int remember(struct loop *l)
{
    struct progress fresh;
    struct err e = {0};
    int at = l->progress.at, bad = progress_read(&fresh, l->w->directory, &e);
    if (bad) {
        terminal_say("%s", e.text);
        progress_free(&fresh);
        return -1;
    }
    progress_free(&l->progress);
    l->progress = fresh;
    l->progress.at = at;
    return 0;
}

/* Where the learner is, in the file. */
static void keep_place(struct loop *l)
{
    struct err e = {0};
    if (!remember(l) && progress_write(&l->progress, &e)) terminal_say("%s", e.text);
}

/* ---- screens ---- */

enum greeting { NONE, FIRST, AGAIN };

static void keys(struct loop *l)
{
    struct past *x = here(l);
    terminal_say("%s %s: %s   [?] keys%s", x->lab->name, x->exercise->name,
        x->status == STATUS_PASSED ? "passed   [n] next   [o] solution" : "[h] hint   [s] slide   [n] next",
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
    screen_exercise(&out, l->learn, &l->progress);
    show(l, &out);
}

static void go_to(struct loop *l, int at, enum greeting greeting)
{
    child_end(&l->child);
    l->progress.at = at;
    keep_place(l);
    free(l->file);
    l->file = workbench_file(l->w->directory, here(l)->lab, here(l)->exercise);
    l->hints = 0;
    watch(l);
    show_exercise(l, greeting);
}

/* ---- answers ---- */

static int judge_there(void *context, struct err *e)
{
    struct loop *l = context;
    return l->learn->judge(l->learn->session, here(l)->lab, here(l)->exercise, e);
}

static void begin(struct loop *l)
{
    struct err e = {0};
    terminal_clear();
    terminal_say("%s: running ...", l->file);
    buf_free(&l->answer);
    l->seconds = 0;
    if (child_start(&l->child, judge_there, l, &e)) terminal_say("%s", e.text);
}

/* The line of an answer that says how many points there are; "": none does. */
static const char *points_line(const struct buf *answer, int *n)
{
    const char *found = "";
    *n = 0;
    for (const char *at = answer->data; at && *at; at += *at == '\n') {
        int length = (int)strcspn(at, "\n");
        if (length > 7 && !strncmp(at + length - 7, " points", 7)) found = at, *n = length;
        at += length;
    }
    return found;
}

/* The first line of an answer is its verdict. */
static void answered(struct loop *l, int result)
{
    static const char *const verdicts[] = {"PASSED, n is the next exercise:", "Not passed yet:",
        "Nothing to judge yet; write the TODOs and save:", "It cannot be run; the reason:"};
    struct buf out = {0};
    int n, before = screen_passed(&l->progress, NULL);
    remember(l);
    const char *points = points_line(&l->answer, &n);
    buf_printf(&out, "%s%.*s\n\n",
        result >= 0 && result <= STATUS_ERROR ? verdicts[result] : "The run ended early; the reason:",
        result == STATUS_PASSED || result == STATUS_FAILED ? n : 0, points);
    if (l->answer.len) buf_add(&out, l->answer.data, l->answer.len);
    buf_free(&l->answer);
    if (!before && screen_passed(&l->progress, NULL)) {
        buf_free(&out);
        screen_end(&out, &l->progress);
    }
    show(l, &out);
}

/* Show what the answer has up to its last form feed, and drop it. */
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

/* A run of seconds says so. */
static void tick(struct loop *l)
{
    int seconds = l->child.pid ? (int)(clock_seconds() - l->child.began) : 0;
    if (seconds <= l->seconds) return;
    l->seconds = seconds;
    printf("\r%d s; a new save starts again ", seconds);
    fflush(stdout);
}

/* ---- keys ---- */

static void hint(struct loop *l)
{
    struct buf out = {0};
    int there = files_hints(&l->w->kit, here(l), l->hints + 1, &out);
    if (!there) buf_printf(&out, "There is no hint for this exercise.\n");
    else if (l->hints >= there) buf_printf(&out, "\nThat was the last hint.\n");
    else buf_printf(&out, "\nHint %d of %d.%s\n", l->hints + 1, there,
            l->hints + 1 < there ? " h shows one more." : "");
    if (l->hints < there) l->hints++;
    show(l, &out);
}

/* Print a question, broken between words. */
static void ask(struct buf *question)
{
    struct buf out = {0};
    report_wrapped(&out, 0, question->data);
    printf("%s", out.data);
    fflush(stdout);
    buf_free(&out);
    buf_free(question);
}

/* One after the other. What has a number already is asked again, and an empty line leaves it. */
static void predict(struct loop *l)
{
    const struct past *x = here(l);
    const struct prediction *q = x->exercise->predictions;
    if (!q) {
        terminal_say("This exercise asks for no prediction.");
        return;
    }
    terminal_clear();
    terminal_say("Write a number, or Enter to leave it. Your first guess is kept.\n");
    for (int i = 0; q[i].name && i < PREDICTIONS_MAX && !terminal_ended(); i++) {
        char *value = files_predicted(l->file, q[i].name), *number;
        struct err e = {0};
        struct buf asks = {0};
        buf_printf(&asks, "%s: %s", q[i].name, q[i].asks);
        ask(&asks);
        if (x->first[i].said != -1) terminal_say("  (the first guess was %d)", x->first[i].said);
        char *question = xasprintf("  %s > ", value ? value : "");
        number = terminal_ask(question);
        if (number && files_predict(l->file, q[i].name, number, &e)) {
            terminal_say("  %s", e.text);
            i--;
        }
        free(question);
        free(number);
        free(value);
    }
    saved(l);
    if (l->notify >= 0) noticed(l);
    begin(l);
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

static void map(struct loop *l)
{
    struct buf out = {0};
    struct err e = {0};
    struct mapped m = {l, NULL};
    char *line = terminal_ask("map of which line of the file? ");
    m.line = line;
    if (line && child_run(map_there, &m, &out, &e) < 0 && *e.text) terminal_say("%s", e.text);
    free(line);
    if (out.len) show(l, &out);
    else keys(l);
}

static void open_page(const char *page)
{
    if (fork()) return;
    terminal_forked();
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
    if (fork()) _exit(0); /* the browser is nobody's child to wait for */
    execlp("xdg-open", "xdg-open", page, (char *)NULL);
    _exit(1);
}

/* In a browser where there is a display; else as text. */
static void slide(struct loop *l)
{
    char *deck, title[80];
    struct buf out = {0};
    files_slide(&l->w->kit, here(l), &deck, title, sizeof title);
    char *page = kit_path(&l->w->kit, "build/slides/%s.html", here(l)->lab->name);
    if (file_exists(page) && (getenv("DISPLAY") || getenv("WAYLAND_DISPLAY"))) {
        open_page(page);
        terminal_say("slides: %s%s%s%s", page, *title ? ", the slide \"" : "", title, *title ? "\"" : "");
    } else {
        buf_printf(&out, "%s, as text; make slides makes a page with figures: %s\n\n", deck, page);
        files_deck(deck, title, &out);
        show(l, &out);
    }
    free(page);
    free(deck);
}

static void reset(struct loop *l)
{
    struct err e = {0};
    char *backup = NULL, *sure = terminal_ask("start this file again? your version is kept [y/N] ");
    int yes = sure && tolower((unsigned char)*sure) == 'y';
    free(sure);
    if (!yes) terminal_say("Nothing is changed.");
    else if (files_reset(&l->w->kit, l->w->directory, here(l), &backup, &e)) terminal_say("%s", e.text);
    else terminal_say("%s is the skeleton again; yours is %s", l->file, backup);
    saved(l);
    if (yes && l->notify >= 0) noticed(l);
    free(backup);
}

/* A file that only who has passed may see. */
static void reveal(struct loop *l, int allowed, char *path, const char *until)
{
    char *text = NULL;
    struct err e = {0};
    struct buf out = {0};
    if (!allowed) {
        terminal_say("%s", until);
    } else if (file_read(path, 1 << 20, &text, NULL, &e)) {
        terminal_say("%s", e.text);
    } else {
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

/* The stepper has the terminal until it is quit. */
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
    if (l->progress.at) go_to(l, l->progress.at - 1, NONE);
    else terminal_say("This is the first exercise.");
}

static void page_of(struct loop *l, int key)
{
    struct buf out = {0};
    if (key == 'l') screen_list(&out, &l->progress);
    else if (key == 'e') screen_end(&out, &l->progress);
    else screen_help(&out, here(l));
    show(l, &out);
}

static void on_key(struct loop *l, int key)
{
    const struct past *x = here(l);
    const struct kit *k = &l->w->kit;
    char *solutions = kit_path(k, "solutions");
    switch (key) {
    case '\n': case '\r': begin(l); break;
    case ' ': if (terminal_more()) keys(l); break;
    case 'n': next(l); break;
    case 'p': previous(l); break;
    case 'h': hint(l); break;
    case 'g': predict(l); break;
    case 'm': map(l); break;
    case 's': slide(l); break;
    case 'r': reset(l); break;
    case 't': step(l); break;
    case 'o':
        reveal(l, x->status == STATUS_PASSED, workbench_file(solutions, x->lab, x->exercise),
            "The solution is shown when the exercise is passed. h gives a hint.");
        break;
    case 'a':
        reveal(l, screen_passed(&l->progress, x->lab), xasprintf("%s/%s/README.md", solutions, x->lab->name),
            "The answers are shown when all exercises of the lab are passed (l lists them).");
        break;
    case 'q': case 4: l->done = 1; break;
    case 'l': case 'e': case '?': page_of(l, key); break;
    default: if (key >= ' ') terminal_say("%c is no key here; ? lists them", key);
    }
    free(solutions);
}

/* ---- the loop ---- */

/* Wait for one thing, and do it. */
static void turn(struct loop *l)
{
    struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {l->notify, POLLIN, 0},
        {l->child.pid ? l->child.out : -1, POLLIN, 0}};
    int result = -1, n = poll(fds, 3, 500);
    if (terminal_changed() && !l->child.pid) show_exercise(l, NONE);
    if (n > 0 && fds[2].revents) {
        int goes_on = child_take(&l->child, &l->answer, &result);
        show_early(l);
        if (!goes_on) answered(l, result);
    }
    if (n > 0 && fds[0].revents) {
        unsigned char key = 0;
        if (read(STDIN_FILENO, &key, 1) == 1) on_key(l, key);
        else if (errno != EINTR) l->done = 1;
    }
    int told = n > 0 && fds[1].revents && noticed(l);
    if (saved(l) || told) begin(l);
    tick(l);
}

/* The first exercise from where the learner was that is not passed. */
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
    struct loop l = {.learn = learn, .w = &learn->session->workbench, .watch = -1};
    int bad = progress_read(&l.progress, l.w->directory, e) ||
        files_keep(&l.w->kit, l.w->directory, e) || terminal_open(e);
    if (!bad) {
        l.notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        int first = first_open(&l.progress);
        go_to(&l, first, l.progress.at >= 0 ? AGAIN : FIRST);
        while (!l.done && !terminal_ended()) turn(&l);
        child_end(&l.child);
        terminal_say("\nmake learn goes on where you are: %s %s", here(&l)->lab->name,
            here(&l)->exercise->name);
        terminal_close();
        if (l.notify >= 0) close(l.notify);
    }
    buf_free(&l.answer);
    progress_free(&l.progress);
    free(l.file);
    return bad ? -1 : 0;
}
