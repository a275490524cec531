/* build.c - from a job to a program, one compiler after another.
 *
 *     a.cu -- clang, device --> a.ptx --┐
 *          -- clang, host --------------┴--> a.o --┐      the PTX is embedded as text
 *     b.cpp -- g++ --> b.o ------------------------┴-- g++ -- liblockstep-cudart.so --> program
 *
 * The first line of the PTX names the source, for messages.
 *
 * Without clang NVIDIA's nvcc makes a.o, by its own headers and with PTX alone in it
 * (runtime/registry.c reads it); lockstep_abi.h puts the kit's calls in place of those whose
 * structures differ.
 */
#define _GNU_SOURCE
#include "nvcc/nvcc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- where things are ---- */

/* build/cuda/bin/nvcc, which is a link to this program. */
static int is_ours(const char *path)
{
    char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    int ours = slash && !strcmp(slash + 1, "lockstep-nvcc");
    free(real);
    return ours;
}

/* In the usual folders, or where CUDA_HOME says. */
static char *find_nvcc(void)
{
    char *path = spawn_find("nvcc");
    const char *home = getenv("CUDA_HOME");
    if (path || !home) return path;
    path = xasprintf("%s/bin/nvcc", home);
    if (file_exists(path) && !is_ours(path)) return path;
    free(path);
    return NULL;
}

int place_find(struct place *p, struct err *e)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    *p = (struct place){0};
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    /* beside the sources, as it was built; or as make install leaves it */
    const char *const headers[] = {"../common/cuda", "../lib/lockstep/common/cuda"},
                      *const libraries[] = {".", "../lib"};
    for (int i = 0; i < 2 && !p->cuda; i++) {
        char *header = xasprintf("%s/%s/lockstep_clang.h", self, headers[i]);
        char *library = xasprintf("%s/%s/liblockstep-cudart.so", self, libraries[i]);
        if (file_exists(header) && file_exists(library)) {
            *strrchr(header, '/') = *strrchr(library, '/') = 0;
            p->cuda = realpath(header, NULL);
            p->library = realpath(library, NULL);
        }
        free(header), free(library);
    }
    if (!p->cuda)
        return err_set(e, ERR_ENV,
            "%s: liblockstep-cudart.so and the kit's headers are not found from here", self);
    static const char *const clangs[] = {"clang++", "clang++-14", "clang++-15", "clang++-16",
        "clang++-17", "clang++-18", "clang++-19", NULL};
    const char *front = getenv("LOCKSTEP_FRONT");
    int wants_nvcc = front && !strcmp(front, "nvcc");
    for (const char *const *c = clangs; *c && !p->clang && !wants_nvcc; c++)
        p->clang = spawn_find(*c);
    p->cxx = spawn_find("g++");
    if (!p->clang) p->nvcc = find_nvcc();
    if (wants_nvcc && !p->nvcc)
        return err_set(e, ERR_ENV, "LOCKSTEP_FRONT=nvcc: nvcc is not found");
    if (!p->clang && !p->nvcc)
        return err_set(e, ERR_ENV, "no compiler for kernels: apt-get install clang");
    if (!p->cxx && !p->clang) return err_set(e, ERR_ENV, "nvcc needs g++: apt-get install g++");
    if (!p->cxx) p->cxx = xstrdup(p->clang);
    return 0;
}

void place_free(struct place *p)
{
    free(p->cuda), free(p->library), free(p->clang), free(p->cxx), free(p->nvcc);
}

/* ---- running a compiler ---- */

/* Its messages go where ours go. Returns its exit status, or -1 with an error. */
static int run(const struct job *j, struct words *w, struct err *e)
{
    for (size_t i = 0; j->verbose && i < w->count; i++)
        fprintf(stderr, "%s%s", w->word[i], i + 1 < w->count ? " " : "\n");
    *VEC_PUSH(w->word, w->count, w->cap) = NULL;
    w->count--;
    return j->dry ? 0 : spawn_plain((const char *const *)w->word, e);
}

static int is_cuda(const struct job *j, const char *file)
{
    const char *dot = strrchr(file, '.');
    return j->as_cuda || (dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".cuh")));
}

static int is_source(const char *file)
{
    static const char *const ends[] = {".c", ".cc", ".cpp", ".cxx", ".C", NULL};
    const char *dot = strrchr(file, '.');
    for (const char *const *p = ends; dot && *p; p++)
        if (!strcmp(dot, *p)) return 1;
    return 0;
}

/* "dir/name.cu" becomes "name" + end, in the folder of -odir. */
static char *beside(const struct job *j, const char *file, const char *end)
{
    const char *name = strrchr(file, '/');
    name = name ? name + 1 : file;
    const char *dot = strrchr(name, '.');
    const char *folder = j->folder ? j->folder : "";
    int n = (int)(dot ? dot - name : (long)strlen(name));
    return xasprintf("%s%s%.*s%s", folder, *folder ? "/" : "", n, name, end);
}

/* What both passes of a CUDA file share. */
static void cuda_words(
    const struct job *j, const struct place *p, const char *source, struct words *w)
{
    words_add(w, "%s", p->clang);
    /* Kernels are for 7.0, or for 8.0 if something that new is asked for; clang 14 knows no newer
     * one. */
    static const char *const common[] = {"-x", "cuda", "-nocudainc", "-nocudalib",
        "--cuda-path=/nonexistent", "-Xclang", "-target-sdk-version=11.0", "-Xclang",
        "-fcuda-allow-variadic-functions", /* templates declare them to look for a member */
        "-D__NVCC__", "-D__CUDACC__", "-DCUB_USE_COOPERATIVE_GROUPS", "-Wno-unknown-cuda-version",
        "-Wno-pass-failed", "-Wno-register", "-Wno-reserved-user-defined-literal",
        /* "text"MACRO without a space: gcc only warns */ NULL};
    for (const char *const *c = common; *c; c++) words_add(w, "%s", *c);
    words_add(w, "--cuda-gpu-arch=sm_%d", j->architecture >= 80 ? 80 : 70);
    const char *slash = strrchr(source, '/');
    words_add(w, "-iquote"),
        words_add(w, "%.*s", slash ? (int)(slash - source) : 1, slash ? source : ".");
    words_append(w, &j->preprocess);
    words_add(w, "-I%s", p->cuda);
    words_add(w, "-include"), words_add(w, "%s/stubs/cuda_runtime.h", p->cuda);
    words_add(w, "-I"), words_add(w, "%s/stubs", p->cuda);
    if (!j->has_std) words_add(w, "-std=c++17");
    for (size_t i = 0; i < j->host.count; i++)
        if (strcmp(j->host.word[i], "-fopenmp"))
            words_add(w, "%s", j->host.word[i]);
        else
            fprintf(stderr,
                "lockstep-nvcc: note: OpenMP's directives in a .cu file run on one thread\n");
}

/* The compiler's own PTX, with a first line that names the source, and a last byte 0. */
static int mark_source(const char *ptx, const char *source, struct err *e)
{
    char *text = NULL, real[PATH_MAX];
    size_t n = 0;
    if (file_read(ptx, (size_t)256 << 20, &text, &n, e)) return -1;
    struct buf b = {0};
    buf_printf(&b, "// source: %s\n", realpath(source, real) ? source : "");
    buf_add(&b, text, n + 1); /* with the 0 that file_read puts behind it */
    int bad = file_write_scratch(ptx, b.data, b.len, e);
    buf_free(&b);
    free(text);
    return bad;
}

/* file: the source, or the copy that is compiled in its place. */
static int device_pass(const struct job *j, const struct place *p, const char *file,
    const char *source, const char *ptx, struct err *e)
{
    struct words w = {0};
    cuda_words(j, p, source, &w);
    static const char *const device[] = {"--cuda-device-only", "-S", "-fno-finite-loops", "-mllvm",
        "-inline-threshold=100000", "-mllvm", "-unroll-threshold=3000", "-Xclang",
        "-target-feature", "-Xclang", "+ptx75", "-w", NULL};
    for (const char *const *c = device; *c; c++) words_add(&w, "%s", *c);
    words_add(&w, "%s", j->debug_device ? "-O1" : "-O3");
    words_add(&w, "-gline-tables-only");
    words_add(&w, "%s", file), words_add(&w, "-o"), words_add(&w, "%s", ptx);
    int status = run(j, &w, e);
    words_free(&w);
    return status || j->dry ? status : mark_source(ptx, source, e);
}

static void dependency_words(const struct job *j, const char *object, struct words *w)
{
    if (!j->dependencies) return;
    words_add(w, "-MD");
    words_add(w, "-MT"), words_add(w, "%s", j->target ? j->target : object);
    words_add(w, "-MF");
    size_t n = strlen(object), cut = n > 2 && !strcmp(object + n - 2, ".o") ? n - 2 : n;
    if (j->depfile)
        words_add(w, "%s", j->depfile);
    else
        words_add(w, "%.*s.d", (int)cut, object);
}

static int host_pass(const struct job *j, const struct place *p, const char *file,
    const char *source, const char *ptx, const char *object, struct err *e)
{
    struct words w = {0};
    cuda_words(j, p, source, &w);
    static const char *const host[] = {
        "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", NULL};
    for (const char *const *c = host; *c; c++) words_add(&w, "%s", *c);
    words_add(&w, "%s", ptx);
    if (j->relocatable) words_add(&w, "-fgpu-rdc");
    words_add(&w, "-O%d", j->optimise);
    words_add(&w, "-fPIC");
    dependency_words(j, object, &w);
    words_add(&w, "-c"), words_add(&w, "%s", file), words_add(&w, "-o"),
        words_add(&w, "%s", object);
    int status = run(j, &w, e);
    words_free(&w);
    return status;
}

/* C, as nvcc has it: by its name. */
static int is_c(const char *file)
{
    size_t n = strlen(file);
    return n > 2 && !strcmp(file + n - 2, ".c");
}

static int compile_host(
    const struct job *j, const struct place *p, const char *file, const char *object, struct err *e)
{
    struct words w = {0};
    words_add(&w, "%s", p->cxx);
    words_append(&w, &j->preprocess);
    words_add(&w, "-I%s/stubs", p->cuda);
    int c = is_c(file);
    for (size_t i = 0; i < j->host.count; i++)
        if (!c || strncmp(j->host.word[i], "-std=c++", 8)) words_add(&w, "%s", j->host.word[i]);
    words_add(&w, "-O%d", j->optimise), words_add(&w, "-fPIC");
    if (c) words_add(&w, "-x"), words_add(&w, "c");
    dependency_words(j, object, &w);
    words_add(&w, "-c"), words_add(&w, "%s", file), words_add(&w, "-o"),
        words_add(&w, "%s", object);
    int status = run(j, &w, e);
    words_free(&w);
    return status;
}

/* NVIDIA's compiler, with words that are the same whatever it makes. Kernels are PTX for 7.5, or
 * for what is asked for from there on. */
static void nvcc_words(const struct job *j, const struct place *p, struct words *w)
{
    int architecture = j->architecture > 75 ? j->architecture : 75;
    words_add(w, "%s", p->nvcc);
    words_add(w, "-gencode=arch=compute_%d,code=compute_%d", architecture, architecture);
    words_add(w, "%s", j->debug_device ? "-G" : "-lineinfo");
    words_append(w, &j->preprocess);
    words_add(w, "-include"), words_add(w, "%s/lockstep_abi.h", p->cuda);
    for (size_t i = 0; i < j->host.count; i++) {
        const char *word = j->host.word[i];
        if (strncmp(word, "-std=", 5) && strcmp(word, "-g")) words_add(w, "-Xcompiler");
        words_add(w, "%s", word);
    }
}

/* Any source, by its name: a .cpp includes the same headers. */
static int nvcc_pass(
    const struct job *j, const struct place *p, const char *file, const char *object, struct err *e)
{
    struct words w = {0};
    if (j->relocatable)
        return err_set(e, ERR_USAGE, "-rdc=true needs clang: apt-get install clang");
    nvcc_words(j, p, &w);
    static const char *const object_words[] = {"-no-compress", "-Xcompiler", "-fPIC", NULL};
    for (const char *const *c = object_words; *c; c++) words_add(&w, "%s", *c);
    words_add(&w, "-O%d", j->optimise);
    if (j->as_cuda) words_add(&w, "-x"), words_add(&w, "cu");
    dependency_words(j, object, &w);
    words_add(&w, "-c"), words_add(&w, "%s", file), words_add(&w, "-o"),
        words_add(&w, "%s", object);
    int status = run(j, &w, e);
    words_free(&w);
    return status;
}

/* -ptx, -cubin and -fatbin. */
static int nvcc_ptx(const struct job *j, const struct place *p, const char *file,
    const char *source, const char *ptx, struct err *e)
{
    struct words w = {0};
    nvcc_words(j, p, &w);
    words_add(&w, "-ptx"), words_add(&w, "-x"), words_add(&w, "cu");
    words_add(&w, "%s", file), words_add(&w, "-o"), words_add(&w, "%s", ptx);
    int status = run(j, &w, e);
    words_free(&w);
    return status || j->dry ? status : mark_source(ptx, source, e);
}

static int compile(const struct job *j, const struct place *p, const char *file,
    const char *directory, int number, const char *object, struct err *e)
{
    if (p->nvcc) return nvcc_pass(j, p, file, object, e);
    if (!is_cuda(j, file)) return compile_host(j, p, file, object, e);
    char *ptx = xasprintf("%s/%d.ptx", directory, number);
    char *copy = NULL;
    int status = marks_joined(file, directory, number, &copy, e);
    if (!status) status = device_pass(j, p, copy ? copy : file, file, ptx, e);
    if (!status) status = host_pass(j, p, copy ? copy : file, file, ptx, object, e);
    if (!status && j->relocatable && !j->dry) status = relocatable_mark(object, e);
    if (status > 0) missing_libraries(file);
    free(ptx), free(copy);
    return status;
}

/* -E, -cuda and -M: what the host's pass sees. */
static int preprocess(const struct job *j, const struct place *p, struct err *e)
{
    int status = 0;
    for (size_t i = 0; i < j->inputs.count && !status; i++) {
        struct words w = {0};
        if (p->nvcc)
            nvcc_words(j, p, &w);
        else
            cuda_words(j, p, j->inputs.word[i], &w), words_add(&w, "--cuda-host-only");
        words_add(&w, "%s", j->stage == STAGE_DEPENDENCIES ? "-M" : "-E");
        if (j->target) words_add(&w, "-MT"), words_add(&w, "%s", j->target);
        words_add(&w, "%s", j->inputs.word[i]);
        char *name = beside(j, j->inputs.word[i], ".cu.cpp.ii");
        if (j->output || j->stage == STAGE_CUDA)
            words_add(&w, "-o"), words_add(&w, "%s", j->output ? j->output : name);
        free(name);
        status = run(j, &w, e);
        words_free(&w);
    }
    return status;
}

static int link_all(
    const struct job *j, const struct place *p, const struct words *objects, struct err *e)
{
    struct words w = {0};
    words_add(&w, "%s", p->cxx);
    if (j->stage == STAGE_SHARED) words_add(&w, "-shared");
    words_append(&w, &j->host);
    words_append(&w, objects);
    words_append(&w, &j->link);
    words_add(&w, "-L%s", p->library), words_add(&w, "-llockstep-cudart"),
        words_add(&w, "-Wl,-rpath,%s", p->library);
    words_add(&w, "-lpthread"), words_add(&w, "-ldl"), words_add(&w, "-lm");
    words_add(&w, "-o"), words_add(&w, "%s", j->output ? j->output : "a.out");
    int status = run(j, &w, e);
    words_free(&w);
    return status;
}

/* Sources become objects, in the folder of the job or in a temporary one; then all are linked. */
static int build(const struct job *j, const struct place *p, const char *directory, struct err *e)
{
    struct words objects = {0};
    int status = 0, keep = j->stage == STAGE_OBJECT;
    if (keep && j->output && j->inputs.count > 1)
        return err_set(e, ERR_USAGE,
            "-o %s: several files are compiled, and each needs a name of its own", j->output);
    for (size_t i = 0; i < j->inputs.count && !status; i++) {
        const char *file = j->inputs.word[i];
        if (!is_cuda(j, file) && !is_source(file)) {
            words_add(&objects, "%s", file);
            continue;
        }
        char *name = beside(j, file, ".o"), *object = keep ? xstrdup(j->output ? j->output : name)
                                                           : xasprintf("%s/%zu.o", directory, i);
        words_add(&objects, "%s", object);
        status = compile(j, p, file, directory, (int)i, object, e);
        free(name), free(object);
    }
    if (!status && !keep) status = link_all(j, p, &objects, e);
    words_free(&objects);
    return status;
}

static int ptx_only(
    const struct job *j, const struct place *p, const char *directory, struct err *e)
{
    int status = 0;
    for (size_t i = 0; i < j->inputs.count && !status; i++) {
        static const char *const ends[] = {".ptx", ".cubin", ".fatbin"};
        const char *file = j->inputs.word[i];
        char *ptx = j->output ? xstrdup(j->output) : beside(j, file, ends[j->stage]), *copy = NULL;
        status = marks_joined(file, directory, (int)i, &copy, e);
        if (!status)
            status = (p->nvcc ? nvcc_ptx : device_pass)(j, p, copy ? copy : file, file, ptx, e);
        free(ptx), free(copy);
    }
    return status;
}

/* Device code is linked when the program starts: an object without anything in it. */
static int device_link(const struct job *j, const struct place *p, struct err *e)
{
    struct words w = {0};
    words_add(&w, "%s", p->cxx);
    words_add(&w, "-x"), words_add(&w, "c"), words_add(&w, "-c"), words_add(&w, "/dev/null");
    words_add(&w, "-o"), words_add(&w, "%s", j->output ? j->output : "a_dlink.o");
    int status = run(j, &w, e);
    words_free(&w);
    return status;
}

int job_run(const struct job *j, const struct place *p, struct err *e)
{
    const char *tmp = getenv("TMPDIR");
    if (j->stage == STAGE_DEVICE_LINK) return device_link(j, p, e);
    if (j->stage >= STAGE_PREPROCESS) return preprocess(j, p, e);
    char *directory = xasprintf("%s/lockstep-nvcc.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    int status = -1;
    if (!mkdtemp(directory))
        err_set(e, ERR_ENV, "%s: no temporary folder can be made", directory);
    else {
        status = (j->stage <= STAGE_FATBIN ? ptx_only : build)(j, p, directory, e);
        spawn_remove_directory(directory);
    }
    free(directory);
    return status;
}
