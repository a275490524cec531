/* similar.c - find who worked together, from all submissions and all given texts.
 *
 *     submissions -- submission_take --> works --┐
 *     labs, solutions, slides --> known ---------┴-- scores --> similar/pairs.json, similar.html, similar/
 *
 * A finding is never a score: nothing here is read by a gradebook.
 */
#define _GNU_SOURCE
#include "grading/similar.h"
#include "os/os.h"

#include <errno.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_MOST = 64 * 1024 };

/* ---- texts given to all students ---- */

/* The indented lines of a deck: its code. */
static void known_slide(struct known *k, const char *text)
{
    struct buf code = {0};
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n');
        if (!strncmp(p, "    ", 4)) buf_add(&code, p, n);
        p += n;
    }
    if (code.data) known_add(k, code.data);
    buf_free(&code);
}

static void known_file(struct known *k, char *path, int slide)
{
    char *text = NULL;
    if (!file_read(path, 1 << 20, &text, NULL, NULL)) (slide ? known_slide : known_add)(k, text);
    free(text), free(path);
}

static void known_read(struct known *k, const struct kit *kit)
{
    for (const struct lab *const *l = lab_table; *l; l++) {
        known_file(k, kit_path(kit, "slides/%s.md", (*l)->name), 1);
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            char *labs = kit_path(kit, "labs"), *solutions = kit_path(kit, "solutions");
            known_file(k, workbench_file(labs, *l, x), 0);
            known_file(k, workbench_file(solutions, *l, x), 0);
            free(labs), free(solutions);
        }
    }
    known_close(k);
}

/* ---- submissions ---- */

static void name_exercises(struct works *w, const char *only)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name && w->exercises < EXERCISES_MOST;
             x++)
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
    if (mkdir(folder, 0700))
        return err_set(e, ERR_ENV, "%s: cannot be made: %s", folder, strerror(errno));
    int bad = submission_take(s, o, NULL, folder, &files, e);
    for (size_t x = 0; !bad && x < w->exercises; x++) {
        struct buf clean = {0};
        char *text = NULL;
        if (!file_read_within(folder, w->name[x], FILE_MOST, &text, NULL, NULL)) {
            buf_printf(&clean, "%s", text);
            text_clean(&clean);
        }
        w->text[student * w->exercises + x] = clean.data;
        free(text);
    }
    taken_free(&files);
    return bad ? -1 : 0;
}

static int same_files(const struct works *w, size_t a, size_t b)
{
    for (size_t x = 0; x < w->exercises; x++) {
        const char *one = w->text[a * w->exercises + x], *two = w->text[b * w->exercises + x];
        if (!one != !two || (one && strcmp(one, two))) return 0;
    }
    return 1;
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
        while (!bad && w->same_as[s] < s &&
               (w->same_as[w->same_as[s]] != w->same_as[s] || !same_files(w, s, w->same_as[s])))
            w->same_as[s]++;
    }
    if (folder) spawn_remove_directory(folder);
    free(folder);
    return bad ? -1 : 0;
}

static void works_free(struct works *w)
{
    for (size_t i = 0; w->text && i < w->students * w->exercises; i++) free(w->text[i]);
    for (size_t x = 0; x < w->exercises; x++) free((char *)w->name[x]);
    free(w->text), free(w->same_as), free(w->known.list);
}

int similar_write(const struct class_options *o, const struct roster *r, struct err *e)
{
    struct works w = {0};
    struct scores s = {0};
    struct kit kit = {0};
    int bad = kit_find(&kit, e);
    if (!bad) {
        known_read(&w.known, &kit);
        bad = works_read(&w, o, r, &kit, e);
    }
    if (!bad) {
        scores_make(&s, &w);
        bad = similar_pages(o, r, &w, &s, e);
    }
    scores_free(&s);
    works_free(&w);
    kit_free(&kit);
    return bad ? -1 : 0;
}
