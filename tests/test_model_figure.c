/* test_model_figure.c - figures: well-formed SVG that says what the model counts; bad options are
 * told apart. */
#include "view/view.h"
#include "suite.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Split the options at spaces and draw. The caller frees b; NULL when the figure was refused. */
static char *draw_of(const struct figure_of *of, const char *options, struct buf *b, struct err *e)
{
    char *copy = xstrdup(options), *rest = copy, *argv[16];
    int argc = 0;
    for (char *word; (word = strsep(&rest, " ")) && argc < 16;)
        if (*word) argv[argc++] = word;
    *b = (struct buf){0};
    *e = (struct err){0};
    int status = figure_pattern(argc, argv, of, b, e);
    free(copy);
    ck_assert((status == 0) == (e->kind == ERR_NONE));
    return status == 0 ? b->data : NULL;
}

static char *draw(const char *options, struct buf *b, struct err *e)
{
    return draw_of(NULL, options, b, e);
}

/* Checks that every tag opened is closed, in order, that attributes are quoted, and that there is
 * no bare & or <. Returns how often <name occurs. */
static int elements(const char *svg, const char *name)
{
    char stack[8][16];
    int depth = 0, found = 0;
    for (const char *s = strchr(svg, '<'); s; s = strchr(s + 1, '<')) {
        char tag[16] = {0};
        int closing = s[1] == '/', n = 0;
        for (const char *t = s + 1 + closing; isalpha((unsigned char)*t) && n < 15; t++)
            tag[n++] = *t;
        ck_assert_msg(n > 0, "a bare < at: %.40s", s);
        const char *end = strchr(s, '>');
        ck_assert_msg(end != NULL, "never closed: %.40s", s);
        int quotes = 0;
        for (const char *t = s; t < end; t++) quotes += *t == '"';
        ck_assert_msg(quotes % 2 == 0, "odd quotes: %.80s", s);
        found += !closing && strcmp(tag, name) == 0;
        if (closing) {
            ck_assert_msg(depth > 0 && strcmp(stack[depth - 1], tag) == 0,
                "closes what is not open: %.40s", s);
            depth--;
        } else if (end[-1] != '/') {
            ck_assert(depth < 8);
            strcpy(stack[depth++], tag);
        }
        ck_assert_msg(depth > 0 || strlen(end) <= 2, "text after the end");
    }
    ck_assert_int_eq(depth, 0);
    ck_assert_msg(
        strncmp(svg, "<svg ", 5) == 0 && !strchr(svg, '&') && !strstr(svg, "nan"), "not an SVG");
    return found;
}

/* How often a piece of text occurs. */
static int times(const char *text, const char *piece)
{
    int n = 0;
    for (const char *s = text; (s = strstr(s, piece)); s++) n++;
    return n;
}

START_TEST(figures_say_what_is_counted)
{
    const struct {
        const char *options, *caption;
        int lines;
    } rows[] = {
        {"global", "4 sectors in 1 line; 128 bytes wanted, 128 moved", 32},
        {"global --stride 1 --offset 1 --bytes 4",
            "5 sectors in 2 lines; 128 bytes wanted, 160 moved", 32},
        {"global --stride 2", "8 sectors in 2 lines; 128 bytes wanted, 256 moved", 32},
        {"global --stride 32", "32 sectors in 32 lines; 128 bytes wanted, 1024 moved", 32},
        {"global --stride 0 --store",
            "global store, 4 bytes a lane: 1 sector in 1 line; 128 bytes wanted, "
            "32 moved",
            32},
        {"global --stride -1 --offset 31", "4 sectors in 1 line", 32},
        {"global --stride 1 --bytes 1",
            "1 byte a lane: 1 sector in 1 line; 32 bytes wanted, 32 moved", 32},
        {"global --stride 3 --bytes 8", "24 sectors in 6 lines; 256 bytes wanted, 768 moved", 32},
        {"global --words 0,8,16 --device tiny", "3 sectors in 1 line; 12 bytes wanted, 96 moved",
            3},
        {"shared --stride 1", "1 wavefront, 0 conflicts", 32},
        {"shared --stride 2", "2 wavefronts, 1 conflict", 32},
        {"shared --stride 32", "32 wavefronts, 31 conflicts", 32},
        {"shared --stride 33 --device sim:h200", "1 wavefront, 0 conflicts", 32},
        {"shared --stride 0", "1 wavefront, 0 conflicts", 32},
        {"shared --stride 0 --bytes 16", "16 bytes a lane: 2 wavefronts, 0 conflicts", 32},
        {"shared --stride 0 --bytes 16 --store",
            "shared store, 16 bytes a lane: 4 wavefronts, 0 conflicts", 32},
        {"shared --stride 1 --bytes 16", "4 wavefronts, 0 conflicts", 32},
        {"shared --words 0,32,64,1", "3 wavefronts, 2 conflicts", 4},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b;
        struct err e;
        char *svg = draw(rows[i].options, &b, &e);
        ck_assert_msg(svg != NULL, "%s: %s", rows[i].options, e.text);
        ck_assert_msg(strstr(svg, rows[i].caption) != NULL, "%s: %.400s", rows[i].options, svg);
        ck_assert_int_eq(elements(svg, "line"), rows[i].lines); /* one line from each active lane */
        ck_assert_int_eq(elements(svg, "svg"), 1);
        buf_free(&b);
    }
}
END_TEST

/* Number of boxes: the background and 32 lanes; then, for global memory, the sectors, their words
 * and a bar for each line; for shared memory, the words and 32 banks. */
START_TEST(figures_draw_every_sector_and_word)
{
    const struct {
        const char *options;
        int boxes;
    } rows[] = {
        {"global", 33 + 32 + 4 + 1},
        {"global --stride 2", 33 + 32 + 8 + 2},
        {"global --words 0", 33 + 1 + 1 + 1},
        {"shared", 33 + 32 + 32},
        {"shared --stride 0", 33 + 1 + 32},
        {"shared --stride 1 --bytes 8", 33 + 64 + 32},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b;
        struct err e;
        char *svg = draw(rows[i].options, &b, &e);
        ck_assert_ptr_nonnull(svg);
        ck_assert_msg(elements(svg, "rect") == rows[i].boxes, "%s: %d boxes", rows[i].options,
            elements(svg, "rect"));
        buf_free(&b);
    }
}
END_TEST

/* Nothing is drawn outside the picture. */
START_TEST(figures_stay_inside)
{
    const char *options[] = {"global --stride 32", "global --stride 64 --bytes 16",
        "global --words 0,1000,3,2000", "shared --stride 32", "shared --stride 1 --bytes 16",
        "hide --warps 24 --work 900", "barrier --clocks 1,10000",
        "fills --block 33 --device gtx8800", "tail --blocks 3000", "tail --blocks 5 --device tiny",
        "stages --stages 8 --copy 100000 --work 1 --steps 16",
        "stages --stages 1 --copy 1 --work 100000", "fragment --shape m16n8k16 --type f16",
        "fragment --shape m16n8k4", "phases --phases 6 --pieces 8 --arrivals 16", "tile --down 32",
        "tile --down 1 --columns 16", "roles --stages 8 --copy 1 --steps 16",
        "roles --stages 1 --copy 100000"};
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
        struct buf b;
        struct err e;
        char *svg = draw(options[i], &b, &e);
        ck_assert_ptr_nonnull(svg);
        int width, height;
        ck_assert_int_eq(
            sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %d %d\"", &width, &height), 2);
        for (const char *s = svg; (s = strstr(s, "<rect x=")); s++) {
            double x, y, w, h;
            ck_assert_int_eq(
                sscanf(s, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y, &w, &h),
                4);
            ck_assert_msg(x >= 16 && x + w <= width - 16 + 0.5 && y >= 0 && y + h <= height,
                "%s: %.60s", options[i], s);
        }
        buf_free(&b);
    }
}
END_TEST

/* Pictures of time and room: the caption's numbers by hand. 8 warps of 40 clocks in 720; 2 blocks
 * of 32 warps per multiprocessor; 1024 blocks are three waves of 264 and 232 more. */
START_TEST(figures_of_time)
{
    const struct {
        const char *options, *caption;
    } rows[] = {
        {"hide --warps 8 --work 40",
            "a load takes 680 clocks, the work between loads 40; the scheduler is busy 44%"},
        {"hide --warps 24 --work 100", "busy 100%"},
        {"barrier --clocks 30,42,24,55",
            "opens at clock 55. Until then 4 warps work for 151 clocks and wait for 69"},
        {"fills --block 1024 --registers 32 --shared 8192",
            "2 blocks of 1024 threads, occupancy 100%, limited by warps"},
        {"fills --block 1024 --registers 40",
            "1 block of 1024 threads, occupancy 50%, limited by registers"},
        {"fills --block 64 --device sim:tiny",
            "8 blocks of 64 threads, occupancy 50%, limited by blocks"},
        {"tail --blocks 1024 --block 1024",
            "132 multiprocessors hold 2 blocks each; 1024 blocks are 4 waves, the last 88% full"},
        {"tail --blocks 16 --registers 40", "16 blocks are 1 wave, the last 2% full"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b;
        struct err e;
        char *svg = draw(rows[i].options, &b, &e);
        ck_assert_msg(svg != NULL, "%s: %s", rows[i].options, e.text);
        ck_assert_msg(strstr(svg, rows[i].caption) != NULL, "%s: %.400s", rows[i].options, svg);
        ck_assert_int_eq(elements(svg, "svg"), 1);
        buf_free(&b);
    }
}
END_TEST

/* Steps of a block, by hand: with one stage copies and products alternate; with n stages a copy is
 * hidden behind n - 1 products, except for the first copy. */
START_TEST(figures_of_stages)
{
    const struct {
        const char *options, *caption;
        int copies, waits;
    } rows[] = {
        {"stages --stages 1 --copy 700 --work 400",
            "1 stage, copy 700 clocks, product 400: 6 steps in 6600 clocks; the arithmetic is idle for "
            "4200, 64%",
            6, 6},
        {"stages --stages 2 --copy 700 --work 400",
            "in 4600 clocks; the arithmetic is idle for 2200", 6, 6},
        {"stages --stages 3 --copy 700 --work 400",
            "in 3100 clocks; the arithmetic is idle for 700", 6, 1},
        {"stages --stages 4 --copy 1000 --work 250 --steps 5",
            "5 steps in 2500 clocks; the arithmetic is idle for 1250", 5, 2},
        {"stages --stages 2 --work 680", "copy 680 clocks, product 680: 6 steps in 4760 clocks", 6,
            1},
        {"stages --device v100 --stages 1 --steps 1",
            "copy 375 clocks, product 400: 1 step in 775 clocks", 1, 1},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b;
        struct err e;
        char *svg = draw(rows[i].options, &b, &e);
        ck_assert_msg(svg != NULL, "%s: %s", rows[i].options, e.text);
        ck_assert_msg(strstr(svg, rows[i].caption) != NULL, "%s: %.400s", rows[i].options, svg);
        ck_assert_int_eq(elements(svg, "svg"), 1);
        ck_assert_int_eq(times(svg, "\"lane\""), rows[i].copies);
        ck_assert_int_eq(times(svg, "\"bad\""), rows[i].waits);
        ck_assert_int_eq(times(svg, "\"good\""), rows[i].copies);
        buf_free(&b);
    }
}
END_TEST

/* Roles, by hand: for how many clocks multiply waits, how often each role waits, and for what,
 * where there is room to write it. */
START_TEST(figures_of_roles)
{
    const struct {
        const char *options, *caption;
        int waits, loaded, ready, done, freed;
    } rows[] = {
        {"roles",
            "copy 680 clocks, split 300, multiply 400: 6 steps in 3380 clocks; multiply waits 980, 29%",
            9, 2, 1, 0, 3},
        {"roles --stages 1 --copy 500 --split 200 --work 300 --steps 2",
            "2 steps in 1700 clocks; multiply waits 1100, 65%", 7, 4, 2, 0, 1},
        {"roles --stages 1 --copy 1 --split 10 --work 100 --steps 2",
            "2 steps in 221 clocks; multiply waits 21, 10%", 6, 0, 0, 1, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b;
        struct err e;
        char *svg = draw(rows[i].options, &b, &e);
        ck_assert_msg(svg != NULL, "%s: %s", rows[i].options, e.text);
        ck_assert_msg(strstr(svg, rows[i].caption) != NULL, "%s: %.400s", rows[i].options, svg);
        ck_assert_int_eq(elements(svg, "svg"), 1);
        ck_assert_int_eq(times(svg, "\"bad\""), rows[i].waits);
        ck_assert_int_eq(elements(svg, "path"), rows[i].waits); /* a line to the end of each wait */
        ck_assert_int_eq(times(svg, ">loaded<"), rows[i].loaded);
        ck_assert_int_eq(times(svg, ">ready<"), rows[i].ready);
        ck_assert_int_eq(times(svg, ">done<"), rows[i].done);
        ck_assert_int_eq(times(svg, ">freed<"), rows[i].freed);
        buf_free(&b);
    }
}
END_TEST

/* An mbarrier, by hand: the bytes arrive until clock 600; in the second row the third thread
 * arrives later, at 800. */
START_TEST(figures_of_phases)
{
    const struct {
        const char *options, *caption;
        int waits, returns, bytes;
        const char *box; /* one of the boxes, at its place */
    } rows[] = {
        {"phases --copy 600 --work 300 --phases 2", ">phases end at clocks 600, 1500; ", 3, 3, 2,
            /* in phase 2, from 1500 to 1800, a wait for parity 1 returns */
            "<rect x=\"640.0\" y=\"97.0\" width=\"112.0\" height=\"18.0\" class=\"good"},
        {"phases --copy 600 --work 300 --phases 1 --arrivals 3 --apart 400 --bytes 3000 --pieces 3",
            ">phases end at clock 800; ", 2, 2, 1,
            /* 3000 bytes are pending until clock 200 of 1100 */
            "<rect x=\"80.0\" y=\"25.0\" width=\"122.2\" height=\"18.0\" class=\"lane"},
    };
    struct buf b;
    struct err e;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *svg = draw(rows[i].options, &b, &e);
        ck_assert_msg(svg != NULL, "%s: %s", rows[i].options, e.text);
        ck_assert_msg(strstr(svg, rows[i].caption) != NULL, "%s: %.400s", rows[i].options, svg);
        ck_assert_int_eq(elements(svg, "svg"), 1);
        ck_assert_int_eq(times(svg, ">waits<"), rows[i].waits);
        ck_assert_int_eq(times(svg, ">returns<"), rows[i].returns);
        ck_assert_msg(strstr(svg, rows[i].box) != NULL, "%s: %s", rows[i].options, svg);
        ck_assert_int_eq(times(svg, i ? ">3000<" : ">4096<"), rows[i].bytes);
        buf_free(&b);
    }
    /* phase 0: a wait for parity 0 lasts until 600 of 1800, one for parity 1 returns */
    char *svg = draw("phases --copy 600 --work 300 --phases 2 --arrivals 1", &b, &e);
    ck_assert_ptr_nonnull(
        strstr(svg, "<rect x=\"80.0\" y=\"73.0\" width=\"224.0\" height=\"18.0\" class=\"bad"));
    ck_assert_ptr_nonnull(
        strstr(svg, "<rect x=\"80.0\" y=\"97.0\" width=\"224.0\" height=\"18.0\" class=\"good"));
    ck_assert_ptr_nonnull(strstr(/* phase 1, until clock 1500 */
        svg, "<rect x=\"304.0\" y=\"97.0\" width=\"336.0\" height=\"18.0\" class=\"bad"));
    buf_free(&b);
}
END_TEST

START_TEST(figures_of_tiles)
{
    const struct {
        const char *options, *caption, *a, *b;
    } rows[] = {
        {"tile",
            "lane 13: 16 floats for 64 multiply-adds, 0.25 each; the warp: 96 different for 2048, ",
            ">a, 8 - 15<", ">b, 40 - 47<"},
        {"tile --rows 1 --columns 1 --down 1 --lane 5",
            "lane 5: 2 floats for 1 multiply-add, 2 each; the warp: 33 different for 32, 1.03 each",
            ">a, 0<", ">b, 5<"},
        {"tile --rows 4 --columns 16 --down 8 --lane 31",
            "20 floats for 64 multiply-adds, 0.312 each; the warp: 96 different for 2048",
            ">a, 28 - 31<", ">b, 48 - 63<"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b;
        struct err e;
        char *svg = draw(rows[i].options, &b, &e);
        ck_assert_msg(svg != NULL, "%s: %s", rows[i].options, e.text);
        ck_assert_msg(strstr(svg, rows[i].caption) != NULL, "%s: %.400s", rows[i].options, svg);
        ck_assert_msg(strstr(svg, rows[i].a) && strstr(svg, rows[i].b), "%s", svg);
        ck_assert_int_eq(elements(svg, "svg"), 1);
        ck_assert_int_eq(times(svg, "\"lane\""), 31);
        ck_assert_int_eq(times(svg, "\"bad\""), 3); /* in a, in b, and the output */
        buf_free(&b);
    }
}
END_TEST

/* Checks the text of the box at (row, column) of a matrix whose left edge is at x. Boxes are 26 x
 * 15 pixels, from y = 36 on. */
static void ck_in_matrix(const char *svg, const char *text, double x, int row, int column)
{
    char here[160];
    snprintf(here, sizeof here,
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" text-anchor=\"middle\"",
        x + 26 * (column + 0.5), 36 + 15 * row + 12.0);
    const char *at = strstr(svg, here);
    ck_assert_msg(at && !strncmp(strchr(at, '>') + 1, text, strlen(text)), "%s: %.180s", text,
        at ? at : here);
}

/* Which lane holds which element, from the tables of the PTX ISA: g = lane / 4, t = lane % 4. */
START_TEST(figures_of_fragments)
{
    const struct {
        const char *options, *caption;
        int own, first; /* boxes: of the lane's elements; of registers with an even number */
    } rows[] = {
        {"fragment --lane 13",
            ">lane 13: A rows 3, 11, columns 1, 5; B rows 1, 5, column 3; C rows 3, 11, columns 2, 3<",
            4 + 2 + 4, 64 + 32 + 64 - 2 - 1 - 2},
        {"fragment --lane 31 --shape m16n8k4",
            ">lane 31: A rows 7, 15, column 3; B row 3, column 7; C rows 7, 15, columns 6, 7<",
            2 + 1 + 4, 32 + 32 + 64 - 1 - 1 - 2},
        {"fragment --lane 13 --shape m16n8k16 --type f16",
            ">lane 13: A rows 3, 11, columns 2, 3, 10, 11; B rows 2, 3, 10, 11, column 3; "
            "C rows 3, 11, columns 2, 3<",
            8 + 4 + 4, 128 + 64 + 64 - 4 - 2 - 2},
        {"fragment --shape m16n8k8 --type bf16",
            ">lane 0: A rows 0, 8, columns 0, 1; B rows 0, 1, column 0; C rows 0, 8, columns 0, 1<",
            4 + 2 + 4, 64 + 64 + 64 - 2 - 2 - 2},
    };
    struct buf b;
    struct err e;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *svg = draw(rows[i].options, &b, &e);
        ck_assert_msg(svg != NULL, "%s: %s", rows[i].options, e.text);
        ck_assert_msg(strstr(svg, rows[i].caption) != NULL, "%s: %.400s", rows[i].options, svg);
        ck_assert_int_eq(elements(svg, "svg"), 1);
        ck_assert_int_eq(times(svg, "\"bad\""), rows[i].own);
        ck_assert_int_eq(times(svg, "\"lane\""), rows[i].first);
        buf_free(&b);
    }
    char *svg = draw("fragment --lane 13", &b, &e);
    double left = 40, middle = 40 + 8 * 26 + 44, right = 40 + 16 * 26 + 88;
    ck_in_matrix(svg, "a0<", left, 3, 1);
    ck_in_matrix(svg, "a1<", left, 11, 1);
    ck_in_matrix(svg, "a2<", left, 3, 5);
    ck_in_matrix(svg, "a3<", left, 11, 5);
    ck_in_matrix(svg, "b0<", middle, 1, 3);
    ck_in_matrix(svg, "b1<", middle, 5, 3);
    ck_in_matrix(svg, "c1<", right, 3, 3);
    ck_in_matrix(svg, "c2<", right, 11, 2);
    ck_in_matrix(svg, "31<", left, 15, 7);
    ck_in_matrix(svg, "29<", middle, 5, 7);
    ck_in_matrix(svg, "12<", right, 3, 0);
    buf_free(&b);
}
END_TEST

/* Checks that a circle is at (x, y), the logarithms to base 10 of FLOP a byte, from 0 to 4, and of
 * GFLOPS, from 2 to `most`, in a plot of 678 x 190 pixels at (70, 20). */
static void ck_point(const char *svg, double x, double y, double most)
{
    char here[80];
    snprintf(here, sizeof here, "<circle cx=\"%.1f\" cy=\"%.1f\"", 70 + 678 * x / 4,
        20 + 190 * (most - y) / (most - 2));
    ck_assert_msg(strstr(svg, here) != NULL, "no %s in %s", here, svg);
}

/* An H200: 2 x 128 x 132 x 1.98 GFLOPS, 4232 GB/s. Names of equal points do not overlap. */
START_TEST(figures_of_a_roofline)
{
    const struct figure_point points[] = {{"slow", 10, 100}, {"fast", 100, 10000},
        {"as fast", 100, 10000}, {"as fast, too", 100, 10000}};
    struct figure_of of = {.points = points, .count = 4, .size = "m = 8"};
    struct buf b;
    struct err e;
    char *svg = draw_of(&of, "roofline", &b, &e);
    ck_assert_msg(svg != NULL, "%s", e.text);
    ck_assert_int_eq(elements(svg, "circle"), 4);
    ck_assert_int_eq(elements(svg, "polyline"), 1);
    ck_point(svg, 1, 2, 5);
    ck_point(svg, 2, 4, 5);
    ck_assert_ptr_nonnull(strstr(svg, ">66908 GFLOPS<"));
    ck_assert_ptr_nonnull(strstr(svg, ">4232 GB/s<"));
    ck_assert_ptr_nonnull(
        strstr(svg, ">NVIDIA H200, m = 8: memory is the limit below 15.8 operations a byte<"));
    double x[4], y[4];
    const char *names[] = {">fast<", ">as fast<", ">as fast, too<", ">slow<"};
    for (int i = 0; i < 4; i++) {
        const char *at = strstr(svg, names[i]);
        while (strncmp(at, "<text", 5)) at--;
        ck_assert_int_eq(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x[i], &y[i]), 2);
        for (int j = 0; j < i; j++)
            ck_assert_msg(x[i] != x[j] || y[i] >= y[j] + 13 || y[i] <= y[j] - 13,
                "%s at %.1f and %s at %.1f", names[i], y[i], names[j], y[j]);
    }
    ck_assert(y[3] > y[0] && y[3] > y[1] && y[3] > y[2]);
    buf_free(&b);
    of.tensors = 1;
    svg = draw_of(&of, "roofline", &b, &e); /* TF32: 1365 x 132 x 1.98 GHz */
    ck_assert_int_eq(elements(svg, "polyline"), 2);
    ck_assert_ptr_nonnull(strstr(svg, ">356756 GFLOPS, TF32 by tensor cores<"));
    ck_point(svg, 1, 2, 6);
    buf_free(&b);
    svg = draw("roofline --device gtx280", &b, &e);
    ck_assert_int_eq(elements(svg, "circle"), 0);
    ck_assert_ptr_nonnull(
        strstr(svg, ">GeForce GTX 280: memory is the limit below 5.2 operations a byte<"));
    buf_free(&b);
    ck_assert_ptr_null(draw_of(&of, "stages", &b, &e));
    ck_assert_ptr_nonnull(
        strstr(e.text, "figure stages shows no launch; hide, barrier, fills, tail, "));
}
END_TEST

/* The roof rises from the left axis to the knee, and is flat to the right end of the lower axis:
 * with points and without, also where they have far less than one operation a byte. */
START_TEST(a_roof_spans_its_figure)
{
    const struct figure_point points[] = {{"least", 0.002, 0.4}, {"more", 0.3, 100}};
    for (int count = 0; count < 3; count++) {
        struct figure_of of = {.points = points, .count = count, .size = "m = 8"};
        struct buf b;
        struct err e;
        char *svg = draw_of(&of, "roofline", &b, &e);
        double left, bottom, right, x[3], y[3];
        ck_assert_int_eq(sscanf(strstr(svg, "<line"),
                             "<line x1=\"%lf\" y1=\"%*f\" x2=\"%*f\" y2=\"%lf\" %*[^>]>\n"
                             "<line x1=\"%*f\" y1=\"%*f\" x2=\"%lf\"",
                             &left, &bottom, &right),
            3);
        ck_assert_int_eq(
            sscanf(strstr(strstr(svg, "<polyline"), "points="), "points=\"%lf,%lf %lf,%lf %lf,%lf",
                &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]),
            6);
        ck_assert_msg(x[0] == left && x[0] < x[1] && x[1] < x[2] && x[2] == right, "%d: x %g %g %g",
            count, x[0], x[1], x[2]);
        ck_assert_int_eq(times(svg, ">0.1<"), count ? 2 : 0); /* a mark of x, and one of y */
        ck_assert_msg(y[0] <= bottom && y[0] > y[1] && y[1] == y[2], "%d: y %g %g %g", count, y[0],
            y[1], y[2]);
        buf_free(&b);
    }
}
END_TEST

START_TEST(figures_refuse)
{
    const struct {
        const char *options, *says;
    } rows[] = {
        {"", "there are global, shared, padding, hide"},
        {"texture", "'texture'"},
        {"global --wide 3", "'--wide'"},
        {"global 3", "'3'"},
        {"global --stride", "--stride takes"},
        {"global --stride x", "'x'"},
        {"global --stride 5000", "1024"},
        {"shared --bytes 3", "1, 2, 4, 8 or 16"},
        {"shared --bytes 32", "from 1 to 16"},
        {"global --stride -1", "--offset"},
        {"global --words", "--words"},
        {"global --words 1,,2", "--words"},
        {"global --words 1;2", "'1;2'"},
        {"global --device h9", "'h9'"},
        {"hide --warps 25", "from 1 to 24"},
        {"hide --wide 3", "figure hide has no option '--wide': --warps, --work"},
        {"barrier", "--clocks"},
        {"barrier --clocks 3,x", "'x'"},
        {"fills --block 1025", "1024"},
        {"fills --shared 262144", "does not fit"},
        {"tail --blocks 100000", "fewer --blocks"},
        {"tail --device h9", "'h9'"},
        {"hide --work", "--work takes"},
        {"padding --row 0", "from 1 to 1024"},
        {"padding --stride 2", "--row, --pad"},
        {"stages --stages 0", "--stages takes a whole number from 1 to 8, not '0'"},
        {"stages --steps 17", "from 1 to 16"},
        {"stages --copies 3",
            "figure stages has no option '--copies': --stages, --copy, --work, --steps"},
        {"roles --stages 9", "--stages takes a whole number from 1 to 8, not '9'"},
        {"roles --multiply 3",
            "figure roles has no option '--multiply': --stages, --copy, --split, --work"},
        {"phases --pieces 3", "--bytes 4096 cannot be cut into 3 --pieces"},
        {"phases --parity 1", "figure phases has no option '--parity': --arrivals, --bytes"},
        {"tile --down 3", "1, 2, 4, 8, 16 or 32, not 3"},
        {"tile --rows 17", "from 1 to 16"},
        {"fragment --lane 32", "--lane takes a whole number from 0 to 31, not '32'"},
        {"fragment --type s8", "draws no product m16n8k8 of s8: m16n8k4 tf32, m16n8k8 tf32, "},
        {"fragment --shape", "--shape needs a value"},
        {"roofline --lab 06", "figure roofline has no option '--lab'"},
        {"stages --device", "--device: there is no device ''"},
        {"shared --words 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
            "32 lanes"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b;
        struct err e;
        ck_assert_msg(draw(rows[i].options, &b, &e) == NULL, "%s was drawn", rows[i].options);
        ck_assert_int_eq(e.kind, ERR_USAGE);
        ck_assert_msg(strstr(e.text, rows[i].says) && !strchr(e.text, '\n'), "%s: %s",
            rows[i].options, e.text);
        ck_assert_uint_eq(b.len, 0);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model figure");
    TCase *c = tcase_create("figures");
    tcase_add_test(c, figures_say_what_is_counted);
    tcase_add_test(c, figures_draw_every_sector_and_word);
    tcase_add_test(c, figures_stay_inside);
    tcase_add_test(c, figures_of_time);
    tcase_add_test(c, figures_of_stages);
    tcase_add_test(c, figures_of_roles);
    tcase_add_test(c, figures_of_phases);
    tcase_add_test(c, figures_of_tiles);
    tcase_add_test(c, figures_of_fragments);
    tcase_add_test(c, figures_of_a_roofline);
    tcase_add_test(c, a_roof_spans_its_figure);
    tcase_add_test(c, figures_refuse);
    suite_add_tcase(s, c);
    return suite_run(s);
}
