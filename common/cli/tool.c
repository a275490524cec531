/* tool.c - what the tools of CUDA share: their table, options, the run of a program, tables; and
 * compute-sanitizer, which prints what the checks of a run have found. */
#include "cli/tool.h"
#include "os/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static command tool_sanitizer;

/* The tools, by the name under which the program lockstep is called. */
static const struct {
    const char *name;
    command *run;
} tools[] = {{"nvidia-smi", tool_smi}, {"nsys", tool_nsys}, {"nvprof", tool_nvprof},
    {"ncu", tool_ncu}, {"compute-sanitizer", tool_sanitizer}, {"cuda-memcheck", tool_sanitizer}};

int tool_main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        struct err e = {0};
        if (strcmp(name, tools[i].name)) continue;
        int status = tools[i].run(argc - 1, argv + 1, &e);
        fflush(stdout);
        if (status < 0) fprintf(stderr, "%s: %s\n", name, e.text);
        return status < 0 ? e.kind == ERR_USAGE ? 2 : 1 : status;
    }
    return -1;
}

/* ---- options ---- */

/* The option that a word gives; NULL: none. *value: its value in the same word, after '='; else
 * NULL. */
static const struct tool_option *find(
    const struct tool_option *options, const char *word, const char **value)
{
    size_t n = strcspn(word, "=");
    *value = word[n] ? word + n + 1 : NULL;
    for (const struct tool_option *o = options; o->name; o++) {
        const char *const names[] = {o->name, o->other};
        for (int i = 0; i < 2 && names[i]; i++)
            if (strlen(names[i]) == n && !strncmp(word, names[i], n)) return o;
    }
    return NULL;
}

int tool_options(
    int argc, char **argv, const struct tool_option *options, const char *usage, struct err *e)
{
    int i = 0;
    for (; i < argc && *argv[i] == '-'; i++) {
        const char *value;
        const struct tool_option *o = find(options, argv[i], &value);
        if (!o) continue;
        if (o->has_value && !value && ++i < argc) value = argv[i];
        if (o->has_value && !value)
            return err_set(e, ERR_USAGE, "%s: its value is missing", o->name);
        if (o->value) *o->value = value ? value : "";
    }
    return i < argc ? i : err_set(e, ERR_USAGE, "which program? As in: %s", usage);
}

/* ---- the run ---- */

const struct model_profile *tool_gpu(struct err *e)
{
    const char *name = getenv("LOCKSTEP_DEVICE");
    name = name && *name ? device_meant(name) : device_default();
    const struct model_profile *p =
        device_simulated(name) ? model_profile_find(strchr(name, ':') + 1) : NULL;
    if (!p)
        err_set(e, ERR_ENV,
            "the device is %s: use NVIDIA's own tool, or set LOCKSTEP_DEVICE=sim:h200", name);
    return p;
}

/* The path of a program, as a shell finds it. The caller frees it. */
static char *path_of(const char *program)
{
    char *found = strchr(program, '/') ? NULL : spawn_find(program);
    return found ? found : xstrdup(program);
}

static json_t *load(const char *directory, const char *name)
{
    char *file = xasprintf("%s/%s", directory, name);
    json_t *root = json_load_file(file, 0, NULL);
    free(file);
    return root;
}

static int run_in(
    const char *directory, char **argv, int counted, struct tool_run *out, struct err *e)
{
    struct words w = {0};
    char *trace = xasprintf("%s/trace", directory), *report = xasprintf("%s/report", directory);
    setenv("LOCKSTEP_TRACE", trace, 1);
    setenv("LOCKSTEP_JSON", report, 1);
    setenv("LOCKSTEP_COUNT", counted ? "all" : "first", 1);
    words_take(&w, path_of(argv[0]));
    for (int i = 1; argv[i]; i++) WORDS(&w, argv[i]);
    fflush(stdout);
    out->status = access(w.word[0], X_OK) ? err_set(e, ERR_USAGE, "%s: is no program", argv[0])
                                          : spawn_plain(w.word, e);
    words_free(&w);
    free(trace), free(report);
    if (out->status < 0) return -1;
    json_t *timeline = load(directory, "trace");
    out->events = json_incref(json_object_get(timeline, "traceEvents"));
    json_decref(timeline);
    out->report = load(directory, "report");
    if (out->events && out->report) return 0;
    return err_set(e, ERR_ENV, "%s made no call of CUDA by lockstep's runtime", argv[0]);
}

int tool_run(char **argv, int counted, struct tool_run *out, struct err *e)
{
    char directory[] = "/tmp/lockstep-tool.XXXXXX";
    *out = (struct tool_run){.gpu = tool_gpu(e)};
    if (!out->gpu) return -1;
    if (!mkdtemp(directory)) return err_set(e, ERR_ENV, "%s: no folder can be made", directory);
    int bad = run_in(directory, argv, counted, out, e);
    spawn_remove_directory(directory);
    return bad;
}

void tool_run_free(struct tool_run *r) { json_decref(r->events), json_decref(r->report); }

int tool_event_is(const json_t *event, const char *category)
{
    const char *is = json_string_value(json_object_get(event, "cat"));
    return is && !strcmp(is, category);
}

/* ---- tables ---- */

void table_add(struct table *t, const char *fmt, ...)
{
    va_list ap;
    char text[1024];
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    *VEC_PUSH(t->cell, t->count, t->cap) = xstrdup(text);
}

static void print_line(const int *width, int columns, const char *indent, const char *between)
{
    for (int i = 0; i < columns; i++) {
        printf("%s", i ? between : indent);
        for (int k = 0; k < width[i]; k++) putchar('-');
    }
    putchar('\n');
}

void table_print(
    struct table *t, const char *align, const char *indent, const char *between, int framed)
{
    int *width = xcalloc((size_t)t->columns, sizeof *width), columns = t->columns;
    for (size_t i = 0; i < t->count; i++) {
        int n = (int)strlen(t->cell[i]), *w = &width[i % (size_t)columns];
        if (n > *w) *w = n;
    }
    if (framed) print_line(width, columns, indent, between);
    for (size_t i = 0; i < t->count; i++) {
        int c = (int)(i % (size_t)columns), last = c + 1 == columns;
        int left = align[c] == 'l', pad = left && last ? 0 : width[c];
        printf("%s%*s", c ? between : indent, left ? -pad : pad, t->cell[i]);
        if (last) putchar('\n');
        if (last && i < (size_t)columns) print_line(width, columns, indent, between);
        free(t->cell[i]);
    }
    if (framed) print_line(width, columns, indent, between);
    free(t->cell), free(width);
    *t = (struct table){.columns = columns};
}

const char *tool_number(double v, int digits)
{
    static char texts[8][64];
    static int next;
    char plain[48], *out = texts[next = (next + 1) % 8];
    snprintf(plain, sizeof plain, "%.*f", digits, v);
    size_t whole = strcspn(plain, "."), n = 0;
    for (size_t i = 0; plain[i]; i++) {
        out[n++] = plain[i];
        size_t rest = whole - i - 1;
        if (i + 1 < whole && rest % 3 == 0 && plain[i] != '-') out[n++] = ',';
    }
    out[n] = 0;
    return out;
}

/* ---- compute-sanitizer ---- */

/* The kinds of findings that a tool of compute-sanitizer reports, each between blanks. */
static const char *kinds_of(const char *tool)
{
    static const char *const rows[][2] = {
        {"memcheck", " outside misaligned read_only endless assertion trap fault product "},
        {"racecheck", " race early copy "}, {"initcheck", " unfilled "},
        {"synccheck", " barrier lanes "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(tool, rows[i][0])) return rows[i][1];
    return NULL;
}

/* Print the findings of these kinds. Returns how many there are. */
static int print_findings(const json_t *findings, const char *kinds)
{
    int count = 0;
    size_t i;
    const json_t *f;
    json_array_foreach(findings, i, f)
    {
        const char *kind = json_string_value(json_object_get(f, "kind"));
        char *word = xasprintf(" %s ", kind);
        if (strstr(kinds, word))
            printf("========= %s: %s\n", kind, json_string_value(json_object_get(f, "text"))),
                count++;
        free(word);
    }
    return count;
}

static int tool_sanitizer(int argc, char **argv, struct err *e)
{
    const char *tool = "memcheck", *leaks = NULL;
    const struct tool_option options[] = {{"--tool", "-t", 1, &tool},
        {"--leak-check", NULL, 1, &leaks}, {"--log-file", NULL, 1, NULL},
        {"--print-limit", NULL, 1, NULL}, {"--kernel-regex", NULL, 1, NULL},
        {"--kernel-name", NULL, 1, NULL}, {"--launch-count", "-c", 1, NULL},
        {"--launch-skip", "-s", 1, NULL}, {"--error-exitcode", NULL, 1, NULL},
        {"--target-processes", NULL, 1, NULL}, {"--racecheck-report", NULL, 1, NULL},
        {"--report-api-errors", NULL, 1, NULL}, {0}};
    int at = tool_options(argc, argv, options, "compute-sanitizer --tool racecheck ./x", e);
    if (at < 0) return -1;
    const char *kinds = kinds_of(tool);
    if (!kinds)
        return err_set(e, ERR_USAGE,
            "--tool %s: must be one of: memcheck racecheck initcheck synccheck", tool);
    struct tool_run r;
    setenv("LOCKSTEP_CHECK", "warn", 1);
    printf("========= COMPUTE-SANITIZER\n");
    if (tool_run(argv + at, 0, &r, e)) {
        tool_run_free(&r);
        return -1;
    }
    int count = print_findings(json_object_get(r.report, "findings"), kinds);
    if (leaks && !strcmp(leaks, "full"))
        printf("========= LEAK SUMMARY: %d allocations were never freed\n",
            (int)json_integer_value(json_object_get(r.report, "never_freed")));
    printf("========= ERROR SUMMARY: %d error%s\n", count, count == 1 ? "" : "s");
    int status = r.status;
    tool_run_free(&r);
    return status;
}
