/* same.c [-t] A B [LEAST] - are two notes of copies (note.h), with -t two texts, the same but for rounding?
 *
 *     notes: word by word of 4 bytes: the same bits, or floats that differ by at most 1e-3 of the
 *            larger one or 1e-4 of the copy's mean
 *     texts: word by word: the same letters, or numbers that differ by at most 1e-3 of the larger
 *            one or by LEAST, 1e-3 if it is not given
 *
 * Prints how many words there are and which differs first. Status 0: the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int near(double a, double b, double share, double least)
{
    double most = fmax(fmax(fabs(a), fabs(b)) * share, least);
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= most;
}

static double mean(const float *x, size_t n)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i])) sum += fabs(x[i]), count++;
    return count ? sum / (double)count : 0;
}

/* The next copy; its length in bytes, or -1 at the end. */
static long next(FILE *f, char **data)
{
    unsigned long long n;
    if (fread(&n, sizeof n, 1, f) != 1) return -1;
    *data = realloc(*data, n + 4);
    return fread(*data, 1, n, f) == n ? (long)n : -1;
}

static int same_copies(FILE *f[2])
{
    char *data[2] = {NULL, NULL};
    size_t words = 0;
    for (int copy = 1;; copy++) {
        long n = next(f[0], &data[0]);
        if (n != next(f[1], &data[1]))
            return printf("copy %d: only one has it, or lengths differ\n", copy), 1;
        if (n < 0) return printf("%zu words in %d copies\n", words, copy - 1), copy == 1;
        double least = 1e-4 * mean((float *)data[0], (size_t)n / 4);
        for (long i = 0; i + 4 <= n; i += 4, words++) {
            float a, b;
            memcpy(&a, data[0] + i, 4), memcpy(&b, data[1] + i, 4);
            if (memcmp(data[0] + i, data[1] + i, 4) && !near(a, b, 1e-3, least))
                return printf("copy %d, word %ld: %g and %g\n", copy, i / 4, a, b), 1;
        }
    }
}

static int same_texts(FILE *f[2], double least)
{
    char word[2][4096];
    for (size_t count = 0;; count++) {
        int got[2] = {fscanf(f[0], "%4095s", word[0]), fscanf(f[1], "%4095s", word[1])};
        if (got[0] != got[1]) return printf("word %zu: only one has it\n", count + 1), 1;
        if (got[0] != 1) return printf("%zu words\n", count), !count;
        char *end[2];
        double a = strtod(word[0], &end[0]), b = strtod(word[1], &end[1]);
        int numbers = !strcmp(end[0], end[1]) && end[0] != word[0];
        if (strcmp(word[0], word[1]) && !(numbers && near(a, b, 1e-3, least)))
            return printf("word %zu: %s and %s\n", count + 1, word[0], word[1]), 1;
    }
}

int main(int argc, char **argv)
{
    int texts = argc > 1 && !strcmp(argv[1], "-t");
    FILE *f[2] = {NULL, NULL};
    for (int i = 0; i < 2 && argc >= 3 + texts; i++) f[i] = fopen(argv[1 + texts + i], "rb");
    if (!f[0] || !f[1]) return puts("a file is not there"), 2;
    double least = argc > 3 + texts ? atof(argv[3 + texts]) : 0;
    return texts ? same_texts(f, least > 0 ? least : 1e-3) : same_copies(f);
}
