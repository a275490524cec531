/* write_combine.c - write combining: stores to one line that leave a multiprocessor together.
 *
 *     st x ──> line 7  ##..##..##..##..         The L2 counts a sector once for each time that it leaves,
 *     st y ──> line 7  ####.###.###.##.  ──>    written whole or in part.
 *              line 9  ##..............
 *              (the last lines stored to)
 *
 * Stores of a batch of warps (a batch) in one block of code can combine:
 *
 * - A store to a line that is still held adds its bytes to it. join_lines lines are held for as many warps as
 *   there are schedulers, which take turns: 28 for up to 4 warps, 56 for a batch of 8. A new line pushes the
 *   oldest out. A store to more than join_lines lines combines with nothing.
 * - A store to fewer than half of join_lines lines combines with others of its own warp alone: its lines
 *   have left when the next warp's store comes. Lines of a larger store take longer to leave: the next 4
 *   warps, one a scheduler, can still add to them.
 * - All lines leave at a load from global memory, and when another block of code stores.
 *
 * Source: an H200's lts__t_sectors_srcunit_tex_op_write. One warp that stores both halves of each line
 * combines up to 28 lines, and none of 32. If several warps store parts of the same sectors, so much is
 * left: 97% with 2 lines a store (zip), 87% with 4 (interleave), 91% with 8 (distances, all in
 * solutions/measured/others.cu), 42% with 16 (the naive product). */
#include "sim/machine.h"

#include <stdlib.h>

enum { LINE_SHIFT = 7, SECTORS = 4, HELD_MAX = 64 };

struct line {
    uint64_t number;
    int warp, last_warp;     /* of the batch: the first that stored to it, the last that may join */
    uint32_t bytes[SECTORS]; /* written: a bit each, a word a sector */
};

struct write_combine {       /* one a seat of a multiprocessor */
    struct line line[HELD_MAX]; /* a ring: count of them, the oldest at first */
    int first, count;
    int lines, schedulers;   /* as in the profile */
    const struct batch *batch; /* whose stores they are */
    uint64_t block, executed; /* in which block, in which block of code */
    struct left left;
};

struct write_combine *write_combine_new(const struct launch *l)
{
    const struct model_profile *p = l->profile;
    if (!p->join_lines)
        return NULL;
    struct write_combine *c = xcalloc(1, sizeof *c);
    c->lines = p->join_lines < HELD_MAX / 2 ? p->join_lines : HELD_MAX / 2;
    c->schedulers = p->schedulers;
    return c;
}

void write_combine_free(struct write_combine *c)
{
    free(c);
}

static void leave(struct write_combine *c, const struct line *l)
{
    int partial = 0;
    for (int s = 0; s < SECTORS; s++) {
        c->left.sectors += l->bytes[s] != 0;
        partial += l->bytes[s] != 0 && l->bytes[s] != ~0u;
    }
    c->left.partial += (uint64_t)partial;
    c->left.lines += partial != 0;
}

static void leave_oldest(struct write_combine *c)
{
    leave(c, &c->line[c->first]);
    c->first = (c->first + 1) % HELD_MAX;
    c->count--;
}

static void leave_all(struct write_combine *c)
{
    while (c->count)
        leave_oldest(c);
}

static void store_line(struct write_combine *c, const struct line *l, int room)
{
    for (int i = c->count; i-- > 0;) {
        struct line *there = &c->line[(c->first + i) % HELD_MAX];
        if (there->number == l->number && l->warp >= there->warp && l->warp <= there->last_warp) {
            for (int s = 0; s < SECTORS; s++)
                there->bytes[s] |= l->bytes[s];
            return;
        }
    }
    if (c->count == room)
        leave_oldest(c);
    c->line[(c->first + c->count++) % HELD_MAX] = *l;
}

/* The lines of one warp's store, in the order of its lanes; returns how many. */
static int lines_of(struct line out[WARP_SIZE], uint64_t base, const uint32_t off[32], uint32_t mask,
                    unsigned bytes)
{
    int count = 0, at = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t addr = base + off[__builtin_ctz(m)], number = addr >> LINE_SHIFT;
        if (!count || out[at].number != number)
            for (at = 0; at < count && out[at].number != number; at++)
                ;
        if (at == count)
            out[count++] = (struct line){.number = number};
        out[at].bytes[addr >> 5 & 3] |= (uint32_t)((UINT64_C(1) << bytes) - 1) << (addr & 31);
    }
    return count;
}

static void store(struct write_combine *c, const struct batch *v, const struct uop *u, int warp,
                  uint64_t base, const uint32_t off[32], uint32_t mask)
{
    struct line line[WARP_SIZE];
    int n = lines_of(line, base, off, mask, (unsigned)u->bytes * u->vector);
    int room = c->lines * (v->warps > c->schedulers ? 2 : 1);
    for (int i = 0; i < n; i++) {
        line[i].warp = warp;
        line[i].last_warp = 2 * n < c->lines ? warp : warp + c->schedulers;
        if (n > c->lines)
            leave(c, &line[i]);
        else
            store_line(c, &line[i], room);
    }
}

/* The batch is about to access global memory. */
static void follow(struct write_combine *c, const struct batch *v, int write)
{
    int same = c->batch == v && c->block == v->worker->block && c->executed == v->executed;
    if (!same || !write)
        leave_all(c);
    c->batch = v;
    c->block = v->worker->block;
    c->executed = v->executed;
}

void write_combine_access(struct batch *v, const struct uop *u, int warp, uint64_t base,
                          const uint32_t off[32], uint32_t mask, int write)
{
    follow(v->worker->combine, v, write);
    if (write)
        store(v->worker->combine, v, u, warp, base, off, mask);
}

void write_combine_compact(struct batch *v, const struct uop *u, const struct pattern *p,
                           const struct reg *a, int write)
{
    follow(v->worker->combine, v, write);
    for (int w = 0; write && w < v->warps; w++)
        store(v->worker->combine, v, u, w, a->base[w] + (uint64_t)u->offset + (uint64_t)p->lo, p->off, ~0u);
}

void write_combine_totals(struct write_combine *c, struct left *sum)
{
    leave_all(c);
    sum->sectors += c->left.sectors;
    sum->partial += c->left.partial;
    sum->lines += c->left.lines;
}
