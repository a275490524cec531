/* record.h - what was measured on a GPU, kept as data: tests/hardware/records/GPU-WHAT.json.
 *
 *     {"command", "date", "machine": {"gpu", "driver", "cuda", ...}, "front_end", ARRAYS of rows}
 */
#ifndef LOCKSTEP_HARDWARE_RECORD_H
#define LOCKSTEP_HARDWARE_RECORD_H

#include "base/base.h"
#include "exercise/exercise.h"

#include <jansson.h>

/* A record without rows: the command, today's date, the machine as nvidia-smi names it. Call it
 * before a device is opened, since it starts a process. The caller owns the reference. */
json_t *record_new(const char *command, const char *front_end);
/* Read or write a file. The caller owns *out. */
int record_read(const char *file, json_t **out, struct err *e);
int record_write(const char *file, const json_t *record, struct err *e);
/* The path of a record of the kit; what: "ladder", "crosscheck", ... It is the record of the GPU
 * that the device simulates ("sim:h100") or, if there is none or device is NULL, of the H200. The
 * caller frees it. */
char *record_file(const struct kit *k, const char *device, const char *what);
/* Is the file a record of the GPU that the device simulates, not of the H200 in its place? */
int record_is_of(const char *file, const char *device);

/* A member of a row. If there is none: NAN, "", no dims. */
double record_number(const json_t *row, const char *key);
const char *record_text(const json_t *row, const char *key);
int record_dims(const json_t *row, int *dims); /* returns how many */

#endif
