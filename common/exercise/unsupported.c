/* unsupported.c - if a file does not compile because it uses an unsupported feature, say so in one
 * line instead of the compiler's messages.
 *
 *     "FILE:LINE:COLUMN: error: ..." --> that line of the source --> a word of the table --> one message
 *
 * This is done only after the compiler has rejected the file, and only for lines that its
 * messages name. So a file that compiles is never rejected. */
#include "exercise/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table of unsupported features, one per row; WORDS: the most words of a row. Its words are
 * searched for in the source line that an error names; a word after '!' is searched for in the
 * compiler's message about that line. */
enum { WORDS = 24 };
static const struct {
    const char *words[WORDS], *says;
} things[] = {
    {{"texCubemap", "tex2Dgather", "tex1DGrad", "tex2DGrad", "tex3DGrad", "surfCubemap", "ipmap"},
        "cube maps, mip maps and gathers of a texture are not supported; tex1D to tex3D and layers are"},
    {{"surface<"}, "references of surfaces are not supported; surface objects are"},
    {{"this_multi_grid", "multi_grid_group"},
        "of cooperative groups, grids, clusters, blocks, tiles and coalesced groups are supported, but not "
        "several GPUs"},
    {{"__cluster_dims__"},
        "clang has no __cluster_dims__; launch by cudaLaunchKernelEx, with the cluster's size"},
    {{"cuda_fp4", "__nv_fp4", "cuda_fp6", "__nv_fp6"},
        "numbers of 6 and 4 bits are not supported; those of 8, half, bfloat16, float and double are"},
    {{"cuda/", "cuda::"},
        "of libcu++, cuda::barrier, cuda::pipeline and cuda::memcpy_async are supported"},
    {{"thrust", "cub/", "cub::", "curand", "cublas", "cufft", "cusparse", "cusolver", "cudnn",
         "nccl"},
        "CUDA's libraries are not supported; put the kernel into a file without them"},
    {{"!in __global__ function", "!in __device__ function", "!requires separate compilation"},
        "kernels that launch kernels are not supported; __device__ functions are"},
    {{"!identifier 'cuda", "!type name 'cuda", "!identifier \"cuda"},
        "this part of CUDA's runtime is not declared here; put the kernels into a file without the "
        "host's code that needs it"},
    {{"!identifier 'cu", "!type name 'CU"},
        "CUDA's driver interface is not supported; put the kernels into a file without it"},
};

/* The line number in a message that starts with "FILE:" (clang) or "FILE(" (nvcc). 0: the message
 * is about another file. */
static int named_line(const char *at, const char *file)
{
    size_t n = strlen(file);
    return !strncmp(at, file, n) && (at[n] == ':' || at[n] == '(') ? atoi(at + n + 1) : 0;
}

/* The index of the row whose words occur in a source line or in the message about that line. said:
 * the message, of `length` characters. -1: no row fits. */
static int thing_of(const char *source, const char *said, size_t length)
{
    char *quoted = xstrndup(said, length);
    int found = -1;
    for (size_t i = 0; found < 0 && i < sizeof things / sizeof *things; i++)
        for (const char *const *w = things[i].words; found < 0 && w < things[i].words + WORDS && *w;
             w++)
            if (**w == '!' ? strstr(quoted, *w + 1) : strstr(source, *w)) found = (int)i;
    free(quoted);
    return found;
}

/* The first message for which the table has a row decides. For an error in a header, clang names
 * the learner's line in "In file included from FILE:LINE"; the 22 characters before FILE are
 * skipped. */
int unsupported(const struct compiled *c, struct err *e)
{
    int found = -1;
    for (const char *at = c->output.data; at && *at && found < 0;) {
        size_t length = strcspn(at, "\n");
        int line = named_line(strncmp(at, "In file included from ", 22) ? at : at + 22, c->file);
        char *source = line ? source_line(c->source, line) : NULL;
        if (source && (found = thing_of(source, at, length)) >= 0)
            err_set(e, ERR_USAGE, "%s:%d: %s", c->file, line, things[found].says);
        free(source);
        at += length + (at[length] == '\n');
    }
    return found >= 0;
}
