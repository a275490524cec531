/* counters.h - random kernels' counters: the simulator's beside those that ncu reads.
 *
 *     ncu ── lockstep counters --launch CODE ──> a line of CSV a launch ──┐
 *     sim:h200, the same kernels ─────────────────────────────────────────┴──> record ──> table
 *
 * A record has "metrics", a list of names, and "launches": rows with "simulated" and "measured" in their order, "seed", "code" and
 * "yields": how often a warp executed YIELD; "mixed": the simulator's count of generic accesses of at most 4 bytes by lanes that went to
 * global and to local memory at once, "mixed_sectors": their sectors of the latter. Of these the hardware does not count the same each time.
 * "exceptions": rows of "seed", "code" and "cause", of launches that are known to be wrong by where their lanes meet; "regions": where they do by
 * ptxas's machine code, as for device_regions; "simulated": as above, with these regions.
 *
 * How many threads execute an access is the program's alone; how many of them do so together, and with it requests and sectors,
 * hangs on where lanes meet. They do so by the machine code's own marks (BSSY, BSYNC), which follow from the program's control
 * flow, but for YIELD: at it others have a turn, by rules of which the simulator lacks some (sim/turns.c). Only the rows of unoptimised
 * code as it is are simulated so.
 */
#ifndef LOCKSTEP_LAB_COUNTERS_H
#define LOCKSTEP_LAB_COUNTERS_H

#include "lab/record.h"
#include "model/model.h"

/* How machine code is made of the PTX: by the driver's compiler with its optimiser off; so, and then each YIELD made a NOP; as it
 * does by itself. */
enum { CODE_UNOPTIMISED, CODE_WITHOUT_YIELD, CODE_OPTIMISED, CODES };
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

/* Is one of the launch's counters wrong that is not known to be? All have to be equal, but for requests and sectors where it executed
 * YIELD, and nothing of what the optimiser rewrote; where it mixed global and local memory, measured requests of loads may be fewer by as
 * many and their sectors more by as many as were mixed. Says the first of them in why, also where it is known. An exception that is none
 * any more is wrong, too, and so is one that is not equal with the regions that it names. */
int counters_wrong(const json_t *record, const json_t *launch, struct buf *why);
/* The record's exception for the launch, which stays the record's; NULL: there is none. */
json_t *counters_exception(const json_t *record, const json_t *launch);
/* A table in Markdown: a row a kind of launch. */
void counters_table(const json_t *record, struct buf *out);
/* A list in Markdown of the launches that are known to be wrong but with their own regions, and why; nothing where none is. */
void counters_exceptions(const json_t *record, struct buf *out);

#endif
