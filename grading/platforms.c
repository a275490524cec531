/* platforms.c - one result as the JSON that a platform's own autograder would write.
 *
 *     gradescope     {"score", "output", "visibility", "tests": [{"name", "score", "max_score", "output"}]}
 *     autolab        {"scores": {NAME: points}, "scoreboard": [total]}       one line, the last of stdout
 *     classroom50    {"score", "max-score", "tests": [{"test-name", "passed", "score", "max-score"}]}   whole
 *     prairielearn   {"gradable", "score": 0 to 1, "tests": [{"name", "points", "max_points", "output"}]}
 *
 * An exercise is a test, or a problem, of the name "05-padded transpose". Its points are those that
 * count: with the course's weight and adjustments, and less its share of what lateness takes, so that
 * they add up to the score. Gradescope and PrairieLearn want a maximum above 0: what is excused is no
 * test there. The message of an exercise is at most some KiB, so PrairieLearn's limit of 1 MB is far.
 * Sources: Gradescope, "Autograder Specifications"; Autolab, "Guide for Lab Authors"; Classroom 50,
 * "Advanced Autograding"; PrairieLearn, "External Grading". */
#include "grading/grading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *name_of(const json_t *exercise)
{
    return xasprintf("%s %s", result_text(exercise, "lab"), result_text(exercise, "exercise"));
}

static int passed(const json_t *exercise)
{
    return !strcmp(result_text(exercise, "status"), "passed");
}

/* The points of an exercise before lateness, and below their maximum. In a result without a course
 * these are the points that the exercise earned. */
static double points_of(const json_t *x)
{
    return result_number(x, json_object_get(x, "points") ? "points" : "score");
}
static double most_of(const json_t *x)
{
    return result_number(x, json_object_get(x, "max_points") ? "max_points" : "max_score");
}

/* The points of an exercise on a platform. */
struct share {
    double got, of;
};

/* Share the score out to the exercises, in multiples of unit, so that the sum is the score,
 * rounded. Points beyond an exercise's maximum go to the next one. whole: points are at most the
 * maximum, and an exercise that is not passed gets less. The caller frees the array. */
static struct share *shares(const json_t *result, const json_t *exercises, double unit, int whole)
{
    struct share *list = xcalloc(json_array_size(exercises) + 1, sizeof *list);
    double score = result_number(result, "score"), before = 0, most = 0, sum = 0, sum_of = 0,
           given = 0, given_of = 0;
    const json_t *x;
    size_t i;
    json_array_foreach(exercises, i, x) before += points_of(x), most += most_of(x);
    json_array_foreach(exercises, i, x)
    {
        struct share *s = &list[i];
        if (before > 0)
            sum += points_of(x) * score / before;
        else if (most > 0)
            sum += most_of(x) * score / most;
        sum_of += most_of(x);
        s->of = round(sum_of / unit) - given_of;
        s->got = round(sum / unit) - given;
        double limit = passed(x) || points_of(x) >= most_of(x) ? s->of : fmax(0, s->of - 1);
        if (whole && s->got > limit) s->got = limit;
        given_of += s->of, given += s->got;
        s->of *= unit, s->got *= unit;
    }
    return list;
}

/* Tenths of a point as JSON; an integer is written without a fraction. */
static json_t *points(double v)
{
    double tenths = round(v * 10) / 10;
    return tenths == floor(tenths) ? json_integer((json_int_t)tenths) : json_real(tenths);
}

static json_t *output_of(const json_t *x)
{
    struct buf b = {0};
    double weight = json_object_get(x, "weight") ? result_number(x, "weight") : 1;
    const char *text = result_text(x, "message"), *near = result_text(x, "near");
    buf_printf(&b, "%s", *text ? text : "All points.");
    if (*near) buf_printf(&b, "\nDid you mean %s?", near);
    if (weight != 1)
        buf_printf(&b, "\n%g of %g points, which count %g times.", result_got(x),
            result_number(x, "max_score"), weight);
    json_t *output = json_text(b.data);
    buf_free(&b);
    return output;
}

/* Remarks on the whole submission, one per line; NULL: none. The caller frees it. */
static json_t *about(const json_t *result)
{
    struct buf b = {0};
    const json_t *line;
    size_t i, not_read = (size_t)result_number(result, "not_read");
    if (*result_text(result, "error")) buf_printf(&b, "%s\n", result_text(result, "error"));
    json_array_foreach(json_object_get(result, "notes"), i, line)
        buf_printf(&b, "%s\n", json_string_value(line));
    json_array_foreach(json_object_get(result, "remarks"), i, line)
        buf_printf(&b, "%s\n", json_string_value(line));
    if (b.len && not_read)
        buf_printf(&b, "%zu %s not read.\n", not_read, not_read == 1 ? "file" : "files");
    json_t *text = b.len ? json_text(b.data) : NULL;
    buf_free(&b);
    return text;
}

static json_t *gradescope(const json_t *result, const json_t *exercises)
{
    json_t *o = json_object(), *tests = json_array(), *x;
    json_t *said = about(result);
    size_t i;
    struct share *share = shares(result, exercises, 0.1, 0);
    json_object_set(o, "score", json_object_get(result, "score"));
    if (said) json_object_set_new(o, "output", said);
    json_object_set_new(o, "output_format", json_string("text"));
    json_object_set_new(o, "visibility", json_string("visible"));
    json_object_set_new(o, "stdout_visibility", json_string("hidden"));
    json_array_foreach(exercises, i, x)
    {
        if (!(share[i].of > 0)) continue;
        json_t *t = json_object();
        char *name = name_of(x);
        json_object_set_new(t, "name", json_string(name));
        json_object_set_new(t, "score", points(share[i].got));
        json_object_set_new(t, "max_score", points(share[i].of));
        json_object_set_new(t, "status", json_string(passed(x) ? "passed" : "failed"));
        json_object_set_new(t, "output", output_of(x));
        json_object_set_new(t, "output_format", json_string("text"));
        json_array_append_new(tests, t);
        free(name);
    }
    json_object_set_new(o, "tests", tests);
    free(share);
    return o;
}

static json_t *autolab(const json_t *result, const json_t *exercises)
{
    json_t *o = json_object(), *scores = json_object(), *board = json_array(), *x;
    struct share *share = shares(result, exercises, 0.1, 0);
    size_t i;
    json_array_foreach(exercises, i, x)
    {
        char *name = name_of(x);
        json_object_set_new(scores, name, points(share[i].got));
        free(name);
    }
    free(share);
    json_array_append(board, json_object_get(result, "score"));
    json_object_set_new(o, "scores", scores);
    json_object_set_new(o, "scoreboard", board);
    return o;
}

/* Add keys that the runner of Classroom 50 passes in the environment; elsewhere they are left
 * out. */
static void runner(json_t *o)
{
    static const char *const keys[][2] = {{"classroom", "CLASSROOM"}, {"assignment", "ASSIGNMENT"},
        {"submission", "SUBMISSION_TAG"}, {"commit", "COMMIT_URL"}, {"release", "RELEASE_URL"},
        {"review", "REVIEW_URL"}};
    const char *tag = getenv("SUBMISSION_TAG"), *value;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((value = getenv(keys[i][1])) && *value)
            json_object_set_new(o, keys[i][0], json_text(value));
    if (!tag) return;
    char now[32];
    time_t t = time(NULL);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
    if (!json_object_get(o, "review") && json_object_get(o, "commit"))
        json_object_set(o, "review", json_object_get(o, "commit"));
    json_object_set_new(o, "datetime", json_string(now));
}

/* The JSON of Classroom 50. Points are integers there; only an exercise with all points gets the
 * most. */
static json_t *classroom50(const json_t *result, const json_t *exercises)
{
    json_t *o = json_object(), *tests = json_array(), *x;
    json_int_t score = 0, most = 0;
    struct share *share = shares(result, exercises, 1, 1);
    size_t i;
    json_object_set_new(o, "schema", json_string("classroom50/result/v1"));
    runner(o);
    json_array_foreach(exercises, i, x)
    {
        json_t *t = json_object();
        char *name = name_of(x);
        json_int_t of = llround(share[i].of), got = llround(share[i].got);
        json_object_set_new(t, "test-name", json_string(name));
        json_object_set_new(t, "passed", json_boolean(passed(x)));
        json_object_set_new(t, "score", json_integer(got));
        json_object_set_new(t, "max-score", json_integer(of));
        json_array_append_new(tests, t);
        score += got, most += of;
        free(name);
    }
    free(share);
    json_object_set_new(o, "score", json_integer(score));
    json_object_set_new(o, "max-score", json_integer(most));
    json_object_set_new(o, "tests", tests);
    return o;
}

static json_t *prairielearn(const json_t *result, const json_t *exercises)
{
    json_t *o = json_object(), *tests = json_array(), *x;
    double most = result_number(result, "max_score"), score = result_number(result, "score") / most;
    json_t *said = about(result);
    struct share *share = shares(result, exercises, 0.1, 0);
    size_t i;
    json_object_set_new(o, "gradable", json_true());
    json_object_set_new(o, "score", json_real(most > 0 ? fmax(0, fmin(1, score)) : 0));
    if (said) json_object_set_new(o, "message", said);
    json_array_foreach(exercises, i, x)
    {
        if (!(share[i].of > 0)) continue;
        json_t *t = json_object();
        char *name = name_of(x);
        json_object_set_new(t, "name", json_string(name));
        json_object_set_new(t, "points", points(share[i].got));
        json_object_set_new(t, "max_points", points(share[i].of));
        json_object_set_new(t, "output", output_of(x));
        json_array_append_new(tests, t);
        free(name);
    }
    json_object_set_new(o, "tests", tests);
    free(share);
    return o;
}

const struct platform platforms[] = {
    {"gradescope", gradescope, JSON_INDENT(2)},
    {"autolab", autolab, JSON_COMPACT},
    {"classroom50", classroom50, JSON_INDENT(2)},
    {"prairielearn", prairielearn, JSON_INDENT(2)},
    {0},
};

char *platform_text(const struct platform *p, const json_t *result)
{
    json_t *o = p->make(result, json_object_get(result, "exercises"));
    char *text = json_dumps(o, p->layout | JSON_REAL_PRECISION(12)),
         *line = xasprintf("%s\n", text);
    free(text);
    json_decref(o);
    return line;
}
