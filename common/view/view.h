/* view.h - everything that shows: text, JSON, HTML, figures. It runs no kernel and gives no points.
 *
 *     struct result  (judge.h)      ──> report_result, json_result
 *     struct profile (one launch)   ──> profile_text, profile_json, profile_page, profile_map_*
 *     a pattern, a warp's addresses ──> figure_*
 */
#ifndef LOCKSTEP_VIEW_H
#define LOCKSTEP_VIEW_H

#include "judge/judge.h"

#include <jansson.h>

/* ---- where text is read (screen.c) ---- */

struct screen {
    int width, colour; /* in columns; is it a terminal that shows colours? */
};
struct screen screen_of(int fd);
enum ink { INK_PLAIN, INK_BAD, INK_GOOD, INK_QUIET, INK_STRONG };
void screen_ink(
    /* from here on; nothing without colour */
    const struct screen *s, struct buf *out, enum ink ink);
/* Append text and a newline, broken between words. first: the column where it starts; indent: of
 * later lines. */
void screen_wrapped(
    const struct screen *s, struct buf *out, int indent, int first, const char *text);

/* ---- the words of a report (terms.c) ---- */

struct term {
    const char *name, *others; /* other names, separated by commas */
    const char *says;          /* what it is, and what to do: a sentence or two */
};
const struct term *terms_at(size_t i);           /* 0, 1, ...; NULL after the last */
const struct term *terms_find(const char *word); /* by any of its names; NULL: there is none */

/* ---- what is resident (warps.c) ---- */

/* Append "4 of 64 resident on average; room for 64 (16 blocks a multiprocessor, limited by warps);
 * 4 blocks: 128 of 132 multiprocessors idle". gpu NULL or blocks 0: what is resident is not known,
 * only the room. */
void warps_text(struct buf *out, const struct model_profile *gpu, const struct model_occupancy *o,
    uint64_t blocks);

/* ---- one exercise for the person who wrote it (lab_text.c) ---- */

/* How a GPU counts m, if not as GPUs from compute capability 5.0 on: "GeForce GTX 280 (compute
 * capability 1.3): 16 banks serve half a warp at a time". */
void rule_text(struct buf *out, const struct model_profile *gpu, enum metric m);

/* Append what lockstep lab prints: points and why some were lost, then each step. gpu: NULL if
 * unknown; then no line gets advice. predictions: the text about them, made by the caller
 * (cli/predictions.c). */
void lab_text(const struct screen *s, const struct result *r, const struct model_profile *gpu,
    const char *predictions, struct buf *out);

/* Append "9.8 of 10 points". */
void points_text(struct buf *out, struct points p);

/* ---- results of a grading (report.c, json.c) ---- */

/* Append lines of text, indented and broken between words so that they fit 80 columns if their
 * words do. */
void report_wrapped(struct buf *out, int indent, const char *text);
/* Append one exercise of a grading: a line, then its reasons; the line alone if it was not
 * attempted. */
void report_result(struct buf *out, const struct result *r);
/* Append the line of a lab of which nothing was attempted. most: its points; why: the last message,
 * for a lab that is not counted, without points. */
void report_not_started(struct buf *out, const struct lab *lab, int most, const char *why);
/* Append the last line of a grading. */
void report_total(struct buf *out, const struct session *s, double score, int max_score);

/* One exercise as JSON: an element of "exercises" (json.c has all keys). What was not taken or
 * counted is left out, never 0. The caller owns the result. */
json_t *json_result(const struct result *r);
/* A whole grading as JSON text that ends with a newline. It takes ownership of exercises. The
 * caller frees the text. */
char *json_report(const struct session *s, double score, int max_score, json_t *exercises);

/* A number, or null if it is not finite. Text that may contain bytes that are not UTF-8.
 * Counters by ncu's names, without those that were not counted. */
json_t *json_number(double v);
json_t *json_text(const char *s);
json_t *json_counters(const struct metrics *m);
/* Set the keys that a table of members has for these kinds of JSON. */
void json_set_members(json_t *o, const struct member *table, const void *of, unsigned keys);

/* ---- one launch of any kernel, and everything that was counted, by source line ---- */

struct profile {
    const char *device; /* "sim:h200" */
    const struct model_profile *gpu;
    const char *front;         /* "clang 14.0.6" */
    const char *file, *source; /* of the kernel: path and text */
    char *kernel;              /* its name in the source */
    /* the size of a lab's problem, or the kernel's arguments */
    char *what;
    /* why its result is wrong; NULL: it is right, or unknown */
    char *wrong;
    unsigned grid[3], block[3];
    size_t shared; /* dynamic shared memory of a block, in bytes */
    /* the file as PTX, and the kernel's name in it; NULL: not known */
    const char *ptx, *symbol;
    int show_ptx;                 /* below each line, as text; a page always has it */
    const struct profile *before; /* to compare with; NULL: nothing */
    struct measurement m;
};

/* ---- what costs most (profile_advice.c) ---- */

struct advice {
    int line;
    double share;   /* the line's share of the launch's cost, 0 to 1 */
    char text[512]; /* what happens there, and what to try */
};
enum { ADVICES = 3 };
/* The lines that cost most, the worst first. Returns how many there are: 0 to ADVICES. */
int profile_advise(const struct profile *p, struct advice out[ADVICES]);
/* What happens in a line and what to try, into out (profile_explain.c). If its counters and one
 * warp's addresses show no waste, it says what to do about part, the part of the time that the line
 * has most of. */
void profile_explain(
    const struct profile *p, int line, enum model_part part, char *out, size_t size);
/* Append what limits the launch as a whole: a sentence or two, with a newline. */
void profile_bottleneck(const struct profile *p, struct buf *out);

/* Append the 32 lanes of a launch, drawn to show where a metric comes from, and not the metric
 * itself: sectors or banks lane by lane, or the active lanes of each line (lanes.c). Nothing if
 * none was recorded. */
void lanes_text(struct buf *out, const struct model_profile *gpu, const struct measurement *m,
    enum metric metric, const char *source);

/* ---- reports ---- */

/* Append what changed since p->before, the annotated source and the summary, for a terminal. */
void profile_text(const struct screen *s, const struct profile *p, struct buf *out);
/* The launches of one file as JSON (profile_json.c has all keys). count > 0. The caller owns the
 * result. */
json_t *profile_json(const struct profile *p, int count);
/* Read what profile_json made and a file holds. Profiles and their strings live as long as *root,
 * which the caller frees after profiles_free. -1 with ERR_USAGE, which names the file, and the line
 * or the key. */
int profiles_read(const char *file, json_t **root, struct profile **out, int *count, struct err *e);
void profiles_free(struct profile *p, int count);
/* Append every access of a line, drawn as text or as one SVG after the other. line 0: of all lines.
 * -1 with ERR_USAGE: the line has no access. */
int profile_map_text(const struct profile *p, int line, struct buf *out, struct err *e);
int profile_map_svg(const struct profile *p, int line, struct buf *out, struct err *e);
/* Append an HTML page that needs no other file: for each of the launches what changed, summary,
 * annotated source with PTX, maps, roofline. */
void profile_page(const struct profile *p, int count, struct buf *out);

/* The blocks of the grid; and the blocks that the whole GPU holds at once. */
unsigned long long profile_blocks(const struct profile *p);
unsigned long long profile_room(const struct profile *p);
/* The counters of a source line; NULL: nothing was executed there. */
const struct metrics *profile_line(const struct profile *p, int line);
/* Write "27.1M", "1024", "0.31" or, for NAN, "-" into text. Returns text. */
const char *profile_number(double v, char text[16]);

/* ---- figures (figure.c) ---- */

/* Append an SVG of one warp's access, counted by model_coalesce or model_banks:
 *
 *      global [--stride N] [--offset N] [--bytes N] [--words N,N,..] [--device NAME] [--store]
 *      shared (the same)
 *
 * Lane i addresses element offset + i * stride; an element has --bytes bytes (4). With --words,
 * lanes 0, 1, .. address the elements listed, and the other lanes are off. argv[0] is "global" or
 * "shared". -1 with ERR_USAGE. Or a picture of time or room (figure_time.c), each with [--device
 * NAME]:
 *
 *      hide     [--warps N] [--work CLOCKS]      one scheduler: warps that work and wait for their loads;
 *               [--unroll N]                     N times the work
 *      barrier  --clocks N,N,..                  when each warp arrives, and how long it waits
 *      fills    [--block THREADS] [--registers N] [--shared BYTES]      a multiprocessor, and what is full
 *      tail     --blocks N (and as fills)        the grid in waves over the multiprocessors
 *
 * of: a launch that such a picture is of; options say otherwise, one by one. NULL: none. */
int figure_pattern(
    int argc, char **argv, const struct model_work *of, struct buf *out, struct err *e);
/* The same for one warp's real addresses: the lanes of mask access bytes each (1, 2, 4, 8 or
 * 16). */
struct figure_access {
    const struct model_profile *device;
    int shared, store;
    unsigned bytes;
    uint32_t mask;
    uint64_t addr[WARP_SIZE];
};
void figure_access(const struct figure_access *a, struct buf *out);
/* The words under the figure, which say what the access costs: at most 160 characters. */
void figure_caption(const struct figure_access *a, char caption[256]);

#endif
