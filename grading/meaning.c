/* meaning.c - which exercise a file of a submission is for, by its path alone.
 *
 *     labs/05-padded/transpose.cu      exactly: FOLDER/NAME of the labs' tables
 *     05-Padded/transpose_final.cu     loosely: the folder names lab 05, which has one transpose
 *     Lab 4/matmul (1).cu              loosely: 04-shared/matmul.cu
 *     lab04-matmul.cu, swizzle.cu      loosely: the name tells the lab, or only one lab has this exercise
 *     matmul.cu                        loosely if one lab is graded; else one of several, and not taken
 *
 * Names are compared word by word: "matmul_TF32 (1)" is matmul, tf, 32, 1. A lab is named by its
 * number ("lab 4", "04") or by its idea ("coalesced"). */
#include "grading/hand_in.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- words ---- */

enum { WORDS = 24, WORD = 24 };
struct words {
    /* the words in lower case; each consists of letters only or of digits only */
    char of[WORDS][WORD];
    int count;
};

/* Append the words of a text. Words beyond the first WORDS are ignored. */
static void words_add(struct words *w, const char *text, size_t n)
{
    for (size_t i = 0; i < n && w->count < WORDS;) {
        size_t from = i, k = 0;
        int digits = isdigit((unsigned char)text[i]) != 0;
        while (i < n && isalnum((unsigned char)text[i]) &&
               (isdigit((unsigned char)text[i]) != 0) == digits)
            i++;
        if (i == from) {
            i++;
            continue;
        }
        for (; from < i && k + 1 < WORD; from++)
            w->of[w->count][k++] = (char)tolower((unsigned char)text[from]);
        w->of[w->count++][k] = 0;
    }
}

static int word_is(const struct words *w, int i, const char *word)
{
    return i >= 0 && i < w->count && !strcmp(w->of[i], word);
}

/* The index at which the words of a name occur in w, one after the other; -1: they do not occur. */
static int words_find(const struct words *w, const struct words *name)
{
    for (int i = 0; i + name->count <= w->count; i++) {
        int same = 0;
        while (same < name->count && !strcmp(w->of[i + same], name->of[same])) same++;
        if (same == name->count) return i;
    }
    return -1;
}

/* ---- labs ---- */

/* The labs with this number, as bits by their index in lab_table. */
static unsigned lab_numbered(const char *word)
{
    for (int i = 0; lab_table[i]; i++)
        if (atoi(word) == atoi(lab_table[i]->name)) return 1u << i;
    return 0;
}

static int is_number(const char *word) { return isdigit((unsigned char)*word); }
static int is_lab_word(const struct words *w, int i)
{
    return word_is(w, i, "lab") || word_is(w, i, "labs") || word_is(w, i, "labor");
}

/* The labs, as bits, that word i may name. A number means a lab only after "lab", or at the start
 * of the name if it is written as in NN-idea; if guess is set, at the start in any form. */
static unsigned labs_of_word(const struct words *w, int i, int guess)
{
    int first = !i && (guess || strlen(w->of[i]) == 2);
    if (is_number(w->of[i])) return is_lab_word(w, i - 1) || first ? lab_numbered(w->of[i]) : 0;
    for (int l = 0; lab_table[l]; l++)
        if (!strcmp(w->of[i], strchr(lab_table[l]->name, '-') + 1)) return 1u << l;
    return 0;
}

/* The labs, as bits, that a folder in the path names: of the folders that name any lab, the
 * innermost counts. */
static unsigned labs_of_folders(const char *path, const char *last, int guess)
{
    for (const char *end = last; end > path;) {
        const char *start = end;
        while (start > path && start[-1] != '/') start--;
        struct words w = {0};
        unsigned labs = 0;
        words_add(&w, start, (size_t)(end - start));
        if (w.count == 1 && is_number(w.of[0]) && start > path) { /* as in the path lab/4 */
            const char *above = start - 1;
            while (above > path && above[-1] != '/') above--;
            w.count = 0;
            words_add(&w, above, (size_t)(end - above));
        }
        for (int i = 0; i < w.count; i++) labs |= labs_of_word(&w, i, guess);
        if (labs) return labs;
        end = start > path ? start - 1 : path;
    }
    return 0;
}

/* ---- files ---- */

static int ends(const char *s, size_t n, const char *with)
{
    size_t m = strlen(with);
    return n > m && !strncasecmp(s + n - m, with, m);
}

/* The length of a file's name without its suffix, and the kind of exercise; 0: no exercise has this
 * suffix. A .txt after the suffix, which mail programs and browsers add, is ignored. */
static size_t stem_of(const char *name, enum exercise_kind *kind)
{
    size_t n = strlen(name);
    if (ends(name, n, ".txt")) n -= 4;
    *kind = ends(name, n, ".cu") ? EXERCISE_CUDA : EXERCISE_HOST;
    return ends(name, n, ".cu") ? n - 3 : ends(name, n, ".c") ? n - 2 : 0;
}

/* Remove words by which systems name copies: "Copy of matmul", "matmul copy 2", "matmul - Copy
 * (3)". */
static void drop_copy(struct words *w)
{
    int last = w->count - 1;
    if (last > 1 && is_number(w->of[last]) && word_is(w, last - 1, "copy"))
        w->count -= 2;
    else if (last > 0 && word_is(w, last, "copy"))
        w->count--;
    else if (w->count > 2 && word_is(w, 0, "copy") && word_is(w, 1, "of")) {
        w->count -= 2;
        memmove(w->of[0], w->of[2], sizeof w->of[0] * (size_t)w->count);
    }
}

/* Which exercise of a lab the words of a file's name mean, and how well: the number of words that
 * match, or VERY_NAME if there are no other words. 0: no exercise matches. Negative: several match
 * equally well. */
enum { VERY_NAME = 100 };
static int exercise_in(const struct words *w, const struct lab *lab, unsigned bit,
    enum exercise_kind kind, const struct exercise **out)
{
    int at = -1, length = 0;
    *out = NULL;
    for (const struct exercise *x = lab->exercises; x->name; x++) {
        struct words name = {0};
        words_add(&name, x->name, strlen(x->name));
        int found = x->kind == kind ? words_find(w, &name) : -1;
        if (found >= 0 && name.count > length) *out = x, at = found, length = name.count;
    }
    if (!*out) return 0;
    /* do the other words name another exercise? */
    for (const struct exercise *x = lab->exercises; x->name; x++) {
        struct words rest = {0}, name = {0};
        words_add(&name, x->name, strlen(x->name));
        for (int i = 0; i < w->count; i++)
            if (i < at || i >= at + length) memcpy(rest.of[rest.count++], w->of[i], WORD);
        if (words_find(&rest, &name) >= 0) return -length;
    }
    unsigned said = 0;
    for (int i = 0; i < w->count; i++)
        if (i < at || i >= at + length) said |= labs_of_word(w, i, 0);
    if (said && !(said & bit)) return 0;
    return w->count == length ? VERY_NAME : length;
}

static struct meaning loosely(const char *path, const char *name, const struct class_options *o)
{
    enum exercise_kind kind;
    struct words w = {0};
    struct meaning m = {MEANS_NOTHING, 0, NULL, NULL};
    size_t stem = stem_of(name, &kind);
    int best = 0, count = 0;
    unsigned labs = labs_of_folders(path, name > path ? name - 1 : path, 0);
    words_add(&w, name, stem);
    drop_copy(&w);
    for (int l = 0; stem && lab_table[l]; l++) {
        const struct exercise *x;
        if ((labs && !(labs & 1u << l)) || !class_grades(o, lab_table[l])) continue;
        int how = exercise_in(&w, lab_table[l], 1u << l, kind, &x);
        if (abs(how) > best) {
            m = (struct meaning){MEANS_LOOSELY, how == VERY_NAME, lab_table[l], x};
            best = abs(how), count = how < 0 ? 2 : 1;
        } else if (how && abs(how) == best) {
            count++;
        }
    }
    if (count > 1) m = (struct meaning){MEANS_SEVERAL, 0, NULL, NULL};
    return m;
}

struct meaning meaning_of(const char *path, const struct class_options *o)
{
    const char *last = strrchr(path, '/'), *start = last;
    while (start && start > path && start[-1] != '/') start--;
    if (!strcmp(last ? last + 1 : path, ".progress"))
        return (struct meaning){MEANS_PROGRESS, 1, NULL, NULL};
    for (const struct lab *const *l = lab_table; start && *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            char *file = workbench_file(".", *l, x);
            int same = !strcmp(file, start);
            free(file);
            if (same) return (struct meaning){MEANS_EXACTLY, 1, *l, x};
        }
    return loosely(path, last ? last + 1 : path, o);
}

int meaning_is_kits(const char *path)
{
    static const char *const names[] = {"lab.c", "README.md", "hints.md", NULL},
                             *const above[] = {
                                 "labs/lockstep.ipynb", "labs/lockstep_magic.py", NULL};
    for (const char *const *file = above; *file; file++)
        if (!strcmp(path, *file) || ends(path, strlen(path), *file)) return 1;
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const char *const *n = names; *n; n++) {
            char *file = xasprintf("labs/%s/%s", (*l)->name, *n);
            int same = !strcmp(path, file) || ends(path, strlen(path), file);
            free(file);
            if (same) return 1;
        }
    return 0;
}

int meaning_is_source(const char *path)
{
    static const char *const suffixes[] = {
        ".cu", ".c", ".cpp", ".cc", ".cuh", ".h", ".txt", ".ipynb", ".cu~", ".docx", ".pdf", NULL};
    for (const char *const *s = suffixes; *s; s++)
        if (ends(path, strlen(path), *s)) return 1;
    return 0;
}

size_t meaning_archive(const char *name)
{
    static const char *const suffixes[] = {".zip", ".tar.gz", ".tgz", ".tar", ".tar.xz", ".txz",
        ".tar.bz2", ".tbz2", ".tar.zst", ".7z", ".rar", NULL};
    for (const char *const *s = suffixes; *s; s++)
        if (ends(name, strlen(name), *s)) return strlen(*s);
    return 0;
}

size_t meaning_not_work(const char *path)
{
    static const char *const kits[] = {
        "solutions", "tests", "slides", "common", "grading", "build", "__MACOSX", NULL};
    for (const char *p = path, *slash; (slash = strchr(p, '/')); p = slash + 1) {
        size_t n = (size_t)(slash - p);
        if (*p == '.' && n > 1 && strncmp(p, "../", 3)) return (size_t)(slash - path);
        for (const char *const *k = kits; *k; k++)
            if (strlen(*k) == n && !strncmp(*k, p, n)) return (size_t)(slash - path);
    }
    return 0;
}

/* ---- "did you mean" ---- */

int meaning_edits(const char *a, size_t n, const char *b, size_t m)
{
    enum { MOST = 64 };
    int row[MOST + 1];
    if (n > MOST || m > MOST) return INT_MAX;
    for (size_t j = 0; j <= m; j++) row[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int corner = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]),
                change = corner + !same, least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            corner = row[j];
            row[j] = change < least ? change : least;
        }
    }
    return row[m];
}

int meaning_distance(const char *path, const struct lab *lab, const struct exercise *x)
{
    const char *last = strrchr(path, '/'), *name = last ? last + 1 : path,
               *dot = strrchr(name, '.');
    unsigned labs = labs_of_folders(path, last ? last : path, 1), bit = 0;
    size_t stem = dot ? (size_t)(dot - name) : strlen(name), length = strlen(x->name);
    struct words w = {0}, wanted = {0};
    for (int l = 0; lab_table[l]; l++) bit |= lab_table[l] == lab ? 1u << l : 0;
    if (!meaning_is_source(path) || (labs && !(labs & bit))) return INT_MAX;
    words_add(&w, name, stem);
    words_add(&wanted, x->name, length);
    int far = words_find(&w, &wanted) >= 0 ? 0 : meaning_edits(name, stem, x->name, length);
    return far > (int)(length + 2) / 3 ? INT_MAX : 2 * far + !labs;
}
