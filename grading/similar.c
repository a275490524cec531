/* similar.c - which pairs of students share unusually many statements that were not given to all.
 *
 *     a run           (one statement, or two in a row) weighs ln(students / students who have it) squared;
 *                     nothing if it was given or more than a third have it
 *     a pair shares   the weights of the runs that both have, in whichever exercise
 *     unusual         more than the median of all pairs and four times their interquartile range,
 *                     and more than eight runs that nobody else has; for equal hand-ins only the latter
 *
 * This is the inverse document frequency of text retrieval, squared: what few have counts more.
 * Nothing is divided by a text's length, so padding hides no copy. Students with the same hand-ins
 * count as one, so many copies of one hand-in do not make it common. A finding is never a score:
 * nothing here is read by a gradebook.
 */
#define _GNU_SOURCE
#include "grading/similar.h"
#include "os/os.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* FILE_MOST: as large as a graded file may be. A solution that has fewer than SOLUTION_RUNS runs
 * (similar.h) more than its skeleton can hardly be written in two ways. */
enum { FILE_MOST = 256 * 1024, COMMON = 3, SPREADS = 4, RARE_RUNS = 8, SOLUTION_RUNS = 8 };

int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* ---- files that all were given ---- */

/* Append the runs of statements of a file of the kit, as given to all; of slides, those of the
 * indented lines, which are code. Returns as runs_read does, 0 also if there is no such file. Frees
 * path. */
static uint64_t read_given(struct works *w, char *path, int is_slides)
{
    char *text = NULL;
    uint64_t whole = 0;
    if (!file_read(path, 1 << 20, &text, NULL, NULL)) {
        for (char *p = text; is_slides && *p; p += strcspn(p, "\n"), p += *p == '\n')
            if (strncmp(p, "    ", 4)) memset(p, ';', strcspn(p, "\n"));
        whole = runs_read(&w->runs, w->students, text);
    }
    free(path), free(text);
    return whole;
}

static void read_kit(struct works *w, const struct kit *kit)
{
    char *labs = kit_path(kit, "labs"), *solutions = kit_path(kit, "solutions");
    for (const struct lab *const *l = lab_table; *l; l++) {
        read_given(w, kit_path(kit, "slides/%s.md", (*l)->name), 1);
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            size_t start = w->runs.count;
            read_given(w, workbench_file(labs, *l, x), 0);
            size_t skeleton = w->runs.count - start;
            uint64_t whole = read_given(w, workbench_file(solutions, *l, x), 0);
            size_t solution = w->runs.count - start - skeleton;
            if (!class_grades(w->options, *l) || w->exercises == EXERCISES_MOST) continue;
            w->solution[w->exercises] = solution < skeleton + SOLUTION_RUNS ? 0 : whole;
            w->name[w->exercises++] = workbench_file("", *l, x);
        }
    }
    free(labs), free(solutions);
}

/* ---- submissions ---- */

struct work *work_of(const struct works *w, size_t student, size_t exercise)
{
    return &w->works[student * (w->exercises + 1) + exercise];
}

static void read_student(struct works *w, size_t student, const char *folder)
{
    struct work *all = work_of(w, student, w->exercises);
    size_t before = w->runs.count, first = 0;
    for (size_t x = 0; x < w->exercises; x++) {
        struct buf text = {0};
        struct work *work = work_of(w, student, x);
        if (!file_read_within(folder, w->name[x] + 1, FILE_MOST, &text.data, &text.len, NULL)) {
            text_clean(&text);
            *work = (struct work){text.data, runs_read(&w->runs, student, text.data)};
        }
        all->whole = (all->whole ^ work->whole) * 0x100000001b3u;
    }
    while (work_of(w, first, w->exercises)->whole != all->whole) first++;
    if (first < student) w->runs.count = before;
}

static int read_class(struct works *w, const char *folder, struct err *e)
{
    int bad = 0;
    w->works = xcalloc(w->students * (w->exercises + 1), sizeof *w->works);
    for (size_t s = 0; !bad && s < w->students; s++) {
        struct taken files = {0};
        spawn_remove_directory(folder);
        mkdir(folder, 0700);
        bad = submission_take(&w->student[s], w->options, NULL, folder, &files, e);
        taken_free(&files);
        if (!bad) read_student(w, s, folder);
    }
    spawn_remove_directory(folder);
    return bad;
}

/* ---- pairs ---- */

/* Weigh the runs of statements. shared[a * students + b]: the weight of the runs that both a and b
 * have; if a is b, of all its runs. */
static void weigh(struct works *w, double *shared)
{
    size_t n = w->students, *seen = xcalloc(n + 1, sizeof *seen),
           *who = xcalloc(n + 1, sizeof *who);
    qsort(w->runs.list, w->runs.count, sizeof *w->runs.list, compare_hashes);
    for (size_t from = 0, to; from < w->runs.count; from = to) {
        size_t have = 0; /* how many students have the run; who[] lists them */
        for (to = from; to < w->runs.count && w->runs.list[to].hash == w->runs.list[from].hash;
             to++) {
            size_t s = w->runs.list[to].student;
            if (seen[s] != from + 1) who[have++] = s;
            seen[s] = from + 1;
        }
        if (seen[n] == from + 1 || (have > 2 && have * COMMON > n)) continue;
        double rare = log((double)n / (double)have), weight = rare * rare;
        for (size_t i = from; i < to; i++) w->runs.list[i].weight = weight;
        for (size_t i = 0; i < have; i++)
            for (size_t j = 0; j < have; j++) shared[who[i] * n + who[j]] += weight;
    }
    free(seen), free(who);
}

const struct run *find_run(const struct runs *sorted, uint64_t hash)
{
    return bsearch(&hash, sorted->list, sorted->count, sizeof *sorted->list, compare_hashes);
}

/* Pairs of students whose work is equal come first, then the others, the largest shared weight
 * first. */
static int by_shared(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->same != y->same) return y->same - x->same;
    return (x->shared < y->shared) - (x->shared > y->shared);
}

static void find_pairs(struct works *w)
{
    size_t n = w->students, all = w->exercises, equal = 0;
    double *shared = xcalloc(n * n, sizeof *shared), rare = log((double)n / 2);
    weigh(w, shared);
    w->rare = rare * rare;
    w->pairs = xcalloc(n * n / 2 + 1, sizeof *w->pairs);
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1, told = 0; b < n && shared[a * n + a] > 0; b++) {
            int same = work_of(w, a, all)->whole == work_of(w, b, all)->whole;
            double both = shared[a * n + (same ? a : b)];
            if (same ? told || both <= RARE_RUNS * w->rare : shared[b * n + b] == 0) continue;
            w->pairs[w->compared++] = (struct pair){a, b, same, both};
            told |= same, equal += same;
        }
    qsort(w->pairs, w->compared, sizeof *w->pairs, by_shared);
    const struct pair *others = w->pairs + equal;
    size_t count = w->compared - equal;
    double spread = others[count / 4].shared - others[count * 3 / 4].shared;
    w->median = others[count / 2].shared;
    w->limit = fmax(RARE_RUNS * w->rare, w->median + SPREADS * spread);
    w->unusual = equal;
    while (w->unusual < w->compared && w->pairs[w->unusual].shared > w->limit) w->unusual++;
    free(shared);
}

int similar_write(const struct class_options *o, const struct roster *r, struct err *e)
{
    struct works w = {.options = o, .student = r->list, .students = r->count};
    struct kit kit = {0};
    char *folder = kit_find(&kit, e) ? NULL : kit_temporary(&kit, e);
    int bad = !folder;
    if (!bad) {
        read_kit(&w, &kit);
        bad = read_class(&w, folder, e);
    }
    if (!bad) {
        find_pairs(&w);
        bad = similar_pages(&w, e);
    }
    for (size_t i = 0; w.works && i < w.students * (w.exercises + 1); i++) free(w.works[i].text);
    for (size_t x = 0; x < w.exercises; x++) free(w.name[x]);
    free(w.works), free(w.runs.list), free(w.pairs), free(folder);
    kit_free(&kit);
    return bad ? -1 : 0;
}
