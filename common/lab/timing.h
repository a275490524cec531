/* timing.h - what measured times prove (timing.c). Pure functions; tests feed them synthetic times. */
#ifndef LOCKSTEP_LAB_TIMING_H
#define LOCKSTEP_LAB_TIMING_H

#include "lab/problem.h"

/* The student's time over the reference's: the median of pairs taken side by side, and the 95% interval around it. */
struct timing_ratio {
    double low, median, high;
};
/* From count > 0 pairs of times > 0. The ratios' logarithms, so that twice as slow and twice as fast weigh the same; the
 * interval by the percentile bootstrap with a fixed seed, so that the same times always prove the same. With fewer than 6
 * pairs, the least and the greatest ratio. */
struct timing_ratio timing_compare(const double *student, const double *reference, int count);

/* Is a time measured by events too short to say anything: not well above what the launch itself takes of it, or not well
 * above what events can tell apart? launch_ms: an empty launch, timed the same way; 0: not known. */
int timing_too_short(double ms, double launch_ms);

/* The least time that the GPU can need at this size: every input byte that decides the result read from memory once, as
 * the caches are cold, what the L2 can't hold of the output written, and the operations of a product done. 1.2 times
 * as fast as the profile's reachable bandwidth, which no datasheet promises. 0 when p is NULL. */
double timing_least_ms(const struct model_profile *p, const struct problem *problem, const int *dims);

double timing_median(double *v, int count); /* sorts v; count > 0 */

#endif
