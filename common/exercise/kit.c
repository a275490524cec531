/* kit.c - find the kit's own files, and manage its temporary directories and its cache.
 *
 *     ROOT/common/cuda/lockstep.h      marks the root; ROOT is PREFIX/lib/lockstep after make install
 *     WORK/cache/HASH                  a cache entry; WORK is ROOT/build, or the user's ~/.cache/lockstep
 *     WORK/tmp.HOST.PID.XXXXXX/        a temporary directory of that process */
#define _GNU_SOURCE
#include "exercise/exercise.h"
#include "os/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Is the directory the root of a kit? */
static int is_root(const char *directory)
{
    char *header = xasprintf("%s/common/cuda/lockstep.h", directory);
    int yes = file_exists(header);
    free(header);
    return yes;
}

/* Make the absolute path of the root relative if the root is the current directory or inside it, so
 * that messages show short paths. The caller frees the result. */
static char *shorten(const char *root)
{
    char here[PATH_MAX];
    size_t n;
    if (!getcwd(here, sizeof here)) return xstrdup(root);
    n = strlen(here);
    if (!strcmp(here, root)) return xstrdup(".");
    return !strncmp(here, root, n) && root[n] == '/' ? xstrdup(root + n + 1) : xstrdup(root);
}

/* If the cache has more than ENTRIES_MAX entries, those older than ENTRY_SECONDS are removed. So a
 * class with many submissions keeps its recent entries. */
enum { ENTRIES_MAX = 4000, ENTRY_SECONDS = 3600 };

/* Remove old entries of the cache if there are too many. Errors are ignored, since another process
 * may do the same. */
static void prune(const char *cache)
{
    DIR *d = opendir(cache);
    size_t count = 0;
    struct stat st;
    while (d && readdir(d)) count++;
    if (d && count > ENTRIES_MAX) {
        time_t now = time(NULL);
        rewinddir(d);
        for (struct dirent *entry; (entry = readdir(d));)
            if (!fstatat(dirfd(d), entry->d_name, &st, 0) && S_ISREG(st.st_mode) &&
                now - st.st_mtime > ENTRY_SECONDS)
                unlinkat(dirfd(d), entry->d_name, 0);
    }
    if (d) closedir(d);
}

/* The prefix of temporary directories, "tmp.HOST.". Computers of a cluster may share the folder,
 * and each can only check its own processes. */
static char *temporary_prefix(void)
{
    struct utsname u;
    char *prefix = xasprintf("tmp.%.64s.", uname(&u) ? "" : u.nodename);
    for (char *p = prefix; *p; p++)
        if (*p == '/') *p = '-';
    return prefix;
}

/* Remove temporary directories of programs that were killed: those of this computer if their
 * process is gone, others after an hour. */
static void sweep(const struct kit *k)
{
    char *prefix = temporary_prefix();
    size_t n = strlen(prefix);
    DIR *d = opendir(k->work);
    struct stat st;
    time_t now = time(NULL);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        if (strncmp(entry->d_name, "tmp.", 4) ||
            fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISDIR(st.st_mode))
            continue;
        pid_t owner = strncmp(entry->d_name, prefix, n) ? 0 : (pid_t)atoi(entry->d_name + n);
        if (owner > 0 ? kill(owner, 0) && errno == ESRCH : now - st.st_mtime > ENTRY_SECONDS) {
            char *path = xasprintf("%s/%s", k->work, entry->d_name);
            spawn_remove_directory(path);
            free(path);
        }
    }
    if (d) closedir(d);
    free(prefix);
}

/* The folder in which files are kept between runs. The caller frees it; NULL: the user has none. */
static char *work_folder(const struct kit *k, int installed)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (!installed) return kit_path(k, "build");
    if (cache && *cache == '/') return xasprintf("%s/lockstep", cache);
    if (!home || *home != '/') return NULL;
    char *hidden = xasprintf("%s/.cache", home), *work = xasprintf("%s/lockstep", hidden);
    mkdir(hidden, 0700);
    free(hidden);
    return work;
}

/* Create the cache's folder. The kit works without a cache, only slower. */
static void open_cache(struct kit *k, int installed)
{
    k->work = work_folder(k, installed);
    if (!k->work) return;
    k->cache = xasprintf("%s/cache", k->work);
    mkdir(k->work, 0777);
    mkdir(k->cache, 0777);
    if (access(k->cache, W_OK | X_OK)) {
        free(k->work), free(k->cache);
        k->work = k->cache = NULL;
        return;
    }
    prune(k->cache);
    sweep(k);
}

/* The root is searched for in each directory above the program's file, there also in lib/lockstep;
 * then in the current directory. */
int kit_find(struct kit *k, struct err *e)
{
    char path[PATH_MAX];
    int installed = 0;
    os_program(path);
    *k = (struct kit){0};
    for (char *slash; !k->root && (slash = strrchr(path, '/')) && slash != path;) {
        *slash = 0;
        char *library = xasprintf("%s/lib/lockstep", path);
        installed = !is_root(path) && is_root(library);
        if (installed || is_root(path)) k->root = shorten(installed ? library : path);
        free(library);
    }
    if (!k->root && is_root(".")) k->root = xstrdup(".");
    if (!k->root)
        return err_set(e, ERR_ENV,
            "common/cuda/lockstep.h is not found: run lockstep from the repository's root");
    open_cache(k, installed);
    return 0;
}

void kit_free(struct kit *k)
{
    free(k->root);
    free(k->work);
    free(k->cache);
    *k = (struct kit){0};
}

char *kit_path(const struct kit *k, const char *fmt, ...)
{
    va_list ap;
    char *relative = NULL, *whole;
    va_start(ap, fmt);
    if (vasprintf(&relative, fmt, ap) < 0) BUG("no memory for a path");
    va_end(ap);
    whole = strcmp(k->root, ".") ? xasprintf("%s/%s", k->root, relative) : xstrdup(relative);
    free(relative);
    return whole;
}

int kit_has_solutions(const struct kit *k)
{
    char *folder = kit_path(k, "solutions");
    int there = file_exists(folder);
    free(folder);
    return there;
}

int kit_has_solution(const struct kit *k, const struct lab *lab, const struct exercise *x)
{
    char *solutions = kit_path(k, "solutions"), *file = workbench_file(solutions, lab, x);
    int there = file_exists(file);
    free(file);
    free(solutions);
    return there;
}

/* Has the disk of a folder enough free space for a compiler's output? */
static int has_room(const char *folder)
{
    enum { ROOM = 64 << 20 };
    struct statvfs fs;
    return statvfs(folder, &fs) || fs.f_bavail >= ROOM / fs.f_frsize;
}

/* The directory is created in the work folder if there is one and its disk has space, else under
 * /tmp. */
char *kit_temporary(const struct kit *k, struct err *e)
{
    char *prefix = temporary_prefix(), *path = NULL;
    if (k->work && has_room(k->work))
        path = xasprintf("%s/%s%d.XXXXXX", k->work, prefix, (int)getpid());
    free(prefix);
    if (path && mkdtemp(path)) return path;
    free(path);
    path = xstrdup("/tmp/lockstep.XXXXXX");
    if (mkdtemp(path)) return path;
    free(path);
    err_set(e, ERR_ENV, "no directory for temporary files: neither %s nor /tmp can be written: %s",
        k->work ? k->work : "build/", strerror(errno));
    return NULL;
}

/* ---- the cache: each entry is a file "lockstep-cache KEYBYTES HASH\n", key, value. ENTRY_MAX: its
 * most bytes ---- */

enum { ENTRY_MAX = 64 << 20 };

static unsigned long long hash_of(const char *data, size_t len) { return hash_bytes(data, len); }

/* The file of a key's entry. Its name is a hash of the key; cache_get compares the whole key. */
static char *entry_path(const struct kit *k, const struct buf *key)
{
    return xasprintf("%s/%016llx", k->cache, hash_of(key->data, key->len));
}

/* A file in the place of the entry counts as not found if it has another key, since two keys may
 * have the same hash, or if the hash of its value is not that of its first line, since a power
 * failure may leave half a file. */
int cache_get(const struct kit *k, const struct buf *key, struct buf *value)
{
    if (!k->cache) return -1;
    char *path = entry_path(k, key), *data = NULL;
    size_t len = 0, key_bytes = 0, head;
    unsigned long long hash;
    int start = 0, found = -1;
    if (!file_read(path, ENTRY_MAX, &data, &len, NULL) &&
        sscanf(data, "lockstep-cache %zu %llx%n", &key_bytes, &hash, &start) == 2 &&
        key_bytes == key->len && (head = (size_t)start + 1 + key_bytes) <= len &&
        !memcmp(data + start + 1, key->data, key_bytes) &&
        hash_of(data + head, len - head) == hash) {
        buf_add(value, data + head, len - head);
        found = 0;
    }
    free(data);
    free(path);
    return found;
}

/* An entry of another key with the same hash is replaced. */
void cache_put(const struct kit *k, const struct buf *key, const struct buf *value)
{
    if (!k->cache) return;
    char *path = entry_path(k, key);
    struct buf entry = {0};
    buf_printf(&entry, "lockstep-cache %zu %llx\n", key->len, hash_of(value->data, value->len));
    buf_add(&entry, key->data, key->len);
    buf_add(&entry, value->data, value->len);
    /* an error is ignored: the value is computed again next time */
    file_write_scratch(path, entry.data, entry.len, NULL);
    buf_free(&entry);
    free(path);
}
