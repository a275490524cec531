/* counters.h - random kernels' counters: the simulator's beside those that ncu reads.
 *
 *     ncu ── lockstep counters --launch CODE ──> a line of CSV a launch ──┐
 *     sim:h200, the same kernels ─────────────────────────────────────────┴──> record ──> table
 *
 * A record has "metrics", a list of names, and "launches": rows with "simulated" and "measured" in their order, "seed", "code" and
 * "yields": how often a warp executed YIELD; "mixed": the simulator's count of generic accesses of at most 4 bytes by lanes that went to
 * global and to local memory at once, "mixed_sectors": their sectors of the latter, with ptxas's regions. Of these the hardware does not count the same each time.
 * "elsewhere": rows of "seed" and "regions", of kernels whose lanes meet elsewhere in ptxas's machine code than told from the PTX: pairs as for
 * device_regions. Their launches have "made", too: as "simulated", with these regions.
 *
 * How many threads execute an access is the program's alone; how many of them do so together, and with it requests and sectors,
 * hangs on where lanes meet. They do so by the machine code's own marks (BSSY, BSYNC), which follow from the program's control
 * flow, but for YIELD: at it others have a turn, by rules of which the simulator lacks some (sim/turns.c). Rows of code that keeps its
 * YIELDs are simulated so, as all launches are; the others without.
 */
#ifndef LOCKSTEP_LAB_COUNTERS_H
#define LOCKSTEP_LAB_COUNTERS_H

#include "lab/record.h"
#include "model/model.h"

/* How machine code is made of the PTX: by the driver's compiler with its optimiser off; so, and then each YIELD made a NOP; as it
 * does by itself; so, and then each YIELD made a NOP. */
enum { CODE_UNOPTIMISED, CODE_WITHOUT_YIELD, CODE_OPTIMISED, CODE_OPTIMISED_WITHOUT_YIELD, CODES };
extern const char *const counters_codes[CODES];

enum { COUNTERS = 9, COUNTERS_SUMMED = 3 };
struct counter {
    enum metric simulated;
    int threads;                            /* it counts threads, whoever is with them */
    const char *measured[COUNTERS_SUMMED];  /* names for crosscheck_parse; their sum. NULL: no more */
};
extern const struct counter counters[COUNTERS];
/* Executions of YIELD, for crosscheck_parse. */
#define COUNTERS_YIELDS "sass__inst_executed_per_opcode:YIELD"

/* Is one of the launch's counters wrong, with ptxas's regions? All have to be equal, but for requests and sectors where it executed
 * YIELD, and nothing of what the optimiser rewrote; where it mixed global and local memory, measured requests of loads may be fewer by as
 * many and their sectors more by as many as were mixed. Says the first of them in why. */
int counters_wrong(const json_t *record, const json_t *launch, struct buf *why);
/* A table in Markdown: a row a kind of launch. */
void counters_table(const json_t *record, struct buf *out);
/* In Markdown: in how many kernels ptxas has lanes meet elsewhere, and whose counters are equal with its regions alone; nothing where none
 * are. */
void counters_elsewhere(const json_t *record, struct buf *out);

#endif
