/* clang.c - clang as a replacement for nvcc: where compilers are, and the options that make clang's
 * PTX like nvcc's.
 *
 *     clang_words      lets clang read CUDA without NVIDIA's SDK
 *     clang_stubs      uses the kit's stand-ins for CUDA's own headers, and allows <<<...>>>
 *     clang_to_ptx     inlines and unrolls as nvcc does */
#include "os/os.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const clang_versions[] = {"", "-14", "-15", "-16", "-17", "-18", "-19", NULL};

/* Is the compiler at path the kit's own build/cuda/bin/nvcc, which is a link to lockstep-nvcc? */
static int is_ours(const char *path)
{
    char real[PATH_MAX], *slash = realpath(path, real) ? strrchr(real, '/') : NULL;
    return slash && !strcmp(slash + 1, "lockstep-nvcc");
}

char *nvcc_find(void)
{
    char *path = spawn_find("nvcc");
    const char *home = getenv("CUDA_HOME");
    if (path || !home) return path;
    path = xasprintf("%s/bin/nvcc", home);
    if (!access(path, X_OK) && !is_ours(path)) return path;
    free(path);
    return NULL;
}

void clang_words(struct words *w, const char *clang, int architecture)
{
    WORDS(w, clang, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent");
    WORDS(w, architecture >= 80 ? "--cuda-gpu-arch=sm_80" : "--cuda-gpu-arch=sm_70");
}

/* The SDK version that is stated makes clang use the current runtime functions for <<<...>>>. */
void clang_stubs(struct words *w, const char *cuda)
{
    WORDS(w, "-Xclang", "-target-sdk-version=11.0", "-include");
    words_take(w, xasprintf("%s/stubs/cuda_runtime.h", cuda));
    words_take(w, xasprintf("-I%s/stubs", cuda));
}

/* nvcc inlines every function and unrolls much further than clang does by default: without these
 * thresholds the accumulators of a register tile would stay in local memory. -fno-finite-loops
 * keeps an endless loop in the code, so that it is reported when it runs. Without code sinking the
 * four loads that clang makes of a float4 stay together, also if each value is used behind a branch
 * of its own, and become one load of 16 bytes. */
void clang_to_ptx(struct words *w, const char *level, const char *lines, int unrolls)
{
    WORDS(w, "--cuda-device-only", "-S", level, lines, "-fno-finite-loops");
    WORDS(w, "-mllvm", "-instcombine-code-sinking=0");
    WORDS(w, "-mllvm", "-inline-threshold=100000", "-mllvm");
    WORDS(w, unrolls ? "-unroll-threshold=3000" : "-unroll-threshold=0");
    if (!unrolls) WORDS(w, "-mllvm", "-pragma-unroll-threshold=0");
    WORDS(w, "-Xclang", "-target-feature", "-Xclang", "+ptx75");
}
