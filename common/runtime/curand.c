/* curand.c - cuRAND's host API with the generators XORWOW and MRG32k3a. Numbers are computed on the
 * host and copied to the program's buffer.
 *
 *     number n of a generator  =  number n / S of subsequence n % S
 *     S: XORWOW 4096; MRG32k3a 81920, or 4096 with the ordering LEGACY      (cuRAND, host API, ordering)
 *
 * A double of XORWOW takes two words of its subsequence; two normal numbers take two uniform
 * ones. The last digits of normal numbers, which use logarithms and sines, may differ from a
 * GPU's. */
#include "cuda/stubs/curand.h"
#include "cuda/stubs/curand_xorwow.h"

#include "base/base.h"
#include "runtime/curand_mrg.h"
#include "runtime/runtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCES = 4096, MRG_SEQUENCES = 81920 };

/* A random number generator. states: one per subsequence; a state of XORWOW is v[0] to v[4] and
 * d. */
struct lockstep_curand_generator {
    unsigned (*states)[MRG_WORDS];
    unsigned long long seed, offset;
    unsigned sequences;
    unsigned next; /* index of the subsequence that gives the next number */
    int mrg, on_host, ready;
};

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, int on_host)
{
    if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
    int mrg = type == CURAND_RNG_PSEUDO_MRG32K3A;
    if (!mrg && type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW) {
        runtime_say(
            "curandCreateGenerator: generator %d is not there; CURAND_RNG_PSEUDO_XORWOW and "
            "CURAND_RNG_PSEUDO_MRG32K3A are",
            (int)type);
        return CURAND_STATUS_TYPE_ERROR;
    }
    struct lockstep_curand_generator *g = *generator = xcalloc(1, sizeof *g);
    g->sequences = mrg ? MRG_SEQUENCES : SEQUENCES;
    g->mrg = mrg, g->on_host = on_host;
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
    if (g) free(g->states);
    free(g);
    return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

API curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    (void)stream; /* the stream is ignored: all work is done in the program's order */
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
    int ours = ordering != CURAND_ORDERING_PSEUDO_SEEDED &&
               ordering >= CURAND_ORDERING_PSEUDO_BEST && ordering <= CURAND_ORDERING_PSEUDO_LEGACY;
    if (!ours) runtime_say("curandSetGeneratorOrdering: ordering %d is not there", (int)ordering);
    if (ours && g->mrg)
        g->sequences = ordering == CURAND_ORDERING_PSEUDO_LEGACY ? SEQUENCES : MRG_SEQUENCES,
        g->ready = 0;
    return ours ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

/* ---- generating numbers ---- */

/* Set states[s] of XORWOW to subsequence s of the seed, after `skip` numbers; if s < further, after
 * one number more. */
static void xorwow_start(
    unsigned (*states)[MRG_WORDS], unsigned count, uint64_t seed, uint64_t skip, unsigned further)
{
    unsigned v[5], d;
    lockstep_xorwow_init_(v, &d, seed, 0, 0);
    for (unsigned i = 0; i < count; i++) {
        memcpy(states[i], v, sizeof v), states[i][5] = d;
        lockstep_xorwow_skip_(states[i], &states[i][5], skip + (i < further));
        lockstep_xorwow_jump_(v, lockstep_xorwow_by_sequence_, 1);
    }
}

/* Set the states of all subsequences to the generator's offset. */
static void start(struct lockstep_curand_generator *g)
{
    if (!g->states) g->states = xcalloc(g->mrg ? MRG_SEQUENCES : SEQUENCES, sizeof *g->states);
    g->next = (unsigned)(g->offset % g->sequences), g->ready = 1;
    (g->mrg ? mrg_start : xorwow_start)(
        g->states, g->sequences, g->seed, g->offset / g->sequences, g->next);
}

/* The next 32 bits of a subsequence. */
static unsigned word(struct lockstep_curand_generator *g, unsigned s)
{
    unsigned *v = g->states[s];
    return g->mrg ? mrg_word(mrg_next(v)) : lockstep_xorwow_next_(v, &v[5]);
}

/* The next number of a subsequence, in (0, 1], with the precision of a float; uniform: with that of
 * a double. */
static float uniform_float(struct lockstep_curand_generator *g, unsigned s)
{
    if (g->mrg) return (float)mrg_uniform(mrg_next(g->states[s]));
    return (float)word(g, s) * 0x1p-32f + 0x1p-33f;
}
static double uniform(struct lockstep_curand_generator *g, unsigned s)
{
    if (g->mrg) return mrg_uniform(mrg_next(g->states[s]));
    unsigned x = word(g, s), y = word(g, s);
    return (double)(x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

enum form { WORDS, UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE };
static const size_t form_bytes[] = {4, 4, 8, 4, 8};

/* Two normal numbers by the Box-Muller method, computed in floats. */
static void put_normal(
    struct lockstep_curand_generator *g, unsigned s, float to[2], float mean, float deviation)
{
    static const float TURN = 6.2831855f;
    float radius = sqrtf(-2 * logf(uniform_float(g, s)));
    float angle = g->mrg ? uniform_float(g, s) * TURN
                         : (float)word(g, s) * (0x1p-32f * TURN) + 0x1p-33f * TURN;
    to[0] = mean + deviation * (radius * sinf(angle));
    to[1] = mean + deviation * (radius * cosf(angle));
}

/* Write the next number, in this form, to to[i]. Normal numbers come in pairs, of which the second
 * is written to to[i + 1]. */
static void put(struct lockstep_curand_generator *g, enum form form, void *to, size_t i,
    double mean, double deviation)
{
    unsigned s = g->next;
    g->next = (g->next + 1) % g->sequences;
    if (form == WORDS)
        ((unsigned *)to)[i] = word(g, s);
    else if (form == UNIFORM)
        ((float *)to)[i] = uniform_float(g, s);
    else if (form == UNIFORM_DOUBLE)
        ((double *)to)[i] = uniform(g, s);
    else if (form == NORMAL)
        put_normal(g, s, (float *)to + i, (float)mean, (float)deviation);
    else {
        double radius = sqrt(-2 * log(uniform(g, s))), angle = uniform(g, s) * 2 * M_PI;
        ((double *)to)[i] = mean + deviation * (radius * sin(angle));
        ((double *)to)[i + 1] = mean + deviation * (radius * cos(angle));
    }
}

/* Write the next count numbers to out, which is in device memory unless g->on_host is set. */
static curandStatus_t generate(struct lockstep_curand_generator *g, enum form form, void *out,
    size_t count, double mean, double deviation)
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

#define GENERATE(name, parameters, form, mean, deviation) \
    API curandStatus_t curandGenerate##name parameters \
    { \
        return generate(g, form, out, count, mean, deviation); \
    }

GENERATE(, (curandGenerator_t g, unsigned *out, size_t count), WORDS, 0, 0)
GENERATE(Uniform, (curandGenerator_t g, float *out, size_t count), UNIFORM, 0, 0)
GENERATE(UniformDouble, (curandGenerator_t g, double *out, size_t count), UNIFORM_DOUBLE, 0, 0)
GENERATE(Normal, (curandGenerator_t g, float *out, size_t count, float mean, float deviation),
    NORMAL, (double)mean, (double)deviation)
GENERATE(NormalDouble,
    (curandGenerator_t g, double *out, size_t count, double mean, double deviation), NORMAL_DOUBLE,
    mean, deviation)
