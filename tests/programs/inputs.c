/* inputs.c - writes those inputs of public programs that are binary. inputs.sh calls it.
 *
 *     film FILE COLUMNS ROWS FRAMES    an AVI of grey frames: dark discs that drift to the right
 *     picture FILE COLUMNS ROWS        a BMP of 24 bits a pixel
 *     graph FILE SIDE                  a grid of SIDE x SIDE nodes with one diagonal, in ECL's format
 *     samples FILE K X                 K points of a trajectory and X places, in mri-q's format
 *
 * An AVI:  RIFF "AVI " ── LIST hdrl ── avih, LIST strl (strh, strf)
 *                      └─ LIST movi ── 00db, a frame each
 * The numbers are of 32 bits, low byte first; each chunk begins with its name and its length.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void word(FILE *f, uint32_t x)
{
    for (int i = 0; i < 4; i++) putc((int)(x >> 8 * i & 255), f);
}

static void real(FILE *f, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    word(f, bits);
}

static void chunk(FILE *f, const char *name, uint32_t bytes, const char *list)
{
    fputs(name, f);
    word(f, bytes);
    fputs(list, f);
}

/* A linear congruence: the same numbers on every machine. */
static uint32_t random_below(uint32_t n)
{
    static uint64_t state = 12345;
    state = state * 16807 % 2147483647;
    return (uint32_t)(state % n);
}

/* Discs of radius 10, as far apart as white blood cells; the texture has no edge as sharp as theirs. */
static int grey(int x, int y, int frame)
{
    int u = (x - frame) % 96 - 48, v = (y - 20) % 72 - 36, inside = u * u + v * v < 100;
    double wave = 12 * sin(0.11 * (x - frame)) * cos(0.07 * y) + 6 * sin(0.31 * y + 0.23 * (x - frame));
    return (int)((inside ? 70 : 160) + wave) + (int)random_below(5);
}

static void film(FILE *f, uint32_t columns, uint32_t rows, uint32_t frames)
{
    uint32_t size = columns * rows, movi = 4 + frames * (size + 8);
    uint32_t strl = 4 + 64 + 48, hdrl = 4 + 64 + 8 + strl;
    chunk(f, "RIFF", 4 + 8 + hdrl + 8 + movi, "AVI ");
    chunk(f, "LIST", hdrl, "hdrl");
    chunk(f, "avih", 56, "");
    const uint32_t avih[14] = {40000, 0, 0, 0, frames, 0, 1, size, columns, rows};
    for (int i = 0; i < 14; i++) word(f, avih[i]);
    chunk(f, "LIST", strl, "strl");
    chunk(f, "strh", 56, "vidsDIB ");
    const uint32_t strh[12] = {0, 0, 0, 1, 25, 0, frames, size};
    for (int i = 0; i < 12; i++) word(f, strh[i]);
    chunk(f, "strf", 40, "");
    const uint32_t strf[10] = {40, columns, rows, 1 | 8 << 16, 0, size};
    for (int i = 0; i < 10; i++) word(f, strf[i]);
    chunk(f, "LIST", movi, "movi");
    for (uint32_t t = 0; t < frames; t++) {
        chunk(f, "00db", size, "");
        for (uint32_t y = rows; y-- > 0;) /* a frame's last row comes first */
            for (uint32_t x = 0; x < columns; x++) putc(grey((int)x, (int)y, (int)t), f);
    }
}

static void picture(FILE *f, uint32_t columns, uint32_t rows)
{
    uint32_t size = 3 * columns * rows;
    const uint32_t head[13] = {54 + size, 0, 54, 40, columns, rows, 1 | 24 << 16, 0, size};
    fputs("BM", f);
    for (int i = 0; i < 13; i++) word(f, head[i]);
    for (uint32_t i = 0; i < size; i++) putc((int)random_below(256), f);
}

/* Each node knows its neighbours up, left and on the diagonal between, and is known by them. */
static void graph(FILE *f, uint32_t side)
{
    static const int dx[6] = {-1, 0, -1, 1, 0, 1}, dy[6] = {-1, -1, 0, 0, 1, 1};
    uint32_t edges = 4 * side * (side - 1) + 2 * (side - 1) * (side - 1), first = 0;
    word(f, side * side), word(f, edges), word(f, 0);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < side * side; i++) {
            for (int k = 0; k < 6; k++) {
                uint32_t x = i % side + (uint32_t)dx[k], y = i / side + (uint32_t)dy[k];
                if (x >= side || y >= side) continue;
                first++;
                if (pass) word(f, y * side + x);
            }
            if (!pass) word(f, first);
        }
}

static void samples(FILE *f, uint32_t k, uint32_t x)
{
    word(f, k), word(f, x);
    for (uint32_t i = 0; i < 3 * k + 3 * x + 2 * k; i++) real(f, (float)random_below(1000) / 1000 - 0.5f);
}

int main(int argc, char **argv)
{
    uint32_t n[3] = {0};
    FILE *f = argc > 3 ? fopen(argv[2], "wb") : NULL;
    for (int i = 3; i < argc && i < 6; i++) n[i - 3] = (uint32_t)atoi(argv[i]);
    if (!f) {
        fprintf(stderr, "usage: inputs film|picture|graph|samples FILE NUMBER...\n");
        return 2;
    }
    if (!strcmp(argv[1], "film")) film(f, n[0], n[1], n[2]);
    else if (!strcmp(argv[1], "picture")) picture(f, n[0], n[1]);
    else if (!strcmp(argv[1], "graph")) graph(f, n[0]);
    else if (!strcmp(argv[1], "samples")) samples(f, n[0], n[1]);
    return fclose(f) ? 1 : 0;
}
