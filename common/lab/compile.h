/* compile.h - from a learner's file to PTX, by clang or nvcc, whichever the whole run uses.
 *
 *     file ── checks ──> front end, contained ──> PTX ── includes checked ──> cache
 */
#ifndef LOCKSTEP_LAB_COMPILE_H
#define LOCKSTEP_LAB_COMPILE_H

#include "lab/kit.h"

/* The front end: one for student and reference alike. */
struct front {
    const char *kind; /* "clang" or "nvcc" */
    char *path;
    char *name;       /* "clang 14.0.6" */
};
/* kind: "clang", "nvcc" or NULL for the one that is there, clang first. */
int front_find(struct front *f, const char *kind, struct err *e);
void front_free(struct front *f);

enum compile_status {
    COMPILE_OK,
    COMPILE_MISSING, /* there is no such file */
    COMPILE_BAD,     /* the file's fault: output says why */
    COMPILE_BROKEN,  /* the machine's fault: err says what */
};
struct compiled {
    char *file;         /* the path, as the compiler was given it */
    char *source;       /* its text; NULL when it could not be read */
    char *ptx;          /* NULL unless COMPILE_OK */
    struct buf output;  /* what the compiler said, or the one line why it was not asked */
    struct err err;
    enum compile_status status;
};
/* file is copied. */
void compile_kernel(const struct kit *k, const struct front *f, const char *file, struct compiled *out);
void compiled_free(struct compiled *c);
/* The same for a file that nobody grades: it may include what it likes, and need not include lockstep.h. CUDA's own headers
 * are stood in for (common/standin) where the compiler is clang. Nothing is kept. */
void compile_any(const struct kit *k, const struct front *f, const char *file, struct compiled *out);

/* Was it refused for what the kit does not have: textures, cooperative groups and the like? Then 1, and *e says in one line
 * what and what there is instead (unsupported.c). */
int unsupported(const struct compiled *c, struct err *e);

/* Many at once, on all cores. */
void compile_kernels(const struct kit *k, const struct front *f, char *const *files, struct compiled *out, int count);

/* Read a source file. 0, or -1 with status and output set (missing, not a file, empty, binary, too large). */
enum { SOURCE_MAX = 256 * 1024 };
int source_read(const char *file, struct compiled *out);
/* The first file named in deps (a make rule, as a compiler writes it) that a submission may not include: anything but
 * itself, lockstep.h, the system's headers and files in directory (NULL: none). NULL when all are allowed. */
char *compile_foreign_include(const struct kit *k, const char *deps, const char *file, const char *directory);
/* Line number line of text, without its newline or indentation; the caller frees it. */
char *source_line(const char *text, int line);

#endif
