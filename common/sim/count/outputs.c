/* outputs.c - the stores after which a warp loads nothing more: the outputs of its block.
 *
 *     load a, b --> multiply --┐
 *        ^---------------------┴--> store c       c: no way leads from here to a load
 *
 * A kernel that loads nothing has no such end: it stores all the time.
 */
#include "sim/count/count.h"

#include <stdlib.h>

static int loads(const struct ptx_step *s)
{
    return s->op == OP_CPASYNC || s->op == OP_BULK || (s->op == OP_LD && s->space != SPACE_PARAM);
}

/* Set again[b] where a block of code, or one that it leads to, loads. Sweeps from the last block up, until
 * nothing changes: loops need a second sweep. */
static void find_loads(const struct ptx_program *p, char *again)
{
    int changed = 1;
    while (changed--)
        for (int b = (int)p->block_count - 1; b >= 0; b--) {
            int to[2], before = again[b];
            for (int i = 0; i < p->blocks[b].count && !again[b]; i++)
                again[b] = (char)loads(&p->steps[p->blocks[b].first + i]);
            for (int k = ptx_successors(p, b, to); k-- > 0 && !again[b];)
                again[b] = to[k] < (int)p->block_count && again[to[k]];
            if (again[b] != before) changed = 1;
        }
}

double outputs_share(const struct ptx_program *p, const struct sim_step_counts *steps)
{
    char *again = xcalloc(p->block_count + 1, 1);
    double outputs = 0, all = 0;
    int any = 0;
    find_loads(p, again);
    for (size_t b = 0; b < p->block_count; b++) {
        int to[2], later = 0;
        for (int k = ptx_successors(p, (int)b, to); k-- > 0;) later |= again[to[k]];
        for (int i = p->blocks[b].first + p->blocks[b].count; i-- > p->blocks[b].first;) {
            const struct ptx_step *s = &p->steps[i];
            later |= loads(s);
            any |= loads(s);
            if (s->op != OP_ST || (s->space != SPACE_GLOBAL && s->space != SPACE_GENERIC)) continue;
            all += (double)steps[i].sectors;
            if (!later) outputs += (double)steps[i].sectors;
        }
    }
    free(again);
    return any && all > 0 ? outputs / all : 0;
}
