/* test_profile.c - lockstep profile: what it says of kernels that can be counted by hand, and what it refuses. */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "profiling.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Lines of patterns.cu. */
enum { STRIDE_LINE = 7, COLUMN_STORE = 20, COLUMN_LOAD = 22, PARITY_LINE = 31 };

START_TEST(lines_are_annotated)
{
    struct launched r = on_h200("patterns.cu", "stride", 4, 256, WITH("buf:f32:2048", "buf:f32:1024", "i32:1024", "i32:2"));
    const struct metrics *m = profile_line(&r.p, STRIDE_LINE);
    ck_assert_ptr_nonnull(m);
    ck_assert_double_eq(m->v[METRIC_GLD_REQUESTS], 32);
    ck_assert_double_eq(m->v[METRIC_GLD_SECTORS], 256);
    ck_assert_double_eq(m->v[METRIC_GST_SECTORS], 128);
    ck_assert_ptr_null(profile_line(&r.p, STRIDE_LINE - 5));
    struct buf out = {0};
    profile_text(&r.p, &out);
    HAS(out.data, "   64      6     8192    12.3k"); /* both accesses: 64 requests, 6 sectors, 8 KB wanted, 12 KB moved */
    HAS(out.data, "out[i] = in[i * s];");
    HAS(out.data, "gld_efficiency");
    HAS(out.data, "limited by warps");
    HAS(out.data, "12.5% 4 blocks; the 132 multiprocessors hold 1056 at once");
    HAS(out.data, "128 of 132 multiprocessors are idle.");
    HAS(out.data, "Starting the kernel takes longer than running it."); /* so small a launch */
    buf_free(&out);
    launched_free(&r);
}
END_TEST

START_TEST(the_sum_over_lines_is_the_launch)
{
    struct launched r = on_h200("patterns.cu", "parity", 4, 256, WITH("buf:f32:256"));
    static const enum metric sums[] = {METRIC_INST, METRIC_THREAD_INST, METRIC_GLD_SECTORS, METRIC_BRANCH, METRIC_FFMA};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        double sum = 0;
        for (size_t i = 0; i < r.p.m.line_count; i++)
            sum += isnan(r.p.m.lines[i].metrics.v[sums[k]]) ? 0 : r.p.m.lines[i].metrics.v[sums[k]];
        ck_assert_double_eq(sum, r.p.m.metrics.v[sums[k]]);
    }
    const double *v = r.p.m.metrics.v;
    double mix = 0;
    for (int i = METRIC_MIX_FP32; i <= METRIC_MIX_MISC; i++)
        mix += isnan(v[i]) ? 0 : v[i];
    ck_assert_double_eq(mix, v[METRIC_THREAD_INST]);
    ck_assert_double_eq(model_flops(&r.p.m.metrics), 2.0 * v[METRIC_FFMA]);
    launched_free(&r);
}
END_TEST

/* The line that costs most is found, and told what is wrong with it. */
START_TEST(the_worst_line_is_explained)
{
    static const struct {
        const char *kernel, *words[5];
        unsigned block;
        int line;
        const char *says;
    } rows[] = {
        {"stride", {"buf:f32:262144", "buf:f32:8192", "i32:8192", "i32:32"}, 256, STRIDE_LINE, "neighbouring lanes are 128 bytes apart in argument 1"},
        {"parity", {"buf:f32:1024"}, 1024, PARITY_LINE, "only 16 of 32 lanes are active"},
        {"column", {"buf:f32:32", "i32:32"}, 32, COLUMN_LOAD, "lanes lie 32 words apart"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct launched r = on_h200("patterns.cu", rows[k].kernel, rows[k].block == 256 ? 32 : 1, rows[k].block, rows[k].words);
        struct advice a[ADVICES];
        int count = profile_advise(&r.p, a), found = -1;
        for (int i = 0; i < count; i++)
            if (a[i].line == rows[k].line)
                found = i;
        ck_assert_msg(found >= 0, "%s: line %d is not among the %d worst", rows[k].kernel, rows[k].line, count);
        HAS(a[found].text, rows[k].says);
        for (int i = 1; i < count; i++)
            ck_assert(a[i].share <= a[i - 1].share && a[i].share > 0);
        launched_free(&r);
    }
}
END_TEST

/* What people write, and the sentence about it: on the GPU that it is true of. Never a number that was not counted. */
START_TEST(habits_are_explained)
{
    static const struct {
        const char *device, *kernel, *words[4], *says, *tries;
    } rows[] = {
        {"sim:h200", "counted", {"buf:i32:8192", "buf:i32:128:zero"}, "atomics on shared memory", "a copy of its own"},
        {"sim:h200", "counted_global", {"buf:i32:8192:fill=7", "buf:i32:128:zero"}, "takes 32 turns at a sector.", "Add up within the warp"},
        {"sim:h200", "structures", {"buf:f32:32768"}, "4 bytes for each byte requested", "Make an array of each member"},
        {"sim:h200", "rows", {"buf:u8:8192"}, "a warp covers 2 rows of 16 neighbouring elements of argument 1", "blockDim.x a multiple of 32"},
        {"sim:h200", "uniform", {"buf:f32:1", "buf:f32:1:zero"}, "all lanes access one word of argument 1: a load takes 1 sector and moves 8 bytes", "Read it once"},
        {"sim:gtx8800", "uniform", {"buf:f32:1", "buf:f32:1:zero"}, "all lanes access one word of argument 1, and this GPU serves them one by one", "Read it once"},
        {"sim:h200", "alone", {"buf:f32:8192"}, "only one lane is active", "side by side"},
        {"sim:gtx8800", "bytes", {"buf:u8:8192"}, "combines only accesses of 4, 8 and 16 bytes", "as a uchar4"},
        {"sim:gtx8800", "shifted", {"buf:f32:8193"}, "but start at byte 4 of a 128-byte segment", "Start each warp"},
        {"sim:m2090", "half", {"buf:f32:8192"}, "a warp has only 16 neighbouring elements of argument 1 in a row", "blockDim.x a multiple of 32"},
        {"sim:h200", "waits", {"buf:f32:524288"}, "a warp waits here for its loads from global memory", "unroll"},
        {"sim:h200", "roots", {"buf:f32:8192"}, "a warp waits here for the instruction before", "several independent ones"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct launched r = launch_on(rows[k].device, "habits.cu", rows[k].kernel, 64, 128, rows[k].words);
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
    struct launched r = launch_on("sim:h200", "habits.cu", "quads", 2, 32, WITH("buf:f32:256", "buf:f32:256", "buf:f64:128"));
    ck_assert_msg(!r.bad, "%s", r.e.text);
    int stores = 0;
    for (size_t i = 0; i < r.p.m.line_count; i++) {
        double v = r.p.m.lines[i].metrics.v[METRIC_GST_REQUESTS];
        char *text = source_line(r.p.source, r.p.m.lines[i].line);
        if (v > 0) {
            ck_assert_msg(strstr(text, "= v;") != NULL, "a store at '%s'", text);
            ck_assert_double_eq(v, 2); /* 16 bytes a lane: one request a warp */
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
        if (a->line != COLUMN_LOAD || !a->shared || a->write)
            continue;
        loads++;
        for (int l = 0; l < 32; l++)
            ck_assert_uint_eq(a->addr[l], 132u * (31u - (unsigned)l));
    }
    ck_assert_int_eq(loads, 1);
    ck_assert_int_eq(profile_map_text(&r.p, COLUMN_LOAD, &text, &e), 0);
    HAS(text.data, "shared load, 4 bytes a lane: 1 wavefront, 0 conflicts");
    HAS(text.data, "global store, 4 bytes a lane: 4 sectors in 1 line; 128 bytes wanted, 128 moved, of argument 1");
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

/* The access that is kept does not depend on the host's threads: the lowest block that executed the step. */
START_TEST(maps_are_the_first_warps)
{
    struct launched r = on_h200("patterns.cu", "stride", 400, 64, WITH("buf:f32:32768", "buf:f32:32768", "i32:32768", "i32:1"));
    ck_assert_uint_eq(r.p.m.access_count, 2);
    for (size_t i = 0; i < 2; i++)
        for (int l = 0; l < 32; l++)
            ck_assert_uint_eq(r.p.m.accesses[i].addr[l], 4u * (unsigned)l);
    launched_free(&r);
}
END_TEST

START_TEST(json_has_everything)
{
    struct launched r = on_h200("patterns.cu", "stride", 4, 256, WITH("buf:f32:2048", "buf:f32:1024", "i32:1024", "i32:2"));
    json_t *o = profile_json(&r.p), *counters = json_object_get(o, "counters"), *accesses = json_object_get(o, "accesses");
    ck_assert_int_eq(json_integer_value(json_object_get(counters, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")), 256);
    ck_assert_ptr_null(json_object_get(counters, "smsp__inst_executed_op_shared_atom.sum") ? NULL : counters);
    ck_assert_str_eq(json_string_value(json_object_get(o, "device")), "sim:h200");
    ck_assert_uint_eq(json_array_size(accesses), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(json_array_get(accesses, 0), "addresses")), 32);
    ck_assert_uint_gt(json_array_size(json_object_get(o, "lines")), 2);
    ck_assert_uint_gt(json_array_size(json_object_get(o, "costs")), 0);
    json_decref(o);
    launched_free(&r);
}
END_TEST

/* The page is whole, refers to nothing outside of itself, and quotes the source safely. */
START_TEST(the_page_stands_alone)
{
    struct launched r = on_h200("patterns.cu", "parity", 4, 256, WITH("buf:f32:256"));
    struct buf page = {0};
    profile_page(&r.p, &page);
    HAS(page.data, "<!DOCTYPE html>");
    HAS(page.data, "</html>");
    HAS(page.data, "k &lt; 100");
    HAS(page.data, "<title>roofline</title>");
    HAS(page.data, "prefers-color-scheme:dark");
    HAS(page.data, "; the grid of 4 blocks reaches");
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
    struct launched r = on_h200("stranger.cu", "saxpy", 4, 256, WITH("i32:1024", "f32:2", "buf:f32:1024:iota", "buf:f32:1024:fill=1"));
    ck_assert_double_eq(r.p.m.metrics.v[METRIC_FFMA], 1024);
    launched_free(&r);
    r = on_h200("stranger.cu", "roots", 4, 256, WITH("buf:f32:1024", "buf:f32:1024:zero"));
    ck_assert_double_eq(r.p.m.metrics.v[METRIC_MIX_SPECIAL], 1024);
    launched_free(&r);
}
END_TEST

/* ---- the command line ---- */

static char printed[1 << 16]; /* by the last command */

static int run_command(int (*command)(int, char **, struct err *), struct err *e, const char *line)
{
    char *copy = xstrdup(line), *argv[32], *rest = copy;
    int argc = 0;
    for (char *word; (word = strsep(&rest, " "));)
        if (*word)
            argv[argc++] = word;
    *e = (struct err){0};
    fflush(stdout);
    FILE *to = tmpfile();
    ck_assert_ptr_nonnull(to);
    int keep = dup(1), bad;
    dup2(fileno(to), 1);
    bad = command(argc, argv, e);
    fflush(stdout);
    dup2(keep, 1);
    close(keep);
    rewind(to);
    printed[fread(printed, 1, sizeof printed - 1, to)] = 0;
    fclose(to);
    free(copy);
    return bad;
}

static int run(struct err *e, const char *line)
{
    return run_command(command_profile, e, line);
}

#define P "tests/profile/patterns.cu "
static const struct {
    const char *line, *says;
} bad_lines[] = {
    {"", "needs a file"},
    {P, "needs --kernel"},
    {P "--kernel nothing --block 1", "needs --grid"},
    {P "--kernel nothing --grid 1", "needs --block"},
    {P "--kernel nope --grid 1 --block 1", "the kernels are: stride, again"},
    {P "--kernel nothing --grid 1,2,3,4 --block 1", "--grid 1,2,3,4"},
    {P "--kernel nothing --grid x --block 1", "--grid x"},
    {P "--kernel nothing --grid 0 --block 1", "takes 1 to 2147483647"},
    {P "--kernel nothing --grid 1,70000 --block 1", "takes 1 to 65535"},
    {P "--kernel nothing --grid 1 --block 32,64", "has 2048 threads"},
    {P "--kernel nothing --grid 1 --block 1 --shared 1000000", "shared memory"},
    {P "--kernel nothing --grid 1 --block 1 --shared x", "--shared x"},
    {P "--kernel nothing --grid 1 --block 1 i32:1", "has 0 parameters (none), not 1"},
    {P "--kernel column --grid 1 --block 1 i32:1", "has 2 parameters"},
    {P "--kernel column --grid 1 --block 1 i32:1 i32:1", "its parameter is an integer or a pointer of 8 bytes: i64, u64 or buf"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 f32:1", "its parameter is an integer or a pointer of 4 bytes"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 buf:f32:1", "not a pointer; the forms are i32:N"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i32:1.5", "1.5 is not a valid i32, a whole number from -2147483648 to 2147483647"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i32:3000000000", "is not a valid i32"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i32:99999999999", "tests/profile/patterns.cu: kernel column: argument i32:99999999999: 99999999999"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i32:", "is not a valid i32"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 u32:-1", "-1 is not a valid u32, a whole number from 0 to 4294967295"},
    {P "--kernel column --grid 1 --block 1 buf:u8:32:fill=256 i32:1", "256 is not a valid u8, a whole number from 0 to 255"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32:fill=1e39 i32:1", "1e39 is not a valid f32, a number of at most 3.4e38"},
    {P "--kernel column --grid 1 --block 1 buf:f64:32:fill=1e399 i32:1", "1e399 is not a valid f64, a number of at most 1.8e308"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32: i32:1", "filled by rand"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i7:3", "the forms are i32:N"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 3", "the forms are i32:N"},
    {P "--kernel column --grid 1 --block 1 buf:f32:0 i32:1", "a buffer is buf:f32:COUNT"},
    {P "--kernel column --grid 1 --block 1 buf:f32:-4 i32:1", "a buffer is buf:f32:COUNT"},
    {P "--kernel column --grid 1 --block 1 buf:f99:4 i32:1", "a buffer is buf:f32:COUNT"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32:random i32:1", "filled by rand, iota, zero, fill=V or none, not random"},
    {P "--kernel parity --grid 1 --block 32 buf:f32:32:none", "reads argument 1[0], which nothing has written"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32:fill=x i32:1", "x is not a valid f32"},
    {P "--kernel column --grid 1 --block 1 buf:f32:99999999999 i32:1", "at most 1073741824 bytes"},
    {P "--kernel column --grid 1 --block 32 --map 3 buf:f32:32 i32:1", ":3 accesses neither global nor shared memory; lines that do: 20, 22"},
    {"tests/profile/habits.cu --kernel quads --grid 1 --block 1 buf:f64:1 buf:f64:1 buf:f64:134217729", "at most 1073741824 bytes, which are 134217728 of f64"},
    {"tests/profile/sum5.cu --kernel sum5 --grid 1 --block 1 buf:u8:1073741824 buf:u8:1073741824 buf:u8:1073741824 buf:u8:1073741824 buf:u8:1",
     "have 4294967297 bytes; all of a launch may have 4294967296"},
    {P "--kernel structure --grid 1 --block 1 i32:1 buf:i32:1", "a structure of 8 bytes: struct:{...} with its members, or bytes:HEX"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1} buf:i32:1", "its members take 4 bytes as C places them; the parameter has 8, at"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,i64:1} buf:i32:1", "its members take 16 bytes as C places them; the parameter has 8"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,i7:2} buf:i32:1", "member i7:2: the forms are i8 to u64"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,i32:x} buf:i32:1", "x is not a valid i32"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,} buf:i32:1", "member : the forms are"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,align:3} buf:i32:1", "member align:3: the forms are"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,i32:2 buf:i32:1", "a structure is struct:{TYPE:VALUE,...}, in quotes"},
    {P "--kernel structure --grid 1 --block 1 struct:i32:1 buf:i32:1", "a structure is struct:{TYPE:VALUE,...}, in quotes"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1}} buf:i32:1", "a structure is struct:{TYPE:VALUE,...}, in quotes"},
    {P "--kernel structure --grid 1 --block 1 struct:{buf:f32:9999999999} buf:i32:1", "at most 1073741824 bytes"},
    {P "--kernel structure --grid 1 --block 1 bytes:0011 buf:i32:1", "bytes:HEX takes 16 hexadecimal digits, not 4"},
    {P "--kernel structure --grid 1 --block 1 bytes:001122334455667x buf:i32:1", "bytes:HEX takes 16 hexadecimal digits"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 struct:{i32:1}", "its parameter is a 32-bit integer and not a structure"},
    {P "--kernel nothing --grid 1 --block 1 --device sim:gtx9", "there are: sim:"},
    {P "--kernel nothing --grid 1 --block 1 --device cuda", "simulated device"},
    {P "--kernel nothing --grid 70000 --block 1 --device sim:gtx280", "the grid has 70000 blocks in x; GeForce GTX 280 takes 1 to 65535"},
    {P "--kernel nothing --grid 1,1,2 --block 1 --device sim:gtx8800", "the grid has 2 blocks in z; GeForce 8800 GTX takes 1 to 1"},
    {P "--kernel nothing --grid 1 --block 513 --device sim:gtx280", "a block has 513 threads in x; GeForce GTX 280 takes 1 to 512"},
    {P "--kernel nothing --grid 1 --block 1,1,65", "a block has 65 threads in z; NVIDIA H200 takes 1 to 64"},
    {P "--kernel nothing --grid 1 --block 0", "a block has 0 threads in x"},
    {P "--kernel nothing --grid 1 --block 1 --shared 20000 --device sim:gtx280", "needs 20000 bytes of shared memory; GeForce GTX 280 has"},
    {P "--kernel nothing --grid 1 --block 1 --map x", "--map x"},
    {P "--kernel nothing --grid 1 --block 1 --map 3", "accesses neither"},
    {P "--kernel nothing --grid 1 --block 1 --html /nonexistent/x.html", "/nonexistent/x.html"},
    {"tests/profile/stranger.cu --kernel saxpy<double> --grid 1 --block 1", "there is no kernel saxpy<double>; the kernels are: "},
    {"tests/profile/habits.cu --kernel twice --grid 1 --block 1 buf:f32:1", "is a template with several instances; name one of counted, "},
    {"tests/profile/fault_dynamic.cu --kernel x --grid 1 --block 1", "the block has 0 bytes: was dynamic shared memory asked for, by LAUNCH_SHARED or --shared?"},
    {"tests/profile/none.cu --kernel x --grid 1 --block 1", "there is no such file"},
    {"--lab 99 --exercise x", "there is no lab 99"},
    {"--lab 05 --exercise x", "has no exercise x"},
    {"--lab 05", "which exercise of 05-padded? It has banks, transpose, aat"},
    {"--lab 03 --exercise matmul_cpu", "no kernel to profile"},
    {"--lab 05 --exercise transpose --kernel x", "has no kernel x"},
    {"--nonsense", "has no such option"},
};

/* A file that needs what is not there: one line that says what, where, and what there is. */
static const struct {
    const char *text, *says;
} foreign[] = {
    {"#include <cooperative_groups.h>\n__global__ void x() { cooperative_groups::this_grid().sync(); }", ".cu:1: cooperative groups are not supported; __syncthreads()"},
    {"texture<float, 2> t;\n__global__ void x(float *o) { *o = tex2D(t, 0, 0); }", ".cu:1: textures are not supported; const pointers"},
    {"__global__ void x(cudaTextureObject_t t, float *o)\n{\n    *o = tex2D<float>(t, 0, 0);\n}", ".cu:3: textures are not supported"},
    {"__global__ void x(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 0, 0); }", ".cu:1: surfaces are not supported; a kernel can"},
    {"#include <mma.h>\n__global__ void x() {}", ".cu:1: tensor cores are not supported; multiply-adds"},
    {"#include <cuda_fp16.h>\n__global__ void x() {}", ".cu:1: half precision is not supported; float"},
    {"#include <cuda_pipeline.h>\n__global__ void x() {}", ".cu:1: asynchronous copies"},
    {"#include <thrust/sort.h>\n__global__ void x() {}", ".cu:1: CUDA's libraries are not supported"},
    {"__global__ void x(float *o) { *o = tgammaf(*o); }", ".cu:1: this function is not supported; exp, log, sin, pow"},
    {"#include <cublas_v2.h>\n__global__ void x() {}", ".cu:1: CUDA's libraries are not supported; put the kernel"},
    {"__global__ void x() {}\nint main() { cudaGraphCreate(0, 0); }", ".cu:2: this part of CUDA's runtime is not declared here; put"},
    {"#include <cuda.h>\n__global__ void x() {}\nint main() { cuInit(0); }", ".cu:3: CUDA's driver interface is not supported; put"},
    {"__global__ void y() {}\n__global__ void x() { y<<<1, 1>>>(); }", ".cu:2: kernels that launch kernels are not supported"},
    {"__global__ void x(void **p) { *p = malloc(4); }", ".cu:1: instruction call.uni calls malloc, which is not defined"},
    {"__global__ void x()\n{\n    asm volatile(\"wgmma.fence.sync.aligned;\");\n}", ".cu:3: instruction wgmma.fence.sync.aligned is not supported: tensor cores are not; multiply"},
    {"__global__ void x() { asm volatile(\"{ .reg .pred p; .reg .u32 r; bar.red.max.u32 r, 0, p; }\"); }", ".cu:1: instruction bar.red.max.u32 is not supported: bar.red.popc.u32"},
    {"__global__ void x() { asm volatile(\"cp.async.wait_all;\"); }", ".cu:1: instruction cp.async.wait_all is not supported: asynchronous copies are not; ld"},
    {"__global__ void x() { asm volatile(\"griddepcontrol.wait;\"); }", "is not supported: arithmetic, loads, stores"},
    {"__device__ int x;", "there is no kernel x, and no other kernel: a kernel is a __global__ function"},
    {"template <class T> __global__ void x(T *p) {}", "a template has to be instantiated"},
    {" \n", ".cu: is empty"},
};

START_TEST(what_is_not_there_is_named)
{
    struct err e;
    char path[] = "/tmp/lockstep-foreign-XXXXXX.cu", line[256];
    int fd = mkstemps(path, 3);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, foreign[_i].text, strlen(foreign[_i].text)), (long)strlen(foreign[_i].text));
    close(fd);
    snprintf(line, sizeof line, "%s --front clang --kernel x --grid 1 --block 1", path);
    int bad = run(&e, line);
    unlink(path);
    ck_assert_int_eq(bad, -1);
    HAS(e.text, foreign[_i].says);
    ck_assert(!strncmp(e.text, path, strlen(path)));
    ck_assert_ptr_null(strchr(e.text, '\n'));
}
END_TEST

/* What fails at its end leaves no part of itself behind. */
START_TEST(a_failure_writes_nothing)
{
    struct err e;
    char folder[] = "/tmp/lockstep-profile-XXXXXX", line[512], page[64], svg[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(page, sizeof page, "%s/page.html", folder);
    snprintf(svg, sizeof svg, "%s/map.svg", folder);
    snprintf(line, sizeof line, P "--kernel column --grid 1 --block 32 --html %s --map 3 buf:f32:32 i32:1", page);
    ck_assert_int_eq(run(&e, line), -1);
    snprintf(line, sizeof line, P "--kernel column --grid 1 --block 32 --html %s --svg %s --map 3 buf:f32:32 i32:1", page, svg);
    ck_assert_int_eq(run(&e, line), -1);
    ck_assert(!file_exists(page) && !file_exists(svg));
    snprintf(line, sizeof line, P "--kernel column --grid 1 --block 32 --html %s --svg %s --map 22 buf:f32:32 i32:1", page, svg);
    ck_assert_msg(!run(&e, line), "%s", e.text);
    ck_assert(file_exists(page) && file_exists(svg));
    unlink(page);
    unlink(svg);
    rmdir(folder);
}
END_TEST

START_TEST(bad_command_lines)
{
    struct err e;
    ck_assert_msg(run(&e, bad_lines[_i].line) == -1, "accepted: %s", bad_lines[_i].line);
    HAS(e.text, bad_lines[_i].says);
    if (!strstr(e.text, "error: ")) /* what a compiler says goes through as it is */
        ck_assert_ptr_null(strchr(e.text, '\n'));
}
END_TEST

/* ---- compare ---- */

/* What one GPU cannot run is a line; the others are shown all the same. */
START_TEST(gpus_are_compared)
{
    struct err e;
    ck_assert_msg(!run_command(command_compare, &e, "02 soa --devices sim:gtx8800,sim:h200 --kernel norm_aos"), "%s", e.text);
    HAS(printed, "sim:gtx8800     solutions/02-coalesced/soa.cu: kernel norm_aos: line 17 needs double precision; GeForce 8800 GTX has");
    HAS(printed, "sim:h200        9.0     98.3k      24   33.3");
    ck_assert_msg(!run_command(command_compare, &e, "06 matmul --devices sim:gtx8800,sim:h200 --kernel matmul"), "%s", e.text);
    HAS(printed, "sim:gtx8800     solutions/06-unrolled/matmul.cu: matmul_rolled is launched with BLOCK(32, 32); a block has 1 to 512 threads");
    HAS(printed, "sim:h200        9.0");
}
END_TEST

/* What `lockstep lab` prints fits 80 columns, and says how a kernel compares. */
START_TEST(a_lab_is_explained)
{
    struct err e;
    ck_assert_msg(!run_command(command_lab, &e, "05 transpose --device sim:h200 --student solutions"), "%s", e.text);
    HAS(printed, "\n    limited by: DRAM\n");
    HAS(printed, "\n    reference: same speed (0.0116 ms)\n");
    HAS(printed, "\n    previous rung, \"shared\" of 04-shared: 1.81 times slower (0.0209 ms)\n");
    ck_assert_msg(!run_command(command_lab, &e, "06 shape --device sim:tiny --student labs"), "%s", e.text);
    HAS(printed, "  prediction loads_32x16_pad_1: UNKNOWN\n    block 32x16");
    for (char *line = strtok(printed, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_msg(strlen(line) <= 80 || strstr(line, "shape.cu:"), "too long: %s", line);
}
END_TEST

START_TEST(a_text_is_broken_between_words)
{
    struct buf out = {0};
    report_wrapped(&out, 74, "a longer_word ab cdef\nnext");
#define IN "                                                                          "
    ck_assert_str_eq(out.data, IN "a\n" IN "longer_word\n" IN "ab\n" IN "cdef\n" IN "next\n");
    buf_free(&out);
}
END_TEST

START_TEST(bad_comparisons)
{
    static const struct {
        const char *line, *says;
    } rows[] = {
        {"05", "which exercise?"},
        {"05 nope", "05-padded has no exercise nope; it has banks, transpose, aat"},
        {"99 transpose", "there is no lab 99"},
        {"03 matmul_cpu", "no kernel to compare"},
        {"05 transpose --kernel nope", "has no kernel nope"},
        {"05 transpose --devices cuda", "such as sim:gtx280,sim:h200"},
        {"05 transpose --devices sim:h200,sim:gtx9", "device 'sim:gtx9' does not exist; there are: sim:gtx8800"},
        {"06 matmul --devices sim:gtx8800", "a block has 1 to 512 threads"},
        {"05 transpose --student /nonexistent --devices sim:tiny", "/nonexistent: there is no such directory; it should have the layout of labs/"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err e;
        ck_assert_msg(run_command(command_compare, &e, rows[i].line) == -1, "accepted: %s", rows[i].line);
        HAS(e.text, rows[i].says);
        ck_assert_ptr_null(strchr(e.text, '\n'));
        ck_assert_str_eq(printed, "");
    }
}
END_TEST

START_TEST(good_command_lines)
{
    static const char *const lines[] = {
        P "--kernel column --grid 1 --block 32 buf:f32:32 i32:33",
        P "--kernel column --grid=1,1,1 --block=32,1,1 --json buf:f32:32:iota i32:-0x0",
        P "--kernel column --grid 1 --block 32 --device sim:gtx8800 --map 22 buf:f32:32 u32:17",
        P "--kernel nothing --grid 2,2,2 --block 4,4,4 --shared 100",
        "tests/profile/habits.cu --kernel twice<3> --grid 1 --block 1 buf:f32:1",
        "tests/profile/habits.cu --kernel _Z5twiceILi5EEvPf --grid 1 --block 1 buf:f32:1",
        "tests/profile/stranger.cu --kernel saxpy --grid 1 --block 1 i32:1 f32:inf buf:f32:1 buf:f32:1",
        P "--kernel structure --grid 1 --block 1 struct:{i32:1,f32:2.5} buf:i32:1",
        P "--kernel structure --grid 1 --block 1 struct:{{align:4,i16:1,u8:7},{f32:-1}} buf:i32:1",
        P "--kernel structure --grid 1 --block 1 struct:{align:8,i32:1} buf:i32:1",
        P "--kernel structure --grid 1 --block 1 bytes:0100000002000000 buf:i32:1",
        "--lab 05 --exercise transpose --kernel transpose_pad_1 --json",
    };
    struct err e;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_msg(!run(&e, lines[i]), "%s: %s", lines[i], e.text);
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
    tcase_add_loop_test(t, bad_command_lines, 0, (int)(sizeof bad_lines / sizeof *bad_lines));
    tcase_add_loop_test(t, what_is_not_there_is_named, 0, (int)(sizeof foreign / sizeof *foreign));
    tcase_add_test(t, a_failure_writes_nothing);
    tcase_add_test(t, good_command_lines);
    tcase_add_test(t, gpus_are_compared);
    tcase_add_test(t, a_lab_is_explained);
    tcase_add_test(t, a_text_is_broken_between_words);
    tcase_add_test(t, bad_comparisons);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    fronts_close();
    return failed != 0;
}
