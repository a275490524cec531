/* verdict.h - from what was found out about an exercise to points, status and the reasons (verdict.c). */
#ifndef LOCKSTEP_LAB_VERDICT_H
#define LOCKSTEP_LAB_VERDICT_H

#include "lab/grade.h"

/* What correctness checks found, over all steps. */
struct findings {
    int wrong;   /* a step gave a wrong result, faulted or did not end; r->message says which */
    int written; /* a step that earns points wrote some output */
};

/* Fill in score, status, times and message of r, whose steps hold their measurements. */
void verdict(struct result *r, const struct findings *f);
/* The name a report prints for a metric: nvprof's where it is short and known, else ncu's. */
const char *metric_name(enum metric m);
/* Whole numbers as such, others with three significant digits more than none: "16.5", "131072", "-" for NAN. */
void print_value(struct buf *out, double v);
int step_earns(const struct step *s);

#endif
