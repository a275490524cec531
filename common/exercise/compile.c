/* compile.c - compile a source file to PTX, with a cache.
 *
 *     file -- source_read --> cache? -- source_copy -- front_run: clang or nvcc --> includes allowed? --> PTX
 *                                                      precompiled.c: lockstep.h
 *
 * A graded file is read once. The compiler gets a copy in a private directory, and runs with
 * limits on time and memory, in a sandbox that contains the system, the kit's header and that
 * directory (os/jail.c). PTX that was compiled without any message is cached, and so is the
 * compiler's output for a file that it rejected. A file with warnings is compiled each time, so
 * that they are shown each time. */
#define _GNU_SOURCE
#include "exercise/compile.h"
#include "os/os.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The most bytes of a file that a compiler may write. */
static const size_t COMPILE_FILE = (size_t)64 << 20;

/* ---- the source ---- */

/* Set the status and make this message the whole output. Returns -1. */
static int refuse(struct compiled *out, enum compile_status status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int refuse(struct compiled *out, enum compile_status status, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    out->status = status;
    buf_free(&out->output);
    buf_printf(&out->output, "%s", text);
    return -1;
}

/* For a missing file: the path of another file in its directory whose name is nearly the same, such
 * as Add.cu or add (1).cu for add.cu. NULL: there is none. The caller frees it. */
static char *alike_in(const char *directory, const char *name)
{
    size_t stem = strcspn(name, ".");
    DIR *d = opendir(directory);
    char *found = NULL;
    for (struct dirent *x; d && !found && (x = readdir(d));)
        if (!strncasecmp(x->d_name, name, stem) && strcmp(x->d_name, name) &&
            !isalnum((unsigned char)x->d_name[stem]) && x->d_name[stem] != '_' &&
            strstr(x->d_name + stem, strchr(name, '.')))
            found = xstrdup(x->d_name);
    if (d) closedir(d);
    return found;
}

/* If a file's name begins with '-', "./" is put before it, so that the compiler does not take it
 * for an option. */
int source_read(const char *file, int graded, struct compiled *out)
{
    size_t len = 0;
    struct err e;
    if (!out->file) out->file = *file == '-' ? xasprintf("./%s", file) : xstrdup(file);
    for (char *c = out->file; *c; c++) *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    const char *name = strrchr(file, '/');
    /* the file is FOLDER/NAME, of which neither part may be a symbolic link */
    while (name && name > file && name[-1] != '/') name--;
    char *directory = name > file ? xstrndup(file, (size_t)(name - file)) : xstrdup(".");
    int bad =
        graded ? file_read_within(directory, name ? name : file, SOURCE_MAX, &out->source, &len, &e)
        : !file_exists(file) ? 1
                             : file_read(file, SOURCE_MAX, &out->source, &len, &e);
    const char *last = strrchr(file, '/'), *base = last ? last + 1 : file;
    char *within = last ? xstrndup(file, (size_t)(last - file)) : xstrdup(".");
    char *alike = bad > 0 && strchr(base, '.') ? alike_in(within, base) : NULL;
    if (alike)
        refuse(out, COMPILE_MISSING, "%s: there is no such file, but %s: rename it to %s", file,
            alike, base);
    else if (bad > 0)
        refuse(out, COMPILE_MISSING, "%s: there is no such file", file);
    free(directory), free(within), free(alike);
    if (bad > 0) return -1;
    if (bad) return refuse(out, COMPILE_BAD, "%s", e.text);
    if (strspn(out->source, " \t\r\n\f\v") == len)
        return refuse(out, COMPILE_BAD, "%s: is empty", file);
    if (memchr(out->source, 0, len))
        return refuse(out, COMPILE_BAD, "%s: is a binary file, not CUDA source", file);
    return 0;
}

/* The copy begins with a #line, so that messages and line tables show the original name. */
char *source_copy(const struct compiled *c, const char *directory, const char *name, struct err *e)
{
    struct buf text = {0};
    buf_printf(&text, "#line 1 \"");
    for (const char *p = c->file; *p; p++)
        buf_printf(&text, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
    buf_printf(&text, "\"\n%s", c->source);
    char *path = xasprintf("%s/%s", directory, name);
    if (file_write_scratch(path, text.data, text.len, e)) {
        free(path);
        path = NULL;
    }
    buf_free(&text);
    return path;
}

/* ---- includes: what a submission may include: the kernel header and the compiler's own headers
 * ---- */

static int starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

/* The folders where compilers install headers. */
static const char *const system_headers[] = {"/usr/include/", "/usr/lib/gcc", "/usr/lib/llvm",
    "/usr/lib/clang", "/usr/local/cuda", "/opt/cuda", "/usr/local/include/", "/usr/lib64/gcc",
    "/usr/lib64/clang", "/usr/lib/linux/", NULL};

/* May a submission include the header at path? Allowed are the files of the private directory in
 * which it is compiled, common/cuda/lockstep*.h of the kit, and headers in the compilers' folders.
 * Symbolic links are resolved first. */
static int include_allowed(const struct kit *k, const char *path, const char *directory)
{
    char real[PATH_MAX], root[PATH_MAX], own[PATH_MAX];
    int ok = 0;
    if (!realpath(path, real) || !realpath(k->root, root) || !realpath(directory, own)) return 0;
    char *header = xasprintf("%s/common/cuda/lockstep", root), *inside = xasprintf("%s/", own);
    ok = starts(real, header) || starts(real, inside);
    for (const char *const *p = system_headers; !ok && *p; p++) ok = starts(real, *p);
    free(header);
    free(inside);
    return ok;
}

/* Copy the next file name of a make rule, "target: file file \ newline file", to path; "\ " is a
 * blank within a name. Returns where to continue; NULL: there are no more names. */
static const char *next_dependency(const char *p, char *path, size_t size)
{
    size_t n = 0;
    while (*p == ' ' || *p == '\n' || *p == '\t' || (*p == '\\' && p[1] == '\n')) p++;
    while (*p && *p != ' ' && *p != '\n' && *p != '\t' && n + 1 < size) {
        if (*p == '\\' && p[1] == ' ') p++;
        path[n++] = *p++;
    }
    path[n] = 0;
    return n ? p : NULL;
}

/* If the list of includes cannot be read, the file is refused, since its includes are unknown. */
char *compile_foreign_include(
    const struct kit *k, const char *deps, const char *file, const char *directory)
{
    char *text = NULL, *foreign = NULL, path[PATH_MAX];
    if (file_read(deps, 1 << 20, &text, NULL, NULL))
        return xstrdup("a file that could not be determined");
    const char *p = strstr(text, ": ");
    for (p = p ? p + 1 : NULL; p && !foreign && (p = next_dependency(p, path, sizeof path));)
        if (strcmp(path, file) && !include_allowed(k, path, directory)) foreign = xstrdup(path);
    free(text);
    return foreign;
}

/* ---- compiling ---- */

/* A compiler's command line. */
struct command {
    const char *kind; /* kind of the compiler: "clang" or "nvcc" */
    struct words words;
    double seconds;
    char *file; /* the word that names the learner's file */
    /* the files that the compiler writes into the private directory: PTX, and the list of its
     * includes */
    char *ptx, *deps;
    /* path of the precompiled lockstep.h; NULL: lockstep.h is compiled together with the file */
    char *header;
    /* how many words of the command line precede those that name the precompiled header */
    size_t options;
};

/* The architecture that clang compiles for: 80 if the source uses bfloat16, asynchronous copies or
 * matrix products, which need 80; else 70, which also runs on older GPUs. */
static int architecture_of(const char *source)
{
    static const char *const words[] = {"bfloat", "bf16", "lockstep_async", "lockstep_mma",
        "cp.async", "lockstep_tensor", "lockstep_wgmma", "lockstep_tma", "mbarrier", "mma.sync",
        "<mma.h>", "ldmatrix", "cuda_pipeline", "cuda/barrier", "cuda/pipeline"};
    int wants_80 = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        wants_80 |= strstr(source, words[i]) != NULL;
    return wants_80 ? 80 : 70;
}

/* If the source begins with lockstep.h, let clang load the precompiled one, which is faster. */
static void command_quicken(const struct kit *k, const struct front *f, const char *directory,
    const char *source, struct command *c)
{
    if (strcmp(f->kind, "clang") ||
        !(c->header = precompiled(k, f, c->words.word, source, directory)))
        return;
    c->options = c->words.count;
    WORDS(&c->words, "-Xclang", "-include-pch", "-Xclang", c->header);
}

/* clang's options, up to the words that name files. lockstep_half.h says why -fnative-half-type
 * is there. A kernel's char is signed on every machine: clang would take the host's, which is
 * unsigned on Arm. */
static void clang_options(const struct front *f, int any, const char *source, struct words *w)
{
    /* without unrolling, a loop with wgmma would copy registers of unfinished products */
    int unrolls = !f->quick || strstr(source, "wgmma_");
    clang_words(w, f->path, architecture_of(source));
    clang_to_ptx(w,
        f->debug   ? "-O0"
        : f->quick ? "-O1"
                   : "-O3",
        f->debug   ? "-g"
        : f->quick ? "-g0"
                   : "-gline-tables-only",
        unrolls);
    WORDS(w, "-Wuninitialized", "-Wsometimes-uninitialized", "-Wloop-analysis",
        "-Wmisleading-indentation", any ? "-Wno-shadow" : "-Wshadow",
        any ? "-Wno-float-conversion" : "-Wfloat-conversion",
        any ? "-Wno-unknown-pragmas" : "-Wunknown-pragmas", "-fno-color-diagnostics",
        "-fsigned-char", "-Xclang", "-fnative-half-type");
    /* -disable-cgp: that pass of clang is slow for large kernels. =pattern: a variable that is read
     * before it is set must not happen to be 0 */
    if (f->quick)
        WORDS(w, "-w", "-ferror-limit=0", "-mllvm", "-disable-cgp",
            "-ftrivial-auto-var-init=pattern");
}

/* Fill in a compiler's command line. any: the file is not graded, and clang gets stubs of CUDA's
 * own headers. */
static void command_make(const struct kit *k, const struct front *f, const char *directory, int any,
    const char *file, const char *source, struct command *c)
{
    int clang = !strcmp(f->kind, "clang");
    struct words *w = &c->words;
    char *cuda =
        strcmp(k->root, ".") ? xasprintf("%s/common/cuda", k->root) : xstrdup("common/cuda");
    c->kind = f->kind;
    c->file = xstrdup(file);
    c->seconds = f->quick ? COMPILE_SECONDS / 5 : COMPILE_SECONDS;
    c->ptx = xasprintf("%s/out.ptx", directory);
    c->deps = xasprintf("%s/deps", directory);
    if (clang)
        clang_options(f, any, source, w);
    else
        WORDS(w, f->path, "-ptx", f->debug ? "-G" : "-lineinfo", "-O3", "-arch=compute_80");
    if (!clang && strstr(source, "<mma.h>")) /* lockstep_mma.h takes the place of it */
        WORDS(w, "-include"), words_take(w, xasprintf("%s/lockstep_mma.h", cuda));
    words_take(w, xasprintf("-DLOCKSTEP_TILE=%d", f->tile ? f->tile : 32));
    WORDS(w, "-MD", "-MF", c->deps);
    words_take(w, xasprintf("-I%s", cuda));
    WORDS(w, file, "-o", c->ptx);
    if (any && clang)
        clang_stubs(w, cuda), WORDS(w, "-std=c++17");
    else if (any)
        WORDS(w, "--expt-relaxed-constexpr", "--extended-lambda");
    for (const char *const *d = f->defines; d && *d; d++) WORDS(w, "-D", *d);
    free(cuda);
}

static void command_free(struct command *c)
{
    words_free(&c->words);
    free(c->file), free(c->ptx), free(c->deps), free(c->header);
}

int compile_run(const struct kit *k, const struct compiler *r, struct compiled *c)
{
    char *headers = kit_path(k, "%s", r->headers), *foreign = NULL;
    const char *const read[] = {headers, r->argv[0], NULL};
    const struct jail jail = {read, r->directory};
    struct spawn s = {.argv = r->argv,
        .directory = r->directory,
        .jail = r->open ? NULL : &jail,
        .input = r->input,
        .sealed = r->input != NULL,
        .seconds = r->seconds,
        .memory_bytes = r->memory_bytes,
        .file_bytes = COMPILE_FILE};
    struct words exposed = {0};
    struct err e = {0};
    int status = 0, late = 0,
        refused = r->deps && jail_level() < JAIL_LANDLOCK && compile_exposed(k, &s, r, &exposed, c);
    if (exposed.count) s.argv = exposed.word;
    if (!refused) late = spawn_run(&s, &c->output, &status, &e);
    if (refused) {
        status = 1; /* 1: the file would be rejected again */
    } else if (late && e.kind == ERR_ENV) {
        c->status = COMPILE_BROKEN;
        c->err = e;
    } else if (late) {
        refuse(c, COMPILE_BAD, "%s: the compiler %s", c->file, e.text);
    } else if (status != 0) {
        c->status = COMPILE_BAD;
        if (!c->output.len)
            buf_printf(
                &c->output, "%s: %s ended with status %d and no message", c->file, r->name, status);
        if (!r->open && !r->input) compile_cover(c);
        compile_explain_include(c, r->rule);
        if (r->deps && jail_level() < JAIL_LANDLOCK && file_exists(r->deps))
            foreign = compile_foreign_include(k, r->deps, c->file, r->directory);
        if (foreign) refuse(c, COMPILE_BAD, "%s: includes %s; %s", c->file, foreign, r->rule);
    } else if (r->deps && (foreign = compile_foreign_include(k, r->deps, c->file, r->directory))) {
        refuse(c, COMPILE_BAD, "%s: includes %s; %s", c->file, foreign, r->rule);
    }
    if (!r->open) compile_hide_paths(k, r->directory, c);
    free(foreign), free(headers);
    words_free(&exposed);
    return status == 0 || status == 1 || late;
}

/* Run the compiler and read its PTX. Returns 1 if another run would give the same result; 0 if it
 * might not. */
static int front_run(const struct kit *k, const struct command *command, const char *directory,
    int any, struct compiled *c)
{
    const struct compiler r = {.name = command->kind,
        .argv = command->words.word,
        .directory = directory,
        .file = command->file,
        .headers = "common/cuda",
        .deps = any ? NULL : command->deps,
        .rule =
            "a kernel file includes lockstep.h, the kit's other headers lockstep_*.h, and nothing else",
        .open = any,
        .seconds = command->seconds,
        .memory_bytes = (size_t)8 << 30};
    int lasts = compile_run(k, &r, c);
    if (c->status == COMPILE_OK && file_read(command->ptx, COMPILE_FILE, &c->ptx, NULL, &c->err))
        c->status = COMPILE_BROKEN;
    if (c->ptx) compile_raise(&c->ptx);
    return lasts;
}

/* Compile as front_run does. If the compiler's errors may come from the precompiled header, make
 * that header again, or compile without it. Returns what front_run returns. */
static int front_run_any(const struct kit *k, const struct front *f, struct command *command,
    const char *directory, int any, struct compiled *c)
{
    int lasts = front_run(k, command, directory, any, c);
    int again = c->status == COMPILE_BAD && command->header
                    ? precompiled_again(k, f, command->words.word, command->header, directory)
                    : 0;
    if (!again) return lasts;
    if (again < 0) words_cut(&command->words, command->options);
    buf_free(&c->output);
    c->status = COMPILE_OK;
    return front_run(k, command, directory, any, c);
}

/* ---- the cache of PTX ----
 *
 * Key:   the front end's version, its command line, the name that messages show, and the source.
 * Value: one line "HASH PATH" for each header that the compiler read, an empty line, then the PTX;
 *        or '!' and the compiler's output for a file that it rejected.
 *
 * The hashes show whether a header has changed since. */

/* The key contains the command line as it would be for the private directory "", since the name of
 * that directory differs in each run. */
static void cache_key(
    const struct kit *k, const struct front *f, const struct compiled *c, struct buf *key)
{
    struct command command = {0};
    command_make(k, f, "", 0, "", c->source, &command);
    buf_printf(key, "kernel %s %s", f->name, c->file);
    for (size_t i = 0; i < command.words.count; i++) buf_printf(key, "\n%s", command.words.word[i]);
    buf_printf(key, "\n\n%s", c->source);
    command_free(&command);
}

/* The hash of the file's bytes. -1: the file cannot be read. */
static int file_hash(const char *path, uint64_t *h)
{
    char *text = NULL;
    size_t len = 0;
    if (file_read(path, COMPILE_FILE, &text, &len, NULL)) return -1;
    *h = hash_bytes(text, len);
    free(text);
    return 0;
}

/* Take c->ptx from the cache. -1: there is no entry, or a header that the entry depends on has
 * changed. */
static int cache_recall(const struct kit *k, const struct buf *key, struct compiled *c)
{
    struct buf entry = {0};
    int found = !cache_get(k, key, &entry) && entry.data;
    char *line = entry.data, *end = NULL;
    for (; found && (end = strchr(line, '\n')) && end != line; line = end + 1) {
        uint64_t was, is;
        int path = 0;
        *end = 0;
        found = sscanf(line, "%" SCNx64 " %n", &was, &path) == 1 && !file_hash(line + path, &is) &&
                is == was;
    }
    found = found && end;
    if (found && end[1] == '!')
        refuse(c, COMPILE_BAD, "%s", end + 2);
    else if (found)
        c->ptx = xstrdup(end + 1);
    buf_free(&entry);
    return found ? 0 : -1;
}

/* Append a line "HASH PATH" for each header that deps lists, except the copy of the source, whose
 * text is in the key. -1: a header cannot be read. */
static int hash_headers(
    const char *deps, const char *file, const char *directory, struct buf *entry)
{
    char *text = NULL, path[PATH_MAX];
    uint64_t h;
    int whole = !file_read(deps, 1 << 20, &text, NULL, NULL);
    const char *p = text ? strstr(text, ": ") : NULL;
    for (p = p ? p + 1 : NULL; whole && p && (p = next_dependency(p, path, sizeof path));)
        if (!starts(path, directory) && strcmp(path, file) &&
            (whole = !strchr(path, '\n') && !file_hash(path, &h)))
            buf_printf(entry, "%016" PRIx64 " %s\n", h, path);
    free(text);
    return whole ? 0 : -1;
}

void compile_hash_headers(const struct kit *k, struct buf *entry)
{
    char *pattern = kit_path(k, "common/cuda/*.h");
    glob_t found;
    uint64_t h;
    if (!glob(pattern, 0, NULL, &found))
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (!file_hash(found.gl_pathv[i], &h))
                buf_printf(entry, "%016" PRIx64 " %s\n", h, found.gl_pathv[i]);
    globfree(&found);
    free(pattern);
}

/* Write a cache entry. The kit's headers are hashed, too, if the compiler may not have listed them:
 * when it rejected the file, or used the precompiled header. */
static void cache_keep(const struct kit *k, const struct buf *key, const struct command *command,
    const char *directory, const struct compiled *c)
{
    struct buf entry = {0};
    int good = c->status == COMPILE_OK && !c->output.len, bad = c->status == COMPILE_BAD;
    if (bad || command->header) compile_hash_headers(k, &entry);
    if (good && !hash_headers(command->deps, c->file, directory, &entry))
        buf_printf(&entry, "\n%s", c->ptx);
    else if (bad)
        buf_printf(&entry, "\n!%s", c->output.data);
    else
        buf_free(&entry);
    if (entry.len && (good || bad)) cache_put(k, key, &entry);
    buf_free(&entry);
}

/* Compile out->source: from a copy in a private directory or, if `any` is set (nobody grades the
 * file), from the file itself. key: where the result is cached; NULL: nowhere. */
static void compile_now(const struct kit *k, const struct front *f, int any, const struct buf *key,
    struct compiled *out)
{
    struct command command = {0};
    char *directory = kit_temporary(k, &out->err);
    char *copy = directory && !any ? source_copy(out, directory, "kernel.cu", &out->err) : NULL;
    const char *file = any ? out->file : copy;
    if (directory && file) {
        command_make(k, f, directory, any, file, out->source, &command);
        if (!any) command_quicken(k, f, directory, out->source, &command);
        if (front_run_any(k, f, &command, directory, any, out) && key)
            cache_keep(k, key, &command, directory, out);
        command_free(&command);
    } else {
        out->status = COMPILE_BROKEN;
    }
    if (directory) spawn_remove_directory(directory);
    free(directory);
    free(copy);
}

/* May be called from several threads: each call uses a directory of its own. */
void compile_kernel(
    const struct kit *k, const struct front *f, const char *file, struct compiled *out)
{
    struct buf key = {0};
    *out = (struct compiled){0};
    if (source_read(file, 1, out)) return;
    cache_key(k, f, out, &key);
    if (cache_recall(k, &key, out)) compile_now(k, f, 0, &key, out);
    buf_free(&key);
}

void compile_any(const struct kit *k, const struct front *f, const char *file, struct compiled *out)
{
    *out = (struct compiled){0};
    if (!source_read(file, 0, out)) compile_now(k, f, 1, NULL, out);
}

void compile_text(const struct kit *k, const struct front *f, const char *file, const char *text,
    struct compiled *out)
{
    *out = (struct compiled){.file = xstrdup(file), .source = xstrdup(text)};
    compile_now(k, f, 0, NULL, out);
}

void compiled_free(struct compiled *c)
{
    free(c->file);
    free(c->source);
    free(c->ptx);
    buf_free(&c->output);
    *c = (struct compiled){0};
}

/* Files to compile, which threads take one by one; next: index of the first file that no thread has
 * taken. */
struct queue {
    const struct kit *kit;
    const struct front *front;
    char *const *files;
    struct compiled *out;
    int count;
    atomic_int next;
};

/* A thread's function: compile files until none is left. */
static void *worker(void *arg)
{
    struct queue *q = arg;
    for (int i; (i = atomic_fetch_add(&q->next, 1)) < q->count;)
        compile_kernel(q->kit, q->front, q->files[i], &q->out[i]);
    return NULL;
}

/* Starts one thread per core, less the calling thread, which also compiles. If a thread cannot be
 * started, the others do its work. */
void compile_kernels(
    const struct kit *k, const struct front *f, char *const *files, struct compiled *out, int count)
{
    struct queue q = {k, f, files, out, count, 0};
    enum { THREADS_MAX = 16 };
    pthread_t threads[THREADS_MAX];
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN), n = 0;
    for (int want = cores < THREADS_MAX ? cores : THREADS_MAX; n < want - 1 && n < count - 1; n++)
        if (pthread_create(&threads[n], NULL, worker, &q)) break;
    worker(&q);
    while (n--) pthread_join(threads[n], NULL);
}
