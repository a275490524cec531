/* said.c - the words by which each finding is known. */
#include "judge/said.h"

#include <string.h>

static const struct {
    const char *words;
    unsigned is;
} findings[] = {
    {"nothing was written", SAID_NOT_WRITTEN}, /* compare.c, suspects.c */
    {"; all ", SAID_ALL},
    {"each block writes", SAID_BLOCK_PART},
    {"barrier", SAID_BARRIER},                 /* sim/check, sim/exec */
    {"race", SAID_BARRIER},
    {"yet", SAID_BARRIER},
    {"__syncthreads", SAID_BARRIER},
    {"__syncthreads() belongs", SAID_BARRIER_MISSING},
    {"ever fills", SAID_NEVER_FILLED},
    {"not a multiple of", SAID_MISALIGNED},
    {"set to 0", SAID_ZERO},                   /* suspects_product.c */
    {"set to 0 within a loop", SAID_ZERO_IN_LOOP},
    {"loop", SAID_LOOP},
    {"the sum of the first", SAID_LOOP},
    {"set and not added to", SAID_NOT_ADDED},
    {"float4 that is stored", SAID_FLOAT4},
    {"not transposed inside", SAID_PLACE},     /* suspects.c */
    {"wrong place", SAID_PLACE},
    {"of the grid swapped", SAID_GRID_SWAPPED},
    {"less precision", SAID_PRECISION},
    {"no partial sum and no other", SAID_UNKNOWN},
};

unsigned said(const char *why)
{
    unsigned all = 0;
    for (size_t i = 0; why && i < sizeof findings / sizeof *findings; i++)
        if (strstr(why, findings[i].words)) all |= findings[i].is;
    return all;
}
