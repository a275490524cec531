/* github.c - a result as GitHub Actions shows it: annotations on lines, a summary of the job, and points.
 *
 *     stdout                   ::error file=labs/01-naive/add.cu,line=10,title=...::add fails ...
 *                              ::notice title=Autograding report::{"totalPoints":0,"maxPoints":4}
 *     $GITHUB_STEP_SUMMARY     Markdown: a table of the exercises, and below it why points are missing
 *     $GITHUB_OUTPUT           score=0, max_score=4
 *
 * A line of stdout that begins with :: is a command to the runner. What a student wrote is escaped,
 * so that it neither ends a line nor a property; in the summary it is escaped for HTML. GitHub
 * Classroom reads the two notices; points are integers there, and only a full score is rounded to
 * the maximum. Sources: GitHub, "Workflow commands for GitHub Actions";
 * classroom-resources/autograding-grading-reporter. */
#include "grading/grading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- annotations ---- */

/* Append text as the data of a command or, inside a property, as its value. */
static void escaped(struct buf *out, const char *text, int property)
{
    for (; *text; text++)
        if (*text == '%' || *text == '\r' || *text == '\n' ||
            (property && (*text == ':' || *text == ',')))
            buf_printf(out, "%%%02X", (unsigned char)*text);
        else
            buf_add(out, text, 1);
}

/* Append an annotation at a line of an exercise's file; line 0: for the whole file. */
static void annotate(
    struct buf *out, const char *level, const json_t *x, double line, const char *text)
{
    char *title = xasprintf("%s %s: %g of %g points", result_text(x, "lab"),
        result_text(x, "exercise"), result_got(x), result_number(x, "max_score"));
    buf_printf(out, "::%s file=labs/", level);
    escaped(out, result_text(x, "file"), 1);
    if (line > 0) buf_printf(out, ",line=%.0f", line);
    buf_printf(out, ",title=");
    escaped(out, title, 1);
    buf_printf(out, "::");
    escaped(out, text, 0);
    buf_printf(out, "\n");
    free(title);
}

/* Append an annotation for each missed budget, at the line that costs most. Returns how many. */
static int budgets(struct buf *out, const json_t *x)
{
    const json_t *p;
    size_t i;
    int count = 0;
    json_array_foreach(json_object_get(x, "parts"), i, p)
    {
        const json_t *blame = json_object_get(p, "blame");
        if (!blame || result_number(p, "points") >= result_number(p, "of")) continue;
        char *text = xasprintf("%s: %s is %.12g, %s %.12g is asked for. %s",
            result_text(p, "kernel"), result_text(p, "metric"), result_number(p, "value"),
            result_text(p, "rule"), result_number(p, "limit"), result_text(p, "why"));
        annotate(out, "warning", x, result_number(blame, "line"), text);
        free(text);
        count++;
    }
    return count;
}

static void exercise(struct buf *out, const json_t *x, int final)
{
    const char *status = result_text(x, "status"), *message = result_text(x, "message");
    int wrong = !json_array_size(json_object_get(x, "parts"));
    if (!*message || !strcmp(status, "not_attempted")) return;
    if (wrong)
        annotate(out, "error", x, result_number(x, "line"), message);
    else if (final || !budgets(out, x)) /* a final grading shows no counts */
        annotate(out, "warning", x, 0, message);
}

/* The score rounded to an integer for Classroom; only a full score becomes the maximum. */
static double whole(double score, double most)
{
    double points = round(score);
    return points >= most && score < most ? points - 1 : points;
}

static void annotations(struct buf *out, const json_t *result)
{
    const json_t *x;
    size_t i;
    double most = round(result_number(result, "max_score")),
           score = whole(result_number(result, "score"), most);
    json_array_foreach(json_object_get(result, "exercises"), i, x)
        exercise(out, x, json_is_true(json_object_get(result, "final")));
    buf_printf(out, "::notice title=Autograding complete::Points %.0f/%.0f\n", score, most);
    buf_printf(out,
        "::notice title=Autograding report::{\"totalPoints\":%.0f,\"maxPoints\":%.0f}\n", score,
        most);
}

/* ---- the summary ---- */

static void items(struct buf *out, const json_t *lines)
{
    const json_t *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        buf_printf(out, "<li>");
        result_escape(out, json_string_value(line));
        buf_printf(out, "</li>\n");
    }
}

/* Append an exercise's message: a compiler's message keeps its columns, sentences wrap. */
static void missing(struct buf *out, const json_t *x)
{
    const char *message = result_text(x, "message");
    if (!strcmp(result_text(x, "status"), "error")) {
        buf_printf(out, "<pre>");
        result_escape(out, message);
        buf_printf(out, "</pre>");
        return;
    }
    while (*message) {
        size_t n = strcspn(message, "\n");
        char *line = xstrndup(message, n);
        result_escape(out, line);
        free(line);
        message += n + (message[n] != 0);
        if (*message) buf_printf(out, "<br>");
    }
}

static void row(struct buf *out, const json_t *x)
{
    buf_printf(out, "<tr><td>%s %s</td><td>%g of %g</td><td>", result_text(x, "lab"),
        result_text(x, "exercise"), result_got(x), result_number(x, "max_score"));
    missing(out, x);
    buf_printf(out, "</td></tr>\n");
}

/* Exercises without a file are counted, not listed. */
static void summary(struct buf *out, const json_t *result)
{
    const json_t *x, *exercises = json_object_get(result, "exercises");
    size_t i, absent = 0;
    buf_printf(out, "## %g of %g points\n\n", result_number(result, "score"),
        result_number(result, "max_score"));
    buf_printf(out, "<table>\n<tr><th>exercise</th><th>points</th><th>what is missing</th></tr>\n");
    json_array_foreach(exercises, i, x) if (json_is_true(json_object_get(x, "handed_in")))
        row(out, x);
    else absent++;
    buf_printf(out, "</table>\n");
    if (absent) buf_printf(out, "<p>Without a file: %zu of the exercises.</p>\n", absent);
    buf_printf(out, "<ul>\n");
    if (*result_text(result, "error")) {
        buf_printf(out, "<li>");
        result_escape(out, result_text(result, "error"));
        buf_printf(out, "</li>\n");
    }
    items(out, json_object_get(result, "notes"));
    items(out, json_object_get(result, "remarks"));
    buf_printf(out, "</ul>\n");
}

/* ---- where they go ---- */

/* Append text to the file that a variable of the environment names; without it, do nothing. */
static int append_to(const char *variable, const struct buf *text, struct err *e)
{
    const char *path = getenv(variable);
    FILE *f = path && *path ? fopen(path, "a") : NULL;
    if (!path || !*path) return 0;
    size_t written = f ? fwrite(text->data, 1, text->len, f) : 0;
    if (!f || fclose(f) || written < text->len)
        return err_set(e, ERR_ENV, "%s, of %s: cannot be written", path, variable);
    return 0;
}

int github_put(struct buf *out, const json_t *result, struct err *e)
{
    struct buf text = {0}, values = {0};
    annotations(out, result);
    summary(&text, result);
    buf_printf(&values, "score=%.12g\nmax_score=%.12g\n", result_number(result, "score"),
        result_number(result, "max_score"));
    int bad = append_to("GITHUB_STEP_SUMMARY", &text, e) || append_to("GITHUB_OUTPUT", &values, e);
    buf_free(&text), buf_free(&values);
    return bad ? -1 : 0;
}
