/* gradebook.c - convert results/NAME.json to formats for spreadsheets and learning platforms.
 *
 *     gradebook.csv          a row per student, a column per exercise     RFC 4180, UTF-8
 *     parts.csv              a row per part of a student's exercise: right, budget, speed, prediction
 *     late-days.csv          NAME,DAYS: free late days used so far, for the next course file
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

void result_cell(struct buf *out, const char *text)
{
    int formula = *text && strchr("=+-@\t\r", *text),
        quoted = formula || strpbrk(text, ",\"\n\r") || *text == ' ';
    if (quoted) buf_printf(out, "\"%s", formula ? "'" : "");
    for (const char *p = text; *p; p++) buf_printf(out, *p == '"' ? "\"\"" : "%c", *p);
    if (quoted) buf_printf(out, "\"");
}

/* The headings of the roster's columns, which are also keys of a result. */
static const char *const texts[] = {"id", "login", "email", "section", "group"};
enum { TEXTS = sizeof texts / sizeof *texts };

static void csv_head(struct buf *out, const json_t *result)
{
    size_t i;
    json_t *x;
    buf_printf(out, "student,score,max_score,late,days_late,score_before_lateness,notes");
    for (i = 0; i < TEXTS; i++) buf_printf(out, ",%s", texts[i]);
    json_array_foreach(json_object_get(result, "exercises"), i, x)
        buf_printf(out, ",%s %s", result_text(x, "lab"), result_text(x, "exercise"));
    buf_printf(out, "\r\n");
}

/* Append a row that belongs to no student: the number `key` of each exercise, or 1 without it. */
static void csv_row_of(
    struct buf *out, const char *name, double most, const json_t *exercises, const char *key)
{
    size_t i;
    json_t *x;
    buf_printf(out, "%s,,", name);
    if (most > 0) buf_printf(out, "%g", most);
    buf_printf(out, ",,,,");
    for (i = 0; i < TEXTS; i++) buf_printf(out, ",");
    json_array_foreach(exercises, i, x)
        buf_printf(out, ",%g", json_object_get(x, key) ? result_number(x, key) : 1);
    buf_printf(out, "\r\n");
}

/* Append two rows: the maximum and the weight of each exercise. */
static void csv_maxima(struct buf *out, const json_t *result)
{
    const json_t *exercises = json_object_get(result, "exercises"), *x;
    double most = 0;
    size_t i;
    json_array_foreach(exercises, i, x) most +=
        result_number(x, "max_score") *
        (json_object_get(x, "weight") ? result_number(x, "weight") : 1);
    csv_row_of(out, "(maximum)", most, exercises, "max_score");
    csv_row_of(out, "(weight)", 0, exercises, "weight");
}

char *result_notes(const json_t *result, const char *between)
{
    struct buf b = {0};
    const json_t *line;
    size_t i;
    buf_add(&b, "", 0);
    json_array_foreach(json_object_get(result, "notes"), i, line)
        buf_printf(&b, "%s%s", i ? between : "", json_string_value(line));
    return b.data;
}

/* Was a file of an exercise handed in? */
static int has_work(const json_t *result)
{
    const json_t *x;
    size_t i;
    json_array_foreach(json_object_get(result, "exercises"), i,
        x) if (json_is_true(json_object_get(x, "handed_in"))) return 1;
    return 0;
}

/* The course's notes on a student, after the reasons why the hand-in was not read completely or not
 * at all. The caller frees it. */
static char *notes_of(const json_t *result)
{
    char *notes = result_notes(result, " ");
    struct buf b = {0};
    size_t not_read = (size_t)result_number(result, "not_read");
    buf_add(&b, "", 0);
    if (*result_text(result, "error"))
        buf_printf(&b, "Not read as a whole: %s. ", result_text(result, "error"));
    if (not_read && !has_work(result))
        buf_printf(&b, "Not read: %zu file%s. ", not_read, plural_s((double)not_read));
    buf_printf(&b, "%s", notes);
    if (b.len && b.data[b.len - 1] == ' ') b.data[b.len - 1] = 0;
    free(notes);
    return b.data;
}

static void csv_row(struct buf *out, const json_t *result)
{
    char *notes = notes_of(result);
    size_t i;
    json_t *x;
    result_cell(out, result_text(result, "student"));
    buf_printf(out, ",%g,%g,%s,%g,", result_number(result, "score"),
        result_number(result, "max_score"),
        json_is_true(json_object_get(result, "late")) ? "yes" : "no",
        result_number(result, "days_late"));
    buf_printf(out, "%g,",
        result_number(result,
            json_object_get(result, "score_before_lateness") ? "score_before_lateness" : "score"));
    result_cell(out, notes);
    for (i = 0; i < TEXTS; i++) {
        buf_printf(out, ",");
        result_cell(out, result_text(result, texts[i]));
    }
    json_array_foreach(json_object_get(result, "exercises"), i, x)
    {
        if (json_is_true(json_object_get(x, "excused")))
            buf_printf(out, ",excused");
        else
            buf_printf(out, ",%g", result_got(x));
    }
    buf_printf(out, "\r\n");
    free(notes);
}

/* An exercise's points with the instructor's adjustments, before its weight is applied. */
double result_got(const json_t *exercise)
{
    double got = result_number(exercise, "score") + result_number(exercise, "adjustment");
    return got > 0 ? got : 0;
}

/* Append a row for each part of a student's points; an exercise that is wrong has none. */
static void parts(struct buf *out, const json_t *result)
{
    size_t i, k;
    json_t *x, *p;
    json_array_foreach(json_object_get(result, "exercises"), i, x)
        json_array_foreach(json_object_get(x, "parts"), k, p)
    {
        result_cell(out, result_text(result, "student"));
        buf_printf(out, ",");
        result_cell(out, result_text(result, "id"));
        buf_printf(out, ",%s,%s,%s,%s,%s,%g,%g\r\n", result_text(x, "lab"),
            result_text(x, "exercise"), result_text(p, "part"),
            result_text(p, json_object_get(p, "kernel") ? "kernel" : "name"),
            result_text(p, "metric"), result_number(p, "points"), result_number(p, "of"));
    }
}

/* Append the days that a student has used, under a name that the next course file can find. */
static void late_days(struct buf *out, const json_t *result)
{
    double used =
        result_number(result, "late_days_used_before") + result_number(result, "late_days_used");
    const char *id = result_text(result, "id");
    if (!json_object_get(result, "late_days_used")) return;
    result_cell(out, *id ? id : result_text(result, "student"));
    buf_printf(out, ",%g\r\n", used);
}

/* Append the late days of students who are not in this class, as late_days gave them. */
static void late_days_carried(struct buf *out, const struct course *c)
{
    for (size_t i = 0; c && c->late_days_free > 0 && i < c->line_count; i++)
        if (c->lines[i].carried && !c->lines[i].who) {
            result_cell(out, c->lines[i].key);
            buf_printf(out, ",%g\r\n", c->lines[i].number);
        }
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
                result_got(x), result_number(x, "max_score"));
            result_escape(out, result_text(x, "message"));
            buf_printf(out, "\"/>");
        }
        buf_printf(out, "</testcase>\n");
    }
    char *notes = result_notes(result, "\n");
    if (*notes) {
        buf_printf(out, "<system-out>");
        result_escape(out, notes);
        buf_printf(out, "</system-out>\n");
    }
    free(notes);
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
    struct buf csv = {0}, suites = {0}, days = {0}, list = {0};
    buf_printf(&list, "student,id,lab,exercise,part,of_what,metric,points,max_points\r\n");
    int bad = make_folders(o->results, e);
    buf_printf(&suites, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (size_t i = 0; i < r->count && !bad; i++) {
        char *path = xasprintf("%s/%s.json", o->results, r->list[i].name);
        json_t *result = result_load(path);
        if (result) {
            if (!csv.len) csv_head(&csv, result), csv_maxima(&csv, result);
            csv_row(&csv, result);
            late_days(&days, result);
            parts(&list, result);
            junit(&suites, result);
            bad = write_platforms(o->results, r->list[i].name, result, e);
        }
        json_decref(result);
        free(path);
    }
    buf_printf(&suites, "</testsuites>\n");
    if (!bad && csv.len)
        bad = write_to(o->results, "gradebook.csv", csv.data, e) ||
              write_to(o->results, "parts.csv", list.data, e) ||
              write_to(o->results, "junit.xml", suites.data, e);
    late_days_carried(&days, o->course);
    if (!bad && days.len && !o->anonymous)
        bad = write_to(o->results, "late-days.csv", days.data, e);
    buf_free(&csv), buf_free(&suites), buf_free(&days), buf_free(&list);
    return bad ? -1 : 0;
}
