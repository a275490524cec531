/* unlike.c - kernels within their budgets that work in another way than the reference, as a table.
 *
 *     07-registers aat    ada    inst_integer    262144    17066    15 times
 *
 * A budget sees only what it counts. These kernels may be a better way, or one that only looks like
 * what the exercise asks for: an instructor decides. */
#include "grading/page.h"

#include <stdlib.h>

enum { SHOWN = 40 };

struct other {
    const json_t *result, *exercise, *step, *unlike;
};
struct others {
    struct other *all;
    size_t count, cap;
};

static int by_times(const void *a, const void *b)
{
    double x = result_number(((const struct other *)a)->unlike, "times"),
           y = result_number(((const struct other *)b)->unlike, "times");
    /* equal ratios keep the order of the array, which is that of the students */
    return x < y ? 1 : x > y ? -1 : a < b ? -1 : 1;
}

static void collect(struct others *l, const json_t *result)
{
    const json_t *x, *step;
    size_t i, k;
    json_array_foreach(json_object_get(result, "exercises"), i, x)
        json_array_foreach(json_object_get(x, "steps"), k, step)
    {
        const json_t *unlike = json_object_get(step, "unlike");
        if (unlike) *VEC_PUSH(l->all, l->count, l->cap) = (struct other){result, x, step, unlike};
    }
}

static void row(struct buf *out, const struct other *o)
{
    buf_printf(out, "<tr><td>%s %s: %s</td><td>", result_text(o->exercise, "lab"),
        result_text(o->exercise, "exercise"), result_text(o->step, "kernel"));
    page_student_link(out, result_text(o->result, "student"));
    buf_printf(out, "</td><td>%s</td><td>%.4g</td><td>%.4g</td><td>%.3g</td></tr>\n",
        result_text(o->unlike, "metric"), result_number(o->unlike, "own"),
        result_number(o->unlike, "reference"), result_number(o->unlike, "times"));
}

void overview_unlike(struct buf *out, const struct graded *g)
{
    struct others l = {0};
    for (size_t s = 0; s < g->count; s++) collect(&l, g->results[s]);
    if (l.count) qsort(l.all, l.count, sizeof *l.all, by_times);
    buf_printf(out, "<h2 id=\"unlike\">Other ways</h2>\n");
    if (!l.count) {
        buf_printf(out, "<p>No kernel within its budgets differs much from the reference.</p>\n");
        return;
    }
    buf_printf(out,
        "<p>%s%zu kernel%s within the budgets: what differs most from the reference's, by more than twice. "
        "They keep their points: look whether a kernel is a good other way, or only looks like what is "
        "asked for. A count below a sixteenth of the reference's instructions is taken for that "
        "much.</p>\n",
        l.count > SHOWN ? "The first 40 of " : "", l.count, plural_s((double)l.count));
    page_table(out, "kernels that differ from the reference", "text");
    buf_printf(out, "<tr><th scope=\"col\">kernel</th><th scope=\"col\">student</th><th "
                    "scope=\"col\">what differs</th><th scope=\"col\">student's</th><th "
                    "scope=\"col\">reference's</th><th scope=\"col\">times</th></tr>\n");
    for (size_t i = 0; i < l.count && i < SHOWN; i++) row(out, &l.all[i]);
    page_table_end(out);
    free(l.all);
}
