/* link.h - the PTX of several files becomes one text. Private to the room.
 *
 *     texts, sources ── link_ptx ──> text, and the names that had to change in a file
 */
#ifndef LOCKSTEP_RUNTIME_LINK_H
#define LOCKSTEP_RUNTIME_LINK_H

#include "base/base.h"

enum { LINK_FILES = 1000 }; /* file n of text i is file n + LINK_FILES * i of the whole */

struct linked {
    char *text;
    struct renamed {
        int file;
        char *name;
    } * names;
    size_t count, cap;
};
/* sources: the files' names, for messages. The caller frees l with link_free if this succeeds. -1
 * with ERR_LEARNER: two texts define one name. */
int link_ptx(const char *const *texts, const char *const *sources, int count, struct linked *l,
    struct err *e);
/* What a symbol of a text is called in the whole. The caller frees it. */
char *link_name(const struct linked *l, int file, const char *symbol);
/* Does the name change? */
int link_renames(const struct linked *l, int file, const char *name, size_t length);
void link_free(struct linked *l);

#endif
