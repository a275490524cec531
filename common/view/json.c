/* json.c - a grading as JSON.
 *
 *     {"score", "max_score", "device", "front_end", "sandbox", "seed",
 *      "exercises": [{"lab", "exercise", "status", "score", "max_score", "time_ms", "time_is",
 *                     "speed_vs_reference", "counters": {NCU NAME: number}, "message",
 *                     "line",                                       the first line that it names
 *                     "finding": {"kind", "line", "other_line"},    of a wrong kernel
 *                     "steps": [{"kernel", "problem", "size", "time_ms", "speed_vs_reference",
 *                                "counters", "unlike": {"metric", "own", "reference", "times"}}]}]}
 *
 * A step on a GPU has more keys, each only if it was measured:
 *     "time_ratio_low", "time_ratio_high"  the student's time over the reference's: a 95% interval
 *     "timing"                             "too short" or "impossible"
 *     "empty_launch_ms", "host_ms", "copy_in_ms", "copy_out_ms"
 *
 * speed_vs_reference is the reference's time over the student's: 2 is twice as fast. Time and
 * counters of an exercise are sums over the steps whose speed is graded, or over all steps if no
 * speed is graded. A metric that is a ratio is the ratio of the sums.
 */
#include "view/view.h"
#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Integers are written without a fraction, if a double represents them exactly. */
json_t *json_number(double v)
{
    if (!isfinite(v)) return json_null();
    return v == floor(v) && fabs(v) < 1e15 ? json_integer((json_int_t)v) : json_real(v);
}

/* Set a key, or leave it out if the number is not finite: a missing key means "not measured". */
static void set_number(json_t *object, const char *key, double v)
{
    if (isfinite(v)) json_object_set_new(object, key, json_number(v));
}

/* One key for each metric that was counted; metrics that were not counted are NAN and left out. */
json_t *json_counters(const struct metrics *m)
{
    json_t *o = json_object();
    for (int i = 0; i < METRIC_COUNT; i++) set_number(o, model_metrics[i].ncu, m->v[i]);
    return o;
}

/* A JSON object with one number for each name in the row of a member table. */
static json_t *named_numbers(const struct member *row, const double *v)
{
    json_t *o = json_object();
    for (size_t i = 0; i < row->size / sizeof *v; i++)
        json_object_set_new(o, row->names[i], json_number(v[i]));
    return o;
}

void json_set_members(json_t *o, const struct member *row, const void *of, unsigned keys)
{
    for (; row->kind; row++) {
        const void *at = (const char *)of + row->offset;
        if (!(row->keys & keys)) continue;
        if (row->kind == MEMBER_DOUBLE && !row->names)
            set_number(o, row->key, *(const double *)at);
        else if (row->kind == MEMBER_DOUBLE)
            json_object_set_new(o, row->key, named_numbers(row, at));
        else if (!row->names)
            json_object_set_new(o, row->key, json_integer(*(const int *)at));
        else
            json_object_set_new(o, row->key, json_string(row->names[*(const int *)at]));
    }
}

/* The metric in which a kernel differs most from the reference. */
static json_t *unlike(const struct unlike *u)
{
    json_t *o = json_object();
    json_object_set_new(
        o, "metric", json_string(u->metric == METRIC_COUNT ? "time_ms" : metric_name(u->metric)));
    json_object_set_new(o, "own", json_number(u->own));
    json_object_set_new(o, "reference", json_number(u->reference));
    json_object_set_new(o, "times", json_number(u->times));
    return o;
}

/* One step of an exercise. The interval of the time ratio and the host's times are only measured on
 * a GPU. */
static json_t *step(const struct step_result *s)
{
    json_t *o = json_object();
    char *size = problem_size(s->problem, s->step->dims);
    json_object_set_new(o, "kernel", json_string(s->step->kernel));
    json_object_set_new(o, "problem", json_string(s->problem->name));
    json_object_set_new(o, "size", json_string(size));
    json_set_members(
        o, measurement_members, &s->m, KEY_GRADE | (s->m.host_ms > 0 ? KEY_GRADE_GPU : 0));
    set_number(o, "speed_vs_reference", s->reference_ms / s->m.ms);
    if (s->ratio.low < s->ratio.high) {
        set_number(o, "time_ratio_low", s->ratio.low);
        set_number(o, "time_ratio_high", s->ratio.high);
    }
    if (s->timing != TIMING_JUDGED)
        json_object_set_new(
            o, "timing", json_string(s->timing == TIMING_TOO_SHORT ? "too short" : "impossible"));
    json_object_set_new(o, "counters", json_counters(&s->m.metrics));
    if (s->unlike.times > 0) json_object_set_new(o, "unlike", unlike(&s->unlike));
    free(size);
    return o;
}

void json_print(json_t *o)
{
    json_dumpf(o, stdout, JSON_COMPACT | JSON_REAL_PRECISION(12));
    printf("\n");
    json_decref(o);
}

/* A JSON string. Bytes that are not UTF-8, which a compiler's message may quote, become '?'. */
json_t *json_text(const char *s)
{
    json_t *o = json_string(s);
    if (o) return o;
    char *copy = xstrdup(s);
    for (char *p = copy; *p; p++)
        if ((unsigned char)*p >= 0x80) *p = '?';
    o = json_string(copy);
    free(copy);
    return o;
}

static json_t *finding(const struct finding *f)
{
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string(finding_names[f->kind]));
    if (f->line) json_object_set_new(o, "line", json_integer(f->line));
    if (f->other_line) json_object_set_new(o, "other_line", json_integer(f->other_line));
    return o;
}

/* If no step was run, the exercise has no time; its status and message say why. */
json_t *json_result(const struct result *r)
{
    json_t *o = json_object(), *steps = json_array();
    json_object_set_new(o, "lab", json_string(r->lab->name));
    json_object_set_new(o, "exercise", json_string(r->exercise->name));
    json_object_set_new(o, "status", json_string(status_names[r->status]));
    set_number(o, "score", r->score);
    set_number(o, "max_score", r->max_score);
    if (r->step_count) {
        set_number(o, "time_ms", r->ms);
        if (r->time_is) json_object_set_new(o, "time_is", json_string(time_kind_names[r->time_is]));
        set_number(o, "speed_vs_reference", r->reference_ms / r->ms);
    }
    json_object_set_new(o, "counters", json_counters(&r->metrics));
    json_object_set_new(o, "message", json_text(r->message.data ? r->message.data : ""));
    int line = r->found.line ? r->found.line : r->named[0];
    if (line) json_object_set_new(o, "line", json_integer(line));
    if (r->found.kind) json_object_set_new(o, "finding", finding(&r->found));
    for (int i = 0; i < r->step_count; i++) json_array_append_new(steps, step(&r->steps[i]));
    json_object_set_new(o, "steps", steps);
    return o;
}

/* json_dumps writes no newline at the end, so one is added here. */
char *json_report(const struct session *s, double score, int max_score, json_t *exercises)
{
    json_t *o = json_object();
    set_number(o, "score", score);
    set_number(o, "max_score", max_score);
    json_object_set_new(o, "version", json_string(LOCKSTEP_VERSION));
    json_object_set_new(o, "device", json_string(s->workbench.name));
    json_object_set_new(o, "front_end", json_string(s->workbench.front.name));
    json_object_set_new(o, "sandbox", json_string(s->sandbox));
    json_object_set_new(o, "seed", json_integer((json_int_t)s->seed));
    json_object_set_new(o, "exercises", exercises);
    char *dump = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(12)),
         *line = xasprintf("%s\n", dump);
    free(dump);
    json_decref(o);
    return line;
}
