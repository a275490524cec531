/* page.h - private to grading/: the parts of the HTML pages. */
#ifndef LOCKSTEP_GRADING_PAGE_H
#define LOCKSTEP_GRADING_PAGE_H

#include "grading/grading.h"

/* The results of all submissions that have one. */
struct graded {
    json_t **results;
    size_t count;
};

/* page_head: append the beginning of a page, up to its first heading. page_end: append the end of a
 * page. */
void page_head(struct buf *out, const char *title);
void page_end(struct buf *out);
/* Begin a table that may be wider than the page; the table then scrolls by itself, also by
 * keyboard. */
void page_table(struct buf *out, const char *label, const char *class);
void page_table_end(struct buf *out);
/* Append a link's address: every byte except letters, digits and -._ as %XX. */
void page_address(struct buf *out, const char *name);
/* Append a link to a student's page. */
void page_student_link(struct buf *out, const char *student);

/* Append the page of a student (student.c). */
void student_page(struct buf *out, const json_t *result);

/* Sections of the instructor's page (overview.c, mistakes.c, unlike.c). There is at least one result. */
void overview_points(struct buf *out, const struct graded *g);
void overview_exercises(struct buf *out, const struct graded *g);
void overview_parts(struct buf *out, const struct graded *g);
void overview_times(struct buf *out, const struct graded *g);
void overview_students(struct buf *out, const struct graded *g);
void overview_unlike(struct buf *out, const struct graded *g);
void mistakes(struct buf *out, const struct graded *g);

#endif
