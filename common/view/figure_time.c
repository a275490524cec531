/* figure_time.c - figures of time and occupancy: which warps wait, which latency is hidden, which
 * resource is full.
 *
 *      hide      warp 0  ####........####........        #: issues, .: waits for its load
 *                warp 1  ....####........####....        last row: when the scheduler issues
 *      barrier   warp 0  ####....|##                     a warp waits until the last has arrived; of a
 *                warp 1      ####|##                     launch: a block's warps of one scheduler
 *      fills     warps   ########........  32 of 64      what the resident blocks take of each resource
 *      tail      ## ## ## ##                             a column per multiprocessor, a box per block,
 *                ## ## .. ..                             time downwards. The last wave is not full
 *
 * Latencies, resident blocks and limits come from the device profile and model_occupancy. Block,
 * registers, grid, the work between two waits and the length of a wait come from a launch, if
 * there is one. In `tail` all blocks take equally long; in `hide` the warp that has been ready
 * longest issues first. */
#include "view/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = SVG_WIDTH, LEFT = ROW_LEFT, RIGHT = ROW_RIGHT, ROW_HIGH = 16, BAR_HIGH = 13 };
enum { MOST_WARPS = 24, MOST_ROWS = 48, MOST_WORK = 1000 };

/* The options of the command line. clocks: for `barrier`, when each warp arrives. */
struct asked {
    const struct model_profile *device;
    long warps, work, unroll, block, registers, shared, blocks;
    /* clocks of a wait between two periods of work of a launch; 0: the figure is not about a
     * launch */
    long latency;
    long clocks[MOST_WARPS], listed;
};

/* ---- the command line ---- */

/* Read a list such as "30,42,24" into a->clocks. */
static int read_clocks(struct asked *a, const char *value, struct err *e)
{
    char *list = xstrdup(value), *rest = list;
    int status = 0;
    a->listed = 0;
    for (char *item; status == 0 && (item = strsep(&rest, ","));)
        if (a->listed == MOST_WARPS)
            status = err_set(e, ERR_USAGE, "--clocks lists more than %d warps", MOST_WARPS);
        else
            status = figure_number("--clocks", item, 1, 10000, &a->clocks[a->listed++], e);
    free(list);
    return status;
}

static int read_options(struct asked *a, int argc, char **argv, struct err *e)
{
    const char *clocks = NULL;
    const struct figure_option options[] = {
        {"--warps", 1, MOST_WARPS, .number = &a->warps},
        {"--work", 1, MOST_WORK, .number = &a->work},
        {"--unroll", 1, 16, .number = &a->unroll},
        {"--clocks", .word = &clocks},
        {"--block", 1, 1024, .number = &a->block},
        {"--registers", 1, 255, .number = &a->registers},
        {"--shared", 0, 1 << 18, .number = &a->shared},
        {"--blocks", 1, 1 << 20, .number = &a->blocks},
        {"--device", .device = &a->device},
        {"--lab with --exercise"}, /* read by the command, which runs the launch */
        {0},
    };
    if (figure_options(argc, argv, options, e) < 0) return -1;
    return clocks ? read_clocks(a, clocks, e) : 0;
}

/* ---- drawing ---- */

static void row_name(struct buf *b, double y, const char *what)
{
    svg_text(b, LEFT - 6, y + BAR_HIGH - 2, TYPE, "end", what);
}

static void warp_name(struct buf *b, double y, long warp)
{
    char name[24];
    snprintf(name, sizeof name, "warp %ld", warp);
    row_name(b, y, name);
}

/* ---- hide: the warps of one scheduler, which alternately compute and wait ---- */

/* Draw warps that issue for a->work clocks and then wait `latency` clocks for a load, up to time
 * `end`; the warp that has been ready longest issues first. Returns in how many clocks the
 * scheduler issued. */
static double draw_turns(
    struct buf *b, const struct asked *a, double latency, double end, double scale)
{
    double ready[MOST_WARPS] = {0}, now = 0, busy = 0, bottom = a->warps * ROW_HIGH + 6;
    for (;;) {
        int w = 0;
        for (int i = 1; i < a->warps; i++)
            if (ready[i] < ready[w]) w = i;
        now = fmax(now, ready[w]);
        if (now >= end) return busy;
        double until = fmin(now + a->work, end), back = fmin(until + latency, end);
        svg_box(
            b, LEFT + now * scale, w * ROW_HIGH + 1, (until - now) * scale, BAR_HIGH, GOOD, "none");
        svg_box(b, LEFT + until * scale, w * ROW_HIGH + 5, (back - until) * scale, 4, PALE, "none");
        svg_box(b, LEFT + now * scale, bottom, (until - now) * scale, BAR_HIGH, GOOD, "none");
        busy += until - now;
        now += a->work;
        ready[w] = now + latency;
    }
}

static void hide(const struct asked *a, struct buf *out)
{
    struct buf body = {0};
    double latency = a->latency ? a->latency : a->device->latency_dram;
    double round = fmax(latency + a->work, a->warps * a->work);
    double end = 2 * round + a->work, room = WIDTH - LEFT - RIGHT, bottom = a->warps * ROW_HIGH + 6;
    char caption[256];
    draw_turns(&body, a, latency, end, room / end);
    for (long i = 0; i < a->warps; i++) warp_name(&body, i * ROW_HIGH + 1, i);
    row_name(&body, bottom, "scheduler");
    svg_box(&body, LEFT, bottom, room, BAR_HIGH, HOLLOW, EDGE);
    snprintf(caption, sizeof caption,
        a->latency
            ? "%s: a warp waits for %.0f clocks, works for %ld; the scheduler is busy %.0f%% of the time"
            : "%s: a load takes %.0f clocks, the work between loads %ld; the scheduler is busy %.0f%% of "
              "the time",
        a->device->title, latency, a->work, 100 * a->warps * a->work / round);
    svg_finish(out, &body, bottom + BAR_HIGH, caption);
}

/* ---- barrier ---- */

/* Draw the barrier for a launch: the warps of a scheduler issue one after the other; then each
 * waits for its load, and arrives. */
static void barrier_of_launch(const struct asked *a, struct buf *out)
{
    struct buf body = {0};
    long warps = (a->block + WARP_SIZE - 1) / WARP_SIZE, rows = warps / a->device->schedulers;
    char caption[256];
    rows = rows < 1 ? 1 : rows > MOST_WARPS ? MOST_WARPS : rows;
    double last = (double)(rows * a->work + a->latency), waited = 0,
           bottom = (double)(rows * ROW_HIGH);
    double scale = (WIDTH - LEFT - RIGHT) / (last * 1.1);
    for (long i = 0; i < rows; i++) {
        double y = (double)(i * ROW_HIGH + 1), from = (double)(i * a->work),
               until = from + (double)a->work, arrives = until + (double)a->latency;
        warp_name(&body, y, i * a->device->schedulers);
        svg_box(&body, LEFT + from * scale, y, (until - from) * scale, BAR_HIGH, GOOD, "none");
        svg_box(&body, LEFT + until * scale, y + 4, (arrives - until) * scale, 4, PALE, "none");
        svg_box(&body, LEFT + arrives * scale, y + 4, (last - arrives) * scale, 4, BAD, "none");
        svg_box(&body, LEFT + last * scale, y, last * 0.1 * scale, BAR_HIGH, GOOD, "none");
        waited += last - arrives;
    }
    svg_box(&body, LEFT + last * scale - 1, 0, 2, bottom, MARK, "none");
    snprintf(caption, sizeof caption,
        "%s: a scheduler's %ld of %ld warps; at the barrier they wait for %.0f clocks on average",
        a->device->title, rows, warps, waited / (double)rows);
    svg_finish(out, &body, bottom, caption);
}

static int barrier(const struct asked *a, struct buf *out, struct err *e)
{
    struct buf body = {0};
    double last = 0, waited = 0;
    char caption[256];
    if (a->latency && !a->listed) {
        barrier_of_launch(a, out);
        return 0;
    }
    if (!a->listed)
        return err_set(e, ERR_USAGE, "a barrier needs --clocks, when each warp arrives: 30,42,24");
    for (long i = 0; i < a->listed; i++) last = fmax(last, a->clocks[i]);
    double scale = (WIDTH - LEFT - RIGHT) / (last * 1.2), bottom = a->listed * ROW_HIGH;
    for (long i = 0; i < a->listed; i++) {
        double y = i * ROW_HIGH + 1, arrives = a->clocks[i];
        warp_name(&body, y, i);
        svg_box(&body, LEFT, y, arrives * scale, BAR_HIGH, GOOD, "none");
        svg_box(&body, LEFT + arrives * scale, y + 4, (last - arrives) * scale, 4, BAD, "none");
        svg_box(&body, LEFT + last * scale, y, last * 0.2 * scale, BAR_HIGH, GOOD, "none");
        waited += last - arrives;
    }
    svg_box(&body, LEFT + last * scale - 1, 0, 2, bottom, MARK, "none");
    snprintf(caption, sizeof caption,
        "The barrier opens at clock %.0f. Until then %ld warps work for %.0f clocks and wait for %.0f",
        last, a->listed, last * a->listed - waited, waited);
    svg_finish(out, &body, bottom, caption);
    return 0;
}

/* ---- fills: the resources of a multiprocessor ---- */

static double round_up(double n, double unit) { return unit > 0 ? ceil(n / unit) * unit : n; }

/* Draw the bar of one resource. each: how much of it a block takes; all: how much there is; limits:
 * 1 if this resource limits the number of blocks. */
static void resource(
    struct buf *b, int row, const char *name, double each, double all, int blocks, int limits)
{
    const double room = 490, y = row * 22 + 2;
    char text[64];
    row_name(b, y + 2, name);
    svg_box(b, LEFT, y, room, 17, HOLLOW, EDGE);
    for (int i = 0; i < blocks; i++)
        svg_box(
            b, LEFT + room * i * each / all, y, room * each / all, 17, limits ? BAD : GOOD, EDGE);
    snprintf(text, sizeof text, "%.0f of %.0f%s", each * blocks, all, limits ? ": the limit" : "");
    svg_text(b, LEFT + room + 8, y + 13, TYPE, "start", text);
}

static int fills(const struct asked *a, struct buf *out, struct err *e)
{
    const struct model_profile *p = a->device;
    struct model_occupancy o =
        model_occupancy(p, (int)a->block, (int)a->registers, (size_t)a->shared);
    double warps = ceil(a->block / (double)WARP_SIZE);
    struct buf body = {0};
    char caption[256];
    if (!o.blocks)
        return err_set(e, ERR_USAGE, "such a block does not fit on %s: %s", p->name,
            model_limiter_names[o.limiter]);
    resource(&body, 0, "warps", warps, p->max_warps, o.blocks, o.limiter == LIMIT_WARPS);
    resource(&body, 1, "blocks", 1, p->max_blocks, o.blocks, o.limiter == LIMIT_BLOCKS);
    double registers = warps * round_up(a->registers * WARP_SIZE, p->register_unit);
    resource(
        &body, 2, "registers", registers, p->registers, o.blocks, o.limiter == LIMIT_REGISTERS);
    resource(&body, 3, "shared", round_up(a->shared + p->shared_reserved, p->shared_unit),
        p->shared_bytes, o.blocks, o.limiter == LIMIT_SHARED);
    snprintf(caption, sizeof caption,
        "A multiprocessor of %s: %d block%s of %ld threads, occupancy %.0f%%, limited by %s",
        p->title, o.blocks, plural_s(o.blocks), a->block, 100 * o.share,
        model_limiter_names[o.limiter]);
    svg_finish(out, &body, 4 * 22, caption);
    return 0;
}

/* ---- tail: the blocks of a grid on the multiprocessors ---- */

/* Draw the lines between n adjacent columns. */
static void columns(struct buf *b, double top, double high, int n, double wide)
{
    buf_printf(b, "<path fill=\"none\" stroke=\"#ffffff\" d=\"");
    for (int i = 1; i < n; i++) buf_printf(b, "M%.1f %.1fv%.1f", LEFT + i * wide, top, high);
    buf_printf(b, "\"/>\n");
}

static int tail(const struct asked *a, struct buf *out, struct err *e)
{
    const struct model_profile *p = a->device;
    struct model_occupancy o =
        model_occupancy(p, (int)a->block, (int)a->registers, (size_t)a->shared);
    if (!o.blocks)
        return err_set(e, ERR_USAGE, "such a block does not fit on %s: %s", p->name,
            model_limiter_names[o.limiter]);
    long places = (long)o.blocks * p->sms, waves = (a->blocks + places - 1) / places,
         rows = waves * o.blocks;
    if (rows > MOST_ROWS)
        return err_set(e, ERR_USAGE,
            "%ld blocks are %ld waves of %d a multiprocessor, too many to draw: "
            "take fewer --blocks",
            a->blocks, waves, o.blocks);
    struct buf body = {0};
    double room = WIDTH - LEFT - RIGHT, wide = room / p->sms, high = fmin(16, 200.0 / rows),
           gap = 6;
    char text[64], caption[256];
    for (long w = 0; w < waves; w++) {
        double top = w * (o.blocks * high + gap) + 2;
        snprintf(text, sizeof text, "wave %ld", w + 1);
        row_name(&body, top, text);
        for (long i = 0; i < o.blocks; i++) {
            double used = fmin(p->sms, fmax(0, a->blocks - (w * places + i * p->sms))) * wide;
            svg_box(&body, LEFT, top + i * high, used, high, GOOD, "#ffffff");
            svg_box(&body, LEFT + used, top + i * high, room - used, high, PALE, "#ffffff");
        }
        columns(&body, top, o.blocks * high, p->sms, wide);
    }
    double last = (double)(a->blocks - (waves - 1) * places) / places;
    snprintf(caption, sizeof caption,
        "%s: %d multiprocessors hold %d block%s each; %ld blocks are %ld wave%s, the last %.0f%% full",
        p->title, p->sms, o.blocks, plural_s(o.blocks), a->blocks, waves, plural_s(waves),
        100 * last);
    svg_finish(out, &body, waves * (o.blocks * high + gap), caption);
    return 0;
}

/* Set the options to those of a launch: its block and grid, its warps per scheduler, the mean
 * work of a warp between two waits for memory, and the mean clocks of a wait. */
static void take_launch(struct asked *a, const struct model_work *w)
{
    const struct model_profile *p = a->device;
    double warps = (w->block_threads + WARP_SIZE - 1) / WARP_SIZE, rounds = fmax(w->rounds, 1);
    double fit = model_occupancy(p, w->block_threads, w->registers, w->shared_bytes).blocks;
    double has = fmin(fit, ceil((double)w->blocks / p->sms));
    a->block = w->block_threads;
    a->registers = w->registers;
    a->shared = (long)w->shared_bytes;
    a->blocks = (long)w->blocks;
    a->warps = (long)fmin(fmax(has * warps / p->schedulers, 1), MOST_WARPS);
    a->work = lround(w->inst / (w->blocks * warps) / rounds * p->issue_clocks);
    a->work = a->work < 1 ? 1 : a->work > MOST_WORK ? MOST_WORK : a->work;
    a->latency = lround(fmax(w->critical_path / rounds - (double)a->work, w->waiting / rounds));
}

/* argv[0] is the kind of figure. If an option is wrong, nothing is drawn. */
int figure_time(int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    struct asked a = {.device = model_profile_find("h200"),
        .warps = 8,
        .work = 40,
        .block = 256,
        .registers = 32,
        .blocks = 1024};
    a.unroll = 1;
    if (read_options(&a, argc, argv, e) < 0) return -1;
    if (of && of->work) { /* values of the launch replace the defaults, and options replace those */
        take_launch(&a, of->work);
        if (read_options(&a, argc, argv, e) < 0) return -1;
    }
    a.work *= a.unroll;
    if (!strcmp(argv[0], "barrier")) return barrier(&a, out, e);
    if (!strcmp(argv[0], "fills")) return fills(&a, out, e);
    if (!strcmp(argv[0], "tail")) return tail(&a, out, e);
    hide(&a, out);
    return 0;
}
