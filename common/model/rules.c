/* rules.c - explains to a learner, in a sentence, metrics that old GPUs count by another rule than
 * those from compute capability 5.0 on, for which the labs are written.
 *
 * Source: CUDA C Programming Guide 4.2, appendix F. coalesce_old.c and banks_old.c implement the
 * rules. */
#include "model/model.h"

#include <stddef.h>

enum topic { NOTHING, GLOBAL, SHARED, TILE };

static enum topic topic_of(enum metric m)
{
    switch (m) {
    case METRIC_GLD_SECTORS:
    case METRIC_GST_SECTORS:
    case METRIC_GLD_SECTORS_PER_REQUEST:
    case METRIC_GST_SECTORS_PER_REQUEST:
    case METRIC_GLD_EFFICIENCY:
    case METRIC_GST_EFFICIENCY: return GLOBAL;
    case METRIC_SLD_CONFLICTS:
    case METRIC_SST_CONFLICTS:
    case METRIC_SLD_PER_REQUEST:
    case METRIC_SST_PER_REQUEST:
    case METRIC_SLD_WAVEFRONTS:
    case METRIC_SST_WAVEFRONTS: return SHARED;
    case METRIC_GLD_REQUESTS:
    case METRIC_GST_REQUESTS:
    case METRIC_SLD_INST:
    case METRIC_SST_INST:
    case METRIC_BARRIER:
    case METRIC_FFMA_SHARE: return TILE;
    default: return NOTHING;
    }
}

static const char *rule_of_global(const struct model_profile *p)
{
    if (model_has(p, FEATURE_LINE_LOADS))
        return "a load takes lines of 128 bytes, a store segments of 32";
    if (!model_has(p, FEATURE_HALF_WARPS)) return NULL;
    if (model_has(p, FEATURE_ANY_ORDER))
        return "half a warp takes as few transactions of 32, 64 or 128 bytes as it can";
    return "half a warp takes one transaction if its threads access 16 words in their order, and one for "
           "each thread if they do not";
}

static const char *rule_of_shared(const struct model_profile *p)
{
    if (model_has(p, FEATURE_HALF_WARPS)) return "16 banks serve half a warp at a time";
    if (model_has(p, FEATURE_HALF_WORDS))
        return "8-byte words are served for half a warp at a time";
    return p->bank_bytes == 8 ? "each of the 32 banks is 8 bytes wide" : NULL;
}

static const char *rule_of_tile(const struct model_profile *p)
{
    if (!model_has(p, FEATURE_HALF_WARPS)) return NULL;
    return "half a warp accesses memory at a time and a block has at most 512 threads, so a tile is "
           "16 x 16";
}

const char *model_rule(const struct model_profile *p, enum metric m)
{
    switch (topic_of(m)) {
    case GLOBAL: return rule_of_global(p);
    case SHARED: return rule_of_shared(p);
    case TILE: return rule_of_tile(p);
    default: return NULL;
    }
}

int model_tile(const struct model_profile *p) { return p->tile ? p->tile : WARP_SIZE; }
