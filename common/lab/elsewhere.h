/* elsewhere.h - random kernels whose lanes meet elsewhere in ptxas's machine code than the simulator tells from the PTX (elsewhere.c).
 *
 *     PTX ── ptxas -O0 ──> machine code's regions ─┐
 *      └──── sim:h200, told from the PTX ──────────┴──> pairs of lines, a kernel
 */
#ifndef LOCKSTEP_LAB_ELSEWHERE_H
#define LOCKSTEP_LAB_ELSEWHERE_H

#include "lab/random_files.h"

/* Pairs as device_regions takes them, count of them; none where all is as told. They are gone afterwards. */
typedef int elsewhere_visit(void *data, uint64_t seed, const int (*pairs)[2], size_t count, struct err *e);

/* The assembler: by its path, or (NULL) where the toolkit is. The caller frees it; NULL with an error: there is none. */
char *elsewhere_ptxas(const char *program, struct err *e);
/* Machine code of PTX, with ptxas's optimiser off, for the architecture that is simulated, its lines numbered as kernel_regions_elsewhere
 * wants them. Files are written to directory. The caller frees *cubin. */
int elsewhere_assemble(const char *directory, const char *ptxas, const char *ptx, char **cubin, size_t *bytes, struct err *e);
/* Every kernel of a file by the first front end, in the order of seeds. */
int elsewhere_visit_file(const struct random_files *set, int file, const char *ptxas, elsewhere_visit *each, void *data, struct err *e);

#endif
