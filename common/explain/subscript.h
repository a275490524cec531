/* subscript.h - private to explain/: an index of a matrix in the learner's text (subscript.c). */
#ifndef LOCKSTEP_EXPLAIN_SUBSCRIPT_H
#define LOCKSTEP_EXPLAIN_SUBSCRIPT_H

#include "judge/judge.h"

/* The matrices of each problem: which dimension says how many rows, and how many elements a row
 * has. */
struct matrix {
    const char *problem, *buffer, *rows, *length;
};
/* NULL: the buffer is not a matrix. n: characters of its name. */
const struct matrix *subscript_matrix(const struct problem *p, const char *buffer, size_t n);

/* "[(col + j) * rows + row]": row "col + j", length "rows", column "row". */
struct subscript {
    char row[64], length[32], column[64];
};
/* open: its [. Returns 1, or 0: it is not of this form. */
int subscript_read(const char *open, struct subscript *s);
/* Text: is it part of a name; the length of a name with its members (threadIdx.x), 0: none; the
 * text after blanks; the bracket that closes the one at at, NULL: none; the next place of a word,
 * NULL: none. */
int text_is_word(char c);
size_t text_name(const char *at);
const char *text_skip(const char *at);
const char *text_closing(const char *at);
const char *text_find(const char *text, const char *from, const char *word);
/* Copy without the blanks around it, cut to size. */
void text_copy(char *to, size_t size, const char *from, const char *end);

#endif
