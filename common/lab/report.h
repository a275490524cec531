/* report.h - results as text and as JSON. */
#ifndef LOCKSTEP_LAB_REPORT_H
#define LOCKSTEP_LAB_REPORT_H

#include "lab/grade.h"

#include <jansson.h>

/* One exercise of a grading, a line and its reasons: appended. */
void report_result(struct buf *out, const struct result *r);
/* The last line of a grading. */
void report_total(struct buf *out, const struct session *s, double score, int max_score);

/* JSON (json.c): the objects of {"score","max_score","device","front_end","seed","exercises":[...]}. What was not taken
 * or counted is left out, never 0. The caller owns the result. */
json_t *json_result(const struct result *r);
/* Steals exercises. The result ends with a newline; the caller frees it. */
char *json_report(const struct session *s, double score, int max_score, json_t *exercises);

const char *time_kind_name(enum time_kind k); /* "modelled", "measured"; NULL for none */

#endif
