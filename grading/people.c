/* people.c - who is in the class: the course's roster, groups, attempts, and the student whom each
 * line of the course file is about.
 *
 *     students.csv ── each row ──> a submission, found by ID, login, e-mail address or name
 *                              └─> no submission: one of a member of the group, or "not handed in"
 *     course file ── each line about a student ──> that submission; a name of nobody is an error
 *
 * All reports call a student by the name in the roster. */
#define _GNU_SOURCE
#include "grading/csv.h"
#include "grading/hand_in.h"
#include "cli/cli.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the roster ---- */

/* For each field of a person, the headings that its column may have: only letters, in lower case,
 * separated by blanks. The first is the field's key in JSON. */
static const char *const headings[PERSON_FIELDS] = {
    " name fullname student studentname ",
    " id studentid idnumber userid ",
    " login username sisloginid ",
    " email mail emailaddress ",
    " section ",
    " group ",
};

char *person_key(int field)
{
    return xstrndup(headings[field] + 1, strcspn(headings[field] + 1, " "));
}

/* The letters and digits of a text, in lower case. The caller frees it. */
static char *letters(const char *text)
{
    struct buf b = {0};
    buf_add(&b, "", 0);
    for (const char *p = text; *p; p++)
        if (isalnum((unsigned char)*p) || (unsigned char)*p >= 0x80)
            buf_add(&b, (char[]){(char)tolower((unsigned char)*p)}, 1);
    return b.data;
}

static int field_of(const char *heading)
{
    char *plain = letters(heading), *word = xasprintf(" %s ", plain);
    int field = 0;
    while (field < PERSON_FIELDS && !(*plain && strstr(headings[field], word))) field++;
    free(plain), free(word);
    return field;
}

static int read_people(struct roster *r, const char *path, struct err *e)
{
    struct csv c;
    size_t cap = 0;
    int bad = csv_read(&c, path, e), column[PERSON_FIELDS];
    for (int f = 0; f < PERSON_FIELDS; f++) column[f] = -1;
    for (size_t i = 0; !bad && c.row_count && i < c.rows[0].count; i++) {
        char *heading = csv_cell(&c, 0, i);
        int f = field_of(heading);
        if (f < PERSON_FIELDS && column[f] < 0) column[f] = (int)i;
        free(heading);
    }
    if (!bad && column[PERSON_NAME] < 0)
        bad = err_set(e, ERR_USAGE,
            "%s:1: has no column name; a roster has name, and may have id, login, e-mail, section, "
            "group",
            path);
    for (size_t row = 1; !bad && row < c.row_count; row++) {
        struct person p = {0};
        for (int f = 0; f < PERSON_FIELDS; f++) {
            struct buf text = {0};
            char *cell = column[f] < 0 ? xstrdup("") : csv_cell(&c, row, (size_t)column[f]);
            size_t n = strlen(cell), skip = strspn(cell, " \t");
            while (n > skip && isspace((unsigned char)cell[n - 1])) n--;
            buf_add(&text, cell + skip, n - skip);
            text_clean(&text);
            p.of[f] = text.data;
            free(cell);
        }
        *VEC_PUSH(r->people, r->people_count, cap) = p;
        if (!*p.of[PERSON_NAME] && !*p.of[PERSON_ID])
            bad = err_set(e, ERR_USAGE, "%s:%zu: has neither name nor id", path, c.rows[row].line);
        for (size_t i = 0; i + 1 < r->people_count && !bad; i++) {
            const struct person *q = &r->people[i];
            int same_id = *p.of[PERSON_ID] && !strcmp(p.of[PERSON_ID], q->of[PERSON_ID]);
            if (same_id || (!*p.of[PERSON_ID] && !strcmp(p.of[PERSON_NAME], q->of[PERSON_NAME])))
                bad = err_set(e, ERR_USAGE, "%s:%zu: '%s' has a line already", path,
                    c.rows[row].line, p.of[same_id ? PERSON_ID : PERSON_NAME]);
        }
    }
    csv_free(&c);
    return bad;
}

/* ---- whose a submission is ---- */

/* Does text have the letters of the name's words, in this order or with the first words moved to
 * the end? "Ada Lovelace" is also lovelaceada, as Canvas writes it. */
static int is_name(const char *name, const char *text)
{
    char *plain = letters(name), *wanted = letters(text), *twice = xasprintf("%s%s", plain, plain);
    int is = *plain && !strcmp(plain, wanted);
    for (const char *p = name; *p && !is; p++)
        if (*p == ' ' || *p == ',') {
            char *first = xstrndup(name, (size_t)(p - name)), *head = letters(first);
            is = strlen(wanted) == strlen(plain) &&
                 !strncmp(twice + strlen(head), wanted, strlen(plain));
            free(first), free(head);
        }
    free(plain), free(wanted), free(twice);
    return is;
}

/* How a submission names a person: 1 by ID, 2 by login, address or exact name, 3 loosely; 0: it
 * does not. */
static int names_person(const struct submission *s, const struct person *p)
{
    const char *mail = p->of[PERSON_EMAIL];
    size_t local = strcspn(mail, "@");
    if (s->id && !strcmp(s->id, p->of[PERSON_ID])) return 1;
    if (!*s->base) return 0;
    for (int f = PERSON_NAME; f <= PERSON_EMAIL; f++)
        if (!strcasecmp(p->of[f], s->base)) return 2;
    if (local && strlen(s->base) == local && !strncasecmp(mail, s->base, local)) return 2;
    return is_name(p->of[PERSON_NAME], s->base) ? 3 : 0;
}

/* The person whose submission it is; NULL: nobody of the roster, or several. */
static const struct person *person_of(const struct roster *r, const struct submission *s)
{
    const struct person *found = NULL;
    for (int how = 1; how <= 3 && !found; how++)
        for (size_t i = 0; i < r->people_count; i++) {
            if (names_person(s, &r->people[i]) != how) continue;
            if (found) return NULL;
            found = &r->people[i];
        }
    return found;
}

/* ---- attempts ---- */

static void attempt_free(struct submission *s);

void attempt_free_fields(struct submission *s)
{
    attempt_free(s->more), attempt_free(s->other);
    free(s->name), free(s->base), free(s->path), free(s->id), free(s->file);
    free(s->at_text), free(s->from), free(s->stopped);
}

static void attempt_free(struct submission *s)
{
    if (!s) return;
    attempt_free_fields(s);
    free(s);
}

/* Add an attempt to those of s or, if it is a loose file, to the files of s. */
static void join(struct submission *s, struct submission *attempt, int loose)
{
    struct submission **end = loose ? &s->more : &s->other;
    while (*end) end = loose ? &(*end)->more : &(*end)->other;
    *end = attempt;
}

/* Exchange the hand-ins of s and attempt; s keeps its name, its person and its further attempts. */
static void exchange(struct submission *s, struct submission *attempt)
{
    struct submission was = *s;
    *s = *attempt, *attempt = was;
    s->other = was.other, s->name = was.name, s->person = was.person, s->attempts = was.attempts;
    attempt->other = NULL, attempt->name = NULL;
}

/* Do two submissions belong to one student? Without a roster, equal names say so, if the course
 * counts attempts or the names say that they are attempts. */
static int same_student(const struct submission *a, const struct submission *b, int attempts)
{
    if (a->person || b->person) return a->person == b->person;
    if (a->loose || b->loose) return !strcmp(a->base, b->base);
    if (!attempts && !(a->attempt && b->attempt)) return 0;
    return !strcmp(a->base, b->base) && (!a->id || !b->id || !strcmp(a->id, b->id));
}

static void join_attempts(struct roster *r, int attempts)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        size_t first = 0;
        while (first < kept && !same_student(&r->list[first], &r->list[i], attempts)) first++;
        if (first < kept) {
            struct submission *attempt = xcalloc(1, sizeof *attempt), *s = &r->list[first];
            *attempt = r->list[i];
            if (s->loose) exchange(s, attempt);
            join(s, attempt, attempt->loose);
        } else
            r->list[kept++] = r->list[i];
    }
    r->count = kept;
}

struct submission *submission_copy(const struct submission *s, const char *from)
{
    struct submission *new = xcalloc(1, sizeof *new);
    *new = *s;
    new->base = xstrdup(s->base), new->path = xstrdup(s->path), new->name = NULL;
    new->id = s->id && !from ? xstrdup(s->id) : NULL; /* the ID is that of from */
    new->file = s->file ? xstrdup(s->file) : NULL;
    new->at_text = s->at_text ? xstrdup(s->at_text) : NULL;
    new->from = from ? xstrdup(from) : NULL;
    new->stopped = NULL, new->other = NULL;
    new->more = s->more ? submission_copy(s->more, NULL) : NULL;
    return new;
}

/* Compare two paths with their numbers as numbers: "hw-9" comes before "hw-10". */
static int compare_naturally(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    while (*a || *b) {
        size_t n = strspn(a, digits), m = strspn(b, digits);
        if (!n || !m) {
            if (*a != *b) return (unsigned char)*a - (unsigned char)*b;
            a++, b++;
            continue;
        }
        size_t zeros = strspn(a, "0"), other = strspn(b, "0");
        int order = n - zeros != m - other ? (n - zeros > m - other ? 1 : -1)
                                           : strncmp(a + zeros, b + other, n - zeros);
        if (order) return order;
        a += n, b += m;
    }
    return 0;
}

static int is_later(const struct submission *a, const struct submission *b)
{
    if (a->at != b->at) return a->at > b->at;
    return compare_naturally(a->path, b->path) > 0;
}

/* Keep the last of a student's attempts, or all of them if the best counts. -1: the course file
 * does not say which counts, and not all times are known. */
static int choose_attempt(struct submission *s, const struct course *c, struct err *e)
{
    int timed = s->at != 0;
    s->attempts = s->path != NULL;
    for (struct submission *a = s->other; a; a = a->other) s->attempts++, timed &= a->at != 0;
    if (s->attempts < 2 || c->attempts == ATTEMPTS_BEST) return 0;
    if (c->attempts != ATTEMPTS_LAST && !timed)
        return err_set(e, ERR_USAGE,
            "%s handed in twice: %s and %s; keep one, or write attempts = last or best into the "
            "course file",
            s->name, s->path, s->other->path);
    for (struct submission *a = s->other, *next; a; a = next) {
        next = a->other;
        s->other = next, a->other = NULL;
        if (is_later(a, s)) exchange(s, a);
        attempt_free(a);
    }
    return 0;
}

/* ---- groups ---- */

static const char *group_of(const struct submission *s)
{
    return s->person ? s->person->of[PERSON_GROUP] : "";
}

/* What one member of a group hands in counts for every member, like one of their own attempts. */
static void share_groups(struct roster *r)
{
    struct submission **more = xcalloc(r->count, sizeof *more);
    for (size_t i = 0; i < r->count; i++)
        for (size_t j = 0; j < r->count; j++) {
            const struct submission *s = &r->list[i], *other = &r->list[j];
            if (i == j || !*group_of(s) || strcmp(group_of(s), group_of(other))) continue;
            for (const struct submission *a = other->path ? other : NULL; a; a = a->other) {
                struct submission *new = submission_copy(a, other->name);
                new->other = more[i], more[i] = new;
            }
        }
    for (size_t i = 0; i < r->count; i++) {
        struct submission *s = &r->list[i], *first = more[i];
        if (!s->path && first) {
            more[i] = first->other, first->other = NULL;
            exchange(s, first);
            attempt_free(first);
        }
        join(s, more[i], 0);
    }
    free(more);
}

/* ---- whose a line of the course file is ---- */

/* Is text the name of an attempt: its file's name, with or without the archive's ending, its path
 * or the end of its path, the name or ID that the platform wrote into it? */
static int is_attempt(const struct submission *a, const char *text)
{
    if (!a->path || a->from) return 0;
    if (!strcmp(a->base, text) || (a->id && !strcmp(a->id, text))) return 1;
    for (const struct submission *part = a; part; part = part->more) {
        size_t n = strlen(text), all = strlen(part->path), ending = meaning_archive(part->path);
        for (int cut = 0; cut < 2; cut++, all -= ending)
            if (n && n <= all && !strncmp(part->path + all - n, text, n) &&
                (n == all || part->path[all - n - 1] == '/'))
                return 1;
    }
    return 0;
}

static int is_student(const struct submission *s, const char *text)
{
    if (!strcmp(s->name, text)) return 1;
    for (int f = PERSON_NAME; s->person && f <= PERSON_EMAIL; f++)
        if (*text && !strcmp(s->person->of[f], text)) return 1;
    return 0;
}

/* A student, and the attempt that the name means; attempt NULL: all of them. */
struct found {
    struct submission *student, *attempt;
    const char *other; /* the name of another student whom the name means, too; NULL: none */
};

static struct found find(const struct roster *r, const char *text)
{
    struct found f = {0};
    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->list[i].name, text)) return (struct found){.student = &r->list[i]};
    for (size_t i = 0; i < r->count; i++) {
        struct submission *s = &r->list[i], *attempt = NULL;
        for (struct submission *a = s; a && !attempt; a = a->other)
            if (is_attempt(a, text)) attempt = a;
        if (!attempt && !is_student(s, text)) continue;
        if (f.student) f.other = s->name;
        if (!f.student) f.student = s, f.attempt = is_student(s, text) ? NULL : attempt;
    }
    return f;
}

/* The name that differs least from text, among those that find knows; NULL: none is like it. */
static const char *nearest(const struct roster *r, const char *text)
{
    const char *best = NULL;
    int least = INT_MAX;
    for (size_t i = 0; i < r->count; i++) {
        const struct submission *s = &r->list[i];
        const char *names[PERSON_FIELDS + 3] = {s->name, s->base, s->id};
        for (int f = PERSON_NAME; s->person && f <= PERSON_EMAIL; f++)
            names[3 + f] = s->person->of[f];
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (!names[k] || !*names[k]) continue;
            int far = meaning_edits(text, strlen(text), names[k], strlen(names[k]));
            if (far < least) least = far, best = names[k];
        }
    }
    return best;
}

static int nobody(
    const struct roster *r, const struct course_line *l, const char *name, struct err *e)
{
    const char *near = nearest(r, name);
    return err_set(e, ERR_USAGE, "%s:%d: '%s' is nobody of this class%s%s%s", l->path, l->line,
        name, near ? "; the nearest name is '" : "", near ? near : "", near ? "'" : "");
}

/* Set the lab and exercise that an adjustment or excuse is about from word, the last of its key.
 * -1: they do not exist, or an adjustment names no exercise. */
static int match_exercise(struct course_line *l, const char *word, struct err *e)
{
    const char *slash = strchr(word, '/');
    char *lab = xstrndup(word, slash ? (size_t)(slash - word) : strlen(word));
    struct err why = {0};
    l->lab = options_lab(lab, &why);
    if (l->lab && slash) l->exercise = options_exercise(l->lab, slash + 1, &why);
    if (!why.kind && !slash && l->about == ABOUT_ADJUSTMENT)
        err_set(&why, ERR_USAGE, "name the exercise: NAME %s/EXERCISE", l->lab->name);
    free(lab);
    return why.kind ? err_set(e, ERR_USAGE, "%s:%d: %s", l->path, l->line, why.text) : 0;
}

/* Find the student whom a line of the course file is about. alone: r has only one student, and
 * lines about others are ignored. */
static int match_line(struct roster *r, struct course_line *l, int alone, struct err *e)
{
    struct found f = find(r, l->key);
    char *blank = strrchr(l->key, ' '), *name = xstrdup(l->key);
    int bad = 0;
    if (!f.student && blank && l->about >= ABOUT_ADJUSTMENT) {
        size_t n = (size_t)(blank - l->key);
        while (n && l->key[n - 1] == ' ') n--;
        name[n] = 0;
        f = find(r, name);
        if (f.student) bad = match_exercise(l, blank + 1, e);
    }
    if (f.other)
        bad = err_set(e, ERR_USAGE, "%s:%d: '%s' means both '%s' and '%s'; name the ID or the file",
            l->path, l->line, name, f.student->name, f.other);
    else if (!f.student && !alone && !l->carried)
        bad = nobody(r, l, blank && isdigit((unsigned char)blank[1]) ? name : l->key, e);
    free(name);
    if (bad || !f.student) return bad;
    l->who = f.student;
    if (l->about != ABOUT_TIME) return 0;
    for (struct submission *a = f.student; a; a = a->other) {
        if (f.attempt && f.attempt != a) continue;
        a->at = l->at;
        free(a->at_text);
        a->at_text = xstrdup(l->text);
    }
    return 0;
}

/* Do two lines contradict each other: do both give one value for one student? A line of the course
 * file may override one from late_days, and two attempts may have two times. */
static int collide(const struct roster *r, const struct course_line *a, const struct course_line *b)
{
    if (a->who != b->who || a->about != b->about || a->carried != b->carried) return 0;
    const struct submission *x = find(r, a->key).attempt, *y = find(r, b->key).attempt;
    return !x || !y || x == y;
}

static int match_lines(struct roster *r, struct course *c, int alone, struct err *e)
{
    for (size_t i = 0; i < c->line_count; i++) {
        struct course_line *l = &c->lines[i];
        if (match_line(r, l, alone, e)) return -1;
        for (size_t k = 0; k < i && l->who && l->about <= ABOUT_USED; k++)
            if (collide(r, &c->lines[k], l))
                return err_set(e, ERR_USAGE, "%s:%d: '%s' is '%s', who has a line already, %s:%d",
                    l->path, l->line, l->key, l->who->name, c->lines[k].path, c->lines[k].line);
    }
    return 0;
}

/* Print which hand-ins have no time, if the course file gives times for others. */
static void tell_untimed(const struct roster *r, const struct course *c)
{
    struct buf names = {0};
    size_t count = 0, times = 0;
    for (size_t i = 0; i < c->line_count; i++) times += c->lines[i].about == ABOUT_TIME;
    for (size_t i = 0; i < r->count && times; i++)
        if (r->list[i].path && !r->list[i].at && ++count <= 10)
            buf_printf(&names, "%s%s", names.len ? ", " : "", r->list[i].name);
    if (count)
        fprintf(stderr,
            "no time is known of %zu hand-in%s, which %s in time unless the name says late: %s%s\n",
            count, plural_s((double)count), count == 1 ? "is" : "are", names.data,
            count > 10 ? ", ..." : "");
    buf_free(&names);
}

/* ---- the class ---- */

static int by_name(const void *a, const void *b)
{
    const struct submission *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* The name of a person in reports, safe as a file name. If two persons have the same name, the ID
 * is added. The caller frees it. */
static char *report_name(const struct roster *r, const struct person *p)
{
    const char *name = *p->of[PERSON_NAME] ? p->of[PERSON_NAME] : p->of[PERSON_ID];
    int twice = 0;
    for (size_t i = 0; i < r->people_count; i++)
        twice |= &r->people[i] != p && !strcmp(r->people[i].of[PERSON_NAME], name);
    char *text = twice ? xasprintf("%s (%s)", name, p->of[PERSON_ID]) : xstrdup(name),
         *safe = roster_safe_name(text);
    free(text);
    return safe;
}

/* A number of six digits for a name, different from every student's name. It depends only on the
 * seed and the class. The caller frees it. */
static char *number_for(const struct roster *r, const char *name)
{
    uint64_t hash = 14695981039346656037u;
    struct rng g;
    for (const char *p = name; *p; p++) hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    rng_seed(&g, hash ^ r->numbers);
    for (;;) {
        char *number = xasprintf("%06llu", (unsigned long long)rng_below(&g, 1000000));
        size_t i = 0;
        while (i < r->count && strcmp(r->list[i].name, number)) i++;
        if (i == r->count) return number;
        free(number);
    }
}

/* Replace the names of all students by numbers, and add to the key whose each number is. */
static void call_numbers(struct roster *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct submission *s = &r->list[i];
        char *number = number_for(r, s->name);
        buf_printf(&r->key, "%s,", number);
        result_cell(&r->key, s->name);
        buf_printf(&r->key, ",");
        result_cell(&r->key, s->person ? s->person->of[PERSON_ID] : s->id ? s->id : "");
        buf_printf(&r->key, "\r\n");
        free(s->name);
        s->name = number;
    }
}

/* Give all students their names in reports, and add the roster's students who handed in nothing. */
static void call_people(struct roster *r, int alone)
{
    size_t cap = r->count;
    for (size_t k = 0; k < r->people_count; k++) {
        const struct person *p = &r->people[k];
        size_t i = 0;
        while (i < r->count && r->list[i].person != p) i++;
        if (i == r->count && alone) continue;
        if (i == r->count)
            *VEC_PUSH(r->list, r->count, cap) =
                (struct submission){.person = p, .base = xstrdup("")};
        free(r->list[i].name);
        r->list[i].name = report_name(r, p);
    }
    if (r->numbers) call_numbers(r);
    qsort(r->list, r->count, sizeof *r->list, by_name);
}

/* Print which submissions belong to nobody in the roster. -1: two students have the same name. */
static int check_names(const struct roster *r, struct err *e)
{
    for (size_t i = 0; i < r->count && r->people_count; i++)
        if (!r->list[i].person) fprintf(stderr, "%s: is nobody's of the roster\n", r->list[i].path);
    for (size_t i = 1; i < r->count; i++)
        if (!strcmp(r->list[i - 1].name, r->list[i].name))
            return err_set(e, ERR_USAGE,
                "two students would be called '%s'; give each an id in the roster",
                r->list[i].name);
    return 0;
}

int roster_settle(struct roster *r, struct course *c, int alone, struct err *e)
{
    if (c->roster && read_people(r, c->roster, e)) return -1;
    for (size_t i = 0; i < r->count; i++) r->list[i].person = person_of(r, &r->list[i]);
    join_attempts(r, c->attempts);
    call_people(r, alone);
    if (check_names(r, e) || match_lines(r, c, alone, e)) return -1;
    share_groups(r);
    for (size_t i = 0; i < r->count; i++)
        if (choose_attempt(&r->list[i], c, e)) return -1;
    tell_untimed(r, c);
    return 0;
}

int roster_only(struct roster *r, const char *name, struct err *e)
{
    struct found f = find(r, name);
    const char *near = f.student ? NULL : nearest(r, name);
    if (f.other)
        return err_set(e, ERR_USAGE, "--only %s: means both '%s' and '%s'; name the ID or the file",
            name, f.student->name, f.other);
    if (!f.student)
        return err_set(e, ERR_USAGE, "--only %s: is nobody of this class%s%s", name,
            near ? "; the nearest name is " : "", near ? near : "");
    for (size_t i = 0; i < r->count; i++) {
        struct submission *s = &r->list[i];
        int same = s->path && f.student->path && !strcmp(s->path, f.student->path);
        s->skip = s != f.student && !same;
    }
    return 0;
}

void people_free(struct roster *r)
{
    for (size_t i = 0; i < r->people_count; i++)
        for (int f = 0; f < PERSON_FIELDS; f++) free(r->people[i].of[f]);
    free(r->people);
    buf_free(&r->key);
}
