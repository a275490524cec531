/* regions.c - where lanes of a branch meet before all of them do.
 *
 *          b0: if (p           ptxas marks regions (b0: BSSY b3, b3: BSYNC) at whose end lanes wait for the others that
 *         /  \                 came through their beginning. All lanes of b0 meet at b3, its immediate post-dominator;
 *        |   b1: || q)         a region b0 .. b2 lets those that come to b2 be together there, too: b1's lanes that go to
 *        |  /  \               b3 instead leave it (BREAK).
 *        b2     |
 *         \    /
 *          b3
 *
 * What ptxas 13.0 does for sm_90 with its optimiser off was found by giving it small graphs, some thousands by chance and some hundreds
 * drawn up, and by reading its regions in the machine code. Of 1000 such graphs without loops one is told otherwise
 * here, of 800 with loops 102. Some are kept: tests/test_regions.c.
 *
 * - The branches whose lanes all meet at one block, their join, are one group, and its region begins where the group's first branch
 *   stands. Where the join waits at a barrier after little work, lanes meet at the barrier alone: no region is made; nor where
 *   something else leads into the group's ways.
 * - Looking back from the join: a tail is what leads to the join only and is entered at one block. A tail that a single way leads to is
 *   part of the one before it. Of the others the costliest (weights.c; of two alike the last in the code) gets a region, from its dominator
 *   to its first block; if one branch between them parts lanes (varying.c) that come there on two ways, and one more lets some not come.
 *   Did that region begin at the group's first branch, the rest is closed: only what does not lead to that tail is looked at further. Else
 *   all that its dominator dominates becomes one tail; what that leaves to is no tail any more; and so on.
 * - Within such a region those that leave it are not waited for. Where all others of a branch meet then, they do, if that branch stands
 *   on every way there.
 * - Lanes leave a loop in different turns. Of a group that leaves a loop a next turn leads to the join. What a loop's last block alone
 *   leaves to is a tail that several ways lead to, and its region begins before the loop; what its first block alone leaves to is one, too,
 *   but as any other tail behind the loop that begins within it, it gets none, and with the costliest such all is done, unless the last
 *   block leads there as well. No region is made around a loop that lanes leave for elsewhere. */
#include "ptx/cfg.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct ptx_program *p;
    const int *sorted;
    int n, *dom;
    int *pre, *size;         /* in the tree of dominators: its number there, and how many blocks it dominates, itself among them */
    int *loop;               /* of each block: the first block of the innermost loop that it is in, or -1 */
    int *around;             /* of a loop's first block: that of the loop around it, or -1 */
    int *turn, *turns;       /* in the tree of loops: as pre and size */
    char *back;              /* by block: all that it leads to is another turn of a loop */
    int *pred_start, *pred;  /* going forward: pred[pred_start[b] .. pred_start[b + 1]) */
    unsigned *weight;
    int left;                /* the outermost loop that holds top and not the join: its first block, or -1 */
    int top, join;           /* the group's first branch; the block where its lanes meet, or n, the exit */
    int closed;              /* top has its region: see only_to_join */
    char *parting;           /* by block: its branch parts the lanes */
    int *first;              /* by a join: the first branch of its group, or -1 */
    int end;                 /* all blocks between them stand in sorted before it */
    char *in, *gone;         /* by block: on a way from top to join; no tail any more */
    char *whole;             /* all that it dominates is one tail */
    int *part;               /* by block: the tail's first block that it is part of, or one nearer to it */
    unsigned *cost;          /* by a tail's first block */
};

/* ---- the graph ---- */

/* Where control goes from b going forward, but for blocks that only jump back; the exit is n. */
static int ahead_of(const struct search *s, int b, int to[2])
{
    int all[2], k = 0, n = cfg_successors(s->p, b, all);
    for (int i = 0; i < n; i++)
        if (all[i] == s->n || (s->p->blocks[all[i]].order > s->p->blocks[b].order && !s->back[all[i]]))
            to[k++] = all[i];
    return k;
}

/* Is block b in the loop that starts at l, or in one within it? l -1: any block is. */
static int in_loop(const struct search *s, int b, int l)
{
    return l < 0 || (s->turn[b] >= s->turn[l] && s->turn[b] < s->turn[l] + s->turns[l]);
}

/* Is a block's branch, or jump, to another? */
static int jumps_to(const struct search *s, int b, int to_block)
{
    int to[2];
    for (int k = cfg_successors(s->p, b, to); k-- > 0;)
        if (to[k] == to_block)
            return 1;
    return 0;
}

/* The same in a group: where its lanes leave a loop on their way to the join, the loop's next turn leads there as well. */
static int leads_of(const struct search *s, int b, int to[2])
{
    int all[2], k = 0, n = cfg_successors(s->p, b, all);
    for (int i = 0; i < n; i++) {
        int turns = all[i] < s->n && s->p->blocks[all[i]].order <= s->p->blocks[b].order;
        if (turns && s->left >= 0 && in_loop(s, s->top, all[i]) && in_loop(s, all[i], s->left))
            all[i] = s->join;
        else if (turns || (all[i] < s->n && s->back[all[i]] && !s->in[all[i]]))
            continue;
        to[k++] = all[i];
    }
    if (k == 2 && to[0] == to[1])
        k = 1;
    return k;
}

static void find_back(struct search *s)
{
    int to[2];
    for (int i = s->n; i-- > 0 && s->sorted[i] >= 0;)
        s->back[s->sorted[i]] = !ahead_of(s, s->sorted[i], to);
}

/* Where control goes from b going forward. */
static int forward_of(const struct search *s, int b, int to[2])
{
    int all[2], k = 0, n = cfg_successors(s->p, b, all);
    for (int i = 0; i < n; i++)
        if (all[i] == s->n || s->p->blocks[all[i]].order > s->p->blocks[b].order)
            to[k++] = all[i];
    return k;
}

static void find_predecessors(struct search *s)
{
    int to[2];
    for (int b = 0; b < s->n; b++)
        for (int k = s->p->blocks[b].order < 0 ? 0 : forward_of(s, b, to); k-- > 0;)
            if (to[k] < s->n)
                s->pred_start[to[k] + 2]++;
    for (int b = 0; b <= s->n; b++)
        s->pred_start[b + 1] += s->pred_start[b];
    for (int b = 0; b < s->n; b++)
        for (int k = s->p->blocks[b].order < 0 ? 0 : forward_of(s, b, to); k-- > 0;)
            if (to[k] < s->n)
                s->pred[s->pred_start[to[k] + 1]++] = b;
}

/* Number a forest's blocks so that those of a tree follow its root; above: of each block the one above it, sorted before it, or -1. */
static void number_trees(const struct search *s, const int *above, int *pre, int *size)
{
    int *next = xcalloc((size_t)s->n + 1, sizeof *next); /* by block, -1 last: the number of the next block under it */
    for (int i = s->n; i-- > 0 && s->sorted[i] >= 0;) {
        int b = s->sorted[i];
        size[b]++;
        if (above[b] >= 0)
            size[above[b]] += size[b];
    }
    for (int i = 0; i < s->n; i++) {
        int b = s->sorted[i], under = b < 0 || above[b] < 0 ? s->n : above[b];
        if (b < 0)
            continue;
        pre[b] = next[under];
        next[under] += size[b];
        next[b] = pre[b] + 1;
    }
    free(next);
}

static int dominates(const struct search *s, int a, int b)
{
    return s->pre[b] >= s->pre[a] && s->pre[b] < s->pre[a] + s->size[a];
}

/* The blocks that jump back to first, which is on every way to them; returns how many. */
static int jumps_back(const struct search *s, int first, int *from)
{
    int to[2], n = 0;
    for (int b = 0; b < s->n; b++)
        for (int k = s->p->blocks[b].order < s->p->blocks[first].order ? 0 : cfg_successors(s->p, b, to); k-- > 0;)
            if (to[k] == first && dominates(s, first, b))
                from[n++] = b;
    return n;
}

/* A loop is what its first block dominates and what leads to a jump back there. Later first blocks are of inner loops. */
static void find_loops(struct search *s)
{
    int *from = xcalloc(2 * (size_t)s->n + 1, sizeof *from);
    for (int b = 0; b < s->n; b++)
        s->loop[b] = s->around[b] = -1;
    for (int i = 0; i < s->n; i++) {
        int first = s->sorted[i], jumps = first < 0 ? 0 : jumps_back(s, first, from);
        if (!jumps)
            continue;
        s->around[first] = s->loop[first];
        for (int k = i; k < s->n; k++)
            for (int j = 0, b = s->sorted[k]; j < jumps; j++)
                if ((b == from[j] || ptx_leads(s->p, b, from[j])) && dominates(s, first, b))
                    s->loop[b] = first;
    }
    for (int b = 0; b < s->n; b++)
        from[b] = s->loop[b] == b ? s->around[b] : s->loop[b];
    number_trees(s, from, s->turn, s->turns);
    free(from);
}

/* ---- tails ---- */

/* What a block adds to its tail's cost: loops in it count for nothing. */
static unsigned own_cost(const struct search *s, int b)
{
    return s->loop[b] < 0 || in_loop(s, s->top, s->loop[b]) ? s->weight[b] : 0;
}

static int tail_of(const struct search *s, int b)
{
    while (s->part[b] != b)
        b = s->part[b];
    return b;
}

/* Does all that leaves tail b lead to the join? */
static int leads_to_join(const struct search *s, int b)
{
    int to[2];
    if (s->whole[b])
        return 1;
    for (int k = leads_of(s, b, to); k-- > 0;)
        if (to[k] != s->join && (to[k] == s->n || !(s->gone[to[k]] || (s->in[to[k]] && tail_of(s, to[k]) == b))))
            return 0;
    return 1;
}

/* How many blocks lead into tail b: 0, 1, or 2 for more; the first of them. */
static int ways_in(const struct search *s, int b, int *first)
{
    int n = 0;
    for (int i = s->pred_start[b]; i < s->pred_start[b + 1] && n < 2; i++) {
        int from = s->pred[i];
        if (!s->in[from] || tail_of(s, from) == b || (n && from == *first))
            continue;
        *first = n++ ? *first : from;
    }
    return n;
}

/* All that block a dominates is part of its tail. */
static void take_all(struct search *s, int a)
{
    unsigned cost = 0;
    for (int i = s->p->blocks[a].order; i < s->end; i++) {
        int b = s->sorted[i];
        if (!s->in[b] || s->gone[b] || !dominates(s, a, b))
            continue;
        cost += own_cost(s, b);
        s->part[b] = a;
    }
    s->cost[a] = cost;
}

/* Does all that block a, not top, dominates lead to the join, and not by a tail that others share? */
static int only_to_join(const struct search *s, int a)
{
    int to[2];
    for (int i = s->p->blocks[a].order; i < s->end; i++)
        for (int b = s->sorted[i], k = s->in[b] && dominates(s, a, b) ? leads_of(s, b, to) : 0; k-- > 0;)
            if (to[k] != s->join && (to[k] == s->n || !s->in[to[k]] || !dominates(s, a, to[k])))
                return 0;
    return a != s->top;
}

/* Does block at come behind b on every way? */
static int comes_behind(const struct search *s, int b, int at)
{
    while (b != at && b >= 0 && b < s->n)
        b = s->p->blocks[b].ipdom;
    return b == at;
}

/* Lanes come to a place in several groups if one branch parts them on two ways there, and one more lets some not come. */
static int come_apart(const struct search *s, int from, int at)
{
    int to[2], both = 0, leave = 0;
    for (int i = s->p->blocks[from].order; i < s->p->blocks[at].order; i++) {
        int b = s->sorted[i], ways = 0;
        if (b < 0 || !s->parting[b] || !dominates(s, from, b) || !ptx_leads(s->p, b, at) || comes_behind(s, b, at))
            continue;
        for (int k = cfg_successors(s->p, b, to); k-- > 0;)
            ways += to[k] == at || (to[k] < s->n && s->p->blocks[to[k]].order > s->p->blocks[b].order && ptx_leads(s->p, to[k], at));
        both += ways > 1;
        leave++;
    }
    return both && leave > 1;
}

/* Is block b behind the innermost loop that a is in? */
static int leaves_loop(const struct search *s, int a, int b)
{
    return s->loop[a] >= 0 && !in_loop(s, b, s->loop[a]);
}

static int is_end_of_loop(const struct search *s, int b)
{
    return s->loop[b] >= 0 && jumps_to(s, b, s->loop[b]);
}

/* The costliest tail that several ways lead to, or -1. What all ways from a block come together at is part of the tail before it. */
static int costliest(struct search *s)
{
    int best = -1;
    for (int i = s->end; i-- > s->p->blocks[s->top].order + 1;) {
        int b = s->sorted[i], from = -1;
        if (b < 0 || !s->in[b] || s->gone[b] || s->part[b] != b || !leads_to_join(s, b))
            continue;
        int ways = ways_in(s, b, &from), leaves = ways == 1 && leaves_loop(s, from, b);
        if (leaves && !is_end_of_loop(s, from) && s->loop[from] != from)
            continue;
        if (ways == 1 && !leaves) {
            from = tail_of(s, from);
            s->part[b] = from;
            s->cost[from] += s->cost[b];
        } else if (ways > 0 && s->p->blocks[s->dom[b]].ipdom == b && s->dom[b] != s->top) {
            take_all(s, s->dom[b]);
        } else if (ways > 0 && (best < 0 || s->cost[b] > s->cost[best] || (s->cost[b] == s->cost[best] && b > best)) &&
                   (leaves || come_apart(s, s->dom[b], b)) && (!s->closed || only_to_join(s, s->dom[b]))) {
            best = b;
        }
    }
    return best;
}

/* What tail a leaves to and what that leads to, and what leads nowhere else. */
static void go_away(struct search *s, int a, char *away)
{
    int to[2], first = s->p->blocks[s->top].order;
    for (int i = first; i < s->end; i++)
        for (int b = s->sorted[i], k = s->in[b] && (away[b] || tail_of(s, b) == a) ? leads_of(s, b, to) : 0; k-- > 0;)
            if (to[k] < s->n && s->in[to[k]] && tail_of(s, to[k]) != a)
                away[to[k]] = 1;
    for (int i = s->end; i-- > first + 1;) {
        int b = s->sorted[i], k = s->in[b] && tail_of(s, b) != a ? leads_of(s, b, to) : 0, all = k > 0;
        while (k-- > 0)
            all &= to[k] < s->n && away[to[k]];
        s->gone[b] |= away[b] |= (char)all;
    }
}

/* All that block a dominates becomes one tail; what it leaves to is none any more. */
static void make_whole(struct search *s, int a)
{
    char *away = xcalloc((size_t)s->n + 1, 1);
    take_all(s, a);
    s->whole[a] = 1;
    go_away(s, a, away);
    free(away);
}

/* ---- regions ---- */

/* The lanes that part at block from meet at block at. */
static void add_region(struct search *s, int from, int at)
{
    if (s->p->blocks[at].parted < 0)
        s->p->blocks[at].parted = from;
}

static int join_of(const struct search *s, int b)
{
    return s->p->blocks[b].ipdom < 0 ? s->n : s->p->blocks[b].ipdom;
}

/* Which blocks are on a way from one to another, join? All else that is kept by block starts anew. */
static void begin(struct search *s, int from, int join)
{
    for (int i = s->end > 0 ? s->p->blocks[s->top].order : 0; i < s->end; i++)
        s->in[s->sorted[i]] = s->gone[s->sorted[i]] = 0;
    s->top = from;
    s->join = join;
    s->end = join < s->n ? s->p->blocks[join].order : s->n;
    for (int i = s->end; s->left >= 0 && i < s->n; i++)
        if (s->sorted[i] >= 0 && in_loop(s, s->sorted[i], s->left))
            s->end = i + 1;
    for (int i = s->p->blocks[from].order; i < s->end; i++) {
        int b = s->sorted[i];
        int leads = join == s->n || ptx_leads(s->p, b, join) || (s->left >= 0 && in_loop(s, b, s->left));
        s->in[b] = b != join && leads && dominates(s, from, b);
        s->gone[b] = s->whole[b] = 0;
        s->part[b] = b;
        s->cost[b] = own_cost(s, b);
    }
}

/* Those that leave the region from .. at are not waited for: where do others of a branch in it meet now? */
static void meet_within(struct search *s, int from, int at)
{
    int to[2], *meet = s->part;
    s->left = -1;
    begin(s, from, at);
    for (int i = s->p->blocks[at].order; i-- > s->p->blocks[from].order;) {
        int b = s->sorted[i], ways = 0;
        if (!s->in[b])
            continue;
        for (int k = forward_of(s, b, to), j = 0; j < k; j++) {
            if (to[j] != at && !(to[j] < s->n && s->in[to[j]]))
                continue;
            int other = to[j];
            for (int mine = meet[b]; ways && mine != other;)
                if (s->p->blocks[mine].order < s->p->blocks[other].order)
                    mine = meet[mine];
                else
                    other = meet[other];
            meet[b] = other;
            ways++;
        }
        s->whole[b] = ways > 1; /* is still a branch */
    }
    for (int i = s->p->blocks[from].order; i < s->p->blocks[at].order; i++) {
        int b = s->sorted[i];
        if (s->in[b] && s->whole[b] && meet[b] != at && meet[b] != s->p->blocks[b].ipdom && s->dom[meet[b]] == b &&
            s->loop[b] == s->loop[from])
            add_region(s, b, meet[b]);
    }
}

/* Do lanes that leave loop l after a whole turn come to block at? */
static int by_last_turn(const struct search *s, int l, int at)
{
    int to[2];
    for (int b = 0; b < s->n; b++)
        for (int k = in_loop(s, b, l) && jumps_to(s, b, l) ? forward_of(s, b, to) : 0; k-- > 0;)
            if (to[k] < s->n && !in_loop(s, to[k], l) && ptx_leads(s->p, to[k], at))
                return 1;
    return 0;
}

/* Is there a loop between two blocks that lanes leave for elsewhere, too? */
static int loop_between(const struct search *s, int from, int at)
{
    for (int i = s->p->blocks[from].order; i < s->p->blocks[at].order; i++) {
        int l = s->sorted[i], x = l;
        if (l < 0 || s->loop[l] != l || in_loop(s, at, l) || !dominates(s, from, l) || !ptx_leads(s->p, l, at))
            continue;
        while (x < s->n && in_loop(s, x, l))
            x = join_of(s, x);
        if (x == s->n || s->first[x] < 0 || !dominates(s, s->first[x], x) || (x != at && !ptx_leads(s->p, x, at)))
            return 1;
    }
    return 0;
}

/* Tail best begins behind the loop that its dominator is in. Returns whether to go on. */
static int meet_behind_loop(struct search *s, int from, int best)
{
    int one, l = s->loop[from];
    if (is_end_of_loop(s, from) && ways_in(s, best, &one) == 1) {
        add_region(s, s->dom[l], best);
    } else if (!by_last_turn(s, l, best)) {
        if (from == s->top)
            return 0;
        make_whole(s, from);
    }
    s->gone[best] = 1;
    return 1;
}

/* The outermost loop that holds top and not the join, or -1. */
static int loop_left(const struct search *s, int top, int join)
{
    int l = s->loop[top], left = -1;
    for (; l >= 0 && (join == s->n || !in_loop(s, join, l)); l = s->around[l])
        left = l;
    return left;
}

/* A group's regions but the one of all its lanes. */
static void meet_sooner(struct search *s, int top, int join)
{
    s->left = loop_left(s, top, join);
    begin(s, s->left >= 0 ? s->left : top, join);
    s->closed = 0;
    for (int best, from; (best = costliest(s)) >= 0;) {
        from = s->dom[best];
        if (leaves_loop(s, from, best)) {
            if (!meet_behind_loop(s, from, best))
                break;
            continue;
        }
        if (s->loop[from] != s->loop[best] || loop_between(s, from, best)) {
            s->gone[best] = 1;
            continue;
        }
        if (join_of(s, from) != best)
            add_region(s, from, best);
        if (from != s->top)
            make_whole(s, from);
        else
            s->closed = 1;
    }
}

/* The loop whose last block alone leads to block b, behind it, or -1. */
static int loop_left_at_end(const struct search *s, int b)
{
    int from = s->pred_start[b] < s->pred_start[b + 1] ? s->pred[s->pred_start[b]] : -1;
    if (from < 0 || s->pred_start[b + 1] - s->pred_start[b] > 1 || !leaves_loop(s, from, b) || !is_end_of_loop(s, from))
        return -1;
    return s->loop[from];
}

/* Where the region of all lanes of a group begins, for turns.c: with its first branch, or before the outermost loop that this is in and the
 * join is not; none where no branch's condition can differ between lanes, or all meet at a barrier. One that ends sooner begins at its
 * branch, or before the loop whose last block leaves to its end. */
static void open_regions(struct search *s, const int *first)
{
    int to[2];
    char *varying = cfg_varying(s->p);
    for (int b = 0; b < s->n; b++) {
        struct ptx_block *x = &s->p->blocks[b];
        x->loop = s->loop[b];
        x->around = s->around[b];
    }
    for (int b = 0; b < s->n; b++) {
        const struct ptx_block *x = &s->p->blocks[b];
        int join = x->order < 0 || cfg_successors(s->p, b, to) < 2 ? s->n : join_of(s, b);
        int guard = join == s->n ? -1 : s->p->steps[x->first + x->count - 1].guard;
        if (guard < 0 || !varying[guard] || cfg_meets_at_barrier(s->p, join))
            continue;
        struct ptx_block *end = &s->p->blocks[join];
        end->opens = first[join];
        for (int l = s->loop[end->opens]; l >= 0 && !cfg_in_loop(s->p, join, l); l = s->around[l]) {
            end->opens = l;
            end->opens_loop = 1;
        }
    }
    for (int b = 0; b < s->n; b++) {
        struct ptx_block *end = &s->p->blocks[b];
        if (end->parted < 0 || !s->weight[b])
            continue;
        int l = loop_left_at_end(s, b);
        end->opens = l < 0 ? end->parted : l;
        end->opens_loop = l >= 0;
    }
    free(varying);
}

/* Does anything else lead into the ways from top to join? */
static int entered_between(const struct search *s, int top, int join)
{
    int end = join < s->n ? s->p->blocks[join].order : s->n;
    for (int i = s->p->blocks[top].order + 1; i < end; i++) {
        int b = s->sorted[i];
        if (b >= 0 && ptx_leads(s->p, top, b) && (join == s->n || ptx_leads(s->p, b, join)) && !dominates(s, top, b))
            return 1;
    }
    return 0;
}

static void find_all(struct search *s)
{
    int to[2], *first = s->first = xcalloc((size_t)s->n + 1, sizeof *first), *at = xcalloc((size_t)s->n + 1, sizeof *at);
    for (int b = 0; b <= s->n; b++)
        first[b] = -1;
    for (int i = 0; i < s->n; i++) {
        int b = s->sorted[i];
        if (b >= 0 && cfg_successors(s->p, b, to) > 1)
            first[join_of(s, b)] = first[join_of(s, b)] < 0 ? b : cfg_common_dominator(s->p, s->dom, first[join_of(s, b)], b);
    }
    for (int i = 0; i < s->n; i++) {
        int b = s->sorted[i], join = b < 0 ? -1 : join_of(s, b);
        if (b >= 0 && first[join] == b && cfg_successors(s->p, b, to) > 1 && !cfg_meets_at_barrier(s->p, join) &&
            !entered_between(s, b, join))
            meet_sooner(s, b, join);
    }
    for (int b = 0; b < s->n; b++)
        at[b] = s->p->blocks[b].parted;
    for (int i = 0; i < s->n; i++)
        if (s->sorted[i] >= 0 && at[s->sorted[i]] >= 0)
            meet_within(s, at[s->sorted[i]], s->sorted[i]);
    open_regions(s, first);
    free(first);
    free(at);
}

void cfg_find_regions(struct ptx_program *p, const int *sorted)
{
    size_t n = p->block_count;
    struct search s = {.p = p, .sorted = sorted, .n = (int)n, .dom = cfg_dominators(p, sorted)};
    int **ints[] = {&s.pre, &s.size, &s.loop, &s.around, &s.turn, &s.turns, &s.pred_start, &s.pred, &s.part};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        *ints[i] = xcalloc(2 * n + 3, sizeof **ints[i]);
    char **flags[] = {&s.back, &s.in, &s.gone, &s.whole};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = xcalloc(n + 1, 1);
    s.weight = xcalloc(n + 1, sizeof *s.weight);
    s.cost = xcalloc(n + 1, sizeof *s.cost);
    s.parting = cfg_parting(p);
    for (int b = 0; b < s.n; b++)
        s.weight[b] = cfg_weight(p, b);
    number_trees(&s, s.dom, s.pre, s.size);
    find_back(&s);
    find_predecessors(&s);
    find_loops(&s);
    find_all(&s);
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        free(*ints[i]);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        free(*flags[i]);
    free(s.parting);
    free(s.weight);
    free(s.cost);
    free(s.dom);
}
