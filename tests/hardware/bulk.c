/* bulk.c - lockstep-hardware bulk: random boxes of random arrays, copied on the simulator and
 * on another device by the copy engine, compared bit for bit.
 *
 *     seed -- draw --> array, box, swizzle, corner, place in shared memory, direction
 *                      launch on both --> the words of the box, or the array --> compared
 *
 * Corners may lie outside of the array: behind it, and those of loads before it. */
#include "hardware/bulk_kernel.h"
#include "hardware/hardware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_ALIGN = 64 }; /* alignment of a tensor map. Source: PTX ISA, tensor-map */
/* the most words and dimensions of a box: it must fit into shared memory behind c.shift bytes */
enum { WORDS = 6144, MOST_RANK = 3 };

struct copy {
    uint64_t seed;
    int store, at[MOST_RANK];
    /* count: words of the box; room: words that it takes in shared memory; shift: where it begins
     * there, in bytes */
    unsigned count, room, shift;
    size_t elements;
    struct model_tensor_map map;
};

static unsigned below(struct rng *r, unsigned n) { return (unsigned)rng_below(r, n); }

static struct copy draw(uint64_t seed)
{
    static const int swizzles[] = {0, 32, 64, 128};
    struct copy c = {.seed = seed};
    struct model_tensor_map *m = &c.map;
    struct rng r;
    rng_seed(&r, seed);
    c.store = (int)below(&r, 2);
    c.shift = 128 * below(&r, 64);
    m->rank = 1 + (int)below(&r, MOST_RANK);
    m->element = 4;
    m->swizzle = swizzles[below(&r, 4)];
    uint64_t stride = 4;
    for (int i = 0; i < m->rank; i++) {
        unsigned most = i ? 40 / (unsigned)i : m->swizzle ? (unsigned)m->swizzle / 16 : 16;
        m->size[i] = i ? 1 + below(&r, 40) : 4 * (1 + below(&r, 24));
        m->stride[i] = stride;
        stride *= m->size[i];
        m->box[i] = i ? 1 + below(&r, most) : 4 * (1 + below(&r, most));
        /* a row begins at a multiple of 16 bytes */
        unsigned grain = i ? 1 : 4, before = c.store ? 0 : m->box[i];
        c.at[i] = (int)(grain * below(&r, ((unsigned)m->size[i] + before) / grain)) - (int)before;
    }
    unsigned pitch = m->swizzle ? (unsigned)m->swizzle / 4 : m->box[0];
    do { /* while the box is too large, halve its last dimension */
        c.room = pitch;
        for (int i = 1; i < m->rank; i++) c.room *= m->box[i];
        if (c.room > WORDS) m->box[m->rank - 1] = (m->box[m->rank - 1] + 1) / 2;
    } while (c.room > WORDS);
    c.count = c.room / pitch * m->box[0];
    c.elements = stride / 4;
    return c;
}

/* Launch on one device. got: what the copy wrote: the box for a load, the array for a store. */
static int run(struct device *d, struct copy *c, const uint32_t *array, const uint32_t *words,
    uint32_t *got, struct err *e)
{
    unsigned char bytes[MODEL_TENSOR_MAP_BYTES];
    const struct launch_shape one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    char *ptx = bulk_kernel(c->store, c->map.rank);
    struct module *m = NULL;
    dev_ptr all = 0, some = 0, room = 0, map = 0;
    const void *args[] = {
        &map, &some, &c->at[0], &c->at[1], &c->at[2], &c->count, &c->room, &c->shift};
    int bad = device_load(d, ptx, "bulk.ptx", "bulk.cu", &m, e) ||
              device_alloc(d, c->elements * 4, "array", 4, &all, e) ||
              device_alloc(d, WORDS * 4, "words", 4, &some, e) ||
              device_alloc(d, sizeof bytes + MAP_ALIGN, "map", 4, &room, e) ||
              device_copy_in(d, all, array, c->elements * 4, e) ||
              device_copy_in(d, some, words, WORDS * 4, e);
    c->map.data = all;
    map = (room + MAP_ALIGN - 1) / MAP_ALIGN * MAP_ALIGN;
    bad = bad || device_tensor_map(d, &c->map, bytes, e) ||
          device_copy_in(d, map, bytes, sizeof bytes, e) ||
          device_launch(d, module_kernel(m, c->store ? "store" : "load"), &one, args, NULL, e) ||
          device_copy_out(d, got, c->store ? all : some, (c->store ? c->elements : WORDS) * 4, e);
    if (all) device_free(d, all, NULL);
    if (some) device_free(d, some, NULL);
    if (room) device_free(d, room, NULL);
    if (m) device_unload(d, m);
    free(ptx);
    return bad ? -1 : 0;
}

/* A description, "seed 7: store of rank 2, ...". The caller frees it. */
static char *described(const struct copy *c)
{
    const struct model_tensor_map *m = &c->map;
    struct buf b = {0};
    buf_printf(&b, "seed %llu: %s of rank %d, swizzle %d, shift %u", (unsigned long long)c->seed,
        c->store ? "store" : "load", m->rank, m->swizzle, c->shift);
    for (int i = 0; i < m->rank; i++)
        buf_printf(
            &b, ", %u of %llu from %d on", m->box[i], (unsigned long long)m->size[i], c->at[i]);
    return b.data;
}

/* Is word i of the shared memory that the box takes one of the box? Other words keep what was there
 * before. */
static int holds(const struct copy *c, size_t i)
{
    /* the swizzle is its own inverse */
    uint32_t at = model_swizzle(c->map.swizzle, c->shift + (uint32_t)i * 4) - c->shift;
    return i < c->room && at / 4 % (c->room / (c->count / c->map.box[0])) < c->map.box[0];
}

/* Run one copy on both devices. Returns whether they differ; -1: one of them failed. */
static int try_seed(struct device *const d[2], uint64_t seed, struct err *e)
{
    struct copy c = draw(seed);
    size_t n = c.store ? c.elements : WORDS;
    uint32_t *array = xcalloc(c.elements, 4), *words = xcalloc(WORDS, 4), *got[2];
    int bad = 0, differ = 0;
    char *text = described(&c);
    for (size_t i = 0; i < c.elements; i++) array[i] = (uint32_t)i + 1;
    for (size_t i = 0; i < WORDS; i++) words[i] = 0x80000000u + (uint32_t)i;
    for (int i = 0; i < 2; i++) {
        got[i] = xcalloc(n, 4);
        bad = bad || run(d[i], &c, array, words, got[i], e);
    }
    for (size_t i = 0; i < n && !bad && !differ; i++)
        if ((differ = (c.store || holds(&c, i)) && got[0][i] != got[1][i]))
            printf(
                "%s: word %zu is 0x%08x, the simulator's 0x%08x\n", text, i, got[1][i], got[0][i]);
    if (bad) {
        struct err why = *e;
        err_set(e, why.kind, "%s: %.300s", text, why.text);
    }
    free(text);
    free(array);
    free(words);
    free(got[0]);
    free(got[1]);
    return bad ? -1 : differ;
}

int command_bulk(int argc, char **argv, struct err *e)
{
    const char *seed = "1", *count = "1000", *device = "cuda";
    const struct option_spec specs[] = {
        {"--seed", &seed}, {"--count", &count}, {"--device", &device}, {0}};
    struct device *d[2] = {0};
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0) return -1;
    int bad = device_open("sim:h200", &d[0], e) || device_open(device, &d[1], e), differ = 0;
    uint64_t from = strtoull(seed, NULL, 10), n = strtoull(count, NULL, 10);
    for (uint64_t i = 0; i < n && !bad; i++) {
        int now = try_seed(d, from + i, e);
        bad = now < 0;
        differ += now > 0;
    }
    if (!bad)
        printf("%llu copies of boxes on %s: %d differ\n", (unsigned long long)n, device, differ);
    for (int i = 0; i < 2; i++)
        if (d[i]) device_close(d[i]);
    if (!bad && differ)
        return err_set(e, ERR_ENV, "%d of %llu copies differ", differ, (unsigned long long)n);
    return bad ? -1 : 0;
}
