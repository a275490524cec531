/* random_files.c - the files of a run of random kernels, and their PTX by each front end.
 *
 *     seeds -- random_kernel --> random_SEED.cu -- front ends --> random_SEED.clang.ptx, random_SEED.nvcc.ptx
 *                                                                 clang.front, nvcc.front
 *
 * A file has RANDOM_PER_FILE kernels and the name of its first seed. KIND.front has the compiler's
 * name, so that the PTX can be taken to a machine without compilers.
 */
#define _GNU_SOURCE
#include "hardware/random_files.h"
#include "hardware/random_kernel.h"

#include <stdlib.h>
#include <string.h>

enum { COMPILE_AT_ONCE = 32 };

/* DIRECTORY/random_SEED.SUFFIX. The caller frees it. */
static char *file_of(
    const struct random_files *d, const char *directory, int file, const char *suffix)
{
    return xasprintf("%s/random_%llu.%s", directory,
        (unsigned long long)(d->seed + (uint64_t)file * RANDOM_PER_FILE), suffix);
}

char *random_source(const struct random_files *d, int file)
{
    return file_of(d, d->directory, file, "cu");
}

char *random_ptx(const struct random_files *d, int file, int front)
{
    char *suffix = xasprintf("%s.ptx", d->fronts[front].kind),
         *path = file_of(d, d->from ? d->from : d->directory, file, suffix);
    free(suffix);
    return path;
}

/* The path of the file that names the compiler that made the PTX. The caller frees it. */
static char *front_file(const char *directory, const char *kind)
{
    return xasprintf("%s/%s.front", directory, kind);
}

/* The last file may have fewer kernels than the others. */
int random_kernels_in(const struct random_files *d, int file)
{
    int left = d->count - file * RANDOM_PER_FILE;
    return left < RANDOM_PER_FILE ? left : RANDOM_PER_FILE;
}

/* ---- writing and compiling ---- */

/* Write one file: the prelude, then the kernels of its seeds. */
static int write_source(const struct random_files *d, int file, struct err *e)
{
    struct buf text = {0};
    struct random_kernel k;
    char *path = random_source(d, file);
    random_prelude(&text);
    for (int i = 0; i < random_kernels_in(d, file); i++)
        random_kernel(d->seed + (uint64_t)(file * RANDOM_PER_FILE + i), &k, &text);
    int bad = file_write(path, text.data, text.len, e);
    buf_free(&text);
    free(path);
    return bad;
}

/* Write the PTX of one compiled file. A random kernel that does not compile is an error of the
 * generator. */
static int keep_ptx(
    const struct random_files *d, int file, int front, const struct compiled *c, struct err *e)
{
    if (c->status != COMPILE_OK)
        return err_set(e, ERR_ENV, "%s, by %s: %s", c->file, d->fronts[front].name,
            c->output.len ? c->output.data : c->err.text);
    char *path = random_ptx(d, file, front);
    int bad = file_write(path, c->ptx, strlen(c->ptx), e);
    free(path);
    return bad;
}

/* Compile the files first .. first + n - 1 and write their PTX. n is at most COMPILE_AT_ONCE. */
static int compile_some(const struct random_files *d, int front, int first, int n, struct err *e)
{
    char *paths[COMPILE_AT_ONCE];
    int bad = 0;
    struct compiled *done = xcalloc(COMPILE_AT_ONCE, sizeof *done);
    for (int i = 0; i < n; i++) paths[i] = random_source(d, first + i);
    compile_kernels(d->kit, &d->fronts[front], paths, done, n);
    for (int i = 0; i < n; i++) {
        bad = bad || keep_ptx(d, first + i, front, &done[i], e);
        compiled_free(&done[i]);
        free(paths[i]);
    }
    free(done);
    return bad ? -1 : 0;
}

/* Compile all files with one front end, in batches, so that not all PTX is in memory at once. */
static int compile_all(const struct random_files *d, int front, struct err *e)
{
    char *path = front_file(d->directory, d->fronts[front].kind);
    int bad = file_write(path, d->fronts[front].name, strlen(d->fronts[front].name), e);
    free(path);
    for (int i = 0; i < d->files && !bad; i += COMPILE_AT_ONCE) {
        int left = d->files - i;
        bad = compile_some(d, front, i, left < COMPILE_AT_ONCE ? left : COMPILE_AT_ONCE, e);
    }
    return bad;
}

/* The sources are always written, since messages quote them. PTX that was brought along is not
 * compiled again. */
int random_write(const struct random_files *d, struct err *e)
{
    for (int i = 0; i < d->files; i++)
        if (write_source(d, i, e)) return -1;
    for (int f = 0; f < d->front_count && !d->from; f++)
        if (compile_all(d, f, e)) return -1;
    return 0;
}

/* Find out which compiler made the PTX in d->from. Returns 0 if there is none of this kind. */
static int front_from(const struct random_files *d, const char *kind, struct front *f)
{
    char *path = front_file(d->from, kind), *name = NULL;
    struct err e = {0};
    int there = !file_read(path, 256, &name, NULL, &e);
    if (there) *f = (struct front){.kind = kind, .path = xstrdup(kind), .name = name};
    free(path);
    return there;
}

/* Without from, a missing compiler is skipped; if none is found, that is an error. */
int random_fronts(struct random_files *d, const char *kind, struct err *e)
{
    static const char *const kinds[RANDOM_FRONTS] = {"clang", "nvcc"};
    for (int i = 0; i < RANDOM_FRONTS; i++) {
        if (kind && strcmp(kind, kinds[i])) continue;
        struct front *f = &d->fronts[d->front_count];
        if (d->from ? front_from(d, kinds[i], f) : !front_find(f, kinds[i], NULL, NULL)) d->front_count++;
    }
    if (d->front_count) return 0;
    if (d->from)
        return err_set(e, ERR_USAGE, "--from: %s: nothing that --emit DIR has written%s%s", d->from,
            kind ? " by " : "", kind ? kind : "");
    return front_find(&d->fronts[0], kind, NULL, e);
}
