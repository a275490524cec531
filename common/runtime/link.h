/* link.h - link the PTX of several files to one text. Private to runtime/.
 *
 *     texts, sources ── link_ptx ──> text, and the names that had to be changed in a file */
#ifndef LOCKSTEP_RUNTIME_LINK_H
#define LOCKSTEP_RUNTIME_LINK_H

#include "base/base.h"

/* number n of a .file directive of input i becomes n + LINK_FILES * i */
enum { LINK_FILES = 1000 };

struct linked {
    char *text;
    struct renamed {
        int file;
        char *name;
    } * names;
    size_t count, cap;
};
/* sources: the files' names, for messages. On success, the caller frees l with link_free. -1 with
 * ERR_LEARNER: two files define one name. */
int link_ptx(const char *const *texts, const char *const *sources, int count, struct linked *l,
    struct err *e);
/* The name in the linked text of a symbol of a file. The caller frees it. */
char *link_name(const struct linked *l, int file, const char *symbol);
/* Was this name of a file changed in the linked text? */
int link_renames(const struct linked *l, int file, const char *name, size_t length);
void link_free(struct linked *l);

#endif
