/* mutate.h - private to explain/: edits of a kernel by the rows of mutations.def.
 *
 *     mutations.def   ROW(1, "[$e1][$e2]", "[$e2][$e1]", "has its subscripts swapped")
 *     tile[x][y + j]  ──> tile[y + j][x], as two splices                         (mutate.c)
 *     @v, @t, ...     ──> one edit for each name, test, number that fits there   (mutate_names.c)
 *     row and col exchanged in all of a statement                                (mutate_swap.c) */
#ifndef LOCKSTEP_EXPLAIN_MUTATE_H
#define LOCKSTEP_EXPLAIN_MUTATE_H

#include "explain/repair.h"

/* Texts that can be put in one place of a kernel. */
struct names {
    char **text;
    size_t count, cap;
};
/* The texts of a class (after @ in mutations.def) that can be put at a token. is: the text that is
 * at the token now, which they would replace. */
struct names names_at(const struct edits *l, char class, int token, const char *is);
void names_free(struct names *n);

/* name_is_int: is the token an integer variable, parameter or constant of the file? name_is_dim: is
 * the name that of an integer parameter of the kernel? name_is_constant: does the name begin with a
 * capital letter, as constants do? */
int name_is_int(const struct code *c, int token);
int name_is_dim(const struct code *c, const char *name);
int name_is_constant(const char *name);
/* is the token a number without a point or an exponent? */
int name_is_whole(const struct code *c, int token);

/* Add edits that exchange two variables of a statement or a test, two dimensions, or both. */
void mutate_swaps(struct edits *l);

#endif
