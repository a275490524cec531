/* tails.c - what leads to a group's join only: of such tails the costliest gets a region (regions.c). */
#include "ptx/tails.h"

#include <stdlib.h>

/* Where control goes from b going forward; where the group's lanes leave a loop on their way to the join, the loop's next turn leads
 * there, too. */
static int leads_of(const struct search *s, int b, int to[2])
{
    int all[2], k = 0, n = cfg_successors(s->g.p, b, all);
    for (int i = 0; i < n; i++) {
        if (all[i] < s->g.n && !s->in[all[i]] && all[i] != s->join)
            all[i] = cfg_past_latch(s->g.p, all[i]);
        int turns = all[i] < s->g.n && s->g.p->blocks[all[i]].order <= s->g.p->blocks[b].order;
        if (turns && s->left >= 0 && graph_in_loop(&s->g, s->top, all[i]) && graph_in_loop(&s->g, all[i], s->left))
            all[i] = s->join;
        else if (turns || (all[i] < s->g.n && s->g.back[all[i]] && !s->in[all[i]] && all[i] != s->join))
            continue;
        to[k++] = all[i];
    }
    if (k == 2 && to[0] == to[1])
        k = 1;
    return k;
}

/* What a block adds to its tail's cost: a loop is taken to have 16 turns; one with several ways out counts for nothing. */
static unsigned own_cost(const struct search *s, int b)
{
    enum { TURNS = 16, TURNS_MOST = 1 << 16 };
    unsigned turns = 1;
    for (int l = s->g.loop[b]; l >= 0 && !graph_in_loop(&s->g, s->top, l) && turns < TURNS_MOST; l = s->g.around[l])
        turns *= s->g.outs[l] == 1 ? TURNS : 0;
    return turns * s->weight[b];
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
        if (to[k] != s->join && (to[k] == s->g.n || !(s->gone[to[k]] || (s->in[to[k]] && tail_of(s, to[k]) == b))))
            return 0;
    return 1;
}

int tails_ways_in(const struct search *s, int b, int *first)
{
    int n = 0;
    for (int i = s->g.pred_start[b]; i < s->g.pred_start[b + 1] && n < 2; i++) {
        int from = s->g.pred[i];
        if (!s->in[from] || tail_of(s, from) == b || (n && from == *first))
            continue;
        *first = n++ ? *first : from;
    }
    return n;
}

void tails_take_all(struct search *s, int a)
{
    unsigned cost = 0;
    for (int i = s->g.p->blocks[a].order; i < s->end; i++) {
        int b = s->g.sorted[i];
        if (!s->in[b] || s->gone[b] || !graph_dominates(&s->g, a, b))
            continue;
        cost += own_cost(s, b);
        s->part[b] = a;
    }
    s->cost[a] = cost;
}

/* Does block at come behind b on every way? */
static int comes_behind(const struct search *s, int b, int at)
{
    while (b != at && b >= 0 && b < s->g.n)
        b = s->g.p->blocks[b].ipdom;
    return b == at;
}

/* Lanes come to a place in several groups if one branch parts them on two ways there, and one more lets some not come. */
static int come_apart(const struct search *s, int from, int at)
{
    int to[2], both = 0, leave = 0;
    for (int i = s->g.p->blocks[from].order; i < s->g.p->blocks[at].order; i++) {
        int b = s->g.sorted[i], ways = 0;
        if (b < 0 || !s->parting[b] || !graph_dominates(&s->g, from, b) || !ptx_leads(s->g.p, b, at) || comes_behind(s, b, at))
            continue;
        for (int k = cfg_successors(s->g.p, b, to); k-- > 0;)
            ways += to[k] == at || (to[k] < s->g.n && s->g.p->blocks[to[k]].order > s->g.p->blocks[b].order &&
                                    ptx_leads(s->g.p, to[k], at));
        both += ways > 1;
        leave++;
    }
    return both && leave > 1;
}

int tails_is_own_join(const struct search *s, int b)
{
    return s->g.dom[b] != s->top && graph_join(&s->g, s->g.dom[b]) == b;
}

/* Is it a block, and later than another going forward? */
static int is_later(const struct search *s, int b, int other)
{
    return b < s->g.n && s->g.p->blocks[b].order > s->g.p->blocks[other].order;
}

/* Are all branches from block b up to where it leads, end, one value a warp or an if or an if and else, with such between them? loops: are
 * there any, of which ptxas keeps an if and else whose taken way has one from being simple? around: the loop that b is in. */
static int is_simple(const struct search *s, int b, int end, int around, int *loops)
{
    for (int to[2], join; b != end; b = join) {
        if (!graph_in_loop(&s->g, b, around))
            return 0;
        if (s->g.loop[b] != around) {
            join = graph_behind_loop(&s->g, s->g.loop[b]);
            *loops = 1;
            if (!is_later(s, join, b))
                return 0;
            continue;
        }
        int n = graph_forward(&s->g, b, to), arms = 0;
        join = n == 1 ? to[0] : graph_join(&s->g, b);
        if (!is_later(s, join, b) || (join != end && s->g.dom[join] != b))
            return 0;
        if (n < 2 || !s->parting[b])
            continue;
        if (graph_ways_in(&s->g, join) != 2)
            return 0;
        for (int k = n; k-- > 0;) {
            int turns = 0;
            if (to[k] == join)
                continue;
            if (to[k] == s->g.n || graph_ways_in(&s->g, to[k]) > 1 || !is_simple(s, to[k], join, around, &turns) ||
                (k == 0 && arms && turns))
                return 0;
            arms++;
        }
    }
    return 1;
}

/* Can a region begin at block from, within one that is made or where none is? */
static int can_begin(const struct search *s, int from)
{
    return s->closed < 0 || (from != s->closed && !ptx_leads(s->g.p, from, s->made));
}

int tails_is_outdone(const struct search *s, int b)
{
    for (int i = s->g.p->blocks[s->top].order; i < s->end; i++) {
        int t = s->g.sorted[i];
        if (t >= 0 && s->in[t] && s->late[t] && (s->cost[t] > s->cost[b] || (s->cost[t] == s->cost[b] && is_later(s, t, b))) &&
            ptx_leads(s->g.p, s->g.dom[b], t))
            return 1;
    }
    return 0;
}

/* leaves: it is behind a loop that lanes leave there. */
static int can_have_region(const struct search *s, int b, int leaves)
{
    return (leaves || come_apart(s, s->g.dom[b], b)) && can_begin(s, s->g.dom[b]);
}

static int is_costlier(const struct search *s, int b, int best)
{
    return best < 0 || s->cost[b] > s->cost[best];
}

int tails_costliest(struct search *s)
{
    int best = -1, loops;
    for (int i = s->end; i-- > s->g.p->blocks[s->top].order + 1;) {
        int b = s->g.sorted[i], from = -1;
        if (b < 0 || !s->in[b] || graph_gathers(&s->g, b) || s->gone[b] || s->late[b] || s->part[b] != b || !leads_to_join(s, b))
            continue;
        int ways = tails_ways_in(s, b, &from);
        int leaves = ways == 1 && graph_leaves_loop(&s->g, from, b) && !graph_leaves_alone(&s->g, from);
        if (leaves && !graph_ends_loop(&s->g, from) && s->g.loop[from] != from)
            continue;
        if (ways == 1 && !leaves) {
            from = tail_of(s, from);
            s->part[b] = from;
            s->cost[from] += s->cost[b];
        } else if (ways > 0 && tails_is_own_join(s, b) && is_simple(s, s->g.dom[b], b, s->g.loop[s->g.dom[b]], &loops)) {
            tails_take_all(s, s->g.dom[b]);
        } else if (ways > 0 && (s->closed < 0 || graph_dominates(&s->g, s->closed, b)) && is_costlier(s, b, best) &&
                   (tails_is_own_join(s, b) || can_have_region(s, b, leaves))) {
            best = b;
        }
    }
    return best;
}

/* What tail a leaves to and what that leads to, and what leads nowhere else. */
static void go_away(struct search *s, int a, char *away)
{
    int to[2], first = s->g.p->blocks[s->top].order;
    for (int i = first; i < s->end; i++)
        for (int b = s->g.sorted[i], k = s->in[b] && (away[b] || tail_of(s, b) == a) ? leads_of(s, b, to) : 0; k-- > 0;)
            if (to[k] < s->g.n && s->in[to[k]] && tail_of(s, to[k]) != a)
                away[to[k]] = 1;
    for (int i = s->end; i-- > first + 1;) {
        int b = s->g.sorted[i], k = s->in[b] && tail_of(s, b) != a ? leads_of(s, b, to) : 0, all = k > 0;
        while (k-- > 0)
            all &= to[k] < s->g.n && away[to[k]];
        s->gone[b] |= away[b] |= (char)all;
    }
}

void tails_come_late(struct search *s, int a, int best)
{
    int one;
    for (int i = s->g.p->blocks[a].order + 1; i < s->end; i++) {
        int b = s->g.sorted[i], from = b < 0 ? -1 : s->g.dom[b];
        if (b < 0 || b == best || !s->in[b] || s->gone[b] || s->part[b] != b || !ptx_leads(s->g.p, a, b) || !leads_to_join(s, b))
            continue;
        if (from != a && graph_dominates(&s->g, a, from) && !ptx_leads(s->g.p, from, best))
            continue; /* can have a region in it */
        if (tails_ways_in(s, b, &one) > 1 && !tails_is_own_join(s, b) && come_apart(s, from, b))
            s->late[b] = 1;
    }
}

void tails_make_whole(struct search *s, int a)
{
    char *away = xcalloc((size_t)s->g.n + 1, 1);
    tails_take_all(s, a);
    s->whole[a] = 1;
    go_away(s, a, away);
    free(away);
}

void tails_begin(struct search *s, int from, int join)
{
    for (int i = s->end > 0 ? s->g.p->blocks[s->top].order : 0; i < s->end; i++)
        s->in[s->g.sorted[i]] = s->gone[s->g.sorted[i]] = 0;
    s->top = from;
    s->join = join;
    s->end = join < s->g.n ? s->g.p->blocks[join].order : s->g.n;
    for (int i = s->end; s->left >= 0 && i < s->g.n; i++)
        if (s->g.sorted[i] >= 0 && graph_in_loop(&s->g, s->g.sorted[i], s->left))
            s->end = i + 1;
    for (int i = s->g.p->blocks[from].order; i < s->end; i++) {
        int b = s->g.sorted[i];
        int leads = join == s->g.n || ptx_leads(s->g.p, b, join) || (s->left >= 0 && graph_in_loop(&s->g, b, s->left));
        s->in[b] = b != join && leads && graph_dominates(&s->g, from, b);
        s->gone[b] = s->whole[b] = s->late[b] = 0;
        s->part[b] = b;
        s->cost[b] = own_cost(s, b);
    }
}

int tails_much_to_do(const struct search *s, int tail, int join)
{
    unsigned work = 0;
    for (int to[2], at = tail, b = tail;;) {
        int n = cfg_successors(s->g.p, b, to), k = 0, jumps = s->g.p->blocks[b].end == END_BRANCH;
        work += cfg_work(s->g.p, b);
        if (work >= CFG_MUCH_WORK || s->g.loop[b] == b)
            return at;
        for (int i = 0; i < n; i++) {
            if (to[i] == join)
                continue;
            if (to[i] == s->g.n || s->g.p->blocks[to[i]].order <= s->g.p->blocks[b].order)
                return at;
            to[k++] = to[i];
        }
        if (k != 1)
            return k ? at : -1;
        if (n > 1 && graph_ways_in(&s->g, to[0]) > 1)
            return at;
        at = n > 1 || (at == b && graph_only_jumps(&s->g, b) && graph_ways_in(&s->g, to[0]) == 1) ? to[0] : at;
        work = n > 1 ? 0 : work + jumps;
        b = to[0];
    }
}
