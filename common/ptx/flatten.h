/* flatten.h - private to ptx/: the state of flattening a kernel, shared by flatten.c (functions,
 * objects, branches), resolve*.c (from an instruction to its steps), builtins.c and blocks.c.
 *
 *      inst    an instruction as written, in struct ptx_func
 *      step    an operation of the flat program
 *      vreg    a virtual register of the flat program: a register of one inlined call, or a temporary */
#ifndef LOCKSTEP_PTX_FLATTEN_H
#define LOCKSTEP_PTX_FLATTEN_H

#include "ptx/ptx.h"

#include <setjmp.h>

/* A function that is being inlined. caller: the frame of the function that calls this one; NULL:
 * this is the kernel. */
struct frame {
    const struct ptx_func *func;
    struct frame *caller;
    /* the recursive function whose body contains this one; NULL: this body is a part of the kernel
     * itself */
    struct instance *instance;
    int vreg_base; /* register r of the function becomes vreg vreg_base + r */
    /* indices of the program's objects for parameters and results; NULL in the kernel */
    const int *param_object, *return_object;
    int *start;  /* for each instruction of the function: its first step */
    int *object; /* for each variable in func->vars: its object; -1: not laid out yet */
    int inst;    /* index of the current instruction; -1: none yet */
    int line;    /* last line of the learner's file up to the current instruction; 0: none */
};

/* A recursive function: it has one body, to which all its calls branch (calls.c). */
struct instance {
    const struct ptx_func *func;
    struct instance *next;
    const int *objects; /* objects of the function's results, then of its parameters */
    size_t bytes;       /* bytes of the function's stack frame, so far */
    int line;           /* source line of the first call of the function */
    /* steps. start: the first step of the body; end: the branch at the end of the body */
    int start, end;
    int *sites; /* for each call of the function: the step after the call */
    size_t site_count, site_cap;
};

/* The state of one call of ptx_flatten. p: the program, which grows; m: the module, which is only
 * read. An error leaves by longjmp(fail), so all working memory is listed in owned. */
struct flatten {
    const struct ptx_module *m;
    struct ptx_program *p;
    const char *main_file;
    /* index of main_file in .file directives; -1: no line of the module is from that file */
    int main_index;
    /* a branch step whose target will be start[inst], which is known only at the end */
    struct fixup {
        int step, inst;
        const int *start;
    } * fixups;
    size_t fixup_count, fixup_cap;
    void **owned; /* memory to free when flattening ends, also after a longjmp */
    size_t owned_count, owned_cap;
    struct instance *instances;
    /* sp: vreg that points to the top of the stack for recursion, -1: none; stack: the object that
     * is that stack */
    int sp, stack;
    struct jump { /* a branch step that goes to the start of an instance */
        int step;
        const struct instance *to;
    } * jumps;
    size_t jump_count, jump_cap;
    /* a step to whose src[1] the size of a recursive function's frame must be added (sign 1) or
     * subtracted (-1) */
    struct size_fixup {
        int step;
        const struct instance *of;
        int sign;
    } * sizes;
    size_t size_count, size_cap;
    /* predicate vreg that holds the carry flag (add.cc and others); -1: not used so far */
    int carry;
    struct err *e;
    jmp_buf fail;
};

/* Refuses the kernel: reports the current instruction, its file and line. Does not return. */
void flatten_fail(struct flatten *f, const struct frame *fr, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* Allocates zeroed memory that is freed when flattening ends. */
void *flatten_alloc(struct flatten *f, size_t count, size_t size);
/* Adds a vreg of this type to the program. Returns its index. */
int flatten_vreg(struct flatten *f, enum ptx_type type);
/* Appends a step for the current instruction. The pointer is valid until the next step is
 * appended. */
struct ptx_step *flatten_step(struct flatten *f, const struct frame *fr, enum ptx_op op);
/* Add an object for a variable and return its index. flatten_lay_out: in shared or local memory;
 * flatten_stacked: in the stack frame of a recursive function. */
int flatten_lay_out(struct flatten *f, const struct ptx_var *v, enum ptx_space space);
int flatten_stacked(struct flatten *f, const struct ptx_var *v, struct instance *x);
/* A source that is the address of an object plus imm. Appends a step to compute it if the object is
 * in a stack frame. */
struct ptx_src flatten_address(struct flatten *f, struct frame *fr, int object, uint64_t imm);
/* The object that a name refers to at the current instruction; if it has no place yet, it is laid
 * out. -1: there is none. */
int flatten_object(struct flatten *f, struct frame *fr, const char *symbol);

/* Refuses a name that does not refer to an object. */
void flatten_unknown(struct flatten *f, const struct frame *fr, const char *symbol)
    __attribute__((noreturn));

/* Append the steps of a function; its frame must have the objects of parameters and results. */
void flatten_inline(struct flatten *f, struct frame *fr);
/* flatten_call: append the steps of a call. flatten_instances: at the end, append the bodies of
 * recursive functions (calls.c). */
void flatten_call(struct flatten *f, struct frame *fr, const struct ptx_inst *in);
void flatten_instances(struct flatten *f, struct frame *top);

/* Append the steps of a call to a function that the simulator provides (builtins.c). lists: the
 * results and the arguments of the call, or NULL. Returns 0 if the simulator provides no function
 * of this name. */
int flatten_provided(struct flatten *f, struct frame *fr, const struct ptx_inst *in,
    const char *name, const struct ptx_operand *const lists[2]);

/* Append the steps of one instruction that is no branch, return or call. */
void resolve_inst(struct flatten *f, struct frame *fr, const struct ptx_inst *in);

/* Find the basic blocks of a program after all its steps are appended (blocks.c). */
void ptx_find_blocks(struct ptx_program *p);

#endif
