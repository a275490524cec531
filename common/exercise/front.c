/* front.c - which compiler for kernels is there, under its usual names.
 *
 *     a GPU answers and nvcc runs    nvcc, as for any other program of this machine
 *     otherwise                      clang, then nvcc
 */
#include "device/device.h"
#include "exercise/exercise.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The digits and dots after `before` in what "PATH --version" prints. NULL: the program does not
 * run or prints no version. The caller frees it. */
static char *version_of(const char *path, const char *before)
{
    const char *argv[] = {path, "--version", NULL};
    struct spawn s = {.argv = argv, .seconds = 20, .file_bytes = 1 << 20};
    struct buf out = {0};
    int status;
    char *version = NULL, *at;
    /* build/cuda/bin/nvcc is lockstep-nvcc, and no front end */
    if (!spawn_run(&s, &out, &status, NULL) && status == 0 && !strstr(out.data, "lockstep-nvcc") &&
        (at = strstr(out.data, before))) {
        at += strlen(before);
        version = xstrndup(at, strspn(at, "0123456789."));
    }
    buf_free(&out);
    return version;
}

/* nvcc may lie in a folder that CUDA_HOME names, as common/setup.sh has it. */
static char *find(const char *program)
{
    char *path = spawn_find(program);
    const char *home = getenv("CUDA_HOME");
    if (path || strcmp(program, "nvcc") || !home) return path;
    path = xasprintf("%s/bin/nvcc", home);
    if (!access(path, X_OK)) return path;
    free(path);
    return NULL;
}

/* Look for a front end under its usual names, and take the first that runs. */
static int front_try(struct front *f, const char *kind)
{
    static const char *const clangs[] = {
        "clang", "clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19", NULL};
    static const char *const nvccs[] = {"nvcc", NULL};
    int is_clang = !strcmp(kind, "clang");
    for (const char *const *name = is_clang ? clangs : nvccs; *name; name++) {
        char *path = find(*name),
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

/* The order without a wish. The driver is asked only where nvcc is installed: that starts a
 * process. */
static int nvcc_first(void)
{
    char *nvcc = find("nvcc");
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
