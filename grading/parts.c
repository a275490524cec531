/* parts.c - the parts of an exercise's points, as "parts" of its JSON.
 *
 *     {"part": "correct",    "points", "of", "kernel"}
 *     {"part": "budget",     "points", "of", "kernel", "metric", "value", "rule", "limit", "why", "blame"}
 *     {"part": "speed",      "points", "of", "kernel", "time_ms", "reference_ms"}
 *     {"part": "technique",  "points", "of", "kernel"}    points are negative: what exceeds half
 *     {"part": "prediction", "points", "of", "name", "said", "counted", "asks"}
 *
 *     "blame", only of a missed budget: {"line", "first", "source": [lines from `first` on], "counters"}
 *
 * Their points add up to the exercise's score. An exercise that is wrong, or was not counted,
 * has no parts. */
#include "grading/grading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* BESIDE: lines shown before and after the line that costs most; LINE_MOST: most bytes of a
 * line. */
enum { BESIDE = 2, LINE_MOST = 200 };

/* Line n of a text, counted from 1, without its newline; NULL: there is none. The caller frees
 * it. */
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

static void budget(json_t *o, const struct result *r, const struct budget_result *b)
{
    json_object_set_new(o, "metric", json_string(metric_name(b->budget->metric)));
    json_object_set_new(o, "value", json_number(b->value));
    json_object_set_new(
        o, "rule", json_string(b->budget->rule == AT_MOST ? "at most" : "at least"));
    json_object_set_new(o, "limit", json_number(b->limit));
    json_object_set_new(o, "why", json_string(b->budget->why));
    if (!b->met && b->line && r->source) json_object_set_new(o, "blame", blame(r, b));
}

static void prediction(json_t *o, const struct result *r, const struct prediction_result *p)
{
    json_object_set_new(o, "said", p->said == -1 ? json_null() : json_integer(p->said));
    json_object_set_new(o, "counted", json_number(p->counted));
    char *question = prediction_question(r->exercise, p->prediction);
    json_object_set_new(o, "asks", json_string(question));
    free(question);
}

/* An entry of the ledger as JSON, with the values on which it depends. */
static json_t *part(const struct result *r, const struct ledger_entry *x)
{
    static const char *const names[] = {"correct", "budget", "speed", "technique", "prediction"};
    const struct step_result *s = &r->steps[x->step];
    const struct prediction_result *p = &r->predictions[x->item];
    int predicted = x->what == LEDGER_PREDICTION;
    json_t *o = json_object();
    json_object_set_new(o, "part", json_string(names[x->what]));
    json_object_set_new(o, predicted ? "name" : "kernel",
        json_string(predicted ? p->prediction->name : s->step->kernel));
    json_object_set_new(o, "points", json_number(x->points));
    json_object_set_new(o, "of", json_integer(x->of));
    if (x->what == LEDGER_BUDGET) budget(o, r, &s->budgets[x->item]);
    if (x->what == LEDGER_SPEED) {
        json_object_set_new(o, "time_ms", json_number(s->m.ms));
        json_object_set_new(o, "reference_ms", json_number(s->reference_ms));
    }
    if (predicted) prediction(o, r, p);
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
    for (int i = 0; i < r->ledger_count && r->step_count; i++)
        json_array_append_new(list, part(r, &r->ledger[i]));
    json_object_set_new(o, "file", json_text(r->file ? r->file : ""));
    json_object_set_new(o, "parts", list);
    return o;
}
