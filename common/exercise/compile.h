/* compile.h - private to exercise/: read a source file, and check what it may include. */
#ifndef LOCKSTEP_EXERCISE_COMPILE_H
#define LOCKSTEP_EXERCISE_COMPILE_H

#include "exercise/exercise.h"
#include "os/os.h"

/* Was the file refused because it uses something that the kit does not have, such as textures or
 * clusters? Then 1, and *e says in one line what it is and what there is instead
 * (unsupported.c). */
int unsupported(const struct compiled *c, struct err *e);

/* Read a source file into out->source. 0, or -1 with status and output set: the file is
 * missing, not a regular file, empty, binary or too large. graded: neither it nor its folder
 * may be a link. */
enum { SOURCE_MAX = 256 * 1024 };
int source_read(const char *file, int graded, struct compiled *out);
/* Write the source to a file of that name in a private directory, for a compiler that shall see
 * nothing else. Returns its path, which the caller frees; NULL: it cannot be written. */
char *source_copy(const struct compiled *c, const char *directory, const char *name, struct err *e);
/* Find the first file in deps that a submission may not include. deps is a make rule, as a compiler
 * writes it. Allowed are file (clang lists the copy, nvcc the name that #line gave it), lockstep.h,
 * headers that compilers bring, and what is in the private directory. NULL: all are allowed. The
 * caller frees it. */
char *compile_foreign_include(
    const struct kit *k, const char *deps, const char *file, const char *directory);
/* If a compiler did not find a header, add the rule to what it said. */
void compile_explain_include(struct compiled *c, const char *rule);

/* One run of a compiler, over a file that c names. */
struct compiler {
    const char *name; /* "gcc" */
    const char *const *argv;
    const char *directory; /* its private directory, the only one that it may write to */
    const char *headers;   /* the only folder of the kit that it may read */
    const char *deps;      /* where it lists what the file includes; NULL: that is not checked */
    const char *rule;      /* what a file may include, for messages */
    int open;              /* nobody grades the file: it reaches what the kit can */
    double seconds;
    size_t memory_bytes;
};
/* Run it with limits, and set c->status and c->output. Returns 1 if another run would give the same
 * result; 0 if the compiler was killed. */
enum { COMPILE_SECONDS = 15 };
int compile_run(const struct kit *k, const struct compiler *r, struct compiled *c);

/* Where nothing hides the machine's files from compilers (include_check.c): run the one of s to list what
 * the file includes, before it compiles. 1: the file is refused, and c says why. compile_cover
 * keeps of what a failed compilation says only what is about its own file. */
int compile_exposed(
    const struct kit *k, const struct spawn *s, const struct compiler *r, struct compiled *c);
void compile_cover(struct compiled *c);
/* Remove this machine's paths from a compiler's output (hide_paths.c). directory: the private
 * directory. */
void compile_hide_paths(const struct kit *k, const char *directory, struct compiled *c);

/* Raise .version and .target of PTX to what its instructions need (ptx_target.c). *ptx may be
 * replaced. */
void compile_raise(char **ptx);

/* Append a line "HASH PATH" for each header of the kit. */
void compile_hash_headers(const struct kit *k, struct buf *out);
/* A copy in directory of lockstep.h as clang keeps it when it is parsed, for a source that begins
 * with it (precompiled.c). argv: the command that the source is compiled with, of which the options
 * count. The caller frees the path; NULL: the header has to be parsed with the source. */
char *precompiled(const struct kit *k, const struct front *f, const char *const *argv,
    const char *source, const char *directory);
/* After a file did not compile with the parsed header at path: is the header to blame? 0: no, it
 * loads. 1: yes, and it was replaced. -1: the new one does not load either. */
int precompiled_again(const struct kit *k, const struct front *f, const char *const *argv,
    const char *path, const char *directory);

#endif
