/* files.c - the files of an exercise: hints, predictions, the skeleton.
 *
 *     labs/NN/hints.md     "## NAME", then "1. ...", "2. ..."
 *     labs/NN/NAME.cu      PREDICT(name, UNKNOWN) --> PREDICT(name, 5)
 *     labs/.skeletons/     NN/NAME.cu.orig: the file as it was when learning began
 *     labs/.backups/       NN/NAME.cu from before each reset, with its time
 *     my/                  a learner's own folder: the skeletons of all labs */
#include "learn/learn_private.h"
#include "os/os.h"
#include "view/view.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const size_t TEXT_MOST = 1 << 20;

/* ---- hints and slides ---- */

/* The text of the section "## NAME" of a file, without that line. NULL: there is none. */
static const char *section(const char *text, const char *name, size_t *length)
{
    size_t n = strlen(name);
    for (const char *at = text; at; at = strstr(at + 1, "\n## ")) {
        const char *title = at + strspn(at, "\n# ");
        if (strncmp(title, name, n) || title[n] != '\n') continue;
        const char *end = strstr(title, "\n## ");
        *length = end ? (size_t)(end - title) - n : strlen(title + n);
        return title + n;
    }
    return NULL;
}

/* Does a hint begin in this line, as "3. ..." does? */
static int begins(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    return digits && !strncmp(line + digits, ". ", 2);
}

int files_hints(const struct kit *k, const struct exercise_progress *x, int count, struct buf *out)
{
    char *path = kit_path(k, "labs/%s/hints.md", x->lab->name), *text = NULL;
    size_t length = 0;
    int hints = 0;
    const char *at = file_read(path, TEXT_MOST, &text, NULL, NULL)
                         ? NULL
                         : section(text, x->exercise->name, &length);
    struct buf one = {0}; /* one hint, with its lines joined */
    for (const char *end = at ? at + length : NULL; at && at <= end;) {
        size_t n = at < end ? strcspn(at, "\n") : 0;
        if (!n || begins(at)) {
            if (one.len && hints <= count) report_wrapped(out, 2, one.data);
            buf_free(&one);
        }
        hints += n && begins(at);
        size_t indent = strspn(at, " ");
        if (n && hints)
            buf_printf(&one, "%s%.*s", one.len ? " " : "", (int)(n - indent), at + indent);
        at += n + 1;
    }
    buf_free(&one);
    free(text);
    free(path);
    return hints;
}

void files_slide(
    const struct kit *k, const struct exercise_progress *x, char **deck, char *title, size_t size)
{
    char *labs = kit_path(k, "labs"), *file = workbench_file(labs, x->lab, x->exercise),
         *text = NULL;
    *deck = kit_path(k, "slides/%s.md", x->lab->name);
    *title = 0;
    if (!file_read(file, TEXT_MOST, &text, NULL, NULL)) {
        const char *at = strstr(text, "slides/");
        const char *end = at ? strchr(at, '\n') : NULL, *quote = at ? strchr(at, '"') : NULL;
        if (quote && end && quote < end)
            snprintf(title, size, "%.*s", (int)strcspn(quote + 1, "\"\n"), quote + 1);
    }
    free(text);
    free(file);
    free(labs);
}

void files_uncomment(char *text)
{
    for (char *at = text, *end; (at = strstr(at, "<!-- ")) && (end = strstr(at, "-->"));) {
        end += strlen("-->");
        /* if the comment stands alone on its line, the whole line is removed */
        while (at > text && at[-1] == ' ') at--;
        if (*end == '\n' && (at == text || at[-1] == '\n')) end++;
        memmove(at, end, strlen(end) + 1);
    }
}

/* Find a part of a source: the text between the lines // [name] and // [/name], or else the
 * function of that name, with the `template` line above it. NULL: the source has neither. */
static const char *code_part(const char *text, const char *name, const char **end)
{
    char *open = xasprintf("\n// [%s]\n", name), *close = xasprintf("\n// [/%s]\n", name),
         *call = xasprintf("%s(", name);
    const char *from = strstr(text, open), *above = text;
    *end = from ? strstr(from, close) : NULL;
    if (*end) from += strlen(open), *end += 1;
    for (const char *at = text, *next; !*end && *at; above = at, at = next) {
        size_t n = strcspn(at, "\n");
        const char *found = strstr(at, call);
        next = at + n + (at[n] == '\n');
        if (!n || !(isalpha((unsigned char)*at) || *at == '_') || at[n - 1] == ';' || !found ||
            found == at || found > at + n || !strchr(" *", found[-1]))
            continue;
        from = strncmp(above, "template", 8) ? at : above;
        *end = at[n - 1] == '}' ? next : strstr(at, "\n}\n");
        if (!*end) break;
        *end += at[n - 1] == '}' ? 0 : 3;
    }
    free(open), free(close), free(call);
    return *end ? from : NULL;
}

/* Append, as code, a part of a file of the kit. The path of the deck gives the kit's folder. */
static void deck_code(const char *deck, const char *file, const char *name, struct buf *out)
{
    const char *end;
    int top = (int)(strrchr(deck, '/') - deck - strlen("slides"));
    char *path = xasprintf("%.*s%s", top, deck, file), *text = NULL;
    if (file_read(path, TEXT_MOST, &text, NULL, NULL)) text = xstrdup("");
    const char *at = code_part(text, name, &end);
    if (!at) buf_printf(out, "    [code: %s in %s]\n", name, file);
    for (size_t n; at && at < end; at += n + 1) {
        n = strcspn(at, "\n");
        if (strncmp(at, "// [", 4)) buf_printf(out, n ? "    %.*s\n" : "\n", (int)n, at);
    }
    free(path), free(text);
}

/* Append a line of a slide deck as text; directives are replaced by words, or left out. For each
 * figure, a line with its words is appended to figures; for a live figure, an empty line. */
static void deck_line(
    const char *deck, const char *line, int n, struct buf *out, struct buf *figures)
{
    char file[128], name[64], text[512];
    snprintf(text, sizeof text, "%.*s", n, line);
    /* a new page of the slides begins */
    if (!strcmp(text, "---") || !strcmp(text, "@step"))
        buf_printf(out, "\f");
    else if (sscanf(text, "@include %127s %63s", file, name) == 2)
        deck_code(deck, file, name, out);
    else if (!strncmp(text, "@figure ", 8) || !strncmp(text, "@live", 5))
        buf_printf(out, "    [a figure]\n"),
            buf_printf(figures, "%s\n", text[1] == 'f' ? text + 8 : "");
    else if (!*text && out->len && out->data[out->len - 1] == '\f')
        return;
    else if (!*text || strchr(" |`", *text))
        buf_printf(out, "%s\n", text); /* the line belongs to code, or to a table */
    else if (*text != '@')
        report_wrapped(out, 0, text);
}

void files_deck(const char *deck, const char *title, struct buf *out, struct buf *figures)
{
    char *text = NULL, *heading = xasprintf("# %s\n", title);
    int notes = 0;
    if (file_read(deck, TEXT_MOST, &text, NULL, NULL)) text = xstrdup("");
    files_uncomment(text);
    const char *at = *title ? strstr(text, heading) : text;
    for (at = at ? at : text; *at;) {
        int n = (int)strcspn(at, "\n");
        if (n == 3 && !strncmp(at, "---", 3))
            notes = 0;
        else if (!strncmp(at, "@notes", 6))
            notes = 1;
        if (!notes) deck_line(deck, at, n, out, figures);
        at += n + (at[n] == '\n');
    }
    free(heading);
    free(text);
}

/* ---- predictions ---- */

/* Find the value in PREDICT(name, value). Returns 0 if there is none. */
static int find_value(const char *text, const char *name, const char **value, size_t *length)
{
    size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, "PREDICT(")); at++) {
        const char *word = at + 8 + strspn(at + 8, " \t"), *comma = word + n;
        if (strncmp(word, name, n)) continue;
        comma += strspn(comma, " \t");
        if (*comma != ',') continue;
        const char *from = comma + 1 + strspn(comma + 1, " \t"), *to = from;
        for (int depth = 0; *to && *to != '\n' && (depth || *to != ')'); to++)
            depth += (*to == '(') - (*to == ')');
        if (*to != ')') continue;
        *value = from;
        *length = (size_t)(to - from);
        return 1;
    }
    return 0;
}

char *files_predicted(const char *file, const char *name)
{
    char *text = NULL, *found = NULL;
    const char *value;
    size_t length;
    if (!file_read(file, TEXT_MOST, &text, NULL, NULL) && find_value(text, name, &value, &length))
        found = xstrndup(value, length);
    free(text);
    return found;
}

int files_predict(const char *file, const char *name, const char *number, struct err *e)
{
    char *text = NULL;
    const char *value;
    size_t length;
    struct buf out = {0};
    if (!*number || number[strspn(number, "0123456789 *+")] || !isdigit((unsigned char)*number))
        return err_set(
            e, ERR_LEARNER, "%s: a whole number is needed, or a product such as 31 * 32", number);
    if (file_read(file, TEXT_MOST, &text, NULL, e)) return -1;
    int bad = !find_value(text, name, &value, &length);
    if (bad) {
        err_set(e, ERR_LEARNER, "%s: there is no line PREDICT(%s, UNKNOWN); r makes the file new",
            file, name);
    } else {
        buf_add(&out, text, (size_t)(value - text));
        buf_printf(&out, "%s%s", number, value + length);
        bad = file_write(file, out.data, out.len, e);
    }
    buf_free(&out);
    free(text);
    return bad ? -1 : 0;
}

/* ---- skeletons and backups ---- */

/* The path of a saved skeleton. Its ending differs from the file's own, so that it is not collected
 * with a submission. */
static char *kept_file(const struct kit *k, const struct lab *lab, const struct exercise *x)
{
    char *kept = kit_path(k, "labs/.skeletons"), *file = workbench_file(kept, lab, x);
    char *path = xasprintf("%s.orig", file);
    free(file);
    free(kept);
    return path;
}

/* Create the folders that contain a file. */
static int make_folders(const char *file, struct err *e)
{
    char *path = xstrdup(file);
    int bad = 0;
    for (char *at = path + 1; !bad && (at = strchr(at, '/')); *at++ = '/') {
        *at = 0;
        bad = mkdir(path, 0777) && errno != EEXIST
                  ? err_set(e, ERR_ENV, "%s: cannot be made: %s", path, strerror(errno))
                  : 0;
    }
    free(path);
    return bad;
}

static int copy(const char *from, const char *to, struct err *e)
{
    char *text = NULL;
    size_t length;
    int bad = file_read(from, TEXT_MOST, &text, &length, e) || make_folders(to, e) ||
              file_write(to, text, length, e);
    free(text);
    return bad ? -1 : 0;
}

/* For a file that was changed before learning began: write git's version of it to the path `to`.
 * Returns 0 if it was written. */
static int from_git(const struct kit *k, const char *name, const char *to)
{
    char *git = spawn_find("git"), *what = xasprintf("HEAD:./%s", name),
         *git_folder = kit_path(k, ".git");
    struct buf out = {0};
    struct err e = {0};
    int status = -1;
    const char *argv[] = {git, "-C", k->root, "-c", "safe.directory=*", "show", what, NULL};
    const struct spawn s = {.argv = argv, .seconds = 5, .file_bytes = TEXT_MOST};
    int bad = !git || !file_exists(git_folder) || spawn_run(&s, &out, &status, &e) || status ||
              !out.len || make_folders(to, &e) || file_write(to, out.data, out.len, &e);
    buf_free(&out);
    free(git_folder);
    free(what);
    free(git);
    return bad ? -1 : 0;
}

static int is_own(const struct kit *k, const char *directory)
{
    struct stat a, b;
    char *labs = kit_path(k, "labs");
    int same =
        !stat(directory, &a) && !stat(labs, &b) && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
    free(labs);
    return same;
}

int files_keep(const struct kit *k, const char *directory, struct err *e)
{
    char *labs = kit_path(k, "labs");
    int bad = 0;
    for (const struct lab *const *l = lab_table; *l && is_own(k, directory); l++)
        for (const struct exercise *x = (*l)->exercises; x->name && !bad; x++) {
            char *from = workbench_file(labs, *l, x), *to = kept_file(k, *l, x);
            const char *name = strstr(from, "labs/");
            if (!file_exists(to) && file_exists(from) && (!name || from_git(k, name, to)))
                bad = copy(from, to, e);
            free(from);
            free(to);
        }
    free(labs);
    return bad ? -1 : 0;
}

int files_reset(const struct kit *k, const char *directory, const struct exercise_progress *x,
    char **backup, struct err *e)
{
    char stamp[32];
    time_t t = time(NULL);
    struct tm tm;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H-%M-%S", localtime_r(&t, &tm));
    char *file = workbench_file(directory, x->lab, x->exercise), *labs = kit_path(k, "labs"),
         *skeleton = kept_file(k, x->lab, x->exercise);
    if (!file_exists(skeleton) && !is_own(k, directory)) {
        free(skeleton);
        skeleton = workbench_file(labs, x->lab, x->exercise);
    }
    *backup =
        xasprintf("%s/.backups/%s/%s-%s", directory, x->lab->name, stamp, strrchr(file, '/') + 1);
    int bad = file_exists(file) ? copy(file, *backup, e) : 0;
    bad = bad || copy(skeleton, file, e);
    free(skeleton);
    free(labs);
    free(file);
    return bad ? -1 : 0;
}

/* ---- a learner's own folder ---- */

/* May a folder be made at this path? Not in a folder that is missing, which is more likely a
 * mistyped path, and not among the kit's solutions and tests. */
static int may_make(const struct kit *k, const char *directory)
{
    char *parent = xstrdup(directory), *slash = strrchr(parent, '/');
    const char *name = slash ? slash + 1 : parent;
    int named = *name && strcmp(name, "solutions");
    if (slash) slash[slash == parent] = 0;
    int may = named && progress_kept(k, slash ? parent : ".");
    free(parent);
    return may;
}

/* Write an exercise's skeleton to the path `to`: the one that was saved when learning in labs/
 * began, or the one in git, or the file in labs/. */
static int put_skeleton(const struct kit *k, const struct lab *lab, const struct exercise *x,
    const char *to, struct err *e)
{
    char *labs = kit_path(k, "labs"), *file = workbench_file(labs, lab, x),
         *kept = kept_file(k, lab, x), *name = strstr(file, "labs/");
    int bad = 0;
    if (file_exists(kept))
        bad = copy(kept, to, e);
    else if (!name || from_git(k, name, to))
        bad = copy(file, to, e);
    free(kept);
    free(file);
    free(labs);
    return bad;
}

int files_make(const struct kit *k, const char *directory, int *made, struct err *e)
{
    struct stat st;
    *made = 0;
    char *folder = xstrdup(directory);
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/';) folder[--n] = 0;
    int bad = 0;
    if (stat(folder, &st) && errno == ENOENT && may_make(k, folder)) {
        for (const struct lab *const *l = lab_table; *l && !bad; l++)
            for (const struct exercise *x = (*l)->exercises; x->name && !bad; x++) {
                char *to = workbench_file(folder, *l, x);
                bad = put_skeleton(k, *l, x, to, e);
                *made += !bad;
                free(to);
            }
        /* an incomplete folder would later be taken for a complete one */
        if (bad) spawn_remove_directory(folder);
    }
    free(folder);
    return bad ? -1 : 0;
}
