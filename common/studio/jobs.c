/* jobs.c - runs the commands of the program lockstep that the page requests, each in a child.
 *
 *     run?job=lab&file=02-coalesced/matmul.cu ──> queue ──> lockstep lab 02-coalesced matmul ...
 *     each line, or all that was printed at once ──> an event {"job", "file", "out"}
 *     the end of the child                       ──> an event {"job", "file", "ended"}
 *
 * The child is the kit's own (os/child.c), and what it starts is confined as in a terminal. */
#define _GNU_SOURCE
#include "studio/studio_private.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNNING = 3, JOBS_MOST = 40, PRINTED_MOST = 24 << 20 };

/* A row is a job. In its command, @x stands for the value of x; if x has no value, the word is left
 * out, and so is an option before it. @launch: the words of the line "// launch: ..." of the file.
 * whole: the output is one JSON value, or text, and is sent when the child has ended; else each
 * line is sent as it comes. */
#define EXERCISE "--lab @lab --exercise @exercise --student @student --device @device"
static const struct kind {
    const char *name;
    int whole;
    const char *command;
} kinds[] = {
    {"labs", 1, "labs --student @student --format json"},
    {"devices", 1, "devices --format json"},
    {"hint", 1, "hint @lab @exercise @number --student @student --format json"},
    {"slide", 1, "slide @lab @exercise --format json"},
    {"figures", 0, "slide @lab @exercise --format json --figures"},
    {"ncu", 1, "ncu @lab @exercise --student @student --device @device --format json"},
    {"lab", 0, "lab @lab @exercise --student @student --format json --device @device"},
    {"profile", 1, "profile " EXERCISE " --json --pictures --ptx"},
    {"page", 1, "profile " EXERCISE " --html -"},
    {"step", 1, "step " EXERCISE " --kernel @kernel --warp @warp --size @size --json"},
    {"compare", 1, "compare @lab @exercise --student @student --devices @device --format json"},
    {"play", 1, "profile @path --device @device --json --pictures --ptx @launch"},
    {"playpage", 1, "profile @path --device @device --html - @launch"},
    {"playstep", 1, "step @path --device @device --json --warp @warp @launch"},
    {0},
};

const char *const job_values[JOB_VALUES] = {"device", "kernel", "warp", "number", "size"};

static struct job {
    const struct kind *kind; /* NULL: this entry is unused */
    struct job_values values;
    struct words words;
    struct child child; /* pid 0: the job waits in the queue */
    struct buf printed;
    unsigned long order;
} jobs[JOBS_MOST];
static unsigned long orders;

/* ---- the command line ---- */

/* Is a word of a value or of a launch line harmless? A value must not be an option, and a launch
 * line may contain only some options, since others name files to write. */
static int is_plain(const char *word, int launch)
{
    static const char *const options[] = {"--kernel", "--grid", "--block", "--shared"};
    for (size_t i = 0; launch && i < sizeof options / sizeof *options; i++)
        if (!strcmp(word, options[i])) return 1;
    if (launch && !strncmp(word, "-D", 2)) word += 2;
    return *word != '-' && strlen(word) < 400 &&
           !word[strspn(
               word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:=+-<>{}")];
}

/* Add the words of the file's line "// launch: ...". */
static int add_launch(struct words *w, struct folder *folder, const char *file, struct err *e)
{
    char *text, version[VERSION], *rest, *line;
    if (folder_read(folder, file, &text, version))
        return err_set(e, ERR_USAGE, "%s: cannot be read", file);
    char *at = strstr(text, "// launch:");
    int bad = !at, count = 0;
    if (bad)
        err_set(e, ERR_USAGE,
            "%s needs a line such as: // launch: --kernel add --grid 4 --block 256 i32:1024 "
            "buf:f32:1024:iota",
            file);
    line = at ? xstrndup(at + 10, strcspn(at + 10, "\r\n")) : NULL;
    rest = line;
    for (char *word; !bad && (word = strsep(&rest, " \t"));) {
        if (!*word) continue;
        if (!is_plain(word, 1) || ++count > 64)
            bad = err_set(e, ERR_USAGE, "%s: %.60s may not stand in a line // launch:", file, word);
        else
            words_take(w, xstrdup(word));
    }
    free(line);
    free(text);
    return bad ? -1 : 0;
}

/* The value for a word @name of a command; "": there is none. The caller frees it. */
static char *value_of(const struct jobs_options *o, const struct job_values *v, const char *name)
{
    const char *slash = strchr(v->file, '/'), *dot = strrchr(v->file, '.');
    if (!strcmp(name, "@student")) return xstrdup(o->student);
    if (!strcmp(name, "@path")) return xasprintf("%s/%s", o->student, v->file);
    if (!strcmp(name, "@lab")) return xstrndup(v->file, (size_t)(slash - v->file));
    if (!strcmp(name, "@exercise")) return xstrndup(slash + 1, (size_t)(dot - slash) - 1);
    if (!strcmp(name, "@device") && !*v->value[0]) return xstrdup(o->device ? o->device : "");
    for (int i = 0; i < JOB_VALUES; i++)
        if (!strcmp(name + 1, job_values[i])) return xstrdup(v->value[i]);
    BUG("no value %s", name);
}

static int make_words(
    struct job *j, const struct jobs_options *o, struct folder *folder, struct err *e)
{
    char *words = xstrdup(j->kind->command), *rest = words;
    int bad = 0;
    WORDS(&j->words, o->program);
    for (char *word; !bad && (word = strsep(&rest, " "));) {
        char *value =
            *word == '@' && strcmp(word, "@launch") ? value_of(o, &j->values, word) : NULL;
        if (!strcmp(word, "@launch"))
            bad = add_launch(&j->words, folder, j->values.file, e);
        else if (!value || *value)
            words_take(&j->words, value ? value : xstrdup(word));
        else if (free(value), !strncmp(j->words.word[j->words.count - 1], "--", 2))
            words_cut(&j->words, j->words.count - 1);
    }
    free(words);
    return bad;
}

static int check(const struct kind *k, const struct job_values *v, struct err *e)
{
    int play = strstr(k->command, "@launch") != NULL, file = play || strstr(k->command, "@lab");
    for (int i = 0; i < JOB_VALUES; i++)
        if (!is_plain(v->value[i], 0)) return err_set(e, ERR_USAGE, "a value is not as it must be");
    if (file && (!folder_names(v->file) || play != !strncmp(v->file, "play/", 5)))
        return err_set(e, ERR_USAGE, "%s is about another file", k->name);
    return 0;
}

/* ---- running ---- */

static void job_free(struct job *j)
{
    child_end(&j->child);
    words_free(&j->words);
    buf_free(&j->printed);
    *j = (struct job){0};
}

/* Called in the child: the output has a fixed width and no colours, and stdin is empty. */
static void prepare(void)
{
    setenv("COLUMNS", "100", 1);
    setenv("LINES", "200", 1);
    setenv("CLICOLOR_FORCE", "0", 1);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
}

static int exec_words(void *context, struct err *e)
{
    struct words *w = context;
    os_close_from(STDERR_FILENO + 1);
    execv(w->word[0], (char *const *)w->word);
    return err_set(e, ERR_ENV, "%s: cannot be started", w->word[0]);
}

/* Send an event about a job: {"job", "file", KEY: value}. Takes ownership of the value. */
static void tell(const struct job *j, const char *key, json_t *value)
{
    events_send(
        json_pack("{s:s,s:s,s:o}", "job", j->kind->name, "file", j->values.file, key, value));
}

/* Send what was printed: JSON as it is, anything else as text. */
static void tell_printed(const struct job *j, const char *text, size_t length)
{
    struct buf clean = {0};
    json_t *o = length ? json_loadb(text, length, 0, NULL) : NULL;
    buf_add(&clean, text, length);
    text_clean(&clean);
    if (o) tell(j, "out", o);
    if (!o && length) tell(j, "said", json_string(clean.data));
    buf_free(&clean);
}

static void take(struct job *j, int ended)
{
    struct buf *b = &j->printed;
    size_t at = 0;
    for (char *end; !j->kind->whole && at < b->len; at = (size_t)(end - b->data) + 1) {
        end = memchr(b->data + at, '\n', b->len - at);
        if (!end) break;
        tell_printed(j, b->data + at, (size_t)(end - b->data) - at);
    }
    if (ended) tell_printed(j, b->data + at, b->len - at);
    if (at) memmove(b->data, b->data + at, b->len -= at);
}

static void start(struct job *j)
{
    struct err e = {0};
    if (!child_start(&j->child, prepare, exec_words, &j->words, &e)) return;
    tell(j, "said", json_string(e.text));
    tell(j, "ended", json_integer(-1));
    job_free(j);
}

int jobs_add(const struct jobs_options *o, const char *kind, const struct job_values *v,
    struct folder *folder, struct err *e)
{
    const struct kind *k = kinds;
    struct job *j = NULL;
    while (k->name && strcmp(k->name, kind)) k++;
    if (!k->name) return err_set(e, ERR_USAGE, "there is no such job");
    if (check(k, v, e)) return -1;
    for (int i = 0; i < JOBS_MOST; i++)
        if (jobs[i].kind == k && !strcmp(jobs[i].values.file, v->file)) job_free(&jobs[i]);
    for (int i = 0; i < JOBS_MOST && !j; i++)
        if (!jobs[i].kind) j = &jobs[i];
    if (!j) return err_set(e, ERR_ENV, "too many jobs wait");
    *j = (struct job){.kind = k, .values = *v, .order = ++orders};
    if (make_words(j, o, folder, e)) {
        job_free(j);
        return -1;
    }
    jobs_turn();
    return 0;
}

void jobs_wait(fd_set *in, int *most)
{
    for (int i = 0; i < JOBS_MOST; i++) {
        if (!jobs[i].child.pid) continue;
        FD_SET(jobs[i].child.out, in);
        if (jobs[i].child.out > *most) *most = jobs[i].child.out;
    }
}

/* Read what a child has printed so far and, if the child has ended, send an event about that. */
static void turn(struct job *j)
{
    struct pollfd p = {j->child.out, POLLIN, 0};
    int result = 0, goes_on = 1;
    while (goes_on && poll(&p, 1, 0) > 0 && j->printed.len < PRINTED_MOST)
        goes_on = child_take(&j->child, &j->printed, &result);
    if (j->printed.len >= PRINTED_MOST) goes_on = 0, result = -1, child_end(&j->child);
    take(j, !goes_on);
    if (goes_on) return;
    tell(j, "ended", json_integer(result));
    job_free(j);
}

void jobs_turn(void)
{
    int running = 0;
    for (int i = 0; i < JOBS_MOST; i++) {
        if (jobs[i].child.pid) turn(&jobs[i]);
        running += jobs[i].child.pid != 0;
    }
    while (running < RUNNING) {
        struct job *next = NULL;
        for (int i = 0; i < JOBS_MOST; i++)
            if (jobs[i].kind && !jobs[i].child.pid && (!next || jobs[i].order < next->order))
                next = &jobs[i];
        if (!next) return;
        start(next);
        running++;
    }
}

void jobs_end(void)
{
    for (int i = 0; i < JOBS_MOST; i++)
        if (jobs[i].kind) job_free(&jobs[i]);
}
