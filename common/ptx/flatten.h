/* flatten.h - shared between flatten.c (functions, objects, branches) and resolve.c (one instruction to its steps). */
#ifndef LOCKSTEP_PTX_FLATTEN_H
#define LOCKSTEP_PTX_FLATTEN_H

#include "ptx/ptx.h"

#include <setjmp.h>

/* One function being inlined. */
struct frame {
    const struct ptx_func *func;
    struct frame *caller;
    int vreg_base;         /* its registers are vregs from here on */
    const int *param_object, *return_object; /* program objects its parameters and results are bound to; NULL: kernel */
    int *start;            /* by instruction: its first step */
    int *object;           /* by index into func->vars; -1 where not yet laid out */
    int inst;              /* being resolved */
    int line;              /* the learner's line last seen */
};

struct flatten {
    const struct ptx_module *m;
    struct ptx_program *p;
    const char *main_file;
    int main_index;        /* of .file; -1 when the module has no lines for main_file */
    struct fixup {         /* a branch whose target is the first step of an instruction: start[inst] once known */
        int step, inst;
        const int *start;
    } *fixups;
    size_t fixup_count, fixup_cap;
    void **owned;          /* freed when flattening ends, also by a longjmp */
    size_t owned_count, owned_cap;
    int carry;             /* predicate vreg of add.cc and its kin, -1 when not yet needed */
    struct err *e;
    jmp_buf fail;
};

/* Refuse: one line with the instruction, file and line. Does not return. */
void flatten_fail(struct flatten *f, const struct frame *fr, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* Zeroed memory that lives until flattening ends. */
void *flatten_alloc(struct flatten *f, size_t count, size_t size);
int flatten_vreg(struct flatten *f, enum ptx_type type);
struct ptx_step *flatten_step(struct flatten *f, const struct frame *fr, enum ptx_op op);
/* The program object that a name means here, or -1. */
int flatten_object(struct flatten *f, struct frame *fr, const char *symbol);

/* Refuse a name that is no object. */
void flatten_unknown(struct flatten *f, const struct frame *fr, const char *symbol) __attribute__((noreturn));

/* The steps of a call of a function that the simulator has itself (provided.c); lists: its results and arguments, or NULL. 0 when name is
 * none of them. */
int flatten_provided(struct flatten *f, struct frame *fr, const struct ptx_inst *in, const char *name,
                     const struct ptx_operand *const lists[2]);

/* Append the steps of one instruction that is neither branch, return nor call. */
void resolve_inst(struct flatten *f, struct frame *fr, const struct ptx_inst *in);

/* The basic blocks of a program whose steps are complete (blocks.c). */
void ptx_find_blocks(struct ptx_program *p);

#endif
