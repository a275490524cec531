/* page.h - private to view/: the parts of a profile's page, each of which appends HTML.
 *
 *     page.c: head, one section per launch ──> page_source.c   lines, PTX, two sources side by side
 *                                          ──> page_time.c     memory chart, time, parts
 *                                          ──> page_roofline.c */
#ifndef LOCKSTEP_VIEW_PAGE_H
#define LOCKSTEP_VIEW_PAGE_H

#include "view/profile.h"

/* Append text with HTML's special characters escaped. Every string that comes from the kernel's
 * file must be appended in this way. */
void page_escaped(struct buf *out, const char *text, int length);
void page_words(struct buf *out, const char *text);

/* Append the source with its counters and PTX. Ids in the page begin with the number of the launch:
 * k0-line21, k0-map21. */
void page_source(
    struct buf *out, const struct profile *p, int launch, const struct advice *a, int advices);
void page_change(struct buf *out, const struct profile *p);
void page_memory(struct buf *out, const struct profile *p);
void page_time(struct buf *out, const struct profile *p);
void page_roofline(struct buf *out, const struct profile *p);

#endif
