/* candidates.c - choose the best of several files for one exercise, and write remarks on the files.
 *
 *     labs/01-naive/copy.cu        1  a path that names the exercise, before one from which it is guessed
 *     work.ipynb/01-naive/copy.cu  2  a file, before a cell of a notebook
 *     01-naive/copy.cu             3  below a folder labs/, as in the kit
 *     backup/01-naive/copy.cu      4  with fewer folders above it
 *     backup2/01-naive/copy.cu     5  the first by name, so that the order in an archive does not matter */
#define _GNU_SOURCE
#include "grading/hand_in.h"
#include "grading/tokens.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { REMARKS_MOST = 40, PATH_SHOWN = 300 };

/* ---- remarks ---- */

static char *one_line(const char *text)
{
    struct buf b = {0};
    buf_printf(&b, "%s", text);
    text_clean(&b);
    for (size_t i = 0; i < b.len; i++)
        if (b.data[i] == '\n') b.data[i] = ' ';
    return b.data;
}

void taken_remark(struct taken *t, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    if (++t->remark_count > REMARKS_MOST) {
        if (t->remark_count == REMARKS_MOST + 1) buf_printf(&t->remarks, "and more\n");
        return;
    }
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) < 0) text = xstrdup("a remark that does not fit into memory");
    va_end(ap);
    char *line = one_line(text);
    buf_printf(&t->remarks, "%.1500s\n", line);
    free(text), free(line);
}

void taken_leave_out(struct taken *t, const char *path, const char *why)
{
    char *text = xasprintf("%.*s: %s", PATH_SHOWN, path, why);
    *VEC_PUSH(t->left, t->left_count, t->left_cap) =
        (struct left){one_line(text), meaning_is_source(path)};
    free(text);
}

void taken_free(struct taken *t)
{
    for (size_t i = 0; i < t->near_count; i++) free(t->near[i].path);
    for (size_t i = 0; i < t->left_count; i++) free(t->left[i].line);
    free(t->near), free(t->left), free(t->damage);
    buf_free(&t->remarks), buf_free(&t->left_out);
    *t = (struct taken){0};
}

/* ---- the best file ---- */

static int below_labs(const char *path)
{
    for (const char *p = path, *slash; (slash = strchr(p, '/')); p = slash + 1)
        if (slash - p == 4 && !strncasecmp(p, "labs", 4)) return 1;
    return 0;
}

static int in_notebook(const char *path) { return strcasestr(path, ".ipynb/") != NULL; }

static int depth(const char *path)
{
    int n = 0;
    for (; *path; path++) n += *path == '/' && path[1] != '/' && strncmp(path, "/./", 3);
    return n;
}

static int is_better(const struct candidate *a, const struct candidate *b)
{
    int x = a->meaning.how == MEANS_EXACTLY, y = b->meaning.how == MEANS_EXACTLY;
    if (x != y) return x;
    if (a->meaning.named != b->meaning.named) return a->meaning.named;
    if ((x = !in_notebook(a->path)) != (y = !in_notebook(b->path))) return x;
    if ((x = below_labs(a->path)) != (y = below_labs(b->path))) return x;
    if ((x = depth(a->path)) != (y = depth(b->path))) return x < y;
    return strcmp(a->path, b->path) < 0;
}

static void candidate_free(struct candidate *c) { free(c->path), free(c->data), free(c->rival); }

/* Convert UTF-16 with a byte order mark, as Windows writes it, to UTF-8. Returns 1 if the text was
 * UTF-16. */
static int from_utf16(char **data, size_t *len)
{
    const unsigned char *p = (const unsigned char *)*data;
    int little = *len > 1 && p[0] == 0xff && p[1] == 0xfe,
        big = *len > 1 && p[0] == 0xfe && p[1] == 0xff;
    struct buf out = {0};
    if ((!little && !big) || *len % 2) return 0;
    for (size_t i = 2; i + 1 < *len; i += 2) {
        unsigned c = little ? p[i] | p[i + 1] << 8 : p[i] << 8 | p[i + 1];
        unsigned char utf8[3] = {(unsigned char)c};
        size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        /* half of a surrogate pair; it can only be in a comment */
        if (c >= 0xd800 && c < 0xe000) c = '?';
        if (c == '?') utf8[0] = '?', n = 1;
        if (n == 2) utf8[0] = (unsigned char)(0xc0 | c >> 6), utf8[1] = 0x80 | (c & 0x3f);
        if (n == 3) {
            utf8[0] = (unsigned char)(0xe0 | c >> 12);
            utf8[1] = 0x80 | (c >> 6 & 0x3f), utf8[2] = 0x80 | (c & 0x3f);
        }
        buf_add(&out, utf8, n);
    }
    buf_add(&out, "", 0);
    free(*data);
    *data = out.data, *len = out.len;
    return 1;
}

void candidates_offer(
    struct candidates *c, const char *path, const struct meaning *m, char *data, size_t len)
{
    struct candidate new = {*m, xstrdup(path), data, len, NULL}, *old = NULL;
    from_utf16(&new.data, &new.len);
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].meaning.exercise == m->exercise) old = &c->list[i];
    if (!old) {
        *VEC_PUSH(c->list, c->count, c->cap) = new;
        return;
    }
    int same = old->len == new.len && !memcmp(old->data, new.data, new.len);
    if (is_better(&new, old)) {
        struct candidate worse = *old;
        *old = new;
        old->rival = same ? worse.rival : xstrdup(worse.path);
        if (same) worse.rival = NULL;
        candidate_free(&worse);
    } else {
        if (!same && !old->rival) old->rival = xstrdup(path);
        candidate_free(&new);
    }
}

int candidates_have(const struct candidates *c, const struct exercise *x)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].meaning.exercise == x) return 1;
    return 0;
}

void candidates_free(struct candidates *c)
{
    for (size_t i = 0; i < c->count; i++) candidate_free(&c->list[i]);
    free(c->list);
    *c = (struct candidates){0};
}

static char *place_of(const struct meaning *m)
{
    return m->exercise ? workbench_file(".", m->lab, m->exercise) : xstrdup(".progress");
}

static int write_one(const struct candidate *c, const char *into, struct err *e)
{
    char *place = place_of(&c->meaning), *path = xasprintf("%s/%s", into, place),
         *slash = strrchr(path, '/');
    int bad = 0;
    *slash = 0;
    if (mkdir(path, 0700) && errno != EEXIST)
        bad = err_set(e, ERR_ENV, "%s: cannot be made: %s", path, strerror(errno));
    *slash = '/';
    if (!bad) bad = file_write_scratch(path, c->data, c->len, e);
    free(place), free(path);
    return bad;
}

static int by_place(const void *a, const void *b)
{
    const struct meaning *x = &((const struct candidate *)a)->meaning,
                         *y = &((const struct candidate *)b)->meaning;
    if (!x->exercise || !y->exercise) return !x->exercise - !y->exercise;
    int d = strcmp(x->lab->name, y->lab->name);
    return d ? d : strcmp(x->exercise->name, y->exercise->name);
}

/* A remark on several files as one line: the first of them, and how many more there are. */
struct several {
    struct buf text;
    size_t count;
};
enum { SEVERAL_SHOWN = 6 };
static void several_add(struct several *s, char *one)
{
    if (s->count++ < SEVERAL_SHOWN) buf_printf(&s->text, "%s%s", s->text.len ? ", " : "", one);
    free(one);
}
static void several_remark(struct several *s, struct taken *t, const char *what)
{
    if (s->count > SEVERAL_SHOWN)
        taken_remark(t, "%s%s and %zu more", what, s->text.data, s->count - SEVERAL_SHOWN);
    else if (s->count)
        taken_remark(t, "%s%s", what, s->text.data);
    buf_free(&s->text);
}

int candidates_write(struct candidates *c, const char *into, struct taken *t, struct err *e)
{
    struct several loose = {{0}, 0}, rivals = {{0}, 0};
    int bad = 0;
    if (c->count) qsort(c->list, c->count, sizeof *c->list, by_place);
    for (size_t i = 0; i < c->count && !bad; i++) {
        const struct candidate *x = &c->list[i];
        char *place = place_of(&x->meaning);
        if (x->meaning.how == MEANS_LOOSELY)
            several_add(&loose, xasprintf("%.*s as %s", PATH_SHOWN, x->path, place));
        if (x->rival)
            several_add(
                &rivals, xasprintf("%.*s beside %.*s", PATH_SHOWN, x->rival, PATH_SHOWN, x->path));
        free(place);
        bad = write_one(x, into, e);
    }
    several_remark(&loose, t, "read ");
    several_remark(&rivals, t, "not graded, though it differs from the file that is: ");
    return bad;
}

/* ---- recognizing the kit's solutions ---- */

/* Is a file equal to a solution? 2: byte for byte, 1: except for comments and white space, 0:
 * no. */
static int is_solution(const struct candidate *c, const char *solution)
{
    struct tokens a, b;
    if (c->len == strlen(solution) && !memcmp(c->data, solution, c->len)) return 2;
    tokens_read(&a, c->data), tokens_read(&b, solution);
    int same = a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++) same = a.list[i].hash == b.list[i].hash;
    tokens_free(&a), tokens_free(&b);
    return same;
}

void candidates_compare(const struct candidates *c, const struct kit *k, struct taken *t)
{
    struct several same[2] = {{{0}, 0}, {{0}, 0}};
    char *solutions = kit_path(k, "solutions");
    for (size_t i = 0; i < c->count; i++) {
        const struct meaning *m = &c->list[i].meaning;
        char *path = m->exercise ? workbench_file(solutions, m->lab, m->exercise) : NULL,
             *place = place_of(m), *text = NULL;
        int how = path && !file_read(path, 1 << 20, &text, NULL, NULL)
                      ? is_solution(&c->list[i], text)
                      : 0;
        if (how) several_add(&same[how - 1], xstrdup(place));
        free(path), free(place), free(text);
    }
    several_remark(&same[1], t, "the kit's solution, byte for byte: ");
    several_remark(&same[0], t, "the kit's solution but for comments and blanks: ");
    free(solutions);
}
