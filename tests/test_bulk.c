/* test_bulk.c - boxes of arrays that the copy engine moves: edges, ranks, swizzles; maps that
 * are refused.
 *
 *     array --map--> box in shared memory --> words        compared with loops over the elements
 *     words --> shared memory --map--> array
 *
 * tests/kernels/bulk.cu has copies of neighbouring bytes, and what the checks find. */
#include "hardware/bulk_kernel.h"
#include "device/device.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct device *device;
static struct err e;

static void open_device(void)
{
    ck_assert_msg(!device_open("sim:h200", &device, &e), "%s", e.text);
}

static void close_device(void) { device_close(device); }

static dev_ptr placed(const char *name, const void *data, size_t bytes)
{
    dev_ptr p;
    ck_assert(!device_alloc(device, bytes, name, 4, &p, &e) &&
              !device_copy_in(device, p, data, bytes, &e));
    return p;
}

/* Run one of the kernels with a map's bytes. Returns device_launch's result. */
static int run(int store, int rank, const unsigned char *map, dev_ptr words, const int *at,
    unsigned count, unsigned room)
{
    char *ptx = bulk_kernel(store, rank);
    struct module *m;
    ck_assert_msg(!device_load(device, ptx, "bulk", "bulk.cu", &m, &e), "%s", e.text);
    dev_ptr there = placed("map", map, MODEL_TENSOR_MAP_BYTES);
    const unsigned shift = 0;
    const void *args[] = {&there, &words, &at[0], &at[1], &at[2], &count, &room, &shift};
    struct launch_shape one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    int bad =
        device_launch(device, module_kernel(m, store ? "store" : "load"), &one, args, NULL, &e);
    device_unload(device, m);
    free(ptx);
    return bad;
}

/* ---- boxes ---- */

/* Boxes of a 40 x 24 x 6 array of floats: rank, size of the box, swizzle in bytes, its start. */
enum { WIDE = 40, HIGH = 24, DEEP = 6 };
static const struct box {
    int rank, box[3], swizzle, at[3];
} boxes[] = {
    {1, {16, 1, 1}, 0, {4, 0, 0}},
    {1, {32, 1, 1}, 0, {20, 0, 0}}, /* the box reaches beyond the array's end */
    {2, {8, 4, 1}, 0, {4, 2, 0}},
    {2, {32, 24, 1}, 128, {0, 0, 0}}, /* whole columns */
    {2, {32, 16, 1}, 128, {16, 12, 0}},
    {2, {32, 8, 1}, 128, {-8, -3, 0}},
    {2, {16, 16, 1}, 64, {8, 1, 0}},
    {2, {8, 32, 1}, 32, {36, -4, 0}},
    {2, {4, 4, 1}, 0, {40, 0, 0}},
    {2, {12, 9, 1}, 128, {4, 3, 0}}, /* rows shorter than the swizzle */
    {2, {8, 20, 1}, 64, {32, 2, 0}},
    {3, {8, 6, 4}, 0, {0, 2, 3}},
    {3, {32, 5, 3}, 128, {12, 20, -1}},
    {3, {16, 4, 8}, 64, {28, -2, 2}},
};
enum { BOXES = sizeof boxes / sizeof *boxes };

/* Words from a row of the box to the next in shared memory. */
static unsigned pitch(const struct box *b)
{
    return (unsigned)(b->swizzle ? b->swizzle / 4 : b->box[0]);
}
static unsigned room(const struct box *b) { return pitch(b) * (unsigned)(b->box[1] * b->box[2]); }

/* Index in shared memory of word i of a box: rows lie one after the other, their 16-byte pieces
 * permuted by the swizzle. */
static unsigned word_at(const struct box *b, unsigned i)
{
    unsigned wide = (unsigned)b->box[0], at = i / wide * pitch(b) + i % wide, piece = at / 4,
             row_of_128 = at / 32;
    unsigned among = b->swizzle == 128 ? 8 : b->swizzle == 64 ? 4 : b->swizzle == 32 ? 2 : 1;
    return (piece ^ row_of_128 % among) * 4 + at % 4;
}

/* The index in the array of word i of a box; -1 if it lies outside. */
static int element_of(const struct box *b, unsigned i)
{
    int x = b->at[0] + (int)i % b->box[0], y = b->at[1] + (int)i / b->box[0] % b->box[1],
        z = b->at[2] + (int)i / b->box[0] / b->box[1];
    if (x < 0 || x >= WIDE || y < 0 || y >= (b->rank > 1 ? HIGH : 1) || z < 0 ||
        z >= (b->rank > 2 ? DEEP : 1))
        return -1;
    return (z * HIGH + y) * WIDE + x;
}

static unsigned words_of(const struct box *b)
{
    return (unsigned)(b->box[0] * b->box[1] * b->box[2]);
}

static void map_of(const struct box *b, dev_ptr array, unsigned char out[MODEL_TENSOR_MAP_BYTES])
{
    struct model_tensor_map map = {.data = array,
        .size = {WIDE, HIGH, DEEP},
        .stride = {4, 4 * WIDE, 4 * WIDE * HIGH},
        .box = {b->box[0], b->box[1], b->box[2]},
        .rank = b->rank,
        .element = 4,
        .swizzle = b->swizzle};
    ck_assert_msg(!device_tensor_map(device, &map, out, &e), "%s", e.text);
}

START_TEST(a_box_comes_with_zeros_outside)
{
    const struct box *b = &boxes[_i];
    static float array[DEEP * HIGH * WIDE], got[8192], none[8192];
    unsigned char map[MODEL_TENSOR_MAP_BYTES];
    unsigned count = words_of(b);
    for (int i = 0; i < DEEP * HIGH * WIDE; i++) array[i] = (float)(i + 1);
    memset(none, 0xff, sizeof none);
    dev_ptr p = placed("array", array, sizeof array), out = placed("out", none, sizeof none);
    map_of(b, p, map);
    ck_assert_msg(!run(0, b->rank, map, out, b->at, count, room(b)), "%s", e.text);
    ck_assert(!device_copy_out(device, got, out, sizeof got, &e));
    for (unsigned i = 0; i < count; i++) {
        int from = element_of(b, i);
        float want = from < 0 ? 0 : array[from];
        ck_assert_msg(
            got[word_at(b, i)] == want, "word %u: %g, not %g", i, got[word_at(b, i)], want);
    }
}
END_TEST

START_TEST(a_box_is_stored_inside_alone)
{
    const struct box *b = &boxes[_i];
    static float array[DEEP * HIGH * WIDE], got[DEEP * HIGH * WIDE], words[8192];
    unsigned char map[MODEL_TENSOR_MAP_BYTES];
    unsigned count = words_of(b);
    for (int i = 0; i < DEEP * HIGH * WIDE; i++) array[i] = (float)-i;
    for (unsigned i = 0; i < count; i++) words[word_at(b, i)] = (float)(i + 1);
    dev_ptr p = placed("array", array, sizeof array), in = placed("in", words, sizeof words);
    map_of(b, p, map);
    /* only a load may begin before the array */
    if (b->at[0] < 0 || b->at[1] < 0 || b->at[2] < 0) {
        ck_assert(run(1, b->rank, map, in, b->at, count, room(b)));
        ck_assert_msg(strstr(e.text, "before the array"), "%s", e.text);
        return;
    }
    ck_assert_msg(!run(1, b->rank, map, in, b->at, count, room(b)), "%s", e.text);
    for (unsigned i = 0; i < count; i++)
        if (element_of(b, i) >= 0) array[element_of(b, i)] = (float)(i + 1);
    ck_assert(!device_copy_out(device, got, p, sizeof got, &e));
    for (int i = 0; i < DEEP * HIGH * WIDE; i++)
        ck_assert_msg(got[i] == array[i], "element %d: %g, not %g", i, got[i], array[i]);
}
END_TEST

/* Floats and what an H200 loads of them by a map of type TFLOAT32. */
START_TEST(floats_are_rounded_to_tf32)
{
    static const uint32_t pairs[][2] = {{0x3f800000, 0x3f800000}, {0x3f800fff, 0x3f800000},
        {0x3f801000, 0x3f800000}, {0x3f801001, 0x3f802000}, {0x3f803000, 0x3f804000},
        {0xbf801000, 0xbf800000}, {0xbf803000, 0xbf804000}, {0xbf801001, 0xbf802000},
        {0x7f7fefff, 0x7f7fe000}, {0x7f7ff000, 0x7f800000}, {0x7f800000, 0x7f800000},
        {0xff800000, 0xff800000}, {0x7f800001, 0x7fffe000}, {0xffffffff, 0x7fffe000},
        {0x00001000, 0x00000000}, {0x00001001, 0x00002000}, {0x007fffff, 0x00800000},
        {0x80000001, 0x80000000}};
    enum { PAIRS = sizeof pairs / sizeof *pairs, WORDS = 32 };
    uint32_t array[WORDS] = {0}, got[WORDS];
    unsigned char bytes[MODEL_TENSOR_MAP_BYTES];
    for (int i = 0; i < PAIRS; i++) array[i] = pairs[i][0];
    dev_ptr p = placed("array", array, sizeof array), out = placed("out", array, sizeof array);
    struct model_tensor_map map = {
        .data = p, .size = {WORDS}, .box = {WORDS}, .rank = 1, .element = 4, .tf32 = 1};
    ck_assert(!device_tensor_map(device, &map, bytes, &e));
    ck_assert_msg(!run(0, 1, bytes, out, (int[3]){0}, WORDS, WORDS), "%s", e.text);
    ck_assert(!device_copy_out(device, got, out, sizeof got, &e));
    for (int i = 0; i < PAIRS; i++)
        ck_assert_msg(
            got[i] == pairs[i][1], "%08x: %08x, not %08x", pairs[i][0], got[i], pairs[i][1]);
    ck_assert(!device_copy_out(device, got, p, sizeof got, &e)); /* the array stays as it is */
    ck_assert(!memcmp(got, array, sizeof got));
}
END_TEST

/* ---- what is refused ---- */

START_TEST(a_map_that_cannot_be_is_refused)
{
    static const struct {
        struct model_tensor_map map;
        const char *says;
    } rows[] = {
        {{.data = 8, .size = {8, 8}, .stride = {4, 32}, .box = {4, 4}, .rank = 2, .element = 4},
            "begin"},
        {{.size = {9, 8}, .stride = {4, 36}, .box = {4, 4}, .rank = 2, .element = 4},
            "a row of the array"},
        {{.size = {8, 8}, .stride = {4, 32}, .box = {3, 4}, .rank = 2, .element = 4},
            "a row of the box"},
        {{.size = {64, 8},
             .stride = {4, 256},
             .box = {64, 4},
             .rank = 2,
             .element = 4,
             .swizzle = 128},
            "fit"},
        {{.size = {8, 8}, .stride = {4, 32}, .box = {4, 257}, .rank = 2, .element = 4}, "1 to 256"},
        {{.size = {8, 8}, .stride = {4, 32}, .box = {4, 4}, .rank = 2, .element = 4, .swizzle = 16},
            "swizzle"},
        {{.size = {8}, .box = {4}, .rank = 0, .element = 4}, "dimensions"},
        {{.size = {8, 8}, .stride = {2, 16}, .box = {8, 4}, .rank = 2, .element = 2, .tf32 = 1},
            "only floats"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char out[MODEL_TENSOR_MAP_BYTES];
        struct err why = {0};
        ck_assert(device_tensor_map(device, &rows[i].map, out, &why));
        ck_assert_int_eq(why.kind, ERR_LEARNER);
        ck_assert_msg(strstr(why.text, rows[i].says), "%s", why.text);
    }
}
END_TEST

START_TEST(a_copy_by_what_is_no_map_is_a_fault)
{
    static float words[64];
    unsigned char zeros[MODEL_TENSOR_MAP_BYTES] = {0}, map[MODEL_TENSOR_MAP_BYTES];
    dev_ptr out = placed("out", words, sizeof words), p = placed("array", words, sizeof words);
    const int at[3] = {0};
    ck_assert(run(0, 2, zeros, out, at, 16, 16));
    ck_assert_msg(strstr(e.text, "a tensor map that there is not"), "%s", e.text);
    struct model_tensor_map line = {.data = p, .size = {64}, .box = {16}, .rank = 1, .element = 4};
    ck_assert(!device_tensor_map(device, &line, map, &e));
    ck_assert(run(0, 2, map, out, at, 16, 16));
    ck_assert_msg(
        strstr(e.text, "gives 2 coordinates; the tensor map has 1 dimension"), "%s", e.text);
    const int odd[3] = {3};
    ck_assert(run(0, 1, map, out, odd, 16, 16));
    ck_assert_msg(
        strstr(e.text, "from column 3 on; the engine needs a multiple of 4"), "%s", e.text);
}
END_TEST

START_TEST(an_older_gpu_has_no_copy_engine)
{
    static float words[64];
    unsigned char zeros[MODEL_TENSOR_MAP_BYTES] = {0};
    const int at[3] = {0};
    close_device();
    ck_assert(!device_open("sim:a100", &device, &e));
    ck_assert(run(0, 1, zeros, placed("out", words, sizeof words), at, 16, 16));
    ck_assert_msg(strstr(e.text, "the copy engine (bulk copies, TMA)") && strstr(e.text, "9.0"),
        "%s", e.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bulk");
    TCase *c = tcase_create("boxes");
    tcase_add_checked_fixture(c, open_device, close_device);
    tcase_add_loop_test(c, a_box_comes_with_zeros_outside, 0, BOXES);
    tcase_add_loop_test(c, a_box_is_stored_inside_alone, 0, BOXES);
    tcase_add_test(c, floats_are_rounded_to_tf32);
    tcase_add_test(c, a_map_that_cannot_be_is_refused);
    tcase_add_test(c, a_copy_by_what_is_no_map_is_a_fault);
    tcase_add_test(c, an_older_gpu_has_no_copy_engine);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
