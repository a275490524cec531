// Double precision: an integral in a fixed order, functions, exact rounding.
#include <cmath>
#include <cstdio>

__global__ void integrate(double *out, int steps)
{
    int t = threadIdx.x;
    double width = 1.0 / (blockDim.x * steps), sum = 0;
    for (int i = 0; i < steps; i++) {
        double x = (t * steps + i + 0.5) * width;
        sum += 4 / (1 + x * x);
    }
    out[t] = sum * width;
}

__global__ void functions(double x)
{
    printf("%.10g %.10g %.10g %.10g\n", sin(x), cos(x), tan(x), atan2(x, -2.0));
    printf("%.10g %.10g %.10g %.10g\n", exp(x), log(x), pow(x, 2.5), sqrt(x));
    printf("%.10g %.10g %.10g %.10g\n", sinh(x), tanh(x), erf(x), erfc(x));
    printf("%.10g %.10g %.10g %.10g\n", cbrt(x), hypot(x, 1.0), fmod(10.0, x), floor(-x));
    printf("%.17g %.17g %.17g\n", __dadd_rn(0.1, 0.2), __ddiv_rn(1.0, 3.0), fma(0.1, 10.0, -1.0));
    printf("%d %lld %.9g\n", __double2int_rz(-7.9), __double2ll_rn(1e15 + 0.5), (float)0.1);
}

int main()
{
    const int threads = 64;
    double h[threads], *d, pi = 0;
    cudaMalloc(&d, sizeof h);
    integrate<<<1, threads>>>(d, 100);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (double v : h) pi += v;
    printf("%.8f\n", pi);
    functions<<<1, 1>>>(1.25);
    cudaDeviceSynchronize();
    cudaFree(d);
}
