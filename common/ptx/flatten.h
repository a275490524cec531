/* flatten.h - the state of flattening, shared by flatten.c (functions, objects, branches),
 * resolve*.c (one instruction to its steps), builtins.c and blocks.c. Inside of ptx only.
 *
 *      inst    an instruction as written, in struct ptx_func
 *      step    an operation of the flat program
 *      vreg    a virtual register of the flat program: a register of one inlined call, or a temporary */
#ifndef LOCKSTEP_PTX_FLATTEN_H
#define LOCKSTEP_PTX_FLATTEN_H

#include "ptx/ptx.h"

#include <setjmp.h>

/* One function that is being inlined. caller is the frame of the function that calls it; NULL: this
 * is the kernel. */
struct frame {
    const struct ptx_func *func;
    struct frame *caller;
    struct instance *instance; /* whose body this is a part of; NULL: of the kernel's own */
    int vreg_base;             /* register r of the function is vreg vreg_base + r */
    /* the program's objects for parameters and results; NULL in the kernel */
    const int *param_object, *return_object;
    int *start;  /* of each instruction: its first step */
    int *object; /* of each of func->vars: its object; -1: not yet laid out */
    int inst;    /* the current instruction; -1: none yet */
    int line;    /* the last line seen of the learner's file; 0: none */
};

/* A function that calls itself: one body, to which all its calls go (calls.c). */
struct instance {
    const struct ptx_func *func;
    struct instance *next;
    const int *objects; /* its results, then its parameters */
    size_t bytes;       /* of a frame, so far */
    int line;           /* of the first call */
    int start, end;     /* steps: its first, the branch at its end */
    int *sites;         /* steps after its calls */
    size_t site_count, site_cap;
};

/* The whole of one ptx_flatten. p grows; m is only read. An error leaves by longjmp(fail), so all
 * working memory is in owned. */
struct flatten {
    const struct ptx_module *m;
    struct ptx_program *p;
    const char *main_file;
    int main_index; /* of .file; -1 when the module has no lines for main_file */
    /* the target of branch step is start[inst], which is known only at the end */
    struct fixup {
        int step, inst;
        const int *start;
    } * fixups;
    size_t fixup_count, fixup_cap;
    void **owned; /* freed when flattening ends, also by a longjmp */
    size_t owned_count, owned_cap;
    struct instance *instances;
    /* vreg that holds the top of the stack of instances, -1: none; its object */
    int sp, stack;
    struct jump { /* a branch to an instance */
        int step;
        const struct instance *to;
    } * jumps;
    size_t jump_count, jump_cap;
    struct size_fixup { /* src[1] of a step: add or subtract the size of a frame */
        int step;
        const struct instance *of;
        int sign;
    } * sizes;
    size_t size_count, size_cap;
    /* predicate vreg that holds the carry flag of add.cc and others; -1: not yet needed */
    int carry;
    struct err *e;
    jmp_buf fail;
};

/* Refuse the kernel: one line with the instruction, file and line. Does not return. */
void flatten_fail(struct flatten *f, const struct frame *fr, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* Zeroed memory that lives until flattening ends. */
void *flatten_alloc(struct flatten *f, size_t count, size_t size);
/* A new vreg. */
int flatten_vreg(struct flatten *f, enum ptx_type type);
/* A new step at the end of the program, for the current instruction. Valid until the next one. */
struct ptx_step *flatten_step(struct flatten *f, const struct frame *fr, enum ptx_op op);
/* A new object in shared or local memory; one in the frame of an instance. */
int flatten_lay_out(struct flatten *f, const struct ptx_var *v, enum ptx_space space);
int flatten_stacked(struct flatten *f, const struct ptx_var *v, struct instance *x);
/* The address of an object plus imm. Appends a step if it is in a frame. */
struct ptx_src flatten_address(struct flatten *f, struct frame *fr, int object, uint64_t imm);
/* The object that a name means at the current instruction, laid out if it is new. -1: there is
 * none. */
int flatten_object(struct flatten *f, struct frame *fr, const char *symbol);

/* Refuse a name that is not an object. */
void flatten_unknown(struct flatten *f, const struct frame *fr, const char *symbol)
    __attribute__((noreturn));

/* Append the steps of a function, whose frame has its objects. */
void flatten_inline(struct flatten *f, struct frame *fr);
/* Append the steps of a call; in the end, the bodies of functions that call themselves
 * (calls.c). */
void flatten_call(struct flatten *f, struct frame *fr, const struct ptx_inst *in);
void flatten_instances(struct flatten *f, struct frame *top);

/* Append the steps of a call to a function that the simulator provides (builtins.c). lists: the
 * results and the arguments of the call, or NULL. Returns 0 if the simulator does not provide a
 * function of this name. */
int flatten_provided(struct flatten *f, struct frame *fr, const struct ptx_inst *in,
    const char *name, const struct ptx_operand *const lists[2]);

/* Append the steps of one instruction that is neither branch, return nor call. */
void resolve_inst(struct flatten *f, struct frame *fr, const struct ptx_inst *in);

/* Find the basic blocks of a program whose steps are complete (blocks.c). */
void ptx_find_blocks(struct ptx_program *p);

#endif
