/* gradebook.c - convert results/NAME.json to formats for spreadsheets and learning platforms.
 *
 *     gradebook.csv          a row per student, a column per exercise     RFC 4180, UTF-8
 *     PLATFORM/NAME.json     what a platform's own autograder would write (platforms.c)
 *     junit.xml              a suite per student, a case per exercise
 *
 * All files are made from the JSON files alone. A cell that begins with = + - @ gets an apostrophe
 * before it, since a spreadsheet would read it as a formula. */
#include "grading/grading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

json_t *result_load(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    if (file_read(path, RESULT_MOST, &text, &length, NULL)) return NULL;
    json_t *result = json_loadb(text, length, 0, NULL);
    free(text);
    return result;
}

const char *result_text(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

double result_number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

/* Characters that XML does not allow are left out: control characters except tab and line ends,
 * U+FFFE and U+FFFF. */
void result_escape(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++) switch (*p) {
        case '<': buf_printf(out, "&lt;"); break;
        case '>': buf_printf(out, "&gt;"); break;
        case '&': buf_printf(out, "&amp;"); break;
        case '"': buf_printf(out, "&quot;"); break;
        case '\n': buf_printf(out, "&#10;"); break;
        default:
            if (!strncmp(p, "\xef\xbf\xbe", 3) || !strncmp(p, "\xef\xbf\xbf", 3))
                p += 2;
            else if ((unsigned char)*p >= 0x20 || *p == '\t' || *p == '\r')
                buf_add(out, p, 1);
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

static void junit(struct buf *out, const json_t *result)
{
    size_t i, failures = 0, errors = 0;
    json_t *x;
    buf_printf(out, "<testsuite name=\"");
    result_escape(out, result_text(result, "student"));
    json_array_foreach(json_object_get(result, "exercises"), i, x)
    {
        if (!strcmp(result_text(x, "status"), "error"))
            errors++;
        else if (strcmp(result_text(x, "status"), "passed"))
            failures++;
    }
    buf_printf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", i, failures, errors);
    json_array_foreach(json_object_get(result, "exercises"), i, x)
    {
        buf_printf(out, "<testcase classname=\"%s\" name=\"%s\">", result_text(x, "lab"),
            result_text(x, "exercise"));
        const char *status = result_text(x, "status");
        if (strcmp(status, "passed")) {
            buf_printf(out,
                "<%s message=\"%g of %g: ", strcmp(status, "error") ? "failure" : "error",
                result_number(x, "score"), result_number(x, "max_score"));
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

static int make_folders(const char *results, struct err *e)
{
    int bad = 0;
    for (const struct platform *p = platforms; p->name && !bad; p++) {
        char *folder = xasprintf("%s/%s", results, p->name);
        if (mkdir(folder, 0777) && errno != EEXIST)
            bad = err_set(e, ERR_ENV, "%s: cannot be made: %s", folder, strerror(errno));
        free(folder);
    }
    return bad;
}

static int write_platforms(
    const char *results, const char *student, const json_t *result, struct err *e)
{
    int bad = 0;
    for (const struct platform *p = platforms; p->name && !bad; p++) {
        char *path = xasprintf("%s/%s/%s.json", results, p->name, student),
             *text = platform_text(p, result);
        /* not synced to disk: there are thousands of files, and they can be made again from the
         * results */
        bad = file_write_scratch(path, text, strlen(text), e);
        free(path), free(text);
    }
    return bad;
}

int gradebook_write(const struct class_options *o, const struct roster *r, struct err *e)
{
    struct buf csv = {0}, suites = {0};
    int bad = make_folders(o->results, e);
    buf_printf(&suites, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (size_t i = 0; i < r->count && !bad; i++) {
        char *path = xasprintf("%s/%s.json", o->results, r->list[i].name);
        json_t *result = result_load(path);
        if (result) {
            if (!csv.len) csv_head(&csv, result);
            csv_row(&csv, result);
            junit(&suites, result);
            bad = write_platforms(o->results, r->list[i].name, result, e);
        }
        json_decref(result);
        free(path);
    }
    buf_printf(&suites, "</testsuites>\n");
    if (!bad && csv.len)
        bad = write_to(o->results, "gradebook.csv", csv.data, e) ||
              write_to(o->results, "junit.xml", suites.data, e);
    buf_free(&csv), buf_free(&suites);
    return bad ? -1 : 0;
}
