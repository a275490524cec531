/* live_expected.c - what common/model counts over a grid of the live figures' settings, a line
 * each, for tests/slides_live.sh.
 *
 *      global GPU stride offset width bytes    sectors lines moved wavefronts
 *      shared GPU row bytes                    wavefronts conflicts
 *      tile   GPU x y pad                      load store sectors blocks warps
 *      stages N copy work                      idle end, asked there begun of each step
 *      fragment k per matrix row column        lane register
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

static void stages(int n, long copy, long work)
{
    enum { STEPS = 6 };
    struct model_step s[STEPS];
    long idle = model_stages(n, copy, work, STEPS, s);
    printf("stages %d %ld %ld %ld %ld", n, copy, work, idle, s[STEPS - 1].done);
    for (int i = 0; i < STEPS; i++) printf(" %ld %ld %ld", s[i].asked, s[i].there, s[i].begun);
    printf("\n");
}

/* Prints the elements of a matrix row by row, each with the lane and register that hold it. */
static void fragment(int k, int per, char matrix)
{
    int rows = matrix == 'b' ? k : 16, columns = matrix == 'a' ? k : 8,
        elements = matrix == 'c' ? 1 : per;
    for (int at = 0; at < rows * columns; at++)
        for (int l = 0; l < WARP_SIZE; l++)
            for (int i = 0; i < rows * columns / WARP_SIZE; i++) {
                int r = i / elements, e = i % elements, row = model_c_row(l, r),
                    column = model_c_column(l, r);
                if (matrix == 'a')
                    row = model_a_row(16, l, r), column = model_a_column(16, l, r, e, per);
                if (matrix == 'b') row = model_b_row(l, r, e, per), column = model_b_column(l);
                if (row * columns + column == at)
                    printf("fragment %d %d %c %d %d %d %d\n", k, per, matrix, row, column, l, r);
            }
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
    for (int n = 1; n <= 6; n++)
        for (long copy = 100; copy <= 1500; copy += 140)
            for (long work = 100; work <= 1500; work += 140) stages(n, copy, work);
    static const int products[][2] = {{8, 1}, {8, 2}, {16, 2}};
    for (int i = 0; i < 3; i++)
        for (const char *m = "abc"; *m; m++) fragment(products[i][0], products[i][1], *m);
    return 0;
}
