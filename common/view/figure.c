/* figure.c - draw one warp's access as SVG: a row of lanes above, the memory below, and a line from
 * each active lane to what it accesses.
 *
 *      global                                   shared
 *      [0][1][2] ...            [31]  lanes     [0][1][2] ...            [31]  lanes
 *       |   \   \                                |  |  |                  |
 *      [########|####    |####    ]   sectors   [0][1][2] ...            [31]  words, stacked on
 *      -----------------------------  lines       0  1  2                 31   their banks
 *      "8 sectors in 2 lines ..."     counted   "1 wavefront, 0 conflicts"     counted
 *
 * padding draws two shared accesses, one above the other: down a column, and with padded rows.
 *
 * The numbers in the caption come from model_coalesce and model_banks, so a figure agrees with
 * the counters of a simulated launch. */
#include "view/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* CELL: width in pixels of a lane's box and of a bank's column; a word of a sector is at most
     * as wide */
    CELL = 22,
    LEFT = 48, /* left margin in pixels, for the names of the rows */
    RIGHT = 16,
    ROW = WARP_SIZE * CELL,
    LANES_TOP = 8,
    LANES_BOTTOM = LANES_TOP + 18,
    TARGET_TOP = LANES_BOTTOM + 64,
    RUN_GAP = 6, /* pixels between sectors that are not adjacent */
    SECTOR = 32,
    LINE = 128,
    WORD = 4,
    BANKS = 32,
    MAX_ELEMENT = 1 << 20,
};

/* The access pattern that the command line describes. The member addr is computed when all options
 * are known. */
struct access {
    int shared, store;
    const struct model_profile *device;
    long stride, offset, bytes;
    uint32_t mask;            /* lanes that take part */
    uint64_t addr[WARP_SIZE]; /* the byte address that each lane accesses */
};

/* ---- the command line ---- */

/* Read a list such as "0,1,33": the elements that lanes 0, 1 and 2 access. The other lanes are
 * inactive: their bits of *mask are 0. */
static int words(const char *text, long element[WARP_SIZE], uint32_t *mask, struct err *e)
{
    char *list = xstrdup(text), *rest = list;
    int status = 0, n = 0;
    for (char *item; status == 0 && (item = strsep(&rest, ",")); n++) {
        if (n == WARP_SIZE)
            status =
                err_set(e, ERR_USAGE, "--words lists more than the %d lanes of a warp", WARP_SIZE);
        else
            status = figure_number("--words", item, 0, MAX_ELEMENT, &element[n], e);
    }
    *mask = n >= WARP_SIZE ? ~0u : (1u << n) - 1;
    free(list);
    return status;
}

/* Read one option and its value. The value of --words is returned in *list, to be parsed after the
 * other options. */
static int option(
    struct access *a, const char *name, const char *value, const char **list, struct err *e)
{
    if (strcmp(name, "--stride") == 0)
        return figure_number(name, value, -1024, 1024, &a->stride, e);
    if (strcmp(name, "--offset") == 0)
        return figure_number(name, value, 0, MAX_ELEMENT, &a->offset, e);
    if (strcmp(name, "--bytes") == 0) {
        if (figure_number(name, value, 1, 16, &a->bytes, e) < 0) return -1;
        return a->bytes & (a->bytes - 1)
                   ? err_set(e, ERR_USAGE, "--bytes takes 1, 2, 4, 8 or 16, not %ld", a->bytes)
                   : 0;
    }
    if (strcmp(name, "--words") == 0) {
        *list = value;
        return value ? 0 : err_set(e, ERR_USAGE, "--words takes a list such as 0,1,33");
    }
    if (strcmp(name, "--device") == 0) return figure_device(value, &a->device, e);
    return err_set(e, ERR_USAGE,
        "figure has no option '%s': --stride, --offset, --bytes, --words, --device, --store", name);
}

/* Read the whole command line: the pattern, then the options. Then compute each lane's address.
 * With --words, --stride and --offset have no effect. */
static int parse(struct access *a, int argc, char **argv, struct err *e)
{
    const char *list = NULL;
    *a =
        (struct access){.stride = 1, .bytes = 4, .mask = ~0u, .device = model_profile_find("h200")};
    a->shared = strcmp(argv[0], "shared") == 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--store") == 0)
            a->store = 1;
        else if (option(a, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &list, e) < 0)
            return -1;
        else
            i++;
    }
    /* the element that each lane accesses, from --stride and --offset or from --words */
    long element[WARP_SIZE] = {0};
    for (int i = 0; i < WARP_SIZE; i++) element[i] = a->offset + i * a->stride;
    if (list && words(list, element, &a->mask, e) < 0) return -1;
    for (int i = 0; i < WARP_SIZE; i++) {
        if (element[i] < 0)
            return err_set(e, ERR_USAGE,
                "lane %d accesses element %ld, before the start: raise --offset", i, element[i]);
        a->addr[i] = (uint64_t)element[i] * a->bytes;
    }
    return 0;
}

/* ---- drawing ---- */

/* The x coordinate of the centre of a lane's box, or of a bank's column, which has the same
 * width. */
static double lane_x(int lane) { return LEFT + lane * CELL + CELL / 2.0; }

/* Write the name of a row of the drawing to the left of the row. */
static void row_name(struct buf *b, double y, const char *what)
{
    svg_text(b, LEFT - 6, y, TYPE, "end", what);
}

/* Write a number centred at x. A number of three digits or more is condensed to the width of a
 * cell, less a pixel on each side. */
static void number_text(struct buf *b, double x, double y, uint64_t n)
{
    char fit[64] = "";
    if (n >= 100)
        snprintf(fit, sizeof fit, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", CELL - 2);
    buf_printf(b,
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"middle\"%s class=\"" INK
        "\">%llu</text>\n",
        x, y, TYPE, fit, (unsigned long long)n);
}

/* A line from the bottom of a lane's box to the point (x, y) of what the lane accesses. */
static void arrow(struct buf *b, int lane, double x, double y, const char *colour)
{
    buf_printf(b, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n",
        lane_x(lane), LANES_BOTTOM, x, y, colour);
}

static int active(const struct figure_access *a, int lane) { return a->mask >> lane & 1; }

static void draw_lanes(struct buf *b, const struct figure_access *a)
{
    row_name(b, LANES_BOTTOM - 5, "lane");
    for (int i = 0; i < WARP_SIZE; i++) {
        svg_box(b, LEFT + i * CELL, LANES_TOP, CELL, LANES_BOTTOM - LANES_TOP,
            active(a, i) ? LANE : PAPER, "#888888");
        if (active(a, i)) number_text(b, lane_x(i), LANES_BOTTOM - 5, i);
    }
}

/* The sectors that the lanes touch, in ascending order, and where each is drawn, in pixels.
 * Adjacent sectors are drawn adjacent, others RUN_GAP apart. All have the same width. */
struct sectors {
    uint64_t number[2 * WARP_SIZE];
    double x[2 * WARP_SIZE], width;
    int n;
};

/* Compare two numbers for qsort, in ascending order. */
static int rising(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Find the sectors of the active lanes and place them in the row. A sector is at most as wide as
 * eight lane boxes, one for each of its words. */
static void place_sectors(struct sectors *s, const struct figure_access *a)
{
    uint64_t all[WARP_SIZE];
    int n = 0, gaps = 0;
    for (int i = 0; i < WARP_SIZE; i++)
        /* Sectors are 32 bytes and elements are aligned, so no element lies in two sectors. */
        if (active(a, i)) all[n++] = a->addr[i] / SECTOR;
    qsort(all, n, sizeof *all, rising);
    s->n = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || all[i] != all[i - 1]) {
            gaps += i > 0 && all[i] != all[i - 1] + 1;
            s->number[s->n++] = all[i];
        }
    double room = (double)(ROW - gaps * RUN_GAP) / (s->n ? s->n : 1), most = SECTOR / WORD * CELL;
    s->width = room < most ? room : most;
    double x = LEFT;
    for (int i = 0; i < s->n; i++) {
        if (i > 0 && s->number[i] != s->number[i - 1] + 1) x += RUN_GAP;
        s->x[i] = x;
        x += s->width;
    }
}

/* The x coordinate of a byte, which must lie in one of the sectors in s. */
static double byte_x(const struct sectors *s, uint64_t addr)
{
    int i = 0;
    while (s->number[i] != addr / SECTOR) i++;
    return s->x[i] + addr % SECTOR * s->width / SECTOR;
}

/* For each active lane, draw a line and the bytes that it accesses. Then outline the sectors and
 * write byte addresses: those of all sectors if there are at most 16, else those of the first and
 * the last. */
static void draw_sectors(struct buf *b, const struct figure_access *a, const struct sectors *s)
{
    const double height = 20, bottom = TARGET_TOP + height;
    double word = a->bytes * s->width / SECTOR, least = 2;
    row_name(b, TARGET_TOP + 15, "sector");
    row_name(b, bottom + 14, "byte");
    for (int i = 0; i < WARP_SIZE; i++)
        if (active(a, i)) {
            double x = byte_x(s, a->addr[i]);
            arrow(b, i, x + word / 2, TARGET_TOP, "#777777");
            svg_box(b, x, TARGET_TOP, word > least ? word : least, height, GOOD, "none");
        }
    for (int i = 0; i < s->n; i++) {
        svg_box(b, s->x[i], TARGET_TOP, s->width, height, HOLLOW, "#777777");
        if (s->n <= 16 || i == 0 || i == s->n - 1)
            number_text(b, s->x[i] + s->width / 2, bottom + 14, s->number[i] * SECTOR);
    }
    for (int i = 0, first = 0; i < s->n; i++) /* a bar below the sectors of each 128-byte line */
        if (i == s->n - 1 || s->number[i + 1] / (LINE / SECTOR) != s->number[i] / (LINE / SECTOR)) {
            svg_box(b, s->x[first] + 1, bottom + 19, s->x[i] + s->width - s->x[first] - 2, 3, MARK,
                "none");
            first = i + 1;
        }
}

/* For each bank, the different 4-byte words that the warp accesses, in the order of the lanes.
 * most: the largest number of words of a bank, which determines the height of the drawing. */
struct stacks {
    uint64_t word[BANKS][WARP_SIZE * 4];
    int n[BANKS], most;
};

/* Sort the accessed words by bank. An access wider than a word adds a word to each of several
 * adjacent banks. */
static void stack_words(struct stacks *s, const struct figure_access *a)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < WARP_SIZE; i++)
        for (uint64_t w = a->addr[i] / WORD;
             active(a, i) && w <= (a->addr[i] + a->bytes - 1) / WORD; w++) {
            int bank = w % a->device->banks, k = 0;
            while (k < s->n[bank] && s->word[bank][k] != w) k++;
            if (k == s->n[bank]) s->word[bank][s->n[bank]++] = w;
            s->most = s->n[bank] > s->most ? s->n[bank] : s->most;
        }
}

/* Draw the stacks, with the banks' numbers below, and return the y of the bottom edge. If there
 * are conflicts, the tallest stacks and the arrows to them have another colour. */
static double draw_banks(
    struct buf *b, const struct figure_access *a, const struct stacks *s, unsigned conflicts)
{
    int tall = s->most > 8; /* tall: words are then too low for their numbers */
    double height = tall ? 6 : 18;
    for (int i = 0; i < WARP_SIZE; i++) {
        int bank = a->addr[i] / WORD % a->device->banks;
        if (active(a, i))
            arrow(b, i, lane_x(bank), TARGET_TOP,
                conflicts && s->n[bank] == s->most ? "#f2a35e" : "#777777");
    }
    row_name(b, TARGET_TOP + 13, "word");
    for (int bank = 0; bank < a->device->banks; bank++) {
        double x = LEFT + bank * CELL;
        for (int k = 0; k < s->n[bank]; k++) {
            double y = TARGET_TOP + k * height;
            svg_box(
                b, x, y, CELL, height, conflicts && s->n[bank] == s->most ? BAD : GOOD, "#ffffff");
            if (!tall) number_text(b, x + CELL / 2.0, y + height - 5, s->word[bank][k]);
        }
    }
    double bottom = TARGET_TOP + (s->most ? s->most : 1) * height;
    row_name(b, bottom + 16, "bank");
    for (int bank = 0; bank < a->device->banks; bank++) {
        svg_box(b, LEFT + bank * CELL, bottom + 3, CELL, 17, PALE, "#888888");
        number_text(b, lane_x(bank), bottom + 16, bank);
    }
    return bottom + 20;
}

/* The caption of a global access. "wanted" counts the bytes of every active lane, even if lanes
 * have the same address. For GPUs before compute capability 5.0 the caption counts transactions,
 * whose sizes vary, instead of sectors. */
static void global_caption(const struct figure_access *a, char caption[256])
{
    struct model_global g = a->store ? model_coalesce_store(a->device, a->addr, a->mask, a->bytes)
                                     : model_coalesce(a->device, a->addr, a->mask, a->bytes);
    unsigned wanted = __builtin_popcount(a->mask) * a->bytes;
    int n = snprintf(caption, 256, "global %s, %u byte%s a lane: %u ", a->store ? "store" : "load",
        a->bytes, plural_s(a->bytes), g.sectors);
    if (model_has(a->device, FEATURE_SECTORS))
        n += snprintf(caption + n, 256 - n, "sector%s in %u line%s", plural_s(g.sectors), g.tags,
            plural_s(g.tags));
    else
        n += snprintf(caption + n, 256 - n, "transaction%s", plural_s(g.sectors));
    snprintf(caption + n, 256 - n, "; %u bytes wanted, %u moved", wanted, g.bytes);
}

static void shared_caption(const struct figure_access *a, struct model_shared m, char caption[256])
{
    snprintf(caption, 256, "shared %s, %u byte%s a lane: %u wavefront%s, %u conflict%s",
        a->store ? "store" : "load", a->bytes, plural_s(a->bytes), m.wavefronts,
        plural_s(m.wavefronts), m.conflicts, plural_s(m.conflicts));
}

/* The cost of a shared access, by the model of banks, which has 32-bit addresses. */
static struct model_shared shared_cost(const struct figure_access *a)
{
    uint32_t addr[WARP_SIZE];
    for (int i = 0; i < WARP_SIZE; i++) addr[i] = a->addr[i];
    return a->store ? model_banks_store(a->device, addr, a->mask, a->bytes)
                    : model_banks(a->device, addr, a->mask, a->bytes);
}

void figure_caption(const struct figure_access *a, char caption[256])
{
    if (a->shared)
        shared_caption(a, shared_cost(a), caption);
    else
        global_caption(a, caption);
}

/* Append lanes, memory and caption. Returns the height in pixels. */
static int draw(struct buf *b, const struct figure_access *a)
{
    char caption[256];
    double bottom = TARGET_TOP + 42;
    figure_caption(a, caption);
    draw_lanes(b, a);
    if (a->shared) {
        struct stacks s;
        stack_words(&s, a);
        bottom = draw_banks(b, a, &s, shared_cost(a).conflicts);
    } else {
        struct sectors s;
        place_sectors(&s, a);
        draw_sectors(b, a, &s);
    }
    svg_text(b, LEFT, bottom + 22, 14, "start", caption);
    return bottom + 32;
}

void figure_access(const struct figure_access *a, struct buf *out)
{
    char caption[256];
    struct buf body = {0};
    int height = draw(&body, a);
    figure_caption(a, caption);
    svg_open(out, LEFT + ROW + RIGHT, height, caption);
    buf_add(out, body.data, body.len);
    buf_printf(out, "</svg>\n");
    buf_free(&body);
}

/* Append one of the two accesses of `padding`, from y on: lane i loads the first word of row i.
 * Returns its height. */
static int draw_column(struct buf *b, int y, long row, long pad)
{
    enum { HEADING = 24, GAP = 20 };
    struct figure_access a = {.device = model_profile_find("h200"), 1, 0, WORD, ~0u, {0}};
    char *heading =
        pad ? xasprintf("%ld word%s of padding a row: the same column of tile[%d][%ld + %ld]", pad,
                  plural_s(pad), WARP_SIZE, row, pad)
            : xasprintf("lane y loads tile[y][0], a column of float tile[%d][%ld]", WARP_SIZE, row);
    for (int i = 0; i < WARP_SIZE; i++) a.addr[i] = (uint64_t)i * (row + pad) * WORD;
    svg_text(b, LEFT, y + 16, 15, "start", heading);
    buf_printf(b, "<g transform=\"translate(0,%d)\">\n", y + HEADING);
    int height = draw(b, &a);
    buf_printf(b, "</g>\n");
    free(heading);
    return HEADING + height + GAP;
}

/* Draws `padding [--row N] [--pad N]`: the access without padding, and below it the access with
 * padding. */
static int figure_padding(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    (void)of;
    long row = BANKS, pad = 1;
    struct buf body = {0};
    for (int i = 1; i < argc; i += 2) {
        long *to = !strcmp(argv[i], "--row") ? &row : !strcmp(argv[i], "--pad") ? &pad : NULL;
        if (!to)
            return err_set(
                e, ERR_USAGE, "figure padding has no option '%s': --row, --pad", argv[i]);
        if (figure_number(argv[i], i + 1 < argc ? argv[i + 1] : NULL, 1, 1024, to, e)) return -1;
    }
    int height = draw_column(&body, 0, row, 0);
    height += draw_column(&body, height, row, pad);
    char *title = xasprintf("a column of %d rows of %ld words on the banks of shared memory, then "
                            "with %ld word%s of padding a row",
        WARP_SIZE, row, pad, plural_s(pad));
    svg_open(out, LEFT + ROW + RIGHT, height, title);
    buf_add(out, body.data, body.len);
    buf_printf(out, "</svg>\n");
    free(title);
    buf_free(&body);
    return 0;
}

/* Draws the access pattern that the words of a command line describe. */
static int pattern(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    struct access a;
    (void)of;
    if (parse(&a, argc, argv, e) < 0) return -1;
    struct figure_access real = {a.device, a.shared, a.store, (unsigned)a.bytes, a.mask, {0}};
    memcpy(real.addr, a.addr, sizeof real.addr);
    figure_access(&real, out);
    return 0;
}

/* ---- the kinds of figures ---- */

typedef int drawing(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e);
static const struct {
    const char *kind;
    drawing *draw;
    enum figure_shows shows;
} kinds[] = {
    {"global", pattern, FIGURE_NO_LAB},
    {"shared", pattern, FIGURE_NO_LAB},
    {"padding", figure_padding, FIGURE_NO_LAB},
    {"hide", figure_time, FIGURE_LAUNCH},
    {"barrier", figure_time, FIGURE_LAUNCH},
    {"fills", figure_time, FIGURE_LAUNCH},
    {"tail", figure_time, FIGURE_LAUNCH},
    {"stages", figure_stages, FIGURE_NO_LAB},
    {"roles", figure_roles, FIGURE_NO_LAB},
    {"phases", figure_phases, FIGURE_NO_LAB},
    {"fragment", figure_fragment, FIGURE_NO_LAB},
    {"tile", figure_tile, FIGURE_NO_LAB},
    {"roofline", figure_roofline, FIGURE_LADDER},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The index in `kinds` of the kind that argv[0] names. -1 with ERR_USAGE: there is no such kind or,
 * if of_lab is set, it shows nothing of a lab. */
static int kind_of(int argc, char **argv, int of_lab, struct err *e)
{
    int at = 0;
    struct buf names = {0};
    while (at < KINDS && (argc < 1 || strcmp(kinds[at].kind, argv[0]))) at++;
    if (at < KINDS && (!of_lab || kinds[at].shows)) return at;
    for (int i = 0; i < KINDS; i++)
        if (at == KINDS || kinds[i].shows)
            buf_printf(&names, "%s%s", names.len ? ", " : "", kinds[i].kind);
    if (at < KINDS)
        err_set(e, ERR_USAGE, "--lab: figure %s shows no launch; %s do", argv[0], names.data);
    else
        err_set(e, ERR_USAGE, "there is no figure '%s'; there are %s", argc < 1 ? "" : argv[0],
            names.data);
    buf_free(&names);
    return -1;
}

int figure_shows(int argc, char **argv, int of_lab, struct err *e)
{
    int kind = kind_of(argc, argv, of_lab, e);
    return kind < 0 ? -1 : (int)kinds[kind].shows;
}

int figure_pattern(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    int kind = kind_of(argc, argv, of != NULL, e);
    return kind < 0 ? -1 : kinds[kind].draw(argc, argv, of, out, e);
}
