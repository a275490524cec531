/* transfer.h - what it takes to bring data to a GPU, run a kernel over it and bring the result back (transfer.c).
 *
 *     host memory ──[ copy in ]──> device memory ──[ kernel ]──> device memory ──[ copy out ]──> host memory
 *
 * Three engines that can work at the same time, each on another piece of the data, if the pieces are in different streams.
 */
#ifndef LOCKSTEP_MODEL_TRANSFER_H
#define LOCKSTEP_MODEL_TRANSFER_H

#include "model/model.h"

struct model_transfer {
    size_t bytes;          /* in all, each way */
    int pinned;            /* host memory that stays where it is; else pageable */
    int in, kernel, out;   /* what is done: copy in, run a kernel that reads and writes each byte, copy out */
    int pieces, streams;   /* pieces of bytes / pieces; piece i is in stream i % streams; both at least 1 */
};

struct model_link {
    const char *name;      /* of the profile */
    double gbps;           /* pinned memory, each way, as copies reach it */
    double pageable_gbps;  /* pageable memory: through a buffer of the driver's */
    double copy_us;        /* that any copy takes besides */
};
/* The way between host and GPU; NULL for a profile that has none. */
const struct model_link *model_link_find(const struct model_profile *p);

/* Milliseconds until all is done. 0 when the profile has no link. */
double model_transfer_ms(const struct model_profile *p, const struct model_transfer *t);

#endif
