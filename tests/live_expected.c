/* live_expected.c - what common/model counts over a grid of the live figures' settings, a line
 * each, for tests/slides_live.sh.
 *
 *      global GPU stride offset width bytes    sectors lines moved wavefronts
 *      shared GPU row bytes                    wavefronts conflicts
 *      tile   GPU x y pad                      load store sectors blocks warps
 */
#include "model/model.h"

#include <stdio.h>

static uint64_t wide[WARP_SIZE];
static uint32_t addr[WARP_SIZE];

static void global(const struct model_profile *p, int stride, int offset, int width, unsigned bytes)
{
    for (int l = 0; l < WARP_SIZE; l++)
        wide[l] = (uint64_t)(offset + l / width * 64 + l % width * stride) * bytes;
    struct model_global g = model_coalesce(p, wide, ~0u, bytes);
    printf("global %s %d %d %d %u %u %u %u %u\n", p->name, stride, offset, width, bytes, g.sectors,
        g.tags, g.bytes, g.wavefronts);
}

static void shared(const struct model_profile *p, int row, unsigned bytes)
{
    for (int l = 0; l < WARP_SIZE; l++) addr[l] = (uint32_t)(l * row) * bytes;
    struct model_shared s = model_banks(p, addr, ~0u, bytes);
    printf("shared %s %d %u %u %u\n", p->name, row, bytes, s.wavefronts, s.conflicts);
}

static void tile(const struct model_profile *p, int x, int y, int pad)
{
    for (int l = 0; l < WARP_SIZE; l++) addr[l] = (uint32_t)(l % y * (x + pad) + l / y) * 4;
    unsigned load = model_banks(p, addr, ~0u, 4).wavefronts;
    for (int l = 0; l < WARP_SIZE; l++) addr[l] = (uint32_t)(l / x * (x + pad) + l % x) * 4;
    unsigned store = model_banks_store(p, addr, ~0u, 4).wavefronts;
    for (int l = 0; l < WARP_SIZE; l++) wide[l] = (uint64_t)(l / y * 1024 + l % y) * 4;
    struct model_occupancy o = model_occupancy(p, x * y, 32, (size_t)(4 * y * (x + pad)));
    printf("tile %s %d %d %d %u %u %u %d %d\n", p->name, x, y, pad, load, store,
        model_coalesce_store(p, wide, ~0u, 4).sectors, o.blocks, o.warps);
}

int main(void)
{
    static const int blocks[][2] = {
        {32, 32}, {32, 16}, {32, 8}, {16, 16}, {16, 8}, {8, 16}, {8, 8}, {64, 4}};
    const struct model_profile *p;
    for (int i = 0; (p = model_profile_at(i)); i++) {
        for (unsigned bytes = 1; bytes <= 16; bytes *= 2) {
            for (int stride = 0; stride <= 40; stride++)
                for (int offset = 0; offset <= 32; offset += 3)
                    for (int width = 4; width <= 32; width *= 2)
                        global(p, stride, offset, width, bytes);
            for (int row = 0; row <= 48; row++) shared(p, row, bytes);
        }
        for (int b = 0; b < (int)(sizeof blocks / sizeof *blocks); b++)
            for (int pad = 0; pad <= 16; pad++) tile(p, blocks[b][0], blocks[b][1], pad);
    }
    return 0;
}
