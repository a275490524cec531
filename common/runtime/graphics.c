/* graphics.c - CUDA's OpenGL interoperability, which is not supported.
 *
 *     cudaGraphicsGLRegisterBuffer ──> cudaErrorNotSupported, and one line on stderr
 *
 * Programs that draw often have a way without a window; so each call is there, and fails.
 * The header is not included, since it wants OpenGL's. An unsigned int is what GLuint and GLenum
 * are.
 */
#include "runtime/runtime.h"

static cudaError_t refuse(void)
{
    static int told;
    if (!told++)
        runtime_say("warning: there is no OpenGL here; run the program without its window");
    return cudaErrorNotSupported;
}

/* The parameters do not matter. C's rule of calls lets a caller pass more than a function takes. */
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
