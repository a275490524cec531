/* subscript.h - private to explain/: split a subscript of a matrix in the learner's text
 * (subscript.c). */
#ifndef LOCKSTEP_EXPLAIN_SUBSCRIPT_H
#define LOCKSTEP_EXPLAIN_SUBSCRIPT_H

#include "judge/judge.h"

/* For each matrix of a problem: the names of the dimensions that are its number of rows and the
 * length of a row. */
struct matrix {
    const char *problem, *buffer, *rows, *length;
};
/* The row of the table of matrices for a buffer whose name has n characters; NULL: the buffer is
 * not a matrix. */
const struct matrix *subscript_matrix(const struct problem *p, const char *buffer, size_t n);

/* The parts of a subscript, as text: of "[(col + j) * rows + row]" the row "col + j", the length
 * of a row "rows", the column "row". */
struct subscript {
    char row[64], length[32], column[64];
};
/* Read the subscript that begins with the [ at `open`. Returns 1; 0 if the subscript is not of this
 * form. */
int subscript_read(const char *open, struct subscript *s);
/* Helpers for C text. text_is_word: can the character be part of a name? text_name: the length of a
 * name with its members (threadIdx.x), 0: none begins here. text_skip: the text after blanks.
 * text_closing: the bracket that closes the one at `at`, NULL: none. text_find: the next place,
 * from `from` on, where a word occurs in text, NULL: none. */
int text_is_word(char c);
size_t text_name(const char *at);
const char *text_skip(const char *at);
const char *text_closing(const char *at);
const char *text_find(const char *text, const char *from, const char *word);
/* Copy the text from .. end without the blanks around it, cut to `size` bytes including the NUL. */
void text_copy(char *to, size_t size, const char *from, const char *end);

#endif
