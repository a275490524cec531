/* tails.h - shared between tails.c and regions.c: a group of branches whose lanes meet at its join, and the tails on their ways there. */
#ifndef LOCKSTEP_PTX_TAILS_H
#define LOCKSTEP_PTX_TAILS_H

#include "ptx/graph.h"

struct search {
    struct graph g;
    unsigned *weight;        /* by block (weights.c) */
    char *parting;           /* by block: its branch parts the lanes */
    int *first;              /* by a join: the first branch of its group, or -1 */
    int *tail_from, *tail_join; /* of a tail that has been chosen: where its region begins, or -1; where its group meets */
    /* the group that is looked at */
    int top, join;           /* its first branch; the block where its lanes meet, or n, the exit */
    int left;                /* the outermost loop that holds top and not the join: its first block, or -1 */
    int closed, made;        /* a region and its tail: only what the one dominates and does not lead to the other is looked at; or -1 */
    int end;                 /* all blocks between them stand in sorted before it */
    char *in, *gone;         /* by block: on a way from top to join; no tail any more */
    char *late;              /* by block: a tail that can have no region any more, but has its turn */
    char *whole;             /* all that it dominates is one tail */
    int *part;               /* by block: the tail's first block that it is part of, or one nearer to it */
    unsigned *cost;          /* by a tail's first block */
};

/* Look at the group from top to join: each block on a way is a tail of its own. s->left is set. */
void tails_begin(struct search *s, int top, int join);
/* The costliest tail that several ways lead to, or -1. What a single way leads to becomes part of the tail before it. */
int tails_costliest(struct search *s);
/* Do all lanes that its dominator parts come to tail b? */
int tails_is_own_join(const struct search *s, int b);
/* All that block a dominates is part of its tail. */
void tails_take_all(struct search *s, int a);
/* The same, whatever it leads to; what it leaves to is no tail any more. */
void tails_make_whole(struct search *s, int a);
/* Tail best has a region from block a. What that leads to besides, or has in it that leads to best, can have none any more. */
void tails_come_late(struct search *s, int a, int best);
/* Has a costlier late tail that lanes at tail b's dominator come to had its turn before? */
int tails_is_outdone(const struct search *s, int b);
/* How many tails lead into tail b: 0, 1, or 2 for more; the first of them. */
int tails_ways_in(const struct search *s, int b, int *first);
/* Where lanes that come to a tail meet: before its first block that has much to do, with what follows it, or whose branch parts them
 * within the tail. Before that some may leave for the join. -1: there is none. */
int tails_much_to_do(const struct search *s, int tail, int join);

#endif
