/* front.c - find a CUDA compiler (front end), by its usual names.
 *
 *     a GPU answers and nvcc runs    nvcc, as for other programs on this machine
 *     otherwise                      clang, or else nvcc */
#include "device/device.h"
#include "exercise/exercise.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>

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

/* Set f to the compiler at path if it runs. Takes ownership of path, which may be NULL. */
static int take(struct front *f, const char *kind, char *path, const char *before)
{
    char *version = path ? version_of(path, before) : NULL;
    if (version)
        *f = (struct front){kind, path, xasprintf("%s %s", kind, version)};
    else
        free(path);
    int bad = !version;
    free(version);
    return bad ? -1 : 0;
}

/* Look for a front end under its usual names, and take the first that runs. */
static int front_try(struct front *f, const char *kind)
{
    if (!strcmp(kind, "nvcc")) return take(f, kind, nvcc_find(), ", V");
    int bad = -1;
    for (const char *const *v = clang_versions; *v && bad; v++) {
        char *name = xasprintf("clang%s", *v);
        bad = take(f, kind, spawn_find(name), "version ");
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

int front_find(struct front *f, const char *kind, struct err *e)
{
    if (kind && strcmp(kind, "clang") && strcmp(kind, "nvcc"))
        return err_set(e, ERR_USAGE, "--front %s: the front ends are clang and nvcc", kind);
    const char *const orders[2][2] = {{"clang", "nvcc"}, {"nvcc", "clang"}};
    int first = !kind && nvcc_first();
    for (int i = 0; i < 2; i++) {
        const char *next = orders[first][i];
        if ((!kind || !strcmp(kind, next)) && !front_try(f, next)) return 0;
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
