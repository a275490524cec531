/* front.c - find a CUDA compiler (front end), by its usual names.
 *
 *     a GPU answers and nvcc runs    nvcc, as for other programs on this machine
 *     otherwise                      clang, or else nvcc */
#include "device/device.h"
#include "exercise/exercise.h"
#include "os/os.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Run "PATH --version" and return the digits and dots that follow the text `before` in its output.
 * NULL: the program does not run or prints no version. The caller frees the result. */
static char *version_of(const char *path, const char *before)
{
    const char *argv[] = {path, "--version", NULL};
    struct spawn s = {.argv = argv, .seconds = 20, .file_bytes = 1 << 20};
    struct buf out = {0};
    int status;
    char *version = NULL, *at;
    /* build/cuda/bin/nvcc is lockstep-nvcc, which is not a front end */
    if (!spawn_run(&s, &out, &status, NULL) && status == 0 && !strstr(out.data, "lockstep-nvcc") &&
        (at = strstr(out.data, before))) {
        at += strlen(before);
        version = xstrndup(at, strspn(at, "0123456789."));
    }
    buf_free(&out);
    return version;
}

/* Append what identifies the program at path. -1: it may be a script, which can start any other. */
static int identify(const char *path, struct buf *key)
{
    char real[PATH_MAX], start[4] = "";
    struct stat st;
    FILE *f = realpath(path, real) ? fopen(real, "rb") : NULL;
    int bad =
        !f || fread(start, 1, 4, f) != 4 || memcmp(start, "\177ELF", 4) || fstat(fileno(f), &st);
    if (f) fclose(f);
    if (bad) return -1;
    buf_printf(key, "version of %s, %lld bytes, of %lld.%09ld", real, (long long)st.st_size,
        (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    return 0;
}

/* The same as version_of, from the kit's cache if that has it: a compiler takes tens of
 * milliseconds to start. */
static char *known_version(const struct kit *k, const char *path, const char *before)
{
    struct buf key = {0}, value = {0};
    char *version;
    int known = k && !identify(path, &key);
    if (known && !cache_get(k, &key, &value) && value.len) {
        version = xstrdup(value.data);
    } else {
        version = version_of(path, before);
        if (version) buf_printf(&value, "%s", version);
        if (version && known) cache_put(k, &key, &value);
    }
    buf_free(&key);
    buf_free(&value);
    return version;
}

/* Set f to the compiler at path if it runs. Takes ownership of path, which may be NULL. */
static int take(
    struct front *f, const char *kind, const struct kit *k, char *path, const char *before)
{
    char *version = path ? known_version(k, path, before) : NULL;
    if (version)
        *f = (struct front){kind, path, xasprintf("%s %s", kind, version)};
    else
        free(path);
    int bad = !version;
    free(version);
    return bad ? -1 : 0;
}

/* Look for a front end under its usual names, and take the first that runs. */
static int front_try(struct front *f, const char *kind, const struct kit *k)
{
    if (!strcmp(kind, "nvcc")) return take(f, kind, k, nvcc_find(), ", V");
    int bad = -1;
    for (const char *const *v = clang_versions; *v && bad; v++) {
        char *name = xasprintf("clang%s", *v);
        bad = take(f, kind, k, spawn_find(name), "version ");
        free(name);
    }
    return bad;
}

/* Should nvcc be tried before clang? Whether a GPU answers is tested only if nvcc is installed,
 * since the test starts a process. */
static int nvcc_first(void)
{
    char *nvcc = nvcc_find();
    int first = nvcc && !device_simulated(device_default());
    free(nvcc);
    return first;
}

int front_find(struct front *f, const char *kind, const struct kit *k, struct err *e)
{
    if (kind && strcmp(kind, "clang") && strcmp(kind, "nvcc"))
        return err_set(e, ERR_USAGE, "--front %s: the front ends are clang and nvcc", kind);
    const char *const orders[2][2] = {{"clang", "nvcc"}, {"nvcc", "clang"}};
    int first = !kind && nvcc_first();
    for (int i = 0; i < 2; i++) {
        const char *next = orders[first][i];
        if ((!kind || !strcmp(kind, next)) && !front_try(f, next, k)) return 0;
    }
    if (kind && !strcmp(kind, "nvcc"))
        return err_set(
            e, ERR_ENV, "nvcc is not found: install the CUDA toolkit, or leave --front out");
    return err_set(e, ERR_ENV, "no compiler for kernels: apt-get install clang");
}

void front_free(struct front *f)
{
    free(f->path);
    free(f->name);
    *f = (struct front){0};
}
