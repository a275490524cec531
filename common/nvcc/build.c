/* build.c - from a job to a program, one compiler run after another.
 *
 *     a.cu -- clang, device --> a.ptx --┐
 *          -- clang, host --------------┴--> a.o --┐      the PTX is embedded as text
 *     b.cpp -- g++ --> b.o ------------------------┴-- g++ -- liblockstep-cudart.so --> program
 *
 * The first line of the PTX names the source, for messages.
 *
 * If clang is not installed, NVIDIA's nvcc makes a.o with its own headers and only PTX in it
 * (runtime/registry.c reads that); lockstep_abi.h then redirects calls whose structures differ
 * from the kit's. */
#define _GNU_SOURCE
#include "nvcc/nvcc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- finding headers, library and compilers ---- */

/* The path of libomp, which is installed beside clang. It has the functions that OpenMP code of
 * clang calls, and those that OpenMP code of gcc calls. The caller frees it; NULL: not
 * installed. */
static char *openmp_library(const char *clang)
{
    char real[PATH_MAX];
    if (!clang || !realpath(clang, real)) return NULL;
    for (int i = 0; i < 2; i++) *strrchr(real, '/') = 0;
    char *path = xasprintf("%s/lib/libomp.so", real);
    if (file_exists(path)) return path;
    free(path);
    return NULL;
}

int place_find(struct place *p, struct err *e)
{
    char self[PATH_MAX];
    os_program(self);
    *p = (struct place){0};
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    /* headers are in the build folder beside the sources, or where make install puts them */
    const char *const headers[] = {"../common/cuda", "../lib/lockstep/common/cuda"},
                      *const libraries[] = {".", "../lib"},
                      *const folders[] = {"cuda", "../lib/lockstep/cuda"};
    for (int i = 0; i < 2 && !p->cuda; i++) {
        char *header = xasprintf("%s/%s/lockstep_clang.h", self, headers[i]);
        char *library = xasprintf("%s/%s/liblockstep-cudart.so", self, libraries[i]);
        if (file_exists(header) && file_exists(library)) {
            *strrchr(header, '/') = *strrchr(library, '/') = 0;
            p->cuda = realpath(header, NULL);
            p->library = realpath(library, NULL);
            p->folder = xasprintf("%s/%s", self, folders[i]);
        }
        free(header), free(library);
    }
    if (!p->cuda)
        return err_set(e, ERR_ENV,
            "%s: liblockstep-cudart.so and the kit's headers are not found from here", self);
    const char *front = getenv("LOCKSTEP_FRONT");
    int wants_nvcc = front && !strcmp(front, "nvcc");
    for (const char *const *v = clang_versions; *v && !p->clang && !wants_nvcc; v++) {
        char *program = xasprintf("clang++%s", *v);
        p->clang = spawn_find(program);
        free(program);
    }
    p->cxx = spawn_find("g++");
    if (!p->clang) p->nvcc = nvcc_find();
    if (wants_nvcc && !p->nvcc)
        return err_set(e, ERR_ENV, "LOCKSTEP_FRONT=nvcc: nvcc is not found");
    if (!p->clang && !p->nvcc)
        return err_set(e, ERR_ENV, "no compiler for kernels: apt-get install clang");
    if (!p->cxx && !p->clang) return err_set(e, ERR_ENV, "nvcc needs g++: apt-get install g++");
    if (!p->cxx) p->cxx = xstrdup(p->clang);
    p->openmp = openmp_library(p->clang);
    return 0;
}

/* Printed for CMake, which links with the host compiler: it takes libraries and their folder from
 * the last line, and the default architecture of nvcc from the line before. */
void place_print(const struct place *p)
{
    fprintf(stderr,
        "#$ TOP=%s\n#$ PATH=/usr/local/bin:/usr/bin:/bin\n#$ INCLUDES=-I%s/include\n"
        "#$ LIBRARIES=-L%s/lib64\n#$ cicc -arch compute_70\n#$ %s -L%s/lib64 -lcudart\n",
        p->folder, p->folder, p->folder, p->cxx, p->folder);
}

void place_free(struct place *p)
{
    free(p->cuda), free(p->library), free(p->folder), free(p->clang), free(p->cxx), free(p->nvcc);
    free(p->openmp);
}

/* ---- running a compiler ---- */

/* Run a compiler, whose messages go to stderr. Returns its exit status, or -1 with an error. */
static int run(const struct job *j, struct words *w, struct err *e)
{
    for (size_t i = 0; j->verbose && i < w->count; i++)
        fprintf(stderr, "%s%s", w->word[i], i + 1 < w->count ? " " : "\n");
    int status = j->dry ? 0 : spawn_plain(w->word, e);
    words_free(w);
    return status;
}

static const char *program_name(const struct job *j)
{
    return j->output ? j->output : j->stage == STAGE_LIBRARY ? "a.a" : "a.out";
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

/* The path of an output in the folder of -odir: "dir/name.cu" becomes "name" + end. */
static char *beside(const struct job *j, const char *file, const char *end)
{
    const char *name = strrchr(file, '/');
    name = name ? name + 1 : file;
    const char *dot = strrchr(name, '.');
    const char *folder = j->folder ? j->folder : "";
    int n = (int)(dot ? dot - name : (long)strlen(name));
    return xasprintf("%s%s%.*s%s", folder, *folder ? "/" : "", n, name, end);
}

/* The options common to both compilations of a CUDA file, device and host. */
static void cuda_words(
    const struct job *j, const struct place *p, const char *source, struct words *w)
{
    clang_words(w, p->clang, j->architecture);
    /* Templates may declare variadic device functions to detect a member. gcc accepts "text"MACRO
     * without a blank with a warning, so clang should not reject it. */
    WORDS(w, "-Xclang", "-fcuda-allow-variadic-functions", "-D__NVCC__", "-D__CUDACC__",
        "-DCUB_USE_COOPERATIVE_GROUPS", "-Wno-unknown-cuda-version", "-Wno-pass-failed",
        "-Wno-register", "-Wno-empty-body", "-Wno-implicit-const-int-float-conversion",
        "-Wno-reserved-user-defined-literal", "-iquote");
    const char *slash = strrchr(source, '/');
    words_take(w, slash ? xstrndup(source, (size_t)(slash - source)) : xstrdup("."));
    /* found before the CCCL headers of a folder that -I names */
    words_take(w, xasprintf("-I%s/stubs/before", p->cuda));
    words_list(w, j->preprocess.word);
    words_take(w, xasprintf("-I%s", p->cuda));
    clang_stubs(w, p->cuda);
    if (!j->has_std) WORDS(w, "-std=c++17");
    words_list(w, j->both.word);
    /* with it, a function that ends without a return statement returns some value, as with gcc and
     * nvcc */
    WORDS(w, "-fno-strict-return");
}

/* The options of the host compiler that device code gets, too, since nvcc preprocesses both in the
 * same way. */
static void language_words(const struct job *j, const struct place *p, struct words *w)
{
    static const char *const language[] = {
        "-D", "-U", "-I", "-i", "-std=", "-fdebug-", "-ffile-", "-fmacro-", NULL};
    for (size_t i = 0; i < j->host.count; i++) {
        const char *word = j->host.word[i];
        for (const char *const *p = language; *p; p++) {
            size_t n = strlen(*p);
            if (strncmp(word, *p, n)) continue;
            WORDS(w, word);
            int parted = !word[2] || word[1] == 'i'; /* 1: the option's value is the next word */
            if (parted && i + 1 < j->host.count) WORDS(w, j->host.word[++i]);
            break;
        }
    }
    if (j->openmp && p->openmp) WORDS(w, "-D_OPENMP=201511");
}

/* clang's options for -fmad, -ftz, -prec-div, -prec-sqrt and -use_fast_math. */
static void maths_words(const struct maths *m, struct words *w)
{
    if (!m->fmad) WORDS(w, "-ffp-contract=off");
    if (m->ftz) WORDS(w, "-fgpu-flush-denormals-to-zero");
    if (!m->prec_div) WORDS(w, "-mllvm", m->fast ? "-nvptx-prec-divf32=0" : "-nvptx-prec-divf32=1");
    if (!m->prec_sqrt) WORDS(w, "-DLOCKSTEP_APPROXIMATE_SQRT");
    if (m->fast) WORDS(w, "-D__USE_FAST_MATH__");
}

/* Write a copy of the PTX beside the file's object, or to the folder of --keep-dir. */
static int keep_ptx(const struct job *j, const char *source, const struct buf *ptx, struct err *e)
{
    struct job kept = {.folder = j->keep_folder};
    if (j->keep_folder) mkdir(j->keep_folder, 0777);
    char *file = beside(&kept, source, ".ptx");
    int bad = file_write(file, ptx->data, ptx->len, e);
    free(file);
    return bad;
}

/* Append PTX. registers: if not 0, each kernel gets the directive .maxnreg with this number, before
 * its body. */
static void add_ptx(struct buf *out, const char *ptx, int registers)
{
    for (const char *entry; registers && (entry = strstr(ptx, ".entry "));) {
        const char *body = strchr(entry, '{');
        if (!body) break;
        buf_add(out, ptx, (size_t)(body - ptx));
        buf_printf(out, ".maxnreg %d\n", registers);
        ptx = body;
    }
    buf_add(out, ptx, strlen(ptx));
}

/* Add to the compiler's PTX a first line that names the source, and a 0 at the end of what will be
 * embedded in a program. Returns 1 if ptxas would reject it; -1 with an error. */
static int mark_source(const struct job *j, const char *ptx, const char *source, struct err *e)
{
    char *text = NULL, real[PATH_MAX];
    size_t n = 0;
    int embedded = j->stage > STAGE_FATBIN;
    if (file_read(ptx, (size_t)256 << 20, &text, &n, e)) return -1;
    struct buf b = {0};
    buf_printf(&b, "// source: %s\n", realpath(source, real) ? source : "");
    add_ptx(&b, text, j->most_registers);
    int status = j->keep && embedded ? keep_ptx(j, source, &b, e) : 0;
    buf_add(&b, "", 1);
    if (!status) status = assembler_run(j, b.data);
    if (!status) status = file_write_scratch(ptx, b.data, b.len - !embedded, e);
    buf_free(&b);
    free(text);
    return status;
}

/* Compile the device code of a file to PTX. file: the source, or the copy that is compiled
 * instead. */
static int device_pass(const struct job *j, const struct place *p, const char *file,
    const char *source, const char *ptx, struct err *e)
{
    struct words w = {0};
    cuda_words(j, p, source, &w);
    clang_to_ptx(&w, j->debug_device ? "-O1" : "-O3", "-gline-tables-only", 1);
    language_words(j, p, &w);
    maths_words(&j->maths, &w);
    WORDS(&w, "-w", file, "-o", ptx);
    int status = run(j, &w, e);
    return status || j->dry ? status : mark_source(j, ptx, source, e);
}

static void dependency_words(const struct job *j, const char *object, struct words *w)
{
    if (!j->dependencies) return;
    WORDS(w, "-MD", "-MT", j->target ? j->target : object, "-MF");
    size_t n = strlen(object), cut = n > 2 && !strcmp(object + n - 2, ".o") ? n - 2 : n;
    if (j->depfile)
        WORDS(w, j->depfile);
    else
        words_take(w, xasprintf("%.*s.d", (int)cut, object));
}

/* The options for host code alone. Without -O the host compiler gets no such option, as from nvcc.
 * by_clang: clang compiles, which needs a library for OpenMP. */
static void host_words(const struct job *j, const struct place *p, int by_clang, struct words *w)
{
    if (j->optimise >= 0) words_take(w, xasprintf("-O%d", j->optimise));
    for (size_t i = 0; i < j->host.count; i++)
        if (strcmp(j->host.word[i], "-fopenmp") || !by_clang || p->openmp)
            WORDS(w, j->host.word[i]);
        else
            fprintf(stderr,
                "lockstep-nvcc: note: without libomp, OpenMP's directives in a .cu file "
                "run on one thread: apt-get install libomp-dev\n");
}

static int host_pass(const struct job *j, const struct place *p, const char *file,
    const char *source, const char *ptx, const char *object, struct err *e)
{
    struct words w = {0};
    cuda_words(j, p, source, &w);
    WORDS(&w, "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx);
    if (j->relocatable) WORDS(&w, "-fgpu-rdc");
    host_words(j, p, 1, &w);
    WORDS(&w, "-fPIC");
    dependency_words(j, object, &w);
    WORDS(&w, "-c", file, "-o", object);
    return run(j, &w, e);
}

/* Is the file a C file? Its name decides, as for nvcc. */
static int is_c(const char *file)
{
    size_t n = strlen(file);
    return n > 2 && !strcmp(file + n - 2, ".c");
}

static int compile_host(
    const struct job *j, const struct place *p, const char *file, const char *object, struct err *e)
{
    struct words w = {0};
    WORDS(&w, p->cxx);
    words_list(&w, j->preprocess.word);
    words_take(&w, xasprintf("-I%s/stubs", p->cuda));
    int c = is_c(file);
    for (size_t i = 0; i < j->both.count; i++)
        if (!c || strncmp(j->both.word[i], "-std=c++", 8)) WORDS(&w, j->both.word[i]);
    host_words(j, p, 0, &w);
    WORDS(&w, "-fPIC");
    if (c) WORDS(&w, "-x", "c");
    dependency_words(j, object, &w);
    WORDS(&w, "-c", file, "-o", object);
    return run(j, &w, e);
}

/* Options for NVIDIA's nvcc that do not depend on the output. Kernels become PTX for 7.5, or for
 * a newer architecture if one is requested. */
static void nvcc_words(const struct job *j, const struct place *p, struct words *w)
{
    int architecture = j->architecture > 75 ? j->architecture : 75;
    const struct maths *m = &j->maths;
    WORDS(w, p->nvcc);
    words_take(
        w, xasprintf("-gencode=arch=compute_%d,code=compute_%d", architecture, architecture));
    WORDS(w, j->debug_device ? "-G" : "-lineinfo");
    words_list(w, j->preprocess.word);
    WORDS(w, "-include");
    words_take(w, xasprintf("%s/lockstep_abi.h", p->cuda));
    words_list(w, j->both.word);
    for (size_t i = 0; i < j->host.count; i++) WORDS(w, "-Xcompiler", j->host.word[i]);
    if (!m->fmad) WORDS(w, "-fmad=false");
    if (m->fast) WORDS(w, "-use_fast_math");
    if (m->ftz) WORDS(w, "-ftz=true");
    if (!m->prec_div) WORDS(w, "-prec-div=false");
    if (!m->prec_sqrt) WORDS(w, "-prec-sqrt=false");
}

/* Compile any source with NVIDIA's nvcc; even a .cpp, which may include CUDA's headers. */
static int nvcc_pass(
    const struct job *j, const struct place *p, const char *file, const char *object, struct err *e)
{
    struct words w = {0};
    if (j->relocatable)
        return err_set(e, ERR_USAGE, "-rdc=true needs clang: apt-get install clang");
    nvcc_words(j, p, &w);
    WORDS(&w, "-no-compress", "-Xcompiler", "-fPIC");
    if (j->optimise >= 0) words_take(&w, xasprintf("-O%d", j->optimise));
    if (j->as_cuda) WORDS(&w, "-x", "cu");
    dependency_words(j, object, &w);
    WORDS(&w, "-c", file, "-o", object);
    return run(j, &w, e);
}

/* For -ptx, -cubin and -fatbin: compile to PTX with NVIDIA's nvcc. */
static int nvcc_ptx(const struct job *j, const struct place *p, const char *file,
    const char *source, const char *ptx, struct err *e)
{
    struct words w = {0};
    nvcc_words(j, p, &w);
    WORDS(&w, "-ptx", "-x", "cu", file, "-o", ptx);
    int status = run(j, &w, e);
    return status || j->dry ? status : mark_source(j, ptx, source, e);
}

static int compile(const struct job *j, const struct place *p, const char *file,
    const char *directory, int number, const char *object, struct err *e)
{
    if (p->nvcc) return nvcc_pass(j, p, file, object, e);
    if (!is_cuda(j, file)) return compile_host(j, p, file, object, e);
    char *ptx = xasprintf("%s/%d.ptx", directory, number), *copy = NULL;
    int status = marks_joined(file, directory, number, &copy, e);
    if (!status) status = device_pass(j, p, copy ? copy : file, file, ptx, e);
    if (!status) status = host_pass(j, p, copy ? copy : file, file, ptx, object, e);
    if (!status && j->relocatable && !j->dry) status = relocatable_mark(object, e);
    if (status > 0) missing_libraries(file);
    free(ptx), free(copy);
    return status;
}

/* For -E, -cuda and -M: preprocess as for the host. */
static int preprocess(const struct job *j, const struct place *p, struct err *e)
{
    int status = 0;
    for (size_t i = 0; i < j->inputs.count && !status; i++) {
        const char *file = j->inputs.word[i];
        struct words w = {0};
        if (p->nvcc)
            nvcc_words(j, p, &w);
        else
            cuda_words(j, p, file, &w), WORDS(&w, "--cuda-host-only"), host_words(j, p, 1, &w);
        WORDS(&w, j->stage == STAGE_DEPENDENCIES ? "-M" : "-E");
        if (j->target) WORDS(&w, "-MT", j->target);
        WORDS(&w, file);
        char *name = beside(j, file, ".cu.cpp.ii");
        if (j->output || j->stage == STAGE_CUDA) WORDS(&w, "-o", j->output ? j->output : name);
        free(name);
        status = run(j, &w, e);
    }
    return status;
}

/* Is the word GNU's library of OpenMP? Beside clang's it would answer for threads that it has not
 * started. */
static int is_gnu_openmp(const char *word)
{
    size_t n = strlen(word), end = strlen("libgomp.so");
    return !strcmp(word, "-lgomp") || (n >= end && !strcmp(word + n - end, "libgomp.so"));
}

static int link_all(
    const struct job *j, const struct place *p, const struct words *objects, struct err *e)
{
    struct words w = {0};
    int openmp = j->openmp && p->openmp;
    WORDS(&w, p->cxx);
    if (j->stage == STAGE_SHARED) WORDS(&w, "-shared");
    words_list(&w, j->both.word);
    for (size_t i = 0; i < j->host.count; i++)
        if (!openmp || strcmp(j->host.word[i], "-fopenmp")) WORDS(&w, j->host.word[i]);
    words_list(&w, objects->word);
    for (size_t i = 0; i < j->link.count; i++)
        if (!openmp || !is_gnu_openmp(j->link.word[i])) WORDS(&w, j->link.word[i]);
    if (openmp) WORDS(&w, p->openmp);
    words_take(&w, xasprintf("-L%s", p->library));
    WORDS(&w, "-llockstep-cudart");
    words_take(&w, xasprintf("-Wl,-rpath,%s", p->library));
    WORDS(&w, "-lpthread", "-ldl", "-lm", "-o", program_name(j));
    return run(j, &w, e);
}

/* For -lib: make an archive of the objects. */
static int archive_all(
    const struct job *j, const struct place *p, const struct words *objects, struct err *e)
{
    struct words w = {0};
    const char *file = program_name(j);
    (void)p;
    char *ar = spawn_find("ar");
    if (!ar) return err_set(e, ERR_ENV, "-lib needs ar: apt-get install binutils");
    words_take(&w, ar);
    WORDS(&w, "rcs");
    words_list(&w, j->archive.word);
    WORDS(&w, file);
    words_list(&w, objects->word);
    if (!j->dry) unlink(file);
    return run(j, &w, e);
}

/* Compile sources to objects, in the job's folder or in the temporary `directory`, and link all
 * objects. */
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
            WORDS(&objects, file);
            continue;
        }
        char *name = beside(j, file, ".o"), *object = keep ? xstrdup(j->output ? j->output : name)
                                                           : xasprintf("%s/%zu.o", directory, i);
        WORDS(&objects, object);
        status = compile(j, p, file, directory, (int)i, object, e);
        free(name), free(object);
    }
    if (!status && !keep)
        status = (j->stage == STAGE_LIBRARY ? archive_all : link_all)(j, p, &objects, e);
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

/* Write an empty object in place of the device link: device code is linked when the program
 * starts. */
static int device_link(const struct job *j, const struct place *p, struct err *e)
{
    struct words w = {0};
    WORDS(&w, p->cxx, "-x", "c", "-c", "/dev/null", "-o", j->output ? j->output : "a_dlink.o");
    return run(j, &w, e);
}

/* For -run: start the program, which the command line names, or which was just made. */
static int start(const struct job *j, const char *program, struct err *e)
{
    struct words w = {0};
    words_take(&w, strchr(program, '/') ? xstrdup(program) : xasprintf("./%s", program));
    words_list(&w, j->arguments.word);
    return run(j, &w, e);
}

/* Is the job's only input a program that is built already? */
static int is_built(const struct job *j)
{
    const char *file = j->inputs.word[0];
    return j->run && j->inputs.count == 1 && !is_cuda(j, file) && !is_source(file) &&
           !access(file, X_OK);
}

int job_run(const struct job *j, const struct place *p, struct err *e)
{
    const char *tmp = getenv("TMPDIR");
    if (is_built(j)) return start(j, j->inputs.word[0], e);
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
    if (!status && j->run && j->stage == STAGE_LINK) return start(j, program_name(j), e);
    return status;
}
