/* capability.c - refuses a kernel that needs a feature its GPU lacks (model/features.h).
 *
 * The kit compiles a kernel for a recent GPU, whichever GPU it simulates. So the simulator of an
 * older GPU must refuse what a compiler for that GPU would have refused. */
#include "sim/machine.h"

#include <string.h>

/* The feature that a GPU needs for an atomic operation on operands of this type. */
static enum model_feature feature_of_type(enum ptx_type t)
{
    switch (t) {
    case PTX_F32: return FEATURE_FLOAT_ATOMICS;
    case PTX_F64: return FEATURE_DOUBLE_ATOMICS;
    case PTX_F16X2: return FEATURE_PAIR_ATOMICS;
    case PTX_F16: return FEATURE_HALF_ATOMICS;
    case PTX_BF16:
    case PTX_BF16X2: return FEATURE_BFLOAT_ATOMICS;
    default: return FEATURE_NONE;
    }
}

/* The feature that a step needs: that of its operation's row in ptx_ops, unless the instruction's
 * mode needs another. */
static enum model_feature feature_of(const struct ptx_step *s)
{
    enum model_feature row = ptx_ops[s->op].feature;
    if (s->op == OP_BAR && s->detail == BAR_GRID) return FEATURE_GRID_BARRIERS;
    if (s->op == OP_BAR && s->detail == BAR_CLUSTER) return FEATURE_CLUSTERS;
    if (s->op == OP_MBARRIER && (s->detail == MBARRIER_EXPECT || s->src_count > 2))
        return FEATURE_BULK_COPIES;
    if (s->op == OP_ATOM && s->space == SPACE_SHARED) return FEATURE_SHARED_ATOMICS;
    if (s->op == OP_MMA && ptx_mma[s->detail].ab == NUMBER_F16 && ptx_mma[s->detail].k == 8)
        return FEATURE_HALF_TENSORS;
    return row != FEATURE_DOUBLES && strstr(ptx_ops[s->op].id, "bf16") ? FEATURE_BFLOATS : row;
}

static int lacks(const struct model_profile *profile, enum model_feature need, const char *name,
    int line, struct err *e)
{
    return err_set(e, ERR_LEARNER,
        "%s: line %d needs %s; %s has compute capability %d.%d, which has none: GPUs have it %s",
        name, line, model_features[need].name, profile->title, profile->cc_major, profile->cc_minor,
        model_features[need].where);
}

/* Reports the first step of the program that needs a feature which the GPU lacks, with its source
 * line. Decoding has already replaced mapa by arithmetic, so mapa needs no check here. */
int capability_check(const struct ptx_program *p, const struct model_profile *profile,
    const char *name, struct err *e)
{
    for (size_t i = 0; i < p->step_count; i++) {
        const struct ptx_step *s = &p->steps[i];
        enum model_feature need = feature_of(s);
        if (s->op == OP_ATOM && model_has(profile, need)) need = feature_of_type(s->type);
        if (!model_has(profile, need)) return lacks(profile, need, name, s->loc.line, e);
    }
    if (p->peers && !model_has(profile, ptx_ops[OP_MAPA].feature))
        return lacks(profile, ptx_ops[OP_MAPA].feature, name, p->peers_line, e);
    return 0;
}
