/* test_profile_change.c - a profile beside an earlier one: which line is which, what changed, and
 * why the time did; and what the parts of a time, the memory and the PTX of a line are. */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "profiling.h"
#include "view/profile.h"

#include <stdio.h>
#include <unistd.h>

enum { COLUMN_LOAD = 22, STRIDE_LINE = 7 };
static const struct screen narrow = {.width = 80}, wide = {.width = 160};

static struct launched transposed(const char *kernel)
{
    return on_h200("transposes.cu", kernel, 4096, 256, WITH("buf:f32:4194304", "buf:f32:4194304"));
}

/* The pair of a line of the newer profile. */
static const struct line_pair *pair_of(const struct line_pair *pairs, int count, int now)
{
    for (int i = 0; i < count; i++)
        if (pairs[i].now == now) return &pairs[i];
    ck_abort_msg("no pair of line %d", now);
    return NULL;
}

/* ---- which line is which ---- */

START_TEST(lines_are_paired)
{
    struct profile a = {.file = "a.cu",
        .source = "__global__ void k(float *x)\n{\n"
                  "    __shared__ float tile[32][32]; // square\n"
                  "    int i = threadIdx.x;\n    tile[i][0] = x[i];\n"
                  "    x[i] = tile[0][i];\n}\n"};
    struct profile b = {.file = "b.cu",
        .source = "\n__global__ void k(float *x)\n{\n"
                  "    __shared__ float tile[32][33];\n"
                  "    int  i = threadIdx.x; // a lane\n#pragma unroll\n"
                  "    tile[i][0] = x[i];\n    x[i] = tile[i][0];\n}\n"};
    struct line_counts of_a[] = {{.line = 4}, {.line = 5}, {.line = 6}, {.line = 7}};
    struct line_counts of_b[] = {{.line = 5}, {.line = 7}, {.line = 8}, {.line = 9}};
    a.m.lines = of_a, a.m.line_count = 4;
    b.m.lines = of_b, b.m.line_count = 4;
    struct line_pair *pairs;
    int count = profile_pairs(&a, &b, &pairs);
    static const struct line_pair want[] = {
        {1, 2, 1}, {2, 3, 1}, {3, 4, 0}, {4, 5, 1}, {0, 6, 0}, {5, 7, 1}, {6, 8, 0}, {7, 9, 1}};
    ck_assert_int_eq(count, 8);
    for (int i = 0; i < count; i++)
        ck_assert_msg(pairs[i].before == want[i].before && pairs[i].now == want[i].now &&
                          pairs[i].same == want[i].same,
            "pair %d is %d, %d, %d", i, pairs[i].before, pairs[i].now, pairs[i].same);
    free(pairs);
}
END_TEST

/* Lines that differ only in the last of many words (of a macro, say) are not the same text. */
START_TEST(long_lines_are_the_same_to_their_end)
{
    struct buf text[2] = {{0}};
    struct line_counts of[] = {{.line = 2}};
    struct profile p[2] = {{0}};
    struct line_pair *pairs;
    for (int i = 0; i < 2; i++) {
        buf_printf(&text[i], "__global__ void k(int *x)\n    x[0] = 0");
        for (int word = 0; word < 80; word++) buf_printf(&text[i], " + %d", word == 79 ? i : word);
        buf_printf(&text[i], ";\n");
        p[i] = (struct profile){.file = "a.cu", .source = text[i].data};
        p[i].m.lines = of, p[i].m.line_count = 1;
    }
    ck_assert_int_eq(profile_pairs(&p[0], &p[1], &pairs), 2);
    ck_assert(pairs[0].same && pairs[1].before == 2 && pairs[1].now == 2 && !pairs[1].same);
    free(pairs);
    buf_free(&text[0]), buf_free(&text[1]);
}
END_TEST

/* ---- what changed, and why ---- */

/* The same kernel with rows of 32 and of 33 words: each line has the same text, but other
 * conflicts. */
START_TEST(a_counter_that_changed_is_named)
{
    struct launched a = on_h200("patterns.cu", "column", 1, 32, WITH("buf:f32:32", "i32:32"));
    struct launched b = on_h200("patterns.cu", "column", 1, 32, WITH("buf:f32:32", "i32:33"));
    struct line_pair *pairs;
    struct buf what = {0}, why = {0};
    b.p.before = &a.p;
    int count = profile_pairs(&a.p, &b.p, &pairs);
    const struct line_pair *load = pair_of(pairs, count, COLUMN_LOAD);
    ck_assert(load->before == COLUMN_LOAD && load->same);
    profile_line_change(&b.p, load, PART_NONE, LINE_CHANGES, &what);
    ck_assert_str_eq(what.data, "bank conflicts 31 -> 0, shared wavefronts 32 -> 1");
    for (int i = 0; i < count; i++) ck_assert(pairs[i].before == pairs[i].now && pairs[i].same);
    profile_why(&b.p, pairs, count, &why);
    HAS(why.data, "limited by starting the kernel (launch), as before\n");
    free(pairs);
    buf_free(&what);
    buf_free(&why);
    launched_free(&a);
    launched_free(&b);
}
END_TEST

/* A transpose whose tile gets padding: the part, counters and line that the gain comes from. */
START_TEST(the_reason_for_the_time_is_found)
{
    struct launched a = transposed("coalesced"), b = transposed("padded");
    struct line_pair *pairs;
    struct buf why = {0}, back = {0}, text = {0};
    b.p.before = &a.p;
    int count = profile_pairs(&a.p, &b.p, &pairs);
    profile_why(&b.p, pairs, count, &why);
    HAS(why.data, "modelled time 0.0");
    HAS(why.data, " times as fast\n");
    HAS(why.data, "limited by L1 and shared memory -> L2\n");
    HAS(why.data, "L1 and shared memory 0.0");
    HAS(why.data, "bank conflicts 4063k -> 0");
    HAS(why.data,
        "most of it in line 30: bank conflicts 4063k -> 0, shared wavefronts 4194k -> 131.1k\n");
    struct screen between = {.width = 110};
    profile_text(&between, &b.p, &text);
    HAS(text.data, "line by line: before, now\n");
    HAS(text.data,
        "   30   30   out[(bx * TILE + y + i) * N + by * TILE + x] = tile[x * pitch + y + i];\n"
        "               bank conflicts 4063k -> 0, shared wavefronts 4194k -> 131.1k\n");
    /* both kernels are in one file: line 34 of the first is line 40 of the second */
    ck_assert_int_eq(pair_of(pairs, count, 40)->before, 34);
    HAS(text.data, "\n   35      - __shared__ float tile[TILE * TILE];\n"
                   "        41 + __shared__ float tile[TILE * (TILE + 1)];\n");
    text.len = 0;
    profile_text(&wide, &b.p, &text);
    const char *both = strstr(text.data, "\n   35 - __shared__ float tile[TILE * TILE];");
    ck_assert_ptr_nonnull(both);
    HAS(both, " |   41 + __shared__ float tile[TILE * (TILE + 1)];\n");
    ck_assert(strstr(both, " |   41 + ") < strchr(both + 1, '\n'));
    free(pairs);
    /* and the other way round */
    b.p.before = NULL;
    a.p.before = &b.p;
    count = profile_pairs(&b.p, &a.p, &pairs);
    profile_why(&a.p, pairs, count, &back);
    HAS(back.data, " times as slow\n");
    HAS(back.data, "bank conflicts 0 -> 4063k");
    free(pairs);
    buf_free(&why);
    buf_free(&back);
    buf_free(&text);
    launched_free(&a);
    launched_free(&b);
}
END_TEST

/* A kernel that stores nothing is no improvement. */
START_TEST(a_kernel_that_stores_nothing_is_told)
{
    struct launched a = transposed("copy"), b = on_h200("patterns.cu", "nothing", 1, 32, WITH());
    struct buf text = {0};
    profile_text(&wide, &b.p, &text);
    HAS(text.data, "The kernel stores nothing, so it has no result");
    b.p.before = &a.p;
    profile_text(&wide, &b.p, &text);
    HAS(text.data, "now: The kernel stores nothing, so it has no result");
    buf_free(&text);
    launched_free(&a);
    launched_free(&b);
}
END_TEST

/* ---- an earlier run ---- */

/* What is read is what was written: compared with itself, a run has changed in nothing. */
START_TEST(a_run_is_read_as_it_was_written)
{
    char path[] = "/tmp/lockstep-run-XXXXXX.json";
    struct launched r = transposed("padded");
    json_t *o = profile_json(&r.p, 1), *root;
    struct profile *earlier;
    struct err e = {0};
    int fd = mkstemps(path, 5), count;
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(json_dumpfd(o, fd, 0), 0);
    close(fd);
    ck_assert_msg(!profiles_read(path, &root, &earlier, &count, &e), "%s", e.text);
    unlink(path);
    ck_assert_int_eq(count, 1);
    const struct measurement *a = &earlier->m, *b = &r.p.m;
    ck_assert_str_eq(earlier->kernel, "padded");
    ck_assert_str_eq(earlier->source, r.p.source);
    ck_assert_ptr_eq(earlier->gpu, r.p.gpu);
    ck_assert_int_eq(a->bottleneck, b->bottleneck);
    ck_assert_int_eq(a->occupancy.warps, b->occupancy.warps);
    ck_assert_int_eq(a->occupancy.limiter, b->occupancy.limiter);
    ck_assert_uint_eq(a->line_count, b->line_count);
    ck_assert_double_eq_tol(a->ms, b->ms, 1e-9);
    ck_assert_double_eq_tol(a->start_ms, b->start_ms, 1e-9);
    for (int i = 0; i < MODEL_PARTS; i++)
        ck_assert_double_eq_tol(a->part_ms[i], b->part_ms[i], 1e-9);
    for (int i = 0; i < METRIC_COUNT; i++)
        ck_assert(isnan(a->metrics.v[i])
                      ? isnan(b->metrics.v[i])
                      : fabs(a->metrics.v[i] - b->metrics.v[i]) <= 1e-9 * b->metrics.v[i]);
    struct buf text = {0};
    r.p.before = earlier;
    profile_text(&wide, &r.p, &text);
    HAS(text.data, " ms: the same speed\n");
    HAS(text.data, "limited by L2, as before\n");
    ck_assert_ptr_null(strstr(text.data, "the limit now"));
    ck_assert_ptr_null(strstr(text.data, "times as"));
    ck_assert_ptr_null(strstr(text.data, "most of it"));
    buf_free(&text);
    profiles_free(earlier, count);
    json_decref(root);
    json_decref(o);
    launched_free(&r);
}
END_TEST

#define RUN_OF_LINE(line) \
    "{\"file\": \"a\", \"text\": \"x\\ny\", \"device\": \"sim:h200\", \"front_end\": \"c\", \"kernels\": [{" \
    "\"kernel\": \"k\", \"arguments\": \"\", \"shared\": 0, \"grid\": [1, 1, 1], \"block\": [1, 1, 1], " \
    "\"time_ms\": 0, \"start_ms\": 0, \"bottleneck\": \"launch\", \"parts_ms\": {}, \"occupancy\": " \
    "{\"blocks\": 1, \"warps\": 1, \"percent\": 1, \"limiter\": \"warps\"}, \"counters\": {}, " \
    "\"lines\": [{\"line\": " line ", \"counters\": {}}]}]}"

START_TEST(bad_runs_are_refused)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", ":1: this is no JSON"},
        {"{\n\"a\": 1,\n}", ":3: this is no JSON"},
        {"[]",
            ": \"kernels\" is missing or of a wrong kind; write the file with lockstep profile --json"},
        {"{\"kernels\": []}", ": \"kernels\" is empty"},
        {"{\"kernels\": 7}", ": \"kernels\" is missing or of a wrong kind"},
        {"{\"kernels\": [1]}", ": \"file\" is missing"},
        {"{\"kernels\": [{}], \"file\": \"a\", \"text\": \"\", \"device\": \"sim:x\", \"front_end\": \"c\"}",
            ": there is no device sim:x; lockstep devices lists"},
        {"{\"kernels\": [{\"kernel\": 1}], \"file\": \"a\", \"text\": \"\", \"device\": \"sim:h200\", "
         "\"front_end\": \"c\"}",
            ": \"kernel\" is missing or of a wrong kind"},
        {RUN_OF_LINE("2000000000"), ": \"line\" is 2e+09, and \"text\" has 2 lines"},
        {RUN_OF_LINE("3"), ": \"line\" is 3, and \"text\" has 2 lines"},
        {RUN_OF_LINE("0"), ": \"line\" is 0, and"},
        {RUN_OF_LINE("2"), ": time_ms is not above 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[] = "/tmp/lockstep-run-XXXXXX.json";
        json_t *root;
        struct profile *earlier;
        struct err e = {0};
        int fd = mkstemps(path, 5), count;
        ck_assert_int_eq(write(fd, rows[i].text, strlen(rows[i].text)), (long)strlen(rows[i].text));
        close(fd);
        ck_assert_msg(
            profiles_read(path, &root, &earlier, &count, &e) == -1, "accepted: %s", rows[i].text);
        unlink(path);
        HAS(e.text, rows[i].says);
        ck_assert(!strncmp(e.text, path, strlen(path)) && !strchr(e.text, '\n'));
        ck_assert_int_eq(e.kind, ERR_USAGE);
        profiles_free(earlier, count);
        json_decref(root);
    }
}
END_TEST

/* ---- time, memory, PTX ---- */

/* The three times that are said to add up do, and no part is longer than the longest. */
START_TEST(the_time_is_the_sum_that_is_shown)
{
    static const char *const kernels[] = {"copy", "naive", "coalesced", "padded"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct launched r = transposed(kernels[i]);
        struct profile_time t[PROFILE_TIMES];
        struct profile_flow f[PROFILE_FLOWS];
        int count = profile_times(&r.p, t), limits = 0, shared = i > 1;
        ck_assert_double_eq_tol(
            t[TIME_START].ms + t[TIME_LONGEST].ms + t[TIME_DELAYS].ms, r.p.m.ms, 1e-12);
        ck_assert(t[TIME_START].ms >= r.p.gpu->launch_us / 1000 && t[TIME_DELAYS].ms >= 0);
        for (int k = TIME_PARTS; k < count; k++) {
            ck_assert(t[k].ms <= t[TIME_LONGEST].ms && t[k].percent <= 100);
            limits += t[k].limit;
        }
        ck_assert_int_eq(limits, 1);
        /* 2048 x 2048 floats: each level loads each once; the naive stores take 8 times as many bytes */
        ck_assert_int_eq(profile_flows(&r.p, f), 3 + shared);
        for (int k = 0; k <= shared; k++) ck_assert_double_eq(f[k].loaded, 16777216);
        ck_assert_double_eq(f[shared].stored, i == 1 ? 8 * 16777216 : 16777216);
        ck_assert_double_eq(f[shared].wanted_stored, 16777216);
        ck_assert_double_ge(f[shared + 1].loaded, 16777216);
        ck_assert_double_ge(f[shared + 1].stored, 16777216);
        ck_assert_double_eq(f[shared + 2].loaded, 16777216);
        /* each boundary is as busy as the part that serves it */
        static const char *const boundary[] = {"shared memory", "L1", "L2", "DRAM"};
        static const enum model_part part[] = {PART_L1, PART_L1, PART_L2, PART_DRAM};
        for (int k = 0; k < 3 + shared; k++) {
            int at = k + 1 - shared;
            ck_assert_str_eq(f[k].to, boundary[at]);
            ck_assert_double_eq_tol(f[k].percent, 100 * r.p.m.part_ms[part[at]] / r.p.m.ms, 1e-9);
        }
        for (int k = TIME_PARTS; k < count; k++)
            ck_assert_double_eq_tol(t[k].percent, 100 * t[k].ms / r.p.m.ms, 1e-9);
        launched_free(&r);
    }
}
END_TEST

START_TEST(columns_without_a_number_are_left_out)
{
    struct launched r = transposed("naive");
    struct buf text = {0}, page = {0};
    profile_text(&narrow, &r.p, &text);
    profile_page(&r.p, 1, &page);
    ck_assert_ptr_null(strstr(text.data, "wavefronts"));
    ck_assert_ptr_null(strstr(page.data, "wave&shy;fronts"));
    HAS(text.data, "sec  wanted   moved\n");
    HAS(text.data, "151.0M");
    HAS(page.data, "151.0M");
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_msg(strlen(line) <= 80 || strstr(line, "<<<"), "too long: %s", line);
    buf_free(&text);
    buf_free(&page);
    launched_free(&r);
}
END_TEST

START_TEST(ptx_stands_at_its_line)
{
    struct launched r = on_h200(
        "patterns.cu", "stride", 4, 256, WITH("buf:f32:2048", "buf:f32:1024", "i32:1024", "i32:2"));
    struct buf ptx = {0}, other = {0};
    r.p.ptx = r.compiled.ptx;
    r.p.symbol = kernel_symbol(module_kernel(r.module, "stride"));
    profile_ptx(&r.p, STRIDE_LINE, &ptx);
    HAS(ptx.data, "ld.global.f32");
    HAS(ptx.data, "st.global.f32");
    ck_assert_ptr_null(strstr(ptx.data, ".loc"));
    profile_ptx(&r.p, STRIDE_LINE - 1, &other); /* the if above the access */
    HAS(other.data, "setp.");
    ck_assert_ptr_null(strstr(other.data, "ld.global"));
    profile_ptx(&r.p, COLUMN_LOAD, &other); /* a line of another kernel */
    ck_assert_ptr_null(strstr(other.data, "ld.shared"));
    r.p.show_ptx = 1;
    struct buf text = {0};
    profile_text(&narrow, &r.p, &text);
    HAS(text.data, "    . ld.global.f32");
    buf_free(&ptx);
    buf_free(&other);
    buf_free(&text);
    launched_free(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("profile_change");
    TCase *t = tcase_create("profile_change");
    fronts_open();
    tcase_set_timeout(t, 0);
    tcase_add_test(t, lines_are_paired);
    tcase_add_test(t, long_lines_are_the_same_to_their_end);
    tcase_add_test(t, a_counter_that_changed_is_named);
    tcase_add_test(t, the_reason_for_the_time_is_found);
    tcase_add_test(t, a_kernel_that_stores_nothing_is_told);
    tcase_add_test(t, a_run_is_read_as_it_was_written);
    tcase_add_test(t, bad_runs_are_refused);
    tcase_add_test(t, the_time_is_the_sum_that_is_shown);
    tcase_add_test(t, columns_without_a_number_are_left_out);
    tcase_add_test(t, ptx_stands_at_its_line);
    suite_add_tcase(s, t);
    int failed = suite_run(s);
    fronts_close();
    return failed;
}
