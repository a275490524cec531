/* feedback.c - students' pages as students get them: in archives that a platform takes back, and under
 * names for a web server that nobody can guess.
 *
 *     Canvas    lovelaceada_123_4567_lab02.zip  ──> lovelaceada_123_4567_feedback.html
 *     Moodle    Ada_123_assignsubmission_file/  ──> Ada_123_assignfeedback_file_/feedback.html
 *
 * Both find the student by the numbers that they wrote into the names of what was handed in. Canvas
 * adds the page as a comment ("Upload Submissions"), Moodle as a feedback file ("Upload multiple
 * feedback files in a zip"). Sources: Canvas, Assignment#generate_comments_from_files; Moodle,
 * mod/assign/feedback/file/importziplib.php. */
#define _GNU_SOURCE
#include "grading/csv.h"
#include "grading/grading.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The name of a submission's page in Canvas's archive; NULL: the submission is not from Canvas. */
static char *canvas_name(const struct submission *s)
{
    const char *name = strrchr(s->path, '/') + 1, *mark = strchr(name, '_');
    size_t first, second;
    if (!mark || !s->id || s->attempt) return NULL;
    if (!strncmp(mark, "_LATE", 5)) mark += 5;
    first = strspn(mark + 1, "0123456789");
    if (!first || mark[1 + first] != '_') return NULL;
    second = strspn(mark + first + 2, "0123456789");
    if (!second) return NULL;
    return xasprintf("%.*s_feedback.html", (int)(mark + first + 2 + second - name), name);
}

/* The name of a submission's page in Moodle's archive; NULL: the submission is not from Moodle. */
static char *moodle_name(const struct submission *s)
{
    const char *name = strrchr(s->path, '/') + 1, *mark = strstr(name, "_assignsubmission_");
    if (!mark) return NULL;
    return xasprintf("%.*s_assignfeedback_file_/feedback.html", (int)(mark - name), name);
}

static la_ssize_t append(struct archive *a, void *context, const void *data, size_t n)
{
    (void)a;
    buf_add(context, data, n);
    return (la_ssize_t)n;
}

/* Add a file to an archive, with a fixed time, so that the same pages make the same bytes. */
static int add(struct archive *a, const char *name, const char *data, size_t n)
{
    enum { YEAR_1980 = 315532800 };
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname_utf8(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, YEAR_1980, 0);
    archive_entry_set_size(entry, (la_int64_t)n);
    int bad = archive_write_header(a, entry) < ARCHIVE_WARN ||
              archive_write_data(a, data, n) != (la_ssize_t)n;
    archive_entry_free(entry);
    return bad;
}

/* Write an archive with the pages of the students whose submissions the platform exported; if there
 * are none, no archive is written. */
static int write_archive(const struct class_options *o, const struct roster *r,
    char *name_of(const struct submission *), const char *to, struct err *e)
{
    struct buf out = {0};
    struct archive *a = archive_write_new();
    size_t count = 0;
    char *path = xasprintf("%s/%s", o->results, to);
    archive_write_set_format_zip(a);
    archive_write_set_options(a, "hdrcharset=UTF-8");
    int bad = archive_write_open(a, &out, NULL, append, NULL) != ARCHIVE_OK;
    for (size_t i = 0; i < r->count && !bad; i++) {
        const struct submission *s = &r->list[i];
        char *page = xasprintf("%s/pages/%s.html", o->results, s->name), *text = NULL,
             *name = s->path && !s->from ? name_of(s) : NULL;
        size_t n;
        if (name && !file_read(page, RESULT_MOST, &text, &n, NULL))
            bad = add(a, name, text, n), count++;
        free(page), free(name), free(text);
    }
    bad |= archive_write_close(a) != ARCHIVE_OK;
    if (bad) err_set(e, ERR_ENV, "%s: cannot be written: %s", path, archive_error_string(a));
    archive_write_free(a);
    if (!bad && count) bad = file_write(path, out.data, out.len, e);
    buf_free(&out);
    free(path);
    return bad;
}

int feedback_write(const struct class_options *o, const struct roster *r, struct err *e)
{
    return write_archive(o, r, canvas_name, "canvas-feedback.zip", e) ||
                   write_archive(o, r, moodle_name, "moodle-feedback.zip", e)
               ? -1
               : 0;
}

/* ---- pages for a web server ---- */

/* The token that a student has in published.csv, or a new one. In this file, a name that a
 * spreadsheet would read as a formula begins with an apostrophe. The caller frees it. */
static char *token_of(const struct csv *known, const char *student)
{
    char *token = NULL, *quoted = xasprintf("'%s", student);
    for (size_t row = 1; row < known->row_count && !token; row++) {
        char *name = csv_cell(known, row, 0), *page = csv_cell(known, row, 2);
        if ((!strcmp(name, student) || !strcmp(name, quoted)) &&
            strspn(page, "0123456789abcdef") == 32)
            token = xstrndup(page, 32);
        free(name), free(page);
    }
    free(quoted);
    return token ? token
                 : xasprintf("%016llx%016llx", (unsigned long long)rng_secret(),
                       (unsigned long long)rng_secret());
}

int feedback_publish(const struct class_options *o, const struct roster *r, struct err *e)
{
    char *folder = xasprintf("%s/published", o->results), *list = xasprintf("%s.csv", folder);
    struct csv known = {0};
    struct buf table = {0};
    int bad = mkdir(folder, 0777) && errno != EEXIST
                  ? err_set(e, ERR_ENV, "%s: cannot be made: %s", folder, strerror(errno))
                  : 0;
    if (!bad && file_exists(list)) bad = csv_read(&known, list, e);
    buf_printf(&table, "student,email,page\r\n");
    for (size_t i = 0; i < r->count && !bad; i++) {
        const struct submission *s = &r->list[i];
        char *token = token_of(&known, s->name), *text = NULL,
             *from = xasprintf("%s/pages/%s.html", o->results, s->name),
             *to = xasprintf("%s/%s.html", folder, token);
        size_t n;
        if (!file_read(from, RESULT_MOST, &text, &n, NULL)) {
            bad = file_write_scratch(to, text, n, e);
            result_cell(&table, s->name);
            buf_printf(&table, ",");
            result_cell(&table, s->person && !o->anonymous ? s->person->of[PERSON_EMAIL] : "");
            buf_printf(&table, ",%s.html\r\n", token);
        }
        free(token), free(text), free(from), free(to);
    }
    if (!bad) bad = file_write(list, table.data, table.len, e);
    csv_free(&known), buf_free(&table);
    free(folder), free(list);
    return bad;
}
