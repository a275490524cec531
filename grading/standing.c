/* standing.c - what the course says of a submission, as numbers and in words: weights, adjustments,
 * excuses, lateness. All reports show these numbers and these words.
 *
 *     points of an exercise = weight x (score + adjustment), at least 0; excused: its weight is 0
 *     before  = the sum of the points
 *     score   = before x what lateness leaves + adjustment of the whole, at least 0
 *     days    = days late less free days, which are kept if no points would be left */
#define _GNU_SOURCE
#include "grading/grading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct standing {
    const struct course *course;
    const struct submission *student, *attempt;
    const struct course_line *extension; /* NULL: none */
    double days_late, free_before, free_used, share;
    double before, score, most, adjustment;
};

/* A JSON number; an integer is written without a fraction. */
static json_t *number(double v)
{
    return v == floor(v) ? json_integer((json_int_t)v) : json_real(v);
}
static double tenths(double v) { return round(v * 10) / 10; }
static json_t *points(double v) { return number(tenths(v)); }

/* ---- lateness ---- */

/* The student's line of this kind; NULL: none. A line of the course file overrides one from
 * late_days. */
static const struct course_line *line_about(const struct standing *s, enum course_about about)
{
    const struct course_line *found = NULL;
    for (size_t i = 0; i < s->course->line_count; i++) {
        const struct course_line *l = &s->course->lines[i];
        if (l->who == s->student && l->about == about && (!found || found->carried)) found = l;
    }
    return found;
}

static time_t due_of(const struct standing *s)
{
    return s->extension ? s->extension->at : s->course->due;
}

/* Days begun after the due time and its grace. Without times, the platform's mark is one day, unless
 * the student has an extension. */
static double days_late(const struct standing *s)
{
    static const double DAY = 24 * 60 * 60;
    if (!s->attempt->path) return 0;
    if (!due_of(s) || !s->attempt->at) return s->attempt->late && !s->extension;
    double seconds = difftime(s->attempt->at, due_of(s)) - 60 * s->course->grace_minutes;
    return fmax(0, ceil(seconds / DAY));
}

static void count_days(struct standing *s)
{
    const struct course_line *used = line_about(s, ABOUT_USED);
    s->extension = line_about(s, ABOUT_EXTENSION);
    s->days_late = days_late(s);
    s->free_before = used ? used->number : 0;
    s->free_used = fmin(s->days_late, fmax(0, s->course->late_days_free - s->free_before));
    s->share = course_share(s->course, s->days_late - s->free_used);
    if (!(s->share > 0)) s->free_used = 0;
}

/* ---- points ---- */

/* Is the line about this exercise, its lab, or the whole submission? */
static int concerns(
    const struct standing *s, const struct course_line *l, enum course_about about, const json_t *x)
{
    if (l->who != s->student || l->about != about) return 0;
    if (l->lab && strcmp(l->lab->name, result_text(x, "lab"))) return 0;
    return !l->exercise || !strcmp(l->exercise->name, result_text(x, "exercise"));
}

static void put_exercise(struct standing *s, json_t *x)
{
    double adjustment = 0, weight = result_number(x, "weight");
    int excused = 0, adjusted = 0;
    for (size_t i = 0; i < s->course->line_count; i++) {
        const struct course_line *l = &s->course->lines[i];
        excused |= concerns(s, l, ABOUT_EXCUSE, x);
        if (l->lab && concerns(s, l, ABOUT_ADJUSTMENT, x)) adjustment += l->number, adjusted = 1;
    }
    if (excused) weight = 0;
    double got = weight * fmax(0, result_number(x, "score") + adjustment),
           most = weight * result_number(x, "max_score");
    if (adjusted) json_object_set_new(x, "adjustment", number(adjustment));
    if (excused) json_object_set_new(x, "excused", json_true());
    json_object_set_new(x, "points", number(got));
    json_object_set_new(x, "max_points", number(most));
    s->before += got, s->most += most;
}

/* ---- words ---- */

static void note(json_t *notes, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void note(json_t *notes, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) >= 0) json_array_append_new(notes, json_text(text));
    va_end(ap);
    free(text);
}

static void note_hand_in(json_t *notes, const struct class_options *o, const struct standing *s)
{
    const struct submission *a = s->attempt;
    const char *file = a->path && strrchr(a->path, '/') ? strrchr(a->path, '/') + 1 : a->path;
    if (!file) note(notes, "Nothing was handed in.");
    if (a->from) note(notes, "%s handed it in for the group.", a->from);
    if (s->student->attempts > 1)
        note(notes, "%zu attempts; the %s counts%s%s.", s->student->attempts,
            s->course->attempts == ATTEMPTS_BEST ? "best" : "last", o->anonymous ? "" : ": ",
            o->anonymous ? "" : file);
}

/* "due TIME" or "due TIME by an extension". The caller frees it. */
static char *due_text(const struct standing *s)
{
    return xasprintf("due %s%s", s->extension ? s->extension->text : s->course->due_text,
        s->extension ? " by an extension" : "");
}

static void note_days(json_t *notes, const struct standing *s)
{
    char *due = due_of(s) ? due_text(s) : NULL;
    double bank = s->course->late_days_free, left = fmax(0, bank - s->free_before - s->free_used);
    double charged = s->days_late - s->free_used;
    if (!due || !s->attempt->at || !s->attempt->path) {
        if (s->days_late > 0)
            note(notes, "Handed in late, as the platform says: it counts as 1 day.");
        if (s->extension) note(notes, "It was %s.", due);
    } else if (s->days_late > 0)
        note(notes, "%g day%s late: handed in %s, %s.", s->days_late, plural_s(s->days_late),
            s->attempt->at_text, due);
    else
        note(notes, "In time: handed in %s, %s.", s->attempt->at_text, due);
    if (s->course->late_days_free > 0)
        note(notes, "Of %g free late day%s %g %s used before and %g here; %g %s left.", bank,
            plural_s(bank), s->free_before, s->free_before == 1 ? "was" : "were", s->free_used,
            left, left == 1 ? "is" : "are");
    if (charged > s->course->late_days_at_most)
        note(notes, "After more than %g days late there are no points: of %g none.",
            s->course->late_days_at_most, tenths(s->before));
    else if (s->share < 1)
        note(notes, "Lateness takes %g%% of the points for each of %g day%s: %g before, %g after.",
            s->course->late_percent_per_day, charged, plural_s(charged), tenths(s->before),
            tenths(s->before * s->share));
    free(due);
}

/* Add a note for each adjustment and excuse of this student. */
static void note_lines(json_t *notes, const struct class_options *o, const struct standing *s)
{
    for (size_t i = 0; i < s->course->line_count; i++) {
        const struct course_line *l = &s->course->lines[i];
        if (l->who != s->student || l->about < ABOUT_ADJUSTMENT ||
            (l->lab && !class_grades(o, l->lab)))
            continue;
        char *what = !l->lab ? xstrdup("the whole submission")
                             : xasprintf("%s%s%s", l->lab->name, l->exercise ? " " : "",
                                   l->exercise ? l->exercise->name : "");
        const char *why = *l->text ? l->text : "no reason is given";
        if (l->about == ABOUT_EXCUSE)
            note(notes, "Excused, and counts neither for nor against: %s: %s", what, why);
        else
            note(notes, "%+g point%s by the instructor for %s%s: %s", l->number,
                plural_s(fabs(l->number)), what, l->lab ? "" : ", after lateness", why);
        free(what);
    }
}

/* ---- all of it ---- */

static void put_person(
    json_t *result, const struct submission *student, const struct submission *attempt)
{
    const struct person *p = student->person;
    for (int f = PERSON_ID; p && f < PERSON_FIELDS; f++) {
        char *key = person_key(f);
        if (*p->of[f]) json_object_set_new(result, key, json_text(p->of[f]));
        free(key);
    }
    if (attempt->id && !json_object_get(result, "id"))
        json_object_set_new(result, "id", json_text(attempt->id));
}

void standing_put(const struct class_options *o, const struct submission *student,
    const struct submission *attempt, json_t *result, json_t *exercises)
{
    struct standing s = {.course = o->course, .student = student, .attempt = attempt};
    json_t *notes = json_array(), *x;
    size_t i;
    count_days(&s);
    json_array_foreach(exercises, i, x) put_exercise(&s, x);
    for (i = 0; i < o->course->line_count; i++) {
        const struct course_line *l = &o->course->lines[i];
        if (l->who == student && l->about == ABOUT_ADJUSTMENT && !l->lab) s.adjustment += l->number;
    }
    s.score = fmax(0, s.before * s.share + s.adjustment);
    if (!o->anonymous) put_person(result, student, attempt);
    json_object_set_new(result, "handed_in", json_boolean(attempt->path != NULL));
    json_object_set_new(result, "late", json_boolean(s.days_late > 0));
    json_object_set_new(result, "days_late", points(s.days_late));
    if (o->course->late_days_free > 0) {
        json_object_set_new(result, "late_days_used_before", number(s.free_before));
        json_object_set_new(result, "late_days_used", number(s.free_used));
    }
    json_object_set_new(result, "score_before_lateness", points(s.before));
    if (s.adjustment != 0) json_object_set_new(result, "adjustment", number(s.adjustment));
    json_object_set_new(result, "score", points(s.score));
    json_object_set_new(result, "max_score", points(s.most));
    note_hand_in(notes, o, &s);
    note_days(notes, &s);
    note_lines(notes, o, &s);
    json_object_set_new(result, "notes", notes);
}
