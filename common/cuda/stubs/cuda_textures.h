/* cuda_textures.h - textures are refused with a sentence instead of a syntax error. */
#ifndef LOCKSTEP_STANDIN_CUDA_TEXTURES_H
#define LOCKSTEP_STANDIN_CUDA_TEXTURES_H

#define LOCKSTEP_NO_TEXTURES_ \
    "textures are not supported; const pointers with __restrict__ or __ldg read through the same cache"
template <class T, int dimensions = 1, int mode = 0> struct texture {
    static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_);
};
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int)
{
    static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_);
}
template <class T> __device__ T tex1D(cudaTextureObject_t, float)
{
    static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_);
}
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float)
{
    static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_);
}
template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float)
{
    static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_);
}

#endif
