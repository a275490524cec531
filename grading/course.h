/* course.h - how a class is graded: a file that an instructor writes.
 *
 *     [course]
 *     labs = 02 04                       the labs that count; without it, all
 *     device = sim:h200                  like the options of the same name, which override it
 *     front = clang
 *     seed = 7
 *     speed = 1.2                        full points for speed up to this ratio to the reference's time
 *     due = 2026-11-30 23:59 +0100       without a zone: this computer's
 *     grace_minutes = 10
 *     late_percent_per_day = 10          of the points, for each day begun
 *     late_days_at_most = 5              after that: no points
 *     times = handed-in.csv              lines NAME,TIME; the path is relative to this file
 *
 *     [weights]
 *     02-coalesced = 1                   of a lab
 *     02-coalesced/stride = 2.5          or of one exercise of it
 *
 * Without times, a submission is late if Canvas marks its name so, and then by one day. */
#ifndef LOCKSTEP_GRADING_COURSE_H
#define LOCKSTEP_GRADING_COURSE_H

#include "exercise/exercise.h"

#include <time.h>

enum { COURSE_LABS_MAX = 32 };

struct course {
    /* labs of the course; ends at NULL; empty: all labs count */
    const struct lab *labs[COURSE_LABS_MAX + 1];
    char *device, *front, *seed; /* values of the keys with these names; NULL: not given */
    /* the largest ratio to the reference's time that earns full points for speed; 0: not given */
    double speed;
    time_t due; /* when submissions are due; 0: no due time */
    double grace_minutes, late_percent_per_day, late_days_at_most;
    struct course_weight {
        const struct lab *lab;
        /* the exercise that has this weight; NULL: all exercises of the lab */
        const struct exercise *exercise;
        double weight;
    } * weights;
    size_t weight_count, weight_cap;
    struct course_time {
        char *student;
        time_t at;
    } * times;
    size_t time_count, time_cap;
};

/* Read a course file; path NULL: an empty course. -1 with ERR_USAGE, which names file, line and
 * value. */
int course_read(struct course *c, const char *path, struct err *e);
void course_free(struct course *c);

/* course_has: does the lab count in this course? course_weight: the weight of an exercise's
 * points. */
int course_has(const struct course *c, const struct lab *lab);
double course_weight(const struct course *c, const struct lab *lab, const struct exercise *x);

/* How many days have begun after the due time, 0: the submission was in time. marked: the platform
 * says that it is late. */
double course_days_late(const struct course *c, const char *student, int marked);
/* The share of the points that is left after days_late, 0 to 1. */
double course_share(const struct course *c, double days_late);

#endif
