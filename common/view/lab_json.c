/* lab_json.c - the result of one exercise for the person who wrote it, as JSON: what lab_brief says,
 * part by part, in its words.
 *
 *     {"lab", "exercise", "title", "file", "status", "points": in words, "score", "max_score",
 *      "message": what failed, "lines": [that it names], "warnings", "printed",
 *      "cause": {"told": [where, what, edit], "places": [{"line", "column", "width",
 *                                                         "told": [where, what, edit]}]},
 *      "kernels": [{"kernel", "size", "own", "suspect": in words, "time": in words, "time_ms",
 *                   "limited_by", "reference_ms",
 *                   "budgets": [{"name", "met", "value", "rule", "limit", "line", "why"}],
 *                   "rungs": [{"name", "ms", "own"}], "gain": in words}]}
 *
 * A key whose value is not known, or empty, is left out. */
#include "view/lab_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Set a key to text; the text is freed. An empty text sets nothing. */
static void take_text(json_t *o, const char *key, struct buf *text)
{
    if (text->len) json_object_set_new(o, key, json_text(text->data));
    buf_free(text);
}

static void set_text(json_t *o, const char *key, const char *text)
{
    if (text && *text) json_object_set_new(o, key, json_text(text));
}

/* ---- the cause ---- */

static json_t *place(const struct result *r, const struct cause_place *p)
{
    json_t *told = json_array();
    for (int t = TOLD_WHERE; t <= TOLD_EDIT; t++) {
        struct buf text = {0};
        lab_place(&text, r, p, (enum told)t);
        json_array_append_new(told, json_text(text.data));
        buf_free(&text);
    }
    return json_pack(
        "{s:i,s:i,s:i,s:o}", "line", p->line, "column", p->column, "width", p->width, "told", told);
}

static json_t *cause(const struct result *r)
{
    json_t *told = json_array(), *places = json_array();
    for (int t = TOLD_WHERE; t <= TOLD_EDIT; t++) {
        struct buf text = {0};
        lab_places(&text, r, (enum told)t);
        json_array_append_new(told, json_text(text.data ? text.data : ""));
        buf_free(&text);
    }
    for (int i = 0; i < r->cause.count; i++)
        json_array_append_new(places, place(r, &r->cause.places[i]));
    return json_pack("{s:o,s:o}", "told", told, "places", places);
}

/* ---- kernels ---- */

static json_t *budget(const struct step_result *s, const struct budget_result *b)
{
    json_t *o = json_pack("{s:s,s:b,s:s}", "name", metric_name(b->budget->metric), "met", b->met,
        "rule", b->budget->rule == AT_MOST ? "at most" : "at least");
    struct buf value = {0}, limit = {0};
    print_value(&value, budget_held_against(s, b) && !isnan(b->value)
                            ? b->value
                            : s->m.metrics.v[b->budget->metric]);
    print_value(&limit, b->limit);
    take_text(o, "value", &value), take_text(o, "limit", &limit);
    if (b->met) return o;
    set_text(o, "why", b->budget->why);
    if (b->line) json_object_set_new(o, "line", json_integer(b->line));
    return o;
}

static void add_rung(json_t *rungs, const char *name, double ms, int own)
{
    if (isfinite(ms))
        json_array_append_new(
            rungs, json_pack("{s:s,s:f,s:b}", "name", name, "ms", ms, "own", own));
}

/* Set the times of the earlier techniques, which a learner sees once the exercise is passed. */
static void set_rungs(json_t *o, const struct step_result *s)
{
    json_t *rungs = json_array();
    struct buf gain = {0};
    if (isfinite(s->first.ms)) add_rung(rungs, lab_earlier(&s->first), s->first.ms, 0);
    add_rung(rungs, lab_earlier(&s->before), s->before.ms, 0);
    add_rung(rungs, s->step->rung ? s->step->rung : s->step->kernel, s->m.ms, 1);
    lab_gain(&gain, s);
    json_object_set_new(o, "rungs", rungs);
    take_text(o, "gain", &gain);
}

static json_t *kernel(const struct result *r, const struct step_result *s)
{
    json_t *o = json_object(), *budgets = json_array();
    char *size = problem_size(s->problem, s->step->dims);
    struct buf time = {0};
    set_text(o, "kernel", s->step->kernel);
    set_text(o, "size", size);
    free(size);
    json_object_set_new(o, "own", json_boolean(lab_own(s)));
    json_object_set_new(o, "budgets", budgets);
    if (s->step->suspect) {
        set_text(o, "suspect",
            r->answer.len ? r->answer.data
                          : "at fault; how is told once every prediction is right");
        return o;
    }
    lab_time(&time, s);
    take_text(o, "time", &time);
    json_object_set_new(o, "time_ms", json_number(s->m.ms));
    if (s->m.bottleneck) set_text(o, "limited_by", part_name(s->m.bottleneck));
    if (isfinite(s->reference_ms))
        json_object_set_new(o, "reference_ms", json_number(s->reference_ms));
    for (int i = 0; i < s->budget_count; i++)
        json_array_append_new(budgets, budget(s, &s->budgets[i]));
    if (r->status == STATUS_PASSED && isfinite(s->before.ms)) set_rungs(o, s);
    return o;
}

json_t *lab_json(const struct result *r)
{
    json_t *o = json_object(), *kernels = json_array(), *lines = json_array();
    struct buf points = {0};
    set_text(o, "lab", r->lab->name);
    set_text(o, "exercise", r->exercise->name);
    set_text(o, "title", r->exercise->title);
    set_text(o, "file", r->file);
    set_text(o, "status", status_names[r->status]);
    lab_points(&points, r);
    take_text(o, "points", &points);
    json_object_set_new(o, "score", json_number(r->score));
    json_object_set_new(o, "max_score", json_integer(r->max_score));
    /* as in the text: if steps were measured, each step has its own reason */
    if (!r->step_count) set_text(o, "message", r->message.data);
    for (int i = 0; i < NAMED_MOST && r->named[i]; i++)
        json_array_append_new(lines, json_integer(r->named[i]));
    json_object_set_new(o, "lines", lines);
    set_text(o, "warnings", r->warnings.data);
    set_text(o, "printed", r->printed.data);
    if (r->cause.count) json_object_set_new(o, "cause", cause(r));
    for (int i = 0; i < r->step_count; i++) json_array_append_new(kernels, kernel(r, &r->steps[i]));
    json_object_set_new(o, "kernels", kernels);
    return o;
}
