/* test_lab_programs.c - the programs that the lab layer starts: compilers on good, bad and hostile
 * sources; a learner's C. */
#include "judge/judge.h"
#include "explain/explain.h"
#include "exercise/compile.h"
#include "exercise/host.h"
#include "os/os.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- other programs ---- */

static char *scratch;

static void make_scratch(void)
{
    char name[] = "/tmp/test_lab.XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(name));
    scratch = xstrdup(name);
}

static void drop_scratch(void)
{
    spawn_remove_directory(scratch);
    free(scratch);
}

/* Run a script in the scratch folder. seconds: limit of processor time; patience: limit of waiting;
 * 0: enough for anything. */
static int shell(const char *script, double seconds, double patience, struct buf *out, int *status,
    struct err *e)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct spawn s = {.argv = argv,
        .directory = scratch,
        .seconds = seconds ? seconds : 100,
        .patience = patience,
        .file_bytes = 1 << 20};
    return spawn_run(&s, out, status, e);
}

START_TEST(output_is_capped_and_clean)
{
    struct buf out = {0};
    struct err e = {0};
    int status = 0;
    ck_assert_int_eq(
        shell("printf '\\033[31mred\\033[0m \\007x\\n'; exit 3", 0, 0, &out, &status, &e), 0);
    ck_assert_str_eq(out.data, "red x\n");
    ck_assert_int_eq(status, 3);
    buf_free(&out);
    ck_assert_int_eq(shell("yes | head -c 3000000", 0, 0, &out, &status, &e), 0);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_lt(out.len, SPAWN_OUTPUT + 100);
    ck_assert_ptr_nonnull(strstr(out.data, "more bytes"));
    buf_free(&out);
}
END_TEST

START_TEST(what_hangs_is_stopped)
{
    struct buf out = {0};
    struct err e = {0};
    int status = 0;
    ck_assert_int_eq(shell("sleep 99999 & sleep 99999", 0, 0.3, &out, &status, &e), -1);
    ck_assert_str_eq(e.text, "took longer than 0.3 seconds and was stopped");
    ck_assert_int_eq(shell("while :; do :; done", 1, 1e6, &out, &status, &e), -1);
    ck_assert_str_eq(e.text, "took longer than 1 seconds of processor time and was stopped");
    buf_free(&out);
}
END_TEST

/* Without a cgroup, children have only their own limits, and no report mentions one. */
START_TEST(children_share_a_cgroup)
{
    struct buf out = {0};
    struct err e = {0};
    int status = 0, lent = cgroup_open((size_t)256 << 20, 24);
    ck_assert_int_eq(lent, cgroup_is_open());
    ck_assert_int_eq(lent, strstr(jail_text(), ", cgroup") != NULL);
    ck_assert_int_eq(shell("echo fits", 0, 0, &out, &status, &e), 0);
    ck_assert_str_eq(out.data, "fits\n");
    buf_free(&out);
    if (lent) {
        shell("x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo kept ${#x}", 0, 0, &out, &status,
            &e);
        ck_assert_msg(status != 0 && (!out.data || !strstr(out.data, "kept")), "300 MB in 256 MiB");
        buf_free(&out);
        /* each process waits for its child, so all exist at once */
        shell("f() { if [ $1 = 0 ]; then echo deepest; else (f $(($1 - 1)); :); fi; }; f 42", 0, 0,
            &out, &status, &e);
        ck_assert_msg(
            !out.data || !strstr(out.data, "deepest"), "42 processes in 24: %s", out.data);
        ck_assert_msg(out.data && strstr(out.data, "ork"), "42 processes in 24: %s", out.data);
        buf_free(&out);
    }
    cgroup_close();
    ck_assert_int_eq(cgroup_is_open(), 0);
    if (!lent) SKIP("this machine lends no cgroup");
}
END_TEST

START_TEST(the_environment_is_clean)
{
    struct buf out = {0};
    struct err e = {0};
    int status = 0;
    setenv("NVCC_APPEND_FLAGS", "--evil", 1);
    ck_assert_int_eq(shell("env", 0, 0, &out, &status, &e), 0);
    ck_assert_ptr_null(strstr(out.data, "NVCC_APPEND_FLAGS"));
    ck_assert_ptr_nonnull(strstr(out.data, "LC_ALL=C"));
    unsetenv("NVCC_APPEND_FLAGS");
    buf_free(&out);
}
END_TEST

/* ---- the compile stage ---- */

static char *write_file(const char *name, const void *data, size_t len)
{
    struct err e;
    char *path = xasprintf("%s/%s", scratch, name);
    ck_assert_msg(!file_write(path, data, len, &e), "%s", e.text);
    return path;
}

/* A compiler's version is asked for once, as long as its file is the same; a script's always, since
 * the script may start another one. The program counts its starts in the file `starts`. */
START_TEST(a_compiler_is_asked_for_its_version_once)
{
    static const char program[] =
        "#include <stdio.h>\nint main(void)\n{\n    FILE *f = fopen(\"starts\", \"a\");\n    fputc('.', f);\n"
        "    fclose(f);\n    puts(\"release 7, V\" VERSION);\n    return 0;\n}\n";
    static const struct {
        const char *build, *version;
        size_t starts;
    } steps[] = {
        {"gcc -DVERSION='\"7.1\"' -o bin/nvcc nvcc.c", "nvcc 7.1", 1},
        {"true", "nvcc 7.1", 1},
        {"rm bin/nvcc; gcc -DVERSION='\"7.22\"' -o bin/nvcc nvcc.c", "nvcc 7.22", 2},
        {"rm bin/nvcc; printf '#!/bin/sh\necho , V8.1; echo >>starts\n' >bin/nvcc; chmod +x bin/nvcc",
            "nvcc 8.1", 3},
        {"true", "nvcc 8.1", 4},
    };
    struct kit kit = {.root = scratch, .cache = scratch};
    char *installed = nvcc_find(), *home = getcwd(NULL, 0), *file = xasprintf("%s/starts", scratch);
    if (installed) SKIP("another nvcc is found first");
    free(write_file("nvcc.c", program, sizeof program - 1));
    ck_assert(!chdir(scratch) && !mkdir("bin", 0700));
    setenv("CUDA_HOME", scratch, 1);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct front f;
        struct err e;
        char *said = NULL;
        size_t count = 0;
        ck_assert_int_eq(system(steps[i].build), 0);
        ck_assert_msg(!front_find(&f, "nvcc", &kit, &e), "%s", e.text);
        ck_assert_str_eq(f.name, steps[i].version);
        ck_assert_msg(!file_read(file, 100, &said, &count, &e), "%s", e.text);
        ck_assert_uint_eq(count, steps[i].starts);
        front_free(&f);
        free(said);
    }
    unsetenv("CUDA_HOME");
    ck_assert(!chdir(home));
    free(home), free(file);
}
END_TEST

static void expect_compile(
    const char *name, const void *data, size_t len, enum compile_status status, const char *says)
{
    struct kit kit;
    struct front front;
    struct err e;
    struct compiled c;
    char *path = data ? write_file(name, data, len) : xasprintf("%s/%s", scratch, name);
    ck_assert_msg(!kit_find(&kit, &e), "%s", e.text);
    ck_assert_msg(!front_find(&front, NULL, NULL, &e), "%s", e.text);
    compile_kernel(&kit, &front, path, &c);
    ck_assert_msg(
        c.status == status, "%s: %s%s", name, c.output.data ? c.output.data : "", c.err.text);
    if (says)
        ck_assert_msg(c.output.data && strstr(c.output.data, says), "%s: expected \"%s\" in: %s",
            name, says, c.output.data);
    if (status == COMPILE_OK) ck_assert_ptr_nonnull(strstr(c.ptx, ".entry"));
    compiled_free(&c);
    front_free(&front);
    kit_free(&kit);
    free(path);
}

#define KERNEL "#include \"lockstep.h\"\n__global__ void f(float *x) { x[threadIdx.x] = 1; }\n"

START_TEST(sources_are_checked)
{
    static const char binary[] = "\177ELF\0\0\0\1";
    char *huge = xcalloc(10 << 20, 1);
    memset(huge, 'x', 10 << 20);
    expect_compile("missing.cu", NULL, 0, COMPILE_MISSING, "no such file");
    expect_compile("empty.cu", "", 0, COMPILE_BAD, "is empty");
    expect_compile("blank.cu", " \n\n", 3, COMPILE_BAD, "is empty");
    expect_compile("binary.cu", binary, sizeof binary, COMPILE_BAD, "binary");
    expect_compile("huge.cu", huge, 10 << 20, COMPILE_BAD, "at most");
    expect_compile("prose.cu", "Dear teacher,\n", 14, COMPILE_BAD, "error:");
    expect_compile("good.cu", KERNEL, strlen(KERNEL), COMPILE_OK, NULL);
    char *directory = xasprintf("%s/directory.cu", scratch);
    ck_assert_int_eq(mkdir(directory, 0777), 0);
    expect_compile("directory.cu", NULL, 0, COMPILE_BAD, "not a regular file");
    rmdir(directory);
    free(directory);
    free(huge);
}
END_TEST

START_TEST(foreign_includes_are_refused)
{
    struct kit kit;
    struct err e;
    char real[4096];
    ck_assert_int_eq(kit_find(&kit, &e), 0);
    char *solution = kit_path(&kit, "solutions/01-naive/matmul.cu");
    ck_assert_ptr_nonnull(realpath(solution, real));
    char *source = xasprintf("#include \"%s\"\n", real);
    expect_compile("thief.cu", source, strlen(source), COMPILE_BAD,
        "the kit's other headers lockstep_*.h, and nothing else");
    static const char device[] = "#include \"/dev/zero\"\n";
    expect_compile("zero.cu", device, strlen(device), COMPILE_BAD, NULL);
    free(source);
    free(solution);
    kit_free(&kit);
}
END_TEST

/* The parsed form of lockstep.h is used only for files that begin with including it. */
START_TEST(a_parsed_header_is_for_files_that_begin_with_it)
{
    static const char *const begin[] = {KERNEL, "/* a */ // b\n#  include \"lockstep.h\"\n",
        " \n" KERNEL},
                             *const other[] = {"int x;\n" KERNEL, "#define N 1\n" KERNEL,
                                 "#include \"lockstep.hpp\"\n",
                                 "__global__ void f(float *x) { *x = 1; }\n", "// " KERNEL,
                                 "/* " KERNEL, ""};
    struct kit kit;
    struct front front;
    struct err e;
    const char *argv[] = {NULL, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70",
        "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-S", "-MD", NULL};
    ck_assert_msg(!kit_find(&kit, &e) && !front_find(&front, "clang", NULL, &e), "%s", e.text);
    argv[0] = front.path;
    for (int i = 0; i < 3 && jail_level() >= JAIL_LANDLOCK; i++) {
        char *header = precompiled(&kit, &front, argv, begin[i], scratch);
        ck_assert_msg(header && file_exists(header), "%s", begin[i]);
        free(header);
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        ck_assert_msg(!precompiled(&kit, &front, argv, other[i], scratch), "%s", other[i]);
    front_free(&front);
    kit_free(&kit);
    static const char bare[] = "__global__ void f(float *x) { *x = 1; }\n";
    expect_compile("bare.cu", bare, strlen(bare), COMPILE_BAD, "__global__");
}
END_TEST

START_TEST(ptx_is_raised_to_what_it_needs)
{
    static const char *const rows[][2] = {
        {".version 7.5\n.target sm_80, debug\n\twgmma.mma_async.sync x;",
            ".version 8.0\n.target sm_90a, debug\n"},
        {".version 7.5\n.target sm_70\n{ elect.sync _|p, 1;}", ".version 8.0\n.target sm_90\n"},
        {".version 8.6\n.target sm_80\n\tsetmaxnreg.dec 40;\n\telect.sync _|p, 1;",
            ".version 8.6\n.target sm_90a\n"},
        {".version 7.5\n.target sm_80\n\tmbarrier.arrive.shared.b64 s, [b], 4;",
            ".version 8.0\n.target sm_90\n"},
        {".version 7.5\n.target sm_80\n\tmbarrier.arrive.noComplete.b64 s, [b], 4;",
            ".version 7.5\n.target sm_80\n"},
        {".version 7.5\n.target sm_80\n\tmbarrier.arrive.b64 s, [b]; fma a, [x], b;",
            ".version 7.5\n.target sm_80\n"},
        {".version 8.0\n.target sm_100\n\telect.sync _|p, 1;", ".version 8.0\n.target sm_100\n"},
        {".version 7.5\n.target sm_70\n.file 1 \"elect.sync\"", ".version 7.5\n.target sm_70\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *ptx = xstrdup(rows[i][0]);
        compile_raise(&ptx);
        ck_assert_msg(
            !strncmp(ptx, rows[i][1], strlen(rows[i][1])), "%s became %s", rows[i][0], ptx);
        ck_assert_str_eq(strrchr(ptx, '\n'), strrchr(rows[i][0], '\n'));
        free(ptx);
    }
}
END_TEST

START_TEST(a_rebuild_runs_no_compiler)
{
    struct kit kit;
    struct front front;
    struct compiled c;
    struct err e;
    char *source = xasprintf("%s// %llu\n", KERNEL, (unsigned long long)rng_secret()),
         *file = write_file("again.cu", source, strlen(source));
    ck_assert_msg(!kit_find(&kit, &e) && !front_find(&front, NULL, NULL, &e), "%s", e.text);
    char *script = xasprintf("#!/bin/sh\nexec '%s' \"$@\"\n", front.path);
    free(front.path);
    front.path = write_file("compiler", script, strlen(script));
    ck_assert_int_eq(chmod(front.path, 0777), 0);
    for (int i = 0; i < 2; i++) {
        compile_kernel(&kit, &front, file, &c);
        ck_assert_msg(c.status == COMPILE_OK && strstr(c.ptx, ".entry"), "%d: %s%s", i,
            c.output.data ? c.output.data : "", c.err.text);
        compiled_free(&c);
        ck_assert_int_eq(unlink(front.path), i ? -1 : 0); /* the second run is cached */
    }
    front_free(&front);
    kit_free(&kit);
    free(script), free(file), free(source);
}
END_TEST

/* A compiled file is taken from the cache only while every file that the compiler read is as it
 * was, whatever its name. */
START_TEST(a_changed_header_is_compiled_again)
{
    static const char source[] =
        "#include \"lockstep.h\"\n__attribute__((global)) void f(int *x) { *x = NUMBER; }\n";
    struct kit kit = {.root = scratch, .cache = scratch};
    struct front front;
    struct compiled c;
    struct err e;
    ck_assert_msg(!front_find(&front, NULL, NULL, &e), "%s", e.text);
    char *common = xasprintf("%s/common", scratch), *cuda = xasprintf("%s/cuda", common);
    char *kernel = write_file("k.cu", source, strlen(source));
    ck_assert(!mkdir(common, 0777) && !mkdir(cuda, 0777));
    free(write_file("common/cuda/lockstep.h", "#include \"lockstep_new.h\"\n", 26));
    for (int i = 0; i < 4; i++) {
        char *header = xasprintf("#define NUMBER %d\n", 4711 + i / 2),
             *number = xasprintf(" %d;", 4711 + i / 2);
        free(write_file("common/cuda/lockstep_new.h", header, strlen(header)));
        compile_kernel(&kit, &front, kernel, &c);
        ck_assert_msg(c.status == COMPILE_OK, "%s %s", c.output.data, c.err.text);
        ck_assert_msg(strstr(c.ptx, number) != NULL, "%d: no%s in %s", i, number, c.ptx);
        compiled_free(&c);
        free(header);
        free(number);
    }
    free(kernel);
    free(common);
    free(cuda);
    front_free(&front);
}
END_TEST

START_TEST(the_cache_compares_whole_keys)
{
    struct kit kit = {.root = scratch, .cache = scratch};
    struct buf key = {0}, other = {0}, value = {0}, got = {0};
    buf_printf(&key, "key");
    buf_printf(&other, "kex");
    buf_printf(&value, "value\n with lines");
    ck_assert_int_eq(cache_get(&kit, &key, &got), -1);
    cache_put(&kit, &key, &value);
    ck_assert_int_eq(cache_get(&kit, &key, &got), 0);
    ck_assert_uint_eq(got.len, value.len);
    ck_assert_str_eq(got.data, value.data);
    ck_assert_int_eq(cache_get(&kit, &other, &got), -1);
    char *from = xasprintf("ls %s | head -n 1", scratch);
    FILE *p = popen(from, "r");
    char name[64] = "";
    ck_assert_int_eq(fscanf(p, "%63s", name), 1);
    pclose(p);
    char *path = xasprintf("%s/%s", scratch, name), *entry;
    size_t len;
    ck_assert_int_eq(file_read(path, 4096, &entry, &len, NULL), 0);
    free(write_file(name, entry, len - 1)); /* half a file, as a power cut leaves it */
    ck_assert_int_eq(cache_get(&kit, &key, &got), -1);
    free(write_file(name, entry, len));
    ck_assert_int_eq(cache_get(&kit, &key, &got), 0);
    /* another key's entry under this key's name, as a collision would have it */
    strstr(entry, "key")[2] = 'x';
    free(write_file(name, entry, len));
    ck_assert_int_eq(cache_get(&kit, &key, &got), -1);
    free(entry);
    free(path);
    free(from);
    buf_free(&key), buf_free(&other), buf_free(&value), buf_free(&got);
}
END_TEST

/* ---- host C ---- */

static const struct step host_steps[] = {
    {.kernel = "matmul_cpu", .problem = "matmul", .dims = {64, 64, 64}}, {0}};
static const struct exercise host_exercise = {
    .name = "host", .kind = EXERCISE_HOST, .steps = host_steps};

/* Build and run source; what went wrong goes to why, empty when the product is right. limit:
 * seconds until it is stopped. */
static void run_host(const char *source, double limit, struct buf *why)
{
    struct kit kit;
    struct err e = {0};
    struct compiled c;
    struct host_program *program;
    struct host_process *process = NULL;
    struct instance in;
    struct expected x;
    double seconds;
    char *path = write_file("host.c", source, strlen(source));
    instance_make(&in, problem_find("matmul"), (int[DIMS]){33, 17, 21}, 5);
    ck_assert_int_eq(kit_find(&kit, &e), 0);
    program = host_build(&kit, &host_exercise, path, &c);
    if (c.status != COMPILE_OK) {
        buf_printf(why, "%s%s", c.output.data ? c.output.data : "", c.err.text);
    } else {
        ck_assert_msg(!host_start(program, &process, &e), "%s", e.text);
        expected_make(&x, &in);
        if (host_run(process, 0, &in, limit, &seconds, &e))
            buf_printf(why, "%s", e.text);
        else
            explain_output(&in, &x, in.data[2], &(struct finding){0}, why);
        expected_free(&x);
    }
    host_stop(process);
    host_program_free(program);
    compiled_free(&c);
    instance_free(&in);
    kit_free(&kit);
    free(path);
}

#define SIGNATURE "void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)\n"
#define LOOPS \
    "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { float s = 0;" \
    " for (int l = 0; l < k; l++) s += a[i * k + l] * b[l * n + j]; c[i * n + j] = s; }"

static void expect_host_within(double limit, const char *source, const char *says)
{
    struct buf why = {0};
    run_host(source, limit, &why);
    if (says)
        ck_assert_msg(why.data && strstr(why.data, says), "expected \"%s\" in: %s", says,
            why.data ? why.data : "nothing");
    else
        ck_assert_msg(!why.len, "%s", why.data);
    buf_free(&why);
}

static void expect_host(const char *source, const char *says)
{
    expect_host_within(1e6, source, says);
}

START_TEST(host_code_is_judged_by_its_arrays)
{
    expect_host(SIGNATURE "{" LOOPS "}", NULL);
    expect_host(
        "#include <stdio.h>\n" SIGNATURE "{ printf(\"passed\\n\"); }", "nothing was written there");
    expect_host("#include <stdlib.h>\n" SIGNATURE "{ exit(0); }", "ended its process");
    expect_host(
        "#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(0); }\n" SIGNATURE
        "{" LOOPS "}",
        "ended its process");
    expect_host(SIGNATURE "{ *(volatile int *)8 = 1; }", "crashed");
    expect_host_within(1, SIGNATURE "{ for (;;) __asm__ volatile(\"\"); }", "did not return");
    expect_host_within(1,
        "#include <unistd.h>\n#include <sys/syscall.h>\n" SIGNATURE /* waits for a futex that nobody wakes */
        "{ int word = 0; for (;;) syscall(SYS_futex, &word, 0, 0, NULL, NULL, 0); }",
        "did not return");
    expect_host(SIGNATURE "{" LOOPS " ((float *)a)[0] = 1; }", "changed its input a");
    expect_host(SIGNATURE "{" LOOPS " c[m * n] = 1; }", "wrote outside its arrays");
    expect_host("int matmul_cpu(int m) { return m; }\n", "conflicting types");
    expect_host("void other(void) {}\n", "matmul_cpu");
    expect_host("syntax error\n", "error:");
}
END_TEST

/* Returns the cache lines that a program fetches; NAN if it does not compile. A product of 32 x 64
 * x 128 has arrays of 128, 512 and 256 lines, which all fit into the cache; in one of 16 x 512 x
 * 512, b alone is 4 times the cache. */
static double lines_of(const char *source, const int *dims, struct buf *why)
{
    static const struct budget some[] = {{METRIC_HOST_LINES, AT_MOST, 1, 1, "-"}, {0}};
    static const struct step steps[] = {
        {.kernel = "matmul_cpu", .problem = "matmul", .dims = {64, 64, 64}, .budgets = some}, {0}};
    static const struct exercise counted = {.name = "host", .kind = EXERCISE_HOST, .steps = steps};
    struct kit kit;
    struct err e = {0};
    struct compiled c;
    struct instance in;
    double lines = NAN;
    char *path = write_file("host.c", source, strlen(source));
    instance_make(&in, problem_find("matmul"), dims, 5);
    ck_assert_int_eq(kit_find(&kit, &e), 0);
    struct host_program *p = host_build(&kit, &counted, path, &c);
    if (!p)
        buf_printf(why, "%s%s", c.output.data ? c.output.data : "", c.err.text);
    else
        ck_assert_msg(!host_count(p, 0, &in, 60, &lines, &e), "%s", e.text);
    host_program_free(p);
    compiled_free(&c), instance_free(&in), kit_free(&kit);
    free(path);
    return lines;
}

START_TEST(lines_of_the_cache_are_counted)
{
    struct buf why = {0};
    const int little[] = {32, 64, 128}, much[] = {16, 512, 512};
    /* all arrays once: (32 x 64 + 64 x 128 + 32 x 128) floats, 16 a line; and lines of the stack */
    double all = (32 * 64 + 64 * 128 + 32 * 128) / 16;
    double lines = lines_of(SIGNATURE "{" LOOPS "}", little, &why);
    ck_assert_msg(lines >= all && lines < all + 40, "%g, not %g", lines, all);
    /* each of a's 16 rows brings all of b into the cache again; b's rows are 2 KiB apart */
    double b = 512 * 512 / 16;
    lines = lines_of(SIGNATURE "{" LOOPS "}", much, &why);
    ck_assert_msg(lines > 15 * b && lines < 17 * b, "%g, not 16 times %g", lines, b);
    /* accesses by the C library count, too: c, and the floats of a that are copied there */
    lines =
        lines_of("#include <string.h>\n" SIGNATURE "{ memset(c, 0, sizeof(float) * m * n);"
                 " for (int i = 0; i < m * k; i += 8) memmove(c + i, a + i, sizeof(float) * 8); }",
            little, &why);
    ck_assert_msg(lines >= 32 * (64 + 128) / 16 && lines < 32 * (64 + 128) / 16 + 40, "%g", lines);
    ck_assert_msg(!why.len, "%s", why.data);
}
END_TEST

START_TEST(nothing_keeps_accesses_from_being_counted)
{
    static const struct {
        const char *before, *says;
    } rows[] = {
        {"__attribute__((no_sanitize(\"thread\")))", "host.c:2: error: no_sanitize keeps"},
        {"#define JOIN(a, b) a##b\nint f(void) { JOIN(as, m)(\"\"); return 0; }",
            "host.c:3: error: asm keeps"},
        {"# 1 \"x.h\" 3", "host.c:2: error: # 1 \"x.h\" 3 keeps"},
        {"%: 1 \"x.h\" 3", "host.c:2: error: %: 1 \"x.h\" 3 keeps"},
        {"int f(void *p) { __builtin_memmove(p, p, 4); return 0; }",
            "host.c:2: error: __builtin_memmove keeps"},
        {"void __tsan_read4(const void *p);", "host.c:2: error: __tsan_read4 keeps"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf why = {0};
        char *source = xasprintf("#include <math.h>\n%s\n" SIGNATURE "{" LOOPS "}", rows[i].before);
        lines_of(source, (const int[]){8, 8, 8}, &why);
        ck_assert_msg(why.data && strstr(why.data, rows[i].says), "%s", why.data);
        buf_free(&why);
        free(source);
    }
}
END_TEST

START_TEST(host_code_can_do_nothing_but_compute)
{
    char *mark = xasprintf("%s/mark", scratch);
    char *opens =
        xasprintf("#include <fcntl.h>\n#include <unistd.h>\n#include <sys/wait.h>\n#include "
                  "<stdio.h>\n#include <signal.h>\n" SIGNATURE
                  "{ int fd = open(\"%s\", O_WRONLY | O_CREAT, 0666);\n"
                  " if (fd >= 0 || fork() >= 0 || open(\"/etc/passwd\", O_RDONLY) >= 0 || "
                  "rename(\"%s\", \"%s.2\") == 0 ||\n"
                  "     unlink(\"%s\") == 0 || kill(getppid(), 0) == 0) return;" LOOPS "}",
            mark, mark, mark, mark);
    expect_host(opens, NULL);
    ck_assert(!file_exists(mark));
    free(opens);
    free(mark);
}
END_TEST

START_TEST(host_code_includes_no_solution)
{
    struct kit kit;
    struct err e;
    char real[4096];
    ck_assert_int_eq(kit_find(&kit, &e), 0);
    char *solution = kit_path(&kit, "solutions/03-tiled/matmul_cpu.c");
    ck_assert_ptr_nonnull(realpath(solution, real));
    char *source = xasprintf("#include \"%s\"\n", real);
    expect_host(source, "includes the C library's headers and nothing else");
    free(source);
    free(solution);
    kit_free(&kit);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab programs");
    TCase *c;
    c = tcase_create("programs");
    tcase_set_timeout(c, 0);
    tcase_add_checked_fixture(c, make_scratch, drop_scratch);
    tcase_add_test(c, output_is_capped_and_clean);
    tcase_add_test(c, what_hangs_is_stopped);
    tcase_add_test(c, children_share_a_cgroup);
    tcase_add_test(c, the_environment_is_clean);
    tcase_add_test(c, a_compiler_is_asked_for_its_version_once);
    tcase_add_test(c, sources_are_checked);
    tcase_add_test(c, foreign_includes_are_refused);
    tcase_add_test(c, a_parsed_header_is_for_files_that_begin_with_it);
    tcase_add_test(c, ptx_is_raised_to_what_it_needs);
    tcase_add_test(c, a_rebuild_runs_no_compiler);
    tcase_add_test(c, a_changed_header_is_compiled_again);
    tcase_add_test(c, the_cache_compares_whole_keys);
    tcase_add_test(c, host_code_is_judged_by_its_arrays);
    tcase_add_test(c, lines_of_the_cache_are_counted);
    tcase_add_test(c, nothing_keeps_accesses_from_being_counted);
    tcase_add_test(c, host_code_can_do_nothing_but_compute);
    tcase_add_test(c, host_code_includes_no_solution);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
