/* cuda_gl_interop.h - buffers and pictures that CUDA shares with OpenGL. There is no OpenGL here: each call
 * returns cudaErrorNotSupported, so that a program which can also run without a window compiles and does.
 * Source: CUDA Runtime API, OpenGL Interoperability. */
#ifndef LOCKSTEP_STANDIN_CUDA_GL_INTEROP_H
#define LOCKSTEP_STANDIN_CUDA_GL_INTEROP_H

#include "cuda_runtime_api.h"

#include <GL/gl.h>

enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone = 0,
    cudaGraphicsMapFlagsReadOnly = 1,
    cudaGraphicsMapFlagsWriteDiscard = 2
};
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame, cudaGLDeviceListNextFrame };
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **r, GLuint buffer, unsigned flags);
cudaError_t cudaGraphicsGLRegisterImage(
    struct cudaGraphicsResource **r, GLuint image, GLenum target, unsigned flags);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t r);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t r, unsigned flags);
cudaError_t cudaGraphicsMapResources(
    int count, cudaGraphicsResource_t *r, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaGraphicsUnmapResources(
    int count, cudaGraphicsResource_t *r, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaGraphicsResourceGetMappedPointer(void **p, size_t *bytes, cudaGraphicsResource_t r);
cudaError_t cudaGraphicsSubResourceGetMappedArray(
    cudaArray_t *array, cudaGraphicsResource_t r, unsigned index, unsigned level);
cudaError_t cudaGLGetDevices(
    unsigned *count, int *devices, unsigned most, enum cudaGLDeviceList list);
cudaError_t cudaGLSetGLDevice(int device);
cudaError_t cudaGLRegisterBufferObject(GLuint buffer);
cudaError_t cudaGLUnregisterBufferObject(GLuint buffer);
cudaError_t cudaGLMapBufferObject(void **p, GLuint buffer);
cudaError_t cudaGLUnmapBufferObject(GLuint buffer);

#ifdef __cplusplus
}
#endif

#endif
