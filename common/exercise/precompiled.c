/* precompiled.c - precompile lockstep.h once for all files: parsing it is most of clang's work for
 * a small kernel.
 *
 *     options, path, hashes of headers ── cache? ──> lockstep.pch ──> clang -include-pch
 *                                            │ no
 *                                            └─> clang -emit-pch
 *
 * A precompiled header names the files that it was made from by absolute path, with their times:
 * it cannot be loaded after the kit was moved, or the compiler's own headers were replaced.
 * precompiled_again then makes a new one. */
#include "exercise/compile.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* most bytes of a precompiled header; that of lockstep.h has about a million */
enum { MOST = 32 << 20 };

/* The options in argv: the words before -MD, which begins the words about one file. */
static struct words options_of(const char *const *argv)
{
    struct words w = {0};
    for (; *argv && strcmp(*argv, "-MD"); argv++) WORDS(&w, *argv);
    return w;
}

/* Run clang, and free w, its command line. Returns 0 if clang succeeds. */
static int run(struct words *w, const char *directory)
{
    struct spawn s = {.argv = w->word, .directory = directory, .seconds = 20, .file_bytes = MOST};
    struct buf said = {0};
    int status = 1, bad = spawn_run(&s, &said, &status, NULL) || status;
    buf_free(&said);
    words_free(w);
    return bad ? -1 : 0;
}

/* The first character at or after `at` that is neither in a comment nor white space. */
static const char *first_word(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        const char *end = strncmp(at, "//", 2) ? NULL : strchr(at, '\n');
        if (!strncmp(at, "/*", 2)) end = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : NULL;
        if (!end) return at;
        at = end;
    }
}

/* Does the source begin with #include "lockstep.h"? A macro defined before that could change the
 * header. */
static int begins_with_it(const char *source)
{
    static const char *const words[] = {"#", "include", "\"lockstep.h\""};
    const char *at = first_word(source);
    for (int i = 0; i < 3; i++) {
        if (strncmp(at, words[i], strlen(words[i]))) return 0;
        at += strlen(words[i]);
        at += strspn(at, " \t");
    }
    return *at == '\n' || *at == '\r';
}

/* Precompile lockstep.h to a file at path. */
static int parse(
    const struct kit *k, const char *const *argv, const char *path, const char *directory)
{
    char *header = kit_path(k, "common/cuda/lockstep.h"), *folder = kit_path(k, "common/cuda");
    struct words w = options_of(argv);
    WORDS(&w, "-I", folder, "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp", header, "-o",
        path);
    int bad = run(&w, directory);
    free(header), free(folder);
    return bad;
}

/* Can clang load the precompiled header, for an empty file? */
static int loads(const char *const *argv, const char *path, const char *directory)
{
    char *empty = xasprintf("%s/empty.cu", directory);
    struct words w = options_of(argv);
    WORDS(&w, "-fsyntax-only", "-Xclang", "-include-pch", "-Xclang", path, empty);
    int bad = file_write_scratch(empty, "\n", 1, NULL), good = !run(&w, directory) && !bad;
    free(empty);
    return good;
}

static void key_of(
    const struct kit *k, const struct front *f, const char *const *argv, struct buf *key)
{
    buf_printf(key, "header %s", f->name);
    for (int i = 1; argv[i] && strcmp(argv[i], "-MD"); i++) buf_printf(key, "\n%s", argv[i]);
    char root[PATH_MAX];
    buf_printf(key, "\n%s\n", realpath(k->root, root) ? root : k->root);
    compile_hash_headers(k, key);
}

static int make(const struct kit *k, const struct buf *key, const char *const *argv,
    const char *path, const char *directory)
{
    char *data = NULL;
    size_t length = 0;
    struct buf header = {0};
    int bad = parse(k, argv, path, directory) || file_read(path, MOST, &data, &length, NULL);
    if (!bad) {
        buf_add(&header, data, length);
        cache_put(k, key, &header);
    }
    free(data);
    buf_free(&header);
    return bad ? -1 : 0;
}

/* NULL if the sandbox hides nothing: the compiler then lists the includes before it compiles, and
 * has to parse the header anyway. */
char *precompiled(const struct kit *k, const struct front *f, const char *const *argv,
    const char *source, const char *directory)
{
    struct buf key = {0}, header = {0};
    if (!k->cache || jail_level() < JAIL_LANDLOCK || !begins_with_it(source)) return NULL;
    char *path = xasprintf("%s/lockstep.pch", directory);
    key_of(k, f, argv, &key);
    int bad = cache_get(k, &key, &header) ? make(k, &key, argv, path, directory)
                                          : file_write_scratch(path, header.data, header.len, NULL);
    buf_free(&key), buf_free(&header);
    if (!bad) return path;
    free(path);
    return NULL;
}

int precompiled_again(const struct kit *k, const struct front *f, const char *const *argv,
    const char *path, const char *directory)
{
    struct buf key = {0};
    if (loads(argv, path, directory)) return 0;
    key_of(k, f, argv, &key);
    int made = !make(k, &key, argv, path, directory) && loads(argv, path, directory);
    buf_free(&key);
    return made ? 1 : -1;
}
