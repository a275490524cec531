// Classes whose methods run on both sides: operators, inheritance, static members, a fixed-point number.
#include <cstdio>

class Fixed {
    int bits_;
    static const int POINT = 8;

  public:
    __host__ __device__ Fixed() : bits_(0) {}
    __host__ __device__ Fixed(double v) : bits_((int)(v * (1 << POINT))) {}
    __host__ __device__ Fixed operator+(Fixed o) const { return raw(bits_ + o.bits_); }
    __host__ __device__ Fixed operator*(Fixed o) const { return raw((int)(((long long)bits_ * o.bits_) >> POINT)); }
    __host__ __device__ Fixed &operator+=(Fixed o) { return *this = *this + o; }
    __host__ __device__ bool operator<(Fixed o) const { return bits_ < o.bits_; }
    __host__ __device__ operator double() const { return bits_ / (double)(1 << POINT); }
    __host__ __device__ static Fixed raw(int bits)
    {
        Fixed f;
        f.bits_ = bits;
        return f;
    }
};

struct Shape {
    Fixed width;
    __host__ __device__ Fixed twice() const { return width + width; }
};
struct Box : Shape {
    Fixed height;
    __host__ __device__ Box(Fixed w, Fixed h) : height(h) { width = w; }
    __host__ __device__ Fixed area() const { return width * height; }
};

// A view of memory with bounds, as many projects have one.
template <class T> class View {
    T *data_;
    int size_;

  public:
    View(T *data, int size) : data_(data), size_(size) {}
    __device__ T &operator[](int i) { return data_[i < size_ ? i : size_ - 1]; }
    __host__ __device__ int size() const { return size_; }
};

__global__ void areas(View<Fixed> out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Box b(i + 0.5, i * 0.25);
    if (i < out.size()) out[i] = b.area() < b.twice() ? b.area() : b.twice();
}

int main()
{
    const int n = 20;
    Fixed h[n], sum, want, *d;
    cudaMalloc(&d, sizeof h);
    areas<<<1, 32>>>(View<Fixed>(d, n));
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        Box b(i + 0.5, i * 0.25);
        sum += h[i], want += b.area() < b.twice() ? b.area() : b.twice();
    }
    printf("%g %g %g, sum %g, on the host %g\n", (double)h[1], (double)h[7], (double)h[19], (double)sum, (double)want);
    cudaFree(d);
}
