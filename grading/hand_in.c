/* hand_in.c - find the files of a submission: in a folder, in an archive, in an archive inside of
 * one of these, or a single file.
 *
 *     each file ── in a folder of the kit's own, or hidden? ── left out
 *               ── an archive, a notebook? ── its files, as if it were a folder
 *               ── an exercise's? ── candidates.c
 *
 * An archive is not unpacked to disk: its entries are read one by one, into memory. The limits
 * apply to a whole submission: entries, decompressed bytes, and bytes of names and attributes, of
 * which an archive can contain gigabytes. If an archive is damaged, only the rest of it is not
 * read. */
#define _GNU_SOURCE
#include "grading/hand_in.h"
#include "os/os.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_MOST = 256 * 1024,
    NOTEBOOK_MOST = 16 << 20, /* bytes of a notebook, including its pictures */
    ENTRIES_MOST = 20000,     /* files and folders, outside of the kit's own folders */
    ENTRIES_ALL_MOST = 200000,
    DEPTH_MOST = 6,
    WITHIN_MOST = 2, /* levels of archives in archives */
};
/* the most decompressed bytes of all archives of a submission */
static const int64_t ARCHIVE_MOST = 1 << 30;
/* the most bytes of the names of the archives' entries; a header of a .tar counts as a name if it is
 * larger than HEADER_MOST, with names of links, attributes and comments */
static const int64_t NAMES_MOST = 16 << 20, HEADER_MOST = 4096;
static const size_t INNER_MOST = 32 << 20; /* the most bytes of an archive in an archive */
/* the most bytes of memory that reading takes: the list of a .7z's files, which is unpacked as a
 * whole, can have gigabytes */
static const rlim_t MEMORY_MOST = 1 << 30;

struct reading {
    const struct class_options *options;
    const struct kit *kit; /* NULL: solutions and skeletons are not recognized */
    struct taken *taken;
    struct candidates candidates;
    /* paths of files that were not taken, one per line, for "did you mean" */
    struct buf sources;
    struct buf not_work; /* folders that were skipped, one per line */
    struct buf kits; /* those of the skipped folders that are the kit's own: "solutions/, tests/" */
    int entries, all_entries, within;
    int64_t unpacked, names;
    int stopped; /* 1: a limit was reached, and nothing more is read */
};

static void damage(struct reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void damage(struct reading *r, const char *fmt, ...)
{
    va_list ap;
    if (r->taken->damage) return;
    va_start(ap, fmt);
    if (vasprintf(&r->taken->damage, fmt, ap) < 0) r->taken->damage = xstrdup("it cannot be read");
    va_end(ap);
}

/* ---- one file ---- */

/* Add a line to a list, unless the list has it. Returns whether it was added. */
static int note(struct buf *list, const char *text, size_t n)
{
    enum { MOST = 64 * 1024 };
    char *line = xasprintf("\n%.*s\n", (int)n, text);
    if (!list->len) buf_printf(list, "\n");
    int new = !strstr(list->data, line) && list->len + n < MOST;
    if (new) buf_printf(list, "%s", line + 1);
    free(line);
    return new;
}

/* Is the path in a folder in which no work is expected? If so, the folder is recorded. */
static int passed_over(struct reading *r, const char *path)
{
    size_t n = meaning_not_work(path);
    const char *last = strrchr(path, '/');
    /* files that the Finder of macOS adds */
    if (!strncmp(last ? last + 1 : path, "._", 2)) return 1;
    if (!n) return 0;
    char *folder = xstrndup(path, n);
    const char *name = strrchr(folder, '/') ? strrchr(folder, '/') + 1 : folder;
    int new = note(&r->not_work, folder, n) && strcmp(name, "__MACOSX") && strcmp(name, ".git");
    if (new &&*name == '.')
        taken_leave_out(r->taken, folder, "is a hidden folder: no file below it is graded");
    else if (new) {
        taken_leave_out(
            r->taken, folder, "is a folder of the kit's own: no file below it is graded");
        if (n < 100 && r->kits.len < 400)
            buf_printf(&r->kits, "%s%s/", r->kits.len ? ", " : "", folder);
    }
    free(folder);
    return 1;
}

/* Which exercise a path means, if the file is to be read; otherwise MEANS_NOTHING, and the path is
 * recorded. */
static struct meaning meaning_here(struct reading *r, const char *path)
{
    struct meaning m = meaning_of(path, r->options), none = {MEANS_NOTHING, 0, NULL, NULL};
    if (m.how == MEANS_EXACTLY && !class_grades(r->options, m.lab)) return none;
    if (m.how > MEANS_SEVERAL) return m;
    if (meaning_is_kits(path)) return none;
    taken_leave_out(r->taken, path,
        m.how == MEANS_SEVERAL
            ? "may be the file of several exercises: put it into the folder of its lab"
            : "is no exercise's file");
    if (meaning_is_source(path)) note(&r->sources, path, strlen(path));
    return none;
}

/* Add a remark that an exercise's file exists but cannot be used. */
static void refuse(struct reading *r, const struct meaning *m, const char *path, const char *why)
{
    taken_leave_out(r->taken, path, why);
    taken_remark(r->taken, "%.300s: %s", path, why);
    if (m->how == MEANS_PROGRESS) r->taken->progress_lost = 1;
}

/* ---- notebooks ---- */

struct notebook {
    struct reading *reading;
    const char *name;
    /* paths that were passed to `file`, one per line: if several cells write one file, the first
     * call counts */
    struct buf seen;
    int files;
};

/* The path `where` + name, without "./" and double slashes. The name comes from the submission. The
 * caller frees it. */
static char *clean_path(const char *where, const char *name)
{
    char *path = xasprintf("%s%s", where, name), *p = path + strlen(where), *to = p;
    for (char *c = p; *c; c++) *c = *c == '\\' ? '/' : *c;
    for (; *p; p++) {
        int start = to == path || to[-1] == '/';
        if (!(start && (*p == '/' || (*p == '.' && p[1] == '/')))) *to++ = *p;
    }
    *to = 0;
    return path;
}

/* Is a cell the skeleton of its exercise, except for newlines at the end? Cells of the kit's own
 * notebook are, until a student edits them. */
static int is_given(const struct reading *r, const struct meaning *m, const char *content)
{
    char *labs = r->kit ? kit_path(r->kit, "labs") : NULL,
         *path = labs && m->exercise ? workbench_file(labs, m->lab, m->exercise) : NULL,
         *text = NULL;
    size_t n = strlen(content);
    while (n && content[n - 1] == '\n') n--;
    int given = path && !file_read(path, FILE_MOST, &text, NULL, NULL) &&
                !strncmp(text, content, n) && text[n + strspn(text + n, "\n")] == 0;
    free(labs), free(path), free(text);
    return given;
}

static void take_cell(void *context, const char *name, const char *content)
{
    struct notebook *n = context;
    char *where = xasprintf("%s/", n->name), *path = clean_path(where, name);
    const struct class_options *o = n->reading->options;
    struct meaning m = meaning_of(path, o);
    int graded = m.how == MEANS_LOOSELY || (m.how == MEANS_EXACTLY && class_grades(o, m.lab));
    if (graded && note(&n->seen, path, strlen(path)) && strlen(content) <= FILE_MOST &&
        !passed_over(n->reading, path) && !is_given(n->reading, &m, content)) {
        candidates_offer(&n->reading->candidates, path, &m, xstrdup(content), strlen(content));
        n->files++;
    }
    free(where), free(path);
}

static int is_notebook(const char *path)
{
    size_t n = strlen(path);
    return n > 6 && !strcasecmp(path + n - 6, ".ipynb");
}

static void take_notebook(struct reading *r, const char *path, const char *data, size_t len)
{
    struct notebook n = {.reading = r, .name = path};
    notebook_read(data, len, take_cell, &n);
    if (n.files)
        taken_remark(
            r->taken, "%.300s is a notebook: the files that its cells write are read", path);
    else if (!meaning_is_kits(path))
        taken_leave_out(
            r->taken, path, "is a notebook, of which no cell writes an exercise's file");
    buf_free(&n.seen);
}

/* ---- archives ---- */

/* The locale in which libarchive can decode names, which are UTF-8 or bytes; in a locale with only
 * ASCII, libarchive gives up. C.UTF-8 exists since glibc 2.35, and has existed in Debian for
 * longer. */
static locale_t wide_locale(void)
{
    locale_t l = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return l ? l : newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
}

/* The path `where` + an entry's name, without "./". The caller frees it; NULL: the entry has no
 * name. */
static char *entry_path(struct archive_entry *entry, const char *where)
{
    const char *name = archive_entry_pathname_utf8(entry);
    if (!name) name = archive_entry_pathname(entry);
    if (!name || !*name) return NULL;
    return clean_path(where, name);
}

/* Read the rest of an entry, at most `most` bytes, and append a 0. Returns 1 if the rest is larger;
 * -1 if it cannot be read, and the archive has the error. */
static int entry_read(struct archive *a, size_t most, struct buf *data)
{
    char piece[65536];
    la_ssize_t n = 0;
    buf_add(data, "", 0);
    while (data->len <= most && (n = archive_read_data(a, piece, sizeof piece)) > 0)
        buf_add(data, piece, (size_t)n);
    return n < 0 ? -1 : data->len > most;
}

static void take_archive(struct reading *r, struct archive *a, const char *where);

static void open_formats(struct archive *a)
{
    archive_read_support_format_zip(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_7zip(a);
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
}

/* Record why an archive is damaged as the submission's damage, with "labs.zip: " before it if the
 * archive is in a folder. */
static void archive_damage(
    struct reading *r, const char *where, const char *what, struct archive *a)
{
    const char *why = archive_error_string(a);
    int n = (int)strlen(where) - (*where != 0);
    damage(r, "%.*s%sthe archive %s: %s", n, where, n ? ": " : "", what,
        why ? why : "it ends too early");
}

/* Open an archive from the file at path, or from data if path is NULL, and read its entries. where:
 * "" or "labs.zip/", which is put before the names of the entries. */
static void open_archive(struct reading *r, const char *name, const char *where, const char *path,
    const struct buf *data)
{
    int n = (int)strlen(where) - (*where != 0);
    if (!strcasecmp(name + strlen(name) - meaning_archive(name), ".rar")) {
        damage(r, "%.*s%sa .rar is not read; hand in a .zip", n, where, n ? ": " : "");
        return;
    }
    struct archive *a = archive_read_new();
    struct gunzip *g = gunzip_open(path, data);
    int opened;
    open_formats(a);
    r->within++;
    if (g)
        opened = !gunzip_feed(g, a);
    else if (path)
        opened = !archive_read_open_filename(a, path, 65536);
    else
        opened = !archive_read_open_memory(a, data->data, data->len);
    if (opened) take_archive(r, a, where);
    if (g && gunzip_damage(g))
        damage(r, "%.*s%sthe archive is damaged: %s", n, where, n ? ": " : "", gunzip_damage(g));
    if (!opened) archive_damage(r, where, "cannot be read", a);
    r->within--;
    archive_read_free(a);
    if (g) gunzip_close(g);
}

static void take_inner(struct reading *r, struct archive *a, const char *path)
{
    struct buf data = {0};
    int bad = entry_read(a, INNER_MOST, &data);
    if (bad < 0)
        damage(r, "the archive cannot be read at %.300s: %s", path, archive_error_string(a));
    else if (bad)
        damage(r, "%.300s: has more than %zu MiB", path, INNER_MOST >> 20);
    else {
        char *where = xasprintf("%s/", path);
        open_archive(r, path, where, NULL, &data);
        free(where);
    }
    buf_free(&data);
}

static void take_entry(
    struct reading *r, struct archive *a, struct archive_entry *entry, const char *path)
{
    if (meaning_archive(path) && r->within < WITHIN_MOST &&
        archive_entry_filetype(entry) == AE_IFREG) {
        take_inner(r, a, path);
        return;
    }
    struct buf data = {0};
    if (is_notebook(path) && archive_entry_filetype(entry) == AE_IFREG) {
        if (!entry_read(a, NOTEBOOK_MOST, &data))
            take_notebook(r, path, data.data, data.len);
        else
            taken_leave_out(r->taken, path, "is a notebook that cannot be read");
        buf_free(&data);
        return;
    }
    struct meaning m = meaning_here(r, path);
    if (!m.how) return;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) {
        refuse(r, &m, path, "is a link or no file");
        return;
    }
    int bad = entry_read(a, FILE_MOST, &data);
    if (bad < 0) {
        const char *why = archive_error_string(a);
        damage(r, "the archive cannot be read at %.300s: %s", path, why ? why : "it is damaged");
        if (m.how == MEANS_PROGRESS) r->taken->progress_lost = 1;
    } else if (bad) {
        refuse(r, &m, path, "is larger than 256 KiB");
    } else {
        candidates_offer(&r->candidates, path, &m, data.data, data.len);
        data = (struct buf){0};
    }
    buf_free(&data);
}

/* Count an entry before its content is read, since even a skipped entry of a .tar.gz is
 * decompressed. header: bytes of its header. Returns whether reading continues. */
static int within_limits(
    struct reading *r, struct archive_entry *entry, const char *path, int64_t header)
{
    int64_t size = archive_entry_size(entry), name = path ? (int64_t)strlen(path) : 0;
    const char *why = NULL;
    r->unpacked += size > 0 ? size : 0;
    r->names += header > HEADER_MOST && header > name ? header : name;
    r->entries += !path || !meaning_not_work(path);
    if (r->entries > ENTRIES_MOST || ++r->all_entries > ENTRIES_ALL_MOST)
        why = "has more than 20000 entries";
    else if (r->unpacked > ARCHIVE_MOST || r->unpacked < 0)
        why = "unpacks to more than 1 GiB";
    else if (r->names > NAMES_MOST)
        why = "has names and attributes of more than 16 MiB";
    if (why) damage(r, "the rest of the archive is not read: it %s", why);
    r->stopped |= why != NULL;
    return !why;
}

static void take_archive(struct reading *r, struct archive *a, const char *where)
{
    /* unreadable headers after which the rest of an archive is not read */
    enum { WRONG_MOST = 100 };
    struct archive_entry *entry;
    int got, wrong = 0;
    int64_t before = 0; /* bytes of the archive before the entry's header */
    while (!r->stopped && (got = archive_read_next_header(a, &entry)) != ARCHIVE_EOF) {
        int is_tar = (archive_format(a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;
        int64_t header = is_tar ? archive_filter_bytes(a, 0) - before : 0;
        if (got == ARCHIVE_FATAL || (got < ARCHIVE_WARN && ++wrong > WRONG_MOST)) {
            archive_damage(r, where, "is damaged", a);
            return;
        }
        char *path = got < ARCHIVE_WARN ? NULL : entry_path(entry, where);
        int work = path && archive_entry_filetype(entry) != AE_IFDIR && !passed_over(r, path);
        if (!path)
            archive_damage(
                r, where, got < ARCHIVE_WARN ? "is damaged" : "has a name that cannot be read", a);
        int goes_on = got < ARCHIVE_WARN || within_limits(r, entry, path, header);
        if (work && goes_on) take_entry(r, a, entry, path);
        free(path);
        if (!r->stopped) archive_read_data_skip(a);
        before = archive_filter_bytes(a, 0); /* this number includes the archive's headers */
        if (!r->stopped && before > 2 * ARCHIVE_MOST) {
            damage(r, "the rest of the archive is not read: it unpacks to more than 1 GiB");
            r->stopped = 1;
        }
    }
}

/* ---- folders ---- */

static void take_file(struct reading *r, const char *root, const char *name, const struct stat *st)
{
    char *path = xasprintf("%s/%s", root, name), *data = NULL;
    size_t len = 0, own = strlen(root) + 1;
    struct err why = {0};
    if (meaning_archive(name) && S_ISREG(st->st_mode) && st->st_nlink == 1) {
        char *where = xasprintf("%s/", name);
        open_archive(r, name, where, path, NULL);
        free(where);
    } else if (is_notebook(name)) {
        if (!file_read_within(root, name, NOTEBOOK_MOST, &data, &len, &why))
            take_notebook(r, name, data, len);
        else
            taken_leave_out(r->taken, name, "is a notebook that cannot be read");
        free(data);
    } else {
        struct meaning m = meaning_here(r, name);
        if (m.how && file_read_within(root, name, FILE_MOST, &data, &len, &why)) {
            /* the error's text has the file's path on this machine, which must not be shown */
            const char *text = why.text, *said = "cannot be read";
            if (!strncmp(text, path, strlen(path)) && !strncmp(text + strlen(path), ": ", 2))
                said = text + strlen(path) + 2;
            else if (strlen(path) > own && strlen(text) > 300)
                said = "cannot be read: its path is too long";
            refuse(r, &m, name, said);
        } else if (m.how) {
            candidates_offer(&r->candidates, name, &m, data, len);
        }
    }
    free(path);
}

/* Read a folder and its subfolders. below: the folder's path in the submission, "" or "a/b/". */
static void take_folder(struct reading *r, const char *root, const char *below, int deep)
{
    char *path = xasprintf("%s/%s", root, below);
    struct dirent **found = NULL;
    int n = scandir(path, &found, NULL, alphasort);
    if (n < 0) damage(r, "%.300s: cannot be read: %s", *below ? below : ".", strerror(errno));
    for (int i = 0; i < n; i++) {
        const char *entry = found[i]->d_name;
        char *name = xasprintf("%s%s", below, entry), *whole = xasprintf("%s/%s", root, name),
             *deeper = xasprintf("%s/", name);
        struct stat st;
        if (!r->stopped && strcmp(entry, ".") && strcmp(entry, "..") && !lstat(whole, &st) &&
            !passed_over(r, S_ISDIR(st.st_mode) ? deeper : name)) {
            if (++r->entries > ENTRIES_MOST) {
                damage(r, "the rest of the folder is not read: it has more than 20000 entries");
                r->stopped = 1;
            } else if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
                take_file(r, root, name, &st);
            else if (!S_ISDIR(st.st_mode))
                taken_leave_out(r->taken, name, "is not a regular file");
            else if (deep < DEPTH_MOST)
                take_folder(r, root, deeper, deep + 1);
            else {
                taken_leave_out(r->taken, name, "lies too deep");
                taken_remark(r->taken, "%.300s lies too deep: no file below it is graded", name);
            }
        }
        free(name), free(whole), free(deeper);
        free(found[i]);
    }
    free(found);
    free(path);
}

/* ---- a submission ---- */

/* ---- "did you mean" ---- */

/* The exercises without a file whose names are closest to a path. */
struct nearest {
    const struct lab *lab[3];
    const struct exercise *exercise[3];
    int count, distance;
};

static struct nearest nearest_to(const struct reading *r, const char *path)
{
    struct nearest n = {.distance = INT_MAX};
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name && class_grades(r->options, *l);
             x++) {
            int far = candidates_have(&r->candidates, x) ? INT_MAX : meaning_distance(path, *l, x);
            if (far > n.distance || far == INT_MAX) continue;
            if (far < n.distance) n.count = 0;
            if (n.count < 3) n.lab[n.count] = *l, n.exercise[n.count] = x;
            n.count++, n.distance = far;
        }
    return n;
}

/* Append for which exercises a file may have been meant: up to three, or none. */
static void ask(struct reading *r, const char *path, const struct nearest *n)
{
    struct buf text = {0};
    struct taken *t = r->taken;
    if (!n->count) return;
    for (int i = 0; i < n->count; i++) {
        char *file = workbench_file(".", n->lab[i], n->exercise[i]);
        buf_printf(&text, "%s%s", !i ? "" : i + 1 < n->count ? ", " : " or ", file);
        free(file);
    }
    taken_remark(t, "%.300s is not read; did you mean %s?", path, text.data);
    buf_free(&text);
    if (n->count == 1)
        *VEC_PUSH(t->near, t->near_count, t->near_cap) =
            (struct near){n->exercise[0], xstrdup(path)};
}

static void find_near(struct reading *r)
{
    struct buf any = {0};
    for (const char *p = r->sources.data; p && *p;) {
        size_t length = strcspn(p, "\n");
        char *path = xstrndup(p, length);
        struct nearest n = length ? nearest_to(r, path) : (struct nearest){0};
        if (n.count > 3 && any.len < 400)
            buf_printf(&any, "%s%.100s", any.len ? ", " : "", path);
        else if (n.count && n.count <= 3)
            ask(r, path, &n);
        free(path);
        p += length + (p[length] == '\n');
    }
    if (any.len)
        taken_remark(r->taken,
            "not read, since each may be meant for several labs: %s; put them into folders of their labs, "
            "such as 04-shared/",
            any.data);
    buf_free(&any);
}

/* If no work was found in the expected folders, but some in others: add a remark. */
static void explain_nothing(struct reading *r)
{
    size_t exercises = 0;
    /* damage or other remarks explain more */
    if (r->taken->damage || r->taken->remark_count) return;
    for (size_t i = 0; i < r->candidates.count; i++)
        exercises += r->candidates.list[i].meaning.exercise != NULL;
    if (exercises) return;
    if (r->kits.len)
        taken_remark(r->taken, "holds no file of an exercise that is graded; none is below %s",
            r->kits.data);
    else
        taken_remark(r->taken, "holds no file of an exercise that is graded");
}

/* Append a line for each file that was not read: at most 100, possible work first. */
static void list_left_out(struct taken *t)
{
    enum { LINES_MOST = 100 };
    size_t lines = 0;
    for (int source = 1; source >= 0; source--)
        for (size_t i = 0; i < t->left_count && lines < LINES_MOST; i++)
            if (t->left[i].source == source)
                buf_printf(&t->left_out, "%s\n", t->left[i].line), lines++;
    if (t->left_count > lines) buf_printf(&t->left_out, "and %zu more\n", t->left_count - lines);
}

/* Read a single file as if it were in a folder by itself. */
static void take_single(struct reading *r, const struct submission *s)
{
    char *folder = xstrdup(s->path), *slash = strrchr(folder, '/'), *data = NULL;
    struct meaning m = meaning_here(r, s->file);
    struct err why = {0};
    size_t len;
    *slash = 0;
    if (m.how && file_read_within(folder, slash + 1, FILE_MOST, &data, &len, &why))
        refuse(r, &m, s->file, "cannot be read, or is larger than 256 KiB");
    else if (m.how)
        candidates_offer(&r->candidates, s->file, &m, data, len);
    free(folder);
}

/* Let this process take at most `more` bytes of memory beyond what it has. Returns the limit that
 * it had. */
static struct rlimit limit_memory(rlim_t more)
{
    struct rlimit before, now;
    size_t has = os_data_bytes();
    getrlimit(RLIMIT_DATA, &before);
    now = before;
    more += has;
    if (has && more < now.rlim_cur) now.rlim_cur = more;
    setrlimit(RLIMIT_DATA, &now);
    return before;
}

int submission_take(const struct submission *s, const struct class_options *o, const struct kit *k,
    const char *into, struct taken *t, struct err *e)
{
    struct reading r = {.options = o, .kit = k, .taken = t};
    struct rlimit memory = limit_memory(MEMORY_MOST);
    locale_t wide = wide_locale(), before = wide ? uselocale(wide) : (locale_t)0;
    for (const struct submission *part = s; part; part = part->more) {
        if (part->file)
            take_single(&r, part);
        else if (part->is_archive)
            open_archive(&r, part->path, "", part->path, NULL);
        else
            take_folder(&r, part->path, "", 0);
    }
    if (wide) uselocale(before), freelocale(wide);
    setrlimit(RLIMIT_DATA, &memory);
    int bad = candidates_write(&r.candidates, into, t, e);
    if (k) candidates_compare(&r.candidates, k, t);
    find_near(&r);
    explain_nothing(&r);
    list_left_out(t);
    candidates_free(&r.candidates);
    buf_free(&r.sources), buf_free(&r.not_work), buf_free(&r.kits);
    return bad ? -1 : 0;
}
