/* answers.c - the figures in the answers to the labs' questions, from the solutions' kernels.
 *
 *     ... the time grows from 0.0141 ms to 0.0624 ms.
 *     <!-- figures: 0.0141 = ms 01/copy; 0.0624 = ms 01/transpose -->
 *
 * A comment lists figures of the text above it, from the comment before on, in the order in which they stand
 * there. Each is found by the number that stands there now, and written anew with as many decimals.
 *
 *     figure    NUMBER = term [* term | / term ...]
 *     term      a number, or METRIC LAB/EXERCISE[/KERNEL][:SIZE][@DEVICE][{OLD->NEW}...]
 *     METRIC    ms, or a counter's name as reports print it
 *     KERNEL    without it, the one that has the exercise's name
 *     SIZE      1024x128x1024; without it, the size of the exercise
 *     {OLD->NEW} of the solution with this change: {TILE 16->TILE 8}; several are made one after the other
 */
#include "hardware/answers.h"
#include "cli/cli.h"
#include "os/os.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char open_mark[] = "<!-- figures:", close_mark[] = "-->";

/* What a kernel gave, by the text that names it: several figures may be of one launch. */
struct launched {
    char *place;
    double ms;
    struct metrics metrics;
};
/* A file while its figures are made. */
struct answers {
    struct session *session;
    const char *file;
    struct err *e;
    struct launched *launched;
    size_t count, capacity;
};

static int wrong(struct answers *a, const char *what, const char *at)
{
    return err_set(a->e, ERR_ENV, "%s: figures: %s: %.*s", a->file, what, (int)strcspn(at, ";\n"), at);
}

/* ---- a term ---- */

/* Where a number comes from. */
struct place {
    char metric[96], lab[16], exercise[64], kernel[64], size[64], device[32];
    const char *changes, *end; /* the braces; changes == end: none */
    char *text;                /* all but the metric */
};

/* One name up to a character of stops; at moves past it. */
static void take(const char **at, const char *stops, char *out, size_t size)
{
    size_t n = strcspn(*at, stops);
    snprintf(out, size, "%.*s", (int)n, *at);
    *at += n;
}

static int read_place(struct answers *a, const char **at, struct place *p)
{
    const char *start = *at;
    *p = (struct place){.size = ""};
    take(at, " ;\n", p->metric, sizeof p->metric);
    *at += strspn(*at, " \n");
    const char *text = *at;
    take(at, "/ ;\n", p->lab, sizeof p->lab);
    if (**at != '/') return wrong(a, "a term is METRIC LAB/EXERCISE", start);
    ++*at;
    take(at, "/:@{ ;\n", p->exercise, sizeof p->exercise);
    if (**at == '/') ++*at, take(at, ":@{ ;\n", p->kernel, sizeof p->kernel);
    if (**at == ':') ++*at, take(at, "@{ ;\n", p->size, sizeof p->size);
    if (**at == '@') ++*at, take(at, "{ ;\n", p->device, sizeof p->device);
    for (p->changes = *at; **at == '{'; ++*at) {
        const char *arrow = strstr(*at, "->"), *end = strchr(*at, '}');
        if (!arrow || !end || end < arrow) return wrong(a, "a change is {OLD->NEW}", *at);
        *at = end;
    }
    p->end = *at;
    p->text = xstrndup(text, (size_t)(*at - text));
    return 0;
}

/* One change, of every place that has the old text. -1: there is none. */
static int change(struct answers *a, const char *braces, char **text)
{
    const char *arrow = strstr(braces, "->"), *end = strchr(braces, '}');
    char *from = xstrndup(braces + 1, (size_t)(arrow - braces) - 1);
    struct buf out = {0};
    const char *at = *text, *next;
    for (; (next = strstr(at, from)); at = next + strlen(from)) {
        buf_add(&out, at, (size_t)(next - at));
        buf_add(&out, arrow + 2, (size_t)(end - arrow) - 2);
    }
    int bad = at == *text ? wrong(a, "the solution does not have this text", from) : 0;
    buf_add(&out, at, strlen(at));
    free(from);
    free(*text);
    *text = out.data;
    return bad;
}

/* The solution's text with its changes, in a folder of its own. NULL with an error. */
static char *changed(struct answers *a, const struct place *p, const char *solution, const char *folder)
{
    char *text = NULL, *file = xasprintf("%s/%s", folder, strrchr(solution, '/') + 1);
    int bad = file_read(solution, 1 << 20, &text, NULL, a->e);
    for (const char *at = p->changes; !bad && at < p->end; at = strchr(at, '}') + 1)
        bad = change(a, at, &text);
    bad = bad || file_write_scratch(file, text, strlen(text), a->e);
    free(text);
    if (!bad) return file;
    free(file);
    return NULL;
}

/* Count a step of a solution that was changed. */
static int measure_changed(struct answers *a, struct session *s, const struct place *p, const struct lab *lab,
    const struct exercise *x, int step, const int *dims, struct measurement *m)
{
    char *solutions = kit_path(&s->workbench.kit, "solutions"), *solution = workbench_file(solutions, lab, x);
    char *folder = kit_temporary(&s->workbench.kit, a->e);
    char *file = folder ? changed(a, p, solution, folder) : NULL;
    struct build b = {0};
    struct instance in;
    int bad = !file || build_open_as(&b, &s->workbench, file, x, a->e);
    if (!bad) {
        instance_make(&in, problem_find(x->steps[step].problem), dims, 1);
        bad = build_count(&b, step, &in, m, a->e);
        instance_free(&in);
    }
    if (file) build_close(&b);
    if (file) build_close(&b);
    if (folder) spawn_remove_directory(folder);
    free(file);
    free(folder);
    free(solution);
    free(solutions);
    return bad ? -1 : 0;
}

static int launch(struct answers *a, struct session *s, const struct place *p, struct launched *out)
{
    const struct lab *lab = options_lab(p->lab, a->e);
    const struct exercise *x = lab ? options_exercise(lab, p->exercise, a->e) : NULL;
    struct measurement m = {0};
    int step = 0;
    if (!x) return -1;
    while (x->steps[step].kernel && strcmp(x->steps[step].kernel, *p->kernel ? p->kernel : x->name)) step++;
    if (!x->steps[step].kernel) return wrong(a, "there is no such kernel", *p->kernel ? p->kernel : x->name);
    int dims[DIMS];
    memcpy(dims, x->steps[step].dims, sizeof dims);
    if (*p->size) sscanf(p->size, "%dx%dx%d", &dims[0], &dims[1], &dims[2]);
    int bad = p->changes < p->end ? measure_changed(a, s, p, lab, x, step, dims, &m)
                                  : reference_measure(s, lab, x, step, dims, &m, a->e);
    *out = (struct launched){xstrdup(p->text), m.ms, m.metrics};
    measurement_free(&m);
    return bad ? -1 : 0;
}

/* On the device that the place names. */
static int launch_there(struct answers *a, const struct place *p, struct launched *out)
{
    struct session other, *s = a->session;
    uint64_t seed = 1;
    if (!*p->device) return launch(a, s, p, out);
    if (session_open(&other, p->device, s->workbench.front.kind, NULL, &seed, a->e)) return -1;
    int bad = launch(a, &other, p, out);
    session_close(&other);
    return bad;
}

static int measure(struct answers *a, const struct place *p, double *value)
{
    const struct launched *known = NULL;
    for (size_t i = 0; i < a->count; i++)
        if (!strcmp(a->launched[i].place, p->text)) known = &a->launched[i];
    if (!known) {
        struct launched *fresh = VEC_PUSH(a->launched, a->count, a->capacity);
        if (launch_there(a, p, fresh)) return -1;
        known = fresh;
    }
    *value = !strcmp(p->metric, "ms") ? known->ms : NAN;
    for (int i = 0; i < METRIC_COUNT; i++)
        if (!strcmp(model_metrics[i].ncu, p->metric) || !strcmp(model_metrics[i].nvprof, p->metric))
            *value = known->metrics.v[i];
    return isnan(*value) ? wrong(a, "nothing is counted by this name", p->metric) : 0;
}

static int term(struct answers *a, const char **at, double *value)
{
    struct place p;
    *at += strspn(*at, " \n");
    if (isdigit((unsigned char)**at)) {
        char *end;
        *value = strtod(*at, &end);
        *at = end;
        return 0;
    }
    int bad = read_place(a, at, &p) || measure(a, &p, value);
    free(p.text);
    return bad ? -1 : 0;
}

/* term [* term | / term ...], up to a semicolon or the end of the comment. */
static int evaluate(struct answers *a, const char **at, double *value)
{
    double more;
    if (term(a, at, value)) return -1;
    for (;;) {
        *at += strspn(*at, " \n");
        char operator = **at;
        if (operator != '*' && operator != '/') return 0;
        ++*at;
        if (term(a, at, &more)) return -1;
        *value = operator == '*' ? *value * more : *value / more;
    }
}

/* ---- figures in their text ---- */

/* Where a number stands on its own. NULL: nowhere. */
static const char *find_number(const char *text, const char *end, const char *number, size_t length)
{
    for (const char *at = text; at + length <= end; at++) {
        if (strncmp(at, number, length)) continue;
        int before = at > text && (isdigit((unsigned char)at[-1]) || at[-1] == '.');
        int after = isdigit((unsigned char)at[length]) ||
            (at[length] == '.' && isdigit((unsigned char)at[length + 1]));
        if (!before && !after) return at;
    }
    return NULL;
}

/* One figure of a comment: *from is where its text goes on. The comment's own copy goes to list. */
static int figure(
    struct answers *a, const char **at, const char **from, const char *end, struct buf *out, struct buf *list)
{
    double value;
    const char *number = *at;
    size_t length = strspn(number, "0123456789.");
    const char *there = length ? find_number(*from, end, number, length) : NULL;
    if (!there) return wrong(a, "the text above has no such number, in this order", number);
    const char *point = memchr(number, '.', length), *spec = number + length;
    int decimals = point ? (int)(number + length - point) - 1 : 0;
    spec += strspn(spec, " \n");
    if (*spec != '=') return wrong(a, "after the number stands =", number);
    *at = spec + 1;
    if (evaluate(a, at, &value)) return -1;
    buf_add(out, *from, (size_t)(there - *from));
    buf_printf(out, "%.*f", decimals, value);
    *from = there + length;
    buf_printf(list, "%.*f ", decimals, value);
    buf_add(list, spec, (size_t)(*at - spec));
    return 0;
}

/* A comment and the text above it. */
static int figures(struct answers *a, const char *text, const char *mark, const char *end, struct buf *out)
{
    const char *at = mark + strlen(open_mark), *from = text;
    struct buf list = {0};
    int bad = 0;
    while (!bad) {
        size_t space = strspn(at, " \n");
        buf_add(&list, at, space);
        at += space;
        if (at >= end) break;
        bad = figure(a, &at, &from, mark, out, &list);
        if (!bad && *at == ';') buf_add(&list, at++, 1);
        else if (!bad && at < end) bad = wrong(a, "a semicolon stands between figures", at);
    }
    if (!bad) {
        buf_add(out, from, (size_t)(mark - from));
        buf_printf(out, "%s", open_mark);
        buf_add(out, list.data ? list.data : "", list.len);
    }
    buf_free(&list);
    return bad;
}

int answers_text(struct session *s, const char *file, const char *text, struct buf *out, struct err *e)
{
    struct answers a = {.session = s, .file = file, .e = e};
    int bad = 0;
    for (const char *mark; !bad && (mark = strstr(text, open_mark));) {
        const char *end = strstr(mark, close_mark);
        bad = end ? figures(&a, text, mark, end, out) : wrong(&a, "the comment does not end", mark);
        text = end;
    }
    if (!bad) buf_printf(out, "%s", text);
    for (size_t i = 0; i < a.count; i++) free(a.launched[i].place);
    free(a.launched);
    return bad;
}

/* The file says whose kernels its figures are of: "kernels by clang 14.0.6;". */
static int by_another(const struct session *s, const char *text)
{
    static const char by[] = "kernels by ";
    const char *at = strstr(text, by);
    size_t n = strlen(s->workbench.front.name);
    return at && (strncmp(at + strlen(by), s->workbench.front.name, n) || at[strlen(by) + n] != ';');
}

/* With the name of the compiler that makes the figures now. */
static char *signed_by(const struct session *s, const char *text)
{
    static const char by[] = "kernels by ";
    const char *at = strstr(text, by);
    if (!at) return xstrdup(text);
    at += strlen(by);
    return xasprintf("%.*s%s%s", (int)(at - text), text, s->workbench.front.name, at + strcspn(at, ";\n"));
}

int answers_update(struct session *s, const struct lab *lab, int check, int *stale, struct err *e)
{
    char *file = kit_path(&s->workbench.kit, "solutions/%s/README.md", lab->name), *text = NULL;
    struct buf out = {0};
    int bad = file_read(file, 1 << 20, &text, NULL, e);
    if (!bad && !(check && by_another(s, text))) {
        char *now = signed_by(s, text);
        bad = answers_text(s, file, now, &out, e);
        free(now);
        if (!bad && strcmp(text, out.data)) {
            ++*stale;
            if (!check) bad = file_write(file, out.data, out.len, e);
            const char *what = check ? "its figures are not what is modelled now" : "written";
            if (!bad) printf("%s: %s\n", file, what);
        }
    }
    buf_free(&out);
    free(text);
    free(file);
    return bad ? -1 : 0;
}
