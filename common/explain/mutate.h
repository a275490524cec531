/* mutate.h - private to explain/: mistakes as rows, and what they make of a kernel.
 *
 *     mutations.def   ROW(1, "[$e1][$e2]", "[$e2][$e1]", "has its subscripts swapped")
 *     tile[x][y + j]  ──> tile[y + j][x], as two splices                         (mutate.c)
 *     @v, @t, ...     ──> one edit for each name, test, number that fits there   (mutate_names.c)
 *     what no pattern says                                                       (mutate_hooks.c) */
#ifndef LOCKSTEP_EXPLAIN_MUTATE_H
#define LOCKSTEP_EXPLAIN_MUTATE_H

#include "explain/repair.h"

/* Texts that can stand at a place. */
struct names {
    char **text;
    size_t count, cap;
};
/* The texts of a class (mutations.def, after @) that can stand at a token. is: the words that they
 * would replace. */
struct names names_at(const struct edits *l, char class, int token, const char *is);
void names_add(struct names *n, char *text); /* takes the text; frees a duplicate */
void names_free(struct names *n);

/* What a token is: an integer (variable, parameter, constant of the file), one of the three. */
int name_is_int(const struct code *c, int token);
int name_is_dim(const struct code *c, const char *name);
int name_is_constant(const char *name);
int name_is_whole(const struct code *c, int token); /* a number without a point or an exponent */

void mutate_hooks(struct edits *l);

#endif
