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
 * What ptxas 13.0 does for sm_90 with its optimiser off was found by giving it graphs of up to 20 blocks whose every condition differs by
 * lane, 650 by chance and some 100 drawn up, and by reading its regions in the machine code; of the 650 one is told otherwise here.
 * Some are kept: tests/test_regions.c.
 *
 * - The branches whose lanes all meet at one block, their join, are one group, and its region begins where the group's first branch
 *   stands. Where the join waits at a barrier after little work, lanes meet at the barrier alone: no region is made.
 * - Looking back from the join: a tail is what leads to the join only and is entered at one block. A tail that a single way leads to is
 *   part of the one before it. Of the others the costliest (of two alike the last in the code) gets a region, from its dominator to its
 *   first block. Did that region begin at the group's first branch, this is all. Else all that it dominates becomes one tail; what it
 *   leaves to is no tail any more; and so on.
 * - Within such a region those that leave it are not waited for. Where all others of a branch meet then, they do, if that branch stands
 *   on every way there.
 * - Lanes leave a loop in different turns: there is no tail within a loop whose join lies behind it. */
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
    char *back;              /* by block: all that it leads to is another turn of a loop */
    int *pred_start, *pred;  /* going forward: pred[pred_start[b] .. pred_start[b + 1]) */
    unsigned *weight;
    int top, join;           /* the group's first branch; the block where its lanes meet, or n, the exit */
    int end;                 /* all blocks between them stand in sorted before it */
    char *in, *gone;         /* by block: on a way from top to join; no tail any more */
    char *whole;             /* all that it dominates is one tail */
    int *part;               /* by block: the tail's first block that it is part of, or one nearer to it */
    unsigned *cost;          /* by a tail's first block */
};

/* ---- costs ---- */

/* How many machine instructions ptxas 13.0 makes of one, with its optimiser off: means over 220 random kernels, from the lines that it
 * writes beside them; loops that it makes of one aside. Lanes that must be together at one (shfl, vote) outweigh all else: measured, by
 * which of two tails gets its region. */
enum { TOGETHER = 1000 };
static unsigned weight_of(const struct ptx_step *s)
{
    static const struct { const char *opcode; unsigned weight; } rows[] = {
        {"shfl", TOGETHER}, {"vote", TOGETHER}, {"match", TOGETHER}, {"activemask", TOGETHER}, {"bar.warp", TOGETHER},
        {"ld.param", 4}, {"ld.const", 4}, {"ld.local", 4}, {"ld.shared", 4}, {"ld", 8}, {"st.local", 4}, {"st.shared", 3}, {"st", 8},
        {"atom", 7}, {"red", 7}, {"div.full", 20}, {"div.approx", 20}, {"div.rn.f64", 80},
        {"div", 39}, {"rem", 40}, {"sqrt.approx", 19}, {"sqrt.rn.f64", 90}, {"sqrt", 36}, {"rsqrt", 19}, {"rcp.approx", 16},
        {"rcp.rn.f64", 58}, {"rcp", 33}, {"lg2", 19}, {"ex2", 16}, {"mul.wide", 3}, {"mad.wide", 7}, {"mul24", 4}, {"mul.lo.s64", 26},
        {"mul.lo.u64", 26}, {"mul.hi.s64", 39}, {"mul.hi.u64", 27}, {"mad.lo.s64", 27}, {"mad.lo.u64", 27}, {"mul.lo.s16", 6},
        {"mad.hi", 3}, {"bfe.u64", 37}, {"bfe.s64", 54}, {"bfi.b64", 57}, {"bfe", 7}, {"bfi", 7}, {"bfind.u64", 40}, {"brev.b64", 44},
        {"brev", 3}, {"popc.b64", 11}, {"popc", 3}, {"clz.b64", 10}, {"clz", 2}, {"cnot", 5}, {"abs.s64", 11}, {"abs", 3}, {"neg", 3},
        {"min.f64", 11}, {"max.f64", 11}, {"min.u64", 5}, {"max.u64", 5}, {"min.s64", 5}, {"max.s64", 5}, {"slct", 2}, {"setp.eq.s16", 6},
        {"setp", 1}, {"set", 2}, {"cvt.u64", 3}, {"cvt.s64", 8}, {"cvt.s32.s", 4}, {"cvt.u32.u64", 1}, {"cvt.u32.u", 2}, {"cvt.rn", 1},
        {"cvt", 2}, {"shl.b16", 4}, {"shr.u16", 6}, {"mov.u64", 5}, {"mov.b64", 4}, {"mov.f64", 3}, {"mov.u32", 2}, {"cvta.to", 2},
        {"cvta", 7}, {"bra", 1}, {"bar", 0},
    };
    if ((s->flags & (FLAG_QUIET | FLAG_UNUSED)) || !s->text)
        return 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strncmp(s->text, rows[i].opcode, strlen(rows[i].opcode)))
            return rows[i].weight;
    return strstr(s->text, "64") && !strstr(s->text, "f64") ? 2 : 1;
}

/* A block that only leads to another costs nothing. */
static void weigh(struct search *s)
{
    int to[2];
    for (int b = 0; b < s->n; b++) {
        const struct ptx_block *x = &s->p->blocks[b];
        if (x->count == 1 && x->end == END_BRANCH && cfg_successors(s->p, b, to) == 1)
            continue;
        for (int i = 0; i < x->count; i++)
            s->weight[b] += weight_of(&s->p->steps[x->first + i]);
    }
}

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

static void find_back(struct search *s)
{
    int to[2];
    for (int i = s->n; i-- > 0 && s->sorted[i] >= 0;)
        s->back[s->sorted[i]] = !ahead_of(s, s->sorted[i], to);
}

static void find_predecessors(struct search *s)
{
    int to[2];
    for (int b = 0; b < s->n; b++)
        for (int k = s->p->blocks[b].order < 0 ? 0 : ahead_of(s, b, to); k-- > 0;)
            if (to[k] < s->n)
                s->pred_start[to[k] + 2]++;
    for (int b = 0; b <= s->n; b++)
        s->pred_start[b + 1] += s->pred_start[b];
    for (int b = 0; b < s->n; b++)
        for (int k = s->p->blocks[b].order < 0 ? 0 : ahead_of(s, b, to); k-- > 0;)
            if (to[k] < s->n)
                s->pred[s->pred_start[to[k] + 1]++] = b;
}

static void number_dominators(struct search *s)
{
    int *next = xcalloc((size_t)s->n + 1, sizeof *next); /* number of the next block that it dominates */
    for (int i = s->n; i-- > 0 && s->sorted[i] >= 0;) {
        int b = s->sorted[i];
        s->size[b]++;
        if (s->dom[b] >= 0)
            s->size[s->dom[b]] += s->size[b];
    }
    for (int i = 0; i < s->n; i++) {
        int b = s->sorted[i], above = b < 0 ? -1 : s->dom[b];
        if (above >= 0) {
            s->pre[b] = next[above];
            next[above] += s->size[b];
        }
        if (b >= 0)
            next[b] = s->pre[b] + 1;
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
    free(from);
}

/* Is b in the innermost loop that holds a? */
static int stays_in_loop(const struct search *s, int a, int b)
{
    int l = b < s->n ? s->loop[b] : -1;
    while (l >= 0 && l != s->loop[a])
        l = s->around[l];
    return l == s->loop[a];
}

/* ---- tails ---- */

/* What a block adds to its tail's cost: loops in it count for nothing. */
static unsigned own_cost(const struct search *s, int b)
{
    return s->loop[b] == s->loop[s->top] ? s->weight[b] : 0;
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
    for (int k = ahead_of(s, b, to); k-- > 0;)
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

/* The costliest tail that several ways lead to, or -1. What all ways from a block come together at is part of the tail before it. */
static int costliest(struct search *s)
{
    int best = -1;
    for (int i = s->end; i-- > s->p->blocks[s->top].order + 1;) {
        int b = s->sorted[i], from = -1;
        if (b < 0 || !s->in[b] || s->gone[b] || s->part[b] != b || !leads_to_join(s, b))
            continue;
        int ways = ways_in(s, b, &from);
        if (ways == 1) {
            from = tail_of(s, from);
            s->part[b] = from;
            s->cost[from] += s->cost[b];
        } else if (ways > 1 && s->p->blocks[s->dom[b]].ipdom == b && s->dom[b] != s->top) {
            take_all(s, s->dom[b]);
        } else if (ways > 1 && (best < 0 || s->cost[b] > s->cost[best] || (s->cost[b] == s->cost[best] && b > best))) {
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
        for (int b = s->sorted[i], k = s->in[b] && (away[b] || tail_of(s, b) == a) ? ahead_of(s, b, to) : 0; k-- > 0;)
            if (to[k] < s->n && s->in[to[k]] && tail_of(s, to[k]) != a)
                away[to[k]] = 1;
    for (int i = s->end; i-- > first + 1;) {
        int b = s->sorted[i], k = s->in[b] && tail_of(s, b) != a ? ahead_of(s, b, to) : 0, all = k > 0;
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
    for (int i = s->p->blocks[from].order; i < s->end; i++) {
        int b = s->sorted[i];
        s->in[b] = dominates(s, from, b) && (join == s->n || ptx_leads(s->p, b, join));
        s->gone[b] = s->whole[b] = 0;
        s->part[b] = b;
        s->cost[b] = own_cost(s, b);
    }
}

/* Those that leave the region from .. at are not waited for: where do others of a branch in it meet now? */
static void meet_within(struct search *s, int from, int at)
{
    int to[2], *meet = s->part;
    begin(s, from, at);
    for (int i = s->p->blocks[at].order; i-- > s->p->blocks[from].order;) {
        int b = s->sorted[i], ways = 0;
        if (!s->in[b])
            continue;
        for (int k = ahead_of(s, b, to), j = 0; j < k; j++) {
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

/* A group's regions but the one of all its lanes. */
static void meet_sooner(struct search *s, int top, int join)
{
    int best, from = -1;
    begin(s, top, join);
    while (from != top && (best = costliest(s)) >= 0) {
        from = s->dom[best];
        if (s->loop[best] != s->loop[top] || s->loop[from] != s->loop[top]) {
            s->gone[best] = 1;
            continue;
        }
        if (join_of(s, from) != best)
            add_region(s, from, best);
        if (from != top)
            make_whole(s, from);
    }
}

/* The same for the question whether there is much to do before a barrier, in additions: measured, how many of them beside one make ptxas
 * make a region. Any access of memory does. */
static unsigned work_of(const struct ptx_step *s)
{
    enum { MUCH = 1000 };
    static const struct { const char *opcode; unsigned work; } rows[] = {
        {"mov", 0}, {"cvta.to", 0}, {"cvt.u64.u32", 0}, {"cvt.u32.u64", 0}, {"ld.const", 2}, {"ld.param", 3}, {"mul.wide", 5}, {"popc.b64", 7},
        {"clz.b64", 6}, {"cvt.s64.s32", 4}, {"mad.wide", 4},
    };
    if (ptx_ops[s->op].class == CLASS_MEM && s->space != SPACE_PARAM && s->space != SPACE_CONST)
        return MUCH;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && s->text; i++)
        if (!strncmp(s->text, rows[i].opcode, strlen(rows[i].opcode)))
            return s->flags & (FLAG_QUIET | FLAG_UNUSED) ? 0 : rows[i].work;
    return weight_of(s);
}

/* Do lanes on their way to the join wait for each other at a barrier, with less work before it than 11 additions? */
static int meets_at_barrier(const struct search *s, int join)
{
    enum { MUCH = 11 };
    unsigned work = 0;
    if (join == s->n || s->p->blocks[join].end != END_BARRIER)
        return 0;
    for (int i = 0; i < s->p->blocks[join].count; i++)
        work += work_of(&s->p->steps[s->p->blocks[join].first + i]);
    return work < MUCH;
}

/* Where the region of all lanes of a group begins, for turns.c: with its first branch, or before the outermost loop that this is in and the
 * join is not; none where no branch's condition can differ between lanes, or all meet at a barrier. One that ends sooner begins at its
 * branch. */
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
        if (guard < 0 || !varying[guard] || meets_at_barrier(s, join))
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
        if (end->parted < 0)
            continue;
        end->opens = end->parted;
        end->opens_loop = 0;
    }
    free(varying);
}

static void find_all(struct search *s)
{
    int to[2], *first = xcalloc((size_t)s->n + 1, sizeof *first), *at = xcalloc((size_t)s->n + 1, sizeof *at);
    for (int b = 0; b <= s->n; b++)
        first[b] = -1;
    for (int i = 0; i < s->n; i++) {
        int b = s->sorted[i];
        if (b >= 0 && cfg_successors(s->p, b, to) > 1)
            first[join_of(s, b)] = first[join_of(s, b)] < 0 ? b : cfg_common_dominator(s->p, s->dom, first[join_of(s, b)], b);
    }
    for (int i = 0; i < s->n; i++) {
        int b = s->sorted[i], join = b < 0 ? -1 : join_of(s, b);
        if (b >= 0 && first[join] == b && cfg_successors(s->p, b, to) > 1 && stays_in_loop(s, b, join) && !meets_at_barrier(s, join) &&
            !(join < s->n && s->p->blocks[join].parted >= 0))
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
    int **ints[] = {&s.pre, &s.size, &s.loop, &s.around, &s.pred_start, &s.pred, &s.part};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        *ints[i] = xcalloc(2 * n + 3, sizeof **ints[i]);
    char **flags[] = {&s.back, &s.in, &s.gone, &s.whole};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = xcalloc(n + 1, 1);
    s.weight = xcalloc(n + 1, sizeof *s.weight);
    s.cost = xcalloc(n + 1, sizeof *s.cost);
    weigh(&s);
    number_dominators(&s);
    find_back(&s);
    find_predecessors(&s);
    find_loops(&s);
    find_all(&s);
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        free(*ints[i]);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        free(*flags[i]);
    free(s.weight);
    free(s.cost);
    free(s.dom);
}
