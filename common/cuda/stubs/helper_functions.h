/* helper_functions.h - stands in for the header of CUDA's samples: options, a stopwatch, comparisons. */
#ifndef LOCKSTEP_STANDIN_HELPER_FUNCTIONS_H
#define LOCKSTEP_STANDIN_HELPER_FUNCTIONS_H

#include "helper_string.h"
#include "helper_timer.h"
#include <math.h>

/* Is the L2 norm of the difference less than epsilon times the L2 norm of the reference? */
static inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned n, float epsilon)
{
    double difference = 0, norm = 0;
    for (unsigned i = 0; i < n; i++) {
        difference += ((double)reference[i] - data[i]) * ((double)reference[i] - data[i]);
        norm += (double)reference[i] * reference[i];
    }
    return norm > 0 && sqrt(difference / norm) < epsilon;
}
/* Are all elements, except for a share of them, within epsilon of the reference? */
template <class T, class S>
bool compareData(const T *reference, const T *data, unsigned n, S epsilon, float share)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++)
        wrong += !(fabs((double)reference[i] - (double)data[i]) <= (double)epsilon);
    return wrong <= (unsigned)(share * (float)n);
}

#endif
