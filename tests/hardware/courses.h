/* courses.h - forty kernels in the manner of courses, on which the modelled time and its limit are
 * judged.
 *
 * No rule of the model was fitted to them: they were measured before any rule was changed. Half of
 * them are set aside, to be looked at last: COURSES_ASIDE of them, drawn by rng_seed(COURSES_SEED).
 */
#ifndef LOCKSTEP_HARDWARE_COURSES_H
#define LOCKSTEP_HARDWARE_COURSES_H

#include "hardware/record.h"

enum { COURSES = 40, COURSES_ASIDE = 20, COURSES_SEED = 19 };

/* ncu's name of a metric that says how busy a unit was, in percent of its peak, and the part of the
 * modelled time that stands for this unit. */
enum { COURSES_UNITS = 16 };
extern const struct courses_unit {
    const char *name;
    enum model_part part;
} courses_units[COURSES_UNITS];

/* ncu's name of the registers of a thread, as the driver's assembler chose them. */
#define COURSES_REGISTERS "launch__registers_per_thread"

/* A row for each kernel: modelled and measured time, the limit by the model and by ncu, registers.
 * aside: 1: the kernels set aside; 0: the others. */
void courses_table(const json_t *record, int aside, struct buf *out);
/* The heading of summaries, and one of their rows: compiler, half, kernels, mean error of the time,
 * how many are within 15%, the worst, limits named rightly, registers within 15%. */
void courses_heading(struct buf *out);
void courses_summary(const json_t *record, int aside, struct buf *out);

#endif
