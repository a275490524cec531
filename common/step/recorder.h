/* recorder.h - private to step/: the content of a recording, for record.c, state.c and race.c. */
#ifndef LOCKSTEP_STEP_RECORDER_H
#define LOCKSTEP_STEP_RECORDER_H

#include "step/step.h"

/* A write to shared memory by any warp of the block. The write is visible from instant `at` on. */
struct shared_write {
    size_t at;
    uint32_t mask;
    uint16_t bytes;
    int16_t warp;
    int32_t line;
    size_t data; /* offset in the store: the addresses are there, followed by the bytes written */
};

/* A saved state at an instant, from which the states at later instants are computed. */
struct checkpoint {
    /* instant: that of the state; write: how many of the writes in r->writes are included */
    size_t instant, write;
    struct step_counters so_far;
    unsigned char *bytes; /* a copy of all arrays of the saved state */
};

struct recording {
    struct watch watch;
    struct device *device;
    int warp;
    size_t limit;
    int cut, fault_warp;
    struct watch_clash clash; /* the two accesses of a race, if the fault is a race */
    uint32_t exist;
    char *fault;
    struct instant *instants;
    size_t count, cap;
    unsigned char *store;
    size_t store_count, store_cap;
    struct shared_write *writes;
    size_t write_count, write_cap;
    size_t *stops, stop_count, stop_cap;
    char **names;
    size_t name_count, name_cap;
    struct named_region {
        uint64_t start;
        int name;
    } * regions;
    size_t region_count, region_cap;
    size_t shared_bytes, local_bytes;
    int reg_count;
    /* the state that state.c computes */
    struct step_state state;
    unsigned char *state_bytes;
    size_t state_size, state_write;
    struct checkpoint *checkpoints;
    size_t checkpoint_count, checkpoint_cap;
};

/* Read one number per lane at an offset of the store. Returns the offset of the next numbers. */
size_t fetch_lanes(const struct recording *r, size_t at, uint64_t lane[WARP_SIZE]);
/* The lanes of `lanes` whose access at instant k touches this byte of shared memory. */
uint32_t record_touches(const struct recording *r, size_t k, uint64_t addr, uint32_t lanes);
/* The offset in the store of the values of an instant. */
size_t skip_to_values(const struct recording *r, const struct instant *i);
void state_free(struct recording *r);

#endif
