/* grade.c - lockstep grade: grade all labs of one student, or one lab, as text or JSON, to stdout
 * or a file.
 *
 *     session_open ──> grade_labs ──> add(), once per exercise ──> finish(): total, file
 *
 * Text on stdout appears exercise by exercise; a file, and JSON, are written at the end. The
 * lines of a lab are held back until one of its exercises was attempted; if none was, the lab is
 * one line. */
#include "cli/cli.h"
#include "explain/explain.h"
#include "learn/learn.h"
#include "os/os.h"
#include "view/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What add() collects. text: the report so far that is not printed yet; exercises: the JSON array;
 * lab: the lab of the last exercise; waiting: the lines about that lab, as long as none of its
 * exercises was attempted. */
struct grading {
    /* json: the report is JSON; live: print each exercise as soon as it is graded */
    int json, live;
    double score;
    int max_score, left_out; /* left_out: points that need solutions which the kit lacks */
    struct buf text;
    json_t *exercises;
    const struct lab *lab;
    int started, most;
    struct buf waiting, why;
};

/* Called when all exercises of a lab were graded. If none of them was attempted, adds one line in
 * place of the lab's lines. */
static void end_lab(struct grading *g)
{
    if (g->lab && !g->started) report_not_started(&g->text, g->lab, g->most, g->why.data);
    buf_free(&g->waiting), buf_free(&g->why);
}

static void add_text(struct grading *g, const struct result *r)
{
    if (r->lab != g->lab) {
        end_lab(g);
        g->lab = r->lab;
        g->started = g->most = 0;
    }
    g->most += r->max_score;
    if (!g->started && r->status == STATUS_NOT_ATTEMPTED) {
        report_result(&g->waiting, r);
        if (!g->why.len) buf_add(&g->why, r->message.data, r->message.len);
        return;
    }
    if (g->waiting.len) buf_add(&g->text, g->waiting.data, g->waiting.len);
    buf_free(&g->waiting), buf_free(&g->why);
    g->started = 1;
    report_result(&g->text, r);
}

/* Called by grade_labs after each exercise, with the struct grading as context. */
static void add(void *context, const struct result *r)
{
    struct grading *g = context;
    g->score += r->score;
    g->max_score += r->max_score;
    if (r->alone) g->left_out += exercise_speed_points(r->exercise);
    if (g->json) {
        json_array_append_new(g->exercises, json_result(r));
        return;
    }
    add_text(g, r);
    if (g->live && g->text.len) {
        fwrite(g->text.data, 1, g->text.len, stdout);
        fflush(stdout);
        buf_free(&g->text);
    }
}

/* Check that the report can be written, before the grading, which can take minutes. */
static int check_out(const char *out, struct err *e)
{
    struct stat st;
    const char *slash = strrchr(out, '/');
    char *directory =
        slash ? xstrndup(out, slash == out ? 1 : (size_t)(slash - out)) : xstrdup(".");
    int bad = 0;
    if (!stat(out, &st) && S_ISDIR(st.st_mode))
        bad = err_set(e, ERR_ENV, "%s: is a directory; --out names a file", out);
    else if (access(directory, W_OK | X_OK))
        bad = err_set(e, ERR_ENV, "%s: cannot be written: %s", directory, strerror(errno));
    free(directory);
    return bad;
}

/* Add the total and write the report. json_report takes ownership of the exercises, so the
 * pointer is cleared here. */
static int finish(struct grading *g, const struct session *s, const char *out, struct err *e)
{
    /* scores are tenths, which are not exact in binary: round the sum to tenths */
    g->score = (double)(long)(g->score * 10 + 0.5) / 10;
    if (g->json) {
        char *dump = json_report(s, g->score, g->max_score, g->exercises);
        g->exercises = NULL;
        buf_printf(&g->text, "%s", dump);
        free(dump);
    } else {
        end_lab(g);
        report_total(&g->text, s, g->score, g->max_score, g->left_out);
    }
    if (out) return file_write(out, g->text.data, g->text.len, e);
    fwrite(g->text.data, 1, g->text.len, stdout);
    return 0;
}

/* Check that compilers cannot read the student's folder, and so not the submissions beside it. -1
 * with an error: the folder is in a system directory, which they can read. Returns 0, too, if the
 * kit itself is in a system directory: then somebody only tries it out. */
static int hidden(const char *student, struct err *e)
{
    const char *shown = jail_shows(student);
    if (!shown || jail_shows_kit()) return 0;
    return err_set(e, ERR_USAGE, "%s: lies in %s, which its compilers can read: move it elsewhere",
        student, shown);
}

int command_grade(int argc, char **argv, struct err *e)
{
    const char *student = NULL, *lab = NULL, *device = NULL, *format = NULL, *out = NULL,
               *seed = NULL, *front = NULL, *sandbox = NULL, *limit = NULL, *final = NULL;
    const struct option_spec specs[] = {{"--student", &student}, {"--lab", &lab},
        {"--device", &device}, {"--format", &format}, {"--out", &out}, {"--seed", &seed},
        {"--front", &front}, {"--sandbox", &sandbox}, {"--limit", &limit}, {"--final", &final, 1},
        {0}};
    const struct lab *only = NULL;
    uint64_t number = 0, seconds = EXERCISE_SECONDS;
    struct session s;
    struct progress p = {0};
    struct first_guess first[FIRST_MAX];
    struct grading g = {0};
    /* all options are checked before the session opens the device */
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 ||
        (lab && !(only = options_lab(lab, e))) || (g.json = options_format(format, e)) < 0 ||
        (seed && options_number("--seed", seed, INT64_MAX, &number, e)) ||
        (out && check_out(out, e)) || options_sandbox(sandbox, e) ||
        (student && hidden(student, e)) ||
        (limit && options_number("--limit", limit, 100000, &seconds, e)) ||
        session_open(&s, device, front, student, seed ? &number : NULL, e))
        return -1;
    session_apart(&s);
    s.explains = &explainer;
    s.final = final != NULL;
    s.seconds = (double)seconds;
    g.live = !out;
    g.exercises = json_array();
    /* with --final, first guesses count, if the student's folder has any */
    int bad = final && progress_read(&p, s.workbench.directory, e);
    if (final && !bad) s.first = first, s.first_count = progress_first(&p, first, FIRST_MAX);
    bad = bad || grade_labs(&s, only, NULL, add, &g, e) || finish(&g, &s, out, e);
    json_decref(g.exercises);
    buf_free(&g.text);
    buf_free(&g.waiting);
    progress_free(&p);
    session_close(&s);
    return bad ? -1 : 0;
}
