/* cuda_textures.h - texture and surface functions of kernels.
 *
 *     tex2D<float>(object, x, y) ── where: address mode, filter ── load of each element ──> value
 *
 * An object is the address of a struct lockstep_texture_ in device memory; a texture reference is such a
 * struct itself. Loads of elements count as requests and sectors of the texture unit. The instructions around
 * them are more than a GPU has, and elements of an array lie row by row, which on a GPU they don't. Surfaces
 * are read and written as global memory, and count so.
 * Source: CUDA C++ Programming Guide, texture fetching: the fraction of a linear filter has 8 bits. */
#ifndef LOCKSTEP_STANDIN_CUDA_TEXTURES_H
#define LOCKSTEP_STANDIN_CUDA_TEXTURES_H

#include "texture_types.h"

template <class T, int dimensions = 1, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    __host__ texture(int normal = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
        enum cudaTextureAddressMode address = cudaAddressModeClamp)
    {
        normalized = normal;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = cudaCreateChannelDesc<T>();
        sRGB = 0;
    }
};

/* ---- elements ---- */

/* The description to which an object refers. These loads are not counted: a GPU has no instruction for
 * them. */
LOCKSTEP_FN_ lockstep_texture_ lockstep_describe_(cudaTextureObject_t object)
{
    lockstep_texture_ t;
    unsigned word[sizeof t / 4];
    for (int i = 0; i < (int)(sizeof t / 4); i++)
        asm("ld.global.descriptor.u32 %0, [%1];" : "=r"(word[i]) : "l"(object + 4 * i));
    memcpy(&t, word, sizeof t);
    return t;
}

/* One element of 1 to 16 bytes, as one fetch of the texture unit. */
struct lockstep_bytes_ { unsigned word[4]; };
LOCKSTEP_FN_ lockstep_bytes_ lockstep_fetch_(unsigned long long at, unsigned bytes)
{
    lockstep_bytes_ e = {{0, 0, 0, 0}};
    unsigned *w = e.word;
    switch (bytes) {
    case 1: asm("ld.global.texel.u8 %0, [%1];" : "=r"(w[0]) : "l"(at)); break;
    case 2: asm("ld.global.texel.u16 %0, [%1];" : "=r"(w[0]) : "l"(at)); break;
    case 4: asm("ld.global.texel.u32 %0, [%1];" : "=r"(w[0]) : "l"(at)); break;
    case 8: asm("ld.global.texel.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(at)); break;
    default:
        asm("ld.global.texel.v4.u32 {%0, %1, %2, %3}, [%4];"
            : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(at));
    }
    return e;
}

LOCKSTEP_FN_ float lockstep_half_value_(unsigned h)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"((unsigned short)h));
    return f;
}

/* Channel c of an element, as an integer or, in the overload below, as a float. */
LOCKSTEP_FN_ int lockstep_channel_(const lockstep_texture_ *t, const lockstep_bytes_ &e, int c, int)
{
    if (t->bits == 32) return (int)e.word[c];
    unsigned v = t->bits == 16 ? e.word[c / 2] >> 16 * (c % 2) : e.word[0] >> 8 * c;
    if (t->kind == cudaChannelFormatKindSigned) return t->bits == 8 ? (signed char)v : (short)v;
    return t->bits == 8 ? (unsigned char)v : (unsigned short)v;
}
LOCKSTEP_FN_ float lockstep_channel_(const lockstep_texture_ *t, const lockstep_bytes_ &e, int c, float)
{
    int v = lockstep_channel_(t, e, c, 0);
    if (t->kind == cudaChannelFormatKindFloat)
        return t->bits == 32 ? __int_as_float(v) : lockstep_half_value_((unsigned)v);
    if (t->kind == cudaChannelFormatKindSigned) {
        float most = t->bits == 8 ? 127.f : 32767.f, f = (float)v;
        return !t->normalized_values ? f : f / most < -1.f ? -1.f : f / most;
    }
    return t->normalized_values ? (float)v / (t->bits == 8 ? 255.f : 65535.f) : (float)(unsigned)v;
}

/* Up to four channels of an element, as floats or integers (V), before they are converted to a T. */
template <class V> struct lockstep_texel_ { V c[4]; };

template <class V>
LOCKSTEP_FN_ lockstep_texel_<V> lockstep_load_(const lockstep_texture_ *t, int x, int y, int z)
{
    lockstep_texel_<V> e = {{0, 0, 0, 0}};
    lockstep_bytes_ all = lockstep_fetch_(t->base + ((size_t)z * t->height + (size_t)y) * t->pitch +
        (size_t)x * t->element, t->element);
    for (int c = 0; c < 4; c++)
        if (c < t->channels) e.c[c] = lockstep_channel_(t, all, c, V());
    return e;
}

/* ---- addresses ---- */

/* The index of the element for a coordinate, by the address mode; -1: it is in the border. */
LOCKSTEP_FN_ int lockstep_address_(int i, int size, int mode)
{
    if (mode == cudaAddressModeWrap) return ((i % size) + size) % size;
    if (mode == cudaAddressModeMirror) {
        int twice = 2 * size, k = ((i % twice) + twice) % twice;
        return k < size ? k : twice - 1 - k;
    }
    if (mode == cudaAddressModeBorder) return i < 0 || i >= size ? -1 : i;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

template <class V>
LOCKSTEP_FN_ lockstep_texel_<V> lockstep_at_(const lockstep_texture_ *t, int x, int y, int z, int layered)
{
    x = lockstep_address_(x, (int)t->width, t->address[0]);
    y = lockstep_address_(y, (int)t->height, t->address[1]);
    z = lockstep_address_(z, (int)t->depth, layered ? cudaAddressModeClamp : t->address[2]);
    if (x >= 0 && y >= 0 && z >= 0) return lockstep_load_<V>(t, x, y, z);
    lockstep_texel_<V> e;
    for (int c = 0; c < 4; c++) e.c[c] = (V)t->border[c];
    return e;
}

/* ---- filters ---- */

/* The fraction of a linear filter, rounded to 8 bits. */
LOCKSTEP_FN_ float lockstep_fraction_(float f) { return floorf(f * 256.f + .5f) / 256.f; }

LOCKSTEP_FN_ void lockstep_mix_(lockstep_texel_<float> *sum, const lockstep_texel_<float> &e, float weight)
{
    for (int c = 0; c < 4; c++) sum->c[c] += weight * e.c[c];
}

/* dimensions: how many of x, y and z are filtered; layered: z is the number of a layer. */
LOCKSTEP_FN_ lockstep_texel_<float> lockstep_filter_(
    const lockstep_texture_ *t, float x, float y, float z, int dimensions, int layered)
{
    lockstep_texel_<float> sum = {{0, 0, 0, 0}};
    float fx = floorf(x - .5f), fy = floorf(y - .5f), fz = floorf(z - .5f);
    float a = lockstep_fraction_(x - .5f - fx), b = dimensions > 1 ? lockstep_fraction_(y - .5f - fy) : 0,
          g = dimensions > 2 ? lockstep_fraction_(z - .5f - fz) : 0;
    int i = (int)fx, j = dimensions > 1 ? (int)fy : 0, k = dimensions > 2 ? (int)fz : layered ? (int)z : 0;
    for (int dz = 0; dz < (dimensions > 2 ? 2 : 1); dz++)
        for (int dy = 0; dy < (dimensions > 1 ? 2 : 1); dy++)
            for (int dx = 0; dx < 2; dx++) {
                float w = (dx ? a : 1 - a) * (dimensions < 2 ? 1 : dy ? b : 1 - b) *
                    (dimensions < 3 ? 1 : dz ? g : 1 - g);
                lockstep_mix_(&sum, lockstep_at_<float>(t, i + dx, j + dy, k + dz, layered), w);
            }
    return sum;
}

template <class V> struct lockstep_sample_;
template <> struct lockstep_sample_<float> {
    static LOCKSTEP_MEMBER_ lockstep_texel_<float> of(
        const lockstep_texture_ *t, float x, float y, float z, int dimensions, int layered)
    {
        if (t->linear) return lockstep_filter_(t, x, y, z, dimensions, layered);
        return lockstep_at_<float>(t, (int)floorf(x), (int)floorf(y), (int)floorf(z), layered);
    }
};
template <> struct lockstep_sample_<int> {
    static LOCKSTEP_MEMBER_ lockstep_texel_<int> of(
        const lockstep_texture_ *t, float x, float y, float z, int, int layered)
    {
        return lockstep_at_<int>(t, (int)floorf(x), (int)floorf(y), (int)floorf(z), layered);
    }
};

/* ---- values: which V carries a T, and how a T is made of it ---- */

template <class T> struct lockstep_value_;
#define LOCKSTEP_VALUE_(T, V, ...)                                                                        \
    template <> struct lockstep_value_<T> {                                                               \
        typedef V via;                                                                                    \
        static LOCKSTEP_MEMBER_ T of(const lockstep_texel_<V> &e)                                         \
        {                                                                                                 \
            T v = __VA_ARGS__;                                                                            \
            return v;                                                                                     \
        }                                                                                                 \
    };
#define LOCKSTEP_VALUES_(S, name, V)                                                                      \
    LOCKSTEP_VALUE_(S, V, (S)e.c[0])                                                                      \
    LOCKSTEP_VALUE_(name##1, V, {(S)e.c[0]})                                                              \
    LOCKSTEP_VALUE_(name##2, V, {(S)e.c[0], (S)e.c[1]})                                                   \
    LOCKSTEP_VALUE_(name##4, V, {(S)e.c[0], (S)e.c[1], (S)e.c[2], (S)e.c[3]})
LOCKSTEP_VALUES_(float, float, float)
LOCKSTEP_VALUES_(signed char, char, int)
LOCKSTEP_VALUES_(unsigned char, uchar, int)
LOCKSTEP_VALUES_(short, short, int)
LOCKSTEP_VALUES_(unsigned short, ushort, int)
LOCKSTEP_VALUES_(int, int, int)
LOCKSTEP_VALUES_(unsigned, uint, int)
LOCKSTEP_VALUE_(char, int, (char)e.c[0])

template <class T>
LOCKSTEP_FN_ T lockstep_tex_(
    cudaTextureObject_t object, float x, float y, float z, int dimensions, int layered = 0)
{
    const lockstep_texture_ description = lockstep_describe_(object), *t = &description;
    if (t->normalized_coordinates) {
        x *= (float)t->width;
        y *= dimensions > 1 ? (float)t->height : 1.f;
        z *= dimensions > 2 ? (float)t->depth : 1.f;
    }
    return lockstep_value_<T>::of(
        lockstep_sample_<typename lockstep_value_<T>::via>::of(t, x, y, z, dimensions, layered));
}

/* ---- what kernels call ---- */

template <class T> LOCKSTEP_FN_ T tex1Dfetch(cudaTextureObject_t object, int i)
{
    const lockstep_texture_ description = lockstep_describe_(object), *t = &description;
    lockstep_texel_<typename lockstep_value_<T>::via> none = {{0, 0, 0, 0}};
    if (i < 0 || i >= (int)t->width) return lockstep_value_<T>::of(none);
    return lockstep_value_<T>::of(lockstep_load_<typename lockstep_value_<T>::via>(t, i, 0, 0));
}
/* Defines NAME<T>(object, ...) and NAME(&value, object, ...). */
#define LOCKSTEP_TEX_(name, parameters, arguments, ...)                                                   \
    template <class T> LOCKSTEP_FN_ T name(cudaTextureObject_t object, LOCKSTEP_LIST_ parameters)         \
    {                                                                                                     \
        return lockstep_tex_<T>(object, __VA_ARGS__);                                                     \
    }                                                                                                     \
    template <class T> LOCKSTEP_FN_ void name(T *out, cudaTextureObject_t object, LOCKSTEP_LIST_ parameters) \
    {                                                                                                     \
        *out = lockstep_tex_<T>(object, __VA_ARGS__);                                                     \
    }                                                                                                     \
    template <class T, int dimensions, enum cudaTextureReadMode mode>                                     \
    LOCKSTEP_FN_ typename lockstep_read_<T, mode>::type name(                                             \
        texture<T, dimensions, mode> reference, LOCKSTEP_LIST_ parameters)                                \
    {                                                                                                     \
        return name<typename lockstep_read_<T, mode>::type>(                                              \
            lockstep_handle_(reference), LOCKSTEP_LIST_ arguments);                                       \
    }
#define LOCKSTEP_LIST_(...) __VA_ARGS__

/* The type of the value that a texture reference gives: T itself, or floats between 0 and 1. */
template <int count> struct lockstep_floats_;
template <> struct lockstep_floats_<1> { typedef float type; };
template <> struct lockstep_floats_<2> { typedef float2 type; };
template <> struct lockstep_floats_<4> { typedef float4 type; };
template <class T, enum cudaTextureReadMode mode> struct lockstep_read_ { typedef T type; };
template <class T> struct lockstep_read_<T, cudaReadModeNormalizedFloat> {
    typedef typename lockstep_floats_<lockstep_channels_<T>::count>::type type;
};

template <class R> LOCKSTEP_FN_ cudaTextureObject_t lockstep_handle_(R reference)
{
    cudaTextureObject_t object;
    asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
    return object;
}

LOCKSTEP_TEX_(tex1D, (float x), (x), x, 0.f, 0.f, 1)
LOCKSTEP_TEX_(tex2D, (float x, float y), (x, y), x, y, 0.f, 2)
LOCKSTEP_TEX_(tex3D, (float x, float y, float z), (x, y, z), x, y, z, 3)
LOCKSTEP_TEX_(tex1DLayered, (float x, int layer), (x, layer), x, 0.f, (float)layer, 1, 1)
LOCKSTEP_TEX_(tex2DLayered, (float x, float y, int layer), (x, y, layer), x, y, (float)layer, 2, 1)
LOCKSTEP_TEX_(tex1DLod, (float x, float), (x, 0.f), x, 0.f, 0.f, 1)
LOCKSTEP_TEX_(tex2DLod, (float x, float y, float), (x, y, 0.f), x, y, 0.f, 2)
LOCKSTEP_TEX_(tex3DLod, (float x, float y, float z, float), (x, y, z, 0.f), x, y, z, 3)
template <class T> LOCKSTEP_FN_ void tex1Dfetch(T *out, cudaTextureObject_t object, int i)
{
    *out = tex1Dfetch<T>(object, i);
}
template <class T, enum cudaTextureReadMode mode>
LOCKSTEP_FN_ typename lockstep_read_<T, mode>::type tex1Dfetch(texture<T, 1, mode> reference, int i)
{
    return tex1Dfetch<typename lockstep_read_<T, mode>::type>(lockstep_handle_(reference), i);
}

/* ---- surfaces: x in bytes ---- */

template <class T>
LOCKSTEP_FN_ T *lockstep_surface_(cudaSurfaceObject_t object, int x, int y, int z, int mode)
{
    const lockstep_texture_ description = lockstep_describe_(object), *t = &description;
    int last = (int)(t->width * t->element - sizeof(T));
    int inside = x >= 0 && x <= last && y >= 0 && y < (int)t->height && z >= 0 && z < (int)t->depth;
    if (!inside && mode != cudaBoundaryModeClamp) return 0;
    x = x < 0 ? 0 : x > last ? last : x;
    y = y < 0 ? 0 : y >= (int)t->height ? (int)t->height - 1 : y;
    z = z < 0 ? 0 : z >= (int)t->depth ? (int)t->depth - 1 : z;
    return (T *)((unsigned char *)t->base + ((size_t)z * t->height + (size_t)y) * t->pitch + x);
}
#define LOCKSTEP_SURFACE_(suffix, parameters, x, y, z)                                                    \
    template <class T>                                                                                    \
    LOCKSTEP_FN_ T surf##suffix##read(cudaSurfaceObject_t object, LOCKSTEP_LIST_ parameters,              \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                         \
    {                                                                                                     \
        T *p = lockstep_surface_<T>(object, x, y, z, mode);                                               \
        return p ? *p : T();                                                                              \
    }                                                                                                     \
    template <class T>                                                                                    \
    LOCKSTEP_FN_ void surf##suffix##read(T *out, cudaSurfaceObject_t object, LOCKSTEP_LIST_ parameters,   \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                         \
    {                                                                                                     \
        T *p = lockstep_surface_<T>(object, x, y, z, mode);                                               \
        *out = p ? *p : T();                                                                              \
    }                                                                                                     \
    template <class T>                                                                                    \
    LOCKSTEP_FN_ void surf##suffix##write(T value, cudaSurfaceObject_t object, LOCKSTEP_LIST_ parameters, \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                         \
    {                                                                                                     \
        if (T *p = lockstep_surface_<T>(object, x, y, z, mode)) *p = value;                               \
    }
LOCKSTEP_SURFACE_(1D, (int x), x, 0, 0)
LOCKSTEP_SURFACE_(2D, (int x, int y), x, y, 0)
LOCKSTEP_SURFACE_(3D, (int x, int y, int z), x, y, z)
LOCKSTEP_SURFACE_(2DLayered, (int x, int y, int layer), x, y, layer)

/* ---- binding a reference, on the host ---- */

template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, d, m> &t, const void *p,
    const struct cudaChannelFormatDesc &desc, size_t bytes = 0xffffffffu)
{
    return lockstepBindLinear(offset, &t, p, &desc, bytes, m);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(
    size_t *offset, const texture<T, d, m> &t, const void *p, size_t bytes = 0xffffffffu)
{
    struct cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    return lockstepBindLinear(offset, &t, p, &desc, bytes, m);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, d, m> &t, const void *p,
    const struct cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch)
{
    return lockstepBind2D(offset, &t, p, &desc, width, height, pitch, m);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(
    size_t *offset, const texture<T, d, m> &t, const void *p, size_t width, size_t height, size_t pitch)
{
    struct cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    return lockstepBind2D(offset, &t, p, &desc, width, height, pitch, m);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const texture<T, d, m> &t, cudaArray_const_t array)
{
    return lockstepBindArray(&t, array, m);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(
    const texture<T, d, m> &t, cudaArray_const_t array, const struct cudaChannelFormatDesc &)
{
    return lockstepBindArray(&t, array, m);
}
/* The forms of C, with the address of the texture reference. */
static inline cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *t, const void *p,
    const struct cudaChannelFormatDesc *desc, size_t bytes = 0xffffffffu)
{
    return lockstepBindLinear(offset, t, p, desc, bytes, cudaReadModeElementType);
}
static inline cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *t, const void *p,
    const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch)
{
    return lockstepBind2D(offset, t, p, desc, width, height, pitch, cudaReadModeElementType);
}
static inline cudaError_t cudaBindTextureToArray(
    const struct textureReference *t, cudaArray_const_t array, const struct cudaChannelFormatDesc *)
{
    return lockstepBindArray(t, array, cudaReadModeElementType);
}
template <class T, int d, enum cudaTextureReadMode m>
static inline cudaError_t cudaUnbindTexture(const texture<T, d, m> &t)
{
    return cudaUnbindTexture((const struct textureReference *)&t);
}

#endif
