/* texture_types.h - arrays, textures and surfaces on the host, in C.
 * Source: CUDA Runtime API, data types. */
#ifndef LOCKSTEP_STANDIN_TEXTURE_TYPES_H
#define LOCKSTEP_STANDIN_TEXTURE_TYPES_H

#include "driver_types.h"

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits */
    enum cudaChannelFormatKind f;
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaResourceType {
    cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D
};
enum {
    cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8
};
enum {
    cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3, cudaTextureTypeCubemap = 12,
    cudaTextureType1DLayered = 241, cudaTextureType2DLayered = 242
};

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct { cudaArray_t array; } array;
        struct { void *mipmap; } mipmap;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct cudaResourceViewDesc { int format; size_t width, height, depth; };
struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
};

/* What a texture or surface object points to in device memory; the device's functions read it. */
struct lockstep_texture_ {
    unsigned long long base;        /* device address of the first element */
    unsigned width, height, depth;  /* in elements; depth: or the number of layers; each at least 1 */
    unsigned pitch;                 /* bytes from row to row */
    unsigned element;               /* bytes of an element */
    unsigned char kind, bits, channels; /* kind: enum cudaChannelFormatKind; bits: of a channel */
    unsigned char linear, normalized_values, normalized_coordinates, address[3];
    unsigned char unused[3];
    float border[4];
};

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
    size_t height LOCKSTEP_DEFAULT_(0), unsigned flags LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
    struct cudaExtent extent, unsigned flags LOCKSTEP_DEFAULT_(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned *flags,
    cudaArray_t array);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
    enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
    enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
    size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
    size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
    const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t lockstepBindLinear(size_t *offset, const struct textureReference *texture, const void *p,
    const struct cudaChannelFormatDesc *desc, size_t bytes, int read_mode);
cudaError_t lockstepBind2D(size_t *offset, const struct textureReference *texture, const void *p,
    const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch, int read_mode);
cudaError_t lockstepBindArray(const struct textureReference *texture, cudaArray_const_t array, int read_mode);
cudaError_t cudaUnbindTexture(const struct textureReference *texture);
#ifdef __cplusplus
}

template <class T> struct lockstep_channels_ { enum { count = 0 }; };
#define LOCKSTEP_CHANNELS_(T, n, format)                                                                  \
    template <> struct lockstep_channels_<T> {                                                            \
        enum { count = n, bits = 8 * sizeof(T) / n, kind = cudaChannelFormatKind##format };               \
    };
#define LOCKSTEP_CHANNELS_OF_(scalar, vector, format)                                                     \
    LOCKSTEP_CHANNELS_(scalar, 1, format)                                                                 \
    LOCKSTEP_CHANNELS_(vector##1, 1, format)                                                              \
    LOCKSTEP_CHANNELS_(vector##2, 2, format)                                                              \
    LOCKSTEP_CHANNELS_(vector##4, 4, format)
LOCKSTEP_CHANNELS_OF_(signed char, char, Signed)
LOCKSTEP_CHANNELS_OF_(unsigned char, uchar, Unsigned)
LOCKSTEP_CHANNELS_OF_(short, short, Signed)
LOCKSTEP_CHANNELS_OF_(unsigned short, ushort, Unsigned)
LOCKSTEP_CHANNELS_OF_(int, int, Signed)
LOCKSTEP_CHANNELS_OF_(unsigned, uint, Unsigned)
LOCKSTEP_CHANNELS_OF_(float, float, Float)
LOCKSTEP_CHANNELS_(char, 1, Signed)

template <class T> static inline struct cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef lockstep_channels_<T> c;
    int bits = c::bits;
    return cudaCreateChannelDesc(bits, c::count > 1 ? bits : 0, c::count > 2 ? bits : 0,
        c::count > 3 ? bits : 0, (enum cudaChannelFormatKind)c::kind);
}
#endif

#endif
