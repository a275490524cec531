/* shadow.c - detects races and reads of unwritten bytes in global memory (like racecheck and
 * initcheck of NVIDIA's Compute Sanitizer), in every launch.
 *
 *     line of 128 bytes      . . # # # . . .     bytes written since the block began
 *     words that were read   # # . . . . . .     since the last barrier, with the thread that did;
 *            written         . . # # # . . .     a read and a write by different warps are a race
 *
 * Initcheck. A thread may read bytes written by the host, an earlier launch, or its own block.
 * Writes by another block of the same launch do not count, because blocks run in any order. They
 * count only if atomic operations force the simulator to run the blocks one after the other
 * (decode.c). So the outcome does not depend on the order of blocks or on the host's threads.
 *
 * Racecheck follows the rules of check.c within a block: lanes of one warp do not race, and
 * accesses narrower than a word are not compared. An atomic operation counts as a read: it does not
 * race with other atomic operations and plain reads (the loop around atomicCAS starts with one),
 * but it races with a plain write. Writing the same value is still a race in labs; for whole
 * programs (same_value_ok) it is not: in code such as `*changed = 1` the order makes no difference.
 * volatile does not prevent a race, nor does a fence alone, since a fence orders only its own
 * thread's accesses. A fence and then an atomic operation is how a lock or a ticket passes data on,
 * so the two together clear all earlier accesses.
 *
 * Reads are recorded only in buffers that the kernel may write (targets.c), so input buffers cost
 * nothing.
 *
 * Source: PTX ISA, Memory Consistency Model (release and acquire patterns); CUDA C++ Programming
 * Guide, atomicCAS. */
#include "sim/check/check.h"
#include "sim/check/shadow_lines.h"
#include "sim/exec/access.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shadow *shadow_new(int block_warps, int across)
{
    struct shadow *f = xcalloc(1, sizeof *f);
    f->across = across;
    f->races = block_warps > 1 || across;
    f->table_bits = 8;
    f->table = xcalloc((size_t)1 << f->table_bits, sizeof *f->table);
    /* index 0 of the list means "no array", so it is not used */
    VEC_PUSH(f->arrays, f->array_count, f->array_cap);
    return f;
}

void shadow_free(struct shadow *f)
{
    if (!f) return;
    free(f->lines);
    free(f->table);
    free(f->arrays);
    free(f);
}

/* A new epoch invalidates the recorded accesses of every line, without visiting the lines. */
void shadow_barrier(struct shadow *f)
{
    f->epoch++;
    f->fenced = 0;
}

/* Clears only the table slots in use: the table may be much larger than what the last block
 * accessed. */
void shadow_start_block(struct shadow *f, int sm)
{
    f->sm = sm;
    for (size_t i = 0; i < f->count; i++) f->table[f->lines[i].slot] = 0;
    f->count = 0;
    f->array_count = 1;
    shadow_barrier(f);
}

int shadow_meets(const struct shadow *f) { return f->meets; }

/* Add the bytes that the block wrote to the bitmaps of its regions. This is done by atomic
 * operations, since blocks on other host threads do the same. */
void shadow_end_block(struct shadow *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct line *l = &f->lines[i];
        uint64_t *fresh = l->written[0] | l->written[1] ? sim_fresh(l->region) : NULL;
        size_t cell = (l->number * LINE - l->region->addr) / 64;
        for (size_t k = 0; fresh && k < 2; k++)
            if (l->written[k]) __atomic_fetch_or(&fresh[cell + k], l->written[k], __ATOMIC_RELAXED);
    }
}

/* ---- recorded accesses ("touches") ---- */

/* Does this access race with an earlier one? If so, returns 1 and sets *other to the earlier access
 * (thread and step, packed); else returns 0. A read races with other warps' writes; a write races
 * with their reads and writes. If the warp owns the line, it cannot race. */
static int clash(
    struct shadow *f, struct line *l, int warp, int write, uint32_t words, uint32_t *other)
{
    for (int array = write ? READERS : WRITERS; l->owner != warp && array < ARRAYS; array++)
        for (uint32_t m = words & l->mask[array]; m; m &= m - 1) {
            *other = who(f, l, array)[__builtin_ctz(m)];
            if (thread_of(*other) / 32 != warp) return 1;
        }
    return 0;
}

/* Which lane of a warp touches which words of a line. first: thread and step of the first lane's
 * access, packed. Regular lanes: each has 1 << shift words, one lane after the other, those of the
 * first lane from word `from` of the line on (negative: they start in an earlier line); shift < 0:
 * one lane touches all the words. Irregular lanes (off not NULL): the lanes in the mask `here`
 * touch the line, each with `each` words from byte low + off[lane] on. */
struct touch_by {
    uint32_t first;
    int from, shift;
    const uint32_t *off;
    uint32_t low, here, each;
};

static uint32_t by_lane(const struct touch_by *t, int word)
{
    return t->shift < 0 ? t->first : t->first + ((uint32_t)(word - t->from) >> t->shift);
}

/* For each of these words of a line, record the thread and step that accessed it; mostly these are
 * all words, or a single word. If several irregular lanes access a word, the lowest is recorded. */
static inline void fill(uint32_t *to, uint32_t words, const struct touch_by *t)
{
    for (uint32_t m = t->off ? t->here : 0, l; m; m ^= 1u << l) {
        l = 31 - (uint32_t)__builtin_clz(m);
        for (uint32_t word = (t->low + t->off[l]) % LINE / 4, i = 0; i < t->each; i++)
            if (words >> (word + i) & 1) to[word + i] = t->first + l;
    }
    if (t->off) return;
    if (words == ~0u && t->shift >= 0)
        for (int i = 0; i < WORDS; i++) to[i] = t->first + ((uint32_t)(i - t->from) >> t->shift);
    else if (!(words & (words - 1)))
        to[__builtin_ctz(words)] = by_lane(t, __builtin_ctz(words));
    else
        for (uint32_t m = words; m; m &= m - 1) to[__builtin_ctz(m)] = by_lane(t, __builtin_ctz(m));
}

/* Record an access that does not race. Each array keeps only the first access to a word. A read by
 * another warp than the word's first reader is recorded in READERS_TOO. */
static void note(
    struct shadow *f, struct line *l, int warp, int write, uint32_t words, const struct touch_by *t)
{
    int array = write ? WRITERS : READERS, untouched = !(l->mask[READERS] | l->mask[WRITERS]);
    /* this is the first access to these words */
    if (!((l->mask[READERS] | l->mask[WRITERS]) & words)) {
        l->owner = untouched || l->owner == warp ? (uint8_t)warp : MIXED;
        fill(who(f, l, array), words, t);
        l->mask[array] |= words;
        return;
    }
    uint32_t new = words & ~l->mask[array],
             again = write ? 0 : words & l->mask[array] & ~l->mask[READERS_TOO], theirs = 0;
    l->owner = untouched || l->owner == warp ? (uint8_t)warp : MIXED;
    for (uint32_t m = l->owner == warp ? 0 : again; m; m &= m - 1)
        if (thread_of(who(f, l, READERS)[__builtin_ctz(m)]) / 32 != warp) theirs |= m & (0 - m);
    if (new) fill(who(f, l, array), new, t);
    if (theirs) fill(who(f, l, READERS_TOO), theirs, t);
    l->mask[array] |= new;
    l->mask[READERS_TOO] |= theirs;
}

/* A mask of the bits first .. first + count - 1. */
static uint32_t some_bits(uint64_t first, uint64_t count)
{
    return (uint32_t)((((uint64_t)1 << count) - 1) << first);
}

/* Part of a line: the line's number; the bytes and the 4-byte words, one bit each. */
struct part {
    uint64_t number, bytes[2];
    uint32_t words;
};

/* The n bytes from addr on, which lie in one line. An access of fewer than 4 bytes has no words. */
static inline struct part part_of(uint64_t addr, unsigned n)
{
    unsigned at = (unsigned)(addr % LINE), end = at + n;
    uint64_t from = ~(uint64_t)0 << at % 64, to = ~(uint64_t)0 >> (63 - (end - 1) % 64);
    struct part p = {addr / LINE, {0, 0}, some_bits(at / 4, n / 4)};
    if (at / 64 == (end - 1) / 64)
        p.bytes[at / 64] = from & to;
    else
        p.bytes[0] = from, p.bytes[1] = to;
    return p;
}

/* Has each of the bytes been written: by the host or an earlier launch (according to the region's
 * bitmap), or by this block (according to l)? l: the block's entry for the line; NULL: the block
 * has not accessed the line. */
static int is_written(const struct region *r, const struct line *l, const struct part *p)
{
    size_t cell = (p->number * LINE - r->addr) / 64;
    for (size_t k = 0; k < 2; k++)
        if (p->bytes[k] && p->bytes[k] & ~(r->written[cell + k] | (l ? l->written[k] : 0)))
            return 0;
    return 1;
}

/* The entry of the line with this number; NULL: the block has not accessed the line. */
static const struct line *known_line(const struct shadow *f, uint64_t number)
{
    uint32_t i = f->table[find_slot(f, number)];
    return i ? &f->lines[i - 1] : NULL;
}

/* Describes how lanes of one warp access words. */
struct touching {
    int warp; /* number of the warp in its block */
    enum touch_kind kind;
    int looks;     /* the access uses the old value, which must have been written */
    unsigned each; /* bytes of each lane */
    struct touch_by by;
};

/* Record an access for the comparison of blocks. A read of what the block itself has written does
 * not count. */
static void keep(struct line *l, enum touch_kind kind, uint32_t words)
{
    l->all[kind] |= kind == TOUCH_READ ? words & ~l->all[TOUCH_WRITE] : words;
}

/* Check an access to bytes of one line, and record it. Returns 1; 0 if the access is an error, in
 * which case it is not recorded. */
static int touch(
    struct shadow *f, const struct region *r, const struct touching *a, const struct part *p)
{
    int races = f->races && a->each >= 4, write = a->kind == TOUCH_WRITE;
    if (a->kind == TOUCH_READ && !r->target)
        return !a->looks || !r->written || is_written(r, NULL, p) ||
               is_written(r, known_line(f, p->number), p);
    /* narrow accesses are not tracked, so assume that another multiprocessor owns the word */
    if (r->owner && !races) f->meets = 1;
    if (!r->written && !races) return 1;
    struct line *l = line_at(f, r, p->number);
    if (r->written && a->looks && !is_written(r, l, p)) return 0;
    if (races) {
        uint32_t other;
        if (clash(f, l, a->warp, write, p->words, &other)) return 0;
        /* Already recorded: words that this warp has touched in this way (if it owns the line), or
         * that two warps have read. */
        uint32_t noted = l->owner == a->warp ? l->mask[write ? WRITERS : READERS]
                         : write             ? 0
                                             : l->mask[READERS] & l->mask[READERS_TOO];
        if (p->words & ~noted) {
            note(f, l, a->warp, write, p->words, &a->by);
            if (r->owner && !sim_own(r, f->sm, p->number, p->words)) f->meets = 1;
        }
    }
    if (f->across) keep(l, a->kind, p->words);
    if (r->written && a->kind != TOUCH_READ) {
        l->written[0] |= p->bytes[0];
        l->written[1] |= p->bytes[1];
    }
    return 1;
}

/* ---- accesses of whole warps ---- */

/* A region needs checks if parts of it are unwritten, or if accesses to it can race. */
int shadow_watches(const struct worker *w, const struct region *r, int write)
{
    return r && !w->check_off && (r->written || (w->shadow->races && (write || r->target)));
}

/* For lanes whose bytes are contiguous from lo on: check the bytes line by line. */
static int touch_lines(
    struct shadow *f, const struct region *r, struct touching *a, uint64_t lo, unsigned lanes)
{
    uint64_t hi = lo + lanes * a->each;
    a->by.shift = a->each < 4 ? 0 : __builtin_ctz(a->each) - 2;
    for (uint64_t at = lo, end; at < hi; at = end) {
        end = (at / LINE + 1) * LINE < hi ? (at / LINE + 1) * LINE : hi;
        a->by.from = (int)((int64_t)(lo - at / LINE * LINE) / 4);
        struct part p = part_of(at, (unsigned)(end - at));
        if (!touch(f, r, a, &p)) return 0;
    }
    return 1;
}

/* For lanes at irregular addresses (mask): lanes in the same line are checked together. Each
 * iteration takes the line of the first lane that is left (rest). */
static int touch_scattered(struct shadow *f, const struct region *r, struct touching a,
    uint64_t base, const uint32_t off[32], uint32_t mask)
{
    enum { NOWHERE = 1 << 30 }; /* a line number beyond that of any 32-bit offset */
    uint32_t line[32], words[32], low = (uint32_t)(base % LINE);
    uint64_t bytes = ((uint64_t)1 << a.each) - 1;
    a.by.off = off;
    a.by.low = low;
    a.by.each = a.each / 4;
    for (int l = 0; l < 32; l++) {
        line[l] = mask >> l & 1 ? (uint32_t)((low + (uint64_t)off[l]) / LINE) : NOWHERE;
        words[l] = ((1u << a.by.each) - 1) << (low + off[l]) % LINE / 4;
    }
    uint32_t apart = 1; /* each lane's line is higher than the previous lane's */
    for (int l = 1; l < 32; l++) apart &= line[l] > line[l - 1];
    for (uint32_t rest = mask; rest; rest &= ~a.by.here) {
        int first = __builtin_ctz(rest);
        struct part p = {base / LINE + line[first], {0, 0}, words[first]};
        uint32_t number = line[first], here = 1u << first;
        if (!apart) /* no early exit, so the compiler can vectorize the loop */
            for (int l = 0; l < 32; l++) {
                uint32_t same = -(uint32_t)(line[l] == number);
                here |= same & 1u << l;
                p.words |= same & words[l];
            }
        a.by.here = here;
        for (uint32_t m = r->written ? here : 0; m; m &= m - 1) {
            uint32_t at = (low + off[__builtin_ctz(m)]) % LINE;
            p.bytes[at / 64] |= bytes << at % 64;
        }
        if (!touch(f, r, &a, &p)) return 0;
    }
    return 1;
}

/* Does the access use the old value of the memory? A store does not, and neither does an exchange
 * whose result is unused. Where the launch goes on after findings, a load does not if its value is
 * only stored elsewhere or selected (used.c). */
static int looks(const struct batch *v, const struct uop *u, enum touch_kind kind)
{
    int any = !v->worker->launch->notes;
    if (kind == TOUCH_UPDATE) return u->detail != ATOM_EXCH || u->d >= 0;
    for (int e = 0; kind == TOUCH_READ && !any && e < u->vector; e++)
        any = u->r[e] >= 0 && sim_used(v, u, e);
    return kind == TOUCH_READ && any;
}

/* Checks lanes at irregular addresses. If the warp repeats its last access of this kind in the same
 * epoch, nothing is left to check or record. */
static int touch_again(struct shadow *f, const struct region *r, const struct touching *a,
    uint64_t base, const uint32_t off[32], uint32_t mask)
{
    struct last *k = &f->last[a->warp][a->kind];
    unsigned each = a->looks || a->kind == TOUCH_WRITE ? a->each : 0;
    if (k->epoch == f->epoch && k->each == each && k->base == base && k->mask == mask &&
        !memcmp(k->off, off, sizeof k->off))
        return 1;
    if (!touch_scattered(f, r, *a, base, off, mask)) return 0;
    k->base = base, k->epoch = f->epoch, k->mask = mask, k->each = each;
    memcpy(k->off, off, sizeof k->off);
    return 1;
}

/* Contiguous lanes are checked line by line; if all lanes have the same address, that is checked
 * once. */
int shadow_access(const struct access *x)
{
    struct shadow *f = x->v->worker->shadow;
    const struct pattern *p = x->pattern;
    const struct region *r = p->span.region;
    int good = 1;
    for (int i = 0; good && i < x->warps; i++) {
        int w = x->first + i;
        struct touching a = {x->v->index * BATCH_WARPS + w, x->kind, looks(x->v, x->u, x->kind),
            x->bytes, {toucher(x->v->index * BATCH_LANES + w * 32, x->u->step), 0, -1, NULL}};
        struct part one = part_of(x->lo[i], a.each);
        if (!p->reach) {
            a.by.first += (uint32_t)__builtin_ctz(x->mask);
            good = touch(f, r, &a, &one);
        } else if (p->run) {
            for (unsigned l = 0; good && l < 32; l += p->run, a.by.first += p->run)
                good = touch_lines(f, r, &a, x->lo[i] + p->off[l], p->run);
        } else {
            good = touch_again(f, r, &a, x->lo[i], p->off, x->mask);
        }
    }
    return good;
}

/* ---- accesses of a single lane ---- */

/* Find the first word of the access that races, and report it. */
static void find_race(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, const struct touching *a)
{
    struct shadow *f = v->worker->shadow;
    uint32_t other;
    for (unsigned i = 0; a->each >= 4 && i < a->each; i += 4) {
        struct line *l = line_at(f, r, addr / LINE);
        uint32_t word = some_bits((addr + i) % LINE / 4, 1);
        if (!clash(f, l, a->warp, a->kind == TOUCH_WRITE, word, &other)) continue;
        int wrote =
            (l->mask[WRITERS] & word) != 0 && who(f, l, WRITERS)[__builtin_ctz(word)] == other;
        if (a->kind != TOUCH_WRITE || !wrote || !shadow_same_value(v, u, lane, r, addr + i, addr))
            shadow_tell_race(v, u, lane, r, addr + i, a->kind, thread_of(other),
                (int)(other >> THREAD_BITS), wrote);
    }
}

/* Is any of the bytes written? */
static int partly_written(const struct region *r, const struct line *l, const struct part *p)
{
    size_t cell = (p->number * LINE - r->addr) / 64;
    for (size_t k = 0; k < 2; k++)
        if (p->bytes[k] & (r->written[cell + k] | (l ? l->written[k] : 0))) return 1;
    return 0;
}

/* Does a loaded value count as written? For an 8-byte integer, one written half is enough: it may
 * be part of a structure that is copied with its padding. */
static int written_enough(const struct shadow *f, const struct region *r, const struct uop *u,
    const struct part *p, uint64_t at)
{
    if (is_written(r, known_line(f, p->number), p)) return 1;
    if (u->bytes != 8 || u->type == PTX_F64) return 0;
    struct part half[2] = {part_of(at, 4), part_of(at + 4, 4)};
    return is_written(r, known_line(f, p->number), &half[0]) ||
           is_written(r, known_line(f, p->number), &half[1]);
}

/* Called after an error that did not end the launch: records the access, and treats its bytes as
 * written from now on, so that each block reports a read of them once. */
static void trust(
    struct shadow *f, const struct region *r, const struct touching *a, const struct part *p)
{
    struct line *l = line_at(f, r, p->number);
    if (f->across && p->words) {
        keep(l, a->kind, p->words);
        note(f, l, a->warp, a->kind == TOUCH_WRITE, p->words, &a->by);
    }
    if (!r->written) return;
    l->written[0] |= p->bytes[0];
    l->written[1] |= p->bytes[1];
}

/* touch() only tells that there is an error. This function finds out which: a race or, if there is
 * none, a read of an unwritten element. If the launch goes on after findings, it is no error if
 * some of the bytes are written (the rest is padding, or the end of a row that is loaded by
 * vectors), or if the value is not used (used.c). */
void shadow_lane(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind)
{
    struct shadow *f = v->worker->shadow;
    struct touching a = {v->index * BATCH_WARPS + lane / 32, kind, looks(v, u, kind),
        (unsigned)u->bytes * u->vector,
        {toucher(v->index * BATCH_LANES + lane, u->step), 0, -1, NULL}};
    struct part whole = part_of(addr, a.each);
    if (!shadow_watches(v->worker, r, kind != TOUCH_READ) || touch(f, r, &a, &whole)) return;
    if (f->races && (r->target || kind != TOUCH_READ)) find_race(v, u, lane, r, addr, &a);
    int notes = v->worker->launch->notes != NULL;
    int part_is_enough =
        notes && r->written && partly_written(r, known_line(f, whole.number), &whole);
    /* An element whose result is unused may be unwritten. */
    for (unsigned e = 0; a.looks && r->written && !part_is_enough && e < u->vector; e++) {
        uint64_t at = addr + (uint64_t)e * u->bytes;
        struct part p = part_of(at, u->bytes);
        if ((kind == TOUCH_UPDATE || u->r[e] >= 0) && !written_enough(f, r, u, &p, at) &&
            (!notes || kind == TOUCH_UPDATE || sim_used(v, u, (int)e)))
            shadow_tell_unwritten(v, u, lane, r, at, kind);
    }
    if (notes) trust(f, r, &a, &whole);
}

/* ---- accesses of different blocks ---- */

/* Reports that blocks race for words of a line. mine: 1 if this block writes the lowest of these
 * words; else step other_step of another block writes it. */
static void tell_across(struct worker *w, struct line *l, uint32_t words, int mine, int other_step,
    const char *does, const char *advice)
{
    struct batch *v = &w->batches[0];
    int word = __builtin_ctz(words);
    uint32_t by = mine ? who(w->shadow, l, WRITERS)[word] : 0;
    const struct uop at = {.step = mine ? (int)(by >> THREAD_BITS) : other_step};
    if (sim_known(v, &at, FOUND_RACE)) return;
    const struct region *r = l->region;
    uint64_t index = (l->number * LINE + (unsigned)word * 4 - r->addr) / r->element;
    struct finding found = sim_element(FOUND_RACE, r->name, (long long)index, 0);
    sim_warn(v, &at, -1, found, "%s %s[%llu], and blocks run in any order: a race\1; %s", does,
        r->name, (unsigned long long)index, advice);
}

/* Called for words that the block has read and then written. If several blocks do so, a GPU usually
 * loses most of the changes; here those of the first block remain. old: words that another block
 * has written before. */
static void lose(struct line *l, uint32_t words, uint32_t old)
{
    size_t at = l->number * LINE - l->region->addr;
    unsigned char *now = l->region->host + at, *first = sim_first(l->region) + at;
    for (uint32_t m = words; m; m &= m - 1) {
        int i = __builtin_ctz(m), again = old >> i & 1;
        memcpy((again ? now : first) + 4 * i, (again ? first : now) + 4 * i, 4);
    }
}

/* Compares the block with earlier ones: reports words that one block writes and another reads,
 * writes as well or updates. Blocks that only write a word are not compared, since they may write
 * the same value; nor is a read compared with an atomic operation, since programs often read a word
 * before they update it. */
void shadow_compare(struct worker *w)
{
    static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
    static const char *const add = "if each adds to it, an atomicAdd() does that in one step";
    static const char *const apart = "two kernels, or two buffers, put the accesses in order";
    struct shadow *f = w->shadow;
    for (size_t i = 0; i < f->count; i++) {
        struct line *l = &f->lines[i];
        uint32_t read = l->all[TOUCH_READ], wrote = l->all[TOUCH_WRITE], up = l->all[TOUCH_UPDATE];
        if (!l->region->target || !(read | wrote | up)) continue;
        struct across *x = &sim_across(l->region)[l->number - l->region->addr / LINE];
        uint32_t change = w->kernel->serial ? 0 : read & wrote;
        if (change) pthread_mutex_lock(&changing);
        if (wrote) {
            int step = (int)(who(f, l, WRITERS)[__builtin_ctz(wrote)] >> THREAD_BITS);
            __atomic_store_n(&x->step, step, __ATOMIC_RELEASE);
        }
        uint32_t old_read = __atomic_fetch_or(&x->read, read, __ATOMIC_ACQ_REL);
        uint32_t old_up = __atomic_fetch_or(&x->updated, up, __ATOMIC_ACQ_REL);
        uint32_t old_wrote = __atomic_fetch_or(&x->wrote, wrote, __ATOMIC_ACQ_REL);
        if (change) lose(l, change, old_wrote);
        if (change) pthread_mutex_unlock(&changing);
        uint32_t both = wrote & old_wrote & (read | old_read);
        uint32_t sums = (wrote & old_up) | (up & old_wrote);
        uint32_t one = (wrote & old_read) | (read & old_wrote);
        if (both)
            tell_across(w, l, both, 1, 0, "reads and writes, as other blocks do,", add);
        else if (sums & wrote)
            tell_across(w, l, sums & wrote, 1, 0, "writes, while other blocks update it,", apart);
        else if (sums)
            tell_across(
                w, l, sums, 0, x->step, "updates, while another block writes in this line,", apart);
        else if (one & wrote)
            tell_across(w, l, one & wrote, 1, 0, "writes, while other blocks read it,", apart);
        else if (one)
            tell_across(
                w, l, one, 0, x->step, "reads, while another block writes in this line,", apart);
    }
}

/* ---- a fence followed by an atomic operation ---- */

void shadow_fence(struct batch *v, int warp)
{
    v->worker->shadow->fenced |= 1u << (v->index * BATCH_WARPS + warp);
}

/* After a fence of the same warp, the atomic operation synchronizes like a barrier, so a new epoch
 * begins. */
void shadow_atomic(struct batch *v, int warp)
{
    struct shadow *f = v->worker->shadow;
    if (f->fenced >> (v->index * BATCH_WARPS + warp) & 1) {
        f->epoch++;
        words_barrier(v->worker);
    }
}
