/* test_step.c - recordings of one warp: lines, masks, addresses, values, counters, and that a step
 * back shows what was shown before. */
#include "profiling.h"
#include "step/step.h"

#include <glob.h>
#include <time.h>

/* ---- a kernel, launched and recorded ---- */

struct stepped {
    struct compiled compiled;
    struct device *device;
    struct module *module;
    struct step_session s;
    struct err e;
    int bad;
};

static struct compiled compiled_as(const char *path, int debug)
{
    struct front front = fronts[0];
    struct compiled c;
    front.debug = debug;
    compile_any(&kit, &front, path, &c);
    ck_assert_msg(c.status == COMPILE_OK, "%s: %s %s", path, c.output.data, c.err.text);
    return c;
}

/* Record a launch. words: the arguments. The warp is one of the first block. */
static void record_words(struct stepped *r, const char *kernel, const unsigned grid[3],
    const unsigned block[3], size_t shared, int warp, const char *const *words, int count)
{
    struct arguments a;
    const void *args[ARGS_MAX];
    struct launch_shape shape = {
        {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, shared};
    struct kernel *k = module_kernel(r->module, kernel);
    ck_assert_msg(k != NULL, "%s has no kernel %s", r->compiled.file, kernel);
    ck_assert_msg(!arguments_place(&a, r->device, k, kernel, r->compiled.file, words, count, &r->e),
        "%s", r->e.text);
    for (int i = 0; i < a.count; i++) args[i] = a.value[i];
    r->s.recording = recording_start(r->device, 0, warp, 1 << 20, r->s.debug);
    r->bad = device_launch(r->device, k, &shape, args, NULL, &r->e);
    recording_end(r->s.recording, r->bad ? &r->e : NULL, r->compiled.ptx);
    arguments_free(&a);
    r->s.file = r->compiled.file;
    r->s.source = r->compiled.source;
    r->s.ptx = r->compiled.ptx;
    r->s.kernel = kernel;
    r->s.front = fronts[0].name;
    r->s.warp = warp;
    if (r->s.debug) step_names_read(&r->s.names, r->s.ptx, k);
}

static struct stepped stepped(
    const char *kernel, unsigned x, unsigned y, int warp, int debug, const char *const *words)
{
    struct stepped r = {.s = {.debug = debug}};
    char *path = kit_path(&kit, "tests/profile/step.cu");
    int count = 0;
    while (words[count]) count++;
    r.compiled = compiled_as(path, debug);
    r.module = open_and_load("sim:h200", &r.compiled, &r.device);
    record_words(&r, kernel, (unsigned[]){1, 1, 1}, (unsigned[]){x, y, 1}, 0, warp, words, count);
    free(path);
    return r;
}

static void stepped_free(struct stepped *r)
{
    recording_free(r->s.recording);
    step_names_free(&r->s.names);
    if (!r->module) return;
    device_unload(r->device, r->module);
    device_close(r->device);
    compiled_free(&r->compiled);
}

/* The n-th stop of a line, from 0. */
static size_t stop_at(const struct stepped *r, int line, int n)
{
    for (size_t k = 0; k < recording_stops(r->s.recording); k++)
        if (recording_at(r->s.recording, recording_stop(r->s.recording, k))->line == line &&
            n-- == 0)
            return k;
    ck_abort_msg("line %d has no such stop", line);
}

static const char *value_of(const struct step_picture *p, const char *name)
{
    for (int i = 0; i < p->row_count; i++)
        if (!strcmp(p->rows[i].name, name)) return p->rows[i].text;
    return "no such variable";
}

#define TURNED WITH("buf:f32:64:iota", "buf:f32:64:none")

/* ---- lines, lanes, values, accesses ---- */

START_TEST(each_line_is_a_stop)
{
    struct stepped r = stepped("turned", 64, 1, 1, 1, TURNED);
    static const int lines[] = {5, 6, 7, 8, 9, 10};
    ck_assert_msg(!r.bad, "%s", r.e.text);
    ck_assert_uint_eq(recording_stops(r.s.recording), 6);
    for (size_t k = 0; k < 6; k++)
        ck_assert_int_eq(
            recording_at(r.s.recording, recording_stop(r.s.recording, k))->line, lines[k]);
    stepped_free(&r);
}
END_TEST

START_TEST(variables_have_their_values)
{
    struct stepped r = stepped("turned", 64, 1, 1, 1, TURNED);
    struct step_picture p;
    picture_make(&r.s, stop_at(&r, 5, 0), 0, &p);
    ck_assert_str_eq(value_of(&p, "i"), "-");
    picture_free(&p);
    picture_make(&r.s, stop_at(&r, 6, 0), 0, &p);
    ck_assert_str_eq(value_of(&p, "i"), "32, 33, ... 63 (32 + lane)");
    picture_free(&p);
    picture_make(&r.s, stop_at(&r, 9, 0), 0, &p);
    ck_assert_str_eq(value_of(&p, "other"),
        "31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, "
        "13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0");
    picture_free(&p);
    stepped_free(&r);
}
END_TEST

START_TEST(accesses_have_addresses_and_costs)
{
    struct stepped r = stepped("turned", 64, 1, 1, 1, TURNED);
    struct step_picture p;
    picture_make(&r.s, stop_at(&r, 6, 0), 0, &p);
    ck_assert_int_eq(p.access_count, 2);
    ck_assert(!p.access[0].write && !p.access[0].shared && p.access[1].write && p.access[1].shared);
    for (int l = 0; l < 32; l++) {
        ck_assert_uint_eq(p.access[0].addr[l], 4u * (32u + (unsigned)l));
        ck_assert_uint_eq(p.access[1].addr[l], 4u * (32u + (unsigned)l));
    }
    ck_assert_uint_eq(p.access[0].cost, 4);
    ck_assert_uint_eq(p.access[1].cost, 1);
    ck_assert_str_eq(p.access[1].what, "tile");
    picture_free(&p);
    stepped_free(&r);
}
END_TEST

START_TEST(lanes_that_part_wait)
{
    struct stepped r = stepped("odd", 32, 1, 0, 1, WITH("buf:i32:32:none"));
    struct step_picture p;
    picture_make(&r.s, stop_at(&r, 16, 0), 0, &p);
    ck_assert_str_eq(p.lanes, ".#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#");
    ck_assert_str_eq(value_of(&p, "n"), "[100, 0] again x16"); /* the other lanes ran first */
    picture_free(&p);
    picture_make(&r.s, stop_at(&r, 18, 0), 0, &p);
    ck_assert_str_eq(p.lanes, "#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.");
    ck_assert_str_eq(value_of(&p, "n"), "0");
    picture_free(&p);
    picture_make(&r.s, stop_at(&r, 20, 0), 0, &p);
    ck_assert_str_eq(value_of(&p, "i"), "0, 1, ... 31 (lane)");
    ck_assert_str_eq(p.lanes, "################################");
    picture_free(&p);
    stepped_free(&r);
}
END_TEST

START_TEST(conflicts_barriers_and_ends_are_found)
{
    struct stepped r = stepped("column", 32, 32, 5, 1, WITH("buf:f32:1024:none"));
    struct step_picture p;
    size_t at = recording_find(r.s.recording, 0, WISH_WASTE);
    picture_make(&r.s, at, 0, &p);
    ck_assert_int_eq(p.line, 27);
    ck_assert_uint_eq(p.access[0].cost, 32);
    ck_assert_uint_eq(p.access[0].extra, 31);
    picture_free(&p);
    size_t barrier = recording_find(r.s.recording, at, WISH_BARRIER);
    picture_make(&r.s, barrier, 0, &p);
    ck_assert_int_eq(p.line, 28);
    ck_assert_str_eq(p.lanes, "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB");
    picture_free(&p);
    picture_make(&r.s, recording_find(r.s.recording, barrier, WISH_WASTE), 0, &p);
    ck_assert_int_eq(p.line, 29);
    ck_assert_uint_eq(p.access[1].cost, 32);
    ck_assert_uint_eq(p.access[1].extra, 28);
    picture_free(&p);
    ck_assert_uint_eq(recording_find(r.s.recording, 0, WISH_FAULT), SIZE_MAX);
    stepped_free(&r);
}
END_TEST

/* All warps fill the tile; behind the barrier the recorded warp sees all of it. */
START_TEST(shared_memory_is_that_of_all_warps)
{
    struct stepped r = stepped("column", 32, 32, 5, 1, WITH("buf:f32:1024:none"));
    const struct step_state *st =
        recording_state(r.s.recording, recording_stop(r.s.recording, stop_at(&r, 29, 0)));
    ck_assert_uint_eq(st->shared_bytes, 4096);
    for (int x = 0; x < 32; x++)
        for (int y = 0; y < 32; y++) {
            float v;
            memcpy(&v, st->shared + 4 * (32 * x + y), 4);
            ck_assert(st->shared_known[4 * (32 * x + y)] && v == 32.0f * (float)y + (float)x);
        }
    st = recording_state(r.s.recording, 0);
    ck_assert(!memchr(st->shared_known + 4 * 5, 1, 4));
    stepped_free(&r);
}
END_TEST

START_TEST(structures_and_called_functions_have_variables)
{
    struct stepped r = stepped(
        "parts", 32, 1, 0, 1, WITH("struct:{f32:1.5,f32:2.5,i32:7,i32:8}", "buf:i32:32:none"));
    struct step_picture p;
    picture_make(&r.s, stop_at(&r, 39, 0), 0, &p);
    ck_assert_str_eq(value_of(&p, "value"), "1, 2, ... 32 (1 + lane)");
    ck_assert_str_eq(value_of(&p, "doubled"), "2, 4, ... 64 (2 + 2 lane)");
    picture_free(&p);
    picture_make(&r.s, stop_at(&r, 45, 0), 0, &p);
    ck_assert_str_eq(value_of(&p, "mine.x"), "1.5");
    ck_assert_str_eq(value_of(&p, "mine.tag[0]"), "7");
    ck_assert_str_eq(value_of(&p, "mine.tag[1]"), "2, 4, ... 64 (2 + 2 lane)");
    picture_free(&p);
    stepped_free(&r);
}
END_TEST

START_TEST(a_fault_is_the_last_stop)
{
    struct stepped r = stepped("outside", 32, 1, 0, 1, WITH("buf:f32:32", "buf:f32:32:none"));
    ck_assert(r.bad);
    HAS(recording_fault(r.s.recording),
        "step.cu:58: block (0,0) thread (31,0) reads argument 1[32]");
    size_t last = recording_stops(r.s.recording) - 1;
    ck_assert_uint_eq(recording_find(r.s.recording, 0, WISH_FAULT), last);
    ck_assert_int_eq(recording_at(r.s.recording, recording_count(r.s.recording) - 1)->fault, 31);
    stepped_free(&r);
    r = stepped("raced", 64, 1, 0, 1, TURNED);
    HAS(recording_fault(r.s.recording), "a race");
    ck_assert_int_eq(recording_fault_warp(r.s.recording), 0);
    /* the block runs twice to find the race, and is recorded once */
    ck_assert_uint_eq(recording_stops(r.s.recording), 3);
    stepped_free(&r);
}
END_TEST

static void text_at(struct stepped *r, size_t stop, struct buf *out)
{
    struct step_picture p;
    picture_make(&r->s, stop, 0, &p);
    step_text(&r->s, stop, out);
    step_screen(&r->s, stop, STEP_TILE, 24, 80, 0, out);
    buf_printf(out, "%llu %llu", (unsigned long long)p.so_far.instructions,
        (unsigned long long)p.so_far.wavefronts);
    picture_free(&p);
}

static void back_is_forth(const char *kernel, unsigned x, unsigned y, const char *const *words)
{
    struct stepped r = stepped(kernel, x, y, 0, 1, words);
    size_t stops = recording_stops(r.s.recording);
    struct buf *forth = xcalloc(stops, sizeof *forth), back = {0};
    struct rng rng;
    for (size_t k = 0; k < stops; k++) text_at(&r, k, &forth[k]);
    rng_seed(&rng, 1);
    for (size_t k = 0; k < 2 * stops; k++) {
        size_t at = k < stops ? stops - 1 - k : rng_below(&rng, (uint32_t)stops);
        text_at(&r, at, &back);
        ck_assert_str_eq(back.data, forth[at].data);
        buf_free(&back);
    }
    for (size_t k = 0; k < stops; k++) buf_free(&forth[k]);
    free(forth);
    stepped_free(&r);
}

START_TEST(back_shows_what_forth_showed)
{
    back_is_forth("turned", 64, 1, TURNED);
    back_is_forth("odd", 32, 1, WITH("buf:i32:32:none"));
    back_is_forth("column", 32, 32, WITH("buf:f32:1024:none"));
    /* long enough for more than one checkpoint */
    back_is_forth("longer", 32, 1, WITH("buf:i32:32:none", "i32:700"));
}
END_TEST

START_TEST(a_step_back_is_quick_after_100000)
{
    struct stepped r = stepped("longer", 32, 1, 0, 1, WITH("buf:i32:32:none", "i32:50000"));
    struct step_picture p;
    size_t last = recording_stops(r.s.recording) - 1;
    ck_assert_uint_gt(last, 100000);
    picture_make(&r.s, last, 0, &p);
    picture_free(&p);
    clock_t start = clock(); /* processor time */
    picture_make(&r.s, last - 1, 0, &p);
    ck_assert_str_eq(value_of(&p, "sum"), "1249975000");
    ck_assert_double_lt((double)(clock() - start) / CLOCKS_PER_SEC, 0.2);
    picture_free(&p);
    stepped_free(&r);
}
END_TEST

START_TEST(counters_are_those_of_the_launch)
{
    struct step_counters sum = {0};
    struct measurement m;
    struct arguments a;
    for (int warp = 0; warp < 2; warp++) {
        struct stepped r = stepped("turned", 64, 1, warp, 0, TURNED);
        ck_assert_msg(!r.bad, "%s", r.e.text);
        const struct step_counters *c = &recording_state(r.s.recording, SIZE_MAX)->so_far;
        sum.instructions += c->instructions;
        sum.global += c->global;
        sum.sectors += c->sectors;
        sum.wavefronts += c->wavefronts;
        sum.conflicts += c->conflicts;
        if (warp) {
            struct kernel *k = module_kernel(r.module, "turned");
            struct launch_shape shape = {{1, 1, 1}, {64, 1, 1}};
            ck_assert(!arguments_place(&a, r.device, k, "turned", "x", TURNED, 2, &r.e));
            const void *args[] = {a.value[0], a.value[1]};
            ck_assert_msg(!device_launch(r.device, k, &shape, args, &m, &r.e), "%s", r.e.text);
            arguments_free(&a);
        }
        stepped_free(&r);
    }
    const double *v = m.metrics.v;
    ck_assert_double_eq((double)sum.instructions, v[METRIC_INST]);
    ck_assert_double_eq((double)sum.global, v[METRIC_GLD_REQUESTS] + v[METRIC_GST_REQUESTS]);
    ck_assert_double_eq((double)sum.sectors, v[METRIC_GLD_SECTORS] + v[METRIC_GST_SECTORS]);
    ck_assert_double_eq(
        (double)sum.wavefronts, v[METRIC_SLD_WAVEFRONTS] + v[METRIC_SST_WAVEFRONTS]);
    ck_assert_double_eq((double)sum.conflicts, v[METRIC_SLD_CONFLICTS] + v[METRIC_SST_CONFLICTS]);
    measurement_free(&m);
}
END_TEST

START_TEST(a_watched_block_writes_what_it_writes_unwatched)
{
    struct stepped r = {.s = {.debug = 0}};
    char *path = kit_path(&kit, "tests/profile/step.cu");
    int out[2][32];
    r.compiled = compiled_as(path, 0);
    r.module = open_and_load("sim:h200", &r.compiled, &r.device);
    for (int watched = 0; watched < 2; watched++) {
        dev_ptr p;
        const struct launch_shape shape = {{1, 1, 1}, {32, 1, 1}};
        ck_assert(!device_alloc(r.device, sizeof out[0], "out", 4, &p, &r.e));
        struct recording *rec = watched ? recording_start(r.device, 0, 0, 1 << 20, 0) : NULL;
        ck_assert(!device_launch(
            r.device, module_kernel(r.module, "odd"), &shape, (const void *[]){&p}, NULL, &r.e));
        if (rec) recording_end(rec, NULL, r.compiled.ptx);
        recording_free(rec);
        ck_assert(!device_copy_out(r.device, out[watched], p, sizeof out[0], &r.e));
    }
    ck_assert_mem_eq(out[0], out[1], sizeof out[0]);
    free(path);
    stepped_free(&r);
}
END_TEST

/* Addresses of shared memory have 32 bits, whatever the upper half of the register holds. An access
 * to another block's shared memory is recorded without an access. */
START_TEST(shared_addresses_stay_within_the_block)
{
    static const struct {
        const char *file, *kernel;
        unsigned grid, cluster;
        size_t bytes;
        int kind, accesses; /* to shared memory, of that kind */
    } runs[] = {{"atomics.cu", "below", 1, 1, 8, WATCH_ATOMIC, 1},
        {"clusters.cu", "next", 8, 4, 1024, WATCH_READ, 0},
        {"clusters.cu", "next", 8, 4, 1024, WATCH_WRITE, 1}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct compiled c = compile_test_kernel(0, runs[i].file);
        struct device *d;
        struct module *m = open_and_load("sim:h200", &c, &d);
        struct err e;
        const struct launch_shape shape = {
            .grid = {runs[i].grid, 1, 1}, .block = {32, 1, 1}, .cluster = {runs[i].cluster, 1, 1}};
        const int first[2] = {0, 1};
        dev_ptr out;
        int found = 0;
        ck_assert(!device_alloc(d, runs[i].bytes, "out", 4, &out, &e));
        ck_assert(!device_copy_in(d, out, first, sizeof first, &e));
        struct recording *rec = recording_start(d, 0, 0, 1 << 20, 0);
        ck_assert_msg(!device_launch(d, module_kernel(m, runs[i].kernel), &shape,
                          (const void *[]){&out}, NULL, &e),
            "%s", e.text);
        recording_end(rec, NULL, c.ptx);
        for (size_t k = 0; k < recording_count(rec); k++) {
            const struct instant *at = recording_at(rec, k);
            uint64_t addr[WARP_SIZE];
            if (at->space != WATCH_SHARED || at->access != runs[i].kind) continue;
            record_addresses(rec, at, addr);
            for (int l = 0; l < WARP_SIZE; l++) ck_assert(!(at->mask >> l & 1) || addr[l] < 128);
            found++;
        }
        ck_assert_int_eq(found, runs[i].accesses);
        recording_free(rec);
        device_unload(d, m);
        device_close(d);
        compiled_free(&c);
    }
}
END_TEST

/* ---- values in words ---- */

static int same_16(int l) { return (void)l, 16; }
static int lane(int l) { return l; }
static int affine(int l) { return 64 + 4 * l; }
static int falling(int l) { return 63 - l; }
static int column_of_8(int l) { return l % 8; }
static int row_of_8(int l) { return l / 8; }
static int halves(int l) { return l / 16; }
static int squares(int l) { return l * l; }
static int minus(int l) { return l - 3; }
static int truth(int l) { return l < 4; }

static const struct folds {
    enum step_kind kind;
    int (*of)(int lane);
    uint32_t known;
    const char *text;
} folds[] = {
    {KIND_SIGNED, same_16, ~0u, "16"},
    {KIND_SIGNED, lane, ~0u, "0, 1, ... 31 (lane)"},
    {KIND_SIGNED, affine, ~0u, "64, 68, ... 188 (64 + 4 lane)"},
    {KIND_SIGNED, falling, ~0u, "63, 62, ... 32 (63 - lane)"},
    {KIND_SIGNED, column_of_8, ~0u, "[0, 1, ... 7] again x4"},
    {KIND_SIGNED, row_of_8, ~0u, "[0, 1, ... 3] each x8"},
    {KIND_SIGNED, halves, ~0u, "0 x16, 1 x16"},
    {KIND_SIGNED, squares, 0xf, "0, 1, 4, 9 (4 lanes)"},
    {KIND_SIGNED, minus, 0xf, "-3, -2, ... 0 (-3 + lane) (4 lanes)"},
    {KIND_SIGNED, lane, 0xaaaaaaaa, "1, 3, ... 31 (16 lanes)"},
    {KIND_SIGNED, lane, 0, "-"},
    {KIND_BOOL, truth, ~0u, "true x4, false x28"},
    {KIND_POINTER, same_16, 1, "0x10"},
};

START_TEST(values_are_folded)
{
    uint64_t v[32];
    char text[160];
    for (int l = 0; l < 32; l++) v[l] = (uint64_t)folds[_i].of(l);
    step_fold(folds[_i].kind, 4, v, folds[_i].known, text, sizeof text);
    ck_assert_str_eq(text, folds[_i].text);
    /* the text is cut to the buffer's size */
    step_fold(folds[_i].kind, 4, v, folds[_i].known, text, 12);
    ck_assert_uint_lt(strlen(text), 12);
}
END_TEST

/* ---- kernels as people write them ---- */

/* Splits a run, also in further lines ("//      "), into words. Returns the text that follows. */
static char *words_of(char *line, char **words, int *count)
{
    *count = 0;
    for (char *next; line; line = next) {
        if ((next = strchr(line, '\n'))) *next++ = 0;
        for (char *word, *rest = line; (word = strsep(&rest, " "));)
            if (*word && *count < ARGS_MAX) words[(*count)++] = word;
        if (!next || strncmp(next, "//      ", 8)) return next;
        next += 8;
    }
    return NULL;
}

static void step_file(const char *path, int debug)
{
    static const char mark[] = "// run: ";
    struct compiled c = compiled_as(path, debug);
    char *text = xstrdup(c.source), *words[ARGS_MAX];
    int count;
    for (char *at = text; at && !strncmp(at, mark, sizeof mark - 1);) {
        struct stepped r = {.compiled = c, .s = {.debug = debug}};
        unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
        size_t shared = 0;
        struct buf out = {0};
        int first = 3;
        at = words_of(at + sizeof mark - 1, words, &count);
        sscanf(words[1], "%u,%u,%u", &grid[0], &grid[1], &grid[2]);
        sscanf(words[2], "%u,%u,%u", &block[0], &block[1], &block[2]);
        if (count > 3 && !strncmp(words[3], "shared=", 7))
            shared = strtoul(words[first++] + 7, NULL, 10);
        r.module = open_and_load("sim:h200", &c, &r.device);
        record_words(&r, words[0], grid, block, shared, 0, (const char *const *)words + first,
            count - first);
        ck_assert_msg(!r.bad, "%s %s: %s", path, words[0], r.e.text);
        size_t stops = recording_stops(r.s.recording);
        ck_assert_msg(stops > 0, "%s %s: no stop", path, words[0]);
        for (size_t k = 0; k < stops && k < 200; k++) {
            step_screen(&r.s, k, k % 2 ? STEP_TILE : 0, 24, 80, 0, &out);
            step_text(&r.s, k, &out);
        }
        int lines = 0;
        for (size_t k = 0; k < out.len; k++) lines += out.data[k] == '\n';
        ck_assert_int_ge(lines, 24 * (int)(stops < 200 ? stops : 200));
        buf_free(&out);
        recording_free(r.s.recording);
        step_names_free(&r.s.names);
        device_unload(r.device, r.module);
        device_close(r.device);
    }
    free(text);
    compiled_free(&c);
}

START_TEST(every_stranger_can_be_stepped)
{
    glob_t found;
    char *pattern = kit_path(&kit, "tests/strangers/*.cu");
    ck_assert(!glob(pattern, 0, NULL, &found) && found.gl_pathc > 30);
    /* every second file, and these compiled for debugging if _i is 1 */
    size_t by = getenv("LOCKSTEP_SANITIZED") ? 8 : 2;
    for (size_t i = (size_t)_i; i < found.gl_pathc; i += by) step_file(found.gl_pathv[i], _i);
    globfree(&found);
    free(pattern);
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("step");
    TCase *t = tcase_create("step");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, each_line_is_a_stop);
    tcase_add_test(t, variables_have_their_values);
    tcase_add_test(t, accesses_have_addresses_and_costs);
    tcase_add_test(t, lanes_that_part_wait);
    tcase_add_test(t, conflicts_barriers_and_ends_are_found);
    tcase_add_test(t, shared_memory_is_that_of_all_warps);
    tcase_add_test(t, structures_and_called_functions_have_variables);
    tcase_add_test(t, a_fault_is_the_last_stop);
    tcase_add_test(t, back_shows_what_forth_showed);
    tcase_add_test(t, a_step_back_is_quick_after_100000);
    tcase_add_test(t, counters_are_those_of_the_launch);
    tcase_add_test(t, a_watched_block_writes_what_it_writes_unwatched);
    tcase_add_test(t, shared_addresses_stay_within_the_block);
    tcase_add_loop_test(t, values_are_folded, 0, sizeof folds / sizeof *folds);
    tcase_add_loop_test(t, every_stranger_can_be_stepped, 0, 2);
    suite_add_tcase(suite, t);
    int failed = suite_run(suite);
    fronts_close();
    return failed;
}
