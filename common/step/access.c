/* access.c - describe one access of a warp in words, and draw it.
 *
 *     reads tile[0, 1, ... 31 (lane)][3]: 32 wavefronts, 31 conflicts
 *     banks 0 ...+............................ 31               number of different 4-byte words per bank
 *
 *     reads in[64, 66, ... 126 (64 + 2 lane)]: 8 sectors, 4 more than needed
 *     sectors |#.#.#.#.|#.#.#.#.|...                            eight words: '#' requested, '.' not
 *
 * The numbers are those that common/model gave when the access was recorded. */
#include "step/step.h"

#include <stdio.h>
#include <string.h>

/* Draw how many different 4-byte words the access touches in each of the 32 banks. */
static void draw_banks(const struct step_access *a, char out[WARP_SIZE + 1])
{
    for (int b = 0; b < WARP_SIZE; b++) {
        uint64_t seen[WARP_SIZE * 4];
        int n = 0;
        for (uint32_t m = a->mask; m; m &= m - 1)
            for (unsigned k = 0; k < a->bytes; k += 4) {
                uint64_t word = (a->addr[__builtin_ctz(m)] + k) / 4;
                int known = (int)(word % 32) != b;
                for (int i = 0; i < n && !known; i++) known = seen[i] == word;
                if (!known) seen[n++] = word;
            }
        out[b] = n == 0 ? '.' : n <= 9 ? (char)('0' + n) : '+';
    }
    out[WARP_SIZE] = 0;
}

/* Draw at most `most` of the touched sectors, in ascending order, eight words each: '#'
 * requested, '.' moved but not requested; each ends with '|'. Returns how many sectors there
 * are. */
static int draw_sectors(const struct step_access *a, int most, struct buf *out)
{
    uint64_t sectors[WARP_SIZE * 2];
    int n = 0;
    for (uint32_t m = a->mask; m; m &= m - 1)
        for (unsigned k = 0; k<a->bytes; k += a->bytes> 4 ? 4 : a->bytes) {
            uint64_t sector = (a->addr[__builtin_ctz(m)] + k) / 32;
            int i = n;
            while (i > 0 && sectors[i - 1] > sector) i--;
            if ((i > 0 && sectors[i - 1] == sector) || n == WARP_SIZE * 2) continue;
            memmove(&sectors[i + 1], &sectors[i], (size_t)(n - i) * sizeof *sectors);
            sectors[i] = sector;
            n++;
        }
    for (int i = 0; i < n && i < most; i++) {
        char words[9] = "........";
        for (uint32_t m = a->mask; m; m &= m - 1)
            for (unsigned k = 0; k < a->bytes; k++) {
                uint64_t at = a->addr[__builtin_ctz(m)] + k;
                if (at / 32 == sectors[i]) words[at % 32 / 4] = '#';
            }
        buf_printf(out, "%s|", words);
    }
    return n;
}

/* The elements that the lanes access: "tile[3][0, 1, ... 31 (lane)]", "in[64, 65, ... 95 (64 +
 * lane)]". */
static void name_elements(
    const struct step_session *s, const struct step_access *a, char *out, size_t size)
{
    const struct step_variable *v =
        a->shared ? step_shared_at(s, a->addr[__builtin_ctz(a->mask)]) : NULL;
    uint64_t index[WARP_SIZE], row[WARP_SIZE];
    unsigned bytes = a->bytes ? a->bytes : 1, width;
    char fold[2][64];
    const struct step_type *t = v ? &s->names.types[v->type] : NULL;
    for (width = 0; t && t->kind == KIND_ARRAY && t->of >= 0; t = &s->names.types[t->of])
        width = t->count;
    int square = v && t->bytes == bytes && width && s->names.types[v->type].bytes > width * bytes;
    for (int l = 0; l < WARP_SIZE; l++) {
        index[l] = (uint64_t)((int64_t)(a->addr[l] - (v ? v->offset : 0)) / (int64_t)bytes);
        row[l] = square ? index[l] / width : 0;
        if (square) index[l] %= width;
    }
    step_fold(KIND_SIGNED, 8, row, a->mask, fold[0], 48);
    step_fold(KIND_SIGNED, 8, index, a->mask, fold[1], 48);
    if (square)
        snprintf(out, size, "%s[%s][%s]", a->what, fold[0], fold[1]);
    else
        snprintf(out, size, "%s[%s]", a->what, fold[1]);
}

/* Write the access as text: "reads" or "writes", the elements, and their cost. */
void step_access_words(
    const struct step_session *s, const struct step_access *a, char *out, size_t size)
{
    const char *verb = a->atomic  ? "updates"
                       : a->write ? "writes"
                                  : "reads",
               *unit = a->shared ? "wavefront" : "sector";
    char what[192], cost[96] = "";
    name_elements(s, a, what, sizeof what);
    if (a->cost) snprintf(cost, sizeof cost, ": %u %s%s", a->cost, unit, plural_s(a->cost));
    if (a->extra)
        snprintf(cost + strlen(cost), sizeof cost - strlen(cost), ", %u %s", a->extra,
            !a->shared      ? "more than needed"
            : a->extra == 1 ? "conflict"
                            : "conflicts");
    snprintf(out, size, "%s %s%s", verb, what, cost);
}

void step_access_drawing(const struct step_access *a, int room, char *out, size_t size)
{
    char banks[WARP_SIZE + 1];
    *out = 0;
    if (a->shared) {
        draw_banks(a, banks);
        snprintf(out, size, "banks 0 %s 31  words in each bank", banks);
    } else if (!a->constant && a->cost) {
        struct buf drawn = {0};
        int n = draw_sectors(a, room, &drawn);
        snprintf(out, size, "sectors |%s%s", drawn.data ? drawn.data : "", n > room ? " ..." : "");
        buf_free(&drawn);
    }
}
