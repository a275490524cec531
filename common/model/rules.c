/* rules.c - GPUs that count by another rule than those from compute capability 5.0 on, for which
 * the labs are written: how, in a sentence for a learner.
 *
 * Source: CUDA C Programming Guide 4.2, appendix F. coalesce_old.c and banks_old.c have the
 * rules. */
#include "model/model.h"

#include <stddef.h>

enum topic { NOTHING, GLOBAL, SHARED, TILE };

static const struct {
    int from, to; /* compute capability, times 10 */
    enum topic topic;
    const char *says;
} rules[] = {
    {10, 11, GLOBAL,
        "half a warp takes one transaction if its threads access 16 words in their order, and one for each "
        "thread if they do not"},
    {12, 13, GLOBAL, "half a warp takes as few transactions of 32, 64 or 128 bytes as it can"},
    {20, 21, GLOBAL, "a load takes lines of 128 bytes, a store segments of 32"},
    {10, 13, SHARED, "16 banks serve half a warp at a time"},
    {20, 21, SHARED, "8-byte words are served for half a warp at a time"},
    {30, 37, SHARED, "each of the 32 banks is 8 bytes wide"},
    {10, 13, TILE,
        "half a warp accesses memory at a time and a block has at most 512 threads, so a tile is "
        "16 x 16"},
};

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

const char *model_rule(const struct model_profile *p, enum metric m)
{
    int cc = p->cc_major * 10 + p->cc_minor;
    enum topic t = topic_of(m);
    for (size_t i = 0; t && i < sizeof rules / sizeof *rules; i++)
        if (rules[i].topic == t && cc >= rules[i].from && cc <= rules[i].to) return rules[i].says;
    return NULL;
}

int model_tile(const struct model_profile *p) { return p->tile ? p->tile : WARP_SIZE; }
