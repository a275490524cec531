/* turns.c - which lanes of a warp run next where some yield: what an H200 does, taken for all GPUs from compute capability 7.0 on.
 *
 *     a region's beginning    BSSY    its mask gets the lanes that run
 *     its end                 BSYNC   they wait, until all of its mask do
 *     a way out of it         BREAK   its mask loses them
 *     a loop's first block    YIELD   they have yielded, and others have a turn
 *
 * Who runs next is told in warp.c.
 *
 * Lanes at the end of a region go on when no lane of its mask is ready or has yielded: it does not matter what the others wait for, be it
 * the end of another region or a barrier. They go on as well while no lane of the warp is ready and no option is left. All lanes of the
 * mask, wherever they are, no longer wait for the end of a region and have not yielded. A lane of no region's mask passes its end. Regions
 * beside each other share masks (ptx/masks.c), and each adds its lanes. Do lanes leave a region that were the last others wait for there,
 * it is as if a branch parted both: the smaller group runs, of two alike the one that leaves.
 *
 * At a .sync the lanes that come last go on, and those that came before have an option; at a barrier all go on together.
 *
 * Measured: lanes that note the clock, who runs with them, and the hardware's own registers (the regions' masks B0 to B5, each lane's
 * state, the options, the turn), in 142 kernels drawn up and 280 by chance, of one warp; the same each time, also beside other warps. These
 * rules, with the regions and masks that the machine code has, give the order of all but one of the former, in which lanes sleep, and of
 * the latter each with all of its YIELDs and with half of them: of 160 kernels all but one and one; of 120 that leave regions or have
 * barriers or .syncs all 240 runs, and in these what the registers hold (but for how lanes are marked that came to a .sync before the last
 * ones). What is said of leaving regions, of barriers, and that lanes which run have no option was found by looking at these 240; rules
 * found before, some with the counters of 91 random kernels in sight, told 72 of them. tests/test_turns.c keeps some.
 *
 * Not told here: ptxas has all lanes of the warp wait for each other behind some regions, too (WARPSYNC.ALL): in those 120 kernels behind
 * each that lanes leave, of 170 other kernels behind 42 regions. Of 266 random kernels that yield it changes no counter. Nor is told what
 * lanes do that part within one instruction, such as a division's subroutine, nor its masks: with all else from the machine code 219 of 241
 * of these kernels have the hardware's counters, and 9 of them not without the masks within instructions. */
#include "sim/warp.h"

#include <stdlib.h>
#include <string.h>

/* A lane's place: a block, and what of it comes next; LEFT_LOOP: the end of the region of the loop that begins with it. */
enum { END_OF_REGION, START_OF_REGION, MAY_YIELD, CODE, AT_BRANCH, BEHIND_SYNC, LEFT_LOOP, PARTS };

/* Warps have their turns, too, of so many parts of code: one may wait for another. */
enum { PARTS_AT_ONCE = 256 };

struct yielding {
    int warp, left;          /* that runs, and how many parts more */
    int stuck;               /* so many warps before it cannot go on */
    struct lanes w[CONVOY_WARPS];
};

struct yielding *yielding_new(void)
{
    return xcalloc(1, sizeof(struct yielding));
}

void yielding_free(struct yielding *y)
{
    free(y);
}

static void set_place(struct lanes *w, uint32_t mask, int block, int part)
{
    for (; mask; mask &= mask - 1)
        w->place[first_of(mask)] = block * PARTS + part;
}

void yielding_start(struct convoy *v)
{
    v->yielding->warp = v->yielding->stuck = 0;
    v->yielding->left = PARTS_AT_ONCE;
    for (int i = 0; i < v->warps; i++) {
        struct lanes *w = &v->yielding->w[i];
        memset(w, 0, sizeof *w);
        set_state(w, ~0u, RETURNED);
        set_state(w, v->exist[i], READY);
        set_place(w, ~0u, 0, START_OF_REGION);
        w->active = v->exist[i];
    }
}

static void go(const struct sim_kernel *k, struct lanes *w, uint32_t mask, int from, int to);

/* Lanes that come to the end of a region pass it. */
static void pass(const struct sim_kernel *k, struct lanes *w, uint32_t mask)
{
    int place = mask ? w->place[first_of(mask)] : 0, at = place / PARTS;
    const struct ptx_block *blocks = k->program->blocks;
    if (place % PARTS == BEHIND_SYNC)
        go(k, w, mask, at, k->blocks[at].next);
    else if (place % PARTS == LEFT_LOOP)
        set_place(w, mask, blocks[at].left_at, blocks[blocks[at].left_at].opens >= 0 ? END_OF_REGION : START_OF_REGION);
    else
        set_place(w, mask, at, START_OF_REGION);
}

/* ---- regions ---- */

static void end_region(const struct sim_kernel *k, struct lanes *w, int mask)
{
    uint32_t region = w->region[mask], here = w->active & region, through = w->active & ~here;
    if (!here) {
        pass(k, w, through);
        return;
    }
    set_state(w, here, mask);
    if ((region & busy(w)) && (through || w->options || in_state(w, READY) & ~through)) {
        w->active = through;
        pass(k, w, through);
        return;
    }
    w->active = through | (in_state(w, mask) & region & at_place(w, w->place[first_of(here)]));
    set_state(w, region & may_run(w), READY);
    pass(k, w, w->active);
    w->region[mask] = 0;
    pass_turn(w);
}

/* Lanes will not come to the end of a region. Were they the last that others wait for there, those wait no longer, and have parted from the
 * lanes that run. */
static void leave(const struct sim_kernel *k, struct lanes *w, int end, uint32_t mask)
{
    int number = k->program->blocks[end].mask;
    uint32_t wait = in_state(w, number);
    w->region[number] &= ~mask;
    if (!wait || (w->region[number] & busy(w)))
        return;
    w->region[number] = 0;
    set_state(w, wait, READY);
    wait &= at_place(w, w->place[first_of(wait)]);
    choose_smaller(w, w->active, wait);
    if (w->active == wait)
        pass_turn(w);
}

/* Do lanes at block b come to block end before the next turn of a loop that both are in? */
static int comes_to(const struct ptx_program *p, int b, int end)
{
    if (ptx_leads(p, b, end))
        return 1;
    for (int l = p->blocks[b].loop; l >= 0 && p->blocks[end].loop != l; l = p->blocks[l].around)
        if (ptx_leads(p, l, end))
            return 1;
    return 0;
}

/* Is block b within the region that ends at another, or where it begins? */
static int is_within(const struct ptx_program *p, int b, int end)
{
    const struct ptx_block *x = &p->blocks[end];
    return (b == x->opens && !x->opens_loop) || (ptx_open(p, end, b) && comes_to(p, b, end));
}

/* Is block b in the loop that begins with another? */
static int is_in_loop(const struct ptx_program *p, int b, int first)
{
    int l = p->blocks[b].loop;
    while (l >= 0 && l != first)
        l = p->blocks[l].around;
    return l == first;
}

/* Where lanes are that go from one block to another. */
static void come(const struct sim_kernel *k, struct lanes *w, uint32_t mask, int from, int to)
{
    const struct ptx_program *p = k->program;
    if (!mask || (size_t)to >= p->block_count) {
        set_place(w, mask, to, CODE);
        return;
    }
    const struct ptx_block *x = &p->blocks[to];
    int back = k->blocks[from].order >= x->order;
    set_place(w, mask, to, back ? MAY_YIELD : START_OF_REGION);
    if (x->opens >= 0 && back == (p->blocks[x->opens].order >= x->order))
        set_place(w, mask, to, END_OF_REGION);
    for (int l = p->blocks[k->blocks[from].home].loop; l >= 0; l = p->blocks[l].around)
        if (p->blocks[l].left_at == to && !is_in_loop(p, to, l))
            set_place(w, mask, l, LEFT_LOOP);
}

/* They leave the regions that they do not come to the end of. Others may run before they go on. */
static void leave_regions(const struct sim_kernel *k, struct lanes *w, uint32_t mask, int from, int to)
{
    const struct ptx_program *p = k->program;
    if (!mask || (size_t)to >= p->block_count)
        return;
    const struct ptx_block *x = &p->blocks[to];
    int home = k->blocks[from].home, back = k->blocks[from].order >= x->order;
    uint32_t active = w->active;
    for (int r = 0; r < (int)p->block_count && w->active == active; r++) {
        const struct ptx_block *end = &p->blocks[r];
        if (r == to || end->opens < 0 || !is_within(p, home, r))
            continue;
        if (!comes_to(p, to, r) || (back && !end->opens_loop && p->blocks[end->opens].order >= x->order))
            leave(k, w, r, mask);
    }
}

static void go(const struct sim_kernel *k, struct lanes *w, uint32_t mask, int from, int to)
{
    come(k, w, mask, from, to);
    leave_regions(k, w, mask, from, to);
}

static void begin_regions(const struct ptx_program *p, struct lanes *w, int block, int loop)
{
    if (loop && p->blocks[block].left_at >= 0)
        w->region[p->blocks[block].left_mask] |= w->active;
    for (size_t r = 0; r < p->block_count; r++)
        if (p->blocks[r].opens == block && p->blocks[r].opens_loop == loop)
            w->region[p->blocks[r].mask] |= w->active;
}

/* ---- the ends of blocks ---- */

static void part(struct convoy *v, struct lanes *w, int i, int at, const uint32_t taken[CONVOY_WARPS])
{
    const struct sim_kernel *k = v->worker->kernel;
    const struct code_block *b = &k->blocks[at];
    uint32_t other[CONVOY_WARPS] = {0}, active = w->active;
    other[i] = active & ~taken[i];
    begin_regions(k->program, w, b->home, 0);
    leave_regions(k, w, taken[i], at, b->target);
    leave_regions(k, w, other[i], at, b->next);
    if (w->active != active) {
        set_place(w, active, at, AT_BRANCH);
        return;
    }
    come(k, w, taken[i], at, b->target);
    if (!other[i])
        return;
    come(k, w, other[i], at, b->next);
    if (!taken[i])
        return;
    v->worker->steps[k->uops[b->last].step].divergent++;
    if (v->worker->join)
        join_part(v->worker->join, v, taken, other);
    choose_smaller(w, other[i], taken[i]);
}

/* A .sync waits until all lanes that it names are there; who came last goes on, the others have an option. It has a region for itself if a
 * register names them. */
static void together(struct convoy *v, struct lanes *w, int i, int at, const uint32_t here[CONVOY_WARPS])
{
    const struct sim_kernel *k = v->worker->kernel;
    const struct code_block *b = &k->blocks[at];
    const struct uop *u = &k->uops[b->last];
    uint32_t mask[CONVOY_WARPS] = {0};
    const struct ptx_step *step = &k->program->steps[u->step];
    int one, region = step->op != OP_BARWARP && step->src[step->src_count - 1].kind == SRC_REG;
    w->active &= ~here[i];
    go(k, w, w->active, at, b->next);
    if (!here[i])
        return;
    if (region)
        w->region[k->program->blocks[b->home].free_mask] |= here[i];
    uint32_t named = lanes_named(v, u, i, here[i], &one) & v->exist[i] & ~v->exited[i];
    mask[i] = here[i] | (in_state(w, AT_SYNC) & at_place(w, at * PARTS + CODE));
    if (named & ~mask[i]) {
        set_state(w, here[i], AT_SYNC);
        return;
    }
    convoy_under(v, mask, u);
    set_state(w, mask[i], READY);
    if (region)
        set_place(w, mask[i], at, BEHIND_SYNC);
    else
        go(k, w, mask[i], at, b->next);
    if (mask[i] & ~here[i])
        add_option(w, mask[i] & ~here[i]);
    w->active = here[i];
    w->again = 0;
}

static void come_to_barrier(struct lanes *w, uint32_t mask, int step)
{
    uint32_t through = w->active & ~mask;
    set_state(w, mask, AT_BARRIER);
    for (uint32_t m = mask; m; m &= m - 1)
        w->step[first_of(m)] = step;
    w->active = through;
}

static void run_code(struct convoy *v, struct lanes *w, int i, int at)
{
    const struct sim_kernel *k = v->worker->kernel;
    const struct code_block *b = &k->blocks[at];
    const struct uop *last = b->last >= 0 ? &k->uops[b->last] : NULL;
    uint32_t mask[CONVOY_WARPS] = {0};
    mask[i] = w->active;
    convoy_set_active(v, mask);
    if (w->place[first_of(w->active)] % PARTS == CODE) {
        v->executed = w->executed;
        convoy_enter(v, at);
        w->executed = v->executed;
    }
    if (last)
        convoy_guarded(v, last, mask);
    switch (b->end) {
    case END_BRANCH: part(v, w, i, at, mask); return;
    case END_WARP: together(v, w, i, at, mask); return;
    case END_EXIT:
        v->exited[i] |= mask[i];
        set_state(w, mask[i], RETURNED);
        w->active &= ~mask[i];
        break;
    case END_BARRIER:
        go(k, w, w->active, at, b->next);
        come_to_barrier(w, mask[i], last->step);
        return;
    case END_TRAP:
        if (mask[i])
            sim_fault(v, last, sim_first_lane(mask), "stops the kernel (trap)");
        break;
    case END_FALL: break;
    }
    go(k, w, w->active, at, b->next);
}

static void run_part(struct convoy *v, struct lanes *w, int i)
{
    const struct sim_kernel *k = v->worker->kernel;
    const struct ptx_program *p = k->program;
    int place = w->place[first_of(w->active)], at = place / PARTS;
    switch (place % PARTS) {
    case END_OF_REGION: end_region(k, w, p->blocks[at].mask); break;
    case LEFT_LOOP: end_region(k, w, p->blocks[at].left_mask); break;
    case BEHIND_SYNC: end_region(k, w, p->blocks[k->blocks[at].home].free_mask); break;
    case START_OF_REGION:
        begin_regions(p, w, at, 1);
        set_place(w, w->active, at, MAY_YIELD);
        break;
    case MAY_YIELD:
        set_place(w, w->active, at, CODE);
        if (!p->blocks[at].yields)
            break;
        set_state(w, w->active, YIELDED);
        w->active = 0;
        break;
    default: run_code(v, w, i, at); break;
    }
}

/* ---- a convoy ---- */

/* Lanes that wait at a .sync look once more, now that others may have returned. */
static int look_again(struct convoy *v, struct lanes *w, int i)
{
    uint32_t wait = in_state(w, AT_SYNC);
    if (!wait)
        return 0;
    wait &= at_place(w, w->place[first_of(wait)]);
    const struct uop *u = &v->worker->kernel->uops[v->worker->kernel->blocks[w->place[first_of(wait)] / PARTS].last];
    if (wait == w->again)
        sim_fault(v, u, i * 32 + first_of(wait), "waits for lanes that come to another instruction, while lanes take turns at YIELD");
    uint32_t here[CONVOY_WARPS] = {0};
    here[i] = w->again = w->active = wait;
    set_state(w, wait, READY);
    convoy_set_active(v, here);
    together(v, w, i, w->place[first_of(wait)] / PARTS, here);
    return 1;
}

/* All warps' lanes wait at a barrier, or have returned: has every thread come to the same one? */
static void meet(struct convoy *v)
{
    int first = -1;
    for (int l = 0; l < v->warps * 32; l++) {
        const struct lanes *w = &v->yielding->w[l / 32];
        if (w->state[l % 32] != AT_BARRIER)
            continue;
        if (first < 0)
            v->barrier_step = w->step[l % 32];
        else
            barrier_compare(v, v->barrier_step, first, v, w->step[l % 32], l);
        first = first < 0 ? l : first;
    }
    v->state = first < 0 ? CONVOY_DONE : CONVOY_WAITS;
    for (int i = 0; i < v->warps && first >= 0; i++) {
        struct lanes *w = &v->yielding->w[i];
        uint32_t here = in_state(w, AT_BARRIER), absent = v->exist[i] & ~here;
        if (absent)
            barrier_missed(v, v->barrier_step, first, i * 32 + first_of(absent));
        set_state(w, here, READY);
        w->active = here & at_place(w, w->place[first_of(here)]);
    }
    if (first >= 0 && v->worker->join)
        join_meet(v->worker->join);
}

/* The next warp's turn; returns whether it is the first one's. */
static int next_warp(struct convoy *v)
{
    struct yielding *y = v->yielding;
    y->left = PARTS_AT_ONCE;
    y->warp = (y->warp + 1) % v->warps;
    return !y->warp;
}

void yielding_run(struct convoy *v)
{
    struct yielding *y = v->yielding;
    for (int round = 0; v->state == CONVOY_RUNS && v->clock < v->worker->horizon && !round;) {
        struct lanes *w = &y->w[y->warp];
        if (w->active || choose(w)) {
            run_part(v, w, y->warp);
            y->stuck = 0;
            if (!--y->left)
                round = next_warp(v);
        } else if (look_again(v, w, y->warp)) {
            y->stuck = 0;
        } else if (++y->stuck < v->warps) {
            next_warp(v);
        } else {
            y->stuck = y->warp = 0;
            meet(v);
        }
    }
}
