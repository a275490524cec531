/* options.c - nvcc's options, one row each, and how each is handled.
 *
 *     -o FILE, -oFILE, --output-file FILE, --output-file=FILE     all forms are accepted
 *
 * Source: the documentation of nvcc, command options. */
#include "nvcc/nvcc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void job_free(struct job *j)
{
    struct words *lists[] = {
        &j->inputs, &j->preprocess, &j->both, &j->host, &j->archive, &j->link, &j->arguments};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) words_free(lists[i]);
    free(j->output), free(j->depfile), free(j->target), free(j->folder), free(j->keep_folder);
}

enum action {
    OUTPUT,
    STAGE,
    STAGE_RELOCATABLE,
    RELOCATABLE,
    PREPROCESS,
    BOTH,
    LINK,
    LINK_LIBRARY,
    COMPILER_LIST,
    LINKER_LIST,
    ARCHIVE_LIST,
    ARGUMENT_LIST,
    RUN,
    SHOW,
    KEEP,
    KEEP_FOLDER,
    FORWARD,
    FMAD,
    FTZ,
    PREC_DIV,
    PREC_SQRT,
    FAST_MATH,
    ASSEMBLER_LIST,
    REGISTERS,
    RESOURCES,
    LANGUAGE,
    ARCHITECTURE,
    STANDARD,
    OPTIMISE,
    DEVICE_DEBUG,
    DEPENDENCIES,
    DEPFILE,
    TARGET,
    VERBOSE,
    DRY,
    FOLDER,
    OPTIONS_FILE,
    SILENT,
    IGNORED,
    REFUSED
};
/* The table of options. value: 0: the option has none; 1: it may be joined to the name ("-Ifoo");
 * 2: it follows a blank or '='. */
static const struct option {
    const char *name, *other;
    int value;
    enum action action;
    int detail;       /* for an action that sets a stage: the stage; for SHOW: what is shown */
    const char *word; /* the option for the compiler, or why the option is rejected */
} options[] = {
    {"-o", "--output-file", 1, OUTPUT},
    {"-c", "--compile", 0, STAGE, STAGE_OBJECT},
    {"-dc", "--device-c", 0, STAGE_RELOCATABLE, STAGE_OBJECT},
    {"-dw", "--device-w", 0, STAGE, STAGE_OBJECT},
    {"-ptx", "--ptx", 0, STAGE, STAGE_PTX},
    {"-cubin", "--cubin", 0, STAGE, STAGE_CUBIN},
    {"-fatbin", "--fatbin", 0, STAGE, STAGE_FATBIN},
    {"-shared", "--shared", 0, STAGE, STAGE_SHARED},
    {"-E", "--preprocess", 0, STAGE, STAGE_PREPROCESS},
    {"-cuda", "--cuda", 0, STAGE, STAGE_CUDA},
    {"-M", "--generate-dependencies", 0, STAGE, STAGE_DEPENDENCIES},
    {"-MM", "--generate-nonsystem-dependencies", 0, STAGE, STAGE_DEPENDENCIES},
    {"-link", "--link", 0, STAGE, STAGE_LINK},
    {"-lib", "--lib", 0, STAGE, STAGE_LIBRARY},
    {"-dlink", "--device-link", 0, STAGE, STAGE_DEVICE_LINK},
    {"-run", "--run", 0, RUN},
    {"-run-args", "--run-args", 2, ARGUMENT_LIST},
    {"-h", "--help", 0, SHOW, SHOW_HELP},
    {"-V", "--version", 0, SHOW, SHOW_VERSION},
    {"-arch-ls", "--list-gpu-arch", 0, SHOW, SHOW_VIRTUAL},
    {"-code-ls", "--list-gpu-code", 0, SHOW, SHOW_REAL},
    {"-include", "--pre-include", 2, PREPROCESS, 0, "-include"},
    {"-isystem", "--system-include", 2, PREPROCESS, 0, "-isystem"},
    {"-I", "--include-path", 1, PREPROCESS, 0, "-I"},
    {"-D", "--define-macro", 1, PREPROCESS, 0, "-D"},
    {"-U", "--undefine-macro", 1, PREPROCESS, 0, "-U"},
    {"-L", "--library-path", 1, LINK, 0, "-L"},
    {"-lineinfo", "--generate-line-info", 0, SILENT},
    {"-l", "--library", 1, LINK_LIBRARY, 0, "-l"},
    {"-Xcompiler", "--compiler-options", 2, COMPILER_LIST},
    {"-Xlinker", "--linker-options", 2, LINKER_LIST},
    {"-Xarchive", "--archive-options", 2, ARCHIVE_LIST},
    {"-x", "--x", 2, LANGUAGE},
    {"-std", "--std", 2, STANDARD},
    {"-O", "--optimize", 1, OPTIMISE},
    {"-g", "--debug", 0, BOTH, 0, "-g"},
    {"-ftemplate-depth", "--ftemplate-depth", 2, BOTH, 0, "-ftemplate-depth="},
    {"-ftemplate-backtrace-limit", "--ftemplate-backtrace-limit", 2, BOTH, 0,
        "-ftemplate-backtrace-limit="},
    {"-pg", "--profile", 0, SILENT},
    {"-G", "--device-debug", 0, DEVICE_DEBUG},
    {"-MD", "--generate-dependencies-with-compile", 0, DEPENDENCIES},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", 0, DEPENDENCIES},
    {"-MF", "--dependency-output", 2, DEPFILE},
    {"-MT", "--dependency-target-name", 2, TARGET},
    {"-MP", "--generate-dependency-targets", 0, SILENT},
    {"-v", "--verbose", 0, VERBOSE},
    {"-dryrun", "--dryrun", 0, DRY},
    {"-w", "--disable-warnings", 0, BOTH, 0, "-w"},
    {"-arch", "--gpu-architecture", 2, ARCHITECTURE},
    {"-code", "--gpu-code", 2, ARCHITECTURE},
    {"-gencode", "--generate-code", 2, ARCHITECTURE},
    {"-m64", NULL, 0, SILENT},
    {"-m", "--machine", 2, SILENT},
    {"-rdc", "--relocatable-device-code", 2, RELOCATABLE},
    {"-odir", "--output-directory", 2, FOLDER},
    {"-optf", "--options-file", 2, OPTIONS_FILE},
    {"-keep", "--keep", 0, KEEP},
    {"-save-temps", "--save-temps", 0, KEEP},
    {"-keep-dir", "--keep-dir", 2, KEEP_FOLDER},
    {"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", 0, FORWARD},
    {"-forward-unknown-opts", "--forward-unknown-opts", 0, FORWARD},
    {"-fmad", "--fmad", 2, FMAD},
    {"-ftz", "--ftz", 2, FTZ},
    {"-prec-div", "--prec-div", 2, PREC_DIV},
    {"-prec-sqrt", "--prec-sqrt", 2, PREC_SQRT},
    {"-use_fast_math", "--use_fast_math", 0, FAST_MATH},
    {"-Xptxas", "--ptxas-options", 2, ASSEMBLER_LIST},
    {"-maxrregcount", "--maxrregcount", 2, REGISTERS},
    {"-res-usage", "--resource-usage", 0, RESOURCES},
    /* ignored without a message: no program could show the effect that nvcc gives them */
    {"-ccbin", "--compiler-bindir", 2, SILENT},
    {"-arbin", "--archiver-binary", 2, SILENT},
    {"-ldir", "--libdevice-directory", 2, SILENT},
    {"-target-dir", "--target-directory", 2, SILENT},
    {"-cudart", "--cudart", 2, SILENT},
    {"-cudadevrt", "--cudadevrt", 2, SILENT},
    {"-t", "--threads", 2, SILENT},
    {"-split-compile", "--split-compile", 2, SILENT},
    {"-split-compile-extended", "--split-compile-extended", 2, SILENT},
    {"-jobserver", "--jobserver", 0, SILENT},
    {"-dlto", "--dlink-time-opt", 0, SILENT},
    {"-dopt", "--dopt", 2, SILENT},
    {"-Ofc", "--Ofast-compile", 2, SILENT},
    {"-extra-device-vectorization", "--extra-device-vectorization", 0, SILENT},
    {"-ewp", "--extensible-whole-program", 0, SILENT},
    {"-compress-mode", "--compress-mode", 2, SILENT},
    {"-no-compress", "--no-compress", 0, SILENT},
    {"-nodlink", "--no-device-link", 0, SILENT},
    {"-keep-device-functions", "--keep-device-functions", 0, SILENT},
    {"-objtemp", "--objdir-as-tempdir", 0, SILENT},
    {"-noprof", "--dont-use-profile", 0, SILENT},
    {"-default-stream", "--default-stream", 2, SILENT},
    {"-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets", 0, SILENT},
    {"-Wno-deprecated-declarations", "--Wno-deprecated-declarations", 0, SILENT},
    {"-Wreorder", "--Wreorder", 0, SILENT},
    {"-Wext-lambda-captures-this", "--Wext-lambda-captures-this", 0, SILENT},
    {"-Werror", "--Werror", 2, SILENT},
    {"-err-no", "--display-error-number", 0, SILENT},
    {"-no-err-no", "--no-display-error-number", 0, SILENT},
    {"-diag-suppress", "--diag-suppress", 2, SILENT},
    {"-diag-warn", "--diag-warn", 2, SILENT},
    {"-diag-error", "--diag-error", 2, SILENT},
    {"-Xcudafe", NULL, 2, SILENT},
    {"-Xnvlink", "--nvlink-options", 2, SILENT},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", 0, SILENT},
    {"-expt-extended-lambda", "--expt-extended-lambda", 0, SILENT},
    {"-extended-lambda", "--extended-lambda", 0, SILENT},
    {"-allow-unsupported-compiler", "--allow-unsupported-compiler", 0, SILENT},
    {"-restrict", "--restrict", 0, SILENT},
    {"-forward-unknown-to-host-linker", "--forward-unknown-to-host-linker", 0, SILENT},
    {"-forward-slash-prefix-opts", "--forward-slash-prefix-opts", 0, SILENT},
    /* ignored with a message: with nvcc, they would have a visible effect */
    {"-e", "--entries", 2, IGNORED},
    {"-src-in-ptx", "--source-in-ptx", 0, IGNORED},
    {"-opt-info", "--optimization-info", 2, IGNORED},
    {"-time", "--time", 2, IGNORED},
    {"-Wdefault-stream-launch", "--Wdefault-stream-launch", 0, IGNORED},
    {"-Wmissing-launch-bounds", "--Wmissing-launch-bounds", 0, IGNORED},
    {"-clean", "--clean-targets", 0, REFUSED, 0, "remove the files by rm"},
    {"-ltoir", "--ltoir", 0, REFUSED, 0, "there is no such form of device code here; use -ptx"},
    {"-optix-ir", "--optix-ir", 0, REFUSED, 0, "there is no OptiX; use -ptx"},
};
enum { OPTIONS = sizeof options / sizeof *options };

/* provided: CUDA's libraries whose functions are in the runtime library; own: those for which the
 * kit has a library of its own. */
static const char *const provided[] = {"cudart", "cudart_static", "cuda", "cudadevrt", "nvToolsExt",
    "nvrtc", "curand", "nvidia-ml", /* without functions: programs that find no nvml.h need none */
    NULL};
static const char *const own[][2] = {{"cublas", "lockstep-cublas"},
    {"cublas_static", "lockstep-cublas"}, {"cublasLt", "lockstep-cublas"},
    {"cublasLt_static", "lockstep-cublas"}, {"cufft", "lockstep-cufft"},
    {"cufft_static", "lockstep-cufft"}, {NULL, NULL}};

/* The next word of a text, in which any of `between` separates words, as a shell reads it: quotes
 * keep what they enclose together and are removed, and a backslash keeps the next character. The
 * caller frees it; NULL: there are no more. */
static char *next_word(const char **text, const char *between)
{
    struct buf word = {0};
    const char *p = *text + strspn(*text, between);
    char quote = 0;
    *text = p;
    if (!*p) return NULL;
    for (; *p && (quote || !strchr(between, *p)); p++) {
        if (quote ? *p == quote : *p == '"' || *p == '\'') {
            quote = quote ? 0 : *p;
            continue;
        }
        p += *p == '\\' && p[1];
        buf_add(&word, p, 1);
    }
    *text = p;
    return word.data ? word.data : xstrdup("");
}

/* Add the words of a list that is separated by commas or blanks. before: a text that is put before
 * each word. */
static void split(struct words *w, const char *list, const char *before)
{
    for (char *word; (word = next_word(&list, ", "));) {
        if (before) WORDS(w, before);
        words_take(w, word);
    }
}

static int read_words(int argc, const char *const *argv, struct job *j, struct err *e);

static int read_options_file(struct job *j, const char *file, struct err *e)
{
    struct words w = {0};
    char *text = NULL;
    if (file_read(file, 1 << 20, &text, NULL, e)) return -1;
    const char *p = text;
    for (char *word; (word = next_word(&p, " \t\r\n"));) words_take(&w, word);
    int bad = read_words((int)w.count, w.word, j, e);
    words_free(&w);
    free(text);
    return bad;
}

/* Raise j->architecture to the newest architecture in a value such as
 * "compute_70,code=[sm_80,sm_90]". */
static void newest(struct job *j, const char *value)
{
    for (const char *p = value; (p = strchr(p, '_')); p++)
        if (atoi(p + 1) > j->architecture) j->architecture = atoi(p + 1);
    if (!strncmp(value, "native", 6) || !strncmp(value, "all", 3)) j->architecture = 90;
}

/* Add a word for the host compiler only. */
static void add_host(struct job *j, const char *word)
{
    WORDS(&j->host, word);
    j->openmp |= !strcmp(word, "-fopenmp");
}

/* Add a word for ptxas, of which only -v has an effect. */
static void add_assembler(struct job *j, const char *word)
{
    if (!strcmp(word, "-v") || !strcmp(word, "--verbose"))
        j->resources = 1;
    else
        fprintf(stderr, "lockstep-nvcc: note: -Xptxas %s has no effect here\n", word);
}

/* The value of an option that is true or false. */
static int truth(const char *value)
{
    return !strcmp(value, "true") || !strcmp(value, "1") || !strcmp(value, "on");
}

static int set(struct job *j, const struct option *o, const char *value, struct err *e)
{
    struct words list = {0};
    switch (o->action) {
    case OUTPUT: free(j->output), j->output = xstrdup(value); break;
    case STAGE: j->stage = (enum stage)o->detail; break;
    case STAGE_RELOCATABLE: j->stage = (enum stage)o->detail, j->relocatable = 1; break;
    case RELOCATABLE: j->relocatable = truth(value); break;
    case PREPROCESS:
        if (o->value == 2)
            WORDS(&j->preprocess, o->word, value);
        else
            words_take(&j->preprocess, xasprintf("%s%s", o->word, value));
        break;
    case BOTH: words_take(&j->both, xasprintf("%s%s", o->word, value ? value : "")); break;
    case LINK: words_take(&j->link, xasprintf("%s%s", o->word, value)); break;
    case LINK_LIBRARY:
        for (const char *const *p = provided; *p; p++)
            if (!strcmp(*p, value)) return 0;
        for (int i = 0; own[i][0]; i++)
            if (!strcmp(own[i][0], value)) value = own[i][1];
        missing_library(value);
        words_take(&j->link, xasprintf("-l%s", value));
        break;
    case COMPILER_LIST:
        split(&list, value, NULL);
        for (size_t i = 0; i < list.count; i++) add_host(j, list.word[i]);
        words_free(&list);
        break;
    case ASSEMBLER_LIST:
        split(&list, value, NULL);
        for (size_t i = 0; i < list.count; i++) add_assembler(j, list.word[i]);
        words_free(&list);
        break;
    case REGISTERS: j->most_registers = atoi(value); break;
    case RESOURCES: j->resources = 1; break;
    case LINKER_LIST: split(&j->link, value, "-Xlinker"); break;
    case ARCHIVE_LIST: split(&j->archive, value, NULL); break;
    case ARGUMENT_LIST: split(&j->arguments, value, NULL); break;
    case RUN: j->run = 1; break;
    case SHOW: j->show = (enum show)o->detail; break;
    case KEEP: j->keep = 1; break;
    case KEEP_FOLDER: free(j->keep_folder), j->keep_folder = xstrdup(value); break;
    case FORWARD: j->forward = 1; break;
    case FMAD: j->maths.fmad = truth(value); break;
    case FTZ: j->maths.ftz = truth(value); break;
    case PREC_DIV: j->maths.prec_div = truth(value); break;
    case PREC_SQRT: j->maths.prec_sqrt = truth(value); break;
    case FAST_MATH: j->maths = (struct maths){.fmad = 1, .ftz = 1, .fast = 1}; break;
    case LANGUAGE: j->as_cuda = !strcmp(value, "cu") || !strcmp(value, "cuda"); break;
    case ARCHITECTURE: newest(j, value); break;
    case STANDARD: words_take(&j->both, xasprintf("-std=%s", value)), j->has_std = 1; break;
    case OPTIMISE: j->optimise = atoi(value); break;
    case DEVICE_DEBUG: j->debug_device = 1, WORDS(&j->both, "-g"); break;
    case DEPENDENCIES: j->dependencies = 1; break;
    case DEPFILE: free(j->depfile), j->depfile = xstrdup(value), j->dependencies = 1; break;
    case TARGET: free(j->target), j->target = xstrdup(value); break;
    case FOLDER: free(j->folder), j->folder = xstrdup(value); break;
    case OPTIONS_FILE: return read_options_file(j, value, e);
    case VERBOSE: j->verbose = 1; break;
    case DRY: j->dry = j->verbose = 1; break;
    case SILENT: break;
    case IGNORED: fprintf(stderr, "lockstep-nvcc: note: %s has no effect here\n", o->name); break;
    case REFUSED: return err_set(e, ERR_USAGE, "%s: %s", o->name, o->word);
    }
    return 0;
}

/* The option that a word is. *value: where the option's value begins in the word; NULL: the value
 * is the next word. */
static const struct option *find(const char *word, const char **value)
{
    const struct option *joined = NULL;
    for (int i = 0; i < OPTIONS; i++) {
        const char *const names[] = {options[i].name, options[i].other};
        for (int k = 0; k < 2 && names[k]; k++) {
            size_t n = strlen(names[k]);
            if (strncmp(word, names[k], n)) continue;
            *value = NULL;
            if (!word[n]) return &options[i];
            if (options[i].value && word[n] == '=') {
                *value = word + n + 1;
                return &options[i];
            }
            if (options[i].action == OPTIMISE && (!isdigit((unsigned char)word[n]) || word[n + 1]))
                continue;
            if (options[i].value == 1 && !k) joined = &options[i];
        }
    }
    if (joined) *value = word + strlen(joined->name);
    return joined;
}

/* Handle an option that nvcc does not have: it may be one of the host compiler. nvcc passes such
 * options on only if it is told to; a note says so, since the same command should work with
 * nvcc. */
static int unknown(struct job *j, const char *word, struct err *e)
{
    if (!j->forward && !strchr("WfmO", word[1]))
        return err_set(e, ERR_USAGE, "%s: is no option of nvcc that lockstep-nvcc knows", word);
    if (!j->forward)
        fprintf(stderr, "lockstep-nvcc: note: nvcc would not take %s; write -Xcompiler %s\n", word,
            word);
    add_host(j, word);
    return 0;
}

static int read_words(int argc, const char *const *argv, struct job *j, struct err *e)
{
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i], *value = NULL;
        if (*word != '-') {
            WORDS(&j->inputs, word);
            continue;
        }
        const struct option *o = find(word, &value);
        if (!o && unknown(j, word, e)) return -1;
        if (!o) continue;
        int level = i + 1 < argc && strlen(argv[i + 1]) == 1 && strchr("0123", *argv[i + 1]);
        if (o->action == OPTIMISE && !value && !level) value = "1";
        if (o->value && !value && ++i == argc)
            return err_set(e, ERR_USAGE, "%s: its value is missing", word);
        if (o->value && !value) value = argv[i];
        if (set(j, o, value, e)) return -1;
    }
    return 0;
}

/* Is --forward-unknown-to-host-compiler anywhere in the command line? It also applies to unknown
 * options before it. */
static int forwards(int argc, char **argv)
{
    const char *value;
    for (int i = 1; i < argc; i++) {
        const struct option *o = *argv[i] == '-' ? find(argv[i], &value) : NULL;
        if (o && o->action == FORWARD) return 1;
    }
    return 0;
}

int options_read(int argc, char **argv, struct job *j, struct err *e)
{
    *j = (struct job){.stage = STAGE_LINK,
        .optimise = -1,
        .forward = forwards(argc, argv),
        .maths = {.fmad = 1, .prec_div = 1, .prec_sqrt = 1}};
    return read_words(argc - 1, (const char *const *)argv + 1, j, e);
}

int options_inputs(const struct job *j, struct err *e)
{
    if (!j->inputs.count) return err_set(e, ERR_USAGE, "there is no input file");
    for (size_t i = 0; i < j->inputs.count; i++)
        if (!file_exists(j->inputs.word[i]))
            return err_set(e, ERR_USAGE,
                "%s: there is no such file; with lockstep run, a program's arguments follow --",
                j->inputs.word[i]);
    return 0;
}
