/* gradebook.c - results/NAME.json as what spreadsheets and learning platforms read.
 *
 *     gradebook.csv          a row a student, a column an exercise        RFC 4180, UTF-8
 *     gradescope/NAME.json   results.json of a Gradescope autograder
 *     junit.xml              a suite a student, a case an exercise
 *
 * All are made from the JSON files alone. A cell that begins with = + - @ gets an apostrophe before it: a
 * spreadsheet would take it for a formula.
 */
#include "grading/grading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *result_text(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

double result_number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

void result_escape(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++)
        switch (*p) {
        case '<': buf_printf(out, "&lt;"); break;
        case '>': buf_printf(out, "&gt;"); break;
        case '&': buf_printf(out, "&amp;"); break;
        case '"': buf_printf(out, "&quot;"); break;
        case '\n': buf_printf(out, "&#10;"); break;
        default: buf_printf(out, "%c", *p);
        }
}

static void cell(struct buf *out, const char *text)
{
    int formula = *text && strchr("=+-@\t\r", *text),
        quoted = formula || strpbrk(text, ",\"\n\r") || *text == ' ';
    if (quoted) buf_printf(out, "\"%s", formula ? "'" : "");
    for (const char *p = text; *p; p++) buf_printf(out, *p == '"' ? "\"\"" : "%c", *p);
    if (quoted) buf_printf(out, "\"");
}

static void csv_head(struct buf *out, const json_t *result)
{
    size_t i;
    json_t *x;
    buf_printf(out, "student,score,max_score,late");
    json_array_foreach(json_object_get(result, "exercises"), i, x)
        buf_printf(out, ",%s %s", result_text(x, "lab"), result_text(x, "exercise"));
    buf_printf(out, "\r\n");
}

static void csv_row(struct buf *out, const json_t *result)
{
    size_t i;
    json_t *x;
    cell(out, result_text(result, "student"));
    buf_printf(out, ",%g,%g,%s", result_number(result, "score"), result_number(result, "max_score"),
        json_is_true(json_object_get(result, "late")) ? "yes" : "no");
    json_array_foreach(json_object_get(result, "exercises"), i, x)
        buf_printf(out, ",%g", result_number(x, "score"));
    buf_printf(out, "\r\n");
}

/* Source: Gradescope, "Autograder specifications", results.json. */
static char *gradescope(const json_t *result)
{
    json_t *o = json_object(), *tests = json_array(), *x;
    size_t i;
    json_object_set_new(o, "score", json_deep_copy(json_object_get(result, "score")));
    json_object_set_new(o, "output_format", json_string("text"));
    json_array_foreach(json_object_get(result, "exercises"), i, x)
    {
        json_t *t = json_object();
        char *name = xasprintf("%s %s", result_text(x, "lab"), result_text(x, "exercise"));
        json_object_set_new(t, "name", json_string(name));
        json_object_set_new(t, "score", json_deep_copy(json_object_get(x, "score")));
        json_object_set_new(t, "max_score", json_deep_copy(json_object_get(x, "max_score")));
        json_object_set_new(
            t, "status", json_string(strcmp(result_text(x, "status"), "passed") ? "failed" : "passed"));
        json_object_set_new(t, "output", json_string(result_text(x, "message")));
        json_object_set_new(t, "output_format", json_string("text"));
        json_array_append_new(tests, t);
        free(name);
    }
    json_object_set_new(o, "tests", tests);
    char *text = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(12)), *line = xasprintf("%s\n", text);
    free(text);
    json_decref(o);
    return line;
}

static void junit(struct buf *out, const json_t *result)
{
    size_t i;
    json_t *x;
    buf_printf(out, "<testsuite name=\"");
    result_escape(out, result_text(result, "student"));
    buf_printf(out, "\" tests=\"%zu\">\n", json_array_size(json_object_get(result, "exercises")));
    json_array_foreach(json_object_get(result, "exercises"), i, x)
    {
        buf_printf(out, "<testcase classname=\"%s\" name=\"%s\">", result_text(x, "lab"),
            result_text(x, "exercise"));
        if (strcmp(result_text(x, "status"), "passed")) {
            buf_printf(out, "<failure message=\"%g of %g: ", result_number(x, "score"),
                result_number(x, "max_score"));
            result_escape(out, result_text(x, "message"));
            buf_printf(out, "\"/>");
        }
        buf_printf(out, "</testcase>\n");
    }
    buf_printf(out, "</testsuite>\n");
}

static int write_to(const char *results, const char *name, const char *text, struct err *e)
{
    char *path = xasprintf("%s/%s", results, name);
    int bad = file_write(path, text, strlen(text), e);
    free(path);
    return bad;
}

int gradebook_write(const struct class_options *o, const struct roster *r, struct err *e)
{
    struct buf csv = {0}, suites = {0};
    char *folder = xasprintf("%s/gradescope", o->results);
    int bad = mkdir(folder, 0777) && errno != EEXIST
        ? err_set(e, ERR_ENV, "%s: cannot be made: %s", folder, strerror(errno))
        : 0;
    buf_printf(&suites, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (size_t i = 0; i < r->count && !bad; i++) {
        char *path = xasprintf("%s/%s.json", o->results, r->list[i].name),
             *name = xasprintf("gradescope/%s.json", r->list[i].name);
        json_t *result = json_load_file(path, 0, NULL);
        if (result) {
            if (!csv.len) csv_head(&csv, result);
            csv_row(&csv, result);
            junit(&suites, result);
            char *text = gradescope(result);
            bad = write_to(o->results, name, text, e);
            free(text);
        }
        json_decref(result);
        free(path), free(name);
    }
    buf_printf(&suites, "</testsuites>\n");
    if (!bad && csv.len)
        bad = write_to(o->results, "gradebook.csv", csv.data, e) ||
            write_to(o->results, "junit.xml", suites.data, e);
    buf_free(&csv), buf_free(&suites);
    free(folder);
    return bad ? -1 : 0;
}
