/* contract.c - products and sums that become one multiply-add.
 *
 *     mul.f32 p, a, b;  add.f32 d, p, c      FFMA d, a, b, c
 *     mul.f32 p, a, b;  sub.f32 d, c, p      FFMA d, -a, b, c
 *
 * A product disappears if all that read it are sums of its block that do not read it twice, and
 * neither states how it rounds (mul.rn). A sum takes one product. Only what is counted changes: the
 * values are still rounded twice. Not done here, though ptxas does it: with .ftz, across a
 * barrier, and where the product is negated in between. Source: nvcc 13's machine code for 9.0. */
#include "ptxas/passes.h"

#include <stdlib.h>
#include <string.h>

static int is_product(const struct ptx_step *s)
{
    return (s->op == OP_mul_f32 || s->op == OP_mul_f64) && s->guard < 0;
}

static int is_sum_for(const struct ptx_step *s, const struct ptx_step *product)
{
    return product->op == OP_mul_f32 ? s->op == OP_add_f32 || s->op == OP_sub_f32
                                     : s->op == OP_add_f64 || s->op == OP_sub_f64;
}

/* May the instruction be contracted? One that states its rounding may not. */
static int is_free(const struct ptx_step *s)
{
    return !(s->flags & (FLAGS_UNCOUNTED | FLAG_CONTRACTED)) && s->text && !strstr(s->text, ".rn");
}

struct sought {
    int reg, times;
};

static void meet(void *context, int reg)
{
    struct sought *x = context;
    x->times += reg == x->reg;
}

static int reads(const struct ptx_step *s, int reg)
{
    struct sought x = {reg, 0};
    live_effects(s, meet, live_ignore, &x);
    return x.times;
}

static int writes(const struct ptx_step *s, int reg)
{
    struct sought x = {reg, 0};
    live_effects(s, live_ignore, meet, &x);
    return x.times;
}

/* The sums that read the product at index i are `readers` in all; flag them, and the product, if
 * each can take it. end: behind the block. */
static void contract(struct ptx_program *p, int i, int end, int readers)
{
    int reg = p->steps[i].dst[0], left = readers, last = i;
    for (int k = i + 1; k < end && left; k++) {
        const struct ptx_step *s = &p->steps[k];
        int n = s->flags & FLAG_UNUSED ? 0 : reads(s, reg);
        if (n && (n > 1 || !is_sum_for(s, &p->steps[i]) || !is_free(s))) return;
        left -= n;
        last = k;
        if (writes(s, reg)) break;
    }
    if (left || last == i) return;
    p->steps[i].flags |= FLAG_MERGED | FLAG_FUSED | FLAG_CONTRACTED;
    for (int k = i + 1; k <= last; k++)
        if (!(p->steps[k].flags & FLAG_UNUSED) && reads(&p->steps[k], reg))
            p->steps[k].flags |= FLAG_TOOK | FLAG_CONTRACTED;
}

void ptxas_contract(struct ptx_program *p, const struct ptxas_target *t)
{
    (void)t;
    int *readers = ptxas_readers(p);
    for (size_t b = 0; b < p->block_count; b++) {
        int first = p->blocks[b].first, end = first + p->blocks[b].count;
        for (int i = first; i < end; i++)
            if (is_product(&p->steps[i]) && is_free(&p->steps[i]))
                contract(p, i, end, readers[p->steps[i].dst[0]]);
    }
    free(readers);
}
