/* curand_mrg.c - MRG32k3a: two combined recurrences of order three.
 *
 *     x(n) = 1403580 x(n-2) -  810728 x(n-3)   mod 2^32 - 209
 *     y(n) =  527612 y(n-1) - 1370589 y(n-3)   mod 2^32 - 22853        number n: x(n) - y(n), from 1 on
 *
 * A step multiplies three words of state by a 3 x 3 matrix; n steps multiply by its n-th power.
 * Subsequences are 2^76 numbers apart. Each word of the first state is 12345 times one half of the
 * seed, after that is xored with a constant; for seed 0 each word is 12345.
 *
 * Source: P. L'Ecuyer, Good parameters and implementations for combined multiple recursive random
 * number generators, 1999; cuRAND, pseudorandom sequences and ordering. */
#include "runtime/curand_mrg.h"

#include <string.h>

static const uint64_t MODULI[2] = {MRG_MOST, 4294944443u};
/* The coefficients of each recurrence, for the oldest word first; negative coefficients are taken
 * modulo the modulus. */
static const uint64_t FACTORS[2][3] = {
    {MRG_MOST - 810728u, 1403580, 0}, {4294944443u - 1370589u, 0, 527612}};

struct matrix {
    uint64_t at[3][3];
};

static struct matrix product(const struct matrix *a, const struct matrix *b, uint64_t modulus)
{
    struct matrix c = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                c.at[i][j] = (c.at[i][j] + a->at[i][k] * b->at[k][j] % modulus) % modulus;
    return c;
}

/* The matrix a to the power n * 2^doublings, modulo `modulus`. */
static struct matrix power(struct matrix a, uint64_t n, int doublings, uint64_t modulus)
{
    struct matrix p = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < doublings; i++) a = product(&a, &a, modulus);
    for (; n; n >>= 1) {
        if (n & 1) p = product(&a, &p, modulus);
        a = product(&a, &a, modulus);
    }
    return p;
}

static void apply(const struct matrix *a, uint32_t v[3], uint64_t modulus)
{
    uint64_t out[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[i] = (out[i] + a->at[i][k] * v[k] % modulus) % modulus;
    for (int i = 0; i < 3; i++) v[i] = (uint32_t)out[i];
}

/* The first three words of recurrence r, 0 or 1, for a seed. */
static void first_words(uint32_t v[3], int r, uint64_t seed)
{
    uint64_t lower = (uint32_t)seed ^ 0x55555555u, upper = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; i++) {
        uint64_t factor = seed ? (i + r) % 2 ? upper : lower : 1;
        v[i] = (uint32_t)(factor * 12345 % MODULI[r]);
    }
}

void mrg_start(
    uint32_t (*states)[MRG_WORDS], unsigned count, uint64_t seed, uint64_t skip, unsigned further)
{
    for (int r = 0; r < 2; r++) {
        uint64_t m = MODULI[r];
        const struct matrix step = {
            {{0, 1, 0}, {0, 0, 1}, {FACTORS[r][0], FACTORS[r][1], FACTORS[r][2]}}};
        const struct matrix sequence = power(step, 1, 76, m), skipped = power(step, skip, 0, m);
        uint32_t v[3];
        first_words(v, r, seed);
        apply(&skipped, v, m);
        for (unsigned s = 0; s < count; s++) {
            memcpy(&states[s][3 * r], v, sizeof v);
            if (s < further) apply(&step, &states[s][3 * r], m);
            apply(&sequence, v, m);
        }
    }
}

uint32_t mrg_next(uint32_t state[MRG_WORDS])
{
    uint32_t new[2];
    for (int r = 0; r < 2; r++) {
        uint32_t *v = &state[3 * r];
        uint64_t sum = FACTORS[r][0] * v[0] % MODULI[r];
        new[r] =
            (uint32_t)((sum + FACTORS[r][1] * v[1] % MODULI[r] + FACTORS[r][2] * v[2] % MODULI[r]) %
                       MODULI[r]);
        v[0] = v[1], v[1] = v[2], v[2] = new[r];
    }
    return new[0] > new[1] ? new[0] - new[1] : (uint32_t)(new[0] + MODULI[0] - new[1]);
}
