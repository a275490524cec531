// fft.cu - cuFFT's everyday part: transforms of any size, by passes over the whole array.
//
//     in -- gather --> complex numbers -- a pass per factor of n, in each dimension --> scatter --> out
//
// After passes whose radices have the product l, index j n / l + p holds term j of the transform of every
// (n / l)th number from p on. A pass of radix r joins r of them: term j of l r numbers from p on is the sum
// over q < r of exp(-2 pi i j q / (l r)) times term j mod l from p + q n / (l r) on. The last pass leaves
// term j at j.
// Source: cuFFT Library, documentation; J. W. Cooley, J. W. Tukey, 1965.
#include "cufftXt.h"

#include <cmath>
#include <vector>

enum { THREADS = 256 };

// Where element (x, y, z) of transform b lies.
struct layout {
    int embed[3], stride;
    long dist;
    __device__ long at(long b, int x, int y, int z) const
    {
        return b * dist + (((long)x * embed[1] + y) * embed[2] + z) * stride;
    }
};

struct shape {
    int n[3];
    long each, all; // elements of a transform, and of all of them
    struct layout in, out;
};

struct plan {
    cufftType type;
    struct shape shape;
    cudaStream_t stream;
    void *work[2];      // two arrays, each with all complex numbers
    void *roots[3];     // of unity, for each dimension: exp(-2 pi i k / n)
    int in_place_pads;  // 1: default layout, in which a row of reals in place is padded
    size_t bytes;       // of work; 0: created by cufftCreate, but not made yet
};

static std::vector<plan *> plans;
static int known(cufftHandle handle) { return handle >= 0 && handle < (int)plans.size() && plans[handle]; }

// ---- kernels ----

template <class T, class C> static __device__ C number(const T *in, long at) { return {in[at], 0}; }
template <> __device__ float2 number(const float2 *in, long at) { return in[at]; }
template <> __device__ double2 number(const double2 *in, long at) { return in[at]; }

// Convert the input to complex numbers in row order. half: of the last dimension only the first n / 2 + 1
// elements are in memory; the others are their conjugates.
template <class T, class C> __global__ void fft_gather(shape s, const T *in, C *work, int half)
{
    long i = (long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= s.all) return;
    long b = i / s.each;
    int k = (int)(i % s.each), z = k % s.n[2], y = k / s.n[2] % s.n[1], x = k / s.n[2] / s.n[1];
    int mirrored = half && z > s.n[2] / 2;
    if (mirrored) x = (s.n[0] - x) % s.n[0], y = (s.n[1] - y) % s.n[1], z = s.n[2] - z;
    C value = number<T, C>(in, s.in.at(b, x, y, z));
    if (mirrored) value.y = -value.y;
    work[i] = value;
}

template <class C> static __device__ void store(C *out, C value) { *out = value; }
static __device__ void store(float *out, float2 value) { *out = value.x; }
static __device__ void store(double *out, double2 value) { *out = value.x; }

template <class T, class C> __global__ void fft_scatter(shape s, const C *work, T *out, int half)
{
    long i = (long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= s.all) return;
    int k = (int)(i % s.each), z = k % s.n[2], y = k / s.n[2] % s.n[1], x = k / s.n[2] / s.n[1];
    if (!half || z <= s.n[2] / 2) store(&out[s.out.at(i / s.each, x, y, z)], work[i]);
}

// A pass of one dimension: n numbers, stride apart. A thread computes one number.
template <class C>
__global__ void fft_pass(
    long all, int n, long stride, int l, int radix, const C *roots, const C *in, C *out, int sign)
{
    long i = (long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= all) return;
    long inner = i % stride, line = i / stride;
    int e = (int)(line % n), m = n / (l * radix), j = e / m, p = e % m;
    const C *from = in + (line / n * n + (long)(j % l) * (n / l) + p) * stride + inner;
    int step = (int)((long)j * m % n), turn = 0;
    C sum = {0, 0};
    for (int q = 0; q < radix; q++) {
        C w = roots[turn], v = from[(long)q * m * stride];
        if (sign > 0) w.y = -w.y;
        sum.x += v.x * w.x - v.y * w.y;
        sum.y += v.x * w.y + v.y * w.x;
        turn += step;
        if (turn >= n) turn -= n;
    }
    out[i] = sum;
}

// ---- a transform ----

static int radix_of(int rest)
{
    if (rest % 4 == 0) return 4;
    for (int r = 2; r <= rest / r; r++)
        if (rest % r == 0) return r;
    return rest;
}

template <class In, class C, class Out>
static cufftResult transform(cufftHandle handle, cufftType type, In *in, Out *out, int sign)
{
    if (!known(handle) || !plans[handle]->bytes) return CUFFT_INVALID_PLAN;
    const plan &p = *plans[handle];
    if (p.type != type) return CUFFT_INVALID_TYPE;
    if (!in || !out || (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE)) return CUFFT_INVALID_VALUE;
    shape s = p.shape;
    if (p.in_place_pads && (void *)in == (void *)out) {
        layout &reals = sizeof(In) < sizeof(C) ? s.in : s.out;
        reals.embed[2] = (s.n[2] / 2 + 1) * 2;
        reals.dist = s.each / s.n[2] * reals.embed[2];
    }
    unsigned blocks = (unsigned)((s.all + THREADS - 1) / THREADS);
    C *a = (C *)p.work[0], *b = (C *)p.work[1];
    fft_gather<In, C><<<blocks, THREADS, 0, p.stream>>>(s, in, a, sizeof(Out) < sizeof(C));
    long stride = 1;
    for (int d = 2; d >= 0; stride *= s.n[d--])
        for (int l = 1, radix; l < s.n[d]; l *= radix) {
            radix = radix_of(s.n[d] / l);
            fft_pass<<<blocks, THREADS, 0, p.stream>>>(
                s.all, s.n[d], stride, l, radix, (C *)p.roots[d], a, b, sign);
            C *other = a;
            a = b, b = other;
        }
    fft_scatter<Out, C><<<blocks, THREADS, 0, p.stream>>>(s, a, out, sizeof(In) < sizeof(C));
    return cudaPeekAtLastError() ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

// ---- plans ----

template <class T> static void *roots_of(int n)
{
    std::vector<T> values(2 * (size_t)n);
    void *device = nullptr;
    for (int k = 0; k < n; k++) {
        values[2 * k] = (T)std::cos(-2 * M_PI * k / n);
        values[2 * k + 1] = (T)std::sin(-2 * M_PI * k / n);
    }
    if (cudaMalloc(&device, values.size() * sizeof(T))) return nullptr;
    cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

static void release(plan *p)
{
    for (void *work : p->work) cudaFree(work);
    for (void *roots : p->roots) cudaFree(roots);
    delete p;
}

// The layout of one side of a transform: as the caller describes it, or without padding.
static layout layout_of(const int n[3], int rank, const int *embed, int stride, int dist, int half)
{
    layout l = {{n[0], n[1], half ? n[2] / 2 + 1 : n[2]}, 1, 0};
    l.dist = (long)l.embed[0] * l.embed[1] * l.embed[2];
    if (!embed) return l;
    for (int d = 0; d < rank; d++) l.embed[3 - rank + d] = embed[d];
    l.stride = stride, l.dist = dist;
    return l;
}

// A request for a plan: sizes of one to three dimensions, two layouts, type and batch, as for cufftPlanMany.
struct wish {
    int rank;
    const int *n, *inembed;
    int istride, idist;
    const int *onembed;
    int ostride, odist;
    cufftType type;
    int batch;
};

// The bytes of work memory that a request needs, if it is valid.
static cufftResult size_of(const wish &w, size_t *bytes)
{
    int single = w.type & ~0x40;
    if (!bytes || !w.n || w.rank < 1 || w.rank > 3) return CUFFT_INVALID_VALUE;
    if (single != CUFFT_R2C && single != CUFFT_C2R && single != CUFFT_C2C) return CUFFT_INVALID_TYPE;
    if (w.batch < 1) return CUFFT_INVALID_SIZE;
    *bytes = (size_t)w.batch * (w.type & 0x40 ? 32 : 16);
    for (int d = 0; d < w.rank; d++) {
        if (w.n[d] < 1) return CUFFT_INVALID_SIZE;
        *bytes *= (size_t)w.n[d];
    }
    return CUFFT_SUCCESS;
}

static cufftResult make(cufftHandle handle, const wish &w, size_t *bytes)
{
    size_t needed;
    cufftResult bad = size_of(w, &needed);
    if (bad) return bad;
    if (!known(handle) || plans[handle]->bytes) return CUFFT_INVALID_PLAN;
    int doubles = w.type & 0x40, single = w.type & ~0x40;
    int from_reals = single == CUFFT_R2C, to_reals = single == CUFFT_C2R;
    plan *p = plans[handle];
    p->type = w.type;
    shape &s = p->shape;
    for (int d = 0; d < 3; d++) s.n[d] = d < 3 - w.rank ? 1 : w.n[d - (3 - w.rank)];
    s.each = (long)s.n[0] * s.n[1] * s.n[2], s.all = s.each * w.batch;
    s.in = layout_of(s.n, w.rank, w.inembed, w.istride, w.idist, to_reals);
    s.out = layout_of(s.n, w.rank, w.onembed, w.ostride, w.odist, from_reals);
    p->in_place_pads = (from_reals || to_reals) && !w.inembed && !w.onembed;
    for (void *&work : p->work)
        if (cudaMalloc(&work, needed / 2)) return CUFFT_ALLOC_FAILED;
    for (int d = 0; d < 3; d++) {
        p->roots[d] = doubles ? roots_of<double>(s.n[d]) : roots_of<float>(s.n[d]);
        if (!p->roots[d]) return CUFFT_ALLOC_FAILED;
    }
    p->bytes = needed;
    if (bytes) *bytes = needed;
    return CUFFT_SUCCESS;
}

static cufftResult create_and_make(cufftHandle *handle, const wish &w)
{
    cufftResult bad = cufftCreate(handle);
    if (!bad && (bad = make(*handle, w, nullptr))) cufftDestroy(*handle);
    return bad;
}

extern "C" {
cufftResult cufftCreate(cufftHandle *handle)
{
    if (!handle) return CUFFT_INVALID_VALUE;
    plans.push_back(new plan());
    *handle = (int)plans.size() - 1;
    return CUFFT_SUCCESS;
}

// The arguments of each form of cufftPlan..., cufftMakePlan..., cufftGetSize... and cufftEstimate... as wish.
#define PLAN_1D {1, &n, nullptr, 1, 0, nullptr, 1, 0, type, batch}
#define PLAN_2D {2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1}
#define PLAN_3D {3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1}
#define PLAN_MANY {rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch}
cufftResult cufftPlan1d(cufftHandle *plan, int n, cufftType type, int batch)
{
    return create_and_make(plan, PLAN_1D);
}
cufftResult cufftMakePlan1d(cufftHandle plan, int n, cufftType type, int batch, size_t *bytes)
{
    return make(plan, PLAN_1D, bytes);
}
cufftResult cufftGetSize1d(cufftHandle, int n, cufftType type, int batch, size_t *bytes)
{
    return size_of(PLAN_1D, bytes);
}
cufftResult cufftEstimate1d(int n, cufftType type, int batch, size_t *bytes)
{
    return size_of(PLAN_1D, bytes);
}
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
    int n[] = {nx, ny};
    return create_and_make(plan, PLAN_2D);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *bytes)
{
    int n[] = {nx, ny};
    return make(plan, PLAN_2D, bytes);
}
cufftResult cufftGetSize2d(cufftHandle, int nx, int ny, cufftType type, size_t *bytes)
{
    int n[] = {nx, ny};
    return size_of(PLAN_2D, bytes);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *bytes)
{
    return cufftGetSize2d(0, nx, ny, type, bytes);
}
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
{
    int n[] = {nx, ny, nz};
    return create_and_make(plan, PLAN_3D);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *bytes)
{
    int n[] = {nx, ny, nz};
    return make(plan, PLAN_3D, bytes);
}
cufftResult cufftGetSize3d(cufftHandle, int nx, int ny, int nz, cufftType type, size_t *bytes)
{
    int n[] = {nx, ny, nz};
    return size_of(PLAN_3D, bytes);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *bytes)
{
    return cufftGetSize3d(0, nx, ny, nz, type, bytes);
}
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
    int *onembed, int ostride, int odist, cufftType type, int batch)
{
    return create_and_make(plan, PLAN_MANY);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist,
    int *onembed, int ostride, int odist, cufftType type, int batch, size_t *bytes)
{
    return make(plan, PLAN_MANY, bytes);
}
cufftResult cufftGetSizeMany(cufftHandle, int rank, int *n, int *inembed, int istride, int idist,
    int *onembed, int ostride, int odist, cufftType type, int batch, size_t *bytes)
{
    return size_of(PLAN_MANY, bytes);
}
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *sizes, long long *inembeds,
    long long istride, long long idist, cudaDataType in, long long *onembeds, long long ostride,
    long long odist, cudaDataType out, long long batch, size_t *bytes, cudaDataType)
{
    static const struct { cudaDataType in, out; cufftType type; } types[] = {
        {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
        {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
        {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
    int n[3], inembed[3], onembed[3];
    if (!sizes || rank < 1 || rank > 3) return CUFFT_INVALID_VALUE;
    for (int d = 0; d < rank; d++) {
        n[d] = (int)sizes[d];
        inembed[d] = inembeds ? (int)inembeds[d] : 0, onembed[d] = onembeds ? (int)onembeds[d] : 0;
    }
    for (auto &row : types)
        if (row.in == in && row.out == out)
            return make(plan,
                {rank, n, inembeds ? inembed : nullptr, (int)istride, (int)idist,
                    onembeds ? onembed : nullptr, (int)ostride, (int)odist, row.type, (int)batch},
                bytes);
    return CUFFT_NOT_SUPPORTED;
}
cufftResult cufftGetSize(cufftHandle handle, size_t *bytes)
{
    if (!known(handle) || !plans[handle]->bytes) return CUFFT_INVALID_PLAN;
    if (!bytes) return CUFFT_INVALID_VALUE;
    *bytes = plans[handle]->bytes;
    return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int)
{
    return known(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *) { return cufftSetAutoAllocation(handle, 1); }

cufftResult cufftDestroy(cufftHandle handle)
{
    if (!known(handle)) return CUFFT_INVALID_PLAN;
    cudaStreamSynchronize(plans[handle]->stream);
    release(plans[handle]);
    plans[handle] = nullptr;
    return CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    if (!known(handle)) return CUFFT_INVALID_PLAN;
    plans[handle]->stream = stream;
    return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int *version)
{
    if (!version) return CUFFT_INVALID_VALUE;
    *version = CUDART_VERSION;
    return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
{
    return transform<float2, float2, float2>(plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
    return transform<float, float2, float2>(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
    return transform<float2, float2, float>(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction)
{
    return transform<double2, double2, double2>(plan, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return transform<double, double2, double2>(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return transform<double2, double2, double>(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction)
{
    if (!known(handle) || !plans[handle]->bytes) return CUFFT_INVALID_PLAN;
    switch (plans[handle]->type) {
    case CUFFT_C2C: return cufftExecC2C(handle, (cufftComplex *)in, (cufftComplex *)out, direction);
    case CUFFT_R2C: return cufftExecR2C(handle, (cufftReal *)in, (cufftComplex *)out);
    case CUFFT_C2R: return cufftExecC2R(handle, (cufftComplex *)in, (cufftReal *)out);
    case CUFFT_Z2Z:
        return cufftExecZ2Z(handle, (cufftDoubleComplex *)in, (cufftDoubleComplex *)out, direction);
    case CUFFT_D2Z: return cufftExecD2Z(handle, (cufftDoubleReal *)in, (cufftDoubleComplex *)out);
    default: return cufftExecZ2D(handle, (cufftDoubleComplex *)in, (cufftDoubleReal *)out);
    }
}
}
