/* profile_read.c - read an earlier profile, from the JSON that profile_json.c wrote.
 *
 *     {"file", "text", "device", "kernels": [{"kernel", "counters", "lines", ...}]} --> struct profile each
 *
 * Keys that a comparison does not need are ignored. A missing key or a wrong type is an error. */
#include "view/profile.h"

#include <stdlib.h>
#include <string.h>

/* The state of reading. The first problem that is found sets the error. */
struct reader {
    const char *file;
    struct err *e;
    int bad;
};

static json_t *get(struct reader *r, json_t *o, const char *key, json_type type)
{
    json_t *value = json_object_get(o, key);
    int fits =
        value && (json_typeof(value) == type || (type == JSON_REAL && json_is_number(value)));
    if (!fits && !r->bad)
        r->bad = err_set(r->e, ERR_USAGE,
            "%s: \"%s\" is missing or of a wrong kind; write the file with lockstep profile --json",
            r->file, key);
    return fits ? value : NULL;
}

static const char *text(struct reader *r, json_t *o, const char *key)
{
    const char *s = json_string_value(get(r, o, key, JSON_STRING));
    return s ? s : "";
}

static double number(struct reader *r, json_t *o, const char *key)
{
    return json_number_value(get(r, o, key, JSON_REAL));
}

static void three(struct reader *r, json_t *o, const char *key, unsigned out[3])
{
    json_t *a = get(r, o, key, JSON_ARRAY);
    for (size_t i = 0; i < 3; i++) out[i] = (unsigned)json_integer_value(json_array_get(a, i));
}

/* Counters that this version does not know are ignored. */
static void counters(struct reader *r, json_t *o, struct metrics *m)
{
    const char *key;
    json_t *value;
    model_metrics_clear(m);
    json_object_foreach(get(r, o, "counters", JSON_OBJECT), key, value)
    {
        int i = model_metric_find(key);
        if (i >= 0 && json_is_number(value)) m->v[i] = json_number_value(value);
    }
}

/* The index of a name in the row of a member table; if the name is not there, 0, which means
 * "none". */
static int find(const struct member *row, const char *name)
{
    for (int i = 1; i <= row->most; i++)
        if (!strcmp(row->names[i], name)) return i;
    return 0;
}

static void named_numbers(const struct member *row, json_t *from, double *v)
{
    for (size_t i = 0; from && i < row->size / sizeof *v; i++)
        v[i] = json_number_value(json_object_get(from, row->names[i]));
}

static void members(struct reader *r, json_t *o, const struct member *row, void *of, unsigned keys)
{
    for (; row->kind; row++) {
        void *at = (char *)of + row->offset;
        if (!(row->keys & keys)) continue;
        if (row->kind == MEMBER_DOUBLE && !row->names)
            *(double *)at = number(r, o, row->key);
        else if (row->kind == MEMBER_DOUBLE)
            named_numbers(row, get(r, o, row->key, JSON_OBJECT), at);
        else if (row->names)
            *(int *)at = find(row, text(r, o, row->key));
        else
            *(int *)at = (int)fmin(fmax(number(r, o, row->key), 0), row->most);
    }
}

static int lines_of(const char *source)
{
    int lines = *source != 0;
    for (; *source; source++) lines += source[0] == '\n' && source[1];
    return lines;
}

/* Read the counters of one source line. lines: number of lines of the source. */
static void line_measured(struct reader *r, json_t *o, int lines, struct line_counts *l)
{
    double line = number(r, o, "line");
    if (!r->bad && !(line >= 1 && line <= lines))
        r->bad = err_set(r->e, ERR_USAGE,
            "%s: \"line\" is %g, and \"text\" has %d line%s; write the file with lockstep profile --json",
            r->file, line, lines, plural_s(lines));
    if (r->bad) return;
    l->line = (int)line;
    counters(r, o, &l->metrics);
}

static void measured(struct reader *r, json_t *o, const char *source, struct measurement *m)
{
    json_t *room = get(r, o, "occupancy", JSON_OBJECT), *lines = get(r, o, "lines", JSON_ARRAY);
    m->time_is = TIME_MODELLED;
    members(r, o, measurement_members, m, KEY_PROFILE);
    members(r, room, measurement_members, m, KEY_OCCUPANCY);
    m->occupancy.share = number(r, room, "percent") / 100;
    counters(r, o, &m->metrics);
    m->lines = xcalloc(json_array_size(lines) + 1, sizeof *m->lines);
    int last = lines_of(source);
    for (size_t i = 0; i < json_array_size(lines) && !r->bad; i++)
        line_measured(r, json_array_get(lines, i), last, &m->lines[m->line_count++]);
    if (!r->bad && !(m->ms > 0))
        r->bad = err_set(r->e, ERR_USAGE, "%s: time_ms is not above 0", r->file);
}

static void take(struct reader *r, json_t *root, json_t *o, struct profile *p)
{
    p->file = text(r, root, "file");
    p->source = text(r, root, "text");
    p->device = text(r, root, "device");
    p->front = text(r, root, "front_end");
    p->gpu = strncmp(p->device, "sim:", 4) ? NULL : model_profile_find(p->device + 4);
    if (!p->gpu && !r->bad)
        r->bad = err_set(r->e, ERR_USAGE,
            "%s: there is no device %s; lockstep devices lists those there are", r->file,
            p->device);
    p->kernel = xstrdup(text(r, o, "kernel"));
    p->what = xstrdup(text(r, o, "arguments"));
    if (json_object_get(o, "wrong")) p->wrong = xstrdup(text(r, o, "wrong"));
    p->shared = (size_t)number(r, o, "shared");
    three(r, o, "grid", p->grid);
    three(r, o, "block", p->block);
    measured(r, o, p->source, &p->m);
}

int profiles_read(const char *file, json_t **root, struct profile **out, int *count, struct err *e)
{
    json_error_t at;
    char *data;
    size_t length;
    *root = NULL;
    *out = NULL;
    *count = 0;
    if (file_read(file, 64 << 20, &data, &length, e)) return -1;
    *root = json_loadb(data, length, JSON_REJECT_DUPLICATES, &at);
    free(data);
    if (!*root)
        return err_set(e, ERR_USAGE,
            "%s:%d: this is no JSON: %s; write the file with lockstep profile --json", file,
            at.line, at.text);
    struct reader r = {file, e, 0};
    json_t *kernels = get(&r, *root, "kernels", JSON_ARRAY);
    size_t n = json_array_size(kernels);
    if (!r.bad && !n) r.bad = err_set(e, ERR_USAGE, "%s: \"kernels\" is empty", file);
    *out = xcalloc(n + 1, sizeof **out);
    for (size_t i = 0; i < n && !r.bad; i++)
        take(&r, *root, json_array_get(kernels, i), &(*out)[(*count)++]);
    return r.bad ? -1 : 0;
}

void profiles_free(struct profile *p, int count)
{
    for (int i = 0; i < count; i++) {
        measurement_free(&p[i].m);
        free(p[i].kernel);
        free(p[i].what);
        free(p[i].wrong);
    }
    free(p);
}
