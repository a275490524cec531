/* progress.c - the learner's progress as a text file that a person can read and correct.
 *
 *     02-coalesced stride failed 6/10 2026-11-22T22:51 offset_1=5@2026-11-22T22:49 ...
 *     └── which ───┘ status points    └── when ──┘     └── words in any order
 *
 * A mistake of editing is reported, and no guess is lost: a line that cannot be read is kept when
 * the file is written, as comments are. A grading stops at such a line. */
#define _GNU_SOURCE
#include "learn/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const size_t FILE_MOST = 1 << 18;

static void now(char when[WHEN])
{
    time_t t = time(NULL);
    struct tm tm;
    strftime(when, WHEN, "%Y-%m-%dT%H:%M", localtime_r(&t, &tm));
}

/* ---- reading ---- */

/* The line that is being read, for error messages. */
struct line {
    struct progress *p;
    int number;
    struct err *e;
};

static int bad_line(const struct line *l, const char *word, const char *why)
{
    return err_set(l->e, ERR_LEARNER, "%s:%d: %s: %s; correct the line, or remove it", l->p->file,
        l->number, word, why);
}

/* Make an empty entry for every exercise of the labs. */
static void fill(struct progress *p)
{
    size_t count = 0, cap = 0;
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            struct exercise_progress *past = VEC_PUSH(p->past, count, cap);
            *past = (struct exercise_progress){
                .lab = *l, .exercise = x, .status = STATUS_NOT_ATTEMPTED};
            for (int i = 0; i < PREDICTIONS_MAX; i++) past->first[i].said = -1;
        }
    p->count = (int)count;
    p->at = -1;
}

static int find_named(const struct progress *p, const char *lab, const char *exercise)
{
    for (int i = 0; i < p->count; i++)
        if (!strcmp(p->past[i].lab->name, lab) && !strcmp(p->past[i].exercise->name, exercise))
            return i;
    return -1;
}

/* Is the text a time as now() writes it, or a date alone? */
static int is_when(const char *text)
{
    int n = (int)strlen(text), digits = 0;
    for (int i = 0; i < n; i++) digits += text[i] >= '0' && text[i] <= '9';
    return n >= 10 && n < WHEN && digits >= 8 && text[4] == '-' && text[7] == '-' &&
           (int)strspn(text, "0123456789-:T") == n;
}

/* Read a word such as KERNEL=0.0143ms@sim:h200. */
static int read_time(const struct line *l, struct exercise_progress *past, const char *word,
    const char *name, double ms, const char *at)
{
    for (int i = 0; past->exercise->steps[i].kernel; i++)
        if (!strcmp(past->exercise->steps[i].kernel, name)) {
            past->rung[i].ms = ms > 0 && isfinite(ms) ? ms : 0;
            snprintf(past->rung[i].device, sizeof past->rung[i].device, "%s", *at ? at + 1 : "");
            return 0;
        }
    return bad_line(l, word, "the exercise has no kernel of this name");
}

/* Read a word such as NAME=5@2026-11-22T22:49. */
static int read_guess(const struct line *l, struct exercise_progress *past, const char *word,
    const char *name, long said, const char *at)
{
    const struct prediction *p = past->exercise->predictions;
    for (int i = 0; p && p[i].name && i < PREDICTIONS_MAX; i++)
        if (!strcmp(p[i].name, name)) {
            if (said < 0 || said > INT32_MAX)
                return bad_line(l, word, "a guess is a number from 0 on");
            past->first[i].said = (int)said;
            snprintf(past->first[i].when, WHEN, "%s", *at && is_when(at + 1) ? at + 1 : "");
            return 0;
        }
    return bad_line(l, word, "the exercise asks for no prediction of this name");
}

/* Read one of the words after the status. */
static int read_word(const struct line *l, struct exercise_progress *past, const char *word)
{
    double score;
    int most, used = 0;
    const char *equals = strchr(word, '=');
    if (is_when(word)) {
        snprintf(past->when, WHEN, "%s", word);
        return 0;
    }
    if (!equals) {
        if (sscanf(word, "%lf/%d%n", &score, &most, &used) != 2 || word[used] || !(score >= 0))
            return bad_line(
                l, word, "neither points (6/10), a time (2026-11-22T22:51) nor NAME=NUMBER@TIME");
        past->score = fmin(score, exercise_max_points(past->exercise));
        return 0;
    }
    if (sscanf(word, "hints=%d%n", &most, &used) == 1 && !word[used] && most >= 0) {
        past->hints = most;
        return 0;
    }
    char *name = xstrndup(word, (size_t)(equals - word)), *end;
    double ms = strtod(equals + 1, &end);
    int bad, time = !strncmp(end, "ms", 2);
    const char *at = end + 2 * time;
    if (end == equals + 1 || (*at && *at != '@'))
        bad = bad_line(l, word, "a number, then @ and a time or a device, are needed after the =");
    else if (time)
        bad = read_time(l, past, word, name, ms, at);
    else
        bad = read_guess(l, past, word, name, fabs(ms) < 1e10 ? (long)ms : -1, at);
    free(name);
    return bad;
}

/* Read a line "at LAB EXERCISE" or "LAB EXERCISE STATUS words". */
static int read_line(const struct line *l, char *text)
{
    char *rest, *word = strtok_r(text, " \t\r", &rest);
    int at = !strcmp(word, "at");
    char *lab = at ? strtok_r(NULL, " \t\r", &rest) : word;
    char *exercise = strtok_r(NULL, " \t\r", &rest);
    int i = lab && exercise ? find_named(l->p, lab, exercise) : -1;
    if (i < 0)
        return bad_line(l, exercise ? exercise : word, "a line begins with a lab and an exercise");
    if (at) {
        l->p->at = i;
        return 0;
    }
    struct exercise_progress *past = &l->p->past[i], before = *past;
    int status = 0;
    word = strtok_r(NULL, " \t\r", &rest);
    while (word && status <= STATUS_ERROR && strcmp(status_names[status], word)) status++;
    if (!word || status > STATUS_ERROR)
        return bad_line(
            l, word ? word : exercise, "the status is passed, failed, not_attempted or error");
    past->status = (enum status)status;
    if (past->status == STATUS_PASSED) past->score = exercise_max_points(past->exercise);
    while ((word = strtok_r(NULL, " \t\r", &rest)))
        if (read_word(l, past, word)) {
            *past = before;
            return -1;
        }
    return 0;
}

/* Keep a line that cannot be read. */
static void keep_unread(struct progress *p, const char *text, const struct err *e)
{
    buf_printf(&p->unread, "%s\n", text);
    if (!p->complaint) p->complaint = xstrdup(e->text);
}

static int read_file(struct progress *p, const char *directory, int kindly, struct err *e)
{
    char *data = NULL;
    *p = (struct progress){.file = xasprintf("%s/.progress", directory)};
    fill(p);
    int there = file_read_within(directory, ".progress", FILE_MOST, &data, NULL, e);
    struct line l = {p, 0, e};
    int bad = there < 0;
    for (char *at = data; !bad && at && *at;) {
        char *end = at + strcspn(at, "\n"), *next = end + (*end == '\n');
        *end = 0;
        l.number++;
        at += strspn(at, " \t\r");
        if (*at == '#')
            buf_printf(&p->comments, "%s\n", at);
        else if (*at) {
            char *line = xstrdup(at);
            bad = read_line(&l, at);
            if (bad && kindly) {
                keep_unread(p, line, e);
                bad = 0;
            }
            free(line);
        }
        at = next;
    }
    free(data);
    return bad ? -1 : 0;
}

int progress_read(struct progress *p, const char *directory, struct err *e)
{
    return read_file(p, directory, 0, e);
}

int progress_read_kindly(struct progress *p, const char *directory, struct err *e)
{
    return read_file(p, directory, 1, e);
}

void progress_free(struct progress *p)
{
    free(p->complaint);
    buf_free(&p->unread);
    free(p->file);
    free(p->past);
    buf_free(&p->comments);
    *p = (struct progress){0};
}

/* ---- writing ---- */

static int has_guess(const struct exercise_progress *past)
{
    for (int i = 0; i < PREDICTIONS_MAX; i++)
        if (past->first[i].said != -1) return 1;
    return 0;
}

/* An exercise that was not begun has no line. */
static void put_past(struct buf *out, const struct exercise_progress *past)
{
    const struct exercise *x = past->exercise;
    if (past->status == STATUS_NOT_ATTEMPTED && !has_guess(past) && !past->hints) return;
    buf_printf(out, "%s %s %s %g/%d", past->lab->name, x->name, status_names[past->status],
        past->score, exercise_max_points(x));
    if (*past->when) buf_printf(out, " %s", past->when);
    if (past->hints) buf_printf(out, " hints=%d", past->hints);
    for (int i = 0; x->predictions && x->predictions[i].name && i < PREDICTIONS_MAX; i++) {
        const struct dated_guess *f = &past->first[i];
        if (f->said == -1) continue;
        buf_printf(
            out, " %s=%d%s%s", x->predictions[i].name, f->said, *f->when ? "@" : "", f->when);
    }
    for (int i = 0; x->steps[i].kernel && i < STEPS_MAX; i++) {
        const struct rung_time *t = &past->rung[i];
        if (t->ms > 0)
            buf_printf(
                out, " %s=%.4gms%s%s", x->steps[i].kernel, t->ms, *t->device ? "@" : "", t->device);
    }
    buf_printf(out, "\n");
}

/* The comment at the head of a new file. If the learner removes it, it is written again, unless the
 * file has another comment. */
static const char head[] =
    "# Your progress in the labs, by make learn and make lab. You may edit this file:\n"
    "# a line that cannot be read is kept, and told. at: where you were. Then a line an\n"
    "# exercise: its lab, its name, passed or failed, and any of these\n"
    "#   6/10                      points of the best run\n"
    "#   2026-11-22T22:51          when that was\n"
    "#   hints=2                   how many hints you have seen\n"
    "#   NAME=5@2026-11-22T22:49   your first guess of a prediction, which a final\n"
    "#                             grading counts if you hand this file in\n"
    "#   KERNEL=0.0143ms@sim:h200  the best time of your kernel that passed\n";

int progress_write(const struct progress *p, struct err *e)
{
    struct buf out = {0};
    if (p->comments.len)
        buf_add(&out, p->comments.data, p->comments.len);
    else
        buf_printf(&out, "%s", head);
    /* before the other lines: if the learner corrects such a line, newer entries still override
     * it */
    if (p->unread.len) buf_add(&out, p->unread.data, p->unread.len);
    if (p->at >= 0)
        buf_printf(&out, "at %s %s\n", p->past[p->at].lab->name, p->past[p->at].exercise->name);
    for (int i = 0; i < p->count; i++) put_past(&out, &p->past[i]);
    int bad = file_write(p->file, out.data, out.len, e);
    buf_free(&out);
    return bad;
}

/* ---- adding the result of a run ---- */

int progress_find(const struct progress *p, const struct lab *lab, const struct exercise *x)
{
    return find_named(p, lab->name, x->name);
}

/* A first guess that was recorded is never replaced. */
static int note_guesses(struct exercise_progress *past, const struct result *r)
{
    int changed = 0;
    for (int i = 0; i < r->prediction_count; i++) {
        struct dated_guess *f = &past->first[i];
        if (f->said != -1 || r->predictions[i].said < 0) continue;
        f->said = r->predictions[i].said;
        now(f->when);
        changed = 1;
    }
    return changed;
}

/* Only a better run changes the points that are recorded. */
static int note_score(struct exercise_progress *past, const struct result *r)
{
    int same = r->status == past->status;
    if (r->status == STATUS_NOT_ATTEMPTED || (past->status == STATUS_PASSED && !same) ||
        (same && r->score <= past->score))
        return 0;
    past->status = r->status;
    past->score = fmax(past->score, r->score);
    now(past->when);
    return 1;
}

/* Keep the time of a step that passed if it is the best on this device. record: if an earlier time
 * on this device was longer, and the step's gain is the largest so far, it is set to this step. */
static int note_time(struct rung_time *t, const struct step *step, double ms, const char *device,
    struct record *record)
{
    int same = t->ms > 0 && !strcmp(t->device, device);
    if (!step->rung || !isfinite(ms) || (same && ms > 0.999 * t->ms)) return 0;
    if (same && t->ms / ms > record->before / record->ms)
        *record = (struct record){step, ms, t->ms};
    t->ms = ms;
    snprintf(t->device, sizeof t->device, "%s", device);
    return 1;
}

int progress_note(
    struct progress *p, const struct result *r, const char *device, struct record *record)
{
    int here = progress_find(p, r->lab, r->exercise);
    struct exercise_progress *past = &p->past[here];
    int changed = note_guesses(past, r) | note_score(past, r);
    *record = (struct record){NULL, 1, 1};
    if (r->exercise->kind == EXERCISE_HOST) device = "cpu";
    for (int i = 0; r->status == STATUS_PASSED && i < r->step_count; i++)
        changed |= note_time(&past->rung[i], r->steps[i].step, r->steps[i].m.ms, device, record);
    if (p->at == here || (!changed && r->status == STATUS_NOT_ATTEMPTED)) return changed;
    p->at = here;
    return 1;
}

int progress_first(const struct progress *p, struct first_guess *out, int max)
{
    int count = 0;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < PREDICTIONS_MAX && count < max; k++)
            if (p->past[i].first[k].said != -1)
                out[count++] = (struct first_guess){
                    &p->past[i].exercise->predictions[k], p->past[i].first[k].said};
    return count;
}

/* Is the path in this folder of the kit, or the folder itself? real: the path with links
 * resolved. */
static int within(const char *real, const struct kit *k, const char *folder)
{
    char *of_kit = kit_path(k, "%s", folder), *own = realpath(of_kit, NULL);
    size_t n = own ? strlen(own) : 0;
    int is = own && !strncmp(real, own, n) && (!real[n] || real[n] == '/');
    free(of_kit), free(own);
    return is;
}

int progress_kept(const struct kit *k, const char *directory)
{
    char *real = realpath(directory, NULL);
    int kept = real && !within(real, k, "solutions") && !within(real, k, "tests");
    free(real);
    return kept;
}
