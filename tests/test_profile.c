/* test_profile.c - lockstep profile: what it says of kernels that can be counted by hand, and what
 * it refuses. */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "profiling.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const struct screen wide = {.width = 160};

/* Lines of patterns.cu. */
enum { STRIDE_LINE = 7, COLUMN_STORE = 20, COLUMN_LOAD = 22, PARITY_LINE = 31 };

START_TEST(lines_are_annotated)
{
    struct launched r = on_h200(
        "patterns.cu", "stride", 4, 256, WITH("buf:f32:2048", "buf:f32:1024", "i32:1024", "i32:2"));
    const struct metrics *m = profile_line(&r.p, STRIDE_LINE);
    ck_assert_ptr_nonnull(m);
    ck_assert_double_eq(m->v[METRIC_GLD_REQUESTS], 32);
    ck_assert_double_eq(m->v[METRIC_GLD_SECTORS], 256);
    ck_assert_double_eq(m->v[METRIC_GST_SECTORS], 128);
    ck_assert_ptr_null(profile_line(&r.p, STRIDE_LINE - 5));
    struct buf out = {0};
    profile_text(&wide, &r.p, &out);
    /* both accesses: 64 requests of 6 sectors, 8 KB wanted, 12 KB moved */
    HAS(out.data, "      64*    6*   8192*  12.3k*");
    HAS(out.data, "out[i] = in[i * s];");
    HAS(out.data, "gld_efficiency");
    HAS(out.data, "limited by warps");
    HAS(out.data, "12.5% warps: 8 of 64 resident on average; room for 64 (8 blocks a");
    HAS(out.data, "4 blocks: 128 of 132");
    HAS(out.data, "128 of 132 multiprocessors are idle.");
    HAS(out.data, "Starting the kernel takes longer than running it."); /* so small a launch */
    buf_free(&out);
    launched_free(&r);
}
END_TEST

START_TEST(the_sum_over_lines_is_the_launch)
{
    struct launched r = on_h200("patterns.cu", "parity", 4, 256, WITH("buf:f32:256"));
    static const enum metric sums[] = {
        METRIC_INST, METRIC_THREAD_INST, METRIC_GLD_SECTORS, METRIC_BRANCH, METRIC_FFMA};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        double sum = 0;
        for (size_t i = 0; i < r.p.m.line_count; i++)
            sum += isnan(r.p.m.lines[i].metrics.v[sums[k]]) ? 0 : r.p.m.lines[i].metrics.v[sums[k]];
        ck_assert_double_eq(sum, r.p.m.metrics.v[sums[k]]);
    }
    const double *v = r.p.m.metrics.v;
    double mix = 0;
    for (int i = METRIC_MIX_FP32; i <= METRIC_MIX_MISC; i++) mix += isnan(v[i]) ? 0 : v[i];
    ck_assert_double_eq(mix, v[METRIC_THREAD_INST]);
    ck_assert_double_eq(model_flops(&r.p.m.metrics), 2.0 * v[METRIC_FFMA]);
    launched_free(&r);
}
END_TEST

/* The line that costs most is found, and the reason is given. */
START_TEST(the_worst_line_is_explained)
{
    static const struct {
        const char *kernel, *words[5];
        unsigned block;
        int line;
        const char *says;
    } rows[] = {
        {"stride", {"buf:f32:262144", "buf:f32:8192", "i32:8192", "i32:32"}, 256, STRIDE_LINE,
            "neighbouring lanes are 128 bytes apart in argument 1"},
        {"parity", {"buf:f32:1024"}, 1024, PARITY_LINE, "only 16 of 32 lanes are active"},
        {"column", {"buf:f32:32", "i32:32"}, 32, COLUMN_LOAD, "lanes lie 32 words apart"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct launched r = on_h200("patterns.cu", rows[k].kernel, rows[k].block == 256 ? 32 : 1,
            rows[k].block, rows[k].words);
        struct advice a[ADVICES];
        int count = profile_advise(&r.p, a), found = -1;
        for (int i = 0; i < count; i++)
            if (a[i].line == rows[k].line) found = i;
        ck_assert_msg(found >= 0, "%s: line %d is not among the %d worst", rows[k].kernel,
            rows[k].line, count);
        HAS(a[found].text, rows[k].says);
        for (int i = 1; i < count; i++) ck_assert(a[i].share <= a[i - 1].share && a[i].share > 0);
        launched_free(&r);
    }
}
END_TEST

/* What people write, and the advice about it on a GPU for which it is true. No advice shows a
 * number that was not counted. */
START_TEST(habits_are_explained)
{
    static const struct {
        const char *device, *kernel, *words[4], *says, *tries;
    } rows[] = {
        {"sim:h200", "counted", {"buf:i32:8192", "buf:i32:128:zero"}, "atomics on shared memory",
            "a copy of its own"},
        {"sim:h200", "counted_global", {"buf:i32:8192:fill=7", "buf:i32:128:zero"},
            "takes 32 turns at a sector.", "Add up within the warp"},
        {"sim:h200", "structures", {"buf:f32:32768"}, "4 bytes for each byte requested",
            "Make an array of each member"},
        {"sim:h200", "rows", {"buf:u8:8192"},
            "a warp covers 2 rows of 16 neighbouring elements of argument "
            "1",
            "blockDim.x a multiple of 32"},
        {"sim:h200", "uniform", {"buf:f32:1", "buf:f32:1:zero"},
            "all lanes access one word of argument 1: a "
            "load takes 1 sector and moves 8 bytes",
            "Read it once"},
        {"sim:gtx8800", "uniform", {"buf:f32:1", "buf:f32:1:zero"},
            "all lanes access one word of argument "
            "1, and this GPU serves them one by one",
            "Read it once"},
        {"sim:h200", "alone", {"buf:f32:8192"}, "only one lane is active", "side by side"},
        {"sim:gtx8800", "bytes", {"buf:u8:8192"}, "combines only accesses of 4, 8 and 16 bytes",
            "as a uchar4"},
        {"sim:gtx8800", "shifted", {"buf:f32:8193"}, "but start at byte 4 of a 128-byte segment",
            "Start each warp"},
        {"sim:m2090", "half", {"buf:f32:8192"},
            "a warp has only 16 neighbouring elements of argument 1 in a "
            "row",
            "blockDim.x a multiple of 32"},
        {"sim:h200", "waits", {"buf:f32:524288"},
            "a warp waits here for its loads from global memory", "unroll"},
        {"sim:h200", "roots", {"buf:f32:8192"}, "a warp waits here for the instruction before",
            "several independent ones"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct launched r =
            launch_on(rows[k].device, "habits.cu", rows[k].kernel, 64, 128, rows[k].words);
        struct advice a[ADVICES];
        ck_assert_msg(!r.bad, "%s: %s", rows[k].kernel, r.e.text);
        ck_assert_int_gt(profile_advise(&r.p, a), 0);
        HAS(a[0].text, rows[k].says);
        HAS(a[0].text, rows[k].tries);
        ck_assert_ptr_null(strstr(a[0].text, "nan"));
        launched_free(&r);
    }
}
END_TEST

/* One wide access belongs to the line that assigns, not to the next. */
START_TEST(vectors_are_charged_to_their_line)
{
    struct launched r = launch_on(
        "sim:h200", "habits.cu", "quads", 2, 32, WITH("buf:f32:256", "buf:f32:256", "buf:f64:128"));
    ck_assert_msg(!r.bad, "%s", r.e.text);
    int stores = 0;
    for (size_t i = 0; i < r.p.m.line_count; i++) {
        double v = r.p.m.lines[i].metrics.v[METRIC_GST_REQUESTS];
        char *text = source_line(r.p.source, r.p.m.lines[i].line);
        if (v > 0) {
            ck_assert_msg(strstr(text, "= v;") != NULL, "a store at '%s'", text);
            ck_assert_double_eq(v, 2); /* 16 bytes per lane: one request per warp */
            stores++;
        }
        free(text);
    }
    ck_assert_int_eq(stores, 2);
    launched_free(&r);
}
END_TEST

START_TEST(maps_show_real_addresses)
{
    struct launched r = on_h200("patterns.cu", "column", 1, 32, WITH("buf:f32:32", "i32:33"));
    struct buf text = {0}, svg = {0};
    struct err e = {0};
    int loads = 0;
    for (size_t i = 0; i < r.p.m.access_count; i++) {
        const struct line_access *a = &r.p.m.accesses[i];
        if (a->line != COLUMN_LOAD || !a->shared || a->write) continue;
        loads++;
        for (int l = 0; l < 32; l++) ck_assert_uint_eq(a->addr[l], 132u * (31u - (unsigned)l));
    }
    ck_assert_int_eq(loads, 1);
    ck_assert_int_eq(profile_map_text(&r.p, COLUMN_LOAD, &text, &e), 0);
    HAS(text.data, "shared load, 4 bytes a lane: 1 wavefront, 0 conflicts");
    HAS(text.data,
        "global store, 4 bytes a lane: 4 sectors in 1 line; 128 bytes wanted, 128 moved, of argument 1");
    HAS(text.data, "byte         32 |########| lanes 8-15");
    ck_assert_int_eq(profile_map_svg(&r.p, COLUMN_STORE, &svg, &e), 0);
    ck_assert(!strncmp(svg.data, "<svg", 4));
    ck_assert_int_eq(profile_map_text(&r.p, 1, &text, &e), -1);
    ck_assert_int_eq(e.kind, ERR_USAGE);
    HAS(e.text, "patterns.cu:1 accesses neither");
    buf_free(&text);
    buf_free(&svg);
    launched_free(&r);
}
END_TEST

/* The access that is kept for an instruction is that of the lowest block that executed it, whatever
 * the number of host threads. */
START_TEST(maps_are_the_first_warps)
{
    struct launched r = on_h200("patterns.cu", "stride", 400, 64,
        WITH("buf:f32:32768", "buf:f32:32768", "i32:32768", "i32:1"));
    ck_assert_uint_eq(r.p.m.access_count, 2);
    for (size_t i = 0; i < 2; i++)
        for (int l = 0; l < 32; l++) ck_assert_uint_eq(r.p.m.accesses[i].addr[l], 4u * (unsigned)l);
    launched_free(&r);
}
END_TEST

START_TEST(json_has_everything)
{
    struct launched r = on_h200(
        "patterns.cu", "stride", 4, 256, WITH("buf:f32:2048", "buf:f32:1024", "i32:1024", "i32:2"));
    json_t *all = profile_json(&r.p, 1), *o = json_array_get(json_object_get(all, "kernels"), 0);
    json_t *counters = json_object_get(o, "counters"), *accesses = json_object_get(o, "accesses");
    ck_assert_int_eq(json_integer_value(json_object_get(
                         counters, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")),
        256);
    ck_assert_ptr_null(
        json_object_get(counters, "smsp__inst_executed_op_shared_atom.sum") ? NULL : counters);
    ck_assert_str_eq(json_string_value(json_object_get(all, "device")), "sim:h200");
    ck_assert_uint_eq(json_array_size(accesses), 2);
    ck_assert_uint_eq(
        json_array_size(json_object_get(json_array_get(accesses, 0), "addresses")), 32);
    ck_assert_uint_gt(json_array_size(json_object_get(o, "lines")), 2);
    /* the same advice as profile_advise gives */
    struct advice a[ADVICES];
    json_t *costs = json_object_get(o, "costs");
    int count = profile_advise(&r.p, a);
    ck_assert_int_gt(count, 0);
    ck_assert_uint_eq(json_array_size(costs), (size_t)count);
    for (int i = 0; i < count; i++) {
        const json_t *cost = json_array_get(costs, (size_t)i);
        ck_assert_int_eq(json_integer_value(json_object_get(cost, "line")), a[i].line);
        ck_assert_double_eq(json_real_value(json_object_get(cost, "share")), a[i].share);
        ck_assert_str_eq(json_string_value(json_object_get(cost, "text")), a[i].text);
    }
    json_decref(all);
    launched_free(&r);
}
END_TEST

/* The page is whole, refers to nothing outside of itself, and quotes the source safely. */
START_TEST(the_page_stands_alone)
{
    struct launched r = on_h200("patterns.cu", "parity", 4, 256, WITH("buf:f32:256"));
    struct buf page = {0};
    profile_page(&r.p, 1, &page);
    HAS(page.data, "<!DOCTYPE html>");
    HAS(page.data, "</html>");
    HAS(page.data, "k &lt; 100");
    HAS(page.data, "<title>roofline</title>");
    HAS(page.data, "prefers-color-scheme:dark");
    HAS(page.data,
        "Occupancy 12.5%: warps: 8 of 64 resident on average; room for 64 (8 blocks a multiprocessor, "
        "limited by warps); 4 blocks: 128 of 132 multiprocessors idle.");
    ck_assert_ptr_null(strstr(page.data, "<script"));
    ck_assert_ptr_null(strstr(page.data, "url("));
    ck_assert_ptr_null(strstr(page.data, "<link"));
    ck_assert_ptr_null(strstr(page.data, " src="));
    ck_assert_ptr_null(strstr(page.data, "@import"));
    buf_free(&page);
    launched_free(&r);
}
END_TEST

START_TEST(strangers_files_compile)
{
    struct launched r = on_h200("stranger.cu", "saxpy", 4, 256,
        WITH("i32:1024", "f32:2", "buf:f32:1024:iota", "buf:f32:1024:fill=1"));
    ck_assert_double_eq(r.p.m.metrics.v[METRIC_FFMA], 1024);
    launched_free(&r);
    r = on_h200("stranger.cu", "roots", 4, 256, WITH("buf:f32:1024", "buf:f32:1024:zero"));
    ck_assert_double_eq(r.p.m.metrics.v[METRIC_MIX_SPECIAL], 1024);
    launched_free(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("profile");
    TCase *t = tcase_create("profile");
    fronts_open();
    tcase_set_timeout(t, 0);
    tcase_add_test(t, lines_are_annotated);
    tcase_add_test(t, the_sum_over_lines_is_the_launch);
    tcase_add_test(t, the_worst_line_is_explained);
    tcase_add_test(t, habits_are_explained);
    tcase_add_test(t, vectors_are_charged_to_their_line);
    tcase_add_test(t, maps_show_real_addresses);
    tcase_add_test(t, maps_are_the_first_warps);
    tcase_add_test(t, json_has_everything);
    tcase_add_test(t, the_page_stands_alone);
    tcase_add_test(t, strangers_files_compile);
    suite_add_tcase(s, t);
    int failed = suite_run(s);
    fronts_close();
    return failed;
}
