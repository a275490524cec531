/* roster.c - the submissions in a folder, as learning platforms export them.
 *
 *     Canvas     lovelaceada_LATE_123_4567_lab02.zip           name lovelaceada, late
 *     Moodle     Ada Lovelace_123_assignsubmission_file/       name Ada Lovelace
 *     others     submission_123/, lab02-ada/, ada.tar.gz       the whole name
 *
 * Canvas exports a student's files one by one: lovelaceada_123_4567_matmul.cu and
 * lovelaceada_123_4568_aat.cu are one submission. */
#define _GNU_SOURCE
#include "grading/hand_in.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_MOST = 200 };

/* ---- names ---- */

/* The student's name in a platform's file name. *id: the platform's ID of the student, or NULL.
 * *file: on Canvas, the student's name for the file, else NULL. The caller frees all three. */
static char *student_of(const char *entry, int is_archive, int *late, char **id, char **file)
{
    char *name = xstrndup(entry, strlen(entry) - (is_archive ? meaning_archive(entry) : 0)), *mark;
    int number = 0, more = 0;
    *late = 0;
    *id = *file = NULL;
    /* Moodle: NAME_ID_assignsubmission_file */
    if ((mark = strstr(name, "_assignsubmission_"))) {
        *mark = 0;
        if ((mark = strrchr(name, '_'))) *mark = 0, *id = xstrdup(mark + 1);
    } else if ((mark = strchr(name, '_')) &&
               (sscanf(mark, "_LATE_%d_%n", &number, &more) == 1 ||
                   sscanf(mark, "_%d_%n", &number, &more) == 1) &&
               more && mark[more] >= '0' &&
               mark[more] <= '9') { /* Canvas: NAME[_LATE]_ID_ID_FILE */
        const char *second = mark + more + strspn(mark + more, "0123456789");
        *late = !strncmp(mark, "_LATE_", 6);
        if (*second == '_' && second[1]) *file = xstrdup(second + 1);
        *id = xstrndup(mark + (*late ? 6 : 1), (size_t)more - (*late ? 7 : 2));
        *mark = 0;
    }
    char *safe = roster_safe_name(name);
    free(name);
    return safe;
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
        int single = last && (s->file || last->file), ids = last && s->id && last->id;
        if (single && ids && !strcmp(s->name, last->name) && !strcmp(s->id, last->id)) {
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

/* Is the entry of a folder a submission? Then it is read into s. */
static int read_entry(struct submission *s, const char *path, const char *name)
{
    struct stat st;
    if (lstat(path, &st)) return 0;
    int regular = S_ISREG(st.st_mode), archive = regular && meaning_archive(name);
    *s = (struct submission){.is_archive = archive};
    s->name = student_of(name, archive, &s->late, &s->id, &s->file);
    s->base = xstrdup(s->name);
    int single = regular && !archive && s->file && meaning_is_source(s->file);
    if (!single) free(s->file), s->file = NULL;
    if (archive || single || S_ISDIR(st.st_mode)) {
        s->path = xstrdup(path);
        return 1;
    }
    free(s->name), free(s->base), free(s->id);
    return 0;
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
        struct submission *s = xcalloc(1, sizeof *s);
        *s = r->list[i];
        attempt_free(s);
    }
    free(r->list);
    people_free(r);
    buf_free(&r->left_out);
    *r = (struct roster){0};
}
