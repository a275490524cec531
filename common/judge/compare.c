/* compare.c - is an output right, and which elements are wrong?
 *
 * An element is right if |got - answer| <= slack, its tolerance, compared in double. A NaN is never
 * right. */
#include "judge/judge.h"

#include <math.h>

double compare_element(const struct instance *in, const void *data, size_t i)
{
    if (in->problem->buffers[in->problem->output].element == ELEMENT_F64)
        return ((const double *)data)[i];
    return ((const float *)data)[i];
}

/* NaN counts as wrong, since every comparison with it is false. */
int compare_right(const struct expected *want, size_t i, double got)
{
    double slack = want->slack ? want->slack[i] : 0;
    return fabs(got - want->value[i]) <= slack;
}

int compare_output(
    const struct instance *in, const struct expected *want, const void *got, struct difference *d)
{
    *d = (struct difference){0};
    in->problem->result(in->dims, &d->rows, &d->columns);
    d->first_row = d->rows, d->first_column = d->columns;
    for (size_t i = 0; i < want->count; i++)
        if (!compare_right(want, i, compare_element(in, got, i))) {
            if (!d->wrong++) d->first = i;
            if (i / d->columns < d->first_row) d->first_row = i / d->columns;
            if (i % d->columns < d->first_column) d->first_column = i % d->columns;
        }
    return d->wrong ? -1 : 0;
}
