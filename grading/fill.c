/* fill.c - fill in the points in a gradebook that was downloaded from Canvas or Moodle, and in
 * Moodle's also the feedback comments.
 *
 *     Canvas    Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (4711)     the row with the student's ID
 *     Moodle    Identifier,Full name,...,Grade,...                           "Participant 123": the 123
 *
 * The ID is in the name of the file that was handed in (roster.c); on Canvas the name may be the
 * login instead. With a roster, its ID, login and address are looked up, too. Other cells stay as
 * they are. The table is read, and every submission looked up, before anything is graded, so that a
 * wrong table is reported at once. */
#include "grading/csv.h"
#include "grading/grading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NO_COLUMN = -1 };

struct fill {
    struct csv table;
    /* option: "--canvas"; to: name of the file that is written, "canvas.csv" */
    const char *option, *to;
    size_t column;  /* index of the column for the points */
    int comments;   /* index of Moodle's "Feedback comments", or NO_COLUMN */
    size_t *row_of; /* for each submission: its row; 0: it is not in the table */
    /* the row that has " Points Possible", which Canvas exports; 0: there is none */
    size_t points_possible;
};

/* ---- columns ---- */

static int column_named(const struct csv *c, const char *name)
{
    for (size_t i = 0; c->row_count && i < c->rows[0].count; i++) {
        char *head = csv_cell(c, 0, i);
        int same = !strcmp(head, name);
        free(head);
        if (same) return (int)i;
    }
    return NO_COLUMN;
}

/* The length of the title before " (4711)" in a column's heading; 0: the column is not that of an
 * assignment. */
static size_t assignment_title(const char *head)
{
    const char *open = strrchr(head, '(');
    if (!open || open - head < 2 || open[-1] != ' ' || !isdigit((unsigned char)open[1])) return 0;
    return strcmp(open + 1 + strspn(open + 1, "0123456789"), ")") ? 0 : (size_t)(open - head) - 1;
}

/* The column of the assignment with this title; if no title is given, that of the only assignment.
 * -1 with an error. */
static int canvas_column(const struct csv *c, const char *named, struct err *e)
{
    struct buf all = {0};
    int found = NO_COLUMN, count = 0;
    for (size_t i = 0; i < c->rows[0].count; i++) {
        char *head = csv_cell(c, 0, i);
        size_t title = assignment_title(head);
        if (title) buf_printf(&all, "%s\"%s\"", all.len ? ", " : "", head);
        int meant = !named || !strcmp(head, named) ||
                    (strlen(named) == title && !strncmp(head, named, title));
        if (title && meant) found = (int)i, count++;
        free(head);
    }
    text_clean(&all);
    if (count != 1)
        err_set(e, ERR_USAGE, "%s: %s%s%s; give --canvas-column one of its assignments: %s",
            c->path, !count ? "no assignment" : "several assignments", named ? " is called " : "",
            named ? named : "",
            all.len ? all.data : "it has none, so download the gradebook again");
    buf_free(&all);
    return count == 1 ? found : NO_COLUMN;
}

static int moodle_column(const struct csv *c, const char *named, struct err *e)
{
    struct buf all = {0};
    int found = column_named(c, named ? named : "Grade");
    for (size_t i = 0; i < c->rows[0].count && found == NO_COLUMN; i++) {
        char *head = csv_cell(c, 0, i);
        buf_printf(&all, "%s\"%s\"", i ? ", " : "", head);
        free(head);
    }
    text_clean(&all);
    if (found == NO_COLUMN)
        err_set(e, ERR_USAGE,
            "%s: no column is called \"%s\"; give --moodle-column the one for grades of: %s",
            c->path, named ? named : "Grade", all.data);
    buf_free(&all);
    return found;
}

/* ---- rows ---- */

/* The number at the end of a text such as "Participant 123"; if there is none, the whole text. */
static const char *number_in(const char *text)
{
    const char *p = text + strlen(text);
    while (p > text && isdigit((unsigned char)p[-1])) p--;
    return *p ? p : text;
}

/* The columns by which a student is found, or NO_COLUMN. */
struct keys {
    int id, login, own_id, email;
};

static int cell_is(const struct csv *c, size_t row, int column, const char *text)
{
    if (column == NO_COLUMN || !text || !*text) return 0;
    char *cell = csv_cell(c, row, (size_t)column);
    int is = !strcmp(cell, text);
    free(cell);
    return is;
}

/* Is the row that of a submission's student? */
static int is_row(const struct csv *c, size_t row, const struct keys *k, const struct submission *s)
{
    char *number = k->id != NO_COLUMN ? csv_cell(c, row, (size_t)k->id) : xstrdup("");
    int is = s->id ? !strcmp(number_in(number), s->id) : cell_is(c, row, k->login, s->name);
    free(number);
    if (!s->person || is) return is;
    return cell_is(c, row, k->own_id, s->person->of[PERSON_ID]) ||
           cell_is(c, row, k->login, s->person->of[PERSON_LOGIN]) ||
           cell_is(c, row, k->login, s->person->of[PERSON_EMAIL]) ||
           cell_is(c, row, k->email, s->person->of[PERSON_EMAIL]);
}

/* The row of a submission; 0: there is none. */
static size_t row_of(const struct csv *c, const struct keys *k, const struct submission *s)
{
    for (size_t r = 1; r < c->row_count; r++)
        if (is_row(c, r, k, s)) return r;
    return 0;
}

/* The row that has " Points Possible" in its first cell, which is not the row of a student; 0:
 * there is none. */
static size_t points_possible(const struct csv *c)
{
    size_t found = 0;
    for (size_t r = 1; r < c->row_count && r < 4; r++) {
        char *first = csv_cell(c, r, 0);
        if (!strcmp(first + strspn(first, " "), "Points Possible")) found = r;
        free(first);
    }
    return found;
}

/* A submission's path or, if nothing was handed in, the student's name. */
static const char *what_is(const struct submission *s) { return s->path ? s->path : s->name; }

static int find_rows(struct fill *f, const struct roster *r, const struct keys *k, struct err *e)
{
    size_t *of = xcalloc(f->table.row_count + 1, sizeof *of), found = 0;
    int bad = 0;
    f->row_of = xcalloc(r->count, sizeof *f->row_of);
    for (size_t i = 0; i < r->count && !bad; i++) {
        size_t row = f->row_of[i] = row_of(&f->table, k, &r->list[i]);
        if (!row)
            fprintf(stderr, "%s: has no row for %s, which stays without points there\n",
                f->table.path, what_is(&r->list[i]));
        else if (of[row])
            bad = err_set(e, ERR_USAGE,
                "%s:%zu: two submissions are this student's: %s and %s; keep one", f->table.path,
                f->table.rows[row].line, what_is(&r->list[of[row] - 1]), what_is(&r->list[i]));
        else
            of[row] = i + 1, found++;
    }
    free(of);
    if (!bad && !found)
        bad = err_set(e, ERR_USAGE,
            "%s: has a row for none of the submissions: is it of this course? Their names hold the "
            "number "
            "that stands in the column %s",
            f->table.path, !strcmp(f->option, "--canvas") ? "ID" : "Identifier");
    return bad;
}

static int open_one(
    struct fill *f, const char *path, const char *named, const struct roster *r, struct err *e)
{
    int canvas = !strcmp(f->option, "--canvas"), column;
    if (csv_read(&f->table, path, e)) return -1;
    if (!f->table.row_count) return err_set(e, ERR_USAGE, "%s: is empty; download it again", path);
    const struct keys k = {
        .id = canvas ? column_named(&f->table, "ID") : 0,
        .login = canvas ? column_named(&f->table, "SIS Login ID") : NO_COLUMN,
        .own_id = column_named(&f->table, canvas ? "SIS User ID" : "ID number"),
        .email = canvas ? NO_COLUMN : column_named(&f->table, "Email address"),
    };
    f->comments = canvas ? NO_COLUMN : column_named(&f->table, "Feedback comments");
    if (canvas && k.id == NO_COLUMN)
        return err_set(e, ERR_USAGE,
            "%s:1: has no column ID; %s takes the gradebook that Canvas exports", path, f->option);
    column = canvas ? canvas_column(&f->table, named, e) : moodle_column(&f->table, named, e);
    if (column == NO_COLUMN) return -1;
    f->column = (size_t)column;
    f->points_possible = canvas ? points_possible(&f->table) : 0;
    return find_rows(f, r, &k, e);
}

int fill_open(
    struct fill **out, const struct class_options *o, const struct roster *r, struct err *e)
{
    struct fill *f = *out = xcalloc(2, sizeof *f);
    f[0].option = "--canvas", f[0].to = "canvas.csv";
    f[1].option = "--moodle", f[1].to = "moodle.csv";
    if (o->canvas && open_one(&f[0], o->canvas, o->canvas_column, r, e)) return -1;
    if (o->moodle && open_one(&f[1], o->moodle, o->moodle_column, r, e)) return -1;
    return 0;
}

/* ---- filling in points ---- */

/* What a result says, as HTML in one line, for Moodle's comments. The caller frees it. */
static char *comment_of(const json_t *result)
{
    struct buf b = {0};
    json_t *x;
    size_t i;
    buf_printf(&b, "%g of %g points<br>", result_number(result, "score"),
        result_number(result, "max_score"));
    json_array_foreach(json_object_get(result, "notes"), i, x)
    {
        result_escape(&b, json_string_value(x));
        buf_printf(&b, "<br>");
    }
    json_array_foreach(json_object_get(result, "exercises"), i, x)
        buf_printf(&b, "%s%s %s: %g of %g", i ? ", " : "", result_text(x, "lab"),
            result_text(x, "exercise"), result_got(x), result_number(x, "max_score"));
    return b.data;
}

static int fill_one(
    struct fill *f, const struct class_options *o, const struct roster *r, struct err *e)
{
    struct buf out = {0};
    double most = 0;
    for (size_t i = 0; i < r->count; i++) {
        char *path = xasprintf("%s/%s.json", o->results, r->list[i].name), points[32];
        json_t *result = f->row_of[i] && !r->list[i].stopped ? result_load(path) : NULL;
        snprintf(points, sizeof points, "%g", result_number(result, "score"));
        if (result) most = result_number(result, "max_score");
        if (result && csv_fill(&f->table, f->row_of[i], f->column, points))
            fprintf(stderr, "%s:%zu: the row ends before the column of the points\n", f->table.path,
                f->table.rows[f->row_of[i]].line);
        if (result && f->comments != NO_COLUMN) {
            char *comment = comment_of(result);
            csv_fill(&f->table, f->row_of[i], (size_t)f->comments, comment);
            free(comment);
        }
        json_decref(result);
        free(path);
    }
    char *possible =
        f->points_possible ? csv_cell(&f->table, f->points_possible, f->column) : xstrdup("");
    if (*possible && most > 0 && strtod(possible, NULL) != most)
        fprintf(stderr,
            "%s:%zu: the assignment has %s points there and %g here; nothing is scaled\n",
            f->table.path, f->table.rows[f->points_possible].line, possible, most);
    csv_write(&f->table, &out);
    char *to = xasprintf("%s/%s", o->results, f->to);
    int bad = file_write(to, out.data, out.len, e);
    free(to), free(possible);
    buf_free(&out);
    return bad;
}

int fill_write(struct fill *f, const struct class_options *o, const struct roster *r, struct err *e)
{
    return (o->canvas && fill_one(&f[0], o, r, e)) || (o->moodle && fill_one(&f[1], o, r, e)) ? -1
                                                                                              : 0;
}

void fill_close(struct fill *f)
{
    for (int i = 0; f && i < 2; i++) csv_free(&f[i].table), free(f[i].row_of);
    free(f);
}
