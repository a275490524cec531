/* alu_small.c - executes the operations whose handler is one loop (alu_small.h).
 *
 *     every source is one value per warp   8 values, one per warp; d stays compact
 *     all lanes are active                the lanes of all warps, straight into d
 *     some are inactive                   the lanes of each active warp, then blended into d
 *
 * base[] holds a narrow value in its low 32 bits, and 0 above them. */
#include "sim/exec/alu_small.h"

/* Sets r to the registers of the row's sources. Returns their number. */
static int sources(
    struct batch *v, const struct uop *u, const struct alu_row *row, struct reg *r[4])
{
    const int32_t place[] = {u->a, u->b, u->c, u->e};
    int count = 0;
    for (; count < 4 && row->source[count]; count++) r[count] = &v->regs[place[count]];
    return count;
}

/* One value for each warp, padded with zeros to a whole group. */
struct cells {
    union {
        uint32_t narrow[ALU_GROUP];
        uint64_t wide[ALU_GROUP];
    };
};
_Static_assert((int)BATCH_WARPS <= (int)ALU_GROUP, "a value a warp fits into a group");
static void run_bases(struct batch *v, const struct uop *u, const struct alu_row *row,
    struct reg *const r[4], int count)
{
    struct cells in[4], out;
    struct alu_values x = {.d = &out, .groups = 1};
    for (int s = 0; s < count; s++) {
        in[s] = (struct cells){0};
        x.source[s] = &in[s];
        for (int w = 0; w < BATCH_WARPS; w++)
            if (row->source[s] == 8)
                in[s].wide[w] = r[s]->base[w];
            else
                in[s].narrow[w] = (uint32_t)r[s]->base[w];
    }
    row->each(&x);
    struct reg *d = &v->regs[u->d];
    if (!row->d)
        for (int w = 0; w < BATCH_WARPS; w++) v->pred[u->d][w] = out.narrow[w] ? ~0u : 0;
    else {
        for (int w = 0; w < BATCH_WARPS; w++)
            d->base[w] = row->d == 8 ? out.wide[w] : out.narrow[w];
        reg_compact(d, 0, 0);
    }
}

/* Packs 32 values of 0 and 1 into the bits of a word. */
static uint32_t word_of(const uint32_t yes[32])
{
    uint32_t word = 0;
    for (int l = 0; l < 32; l++) word |= yes[l] << l;
    return word;
}

void alu_run(struct batch *v, const struct uop *u, const struct alu_row *row)
{
    struct reg *r[4];
    struct alu_values x = {.groups = v->warps * 32 / ALU_GROUP};
    uint32_t yes[BATCH_LANES];
    int uniform = 1, count = sources(v, u, row, r);
    for (int s = 0; s < count; s++) uniform &= r[s]->form == FORM_UNIFORM;
    if (uniform) {
        run_bases(v, u, row, r, count);
        return;
    }
    for (int s = 0; s < count; s++) x.source[s] = reg_lanes(v, r[s]);
    x.d = row->d ? reg_write(&v->regs[u->d]) : yes;
    row->each(&x);
    for (int w = 0; !row->d && w < BATCH_WARPS; w++)
        v->pred[u->d][w] = w < v->warps ? word_of(yes + w * 32) : 0;
}

/* Copy the results of "lanes" lanes to d where mask is not 0. */
static void blend_narrow(
    uint32_t *restrict d, const uint32_t *restrict results, const uint32_t *mask, int lanes)
{
    for (int l = 0; l < lanes; l++) d[l] = mask[l] ? results[l] : d[l];
}
static void blend_wide(
    uint64_t *restrict d, const uint64_t *restrict results, const uint32_t *mask, int lanes)
{
    for (int l = 0; l < lanes; l++) d[l] = mask[l] ? results[l] : d[l];
}

/* Computes the active warps first .. end - 1 in one call. d: the lanes of the result, unless it is
 * a predicate. */
static void masked_warps(struct batch *v, const struct uop *u, const struct alu_row *row,
    char *const source[4], char *d, int first, int end)
{
    uint64_t results[BATCH_LANES];
    int lane = first * 32, lanes = (end - first) * 32;
    struct alu_values x = {.d = results, .groups = lanes / ALU_GROUP};
    for (int s = 0; s < 4 && row->source[s]; s++) x.source[s] = source[s] + lane * row->source[s];
    row->each(&x);
    if (row->d == 4)
        blend_narrow((uint32_t *)d + lane, (uint32_t *)results, v->lane_mask + lane, lanes);
    if (row->d == 8) blend_wide((uint64_t *)d + lane, results, v->lane_mask + lane, lanes);
    for (int w = first; !row->d && w < end; w++) {
        uint32_t *p = &v->pred[u->d][w], word = word_of((uint32_t *)results + (w - first) * 32);
        *p = (*p & ~v->active[w]) | (word & v->active[w]);
    }
}

void alu_masked(struct batch *v, const struct uop *u, const struct alu_row *row)
{
    struct reg *r[4];
    char *lanes[4];
    int count = sources(v, u, row, r);
    for (int s = 0; s < count; s++) lanes[s] = reg_lanes(v, r[s]);
    char *d = row->d ? reg_blend(v, &v->regs[u->d]) : NULL;
    for (int first = 0, end; first < v->warps; first = end + 1) {
        for (end = first; end < v->warps && v->active[end];) end++;
        if (end > first) masked_warps(v, u, row, lanes, d, first, end);
    }
}
