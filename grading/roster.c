/* roster.c - the submissions of a folder, as learning platforms export them, and the files that count.
 *
 *     Canvas     lovelaceada_LATE_123_4567_lab02.zip           name lovelaceada, late
 *     Moodle     Ada Lovelace_123_assignsubmission_file/       name Ada Lovelace
 *     others     submission_123/, lab02-ada/, ada.tar.gz       the whole name
 *
 * Of a submission only NN-idea/NAME.cu and NAME.c of the labs' tables are read, wherever they lie in it, each
 * at most 256 KiB. An archive is never unpacked: its entries are looked through one by one.
 */
#define _GNU_SOURCE
#include "grading/grading.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_MOST = 256 * 1024, ENTRIES_MOST = 20000, DEPTH_MOST = 6, LEFT_OUT_MOST = 100,
    NAME_MOST = 200 };
static const int64_t ARCHIVE_MOST = 1 << 30; /* bytes of an archive, unpacked */

/* ---- names ---- */

static int ends(const char *s, const char *with)
{
    size_t n = strlen(s), m = strlen(with);
    return n > m && !strcasecmp(s + n - m, with);
}

static size_t without_suffix(const char *name)
{
    static const char *const suffixes[] = {".zip", ".tar.gz", ".tgz", ".tar", NULL};
    for (const char *const *s = suffixes; *s; s++)
        if (ends(name, *s)) return strlen(name) - strlen(*s);
    return 0;
}

/* The student's part of a platform's file name. *id: the platform's number of the student, or NULL. */
static char *student_of(const char *entry, int is_archive, int *late, char **id)
{
    char *name = xstrndup(entry, is_archive ? without_suffix(entry) : strlen(entry)), *mark;
    int number = 0, more = 0;
    *late = 0;
    *id = NULL;
    if ((mark = strstr(name, "_assignsubmission_"))) { /* Moodle: NAME_ID_assignsubmission_file */
        *mark = 0;
        if ((mark = strrchr(name, '_'))) *mark = 0, *id = xstrdup(mark + 1);
    } else if ((mark = strchr(name, '_')) &&
        (sscanf(mark, "_LATE_%d_%n", &number, &more) == 1 || sscanf(mark, "_%d_%n", &number, &more) == 1) &&
        more &&
        mark[more] >= '0' && mark[more] <= '9') { /* Canvas: NAME[_LATE]_ID_ID_FILE */
        *late = !strncmp(mark, "_LATE_", 6);
        *id = xstrndup(mark + (*late ? 6 : 1), (size_t)more - (*late ? 7 : 2));
        *mark = 0;
    }
    struct buf clean = {0};
    buf_printf(&clean, "%s", name);
    text_clean(&clean);
    for (size_t i = 0; i < clean.len; i++)
        if (strchr("/\n\t", clean.data[i]) || (!i && clean.data[i] == '.')) clean.data[i] = '_';
    free(name);
    if (clean.len > NAME_MOST) { /* a file of the results needs room behind it; a letter stays whole */
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

/* Two of one name: the second gets "-2", the third "-3", unless somebody else is called so. */
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

int roster_read(struct roster *r, const char *directory, struct err *e)
{
    size_t cap = 0;
    DIR *d = opendir(directory);
    *r = (struct roster){0};
    if (!d) return err_set(e, ERR_USAGE, "%s: cannot be read: %s", directory, strerror(errno));
    for (struct dirent *entry; (entry = readdir(d));) {
        struct stat st;
        char *path = xasprintf("%s/%s", directory, entry->d_name);
        int known = entry->d_name[0] != '.' && !lstat(path, &st),
            archive = known && S_ISREG(st.st_mode) && without_suffix(entry->d_name);
        if (known && (archive || S_ISDIR(st.st_mode))) {
            struct submission *s = VEC_PUSH(r->list, r->count, cap);
            *s = (struct submission){.path = path, .is_archive = archive};
            s->name = student_of(entry->d_name, archive, &s->late, &s->id);
        } else {
            if (known) buf_printf(&r->left_out, "%s: is no folder and no .zip or .tar.gz\n", path);
            free(path);
        }
    }
    closedir(d);
    text_clean(&r->left_out);
    if (!r->count)
        return err_set(
            e, ERR_USAGE, "%s: holds no submission: a folder or an archive for each student", directory);
    qsort(r->list, r->count, sizeof *r->list, by_name);
    make_unique(r);
    return 0;
}

void roster_free(struct roster *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct submission *s = &r->list[i];
        free(s->name), free(s->path), free(s->id), free(s->stopped);
    }
    free(r->list);
    buf_free(&r->left_out);
    *r = (struct roster){0};
}

/* ---- the files that count ---- */

/* FOLDER/NAME of an exercise at the end of a path, or the progress file of common/learn; NULL: the path is
 * neither. */
static const char *exercise_file(const char *path)
{
    const char *last = strrchr(path, '/'), *start = last;
    while (start && start > path && start[-1] != '/') start--;
    if (!strcmp(last ? last + 1 : path, ".progress")) return last ? last + 1 : path;
    for (const struct lab *const *l = lab_table; start && *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            char *file = workbench_file("", *l, x);
            int same = !strcmp(file + 1, start);
            free(file);
            if (same) return start;
        }
    return NULL;
}

static void leave_out(struct buf *left_out, const char *path, const char *why)
{
    size_t lines = 0;
    for (size_t i = 0; i < left_out->len; i++) lines += left_out->data[i] == '\n';
    struct buf line = {0};
    buf_printf(&line, "%.300s: %s", path, why);
    text_clean(&line);
    for (size_t i = 0; i < line.len; i++)
        if (line.data[i] == '\n') line.data[i] = ' ';
    if (lines < LEFT_OUT_MOST) buf_printf(left_out, "%s\n", line.data);
    else if (lines == LEFT_OUT_MOST) buf_printf(left_out, "and more\n");
    buf_free(&line);
}

/* Write FOLDER/NAME into the folder, unless it is there already. */
static int put(const char *into, const char *file, const void *data, size_t len, struct err *e)
{
    char *path = xasprintf("%s/%s", into, file), *slash = strrchr(path, '/');
    *slash = 0;
    int bad = mkdir(path, 0700) && errno != EEXIST
        ? err_set(e, ERR_ENV, "%s: cannot be made: %s", path, strerror(errno))
        : 0;
    *slash = '/';
    if (!bad) bad = file_exists(path) ? 1 : file_write_scratch(path, data, len, e);
    free(path);
    return bad;
}

static int take_file(
    const char *root, const char *name, const char *into, struct buf *left_out, struct err *e)
{
    const char *file = exercise_file(name);
    char *data = NULL;
    size_t len = 0;
    struct err why = {0};
    int bad = 0;
    if (!file) leave_out(left_out, name, "is no exercise's file");
    else if (file_read_within(root, name, FILE_MOST, &data, &len, &why)) leave_out(left_out, name, why.text);
    else if ((bad = put(into, file, data, len, e)) > 0) leave_out(left_out, name, "is there twice"), bad = 0;
    free(data);
    return bad;
}

/* below: "" or "a/b/". */
static int take_folder(const char *root, const char *below, int depth, int *entries, const char *into,
    struct buf *left_out, struct err *e)
{
    char *path = xasprintf("%s/%s", root, below);
    struct dirent **found = NULL;
    int n = scandir(path, &found, NULL, alphasort), bad = 0;
    for (int i = 0; i < n; i++) {
        const char *entry = found[i]->d_name;
        char *name = xasprintf("%s%s", below, entry), *whole = xasprintf("%s/%s", root, name);
        struct stat st;
        if (!bad && strcmp(entry, ".") && strcmp(entry, "..") && strcmp(entry, ".git") &&
            ++*entries < ENTRIES_MOST && !lstat(whole, &st)) {
            char *deeper = xasprintf("%s/", name);
            if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) bad = take_file(root, name, into, left_out, e);
            else if (!S_ISDIR(st.st_mode)) leave_out(left_out, name, "is not a regular file");
            else if (depth < DEPTH_MOST)
                bad = take_folder(root, deeper, depth + 1, entries, into, left_out, e);
            else leave_out(left_out, name, "lies too deep");
            free(deeper);
        }
        free(name);
        free(whole);
        free(found[i]);
    }
    free(found);
    free(path);
    return bad;
}

static int take_entry(
    struct archive *a, struct archive_entry *entry, const char *into, struct buf *left_out, struct err *e)
{
    static char data[FILE_MOST + 1];
    const char *name = archive_entry_pathname_utf8(entry);
    if (!name) name = archive_entry_pathname(entry);
    if (!name) name = "an entry without a name";
    const char *file = exercise_file(name);
    if (archive_entry_filetype(entry) == AE_IFDIR) return 0;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) {
        leave_out(left_out, name, "is a link or no file");
        return 0;
    }
    if (!file) {
        if (!strstr(name, "__MACOSX/")) leave_out(left_out, name, "is no exercise's file");
        return 0;
    }
    la_ssize_t n = archive_read_data(a, data, sizeof data);
    if (n < 0) return err_set(e, ERR_LEARNER, "the archive is damaged: %s", archive_error_string(a));
    if (n > FILE_MOST) {
        leave_out(left_out, name, "is larger than 256 KiB");
        return 0;
    }
    int bad = put(into, file, data, (size_t)n, e);
    if (bad > 0) leave_out(left_out, name, "is there twice");
    return bad < 0 ? -1 : 0;
}

static int take_archive(const char *path, const char *into, struct buf *left_out, struct err *e)
{
    struct archive *a = archive_read_new();
    struct archive_entry *entry;
    int entries = 0, got = ARCHIVE_OK, bad = 0;
    int64_t unpacked = 0;
    archive_read_support_format_zip(a);
    archive_read_support_format_tar(a);
    archive_read_support_filter_gzip(a);
    if (archive_read_open_filename(a, path, 65536) != ARCHIVE_OK)
        bad = err_set(e, ERR_LEARNER, "the archive cannot be read: %s", archive_error_string(a));
    while (!bad && (got = archive_read_next_header(a, &entry)) == ARCHIVE_OK) {
        /* What is left out of a .tar.gz is unpacked all the same, so its size is asked first. */
        unpacked += archive_entry_size(entry) > 0 ? archive_entry_size(entry) : 0;
        if (++entries > ENTRIES_MOST || unpacked > ARCHIVE_MOST || unpacked < 0) {
            buf_printf(left_out, "the rest of the archive: it %s\n",
                entries > ENTRIES_MOST ? "has more than 20000 entries" : "unpacks to more than 1 GiB");
            break;
        }
        bad = take_entry(a, entry, into, left_out, e);
    }
    if (!bad && got != ARCHIVE_OK && got != ARCHIVE_EOF)
        bad = err_set(e, ERR_LEARNER, "the archive is damaged: %s", archive_error_string(a));
    archive_read_free(a);
    return bad;
}

int submission_take(const struct submission *s, const char *into, struct buf *left_out, struct err *e)
{
    int entries = 0;
    return s->is_archive ? take_archive(s->path, into, left_out, e)
                         : take_folder(s->path, "", 0, &entries, into, left_out, e);
}
