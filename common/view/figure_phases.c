/* figure_phases.c - the life of an mbarrier: arrivals, bytes, and which waits return.
 *
 *      arrivals   |1|0                |1|0             still to come, for --arrivals
 *      bytes      |4096  |2048 |0     |4096 ...        still to come, of pieces of a copy
 *      phase      |0           |1                      ends when nothing is still to come
 *      wait 0     ////////////  returns                a wait for the phase of parity 0
 *      wait 1     returns       //////////             /: the thread waits
 *
 * In each phase a thread announces the bytes and asks for the copy, whose pieces come evenly until
 * --copy clocks later; arrivals are --apart clocks apart, the first with the announcement. The
 * threads use the data for --work clocks before the next one. When a phase ends and which waits
 * return is decided by model_barrier_end and model_barrier_passes, as in the simulator. */
#include "view/svg.h"

#include <stdio.h>

enum { LEFT = ROW_LEFT, RIGHT = ROW_RIGHT, ROW_HIGH = 24, BAR_HIGH = 18 };
enum { MOST_PHASES = 6, MOST_PIECES = 8, MOST_ARRIVALS = 16, MOST_CLOCKS = 100000 };
enum { ROW_ARRIVALS, ROW_BYTES, ROW_PHASE, ROW_WAIT, ROWS = ROW_WAIT + 2 };
static const char *const names[ROWS] = {"arrivals", "bytes", "phase", "wait for 0", "wait for 1"};

struct life {
    long arrivals, bytes, pieces, copy, apart, work, phases;
    double scale;         /* pixels per clock */
    long since[ROW_WAIT]; /* for each row, the clock at which its current bar begins */
};

/* The clock of arrival i, and of piece i of the copy, counted from the beginning of the phase. */
static long arrival_at(const struct life *f, long i) { return i * f->apart; }
static long piece_at(const struct life *f, long i) { return f->copy * (i + 1) / f->pieces; }

static void bar(struct buf *b, const struct life *f, int row, long from, long to, const char *fill,
    const char *text)
{
    double x = LEFT + (double)from * f->scale, wide = (double)(to - from) * f->scale,
           y = row * ROW_HIGH + 1, letters = 0;
    if (to <= from) return;
    svg_box(b, x, y, wide, BAR_HIGH, fill, EDGE);
    for (const char *s = text; *s; s++) letters += 8;
    if (wide >= letters + 2) svg_text(b, x + wide / 2, y + BAR_HIGH - 5, TYPE, "middle", text);
}

/* Called when the count shown in a row changes from `old` to `new`: draw a bar for the time in
 * which it was `old`. Does nothing if both are equal. */
static void count(struct buf *b, struct life *f, int row, long old, long new, long now)
{
    char text[24];
    if (old == new) return;
    snprintf(text, sizeof text, "%ld", old);
    bar(b, f, row, f->since[row], now, old ? LANE : PALE, text);
    f->since[row] = now;
}

/* Draw the current phase, which ends or is cut off at `now`; and for each parity whether waits
 * return during this phase. */
static void phase(struct buf *b, struct life *f, uint32_t number, long now)
{
    const struct model_barrier during = {.phase = number};
    char text[24];
    snprintf(text, sizeof text, "%u", number);
    bar(b, f, ROW_PHASE, f->since[ROW_PHASE], now, number & 1 ? PALE : LANE, text);
    for (unsigned parity = 0; parity < 2; parity++) {
        int passes = model_barrier_passes(&during, parity);
        bar(b, f, ROW_WAIT + (int)parity, f->since[ROW_PHASE], now, passes ? GOOD : BAD,
            passes ? "returns" : "waits");
    }
    f->since[ROW_PHASE] = now;
}

/* Simulate and draw one phase that begins at `start`, event by event in the order of time. Returns
 * the clock at which it ends. */
static long live(struct buf *b, struct life *f, struct model_barrier *now, long start)
{
    long arrived = 0, come = 0;
    for (;;) {
        struct model_barrier before = *now;
        int arrives = arrived < f->arrivals &&
                      (come == f->pieces || arrival_at(f, arrived) <= piece_at(f, come));
        long at = start + (arrives ? arrival_at(f, arrived) : piece_at(f, come));
        if (arrives) {
            /* the first arrival announces the bytes */
            now->bytes += arrived ? 0 : (int32_t)f->bytes;
            now->pending--;
            arrived++;
        } else {
            now->bytes -= (int32_t)(f->bytes / f->pieces);
            come++;
        }
        int ends = model_barrier_end(now);
        count(b, f, ROW_ARRIVALS, before.pending, now->pending, at);
        count(b, f, ROW_BYTES, before.bytes, now->bytes, at);
        if (!ends) continue;
        phase(b, f, before.phase, at);
        return at;
    }
}

int figure_phases(int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    struct life f = {
        .arrivals = 1, .bytes = 4096, .pieces = 2, .apart = 100, .work = 300, .phases = 3};
    const struct model_profile *device = model_profile_find("h200");
    const struct figure_option options[] = {
        {"--arrivals", 1, MOST_ARRIVALS, .number = &f.arrivals},
        {"--bytes", 1, 1 << 18, .number = &f.bytes},
        {"--pieces", 1, MOST_PIECES, .number = &f.pieces},
        {"--copy", 1, MOST_CLOCKS, .number = &f.copy},
        {"--apart", 1, MOST_CLOCKS, .number = &f.apart},
        {"--work", 1, MOST_CLOCKS, .number = &f.work},
        {"--phases", 1, MOST_PHASES, .number = &f.phases},
        {"--device", .device = &device},
        {0},
    };
    struct buf body = {0}, caption = {0};
    (void)of;
    if (figure_options(argc, argv, options, e) < 0) return -1;
    if (f.bytes % f.pieces)
        return err_set(e, ERR_USAGE, "--bytes %ld cannot be cut into %ld --pieces of the same size",
            f.bytes, f.pieces);
    if (!f.copy) f.copy = device->latency_dram;
    long slow = arrival_at(&f, f.arrivals - 1), lasts = slow > f.copy ? slow : f.copy;
    f.scale = (double)(SVG_WIDTH - LEFT - RIGHT) / (double)(f.phases * (lasts + f.work));
    for (int i = 0; i < ROWS; i++)
        svg_text(&body, LEFT - 6, i * ROW_HIGH + BAR_HIGH - 4, TYPE, "end", names[i]);
    struct model_barrier now = {.pending = (uint32_t)f.arrivals, .expected = (uint32_t)f.arrivals};
    buf_printf(&caption, "phases end at clock%s", plural_s((double)f.phases));
    long end = 0;
    for (long i = 0; i < f.phases; i++) {
        end = live(&body, &f, &now, i ? end + f.work : 0);
        buf_printf(&caption, "%s %ld", i ? "," : "", end);
    }
    end += f.work;
    count(&body, &f, ROW_ARRIVALS, now.pending, -1, end);
    count(&body, &f, ROW_BYTES, now.bytes, -1, end);
    phase(&body, &f, now.phase, end);
    buf_printf(&caption, "; arrivals and bytes: those still to come");
    svg_finish(out, &body, ROWS * ROW_HIGH, caption.data);
    buf_free(&caption);
    return 0;
}
