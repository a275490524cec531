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
 * here, of 800 with loops 102. Of random kernels `lockstep regions` tells which: --seed 100001 --count 1000. Some graphs are kept:
 * tests/test_regions.c.
 *
 * - Where a loop's jumps back come together (latches.c), there is a region from the block through which all ways to them go, whatever it
 *   costs, unless all lanes of that meet there. It comes before the tails of groups in that loop, as if it were the costliest.
 * - The branches whose lanes all meet at one block, their join, are one group, and its region begins where the group's first branch
 *   stands. Where the join waits at a barrier after little work, lanes meet at the barrier alone: no region is made. Nor is where
 *   something else leads into the group's ways; its lanes meet where the next region ends.
 * - Looking back from the join: a tail is what leads to the join only and is entered at one block. A tail that a single way leads to is
 *   part of the one before it; and so is where all ways from a block come together, if they are an if, or an if and else. Of the
 *   others the costliest (weights.c; of two alike the later one going forward) gets a region, from its dominator to its first block; if
 *   one branch between them parts lanes (varying.c) that come there on two ways, and one more lets some not come. Or, where all ways
 *   from its dominator come there, all that is one tail from then on. Of what its dominator dominates only what does not lead to that
 *   tail is looked at next; then all of it becomes one tail, or nothing more is, if the dominator is the group's first branch.
 * - Other tails that are part of a region's tail then, or that it leaves to, have no region any more. They are late: a tail that costs less
 *   than a late one and begins where lanes can come to that has none, either; what it begins with becomes one tail all the same.
 * - A tail with little to do has no region after all: 11 additions are enough, and any access of memory. Where some lanes leave for the
 *   join behind what little there is, and the others still have much to do, it ends there.
 * - Within a tail's region, made or not, those that leave it are not waited for. Where all others of a branch meet then, they do, if
 *   that branch stands on every way there.
 * - A loop with one way out is taken to have 16 turns, any other costs nothing. Of an if and else whose taken way has a loop, what all come
 *   to is no part.
 * - Lanes leave a loop in different turns. Of a group that leaves a loop a next turn leads to the join. What the last block of a loop with
 *   several ways out alone leaves to is a tail that several ways lead to, and its region begins before the loop; what its first block
 *   alone leaves to is one, too, but as any other tail behind the loop that begins within it, it gets none, and with the costliest such
 *   all is done, unless the last block leads there as well. No region is made around a loop that lanes leave for elsewhere. */
#include "ptx/tails.h"

#include <stdlib.h>

/* The lanes that part at block from meet at block at. */
static void add_region(struct search *s, int from, int at)
{
    if (s->g.p->blocks[at].parted < 0)
        s->g.p->blocks[at].parted = from;
}

/* Those that leave the region from .. at are not waited for: where do others of a branch in it meet now? */
static void meet_within(struct search *s, int from, int at, int join)
{
    int to[2], *meet = s->part;
    s->left = -1;
    tails_begin(s, from, at);
    for (int i = s->g.p->blocks[at].order; i-- > s->g.p->blocks[from].order;) {
        int b = s->g.sorted[i], ways = 0;
        if (!s->in[b])
            continue;
        for (int k = graph_forward(&s->g, b, to), j = 0; j < k; j++) {
            if (to[j] != at && !(to[j] < s->g.n && s->in[to[j]]))
                continue;
            int other = to[j];
            for (int mine = meet[b]; ways && mine != other;)
                if (s->g.p->blocks[mine].order < s->g.p->blocks[other].order)
                    mine = meet[mine];
                else
                    other = meet[other];
            meet[b] = other;
            ways++;
        }
        s->whole[b] = ways > 1; /* is still a branch */
    }
    for (int i = s->g.p->blocks[from].order; i < s->g.p->blocks[at].order; i++) {
        int b = s->g.sorted[i];
        if (s->in[b] && s->whole[b] && meet[b] != at && meet[b] != s->g.p->blocks[b].ipdom && s->g.dom[meet[b]] == b &&
            s->g.loop[b] == s->g.loop[from] && tails_much_to_do(s, meet[b], join) >= 0)
            add_region(s, b, tails_much_to_do(s, meet[b], join));
    }
}

/* Do lanes that leave loop l after a whole turn come to block at? */
static int by_last_turn(const struct search *s, int l, int at)
{
    int to[2];
    for (int b = 0; b < s->g.n; b++)
        for (int k = graph_in_loop(&s->g, b, l) && graph_jumps_to(&s->g, b, l) ? graph_forward(&s->g, b, to) : 0; k-- > 0;)
            if (to[k] < s->g.n && !graph_in_loop(&s->g, to[k], l) && ptx_leads(s->g.p, to[k], at))
                return 1;
    return 0;
}

/* Is there a loop between two blocks that lanes leave for elsewhere, too? */
static int loop_between(const struct search *s, int from, int at)
{
    for (int i = s->g.p->blocks[from].order; i < s->g.p->blocks[at].order; i++) {
        int l = s->g.sorted[i], x = l;
        if (l < 0 || s->g.loop[l] != l || graph_in_loop(&s->g, at, l) || !graph_dominates(&s->g, from, l) || !ptx_leads(s->g.p, l, at))
            continue;
        while (x < s->g.n && graph_in_loop(&s->g, x, l))
            x = graph_join(&s->g, x);
        if (x == s->g.n || s->first[x] < 0 || !graph_dominates(&s->g, s->first[x], x) || (x != at && !ptx_leads(s->g.p, x, at)))
            return 1;
    }
    return 0;
}

/* The tail has a region, if there is much to do. */
static void choose(struct search *s, int from, int tail)
{
    int at = tails_much_to_do(s, tail, s->join);
    s->tail_from[tail] = from;
    s->tail_join[tail] = s->join;
    if (at >= 0 && graph_join(&s->g, from) != at)
        add_region(s, from, at);
}

/* Tail best begins behind the loop that its dominator is in. Returns whether to go on. */
static int meet_behind_loop(struct search *s, int from, int best)
{
    int one, l = s->g.loop[from];
    if (graph_ends_loop(&s->g, from) && tails_ways_in(s, best, &one) == 1) {
        choose(s, s->g.dom[l], best);
    } else if (!by_last_turn(s, l, best)) {
        if (from == s->top)
            return 0;
        tails_make_whole(s, from);
    }
    s->gone[best] = 1;
    return 1;
}

/* The outermost loop that holds top and not the join, or -1. */
static int loop_left(const struct search *s, int top, int join)
{
    int l = s->g.loop[top], left = -1;
    for (; l >= 0 && (join == s->g.n || !graph_in_loop(&s->g, join, l)); l = s->g.around[l])
        left = l;
    return left;
}

/* A group's tails, the costliest first; those within the region closed .. made alone, unless -1. Returns whether to go on. */
static int look(struct search *s, int closed, int made)
{
    s->closed = closed;
    s->made = made;
    for (int best, from; (best = tails_costliest(s)) >= 0;) {
        from = s->g.dom[best];
        if (tails_is_own_join(s, best)) {
            tails_take_all(s, from);
            continue;
        }
        if (graph_leaves_loop(&s->g, from, best)) {
            if (!meet_behind_loop(s, from, best))
                return 0;
            continue;
        }
        if (s->g.loop[from] != s->g.loop[best] || loop_between(s, from, best)) {
            s->gone[best] = 1;
            continue;
        }
        if (!tails_is_outdone(s, best))
            choose(s, from, best);
        tails_come_late(s, from, best);
        if (!look(s, from, best))
            return 0;
        s->closed = closed;
        s->made = made;
        if (from == s->top)
            break;
        tails_make_whole(s, from);
    }
    return 1;
}

/* Before all else lanes meet where jumps back come together. Returns whether to go on. */
static int meet_at_latches(struct search *s)
{
    for (int i = s->g.p->blocks[s->top].order; i < s->g.n; i++) {
        int latch = s->g.sorted[i], from = s->g.dom[latch];
        if (!graph_gathers(&s->g, latch) || !(from == s->top || s->in[from]) || !graph_in_loop(&s->g, s->top, s->g.loop[latch]))
            continue;
        tails_come_late(s, from, latch);
        if (!look(s, from, latch) || from == s->top)
            return 0;
        tails_make_whole(s, from);
    }
    return 1;
}

/* A group's regions but the one of all its lanes. */
static void meet_sooner(struct search *s, int top, int join)
{
    s->left = loop_left(s, top, join);
    tails_begin(s, s->left >= 0 ? s->left : top, join);
    if (meet_at_latches(s))
        look(s, -1, -1);
}

/* The loop whose last block alone leads to block b, behind it, or -1. */
static int loop_left_at_end(const struct search *s, int b)
{
    int from = s->g.pred_start[b] < s->g.pred_start[b + 1] ? s->g.pred[s->g.pred_start[b]] : -1;
    if (from < 0 || s->g.pred_start[b + 1] - s->g.pred_start[b] > 1 || !graph_leaves_loop(&s->g, from, b) || !graph_ends_loop(&s->g, from))
        return -1;
    return s->g.loop[from];
}

/* Where the region of all lanes of a group begins, for turns.c: with its first branch, or before the outermost loop that this is in and the
 * join is not; none where no branch's condition can differ between lanes, or all meet at a barrier. One that ends sooner begins at its
 * branch, or before the loop whose last block leaves to its end. */
static void open_regions(struct search *s, const int *first)
{
    int to[2];
    char *varying = cfg_varying(s->g.p);
    for (int b = 0; b < s->g.n; b++) {
        struct ptx_block *x = &s->g.p->blocks[b];
        x->loop = s->g.loop[b];
        x->around = s->g.around[b];
    }
    for (int b = 0; b < s->g.n; b++) {
        const struct ptx_block *x = &s->g.p->blocks[b];
        int join = x->order < 0 || cfg_successors(s->g.p, b, to) < 2 ? s->g.n : graph_join(&s->g, b);
        int guard = join == s->g.n ? -1 : s->g.p->steps[x->first + x->count - 1].guard;
        if (guard < 0 || !varying[guard] || cfg_meets_at_barrier(s->g.p, join))
            continue;
        struct ptx_block *end = &s->g.p->blocks[join];
        end->opens = first[join];
        for (int l = s->g.loop[end->opens]; l >= 0 && !cfg_in_loop(s->g.p, join, l); l = s->g.around[l]) {
            end->opens = l;
            end->opens_loop = 1;
        }
    }
    for (int b = 0; b < s->g.n; b++) {
        struct ptx_block *end = &s->g.p->blocks[b];
        if (end->parted < 0 || (graph_only_jumps(&s->g, b) && !s->g.back[b]))
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
    int end = join < s->g.n ? s->g.p->blocks[join].order : s->g.n;
    for (int i = s->g.p->blocks[top].order + 1; i < end; i++) {
        int b = s->g.sorted[i];
        if (b >= 0 && ptx_leads(s->g.p, top, b) && (join == s->g.n || ptx_leads(s->g.p, b, join)) && !graph_dominates(&s->g, top, b))
            return 1;
    }
    return 0;
}

/* Where do lanes that part at block b meet at the latest? made: by a join, there is a region of its group. Where none ends they go on
 * together only behind the next barrier. */
static int meet_at_last(const struct search *s, const char *made, int b)
{
    int at = graph_join(&s->g, b);
    while (at < s->g.n && !made[at] && s->g.p->blocks[at].parted < 0 && s->g.p->blocks[at].end != END_BARRIER)
        at = graph_join(&s->g, at);
    if (at < s->g.n && !made[at] && s->g.p->blocks[at].parted < 0)
        at = graph_join(&s->g, at);
    return at == s->g.n ? -1 : at;
}

static void find_all(struct search *s)
{
    char *made = xcalloc((size_t)s->g.n + 1, 1);
    int to[2], *first = s->first = xcalloc((size_t)s->g.n + 1, sizeof *first);
    for (int b = 0; b <= s->g.n; b++)
        first[b] = s->tail_from[b] = -1;
    for (int i = 0; i < s->g.n; i++) {
        int b = s->g.sorted[i], join = b < 0 ? -1 : graph_join(&s->g, b);
        if (b >= 0 && cfg_successors(s->g.p, b, to) > 1)
            first[join] = first[join] < 0 ? b : cfg_common_dominator(s->g.p, s->g.dom, first[join], b);
    }
    for (int b = 0; b < s->g.n; b++)
        if (graph_gathers(&s->g, b))
            add_region(s, s->g.dom[b], b);
    for (int i = 0; i < s->g.n; i++) {
        int b = s->g.sorted[i], join = b < 0 ? -1 : graph_join(&s->g, b);
        if (b < 0 || first[join] != b)
            continue;
        made[join] = !entered_between(s, b, join);
        if (made[join] && cfg_successors(s->g.p, b, to) > 1 && !cfg_meets_at_barrier(s->g.p, join))
            meet_sooner(s, b, join);
    }
    for (int i = 0; i < s->g.n; i++)
        if (s->g.sorted[i] >= 0 && s->tail_from[s->g.sorted[i]] >= 0)
            meet_within(s, s->tail_from[s->g.sorted[i]], s->g.sorted[i], s->tail_join[s->g.sorted[i]]);
    for (int b = 0; b < s->g.n; b++)
        if (graph_gathers(&s->g, b))
            meet_within(s, s->g.dom[b], b, graph_join(&s->g, s->g.dom[b]));
    for (int b = 0; b < s->g.n; b++)
        if (s->g.p->blocks[b].order >= 0)
            s->g.p->blocks[b].meet = meet_at_last(s, made, b);
    open_regions(s, first);
    free(first);
    free(made);
}

void cfg_find_regions(struct ptx_program *p, const int *sorted)
{
    size_t n = p->block_count;
    struct search s = {.weight = xcalloc(n + 1, sizeof *s.weight), .cost = xcalloc(n + 1, sizeof *s.cost)};
    int **ints[] = {&s.part, &s.tail_from, &s.tail_join};
    char **flags[] = {&s.in, &s.gone, &s.whole, &s.late}, *differs;
    graph_find(&s.g, p, sorted);
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        *ints[i] = xcalloc(n + 1, sizeof **ints[i]);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = xcalloc(n + 1, 1);
    s.parting = cfg_parting(p, &differs);
    for (size_t b = 0; b < n; b++)
        s.weight[b] = cfg_weight(p, (int)b, differs);
    find_all(&s);
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        free(*ints[i]);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        free(*flags[i]);
    graph_free(&s.g);
    free(differs);
    free(s.parting);
    free(s.weight);
    free(s.cost);
}
