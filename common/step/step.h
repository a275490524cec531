/* step.h - step through the execution of one warp: every instruction is recorded once, and can be
 * viewed in any order.
 *
 *     device_launch ── struct watch_event ──> record.c ──> struct recording
 *                                                   │ state.c: memory, registers at any instant
 *     PTX, debug information ──> names.c ──┐        v
 *                                          └─> picture.c ──> screen.c  lines of a terminal
 *                                                        ──> page.c    one HTML page
 *
 * The simulator is deterministic, so to step back is to use a smaller index. An "instant" is an
 * index of the recording: the moment before that instruction. A "stop" is an instant at which a
 * source line begins, or begins again in a loop, or continues with other lanes. */
#ifndef LOCKSTEP_STEP_H
#define LOCKSTEP_STEP_H

#include "exercise/exercise.h"

/* ---- variables, from the debug information of unoptimized PTX (names.c) ---- */

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
    int of;         /* pointer or array: index of the type of its elements; -1: unknown */
    unsigned count; /* array: number of elements */
    struct step_member {
        char *name;
        unsigned offset;
        int type;
    } * members; /* members of a structure */
    int member_count;
};
/* A variable has one address, in shared memory or in each lane's local memory, while the PTX
 * lines from .. to - 1 are executed. */
struct step_variable {
    char *name;
    int type, shared, parameter;
    uint64_t offset;
    int line; /* line of the variable's declaration in the source */
    int from, to;
};
struct step_names {
    struct step_type *types;
    int type_count;
    struct step_variable *variables;
    int variable_count;
};
/* Read the debug information in PTX text; without any, there are no variables. k: the same PTX,
 * loaded. The caller frees n with step_names_free. */
void step_names_read(struct step_names *n, const char *ptx, const struct kernel *k);
void step_names_free(struct step_names *n);

/* ---- the recording (record.c) ---- */

/* Forms in which a number for each lane of a warp is stored. */
enum { LANES_SAME, LANES_EVEN, LANES_WORDS, LANES_WIDE };

/* A recorded instruction. Its addresses and values are in the recording's store;
 * record_addresses and record_value read them. */
struct instant {
    int32_t line, ptx_line, step;
    uint32_t mask, active, waits, exited;
    uint8_t kind, quiet, access, space, bytes, counts, values, wasteful;
    int8_t fault; /* the lane at fault; -1: none */
    /* cost: sectors or wavefronts of the access; extra: how many of these were not needed */
    uint16_t cost, extra;
    int16_t buffer; /* index of the name of the accessed buffer; -1: none */
    uint64_t data;  /* offset in the store of the instruction's numbers */
};

struct recording;
/* Record one warp of one block during the next launch on the device. limit: the most
 * instructions to record. debug: the code is not optimized. The device can record nothing else
 * until recording_end. */
struct recording *recording_start(
    struct device *d, uint64_t block, int warp, size_t limit, int debug);
/* End the recording after the launch of this PTX; must be called before the functions below.
 * failed: the launch's error; NULL: none. */
void recording_end(struct recording *r, const struct err *failed, const char *ptx);
void recording_free(struct recording *r);

size_t recording_count(const struct recording *r);
const struct instant *recording_at(const struct recording *r, size_t i);
int recording_warp(const struct recording *r);
int recording_cut(const struct recording *r); /* Was the limit of instructions reached? */
/* A mask of the lanes of the recorded warp that are threads of the block. */
uint32_t recording_exist(const struct recording *r);
/* The message of the fault; NULL: there was none. */
const char *recording_fault(const struct recording *r);
/* The number of the warp that faulted; -1: no fault, or the warp is unknown. */
int recording_fault_warp(const struct recording *r);
/* The name of the buffer that the instruction accessed; "": none. */
const char *recording_buffer(const struct recording *r, const struct instant *i);
/* The name of the buffer that contains an address, or ends there; NULL: unknown. *start: the
 * buffer's start. */
const char *recording_where(const struct recording *r, uint64_t addr, uint64_t *start);
/* record_addresses: the addresses that an instruction accessed. record_value: the values that it
 * loaded, stored or computed. */
void record_addresses(const struct recording *r, const struct instant *i, uint64_t addr[WARP_SIZE]);
void record_value(
    const struct recording *r, const struct instant *i, int k, struct watch_value *out);

/* ---- stops ---- */

size_t recording_stops(const struct recording *r);
/* The instant at which a stop begins. */
size_t recording_stop(const struct recording *r, size_t stop);
/* The number of the last stop that begins at or before an instant. */
size_t recording_stop_of(const struct recording *r, size_t instant);
enum step_wish { WISH_BARRIER, WISH_WASTE, WISH_FAULT };
/* The number of the next stop after `stop` that has a barrier, a wasteful access, or the fault;
 * SIZE_MAX: there is none. */
size_t recording_find(const struct recording *r, size_t stop, enum step_wish wish);

/* ---- the state at an instant (state.c) ---- */

struct step_counters {
    /* instructions: number of instructions executed; lanes: number of active lanes, summed over
     * these */
    uint64_t instructions, lanes;
    /* for global memory. global: number of requests; sectors: number of sectors; needed: number of
     * sectors that would suffice for the bytes requested */
    uint64_t global, sectors, needed;
    uint64_t shared, wavefronts, conflicts;
    uint64_t barriers;
};
struct step_state {
    size_t instant;
    struct step_counters so_far;
    /* local: byte b of lane l is at l * local_bytes + b; local_known: 1 for each of these bytes
     * that was written */
    unsigned char *local, *local_known;
    unsigned char *shared, *shared_known;
    size_t local_bytes, shared_bytes;
    uint64_t (*reg)[WARP_SIZE]; /* values of the registers in each lane */
    /* for each register. reg_known: 0 if it was not written yet; reg_type: its type, as in struct
     * watch_value */
    unsigned char *reg_known, *reg_type;
    int reg_count;
};
/* Compute the state at an instant, from the nearest checkpoint before it. The state belongs to the
 * recording and is valid until the next call. */
const struct step_state *recording_state(struct recording *r, size_t instant);

/* ---- a race in shared memory (race.c) ---- */

/* Do two warps of the recorded block access one byte of shared memory, at least one of them
 * writing, without a barrier between them? warp: the numbers of the two, in order of time. */
int recording_race(const struct recording *r, int warp[2]);

/* One warp of a race: its access, and the lanes that touch the word. */
struct step_side {
    struct recording *recording;
    int warp, line, write;
    size_t instant, stop;
    uint32_t lanes;
};
struct step_race {
    /* the two sides, in order of time; if recording is NULL, there is no race */
    struct step_side side[2];
    uint64_t addr; /* offset of the accessed byte in shared memory */
    char word[96]; /* name of the word in the source: "tile[3][5]" */
};
struct step_session;
/* Find both accesses in recordings of the two warps, which are in order of time and must outlive s.
 * -1: one of the accesses was not recorded; then s has no race. */
int step_race_find(struct step_session *s, struct recording *const of[2]);
/* The race in words: "warp 0 reads tile[3][5] in line 17, then warp 1 writes it in line 14:
 * ...". */
void step_race_words(const struct step_race *race, char *out, size_t size);

/* ---- what is shown of a stop (picture.c) ---- */

enum { PICTURE_ACCESSES = 8 };
struct step_session { /* The data from which pictures are made; owned by the caller. */
    struct recording *recording;
    struct step_names names;
    struct device *device;
    const char *file, *source, *ptx, *kernel, *front, *note;
    /* grid, block: shape of the launch; at: index of the recorded block */
    unsigned grid[3], block[3], at[3];
    int warp;
    /* 1: the code is not optimized; then `optimised` are the counters of an optimized build */
    int debug;
    int has_optimised;
    struct step_counters optimised;
    /* a function that sets members which the first picture does not need; NULL: all are set */
    void (*later)(struct step_session *s);
    void *later_ctx;
    struct step_race race; /* the race, if there is one; the caller owns its recordings */
    /* names of the kernel's parameters, for buffers called "argument N"; NULL: unknown */
    const char *parameters[32];
};
struct step_row { /* One row of the picture: a variable, or part of one, in all lanes. */
    char name[48];
    char text[160];
    int changed; /* 1: the value has changed since the previous stop */
    int same;    /* 1: all lanes have the same value */
};
struct step_access {
    size_t instant;
    int write, shared, atomic, constant;
    unsigned bytes, cost, extra;
    uint32_t mask;
    uint64_t addr[WARP_SIZE];
    char what[48]; /* the name of the buffer or array: "a", "tile" */
};
struct step_picture {
    size_t stop, stops, instant, end; /* the stop consists of instants [instant, end) */
    int line;
    /* per lane: '#' active, '.' waits for other lanes, 'B' at a barrier, 'x' has returned, ' '
     * no thread */
    char lanes[WARP_SIZE + 1];
    uint32_t active;
    struct step_row *rows;
    int row_count;
    struct step_access access[PICTURE_ACCESSES];
    int access_count, access_more;
    struct step_counters so_far;
    /* barrier: the stop waits at a barrier; fault: the fault is in this stop */
    int barrier, fault;
};
/* Make the picture of a stop; if by_instruction is set, of one instruction, whose instant is
 * `stop`. The caller frees it with picture_free. */
void picture_make(struct step_session *s, size_t stop, int by_instruction, struct step_picture *p);
/* Call s->later now, if it is not NULL. */
void step_complete(struct step_session *s);
void picture_free(struct step_picture *p);
/* The array that contains this byte of shared memory; NULL: unknown. */
const struct step_variable *step_shared_at(const struct step_session *s, uint64_t offset);
/* Describe the access at an instant, which must not be to local memory. */
void step_access_at(const struct step_session *s, size_t instant, struct step_access *a);
/* The fault's message, with the parameters' names; NULL: there is none. The caller frees it. */
char *step_fault(const struct step_session *s);
/* The values of lanes in words: "16"; "0, 1, ... 31 (lane)"; "0 x16, 1 x16". known: mask of the
 * lanes that have a value. kind, bytes: as in struct step_type. */
void step_fold(enum step_kind kind, unsigned bytes, const uint64_t lane[WARP_SIZE], uint32_t known,
    char *out, size_t size);

/* ---- output ---- */

/* step_access_words: an access in words. drawing: its banks or sectors, with at most `room`
 * sectors; "" if there is nothing to draw. */
void step_access_words(
    const struct step_session *s, const struct step_access *a, char *out, size_t size);
void step_access_drawing(const struct step_access *a, int room, char *out, size_t size);
/* One warp of a race at its access to the word (race.c). The caller frees the picture with
 * picture_free. */
struct step_race_side {
    struct step_picture picture;
    char marks[WARP_SIZE + 1]; /* the character '^' below each lane that touches the word */
    /* who: such as "lane 5 writes it"; access: the whole access in words */
    char who[96], access[256];
};
void step_race_side(const struct step_session *s, int number, struct step_race_side *out);

/* Flags of step_screen. STEP_TILE: show an array in shared memory instead of variables; STEP_PTX:
 * show PTX beside the source; STEP_RACE: show the race, side by side, instead of the stop. */
enum { STEP_TILE = 1, STEP_PTX = 2, STEP_RACE = 4 };
/* Append a screen of this size; every line ends with a newline. colour: 1 uses escape sequences for
 * colours. */
void step_screen(struct step_session *s, size_t stop, int flags, int rows, int columns, int colour,
    struct buf *out);
/* Append a stop as text, for scripts. */
void step_text(struct step_session *s, size_t stop, struct buf *out);
/* Append both sides of the race as text; if there is no race, nothing is appended. */
void step_race_text(const struct step_session *s, struct buf *out);
/* Let the user step at the terminal until they quit. -1 with ERR_ENV: stdin or stdout is not a
 * terminal. */
int step_terminal(struct step_session *s, struct err *e);
/* Append the data of the HTML page (step_page) as JSON, with at most `most` stops (page.c lists the
 * keys), and a newline. */
void step_json(struct step_session *s, size_t most, struct buf *out);
/* Append an HTML page that needs no other file, with at most `most` stops. template: the text of
 * page.html. */
void step_page(struct step_session *s, const char *template, size_t most, struct buf *out);

#endif
