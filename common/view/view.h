/* view.h - everything that shows: terminal, JSON, HTML, figures. It computes nothing that is not on the page.
 *
 *     result  (judge.h)  ──> report_result, json_result
 *     profile: one launch ──> profile_text, profile_json, profile_page, profile_map_*
 */
#ifndef LOCKSTEP_VIEW_H
#define LOCKSTEP_VIEW_H

#include "judge/judge.h"

#include <jansson.h>

/* ---- results of a grading (report.c, json.c) ---- */

/* One exercise of a grading, a line and its reasons: appended. */
void report_result(struct buf *out, const struct result *r);
/* The last line of a grading. */
void report_total(struct buf *out, const struct session *s, double score, int max_score);

/* JSON (json.c): the objects of {"score","max_score","device","front_end","seed","exercises":[...]}. What was not taken
 * or counted is left out, never 0. The caller owns the result. */
json_t *json_result(const struct result *r);
/* Steals exercises. The result ends with a newline; the caller frees it. */
char *json_report(const struct session *s, double score, int max_score, json_t *exercises);

/* A number, whole ones as such, null for none; text whose bytes may be no UTF-8; counters by ncu's names, without those that were not counted. */
json_t *json_number(double v);
json_t *json_text(const char *s);
json_t *json_counters(const struct metrics *m);

const char *time_kind_name(enum time_kind k); /* "modelled", "measured"; NULL for none */

/* ---- one launch of any kernel, and everything that was counted, by source line ---- */

struct profile {
    const char *device;               /* "sim:h200" */
    const struct model_profile *gpu;
    const char *front;                /* "clang 14.0.6" */
    const char *file, *source;        /* the kernel's */
    char *kernel;                     /* its name in the source */
    char *what;                       /* the size of a lab's problem, or the arguments */
    unsigned grid[3], block[3];
    size_t shared;                    /* dynamic, a block */
    struct measurement m;
};

/* ---- what costs most (profile_advice.c) ---- */

struct advice {
    int line;
    double share;     /* of the launch's cost that the line is charged with, 0 to 1 */
    char text[512];   /* what happens there, and what to try */
};
enum { ADVICES = 3 };
/* The lines that cost most, the worst first; returns how many, 0 to ADVICES. */
int profile_advise(const struct profile *p, struct advice out[ADVICES]);
/* What happens in a line and what to try, into out: from its counters and one warp's addresses, and where these are fine from
 * the part of the time that it has most of (profile_explain.c). */
void profile_explain(const struct profile *p, int line, enum model_part part, char *out, size_t size);
/* What holds the launch up as a whole, in a sentence or two: appended, with a newline. */
void profile_bottleneck(const struct profile *p, struct buf *out);

/* ---- reports ---- */

/* The annotated source and the summary. */
void profile_text(const struct profile *p, struct buf *out);
json_t *profile_json(const struct profile *p);
/* Every access of a line, drawn: in the terminal; as an SVG each, one after the other. -1 with ERR_USAGE when the line has
 * none. line 0: all lines. */
int profile_map_text(const struct profile *p, int line, struct buf *out, struct err *e);
int profile_map_svg(const struct profile *p, int line, struct buf *out, struct err *e);
/* A page that needs nothing beside itself: summary, annotated source, maps, roofline. */
void profile_page(const struct profile *p, struct buf *out);

/* Blocks of the grid; multiprocessors times the blocks that each holds at once. */
unsigned long long profile_blocks(const struct profile *p);
unsigned long long profile_room(const struct profile *p);
/* The counters of a source line; NULL where nothing was executed. */
const struct metrics *profile_line(const struct profile *p, int line);
/* "27.1M", "1024", "0.31"; "-" where there is none. Returns text. */
const char *profile_number(double v, char text[16]);

/* ---- figures (figure.c) ---- */

/* Append to out an SVG of one warp's access, drawn and counted by model_coalesce or model_banks themselves:
 *
 *      global [--stride N] [--offset N] [--bytes N] [--words N,N,..] [--device NAME] [--store]
 *      shared (the same)
 *
 * Lane i addresses element offset + i * stride, each bytes wide (4), or the elements that --words lists for the lanes 0,
 * 1, ..; the other lanes are off. argv[0] is "global" or "shared". -1 with ERR_USAGE when an option is not one. */
int figure_pattern(int argc, char **argv, struct buf *out, struct err *e);
/* The same for one warp's real addresses: lanes of mask, bytes each (1, 2, 4, 8, 16), in global or shared memory. */
struct figure_access {
    const struct model_profile *device;
    int shared, store;
    unsigned bytes;
    uint32_t mask;
    uint64_t addr[WARP_SIZE];
};
void figure_access(const struct figure_access *a, struct buf *out);
/* What it costs, in the words under the figure: at most 160 characters. */
void figure_caption(const struct figure_access *a, char caption[256]);

#endif
