/* findings.c - what checks found without ending the launch: each finding is printed when it occurs
 * first, and all are listed at the program's end.
 *
 *     lockstep: warning: sum.cu:4: block (0,0) thread (0,0) writes ...     at once, once for each line
 *     lockstep: found 2 mistakes that a GPU does not tell:                 at the end
 *         999 x  sum.cu:4  a race: two threads touch one element, ... */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

static struct told {
    enum finding_kind kind;
    int line;
    unsigned long times;
    char *place; /* FILE:LINE */
} * told;
static size_t count, cap;

void findings_add(const char *file, const struct err *e, unsigned long times)
{
    struct told *x = told;
    char *place = xasprintf("%s:%d", file, e->found.line);
    while (x < told + count && (x->kind != e->found.kind || strcmp(x->place, place))) x++;
    if (x < told + count) {
        x->times += times;
        free(place);
        return;
    }
    runtime.findings++;
    *VEC_PUSH(told, count, cap) = (struct told){e->found.kind, e->found.line, times, place};
    runtime_say("warning: %s", e->text);
    report_finding(e);
}

void findings_list(void)
{
    struct buf out = {0};
    if (!count) return;
    buf_printf(&out, "the checks found %zu mistake%s that a GPU does not tell:", count,
        plural_s((double)count));
    for (const struct told *x = told; x < told + count; x++)
        buf_printf(&out, "\n%10lu x  %s  %s", x->times, x->place, finding_titles[x->kind]);
    runtime_say("%s", out.data);
    buf_free(&out);
}
