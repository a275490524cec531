/* race.c - a race of two warps: both access one word of shared memory without a barrier between
 * them.
 *
 *     warp 0   ... reads tile[3][5] ......................     two recordings of the same block: both
 *                                  ? no barrier                accesses are found in them and shown
 *     warp 1   .................... writes tile[3][5]          side by side
 *
 * The simulator reports the second access of a race, and the warp of the first access. If a barrier
 * is missing before a read, the simulator reports the read, which found the word unwritten, and
 * continues with the block, so that the write follows. */
#include "step/recorder.h"

#include <stdio.h>
#include <string.h>

/* The number of the warp that writes the word which warp `reader` has read too early; -1:
 * unknown. */
static int first_writer(const struct recording *r, int reader)
{
    for (size_t k = 0; k < r->write_count; k++) {
        const struct shared_write *w = &r->writes[k];
        uint64_t at[WARP_SIZE];
        if (w->warp == reader) continue;
        fetch_lanes(r, w->data, at);
        for (uint32_t m = w->mask; m; m &= m - 1)
            if (r->clash.addr - at[__builtin_ctz(m)] < w->bytes) return w->warp;
    }
    return -1;
}

int recording_race(const struct recording *r, int warp[2])
{
    warp[0] = warp[1] = -1;
    if (r->clash.kind == WATCH_RACE) {
        warp[0] = r->clash.warp;
        warp[1] = r->fault_warp;
    } else if (r->clash.kind == WATCH_EARLY) {
        warp[0] = r->fault_warp;
        warp[1] = first_writer(r, r->fault_warp);
    }
    return warp[0] >= 0 && warp[1] >= 0 && warp[0] != warp[1];
}

/* The instant of the access of a warp to the word of the race: in the warp at fault the faulting
 * access; in a warp that accessed the word before, its last access to the word; in a warp that
 * comes after, the first access that writes the word. */
static size_t find_instant(const struct recording *r, int warp)
{
    const struct watch_clash *c = &r->clash;
    int early = c->kind == WATCH_EARLY, fault = warp == r->fault_warp;
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < r->count; k++) {
        const struct instant *i = &r->instants[k];
        if (fault ? i->fault < 0 : early ? i->access != WATCH_WRITE : i->step != c->step) continue;
        if (!record_touches(r, k, c->addr, ~0u)) continue;
        found = k;
        if (early && !fault) break;
    }
    return found;
}

/* The name of the word that the warps race for: "tile[3][5]", or without names "byte 4116 of shared
 * memory". */
static void name_word(const struct step_session *s, uint64_t addr, char *out, size_t size)
{
    const struct step_variable *v = step_shared_at(s, addr);
    snprintf(out, size, "byte %llu of shared memory", (unsigned long long)addr);
    if (!v) return;
    uint64_t at = addr - v->offset;
    const struct step_type *t = &s->names.types[v->type];
    size_t n = (size_t)snprintf(out, size, "%s", v->name);
    while (t->kind == KIND_ARRAY && t->of >= 0 && n < size && s->names.types[t->of].bytes) {
        t = &s->names.types[t->of];
        n += (size_t)snprintf(out + n, size - n, "[%llu]", (unsigned long long)(at / t->bytes));
        at %= t->bytes;
    }
}

int step_race_find(struct step_session *s, struct recording *const of[2])
{
    struct step_race *race = &s->race;
    *race = (struct step_race){.addr = of[0]->clash.addr};
    for (int i = 0; i < 2; i++) {
        struct step_side *side = &race->side[i];
        size_t k = find_instant(of[i], of[i]->warp);
        if (k == SIZE_MAX) {
            *race = (struct step_race){.addr = 0};
            return -1;
        }
        const struct instant *at = recording_at(of[i], k);
        *side = (struct step_side){.recording = of[i],
            .warp = of[i]->warp,
            .line = at->line,
            .write = at->access != WATCH_READ,
            .instant = k,
            .stop = recording_stop_of(of[i], k),
            .lanes = record_touches(of[i], k, race->addr, ~0u)};
    }
    name_word(s, race->addr, race->word, sizeof race->word);
    return 0;
}

void step_race_words(const struct step_race *race, char *out, size_t size)
{
    const struct step_side *a = &race->side[0], *b = &race->side[1];
    snprintf(out, size,
        "warp %d %s %s in line %d, then warp %d %s it in line %d, and no barrier stands between the two: "
        "another time warp %d may be first",
        a->warp, a->write ? "writes" : "reads", race->word, a->line, b->warp,
        b->write ? "writes" : "reads", b->line, b->warp);
}

/* What the lanes of one side of the race do: "lane 5 writes it". */
static void side_words(const struct step_side *side, char *out, size_t size)
{
    uint64_t lane[WARP_SIZE];
    int n = __builtin_popcount(side->lanes);
    char list[64];
    for (int l = 0; l < WARP_SIZE; l++) lane[l] = (uint64_t)l;
    if (n == 1) {
        snprintf(out, size, "lane %d %s it", __builtin_ctz(side->lanes),
            side->write ? "writes" : "reads");
        return;
    }
    /* cut off the formula in parentheses at the end */
    step_fold(KIND_UNSIGNED, 8, lane, side->lanes, list, sizeof list);
    list[strcspn(list, "(")] = 0;
    for (size_t k = strlen(list); k && list[k - 1] == ' ';) list[--k] = 0;
    snprintf(out, size, "lanes %s %s it", list, side->write ? "write" : "read");
}

/* A session for one of the two warps, which refers to s and owns nothing. */
static struct step_session step_race_session(const struct step_session *s, int side)
{
    struct step_session one = *s;
    one.recording = s->race.side[side].recording;
    one.warp = s->race.side[side].warp;
    return one;
}

void step_race_side(const struct step_session *s, int number, struct step_race_side *out)
{
    const struct step_side *side = &s->race.side[number];
    struct step_session one = step_race_session(s, number);
    struct step_access a;
    picture_make(&one, side->stop, 0, &out->picture);
    step_access_at(&one, side->instant, &a);
    step_access_words(&one, &a, out->access, sizeof out->access);
    side_words(side, out->who, sizeof out->who);
    for (int l = 0; l < WARP_SIZE; l++) out->marks[l] = side->lanes >> l & 1 ? '^' : ' ';
    out->marks[WARP_SIZE] = 0;
}
