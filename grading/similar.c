/* similar.c - who worked together: reads what all handed in, and what all were given.
 *
 *     submissions -- submission_take --> works --┐
 *     labs, solutions, slides --> given ---------┴-- scores --> similar/pairs.json, similar.html, similar/
 *
 * A finding is never a score: nothing here is read by a gradebook.
 */
#define _GNU_SOURCE
#include "grading/hand_in.h"
#include "grading/similar.h"
#include "os/os.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void given_file(struct postings *given, char *path)
{
    char *text = NULL;
    if (!file_read(path, 1 << 20, &text, NULL, NULL)) {
        struct grams g = grams_read(text);
        for (size_t i = 0; i < g.count; i++) postings_add(given, &g.list[i], 0);
        free(g.list);
    }
    free(text), free(path);
}

static void given_read(struct works *w, const struct kit *kit)
{
    for (const struct lab *const *l = lab_table; *l; l++) {
        char *labs = kit_path(kit, "labs"), *solutions = kit_path(kit, "solutions");
        given_file(&w->given, kit_path(kit, "slides/%s.md", (*l)->name));
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            given_file(&w->given, workbench_file(labs, *l, x));
            given_file(&w->given, workbench_file(solutions, *l, x));
        }
        free(labs), free(solutions);
    }
    postings_sort(&w->given);
}

static void name_exercises(struct works *w, const char *only)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name && w->exercises < EXERCISES_MOST; x++)
            if (!only || !strcmp(only, (*l)->name)) {
                char *name = workbench_file("", *l, x);
                w->name[w->exercises++] = xstrdup(name + 1);
                free(name);
            }
}

static int read_student(struct works *w, size_t student, const struct class_options *o,
    const struct submission *s, const char *folder, struct err *e)
{
    struct taken files = {0};
    spawn_remove_directory(folder);
    if (mkdir(folder, 0700)) return err_set(e, ERR_ENV, "%s: cannot be made: %s", folder, strerror(errno));
    int bad = submission_take(s, o, NULL, folder, &files, e);
    for (size_t x = 0; !bad && x < w->exercises; x++) {
        struct buf clean = {0};
        char *text = NULL;
        if (!file_read_within(folder, w->name[x], FILE_MOST, &text, NULL, NULL)) {
            buf_printf(&clean, "%s", text);
            text_clean(&clean);
        }
        w->text[x * w->students + student] = clean.data;
        free(text);
    }
    taken_free(&files);
    return bad ? -1 : 0;
}

/* The first student with the same files: this one or an earlier one. */
static size_t same_files(const struct works *w, size_t student)
{
    for (size_t s = 0, x; s < student; s++) {
        for (x = 0; x < w->exercises; x++) {
            const char *one = w->text[x * w->students + s], *two = w->text[x * w->students + student];
            if (!one != !two || (one && strcmp(one, two))) break;
        }
        if (x == w->exercises) return s;
    }
    return student;
}

static int works_read(struct works *w, const struct class_options *o, const struct roster *r,
    const struct kit *kit, struct err *e)
{
    char *folder = kit_temporary(kit, e);
    int bad = !folder;
    name_exercises(w, o->lab);
    w->students = r->count;
    w->text = xcalloc(r->count * w->exercises + 1, sizeof *w->text);
    w->same_as = xcalloc(r->count, sizeof *w->same_as);
    for (size_t s = 0; !bad && s < r->count; s++) {
        bad = read_student(w, s, o, &r->list[s], folder, e);
        w->same_as[s] = same_files(w, s);
    }
    if (folder) spawn_remove_directory(folder);
    free(folder);
    return bad ? -1 : 0;
}

static void works_free(struct works *w)
{
    for (size_t i = 0; w->text && i < w->students * w->exercises; i++) free(w->text[i]);
    for (size_t x = 0; x < w->exercises; x++) free(w->name[x]);
    free(w->text), free(w->same_as), free(w->given.list);
}

int similar_write(const struct class_options *o, const struct roster *r, struct err *e)
{
    struct works w = {0};
    struct scores s = {0};
    struct kit kit = {0};
    int bad = kit_find(&kit, e);
    if (!bad) {
        given_read(&w, &kit);
        bad = works_read(&w, o, r, &kit, e);
    }
    if (!bad) {
        scores_make(&s, &w);
        bad = similar_pages(o, r, &w, &s, e);
    }
    free(s.pairs), free(s.alike);
    works_free(&w);
    kit_free(&kit);
    return bad ? -1 : 0;
}
