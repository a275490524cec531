/* contents.c - what all memory holds: its hash, a copy of it, and what has changed since the copy.
 *
 *     before a launch    sim_copy_new       all bytes, and which of them count as written
 *     after it           sim_changes        the pages that differ, with their new bytes
 *     another time       sim_change         the same, without the launch
 */
#include "sim/memory/regions.h"

#include <stdlib.h>
#include <string.h>

size_t sim_bytes(const struct sim_memory *m)
{
    size_t sum = 0;
    for (size_t i = 0; i < m->count; i++) sum += m->regions[i].bytes;
    return sum;
}

/* Like hash_bytes, but several bytes a clock: four words of 8 bytes at a time. */
static uint64_t hash_words(uint64_t h, const unsigned char *p, size_t bytes)
{
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t lane[4] = {h, h + 1, h + 2, h + 3}, word[4];
    size_t i = 0;
    for (; i + sizeof word <= bytes; i += sizeof word) {
        memcpy(word, p + i, sizeof word);
        for (int k = 0; k < 4; k++) {
            lane[k] = (lane[k] ^ word[k]) * factor;
            lane[k] ^= lane[k] >> 32;
        }
    }
    for (int k = 0; k < 4; k++) h = (h ^ lane[k]) * factor ^ h >> 29;
    return h ^ hash_bytes(p + i, bytes - i);
}

uint64_t sim_hash(const struct sim_memory *m)
{
    uint64_t h = m->count;
    for (size_t i = 0; i < m->count; i++) {
        const struct region *r = &m->regions[i];
        const uint64_t where[2] = {r->addr, r->bytes};
        h = hash_words(h, (const unsigned char *)where, sizeof where);
        h = hash_words(h, r->host, r->bytes);
        if (r->written)
            h = hash_words(
                h, (const unsigned char *)r->written, region_cells(r) * sizeof *r->written);
    }
    return h;
}

struct sim_copy {
    size_t count;
    struct part {
        unsigned char *host;
        uint64_t *written; /* NULL, as in the region */
    } * parts;
};

static void *copy_of(const void *from, size_t bytes)
{
    return from ? memcpy(xcalloc(bytes, 1), from, bytes) : NULL;
}

struct sim_copy *sim_copy_new(const struct sim_memory *m)
{
    struct sim_copy *c = xcalloc(1, sizeof *c);
    c->count = m->count;
    c->parts = xcalloc(m->count, sizeof *c->parts);
    for (size_t i = 0; i < m->count; i++) {
        const struct region *r = &m->regions[i];
        c->parts[i].host = copy_of(r->host, r->bytes);
        c->parts[i].written = copy_of(r->written, region_cells(r) * sizeof *r->written);
    }
    return c;
}

void sim_copy_free(struct sim_copy *c)
{
    for (size_t i = 0; c && i < c->count; i++) free(c->parts[i].host), free(c->parts[i].written);
    if (c) free(c->parts);
    free(c);
}

/* A change: new bytes of a region, or of its bitmap; or the bitmap is gone, since all is written. */
struct change {
    size_t region, offset, bytes;
    enum { OF_HOST, OF_WRITTEN, ALL_WRITTEN } of;
};

static void add_changes(
    struct buf *out, struct change x, const void *before, const void *after, size_t bytes)
{
    enum { PAGE = 4096 };
    const unsigned char *a = before, *b = after;
    for (x.offset = 0; x.offset < bytes; x.offset += PAGE) {
        x.bytes = bytes - x.offset < PAGE ? bytes - x.offset : PAGE;
        if (!memcmp(a + x.offset, b + x.offset, x.bytes)) continue;
        buf_add(out, &x, sizeof x);
        buf_add(out, b + x.offset, x.bytes);
    }
}

void sim_changes(const struct sim_copy *c, const struct sim_memory *m, struct buf *out)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct region *r = &m->regions[i];
        const struct part *p = &c->parts[i];
        const struct change gone = {.region = i, .of = ALL_WRITTEN};
        add_changes(out, (struct change){i, .of = OF_HOST}, p->host, r->host, r->bytes);
        if (p->written && r->written)
            add_changes(out, (struct change){i, .of = OF_WRITTEN}, p->written, r->written,
                region_cells(r) * sizeof *r->written);
        else if (p->written)
            buf_add(out, &gone, sizeof gone);
    }
}

void sim_change(struct sim_memory *m, const struct buf *changes)
{
    for (size_t at = 0; at < changes->len;) {
        struct change x;
        memcpy(&x, changes->data + at, sizeof x);
        at += sizeof x;
        struct region *r = &m->regions[x.region];
        unsigned char *to = x.of == OF_HOST ? r->host : (unsigned char *)r->written;
        if (x.of == ALL_WRITTEN)
            free(r->written), r->written = NULL;
        else
            memcpy(to + x.offset, changes->data + at, x.bytes);
        at += x.bytes;
    }
}
