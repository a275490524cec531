/* precompiled.c - lockstep.h, parsed once for all files: for a small kernel that is most of clang's work.
 *
 *     options, hashes of the headers ── cache? ──> directory/lockstep.pch ──> clang -include-pch
 *                                       │ no
 *                                       └─> clang -emit-pch
 */
#include "exercise/compile.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 32 << 20 }; /* bytes of the parsed header; it has one million */

/* Behind comments and blanks. */
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

/* Is #include "lockstep.h" the first that the compiler reads? What is defined before it may change it. */
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

/* Compile the header with the options of argv, which are those before -MD, and the folder of headers. */
static int parse(const struct kit *k, const char *const *argv, const char *path, const char *directory)
{
    enum { WORDS = 72 };
    const char *words[WORDS];
    char *header = kit_path(k, "common/cuda/lockstep.h"), *folder = kit_path(k, "common/cuda");
    const char *const more[] = {
        "-I", folder, "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp", header, "-o", path, NULL};
    const size_t room = WORDS - sizeof more / sizeof *more;
    struct spawn s = {.argv = words, .directory = directory, .seconds = 20, .file_bytes = MOST};
    struct buf said = {0};
    size_t n = 0;
    int status = 1;
    for (; argv[n] && strcmp(argv[n], "-MD") && n < room; n++) words[n] = argv[n];
    memcpy(words + n, more, sizeof more);
    int bad = spawn_run(&s, &said, &status, NULL) || status;
    buf_free(&said);
    free(header), free(folder);
    return bad ? -1 : 0;
}

static void key_of(const struct kit *k, const struct front *f, const char *const *argv, struct buf *key)
{
    buf_printf(key, "header %s", f->name);
    for (int i = 1; argv[i] && strcmp(argv[i], "-MD"); i++) buf_printf(key, "\n%s", argv[i]);
    buf_printf(key, "\n%s\n", k->root);
    compile_hash_headers(k, key);
}

/* Where nothing hides files, the compiler lists what a file includes before it compiles: it parses all. */
char *precompiled(const struct kit *k, const struct front *f, const char *const *argv, const char *source,
    const char *directory)
{
    struct buf key = {0}, header = {0};
    if (!k->cache || jail_level() < JAIL_LANDLOCK || !begins_with_it(source)) return NULL;
    char *path = xasprintf("%s/lockstep.pch", directory), *data = NULL;
    size_t length = 0;
    int bad = 0;
    key_of(k, f, argv, &key);
    if (!cache_get(k, &key, &header)) {
        bad = file_write_scratch(path, header.data, header.len, NULL);
    } else if (!(bad = parse(k, argv, path, directory) || file_read(path, MOST, &data, &length, NULL))) {
        buf_add(&header, data, length);
        cache_put(k, &key, &header);
    }
    free(data);
    buf_free(&key), buf_free(&header);
    if (!bad) return path;
    free(path);
    return NULL;
}
