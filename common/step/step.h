/* step.h - one warp at work: every instruction that it executes, recorded once, looked at in any
 * order.
 *
 *     device_launch ── struct watch_event ──> record.c ──> struct recording
 *                                                   │ state.c: memory, registers at any instant
 *     PTX, debug information ──> names.c ──┐        v
 *                                          └─> picture.c ──> screen.c  lines of a terminal
 *                                                        ──> page.c    one HTML page
 *
 * The simulator is deterministic, so a step back is a smaller index. An "instant" is an index into
 * the recording: the moment before that instruction. A "stop" is an instant where a source line
 * begins, or begins again in a loop, or continues with other lanes. */
#ifndef LOCKSTEP_STEP_H
#define LOCKSTEP_STEP_H

#include "exercise/exercise.h"

/* ---- names, from the debug information of unoptimised PTX (names.c) ---- */

enum step_kind {
    KIND_OTHER,
    KIND_SIGNED,
    KIND_UNSIGNED,
    KIND_FLOAT,
    KIND_BOOL,
    KIND_POINTER,
    KIND_ARRAY,
    KIND_STRUCT
};
struct step_type {
    enum step_kind kind;
    unsigned bytes;
    int of;         /* pointer, array: index of another type; -1: unknown */
    unsigned count; /* array: elements */
    struct step_member {
        char *name;
        unsigned offset;
        int type;
    } * members; /* structure */
    int member_count;
};
/* A variable lives at one place of shared memory, or of each lane's own, while the PTX lines from
 * .. to - 1 run. */
struct step_variable {
    char *name;
    int type, shared, parameter;
    uint64_t offset;
    int line; /* of its declaration */
    int from, to;
};
struct step_names {
    struct step_type *types;
    int type_count;
    struct step_variable *variables;
    int variable_count;
};
/* Read the debug information in PTX text. k: the same PTX, loaded. Without debug information there
 * are no variables: never fails. The caller frees n with step_names_free. */
void step_names_read(struct step_names *n, const char *ptx, const struct kernel *k);
void step_names_free(struct step_names *n);

/* ---- the recording (record.c) ---- */

/* One number for each lane of a warp, in the shortest form that holds it. */
enum { LANES_SAME, LANES_EVEN, LANES_WORDS, LANES_WIDE };

/* An instruction as recorded. Its values and addresses lie in the recording's store (record_*). */
struct instant {
    int32_t line, ptx_line, step;
    uint32_t mask, active, waits, exited;
    uint8_t kind, quiet, access, space, bytes, counts, values, wasteful;
    int8_t fault;         /* the lane at fault; -1: none */
    uint16_t cost, extra; /* sectors or wavefronts; those beyond what is needed */
    int16_t buffer;       /* index of a name, -1: none */
    uint64_t data;        /* where in the store */
};

struct recording;
/* Watch one warp of one block through the next launch on the device; limit: the most instructions
 * to record; debug: the code is not optimised. The watch is the device's until recording_end. */
struct recording *recording_start(
    struct device *d, uint64_t block, int warp, size_t limit, int debug);
/* The launch of this PTX has ended, with an error or without (NULL). Must be called before anything
 * below. */
void recording_end(struct recording *r, const struct err *failed, const char *ptx);
void recording_free(struct recording *r);

size_t recording_count(const struct recording *r);
const struct instant *recording_at(const struct recording *r, size_t i);
int recording_warp(const struct recording *r);
int recording_cut(const struct recording *r);           /* the limit was reached */
uint32_t recording_exist(const struct recording *r);    /* the lanes that are threads */
const char *recording_fault(const struct recording *r); /* the message; NULL: none */
int recording_fault_warp(const struct recording *r);    /* -1: none, or not known */
const char *recording_buffer(const struct recording *r, const struct instant *i); /* "": none */
/* The buffer that an address points into, or just past, and its start; NULL: not known. */
const char *recording_where(const struct recording *r, uint64_t addr, uint64_t *start);
/* What an instruction addressed, and the values that it loaded, stored or computed. */
void record_addresses(const struct recording *r, const struct instant *i, uint64_t addr[WARP_SIZE]);
void record_value(
    const struct recording *r, const struct instant *i, int k, struct watch_value *out);

/* ---- stops, and the way from one to another ---- */

size_t recording_stops(const struct recording *r);
size_t recording_stop(const struct recording *r, size_t stop); /* its instant */
/* the last one at or before it */
size_t recording_stop_of(const struct recording *r, size_t instant);
enum step_wish { WISH_BARRIER, WISH_WASTE, WISH_FAULT };
/* The next stop after "stop" that meets the condition; SIZE_MAX: there is none. */
size_t recording_find(const struct recording *r, size_t stop, enum step_wish wish);

/* ---- the state at an instant (state.c) ---- */

struct step_counters {
    uint64_t instructions, lanes; /* executed, and by how many lanes */
    /* requests; sectors; those that the words asked for fill */
    uint64_t global, sectors, needed;
    uint64_t shared, wavefronts, conflicts;
    uint64_t barriers;
};
struct step_state {
    size_t instant;
    struct step_counters so_far;
    /* lane l's byte b: l * local_bytes + b; known: 1 for each byte that has been written */
    unsigned char *local, *local_known;
    unsigned char *shared, *shared_known;
    size_t local_bytes, shared_bytes;
    uint64_t (*reg)[WARP_SIZE];          /* by register */
    unsigned char *reg_known, *reg_type; /* 0: not written yet; as struct watch_value */
    int reg_count;
};
/* Bring the state to an instant, from the nearest checkpoint before it. It is the recording's, and
 * valid until the next call. */
const struct step_state *recording_state(struct recording *r, size_t instant);

/* ---- a race in shared memory (race.c) ---- */

/* Warps of the watched block touch one byte of shared memory, one of them writing, with no barrier
 * between them: which two, in the order of time. 0: none do. */
int recording_race(const struct recording *r, int warp[2]);

/* One of the two: the access, and its lanes that touch the word. */
struct step_side {
    struct recording *recording;
    int warp, line, write;
    size_t instant, stop;
    uint32_t lanes;
};
struct step_race {
    struct step_side side[2]; /* in the order of time; recording NULL: there is no race */
    uint64_t addr;            /* the byte of shared memory */
    char word[96];            /* as the source has it: "tile[3][5]" */
};
struct step_session;
/* Find both accesses in recordings of the two warps, the first one's first, which must outlive s.
 * -1: one of them was not recorded; then s has no race. */
int step_race_find(struct step_session *s, struct recording *const of[2]);
/* "warp 0 reads tile[3][5] in line 17, then warp 1 writes it in line 14: ..." */
void step_race_words(const struct step_race *race, char *out, size_t size);
/* A session of one of the two warps. It owns nothing. */
struct step_session step_race_session(const struct step_session *s, int side);

/* ---- a picture of a stop (picture.c) ---- */

enum { PICTURE_ACCESSES = 8 };
struct step_session { /* all that a picture is made of; the members are the caller's */
    struct recording *recording;
    struct step_names names;
    struct device *device;
    const char *file, *source, *ptx, *kernel, *front, *note;
    unsigned grid[3], block[3], at[3]; /* at: the block that is watched */
    int warp;
    /* not optimised; then optimised holds what the other build did */
    int debug;
    int has_optimised;
    struct step_counters optimised;
    /* fills in parts that the first picture does not need; NULL: none are left */
    void (*later)(struct step_session *s);
    void *later_ctx;
    struct step_race race; /* its recordings are the caller's */
    /* their names, for buffers "argument N"; NULL: unknown */
    const char *parameters[32];
};
struct step_row { /* a variable over the lanes */
    char name[48];
    char text[160];
    int changed; /* since the stop before */
    int same;    /* one value for all lanes */
};
struct step_access {
    size_t instant;
    int write, shared, atomic, constant;
    unsigned bytes, cost, extra;
    uint32_t mask;
    uint64_t addr[WARP_SIZE];
    char what[48]; /* "a", "tile" */
};
struct step_picture {
    size_t stop, stops, instant, end; /* instants [instant, end) are the stop's */
    int line;
    /* '#' runs, '.' waits for other lanes, 'B' at a barrier, 'x' has returned, ' ' is no thread */
    char lanes[WARP_SIZE + 1];
    uint32_t active;
    struct step_row *rows;
    int row_count;
    struct step_access access[PICTURE_ACCESSES];
    int access_count, access_more;
    struct step_counters so_far;
    /* this stop waits at a barrier; is where the fault is */
    int barrier, fault;
};
/* by_instruction: a picture of one instruction, the stop's number is then its instant. Freed with
 * picture_free. */
void picture_make(struct step_session *s, size_t stop, int by_instruction, struct step_picture *p);
/* Do the postponed work now. */
void step_complete(struct step_session *s);
void picture_free(struct step_picture *p);
/* The shared array at a byte of shared memory; NULL: none is known. */
const struct step_variable *step_shared_at(const struct step_session *s, uint64_t offset);
/* An access of an instant; its memory must not be local. */
void step_access_at(const struct step_session *s, size_t instant, struct step_access *a);
/* The message of the fault, with the parameters' names; NULL: none. The caller frees it. */
char *step_fault(const struct step_session *s);
/* The values of lanes in words: "16"; "0, 1, ... 31 (lane)"; "0 x16, 1 x16". known: lanes that have
 * a value. kind and bytes as in struct step_type. */
void step_fold(enum step_kind kind, unsigned bytes, const uint64_t lane[WARP_SIZE], uint32_t known,
    char *out, size_t size);

/* ---- what shows it ---- */

/* An access in words; its banks or sectors, drawn, at most "room" sectors: "" if there is nothing
 * to draw. */
void step_access_words(
    const struct step_session *s, const struct step_access *a, char *out, size_t size);
void step_access_drawing(const struct step_access *a, int room, char *out, size_t size);
/* One warp of a race, at its access of the word (race.c). The caller frees the picture with
 * picture_free. */
struct step_race_side {
    struct step_picture picture;
    char marks[WARP_SIZE + 1]; /* '^' under the lanes that touch the word */
    char who[96], access[256]; /* "lane 5 writes it"; the whole access */
};
void step_race_side(const struct step_session *s, int number, struct step_race_side *out);

/* Instead of the variables: the tile; beside the source: PTX; instead of the stop: the race, side
 * by side. */
enum { STEP_TILE = 1, STEP_PTX = 2, STEP_RACE = 4 };
/* Append a screen of rows and columns; every line ends with a newline. colour: with escape
 * sequences. */
void step_screen(struct step_session *s, size_t stop, int flags, int rows, int columns, int colour,
    struct buf *out);
/* Append a stop as text, for scripts. */
void step_text(struct step_session *s, size_t stop, struct buf *out);
/* The same of the race, both sides; nothing if there is none. */
void step_race_text(const struct step_session *s, struct buf *out);
/* Let a person step at the terminal until they quit. -1 with ERR_ENV: stdin and stdout are no
 * terminal. */
int step_terminal(struct step_session *s, struct err *e);
/* Append an HTML page that needs no other file, of at most `most` stops. template: the text of
 * page.html. */
void step_page(struct step_session *s, const char *template, size_t most, struct buf *out);

#endif
