/* ops.h - the table of all operations: one row each, with its meaning.
 *
 *     OP1..OP4(id, "keys", result type, source types..., class, meaning)
 *         the result of a lane from its sources a, b, c, e. The meaning is a C expression.
 *     OPP(id, "keys", sources, meaning)
 *         on predicates: the meaning works on 32 lanes at once, one bit per lane.
 *     OPX(id, "keys", class, clocks, feature, traits, "meaning")
 *         needs more than the sources of its lane: memory, other lanes, control flow. The simulator
 *         has a handler.
 *         clocks: approximate latency of the result, by which ptxas orders instructions
 *         feature: what a GPU must have to execute it (model/features.h)
 *         traits: of enum ptx_trait, or 0
 *
 * keys: the opcodes of the row, with {x,y} for alternatives. Before the look-up, .rn .approx .full
 * .ftz .sat are removed: a row without a rounding mode in its key rounds to nearest, .ftz and .sat
 * become steps of their own, and an approximate instruction is computed exactly (the hardware's
 * error is allowed, not required). Types: PTX's; B types are treated as U. Rows that compute a
 * lane's result are in the tables that are included below; each of them yields the handlers of one
 * file sim/exec/alu_*.c, so that none takes long to compile. Source: PTX ISA, instruction set.
 * Functions op_... are in sim/exec/meaning.h. */
/* A file that includes this one defines the macros of the rows that it needs; the others expand to
 * nothing. */
#ifndef OP1
#define OP1(id, keys, d, a, class, expr)
#endif
#ifndef OP2
#define OP2(id, keys, d, a, b, class, expr)
#endif
#ifndef OP3
#define OP3(id, keys, d, a, b, c, class, expr)
#endif
#ifndef OP4
#define OP4(id, keys, d, a, b, c, e, class, expr)
#endif
#ifndef OPP
#define OPP(id, keys, arity, expr)
#endif
#ifndef OPX
#define OPX(id, keys, class, clocks, feature, traits, meaning)
#endif

#include "ptx/ops_integer.h"
#include "ptx/ops_bits.h"
#include "ptx/ops_float.h"
#include "ptx/ops_directed.h"
#include "ptx/ops_compare.h"
#include "ptx/ops_convert.h"
#include "ptx/ops_to_integer.h"
#include "ptx/ops_half.h"
#include "ptx/ops_half_convert.h"

/* operations on memory; in their meanings d, a, b and c are the operands in PTX's order */
OPX(LD, "ld ldu", MEM, 300, NONE, 0, "d = memory[a]")
OPX(ST, "st", MEM, 5, NONE, 0, "memory[a] = b")
OPX(ATOM, "atom red", MEM, 300, GLOBAL_ATOMICS, 0,
    "d = memory[a]; memory[a] = operation(d, b, c), indivisibly")
OPX(CVTA, "cvta", INT, 5, NONE, 0, "an address of a space to a generic one, or back")
OPX(MAPA, "mapa", INT, 5, CLUSTERS, 0,
    "the address in another block of the cluster that an address has in this one")
OPX(ISSPACEP, "isspacep", INT, 5, NONE, 0, "does the generic address lie in the space?")
OPX(FENCE, "membar fence", MEM, 5, NONE, PTX_FENCE,
    "orders memory accesses; lanes run in order here, so nothing is left to do")
OPX(PREFETCH, "prefetch prefetchu", MEM, 5, NONE, 0, "a hint")

/* asynchronous copies, and mbarriers (barriers in shared memory that count arrivals and bytes) */
OPX(CPASYNC, "cp", MEM, 5, ASYNC, PTX_FENCE, "shared memory at a = global memory at b; bytes from c on are 0")
OPX(CPGROUP, "lockstep.cpgroup", CONTROL, 5, ASYNC, PTX_FENCE,
    "end a group of copies, or wait for all but a of them")
OPX(MBARRIER, "mbarrier", MEM, 5, ASYNC, PTX_FENCE,
    "begin, arrive at, or ask for a phase of the barrier at a")
OPX(BULK, "lockstep.bulk", MEM, 5, BULK_COPIES, PTX_FENCE,
    "c bytes, or a box, between shared memory at a and global memory at b")
OPX(BULKGROUP, "lockstep.bulkgroup", CONTROL, 5, BULK_COPIES, PTX_FENCE,
    "end a group of stores of those, or wait for all but a of them")

/* matrices held by the lanes of a warp: 8 x 8 elements of 16 bits, of which each lane holds two
 * neighbours */
OPX(LDMATRIX, "ldmatrix", MEM, 5, MATRICES, 0,
    "d = matrices whose rows are at the addresses a of 8 lanes each")
OPX(STMATRIX, "stmatrix", MEM, 5, STORED_MATRICES, 0, "the other way")
OPX(MOVMATRIX, "movmatrix", INT, 5, MATRICES, 0, "d = a, transposed")
OPX(MMA, "mma", TENSOR, 5, TENSORS, 0, "D = A B + C")
OPX(WGMMA, "wgmma", TENSOR, 5, WARPGROUPS, PTX_FENCE,
    "D += A B, by four warps, with B in shared memory where descriptors say")
OPX(WGSYNC, "lockstep.wgsync", CONTROL, 5, WARPGROUPS, PTX_FENCE,
    "registers are ready for wgmma; a group ends; a wait for groups")
OPX(SETMAXNREG, "setmaxnreg", CONTROL, 5, REGISTER_SHARES, PTX_FENCE,
    "the registers that each thread of the warp has from here on")
OPX(ELECT, "elect", INT, 5, ELECTIONS, 0, "d = the lowest lane of a mask; is it this one?")

/* operations between the lanes of a warp */
OPX(SREG, "lockstep.sreg", MOVE, 20, NONE, 0, "d = special register")
OPX(SHFL, "shfl", INT, 20, SHUFFLES, PTX_WARP | PTX_LSU, "d = a of another lane")
OPX(VOTE, "vote", INT, 20, VOTES, PTX_WARP,
    "all, any, uniform or ballot of a predicate over the active lanes")
OPX(MATCH, "match", INT, 20, MATCHES, PTX_WARP, "which lanes hold the same value")
OPX(REDUX, "redux", INT, 20, REDUCTIONS, PTX_WARP,
    "the sum, minimum, maximum, and, or, xor of the lanes' values")
OPX(ACTIVEMASK, "activemask", INT, 5, NONE, 0, "d = the active lanes, a bit each")

/* control flow, barriers, and functions that the simulator provides */
OPX(BRA, "bra", CONTROL, 5, NONE, PTX_FENCE, "go to the label")
OPX(EXIT, "exit", CONTROL, 5, NONE, PTX_FENCE, "the thread ends")
OPX(RET, "ret", CONTROL, 5, NONE, 0, "back to the caller; ends the thread in a kernel")
OPX(CALL, "call", CONTROL, 5, NONE, 0, "inlined before anything runs")
OPX(BAR, "bar barrier", CONTROL, 5, NONE, PTX_FENCE, "wait for all threads of the block")
OPX(NAMED, "lockstep.named", CONTROL, 5, NONE, PTX_FENCE,
    "arrive at barrier a of b threads; d = have so many arrived?")
OPX(BARWARP, "bar.warp.sync", CONTROL, 5, NONE, PTX_WARP | PTX_FENCE,
    "the lanes of a warp that its mask names wait for each other")
OPX(BARVOTE, "lockstep.barvote", CONTROL, 5, BARRIER_VOTES, PTX_FENCE,
    "bring a to the block's next barrier; d = what all have brought to the last one")
OPX(TRAP, "trap brkpt", CONTROL, 5, NONE, PTX_FENCE, "the kernel ends with an error")
OPX(PRINT, "lockstep.print", CONTROL, 5, NONE, PTX_FENCE,
    "printf: the format at a, its arguments in memory from b on")
OPX(ASSERT, "lockstep.assert", CONTROL, 5, NONE, PTX_FENCE,
    "an assertion has failed, whose text is at a: the kernel ends with an error")
OPX(NOP, "lockstep.nop pragma nanosleep discard", CONTROL, 5, NONE, 0, "nothing")

#undef OP1
#undef OP2
#undef OP3
#undef OP4
#undef OPP
#undef OPX
