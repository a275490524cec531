/* folder.c - the files of the learner's folder: read, saved, watched.
 *
 *     STUDENT/02-coalesced/matmul.cu       what a page may read and save: one folder, one name
 *     STUDENT/play/NAME.cu                 files of the learner's own
 *     STUDENT/.studio/token                the token, so that a page goes on after a restart
 *     STUDENT/.studio/history/...          what each save replaced
 *     STUDENT/.studio/saving               the new text, before it takes its place
 *
 * A path is opened folder by folder below the descriptor of the learner's folder, and no link is
 * followed. To save, the new file is exchanged with the old one in one atomic step. If the old file
 * turns out not to be the version on which the save is based, both are exchanged back. So a save
 * never destroys what another editor has written. */
#define _GNU_SOURCE
#include "studio/studio_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEPT = 40 }; /* how many versions of a file the history keeps */
static const char progress[] = ".progress", aside[] = "saving";

/* ---- paths ---- */

int folder_names(const char *file)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-",
                      more[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t n = strspn(file, letters), m = file[n] == '/' ? strspn(file + n + 1, more) : 0;
    const char *ending = file + n + 1 + m;
    return n && m && n <= 40 && m <= 60 && *file != '-' && file[n + 1] != '-' &&
           (!strcmp(ending, ".cu") || !strcmp(ending, ".c"));
}

/* Open a folder below another. mode: if not 0, a missing folder is created with it. */
static int open_below(int fd, const char *name, mode_t mode)
{
    if (mode) mkdirat(fd, name, mode);
    return openat(fd, name, O_DIRECTORY | O_NOFOLLOW | O_RDONLY | O_CLOEXEC);
}

/* Open the folder of a file below the learner's folder, and set *name to the file's name in it.
 * Only play/ is made if it is missing. */
static int open_parent(const struct folder *f, const char *file, const char **name)
{
    char folder[FILE_NAME];
    *name = strrchr(file, '/') + 1;
    snprintf(folder, sizeof folder, "%.*s", (int)(*name - file) - 1, file);
    return open_below(f->fd, folder, strcmp(folder, "play") ? 0 : 0777);
}

/* ---- texts ---- */

/* The version of a text, FNV-1a of 64 bits: it distinguishes versions of a file, and is no protection
 * against an attacker. */
static void folder_version(const char *text, size_t length, char out[VERSION])
{
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3;
    snprintf(out, VERSION, "%016llx", (unsigned long long)h);
}

/* Read a regular file, not through a link. The caller frees *text. */
static int read_at(int fd, const char *name, char **text, size_t *length)
{
    struct stat st;
    int file = openat(fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), bad = file < 0;
    *text = NULL, *length = 0;
    bad = bad || fstat(file, &st) || !S_ISREG(st.st_mode) || st.st_nlink > 1 ||
          st.st_size > FOLDER_TEXT;
    if (!bad) *text = xcalloc((size_t)st.st_size + 1, 1);
    for (ssize_t n = 1; !bad && n > 0 && *length < (size_t)st.st_size; *length += (size_t)n)
        bad = (n = read(file, *text + *length, (size_t)st.st_size - *length)) < 0;
    if (file >= 0) close(file);
    if (bad) free(*text), *text = NULL;
    return bad ? -1 : 0;
}

/* Write a new file. A file of that name, left over from before, is removed. */
static int write_at(int fd, const char *name, mode_t mode, const char *text, size_t length)
{
    unlinkat(fd, name, 0);
    int file = openat(fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    int bad = file < 0;
    for (ssize_t n; !bad && length; text += n, length -= (size_t)n)
        bad = (n = write(file, text, length)) <= 0;
    bad = bad || fsync(file);
    if (file >= 0) bad = close(file) || bad;
    return bad ? -1 : 0;
}

/* ---- files that are watched ---- */

static void take_stamp(const struct folder *f, struct opened *o)
{
    struct stat st;
    int bad = fstatat(f->fd, o->file, &st, AT_SYMLINK_NOFOLLOW);
    o->stamp[0] = bad ? 0 : st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
    o->stamp[1] = bad ? 0 : (long long)st.st_ino;
    o->stamp[2] = bad ? 0 : st.st_size;
}

/* The entry of an opened file. A new file gets an entry, and its folder is watched from now on. If
 * there is no free entry, that of the file that was opened first is reused. */
static struct opened *find(struct folder *f, const char *file)
{
    for (int i = 0; i < f->count; i++)
        if (!strcmp(f->opened[i].file, file)) return &f->opened[i];
    if (f->count == FOLDER_OPENED)
        memmove(&f->opened[1], &f->opened[2], (size_t)(--f->count - 1) * sizeof *f->opened);
    struct opened *o = &f->opened[f->count++];
    *o = (struct opened){0};
    snprintf(o->file, sizeof o->file, "%s", file);
    char *path = xasprintf("%s/%s", f->path, file);
    *strrchr(path, '/') = 0;
    os_watch_add(f->notify, path);
    free(path);
    return o;
}

static void note(struct folder *f, const char *file, const char *version)
{
    struct opened *o = find(f, file);
    snprintf(o->version, VERSION, "%s", version);
    take_stamp(f, o);
}

static int read_file(const struct folder *f, const char *file, char **text, size_t *length)
{
    const char *name;
    int parent = open_parent(f, file, &name);
    int bad = parent < 0 || read_at(parent, name, text, length);
    if (parent >= 0) close(parent);
    return bad ? -1 : 0;
}

int folder_read(struct folder *f, const char *file, char **text, char version[VERSION])
{
    size_t length;
    if (read_file(f, file, text, &length)) return -1;
    folder_version(*text, length, version);
    note(f, file, version);
    return 0;
}

void folder_look(struct folder *f, void (*changed)(const char *file, const char *version))
{
    os_watch_read(f->notify, "");
    for (int i = 0; i < f->count; i++) {
        struct opened *o = &f->opened[i], was = *o;
        char *text = NULL;
        size_t length = 0;
        take_stamp(f, o);
        if (!memcmp(o->stamp, was.stamp, sizeof was.stamp)) continue;
        int own = strcmp(o->file, progress) != 0;
        /* the file is missing for a moment: an editor is about to replace it */
        if (own && read_file(f, o->file, &text, &length)) continue;
        if (own) folder_version(text, length, o->version);
        free(text);
        if (!own || strcmp(o->version, was.version)) changed(o->file, o->version);
    }
}

json_t *folder_plays(struct folder *f)
{
    json_t *names = json_array();
    int fd = open_below(f->fd, "play", 0);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    for (struct dirent *x; d && (x = readdir(d));) {
        char file[FILE_NAME];
        if (snprintf(file, sizeof file, "play/%s", x->d_name) < FILE_NAME && folder_names(file))
            json_array_append_new(names, json_string(file));
    }
    if (d) closedir(d);
    return names;
}

/* ---- saving ---- */

/* Remove the oldest versions of a file from the history. Their names begin with `begin` and end
 * with their time. */
static void thin_out(const char *folder, int history, const char *begin)
{
    struct dirent **list = NULL;
    char *path = xasprintf("%s/.studio/history", folder);
    int count = scandir(path, &list, NULL, alphasort), mine = 0;
    size_t n = strlen(begin);
    for (int i = 0; i < count; i++) mine += !strncmp(list[i]->d_name, begin, n);
    for (int i = 0; i < count; i++) {
        if (!strncmp(list[i]->d_name, begin, n) && mine-- > KEPT)
            unlinkat(history, list[i]->d_name, 0);
        free(list[i]);
    }
    free(list);
    free(path);
}

/* Move what a save has replaced to the history. */
static void keep(const struct folder *f, const char *file)
{
    char begin[FILE_NAME + 8], stamp[32];
    struct timespec now;
    struct tm tm;
    clock_gettime(CLOCK_REALTIME, &now);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H-%M-%S", localtime_r(&now.tv_sec, &tm));
    snprintf(begin, sizeof begin, "%s.", file);
    *strchr(begin, '/') = '.';
    char *to = xasprintf("%s%s.%09ld.orig", begin, stamp, now.tv_nsec);
    int history = open_below(f->own, "history", 0700);
    if (history >= 0 && !renameat(f->own, aside, history, to)) thin_out(f->path, history, begin);
    if (history >= 0) close(history);
    free(to);
}

/* Is `aside`, which now holds the replaced file, of version base? */
static int is_version(const struct folder *f, const char *base)
{
    char *text, version[VERSION];
    size_t length;
    if (read_at(f->own, aside, &text, &length)) return 0;
    folder_version(text, length, version);
    free(text);
    return !strcmp(version, base);
}

/* Exchange `aside`, the new file, with the learner's file. Returns 1, and changes nothing, if the
 * learner's file has another version than base; -1: an error. */
static int exchange(const struct folder *f, int parent, const char *name, const char *base)
{
    if (!*base && !os_rename_new(f->own, aside, parent, name)) return 0;
    if (!*base) return errno == EEXIST ? 1 : -1;
    if (os_exchange(f->own, aside, parent, name)) return errno == ENOENT ? 1 : -1;
    if (is_version(f, base)) return 0;
    return os_exchange(f->own, aside, parent, name) ? -1 : 1;
}

int folder_save(struct folder *f, const char *file, const char *base, const char *text,
    size_t length, char version[VERSION], struct err *e)
{
    const char *name;
    struct stat st;
    int parent = open_parent(f, file, &name), result = -1;
    if (parent < 0)
        return err_set(e, ERR_USAGE, "%s: its folder cannot be opened: %s", file, strerror(errno));
    mode_t mode = fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) ? 0644 : st.st_mode & 0777;
    if (!write_at(f->own, aside, mode, text, length)) result = exchange(f, parent, name, base);
    if (result < 0) err_set(e, ERR_ENV, "%s: cannot be written: %s", file, strerror(errno));
    if (!result && *base) keep(f, file);
    unlinkat(f->own, aside, 0);
    close(parent);
    folder_version(text, length, version);
    if (!result) note(f, file, version);
    return result;
}

int folder_open(struct folder *f, const char *path, struct err *e)
{
    *f = (struct folder){.path = path, .notify = os_watch_open()};
    f->fd = open(path, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
    f->own = f->fd < 0 ? -1 : open_below(f->fd, ".studio", 0700);
    if (f->own < 0)
        return err_set(e, ERR_ENV, "%s/.studio: cannot be written: %s", path, strerror(errno));
    if (flock(f->fd, LOCK_EX | LOCK_NB))
        return err_set(e, ERR_USAGE, "%s: another studio serves this folder", path);
    keep(f, "studio/saving"); /* left over from a server that was killed */
    note(f, progress, "");
    return 0;
}

void folder_close(struct folder *f)
{
    if (f->own >= 0) close(f->own);
    if (f->fd >= 0) close(f->fd);
    if (f->notify >= 0) close(f->notify);
}

int folder_token(struct folder *f, char token[TOKEN_SIZE], struct err *e)
{
    char *text = NULL;
    size_t length = 0;
    int there = !read_at(f->own, "token", &text, &length) && guard_is_token(text);
    if (there) memcpy(token, text, TOKEN_SIZE);
    free(text);
    if (there) return 0;
    guard_new_token(token);
    if (!write_at(f->own, "token", 0600, token, TOKEN_SIZE - 1)) return 0;
    return err_set(e, ERR_ENV, "%s/.studio: cannot be written: %s", f->path, strerror(errno));
}
