/* align.h - private to explain/: which expressions of a learner's kernel correspond to which of
 * another kernel, usually the solution.
 *
 *     own     int r = blockIdx.y * 32 + threadIdx.y;   s[threadIdx.y][tx] = a[r * k + tx];
 *                 │                                    │
 *     other   int row = blockIdx.y * TILE + y;         a_tile[y][x] = a[row * k + t + x];
 *
 *     names   row is r, a_tile is s, x is tx, y is threadIdx.y, TILE is 32
 *     runs    "r * k" "t +" "tx": tokens that only one of two paired expressions has
 *
 * A "piece" is an expression that is paired, a "word" is a token of it. Pieces are paired by
 * their common words, names by the pieces in which they stand. A wrong pair does no harm: each
 * edit that is made of pairs is tried before it is reported. */
#ifndef LOCKSTEP_EXPLAIN_ALIGN_H
#define LOCKSTEP_EXPLAIN_ALIGN_H

#include "explain/code.h"

enum piece_kind {
    PIECE_VALUE,     /* the initializer of a variable */
    PIECE_STATEMENT, /* an expression that is a statement, without its semicolon */
    PIECE_CONDITION, /* the condition of an if, for or while */
    PIECE_STEP,      /* the step i++ of a for */
    PIECE_RETURN,    /* the returned expression */
    PIECE_CONSTANT,  /* the value of a #define or of a constant of the file */
    PIECE_SIZE,      /* the [...] of an array's declaration */
    PIECE_SUBSCRIPT, /* an index of a pointer, p[...], which is a part of another piece */
    PIECE_LAUNCH     /* the arguments of the kernel's LAUNCH line that follow its name */
};
struct piece {
    enum piece_kind kind;
    int first, last; /* indices of the first and last token of the piece */
    int statement;   /* the statement that the piece belongs to; -1: it is outside of functions */
    int symbol; /* the symbol that an initializer, an array size or an index belongs to; else -1 */
    int pair;   /* index of the piece of the other file that this one is paired with; -1: none */
    /* index in side.words of the first word of the piece, and the number of its words */
    int word, words;
};

/* What pieces are compared by: a name, also with its axis (threadIdx.x), a number, or a
 * punctuator. */
struct word {
    int first, last; /* indices of the first and last token of the word */
    int symbol;      /* the symbol that a name refers to; else -1 */
    char *means;     /* a canonical text: equal for words with the same meaning */
};
struct side {
    const struct code *code;
    struct piece *pieces;
    struct word *words;
    size_t piece_count, piece_cap, word_count, word_cap;
};
struct align {
    struct side own, other;
    int *names; /* for each symbol of the other file: the learner's equivalent symbol; -1: none */
    /* for each piece of the learner's file: its pair in the previous round; -1: none */
    int *before;
};

/* Pair the pieces of two files that both define this kernel. The two codes must outlive a. */
void align_read(
    struct align *a, const struct code *own, const struct code *other, const char *kernel);
void align_free(struct align *a);

/* Adjacent tokens that only one of two paired pieces has; either range may be empty. Parentheses
 * in them need not match. */
struct run {
    /* the learner's tokens; if last < first there are none, and the other file's tokens belong
     * before first */
    int first, last;
    int from, to; /* the other file's tokens; if to < from there are none */
};
/* Compare a piece of the learner's file with its pair. Writes at most `most` runs and returns how
 * many. */
int align_runs(const struct align *a, const struct piece *own, struct run *out, int most);
/* Has a piece of the learner's file (own) a pair with the same meaning, word by word? */
int align_equal(const struct align *a, const struct piece *own);
/* The text of tokens from .. to of the other file, in the learner's names. NULL: a name has no
 * equivalent. The caller frees the text. */
char *align_text(const struct align *a, int from, int to);

#endif
