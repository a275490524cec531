/* roster.c - the submissions in a folder, as learning platforms export them.
 *
 *     Canvas        lovelaceada_LATE_123_4567_lab02.zip                       name lovelaceada, late
 *     Moodle        Ada Lovelace_123_assignsubmission_file/                   name Ada Lovelace
 *     Blackboard    lab02_ada_attempt_2026-11-30-23-59-00_labs.zip            name ada, time
 *     Brightspace   12-345 - Ada Lovelace - Nov 30, 2026 1159 PM[ - labs.zip] name Ada Lovelace, time
 *     Gradescope    submission_123/                      name, time and group by submission_metadata.yml
 *     others        lab02-ada/, ada.tar.gz                                    the whole name
 *
 * Canvas exports a student's files one by one: lovelaceada_123_4567_matmul.cu and
 * lovelaceada_123_4568_aat.cu are one submission. A loose file is a submission, too, or a further file of one
 * of the same name, unless it looks like a note that came with the export. */
#define _GNU_SOURCE
#include "grading/hand_in.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

enum { NAME_MOST = 200 };

/* ---- names ---- */

/* Read Canvas's NAME[_LATE]_ID_ID_FILE. 0: the name has another form. */
static int read_canvas(struct submission *s, char *name)
{
    char *mark = strchr(name, '_');
    int number = 0, more = 0;
    if (!mark || (sscanf(mark, "_LATE_%d_%n", &number, &more) != 1 &&
                     sscanf(mark, "_%d_%n", &number, &more) != 1))
        return 0;
    if (!more || !isdigit((unsigned char)mark[more])) return 0;
    const char *second = mark + more + strspn(mark + more, "0123456789");
    s->late = !strncmp(mark, "_LATE_", 6);
    if (*second == '_' && second[1]) s->file = xstrdup(second + 1);
    s->id = xstrndup(mark + (s->late ? 6 : 1), (size_t)more - (s->late ? 7 : 2));
    *mark = 0;
    return 1;
}

/* Read Moodle's NAME_ID_assignsubmission_file. */
static int read_moodle(struct submission *s, char *name)
{
    char *mark = strstr(name, "_assignsubmission_");
    if (!mark) return 0;
    *mark = 0;
    if ((mark = strrchr(name, '_'))) *mark = 0, s->id = xstrdup(mark + 1);
    return 1;
}

static void put_time(struct submission *s, struct tm *tm)
{
    char text[32];
    tm->tm_isdst = -1;
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", tm);
    s->at = mktime(tm), s->at_text = xstrdup(text), s->attempt = 1;
}

/* Read Blackboard's TITLE_LOGIN_attempt_TIME[_FILE], whose time is in this computer's zone. */
static int read_blackboard(struct submission *s, char *name)
{
    char *mark = strstr(name, "_attempt_"), *end;
    struct tm tm = {0};
    if (!mark || !(end = strptime(mark + strlen("_attempt_"), "%Y-%m-%d-%H-%M-%S", &tm))) return 0;
    put_time(s, &tm);
    if (*end == '_' && end[1]) s->file = xstrdup(end + 1);
    *mark = 0;
    char *login = strrchr(name, '_');
    if (login) memmove(name, login + 1, strlen(login));
    return 1;
}

/* Read Brightspace's ID-ID - NAME - Nov 30, 2026 1159 PM[ - FILE]. */
static int read_brightspace(struct submission *s, char *name)
{
    int from = 0, hour = 0, length = 0;
    char *mark, month[4], half[3];
    struct tm tm = {0};
    if (sscanf(name, "%*d-%*d - %n", &from) < 0 || !from) return 0;
    for (mark = strstr(name + from, "- "); mark; mark = strstr(mark + 1, "- "))
        if (sscanf(mark, "- %3s %d, %d %d %2[APM]%n", month, &tm.tm_mday, &tm.tm_year, &hour, half,
                &length) == 5)
            break;
    if (!mark || !strptime(month, "%b", &tm)) return 0;
    tm.tm_year -= 1900, tm.tm_min = hour % 100;
    tm.tm_hour = hour / 100 % 12 + (*half == 'P' ? 12 : 0);
    put_time(s, &tm);
    if (!strncmp(mark + length, " - ", 3) && mark[length + 3]) s->file = xstrdup(mark + length + 3);
    s->id = xstrndup(name, strspn(name, "0123456789"));
    for (*mark = 0; mark > name + from && mark[-1] == ' ';) *--mark = 0;
    memmove(name, name + from, strlen(name + from) + 1);
    return 1;
}

/* Read the name of an entry: the student, and what else the platform put into it. 0: no platform
 * made this name. */
static int read_name(struct submission *s, const char *entry)
{
    char *name = xstrndup(entry, strlen(entry) - (s->is_archive ? meaning_archive(entry) : 0));
    int made = read_moodle(s, name) || read_blackboard(s, name) || read_brightspace(s, name) ||
               read_canvas(s, name);
    s->name = roster_safe_name(name);
    s->base = xstrdup(s->name);
    free(name);
    return made;
}

char *roster_safe_name(const char *name)
{
    struct buf clean = {0};
    buf_printf(&clean, "%s", name);
    text_clean(&clean);
    for (size_t i = 0; i < clean.len; i++)
        if (strchr("/\n\t", clean.data[i]) || (!i && clean.data[i] == '.')) clean.data[i] = '_';
    /* leave space for a suffix in names of result files, and do not cut within a UTF-8 character */
    if (clean.len > NAME_MOST) {
        for (clean.len = NAME_MOST; (clean.data[clean.len] & 0xc0) == 0x80;) clean.len--;
        clean.data[clean.len] = 0;
    }
    if (clean.len) return clean.data;
    buf_free(&clean);
    return xstrdup("unnamed");
}

static int by_name(const void *a, const void *b)
{
    const struct submission *x = a, *y = b;
    int d = strcmp(x->name, y->name);
    return d ? d : strcmp(x->path, y->path);
}

static int is_taken(const struct roster *r, const char *name)
{
    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->list[i].name, name)) return 1;
    return 0;
}

/* If two submissions have the same name, the second gets "-2", the third "-3", unless that is
 * another student's name. */
static void make_unique(struct roster *r)
{
    for (size_t i = 1, first = 0, number = 1; i < r->count; i++) {
        if (strcmp(r->list[i].name, r->list[first].name)) {
            first = i, number = 1;
            continue;
        }
        char *longer = NULL;
        do {
            free(longer);
            longer = xasprintf("%s-%zu", r->list[first].name, ++number);
        } while (is_taken(r, longer));
        free(r->list[i].name);
        r->list[i].name = longer;
    }
}

/* Join single files of a student, which are adjacent, to one submission. Archives are not
 * joined, since each may be complete. */
static void join_files(struct roster *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        struct submission *s = &r->list[i], *last = kept ? &r->list[kept - 1] : NULL;
        int single = last && (s->file || last->file) && !strcmp(s->name, last->name),
            ids = single && s->id && last->id && !strcmp(s->id, last->id);
        if (single && s->attempt && last->attempt ? s->at == last->at : ids) {
            struct submission **end = &last->more;
            while (*end) end = &(*end)->more;
            *end = xcalloc(1, sizeof **end);
            **end = *s;
            last->late |= s->late;
        } else {
            r->list[kept++] = *s;
        }
    }
    r->count = kept;
}

/* Does a file look like a note that came with an export, and not like work? */
static int is_note(const char *name)
{
    static const char *const endings[] = {
        ".txt", ".csv", ".html", ".htm", ".md", ".yml", ".json", ".xls", ".xlsx", NULL};
    const char *dot = strrchr(name, '.');
    for (int i = 0; dot && endings[i]; i++)
        if (!strcasecmp(dot, endings[i])) return 1;
    return 0;
}

/* Is the entry of a folder a submission? Then it is read into s. */
static int read_entry(struct submission *s, const char *path, const char *name)
{
    struct stat st;
    if (lstat(path, &st)) return 0;
    int regular = S_ISREG(st.st_mode), archive = regular && meaning_archive(name);
    *s = (struct submission){.is_archive = archive};
    s->loose = !read_name(s, name) && regular && !archive;
    if (s->loose) { /* the file's name without its suffix names the student */
        char *dot = strrchr(s->name, '.');
        s->file = xstrdup(name);
        if (dot) *dot = s->base[dot - s->name] = 0;
    }
    if (!regular || archive) free(s->file), s->file = NULL;
    if (archive || S_ISDIR(st.st_mode) || (s->file && !(s->loose && is_note(name)))) {
        s->path = xstrdup(path);
        return 1;
    }
    attempt_free_fields(s);
    return 0;
}

/* ---- Gradescope's submission_metadata.yml ---- */

/* The value of a line such as "  - :name: 'Ada'" if it has this key; NULL: it has another. */
static char *yaml_value(const char *line, const char *key)
{
    line += strspn(line, " -");
    size_t n = strlen(key);
    if (strncmp(line, key, n)) return NULL;
    line += n + strspn(line + n, " ");
    size_t length = strlen(line);
    int quoted = length > 1 && strchr("'\"", *line) && line[length - 1] == *line;
    return xstrndup(line + quoted, length - 2 * (size_t)quoted);
}

/* One entry of Gradescope's list: the first submitter's submission is at index first of the roster;
 * those of further submitters, members of a group, were added at the end. */
struct entry {
    size_t first, submitters;
};

static struct submission *submission_of(struct roster *r, const struct entry *e, size_t submitter)
{
    return &r->list[submitter ? r->count - e->submitters + submitter : e->first];
}

static void add_submitter(struct roster *r, size_t *cap, struct entry *e, const char *name)
{
    if (e->submitters) {
        struct submission *same = submission_copy(&r->list[e->first], r->list[e->first].name);
        *VEC_PUSH(r->list, r->count, *cap) = *same;
        free(same);
    }
    e->submitters++;
    struct submission *s = submission_of(r, e, e->submitters - 1);
    free(s->name), free(s->base), free(s->id);
    s->id = NULL;
    s->name = roster_safe_name(name), s->base = xstrdup(s->name);
}

/* Set when s was handed in, from text such as "2026-11-30 23:59:00.123456789 Z". */
static void put_created(struct submission *s, const char *text)
{
    size_t dot = strcspn(text, "."), digits = dot + strspn(text + dot, ".0123456789");
    char *whole = xasprintf("%.*s%s", (int)dot, text, text + digits);
    if (!course_moment(whole, &s->at, NULL)) s->at_text = xstrdup(whole);
    free(whole);
}

static void metadata_line(struct roster *r, size_t *cap, struct entry *e, const char *line)
{
    char *name = yaml_value(line, ":name:"), *id = yaml_value(line, ":sid:"),
         *at = yaml_value(line, ":created_at:");
    if (name) add_submitter(r, cap, e, name);
    struct submission *s = e->submitters ? submission_of(r, e, e->submitters - 1) : NULL;
    if (id && *id && s && !s->id) s->id = xstrdup(id);
    for (size_t i = 0; at && i < e->submitters; i++)
        if (!r->list[e->first].at_text || i) put_created(submission_of(r, e, i), at);
    free(name), free(id), free(at);
}

/* Read the students' names and times of Gradescope's submissions from its list, if there is one. */
static void read_metadata(struct roster *r, size_t *cap, const char *directory)
{
    enum { METADATA_MOST = 256 << 20 };
    char *path = xasprintf("%s/submission_metadata.yml", directory), *text = NULL, *save = NULL;
    size_t count = r->count;
    struct entry e = {.first = count};
    if (file_read(path, METADATA_MOST, &text, NULL, NULL)) text = NULL;
    for (char *line = text ? strtok_r(text, "\r\n", &save) : NULL; line;
         line = strtok_r(NULL, "\r\n", &save)) {
        size_t n = strlen(line);
        if (*line != ' ' && *line != '-' && line[n - 1] == ':') {
            line[n - 1] = 0, e = (struct entry){0};
            while (e.first < count && strcmp(strrchr(r->list[e.first].path, '/') + 1, line))
                e.first++;
        } else if (e.first < count)
            metadata_line(r, cap, &e, line);
    }
    free(path), free(text);
}

int roster_read_one(struct roster *r, const char *path, struct err *e)
{
    char *whole = realpath(path, NULL), *name = whole ? strrchr(whole, '/') + 1 : NULL;
    struct submission s;
    size_t cap = 0;
    *r = (struct roster){0};
    int bad = 0;
    if (!whole)
        bad = err_set(e, ERR_USAGE, "%s: there is no such submission", path);
    else if (!read_entry(&s, whole, name))
        bad = err_set(e, ERR_USAGE, "%s: is no folder and no archive", path);
    if (!bad) *VEC_PUSH(r->list, r->count, cap) = s;
    free(whole);
    return bad;
}

int roster_read(struct roster *r, const char *directory, struct err *e)
{
    size_t cap = 0;
    DIR *d = opendir(directory);
    *r = (struct roster){0};
    if (!d && errno == ENOTDIR && meaning_archive(directory))
        return err_set(
            e, ERR_USAGE, "%s: is an archive; unpack it, and name the folder", directory);
    if (!d) return err_set(e, ERR_USAGE, "%s: cannot be read: %s", directory, strerror(errno));
    for (struct dirent *entry; (entry = readdir(d));) {
        struct submission s;
        char *path = xasprintf("%s/%s", directory, entry->d_name);
        if (entry->d_name[0] == '.') {
        } else if (read_entry(&s, path, entry->d_name)) {
            *VEC_PUSH(r->list, r->count, cap) = s;
        } else {
            buf_printf(&r->left_out, "%s: is no folder and no archive\n", path);
        }
        free(path);
    }
    closedir(d);
    read_metadata(r, &cap, directory);
    text_clean(&r->left_out);
    if (!r->count)
        return err_set(e, ERR_USAGE,
            "%s: holds no submission: a folder or an archive for each student", directory);
    qsort(r->list, r->count, sizeof *r->list, by_name);
    join_files(r);
    make_unique(r);
    return 0;
}

void roster_free(struct roster *r)
{
    for (size_t i = 0; i < r->count; i++) {
        attempt_free_fields(&r->list[i]);
    }
    free(r->list);
    people_free(r);
    buf_free(&r->left_out);
    *r = (struct roster){0};
}
