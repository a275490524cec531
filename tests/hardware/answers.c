/* answers.c - make the figures in the prose of labs, solutions and slides anew, from the
 * expressions in a comment below them.
 *
 *     ... the time grows from 0.0141 ms to 0.0624 ms.
 *     <!-- figures: 0.0141 = ms 01/copy; 0.0624 = ms 01/transpose -->
 *
 * A comment lists the figures of the text between the previous comment and itself, in their order.
 * A figure is found in the text by its present number, which the new one replaces, with as many
 * decimals.
 *
 *     figure    NUMBER = sum, or NUMBER ~ sum: with as many digits as NUMBER has before its last zeros, "some 700"
 *     sum       product [+ product | - product ...]
 *     product   term [* term | / term ...]
 *     term      a number, ( sum ), or one of
 *               METRIC LAB/EXERCISE[/KERNEL][:SIZE][@DEVICE][{OLD->NEW}...]
 *               profile FIELD@DEVICE                what the profile of a simulated GPU says
 *               record WHAT FIELD [KEY=VALUE,...]   a row of tests/hardware/records/h200-WHAT.json
 *               published [TABLE | RUNG]            a figure of solutions/published/published.json
 *     METRIC    ms, error, or a counter's name as reports print it; error: the norm of the error over that of C
 *     KERNEL    without it, the one that has the exercise's name
 *     SIZE      1024x128x1024; without it, the size of the exercise
 *     {OLD->NEW} of the solution with this change: {TILE 16->TILE 8}; several are made one after the other
 *
 * "kernels by COMPILER;" before the first figure, or anywhere in the document, names the compiler
 * whose code was counted. tests/figures.sh checks that the documents have no other figures.
 */
#include "hardware/answers.h"
#include "hardware/errors.h"
#include "hardware/record.h"
#include "cli/cli.h"
#include "os/os.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char open_mark[] = "<!-- figures:", close_mark[] = "-->", by[] = "kernels by ";

/* The results of one launch, found by the text that names it, since several figures may come from
 * one launch. */
struct launched {
    char *place;
    double ms, error;
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
    return err_set(
        a->e, ERR_ENV, "%s: figures: %s: %.*s", a->file, what, (int)strcspn(at, ";\n"), at);
}

/* ---- a term ---- */

/* A term that needs a launch: METRIC LAB/EXERCISE... */
struct place {
    char metric[96], lab[16], exercise[64], kernel[64], size[64], device[32];
    const char *changes, *end; /* from the first { to behind the last }; equal: none */
    int exact;                 /* 1: the metric is "error" */
    char *text;                /* the term without its metric; of an error the whole term */
};

/* Copy a name, which ends before a character of stops, to out. *at moves to that character. */
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
    p->exact = !strcmp(p->metric, "error");
    const char *text = p->exact ? start : *at;
    take(at, "/ ;)\n", p->lab, sizeof p->lab);
    if (**at != '/') return wrong(a, "a term is METRIC LAB/EXERCISE", start);
    ++*at;
    take(at, "/:@{ ;)\n", p->exercise, sizeof p->exercise);
    if (**at == '/') ++*at, take(at, ":@{ ;)\n", p->kernel, sizeof p->kernel);
    if (**at == ':') ++*at, take(at, "@{ ;)\n", p->size, sizeof p->size);
    if (**at == '@') ++*at, take(at, "{ ;)\n", p->device, sizeof p->device);
    for (p->changes = *at; **at == '{'; ++*at) {
        const char *arrow = strstr(*at, "->"), *end = strchr(*at, '}');
        if (!arrow || !end || end < arrow) return wrong(a, "a change is {OLD->NEW}", *at);
        *at = end;
    }
    p->end = *at;
    p->text = xstrndup(text, (size_t)(*at - text));
    return 0;
}

/* Apply the change {OLD->NEW} at braces wherever *text has OLD. -1: it does not have OLD. */
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

/* Write a solution with the changes of p into a folder. Returns the new file's path, which the
 * caller frees; NULL with an error. */
static char *changed(
    struct answers *a, const struct place *p, const char *solution, const char *folder)
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

/* Measure a step of a solution, with the change of p, if p names one: with p->exact only *error, the
 * norm of its error over that of the answer; else only *m, its counts and its time. */
static int measure_changed(struct answers *a, struct session *s, const struct place *p,
    const struct lab *lab, const struct exercise *x, int step, const int *dims,
    struct measurement *m, double *error)
{
    char *solutions = kit_path(&s->workbench.kit, "solutions"),
         *solution = workbench_file(solutions, lab, x);
    char *folder = kit_temporary(&s->workbench.kit, a->e);
    char *file = folder ? changed(a, p, solution, folder) : NULL;
    struct build b = {0};
    struct instance in;
    int bad = !file;
    if (!bad && p->exact)
        bad = errors_norm(&s->workbench, file, x, step, dims, error, a->e);
    else if (!bad && !(bad = build_open_as(&b, &s->workbench, file, x, a->e))) {
        instance_make(&in, problem_find(x->steps[step].problem), dims, 1);
        bad = build_count(&b, step, &in, m, a->e);
        instance_free(&in);
    }
    if (file && !p->exact) build_close(&b);
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
    while (x->steps[step].kernel && strcmp(x->steps[step].kernel, *p->kernel ? p->kernel : x->name))
        step++;
    if (!x->steps[step].kernel)
        return wrong(a, "there is no such kernel", *p->kernel ? p->kernel : x->name);
    int dims[DIMS];
    memcpy(dims, x->steps[step].dims, sizeof dims);
    if (*p->size) sscanf(p->size, "%dx%dx%d", &dims[0], &dims[1], &dims[2]);
    double error = NAN;
    int bad = p->exact || p->changes < p->end
                  ? measure_changed(a, s, p, lab, x, step, dims, &m, &error)
                  : reference_measure(s, lab, x, step, dims, &m, a->e);
    *out = (struct launched){xstrdup(p->text), m.ms, error, m.metrics};
    measurement_free(&m);
    return bad ? -1 : 0;
}

/* Launch on the device that the term names; without one, on the session's device. */
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
    *value = p->exact ? known->error : !strcmp(p->metric, "ms") ? known->ms : NAN;
    for (int i = 0; i < METRIC_COUNT; i++)
        if (!strcmp(model_metrics[i].ncu, p->metric) || !strcmp(model_metrics[i].nvprof, p->metric))
            *value = known->metrics.v[i];
    return isnan(*value) ? wrong(a, "nothing is counted by this name", p->metric) : 0;
}

/* ---- what is known without a launch ---- */

/* Read the term "FIELD@DEVICE": a field of the profile of a simulated GPU. */
static int profile_term(struct answers *a, const char **at, double *value)
{
    char field[32], device[32];
    const char *start = *at;
    take(at, "@ ;)\n", field, sizeof field);
    if (**at == '@') ++*at;
    take(at, " ;)\n", device, sizeof device);
    const struct model_profile *p =
        strncmp(device, "sim:", 4) ? NULL : model_profile_find(device + 4);
    if (!p) return wrong(a, "a profile is FIELD@sim:GPU", start);
    const struct {
        const char *name;
        double value;
    } fields[] = {{"sms", p->sms}, {"clock_ghz", p->clock_ghz}, {"fp32_lanes", p->fp32_lanes},
        {"tensor_rate", p->tensor_rate}, {"dram_gbps", p->dram_gbps},
        {"dram_peak_gbps", p->dram_peak_gbps}, {"latency_dram", p->latency_dram},
        {"latency_shared", p->latency_shared}, {"latency_alu", p->latency_alu},
        {"shared_bytes", (double)p->shared_bytes},
        {"shared_block_bytes", (double)p->shared_block_bytes}, {"max_blocks", p->max_blocks}};
    *value = NAN;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(fields[i].name, field)) *value = fields[i].value;
    return isnan(*value) ? wrong(a, "no such field of a profile is known here", start) : 0;
}

/* Does a row of a record have these values, "KEY=VALUE,..."? A value is a text or a number; of the array
 * dims the first element is compared. A comma before a blank belongs to a text. */
static int row_is(const json_t *row, const char *keys)
{
    char key[64], value[64];
    while (*keys) {
        take(&keys, "=", key, sizeof key);
        keys += *keys == '=';
        size_t n = strcspn(keys, ",");
        while (keys[n] && keys[n + 1] == ' ') n += 1 + strcspn(keys + n + 1, ",");
        snprintf(value, sizeof value, "%.*s", (int)n, keys);
        keys += n + (keys[n] == ',');
        const json_t *is = json_object_get(row, key);
        if (json_is_array(is)) is = json_array_get(is, 0);
        if (json_is_string(is) ? strcmp(json_string_value(is), value) != 0
                               : !json_is_number(is) || json_number_value(is) != atof(value))
            return 0;
    }
    return 1;
}

/* Read the term "WHAT FIELD [KEY=VALUE,...]": a field of the only row of a record that has these
 * values. */
static int record_term(struct answers *a, const char **at, double *value)
{
    char what[32], field[32], keys[128];
    const char *start = *at;
    json_t *record = NULL, *rows, *row;
    const char *name;
    size_t i;
    int found = 0;
    take(at, " ;\n", what, sizeof what);
    *at += strspn(*at, " \n");
    take(at, " ;\n", field, sizeof field);
    *at += strspn(*at, " \n[");
    take(at, "];\n", keys, sizeof keys);
    if (*(*at)++ != ']') return wrong(a, "a record is WHAT FIELD [KEY=VALUE,...]", start);
    char *file = record_file(&a->session->workbench.kit, NULL, what);
    int bad = record_read(file, &record, a->e);
    json_object_foreach(record, name, rows) json_array_foreach(rows, i, row) if (row_is(row, keys))
        found++,
        *value = record_number(row, field);
    json_decref(record);
    free(file);
    if (bad) return -1;
    return found != 1 || isnan(*value)
               ? wrong(a, "not one row has these values, and that field", start)
               : 0;
}

/* Read the term "[TABLE | RUNG]": a published figure. */
static int published_term(struct answers *a, const char **at, double *value)
{
    char table[96], rung[64];
    const char *start = *at;
    json_t *published = NULL, *t, *r;
    size_t i, j;
    *at += strspn(*at, " \n[");
    take(at, "|];\n", table, sizeof table);
    *at += strspn(*at, "| ");
    take(at, "];\n", rung, sizeof rung);
    if (*(*at)++ != ']') return wrong(a, "a published figure is [TABLE | RUNG]", start);
    table[strlen(table) - (*table && table[strlen(table) - 1] == ' ')] = 0;
    char *file = kit_path(&a->session->workbench.kit, "solutions/published/published.json");
    int bad = record_read(file, &published, a->e);
    *value = NAN;
    json_array_foreach(json_object_get(published, "tables"), i, t) json_array_foreach(
        json_object_get(t, "rungs"), j, r) if (!strcmp(record_text(t, "table"), table) &&
                                               !strcmp(record_text(r, "rung"), rung)) *value =
        record_number(r, "figure");
    json_decref(published);
    free(file);
    if (bad) return -1;
    return isnan(*value) ? wrong(a, "published.json has no such figure", start) : 0;
}

static int starts(const char **at, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*at, word, n)) return 0;
    *at += n;
    return 1;
}

/* ---- sums and products ---- */

static int sum(struct answers *a, const char **at, double *value);

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
    if (starts(at, "(")) {
        if (sum(a, at, value)) return -1;
        *at += strspn(*at, " \n");
        return starts(at, ")") ? 0 : wrong(a, "a parenthesis is not closed", *at);
    }
    if (starts(at, "profile ")) return profile_term(a, at, value);
    if (starts(at, "record ")) return record_term(a, at, value);
    if (starts(at, "published ")) return published_term(a, at, value);
    int bad = read_place(a, at, &p) || measure(a, &p, value);
    free(p.text);
    return bad ? -1 : 0;
}

/* Read an operator, which is one of two characters. 0: another character follows, or "--", with
 * which the comment ends. */
static char operator(const char **at, const char *two)
{
    *at += strspn(*at, " \n");
    return **at && strchr(two, **at) && strncmp(*at, "--", 2) ? *(*at)++ : 0;
}

static int product(struct answers *a, const char **at, double *value)
{
    double more;
    char c;
    if (term(a, at, value)) return -1;
    while ((c = operator(at, "*/"))) {
        if (term(a, at, &more)) return -1;
        *value = c == '*' ? *value * more : *value / more;
    }
    return 0;
}

/* Read a sum. It ends where neither + nor - follows a product. */
static int sum(struct answers *a, const char **at, double *value)
{
    double more;
    char c;
    if (product(a, at, value)) return -1;
    while ((c = operator(at, "+-"))) {
        if (product(a, at, &more)) return -1;
        *value = c == '+' ? *value + more : *value - more;
    }
    return 0;
}

/* ---- figures in their text ---- */

/* The first place where the number is not part of a longer one. NULL: there is none. */
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

/* Rounded to as many digits as a whole number has before its last zeros: 683 like 700 is 700. */
static double roughly(const char *number, size_t length, double value)
{
    while (length > 1 && number[length - 1] == '0') length--;
    double unit = pow(10, floor(log10(fabs(value))) + 1 - (double)length);
    return round(value / unit) * unit;
}

/* Append a value in the form of a number of the text, "0.319" or "2.6e-4": with as many
 * decimals. */
static void print_like(const char *number, size_t length, double value, struct buf *out)
{
    const char *e = memchr(number, 'e', length), *point = memchr(number, '.', length);
    int decimals = point ? (int)((e ? e : number + length) - point) - 1 : 0;
    char text[64], *power;
    snprintf(text, sizeof text, e ? "%.*e" : "%.*f", decimals, value);
    if (!e || !(power = strchr(text, 'e')))
        buf_printf(out, "%s", text);
    else
        buf_printf(out, "%.*s%d", (int)(power + 1 - text), text, atoi(power + 1));
}

/* Make one figure of a comment anew. *at: its place in the comment. *from: the text that is not
 * copied to out yet. list: gets the new text of the comment. */
static int figure(struct answers *a, const char **at, const char **from, const char *end,
    struct buf *out, struct buf *list)
{
    double value;
    const char *number = *at;
    size_t length = strspn(number, "0123456789.");
    if (length && number[length] == 'e') length += 1 + strspn(number + length + 1, "-0123456789");
    const char *there = length ? find_number(*from, end, number, length) : NULL;
    if (!there) return wrong(a, "the text above has no such number, in this order", number);
    const char *spec = number + length;
    spec += strspn(spec, " \n");
    if (*spec != '=' && *spec != '~') return wrong(a, "after the number stands =", number);
    *at = spec + 1;
    if (sum(a, at, &value)) return -1;
    if (*spec == '~' && value) value = roughly(number, length, value);
    buf_add(out, *from, (size_t)(there - *from));
    print_like(number, length, value, out);
    *from = there + length;
    print_like(number, length, value, list);
    buf_printf(list, " ");
    buf_add(list, spec, (size_t)(*at - spec));
    return 0;
}

/* Append the text above a comment, with its figures made anew, and the comment without its end. */
static int figures(
    struct answers *a, const char *text, const char *mark, const char *end, struct buf *out)
{
    const char *at = mark + strlen(open_mark), *from = text;
    struct buf list = {0};
    int bad = 0;
    while (!bad) {
        size_t space = strspn(at, " \n");
        buf_add(&list, at, space);
        at += space;
        if (at >= end) break;
        if (!strncmp(at, by, strlen(by))) {
            size_t n = strcspn(at, ";");
            buf_add(&list, at, n + 1);
            at += n + 1;
            continue;
        }
        bad = figure(a, &at, &from, mark, out, &list);
        if (!bad && *at == ';')
            buf_add(&list, at++, 1);
        else if (!bad && at < end)
            bad = wrong(a, "a semicolon stands between figures", at);
    }
    if (!bad) {
        buf_add(out, from, (size_t)(mark - from));
        buf_printf(out, "%s", open_mark);
        buf_add(out, list.data ? list.data : "", list.len);
    }
    buf_free(&list);
    return bad;
}

int answers_text(
    struct session *s, const char *file, const char *text, struct buf *out, struct err *e)
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

/* The compiler's name in "kernels by clang 14.0.6;", which a document states for its figures;
 * NULL: it states none. Tables state it with a full stop. */
static const char *signature(const char *text)
{
    while ((text = strstr(text, by))) {
        text += strlen(by);
        if (text[strcspn(text, ";\n")] == ';') return text;
    }
    return NULL;
}

static int by_another(const struct session *s, const char *text)
{
    const char *at = signature(text);
    size_t n = strlen(s->workbench.front.name);
    return at && (strncmp(at, s->workbench.front.name, n) || at[n] != ';');
}

/* A copy of the text, with the name of the compiler that makes the figures now. The caller frees
 * it. */
static char *signed_by(const struct session *s, const char *text)
{
    const char *at = signature(text);
    if (!at) return xstrdup(text);
    return xasprintf("%.*s%s%s", (int)(at - text), text, s->workbench.front.name, strchr(at, ';'));
}

/* Make the figures of one document anew, if it exists. Frees file. */
static int update(struct session *s, char *file, int check, int *stale, struct err *e)
{
    char *text = NULL;
    struct buf out = {0};
    int bad = file_exists(file) && file_read(file, 1 << 20, &text, NULL, e);
    if (!bad && text && strstr(text, open_mark) && !(check && by_another(s, text))) {
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

int answers_update(struct session *s, const struct lab *lab, int check, int *stale, struct err *e)
{
    static const char *const documents[] = {
        "solutions/%s/README.md", "labs/%s/README.md", "labs/%s/hints.md", "slides/%s.md"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        if (update(s, kit_path(&s->workbench.kit, documents[i], lab->name), check, stale, e))
            return -1;
    return 0;
}
