/* nvcc.h - lockstep-nvcc: nvcc's command line, for a machine without CUDA. Private to nvcc/.
 *
 *     words -- options_read --> struct job -- job_run --> clang, g++ --> objects --> a program */
#ifndef LOCKSTEP_NVCC_H
#define LOCKSTEP_NVCC_H

#include "os/os.h"

/* How far a command line goes. STAGE_CUBIN and STAGE_FATBIN write PTX, too, but to files named
 * .cubin and .fatbin. STAGE_CUDA preprocesses as -E does, to FILE.cu.cpp.ii. */
enum stage {
    STAGE_PTX,
    STAGE_CUBIN,
    STAGE_FATBIN,
    STAGE_OBJECT,
    STAGE_LIBRARY,
    STAGE_LINK,
    STAGE_SHARED,
    STAGE_DEVICE_LINK,
    STAGE_PREPROCESS,
    STAGE_CUDA,
    STAGE_DEPENDENCIES
};

/* What is printed instead of building something. */
enum show { SHOW_NOTHING, SHOW_HELP, SHOW_VERSION, SHOW_VIRTUAL, SHOW_REAL };

/* How device code treats floats: the options -fmad, -ftz, -prec-div and -prec-sqrt, and
 * -use_fast_math, which sets all four. */
struct maths {
    int fmad, ftz, prec_div, prec_sqrt, fast;
};

/* The options of a command line. */
struct job {
    enum stage stage;
    enum show show;
    struct words inputs;     /* sources, objects and archives, in their order */
    struct words preprocess; /* the options -I, -D, -U, -include, -isystem */
    /* the options -g, -std, -w: for both compilations of a CUDA file, and for host files */
    struct words both;
    /* the values of -Xcompiler, and options that only the host compiler has: for host code, and for
     * the linker */
    struct words host;
    struct words archive; /* the values of -Xarchive */
    struct words link;    /* the options -L and -l, and linker options, in their order */
    char *output;         /* value of -o; NULL: the default name */
    /* values of -MF, -MT, -odir, -keep-dir; NULL: not given */
    char *depfile, *target, *folder, *keep_folder;
    struct words arguments; /* arguments of the program that -run starts */
    int run;                /* -run was given: start the program that was made */
    int keep;               /* --keep was given: PTX is kept */
    int forward;            /* --forward-unknown-to-host-compiler was given */
    int resources;          /* -Xptxas -v or -res-usage was given: print what kernels take */
    int most_registers;     /* value of -maxrregcount; 0: not given */
    int openmp;             /* -fopenmp is among the host's options */
    struct maths maths;
    int dependencies; /* -MD or -MMD was given: write a list of headers beside the object */
    int as_cuda;      /* -x cu was given: all sources are CUDA */
    int architecture; /* the newest architecture that was requested, such as 80; 0: none */
    int optimise;     /* value of -O for host code: 0 to 3; -1: not given */
    int debug_device; /* -G was given: no optimization of device code */
    /* -rdc=true or -dc was given: device code may refer to symbols of other files */
    int relocatable;
    int has_std;
    int verbose, dry;
};
void job_free(struct job *j);

/* Read nvcc's options into a job. Options without an effect are reported on stderr, one line each.
 * -1 with ERR_USAGE. */
int options_read(int argc, char **argv, struct job *j, struct err *e);
/* Are there input files, and do all exist? -1 with ERR_USAGE. */
int options_inputs(const struct job *j, struct err *e);

/* Where headers, runtime library and compilers are, as seen from the path of this program. */
struct place {
    char *cuda;    /* the folder of lockstep_clang.h */
    char *library; /* the folder of liblockstep-cudart.so */
    char *folder;  /* the folder that looks like CUDA's own (folder.sh) */
    char *clang, *cxx;
    char *nvcc;   /* NVIDIA's nvcc, if clang is not installed; then clang is NULL */
    char *openmp; /* the library of clang's OpenMP; NULL: it is not installed */
};
int place_find(struct place *p, struct err *e);
void place_free(struct place *p);
/* For -v: print where things are, in the words that CMake reads. */
void place_print(const struct place *p);

/* If a CUDA file has launches with blanks inside <<<, or an alignment after __shared__, write a
 * rewritten copy to the folder. *copy: its path, which the caller frees; NULL: no copy is needed.
 * Returns 0, or -1 with an error. */
int marks_joined(const char *file, const char *directory, int number, char **copy, struct err *e);

/* Print what ptxas would print for a file's PTX. Returns 1 if that is an error, else 0. */
int assembler_run(const struct job *j, const char *ptx);

/* Change an object compiled with -fgpu-rdc so that it registers itself with the runtime when the
 * program starts. */
int relocatable_mark(const char *object, struct err *e);

/* Report the missing libraries that a file includes, one line each on stderr. */
void missing_libraries(const char *file);
/* Report on stderr that the library of -lNAME is missing, if it is a library of CUDA. */
void missing_library(const char *name);

/* Run all compilations of the job. Returns 0, or a compiler's exit status; -1 with an error. */
int job_run(const struct job *j, const struct place *p, struct err *e);

#endif
