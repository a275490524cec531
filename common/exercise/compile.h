/* compile.h - private to exercise/: read a source file, run a compiler on it with limits, check
 * its includes. */
#ifndef LOCKSTEP_EXERCISE_COMPILE_H
#define LOCKSTEP_EXERCISE_COMPILE_H

#include "exercise/exercise.h"
#include "os/os.h"

/* Was the file rejected because it uses a feature that the kit lacks, such as textures or clusters?
 * Then returns 1, and *e names the feature and its alternative in one line (unsupported.c). */
int unsupported(const struct compiled *c, struct err *e);

/* Read a source file into out->source. Returns 0; or -1 with status and output set if the file is
 * missing, not a regular file, empty, binary or larger than SOURCE_MAX bytes. graded: neither the
 * file nor its folder may be a symbolic link. */
enum { SOURCE_MAX = 256 * 1024 };
int source_read(const char *file, int graded, struct compiled *out);
/* Write the source to a file of that name in a private directory, for a compiler that must not
 * see other files. Returns its path, which the caller frees; NULL: it cannot be written. */
char *source_copy(const struct compiled *c, const char *directory, const char *name, struct err *e);
/* Find the first file in deps, a make rule written by a compiler, that a submission may not
 * include. Allowed are the file itself (clang lists the copy, nvcc the name that #line gave it),
 * lockstep.h, the compilers' own headers, and files in the private directory. NULL: all are
 * allowed. The caller frees it. */
char *compile_foreign_include(
    const struct kit *k, const char *deps, const char *file, const char *directory);
/* If the compiler did not find a header, append `rule`, which says what may be included, to its
 * output. */
void compile_explain_include(struct compiled *c, const char *rule);

/* A compiler run on one file. */
struct compiler {
    const char *name; /* name of the compiler, such as "gcc" */
    const char *const *argv;
    const char *directory; /* the compiler's private directory, the only one that it may write to */
    const char *file;      /* the word of argv that names the learner's file; NULL: none does */
    /* file that is the compiler's standard input, and the only one that it reads, as for an
     * assembler; NULL: it has none */
    const char *input;
    const char *headers; /* the only folder of the kit that the compiler may read */
    /* the file in which the compiler lists all includes; NULL: includes are not checked */
    const char *deps;
    const char *rule; /* what a file may include, as a sentence */
    int open;         /* 1: nobody grades the file, so it is compiled outside of the sandbox */
    double seconds;
    size_t memory_bytes;
};
/* Run the compiler, at most COMPILE_SECONDS, and set c->status and c->output. Returns 1 if another
 * run would give the same result; 0 if the compiler was killed. */
enum { COMPILE_SECONDS = 15 };
int compile_run(const struct kit *k, const struct compiler *r, struct compiled *c);

/* For systems on which the sandbox does not hide the machine's files (include_check.c).
 * compile_exposed lets the compiler of s preprocess the learner's file and list its includes;
 * returns 1 if the file is refused, with the reason in c; else w is the command that compiles the
 * preprocessed text. compile_cover keeps only those lines of a failed compilation's output that are
 * about the file itself. */
int compile_exposed(const struct kit *k, const struct spawn *s, const struct compiler *r,
    struct words *w, struct compiled *c);
void compile_cover(struct compiled *c);
/* Remove paths of this machine from the compiler's output (hide_paths.c). directory: the private
 * one. */
void compile_hide_paths(const struct kit *k, const char *directory, struct compiled *c);

/* Raise .version and .target of the PTX to those that its instructions need (ptx_target.c). *ptx
 * may be reallocated. */
void compile_raise(char **ptx);

/* Append a line "HASH PATH" for each header of the kit. */
void compile_hash_headers(const struct kit *k, struct buf *out);
/* The path of lockstep.h as clang has precompiled it, in this directory, for a source that begins
 * with that header (precompiled.c). argv: the command line for the source; the header is compiled
 * with the same options. The caller frees the path; NULL: the header must be compiled together with
 * the source. */
char *precompiled(const struct kit *k, const struct front *f, const char *const *argv,
    const char *source, const char *directory);
/* Call after a source failed to compile with the precompiled header at path, to find out whether
 * that header was the reason. 0: it can be loaded. 1: it could not be loaded, and was replaced. -1:
 * the new header cannot be loaded either. */
int precompiled_again(const struct kit *k, const struct front *f, const char *const *argv,
    const char *path, const char *directory);

#endif
