/* warp.c - which lanes of a warp run next: what an H200 does (turns.c says how it was measured).
 *
 * Where a branch parts lanes, the smaller group runs, of two alike the one that does not jump; the other one's first lane becomes an
 * option. The last five options are kept, but none of lanes that run. When the lanes that run wait, yield or have returned, the next are:
 *
 * - those of the last option that is ready; or else
 * - those of the lane whose turn it is, in a round of all lanes that have not returned; the turn passes over those that wait at a .sync or
 *   a barrier.
 *
 * Whatever they do, they run: have they yielded, they have a turn; do they wait at the end of a region, they wait no longer, and its mask
 * becomes empty. All lanes at the same place come along, and the turn is the first lane's behind them. Where more options are left, those
 * that wait at the same place come to the end of their region once more. */
#include "sim/warp.h"

#include <string.h>

uint32_t in_state(const struct lanes *w, int state)
{
    uint32_t m = 0;
    for (int l = 0; l < 32; l++)
        m |= (uint32_t)(w->state[l] == state) << l;
    return m;
}

uint32_t busy(const struct lanes *w)
{
    return in_state(w, READY) | in_state(w, YIELDED);
}

uint32_t may_run(const struct lanes *w)
{
    return ~(in_state(w, RETURNED) | in_state(w, AT_BARRIER) | in_state(w, AT_SYNC));
}

uint32_t at_place(const struct lanes *w, int place)
{
    uint32_t m = 0;
    for (int l = 0; l < 32; l++)
        m |= (uint32_t)(w->place[l] == place) << l;
    return m;
}

void set_state(struct lanes *w, uint32_t mask, int state)
{
    for (; mask; mask &= mask - 1)
        w->state[first_of(mask)] = state;
}

void pass_turn(struct lanes *w)
{
    uint32_t left = ~in_state(w, RETURNED);
    if (!(left & ~w->active))
        return;
    while ((w->active | ~left) >> w->turn & 1)
        w->turn = (w->turn + 1) % 32;
}

/* All lanes where this one is run, whatever they do there. again: those that wait come to the end of their region once more; else it has
 * lost all lanes, and they pass. */
static void gather(struct lanes *w, int lane, int again)
{
    uint32_t group = at_place(w, w->place[lane]) & may_run(w);
    int mask = -1;
    for (uint32_t m = group; m && mask < 0; m &= m - 1)
        mask = w->state[first_of(m)];
    if (mask >= 0 && !again)
        w->region[mask] = 0;
    set_state(w, group, READY);
    w->active = group;
    pass_turn(w);
    int options = 0;
    for (int i = 0; i < w->options; i++)
        if (!(group >> w->option[i] & 1))
            w->option[options++] = w->option[i];
    w->options = options;
}

int choose(struct lanes *w)
{
    uint32_t can = may_run(w), other = w->other;
    while (w->options) {
        int lane = w->option[--w->options];
        if (w->state[lane] != READY)
            continue;
        w->other = 0;
        if (other && first_of(other) == lane && !(other & ~(in_state(w, READY) & at_place(w, w->place[lane])))) {
            w->active = other;
            pass_turn(w);
        } else {
            gather(w, lane, w->options);
        }
        return 1;
    }
    if (!can)
        return 0;
    int lane = w->turn;
    while (!(can >> lane & 1))
        lane = (lane + 1) % 32;
    if (~in_state(w, RETURNED) & ~(can & at_place(w, w->place[lane])))
        w->turn = lane;
    gather(w, lane, 0);
    return 1;
}

void add_option(struct lanes *w, uint32_t mask)
{
    if (w->options == OPTIONS)
        memmove(w->option, w->option + 1, sizeof *w->option * (size_t)--w->options);
    w->option[w->options++] = first_of(mask);
}

void choose_smaller(struct lanes *w, uint32_t a, uint32_t b)
{
    w->active = __builtin_popcount(b) < __builtin_popcount(a) ? b : a;
    w->other = (a | b) & ~w->active;
    add_option(w, w->other);
}
