/* unrolled.h - the record of registers of unrolled kernels, and its tables. */
#ifndef LOCKSTEP_HARDWARE_UNROLLED_H
#define LOCKSTEP_HARDWARE_UNROLLED_H

#include "hardware/record.h"

/* The path of the record by a compiler: "clang" or "nvcc". The caller frees it. */
char *unrolled_record(const struct kit *k, const char *kind);
/* The heading of summaries, and one of their rows. */
void unrolled_heading(struct buf *out);
void unrolled_summary(const json_t *record, int aside, struct buf *out);

#endif
