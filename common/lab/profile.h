/* profile.h - one launch of any kernel, and everything that was counted, by source line.
 *
 *     FILE.cu ── compile ──> kernel ── arguments, grid, block ──> simulated device ──> struct profile
 *                                                                                         |
 *                              terminal (profile_text.c) · JSON (profile_json.c) · HTML (page.c)
 */
#ifndef LOCKSTEP_LAB_PROFILE_H
#define LOCKSTEP_LAB_PROFILE_H

#include "lab/compile.h"
#include "device/device.h"

#include <jansson.h>

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

/* ---- arguments (profile_args.c) ----
 *
 *     i32:1024  u32:7  i64:-1  u64:5  f32:1.5  f64:0  buf:f32:COUNT[:rand|iota|zero|fill=V|none]
 *     struct:{i32:64,buf:f32:64,{f32:1,f32:2}}  bytes:0000803f
 *
 * A structure's members are numbers of any type, buffers and structures, placed as C places them; align:16 among them stands for what
 * a type such as float4 asks: the next member starts at a multiple of 16 bytes, and so does the structure. bytes: are those of the
 * parameter in hexadecimal digits, from the lowest address on.
 *
 * A buffer's elements are f32, f64, i32, u32, i64, u64, i16, u16, i8 or u8. rand, the default, is in [0, 1) for f32 and f64, and
 * in [0, 100) for the others, from a fixed seed; iota counts 0, 1, 2; what none leaves is an error to read before it is written. */
enum { ARGS_MAX = 32 };
struct arguments {
    int count;
    unsigned char *value[ARGS_MAX];   /* the bytes of each, from the lowest on */
};
/* Check the words against the kernel's parameters, and place buffers on the device. file: for messages. ERR_USAGE. Free a in every case. */
int arguments_place(struct arguments *a, struct device *d, const struct kernel *k, const char *name, const char *file,
                    const char *const *words, int count, struct err *e);
void arguments_free(struct arguments *a);

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
 * the part of the time (of model_time_parts) that it has most of; NULL: not known (profile_explain.c). */
void profile_explain(const struct profile *p, int line, const char *part, char *out, size_t size);
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

#endif
