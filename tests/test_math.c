/* test_math.c - the mathematical functions of lockstep_math.h, against the host's in higher
 * precision: each within the error that the CUDA C++ Programming Guide allows it, over random bits,
 * random values and edges. LOCKSTEP_TABLE=1 prints what was measured.
 *
 * build/tests/test_math cuda: the same on a GPU. */
#define _GNU_SOURCE
#include "fronts.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef long double real;
static const char *device = "sim:h200";

static real sinpi_of(real x)
{
    real a = fmodl(fabsl(x), 2), s = sinl(M_PIl * (a <= 0.5L ? a : a <= 1.5L ? 1 - a : a - 2));
    return signbit(x) ? -s : s;
}
static real cospi_of(real x)
{
    real a = fmodl(fabsl(x), 2);
    return sinl(M_PIl * (0.5L - (a > 1 ? 2 - a : a)));
}
static real rcbrt_of(real x) { return 1 / cbrtl(x); }
static real rsqrt_of(real x) { return 1 / sqrtl(x); }
static real normcdf_of(real x) { return erfcl(-x * M_SQRT1_2l) / 2; }

/* The inverse of erf by Newton's method: on log(erfc(y)) for |x| > 1/2, on erf(y) otherwise. */
static real erfinv_of(real x)
{
    real a = fabsl(x), y = a, q = 1 - a, t = -logl(q);
    if (!(a < 1)) return a == 1 ? x * INFINITY : NAN;
    if (a > 0.5L) y = sqrtl(t - logl(M_PIl * t) / 2);
    for (int i = 0; i < 9; i++)
        if (a > 0.5L)
            y += (logl(erfcl(y)) + t) * sqrtl(M_PIl) / 2 * expl(y * y) * erfcl(y);
        else
            y -= (erfl(y) - a) * sqrtl(M_PIl) / 2 * expl(y * y);
    return copysignl(y, x);
}
static real erfcinv_of(real q)
{
    if (!(q > 0 && q < 2)) return q == 0 ? INFINITY : q == 2 ? -INFINITY : NAN;
    if (q >= 0.5L) return q <= 1.5L ? erfinv_of(1 - q) + 0.0L : -erfcinv_of(2 - q);
    real t = -logl(q), y = sqrtl(t - logl(M_PIl * t) / 2);
    for (int i = 0; i < 9; i++)
        y += (logl(erfcl(y)) + t) * sqrtl(M_PIl) / 2 * expl(y * y) * erfcl(y);
    return y;
}
static real normcdfinv_of(real p) { return -M_SQRT2l * erfcinv_of(2 * p); }
static real erfcx_of(real x)
{
    real sum = 1, u = 1 / (x * x);
    if (x < 60) return expl(x * x) * erfcl(x);
    for (int k = 9; k >= 1; k--) sum = 1 - sum * u * (k - 0.5L);
    return sum / (x * sqrtl(M_PIl));
}
static real norm3_of(real x, real y) { return hypotl(hypotl(x, y), 3); }
static real norm4_of(real x, real y) { return hypotl(hypotl(x, y), 5); }
static real rnorm4_of(real x, real y) { return 1 / norm4_of(x, y); }
static real i_of(int n, real x)
{
    real sum = 1, term = 1, limit = 1e4L;
    if (isnan(x)) return x;
    if (fabsl(x) > limit) return n && x < 0 ? -INFINITY : INFINITY;
    for (int k = 1; term > sum * 1e-22L; k++) sum += term *= x * x / 4 / k / (k + n);
    return n ? sum * x / 2 : sum;
}
static real i0_of(real x) { return i_of(0, x); }
static real i1_of(real x) { return i_of(1, x); }
static real nextafter_of(real x, real y) { return nextafter((double)x, (double)y); }
static real nextafterf_of(real x, real y) { return nextafterf((float)x, (float)y); }

/* ulp: the largest error, in units of the last place, that the guide allows; 0: exact. Arguments
 * are random bits and random values between from and to. absolute: an absolute error that is
 * allowed as well, near a zero. */
static const struct row {
    const char *name;
    real (*one)(real), (*two)(real, real);
    double ulp, from, to, absolute;
} floats[] =
    {
        {"expf", expl, NULL, 2, -104, 89},
        {"exp2f", exp2l, NULL, 2, -150, 128},
        {"exp10f", exp10l, NULL, 2, -46, 39},
        {"expm1f", expm1l, NULL, 1, -20, 89},
        {"sinhf", sinhl, NULL, 3, -90, 90},
        {"coshf", coshl, NULL, 2, -90, 90},
        {"tanhf", tanhl, NULL, 2, -10, 10},
        {"logf", logl, NULL, 1, 0, 4},
        {"log2f", log2l, NULL, 1, 0, 4},
        {"log10f", log10l, NULL, 2, 0, 4},
        {"log1pf", log1pl, NULL, 1, -1, 4},
        {"asinhf", asinhl, NULL, 3, -4, 4},
        {"acoshf", acoshl, NULL, 4, 1, 4},
        {"atanhf", atanhl, NULL, 3, -1, 1},
        {"sinf", sinl, NULL, 2, -1e5, 1e5},
        {"cosf", cosl, NULL, 2, -1e5, 1e5},
        {"tanf", tanl, NULL, 4, -1e5, 1e5},
        {"sinpif", sinpi_of, NULL, 1, -3, 3},
        {"cospif", cospi_of, NULL, 1, -3, 3},
        {"asinf", asinl, NULL, 2, -1, 1},
        {"acosf", acosl, NULL, 2, -1, 1},
        {"atanf", atanl, NULL, 2, -4, 4},
        {"cbrtf", cbrtl, NULL, 1, -9, 9},
        {"rcbrtf", rcbrt_of, NULL, 1, -9, 9},
        {"erff", erfl, NULL, 2, -4, 4},
        {"erfcf", erfcl, NULL, 4, -5, 11},
        {"normcdff", normcdf_of, NULL, 5, -15, 5},
        {"rsqrtf", rsqrt_of, NULL, 2, 0, 4},
        {"sqrtf", sqrtl, NULL, 0, 0, 4},
        {"roundf", roundl, NULL, 0, -1e6, 1e6},
        {"rintf", rintl, NULL, 0, -9, 9},
        {"truncf", truncl, NULL, 0, -9, 9},
        {"floorf", floorl, NULL, 0, -9, 9},
        {"ceilf", ceill, NULL, 0, -9, 9},
        {"nearbyintf", nearbyintl, NULL, 0, -9, 9},
        {"logbf", logbl, NULL, 0, -9, 9},
        {"powf", NULL, powl, 4, 0, 30},
        {"atan2f", NULL, atan2l, 3, -4, 4},
        {"hypotf", NULL, hypotl, 3, -4, 4},
        {"fmodf", NULL, fmodl, 0, -100, 100},
        {"remainderf", NULL, remainderl, 0, -100, 100},
        {"tgammaf", tgammal, NULL, 5, -40, 36},
        {"lgammaf", lgammal, NULL, 6, -20, 20},
        {"fdimf", NULL, fdiml, 0, -4, 4},
        {"copysignf", NULL, copysignl, 0, -4, 4},
        {"erfinvf", erfinv_of, NULL, 2, -1, 1},
        {"erfcinvf", erfcinv_of, NULL, 4, 0, 2},
        {"normcdfinvf", normcdfinv_of, NULL, 5, 0, 1},
        {"erfcxf", erfcx_of, NULL, 4, -9, 30},
        {"cyl_bessel_i0f", i0_of, NULL, 6, -90, 90},
        {"cyl_bessel_i1f", i1_of, NULL, 6, -90, 90},
        {"j0f", j0l, NULL, 9, -60, 60, 2.2e-6},
        {"j1f", j1l, NULL, 9, -60, 60, 2.2e-6},
        {"y0f", y0l, NULL, 9, 0, 60, 2.2e-6},
        {"y1f", y1l, NULL, 9, 0, 60, 2.2e-6},
        {"norm3f", NULL, norm3_of, 3, -4, 4},
        {"norm4f", NULL, norm4_of, 3, -4, 4},
        {"rnorm4f", NULL, rnorm4_of, 2, -4, 4},
        {"nextafterf", NULL, nextafterf_of, 0, -4, 4},
},
  doubles[] = {
      {"exp", expl, NULL, 1, -745, 710},
      {"exp2", exp2l, NULL, 1, -1075, 1024},
      {"exp10", exp10l, NULL, 1, -323, 308},
      {"expm1", expm1l, NULL, 1, -20, 709},
      {"sinh", sinhl, NULL, 2, -99, 99},
      {"cosh", coshl, NULL, 1, -99, 99},
      {"tanh", tanhl, NULL, 1, -10, 10},
      {"log", logl, NULL, 1, 0, 4},
      {"log2", log2l, NULL, 1, 0.6, 1.6},
      {"log10", log10l, NULL, 1, 0.6, 1.6},
      {"log1p", log1pl, NULL, 1, -1, 4},
      {"asinh", asinhl, NULL, 3, -4, 4},
      {"acosh", acoshl, NULL, 3, 1, 4},
      {"atanh", atanhl, NULL, 2, -1, 1},
      {"sin", sinl, NULL, 2, -1e9, 1e9},
      {"cos", cosl, NULL, 2, -1e9, 1e9},
      {"tan", tanl, NULL, 2, -1e9, 1e9},
      {"sinpi", sinpi_of, NULL, 2, -3, 3},
      {"cospi", cospi_of, NULL, 2, -3, 3},
      {"asin", asinl, NULL, 2, -1, 1},
      {"acos", acosl, NULL, 2, -1, 1},
      {"atan", atanl, NULL, 2, -4, 4},
      {"cbrt", cbrtl, NULL, 1, -9, 9},
      {"rcbrt", rcbrt_of, NULL, 1, -9, 9},
      {"erf", erfl, NULL, 2, -6, 6},
      {"erfc", erfcl, NULL, 5, -5, 27},
      {"normcdf", normcdf_of, NULL, 5, -38, 5},
      {"rsqrt", rsqrt_of, NULL, 1, 0, 4},
      {"sqrt", sqrtl, NULL, 0, 0, 4},
      {"round", roundl, NULL, 0, -1e6, 1e6},
      {"rint", rintl, NULL, 0, -9, 9},
      {"trunc", truncl, NULL, 0, -9, 9},
      {"floor", floorl, NULL, 0, -9, 9},
      {"ceil", ceill, NULL, 0, -9, 9},
      {"nearbyint", nearbyintl, NULL, 0, -9, 9},
      {"logb", logbl, NULL, 0, -9, 9},
      {"pow", NULL, powl, 2, 0, 30},
      {"atan2", NULL, atan2l, 2, -4, 4},
      {"hypot", NULL, hypotl, 2, -4, 4},
      {"fmod", NULL, fmodl, 0, -100, 100},
      {"remainder", NULL, remainderl, 0, -100, 100},
      {"tgamma", tgammal, NULL, 10, -180, 172},
      {"fdim", NULL, fdiml, 0, -4, 4},
      {"copysign", NULL, copysignl, 0, -4, 4},
      {"erfinv", erfinv_of, NULL, 5, -1, 1},
      {"erfcinv", erfcinv_of, NULL, 6, 0, 2},
      {"normcdfinv", normcdfinv_of, NULL, 8, 0, 1},
      {"erfcx", erfcx_of, NULL, 4, -26, 30},
      {"cyl_bessel_i0", i0_of, NULL, 6, -700, 700},
      {"cyl_bessel_i1", i1_of, NULL, 6, -700, 700},
      {"j0", j0l, NULL, 7, -60, 60, 5e-12},
      {"j1", j1l, NULL, 7, -60, 60, 5e-12},
      {"y0", y0l, NULL, 7, 0, 60, 5e-12},
      {"y1", y1l, NULL, 7, 0, 60, 5e-12},
      {"norm3", NULL, norm3_of, 1, -4, 4},
      {"norm4", NULL, norm4_of, 1, -4, 4},
      {"rnorm4", NULL, rnorm4_of, 1, -4, 4},
      {"nextafter", NULL, nextafter_of, 0, -4, 4},
};

/* How the elements of one type are made and measured. */
struct kind {
    const char *file;
    size_t bytes;
    /* bits of a significand; the exponent of the smallest normal number */
    int digits, least;
    real (*get)(const void *p);
    void (*put)(void *p, real v);
};
static real get_float(const void *p) { return *(const float *)p; }
static void put_float(void *p, real v) { *(float *)p = (float)v; }
static real get_double(const void *p) { return *(const double *)p; }
static void put_double(void *p, real v) { *(double *)p = (double)v; }
static const struct kind of_floats = {"tests/math/floats.cu", 4, 24, -126, get_float, put_float},
                         of_doubles = {
                             "tests/math/doubles.cu", 8, 53, -1022, get_double, put_double};

/* The error of `got` in units of the last place; 0 if both are NaN or the same infinity or zero. */
static double error_of(const struct kind *k, real got, real right)
{
    unsigned char rounded[8];
    k->put(rounded, right);
    real nearest = k->get(rounded);
    if (isnan(right) || isnan(got)) return isnan(right) && isnan(got) ? 0 : INFINITY;
    if (isinf(got) ||
        /* just below the largest number, infinity is one unit off */
        isinf(nearest)) {
        real most = ldexpl(1 - ldexpl(1, -k->digits), -k->least + 2);
        int beside = !isinf(right) && signbit(got) == signbit(right) &&
                     fabsl(right) > most * (1 - ldexpl(2, -k->digits));
        return got == nearest ? 0 : beside ? 1 : INFINITY;
    }
    if (right == 0) return got == 0 && !signbit(got) == !signbit(right) ? 0 : INFINITY;
    int e = ilogbl(right);
    return (double)(fabsl(got - right) / ldexpl(1, (e > k->least ? e : k->least) + 1 - k->digits));
}

static const double edges[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1.5, 2.5, -2.5, 1e-3,
    1e-10, 1e-30, -1e-30, 1e-38, 1e-40, -1e-40, 1e-45, 0x1p-126, 1e10, 1e20, 3.4e38, -3.4e38,
    INFINITY, -INFINITY, NAN, 88.72, 88.73, 89, -87.3, -103.9, -104, 127.5, 128, -149, -150,
    0.7853981633974483, 1.5707963267948966, 3.141592653589793, 6.283185307179586, 99999, 100001,
    105615, 8388607.5, 16777216, 0.99999994, 1.0000001, -0.99999994, 3.9, 4.1, 9.1, 10.05, 10.06,
    0x1.6ac5b2p+125 /* near a multiple of pi/2 */, 1e15, 1e300, -1e300, 1e-310, 709.7, 709.8,
    -745.1, -746};
enum { EDGES = sizeof edges / sizeof *edges };

/* Element i of n: edges against edges first, then as many random bits as random values. */
static void draw(const struct kind *k, const struct row *f, struct rng *r, size_t i,
    unsigned char *x, unsigned char *z)
{
    if (i < (size_t)EDGES * EDGES) {
        k->put(x, edges[f->two ? i / EDGES : i % EDGES]);
        k->put(z, edges[i % EDGES]);
    } else if (i % 2) {
        uint64_t bits[2] = {rng_u64(r), rng_u64(r)};
        memcpy(x, &bits[0], k->bytes);
        memcpy(z, &bits[1], k->bytes);
    } else {
        k->put(x, f->from + (f->to - f->from) * rng_unit(r));
        k->put(z, (rng_unit(r) * 2 - 1) * f->to);
    }
}

static double worst_of(struct device *d, struct module *m, const struct kind *k,
    const struct row *f, int n, char *where, size_t size)
{
    char name[40];
    struct err e;
    dev_ptr p[3];
    unsigned char *host[3];
    struct rng rng;
    double worst = 0;
    snprintf(name, sizeof name, "k_%s", f->name);
    struct kernel *kernel = module_kernel(m, name);
    ck_assert_msg(kernel != NULL, "%s", name);
    rng_seed(&rng, 7);
    for (int i = 0; i < 3; i++) {
        host[i] = xcalloc((size_t)n, k->bytes);
        ck_assert(!device_alloc(d, (size_t)n * k->bytes, "x", k->bytes, &p[i], &e));
    }
    for (size_t i = 0; i < (size_t)n; i++)
        draw(k, f, &rng, i, host[0] + i * k->bytes, host[1] + i * k->bytes);
    for (int i = 0; i < 2; i++)
        ck_assert(!device_copy_in(d, p[i], host[i], (size_t)n * k->bytes, &e));
    const void *args[4] = {&p[0], f->two ? &p[1] : &p[2], f->two ? (void *)&p[2] : (void *)&n, &n};
    struct launch_shape shape = {{((unsigned)n + 255) / 256, 1, 1}, {256, 1, 1}};
    ck_assert_msg(!device_launch(d, kernel, &shape, args, NULL, &e), "%s: %s", f->name, e.text);
    ck_assert(!device_copy_out(d, host[2], p[2], (size_t)n * k->bytes, &e));
    for (size_t i = 0; i < (size_t)n; i++) {
        real x = k->get(host[0] + i * k->bytes), z = k->get(host[1] + i * k->bytes),
             got = k->get(host[2] + i * k->bytes);
        double error = error_of(k, got, f->two ? f->two(x, z) : f->one(x));
        if (f->absolute > 0 && fabsl(got - f->one(x)) <= f->absolute) error = 0;
        if (error > worst) {
            worst = error;
            snprintf(where, size, "%s(%.17Lg, %.17Lg) is %.17Lg, not %.17Lg", f->name, x,
                f->two ? z : 0, got, f->two ? f->two(x, z) : f->one(x));
        }
    }
    for (int i = 0; i < 3; i++) {
        free(host[i]);
        device_free(d, p[i], NULL);
    }
    return worst;
}

static void measure(const struct kind *k, const struct row *rows, size_t count)
{
    int n = getenv("LOCKSTEP_SANITIZED") ? 1 << 13 : getenv("LOCKSTEP_TABLE") ? 1 << 20 : 1 << 15;
    struct device *d;
    struct compiled c;
    char *path = kit_path(&kit, "%s", k->file);
    compile_any(&kit, &fronts[0], path, &c);
    ck_assert_msg(c.status == COMPILE_OK, "%s: %s", path, c.output.data);
    struct module *m = open_and_load(device, &c, &d);
    int bad = 0;
    for (size_t i = 0; i < count; i++) {
        char where[256] = "";
        double worst = worst_of(d, m, k, &rows[i], n, where, sizeof where);
        if (getenv("LOCKSTEP_TABLE"))
            printf("%-10s %8.3f of %g\n", rows[i].name, worst, rows[i].ulp);
        /* limits are relative to the rounded result, so half a unit more is allowed */
        if (!(worst <= rows[i].ulp + 0.5)) {
            printf("%s: an error of %g units, %g are allowed: %s\n", rows[i].name, worst,
                rows[i].ulp, where);
            bad++;
        }
    }
    device_unload(d, m);
    device_close(d);
    compiled_free(&c);
    free(path);
    ck_assert_int_eq(bad, 0);
}

/* ---- directed rounding, bit for bit as the host rounds ---- */

enum { OPERATIONS = 7, MODES = 3 };
static float rounded_by_host(int operation, volatile float x, volatile float y, volatile float z)
{
    switch (operation) {
    case 0: return x + y;
    case 1: return x - y;
    case 2: return x * y;
    case 3: return x / y;
    case 4: return 1 / x;
    case 5: return sqrtf(x);
    default: return fmaf(x, y, z);
    }
}

/* Some values are near each other, so that sums cancel. */
static float draw_rounded(struct rng *r, int i)
{
    uint32_t bits = (uint32_t)rng_u64(r);
    float any;
    memcpy(&any, &bits, 4);
    if (i % 3 == 2) any = (float)((int)rng_below(r, 7) - 3) * ldexpf(1, (int)rng_below(r, 60) - 30);
    return i % 3 == 1 ? (float)(rng_unit(r) - 0.5) : any;
}

START_TEST(directed_rounding_is_the_hosts)
{
    enum { N = 6000 };
    static const int modes[MODES] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    static float in[3][N], out[N * OPERATIONS * MODES];
    struct device *d;
    struct compiled c;
    struct err e;
    struct rng rng;
    dev_ptr p[4];
    int n = N;
    char *path = kit_path(&kit, "tests/math/rounding.cu");
    compile_any(&kit, &fronts[0], path, &c);
    ck_assert_msg(c.status == COMPILE_OK, "%s: %s", path, c.output.data);
    struct module *m = open_and_load(device, &c, &d);
    rng_seed(&rng, 3);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++) in[k][i] = draw_rounded(&rng, i / (k + 1));
        ck_assert(!device_alloc(d, sizeof in[k], "in", 4, &p[k], &e) &&
                  !device_copy_in(d, p[k], in[k], sizeof in[k], &e));
    }
    ck_assert(!device_alloc(d, sizeof out, "out", 4, &p[3], &e));
    const void *args[] = {&p[0], &p[1], &p[2], &p[3], &n};
    struct launch_shape shape = {{(N + 255) / 256, 1, 1}, {256, 1, 1}};
    ck_assert_msg(
        !device_launch(d, module_kernel(m, "rounded"), &shape, args, NULL, &e), "%s", e.text);
    ck_assert(!device_copy_out(d, out, p[3], sizeof out, &e));
    for (int i = 0; i < N * OPERATIONS * MODES; i++) {
        int at = i / (OPERATIONS * MODES), operation = i % OPERATIONS,
            mode = i / OPERATIONS % MODES;
        fesetround(modes[mode]);
        float want = rounded_by_host(operation, in[0][at], in[1][at], in[2][at]);
        fesetround(FE_TONEAREST);
        ck_assert_msg((isnan(want) && isnan(out[i])) || !memcmp(&want, &out[i], 4),
            "operation %d, mode %d of %a, %a, %a: %a, not %a", operation, mode, in[0][at],
            in[1][at], in[2][at], out[i], want);
    }
    device_unload(d, m);
    device_close(d);
    compiled_free(&c);
    free(path);
}
END_TEST

/* ---- functions ---- */

START_TEST(doubles_are_accurate)
{
    measure(&of_doubles, doubles, sizeof doubles / sizeof *doubles);
}
END_TEST

START_TEST(floats_are_accurate) { measure(&of_floats, floats, sizeof floats / sizeof *floats); }
END_TEST

int main(int argc, char **argv)
{
    Suite *s = suite_create("math");
    device = argc > 1 ? argv[1] : device;
    TCase *t = tcase_create("math");
    fronts_open();
    tcase_set_timeout(t, 0);
    setvbuf(stdout, NULL, _IOLBF, 0); /* what a test prints before it fails */
    tcase_add_test(t, directed_rounding_is_the_hosts);
    tcase_add_test(t, floats_are_accurate);
    tcase_add_test(t, doubles_are_accurate);
    suite_add_tcase(s, t);
    int failed = suite_run(s);
    fronts_close();
    return failed;
}
