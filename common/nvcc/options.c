/* options.c - nvcc's options, one row each, and how each is handled.
 *
 *     -o FILE, -oFILE, --output-file FILE, --output-file=FILE     all forms are accepted
 *
 * Source: the documentation of nvcc, command options. */
#include "nvcc/nvcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void job_free(struct job *j)
{
    words_free(&j->inputs), words_free(&j->preprocess), words_free(&j->host), words_free(&j->link);
    free(j->output), free(j->depfile), free(j->target), free(j->folder);
}

enum action {
    OUTPUT,
    STAGE,
    STAGE_RELOCATABLE,
    RELOCATABLE,
    PREPROCESS,
    HOST,
    LINK,
    LINK_LIBRARY,
    COMPILER_LIST,
    LINKER_LIST,
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
    WARNINGS_OFF,
    REFUSED
};
/* The table of options. value: 0 the option has none; 1 it may be joined ("-Ifoo"); 2 it follows a
 * blank or '='. */
static const struct option {
    const char *name, *other;
    int value;
    enum action action;
    int detail;       /* for an action that sets a stage: the stage */
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
    {"-x", "--x", 2, LANGUAGE},
    {"-std", "--std", 2, STANDARD},
    {"-O", "--optimize", 1, OPTIMISE},
    {"-g", "--debug", 0, HOST, 0, "-g"},
    {"-pg", "--profile", 0, SILENT},
    {"-G", "--device-debug", 0, DEVICE_DEBUG},
    {"-MD", "--generate-dependencies-with-compile", 0, DEPENDENCIES},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", 0, DEPENDENCIES},
    {"-MF", "--dependency-output", 2, DEPFILE},
    {"-MT", "--dependency-target-name", 2, TARGET},
    {"-MP", "--generate-dependency-targets", 0, SILENT},
    {"-v", "--verbose", 0, VERBOSE},
    {"-dryrun", "--dryrun", 0, DRY},
    {"-w", "--disable-warnings", 0, WARNINGS_OFF},
    {"-arch", "--gpu-architecture", 2, ARCHITECTURE},
    {"-code", "--gpu-code", 2, ARCHITECTURE},
    {"-gencode", "--generate-code", 2, ARCHITECTURE},
    {"-m64", NULL, 0, SILENT},
    {"-m", "--machine", 1, SILENT},
    {"-rdc", "--relocatable-device-code", 2, RELOCATABLE},
    {"-ccbin", "--compiler-bindir", 2, SILENT},
    {"-cudart", "--cudart", 2, SILENT},
    {"-t", "--threads", 2, SILENT},
    {"-odir", "--output-directory", 2, FOLDER},
    {"-optf", "--options-file", 2, OPTIONS_FILE},
    {"-default-stream", "--default-stream", 2, SILENT},
    {"-res-usage", "--resource-usage", 0, SILENT},
    {"-keep", "--keep", 0, SILENT},
    {"-keep-dir", "--keep-dir", 2, SILENT},
    {"-Wno-deprecated-gpu-targets", NULL, 0, SILENT},
    {"-diag-suppress", "--diag-suppress", 2, SILENT},
    {"-Xcudafe", NULL, 2, SILENT},
    {"-Xnvlink", "--nvlink-options", 2, SILENT},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", 0, SILENT},
    {"-expt-extended-lambda", "--expt-extended-lambda", 0, SILENT},
    {"-extended-lambda", "--extended-lambda", 0, SILENT},
    {"-allow-unsupported-compiler", "--allow-unsupported-compiler", 0, SILENT},
    {"-Werror", "--Werror", 2, SILENT},
    {"-restrict", "--restrict", 0, SILENT},
    {"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", 0, SILENT},
    {"-Xptxas", "--ptxas-options", 2, IGNORED},
    {"-maxrregcount", "--maxrregcount", 2, IGNORED},
    {"-use_fast_math", "--use_fast_math", 0, IGNORED},
    {"-ftz", "--ftz", 2, IGNORED},
    {"-prec-div", "--prec-div", 2, IGNORED},
    {"-prec-sqrt", "--prec-sqrt", 2, IGNORED},
    {"-fmad", "--fmad", 2, IGNORED},
    {"-dlink", "--device-link", 0, STAGE, STAGE_DEVICE_LINK},
    {"-lib", "--lib", 0, REFUSED, 0, "make the archive with ar"},
};
enum { OPTIONS = sizeof options / sizeof *options };

/* CUDA's libraries whose functions are in the runtime library, and those for which the kit has a
 * library. */
static const char *const provided[] = {
    "cudart", "cudart_static", "cuda", "cudadevrt", "nvToolsExt", "nvrtc", "curand", NULL};
static const char *const own[][2] = {{"cublas", "lockstep-cublas"},
    {"cublas_static", "lockstep-cublas"}, {"cublasLt", "lockstep-cublas"},
    {"cublasLt_static", "lockstep-cublas"}, {"cufft", "lockstep-cufft"},
    {"cufft_static", "lockstep-cufft"}, {NULL, NULL}};

/* Add each of the words in a list separated by commas or blanks. before: a text that is put before
 * each word. */
static void split(struct words *w, const char *list, const char *before)
{
    while (*list) {
        size_t n = strcspn(list, ", ");
        if (n && before) WORDS(w, before);
        if (n) words_take(w, xstrndup(list, n));
        list += n + !!list[n];
    }
}

static int read_words(int argc, const char *const *argv, struct job *j, struct err *e);

/* Read options from a file, separated by blanks; an option that contains blanks is in double
 * quotes. */
static int read_options_file(struct job *j, const char *file, struct err *e)
{
    struct words w = {0};
    char *text = NULL;
    if (file_read(file, 1 << 20, &text, NULL, e)) return -1;
    for (char *p = text + strspn(text, " \t\r\n"); *p; p += strspn(p, " \t\r\n")) {
        struct buf word = {0};
        for (int quoted = 0; *p && (quoted || !strchr(" \t\r\n", *p)); p++)
            if (*p == '"')
                quoted = !quoted;
            else
                buf_add(&word, p + (*p == '\\' && p[1]), 1), p += *p == '\\' && p[1];
        WORDS(&w, word.data ? word.data : "");
        buf_free(&word);
    }
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

static int set(struct job *j, const struct option *o, const char *value, struct err *e)
{
    switch (o->action) {
    case OUTPUT: free(j->output), j->output = xstrdup(value); break;
    case STAGE: j->stage = (enum stage)o->detail; break;
    case STAGE_RELOCATABLE: j->stage = (enum stage)o->detail, j->relocatable = 1; break;
    case RELOCATABLE: j->relocatable = !strcmp(value, "true"); break;
    case PREPROCESS:
        if (o->value == 2)
            WORDS(&j->preprocess, o->word, value);
        else
            words_take(&j->preprocess, xasprintf("%s%s", o->word, value));
        break;
    case HOST: WORDS(&j->host, o->word); break;
    case LINK: words_take(&j->link, xasprintf("%s%s", o->word, value)); break;
    case LINK_LIBRARY:
        for (const char *const *p = provided; *p; p++)
            if (!strcmp(*p, value)) return 0;
        for (int i = 0; own[i][0]; i++)
            if (!strcmp(own[i][0], value)) value = own[i][1];
        if (value) words_take(&j->link, xasprintf("-l%s", value));
        break;
    case COMPILER_LIST: split(&j->host, value, NULL); break;
    case LINKER_LIST: split(&j->link, value, "-Xlinker"); break;
    case LANGUAGE: j->as_cuda = !strcmp(value, "cu") || !strcmp(value, "cuda"); break;
    case ARCHITECTURE: newest(j, value); break;
    case STANDARD: words_take(&j->host, xasprintf("-std=%s", value)), j->has_std = 1; break;
    case OPTIMISE: j->optimise = atoi(value); break;
    case DEVICE_DEBUG: j->debug_device = 1, WORDS(&j->host, "-g"); break;
    case DEPENDENCIES: j->dependencies = 1; break;
    case DEPFILE: free(j->depfile), j->depfile = xstrdup(value), j->dependencies = 1; break;
    case TARGET: free(j->target), j->target = xstrdup(value); break;
    case FOLDER: free(j->folder), j->folder = xstrdup(value); break;
    case OPTIONS_FILE: return read_options_file(j, value, e);
    case VERBOSE: j->verbose = 1; break;
    case DRY: j->dry = j->verbose = 1; break;
    case WARNINGS_OFF: WORDS(&j->host, "-w"); break;
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
            if (options[i].value == 1 && !k) joined = &options[i];
        }
    }
    if (joined) *value = word + strlen(joined->name);
    return joined;
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
        if (!o && (word[1] == 'W' || word[1] == 'f')) {
            /* options of the host compiler are passed on, since users of nvcc give them by mistake,
             * too */
            WORDS(&j->host, word);
            continue;
        }
        if (!o)
            return err_set(e, ERR_USAGE, "%s: is no option of nvcc that lockstep-nvcc knows", word);
        int level = i + 1 < argc && strlen(argv[i + 1]) == 1 && strchr("0123", *argv[i + 1]);
        if (o->action == OPTIMISE && !value && !level) value = "1";
        if (o->value && !value && ++i == argc)
            return err_set(e, ERR_USAGE, "%s: its value is missing", word);
        if (o->value && !value) value = argv[i];
        if (set(j, o, value, e)) return -1;
    }
    return 0;
}

int options_read(int argc, char **argv, struct job *j, struct err *e)
{
    *j = (struct job){.stage = STAGE_LINK, .optimise = 3};
    if (read_words(argc - 1, (const char *const *)argv + 1, j, e)) return -1;
    if (!j->inputs.count) return err_set(e, ERR_USAGE, "there is no input file");
    for (size_t i = 0; i < j->inputs.count; i++)
        if (!file_exists(j->inputs.word[i]))
            return err_set(e, ERR_USAGE,
                "%s: there is no such file; with lockstep run, a program's arguments follow --",
                j->inputs.word[i]);
    return 0;
}
