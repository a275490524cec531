/* test_dram.c - what DRAM makes of the order of a launch's accesses: rows that are opened for little
 * (rows.c), partitions that are busy unevenly (partitions.c). The GPU is invented: 2
 * multiprocessors that hold one block each.
 *
 *     2 channels of 256-byte pieces, rows of 1024 bytes: 2048 bytes of addresses are two rows. Opening
 *     one costs 512 bytes. A queue of 2 requests a channel: 4 requests are served together.
 *     4 partitions of 256 bytes. */
#include "sim/memory/parts.h"
#include "sim/memory/waves.h"
#include "model/profiles.h"
#include "suite.h"

#include <string.h>

enum { SMS = 2, WARPS = 4, LINE = 128 };

static struct model_profile gpu;
static struct ptx_program program;
static struct sim_kernel kernel;

static struct launch launch_of(uint64_t blocks)
{
    gpu = *model_profile_find("gtx280");
    gpu.sms = SMS;
    gpu.max_blocks = 1;
    gpu.dram_channels = 2, gpu.dram_queue = 2, gpu.dram_row_bytes = 1024, gpu.dram_open_bytes = 512;
    gpu.dram_partitions = 4, gpu.partition_bytes = 256;
    program.registers = 8;
    kernel.program = &program;
    return (struct launch){.kernel = &kernel,
        .profile = &gpu,
        .block_threads = WARPS * 32,
        .block_warps = WARPS,
        .blocks = blocks,
        .sms = SMS,
        .picked = SMS,
        .record = 1};
}

/* An access of a whole warp to the line at an address, simulated by the host thread `worker`. */
struct access {
    int worker, block, warp;
    unsigned at;
};
enum { MOST = 8 };

static const struct rows_case {
    const char *what;
    double ratio;
    int count;
    struct access of[MOST];
} rows_cases[] = {
    {"no access", 1, 0, {{0}}},
    {"all of a row's part: 512 bytes for one opening", 1, 4,
        {{0, 0, 0, 0}, {0, 0, 1, 128}, {0, 0, 2, 512}, {0, 0, 3, 640}}},
    {"a line of four rows each", 4, 4,
        {{0, 0, 0, 0}, {0, 0, 1, 256}, {0, 0, 2, 2048}, {0, 0, 3, 2304}}},
    {"three lines of a row and one of the next", 2, 4,
        {{0, 0, 0, 1536}, {0, 0, 1, 1664}, {0, 0, 2, 2048}, {0, 0, 3, 1024}}},
    {"a line again costs nothing", 4, 4,
        {{0, 0, 0, 0}, {0, 0, 1, 2048}, {0, 0, 2, 0}, {0, 0, 3, 2048}}},
    /* the first accesses of all warps are served before their second ones */
    {"two rows, one after the other", 1, 8,
        {{0, 0, 0, 0}, {0, 0, 0, 2048}, {0, 0, 1, 128}, {0, 0, 1, 2176}, {0, 0, 2, 512},
            {0, 0, 2, 2560}, {0, 0, 3, 640}, {0, 0, 3, 2688}}},
    {"two rows at a time", 2, 8,
        {{0, 0, 0, 0}, {0, 0, 0, 512}, {0, 0, 1, 2048}, {0, 0, 1, 2560}, {0, 0, 2, 128},
            {0, 0, 2, 640}, {0, 0, 3, 2176}, {0, 0, 3, 2688}}},
    {"the same of two blocks that are resident together, by two workers", 2, 8,
        {{0, 0, 0, 0}, {0, 0, 0, 512}, {1, 1, 0, 2048}, {1, 1, 0, 2560}, {0, 0, 2, 128},
            {0, 0, 2, 640}, {1, 1, 2, 2176}, {1, 1, 2, 2688}}},
    {"one block after the other: each has a wave of its own", 1, 8,
        {{0, 0, 0, 0}, {0, 0, 1, 128}, {0, 0, 2, 512}, {0, 0, 3, 640}, {1, 2, 0, 2048},
            {1, 2, 1, 2176}, {1, 2, 2, 2560}, {1, 2, 3, 2688}}},
    {"a line that two workers access counts at the earlier turn", 2.4, 6,
        {{0, 0, 0, 4096}, {0, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 128}, {1, 1, 2, 512},
            {1, 1, 3, 640}}},
    {"a wave that is not examined", 1, 2, {{0, 2, 0, 0}, {0, 3, 0, 2048}}},
};

START_TEST(rows_are_opened_for_what_is_together)
{
    const struct rows_case *c = &rows_cases[_i];
    uint32_t off[32];
    for (int i = 0; i < 32; i++) off[i] = 4u * (unsigned)i;
    /* the last case has 17 waves, of which every third is examined */
    int skips = strstr(c->what, "not examined") != NULL;
    struct launch l = launch_of(skips ? 34 : 16);
    struct rows *all[2] = {rows_new(&l), rows_new(&l)};
    for (int i = 0; i < c->count; i++)
        rows_access(
            all[c->of[i].worker], (uint64_t)c->of[i].block, c->of[i].warp, c->of[i].at, off, ~0u);
    double is = rows_ratio(all, 2);
    ck_assert_msg(is == c->ratio, "%s: %g, not %g", c->what, is, c->ratio);
    rows_free(all[0]), rows_free(all[1]);
}
END_TEST

/* An access whose lanes lie in different rows; inactive lanes do not count. */
START_TEST(rows_see_each_line_of_an_access)
{
    uint32_t off[32];
    for (int i = 0; i < 32; i++) off[i] = (uint32_t)(i % 2 * 2048 + i / 2 * 4);
    struct launch l = launch_of(16);
    static const struct {
        uint32_t mask;
        double ratio;
    } cases[] = {{0, 1}, {~0u, 4}, {0x55555555, 4}, {2, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rows *r = rows_new(&l);
        rows_access(r, 0, 0, 0, off, cases[i].mask);
        ck_assert_double_eq(rows_ratio(&r, 1), cases[i].ratio);
        rows_free(r);
    }
    /* 1024 lines, more than the table holds at first. All of each row's part is accessed. */
    struct rows *r = rows_new(&l);
    for (int k = 0; k < 32; k++)
        for (int i = 0; i < 32; i++)
            off[i] = (uint32_t)((k * 32 + i) / 4 / 2 * 2048 + (k * 32 + i) / 4 % 2 * 256 +
                                i % 2 * 128 + i / 2 % 2 * 512),
            rows_access(r, 0, 0, 0, off, 1u << i);
    ck_assert_double_eq(rows_ratio(&r, 1), 1);
    rows_free(r);
}
END_TEST

START_TEST(rows_and_partitions_need_a_gpu_that_has_them)
{
    struct launch l = launch_of(16);
    struct rows *none = NULL;
    struct partitions *no = NULL;
    l.record = 0;
    ck_assert(!rows_new(&l) && !partitions_new(&l));
    l.record = 1, l.picked = SMS - 1;
    ck_assert_ptr_null(rows_new(&l));
    l.picked = SMS, gpu.dram_open_bytes = 0, gpu.dram_partitions = 0;
    ck_assert(!rows_new(&l) && !partitions_new(&l));
    ck_assert_double_eq(rows_ratio(&none, 1), 1);
    ck_assert_double_eq(partitions_ratio(&no, 1), 1);
    rows_free(NULL), partitions_free(NULL);
}
END_TEST

/* Each access is a line of 128 bytes, half of a 256-byte piece of a partition. */
static const struct partitions_case {
    const char *what;
    double ratio;
    int count;
    struct access of[MOST];
} partitions_cases[] = {
    {"no access", 1, 0, {{0}}},
    {"one of four", 4, 4, {{0, 0, 0, 0}, {0, 0, 1, 128}, {0, 0, 2, 1024}, {0, 0, 3, 5120}}},
    {"each of four", 1, 4, {{0, 0, 0, 0}, {0, 0, 1, 256}, {0, 0, 2, 512}, {0, 0, 3, 768}}},
    {"two of four", 2, 4, {{0, 0, 0, 0}, {0, 0, 1, 256}, {0, 0, 2, 1024}, {0, 0, 3, 1280}}},
    {"each in its turn", 4, 4, {{0, 0, 0, 0}, {0, 0, 0, 256}, {0, 0, 0, 512}, {0, 0, 0, 768}}},
    {"a block's turns begin anew, in the same wave", 2, 4,
        {{0, 0, 0, 0}, {0, 0, 0, 256}, {0, 1, 0, 256}, {0, 1, 0, 512}}},
    {"two workers", 2, 2, {{0, 0, 0, 0}, {1, 1, 0, 256}}},
    {"two waves", 4, 2, {{0, 0, 0, 0}, {0, 2, 0, 256}}},
    {"a wave that is not examined", 1, 1, {{0, 2, 0, 0}}},
    {"three to one", 3, 4, {{0, 0, 0, 0}, {0, 0, 1, 1024}, {0, 0, 2, 2048}, {0, 0, 3, 256}}},
};

START_TEST(partitions_are_busy_together)
{
    const struct partitions_case *c = &partitions_cases[_i];
    uint32_t off[32];
    for (int i = 0; i < 32; i++) off[i] = 4u * (unsigned)i;
    int skips = strstr(c->what, "not examined") != NULL;
    struct launch l = launch_of(skips ? 34 : 16);
    for (int write = 0; write < 2; write++) {
        struct partitions *all[2] = {partitions_new(&l), partitions_new(&l)};
        for (int i = 0; i < c->count; i++)
            partitions_access(all[c->of[i].worker], (uint64_t)c->of[i].block, c->of[i].warp,
                c->of[i].at, off, ~0u, 4, write);
        partitions_access(all[0], 0, 0, 0, off, 0, 4, write);
        double is = partitions_ratio(all, 2);
        ck_assert_msg(is == c->ratio, "%s: %g, not %g", c->what, is, c->ratio);
        partitions_free(all[0]), partitions_free(all[1]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dram");
    TCase *c = tcase_create("dram");
    tcase_add_loop_test(
        c, rows_are_opened_for_what_is_together, 0, sizeof rows_cases / sizeof *rows_cases);
    tcase_add_test(c, rows_see_each_line_of_an_access);
    tcase_add_test(c, rows_and_partitions_need_a_gpu_that_has_them);
    tcase_add_loop_test(
        c, partitions_are_busy_together, 0, sizeof partitions_cases / sizeof *partitions_cases);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
