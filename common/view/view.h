/* view.h - the output of the program: text, JSON, HTML, figures. Nothing here runs a kernel or
 * decides on points.
 *
 *     struct result  (judge.h)      ──> report_result, json_result
 *     struct profile (one launch)   ──> profile_text, profile_json, profile_page, profile_map_*
 *     a pattern, a warp's addresses ──> figure_* */
#ifndef LOCKSTEP_VIEW_H
#define LOCKSTEP_VIEW_H

#include "judge/judge.h"

#include <jansson.h>

/* ---- the style of pages (style.c) ---- */

/* the text of style.css: palette, type, and the parts that all pages share */
extern const char view_style[];

/* ---- the screen (screen.c) ---- */

struct screen {
    int width, colour; /* width: in columns; colour: 1 if it is a terminal that shows colours */
    int height;        /* in lines */
};
/* The screen behind a descriptor: its size by COLUMNS and LINES if they are set, else that of the
 * terminal, else 80 x 24. */
struct screen screen_of(int fd);
enum ink { INK_PLAIN, INK_BAD, INK_GOOD, INK_QUIET, INK_STRONG };
void screen_ink(
    /* Append the code of a colour; nothing on a screen without colours. */
    const struct screen *s, struct buf *out, enum ink ink);
/* Append text and a newline, wrapped between words. first: the column at which the text begins;
 * indent: the column at which further lines begin. */
void screen_wrapped(
    const struct screen *s, struct buf *out, int indent, int first, const char *text);

/* ---- terms of reports (terms.c) ---- */

struct term {
    const char *name, *others; /* name: the term; others: other names of it, separated by commas */
    const char *says;          /* what the term means, and what to do, in a sentence or two */
};
const struct term *terms_at(size_t i); /* The term with index i: 0, 1, ...; NULL after the last. */
/* The term with this word among its names; NULL: unknown. */
const struct term *terms_find(const char *word);

/* ---- resident warps (warps.c) ---- */

/* Append how many warps a multiprocessor has and could have: "4 of 64 resident on average; room for
 * 64 (16 blocks a multiprocessor, limited by warps); 4 blocks: 128 of 132 multiprocessors idle". If
 * gpu is NULL or blocks 0, only the room is stated, since the grid is unknown. */
void warps_text(struct buf *out, const struct model_profile *gpu, const struct model_occupancy *o,
    uint64_t blocks);

/* ---- the result of one exercise for the person who wrote it (lab_text.c) ---- */

/* Append how this GPU counts metric m, unless it counts as GPUs from compute capability 5.0 on do:
 * "GeForce GTX 280 (compute capability 1.3): 16 banks serve half a warp at a time". */
void rule_text(struct buf *out, const struct model_profile *gpu, enum metric m);

/* Append all that is known of a result: points and why some are missing, then each step. gpu NULL:
 * unknown, so that no line gets advice. predictions: the text about the predictions, from the
 * caller (cli/predictions.c). */
void lab_text(const struct screen *s, const struct result *r, const struct model_profile *gpu,
    const char *predictions, struct buf *out);
/* How much of a cause is shown: where it is, and in what kind of text; then also what is wrong
 * there; then also the edit that corrects it. */
enum told { TOLD_WHERE, TOLD_WHAT, TOLD_EDIT };
/* What a brief answer shows. */
struct brief {
    int lines;      /* the most lines */
    enum told told; /* how much of the cause */
    /* how to see what is wrong, and then the edit, such as "WHY=1" */
    const char *next[TOLD_EDIT];
    const char *more; /* how to see everything, such as "MORE=1" */
};
/* Append what matters of a result: what failed and its cause, then the learner's own kernels, then
 * a line for each given one. The last line names b->more, if something was left out. */
void lab_brief(const struct screen *s, const struct brief *b, const struct result *r,
    const struct model_profile *gpu, const char *predictions, struct buf *out);

/* The result as JSON, in the words of lab_brief (lab_json.c lists the keys). The caller owns it. */
json_t *lab_json(const struct result *r);

/* Append "9.8 of 10 points". */
void points_text(struct buf *out, struct points p);

/* ---- results of a grading (report.c, json.c) ---- */

/* Append text, indented and wrapped between words at 80 columns. */
void report_wrapped(struct buf *out, int indent, const char *text);
/* Append one exercise of a grading: a line with its points, and the reasons for missing points; if
 * it was not attempted, only the line. */
void report_result(struct buf *out, const struct result *r);
/* Append the line of a lab in which no exercise was attempted. most: the points of the lab. why:
 * for a lab that was not run, the message that says so; such a lab has no points. */
void report_not_started(struct buf *out, const struct lab *lab, int most, const char *why);
/* Append the last line of a grading. */
void report_total(
    struct buf *out, const struct session *s, double score, int max_score, int left_out);

/* One exercise as JSON: an element of "exercises" (json.c lists the keys). What was not measured
 * is left out. The caller owns the result. */
json_t *json_result(const struct result *r);
/* A whole grading as JSON text that ends with a newline. Takes ownership of exercises. The
 * caller frees the text. */
char *json_report(const struct session *s, double score, int max_score, json_t *exercises);

/* json_number: a JSON number, or null if v is not finite. json_text: s may contain bytes that are
 * not UTF-8. json_counters: counters by ncu's names, without those that were not counted.
 * json_print: print o as one line, and free it. */
json_t *json_number(double v);
json_t *json_text(const char *s);
json_t *json_counters(const struct metrics *m);
void json_print(json_t *o);
/* Set those keys of a member table whose bits are in `keys`. of: the struct that has the
 * members. */
void json_set_members(json_t *o, const struct member *table, const void *of, unsigned keys);

/* ---- profiles: one launch of a kernel, with all counters by source line ---- */

struct profile {
    const char *device; /* name of the device, such as "sim:h200" */
    const struct model_profile *gpu;
    const char *front;         /* name of the compiler, such as "clang 14.0.6" */
    const char *file, *source; /* the kernel's file. file: its path; source: its text */
    char *kernel;              /* the kernel's name in the source */
    /* the size of a lab's problem, or the kernel's arguments, in words */
    char *what;
    /* why the kernel's result is wrong; NULL: it is right, or not known */
    char *wrong;
    unsigned grid[3], block[3];
    size_t shared; /* dynamic shared memory of a block, in bytes */
    /* ptx: the file's PTX; symbol: the kernel's name in it; NULL: unknown */
    const char *ptx, *symbol;
    int show_ptx; /* 1: show PTX below each source line of the text; the page always has it */
    int pictures; /* 1: JSON has the picture of each line that accesses memory, as SVG */
    const struct profile *before; /* an earlier profile to compare with; NULL: none */
    struct measurement m;
};

/* ---- what costs most (profile_advice.c) ---- */

struct advice {
    int line;
    double share;   /* share of the launch's cost that this line has, 0 to 1 */
    char text[512]; /* what happens in the line, and what to try */
};
enum { ADVICES = 3 };
/* The lines that cost most, the worst first. Returns how many lines that is, 0 to ADVICES. */
int profile_advise(const struct profile *p, struct advice out[ADVICES]);
/* The share of the launch's cost that each line of p->m.lines has, 0 to 1. The caller frees it. */
double *profile_shares(const struct profile *p);
/* Write what happens in a line, and what to try (profile_explain.c). If its counters and one
 * warp's addresses show no waste, the text is about `part`, the part of the GPU that the line
 * uses most. */
void profile_explain(
    const struct profile *p, int line, enum model_part part, char *out, size_t size);
/* Append what limits the whole launch: a sentence or two, and a newline. */
void profile_bottleneck(const struct profile *p, struct buf *out);

/* Append a drawing of the 32 lanes that shows what a metric counts, but not its value:
 * sectors or banks by lane, or the active lanes of each line (lanes.c). If no access was recorded,
 * nothing is appended. */
void lanes_text(struct buf *out, const struct model_profile *gpu, const struct measurement *m,
    enum metric metric, const char *source);

/* ---- reports ---- */

/* For the terminal: append what changed since p->before, the annotated source and the summary. */
void profile_text(const struct screen *s, const struct profile *p, struct buf *out);
/* The launches of one file as JSON (profile_json.c lists the keys). count > 0. The caller owns
 * the result. */
json_t *profile_json(const struct profile *p, int count);
/* Read a file written with profile_json. The profiles' strings belong to *root, which the caller
 * frees after profiles_free. -1 with ERR_USAGE: the message names the file, and the line or the
 * key. */
int profiles_read(const char *file, json_t **root, struct profile **out, int *count, struct err *e);
void profiles_free(struct profile *p, int count);
/* Append all accesses of a line, as text or as one SVG that contains a figure for each. line = 0:
 * the accesses of all lines. -1 with ERR_USAGE: the line has no access. */
int profile_map_text(const struct profile *p, int line, struct buf *out, struct err *e);
int profile_map_svg(const struct profile *p, int line, struct buf *out, struct err *e);
/* Append an HTML page that needs no other file: for each launch what changed, summary, annotated
 * source with PTX, maps, roofline. */
void profile_page(const struct profile *p, int count, struct buf *out);

/* profile_blocks: how many blocks the grid has. profile_room: how many blocks the whole GPU can
 * hold at once. */
unsigned long long profile_blocks(const struct profile *p);
unsigned long long profile_room(const struct profile *p);
/* The counters of a source line; NULL: nothing was executed there. */
const struct metrics *profile_line(const struct profile *p, int line);
/* Write a number in short form, "27.1M", "1024", "0.31", or "-" for NAN, and return text. */
const char *profile_number(double v, char text[16]);

/* ---- figures (figure.c) ---- */

/* Append a figure of one warp's access as SVG, counted by model_coalesce or model_banks:
 *
 *      global [--stride N] [--offset N] [--bytes N] [--words N,N,..] [--device NAME] [--store]
 *      shared, with these options
 *      padding [--row N] [--pad N]     a column of a tile, then with padding
 *
 * Lane i accesses element offset + i * stride; an element has --bytes bytes (4). With --words,
 * lanes 0, 1, .. access the listed elements, and other lanes are inactive. argv[0] is "global" or
 * "shared". Or a figure of time or occupancy (figure_time.c), each with [--device NAME]:
 *
 *      hide      [--warps N] [--work CLOCKS]      one scheduler: warps compute and wait for loads;
 *                [--unroll N]                     N times the work
 *      barrier   --clocks N,N,..                  when each warp arrives, and how long it waits
 *      fills     [--block THREADS] [--registers N] [--shared BYTES]      which resource is full
 *      tail      --blocks N, and those of fills   the grid in waves over the multiprocessors
 *
 *      stages    [--stages N] [--copy CLOCKS] [--work CLOCKS] [--steps N]
 *                copies that go on while a block multiplies; idle time of the arithmetic
 *      roles     [--stages N] [--copy CLOCKS] [--split CLOCKS] [--work CLOCKS] [--steps N]
 *                warps that copy, split or multiply, and who waits for whom
 *      phases    [--arrivals N] [--bytes N] [--pieces N] [--copy CLOCKS] [--apart CLOCKS]
 *                [--work CLOCKS] [--phases N]     an mbarrier, and which waits return
 *      tile      [--rows N] [--columns N] [--down N] [--lane N]     what a thread's outputs need
 *      fragment  [--shape m16n8k8] [--type tf32] [--lane N]     which lane holds which element
 *
 *      roofline                                   kernels of the labs below a GPU's roof (roofline.c)
 *
 * of: the launch or the kernels that the figure shows; options replace its values. NULL: none. -1
 * with ERR_USAGE. */
struct figure_point {
    const char *name;
    /* x: floating-point operations per byte of device memory; y: GFLOPS; both above 0 */
    double x, y;
};
struct figure_of {
    const struct model_work *work; /* a launch, for figures of time; NULL: none */
    /* kernels, for a roofline. size: of their problem, in words; tensors: 1 if some use tensor
     * cores */
    const struct figure_point *points;
    int count, tensors;
    const char *size;
};
int figure_pattern(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e);
/* What a figure can show of a lab. */
enum figure_shows { FIGURE_NO_LAB, FIGURE_LAUNCH, FIGURE_LADDER };
/* What the figure of kind argv[0] can show of a lab. -1 with ERR_USAGE: there is no such kind or,
 * if of_lab is set, it shows nothing of a lab. */
int figure_shows(int argc, char **argv, int of_lab, struct err *e);
/* The access of one warp that figure_access draws: each lane in mask accesses `bytes` bytes (1, 2,
 * 4, 8 or 16) at its address. */
struct figure_access {
    const struct model_profile *device;
    int shared, store;
    unsigned bytes;
    uint32_t mask;
    uint64_t addr[WARP_SIZE];
};
void figure_access(const struct figure_access *a, struct buf *out);
/* Replace the colours of a figure by those for dark paper, in place. */
void figure_dark(struct buf *figure);
/* A kernel, or a routine of NVIDIA's, in a chart of times. Times in ms; modelled_ms NAN: not
 * modelled. */
struct figure_rung {
    const char *name, *lab;
    double ms, modelled_ms;
    int ceiling; /* 1: NVIDIA's routine, which no lab writes */
};
/* Append a chart of times on a logarithmic axis, a row for each element of rungs (figure_ladder.c).
 * title: what is computed; source: where the times are from. */
void figure_ladder(const struct figure_rung *rungs, int count, const char *title,
    const char *source, struct buf *out);
/* The caption under a figure of an access, at most 160 characters: what the access costs. */
void figure_caption(const struct figure_access *a, char caption[256]);

#endif
