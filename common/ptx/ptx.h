/* ptx.h - PTX, the language between compiler and device: converts its text to a checked program of
 * basic blocks.
 *
 *     text -- ptx_parse --> struct ptx_module -- ptx_flatten --> struct ptx_program -- ptxas --> simulator
 *                           as written           one kernel: calls inlined,
 *                                                operations looked up in ops.h,
 *                                                memory laid out, basic blocks found
 *
 * Errors state the learner's file and line if .loc gives them, else the line of the PTX text. Types
 * and opcodes have the names that PTX gives them. Source of all rules: PTX ISA (instruction set,
 * state spaces, directives). */
#ifndef LOCKSTEP_PTX_H
#define LOCKSTEP_PTX_H

#include "base/base.h"
#include "model/model.h"

/* PTX's fundamental types. PTX_B types are untyped bits; PTX_PRED is one bit. */
enum ptx_type {
    PTX_NONE,
    PTX_PRED,
    PTX_B8,
    PTX_U8,
    PTX_S8,
    PTX_B16,
    PTX_U16,
    PTX_S16,
    PTX_F16,
    PTX_BF16,
    PTX_B32,
    PTX_U32,
    PTX_S32,
    PTX_F32,
    PTX_F16X2,
    PTX_BF16X2,
    PTX_B64,
    PTX_U64,
    PTX_S64,
    PTX_F64,
};
/* bytes of a value of this type in memory; 0 for PTX_NONE and PTX_PRED */
unsigned ptx_type_bytes(enum ptx_type t);
/* Is the type one of the 16-bit floating-point formats, or a packed pair of one? */
static inline int ptx_is_half(enum ptx_type t)
{
    return t == PTX_F16 || t == PTX_BF16 || t == PTX_F16X2 || t == PTX_BF16X2;
}
/* The type with this name, such as "f32"; PTX_NONE: there is none. */
enum ptx_type ptx_type_find(const char *name, size_t len);

/* State spaces. SPACE_GENERIC: the address itself determines the space. */
enum ptx_space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_CONST, SPACE_LOCAL, SPACE_PARAM };

/* ---- the result of ptx_parse: the module as written ---- */

/* The position of an instruction in the source and in the PTX. */
struct ptx_loc {
    /* place in the source. file: number of a .file directive; line: 0 if not known */
    int file, line, col;
    int ptx_line; /* line of the PTX text, from 1 */
};

enum ptx_operand_kind {
    OPERAND_NONE,
    OPERAND_REG, /* reg; negated is set for !%p */
    /* imm: an integer or, if is_float is 4 or 8, the bits of a float of that many bytes */
    OPERAND_IMM,
    OPERAND_SYMBOL, /* symbol + imm: an address, a label or a function */
    OPERAND_SREG,   /* symbol: "%tid.x" */
    OPERAND_MEM,    /* an address: [reg + imm], [symbol + imm] or [imm] */
    OPERAND_VECTOR, /* a list in braces: {elements} */
    OPERAND_SINK,   /* the operand _: the result is unused */
    OPERAND_LIST,   /* a list in parentheses (elements): results or arguments of a call */
};
/* An operand as written. Which fields are set depends on kind. The operand owns elements; the
 * module owns symbol. */
struct ptx_operand {
    enum ptx_operand_kind kind;
    int reg;  /* index into the function's regs; -1: none */
    int pair; /* index of the second register of %p|%q; -1: none */
    int negated;
    int is_float;
    int64_t imm;
    char *symbol;
    struct ptx_operand *elements;
    int element_count;
};

enum { PTX_MAX_OPERANDS = 8 };
/* An instruction. For @!%p: guard is %p, and guard_negated is set. */
struct ptx_inst {
    char *opcode; /* the opcode as written, such as "ld.global.nc.v4.f32" */
    int guard;    /* index of the guard's predicate register; -1: no guard */
    int guard_negated;
    struct ptx_operand operand[PTX_MAX_OPERANDS];
    int operand_count;
    int labelled; /* 1: a label precedes the instruction */
    struct ptx_loc loc;
};

struct ptx_var { /* a variable, a parameter or a .param object */
    char *name;
    enum ptx_space space;
    enum ptx_type type; /* type of one element */
    size_t bytes;       /* size of the whole variable; 0: extern array without a size */
    size_t align;
    int is_array, is_extern;
    /* in a body: index of the instruction after the declaration; the variable hides earlier ones of
     * the same name */
    int declared_at;
    unsigned char *init; /* initial contents, of "bytes" bytes; NULL: zeros */
    struct ptx_reloc { /* the initial contents at "offset" are the address of symbol plus addend */
        size_t offset, bytes;
        char *symbol;
        int64_t addend;
        int generic;
    } * relocs;
    int reloc_count;
};

struct ptx_reg {
    char *name;
    enum ptx_type type;
};

struct ptx_label {
    char *name;
    int inst; /* index of the instruction that follows the label */
};

/* A function. Each array has its count and capacity next to it; registers and instructions are
 * referred to by index. */
struct ptx_func {
    char *name;
    int is_entry, has_body;
    struct ptx_var *params;
    size_t param_count, param_cap;
    struct ptx_var *returns;
    size_t return_count, return_cap;
    /* variables and .param objects that the body declares */
    struct ptx_var *vars;
    size_t var_count, var_cap;
    struct ptx_reg *regs;
    size_t reg_count, reg_cap;
    struct ptx_inst *insts;
    size_t inst_count, inst_cap;
    struct ptx_label *labels;
    size_t label_count, label_cap;
    struct ptx_loc loc;
    unsigned max_threads; /* product of .maxntid or .reqntid; 0: neither is given */
    /* blocks that must fit on a multiprocessor (.minnctapersm); 0: not given */
    unsigned min_blocks;
    unsigned max_registers; /* most registers of a thread (.maxnreg); 0: not given */
    unsigned cluster[3]; /* blocks of a cluster in x, y and z (.reqnctapercluster); 0: not given */
};

/* A .file directive. index: the number that .loc uses. */
struct ptx_file {
    int index;
    char *name;
};

struct ptx_module {
    char *name;          /* name of the module, for messages */
    char *source;        /* the learner's source text, for messages; NULL: not known */
    int version, target; /* version: 75 for 7.5; target: 70 for sm_70 */
    struct ptx_func *funcs;
    size_t func_count, func_cap;
    struct ptx_var *vars;
    size_t var_count, var_cap;
    struct ptx_file *files;
    size_t file_count, file_cap;
    /* all names, opcodes and symbols of the module; owned by it */
    char **strings;
    size_t string_count, string_cap;
};

/* Parse the NUL-terminated text. name: for messages. The caller frees *out with ptx_module_free.
 * Returns 0, or -1 with ERR_LEARNER in *e. */
int ptx_parse(const char *text, const char *name, struct ptx_module **out, struct err *e);
void ptx_module_free(struct ptx_module *m);
/* The first function with this name in the source. entry: if set, only kernels are searched, else
 * only other functions. "matmul" finds matmul and _Z6matmulPKfS0_Pfiii; "sum<float>" finds that
 * instance of a template, "sum" its first instance. NULL: there is none. */
struct ptx_func *ptx_func_find(const struct ptx_module *m, const char *name, int entry);
/* The name in the source that a mangled name contains: returns its start in symbol; *len is its
 * length. */
const char *ptx_source_name(const char *symbol, size_t *len);
/* Append the name in the source, with the arguments of a template: "sum<float,256>". If an argument
 * is of an unsupported kind, append the mangled name. */
void ptx_full_name(const char *symbol, struct buf *out);

/* ---- operations: the rows of ops.h ---- */

/* PTX_MAX_SRC, PTX_MAX_DST: most sources and results of a step. ptx_class: a step's class decides
 * which unit executes the step, and which counter counts it. */
enum { PTX_MAX_SRC = 4, PTX_MAX_DST = 4 };
enum ptx_class {
    CLASS_MOVE,
    CLASS_INT,
    CLASS_CONVERT,
    CLASS_HALF,
    CLASS_FP32,
    CLASS_FP64,
    CLASS_SFU,
    CLASS_MEM,
    CLASS_CONTROL,
    CLASS_TENSOR
};

enum ptx_op {
    OP_NONE,
#define OP1(id, keys, d, a, class, expr) OP_##id,
#define OP2(id, keys, d, a, b, class, expr) OP_##id,
#define OP3(id, keys, d, a, b, c, class, expr) OP_##id,
#define OP4(id, keys, d, a, b, c, e, class, expr) OP_##id,
#define OPP(id, keys, arity, expr) OP_##id,
#define OPX(id, keys, class, clocks, feature, traits, meaning) OP_##id,
#include "ptx/ops.h"
    OP_COUNT
};
enum ptx_trait {
    /* PTX_WARP: the lanes in the membermask, which is the operation's last source, execute it
     * together */
    PTX_WARP = 1,
    PTX_FENCE = 2, /* ptxas moves no other step across such a step */
    /* PTX_LSU: the step uses the load/store units and the data banks, like an access to shared
     * memory */
    PTX_LSU = 4,
};
/* An operation: a row of ops.h. */
struct ptx_op_info {
    const char *id, *keys;
    enum ptx_class class;
    /* number of sources; -1: an OPX row, whose sources depend on the operation */
    int arity;
    enum ptx_type d, src[PTX_MAX_SRC];
    /* approximate latency of the operation's result in clocks; for a load: from global memory */
    int clocks;
    enum model_feature feature;
    unsigned traits; /* the operation's traits, bits of enum ptx_trait */
};
extern const struct ptx_op_info ptx_ops[OP_COUNT];
/* The row with this normalized opcode, such as "add.s32"; OP_NONE: there is none. */
enum ptx_op ptx_op_find(const char *key);

/* ---- the result of ptx_flatten: one kernel with its calls inlined ---- */

/* SHARED_WINDOW: start of the generic addresses of shared memory; LOCAL_WINDOW: that of local
 * memory. A generic address of global or constant memory is the address itself, above these
 * windows. Bits 40 and up tell which window an address is in. */
#define SHARED_WINDOW ((uint64_t)1 << 40)
/* From bit PEER_SHIFT on, a shared-memory address holds 0 for memory of the block itself, else 1 +
 * the rank of another block of the cluster. */
enum { PEER_SHIFT = 24 };
#define LOCAL_WINDOW ((uint64_t)2 << 40)

enum ptx_src_kind {
    SRC_NONE,
    SRC_REG,
    SRC_IMM,
    SRC_ADDRESS /* SRC_ADDRESS: the address of objects[reg], plus imm */
};
struct ptx_src {
    enum ptx_src_kind kind;
    int reg; /* index of a vreg or, for SRC_ADDRESS, of an object */
    uint64_t imm;
};

/* An operation of the flat program. An instruction of the PTX becomes one step or several; steps
 * that only convert its operands are quiet (not counted). */
struct ptx_step {
    enum ptx_op op;
    enum ptx_type type;              /* type of the data, for memory accesses and moves */
    int dst[PTX_MAX_DST], dst_count; /* dst: vregs of the results; -1: a result is unused */
    /* vreg of the second predicate of setp p|q, or of the predicate result of shfl; else -1 */
    int dst_pair;
    struct ptx_src src[PTX_MAX_SRC];
    int src_count;
    /* vregs of further sources, for a step that has more than fit into src; owned by the program */
    int *more, more_count;
    int guard, guard_negated; /* guard: vreg of a predicate, -1: none */
    enum ptx_space space;     /* memory space of the access, for loads, stores and atomics */
    int64_t offset;           /* memory access: bytes that are added to the address in src[0] */
    int vector;               /* elements of a memory access by one lane: 1, 2 or 4 */
    /* depends on op: a value of one of the enums at the end of this header, or a barrier's
     * number */
    int detail;
    int detail2;
    unsigned flags; /* bits of enum ptx_flags */
    /* set by ptxas/: if not 0, the step is counted as a load of this many bytes at merged_offset */
    unsigned merged_bytes;
    int64_t merged_offset;
    struct ptx_loc loc;
    const char *text; /* opcode as written; owned by the module */
    int target;       /* branch: index of the block to which it goes; -1: none */
};
enum ptx_flags {
    FLAG_READONLY = 1, /* the load is ld.global.nc or ldu */
    FLAG_VOLATILE = 2,
    /* added by ptx_flatten: the step is no instruction of the program, so it is never counted */
    FLAG_QUIET = 4,
    /* set by ptxas/: the load is part of a merged load, or the product of a multiply-add, which
     * another step counts */
    FLAG_MERGED = 8,
    /* set by ptxas/: the result is unused; the step is executed, but not counted */
    FLAG_UNUSED = 16,
    FLAG_LABELLED = 32, /* a label precedes the step, whether or not any branch goes there */
    FLAG_COMBINED = 64, /* set by ptxas/: one lane executes this atomic for its warp */
    /* set by ptxas/: the step is part of another machine instruction: counted, but takes no time */
    FLAG_FUSED = 128,
    FLAG_TOOK = 256, /* set by ptxas/: another step is part of this one's machine instruction */
    /* set by ptxas/: the step is 64 bits wide, executed as two 32-bit instructions */
    FLAG_TWICE = 512,
    /* the load is ld.global.texel: an element of a texture (cuda/stubs/cuda_textures.h) */
    FLAG_TEXEL = 1024,
    /* set by ptxas/: a product (FLAG_MERGED) and the sum (FLAG_TOOK) that are one multiply-add */
    FLAG_CONTRACTED = 2048,
    FLAGS_UNCOUNTED = FLAG_QUIET | FLAG_MERGED | FLAG_UNUSED,
};

/* How a block ends. END_FALL: control falls through to the next block. END_WARP: the block ends
 * with a .sync instruction; used only by the simulator's own blocks. */
enum ptx_end { END_FALL, END_BRANCH, END_EXIT, END_BARRIER, END_TRAP, END_WARP };
struct ptx_block {
    /* steps of the block: the index of the first, and how many; the last one ends the block, unless
     * end is END_FALL */
    int first, count;
    enum ptx_end end;
    /* index of the block that follows if this block's branch is not taken; -1: none */
    int next;
    int target; /* index of the block to which this block's branch goes */
    /* fields set by ptxas/: */
    int ipdom; /* index of the immediate post-dominator; -1: the exit */
    /* position in a topological order: an edge to a higher order is a forward edge, any other a
     * back edge; -1: the block is unreachable */
    int order;
    /* index of the block whose branch was replaced by guards on this block's instructions; -1:
     * none */
    int guarded_by;
    /* index of the block whose divergent lanes may reconverge here, before that block's ipdom (7.0
     * and later); -1: none */
    int diverged;
};

struct ptx_vreg { /* a virtual register of the flat program */
    enum ptx_type type;
};

/* a variable in memory: of the kernel or of the module */
struct ptx_object {
    const struct ptx_var *var;
    enum ptx_space space;
    uint64_t offset; /* for shared and local memory: bytes from the start of the space */
    /* 1: an object in local memory whose offset is from the start of a recursive function's stack
     * frame */
    int stacked;
};

struct ptx_program {
    const struct ptx_module *module;
    const struct ptx_func *kernel;
    struct ptx_step *steps;
    size_t step_count, step_cap;
    struct ptx_block *blocks;
    size_t block_count, block_cap;
    /* Set by ptxas/: the blocks that forward edges reach from each block, as ahead_words words per
     * block with one bit per reached block. NULL: there are too many blocks. */
    uint64_t *ahead;
    size_t ahead_words;
    struct ptx_vreg *vregs;
    size_t vreg_count, vreg_cap;
    struct ptx_object *objects;
    size_t object_count, object_cap;
    size_t shared_bytes; /* bytes of static shared memory of each block */
    int peers;           /* 1: the kernel computes addresses in other blocks of a cluster (mapa) */
    int peers_line;      /* source line of the first mapa; 0: none */
    size_t shared_dynamic; /* offset at which dynamic shared memory starts */
    size_t local_bytes;    /* bytes of local memory for each thread */
    size_t param_bytes;    /* bytes of the kernel's parameters */
    int registers;         /* set by ptxas/: 32-bit registers of each thread */
};

/* Do forward edges lead from one block to another? */
static inline int ptx_leads(const struct ptx_program *p, int from, int to)
{
    return p->ahead && p->ahead[(size_t)from * p->ahead_words + (size_t)to / 64] >> (to % 64) & 1;
}

/* Is block b on a path of forward edges from first to last or one of these two blocks? */
static inline int ptx_between(const struct ptx_program *p, int first, int b, int last)
{
    return (b == first || ptx_leads(p, first, b)) && (b == last || ptx_leads(p, b, last));
}

/* The blocks to which control can go from block b: up to two, where p->block_count is the exit.
 * Returns their number (blocks.c). */
int ptx_successors(const struct ptx_program *p, int b, int to[2]);

/* The file whose lines are reported for a kernel: main_file or, if none of its instructions has a
 * line there, the file that its body begins in. The result belongs to the module or the
 * caller. */
const char *ptx_kernel_file(
    const struct ptx_module *m, const struct ptx_func *kernel, const char *main_file);
/* Converts a kernel to a program: inlines its calls, looks up its operations, lays out shared and
 * local memory, finds basic blocks. If an instruction cannot be executed, returns -1 (ERR_LEARNER)
 * with the instruction, file and line. main_file: the learner's file; an instruction of another
 * file is attributed to the last line of main_file before it. The program points into m, which must
 * outlive it. */
int ptx_flatten(const struct ptx_module *m, const struct ptx_func *kernel, const char *main_file,
    struct ptx_program **out, struct err *e);
void ptx_program_free(struct ptx_program *p);

/* The value of a pointer to a function or kernel that is defined in the module. 0: no such function
 * is defined. ptx_function_at: the function of such a value; NULL: none. */
uint64_t ptx_function_address(const struct ptx_module *m, const char *name);
const struct ptx_func *ptx_function_at(const struct ptx_module *m, uint64_t address);

/* The offset of a parameter in the kernel's parameter block, in bytes. */
size_t ptx_param_offset(const struct ptx_func *kernel, size_t index);

/* ---- liveness (live.c): the registers whose values are still needed. A set has one bit per vreg.
 * ---- */

struct live {
    const struct ptx_program *p;
    size_t words;       /* 64-bit words in a set of vregs */
    uint64_t *in, *out; /* for each block: the set of live vregs at its start and at its end */
    int all;            /* reads by steps with FLAG_UNUSED count as well */
    /* set only by ptxas/share.c: for each vreg, the first and the last step at which it is live */
    int *first, *last;
};

static inline void live_add(uint64_t *set, int vreg)
{
    set[vreg >> 6] |= (uint64_t)1 << (vreg & 63);
}

static inline void live_drop(uint64_t *set, int vreg)
{
    set[vreg >> 6] &= ~((uint64_t)1 << (vreg & 63));
}

static inline int live_has(const uint64_t *set, int vreg)
{
    return set[vreg >> 6] >> (vreg & 63) & 1;
}

/* Calls def(ctx, vreg) for each vreg that a step writes, and use(ctx, vreg) for each that it reads.
 * A store reads the vregs in dst. */
void live_effects(
    const struct ptx_step *s, void (*use)(void *, int), void (*def)(void *, int), void *ctx);
void live_ignore(void *ctx, int vreg); /* does nothing, to be passed as a callback use or def */
/* Converts the set that is live after a step to the set that is live before it. */
void live_back_over(uint64_t *set, const struct ptx_step *s);
/* Computes the liveness of a program. all: reads by steps with FLAG_UNUSED count as well. The
 * caller frees it with live_free. */
struct live live_new(const struct ptx_program *p, int all);
void live_free(struct live *l);

/* ---- values of struct ptx_step.detail; enum ptx_sreg is for OP_SREG ---- */
enum ptx_sreg {
    SREG_TID_X,
    SREG_TID_Y,
    SREG_TID_Z,
    SREG_NTID_X,
    SREG_NTID_Y,
    SREG_NTID_Z,
    SREG_CTAID_X,
    SREG_CTAID_Y,
    SREG_CTAID_Z,
    SREG_NCTAID_X,
    SREG_NCTAID_Y,
    SREG_NCTAID_Z,
    SREG_LANEID,
    SREG_WARPID,
    SREG_NWARPID,
    SREG_WARPSIZE,
    SREG_SMID,
    SREG_NSMID,
    SREG_GRIDID,
    SREG_CLOCK,
    SREG_CLOCK64,
    SREG_GLOBALTIMER,
    SREG_LANEMASK_EQ,
    SREG_LANEMASK_LE,
    SREG_LANEMASK_LT,
    SREG_LANEMASK_GE,
    SREG_LANEMASK_GT,
    SREG_DYNAMIC_SMEM,
    SREG_TOTAL_SMEM,
    SREG_CLUSTERID_X,
    SREG_CLUSTERID_Y,
    SREG_CLUSTERID_Z,
    SREG_NCLUSTERID_X,
    SREG_NCLUSTERID_Y,
    SREG_NCLUSTERID_Z,
    SREG_CLUSTER_CTAID_X,
    SREG_CLUSTER_CTAID_Y,
    SREG_CLUSTER_CTAID_Z,
    SREG_CLUSTER_NCTAID_X,
    SREG_CLUSTER_NCTAID_Y,
    SREG_CLUSTER_NCTAID_Z,
    SREG_CLUSTER_CTARANK,
    SREG_CLUSTER_NCTARANK,
    SREG_EXPLICIT_CLUSTER,
    SREG_COUNT
};
enum ptx_atom {
    ATOM_ADD,
    ATOM_MIN,
    ATOM_MAX,
    ATOM_AND,
    ATOM_OR,
    ATOM_XOR,
    ATOM_EXCH,
    ATOM_CAS,
    ATOM_INC,
    ATOM_DEC
};
enum ptx_shfl { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
enum ptx_vote { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
/* For OP_BAR, in place of a barrier's number: a barrier of all blocks of the grid, or of the
 * cluster. */
enum { BAR_GRID = -1, BAR_CLUSTER = -2 };
enum ptx_named {
    NAMED_ARRIVE,
    NAMED_PASSED /* NAMED_PASSED: has the phase in which the warp arrived ended? */
};
enum ptx_barvote { BARVOTE_BRING, BARVOTE_COUNT, BARVOTE_ALL, BARVOTE_ANY };
enum ptx_match { MATCH_ANY, MATCH_ALL };
enum ptx_redux { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };
/* Asynchronous copies. ptx_cp: detail2 of OP_CPASYNC; ptx_cpgroup: detail of OP_CPGROUP. src[0] of
 * CPGROUP_WAIT: the number of groups that may remain in flight. */
enum ptx_cp { CP_ACCESS, CP_BYPASS /* CP_BYPASS: the copy bypasses the L1 */ };
enum ptx_cpgroup {
    CPGROUP_COMMIT,
    CPGROUP_WAIT,
    CPGROUP_WAIT_ALL,
    CPGROUP_ARRIVE /* arrive at an mbarrier once the thread's copies are complete */
};
/* For OP_MBARRIER. MBARRIER_WAIT: is the phase of this token complete? MBARRIER_PARITY: is the
 * phase of this parity complete? */
enum ptx_mbarrier {
    MBARRIER_INIT,
    MBARRIER_INVAL,
    MBARRIER_EXPECT,
    MBARRIER_ARRIVE,
    MBARRIER_DROP,
    MBARRIER_WAIT,
    MBARRIER_PARITY,
    MBARRIER_PENDING
};
/* Copies by the copy engine. OP_BULK: detail is the number of coordinates, 0: contiguous bytes;
 * detail2 is the direction, as seen from shared memory. BULK_CAST: to several blocks of the
 * cluster, whose ranks are a bit set in the last register of "more"; BULK_PEER: from shared memory
 * to that of another block. */
enum ptx_bulk { BULK_LOAD, BULK_STORE, BULK_CAST, BULK_PEER };
/* For OP_FENCE: the fence orders stores by threads before accesses by the copy engine. */
enum { FENCE_ENGINE = 1 };
/* For OP_BULKGROUP. src[0] of a wait: the number of groups that may remain in flight.
 * BULKGROUP_READ waits until the sources of the copies have been read, BULKGROUP_WAIT until the
 * copies are complete. */
enum ptx_bulkgroup { BULKGROUP_COMMIT, BULKGROUP_READ, BULKGROUP_WAIT };
/* For OP_MMA: detail is an index into ptx_mma, the shapes and types of D = A B + C
 * (resolve_matrix.c). */
enum ptx_number {
    NUMBER_F16,
    NUMBER_BF16,
    NUMBER_TF32,
    NUMBER_F32,
    NUMBER_F64,
    NUMBER_INT8,
    NUMBER_S32
};
struct ptx_mma {
    const char *shape;
    int m, n, k;
    enum ptx_number ab, cd;
    int a, b, c; /* number of registers in which a lane holds each operand; D has as many as C */
};
extern const struct ptx_mma ptx_mma[];
enum { MMA_CLAMP = 1, MMA_A_UNSIGNED = 2, MMA_B_UNSIGNED = 4 }; /* flags in detail2 of OP_MMA */
/* For OP_WGMMA: detail is an index into ptx_wgmma, the types of D = A B + D with m = 64
 * (resolve_wgmma.c); detail2: n and flags. OP_WGSYNC: detail is an enum ptx_wgsync, detail2 the N
 * of a wait. OP_SETMAXNREG: detail is the number of registers. */
struct ptx_wgmma {
    int k;
    enum ptx_number ab, cd;
};
extern const struct ptx_wgmma ptx_wgmma[];
enum {
    WGMMA_N = 511,
    WGMMA_A_SHARED = 512,
    WGMMA_NEGATE_A = 1024,
    WGMMA_NEGATE_B = 2048,
    WGMMA_TURN_A = 4096,
    WGMMA_TURN_B = 8192
};
enum ptx_wgsync { WGSYNC_FENCE, WGSYNC_COMMIT, WGSYNC_WAIT };
enum { PTX_WGMMA_REGISTERS = 256 / 2 + 4 }; /* most registers of D and A together */
/* How many of a step's further sources, counted from the first in "more", it also writes: the
 * registers of wgmma's D. */
static inline int ptx_updates(const struct ptx_step *s)
{
    int n = s->detail2 & WGMMA_N;
    return s->op != OP_WGMMA ? 0 : ptx_wgmma[s->detail].cd == NUMBER_F16 ? n / 4 : n / 2;
}

#endif
