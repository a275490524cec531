/* test_commands.c - command lines of lockstep profile, compare and lab: what they print, and what
 * they refuse. */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "profiling.h"

#include <stdio.h>
#include <unistd.h>

/* ---- the command line ---- */

static char printed[1 << 16]; /* what the last command printed */

static int run_command(int (*command)(int, char **, struct err *), struct err *e, const char *line)
{
    char *copy = xstrdup(line), *argv[32], *rest = copy;
    int argc = 0;
    for (char *word; (word = strsep(&rest, " "));)
        if (*word) argv[argc++] = word;
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

static int run(struct err *e, const char *line) { return run_command(command_profile, e, line); }

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
    {P "--kernel column --grid 1 --block 1 i32:1 i32:1",
        "its parameter is an integer or a pointer of 8 "
        "bytes: i64, u64 or buf"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 f32:1",
        "its parameter is an integer or a pointer of 4 "
        "bytes"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 buf:f32:1",
        "not a pointer; the forms are i32:N"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i32:1.5",
        "1.5 is not a valid i32, a whole number from "
        "-2147483648 to 2147483647"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i32:3000000000", "is not a valid i32"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i32:99999999999",
        "tests/profile/patterns.cu: kernel column: argument i32:99999999999: 99999999999"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i32:", "is not a valid i32"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32:fill=3.40282347e38 i32:x",
        "argument i32:x: x is not"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 u32:-1",
        "-1 is not a valid u32, a whole number from 0 "
        "to 4294967295"},
    {P "--kernel column --grid 1 --block 1 buf:u8:32:fill=256 i32:1",
        "256 is not a valid u8, a whole number "
        "from 0 to 255"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32:fill=1e39 i32:1",
        "1e39 is not a valid f32, a number of at most 3.4e38"},
    {P "--kernel column --grid 1 --block 1 buf:f64:32:fill=1e399 i32:1",
        "1e399 is not a valid f64, a number of at most 1.8e308"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32: i32:1", "filled by rand"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 i7:3", "the forms are i32:N"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 3", "the forms are i32:N"},
    {P "--kernel column --grid 1 --block 1 buf:f32:0 i32:1", "a buffer is buf:f32:COUNT"},
    {P "--kernel column --grid 1 --block 1 buf:f32:-4 i32:1", "a buffer is buf:f32:COUNT"},
    {P "--kernel column --grid 1 --block 1 buf:f99:4 i32:1", "a buffer is buf:f32:COUNT"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32:random i32:1",
        "filled by rand, iota, zero, fill=V or "
        "none, not random"},
    {P "--kernel parity --grid 1 --block 32 buf:f32:32:none",
        "reads argument 1[0], which nothing has "
        "written"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32:fill=x i32:1", "x is not a valid f32"},
    {P "--kernel column --grid 1 --block 1 buf:f32:99999999999 i32:1", "at most 1073741824 bytes"},
    {P "--kernel column --grid 1 --block 32 --map 3 buf:f32:32 i32:1",
        ":3 accesses neither global nor shared memory; lines that do: 20, 22"},
    {"tests/profile/habits.cu --kernel quads --grid 1 --block 1 buf:f64:1 buf:f64:1 buf:f64:134217729",
        "at most 1073741824 bytes, which are 134217728 of f64"},
    {"tests/profile/sum5.cu --kernel sum5 --grid 1 --block 1 buf:u8:1073741824 buf:u8:1073741824 "
     "buf:u8:1073741824 buf:u8:1073741824 buf:u8:1",
        "have 4294967297 bytes; all of a launch may have 4294967296"},
    {P "--kernel structure --grid 1 --block 1 i32:1 buf:i32:1",
        "a structure of 8 bytes: struct:{...} with "
        "its members, or bytes:HEX"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1} buf:i32:1",
        "its members take 4 bytes as C places them; the parameter has 8, at"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,i64:1} buf:i32:1",
        "its members take 16 bytes as C places them; the parameter has 8"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,i7:2} buf:i32:1",
        "member i7:2: the forms are i8 to u64"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,i32:x} buf:i32:1",
        "x is not a valid i32"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,} buf:i32:1", "member : the forms are"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,align:3} buf:i32:1",
        "member align:3: the forms are"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1,i32:2 buf:i32:1",
        "a structure is struct:{TYPE:VALUE,...}, in quotes"},
    {P "--kernel structure --grid 1 --block 1 struct:i32:1 buf:i32:1",
        "a structure is struct:{TYPE:VALUE,...}, in quotes"},
    {P "--kernel structure --grid 1 --block 1 struct:{i32:1}} buf:i32:1",
        "a structure is struct:{TYPE:VALUE,...}, in quotes"},
    {P "--kernel structure --grid 1 --block 1 struct:{buf:f32:9999999999} buf:i32:1",
        "at most 1073741824 bytes"},
    {P "--kernel structure --grid 1 --block 1 bytes:0011 buf:i32:1",
        "bytes:HEX takes 16 hexadecimal digits, "
        "not 4"},
    {P "--kernel structure --grid 1 --block 1 bytes:001122334455667x buf:i32:1",
        "bytes:HEX takes 16 hexadecimal digits"},
    {P "--kernel column --grid 1 --block 1 buf:f32:32 struct:{i32:1}",
        "its parameter is a 32-bit integer and not a structure"},
    {P "--kernel nothing --grid 1 --block 1 --device sim:gtx9", "the nearest is sim:"},
    {P "--kernel nothing --grid 1 --block 1 --device cuda", "simulated device"},
    {P "--kernel nothing --grid 70000 --block 1 --device sim:gtx280",
        "the grid has 70000 blocks in x; "
        "GeForce GTX 280 takes 1 to 65535"},
    {P "--kernel nothing --grid 1,1,2 --block 1 --device sim:gtx8800",
        "the grid has 2 blocks in z; GeForce 8800 GTX takes 1 to 1"},
    {P "--kernel nothing --grid 1 --block 513 --device sim:gtx280",
        "a block has 513 threads in x; GeForce "
        "GTX 280 takes 1 to 512"},
    {P "--kernel nothing --grid 1 --block 1,1,65",
        "a block has 65 threads in z; NVIDIA H200 takes 1 to 64"},
    {P "--kernel nothing --grid 1 --block 0", "a block has 0 threads in x"},
    {P "--kernel nothing --grid 1 --block 1 --shared 20000 --device sim:gtx280",
        "needs 20000 bytes of shared memory; GeForce GTX 280 has"},
    {P "--kernel nothing --grid 1 --block 1 --map x", "--map x"},
    {P "--kernel nothing --grid 1 --block 1 --map 3", "accesses neither"},
    {P "--kernel nothing --grid 1 --block 1 --html /nonexistent/x.html", "/nonexistent/x.html"},
    {"tests/profile/stranger.cu --kernel saxpy<double> --grid 1 --block 1",
        "there is no kernel saxpy<double>; the kernels are: "},
    {"tests/profile/habits.cu --kernel twice --grid 1 --block 1 buf:f32:1",
        "is a template with several instances; name one of counted, "},
    {"tests/profile/fault_dynamic.cu --kernel x --grid 1 --block 1",
        "the block has 0 bytes: was dynamic "
        "shared memory asked for, by LAUNCH_SHARED, --shared or the third argument of <<< >>>?"},
    {"tests/profile/none.cu --kernel x --grid 1 --block 1", "there is no such file"},
    {"--lab 99 --exercise x", "there is no lab 99"},
    {"--lab 05 --exercise x", "has no exercise x"},
    {"--lab 05", "which exercise of 05-padded? It has banks, transpose, aat"},
    {"--lab 03 --exercise matmul_cpu", "no kernel to profile"},
    {"--lab 05 --exercise transpose --kernel x", "has no kernel x"},
    {"--lab 05 --exercise transpose --before 99",
        "--before 99: there is no such file; it is a file of kernels (old.cu), a lab (04), or an earlier run"},
    {"--lab 05 --exercise transpose --before 02",
        "--before 02: nothing in it computes what transpose does "
        "(transpose); labs that do: 01-naive, 04-shared, 05-padded, 06-unrolled, "
        "07-registers, 10-hopper"},
    {"--lab 05 --exercise transpose --before solutions/04-shared/aat.cu", "nothing in it computes"},
    {"--lab 05 --exercise transpose --before solutions/03-tiled/matmul_cpu.c",
        "there is no such file; it is a file of kernels"},
    {"--lab 05 --exercise transpose --before tests/profile/none.json",
        "tests/profile/none.json: cannot be read: No such file"},
    {"--lab 05 --exercise transpose --before tests/formats/autolab.schema.json",
        "autolab.schema.json: "
        "\"kernels\" is missing"},
    {"--lab 05 --exercise transpose --student solutions --svg /nonexistent/a.svg",
        "draws one kernel: name one, such as --kernel transpose_pad_1"},
    {P "--kernel nothing --grid 1 --block 1 --before 04",
        "--before 04: there is no such file; it is a file of kernels (old.cu), or an earlier run"},
    {P "--kernel nothing --grid 1 --block 1 --before tests/profile/habits.cu",
        "tests/profile/habits.cu: there is no kernel nothing; the kernels are: "},
    {"--nonsense", "has no such option"},
};

/* A file that needs what the kit lacks: one line says what, where, and what there is instead. */
static const struct {
    const char *text, *says;
} foreign[] = {
    {"#include <cooperative_groups.h>\n__global__ void x() { cooperative_groups::this_multi_grid().sync(); }",
        ".cu:2: of cooperative groups, grids, clusters, blocks, tiles"},
    {"__global__ void __cluster_dims__(2, 1, 1) x() {}",
        ".cu:1: clang has no __cluster_dims__; launch by"},
    {"__global__ void x(cudaTextureObject_t t, float *o)\n{\n    *o = texCubemap<float>(t, 0, 0, 1);\n}",
        ".cu:3: cube maps, mip maps and gathers of a texture are not supported"},
    {"#include <cuda/latch>\n__global__ void x() {}",
        ".cu:1: of libcu++, cuda::barrier, cuda::pipeline"},
    {"#include <cuda_fp4.h>\n__global__ void x() {}",
        ".cu:1: numbers of 6 and 4 bits are not supported"},
    {"#include <nccl.h>\n__global__ void x() {}", ".cu:1: CUDA's libraries are not supported"},
    {"#include <cusparse.h>\n__global__ void x() {}",
        ".cu:1: CUDA's libraries are not supported; put the "
        "kernel"},
    {"__global__ void x() {}\nint main() { cudaImportExternalMemory(0, 0); }",
        ".cu:2: this part of CUDA's runtime is not declared here; put"},
    {"#include <cuda.h>\n__global__ void x() {}\nint main() { cuLinkComplete(0, 0, 0); }",
        ".cu:3: CUDA's driver interface is not supported; put"},
    {"__global__ void y() {}\n__global__ void x() { y<<<1, 1>>>(); }",
        ".cu:2: kernels that launch kernels are not supported"},
    {"__device__ void *more(int);\n__global__ void x(void **p) { *p = more(4); }",
        ".cu:2: instruction call.uni calls more, which is not defined"},
    {"__global__ void x()\n{\n    asm volatile(\"tcgen05.fence::before_thread_sync;\");\n}",
        ".cu:3: instruction tcgen05.fence::before_thread_sync is not supported: mma.sync is"},
    {"__global__ void x() { asm volatile(\"{ .reg .pred p; .reg .u32 r; bar.red.max.u32 r, 0, p; }\"); }",
        ".cu:1: instruction bar.red.max.u32 is not supported: bar.red.popc.u32"},
    {"__global__ void x() { asm volatile(\"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], "
     "[%1], 16;\" ::\"l\"(0L), \"r\"(0)); }",
        "bulk_group.add.f32 is not supported: cp.async of 4, 8 and 16"},
    {"__global__ void x() { asm volatile(\"griddepcontrol.wait;\"); }",
        "is not supported: arithmetic, loads, stores"},
    {"__device__ int x;",
        "there is no kernel x, and no other kernel: a kernel is a __global__ function"},
    {"template <class T> __global__ void x(T *p) {}", "a template has to be instantiated"},
    {" \n", ".cu: is empty"},
};

START_TEST(what_is_not_there_is_named)
{
    struct err e;
    char path[] = "/tmp/lockstep-foreign-XXXXXX.cu", line[256];
    int fd = mkstemps(path, 3);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(
        write(fd, foreign[_i].text, strlen(foreign[_i].text)), (long)strlen(foreign[_i].text));
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

/* A command that fails at its end writes no file. */
START_TEST(a_failure_writes_nothing)
{
    struct err e;
    char folder[] = "/tmp/lockstep-profile-XXXXXX", line[512], page[64], svg[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(page, sizeof page, "%s/page.html", folder);
    snprintf(svg, sizeof svg, "%s/map.svg", folder);
    snprintf(line, sizeof line,
        P "--kernel column --grid 1 --block 32 --html %s --map 3 buf:f32:32 i32:1", page);
    ck_assert_int_eq(run(&e, line), -1);
    snprintf(line, sizeof line,
        P "--kernel column --grid 1 --block 32 --html %s --svg %s --map 3 buf:f32:32 i32:1", page,
        svg);
    ck_assert_int_eq(run(&e, line), -1);
    ck_assert(!file_exists(page) && !file_exists(svg));
    snprintf(line, sizeof line,
        P "--kernel column --grid 1 --block 32 --html %s --svg %s --map 22 buf:f32:32 i32:1", page,
        svg);
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

/* A GPU that cannot run the kernel gets a line that says why; the others are shown all the same. */
START_TEST(gpus_are_compared)
{
    struct err e;
    ck_assert_msg(!run_command(command_compare, &e,
                      "02 soa --devices sim:gtx8800,sim:h200 --kernel norm_aos"),
        "%s", e.text);
    HAS(printed,
        "sim:gtx8800   solutions/02-coalesced/soa.cu: kernel norm_aos: line 17 needs double precision; "
        "GeForce 8800 GTX has");
    HAS(printed, "\nsim:h200         24  33.3");
    if (getenv("LOCKSTEP_SANITIZED")) return; /* a whole product takes too long */
    ck_assert_msg(!run_command(command_compare, &e, "07 matmul --devices sim:gtx8800,sim:h200"),
        "%s", e.text);
    HAS(printed,
        "sim:gtx8800   solutions/07-registers/matmul.cu: kernel matmul: a block needs 16640 bytes of "
        "shared memory; GeForce 8800 GTX has 16368 a block");
    HAS(printed, "\nsim:h200         16   100");
}
END_TEST

/* What `lockstep lab` prints fits 80 columns, and says how a kernel compares. */
START_TEST(a_lab_is_explained)
{
    struct err e;
    ck_assert_msg(
        !run_command(command_lab, &e, "05 transpose --device sim:h200 --student solutions"), "%s",
        e.text);
    HAS(printed, "; limited by: L2\n");
    HAS(printed, "\n    reference: same speed (0.0");
    HAS(printed, "\n    previous rung \"shared\" (04-shared): ");
    ck_assert_msg(!run_command(command_lab, &e,
                      "05 transpose --device sim:h200 --student tests/mistakes/conflicts --more"),
        "%s", e.text);
    HAS(printed, "    costs most: line 24, 75%\n"
                 "            out[(col + y + j) * rows + row + x] = tile[x][y + j];\n"
                 "            lanes lie 32 words apart, so many share a bank: each shared load\n"
                 "            takes 32 wavefronts, 31 of them conflicts.");
    ck_assert_msg(!run_command(command_lab, &e, "06 shape --device sim:tiny --student labs --more"),
        "%s", e.text);
    HAS(printed,
        "  prediction loads_32x16_pad_1: UNKNOWN\n    at rows = 512, cols = 1024: block 32x16");
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
        {"05 transpose --devices sim:h200,sim:gtx9",
            "device 'sim:gtx9' does not exist; the nearest is "
            "sim:gtx280"},
        {"10 copy_tma --devices sim:gtx8800", "has 16368 a block"},
        {"05 transpose --student /nonexistent --devices sim:tiny",
            "/nonexistent: there is no such "
            "directory; it should have the layout of labs/"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err e;
        ck_assert_msg(
            run_command(command_compare, &e, rows[i].line) == -1, "accepted: %s", rows[i].line);
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
        "--lab 05 --exercise transpose --student solutions --before 04 --map 26",
        "--lab 05 --exercise transpose --before solutions/05-padded/transpose.cu --ptx",
        P
        "--kernel column --grid 1 --block 32 --before tests/profile/patterns.cu buf:f32:32 i32:33",
    };
    struct err e;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_msg(!run(&e, lines[i]), "%s: %s", lines[i], e.text);
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("commands");
    TCase *c = tcase_create("commands");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, bad_command_lines, 0, (int)(sizeof bad_lines / sizeof *bad_lines));
    tcase_add_loop_test(c, what_is_not_there_is_named, 0, (int)(sizeof foreign / sizeof *foreign));
    tcase_add_test(c, a_failure_writes_nothing);
    tcase_add_test(c, good_command_lines);
    tcase_add_test(c, gpus_are_compared);
    tcase_add_test(c, a_lab_is_explained);
    tcase_add_test(c, a_text_is_broken_between_words);
    tcase_add_test(c, bad_comparisons);
    suite_add_tcase(suite, c);
    int failed = suite_run(suite);
    fronts_close();
    return failed;
}
