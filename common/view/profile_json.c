/* profile_json.c - profiles as JSON: the launches of one file.
 *
 *     {"file", "text": of the file, "device", "front_end", "kernels": [
 *        {"kernel", "grid", "block", "shared", "arguments", "wrong": why the result is, "time_ms", "time_is",
 *         "start_ms",
 *         "bottleneck", "parts_ms": {PART: number},
 *         "occupancy": {"percent", "reached_percent", "blocks", "warps", "limiter"},
 *         "counters": {NCU NAME: number}, "lines": [{"line", "source", "share", "counters", "ptx"}],
 *         "accesses": [{"line", "space", "op", "buffer", "bytes", "addresses": [byte or null, ...]}],
 *         "costs": [{"line", "share", "text"}], "printed": what the kernel printed,
 *         "pictures": [{"line", "svg", "text"}],
 *         "before": {"file", "kernel", "time_ms", "why": [sentence],
 *                    "lines": [{"line", "before", "same"}]}}]}
 *
 * share: of the launch's cost, 0 to 1. ptx and pictures: if they were asked for.
 * parts_ms: the modelled time of each part alone; they overlap, so they do not add up to time_ms.
 * percent is the occupancy that one block's resources allow; reached_percent is what the grid's
 * number of blocks reaches. "blocks" and "warps" are those resident on a multiprocessor. A counter
 * that was not counted has no key. `lockstep metrics` lists nvprof's name for each of ncu's.
 * profile_read.c reads such a file. */
#include "view/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *three(const unsigned v[3])
{
    return json_pack("[i,i,i]", (int)v[0], (int)v[1], (int)v[2]);
}

/* Every executed line, in the profile's order, with its text and its counters. */
static json_t *lines(const struct profile *p)
{
    json_t *all = json_array();
    double *share = profile_shares(p);
    for (size_t i = 0; i < p->m.line_count; i++) {
        json_t *o = json_object();
        struct buf ptx = {0};
        char *source = source_line(p->source, p->m.lines[i].line);
        json_object_set_new(o, "line", json_integer(p->m.lines[i].line));
        json_object_set_new(o, "source", json_text(source));
        json_object_set_new(o, "share", json_number(share[i]));
        json_object_set_new(o, "counters", json_counters(&p->m.lines[i].metrics));
        if (p->show_ptx) profile_ptx(p, p->m.lines[i].line, &ptx);
        if (ptx.len) json_object_set_new(o, "ptx", json_text(ptx.data));
        json_array_append_new(all, o);
        buf_free(&ptx);
        free(source);
    }
    free(share);
    return all;
}

/* The addresses of the first warp for each access, one per lane; null for an inactive lane. */
static json_t *accesses(const struct profile *p)
{
    json_t *all = json_array();
    for (size_t i = 0; i < p->m.access_count; i++) {
        const struct line_access *a = &p->m.accesses[i];
        json_t *o = json_object(), *addr = json_array();
        for (int l = 0; l < WARP_SIZE; l++)
            json_array_append_new(
                addr, a->mask >> l & 1 ? json_integer((json_int_t)a->addr[l]) : json_null());
        json_object_set_new(o, "line", json_integer(a->line));
        json_object_set_new(o, "space", json_string(a->shared ? "shared" : "global"));
        json_object_set_new(o, "op",
            json_string(a->atomic  ? "atomic"
                        : a->write ? "store"
                                   : "load"));
        json_object_set_new(o, "buffer", json_text(a->buffer));
        json_object_set_new(o, "bytes", json_integer(a->bytes));
        json_object_set_new(o, "addresses", addr);
        json_array_append_new(all, o);
    }
    return all;
}

/* The drawings by profile_map_svg and profile_map_text for each line that accesses memory. */
static json_t *pictures(const struct profile *p)
{
    json_t *all = json_array();
    for (size_t i = 0; i < p->m.access_count; i++) {
        int line = p->m.accesses[i].line;
        struct buf svg = {0}, text = {0};
        if (i && line == p->m.accesses[i - 1].line) continue;
        if (!profile_map_svg(p, line, &svg, NULL) && !profile_map_text(p, line, &text, NULL))
            json_array_append_new(all, json_pack("{s:i,s:o,s:o}", "line", line, "svg",
                                           json_text(svg.data), "text", json_text(text.data)));
        buf_free(&svg), buf_free(&text);
    }
    return all;
}

/* The lines that cost most, with the advice that the text and the page show, too. */
static json_t *costs(const struct profile *p)
{
    struct advice a[ADVICES];
    json_t *all = json_array();
    int count = profile_advise(p, a);
    for (int i = 0; i < count; i++)
        json_array_append_new(all,
            json_pack("{s:i,s:f,s:s}", "line", a[i].line, "share", a[i].share, "text", a[i].text));
    return all;
}

/* The profile with which this one was compared. In "lines", a line that has no counterpart lacks
 * the key of the other source. */
static json_t *difference(const struct profile *p)
{
    struct line_pair *pairs;
    struct buf why = {0};
    int count = profile_pairs(p->before, p, &pairs);
    json_t *o = json_object(), *reasons = json_array(), *lines = json_array();
    profile_why(p, pairs, count, &why);
    for (char *rest = why.data, *one; (one = strsep(&rest, "\n"));)
        if (*one) json_array_append_new(reasons, json_text(one));
    for (int i = 0; i < count; i++) {
        json_t *line = json_object();
        if (pairs[i].now) json_object_set_new(line, "line", json_integer(pairs[i].now));
        if (pairs[i].before) json_object_set_new(line, "before", json_integer(pairs[i].before));
        json_object_set_new(line, "same", json_boolean(pairs[i].same));
        json_array_append_new(lines, line);
    }
    json_object_set_new(o, "file", json_text(p->before->file));
    json_object_set_new(o, "kernel", json_text(p->before->kernel));
    json_object_set_new(o, "time_ms", json_number(p->before->m.ms));
    json_object_set_new(o, "why", reasons);
    json_object_set_new(o, "lines", lines);
    buf_free(&why);
    free(pairs);
    return o;
}

static json_t *launch(const struct profile *p)
{
    json_t *o = json_object(), *room = json_pack("{s:f,s:f}", "percent", 100 * p->m.occupancy.share,
                                   "reached_percent", p->m.metrics.v[METRIC_OCCUPANCY]);
    json_object_set_new(o, "kernel", json_text(p->kernel));
    json_object_set_new(o, "grid", three(p->grid));
    json_object_set_new(o, "block", three(p->block));
    json_object_set_new(o, "shared", json_integer((json_int_t)p->shared));
    json_object_set_new(o, "arguments", json_text(p->what));
    if (p->wrong) json_object_set_new(o, "wrong", json_text(p->wrong));
    json_set_members(o, measurement_members, &p->m, KEY_PROFILE | KEY_PROFILE_WRITTEN);
    json_set_members(room, measurement_members, &p->m, KEY_OCCUPANCY);
    json_object_set_new(o, "occupancy", room);
    json_object_set_new(o, "counters", json_counters(&p->m.metrics));
    json_object_set_new(o, "lines", lines(p));
    json_object_set_new(o, "accesses", accesses(p));
    json_object_set_new(o, "costs", costs(p));
    if (p->pictures) json_object_set_new(o, "pictures", pictures(p));
    if (p->m.printed) json_object_set_new(o, "printed", json_text(p->m.printed));
    if (p->before) json_object_set_new(o, "before", difference(p));
    return o;
}

json_t *profile_json(const struct profile *p, int count)
{
    json_t *o = json_object(), *kernels = json_array();
    json_object_set_new(o, "file", json_text(p->file));
    json_object_set_new(o, "text", json_text(p->source ? p->source : ""));
    json_object_set_new(o, "device", json_string(p->device));
    json_object_set_new(o, "front_end", json_string(p->front));
    for (int i = 0; i < count; i++) json_array_append_new(kernels, launch(&p[i]));
    json_object_set_new(o, "kernels", kernels);
    return o;
}
