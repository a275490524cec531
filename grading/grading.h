/* grading.h - grade a class: many submissions, one gradebook.
 *
 *     submissions/ -- roster --> workers, one per core --> results/NAME.json --> gradebook.csv and others
 *     folders, archives             │        ^
 *                                   v        │ the same text, seed and device: judged once
 *                                 grade_labs (judge.h), each exercise in a process of its own */
#ifndef LOCKSTEP_GRADING_H
#define LOCKSTEP_GRADING_H

#include "grading/course.h"
#include "judge/judge.h"
#include "view/view.h"

/* ---- submissions (roster.c) ---- */

struct submission {
    char *name; /* name of the student in reports: unique, and safe as a file name: "lovelaceada" */
    char *base; /* the name before it was made unique */
    /* path of the folder, archive or single file; NULL: the student handed in nothing */
    char *path;
    /* for a single file, the student's name for it; NULL: path is a folder or an archive */
    char *file;
    struct submission *more; /* further files of the same student, as a list, the latest last */
    int is_archive;
    int late; /* 1: the submission is late, as its name says (Canvas) */
    char *id; /* the student's ID on Canvas or Moodle, from the name; or NULL */
    /* at: when it was handed in; at_text: the same, as the platform wrote it; 0, NULL: unknown */
    time_t at;
    char *at_text;
    int loose;   /* 1: it is a single file that no platform named */
    int attempt; /* 1: the name says that it is one of several attempts */
    /* set by roster_settle. person: the student in the course's roster, or NULL; other: further
     * attempts as a list, of which the best counts; attempts: how many there were; from: the member
     * of the group who handed in, NULL: the student */
    const struct person *person;
    struct submission *other;
    size_t attempts;
    char *from;
    int skip; /* 1: another student is graded alone, and this one's result stays */
    /* the error of the environment because of which the submission was not graded; NULL: none */
    char *stopped;
};
/* A student in the course's roster. Fields that the roster lacks are "". */
enum person_field {
    PERSON_NAME,
    PERSON_ID,
    PERSON_LOGIN,
    PERSON_EMAIL,
    PERSON_SECTION,
    PERSON_GROUP,
    PERSON_FIELDS
};
struct person {
    char *of[PERSON_FIELDS];
};
struct roster {
    struct submission *list; /* the submissions, sorted by name */
    size_t count;
    struct buf left_out; /* a line for each entry of the folder that is no submission */
    struct person *people;
    size_t people_count;
    /* roster_settle calls students by numbers that are drawn from this seed; 0: by their names. key: a
     * table of numbers and names, without a heading */
    uint64_t numbers;
    struct buf key;
};
/* Find the submissions in a folder: folders, archives and single files. -1: the folder cannot be
 * read, or has no submissions. */
int roster_read(struct roster *r, const char *directory, struct err *e);
void roster_free(struct roster *r);
/* A roster of the one submission at path: a folder, an archive or a single file of a class. -1: there
 * is none. */
int roster_read_one(struct roster *r, const char *path, struct err *e);
/* A name that is safe as a file name. The caller frees it. */
char *roster_safe_name(const char *name);

/* ---- people (people.c) ---- */

/* Read the course's roster, add the students who handed in nothing, let the hand-in of one member
 * of a group count for the whole group, choose between attempts, and find the student whom each
 * line of the course file is about. alone: r has one submission of a class; nobody is added, and
 * lines about other students are ignored. -1: a line is about nobody of the class, or it is not
 * clear which submission counts. */
int roster_settle(struct roster *r, struct course *c, int alone, struct err *e);
/* Skip all students except the one whom a name means, as in a course file, and those with the same
 * hand-in, which are of the same group. -1: the name means nobody, or several students. */
int roster_only(struct roster *r, const char *name, struct err *e);
void people_free(struct roster *r);
/* A person's field as a key of JSON: "email". The caller frees it. */
char *person_key(int field);
/* A copy of a submission without its further attempts. from: the name of the student who handed it
 * in for another one; NULL: the copy is for the same student. */
struct submission *submission_copy(const struct submission *s, const char *from);
/* Free what a submission owns, its further files and attempts. */
void attempt_free_fields(struct submission *s);

/* ---- choosing files (hand_in.c) ---- */

/* What was found out about a submission's files. Freed with taken_free. */
struct taken {
    /* one line per remark, for instructor and student: there is another version, the file is the
     * solution, ... */
    struct buf remarks;
    /* one line per file that was not read, and why; possible work comes first */
    struct buf left_out;
    /* why the submission could not be read completely: a damaged archive, a limit; NULL: it was
     * read completely */
    char *damage;
    int progress_lost; /* 1: a .progress file was handed in, but cannot be read */
    struct near { /* exercises for which no file was found, and which file may have been meant */
        const struct exercise *exercise;
        char *path;
    } * near;
    size_t near_count, near_cap, remark_count;
    struct left {
        char *line;
        int source;
    } * left; /* the entries of left_out */
    size_t left_count, left_cap;
};
/* Copy the exercises' files of a submission to an empty folder, in the layout of labs/; other files
 * are not copied. If there are several files for one exercise, the one below a folder labs/ is
 * taken, else the one with the fewest folders above it. Hidden folders and the kit's own
 * (solutions/, tests/, ...) are skipped, links are not followed. A file whose name is nearly that
 * of an exercise is taken if it can mean only one. k: to recognize the kit's solutions; NULL: they
 * are not recognized. -1: an error of the environment; errors of the submission are in t. */
struct class_options;
int submission_take(const struct submission *s, const struct class_options *o, const struct kit *k,
    const char *into, struct taken *t, struct err *e);
void taken_free(struct taken *t);
/* Is the lab graded? Yes if it is the lab of --lab or, without --lab, a lab of the course. */
int class_grades(const struct class_options *o, const struct lab *l);

/* ---- grading (worker.c, class.c, slurm.c) ---- */

struct class_options {
    const char *submissions, *results;
    /* device: also a list of GPUs, "cuda:0,cuda:1", over which workers spread; gpu: the one of a
     * worker, or NULL */
    const char *device, *gpu, *front, *lab;
    const char *course_file; /* path of the course file; NULL: none */
    const struct course *course;
    const char *sandbox; /* value of the option --sandbox, as of lockstep grade */
    /* canvas, moodle: paths of tables to be filled in, or NULL; the others: titles of their columns
     * (fill.c), or NULL */
    const char *canvas, *canvas_column, *moodle, *moodle_column;
    uint64_t seed;
    int lock;     /* the descriptor that class_lock returned */
    double limit; /* limit of processor seconds for one exercise */
    int jobs;     /* workers on this computer, or slices on Slurm; 0: a suitable number */
    /* path of the key if students are called by numbers; NULL: by their names */
    const char *anonymous;
    int unguessable; /* 1: pages are published under names that nobody can guess, too */
    int anew;        /* 1: exercises are judged again, though their results are kept */
    int slurm;       /* 1: the jobs of a cluster grade, instead of processes on this computer */
    /* for publish.c. yes: write without asking; preview: only show what would change */
    int yes, preview;
    /* messages reveal neither counts nor right predictions, as in struct session (judge.h) */
    int final;
    /* called after each exercise with the result so far; NULL: not called */
    void (*each)(void *context, json_t *result);
    void *each_context;
};

/* Grade one submission and write results/.next/NAME.json. Returns -1 with ERR_ENV after an error of
 * the environment. */
struct worker;
int worker_open(struct worker **w, const struct class_options *o, struct err *e);
int worker_grade(struct worker *w, const struct submission *s, struct err *e);
void worker_close(struct worker *w);

/* Lock the folder of results, so that a class is not graded twice at the same time. Returns a
 * descriptor, whose closing releases the lock; -1: the folder is locked already, or cannot be
 * locked. */
int class_lock(const char *results, struct err *e);
/* Grade all submissions, with a progress bar on a terminal. *failed: how many were not graded
 * because of an error of the environment; these are listed on stderr, and graded by the next
 * call. */
int class_grade(const struct class_options *o, struct roster *r, size_t *failed, struct err *e);
/* Print "[#####.....] 100 of 200, 3.1 a second, 0:32 left, 1 failed", if stderr is a terminal.
 * started: a time of clock_seconds. */
void class_bar(size_t done, size_t failed, size_t all, double started, int last);

/* Grade all submissions on a cluster, for class_grade; slurm_slice is one task of the job array,
 * given as "K/N/RUN". */
int slurm_grade(const struct class_options *o, struct roster *r, struct err *e);
int slurm_slice(
    const struct class_options *o, const struct roster *r, const char *slice, struct err *e);

/* Publish the new results. If existing points would change, first print a table of who gains and
 * loses; then ask the user, unless o->yes is set. *published: 0 if changes were only shown. -1:
 * nobody can be asked, or a file cannot be written. */
int publish(const struct class_options *o, const struct roster *r, int *published, struct err *e);

/* Add to a result what the course says (standing.c): points by weights, adjustments and excuses,
 * lateness, the score, and all of this in words, as "notes". student: whose result it is; attempt:
 * what was handed in, student itself or one of its further attempts. Each exercise also gets its
 * weight. */
void standing_put(const struct class_options *o, const struct submission *student,
    const struct submission *attempt, json_t *result, json_t *exercises);

/* An exercise as JSON: the members of json_result (view.h), the exercise's file, and the parts of
 * its points (parts.c). */
json_t *parts_result(const struct result *r);
/* The JSON of an exercise that has not been graded yet. */
json_t *parts_waiting(const struct lab *lab, const struct exercise *x);

/* Read the course file and combine it with options, which override it. seed: the option, or NULL.
 * The seed itself is left to the caller: *seed becomes the course's seed, if no option gave one. */
int class_settle(struct class_options *o, struct course *c, const char **seed, struct err *e);
/* The command "one": grade one submission (one.c). */
int command_one(int argc, char **argv, struct err *e);
/* The command "take": only copy a submission's files (take.c). */
int command_take(int argc, char **argv, struct err *e);

/* ---- output (gradebook.c, platforms.c, page.c) ---- */

/* Read a student's result from its file of at most RESULT_MOST bytes; NULL: it cannot be read. The
 * caller frees it. */
enum { RESULT_MOST = 1 << 26 };
json_t *result_load(const char *path);
/* A member of a result: its text or number; if it is missing, "" or 0. */
const char *result_text(const json_t *o, const char *key);
double result_number(const json_t *o, const char *key);
/* What the course says of a result, in words, with a text between the sentences. The caller frees
 * it. */
char *result_notes(const json_t *result, const char *between);
/* The points of an exercise with the instructor's adjustments, before its weight is applied. */
double result_got(const json_t *exercise);
/* Append a cell of a CSV, with quotes if needed, and so that no spreadsheet takes it for a formula. */
void result_cell(struct buf *out, const char *text);
/* Append text escaped for XML and HTML, for use in attributes, too. */
void result_escape(struct buf *out, const char *text);

/* A platform, and how to write a result as its own autograder would (platforms.c). The table of
 * platforms ends with name NULL. */
struct platform {
    const char *name;
    json_t *(*make)(const json_t *result, const json_t *exercises);
    size_t layout; /* flags for json_dumps */
};
extern const struct platform platforms[];
/* The text of a result in a platform's format, ending with a newline. The caller frees it. */
char *platform_text(const struct platform *p, const json_t *result);

/* Append what GitHub Actions reads on stdout, annotations and points, and append the summary of the job
 * and its outputs to the files that GITHUB_STEP_SUMMARY and GITHUB_OUTPUT name (github.c). -1: one
 * cannot be written. */
int github_put(struct buf *out, const json_t *result, struct err *e);

/* Write gradebook.csv, PLATFORM/NAME.json and junit.xml from results/NAME.json. */
int gradebook_write(const struct class_options *o, const struct roster *r, struct err *e);
/* Tables from Canvas and Moodle that are to be filled in. fill_open is called before grading; it
 * returns -1 with ERR_USAGE if a table does not fit the submissions. fill_write writes canvas.csv
 * and moodle.csv. */
struct fill;
int fill_open(
    struct fill **f, const struct class_options *o, const struct roster *r, struct err *e);
int fill_write(
    struct fill *f, const struct class_options *o, const struct roster *r, struct err *e);
void fill_close(struct fill *f);

/* Write index.html for the instructor and pages/NAME.html for each student (page.c). */
int pages_write(const struct class_options *o, const struct roster *r, struct err *e);
/* Write canvas-feedback.zip and moodle-feedback.zip from the pages (feedback.c). */
int feedback_write(const struct class_options *o, const struct roster *r, struct err *e);
/* Copy the pages to published/TOKEN.html, for a web server, and write published.csv, which says whose
 * each is (feedback.c). A student's token stays the same. */
int feedback_publish(const struct class_options *o, const struct roster *r, struct err *e);
/* Write similar/pairs.json, similar.html and similar/A--B.html: pairs of submissions that have
 * more in common than the given files explain (similar.c). */
int similar_write(const struct class_options *o, const struct roster *r, struct err *e);

#endif
