/* nvrtc.c - NVRTC: compile CUDA source while a program runs, by lockstep-nvcc -ptx.
 *
 *     source, headers --> files in a temporary folder -- lockstep-nvcc -ptx --> PTX, log
 *     a name such as "fill<float>" --> a variable with its address --> its name in the PTX */
#define _GNU_SOURCE
#include "cuda/stubs/nvrtc.h"

#include "base/base.h"
#include "runtime/runtime.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TEXT = 256 << 20 };

struct lockstep_nvrtc_program {
    char *source, *name;
    char **headers, **header_names; /* names and texts of the headers, header_count of each */
    int header_count;
    /* expressions: names to be looked up; lowered: what they are called in the PTX. lowered[i] is
     * NULL before the program is compiled */
    char **expressions, **lowered;
    size_t expression_count, expression_cap;
    /* both NULL before the program is compiled; ptx is NULL also if compiling failed */
    char *ptx, *log;
};

API const char *nvrtcGetErrorString(nvrtcResult result)
{
    switch (result) {
#define ROW(name, number) \
    case NVRTC_##name: return "NVRTC_" #name;
        LOCKSTEP_NVRTC_RESULTS_(ROW)
    }
    return "NVRTC_ERROR unknown";
}

API nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
    *major = CUDART_VERSION / 1000, *minor = CUDART_VERSION % 1000 / 10;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
    int headers, const char *const *texts, const char *const *include_names)
{
    if (!program || !source || headers < 0 || (headers && (!texts || !include_names)))
        return NVRTC_ERROR_INVALID_INPUT;
    struct lockstep_nvrtc_program *p = xcalloc(1, sizeof *p);
    p->source = xstrdup(source);
    p->name = xstrdup(name && *name ? name : "default_program");
    p->headers = xcalloc((size_t)headers + 1, sizeof *p->headers);
    p->header_names = xcalloc((size_t)headers + 1, sizeof *p->header_names);
    for (p->header_count = 0; p->header_count < headers; p->header_count++) {
        p->headers[p->header_count] = xstrdup(texts[p->header_count]);
        p->header_names[p->header_count] = xstrdup(include_names[p->header_count]);
    }
    *program = p;
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
    struct lockstep_nvrtc_program *p = *program;
    for (int i = 0; i < p->header_count; i++) free(p->headers[i]), free(p->header_names[i]);
    for (size_t i = 0; i < p->expression_count; i++) free(p->expressions[i]), free(p->lowered[i]);
    free(p->headers), free(p->header_names), free(p->expressions), free(p->lowered);
    free(p->source), free(p->name), free(p->ptx), free(p->log), free(p);
    *program = NULL;
    return NVRTC_SUCCESS;
}

/* ---- compiling ---- */

/* Write a header to folder/NAME. NAME may contain folders, but must not lead outside of `folder`.
 * -1: NAME leads outside, or the file cannot be written. */
static int write_header(const char *folder, const char *name, const char *text)
{
    struct err e = {0};
    if (*name == '/' || strstr(name, "..")) return -1;
    char *path = xasprintf("%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/')
        *slash = 0, mkdir(path, 0700);
    int bad = file_write_scratch(path, text, strlen(text), &e);
    free(path);
    return bad;
}

/* Write the source, with a #line for its own name, and after it a variable with the address of
 * each name that the program looks up. */
static int write_source(const struct lockstep_nvrtc_program *p, const char *path)
{
    struct err e = {0};
    struct buf b = {0};
    buf_printf(&b, "#line 1 \"%s\"\n", p->name);
    buf_add(&b, p->source, strlen(p->source));
    for (size_t i = 0; i < p->expression_count; i++)
        buf_printf(&b,
            "\nextern \"C\" __device__ const void *lockstep_name_%zu = (const void *)(%s);\n", i,
            p->expressions[i]);
    int bad = file_write_scratch(path, b.data, b.len, &e);
    buf_free(&b);
    return bad;
}

/* Run the compiler with the program's options after the kit's; its messages go to a file.
 * Returns its exit status; -1: it could not be started. */
static int run_compiler(
    const char *compiler, const char *folder, int count, const char *const *options)
{
    enum { OURS = 6 };
    const char **argv = xcalloc((size_t)count + OURS + 1, sizeof *argv);
    char *source = xasprintf("%s/program.cu", folder), *ptx = xasprintf("%s/program.ptx", folder),
         *log = xasprintf("%s/log", folder), *include = xasprintf("-I%s", folder);
    const char *const ours[OURS] = {compiler, "-ptx", source, "-o", ptx, include};
    memcpy(argv, ours, sizeof ours);
    for (int i = 0; i < count; i++) argv[OURS + i] = options[i];
    int status = runtime_run(argv, log);
    free(argv), free(source), free(ptx), free(log), free(include);
    return status;
}

/* The text of folder/NAME; the caller frees it. NULL: it cannot be read. */
static char *read_text(const char *folder, const char *name)
{
    struct err e = {0};
    char *path = xasprintf("%s/%s", folder, name), *text = NULL;
    if (file_read(path, MOST_TEXT, &text, NULL, &e)) text = NULL;
    free(path);
    return text;
}

/* Find the line ".visible .global .align 8 .u64 lockstep_name_3 = NAME;" for a number, and
 * overwrite it with blanks. Returns NAME, which the caller frees; NULL: there is no such line. */
static char *take_name(char *ptx, size_t number)
{
    char *variable = xasprintf(" lockstep_name_%zu = ", number), *at = strstr(ptx, variable);
    const char *value = at ? at + strlen(variable) : NULL;
    char *name = value ? xasprintf("%.*s", (int)strcspn(value, ";"), value) : NULL;
    free(variable);
    for (; at > ptx && at[-1] != '\n'; at--) {}
    if (at) memset(at, ' ', strcspn(at, "\n"));
    return name;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static nvrtcResult compile(struct lockstep_nvrtc_program *p, const char *compiler,
    const char *folder, int count, const char *const *options)
{
    char *source = xasprintf("%s/program.cu", folder);
    int bad = write_source(p, source);
    free(source);
    for (int i = 0; i < p->header_count && !bad; i++)
        bad = write_header(folder, p->header_names[i], p->headers[i]);
    if (bad) return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    int status = run_compiler(compiler, folder, count, options);
    p->log = read_text(folder, "log");
    if (status) return status == 2 ? NVRTC_ERROR_INVALID_OPTION : NVRTC_ERROR_COMPILATION;
    p->ptx = read_text(folder, "program.ptx");
    for (size_t i = 0; i < p->expression_count && p->ptx; i++) p->lowered[i] = take_name(p->ptx, i);
    return p->ptx ? NVRTC_SUCCESS : NVRTC_ERROR_INTERNAL_ERROR;
}

API nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char *const *options)
{
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count && !options)) return NVRTC_ERROR_INVALID_INPUT;
    free(p->ptx), free(p->log), p->ptx = p->log = NULL;
    const char *tmp = getenv("TMPDIR");
    char *folder = xasprintf("%s/lockstep-nvrtc.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    char *compiler = runtime_program("lockstep-nvcc");
    nvrtcResult result = NVRTC_ERROR_INTERNAL_ERROR;
    if (!compiler)
        runtime_say("nvrtcCompileProgram: lockstep-nvcc is not beside the runtime's library");
    else if (!mkdtemp(folder))
        runtime_say("nvrtcCompileProgram: %s: no folder can be made", folder);
    else {
        result = compile(p, compiler, folder, count, options);
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    }
    free(folder), free(compiler);
    return result;
}

/* ---- results ---- */

/* Set *bytes to the size of a text, and copy the text to `to`; each of these pointers may be NULL.
 * If text is NULL, it counts as "". */
static nvrtcResult give(nvrtcProgram p, const char *text, size_t *bytes, char *to)
{
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!bytes && !to) return NVRTC_ERROR_INVALID_INPUT;
    if (!text) text = "";
    if (bytes) *bytes = strlen(text) + 1;
    if (to) strcpy(to, text);
    return NVRTC_SUCCESS;
}

static nvrtcResult give_ptx(nvrtcProgram p, size_t *bytes, char *to)
{
    return give(p && p->ptx ? p : NULL, p ? p->ptx : NULL, bytes, to);
}

#define GIVES(name, type, what) \
    API nvrtcResult nvrtcGet##name(nvrtcProgram p, type) { return what; }

GIVES(ProgramLogSize, size_t *bytes, give(p, p ? p->log : NULL, bytes, NULL))
GIVES(ProgramLog, char *log, give(p, p ? p->log : NULL, NULL, log))
GIVES(PTXSize, size_t *bytes, give_ptx(p, bytes, NULL))
GIVES(PTX, char *ptx, give_ptx(p, NULL, ptx))
GIVES(CUBINSize, size_t *bytes, give_ptx(p, bytes, NULL))
GIVES(CUBIN, char *cubin, give_ptx(p, NULL, cubin))

API nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression)
{
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression) return NVRTC_ERROR_INVALID_INPUT;
    if (p->ptx) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    *VEC_PUSH(p->expressions, p->expression_count, p->expression_cap) = xstrdup(expression);
    free(p->lowered);
    p->lowered = xcalloc(p->expression_count, sizeof *p->lowered);
    return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **name)
{
    if (!p) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
    if (!p->ptx) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (size_t i = 0; i < p->expression_count; i++)
        if (!strcmp(p->expressions[i], expression) && p->lowered[i]) {
            *name = p->lowered[i];
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
