/* write_combine.c - write combining: stores to one line that leave a multiprocessor together.
 *
 *     st x ──> line 7  ##..##..##..##..         The L2 counts a sector each time that it leaves,
 *     st y ──> line 7  ####.###.###.##.  ──>    written whole or in part.
 *              line 9  ##..............
 *              (the last lines stored to)
 *
 * Stores of one batch of warps in one basic block can combine:
 *
 * - If a line is still held, a store to it adds its bytes. join_lines lines are held (28 on an
 *   H200), or twice as many if the batch has more warps than there are schedulers. A new line
 *   pushes the oldest out.
 * - If a store has more than join_lines lines, it combines with nothing.
 * - If a store has fewer than half of join_lines lines, only stores of the same warp can add to
 *   them. Lines of a larger store take longer to leave, so the next warps, one per scheduler, can
 *   add to them too.
 * - At a load from global memory, or a store in another basic block, all lines leave.
 *
 * Source: an H200's lts__t_sectors_srcunit_tex_op_write. */
#include "sim/machine.h"

#include <stdlib.h>

enum { LINE_SHIFT = 7, SECTORS = 4, HELD_MAX = 64 };

/* A line that is held back. Stores of the warps warp .. last_warp of the batch can combine with
 * it. */
struct line {
    uint64_t number;
    int warp, last_warp;
    uint32_t bytes[SECTORS]; /* one bit for each byte written, one element for each sector */
};

/* The held lines of one slot of a resident block. */
struct write_combine {
    struct line line[HELD_MAX]; /* ring buffer: count lines, the oldest at index first */
    int first, count;
    /* lines: join_lines of the profile (limited); schedulers: those of the profile */
    int lines, schedulers;
    const struct batch *batch; /* the batch that stored the held lines */
    /* block: number of the block of that batch; executed: its count of executed instructions, which
     * differs between basic blocks */
    uint64_t block, executed;
    struct left left;
};

struct write_combine *write_combine_new(const struct launch *l)
{
    const struct model_profile *p = l->profile;
    if (!p->join_lines) return NULL;
    struct write_combine *c = xcalloc(1, sizeof *c);
    c->lines = p->join_lines < HELD_MAX / 2 ? p->join_lines : HELD_MAX / 2;
    c->schedulers = p->schedulers;
    return c;
}

void write_combine_free(struct write_combine *c) { free(c); }

/* Count the sectors of a line that leaves the multiprocessor. */
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
    while (c->count) leave_oldest(c);
}

/* Combine the store's line with the newest held line that it may join; if there is none, hold it as
 * a new line. room: most lines that are held. */
static void store_line(struct write_combine *c, const struct line *l, int room)
{
    for (int i = c->count; i-- > 0;) {
        struct line *there = &c->line[(c->first + i) % HELD_MAX];
        if (there->number == l->number && l->warp >= there->warp && l->warp <= there->last_warp) {
            for (int s = 0; s < SECTORS; s++) there->bytes[s] |= l->bytes[s];
            return;
        }
    }
    if (c->count == room) leave_oldest(c);
    c->line[(c->first + c->count++) % HELD_MAX] = *l;
}

/* Sets out to the lines of one warp's store, in the order of its lanes. Returns the number of
 * lines. A lane's bytes are aligned, so they are in one sector. */
static int lines_of(struct line out[WARP_SIZE], uint64_t base, const uint32_t off[32],
    uint32_t mask, unsigned bytes)
{
    int count = 0, at = 0;
    uint64_t beyond = 0; /* one more than the highest line number so far */
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t addr = base + off[__builtin_ctz(m)], number = addr >> LINE_SHIFT;
        if (number >= beyond)
            at = count, beyond = number + 1;
        else if (out[at].number != number)
            for (at = 0; at < count && out[at].number != number; at++)
                ;
        if (at == count) out[count++] = (struct line){.number = number};
        out[at].bytes[addr >> 5 & 3] |= (uint32_t)((UINT64_C(1) << bytes) - 1) << (addr & 31);
    }
    return count;
}

/* Process one warp's store: each of its lines leaves at once, or is held back. */
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

/* Called before an access to global memory: if the access cannot combine with the held lines, they
 * all leave. */
static void follow(struct write_combine *c, const struct batch *v, int write)
{
    int same = c->batch == v && c->block == v->worker->block && c->executed == v->executed;
    if (!same || !write) leave_all(c);
    c->batch = v;
    c->block = v->worker->block;
    c->executed = v->executed;
}

void write_combine_access(struct batch *v, const struct uop *u, int warp, uint64_t base,
    const uint32_t off[32], uint32_t mask, int write)
{
    follow(v->worker->combine, v, write);
    if (write) store(v->worker->combine, v, u, warp, base, off, mask);
}

void write_combine_totals(struct write_combine *c, struct left *sum)
{
    leave_all(c);
    sum->sectors += c->left.sectors;
    sum->partial += c->left.partial;
    sum->lines += c->left.lines;
}
