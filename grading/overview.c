/* overview.c - tables and plots of a class: points, exercises, times, students.
 *
 *     students  #         exercise   mean  all  some  none     exercise   0.5  1   2   4   8  times the
 *               #  ##     copy        91%   18     2     0     copy            o 8 o  o       reference
 *          0% .. 100%     the larger its number, the darker a cell   a mark is a student's time
 *
 * Colours only repeat what a number or a position shows. */
#include "grading/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const json_t *exercise(const struct graded *g, size_t student, size_t i)
{
    return json_array_get(json_object_get(g->results[student], "exercises"), i);
}

static size_t exercise_count(const struct graded *g)
{
    return json_array_size(json_object_get(g->results[0], "exercises"));
}

/* The median of sorted numbers. */
static double middle(const double *v, size_t n)
{
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Append a table cell, shaded darker for a larger share, 0 to 1. */
static void heat(struct buf *out, double share, const char *text)
{
    buf_printf(out, "<td style=\"--heat:%.0f%%\" class=\"heat\">%s</td>",
        100 * (share > 1      ? 1
                  : share > 0 ? share
                              : 0),
        text);
}

/* ---- points ---- */

enum { BARS = 10, BAR = 44, HIGH = 120, SIDE = 22 };

static double share_of(const json_t *result)
{
    double most = result_number(result, "max_score");
    return most > 0 ? result_number(result, "score") / most : 0;
}

static void summary(struct buf *out, const struct graded *g)
{
    double *scores = xcalloc(g->count, sizeof *scores), all = 0;
    for (size_t i = 0; i < g->count; i++) all += scores[i] = result_number(g->results[i], "score");
    qsort(scores, g->count, sizeof *scores, compare_doubles);
    buf_printf(out, "<p>Of %g points: median %.4g, mean %.4g, lowest %g, highest %g.</p>\n",
        result_number(g->results[0], "max_score"), middle(scores, g->count), all / (double)g->count,
        scores[0], scores[g->count - 1]);
    free(scores);
}

/* Append ten bars: how many students have 0 to 10%, 10 to 20%, ... of the points. */
void overview_points(struct buf *out, const struct graded *g)
{
    size_t in[BARS] = {0}, most = 1;
    for (size_t i = 0; i < g->count; i++) {
        double share = share_of(g->results[i]);
        int bar = share >= 1 ? BARS - 1 : share > 0 ? (int)(share * BARS) : 0;
        if (++in[bar] > most) most = in[bar];
    }
    buf_printf(out, "<h2 id=\"points\">Points</h2>\n");
    summary(out, g);
    buf_printf(out,
        "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"How many students have "
        "which share of the points:",
        BARS * BAR + 2 * SIDE, HIGH + 62, (BARS * BAR + 2 * SIDE) * 5 / 4);
    for (int b = 0; b < BARS; b++) buf_printf(out, " %d to %d%%, %zu;", b * 10, b * 10 + 10, in[b]);
    buf_printf(out, "\">\n<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n", SIDE - 4,
        SIDE + BARS * BAR + 4, HIGH + 18, HIGH + 18);
    for (int b = 0; b < BARS; b++) {
        int high = (int)(in[b] * HIGH / most), x = SIDE + b * BAR;
        buf_printf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/><text class=\"mid\" x=\"%d\" "
            "y=\"%d\">%zu</text>"
            "<text class=\"mid\" x=\"%d\" y=\"%d\">%d%%</text>\n",
            x + 2, HIGH + 18 - high, BAR - 4, high, x + BAR / 2, HIGH + 14 - high, in[b], x,
            HIGH + 36, b * 10);
    }
    buf_printf(out,
        "<text class=\"mid\" x=\"%d\" y=\"%d\">100%%</text><text class=\"mid\" x=\"%d\" "
        "y=\"%d\">students, by their "
        "share of the points</text>\n</svg>\n",
        SIDE + BARS * BAR, HIGH + 36, SIDE + BARS * BAR / 2, HIGH + 56);
}

/* ---- exercises ---- */

enum { ALL, SOME, NONE, BROKEN, UNTRIED, OUTCOMES };
static const char *const outcomes[OUTCOMES] = {
    "all points", "some", "none", "does not compile", "not attempted"};

static int outcome(const json_t *x)
{
    const char *status = result_text(x, "status");
    int all = result_number(x, "score") >= result_number(x, "max_score");
    if (!strcmp(status, "passed")) return all ? ALL : SOME;
    if (!strcmp(status, "not_attempted")) return UNTRIED;
    if (!strcmp(status, "error")) return BROKEN;
    return result_number(x, "score") > 0 ? SOME : NONE;
}

void overview_exercises(struct buf *out, const struct graded *g)
{
    buf_printf(out,
        "<h2 id=\"exercises\">Exercises</h2>\n<p>How many students; a cell has more colour the more it "
        "holds.</p>\n");
    page_table(out, "exercises by outcome", "side");
    buf_printf(out, "<tr><th scope=\"col\">exercise</th><th scope=\"col\">mean</th>");
    for (int k = 0; k < OUTCOMES; k++) buf_printf(out, "<th scope=\"col\">%s</th>", outcomes[k]);
    buf_printf(out, "</tr>\n");
    for (size_t i = 0; i < exercise_count(g); i++) {
        size_t in[OUTCOMES] = {0};
        const json_t *x = exercise(g, 0, i);
        double sum = 0, most = result_number(x, "max_score") * (double)g->count;
        char text[32];
        for (size_t s = 0; s < g->count; s++) {
            in[outcome(exercise(g, s, i))]++;
            sum += result_number(exercise(g, s, i), "score");
        }
        buf_printf(out, "<tr><td>%s %s</td>", result_text(x, "lab"), result_text(x, "exercise"));
        snprintf(text, sizeof text, "%.0f%%", most > 0 ? 100 * sum / most : 0);
        heat(out, most > 0 ? sum / most : 0, text);
        for (int k = 0; k < OUTCOMES; k++) {
            snprintf(text, sizeof text, "%zu", in[k]);
            heat(out, (double)in[k] / (double)g->count, text);
        }
        buf_printf(out, "</tr>\n");
    }
    page_table_end(out);
}

/* ---- parts ---- */

enum { PARTS = 4 };
static const char *const part_names[PARTS] = {"correct", "budget", "speed", "prediction"},
                         *const part_titles[PARTS] = {"right", "budgets", "speed", "predictions"};

/* The sum of a member, "points" or "of", over an exercise's parts of one kind. */
static double part_sum(const json_t *x, int part, const char *key)
{
    const json_t *p;
    double sum = 0;
    size_t i;
    json_array_foreach(json_object_get(x, "parts"), i,
        p) if (!strcmp(result_text(p, "part"), part_names[part])) sum += result_number(p, key);
    return sum;
}

/* The share of a part's points that the class has; NAN: nobody has parts, or the exercise has no
 * such part. A student whose exercise is wrong or was not handed in has no parts, and counts as
 * having no points. */
static double part_share(const struct graded *g, size_t i, int part)
{
    double sum = 0, of = 0;
    for (size_t s = 0; s < g->count; s++) {
        sum += part_sum(exercise(g, s, i), part, "points");
        of = fmax(of, part_sum(exercise(g, s, i), part, "of"));
    }
    return of > 0 ? sum / (of * (double)g->count) : NAN;
}

static int anything_handed_in(const json_t *result)
{
    return !json_is_false(json_object_get(result, "handed_in"));
}

/* How well an exercise tells good from weak hand-ins apart: the correlation of its points with the
 * sum of all others, over those who handed in anything. NAN: fewer than ten did, or all are equal. */
static double discrimination(const struct graded *g, size_t i)
{
    enum { LEAST = 10 };
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t s = 0; s < g->count; s++) {
        double own = result_number(exercise(g, s, i), "score"), rest = -own;
        if (!anything_handed_in(g->results[s])) continue;
        for (size_t k = 0; k < exercise_count(g); k++)
            rest += result_number(exercise(g, s, k), "score");
        n++, x += own, y += rest, xx += own * own, yy += rest * rest, xy += own * rest;
    }
    double spread = (n * xx - x * x) * (n * yy - y * y);
    return n >= LEAST && spread > 1e-9 ? (n * xy - x * y) / sqrt(spread) : NAN;
}

void overview_parts(struct buf *out, const struct graded *g)
{
    buf_printf(out,
        "<h2 id=\"parts\">Parts</h2>\n<p>The share of the points that the class has, by what they are for. "
        "\"Tells apart\" is the correlation of an exercise's points with those of all others: near 1, good "
        "hand-ins have it and weak ones do not; near 0 or below, look at the exercise. It needs ten "
        "hand-ins. <a href=\"parts.csv\">parts.csv</a> has every part of every student.</p>\n");
    page_table(out, "exercises by part of their points", "side");
    buf_printf(out, "<tr><th scope=\"col\">exercise</th>");
    for (int p = 0; p < PARTS; p++) buf_printf(out, "<th scope=\"col\">%s</th>", part_titles[p]);
    buf_printf(out, "<th scope=\"col\">tells apart</th></tr>\n");
    for (size_t i = 0; i < exercise_count(g); i++) {
        const json_t *x = exercise(g, 0, i);
        double apart = discrimination(g, i);
        char text[32];
        buf_printf(out, "<tr><td>%s %s</td>", result_text(x, "lab"), result_text(x, "exercise"));
        for (int p = 0; p < PARTS; p++) {
            double share = part_share(g, i, p);
            snprintf(text, sizeof text, "%.0f%%", 100 * share);
            if (isnan(share))
                buf_printf(out, "<td>-</td>");
            else
                heat(out, share, text);
        }
        snprintf(text, sizeof text, isnan(apart) ? "-" : "%.2f", apart);
        buf_printf(out, "<td>%s</td></tr>\n", text);
    }
    page_table_end(out);
}

/* ---- times ---- */

enum { LABEL = 208, OCTAVE = 52, OCTAVES = 5, ROW = 20 };

/* The times of exercise i divided by the reference's, sorted; without students who have no points
 * for it. *n: how many ratios there are. The caller frees the array. */
static double *ratios(const struct graded *g, size_t i, size_t *n)
{
    double *v = xcalloc(g->count, sizeof *v);
    *n = 0;
    for (size_t s = 0; s < g->count; s++) {
        double speed = result_number(exercise(g, s, i), "speed_vs_reference");
        if (speed > 0 && result_number(exercise(g, s, i), "score") > 0) v[(*n)++] = 1 / speed;
    }
    qsort(v, *n, sizeof *v, compare_doubles);
    return v;
}

/* The x coordinate of a ratio, on a logarithmic axis from 0.5 to 16; ratios outside are drawn at
 * the ends. */
static double at(double ratio) { return LABEL + OCTAVE * fmax(0, fmin(OCTAVES, log2(ratio) + 1)); }

static void time_axis(struct buf *out, int bottom)
{
    static const char *const marks[] = {"0.5", "1", "2", "4", "8", "16"};
    for (int k = 0; k <= OCTAVES; k++)
        buf_printf(out,
            "<line x1=\"%d\" x2=\"%d\" y1=\"4\" y2=\"%d\"/><text class=\"mid\" x=\"%d\" "
            "y=\"%d\">%s</text>\n",
            LABEL + k * OCTAVE, LABEL + k * OCTAVE, bottom, LABEL + k * OCTAVE, bottom + 16,
            marks[k]);
    buf_printf(out, "<text class=\"mid\" x=\"%d\" y=\"%d\">times the reference's time</text>\n",
        LABEL + OCTAVES * OCTAVE / 2, bottom + 34);
}

static void time_plot(struct buf *out, const struct graded *g, size_t rows)
{
    int y = 4, bottom = 8 + (int)rows * ROW;
    buf_printf(out,
        "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"Each student's time over the "
        "reference's; "
        "the table below has the numbers\">\n",
        LABEL + OCTAVES * OCTAVE + 14, bottom + 42, (LABEL + OCTAVES * OCTAVE + 14) * 5 / 4);
    time_axis(out, bottom);
    for (size_t i = 0, n; i < exercise_count(g); i++) {
        double *v = ratios(g, i, &n);
        if (n) {
            y += ROW;
            buf_printf(out, "<text x=\"0\" y=\"%d\">%s %s</text>", y - 4,
                result_text(exercise(g, 0, i), "lab"), result_text(exercise(g, 0, i), "exercise"));
            for (size_t k = 0; k < n; k++)
                buf_printf(out, "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\"/>", at(v[k]), y - 8);
            buf_printf(out, "\n");
        }
        free(v);
    }
    buf_printf(out, "</svg>\n");
}

void overview_times(struct buf *out, const struct graded *g)
{
    size_t rows = 0, n;
    for (size_t i = 0; i < exercise_count(g); i++) {
        double *v = ratios(g, i, &n);
        rows += n > 0;
        free(v);
    }
    buf_printf(out, "<h2 id=\"time\">Time</h2>\n");
    if (!rows) {
        buf_printf(out, "<p>No kernel that earned points was timed.</p>\n");
        return;
    }
    buf_printf(out,
        "<p>Of kernels that earned points, over the reference's time: 1 is as fast, 2 takes twice as "
        "long.</p>\n");
    time_plot(out, g, rows);
    page_table(out, "times over the reference's", "side");
    buf_printf(out, "<tr><th scope=\"col\">exercise</th><th scope=\"col\">students</th><th "
                    "scope=\"col\">fastest</th><th "
                    "scope=\"col\">median</th><th scope=\"col\">slowest</th></tr>\n");
    for (size_t i = 0; i < exercise_count(g); i++) {
        double *v = ratios(g, i, &n);
        if (n)
            buf_printf(out,
                "<tr><td>%s %s</td><td>%zu</td><td>%.3g</td><td>%.3g</td><td>%.3g</td></tr>\n",
                result_text(exercise(g, 0, i), "lab"), result_text(exercise(g, 0, i), "exercise"),
                n, v[0], middle(v, n), v[n - 1]);
        free(v);
    }
    page_table_end(out);
}

/* ---- students ---- */

/* How many exercises from index i on belong to the same lab. */
static size_t of_lab(const struct graded *g, size_t i)
{
    size_t n = 1;
    while (i + n < exercise_count(g) && !strcmp(result_text(exercise(g, 0, i), "lab"),
                                            result_text(exercise(g, 0, i + n), "lab")))
        n++;
    return n;
}

/* Append remarks on a student: what the course says, why not everything could be read, and the first
 * remarks on files; for a student without any points also how many files were not read. */
static void remarks(struct buf *out, const json_t *result)
{
    enum { SHOWN = 3 };
    const json_t *list = json_object_get(result, "remarks"), *remark;
    size_t i, n = json_array_size(list), not_read = (size_t)result_number(result, "not_read");
    const char *between = "";
    char *notes = result_notes(result, " ");
    if (*notes) {
        result_escape(out, notes);
        between = "; ";
    } else if (json_is_true(json_object_get(result, "late")))
        buf_printf(out, "late"), between = "; ";
    free(notes);
    if (*result_text(result, "error")) {
        buf_printf(out, "%scannot be read as a whole: ", between);
        result_escape(out, result_text(result, "error"));
        between = "; ";
    }
    json_array_foreach(list, i, remark)
    {
        if (i == SHOWN) break;
        buf_printf(out, "%s", between);
        result_escape(out, json_string_value(remark));
        between = "; ";
    }
    if (n > SHOWN) buf_printf(out, "; %zu more remarks on the student's page", n - SHOWN);
    if (not_read && !(result_number(result, "score") > 0))
        buf_printf(out, "%s%zu %s not read", between, not_read, not_read == 1 ? "file" : "files");
}

static void student_row(struct buf *out, const struct graded *g, size_t s)
{
    char text[32];
    buf_printf(out, "<tr><td>");
    page_student_link(out, result_text(g->results[s], "student"));
    buf_printf(out, "</td>");
    snprintf(text, sizeof text, "%g", result_number(g->results[s], "score"));
    heat(out, share_of(g->results[s]), text);
    for (size_t i = 0, n; i < exercise_count(g); i += n) {
        double got = 0, most = 0;
        n = of_lab(g, i);
        for (size_t k = i; k < i + n; k++)
            got += result_number(exercise(g, s, k), "score"),
                most += result_number(exercise(g, s, k), "max_score");
        snprintf(text, sizeof text, "%.0f%%", most > 0 ? 100 * got / most : 0);
        heat(out, most > 0 ? got / most : 0, text);
    }
    buf_printf(out, "<td class=\"remark\">");
    remarks(out, g->results[s]);
    buf_printf(out, "</td></tr>\n");
}

void overview_students(struct buf *out, const struct graded *g)
{
    buf_printf(out, "<h2 id=\"students\">Students</h2>\n");
    page_table(out, "students, with their points in each lab", "side");
    buf_printf(out, "<tr><th scope=\"col\">student</th><th scope=\"col\">points</th>");
    for (size_t i = 0; i < exercise_count(g); i += of_lab(g, i))
        buf_printf(out, "<th scope=\"col\">%s</th>", result_text(exercise(g, 0, i), "lab"));
    buf_printf(out, "<th scope=\"col\">remarks</th></tr>\n");
    for (size_t s = 0; s < g->count; s++) student_row(out, g, s);
    page_table_end(out);
}
