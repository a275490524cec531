/* graphics.c - CUDA's OpenGL interoperability, which is not supported.
 *
 *     cudaGraphicsGLRegisterBuffer ──> cudaErrorNotSupported, and one line on stderr
 *
 * Programs that draw can often run without a window, too; so that they link, each call is defined,
 * and fails. CUDA's header is not included, since it needs that of OpenGL. GLuint and GLenum are
 * unsigned int. */
#include "runtime/runtime.h"

static cudaError_t refuse(void)
{
    static int told;
    if (!told++)
        runtime_say("warning: there is no OpenGL here; run the program without its window");
    return cudaErrorNotSupported;
}

/* Defines an OpenGL call that fails. It is defined without parameters, which do not matter: with
 * C's calling convention a caller may pass more arguments than a function takes. */
#define REFUSED(name) \
    API cudaError_t name(void); \
    API cudaError_t name(void) \
    { \
        ENTER(); \
        return runtime_leave(refuse()); \
    }

REFUSED(cudaGraphicsGLRegisterBuffer)
REFUSED(cudaGraphicsGLRegisterImage)
REFUSED(cudaGraphicsUnregisterResource)
REFUSED(cudaGraphicsResourceSetMapFlags)
REFUSED(cudaGraphicsMapResources)
REFUSED(cudaGraphicsUnmapResources)
REFUSED(cudaGraphicsResourceGetMappedPointer)
REFUSED(cudaGraphicsSubResourceGetMappedArray)
REFUSED(cudaGLGetDevices)
REFUSED(cudaGLSetGLDevice)
REFUSED(cudaGLRegisterBufferObject)
REFUSED(cudaGLUnregisterBufferObject)
REFUSED(cudaGLMapBufferObject)
REFUSED(cudaGLUnmapBufferObject)
