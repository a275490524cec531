/* front.c - which compiler for kernels is there: clang, then nvcc, under their usual names. */
#include "exercise/exercise.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>

/* The digits and dots after `before` in what "PATH --version" prints. NULL: the program does not run
 * or prints no version. The caller frees it. */
static char *version_of(const char *path, const char *before)
{
    const char *argv[] = {path, "--version", NULL};
    struct spawn s = {.argv = argv, .seconds = 20, .file_bytes = 1 << 20};
    struct buf out = {0};
    int status;
    char *version = NULL, *at;
    if (!spawn_run(&s, &out, &status, NULL) && status == 0 && (at = strstr(out.data, before))) {
        at += strlen(before);
        version = xstrndup(at, strspn(at, "0123456789."));
    }
    buf_free(&out);
    return version;
}

/* Look for a front end under its usual names, and take the first that runs. */
static int front_try(struct front *f, const char *kind)
{
    static const char *const clangs[] = {
        "clang", "clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19", NULL};
    static const char *const nvccs[] = {"nvcc", NULL};
    int is_clang = !strcmp(kind, "clang");
    for (const char *const *name = is_clang ? clangs : nvccs; *name; name++) {
        char *path = spawn_find(*name),
             *version = path ? version_of(path, is_clang ? "version " : ", V") : NULL;
        if (version) {
            *f = (struct front){kind, path, xasprintf("%s %s", kind, version)};
            free(version);
            return 0;
        }
        free(path);
    }
    return -1;
}

/* clang is tried before nvcc. */
int front_find(struct front *f, const char *kind, struct err *e)
{
    if (kind && strcmp(kind, "clang") && strcmp(kind, "nvcc"))
        return err_set(e, ERR_USAGE, "--front %s: the front ends are clang and nvcc", kind);
    if ((!kind || !strcmp(kind, "clang")) && !front_try(f, "clang")) return 0;
    if ((!kind || !strcmp(kind, "nvcc")) && !front_try(f, "nvcc")) return 0;
    if (kind && !strcmp(kind, "nvcc"))
        return err_set(e, ERR_ENV, "nvcc is not found: install the CUDA toolkit, or leave --front out");
    return err_set(e, ERR_ENV, "no compiler for kernels: apt-get install clang");
}

void front_free(struct front *f)
{
    free(f->path);
    free(f->name);
    *f = (struct front){0};
}
