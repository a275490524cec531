/* nvrtc.h - stands in for the header of CUDA's runtime compiler, which common/runtime/nvrtc.c implements: the
 * compiler is lockstep-nvcc, beside the runtime, and what it makes is PTX. Source: NVRTC, user guide. */
#ifndef LOCKSTEP_STANDIN_NVRTC_H
#define LOCKSTEP_STANDIN_NVRTC_H

#include <stddef.h>

/* RESULT(name after NVRTC_, number) */
#define LOCKSTEP_NVRTC_RESULTS_(RESULT) \
    RESULT(SUCCESS, 0) \
    RESULT(ERROR_OUT_OF_MEMORY, 1) \
    RESULT(ERROR_PROGRAM_CREATION_FAILURE, 2) \
    RESULT(ERROR_INVALID_INPUT, 3) \
    RESULT(ERROR_INVALID_PROGRAM, 4) \
    RESULT(ERROR_INVALID_OPTION, 5) \
    RESULT(ERROR_COMPILATION, 6) \
    RESULT(ERROR_BUILTIN_OPERATION_FAILURE, 7) \
    RESULT(ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, 8) \
    RESULT(ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, 9) \
    RESULT(ERROR_NAME_EXPRESSION_NOT_VALID, 10) \
    RESULT(ERROR_INTERNAL_ERROR, 11)

typedef enum nvrtcResult_enum {
#define LOCKSTEP_NVRTC_RESULT_(name, number) NVRTC_##name = number,
    LOCKSTEP_NVRTC_RESULTS_(LOCKSTEP_NVRTC_RESULT_)
#undef LOCKSTEP_NVRTC_RESULT_
} nvrtcResult;
typedef struct lockstep_nvrtc_program *nvrtcProgram;

#ifdef __cplusplus
extern "C" {
#endif

const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);

/* Create a program from its source and from headers, which it includes by the given names. All text is
 * copied. */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
    const char *const *texts, const char *const *include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
/* The options are those of nvcc. The log has the compiler's messages. */
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);

/* PTX as text; the size includes the 0 at its end. The cubin is the same text, which cuModuleLoadData
 * accepts. */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);

/* An instance of a template by its name in C++: it must be added before compiling; its name in the PTX is
 * known afterwards. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name);

#ifdef __cplusplus
}
#endif

#endif
