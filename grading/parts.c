/* parts.c - what the points of one exercise are made of, as "parts" of its JSON.
 *
 *     {"part": "correct",    "points", "of", "kernel"}
 *     {"part": "budget",     "points", "of", "kernel", "metric", "value", "rule", "limit", "why", "blame"}
 *     {"part": "speed",      "points", "of", "kernel", "time_ms", "reference_ms"}
 *     {"part": "technique",  "points", "of", "kernel"}    below 0: beyond half
 *     {"part": "prediction", "points", "of", "name", "said", "counted", "asks"}
 *
 *     "blame": {"line", "first", "source": [lines from first on], "counters"}    of a budget that is missed
 *
 * Their points add up to the exercise's score. An exercise that is wrong, or was not counted, has no parts.
 */
#include "grading/grading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BESIDE = 2, LINE_MOST = 200 }; /* lines shown above and below; bytes of a line */

static json_t *part(const char *what, const char *key, const char *name, double points, int of)
{
    json_t *o = json_object();
    json_object_set_new(o, "part", json_string(what));
    json_object_set_new(o, key, json_string(name));
    json_object_set_new(o, "points", json_number(points));
    json_object_set_new(o, "of", json_integer(of));
    return o;
}

/* Line n of a text from 1 on, without its end; NULL: there is none. The caller frees it. */
static char *line_at(const char *text, int n)
{
    for (; text && n > 1; n--) text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    if (!text || !*text) return NULL;
    size_t length = strcspn(text, "\r\n");
    struct buf b = {0};
    buf_add(&b, text, length < LINE_MOST ? length : LINE_MOST);
    text_clean(&b);
    return b.data;
}

static json_t *blame(const struct result *r, const struct budget_result *b)
{
    json_t *o = json_object(), *source = json_array();
    int first = b->line > BESIDE ? b->line - BESIDE : 1;
    for (int n = first; n <= b->line + BESIDE; n++) {
        char *line = line_at(r->source, n);
        if (!line) break;
        json_array_append_new(source, json_text(line));
        free(line);
    }
    json_object_set_new(o, "line", json_integer(b->line));
    json_object_set_new(o, "first", json_integer(first));
    json_object_set_new(o, "source", source);
    json_object_set_new(o, "counters", json_counters(&b->blamed));
    return o;
}

static json_t *budget(const struct result *r, const struct step_result *s, const struct budget_result *b)
{
    json_t *o =
        part("budget", "kernel", s->step->kernel, b->met ? b->budget->points : 0, b->budget->points);
    json_object_set_new(o, "metric", json_string(metric_name(b->budget->metric)));
    json_object_set_new(o, "value", json_number(b->value));
    json_object_set_new(o, "rule", json_string(b->budget->rule == AT_MOST ? "at most" : "at least"));
    json_object_set_new(o, "limit", json_number(b->limit));
    json_object_set_new(o, "why", json_string(b->budget->why));
    if (!b->met && b->line && r->source) json_object_set_new(o, "blame", blame(r, b));
    return o;
}

/* What score_kernel takes away. */
static void technique(json_t *list, const struct step_result *s)
{
    int missed = step_other_technique(s);
    double earned = s->step->correct_points + s->speed_points;
    for (int i = 0; i < s->budget_count; i++) {
        if (s->budgets[i].met) earned += s->budgets[i].budget->points;
    }
    double kept = score_kernel(earned, s->step, missed, s->ratio.low);
    if (earned - kept > 1e-9)
        json_array_append_new(list, part("technique", "kernel", s->step->kernel, kept - earned, 0));
}

static void step(json_t *list, const struct result *r, const struct step_result *s)
{
    const char *kernel = s->step->kernel;
    int right = s->step->correct_points, speed = s->step->speed_points;
    if (right) json_array_append_new(list, part("correct", "kernel", kernel, right, right));
    for (int i = 0; i < s->budget_count; i++) json_array_append_new(list, budget(r, s, &s->budgets[i]));
    if (speed) {
        json_t *o = part("speed", "kernel", kernel, s->speed_points, speed);
        json_object_set_new(o, "time_ms", json_number(s->m.ms));
        json_object_set_new(o, "reference_ms", json_number(s->reference_ms));
        json_array_append_new(list, o);
    }
    technique(list, s);
}

static json_t *prediction(const struct result *r, const struct prediction_result *p)
{
    int right = score_prediction(p);
    json_t *o = part("prediction", "name", p->prediction->name, right ? p->prediction->points : 0,
        p->prediction->points);
    json_object_set_new(o, "said", p->said == -1 ? json_null() : json_integer(p->said));
    json_object_set_new(o, "counted", json_number(p->counted));
    char *question = prediction_question(r->exercise, p->prediction);
    json_object_set_new(o, "asks", json_string(question));
    free(question);
    return o;
}

json_t *parts_waiting(const struct lab *lab, const struct exercise *x)
{
    json_t *o = json_object();
    json_object_set_new(o, "lab", json_string(lab->name));
    json_object_set_new(o, "exercise", json_string(x->name));
    json_object_set_new(o, "status", json_string(status_names[STATUS_NOT_ATTEMPTED]));
    json_object_set_new(o, "score", json_integer(0));
    json_object_set_new(o, "max_score", json_integer(exercise_max_points(x)));
    json_object_set_new(o, "message", json_string("is not graded yet"));
    return o;
}

json_t *parts_result(const struct result *r)
{
    json_t *o = json_result(r), *list = json_array();
    for (int i = 0; i < r->step_count; i++) step(list, r, &r->steps[i]);
    for (int i = 0; i < r->prediction_count && r->step_count; i++)
        json_array_append_new(list, prediction(r, &r->predictions[i]));
    json_object_set_new(o, "file", json_text(r->file ? r->file : ""));
    json_object_set_new(o, "parts", list);
    return o;
}
