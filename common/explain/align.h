/* align.h - private to explain/: which piece of a learner's kernel does what which piece of another
 * one does.
 *
 *     own     int r = blockIdx.y * 32 + threadIdx.y;   s[threadIdx.y][tx] = a[r * k + tx];
 *                 │                                    │
 *     other   int row = blockIdx.y * TILE + y;         a_tile[y][x] = a[row * k + t + x];
 *
 *     names   row is r, a_tile is s, x is tx, y is threadIdx.y, TILE is 32
 *     runs    "r * k" "t +" "tx": of the pieces that are paired, words that one of them has alone
 *
 * Pieces are paired by the words that they share. Names are paired by the pieces in which they
 * stand. Neither has to be right: what is made of them is tried. */
#ifndef LOCKSTEP_EXPLAIN_ALIGN_H
#define LOCKSTEP_EXPLAIN_ALIGN_H

#include "explain/code.h"

enum piece_kind {
    PIECE_VALUE,     /* the initializer of a variable */
    PIECE_STATEMENT, /* an expression that is a statement, without its semicolon */
    PIECE_CONDITION, /* of an if, for or while */
    PIECE_STEP,      /* of a for */
    PIECE_RETURN,    /* the returned expression */
    PIECE_CONSTANT,  /* the value of a #define or of a constant of the file */
    PIECE_SIZE,      /* the [...] of an array's declaration */
    PIECE_SUBSCRIPT, /* of a pointer; it lies in another piece */
    PIECE_LAUNCH     /* the arguments of the kernel's LAUNCH line after its name */
};
struct piece {
    enum piece_kind kind;
    int first, last; /* tokens */
    int statement;   /* -1: it lies outside of functions */
    int symbol;      /* the symbol that a value, a size or a subscript belongs to; else -1 */
    int pair;        /* the other file's piece, or the learner's; -1: none */
    int word, words; /* the first of its words, and how many */
};

/* A name with its axis (threadIdx.x), a number, or a punctuation mark. */
struct word {
    int first, last; /* tokens */
    int symbol;      /* the one that a name stands for; else -1 */
    char *means;     /* words with the same meaning have the same text */
};
struct side {
    const struct code *code;
    struct piece *pieces;
    struct word *words;
    size_t piece_count, piece_cap, word_count, word_cap;
};
struct align {
    struct side own, other;
    int *names;  /* the learner's symbol for each of the other file; -1: none */
    int *before; /* in the previous round: the pair of each of the learner's pieces */
};

/* Pair two files, whose kernel has that name in both. Both must outlive a. */
void align_read(
    struct align *a, const struct code *own, const struct code *other, const char *kernel);
void align_free(struct align *a);

/* Words that only one of two paired pieces has. Parentheses need not match in them. */
struct run {
    /* the learner's tokens; last < first: none, and the others belong before first */
    int first, last;
    int from, to; /* the other file's; to < from: none */
};
/* The runs of a piece of the learner's that has a pair, at most `most`. */
int align_runs(const struct align *a, const struct piece *own, struct run *out, int most);
/* Does a piece of the learner's have a pair with the same meaning, word by word? */
int align_equal(const struct align *a, const struct piece *own);
/* Tokens of the other file in the learner's names. by_value: use a name's value if the learner's
 * has another one. NULL: a name has no equivalent. The caller frees it. */
char *align_text(const struct align *a, int from, int to, int by_value);

#endif
