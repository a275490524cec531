/* grading.h - a class: many submissions, one gradebook.
 *
 *     submissions/ -- roster --> workers, one a core --> results/NAME.json --> gradebook.csv and others
 *     folders, archives             │        ^
 *                                   v        │ the same text, seed and device: judged once
 *                                 grade_labs (judge.h), each exercise in a process of its own
 */
#ifndef LOCKSTEP_GRADING_H
#define LOCKSTEP_GRADING_H

#include "grading/course.h"
#include "judge/judge.h"
#include "view/view.h"

/* ---- who handed in what (roster.c) ---- */

struct submission {
    char *name; /* unique, and safe as a file name: "lovelaceada" */
    char *path; /* of the folder, archive or single file */
    /* what the student called a single file; NULL: path is a folder or an archive */
    char *file;
    struct submission *more; /* other files of the same student: a list, most recent last */
    int is_archive;
    int late;      /* its name says so, as Canvas writes it */
    char *id;      /* the student's number on Canvas or Moodle, from the name; or NULL */
    char *stopped; /* why the machine could not grade it; NULL: it could */
};
struct roster {
    struct submission *list; /* by name */
    size_t count;
    struct buf left_out; /* a line for each entry that is no submission */
};
/* Read a folder of folders, archives and single files. -1: it cannot be read, or holds no
 * submission. */
int roster_read(struct roster *r, const char *directory, struct err *e);
void roster_free(struct roster *r);

/* ---- which of its files count (hand_in.c) ---- */

/* Remarks on a submission's files. taken_free frees it. */
struct taken {
    /* a line each, for the instructor and the student: another version, the solution */
    struct buf remarks;
    /* a line each: files that were not read, and why; those that may be work first */
    struct buf left_out;
    size_t not_read; /* the number of these files */
    /* why not all could be read: a damaged archive, a limit; NULL: all could */
    char *damage;
    int progress_lost; /* a .progress was handed in that cannot be read */
    struct near {      /* exercises without a file, and the file that may have been meant */
        const struct exercise *exercise;
        char *path;
    } * near;
    size_t near_count, near_cap, remark_count;
    struct left {
        char *line;
        int source;
    } * left; /* what left_out is made of */
    size_t left_count, left_cap;
};
/* Put the exercises' files of a submission, and nothing else of it, into an empty folder that is
 * laid out as labs/. Of several files for one exercise the one below labs/ is taken, else the one
 * that lies shallowest. None is taken from a hidden folder or one of the kit's own (solutions/,
 * tests/, ...). No link is followed. A name that is not quite an exercise's is read as what it
 * alone can mean. k: for files that are the kit's solutions; NULL: they are not looked for. -1: the
 * machine; what is wrong with the submission is in t. */
struct class_options;
int submission_take(const struct submission *s, const struct class_options *o, const struct kit *k,
    const char *into, struct taken *t, struct err *e);
void taken_free(struct taken *t);
/* Is the lab graded? --lab comes before the labs of the course. */
int class_grades(const struct class_options *o, const struct lab *l);

/* ---- grading (worker.c, class.c, slurm.c) ---- */

struct class_options {
    const char *submissions, *results;
    const char *device, *front, *lab;
    const char *course_file; /* or NULL */
    const struct course *course;
    const char *sandbox; /* as lockstep grade's */
    /* what is filled in (fill.c); or NULL */
    const char *canvas, *canvas_column, *moodle, *moodle_column;
    uint64_t seed;
    int lock;         /* from class_lock */
    double limit;     /* processor seconds of an exercise */
    int jobs;         /* workers here, or slices on Slurm; 0: as many as fit */
    int slurm;        /* jobs of a cluster grade, not processes of this computer */
    int yes, preview; /* publish.c: write without asking; show only */
    int final;        /* as in struct session (judge.h) */
    /* Called after each exercise with the result so far, if not NULL. */
    void (*each)(void *context, json_t *result);
    void *each_context;
};

/* Grade one submission and write results/.next/NAME.json. -1 with ERR_ENV: the machine failed. */
struct worker;
int worker_open(struct worker **w, const struct class_options *o, struct err *e);
int worker_grade(struct worker *w, const struct submission *s, struct err *e);
void worker_close(struct worker *w);

/* Lock the results: a second grading of the same class is refused. Returns a descriptor, which
 * holds the lock until it is closed; -1. */
int class_lock(const char *results, struct err *e);
/* Grade all, with a progress bar on a terminal. failed: how many ended by an error of the machine;
 * they are named on stderr, and the next call grades them again. */
int class_grade(const struct class_options *o, struct roster *r, size_t *failed, struct err *e);
/* "[#####.....] 100 of 200, 3.1 a second, 0:32 left, 1 failed", if stderr is a terminal. started:
 * in clock_seconds. */
void class_bar(size_t done, size_t failed, size_t all, double started, int last);

/* The same on a cluster, for class_grade; and one task of the cluster's, "K/N/RUN". */
int slurm_grade(const struct class_options *o, struct roster *r, struct err *e);
int slurm_slice(
    const struct class_options *o, const struct roster *r, const char *slice, struct err *e);

/* Publish the new results. If points in existing results change, first print a table of who gains
 * and loses; then ask a person, unless o->yes. published: 0 if they were only shown. -1: nobody can
 * be asked, or the disk. */
int publish(const struct class_options *o, const struct roster *r, int *published, struct err *e);

/* One exercise as JSON: the members of json_result (view.h), its file, and the parts of its points
 * (parts.c). */
json_t *parts_result(const struct result *r);
/* One exercise that is not graded yet. */
json_t *parts_waiting(const struct lab *lab, const struct exercise *x);

/* The command "one": a submission for a platform (one.c). */
int command_one(int argc, char **argv, struct err *e);
/* The command "take": its files alone (take.c). */
int command_take(int argc, char **argv, struct err *e);

/* ---- what comes out (gradebook.c, platforms.c, page.c) ---- */

/* A student's result from its file; NULL: there is none that can be read. The caller frees it. */
enum { RESULT_MOST = 1 << 26 };
json_t *result_load(const char *path);
/* A member of a result: "" and 0 if it is not there. */
const char *result_text(const json_t *o, const char *key);
double result_number(const json_t *o, const char *key);
/* Append text for XML and HTML, in an attribute or outside. */
void result_escape(struct buf *out, const char *text);

/* What a platform's own autograder would write (platforms.c). The table ends at name NULL. */
struct platform {
    const char *name;
    json_t *(*make)(const json_t *result, const json_t *exercises);
    size_t layout; /* flags for json_dumps */
};
extern const struct platform platforms[];
/* The text of one result, with a newline at its end. The caller frees it. */
char *platform_text(const struct platform *p, const json_t *result);

/* Write gradebook.csv, PLATFORM/NAME.json and junit.xml from results/NAME.json. */
int gradebook_write(const struct class_options *o, const struct roster *r, struct err *e);
/* Tables that were downloaded from Canvas and Moodle, and are to be filled in. fill_open, before
 * anything is graded: -1 with ERR_USAGE if a table does not fit the submissions. fill_write:
 * canvas.csv, moodle.csv. */
struct fill;
int fill_open(
    struct fill **f, const struct class_options *o, const struct roster *r, struct err *e);
int fill_write(
    struct fill *f, const struct class_options *o, const struct roster *r, struct err *e);
void fill_close(struct fill *f);

/* Write index.html for the instructor and pages/NAME.html for each student (page.c). */
int pages_write(const struct class_options *o, const struct roster *r, struct err *e);
/* Write similar/pairs.json, similar.html and similar/A--B.html: pairs that share more than was
 * given explains (similar.c). */
int similar_write(const struct class_options *o, const struct roster *r, struct err *e);

#endif
