/* curand.c - cuRAND's host API: XORWOW, computed on the host and copied to where the program wants it.
 *
 *     number n of a generator  =  number n / 4096 of subsequence n % 4096        (cuRAND, host API, ordering)
 *
 * A double takes two words of its subsequence; two normal numbers take two uniform ones.
 */
#include "cuda/stubs/curand.h"
#include "cuda/stubs/curand_xorwow.h"

#include "base/base.h"
#include "runtime/runtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 4096 };

struct lockstep_curand_generator {
    unsigned v[SEQUENCES][5], d[SEQUENCES];
    unsigned long long seed, offset;
    unsigned next; /* the subsequence of the next number */
    int on_host, ready;
};

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, int on_host)
{
    if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
    if (type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW) {
        runtime_say(
            "curandCreateGenerator: generator %d is not there; CURAND_RNG_PSEUDO_XORWOW is", (int)type);
        return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = xcalloc(1, sizeof **generator);
    (*generator)->on_host = on_host;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, 0);
}

API curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, 1);
}

API curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    free(g);
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

API curandStatus_t curandGetVersion(int *version)
{
    if (version) *version = CUDART_VERSION;
    return version ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

API curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    (void)stream; /* work is done in the program's order */
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    g->seed = seed, g->ready = 0;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset)
{
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    g->offset = offset, g->ready = 0;
    return CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t ordering)
{
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    int ours = ordering != CURAND_ORDERING_PSEUDO_SEEDED && ordering >= CURAND_ORDERING_PSEUDO_BEST &&
               ordering <= CURAND_ORDERING_PSEUDO_LEGACY;
    if (!ours) runtime_say("curandSetGeneratorOrdering: ordering %d is not there", (int)ordering);
    return ours ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

/* ---- numbers ---- */

/* The first words of all subsequences from the generator's offset on. */
static void start(struct lockstep_curand_generator *g)
{
    unsigned v[5], d;
    lockstep_xorwow_init_(v, &d, g->seed, 0, 0);
    g->next = (unsigned)(g->offset % SEQUENCES), g->ready = 1;
    for (unsigned i = 0; i < SEQUENCES; i++) {
        memcpy(g->v[i], v, sizeof v), g->d[i] = d;
        lockstep_xorwow_skip_(g->v[i], &g->d[i], g->offset / SEQUENCES + (i < g->next));
        lockstep_xorwow_jump_(v, lockstep_xorwow_by_sequence_, 1);
    }
}

/* The next 32 bits of a subsequence. */
static unsigned word(struct lockstep_curand_generator *g, unsigned s)
{
    return lockstep_xorwow_next_(g->v[s], &g->d[s]);
}

/* The next 53 bits of a subsequence, as a number from (0, 1). */
static double uniform(struct lockstep_curand_generator *g, unsigned s)
{
    unsigned x = word(g, s), y = word(g, s);
    return (double)(x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

enum form { WORDS, UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE };
static const size_t form_bytes[] = {4, 4, 8, 4, 8};

/* A number of the form goes to to[i]; two of them if it is normal. */
static void put(
    struct lockstep_curand_generator *g, enum form form, void *to, size_t i, double mean, double deviation)
{
    unsigned s = g->next;
    g->next = (g->next + 1) % SEQUENCES;
    if (form == WORDS) ((unsigned *)to)[i] = word(g, s);
    else if (form == UNIFORM) ((float *)to)[i] = (float)word(g, s) * 0x1p-32f + 0x1p-33f;
    else if (form == UNIFORM_DOUBLE) ((double *)to)[i] = uniform(g, s);
    else {
        double u = form == NORMAL ? word(g, s) * 0x1p-32 + 0x1p-33 : uniform(g, s);
        double angle = (form == NORMAL ? word(g, s) * 0x1p-32 + 0x1p-33 : uniform(g, s)) * 2 * M_PI;
        double radius = sqrt(-2 * log(u)), pair[2] = {radius * sin(angle), radius * cos(angle)};
        for (int k = 0; k < 2; k++)
            if (form == NORMAL) ((float *)to)[i + (size_t)k] = (float)(mean + deviation * pair[k]);
            else ((double *)to)[i + (size_t)k] = mean + deviation * pair[k];
    }
}

/* count numbers to out, by way of the host's memory. What was asked for before goes on where it ended. */
static curandStatus_t generate(struct lockstep_curand_generator *g, enum form form, void *out, size_t count,
    double mean, double deviation)
{
    size_t step = form >= NORMAL ? 2 : 1, bytes = count * form_bytes[form];
    if (!g) return CURAND_STATUS_NOT_INITIALIZED;
    if (count % step) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (!out && count) return CURAND_STATUS_OUT_OF_RANGE;
    if (!g->ready) start(g);
    void *to = g->on_host ? out : xcalloc(count + 1, form_bytes[form]);
    for (size_t i = 0; i < count; i += step) put(g, form, to, i, mean, deviation);
    if (g->on_host) return CURAND_STATUS_SUCCESS;
    cudaError_t error = cudaMemcpy(out, to, bytes, cudaMemcpyDefault);
    free(to);
    return error ? CURAND_STATUS_PREEXISTING_FAILURE : CURAND_STATUS_SUCCESS;
}

API curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t count)
{
    return generate(g, WORDS, out, count, 0, 0);
}
API curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t count)
{
    return generate(g, UNIFORM, out, count, 0, 0);
}
API curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t count)
{
    return generate(g, UNIFORM_DOUBLE, out, count, 0, 0);
}
API curandStatus_t curandGenerateNormal(
    curandGenerator_t g, float *out, size_t count, float mean, float deviation)
{
    return generate(g, NORMAL, out, count, (double)mean, (double)deviation);
}
API curandStatus_t curandGenerateNormalDouble(
    curandGenerator_t g, double *out, size_t count, double mean, double deviation)
{
    return generate(g, NORMAL_DOUBLE, out, count, mean, deviation);
}
