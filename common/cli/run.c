/* run.c - lockstep run: build a whole CUDA program and run it.
 *
 *     FILE.cu -I.. -D.. -- lockstep-nvcc --> a temporary folder/program -┐
 *     an executable -----------------------------------------------------┴-- arguments --> its exit status
 *
 * lockstep-nvcc is in the same folder as this program. The words after -- are passed to the
 * program that is run. */
#include "cli/cli.h"
#include "os/os.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Options that are passed to the program's runtime as environment variables. */
static const struct {
    const char *option, *variable;
    /* the allowed values, separated by blanks; SECONDS: a number of seconds; SEED: "random:" and a
     * number from 1 on; NULL: any value */
    const char *values;
} settings[] = {
    {"--device", "LOCKSTEP_DEVICE"},
    {"--trace", "LOCKSTEP_TRACE"},
    {"--json", "LOCKSTEP_JSON"},
    {"--profile", "LOCKSTEP_PROFILE"},
    {"--html", "LOCKSTEP_PROFILE_PAGE"},
    {"--check", "LOCKSTEP_CHECK", "warn stop lenient off"},
    {"--limit", "LOCKSTEP_LIMIT", "SECONDS"},
    {"--order", "LOCKSTEP_ORDER", "SEED"},
    {"--count", "LOCKSTEP_COUNT", "all first"},
    {"--dump", "LOCKSTEP_DUMP"},
};
enum { DEVICE, SETTINGS = sizeof settings / sizeof *settings };

/* The words of the command line, by purpose. */
struct request {
    const char *quiet, *setting[SETTINGS];
    /* words for lockstep-nvcc: files and options. The array has space for one word more than argv
     * has */
    const char **build;
    int build_count, files;
    const char *program; /* an executable instead of a source; NULL: none */
    char **arguments;    /* the arguments of the program that is run; ends at NULL */
};

static const char usage[] = "lockstep run my.cu -I include -- arguments of the program";

/* Judging by its name, is the word a file that lockstep-nvcc compiles or links? */
static int is_input(const char *word)
{
    static const char *const ends[] = {".cu", ".c", ".cc", ".cpp", ".cxx", ".o", ".a", ".so"};
    const char *dot = strrchr(word, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(dot, ends[i])) return 1;
    return 0;
}

/* Is the value of option i allowed: one of the words that the option allows, or a number of
 * seconds? -1 with an error. */
static int check_setting(int i, const char *value, struct err *e)
{
    const char *values = settings[i].values, *at = values ? strstr(values, value) : value;
    char *end;
    size_t n = strlen(value);
    if (values && !strcmp(values, "SECONDS")) {
        if (strtod(value, &end) > 0 && !*end) return 0;
        return err_set(
            e, ERR_USAGE, "%s %s: a number of seconds, such as 60", settings[i].option, value);
    }
    if (values && !strcmp(values, "SEED")) {
        if (!strncmp(value, "random:", 7) && value[7] >= '1' && value[7] <= '9' &&
            strspn(value + 7, "0123456789") == strlen(value + 7))
            return 0;
        return err_set(e, ERR_USAGE, "%s %s: random: and a number from 1 on, such as random:7",
            settings[i].option, value);
    }
    if (at && (!values || (n && (at == values || at[-1] == ' ') && (!at[n] || at[n] == ' '))))
        return 0;
    return err_set(e, ERR_USAGE, "%s %s: must be one of: %s", settings[i].option, value, values);
}

/* Read one of this command's own options: --name VALUE, --name=VALUE, or --quiet. Returns how many
 * words it has; 0: this is none of them; -1: an error. */
static int read_own(struct request *q, int left, char **word, struct err *e)
{
    for (int i = 0; i <= SETTINGS; i++) {
        const char *name = i < SETTINGS ? settings[i].option : "--quiet";
        const char **value = i < SETTINGS ? &q->setting[i] : &q->quiet;
        const struct option_spec specs[] = {{name, value, i == SETTINGS}, {0}};
        size_t n = strlen(name);
        if (strncmp(*word, name, n) || ((*word)[n] && (*word)[n] != '=')) continue;
        int words = specs[0].is_flag || (*word)[n] || left == 1 ? 1 : 2;
        if (options_parse(words, word, specs, NULL, 0, e)) return -1;
        return i < SETTINGS && check_setting(i, q->setting[i], e) ? -1 : words;
    }
    return 0;
}

/* Sort the words of the command line by purpose. Only lockstep-nvcc knows its own options; here a
 * word after such an option may be that option's value. */
static int read_words(struct request *q, int argc, char **argv, struct err *e)
{
    for (int i = 0; i < argc; i++) {
        char *word = argv[i];
        const char *last = q->build_count ? q->build[q->build_count - 1] : "";
        int is_value = *last == '-' && last == argv[i - 1];
        if (!strcmp(word, "--")) {
            q->arguments = argv + i + 1;
            break;
        }
        int own = read_own(q, argc - i, argv + i, e);
        if (own < 0) return -1;
        if (own) {
            i += own - 1;
        } else if (!strcmp(word, "-o") || !strncmp(word, "--output-file", 13)) {
            return err_set(
                e, ERR_USAGE, "%s: the program is kept nowhere; for example: %s", word, usage);
        } else if (*word == '-' || is_input(word) || is_value) {
            q->build[q->build_count++] = word;
            q->files += is_input(word);
        } else if (!q->program && !q->files) {
            q->program = word;
        } else {
            return err_set(e, ERR_USAGE,
                "%s: is no source file; the program's arguments follow --, as in: %s", word, usage);
        }
    }
    return 0;
}

static int check_request(const struct request *q, struct err *e)
{
    struct stat st;
    if (!q->files && !q->program)
        return err_set(e, ERR_USAGE, "%s%srun needs a file, for example: %s",
            q->build_count ? q->build[0] : "", q->build_count ? ": " : "", usage);
    if (q->program && q->build_count)
        return err_set(e, ERR_USAGE, "%s: is for lockstep-nvcc, and %s is built already",
            q->build[0], q->program);
    if (q->program && stat(q->program, &st))
        return err_set(e, ERR_USAGE, "%s: there is no such file", q->program);
    if (q->program && (!S_ISREG(st.st_mode) || access(q->program, X_OK)))
        return err_set(
            e, ERR_USAGE, "%s: is neither a source file (.cu, .cpp) nor a program", q->program);
    const char *device = q->setting[DEVICE];
    if (!device) return 0;
    struct device *d;
    if (device_simulated(device) || strncmp(device, "cuda", 4)) {
        if (device_open(device, &d, e)) return -1;
        device_close(d);
    }
    return 0;
}

/* The path of lockstep-nvcc, beside this program. The caller frees it. NULL with an error. */
static char *compiler(struct err *e)
{
    char self[PATH_MAX];
    os_program(self);
    char *slash = strrchr(self, '/');
    char *path = xasprintf("%.*s/lockstep-nvcc", (int)(slash ? slash - self : 0), self);
    if (file_exists(path)) return path;
    err_set(e, ERR_ENV, "%s is not there: build it with make programs", path);
    free(path);
    return NULL;
}

/* Compile the program. Returns the compiler's exit status, or -1 with an error. */
static int build(const struct request *q, const char *program, struct err *e)
{
    char *nvcc = compiler(e);
    if (!nvcc) return -1;
    const char **argv = xcalloc((size_t)q->build_count + 4, sizeof *argv);
    argv[0] = nvcc, argv[1] = "-o", argv[2] = program;
    for (int i = 0; i < q->build_count; i++) argv[i + 3] = q->build[i];
    int status = spawn_plain(argv, e);
    free(argv);
    free(nvcc);
    return status;
}

static int run(const struct request *q, const char *program, struct err *e)
{
    static char *none[] = {NULL};
    char **arguments = q->arguments ? q->arguments : none;
    int count = 0;
    while (arguments[count]) count++;
    const char **argv = xcalloc((size_t)count + 2, sizeof *argv);
    argv[0] = program;
    for (int i = 0; i < count; i++) argv[i + 1] = arguments[i];
    for (int i = 0; i < SETTINGS; i++)
        if (q->setting[i]) setenv(settings[i].variable, q->setting[i], 1);
    if (!q->quiet) setenv("LOCKSTEP_REPORT", "1", 0);
    int status = spawn_plain(argv, e);
    free(argv);
    return status;
}

static void nothing(int signal) { (void)signal; }

static int build_and_run(const struct request *q, struct err *e)
{
    struct kit kit;
    if (kit_find(&kit, e)) return -1;
    int status = -1;
    char *directory = kit_temporary(&kit, e),
         *program = xasprintf("%s/program", directory ? directory : "");
    /* Ctrl-C ends the compiler or the program; this process continues, to remove the temporary
     * folder */
    signal(SIGINT, nothing);
    if (directory) status = build(q, program, e);
    if (directory && !status && access(program, X_OK))
        status = err_set(e, ERR_USAGE,
            "these options make no program; give those such as -c, -E and -ptx to "
            "lockstep-nvcc");
    else if (directory && !status)
        status = run(q, program, e);
    if (directory) spawn_remove_directory(directory);
    free(program), free(directory);
    kit_free(&kit);
    return status;
}

int command_run(int argc, char **argv, struct err *e)
{
    struct request q = {.build = xcalloc((size_t)argc + 1, sizeof *q.build)};
    int status = -1;
    if (!read_words(&q, argc, argv, e) && !check_request(&q, e)) {
        if (q.program) {
            char *path = strchr(q.program, '/') ? xstrdup(q.program) : xasprintf("./%s", q.program);
            status = run(&q, path, e);
            free(path);
        } else {
            status = build_and_run(&q, e);
        }
    }
    free(q.build);
    return status;
}
