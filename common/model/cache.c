/* cache.c - decides between hits and misses: a sectored, set-associative, write-back cache that
 * replaces the least recently used line. It holds no data.
 *
 *      address   | line number                      | byte in line |
 *                        |                             +-- sector: the unit in which a line is filled
 *                        +-- set: the line number, its parts combined by exclusive or
 *
 *      set 0     [ tag | sectors present | sectors dirty | when last used ]   x ways
 *      set 1     [ ...
 *
 * The exclusive or spreads lines at strides of a power of two (the columns of a matrix) over the
 * sets, as the caches of GPUs do. Lines below the number of sets stay where a plain remainder would
 * put them. The number of sets is a power of two. If the size is not a power of two, there are more
 * ways, so that no capacity is lost. */
#include "base/base.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

/* A line of the cache. A sector can be present only in a line that has a tag, and dirty only if it
 * is present. */
struct line {
    uint64_t tag;        /* number of the line */
    unsigned used;       /* value of model_cache.now when the line was last looked up */
    uint8_t here, dirty; /* bit i of here: sector i is present; bit i of dirty: sector i is dirty */
};

/* The cache. Line w of set s is at index s * ways + w. */
struct model_cache {
    unsigned sets, ways, set_shift; /* number of sets (1 << set_shift), and of ways in each */
    unsigned line_shift, sector_shift;
    /* number of look-ups so far, used as a clock; a line whose `used` is 0 is free */
    unsigned now;
    unsigned evicted_dirty;
    struct line *lines;
    /* Indexed by the low bits of a line number: where a line with such a number was last found, as
     * an index into lines. That place is looked at first, which changes no result. */
    unsigned *guess;
    unsigned guess_bits;
};

/* The logarithm of n to base 2; aborts if n is not a power of two. */
static unsigned log2_of(int64_t n)
{
    if (n <= 0 || (n & (n - 1))) BUG("%lld is not a power of two", (long long)n);
    return __builtin_ctzll(n);
}

struct model_cache *model_cache_new(int64_t bytes, int ways, int line_bytes, int sector_bytes)
{
    struct model_cache *c = xcalloc(1, sizeof *c);
    c->line_shift = log2_of(line_bytes);
    c->sector_shift = log2_of(sector_bytes);
    if (c->sector_shift > c->line_shift || c->line_shift - c->sector_shift > 3)
        BUG("a line of %d bytes needs 1 to 8 sectors, not of %d bytes", line_bytes, sector_bytes);
    int64_t lines = bytes / line_bytes;
    if (ways <= 0 || lines < ways)
        BUG("a cache of %lld bytes has no %d ways of %d bytes", (long long)bytes, ways, line_bytes);
    /* The largest power of two of sets that leaves each set at least the requested ways; then the
     * number of ways that results. */
    while ((int64_t)2 << c->set_shift <= lines / ways) c->set_shift++;
    c->sets = 1u << c->set_shift;
    c->ways = lines >> c->set_shift;

    size_t n = (size_t)c->sets * c->ways;
    c->lines = xcalloc(n, sizeof *c->lines);
    /* the table of guesses has four times as many entries as there are lines */
    for (c->guess_bits = 3; n >> (c->guess_bits - 2); c->guess_bits++) continue;
    c->guess = xcalloc((size_t)1 << c->guess_bits, sizeof *c->guess);
    model_cache_clear(c);
    return c;
}

void model_cache_free(struct model_cache *c)
{
    if (!c) return;
    free(c->lines);
    free(c->guess);
    free(c);
}

void model_cache_clear(struct model_cache *c)
{
    size_t n = (size_t)c->sets * c->ways;
    /* a tag that no line number equals */
    for (size_t i = 0; i < n; i++) c->lines[i] = (struct line){.tag = ~(uint64_t)0};
    c->now = c->evicted_dirty = 0;
}

/* The set of a line: its number is divided into parts of set_shift bits, which are combined by
 * exclusive or. */
static unsigned set_of(const struct model_cache *c, uint64_t line)
{
    if (c->set_shift == 0) return 0;
    uint64_t folded = line;
    for (uint64_t rest = line >> c->set_shift; rest; rest >>= c->set_shift) folded ^= rest;
    return folded & (c->sets - 1);
}

static unsigned *guess_of(struct model_cache *c, uint64_t line)
{
    return &c->guess[line & ((1u << c->guess_bits) - 1)];
}

/* Searches the set for a line that is not where the guess says. Returns the index of the line; -1:
 * it is absent. The loop has no early exit, so the compiler can vectorize it. The function is not
 * inlined, which keeps the common path short. */
static long __attribute__((noinline)) search(struct model_cache *c, uint64_t line)
{
    unsigned first = set_of(c, line) * c->ways, at = 0;
    for (unsigned w = 0; w < c->ways; w++) at |= c->lines[first + w].tag == line ? w + 1 : 0;
    return at ? (long)(*guess_of(c, line) = first + at - 1) : -1;
}

static long find(struct model_cache *c, uint64_t line)
{
    unsigned guess = *guess_of(c, line);
    return c->lines[guess].tag == line ? (long)guess : search(c, line);
}

/* Replaces the least recently used line in the line's set. The new line has no sectors yet. Returns
 * its index. */
static unsigned __attribute__((noinline)) replace(struct model_cache *c, uint64_t line)
{
    unsigned first = set_of(c, line) * c->ways, oldest = first;
    for (unsigned w = 1; w < c->ways; w++)
        if (c->lines[first + w].used < c->lines[oldest].used) oldest = first + w;
    if (c->lines[oldest].dirty) c->evicted_dirty = __builtin_popcount(c->lines[oldest].dirty);
    c->lines[oldest] = (struct line){.tag = line};
    return *guess_of(c, line) = oldest;
}

/* Called when the clock has overflowed, after 4 billion look-ups. The contents are kept, and the
 * order of use is forgotten. */
static void restart_clock(struct model_cache *c)
{
    size_t n = (size_t)c->sets * c->ways;
    for (size_t i = 0; i < n; i++) c->lines[i].used = c->lines[i].used != 0;
    c->now = 2;
}

/* If the line is absent and allocate is not set, nothing changes. A write marks as dirty only
 * sectors that are present: a write that misses without allocate bypasses this cache. */
unsigned model_cache_line(
    struct model_cache *c, uint64_t addr, unsigned sectors, int write, int allocate)
{
    uint64_t line = addr >> c->line_shift;
    if (++c->now == 0) restart_clock(c);
    c->evicted_dirty = 0;
    long at = find(c, line);
    unsigned hits = at < 0 ? 0 : c->lines[at].here & sectors;
    if (at < 0 && !allocate) return 0;
    if (at < 0) at = replace(c, line);
    struct line *l = &c->lines[at];
    l->used = c->now;
    if (allocate) l->here |= sectors;
    if (write) l->dirty |= sectors & l->here;
    return hits;
}

int model_cache_all_hit(struct model_cache *c, const uint64_t *addr, const uint8_t *sectors, int n)
{
    unsigned at[WARP_SIZE], missing = 0;
    if (c->now + (unsigned)n < c->now) return 0; /* the clock would overflow */
    for (int i = 0; i < n; i++) {
        long found = find(c, addr[i] >> c->line_shift);
        if (found < 0) return 0;
        at[i] = (unsigned)found;
        missing |= sectors[i] & ~(unsigned)c->lines[found].here;
    }
    if (missing) return 0;
    for (int i = 0; i < n; i++) c->lines[at[i]].used = ++c->now;
    c->evicted_dirty = 0;
    return 1;
}

int model_cache_access(struct model_cache *c, uint64_t addr, int write, int allocate)
{
    unsigned sector = addr >> c->sector_shift & ((1u << (c->line_shift - c->sector_shift)) - 1);
    unsigned hits = model_cache_line(c, addr, 1u << sector, write, allocate);
    return (hits ? CACHE_HIT : 0) | (c->evicted_dirty ? CACHE_WROTE_BACK : 0);
}

unsigned model_cache_evicted_dirty(const struct model_cache *c) { return c->evicted_dirty; }

uint64_t model_cache_dirty(const struct model_cache *c)
{
    uint64_t sum = 0;
    for (size_t i = 0, n = (size_t)c->sets * c->ways; i < n; i++)
        sum += __builtin_popcount(c->lines[i].dirty);
    return sum;
}
