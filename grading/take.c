/* take.c - copy the files of one submission that are to be graded, in the layout of labs/, for
 * grading/grade.
 *
 *     SUBMISSION ── hand_in.c ──> FOLDER/NN-idea/NAME.cu, and remarks on stderr */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "grading/grading.h"
#include "os/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int take(const struct submission *s, const struct class_options *o, const char *into,
    int final, struct err *e)
{
    struct kit kit;
    struct taken t = {0};
    int bad = kit_find(&kit, e);
    if (bad) return bad;
    bad = submission_take(s, o, &kit, into, &t, e);
    if (t.remarks.len) fprintf(stderr, "%s", t.remarks.data);
    if (!bad && t.damage) bad = err_set(e, ERR_ENV, "%s: %s", s->path, t.damage);
    if (!bad && final && t.progress_lost)
        bad = err_set(
            e, ERR_USAGE, "%s: its .progress cannot be read, and first guesses count", s->path);
    taken_free(&t);
    kit_free(&kit);
    return bad;
}

int command_take(int argc, char **argv, struct err *e)
{
    struct class_options o = {0};
    const char *path = NULL, *into = NULL, *lab = NULL, *final = NULL;
    const struct option_spec specs[] = {
        {"--into", &into}, {"--lab", &lab}, {"--final", &final, 1}, {0}};
    const struct lab *only = NULL;
    struct stat st;
    if (options_parse(argc, argv, specs, &path, 1, e) < 0 || (lab && !(only = options_lab(lab, e))))
        return -1;
    if (!path || !*path || !into)
        return err_set(e, ERR_USAGE,
            "name the submission, a folder or an archive, and --into an empty folder");
    if (stat(path, &st)) return err_set(e, ERR_USAGE, "%s: there is no such submission", path);
    const char *shown = jail_shows(path);
    if (shown && !jail_shows_kit())
        return err_set(e, ERR_USAGE,
            "%s: lies in %s, which its compilers can read: move it elsewhere", path, shown);
    o.lab = only ? only->name : NULL;
    char *from = realpath(path, NULL);
    const struct submission s = {
        .path = from ? from : (char *)path, .is_archive = S_ISREG(st.st_mode)};
    int bad = take(&s, &o, into, final != NULL, e);
    free(from);
    return bad;
}
