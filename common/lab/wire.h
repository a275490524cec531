/* wire.h - a result, from the process that found it to the one that reports it. */
#ifndef LOCKSTEP_LAB_WIRE_H
#define LOCKSTEP_LAB_WIRE_H

#include "lab/grade.h"

/* Append r, without its steps' lines, to out. */
void wire_put_result(struct buf *out, const struct result *r);
/* Fill in the rest of r, whose lab and exercise are set already. -1 with ERR_ENV when the bytes are no result of it; r is
 * to be freed all the same. */
int wire_get_result(const struct buf *in, struct result *r, struct err *e);

/* The same for a measurement. */
void wire_put_measurement(struct buf *out, const struct measurement *m);
int wire_get_measurement(const struct buf *in, struct measurement *m, struct err *e);

#endif
