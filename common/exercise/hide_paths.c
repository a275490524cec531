/* hide_paths.c - remove this machine's paths from a compiler's output.
 *
 *     {standard input}:43: Error: ...                      03-tiled/matmul_cpu.c in assembly:43: Error: ...
 *     .../build/tmp.vm.71.Xb2/learner.o: in function ...   03-tiled/matmul_cpu.c: in function ...
 *     .../common/cuda/lockstep.h:41:5: note: ...           common/cuda/lockstep.h:41:5: note: ...
 *
 * A private directory has a random name, and so have a compiler's temporary files: without this,
 * the same file would not give the same message twice. */
#define _GNU_SOURCE
#include "exercise/compile.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The length of the file name that begins at p. */
static size_t name_at(const char *p)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return strspn(p, letters);
}

/* Does the kit write a file of this name into private directories? All others there are the
 * learner's file, or made from it. */
static int is_kits(const char *name, size_t n)
{
    static const char *const names[] = {"prototypes.h", "calls.c", "kit.o", "program", NULL};
    for (const char *const *k = names; *k; k++)
        if (strlen(*k) == n && !strncmp(*k, name, n)) return 1;
    return 0;
}

/* Replace each FOLDER/NAME by `file`, the learner's file; file NULL: only remove "FOLDER/". */
static void replace(struct buf *text, const char *folder, const char *file)
{
    struct buf out = {0};
    size_t n = strlen(folder);
    for (const char *p = text->data, *found; p; p = found) {
        found = n > 1 ? strstr(p, folder) : NULL;
        buf_add(&out, p, found ? (size_t)(found - p) : strlen(p));
        if (!found) break;
        found += n;
        if (*found != '/') {
            buf_add(&out, folder, n); /* the name found is only a prefix of another folder's name */
            continue;
        }
        size_t name = name_at(++found);
        if (!file || is_kits(found, name)) continue;
        buf_printf(&out, "%s", file);
        found += name;
    }
    buf_free(text);
    *text = out;
}

/* Name the assembler's input; its line numbers are not those of the learner's file. */
static void name_input(struct buf *text, const char *file)
{
    static const char input[] = "{standard input}";
    struct buf out = {0};
    for (const char *p = text->data, *found; p; p = found ? found + strlen(input) : NULL) {
        found = strstr(p, input);
        buf_add(&out, p, found ? (size_t)(found - p) : strlen(p));
        if (found) buf_printf(&out, "%s in assembly", file);
    }
    buf_free(text);
    *text = out;
}

void compile_hide_paths(const struct kit *k, const char *directory, struct compiled *c)
{
    char real[PATH_MAX];
    if (!c->output.len) return;
    replace(&c->output, directory, c->file);
    if (realpath(directory, real)) replace(&c->output, real, c->file);
    name_input(&c->output, c->file);
    if (*k->root == '/') replace(&c->output, k->root, NULL);
    if (realpath(k->root, real)) replace(&c->output, real, NULL);
}
