/* warps.c - how many warps a launch has on a multiprocessor, and how many it could have.
 *
 *     room        by one block's registers, shared memory and threads         model_occupancy
 *     resident    by the number of blocks in the grid, too                    model_resident
 *
 * A small grid does not use the room: 4 blocks leave all but 4 multiprocessors idle. */
#include "view/view.h"

static void put_room(struct buf *out, const struct model_occupancy *o)
{
    buf_printf(out, " (");
    buf_count(out, o->blocks, "block");
    buf_printf(out, " a multiprocessor, limited by %s)", model_limiter_names[o->limiter]);
}

void warps_text(struct buf *out, const struct model_profile *gpu, const struct model_occupancy *o,
    uint64_t blocks)
{
    if (!gpu || !blocks) {
        buf_printf(out, "room for ");
        buf_count(out, o->warps, "warp");
        put_room(out, o);
        return;
    }
    struct model_resident r = model_resident(gpu, o, blocks);
    buf_printf(out, "%.3g of %d resident", r.warps, gpu->max_warps);
    if (!r.fills) buf_printf(out, " on average; room for %d", o->warps);
    put_room(out, o);
    if (!r.idle) return;
    buf_printf(out, "; ");
    buf_count(out, (double)blocks, "block");
    buf_printf(out, ": %d of %d multiprocessors idle", r.idle, gpu->sms);
}
