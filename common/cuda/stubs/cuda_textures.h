/* cuda_textures.h - texture and surface objects in kernels, in software: a fetch reads the object's descriptor
 * and the texels around a place from memory, as a kernel of one's own would.
 *
 *     linear filter, one dimension:   texel i      texel i + 1       i = floor(x - 0.5)
 *                                       |----x'----|               a = x - 0.5 - i, in 1/256
 *                                       (1 - a) T[i] + a T[i + 1]
 *
 * Results are those of a GPU; the counted accesses are those of this code, not of texture units.
 * Source: CUDA C++ Programming Guide, texture fetching. */
#ifndef LOCKSTEP_STANDIN_CUDA_TEXTURES_H
#define LOCKSTEP_STANDIN_CUDA_TEXTURES_H

#pragma clang system_header

/* A type's channels: their type, their count, and each by its number. */
template <class T> struct lockstep_channels_ {
    typedef T type;
    enum { count = 1 };
    LOCKSTEP_MEMBER_ static T &at(T &v, int) { return v; }
};
#define LOCKSTEP_CHANNELS_(T, vector, n)                                                       \
    template <> struct lockstep_channels_<vector> {                                            \
        typedef T type;                                                                        \
        enum { count = n };                                                                    \
        LOCKSTEP_MEMBER_ static T &at(vector &v, int i) { return ((T *)&v)[i]; }               \
    };
#define LOCKSTEP_CHANNELS4_(T, name)                                                           \
    LOCKSTEP_CHANNELS_(T, name##1, 1) LOCKSTEP_CHANNELS_(T, name##2, 2) LOCKSTEP_CHANNELS_(T, name##4, 4)
LOCKSTEP_CHANNELS4_(signed char, char)
LOCKSTEP_CHANNELS4_(unsigned char, uchar)
LOCKSTEP_CHANNELS4_(short, short)
LOCKSTEP_CHANNELS4_(unsigned short, ushort)
LOCKSTEP_CHANNELS4_(int, int)
LOCKSTEP_CHANNELS4_(unsigned, uint)
LOCKSTEP_CHANNELS4_(float, float)
#undef LOCKSTEP_CHANNELS4_
#undef LOCKSTEP_CHANNELS_

LOCKSTEP_FN_ const lockstep_texture *lockstep_texture_of(unsigned long long object)
{
    return (const lockstep_texture *)object;
}
/* An index brought into the texture by the address mode; -1: the border, which is 0. */
LOCKSTEP_FN_ int lockstep_texel_index(int i, int n, int mode)
{
    if (i >= 0 && i < n) return i;
    if (mode == cudaAddressModeBorder) return -1;
    if (mode == cudaAddressModeClamp) return i < 0 ? 0 : n - 1;
    int period = mode == cudaAddressModeMirror ? 2 * n : n, m = i % period;
    if (m < 0) m += period;
    return m < n ? m : period - 1 - m;
}
/* A channel as it lies in memory, or as a part of its greatest value. */
template <class C> LOCKSTEP_FN_ C lockstep_texel_channel(const lockstep_texture *t, const char *p, int c)
{
    if (!t->to_float) return ((const C *)p)[c];
    bool sign = t->kind == cudaChannelFormatKindSigned;
    float v = t->bits == 8 ? (sign ? (float)((const signed char *)p)[c] : (float)((const unsigned char *)p)[c])
                           : (sign ? (float)((const short *)p)[c] : (float)((const unsigned short *)p)[c]);
    float most = (float)((1 << (t->bits - (sign ? 1 : 0))) - 1);
    return (C)(v / most < -1 ? -1 : v / most);
}
template <class T> LOCKSTEP_FN_ T lockstep_texel(const lockstep_texture *t, int x, int y, int z)
{
    typedef lockstep_channels_<T> channels;
    T v = {};
    x = lockstep_texel_index(x, t->extent[0], t->address[0]);
    y = lockstep_texel_index(y, t->extent[1], t->address[1]);
    z = lockstep_texel_index(z, t->extent[2], t->address[2]);
    if (x < 0 || y < 0 || z < 0) return v;
    const char *p = t->data + z * t->slice + (unsigned long long)y * t->pitch +
                    (unsigned long long)x * (t->bits / 8 * t->channels);
    for (int c = 0; c < channels::count && c < t->channels; c++)
        channels::at(v, c) = lockstep_texel_channel<typename channels::type>(t, p, c);
    return v;
}
/* Where the filter begins, and its weight in 1/256. */
LOCKSTEP_FN_ int lockstep_texel_place(const lockstep_texture *t, int dimension, float x, float *weight)
{
    if (t->normalized) x *= (float)t->extent[dimension];
    *weight = 0;
    if (!t->linear) return (int)floorf(x);
    x -= 0.5f;
    float below = floorf(x);
    *weight = floorf((x - below) * 256 + 0.5f) / 256;
    return (int)below;
}
/* dimensions: those that are filtered; z of a layered texture is its layer. */
template <class T> LOCKSTEP_FN_ T lockstep_fetch(
    unsigned long long object, int dimensions, float x, float y, float z)
{
    typedef lockstep_channels_<T> channels;
    const lockstep_texture *t = lockstep_texture_of(object);
    float a = 0, b = 0, g = 0;
    int i = lockstep_texel_place(t, 0, x, &a);
    int j = dimensions > 1 ? lockstep_texel_place(t, 1, y, &b) : (int)y;
    int k = dimensions > 2 ? lockstep_texel_place(t, 2, z, &g) : (int)z;
    if (!t->linear) return lockstep_texel<T>(t, i, j, k);
    T sum = {};
    for (int n = 0; n < 1 << dimensions; n++) {
        float w = (n & 1 ? a : 1 - a) * (n & 2 ? b : 1 - b) * (n & 4 ? g : 1 - g);
        if (w == 0) continue;
        T v = lockstep_texel<T>(t, i + (n & 1), j + (n >> 1 & 1), k + (n >> 2 & 1));
        for (int c = 0; c < channels::count; c++)
            channels::at(sum, c) = (typename channels::type)(channels::at(sum, c) + w * channels::at(v, c));
    }
    return sum;
}

#define LOCKSTEP_FETCH_(name, parameters, ...)                                                 \
    template <class T> LOCKSTEP_FN_ T name(cudaTextureObject_t t, LOCKSTEP_LIST_ parameters)   \
    {                                                                                          \
        return lockstep_fetch<T>(t, __VA_ARGS__);                                              \
    }                                                                                          \
    template <class T> LOCKSTEP_FN_ void name(T *to, cudaTextureObject_t t, LOCKSTEP_LIST_ parameters) \
    {                                                                                          \
        *to = lockstep_fetch<T>(t, __VA_ARGS__);                                               \
    }
#define LOCKSTEP_LIST_(...) __VA_ARGS__
LOCKSTEP_FETCH_(tex1D, (float x), 1, x, 0, 0)
LOCKSTEP_FETCH_(tex2D, (float x, float y), 2, x, y, 0)
LOCKSTEP_FETCH_(tex3D, (float x, float y, float z), 3, x, y, z)
LOCKSTEP_FETCH_(tex1DLayered, (float x, int layer), 1, x, 0, (float)layer)
LOCKSTEP_FETCH_(tex2DLayered, (float x, float y, int layer), 2, x, y, (float)layer)
LOCKSTEP_FETCH_(tex1DLod, (float x, float), 1, x, 0, 0)
LOCKSTEP_FETCH_(tex2DLod, (float x, float y, float), 2, x, y, 0)
LOCKSTEP_FETCH_(tex3DLod, (float x, float y, float z, float), 3, x, y, z)
#undef LOCKSTEP_FETCH_
#undef LOCKSTEP_LIST_
template <class T> LOCKSTEP_FN_ T tex1Dfetch(cudaTextureObject_t object, int i)
{
    const lockstep_texture *t = lockstep_texture_of(object);
    if (i >= 0 && i < t->extent[0]) return lockstep_texel<T>(t, i, 0, 0);
    T zero = {};
    return zero;
}
template <class T> LOCKSTEP_FN_ void tex1Dfetch(T *to, cudaTextureObject_t t, int i) { *to = tex1Dfetch<T>(t, i); }

/* Surfaces: x counts bytes. NULL: outside, by the boundary mode. */
template <class T> LOCKSTEP_FN_ T *lockstep_surface_at(
    cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode)
{
    const lockstep_texture *t = lockstep_texture_of(object);
    int size = t->bits / 8 * t->channels, i = x / size, n = mode == cudaBoundaryModeClamp ? 1 : 3;
    i = lockstep_texel_index(i, t->extent[0], n);
    y = lockstep_texel_index(y, t->extent[1], n), z = lockstep_texel_index(z, t->extent[2], n);
    if (i < 0 || y < 0 || z < 0) {
        if (mode == cudaBoundaryModeTrap) asm volatile("trap;");
        return nullptr;
    }
    return (T *)(t->data + z * t->slice + (unsigned long long)y * t->pitch + (unsigned long long)i * size);
}
#define LOCKSTEP_SURFACE_(dimension, x, y, z, ...)                                             \
    template <class T> LOCKSTEP_FN_ T surf##dimension##read(                                   \
        cudaSurfaceObject_t s, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    {                                                                                          \
        T v = {}, *p = lockstep_surface_at<T>(s, x, y, z, mode);                               \
        if (p) v = *p;                                                                         \
        return v;                                                                              \
    }                                                                                          \
    template <class T> LOCKSTEP_FN_ void surf##dimension##read(                                \
        T *to, cudaSurfaceObject_t s, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    {                                                                                          \
        T v = {}, *p = lockstep_surface_at<T>(s, x, y, z, mode);                               \
        *to = p ? *p : v;                                                                      \
    }                                                                                          \
    template <class T> LOCKSTEP_FN_ void surf##dimension##write(                               \
        T v, cudaSurfaceObject_t s, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    {                                                                                          \
        T *p = lockstep_surface_at<T>(s, x, y, z, mode);                                       \
        if (p) *p = v;                                                                         \
    }
LOCKSTEP_SURFACE_(1D, x, 0, 0, int x)
LOCKSTEP_SURFACE_(2D, x, y, 0, int x, int y)
LOCKSTEP_SURFACE_(3D, x, y, z, int x, int y, int z)
LOCKSTEP_SURFACE_(1DLayered, x, 0, layer, int x, int layer)
LOCKSTEP_SURFACE_(2DLayered, x, y, layer, int x, int y, int layer)
#undef LOCKSTEP_SURFACE_

/* References to textures left CUDA with version 12. */
template <class T, int dimensions = 1, int mode = 0> struct texture {
    static_assert(sizeof(T) == 0, "texture references are not supported; texture objects are");
};

#endif
