/* unwritten.c - finds out why a word of shared memory was read that nothing had written.
 *
 *     a thread reads the word --> longjmp --> the block runs again, ignoring such reads
 *                                                 │
 *         who writes the word?  nobody            └--> no thread fills it: the kernel's indices or edges
 *                               before the next barrier       a barrier is missing in front of the read
 *                               after a later barrier         it is filled too late
 *
 * If the launch goes on after findings, the block does not run again: the rest of its run is
 * observed.
 *
 * If nobody writes the word, the message also states which part of the array the block fills, if
 * that is a rectangle. */
#include "sim/check/check.h"
#include "sim/check/names.h"

#include <stdio.h>
#include <string.h>

/* Records a read of an unwritten word; only the first one is kept. Unless the launch goes on after
 * findings, leaves by longjmp; run_seat in launch.c then calls unwritten_again and
 * unwritten_report. */
void unwritten_found(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes, int atomic)
{
    struct check *c = v->worker->check;
    if (c->looking || sim_partly(v, c->ever, addr, bytes)) return;
    if (sim_known(v, u, FOUND_EARLY) || sim_known(v, u, FOUND_UNFILLED)) return;
    c->unwritten = (struct unwritten){v->index, lane, u->step, atomic, addr, c->barriers, -1};
    c->looking = v->worker->launch->notes != NULL;
    c->ended = 0;
    if (!c->looking) longjmp(v->worker->fault, 3);
}

/* Run the block a second time. Another fault may end this run early; what was found until then is
 * used. */
void unwritten_again(struct worker *w)
{
    w->check->looking = 1;
    run_again(w);
    w->check->ended = 1;
}

void unwritten_end(struct worker *w)
{
    if (!w->check->looking) return;
    w->check->ended = 1;
    unwritten_report(w);
}

static int is_filled(const struct check *c, uint64_t addr)
{
    return addr / 4 < c->words && c->ever[addr / 256] >> (addr / 4 & 63) & 1;
}

/* Called at each barrier of the second run, and at its end. If the word has been written since the
 * previous barrier, records after how many barriers that was. */
void unwritten_barrier(struct check *c)
{
    if (c->looking && c->unwritten.filled < 0 && is_filled(c, c->unwritten.addr))
        c->unwritten.filled = c->barriers;
}

/* The bounding rows lo[0] .. hi[0] and columns lo[1] .. hi[1] of an array's written elements.
 * Returns 1 if all elements within are written and some outside are not. */
static int filled_part(const struct check *c, const struct named *n, long lo[2], long hi[2])
{
    const struct declared *d = &n->shape;
    long columns = d->count == 2 ? d->dim[1] : d->dim[0], filled = 0;
    if (d->count > 2) return 0;
    lo[0] = lo[1] = d->dim[0] + columns;
    hi[0] = hi[1] = -1;
    for (size_t i = 0; i < d->elements; i++) {
        long at[2] = {(long)i / columns, (long)i % columns};
        if (!is_filled(c, n->start + i * d->element)) continue;
        filled++;
        for (int k = 0; k < 2; k++) {
            lo[k] = at[k] < lo[k] ? at[k] : lo[k];
            hi[k] = at[k] > hi[k] ? at[k] : hi[k];
        }
    }
    return filled && filled < (long)d->elements &&
           filled == (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1);
}

/* If the written elements of the array form a rectangle, writes, for example, " (of tile it fills
 * rows 0 to 7, columns 0 to 31)"; else an empty string. */
static void tell_part(const struct check *c, const struct named *n, char *out, size_t size)
{
    long lo[2], hi[2];
    *out = 0;
    if (!filled_part(c, n, lo, hi)) return;
    if (n->shape.count == 1)
        snprintf(out, size, " (of %s it fills [%ld] to [%ld])", n->name, lo[1], hi[1]);
    else
        snprintf(out, size, " (of %s it fills rows %ld to %ld, columns %ld to %ld)", n->name, lo[0],
            hi[0], lo[1], hi[1]);
}

/* If the index lies outside of its array, the byte belongs to another array or to none, and the
 * message says so. */
void unwritten_report(struct worker *w)
{
    struct check *c = w->check;
    const struct unwritten *x = &c->unwritten;
    struct batch *v = &w->batches[x->batch];
    const struct uop at = {.step = x->step};
    const char *verb = x->atomic ? "updates" : "reads";
    struct named n;
    char word[96], part[160] = "", shape[64];
    int known = names_array(w, x->step, x->addr, &n);
    int early = x->filled == x->barriers || (x->filled < 0 && !c->ended && !x->barriers);
    c->looking = 0;
    w->clash = (struct sim_clash){early ? CLASH_EARLY : CLASH_UNWRITTEN, x->addr, -1, -1, -1};
    names_shared(w, x->step, x->addr, word, sizeof word);
    if (known && x->addr - n.start >= n.bytes) {
        names_shape(&n, shape, sizeof shape);
        sim_warn(v, &at, x->lane, names_finding(FOUND_OUTSIDE, &n, x->addr),
            "%s %s; %s has %s element%s", verb, word, n.name, shape, strcmp(shape, "1") ? "s" : "");
        return;
    }
    if (early) {
        sim_warn(v, &at, x->lane, FAULT(.kind = FOUND_EARLY, .hints = HINT_BARRIER),
            "%s %s, which no thread has written yet; is a __syncthreads() missing before this line?",
            verb, word);
        return;
    }
    if (x->filled >= 0) {
        sim_warn(v, &at, x->lane, FAULT(.kind = FOUND_EARLY),
            "%s %s, which is filled only behind a later __syncthreads(): fill it before this line is reached",
            verb, word);
        return;
    }
    if (known) tell_part(c, &n, part, sizeof part);
    sim_warn(v, &at, x->lane, FAULT(.kind = FOUND_UNFILLED),
        "%s %s, which no thread of the block %s%s: give it a value, 0 where the tile reaches past the "
        "matrix, "
        "or do not read it",
        verb, word, c->ended ? "ever fills" : "has filled at the barrier before", part);
}
