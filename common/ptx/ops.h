/* ops.h - every operation that the kit knows, one row each, with its meaning.
 *
 *     OP1..OP4(id, "keys", result type, source types..., class, meaning)
 *         the result of a lane from its sources a, b, c, e. The meaning is a C expression.
 *     OPP(id, "keys", sources, meaning)
 *         on predicates: the meaning works on 32 lanes at once, a bit each.
 *     OPX(id, "keys", class, "meaning")
 *         needs more than the sources of its lane: memory, other lanes, control flow. sim has a handler.
 *
 * keys: the opcodes a row stands for, {x,y} for alternatives. Before looking up, .rn .approx .full .ftz .sat
 * are taken off: to nearest is how a row without a rounding in its key rounds, .ftz and .sat become steps of
 * their own, and an approximate instruction is computed exactly (hardware's error is allowed, not required).
 * Types: PTX's; B types read as U.
 * Rows that compute a lane's result are in the tables that are included below; each makes the handlers of one
 * file sim/exec/alu_*.c, so that none takes long to compile.
 * Source: PTX ISA, instruction set. Functions op_... are in sim/exec/meaning.h.
 */
/* Whoever includes this file defines the macros of the rows that it needs; the others vanish. */
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
#define OPX(id, keys, class, meaning)
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

/* memory: d, a, b and c are as PTX writes them */
OPX(LD, "ld ldu", MEM, "d = memory[a]")
OPX(ST, "st", MEM, "memory[a] = b")
OPX(ATOM, "atom red", MEM, "d = memory[a]; memory[a] = operation(d, b, c), indivisibly")
OPX(CVTA, "cvta", INT, "an address of a space to a generic one, or back")
OPX(MAPA, "mapa", INT, "the address in another block of the cluster that an address has in this one")
OPX(ISSPACEP, "isspacep", INT, "does the generic address lie in the space?")
OPX(FENCE, "membar fence", MEM, "orders memory accesses; lanes run in order here, so nothing is left to do")
OPX(PREFETCH, "prefetch prefetchu", MEM, "a hint")

/* copies that go on while the thread does, and barriers in shared memory that count arrivals */
OPX(CPASYNC, "cp", MEM, "shared memory at a = global memory at b; bytes from c on are 0")
OPX(CPGROUP, "lockstep.cpgroup", CONTROL, "end a group of copies, or wait for all but a of them")
OPX(MBARRIER, "mbarrier", MEM, "begin, arrive at, or ask for a phase of the barrier at a")
OPX(BULK, "lockstep.bulk", MEM, "c bytes, or a box, between shared memory at a and global memory at b")
OPX(BULKGROUP, "lockstep.bulkgroup", CONTROL, "end a group of stores of those, or wait for all but a of them")

/* matrices held by the lanes of a warp: 8 x 8 elements of 16 bits, of which each lane has two neighbours */
OPX(LDMATRIX, "ldmatrix", MEM, "d = matrices whose rows are at the addresses a of 8 lanes each")
OPX(STMATRIX, "stmatrix", MEM, "the other way")
OPX(MOVMATRIX, "movmatrix", INT, "d = a, transposed")
OPX(MMA, "mma", TENSOR, "D = A B + C")
OPX(WGMMA, "wgmma", TENSOR, "D += A B, by four warps, with B in shared memory where descriptors say")
OPX(WGSYNC, "lockstep.wgsync", CONTROL, "registers are ready for wgmma; a group ends; a wait for groups")
OPX(SETMAXNREG, "setmaxnreg", CONTROL, "the registers that each thread of the warp has from here on")
OPX(ELECT, "elect", INT, "d = the lowest lane of a mask; is it this one?")

/* lanes of a warp together */
OPX(SREG, "lockstep.sreg", MOVE, "d = special register")
OPX(SHFL, "shfl.sync", INT, "d = a of another lane")
OPX(VOTE, "vote.sync", INT, "all, any, uniform or ballot of a predicate over the active lanes")
OPX(MATCH, "match", INT, "which lanes hold the same value")
OPX(REDUX, "redux", INT, "the sum, minimum, maximum, and, or, xor of the lanes' values")
OPX(ACTIVEMASK, "activemask.b32", INT, "d = the active lanes, a bit each")

/* control flow, barriers, and the functions that the simulator provides */
OPX(BRA, "bra", CONTROL, "go to the label")
OPX(EXIT, "exit", CONTROL, "the thread ends")
OPX(RET, "ret", CONTROL, "back to the caller; ends the thread in a kernel")
OPX(CALL, "call", CONTROL, "inlined before anything runs")
OPX(BAR, "bar barrier", CONTROL, "wait for all threads of the block")
OPX(NAMED, "lockstep.named", CONTROL, "arrive at barrier a of b threads; d = have so many arrived?")
OPX(BARWARP, "bar.warp.sync", CONTROL, "the lanes of a warp that its mask names wait for each other")
OPX(BARVOTE, "lockstep.barvote", CONTROL,
    "bring a to the block's next barrier; d = what all have brought to the last one")
OPX(TRAP, "trap brkpt", CONTROL, "the kernel ends with an error")
OPX(PRINT, "lockstep.print", CONTROL, "printf: the format at a, its arguments in memory from b on")
OPX(ASSERT, "lockstep.assert", CONTROL,
    "an assertion has failed, whose text is at a: the kernel ends with an error")
OPX(NOP, "lockstep.nop pragma nanosleep discard", CONTROL, "nothing")

#undef OP1
#undef OP2
#undef OP3
#undef OP4
#undef OPP
#undef OPX
