/* nvcc.h - lockstep-nvcc: nvcc's command line, for a machine without CUDA. Private to the room.
 *
 *     words -- options_read --> struct job -- job_run --> clang, g++ --> objects --> a program
 */
#ifndef LOCKSTEP_NVCC_H
#define LOCKSTEP_NVCC_H

#include "os/os.h"

/* STAGE_CUBIN and STAGE_FATBIN: PTX, too, by those names. STAGE_CUDA: as -E, to FILE.cu.cpp.ii. */
enum stage {
    STAGE_PTX,
    STAGE_CUBIN,
    STAGE_FATBIN,
    STAGE_OBJECT,
    STAGE_LINK,
    STAGE_SHARED,
    STAGE_DEVICE_LINK,
    STAGE_PREPROCESS,
    STAGE_CUDA,
    STAGE_DEPENDENCIES
};

/* What a command line asks for. */
struct job {
    enum stage stage;
    struct words inputs;             /* in their order: sources, objects, archives */
    struct words preprocess;         /* -I, -D, -U, -include, -isystem */
    struct words host;               /* -g, -std, -W...: for both passes and for host files */
    struct words link;               /* -L, -l and the linker's words, in their order */
    char *output;                    /* NULL: the usual name */
    char *depfile, *target, *folder; /* -MF, -MT, -odir; NULL: none */
    int dependencies;                /* -MD or -MMD: a list of headers beside the object */
    int as_cuda;                     /* -x cu */
    int architecture;                /* the newest that is asked for, such as 80; 0: none is */
    int optimise;                    /* level for the host's part: 0 to 3 */
    int debug_device;                /* -G */
    int relocatable;                 /* -rdc=true, -dc: device code may refer to other files' */
    int has_std;
    int verbose, dry;
};
void job_free(struct job *j);

/* Read nvcc's options. What is ignored is named in one line each on stderr. -1 with ERR_USAGE. */
int options_read(int argc, char **argv, struct job *j, struct err *e);

/* Where the headers and the runtime are, found from this program's own place. */
struct place {
    char *cuda;    /* the folder of lockstep_clang.h */
    char *library; /* the folder of liblockstep-cudart.so */
    char *clang, *cxx;
    char *nvcc; /* NVIDIA's, where clang is not installed; then clang is NULL */
};
int place_find(struct place *p, struct err *e);
void place_free(struct place *p);

/* If the marks of a launch stand apart in a CUDA file, "<< <", or an alignment behind __shared__,
 * *copy is the name of a copy in the folder with "<<<" and the alignment in front; the caller frees
 * it. NULL: the file needs none. Returns 0, or -1 with an error. */
int marks_joined(const char *file, const char *directory, int number, char **copy, struct err *e);

/* Make an object of -fgpu-rdc call the runtime when the program starts. */
int relocatable_mark(const char *object, struct err *e);

/* Name the missing libraries that a file includes, in one line each on stderr. */
void missing_libraries(const char *file);

/* Build. Returns 0, or a compiler's exit status; -1 with an error. */
int job_run(const struct job *j, const struct place *p, struct err *e);

#endif
