/* counters_run.h - shared between the files of lockstep counters: which kernels, and who is launched.
 *
 *     counters_cmd.c   the command, and what ncu is put around
 *     counters_ncu.c   the hardware's half: ncu, or a record
 *     counters_sim.c   the simulator's half: as told, by turns, with ptxas's regions
 */
#ifndef LOCKSTEP_LAB_COUNTERS_RUN_H
#define LOCKSTEP_LAB_COUNTERS_RUN_H

#include "lab/counters.h"
#include "lab/outcome.h"
#include "lab/random_files.h"

#define COUNTERS_DEVICE "sim:h200"

struct sample {
    struct kit kit;
    struct random_files set;
    const char *device, *ncu, *name; /* name: of the record */
    const char *ptxas;   /* as --ptxas says; NULL: nothing does */
    int only;            /* the one code to measure, of all kernels; CODES: each, of the kernels that need it */
    char *on;            /* of each kernel, from the first seed: is it one of those to launch? */
    json_t *record;
};

struct random_kernel sample_kernel(const struct sample *s, int i);
json_t *sample_number(double v); /* null for NAN */
/* What is done with each kernel that is on. */
typedef int sample_visit(struct sample *s, const struct random_kernel *k, struct way *w, struct err *e);
int sample_visit_file(struct sample *s, int file, struct way *w, sample_visit *each, struct err *e);
/* In the order of seeds, on a device. */
int sample_visit_all(struct sample *s, const char *device, sample_visit *each, struct err *e);
/* seeds: those to be on, "1,2,5"; NULL: all. */
int sample_choose(struct sample *s, const char *seeds, struct err *e);

/* Fill the record's "measured" halves: by ncu, or from the file of that name. */
int counters_from_hardware(struct sample *s, struct err *e);
int counters_from_record(struct sample *s, struct err *e);
/* Fill the simulated halves. Where ptxas has regions elsewhere is asked anew on a GPU or with ptxas, else the record's. */
int counters_simulate(struct sample *s, struct err *e);

#endif
