/* page.c - write the recording as one HTML page that needs no other file.
 *
 *     page.html   a template: style, placeholders, and the script that moves from stop to stop
 *         @TITLE@      file and kernel
 *         @STYLE@      view/style.css
 *         @DATA@       all stops as JSON:
 *
 *     {file, kernel, block: [x, y, z], warp, debug, cut, source: [line, ...],
 *      arrays: [{name, columns, count}, ...],                   arrays in shared memory
 *      optimised: [6 counters and instructions] or null,
 *      race: {text, sides: [{warp, line, lanes, marks, who, access, rows}, ...]} or null,
 *      stops: [{line, lanes, rows: [[name, text, changed], ...],
 *               access: [{text, drawing, waste, array, elements: [i, ...]}, ...],
 *               counts: [...], wrote: [[array, element, text], ...], barrier, fault}, ...]}
 *
 * A stop lists only the array elements that have changed: the script adds up those of all
 * earlier stops. */
#include "step/step.h"
#include "view/view.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A JSON string. Bytes that are not UTF-8, which json_stringn would refuse, become '?'. */
static json_t *text_of(const char *s, size_t n)
{
    json_t *o = json_stringn(s, n);
    if (o) return o;
    char *copy = xstrndup(s, n);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    o = json_string(copy);
    free(copy);
    return o;
}

static json_t *source_lines(const char *source)
{
    json_t *lines = json_array();
    for (const char *at = source; at && *at;) {
        size_t n = strcspn(at, "\n");
        json_array_append_new(lines, text_of(at, n && at[n - 1] == '\r' ? n - 1 : n));
        at += n + (at[n] == '\n');
    }
    return lines;
}

static json_t *counters(const struct step_counters *c, int instructions)
{
    json_t *a = json_array();
    const uint64_t v[] = {c->global, c->sectors, c->needed, c->shared, c->wavefronts, c->conflicts};
    for (int i = 0; i < 6; i++) json_array_append_new(a, json_integer((json_int_t)v[i]));
    json_array_append_new(
        a, instructions ? json_integer((json_int_t)c->instructions) : json_null());
    return a;
}

/* ---- arrays in shared memory ---- */

struct array {
    const struct step_variable *variable;
    const struct step_type *element;
    unsigned columns, count;
};
enum { ARRAYS_MAX = 8 };
struct arrays {
    struct array list[ARRAYS_MAX];
    int count;
    /* a copy of shared memory at the previous stop, then for each of its bytes: 1 if it was
     * known */
    unsigned char *before;
    size_t bytes;
};

static void find_arrays(const struct step_session *s, struct arrays *all)
{
    for (int i = 0; i < s->names.variable_count && all->count < ARRAYS_MAX; i++) {
        const struct step_variable *v = &s->names.variables[i];
        const struct step_type *t = &s->names.types[v->type];
        unsigned columns = 1;
        if (!v->shared || t->kind != KIND_ARRAY) continue;
        for (; t->kind == KIND_ARRAY && t->of >= 0; t = &s->names.types[t->of]) columns = t->count;
        if (!t->bytes || t->bytes > 8 || !columns) continue;
        all->list[all->count++] =
            (struct array){v, t, columns, s->names.types[v->type].bytes / t->bytes};
    }
}

static json_t *describe_arrays(const struct arrays *all)
{
    json_t *a = json_array();
    for (int i = 0; i < all->count; i++)
        json_array_append_new(
            a, json_pack("{s:s, s:i, s:i}", "name", all->list[i].variable->name, "columns",
                   (int)all->list[i].columns, "count", (int)all->list[i].count));
    return a;
}

/* The array elements that have changed since the previous call, as JSON. */
static json_t *changes(struct arrays *all, const struct step_state *st)
{
    json_t *out = json_array();
    if (!all->before)
        all->before = xcalloc(2 * st->shared_bytes + 1, 1), all->bytes = st->shared_bytes;
    for (int i = 0; i < all->count; i++)
        for (unsigned k = 0; k < all->list[i].count; k++) {
            unsigned bytes = all->list[i].element->bytes;
            uint64_t at = all->list[i].variable->offset + (uint64_t)k * bytes,
                     lane[WARP_SIZE] = {0};
            char text[32];
            if (at + bytes > st->shared_bytes || !st->shared_known[at]) continue;
            if (all->before[all->bytes + at] && !memcmp(all->before + at, st->shared + at, bytes))
                continue;
            memcpy(lane, st->shared + at, bytes);
            step_fold(all->list[i].element->kind, bytes, lane, 1, text, sizeof text);
            json_array_append_new(out, json_pack("[i, i, s]", i, (int)k, text));
        }
    memcpy(all->before, st->shared, st->shared_bytes);
    memcpy(all->before + all->bytes, st->shared_known, st->shared_bytes);
    return out;
}

/* ---- stops ---- */

static json_t *access_of(
    const struct step_session *s, const struct arrays *all, const struct step_access *a)
{
    char words[256], drawing[512];
    json_t *elements = json_array();
    int array = -1;
    step_access_words(s, a, words, sizeof words);
    step_access_drawing(a, 32, drawing, sizeof drawing);
    for (int i = 0; a->shared && i < all->count; i++)
        for (uint32_t m = a->mask; m; m &= m - 1) {
            uint64_t start = all->list[i].variable->offset, at = a->addr[__builtin_ctz(m)] - start;
            unsigned bytes = all->list[i].element->bytes;
            if (at >= (uint64_t)all->list[i].count * bytes) continue;
            array = i;
            for (unsigned k = 0; k < a->bytes; k += bytes)
                json_array_append_new(elements, json_integer((json_int_t)((at + k) / bytes)));
        }
    return json_pack("{s:s, s:s, s:b, s:i, s:o}", "text", words, "drawing", drawing, "waste",
        a->extra > 0, "array", array, "elements", elements);
}

static json_t *rows_of(const struct step_picture *p)
{
    json_t *rows = json_array();
    for (int i = 0; i < p->row_count; i++)
        json_array_append_new(
            rows, json_pack("[s, s, b]", p->rows[i].name, p->rows[i].text, p->rows[i].changed));
    return rows;
}

static json_t *stop_of(struct step_session *s, struct arrays *all, size_t stop)
{
    struct step_picture p;
    picture_make(s, stop, 0, &p);
    json_t *rows = rows_of(&p), *access = json_array();
    for (int i = 0; i < p.access_count; i++)
        json_array_append_new(access, access_of(s, all, &p.access[i]));
    json_t *o = json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:b, s:b}", "line", p.line, "lanes",
        p.lanes, "rows", rows, "access", access, "counts", counters(&p.so_far, !s->debug), "wrote",
        changes(all, recording_state(s->recording, p.instant)), "barrier", p.barrier, "fault",
        p.fault);
    picture_free(&p);
    return o;
}

static json_t *side_of(const struct step_session *s, int number)
{
    const struct step_side *side = &s->race.side[number];
    struct step_race_side r;
    step_race_side(s, number, &r);
    json_t *o = json_pack("{s:i, s:i, s:s, s:s, s:s, s:s, s:o}", "warp", side->warp, "line",
        side->line, "lanes", r.picture.lanes, "marks", r.marks, "who", r.who, "access", r.access,
        "rows", rows_of(&r.picture));
    picture_free(&r.picture);
    return o;
}

static json_t *race_of(const struct step_session *s)
{
    char words[256];
    if (!s->race.side[0].recording) return json_null();
    step_race_words(&s->race, words, sizeof words);
    return json_pack("{s:s, s:[o, o]}", "text", words, "sides", side_of(s, 0), side_of(s, 1));
}

static json_t *data_of(struct step_session *s, size_t most)
{
    struct arrays all = {.count = 0};
    json_t *stops = json_array();
    size_t count = recording_stops(s->recording), shown = count < most ? count : most;
    find_arrays(s, &all);
    for (size_t i = 0; i < shown; i++) json_array_append_new(stops, stop_of(s, &all, i));
    char *fault = step_fault(s);
    json_t *o = json_pack("{s:s, s:s, s:[i,i,i], s:i, s:b, s:i, s:o, s:o, s:o, s:o, s:o, s:s?}",
        "file", s->file, "kernel", s->kernel, "block", (int)s->at[0], (int)s->at[1], (int)s->at[2],
        "warp", s->warp, "debug", s->debug, "steps", (int)count, "source", source_lines(s->source),
        "arrays", describe_arrays(&all), "optimised",
        s->has_optimised ? counters(&s->optimised, 1) : json_null(), "race", race_of(s), "stops",
        stops, "fault", fault);
    free(all.before);
    free(fault);
    return o;
}

/* Append JSON to a script. "</script>" in a string must not end the script, so "</" is written
 * "<\/", which JSON reads as the same. */
static void put_json(struct buf *out, json_t *o)
{
    char *text = json_dumps(o, JSON_COMPACT | JSON_ENSURE_ASCII);
    for (const char *at = text; at && *at;) {
        size_t n = strcspn(at, "<");
        buf_add(out, at, n);
        at += n;
        if (*at) buf_printf(out, "\\u003c"), at++;
    }
    free(text);
}

void step_json(struct step_session *s, size_t most, struct buf *out)
{
    json_t *o = data_of(s, most);
    put_json(out, o);
    buf_printf(out, "\n");
    json_decref(o);
}

static void put_escaped(struct buf *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            buf_printf(out, "&lt;");
        else if (*text == '&')
            buf_printf(out, "&amp;");
        else
            buf_add(out, text, 1);
}

void step_page(struct step_session *s, const char *template, size_t most, struct buf *out)
{
    for (const char *at = template; *at;) {
        size_t n = strcspn(at, "@");
        buf_add(out, at, n);
        at += n;
        if (!strncmp(at, "@TITLE@", 7)) {
            put_escaped(out, s->file);
            buf_printf(out, ": ");
            put_escaped(out, s->kernel);
            at += 7;
        } else if (!strncmp(at, "@DATA@", 6)) {
            json_t *o = data_of(s, most);
            put_json(out, o);
            json_decref(o);
            at += 6;
        } else if (!strncmp(at, "@STYLE@", 7)) {
            buf_printf(out, "%s", view_style);
            at += 7;
        } else if (*at) {
            buf_add(out, at++, 1);
        }
    }
}
