/* course.c - read the course file line by line: each key has a reader, each wrong value a sentence.
 *
 *     inih ──> [course] key = value ──> table of keys ──> struct course
 *              [weights] NN-idea[/EXERCISE] = number
 *              [extensions], ... NAME = value ──> a line, which people.c matches with a student */
#define _GNU_SOURCE
#include "grading/course.h"
#include "cli/cli.h"

#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of reading. A key's reader stores the value in the course; if the value is wrong, the
 * reader returns -1, with e set to what is wrong. */
struct reading {
    struct course *course;
    const char *path;
    FILE *file;
    char *raw; /* the line that is read, and what follows its ; */
    char *comment;
    size_t raw_cap;
    int excuses; /* 1: the section is [excused], whose lines need no = */
    /* line: number of lines read so far; wrong: the first line with a wrong value, 0: none */
    int line, wrong;
    struct err *e; /* what is wrong with that value */
};
typedef int reader(struct reading *r, const char *value, struct err *e);

static int number(const char *value, double least, double most, double *out, struct err *e)
{
    char *end;
    *out = strtod(value, &end);
    if (end == value || *end || !(*out >= least && *out <= most))
        return err_set(e, ERR_USAGE, "'%s' is not a number from %g to %g", value, least, most);
    return 0;
}

/* A path in a course file, relative to that file. The caller frees it. */
static char *course_path(const char *course, const char *path)
{
    const char *slash = course ? strrchr(course, '/') : NULL;
    return *path == '/' || !slash ? xstrdup(path)
                                  : xasprintf("%.*s/%s", (int)(slash - course), course, path);
}

int course_moment(const char *value, time_t *out, struct err *e)
{
    struct tm tm = {.tm_isdst = -1};
    char *text = xstrdup(value), *p;
    if (strlen(text) > 10 && text[10] == 'T') text[10] = ' ';
    p = strptime(text, "%Y-%m-%d %H:%M", &tm);
    if (p && *p == ':') p = strptime(p, ":%S", &tm);
    while (p && *p == ' ') p++;
    int zone = p && *p;
    if (zone) p = strptime(p, "%z", &tm);
    int bad = !p || *p;
    if (!bad) {
        long east = tm.tm_gmtoff; /* saved, since timegm clears it */
        *out = zone ? timegm(&tm) - east : mktime(&tm);
    }
    free(text);
    return bad ? err_set(e, ERR_USAGE, "'%s' is not a time such as 2026-11-30 23:59 +0100", value)
               : 0;
}

/* ---- lines about students ---- */

static const char *const about_names[] = {
    "times", "extensions", "late_days_used", "adjust", "excused"};

/* Add a line about a student. -1: the value is wrong, or the name has a line already. */
static int add_line(struct course *c, struct course_line l, const char *key, const char *value,
    const char *path, struct err *e)
{
    int bad = 0;
    if (!*key) return err_set(e, ERR_USAGE, "a name is missing");
    if (l.about == ABOUT_TIME || l.about == ABOUT_EXTENSION)
        bad = course_moment(value, &l.at, e);
    else if (l.about != ABOUT_EXCUSE)
        bad = number(value, l.about == ABOUT_USED ? 0 : -1e6, 1e6, &l.number, e);
    for (size_t i = 0; i < c->line_count && !bad && l.about < ABOUT_ADJUSTMENT; i++)
        if (c->lines[i].about == l.about && c->lines[i].carried == l.carried &&
            !strcmp(c->lines[i].key, key))
            bad = err_set(e, ERR_USAGE, "'%s' has a line already, %s:%d", key, c->lines[i].path,
                c->lines[i].line);
    if (bad) return -1;
    l.key = xstrdup(key), l.path = xstrdup(path);
    if (!l.text) l.text = xstrdup(value);
    *VEC_PUSH(c->lines, c->line_count, c->line_cap) = l;
    return 0;
}

/* Read a file of lines NAME,VALUE, whose path is relative to the course file. */
static int read_lines(
    struct reading *r, const char *value, enum course_about about, const char *what, struct err *e)
{
    char *path = course_path(r->path, value), *text = NULL, *next;
    struct err why = {0};
    int bad =
        file_read(path, 16 << 20, &text, NULL, &why) ? err_set(e, ERR_USAGE, "%s", why.text) : 0;
    int number = 1;
    for (char *line = text; !bad && line && *line; line = next, number++) {
        char *end = line + strcspn(line, "\r\n");
        next = end + (*end == '\r') + (end[*end == '\r'] == '\n');
        *end = 0;
        if (!*line) continue;
        char *comma = strrchr(line, ','), *key = line;
        if (!comma) {
            bad = err_set(e, ERR_USAGE, "%s:%d: '%s' is not NAME,%s", path, number, line, what);
            break;
        }
        *comma = 0;
        size_t n = strlen(line);
        if (n > 1 && *line == '"' && line[n - 1] == '"') line[n - 1] = 0, key++;
        if (add_line(r->course,
                (struct course_line){
                    .about = about, .line = number, .carried = about == ABOUT_USED},
                key, comma + 1 + strspn(comma + 1, " "), path, &why))
            bad = err_set(e, ERR_USAGE, "%s:%d: %s", path, number, why.text);
    }
    free(text);
    free(path);
    return bad;
}

static int read_times(struct reading *r, const char *value, struct err *e)
{
    return read_lines(r, value, ABOUT_TIME, "TIME", e);
}
static int read_late_days(struct reading *r, const char *value, struct err *e)
{
    return read_lines(r, value, ABOUT_USED, "DAYS", e);
}

/* ---- readers of keys ---- */

static int read_labs(struct reading *r, const char *value, struct err *e)
{
    char *words = xstrdup(value), *save = NULL;
    size_t n = 0;
    int bad = 0;
    for (char *w = strtok_r(words, " ,\t", &save); w && !bad; w = strtok_r(NULL, " ,\t", &save)) {
        const struct lab *lab = options_lab(w, e);
        if (!lab || n == COURSE_LABS_MAX)
            bad = -1;
        else
            r->course->labs[n++] = lab;
    }
    free(words);
    if (!n && !bad) bad = err_set(e, ERR_USAGE, "name at least one lab");
    return bad;
}

static int text_once(char **out, const char *value)
{
    free(*out);
    *out = xstrdup(value);
    return 0;
}
static int read_device(struct reading *r, const char *v, struct err *e)
{
    (void)e;
    return text_once(&r->course->device, v);
}
static int read_front(struct reading *r, const char *v, struct err *e)
{
    if (strcmp(v, "clang") && strcmp(v, "nvcc"))
        return err_set(e, ERR_USAGE, "'%s' is neither clang nor nvcc", v);
    return text_once(&r->course->front, v);
}
static int read_seed(struct reading *r, const char *v, struct err *e)
{
    uint64_t seed;
    return options_number("seed", v, INT64_MAX, &seed, e) ? -1 : text_once(&r->course->seed, v);
}
static int read_speed(struct reading *r, const char *v, struct err *e)
{
    return number(v, 1, 10, &r->course->speed, e);
}
static int read_due(struct reading *r, const char *v, struct err *e)
{
    text_once(&r->course->due_text, v);
    return course_moment(v, &r->course->due, e);
}
static int read_grace(struct reading *r, const char *v, struct err *e)
{
    return number(v, 0, 1e6, &r->course->grace_minutes, e);
}
static int read_percent(struct reading *r, const char *v, struct err *e)
{
    return number(v, 0, 100, &r->course->late_percent_per_day, e);
}
static int read_days(struct reading *r, const char *v, struct err *e)
{
    return number(v, 0, 1e6, &r->course->late_days_at_most, e);
}
static int read_free(struct reading *r, const char *v, struct err *e)
{
    return number(v, 0, 1e6, &r->course->late_days_free, e);
}
static int read_roster(struct reading *r, const char *v, struct err *e)
{
    (void)e;
    free(r->course->roster);
    r->course->roster = course_path(r->path, v);
    return 0;
}
static int read_attempts(struct reading *r, const char *v, struct err *e)
{
    if (strcmp(v, "last") && strcmp(v, "best"))
        return err_set(e, ERR_USAGE, "'%s' is neither last nor best", v);
    r->course->attempts = strcmp(v, "last") ? ATTEMPTS_BEST : ATTEMPTS_LAST;
    return 0;
}

static const struct {
    const char *key;
    reader *read;
} keys[] = {
    {"labs", read_labs},
    {"device", read_device},
    {"front", read_front},
    {"seed", read_seed},
    {"speed", read_speed},
    {"due", read_due},
    {"grace_minutes", read_grace},
    {"late_percent_per_day", read_percent},
    {"late_days_at_most", read_days},
    {"late_days_free", read_free},
    {"late_days", read_late_days},
    {"attempts", read_attempts},
    {"roster", read_roster},
    {"times", read_times},
};
enum { KEYS = sizeof keys / sizeof *keys };

static int read_key(struct reading *r, const char *key, const char *value, struct err *e)
{
    struct buf known = {0};
    for (size_t i = 0; i < KEYS; i++)
        if (!strcmp(keys[i].key, key)) return keys[i].read(r, value, e);
    for (size_t i = 0; i < KEYS; i++) buf_printf(&known, "%s%s", i ? ", " : "", keys[i].key);
    err_set(e, ERR_USAGE, "[course] has no key '%s'; it has %s", key, known.data);
    buf_free(&known);
    return -1;
}

static int read_weight(struct reading *r, const char *key, const char *value, struct err *e)
{
    struct course_weight w = {0};
    const char *slash = strchr(key, '/');
    char *lab = xstrndup(key, slash ? (size_t)(slash - key) : strlen(key));
    w.lab = options_lab(lab, e);
    free(lab);
    if (!w.lab || (slash && !(w.exercise = options_exercise(w.lab, slash + 1, e)))) return -1;
    if (number(value, 0, 1000, &w.weight, e)) return -1;
    *VEC_PUSH(r->course->weights, r->course->weight_count, r->course->weight_cap) = w;
    return 0;
}

/* Read a line of a section about students. The reason of an adjustment or excuse follows the ; and
 * that of an excuse may also be its value. */
static int read_about(
    struct reading *r, enum course_about about, const char *key, const char *value, struct err *e)
{
    struct course_line l = {.about = about, .line = r->line};
    if (about >= ABOUT_ADJUSTMENT)
        l.text = xstrdup(about == ABOUT_EXCUSE && *value ? value : r->comment ? r->comment : "");
    int bad = add_line(r->course, l, key, value, r->path, e);
    if (bad) free(l.text);
    return bad;
}

static int take_line(void *context, const char *section, const char *key, const char *value)
{
    struct reading *r = context;
    struct err ignored = {0}, *e = r->wrong ? &ignored : r->e;
    int bad = 1;
    if (!strcmp(section, "course"))
        bad = read_key(r, key, value, e);
    else if (!strcmp(section, "weights"))
        bad = read_weight(r, key, value, e);
    for (int about = ABOUT_EXTENSION; about <= ABOUT_EXCUSE && bad > 0; about++)
        if (!strcmp(section, about_names[about])) bad = read_about(r, about, key, value, e);
    if (bad > 0)
        err_set(e, ERR_USAGE,
            "'%s' is in the section [%s]; there are [course], [weights], [extensions], "
            "[late_days_used], [adjust] and [excused]",
            key, section);
    if (bad && !r->wrong) r->wrong = r->line;
    return !bad;
}

/* Give inih the next line without its comment, since inih reads at most 200 bytes of a line and a
 * reason may be longer. */
static char *next_line(char *text, int size, void *context)
{
    struct reading *r = context;
    r->line++;
    if (getline(&r->raw, &r->raw_cap, r->file) < 0) return NULL;
    r->raw[strcspn(r->raw, "\r\n")] = 0;
    r->comment = NULL;
    for (char *p = r->raw; (p = strchr(p, ';')); p++)
        if (p == r->raw || p[-1] == ' ' || p[-1] == '\t') {
            r->comment = p + 1 + strspn(p + 1, " \t");
            *p = 0;
            break;
        }
    if (*r->raw == '[') r->excuses = !strncmp(r->raw, "[excused]", 9);
    int bare = r->excuses && *r->raw && !strpbrk(r->raw, "[=#");
    if (snprintf(text, (size_t)size, "%s%s\n", r->raw, bare ? " =" : "") >= size) {
        if (!r->wrong) {
            r->wrong = r->line;
            err_set(r->e, ERR_USAGE, "is longer than %d bytes", size - 2);
        }
        snprintf(text, (size_t)size, "?\n"); /* an error for inih, too */
    }
    return text;
}

/* -1: the course file has times of hand-ins, but neither a due time nor an extension. */
static int check_times(const struct course *c, const char *path, struct err *e)
{
    int timed = 0, due = c->due != 0;
    for (size_t i = 0; i < c->line_count; i++) {
        timed |= c->lines[i].about == ABOUT_TIME;
        due |= c->lines[i].about == ABOUT_EXTENSION;
    }
    return timed && !due
               ? err_set(e, ERR_USAGE,
                     "%s: has times, but not when the work was due; write due = 2026-11-30 "
                     "23:59 +0100 into [course]",
                     path)
               : 0;
}

/* After a wrong line, inih continues; in the end ini_parse_stream returns the number of the first
 * wrong line. */
int course_read(struct course *c, const char *path, struct err *e)
{
    struct err why = {0};
    struct reading r = {.course = c, .path = path, .e = &why};
    *c = (struct course){.late_days_at_most = INFINITY};
    if (!path) return 0;
    if (!(r.file = fopen(path, "r"))) return err_set(e, ERR_USAGE, "%s: %s", path, strerror(errno));
    int line = ini_parse_stream(next_line, &r, take_line, &r);
    fclose(r.file);
    free(r.raw);
    if (!line) return check_times(c, path, e);
    if (line != r.wrong) err_set(&why, ERR_USAGE, "is neither [section] nor key = value");
    return err_set(e, ERR_USAGE, "%s:%d: %s", path, line, why.text);
}

void course_free(struct course *c)
{
    for (size_t i = 0; i < c->line_count; i++)
        free(c->lines[i].key), free(c->lines[i].text), free(c->lines[i].path);
    free(c->lines), free(c->due_text), free(c->roster);
    free(c->weights);
    free(c->device), free(c->front), free(c->seed);
    *c = (struct course){0};
}

/* ---- a course's labs, weights and rule for lateness ---- */

int course_has(const struct course *c, const struct lab *lab)
{
    for (int i = 0; c->labs[i]; i++)
        if (c->labs[i] == lab) return 1;
    return !c->labs[0];
}

/* An exercise's own weight comes before its lab's; if several are given, the last one counts. */
double course_weight(const struct course *c, const struct lab *lab, const struct exercise *x)
{
    double weight = 1;
    int own = 0;
    for (size_t i = 0; i < c->weight_count; i++) {
        const struct course_weight *w = &c->weights[i];
        if (w->exercise == x || (!w->exercise && w->lab == lab && !own)) weight = w->weight;
        own |= w->exercise == x;
    }
    return weight;
}

double course_share(const struct course *c, double days_late)
{
    if (days_late > c->late_days_at_most) return 0;
    return fmax(0, 1 - days_late * c->late_percent_per_day / 100);
}
