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
 *     late_days_free = 3                 days of lateness that cost nothing, over all hand-ins of a term
 *     late_days = ../lab04/late-days.csv lines NAME,DAYS used before, as an earlier grading wrote them
 *     attempts = last                    or best: which one counts if a student handed in several times
 *     roster = students.csv              a table of the students: name, id, login, e-mail, section, group
 *     times = handed-in.csv              lines NAME,TIME; paths are relative to this file
 *
 *     [weights]
 *     02-coalesced = 1                   the weight of a lab
 *     02-coalesced/stride = 2.5          or of one of its exercises
 *
 *     [extensions]                       ada = 2026-12-05 23:59 +0100
 *     [late_days_used]                   ada = 2
 *     [adjust]                           ada 02-coalesced/stride = +2 ; why
 *     [excused]                          ada 02-coalesced ; why
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
    char *roster; /* path of the list of students; NULL: none */
    enum { ATTEMPTS_NOT_SAID, ATTEMPTS_LAST, ATTEMPTS_BEST } attempts;
    time_t due;     /* when submissions are due; 0: no due time */
    char *due_text; /* the same, as it is written in the file */
    double grace_minutes, late_percent_per_day, late_days_at_most, late_days_free;
    struct course_weight {
        const struct lab *lab;
        /* the exercise that has this weight; NULL: all exercises of the lab */
        const struct exercise *exercise;
        double weight;
    } * weights;
    size_t weight_count, weight_cap;
    struct course_line *lines; /* what is said about single students */
    size_t line_count, line_cap;
};

struct submission;
enum course_about { ABOUT_TIME, ABOUT_EXTENSION, ABOUT_USED, ABOUT_ADJUSTMENT, ABOUT_EXCUSE };
struct course_line {
    enum course_about about;
    char *key;  /* the student, and for an adjustment or excuse what it concerns */
    char *text; /* the value as it is written, or the reason of an adjustment or excuse */
    char *path; /* file and line, for errors */
    int line;
    time_t at;     /* the moment, if the line gives a time or an extension */
    double number; /* days used, or points */
    int carried; /* 1: the line is from late_days, and may name somebody who is not in this class */
    /* found by roster_settle (people.c): whose line it is, and which exercises it concerns; exercise
     * NULL: all of the lab; lab NULL: the whole submission */
    const struct submission *who;
    const struct lab *lab;
    const struct exercise *exercise;
};

/* Parse "2026-11-30 23:59[:59] [+0100]", or with T in place of the first blank. -1 with ERR_USAGE. */
int course_moment(const char *value, time_t *out, struct err *e);
/* Read a course file; path NULL: an empty course. -1 with ERR_USAGE, which names file, line and
 * value. */
int course_read(struct course *c, const char *path, struct err *e);
void course_free(struct course *c);

/* course_has: does the lab count in this course? course_weight: the weight of an exercise's
 * points. */
int course_has(const struct course *c, const struct lab *lab);
double course_weight(const struct course *c, const struct lab *lab, const struct exercise *x);

/* The share of the points that is left after days_late that are not free, 0 to 1. */
double course_share(const struct course *c, double days_late);

#endif
