/* profile_map.c - which lane touches which sector or bank: the first warp's addresses, as text or
 * SVG.
 *
 *     global, one row per sector                      shared, one column per bank
 *     byte          0 |########| lanes 0-7            bank   0  1  2 ...
 *     byte        128 |##......| lane 8               lane   0  1  2
 *                      one # per 4-byte word                32 33  .     more rows: conflicts */
#include "view/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Convert an access to the form that figure.c draws. */
static struct figure_access model_of(const struct profile *p, const struct line_access *a)
{
    struct figure_access m = {p->gpu, a->shared, a->write, a->bytes, a->mask, {0}};
    memcpy(m.addr, a->addr, sizeof m.addr);
    return m;
}

/* Set the error for a line without an access; its text lists the lines that have one. Returns
 * -1. */
static int none(const struct profile *p, int line, struct err *e)
{
    struct buf others = {0};
    for (size_t i = 0; i < p->m.access_count; i++)
        if (!i || p->m.accesses[i].line != p->m.accesses[i - 1].line)
            buf_printf(
                &others, "%s %d", others.len ? "," : "; lines that do:", p->m.accesses[i].line);
    if (line)
        err_set(e, ERR_USAGE, "%s:%d accesses neither global nor shared memory%s", p->file, line,
            others.len ? others.data : "");
    else
        err_set(e, ERR_USAGE, "%s: kernel %s accesses neither global nor shared memory", p->file,
            p->kernel);
    buf_free(&others);
    return -1;
}

/* ---- global memory: one row per sector ---- */

enum { SECTOR = 32, WORD = 4 };

/* Compare for qsort, in ascending order. */
static int rising(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The sectors that the active lanes touch, in ascending order, without duplicates. Returns how many
 * there are. */
static int sectors_of(const struct line_access *a, uint64_t out[WARP_SIZE])
{
    int n = 0, kept = 0;
    for (uint32_t m = a->mask; m; m &= m - 1) out[n++] = a->addr[__builtin_ctz(m)] / SECTOR;
    qsort(out, (size_t)n, sizeof *out, rising);
    for (int i = 0; i < n; i++)
        if (!kept || out[i] != out[kept - 1]) out[kept++] = out[i];
    return kept;
}

/* Append the lanes of a mask as ranges: "0-7, 9". */
static void lanes(struct buf *out, uint32_t mask)
{
    const char *comma = "";
    for (int l = 0; l < WARP_SIZE; l++) {
        int last = l;
        if (!(mask >> l & 1)) continue;
        while (last + 1 < WARP_SIZE && mask >> (last + 1) & 1) last++;
        buf_printf(out, last > l ? "%s%d-%d" : "%s%d", comma, l, last);
        comma = ", ";
        l = last;
    }
}

/* Append one row per sector: its address, which of its eight words are touched, and by which
 * lanes. */
static void map_global(struct buf *out, const struct line_access *a)
{
    uint64_t sector[WARP_SIZE];
    int n = sectors_of(a, sector);
    for (int i = 0; i < n; i++) {
        char words[SECTOR / WORD + 1] = "........";
        uint32_t here = 0;
        for (int l = 0; l < WARP_SIZE; l++)
            if (a->mask >> l & 1 && a->addr[l] / SECTOR == sector[i]) {
                here |= 1u << l;
                for (uint64_t b = a->addr[l] % SECTOR / WORD;
                     b <= (a->addr[l] % SECTOR + a->bytes - 1) / WORD && b < SECTOR / WORD; b++)
                    words[b] = '#';
            }
        buf_printf(out, "    byte %10llu |%s| lane%s ", (unsigned long long)(sector[i] * SECTOR),
            words, here & (here - 1) ? "s" : "");
        lanes(out, here);
        buf_printf(out, "\n");
    }
}

/* ---- shared memory: one column per bank, one row per word that the bank serves ---- */

/* The different words that one bank has to serve. A lane that accesses 16 bytes touches four
 * words. */
struct bank {
    uint64_t word[WARP_SIZE * 4];
    /* lane: for each word the lowest lane that accesses it; n: number of words */
    int lane[WARP_SIZE * 4], n;
};

/* Fill in the words of each bank, and return the largest number of words of a bank. Lanes that
 * read the same word share it: that is a broadcast, not a conflict. */
static int fill_banks(const struct line_access *a, int banks, struct bank *b)
{
    int most = 0;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        for (uint64_t w = a->addr[l] / WORD; w <= (a->addr[l] + a->bytes - 1) / WORD; w++) {
            struct bank *at = &b[w % (unsigned)banks];
            int k = 0;
            while (k < at->n && at->word[k] != w) k++;
            if (k < at->n) continue;
            at->word[at->n] = w;
            at->lane[at->n++] = l;
            most = at->n > most ? at->n : most;
        }
    }
    return most;
}

/* Append one column per bank and one row per word, where a word is shown as the number of the lane
 * that accesses it. */
static void map_shared(struct buf *out, const struct profile *p, const struct line_access *a)
{
    int banks = p->gpu->banks;
    struct bank *b = xcalloc((size_t)banks, sizeof *b);
    int rows = fill_banks(a, banks, b);
    buf_printf(out, "    bank ");
    for (int i = 0; i < banks; i++) buf_printf(out, " %2d", i);
    buf_printf(out, "\n");
    for (int r = 0; r < rows; r++) {
        buf_printf(out, "    %s", r ? "     " : "lane ");
        for (int i = 0; i < banks; i++)
            buf_printf(out, r < b[i].n ? " %2d" : "  .", r < b[i].n ? b[i].lane[r] : 0);
        buf_printf(out, "\n");
    }
    free(b);
}

/* ---- all accesses of a line ---- */

/* Would two accesses give the same drawing? They must have the same line, kind and mask, and all
 * addresses must differ by one distance, which in global memory must be a multiple of a 128-byte
 * line. Copies of an instruction in an unrolled loop are like that. */
static int alike(const struct line_access *a, const struct line_access *b)
{
    int first = __builtin_ctz(a->mask);
    uint64_t apart = a->addr[first] - b->addr[first];
    if (a->line != b->line || a->shared != b->shared || a->write != b->write ||
        a->bytes != b->bytes || a->mask != b->mask || strcmp(a->buffer, b->buffer) ||
        (!a->shared && apart % 128)) /* in shared memory, any shift only rotates the banks */
        return 0;
    for (int l = 0; l < WARP_SIZE; l++)
        if (a->mask >> l & 1 && a->addr[l] - b->addr[l] != apart) return 0;
    return 1;
}

/* Is access i the first of those that give the same drawing? Then *count is how many there are. */
static int first_alike(const struct profile *p, size_t i, int *count)
{
    *count = 0;
    for (size_t k = 0; k < p->m.access_count; k++) {
        int same = alike(&p->m.accesses[i], &p->m.accesses[k]);
        if (same && k < i) return 0;
        *count += same;
    }
    return 1;
}

/* Each pattern is drawn once. The drawing's title says how many instructions have it. */
int profile_map_text(const struct profile *p, int line, struct buf *out, struct err *e)
{
    int found = 0, count;
    for (size_t i = 0; i < p->m.access_count; i++) {
        const struct line_access *a = &p->m.accesses[i];
        struct figure_access m = model_of(p, a);
        char caption[256], *source;
        if ((line && a->line != line) || !first_alike(p, i, &count)) continue;
        source = source_line(p->source, a->line);
        figure_caption(&m, caption);
        buf_printf(out, "%s:%d: %s\n  %s%s%s; on %s, the first warp", p->file, a->line, source,
            caption, a->buffer[0] ? ", of " : "", a->buffer, p->gpu->title);
        buf_printf(out, count > 1 ? "; %d instructions with this pattern\n" : "\n", count);
        if (a->shared)
            map_shared(out, p, a);
        else
            map_global(out, a);
        free(source);
        found++;
    }
    return found ? 0 : none(p, line, e);
}

/* The figures are placed one below the other in one SVG. Each figure is an SVG itself, whose height
 * is read from its viewBox. */
int profile_map_svg(const struct profile *p, int line, struct buf *out, struct err *e)
{
    struct buf body = {0};
    int found = 0, width = 0, height = 0, count;
    for (size_t i = 0; i < p->m.access_count; i++) {
        const struct line_access *a = &p->m.accesses[i];
        struct figure_access m = model_of(p, a);
        struct buf one = {0};
        int w = 0, h = 0;
        if ((line && a->line != line) || !first_alike(p, i, &count)) continue;
        figure_access(&m, &one);
        const char *box = strstr(one.data, "viewBox=\"0 0 ");
        if (!box || sscanf(box, "viewBox=\"0 0 %d %d", &w, &h) != 2)
            BUG("a figure without its size");
        buf_printf(&body,
            "<g transform=\"translate(0 %d)\">\n<text x=\"16\" y=\"14\" font-size=\"13\" "
            "font-family=\"monospace\" class=\"" INK "\">line %d%s%s%s</text>\n"
            "<g transform=\"translate(0 18)\">\n%s</g>\n</g>\n",
            height, a->line, a->buffer[0] ? ": " : "", a->buffer,
            count > 1 ? ", and others with this pattern" : "", one.data);
        width = w > width ? w : width;
        height += h + 24;
        buf_free(&one);
        found++;
    }
    if (found)
        buf_printf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\">\n<title>which lane touches what</title>\n"
            "<rect width=\"%d\" height=\"%d\" class=\"" PAPER "\"/>\n%s</svg>\n",
            width, height, width, height, width, height, body.data);
    buf_free(&body);
    return found ? 0 : none(p, line, e);
}
