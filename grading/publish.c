/* publish.c - publish a grading as the class's results, after showing what changes.
 *
 *     results/.next/NAME.json ──> who gains, who loses ──> yes? ──> results/NAME.json
 *
 * A first grading changes no points, so it is published at once. */
#define _GNU_SOURCE
#include "grading/grading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct changes {
    int gain, lose, same, new;
    struct buf table;
};

/* Append the exercises whose points differ: "05-padded aat 6 -> 10". */
static void exercises(struct buf *out, const json_t *before, const json_t *after)
{
    size_t i;
    json_t *x, *list = json_object_get(before, "exercises");
    json_array_foreach(json_object_get(after, "exercises"), i, x)
    {
        json_t *old = json_array_get(list, i);
        double a = result_got(old), b = result_got(x);
        if (a != b && !strcmp(result_text(old, "exercise"), result_text(x, "exercise")))
            buf_printf(
                out, "; %s %s %g -> %g", result_text(x, "lab"), result_text(x, "exercise"), a, b);
    }
}

static void compare(struct changes *c, const char *name, const json_t *before, const json_t *after)
{
    double a = result_number(before, "score"), b = result_number(after, "score"),
           most = result_number(before, "max_score"), now = result_number(after, "max_score");
    if (a == b && most == now) {
        c->same++;
        return;
    }
    c->gain += b > a;
    c->lose += b < a;
    c->same += a == b; /* the maximum changed */
    int bytes = 0;     /* continuation bytes of UTF-8, which take no column */
    for (const char *p = name; *p; p++) bytes += (*p & 0xc0) == 0x80;
    buf_printf(
        &c->table, "  %-*s %g of %g -> %g of %g (%+g)", 30 + bytes, name, a, most, b, now, b - a);
    exercises(&c->table, before, after);
    buf_printf(&c->table, "\n");
}

static void find_changes(struct changes *c, const struct class_options *o, const struct roster *r)
{
    *c = (struct changes){0};
    for (size_t i = 0; i < r->count; i++) {
        char *old = xasprintf("%s/%s.json", o->results, r->list[i].name),
             *new = xasprintf("%s/.next/%s.json", o->results, r->list[i].name);
        json_t *before = result_load(old), *after = r->list[i].skip ? NULL : result_load(new);
        if (before && after)
            compare(c, r->list[i].name, before, after);
        else if (after)
            c->new ++;
        json_decref(before), json_decref(after);
        free(old), free(new);
    }
}

/* Ask the user whether to write the results. 1: yes. 0: no. -1: there is no terminal to ask at. */
static int ask(void)
{
    char answer[8] = "";
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return -1;
    printf("write these results? [y/N] ");
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (*answer == 'y' || *answer == 'Y');
}

static int move(const struct class_options *o, const struct roster *r, struct err *e)
{
    int bad = 0;
    for (size_t i = 0; i < r->count && !bad; i++) {
        if (r->list[i].skip) continue;
        char *to = xasprintf("%s/%s.json", o->results, r->list[i].name),
             *from = xasprintf("%s/.next/%s.json", o->results, r->list[i].name);
        if (rename(from, to) && errno != ENOENT)
            bad = err_set(e, ERR_ENV, "%s: cannot be written: %s", to, strerror(errno));
        free(to), free(from);
    }
    return bad;
}

int publish(const struct class_options *o, const struct roster *r, int *published, struct err *e)
{
    struct changes c;
    find_changes(&c, o, r);
    int changed = c.gain + c.lose || c.table.len, yes = o->yes || !changed;
    *published = 0;
    if (changed)
        printf("who gains and who loses:\n%s%d gain, %d lose, %d as before, %d new\n", c.table.data,
            c.gain, c.lose, c.same, c.new);
    buf_free(&c.table);
    if (o->preview) return 0;
    if (!yes && (yes = ask()) < 0)
        return err_set(
            e, ERR_USAGE, "points that were given would change; --yes writes the new ones");
    if (!yes) return 0;
    *published = 1;
    return move(o, r, e);
}
